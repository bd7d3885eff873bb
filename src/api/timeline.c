/*
 * timeline.c - the files that -output timeline:outfile=F asks for.
 *
 * Sums over scopes and lines of code have an average, the runs of nodes do
 * not: without -step the graph view of run records is made once for each step.
 * Of traces it is one file.
 */
#include "api/timeline.h"

#include "model/trace_events.h"

#include "options/options.h"

#include "model/steps.h"

#include "model/model.h"

#include "model/ids.h"

#include "model/census.h"

#include "base/memory.h"

#include <string.h>

#include "api/again.h"
#include "api/empty.h"
#include "api/question.h"
#include "api/remarks.h"
#include "base/escape.h"
#include "base/sort.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"
#include "output/timeline/timeline.h"
#include "output/timeline/timeline_events.h"

/* What the graph view draws. */
typedef enum source {
    OF_RECORDS, /* the runs of RunMetadata and profiles */
    OF_TRACES   /* the events of traces, which are read again */
} source;

typedef struct plan {
    tfprof_profile *profile;
    const tfp_view_type *type;
    const tfp_census *census;
    tfp_options options;          /* those of the profile, for one step */
    TFP_VEC(tfp_sort_item) steps; /* a file each; the key is its id */
    source source;
    tfp_timeline_notes notes;
    tfp_slice_sizes largest; /* of all files */
    uint64_t work;           /* of matching, by the views of all steps */
    bool escaped;            /* some name was not written as it is */
} plan;

/* ---- Which steps -------------------------------------------------------- */

static void add_step(plan *p, int64_t id)
{
    p->steps.data[p->steps.count++] = (tfp_sort_item){ .key = (uint64_t)id };
}

static int64_t step_at(const plan *p, size_t file)
{
    return (int64_t)p->steps.data[file].key;
}

/* Of a trace the model has the sums over runs, but no single run. */
static bool has_sums_alone(const tfp_step *step)
{
    return step->trace_records > 0 && step->trace_records == step->execs.count;
}

/* What there is of the steps that are asked for. */
typedef struct finding {
    bool is_there, has_runs, has_records, has_sums;
} finding;

static finding look_at_steps(const plan *p)
{
    const tfp_model *model = p->census->model;
    finding f = { .is_there = tfp_step_is_average(p->options.step) };
    for (size_t i = 0; i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        if (!tfp_step_is_average(p->options.step) &&
            !tfp_step_is_asked(step, p->options.step))
            continue;
        f.is_there = true;
        f.has_runs |= step->execs.count > 0;
        f.has_records |= step->execs.count > step->trace_records;
        f.has_sums |= step->trace_records > 0;
    }
    return f;
}

/* A step below 0, which only a profile can have, would mean the average. All
 * steps of a trace have one clock and are one file. */
static int find_steps(plan *p, tfprof_error *err)
{
    const tfp_model *model = p->census->model;
    bool all = tfp_step_is_average(p->options.step) &&
               p->type->timeline == TFP_TIMELINE_RUNS &&
               p->source == OF_RECORDS;
    /* Twice the room: the second half is for sorting. */
    if (!TFP_VEC_RESERVE(model->memory, &p->steps, 2 * model->steps.count + 1))
        return tfp_fail_nomem(err);
    if (!all)
        add_step(p, p->options.step);
    for (size_t i = 0; all && i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        if (!step->is_rest && step->id >= 0 && !has_sums_alone(step))
            add_step(p, step->id);
    }
    tfp_sort(p->steps.data, p->steps.count, p->steps.data + p->steps.count,
             NULL, NULL);
    return TFPROF_OK;
}

/* A step that is not there is left to the view, which tells those that are. */
static int check_runs(const plan *p, const finding *f, tfprof_error *err)
{
    if (p->steps.count > 0 &&
        (f->has_runs || (!f->is_there && p->census->model->steps.count > 0)))
        return TFPROF_OK;
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "--output: a timeline requires run records (give them with "
                    "--run_meta_path or --profile_path)");
}

/* ---- Which files -------------------------------------------------------- */

/* NAME, or of several NAME_STEP. NULL when out of memory; `size` bytes to be
 * freed. */
