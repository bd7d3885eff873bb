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

tfp_view_columns tfp_view_cost_columns(const tfp_view *v)
{
    return tfp_view_columns_of(v->type, v->select);
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
