/*
 * scope_view.c - nodes below the scopes that their names spell.
 *
 * "a/b/c" stands below "a/b", which stands below "a". A scope that is no node
 * gets a row of its own. A name may have half a million slashes, so nothing
 * here looks at a whole prefix twice: rows are found by their parent and the
 * last part of their name, and a name continues where it parts from the one
 * before it.
 */
#include "base/error.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/times.h"
#include "view/tree.h"
#include "view/view.h"

/* ---- Rows by parent and last part --------------------------------------- */

/* Most scopes hold few others, and those were made a moment ago: they are
 * looked through one by one. Only the children of a scope with more than this
 * are found by their hash. */
enum { FEW = 16 };

typedef struct scope_links {
    uint32_t first_child, next_sibling; /* rows; 0 for none */
    uint32_t children;
} scope_links;

typedef struct scope_table {
    tfp_view *view;
    TFP_VEC(scope_links) links; /* by row, of scopes */
    uint32_t *slots; /* rows, TFP_NO_ID when free; a power of two of them */
    size_t slot_count, used;
    uint64_t seed;
    bool minds_brackets; /* see next_slash() */
} scope_table;

/* Where the last part of a row's name begins. */
static size_t part_start(const tfp_view *v, uint32_t parent)
{
    return parent == 0 ? 0 : (size_t)v->rows.data[parent].name_size + 1;
}

static tfp_span last_part(const tfp_view *v, const tfp_row *row)
{
    size_t start = part_start(v, row->parent);
    return (tfp_span){ row->name + start, row->name_size - start };
}

/* The slot of a row, or the free one where it belongs. */
static uint32_t *find_slot(const scope_table *t, uint32_t parent, tfp_span part)
{
    size_t mask = t->slot_count - 1;
    size_t at = tfp_hash(part, t->seed ^ parent) & mask;
    for (;; at = (at + 1) & mask) {
        const tfp_row *row;
        if (t->slots[at] == TFP_NO_ID)
            return &t->slots[at];
        row = &t->view->rows.data[t->slots[at]];
        if (row->parent == parent &&
            tfp_span_equal(last_part(t->view, row), part))
            return &t->slots[at];
    }
}

static bool grow(scope_table *t)
{
    tfp_view *v = t->view;
    size_t count = t->slot_count ? 2 * t->slot_count : 1024;
    uint32_t *old = t->slots;
    size_t old_count = t->slot_count;
    uint32_t *slots = tfp_memory_array(v->memory, count, sizeof(*slots));
    if (!slots)
        return false;
    memset(slots, 0xff, count * sizeof(*slots));
    t->slots = slots;
    t->slot_count = count;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i] != TFP_NO_ID) {
            const tfp_row *row = &v->rows.data[old[i]];
            *find_slot(t, row->parent, last_part(v, row)) = old[i];
        }
    }
    tfp_memory_free(v->memory, old);
    return true;
}

static bool hash_row(scope_table *t, uint32_t row)
{
    const tfp_row *r = &t->view->rows.data[row];
    if (2 * (t->used + 1) > t->slot_count && !grow(t))
        return false;
    *find_slot(t, r->parent, last_part(t->view, r)) = row;
    t->used++;
    return true;
}

/* The scope of that name below another one, or TFP_NO_ID. */
static uint32_t find_scope(const scope_table *t, uint32_t parent, tfp_span part)
{
    const tfp_view *v = t->view;
    uint32_t row;
    if (t->links.data[parent].children > FEW)
        return *find_slot(t, parent, part);
    for (row = t->links.data[parent].first_child; row != 0;
         row = t->links.data[row].next_sibling) {
        if (tfp_span_equal(last_part(v, &v->rows.data[row]), part))
            return row;
    }
    return TFP_NO_ID;
}

/* False when out of memory. */
static bool link_scope(scope_table *t, uint32_t row)
{
    uint32_t parent = t->view->rows.data[row].parent;
    scope_links *above;
    scope_links links = { .next_sibling = t->links.data[parent].first_child };
    if (!TFP_VEC_PUSH(t->view->memory, &t->links, links))
        return false;
    above = &t->links.data[parent];
    above->first_child = row;
    above->children++;
    if (above->children <= FEW)
        return true;
    if (above->children > FEW + 1)
        return hash_row(t, row);
    for (; row != 0; row = t->links.data[row].next_sibling) {
        if (!hash_row(t, row)) /* the first of many: all of them */
            return false;
    }
    return true;
}

/* The scope of a name that ends at `end`. TFP_NO_ID when out of memory. */
static uint32_t find_or_add(scope_table *t, uint32_t parent, tfp_span name,
                            size_t end)
{
    size_t start = part_start(t->view, parent);
    uint32_t row = find_scope(t, parent,
                              (tfp_span){ name.data + start, end - start });
    if (row != TFP_NO_ID)
        return row;
    row = tfp_view_add_row(t->view, (tfp_span){ name.data, end }, parent,
                           TFP_NO_ID);
    return row != TFP_NO_ID && link_scope(t, row) ? row : TFP_NO_ID;
}

/* ---- Scopes of all names ------------------------------------------------ */

/* The scopes of the name looked at last, outermost first. */
typedef struct scope_path {
    tfp_span name;
    TFP_VEC(uint32_t) rows;
} scope_path;

