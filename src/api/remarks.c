/*
 * remarks.c - what a reader of an answer should know about it.
 */
#include "api/remarks.h"

#include "options/options.h"

#include "model/metrics.h"

#include "model/census.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "api/empty.h"
#include "base/escape.h"
#include "input/kind/kinds.h"
#include "model/coverage.h"

void tfprof_profile_on_remark(tfprof_profile *p, tfprof_remark_fn *remark,
                              void *context)
{
    if (!tfp_profile_is(p))
        return;
    p->remark = remark;
    p->remark_context = context;
}

void tfp_remark(const tfprof_profile *p, const char *format, ...)
{
    char line[TFP_REMARK_SIZE];
    va_list args;
    if (!p->remark)
        return;
    va_start(args, format);
    if (vsnprintf(line, sizeof(line), format, args) >= (int)sizeof(line))
        tfp_escape_mark_cut(line, sizeof(line));
    va_end(args);
    p->remark(p->remark_context, line);
}

static void remark_if(const tfprof_profile *p, int64_t count, const char *one,
                      const char *many)
{
    if (count > 0)
        tfp_remark(p, "%lld %s", (long long)count, count == 1 ? one : many);
}

static void remark_on_unknown(const tfprof_profile *p, size_t index)
{
    const tfp_input *input = &p->model.inputs.data[index];
    char name[TFP_REMARK_PATH], first[96];
    if (!p->options.verbose || input->counts.unknown_fields == 0)
        return;
    tfp_profile_input_name(p, index, name, sizeof(name));
    tfp_escape_short(tfp_model_text(&p->model, input->unknown_name), first,
                     sizeof(first));
    tfp_remark(p, "%s: ignored %lld unknown field%s; the first is %s", name,
               (long long)input->counts.unknown_fields,
               input->counts.unknown_fields == 1 ? "" : "s", first);
}

bool tfp_find_inputs(const tfprof_profile *p,
                     bool (*is_one)(const tfp_input *input),
                     tfp_some_inputs *found)
{
    size_t count = 0;
    found->more[0] = '\0';
    for (size_t i = p->model.inputs.count; i-- > 0;) {
        if (!is_one(&p->model.inputs.data[i]))
            continue;
        tfp_profile_input_name(p, i, found->name, sizeof(found->name));
        count++;
    }
    if (count > 1)
        snprintf(found->more, sizeof(found->more), " (and %zu more file%s)",
                 count - 1, count == 2 ? "" : "s");
    return count > 0;
}

/* A file of a directory that was not opened. */
static bool is_special(const tfp_input *input)
{
    return input->kind == TFP_FILE_SPECIAL;
}

static void remark_on_special(const tfprof_profile *p)
{
    tfp_some_inputs found;
    if (tfp_find_inputs(p, is_special, &found))
        tfp_remark(p, "%s: skipped: not a regular file%s", found.name,
                   found.more);
}

/* A file of a directory that views cannot read. The values of a checkpoint
 * belong to its index. */
static bool is_unread(const tfp_input *input)
{
    return input->member != 0 && input->status == TFPROF_OK &&
           !tfp_kind_of(input->kind)->is_read && !is_special(input) &&
           input->kind != TFP_FILE_CHECKPOINT_DATA;
}

/* Files beside traces and in log directories that were passed over. */
static void remark_on_unread(const tfprof_profile *p)
{
    tfp_name_list names = { .room = sizeof(names.text) };
    bool has_trace = false;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        const tfp_input_texts *beside = &input->trace.beside;
        has_trace |= input->trace.is_one;
        if (is_unread(input))
            tfp_name_list_add(&names, tfp_model_text(&p->model, input->member));
        for (size_t k = 0; k < (size_t)beside->count; k++)
            tfp_name_list_add(
                &names, k < beside->first.count
                            ? tfp_model_text(&p->model, beside->first.data[k])
                            : (tfp_span){ 0 });
    }
    tfp_name_list_end(&names);
    if (has_trace && names.all > 0)
        tfp_remark(p, "not read: %s", names.text);
}

