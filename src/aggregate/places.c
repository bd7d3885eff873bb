/*
 * places.c - the keys of a node: its scope, its operation type, its line.
 *
 * Scopes follow the rules of view/scope_view.c. Lines come from the code view,
 * which has a row for nodes without a line in its form for programs.
 */
#include "aggregate/places.h"

#include <stdio.h>

#include "base/intern.h"
#include "model/times.h"

enum { MARK_OF_GRAPH = UINT32_MAX };

void tfp_agg_places_init(tfp_agg_places *p, tfp_agg_rows *rows,
                         tfp_model *model, uint32_t max_depth)
{
    *p = (tfp_agg_places){ .rows = rows,
                           .model = model,
                           .max_depth = max_depth };
}

void tfp_agg_places_release(tfp_agg_places *p)
{
    if (!p->rows)
        return;
    TFP_VEC_RELEASE(p->rows->memory, &p->places);
    TFP_VEC_RELEASE(p->rows->memory, &p->others);
    TFP_VEC_RELEASE(p->rows->memory, &p->line_keys);
    tfp_code_lines_free(p->lines);
    if (p->other_keys.memory)
        tfp_interner_release(&p->other_keys);
    TFP_VEC_RELEASE(p->rows->memory, &p->scopes);
    TFP_VEC_RELEASE(p->rows->memory, &p->path);
}

/* ---- Scopes ------------------------------------------------------------- */

/* The offset of the slash that ends the scope that begins at `at`, or the size
 * without such a slash. In traces, a slash in parentheses does not end it. */
static size_t next_slash(tfp_span name, size_t at, bool minds_brackets)
{
    int depth = 0;
    for (; at < name.size; at++) {
        if (name.data[at] == '/' && depth == 0)
            break;
        depth += minds_brackets && name.data[at] == '(';
        depth -= minds_brackets && name.data[at] == ')' && depth > 0;
    }
    return at;
}

/* Makes room for all names of the model. False when out of memory. */
static bool make_room(tfp_agg_places *p)
{
    tfp_memory *memory = p->rows->memory;
    size_t names = tfp_interner_count(&p->model->strings);
    size_t more = names > p->scopes.count ? names - p->scopes.count : 0;
    if (!TFP_VEC_RESERVE(memory, &p->scopes, more) ||
        !TFP_VEC_RESERVE(memory, &p->places, more))
        return false;
    if (more > 0) {
        memset(p->scopes.data + p->scopes.count, 0,
               more * sizeof(*p->scopes.data));
        memset(p->places.data + p->places.count, 0,
               more * sizeof(*p->places.data));
    }
    p->scopes.count += more;
    p->places.count += more;
    return true;
}

/* Finds the scopes of a name, down to max_depth. False when out of memory. */
static bool find_scopes(tfp_agg_places *p, tfp_string id)
{
    tfp_span name = tfp_model_text(p->model, id);
    bool minds_brackets = tfp_model_has_picos(p->model);
    uint32_t parent = TFP_NO_ID, depth = 0;
    size_t at = 0;
    while (at < name.size && depth < p->max_depth) {
        size_t slash = next_slash(name, at, minds_brackets);
        tfp_string scope;
        if (slash == name.size)
            break;
        scope = tfp_model_string(p->model, (tfp_span){ name.data, slash });
        if (scope == TFP_NO_ID || !make_room(p))
            return false;
        if (!p->scopes.data[scope].is_known)
            p->scopes.data[scope] = (tfp_agg_scope){ .parent = parent,
                                                     .is_known = true };
        parent = scope;
        depth++;
        at = slash + 1;
    }
    if (!p->scopes.data[id].is_known) {
        p->scopes.data[id].parent = parent;
        p->scopes.data[id].is_deep = depth == p->max_depth;
        p->scopes.data[id].is_known = true;
    }
    return true;
}

/* Sets the mark of all scopes of a name. False when out of memory. */
static bool mark_scopes(tfp_agg_places *p, tfp_string id, uint32_t mark)
{
    uint32_t scope;
    if (!p->scopes.data[id].is_known && !find_scopes(p, id))
        return false;
    for (scope = p->scopes.data[id].parent;
         scope != TFP_NO_ID && p->scopes.data[scope].mark != mark &&
         p->scopes.data[scope].mark != MARK_OF_GRAPH;
         scope = p->scopes.data[scope].parent)
        p->scopes.data[scope].mark = mark;
    return true;
}

static bool is_scope(const tfp_agg_places *p, tfp_string id)
{
    return p->scopes.data[id].mark == p->step ||
           p->scopes.data[id].mark == MARK_OF_GRAPH;
}

