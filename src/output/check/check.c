/*
 * check.c - verdicts about budgets: their order, and the texts that all forms
 * share.
 */
#include "output/check/check.h"

#include <string.h>

#include "base/sort.h"
#include "model/metrics.h"
#include "options/options.h"
#include "output/check/check_parts.h"
#include "output/text/figures.h"
#include "output/text/units.h"

const char *const tfp_check_words[TFP_CHECK_VERDICTS] = {
    [TFP_CHECK_OK] = "ok",
    [TFP_CHECK_BROKEN] = "broken",
    [TFP_CHECK_NO_VERDICT] = "no verdict"
};

/* ---- Order -------------------------------------------------------------- */

static uint64_t rank_of(tfp_check_verdict verdict)
{
    switch (verdict) {
    case TFP_CHECK_BROKEN: return 0;
    case TFP_CHECK_NO_VERDICT: return 1;
    default: return 2;
    }
}

/* The bits of doubles that are not negative rise with their values. The rank
 * takes two bits: that of the sign, and the last one of the excess. */
static uint64_t key_of(const tfp_checked *checked)
{
    double excess = checked->excess > 0 ? checked->excess : 0;
    uint64_t bits;
    memcpy(&bits, &excess, sizeof(bits));
    return rank_of(checked->verdict) << 62 | (UINT64_MAX / 2 - bits) >> 1;
}

const tfp_checked *tfp_check_at(const tfp_check_writer *w, size_t place)
{
    return &w->answer->checked[w->order[place].index];
}

tfp_check_verdict tfp_check_worst(const tfp_check_writer *w)
{
    return w->answer->count > 0 ? tfp_check_at(w, 0)->verdict : TFP_CHECK_OK;
}

/* ---- Texts -------------------------------------------------------------- */

void tfp_check_add_bytes(tfp_check_writer *w, tfp_check_text *text,
                         tfp_span addition)
{
    if (!TFP_VEC_RESERVE(w->answer->memory, text, addition.size)) {
        w->failed = true;
        return;
    }
    if (addition.size > 0)
        memcpy(text->data + text->count, addition.data, addition.size);
    text->count += addition.size;
}

void tfp_check_add(tfp_check_writer *w, tfp_check_text *text,
                   const char *addition)
{
    tfp_check_add_bytes(w, text, tfp_span_of(addition));
}

tfp_span tfp_check_span(const tfp_check_text *text)
{
    return (tfp_span){ (const uint8_t *)text->data, text->count };
}

tfp_span tfp_check_label(tfp_check_writer *w, const tfp_checked *checked)
{
    const tfp_budget *budget = checked->budget;
    w->label.count = 0;
    if (budget->name && budget->name[0] != '\0') {
        tfp_check_add(w, &w->label, budget->name);
        return tfp_check_span(&w->label);
    }
    if (budget->pattern) {
        tfp_check_add(w, &w->label, tfp_budget_rows_names[budget->rows]);
        tfp_check_add(w, &w->label, " ");
        tfp_check_add(w, &w->label, budget->pattern);
        tfp_check_add(w, &w->label, ": ");
    }
    tfp_check_add(w, &w->label, tfp_budget_metric_name(budget->metric));
    return tfp_check_span(&w->label);
}

size_t tfp_check_figure(const tfp_budget *budget, double value, char *out)
{
    tfp_unit unit = tfp_budget_metric_unit(budget->metric);
    return tfp_figure_in_unit(unit, tfp_measured_value(unit, value), out);
}

static void add_place(tfp_check_writer *w, const tfp_checked *checked,
                      const char *before)
{
    const tfp_measured *measured = checked->measured;
    char figure[TFP_FIGURE_SIZE];
    if (!measured->name)
        return;
    tfp_check_add(w, &w->message, before);
    tfp_check_add(w, &w->message, "largest row: ");
    tfp_check_add(w, &w->message, measured->name);
    if (!measured->file)
        return;
    tfp_check_add(w, &w->message, " (");
    tfp_check_add(w, &w->message, measured->file);
    if (measured->line > 0) {
        (void)tfp_figure_integer(measured->line, figure);
        tfp_check_add(w, &w->message, ":");
        tfp_check_add(w, &w->message, figure);
    }
    tfp_check_add(w, &w->message, ")");
}

