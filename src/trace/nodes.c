/*
 * nodes.c - the operations that a trace tells of, as nodes of a graph.
 */
#include "trace/nodes.h"

#include <stdio.h>

#include "base/intern.h"
#include "trace/fold.h"
#include "trace/stacks.h"

bool tfp_trace_nodes_init(tfp_trace_nodes *t, tfp_model *model,
                          tfp_memory *memory, uint64_t seed, int max_depth)
{
    *t = (tfp_trace_nodes){ .model = model, .memory = memory };
    return tfp_trace_programs_init(&t->programs, memory, seed, max_depth) &&
           tfp_interner_init(&t->frames, memory, 4, seed) &&
           tfp_interner_init(&t->named_keys, memory, 4, seed) &&
           tfp_interner_init(&t->hlo_keys, memory, 1, seed);
}

void tfp_trace_nodes_release(tfp_trace_nodes *t)
{
    tfp_trace_programs_release(&t->programs);
    TFP_VEC_RELEASE(t->memory, &t->nodes);
    TFP_VEC_RELEASE(t->memory, &t->by_name);
    TFP_VEC_RELEASE(t->memory, &t->text);
    TFP_VEC_RELEASE(t->memory, &t->frame_ids);
    TFP_VEC_RELEASE(t->memory, &t->named);
    TFP_VEC_RELEASE(t->memory, &t->hlo_nodes);
    tfp_interner_release(&t->named_keys);
    tfp_interner_release(&t->hlo_keys);
    tfp_interner_release(&t->frames);
}

/* ---- Names -------------------------------------------------------------- */

static bool put(tfp_trace_nodes *t, tfp_span part)
{
    if (!TFP_VEC_RESERVE(t->memory, &t->text, part.size))
        return false;
    if (part.size > 0)
        memcpy(t->text.data + t->text.count, part.data, part.size);
    t->text.count += part.size;
    return true;
}

static bool put_number(tfp_trace_nodes *t, const char *before, uint64_t number)
{
    char digits[32];
    snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
    return put(t, tfp_span_of(before)) && put(t, tfp_span_of(digits));
}

/* Scopes are split at slashes, and there are no empty ones at the ends. */
static tfp_span trim(tfp_span name)
{
    while (name.size > 0 && name.data[0] == '/') {
        name.data++;
        name.size--;
    }
    while (name.size > 0 && name.data[name.size - 1] == '/')
        name.size--;
    return name;
}

/* The name of an operation, which its scopes are part of. */
static bool put_scope(tfp_trace_nodes *t, tfp_span name)
{
    tfp_name_fold fold;
    tfp_span part;
    if (!t->folds_transforms)
        return put(t, name);
    fold = tfp_name_fold_begin(name);
    for (bool is_first = true; tfp_name_fold_next(&fold, &part);
         is_first = false) {
        if ((!is_first && !put(t, tfp_span_of("/"))) || !put(t, part))
            return false;
    }
    return true;
}

static uint32_t *slot_of(tfp_trace_nodes *t, tfp_string name)
{
    while (t->by_name.count <= name) {
        if (!TFP_VEC_PUSH(t->memory, &t->by_name, TFP_NO_ID))
            return NULL;
    }
    return &t->by_name.data[name];
}

/* The name in t->text: its id and the node that has it, if there is one. */
static bool look_up(tfp_trace_nodes *t, tfp_string *name, uint32_t **slot)
{
    *name = tfp_model_string(t->model,
                             (tfp_span){ t->text.data, t->text.count });
    *slot = *name == TFP_NO_ID ? NULL : slot_of(t, *name);
    return *slot != NULL;
}

static const char unknown[] = "unknown";

/* Lines and hosts may state two types for one node, and they come in any order:
 * a known type goes before an unknown one, and then the name decides. */
static bool type_precedes(tfp_span type, tfp_span other)
{
    if (type.size == 0 || tfp_span_is(type, unknown))
        return false;
    return tfp_span_is(other, unknown) || tfp_span_compare(type, other) < 0;
}

