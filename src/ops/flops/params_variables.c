/*
 * params_variables.c - the variables that a model uses, each once.
 *
 * Keras writes a weight three times as a handle: as itself, and as a copy for
 * each way to call the model. A signature uses one of them; the object graph
 * knows the first by its name, and copies have "_1" after it.
 */
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "ops/fact/site.h"
#include "ops/flops/names.h"
#include "ops/flops/params.h"
#include "ops/walk/walk.h"

typedef struct search {
    tfp_params *params;
    tfp_shapes *shapes;
    tfp_interner distinct;     /* identity: {container, name} */
    tfp_string ops[3];         /* that make a variable; TFP_NO_ID: not there */
    tfp_interner said;         /* saying */
    TFP_VEC(uint8_t) verdicts; /* tfp_trainable of each of them */
    bool has_collection;
    tfp_string trainable_type; /* that op logs give, or TFP_NO_ID */
    bool has_log;              /* some variable is of that type */
} search;

/* What files say trainable or not. Of a collection only the name is known. */
typedef struct saying {
    tfp_string name;
    int32_t dtype;
    tfp_shape shape;
} saying;

typedef struct identity {
    tfp_string container, name;
    uint32_t instance; /* of one without a name of its own */
    uint32_t node;
} identity;

/* ---- Names -------------------------------------------------------------- */

/* What TensorFlow calls a variable that is to be shared with nobody. */
static bool is_anonymous(tfp_span name)
{
    return name.size == 0 ||
           tfp_span_is(name, "cd2c89b7-88b7-44c8-ad83-06c2a9158347");
}

static tfp_string string_attr(const tfp_site *site, tfp_key key)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_STRING);
    return attr ? (tfp_string)attr->value : 0;
}

static identity identify(const tfp_site *site, uint32_t instance, uint32_t node)
{
    identity id = { .container = string_attr(site, TFP_KEY_container),
                    .name = string_attr(site, TFP_KEY_shared_name) };
    if (is_anonymous(tfp_model_text(site->model, id.name))) {
        id.name = site->nodes->name[site->node];
        id.instance = instance + 1;
        id.node = node;
    }
    return id;
}

/* "dense/kernel" of "dense/kernel_1", if it has such an end. */
static tfp_string without_number(const tfp_model *model, tfp_string name)
{
    tfp_span text = tfp_model_text(model, name);
    size_t size = tfp_name_size(text);
    if (size == text.size)
        return TFP_NO_ID;
    text.size = size;
    return tfp_interner_find(&model->strings, text);
}

/* ---- What files say of them --------------------------------------------- */

/* Adds what is said of one variable. Where two of a name contradict each
 * other, nothing is known. */
static bool note_said(search *f, const tfp_variable *v)
{
    tfp_trainable says = v->trainable ? TFP_TRAINABLE_YES : TFP_TRAINABLE_NO;
    saying key = { v->name, 0, TFP_SHAPE_NONE };
    uint32_t number;
    if (!v->from_collection)
        key = (saying){ v->name, v->dtype, v->shape };
    number = tfp_intern(&f->said,
                        (tfp_span){ (const uint8_t *)&key, sizeof(key) });
    if (number == TFP_NO_ID)
        return false;
    f->has_collection |= v->from_collection;
    if (number < f->verdicts.count) {
        if (f->verdicts.data[number] != says)
            f->verdicts.data[number] = TFP_TRAINABLE_UNKNOWN;
        return true;
    }
    return TFP_VEC_PUSH(f->shapes->memory, &f->verdicts, (uint8_t)says);
}

static bool note_all_said(search *f)
{
    const tfp_model *model = f->shapes->model;
    /* Number 0 is taken by nothing. */
    if (!TFP_VEC_PUSH(f->shapes->memory, &f->verdicts, 0))
        return false;
    for (size_t i = 0; i < model->variables.count; i++) {
        const tfp_variable *v = &model->variables.data[i];
        if (v->graph == f->shapes->request.graph && !note_said(f, v))
            return false;
    }
    return true;
}

/* Is anything said of a variable of that name, type and shape? */
static bool find_said(const search *f, tfp_string name, tfp_param *param)
{
    saying keys[] = { { name, param->dtype, param->shape },
                      { name, 0, TFP_SHAPE_NONE } };
    for (size_t i = 0; i < 2; i++) {
        uint32_t number = tfp_interner_find(
            &f->said, (tfp_span){ (const uint8_t *)&keys[i], sizeof(keys[i]) });
        if (number == TFP_NO_ID)
            continue;
        param->trainable = (tfp_trainable)f->verdicts.data[number];
        return true;
    }
    return false;
}

