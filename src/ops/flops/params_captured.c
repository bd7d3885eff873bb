/*
 * params_captured.c - variables that the graph of a function is fed with.
 *
 * A tf.function does not make the variables that it uses: its own graph has
 * them as placeholders of handles, and neither their sizes nor their values. A
 * size is known where the graph tells the shape of what is read.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "ops/fact/site.h"
#include "ops/flops/params.h"
#include "ops/walk/expand.h"
#include "proto/dtype.h"

typedef struct search {
    tfp_params *params;
    tfp_shapes *shapes;
    tfp_string reads, gathers[2];
    uint32_t *found; /* of each node of the top graph: its place among the
                      * parameters, and 1 */
} search;

/* How many of its first inputs a node takes as handles of variables. Of calls
 * that are not gone into nobody knows. */
static size_t handles_of(const search *f, tfp_string op)
{
    const tfp_op *known = tfp_shapes_op(f->shapes, op);
    if (op == f->reads || op == f->gathers[0] || op == f->gathers[1])
        return 1;
    if (f->shapes->request.walk)
        return 0;
    return (known && known->kind >= TFP_OP_CALL) ||
                   tfp_shapes_function(f->shapes, op) != TFP_NO_ID
               ? SIZE_MAX
               : 0;
}

/* Is it a placeholder of the top graph, for a handle? */
static bool is_captured(search *f, uint32_t instance, uint32_t node)
{
    tfp_site site;
    return instance == 0 &&
           tfp_shapes_site(f->shapes, 0, node, TFP_GRADE_FULL, &site) &&
           site.op && site.op->kind == TFP_OP_INPUT &&
           tfp_site_type(&site, TFP_KEY_dtype) == TFP_DT_RESOURCE;
}

/* The parameter that a placeholder is; NULL when out of memory. */
static tfp_param *param_of(search *f, uint32_t placeholder, uint32_t instance,
                           uint32_t node)
{
    const tfp_graph *top = tfp_instance_graph(f->shapes, 0);
    const tfp_nodes *nodes = tfp_graph_nodes(f->shapes->model, top);
    uint32_t *found = &f->found[placeholder];
    tfp_param param = { .name = nodes->name[top->first_node + placeholder],
                        .shape = TFP_SHAPE_UNKNOWN_RANK,
                        .instance = instance,
                        .node = node };
    if (*found == 0) {
        if (!tfp_params_add(f->params, param))
            return NULL;
        *found = (uint32_t)f->params->list.count;
    }
    return &f->params->list.data[*found - 1];
}

/* Takes what a reader tells of the variable. */
static bool note_reader(search *f, uint32_t placeholder, uint32_t instance,
                        uint32_t node)
{
    tfp_param *param = param_of(f, placeholder, instance, node);
    tfp_site site;
    if (!param ||
        !tfp_shapes_site(f->shapes, instance, node, TFP_GRADE_FULL, &site))
        return false;
    if (param->elements >= 0)
        return true;
    param->dtype = tfp_site_type(&site, TFP_KEY_dtype);
    if (site.nodes->op[site.node] == f->reads && site.output_count > 0)
        param->shape = site.outputs[0].of[TFP_GRADE_FULL].shape;
    tfp_param_measure(f->params, param);
    return true;
}

static bool search_node(search *f, uint32_t instance, uint32_t node)
{
    const tfp_graph *graph = tfp_instance_graph(f->shapes, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(f->shapes->model, graph);
    size_t most = handles_of(f, nodes->op[graph->first_node + node]), count;
    const tfp_edge *edges = tfp_node_inputs(nodes, graph->first_node + node,
                                            &count);
    for (size_t i = 0; i < count && i < most; i++) {
        uint32_t at = instance, source;
        const tfp_edge *edge = tfp_edge_outside(f->shapes, &at, &edges[i]);
        if (!edge || edge->output == TFP_CONTROL)
            continue;
        source = edge->source - tfp_instance_graph(f->shapes, at)->first_node;
        if (is_captured(f, at, source) &&
            !note_reader(f, source, instance, node))
            return false;
    }
    return true;
}

static bool search_all(search *f)
{
    for (uint32_t i = 0; i < f->shapes->instances.count; i++) {
        uint32_t count = tfp_instance_graph(f->shapes, i)->node_count;
        for (uint32_t n = 0; n < count; n++) {
            if (tfp_shapes_is_live(f->shapes, i, n) && !search_node(f, i, n))
                return false;
        }
    }
    return true;
}

bool tfp_params_add_captured(tfp_params *p)
{
    const tfp_interner *names = &p->shapes->model->strings;
    size_t size = ((size_t)tfp_instance_graph(p->shapes, 0)->node_count + 1) *
                  sizeof(uint32_t);
    search f = { .params = p, .shapes = p->shapes };
    bool ok;
    f.reads = tfp_interner_find(names, tfp_span_of("ReadVariableOp"));
    f.gathers[0] = tfp_interner_find(names, tfp_span_of("ResourceGather"));
    f.gathers[1] = tfp_interner_find(names, tfp_span_of("ResourceGatherNd"));
    if (f.reads == TFP_NO_ID && f.gathers[0] == TFP_NO_ID &&
        f.gathers[1] == TFP_NO_ID)
        return true; /* such as a frozen graph */
    f.found = tfp_memory_zalloc(p->memory, size);
    if (!f.found)
        return false;
    ok = search_all(&f);
    tfp_memory_free(p->memory, f.found);
    return ok;
}
