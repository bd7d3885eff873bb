/*
 * census.c - every node that a profile speaks of, once.
 */
#include "model/census.h"

#include "base/intern.h"

#include "model/log_lines.h"
#include "model/model.h"

/* ---- Devices ------------------------------------------------------------ */

/* ".../device:gpu:0", ".../cpu:1": a device itself, not a stream of it. */
static bool is_plain_device(tfp_span name)
{
    static const char *const kinds[] = { "gpu:", "cpu:", "device:gpu:",
                                         "device:cpu:", "device:sycl:" };
    size_t slash = name.size, digits = name.size;
    while (slash > 0 && name.data[slash - 1] != '/')
        slash--;
    while (digits > slash && name.data[digits - 1] >= '0' &&
           name.data[digits - 1] <= '9')
        digits--;
    if (slash == 0 || digits == name.size)
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        tfp_span kind = { name.data + slash, digits - slash };
        if (tfp_span_is(kind, kinds[i]))
            return true;
    }
    return false;
}

bool tfp_is_accelerator(tfp_span device)
{
    return tfp_span_find(device, "gpu") || tfp_span_find(device, "sycl");
}

/* Ids of lower-cased names; TFP_NO_ID when out of memory. */
static tfp_string lower_case(tfp_model *model, tfp_memory *memory,
                             tfp_string id)
{
    tfp_span name = tfp_model_text(model, id);
    uint8_t *copy = tfp_memory_alloc(memory, name.size + 1);
    if (!copy)
        return TFP_NO_ID;
    for (size_t i = 0; i < name.size; i++)
        copy[i] = (uint8_t)tfp_lower((char)name.data[i]);
    id = tfp_model_string(model, (tfp_span){ copy, name.size });
    tfp_memory_free(memory, copy);
    return id;
}

static uint32_t counts_of(const tfp_device_role *role)
{
    switch (role->kind) {
    case TFP_EXEC_RUN:
        return (role->owns_nodes ? TFP_COUNTS_MEMORY : 0) |
               (role->is_accelerator ? TFP_COUNTS_ACCELERATOR_TIME
                : role->owns_nodes   ? TFP_COUNTS_CPU_TIME | TFP_COUNTS_RUN
                                     : 0);
    case TFP_EXEC_TIME: return TFP_COUNTS_CPU_TIME;
    case TFP_EXEC_ACCELERATOR_TIME: return TFP_COUNTS_ACCELERATOR_TIME;
    case TFP_EXEC_MEMORY: return TFP_COUNTS_MEMORY;
    case TFP_EXEC_TOTAL: return TFP_COUNTS_TOTAL;
    case TFP_EXEC_TRACE: return TFP_COUNTS_CPU_TIME | TFP_COUNTS_RUNS;
    case TFP_EXEC_ACCELERATOR_TRACE:
        return TFP_COUNTS_ACCELERATOR_TIME | TFP_COUNTS_RUNS;
    }
    return 0;
}

static bool find_roles(tfp_census *c, tfp_model *model)
{
    size_t count = model->devices.count;
    if (count == 0)
        return true;
    c->roles = tfp_memory_array(c->memory, count, sizeof(*c->roles));
    if (!c->roles)
        return false;
    c->role_count = count;
    for (size_t i = 0; i < count; i++) {
        const tfp_device *device = &model->devices.data[i];
        tfp_device_role *role = &c->roles[i];
        tfp_span text;
        role->name = lower_case(model, c->memory, device->name);
        role->device = lower_case(model, c->memory, device->parts.device);
        if (role->name == TFP_NO_ID || role->device == TFP_NO_ID)
            return false;
        text = tfp_model_text(model, role->name);
        role->kind = device->kind;
        role->is_accelerator = device->kind == TFP_EXEC_ACCELERATOR_TIME ||
                               device->kind == TFP_EXEC_ACCELERATOR_TRACE ||
                               tfp_span_find(text, "stream:all");
        role->owns_nodes = device->kind == TFP_EXEC_RUN &&
                           is_plain_device(text);
        role->counts = counts_of(role);
    }
    return true;
}

