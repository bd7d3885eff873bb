/*
 * code_view.c - nodes below the source lines that made them.
 *
 * A row is a line of a call stack in short form, "model.py:12:build"; stacks
 * share rows as far as their short forms agree. The nodes of a gradient do
 * not stand where TensorFlow made them but beside the operation they are the
 * gradient of: below the lines of its stack, each marked "(gradient)".
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/costs.h"
#include "model/gradients.h"
#include "model/library.h"
#include "model/model.h"
#include "model/traces.h"
#include "options/options.h"
#include "view/code_lines.h"
#include "view/tree.h"
#include "view/view.h"

enum {
    FORWARD,
    GRADIENT,
    FLAVOURS,
    FUNCTION_SIZE = 20, /* a function's name this long is cut... */
    FUNCTION_CUT = 17   /* ...to this, and "..." */
};

typedef struct code_builder {
    tfp_view *view;
    tfp_interner rows;          /* {parent, name}: item k is row k */
    uint32_t *names[FLAVOURS];  /* short form, by frame; TFP_NO_ID: not yet */
    uint32_t *stacks[FLAVOURS]; /* row, by stack; TFP_NO_ID: not yet */
    size_t frame_count, stack_count;
    TFP_VEC(tfp_stack) path;
    TFP_VEC(uint32_t) first;  /* by row: the member that made it appear */
    TFP_VEC(uint8_t) flavour; /* by row */
    uint8_t *folded;          /* by frame, where libraries are folded */
    bool is_whole;            /* nothing is missing: what has no line gets a
                               * row of its own, and gradients of tapes go to
                               * the line of their operation */
    bool is_unordered;        /* the order of lines does not matter */
} code_builder;

/* ---- Libraries ---------------------------------------------------------- */

/* Is the line of a library shown as the line that called it? */
static bool folds_libraries(const tfp_options *o)
{
    return tfp_options_give(o, "own") ? o->own : tfp_view_is_table(o);
}

/* A user says which files are theirs, or we know which are not. */
static bool find_folded(code_builder *b)
{
    tfp_view *v = b->view;
    b->folded = tfp_memory_array(v->memory, v->model->frames.count, 1);
    if (!b->folded)
        return false;
    for (size_t i = 0; i < v->model->frames.count; i++) {
        tfp_span file = tfp_model_text(v->model, v->model->frames.data[i].file);
        if (tfp_view_is_cancelled(v, i))
            return false;
        b->folded[i] = v->own.count > 0 ? !tfp_patterns_match(&v->own, file)
                                        : tfp_is_library(file);
    }
    return true;
}

static bool is_folded(const code_builder *b, const tfp_frame *frame)
{
    return b->folded && b->folded[frame - b->view->model->frames.data];
}

/* ---- Short forms -------------------------------------------------------- */

/* The id of "file.py:12:function" in view->names; of a frame without a line the
 * function alone. TFP_NO_ID when out of memory. */
static uint32_t short_form(code_builder *b, const tfp_frame *frame, int flavour)
{
    tfp_view *v = b->view;
    tfp_span file = tfp_span_base_name(tfp_model_text(v->model, frame->file));
    tfp_span function = tfp_model_text(v->model, frame->function);
    bool cut = function.size >= FUNCTION_SIZE && !frame->is_bare;
    size_t shown = cut ? FUNCTION_CUT : function.size;
    size_t size = file.size + shown + 64, used;
    uint8_t *text = tfp_memory_array(v->memory, size, 1);
    uint32_t id;
    if (!text)
        return TFP_NO_ID;
    if (file.size > 0)
        memcpy(text, file.data, file.size);
    used = file.size;
    if (!frame->is_bare)
        used += (size_t)snprintf((char *)text + used, size - used,
                                 ":%d:", (int)frame->line);
    if (shown > 0)
        memcpy(text + used, function.data, shown);
    used += shown;
    used += (size_t)snprintf((char *)text + used, size - used, "%s%s",
                             cut ? "..." : "",
                             flavour == GRADIENT ? TFP_GRADIENT_MARK : "");
    id = tfp_intern(&v->names, (tfp_span){ text, used });
    tfp_memory_free(v->memory, text);
    return id;
}

