/*
 * trips.c - how often a loop goes around, by running what its condition needs.
 *
 * The nodes that the answer of the condition depends on are few: those that
 * count, and no others. They are found from the answer back, through the body
 * for each variable on the way, and walked again and again with the values
 * that variables have by then. Their tensors are put back afterwards.
 */
#include "ops/walk/trips.h"

#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "ops/walk/frames.h"
#include "ops/walk/walk.h"

/* Nodes evaluated for all loops together; nodes that one round may take; what
 * a node weighs in the budget of the walk. */
enum { MOST_EVALUATED = 200000, MOST_NODES = 4096, NODE_WEIGHT = 4 };

/* Some nodes of an instance, in the order in which they can be walked. */
typedef struct slice {
    const tfp_trip_loop *loop;
    uint32_t instance;
    bool in_cond;
    const tfp_graph *graph;
    const tfp_nodes *nodes;
    const tfp_layout *layout;
    uint64_t *seen;          /* a bit for each node of the graph */
    uint64_t *varies;        /* the same: depends on a variable */
    TFP_VEC(uint32_t) all;   /* those that vary */
    TFP_VEC(tfp_known) kept; /* their tensors as they were */
    TFP_VEC(uint64_t) stack; /* node, and the number of its next input */
    bool failed, is_too_large;
} slice;

/* ---- Slices ------------------------------------------------------------- */

static size_t bits_size(const slice *p)
{
    return ((size_t)p->graph->node_count + 63) / 64 * sizeof(uint64_t);
}

static void slice_init(slice *p, const tfp_trip_loop *loop, bool in_cond)
{
    tfp_shapes *s = loop->shapes;
    uint32_t instance = in_cond ? loop->cond : loop->body;
    uint32_t graph = s->instances.data[instance].graph;
    *p = (slice){ .loop = loop,
                  .instance = instance,
                  .in_cond = in_cond,
                  .graph = &s->model->graphs.data[graph],
                  .layout = &s->layouts[graph] };
    p->nodes = tfp_graph_nodes(s->model, p->graph);
    p->seen = tfp_memory_zalloc(s->memory, bits_size(p));
    p->varies = tfp_memory_zalloc(s->memory, bits_size(p));
    p->failed = !p->seen || !p->varies;
    if (p->failed)
        return;
    s->evaluated += bits_size(p) / 64;
}

static void slice_release(slice *p)
{
    tfp_memory *memory = p->loop->shapes->memory;
    if (p->graph) {
        tfp_memory_free(memory, p->seen);
        tfp_memory_free(memory, p->varies);
    }
    TFP_VEC_RELEASE(memory, &p->all);
    TFP_VEC_RELEASE(memory, &p->kept);
    TFP_VEC_RELEASE(memory, &p->stack);
}

static void set_bit(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= (uint64_t)1 << i % 64;
}

/* Is it known outside of the loop? */
static bool is_outside(const slice *p, uint32_t node)
{
    const tfp_op *op = p->layout->ops[node];
    tfp_node at = p->graph->first_node + node;
    if (p->loop->in_frame)
        return op && (op->kind == TFP_OP_ENTER || op->kind == TFP_OP_EXIT ||
                      tfp_frames_merge(
                          p->loop->shapes->instances.data[p->instance].frames,
                          node) != NULL);
    return at >= p->graph->first_arg &&
           at - p->graph->first_arg < p->graph->arg_count;
}

static void begin_node(slice *p, uint32_t node)
{
    if (tfp_bit(p->seen, node) || is_outside(p, node))
        return;
    set_bit(p->seen, node);
    p->failed |= !TFP_VEC_PUSH(p->loop->shapes->memory, &p->stack,
                               (uint64_t)node << 32);
}

/* Goes on with the node on top of the stack: one more input, or its end. */
static void go_on(slice *p)
{
    uint64_t *top = &p->stack.data[p->stack.count - 1];
    uint32_t node = (uint32_t)(*top >> 32), number = (uint32_t)*top;
    size_t count;
    const tfp_edge *in = tfp_node_inputs(p->nodes, p->graph->first_node + node,
                                         &count);
    if (number < count) {
        ++*top;
        if (in[number].output != TFP_CONTROL &&
            in[number].source != TFP_NO_NODE)
            begin_node(p, in[number].source - p->graph->first_node);
        return;
    }
    p->stack.count--;
    if (!tfp_bit(p->varies, node))
        return;
    p->is_too_large |= p->all.count >= MOST_NODES;
    p->failed |= !p->is_too_large &&
                 !TFP_VEC_PUSH(p->loop->shapes->memory, &p->all, node);
}

