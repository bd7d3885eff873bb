/*
 * places.c - the keys of a node: its scope, its operation type, its line.
 *
 * Scopes follow the rules of view/scope_view.c. Lines come from the code view,
 * in the form for programs: it has a row for nodes without a line.
 */
#include "aggregate/places.h"

#include "base/intern.h"
#include "model/times.h"
#include "options/options.h"
#include "view/view.h"

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

tfp_span tfp_agg_device(tfp_span device)
{
    static const char *const parts[] = { "/job:", "/replica:", "/task:" };
    size_t at = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        tfp_span rest = { device.data + at, device.size - at };
        if (!tfp_span_starts(rest, parts[i]))
            return device;
        at = next_slash(device, at + 1, false);
    }
    return at + 1 >= device.size
               ? device
               : (tfp_span){ device.data + at, device.size - at };
}

static bool place_scope(tfp_agg_places *p, const tfp_member *m, tfp_agg_key key,
                        tfp_agg_place *place)
{
    tfp_agg_scope scope = p->scopes.data[m->name];
    if (scope.is_deep || place->was_scope) {
        place->keys[TFP_AGG_SCOPE] = scope_key(
            p, scope.is_deep ? scope.parent : m->name, place->kind);
        return place->keys[TFP_AGG_SCOPE] != TFP_NO_ID;
    }
    key.view = TFP_AGG_SCOPE;
    key.name = tfp_agg_rows_text(p->rows, tfp_model_text(p->model, m->name));
    key.parent = TFP_NO_ID;
    if (scope.parent != TFP_NO_ID) {
        key.parent = scope_key(p, scope.parent, place->kind);
        if (key.parent == TFP_NO_ID)
            return false;
    }
    if (key.name == TFP_NO_ID)
        return false;
    place->keys[TFP_AGG_SCOPE] = tfp_agg_rows_key(p->rows, key);
    return place->keys[TFP_AGG_SCOPE] != TFP_NO_ID;
}

static bool place_member(tfp_agg_places *p, const tfp_member *m)
{
    tfp_agg_place place = p->places.data[m->name];
    tfp_span op = tfp_model_text(p->model, tfp_member_op(p->model, m));
    tfp_agg_key key = { .parent = TFP_NO_ID };
    if (!place.is_known)
        place.keys[TFP_AGG_CODE] = TFP_NO_ID;
    place.is_known = true;
    place.device = m->device;
    place.was_scope = is_scope(p, m->name);
    place.kind = (uint8_t)tfp_agg_kind_of(op,
                                          tfp_model_text(p->model, m->name));
    key.kind = place.kind;
    key.op = tfp_agg_rows_text(p->rows, op);
    key.device = tfp_agg_rows_text(
        p->rows, tfp_agg_device(tfp_model_text(p->model, m->device)));
    if (key.op == TFP_NO_ID || key.device == TFP_NO_ID ||
        !place_scope(p, m, key, &place))
        return false;
    key.view = TFP_AGG_OP;
    key.name = key.op;
    place.keys[TFP_AGG_OP] = tfp_agg_rows_key(p->rows, key);
    p->places.data[m->name] = place;
    return place.keys[TFP_AGG_OP] != TFP_NO_ID;
}

const tfp_agg_place *tfp_agg_places_find(tfp_agg_places *p, const tfp_member *m)
{
    const tfp_agg_place *place = &p->places.data[m->name];
    if (place->is_known && place->device == m->device &&
        place->was_scope == is_scope(p, m->name))
        return place;
    return place_member(p, m) ? &p->places.data[m->name] : NULL;
}

/* ---- Lines -------------------------------------------------------------- */

typedef struct line_keys {
    tfp_agg_places *places;
    const tfp_view *view;
    uint32_t *texts;  /* by row: "caller > line", or TFP_NO_ID if too deep */
    uint32_t *depths; /* by row; the root's: 0 */
    uint32_t *keys;   /* by row and kind, or TFP_NO_ID */
} line_keys;

/* The text of a row, with the lines above it. */
static uint32_t line_text(line_keys *l, const tfp_row *row)
{
    static const char between[] = " > ";
    tfp_agg_rows *rows = l->places->rows;
    tfp_span above;
    size_t used = 0, size;
    uint8_t *text;
    uint32_t id;
    if (l->depths[row->parent] == 0)
        return tfp_agg_rows_text(rows, tfp_row_name(row));
    if (l->texts[row->parent] == TFP_AGG_NO_TEXT)
        return TFP_AGG_NO_TEXT;
    above = tfp_interned(&rows->texts, l->texts[row->parent]);
    size = above.size + sizeof(between) + row->name_size;
    text = tfp_memory_alloc(rows->memory, size);
    if (!text)
        return TFP_NO_ID;
    memcpy(text, above.data, above.size);
    used = above.size;
    memcpy(text + used, between, sizeof(between) - 1);
    used += sizeof(between) - 1;
    memcpy(text + used, row->name, row->name_size);
    used += row->name_size;
    id = tfp_agg_rows_text(rows, (tfp_span){ text, used });
    tfp_memory_free(rows->memory, text);
    return id;
}

/* Rows that are too deep have the text of the row above them. */
static bool find_texts(line_keys *l)
{
    l->texts[0] = 0;
    l->depths[0] = 0;
    for (size_t i = 1; i < l->view->rows.count; i++) {
        const tfp_row *row = &l->view->rows.data[i];
        l->depths[i] = l->depths[row->parent] + 1;
        if (l->depths[i] > l->places->max_depth) {
            l->depths[i] = l->places->max_depth;
            l->texts[i] = l->texts[row->parent];
            continue;
        }
        l->texts[i] = line_text(l, row);
        if (l->texts[i] == TFP_NO_ID)
            return false;
    }
    return true;
}

