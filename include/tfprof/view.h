/*
 * view.h - the rows of a view, one by one.
 *
 * A view is a copy of what was found: it needs its profile no longer, never
 * changes, and may be read by several threads at a time. Rows are numbered
 * from the top down: a row comes after its parent, and all that is below it
 * comes right after it.
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

/* Bytes that are valid UTF-8 and need not end in NUL. `data` is never NULL. */
typedef struct tfprof_text {
    const char *data;
    size_t size;
} tfprof_text;

/* Of a view: what a row costs. */
typedef enum tfprof_metric {
    TFPROF_METRIC_BYTES, /* requested, whether given back or not */
    TFPROF_METRIC_PEAK_BYTES,
    TFPROF_METRIC_RESIDUAL_BYTES,
    TFPROF_METRIC_OUTPUT_BYTES,
    TFPROF_METRIC_MICROS,
    TFPROF_METRIC_ACCELERATOR_MICROS,
    TFPROF_METRIC_CPU_MICROS,
    TFPROF_METRIC_PARAMS,
    TFPROF_METRIC_FLOAT_OPS,
    TFPROF_METRIC_RUNS,
    TFPROF_METRIC_DEFINED,     /* nodes that count */
    TFPROF_METRIC_QUEUE_MICROS /* from scheduled to started */
} tfprof_metric;

/* And what else is known of it, as text. Parts are split by "|". */
typedef enum tfprof_fact {
    TFPROF_FACT_SHAPE,        /* of a variable: "3x3x64" */
    TFPROF_FACT_DEVICES,      /* "/cpu:0|/gpu:0" */
    TFPROF_FACT_OP_TYPES,     /* "Conv2D|_trainable_variables" */
    TFPROF_FACT_INPUT_SHAPES, /* "0:3x3|1:unknown"; in views of nodes */
    /* With tensor_value in the option `select`, see tfprof_view_tensor(): */
    TFPROF_FACT_VALUE_DTYPE, /* "float32" */
    TFPROF_FACT_VALUE_SHAPE, /* "3x3x64" */
    TFPROF_FACT_VALUE,       /* "[1 2.5 3]", or "error: ..." */
    /* In the code view, see tfprof_view_line(): */
    TFPROF_FACT_FILE,     /* the path, as it was recorded */
    TFPROF_FACT_FUNCTION, /* the whole name */
    TFPROF_FACT_SOURCE    /* the text of the line */
} tfprof_fact;

#define TFPROF_NO_ROW ((size_t)-1)

typedef struct tfprof_row {
    tfprof_text name; /* invalid bytes are written as \xHH */
    size_t parent;    /* a row, or TFPROF_NO_ROW */
    size_t end;       /* below it are the rows up to this one, without it */
    int64_t depth;    /* 0 for the root, 1 for all rows of the op view */
    int64_t nodes;    /* how many it stands for */
    int64_t hidden;   /* nodes below it that are not shown, if asked for */
    int is_accounted; /* its own costs count */
} tfprof_row;

/* Releases a view, also in another thread than the one that made it; NULL is
 * allowed. What was exported as Arrow stays. */
TFPROF_API void tfprof_view_free(tfprof_view *view);

/* Its type: "scope", "graph", "op", "code". Borrowed, for good; NULL of what is
 * no view. Cannot fail otherwise, like all that follows. */
TFPROF_API const char *tfprof_view_name(const tfprof_view *view);

/* How many rows there are. */
TFPROF_API size_t tfprof_view_row_count(const tfprof_view *view);

/* Puts a row into *row; its name lives as long as the view.
 * TFPROF_ERR_MISSING when there is no such row, and *row is as it was. */
TFPROF_API int tfprof_view_row(const tfprof_view *view, size_t index,
                               tfprof_row *row);

/* How many siblings a row stands for that the option `top` left out: its name
 * is then "(7 more)" and its totals are the sums of theirs; in the op view,
 * where totals are those of all rows from there on, its own costs are. 0 of
 * every other row. */
TFPROF_API int64_t tfprof_view_rest(const tfprof_view *view, size_t row);

/* The line in its file of a row of the code view; 0 of every other row. */
TFPROF_API int64_t tfprof_view_line(const tfprof_view *view, size_t row);

