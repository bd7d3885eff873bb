/*
 * gathered.h - what traces are read for beyond the sums of nodes.
 *
 * Steps, kernels and the use of devices need more of a trace than the views
 * do, so it is gathered only for a question that asks for it: `gathers` of a
 * model says what, before its inputs are read. Times are picoseconds since
 * the trace began; -1 is a time that is not known.
 */
#ifndef TFP_MODEL_GATHERED_H
#define TFP_MODEL_GATHERED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "model/devices.h"
#include "model/ids.h"

enum {
    TFP_GATHER_STEPS = 1 << 0,
    TFP_GATHER_KERNELS = 1 << 1,
    TFP_GATHER_MEMORY = 1 << 2,
    TFP_GATHER_PEAKS = 1 << 3, /* live sets at other peaks than the highest */
    /* Keeps less instead of more: memory and outputs of RunMetadata are read,
     * to detect damage, but not kept. */
    TFP_GATHER_TIMES_ONLY = 1 << 4,
    /* Also keeps less: if a trace has steps, run records outside of them are
     * not kept. */
    TFP_GATHER_NO_REST = 1 << 5
};

/* One step of one trace. */
typedef struct tfp_step_time {
    uint32_t input;      /* number of the trace */
    int64_t number;      /* 0 of the rest */
    int64_t begin, wall; /* by the longest marker of the host */
    int64_t waited;      /* for input: what it ran of IteratorGetNext, cut to
                          * the marker where there is one */
    int64_t accelerated; /* in which at least one accelerator ran for it; -1:
                          * none did */
    bool is_rest;        /* not a step, but what ran outside of all */
    bool has_runs;       /* of any device */
} tfp_step_time;

/* What a device did in it. */
typedef struct tfp_step_device {
    uint32_t step;     /* index into gathered.steps */
    tfp_string device; /* its name */
    tfp_device_parts parts;
    bool is_accelerator;
    int64_t runs;
    int64_t busy;        /* the time in which at least one of them ran */
    int64_t first, last; /* begin of the first, end of the last */
    int64_t marker;      /* of an accelerator: the longest time in which it ran
                          * for this step alone, as xprof has it */
} tfp_step_device;

/* How long a step lasted for a device: by the marker of the host, else by that
 * of the device, else from its first run to its last. */
static inline int64_t tfp_step_whole(const tfp_step_time *step,
                                     const tfp_step_device *on)
{
    if (step->wall >= 0)
        return step->wall;
    return on->marker >= 0 ? on->marker : tfp_sub_sat(on->last, on->first);
}

/* The rest of it, in which the device ran nothing. */
static inline int64_t tfp_step_idle(const tfp_step_time *step,
                                    const tfp_step_device *on)
{
    int64_t idle = tfp_sub_sat(tfp_step_whole(step, on), on->busy);
    return idle > 0 ? idle : 0;
}

/* What a device did in a trace. What it can do is told with its plane
 * (inputs.h). The steps of a trace last equally long for all its devices:
 * busy_in_steps + idle_in_steps is the same for each of them (see
 * find_window() in trace/spans.c). Work is that in steps, too, if the trace
 * has any. */
typedef struct tfp_device_use {
    uint32_t input;
    tfp_string device; /* its name */
    tfp_device_parts parts;
    bool is_accelerator;
    int64_t runs;
    int64_t steps; /* of the trace in which any device ran */
    int64_t busy_in_steps, idle_in_steps; /* sums over these */
    int64_t busy, first, last;            /* of the whole trace */
    int64_t time;         /* self times of all runs; they may overlap */
    int64_t float_ops;    /* of the runs where they are known... */
    int64_t counted_time; /* ...and how long these took */
    int64_t bytes;        /* read and written, likewise */
    int64_t bytes_time;
    int64_t copied;  /* the time in which it copied and ran nothing else */
    tfp_string late; /* of an accelerator: the node that it idled for longest,
                      * before its runs in steps; 0: none */
} tfp_device_use;

/* Launches of one kernel in one form for one operation, on all devices of a
 * trace. */
typedef struct tfp_kernel {
    tfp_string name, node;
    tfp_string grid, block; /* "1,2,3", as the trace has them */
    int64_t registers, shared_bytes;
    double occupancy; /* in percent; below 0: unknown */
    tfp_stack trace;  /* of the node */
    int64_t count, total, least, most;
    int64_t launch; /* the time of the host in launching them; -1: unknown */
} tfp_kernel;

/* Copies of one kind ("MemcpyH2D") for one operation, likewise. */
typedef struct tfp_copy {
    tfp_string kind, node;
    int64_t count, total;
    int64_t bytes; /* of those whose size is known... */
    int64_t timed; /* ...and how long these took */
} tfp_copy;

/* Does the name of an operation or an event say that it waits for input? */
static inline bool tfp_waits_for_input(tfp_span name)
{
    return tfp_span_starts_any_case(name, "iteratorgetnext");
}

/* A node says so in the last part of its name. */
static inline bool tfp_node_waits_for_input(tfp_span name)
{
    size_t from = name.size;
    while (from > 0 && name.data[from - 1] != '/')
        from--;
    return tfp_waits_for_input(
        (tfp_span){ name.data + from, name.size - from });
}

typedef struct tfp_gathered {
    TFP_VEC(tfp_step_time) steps;          /* by trace, and in each by number */
    TFP_VEC(tfp_step_device) step_devices; /* by step */
    TFP_VEC(tfp_device_use) devices;
    TFP_VEC(tfp_kernel) kernels;
    TFP_VEC(tfp_copy) copies; /* with the kernels */
} tfp_gathered;

/* Removes everything; the memory is kept for what comes next. */
void tfp_gathered_clear(tfp_gathered *gathered);

void tfp_gathered_release(tfp_gathered *gathered, tfp_memory *memory);

#endif
