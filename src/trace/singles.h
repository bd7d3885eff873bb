/*
 * singles.h - single events for a taker, once the whole trace is known.
 *
 * The readers of planes run a second time then, and hand on what they sum up
 * otherwise, with the lines that sums leave out.
 */
#ifndef TFP_TRACE_SINGLES_H
#define TFP_TRACE_SINGLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/loading.h"

/* Is there a taker? */
static inline bool tfp_singles_are_wanted(const tfp_loading *l)
{
    return l->request->taker != NULL;
}

/* Begins the trace. */
int tfp_singles_begin(tfp_loading *l, tfprof_error *err);

/* ---- For the readers ---------------------------------------------------- */

int tfp_singles_plane(tfp_loading *l, const tfp_plane *plane,
                      tfprof_error *err);
int tfp_singles_line(tfp_loading *l, const tfp_trace_line *line,
                     tfprof_error *err);

/* An event, what it ran (or TFP_NO_NODE) and its step (or TFP_NO_ID). */
int tfp_singles_event(tfp_loading *l, const tfp_event *event, uint32_t node,
                      uint32_t step, tfprof_error *err);

/* The same of an event whose step the host tells: that it states, that of its
 * anchor, or by time. */
int tfp_singles_host_event(tfp_loading *l, const tfp_event *event,
                           uint32_t node, uint32_t anchor, tfprof_error *err);

/* Reads a plane of no known kind. */
int tfp_read_other(tfp_loading *l, tfp_plane *plane, tfprof_error *err);

#endif
