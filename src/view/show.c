/*
 * show.c - which rows are shown, below which others, and in which order.
 */
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/times.h"
#include "options/options.h"
#include "view/tree.h"
#include "view/view.h"

/* ---- Filters ------------------------------------------------------------ */

typedef struct minimum {
    tfp_cost cost;
    bool of_self; /* compares the row itself, in every view */
    int64_t least;
} minimum;

typedef struct filter {
    minimum minima[2 * TFP_COST_COUNT];
    size_t minimum_count;
    int64_t least_members;  /* of a row that stands for a group */
    int64_t deepest;        /* rows with a larger depth are not reached */
    bool counts_deep;       /* rows below `deepest` are counted */
    tfp_view_columns shown; /* rows that are 0 in all of these are not shown */
} filter;

/* Views of single nodes compare parameters, float operations and runs of the
 * node itself; the others the sums. Occurrence means nodes, not runs, in the
 * op view, and nothing in the code view. */
int64_t tfp_row_compared(const tfp_view *v, uint32_t row, tfp_cost cost)
{
    if (cost == TFP_COST_RUNS && v->type->groups)
        return tfp_row_nodes(v, row);
    return !v->type->groups && tfp_metrics[cost].traits & TFP_METRIC_OF_ITSELF
               ? tfp_row_self(v, row, cost)
               : tfp_row_total(v, row, cost);
}

static void make_filter(filter *f, const tfp_view *v)
{
    int64_t unit = tfp_model_time_unit(v->model);
    *f = (filter){ .deepest = tfp_view_depth(v->type, v->options),
                   .least_members = INT64_MIN };
    f->counts_deep = tfp_view_tells_limits(v->options) &&
                     tfp_options_give(v->options, "max_depth");
    if (tfp_view_is_table(v->options))
        f->shown = tfp_view_columns_of(v->type, v->select);
    /* A chain has no root to count: its first row has the depth 0. How long
     * it is to be, `top` says if it is given. */
    if (v->type->is_chain) {
        f->deepest = v->top < 0 ? f->deepest + 2 : INT64_MAX;
        f->least_members = v->options->minima[TFP_COST_RUNS];
    }
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        minimum m = { .cost = (tfp_cost)cost,
                      .least = tfp_cost_from_user(
                          (tfp_cost)cost, v->options->minima[cost], unit) };
        if (cost == TFP_COST_RUNS && v->type->groups)
            continue; /* which has least_members, if anything */
        if (m.least > 0 || v->census->has_negatives)
            f->minima[f->minimum_count++] = m;
    }
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        minimum m = { .cost = (tfp_cost)cost,
                      .of_self = true,
                      .least = tfp_cost_from_user((tfp_cost)cost,
                                                  v->options->self_minima[cost],
                                                  unit) };
        if (m.least > 0)
            f->minima[f->minimum_count++] = m;
    }
}

static bool reaches_minima(const tfp_view *v, const filter *f, uint32_t row)
{
    for (size_t i = 0; i < f->minimum_count; i++) {
        const minimum *m = &f->minima[i];
        int64_t value = m->of_self ? tfp_row_self(v, row, m->cost)
                                   : tfp_row_compared(v, row, m->cost);
        if (value < m->least)
            return false;
    }
    return true;
}

static bool has_members(const tfp_view *v, const filter *f, uint32_t row)
{
    size_t count;
    tfp_row_members(v, row, &count);
    return (int64_t)count >= f->least_members;
}

static bool on_asked_device(tfp_view *v, uint32_t row)
{
    size_t count;
    const uint32_t *members = tfp_row_members(v, row, &count);
    if (v->devices.any)
        return true;
    for (size_t i = 0; i < count; i++) {
        tfp_string device = v->census->members.data[members[i]].device;
        if (device != 0 &&
            tfp_view_matches(v, &v->devices, v->device_verdicts, device))
            return true;
    }
    return false;
}

/* Would a table show nothing but 0 of it? */
static bool is_empty(const tfp_view *v, const filter *f, uint32_t row)
{
    for (size_t i = 0; i < f->shown.count; i++) {
        tfp_cost cost = f->shown.costs[i];
        if (v->type->is_chain ? tfp_row_self(v, row, cost) != 0
                              : tfp_row_total(v, row, cost) != 0)
            return false;
    }
    return f->shown.count > 0;
}

static bool should_show(tfp_view *v, const filter *f, uint32_t row)
{
    tfp_span name = tfp_row_name(&v->rows.data[row]);
    if (!has_members(v, f, row) || !reaches_minima(v, f, row) ||
        !on_asked_device(v, row))
        return false;
    return tfp_patterns_match(&v->show, name) &&
           !tfp_patterns_match(&v->hide, name);
}

/* ---- From the top down -------------------------------------------------- */

