/*
 * walk.c - instances of graphs, and the walk through one.
 */
#include "ops/walk/walk.h"

#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "ops/fold/fold.h"
#include "ops/walk/frames.h"
#include "ops/walk/layout.h"
#include "ops/walk/records.h"

/* Identities in a row that are followed. */
enum { MOST_IDENTITIES = 64 };

static const tfp_layout *layout_of(const tfp_shapes *s, uint32_t instance)
{
    return &s->layouts[s->instances.data[instance].graph];
}

static bool is_argument(const tfp_graph *graph, tfp_node node)
{
    return node >= graph->first_arg &&
           node - graph->first_arg < graph->arg_count;
}

/* ---- Instances ---------------------------------------------------------- */

static bool is_being_walked(const tfp_shapes *s, uint32_t instance,
                            uint32_t graph)
{
    while (instance != TFP_NO_ID) {
        if (s->instances.data[instance].graph == graph)
            return true;
        instance = s->instances.data[instance].parent;
    }
    return false;
}

/* How much work lies between two questions for cancel. */
enum { WORK_BETWEEN_ASKS = 16384 };

void tfp_walk_charge(tfp_shapes *s, size_t work)
{
    size_t before = s->work / WORK_BETWEEN_ASKS;
    s->work += work;
    if (s->work / WORK_BETWEEN_ASKS != before && tfp_cancelled(s->cancel))
        s->cancelled = true;
}

static size_t weight_of(const tfp_shapes *s, const tfp_instance *instance,
                        const tfp_site *caller)
{
    const tfp_graph *graph = &s->model->graphs.data[instance->graph];
    const tfp_layout *layout = &s->layouts[instance->graph];
    size_t weight = (size_t)graph->node_count + graph->edge_count +
                    layout->tensor_count + TFP_INSTANCE_WEIGHT +
                    instance->depth + layout->name_bytes / TFP_BYTES_OF_NAMES;
    size_t prefix = instance->path / TFP_BYTES_OF_NAMES;
    if (prefix > SIZE_MAX / 4 / ((size_t)graph->node_count + 1))
        return SIZE_MAX / 4; /* more than any budget */
    return weight + prefix * graph->node_count + caller->input_count +
           caller->output_count;
}

static size_t most_walked(const tfp_model *model)
{
    size_t nodes = model->nodes.count + model->bodies.count;
    size_t edges = model->nodes.edges.count + model->bodies.edges.count;
    return TFP_MOST_WALKED + 2 * (2 * nodes + edges);
}

static uint32_t refuse(tfp_shapes *s, uint32_t parent, uint32_t caller,
                       tfp_unwalked why)
{
    tfp_unwalked_call call = { parent, caller, why };
    s->failed |= !TFP_VEC_PUSH(s->memory, &s->unwalked, call);
    return TFP_NO_ID;
}

/* Nothing is known of them. Where every node stands after its inputs, the walk
 * sees to that, but for arguments. */
static tfp_known *make_tensors(tfp_shapes *s, const tfp_graph *graph,
                               const tfp_layout *layout)
{
    bool in_turn = !layout->order && !layout->has_cycles &&
                   graph->arg_count == 0;
    size_t count = (size_t)layout->tensor_count + 1;
    tfp_known *tensors = tfp_memory_array(s->memory, count, sizeof(*tensors));
    if (!tensors)
        return NULL;
    for (size_t i = 0; i < count && !in_turn; i++)
        tensors[i] = (tfp_known){ { TFP_NOTHING_KNOWN, TFP_NOTHING_KNOWN } };
    return tensors;
}

/* From a signature to the function that does its work. */
static bool is_on_the_way(const tfp_shapes *s, const tfp_instance *instance)
{
    if (s->request.signature == TFP_NO_ID)
        return false;
    return instance->parent == TFP_NO_ID ||
           s->instances.data[instance->parent].wrapped == instance->caller;
}

