/*
 * frames.h - loops of TF1: which nodes belong to which, and how often they run.
 *
 * An Enter leads into a frame, an Exit out of it; what lies between runs as
 * often as the loop goes around. What the condition needs runs once more, for
 * the answer that ends the loop. Frames lie inside each other.
 */
#ifndef TFP_OPS_FRAMES_H
#define TFP_OPS_FRAMES_H

#include "base/memory.h"
#include "model/ids.h"
#include "ops/fact/shapes.h"

typedef struct tfp_loop_frame {
    tfp_string name; /* attribute frame_name */
    uint32_t parent; /* frame, or TFP_NO_ID */
    uint32_t cond;   /* its LoopCond, or TFP_NO_ID */
    bool in_cond;    /* it is entered by the condition of its parent */
    bool is_counted; /* its trips have been looked for */
    int64_t trips;
    tfp_times_rule rule;
    uint32_t first_merge, last_merge; /* its variables, a chain through
                                       * `next`; TFP_NO_ID: none */
} tfp_loop_frame;

/* A variable of a loop: the Merge of what enters and what comes back. */
typedef struct tfp_merge {
    uint32_t node;
    uint32_t frame;
    uint32_t back;  /* the NextIteration */
    uint32_t next;  /* variable of the same frame, or TFP_NO_ID */
    bool is_same;   /* what comes back is what went around */
    bool is_set;    /* `assumed` holds */
    tfp_fact start; /* what enters */
    tfp_fact assumed;
    tfp_fact last; /* at the end: its value, if that is known */
} tfp_merge;

typedef struct tfp_frames {
    TFP_VEC(tfp_loop_frame) all;
    TFP_VEC(tfp_merge) merges; /* by number of node */
    uint32_t *of;              /* the frame a node runs in, or TFP_NO_ID */
    uint64_t *past;            /* a bit for each node behind the condition */
    size_t node_count;
} tfp_frames;

/* The frames of a graph, to be released; NULL when out of memory. */
tfp_frames *tfp_frames_new(tfp_shapes *shapes, uint32_t graph);
void tfp_frames_free(tfp_frames *frames, tfp_memory *memory);

/* The Merge of that node, or NULL when it is none that a loop closes. */
tfp_merge *tfp_frames_merge(const tfp_frames *frames, uint32_t node);

/* How often a node runs for one run of its graph. */
int64_t tfp_frames_times(const tfp_frames *frames, uint32_t node);

#endif
