/*
 * pprof.c - a view for the pprof program: profile.proto.
 *
 * Rows become places, nodes become samples. A node that is not shown counts
 * for the nearest row above it that is, so that sums over samples are the
 * totals of the rows. In the code view upstream leaves nodes out, and so do we
 * unless asked for all: calling_leaf(). Its places there are calls, which know
 * the line that calls and not the one that is called; asked for lines, each row
 * is a place with its own.
 */
#include "output/pprof/pprof.h"

#include "proto/put.h"

#include "model/times.h"
#include "model/traces.h"

#include "model/model.h"

#include "model/metrics.h"

#include "model/ids.h"

#include "model/costs.h"

#include "model/census.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/bytes.h"

#include <stdio.h>

#include "options/labels.h"
#include "output/pprof/pprof_parts.h"
#include "output/view/view.h"

static const char node_key[] = "graph node:"; /* upstream's, with its colon */

/* A shown row of the code view. */
typedef struct call {
    uint32_t location; /* its id; as a call 0 at the top, which nothing shown
                        * calls */
    bool is_caller;    /* something shown is below it */
} call;

typedef struct writer {
    const tfp_view *view;
    tfp_pprof out;
    tfp_cost costs[TFP_COST_COUNT]; /* the values behind the count */
    size_t cost_count;
    bool only_shown, only_leaves, by_lines;
    int64_t left_out; /* nodes that only_leaves has no sample of */
    /* Strings. A key that is 0 is not written. */
    uint32_t node_key, op_key, device_key, step_key, step;
    struct {
        uint32_t key, value;
    } labels[TFP_MOST_LABELS]; /* of the user, as strings */
    size_t label_count;
    call *calls;                       /* code: by number of the shown row */
    tfp_interner functions, locations; /* code: a key each; id 0 is none */
} writer;

/* ---- What is selected --------------------------------------------------- */

enum { COSTS = (1 << TFP_COST_COUNT) - 1 };

/* The keys of labels in addition to those of the user; NULL: not written. */
typedef struct label_keys {
    const char *setting, *node, *op, *device, *step;
} label_keys;

/* By tfp_sample_labels. Pyroscope 1.12.0 rejects a profile with upstream's key,
 * so groups has only keys that are valid names of labels in Prometheus. */
static const label_keys keys_of[] = {
    [TFP_LABELS_NODE] = { "node", node_key, NULL, NULL, NULL },
    [TFP_LABELS_ALL] = { "all", node_key, "op", "device", "step" },
    [TFP_LABELS_GROUPS] = { "groups", NULL, "op_type", "device", NULL },
};

/* A sample has each key once. */
static int check_labels(const tfp_options *o, tfprof_error *err)
{
    const label_keys *keys = &keys_of[o->output.labels];
    const char *const own[] = { keys->op, keys->device, keys->step };
    tfp_labels labels;
    tfp_labels_read(&o->label, &labels);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        if (own[i] && tfp_labels_find(&labels, own[i]))
            return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                            "--label: the setting labels=%s writes a label "
                            "'%s' (choose another key)",
                            keys->setting, own[i]);
    }
    return TFPROF_OK;
}

int tfp_pprof_check(const tfp_options *o, tfprof_error *err)
{
    if (o->select == TFP_SELECT_AUTO || !(o->select & ~COSTS))
        return check_labels(o, err);
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--select: a pprof file contains only costs (--output "
                    "pprof:outfile=FILE,labels=all adds ops and devices)");
}

/* ---- Head --------------------------------------------------------------- */

static uint32_t text(writer *w, const char *words)
{
    return tfp_pprof_text(&w->out, tfp_span_of(words));
}

static const char *unit_name(const writer *w, tfp_cost cost)
{
    tfp_unit unit = tfp_metrics[cost].unit;
    return unit == TFP_UNIT_MICROS && tfp_model_has_picos(w->view->model)
               ? "nanoseconds"
               : tfp_unit_name(unit);
}

/* Is this the main cost: the first that the user selects, or else the one that
 * orders the rows? */
