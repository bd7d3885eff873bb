/*
 * tree.c - the rows of a view as columns of a page.
 *
 * The head of a chunk precedes its columns and states how many planes each
 * column has. So costs are read twice: first to count the planes of their
 * columns, then to write them. Only one column of costs is in memory at any
 * time.
 */
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/costs.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/steps.h"
#include "model/times.h"
#include "options/options.h"
#include "output/page/chunks.h"
#include "output/page/html.h"
#include "output/text/json.h"
#include "output/view/row_facts.h"
#include "view/columns.h"
#include "view/order.h"
#include "view/view.h"

#include <stdio.h>
#include <string.h>

/* The columns without costs. Types precede names, so that the indexes of their
 * strings are small. */
typedef enum column_kind {
    COLUMN_DEPTH,
    COLUMN_TYPE,
    COLUMN_NAME,
    COLUMN_FILE,
    COLUMN_FUNCTION,
    COLUMN_TEXT,
    COLUMN_LINE,
    COLUMN_MORE,
    COLUMNS
} column_kind;

static const char *const column_names[COLUMNS] = {
    "depth", "type", "name", "file", "function", "text", "line", "more",
};

/* The costs of one step: two columns for each cost. */
typedef struct layer {
    int64_t step;
    const tfp_costs *self;           /* by subject */
    const tfp_costs *totals;         /* by row */
    tfp_costs members, groups, rows; /* unused if the view's are used */
    tfp_planes self_planes[TFP_COST_COUNT], rest_planes[TFP_COST_COUNT];
} layer;

typedef struct tree {
    tfp_chunks *chunks;
    const tfp_html_rows *rows;
    const tfp_view *view;
    tfp_memory *memory;
    size_t count;       /* of rows */
    size_t levels;      /* number of levels, plus one below the deepest */
    uint32_t *subjects; /* by row: its member or group, or TFP_NO_ID */
    uint32_t *parents;  /* by level: the last row so far */
    int64_t *sums;      /* by level and cost: totals for the next parent */
    int64_t *values;    /* by row, of the current column */
    tfp_cost costs[TFP_COST_COUNT], main;
    size_t cost_count;
    uint32_t *strings[COLUMNS]; /* indexes of strings by row, or NULL */
    tfp_planes planes[COLUMNS];
    layer *layers; /* the first one is the view's own */
    size_t layer_count;
} tree;

/* ---- Costs of a page ---------------------------------------------------- */

/* Chooses the selected costs, and also those of TFP_PAGE_COSTS whose total is
 * not 0. Parts of the time that are shown without being selected are left out.
 */
static void choose_costs(tree *t)
{
    const tfp_view *v = t->view;
    uint32_t wanted = v->totals.wanted;
    t->main = (tfp_cost)(v->order - TFP_ORDER_COSTS);
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        bool is_asked = v->select >> cost & 1 || cost == (int)t->main;
        if (!(wanted >> cost & 1))
            continue;
        if (is_asked || (TFP_PAGE_COSTS >> cost & 1 &&
                         tfp_row_total(v, 0, (tfp_cost)cost) != 0))
            t->costs[t->cost_count++] = (tfp_cost)cost;
    }
}

static bool depends_on_step(tfp_cost cost)
{
    return cost != TFP_COST_PARAMS;
}

/* Does a layer have columns of a cost? */
static bool has_cost(const tree *t, const layer *l, tfp_cost cost)
{
    return l == t->layers || depends_on_step(cost);
}

/* ---- Layers ------------------------------------------------------------- */

static void release_layer(const tree *t, layer *l)
{
    tfp_costs_release(&l->members, t->memory);
    tfp_costs_release(&l->groups, t->memory);
    tfp_costs_release(&l->rows, t->memory);
}

static void sum_groups(const tfp_view *v, layer *l, tfp_watch *watch)
{
    for (size_t g = 0; g < v->group_count; g++) {
        for (uint32_t i = v->group_first[g];
             i < v->group_first[g + 1] && !tfp_watch_ends(watch); i++)
            tfp_costs_add(&l->groups, g, &l->members, v->group_members[i]);
    }
}

