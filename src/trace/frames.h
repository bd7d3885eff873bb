/*
 * frames.h - the calls that the tracer of Python recorded, as a tree for each
 * thread.
 *
 * They are read in the place of operations: both have times of the same
 * moments, so that together they would count twice.
 */
#ifndef TFP_TRACE_FRAMES_H
#define TFP_TRACE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"
#include "trace/plane.h"

struct tfp_loading;

/* All calls of one function from one place of the tree. */
typedef struct tfp_python_call {
    tfp_stack stack;
    uint32_t node; /* TFP_NO_ID: it stands for a thread */
    int64_t begin; /* of the first */
    int64_t self, count;
} tfp_python_call;

typedef struct tfp_trace_frames {
    TFP_VEC(tfp_python_call) calls;
    tfp_interner keys;         /* {caller, event type}; item k + 1 is... */
    TFP_VEC(uint32_t) call_of; /* ...calls.data[call_of.data[k]] */
    tfp_interner names;        /* of threads with calls */
    TFP_VEC(uint32_t) threads; /* by name: how many have it */
    int64_t events;
} tfp_trace_frames;

/* False when out of memory. */
bool tfp_frames_init(struct tfp_loading *l);
void tfp_frames_release(struct tfp_loading *l);

int tfp_read_frames(struct tfp_loading *l, tfp_plane *plane, tfprof_error *err);

/* Adds the times of the calls, once all are read. False when out of memory. */
bool tfp_frames_finish(struct tfp_loading *l);

#endif
