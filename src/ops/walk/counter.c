/*
 * counter.c - loops that count, by rule.
 *
 * Most loops hold a number against a bound and add a constant to it: "i < 20",
 * "i + 1", sometimes two such at once. How often those go around need not be
 * tried out.
 */
#include <string.h>

#include "base/intern.h"
#include "model/model.h"
#include "ops/walk/trips.h"
#include "proto/dtype.h"

/* Nodes in a row that pass on what they get; parts of a condition. */
enum { MOST_STEPS = 64, MOST_PARTS = 16 };

/* One side of a loop: its condition, or its body. */
typedef struct side {
    const tfp_trip_loop *loop;
    bool in_cond;
    const tfp_instance *instance;
    const tfp_graph *graph;
    const tfp_nodes *nodes;
    const tfp_layout *layout;
} side;

static side side_of(const tfp_trip_loop *loop, bool in_cond)
{
    tfp_shapes *s = loop->shapes;
    side at = { .loop = loop, .in_cond = in_cond };
    at.instance = &s->instances.data[in_cond ? loop->cond : loop->body];
    at.graph = &s->model->graphs.data[at.instance->graph];
    at.layout = &s->layouts[at.instance->graph];
    at.nodes = tfp_graph_nodes(s->model, at.graph);
    return at;
}

/* ---- Tensors ------------------------------------------------------------ */

uint32_t tfp_layout_producer(const tfp_layout *layout, uint32_t node_count,
                             uint32_t tensor)
{
    uint32_t low = 0, high = node_count; /* the last that begins before it */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (layout->first_tensor[middle] <= tensor)
            low = middle;
        else
            high = middle;
    }
    return low;
}

tfp_trip_variable *tfp_trips_variable(const tfp_trip_loop *loop, bool in_cond,
                                      uint32_t tensor)
{
    size_t low = 0, high = loop->count; /* their tensors ascend */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const tfp_trip_variable *at = &loop->variables[middle];
        if ((in_cond ? at->in_cond : at->in_body) < tensor)
            low = middle + 1;
        else
            high = middle;
    }
    if (tensor == TFP_NO_ID || low == loop->count ||
        (in_cond ? loop->variables[low].in_cond
                 : loop->variables[low].in_body) != tensor)
        return NULL;
    return &loop->variables[low];
}

static const tfp_op *op_of(const side *at, uint32_t tensor)
{
    return tensor < at->layout->tensor_count
               ? at->layout->ops[tfp_layout_producer(
                     at->layout, at->graph->node_count, tensor)]
               : NULL;
}

/* The tensor that the node behind a tensor gets as input `i`. */
static uint32_t input_of(const side *at, uint32_t tensor, size_t i)
{
    tfp_node node = at->graph->first_node +
                    tfp_layout_producer(at->layout, at->graph->node_count,
                                        tensor);
    size_t count;
    const tfp_edge *in = tfp_node_inputs(at->nodes, node, &count);
    size_t first = at->nodes->first_edge[node] - at->graph->first_edge;
    for (size_t k = 0; k < count; k++) {
        if (in[k].output != TFP_CONTROL && i-- == 0)
            return at->layout->edge_tensor[first + k];
    }
    return TFP_NO_ID;
}

/* Follows what passes on as it is, up to a variable or what makes it. */
static uint32_t trace(const side *at, uint32_t tensor)
{
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        const tfp_op *op = op_of(at, tensor);
        if (!op || tfp_trips_variable(at->loop, at->in_cond, tensor))
            return tensor;
        if (strcmp(op->name, "Identity") &&
            !(at->loop->in_frame &&
              (op->kind == TFP_OP_SWITCH || op->kind == TFP_OP_NEXT)))
            return tensor;
        tensor = input_of(at, tensor, 0);
    }
    return TFP_NO_ID;
}

/* ---- Numbers ------------------------------------------------------------ */

static bool fact_number(const tfp_model *model, const tfp_fact *fact,
                        int64_t *number)
{
    size_t count;
    const int64_t *items;
    if (fact->value == TFP_NO_ID || !tfp_dtype_is_integer(fact->dtype))
        return false;
    items = tfp_list_items(model, fact->value, &count);
    if (count != 1 || items[0] == TFP_VALUE_UNKNOWN)
        return false;
    *number = items[0];
    return true;
}

/* A number that stays the same all the time. */
static bool constant(const side *at, uint32_t tensor, int64_t *number)
{
    const tfp_model *model = at->loop->shapes->model;
    const tfp_trip_variable *variable = tfp_trips_variable(at->loop,
                                                           at->in_cond, tensor);
    if (variable)
        return variable->is_same && fact_number(model, &variable->now, number);
    return tensor < at->layout->tensor_count &&
           fact_number(model, &at->instance->tensors[tensor].of[TFP_GRADE_FULL],
                       number);
}

static bool is_any(const tfp_op *op, const char *a, const char *b)
{
    return op && (!strcmp(op->name, a) || !strcmp(op->name, b));
}

/* What a variable grows by, each time around. */
static bool step_of(const tfp_trip_loop *loop,
                    const tfp_trip_variable *variable, int64_t *step)
{
    side body = side_of(loop, false);
    uint32_t made = trace(&body, variable->next), a, b;
    const tfp_op *op = op_of(&body, made);
    bool adds = is_any(op, "Add", "AddV2");
    if (variable->is_same || made == TFP_NO_ID ||
        tfp_trips_variable(loop, false, made) ||
        (!adds && !is_any(op, "Sub", "Sub")))
        return false;
    a = trace(&body, input_of(&body, made, 0));
    b = trace(&body, input_of(&body, made, 1));
    if (tfp_trips_variable(loop, false, a) == variable &&
        constant(&body, b, step))
        return adds || !__builtin_sub_overflow((int64_t)0, *step, step);
    return adds && tfp_trips_variable(loop, false, b) == variable &&
           constant(&body, a, step);
}

