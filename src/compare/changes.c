/*
 * changes.c - what differs between the two sides of a comparison.
 */
#include "compare/changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/sort.h"

/* A subtree that only one side has: its top, and what is in it. */
typedef struct single {
    uint32_t top;
    size_t instructions, others; /* nodes */
    int64_t values[TFP_COMPARED_COUNT];
} single;

/* A node that only one side has, in the nearest scope that both have. */
typedef struct lone_node {
    uint32_t scope; /* row of the base */
    uint32_t type;  /* text */
    int16_t nodes;  /* 1 or -1 */
    bool is_instruction;
} lone_node;

typedef struct finder {
    tfp_changes *out;
    const tfp_compare_side *base, *head;
    const tfp_alignment *pairs;
    tfp_memory *memory;
    uint32_t compared; /* metrics, a bit each */
    tfp_watch watch;
    TFP_VEC(single) singles; /* of one side at a time */
    TFP_VEC(lone_node) lone;
    bool failed; /* out of memory */
} finder;

static bool is_time(int metric)
{
    return metric < TFP_COST_COUNT && TFP_COMPARED_TIMES >> metric & 1;
}

static void push(finder *f, tfp_change change)
{
    f->failed |= !(is_time(change.metric)
                       ? TFP_VEC_PUSH(f->memory, &f->out->times, change)
                       : TFP_VEC_PUSH(f->memory, &f->out->exact, change));
}

/* ---- Rows that both sides have ------------------------------------------ */

static void compare_totals(finder *f)
{
    uint32_t varies = f->base->varies | f->head->varies;
    for (int m = 0; m < TFP_COST_COUNT; m++) {
        int64_t was = f->base->rows.totals[m], is = f->head->rows.totals[m];
        if (f->compared >> m & 1 && !is_time(m) && was != is &&
            !(varies >> m & 1))
            push(f, (tfp_change){ TFP_CHANGED, false, m, 0, 0, was, is });
    }
}

static void compare_values(finder *f, uint32_t base, uint32_t head)
{
    bool varies = false;
    for (int m = 0; m < TFP_COMPARED_COUNT; m++) {
        int64_t was = tfp_snapshot_value(&f->base->rows, base, m);
        int64_t is = tfp_snapshot_value(&f->head->rows, head, m);
        if (was == is || !(f->compared >> m & 1))
            continue;
        if (tfp_side_varies(f->base, base, m) ||
            tfp_side_varies(f->head, head, m))
            varies = true;
        else
            push(f, (tfp_change){ TFP_CHANGED, false, m, base, head, was, is });
    }
    f->out->varying += varies;
}

static void count_node(finder *f, uint32_t scope, uint32_t type, int16_t nodes,
                       bool is_instruction)
{
    lone_node node = { scope, type, nodes, is_instruction };
    f->failed |= !TFP_VEC_PUSH(f->memory, &f->lone, node);
}

static void compare_pair(finder *f, uint32_t base, uint32_t head)
{
    const tfp_snapshot *from = &f->base->rows, *to = &f->head->rows;
    tfp_change change = { .kind = TFP_CHANGED,
                          .metric = TFP_CHANGE_TYPE,
                          .base = base,
                          .head = head };
    if (tfp_row_has_moved(f->pairs, base))
        push(f, (tfp_change){ .kind = TFP_MOVED,
                              .metric = TFP_CHANGE_PLACE,
                              .base = base,
                              .head = head });
    change.was = from->types[base];
    change.is = to->types[head];
    if (change.was != change.is)
        push(f, change);
    change.metric = TFP_CHANGE_SHAPE;
    change.was = from->shapes[base];
    change.is = to->shapes[head];
    if (change.was != change.is)
        push(f, change);
    compare_values(f, base, head);
}

/* ---- Rows that one side has --------------------------------------------- */

static void add_single(const tfp_snapshot *s, uint32_t row, single *to)
{
    for (int m = 0; m < TFP_COMPARED_COUNT; m++)
        to->values[m] = tfp_add_sat(to->values[m],
                                    tfp_snapshot_value(s, row, m));
    if (s->type->groups || s->types[row] == 0)
        return;
    to->values[TFP_COMPARED_NODES]++;
    if (tfp_snapshot_is_instruction(s, row))
        to->instructions++;
    else
        to->others++;
}

