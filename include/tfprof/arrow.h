/*
 * arrow.h - the structs of Arrow's C data and C stream interface.
 *
 * For tfprof_view_export_arrow(), where nobody else has them. The layout is
 * fixed by Arrow, as are the macros that keep one program from seeing these
 * definitions twice:
 * https://arrow.apache.org/docs/format/CDataInterface.html
 *
 * Who fills one in, sets `release`; who is done, calls it, once. A struct whose
 * `release` is NULL has been released or moved away. To move one is to copy
 * its bytes and to set `release` of the old place to NULL.
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

/* What a column is, or, as a struct of columns, a table. */
struct ArrowSchema {
    const char *format; /* "l" for int64_t, "+s" for a struct */
    const char *name;
    const char *metadata; /* counted keys and values, or NULL */
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary; /* of what its numbers stand for */
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* And what is in it. */
struct ArrowArray {
    int64_t length;     /* of rows */
    int64_t null_count; /* -1: not counted */
    int64_t offset;     /* rows in the buffers before the first */
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers; /* the first tells which rows are not null */
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* Tables of one schema, one after the other. Not for two threads at a time. */
struct ArrowArrayStream {
    /* These two give 0 or a number of errno.h; at the end, an array whose
     * `release` is NULL. What they give is the caller's to release. */
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    /* What went wrong, or NULL; lives until the next call. */
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

#ifdef __cplusplus
}
#endif

#endif