/* The parent of a row that is kept is the nearest one that is shown. */
static void sum_rows(const tfp_view *v, layer *l, tfp_watch *watch)
{
    for (uint32_t r = (uint32_t)v->rows.count;
         r-- > 1 && !tfp_watch_ends(watch);) {
        const tfp_row *row = &v->rows.data[r];
        if (!(v->flags[r] & TFP_ROW_KEPT))
            continue;
        if (row->subject != TFP_NO_ID)
            tfp_costs_add(&l->rows, r, l->self, row->subject);
        tfp_costs_add(&l->rows, row->parent, &l->rows, r);
    }
}

/* Computes the costs of a step that is not the view's own. */
static int open_layer(tree *t, layer *l, tfprof_error *err)
{
    const tfp_view *v = t->view;
    tfp_watch watch = { .cancel = v->cancel };
    uint32_t wanted = 0;
    int status;
    for (size_t i = 0; i < t->cost_count; i++)
        wanted |= depends_on_step(t->costs[i]) ? 1u << t->costs[i] : 0;
    status = tfp_costs_init(&l->members, v->census, l->step, wanted, v->cancel,
                            err);
    if (status != TFPROF_OK)
        return status;
    wanted = l->members.wanted;
    l->self = v->type->groups ? &l->groups : &l->members;
    l->totals = &l->rows;
    if ((v->type->groups && !tfp_costs_make(&l->groups, t->memory,
                                            v->group_count, wanted, &watch)) ||
        !tfp_costs_make(&l->rows, t->memory, v->rows.count, wanted, &watch))
        return watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
    if (v->type->groups)
        sum_groups(v, l, &watch);
    sum_rows(v, l, &watch);
    return watch.cancelled ? tfp_fail_cancelled(err) : TFPROF_OK;
}

/* ---- Columns of costs --------------------------------------------------- */

/* In a flat view, the level of each row is one more than that of the row
 * before. On the page, all rows of a flat view are directly below the root. */
static uint32_t depth_of(const tree *t, size_t at)
{
    return t->view->type->is_chain ? at > 0 : t->rows->shown[at].level;
}

static int64_t self_of(const tree *t, const layer *l, size_t at, tfp_cost cost)
{
    uint32_t subject = t->subjects[at];
    return subject == TFP_NO_ID ? 0 : *tfp_costs_at(l->self, subject, cost);
}

/* The cost of hidden rows below a row: its total minus its own cost and the
 * totals of the shown rows below it. Must be called for all rows, from the last
 * to the first, because `sums` collects the totals of rows until their parent
 * comes. `place` is the index of the cost in `sums`. */
static int64_t rest_of(tree *t, const layer *l, size_t at, tfp_cost cost,
                       size_t place, int64_t self)
{
    uint32_t depth = depth_of(t, at);
    int64_t *sum = &t->sums[depth * t->cost_count + place];
    int64_t *below = sum + t->cost_count;
    int64_t total = t->view->type->is_chain && at > 0
                        ? self
                        : *tfp_costs_at(l->totals, t->rows->shown[at].row,
                                        cost);
    int64_t rest = tfp_sub_sat(tfp_sub_sat(total, self), *below);
    *below = 0;
    *sum = tfp_add_sat(*sum, total);
    return rest;
}

static void clear_sums(tree *t)
{
    memset(t->sums, 0, t->levels * t->cost_count * sizeof(*t->sums));
}

static bool is_done(const tree *t, size_t round)
{
    return tfp_sink_is_done(&t->chunks->data, round);
}

static void measure(tree *t, layer *l)
{
    clear_sums(t);
    for (size_t at = t->count; at-- > 0 && !is_done(t, at);) {
        for (size_t i = 0; i < t->cost_count; i++) {
            tfp_cost cost = t->costs[i];
            int64_t self;
            if (!has_cost(t, l, cost))
                continue;
            self = self_of(t, l, at, cost);
            tfp_planes_add(&l->self_planes[i], self);
            tfp_planes_add(&l->rest_planes[i],
                           rest_of(t, l, at, cost, i, self));
        }
    }
}

