/*
 * snapshot.c - the rows of a view, copied so that two models can be compared.
 */
#include "compare/snapshot.h"

#include <stdio.h>
#include <string.h>

#include "base/cancel.h"
#include "model/attrs.h"
#include "model/census.h"
#include "model/model.h"
#include "model/programs.h"
#include "model/times.h"

/* Many nodes have few shapes. */
enum { SHAPES = 256 };

typedef struct shape_entry {
    tfp_shape shape;
    tfp_list outputs;
    uint32_t text;
} shape_entry;

/* Many nodes have few operation types. */
enum { TYPES = 256 };

typedef struct type_entry {
    tfp_string op;
    uint32_t text; /* 0: the entry is free */
} type_entry;

typedef struct taker {
    tfp_snapshot *snapshot;
    const tfp_view *view;
    tfp_interner *texts;
    uint32_t wanted;
    bool nests;
    uint32_t *last; /* by level: the last row */
    tfp_snapshot_name text;
    shape_entry shapes[SHAPES]; /* texts of shapes that were seen lately */
    type_entry types[TYPES];    /* texts of operation types */
    bool failed;
} taker;

/* ---- Text --------------------------------------------------------------- */

static void put(taker *t, tfp_span text)
{
    tfp_memory *memory = t->snapshot->memory;
    if (!TFP_VEC_RESERVE(memory, &t->text, text.size)) {
        t->failed = true;
        return;
    }
    if (text.size > 0)
        memcpy(t->text.data + t->text.count, text.data, text.size);
    t->text.count += text.size;
}

static uint32_t intern(taker *t, tfp_span text)
{
    uint32_t id = tfp_intern(t->texts, text);
    t->failed |= id == TFP_NO_ID;
    return id;
}

static uint32_t intern_text(taker *t)
{
    return intern(t, (tfp_span){ t->text.data, t->text.count });
}

/* The part of a name that the parent, a row of the snapshot, does not have. */
static tfp_span own_part(const taker *t, tfp_span name, uint32_t parent)
{
    size_t skipped;
    if (!t->view->type->adds_names || parent == 0)
        return name;
    skipped = (size_t)t->view->rows.data[t->view->shown[parent].row].name_size +
              1;
    return skipped < name.size
               ? (tfp_span){ name.data + skipped, name.size - skipped }
               : name;
}

/* ---- Facts of a node ---------------------------------------------------- */

static void put_shape(taker *t, tfp_shape shape)
{
    int rank;
    const int64_t *dims = tfp_shape_dims(t->view->model, shape, &rank);
    char dim[24];
    if (rank < 0)
        put(t, tfp_span_of("unknown"));
    else if (rank == 0)
        put(t, tfp_span_of("scalar"));
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0)
            snprintf(dim, sizeof(dim), "%s?", i ? "x" : "");
        else
            snprintf(dim, sizeof(dim), "%s%lld", i ? "x" : "",
                     (long long)dims[i]);
        put(t, tfp_span_of(dim));
    }
}

/* The shape of a variable; of other nodes, the shapes of the outputs that the
 * graph lists. */
static uint32_t shape_text(taker *t, const tfp_member *member)
{
    const tfp_model *model = t->view->model;
    tfp_shape shape = tfp_member_shape(model, member);
    tfp_list outputs = member->node == TFP_NO_NODE
                           ? 0
                           : model->nodes.outputs[member->node];
    shape_entry *entry = &t->shapes[(shape * 31 + outputs) % SHAPES];
    const int64_t *shapes;
    size_t count;
    if (entry->shape == shape && entry->outputs == outputs)
        return entry->text; /* also of a free entry: neither is known */
    t->text.count = 0;
    shapes = tfp_list_items(model, outputs, &count);
    if (shape != TFP_SHAPE_NONE)
        put_shape(t, shape);
    for (size_t i = 0; shape == TFP_SHAPE_NONE && i < count; i++) {
        if (i > 0)
            put(t, tfp_span_of("|"));
        put_shape(t, (tfp_shape)shapes[i]);
    }
    *entry = (shape_entry){ shape, outputs, intern_text(t) };
    return entry->text;
}

/* The type of a node that no graph has is not known; the model then gives its
 * name instead, by which moved nodes would differ. */
static uint32_t type_text(taker *t, const tfp_member *member)
{
    const tfp_model *model = t->view->model;
    tfp_string op = tfp_member_op(model, member);
    type_entry *entry = &t->types[op % TYPES];
    tfp_span type = tfp_model_text(model, op);
    if (type.size == 0 || (member->node == TFP_NO_NODE && !member->is_stored))
        return intern(t, tfp_span_of("(unknown)"));
    if (entry->text == 0 || entry->op != op)
        *entry = (type_entry){ op, intern(t, type) };
    return entry->text;
}

