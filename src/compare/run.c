/*
 * run.c - the steps of one run as one value per row.
 *
 * Few rows run in each step of some inputs, so nothing here has a place for
 * each row and step: the values other than 0 are listed step by step, sorted
 * by row, and the zeros between them are counted.
 */
#include "compare/run.h"

#include "model/costs.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/inputs.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/steps.h"
#include "model/times.h"
#include "stats/median.h"

enum { PARTS = 1u << TFP_COST_ACCELERATOR_MICROS | 1u << TFP_COST_CPU_MICROS };

typedef TFP_VEC(int64_t) numbers;

typedef struct collector {
    const tfp_view *view;
    tfp_memory *memory;
    tfp_watch watch;
    uint32_t wanted;        /* record costs to take */
    tfp_costs costs;        /* of one step, by member */
    uint32_t *row_of;       /* by member: row of the view, or TFP_NO_ID */
    const tfp_step **steps; /* in the order of their numbers */
    size_t step_count;
    /* Values of rows that are not all 0, step by step: a row number, and a
     * value for each wanted cost. */
    TFP_VEC(uint32_t) rows;
    numbers values[TFP_COST_COUNT];
    numbers totals[TFP_COST_COUNT]; /* by step */
    numbers *sums;                  /* the same of each sum and cost */
    bool failed;                    /* out of memory */
} collector;

/* ---- Steps -------------------------------------------------------------- */

static int compare_steps(const void *a, const void *b)
{
    int64_t x = (*(const tfp_step *const *)a)->id;
    int64_t y = (*(const tfp_step *const *)b)->id;
    return (x > y) - (x < y);
}

int tfp_run_fail_skipped(const tfp_run_rule *rule, size_t count,
                         tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--skip_steps %lld leaves out all steps of a run (number "
                    "of steps: %zu)",
                    (long long)rule->skipped, count);
}

static int list_steps(collector *c, const tfp_run_rule *rule, tfprof_error *err)
{
    const tfp_model *model = c->view->model;
    size_t count = 0, first = rule->skipped > 0 ? (size_t)rule->skipped : 0;
    c->steps = tfp_memory_array(c->memory, model->steps.count + 1,
                                sizeof(tfp_step *));
    if (!c->steps)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        if (tfp_step_is_asked(step, c->view->options->step))
            c->steps[count++] = step;
    }
    if (count > 0 && first >= count)
        return tfp_run_fail_skipped(rule, count, err);
    qsort(c->steps, count, sizeof(*c->steps), compare_steps);
    if (first > 0 && count > 0)
        memmove(c->steps, c->steps + first,
                (count - first) * sizeof(*c->steps));
    c->step_count = count > 0 ? count - first : 0;
    return TFPROF_OK;
}

/* ---- Values of one step ------------------------------------------------- */

static bool map_members(collector *c)
{
    const tfp_view *v = c->view;
    size_t members = v->census->members.count;
    c->row_of = tfp_memory_array(c->memory, members + 1, sizeof(uint32_t));
    if (!c->row_of)
        return false;
    memset(c->row_of, 0xff, (members + 1) * sizeof(uint32_t));
    for (uint32_t row = 1; row < v->rows.count; row++) {
        size_t count;
        const uint32_t *of_row = tfp_row_members(v, row, &count);
        for (size_t i = 0; i < count; i++)
            c->row_of[of_row[i]] = row;
    }
    return true;
}

static void push(collector *c, numbers *to, int64_t value)
{
    c->failed |= !TFP_VEC_PUSH(c->memory, to, value);
}

static void add_to(numbers *totals, int64_t value)
{
    int64_t *last = &totals->data[totals->count - 1];
    *last = tfp_add_sat(*last, value);
}

static int64_t value_of(const collector *c, uint32_t member, int cost)
{
    int64_t value;
    if (cost == TFP_COST_MICROS)
        return tfp_add_sat(value_of(c, member, TFP_COST_ACCELERATOR_MICROS),
                           value_of(c, member, TFP_COST_CPU_MICROS));
    value = *tfp_costs_at(&c->costs, member, (tfp_cost)cost);
    return tfp_metrics[cost].unit == TFP_UNIT_MICROS
               ? tfp_mul_sat(value, tfp_model_time_unit(c->view->model))
               : value;
}

/* Lists the values of a member, and clears them: a member with several records
 * is listed at the first. */
