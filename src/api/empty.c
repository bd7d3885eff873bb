/*
 * empty.c - answers that say nothing, and why they do.
 *
 * A remark must be true, so nothing is guessed: which filter left nothing is
 * found by asking without it (view/lift.c), and a pattern is only proposed
 * after it was tried.
 */
#include "api/empty.h"

#include "options/options.h"

#include "model/steps.h"

#include "model/metrics.h"

#include "model/costs.h"

#include "base/cancel.h"

#include <stdio.h>
#include <string.h>

#include "api/remarks.h"
#include "base/escape.h"
#include "model/times.h"
#include "output/text/figures.h"
#include "output/text/times.h"
#include "view/lift.h"

enum { VALUE_MOST = 64, LINE_MOST = 256 };

/* ---- Values ------------------------------------------------------------- */

/* "-min_micros 100", "-show_name_regexes 'conv'"; a long value is cut. */
static void print_filter(const tfp_options *options, const char *name,
                         char *out, size_t size)
{
    const tfp_option *option = tfp_option_find(name);
    bool is_list = option->shown.kind == TFPROF_OPTION_LIST;
    char value[4 * VALUE_MOST], safe[VALUE_MOST];
    size_t full = tfp_options_print(options, option, value, sizeof(value));
    bool is_cut = tfp_escape(tfp_span_of(value), safe, sizeof(safe)) >=
                      sizeof(safe) ||
                  full >= sizeof(value);
    snprintf(out, size, "--%s %s%s%s%s", name, is_list ? "'" : "", safe,
             is_cut ? "..." : "", is_list ? "'" : "");
}

/* ---- Patterns to try ---------------------------------------------------- */

/* One pattern that also matches what has more before and behind. False when
 * it does not fit. */
static bool widen_word(const char *word, char *out, size_t size)
{
    size_t length = strlen(word);
    bool starts = length >= 2 && !memcmp(word, ".*", 2);
    bool ends = length >= 2 && !memcmp(word + length - 2, ".*", 2);
    bool choice = memchr(word, '|', length) != NULL;
    int used;
    if (memchr(word, ',', length)) /* which would have to be escaped again */
        return false;
    used = snprintf(out, size, "%s%s%s%s%s", starts && !choice ? "" : ".*",
                    choice ? "(?:" : "", word, choice ? ")" : "",
                    ends && !choice ? "" : ".*");
    return used > 0 && (size_t)used < size;
}

static bool widen(const tfp_words *words, const char *prefix, char *out,
                  size_t size)
{
    const char *word = words->data;
    size_t used = 0;
    for (size_t i = 0; i < words->count; i++, word += strlen(word) + 1) {
        size_t before = strlen(prefix) + (i > 0);
        if (used + before + 1 >= size)
            return false;
        snprintf(out + used, size - used, "%s%s", i > 0 ? "," : "", prefix);
        used += before;
        if (!widen_word(word, out + used, size - used))
            return false;
        used += strlen(out + used);
    }
    return words->count > 0;
}

/* " (...)" with a pattern that would have found something, or nothing. What it
 * finds may lie deeper: ten types are all that the op view shows by itself. */
static int propose(const tfp_view *v, const char *name, const char *what,
                   char *out, size_t size)
{
    static const char *const prefixes[] = { "", "(?i)" };
    const tfp_option *option = tfp_option_find(name);
    const tfp_words *words = (const void *)((const char *)v->options +
                                            option->place);
    char value[VALUE_MOST], safe[2 * VALUE_MOST];
    out[0] = '\0';
    for (size_t i = 0; i < 2 * sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        bool is_deeper = i % 2;
        size_t rows;
        if (!widen(words, prefixes[i / 2], value, sizeof(value)))
            break;
        if (tfp_view_rows_with(v, name, value, is_deeper, &rows) ==
            TFPROF_ERR_CANCELLED)
            return TFPROF_ERR_CANCELLED;
        if (rows == 0)
            continue;
        tfp_escape(tfp_span_of(value), safe, sizeof(safe));
        snprintf(out, size,
                 " (a pattern must match %s: '%s'%s shows %zu row%s)", what,
                 safe, is_deeper ? " with a larger --max_depth" : "", rows,
                 rows == 1 ? "" : "s");
        break;
    }
    return TFPROF_OK;
}

/* ---- One filter --------------------------------------------------------- */

/* Does the type of any node match? Remembers what did. */
static bool any_accounted(tfp_view *v)
{
    for (uint32_t m = 0; m < v->census->members.count; m++) {
        if (tfp_view_accounts(v, m))
            return true;
    }
    return false;
}

static bool any_device(const tfp_view *v)
{
    for (size_t m = 0; m < v->census->members.count; m++) {
        if (v->census->members.data[m].device != 0)
            return true;
    }
    return false;
}

