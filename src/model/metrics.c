/*
 * metrics.c - what can be counted: one table, a row for each metric.
 */
#include "model/metrics.h"

#define METRIC(id, word, name, field, unit, whole, traits, legend, suffix,     \
               op_suffix, title, minimum)                                      \
    [TFP_COST_##id] = {                                                        \
        #word, #name, title, TFP_UNIT_##unit, TFP_COST_##whole, traits         \
    },
const tfp_metric tfp_metrics[TFP_COST_COUNT] = { TFP_ALL_METRICS(METRIC) };
#undef METRIC

#define METRIC(id, name, title) [TFP_STEP_##id] = { #name, title },
const tfp_metric_of_step tfp_step_metrics[TFP_STEP_METRIC_COUNT] = {
    TFP_STEP_METRICS(METRIC)
};
#undef METRIC

int tfp_step_metric_find(tfp_span name)
{
    for (int i = 0; i < TFP_STEP_METRIC_COUNT; i++) {
        if (tfp_span_is(name, tfp_step_metrics[i].name))
            return i;
    }
    return -1;
}

const char *tfp_unit_name(tfp_unit unit)
{
    static const char *const names[] = {
        [TFP_UNIT_BYTES] = "bytes",
        [TFP_UNIT_MICROS] = "microseconds",
        [TFP_UNIT_COUNT] = "count",
    };
    return names[unit];
}

uint32_t tfp_metrics_with(uint32_t traits)
{
    uint32_t found = 0;
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (tfp_metrics[cost].traits & traits)
            found |= 1u << cost;
    }
    return found;
}