static void take_member(collector *c, uint32_t member, tfp_run_sum *sums,
                        size_t count)
{
    int64_t *own = c->costs.values + member * c->costs.width;
    uint32_t row = c->row_of[member];
    bool is_zero = true;
    for (size_t i = 0; i < c->costs.width; i++)
        is_zero &= own[i] == 0;
    if (is_zero)
        return;
    if (row != TFP_NO_ID && c->view->flags[row] & TFP_ROW_KEPT) {
        c->failed |= !TFP_VEC_PUSH(c->memory, &c->rows, row);
        for (int cost = 0; cost < TFP_COST_COUNT && !c->failed; cost++) {
            int64_t value;
            if (!(c->wanted >> cost & 1))
                continue;
            value = value_of(c, member, cost);
            push(c, &c->values[cost], value);
            add_to(&c->totals[cost], value);
            for (size_t i = 0; i < count; i++) {
                if (!sums[i].has || sums[i].has[row])
                    add_to(&c->sums[i * TFP_COST_COUNT + (size_t)cost], value);
            }
        }
    }
    memset(own, 0, c->costs.width * sizeof(*own));
}

static void take_step(collector *c, const tfp_step *step, tfp_run_sum *sums,
                      size_t count)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (!(c->wanted >> cost & 1))
            continue;
        push(c, &c->totals[cost], 0);
        for (size_t i = 0; i < count; i++)
            push(c, &c->sums[i * TFP_COST_COUNT + (size_t)cost], 0);
    }
    tfp_costs_add_step(&c->costs, c->view->census, step, &c->watch);
    for (size_t i = 0; i < step->execs.count && !c->failed; i++) {
        uint32_t member = tfp_census_find(c->view->census,
                                          &step->execs.data[i]);
        if (tfp_watch_ends(&c->watch))
            return;
        if (member != TFP_NO_ID)
            take_member(c, member, sums, count);
    }
}

/* ---- Over all steps ----------------------------------------------------- */

/* The value in place `index` of sorted values and `zeros` zeros among them. */
static int64_t value_at(const int64_t *values, size_t count, size_t zeros,
                        size_t index)
{
    size_t below = 0;
    while (below < count && values[below] < 0)
        below++;
    if (index < below)
        return values[index];
    return index < below + zeros ? 0 : values[index - zeros];
}

/* One value for all steps; sorts the values in place. */
static int64_t summarize(int64_t *values, size_t count, size_t steps,
                         bool takes_minimum)
{
    size_t zeros = steps - count;
    int64_t low, high;
    if (steps == 0)
        return 0;
    tfp_median_sort(values, count);
    if (takes_minimum)
        return value_at(values, count, zeros, 0);
    low = value_at(values, count, zeros, (steps - 1) / 2);
    high = value_at(values, count, zeros, steps / 2);
    return low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
}

/* The entries row by row, in the order of the steps. Several members of one
 * row may be listed in one step. */
typedef struct row_lists {
    size_t *starts; /* by row */
    uint32_t *order;
} row_lists;

static bool sort_by_row(collector *c, row_lists *lists)
{
    size_t rows = c->view->rows.count, entries = c->rows.count, sum = 0;
    lists->starts = tfp_memory_zarray(c->memory, rows + 2, sizeof(size_t));
    lists->order = tfp_memory_array(c->memory, entries + 1, sizeof(uint32_t));
    if (!lists->starts || !lists->order || entries >= TFP_NO_ID)
        return false;
    for (size_t i = 0; i < entries; i++)
        lists->starts[c->rows.data[i] + 1]++;
    for (size_t row = 0; row <= rows; row++) {
        sum += lists->starts[row];
        lists->starts[row] = sum;
    }
    for (size_t i = 0; i < entries; i++)
        lists->order[lists->starts[c->rows.data[i]]++] = (uint32_t)i;
    memmove(lists->starts + 1, lists->starts, rows * sizeof(size_t));
    lists->starts[0] = 0;
    return true;
}

/* The values of one row, one for each step in which it ran. */
static size_t gather(const collector *c, const row_lists *lists, size_t row,
                     int cost, const uint32_t *step_of, int64_t *out)
{
    size_t count = 0;
    uint32_t last = TFP_NO_ID;
    for (size_t i = lists->starts[row]; i < lists->starts[row + 1]; i++) {
        uint32_t entry = lists->order[i];
        int64_t value = c->values[cost].data[entry];
        if (count > 0 && step_of[entry] == last)
            out[count - 1] = tfp_add_sat(out[count - 1], value);
        else
            out[count++] = value;
        last = step_of[entry];
    }
    return count;
}