/* "all 12 rows" */
static const char *print_all_rows(size_t rows, char *out, size_t size)
{
    if (rows == 1)
        return "the only row";
    snprintf(out, size, "all %zu rows", rows);
    return out;
}

static void remark_on_minimum(const tfprof_profile *p, const char *filter,
                              const tfp_lift *lift)
{
    char rows[40], largest[TFP_FIGURE_SIZE];
    tfp_figure_exact_cost(lift->cost, lift->largest,
                          tfp_model_time_unit(&p->model), largest);
    tfp_remark(p,
               TFPROF_REMARK_EMPTY "%s excludes %s (the largest value is %s)",
               filter, print_all_rows(lift->rows, rows, sizeof(rows)), largest);
}

/* Filters of which it is told that nothing matches them. */
static const struct matched {
    const char *option;
    const char *thing, *whole; /* that is matched */
} matched[] = {
    { "start_name_regexes", "name", "the complete name" },
    { "show_name_regexes", "name", "the complete name" },
    { "device_regexes", "device", "the complete name" },
    { "account_type_regexes", "type", "the complete type" },
};

static const struct matched *find_matched(const char *name)
{
    for (size_t i = 0; i < sizeof(matched) / sizeof(matched[0]); i++) {
        if (!strcmp(matched[i].option, name))
            return &matched[i];
    }
    return NULL;
}

static int remark_on_pattern(const tfprof_profile *p, const tfp_view *v,
                             const struct matched *m, const char *filter,
                             const tfp_lift *lift)
{
    bool is_type = !strcmp(m->thing, "type");
    char proposal[LINE_MOST], rows[40];
    int status = TFPROF_OK;
    snprintf(rows, sizeof(rows), "%zu row%s", lift->rows,
             lift->rows == 1 ? "" : "s");
    if (!strcmp(m->thing, "device") && !any_device(v))
        snprintf(
            proposal, sizeof(proposal),
            " (no device is known; give run records with --run_meta_path)");
    else
        status = propose(v, m->option, m->whole, proposal, sizeof(proposal));
    if (status == TFPROF_OK)
        tfp_remark(p, TFPROF_REMARK_EMPTY "no %s in %s matches %s%s", m->thing,
                   is_type ? "the model" : rows, filter, proposal);
    return status;
}

static int remark_on_filter(const tfprof_profile *p, tfp_view *v,
                            const tfp_lift *lift)
{
    const char *name = lift->filters[0];
    const struct matched *m = find_matched(name);
    bool is_depth = !strcmp(name, "max_depth") && !v->type->is_chain;
    char filter[2 * VALUE_MOST], rows[40];
    print_filter(v->options, name, filter, sizeof(filter));
    /* A type may match, and other filters leave nothing of it. */
    if (m && !strcmp(m->thing, "type") && any_accounted(v))
        m = NULL;
    if (m)
        return remark_on_pattern(p, v, m, filter, lift);
    if (!strncmp(name, "min_", 4))
        remark_on_minimum(p, filter, lift);
    else
        tfp_remark(p, TFPROF_REMARK_EMPTY "%s excludes %s%s", filter,
                   print_all_rows(lift->rows, rows, sizeof(rows)),
                   is_depth ? " (the root is the first level)" : "");
    return TFPROF_OK;
}

/* ---- Several filters ---------------------------------------------------- */

static void remark_on_filters(const tfprof_profile *p, const tfp_view *v,
                              const tfp_lift *lift)
{
    char list[LINE_MOST - 80] = "", filter[2 * VALUE_MOST], rows[40];
    size_t used = 0, told = 0;
    for (; told < lift->count; told++) {
        size_t size;
        print_filter(v->options, lift->filters[told], filter, sizeof(filter));
        size = strlen(filter) + 5;
        if (used + size >= sizeof(list))
            break;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 told == 0 ? "" : " and ", filter);
    }
    tfp_remark(p, TFPROF_REMARK_EMPTY "%s%s together exclude %s", list,
               told < lift->count ? " and others" : "",
               print_all_rows(lift->rows, rows, sizeof(rows)));
}

static int remark_on_filtered(const tfprof_profile *p, tfp_view *v)
{
    tfp_lift lift;
    int status = tfp_view_lift(v, &lift);
    if (status != TFPROF_OK || lift.count == 0)
        return status;
    if (lift.count == 1)
        return remark_on_filter(p, v, &lift);
    remark_on_filters(p, v, &lift);
    return TFPROF_OK;
}

/* ---- Figures ------------------------------------------------------------ */

/* The costs that the options name: in `select`, in a filter or in an order. */
static uint32_t asked_costs(const tfp_view *v)
{
    const tfp_options *o = v->options;
    uint32_t asked = tfp_view_order_costs(v->model, o);
    if (o->select != TFP_SELECT_AUTO)
        asked |= (uint32_t)o->select;
    return asked | tfp_view_filter_costs(o);
}