/* The key of a scope and kind. TFP_NO_ID when out of memory. */
static uint32_t scope_key(tfp_agg_places *p, tfp_string scope, uint8_t kind)
{
    tfp_agg_key key = { .view = TFP_AGG_SCOPE,
                        .kind = kind,
                        .parent = TFP_NO_ID };
    int64_t dropped = p->rows->dropped;
    p->path.count = 0;
    for (; scope != TFP_NO_ID; scope = p->scopes.data[scope].parent) {
        if (!TFP_VEC_PUSH(p->rows->memory, &p->path, scope))
            return TFP_NO_ID;
    }
    while (p->path.count > 0) {
        scope = p->path.data[--p->path.count];
        key.name = tfp_agg_rows_text(p->rows, tfp_model_text(p->model, scope));
        if (key.name == TFP_NO_ID)
            return TFP_NO_ID;
        key.parent = tfp_agg_rows_key(p->rows, key);
        if (key.parent == TFP_NO_ID)
            return TFP_NO_ID;
    }
    /* A new scope would be counted again for each of its nodes. */
    p->rows->dropped = dropped;
    return key.parent;
}

/* ---- Nodes -------------------------------------------------------------- */

/* The name without a number: numbers depend on the other programs of the
 * inputs, and rows of all workers must have the same names. */
static tfp_string base_of(const tfp_agg_places *p, tfp_string name)
{
    const tfp_program_node *node = tfp_model_find_instruction(p->model, name);
    return node ? node->base : name;
}

/* The compiled program whose instruction a node is: its module, "@" and a
 * fingerprint of 16 hexadecimal digits. Empty for other nodes. */
static uint32_t program_text(tfp_agg_places *p, tfp_string name)
{
    const tfp_program_node *node = tfp_model_find_instruction(p->model, name);
    const tfp_program *program;
    tfp_span module;
    char digits[20], *text;
    int count;
    uint32_t id;
    if (!node)
        return 0;
    program = &p->model->programs.all.data[node->program];
    module = tfp_model_text(p->model, program->name);
    count = snprintf(digits, sizeof(digits), "@%016llx",
                     (unsigned long long)program->fingerprint);
    text = tfp_memory_alloc(p->rows->memory, module.size + sizeof(digits));
    if (!text)
        return TFP_NO_ID;
    if (module.size > 0)
        memcpy(text, module.data, module.size);
    memcpy(text + module.size, digits, sizeof(digits));
    id = tfp_agg_rows_text(p->rows, (tfp_span){ (const uint8_t *)text,
                                                module.size + (size_t)count });
    tfp_memory_free(p->rows->memory, text);
    return id;
}

/* The place of a member, with its kind. */
static tfp_agg_place *know_place(tfp_agg_places *p, const tfp_member *m)
{
    tfp_agg_place *place = &p->places.data[m->name];
    if (!place->is_known) {
        place->line = TFP_NO_ID;
        place->kind = (uint8_t)tfp_agg_kind_of(
            tfp_model_text(p->model, tfp_member_op(p->model, m)),
            tfp_model_text(p->model, base_of(p, m->name)));
        place->is_known = true;
    }
    return place;
}

/* The key of the scope view, or TFP_NO_ID when out of memory. `key` has all
 * that a node adds to its name. */
static uint32_t node_key(tfp_agg_places *p, const tfp_member *m,
                         tfp_string base, tfp_agg_key key)
{
    tfp_agg_scope scope = p->scopes.data[m->name];
    if (scope.is_deep || is_scope(p, base))
        return scope_key(p, scope.is_deep ? scope.parent : base, key.kind);
    key.view = TFP_AGG_SCOPE;
    key.name = tfp_agg_rows_text(p->rows, tfp_model_text(p->model, base));
    key.parent = TFP_NO_ID;
    if (scope.parent != TFP_NO_ID) {
        key.parent = scope_key(p, scope.parent, key.kind);
        if (key.parent == TFP_NO_ID)
            return TFP_NO_ID;
    }
    return key.name == TFP_NO_ID ? TFP_NO_ID : tfp_agg_rows_key(p->rows, key);
}

/* An operation that has its own name as its type is an instruction of its
 * program in the view op, too. */
static uint32_t op_key(tfp_agg_places *p, const tfp_member *m, tfp_agg_key key)
{
    key.view = TFP_AGG_OP;
    key.name = key.op;
    if (tfp_member_op(p->model, m) != m->name)
        key.program = 0;
    return tfp_agg_rows_key(p->rows, key);
}