static int add_node(tfp_trace_nodes *t, tfp_trace_node node, tfp_span type,
                    uint32_t *slot, uint32_t *number, tfprof_error *err)
{
    node.op = tfp_model_string(t->model,
                               type.size > 0 ? type : tfp_span_of(unknown));
    if (node.op == TFP_NO_ID || t->nodes.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(t->memory, &t->nodes, node))
        return tfp_fail_nomem(err);
    *slot = *number = (uint32_t)t->nodes.count - 1;
    return TFPROF_OK;
}

/* The node called t->text that belongs to no program; made if it is new. */
static int plain_node(tfp_trace_nodes *t, tfp_span type, uint32_t *number,
                      tfprof_error *err)
{
    tfp_trace_node node = { .program = TFP_NO_ID, .instruction = TFP_NO_ID };
    tfp_trace_node *known;
    uint32_t *slot;
    if (!look_up(t, &node.name, &slot))
        return tfp_fail_nomem(err);
    if (*slot == TFP_NO_ID)
        return add_node(t, node, type, slot, number, err);
    *number = *slot;
    known = &t->nodes.data[*slot];
    if (type_precedes(type, tfp_model_text(t->model, known->op)))
        known->op = tfp_model_string(t->model, type);
    return known->op == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

/* The instruction of node->program that is called t->text, if it has a node:
 * *slot is then its number, else where the number belongs. */
static bool look_up_instruction(tfp_trace_nodes *t, tfp_trace_node *node,
                                uint32_t **slot)
{
    uint32_t key[2] = { 0, node->program }, item;
    node->base = tfp_model_string(t->model,
                                  (tfp_span){ t->text.data, t->text.count });
    key[0] = node->base;
    if (node->base == TFP_NO_ID || !TFP_VEC_RESERVE(t->memory, &t->named, 1))
        return false;
    item = tfp_intern(&t->named_keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return false;
    if (item > t->named.count)
        t->named.data[t->named.count++] = TFP_NO_ID;
    *slot = &t->named.data[item - 1];
    return true;
}

/* The node called t->text of an instruction; made of `node` if it is new. Its
 * name follows from tfp_trace_name_nodes(). `instruction` is its name in the
 * program. */
static int program_node(tfp_trace_nodes *t, tfp_trace_node node, tfp_span type,
                        tfp_span instruction, uint32_t *number,
                        tfprof_error *err)
{
    uint32_t *slot;
    if (!look_up_instruction(t, &node, &slot))
        return tfp_fail_nomem(err);
    *number = *slot;
    if (*slot != TFP_NO_ID)
        return TFPROF_OK;
    tfp_trace_program_names(&t->programs, node.program, instruction);
    return add_node(t, node, type, slot, number, err);
}

int tfp_trace_name_nodes(tfp_trace_nodes *t, tfprof_error *err)
{
    for (size_t i = 0; i < t->nodes.count; i++) {
        tfp_trace_node *node = &t->nodes.data[i];
        uint32_t key, *slot;
        int status;
        node->first = (uint32_t)i;
        if (node->program == TFP_NO_ID)
            continue;
        status = tfp_trace_program_key(&t->programs, t->model, node->program,
                                       &key, err);
        if (status != TFPROF_OK)
            return status;
        node->name = tfp_model_instruction(
            t->model, (tfp_program_node){ .base = node->base,
                                          .shape = node->shape,
                                          .program = key });
        slot = node->name == TFP_NO_ID ? NULL : slot_of(t, node->name);
        if (!slot)
            return tfp_fail_nomem(err);
        if (*slot == TFP_NO_ID)
            *slot = (uint32_t)i;
        node->first = *slot;
    }
    return TFPROF_OK;
}

/* ---- Calls -------------------------------------------------------------- */

/* The number goes on from trace to trace, so that no two of them share a node
 * by name although their stacks differ. */
int tfp_trace_call_node(tfp_trace_nodes *t, tfp_span name, tfp_stack stack,
                        uint32_t *number, tfprof_error *err)
{
    tfp_trace_node node = { .program = TFP_NO_ID,
                            .instruction = TFP_NO_ID,
                            .trace = stack };
    uint64_t known = t->model->nodes.count + t->nodes.count;
    uint32_t *slot;
    t->text.count = 0;
    if (!put(t, name) || !put_number(t, "#", known + 1) ||
        !look_up(t, &node.name, &slot))
        return tfp_fail_nomem(err);
    return add_node(t, node, tfp_span_of("PythonCall"), slot, number, err);
}

/* ---- Instructions ------------------------------------------------------- */

/* An opcode, or which kind of fusion it is, in one word. */
static bool put_type(tfp_trace_nodes *t, const tfp_hlo_program *hlo,
                     const tfp_hlo_instruction *instruction)
{
    tfp_span opcode = tfp_hlo_text(hlo, instruction->opcode);
    t->text.count = 0;
    if (!put(t, tfp_span_is(opcode, "fusion")
                    ? tfp_hlo_category(hlo, instruction)
                    : opcode))
        return false;
    for (size_t i = 0; i < t->text.count; i++) {
        if (t->text.data[i] == ' ')
            t->text.data[i] = '_';
    }
    return true;
}

/* The arrays of the result, each as its dimensions. */
static bool put_shapes(tfp_trace_nodes *t, const tfp_hlo_program *hlo,
                       const tfp_hlo_instruction *instruction)
{
    t->text.count = 0;
    for (uint32_t i = 0; i < instruction->shape_count; i++) {
        const tfp_hlo_shape *shape = &hlo->shapes.data[instruction->shapes + i];
        if ((i > 0 && !put(t, tfp_span_of("|"))) ||
            (shape->rank == 0 && !put(t, tfp_span_of("scalar"))))
            return false;
        for (uint32_t d = 0; d < shape->rank; d++) {
            if (!put_number(t, d > 0 ? "x" : "",
                            (uint64_t)hlo->numbers.data[shape->dims + d]))
                return false;
        }
    }
    return true;
}

static int instruction_node(tfp_trace_nodes *t, uint32_t program,
                            tfp_hlo_instruction *instruction, uint32_t *number,
                            tfprof_error *err)
{
    tfp_hlo_program *hlo = &t->programs.all.data[program]->hlo;
    tfp_trace_node node = { .program = program };
    tfp_span scope = trim(tfp_hlo_text(hlo, instruction->op_name));
    tfp_string type;
    int status;
    node.instruction = (uint32_t)(instruction - hlo->instructions.data);
    node.is_counted = instruction->flops != TFP_HLO_UNCOUNTED;
    if (node.is_counted)
        node.float_ops = instruction->flops;
    status = tfp_trace_stack_of(t, hlo, instruction, &node.trace, err);
    if (status != TFPROF_OK)
        return status;
    if (!put_shapes(t, hlo, instruction))
        return tfp_fail_nomem(err);
    node.shape = tfp_model_string(t->model,
                                  (tfp_span){ t->text.data, t->text.count });
    if (node.shape == TFP_NO_ID || !put_type(t, hlo, instruction))
        return tfp_fail_nomem(err);
    type = tfp_model_string(t->model,
                            (tfp_span){ t->text.data, t->text.count });
    if (scope.size == 0)
        scope = tfp_hlo_text(hlo, hlo->name);
    t->text.count = 0;
    if (type == TFP_NO_ID || !put_scope(t, scope) ||
        !put(t, tfp_span_of("/")) ||
        !put(t, tfp_hlo_text(hlo, instruction->name)))
        return tfp_fail_nomem(err);
    status = program_node(t, node, tfp_model_text(t->model, type),
                          tfp_hlo_text(hlo, instruction->name), number, err);
    if (status == TFPROF_OK)
        instruction->node = *number;
    return status;
}

/* "a::b" is b, inside of a. */
static tfp_span last_part(tfp_span name)
{
    for (size_t i = name.size; i >= 2; i--) {
        if (name.data[i - 1] == ':' && name.data[i - 2] == ':')
            return (tfp_span){ name.data + i, name.size - i };
    }
    return name;
}

int tfp_trace_find_instruction(tfp_trace_nodes *t, uint64_t id, tfp_span name,
                               uint32_t *program,
                               tfp_hlo_instruction **instruction,
                               tfprof_error *err)
{
    const tfp_trace_program *p;
    int status;
    *instruction = NULL;
    status = tfp_trace_program_find(&t->programs, id, program, err);
    if (status != TFPROF_OK || *program == TFP_NO_ID)
        return status;
    p = t->programs.all.data[*program];
    name = last_part(name);
    /* Looking up a name takes time in proportion to it. */
    if (tfp_trace_program_has_hlo(p) && name.size <= p->bytes.size)
        *instruction = tfp_hlo_find(&p->hlo, name);
    return status;
}

/* The bytes of an event do not last until programs get their keys, so the model
 * keeps the name of the module. TFP_NO_ID when out of memory. */
static uint32_t bare_program(tfp_trace_nodes *t, uint64_t id, tfp_span module)
{
    tfp_string name = tfp_model_string(t->model, module);
    return name == TFP_NO_ID
               ? TFP_NO_ID
               : tfp_trace_program_add_bare(&t->programs, id,
                                            tfp_model_text(t->model, name));
}

static int hlo_node(tfp_trace_nodes *t, uint64_t id, tfp_span name,
                    tfp_span module, uint32_t *number, tfprof_error *err)
{
    tfp_trace_node node = { .instruction = TFP_NO_ID };
    tfp_hlo_instruction *instruction;
    uint32_t program;
    int status = tfp_trace_find_instruction(t, id, name, &program, &instruction,
                                            err);
    if (status != TFPROF_OK)
        return status;
    if (instruction && instruction->node != TFP_NO_NODE) {
        *number = instruction->node;
        return TFPROF_OK;
    }
    if (instruction)
        return instruction_node(t, program, instruction, number, err);
    if (program != TFP_NO_ID)
        t->unknown_instructions += !t->programs.all.data[program]->is_damaged;
    module = trim(module);
    node.program = program != TFP_NO_ID ? program : bare_program(t, id, module);
    if (node.program == TFP_NO_ID)
        return tfp_fail_nomem(err);
    name = last_part(name);
    t->text.count = 0;
    if (!put(t, module.size > 0
                    ? tfp_module_name(module)
                    : tfp_trace_program_module(&t->programs, node.program)) ||
        !put(t, tfp_span_of("/")) || !put(t, name))
        return tfp_fail_nomem(err);
    return program_node(t, node, (tfp_span){ 0 }, name, number, err);
}

/* How an event names its instruction. Text inside the event is part of the
 * file's size, so reading it is linear. A referenced text may be long and occur
 * in many events, so it must not be read again for each of them. */
typedef struct hlo_ref {
    tfp_stat_type *name;         /* NULL for text in the event */
    const tfp_stat_type *module; /* the same, or for none */
    int64_t program;
} hlo_ref;

/* {name, module, program}: what leads to the same node. At most one of the
 * first two is a text. */
static uint32_t hlo_key(tfp_trace_nodes *t, const hlo_ref *ref, tfp_span name,
                        tfp_span module)
{
    uintptr_t parts[] = { (uintptr_t)ref->name, (uintptr_t)ref->module };
    t->text.count = 0;
    if (!put(t, (tfp_span){ (const uint8_t *)parts, sizeof(parts) }) ||
        !put(t, (tfp_span){ (const uint8_t *)&ref->program,
                            sizeof(ref->program) }) ||
        (!ref->name && !put(t, name)) || (!ref->module && !put(t, module)) ||
        !TFP_VEC_RESERVE(t->memory, &t->hlo_nodes, 1))
        return TFP_NO_ID;
    return tfp_intern(&t->hlo_keys, (tfp_span){ t->text.data, t->text.count });
}

/* The reference knows the last node that it led to, the keys know all. */
int tfp_trace_event_node(tfp_trace_nodes *t, const tfp_stats *stats,
                         int64_t program, tfp_span name, uint32_t *number,
                         tfprof_error *err)
{
    tfp_span module = tfp_stats_text(stats, TFP_KNOWN_HLO_MODULE);
    hlo_ref ref = { tfp_stats_ref(stats, TFP_KNOWN_HLO_OP),
                    tfp_stats_ref(stats, TFP_KNOWN_HLO_MODULE), program };
    bool is_short = ref.name && (ref.module || module.size == 0);
    uint32_t item;
    int status;
    if (!ref.name && !ref.module)
        return hlo_node(t, (uint64_t)program, name, module, number, err);
    if (is_short && ref.name->node != TFP_NO_NODE &&
        ref.name->program == program && ref.name->module == ref.module) {
        *number = ref.name->node;
        return TFPROF_OK;
    }
    item = hlo_key(t, &ref, name, module);
    if (item == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (item > t->hlo_nodes.count) {
        status = hlo_node(t, (uint64_t)program, name, module, number, err);
        if (status != TFPROF_OK)
            return status;
        t->hlo_nodes.data[t->hlo_nodes.count++] = *number;
    }
    *number = t->hlo_nodes.data[item - 1];
    if (is_short) {
        ref.name->node = *number;
        ref.name->program = program;
        ref.name->module = ref.module;
    }
    return TFPROF_OK;
}

/* ---- Others ------------------------------------------------------------- */

/* "Iterator::Map::Range" as scopes. */
static void split_data_name(tfp_trace_nodes *t)
{
    size_t to = 0;
    for (size_t i = 0; i < t->text.count; i++, to++) {
        bool pair = i + 1 < t->text.count && t->text.data[i] == ':' &&
                    t->text.data[i + 1] == ':';
        t->text.data[to] = pair ? '/' : t->text.data[i];
        i += pair;
    }
    t->text.count = to;
}

int tfp_trace_op_node(tfp_trace_nodes *t, const tfp_op_name *op,
                      uint32_t *number, tfprof_error *err)
{
    t->text.count = 0;
    if (!put_scope(t, trim(op->name)))
        return tfp_fail_nomem(err);
    if (op->sort == TFP_NAMED_DATA)
        split_data_name(t);
    return plain_node(t, op->type, number, err);
}

/* A kernel's name goes up to its arguments, and is no path. */
static tfp_span short_kernel(tfp_span name)
{
    enum { MOST = 60 };
    size_t size = 0;
    while (size < name.size && size < MOST && name.data[size] != '(' &&
           name.data[size] != '<')
        size++;
    while (size > 0 && size < name.size && (name.data[size] & 0xc0) == 0x80)
        size--; /* not in the middle of a character */
    return (tfp_span){ name.data, size };
}

int tfp_trace_other_node(tfp_trace_nodes *t, tfp_span name, uint32_t *number,
                         tfprof_error *err)
{
    static const char scope[] = "(no op)/";
    tfp_span kernel = short_kernel(name);
    t->text.count = 0;
    if (!put(t, tfp_span_of(scope)) || !put(t, kernel))
        return tfp_fail_nomem(err);
    for (size_t i = sizeof(scope) - 1; i < t->text.count; i++) {
        if (t->text.data[i] == '/')
            t->text.data[i] = ':';
    }
    return plain_node(t, tfp_span_of("kernel"), number, err);
}

/* The operation of the framework without its type: "op_name:type". */
static tfp_span scope_of(tfp_span tf_op)
{
    for (size_t i = tf_op.size; i > 0; i--) {
        if (tf_op.data[i - 1] == ':') {
            tf_op.size = i - 1;
            break;
        }
    }
    return trim(tf_op);
}

int tfp_trace_tpu_node(tfp_trace_nodes *t, const tfp_event_type *type,
                       const tfp_stats *stats, uint32_t *number,
                       tfprof_error *err)
{
    tfp_trace_node node = { .instruction = TFP_NO_ID };
    tfp_span scope = scope_of(tfp_stats_text(stats, TFP_KNOWN_TF_OP));
    tfp_span name = type->display_name.size > 0 ? type->display_name
                                                : type->name;
    int64_t program = 0;
    uint32_t *slot;
    int status;
    (void)tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &program);
    status = tfp_trace_program_find(&t->programs, (uint64_t)program,
                                    &node.program, err);
    if (status != TFPROF_OK)
        return status;
    if (node.program == TFP_NO_ID)
        node.program = tfp_trace_program_add_bare(
            &t->programs, (uint64_t)program, (tfp_span){ 0 });
    t->text.count = 0;
    if (node.program == TFP_NO_ID ||
        !(scope.size > 0
              ? put_scope(t, scope)
              : put(t, tfp_trace_program_module(&t->programs, node.program))) ||
        !put(t, tfp_span_of("/")) || !put(t, name) ||
        !look_up_instruction(t, &node, &slot))
        return tfp_fail_nomem(err);
    /* Each TPU has event types of its own for the same program: one node. */
    *number = *slot;
    if (*slot != TFP_NO_ID)
        return TFPROF_OK;
    tfp_trace_program_names(&t->programs, node.program, name);
    node.is_counted = tfp_stats_number(stats, TFP_KNOWN_FLOPS, &node.float_ops);
    (void)tfp_stats_number(stats, TFP_KNOWN_BYTES_ACCESSED, &node.bytes);
    status = tfp_trace_stack_of_stats(t, stats, &node.trace, err);
    if (status == TFPROF_OK)
        status = add_node(t, node, tfp_stats_text(stats, TFP_KNOWN_CATEGORY),
                          slot, number, err);
    return status;
}

/* ---- The graph ---------------------------------------------------------- */

typedef struct edge_maker {
    tfp_trace_nodes *t;
    uint32_t graph;
} edge_maker;

static int add_edge(void *self, const tfp_hlo_instruction *source,
                    tfprof_error *err)
{
    edge_maker *m = self;
    tfp_edge edge = { .source = m->t->nodes.data[source->node].name };
    return tfp_graph_add_edge(m->t->model, m->graph, edge)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

/* Are all nodes of the model from traces? Then hosts of one run, which have the
 * same nodes, share them. */
static bool has_only_traces(const tfp_model *model)
{
    for (size_t i = 0; i < model->graphs.count; i++) {
        if (model->graphs.data[i].kind != TFP_GRAPH_TRACE)
            return false;
    }
    return true;
}

static int add_to_graph(tfp_trace_nodes *t, uint32_t graph,
                        const tfp_trace_node *from, tfprof_error *err)
{
    tfp_nodes *nodes = &t->model->nodes;
    tfp_node_facts facts = { .name = from->name, .op = from->op };
    edge_maker maker = { t, graph };
    tfp_hlo_program *hlo;
    tfp_node node;
    if (!tfp_graph_add_node(t->model, graph, &facts, &node))
        return tfp_fail_nomem(err);
    if (node == TFP_NO_NODE)
        return TFPROF_OK;
    nodes->trace[node] = from->trace;
    nodes->float_ops[node] = from->float_ops;
    if (from->instruction == TFP_NO_ID)
        return TFPROF_OK;
    hlo = &t->programs.all.data[from->program]->hlo;
    return tfp_hlo_sources(hlo, &hlo->instructions.data[from->instruction],
                           add_edge, &maker, NULL, err);
}

/* A node that another trace has, too. */
static void join_node(tfp_model *model, tfp_node known,
                      const tfp_trace_node *more)
{
    tfp_string *op = &model->nodes.op[known];
    if (*op != more->op && type_precedes(tfp_model_text(model, more->op),
                                         tfp_model_text(model, *op)))
        *op = more->op;
}

int tfp_trace_add_graph(tfp_trace_nodes *t, tfprof_error *err)
{
    tfp_link_counts counts = { 0 };
    bool shares = has_only_traces(t->model);
    int status = TFPROF_OK;
    uint32_t graph;
    if (t->nodes.count == 0)
        return TFPROF_OK;
    graph = tfp_model_open_graph(t->model, TFP_GRAPH_TRACE, 0, TFP_NO_ID);
    if (graph == TFP_NO_ID)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < t->nodes.count && status == TFPROF_OK; i++) {
        const tfp_trace_node *node = &t->nodes.data[i];
        tfp_node known = shares ? tfp_model_find_node(t->model, node->name)
                                : TFP_NO_NODE;
        if (known == TFP_NO_NODE)
            status = add_to_graph(t, graph, node, err);
        else
            join_node(t->model, known, node);
    }
    if (!tfp_model_close_graph(t->model, graph, NULL, &counts))
        return tfp_fail_nomem(err);
    return status;
}