/* TF1 lists those that are trainable and is silent about the others. */
static void look_up(const search *f, tfp_param *param)
{
    tfp_string original;
    if (find_said(f, param->name, param))
        return;
    original = without_number(f->shapes->model, param->name);
    if (original != TFP_NO_ID && find_said(f, original, param))
        param->name = original;
    else if (f->has_collection)
        param->trainable = TFP_TRAINABLE_NO;
}

/* ---- What op logs say --------------------------------------------------- */

static bool is_variable(const search *f, tfp_string op)
{
    return op == f->ops[0] || op == f->ops[1] || op == f->ops[2];
}

/* Did an op log give the node the type of trainable variables? */
static bool is_logged(const search *f, const tfp_nodes *nodes, tfp_node node)
{
    size_t count;
    const int64_t *types = tfp_list_items(f->shapes->model, nodes->types[node],
                                          &count);
    for (size_t i = 0; i < count; i++) {
        if ((tfp_string)types[i] == f->trainable_type)
            return true;
    }
    return false;
}

/* Logs list those that are trainable, as TF1 does. */
static void look_for_log(search *f)
{
    const tfp_graph *graph = tfp_instance_graph(f->shapes, 0);
    const tfp_nodes *nodes = tfp_graph_nodes(f->shapes->model, graph);
    f->trainable_type = tfp_interner_find(&f->shapes->model->strings,
                                          tfp_span_of("_trainable_variables"));
    for (uint32_t n = 0;
         f->trainable_type != TFP_NO_ID && !f->has_log && n < graph->node_count;
         n++)
        f->has_log = is_variable(f, nodes->op[graph->first_node + n]) &&
                     is_logged(f, nodes, graph->first_node + n);
}

/* ---- The search --------------------------------------------------------- */

static bool add(search *f, uint32_t instance, uint32_t node)
{
    uint32_t known = tfp_interner_count(&f->distinct), number;
    tfp_param param = { .instance = instance,
                        .node = node,
                        .handle = TFP_NO_NODE };
    identity id;
    tfp_site site;
    if (!tfp_shapes_site(f->shapes, instance, node, TFP_GRADE_FULL, &site))
        return false;
    id = identify(&site, instance, node);
    number = tfp_intern(&f->distinct,
                        (tfp_span){ (const uint8_t *)&id, sizeof(id) });
    if (number == TFP_NO_ID)
        return false;
    if (number < known)
        return true;
    param.name = id.name;
    if (instance == 0)
        param.handle = site.node;
    param.dtype = tfp_site_type(&site, TFP_KEY_dtype);
    param.shape = tfp_site_shape(&site, TFP_KEY_shape);
    look_up(f, &param);
    if (param.trainable == TFP_TRAINABLE_UNKNOWN && f->has_log && instance == 0)
        param.trainable = is_logged(f, site.nodes, site.node)
                              ? TFP_TRAINABLE_YES
                              : TFP_TRAINABLE_NO;
    return tfp_params_add(f->params, param);
}

static bool search_instance(search *f, uint32_t instance)
{
    const tfp_graph *graph = tfp_instance_graph(f->shapes, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(f->shapes->model, graph);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        if (tfp_watch_ends(&f->params->watch))
            return false;
        if (is_variable(f, nodes->op[graph->first_node + n]) &&
            tfp_shapes_is_live(f->shapes, instance, n) && !add(f, instance, n))
            return false;
    }
    return true;
}

static bool search_all(search *f)
{
    for (uint32_t i = 0; i < f->shapes->instances.count; i++) {
        if (!search_instance(f, i))
            return false;
    }
    return true;
}

/* ---- Who uses them ------------------------------------------------------ */

typedef TFP_VEC(uint32_t) numbers;

/* The number in `owners` of what an edge brings: a node of the top graph, or
 * an argument of a function. */
static uint32_t owner_of(const tfp_graph *graph, const numbers *owners,
                         const tfp_edge *edge)
{
    uint32_t first = graph->kind == TFP_GRAPH_FUNCTION ? graph->first_arg
                                                       : graph->first_node;
    if (edge->source == TFP_NO_NODE || edge->output == TFP_CONTROL ||
        edge->source < first || edge->source - first >= owners->count)
        return TFP_NO_ID;
    return owners->data[edge->source - first];
}

