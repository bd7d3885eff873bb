/*
 * verdict.c - does a budget hold?
 *
 * Each limit of a budget is judged on its own. A minimum is judged as a maximum
 * of negated values, so all comparisons here are those of a maximum; `sign` is
 * -1 for a minimum.
 */
#include "budget/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stats/holm.h"
#include "stats/median.h"
#include "stats/rank.h"
#include "stats/sample.h"
#include "stats/shift.h"

static const double alpha = 0.01;

/* One budget and what the statistics say about its values. */
typedef struct subject {
    const tfp_budget *budget;
    const tfp_measured *measured;
    const tfp_baseline_row *row; /* NULL: the baseline has no values */
    bool has_baseline;
    const char *difference; /* of the machines, or NULL */
    bool has_value, is_time;
    bool is_tested; /* a time with a relative limit that can be compared */
    tfp_interval median, base_median; /* of times */
    tfp_interval shift;               /* if tested, and the next three */
    tfp_interval strict;              /* the shift with Bonferroni's interval */
    double p, adjusted;
} subject;

/* ---- Statistics --------------------------------------------------------- */

static bool is_relative(const tfp_limit *limit)
{
    return limit->kind == TFP_LIMIT_DIFFERENCE ||
           limit->kind == TFP_LIMIT_PERCENT;
}

static int prepare(subject *s, tfp_memory *memory, tfprof_error *err)
{
    const tfp_measured *m = s->measured;
    int status = TFPROF_OK;
    s->is_time = tfp_budget_is_time(s->budget->metric);
    s->has_value = m->runs > 0;
    s->is_tested = s->is_time && s->has_value && s->row && !s->difference &&
                   (is_relative(&s->budget->max) ||
                    is_relative(&s->budget->min));
    if (s->is_time && s->has_value)
        status = tfp_median(m->values, m->runs, alpha, memory, &s->median, err);
    if (status == TFPROF_OK && s->is_time && s->row)
        status = tfp_median(s->row->values, s->row->count, alpha, memory,
                            &s->base_median, err);
    return status;
}

static int test(subject *s, size_t tests, tfp_memory *memory, tfprof_error *err)
{
    const tfp_measured *m = s->measured;
    const tfp_baseline_row *row = s->row;
    tfp_rank_result rank;
    int status = tfp_rank_test(row->values, row->count, m->values, m->runs,
                               memory, &rank, err);
    if (status == TFPROF_OK)
        status = tfp_shift(row->values, row->count, m->values, m->runs, alpha,
                           memory, &s->shift, err);
    if (status == TFPROF_OK)
        status = tfp_shift(row->values, row->count, m->values, m->runs,
                           alpha / (double)tests, memory, &s->strict, err);
    if (status == TFPROF_OK)
        s->p = rank.p;
    return status;
}

/* Tests what can be tested; *tests is how many these are. */
static int test_all(subject *all, size_t count, tfp_memory *memory,
                    size_t *tests, tfprof_error *err)
{
    double *p = tfp_memory_array(memory, count, sizeof(*p));
    size_t used = 0;
    int status = p ? TFPROF_OK : tfp_fail_nomem(err);
    *tests = 0;
    for (size_t i = 0; i < count; i++)
        *tests += all[i].is_tested;
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        if (!all[i].is_tested)
            continue;
        status = test(&all[i], *tests, memory, err);
        if (status == TFPROF_OK)
            p[used++] = all[i].p;
    }
    if (status == TFPROF_OK)
        status = tfp_holm(p, used, memory, p, err);
    for (size_t i = count; i-- > 0 && status == TFPROF_OK;) {
        if (all[i].is_tested)
            all[i].adjusted = p[--used];
    }
    tfp_memory_free(memory, p);
    return status;
}

/* ---- One limit ---------------------------------------------------------- */

static double sign_of(const tfp_checked *out)
{
    return out->is_minimum ? -1 : 1;
}

static void no_verdict(tfp_checked *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void no_verdict(tfp_checked *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out->reason, sizeof(out->reason), format, args);
    va_end(args);
    out->verdict = TFP_CHECK_NO_VERDICT;
}

/* `what` is past the limit by `excess`. */
static void broken(tfp_checked *out, const char *what, double excess)
{
    snprintf(out->reason, sizeof(out->reason), "the %s is %s the limit", what,
             out->is_minimum ? "below" : "above");
    out->verdict = TFP_CHECK_BROKEN;
    out->excess = out->limit == 0 ? excess : excess / fabs(out->limit);
}

static void set_interval(tfp_checked *out, const tfp_interval *interval)
{
    out->has_interval = interval->known;
    out->low = interval->low;
    out->high = interval->high;
}

/* The interval in the direction of the limit. */
static double low_of(const tfp_interval *i, double sign)
{
    return sign < 0 ? -i->high : i->low;
}

