/*
 * memory.c - memory_profile as JSON.
 *
 * The form is what protobuf makes of xprof's MemoryProfile: numbers of 64 bits
 * are strings.
 */
#include "base/intern.h"
#include <math.h>

#include "output/text/figures.h"
#include "output/xprof/xprof.h"
#include "xprof/allocators.h"
#include "xprof/xprof.h"

static void put_integer(tfp_json *j, const char *key, int64_t value)
{
    char digits[TFP_FIGURE_SIZE];
    tfp_figure_integer(value, digits);
    tfp_json_text(j, key, digits);
}

static void put_usage(tfp_json *j, const char *key, const tfp_xprof_usage *u)
{
    tfp_json_open(j, key, '{');
    put_integer(j, "stackReservedBytes", u->reserved);
    put_integer(j, "heapAllocatedBytes", u->allocated);
    put_integer(j, "freeMemoryBytes", u->available);
    if (isfinite(u->fragmentation)) /* else it is no number of JSON */
        tfp_json_double(j, "fragmentation", u->fragmentation);
    else
        tfp_json_null(j, "fragmentation");
    put_integer(j, "peakBytesInUse", u->peak);
    tfp_json_close(j);
}

/* Steps are told where the file does; xprof would form them itself. */
static void put_block(tfp_json *j, const tfp_xprof *x, const char *key,
                      const tfp_xprof_block *b)
{
    tfp_json_open(j, key, '{');
    tfp_json_text(j, "memoryActivity",
                  b->is_allocation ? "ALLOCATION" : "DEALLOCATION");
    put_integer(j, "requestedBytes", b->requested);
    put_integer(j, "allocationBytes", b->allocated);
    put_integer(j, "address", b->address);
    tfp_json_string(j, "tfOpName", tfp_interned(&x->texts, b->op));
    if (b->has_step)
        put_integer(j, "stepId", b->step);
    else
        tfp_json_null(j, "stepId");
    tfp_json_string(j, "regionType", tfp_interned(&x->texts, b->region));
    tfp_json_string(j, "dataType", tfp_interned(&x->texts, b->type));
    tfp_json_string(j, "tensorShape", tfp_interned(&x->texts, b->shape));
    tfp_json_close(j);
}

static void put_snapshot(tfp_json *j, const tfp_xprof *x,
                         const tfp_xprof_snapshot *s)
{
    tfp_json_open_line(j, NULL, '{');
    put_integer(j, "timeOffsetPs", s->time);
    put_usage(j, "aggregationStats", &s->usage);
    put_block(j, x, "activityMetadata", &s->block);
    tfp_json_close(j);
}

static void put_summary(tfp_json *j, const tfp_xprof_allocator *a)
{
    tfp_json_open(j, "profileSummary", '{');
    put_integer(j, "peakBytesUsageLifetime", a->lifetime_peak);
    put_usage(j, "peakStats", &a->peak);
    put_integer(j, "peakStatsTimePs", a->peak_time);
    put_integer(j, "memoryCapacity", a->capacity);
    tfp_json_close(j);
}

/* The snapshots that are held stand alone, numbered in the order of these. */
static void put_held(tfp_json *j, const tfp_xprof *x,
                     const tfp_xprof_allocator *a)
{
    int64_t next = 0;
    tfp_json_open(j, "memoryProfileSnapshots", '[');
    for (size_t i = 0; i < a->held.count; i++) {
        if (tfp_sink_is_done(j->sink, i))
            return;
        if (a->held.data[i].snapshot != TFP_NO_ID)
            put_snapshot(j, x, &a->snapshots.data[a->held.data[i].snapshot]);
    }
    tfp_json_close(j);
    put_summary(j, a);
    tfp_json_open(j, "activeAllocations", '[');
    for (size_t i = 0; i < a->held.count; i++) {
        const tfp_xprof_held *held = &a->held.data[i];
        bool is_special = held->snapshot == TFP_NO_ID;
        tfp_json_open_line(j, NULL, '{');
        put_integer(j, "snapshotIndex",
                    is_special ? -(int64_t)held->special - 1 : next++);
        put_integer(j, "specialIndex",
                    is_special ? (int64_t)held->special : -1);
        put_integer(j, "numOccurrences", held->count);
        tfp_json_close(j);
    }
    tfp_json_close(j);
    tfp_json_open(j, "specialAllocations", '[');
    for (uint32_t i = 0; i < a->special_count; i++)
        put_block(j, x, NULL, &a->specials[i]);
    tfp_json_close(j);
}

static void put_allocator(tfp_json *j, const tfp_xprof *x,
                          const tfp_xprof_allocator *a)
{
    tfp_json_open_named(j, tfp_interned(&x->texts, a->name), '{');
    put_held(j, x, a);
    if (j->sink->failed)
        return;
    tfp_json_open(j, "sampledTimelineSnapshots", '[');
    for (size_t i = 0; i < a->sampled.count; i++)
        put_snapshot(j, x, &a->snapshots.data[a->sampled.data[i]]);
    tfp_json_close(j);
    tfp_json_close(j);
}

void tfp_xprof_write_memory(const tfp_xprof *x, tfp_json *j)
{
    const tfp_xprof_allocators *all = &x->allocators;
    tfp_json_open(j, NULL, '{');
    tfp_json_open(j, "memoryProfilePerAllocator", '{');
    for (size_t i = 0; i < all->data.count; i++) {
        if (tfp_sink_is_done(j->sink, i))
            return;
        put_allocator(j, x, &all->data.data[i]);
        if (j->sink->failed)
            return;
    }
    tfp_json_close(j);
    tfp_json_int(j, "numHosts", 1);
    tfp_json_open(j, "memoryIds", '[');
    for (size_t i = 0; i < all->data.count; i++)
        tfp_json_string(j, NULL,
                        tfp_interned(&x->texts, all->data.data[i].name));
    tfp_json_close(j);
    tfp_json_int(j, "version", 1);
    tfp_json_null(j, "hloModules");
    tfp_json_close(j);
}
