/*
 * nodes.c - the operations that a trace tells of, as nodes of a graph.
 */
#include "trace/nodes.h"

#include "trace/fold.h"

#include "base/intern.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "trace/hlo_flops.h"

bool tfp_trace_nodes_init(tfp_trace_nodes *t, tfp_model *model,
                          tfp_memory *memory, uint64_t seed, int max_depth)
{
    *t = (tfp_trace_nodes){ .model = model,
                            .memory = memory,
                            .max_depth = max_depth };
    tfp_id_map_init(&t->program_ids, memory, seed);
    return tfp_interner_init(&t->frames, memory, 4, seed) &&
           tfp_interner_init(&t->tpu_keys, memory, 1, seed) &&
           tfp_interner_init(&t->hlo_keys, memory, 1, seed);
}

void tfp_trace_nodes_release(tfp_trace_nodes *t)
{
    for (size_t i = 0; i < t->programs.count; i++) {
        tfp_trace_program *program = t->programs.data[i];
        if (program->is_read && !program->is_damaged)
            tfp_hlo_release(&program->hlo);
        tfp_memory_free(t->memory, program);
    }
    TFP_VEC_RELEASE(t->memory, &t->programs);
    TFP_VEC_RELEASE(t->memory, &t->nodes);
    TFP_VEC_RELEASE(t->memory, &t->by_name);
    TFP_VEC_RELEASE(t->memory, &t->text);
    TFP_VEC_RELEASE(t->memory, &t->frame_ids);
    TFP_VEC_RELEASE(t->memory, &t->tpu_nodes);
    TFP_VEC_RELEASE(t->memory, &t->hlo_nodes);
    tfp_interner_release(&t->tpu_keys);
    tfp_interner_release(&t->hlo_keys);
    tfp_id_map_release(&t->program_ids);
    tfp_interner_release(&t->frames);
}

/* ---- Programs ----------------------------------------------------------- */

/* The number in brackets at the end of "jit_f(17)": libtpu 0.0.37 has wrong
 * numbers everywhere else. */
static bool number_in_name(tfp_span name, uint64_t *number)
{
    size_t at = name.size;
    uint64_t value = 0, scale = 1;
    if (at == 0 || name.data[at - 1] != ')')
        return false;
    for (at--; at > 0 && name.data[at - 1] >= '0' && name.data[at - 1] <= '9';
         at--) {
        value += scale * (uint64_t)(name.data[at - 1] - '0');
        scale *= 10;
    }
    *number = value;
    return scale > 1 && at > 0 && name.data[at - 1] == '(';
}

static int add_program(tfp_trace_nodes *t, const tfp_event_type *type,
                       tfp_span bytes, const tfp_stats *stats,
                       tfprof_error *err)
{
    tfp_trace_program *program;
    uint64_t id = (uint64_t)type->id;
    int64_t stated;
    (void)number_in_name(type->name, &id);
    if (tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &stated))
        id = (uint64_t)stated;
    if (tfp_id_map_find(&t->program_ids, (int64_t)id) != TFP_NO_ID)
        return TFPROF_OK; /* the first stands */
    program = tfp_memory_zalloc(t->memory, sizeof(*program));
    if (!program)
        return tfp_fail_nomem(err);
    program->bytes = bytes;
    program->name = type->name;
    if (t->programs.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(t->memory, &t->programs, program)) {
        tfp_memory_free(t->memory, program);
        return tfp_fail_nomem(err);
    }
    return tfp_id_map_put(&t->program_ids, (int64_t)id,
                          (uint32_t)t->programs.count - 1)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

int tfp_trace_add_programs(tfp_trace_nodes *t, const tfp_plane *plane,
                           tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < plane->event_types.count && status == TFPROF_OK;
         i++) {
        const tfp_event_type *type = &plane->event_types.data[i];
        tfp_stats stats;
        tfp_span bytes;
        tfp_stats_of_type(&stats, plane, type);
        bytes = tfp_stats_bytes(&stats, TFP_KNOWN_HLO_PROTO);
        if (bytes.size == 0)
            bytes = tfp_stats_bytes(&stats, TFP_KNOWN_HLO_PROTO_LIBTPU);
        if (bytes.size > 0)
            status = add_program(t, type, bytes, &stats, err);
    }
    return status;
}

/* Reads a program when the first event needs it. Only memory that ran out is a
 * failure: what a damaged program says is not known, and that is noted. */