static void remark_on_runs(const tfprof_profile *p, const tfp_view *v)
{
    if (asked_costs(v) & tfp_metrics_with(TFP_METRIC_OF_RECORDS) &&
        !tfp_model_has_runs(v->model))
        tfp_remark(p, "no run records were loaded, so times and sizes are 0 "
                      "(give run metadata with --run_meta_path)");
}

static bool has_runs_of_traces(const tfp_model *model)
{
    for (size_t i = 0; i < model->devices.count; i++) {
        const tfp_device *device = &model->devices.data[i];
        if (tfp_exec_is_trace(device->kind) && device->execs > 0)
            return true;
    }
    return false;
}

static bool has_runs_of_profiles(const tfp_model *model)
{
    for (size_t i = 0; i < model->devices.count; i++) {
        const tfp_device *device = &model->devices.data[i];
        if (device->kind != TFP_EXEC_RUN && !tfp_exec_is_trace(device->kind) &&
            device->execs > 0)
            return true;
    }
    return false;
}

/* Some kinds of files do not have all metrics. */
static void remark_on_lost(const tfprof_profile *p, const tfp_view *v)
{
    uint32_t asked = asked_costs(v);
    uint32_t traces = asked & tfp_metrics_with(TFP_METRIC_NOT_IN_TRACES);
    uint32_t profiles = asked & tfp_metrics_with(TFP_METRIC_NOT_IN_PROFILES);
    if (traces != 0 && !has_runs_of_traces(v->model))
        traces = 0;
    if (profiles != 0 && !has_runs_of_profiles(v->model))
        profiles = 0;
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (profiles >> cost & 1)
            tfp_remark(
                p,
                "a ProfileProto cannot contain %s, which is 0 for its runs "
                "(give run metadata with --run_meta_path)",
                tfp_metrics[cost].word);
        if (traces >> cost & 1)
            tfp_remark(p,
                       "%s is not read from traces and is 0 for their runs "
                       "(give run metadata with --run_meta_path)",
                       tfp_metrics[cost].word);
    }
}

/* Does any node have some of it, counted or not? The cost must be wanted. */
static bool any_has(const tfp_view *v, tfp_cost cost)
{
    for (size_t m = 0; m < v->census->members.count; m++) {
        if (*tfp_costs_at(&v->costs, m, cost) != 0)
            return true;
    }
    return false;
}

/* Explains parameters and float operations that are all 0. Stays silent unless
 * the options name them, and also if the options name a cost of run records or
 * another count that is not 0. */
static void remark_on_counts(const tfprof_profile *p, const tfp_view *v)
{
    uint32_t asked = asked_costs(v);
    bool params = asked >> TFP_COST_PARAMS & 1;
    bool float_ops = asked >> TFP_COST_FLOAT_OPS & 1;
    if (asked & tfp_metrics_with(TFP_METRIC_OF_RECORDS) ||
        (params && any_has(v, TFP_COST_PARAMS)) ||
        (float_ops && any_has(v, TFP_COST_FLOAT_OPS)))
        return;
    if (params)
        tfp_remark(p, "no variable or placeholder has a known shape, so there "
                      "are no parameters");
    if (float_ops && v->model->graphs.count == 0)
        tfp_remark(p, "no graph was loaded, so no float operations are counted "
                      "(give a graph with --graph_path)");
    else if (float_ops && v->options->formulas != TFP_FORMULAS_NONE)
        tfp_remark(p, "no float operations were found (tfprof flops "
                      "--uncounted lists the operations without a count)");
}

/* With a depth of one level the root is the whole answer, and it has the
 * totals: such a view is not empty. */
static bool asks_for_root(const tfp_view *v)
{
    return !v->type->is_chain && v->options->max_depth == 1;
}

void tfp_remark_on_figures(const tfprof_profile *p, const tfp_view *v)
{
    if (!p->remark || v->census->members.count == 0)
        return;
    remark_on_runs(p, v);
    remark_on_lost(p, v);
    remark_on_counts(p, v);
}

int tfp_remark_on_empty(const tfprof_profile *p, tfp_view *v, tfprof_error *err)
{
    if (!p->remark || v->census->members.count == 0 || !tfp_view_is_empty(v) ||
        asks_for_root(v))
        return TFPROF_OK;
    switch (remark_on_filtered(p, v)) {
    case TFPROF_OK: return TFPROF_OK;
    case TFPROF_ERR_CANCELLED: return tfp_fail_cancelled(err);
    case TFPROF_ERR_LIMIT:
        tfp_remark(
            p, TFPROF_REMARK_EMPTY
            "cannot determine the reason (the patterns take too many steps)");
        return TFPROF_OK;
    default: /* the answer can do without it */
        tfp_remark(p, TFPROF_REMARK_EMPTY "cannot determine the reason (not "
                                          "enough memory; see --max_memory)");
        return TFPROF_OK;
    }
}
