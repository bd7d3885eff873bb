/*
 * measure.c - the values of budgets in some runs.
 *
 * Budgets of one view are measured together. Those with the same pattern share
 * the sum of their rows. Each sum needs a byte for each row, so few are made
 * at a time.
 */
#include "api/measure.h"

#include "model/step_values.h"

#include "compare/run_steps.h"

#include "base/escape.h"

#include "options/options.h"

#include "ops/flops/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "api/flops.h"
#include "api/machine.h"
#include "api/question.h"
#include "api/runs.h"
#include "api/view.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "compare/run.h"
#include "compare/snapshot.h"
#include "model/census.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/times.h"
#include "model/traces.h"
#include "view/view.h"

static const tfp_view_type *view_of(const tfp_budget *budget)
{
    switch (budget->rows) {
    case TFP_BUDGET_OP: return &tfp_op_view;
    case TFP_BUDGET_CODE: return &tfp_code_view;
    default: return &tfp_scope_view;
    }
}

/* Is it measured as the command flops does? That counts a model once, with its
 * functions, and knows how complete the count is. */
static bool is_of_model(const tfp_budget *budget)
{
    return budget->rows == TFP_BUDGET_ALL &&
           (budget->metric == TFP_COST_FLOAT_OPS ||
            budget->metric == TFP_BUDGET_MACS);
}

/* Why a budget has no value. A budget that lost its rows must not hold. */
static const char *const unmatched[TFP_BUDGET_ROWS] = {
    [TFP_BUDGET_ALL] = "the inputs contain no nodes",
    [TFP_BUDGET_SCOPE] = "no scope or node matches the pattern",
    [TFP_BUDGET_OP] = "no operation type matches the pattern",
    [TFP_BUDGET_CODE] = "no source line matches the pattern",
    [TFP_BUDGET_DEVICE] = "no node ran on a device that matches the pattern",
};
static const char no_lines[] = "the inputs contain no source lines";
static const char no_records[] = "the inputs contain no run records";
static const char no_graph[] =
    "the inputs contain no graph whose MACs can be counted";
static const char all_zero[] = "the inputs contain no values for this metric";
static const char no_steps[] = "the inputs contain no wall times of steps";
static const char no_wait[] =
    "the inputs contain no times of waiting for input";

/* ---- Values of runs ----------------------------------------------------- */

/* The value of the run at hand. Each budget has one for each run, or lacks it.
 */
static bool put_value(tfp_measuring *m, size_t budget, double value)
{
    tfp_measured_rows *rows = &m->rows[budget];
    return TFP_VEC_PUSH(m->memory, &rows->values, value) &&
           TFP_VEC_PUSH(m->memory, &rows->by_run, value);
}

static bool lack_value(tfp_measuring *m, size_t budget, const char *why)
{
    if (!m->measured[budget].no_value)
        m->measured[budget].no_value = why;
    return TFP_VEC_PUSH(m->memory, &m->rows[budget].by_run, (double)NAN);
}

/* ---- Rows --------------------------------------------------------------- */

/* The run that is read. */
typedef struct taker {
    tfp_measuring *m;
    tfprof_profile *run;
} taker;

/* Some budgets of one view that are summed up together. */
enum { SUMS = 32 };
typedef struct batch {
    tfp_measuring *m;
    const tfp_view *view;
    size_t budgets[SUMS]; /* the first budget with these rows */
    uint8_t *masks[SUMS]; /* by row; NULL: all rows */
    bool matched[SUMS];
    tfp_run_sum sums[SUMS + 1]; /* the last one is of all rows */
    size_t count;
    size_t steps;
} batch;

static bool have_same_rows(const tfp_budget *a, const tfp_budget *b)
{
    return a->rows == b->rows &&
           (a->rows == TFP_BUDGET_ALL || strcmp(a->pattern, b->pattern) == 0);
}

