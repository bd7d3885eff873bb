/*
 * top.c - the first siblings at each level, and one row for the rest of them.
 *
 * What is shown stands in order, a row before all that is below it. Of too
 * many siblings the last go, and what is below them. The first that goes
 * gives its place to the row of the rest, so no column of the view has to
 * grow: it takes another name, is no node any more, and its total becomes the
 * sum of all that went.
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/costs.h"
#include "view/view.h"

/* Names the row that stands for `count` siblings. */
static bool name_rest(tfp_view *v, uint32_t row, uint32_t count)
{
    char name[32];
    tfp_row *r = &v->rows.data[row];
    uint32_t id;
    snprintf(name, sizeof(name), "(%u more)", (unsigned)count);
    if (!v->names.memory &&
        !tfp_interner_init(&v->names, v->memory, 1, tfp_random_seed()))
        return false;
    id = tfp_intern(&v->names, tfp_span_of(name));
    if (id == TFP_NO_ID)
        return false;
    r->name = tfp_interned(&v->names, id).data;
    r->name_size = (uint32_t)tfp_interned(&v->names, id).size;
    r->rest = count;
    v->flags[row] |= TFP_ROW_REST;
    return true;
}

/* ---- Trees -------------------------------------------------------------- */

typedef struct cutter {
    tfp_view *view;
    uint32_t *seen; /* by level: siblings so far */
    size_t kept;    /* rows that stay */
    tfp_shown rest; /* the row that others are being added to */
    uint32_t count; /* how many it stands for; 0: there is none */
} cutter;

/* A row of the rest is no node; its own costs are those of no one. */
static bool end_rest(cutter *c)
{
    tfp_view *v = c->view;
    uint32_t count = c->count;
    c->count = 0;
    if (count == 0)
        return true;
    v->rows.data[c->rest.row].subject = TFP_NO_ID;
    v->flags[c->rest.row] &= (uint8_t)~TFP_ROW_ACCOUNTED;
    return name_rest(v, c->rest.row, count);
}

static void add_to_rest(cutter *c, uint32_t row)
{
    tfp_view *v = c->view;
    tfp_view_add_child(v, c->rest.row, row);
    if (v->hidden)
        v->hidden[c->rest.row] += v->hidden[row];
    c->count++;
}

static bool cut_row(cutter *c, tfp_shown shown)
{
    tfp_view *v = c->view;
    if (c->count > 0 && shown.level > c->rest.level)
        return true; /* below one that goes */
    if (c->count > 0 && shown.level == c->rest.level) {
        add_to_rest(c, shown.row);
        return true;
    }
    if (!end_rest(c))
        return false;
    v->shown[c->kept++] = shown;
    if (c->seen[shown.level] == v->top) {
        c->rest = shown;
        c->count = 1;
    } else {
        c->seen[shown.level]++;
        c->seen[shown.level + 1] = 0;
    }
    return true;
}

static size_t count_levels(const tfp_view *v)
{
    uint32_t deepest = 0;
    for (size_t i = 0; i < v->shown_count; i++) {
        if (v->shown[i].level > deepest)
            deepest = v->shown[i].level;
    }
    return (size_t)deepest + 1;
}

static bool cut_tree(tfp_view *v)
{
    size_t levels = count_levels(v) + 1; /* and one below the deepest */
    cutter c = { .view = v };
    bool ok = true;
    c.seen = tfp_memory_array(v->memory, levels, sizeof(*c.seen));
    if (!c.seen)
        return false;
    c.seen[0] = 0;
    for (size_t i = 0; ok && i < v->shown_count; i++)
        ok = !tfp_view_is_cancelled(v, i) && cut_row(&c, v->shown[i]);
    ok = ok && end_rest(&c);
    tfp_memory_free(v->memory, c.seen);
    if (ok)
        v->shown_count = c.kept;
    return ok;
}

/* ---- Chains ------------------------------------------------------------- */

/* Each row of a chain has in its total all rows behind it already. Its own
 * cost is that of its nodes; so is that of the rest. */
static bool cut_chain(tfp_view *v)
{
    size_t first = (size_t)v->top + 1; /* behind the root */
    uint32_t row, group;
    if (v->shown_count <= first)
        return true;
    row = v->shown[first].row;
    group = v->rows.data[row].subject;
    v->rest_nodes = tfp_row_nodes(v, row);
    for (size_t i = first + 1; i < v->shown_count; i++) {
        uint32_t other = v->shown[i].row;
        tfp_costs_add(&v->group_costs, group, &v->group_costs,
                      v->rows.data[other].subject);
        v->rest_nodes += tfp_row_nodes(v, other);
    }
    if (!name_rest(v, row, (uint32_t)(v->shown_count - first)))
        return false;
    v->shown_count = first + 1;
    return true;
}

bool tfp_view_cut(tfp_view *v)
{
    if (v->top <= 0)
        return true;
    return v->type->is_chain ? cut_chain(v) : cut_tree(v);
}
