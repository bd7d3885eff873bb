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
