/*
 * layout.c - a graph's nodes in an order to walk them, its tensors numbered.
 *
 * Files nearly always name a node after its inputs, and then the order is that
 * of the file. Otherwise it is found by counting the inputs that are still to
 * come. Edges that a NextIteration sends back do not count; what is on any
 * other cycle, which no graph that runs has, comes last.
 */
#include "ops/walk/layout.h"

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/functions.h"
#include "model/model.h"

/* A number in a file may claim any number of outputs; so many are believed. */
enum { MOST_CLAIMED = 4096 };

typedef struct making {
    tfp_shapes *shapes;
    const tfp_graph *graph;
    const tfp_nodes *nodes;
    tfp_layout *layout;
} making;

/* Asks between passes over all nodes. */
static bool goes_on(const making *m)
{
    tfp_shapes *s = m->shapes;
    s->cancelled = s->cancelled || tfp_cancelled(s->cancel);
    return !s->cancelled;
}

/* ---- Outputs ------------------------------------------------------------ */

/* The number that an attribute gives to "output*N". */
static int64_t count_by_attr(const making *m, tfp_node node, tfp_span key)
{
    const tfp_model *model = m->shapes->model;
    tfp_string name = tfp_interner_find(&model->strings, key);
    const tfp_attr *attr = name == TFP_NO_ID
                               ? NULL
                               : tfp_attrs_find(model, m->nodes->attrs[node],
                                                name);
    size_t count;
    if (!attr)
        return 0;
    if (attr->kind & TFP_ATTR_LIST) {
        tfp_list_items(model, (tfp_list)attr->value, &count);
        return (int64_t)count;
    }
    if (attr->kind != TFP_ATTR_INT || attr->value < 0)
        return 0;
    return attr->value < MOST_CLAIMED ? attr->value : MOST_CLAIMED;
}

/* The next of the names in "a,b*N": its name and how many outputs it is. */
static bool next_port(const making *m, tfp_node node, const char **ports,
                      tfp_span *name, int64_t *count)
{
    size_t size = strcspn(*ports, ",");
    tfp_span port = { (const uint8_t *)*ports, size };
    const uint8_t *star = size ? memchr(port.data, '*', size) : NULL;
    if (size == 0)
        return false;
    *ports += size + ((*ports)[size] == ',');
    *name = port;
    *count = 1;
    if (star) {
        name->size = (size_t)(star - port.data);
        *count = count_by_attr(m, node,
                               (tfp_span){ star + 1, size - name->size - 1 });
    }
    return true;
}

static uint32_t function_called(const making *m, tfp_node node)
{
    return tfp_shapes_function(m->shapes, m->nodes->op[node]);
}

static uint32_t count_outputs(const making *m, tfp_node node, const tfp_op *op)
{
    int64_t sum = 0, count;
    tfp_span name;
    uint32_t function;
    size_t listed;
    if (op) {
        const char *ports = op->ports;
        if (!strpbrk(ports, ",*")) /* nearly all, so look no further */
            return *ports != '\0';
        while (next_port(m, node, &ports, &name, &count))
            sum = tfp_add_sat(sum, count);
        return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
    }
    function = function_called(m, node);
    if (function != TFP_NO_ID)
        return m->shapes->model->graphs.data[function].return_count;
    tfp_list_items(m->shapes->model, m->nodes->outputs[node], &listed);
    return listed > 1 ? (uint32_t)listed : 1;
}

/* Where the outputs called `port` begin among those of a node; TFP_NO_ID when
 * it has none of that name. */
static uint32_t port_start(const making *m, tfp_node node, tfp_span port)
{
    const tfp_op *op = m->layout->ops[node - m->graph->first_node];
    const char *ports = op ? op->ports : "";
    int64_t at = 0, count;
    tfp_span name;
    if (!op || !strchr(ports, ','))
        return 0; /* there is one name, or none that we know */
    while (next_port(m, node, &ports, &name, &count)) {
        if (tfp_span_equal(name, port))
            return (uint32_t)at;
        at = tfp_add_sat(at, count);
    }
    return TFP_NO_ID;
}

/* The number of the output that an edge comes from, or TFP_NO_ID. In bodies of
 * functions "a:port:k" is the k-th of those called `port`. */