/* Did a step schedule work on an accelerator, but record none of its time? */
static bool find_missing_streams(tfp_census *c, size_t first_graph)
{
    enum { PLACED = 1, TIMED = 2 };
    size_t count = c->model->steps.count;
    uint8_t *marks;
    for (size_t i = first_graph; i < c->model->graphs.count; i++)
        c->misses_stream |= c->model->graphs.data[i].misses_stream;
    if (count == 0)
        return true;
    marks = tfp_memory_zalloc(c->memory, count);
    if (!marks)
        return false;
    for (size_t i = 0; i < c->role_count; i++) {
        const tfp_device_role *role = &c->roles[i];
        tfp_span name = tfp_model_text(c->model, role->name);
        if (role->kind == TFP_EXEC_RUN && tfp_is_accelerator(name))
            marks[c->model->devices.data[i].step] |= role->is_accelerator
                                                         ? PLACED | TIMED
                                                         : PLACED;
    }
    for (size_t i = 0; i < count; i++)
        c->misses_stream |= marks[i] == PLACED;
    tfp_memory_free(c->memory, marks);
    return true;
}

/* ---- Members ------------------------------------------------------------ */

static bool add_member(tfp_census *c, tfp_member member)
{
    if (c->members.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(c->memory, &c->members, member))
        return false;
    c->by_name[member.name] = (uint32_t)c->members.count - 1;
    return true;
}

static bool has_notes(const tfp_nodes *nodes, tfp_node node)
{
    return nodes->types[node] != 0 || nodes->trace[node] != 0 ||
           nodes->float_ops[node] != 0;
}

/* Notes what a member was, if a renewal must restore it. */
static bool note_change(tfp_census *c, uint32_t member)
{
    tfp_member_change change = { .member = member };
    if (!c->is_renewed || member >= c->base.members)
        return true;
    change.before = c->members.data[member];
    return TFP_VEC_PUSH(c->memory, &c->changes, change);
}

/* A further node of a name that is a member already. */
static void join_member(tfp_census *c, tfp_member *known, tfp_member more)
{
    const tfp_nodes *nodes = &c->model->nodes;
    if (known->device == 0)
        known->device = more.device;
    known->is_of_graph |= more.is_of_graph;
    if (!has_notes(nodes, known->noted) && has_notes(nodes, more.node)) {
        known->noted = more.node;
        known->from_profile = more.from_profile;
    }
}

/* A profile has its own name in the place of a type that it does not know. */
static bool has_type(const tfp_nodes *nodes, tfp_node node)
{
    return nodes->op[node] != 0 && nodes->op[node] != nodes->name[node];
}

/* Meta graphs of one input are meant to differ, so only those count that come
 * before `start`, the first node of this input. */
static void note_clash(tfp_census *c, const tfp_graph *graph, tfp_node start,
                       tfp_node known, tfp_node node)
{
    const tfp_nodes *nodes = &c->model->nodes;
    if (known < start && nodes->op[known] != nodes->op[node] &&
        has_type(nodes, known) && has_type(nodes, node) &&
        c->clashing_nodes++ == 0)
        c->clashing_input = graph->input;
}

/* `start` is the first node of the input that the graph is of. */
static bool add_graph(tfp_census *c, const tfp_graph *graph, tfp_node start)
{
    const tfp_nodes *nodes = &c->model->nodes;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        tfp_node node = graph->first_node + i;
        tfp_member member = { .name = nodes->name[node],
                              .node = node,
                              .noted = node,
                              .is_of_graph = graph->kind != TFP_GRAPH_TRACE };
        uint32_t known = c->by_name[member.name];
        if (tfp_watch_ends(&c->watch))
            return false;
        member.from_profile = graph->kind == TFP_GRAPH_PROFILE;
        if (member.from_profile)
            member.device = nodes->device[node];
        if (known == TFP_NO_ID) {
            if (!add_member(c, member))
                return false;
            continue;
        }
        if (!note_change(c, known))
            return false;
        note_clash(c, graph, start, c->members.data[known].node, node);
        join_member(c, &c->members.data[known], member);
    }
    return true;
}

static bool add_graphs(tfp_census *c, size_t first)
{
    uint32_t input = TFP_NO_ID;
    tfp_node start = 0;
    for (size_t i = first; i < c->model->graphs.count; i++) {
        const tfp_graph *graph = &c->model->graphs.data[i];
        if (graph->kind == TFP_GRAPH_FUNCTION)
            continue;
        if (graph->input != input)
            start = graph->first_node;
        input = graph->input;
        if (!add_graph(c, graph, start))
            return false;
    }
    return true;
}

/* Records of these names are about the machinery, not about a node; upstream
 * leaves them out, too, unless a graph has a node called so. */
static bool is_machinery(tfp_span name)
{
    return tfp_span_is(name, "RecvTensor") || tfp_span_is(name, "_SOURCE") ||
           tfp_span_find(name, "MEMCPY") != NULL;
}

