/*
 * inputs.c - what a model is fed with, and the shapes it was counted with.
 *
 * A signature names its inputs. Without one they are the placeholders of the
 * graph.
 */
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/model.h"
#include "ops/fact/site.h"
#include "ops/flops/report.h"

static tfp_shape stored_shape(const tfp_site *site)
{
    tfp_shape shape = tfp_site_shape(site, TFP_KEY_shape);
    return shape == TFP_SHAPE_NONE ? TFP_SHAPE_UNKNOWN_RANK : shape;
}

static bool is_given(const tfp_shape_request *request, tfp_string name)
{
    for (size_t i = 0; i < request->given_count; i++) {
        if (request->given[i].name == name &&
            request->given[i].shape != TFP_SHAPE_NONE)
            return true;
    }
    return false;
}

/* Was its batch left open, and taken for one example? */
static bool is_one(const tfp_report *r, const tfp_model_input *input)
{
    const tfp_shapes *s = r->shapes;
    tfp_dims stored = tfp_dims_of(s->model, input->stored);
    tfp_dims used = tfp_dims_of(s->model, input->used);
    return s->request.batch_is_ours && stored.rank > 0 && stored.at[0] < 0 &&
           used.rank > 0 && used.at[0] == s->request.batch &&
           !is_given(&s->request, input->name);
}

static bool add(tfp_report *r, uint32_t node, tfp_string key, int32_t dtype)
{
    tfp_model_input input = { .key = key };
    tfp_site site;
    if (!tfp_shapes_site(r->shapes, 0, node, TFP_GRADE_FULL, &site))
        return false;
    input.name = site.nodes->name[site.node];
    input.dtype = tfp_site_type(&site, TFP_KEY_dtype);
    if (input.dtype == 0)
        input.dtype = dtype;
    input.stored = stored_shape(&site);
    input.used = site.output_count > 0
                     ? site.outputs[0].of[TFP_GRADE_FULL].shape
                     : TFP_SHAPE_UNKNOWN_RANK;
    input.is_one = is_one(r, &input);
    return TFP_VEC_PUSH(r->memory, &r->inputs, input);
}

/* A signature may name what is not there. */
static bool add_missing(tfp_report *r, const tfp_signature_tensor *tensor,
                        tfp_string name)
{
    tfp_model_input input = { .key = tensor->key,
                              .name = name == TFP_NO_ID ? 0 : name,
                              .dtype = tensor->dtype,
                              .stored = TFP_SHAPE_UNKNOWN_RANK,
                              .used = TFP_SHAPE_UNKNOWN_RANK };
    return TFP_VEC_PUSH(r->memory, &r->inputs, input);
}

/* The nodes that a signature feeds, by name. */
typedef TFP_VEC(tfp_sort_item) fed_nodes;

static bool find_fed(tfp_report *r, const tfp_graph *graph, fed_nodes *fed)
{
    const tfp_shapes *s = r->shapes;
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        tfp_sort_item item = { nodes->name[graph->first_node + n], n };
        if (s->inputs_of_signature && tfp_bit(s->inputs_of_signature, n) &&
            !TFP_VEC_PUSH(r->memory, fed, item))
            return false;
    }
    if (!TFP_VEC_RESERVE(r->memory, fed, fed->count + 1)) /* scratch */
        return false;
    tfp_sort(fed->data, fed->count, fed->data + fed->count, NULL, NULL);
    return true;
}

/* The node of that name, or TFP_NO_ID. */
static uint32_t look_up(const fed_nodes *fed, tfp_string name)
{
    size_t low = 0, high = fed->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fed->data[middle].key < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fed->count && fed->data[low].key == name ? fed->data[low].index
                                                          : TFP_NO_ID;
}

static bool add_signature(tfp_report *r, const tfp_graph *graph)
{
    const tfp_model *model = r->shapes->model;
    const tfp_signature *signature =
        &model->signatures.data[r->shapes->request.signature];
    fed_nodes fed = { 0 };
    bool ok = find_fed(r, graph, &fed);
    for (size_t i = 0; ok && i < signature->tensors.count; i++) {
        const tfp_signature_tensor *tensor = &signature->tensors.data[i];
        tfp_string name = tfp_node_of_tensor(model, tensor->name);
        uint32_t node = look_up(&fed, name);
        if (tensor->is_output)
            continue;
        ok = node == TFP_NO_ID ? add_missing(r, tensor, name)
                               : add(r, node, tensor->key, tensor->dtype);
    }
    TFP_VEC_RELEASE(r->memory, &fed);
    return ok;
}

static bool add_placeholders(tfp_report *r, const tfp_graph *graph)
{
    const tfp_nodes *nodes = tfp_graph_nodes(r->shapes->model, graph);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const tfp_op *op = tfp_shapes_op(r->shapes,
                                         nodes->op[graph->first_node + n]);
        if (op && op->kind == TFP_OP_INPUT && !add(r, n, 0, 0))
            return false;
    }
    return true;
}

bool tfp_report_add_inputs(tfp_report *r)
{
    const tfp_shapes *s = r->shapes;
    const tfp_graph *graph = tfp_instance_graph(s, 0);
    return s->request.signature != TFP_NO_ID ? add_signature(r, graph)
                                             : add_placeholders(r, graph);
}