static bool is_on_device(const tfp_view *v, uint32_t row, tfp_patterns *pattern)
{
    size_t count;
    const uint32_t *members = tfp_row_members(v, row, &count);
    for (size_t i = 0; i < count; i++) {
        tfp_string device = v->census->members.data[members[i]].device;
        if (device != 0 &&
            tfp_patterns_match(pattern, tfp_model_text(v->model, device)))
            return true;
    }
    return false;
}

/* Rows that match, and all below them. The rows of the op view stand below one
 * another without belonging to each other. */
static bool matches(const batch *b, const tfp_budget *budget, uint32_t row,
                    const uint8_t *mask, tfp_patterns *pattern)
{
    const tfp_row *r = &b->view->rows.data[row];
    if (budget->rows == TFP_BUDGET_DEVICE)
        return is_on_device(b->view, row, pattern);
    if (budget->rows != TFP_BUDGET_OP && row > 0 && mask[r->parent])
        return true;
    return row > 0 && tfp_patterns_match(pattern, tfp_row_name(r));
}

static int mark_rows(batch *b, size_t at, tfprof_error *err)
{
    size_t budget = b->budgets[at], rows = b->view->rows.count;
    tfp_patterns *pattern = &b->m->rows[budget].pattern;
    if (b->m->budgets->all.data[budget].rows == TFP_BUDGET_ALL) {
        b->matched[at] = rows > 1;
        return TFPROF_OK;
    }
    b->masks[at] = tfp_memory_zarray(b->m->memory, rows + 1, 1);
    if (!b->masks[at])
        return tfp_fail_nomem(err);
    for (uint32_t row = 0; row < rows; row++) {
        bool is_meant = matches(b, &b->m->budgets->all.data[budget], row,
                                b->masks[at], pattern);
        b->masks[at][row] = is_meant;
        b->matched[at] |= is_meant;
    }
    if (pattern->status != TFPROF_OK && err)
        *err = pattern->why;
    b->sums[at].has = b->masks[at];
    return pattern->status;
}

/* ---- Values ------------------------------------------------------------- */

static bool is_of_records(int metric)
{
    return metric < TFP_COST_COUNT &&
           tfp_metrics_with(TFP_METRIC_OF_RECORDS) >> metric & 1;
}

/* Of a metric that steps do not change. */
static int64_t sum_rows(const tfp_view *v, const uint8_t *mask, int metric)
{
    int64_t sum = 0;
    for (uint32_t row = 0; row < v->rows.count; row++) {
        size_t nodes;
        if ((mask && !mask[row]) || !(v->flags[row] & TFP_ROW_KEPT))
            continue;
        if (metric == TFP_BUDGET_NODES)
            tfp_row_members(v, row, &nodes);
        sum = tfp_add_sat(sum, metric == TFP_BUDGET_NODES
                                   ? (int64_t)nodes
                                   : tfp_row_self(v, row, (tfp_cost)metric));
    }
    return sum;
}

static double value_of(const batch *b, size_t at, int metric)
{
    static const double picoseconds = 1e6; /* of a microsecond */
    int64_t value = is_of_records(metric)
                        ? b->sums[at].values[metric]
                        : sum_rows(b->view, at < b->count ? b->masks[at] : NULL,
                                   metric);
    return tfp_budget_metric_unit(metric) == TFP_UNIT_MICROS
               ? (double)value / picoseconds
               : (double)value;
}

static char *copy_text(tfp_memory *memory, tfp_span text)
{
    char *copy = tfp_memory_alloc(memory, text.size + 1);
    if (copy && text.size > 0)
        memcpy(copy, text.data, text.size);
    if (copy)
        copy[text.size] = '\0';
    return copy;
}