static uint32_t output_of_edge(const making *m, const tfp_edge *edge)
{
    const tfp_model *model = m->shapes->model;
    uint32_t start = 0, function;
    if (edge->source == TFP_NO_NODE || edge->output < 0 ||
        edge->output == TFP_OUTPUT_UNKNOWN)
        return TFP_NO_ID;
    if (m->graph->kind != TFP_GRAPH_FUNCTION || edge->port == 0)
        return (uint32_t)edge->output;
    function = m->layout->ops[edge->source - m->graph->first_node]
                   ? TFP_NO_ID
                   : function_called(m, edge->source);
    if (function == TFP_NO_ID) {
        start = port_start(m, edge->source, tfp_model_text(model, edge->port));
    } else {
        int32_t output = tfp_function_output(
            model, &model->graphs.data[function], edge->port);
        start = output == TFP_OUTPUT_UNKNOWN ? TFP_NO_ID : (uint32_t)output;
    }
    return start == TFP_NO_ID ? TFP_NO_ID : start + (uint32_t)edge->output;
}

/* ---- Numbers of tensors ------------------------------------------------- */

/* Of an operation that is in no table, the outputs are those that edges come
 * from. */
static void number_outputs_of_edges(const making *m)
{
    const tfp_graph *g = m->graph;
    tfp_layout *l = m->layout;
    for (uint32_t e = 0; e < g->edge_count; e++) {
        const tfp_edge *edge = &m->nodes->edges.data[g->first_edge + e];
        uint32_t output = output_of_edge(m, edge), source;
        l->edge_tensor[e] = output;
        if (output == TFP_NO_ID)
            continue;
        source = edge->source - g->first_node;
        if (output >= l->first_tensor[source] && !l->ops[source] &&
            output < MOST_CLAIMED)
            l->first_tensor[source] = output + 1;
        if (output >= l->first_tensor[source])
            l->edge_tensor[e] = TFP_NO_ID;
    }
}

/* `first_tensor` holds the number of outputs first, then where they begin. */
static bool number_tensors(const making *m)
{
    const tfp_graph *g = m->graph;
    tfp_layout *l = m->layout;
    uint64_t sum = 0;
    for (uint32_t n = 0; n < g->node_count; n++) {
        tfp_node node = g->first_node + n;
        l->first_tensor[n] = count_outputs(m, node, l->ops[n]);
        l->name_bytes +=
            tfp_model_text(m->shapes->model, m->nodes->name[node]).size;
    }
    if (!goes_on(m))
        return false;
    number_outputs_of_edges(m);
    for (uint32_t n = 0; n <= g->node_count; n++) {
        uint32_t count = n < g->node_count ? l->first_tensor[n] : 0;
        l->first_tensor[n] = (uint32_t)sum;
        sum += count;
        if (sum >= UINT32_MAX)
            return false;
    }
    l->tensor_count = (uint32_t)sum;
    for (uint32_t e = 0; e < g->edge_count; e++) {
        const tfp_edge *edge = &m->nodes->edges.data[g->first_edge + e];
        if (l->edge_tensor[e] != TFP_NO_ID)
            l->edge_tensor[e] += l->first_tensor[edge->source - g->first_node];
    }
    return true;
}

/* ---- Order -------------------------------------------------------------- */

static bool goes_back(const making *m, const tfp_edge *edge)
{
    const tfp_op *op = m->layout->ops[edge->source - m->graph->first_node];
    return op && op->kind == TFP_OP_NEXT;
}

static bool stands_in_order(making *m)
{
    const tfp_graph *g = m->graph;
    for (uint32_t n = 0; n < g->node_count; n++) {
        size_t count;
        const tfp_edge *in = tfp_node_inputs(m->nodes, g->first_node + n,
                                             &count);
        for (size_t i = 0; i < count; i++) {
            if (in[i].source == TFP_NO_NODE || in[i].source < g->first_node + n)
                continue;
            if (!goes_back(m, &in[i]))
                return false;
            m->layout->has_cycles = true;
        }
    }
    return true;
}

/* The nodes that use each node, one run after the other. */
typedef struct uses {
    uint32_t *first; /* of each node, and one past the last */
    uint32_t *users;
    uint32_t *waiting; /* inputs of each node that are still to come */
} uses;

static bool counts_as_input(making *m, const tfp_edge *edge)
{
    if (edge->source == TFP_NO_NODE)
        return false;
    if (!goes_back(m, edge))
        return true;
    m->layout->has_cycles = true;
    return false;
}