/* The key of a row and kind. TFP_NO_ID when out of memory. Keys of the rows
 * above it are made first; `path` has the outermost row last. */
static uint32_t line_key(line_keys *l, uint32_t row, uint8_t kind)
{
    tfp_agg_places *p = l->places;
    tfp_agg_key key = { .view = TFP_AGG_CODE,
                        .kind = kind,
                        .parent = TFP_NO_ID };
    p->path.count = 0;
    for (; row != 0; row = l->view->rows.data[row].parent) {
        key.parent = l->keys[row * TFP_KIND_COUNT + kind];
        if (key.parent != TFP_NO_ID)
            break;
        if (!TFP_VEC_PUSH(p->rows->memory, &p->path, row))
            return TFP_NO_ID;
    }
    while (p->path.count > 0) {
        row = p->path.data[--p->path.count];
        key.name = l->texts[row];
        if (row == 0 ||
            l->texts[row] != l->texts[l->view->rows.data[row].parent] ||
            key.parent == TFP_NO_ID)
            key.parent = tfp_agg_rows_key(p->rows, key);
        if (key.parent == TFP_NO_ID)
            return TFP_NO_ID;
        l->keys[row * TFP_KIND_COUNT + kind] = key.parent;
    }
    return key.parent;
}

static bool place_lines(line_keys *l)
{
    const tfp_census *census = l->view->census;
    tfp_agg_places *p = l->places;
    for (uint32_t row = 1; row < l->view->rows.count; row++) {
        size_t count;
        const uint32_t *members = tfp_row_members(l->view, row, &count);
        for (size_t i = 0; i < count; i++) {
            const tfp_member *m = &census->members.data[members[i]];
            tfp_agg_place *place = &p->places.data[m->name];
            if (!place->is_known && !place_member(p, m))
                return false;
            place = &p->places.data[m->name];
            if (place->keys[TFP_AGG_CODE] != TFP_NO_ID)
                continue;
            place->keys[TFP_AGG_CODE] = line_key(l, row, place->kind);
            if (place->keys[TFP_AGG_CODE] == TFP_NO_ID)
                return false;
        }
    }
    return true;
}

static int take_lines(tfp_agg_places *p, const tfp_view *view,
                      tfprof_error *err)
{
    tfp_memory *memory = p->rows->memory;
    size_t rows = view->rows.count;
    uint32_t *block = tfp_memory_array(memory, rows,
                                       (2 + TFP_KIND_COUNT) * sizeof(*block));
    line_keys l = { p, view, block, NULL, NULL };
    bool ok = block != NULL;
    if (ok) {
        l.depths = block + rows;
        l.keys = block + 2 * rows;
        memset(l.keys, 0xff, rows * TFP_KIND_COUNT * sizeof(*l.keys));
        ok = find_texts(&l) && place_lines(&l);
    }
    tfp_memory_free(memory, block);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

static int find_lines(tfp_agg_places *p, const tfp_census *census,
                      const tfp_cancel *cancel, tfprof_error *err)
{
    tfp_options options;
    tfp_view view = { .memory = p->rows->memory, .census = census };
    int status = tfp_options_init(&options, p->rows->memory)
                     ? TFPROF_OK
                     : tfp_fail_nomem(err);
    options.format = TFP_FORMAT_JSON;
    options.select = TFP_SELECT_MICROS;
    if (status == TFPROF_OK)
        status = tfp_view_init(&view, &tfp_code_view, census, &options, cancel,
                               err);
    if (status == TFPROF_OK)
        status = take_lines(p, &view, err);
    tfp_view_release(&view);
    tfp_options_release(&options);
    return status;
}

/* Is there a member whose line was not searched for yet? */
static bool lacks_lines(tfp_agg_places *p, const tfp_census *census)
{
    bool lacks = false;
    for (size_t i = 0; i < census->members.count; i++) {
        tfp_agg_place *place = &p->places.data[census->members.data[i].name];
        lacks |= !place->is_known || (place->keys[TFP_AGG_CODE] == TFP_NO_ID &&
                                      !place->has_no_line);
    }
    return lacks;
}

static void note_no_lines(tfp_agg_places *p, const tfp_census *census)
{
    for (size_t i = 0; i < census->members.count; i++) {
        tfp_agg_place *place = &p->places.data[census->members.data[i].name];
        place->has_no_line = place->is_known &&
                             place->keys[TFP_AGG_CODE] == TFP_NO_ID;
    }
}

/* ---- A step ------------------------------------------------------------- */

static bool mark_all(tfp_agg_places *p, const tfp_census *census)
{
    size_t count = census->members.count, i = count;
    for (; i > 0 && census->members.data[i - 1].node == TFP_NO_NODE; i--) {
        if (!mark_scopes(p, census->members.data[i - 1].name, p->step))
            return false;
    }
    if (p->has_graph_marks)
        return true;
    p->has_graph_marks = true;
    for (size_t k = 0; k < i; k++) {
        if (!mark_scopes(p, census->members.data[k].name, MARK_OF_GRAPH))
            return false;
    }
    return true;
}

int tfp_agg_places_begin(tfp_agg_places *p, const tfp_census *census,
                         const tfp_cancel *cancel, tfprof_error *err)
{
    int status;
    p->step++;
    if (!make_room(p) || !mark_all(p, census))
        return tfp_fail_nomem(err);
    if (!tfp_census_has_traces(census) || !lacks_lines(p, census))
        return TFPROF_OK;
    status = find_lines(p, census, cancel, err);
    if (status == TFPROF_OK)
        note_no_lines(p, census);
    return status;
}
