/*
 * side.c - all runs of one side of a comparison.
 */
#include "compare/side.h"

#include "base/intern.h"
#include "compare/align.h"
#include "model/times.h"
#include "stats/median.h"

_Static_assert(TFP_COMPARED_COUNT <= 16, "a bit of uint16_t for each metric");

void tfp_side_init(tfp_compare_side *side, tfp_memory *memory)
{
    *side = (tfp_compare_side){ .memory = memory };
}

void tfp_side_release(tfp_compare_side *side)
{
    if (!side->memory)
        return;
    for (size_t i = 0; i < side->others.count; i++) {
        for (int cost = 0; cost < TFP_COST_COUNT; cost++)
            tfp_memory_free(side->memory, side->others.data[i].times[cost]);
    }
    TFP_VEC_RELEASE(side->memory, &side->others);
    TFP_VEC_RELEASE(side->memory, &side->facts);
    tfp_memory_free(side->memory, side->varying);
    tfp_snapshot_release(&side->rows);
    *side = (tfp_compare_side){ 0 };
}

/* ---- Further runs ------------------------------------------------------- */

static bool is_time(int metric)
{
    return TFP_COMPARED_TIMES >> metric & 1;
}

static bool note_varying(tfp_compare_side *side, size_t row, int metric)
{
    if (!side->varying)
        side->varying = tfp_memory_zarray(side->memory, side->rows.count + 1,
                                          sizeof(*side->varying));
    if (!side->varying)
        return false;
    side->varying[row] |= (uint16_t)(1u << metric);
    side->varies |= 1u << metric;
    return true;
}

/* A row that one of the runs lacks does not vary: it did not run there, or the
 * graphs differ, which a comparison of these runs shows. */
static bool compare_exact(tfp_compare_side *side, const tfp_snapshot *run,
                          const tfp_alignment *a, tfp_watch *watch)
{
    bool ok = true;
    for (size_t row = 0; ok && row < run->count && !tfp_watch_ends(watch);
         row++) {
        uint32_t first = a->to[row];
        if (first == TFP_NO_ID)
            continue;
        for (int m = 0; ok && m < TFP_COMPARED_COUNT; m++) {
            if (!is_time(m) && tfp_snapshot_value(run, row, m) !=
                                   tfp_snapshot_value(&side->rows, first, m))
                ok = note_varying(side, first, m);
        }
    }
    return ok;
}

static bool copy_times(const tfp_compare_side *side, const tfp_snapshot *run,
                       const tfp_alignment *a, tfp_side_run *out)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        out->totals[cost] = run->totals[cost];
        if (!is_time(cost) || !tfp_snapshot_has(run, cost))
            continue;
        out->times[cost] = tfp_memory_zarray(side->memory, side->rows.count + 1,
                                             sizeof(int64_t));
        if (!out->times[cost])
            return false;
        for (size_t row = 0; row < run->count; row++) {
            if (a->to[row] != TFP_NO_ID)
                out->times[cost][a->to[row]] = tfp_snapshot_value(run, row,
                                                                  cost);
        }
    }
    return true;
}

static int add_other(tfp_compare_side *side, const tfp_snapshot *run,
                     const tfp_cancel *cancel, tfprof_error *err)
{
    tfp_watch watch = { .cancel = cancel };
    tfp_side_run none = { .totals = { 0 } };
    tfp_alignment a;
    int status = tfp_align(&a, run, &side->rows, false, side->memory, cancel,
                           err);
    if (status == TFPROF_OK &&
        (!TFP_VEC_PUSH(side->memory, &side->others, none) ||
         !copy_times(side, run, &a,
                     &side->others.data[side->others.count - 1]) ||
         !compare_exact(side, run, &a, &watch)))
        status = tfp_fail_nomem(err);
    tfp_alignment_release(&a);
    return watch.cancelled ? tfp_fail_cancelled(err) : status;
}

int tfp_side_add(tfp_compare_side *side, tfp_snapshot *run,
                 const tfp_side_fact *fact, const tfp_cancel *cancel,
                 tfprof_error *err)
{
    size_t steps = fact->steps;
    int status = TFPROF_OK;
    if (!TFP_VEC_PUSH(side->memory, &side->facts, *fact)) {
        tfp_snapshot_release(run);
        return tfp_fail_nomem(err);
    }
    if (side->runs == 0) {
        side->rows = *run;
        side->least_steps = side->most_steps = steps;
        for (int cost = 0; cost < TFP_COST_COUNT; cost++)
            side->first_totals[cost] = run->totals[cost];
        *run = (tfp_snapshot){ 0 };
    } else {
        status = add_other(side, run, cancel, err);
        tfp_snapshot_release(run);
    }
    if (steps < side->least_steps)
        side->least_steps = steps;
    if (steps > side->most_steps)
        side->most_steps = steps;
    side->runs++;
    return status;
}

/* ---- Medians ------------------------------------------------------------ */

static bool has_times(const tfp_compare_side *side, int cost)
{
    bool has = tfp_snapshot_has(&side->rows, cost);
    for (size_t i = 0; i < side->others.count; i++)
        has |= side->others.data[i].times[cost] != NULL;
    return has;
}

static void take_medians(tfp_compare_side *side, int cost, int64_t *column,
                         int64_t *room, tfp_watch *watch)
{
    for (size_t row = 0; row < side->rows.count && !tfp_watch_ends(watch);
         row++) {
        room[0] = column[row];
        for (size_t i = 0; i < side->others.count; i++) {
            const int64_t *times = side->others.data[i].times[cost];
            room[i + 1] = times ? times[row] : 0;
        }
        column[row] = tfp_median_of_whole(room, side->others.count + 1);
    }
    room[0] = side->first_totals[cost];
    for (size_t i = 0; i < side->others.count; i++)
        room[i + 1] = side->others.data[i].totals[cost];
    side->rows.totals[cost] = tfp_median_of_whole(room, side->others.count + 1);
}

int tfp_side_finish(tfp_compare_side *side, const tfp_cancel *cancel,
                    tfprof_error *err)
{
    tfp_watch watch = { .cancel = cancel };
    int64_t *room, *column;
    bool ok;
    if (side->others.count == 0)
        return TFPROF_OK;
    room = tfp_memory_array(side->memory, side->others.count + 1,
                            sizeof(*room));
    ok = room != NULL;
    for (int cost = 0; ok && cost < TFP_COST_COUNT; cost++) {
        if (!is_time(cost) || !has_times(side, cost))
            continue;
        column = tfp_snapshot_column(&side->rows, cost);
        ok = column != NULL;
        if (ok)
            take_medians(side, cost, column, room, &watch);
    }
    tfp_memory_free(side->memory, room);
    if (watch.cancelled)
        return tfp_fail_cancelled(err);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

int64_t tfp_side_total(const tfp_compare_side *side, size_t run, tfp_cost cost)
{
    return run == 0 ? side->first_totals[cost]
                    : side->others.data[run - 1].totals[cost];
}

void tfp_side_totals(const tfp_compare_side *side, tfp_cost cost,
                     double *values)
{
    double each = TFP_MICROSECOND;
    for (size_t i = 0; i < side->runs; i++)
        values[i] = (double)tfp_side_total(side, i, cost) / each;
}

size_t tfp_side_step_values(const tfp_compare_side *side,
                            tfp_step_metric metric, double *values)
{
    double each = TFP_MICROSECOND;
    size_t count = 0;
    for (size_t i = 0; i < side->facts.count; i++) {
        int64_t value = side->facts.data[i].values.of[metric];
        if (value >= 0)
            values[count++] = (double)value / each;
    }
    return count;
}