static bool is_main(const tfp_view *v, tfp_cost cost)
{
    const tfp_options *o = v->options;
    return o->select == TFP_SELECT_AUTO
               ? v->order == (int64_t)TFP_ORDER_COSTS + cost
               : o->select_first == (int64_t)1 << cost;
}

/* The selected costs in the order of the columns, but the main one last:
 * Pyroscope 1.12.0 names a profile after its last type, unless a type has "cpu"
 * in its name, and pprof shows the default type. */
static void choose_costs(writer *w)
{
    tfp_view_columns columns = tfp_view_cost_columns(w->view);
    size_t at = 0; /* of the main cost */
    for (size_t i = 0; i < columns.count; i++) {
        tfp_cost cost = columns.costs[i];
        if (!(w->view->select >> cost & 1))
            continue; /* a part of the time, which brings its parts along */
        if (is_main(w->view, cost))
            at = w->cost_count;
        w->costs[w->cost_count++] = cost;
    }
    for (; at + 1 < w->cost_count; at++) {
        tfp_cost cost = w->costs[at];
        w->costs[at] = w->costs[at + 1];
        w->costs[at + 1] = cost;
    }
}

static void write_types(writer *w)
{
    uint32_t type = text(w, "count"), last = 0;
    tfp_pprof_type(&w->out, type, type);
    choose_costs(w);
    for (size_t i = 0; i < w->cost_count; i++) {
        last = text(w, tfp_metrics[w->costs[i]].name);
        tfp_pprof_type(&w->out, last, text(w, unit_name(w, w->costs[i])));
    }
    tfp_pprof_default_type(&w->out, last);
}

static void write_labels(writer *w)
{
    tfp_labels labels;
    tfp_labels_read(&w->view->options->label, &labels);
    for (size_t i = 0; i < labels.count; i++) {
        tfp_span value = tfp_label_value(&labels.at[i]);
        if (value.size == 0) /* in pprof, a label without a value */
            continue;
        w->labels[w->label_count].key = text(w, labels.at[i].key);
        w->labels[w->label_count++].value = tfp_pprof_text(&w->out, value);
    }
}

static void write_head(writer *w)
{
    const tfp_view *v = w->view;
    const label_keys *keys = &keys_of[v->options->output.labels];
    bool is_average = tfp_step_is_average(v->options->step);
    char words[80], step[24] = "rest", title[TFP_STEP_TITLE];
    if (v->options->step >= 0)
        snprintf(step, sizeof(step), "%lld", (long long)v->options->step);
    write_types(w);
    snprintf(words, sizeof(words), "tfprof: %s view, %s", v->type->name,
             tfp_step_title(v->options->step, title));
    tfp_pprof_comment(&w->out, text(w, words));
    w->node_key = keys->node ? text(w, keys->node) : 0;
    w->op_key = keys->op ? text(w, keys->op) : 0;
    w->device_key = keys->device ? text(w, keys->device) : 0;
    if (keys->step) {
        w->step_key = text(w, keys->step);
        w->step = text(w, is_average ? "average" : step);
    }
    write_labels(w);
}

/* ---- Places of rows ----------------------------------------------------- */

/* Shown rows are numbered from 0, the root's number. No row stands for others
 * here: -top has no effect in pprof files. */
static uint32_t row_number(const tfp_view *v, uint32_t row)
{
    return v->rows.data[row].number;
}

/* A row is a function of its own, called as the row is. */
static void write_row(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    const tfp_row *r = &v->rows.data[row];
    uint32_t id = row_number(v, row);
    tfp_pprof_function function = { 0 };
    if (!v->type->groups && r->subject != TFP_NO_ID)
        function.name = tfp_pprof_name(
            &w->out, v->census->members.data[r->subject].name);
    else
        function.name = tfp_pprof_text(&w->out, tfp_row_name(r));
    tfp_pprof_add_function(&w->out, id, &function);
    tfp_pprof_add_location(&w->out, id, id, 0);
}

/* ---- Places of calls ---------------------------------------------------- */

/* Upstream tells functions apart by this... */
typedef struct function_key {
    tfp_string file, function;
    int32_t start_line;
    uint32_t is_gradient;
} function_key;

