/*
 * timeline_parts.h - what the files that make a timeline share.
 */
#ifndef TFP_OUTPUT_TIMELINE_PARTS_H
#define TFP_OUTPUT_TIMELINE_PARTS_H

#include "base/bytes.h"
#include "model/metrics.h"
#include "output/timeline/timeline.h"
#include "output/timeline/timeline_runs.h"
#include "output/timeline/trace.h"
#include "output/view/row_facts.h"

enum { TFP_TIMELINE_TEXT = 1000 }; /* bytes of a text that is shortened */

typedef struct tfp_timeline {
    const tfp_view *view;
    tfp_trace trace;
    tfp_row_facts facts;
    tfp_timeline_notes *notes;
    tfp_cost costs[TFP_COST_COUNT]; /* those that are told of a row */
    size_t cost_count;
    int64_t processes, lanes; /* numbers given away so far */
    uint8_t
        *drawn; /* by member: has a slice; for the graph, while it is drawn */
    char text[TFP_TIMELINE_TEXT + sizeof("...")]; /* the last one */
} tfp_timeline;

/* Scopes or lines of code: a process for each level, and in it a slice for
 * each row, as long as its total time, within that of its parent. */
int tfp_timeline_tree(tfp_timeline *timeline, tfprof_error *err);

/* Nodes: a process for each device, and in it a slice for each run. */
int tfp_timeline_graph(tfp_timeline *timeline, tfprof_error *err);

/* For the graph: arrows along the data, and the memory of accelerators. */
int tfp_timeline_flows(tfp_timeline *timeline, const tfp_runs *runs,
                       tfprof_error *err);
int tfp_timeline_memory(tfp_timeline *timeline, const tfp_runs *runs,
                        tfprof_error *err);

/* A long text that is written again and again: its start, and "..." in its
 * place if something is missing. Good until the next call. */
tfp_span tfp_timeline_shorten(tfp_timeline *timeline, tfp_span text);

/* An argument; nothing is left out. */
void tfp_timeline_put_text(tfp_timeline *timeline, const char *key,
                           tfp_span text);

/* Ends the file. `steps` is what it tells of where no step is asked for. */
void tfp_timeline_close(tfp_timeline *timeline, const char *steps);

/* Counts a slice of a row. */
void tfp_timeline_count(tfp_timeline *timeline, uint32_t row);

/* The arguments that tell which node a row is, and what it costs. */
void tfp_timeline_put_op(tfp_timeline *timeline, uint32_t row);
void tfp_timeline_put_shapes(tfp_timeline *timeline, const char *key,
                             tfp_span shapes);
void tfp_timeline_put_costs(tfp_timeline *timeline, uint32_t row);

#endif