static double high_of(const tfp_interval *i, double sign)
{
    return sign < 0 ? -i->low : i->high;
}

/* The change that a relative limit allows. */
static double allowed(const tfp_limit *limit, double base)
{
    return limit->kind == TFP_LIMIT_PERCENT ? base * limit->value / 100
                                            : limit->value;
}

/* Is a change or an excess as large as the budget demands of a broken limit? */
static bool is_enough(const tfp_budget *budget, double change)
{
    return budget->and_at_least == 0 || change >= budget->and_at_least;
}

/* The largest value of the runs, or the smallest. */
static double worst(const double *values, size_t count, double sign)
{
    double found = values[0];
    for (size_t i = 1; i < count; i++)
        found = sign * values[i] > sign * found ? values[i] : found;
    assert(isfinite(found));
    return found;
}

static void judge_exact(const subject *s, const tfp_limit *limit,
                        tfp_checked *out)
{
    double sign = sign_of(out), excess = sign * (out->value - out->limit);
    double change = is_relative(limit) ? sign * (out->value - out->base)
                                       : excess;
    bool is_part = s->measured->is_partial ||
                   (is_relative(limit) && s->row->is_partial);
    bool is_past = excess > 0 && is_enough(s->budget, change);
    /* A part that exceeds a maximum is enough to break it. */
    if (is_part && !(is_past && !out->is_minimum && !is_relative(limit)))
        no_verdict(out, "%s",
                   s->measured->is_partial
                       ? "the count is incomplete: some operations have no "
                         "float operation count"
                       : "the count of the baseline is incomplete");
    else if (is_past)
        broken(out, "value", excess);
}

static void judge_change(const subject *s, const tfp_limit *limit, size_t tests,
                         tfp_checked *out)
{
    double sign = sign_of(out), least = s->budget->and_at_least;
    double most = sign * allowed(limit, out->base);
    double shift = sign * s->shift.estimate;
    double bound = least > 0 && least > most ? least : most;
    /* The test asks whether there is a change. Where a change is demanded, none
     * is past the limit, too. */
    bool is_clear = s->adjusted <= alpha || (most < 0 && s->strict.known &&
                                             low_of(&s->strict, sign) > most);
    set_interval(out, &s->shift);
    if (is_clear && shift > most && is_enough(s->budget, shift)) {
        broken(out, "change", shift - most);
        return;
    }
    if (s->shift.known && high_of(&s->shift, sign) < bound)
        return;
    out->more_runs = tfp_rank_values_needed(s->row->count, s->measured->runs,
                                            alpha, tests);
    if (out->more_runs > 0)
        no_verdict(out, "too few runs: %zu more needed on each side",
                   out->more_runs);
    else if (low_of(&s->shift, sign) <= bound)
        no_verdict(out,
                   "the runs differ too much: the change can be above or "
                   "below %s",
                   bound == most ? "the limit" : "the value of and_at_least");
    else
        no_verdict(out,
                   "the change is not significant after correction for %zu "
                   "tested budgets",
                   tests);
    out->is_noise = out->more_runs == 0;
}

static void judge_median(const subject *s, tfp_checked *out)
{
    double sign = sign_of(out), least = s->budget->and_at_least;
    double excess = sign * (out->value - out->limit);
    size_t needed = tfp_median_values_needed(alpha);
    set_interval(out, &s->median);
    if (!s->median.known) {
        out->more_runs = needed - s->measured->runs;
        no_verdict(
            out, "an absolute limit of a time needs %zu runs: %zu more needed",
            needed, out->more_runs);
    } else if (low_of(&s->median, sign) > sign * out->limit &&
               is_enough(s->budget, excess)) {
        broken(out, "median", excess);
    } else if (!(high_of(&s->median, sign) < sign * out->limit + least)) {
        no_verdict(out, "the runs differ too much: the median can be above or "
                        "below the limit");
        out->is_noise = true;
    }
}

static const char no_metric[] =
    "the baseline has no value for this metric; write the baseline again";
static const char no_budget[] =
    "the baseline has no value for this budget; write the baseline again with "
    "--budgets";

/* What is known, whatever the limit. */
static void describe(const subject *s, bool is_minimum, tfp_checked *out)
{
    double sign;
    *out = (tfp_checked){ .budget = s->budget,
                          .measured = s->measured,
                          .is_minimum = is_minimum,
                          .has_value = s->has_value,
                          .has_base = s->row != NULL };
    sign = sign_of(out);
    if (s->has_value)
        out->value = s->is_time
                         ? s->median.estimate
                         : worst(s->measured->values, s->measured->runs, sign);
    if (s->row)
        out->base = s->is_time ? s->base_median.estimate
                               : worst(s->row->values, s->row->count, sign);
    if (s->is_tested) {
        out->has_shift = true;
        out->shift = s->shift.estimate;
        out->p = s->p;
        out->adjusted = s->adjusted;
    }
}

