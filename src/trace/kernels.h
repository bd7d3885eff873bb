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

/* A call of the host that launched kernels: its time counts with the one that
 * starts first. */
typedef struct tfp_kernel_launch {
    int64_t time;
    int64_t begin; /* of that kernel... */
    uint32_t row;  /* ...and its row, or TFP_NO_ID */
} tfp_kernel_launch;

/* A kernel of another row that starts at the same time. */
typedef struct tfp_launch_rival {
    int64_t begin;
    uint32_t launch, row;
} tfp_launch_rival;

typedef struct tfp_trace_kernels {
    bool is_on;
    TFP_VEC(tfp_kernel) rows;
    TFP_VEC(tfp_string) details; /* by row: of its launches */
    TFP_VEC(uint32_t) nodes;     /* by row */
    tfp_interner keys;           /* item k + 1 is rows.data[k] */
    tfp_id_map forms; /* details, a tfp_string -> a row of that form */
    TFP_VEC(tfp_copy) copies;
    TFP_VEC(uint32_t) copy_nodes; /* by copy */
    tfp_interner copy_keys;       /* likewise */
    tfp_id_map copy_details;      /* a tfp_string -> copy_sizes */
    TFP_VEC(int64_t) copy_sizes;
    tfp_id_map correlations; /* -> launches */
    TFP_VEC(tfp_kernel_launch) launches;
    TFP_VEC(tfp_launch_rival) rivals;
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