static void add_value(tfp_check_writer *w, const tfp_checked *checked,
                      const char *what, double value, bool is_known)
{
    char figure[TFP_CHECK_FIGURE];
    if (!is_known)
        return;
    (void)tfp_check_figure(checked->budget, value, figure);
    tfp_check_add(w, &w->message, what);
    tfp_check_add(w, &w->message, figure);
}

static void add_values(tfp_check_writer *w, const tfp_checked *checked)
{
    if (!checked->has_value)
        return;
    add_value(w, checked, " (value ", checked->value, true);
    add_value(w, checked, ", base ", checked->base, checked->has_base);
    add_value(w, checked, checked->is_minimum ? ", minimum " : ", maximum ",
              checked->limit, checked->has_limit);
    tfp_check_add(w, &w->message, ")");
}

tfp_span tfp_check_place(tfp_check_writer *w, const tfp_checked *checked)
{
    w->message.count = 0;
    add_place(w, checked, "");
    return tfp_check_span(&w->message);
}

/* ---- What grew ---------------------------------------------------------- */

static double growth(const tfp_step_part *part)
{
    return part->is_known ? part->value - part->base : 0;
}

/* Operations and idle time are all of a step. Time that waits for input is in
 * both, and is named in their place if it is most of what grew. */
static int grown_most(const tfp_step_part *parts)
{
    int most = growth(&parts[TFP_STEP_IDLE]) >= growth(&parts[TFP_STEP_BUSY])
                   ? TFP_STEP_IDLE
                   : TFP_STEP_BUSY;
    if (2 * growth(&parts[TFP_STEP_WAIT]) > growth(&parts[TFP_STEP_WALL]))
        most = TFP_STEP_WAIT;
    return growth(&parts[most]) > 0 ? most : -1;
}

static void add_part(tfp_check_writer *w, const tfp_checked *checked, int part)
{
    const tfp_step_part *p = &checked->parts[part];
    char figure[TFP_CHECK_FIGURE];
    if (!p->is_known)
        return;
    if (w->detail.count > 0 && w->detail.data[w->detail.count - 1] != ' ')
        tfp_check_add(w, &w->detail, ", ");
    tfp_check_add(w, &w->detail, tfp_step_metrics[part].title);
    tfp_check_add(w, &w->detail, " ");
    (void)tfp_check_figure(checked->budget, p->base, figure);
    tfp_check_add(w, &w->detail, figure);
    tfp_check_add(w, &w->detail, " -> ");
    (void)tfp_check_figure(checked->budget, p->value, figure);
    tfp_check_add(w, &w->detail, figure);
}

tfp_span tfp_check_detail(tfp_check_writer *w, const tfp_checked *checked)
{
    int most = grown_most(checked->parts);
    w->detail.count = 0;
    if (most >= 0) {
        tfp_check_add(w, &w->detail, tfp_step_metrics[most].title);
        tfp_check_add(w, &w->detail, " grew most: ");
        add_part(w, checked, most);
    }
    for (int part = TFP_STEP_BUSY; part < TFP_STEP_METRIC_COUNT; part++) {
        if (part != most)
            add_part(w, checked, part);
    }
    return tfp_check_span(&w->detail);
}

static void add_detail(tfp_check_writer *w, const tfp_checked *checked)
{
    tfp_span detail = tfp_check_detail(w, checked);
    if (detail.size > 0)
        tfp_check_add(w, &w->message, "; ");
    tfp_check_add_bytes(w, &w->message, detail);
}

tfp_span tfp_check_reason(tfp_check_writer *w, const tfp_checked *checked)
{
    w->message.count = 0;
    tfp_check_add(w, &w->message, checked->reason);
    add_detail(w, checked);
    if (checked->verdict != TFP_CHECK_OK)
        add_place(w, checked, checked->reason[0] != '\0' ? "; " : "");
    return tfp_check_span(&w->message);
}

tfp_span tfp_check_message(tfp_check_writer *w, const tfp_checked *checked)
{
    w->message.count = 0;
    tfp_check_add(w, &w->message,
                  checked->reason[0] != '\0'
                      ? checked->reason
                      : tfp_check_words[checked->verdict]);
    add_values(w, checked);
    add_detail(w, checked);
    add_place(w, checked, "; ");
    return tfp_check_span(&w->message);
}