static bool put_rows(collector *c, tfp_snapshot *s, const row_lists *lists,
                     const uint32_t *step_of, bool takes_minimum)
{
    const tfp_view *v = c->view;
    int64_t *room = tfp_memory_array(c->memory, c->rows.count + 1,
                                     sizeof(*room));
    bool ok = room != NULL;
    for (size_t at = 0; ok && at < s->count; at++) {
        uint32_t row = v->shown[at].row;
        size_t entries = lists->starts[row + 1] - lists->starts[row];
        if (tfp_watch_ends(&c->watch))
            break;
        for (int cost = 0; ok && cost < TFP_COST_COUNT; cost++) {
            int64_t value;
            if (!(c->wanted >> cost & 1))
                continue;
            value = entries == 0
                        ? 0
                        : summarize(room,
                                    gather(c, lists, row, cost, step_of, room),
                                    c->step_count, takes_minimum);
            if (value != 0 || tfp_snapshot_has(s, cost)) {
                int64_t *column = tfp_snapshot_column(s, cost);
                ok = column != NULL;
                if (ok)
                    column[at] = value;
            }
        }
    }
    tfp_memory_free(c->memory, room);
    return ok;
}

static void put_totals(collector *c, tfp_snapshot *s, tfp_run_sum *sums,
                       size_t count, bool takes_minimum)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (!(c->wanted >> cost & 1))
            continue;
        s->totals[cost] = summarize(c->totals[cost].data, c->step_count,
                                    c->step_count, takes_minimum);
        for (size_t i = 0; i < count; i++) {
            numbers *of_sum = &c->sums[i * TFP_COST_COUNT + (size_t)cost];
            sums[i].values[cost] = summarize(of_sum->data, c->step_count,
                                             c->step_count, takes_minimum);
        }
    }
}

/* ---- All of it ---------------------------------------------------------- */

static int collect(collector *c, tfp_snapshot *s, const tfp_run_rule *rule,
                   tfp_run_sum *sums, size_t count, tfprof_error *err)
{
    row_lists lists = { 0 };
    TFP_VEC(uint32_t) step_of = { 0 };
    c->sums = tfp_memory_zarray(c->memory, count * TFP_COST_COUNT + 1,
                                sizeof(*c->sums));
    c->failed = !c->sums || !map_members(c) ||
                !tfp_costs_make(&c->costs, c->memory,
                                c->view->census->members.count,
                                c->wanted | PARTS, &c->watch);
    for (size_t i = 0; i < c->step_count && !c->failed; i++) {
        if (c->watch.cancelled)
            break;
        take_step(c, c->steps[i], sums, count);
        while (!c->failed && step_of.count < c->rows.count)
            c->failed |= !TFP_VEC_PUSH(c->memory, &step_of, (uint32_t)i);
    }
    if (!c->failed && !c->watch.cancelled) {
        c->failed = !sort_by_row(c, &lists) ||
                    !put_rows(c, s, &lists, step_of.data, rule->takes_minimum);
        put_totals(c, s, sums, count, rule->takes_minimum);
    }
    tfp_memory_free(c->memory, lists.starts);
    tfp_memory_free(c->memory, lists.order);
    TFP_VEC_RELEASE(c->memory, &step_of);
    if (c->watch.cancelled)
        return tfp_fail_cancelled(err);
    return c->failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

static void release(collector *c, size_t count)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        TFP_VEC_RELEASE(c->memory, &c->values[cost]);
        TFP_VEC_RELEASE(c->memory, &c->totals[cost]);
    }
    for (size_t i = 0; c->sums && i < count * TFP_COST_COUNT; i++)
        TFP_VEC_RELEASE(c->memory, &c->sums[i]);
    tfp_memory_free(c->memory, c->sums);
    TFP_VEC_RELEASE(c->memory, &c->rows);
    tfp_costs_release(&c->costs, c->memory);
    tfp_memory_free(c->memory, c->row_of);
    tfp_memory_free(c->memory, c->steps);
}

int tfp_run_take(tfp_snapshot *s, const tfp_view *v, const tfp_run_rule *rule,
                 tfp_run_sum *sums, size_t count, size_t *steps,
                 tfprof_error *err)
{
    collector c = { .view = v,
                    .memory = v->memory,
                    .watch = { .cancel = v->cancel },
                    .wanted = s->wanted &
                              tfp_metrics_with(TFP_METRIC_OF_RECORDS) };
    int status = list_steps(&c, rule, err);
    *steps = c.step_count;
    /* One step is its own median, and the snapshot has its values. */
    if (status == TFPROF_OK && c.step_count > 0 &&
        (count > 0 || v->model->steps.count > 1))
        status = collect(&c, s, rule, sums, count, err);
    release(&c, count);
    return status;
}