uint32_t tfp_census_find(const tfp_census *c, const tfp_exec *exec)
{
    const tfp_device_role *role = &c->roles[exec->device];
    uint32_t at = c->by_name[exec->name];
    if (at == TFP_NO_ID)
        return TFP_NO_ID;
    if (role->owns_nodes && c->members.data[at].device != role->name)
        return TFP_NO_ID;
    return at;
}

/* Devices of traces stand in the order in which their files have them, so a
 * node does not get the first one: an accelerator goes before a CPU, and among
 * equals the name decides. */
static bool precedes_lent(const tfp_census *c, const tfp_device_role *role,
                          const tfp_member *member)
{
    if (role->is_accelerator != member->is_accelerated)
        return role->is_accelerator;
    return tfp_span_compare(tfp_model_text(c->model, role->name),
                            tfp_model_text(c->model, member->device)) < 0;
}

static void place_member(const tfp_census *c, tfp_member *member,
                         const tfp_device_role *role)
{
    if (role->owns_nodes && (member->device == 0 || member->is_lent)) {
        member->device = role->name;
        member->is_lent = false;
    } else if (tfp_exec_is_trace(role->kind) &&
               (member->device == 0 ||
                (member->is_lent && member->device != role->name &&
                 precedes_lent(c, role, member)))) {
        member->device = role->name;
        member->is_lent = true;
        member->is_accelerated = role->is_accelerator;
    }
}

/* Places one record: its member is found or made, and gets a device. Names in
 * a trace are those of nodes: who read it knows. */
static bool count_record(tfp_census *c, const tfp_exec *exec, uint32_t step,
                         bool is_rest)
{
    const tfp_device_role *role = &c->roles[exec->device];
    uint32_t at = c->by_name[exec->name];
    tfp_member *member;
    if (at == TFP_NO_ID) {
        if (!tfp_exec_is_trace(role->kind) &&
            is_machinery(tfp_model_text(c->model, exec->name)))
            return true;
        if (!add_member(c, (tfp_member){ .name = exec->name,
                                         .node = TFP_NO_NODE,
                                         .noted = TFP_NO_NODE }))
            return false;
        at = (uint32_t)c->members.count - 1;
    }
    if (!c->members.data[at].has_run && !note_change(c, at))
        return false;
    member = &c->members.data[at];
    c->placed_records += member->node != TFP_NO_NODE;
    place_member(c, member, role);
    if (role->owns_nodes && member->device != role->name)
        return true;
    /* Steps are gone through one after the other, so a look at the last one
     * tells whether this step is new to the node. */
    if (c->last_step[exec->name] != step) {
        c->last_step[exec->name] = step;
        member->steps += !is_rest;
        member->has_run = true;
    }
    return true;
}

/* `first` is the number of the first step in last_step. */
static bool count_records(tfp_census *c, uint32_t first)
{
    bool ok = true;
    for (size_t s = 0; ok && s < c->model->steps.count; s++) {
        const tfp_step *step = &c->model->steps.data[s];
        for (size_t i = 0; ok && i < step->execs.count; i++)
            ok = !tfp_watch_ends(&c->watch) &&
                 count_record(c, &step->execs.data[i], first + (uint32_t)s,
                              step->is_rest);
    }
    return ok;
}

/* Counts the records of a census that is not renewed. */
static bool count_records_once(tfp_census *c)
{
    size_t size = c->name_count * sizeof(*c->last_step);
    bool ok;
    c->last_step = tfp_memory_alloc(c->memory, size);
    if (!c->last_step)
        return false;
    memset(c->last_step, 0xff, size);
    ok = count_records(c, 0);
    tfp_memory_free(c->memory, c->last_step);
    c->last_step = NULL;
    return ok;
}

/* Checkpoints alone: their tensors are what there is. */
static bool add_stored(tfp_census *c)
{
    const tfp_stored_tensors *s = &c->model->stored;
    for (size_t i = 0; i < s->tensors.count; i++) {
        if (!add_member(c, (tfp_member){ .name = s->tensors.data[i].name,
                                         .node = TFP_NO_NODE,
                                         .noted = TFP_NO_NODE,
                                         .is_stored = true }))
            return false;
    }
    return true;
}

/* In all steps, and in the nodes from `first` on. */
static bool find_negatives(const tfp_model *model, size_t first)
{
    for (size_t i = 0; i < model->steps.count; i++) {
        if (model->steps.data[i].negative_records > 0)
            return true;
    }
    for (size_t i = first; i < model->nodes.count; i++) {
        if (model->nodes.float_ops[i] < 0)
            return true;
    }
    return false;
}