/* Does any input of a node vary? All of them have been looked at. */
static void look_at_inputs(slice *p, uint32_t node)
{
    size_t count;
    const tfp_edge *in = tfp_node_inputs(p->nodes, p->graph->first_node + node,
                                         &count);
    size_t first = p->nodes->first_edge[p->graph->first_node + node] -
                   p->graph->first_edge;
    for (size_t i = 0; i < count; i++) {
        tfp_trip_variable *variable;
        if (in[i].output == TFP_CONTROL || in[i].source == TFP_NO_NODE)
            continue;
        variable = tfp_trips_variable(p->loop, p->in_cond,
                                      p->layout->edge_tensor[first + i]);
        if (variable)
            variable->is_needed = true;
        if (variable ? !variable->is_same
                     : tfp_bit(p->varies, in[i].source - p->graph->first_node))
            set_bit(p->varies, node);
    }
}

/* Adds what a tensor depends on. */
static void add_tensor(slice *p, uint32_t tensor)
{
    tfp_trip_variable *variable = tfp_trips_variable(p->loop, p->in_cond,
                                                     tensor);
    if (variable) {
        variable->is_needed = true;
        return;
    }
    if (tensor >= p->layout->tensor_count || p->failed)
        return;
    begin_node(p, tfp_layout_producer(p->layout, p->graph->node_count, tensor));
    while (p->stack.count > 0 && !p->failed && !p->is_too_large) {
        uint64_t top = p->stack.data[p->stack.count - 1];
        size_t count;
        tfp_node_inputs(p->nodes, p->graph->first_node + (uint32_t)(top >> 32),
                        &count);
        if ((uint32_t)top >= count)
            look_at_inputs(p, (uint32_t)(top >> 32));
        p->loop->shapes->evaluated++;
        p->is_too_large |= p->loop->shapes->evaluated > MOST_EVALUATED;
        go_on(p);
    }
}

/* What the body does for all variables that are needed; those may need more.
 */
static void add_variables(slice *p)
{
    const tfp_trip_loop *loop = p->loop;
    bool more = true;
    uint64_t *done = tfp_memory_zalloc(loop->shapes->memory,
                                       loop->count / 8 + 8);
    p->failed |= !done;
    while (more && !p->failed && !p->is_too_large) {
        more = false;
        for (uint32_t k = 0; k < loop->count; k++) {
            const tfp_trip_variable *variable = &loop->variables[k];
            if (!variable->is_needed || variable->is_same || tfp_bit(done, k))
                continue;
            set_bit(done, k);
            add_tensor(p, variable->next);
            more = true;
        }
    }
    tfp_memory_free(loop->shapes->memory, done);
}

/* ---- Running ------------------------------------------------------------ */

static void keep_tensors(slice *p)
{
    tfp_shapes *s = p->loop->shapes;
    for (size_t i = 0; i < p->all.count; i++) {
        size_t count;
        const tfp_known *at = tfp_walk_outputs(s, p->instance, p->all.data[i],
                                               &count);
        for (size_t k = 0; k < count; k++)
            p->failed |= !TFP_VEC_PUSH(s->memory, &p->kept, at[k]);
        if (p->failed)
            return;
    }
}

static void put_back(slice *p)
{
    size_t done = 0;
    for (size_t i = 0; i < p->all.count && done < p->kept.count; i++) {
        size_t count;
        tfp_known *at = tfp_walk_outputs(p->loop->shapes, p->instance,
                                         p->all.data[i], &count);
        for (size_t k = 0; k < count && done < p->kept.count; k++)
            at[k] = p->kept.data[done++];
    }
}

static tfp_known *tensor_at(const slice *p, uint32_t tensor)
{
    return tensor < p->layout->tensor_count
               ? &p->loop->shapes->instances.data[p->instance].tensors[tensor]
               : NULL;
}

/* Exchanges what the slice has for variables with what they are now, so that a
 * second call puts it back. */