static char *file_name(const plan *p, int64_t step, size_t *size)
{
    const char *name = p->options.output.outfile;
    char *path;
    *size = strlen(name) + 1 + TFP_STEP_NAME_EXTRA;
    path = tfp_memory_alloc(&p->profile->memory, *size);
    if (path && p->steps.count > 1)
        tfp_file_step_name(name, step, path, *size);
    else if (path)
        memcpy(path, name, strlen(name) + 1);
    return path;
}

static int check_file(plan *p, int64_t step, const char *path,
                      tfprof_error *err)
{
    (void)step;
    return tfp_file_check_target(path, p->census->model,
                                 &p->options.formula_file, err);
}

static int give_events(void *self, const tfp_event_taker *taker,
                       tfprof_error *err)
{
    const plan *p = self;
    return tfp_profile_take_events(
        p->profile, TFP_GATHER_STEPS | TFP_GATHER_MEMORY, taker, err);
}

/* What tfp_question_save() hands to write_trace(). */
typedef struct trace {
    plan *plan;
    tfp_view *view;
} trace;

static int write_trace(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const trace *t = subject;
    plan *p = t->plan;
    tfp_event_giver giver = { give_events, p };
    return p->source == OF_TRACES
               ? tfp_timeline_write_events(t->view, &p->notes, &giver, sink,
                                           err)
               : tfp_timeline_write(t->view, &p->notes, sink, err);
}

static int save_trace(plan *p, tfp_view *view, const char *path,
                      tfprof_error *err)
{
    trace t = { p, view };
    tfp_answer answer = { .write = write_trace,
                          .subject = &t,
                          .memory = &p->profile->memory,
                          .cancel = &p->profile->cancel,
                          .packed = tfp_file_is_packed_name(path) };
    int status = tfp_question_save(p->profile, &answer, path, err);
    p->escaped |= answer.escaped;
    if (p->notes.slices.count > p->largest.count)
        p->largest = p->notes.slices;
    p->notes.slices = (tfp_slice_sizes){ 0 };
    return status;
}

static void remark_on_peak(void *self, tfp_string device, int64_t bytes)
{
    const plan *p = self;
    char name[TFP_REMARK_PATH];
    tfp_escape_short(tfp_model_text(p->census->model, device), name,
                     sizeof(name));
    bytes = bytes / 10000 + (bytes % 10000 >= 5000); /* not as locales do */
    tfp_remark(p->profile, "peak memory of step %lld on %s: %lld.%02lld MB",
               (long long)p->options.step, name, (long long)bytes / 100,
               (long long)bytes % 100);
}

static int write_file(plan *p, int64_t step, const char *path,
                      tfprof_error *err)
{
    tfp_view view;
    bool is_first = step == step_at(p, 0); /* remarks once are enough */
    int status;
    p->options.step = step;
    status = tfp_view_init_within(&view, p->type, p->census, &p->options,
                                  &p->profile->cancel, &p->work, err);
    if (status == TFPROF_OK && is_first)
        tfp_remark_on_view(p->profile, &view);
    if (status == TFPROF_OK)
        status = save_trace(p, &view, path, err);
    if (status == TFPROF_OK && is_first)
        status = tfp_remark_on_empty(p->profile, &view, err);
    tfp_view_release(&view);
    return status;
}

static int each_file(plan *p,
                     int (*act)(plan *, int64_t, const char *, tfprof_error *),
                     tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; status == TFPROF_OK && i < p->steps.count; i++) {
        size_t size;
        char *path = file_name(p, step_at(p, i), &size);
        if (!path)
            return tfp_fail_nomem(err);
        status = act(p, step_at(p, i), path, err);
        tfp_memory_free(&p->profile->memory, path);
    }
    return status;
}

/* ---- All of it ---------------------------------------------------------- */

