/*
 * allocators.c - memory_profile: the allocations of a host, and its peaks.
 */
#include "xprof/allocators.h"

#include "trace/stat_names.h"

#include "trace/space.h"

#include "trace/plane.h"

#include "proto/xspace.h"

#include "base/intern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/sort.h"
#include "proto/dtype.h"
#include "trace/id_map.h"
#include "xprof/held.h"
#include "xprof/source.h"

typedef struct state {
    tfp_xprof_source *source;
    tfp_xprof_allocators *out;
    const tfp_trace_line *line;
    tfp_id_map by_name; /* from the text of a name */
} state;

/* ---- One event ---------------------------------------------------------- */

/* xprof takes no other kind for a whole number, nor for a double. */
static int64_t integer(const tfp_stats *stats, tfp_known_stat known)
{
    const tfp_xstat *stat = &stats->at[known];
    return tfp_stats_has(stats, known) && stat->kind == TFP_STAT_INT64
               ? (int64_t)stat->value
               : 0;
}

static double real(const tfp_stats *stats, tfp_known_stat known)
{
    const tfp_xstat *stat = &stats->at[known];
    double value = 0;
    if (tfp_stats_has(stats, known) && stat->kind == TFP_STAT_DOUBLE)
        memcpy(&value, &stat->value, sizeof(value));
    return value;
}

static tfp_xprof_text number_text(tfp_xprof_source *source, int64_t number)
{
    char digits[24];
    snprintf(digits, sizeof(digits), "%lld", (long long)number);
    return tfp_intern(source->texts, tfp_span_of(digits));
}

static tfp_xprof_text allocator_name(tfp_xprof_source *source,
                                     const tfp_stats *stats)
{
    if (tfp_stats_has(stats, TFP_KNOWN_ALLOCATOR))
        return tfp_xprof_text_of(source, stats, TFP_KNOWN_ALLOCATOR);
    if (tfp_stats_has(stats, TFP_KNOWN_INDEX_ON_HOST))
        return number_text(source, integer(stats, TFP_KNOWN_INDEX_ON_HOST));
    if (tfp_stats_has(stats, TFP_KNOWN_DEVICE_ORDINAL))
        return number_text(source, integer(stats, TFP_KNOWN_DEVICE_ORDINAL));
    return 0;
}

static tfp_xprof_usage read_usage(const tfp_stats *stats)
{
    return (tfp_xprof_usage){
        .reserved = integer(stats, TFP_KNOWN_BYTES_RESERVED),
        .allocated = integer(stats, TFP_KNOWN_BYTES_ALLOCATED),
        .available = integer(stats, TFP_KNOWN_BYTES_AVAILABLE),
        .peak = integer(stats, TFP_KNOWN_PEAK_BYTES),
        .fragmentation = real(stats, TFP_KNOWN_FRAGMENTATION)
    };
}

static tfp_xprof_block read_block(tfp_xprof_source *source,
                                  const tfp_stats *stats, bool is_allocation)
{
    tfp_xprof_block block = {
        .is_allocation = is_allocation,
        .requested = integer(stats, TFP_KNOWN_REQUESTED_BYTES),
        .allocated = integer(stats, TFP_KNOWN_ALLOCATION_BYTES),
        .address = integer(stats, TFP_KNOWN_ADDRESS),
        .op = tfp_xprof_text_of(source, stats, TFP_KNOWN_TF_OP),
        .region = tfp_xprof_text_of(source, stats, TFP_KNOWN_REGION_TYPE),
        .shape = tfp_xprof_text_of(source, stats, TFP_KNOWN_SHAPE)
    };
    block.has_step = tfp_stats_has(stats, TFP_KNOWN_GROUP);
    block.step = block.has_step ? integer(stats, TFP_KNOWN_GROUP) : -1;
    if (tfp_stats_has(stats, TFP_KNOWN_DATA_TYPE))
        block.type = tfp_xprof_type_name(source,
                                         integer(stats, TFP_KNOWN_DATA_TYPE));
    return block;
}

static bool has_texts(const tfp_xprof_block *block)
{
    return block->op != TFP_NO_ID && block->region != TFP_NO_ID &&
           block->shape != TFP_NO_ID && block->type != TFP_NO_ID;
}

/* ---- All events --------------------------------------------------------- */

static tfp_xprof_allocator *find_allocator(state *s, tfp_xprof_text name)
{
    uint32_t at = tfp_id_map_find(&s->by_name, name);
    if (at != TFP_NO_ID)
        return &s->out->data.data[at];
    if (!TFP_VEC_PUSH(s->source->memory, &s->out->data,
                      (tfp_xprof_allocator){ .name = name }) ||
        !tfp_id_map_put(&s->by_name, name, (uint32_t)s->out->data.count - 1))
        return NULL;
    return &s->out->data.data[s->out->data.count - 1];
}

