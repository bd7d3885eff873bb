/*
 * aggregate.h - many steps folded into one table of rows.
 *
 * After the steps of a model are added, the model may drop them: nothing here
 * refers to it. So memory holds the steps of one file, the rows, and the times
 * of each step.
 */
#ifndef TFP_AGGREGATE_AGGREGATE_H
#define TFP_AGGREGATE_AGGREGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/places.h"
#include "aggregate/rows.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/model.h"

enum {
    TFP_AGGREGATE_DEPTH = 5,        /* of rows, if no depth is given */
    TFP_AGGREGATE_MOST_DEPTH = 100, /* names grow with each level */
    TFP_AGGREGATE_LIMIT = 10000     /* of rows */
};

/* Times of a step, in nanoseconds; -1: unknown. If the step has several devices
 * or hosts, each time is the longest one, except the times by kind: these are
 * the sums of all operations. */
typedef struct tfp_agg_step {
    int64_t number;
    int64_t wall, on_device, busy, waited;
    int64_t kinds[TFP_KIND_COUNT];
} tfp_agg_step;

typedef struct tfp_aggregate {
    tfp_memory *memory;
    tfp_agg_rows rows;
    TFP_VEC(tfp_agg_step) steps;
    uint32_t max_depth;
    uint64_t graph; /* see tfp_aggregate_add_graph() */
    bool has_graph;
} tfp_aggregate;

/* False when out of memory; releasing is allowed then. */
bool tfp_aggregate_init(tfp_aggregate *aggregate, tfp_memory *memory,
                        uint32_t max_depth, size_t limit);
void tfp_aggregate_release(tfp_aggregate *aggregate);

/* Adds the graphs of a model to the hash: the sum over all nodes of XXH3_64,
 * with the seed 0, of the name, a NUL and the operation type. So the order of
 * nodes does not matter. Graphs of traces are left out: they contain only what
 * ran, which differs between traces. */
void tfp_aggregate_add_graph(tfp_aggregate *aggregate, const tfp_model *model);

/* Adds all steps of the model, but not what traces contain outside of steps.
 * `census` must describe the current state of the model. A model with traces
 * must have been read with TFP_GATHER_STEPS and TFP_GATHER_NO_REST. `cancel`
 * may be NULL. */
int tfp_aggregate_add_steps(tfp_aggregate *aggregate, tfp_agg_places *places,
                            const tfp_census *census, const tfp_cancel *cancel,
                            tfprof_error *err);

#endif
