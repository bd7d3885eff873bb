/*
 * target.h - what the fuzz targets share: a file read as one given message.
 *
 * The program finds out what a file is; a target is told, so that its whole
 * corpus goes to one reader. From there on the bytes take the same way into a
 * model. All memory is counted and limited.
 */
#ifndef TFP_FUZZ_TARGET_H
#define TFP_FUZZ_TARGET_H

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/reader.h"
#include "model/inputs.h"
#include "proto/schema.h"

/* The longest input and the most memory that a target works with. */
enum { FUZZ_MOST_BYTES = 4096, FUZZ_MOST_MEMORY = 64 << 20 };

/* A message in one of its two forms; the name is that of its corpus. */
typedef struct fuzz_format {
    const char *name;
    const tfp_message *root;
    bool is_text;
} fuzz_format;

extern const fuzz_format fuzz_formats[];
extern const size_t fuzz_format_count;

/* Ends the process when there is none of that name. */
const fuzz_format *fuzz_format_named(const char *name);

/* What came of reading; the same bytes always give the same. */
typedef struct fuzz_outcome {
    int status;
    tfprof_error err; /* with status */
    tfp_input_counts counts;
    tfp_input_ignored ignored;
} fuzz_outcome;

/*
 * Reads `data` into a model and releases it. With `piece` 0 the window is
 * exactly as long as the data, so that a sanitizer sees the first byte read
 * past its end; otherwise the data arrives in pieces of that size, and the
 * window has to slide and to grow. `memory` is as it was before.
 */
fuzz_outcome fuzz_read(const fuzz_format *format, tfp_span data, size_t piece,
                       tfp_memory *memory);

/* Ends the process when the two are not the same, messages aside: these may
 * show more or less of the input. */
void fuzz_check_same(const fuzz_outcome *a, const fuzz_outcome *b);

/* Memory of the C library, limited. */
tfp_memory fuzz_memory(void);

/* A tfprof_resize_fn; `context` is a size_t, the bytes that are held. */
void *fuzz_resize(void *context, void *block, size_t old_size, size_t new_size);

/* The bytes in a block of their own size, so that a sanitizer sees a step past
 * them; to be freed. */
uint8_t *fuzz_copy(const uint8_t *bytes, size_t size);

/* Marsaglia's xorshift32; *random is never 0. */
uint32_t fuzz_draw(uint32_t *random);

/* Bytes that arrive in pieces, as from a pipe. */
typedef struct fuzz_pieces {
    tfp_span left;
    size_t piece; /* bytes that a read gives at most; not 0 */
} fuzz_pieces;

tfp_source fuzz_source_pieces(fuzz_pieces *pieces);

/* What must hold in a target, in every build. */
#define FUZZ_CHECK(condition)                                                  \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,  \
                    #condition);                                               \
            abort();                                                           \
        }                                                                      \
    } while (0)

#endif
