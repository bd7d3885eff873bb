/*
 * kept_view.c - the public functions about the rows of a view.
 */
#include "api/kept_view.h"

#include "model/metrics.h"
#include "model/times.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/error.h"

#include "base/cancel.h"

#include "base/bytes.h"

#include "api/question.h"
#include "output/view/rows_arrow.h"
#include "output/view/view.h"

/* ---- Life --------------------------------------------------------------- */

static void describe(const tfp_kept *kept, tfp_arrow_table *table)
{
    tfp_rows_describe(&((const tfprof_view *)kept)->rows, table);
}

static void empty(tfp_kept *kept)
{
    tfprof_view *view = (tfprof_view *)kept;
    if (view->has_rows)
        tfp_rows_release(&view->rows);
}

int tfp_kept_view_new(const tfprof_profile *p, tfprof_view **view,
                      tfprof_error *err)
{
    tfp_memory memory;
    tfp_question_memory(p, &memory);
    *view = tfp_memory_alloc(&memory, sizeof(**view));
    if (!*view)
        return tfp_question_end_kept(&memory, "rows", tfp_fail_nomem(err), err);
    **view = (tfprof_view){ .kept = { .handle = TFP_HANDLE_VIEW,
                                      .holders = 1,
                                      .memory = memory,
                                      .describe = describe,
                                      .empty = empty } };
    return TFPROF_OK;
}

int tfp_kept_view_fill(tfprof_view *view, const tfp_view *from,
                       const tfp_cancel *cancel, tfprof_error *err)
{
    int status = tfp_rows_init(&view->rows, &view->kept.memory, from, cancel,
                               err);
    view->has_rows = true; /* also what a failure has left */
    if (status == TFPROF_OK)
        status = tfp_kept_label(&view->kept, &from->options->label,
                                view->rows.count, err);
    return tfp_question_end_kept(&view->kept.memory, "rows", status, err);
}

void tfprof_view_free(tfprof_view *view)
{
    if (tfp_kept_view_is(view))
        tfp_kept_drop(&view->kept);
}

int tfprof_view_export_arrow(const tfprof_view *view,
                             struct ArrowArrayStream *stream, tfprof_error *err)
{
    int status = tfp_check_given(tfp_kept_view_is(view), "view", err);
    return status == TFPROF_OK ? tfp_kept_export(&view->kept, stream, err)
                               : status;
}

/* ---- Rows --------------------------------------------------------------- */

static tfprof_text text_of(tfp_span span)
{
    return (tfprof_text){ span.size > 0 ? (const char *)span.data : "",
                          span.size };
}

const char *tfprof_view_name(const tfprof_view *view)
{
    return tfp_kept_view_is(view) ? view->rows.type->name : NULL;
}

size_t tfprof_view_row_count(const tfprof_view *view)
{
    return tfp_kept_view_is(view) ? view->rows.count : 0;
}

int tfprof_view_row(const tfprof_view *view, size_t index, tfprof_row *row)
{
    const tfp_rows *r;
    if (!tfp_kept_view_is(view) || !row)
        return TFPROF_ERR_OPTION;
    r = &view->rows;
    if (index >= r->count)
        return TFPROF_ERR_MISSING;
    *row = (tfprof_row){
        .name = text_of(tfp_rows_name(r, index)),
        .parent = r->parents[index] == TFP_NO_ID ? TFPROF_NO_ROW
                                                 : r->parents[index],
        .end = r->ends[index],
        .depth = r->depths[index],
        .nodes = r->nodes[index],
        .hidden = r->hidden ? r->hidden[index] : 0,
        .is_accounted = r->accounted[index / 8] >> index % 8 & 1,
    };
    return TFPROF_OK;
}

int64_t tfprof_view_rest(const tfprof_view *view, size_t row)
{
    return tfp_kept_view_is(view) && row < view->rows.count && view->rows.rest
               ? view->rows.rest[row]
               : 0;
}

int64_t tfprof_view_line(const tfprof_view *view, size_t row)
{
    return tfp_kept_view_is(view) && row < view->rows.count && view->rows.lines
               ? view->rows.lines[row]
               : 0;
}

/* ---- Metrics and facts -------------------------------------------------- */

/* tfprof_metric: upstream's costs, how many nodes count, then our costs. */
#define IN_ORDER(number, place)                                                \
    _Static_assert((int)TFPROF_METRIC_##number == (int)(place),                \
                   "tfprof_metric follows the table of metrics");
#define UPSTREAM(id, ...) IN_ORDER(id, TFP_COST_##id)
#define OWN(id, ...)      IN_ORDER(id, TFP_COST_##id + 1)
TFP_UPSTREAM_METRICS(UPSTREAM)
IN_ORDER(DEFINED, TFP_UPSTREAM_COSTS)
TFP_OWN_METRICS(OWN)
#undef IN_ORDER
#undef UPSTREAM
#undef OWN

/* Its place in tfp_rows; TFP_METRICS when there is no such metric. */
static size_t place_of(tfprof_metric metric)
{
    size_t number = (size_t)metric;
    if (number < TFP_UPSTREAM_COSTS)
        return number;
    if (number == TFP_UPSTREAM_COSTS)
        return TFP_METRIC_DEFINED;
    return number < TFP_METRICS ? number - 1 : TFP_METRICS;
}

