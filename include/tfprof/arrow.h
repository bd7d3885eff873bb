/*
 * arrow.h - the structs of Arrow's C data and C stream interfaces.
 *
 * Include this for tfprof_view_export_arrow() if no other header defines the
 * structs. Arrow specifies the layout and the macros that prevent duplicate
 * definitions:
 * https://arrow.apache.org/docs/format/CDataInterface.html
 *
 * The producer of a struct sets `release`. The consumer calls it once when it
 * is done. A struct whose `release` is NULL was released or moved. To move a
 * struct, copy its bytes and set `release` of the original to NULL.
 */
#ifndef TFPROF_ARROW_H
#define TFPROF_ARROW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

/* The type of a column, or of a table as a struct of columns. */
struct ArrowSchema {
    const char *format; /* "l" for int64_t, "+s" for a struct */
    const char *name;
    const char *metadata; /* a count, then keys and values; or NULL */
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary; /* type of the encoded values */
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* The data of a column or a table. */
struct ArrowArray {
    int64_t length;     /* in rows */
    int64_t null_count; /* -1: not counted */
    int64_t offset;     /* rows to skip at the start of the buffers */
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers; /* the first marks the rows that are not null */
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* A sequence of tables with one schema. Not thread-safe. */
struct ArrowArrayStream {
    /* Both return 0 or an errno value. The caller releases the result. At the
     * end of the stream, get_next() returns an array whose `release` is NULL.
     */
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    /* The error message, or NULL. Valid until the next call. */
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

#ifdef __cplusplus
}
#endif

#endif