/* ...and calls by this: two functions of one name that are called from one
 * line are the one that is called first. */
typedef struct location_key {
    tfp_string file, function; /* the caller's, the called one's */
    int32_t line;              /* the caller's; of a line, all is its own */
    uint32_t is_gradient;
} location_key;

/* The id of a key, and whether it is new. 0 when out of memory. */
static uint32_t find_or_add(writer *w, tfp_interner *keys, const void *key,
                            size_t size, bool *is_new)
{
    uint32_t before = tfp_interner_count(keys);
    uint32_t id = tfp_intern(keys, (tfp_span){ key, size });
    *is_new = id == before;
    if (id != TFP_NO_ID)
        return id;
    w->out.failed = true;
    *is_new = false;
    return 0;
}

/* "model" of "/u/model.py". */
static tfp_span module_name(tfp_span path)
{
    size_t start = path.size, end;
    while (start > 0 && path.data[start - 1] != '/')
        start--;
    for (end = path.size; end > start && path.data[end - 1] != '.';)
        end--;
    end = end > start ? end - 1 : path.size;
    return (tfp_span){ path.data + start, end - start };
}

/* "model:build", or "model:build (gradient)". */
static uint32_t function_name(writer *w, const tfp_frame *frame,
                              bool is_gradient)
{
    const tfp_model *model = w->view->model;
    const tfp_span parts[] = {
        module_name(tfp_model_text(model, frame->file)),
        tfp_span_of(":"),
        tfp_model_text(model, frame->function),
        tfp_span_of(is_gradient ? TFP_GRADIENT_MARK : ""),
    };
    tfp_put name;
    uint32_t number;
    tfp_put_init(&name, w->out.memory);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        tfp_put_raw(&name, parts[i]);
    w->out.failed |= name.failed;
    number = tfp_pprof_text(&w->out, tfp_put_span(&name));
    tfp_put_release(&name);
    return number;
}

static uint32_t function_id(writer *w, const tfp_line *line)
{
    const tfp_frame *frame = &w->view->model->frames.data[line->frame];
    function_key key = { frame->file, frame->function, frame->function_line,
                         line->is_gradient };
    bool is_new;
    uint32_t id = find_or_add(w, &w->functions, &key, sizeof(key), &is_new);
    if (is_new) {
        tfp_pprof_function function = {
            .name = function_name(w, frame, line->is_gradient),
            .file = tfp_pprof_name(&w->out, frame->file),
            .start_line = frame->function_line
        };
        tfp_pprof_add_function(&w->out, id, &function);
    }
    return id;
}

static uint32_t call_id(writer *w, const tfp_line *caller,
                        const tfp_line *called)
{
    const tfp_frame *frames = w->view->model->frames.data;
    location_key key = { frames[caller->frame].file,
                         frames[called->frame].function,
                         frames[caller->frame].line, called->is_gradient };
    bool is_new;
    uint32_t id = find_or_add(w, &w->locations, &key, sizeof(key), &is_new);
    if (is_new) {
        uint32_t function = function_id(w, called);
        tfp_pprof_add_location(&w->out, id, function, key.line);
    }
    return id;
}

/* What no line of code has is a function without a file. */
static uint32_t unknown_id(writer *w)
{
    bool is_new;
    uint32_t id = find_or_add(w, &w->functions, "?", 1, &is_new);
    if (is_new) {
        tfp_pprof_function function = { .name = text(w, TFP_NO_LINE) };
        tfp_pprof_add_function(&w->out, id, &function);
    }
    return id;
}

/* The place of a row that is a line. */
static uint32_t line_id(writer *w, const tfp_line *line)
{
    const tfp_frame *frame = line->frame == TFP_NO_ID
                                 ? NULL
                                 : &w->view->model->frames.data[line->frame];
    location_key key = { 0 };
    bool is_new;
    uint32_t id;
    if (frame)
        key = (location_key){ frame->file, frame->function, frame->line,
                              line->is_gradient };
    id = find_or_add(w, &w->locations, &key, frame ? sizeof(key) : 1, &is_new);
    if (is_new) {
        uint32_t function = frame ? function_id(w, line) : unknown_id(w);
        tfp_pprof_add_location(&w->out, id, function, key.line);
    }
    return id;
}

