/*
 * costs.c - what each member of a census costs in one step, or on average.
 */
#include "model/costs.h"

#include "model/model.h"

enum {
    MEMORY_COSTS = 1u << TFP_COST_BYTES | 1u << TFP_COST_PEAK_BYTES |
                   1u << TFP_COST_RESIDUAL_BYTES | 1u << TFP_COST_OUTPUT_BYTES,
    TIME_COSTS = 1u << TFP_COST_ACCELERATOR_MICROS | 1u << TFP_COST_CPU_MICROS
};

static void add(tfp_costs *costs, tfp_cost cost, uint32_t member, int64_t value)
{
    int64_t *column = costs->column[cost];
    if (column)
        column[member] = tfp_add_sat(column[member], value);
}

/* ---- Records ------------------------------------------------------------ */

/* An operation that took no whole microsecond took one: it did run. */
static int64_t time_of(const tfp_exec *exec)
{
    return exec->length == 0 ? 1 : exec->length;
}

static void add_time(tfp_costs *costs, const tfp_device_role *role,
                     const tfp_exec *exec, uint32_t member)
{
    bool is_profile = role->kind == TFP_EXEC_TIME;
    /* Without a start a record says nothing about time. */
    if (!is_profile && exec->start <= 0)
        return;
    if (role->is_accelerator) {
        add(costs, TFP_COST_ACCELERATOR_MICROS, member,
            is_profile ? exec->length : time_of(exec));
    } else if (is_profile) {
        add(costs, TFP_COST_CPU_MICROS, member, exec->length);
    } else if (role->owns_nodes) {
        add(costs, TFP_COST_CPU_MICROS, member, time_of(exec));
        add(costs, TFP_COST_RUNS, member, 1);
    }
}

/* In RunMetadata what an operation kept and what it used for a while stand
 * beside its allocators; in a profile they are part of the sums already. */
static void add_memory(tfp_costs *costs, const tfp_exec_figures *f,
                       bool is_profile, uint32_t member)
{
    int64_t kept = is_profile ? 0 : f->persistent_bytes;
    int64_t used = is_profile ? 0 : tfp_add_sat(kept, f->temp_bytes);
    add(costs, TFP_COST_BYTES, member, tfp_add_sat(f->requested_bytes, used));
    add(costs, TFP_COST_PEAK_BYTES, member, tfp_add_sat(f->peak_bytes, used));
    add(costs, TFP_COST_RESIDUAL_BYTES, member,
        tfp_add_sat(f->residual_bytes, kept));
    add(costs, TFP_COST_OUTPUT_BYTES, member, f->output_bytes);
}

static void add_record(tfp_costs *costs, const tfp_census *census,
                       const tfp_step *step, const tfp_exec *exec,
                       uint32_t wanted)
{
    const tfp_device_role *role = &census->roles[exec->device];
    uint32_t member = tfp_census_find(census, exec);
    tfp_exec_figures figures;
    if (member == TFP_NO_ID)
        return;
    if (role->kind == TFP_EXEC_RUN || role->kind == TFP_EXEC_TIME)
        add_time(costs, role, exec, member);
    if (role->kind == TFP_EXEC_TOTAL && costs->column[TFP_COST_RUNS]) {
        tfp_exec_read(step, exec, &figures);
        add(costs, TFP_COST_RUNS, member, figures.run_count);
    }
    if (!(wanted & MEMORY_COSTS))
        return;
    if (role->kind == TFP_EXEC_MEMORY ||
        (role->owns_nodes && exec->start > 0)) {
        tfp_exec_read(step, exec, &figures);
        add_memory(costs, &figures, role->kind == TFP_EXEC_MEMORY, member);
    }
}

static void add_step(tfp_costs *costs, const tfp_census *census,
                     const tfp_step *step, uint32_t wanted)
{
    for (size_t i = 0; i < step->execs.count; i++)
        add_record(costs, census, step, &step->execs.data[i], wanted);
}

/* ---- Per member --------------------------------------------------------- */

static void sum_times(tfp_costs *costs)
{
    const int64_t *accelerator = costs->column[TFP_COST_ACCELERATOR_MICROS];
    const int64_t *cpu = costs->column[TFP_COST_CPU_MICROS];
    for (size_t i = 0; i < costs->count; i++)
        costs->column[TFP_COST_MICROS][i] = tfp_add_sat(accelerator[i], cpu[i]);
}

static void average(tfp_costs *costs, const tfp_census *census)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        int64_t *column = costs->column[cost];
        for (size_t i = 0; column && i < costs->count; i++) {
            if (census->members.data[i].steps > 1)
                column[i] /= census->members.data[i].steps;
        }
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

static void count_params(int64_t *column, const tfp_census *census)
{
    const tfp_model *model = census->model;
    tfp_attrs last = 0;
    int64_t params = 0;
    for (size_t i = 0; i < census->members.count; i++) {
        const tfp_member *member = &census->members.data[i];
        if (member->node == TFP_NO_NODE)
            continue;
        /* Nodes of one kind often stand together and share their list. */
        if (model->nodes.attrs[member->node] != last) {
            last = model->nodes.attrs[member->node];
            params = params_of(model, tfp_member_shape(model, member));
        }
        column[i] = params;
    }
}

static void count_float_ops(tfp_costs *costs, const tfp_census *census)
{
    const int64_t *runs = costs->column[TFP_COST_RUNS];
    int64_t *column = costs->column[TFP_COST_FLOAT_OPS];
    for (size_t i = 0; i < costs->count; i++) {
        const tfp_member *member = &census->members.data[i];
        if (member->node == TFP_NO_NODE)
            continue;
        column[i] = census->model->nodes.float_ops[member->node];
        if (member->steps > 0)
            column[i] = tfp_mul_sat(column[i], runs[i]);
    }
}

/* ---- All of it ---------------------------------------------------------- */

static bool make_columns(tfp_costs *costs, tfp_memory *memory, uint32_t wanted)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        size_t size = costs->count * sizeof(int64_t);
        if (!(wanted >> cost & 1) || size == 0)
            continue;
        costs->column[cost] = tfp_memory_resize(memory, NULL, 0, size);
        if (!costs->column[cost])
            return false;
        memset(costs->column[cost], 0, size);
    }
    return true;
}

int tfp_costs_init(tfp_costs *costs, const tfp_census *census, int64_t step,
                   uint32_t wanted, tfprof_error *err)
{
    *costs = (tfp_costs){ .count = census->members.count };
    if (wanted >> TFP_COST_MICROS & 1)
        wanted |= TIME_COSTS;
    if (wanted >> TFP_COST_FLOAT_OPS & 1)
        wanted |= 1u << TFP_COST_RUNS;
    costs->wanted = wanted;
    if (!make_columns(costs, census->memory, wanted))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < census->model->steps.count; i++) {
        const tfp_step *one = &census->model->steps.data[i];
        if (step < 0 || one->id == step)
            add_step(costs, census, one, wanted);
    }
    if (costs->column[TFP_COST_MICROS])
        sum_times(costs);
    if (step < 0)
        average(costs, census);
    if (costs->column[TFP_COST_PARAMS])
        count_params(costs->column[TFP_COST_PARAMS], census);
    if (costs->column[TFP_COST_FLOAT_OPS])
        count_float_ops(costs, census);
    return TFPROF_OK;
}

void tfp_costs_release(tfp_costs *costs, tfp_memory *memory)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        tfp_memory_free(memory, costs->column[cost],
                        costs->column[cost] ? costs->count * sizeof(int64_t)
                                            : 0);
        costs->column[cost] = NULL;
    }
}
