/*
 * trace_events.h - the events of a trace one by one, for who draws them.
 *
 * A model keeps sums. What needs single events reads the trace again with a
 * taker: it gets each event once all that an event belongs to is known. Times
 * are picoseconds since the trace began.
 */
#ifndef TFP_MODEL_TRACE_EVENTS_H
#define TFP_MODEL_TRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "model/ids.h"

/* What leads from an event of a host to the work on a device that it started.
 * Both have the same one. */
typedef struct tfp_event_link {
    int64_t type, id; /* neither means anything but to compare */
} tfp_event_link;

typedef struct tfp_single_event {
    tfp_span name;     /* may be long: no taker reads it for each event... */
    tfp_string string; /* ...as this stands for it */
    tfp_string node;   /* that it ran, or 0 */
    int64_t begin, length;
    int64_t step; /* its number, or TFP_STEP_REST */
    bool is_in_step;
    bool starts_work, is_started; /* with `link` */
    tfp_event_link link;
} tfp_single_event;

/* How much an allocator had given away from a time on. */
typedef struct tfp_memory_level {
    tfp_string allocator;
    int64_t at, bytes;
    int64_t step; /* as above */
} tfp_memory_level;

/* All of these return a status; what is not TFPROF_OK ends the reading. */
typedef struct tfp_event_taker {
    void *self;
    /* Begins a trace: number of the input in the model, and the name of its
     * host or nothing. The model has the times of its steps. */
    int (*trace)(void *self, const tfp_model *model, size_t input,
                 tfp_span host, tfprof_error *err);
    /* All levels of an allocator, by time; then those of the next. */
    int (*level)(void *self, const tfp_memory_level *level, tfprof_error *err);
    /* Begins a plane, and in it a line. Those of hosts come first. */
    int (*plane)(void *self, tfp_span name, tfprof_error *err);
    int (*line)(void *self, tfp_span name, int64_t id, tfprof_error *err);
    /* An event of the line, by begin; of equal ones the longest first. */
    int (*event)(void *self, const tfp_single_event *event, tfprof_error *err);
} tfp_event_taker;

/* Events that the user takes as steps: whether a name is one of theirs. */
typedef struct tfp_step_names {
    int (*matches)(void *self, tfp_span name, bool *does, tfprof_error *err);
    void *self;
} tfp_step_names;

#endif
