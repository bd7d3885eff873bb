/*
 * expand.c - the nodes of functions, under the names of their callers.
 */
#include "ops/walk/expand.h"

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "ops/walk/walk.h"

tfp_node tfp_expanded(const tfp_expansion *e, uint32_t instance, uint32_t node)
{
    if (instance == 0)
        return tfp_instance_graph(e->shapes, 0)->first_node + node;
    return e->nodes[instance][node];
}

/* ---- Names -------------------------------------------------------------- */

static bool append(tfp_expansion *e, tfp_span text)
{
    if (!TFP_VEC_RESERVE(e->shapes->memory, &e->name, text.size + 1))
        return false;
    if (text.size > 0)
        memcpy(e->name.data + e->name.count, text.data, text.size);
    e->name.count += text.size;
    return true;
}

/* "caller/body/", after the caller's own name in its graph. */
static bool append_prefix(tfp_expansion *e, uint32_t instance)
{
    const tfp_shapes *s = e->shapes;
    const tfp_instance *in = &s->instances.data[instance];
    tfp_node caller = tfp_expanded(e, in->parent, in->caller);
    char part[32];
    if (caller == TFP_NO_NODE)
        return true; /* its own name was taken; so will be those below */
    tfp_part_name(in, part, sizeof(part));
    return append(e, tfp_model_text(s->model, s->model->nodes.name[caller])) &&
           append(e, tfp_span_of("/")) && append(e, tfp_span_of(part));
}

/* ---- Inputs ------------------------------------------------------------- */

/* Which input of a call is its argument `k`: If and Case have one before. */
static size_t input_of_argument(const tfp_instance *in, size_t k)
{
    return in->part >= TFP_PART_THEN ? k + 1 : k;
}

/* The edge that brings data input `k` of a node, or NULL. Control comes behind
 * data, or TensorFlow refuses the graph; counting would take calls with many
 * arguments long. */
static const tfp_edge *data_input(const tfp_nodes *nodes, tfp_node node,
                                  size_t k)
{
    size_t count;
    const tfp_edge *edges = tfp_node_inputs(nodes, node, &count);
    return k < count && edges[k].output != TFP_CONTROL ? &edges[k] : NULL;
}

const tfp_edge *tfp_edge_outside(const tfp_shapes *s, uint32_t *instance,
                                 const tfp_edge *edge)
{
    while (edge && edge->source != TFP_NO_NODE) {
        const tfp_instance *in = &s->instances.data[*instance];
        const tfp_graph *graph = tfp_instance_graph(s, *instance);
        size_t k = edge->source - graph->first_arg;
        if (*instance == 0 || edge->source < graph->first_arg ||
            k >= graph->arg_count)
            return edge;
        graph = tfp_instance_graph(s, in->parent);
        edge = data_input(tfp_graph_nodes(s->model, graph),
                          graph->first_node + in->caller,
                          input_of_argument(in, k));
        *instance = in->parent;
    }
    return NULL;
}

/* The edge as it is among the nodes that bodies have become. */
static tfp_edge outside(const tfp_expansion *e, uint32_t instance,
                        const tfp_edge *edge)
{
    const tfp_graph *graph;
    edge = tfp_edge_outside(e->shapes, &instance, edge);
    if (!edge)
        return (tfp_edge){ .source = TFP_NO_NODE };
    graph = tfp_instance_graph(e->shapes, instance);
    return (tfp_edge){ .source = tfp_expanded(e, instance,
                                              edge->source - graph->first_node),
                       .output = edge->output };
}

static bool add_edges(tfp_expansion *e, uint32_t instance, tfp_node node)
{
    tfp_model *model = e->shapes->model;
    const tfp_nodes *bodies = tfp_graph_nodes(
        model, tfp_instance_graph(e->shapes, instance));
    size_t count;
    tfp_node_inputs(bodies, node, &count);
    for (size_t i = 0; i < count; i++) {
        tfp_edge edge = outside(
            e, instance, &bodies->edges.data[bodies->first_edge[node] + i]);
        if (!tfp_graph_add_edge(model, e->graph, edge))
            return false;
    }
    return true;
}

/* ---- Nodes -------------------------------------------------------------- */

static bool is_pseudo(const tfp_graph *graph, tfp_node node)
{
    return (node >= graph->first_arg &&
            node - graph->first_arg < graph->arg_count) ||
           (node >= graph->first_return &&
            node - graph->first_return < graph->return_count);
}