/* A trace has only what ran of its graphs. */
static bool has_whole_graph(const tfp_model *model)
{
    for (size_t i = 0; i < model->graphs.count; i++) {
        if (model->graphs.data[i].kind != TFP_GRAPH_TRACE)
            return true;
    }
    return model->graphs.count == 0;
}

void tfp_remark_on_files(const tfprof_profile *p)
{
    tfp_input_counts sum = { 0 };
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input_counts *counts = &p->model.inputs.data[i].counts;
        if (p->model.inputs.data[i].is_left_out)
            continue;
        sum.duplicate_nodes += counts->duplicate_nodes;
        sum.dropped_edges += counts->dropped_edges;
        sum.log_entries += counts->log_entries;
        sum.misnumbered_nodes += counts->misnumbered_nodes;
        sum.missing_string_ids += counts->missing_string_ids;
        remark_on_unknown(p, i);
    }
    remark_on_special(p);
    remark_on_unread(p);
    tfp_remark_on_runs(p);
    remark_if(p, sum.duplicate_nodes,
              "node has the same name as an earlier node and is ignored",
              "nodes have the same name as an earlier node and are ignored");
    remark_if(p, sum.dropped_edges,
              "input of a node is ignored: it refers to a node that is not in "
              "the graph",
              "inputs of nodes are ignored: they refer to nodes that are not "
              "in the graph");
    /* Models share some names; a log for a larger graph shares many. */
    if (p->model.nodes.count > 0 && has_whole_graph(&p->model) &&
        (int64_t)p->model.waiting.count > sum.log_entries / 2)
        tfp_remark(p,
                   "%zu of %lld op log entries do not match any node of the "
                   "graph (are the files from the same model?)",
                   p->model.waiting.count, (long long)sum.log_entries);
    remark_if(p, sum.misnumbered_nodes,
              "node of a profile has an id that differs from its key; the key "
              "is used",
              "nodes of a profile have ids that differ from their keys; the "
              "keys are used");
    remark_if(p, sum.missing_string_ids,
              "code trace string is missing; shown as <unknown ...>",
              "code trace strings are missing; shown as <unknown ...>");
}

/* Files alone: who passes the parts of a step from memory means them so. */
static bool is_shared(const tfprof_profile *p, const tfp_step *step)
{
    const tfp_input *inputs = p->model.inputs.data;
    /* Hosts of one run have the same steps. */
    if (step->next_input > 0 &&
        inputs[step->first_input - 1].kind == TFP_FILE_XSPACE &&
        inputs[step->next_input - 1].kind == TFP_FILE_XSPACE)
        return false;
    return step->next_input > 0 && inputs[step->first_input - 1].is_file &&
           inputs[step->next_input - 1].is_file &&
           tfp_step_is_asked(step, p->options.step);
}

static void remark_on_shared_steps(const tfprof_profile *p)
{
    const tfp_step *first = NULL;
    char name[TFP_REMARK_PATH / 2], other[TFP_REMARK_PATH / 2], more[60] = "";
    size_t count = 0;
    for (size_t i = 0; i < p->model.steps.count; i++) {
        const tfp_step *step = &p->model.steps.data[i];
        if (is_shared(p, step) && count++ == 0)
            first = step;
    }
    if (!first)
        return;
    tfp_profile_input_name(p, first->first_input - 1, name, sizeof(name));
    tfp_profile_input_name(p, first->next_input - 1, other, sizeof(other));
    if (count > 1)
        snprintf(more, sizeof(more), "; this applies to %zu more step%s",
                 count - 1, count == 2 ? "" : "s");
    tfp_remark(p,
               "step %lld is in both %s and %s; the costs of both are added%s",
               (long long)first->id, name, other, more);
}