/* 1 when the view has this metric: those that the option `select` names. */
TFPROF_API int tfprof_view_has(const tfprof_view *view, tfprof_metric metric);

/* What a row costs by itself, and with all that is below it, shown or not. 0
 * when there is no such row or the view has not this metric. */
TFPROF_API int64_t tfprof_view_self(const tfprof_view *view, size_t row,
                                    tfprof_metric metric);
TFPROF_API int64_t tfprof_view_total(const tfprof_view *view, size_t row,
                                     tfprof_metric metric);

/* What all rows cost that are accounted; 0 when the view has not this metric.
 */
TFPROF_API int64_t tfprof_view_sum(const tfprof_view *view,
                                   tfprof_metric metric);

/* 1 when times come from traces, which have picoseconds: the functions above
 * then give the nearest microsecond, and tfprof_view_picos() all of it. */
TFPROF_API int tfprof_view_has_picos(const tfprof_view *view);

/* A time in picoseconds: of a row by itself, or with all that is below it; with
 * TFPROF_NO_ROW of all rows that are accounted. It stops at the largest number
 * there is. 0 when there is no such row, the view has not this metric, or it is
 * no time. */
TFPROF_API int64_t tfprof_view_picos(const tfprof_view *view, size_t row,
                                     tfprof_metric metric, int with_below);

/* 1 when the view has this fact, which the option `select` decides. */
TFPROF_API int tfprof_view_tells(const tfprof_view *view, tfprof_fact fact);

/* A fact about a row, empty when nothing is known. It lives as long as the
 * view. */
TFPROF_API tfprof_text tfprof_view_fact(const tfprof_view *view, size_t row,
                                        tfprof_fact fact);

/* A tensor of a checkpoint. All of it lives as long as the view. */
typedef struct tfprof_tensor {
    const char *dtype;    /* "float32", as TensorFlow's Python calls it; NULL:
                           * a type whose values are not read */
    const int64_t *shape; /* `rank` sizes */
    size_t rank;
    size_t count;       /* elements */
    const void *data;   /* the elements, little-endian; complex numbers are two
                         * reals; strings one behind the other */
    size_t size;        /* in bytes */
    const size_t *ends; /* of dtype "string": where each of `count` strings ends
                         * in `data`; else NULL */
} tfprof_tensor;

/* Puts the tensor that a row is named after into *tensor. TFPROF_ERR_MISSING
 * when no checkpoint has it, or `select` has no tensor_value, or its type is
 * not read; another code when it could not be read: then it has no elements. */
TFPROF_API int tfprof_view_tensor(const tfprof_view *view, size_t row,
                                  tfprof_tensor *tensor);

/* What a metric or fact is called in JSON, CSV and Arrow: "peak_bytes",
 * "devices"; NULL past the last one. Borrowed, for good. */
TFPROF_API const char *tfprof_metric_name(tfprof_metric metric);
TFPROF_API const char *tfprof_fact_name(tfprof_fact fact);

/* Of a metric its unit: "bytes", "microseconds", "count"; the word of the
 * option `select` that asks for it: "peak_bytes", "occurrence"; and a short
 * title for the head of a column: "peak". NULL past the last one. Borrowed, for
 * good. */
TFPROF_API const char *tfprof_metric_unit(tfprof_metric metric);
TFPROF_API const char *tfprof_metric_word(tfprof_metric metric);
TFPROF_API const char *tfprof_metric_title(tfprof_metric metric);

/* Gives all rows to whoever reads Arrow's C data interface, without a copy:
 * a stream of one record batch, one column for each part of tfprof_row, metric
 * (as itself and as total_) and fact; docs/arrow.md has the columns. What was
 * in *stream is overwritten; its release callback gives it back, in any
 * thread, and it needs neither the view nor the profile. <tfprof/arrow.h> has
 * the struct. On failure *stream is as it was. */
struct ArrowArrayStream;
TFPROF_API int tfprof_view_export_arrow(const tfprof_view *view,
                                        struct ArrowArrayStream *stream,
                                        tfprof_error *err);

#ifdef __cplusplus
}
#endif

#endif
