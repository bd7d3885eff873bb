/*
 * spans.h - when things ran, for the times of steps and the use of devices.
 *
 * The views need sums only. A question about steps also needs each run, until
 * the whole trace is read; then the model gets what they come to
 * (model/gathered.h).
 */
#ifndef TFP_TRACE_SPANS_H
#define TFP_TRACE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "trace/plane.h"

struct tfp_loading;
struct tfp_trace_run;

/* One run on a device. */
typedef struct tfp_run_span {
    int64_t begin, length;
    uint32_t step, node;
    uint32_t device : 31;
    uint32_t is_copy : 1;
    uint32_t owner; /* the step that links lead to, or TFP_NO_ID */
} tfp_run_span;

/* An event of a host that tells something of its step. */
typedef struct tfp_host_mark {
    int64_t begin, length;
    uint32_t anchor; /* that it is inside of, or TFP_NO_ID */
    uint32_t step;   /* stated, else TFP_NO_ID */
} tfp_host_mark;

/* A step as a device itself marks it. */
typedef struct tfp_device_mark {
    uint32_t device, step;
    int64_t length;
} tfp_device_mark;

typedef struct tfp_trace_spans {
    bool is_on;
    TFP_VEC(tfp_run_span) runs;
    TFP_VEC(tfp_host_mark) markers; /* of steps */
    TFP_VEC(tfp_host_mark) waits;   /* for input */
    TFP_VEC(tfp_device_mark) device_marks;
} tfp_trace_spans;

/* What the name of an event of a host tells. */
enum {
    TFP_MARK_STEP = 1 << 0,    /* it lasts as long as its step */
    TFP_MARK_WAIT = 1 << 1,    /* it waits for input */
    TFP_MARK_IMPLICIT = 1 << 2 /* as a root it does not say that it is a step */
};
unsigned tfp_spans_marks(tfp_span name);

/* All of these: false when out of memory. */
bool tfp_spans_init(struct tfp_loading *l);
void tfp_spans_release(struct tfp_loading *l);
bool tfp_spans_add(struct tfp_loading *l, const struct tfp_trace_run *run);
/* Also adds the step that a marker states, whether or not spans are gathered:
 * what a question gathers must not change the steps. */
bool tfp_spans_mark_host(struct tfp_loading *l, const tfp_event *event,
                         unsigned marks, uint32_t anchor);
bool tfp_spans_mark_device(struct tfp_loading *l,
                           const struct tfp_trace_run *step);

/* Once all is read and the numbers of steps are known. */
bool tfp_spans_finish(struct tfp_loading *l);

#endif