void tfp_run_notes_add(tfp_run_notes *notes, const tfp_model *model,
                       const tfp_census *census)
{
    for (size_t i = 0; i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        if (model->nodes.count > 0)
            notes->records += (int64_t)step->execs.count;
        notes->untimed += step->untimed_records;
        notes->negative += step->negative_records;
        notes->overflowing += step->overflowing_records;
    }
    notes->placed += (int64_t)census->placed_records;
    notes->misses_stream |= census->misses_stream;
}

static void remark_on_match(const tfprof_profile *p, const tfp_run_notes *notes)
{
    if (notes->records > 0 && notes->placed == 0)
        tfp_remark(p, "no run record matches a node of the graph (are the "
                      "files from the same model?)");
}

static void remark_on_records(const tfprof_profile *p,
                              const tfp_run_notes *notes)
{
    if (notes->misses_stream)
        tfp_remark(p, "operations were placed on an accelerator, but its "
                      "streams were not recorded: accelerator time is missing");
    remark_if(p, notes->untimed,
              "run record has no start time and adds no cost",
              "run records have no start time and add no cost");
    remark_if(
        p, notes->negative,
        "run record has a negative time or size, which the totals include",
        "run records have a negative time or size, which the totals include");
    remark_if(p, notes->overflowing,
              "run record ends after the largest supported time",
              "run records end after the largest supported time");
}

void tfp_remark_on_run_notes(const tfprof_profile *p,
                             const tfp_run_notes *notes)
{
    remark_on_match(p, notes);
    remark_on_records(p, notes);
}

static void remark_on_runs(const tfprof_profile *p, const tfp_census *census)
{
    tfp_run_notes notes = { 0 };
    tfp_run_notes_add(&notes, &p->model, census);
    remark_on_match(p, &notes);
    remark_on_shared_steps(p);
    remark_on_records(p, &notes);
}

void tfp_remark_on_clashes(const tfprof_profile *p, const tfp_census *census)
{
    char name[TFP_REMARK_PATH];
    if (census->clashing_nodes == 0)
        return;
    tfp_profile_input_name(p, census->clashing_input, name, sizeof(name));
    tfp_remark(
        p,
        "%lld node%s another type in an earlier file, whose nodes are used "
        "instead; the first conflict is in %s (are the files from the same "
        "model?)",
        (long long)census->clashing_nodes,
        census->clashing_nodes == 1 ? " has" : "s have", name);
}

int tfp_remark_on_coverage(const tfprof_profile *p, tfprof_error *err)
{
    tfp_coverage coverage;
    bool ok, is_known = false;
    if (!p->options.verbose || !p->remark || !tfp_model_has_runs(&p->model))
        return TFPROF_OK;
    ok = tfp_coverage_init(&coverage, &p->model);
    for (size_t i = 0; ok && i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        if (!tfp_coverage_takes(&coverage, input))
            continue;
        tfp_coverage_add(&coverage, input);
        is_known = true;
    }
    if (is_known)
        tfp_remark(p, "graph coverage: %lld of %lld nodes ran",
                   (long long)coverage.covered, (long long)coverage.nodes);
    tfp_coverage_release(&coverage);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

void tfp_remark_on_inputs(const tfprof_profile *p, const tfp_census *census)
{
    tfp_remark_on_files(p);
    tfp_remark_on_traces(p);
    tfp_remark_on_clashes(p, census);
    remark_on_runs(p, census);
    if (census->members.count == 0)
        tfp_remark(p, "the inputs contain no nodes");
}

static bool is_saturated(const tfp_view *view)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (view->totals.wanted >> cost & 1 &&
            tfp_row_total(view, 0, (tfp_cost)cost) == INT64_MAX)
            return true;
    }
    return false;
}

/* Rows that only limits leave out, which somebody gave. The runs of a timeline
 * are counted while they are drawn. */
