/*
 * params_constants.c - finds the constants that replaced variables.
 *
 * Freezing a graph replaces each variable with a constant and keeps its
 * readers: an Identity, a call that takes it as an argument, a Gather that
 * looks up in it. Constants of the program itself (epsilons, initial states,
 * image means) are used directly in arithmetic. So constants with such a reader
 * count as parameters. If they have less than half of the elements of all
 * constants, scalars excluded, a graph optimizer has removed the readers; then
 * all constants except scalars count.
 */
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "ops/fact/site.h"
#include "ops/flops/params.h"
#include "proto/dtype.h"

typedef struct reading {
    tfp_params *params;
    const tfp_graph *graph;
    const tfp_nodes *nodes;
    uint64_t *is_read; /* a bit for each node */
    tfp_string identity, read, enter, constant;
    tfp_string gathers[3];
} reading;

static tfp_string find_name(const reading *r, const char *name)
{
    return tfp_interner_find(&r->params->shapes->model->strings,
                             tfp_span_of(name));
}

static bool is_gather(const reading *r, tfp_string op)
{
    return op == r->gathers[0] || op == r->gathers[1] || op == r->gathers[2];
}

/* An Enter of what does not change while the loop goes round. */
static bool enters_constant(const reading *r, uint32_t node)
{
    tfp_shapes *s = r->params->shapes;
    tfp_string key = s->keys[TFP_KEY_is_constant];
    const tfp_attr *attr =
        key == TFP_NO_ID
            ? NULL
            : tfp_attrs_find(s->model,
                             r->nodes->attrs[r->graph->first_node + node], key);
    return attr && attr->kind == TFP_ATTR_BOOL && attr->value;
}

/* Does the node take its first inputs as it would take variables? How many of
 * them. */
static size_t reads(const reading *r, uint32_t node)
{
    tfp_string name = r->nodes->op[r->graph->first_node + node];
    const tfp_op *op = tfp_shapes_op(r->params->shapes, name);
    if (name == r->identity || name == r->read || is_gather(r, name) ||
        (name == r->enter && enters_constant(r, node)))
        return 1;
    if (op)
        return op->kind == TFP_OP_CALL || op->kind == TFP_OP_BRANCH ? SIZE_MAX
                                                                    : 0;
    return tfp_shapes_function(r->params->shapes, name) != TFP_NO_ID ? SIZE_MAX
                                                                     : 0;
}

static void mark_read(reading *r)
{
    for (uint32_t n = 0;
         n < r->graph->node_count && !tfp_watch_ends(&r->params->watch); n++) {
        size_t most = reads(r, n), count = 0;
        const tfp_edge *edges = most == 0
                                    ? NULL
                                    : tfp_node_inputs(r->nodes,
                                                      r->graph->first_node + n,
                                                      &count);
        for (size_t i = 0; i < count && i < most; i++) {
            uint32_t source = edges[i].source - r->graph->first_node;
            if (edges[i].source != TFP_NO_NODE &&
                edges[i].output != TFP_CONTROL)
                r->is_read[source / 64] |= (uint64_t)1 << source % 64;
        }
    }
}

/* ---- Constants ---------------------------------------------------------- */

/* False when the node is no floating constant of a known shape. */
static bool is_float_constant(const reading *r, uint32_t node, tfp_param *param)
{
    tfp_shapes *s = r->params->shapes;
    tfp_node at = r->graph->first_node + node;
    tfp_string key = s->keys[TFP_KEY_value];
    const tfp_attr *attr = r->nodes->op[at] != r->constant || key == TFP_NO_ID
                               ? NULL
                               : tfp_attrs_find(s->model, r->nodes->attrs[at],
                                                key);
    const tfp_tensor *tensor = attr && attr->kind == TFP_ATTR_TENSOR
                                   ? tfp_tensor_of(s->model, attr)
                                   : NULL;
    if (!tensor || !tfp_dtype_is_real(tensor->dtype) ||
        !tfp_dims_known(tfp_dims_of(s->model, tensor->shape)))
        return false;
    *param = (tfp_param){ .name = r->nodes->name[at],
                          .dtype = tensor->dtype,
                          .shape = tensor->shape,
                          .instance = s->subject,
                          .node = node };
    return true;
}

static int64_t elements_of(const reading *r, const tfp_param *param)
{
    return tfp_dims_elements(
        tfp_dims_of(r->params->shapes->model, param->shape));
}

static bool is_scalar(const reading *r, const tfp_param *param)
{
    return tfp_dims_of(r->params->shapes->model, param->shape).rank == 0;
}

/* Sums all, and says which of them stand for variables. */
static tfp_params_rule survey(reading *r)
{
    tfp_param_sum *sum = &r->params->constants;
    int64_t read = 0, large = 0;
    tfp_param param;
    for (uint32_t n = 0;
         n < r->graph->node_count && !tfp_watch_ends(&r->params->watch); n++) {
        int64_t elements;
        if (!is_float_constant(r, n, &param))
            continue;
        elements = elements_of(r, &param);
        sum->count++;
        sum->elements = tfp_add_sat(sum->elements, elements);
        sum->bytes = tfp_add_sat(
            sum->bytes,
            tfp_mul_sat(elements, tfp_dtype_find(param.dtype)->size));
        if (tfp_bit(r->is_read, n))
            read = tfp_add_sat(read, elements);
        if (!is_scalar(r, &param))
            large = tfp_add_sat(large, elements);
    }
    if (sum->count == 0)
        return TFP_PARAMS_NONE;
    return read > 0 && read >= large / 2 ? TFP_PARAMS_READ
                                         : TFP_PARAMS_CONSTANTS;
}

static bool add_all(reading *r)
{
    tfp_param param;
    for (uint32_t n = 0;
         n < r->graph->node_count && !tfp_watch_ends(&r->params->watch); n++) {
        if (!is_float_constant(r, n, &param) ||
            !tfp_shapes_is_live(r->params->shapes, param.instance, n))
            continue;
        if (r->params->rule == TFP_PARAMS_READ ? !tfp_bit(r->is_read, n)
                                               : is_scalar(r, &param))
            continue;
        if (!tfp_params_add(r->params, param))
            return false;
    }
    return true;
}

bool tfp_params_add_constants(tfp_params *p)
{
    const tfp_shapes *s = p->shapes;
    const tfp_graph *graph = tfp_instance_graph(s, s->subject);
    reading r = { .params = p,
                  .graph = graph,
                  .nodes = tfp_graph_nodes(s->model, graph) };
    size_t size = ((size_t)graph->node_count / 64 + 1) * sizeof(*r.is_read);
    tfp_params_rule rule;
    bool ok = true;
    r.identity = find_name(&r, "Identity");
    r.read = find_name(&r, "ReadVariableOp");
    r.enter = find_name(&r, "Enter");
    r.constant = find_name(&r, "Const");
    r.gathers[0] = find_name(&r, "GatherV2");
    r.gathers[1] = find_name(&r, "Gather");
    r.gathers[2] = find_name(&r, "ResourceGather");
    r.is_read = tfp_memory_zalloc(p->memory, size);
    if (!r.is_read)
        return false;
    mark_read(&r);
    rule = survey(&r);
    if (p->rule == TFP_PARAMS_NONE) {
        p->rule = rule;
        ok = add_all(&r);
    }
    tfp_memory_free(p->memory, r.is_read);
    return ok && !p->watch.cancelled;
}
