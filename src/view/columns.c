/*
 * columns.c - which costs the rows of a view show.
 */
#include "view/columns.h"

#include "view/view.h"

/* Total time stands for its two parts as well. */
static bool is_selected(int64_t select, tfp_cost cost)
{
    bool is_time = cost == TFP_COST_ACCELERATOR_MICROS ||
                   cost == TFP_COST_CPU_MICROS;
    return select >> cost & 1 || (is_time && select & TFP_SELECT_MICROS);
}

/* Runs come last; the text form shows them in ways of its own. */
tfp_view_columns tfp_view_columns_of(const tfp_view_type *type, int64_t select)
{
    static const tfp_cost of_nodes[] = {
        TFP_COST_PARAMS,     TFP_COST_FLOAT_OPS,          TFP_COST_BYTES,
        TFP_COST_PEAK_BYTES, TFP_COST_RESIDUAL_BYTES,     TFP_COST_OUTPUT_BYTES,
        TFP_COST_MICROS,     TFP_COST_ACCELERATOR_MICROS, TFP_COST_CPU_MICROS,
        TFP_COST_RUNS,
    };
    static const tfp_cost of_groups[] = {
        TFP_COST_BYTES,        TFP_COST_PEAK_BYTES, TFP_COST_RESIDUAL_BYTES,
        TFP_COST_OUTPUT_BYTES, TFP_COST_MICROS,     TFP_COST_ACCELERATOR_MICROS,
        TFP_COST_CPU_MICROS,   TFP_COST_PARAMS,     TFP_COST_FLOAT_OPS,
        TFP_COST_RUNS,
    };
    const tfp_cost *order = type->groups ? of_groups : of_nodes;
    tfp_view_columns columns = { .count = 0 };
    for (size_t i = 0; i < sizeof(of_nodes) / sizeof(of_nodes[0]); i++) {
        if (is_selected(select, order[i]))
            columns.costs[columns.count++] = order[i];
    }
    return columns;
}
