/*
 * summary.c - what of all answers stands on the one screen.
 */
#include "output/summary/summary.h"

#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "model/inputs.h"
#include "model/times.h"
#include "ops/flops/params.h"

/* ---- The most expensive ------------------------------------------------- */

static void add_row(tfp_summary_list *list, tfp_span name, int64_t cost,
                    int64_t whole)
{
    if (cost > 0 && list->count < TFP_SUMMARY_ROWS)
        list->rows[list->count++] = (tfp_summary_row){ name, cost, whole };
}

/* The next row below that of `above`, from `i` on; the count: there is none. */
static size_t next_child(const tfp_view *v, size_t above, size_t i)
{
    uint32_t level = v->shown[above].level;
    for (; i < v->shown_count && v->shown[i].level > level; i++) {
        if (v->shown[i].level == level + 1 &&
            tfp_row_rest(v, v->shown[i].row) == 0)
            return i;
    }
    return v->shown_count;
}

/* What the rows below one cost: its total without what it costs itself. */
static int64_t total_below(const tfp_view *v, uint32_t row, tfp_cost cost)
{
    return tfp_sub_sat(tfp_row_total(v, row, cost), tfp_row_self(v, row, cost));
}

static bool is_most(int64_t part, int64_t whole)
{
    const double most = 0.8;
    return part > 0 && (double)part >= (double)whole * most;
}

/* The row below `above` that holds most of it and tells nothing, because the
 * rows below it hold most of that; the count: there is none. An operation
 * whose own cost is large is shown itself, whatever is below its name. */
static size_t find_holder(const tfp_view *v, size_t above, tfp_cost cost)
{
    int64_t whole = tfp_row_total(v, v->shown[above].row, cost);
    size_t i = above;
    while ((i = next_child(v, above, i + 1)) < v->shown_count) {
        uint32_t row = v->shown[i].row;
        int64_t total = tfp_row_total(v, row, cost);
        if (is_most(total, whole) && is_most(total_below(v, row, cost), total))
            return i;
    }
    return v->shown_count;
}

/* Keeps the rows in the order of their costs; of equal ones the first. */
static void rank_scope(tfp_summary_list *list, tfp_summary_row row)
{
    size_t at = list->count;
    if (row.cost <= 0)
        return;
    while (at > 0 && list->rows[at - 1].cost < row.cost)
        at--;
    if (at == TFP_SUMMARY_ROWS)
        return;
    if (list->count < TFP_SUMMARY_ROWS)
        list->count++;
    memmove(&list->rows[at + 1], &list->rows[at],
            (list->count - 1 - at) * sizeof(row));
    list->rows[at] = row;
}

/* A scope that holds most of the one above it gives way to its parts. Those
 * beside it stay, so that no time is left out. */
static void pick_scopes(tfp_summary_list *list)
{
    const tfp_view *v = list->view;
    size_t above = 0, holder;
    do {
        size_t i = above;
        holder = find_holder(v, above, list->cost);
        while ((i = next_child(v, above, i + 1)) < v->shown_count) {
            uint32_t row = v->shown[i].row;
            if (i != holder)
                rank_scope(
                    list, (tfp_summary_row){ tfp_row_name(&v->rows.data[row]),
                                             tfp_row_total(v, row, list->cost),
                                             tfp_row_total(v, 0, list->cost) });
        }
        above = holder;
    } while (holder < v->shown_count);
}

/* Rows by name: a line that is called from two places is two rows of the code
 * view, and one line of a file. */
typedef struct own_cost {
    int64_t cost;
    uint32_t row; /* the first of that name */
} own_cost;

typedef struct own_costs {
    tfp_memory *memory;
    tfp_interner names;
    TFP_VEC(own_cost) costs; /* by item */
} own_costs;

static bool add_costs(own_costs *own, const tfp_view *v, tfp_cost cost)
{
    bool ok = tfp_interner_init(&own->names, own->memory, 1,
                                tfp_random_seed()) &&
              TFP_VEC_PUSH(own->memory, &own->costs, (own_cost){ 0 });
    for (size_t i = 1; ok && i < v->shown_count; i++) {
        uint32_t row = v->shown[i].row, item;
        tfp_span name = tfp_row_name(&v->rows.data[row]);
        if (tfp_row_rest(v, row) > 0 || tfp_span_is(name, TFP_NO_LINE))
            continue;
        item = tfp_intern(&own->names, name);
        ok = item != TFP_NO_ID &&
             (item < own->costs.count ||
              TFP_VEC_PUSH(own->memory, &own->costs, (own_cost){ 0, row }));
        if (ok)
            own->costs.data[item].cost = tfp_add_sat(
                own->costs.data[item].cost, tfp_row_self(v, row, cost));
    }
    return ok;
}

