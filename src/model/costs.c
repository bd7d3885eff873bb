/*
 * costs.c - what each member of a census costs in one step, or on average.
 */
#include "model/costs.h"

#include "base/intern.h"
#include "base/sort.h"

#include "model/inputs.h"
#include "model/model.h"
#include "model/times.h"

enum {
    MEMORY_COSTS = 1u << TFP_COST_BYTES | 1u << TFP_COST_PEAK_BYTES |
                   1u << TFP_COST_RESIDUAL_BYTES | 1u << TFP_COST_OUTPUT_BYTES,
    /* Costs that need the detail of a record. */
    DETAIL_COSTS = MEMORY_COSTS | 1u << TFP_COST_QUEUE_MICROS
};

static void add(const tfp_costs *costs, tfp_cost cost, uint32_t member,
                int64_t value)
{
    if (tfp_costs_has(costs, cost)) {
        int64_t *sum = tfp_costs_at(costs, member, cost);
        *sum = tfp_add_sat(*sum, value);
    }
}

/* ---- Records ------------------------------------------------------------ */

/* In RunMetadata what an operation kept and what it used for a while stand
 * beside its allocators; in a profile they are part of the sums already. */
void tfp_record_memory(const tfp_exec_figures *f, bool is_profile,
                       int64_t bytes[TFP_COST_MICROS])
{
    int64_t kept = is_profile ? 0 : f->persistent_bytes;
    int64_t used = is_profile ? 0 : tfp_add_sat(kept, f->temp_bytes);
    bytes[TFP_COST_BYTES] = tfp_add_sat(f->requested_bytes, used);
    bytes[TFP_COST_PEAK_BYTES] = tfp_add_sat(f->peak_bytes, used);
    bytes[TFP_COST_RESIDUAL_BYTES] = tfp_add_sat(f->residual_bytes, kept);
    bytes[TFP_COST_OUTPUT_BYTES] = f->output_bytes;
}

static void add_memory(tfp_costs *costs, const tfp_exec_figures *figures,
                       bool is_profile, uint32_t member)
{
    int64_t bytes[TFP_COST_MICROS];
    tfp_record_memory(figures, is_profile, bytes);
    for (int cost = 0; cost < TFP_COST_MICROS; cost++)
        add(costs, (tfp_cost)cost, member, bytes[cost]);
}

/* A profile does not have it: 0 there. Nobody starts before being scheduled,
 * but clocks may say so. */
static void add_queue(tfp_costs *costs, const tfp_exec_figures *figures,
                      uint32_t member, int64_t unit)
{
    if (tfp_costs_has(costs, TFP_COST_QUEUE_MICROS) && figures->waited > 0)
        add(costs, TFP_COST_QUEUE_MICROS, member,
            tfp_time_from_micros(figures->waited, unit));
}

bool tfp_record_use_of(const tfp_census *census, const tfp_step *step,
                       const tfp_exec *exec, tfp_record_use *use)
{
    const tfp_device_role *role = &census->roles[exec->device];
    uint32_t counts = tfp_record_counts(role, exec);
    tfp_exec_figures figures;
    *use = (tfp_record_use){ .member = tfp_census_find(census, exec) };
    if (use->member == TFP_NO_ID)
        return false;
    use->is_cpu = counts & TFP_COUNTS_CPU_TIME;
    if (counts & TFP_COUNTS_TIME)
        use->time = tfp_exec_time_in(exec, role->kind,
                                     tfp_model_time_unit(census->model));
    use->runs = counts & TFP_COUNTS_RUN ? 1 : 0;
    if (counts & (TFP_COUNTS_TOTAL | TFP_COUNTS_RUNS)) {
        tfp_exec_read(step, exec, &figures);
        use->runs = tfp_add_sat(use->runs, figures.run_count);
    }
    return true;
}

static void add_record(tfp_costs *costs, const tfp_census *census,
                       const tfp_step *step, const tfp_exec *exec)
{
    const tfp_device_role *role = &census->roles[exec->device];
    tfp_exec_figures figures;
    tfp_record_use use;
    if (!tfp_record_use_of(census, step, exec, &use))
        return;
    if (use.time != 0)
        add(costs,
            use.is_cpu ? TFP_COST_CPU_MICROS : TFP_COST_ACCELERATOR_MICROS,
            use.member, use.time);
    if (use.runs != 0)
        add(costs, TFP_COST_RUNS, use.member, use.runs);
    if (tfp_record_counts(role, exec) & TFP_COUNTS_MEMORY &&
        costs->wanted & DETAIL_COSTS) {
        tfp_exec_read(step, exec, &figures);
        add_memory(costs, &figures, role->kind == TFP_EXEC_MEMORY, use.member);
        add_queue(costs, &figures, use.member,
                  tfp_model_time_unit(census->model));
    }
}

void tfp_costs_add_step(tfp_costs *costs, const tfp_census *census,
                        const tfp_step *step, tfp_watch *watch)
{
    for (size_t i = 0; i < step->execs.count && !tfp_watch_ends(watch); i++)
        add_record(costs, census, step, &step->execs.data[i]);
}