static void put_node(taker *t, size_t at, uint32_t row)
{
    const tfp_view *v = t->view;
    tfp_snapshot *s = t->snapshot;
    size_t count;
    const uint32_t *members = tfp_row_members(v, row, &count);
    const tfp_member *member;
    if (v->type->groups || count != 1)
        return;
    member = &v->census->members.data[members[0]];
    s->types[at] = type_text(t, member);
    s->shapes[at] = shape_text(t, member);
}

static void put_place(taker *t, size_t at, uint32_t row)
{
    const tfp_view *v = t->view;
    const tfp_frame *frame = tfp_row_frame(v, row);
    tfp_span zero = { (const uint8_t *)"", 1 };
    bool is_gradient = frame && v->lines[row].is_gradient;
    char line[32];
    if (!frame) { /* a row that is not a line is known by its name */
        t->snapshot->places[at] = t->snapshot->lines[at] =
            t->snapshot->names[at];
        return;
    }
    t->text.count = 0;
    snprintf(line, sizeof(line), "%lld%s", (long long)frame->line,
             is_gradient ? "g" : "");
    put(t, tfp_model_text(v->model, frame->file));
    put(t, zero);
    put(t, tfp_model_text(v->model, frame->function));
    put(t, zero);
    put(t, tfp_span_of(line));
    t->snapshot->places[at] = intern_text(t);
    t->text.count = 0;
    put(t, tfp_model_text(v->model, frame->function));
    put(t, zero);
    put(t, tfp_model_text(v->model, frame->text));
    put(t, tfp_span_of(is_gradient ? "g" : ""));
    t->snapshot->lines[at] = intern_text(t);
}

/* ---- Instructions ------------------------------------------------------- */

/* A name in which each number is "0". */
static uint32_t intern_module(taker *t, tfp_span name)
{
    bool was_digit = false;
    t->text.count = 0;
    for (size_t i = 0; i < name.size && !t->failed; i++) {
        bool is_digit = name.data[i] >= '0' && name.data[i] <= '9';
        if (!is_digit)
            put(t, (tfp_span){ name.data + i, 1 });
        else if (!was_digit)
            put(t, tfp_span_of("0"));
        was_digit = is_digit;
    }
    return intern_text(t);
}

static uint32_t intern_pair(taker *t, tfp_span first, const void *second,
                            size_t size)
{
    t->text.count = 0;
    put(t, first);
    put(t, (tfp_span){ (const uint8_t *)"", 1 });
    put(t, (tfp_span){ second, size });
    return intern_text(t);
}

/* Instructions of which the program says no more stand below its module. */
static bool is_below(tfp_span name, tfp_span module)
{
    return name.size > module.size && name.data[module.size] == '/' &&
           (module.size == 0 || !memcmp(name.data, module.data, module.size)) &&
           !memchr(name.data + module.size + 1, '/',
                   name.size - module.size - 1);
}

static void put_instruction(taker *t, size_t at, const tfp_program_node *node)
{
    tfp_snapshot *s = t->snapshot;
    const tfp_model *model = t->view->model;
    const tfp_program *program = &model->programs.all.data[node->program];
    tfp_snapshot_instruction *out = &s->instructions[at];
    tfp_span module = tfp_model_text(model, program->name);
    tfp_span base = tfp_model_text(model, node->base);
    uint32_t parent = s->parents[at], exact[2];
    out->module = intern_module(t, module);
    if (t->failed)
        return;
    out->program = intern_pair(t, tfp_snapshot_text(s, out->module),
                               &program->fingerprint,
                               sizeof(program->fingerprint));
    out->name = intern(t, own_part(t, base, parent));
    exact[0] = intern_pair(t, module, &program->fingerprint,
                           sizeof(program->fingerprint));
    exact[1] = out->name;
    out->key = intern_pair(t, tfp_span_of("instruction"), exact, sizeof(exact));
    out->has_scope = !is_below(base, module);
    if (s->shapes[at] == 0 && node->shape != 0)
        s->shapes[at] = intern(t, tfp_model_text(model, node->shape));
    if (parent > 0 && s->parents[parent] == 0 && is_below(base, module))
        s->instructions[parent].module = out->module;
}