static uint32_t open_instance(tfp_shapes *s, tfp_instance instance)
{
    uint32_t made;
    const tfp_layout *layout = &s->layouts[instance.graph];
    instance.tensors = make_tensors(s, &s->model->graphs.data[instance.graph],
                                    layout);
    if (!instance.tensors ||
        !TFP_VEC_PUSH(s->memory, &s->instances, instance)) {
        tfp_memory_free(s->memory, instance.tensors);
        s->failed = true;
        return TFP_NO_ID;
    }
    made = (uint32_t)s->instances.count - 1;
    s->walked += instance.weight;
    tfp_walk_charge(s, instance.weight);
    if (!tfp_walk_mark_live(s, made)) {
        s->failed = true;
        return TFP_NO_ID;
    }
    if (is_on_the_way(s, &instance)) {
        s->subject = made;
        s->instances.data[made].wrapped = tfp_walk_wrapped(s, made);
    }
    return made;
}

/* The graph that the walk begins with, whatever it weighs. */
static uint32_t open_top(tfp_shapes *s, tfp_instance instance)
{
    const tfp_layout *layout = tfp_layout_of(s, instance.graph);
    if (!layout) {
        s->failed = true;
        return TFP_NO_ID;
    }
    return open_instance(s, instance);
}

uint32_t tfp_walk_open(tfp_shapes *s, uint32_t graph, const tfp_site *caller,
                       uint32_t parent, tfp_part part)
{
    tfp_instance instance = { .graph = graph,
                              .parent = parent,
                              .part = part,
                              .times = 1,
                              .wrapped = TFP_NO_ID };
    size_t most;
    if (parent == TFP_NO_ID)
        return open_top(s, instance);
    instance.caller = caller->node - tfp_instance_graph(s, parent)->first_node;
    if (graph == TFP_NO_ID)
        return refuse(s, parent, instance.caller, TFP_UNWALKED_MISSING);
    if (is_being_walked(s, parent, graph))
        return refuse(s, parent, instance.caller, TFP_UNWALKED_RECURSIVE);
    instance.depth = s->instances.data[parent].depth + 1;
    if (instance.depth > TFP_MOST_CALLS)
        return refuse(s, parent, instance.caller, TFP_UNWALKED_DEEP);
    if (!tfp_layout_of(s, graph)) {
        s->failed = true;
        return TFP_NO_ID;
    }
    most = most_walked(s->model);
    instance.path =
        s->instances.data[parent].path +
        tfp_model_text(s->model, caller->nodes->name[caller->node]).size;
    instance.weight = weight_of(s, &instance, caller);
    if (s->walked + instance.weight > most || s->work > TFP_MOST_AGAIN * most)
        return refuse(s, parent, instance.caller, TFP_UNWALKED_MANY);
    return open_instance(s, instance);
}

static void release_instance(tfp_shapes *s, tfp_instance *instance)
{
    tfp_memory_free(s->memory, instance->tensors);
    tfp_frames_free(instance->frames, s->memory);
    tfp_memory_free(s->memory, instance->live);
}

void tfp_walk_drop(tfp_shapes *s, size_t first)
{
    while (s->instances.count > first) {
        tfp_instance *last = &s->instances.data[--s->instances.count];
        s->walked -= last->weight;
        release_instance(s, last);
    }
    while (s->unwalked.count > 0 &&
           s->unwalked.data[s->unwalked.count - 1].instance >= first)
        s->unwalked.count--;
}

tfp_known *tfp_walk_outputs(const tfp_shapes *s, uint32_t instance,
                            uint32_t node, size_t *count)
{
    const tfp_layout *layout = layout_of(s, instance);
    *count = layout->first_tensor[node + 1] - layout->first_tensor[node];
    return s->instances.data[instance].tensors + layout->first_tensor[node];
}

void tfp_walk_put_argument(tfp_shapes *s, uint32_t instance, uint32_t k,
                           const tfp_known *argument)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    tfp_known *tensor;
    size_t count;
    if (k >= graph->arg_count)
        return;
    tensor = tfp_walk_outputs(s, instance,
                              graph->first_arg + k - graph->first_node, &count);
    if (count > 0)
        *tensor = *argument;
}

const tfp_known *tfp_walk_returned(const tfp_shapes *s, uint32_t instance,
                                   uint32_t k)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_layout *layout = layout_of(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    tfp_node node = graph->first_return + k;
    size_t count;
    uint32_t tensor;
    if (k >= graph->return_count || !tfp_node_inputs(nodes, node, &count))
        return NULL;
    tensor = layout->edge_tensor[nodes->first_edge[node] - graph->first_edge];
    return tensor == TFP_NO_ID ? NULL
                               : &s->instances.data[instance].tensors[tensor];
}