/* ---- Per member --------------------------------------------------------- */

static void sum_times(tfp_costs *costs)
{
    for (size_t i = 0; i < costs->count; i++)
        *tfp_costs_at(costs, i, TFP_COST_MICROS) = tfp_add_sat(
            *tfp_costs_at(costs, i, TFP_COST_ACCELERATOR_MICROS),
            *tfp_costs_at(costs, i, TFP_COST_CPU_MICROS));
}

/* As upstream has it: each member by the steps in which it ran. */
static void average(tfp_costs *costs, const tfp_census *census)
{
    for (size_t i = 0; i < costs->count; i++) {
        int64_t *values = costs->values + i * costs->width;
        int64_t steps = census->members.data[i].steps;
        for (size_t k = 0; steps > 1 && k < costs->width; k++)
            values[k] /= steps;
    }
}

/* The product of the dims; 0 when one of them is not known. */
static int64_t params_of(const tfp_model *model, tfp_shape shape)
{
    int rank;
    const int64_t *dims = tfp_shape_dims(model, shape, &rank);
    int64_t product = 1;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return 0;
        product = tfp_mul_sat(product, dims[i]);
    }
    return rank < 0 ? 0 : product;
}

int64_t tfp_member_params(const tfp_model *model, const tfp_member *member)
{
    return member->is_stored || member->node != TFP_NO_NODE
               ? params_of(model, tfp_member_shape(model, member))
               : 0;
}

static void count_params(tfp_costs *costs, const tfp_census *census,
                         tfp_watch *watch)
{
    const tfp_model *model = census->model;
    tfp_attrs last = 0;
    int64_t params = 0;
    for (size_t i = 0; i < census->members.count && !tfp_watch_ends(watch);
         i++) {
        const tfp_member *member = &census->members.data[i];
        if (member->is_stored)
            *tfp_costs_at(costs, i, TFP_COST_PARAMS) = params_of(
                model, tfp_member_shape(model, member));
        if (member->node == TFP_NO_NODE)
            continue;
        /* Nodes of one kind often stand together and share their list. */
        if (model->nodes.attrs[member->node] != last) {
            last = model->nodes.attrs[member->node];
            params = params_of(model, tfp_member_shape(model, member));
        }
        if (!census->counts_params || (member->node < census->counting_nodes &&
                                       census->counts_params[member->node]))
            *tfp_costs_at(costs, i, TFP_COST_PARAMS) = params;
    }
}

/* The nearest whole number. */
static int64_t divide(int64_t value, int64_t by)
{
    return tfp_time_round(value, 1, by);
}

/* `float_ops` for each of so many runs, in each of `steps` steps. */
static int64_t float_ops_of(int64_t float_ops, int64_t runs, int64_t steps)
{
    return tfp_add_sat(tfp_mul_sat(float_ops, runs / steps),
                       divide(tfp_mul_sat(float_ops, runs % steps), steps));
}

/* The runs are still those of all `steps` steps. */
static void count_float_ops(tfp_costs *costs, const tfp_census *census,
                            int64_t steps)
{
    for (size_t i = 0; i < costs->count; i++) {
        const tfp_member *member = &census->members.data[i];
        int64_t float_ops;
        if (member->node == TFP_NO_NODE)
            continue;
        float_ops = census->counted
                        ? census->counted[member->node]
                        : census->model->nodes.float_ops[member->noted];
        if (member->has_run)
            float_ops = float_ops_of(
                float_ops, *tfp_costs_at(costs, i, TFP_COST_RUNS), steps);
        *tfp_costs_at(costs, i, TFP_COST_FLOAT_OPS) = float_ops;
    }
}

/* ---- Averages of traces ------------------------------------------------- */

/* Members are compared by name, so that the order of inputs has no effect. */
static int by_name(const void *context, uint32_t a, uint32_t b)
{
    const tfp_census *census = context;
    const tfp_member *members = census->members.data;
    return tfp_span_compare(tfp_model_text(census->model, members[a].name),
                            tfp_model_text(census->model, members[b].name));
}

/* Divides the runs of all members. Runs are whole, but all of them together
 * should be those of a step: members whose quotient has the largest fraction
 * are rounded up, as many as it takes. False when out of memory. */
static bool divide_runs(tfp_costs *costs, const tfp_census *census,
                        int64_t steps)
{
    tfp_sort_item *items = tfp_memory_array(
        census->memory, 2 * costs->count + 1, sizeof(*items));
    size_t count = 0;
    int64_t rest = 0, more;
    for (size_t i = 0; items && i < costs->count; i++) {
        int64_t *runs = tfp_costs_at(costs, i, TFP_COST_RUNS);
        int64_t left = *runs % steps;
        *runs /= steps;
        if (left <= 0)
            continue;
        rest += left;
        items[count++] = (tfp_sort_item){ tfp_sort_key_falling(left),
                                          (uint32_t)i };
    }
    if (!items)
        return false;
    tfp_sort(items, count, items + count, by_name, census);
    more = divide(rest, steps);
    for (size_t i = 0; (int64_t)i < more; i++)
        ++*tfp_costs_at(costs, items[i].index, TFP_COST_RUNS);
    tfp_memory_free(census->memory, items);
    return true;
}

