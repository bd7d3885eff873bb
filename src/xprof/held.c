/*
 * held.c - what an allocator held at its peak.
 */
#include "xprof/held.h"

#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "proto/enums.h"
#include "proto/schema.h"
#include "trace/id_map.h"

enum { MOST_SAMPLES = 1000 };

typedef struct held_state {
    tfp_xprof_source *source;
    tfp_memory *memory;
    tfp_xprof_allocator *a;
    tfp_id_map addresses;     /* the place of each in `live` */
    TFP_VEC(uint32_t) live;   /* snapshot that allocated it, or TFP_NO_ID */
    TFP_VEC(uint32_t) blocks; /* snapshots, and specials behind them all */
} held_state;

/* ---- Names of types ----------------------------------------------------- */

/* The name of a type as xprof writes it: "float" for DT_FLOAT. DT_INVALID,
 * which is 0, stays in capitals. */
tfp_xprof_text tfp_xprof_type_name(tfp_xprof_source *source, int64_t type)
{
#define TFP_TYPE_NAME(name, number) { #name, number },
    static const struct {
        const char *name;
        int64_t number;
    } types[] = { DataType_VALUES(TFP_TYPE_NAME) };
#undef TFP_TYPE_NAME
    static const char start[] = "DT_";
    char text[64];
    snprintf(text, sizeof(text), "unknown dtype enum (%lld)", (long long)type);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i].number == type) {
            snprintf(text, sizeof(text), "%s",
                     types[i].name + sizeof(start) - 1);
            for (char *c = text; type != 0 && *c; c++)
                *c = tfp_lower(*c);
        }
    }
    return tfp_intern(source->texts, tfp_span_of(text));
}

/* ---- By time ------------------------------------------------------------ */

static bool sort_by_time(held_state *s)
{
    tfp_xprof_allocator *a = s->a;
    size_t count = a->snapshots.count;
    tfp_sort_item *items = tfp_memory_array(s->memory, 2 * count + 1,
                                            sizeof(*items));
    tfp_xprof_snapshot *sorted = tfp_memory_array(s->memory, count + 1,
                                                  sizeof(*sorted));
    bool ok = items && sorted;
    for (size_t i = 0; ok && i < count; i++) {
        items[i].key = tfp_sort_key_rising((int64_t)a->snapshots.data[i].time);
        items[i].index = (uint32_t)i;
    }
    if (ok)
        tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; ok && i < count; i++)
        sorted[i] = a->snapshots.data[items[i].index];
    if (ok && count > 0)
        memcpy(a->snapshots.data, sorted, count * sizeof(*sorted));
    tfp_memory_free(s->memory, items);
    tfp_memory_free(s->memory, sorted);
    return ok;
}

/* A snapshot without a step belongs to the step after the last known one. */
static void number_steps(tfp_xprof_allocator *a)
{
    int64_t last = -1;
    for (size_t i = 0; i < a->snapshots.count; i++) {
        tfp_xprof_block *block = &a->snapshots.data[i].block;
        if (block->step == -1)
            block->step = tfp_add_sat(last, 1);
        else
            last = block->step;
    }
}

/* ---- Addresses ---------------------------------------------------------- */

/* The entry for an address: the snapshot that allocated it, or TFP_NO_ID if it
 * is free. NULL when out of memory. */
static uint32_t *live_at(held_state *s, int64_t address)
{
    uint32_t at = tfp_id_map_find(&s->addresses, address);
    if (at == TFP_NO_ID) {
        at = (uint32_t)s->live.count;
        if (!TFP_VEC_PUSH(s->memory, &s->live, TFP_NO_ID) ||
            !tfp_id_map_put(&s->addresses, address, at))
            return NULL;
    }
    return &s->live.data[at];
}

/* Copies the operation, region, type and shape of each allocation to the
 * deallocation that frees it. Of two allocations at an address without a
 * deallocation between them, the first counts. */