static size_t common_size(tfp_span a, tfp_span b)
{
    size_t most = a.size < b.size ? a.size : b.size, i = 0;
    while (i < most && a.data[i] == b.data[i])
        i++;
    return i;
}

/* Goes back to the scopes that `name` shares with the name before it. */
static void go_back(const tfp_view *v, scope_path *path, tfp_span name)
{
    size_t common = common_size(path->name, name);
    while (path->rows.count > 0) {
        uint32_t row = path->rows.data[path->rows.count - 1];
        size_t end = v->rows.data[row].name_size;
        if (end < common ||
            (end == common && end < name.size && name.data[end] == '/'))
            break;
        path->rows.count--;
    }
    path->name = name;
}

static uint32_t innermost(const scope_path *path)
{
    return path->rows.count ? path->rows.data[path->rows.count - 1] : 0;
}

/* The end of the scope that begins at `at`, or NULL. In names of traces a
 * slash inside of brackets is part of what stands in them: a scope of JAX may
 * be called "transpose(jvp(a/b))". */
static const uint8_t *next_slash(const scope_table *t, tfp_span name, size_t at)
{
    int depth = 0;
    if (!t->minds_brackets)
        return memchr(name.data + at, '/', name.size - at);
    for (; at < name.size; at++) {
        if (name.data[at] == '/' && depth == 0)
            return name.data + at;
        depth += name.data[at] == '(';
        depth -= name.data[at] == ')' && depth > 0;
    }
    return NULL;
}

/* The scope of a name; 0 when it has none. TFP_NO_ID when out of memory. */
static uint32_t scope_of(scope_table *t, scope_path *path, tfp_span name)
{
    tfp_view *v = t->view;
    size_t at;
    go_back(v, path, name);
    at = part_start(v, innermost(path));
    while (at < name.size) {
        const uint8_t *slash = next_slash(t, name, at);
        uint32_t row;
        if (!slash)
            break;
        row = find_or_add(t, innermost(path), name,
                          (size_t)(slash - name.data));
        if (row == TFP_NO_ID || !TFP_VEC_PUSH(v->memory, &path->rows, row))
            return TFP_NO_ID;
        at = (size_t)(slash - name.data) + 1;
    }
    return innermost(path);
}

static bool add_scopes(scope_table *t, uint32_t *scope_of_member)
{
    tfp_view *v = t->view;
    scope_path path = { 0 };
    bool ok = true;
    for (size_t m = 0; ok && m < v->census->members.count; m++) {
        tfp_span name = tfp_model_text(v->model,
                                       v->census->members.data[m].name);
        scope_of_member[m] = scope_of(t, &path, name);
        ok = scope_of_member[m] != TFP_NO_ID && !tfp_view_is_cancelled(v, m);
    }
    TFP_VEC_RELEASE(v->memory, &path.rows);
    return ok;
}

/* A node whose name is also a scope is that scope's row. */
static bool add_nodes(scope_table *t, const uint32_t *scope_of_member)
{
    tfp_view *v = t->view;
    if (!TFP_VEC_RESERVE(v->memory, &v->rows, v->census->members.count))
        return false;
    for (uint32_t m = 0; m < v->census->members.count; m++) {
        tfp_span name = tfp_model_text(v->model,
                                       v->census->members.data[m].name);
        uint32_t parent = scope_of_member[m];
        size_t start = part_start(v, parent);
        uint32_t row;
        if (tfp_view_is_cancelled(v, m))
            return false;
        row = find_scope(t, parent,
                         (tfp_span){ name.data + start, name.size - start });
        if (row != TFP_NO_ID)
            v->rows.data[row].subject = m;
        else
            tfp_view_add_row(v, name, parent, m); /* there is room */
    }
    return true;
}

/* ---- The view ----------------------------------------------------------- */

static uint64_t part_key(const void *context, uint32_t item)
{
    const tfp_view *v = context;
    tfp_span part = last_part(v, &v->rows.data[item]);
    return tfp_text_key(part.data, part.size);
}

static int part_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_view *v = context;
    return tfp_span_compare(last_part(v, &v->rows.data[a]),
                            last_part(v, &v->rows.data[b]));
}

static int build(tfp_view *v, tfprof_error *err)
{
    size_t count = v->census->members.count;
    scope_table table = { .view = v,
                          .seed = tfp_random_seed(),
                          .minds_brackets = tfp_model_has_picos(v->model) };
    tfp_sibling_order by_part = { part_key, part_tie, v, NULL };
    uint32_t *scopes = tfp_memory_array(v->memory, count, sizeof(*scopes));
    bool ok = scopes &&
              TFP_VEC_PUSH(v->memory, &table.links, (scope_links){ 0 }) &&
              add_scopes(&table, scopes) && add_nodes(&table, scopes);
    TFP_VEC_RELEASE(v->memory, &table.links);
    tfp_memory_free(v->memory, scopes);
    tfp_memory_free(v->memory, table.slots);
    ok = ok && tfp_view_arrange(v, &by_part);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

const tfp_view_type tfp_scope_view = {
    .name = "scope",
    .build = build,
    .adds_names = true,
    .prints_occurrences = true,
    .prints_input_shapes = true,
    .timeline = TFP_TIMELINE_SHARES,
    .row_type = "_kTFScopeParent",
};