/* Rows that are one instruction of a program. */
static void put_instructions(taker *t, tfp_watch *watch)
{
    const tfp_view *v = t->view;
    tfp_snapshot *s = t->snapshot;
    if (v->type->groups || v->model->programs.instructions.count == 0)
        return;
    s->instructions = tfp_memory_zarray(s->memory, s->count + 1,
                                        sizeof(*s->instructions));
    t->failed |= !s->instructions;
    for (size_t i = 0; i < s->count && !t->failed && !tfp_watch_ends(watch);
         i++) {
        size_t count;
        const uint32_t *members = tfp_row_members(v, v->shown[i].row, &count);
        const tfp_program_node *node =
            count == 1 ? tfp_model_find_instruction(
                             v->model, v->census->members.data[members[0]].name)
                       : NULL;
        if (node)
            put_instruction(t, i, node);
    }
}

/* ---- Values ------------------------------------------------------------- */

int64_t *tfp_snapshot_column(tfp_snapshot *s, int metric)
{
    int64_t *column = s->values[metric];
    if (column && s->scales[metric] == 1)
        return column;
    column = tfp_memory_zarray(s->memory, s->count + 1, sizeof(*column));
    if (!column)
        return NULL;
    for (size_t row = 0; row < s->count; row++)
        column[row] = tfp_snapshot_value(s, row, metric);
    tfp_memory_free(s->memory, s->values[metric]);
    tfp_memory_free(s->memory, s->narrow[metric]);
    s->values[metric] = column;
    s->narrow[metric] = NULL;
    s->scales[metric] = 1;
    return column;
}

static int64_t scale_of(const taker *t, int metric)
{
    return TFP_COMPARED_TIMES >> metric & 1
               ? tfp_model_time_unit(t->view->model)
               : 1;
}

/* Makes room for 64 bits a value, once one does not fit into 32. */
static bool widen(tfp_snapshot *s, int metric)
{
    int64_t *wide = tfp_memory_zarray(s->memory, s->count + 1, sizeof(*wide));
    if (!wide)
        return false;
    for (size_t row = 0; s->narrow[metric] && row < s->count; row++)
        wide[row] = s->narrow[metric][row];
    tfp_memory_free(s->memory, s->narrow[metric]);
    s->narrow[metric] = NULL;
    s->values[metric] = wide;
    return true;
}

/* Most metrics of most models are always 0, and most others need 32 bits, so
 * room is made when a value needs it. */
static void put_value(taker *t, size_t at, int metric, int64_t value)
{
    tfp_snapshot *s = t->snapshot;
    bool fits = value >= INT32_MIN && value <= INT32_MAX;
    if (value == 0)
        return;
    s->scales[metric] = scale_of(t, metric);
    if (fits && !tfp_snapshot_has(s, metric))
        s->narrow[metric] = tfp_memory_zarray(s->memory, s->count + 1,
                                              sizeof(int32_t));
    else if (!fits && !s->values[metric])
        t->failed |= !widen(s, metric);
    if (s->narrow[metric])
        s->narrow[metric][at] = (int32_t)value;
    else if (s->values[metric])
        s->values[metric][at] = value;
    else
        t->failed = true;
}

static void put_values(taker *t, tfp_watch *watch)
{
    const tfp_view *v = t->view;
    const tfp_costs *costs = v->type->groups ? &v->group_costs : &v->costs;
    int metrics[TFP_COST_COUNT];
    size_t count = 0;
    for (int m = 0; m < TFP_COST_COUNT; m++) {
        if (t->wanted >> m & 1)
            metrics[count++] = m;
    }
    for (size_t i = 0; i < t->snapshot->count && !t->failed; i++) {
        uint32_t row = v->shown[i].row, subject = v->rows.data[row].subject;
        if (tfp_watch_ends(watch))
            return;
        for (size_t k = 0; k < count && subject != TFP_NO_ID; k++)
            put_value(t, i, metrics[k],
                      *tfp_costs_at(costs, subject, (tfp_cost)metrics[k]));
        if (v->type->groups)
            put_value(t, i, TFP_COMPARED_NODES, tfp_row_nodes(v, row));
    }
}

static void put_totals(taker *t)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (t->wanted >> cost & 1)
            t->snapshot->totals[cost] = tfp_mul_sat(
                tfp_row_total(t->view, 0, (tfp_cost)cost), scale_of(t, cost));
    }
}

/* ---- Rows --------------------------------------------------------------- */

static void put_row(taker *t, size_t at)
{
    tfp_snapshot *s = t->snapshot;
    const tfp_shown *shown = &t->view->shown[at];
    tfp_span name = tfp_row_name(&t->view->rows.data[shown->row]);
    uint32_t parent = t->nests && shown->level > 0 ? t->last[shown->level - 1]
                                                   : 0;
    if (t->nests)
        t->last[shown->level] = (uint32_t)at;
    s->parents[at] = parent;
    /* The second side often has the names of the first, in the same order. */
    s->names[at] = tfp_intern_after(t->texts, at > 0 ? s->names[at - 1] : 0,
                                    own_part(t, name, parent));
    t->failed |= s->names[at] == TFP_NO_ID;
    put_node(t, at, shown->row);
    if (s->places)
        put_place(t, at, shown->row);
}