static bool name_freed(held_state *s)
{
    tfp_xprof_snapshot *all = s->a->snapshots.data;
    for (size_t i = 0; i < s->a->snapshots.count; i++) {
        tfp_xprof_block *block = &all[i].block;
        uint32_t *live = live_at(s, block->address);
        if (!live)
            return false;
        if (block->is_allocation && *live == TFP_NO_ID) {
            *live = (uint32_t)i;
        } else if (!block->is_allocation && *live != TFP_NO_ID) {
            const tfp_xprof_block *from = &all[*live].block;
            block->op = from->op;
            block->region = from->region;
            block->type = from->type;
            block->shape = from->shape;
            *live = TFP_NO_ID;
        }
    }
    for (size_t i = 0; i < s->live.count; i++)
        s->live.data[i] = TFP_NO_ID;
    return true;
}

/* ---- At the peak -------------------------------------------------------- */

static int64_t step_of_peak(const tfp_xprof_allocator *a)
{
    int64_t step = 0;
    for (size_t i = 0; i < a->snapshots.count; i++) {
        const tfp_xprof_snapshot *now = &a->snapshots.data[i];
        if (tfp_xprof_bytes_used(&now->usage) == a->peak.peak)
            step = now->block.step;
    }
    return step;
}

static void add_special(tfp_xprof_source *source, tfp_xprof_allocator *a,
                        int64_t bytes, int64_t step, const char *op,
                        const char *region)
{
    if (bytes <= 0)
        return;
    a->specials[a->special_count++] = (tfp_xprof_block){
        .is_allocation = true,
        .requested = bytes,
        .allocated = bytes,
        .step = step,
        .op = tfp_intern(source->texts, tfp_span_of(op)),
        .region = tfp_intern(source->texts, tfp_span_of(region)),
        .type = tfp_xprof_type_name(source, 0),
        .shape = tfp_intern(source->texts, tfp_span_of("unknown"))
    };
}

static bool has_texts(const tfp_xprof_block *block)
{
    return block->op != TFP_NO_ID && block->region != TFP_NO_ID &&
           block->type != TFP_NO_ID && block->shape != TFP_NO_ID;
}

/* Finds the blocks that are live at the peak. Memory in use that no event
 * accounts for becomes a special block, and so does the stack. */
static bool find_live(held_state *s)
{
    tfp_xprof_allocator *a = s->a;
    int64_t step = step_of_peak(a), rest = a->peak.allocated, unknown = 0;
    for (size_t i = 0; i < a->snapshots.count; i++) {
        const tfp_xprof_block *block = &a->snapshots.data[i].block;
        uint32_t *live;
        if (a->snapshots.data[i].time > a->peak_time)
            break;
        if (block->step != step)
            continue;
        live = live_at(s, block->address);
        if (!live)
            return false;
        if (block->is_allocation) {
            rest = tfp_sub_sat(rest, block->allocated);
            *live = (uint32_t)i;
            continue;
        }
        rest = tfp_add_sat(rest, block->allocated);
        if (*live == TFP_NO_ID)
            unknown = tfp_add_sat(unknown, block->allocated);
        *live = TFP_NO_ID;
    }
    add_special(s->source, a, tfp_sub_sat(rest, unknown), step,
                "unused preallocated device memory", "persist/dynamic");
    add_special(s->source, a, a->peak.reserved, step, "stack", "stack");
    for (uint32_t i = 0; i < a->special_count; i++) {
        if (!has_texts(&a->specials[i]))
            return false;
    }
    return true;
}

/* ---- Equal blocks ------------------------------------------------------- */

static const tfp_xprof_block *block_at(const held_state *s, uint32_t number)
{
    size_t count = s->a->snapshots.count;
    return number < count ? &s->a->snapshots.data[number].block
                          : &s->a->specials[number - count];
}

static int compare_texts(const held_state *s, tfp_xprof_text a,
                         tfp_xprof_text b)
{
    return a == b ? 0
                  : tfp_span_compare(tfp_interned(s->source->texts, a),
                                     tfp_interned(s->source->texts, b));
}

