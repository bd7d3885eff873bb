/*
 * chunks.h - the data of a page: chunks of columns, compressed, as base64.
 *
 * A chunk is a 32-bit length, a head of JSON of that length, and the columns
 * that the head lists. A column of n rows is stored as byte planes: the least
 * significant byte of each row, then the next byte of each row, and so on. So
 * bytes that are alike stand together, and gzip finds them. page/README.md
 * describes the format; page/src reads it.
 *
 * Use: tfp_chunks_new(), then for each chunk tfp_chunk_open(), the members of
 * its head, tfp_chunk_begin_columns(), and tfp_chunk_values() for each column;
 * tfp_chunks_end() writes the strings.
 *
 * Out of memory is remembered in `failed`. Whether the bytes could be written,
 * the sink knows.
 */
#ifndef TFP_OUTPUT_CHUNKS_H
#define TFP_OUTPUT_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "output/sink/pack.h"
#include "output/sink/sink.h"
#include "output/text/json.h"

/* How the values of a column are stored. */
typedef struct tfp_planes {
    uint64_t bits, folded; /* of all values, as they are and as zigzag */
} tfp_planes;

/* Maps 0, -1, 1, -2 to 0, 1, 2, 3. */
static inline uint64_t tfp_zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

/* Takes a value into account. At first all members are 0. */
static inline void tfp_planes_add(tfp_planes *planes, int64_t value)
{
    planes->bits |= (uint64_t)value;
    planes->folded |= tfp_zigzag(value);
}

/* The form of a column that has these values. */
tfp_planes tfp_planes_of(const int64_t *values, size_t count);

typedef struct tfp_chunks {
    tfp_memory *memory;
    tfp_sink *page;   /* where base64 goes */
    tfp_pack *pack;   /* on the way there */
    uint8_t three[3]; /* bytes that are not a group of base64 yet */
    size_t three_count;
    tfp_interner strings; /* 0 is the empty one */
    bool failed;
    TFP_VEC(uint8_t) head; /* of the chunk */
    TFP_VEC(char) text;    /* one that is being escaped */
    tfp_json json;         /* writes to `head` */
    tfp_sink head_sink, data;
} tfp_chunks;

/* NULL when out of memory. */
tfp_chunks *tfp_chunks_new(tfp_memory *memory, tfp_sink *page);
void tfp_chunks_free(tfp_chunks *chunks);

/* Writes the strings, and all that is left. False if memory ran out. */
bool tfp_chunks_end(tfp_chunks *chunks);

/* ---- A chunk ------------------------------------------------------------ */

/* Begins a head. Its members are written to the JSON that comes back. */
tfp_json *tfp_chunk_open(tfp_chunks *chunks, const char *kind);

/* A member of the head that is text from a stranger. */
void tfp_chunk_text(tfp_chunks *chunks, const char *key, tfp_span text);

/* A column in the list "columns" of the head: opens its object and writes its
 * name and form. The caller may add members, and closes it. */
void tfp_chunk_column(tfp_chunks *chunks, const char *name, tfp_planes planes);

/* Ends the head. The columns follow. */
void tfp_chunk_begin_columns(tfp_chunks *chunks);

/* A column, in the form that the head gives. */
void tfp_chunk_values(tfp_chunks *chunks, const int64_t *values, size_t count,
                      tfp_planes planes);

/* The number of a string, for a column. 0 after a failure. */
uint32_t tfp_chunks_string(tfp_chunks *chunks, tfp_span text);

#endif