static void write_cost(tree *t, const layer *l, size_t place)
{
    tfp_cost cost = t->costs[place];
    for (size_t at = 0; at < t->count && !is_done(t, at); at++)
        t->values[at] = self_of(t, l, at, cost);
    tfp_chunk_values(t->chunks, t->values, t->count, l->self_planes[place]);
    if (l->rest_planes[place].bits == 0)
        return;
    clear_sums(t);
    for (size_t at = t->count; at-- > 0 && !is_done(t, at);)
        t->values[at] = rest_of(t, l, at, cost, place, t->values[at]);
    tfp_chunk_values(t->chunks, t->values, t->count, l->rest_planes[place]);
}

/* ---- Columns of rows ---------------------------------------------------- */

static bool is_text(int kind)
{
    return kind >= COLUMN_TYPE && kind <= COLUMN_TEXT;
}

static bool is_wanted(const tree *t, int kind)
{
    const tfp_view *v = t->view;
    switch (kind) {
    case COLUMN_TYPE: return !v->type->groups;
    case COLUMN_FILE:
    case COLUMN_FUNCTION:
    case COLUMN_TEXT:
    case COLUMN_LINE: return v->type->has_lines;
    case COLUMN_MORE: return v->top > 0;
    default: return true;
    }
}

/* Removes the name of the parent from the beginning of a name. */
static tfp_span own_part(tfp_span name, tfp_span parent)
{
    if (name.size > parent.size && name.data[parent.size] == '/' &&
        !memcmp(name.data, parent.data, parent.size))
        return (tfp_span){ name.data + parent.size + 1,
                           name.size - parent.size - 1 };
    return name;
}

static tfp_span name_of(tree *t, size_t at)
{
    const tfp_row *rows = t->view->rows.data;
    uint32_t row = t->rows->shown[at].row, level = t->rows->shown[at].level;
    tfp_span name = tfp_row_name(&rows[row]);
    if (at == 0)
        return tfp_span_of("all");
    if (!t->view->type->adds_names)
        return name;
    t->parents[level] = row;
    return level < 2
               ? name
               : own_part(name, tfp_row_name(&rows[t->parents[level - 1]]));
}

static tfp_span text_of(tree *t, int kind, size_t at)
{
    tfp_code_place place;
    if (kind == COLUMN_NAME)
        return name_of(t, at);
    tfp_row_source(t->view, t->rows->shown[at].row, &place);
    return kind == COLUMN_FILE       ? place.file
           : kind == COLUMN_FUNCTION ? place.function
                                     : place.text;
}

static bool find_strings(tree *t, int kind)
{
    uint32_t *strings = t->strings[kind];
    for (size_t at = 0; at < t->count && !is_done(t, at); at++)
        strings[at] = tfp_chunks_string(t->chunks, text_of(t, kind, at));
    return !t->chunks->failed;
}

/* Models have many nodes but few types, so the string of each type is looked up
 * only once. */
static bool find_types(tree *t)
{
    const tfp_view *v = t->view;
    uint32_t *known = tfp_memory_zarray(t->memory, v->census->name_count,
                                        sizeof(*known));
    uint32_t *strings = t->strings[COLUMN_TYPE];
    if (!known)
        return false;
    for (size_t at = 0; at < t->count && !is_done(t, at); at++) {
        uint32_t subject = t->subjects[at];
        tfp_string op = subject == TFP_NO_ID
                            ? 0
                            : tfp_member_op(v->model,
                                            &v->census->members.data[subject]);
        if (op != 0 && known[op] == 0)
            known[op] = tfp_chunks_string(t->chunks,
                                          tfp_model_text(v->model, op));
        strings[at] = known[op];
    }
    tfp_memory_free(t->memory, known);
    return !t->chunks->failed;
}

