/*
 * loading.h - what the readers of hosts and of devices share.
 */
#ifndef TFP_TRACE_LOADING_H
#define TFP_TRACE_LOADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/devices.h"
#include "model/ids.h"
#include "trace/choice.h"
#include "trace/frames.h"
#include "trace/groups.h"
#include "trace/kernels.h"
#include "trace/memory.h"
#include "trace/nodes.h"
#include "trace/space.h"
#include "trace/spans.h"
#include "trace/trace.h"

/* How an operation came to its step. */
typedef enum tfp_way {
    TFP_WAY_STATED, /* the event has the number of its group */
    TFP_WAY_LINK,   /* it is inside of the step, or links lead to it */
    TFP_WAY_TIME,   /* it starts in the time of the step */
    TFP_WAY_NONE,   /* it is in no step */
    TFP_WAYS
} tfp_way;

/* Where operations ran. */
typedef struct tfp_trace_device {
    tfp_string name;
    tfp_device_parts parts; /* of the name */
    bool is_accelerator;
} tfp_trace_device;

/* What one node did in one step on one device. */
typedef struct tfp_trace_sum {
    uint32_t step, node, device;
    int64_t first; /* start of its first run */
    int64_t time;  /* in picoseconds */
    int64_t runs;
} tfp_trace_sum;

/* An operation of the host, until the groups are known. */
typedef struct tfp_host_op {
    int64_t begin, self, length;
    int64_t runs;
    uint32_t node, device;
    uint32_t anchor; /* that it is inside of, or TFP_NO_ID */
    uint32_t step;   /* stated, else TFP_NO_ID */
    bool is_aggregated;
} tfp_host_op;

typedef struct tfp_launch {
    int64_t correlation;
    uint32_t anchor;
} tfp_launch;

typedef struct tfp_loading {
    const tfp_trace_request *request;
    tfp_memory *memory;
    tfp_space *space;
    tfp_groups groups;
    tfp_trace_nodes nodes;
    bool states_groups;     /* all planes have stat "group_id" */
    bool has_no_groups;     /* names tell of loops that xprof does not group */
    tfp_id_map data_graphs; /* ids of graphs that tf.data runs */
    TFP_VEC(tfp_host_op) host_ops;
    TFP_VEC(tfp_launch) launches;
    tfp_id_map launch_anchors; /* correlation -> anchor */
    TFP_VEC(tfp_trace_device) devices;
    tfp_interner device_keys; /* item k + 1 is devices.data[k] */
    TFP_VEC(tfp_trace_sum) sums;
    tfp_interner sum_keys;       /* {step, node, device}, likewise */
    TFP_VEC(uint32_t) last_sums; /* by node: its last, plus 1, or 0 */
    TFP_VEC(int64_t) steps;      /* their numbers */
    tfp_interner step_keys;      /* likewise */
    TFP_VEC(uint32_t) step_of_group;
    tfp_step_choice choice;    /* of steps, in place of what marks them */
    bool is_searched;          /* whether there is one is known */
    bool has_to_restart;       /* it was just made */
    bool has_starts;           /* markers of steps are only where they start */
    tfp_trace_spans spans;     /* where the question asks for them */
    tfp_trace_kernels kernels; /* likewise */
    tfp_trace_memory allocations;
    tfp_trace_frames frames; /* likewise, in the place of all else */
    int64_t ways[TFP_WAYS];
    int64_t only_step;         /* the number of all of it, if it has no steps */
    tfp_interner device_steps; /* numbers that devices give to steps */
    int64_t repeated_steps;    /* groups whose number another group has */
    int64_t odd_events, unnamed_events;
    /* For a taker of single events: */
    TFP_VEC(uint32_t)
    event_anchors;         /* that events of hosts are inside of, in
                            * the order in which they are read */
    size_t given_events;   /* of these */
    bool is_giving;        /* planes are read a second time, for the taker */
    bool is_device;        /* the plane at hand is one */
    TFP_VEC(uint8_t) text; /* scratch */
    tfp_watch watch;
} tfp_loading;

/* ---- Shared ------------------------------------------------------------- */

/* Does the line repeat, in another form, what other lines have? */
bool tfp_line_is_derived(const tfp_trace_line *line);

/* Does a line of a GPU have kernels, and not what others have? */
bool tfp_line_is_stream(const tfp_trace_line *line);

/* Appends two texts to l->text. False when out of memory. */
bool tfp_loading_put(tfp_loading *l, const char *text, tfp_span more);

/* The index of a device: "/host:NAME/device:GPU:0". TFP_NO_ID when out of
 * memory. */
uint32_t tfp_loading_device(tfp_loading *l, const char *kind, tfp_span number,
                            bool is_accelerator);

/* The index of the step with a number. TFP_NO_ID when out of memory. */
uint32_t tfp_loading_step(tfp_loading *l, int64_t number);

/* What an event in a step, or in none (TFP_NO_ID), is part of: a number, or
 * TFP_STEP_REST. */
int64_t tfp_loading_number(const tfp_loading *l, uint32_t step);

/* Adds `runs` runs to a sum. */
typedef struct tfp_trace_run {
    uint32_t step;  /* TFP_NO_ID: in none */
    uint32_t owner; /* the same, but TFP_NO_ID where only time tells it */
    uint32_t node, device;
    int64_t begin, time, runs;
    int64_t length; /* with what ran inside of it; 0 for several runs */
    bool is_copy;   /* of memory */
} tfp_trace_run;
bool tfp_loading_add(tfp_loading *l, const tfp_trace_run *run);

/* The step of something that is inside of `anchor` and starts at `begin`;
 * counts the way. */
uint32_t tfp_loading_place(tfp_loading *l, uint32_t anchor, int64_t begin);

/* The group of an event of a host, which may be TFP_NO_ID. */
uint32_t tfp_loading_group(const tfp_loading *l, uint32_t anchor, int64_t begin,
                           tfp_way *way);

/* The same as tfp_loading_place(), of an event of a host. */
uint32_t tfp_loading_place_host(tfp_loading *l, uint32_t anchor, int64_t begin);

/* Adds the pools of the allocators to the model, once the steps are known. */
int tfp_loading_add_pools(tfp_loading *l, tfprof_error *err);

/* The same of something that has no place in the time of the steps. */
uint32_t tfp_loading_place_timeless(tfp_loading *l, uint32_t anchor);

/* Links of this type go from one process to another, and to a TPU. */
enum { TFP_LINK_TPU_LAUNCH = 12 };

/* ---- Readers ------------------------------------------------------------ */

int tfp_read_host(tfp_loading *l, tfp_plane *plane, tfprof_error *err);
int tfp_read_gpu(tfp_loading *l, tfp_plane *plane, tfprof_error *err);
int tfp_read_tpu(tfp_loading *l, tfp_plane *plane, tfprof_error *err);

/* Notes the numbers of the steps that a TPU marks, so that no step of a host
 * without a number gets one of them. */
int tfp_note_tpu_steps(tfp_loading *l, tfp_plane *plane, tfprof_error *err);

#endif
