/*
 * costs.h - what each member of a census costs in one step, or on average.
 *
 * An average is, for every node by itself, the sum over the steps in which it
 * ran divided by their number, rounded towards zero. Float operations are the
 * static count times the number of runs; of a node that never ran, just the
 * static count. Sums and products stop at the ends of their range.
 */
#ifndef TFP_MODEL_COSTS_H
#define TFP_MODEL_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/census.h"

typedef enum tfp_cost {
    TFP_COST_BYTES,          /* requested, whether given back or not */
    TFP_COST_PEAK_BYTES,     /* the most that was held at a time */
    TFP_COST_RESIDUAL_BYTES, /* still held when it had finished */
    TFP_COST_OUTPUT_BYTES,   /* of its outputs */
    TFP_COST_MICROS,         /* on accelerators and CPUs together */
    TFP_COST_ACCELERATOR_MICROS,
    TFP_COST_CPU_MICROS,
    TFP_COST_PARAMS,
    TFP_COST_FLOAT_OPS,
    TFP_COST_RUNS,
    TFP_COST_COUNT
} tfp_cost;

/* One column for each cost asked for, else NULL; one row for each member. */
typedef struct tfp_costs {
    int64_t *column[TFP_COST_COUNT];
    size_t count;
    uint32_t wanted; /* a bit for each column that is there */
} tfp_costs;

/* `wanted` has bit 1 << cost for each cost; a negative `step` is the average.
 * After a failure releasing is allowed. */
int tfp_costs_init(tfp_costs *costs, const tfp_census *census, int64_t step,
                   uint32_t wanted, tfprof_error *err);
void tfp_costs_release(tfp_costs *costs, tfp_memory *memory);

#endif
