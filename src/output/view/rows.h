/*
 * rows.h - the shown rows of a view, copied into columns.
 *
 * A view stands on a model and on what was counted for one question. What a
 * caller keeps must stand alone, so it is copied, column by column: that is
 * also the form in which Arrow hands tables over.
 */
#ifndef TFP_OUTPUT_ROWS_H
#define TFP_OUTPUT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/costs.h"
#include "output/view/tensor_values.h"
#include "output/view/view.h"
#include "view/view.h"

/* The costs, then how many nodes count. */
enum { TFP_METRIC_DEFINED = TFP_COST_COUNT, TFP_METRICS };

/* As tfprof_fact. */
enum {
    TFP_FACT_SHAPE,
    TFP_FACT_DEVICES,
    TFP_FACT_OP_TYPES,
    TFP_FACT_INPUT_SHAPES,
    TFP_FACT_VALUE_DTYPE,
    TFP_FACT_VALUE_SHAPE,
    TFP_FACT_VALUE,
    TFP_FACT_FILE,
    TFP_FACT_FUNCTION,
    TFP_FACT_SOURCE,
    TFP_FACTS
};

typedef struct tfp_metric_column {
    int64_t *self, *total; /* by row; NULL when the view has not this one */
    int64_t sum;
    /* Of a time, if an input is a trace, also as microseconds; else NULL. */
    double *self_micros, *total_micros;
} tfp_metric_column;

/* Few texts stand in many rows: each is kept once. Values of tensors in a part
 * of a view differ, so text i belongs to row i there. */
typedef struct tfp_fact_column {
    int32_t *ids;    /* by row: a text; NULL: not told, or by row */
    size_t count;    /* of texts; the first is empty */
    int64_t *starts; /* text i is bytes[starts[i] .. starts[i + 1]) */
    uint8_t *bytes;
} tfp_fact_column;

typedef struct tfp_rows {
    tfp_memory *memory;
    const tfp_view_type *type;
    size_t count;
    int64_t *name_starts; /* name i is names[name_starts[i] ..
                           * name_starts[i + 1]) */
    tfp_utf8 names;
    uint32_t *parents;    /* by row; TFP_NO_ID: none */
    uint8_t *has_parent;  /* a bit for each row, the lowest first */
    size_t parents_count; /* of these bits, how many are set */
    uint32_t *ends;       /* by row: the first row after those below it */
    int32_t *depths;
    uint8_t *accounted; /* bits, as above */
    int64_t *nodes;
    int64_t *hidden;        /* NULL: not asked for */
    int64_t *rest;          /* NULL: no row stands for others */
    int64_t *lines;         /* of source, 0: none; NULL: rows are no lines */
    tfp_view_columns costs; /* the metrics that are costs, in their order */
    int64_t time_unit;      /* of those that are times, as in model/times.h */
    tfp_metric_column metrics[TFP_METRICS];
    tfp_fact_column facts[TFP_FACTS];
    TFP_VEC(tfp_kept_tensor) tensors; /* by `at`; not every row has one */
} tfp_rows;

extern const char *const tfp_fact_names[TFP_FACTS];

/* Copies what is shown. All that it takes comes from `memory`, which may be
 * another one than the view's. After a failure releasing is allowed. */
int tfp_rows_init(tfp_rows *rows, tfp_memory *memory, const tfp_view *view,
                  const tfp_cancel *cancel, tfprof_error *err);
void tfp_rows_release(tfp_rows *rows);

/* The number of rows that a view shows, without a root that is not shown. */
size_t tfp_rows_of(const tfp_view *view);

/* The same for some of these rows, from `first` on: `most`, or fewer if their
 * names and values take much memory. `parents`, `ends` and `tensors` are not
 * filled in, and rows are not complete after `sink` is done. */
int tfp_rows_init_part(tfp_rows *rows, tfp_memory *memory, const tfp_view *view,
                       size_t first, size_t most, tfp_sink *sink,
                       tfprof_error *err);

static inline tfp_span tfp_rows_name(const tfp_rows *rows, size_t row)
{
    const int64_t *starts = &rows->name_starts[row];
    return (tfp_span){ rows->names.data + starts[0],
                       (size_t)(starts[1] - starts[0]) };
}

/* The tensor that a row is named after, or NULL. */
const tfp_kept_tensor *tfp_rows_tensor(const tfp_rows *rows, size_t row);

/* The fact must be one that is told. */
static inline tfp_span tfp_rows_fact(const tfp_rows *rows, size_t row, int fact)
{
    const tfp_fact_column *column = &rows->facts[fact];
    const int64_t *starts = &column->starts[column->ids[row]];
    return (tfp_span){ column->bytes + starts[0],
                       (size_t)(starts[1] - starts[0]) };
}

#endif