/* Numbers of 32 bits come round again; those are left alone. */
static bool fits(int64_t number, int32_t dtype)
{
    return dtype == TFP_DT_INT64 ||
           (dtype == TFP_DT_INT32 && number >= INT32_MIN &&
            number <= INT32_MAX);
}

bool tfp_trips_count_to(const tfp_trip_loop *loop, tfp_trip_variable *variable,
                        int64_t trips)
{
    tfp_model *model = loop->shapes->model;
    int64_t number, step;
    tfp_list list;
    if (!fact_number(model, &variable->now, &number))
        return false;
    if (trips == 0)
        return true;
    if (!step_of(loop, variable, &step) ||
        __builtin_mul_overflow(step, trips, &step) ||
        __builtin_add_overflow(number, step, &number) ||
        !fits(number, variable->now.dtype))
        return false;
    list = tfp_model_list(model, &number, 1);
    loop->shapes->failed |= list == TFP_NO_ID;
    variable->now.value = list;
    return list != TFP_NO_ID;
}

/* ---- Conditions --------------------------------------------------------- */

typedef struct bound {
    int64_t from, to, step;
    bool up;      /* it holds below the bound, else above */
    bool is_open; /* the bound itself does not count */
} bound;

/* How often it holds: -1 for ever, or when numbers are too large. */
static int64_t times_within(bound b)
{
    int64_t way, most;
    if (!b.up) { /* turned around */
        if (__builtin_sub_overflow((int64_t)0, b.from, &b.from) ||
            __builtin_sub_overflow((int64_t)0, b.to, &b.to) ||
            __builtin_sub_overflow((int64_t)0, b.step, &b.step))
            return -1;
    }
    if (b.is_open && __builtin_sub_overflow(b.to, (int64_t)1, &b.to))
        return -1;
    if (b.from > b.to)
        return 0;
    if (b.step <= 0 || __builtin_sub_overflow(b.to, b.from, &way))
        return -1;
    most = way / b.step;
    return most == INT64_MAX ? -1 : most + 1;
}

typedef struct comparison {
    const char *op;
    bool up, is_open;
} comparison;

static const comparison comparisons[] = {
    { "Less", true, true },
    { "LessEqual", true, false },
    { "Greater", false, true },
    { "GreaterEqual", false, false },
};

static const comparison *comparison_of(const tfp_op *op)
{
    for (size_t i = 0; op && i < sizeof(comparisons) / sizeof(comparisons[0]);
         i++) {
        if (!strcmp(op->name, comparisons[i].op))
            return &comparisons[i];
    }
    return NULL;
}

/* A variable that is held against a constant: how often that holds. */
static int64_t times_of(const side *cond, uint32_t tensor)
{
    const comparison *c = comparison_of(op_of(cond, tensor));
    const tfp_trip_loop *loop = cond->loop;
    const tfp_trip_variable *variable;
    uint32_t a, b;
    bound way;
    int64_t times, last;
    if (!c)
        return -1;
    a = trace(cond, input_of(cond, tensor, 0));
    b = trace(cond, input_of(cond, tensor, 1));
    way.up = c->up;
    way.is_open = c->is_open;
    variable = tfp_trips_variable(loop, true, a);
    if (!variable || variable->is_same) {
        uint32_t other = a;
        a = b;
        b = other;
        way.up = !way.up;
        variable = tfp_trips_variable(loop, true, a);
    }
    if (!variable || !constant(cond, b, &way.to) ||
        !fact_number(loop->shapes->model, &variable->now, &way.from) ||
        !step_of(loop, variable, &way.step))
        return -1;
    times = times_within(way);
    if (times < 0 || __builtin_mul_overflow(way.step, times, &last) ||
        __builtin_add_overflow(way.from, last, &last) ||
        !fits(last, variable->now.dtype))
        return -1;
    return times;
}

/* True, false or -1: what is known of a part of the condition for good. */
static int known_answer(const side *cond, uint32_t tensor)
{
    const tfp_fact *fact;
    const int64_t *items;
    size_t count;
    if (tensor >= cond->layout->tensor_count ||
        tfp_trips_variable(cond->loop, true, tensor))
        return -1;
    fact = &cond->instance->tensors[tensor].of[TFP_GRADE_FULL];
    if (fact->value == TFP_NO_ID)
        return -1;
    items = tfp_list_items(cond->loop->shapes->model, fact->value, &count);
    return count != 1 || items[0] == TFP_VALUE_UNKNOWN ? -1 : items[0] != 0;
}

int64_t tfp_trips_count(const tfp_trip_loop *loop)
{
    side cond = side_of(loop, true);
    uint32_t parts[MOST_PARTS];
    size_t count = 1;
    int64_t trips = -1;
    parts[0] = loop->answer;
    while (count > 0) {
        uint32_t part = trace(&cond, parts[--count]);
        const tfp_op *op = op_of(&cond, part);
        int64_t times;
        int known = known_answer(&cond, part);
        if (known == 1)
            continue;
        if (op && !strcmp(op->name, "LogicalAnd") && count + 2 <= MOST_PARTS) {
            parts[count++] = input_of(&cond, part, 0);
            parts[count++] = input_of(&cond, part, 1);
            continue;
        }
        times = known == 0 ? 0 : times_of(&cond, part);
        if (times < 0)
            return -1;
        trips = trips < 0 || times < trips ? times : trips;
    }
    return trips;
}