/* By what they cost themselves; of equal ones the first. */
static bool pick_own(tfp_summary_list *list, tfp_memory *memory)
{
    own_costs own = { .memory = memory };
    const tfp_view *v = list->view;
    bool ok = add_costs(&own, v, list->cost);
    while (ok && list->count < TFP_SUMMARY_ROWS) {
        own_cost *best = &own.costs.data[0]; /* of no name, and no cost */
        for (size_t i = 1; i < own.costs.count; i++) {
            if (own.costs.data[i].cost > best->cost)
                best = &own.costs.data[i];
        }
        if (best->cost <= 0)
            break;
        add_row(list, tfp_row_name(&v->rows.data[best->row]), best->cost,
                tfp_row_total(v, 0, list->cost));
        best->cost = 0;
    }
    TFP_VEC_RELEASE(memory, &own.costs);
    tfp_interner_release(&own.names);
    return ok;
}

static void pick_of_report(tfp_summary_list *list, const tfp_report *report,
                           bool layers)
{
    const tfp_report_rows *rows = layers ? &report->layers : &report->types;
    for (size_t i = 0; i < rows->all.count && i < TFP_SUMMARY_ROWS; i++) {
        const tfp_report_row *row = &rows->all.data[rows->order[i]];
        add_row(list,
                layers ? tfp_interned(&report->layer_names, row->name)
                       : tfp_model_text(report->shapes->model, row->name),
                row->work.float_ops, report->work.float_ops);
    }
}

/* Time, if anything ran. Else float operations as `flops` has them, or the
 * parameters of what has no graph. */
static bool pick_lists(tfp_summary *s)
{
    static const struct {
        const char *title, *key;
    } names[] = { { "scopes", "scopes" },
                  { "types", "op_types" },
                  { "lines", "lines" } };
    const tfp_summary_parts *parts = s->parts;
    bool has_runs = tfp_model_has_runs(parts->model);
    tfp_summary_list *lists = s->lists;
    for (int i = 0; i < TFP_SUMMARY_LISTS; i++) {
        lists[i].title = names[i].title;
        lists[i].key = names[i].key;
        lists[i].cost = has_runs ? TFP_COST_MICROS : TFP_COST_PARAMS;
    }
    if (!has_runs && parts->report && parts->report->work.float_ops > 0) {
        lists[TFP_SUMMARY_SCOPES].title = "layers";
        for (int i = TFP_SUMMARY_SCOPES; i <= TFP_SUMMARY_TYPES; i++) {
            lists[i].cost = TFP_COST_FLOAT_OPS;
            pick_of_report(&lists[i], parts->report, i == TFP_SUMMARY_SCOPES);
        }
        return true;
    }
    lists[TFP_SUMMARY_SCOPES].view = parts->scope;
    lists[TFP_SUMMARY_TYPES].view = parts->op;
    lists[TFP_SUMMARY_LINES].view = parts->code;
    if (parts->scope)
        pick_scopes(&lists[TFP_SUMMARY_SCOPES]);
    for (int i = TFP_SUMMARY_TYPES; i <= TFP_SUMMARY_LINES; i++) {
        if (lists[i].view && !pick_own(&lists[i], parts->memory))
            return false;
    }
    return true;
}

/* ---- Figures ------------------------------------------------------------ */

size_t tfp_summary_inputs(const tfp_model *model, tfp_file_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < model->inputs.count; i++)
        count += model->inputs.data[i].is_read &&
                 model->inputs.data[i].kind == kind;
    return count;
}

static void find_work(tfp_summary *s)
{
    const tfp_report *report = s->parts->report;
    const tfp_view *scope = s->parts->scope;
    if (report) {
        if (!tfp_params_is_unknown(report->params))
            s->params = report->params->all.elements;
        s->float_ops = report->work.float_ops;
        s->counted = report->counted;
        s->compute = report->compute;
    } else if (scope) {
        int64_t params = tfp_row_total(scope, 0, TFP_COST_PARAMS);
        int64_t float_ops = tfp_row_total(scope, 0, TFP_COST_FLOAT_OPS);
        s->params = params > 0 ? params : -1;
        s->float_ops = float_ops > 0 ? float_ops : -1;
    }
}