/* Collects the subtrees of a side that the other side does not have. */
static bool find_singles(finder *f, const tfp_snapshot *s,
                         const uint32_t *pairs, bool is_base)
{
    /* By row: its single if it has no pair, else the scope for those below. */
    uint32_t *of = tfp_memory_array(f->memory, s->count + 1, sizeof(*of));
    uint32_t *scope = tfp_memory_array(f->memory, s->count + 1, sizeof(*scope));
    bool ok = of && scope;
    f->singles.count = 0;
    for (uint32_t row = 0; ok && row < s->count; row++) {
        if (tfp_watch_ends(&f->watch))
            break;
        of[row] = TFP_NO_ID;
        scope[row] = is_base ? row : pairs[row];
        if (pairs[row] != TFP_NO_ID)
            continue;
        scope[row] = row > 0 ? scope[s->parents[row]] : 0;
        of[row] = row > 0 ? of[s->parents[row]] : TFP_NO_ID;
        if (of[row] == TFP_NO_ID) {
            single fresh = { .top = row };
            of[row] = (uint32_t)f->singles.count;
            ok = TFP_VEC_PUSH(f->memory, &f->singles, fresh);
        }
        if (ok)
            add_single(s, row, &f->singles.data[of[row]]);
        if (ok && s->types[row] != 0)
            count_node(f, scope[row], s->types[row], is_base ? -1 : 1,
                       tfp_snapshot_is_instruction(s, row));
    }
    tfp_memory_free(f->memory, of);
    tfp_memory_free(f->memory, scope);
    f->failed |= !ok;
    return ok;
}

/* A scope whose content has moved away is not worth a line. */
static void list_singles(finder *f, bool is_base)
{
    for (size_t i = 0; i < f->singles.count; i++) {
        const single *one = &f->singles.data[i];
        for (int m = TFP_COMPARED_COUNT; m-- > 0;) {
            tfp_change change = { .kind = is_base ? TFP_REMOVED : TFP_ADDED,
                                  .is_unmatched = one->instructions > 0 &&
                                                  one->others == 0,
                                  .metric = m,
                                  .base = TFP_NO_ID,
                                  .head = TFP_NO_ID };
            if (one->values[m] == 0 || !(f->compared >> m & 1))
                continue;
            *(is_base ? &change.base : &change.head) = one->top;
            *(is_base ? &change.was : &change.is) = one->values[m];
            push(f, change);
        }
    }
}

/* ---- Nodes by scope and type -------------------------------------------- */

static int compare_lone(const void *a, const void *b)
{
    const lone_node *x = a, *y = b;
    if (x->scope != y->scope)
        return x->scope < y->scope ? -1 : 1;
    return (x->type > y->type) - (x->type < y->type);
}

/* The largest first, then in the order of the texts. */
static int compare_sums(const void *a, const void *b)
{
    const tfp_graph_change *x = a, *y = b;
    int64_t more = (y->nodes < 0 ? -y->nodes : y->nodes) -
                   (x->nodes < 0 ? -x->nodes : x->nodes);
    if (more != 0)
        return more > 0 ? 1 : -1;
    return (x->type > y->type) - (x->type < y->type);
}

/* Adds up equal types from `from` up to `end`; how many entries of `graph`
 * that makes. */
static size_t sum_types(finder *f, size_t from, size_t end)
{
    size_t before = f->out->graph.count;
    while (from < end && !f->failed) {
        tfp_graph_change sum = { f->lone.data[from].type, 0 };
        for (; from < end && f->lone.data[from].type == sum.type; from++)
            sum.nodes += f->lone.data[from].nodes;
        if (sum.nodes != 0)
            f->failed |= !TFP_VEC_PUSH(f->memory, &f->out->graph, sum);
    }
    if (f->out->graph.count > before)
        qsort(f->out->graph.data + before, f->out->graph.count - before,
              sizeof(*f->out->graph.data), compare_sums);
    return f->out->graph.count - before;
}

static void list_scopes(finder *f)
{
    size_t end;
    for (size_t i = 0; i < f->lone.count && !f->failed; i = end) {
        uint32_t scope = f->lone.data[i].scope;
        tfp_change change = { .kind = TFP_CHANGED,
                              .is_unmatched = true,
                              .metric = TFP_CHANGE_GRAPH,
                              .base = scope,
                              .head = f->pairs->to[scope] };
        for (end = i; end < f->lone.count && f->lone.data[end].scope == scope;)
            change.is_unmatched &= f->lone.data[end++].is_instruction;
        change.was = (int64_t)f->out->graph.count;
        if (sum_types(f, i, end) == 0)
            continue;
        change.is = (int64_t)f->out->graph.count;
        push(f, change);
    }
}