static void fill(tree *t, int kind)
{
    const tfp_shown *shown = t->rows->shown;
    tfp_code_place place;
    for (size_t at = 0; at < t->count && !is_done(t, at); at++) {
        switch (kind) {
        case COLUMN_DEPTH: t->values[at] = depth_of(t, at); break;
        case COLUMN_MORE:
            t->values[at] = tfp_row_rest(t->view, shown[at].row);
            break;
        case COLUMN_LINE:
            tfp_row_source(t->view, shown[at].row, &place);
            t->values[at] = place.line;
            break;
        default: t->values[at] = t->strings[kind][at]; break;
        }
    }
}

static bool find_columns(tree *t)
{
    for (int kind = 0; kind < COLUMNS; kind++) {
        if (!is_wanted(t, kind))
            continue;
        if (is_text(kind)) {
            t->strings[kind] = tfp_memory_zarray(t->memory, t->count,
                                                 sizeof(uint32_t));
            if (!t->strings[kind] ||
                !(kind == COLUMN_TYPE ? find_types(t) : find_strings(t, kind)))
                return false;
        }
        fill(t, kind);
        t->planes[kind] = tfp_planes_of(t->values, t->count);
    }
    return true;
}

/* ---- The head ----------------------------------------------------------- */

static void put_steps(const tree *t, tfp_json *json)
{
    const tfp_model *model = t->view->model;
    tfp_json_open(json, "steps", '[');
    const tfp_step *first = tfp_model_first_step(model);
    size_t steps = tfp_model_count_steps(model);
    for (size_t i = 0; i < t->layer_count; i++) {
        int64_t step = t->layers[i].step;
        char text[TFP_STEP_TITLE];
        const char *title = "all steps (average)";
        if (model->steps.count == 0)
            title = "no steps";
        else if (first && step < 0 && steps == 1)
            title = tfp_step_title(first->id, text);
        else if (!tfp_step_is_average(step))
            title = tfp_step_title(step, text);
        tfp_json_open(json, NULL, '{');
        tfp_json_int(json, "id", step);
        tfp_json_text(json, "title", title);
        tfp_json_close(json);
    }
    tfp_json_close(json);
}

static void put_cost_column(const tree *t, const char *name, const layer *l,
                            tfp_cost cost, tfp_planes planes)
{
    tfp_json *json = &t->chunks->json;
    tfp_chunk_column(t->chunks, name, planes);
    tfp_json_text(json, "metric", tfp_metrics[cost].name);
    tfp_json_int(json, "step", depends_on_step(cost) ? l->step : -1);
    tfp_json_close(json);
}

static void put_columns(const tree *t, tfp_json *json)
{
    tfp_json_open(json, "columns", '[');
    for (int kind = 0; kind < COLUMNS; kind++) {
        if (!is_wanted(t, kind))
            continue;
        tfp_chunk_column(t->chunks, column_names[kind], t->planes[kind]);
        if (is_text(kind))
            tfp_json_text(json, "type", "string");
        tfp_json_close(json);
    }
    for (size_t n = 0; n < t->layer_count; n++) {
        const layer *l = &t->layers[n];
        for (size_t i = 0; i < t->cost_count; i++) {
            if (!has_cost(t, l, t->costs[i]))
                continue;
            put_cost_column(t, "self", l, t->costs[i], l->self_planes[i]);
            if (l->rest_planes[i].bits != 0)
                put_cost_column(t, "rest", l, t->costs[i], l->rest_planes[i]);
        }
    }
    tfp_json_close(json);
}

static void put_head(const tree *t)
{
    static const struct {
        const char *view, *title;
    } titles[] = {
        { "scope", "Scopes" },
        { "graph", "Graph" },
        { "op", "Operations" },
        { "code", "Code" },
    };
    const tfp_view_type *type = t->view->type;
    tfp_json *json = tfp_chunk_open(t->chunks, "tree");
    tfp_json_text(json, "id", type->name);
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        if (!strcmp(titles[i].view, type->name))
            tfp_json_text(json, "title", titles[i].title);
    }
    tfp_json_int(json, "rows", (int64_t)t->count);
    tfp_json_text(json, "main", tfp_metrics[t->main].name);
    if (type->is_chain)
        tfp_json_bool(json, "flat", true);
    put_steps(t, json);
    tfp_html_metrics(json, t->costs, t->cost_count,
                     tfp_model_has_picos(t->view->model));
    put_columns(t, json);
    tfp_chunk_begin_columns(t->chunks);
}