static void find_steps(tfp_summary *s)
{
    const tfp_sheet *steps = s->parts->digest->sheets, *all = steps + 1;
    size_t wall = tfp_sheet_column_of(steps, "wall_micros");
    size_t rest = tfp_sheet_column_of(steps, "is_rest");
    s->steps = s->parts->digest->steps;
    for (size_t i = 0; i < steps->rows; i++) {
        int64_t value;
        if (!tfp_sheet_has(steps, i, wall) || tfp_sheet_number(steps, i, rest))
            continue;
        value = tfp_sheet_number(steps, i, wall);
        if (s->shortest < 0 || value < s->shortest)
            s->shortest = value;
    }
    s->wall = s->parts->digest->wall;
    wall = tfp_sheet_column_of(all, "wall_micros");
    if (s->wall >= 0)
        s->longest = tfp_sheet_number(all, all->rows - 1, wall);
}

/* What all operations took, by the time in which any of a device ran. */
static void find_parallelism(tfp_summary *s)
{
    const tfp_summary_parts *parts = s->parts;
    int64_t time = tfp_time_to_picos(
        tfp_row_total(parts->scope, 0, TFP_COST_MICROS),
        tfp_model_time_unit(parts->model));
    if (parts->digest->busy > 0 && time > 0)
        s->parallelism = (double)time * (double)parts->digest->steps /
                         (double)parts->digest->busy;
}

/* ---- What to ask next --------------------------------------------------- */

static void add_command(tfp_summary *s, const char *command, bool helps)
{
    if (helps && s->command_count < TFP_SUMMARY_COMMANDS)
        s->commands[s->command_count++] = command;
}

static bool has_kernels(const tfp_model *model)
{
    return model->gathered.kernels.count > 0;
}

static void find_commands(tfp_summary *s)
{
    const tfp_summary_parts *parts = s->parts;
    bool has_runs = tfp_model_has_runs(parts->model);
    bool has_memory = parts->held || parts->leaves_memory;
    add_command(s, "code", has_runs && parts->code);
    add_command(s, "advise", has_runs && (s->finding || s->input));
    add_command(s, "kernels", has_kernels(parts->traces));
    add_command(s, "memory", has_memory);
    add_command(s, "graph --output timeline:outfile=timeline.json", has_runs);
    add_command(s, "scope --select micros,bytes", has_runs);
    add_command(s, "flops --list layers", !has_runs && parts->report);
    add_command(s, "flops --uncounted", !has_runs && s->counted < s->compute);
    add_command(s, "scope --select params", !has_runs);
    add_command(s, "op --select params,occurrence", !has_runs && parts->op);
    add_command(s, "info", true);
}

size_t tfp_summary_command(const tfp_summary *s, size_t index, char *out,
                           size_t size)
{
    const char *inputs = s->parts->inputs, *command = s->commands[index];
    int word = (int)strcspn(command, " "), used;
    if (!inputs)
        used = snprintf(out, size, "%s", command);
    else
        used = snprintf(out, size, "tfprof %.*s %s%s", word, command, inputs,
                        command + word);
    return used > 0 ? (size_t)used : 0;
}

/* ---- All of it ---------------------------------------------------------- */

tfp_span tfp_summary_about(const tfp_finding *f)
{
    return f->is_update ? tfp_span_of("the optimizer's update") : f->name;
}

static const tfp_finding *first_finding(const tfp_advice *advice)
{
    return advice && advice->findings.count > 0 ? &advice->findings.data[0]
                                                : NULL;
}

int tfp_summary_write(const tfp_summary_parts *parts, tfp_sink *sink,
                      tfprof_error *err)
{
    tfp_summary s = { .parts = parts,
                      .params = -1,
                      .float_ops = -1,
                      .wall = -1,
                      .shortest = -1,
                      .longest = -1,
                      .finding = first_finding(parts->advice),
                      .input = first_finding(parts->input) };
    bool ok;
    find_work(&s);
    if (parts->digest) {
        find_steps(&s);
        find_parallelism(&s);
    }
    ok = pick_lists(&s);
    find_commands(&s);
    if (ok && parts->options->format == TFP_FORMAT_JSON)
        tfp_summary_write_json(&s, sink);
    else if (ok)
        ok = tfp_summary_write_text(&s, sink);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