static void exchange_variables(const slice *p)
{
    for (size_t k = 0; k < p->loop->needed_count; k++) {
        tfp_trip_variable *variable = &p->loop->variables[p->loop->needed[k]];
        tfp_known *at = tensor_at(p, p->in_cond ? variable->in_cond
                                                : variable->in_body);
        tfp_fact fact;
        if (!at)
            continue;
        fact = at->of[TFP_GRADE_FULL];
        at->of[TFP_GRADE_FULL] = variable->now;
        variable->now = fact;
    }
}

static void run(slice *p)
{
    tfp_shapes *s = p->loop->shapes;
    size_t first = s->instances.count, refused = s->unwalked.count;
    size_t before = s->work;
    tfp_walk_charge(s, p->loop->needed_count);
    exchange_variables(p);
    for (size_t i = 0; i < p->all.count && !s->failed && !s->cancelled; i++) {
        tfp_walk_node(s, p->instance, p->all.data[i]);
        tfp_walk_drop(s, first);
        s->unwalked.count = refused;
    }
    exchange_variables(p);
    s->evaluated += (s->work - before) / NODE_WEIGHT + 1;
}

/* 1 or 0, or -1 when it is not known. */
static int answer_of(const slice *p)
{
    tfp_trip_variable *variable = tfp_trips_variable(p->loop, true,
                                                     p->loop->answer);
    const tfp_known *at = tensor_at(p, p->loop->answer);
    const tfp_fact *fact = variable ? &variable->now
                           : at     ? &at->of[TFP_GRADE_FULL]
                                    : NULL;
    size_t count;
    const int64_t *items;
    if (!fact || fact->value == TFP_NO_ID)
        return -1;
    items = tfp_list_items(p->loop->shapes->model, fact->value, &count);
    if (count != 1 || items[0] == TFP_VALUE_UNKNOWN)
        return -1;
    return items[0] != 0;
}

/* False when nothing changes any more: it would go on for ever. */
static bool step_variables(const slice *body)
{
    const tfp_trip_loop *loop = body->loop;
    bool changed = false;
    for (size_t k = 0; k < loop->needed_count; k++) {
        tfp_trip_variable *variable = &loop->variables[loop->needed[k]];
        const tfp_known *next = tensor_at(body, variable->next);
        tfp_trip_variable *other;
        if (variable->is_same)
            continue;
        other = tfp_trips_variable(body->loop, false, variable->next);
        variable->then = other  ? other->now
                         : next ? next->of[TFP_GRADE_FULL]
                                : TFP_NOTHING_KNOWN;
        changed |= !tfp_fact_equal(&variable->now, &variable->then);
    }
    for (size_t k = 0; k < loop->needed_count; k++) {
        tfp_trip_variable *variable = &loop->variables[loop->needed[k]];
        if (!variable->is_same)
            variable->now = variable->then;
    }
    return changed;
}

static int64_t run_all(slice *cond, slice *body)
{
    tfp_shapes *s = cond->loop->shapes;
    for (int64_t trips = 0;; trips++) {
        int answer;
        run(cond);
        answer = s->failed || s->cancelled ? -1 : answer_of(cond);
        if (answer <= 0)
            return answer < 0 ? -1 : trips;
        run(body);
        if (s->failed || !step_variables(body) || s->evaluated > MOST_EVALUATED)
            return -1;
    }
}

/* Lists the variables that the condition depends on: often a few of very many.
 * To be released. False when out of memory. */
static bool list_needed(tfp_trip_loop *loop)
{
    uint32_t *needed;
    size_t count = 0;
    for (size_t k = 0; k < loop->count; k++)
        count += loop->variables[k].is_needed;
    needed = tfp_memory_array(loop->shapes->memory, count + 1, sizeof(*needed));
    if (!needed)
        return false;
    loop->needed = needed;
    loop->needed_count = count;
    for (uint32_t k = 0; k < loop->count; k++) {
        if (loop->variables[k].is_needed)
            *needed++ = k;
    }
    return true;
}

static void release_needed(tfp_trip_loop *loop)
{
    tfp_memory_free(loop->shapes->memory, loop->needed);
    loop->needed = NULL;
    loop->needed_count = 0;
}

