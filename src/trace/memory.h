/*
 * memory.h - allocations on a host, for the pools of model/pools.h.
 *
 * An allocator reports each block that it hands out or takes back by an event
 * without length. Lines are threads, and an allocator serves many: its events
 * are put in order once all lines are read.
 */
#ifndef TFP_TRACE_MEMORY_H
#define TFP_TRACE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"
#include "model/pools.h"
#include "trace/id_map.h"
#include "trace/plane.h"

/* What a thread does at a moment, from the outside in: an event, and the
 * nearest operation and function that it is inside of. */
typedef struct tfp_open_event {
    int64_t end;
    uint32_t node; /* plus 1; 0 for none */
    tfp_event_type *function, *event;
} tfp_open_event;

/* An operation as an allocator names it. */
typedef struct tfp_op_strings {
    tfp_string name, type;
} tfp_op_strings;

typedef struct tfp_allocator {
    tfp_string name;
    TFP_VEC(tfp_pool_event) events;
    int64_t capacity, reported_peak;
} tfp_allocator;

typedef struct tfp_trace_memory {
    tfp_model *model; /* NULL: nothing is gathered */
    tfp_memory *memory;
    tfp_interner kinds;
    tfp_interner names; /* tfp_string; item k is that of allocators.data[k] */
    tfp_id_map ops;     /* text of a tf_op, a tfp_string -> op_strings */
    TFP_VEC(tfp_op_strings) op_strings;
    tfp_id_map functions; /* name of a call, a tfp_string -> another */
    TFP_VEC(tfp_allocator) allocators;
    TFP_VEC(tfp_open_event) open; /* on this line */
    TFP_VEC(uint8_t) text;        /* scratch */
} tfp_trace_memory;

/* Gathers if the model asks for it. False when out of memory; releasing is
 * allowed then. */
bool tfp_trace_memory_init(tfp_trace_memory *m, tfp_model *model,
                           uint64_t seed);
void tfp_trace_memory_release(tfp_trace_memory *m);

static inline bool tfp_trace_memory_gathers(const tfp_trace_memory *m)
{
    return m->model != NULL;
}

/* Begins a line. */
static inline void tfp_trace_memory_line(tfp_trace_memory *m)
{
    m->open.count = 0;
}

/* Takes an event of a host: an allocation, or one that allocations may be
 * inside of. `node` is the number of the operation that it is, or TFP_NO_NODE.
 * `mark` goes with the allocation. False when out of memory. */
bool tfp_trace_memory_add(tfp_trace_memory *m, const tfp_event *event,
                          uint32_t node, uint32_t mark);

#endif