/* In the order in which rows are shown. */
static void write_lines(writer *w)
{
    const tfp_view *v = w->view;
    for (size_t i = 1; i < v->shown_count && tfp_pprof_ok(&w->out) &&
                       !tfp_sink_is_done(w->out.sink, i);
         i++) {
        uint32_t row = v->shown[i].row;
        w->calls[row_number(v, row)].location = line_id(w, &v->lines[row]);
    }
}

/* In the order in which rows are shown, which is upstream's. */
static void write_calls(writer *w)
{
    const tfp_view *v = w->view;
    for (size_t i = 1; i < v->shown_count && tfp_pprof_ok(&w->out) &&
                       !tfp_sink_is_done(w->out.sink, i);
         i++) {
        uint32_t row = v->shown[i].row, parent = v->rows.data[row].parent;
        if (parent == 0)
            continue;
        w->calls[row_number(v, parent)].is_caller = true;
        w->calls[row_number(v, row)].location = call_id(w, &v->lines[parent],
                                                        &v->lines[row]);
    }
}

static bool make_calls(writer *w)
{
    tfp_memory *memory = w->out.memory;
    w->calls = tfp_memory_zarray(memory, w->view->shown_count,
                                 sizeof(*w->calls));
    if (!w->calls)
        return false;
    return tfp_interner_init(&w->functions, memory, 1, tfp_random_seed()) &&
           tfp_interner_init(&w->locations, memory, 1, tfp_random_seed());
}

/* ---- Samples ------------------------------------------------------------ */

/* The row that ends the stack of a row's samples, for upstream's form of the
 * code view: only nodes of lines without further calls are samples, and the
 * stack ends at the last shown line above them. TFP_NO_ID: no sample. */
static uint32_t calling_leaf(const writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    uint32_t leaf = row;
    if (v->lines[row].is_caller)
        return TFP_NO_ID;
    if (!(v->flags[row] & TFP_ROW_SHOWN))
        leaf = v->rows.data[row].parent;
    return leaf == 0 || w->calls[row_number(v, leaf)].is_caller ? TFP_NO_ID
                                                                : leaf;
}

/* The row that ends the stack of a row's samples: the row itself, or the
 * nearest shown row above it. 0: the stack is empty; TFP_NO_ID: there is no
 * sample. */
static uint32_t leaf_of(const writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    bool is_shown = v->flags[row] & TFP_ROW_SHOWN;
    if (!(v->flags[row] & TFP_ROW_KEPT) || (w->only_shown && !is_shown))
        return TFP_NO_ID;
    if (w->only_leaves)
        return calling_leaf(w, row);
    if (is_shown)
        return row;
    return v->type->is_chain ? 0 : v->rows.data[row].parent;
}

static void put_stack(writer *w, uint32_t leaf)
{
    const tfp_view *v = w->view;
    tfp_put *put = &w->out.put;
    for (uint32_t row = leaf; row != 0; row = v->rows.data[row].parent) {
        uint32_t number = row_number(v, row);
        uint32_t id = w->calls ? w->calls[number].location : number;
        if (id != 0)
            tfp_put_varint(put, id);
        if (v->type->is_chain)
            return;
    }
}

static void put_labels(writer *w, const tfp_member *m, uint32_t name,
                       uint32_t op, uint32_t device)
{
    if (w->node_key != 0)
        tfp_pprof_label(&w->out, w->node_key, name);
    for (size_t i = 0; i < w->label_count; i++)
        tfp_pprof_label(&w->out, w->labels[i].key, w->labels[i].value);
    if (w->op_key != 0 && (op != 0 || w->node_key != 0))
        tfp_pprof_label(&w->out, w->op_key, op);
    if (w->device_key != 0 && m->device != 0)
        tfp_pprof_label(&w->out, w->device_key, device);
    if (w->step_key != 0)
        tfp_pprof_label(&w->out, w->step_key, w->step);
}