static void list_uses(making *m, uses *u)
{
    const tfp_graph *g = m->graph;
    size_t count;
    memset(u->first, 0, ((size_t)g->node_count + 1) * sizeof(*u->first));
    memset(u->waiting, 0, (size_t)g->node_count * sizeof(*u->waiting));
    for (uint32_t n = 0; n < g->node_count; n++) {
        const tfp_edge *in = tfp_node_inputs(m->nodes, g->first_node + n,
                                             &count);
        for (size_t i = 0; i < count; i++) {
            if (!counts_as_input(m, &in[i]))
                continue;
            u->first[in[i].source - g->first_node + 1]++;
            u->waiting[n]++;
        }
    }
    for (uint32_t n = 0; n < g->node_count; n++)
        u->first[n + 1] += u->first[n];
    for (uint32_t n = 0; n < g->node_count; n++) {
        const tfp_edge *in = tfp_node_inputs(m->nodes, g->first_node + n,
                                             &count);
        for (size_t i = 0; i < count; i++) {
            if (counts_as_input(m, &in[i]))
                u->users[u->first[in[i].source - g->first_node]++] = n;
        }
    }
    for (uint32_t n = g->node_count; n > 0; n--)
        u->first[n] = u->first[n - 1];
    u->first[0] = 0;
}

/* Puts nodes as soon as all their inputs have been put; the part of `order`
 * that is not walked yet is the queue. */
static void put_in_order(making *m, uses *u)
{
    uint32_t *order = m->layout->order, put = 0, count = m->graph->node_count;
    for (uint32_t n = 0; n < count; n++) {
        if (u->waiting[n] == 0)
            order[put++] = n;
    }
    for (uint32_t at = 0; at < put; at++) {
        uint32_t n = order[at];
        for (uint32_t i = u->first[n]; i < u->first[n + 1]; i++) {
            if (--u->waiting[u->users[i]] == 0)
                order[put++] = u->users[i];
        }
    }
    for (uint32_t n = 0; put < count && n < count; n++) {
        if (u->waiting[n] > 0)
            order[put++] = n;
    }
}

static bool make_order(making *m)
{
    const tfp_graph *g = m->graph;
    tfp_memory *memory = m->shapes->memory;
    size_t nodes = g->node_count, edges = g->edge_count;
    uses u = { 0 };
    bool ok;
    if (stands_in_order(m))
        return true;
    m->layout->order = tfp_memory_array(memory, nodes, sizeof(uint32_t));
    u.first = tfp_memory_array(memory, nodes + 1, sizeof(uint32_t));
    u.users = tfp_memory_array(memory, edges + 1, sizeof(uint32_t));
    u.waiting = tfp_memory_array(memory, nodes, sizeof(uint32_t));
    ok = m->layout->order && u.first && u.users && u.waiting;
    if (ok) {
        list_uses(m, &u);
        put_in_order(m, &u);
    }
    tfp_memory_free(memory, u.first);
    tfp_memory_free(memory, u.users);
    tfp_memory_free(memory, u.waiting);
    return ok;
}

/* ---- All of it ---------------------------------------------------------- */

static bool make(making *m)
{
    const tfp_graph *g = m->graph;
    tfp_layout *l = m->layout;
    tfp_memory *memory = m->shapes->memory;
    size_t nodes = g->node_count;
    l->first_tensor = tfp_memory_array(memory, nodes + 1, sizeof(uint32_t));
    l->edge_tensor = tfp_memory_array(memory, ((size_t)g->edge_count + 1),
                                      sizeof(uint32_t));
    l->ops = tfp_memory_array(memory, nodes + 1, sizeof(const tfp_op *));
    if (!l->first_tensor || !l->edge_tensor || !l->ops)
        return false;
    for (uint32_t n = 0; n < g->node_count; n++)
        l->ops[n] = tfp_shapes_op(m->shapes, m->nodes->op[g->first_node + n]);
    return goes_on(m) && number_tensors(m) && goes_on(m) && make_order(m);
}

const tfp_layout *tfp_layout_of(tfp_shapes *shapes, uint32_t graph)
{
    making m = { .shapes = shapes,
                 .graph = &shapes->model->graphs.data[graph],
                 .layout = &shapes->layouts[graph] };
    m.nodes = tfp_graph_nodes(shapes->model, m.graph);
    if (!m.layout->ready) {
        if (!make(&m)) {
            tfp_layout_release(m.layout, shapes->memory);
            return NULL;
        }
        m.layout->ready = true;
    }
    return m.layout;
}

void tfp_layout_release(tfp_layout *layout, tfp_memory *memory)
{
    tfp_memory_free(memory, layout->first_tensor);
    tfp_memory_free(memory, layout->edge_tensor);
    tfp_memory_free(memory, layout->ops);
    tfp_memory_free(memory, layout->order);
    *layout = (tfp_layout){ 0 };
}