void tfp_check_put_summary(const tfp_check_writer *w)
{
    tfp_sink_format(w->sink, "%zu broken, %zu without a verdict, %zu ok",
                    w->counts[TFP_CHECK_BROKEN],
                    w->counts[TFP_CHECK_NO_VERDICT], w->counts[TFP_CHECK_OK]);
}

/* The budget that decides the exit status: the first without a verdict for
 * another reason than noise, else the first without one. */
static const tfp_checked *find_open(const tfp_check_writer *w, size_t *count)
{
    const tfp_checked *found = NULL;
    *count = 0;
    for (size_t i = 0; i < w->answer->count; i++) {
        const tfp_checked *one = tfp_check_at(w, i);
        if (one->verdict != TFP_CHECK_NO_VERDICT ||
            (found && one->is_noise && !found->is_noise))
            continue;
        if (!found || found->is_noise != one->is_noise) {
            found = one;
            *count = 0;
        }
        ++*count;
    }
    return found;
}

static const char *status_of(const tfp_check_writer *w, bool is_noise)
{
    const tfp_check_answer *a = w->answer;
    if (is_noise)
        return a->requires_verdict
                   ? "status 6 with --require_verdict: "
                   : "status 0, since only noise prevents a verdict: ";
    return a->allows_no_verdict ? "status 0 with --allow_no_verdict: "
                                : "status 6: ";
}

tfp_span tfp_check_last(tfp_check_writer *w)
{
    size_t count;
    const tfp_checked *open = find_open(w, &count);
    char figure[TFP_FIGURE_SIZE];
    w->message.count = 0;
    if (!open || w->counts[TFP_CHECK_BROKEN] > 0)
        return tfp_check_span(&w->message);
    tfp_check_add(w, &w->message, status_of(w, open->is_noise));
    tfp_check_add_bytes(w, &w->message, tfp_check_label(w, open));
    if (count > 1) {
        (void)tfp_figure_integer((int64_t)count - 1, figure);
        tfp_check_add(w, &w->message, " and ");
        tfp_check_add(w, &w->message, figure);
        tfp_check_add(w, &w->message, " more have");
    } else {
        tfp_check_add(w, &w->message, " has");
    }
    tfp_check_add(w, &w->message, " no verdict: ");
    tfp_check_add(w, &w->message, open->reason);
    return tfp_check_span(&w->message);
}

void tfp_check_put_last(tfp_check_writer *w)
{
    tfp_span last = tfp_check_last(w);
    if (last.size == 0)
        return;
    tfp_sink_escaped(w->sink, last);
    tfp_sink_char(w->sink, '\n');
}

/* ---- All ---------------------------------------------------------------- */

static void write_form(tfp_check_writer *w)
{
    switch (w->answer->format) {
    case TFP_FORMAT_JSON: tfp_check_write_json(w); break;
    case TFP_FORMAT_GITHUB: tfp_check_write_github(w); break;
    case TFP_FORMAT_JUNIT: tfp_check_write_junit(w); break;
    case TFP_FORMAT_SARIF: tfp_check_write_sarif(w); break;
    default: tfp_check_write_text(w); break;
    }
}

int tfp_check_write(const tfp_check_answer *answer, tfp_sink *sink,
                    tfprof_error *err)
{
    tfp_check_writer w = { .answer = answer, .sink = sink };
    tfp_sort_item *items = tfp_memory_array(answer->memory, answer->count,
                                            2 * sizeof(*items));
    if (!items)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < answer->count; i++) {
        items[i] = (tfp_sort_item){ key_of(&answer->checked[i]), (uint32_t)i };
        w.counts[answer->checked[i].verdict]++;
    }
    tfp_sort(items, answer->count, items + answer->count, NULL, NULL);
    w.order = items;
    write_form(&w);
    tfp_memory_free(answer->memory, items);
    TFP_VEC_RELEASE(answer->memory, &w.label);
    TFP_VEC_RELEASE(answer->memory, &w.message);
    TFP_VEC_RELEASE(answer->memory, &w.detail);
    TFP_VEC_RELEASE(answer->memory, &w.spare);
    return w.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