/* A start node becomes a child of the root and keeps the rows below it. */
static void start_row(tfp_view *v, uint32_t row)
{
    tfp_row *r = &v->rows.data[row];
    if (r->parent != 0 && v->flags[r->parent] & TFP_ROW_STARTED) {
        v->flags[row] |= TFP_ROW_STARTED;
    } else if (tfp_patterns_match(&v->start, tfp_row_name(r))) {
        v->flags[row] |= TFP_ROW_STARTED;
        r->parent = 0;
    }
}

static void reach_row(tfp_view *v, const filter *f, uint32_t row)
{
    tfp_row *r = &v->rows.data[row];
    uint8_t above = v->flags[r->parent];
    bool trimmed, is_deep = above & TFP_ROW_DEEP || r->depth > f->deepest;
    if (!(v->flags[row] & TFP_ROW_STARTED) ||
        !(above & (TFP_ROW_REACHED | TFP_ROW_DEEP)) || above & TFP_ROW_ENDS)
        return;
    if (is_deep && !(above & TFP_ROW_DEEP))
        v->deep_rows += !is_empty(v, f, row);
    if (is_deep && !f->counts_deep)
        return;
    trimmed = tfp_patterns_match(&v->trim, tfp_row_name(r));
    if (trimmed && v->type->trims_itself)
        return;
    v->flags[row] |= (is_deep ? TFP_ROW_DEEP : TFP_ROW_REACHED) |
                     (trimmed ? TFP_ROW_ENDS : 0);
    if (!should_show(v, f, row))
        return;
    if (is_deep) {
        v->flags[row] |= TFP_ROW_REACHED;
        v->limited_rows++;
    } else if (is_empty(v, f, row))
        v->empty_rows++;
    else
        v->flags[row] |= TFP_ROW_SHOWN;
}

/* Decides about every row in turn; afterwards each kept row has the nearest
 * shown one as its parent. */
static void decide(tfp_view *v, const filter *f)
{
    bool all_start = v->start.any || (v->type->is_chain && v->start.count == 0);
    v->flags[0] |= TFP_ROW_STARTED | TFP_ROW_REACHED | TFP_ROW_SHOWN;
    if (!v->type->is_chain &&
        tfp_patterns_match(&v->trim, tfp_row_name(&v->rows.data[0])))
        v->flags[0] |= TFP_ROW_ENDS;
    v->rows.data[0].depth = 1;
    for (uint32_t row = 1; row < v->rows.count; row++) {
        tfp_row *r = &v->rows.data[row];
        if (tfp_view_is_cancelled(v, row))
            return;
        if (!(v->flags[row] & TFP_ROW_KEPT))
            continue;
        if (all_start)
            v->flags[row] |= TFP_ROW_STARTED;
        else
            start_row(v, row);
        r->depth = v->rows.data[r->parent].depth + 1;
        reach_row(v, f, row);
        if (!(v->flags[r->parent] & TFP_ROW_SHOWN))
            r->parent = v->rows.data[r->parent].parent;
    }
}

/* ---- Sums over what is shown -------------------------------------------- */

static void recount(tfp_view *v)
{
    size_t size = v->totals.width * sizeof(int64_t);
    if (v->totals.values)
        memset(v->totals.values, 0, v->rows.count * size);
    if (v->definitions)
        memset(v->definitions, 0, v->rows.count * sizeof(int64_t));
    for (uint32_t row = (uint32_t)v->rows.count;
         row-- > 0 && !tfp_view_is_cancelled(v, row);) {
        if (!(v->flags[row] & TFP_ROW_SHOWN))
            continue;
        tfp_view_add_self(v, row);
        if (row > 0)
            tfp_view_add_child(v, v->rows.data[row].parent, row);
    }
}

static bool count_hidden(tfp_view *v)
{
    size_t count = v->rows.count;
    v->hidden = tfp_memory_zarray(v->memory, count, sizeof(*v->hidden));
    if (!v->hidden)
        return false;
    for (uint32_t row = (uint32_t)count; row-- > 1;) {
        uint32_t parent = v->rows.data[row].parent;
        size_t members;
        if (v->flags[row] & TFP_ROW_SHOWN) {
            v->hidden[parent] += v->hidden[row];
        } else if (v->flags[row] & TFP_ROW_ACCOUNTED) {
            tfp_row_members(v, row, &members);
            v->hidden[parent] += (uint32_t)members;
        }
    }
    return true;
}

/* ---- Order -------------------------------------------------------------- */

/* The shown rows by number, for the callbacks of the sort. */
typedef struct ordering {
    const tfp_view *view;
    const uint32_t *rows;
    tfp_cost cost; /* that is ordered by */
} ordering;

static uint64_t name_key(const void *context, uint32_t item)
{
    const ordering *o = context;
    const tfp_row *row = &o->view->rows.data[o->rows[item]];
    return tfp_text_key(row->name, row->name_size);
}

