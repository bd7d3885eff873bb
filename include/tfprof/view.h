/*
 * view.h - the rows of a view, one by one.
 *
 * A view is a copy: it does not depend on its profile, never changes, and may
 * be read by several threads at the same time. Rows are numbered from top to
 * bottom: the rows below a row follow it directly. Functions that return no
 * status cannot fail.
 */
#ifndef TFPROF_VIEW_H
#define TFPROF_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include <tfprof/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tfprof_view tfprof_view;

/* Valid UTF-8, not always terminated by NUL. `data` is never NULL. */
typedef struct tfprof_text {
    const char *data;
    size_t size;
} tfprof_text;

/* The costs of a row. */
typedef enum tfprof_metric {
    TFPROF_METRIC_BYTES, /* requested, including memory freed later */
    TFPROF_METRIC_PEAK_BYTES,
    TFPROF_METRIC_RESIDUAL_BYTES,
    TFPROF_METRIC_OUTPUT_BYTES,
    TFPROF_METRIC_MICROS,
    TFPROF_METRIC_ACCELERATOR_MICROS,
    TFPROF_METRIC_CPU_MICROS,
    TFPROF_METRIC_PARAMS,
    TFPROF_METRIC_FLOAT_OPS,
    TFPROF_METRIC_RUNS,
    TFPROF_METRIC_DEFINED,     /* number of accounted nodes */
    TFPROF_METRIC_QUEUE_MICROS /* time from scheduling to start */
} tfprof_metric;

/* Other properties of a row, as text. Parts are separated by "|". */
typedef enum tfprof_fact {
    TFPROF_FACT_SHAPE,        /* of a variable: "3x3x64" */
    TFPROF_FACT_DEVICES,      /* "/cpu:0|/gpu:0" */
    TFPROF_FACT_OP_TYPES,     /* "Conv2D|_trainable_variables" */
    TFPROF_FACT_INPUT_SHAPES, /* "0:3x3|1:unknown"; scope and graph views */
    /* Only if `select` includes tensor_value; see tfprof_view_tensor(): */
    TFPROF_FACT_VALUE_DTYPE, /* "float32" */
    TFPROF_FACT_VALUE_SHAPE, /* "3x3x64" */
    TFPROF_FACT_VALUE,       /* "[1 2.5 3]", or "error: ..." */
    /* Only in the code view; see tfprof_view_line(): */
    TFPROF_FACT_FILE,     /* the path as recorded */
    TFPROF_FACT_FUNCTION, /* the complete name */
    TFPROF_FACT_SOURCE    /* the text of the line */
} tfprof_fact;

#define TFPROF_NO_ROW ((size_t)-1)

typedef struct tfprof_row {
    tfprof_text name; /* invalid bytes are written as \xHH */
    size_t parent;    /* a row, or TFPROF_NO_ROW */
    size_t end;       /* number of the first row after those below it */
    int64_t depth;    /* 0 for the root, 1 for all rows of the op view */
    int64_t nodes;    /* number of nodes that the row covers */
    int64_t hidden;   /* nodes below it that are not shown, if counted */
    int is_accounted; /* 1 if its own costs are counted */
} tfprof_row;

/* Releases a view. May be called in any thread. Exported Arrow streams stay
 * valid. NULL is allowed. */
TFPROF_API void tfprof_view_free(tfprof_view *view);

/* Returns the type: "scope", "graph", "op" or "code", or NULL if the argument
 * is not a view. The text is static. */
TFPROF_API const char *tfprof_view_name(const tfprof_view *view);

/* Returns the number of rows. Cannot fail. */
TFPROF_API size_t tfprof_view_row_count(const tfprof_view *view);

/* Copies a row to *row. Its name is valid as long as the view. Returns
 * TFPROF_ERR_MISSING if there is no such row; *row is then unchanged. */
TFPROF_API int tfprof_view_row(const tfprof_view *view, size_t index,
                               tfprof_row *row);

/* Returns the number of siblings that the option `top` replaced by this row, or
 * 0 for every other row. The row is named, for example, "(7 more)". Its totals
 * are the sums of their totals. In the op view, a total also covers all later
 * rows; there, the self values of this row are the sums of their self values.
 */
TFPROF_API int64_t tfprof_view_rest(const tfprof_view *view, size_t row);

/* Returns the line number of a row of the code view, or 0. */
TFPROF_API int64_t tfprof_view_line(const tfprof_view *view, size_t row);