static int by_block(const void *context, uint32_t a, uint32_t b)
{
    const held_state *s = context;
    const tfp_xprof_block *left = block_at(s, s->blocks.data[a]);
    const tfp_xprof_block *right = block_at(s, s->blocks.data[b]);
    int order = (left->requested < right->requested) -
                (left->requested > right->requested);
    if (order == 0)
        order = compare_texts(s, left->op, right->op);
    if (order == 0)
        order = compare_texts(s, left->region, right->region);
    if (order == 0)
        order = compare_texts(s, left->type, right->type);
    return order != 0 ? order : compare_texts(s, left->shape, right->shape);
}

static bool are_equal(const held_state *s, uint32_t a, uint32_t b)
{
    return block_at(s, s->blocks.data[a])->allocated ==
               block_at(s, s->blocks.data[b])->allocated &&
           by_block(s, a, b) == 0;
}

static bool list_blocks(held_state *s)
{
    uint32_t count = (uint32_t)s->a->snapshots.count;
    for (size_t i = 0; i < s->live.count; i++) {
        if (s->live.data[i] != TFP_NO_ID &&
            !TFP_VEC_PUSH(s->memory, &s->blocks, s->live.data[i]))
            return false;
    }
    for (uint32_t i = 0; i < s->a->special_count; i++) {
        if (!TFP_VEC_PUSH(s->memory, &s->blocks, count + i))
            return false;
    }
    return true;
}

static bool add_held(held_state *s, uint32_t number)
{
    uint32_t count = (uint32_t)s->a->snapshots.count;
    tfp_xprof_held held = { number, 0, 1 };
    if (number >= count)
        held = (tfp_xprof_held){ TFP_NO_ID, number - count, 1 };
    return TFP_VEC_PUSH(s->memory, &s->a->held, held);
}

static bool merge_blocks(held_state *s)
{
    size_t count = s->blocks.count;
    tfp_sort_item *items = tfp_memory_array(s->memory, 2 * count + 1,
                                            sizeof(*items));
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        items[i].key = tfp_sort_key_falling(
            block_at(s, s->blocks.data[i])->allocated);
        items[i].index = (uint32_t)i;
    }
    if (ok)
        tfp_sort(items, count, items + count, by_block, s);
    for (size_t i = 0; ok && i < count; i++) {
        if (i > 0 && are_equal(s, items[i - 1].index, items[i].index))
            s->a->held.data[s->a->held.count - 1].count++;
        else
            ok = add_held(s, s->blocks.data[items[i].index]);
    }
    tfp_memory_free(s->memory, items);
    return ok;
}

/* ---- The timeline ------------------------------------------------------- */

/* Adds one sample for each `width` snapshots: the first one that uses most. */
static bool sample(held_state *s, size_t start, size_t width, size_t count)
{
    const tfp_xprof_snapshot *all = s->a->snapshots.data;
    for (size_t k = 0; k < count; k++) {
        size_t first = start + k * width, most = first;
        for (size_t i = first + 1; i < first + width; i++) {
            if (tfp_xprof_bytes_used(&all[i].usage) >
                tfp_xprof_bytes_used(&all[most].usage))
                most = i;
        }
        if (!TFP_VEC_PUSH(s->memory, &s->a->sampled, (uint32_t)most))
            return false;
    }
    return true;
}

static bool make_timeline(held_state *s)
{
    size_t count = s->a->snapshots.count, width, narrow;
    if (count <= MOST_SAMPLES)
        return sample(s, 0, 1, count);
    width = count / MOST_SAMPLES;
    narrow = MOST_SAMPLES * (width + 1) - count;
    return sample(s, 0, width, narrow) &&
           sample(s, narrow * width, width + 1, MOST_SAMPLES - narrow);
}

int tfp_xprof_find_held(tfp_xprof_source *source, tfp_xprof_allocator *a,
                        tfprof_error *err)
{
    held_state s = { .source = source, .memory = source->memory, .a = a };
    bool ok;
    tfp_id_map_init(&s.addresses, source->memory, source->space->seed);
    ok = sort_by_time(&s);
    if (ok)
        number_steps(a);
    ok = ok && name_freed(&s) && make_timeline(&s) && find_live(&s) &&
         list_blocks(&s) && merge_blocks(&s);
    tfp_id_map_release(&s.addresses);
    TFP_VEC_RELEASE(source->memory, &s.live);
    TFP_VEC_RELEASE(source->memory, &s.blocks);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