/* Notes the row that contributes most. */
static bool note_largest(const batch *b, size_t at, int metric,
                         tfp_measured *measured)
{
    const tfp_view *v = b->view;
    uint32_t largest = 0;
    int64_t most = -1;
    const tfp_frame *frame;
    for (uint32_t row = 1; row < v->rows.count && b->masks[at]; row++) {
        int64_t self = metric < TFP_COST_COUNT
                           ? tfp_row_self(v, row, (tfp_cost)metric)
                           : 0;
        if (b->masks[at][row] && self > most) {
            most = self;
            largest = row;
        }
    }
    if (largest == 0)
        return true;
    frame = v->type->has_lines ? tfp_row_frame(v, largest) : NULL;
    measured->name = copy_text(b->m->memory,
                               tfp_row_name(&v->rows.data[largest]));
    if (frame && frame->line > 0) {
        measured->file = copy_text(b->m->memory,
                                   tfp_model_text(v->model, frame->file));
        measured->line = frame->line;
        return measured->name && measured->file;
    }
    return measured->name != NULL;
}

static const char *why_absent(const batch *b, size_t at, size_t budget)
{
    const tfp_budget *subject = &b->m->budgets->all.data[budget];
    if (!b->matched[at])
        return unmatched[subject->rows];
    if (is_of_records(subject->metric) && b->steps == 0)
        return no_records;
    if (subject->metric != TFP_BUDGET_NODES &&
        value_of(b, b->count, subject->metric) == 0)
        return all_zero;
    return NULL;
}