/* Finds the keys of a member on a device. False when out of memory. */
static bool find_keys(tfp_agg_places *p, const tfp_member *m, tfp_string device,
                      tfp_agg_on_device *on)
{
    const tfp_model *model = p->model;
    tfp_agg_key key = { .parent = TFP_NO_ID, .kind = know_place(p, m)->kind };
    key.op = tfp_agg_rows_text(p->rows,
                               tfp_model_text(model, tfp_member_op(model, m)));
    key.device = tfp_agg_rows_text(p->rows, tfp_model_text(model, device));
    key.program = program_text(p, m->name);
    if (key.op == TFP_NO_ID || key.device == TFP_NO_ID ||
        key.program == TFP_NO_ID)
        return false;
    on->device = device;
    on->base = base_of(p, m->name);
    on->was_scope = is_scope(p, on->base);
    on->scope = node_key(p, m, on->base, key);
    if (on->scope == TFP_NO_ID)
        return false;
    on->op = op_key(p, m, key);
    on->is_known = on->op != TFP_NO_ID;
    return on->is_known;
}

/* The keys of a member on a device, perhaps not known yet. NULL when out of
 * memory. Few nodes run on several devices. */
static tfp_agg_on_device *on_device(tfp_agg_places *p, const tfp_member *m,
                                    tfp_string device)
{
    tfp_agg_on_device *first = &p->places.data[m->name].first;
    uint32_t key[] = { m->name, device }, item;
    if (!first->is_known || first->device == device)
        return first;
    if ((!p->other_keys.memory &&
         !tfp_interner_init(&p->other_keys, p->rows->memory, 4,
                            tfp_random_seed())) ||
        !TFP_VEC_RESERVE(p->rows->memory, &p->others, 1))
        return NULL;
    item = tfp_intern(&p->other_keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return NULL;
    if (item > p->others.count)
        p->others.data[p->others.count++] = (tfp_agg_on_device){ 0 };
    return &p->others.data[item - 1];
}

/* ---- Lines -------------------------------------------------------------- */

/* The text of a row: "caller > line". TFP_AGG_NO_TEXT, or TFP_NO_ID when out of
 * memory. */
static uint32_t line_text(tfp_agg_places *p, uint32_t row)
{
    static const char between[] = " > ";
    const size_t gap = sizeof(between) - 1;
    size_t size = 0, at;
    uint8_t *text;
    uint32_t id;
    for (uint32_t r = row; r != 0; r = tfp_code_lines_parent(p->lines, r))
        size += tfp_code_lines_name(p->lines, r).size + gap;
    text = tfp_memory_alloc(p->rows->memory, size);
    if (!text)
        return TFP_NO_ID;
    at = size;
    for (uint32_t r = row; r != 0; r = tfp_code_lines_parent(p->lines, r)) {
        tfp_span name = tfp_code_lines_name(p->lines, r);
        at -= name.size;
        if (name.size > 0)
            memcpy(text + at, name.data, name.size);
        at -= gap;
        memcpy(text + at, between, gap);
    }
    id = tfp_agg_rows_text(p->rows, (tfp_span){ text + gap, size - gap });
    tfp_memory_free(p->rows->memory, text);
    return id;
}

/* The row itself, or the one above it that is not too deep. */
static uint32_t lift_row(const tfp_agg_places *p, uint32_t row)
{
    uint32_t depth = 0;
    for (uint32_t r = row; r != 0; r = tfp_code_lines_parent(p->lines, r))
        depth++;
    for (; depth > p->max_depth; depth--)
        row = tfp_code_lines_parent(p->lines, row);
    return row;
}

/* Where the key of a row and kind is stored. NULL when out of memory. */
static uint32_t *key_of_line(tfp_agg_places *p, uint32_t row, uint8_t kind)
{
    size_t at = (size_t)row * TFP_KIND_COUNT + kind;
    while (p->line_keys.count <= at) {
        if (!TFP_VEC_PUSH(p->rows->memory, &p->line_keys, TFP_NO_ID))
            return NULL;
    }
    return &p->line_keys.data[at];
}

/* Adds the key of a row below `key->parent`, and makes it the next parent. */
static bool add_line(tfp_agg_places *p, uint32_t row, tfp_agg_key *key)
{
    uint32_t above = tfp_code_lines_parent(p->lines, row);
    uint32_t *known = key_of_line(p, row, key->kind);
    if (!known)
        return false;
    key->name = line_text(p, row);
    if (key->name == TFP_NO_ID)
        return false;
    /* Of rows below each other that cannot be added, the first one counts. */
    if (key->name != TFP_AGG_NO_TEXT || above == 0 ||
        line_text(p, above) != TFP_AGG_NO_TEXT)
        key->parent = tfp_agg_rows_key(p->rows, *key);
    *known = key->parent;
    return key->parent != TFP_NO_ID;
}

/* The key of a row and kind. TFP_NO_ID when out of memory. Keys of the rows
 * above it are made first; `path` has the outermost row last. */
static uint32_t line_key(tfp_agg_places *p, uint32_t row, uint8_t kind)
{
    tfp_agg_key key = { .view = TFP_AGG_CODE,
                        .kind = kind,
                        .parent = TFP_NO_ID };
    p->path.count = 0;
    for (row = lift_row(p, row); row != 0;
         row = tfp_code_lines_parent(p->lines, row)) {
        uint32_t *known = key_of_line(p, row, kind);
        if (!known)
            return TFP_NO_ID;
        key.parent = *known;
        if (key.parent != TFP_NO_ID)
            break;
        if (!TFP_VEC_PUSH(p->rows->memory, &p->path, row))
            return TFP_NO_ID;
    }
    while (p->path.count > 0) {
        if (!add_line(p, p->path.data[--p->path.count], &key))
            return TFP_NO_ID;
    }
    return key.parent;
}

/* Finds the line of a node whose keys are known. False when out of memory. */
static bool find_line(tfp_agg_places *p, const tfp_member *m)
{
    tfp_agg_place *place = &p->places.data[m->name];
    uint32_t row;
    if (!p->lines)
        p->lines = tfp_code_lines_new(p->census, p->rows->memory);
    if (!p->lines ||
        !tfp_code_lines_find(p->lines, (uint32_t)(m - p->census->members.data),
                             &row))
        return false;
    place->line = line_key(p, row, place->kind);
    return place->line != TFP_NO_ID;
}

/* ---- A record ----------------------------------------------------------- */

bool tfp_agg_places_find(tfp_agg_places *p, const tfp_member *m,
                         tfp_string device, uint32_t keys[TFP_AGG_VIEWS])
{
    tfp_agg_on_device *on = on_device(p, m, device);
    if (!on || ((!on->is_known || on->was_scope != is_scope(p, on->base)) &&
                !find_keys(p, m, device, on)))
        return false;
    if (p->has_lines && p->places.data[m->name].line == TFP_NO_ID &&
        !find_line(p, m))
        return false;
    keys[TFP_AGG_SCOPE] = on->scope;
    keys[TFP_AGG_OP] = on->op;
    keys[TFP_AGG_CODE] = p->places.data[m->name].line;
    return true;
}

/* ---- A step ------------------------------------------------------------- */

/* The nodes of graphs are scopes in all steps. The members behind them are of
 * this step only. */
static bool mark_all(tfp_agg_places *p, const tfp_census *census)
{
    size_t count = census->members.count, base = census->base.members;
    for (size_t i = base; i < count; i++) {
        if (!mark_scopes(p, census->members.data[i].name, p->step))
            return false;
    }
    if (p->has_graph_marks)
        return true;
    p->has_graph_marks = true;
    for (size_t i = 0; i < base; i++) {
        if (!mark_scopes(p, census->members.data[i].name, MARK_OF_GRAPH))
            return false;
    }
    return true;
}

int tfp_agg_places_begin(tfp_agg_places *p, const tfp_census *census,
                         tfprof_error *err)
{
    p->step++;
    p->census = census;
    p->has_lines = tfp_census_has_traces(census);
    return make_room(p) && mark_all(p, census) ? TFPROF_OK
                                               : tfp_fail_nomem(err);
}

void tfp_agg_places_forget(tfp_agg_places *p, size_t first_graph)
{
    const tfp_model *model = p->model;
    const tfp_agg_place none = { 0 };
    for (size_t g = first_graph; g < model->graphs.count; g++) {
        const tfp_graph *graph = &model->graphs.data[g];
        if (graph->kind == TFP_GRAPH_FUNCTION)
            continue;
        for (uint32_t i = 0; i < graph->node_count; i++) {
            tfp_string name = model->nodes.name[graph->first_node + i];
            if (name < p->places.count)
                p->places.data[name] = none;
        }
    }
    for (size_t s = 0; s < model->steps.count; s++) {
        const tfp_step *step = &model->steps.data[s];
        for (size_t i = 0; i < step->execs.count; i++) {
            if (step->execs.data[i].name < p->places.count)
                p->places.data[step->execs.data[i].name] = none;
        }
    }
    p->others.count = 0;
    if (p->other_keys.memory)
        tfp_interner_release(&p->other_keys);
}
