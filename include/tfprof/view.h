/*
 * view.h - the rows of a view, one by one.
 *
 * A view is a copy: it does not depend on its profile, never changes, and may
 * be read by several threads at the same time. Each row has an index, from 0
 * for the top row. A row is followed directly by the rows below it in the tree:
 * its children, their children, and so on. Functions that return no status
 * cannot fail.
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
    TFPROF_METRIC_BYTES, /* requested memory, including memory freed later */
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

/* Other properties of a row, as text. If a text has several parts, "|"
 * separates them. */
typedef enum tfprof_fact {
    TFPROF_FACT_SHAPE,        /* shape of a variable, such as "3x3x64" */
    TFPROF_FACT_DEVICES,      /* "/cpu:0|/gpu:0" */
    TFPROF_FACT_OP_TYPES,     /* "Conv2D|_trainable_variables" */
    TFPROF_FACT_INPUT_SHAPES, /* "0:3x3|1:unknown", by input number;
                               * only in the scope and graph views */
    /* The next three facts exist only if `select` includes tensor_value. See
     * also tfprof_view_tensor(). */
    TFPROF_FACT_VALUE_DTYPE, /* "float32" */
    TFPROF_FACT_VALUE_SHAPE, /* "3x3x64" */
    TFPROF_FACT_VALUE,       /* "[1 2.5 3]", or "error: ..." */
    /* The next three facts exist only in the code view. See also
     * tfprof_view_line(). */
    TFPROF_FACT_FILE,     /* path of the source file, as recorded */
    TFPROF_FACT_FUNCTION, /* complete name of the function */
    TFPROF_FACT_SOURCE    /* text of the source line */
} tfprof_fact;

#define TFPROF_NO_ROW ((size_t)-1)

typedef struct tfprof_row {
    tfprof_text name; /* invalid bytes are written as \xHH */
    size_t parent;    /* index of the parent row, or TFPROF_NO_ROW */
    size_t end;       /* index of the first row after the rows below this one */
    int64_t depth;    /* depth in the tree: 0 for the root; 1 for all rows of
                       * the op view */
    int64_t nodes;    /* number of nodes that the row covers */
    int64_t hidden;   /* number of nodes below this row that are not shown; 0
                       * unless `select` includes num_hidden_ops */
    int is_accounted; /* 1 if the row's own costs are counted, else 0 */
} tfprof_row;

/* Releases a view. May be called in any thread. Arrow streams exported from the
 * view stay valid. NULL is allowed. */
TFPROF_API void tfprof_view_free(tfprof_view *view);

/* Returns the type of a view: "scope", "graph", "op" or "code". Returns NULL if
 * the argument is not a view. The text is static. */
TFPROF_API const char *tfprof_view_name(const tfprof_view *view);

/* Returns the number of rows. Cannot fail. */
TFPROF_API size_t tfprof_view_row_count(const tfprof_view *view);

/* Copies the row at this index to *row. The name in it is valid until the view
 * is freed. Returns TFPROF_ERR_MISSING if there is no such row; *row is then
 * unchanged. */
TFPROF_API int tfprof_view_row(const tfprof_view *view, size_t index,
                               tfprof_row *row);

/* Returns the number of sibling rows that the option `top` replaced by this
 * row, or 0 if this row does not replace other rows. A row that replaces others
 * is named, for example, "(7 more)". Its totals are the sums of the totals of
 * the replaced rows. In the op view, a total also covers all later rows. In the
 * op view, the self values of such a row are the sums of the self values of the
 * replaced rows. */
TFPROF_API int64_t tfprof_view_rest(const tfprof_view *view, size_t row);

/* Returns the source line number of a row of the code view, or 0 if the row has
 * no source line. */
TFPROF_API int64_t tfprof_view_line(const tfprof_view *view, size_t row);

/* Returns 1 if the view has this metric, else 0. The option `select` chooses
 * the metrics. */
TFPROF_API int tfprof_view_has(const tfprof_view *view, tfprof_metric metric);

/* Return the cost of a row. The self cost is the cost of the row itself. The
 * total cost also includes all rows below the row, even rows that are not
 * shown. Return 0 if there is no such row or the view does not have this
 * metric. */
TFPROF_API int64_t tfprof_view_self(const tfprof_view *view, size_t row,
                                    tfprof_metric metric);
TFPROF_API int64_t tfprof_view_total(const tfprof_view *view, size_t row,
                                     tfprof_metric metric);

/* Returns the sum of a metric over all accounted rows, or 0 if the view does
 * not have this metric. */
TFPROF_API int64_t tfprof_view_sum(const tfprof_view *view,
                                   tfprof_metric metric);

/* Returns 1 if the times of the view come from traces, which record
 * picoseconds; else 0. If the times come from traces, the functions above round
 * them to the nearest microsecond. tfprof_view_picos() does not round. */
