/*
 * things.c - what differs, one entry for each thing.
 */
#include "compare/things.h"

#include <string.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "compare/snapshot.h"

typedef struct grouper {
    tfp_things *out;
    const tfp_compare_side *base, *head;
    tfp_memory *memory;
    uint32_t *of_base, *of_head; /* by row: its thing, or TFP_NO_ID */
    uint32_t *of_place;          /* by text, of source lines; else NULL */
    uint32_t unmatched;          /* the thing, or TFP_NO_ID */
    bool failed;                 /* out of memory */
} grouper;

static uint32_t add(grouper *g, const tfp_change *change)
{
    tfp_thing thing = { .kind = change->kind,
                        .is_unmatched = change->is_unmatched,
                        .is_place = g->of_place != NULL,
                        .base = change->base,
                        .head = change->head,
                        .text = SIZE_MAX };
    g->failed |= !TFP_VEC_PUSH(g->memory, &g->out->all, thing);
    return (uint32_t)g->out->all.count - 1;
}

/* Where the thing of a change is noted. */
static uint32_t *slot_of(grouper *g, const tfp_change *change)
{
    if (change->is_unmatched)
        return &g->unmatched;
    if (g->of_place)
        return &g->of_place[change->head != TFP_NO_ID
                                ? g->head->rows.places[change->head]
                                : g->base->rows.places[change->base]];
    return change->head != TFP_NO_ID ? &g->of_head[change->head]
                                     : &g->of_base[change->base];
}

static tfp_thing *thing_of(grouper *g, const tfp_change *change)
{
    uint32_t *slot = slot_of(g, change);
    tfp_thing *thing;
    if (*slot == TFP_NO_ID)
        *slot = add(g, change);
    if (g->failed)
        return NULL;
    thing = &g->out->all.data[*slot];
    if (thing->base == TFP_NO_ID)
        thing->base = change->base;
    if (thing->head == TFP_NO_ID)
        thing->head = change->head;
    if (change->kind == TFP_MOVED ||
        (change->kind != thing->kind && thing->kind != TFP_MOVED))
        thing->kind = change->kind == TFP_MOVED ? TFP_MOVED : TFP_CHANGED;
    return thing;
}

static void take(grouper *g, const tfp_change *change, size_t exact)
{
    tfp_thing *thing;
    int m = change->metric;
    if (m == TFP_CHANGE_GRAPH && (change->is_unmatched || change->base == 0))
        return; /* the sums of the whole graph have it */
    thing = thing_of(g, change);
    if (!thing)
        return;
    if (m > TFP_CHANGE_MACS) {
        size_t *end = &thing->text;
        while (*end != SIZE_MAX)
            end = &g->out->next_text[*end];
        *end = exact;
        return;
    }
    thing->metrics |= 1u << m;
    thing->was[m] = tfp_add_sat(thing->was[m], change->was);
    thing->is[m] = tfp_add_sat(thing->is[m], change->is);
}

/* What the rows of a line have that did not change is part of it, too. */
static void add_equal_rows(grouper *g, const tfp_alignment *pairs)
{
    const tfp_snapshot *from = &g->base->rows, *to = &g->head->rows;
    for (uint32_t row = 1; row < from->count; row++) {
        uint32_t head = pairs->to[row], at;
        tfp_thing *thing;
        at = head == TFP_NO_ID ? TFP_NO_ID : g->of_place[to->places[head]];
        if (at == TFP_NO_ID)
            continue;
        thing = &g->out->all.data[at];
        for (int m = 0; m < TFP_COMPARED_COUNT; m++) {
            int64_t value = tfp_snapshot_value(from, row, m);
            if (!tfp_thing_has(thing, m) ||
                value != tfp_snapshot_value(to, head, m))
                continue;
            thing->was[m] = tfp_add_sat(thing->was[m], value);
            thing->is[m] = tfp_add_sat(thing->is[m], value);
        }
    }
}

static uint32_t *make_slots(grouper *g, size_t count)
{
    uint32_t *slots = tfp_memory_array(g->memory, count + 1, sizeof(*slots));
    if (slots)
        memset(slots, 0xff, (count + 1) * sizeof(*slots));
    g->failed |= !slots;
    return slots;
}

static void init(grouper *g, size_t exact)
{
    g->of_base = make_slots(g, g->base->rows.count);
    g->of_head = make_slots(g, g->head->rows.count);
    if (g->base->rows.places && g->head->rows.places)
        g->of_place = make_slots(g, tfp_interner_count(g->base->rows.texts));
    g->out->next_text = tfp_memory_array(g->memory, exact + 1, sizeof(size_t));
    g->failed |= !g->out->next_text;
    for (size_t i = 0; !g->failed && i < exact; i++)
        g->out->next_text[i] = SIZE_MAX;
}

int tfp_things_find(tfp_things *out, const tfp_compare_side *base,
                    const tfp_compare_side *head, const tfp_alignment *pairs,
                    const tfp_changes *changes, tfp_memory *memory,
                    tfprof_error *err)
{
    grouper g = { .out = out,
                  .base = base,
                  .head = head,
                  .memory = memory,
                  .unmatched = TFP_NO_ID };
    *out = (tfp_things){ .memory = memory };
    init(&g, changes->exact.count);
    for (size_t i = 0; i < changes->exact.count && !g.failed; i++)
        take(&g, &changes->exact.data[i], i);
    for (size_t i = 0; i < changes->times.count && !g.failed; i++)
        take(&g, &changes->times.data[i], SIZE_MAX);
    if (!g.failed && g.of_place)
        add_equal_rows(&g, pairs);
    tfp_memory_free(memory, g.of_base);
    tfp_memory_free(memory, g.of_head);
    tfp_memory_free(memory, g.of_place);
    return g.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

void tfp_things_release(tfp_things *things)
{
    if (!things->memory)
        return;
    TFP_VEC_RELEASE(things->memory, &things->all);
    tfp_memory_free(things->memory, things->next_text);
    *things = (tfp_things){ 0 };
}
