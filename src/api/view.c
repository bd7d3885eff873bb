/*
 * view.c - the public functions about views.
 */
#include <stdarg.h>
#include <stdio.h>

#include "api/profile.h"
#include "output/file.h"
#include "output/view.h"
#include "view/view.h"

const char *tfprof_view_name(size_t index)
{
    for (size_t i = 0; tfp_view_types[i]; i++) {
        if (i == index)
            return tfp_view_types[i]->name;
    }
    return NULL;
}

void tfprof_profile_on_remark(tfprof_profile *p, tfprof_remark_fn *remark,
                              void *context)
{
    p->remark = remark;
    p->remark_context = context;
}

/* ---- Remarks ------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static void remark(
    const tfprof_profile *p, const char *format, ...)
{
    char line[256];
    va_list args;
    if (!p->remark)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    p->remark(p->remark_context, line);
}

static void remark_if(const tfprof_profile *p, int64_t count, const char *one,
                      const char *many)
{
    if (count > 0)
        remark(p, "%lld %s", (long long)count, count == 1 ? one : many);
}

static void remark_on_inputs(const tfprof_profile *p)
{
    tfp_input_counts sum = { 0 };
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input_counts *counts = &p->model.inputs.data[i].counts;
        sum.duplicate_nodes += counts->duplicate_nodes;
        sum.dropped_edges += counts->dropped_edges;
        sum.missing_string_ids += counts->missing_string_ids;
    }
    remark_if(p, sum.duplicate_nodes,
              "node has the name of another one; the first of each counts",
              "nodes have the name of another one; the first of each counts");
    remark_if(p, sum.dropped_edges,
              "input names no node of its graph and leads nowhere",
              "inputs name no node of their graph and lead nowhere");
    remark_if(p, sum.missing_string_ids,
              "string of code traces is missing; shown as <unknown ...>",
              "strings of code traces are missing; shown as <unknown ...>");
}

static void remark_on_runs(const tfprof_profile *p, const tfp_view *view)
{
    int64_t records = 0, untimed = 0, negative = 0, overflowing = 0;
    for (size_t i = 0; i < p->model.steps.count; i++) {
        const tfp_step *step = &p->model.steps.data[i];
        records += (int64_t)step->execs.count;
        untimed += step->untimed_records;
        negative += step->negative_records;
        overflowing += step->overflowing_records;
    }
    if (records > 0 && p->model.nodes.count > 0 &&
        view->census.placed_records == 0)
        remark(p, "no run record is about a node of the graph; are they of "
                  "the same model?");
    if (view->census.misses_stream)
        remark(p, "operations were placed on an accelerator, but there are no "
                  "records of its streams: accelerator time is missing");
    remark_if(p, untimed, "run record has no start time and adds no cost",
              "run records have no start time and add no cost");
    remark_if(p, negative,
              "run record has a time or size below 0, which is summed up as "
              "it stands",
              "run records have a time or size below 0, which is summed up as "
              "it stands");
    remark_if(p, overflowing, "run record ends after the largest time there is",
              "run records end after the largest time there is");
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

static void remark_on_view(const tfprof_profile *p, const tfp_view *view)
{
    remark_on_inputs(p);
    remark_on_runs(p, view);
    if (view->census.members.count == 0)
        remark(p, "the inputs hold no node");
    if (view->only_cycles)
        remark(p, "every node is an input of another one, so the graph has no "
                  "end to start from; each cycle starts at its first name");
    remark_if(
        p, view->unreachable_nodes,
        "node is reachable only from a cycle that nothing uses; not shown",
        "nodes are reachable only from cycles that nothing uses; not "
        "shown");
    remark_if(p, view->lost_gradients,
              "gradient node belongs to no operation with a code trace; not "
              "shown",
              "gradient nodes belong to no operation with a code trace; not "
              "shown");
    if (is_saturated(view))
        remark(p, "a sum is past the largest number there is and stops at it");
    if (p->options.account_displayed_op_only && view->type->keeps_totals)
        remark(p, "account_displayed_op_only has no effect in the %s view",
               view->type->name);
}

/* ---- Making a view ------------------------------------------------------ */

static int fail_input(const tfprof_profile *p, size_t index, tfprof_code code,
                      const char *what, const char *why, tfprof_error *err)
{
    char name[160];
    tfprof_profile_input_name(p, index, name, sizeof(name));
    return tfp_fail(err, code, -1, "%s: %s%.80s", name, what, why);
}