TFPROF_API int tfprof_view_has_picos(const tfprof_view *view);

/* Returns a time of a row in picoseconds: the self time if `with_below` is 0,
 * else the total time. If `row` is TFPROF_NO_ROW, returns the sum over all
 * accounted rows. A time that exceeds INT64_MAX is clamped to INT64_MAX.
 * Returns 0 if there is no such row, the view does not have this metric, or the
 * metric is not a time. */
TFPROF_API int64_t tfprof_view_picos(const tfprof_view *view, size_t row,
                                     tfprof_metric metric, int with_below);

/* Returns 1 if the view has this fact, else 0. The option `select` chooses the
 * facts. */
TFPROF_API int tfprof_view_tells(const tfprof_view *view, tfprof_fact fact);

/* Returns a fact about a row, or an empty text if the fact is unknown. The text
 * is valid until the view is freed. */
TFPROF_API tfprof_text tfprof_view_fact(const tfprof_view *view, size_t row,
                                        tfprof_fact fact);

/* A tensor of a checkpoint. All pointers are valid until the view is freed. */
typedef struct tfprof_tensor {
    const char *dtype; /* the data type as TensorFlow names it in Python, such
                        * as "float32"; NULL if values of this data type
                        * cannot be read */
    const int64_t *shape; /* the sizes of the `rank` dimensions */
    size_t rank;          /* number of dimensions */
    size_t count;         /* number of elements */
    const void *data;     /* the elements, little-endian; a complex number is
                           * stored as two real numbers; strings are
                           * concatenated */
    size_t size;          /* size of `data` in bytes */
    const size_t *ends;   /* for dtype "string": the offset in `data` where
                           * each of the `count` strings ends; else NULL */
} tfprof_tensor;

/* Sets *tensor to the checkpoint tensor that has the same name as the row.
 * Returns TFPROF_ERR_MISSING if no checkpoint contains such a tensor, if
 * `select` does not include tensor_value, or if the data type of the tensor is
 * not supported. Returns another code if the tensor could not be read; *tensor
 * then has no elements. */
TFPROF_API int tfprof_view_tensor(const tfprof_view *view, size_t row,
                                  tfprof_tensor *tensor);

/* Return the name that JSON, CSV and Arrow use for a metric or a fact, such as
 * "peak_bytes" or "devices". Return NULL after the last metric or fact. The
 * text is static. */
TFPROF_API const char *tfprof_metric_name(tfprof_metric metric);
TFPROF_API const char *tfprof_fact_name(tfprof_fact fact);

/* These functions return a text about a metric, or NULL after the last metric.
 * The text is static. tfprof_metric_unit() returns the unit: "bytes",
 * "microseconds" or "count". tfprof_metric_word() returns the word for the
 * option `select`, such as "occurrence". tfprof_metric_title() returns a short
 * column title, such as "peak". */
TFPROF_API const char *tfprof_metric_unit(tfprof_metric metric);
TFPROF_API const char *tfprof_metric_word(tfprof_metric metric);
TFPROF_API const char *tfprof_metric_title(tfprof_metric metric);

/* These functions write a value to `buffer` in the form that tables use.
 * tfprof_metric_figure() writes a value of tfprof_view_self() or
 * tfprof_view_total() with its unit, such as "12.35ms" or "1.20MB". It writes
 * ">=" before INT64_MAX, because this is the value of a total that overflowed.
 * tfprof_share_figure() writes `part` as a percentage of `whole`, such as
 * "12.3%". Both truncate text that does not fit, and always terminate it with
 * NUL. They return the length of the complete text without NUL.
 * tfprof_metric_figure() returns 0 if `metric` is not a metric. */
TFPROF_API size_t tfprof_metric_figure(tfprof_metric metric, int64_t value,
                                       char *buffer, size_t size);
TFPROF_API size_t tfprof_share_figure(int64_t part, int64_t whole, char *buffer,
                                      size_t size);

/* Exports all rows through Arrow's C data interface, without a copy. The result
 * is a stream of one record batch. The batch has one column for each member of
 * tfprof_row, one for each fact and two for each metric: self and total. The
 * name of a total column begins with "total_". docs/arrow.md lists the columns.
 * The old content of *stream is overwritten, not released. The caller releases
 * the new stream through its release callback, in any thread. The stream does
 * not depend on the view or the profile. <tfprof/arrow.h> declares struct
 * ArrowArrayStream. On failure *stream is unchanged. */
struct ArrowArrayStream;
TFPROF_API int tfprof_view_export_arrow(const tfprof_view *view,
                                        struct ArrowArrayStream *stream,
                                        tfprof_error *err);

#ifdef __cplusplus
}
#endif

#endif