/* All but the runs: rounded to the nearest, so that sums over members differ by
 * little from the average of the sum. */
static void divide_costs(tfp_costs *costs, int64_t steps)
{
    size_t runs = tfp_costs_has(costs, TFP_COST_RUNS)
                      ? costs->place[TFP_COST_RUNS]
                      : costs->width;
    for (size_t i = 0; steps > 1 && i < costs->count; i++) {
        int64_t *values = costs->values + i * costs->width;
        for (size_t k = 0; k < costs->width; k++) {
            if (k != runs)
                values[k] = divide(values[k], steps);
        }
    }
}

/* ---- All of it ---------------------------------------------------------- */

/* Calls in Python are told in full: all of a trace is one step then, and other
 * traces have other threads. */
static bool has_frames(const tfp_model *model)
{
    for (size_t i = 0; i < model->inputs.count; i++) {
        if (model->inputs.data[i].trace.is_of_frames)
            return true;
    }
    return false;
}

/* With a trace, averages are over all steps. */
static bool divides_by_steps(const tfp_model *model)
{
    return model->trace_devices > 0 && !has_frames(model);
}

static int64_t steps_of_average(const tfp_census *census, int64_t asked)
{
    size_t steps = tfp_step_is_average(asked) && divides_by_steps(census->model)
                       ? tfp_model_count_steps(census->model)
                       : 0;
    return steps > 1 ? (int64_t)steps : 1;
}

/* Makes sums over steps those of the answer, and adds what follows from them.
 * False when out of memory. */
static bool finish(tfp_costs *costs, const tfp_census *census, int64_t step,
                   tfp_watch *watch)
{
    bool is_average = tfp_step_is_average(step);
    int64_t steps = steps_of_average(census, step);
    if (is_average && divides_by_steps(census->model))
        divide_costs(costs, steps);
    if (tfp_costs_has(costs, TFP_COST_MICROS) && !tfp_watch_asks(watch))
        sum_times(costs);
    if (is_average && !divides_by_steps(census->model) &&
        !tfp_watch_asks(watch))
        average(costs, census);
    if (tfp_costs_has(costs, TFP_COST_PARAMS) && !tfp_watch_asks(watch))
        count_params(costs, census, watch);
    if (tfp_costs_has(costs, TFP_COST_FLOAT_OPS) && !tfp_watch_asks(watch))
        count_float_ops(costs, census, steps);
    return steps == 1 || !tfp_costs_has(costs, TFP_COST_RUNS) ||
           tfp_watch_asks(watch) || divide_runs(costs, census, steps);
}

/* Fresh pages take longest when they are first written to. */
static bool clear(void *block, size_t size, tfp_watch *watch)
{
    enum { BYTES_BETWEEN_ASKS = 16 << 20 };
    for (size_t at = 0; at < size; at += BYTES_BETWEEN_ASKS) {
        size_t left = size - at;
        if (tfp_watch_asks(watch))
            return false;
        memset((char *)block + at, 0,
               left < BYTES_BETWEEN_ASKS ? left : BYTES_BETWEEN_ASKS);
    }
    return true;
}

bool tfp_costs_make(tfp_costs *costs, tfp_memory *memory, size_t count,
                    uint32_t wanted, tfp_watch *watch)
{
    size_t size;
    *costs = (tfp_costs){ .wanted = wanted };
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (wanted >> cost & 1)
            costs->place[cost] = (uint8_t)costs->width++;
    }
    if (count == 0 || costs->width == 0)
        return true;
    if (!tfp_mul_size(count, costs->width * sizeof(int64_t), &size))
        return false;
    costs->values = tfp_memory_alloc(memory, size);
    if (!costs->values)
        return false;
    costs->count = count;
    return clear(costs->values, size, watch);
}

int tfp_costs_init(tfp_costs *costs, const tfp_census *census, int64_t step,
                   uint32_t wanted, const tfp_cancel *cancel, tfprof_error *err)
{
    tfp_watch watch = { .cancel = cancel };
    for (int cost = 0; cost < TFP_COST_COUNT; cost++)
        wanted |= (wanted >> tfp_metrics[cost].whole & 1) << cost;
    if (wanted >> TFP_COST_FLOAT_OPS & 1)
        wanted |= 1u << TFP_COST_RUNS;
    if (!tfp_costs_make(costs, census->memory, census->members.count, wanted,
                        &watch))
        return watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
    for (size_t i = 0; i < census->model->steps.count; i++) {
        const tfp_step *one = &census->model->steps.data[i];
        if (tfp_step_is_asked(one, step))
            tfp_costs_add_step(costs, census, one, &watch);
    }
    if (!finish(costs, census, step, &watch))
        return tfp_fail_nomem(err);
    return watch.cancelled ? tfp_fail_cancelled(err) : TFPROF_OK;
}

void tfp_costs_release(tfp_costs *costs, tfp_memory *memory)
{
    tfp_memory_free(memory, costs->values);
    *costs = (tfp_costs){ 0 };
}
