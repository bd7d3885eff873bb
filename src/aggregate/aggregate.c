/*
 * aggregate.c - many steps folded into one table of rows.
 */
#include "aggregate/aggregate.h"

#include "model/run_uses.h"

#include "base/hash.h"
#include "base/intern.h"
#include "model/costs.h"
#include "model/gathered.h"
#include "model/steps.h"
#include "model/times.h"
#include "sheet/sheets.h"

bool tfp_aggregate_init(tfp_aggregate *a, tfp_memory *memory,
                        uint32_t max_depth, size_t limit)
{
    *a = (tfp_aggregate){ .memory = memory, .max_depth = max_depth };
    return tfp_agg_rows_init(&a->rows, memory, limit);
}

void tfp_aggregate_release(tfp_aggregate *a)
{
    if (!a->memory)
        return;
    TFP_VEC_RELEASE(a->memory, &a->steps);
    tfp_agg_rows_release(&a->rows);
}

/* ---- The graph ---------------------------------------------------------- */

static uint64_t node_hash(tfp_span name, tfp_span op)
{
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, name.data, name.size);
    XXH3_64bits_update(&state, "", 1);
    XXH3_64bits_update(&state, op.data, op.size);
    return XXH3_64bits_digest(&state);
}

void tfp_aggregate_add_graph(tfp_aggregate *a, const tfp_model *model)
{
    const tfp_nodes *nodes = &model->nodes;
    for (size_t g = 0; g < model->graphs.count; g++) {
        const tfp_graph *graph = &model->graphs.data[g];
        if (graph->kind != TFP_GRAPH_PLAIN && graph->kind != TFP_GRAPH_PROFILE)
            continue;
        a->has_graph |= graph->node_count > 0;
        for (uint32_t i = 0; i < graph->node_count; i++) {
            tfp_node node = graph->first_node + i;
            a->graph += node_hash(tfp_model_text(model, nodes->name[node]),
                                  tfp_model_text(model, nodes->op[node]));
        }
    }
}

/* ---- The times of steps ------------------------------------------------- */

/* By index in model->steps. */
typedef struct step_times {
    tfp_agg_step step;
    bool is_timed; /* wall and waited come from run records */
} step_times;

static void widen(int64_t *longest, int64_t picos)
{
    int64_t time = picos < 0
                       ? -1
                       : tfp_time_round(picos, TFP_PICOSECOND, TFP_NANOSECOND);
    if (time > *longest)
        *longest = time;
}

static step_times *times_of(const tfp_model *model, step_times *all,
                            int64_t number)
{
    const tfp_step *step = tfp_model_find_step(model, number);
    return step ? &all[step - model->steps.data] : NULL;
}

static void time_traces(const tfp_model *model, step_times *all)
{
    const tfp_gathered *g = &model->gathered;
    for (size_t i = 0; i < g->steps.count; i++) {
        step_times *t = times_of(model, all, g->steps.data[i].number);
        if (!t || g->steps.data[i].is_rest)
            continue;
        widen(&t->step.wall, g->steps.data[i].wall);
        widen(&t->step.waited, g->steps.data[i].waited);
    }
    for (size_t i = 0; i < g->step_devices.count; i++) {
        const tfp_step_device *on = &g->step_devices.data[i];
        step_times *t = times_of(model, all, g->steps.data[on->step].number);
        if (!t || g->steps.data[on->step].is_rest)
            continue;
        widen(&t->step.on_device, on->marker);
        widen(&t->step.busy, on->busy);
    }
}

static bool time_records(const tfp_sheet_request *r, step_times *all)
{
    tfp_run_uses uses = { 0 };
    bool ok = tfp_run_uses_find(&uses, r->model, r->memory, r->watch);
    for (size_t i = 0; ok && i < uses.count; i++) {
        step_times *t = &all[uses.data[i].step];
        const tfp_step *step = &r->model->steps.data[uses.data[i].step];
        int64_t waited;
        widen(&t->step.busy, uses.data[i].busy);
        if (t->is_timed)
            continue;
        t->is_timed = true;
        widen(&t->step.wall,
              tfp_time_to_picos(tfp_sub_sat(step->last_end, step->first_start),
                                TFP_MICROSECOND));
        ok = tfp_run_wait(r->model, uses.data[i].step, &waited, r->memory,
                          r->watch);
        widen(&t->step.waited, ok ? waited : -1);
    }
    TFP_VEC_RELEASE(r->memory, &uses);
    return ok;
}

/* Allocates the times of all steps; all are unknown. */
static step_times *make_times(const tfp_model *model, tfp_memory *memory)
{
    step_times *all = tfp_memory_zarray(memory, model->steps.count + 1,
                                        sizeof(*all));
    for (size_t i = 0; all && i < model->steps.count; i++)
        all[i].step = (tfp_agg_step){
            model->steps.data[i].id, -1, -1, -1, -1, { 0 }
        };
    return all;
}

/* ---- The rows of a step ------------------------------------------------- */

static bool add_record(tfp_aggregate *a, tfp_agg_places *places,
                       const tfp_member *member, tfp_string device,
                       const tfp_record_use *use)
{
    uint32_t keys[TFP_AGG_VIEWS];
    if (!tfp_agg_places_find(places, member, device, keys))
        return false;
    for (int view = 0; view < TFP_AGG_VIEWS; view++) {
        if (keys[view] != TFP_NO_ID &&
            !tfp_agg_rows_add(&a->rows, keys[view], use->time, use->runs))
            return false;
    }
    return true;
}

static bool add_step(tfp_aggregate *a, tfp_agg_places *places,
                     const tfp_census *census, const tfp_step *step,
                     tfp_agg_step *times, tfp_watch *watch)
{
    for (size_t i = 0; i < step->execs.count; i++) {
        const tfp_exec *exec = &step->execs.data[i];
        tfp_record_use use;
        if (tfp_watch_ends(watch))
            return false;
        if (tfp_record_use_of(census, step, exec, &use) &&
            (use.time != 0 || use.runs > 0) &&
            !add_record(a, places, &census->members.data[use.member],
                        census->roles[exec->device].device, &use))
            return false;
    }
    return tfp_agg_rows_end_step(&a->rows, tfp_model_time_unit(census->model),
                                 times->kinds, watch) &&
           TFP_VEC_PUSH(a->memory, &a->steps, *times) &&
           tfp_agg_rows_add_wall(&a->rows, times->wall);
}

int tfp_aggregate_add_steps(tfp_aggregate *a, tfp_agg_places *places,
                            const tfp_census *census, const tfp_cancel *cancel,
                            tfprof_error *err)
{
    const tfp_model *model = census->model;
    tfp_watch watch = { .cancel = cancel };
    tfp_sheet_request request = {
        .model = model, .traces = model, .memory = a->memory, .watch = &watch
    };
    step_times *times;
    bool ok;
    int status;
    if (model->steps.count == 0)
        return TFPROF_OK;
    status = tfp_agg_places_begin(places, census, err);
    if (status != TFPROF_OK)
        return status;
    times = make_times(model, a->memory);
    ok = times && time_records(&request, times);
    if (ok)
        time_traces(model, times);
    for (size_t i = 0; ok && i < model->steps.count; i++) {
        if (model->steps.data[i].execs.count > 0 &&
            !model->steps.data[i].is_rest)
            ok = add_step(a, places, census, &model->steps.data[i],
                          &times[i].step, &watch);
    }
    tfp_memory_free(a->memory, times);
    if (ok)
        return TFPROF_OK;
    return watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
}