uint32_t tfp_walk_passed_on(const tfp_shapes *s, uint32_t instance, uint32_t k)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_layout *layout = layout_of(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    tfp_node node = graph->first_return + k;
    if (k >= graph->return_count)
        return TFP_NO_ID;
    for (int steps = 0; steps < MOST_IDENTITIES; steps++) {
        size_t count;
        const tfp_edge *in = tfp_node_inputs(nodes, node, &count);
        const tfp_op *op;
        if (count == 0 || in[0].output != 0 || in[0].source == TFP_NO_NODE)
            return TFP_NO_ID;
        node = in[0].source;
        if (is_argument(graph, node))
            return node - graph->first_arg;
        op = layout->ops[node - graph->first_node];
        if (!op || strcmp(op->name, "Identity"))
            return TFP_NO_ID;
    }
    return TFP_NO_ID;
}

/* ---- A node ------------------------------------------------------------- */

bool tfp_shapes_site(tfp_shapes *s, uint32_t instance, uint32_t node,
                     tfp_grade grade, tfp_site *site)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_layout *layout = layout_of(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    const tfp_known *tensors = s->instances.data[instance].tensors;
    size_t count;
    const tfp_edge *edges = tfp_node_inputs(nodes, graph->first_node + node,
                                            &count);
    size_t first = nodes->first_edge[graph->first_node + node] -
                   graph->first_edge;
    s->inputs.count = 0;
    *site = (tfp_site){ .shapes = s,
                        .model = s->model,
                        .op = layout->ops[node],
                        .nodes = nodes,
                        .node = graph->first_node + node,
                        .grade = grade };
    if (!TFP_VEC_RESERVE(s->memory, &s->inputs, count + 1)) {
        s->failed = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t tensor = layout->edge_tensor[first + i];
        if (edges[i].output == TFP_CONTROL)
            site->control_count++;
        else
            s->inputs.data[s->inputs.count++] = tensor == TFP_NO_ID
                                                    ? NULL
                                                    : &tensors[tensor];
    }
    site->inputs = s->inputs.data;
    site->input_count = s->inputs.count;
    site->outputs = tfp_walk_outputs(s, instance, node, &site->output_count);
    return true;
}

/* The shape that the user gives to the node, which replaces all that a file
 * says; TFP_SHAPE_NONE when there is none. */
static tfp_shape given_shape(const tfp_site *site)
{
    const tfp_shape_request *request = &site->shapes->request;
    tfp_shape shape = TFP_SHAPE_NONE;
    for (size_t i = 0; i < request->given_count; i++) {
        const tfp_given *given = &request->given[i];
        if (given->name == site->nodes->name[site->node] &&
            given->shape != TFP_SHAPE_NONE)
            shape = given->shape;
    }
    return shape;
}

/* Puts what a file, a user or a run says of an output beside what was found.
 * Where they contradict each other, what was found stays: false. */
static bool merge_shape(tfp_site *site, tfp_fact *fact, tfp_shape shape)
{
    tfp_shapes *s = site->shapes;
    tfp_shape merged;
    if (!tfp_shape_merge(s->model, fact->shape, shape, &merged)) {
        s->failed |= merged == TFP_NO_ID;
        if (merged != TFP_NO_ID && given_shape(site) == TFP_SHAPE_NONE &&
            s->conflicts++ == 0)
            s->first_conflict = site->nodes->name[site->node];
        return false;
    }
    fact->shape = merged;
    return true;
}

/* "_output_shapes": TensorFlow takes it when it says one shape an output. In
 * the body of a function it passes it over, so there it serves us alone. */
static void merge_listed(tfp_site *site)
{
    size_t count;
    const int64_t *shapes = tfp_list_items(
        site->model, site->nodes->outputs[site->node], &count);
    if (count != site->output_count)
        return;
    for (size_t i = 0; i < count; i++) {
        tfp_shape shape = (tfp_shape)shapes[i];
        if (shape == site->outputs[i].of[site->grade].shape)
            continue; /* as it should be */
        shape = tfp_shape_made_safe(site->shapes, shape);
        if (shape == TFP_NO_ID)
            site->shapes->failed = true;
        else if (shape != TFP_SHAPE_NONE)
            merge_shape(site, &site->outputs[i].of[site->grade], shape);
    }
}

