/*
 * trace.h - a trace into the model: nodes, steps, and what ran how long.
 *
 * Times of a node are self times, summed for each step, node and device. A
 * kernel or an operation of a TPU is time of an accelerator, an operation of
 * the host is time of the CPU.
 */
#ifndef TFP_TRACE_TRACE_H
#define TFP_TRACE_TRACE_H

#include "base/cancel.h"
#include "base/error.h"
#include "model/inputs.h"
#include "model/model.h"
#include "model/trace_events.h"
#include "trace/space.h"

typedef struct tfp_trace_request {
    tfp_space *space;
    tfp_model *model;
    size_t input;      /* index into model->inputs */
    int64_t next_step; /* for a trace that has no steps */
    int max_depth;
    bool folds_transforms; /* see fold.h */
    bool reads_frames;     /* of Python, in the place of operations: frames.h */
    bool keeps_damaged;    /* what was read before damage */
    bool leaves_events;    /* only planes, lines and programs are told */
    bool has_other_hosts;  /* further traces are of the same run */
    bool has_known_hosts;  /* some of them of hosts that were read before */
    bool is_again;         /* `shift` is added to the number of each step; else
                            * run_steps.h tells what is */
    int64_t shift;
    const tfp_step_names *step_names; /* or NULL */
    const tfp_event_taker *taker; /* of single events, or NULL. The model must
                                   * gather something then */
    const tfp_cancel *cancel;
} tfp_trace_request;

/* Reads the events of all planes. What is damaged ends it; what was read
 * before goes into the model only when that is asked for. */
int tfp_trace_load(const tfp_trace_request *request, tfprof_error *err);

#endif
