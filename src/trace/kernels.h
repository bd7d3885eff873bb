/*
 * kernels.h - the kernels of GPUs: in which form they were launched, how
 * often, and how long they took.
 */
#ifndef TFP_TRACE_KERNELS_H
#define TFP_TRACE_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"
#include "model/gathered.h"
#include "trace/plane.h"

struct tfp_loading;

typedef struct tfp_trace_kernels {
    bool is_on;
    TFP_VEC(tfp_kernel) rows;
    TFP_VEC(uint32_t) nodes; /* by row */
    tfp_interner keys;       /* item k + 1 is rows.data[k] */
} tfp_trace_kernels;

/* All of these: false when out of memory. */
bool tfp_kernels_init(struct tfp_loading *l);
void tfp_kernels_release(struct tfp_loading *l);
bool tfp_kernels_add(struct tfp_loading *l, const tfp_event *event,
                     uint32_t node);

/* Once the nodes have their names. */
bool tfp_kernels_finish(struct tfp_loading *l);

#endif
