/*
 * brief.c - what takes longest, as a table for people tells it: each thing
 * once.
 *
 * Three reports as those of expensive.c: types of operations, nodes, and lines
 * of code. The update of the optimizer is one thing, whatever types and nodes
 * it is made of. Lines are those of the model's own code, by the time of what
 * they made themselves.
 */
#include <string.h>

#include "advise/advise.h"
#include "advise/expensive.h"
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/gradients.h"
#include "model/model.h"
#include "options/options.h"
#include "view/view.h"

enum {
    MOST = TFP_MOST_FINDINGS,
    LEAST_UPDATE = 10, /* percent; an update that takes less is not named */
    LEAST_LINE = 1     /* percent; a line that takes less is not told */
};

/* ---- The optimizer ------------------------------------------------------ */

/* Scopes that optimizers make, in lower case and without the number that tells
 * two of them apart. */
static const char *const optimizers[] = {
    "adadelta", "adafactor", "adagrad", "adam",     "adamax", "adamw",
    "ftrl",     "lamb",      "lion",    "momentum", "nadam",  "gradientdescent",
    "rmsprop",  "optimizer", "sgd",
};

/* Scopes that people train in; what sets a variable there is an update. */
static const char *const trainings[] = { "train", "training", "train_op" };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool is_scope(tfp_span part, const char *const *words, size_t count)
{
    while (part.size > 0 && part.data[part.size - 1] >= '0' &&
           part.data[part.size - 1] <= '9')
        part.size--;
    if (part.size > 0 && part.data[part.size - 1] == '_')
        part.size--;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < part.size && words[i][k] &&
               (part.data[k] | (words[i][k] & 0x20)) == (uint8_t)words[i][k])
            k++;
        if (k == part.size && !words[i][k])
            return true;
    }
    return false;
}

/* Is one of the scopes in `name` among `words`? The last part of a name is the
 * node itself, not a scope. */
static bool has_scope(tfp_span name, const char *const *words, size_t count)
{
    size_t start = 0;
    for (size_t at = 0; at < name.size; at++) {
        if (name.data[at] != '/')
            continue;
        if (is_scope((tfp_span){ name.data + start, at - start }, words, count))
            return true;
        start = at + 1;
    }
    return false;
}

/* A type of operation, and what is known of it. */
typedef struct type_fact {
    tfp_string op;
    bool is_known, is_update, is_assignment;
} type_fact;

/* Decides which members are optimizer updates. A model has few types, and nodes
 * of one scope often follow each other, so the verdicts on recent types and on
 * the last scope are cached. */
typedef struct recognizer {
    const tfp_inquiry *q;
    type_fact types[64]; /* by the last bits of the op */
    tfp_span scope;      /* the last scope that was examined */
    bool is_optimizer, is_training;
} recognizer;

static const type_fact *type_of(recognizer *r, tfp_string op)
{
    type_fact *fact = &r->types[op % COUNT(r->types)];
    if (!fact->is_known || fact->op != op) {
        tfp_span text = tfp_model_text(r->q->model, op);
        *fact = (type_fact){ op, true, tfp_is_update_type(text),
                             tfp_is_assignment_type(text) };
    }
    return fact;
}

static void look_at_scope(recognizer *r, tfp_span name)
{
    while (name.size > 0 && name.data[name.size - 1] != '/')
        name.size--;
    if (tfp_span_equal(name, r->scope))
        return;
    r->scope = name;
    r->is_optimizer = has_scope(name, optimizers, COUNT(optimizers));
    r->is_training = has_scope(name, trainings, COUNT(trainings));
}

static bool is_update(recognizer *r, uint32_t member)
{
    const tfp_member *m = &r->q->census->members.data[member];
    const type_fact *type = type_of(r, tfp_member_op(r->q->model, m));
    tfp_span name = tfp_inquiry_name(r->q, member), forward;
    if (type->is_update)
        return true;
    look_at_scope(r, name);
    return (r->is_optimizer || (type->is_assignment && r->is_training)) &&
           !tfp_is_gradient(name, &forward);
}

/* All that the optimizer updates; no name when that is not much of the
 * whole. */
typedef struct update {
    recognizer knows;
    tfp_finding found;
    uint32_t member; /* the costliest */
} update;