/* A profile that lacks what was given must not answer as if it were complete.
 * What --salvage kept is asked for, and what merely lies in a directory was
 * not given. */
static int check_inputs(const tfprof_profile *p, tfprof_error *err)
{
    static const char strange[] = "views are not made of this kind of file: ";
    bool is_read = false, has_nodes = false;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        if (input->status != TFPROF_OK && !input->partial)
            return fail_input(p, i, (tfprof_code)input->status,
                              "not read: ", input->why.message, err);
        if (!input->is_read && !input->member)
            return fail_input(p, i, TFPROF_ERR_MALFORMED, strange, input->kind,
                              err);
        is_read |= input->is_read;
        has_nodes |= input->is_read && strcmp(input->kind, "OpLogProto") != 0;
    }
    if (!is_read && p->model.inputs.count > 0)
        return fail_input(p, 0, TFPROF_ERR_MALFORMED, strange,
                          p->model.inputs.data[0].kind, err);
    return has_nodes ? TFPROF_OK
                     : tfp_fail(err, TFPROF_ERR_MISSING, -1,
                                "there is no graph, run metadata or profile "
                                "among the inputs");
}

static int check_output(const tfprof_profile *p, tfprof_error *err)
{
    const tfp_output *output = &p->options.output;
    switch (output->kind) {
    case TFP_OUTPUT_STDOUT:
    case TFP_OUTPUT_NONE: return TFPROF_OK;
    case TFP_OUTPUT_FILE:
        return tfp_file_check_target(output->outfile, &p->model, err);
    default:
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--output: timelines, pprof files and profiles are "
                        "not written yet (stdout, file and none are)");
    }
}

static int write_to(const tfp_view *view, tfp_write_fn *write, void *context,
                    bool *escaped, tfprof_error *err)
{
    tfp_sink sink;
    int status;
    tfp_sink_init(&sink, write, context);
    status = tfp_view_write(view, &sink, err);
    *escaped = sink.escaped;
    if (status != TFPROF_OK)
        return status;
    return tfp_sink_flush(&sink) ? TFPROF_OK
                                 : tfp_fail(err, TFPROF_ERR_OUTPUT, -1,
                                            "the answer was not written");
}

static int write_file(const tfp_view *view, const char *path, bool *escaped,
                      tfprof_error *err)
{
    tfp_file file;
    int status = tfp_file_open(&file, path, view->memory, err);
    if (status != TFPROF_OK)
        return status;
    status = write_to(view, tfp_file_write, &file, escaped, err);
    return tfp_file_close(&file, status, err);
}

static int write_view(tfprof_profile *p, const tfp_view_type *type,
                      tfprof_write_fn *write, void *context, tfprof_error *err)
{
    const tfp_output *output = &p->options.output;
    tfp_view view;
    bool escaped = false;
    int status = tfp_view_init(&view, type, &p->model, &p->options, &p->memory,
                               err);
    if (status == TFPROF_OK)
        remark_on_view(p, &view);
    if (status == TFPROF_OK && output->kind == TFP_OUTPUT_STDOUT)
        status = write_to(&view, write, context, &escaped, err);
    else if (status == TFPROF_OK && output->kind == TFP_OUTPUT_FILE)
        status = write_file(&view, output->outfile, &escaped, err);
    if (escaped)
        remark(p, "names with control or invalid bytes are shown as \\xHH");
    tfp_view_release(&view);
    return status;
}

int tfprof_profile_write_view(tfprof_profile *p, const char *name,
                              tfprof_write_fn *write, void *context,
                              tfprof_error *err)
{
    const tfp_view_type *type = tfp_view_find(name);
    int status;
    if (!type)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "there is no view '%.60s' (scope, graph, op, code)",
                        name);
    status = check_inputs(p, err);
    if (status == TFPROF_OK)
        status = check_output(p, err);
    if (status != TFPROF_OK)
        return status;
    p->context.max_memory = p->options.max_memory;
    tfp_input_set_limit(&p->context);
    p->memory.limit_reached = false;
    status = write_view(p, type, write, context, err);
    if (status == TFPROF_ERR_NOMEM && p->memory.limit_reached)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "the view needs more memory than allowed "
                        "(see --max_memory)");
    return status;
}
