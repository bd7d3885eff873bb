/*
 * count.h - the arithmetic of every node of every instance.
 */
#ifndef TFP_FLOPS_COUNT_H
#define TFP_FLOPS_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "flops/formula.h"
#include "shape/shapes.h"

/* All of one run of the node. */
typedef struct tfp_node_count {
    tfp_work work;
    int64_t upstream; /* float operations as TensorFlow's profiler has them */
    uint8_t counted, counted_upstream; /* tfp_counted */
} tfp_node_count;

typedef struct tfp_counts {
    tfp_memory *memory;
    tfp_shapes *shapes;
    tfp_node_count **of; /* of each instance: one for each node of its graph */
    size_t instance_count;
} tfp_counts;

/* After a failure releasing is allowed. */
int tfp_counts_init(tfp_counts *counts, tfp_shapes *shapes, tfp_memory *memory,
                    const tfp_cancel *cancel, tfprof_error *err);
void tfp_counts_release(tfp_counts *counts);

#endif
