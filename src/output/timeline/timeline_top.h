/*
 * timeline_top.h - who held most of an accelerator's memory at a time.
 *
 * Nodes take memory and give it back; time only goes forward. A tournament
 * over all nodes that ever held any has the largest of them on top, so each
 * change and each of the ten that are told cost log n steps.
 */
#ifndef TFP_OUTPUT_TIMELINE_TOP_H
#define TFP_OUTPUT_TIMELINE_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/sort.h"
#include "model/ids.h"
#include "output/text/json.h"
#include "output/timeline/timeline_runs.h"

/* A node that takes memory, or gives some back. */
typedef struct tfp_top_change {
    tfp_micros at;
    int64_t bytes;
    uint32_t holder;
} tfp_top_change;

typedef struct tfp_top_holder {
    uint32_t member;
    int64_t bytes; /* that it holds by now */
} tfp_top_holder;

typedef struct tfp_top {
    tfp_memory *memory;
    const tfp_runs *runs;
    TFP_VEC(tfp_top_change) changes;
    TFP_VEC(tfp_sort_item) order; /* of the changes, by their times */
    size_t next;                  /* the first change that is still to come */
    TFP_VEC(tfp_top_holder) holders;
    uint32_t *winners; /* place 1 is the largest of all, children of place p
                          are 2 p and 2 p + 1, the last `leaves` are holders */
    size_t leaves;
} tfp_top;

/* Of the records that items [0, count) name by their index. False when out of
 * memory; releasing is allowed then. */
bool tfp_top_init(tfp_top *top, const tfp_runs *runs,
                  const tfp_sort_item *items, size_t count);
void tfp_top_release(tfp_top *top);

/* On to a time; what happens at that very time has not happened yet. Is there
 * anyone who holds memory? */
bool tfp_top_advance(tfp_top *top, tfp_micros to);

/* The ten that hold most, and what of `in_use` is left. */
void tfp_top_put(tfp_top *top, tfp_json *json, int64_t in_use);

#endif
