/*
 * remarks_trace.c - what a reader of an answer should know about the traces
 * that it is made of. Each is told once, for all traces together.
 */
#include <stdio.h>
#include <string.h>

#include "api/profile.h"
#include "api/remarks.h"
#include "base/escape.h"
#include "base/intern.h"
#include "model/census.h"
#include "model/inputs.h"
#include "model/log_lines.h"
#include "model/model.h"
#include "view/view.h"

const char tfp_record_frames[] =
    "record them with python_tracer_level=1 in "
    "tf.profiler.experimental.ProfilerOptions or jax.profiler.ProfileOptions";

/* The figures of all traces, and the first that has something odd. */
typedef struct trace_sums {
    tfp_input_trace all;
    size_t traces, without_end;
    size_t first_damaged, first_without_end; /* inputs */
} trace_sums;

static void add_trace(trace_sums *sums, const tfp_input_trace *trace,
                      size_t index)
{
    tfp_input_trace *all = &sums->all;
    sums->traces++;
    if (trace->damaged_programs > 0 && all->damaged_programs == 0)
        sums->first_damaged = index;
    if (!trace->has_environment && sums->without_end++ == 0)
        sums->first_without_end = index;
    /* Where there is no step, everything is one. */
    if (trace->has_steps)
        all->in_none += trace->in_none;
    all->by_number += trace->by_number;
    all->by_link += trace->by_link;
    all->by_time += trace->by_time;
    all->has_steps |= trace->has_steps;
    all->damaged_programs += trace->damaged_programs;
    all->unknown_instructions += trace->unknown_instructions;
    all->unnamed_events += trace->unnamed_events;
    all->odd_events += trace->odd_events;
    all->repeated_steps += trace->repeated_steps;
}

/* Once for each log directory with several runs: which one was read, unless it
 * was chosen. */
static void remark_on_newest(const tfprof_profile *p)
{
    tfp_string last = TFP_NO_ID;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        char name[TFP_REMARK_PATH], *file;
        if (input->trace.runs < 2 || input->trace.is_chosen ||
            input->path == last)
            continue;
        tfp_profile_input_name(p, i, name, sizeof(name));
        file = strrchr(name, '/');
        if (file)
            *file = '\0';
        tfp_remark(
            p,
            "%s is the newest of %lld runs in the log directory (to read "
            "another run, use --run NAME)",
            name, (long long)input->trace.runs);
        last = input->path;
    }
}

static bool is_renumbered(const tfp_input *input)
{
    return input->trace.is_renumbered;
}

/* Traces that are other runs of a host. */
static void remark_on_later_runs(const tfprof_profile *p)
{
    tfp_some_inputs found;
    if (tfp_find_inputs(p, is_renumbered, &found))
        tfp_remark(p,
                   "%s%s: another run of the same host, so its steps are "
                   "numbered after those of the inputs before it (to compare "
                   "runs, use diff)",
                   found.name, found.more);
}

void tfp_remark_on_runs(const tfprof_profile *p)
{
    remark_on_newest(p);
    remark_on_later_runs(p);
}

/* Is what was taken as steps of this trace the same as of an earlier one? */
static bool is_told(const tfprof_profile *p, size_t index)
{
    const tfp_input_trace *trace = &p->model.inputs.data[index].trace;
    for (size_t i = 0; i < index; i++) {
        const tfp_input_trace *other = &p->model.inputs.data[i].trace;
        if (other->is_one && other->has_steps &&
            other->steps_by == trace->steps_by &&
            other->steps_of == trace->steps_of &&
            other->has_starts == trace->has_starts)
            return true;
    }
    return false;
}

/* What the steps are, where they are not simply those that are marked. */
void tfp_remark_on_steps(const tfprof_profile *p)
{
    char words[TFP_STEPS_WORDS];
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input_trace *trace = &p->model.inputs.data[i].trace;
        if (trace->is_one && !is_told(p, i) &&
            tfp_steps_words(&p->model, trace, words))
            tfp_remark(p, "steps are %s", words);
    }
}

static void remark_on_ways(const tfprof_profile *p, const trace_sums *sums)
{
    const tfp_input_trace *all = &sums->all;
    if (all->has_steps && p->options.verbose)
        tfp_remark(p,
                   "operations assigned to a step: %lld by step number, %lld "
                   "by links, %lld by time; without a step: %lld",
                   (long long)all->by_number, (long long)all->by_link,
                   (long long)all->by_time, (long long)all->in_none);
    if (all->in_none > 0 && p->model.gathers & TFP_GATHER_NO_REST)
        tfp_remark(p, "operations without a step are not counted");
    else if (all->has_steps && all->in_none > 0)
        tfp_remark(p, "averages leave out operations without a step; "
                      "--step rest selects them");
    if (all->repeated_steps > 0)
        tfp_remark(
            p,
            "%lld step%s renumbered, because an earlier step has the same "
            "number",
            (long long)all->repeated_steps,
            all->repeated_steps == 1 ? "" : "s");
}

