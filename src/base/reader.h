/*
 * reader.h - a window that slides over an input of any length.
 *
 * The window is 1 MiB and grows only when one record needs more. It grows as
 * bytes arrive, never by a length that a file claims. Nothing is mapped: a
 * file that shrinks while it is read gives an error, not a signal.
 */
#ifndef TFP_BASE_READER_H
#define TFP_BASE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

/* Where bytes come from. `read` puts up to `size` bytes into `buffer` and
 * returns how many; 0 is the end, a negative value a tfprof_code, or
 * TFP_READ_INTERRUPTED when a signal came before anything was read. */
enum { TFP_READ_INTERRUPTED = -1000 };
typedef struct tfp_source {
    ptrdiff_t (*read)(void *self, void *buffer, size_t size, tfprof_error *err);
    void *self;
} tfp_source;

/* Reads a descriptor to its end. Short reads are continued. */
tfp_source tfp_source_fd(const int *fd);

/* Reads `bytes` to its end by moving its start. */
tfp_source tfp_source_span(tfp_span *bytes);

/* Called for each refill with all bytes read so far; not 0 cancels. */
typedef int tfp_progress_fn(void *self, int64_t bytes_read);

typedef struct tfp_reader {
    tfp_memory *memory;
    tfp_source source;
    uint8_t *window;
    size_t capacity;
    size_t at, end;   /* unread bytes are window[at..end) */
    int64_t offset;   /* of window[0] in the input */
    int64_t limit;    /* of the whole input, in bytes */
    bool ended;       /* the source has no more */
    int status;       /* TFPROF_OK, or why reading stopped early */
    tfprof_error why; /* with status */
    tfp_progress_fn *progress;
    tfp_progress_fn *interrupted; /* the same for a signal during a read */
    void *progress_self;          /* of both */
} tfp_reader;

/* `limit` bytes are read at most. No memory is taken yet; cannot fail. */
void tfp_reader_init(tfp_reader *reader, tfp_memory *memory, tfp_source source,
                     int64_t limit);
void tfp_reader_release(tfp_reader *reader);

/* Slow part of tfp_reader_need(). */
bool tfp_reader_fill(tfp_reader *reader, size_t size);

/* True when `size` unread bytes stand in the window. False at the end of the
 * input or after a failure: reader->status tells. */
static inline bool tfp_reader_need(tfp_reader *reader, size_t size)
{
    return reader->end - reader->at >= size || tfp_reader_fill(reader, size);
}

/* Reads on what a reader has not read yet. */
tfp_source tfp_source_reader(tfp_reader *from);

/* The unread bytes in the window; valid until the next call that reads. */
static inline tfp_span tfp_reader_view(const tfp_reader *reader)
{
    return (tfp_span){ reader->window + reader->at, reader->end - reader->at };
}

/* Of the next unread byte, counted from the start of the input. */
static inline int64_t tfp_reader_offset(const tfp_reader *reader)
{
    return reader->offset + (int64_t)reader->at;
}

/* Passes over `size` bytes without keeping them. False as above. */
bool tfp_reader_skip(tfp_reader *reader, uint64_t size);

#endif