static void judge(const subject *s, const tfp_limit *limit, bool is_minimum,
                  size_t tests, tfp_checked *out)
{
    describe(s, is_minimum, out);
    out->has_limit = !is_relative(limit) || s->row;
    if (out->has_limit)
        out->limit = is_relative(limit) ? out->base + allowed(limit, out->base)
                                        : limit->value;
    if (!s->has_value)
        no_verdict(out, "%s",
                   s->measured->no_value ? s->measured->no_value
                                         : "no value was measured");
    else if (is_relative(limit) && !s->has_baseline)
        no_verdict(out, "a relative limit needs --baseline FILE");
    else if (is_relative(limit) && !s->row)
        no_verdict(out, "%s",
                   s->budget->rows == TFP_BUDGET_ALL ? no_metric : no_budget);
    else if (!s->is_time)
        judge_exact(s, limit, out);
    else if (!is_relative(limit))
        judge_median(s, out);
    else if (s->difference)
        no_verdict(out, "the baseline is from another machine: different %s",
                   s->difference);
    else
        judge_change(s, limit, tests, out);
}

/* A run without a value is not within the limit, so the verdict of the others
 * can only be that they break it. */
static void name_runs_without(const tfp_measured *m, tfp_checked *out)
{
    size_t at = strlen(out->reason);
    if (!m->without || m->runs == 0)
        return;
    if (out->verdict == TFP_CHECK_OK)
        at = (size_t)snprintf(out->reason, sizeof(out->reason),
                              "the other runs are within the limit");
    if (out->verdict == TFP_CHECK_OK)
        out->verdict = TFP_CHECK_NO_VERDICT;
    out->is_noise = false;
    snprintf(out->reason + at, sizeof(out->reason) - at,
             "; %zu of %zu runs have a value, not %s (%s)", m->runs,
             m->all_runs, m->without, m->no_value);
}

/* ---- Steps -------------------------------------------------------------- */

/* Which part of a step grew is measured beside its wall time. */
static void find_parts(const subject *all, size_t count, tfp_step_part *parts)
{
    for (size_t i = 0; i < count; i++) {
        const subject *s = &all[i];
        if (tfp_budget_is_of_steps(s->budget->metric) && s->has_value && s->row)
            parts[s->budget->metric - TFP_BUDGET_STEPS] = (tfp_step_part){
                true, s->base_median.estimate, s->median.estimate
            };
    }
}

static bool is_longer_step(const tfp_checked *checked)
{
    return checked->verdict == TFP_CHECK_BROKEN && !checked->is_minimum &&
           checked->budget->metric == TFP_BUDGET_WALL;
}

/* ---- All ---------------------------------------------------------------- */

/* Which of two verdicts is that of the budget; the larger one. */
static int weight(const tfp_checked *one)
{
    static const int weights[] = {
        [TFP_CHECK_OK] = 0, [TFP_CHECK_NO_VERDICT] = 2, [TFP_CHECK_BROKEN] = 3
    };
    return weights[one->verdict] - one->is_noise;
}

static void judge_both(const subject *s, size_t tests, tfp_checked *out)
{
    tfp_checked other;
    *out = (tfp_checked){ .budget = s->budget, .measured = s->measured };
    if (s->budget->max.kind)
        judge(s, &s->budget->max, false, tests, out);
    if (!s->budget->min.kind)
        return;
    judge(s, &s->budget->min, true, tests, &other);
    if (!s->budget->max.kind || weight(&other) > weight(out))
        *out = other;
}

int tfp_check_budgets(const tfp_budgets *budgets, const tfp_measured *measured,
                      const tfp_baseline *baseline, const tfp_machine *here,
                      tfp_memory *memory, tfp_checked *out, tfprof_error *err)
{
    size_t count = budgets->all.count, tests;
    const char *difference = baseline && here ? tfp_machine_difference(
                                                    &baseline->machine, here)
                                              : NULL;
    subject *all = tfp_memory_zarray(memory, count, sizeof(*all));
    int status = all ? TFPROF_OK : tfp_fail_nomem(err);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        subject *s = &all[i];
        s->budget = &budgets->all.data[i];
        s->measured = &measured[i];
        s->has_baseline = baseline != NULL;
        s->difference = difference;
        s->row = baseline ? tfp_baseline_find(baseline, s->budget) : NULL;
        if (s->row && s->row->count == 0)
            s->row = NULL;
        status = prepare(s, memory, err);
    }
    if (status == TFPROF_OK)
        status = test_all(all, count, memory, &tests, err);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        judge_both(&all[i], tests, &out[i]);
        name_runs_without(&measured[i], &out[i]);
        if (is_longer_step(&out[i]))
            find_parts(all, count, out[i].parts);
    }
    tfp_memory_free(memory, all);
    return status;
}
