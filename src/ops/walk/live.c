/*
 * live.c - which nodes of an instance are wanted.
 *
 * From the top graph a signature wants its outputs, up to its inputs; from a
 * function its caller wants what it returns, and what it does besides
 * (control returns). Without a signature everything is wanted.
 */
#include "base/bits.h"
#include "base/intern.h"
#include "model/functions.h"
#include "model/saved.h"
#include "ops/walk/layout.h"
#include "ops/walk/walk.h"

typedef struct marking {
    tfp_shapes *shapes;
    const tfp_graph *graph;
    const tfp_nodes *nodes;
    uint64_t *live;
    TFP_VEC(uint32_t) stack; /* nodes whose inputs are still to be marked */
} marking;

static size_t bits_size(const tfp_graph *graph)
{
    return ((size_t)graph->node_count + 63) / 64 * sizeof(uint64_t);
}

static uint64_t *make_bits(tfp_shapes *s, const tfp_graph *graph)
{
    return tfp_memory_zalloc(s->memory, bits_size(graph));
}

static bool mark(marking *m, tfp_node node)
{
    uint32_t n = node - m->graph->first_node;
    if (tfp_bit(m->live, n))
        return true;
    m->live[n / 64] |= (uint64_t)1 << n % 64;
    return TFP_VEC_PUSH(m->shapes->memory, &m->stack, n);
}

/* What is fed needs no inputs. */
static bool is_fed(const marking *m, uint32_t node)
{
    return m->graph->kind != TFP_GRAPH_FUNCTION &&
           m->shapes->inputs_of_signature &&
           tfp_bit(m->shapes->inputs_of_signature, node);
}

static bool mark_inputs(marking *m)
{
    while (m->stack.count > 0) {
        uint32_t node = m->stack.data[--m->stack.count];
        size_t count;
        const tfp_edge *in = tfp_node_inputs(
            m->nodes, m->graph->first_node + node, &count);
        if (is_fed(m, node))
            continue;
        for (size_t i = 0; i < count; i++) {
            if (in[i].source != TFP_NO_NODE && !mark(m, in[i].source))
                return false;
        }
    }
    return true;
}

/* ---- Where it begins ---------------------------------------------------- */

/* The strings of a signature's inputs, or outputs, as a set. */
static bool list_tensors(tfp_shapes *s, const tfp_signature *signature,
                         bool outputs, tfp_bits *names)
{
    bool fresh;
    for (size_t i = 0; i < signature->tensors.count; i++) {
        const tfp_signature_tensor *tensor = &signature->tensors.data[i];
        tfp_string name = tfp_node_of_tensor(s->model, tensor->name);
        if (tensor->is_output == outputs && name != TFP_NO_ID &&
            !tfp_bits_add(names, s->memory, name, &fresh))
            return false;
    }
    return true;
}

static bool is_in(const tfp_bits *names, tfp_string name)
{
    return name / 64 < names->count && tfp_bit(names->data, name);
}

static bool mark_signature(marking *m)
{
    tfp_shapes *s = m->shapes;
    const tfp_signature *signature =
        &s->model->signatures.data[s->request.signature];
    tfp_bits inputs = { 0 }, outputs = { 0 };
    bool ok = list_tensors(s, signature, false, &inputs) &&
              list_tensors(s, signature, true, &outputs);
    s->inputs_of_signature = make_bits(s, m->graph);
    ok = ok && s->inputs_of_signature;
    for (uint32_t n = 0; ok && n < m->graph->node_count; n++) {
        tfp_string name = m->nodes->name[m->graph->first_node + n];
        if (is_in(&inputs, name))
            s->inputs_of_signature[n / 64] |= (uint64_t)1 << n % 64;
        if (is_in(&outputs, name))
            ok = mark(m, m->graph->first_node + n);
    }
    TFP_VEC_RELEASE(s->memory, &inputs);
    TFP_VEC_RELEASE(s->memory, &outputs);
    return ok;
}

static bool mark_returns(marking *m)
{
    size_t count;
    const int64_t *controls = tfp_function_control_returns(m->shapes->model,
                                                           m->graph, &count);
    for (size_t i = 0; i < count; i++) {
        if (!mark(m, (tfp_node)controls[i]))
            return false;
    }
    for (uint32_t k = 0; k < m->graph->return_count; k++) {
        if (!mark(m, m->graph->first_return + k))
            return false;
    }
    return true;
}

bool tfp_walk_mark_live(tfp_shapes *s, uint32_t instance)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    marking m = { .shapes = s,
                  .graph = graph,
                  .nodes = tfp_graph_nodes(s->model, graph) };
    bool is_function = graph->kind == TFP_GRAPH_FUNCTION, ok;
    if (graph->node_count == 0 || s->request.signature == TFP_NO_ID)
        return true;
    m.live = make_bits(s, graph);
    s->instances.data[instance].live = m.live;
    if (!m.live)
        return false;
    ok = (is_function ? mark_returns(&m) : mark_signature(&m)) &&
         mark_inputs(&m);
    TFP_VEC_RELEASE(s->memory, &m.stack);
    return ok;
}

void tfp_live_release(tfp_shapes *s)
{
    if (s->inputs_of_signature && s->instances.count > 0)
        tfp_memory_free(s->memory, s->inputs_of_signature);
}

/* ---- Wrappers ----------------------------------------------------------- */

/* Operations that a wrapper may have beside its call. */
static bool does_nothing(const char *op)
{
    static const char *const idle[] = {
        "Const",       "Identity",       "NoOp",      "Placeholder",
        "VarHandleOp", "_Arg",           "_Retval",   "HashTableV2",
        "VariableV2",  "ReadVariableOp", "IdentityN", "PlaceholderWithDefault"
    };
    for (size_t i = 0; i < sizeof(idle) / sizeof(idle[0]); i++) {
        if (!strcmp(op, idle[i]))
            return true;
    }
    return false;
}

uint32_t tfp_walk_wrapped(const tfp_shapes *s, uint32_t instance)
{
    const tfp_instance *in = &s->instances.data[instance];
    const tfp_graph *graph = &s->model->graphs.data[in->graph];
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    const tfp_layout *layout = &s->layouts[in->graph];
    uint32_t call = TFP_NO_ID;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const tfp_op *op = layout->ops[n];
        bool calls = op ? op->kind == TFP_OP_CALL
                        : tfp_shapes_function(
                              s, nodes->op[graph->first_node + n]) != TFP_NO_ID;
        if (in->live && !tfp_bit(in->live, n))
            continue;
        if (calls && call == TFP_NO_ID)
            call = n;
        else if (calls || !op || !does_nothing(op->name))
            return TFP_NO_ID;
    }
    return call;
}