/* From the owners of what a call is given to those of its arguments. */
static bool enter_call(search *f, uint32_t instance, const numbers *owners,
                       numbers *arguments)
{
    const tfp_instance *in = &f->shapes->instances.data[instance];
    const tfp_graph *graph = tfp_instance_graph(f->shapes, in->parent);
    const tfp_nodes *nodes = tfp_graph_nodes(f->shapes->model, graph);
    uint32_t most = tfp_instance_graph(f->shapes, instance)->arg_count;
    size_t count;
    const tfp_edge *edges = tfp_node_inputs(
        nodes, graph->first_node + in->caller, &count);
    for (size_t i = 0; i < count && arguments->count < most; i++) {
        if (edges[i].output != TFP_CONTROL &&
            !TFP_VEC_PUSH(f->shapes->memory, arguments,
                          owner_of(graph, owners, &edges[i])))
            return false;
    }
    return true;
}

/* The first node of the subject that takes it. */
static void note_users(search *f, const numbers *owners)
{
    uint32_t subject = f->shapes->subject;
    const tfp_graph *graph = tfp_instance_graph(f->shapes, subject);
    const tfp_nodes *nodes = tfp_graph_nodes(f->shapes->model, graph);
    for (uint32_t n = 0;
         n < graph->node_count && !tfp_watch_ends(&f->params->watch); n++) {
        size_t count;
        const tfp_edge *edges = tfp_node_inputs(nodes, graph->first_node + n,
                                                &count);
        for (size_t i = 0; i < count; i++) {
            uint32_t owner = owner_of(graph, owners, &edges[i]);
            tfp_param *param = owner == TFP_NO_ID
                                   ? NULL
                                   : &f->params->list.data[owner];
            if (param && param->instance != subject) {
                param->instance = subject;
                param->node = n;
            }
        }
    }
}

static bool note_handles(search *f, numbers *owners)
{
    size_t count = tfp_instance_graph(f->shapes, 0)->node_count;
    if (!TFP_VEC_RESERVE(f->shapes->memory, owners, count))
        return false;
    memset(owners->data, 0xff, count * sizeof(*owners->data));
    owners->count = count;
    for (size_t i = 0; i < f->params->list.count; i++) {
        if (f->params->list.data[i].instance == 0)
            owners->data[f->params->list.data[i].node] = (uint32_t)i;
    }
    return true;
}

/* Follows the handles from the top graph through the wrappers. */
static bool find_users(search *f)
{
    tfp_memory *memory = f->shapes->memory;
    uint32_t chain[TFP_MOST_CALLS + 1], instance = f->shapes->subject;
    size_t depth = 0;
    numbers owners = { 0 };
    bool ok = note_handles(f, &owners);
    for (; instance != 0; instance = f->shapes->instances.data[instance].parent)
        chain[depth++] = instance;
    while (ok && depth > 0) {
        numbers arguments = { 0 };
        ok = enter_call(f, chain[--depth], &owners, &arguments);
        TFP_VEC_RELEASE(memory, &owners);
        owners = arguments;
    }
    if (ok)
        note_users(f, &owners);
    TFP_VEC_RELEASE(memory, &owners);
    return ok && !f->params->watch.cancelled;
}

static bool begin(search *f, tfp_memory *memory)
{
    static const char *const ops[] = { "VarHandleOp", "VariableV2",
                                       "Variable" };
    uint64_t seed = tfp_random_seed();
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
        f->ops[i] = tfp_interner_find(&f->shapes->model->strings,
                                      tfp_span_of(ops[i]));
    look_for_log(f);
    return tfp_interner_init(&f->distinct, memory, 8, seed) &&
           tfp_interner_init(&f->said, memory, 8, seed) && note_all_said(f);
}

bool tfp_params_add_variables(tfp_params *params)
{
    search f = { .params = params, .shapes = params->shapes };
    bool ok = begin(&f, params->memory) && search_all(&f);
    if (ok && params->shapes->subject != 0 && params->list.count > 0)
        ok = find_users(&f);
    tfp_interner_release(&f.distinct);
    tfp_interner_release(&f.said);
    TFP_VEC_RELEASE(params->memory, &f.verdicts);
    return ok;
}