/* Viewers get slow, and browsers run out of memory. */
static void remark_on_size(const plan *p)
{
    enum { MANY_SLICES = 1000000 };
    int64_t left = 0, least;
    if (p->largest.count <= MANY_SLICES)
        return;
    least = tfp_slice_sizes_shrink(&p->largest, MANY_SLICES, &left);
    if (least > 0)
        tfp_remark(p->profile,
                   "the timeline has %lld slices; viewers may be slow to open "
                   "it (--min_micros %lld reduces it to %lld slices)",
                   (long long)p->largest.count, (long long)least,
                   (long long)left);
    else
        tfp_remark(p->profile,
                   "the timeline has %lld slices; viewers may be slow to open "
                   "it",
                   (long long)p->largest.count);
}

static void remark_on_notes(const plan *p)
{
    if (p->notes.limited_runs > 0)
        tfp_remark(p->profile, "%lld of %lld runs drawn (--max_depth %lld)",
                   (long long)p->notes.runs,
                   (long long)(p->notes.runs + p->notes.limited_runs),
                   (long long)p->options.max_depth);
    remark_on_size(p);
    if (p->notes.cut_slices > 0)
        tfp_remark(p->profile,
                   "the timeline shortens %lld slice%s that would extend past "
                   "the slice of the parent row",
                   (long long)p->notes.cut_slices,
                   p->notes.cut_slices == 1 ? "" : "s");
    if (p->notes.odd_lengths > 0)
        tfp_remark(p->profile,
                   "the timeline shortens %lld run%s with an end before the "
                   "start or after the largest supported time",
                   (long long)p->notes.odd_lengths,
                   p->notes.odd_lengths == 1 ? "" : "s");
    if (p->notes.no_arrows > 0)
        tfp_remark(p->profile,
                   "the timeline omits %lld arrow%s to shorter runs (see "
                   "--max_arrows)",
                   (long long)p->notes.no_arrows,
                   p->notes.no_arrows == 1 ? "" : "s");
    if (p->notes.short_texts > 0)
        tfp_remark(
            p->profile,
            "the timeline shortens the name or shapes of %lld slice%s (texts "
            "longer than 1000 bytes are complete only at the first run of a "
            "node)",
            (long long)p->notes.short_texts,
            p->notes.short_texts == 1 ? "" : "s");
    if (p->notes.no_launches > 0)
        tfp_remark(p->profile,
                   "the timeline omits the launch arrows of %lld kernel%s (see "
                   "--max_arrows)",
                   (long long)p->notes.no_launches,
                   p->notes.no_launches == 1 ? "" : "s");
    if (p->notes.cut_names > 0)
        tfp_remark(p->profile,
                   "the timeline shortens %lld event name%s longer than 1000 "
                   "bytes",
                   (long long)p->notes.cut_names,
                   p->notes.cut_names == 1 ? "" : "s");
    if (p->escaped)
        tfp_remark(p->profile,
                   "control characters, invisible characters and invalid "
                   "UTF-8 in names are shown as \\xHH");
}

int tfp_profile_write_timelines(tfprof_profile *profile,
                                const tfp_view_type *type,
                                const tfp_census *census, tfprof_error *err)
{
    plan p = { .profile = profile,
               .type = type,
               .census = census,
               .options = profile->options };
    finding f = look_at_steps(&p);
    int status;
    if (type->timeline == TFP_TIMELINE_RUNS && f.has_sums && !f.has_records) {
        p.source = OF_TRACES;
        /* How deep a node is says nothing about when it ran: a picture that
         * lacks the deeper ones would show a device idle that was busy. */
        p.options.max_depth = INT32_MAX;
    }
    status = find_steps(&p, err);
    p.notes.on_peak = remark_on_peak;
    p.notes.self = &p;
    if (status == TFPROF_OK)
        status = check_runs(&p, &f, err);
    if (status == TFPROF_OK)
        status = each_file(&p, check_file, err);
    if (status == TFPROF_OK)
        status = each_file(&p, write_file, err);
    if (status == TFPROF_OK)
        remark_on_notes(&p);
    if (status == TFPROF_OK && type->timeline == TFP_TIMELINE_RUNS &&
        f.has_sums && f.has_records)
        tfp_remark(
            profile,
            "the timeline contains only the run records, because traces use "
            "another clock (to draw a trace, give it without run records)");
    TFP_VEC_RELEASE(census->model->memory, &p.steps);
    return status;
}
