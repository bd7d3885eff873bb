/*
 * groups.c - which events belong to which step.
 */
#include "trace/groups.h"

#include <string.h>

#include "base/bytes.h"
#include "base/sort.h"
#include "trace/id_map.h"

/* A context that so many produce and so many consume ties nothing to anything:
 * xprof leaves it out. */
enum { MOST_LINKED = 64 };

enum { FOLLOWED = 1, TIES_NOTHING = 2 };

/* Bounds the search for a root around another root. All searches together visit
 * at most this many anchors and links for each anchor and each producer of the
 * trace. After that, roots count as not enclosed. */
enum { SEARCH_PER_ANCHOR = 64 };

/* How far out to look for a step that a moment lies in. */
enum { MOST_AROUND = 64 };

bool tfp_groups_init(tfp_groups *g, tfp_memory *memory, uint64_t seed)
{
    *g = (tfp_groups){ .memory = memory, .seed = seed };
    return tfp_interner_init(&g->contexts, memory, 8, seed);
}

void tfp_groups_release(tfp_groups *g)
{
    TFP_VEC_RELEASE(g->memory, &g->anchors);
    TFP_VEC_RELEASE(g->memory, &g->producers);
    TFP_VEC_RELEASE(g->memory, &g->consumers);
    TFP_VEC_RELEASE(g->memory, &g->groups);
    TFP_VEC_RELEASE(g->memory, &g->by_begin);
    TFP_VEC_RELEASE(g->memory, &g->around);
    tfp_interner_release(&g->contexts);
}

uint32_t tfp_groups_add(tfp_groups *g, tfp_anchor anchor)
{
    uint32_t index = (uint32_t)g->anchors.count;
    anchor.group = anchor.first_child = anchor.next_sibling = TFP_NO_ID;
    anchor.loop = TFP_NO_ID;
    if (g->anchors.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(g->memory, &g->anchors, anchor))
        return TFP_NO_ID;
    if (anchor.parent != TFP_NO_ID) {
        tfp_anchor *parent = &g->anchors.data[anchor.parent];
        g->anchors.data[index].next_sibling = parent->first_child;
        parent->first_child = index;
    }
    return index;
}