/* ---- The chunk ---------------------------------------------------------- */

static int measure_layers(tree *t, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < t->layer_count && status == TFPROF_OK; i++) {
        if (i > 0)
            status = open_layer(t, &t->layers[i], err);
        if (status == TFPROF_OK)
            measure(t, &t->layers[i]);
        release_layer(t, &t->layers[i]);
    }
    return status;
}

static int write_layers(tree *t, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t n = 0; n < t->layer_count && status == TFPROF_OK; n++) {
        layer *l = &t->layers[n];
        if (n > 0)
            status = open_layer(t, l, err);
        for (size_t i = 0; i < t->cost_count && status == TFPROF_OK; i++) {
            if (has_cost(t, l, t->costs[i]))
                write_cost(t, l, i);
        }
        release_layer(t, l);
    }
    return status;
}

static bool make_room(tree *t)
{
    const tfp_shown *shown = t->rows->shown;
    uint32_t deepest = 0;
    for (size_t at = 0; at < t->count; at++)
        deepest = shown[at].level > deepest ? shown[at].level : deepest;
    t->levels = (size_t)deepest + 2;
    t->subjects = tfp_memory_array(t->memory, t->count, sizeof(uint32_t));
    t->parents = tfp_memory_zarray(t->memory, t->levels, sizeof(uint32_t));
    t->sums = tfp_memory_array(t->memory, t->levels,
                               t->cost_count * sizeof(*t->sums));
    t->values = tfp_memory_zarray(t->memory, t->count, sizeof(*t->values));
    t->layers = tfp_memory_zarray(t->memory, t->layer_count,
                                  sizeof(*t->layers));
    if (!t->subjects || !t->parents || !t->sums || !t->values || !t->layers)
        return false;
    for (size_t at = 0; at < t->count; at++)
        t->subjects[at] = t->view->rows.data[shown[at].row].subject;
    return true;
}

static void make_layers(tree *t)
{
    const tfp_view *v = t->view;
    int64_t own = v->options->step;
    t->layers[0].step = tfp_step_is_average(own) ? -1 : own;
    t->layers[0].self = v->type->groups ? &v->group_costs : &v->costs;
    t->layers[0].totals = &v->totals;
    for (size_t i = 0; i < t->rows->step_count; i++)
        t->layers[i + 1].step = t->rows->steps[i];
}

static int write_tree(tree *t, tfprof_error *err)
{
    int status;
    if (!make_room(t))
        return tfp_fail_nomem(err);
    make_layers(t);
    if (!find_columns(t))
        return tfp_fail_nomem(err);
    status = measure_layers(t, err);
    if (status != TFPROF_OK)
        return status;
    put_head(t);
    for (int kind = 0; kind < COLUMNS; kind++) {
        if (!is_wanted(t, kind))
            continue;
        fill(t, kind);
        tfp_chunk_values(t->chunks, t->values, t->count, t->planes[kind]);
    }
    return write_layers(t, err);
}

int tfp_html_tree(tfp_chunks *chunks, const tfp_html_rows *rows,
                  tfprof_error *err)
{
    tree t = { .chunks = chunks,
               .rows = rows,
               .view = rows->view,
               .memory = rows->view->memory,
               .count = rows->count,
               .layer_count = rows->step_count + 1 };
    int status;
    choose_costs(&t);
    status = write_tree(&t, err);
    for (int kind = 0; kind < COLUMNS; kind++)
        tfp_memory_free(t.memory, t.strings[kind]);
    tfp_memory_free(t.memory, t.subjects);
    tfp_memory_free(t.memory, t.parents);
    tfp_memory_free(t.memory, t.sums);
    tfp_memory_free(t.memory, t.values);
    tfp_memory_free(t.memory, t.layers);
    return status;
}