/* Times of a trace are nanoseconds, as programs that pprof knows have them:
 * a whole number that loses next to nothing. */
static int64_t sample_value(const writer *w, tfp_cost cost, int64_t value)
{
    const tfp_model *model = w->view->model;
    return tfp_model_has_picos(model) &&
                   tfp_metrics[cost].unit == TFP_UNIT_MICROS
               ? tfp_time_round(value, tfp_model_time_unit(model),
                                TFP_NANOSECOND)
               : value;
}

/* Has it an operation type? If not, its op is its name, which would make a
 * group for each node. */
static bool has_op(const tfp_member *m)
{
    return m->node != TFP_NO_NODE || m->is_stored;
}

static void write_sample(writer *w, uint32_t leaf, uint32_t member)
{
    const tfp_view *v = w->view;
    const tfp_member *m = &v->census->members.data[member];
    uint32_t name = 0, op = 0, device = 0;
    size_t part;
    if (w->node_key != 0)
        name = tfp_pprof_name(&w->out, m->name);
    if (w->op_key != 0 && (w->node_key != 0 || has_op(m)))
        op = tfp_pprof_name(&w->out, tfp_member_op(v->model, m));
    if (w->device_key != 0)
        device = tfp_pprof_name(&w->out, m->device);
    part = tfp_pprof_begin_sample(&w->out);
    put_stack(w, leaf);
    part = tfp_pprof_begin_values(&w->out, part);
    tfp_put_varint(&w->out.put, 1);
    for (size_t i = 0; i < w->cost_count; i++) {
        int64_t value = *tfp_costs_at(&v->costs, member, w->costs[i]);
        tfp_put_varint(&w->out.put,
                       (uint64_t)sample_value(w, w->costs[i], value));
    }
    tfp_pprof_end_values(&w->out, part);
    put_labels(w, m, name, op, device);
    tfp_pprof_end_sample(&w->out);
}

/* Parents precede their children, so each location is written before the
 * samples whose stacks contain it. */
static void write_rows(writer *w)
{
    const tfp_view *v = w->view;
    for (uint32_t row = 1;
         row < v->rows.count && !tfp_sink_is_done(w->out.sink, row); row++) {
        uint32_t leaf = leaf_of(w, row);
        size_t count;
        const uint32_t *members = tfp_row_members(v, row, &count);
        if (leaf == row && !w->calls)
            write_row(w, row);
        for (size_t i = 0; i < count && leaf != TFP_NO_ID &&
                           !tfp_sink_is_done(w->out.sink, i);
             i++)
            write_sample(w, leaf, members[i]);
        if (leaf == TFP_NO_ID && w->only_leaves)
            w->left_out += (int64_t)count;
        if (!tfp_pprof_ok(&w->out))
            return;
    }
}

/* ---- All of it ---------------------------------------------------------- */

static void release(writer *w)
{
    tfp_memory_free(w->out.memory, w->calls);
    tfp_interner_release(&w->functions);
    tfp_interner_release(&w->locations);
    tfp_pprof_release(&w->out);
}

int tfp_pprof_write(const tfp_view *v, tfp_sink *sink, int64_t *left_out,
                    tfprof_error *err)
{
    const tfp_options *o = v->options;
    writer w = { .view = v,
                 .only_shown = o->account_displayed_op_only &&
                               !v->type->keeps_totals,
                 .only_leaves = v->lines &&
                                o->output.samples == TFP_SAMPLES_LEAVES &&
                                o->output.places == TFP_PLACES_CALLS,
                 .by_lines = o->output.places == TFP_PLACES_LINES };
    bool ok;
    tfp_pprof_init(&w.out, v->model, sink);
    write_head(&w);
    if (v->lines && !make_calls(&w))
        w.out.failed = true;
    if (v->lines && tfp_pprof_ok(&w.out)) {
        if (w.by_lines)
            write_lines(&w);
        else
            write_calls(&w);
    }
    if (tfp_pprof_ok(&w.out))
        write_rows(&w);
    ok = tfp_pprof_ok(&w.out);
    *left_out = w.left_out;
    release(&w);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