static bool take(tfp_census *c, tfp_model *model)
{
    if (!find_roles(c, model)) /* first: it makes the last new strings */
        return false;
    if (!tfp_model_find_lines(model, &c->watch))
        return false;
    c->name_count = tfp_interner_count(&model->strings);
    c->by_name = tfp_memory_array(c->memory, c->name_count,
                                  sizeof(*c->by_name));
    if (!c->by_name ||
        !TFP_VEC_RESERVE(c->memory, &c->members, model->nodes.count))
        return false;
    memset(c->by_name, 0xff, c->name_count * sizeof(*c->by_name));
    if (!add_graphs(c, 0))
        return false;
    if (model->graphs.count == 0 && model->steps.count == 0 && !add_stored(c))
        return false;
    c->has_negatives = find_negatives(model, 0);
    return find_missing_streams(c, 0) &&
           (model->steps.count == 0 || count_records_once(c));
}

int tfp_census_init(tfp_census *c, tfp_model *model, tfp_memory *memory,
                    const tfp_cancel *cancel, tfprof_error *err)
{
    *c = (tfp_census){ .memory = memory,
                       .model = model,
                       .watch = { .cancel = cancel } };
    if (take(c, model))
        return TFPROF_OK;
    return c->watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
}

void tfp_census_release(tfp_census *c)
{
    TFP_VEC_RELEASE(c->memory, &c->members);
    TFP_VEC_RELEASE(c->memory, &c->changes);
    tfp_memory_free(c->memory, c->by_name);
    tfp_memory_free(c->memory, c->last_step);
    tfp_memory_free(c->memory, c->roles);
    tfp_memory_free(c->memory, c->base.logged);
    c->base.logged = NULL;
    c->by_name = c->last_step = NULL;
    c->roles = NULL;
    c->name_count = c->name_room = c->role_count = 0;
}

/* ---- Renewal ------------------------------------------------------------ */

/* Makes an array by name larger; new entries are TFP_NO_ID. */
static bool grow_names(tfp_census *c, uint32_t **names, size_t room)
{
    uint32_t *grown = tfp_memory_resize(c->memory, *names,
                                        room * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + c->name_room, 0xff, (room - c->name_room) * sizeof(*grown));
    *names = grown;
    return true;
}

/* Makes room for all names of the model. */
static bool reach_names(tfp_census *c)
{
    size_t count = tfp_interner_count(&c->model->strings);
    if (count > c->name_room) {
        size_t room = count + count / 2;
        if (!grow_names(c, &c->by_name, room) ||
            !grow_names(c, &c->last_step, room))
            return false;
        c->name_room = room;
    }
    c->name_count = count;
    return true;
}

/* Is the line of any member from `first` on known, or of one that changed? */
static bool find_traces(const tfp_census *c, size_t first)
{
    for (size_t i = first; i < c->members.count; i++) {
        if (tfp_member_trace(c->model, &c->members.data[i]) != 0)
            return true;
    }
    for (size_t i = 0; i < c->changes.count; i++) {
        uint32_t at = c->changes.data[i].member;
        if (tfp_member_trace(c->model, &c->members.data[at]) != 0)
            return true;
    }
    return false;
}

static bool take_base(tfp_census *c, tfp_model *model)
{
    tfp_stack *logged;
    size_t logged_count;
    bool ok = tfp_model_find_lines(model, &c->watch);
    logged = ok ? tfp_model_log_stacks(model, &logged_count, &ok, &c->watch)
                : NULL;
    c->base.logged = logged; /* it is released with the census */
    if (!ok || !reach_names(c) ||
        !TFP_VEC_RESERVE(c->memory, &c->members, c->model->nodes.count) ||
        !add_graphs(c, 0))
        return false;
    c->base = (tfp_census_base){
        .graphs = c->model->graphs.count,
        .nodes = c->model->nodes.count,
        .members = c->members.count,
        .clashing_nodes = c->clashing_nodes,
        .clashing_input = c->clashing_input,
        .has_negatives = find_negatives(c->model, 0),
        .has_traces = find_traces(c, 0),
        .logged = logged,
        .logged_count = logged_count,
    };
    for (size_t i = 0; i < c->model->graphs.count; i++)
        c->base.misses_stream |= c->model->graphs.data[i].misses_stream;
    return true;
}

/* Restores the state of the base. */
static void undo(tfp_census *c)
{
    for (size_t i = c->changes.count; i-- > 0;)
        c->members.data[c->changes.data[i].member] = c->changes.data[i].before;
    c->changes.count = 0;
    for (size_t i = c->base.members; i < c->members.count; i++)
        c->by_name[c->members.data[i].name] = TFP_NO_ID;
    c->members.count = c->base.members;
    c->clashing_nodes = c->base.clashing_nodes;
    c->clashing_input = c->base.clashing_input;
    c->misses_stream = c->base.misses_stream;
    c->placed_records = 0;
    tfp_memory_free(c->memory, c->roles);
    c->roles = NULL;
    c->role_count = 0;
}

