/*
 * count.h - the arithmetic of every node of every instance.
 */
#ifndef TFP_OPS_COUNT_H
#define TFP_OPS_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "ops/fact/shapes.h"
#include "ops/flops/formula.h"

/* The two ways to count. */
typedef enum tfp_column {
    TFP_COLUMN_FULL,
    TFP_COLUMN_UPSTREAM, /* as TensorFlow's profiler does */
    TFP_COLUMN_COUNT
} tfp_column;

/* All of one run of the node. */
typedef struct tfp_node_count {
    tfp_work work;
    int64_t upstream; /* float operations as TensorFlow's profiler has them */
    uint8_t counted, counted_upstream; /* tfp_counted */
} tfp_node_count;

typedef struct tfp_counts {
    tfp_memory *memory;
    tfp_shapes *shapes;
    tfp_formulas formulas;
    tfp_node_count **of; /* of each instance: one for each node of its graph */
    size_t instance_count;
    /* Of each instance, by column: it is in a branch that is not taken, since
     * another one costs more. Only one branch counts. */
    bool *skipped[TFP_COLUMN_COUNT];
    bool has_branches; /* among which one was chosen */
} tfp_counts;

/* `user` may be NULL. After a failure releasing is allowed. */
int tfp_counts_init(tfp_counts *counts, tfp_shapes *shapes,
                    const tfp_user_formulas *user, tfp_memory *memory,
                    const tfp_cancel *cancel, tfprof_error *err);
void tfp_counts_release(tfp_counts *counts);

/* Is the instance the one that the question is about, or called from it? */
bool tfp_counts_has(const tfp_counts *counts, uint32_t instance);

/* Chooses the dearest branch of each call that has several: by float
 * operations, then by integer operations, then the first. False when out of
 * memory. */
bool tfp_counts_choose(tfp_counts *counts);

#endif
