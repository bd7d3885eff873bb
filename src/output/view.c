/*
 * view.c - a view's rows in some format: what the formats share.
 */
#include "output/view.h"

const char *const tfp_cost_names[TFP_COST_COUNT] = {
    [TFP_COST_BYTES] = "bytes",
    [TFP_COST_PEAK_BYTES] = "peak_bytes",
    [TFP_COST_RESIDUAL_BYTES] = "residual_bytes",
    [TFP_COST_OUTPUT_BYTES] = "output_bytes",
    [TFP_COST_MICROS] = "micros",
    [TFP_COST_ACCELERATOR_MICROS] = "accelerator_micros",
    [TFP_COST_CPU_MICROS] = "cpu_micros",
    [TFP_COST_PARAMS] = "params",
    [TFP_COST_FLOAT_OPS] = "float_ops",
    [TFP_COST_RUNS] = "runs",
};

const char *const tfp_cost_units[TFP_COST_COUNT] = {
    [TFP_COST_BYTES] = "bytes",
    [TFP_COST_PEAK_BYTES] = "bytes",
    [TFP_COST_RESIDUAL_BYTES] = "bytes",
    [TFP_COST_OUTPUT_BYTES] = "bytes",
    [TFP_COST_MICROS] = "microseconds",
    [TFP_COST_ACCELERATOR_MICROS] = "microseconds",
    [TFP_COST_CPU_MICROS] = "microseconds",
    [TFP_COST_PARAMS] = "count",
    [TFP_COST_FLOAT_OPS] = "count",
    [TFP_COST_RUNS] = "count",
};

/* Total time stands for its two parts as well. */
static bool is_selected(const tfp_view *v, tfp_cost cost)
{
    bool is_time = cost == TFP_COST_ACCELERATOR_MICROS ||
                   cost == TFP_COST_CPU_MICROS;
    return v->select >> cost & 1 || (is_time && v->select & TFP_SELECT_MICROS);
}

/* Runs come last; the text form shows them in ways of its own. */
tfp_view_columns tfp_view_cost_columns(const tfp_view *v)
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
    const tfp_cost *order = v->type->groups ? of_groups : of_nodes;
    tfp_view_columns columns = { .count = 0 };
    for (size_t i = 0; i < sizeof(of_nodes) / sizeof(of_nodes[0]); i++) {
        if (is_selected(v, order[i]))
            columns.costs[columns.count++] = order[i];
    }
    return columns;
}

int tfp_view_write(const tfp_view *v, tfp_sink *sink, tfprof_error *err)
{
    bool ok = true;
    int status = TFPROF_OK;
    switch (v->options->format) {
    case TFP_FORMAT_JSON: ok = tfp_view_write_json(v, sink); break;
    case TFP_FORMAT_CSV: ok = tfp_view_write_csv(v, sink); break;
    case TFP_FORMAT_PROTO: status = tfp_view_write_proto(v, sink, err); break;
    default: ok = tfp_view_write_text(v, sink); break;
    }
    if (v->values && v->values->stopped) {
        if (err)
            *err = v->values->why;
        return v->values->status;
    }
    return ok ? status : tfp_fail_nomem(err);
}