static void remark_on_limits(const tfprof_profile *p, const tfp_view *view)
{
    const tfp_options *o = view->options;
    bool has_depth = tfp_options_give(o, "max_depth"), has_top = view->top > 0;
    bool is_drawn = o->output.kind == TFP_OUTPUT_TIMELINE;
    int64_t shown = (int64_t)view->shown_count - 1; /* but the root */
    char depth[40] = "", top[40] = "";
    if (view->limited_rows == 0 ||
        (is_drawn && view->type->timeline == TFP_TIMELINE_RUNS))
        return;
    for (size_t i = 0; i < view->shown_count; i++)
        shown -= tfp_row_rest(view, view->shown[i].row) > 0;
    if (shown <= 0)
        return; /* tfp_remark_on_empty() tells it, unless the root is all that
                 * was asked for */
    if (has_depth && (!has_top || view->deep_rows > 0))
        snprintf(depth, sizeof(depth), "--max_depth %lld%s",
                 (long long)o->max_depth, has_top ? ", " : "");
    if (has_top)
        snprintf(top, sizeof(top), "--top %lld", (long long)o->top);
    tfp_remark(p,
               is_drawn ? "%lld of %lld rows drawn (%s%s)"
                        : "%lld of %lld rows shown (%s%s)",
               (long long)shown, (long long)(shown + view->limited_rows), depth,
               top);
}

/* A small share is left out in silence: every graph has nodes, such as those of
 * its initializers, that no line of code has. */
static void remark_on_time_without_line(const tfprof_profile *p,
                                        const tfp_view *view)
{
    int64_t percent;
    if (view->time_without_line <= 0 || view->node_time <= 0)
        return;
    percent = (int64_t)(100.0 * (double)view->time_without_line /
                        (double)view->node_time);
    if (percent > 0)
        tfp_remark(p,
                   "%lld %% of the operation time has no source line and is "
                   "left out, as in TensorFlow's own tfprof (%s it)",
                   (long long)percent,
                   p->options.output.kind == TFP_OUTPUT_PPROF
                       ? "places=lines includes"
                       : "--format table and --format json include");
}

void tfp_remark_on_view(const tfprof_profile *p, const tfp_view *view)
{
    tfp_remark_on_inputs(p, view->census);
    tfp_remark_on_trace_lines(p, view);
    if (view->only_cycles)
        tfp_remark(
            p, "every node is an input of another node, so the graph has no "
               "output to start from; each cycle starts at the node whose "
               "name sorts first");
    remark_if(
        p, view->unreachable_nodes,
        "node is reachable only from a cycle that nothing uses; not shown",
        "nodes are reachable only from cycles that nothing uses; not "
        "shown");
    remark_if(p, view->lost_gradients,
              "gradient node does not belong to an operation with a code "
              "trace; not shown",
              "gradient nodes do not belong to operations with code traces; "
              "not shown");
    remark_on_time_without_line(p, view);
    if (is_saturated(view))
        tfp_remark(p, "a total overflowed and was clamped");
    if (p->options.account_displayed_op_only && view->type->keeps_totals)
        tfp_remark(p,
                   "--account_displayed_op_only has no effect in the %s view",
                   view->type->name);
    if (p->options.minima[TFP_COST_RUNS] > 0 && view->type->groups &&
        !view->type->is_chain)
        tfp_remark(p, "--min_occurrence has no effect in the %s view",
                   view->type->name);
    if (view->deep_rows > 0 &&
        tfp_view_depth(view->type, view->options) == TFP_DATA_LEVELS)
        tfp_remark(p,
                   "rows deeper than %d levels are not shown (a larger "
                   "--max_depth shows more)",
                   TFP_DATA_LEVELS);
    if (p->options.top >= 0 && view->top < 0)
        tfp_remark(
            p,
            "--top has no effect on timelines, pprof files, flame graphs and "
            "--format proto");
    remark_on_limits(p, view);
    tfp_remark_on_figures(p, view);
}
