/*
 * lanes.h - which of several rows a span of time is drawn in, so that no two
 * in one row overlap.
 *
 * Spans come in the order of their starts; each gets the first lane that is
 * free by then. What is busy waits in a heap by its end, what is free in a
 * heap by its number, so n spans take n log n steps however many overlap.
 */
#ifndef TFP_OUTPUT_LANES_H
#define TFP_OUTPUT_LANES_H

#include <stdint.h>

#include "base/memory.h"

typedef struct tfp_busy_lane {
    int64_t end;
    uint32_t lane;
} tfp_busy_lane;

/* Initialize with all zero bytes but `memory`. */
typedef struct tfp_lanes {
    tfp_memory *memory;
    TFP_VEC(tfp_busy_lane) busy; /* a heap, the one that ends first on top */
    TFP_VEC(uint32_t) idle;      /* a heap, the smallest number on top */
    uint32_t count;              /* lanes in use so far */
} tfp_lanes;

/* The lane of a span; `start` is not before that of the last one, `end` not
 * before `start`. A lane whose span ends where this one starts is free.
 * TFP_NO_ID when out of memory. */
uint32_t tfp_lanes_take(tfp_lanes *lanes, int64_t start, int64_t end);

/* All of them are free again and none is in use. */
void tfp_lanes_clear(tfp_lanes *lanes);
void tfp_lanes_release(tfp_lanes *lanes);

#endif
