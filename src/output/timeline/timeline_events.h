/*
 * timeline_events.h - every event of traces, at its time, as a Chrome trace.
 */
#ifndef TFP_OUTPUT_TIMELINE_EVENTS_H
#define TFP_OUTPUT_TIMELINE_EVENTS_H

#include "base/error.h"
#include "model/trace_events.h"
#include "output/sink/sink.h"
#include "output/timeline/timeline.h"
#include "view/view.h"

/* Reads the traces for a taker. */
typedef struct tfp_event_giver {
    int (*give)(void *self, const tfp_event_taker *taker, tfprof_error *err);
    void *self;
} tfp_event_giver;

/* Draws the nodes that the view of the graph shows, and what ran beside them.
 * Its patterns match more names for that. */
int tfp_timeline_write_events(tfp_view *view, tfp_timeline_notes *notes,
                              const tfp_event_giver *giver, tfp_sink *sink,
                              tfprof_error *err);

#endif