static int read_program(tfp_trace_nodes *t, tfp_trace_program *program,
                        tfprof_error *err)
{
    tfprof_error why = { 0 };
    int status;
    if (program->is_read)
        return TFPROF_OK;
    program->is_read = true;
    status = tfp_hlo_read(&program->hlo, t->memory, program->bytes,
                          t->max_depth, &why);
    program->is_damaged = status != TFPROF_OK;
    if (status == TFPROF_ERR_NOMEM)
        return tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        return tfp_hlo_count_flops(&program->hlo, err);
    if (program->is_damaged && t->damaged_programs++ == 0) {
        t->damaged_name = program->name;
        t->damage = why;
    }
    return TFPROF_OK;
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

static int add_node(tfp_trace_nodes *t, tfp_trace_node node, tfp_span type,
                    uint32_t *slot, uint32_t *number, tfprof_error *err)
{
    static const char unknown[] = "unknown";
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
    tfp_trace_node node = { .program = TFP_NO_ID };
    uint32_t *slot;
    if (!look_up(t, &node.name, &slot))
        return tfp_fail_nomem(err);
    *number = *slot;
    return *slot != TFP_NO_ID ? TFPROF_OK
                              : add_node(t, node, type, slot, number, err);
}

/* A new node called t->text, or t->text#2 and so on if that is taken. */
static int new_node(tfp_trace_nodes *t, tfp_trace_node node, tfp_span type,
                    uint32_t *number, tfprof_error *err)
{
    size_t size = t->text.count;
    uint32_t first = TFP_NO_ID, *slot;
    for (;;) {
        if (!look_up(t, &node.name, &slot))
            return tfp_fail_nomem(err);
        if (*slot == TFP_NO_ID)
            return add_node(t, node, type, slot, number, err);
        if (first == TFP_NO_ID)
            first = *slot;
        t->text.count = size;
        if (!put_number(t, "#", ++t->nodes.data[first].copies + 1))
            return tfp_fail_nomem(err);
    }
}

/* ---- Source ------------------------------------------------------------- */

int tfp_trace_add_frame(tfp_trace_nodes *t, const tfp_source_place *place,
                        tfp_stack *stack, tfprof_error *err)
{
    tfp_frame frame = { .file = tfp_model_string(t->model, place->file),
                        .function = tfp_model_string(t->model, place->function),
                        .line = place->line,
                        .is_bare = place->is_bare };
    uint32_t item, index;
    if (frame.file == TFP_NO_ID || frame.function == TFP_NO_ID ||
        !TFP_VEC_RESERVE(t->memory, &t->frame_ids, 1))
        return tfp_fail_nomem(err);
    item = tfp_intern(&t->frames,
                      (tfp_span){ (const uint8_t *)&frame, sizeof(frame) });
    if (item == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (item > t->frame_ids.count) {
        index = tfp_model_add_frame(t->model, frame);
        if (index == TFP_NO_ID)
            return tfp_fail_nomem(err);
        t->frame_ids.data[t->frame_ids.count++] = index;
    }
    *stack = tfp_model_stack(t->model, *stack, t->frame_ids.data[item - 1]);
    return *stack == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

static int add_frame(tfp_trace_nodes *t, tfp_span file, tfp_span function,
                     int32_t line, tfp_stack *stack, tfprof_error *err)
{
    tfp_source_place place = { .file = file,
                               .function = function,
                               .line = line };
    return tfp_trace_add_frame(t, &place, stack, err);
}

/* The number goes on from trace to trace, so that no two of them share a node
 * by name although their stacks differ. */
int tfp_trace_call_node(tfp_trace_nodes *t, tfp_span name, tfp_stack stack,
                        uint32_t *number, tfprof_error *err)
{
    tfp_trace_node node = { .program = TFP_NO_ID, .trace = stack };
    uint64_t known = t->model->nodes.count + t->nodes.count;
    t->text.count = 0;
    if (!put(t, name) || !put_number(t, "#", known + 1))
        return tfp_fail_nomem(err);
    return new_node(t, node, tfp_span_of("PythonCall"), number, err);
}

static bool has_source(const tfp_hlo_instruction *instruction)
{
    return instruction->frame > 0 || instruction->source_file != 0;
}

/* The instruction that gives the source line of `instruction`. A fusion of code
 * from several lines has no line of its own. It uses that of the first inner
 * instruction that has one, among the first MOST_SEARCHED. */
static const tfp_hlo_instruction *source_of(
    const tfp_hlo_program *hlo, const tfp_hlo_instruction *instruction)
{
    enum { MOST_SEARCHED = 256 };
    uint32_t called = instruction->called_count > 0
                          ? hlo->links.data[instruction->called]
                          : TFP_NO_ID;
    if (has_source(instruction) || called == TFP_NO_ID ||
        !tfp_span_is(tfp_hlo_text(hlo, instruction->opcode), "fusion"))
        return instruction;
    for (uint32_t i = 0;
         i < hlo->computations.data[called].count && i < MOST_SEARCHED; i++) {
        const tfp_hlo_instruction *inner =
            &hlo->instructions.data[hlo->computations.data[called].first + i];
        if (has_source(inner))
            return inner;
    }
    return instruction;
}

/* Frames come innermost first, stacks are built from the outermost. */
static int stack_of(tfp_trace_nodes *t, const tfp_hlo_program *hlo,
                    const tfp_hlo_instruction *instruction, tfp_stack *stack,
                    tfprof_error *err)
{
    const tfp_hlo_frame *frames[TFP_HLO_MOST_FRAMES];
    tfp_hlo_stack walk = tfp_hlo_stack_of(instruction);
    size_t count = 0;
    int status = TFPROF_OK;
    *stack = 0;
    while (count < TFP_HLO_MOST_FRAMES &&
           (frames[count] = tfp_hlo_stack_next(hlo, &walk)) != NULL)
        count++;
    if (count == 0 && instruction->source_file != 0)
        return add_frame(t, tfp_hlo_text(hlo, instruction->source_file),
                         (tfp_span){ 0 }, instruction->source_line, stack, err);
    while (count > 0 && status == TFPROF_OK) {
        const tfp_hlo_frame *frame = frames[--count];
        status = add_frame(t, tfp_hlo_text(hlo, frame->file),
                           tfp_hlo_text(hlo, frame->function), frame->line,
                           stack, err);
    }
    return status;
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

static int instruction_node(tfp_trace_nodes *t, uint32_t program,
                            tfp_hlo_instruction *instruction, uint32_t *number,
                            tfprof_error *err)
{
    tfp_trace_program *p = t->programs.data[program];
    tfp_hlo_program *hlo = &p->hlo;
    tfp_trace_node node = { .program = program };
    tfp_span scope = trim(tfp_hlo_text(hlo, instruction->op_name));
    tfp_string type;
    int status;
    node.instruction = (uint32_t)(instruction - hlo->instructions.data);
    node.is_counted = instruction->flops != TFP_HLO_UNCOUNTED;
    if (node.is_counted)
        node.float_ops = instruction->flops;
    status = stack_of(t, hlo, source_of(hlo, instruction), &node.trace, err);
    if (status != TFPROF_OK)
        return status;
    if (!put_type(t, hlo, instruction))
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
    status = new_node(t, node, tfp_model_text(t->model, type), number, err);
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
    tfp_trace_program *p;
    int status;
    *instruction = NULL;
    *program = tfp_id_map_find(&t->program_ids, (int64_t)id);
    if (*program == TFP_NO_ID)
        return TFPROF_OK;
    p = t->programs.data[*program];
    status = read_program(t, p, err);
    name = last_part(name);
    /* Looking up a name takes time in proportion to it. */
    if (status == TFPROF_OK && !p->is_damaged && name.size <= p->bytes.size)
        *instruction = tfp_hlo_find(&p->hlo, name);
    return status;
}

static int hlo_node(tfp_trace_nodes *t, uint64_t id, tfp_span name,
                    tfp_span module, uint32_t *number, tfprof_error *err)
{
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
        t->unknown_instructions += !t->programs.data[program]->is_damaged;
    name = last_part(name);
    t->text.count = 0;
    module = trim(module);
    if (!(module.size > 0 ? put(t, module) : put_number(t, "program_", id)) ||
        !put(t, tfp_span_of("/")) || !put(t, name))
        return tfp_fail_nomem(err);
    return plain_node(t, (tfp_span){ 0 }, number, err);
}

/* How an event names its instruction. Text inside the event is part of the
 * file's size, so reading it is linear. A referenced text may be long and occur
 * in many events, so it must not be read again for each of them. */
typedef struct hlo_ref {
    tfp_stat_type *name;
    const tfp_stat_type *module; /* NULL for none, or for text in the event */
    int64_t program;
} hlo_ref;

/* {reference, module, program}: what leads to the same node. */
static uint32_t hlo_key(tfp_trace_nodes *t, const hlo_ref *ref, tfp_span module)
{
    uintptr_t parts[] = { (uintptr_t)ref->name, (uintptr_t)ref->module };
    t->text.count = 0;
    if (!put(t, (tfp_span){ (const uint8_t *)parts, sizeof(parts) }) ||
        !put(t, (tfp_span){ (const uint8_t *)&ref->program,
                            sizeof(ref->program) }) ||
        (!ref->module && !put(t, module)) ||
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
    bool is_short = ref.module || module.size == 0;
    uint32_t item;
    int status;
    if (!ref.name)
        return hlo_node(t, (uint64_t)program, name, module, number, err);
    if (is_short && ref.name->node != TFP_NO_NODE &&
        ref.name->program == program && ref.name->module == ref.module) {
        *number = ref.name->node;
        return TFPROF_OK;
    }
    item = hlo_key(t, &ref, module);
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

/* "file.py:12:5" or "file.py:12": cut at the last colons, since a path may
 * have one, too. A line that is no line is unknown. */
static bool split_place(tfp_span text, tfp_span *file, int32_t *line)
{
    int64_t numbers[2] = { 0, 0 };
    int found = 0;
    while (found < 2) {
        size_t at = text.size;
        int64_t value = 0, scale = 1;
        while (at > 0 && text.data[at - 1] >= '0' && text.data[at - 1] <= '9') {
            value = tfp_add_sat(value,
                                tfp_mul_sat(scale, text.data[at - 1] - '0'));
            scale = tfp_mul_sat(scale, 10);
            at--;
        }
        if (at == text.size || at < 2 || text.data[at - 1] != ':')
            break;
        numbers[found++] = value;
        text.size = at - 1;
    }
    *file = text;
    *line = 0;
    if (found > 0 && numbers[found - 1] <= INT32_MAX)
        *line = (int32_t)numbers[found - 1];
    return found > 0 && text.size > 0;
}

/* Lines of a source stack, outermost first. */
static int stack_of_text(tfp_trace_nodes *t, tfp_span text, tfp_stack *stack,
                         tfprof_error *err)
{
    int status = TFPROF_OK;
    size_t frames = 0;
    while (text.size > 0 && status == TFPROF_OK &&
           frames < TFP_HLO_MOST_FRAMES) {
        const uint8_t *end = memchr(text.data, '\n', text.size);
        tfp_span one = { text.data,
                         end ? (size_t)(end - text.data) : text.size };
        tfp_span file;
        int32_t line;
        if (split_place(one, &file, &line)) {
            status = add_frame(t, file, (tfp_span){ 0 }, line, stack, err);
            frames++;
        }
        text.data += one.size + (end != NULL);
        text.size -= one.size + (end != NULL);
    }
    return status;
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

/* Each TPU has event types of its own for the same program: one node. */
static bool find_tpu_node(tfp_trace_nodes *t, int64_t program, uint32_t *item)
{
    tfp_span number = { (const uint8_t *)&program, sizeof(program) };
    size_t size = t->text.count;
    if (!put(t, number) || !TFP_VEC_RESERVE(t->memory, &t->tpu_nodes, 1))
        return false;
    *item = tfp_intern(&t->tpu_keys, (tfp_span){ t->text.data, t->text.count });
    t->text.count = size;
    return *item != TFP_NO_ID;
}

int tfp_trace_tpu_node(tfp_trace_nodes *t, const tfp_event_type *type,
                       const tfp_stats *stats, uint32_t *number,
                       tfprof_error *err)
{
    tfp_trace_node node = { .program = TFP_NO_ID };
    tfp_span scope = scope_of(tfp_stats_text(stats, TFP_KNOWN_TF_OP));
    tfp_span stack = tfp_stats_text(stats, TFP_KNOWN_SOURCE_STACK);
    int64_t program = 0;
    uint32_t item;
    int status;
    (void)tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &program);
    t->text.count = 0;
    if (!(scope.size > 0 ? put_scope(t, scope)
                         : put_number(t, "program_", (uint64_t)program)) ||
        !put(t, tfp_span_of("/")) ||
        !put(t,
             type->display_name.size > 0 ? type->display_name : type->name) ||
        !find_tpu_node(t, program, &item))
        return tfp_fail_nomem(err);
    if (item <= t->tpu_nodes.count) {
        *number = t->tpu_nodes.data[item - 1];
        return TFPROF_OK;
    }
    node.is_counted = tfp_stats_number(stats, TFP_KNOWN_FLOPS, &node.float_ops);
    (void)tfp_stats_number(stats, TFP_KNOWN_BYTES_ACCESSED, &node.bytes);
    status = stack_of_text(
        t, stack.size > 0 ? stack : tfp_stats_text(stats, TFP_KNOWN_SOURCE),
        &node.trace, err);
    if (status == TFPROF_OK)
        status = new_node(t, node, tfp_stats_text(stats, TFP_KNOWN_CATEGORY),
                          number, err);
    if (status == TFPROF_OK)
        t->tpu_nodes.data[t->tpu_nodes.count++] = *number;
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
    if (from->program == TFP_NO_ID)
        return TFPROF_OK;
    hlo = &t->programs.data[from->program]->hlo;
    return tfp_hlo_sources(hlo, &hlo->instructions.data[from->instruction],
                           add_edge, &maker, NULL, err);
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
        if (!shares || tfp_model_find_node(t->model, node->name) == TFP_NO_NODE)
            status = add_to_graph(t, graph, node, err);
    }
    if (!tfp_model_close_graph(t->model, graph, NULL, &counts))
        return tfp_fail_nomem(err);
    return status;
}