/* Returns 1 if the view has this metric. The option `select` chooses the
 * metrics. */
TFPROF_API int tfprof_view_has(const tfprof_view *view, tfprof_metric metric);

/* Return the cost of a row: self is the cost of the row itself, total also
 * includes all rows below it, shown or not. Return 0 if there is no such row or
 * the view does not have this metric. */
TFPROF_API int64_t tfprof_view_self(const tfprof_view *view, size_t row,
                                    tfprof_metric metric);
TFPROF_API int64_t tfprof_view_total(const tfprof_view *view, size_t row,
                                     tfprof_metric metric);

/* Returns the sum over all accounted rows, or 0 if the view does not have this
 * metric. */
TFPROF_API int64_t tfprof_view_sum(const tfprof_view *view,
                                   tfprof_metric metric);

/* Returns 1 if times come from traces, which record picoseconds. The functions
 * above then round to the nearest microsecond; tfprof_view_picos() does not. */
TFPROF_API int tfprof_view_has_picos(const tfprof_view *view);

/* Returns a time in picoseconds: self if `with_below` is 0, else total; for
 * TFPROF_NO_ROW the sum over all accounted rows. Larger times are clamped to
 * INT64_MAX. Returns 0 if there is no such row, the view does not have this
 * metric, or the metric is not a time. */
TFPROF_API int64_t tfprof_view_picos(const tfprof_view *view, size_t row,
                                     tfprof_metric metric, int with_below);

/* Returns 1 if the view has this fact. The option `select` chooses the facts.
 */
TFPROF_API int tfprof_view_tells(const tfprof_view *view, tfprof_fact fact);

/* Returns a fact about a row, or an empty text if it is unknown. The text is
 * valid as long as the view. */
TFPROF_API tfprof_text tfprof_view_fact(const tfprof_view *view, size_t row,
                                        tfprof_fact fact);

/* A tensor of a checkpoint. All pointers are valid as long as the view. */
typedef struct tfprof_tensor {
    const char *dtype;    /* TensorFlow's Python name, "float32"; NULL if
                           * values of this data type cannot be read */
    const int64_t *shape; /* `rank` sizes */
    size_t rank;
    size_t count;       /* elements */
    const void *data;   /* the elements, little-endian; a complex number is two
                         * reals; strings are concatenated */
    size_t size;        /* of `data`, in bytes */
    const size_t *ends; /* for dtype "string": the offset in `data` where each
                         * of `count` strings ends; else NULL */
} tfprof_tensor;

/* Sets *tensor to the checkpoint tensor with the same name as the row. Returns
 * TFPROF_ERR_MISSING if no checkpoint contains it, `select` does not include
 * tensor_value, or its data type is not supported. Returns another code if the
 * tensor could not be read; it then has no elements. */
TFPROF_API int tfprof_view_tensor(const tfprof_view *view, size_t row,
                                  tfprof_tensor *tensor);

/* Return the name of a metric or fact in JSON, CSV and Arrow, such as
 * "peak_bytes" or "devices"; NULL after the last one. The text is static. */
TFPROF_API const char *tfprof_metric_name(tfprof_metric metric);
TFPROF_API const char *tfprof_fact_name(tfprof_fact fact);

/* Return the unit of a metric: "bytes", "microseconds" or "count"; its word in
 * the option `select`: "peak_bytes", "occurrence"; and a short column title:
 * "peak". NULL after the last metric. The text is static. */
TFPROF_API const char *tfprof_metric_unit(tfprof_metric metric);
TFPROF_API const char *tfprof_metric_word(tfprof_metric metric);
TFPROF_API const char *tfprof_metric_title(tfprof_metric metric);

/* Exports all rows through Arrow's C data interface, without a copy, as a
 * stream of one record batch. It has one column for each member of tfprof_row,
 * two for each metric (self, and total with the prefix "total_") and one for
 * each fact; docs/arrow.md lists them. *stream is overwritten without being
 * released. The caller releases the new stream through its release callback, in
 * any thread. The stream does not depend on the view or the profile. The struct
 * is declared in <tfprof/arrow.h>. On failure *stream is unchanged. */
struct ArrowArrayStream;
TFPROF_API int tfprof_view_export_arrow(const tfprof_view *view,
                                        struct ArrowArrayStream *stream,
                                        tfprof_error *err);

#ifdef __cplusplus
}
#endif

#endif