/* NULL when there is no such metric. */
static const tfp_metric_column *metric_of(const tfprof_view *view,
                                          tfprof_metric metric)
{
    size_t place = place_of(metric);
    return tfp_kept_view_is(view) && place < TFP_METRICS &&
                   view->rows.metrics[place].self
               ? &view->rows.metrics[place]
               : NULL;
}

int tfprof_view_has(const tfprof_view *view, tfprof_metric metric)
{
    return metric_of(view, metric) != NULL;
}

static bool is_time(tfprof_metric metric)
{
    size_t place = place_of(metric);
    return place < TFP_COST_COUNT && tfp_metrics[place].unit == TFP_UNIT_MICROS;
}

static int64_t self_of(const tfprof_view *view, size_t row,
                       tfprof_metric metric)
{
    const tfp_metric_column *column = metric_of(view, metric);
    return column && row < view->rows.count ? column->self[row] : 0;
}

static int64_t total_of(const tfprof_view *view, size_t row,
                        tfprof_metric metric)
{
    const tfp_metric_column *column = metric_of(view, metric);
    return column && row < view->rows.count ? column->total[row] : 0;
}

static int64_t sum_of(const tfprof_view *view, tfprof_metric metric)
{
    const tfp_metric_column *column = metric_of(view, metric);
    return column ? column->sum : 0;
}

/* A value that is not 0 is of a metric that the view has. */
static int64_t whole(const tfprof_view *view, tfprof_metric metric,
                     int64_t value)
{
    return value != 0 && is_time(metric)
               ? tfp_time_to_micros(value, view->rows.time_unit)
               : value;
}

int64_t tfprof_view_self(const tfprof_view *view, size_t row,
                         tfprof_metric metric)
{
    return whole(view, metric, self_of(view, row, metric));
}

int64_t tfprof_view_total(const tfprof_view *view, size_t row,
                          tfprof_metric metric)
{
    return whole(view, metric, total_of(view, row, metric));
}

int64_t tfprof_view_sum(const tfprof_view *view, tfprof_metric metric)
{
    return whole(view, metric, sum_of(view, metric));
}

int tfprof_view_has_picos(const tfprof_view *view)
{
    return tfp_kept_view_is(view) && view->rows.time_unit != TFP_MICROSECOND;
}

int64_t tfprof_view_picos(const tfprof_view *view, size_t row,
                          tfprof_metric metric, int with_below)
{
    int64_t time = 0;
    if (!tfp_kept_view_is(view) || !is_time(metric))
        return 0;
    if (row == TFPROF_NO_ROW)
        time = sum_of(view, metric);
    else
        time = with_below ? total_of(view, row, metric)
                          : self_of(view, row, metric);
    return tfp_time_to_picos(time, view->rows.time_unit);
}

int tfprof_view_tells(const tfprof_view *view, tfprof_fact fact)
{
    return tfp_kept_view_is(view) && (size_t)fact < TFP_FACTS &&
           view->rows.facts[fact].ids;
}

tfprof_text tfprof_view_fact(const tfprof_view *view, size_t row,
                             tfprof_fact fact)
{
    if (!tfprof_view_tells(view, fact) || row >= view->rows.count)
        return text_of((tfp_span){ 0 });
    return text_of(tfp_rows_fact(&view->rows, row, (int)fact));
}

int tfprof_view_tensor(const tfprof_view *view, size_t row,
                       tfprof_tensor *tensor)
{
    const tfp_kept_tensor *found;
    if (!tfp_kept_view_is(view) || !tensor)
        return TFPROF_ERR_OPTION;
    found = tfp_rows_tensor(&view->rows, row);
    *tensor = (tfprof_tensor){ .dtype = NULL };
    if (!found)
        return TFPROF_ERR_MISSING;
    *tensor = (tfprof_tensor){
        .dtype = found->dtype,
        .shape = found->dims,
        .rank = found->rank,
        .count = found->count,
        .data = found->count > 0 ? found->bytes.data : NULL,
        .size = found->count > 0 ? found->bytes.count : 0,
        .ends = found->ends.data,
    };
    return found->status;
}

/* ---- Names -------------------------------------------------------------- */

/* How many nodes count: a metric that is no cost. It comes with runs. */
static const tfp_metric defined = { .word = "occurrence",
                                    .name = "defined",
                                    .title = "nodes",
                                    .unit = TFP_UNIT_COUNT };

static const tfp_metric *described(tfprof_metric metric)
{
    size_t place = place_of(metric);
    if (place == TFP_METRIC_DEFINED)
        return &defined;
    return place < TFP_COST_COUNT ? &tfp_metrics[place] : NULL;
}

const char *tfprof_metric_name(tfprof_metric metric)
{
    const tfp_metric *m = described(metric);
    return m ? m->name : NULL;
}

const char *tfprof_metric_unit(tfprof_metric metric)
{
    const tfp_metric *m = described(metric);
    return m ? tfp_unit_name(m->unit) : NULL;
}

const char *tfprof_metric_word(tfprof_metric metric)
{
    const tfp_metric *m = described(metric);
    return m ? m->word : NULL;
}

const char *tfprof_metric_title(tfprof_metric metric)
{
    const tfp_metric *m = described(metric);
    return m ? m->title : NULL;
}

const char *tfprof_fact_name(tfprof_fact fact)
{
    return (size_t)fact < TFP_FACTS ? tfp_fact_names[fact] : NULL;
}