static void find_update(tfp_inquiry *q, int64_t whole, update *u)
{
    tfp_finding found = { .kind = TFP_FINDING_TYPE,
                          .is_update = true,
                          .whole_micros = whole };
    u->member = TFP_NO_ID;
    u->knows = (recognizer){ .q = q };
    for (uint32_t m = 0;
         m < q->census->members.count && !tfp_watch_ends(&q->watch); m++) {
        int64_t micros = tfp_inquiry_cost(q, m, TFP_COST_MICROS);
        if (micros <= 0 || !is_update(&u->knows, m))
            continue;
        found.micros = tfp_add_sat(found.micros, micros);
        found.node_count++;
        u->member = tfp_inquiry_costlier(q, u->member, m, TFP_COST_MICROS);
    }
    if (!tfp_is_share(found.micros, whole, LEAST_UPDATE)) {
        u->member = TFP_NO_ID;
        return;
    }
    found.name = tfp_model_text(
        q->model, tfp_member_op(q->model, &q->census->members.data[u->member]));
    found.hint = tfp_hint_for_update();
    u->found = found;
}

static bool is_in_update(update *u, uint32_t member)
{
    return u->member != TFP_NO_ID && member != TFP_NO_ID &&
           is_update(&u->knows, member);
}

/* ---- Types of operations ------------------------------------------------ */

static int tell_types(tfp_inquiry *q, const tfp_view *view, update *u,
                      tfprof_error *err)
{
    bool is_told = u->member == TFP_NO_ID;
    int left = MOST, status = tfp_inquiry_report(q, err);
    for (size_t i = 1; i < view->shown_count && left > 0 && status == TFPROF_OK;
         i++) {
        uint32_t row = view->shown[i].row, member;
        tfp_finding found = {
            .kind = TFP_FINDING_TYPE,
            .name = tfp_row_name(&view->rows.data[row]),
            .micros = tfp_row_self(view, row, TFP_COST_MICROS),
            .whole_micros = tfp_row_total(view, 0, TFP_COST_MICROS)
        };
        member = tfp_expensive_member(q, view, row, TFP_NO_ID,
                                      &found.node_count);
        if (!is_told && u->found.micros >= found.micros) {
            status = tfp_inquiry_tell(q, u->found, u->member, err);
            is_told = true;
            left--;
        }
        if (status != TFPROF_OK || left == 0 || is_in_update(u, member))
            continue;
        status = tfp_inquiry_tell(q, found, member, err);
        left--;
    }
    if (!is_told && status == TFPROF_OK)
        status = tfp_inquiry_tell(q, u->found, u->member, err);
    return status;
}

/* *whole is the time of all. */
static int check_types(tfp_inquiry *q, int64_t *whole, update *u,
                       tfprof_error *err)
{
    enum { ENOUGH = 100 }; /* types, of which the optimizer has a few */
    tfp_options options;
    tfp_view view;
    int status = tfp_expensive_view(q, &tfp_op_view, ENOUGH, false, &options,
                                    &view, err);
    if (status == TFPROF_OK && view.shown_count > 1) {
        *whole = tfp_row_total(&view, 0, TFP_COST_MICROS);
        find_update(q, *whole, u);
        status = tell_types(q, &view, u, err);
    }
    tfp_expensive_view_release(&options, &view);
    return status;
}

/* ---- Nodes -------------------------------------------------------------- */

static int check_nodes(tfp_inquiry *q, int64_t whole, update *u,
                       tfprof_error *err)
{
    uint32_t top[MOST] = { TFP_NO_ID, TFP_NO_ID, TFP_NO_ID };
    int status = TFPROF_OK;
    for (uint32_t m = 0;
         m < q->census->members.count && !tfp_watch_ends(&q->watch); m++) {
        if (tfp_inquiry_cost(q, m, TFP_COST_MICROS) > 0 && !is_in_update(u, m))
            tfp_inquiry_rank(q, top, MOST, m);
    }
    if (top[0] != TFP_NO_ID)
        status = tfp_inquiry_report(q, err);
    for (int i = 0; i < MOST && top[i] != TFP_NO_ID && status == TFPROF_OK;
         i++) {
        tfp_finding found = { .kind = TFP_FINDING_NODE,
                              .name = tfp_inquiry_name(q, top[i]),
                              .micros = tfp_inquiry_cost(q, top[i],
                                                         TFP_COST_MICROS),
                              .whole_micros = whole,
                              .node_count = 1 };
        status = tfp_inquiry_tell(q, found, top[i], err);
    }
    return status;
}