/* The device of the node, or else of its caller; and where that was made. */
static bool add_node(tfp_expansion *e, uint32_t instance, uint32_t n,
                     size_t prefix)
{
    tfp_model *model = e->shapes->model;
    const tfp_instance *in = &e->shapes->instances.data[instance];
    const tfp_graph *graph = tfp_instance_graph(e->shapes, instance);
    const tfp_nodes *bodies = tfp_graph_nodes(model, graph);
    tfp_node node = graph->first_node + n, made;
    tfp_node caller = tfp_expanded(e, in->parent, in->caller);
    tfp_renamed renamed = { .before = TFP_NO_NODE };
    tfp_node_facts facts = { .op = bodies->op[node],
                             .device = bodies->device[node],
                             .attrs = bodies->attrs[node],
                             .outputs = bodies->outputs[node] };
    e->name.count = prefix;
    if (!append(e, tfp_model_text(model, bodies->name[node])))
        return false;
    facts.name = tfp_model_string(model,
                                  (tfp_span){ e->name.data, e->name.count });
    if (facts.name == TFP_NO_ID)
        return false;
    if (facts.device == 0 && caller != TFP_NO_NODE)
        facts.device = model->nodes.device[caller];
    renamed.name = facts.name;
    if (facts.name < model->nodes.by_name.count)
        renamed.before = model->nodes.by_name.data[facts.name];
    if (!TFP_VEC_RESERVE(e->shapes->memory, &e->renamed, 1) ||
        !tfp_graph_add_node(model, e->graph, &facts, &made))
        return false;
    e->nodes[instance][n] = made;
    if (made == TFP_NO_NODE)
        return true;
    e->renamed.data[e->renamed.count++] = renamed;
    if (caller != TFP_NO_NODE)
        model->nodes.trace[made] = model->nodes.trace[caller];
    return true;
}

/* Nodes first, then their inputs would need a second pass over columns that
 * want edges in the order of nodes; so a node's inputs come right after it,
 * and what it is fed by must have its number by then. The order of the walk
 * sees to that, but for cycles, whose edges lead nowhere. */
static bool add_instance(tfp_expansion *e, uint32_t instance)
{
    const tfp_shapes *s = e->shapes;
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_layout *layout = &s->layouts[s->instances.data[instance].graph];
    size_t size = ((size_t)graph->node_count + 1) * sizeof(tfp_node), prefix;
    e->nodes[instance] = tfp_memory_alloc(s->memory, size);
    if (!e->nodes[instance])
        return false;
    memset(e->nodes[instance], 0xff, size);
    e->name.count = 0;
    if (!append_prefix(e, instance))
        return false;
    prefix = e->name.count;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        uint32_t n = layout->order ? layout->order[i] : i;
        if (is_pseudo(graph, graph->first_node + n))
            continue;
        if (!add_node(e, instance, n, prefix))
            return false;
        if (e->nodes[instance][n] != TFP_NO_NODE &&
            !add_edges(e, instance, graph->first_node + n))
            return false;
    }
    return true;
}

/* ---- All of it ---------------------------------------------------------- */

static bool expand(tfp_expansion *e)
{
    tfp_shapes *s = e->shapes;
    size_t count = s->instances.count;
    e->nodes = tfp_memory_zarray(s->memory, count, sizeof(*e->nodes));
    if (!e->nodes)
        return false;
    e->instance_count = count;
    e->graph = tfp_model_open_graph(s->model, TFP_GRAPH_PLAIN, 0, TFP_NO_ID);
    if (e->graph == TFP_NO_ID)
        return false;
    for (size_t i = 1; i < e->instance_count; i++) {
        if (!add_instance(e, (uint32_t)i))
            return false;
    }
    return true;
}

int tfp_expand(tfp_expansion *e, tfp_shapes *s, tfprof_error *err)
{
    *e = (tfp_expansion){ .shapes = s, .graph = TFP_NO_ID };
    return s->instances.count < 2 || expand(e) ? TFPROF_OK
                                               : tfp_fail_nomem(err);
}

static void take_back_nodes(tfp_expansion *e)
{
    tfp_model *model = e->shapes->model;
    const tfp_graph *graph = &model->graphs.data[e->graph];
    while (e->renamed.count > 0) {
        tfp_renamed last = e->renamed.data[--e->renamed.count];
        model->nodes.by_name.data[last.name] = last.before;
    }
    model->nodes.count = graph->first_node;
    model->nodes.edges.count = graph->first_edge;
    model->graphs.count = e->graph;
}

void tfp_expand_undo(tfp_expansion *e)
{
    if (!e->shapes)
        return;
    if (e->graph != TFP_NO_ID)
        take_back_nodes(e);
    for (size_t i = 1; i < e->instance_count; i++)
        tfp_memory_free(e->shapes->memory, e->nodes[i]);
    tfp_memory_free(e->shapes->memory, e->nodes);
    TFP_VEC_RELEASE(e->shapes->memory, &e->renamed);
    TFP_VEC_RELEASE(e->shapes->memory, &e->name);
}