void tfp_walk_take_listed(tfp_shapes *s, uint32_t instance)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    for (uint32_t n = 0; n < graph->node_count && !s->failed; n++) {
        size_t count, listed;
        tfp_known *outputs = tfp_walk_outputs(s, instance, n, &count);
        const int64_t *shapes = tfp_list_items(
            s->model, nodes->outputs[graph->first_node + n], &listed);
        for (size_t i = 0; listed == count && i < count; i++) {
            tfp_shape shape = tfp_shape_made_safe(s, (tfp_shape)shapes[i]);
            s->failed |= shape == TFP_NO_ID;
            outputs[i].of[TFP_GRADE_TENSORFLOW].shape = shape;
        }
    }
}

static bool grades_differ(const tfp_site *site)
{
    for (size_t i = 0; i < site->input_count; i++) {
        const tfp_known *in = site->inputs[i];
        if (in && !tfp_fact_equal(&in->of[TFP_GRADE_TENSORFLOW],
                                  &in->of[TFP_GRADE_FULL]))
            return true;
    }
    return site->op && site->op->kind >= TFP_OP_BEYOND;
}

/* What is known in TensorFlow's grade is known in ours; also of a graph that
 * contradicts itself, which nobody can run. */
static void raise_to_full(tfp_site *site)
{
    for (size_t i = 0; i < site->output_count; i++) {
        const tfp_fact *less = &site->outputs[i].of[TFP_GRADE_TENSORFLOW];
        tfp_fact *more = &site->outputs[i].of[TFP_GRADE_FULL];
        if (!merge_shape(site, more, less->shape)) {
            *more = *less;
            continue;
        }
        if (more->value == TFP_NO_ID && less->value != TFP_NO_ID) {
            more->value = less->value;
            more->dtype = less->dtype;
        }
        if (more->held == TFP_SHAPE_NONE)
            more->held = less->held;
    }
}

static bool has_listed(const tfp_site *site)
{
    size_t count;
    tfp_list_items(site->model, site->nodes->outputs[site->node], &count);
    return count > 0;
}

/* Puts what is known in both grades. False when that is the same. */
static bool infer(tfp_site *site)
{
    bool in_body = site->nodes == &site->model->bodies && has_listed(site);
    if (site->op)
        site->op->infer(site);
    if (!in_body)
        merge_listed(site);
    tfp_fold(site);
    if (!in_body && !grades_differ(site)) {
        for (size_t i = 0; i < site->output_count; i++) {
            tfp_known *output = &site->outputs[i];
            output->of[TFP_GRADE_FULL] = output->of[TFP_GRADE_TENSORFLOW];
            output->of[TFP_GRADE_FULL].use = TFP_USE_ALL;
        }
        return false;
    }
    site->grade = TFP_GRADE_FULL;
    if (site->op)
        site->op->infer(site);
    tfp_fold(site);
    if (in_body)
        merge_listed(site);
    return true;
}

/* ---- What is known first ------------------------------------------------ */

void tfp_walk_put_batch(tfp_shapes *s, tfp_fact *fact)
{
    tfp_dims dims = tfp_dims_of(s->model, fact->shape);
    int64_t known[TFP_MOST_RANK];
    tfp_shape shape;
    if (dims.rank < 1 || dims.rank > TFP_MOST_RANK || dims.at[0] >= 0)
        return;
    memcpy(known, dims.at, (size_t)dims.rank * sizeof(*known));
    known[0] = s->request.batch;
    shape = tfp_model_shape(s->model, known, (size_t)dims.rank);
    s->failed |= shape == TFP_NO_ID;
    if (shape != TFP_NO_ID)
        fact->shape = shape;
}

static void put_batch(tfp_site *site)
{
    for (int grade = 0; site->output_count > 0 && grade < TFP_GRADE_COUNT;
         grade++)
        tfp_walk_put_batch(site->shapes, &site->outputs[0].of[grade]);
}

static void replace_shape(tfp_fact *fact, tfp_shape shape)
{
    if (fact->shape == shape)
        return;
    fact->shape = shape;
    fact->value = TFP_NO_ID; /* its elements were those of another shape */
    fact->dtype = 0;
}