/* ---- Lines of code ------------------------------------------------------ */

/* A line stands below each of those that call it: rows of the same name are
 * one. */
typedef struct lines {
    const tfp_view *view;
    tfp_sort_item *items; /* rows by their names, and room to sort them */
    size_t count;
} lines;

typedef struct line {
    size_t first, end; /* items; none: there is no line */
    int64_t self;
} line;

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
    const tfp_view *view = context;
    return tfp_span_compare(tfp_row_name(&view->rows.data[a]),
                            tfp_row_name(&view->rows.data[b]));
}

static bool lines_init(lines *l, const tfp_view *view, const tfp_cancel *cancel)
{
    l->view = view;
    l->items = tfp_memory_array(view->memory, 2 * view->shown_count + 1,
                                sizeof(*l->items));
    if (!l->items)
        return false;
    for (size_t i = 1; i < view->shown_count; i++)
        l->items[l->count++] = (tfp_sort_item){ 0, view->shown[i].row };
    /* When it is cancelled the watch ends what follows. */
    (void)tfp_sort_until(l->items, l->count, l->items + l->count, compare_names,
                         view, cancel);
    return true;
}

/* The one whose first row stands at `at`. */
static line line_at(const lines *l, size_t at)
{
    line found = { at, at, 0 };
    do {
        uint32_t row = l->items[found.end++].index;
        found.self = tfp_add_sat(found.self,
                                 tfp_row_self(l->view, row, TFP_COST_MICROS));
    } while (found.end < l->count &&
             compare_names(l->view, l->items[at].index,
                           l->items[found.end].index) == 0);
    return found;
}

static void rank_lines(tfp_inquiry *q, const lines *l, int64_t whole,
                       line top[MOST])
{
    for (size_t at = 0; at < l->count && !tfp_watch_ends(&q->watch);) {
        line found = line_at(l, at);
        at = found.end;
        if (!tfp_is_share(found.self, whole, LEAST_LINE))
            continue;
        for (int k = 0; k < MOST; k++) {
            line there = top[k];
            if (there.self >= found.self)
                continue;
            top[k] = found;
            found = there; /* which goes one place down */
        }
    }
}

static int tell_lines(tfp_inquiry *q, const lines *l, int64_t whole, update *u,
                      tfprof_error *err)
{
    line top[MOST] = { 0 };
    int status = TFPROF_OK;
    rank_lines(q, l, whole, top);
    if (top[0].end > 0)
        status = tfp_inquiry_report(q, err);
    for (int i = 0; i < MOST && top[i].end > 0 && status == TFPROF_OK; i++) {
        uint32_t row = l->items[top[i].first].index, member = TFP_NO_ID;
        tfp_finding found = { .kind = TFP_FINDING_CODE,
                              .name = tfp_row_name(&l->view->rows.data[row]),
                              .micros = top[i].self,
                              .whole_micros = whole };
        for (size_t k = top[i].first; k < top[i].end; k++)
            member = tfp_expensive_member(q, l->view, l->items[k].index, member,
                                          &found.node_count);
        found.is_update = is_in_update(u, member);
        status = tfp_inquiry_tell(q, found, member, err);
    }
    return status;
}

static int check_code(tfp_inquiry *q, int64_t whole, update *u,
                      tfprof_error *err)
{
    enum { DEPTH = 100 };
    tfp_options options;
    tfp_view view;
    lines l = { 0 };
    int status = tfp_expensive_view(q, &tfp_code_view, DEPTH, true, &options,
                                    &view, err);
    if (status == TFPROF_OK && !lines_init(&l, &view, q->watch.cancel))
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = tell_lines(q, &l, whole, u, err);
    tfp_memory_free(q->memory, l.items);
    tfp_expensive_view_release(&options, &view);
    return status;
}

int tfp_expensive_tell_brief(tfp_inquiry *q, tfprof_error *err)
{
    update u = { .member = TFP_NO_ID };
    int64_t whole = 0;
    int status = check_types(q, &whole, &u, err);
    if (status == TFPROF_OK)
        status = check_nodes(q, whole, &u, err);
    if (status == TFPROF_OK && !q->advice->misses_traces)
        status = check_code(q, whole, &u, err);
    return status;
}