/* Events are taken in the order of the file, not of time; of equal peaks the
 * last counts. */
static void note_peak(tfp_xprof_allocator *a, const tfp_xprof_snapshot *now)
{
    int64_t used = tfp_xprof_bytes_used(&now->usage);
    a->lifetime_peak = now->usage.peak;
    if (used < a->peak.peak)
        return;
    a->peak = now->usage;
    a->peak.peak = used;
    a->peak_time = now->time;
    a->capacity = tfp_add_sat(used, now->usage.available);
}

static int read_event(void *self, const tfp_event *event, tfprof_error *err)
{
    state *s = self;
    tfp_span name = event->type ? event->type->name : (tfp_span){ 0 };
    bool is_allocation = tfp_span_is(name, "MemoryAllocation");
    tfp_xprof_snapshot now;
    tfp_xprof_allocator *allocator;
    tfp_xprof_text id;
    if (!is_allocation && !tfp_span_is(name, "MemoryDeallocation"))
        return TFPROF_OK;
    now.time = tfp_xprof_offset(s->source, s->line, event);
    now.usage = read_usage(&event->stats);
    now.block = read_block(s->source, &event->stats, is_allocation);
    id = allocator_name(s->source, &event->stats);
    if (id == TFP_NO_ID || !has_texts(&now.block))
        return tfp_fail_nomem(err);
    allocator = find_allocator(s, id);
    if (!allocator || allocator->snapshots.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(s->source->memory, &allocator->snapshots, now))
        return tfp_fail_nomem(err);
    note_peak(allocator, &now);
    return TFPROF_OK;
}

static int read_plane(state *s, tfprof_error *err)
{
    tfp_plane *plane = tfp_space_find(s->source->space, "/host:CPU");
    int status = TFPROF_OK;
    s->out->has_host = plane != NULL;
    for (size_t i = 0; plane && i < plane->lines.count && status == TFPROF_OK;
         i++) {
        s->line = &plane->lines.data[i];
        status = tfp_xprof_walk_line(s->source, plane, s->line, read_event, s,
                                     err);
    }
    return status;
}

/* ---- By name ------------------------------------------------------------ */

static int by_name(const void *context, uint32_t a, uint32_t b)
{
    const state *s = context;
    const tfp_xprof_allocator *all = s->out->data.data;
    return tfp_span_compare(tfp_interned(s->source->texts, all[a].name),
                            tfp_interned(s->source->texts, all[b].name));
}

static int sort_by_name(state *s, tfprof_error *err)
{
    tfp_memory *memory = s->source->memory;
    size_t count = s->out->data.count;
    tfp_sort_item *items = tfp_memory_zarray(memory, 2 * count + 1,
                                             sizeof(*items));
    tfp_xprof_allocator *sorted = tfp_memory_array(memory, count + 1,
                                                   sizeof(*sorted));
    bool ok = items && sorted;
    for (size_t i = 0; ok && i < count; i++)
        items[i].index = (uint32_t)i;
    if (ok)
        tfp_sort(items, count, items + count, by_name, s);
    for (size_t i = 0; ok && i < count; i++)
        sorted[i] = s->out->data.data[items[i].index];
    if (ok && count > 0)
        memcpy(s->out->data.data, sorted, count * sizeof(*sorted));
    tfp_memory_free(memory, items);
    tfp_memory_free(memory, sorted);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

/* ---- All of it ---------------------------------------------------------- */

int tfp_xprof_allocators_init(tfp_xprof_allocators *allocators,
                              tfp_xprof_source *source, tfprof_error *err)
{
    state s = { .source = source, .out = allocators };
    int status;
    *allocators = (tfp_xprof_allocators){ .memory = source->memory };
    tfp_id_map_init(&s.by_name, source->memory, source->space->seed);
    status = read_plane(&s, err);
    tfp_id_map_release(&s.by_name);
    if (status == TFPROF_OK)
        status = sort_by_name(&s, err);
    for (size_t i = 0; i < allocators->data.count && status == TFPROF_OK; i++)
        status = tfp_xprof_find_held(source, &allocators->data.data[i], err);
    return status;
}

void tfp_xprof_allocators_release(tfp_xprof_allocators *allocators)
{
    tfp_memory *memory = allocators->memory;
    if (!memory)
        return;
    for (size_t i = 0; i < allocators->data.count; i++) {
        tfp_xprof_allocator *allocator = &allocators->data.data[i];
        TFP_VEC_RELEASE(memory, &allocator->snapshots);
        TFP_VEC_RELEASE(memory, &allocator->held);
        TFP_VEC_RELEASE(memory, &allocator->sampled);
    }
    TFP_VEC_RELEASE(memory, &allocators->data);
}
