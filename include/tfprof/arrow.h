/*
 * arrow.h - the structs of Arrow's C data and C stream interfaces.
 *
 * Include this header to use tfprof_view_export_arrow() or
 * tfprof_table_export_arrow() if no other header defines the structs. Arrow
 * specifies their layout, and the macros that prevent duplicate definitions.
 * See https://arrow.apache.org/docs/format/CDataInterface.html
 *
 * The producer of a struct sets `release`. The consumer calls `release` once,
 * when it no longer needs the struct. If `release` is NULL, the struct has been
 * released or moved. To move a struct, copy its bytes and set `release` of the
 * original to NULL.
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

/* The type of a column or of a table. The type of a table is a struct whose
 * members are the columns. */
struct ArrowSchema {
    const char *format; /* "l" for int64_t, "+s" for a struct */
    const char *name;
    const char *metadata; /* number of keys, then keys and values; or NULL */
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary; /* type of the encoded values, or NULL */
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* The data of a column or a table. */
struct ArrowArray {
    int64_t length;     /* number of rows */
    int64_t null_count; /* number of rows that are null; -1 if unknown */
    int64_t offset;     /* number of rows to skip at the start of each buffer */
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers; /* the first buffer has 1 bit per row: 0 if the row
                           * is null */
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* A sequence of tables that have the same schema. Not thread-safe. */
struct ArrowArrayStream {
    /* get_schema() and get_next() store their result in *out and return 0, or
     * return an errno value. The caller releases the result. At the end of the
     * stream, get_next() stores an array whose `release` is NULL. */
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    /* Returns the message of the last error, or NULL. The text is valid until
     * the next call of a function of this stream. */
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

#ifdef __cplusplus
}
#endif

#endif
