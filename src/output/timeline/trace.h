/*
 * trace.h - the events of a Chrome trace, written as they come.
 *
 * The format: the "Trace Event Format" document of the Chromium project. Times
 * are microseconds, of traces with decimals. Events may stand in any order;
 * here what flows bind to comes before the flows.
 *
 *     tfp_trace_open(&trace, sink, TFP_MICROSECOND);
 *     tfp_trace_process(&trace, 1, "Scope:", tfp_span_of("0"), "");
 *     tfp_trace_open_slice(&trace, place, length, name);
 *     tfp_json_int(&trace.json, "bytes", 5);      -- any arguments
 *     tfp_trace_close_slice(&trace);
 *     tfp_trace_close_events(&trace);
 *     tfp_json_close(&trace.json);
 */
#ifndef TFP_OUTPUT_TRACE_H
#define TFP_OUTPUT_TRACE_H

#include <stdint.h>

#include "base/bytes.h"
#include "model/ids.h"
#include "output/sink/sink.h"
#include "output/text/json.h"

/* Where in the picture something is. Readers take a thread's number for one
 * of the whole machine, so no two lanes share one, whatever their process. */
typedef struct tfp_trace_place {
    int64_t process;
    int64_t lane;
    int64_t at;
} tfp_trace_place;

typedef struct tfp_trace {
    tfp_json json;
    int64_t time_unit;   /* of all times that are given, as in model/times.h */
    tfp_trace_place end; /* of the slice that is open */
} tfp_trace;

void tfp_trace_open(tfp_trace *trace, tfp_sink *sink, int64_t time_unit);

/* Ends the list of events; what the file is about may follow, then
 * tfp_json_close(). */
void tfp_trace_close_events(tfp_trace *trace);

/* Names a process: prefix, name and suffix in one. */
void tfp_trace_process(tfp_trace *trace, int64_t process, const char *prefix,
                       tfp_span name, const char *suffix);

/* Viewers sort processes and lanes by name unless told otherwise: these put
 * them by number, and name a lane. */
void tfp_trace_order_process(tfp_trace *trace, int64_t process);
void tfp_trace_lane(tfp_trace *trace, tfp_trace_place place, tfp_span name,
                    const char *suffix);

/* Something that begins, with arguments as below, and ends: within a lane the
 * last that began ends first. */
void tfp_trace_begin_slice(tfp_trace *trace, tfp_trace_place place,
                           tfp_span name);
void tfp_trace_end_slice(tfp_trace *trace, tfp_trace_place place);

/* Something that took `length`. The first of its arguments, its
 * name, is written here; more may follow, then tfp_trace_close_slice(). */
void tfp_trace_open_slice(tfp_trace *trace, tfp_trace_place place,
                          int64_t length, tfp_span name);

void tfp_trace_close_slice(tfp_trace *trace);

/* Something that happened to the memory; the same with
 * tfp_trace_close_event(). */
void tfp_trace_open_instant(tfp_trace *trace, tfp_trace_place place,
                            const char *name);
void tfp_trace_close_event(tfp_trace *trace);

/* A figure of memory from now on. Its name is `name` and `more` in one. */
void tfp_trace_counter(tfp_trace *trace, tfp_trace_place place,
                       const char *name, tfp_span more, const char *series,
                       int64_t value);

/* What an arrow follows. */
typedef enum tfp_trace_arrow {
    TFP_FLOW_DATA,  /* from a node to one that takes what it made */
    TFP_FLOW_LAUNCH /* from a launch on a host to the work on a device */
} tfp_trace_arrow;

/* An arrow from one slice to another; `id` is its own. Both times lie within
 * their slices, the first not after the second. */
void tfp_trace_flow(tfp_trace *trace, tfp_trace_arrow arrow, int64_t id,
                    tfp_trace_place from, tfp_trace_place to);

#endif
