/*
 * graph.c - nodes, edges and functions.
 */
#include "model/graph.h"

#include "base/bits.h"

#include "base/intern.h"

#include "model/model.h"

/* ---- Columns ------------------------------------------------------------ */

/* Every column, in the order of `capacities`. */
#define FOR_EACH_COLUMN(DO)                                                    \
    DO(name)                                                                   \
    DO(op)                                                                     \
    DO(device)                                                                 \
    DO(first_edge)                                                             \
    DO(attrs)                                                                  \
    DO(outputs)                                                                \
    DO(types)                                                                  \
    DO(trace)                                                                  \
    DO(float_ops)

#define NUMBER_OF(column) COLUMN_##column,
enum { FOR_EACH_COLUMN(NUMBER_OF) COLUMNS };
_Static_assert((int)COLUMNS == (int)TFP_NODE_COLUMNS, "a capacity for each");

/* When one column cannot grow, those before it have room to spare. */
static bool reserve(tfp_nodes *n, tfp_memory *memory)
{
    if (n->count < n->capacity)
        return true;
#define GROW(column)                                                           \
    if (n->capacities[COLUMN_##column] == n->count)                            \
        n->column = tfp_vec_grow(memory, n->column,                            \
                                 &n->capacities[COLUMN_##column], n->count, 1, \
                                 sizeof(*n->column));                          \
    if (n->capacities[COLUMN_##column] == n->count)                            \
        return false;
    FOR_EACH_COLUMN(GROW)
#undef GROW
    n->capacity = n->capacities[0];
    return true;
}

void tfp_nodes_release(tfp_nodes *n, tfp_memory *memory)
{
#define FREE(column) tfp_memory_free(memory, n->column);
    FOR_EACH_COLUMN(FREE)
#undef FREE
    TFP_VEC_RELEASE(memory, &n->edges);
    TFP_VEC_RELEASE(memory, &n->by_name);
    *n = (tfp_nodes){ 0 };
}

/* ---- Building a graph --------------------------------------------------- */

tfp_nodes *tfp_graph_nodes(tfp_model *model, const tfp_graph *graph)
{
    return graph->kind == TFP_GRAPH_FUNCTION ? &model->bodies : &model->nodes;
}

uint32_t tfp_model_open_graph(tfp_model *model, tfp_graph_kind kind,
                              tfp_string name, uint32_t owner)
{
    tfp_graph graph = { .kind = kind, .name = name, .owner = owner };
    const tfp_nodes *nodes = tfp_graph_nodes(model, &graph);
    graph.first_node = (tfp_node)nodes->count;
    graph.first_edge = (uint32_t)nodes->edges.count;
    graph.input = (uint32_t)model->inputs.count - 1;
    if (!TFP_VEC_PUSH(model->memory, &model->graphs, graph))
        return TFP_NO_ID;
    return (uint32_t)model->graphs.count - 1;
}

/* Makes by_name long enough for `name`. */
static bool reach_name(tfp_nodes *n, tfp_memory *memory, tfp_string name)
{
    size_t old = n->by_name.count;
    if (name < old)
        return true;
    if (!TFP_VEC_RESERVE(memory, &n->by_name, name + 1 - old))
        return false;
    memset(n->by_name.data + old, 0xff, /* TFP_NO_NODE */
           (n->by_name.capacity - old) * sizeof(tfp_node));
    n->by_name.count = n->by_name.capacity;
    return true;
}

/* The node of that name. The graph must be the last one opened in these
 * columns: by_name holds the latest node of a name, and ids grow, so an id
 * below the graph's first node belongs to an earlier graph. */
static tfp_node find_in(const tfp_nodes *n, const tfp_graph *graph,
                        tfp_string name)
{
    tfp_node node = name < n->by_name.count ? n->by_name.data[name]
                                            : TFP_NO_NODE;
    return node == TFP_NO_NODE || node < graph->first_node ? TFP_NO_NODE : node;
}

bool tfp_graph_add_node(tfp_model *model, uint32_t graph,
                        const tfp_node_facts *facts, tfp_node *node)
{
    tfp_graph *g = &model->graphs.data[graph];
    tfp_nodes *n = tfp_graph_nodes(model, g);
    size_t at = n->count;
    *node = TFP_NO_NODE;
    if (find_in(n, g, facts->name) != TFP_NO_NODE)
        return true;
    if (at >= TFP_NO_NODE || !reserve(n, model->memory) ||
        !reach_name(n, model->memory, facts->name))
        return false;
    n->name[at] = facts->name;
    n->op[at] = facts->op;
    n->device[at] = facts->device;
    n->first_edge[at] = (uint32_t)n->edges.count;
    n->attrs[at] = facts->attrs;
    n->outputs[at] = facts->outputs;
    n->types[at] = 0;
    n->trace[at] = 0;
    n->float_ops[at] = 0;
    n->by_name.data[facts->name] = (tfp_node)at;
    n->count++;
    g->node_count++;
    *node = (tfp_node)at;
    return true;
}

bool tfp_graph_add_edge(tfp_model *model, uint32_t graph, tfp_edge edge)
{
    tfp_graph *g = &model->graphs.data[graph];
    tfp_nodes *n = tfp_graph_nodes(model, g);
    if (n->edges.count >= UINT32_MAX ||
        !TFP_VEC_PUSH(model->memory, &n->edges, edge))
        return false;
    g->edge_count++;
    return true;
}

/* ---- Logs --------------------------------------------------------------- */

tfp_node tfp_graph_find_node(const tfp_model *model, const tfp_graph *graph,
                             tfp_string name)
{
    return find_in(graph->kind == TFP_GRAPH_FUNCTION ? &model->bodies
                                                     : &model->nodes,
                   graph, name);
}

tfp_node tfp_model_find_node(const tfp_model *model, tfp_string name)
{
    const tfp_nodes *n = &model->nodes;
    return name < n->by_name.count ? n->by_name.data[name] : TFP_NO_NODE;
}

/* A second entry for a node adds its types to those of the first. */
static bool join_types(tfp_model *model, tfp_list *types, tfp_list more)
{
    size_t count, extra;
    const int64_t *a = tfp_list_items(model, *types, &count);
    const int64_t *b = tfp_list_items(model, more, &extra);
    TFP_VEC(int64_t) all = { 0 };
    if (count == 0 || extra == 0) {
        if (extra > 0)
            *types = more;
        return true;
    }
    if (!TFP_VEC_RESERVE(model->memory, &all, count + extra))
        return false;
    memcpy(all.data, a, count * sizeof(*a));
    memcpy(all.data + count, b, extra * sizeof(*b));
    more = tfp_model_list(model, all.data, count + extra);
    TFP_VEC_RELEASE(model->memory, &all);
    if (more == TFP_NO_ID)
        return false;
    *types = more;
    return true;
}

static bool apply_log(tfp_model *model, tfp_node node,
                      const tfp_log_entry *entry)
{
    tfp_nodes *n = &model->nodes;
    if (entry->float_ops != 0)
        n->float_ops[node] = entry->float_ops;
    if (n->trace[node] == 0) /* of two stacks the first one stands */
        n->trace[node] = entry->trace;
    return join_types(model, &n->types[node], entry->types);
}

static bool apply_waiting(tfp_model *model)
{
    size_t kept = 0;
    for (size_t i = 0; i < model->waiting.count; i++) {
        const tfp_log_entry *entry = &model->waiting.data[i];
        tfp_node node = tfp_model_find_node(model, entry->name);
        if (node == TFP_NO_NODE)
            model->waiting.data[kept++] = *entry;
        else if (!apply_log(model, node, entry))
            return false;
    }
    model->waiting.count = kept;
    return true;
}

bool tfp_model_add_log(tfp_model *model, const tfp_log_entry *entry)
{
    tfp_node node = tfp_model_find_node(model, entry->name);
    bool fresh;
    if (entry->trace != 0 &&
        !tfp_bits_add(&model->logged, model->memory, entry->name, &fresh))
        return false;
    if (node == TFP_NO_NODE)
        return TFP_VEC_PUSH(model->memory, &model->waiting, *entry);
    return apply_log(model, node, entry);
}

/* ---- Closing a graph ---------------------------------------------------- */

/* An edge that names nothing keeps its place, without a source: the inputs
 * behind it must not change their numbers. `node_of` is NULL when edges carry
 * names. */
static void link_edges(tfp_nodes *n, const tfp_graph *g,
                       const tfp_node *node_of, tfp_link_counts *counts)
{
    for (size_t i = g->first_edge; i < n->edges.count; i++) {
        tfp_edge *edge = &n->edges.data[i];
        if (!node_of)
            edge->source = find_in(n, g, edge->source);
        else if (edge->source != TFP_NO_NODE)
            edge->source = node_of[edge->source];
        counts->dropped_edges += edge->source == TFP_NO_NODE;
    }
}

bool tfp_model_close_graph(tfp_model *model, uint32_t graph,
                           const tfp_node *node_of, tfp_link_counts *counts)
{
    tfp_graph *g = &model->graphs.data[graph];
    link_edges(tfp_graph_nodes(model, g), g, node_of, counts);
    return g->kind == TFP_GRAPH_FUNCTION || apply_waiting(model);
}
