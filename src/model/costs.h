/*
 * costs.h - what each member of a census costs in one step, or on average.
 *
 * An average is, for every node by itself, the sum over the steps in which it
 * ran divided by their number, rounded towards zero. If the model has a trace,
 * it is the sum divided by the number of all steps, rounded to the nearest:
 * then the costs of a step are the sum of those of its nodes. What traces ran
 * outside of their steps is left out. Float operations are the static count
 * times the number of runs; of a node that never ran, just the static count.
 * Sums and products stop at the ends of their range. Times have the unit that
 * all of the model have (times.h).
 */
#ifndef TFP_MODEL_COSTS_H
#define TFP_MODEL_COSTS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/metrics.h"

/* What one run record says about memory; TFP_COST_BYTES and the three that
 * follow it, each at its place. */
void tfp_record_memory(const tfp_exec_figures *figures, bool is_profile,
                       int64_t bytes[TFP_COST_MICROS]);

/* The time and the number of runs of one run record. */
typedef struct tfp_record_use {
    uint32_t member; /* that the record belongs to */
    bool is_cpu;     /* else its time is one of an accelerator */
    int64_t time;    /* in the unit of the model; 0: none */
    int64_t runs;
} tfp_record_use;

/* False if the record does not belong to a member. */
bool tfp_record_use_of(const tfp_census *census, const tfp_step *step,
                       const tfp_exec *exec, tfp_record_use *use);

/* For each member the costs asked for, side by side: an answer looks at all
 * of a row, and they then share a cache line. */
typedef struct tfp_costs {
    int64_t *values; /* `width` of them for each of `count` members */
    size_t count;
    size_t width;
    uint32_t wanted;               /* a bit for each cost that is there */
    uint8_t place[TFP_COST_COUNT]; /* of a cost among those of a member */
} tfp_costs;

/* Makes room for the costs of `count` members, all 0. False when out of memory
 * or cancelled. */
bool tfp_costs_make(tfp_costs *costs, tfp_memory *memory, size_t count,
                    uint32_t wanted, tfp_watch *watch);

static inline bool tfp_costs_has(const tfp_costs *costs, tfp_cost cost)
{
    return costs->wanted >> cost & 1;
}

/* Where a cost stands. It must be wanted. */
static inline int64_t *tfp_costs_at(const tfp_costs *costs, size_t member,
                                    tfp_cost cost)
{
    assert(tfp_costs_has(costs, cost));
    return &costs->values[member * costs->width + costs->place[cost]];
}

/* Adds all costs of one member to those of another, which may stand in
 * another table of the same costs. */
static inline void tfp_costs_add(const tfp_costs *to, size_t member,
                                 const tfp_costs *from, size_t other)
{
    size_t at = member * to->width, more = other * from->width;
    for (size_t i = 0; i < to->width; i++)
        to->values[at + i] = tfp_add_sat(to->values[at + i],
                                         from->values[more + i]);
}

/* Adds the records of one step: times of CPU and accelerators, runs, memory and
 * queue time, as far as they are wanted. TFP_COST_MICROS, their sum, is not
 * changed. Returns early if the watch is canceled. */
void tfp_costs_add_step(tfp_costs *costs, const tfp_census *census,
                        const tfp_step *step, tfp_watch *watch);

/* `wanted` has bit 1 << cost for each cost; `step` is a number,
 * TFP_STEP_AVERAGE or TFP_STEP_REST; `cancel` may be NULL. After a failure
 * releasing is allowed. */
int tfp_costs_init(tfp_costs *costs, const tfp_census *census, int64_t step,
                   uint32_t wanted, const tfp_cancel *cancel,
                   tfprof_error *err);
void tfp_costs_release(tfp_costs *costs, tfp_memory *memory);

/* The parameters that a member has by its shape; 0 when it is not known. */
int64_t tfp_member_params(const tfp_model *model, const tfp_member *member);

#endif