static bool renew(tfp_census *c, tfp_model *model)
{
    uint32_t first;
    if (!find_roles(c, model) ||
        !tfp_model_find_lines_of(model, c->base.graphs, c->base.logged,
                                 c->base.logged_count, &c->watch) ||
        !reach_names(c) || !add_graphs(c, c->base.graphs))
        return false;
    if (model->steps.count >= TFP_NO_ID - c->next_step) {
        memset(c->last_step, 0xff, c->name_room * sizeof(*c->last_step));
        c->next_step = 0;
    }
    first = c->next_step;
    c->next_step += (uint32_t)model->steps.count;
    c->has_negatives = c->base.has_negatives ||
                       find_negatives(model, c->base.nodes);
    if (!find_missing_streams(c, c->base.graphs) || !count_records(c, first))
        return false;
    c->has_traces = c->base.has_traces || find_traces(c, c->base.members);
    return true;
}

int tfp_census_begin(tfp_census *c, tfp_model *model, tfp_memory *memory,
                     const tfp_cancel *cancel, tfprof_error *err)
{
    *c = (tfp_census){ .memory = memory,
                       .model = model,
                       .is_renewed = true,
                       .watch = { .cancel = cancel } };
    if (take_base(c, model))
        return TFPROF_OK;
    return c->watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
}

int tfp_census_renew(tfp_census *c, tfp_model *model, const tfp_cancel *cancel,
                     tfprof_error *err)
{
    undo(c);
    c->watch = (tfp_watch){ .cancel = cancel };
    if (renew(c, model))
        return TFPROF_OK;
    return c->watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
}

/* ---- What is known about a member --------------------------------------- */

tfp_shape tfp_member_shape(const tfp_model *model, const tfp_member *member)
{
    tfp_string key = tfp_interner_find(&model->strings, tfp_span_of("shape"));
    const tfp_attr *attr;
    if (member->is_stored)
        return model->stored.tensors
            .data[tfp_model_find_stored(model, member->name)]
            .shape;
    if (member->node == TFP_NO_NODE || key == TFP_NO_ID)
        return TFP_SHAPE_NONE;
    attr = tfp_attrs_find(model, model->nodes.attrs[member->node], key);
    return attr && attr->kind == TFP_ATTR_SHAPE ? (tfp_shape)attr->value
                                                : TFP_SHAPE_NONE;
}

tfp_stack tfp_member_trace(const tfp_model *model, const tfp_member *member)
{
    return member->noted == TFP_NO_NODE ? 0 : model->nodes.trace[member->noted];
}

bool tfp_census_has_traces(const tfp_census *c)
{
    if (c->is_renewed)
        return c->has_traces;
    for (size_t i = 0; i < c->members.count; i++) {
        if (tfp_member_trace(c->model, &c->members.data[i]) != 0)
            return true;
    }
    return false;
}

size_t tfp_member_most_types(const tfp_model *model, const tfp_member *member)
{
    size_t logged = 0;
    if (member->node != TFP_NO_NODE)
        tfp_list_items(model, model->nodes.types[member->noted], &logged);
    return logged + 2 + (model->stored.type != 0);
}

tfp_string tfp_member_stored_type(const tfp_model *model,
                                  const tfp_member *member)
{
    return tfp_model_find_stored(model, member->name) == TFP_NO_ID
               ? 0
               : model->stored.type;
}

tfp_string tfp_member_op(const tfp_model *model, const tfp_member *member)
{
    if (member->is_stored)
        return model->stored.type;
    return member->node == TFP_NO_NODE ? member->name
                                       : model->nodes.op[member->node];
}

size_t tfp_member_types(const tfp_model *model, const tfp_member *member,
                        tfp_string *types)
{
    const int64_t *logged;
    size_t count = 0, logged_count;
    if (member->node != TFP_NO_NODE) {
        logged = tfp_list_items(model, model->nodes.types[member->noted],
                                &logged_count);
        for (size_t i = 0; i < logged_count; i++)
            types[count++] = (tfp_string)logged[i];
    }
    if (tfp_member_stored_type(model, member) != 0)
        types[count++] = model->stored.type;
    if (member->from_profile) /* it lists the other two itself */
        return count;
    types[count++] = tfp_member_op(model, member);
    if (member->device != 0)
        types[count++] = member->device;
    return count;
}