static void put_given(tfp_site *site)
{
    tfp_shape shape = given_shape(site);
    if (shape == TFP_SHAPE_NONE || site->output_count == 0)
        return;
    for (int grade = 0; grade < TFP_GRADE_COUNT; grade++)
        replace_shape(&site->outputs[0].of[grade], shape);
}

/* ---- The walk ----------------------------------------------------------- */

/* Is it fed from outside? */
static bool is_input(const tfp_shapes *s, uint32_t instance,
                     const tfp_site *site)
{
    return (site->op && site->op->kind == TFP_OP_INPUT) ||
           (instance == 0 && s->inputs_of_signature &&
            tfp_bit(s->inputs_of_signature,
                    site->node - tfp_instance_graph(s, instance)->first_node));
}

static void walk_function(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    uint32_t function = tfp_site_function(site, TFP_KEY_f);
    if (function == TFP_NO_ID)
        function = tfp_site_function(site, TFP_KEY_function);
    tfp_walk_call(s, instance, site, function);
}

static void walk_called(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    switch (site->op ? site->op->kind : TFP_OP_PLAIN) {
    case TFP_OP_CALL: walk_function(s, instance, site); break;
    case TFP_OP_BRANCH: tfp_walk_branches(s, instance, site); break;
    case TFP_OP_LOOP: tfp_walk_loop(s, instance, site); break;
    case TFP_OP_GRADIENT:
        refuse(s, instance,
               site->node - tfp_instance_graph(s, instance)->first_node,
               TFP_UNWALKED_GRADIENT);
        break;
    default:
        tfp_walk_call(s, instance, site,
                      tfp_shapes_function(s, site->nodes->op[site->node]));
        break;
    }
}

/* Of a graph that merely calls on, nothing but that call is of interest. When
 * functions are not to be walked, what they return is wanted all the same. */
static void walk_calls(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    uint32_t wrapped = s->instances.data[instance].wrapped;
    bool is_wrapped = site->node -
                          tfp_instance_graph(s, instance)->first_node ==
                      wrapped;
    size_t first = s->instances.count, refused = s->unwalked.count;
    if (site->op
            ? site->op->kind < TFP_OP_CALL
            : tfp_shapes_function(s, site->nodes->op[site->node]) == TFP_NO_ID)
        return;
    if (wrapped != TFP_NO_ID && !is_wrapped)
        return;
    walk_called(s, instance, site);
    if (!s->request.walk && !is_wrapped) {
        tfp_walk_drop(s, first);
        s->unwalked.count = refused;
    }
}

void tfp_walk_node(tfp_shapes *s, uint32_t instance, uint32_t node)
{
    tfp_site site;
    bool differs;
    if (!tfp_shapes_site(s, instance, node, TFP_GRADE_TENSORFLOW, &site))
        return;
    tfp_walk_charge(s, 1 + site.input_count + site.control_count +
                           site.output_count);
    if (!is_argument(tfp_instance_graph(s, instance), site.node)) {
        for (size_t i = 0; i < site.output_count; i++)
            site.outputs[i] = (tfp_known){ { TFP_NOTHING_KNOWN,
                                             TFP_NOTHING_KNOWN } };
        differs = infer(&site);
        if (s->instances.data[instance].frames) {
            tfp_walk_close(s, instance, &site);
            differs = true;
        }
        if (differs)
            raise_to_full(&site);
        if (instance == 0 && s->records)
            tfp_records_put(s, &site);
    }
    if (s->request.batch >= 0 && is_input(s, instance, &site))
        put_batch(&site);
    if (s->request.given_count > 0)
        put_given(&site);
    walk_calls(s, instance, &site);
}

void tfp_walk_nodes(tfp_shapes *s, uint32_t instance)
{
    const tfp_layout *layout = layout_of(s, instance);
    uint32_t count = tfp_instance_graph(s, instance)->node_count;
    for (uint32_t i = 0; i < count && !s->failed && !s->cancelled; i++)
        tfp_walk_node(s, instance, layout->order ? layout->order[i] : i);
}

void tfp_walk_instance(tfp_shapes *s, uint32_t instance)
{
    if (layout_of(s, instance)->has_cycles)
        tfp_walk_cycles(s, instance);
    else
        tfp_walk_nodes(s, instance);
}
