/*
 * kernels.h - the kernels of GPUs: in which form they were launched, how
 * often, and how long they took; and the copies likewise.
 */
#ifndef TFP_TRACE_KERNELS_H
#define TFP_TRACE_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"
#include "model/gathered.h"
#include "trace/id_map.h"
#include "trace/plane.h"

struct tfp_loading;

typedef struct tfp_trace_kernels {
    bool is_on;
    TFP_VEC(tfp_kernel) rows;
    TFP_VEC(uint32_t) nodes; /* by row */
    tfp_interner keys;       /* item k + 1 is rows.data[k] */
    TFP_VEC(tfp_copy) copies;
    TFP_VEC(uint32_t) copy_nodes; /* by copy */
    tfp_interner copy_keys;       /* likewise */
    tfp_id_map launches;          /* correlation -> launch_times */
    TFP_VEC(int64_t) launch_times;
} tfp_trace_kernels;

/* All of these: false when out of memory. */
bool tfp_kernels_init(struct tfp_loading *l);
void tfp_kernels_release(struct tfp_loading *l);
bool tfp_kernels_add(struct tfp_loading *l, const tfp_event *event,
                     uint32_t node);

/* An event of a host that may be a launch. They come before the kernels. */
bool tfp_kernels_add_launch(struct tfp_loading *l, const tfp_event *event);

/* Once the nodes have their names. */
bool tfp_kernels_finish(struct tfp_loading *l);

#endif