static uint32_t frame_name(code_builder *b, uint32_t frame, int flavour)
{
    uint32_t *name = &b->names[flavour][frame];
    if (*name == TFP_NO_ID)
        *name = short_form(b, &b->view->model->frames.data[frame], flavour);
    return *name;
}

/* ---- Rows of stacks ----------------------------------------------------- */

/* The row of a line below another one. TFP_NO_ID when out of memory. */
static uint32_t child_row(code_builder *b, uint32_t parent, uint32_t name,
                          int flavour)
{
    tfp_view *v = b->view;
    uint32_t key[2] = { parent, name };
    uint32_t row = tfp_intern(&b->rows,
                              (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (row == TFP_NO_ID || row < v->rows.count)
        return row;
    if (!TFP_VEC_PUSH(v->memory, &b->first, TFP_NO_ID) ||
        !TFP_VEC_PUSH(v->memory, &b->flavour, (uint8_t)flavour))
        return TFP_NO_ID;
    return tfp_view_add_row(v, tfp_interned(&v->names, name), parent,
                            TFP_NO_ID);
}

/* The row of a stack's innermost line. TFP_NO_ID when out of memory. */
static uint32_t stack_row(code_builder *b, tfp_stack stack, int flavour)
{
    tfp_view *v = b->view;
    uint32_t row = 0;
    b->path.count = 0;
    while (stack != 0 && b->stacks[flavour][stack] == TFP_NO_ID) {
        if (!TFP_VEC_PUSH(v->memory, &b->path, stack))
            return TFP_NO_ID;
        tfp_stack_top(v->model, stack, &stack);
    }
    if (stack != 0)
        row = b->stacks[flavour][stack];
    while (b->path.count > 0) {
        tfp_stack below;
        const tfp_frame *frame;
        uint32_t name;
        stack = b->path.data[--b->path.count];
        frame = tfp_stack_top(v->model, stack, &below);
        if (is_folded(b, frame)) {
            b->stacks[flavour][stack] = row;
            continue;
        }
        name = frame_name(b, (uint32_t)(frame - v->model->frames.data),
                          flavour);
        if (name == TFP_NO_ID)
            return TFP_NO_ID;
        row = child_row(b, row, name, flavour);
        if (row == TFP_NO_ID)
            return TFP_NO_ID;
        b->stacks[flavour][stack] = row;
    }
    return row;
}

/* ---- Members ------------------------------------------------------------ */

static tfp_stack trace_of(const tfp_view *v, uint32_t member)
{
    return tfp_member_trace(v->model, &v->census->members.data[member]);
}

static tfp_span member_name(const tfp_view *v, uint32_t member)
{
    return tfp_model_text(v->model, v->census->members.data[member].name);
}

/* A line appears with the first of its nodes, by name. */
static void appear(code_builder *b, uint32_t row, uint32_t member)
{
    uint32_t *first = &b->first.data[row];
    if (b->is_unordered)
        return;
    if (*first == TFP_NO_ID ||
        tfp_span_compare(member_name(b->view, member),
                         member_name(b->view, *first)) < 0)
        *first = member;
}

/* The row of what no line of code has. TFP_NO_ID when out of memory. */
static uint32_t rest_row(code_builder *b)
{
    uint32_t name = tfp_intern(&b->view->names, tfp_span_of(TFP_NO_LINE));
    return name == TFP_NO_ID ? TFP_NO_ID : child_row(b, 0, name, FORWARD);
}

/* Puts a member there, if there is such a row. */
static bool place_without(code_builder *b, uint32_t member, uint32_t *row)
{
    *row = TFP_NO_ID;
    if (!b->is_whole)
        return true;
    *row = rest_row(b);
    if (*row == TFP_NO_ID)
        return false;
    appear(b, *row, member);
    return true;
}

/* Which member's line a member belongs to, and as what: the operation that it
 * is the gradient of, or itself. TFP_NO_ID: to none. */
static uint32_t origin_of(const code_builder *b, uint32_t member, int *flavour)
{
    tfp_view *v = b->view;
    tfp_span name = member_name(v, member), forward;
    bool has_line = trace_of(v, member) != 0;
    /* In a trace names are longer, and the stack is found already. */
    bool is_lent = v->census->members.data[member].is_lent;
    uint32_t origin = TFP_NO_ID;
    *flavour = GRADIENT;
    if ((has_line || b->is_whole) && tfp_is_gradient(name, &forward)) {
        origin = tfp_census_forward(v->census, forward);
        if (origin == TFP_NO_ID && is_lent)
            origin = member;
        if (!b->is_whole) { /* as upstream */
            v->lost_gradients += origin == TFP_NO_ID;
            return origin;
        }
    } else if (b->is_whole && !is_lent) {
        origin = tfp_census_taped(v->census, name);
    }
    if (origin != TFP_NO_ID)
        return origin;
    *flavour = FORWARD;
    return has_line ? member : TFP_NO_ID;
}

/* Puts a member below its line. False when out of memory. */
static bool place(code_builder *b, uint32_t member, uint32_t *row)
{
    int flavour;
    uint32_t origin = origin_of(b, member, &flavour);
    if (origin == TFP_NO_ID)
        return place_without(b, member, row);
    *row = stack_row(b, trace_of(b->view, origin), flavour);
    if (*row == TFP_NO_ID)
        return false;
    if (*row == 0) /* nothing but libraries */
        return place_without(b, member, row);
    appear(b, *row, origin);
    return true;
}

/* Rows with nodes of their own get a group; group_of holds rows until then. */
static size_t number_groups(tfp_view *v, uint32_t *group_of)
{
    size_t groups = 0;
    for (size_t m = 0; m < v->census->members.count; m++) {
        tfp_row *row;
        if (group_of[m] == TFP_NO_ID)
            continue;
        row = &v->rows.data[group_of[m]];
        if (row->subject == TFP_NO_ID)
            row->subject = (uint32_t)groups++;
        group_of[m] = row->subject;
    }
    return groups;
}

/* ---- Order of appearance ------------------------------------------------ */

static uint64_t appearance_key(const void *context, uint32_t item)
{
    const code_builder *b = context;
    tfp_span name = member_name(b->view, b->first.data[item]);
    /* One bit less of the name makes room for the flavor on top. */
    return (uint64_t)b->flavour.data[item] << 63 |
           tfp_text_key(name.data, name.size) >> 1;
}

static int appearance_tie(const void *context, uint32_t x, uint32_t y)
{
    const code_builder *b = context;
    return tfp_span_compare(member_name(b->view, b->first.data[x]),
                            member_name(b->view, b->first.data[y]));
}

/* A line appears with the first node below it, too. */
static void appear_above(code_builder *b)
{
    const tfp_view *v = b->view;
    for (size_t row = v->rows.count; row-- > 1;)
        appear(b, v->rows.data[row].parent, b->first.data[row]);
}

static bool arrange(code_builder *b)
{
    tfp_sibling_order order = { appearance_key, appearance_tie, b, NULL };
    return tfp_view_arrange(b->view, &order);
}

/* ---- Lines of rows ------------------------------------------------------ */

/* Files of one name in two folders, and functions whose names are cut to the
 * same, share a row. Upstream tells of the one that the first node, by name,
 * came along. A row and its first node lie on that node's way up, so each row
 * is passed once. */
static void find_lines(const code_builder *b, tfp_line *lines)
{
    const tfp_view *v = b->view;
    for (uint32_t last = 1; last < v->rows.count; last++) {
        uint32_t first = b->first.data[last];
        uint8_t flavour = b->flavour.data[last];
        tfp_stack stack = trace_of(v, first);
        if (b->stacks[flavour][stack] != last)
            continue;
        for (uint32_t row = last; row != 0 && b->first.data[row] == first;
             row = v->rows.data[row].parent) {
            const tfp_frame *frame = tfp_stack_top(v->model, stack, &stack);
            while (is_folded(b, frame))
                frame = tfp_stack_top(v->model, stack, &stack);
            lines[row] = (tfp_line){ (uint32_t)(frame - v->model->frames.data),
                                     flavour == GRADIENT, false };
        }
    }
    for (uint32_t row = 1; row < v->rows.count; row++)
        lines[v->rows.data[row].parent].is_caller = true;
}

/* Rows are numbered anew when they are arranged, and keep the old number. */
static bool arrange_with_lines(code_builder *b)
{
    tfp_view *v = b->view;
    size_t count = v->rows.count;
    tfp_line *old = tfp_memory_array(v->memory, count, sizeof(*old));
    bool ok;
    v->lines = old ? tfp_memory_array(v->memory, count, sizeof(*old)) : NULL;
    ok = v->lines != NULL;
    for (uint32_t row = 0; ok && row < count; row++)
        v->rows.data[row].before = row;
    for (uint32_t row = 0; ok && row < count; row++)
        old[row] = (tfp_line){ .frame = TFP_NO_ID };
    if (ok) {
        old[0] = (tfp_line){ 0 };
        find_lines(b, old);
    }
    ok = ok && arrange(b);
    for (uint32_t row = 1; ok && row < count; row++)
        v->lines[row] = old[v->rows.data[row].before];
    tfp_memory_free(v->memory, old);
    return ok;
}

/* Plain text has the names of rows alone. */
static bool needs_lines(const tfp_options *o)
{
    return o->code_text || o->format == TFP_FORMAT_JSON ||
           o->format == TFP_FORMAT_CSV || o->output.kind == TFP_OUTPUT_PPROF ||
           o->output.kind == TFP_OUTPUT_TIMELINE ||
           o->output.kind == TFP_OUTPUT_SPEEDSCOPE ||
           o->output.kind == TFP_OUTPUT_HTML;
}

/* ---- The view ----------------------------------------------------------- */

/* Makes an array larger; new entries are TFP_NO_ID. */
static bool grow(tfp_memory *memory, uint32_t **array, size_t old, size_t count)
{
    uint32_t *grown = tfp_memory_resize(memory, *array, count * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + old, 0xff, (count - old) * sizeof(*grown));
    *array = grown;
    return true;
}

/* Makes room for `frames` frames and `stacks` stacks. */
static bool reach(code_builder *b, size_t frames, size_t stacks)
{
    tfp_memory *memory = b->view->memory;
    for (int f = 0; f < FLAVOURS; f++) {
        if (!grow(memory, &b->names[f], b->frame_count, frames) ||
            !grow(memory, &b->stacks[f], b->stack_count, stacks))
            return false;
    }
    b->frame_count = frames;
    b->stack_count = stacks;
    return true;
}

static bool make_builder(code_builder *b)
{
    tfp_view *v = b->view;
    if (!reach(b, v->model->frames.count,
               tfp_interner_count(&v->model->stacks)))
        return false;
    /* Row 0, the root, is item 0 of the table. */
    return tfp_interner_init(&v->names, v->memory, 1, tfp_random_seed()) &&
           tfp_interner_init(&b->rows, v->memory, 4, tfp_random_seed()) &&
           TFP_VEC_PUSH(v->memory, &b->first, TFP_NO_ID) &&
           TFP_VEC_PUSH(v->memory, &b->flavour, FORWARD);
}

static void release_builder(code_builder *b)
{
    tfp_view *v = b->view;
    for (int f = 0; f < FLAVOURS; f++) {
        tfp_memory_free(v->memory, b->names[f]);
        tfp_memory_free(v->memory, b->stacks[f]);
    }
    tfp_interner_release(&b->rows);
    TFP_VEC_RELEASE(v->memory, &b->path);
    TFP_VEC_RELEASE(v->memory, &b->first);
    TFP_VEC_RELEASE(v->memory, &b->flavour);
    tfp_memory_free(v->memory, b->folded);
}

/* Upstream leaves out what has no line; its text, its timelines and its
 * profiles stay so. */
static bool is_whole(const tfp_view *v)
{
    const tfp_options *o = v->options;
    if (o->output.kind == TFP_OUTPUT_PPROF)
        return o->output.places == TFP_PLACES_LINES;
    return folds_libraries(o) || tfp_view_is_table(o) ||
           (o->output.kind != TFP_OUTPUT_TIMELINE &&
            tfp_view_is_data(v->type, o));
}

static bool add_rows(code_builder *b, uint32_t *group_of)
{
    bool ok = make_builder(b) &&
              (!folds_libraries(b->view->options) || find_folded(b));
    b->is_whole = is_whole(b->view);
    for (uint32_t m = 0; ok && m < b->view->census->members.count; m++)
        ok = place(b, m, &group_of[m]);
    return ok;
}

/* Adds up what has no row in upstream's form of the view. */
static void add_up_times(tfp_view *v, const uint32_t *group_of)
{
    if (!tfp_costs_has(&v->costs, TFP_COST_MICROS))
        return;
    for (uint32_t m = 0; m < v->census->members.count; m++) {
        int64_t time = *tfp_costs_at(&v->costs, m, TFP_COST_MICROS);
        if (tfp_view_is_cancelled(v, m))
            return;
        if (time == 0 || !tfp_view_accounts(v, m))
            continue;
        v->node_time = tfp_add_sat(v->node_time, time);
        if (group_of[m] == TFP_NO_ID)
            v->time_without_line = tfp_add_sat(v->time_without_line, time);
    }
}

static int build(tfp_view *v, tfprof_error *err)
{
    size_t members = v->census->members.count, groups = 0;
    uint32_t *group_of = tfp_memory_array(v->memory, members,
                                          sizeof(*group_of));
    code_builder b = { .view = v };
    int status = TFPROF_OK;
    if (!group_of || !add_rows(&b, group_of)) {
        status = tfp_fail_nomem(err);
    } else {
        bool with_lines = needs_lines(v->options);
        groups = number_groups(v, group_of);
        appear_above(&b);
        if (!(with_lines ? arrange_with_lines(&b) : arrange(&b)))
            status = tfp_fail_nomem(err);
    }
    release_builder(&b);
    if (status == TFPROF_OK)
        status = tfp_view_group(v, group_of, groups, err);
    if (status == TFPROF_OK && !b.is_whole)
        add_up_times(v, group_of);
    tfp_memory_free(v->memory, group_of);
    return status;
}

const tfp_view_type tfp_code_view = {
    .name = "code",
    .build = build,
    .groups = true,
    .trims_itself = true,
    .keeps_totals = true,
    .needs_traces = true,
    .has_lines = true,
    .is_multi_message = true,
    .timeline = TFP_TIMELINE_SHARES,
};

/* ---- Single members ----------------------------------------------------- */

struct tfp_code_lines {
    tfp_view view; /* of which the rows, the names and the model are used */
    code_builder builder;
};

tfp_code_lines *tfp_code_lines_new(const tfp_census *census, tfp_memory *memory)
{
    tfp_code_lines *l = tfp_memory_zalloc(memory, sizeof(*l));
    if (!l)
        return NULL;
    l->view = (tfp_view){ .type = &tfp_code_view,
                          .memory = memory,
                          .model = census->model,
                          .census = census };
    l->builder = (code_builder){ .view = &l->view,
                                 .is_whole = true,
                                 .is_unordered = true };
    if (make_builder(&l->builder) &&
        tfp_view_add_row(&l->view, (tfp_span){ 0 }, 0, TFP_NO_ID) != TFP_NO_ID)
        return l;
    tfp_code_lines_free(l);
    return NULL;
}

void tfp_code_lines_free(tfp_code_lines *l)
{
    if (!l)
        return;
    release_builder(&l->builder);
    TFP_VEC_RELEASE(l->view.memory, &l->view.rows);
    tfp_interner_release(&l->view.names);
    tfp_memory_free(l->view.memory, l);
}

bool tfp_code_lines_find(tfp_code_lines *l, uint32_t member, uint32_t *row)
{
    code_builder *b = &l->builder;
    size_t frames = l->view.model->frames.count;
    size_t stacks = tfp_interner_count(&l->view.model->stacks);
    if ((frames > b->frame_count || stacks > b->stack_count) &&
        !reach(b, frames + frames / 2, stacks + stacks / 2))
        return false;
    return place(b, member, row);
}

tfp_span tfp_code_lines_name(const tfp_code_lines *l, uint32_t row)
{
    return tfp_row_name(&l->view.rows.data[row]);
}

uint32_t tfp_code_lines_parent(const tfp_code_lines *l, uint32_t row)
{
    return l->view.rows.data[row].parent;
}
