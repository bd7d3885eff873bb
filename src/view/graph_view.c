/*
 * graph_view.c - each node above the nodes it takes its inputs from.
 *
 * The graph is walked depth first from the nodes that no other uses, in the
 * order of their names; a node stands below the first one that leads to it.
 * So a graph of any form, cycles included, becomes a tree with each node once.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "view/tree.h"
#include "view/view.h"

/* Where the walk is at one node. */
typedef struct visit {
    uint32_t row;
    uint32_t edge, end; /* the inputs still to be followed */
} visit;

typedef struct walk {
    tfp_view *view;
    uint8_t *seen; /* by member */
    TFP_VEC(visit) path;
} walk;

static uint32_t source_member(const tfp_view *v, const tfp_edge *edge)
{
    if (edge->source == TFP_NO_NODE)
        return TFP_NO_ID;
    return v->census->by_name[v->model->nodes.name[edge->source]];
}

static bool enter(walk *w, uint32_t member, uint32_t parent)
{
    tfp_view *v = w->view;
    const tfp_member *m = &v->census->members.data[member];
    visit next = { 0 };
    next.row = tfp_view_add_row(v, tfp_model_text(v->model, m->name), parent,
                                member);
    if (m->node != TFP_NO_NODE) {
        const tfp_nodes *nodes = &v->model->nodes;
        size_t count;
        tfp_node_inputs(nodes, m->node, &count);
        next.edge = nodes->first_edge[m->node];
        next.end = next.edge + (uint32_t)count;
    }
    w->seen[member] = true;
    return next.row != TFP_NO_ID && TFP_VEC_PUSH(v->memory, &w->path, next);
}

static bool walk_from(walk *w, uint32_t root)
{
    const tfp_view *v = w->view;
    if (!enter(w, root, 0))
        return false;
    while (w->path.count > 0) {
        visit *top = &w->path.data[w->path.count - 1];
        uint32_t member;
        if (top->edge == top->end) {
            w->path.count--;
            continue;
        }
        member = source_member(v, &v->model->nodes.edges.data[top->edge++]);
        if (member != TFP_NO_ID && !w->seen[member] &&
            !enter(w, member, top->row))
            return false;
    }
    return true;
}

/* ---- Roots -------------------------------------------------------------- */

static uint64_t member_key(const tfp_view *v, uint32_t member)
{
    tfp_span name = tfp_model_text(v->model,
                                   v->census->members.data[member].name);
    return tfp_text_key(name.data, name.size);
}

static int member_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_view *v = context;
    return tfp_span_compare(
        tfp_model_text(v->model, v->census->members.data[a].name),
        tfp_model_text(v->model, v->census->members.data[b].name));
}

/* Marks in `used` every node that another one takes an input from. */
static void mark_used(const tfp_view *v, uint8_t *used)
{
    for (size_t m = 0; m < v->census->members.count; m++) {
        tfp_node node = v->census->members.data[m].node;
        const tfp_edge *edges;
        size_t count;
        if (node == TFP_NO_NODE)
            continue;
        edges = tfp_node_inputs(&v->model->nodes, node, &count);
        for (size_t i = 0; i < count; i++) {
            uint32_t source = source_member(v, &edges[i]);
            if (source != TFP_NO_ID)
                used[source] = true;
        }
    }
}

/* Walks from every member that is not marked, in the order of names. */
static bool walk_unmarked(walk *w, const uint8_t *marked)
{
    tfp_view *v = w->view;
    size_t count = 0, members = v->census->members.count;
    tfp_sort_item *items;
    bool ok = true;
    for (size_t m = 0; m < members; m++)
        count += !marked[m];
    items = tfp_memory_array(v->memory, 2 * count, sizeof(*items));
    if (!items)
        return false;
    count = 0;
    for (uint32_t m = 0; m < members; m++) {
        if (!marked[m])
            items[count++] = (tfp_sort_item){ member_key(v, m), m };
    }
    tfp_sort(items, count, items + count, member_tie, v);
    for (size_t i = 0; ok && i < count; i++)
        ok = w->seen[items[i].index] || walk_from(w, items[i].index);
    tfp_memory_free(v->memory, items);
    return ok;
}

static bool walk_all(walk *w, uint8_t *used)
{
    tfp_view *v = w->view;
    size_t members = v->census->members.count;
    if (!TFP_VEC_RESERVE(v->memory, &v->rows, members))
        return false;
    mark_used(v, used);
    if (!walk_unmarked(w, used))
        return false;
    /* Upstream shows nothing of a graph where every node is used by another;
     * here any node of a cycle may stand for its beginning. */
    if (v->rows.count == 1 && members > 0) {
        v->only_cycles = true;
        memset(used, 0, members);
        if (!walk_unmarked(w, used))
            return false;
    }
    v->unreachable_nodes = (int64_t)(members - (v->rows.count - 1));
    return true;
}

static int build(tfp_view *v, tfprof_error *err)
{
    size_t members = v->census->members.count;
    uint8_t *marks = tfp_memory_zarray(v->memory, 2 * members, 1);
    walk w = { .view = v, .seen = marks };
    bool ok = marks && walk_all(&w, marks + members);
    TFP_VEC_RELEASE(v->memory, &w.path);
    tfp_memory_free(v->memory, marks);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

const tfp_view_type tfp_graph_view = {
    .name = "graph",
    .build = build,
    .is_path = true,
    .splices = true,
    .prints_occurrences = true,
    .prints_input_shapes = true,
    .timeline = TFP_TIMELINE_RUNS,
    .row_type = "_TFGraphParent",
};