static int64_t evaluate(tfp_trip_loop *loop)
{
    slice cond, body = { .loop = loop };
    int64_t trips = -1;
    slice_init(&cond, loop, true);
    if (!cond.failed)
        add_tensor(&cond, loop->answer);
    if (!cond.failed && !cond.is_too_large) {
        slice_init(&body, loop, false);
        if (!body.failed)
            add_variables(&body);
    }
    keep_tensors(&cond);
    if (body.graph)
        keep_tensors(&body);
    if (!cond.failed && !body.failed && !cond.is_too_large &&
        !body.is_too_large) {
        if (list_needed(loop))
            trips = run_all(&cond, &body);
        else
            loop->shapes->failed = true;
    }
    if (body.graph)
        put_back(&body);
    put_back(&cond);
    loop->shapes->failed |= cond.failed || body.failed;
    slice_release(&cond);
    slice_release(&body);
    release_needed(loop);
    return trips;
}

static void forget_value(tfp_trip_variable *variable)
{
    variable->now.value = TFP_NO_ID;
    variable->now.dtype = 0;
}

int64_t tfp_trips_evaluate(tfp_trip_loop *loop)
{
    int64_t trips = tfp_trips_count(loop);
    bool by_rule = trips >= 0;
    if (!by_rule && loop->shapes->evaluated <= MOST_EVALUATED)
        trips = evaluate(loop);
    for (size_t k = 0; k < loop->count; k++) {
        tfp_trip_variable *variable = &loop->variables[k];
        if (variable->is_same ||
            (trips >= 0 && !by_rule && variable->is_needed))
            continue;
        if (trips < 0 || !tfp_trips_count_to(loop, variable, trips))
            forget_value(variable);
    }
    return trips;
}

/* ---- Other means -------------------------------------------------------- */

/* Cuts `part` off the end of a name; false when it does not end so. */
static bool cut_end(tfp_span *name, tfp_span part)
{
    if (part.size > name->size ||
        memcmp(name->data + name->size - part.size, part.data, part.size))
        return false;
    name->size -= part.size;
    return true;
}

/* Is `name` that of a loop, with or without those of its callers before? */
static bool is_called(const tfp_shapes *s, uint32_t instance, tfp_span name,
                      tfp_span loop)
{
    if (!cut_end(&name, loop))
        return false;
    while (name.size > 0 && instance != s->subject && instance != TFP_NO_ID) {
        const tfp_instance *in = &s->instances.data[instance];
        const tfp_graph *graph;
        char part[32];
        if (in->parent == TFP_NO_ID)
            return false;
        tfp_part_name(in, part, sizeof(part));
        graph = tfp_instance_graph(s, in->parent);
        if (!cut_end(&name, tfp_span_of(part)) ||
            !cut_end(&name, tfp_span_of("/")) ||
            !cut_end(&name,
                     tfp_model_text(
                         s->model, tfp_graph_nodes(s->model, graph)
                                       ->name[graph->first_node + in->caller])))
            return false;
        instance = in->parent;
    }
    return name.size == 0;
}

/* What the user gives for the loop, or NULL. */
static tfp_given *find_given(const tfp_shapes *s, uint32_t instance,
                             const tfp_span *names, size_t count)
{
    for (size_t i = 0; i < s->request.given_count; i++) {
        tfp_given *given = &s->request.given[i];
        for (size_t k = 0; given->trips >= 0 && k < count; k++) {
            if (names[k].size > 0 &&
                is_called(s, instance, tfp_model_text(s->model, given->name),
                          names[k]))
                return given;
        }
    }
    return NULL;
}

void tfp_trips_settle(const tfp_shapes *s, uint32_t instance,
                      const tfp_span *names, size_t name_count, int64_t runs,
                      int64_t *trips, tfp_times_rule *rule)
{
    tfp_given *given = find_given(s, instance, names, name_count);
    if (runs > 0) {
        *trips = runs - 1;
        *rule = TFP_TIMES_RECORDED;
    } else if (*rule != TFP_TIMES_EVALUATED) {
        *trips = given ? given->trips : 1;
        *rule = given ? TFP_TIMES_GIVEN : TFP_TIMES_ASSUMED;
    }
    if (given && given->rule != TFP_TIMES_GIVEN) {
        given->rule = *rule;
        given->found = *trips;
    }
}