static uint32_t context_of(tfp_groups *g, int64_t type, int64_t id,
                           int64_t process)
{
    int64_t key[] = { type, id, process };
    return tfp_intern(&g->contexts,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
}

bool tfp_groups_produce(tfp_groups *g, uint32_t anchor, int64_t type,
                        int64_t id, int64_t process)
{
    tfp_link link = { .anchor = anchor };
    if (anchor == TFP_NO_ID)
        return true;
    link.context = context_of(g, type, id, process);
    return link.context != TFP_NO_ID &&
           TFP_VEC_PUSH(g->memory, &g->producers, link);
}

bool tfp_groups_consume(tfp_groups *g, uint32_t anchor, int64_t type,
                        int64_t id, int64_t process)
{
    tfp_link link = { context_of(g, type, id, process), anchor };
    return link.context != TFP_NO_ID &&
           TFP_VEC_PUSH(g->memory, &g->consumers, link);
}

/* ---- Links, ready to be followed ---------------------------------------- */

/* The links of each key one after the other: those of key k are
 * links[first[k]] up to links[first[k + 1]]. */
typedef struct link_index {
    uint32_t *first;
    uint32_t *others; /* the other side of each link */
} link_index;

typedef struct forming {
    tfp_groups *g;
    link_index produced;  /* by anchor: contexts */
    link_index consumed;  /* by context: anchors */
    link_index producers; /* by context: anchors */
    link_index origins;   /* by anchor: contexts that it consumes */
    uint8_t *is_done;     /* by context: FOLLOWED, or TIES_NOTHING */
    uint32_t *queue;      /* anchors */
    uint32_t *seen;       /* by anchor: the last search that came by */
    uint32_t searches;
    int64_t search_left; /* anchors and links to be looked at */
} forming;

static bool make_index(link_index *x, tfp_memory *memory, const tfp_link *links,
                       size_t count, size_t keys, bool by_context)
{
    x->first = tfp_memory_zarray(memory, keys + 2, sizeof(*x->first));
    x->others = tfp_memory_array(memory, count + 1, sizeof(*x->others));
    if (!x->first || !x->others)
        return false;
    for (size_t i = 0; i < count; i++)
        x->first[(by_context ? links[i].context : links[i].anchor) + 2]++;
    for (size_t k = 2; k < keys + 2; k++)
        x->first[k] += x->first[k - 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t key = by_context ? links[i].context : links[i].anchor;
        x->others[x->first[key + 1]++] = by_context ? links[i].anchor
                                                    : links[i].context;
    }
    return true;
}

static void release_index(link_index *x, tfp_memory *memory)
{
    tfp_memory_free(memory, x->first);
    tfp_memory_free(memory, x->others);
}

static uint32_t count_of(const link_index *x, uint32_t key)
{
    return x->first[key + 1] - x->first[key];
}

static bool begin_forming(forming *f, tfp_groups *g)
{
    tfp_memory *memory = g->memory;
    size_t anchors = g->anchors.count;
    size_t contexts = tfp_interner_count(&g->contexts);
    const tfp_link *made = g->producers.data, *used = g->consumers.data;
    *f = (forming){ .g = g };
    if (!make_index(&f->produced, memory, made, g->producers.count, anchors,
                    false) ||
        !make_index(&f->producers, memory, made, g->producers.count, contexts,
                    true) ||
        !make_index(&f->consumed, memory, used, g->consumers.count, contexts,
                    true) ||
        !make_index(&f->origins, memory, used, g->consumers.count, anchors,
                    false))
        return false;
    f->is_done = tfp_memory_zalloc(memory, contexts + 1);
    f->queue = tfp_memory_array(memory, anchors + 1, sizeof(*f->queue));
    f->seen = tfp_memory_zarray(memory, anchors + 1, sizeof(*f->seen));
    f->search_left = (int64_t)(anchors + g->producers.count) *
                     SEARCH_PER_ANCHOR;
    if (!f->is_done || !f->queue || !f->seen)
        return false;
    for (uint32_t c = 0; c < contexts; c++)
        f->is_done[c] = count_of(&f->producers, c) >= MOST_LINKED &&
                                count_of(&f->consumed, c) >= MOST_LINKED
                            ? TIES_NOTHING
                            : 0;
    return true;
}

static void end_forming(forming *f)
{
    tfp_memory *memory = f->g->memory;
    release_index(&f->produced, memory);
    release_index(&f->producers, memory);
    release_index(&f->consumed, memory);
    release_index(&f->origins, memory);
    tfp_memory_free(memory, f->is_done);
    tfp_memory_free(memory, f->queue);
    tfp_memory_free(memory, f->seen);
}

/* ---- Groups ------------------------------------------------------------- */

/* An iteration may queue the next one, and does not take it all the same. */
static void take(forming *f, uint32_t anchor, uint32_t group, size_t *count)
{
    tfp_anchor *a = &f->g->anchors.data[anchor];
    uint32_t root = f->g->groups.data[group].root;
    if (a->group == TFP_NO_ID &&
        (a->loop == TFP_NO_ID || a->loop == f->g->anchors.data[root].loop)) {
        a->group = group;
        f->queue[(*count)++] = anchor;
    }
}

/* All that can be reached from a root and that is free. */
static void spread(forming *f, uint32_t root, uint32_t group)
{
    size_t count = 0;
    take(f, root, group, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t anchor = f->queue[i];
        const tfp_anchor *a = &f->g->anchors.data[anchor];
        for (uint32_t k = a->first_child; k != TFP_NO_ID;
             k = f->g->anchors.data[k].next_sibling)
            take(f, k, group, &count);
        for (uint32_t p = f->produced.first[anchor];
             p < f->produced.first[anchor + 1]; p++) {
            uint32_t context = f->produced.others[p];
            if (f->is_done[context])
                continue;
            f->is_done[context] = FOLLOWED;
            for (uint32_t c = f->consumed.first[context];
                 c < f->consumed.first[context + 1]; c++)
                take(f, f->consumed.others[c], group, &count);
        }
    }
}

/* Was the anchor not visited in this search? Repeated visits count against the
 * limit too, since a file may repeat its links. */
static bool is_new(forming *f, uint32_t anchor)
{
    f->search_left--;
    if (f->seen[anchor] == f->searches)
        return false;
    f->seen[anchor] = f->searches;
    return true;
}

/* The first numbers that a search comes by. */
static void note_numbers(const tfp_anchor *a, tfp_anchor *numbers)
{
    if (a->has_step && !numbers->has_step) {
        numbers->has_step = true;
        numbers->step = a->step;
    }
    if (a->has_iteration && !numbers->has_iteration) {
        numbers->has_iteration = true;
        numbers->iteration = a->iteration;
    }
}

/* Is the root enclosed by another root of its level? Searches outwards, nearest
 * first. An iteration of a loop is always a root of its own. The search also
 * finds the step number: that of an iteration, if there is one. */
static bool is_inside_another(forming *f, uint32_t root, tfp_group *group)
{
    const tfp_anchor *anchors = f->g->anchors.data;
    tfp_anchor numbers = { 0 };
    size_t count = 0;
    f->searches++;
    if (is_new(f, root))
        f->queue[count++] = root;
    for (size_t i = 0; i < count && f->search_left > 0; i++) {
        uint32_t at = f->queue[i];
        const tfp_anchor *a = &anchors[at];
        if (at != root && a->level != 0 && a->level == anchors[root].level &&
            !f->g->has_iterations)
            return true;
        note_numbers(a, &numbers);
        if (a->parent != TFP_NO_ID && is_new(f, a->parent))
            f->queue[count++] = a->parent;
        for (uint32_t o = f->origins.first[at]; o < f->origins.first[at + 1];
             o++) {
            uint32_t context = f->origins.others[o];
            if (f->is_done[context] == TIES_NOTHING)
                continue;
            for (uint32_t p = f->producers.first[context];
                 p < f->producers.first[context + 1] && f->search_left > 0;
                 p++) {
                uint32_t producer = f->producers.others[p];
                if (is_new(f, producer))
                    f->queue[count++] = producer;
            }
        }
    }
    group->has_step = numbers.has_step || numbers.has_iteration;
    group->step = numbers.has_iteration ? numbers.iteration : numbers.step;
    return false;
}

static int by_begin(const void *context, uint32_t a, uint32_t b)
{
    const tfp_anchor *anchors = context;
    return (anchors[a].begin > anchors[b].begin) -
           (anchors[a].begin < anchors[b].begin);
}

static bool form(forming *f, tfp_sort_item *roots, size_t count)
{
    tfp_groups *g = f->g;
    tfp_sort(roots, count, roots + count, by_begin, g->anchors.data);
    for (size_t i = 0; i < count; i++) {
        tfp_group group = { .root = roots[i].index };
        if ((g->anchors.data[group.root].group != TFP_NO_ID &&
             !g->has_iterations) ||
            is_inside_another(f, group.root, &group))
            continue;
        if (!TFP_VEC_PUSH(g->memory, &g->groups, group))
            return false;
        spread(f, group.root, (uint32_t)g->groups.count - 1);
    }
    return true;
}

/* Roots by time, each with the one that it is inside of. */
static bool order_groups(tfp_groups *g, tfp_sort_item *items)
{
    size_t count = g->groups.count;
    uint32_t open = TFP_NO_ID;
    if (!TFP_VEC_RESERVE(g->memory, &g->by_begin, count) ||
        !TFP_VEC_RESERVE(g->memory, &g->around, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        int64_t begin = g->anchors.data[g->groups.data[i].root].begin;
        items[i].key = tfp_sort_key_rising(begin);
        items[i].index = (uint32_t)i;
    }
    tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        const tfp_anchor *root =
            &g->anchors.data[g->groups.data[items[i].index].root];
        while (open != TFP_NO_ID) {
            const tfp_group *outer = &g->groups.data[g->by_begin.data[open]];
            if (g->anchors.data[outer->root].end > root->begin)
                break;
            open = g->around.data[open];
        }
        g->by_begin.data[g->by_begin.count++] = items[i].index;
        g->around.data[g->around.count++] = open;
        open = (uint32_t)i;
    }
    return true;
}

/* ---- Loops -------------------------------------------------------------- */

/* A graph that only ever runs its iteration 0 is not a loop. */
static bool find_loops(const tfp_groups *g, tfp_id_map *loops)
{
    for (size_t i = 0; i < g->anchors.count; i++) {
        const tfp_anchor *a = &g->anchors.data[i];
        if (a->is_executor && !a->is_data && a->iteration != 0 &&
            !tfp_id_map_put(loops, a->id, 0))
            return false;
    }
    return true;
}

/* All that run one iteration are tied to the earliest of them. */
static bool tie_iterations(tfp_groups *g, const tfp_id_map *loops)
{
    size_t before = g->consumers.count, contexts;
    uint32_t *first;
    bool ok = true;
    for (size_t i = 0; i < g->anchors.count; i++) {
        const tfp_anchor *a = &g->anchors.data[i];
        if (a->is_executor && !a->is_data &&
            tfp_id_map_find(loops, a->id) != TFP_NO_ID &&
            !tfp_groups_consume(g, (uint32_t)i, TFP_CONTEXT_ITERATION, a->id,
                                a->iteration))
            return false;
    }
    contexts = tfp_interner_count(&g->contexts);
    first = tfp_memory_array(g->memory, contexts + 1, sizeof(*first));
    if (!first)
        return false;
    memset(first, 0xff, (contexts + 1) * sizeof(*first)); /* TFP_NO_ID */
    for (size_t i = before; i < g->consumers.count; i++) {
        tfp_link link = g->consumers.data[i];
        uint32_t *earliest = &first[link.context];
        g->anchors.data[link.anchor].loop = link.context;
        if (*earliest == TFP_NO_ID || g->anchors.data[link.anchor].begin <
                                          g->anchors.data[*earliest].begin)
            *earliest = link.anchor;
    }
    for (uint32_t c = 0; c < contexts && ok; c++) {
        if (first[c] == TFP_NO_ID)
            continue;
        g->has_iterations = g->anchors.data[first[c]].is_iteration = true;
        ok = TFP_VEC_PUSH(g->memory, &g->producers, (tfp_link){ c, first[c] });
    }
    tfp_memory_free(g->memory, first);
    return ok;
}

static bool find_iterations(tfp_groups *g)
{
    tfp_id_map loops;
    bool ok;
    tfp_id_map_init(&loops, g->memory, g->seed);
    ok = find_loops(g, &loops) &&
         (loops.count == 0 || tie_iterations(g, &loops));
    tfp_id_map_release(&loops);
    return ok;
}

bool tfp_groups_put(tfp_groups *g, int64_t step, int64_t begin, int64_t end)
{
    tfp_anchor anchor = {
        .parent = TFP_NO_ID, .begin = begin, .end = end, .is_named = true
    };
    tfp_group group = { .step = step, .has_step = true };
    group.root = tfp_groups_add(g, anchor);
    return group.root != TFP_NO_ID &&
           TFP_VEC_PUSH(g->memory, &g->groups, group);
}

bool tfp_groups_order(tfp_groups *g)
{
    tfp_sort_item *items = tfp_memory_array(g->memory, 2 * g->groups.count + 1,
                                            sizeof(*items));
    bool ok = items && order_groups(g, items);
    tfp_memory_free(g->memory, items);
    return ok;
}

static bool is_root(const tfp_groups *g, const tfp_anchor *anchor)
{
    return g->has_iterations ? anchor->is_iteration
                             : anchor->level != 0 && !anchor->is_data;
}

bool tfp_groups_form(tfp_groups *g)
{
    size_t roots = 0, at = 0;
    tfp_sort_item *items;
    forming f;
    bool ok;
    if (!g->has_marked_steps && !find_iterations(g))
        return false;
    for (size_t i = 0; i < g->anchors.count; i++)
        roots += is_root(g, &g->anchors.data[i]);
    if (roots == 0)
        return true;
    items = tfp_memory_array(g->memory, 2 * roots, sizeof(*items));
    if (!items)
        return false;
    for (size_t i = 0; i < g->anchors.count; i++) {
        int64_t level = g->has_iterations ? 0 : g->anchors.data[i].level;
        if (is_root(g, &g->anchors.data[i]))
            items[at++] = (tfp_sort_item){ tfp_sort_key_falling(level),
                                           (uint32_t)i };
    }
    ok = begin_forming(&f, g) && form(&f, items, roots) &&
         order_groups(g, items);
    end_forming(&f);
    tfp_memory_free(g->memory, items);
    return ok;
}

void tfp_groups_stretch(tfp_groups *g, int64_t end)
{
    for (size_t i = 0; i < g->by_begin.count; i++) {
        uint32_t group = g->by_begin.data[i];
        tfp_anchor *root = &g->anchors.data[g->groups.data[group].root];
        int64_t until = end > root->end ? end : root->end;
        if (i + 1 < g->by_begin.count)
            until = tfp_groups_root(g, g->by_begin.data[i + 1])->begin;
        root->end = until;
        g->around.data[i] = TFP_NO_ID;
    }
}

uint32_t tfp_groups_at(const tfp_groups *g, int64_t moment)
{
    size_t low = 0, high = g->by_begin.count;
    uint32_t at;
    while (low < high) { /* the first that begins later */
        size_t middle = low + (high - low) / 2;
        const tfp_group *group = &g->groups.data[g->by_begin.data[middle]];
        if (g->anchors.data[group->root].begin <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    at = low == 0 ? TFP_NO_ID : (uint32_t)low - 1;
    for (int i = 0; i < MOST_AROUND && at != TFP_NO_ID; i++) {
        uint32_t group = g->by_begin.data[at];
        if (moment < g->anchors.data[g->groups.data[group].root].end)
            return group;
        at = g->around.data[at];
    }
    return TFP_NO_ID;
}
