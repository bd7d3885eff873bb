/*
 * compare.c - a comparison for programs, as JSON or CSV.
 */
#include "output/compare/compare.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "compare/totals.h"
#include "model/metrics.h"
#include "model/times.h"
#include "options/options.h"
#include "output/compare/parts.h"
#include "output/text/columns.h"
#include "output/text/decimal.h"
#include "output/text/figures.h"
#include "output/text/json.h"
#include "output/text/units.h"

typedef tfp_compare_writer writer;

static const tfp_list_column columns[] = {
    { "change", "change", TFP_CELL_TEXT },
    { "name", "name", TFP_CELL_NAME },
    { "was", NULL, TFP_CELL_DETAIL },
    { "metric", "metric", TFP_CELL_TEXT },
    { "unit", NULL, TFP_CELL_DETAIL },
    { "base", "base", TFP_CELL_NUMBER },
    { "head", "head", TFP_CELL_NUMBER },
    { "difference", "difference", TFP_CELL_NUMBER },
    { "percent", "%", TFP_CELL_NUMBER },
    { "base_text", NULL, TFP_CELL_DETAIL },
    { "head_text", NULL, TFP_CELL_DETAIL },
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static const char *const kind_names[] = { [TFP_CHANGED] = "changed",
                                          [TFP_ADDED] = "added",
                                          [TFP_REMOVED] = "removed",
                                          [TFP_MOVED] = "moved" };

static void put_value(tfp_columns *c, int metric, int64_t value)
{
    switch (tfp_compare_unit(metric)) {
    case TFP_UNIT_MICROS: tfp_columns_picos(c, value); break;
    case TFP_UNIT_BYTES: tfp_columns_bytes(c, value); break;
    default: tfp_columns_number(c, value); break;
    }
}

static void put_known(tfp_columns *c, tfp_span text)
{
    if (text.size > 0)
        tfp_columns_text(c, text);
    else
        tfp_columns_unknown(c);
}

static void put_numbers(tfp_columns *c, const tfp_change *change)
{
    double was = (double)change->was, is = (double)change->is;
    put_value(c, change->metric, change->was);
    put_value(c, change->metric, change->is);
    put_value(c, change->metric, tfp_sub_sat(change->is, change->was));
    if (change->was == 0)
        tfp_columns_unknown(c);
    else
        tfp_columns_real(c, 100 * (is - was) / fabs(was));
    tfp_columns_unknown(c);
    tfp_columns_unknown(c);
}

static void put_texts(writer *w, tfp_columns *c, const tfp_change *change)
{
    for (int i = 0; i < 4; i++)
        tfp_columns_unknown(c);
    put_known(c, tfp_compare_text(w, change, false));
    put_known(c, tfp_compare_text(w, change, true));
}

static void put_change(writer *w, tfp_columns *c, const tfp_change *change)
{
    bool is_text = tfp_compare_is_text(change->metric);
    tfp_compare_names(w, change->base, change->head);
    tfp_columns_begin_row(c);
    tfp_columns_word(c, kind_names[change->kind]);
    tfp_columns_text(c, (tfp_span){ w->name.data, w->name.count });
    put_known(c, (tfp_span){ w->was.data, w->was.count });
    tfp_columns_word(c, tfp_compare_metric_name(change->metric));
    if (is_text) {
        tfp_columns_unknown(c);
        put_texts(w, c, change);
    } else {
        tfp_columns_word(c, tfp_unit_name(tfp_compare_unit(change->metric)));
        put_numbers(c, change);
    }
    tfp_columns_end_row(c);
}

/* Exact changes, then times, as one list. */
static void put_changes(writer *w, tfp_columns *c)
{
    const tfp_changes *changes = w->subject->changes;
    size_t exact = changes->exact.count, count = exact + changes->times.count;
    for (size_t i = 0; i < count && !w->failed; i++) {
        if (tfp_sink_is_done(w->sink, i))
            return;
        put_change(w, c,
                   i < exact ? &changes->exact.data[i]
                             : &changes->times.data[i - exact]);
    }
}

/* ---- All of it ---------------------------------------------------------- */

static void put_json_side(tfp_json *json, const char *name,
                          const tfp_compare_side *side)
{
    tfp_json_open_line(json, name, '{');
    tfp_json_int(json, "runs", (int64_t)side->runs);
    tfp_json_int(json, "least_steps", (int64_t)side->least_steps);
    tfp_json_int(json, "most_steps", (int64_t)side->most_steps);
    tfp_json_close(json);
}

static void put_json_micros(tfp_json *json, const char *name, int64_t picos)
{
    double each = TFP_MICROSECOND;
    tfp_json_double_or_null(json, name, (double)picos / each, picos >= 0);
}

/* Each run, with the values that were compared. */
static void put_json_runs(writer *w, tfp_json *json, const char *name,
                          const tfp_compare_side *side)
{
    const tfp_comparison *s = w->subject;
    for (size_t i = 0; i < side->facts.count; i++) {
        const tfp_side_fact *fact = &side->facts.data[i];
        tfp_json_open_line(json, NULL, '{');
        tfp_json_text(json, "side", name);
        tfp_json_string(json, "name",
                        tfp_snapshot_text(&side->rows, fact->name));
        tfp_json_int(json, "steps", (int64_t)fact->steps);
        for (size_t t = 0; t < s->total_count; t++) {
            const tfp_judged_total *total = &s->totals[t];
            int64_t value = total->is_of_steps
                                ? fact->values.of[total->metric]
                                : tfp_side_total(side, i,
                                                 (tfp_cost)total->metric);
            put_json_micros(json, tfp_total_name(total), value);
        }
        tfp_json_close(json);
    }
}

static void put_json_line_share(writer *w, tfp_json *json)
{
    const double *share = w->subject->line_share;
    tfp_json_open_line(json, "line_share", '{');
    tfp_json_double_or_null(json, "base", share[0], share[0] >= 0);
    tfp_json_double_or_null(json, "head", share[1], share[1] >= 0);
    tfp_json_close(json);
}

static void put_json_graph(writer *w, tfp_json *json)
{
    const tfp_changes *changes = w->subject->changes;
    tfp_json_open(json, "graph", '[');
    for (size_t i = changes->graph_start; i < changes->graph.count; i++) {
        const tfp_graph_change *g = &changes->graph.data[i];
        tfp_json_open_line(json, NULL, '{');
        tfp_json_string(json, "op_type",
                        tfp_snapshot_text(&w->subject->base->rows, g->type));
        tfp_json_int(json, "nodes", g->nodes);
        tfp_json_close(json);
    }
    tfp_json_close(json);
}

static void put_json_total(tfp_json *json, const tfp_judged_total *total)
{
    const tfp_judgement *j = &total->judgement;
    tfp_json_open(json, NULL, '{');
    tfp_json_text(json, "metric", tfp_total_name(total));
    tfp_json_text(json, "unit", tfp_unit_name(TFP_UNIT_MICROS));
    tfp_json_double_or_null(json, "base", j->base, true);
    tfp_json_double_or_null(json, "head", j->head, true);
    tfp_json_double_or_null(json, "shift", j->shift, true);
    tfp_json_double_or_null(json, "shift_low", j->low, j->has_interval);
    tfp_json_double_or_null(json, "shift_high", j->high, j->has_interval);
    tfp_json_double_or_null(json, "p", j->p, j->is_judged);
    tfp_json_double_or_null(json, "adjusted_p", j->adjusted, j->is_judged);
    tfp_json_text(json, "verdict",
                  !j->is_judged   ? "not judged"
                  : j->is_changed ? "changed"
                                  : "no change shown");
    tfp_json_int(json, "more_runs", (int64_t)j->more_runs);
    tfp_json_double_or_null(json, "noise", j->noise, j->noise >= 0);
    tfp_json_double_or_null(json, "smallest_change", j->smallest, true);
    tfp_json_close(json);
}

static void write_json(writer *w)
{
    const tfp_comparison *s = w->subject;
    tfp_columns c;
    tfp_json json;
    tfp_json_init(&json, w->sink);
    tfp_json_open(&json, NULL, '{');
    tfp_json_text(&json, "view", s->base->rows.type->name);
    put_json_side(&json, "base", s->base);
    put_json_side(&json, "head", s->head);
    put_json_line_share(w, &json);
    tfp_json_open(&json, "runs", '[');
    put_json_runs(w, &json, "base", s->base);
    put_json_runs(w, &json, "head", s->head);
    tfp_json_close(&json);
    tfp_json_int(&json, "renamed_rows", (int64_t)s->alignment->renamed);
    tfp_json_int(&json, "rows_not_compared", (int64_t)s->changes->varying);
    put_json_graph(w, &json);
    tfp_json_open(&json, "totals", '[');
    for (size_t i = 0; i < s->total_count; i++)
        put_json_total(&json, &s->totals[i]);
    tfp_json_close(&json);
    tfp_json_open(&json, "changes", '[');
    tfp_columns_init(&c, w->sink, &json, TFP_COLUMNS_JSON, columns, COLUMNS);
    put_changes(w, &c);
    tfp_json_close(&json);
    tfp_json_close(&json);
}

static void write_csv(writer *w)
{
    tfp_columns c;
    tfp_columns_init(&c, w->sink, NULL, TFP_COLUMNS_CSV, columns, COLUMNS);
    put_changes(w, &c);
}

int tfp_comparison_write(const tfp_comparison *subject, tfp_sink *sink,
                         tfprof_error *err)
{
    writer w = { .subject = subject, .sink = sink };
    switch (subject->format) {
    case TFP_FORMAT_JSON: write_json(&w); break;
    case TFP_FORMAT_CSV: write_csv(&w); break;
    default: tfp_compare_write_people(&w); break;
    }
    TFP_VEC_RELEASE(subject->memory, &w.name);
    TFP_VEC_RELEASE(subject->memory, &w.was);
    TFP_VEC_RELEASE(subject->memory, &w.text);
    return w.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
