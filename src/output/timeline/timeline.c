/*
 * timeline.c - when each shown node ran, or what share of the time each scope
 * or line of code took, as a Chrome trace.
 *
 * Events are written as they are found; what is kept are numbers for each row
 * and run record, so that a file of any size takes no more memory than the
 * view it is made of.
 */
#include "output/timeline/timeline.h"

#include "model/model.h"

#include "model/metrics.h"

#include "model/census.h"

#include "base/intern.h"

#include "base/utf8.h"
#include "model/times.h"
#include "output/text/times.h"
#include "output/timeline/timeline_parts.h"
#include "output/view/view.h"

/* ---- Sizes -------------------------------------------------------------- */

int64_t tfp_timeline_least(int size)
{
    static const int64_t first[] = { 1, 2, 5 };
    int64_t least = first[size % 3];
    for (int i = size / 3; i > 0; i--)
        least *= 10;
    return least;
}

void tfp_slice_sizes_add(tfp_slice_sizes *s, int64_t micros)
{
    int size = 0;
    while (size < TFP_SLICE_SIZES && micros >= 10) {
        micros /= 10;
        size += 3;
    }
    size += (micros >= 1) + (micros >= 2) + (micros >= 5);
    s->count++;
    s->of[size < TFP_SLICE_SIZES ? size : TFP_SLICE_SIZES]++;
}

int64_t tfp_slice_sizes_shrink(const tfp_slice_sizes *s, int64_t most,
                               int64_t *left)
{
    int64_t rest = s->count, found = 0;
    for (int size = 0; size < TFP_SLICE_SIZES; size++) {
        rest -= s->of[size];
        if (rest == 0)
            break;
        if (s->of[size] > 0) {
            found = tfp_timeline_least(size);
            *left = rest;
        }
        if (rest <= most)
            break;
    }
    return found;
}

/* ---- Texts -------------------------------------------------------------- */

tfp_span tfp_timeline_shorten(tfp_timeline *t, tfp_span text)
{
    size_t size = tfp_utf8_cut(text, TFP_TIMELINE_TEXT);
    if (size == text.size)
        return text;
    memcpy(t->text, text.data, size);
    memcpy(t->text + size, "...", sizeof("..."));
    return (tfp_span){ (const uint8_t *)t->text, size + strlen("...") };
}

void tfp_timeline_put_text(tfp_timeline *t, const char *key, tfp_span text)
{
    if (text.size > 0)
        tfp_json_string(&t->trace.json, key, tfp_timeline_shorten(t, text));
}

void tfp_timeline_count(tfp_timeline *t, uint32_t row)
{
    const tfp_view *v = t->view;
    tfp_slice_sizes_add(&t->notes->slices,
                        tfp_row_compared(v, row, TFP_COST_MICROS) /
                            (TFP_MICROSECOND / tfp_model_time_unit(v->model)));
}

/* ---- Arguments ---------------------------------------------------------- */

void tfp_timeline_put_op(tfp_timeline *t, uint32_t row)
{
    const tfp_view *v = t->view;
    uint32_t subject = v->rows.data[row].subject;
    if (subject == TFP_NO_ID || v->type->groups)
        return;
    tfp_json_string(
        &t->trace.json, "op",
        tfp_timeline_shorten(
            t,
            tfp_model_text(
                v->model,
                tfp_member_op(v->model, &v->census->members.data[subject]))));
}

void tfp_timeline_put_shapes(tfp_timeline *t, const char *key, tfp_span shapes)
{
    if (shapes.size > 0)
        tfp_json_string(&t->trace.json, key, shapes);
}

/* Time and memory, and what else is selected. The time on CPUs is the rest of
 * all time and needs to be asked for. */
static void choose_costs(tfp_timeline *t)
{
    int64_t chosen = t->view->select | TFP_SELECT_MICROS | TFP_SELECT_BYTES |
                     TFP_SELECT_ACCELERATOR_MICROS;
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (chosen >> cost & 1)
            t->costs[t->cost_count++] = (tfp_cost)cost;
    }
}

static void put_cost(tfp_timeline *t, tfp_cost cost, int64_t value)
{
    const tfp_model *model = t->view->model;
    if (tfp_metrics[cost].unit == TFP_UNIT_MICROS && tfp_model_has_picos(model))
        tfp_json_cost(&t->trace.json, cost, value, tfp_model_time_unit(model));
    else
        tfp_json_exact_int(&t->trace.json, tfp_metrics[cost].name, value);
}

/* What is 0 is left out. */
static void put_costs(tfp_timeline *t, const char *key, uint32_t row,
                      bool of_self)
{
    const tfp_view *v = t->view;
    tfp_json_open(&t->trace.json, key, '{');
    for (size_t i = 0; i < t->cost_count; i++) {
        tfp_cost cost = t->costs[i];
        int64_t value = of_self ? tfp_row_self(v, row, cost)
                                : tfp_row_total(v, row, cost);
        if (value != 0)
            put_cost(t, cost, value);
    }
    tfp_json_close(&t->trace.json);
}

void tfp_timeline_put_costs(tfp_timeline *t, uint32_t row)
{
    put_costs(t, "self", row, true);
    put_costs(t, "total", row, false);
}

/* ---- The file ----------------------------------------------------------- */

/* What the file is about. */
static void put_about(tfp_timeline *t, const char *steps)
{
    const tfp_view *v = t->view;
    tfp_json_text(&t->trace.json, "displayTimeUnit", "ms");
    tfp_json_open_line(&t->trace.json, "otherData", '{');
    tfp_json_text(&t->trace.json, "producer", "tfprof");
    tfp_json_text(&t->trace.json, "view", v->type->name);
    if (v->options->step == TFP_STEP_REST)
        tfp_json_text(&t->trace.json, "step", "rest");
    else if (v->options->step < 0)
        tfp_json_text(&t->trace.json, "step", steps);
    else
        tfp_json_exact_int(&t->trace.json, "step", v->options->step);
    tfp_json_close(&t->trace.json);
}

void tfp_timeline_close(tfp_timeline *t, const char *steps)
{
    tfp_trace_close_events(&t->trace);
    put_about(t, steps);
    tfp_json_close(&t->trace.json);
}

int tfp_timeline_write(const tfp_view *view, tfp_timeline_notes *notes,
                       tfp_sink *sink, tfprof_error *err)
{
    tfp_timeline t = { .view = view, .notes = notes };
    bool of_runs = view->type->timeline == TFP_TIMELINE_RUNS;
    int status;
    choose_costs(&t);
    tfp_row_facts_init(&t.facts, view);
    t.facts.sink = sink;
    /* Single runs are those of RunMetadata and profiles; sums are costs. */
    tfp_trace_open(&t.trace, sink,
                   of_runs ? TFP_MICROSECOND
                           : tfp_model_time_unit(view->model));
    status = of_runs ? tfp_timeline_graph(&t, err) : tfp_timeline_tree(&t, err);
    if (status == TFPROF_OK && t.facts.failed)
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        tfp_timeline_close(&t, "average");
    tfp_row_facts_release(&t.facts);
    return status;
}