static int name_tie(const void *context, uint32_t a, uint32_t b)
{
    const ordering *o = context;
    return tfp_span_compare(tfp_row_name(&o->view->rows.data[o->rows[a]]),
                            tfp_row_name(&o->view->rows.data[o->rows[b]]));
}

static uint64_t total_key(const void *context, uint32_t item)
{
    const ordering *o = context;
    return tfp_sort_key_falling(tfp_row_total(o->view, o->rows[item], o->cost));
}

static uint64_t members_key(const void *context, uint32_t item)
{
    const ordering *o = context;
    size_t count;
    tfp_row_members(o->view, o->rows[item], &count);
    return tfp_sort_key_falling((int64_t)count);
}

static tfp_sibling_order sibling_order(const tfp_view *v, ordering *o)
{
    tfp_sibling_order order = { .context = o };
    int64_t by = v->order;
    if (v->type->is_chain || by == TFP_ORDER_DEPTH)
        return order; /* a chain was sorted before it was nested */
    if (by == TFP_ORDER_NAME) {
        order.key = name_key;
        order.tie = name_tie;
    } else if (by == TFP_ORDER_OCCURRENCE && v->type->groups) {
        order.key = members_key;
    } else {
        o->cost = (tfp_cost)(by - TFP_ORDER_COSTS);
        order.key = total_key;
    }
    return order;
}

static size_t count_shown(const tfp_view *v)
{
    size_t shown = 0;
    for (size_t row = 0; row < v->rows.count; row++)
        shown += (v->flags[row] & TFP_ROW_SHOWN) != 0;
    return shown;
}

/* Numbers the shown rows from 0 on. */
static void number_shown(tfp_view *v, uint32_t *rows, uint32_t *parent)
{
    uint32_t next = 0;
    for (uint32_t row = 0; row < v->rows.count; row++) {
        tfp_row *r = &v->rows.data[row];
        if (!(v->flags[row] & TFP_ROW_SHOWN))
            continue;
        r->number = next;
        rows[next] = row;
        parent[next++] = v->rows.data[r->parent].number;
    }
}

static bool place_shown(tfp_view *v, uint32_t *rows, uint32_t *parent,
                        uint32_t *place)
{
    ordering o = { .view = v, .rows = rows };
    tfp_sibling_order order = sibling_order(v, &o);
    order.view = v;
    number_shown(v, rows, parent);
    if (tfp_view_is_cancelled(v, 0) ||
        !tfp_tree_order(v->memory, parent, v->shown_count, &order, place))
        return false;
    for (size_t i = 0; i < v->shown_count && !tfp_view_is_cancelled(v, i);
         i++) {
        uint32_t level = i == 0 ? 0 : v->shown[place[parent[i]]].level + 1;
        v->shown[place[i]] = (tfp_shown){ rows[i], level };
    }
    return !v->cancelled;
}

static bool order_shown(tfp_view *v)
{
    size_t count = count_shown(v);
    uint32_t *block = tfp_memory_array(v->memory, 3 * count, sizeof(*block));
    bool ok = false;
    v->shown = block ? tfp_memory_array(v->memory, count, sizeof(*v->shown))
                     : NULL;
    if (v->shown) {
        v->shown_count = v->shown_room = count;
        ok = place_shown(v, block, block + count, block + 2 * count);
    }
    tfp_memory_free(v->memory, block);
    return ok;
}

/* The first siblings of each level, if that is asked for. */
static bool cut(tfp_view *v)
{
    size_t before = v->shown_count, rests = 0;
    if (!tfp_view_cut(v))
        return false;
    if (v->top <= 0 || !tfp_view_tells_limits(v->options))
        return true;
    for (size_t i = 0; i < v->shown_count; i++)
        rests += tfp_row_rest(v, v->shown[i].row) > 0;
    v->limited_rows += (int64_t)(before - v->shown_count + rests);
    return true;
}

int tfp_view_show(tfp_view *v, tfprof_error *err)
{
    filter f;
    if (!v->devices.any) {
        v->device_verdicts = tfp_view_verdicts(v);
        if (!v->device_verdicts)
            return tfp_fail_nomem(err);
    }
    make_filter(&f, v);
    decide(v, &f);
    if (v->cancelled)
        return tfp_fail_cancelled(err);
    if (v->options->account_displayed_op_only && !v->type->keeps_totals)
        recount(v);
    if (tfp_view_is_cancelled(v, 0))
        return tfp_fail_cancelled(err);
    if (v->select & TFP_SELECT_NUM_HIDDEN_OPS && !count_hidden(v))
        return tfp_fail_nomem(err);
    return order_shown(v) && cut(v) ? TFPROF_OK : tfp_fail_nomem(err);
}