/* A node that has another type is removed from one and added to the other. */
static void count_new_types(finder *f)
{
    const tfp_snapshot *from = &f->base->rows, *to = &f->head->rows;
    for (uint32_t row = 1; row < from->count && !f->failed; row++) {
        uint32_t head = f->pairs->to[row];
        if (head == TFP_NO_ID || from->types[row] == to->types[head])
            continue;
        if (from->types[row] != 0)
            count_node(f, 0, from->types[row], -1, false);
        if (to->types[head] != 0)
            count_node(f, 0, to->types[head], 1, false);
    }
}

static void sort_lone(finder *f)
{
    if (f->lone.count > 0)
        qsort(f->lone.data, f->lone.count, sizeof(*f->lone.data), compare_lone);
}

static void sum_graph(finder *f)
{
    sort_lone(f);
    list_scopes(f);
    count_new_types(f);
    for (size_t i = 0; i < f->lone.count; i++)
        f->lone.data[i].scope = 0;
    sort_lone(f);
    f->out->graph_start = f->out->graph.count;
    sum_types(f, 0, f->lone.count);
}

/* ---- Order -------------------------------------------------------------- */

static uint64_t distance(const tfp_change *change)
{
    return change->is > change->was
               ? (uint64_t)change->is - (uint64_t)change->was
               : (uint64_t)change->was - (uint64_t)change->is;
}

static void sort_times(finder *f)
{
    size_t count = f->out->times.count;
    tfp_sort_item *items = tfp_memory_array(f->memory, 2 * count + 1,
                                            sizeof(*items));
    tfp_change *sorted = tfp_memory_array(f->memory, count + 1,
                                          sizeof(*sorted));
    bool ok = items && sorted;
    for (size_t i = 0; ok && i < count; i++)
        items[i] = (tfp_sort_item){ ~distance(&f->out->times.data[i]),
                                    (uint32_t)i };
    if (ok)
        ok = tfp_sort_until(items, count, items + count, NULL, NULL,
                            f->watch.cancel);
    for (size_t i = 0; ok && i < count; i++)
        sorted[i] = f->out->times.data[items[i].index];
    if (ok && count > 0)
        memcpy(f->out->times.data, sorted, count * sizeof(*sorted));
    f->failed |= !ok && !tfp_watch_asks(&f->watch);
    tfp_memory_free(f->memory, items);
    tfp_memory_free(f->memory, sorted);
}

/* ---- All of it ---------------------------------------------------------- */

static void find(finder *f)
{
    const tfp_snapshot *from = &f->base->rows, *to = &f->head->rows;
    compare_totals(f);
    for (uint32_t row = 1; row < from->count && !f->failed; row++) {
        uint32_t head = f->pairs->to[row];
        if (tfp_watch_ends(&f->watch))
            return;
        if (head != TFP_NO_ID)
            compare_pair(f, row, head);
    }
    if (!f->failed && find_singles(f, from, f->pairs->to, true))
        list_singles(f, true);
    if (!f->failed && find_singles(f, to, f->pairs->from, false))
        list_singles(f, false);
    if (!f->failed && !f->watch.cancelled)
        sum_graph(f);
    if (!f->failed && !f->watch.cancelled)
        sort_times(f);
}

int tfp_changes_find(tfp_changes *out, const tfp_compare_side *base,
                     const tfp_compare_side *head,
                     const tfp_alignment *alignment, uint32_t compared,
                     tfp_memory *memory, const tfp_cancel *cancel,
                     tfprof_error *err)
{
    finder f = { .out = out,
                 .base = base,
                 .head = head,
                 .pairs = alignment,
                 .memory = memory,
                 .compared = compared | 1u << TFP_COMPARED_NODES,
                 .watch = { .cancel = cancel } };
    *out = (tfp_changes){ .memory = memory };
    find(&f);
    TFP_VEC_RELEASE(memory, &f.singles);
    TFP_VEC_RELEASE(memory, &f.lone);
    if (f.watch.cancelled)
        return tfp_fail_cancelled(err);
    return f.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

bool tfp_changes_add_total(tfp_changes *c, int metric, int64_t was, int64_t is)
{
    tfp_change change = { TFP_CHANGED, false, metric, 0, 0, was, is };
    if (was == is)
        return true;
    if (!TFP_VEC_PUSH(c->memory, &c->exact, change))
        return false;
    memmove(c->exact.data + 1, c->exact.data,
            (c->exact.count - 1) * sizeof(*c->exact.data));
    c->exact.data[0] = change;
    return true;
}

void tfp_changes_release(tfp_changes *out)
{
    if (!out->memory)
        return;
    TFP_VEC_RELEASE(out->memory, &out->exact);
    TFP_VEC_RELEASE(out->memory, &out->times);
    TFP_VEC_RELEASE(out->memory, &out->graph);
    *out = (tfp_changes){ 0 };
}
