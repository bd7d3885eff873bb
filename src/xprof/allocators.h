/*
 * allocators.h - memory_profile: for each allocator of the host its peak, and
 * what it held then.
 *
 * Times are picoseconds from the start of a line: xprof compares them even
 * between lines. What is held at the peak is what the step of the peak has
 * allocated, where events tell their step; else what all of them have.
 */
#ifndef TFP_XPROF_ALLOCATORS_H
#define TFP_XPROF_ALLOCATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "xprof/source.h"
#include "xprof/table.h"

typedef struct tfp_xprof_source tfp_xprof_source;

/* How an allocator stands. */
typedef struct tfp_xprof_usage {
    int64_t reserved, allocated, available; /* bytes */
    int64_t peak;
    double fragmentation;
} tfp_xprof_usage;

/* What was allocated or freed. */
typedef struct tfp_xprof_block {
    bool is_allocation, has_step;
    int64_t requested, allocated; /* bytes */
    int64_t address;
    int64_t step; /* of which the event says that it is in it, or follows it */
    tfp_xprof_text op, region, type, shape;
} tfp_xprof_block;

typedef struct tfp_xprof_snapshot {
    int64_t time;
    tfp_xprof_usage usage;
    tfp_xprof_block block;
} tfp_xprof_snapshot;

/* Equal blocks that are held at the peak. */
typedef struct tfp_xprof_held {
    uint32_t snapshot; /* of one of them; TFP_NO_ID: a special one */
    uint32_t special;
    int64_t count;
} tfp_xprof_held;

enum { TFP_SPECIAL_BLOCKS = 2 };

typedef struct tfp_xprof_allocator {
    tfp_xprof_text name;
    TFP_VEC(tfp_xprof_snapshot) snapshots; /* by time */
    int64_t lifetime_peak;                 /* as the last event tells it */
    tfp_xprof_usage peak;                  /* its `peak`: of this trace */
    int64_t peak_time, capacity;
    tfp_xprof_block specials[TFP_SPECIAL_BLOCKS]; /* held, but of no event */
    uint32_t special_count;
    TFP_VEC(tfp_xprof_held) held; /* the largest first */
    TFP_VEC(uint32_t) sampled;    /* snapshots of the timeline */
} tfp_xprof_allocator;

typedef struct tfp_xprof_allocators {
    tfp_memory *memory;
    bool has_host; /* the trace has the plane that tells of them */
    TFP_VEC(tfp_xprof_allocator) data; /* by name */
} tfp_xprof_allocators;

/* Releasing is allowed after a failure. */
int tfp_xprof_allocators_init(tfp_xprof_allocators *allocators,
                              tfp_xprof_source *source, tfprof_error *err);
void tfp_xprof_allocators_release(tfp_xprof_allocators *allocators);

#endif