static int take_value(const batch *b, size_t at, size_t budget,
                      int64_t uncounted, tfprof_error *err)
{
    tfp_measuring *m = b->m;
    tfp_measured *measured = &m->measured[budget];
    int metric = m->budgets->all.data[budget].metric;
    bool is_first = m->rows[budget].values.count == 0;
    const char *absent = why_absent(b, at, budget);
    bool ok;
    if (metric == TFP_COST_FLOAT_OPS)
        measured->is_partial |= uncounted > 0;
    ok = absent ? lack_value(m, budget, absent)
                : put_value(m, budget, value_of(b, at, metric)) &&
                      (!is_first || note_largest(b, at, metric, measured));
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

/* ---- A view ------------------------------------------------------------- */

/* The sum that has the rows of a budget, or SIZE_MAX. */
static size_t find_sum(const batch *b, const tfp_budget *budget)
{
    for (size_t i = 0; i < b->count; i++) {
        if (have_same_rows(&b->m->budgets->all.data[b->budgets[i]], budget))
            return i;
    }
    return SIZE_MAX;
}

static bool is_measured_in(const tfp_measuring *m, size_t budget,
                           const tfp_view_type *type)
{
    const tfp_budget *one = &m->budgets->all.data[budget];
    return !(is_of_model(one) && m->counts_model) &&
           one->metric < TFP_BUDGET_MACS && view_of(one) == type;
}

/* Measures the budgets from *next on that fit in a batch. */
static int take_batch(batch *b, size_t *next, int64_t uncounted,
                      tfprof_error *err)
{
    const tfp_measuring *m = b->m;
    size_t first = *next, end = first;
    tfp_run_rule rule = tfp_runs_rule(&m->profile->options);
    tfp_snapshot no_rows = { .memory = m->memory,
                             .wanted = (1u << TFP_COST_COUNT) - 1 };
    int status = TFPROF_OK;
    no_rows.wanted = (uint32_t)b->view->select & no_rows.wanted;
    for (; end < m->budgets->all.count && status == TFPROF_OK; end++) {
        if (!is_measured_in(m, end, b->view->type) ||
            find_sum(b, &m->budgets->all.data[end]) != SIZE_MAX)
            continue;
        if (b->count == SUMS)
            break;
        b->budgets[b->count++] = end;
        status = mark_rows(b, b->count - 1, err);
    }
    if (status == TFPROF_OK)
        status = tfp_run_take(&no_rows, b->view, &rule, b->sums, b->count + 1,
                              &b->steps, err);
    for (size_t i = first; i < end && status == TFPROF_OK; i++) {
        if (is_measured_in(m, i, b->view->type))
            status = take_value(b, find_sum(b, &m->budgets->all.data[i]), i,
                                uncounted, err);
    }
    *next = end;
    return status;
}

static int take_view(void *context, const tfp_view *view, tfprof_error *err)
{
    const taker *t = context;
    int status = TFPROF_OK;
    for (size_t next = 0;
         next < t->m->budgets->all.count && status == TFPROF_OK;) {
        batch b = { .m = t->m, .view = view };
        status = take_batch(&b, &next, t->run->uncounted, err);
        for (size_t i = 0; i < b.count; i++)
            tfp_memory_free(t->m->memory, b.masks[i]);
    }
    return status;
}

/* ---- A run -------------------------------------------------------------- */

static bool is_asked(const tfp_measuring *m, const tfp_view_type *type)
{
    for (size_t i = 0; i < m->budgets->all.count; i++) {
        if (is_measured_in(m, i, type))
            return true;
    }
    return false;
}

static int lack_lines(tfp_measuring *m, tfprof_error *err)
{
    bool ok = true;
    for (size_t i = 0; i < m->budgets->all.count && ok; i++) {
        if (m->budgets->all.data[i].rows == TFP_BUDGET_CODE)
            ok = lack_value(m, i, no_lines);
    }
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

static int push_counts(tfp_measuring *m, const tfp_report *report,
                       tfprof_error *err)
{
    for (size_t i = 0; i < m->budgets->all.count; i++) {
        const tfp_budget *budget = &m->budgets->all.data[i];
        int64_t count = budget->metric == TFP_BUDGET_MACS
                            ? report->work.macs
                            : report->work.float_ops;
        if (!is_of_model(budget))
            continue;
        m->measured[i].is_partial |= report->counted < report->compute;
        if (!put_value(m, i, (double)count))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

/* Without a graph there are no MACs, and float operations are those that views
 * have. */
static int lack_graph(tfp_measuring *m, tfprof_error *err)
{
    bool ok = true;
    for (size_t i = 0; i < m->budgets->all.count && ok; i++) {
        if (m->budgets->all.data[i].metric == TFP_BUDGET_MACS)
            ok = lack_value(m, i, no_graph);
    }
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

static int count_model(tfp_measuring *m, tfprof_profile *run, tfprof_error *err)
{
    tfp_flops_work work = { 0 };
    tfprof_error why;
    int status = tfp_question_begin_any(run, &why);
    if (status == TFPROF_OK)
        status = tfp_flops_count(run, TFP_REPORT_BY_MACS, &work, &why);
    m->counts_model = status == TFPROF_OK;
    if (status == TFPROF_OK)
        status = push_counts(m, &work.report, &why);
    tfp_flops_release(&work);
    if (status == TFPROF_ERR_MISSING)
        return lack_graph(m, err);
    if (status != TFPROF_OK && err)
        *err = why;
    return tfp_question_end(run, status, err);
}

static bool asks_for_model(const tfp_measuring *m)
{
    for (size_t i = 0; i < m->budgets->all.count; i++) {
        if (is_of_model(&m->budgets->all.data[i]))
            return true;
    }
    return false;
}

/* ---- Steps -------------------------------------------------------------- */

static bool asks_for_steps(const tfp_measuring *m)
{
    for (size_t i = 0; i < m->budgets->all.count; i++) {
        if (tfp_budget_is_of_steps(m->budgets->all.data[i].metric))
            return true;
    }
    return false;
}

static int push_steps(tfp_measuring *m, const tfp_step_values *values,
                      tfprof_error *err)
{
    double each = TFP_MICROSECOND;
    bool ok = true;
    for (size_t i = 0; i < m->budgets->all.count && ok; i++) {
        int metric = m->budgets->all.data[i].metric - TFP_BUDGET_STEPS;
        int64_t value = metric < 0 ? 0 : values->of[metric];
        if (metric < 0)
            continue;
        ok = value < 0 ? lack_value(m, i,
                                    values->of[TFP_STEP_WALL] < 0 ? no_steps
                                    : metric == TFP_STEP_WAIT     ? no_wait
                                                                  : no_records)
                       : put_value(m, i, (double)value / each);
    }
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

/* Inputs that could not be read are refused, as views do. */
static int take_steps(tfp_measuring *m, tfprof_profile *run, tfprof_error *err)
{
    tfp_run_rule rule = tfp_runs_rule(&m->profile->options);
    tfp_step_values values;
    int status = tfp_question_begin(run, err);
    if (status == TFPROF_OK)
        status = tfp_run_take_steps(&run->model, run->options.step, &rule,
                                    m->memory, &run->cancel, &values, err);
    if (status == TFPROF_OK)
        status = push_steps(m, &values, err);
    return tfp_question_end(run, status, err);
}

/* ---- A run -------------------------------------------------------------- */

static bool add_name(tfp_measuring *m, const char *path)
{
    char *name = copy_text(m->memory, tfp_span_of(path));
    if (!name)
        return false;
    if (TFP_VEC_PUSH(m->memory, &m->names, name))
        return true;
    tfp_memory_free(m->memory, name);
    return false;
}

/* What is not asked of a view. */
static int take_others(tfp_measuring *m, tfprof_profile *run, tfprof_error *err)
{
    int status = TFPROF_OK;
    if (!asks_for_model(m) && !asks_for_steps(m))
        return status;
    status = tfp_profile_enter(run, err);
    if (status != TFPROF_OK)
        return status;
    if (asks_for_model(m))
        status = count_model(m, run, err);
    if (status == TFPROF_OK && asks_for_steps(m))
        status = take_steps(m, run, err);
    return tfp_profile_leave(run, status);
}

/* All runs, and what is measured in them. */
typedef struct measured_runs {
    tfp_run_reader runs;
    tfp_measuring *m;
} measured_runs;

static int take_run(void *context, tfprof_profile *run, tfprof_error *err)
{
    static const tfp_view_type *const types[] = { &tfp_scope_view, &tfp_op_view,
                                                  &tfp_code_view };
    measured_runs *all = context;
    tfp_measuring *m = all->m;
    taker t = { .m = m, .run = run };
    int status = TFPROF_OK;
    if (m->runs++ == 0)
        status = tfp_machine_find(&m->machine, &run->model, m->memory, err);
    if (status == TFPROF_OK && !add_name(m, all->runs.path))
        status = tfp_fail_nomem(err);
    m->counts_model = false;
    if (status == TFPROF_OK)
        status = take_others(m, run, err);
    for (size_t i = 0; i < 3 && status == TFPROF_OK; i++) {
        if (!is_asked(m, types[i]))
            continue;
        status = tfp_profile_take_view(run, types[i], take_view, &t, err);
        if (status == TFPROF_ERR_MISSING && types[i]->needs_traces)
            status = lack_lines(m, err);
    }
    return status;
}

/* ---- All runs ----------------------------------------------------------- */

static int compile(tfp_measuring *m, tfprof_error *err)
{
    for (size_t i = 0; i < m->budgets->all.count; i++) {
        const tfp_budget *budget = &m->budgets->all.data[i];
        tfp_patterns *pattern = &m->rows[i].pattern;
        tfp_words words = { .data = budget->pattern, .count = 1 };
        tfprof_error why;
        int status;
        if (!budget->pattern)
            continue;
        words.size = strlen(budget->pattern) + 1;
        status = tfp_patterns_init(pattern, m->memory, "budgets", &words, &why);
        if (status != TFPROF_OK)
            return tfp_fail(err, why.code, -1, "%s (budget %zu)", why.message,
                            i + 1);
        pattern->work = &m->work;
        pattern->cancel = &m->profile->cancel;
    }
    return TFPROF_OK;
}

static uint32_t wanted_costs(const tfp_budgets *budgets)
{
    uint32_t wanted = 0;
    for (size_t i = 0; i < budgets->all.count; i++) {
        if (budgets->all.data[i].metric < TFP_COST_COUNT)
            wanted |= 1u << budgets->all.data[i].metric;
    }
    return wanted;
}

const char *tfp_measured_run(const tfp_measuring *m, size_t run)
{
    return m->names.data[run] + m->common;
}

/* How much of the names is not worth showing. */
static size_t find_common(const tfp_measuring *m)
{
    const char *first = m->names.count > 1 ? m->names.data[0] : "";
    size_t same = strlen(first), slashes[2] = { 0 };
    for (size_t i = 1; i < m->names.count; i++) {
        size_t size = 0;
        while (size < same && first[size] == m->names.data[i][size])
            size++;
        same = size;
    }
    for (size_t i = 0; i < same; i++) {
        if (first[i] == '/') {
            slashes[0] = slashes[1];
            slashes[1] = i + 1;
        }
    }
    return slashes[0];
}

/* Names the runs that lack a value which others have. */
static bool name_runs_without(tfp_measuring *m, size_t budget)
{
    const tfp_measured_rows *rows = &m->rows[budget];
    tfp_name_list list = { .room = sizeof(list.text) };
    if (rows->values.count == 0 || rows->values.count == rows->by_run.count)
        return true;
    for (size_t i = 0; i < rows->by_run.count; i++) {
        if (isnan(rows->by_run.data[i]))
            tfp_name_list_add(&list, tfp_span_of(tfp_measured_run(m, i)));
    }
    tfp_name_list_end(&list);
    m->measured[budget].without = copy_text(m->memory, tfp_span_of(list.text));
    return m->measured[budget].without != NULL;
}

static int finish(tfp_measuring *m, int status, tfprof_error *err)
{
    m->common = find_common(m);
    for (size_t i = 0; i < m->budgets->all.count; i++) {
        tfp_measured_rows *rows = &m->rows[i];
        m->measured[i].values = rows->values.data;
        m->measured[i].runs = rows->values.count;
        m->measured[i].by_run = rows->by_run.data;
        m->measured[i].all_runs = rows->by_run.count;
        if (status == TFPROF_OK && !name_runs_without(m, i))
            status = tfp_fail_nomem(err);
    }
    return status;
}

int tfp_measure(tfp_measuring *m, const char *const *paths, size_t count,
                tfprof_error *err)
{
    size_t budgets = m->budgets->all.count;
    measured_runs all = { .m = m,
                          .runs = { .profile = m->profile,
                                    .memory = m->memory,
                                    .wanted = wanted_costs(m->budgets),
                                    .side = m->side,
                                    .bytes_read = m->bytes_read,
                                    .take = take_run,
                                    .context = &all } };
    int status;
    m->measured = tfp_memory_zarray(m->memory, budgets + 1,
                                    sizeof(*m->measured));
    m->rows = tfp_memory_zarray(m->memory, budgets + 1, sizeof(*m->rows));
    all.runs.gathers = asks_for_steps(m) ? TFP_GATHER_STEPS : 0;
    if (!m->measured || !m->rows)
        return tfp_fail_nomem(err);
    status = compile(m, err);
    if (status == TFPROF_OK)
        status = tfp_runs_read(&all.runs, paths, count, err);
    m->bytes_read = all.runs.bytes_read;
    return finish(m, status, err);
}

void tfp_measuring_release(tfp_measuring *m)
{
    size_t budgets = m->budgets ? m->budgets->all.count : 0;
    for (size_t i = 0; m->rows && m->measured && i < budgets; i++) {
        TFP_VEC_RELEASE(m->memory, &m->rows[i].values);
        TFP_VEC_RELEASE(m->memory, &m->rows[i].by_run);
        if (m->rows[i].pattern.memory)
            tfp_patterns_release(&m->rows[i].pattern);
        tfp_memory_free(m->memory, m->measured[i].name);
        tfp_memory_free(m->memory, m->measured[i].file);
        tfp_memory_free(m->memory, m->measured[i].without);
    }
    for (size_t i = 0; i < m->names.count; i++)
        tfp_memory_free(m->memory, m->names.data[i]);
    if (m->memory)
        TFP_VEC_RELEASE(m->memory, &m->names);
    tfp_memory_free(m->memory, m->rows);
    tfp_memory_free(m->memory, m->measured);
}