static bool make_columns(taker *t)
{
    tfp_snapshot *s = t->snapshot;
    size_t size = sizeof(uint32_t), room = s->count + 1;
    s->parents = tfp_memory_zarray(s->memory, room, size);
    s->names = tfp_memory_zarray(s->memory, room, size);
    s->types = tfp_memory_zarray(s->memory, room, size);
    s->shapes = tfp_memory_zarray(s->memory, room, size);
    t->last = tfp_memory_zarray(s->memory, room, size);
    if (t->view->lines) {
        s->places = tfp_memory_zarray(s->memory, room, size);
        s->lines = tfp_memory_zarray(s->memory, room, size);
    }
    return s->parents && s->names && s->types && s->shapes && t->last &&
           (!t->view->lines || (s->places && s->lines));
}

int tfp_snapshot_init(tfp_snapshot *s, const tfp_view *v, uint32_t wanted,
                      tfp_interner *texts, tfp_memory *memory,
                      tfprof_error *err)
{
    tfp_watch watch = { .cancel = v->cancel };
    taker t = { .snapshot = s,
                .view = v,
                .texts = texts,
                .wanted = wanted & v->costs.wanted,
                .nests = !v->type->is_chain && !v->type->is_path };
    *s = (tfp_snapshot){ .memory = memory,
                         .texts = texts,
                         .type = v->type,
                         .wanted = t.wanted,
                         .count = v->shown_count };
    for (int i = 0; i < TFP_COMPARED_COUNT; i++)
        s->scales[i] = 1;
    t.failed = !make_columns(&t);
    for (size_t i = 0; !t.failed && i < s->count && !tfp_watch_ends(&watch);
         i++)
        put_row(&t, i);
    if (!t.failed && !watch.cancelled)
        put_instructions(&t, &watch);
    if (!t.failed && !watch.cancelled)
        put_values(&t, &watch);
    put_totals(&t);
    TFP_VEC_RELEASE(memory, &t.text);
    tfp_memory_free(memory, t.last);
    if (t.failed)
        return tfp_fail_nomem(err);
    return watch.cancelled ? tfp_fail_cancelled(err) : TFPROF_OK;
}

void tfp_snapshot_release(tfp_snapshot *s)
{
    if (!s->memory)
        return;
    tfp_memory_free(s->memory, s->parents);
    tfp_memory_free(s->memory, s->names);
    tfp_memory_free(s->memory, s->types);
    tfp_memory_free(s->memory, s->shapes);
    tfp_memory_free(s->memory, s->places);
    tfp_memory_free(s->memory, s->lines);
    tfp_memory_free(s->memory, s->instructions);
    for (int i = 0; i < TFP_COMPARED_COUNT; i++) {
        tfp_memory_free(s->memory, s->values[i]);
        tfp_memory_free(s->memory, s->narrow[i]);
    }
    *s = (tfp_snapshot){ 0 };
}

/* ---- Names -------------------------------------------------------------- */

tfp_span tfp_snapshot_file(const tfp_snapshot *s, size_t row)
{
    tfp_span place = { 0 };
    if (s->places && s->places[row] != s->names[row])
        place = tfp_snapshot_text(s, s->places[row]);
    for (size_t i = 0; i < place.size; i++) {
        if (place.data[i] == 0)
            return (tfp_span){ place.data, i };
    }
    return (tfp_span){ 0 };
}

/* Written from the end: the parts of a name are found from the last one on. */
bool tfp_snapshot_full_name(const tfp_snapshot *s, uint32_t row,
                            tfp_memory *memory, tfp_snapshot_name *name)
{
    bool joins = s->type->adds_names;
    size_t size = 0, at;
    for (uint32_t r = row;; r = s->parents[r]) {
        size += tfp_snapshot_text(s, s->names[r]).size + 1;
        if (!joins || s->parents[r] == 0)
            break;
    }
    name->count = 0;
    if (!TFP_VEC_RESERVE(memory, name, size))
        return false;
    name->count = size - 1;
    at = name->count;
    for (uint32_t r = row;; r = s->parents[r]) {
        tfp_span part = tfp_snapshot_text(s, s->names[r]);
        at -= part.size;
        if (part.size > 0)
            memcpy(name->data + at, part.data, part.size);
        if (!joins || s->parents[r] == 0)
            return true;
        name->data[--at] = '/';
    }
}