static void remark_on_programs(const tfprof_profile *p, const trace_sums *sums)
{
    const tfp_input_trace *all = &sums->all, *first;
    char name[200], why[200];
    if (all->damaged_programs > 0) {
        first = &p->model.inputs.data[sums->first_damaged].trace;
        tfp_escape_short(tfp_model_text(&p->model, first->damaged_name), name,
                         sizeof(name));
        tfp_escape_short(tfp_model_text(&p->model, first->damage), why,
                         sizeof(why));
        tfp_remark(
            p,
            "damaged compiled programs in traces: %lld; the first is %s (%s); "
            "their operations are kept without call stacks and edges",
            (long long)all->damaged_programs, name, why);
    }
    if (all->unknown_instructions > 0)
        tfp_remark(p,
                   "operations whose instruction is not in the compiled "
                   "program: %lld; they are kept without call stacks and edges",
                   (long long)all->unknown_instructions);
}

/* The planes that --salvage could not keep. */
static void remark_on_cuts(const tfprof_profile *p)
{
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input_trace *trace = &p->model.inputs.data[i].trace;
        char name[TFP_REMARK_PATH], plane[96];
        if (!trace->is_cut)
            continue;
        tfp_profile_input_name(p, i, name, sizeof(name));
        tfp_escape_short(tfp_model_text(&p->model, trace->cut_plane), plane,
                         sizeof(plane));
        tfp_remark(p,
                   "%s: complete planes: %zu; the %lld events of the plane %s "
                   "are left out, because their names follow them and are lost",
                   name, trace->planes.count, (long long)trace->cut_events,
                   plane);
    }
}

static void remark_on_events(const tfprof_profile *p, const trace_sums *sums)
{
    char name[TFP_REMARK_PATH], more[40] = "";
    if (sums->all.unnamed_events > 0)
        tfp_remark(p, "trace events of an undefined type: %lld",
                   (long long)sums->all.unnamed_events);
    if (sums->all.odd_events > 0)
        tfp_remark(p,
                   "trace events with invalid times: %lld; the nearest valid "
                   "times are used",
                   (long long)sums->all.odd_events);
    if (sums->without_end == 0)
        return;
    tfp_profile_input_name(p, sums->first_without_end, name, sizeof(name));
    if (sums->without_end > 1)
        snprintf(more, sizeof(more), " (and %zu more trace%s)",
                 sums->without_end - 1, sums->without_end == 2 ? "" : "s");
    tfp_remark(p,
               "%s: the plane that profilers write last is missing (the "
               "profiler is old, or the file is truncated)%s",
               name, more);
}

void tfp_remark_on_traces(const tfprof_profile *p)
{
    trace_sums sums = { 0 };
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input_trace *trace = &p->model.inputs.data[i].trace;
        if (trace->is_one)
            add_trace(&sums, trace, i);
    }
    if (sums.traces == 0)
        return;
    tfp_remark_on_steps(p);
    remark_on_ways(p, &sums);
    remark_on_programs(p, &sums);
    remark_on_cuts(p);
    remark_on_events(p, &sums);
}

/* The first op log that has lines, or NULL. */
static const tfp_input *log_of_lines(const tfprof_profile *p)
{
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        if (input->kind == TFP_FILE_OP_LOG && input->counts.code_traces > 0 &&
            !input->is_left_out)
            return input;
    }
    return NULL;
}

/* How far an op log helps that was written beside a trace. */
static void remark_on_log_lines(const tfprof_profile *p, const tfp_view *view)
{
    const tfp_input *log = log_of_lines(p);
    char name[200];
    tfp_line_share share;
    tfp_span path;
    if (!p->remark || !log || !tfp_costs_has(&view->costs, TFP_COST_MICROS) ||
        !tfp_census_share_lines(view->census, &view->costs, &share) ||
        share.time <= 0)
        return;
    path = tfp_model_text(&p->model, log->member ? log->member : log->path);
    tfp_escape_short(tfp_span_base_name(path), name, sizeof(name));
    tfp_remark(
        p, "%lld %% of the operation time has source lines from %s",
        (long long)(100.0 * (double)share.with_line / (double)share.time),
        name);
    if (share.with_line > 0 && !share.calls_back)
        tfp_remark(
            p,
            "all source lines only call a library function such as fit(); a "
            "functional Keras model has no other lines (use the scope view to "
            "see its layers)");
}

void tfp_remark_on_trace_lines(const tfprof_profile *p, const tfp_view *view)
{
    bool any = false, of_frames = false;
    size_t without = 0;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input_trace *trace = &p->model.inputs.data[i].trace;
        any |= trace->is_one;
        of_frames |= trace->is_of_frames;
        without += trace->is_of_frames && trace->python_calls == 0;
    }
    if (of_frames)
        tfp_remark(p, "times are those of Python calls, shown at the first "
                      "line of each function; operations are not shown");
    if (without > 0)
        tfp_remark(p, "traces without Python calls: %zu (%s)", without,
                   tfp_record_frames);
    if (any && !of_frames && view->type->has_lines)
        tfp_remark(p, "source lines show where an operation was created, not "
                      "where the compiled function was called");
    if (any && !of_frames && view->type->has_lines)
        remark_on_log_lines(p, view);
}
