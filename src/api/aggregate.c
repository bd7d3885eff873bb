/*
 * aggregate.c - the public function that folds many steps into tables.
 *
 * Graphs and op logs are read as they are added. At that time, the types of
 * files with runs are only detected (TFP_DEFER_RUNS). These files are read
 * later (aggregate_read.c), after everything else was checked.
 */
#include "api/aggregate_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aggregate/aggregate.h"
#include "aggregate/places.h"
#include "api/aggregate_folder.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/intern.h"
#include "input/kind/kinds.h"
#include "model/inputs.h"
#include "model/model.h"
#include "options/labels.h"
#include "output/aggregate/tables.h"
#include "output/sink/answer.h"
#include "output/text/json.h"

enum { HOST_SIZE = 256, PROBLEM_SIZE = 1024 };

typedef struct work {
    tfp_agg_work base;
    int64_t inputs, damaged;
    TFP_VEC(char) problems;
    char machine[4 * HOST_SIZE]; /* the host name, escaped */
    tfp_labels labels;
    tfp_agg_folder folder;
    int64_t bytes; /* of the files written */
} work;

/* ---- Problems ----------------------------------------------------------- */

/* Adds a line "FILE: PLACE: REASON" to the problems, as the program prints
 * it. */
static bool note_problem(work *w, size_t index)
{
    const tfprof_error *why = &w->base.profile->model.inputs.data[index].why;
    char name[TFP_REMARK_PATH], line[PROBLEM_SIZE + TFP_REMARK_PATH];
    char place[80] = "";
    int size;
    tfp_profile_input_name(w->base.profile, index, name, sizeof(name));
    if (why->line > 0)
        snprintf(place, sizeof(place),
                 "line %lld, column %lld: ", (long long)why->line,
                 (long long)why->column);
    else if (why->offset >= 0)
        snprintf(place, sizeof(place), "offset %lld: ", (long long)why->offset);
    size = snprintf(line, sizeof(line), "%s%s: %s%s",
                    w->problems.count > 0 ? "\n" : "", name, place,
                    why->message);
    if (size < 0 ||
        !TFP_VEC_RESERVE(&w->base.profile->memory, &w->problems, (size_t)size))
        return false;
    memcpy(w->problems.data + w->problems.count, line, (size_t)size);
    w->problems.count += (size_t)size;
    return true;
}

static int note_problems(work *w, tfprof_error *err)
{
    const tfprof_profile *p = w->base.profile;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        w->inputs += input->is_read || input->is_deferred ||
                     tfp_agg_is_damaged(input);
        if (!tfp_agg_is_damaged(input))
            continue;
        w->damaged++;
        if (!note_problem(w, i))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

/* ---- Checks before the runs are read ------------------------------------ */

/* Can the other inputs be aggregated without this one? Without a graph, rows
 * would have other names and types. */
static bool can_miss(const tfp_input *input)
{
    switch (input->kind) {
    case TFP_FILE_EMPTY:
    case TFP_FILE_RUN_METADATA:
    case TFP_FILE_STEP_STATS:
    case TFP_FILE_XSPACE: return true;
    case TFP_FILE_PROFILE: /* its nodes may be in the model already */
        return input->is_deferred || input->partial || input->bytes_read == 0;
    case TFP_FILE_UNKNOWN: return input->member != 0;
    default: return input->partial || input->is_left_out;
    }
}

/* A message without bytes is valid, but as an input it is a mistake. */
static void refuse_empty(tfp_input *input)
{
    switch (input->kind) {
    case TFP_FILE_GRAPH:
    case TFP_FILE_SAVED_MODEL:
    case TFP_FILE_META_GRAPH:
    case TFP_FILE_OP_LOG:
    case TFP_FILE_RUN_METADATA:
    case TFP_FILE_STEP_STATS:
    case TFP_FILE_PROFILE: break;
    default: return;
    }
    if (tfp_agg_is_damaged(input) || !input->is_read || input->member != 0 ||
        input->bytes_read > 0)
        return;
    input->status = tfp_fail(&input->why, TFPROF_ERR_MALFORMED, -1,
                             "the file is empty");
}

static int check_inputs(const tfprof_profile *p, tfprof_error *err)
{
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        tfp_input *input = &p->model.inputs.data[i];
        char name[160];
        refuse_empty(input);
        if (!tfp_agg_is_damaged(input) && !input->is_read && input->member == 0)
            return tfp_question_fail_unread(p, i, err);
        if (!tfp_agg_is_damaged(input) || can_miss(input))
            continue;
        tfp_profile_input_name(p, i, name, sizeof(name));
        return tfp_fail(err, (tfprof_code)input->status, -1,
                        "%s: cannot aggregate without this input", name);
    }
    return TFPROF_OK;
}

/* ---- Reading ------------------------------------------------------------ */

static int fail_nothing(const work *w, tfprof_error *err)
{
    if (w->damaged > 0)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "no step could be read, so no table is written");
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "no input contains run records (give a trace, RunMetadata "
                    "or a profile)");
}

static int read_all(work *w, tfprof_error *err)
{
    int status = tfp_agg_read(&w->base, err);
    if (status == TFPROF_OK)
        status = note_problems(w, err);
    if (status == TFPROF_OK && w->base.aggregate.steps.count == 0)
        status = fail_nothing(w, err);
    return status;
}

/* ---- Files -------------------------------------------------------------- */

static int write_files(work *w, tfprof_error *err)
{
    tfprof_profile *p = w->base.profile;
    tfp_agg_header header = {
        .producer = w->base.producer,
        .machine = w->machine,
        .inputs = w->inputs,
        .damaged = w->damaged,
        .problems = { (const uint8_t *)w->problems.data, w->problems.count },
    };
    tfp_agg_tables tables = { &w->base.aggregate, &header, &w->labels,
                              &p->memory, &p->cancel };
    int status = tfp_agg_folder_clear(&w->folder, err);
    for (size_t i = 0; tfp_agg_files[i] && status == TFPROF_OK; i++) {
        const char *path = tfp_agg_folder_file(&w->folder, i);
        struct stat about;
        status = tfp_agg_write(&tables, i, path, err);
        if (status == TFPROF_OK && stat(path, &about) == 0)
            w->bytes += about.st_size;
    }
    return status;
}

/* ---- The answer --------------------------------------------------------- */

static int write_summary(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const work *w = subject;
    const char *folder = w->base.profile->options.output.outfile;
    long long steps = (long long)w->base.aggregate.steps.count;
    long long rows = (long long)w->base.aggregate.rows.rows.count;
    (void)err;
    if (w->base.profile->options.format == TFP_FORMAT_JSON) {
        tfp_json j;
        tfp_json_init(&j, sink);
        tfp_json_open(&j, NULL, '{');
        tfp_json_string(&j, "folder", tfp_span_of(folder));
        tfp_json_int(&j, "steps", steps);
        tfp_json_int(&j, "rows", rows);
        tfp_json_int(&j, "dropped", w->base.aggregate.rows.dropped);
        tfp_json_int(&j, "inputs", w->inputs);
        tfp_json_int(&j, "damaged", w->damaged);
        tfp_json_int(&j, "bytes", w->bytes);
        tfp_json_close(&j);
        return TFPROF_OK;
    }
    tfp_sink_format(sink, "%lld step%s, %lld row%s, %lld bytes in ", steps,
                    steps == 1 ? "" : "s", rows, rows == 1 ? "" : "s",
                    (long long)w->bytes);
    tfp_sink_escaped(sink, tfp_span_of(folder));
    tfp_sink_char(sink, '\n');
    return TFPROF_OK;
}

static int check_options(const tfprof_profile *p, tfprof_error *err)
{
    const tfp_options *o = &p->options;
    if (o->output.kind != TFP_OUTPUT_PARQUET || !o->output.outfile ||
        !*o->output.outfile)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "aggregate writes tables into a folder: use --output "
                        "parquet:outfile=FOLDER");
    if (p->context.reads_frames || o->frames == TFP_FRAMES_PYTHON)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--frames python supports only the code view, because "
                        "this option does not read the operations of a trace");
    if (tfp_options_give(o, "max_depth") &&
        (o->max_depth < 1 || o->max_depth > TFP_AGGREGATE_MOST_DEPTH))
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--max_depth: aggregate supports 1 to %d, not %lld",
                        TFP_AGGREGATE_MOST_DEPTH, (long long)o->max_depth);
    if (!p->expects_aggregate)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "call tfprof_profile_expect() with \"aggregate\" "
                        "before inputs are added");
    return TFPROF_OK;
}

/* The labels of all tables: job and worker, which always exist, and then the
 * other labels of the user. */
static int make_labels(work *w, tfprof_error *err)
{
    tfp_labels given;
    static const char *const keys[] = { "job", "worker" };
    const char *values[] = { "", w->machine };
    tfp_labels_read(&w->base.profile->options.label, &given);
    for (size_t i = 0; i < 2; i++) {
        const tfp_label_pair *label = tfp_labels_find(&given, keys[i]);
        tfp_label_pair *to = &w->labels.at[w->labels.count++];
        if (label)
            *to = *label;
        else
            *to = (tfp_label_pair){
                .value = values[i], .bounds = { 0, (int64_t)strlen(values[i]) }
            };
        snprintf(to->key, sizeof(to->key), "%s", keys[i]);
    }
    for (size_t i = 0; i < given.count; i++) {
        const tfp_label_pair *label = &given.at[i];
        if (label == tfp_labels_find(&given, "job") ||
            label == tfp_labels_find(&given, "worker"))
            continue;
        if (w->labels.count >= TFP_MOST_LABELS)
            return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                            "--label: aggregate supports at most %d labels "
                            "in addition to job and worker",
                            TFP_MOST_LABELS - 2);
        w->labels.at[w->labels.count++] = *label;
    }
    return tfp_agg_check_labels(&w->labels, err);
}

/* A host name can have any bytes, but a label must be UTF-8. */
static void find_machine(work *w)
{
    char name[HOST_SIZE] = "";
    if (gethostname(name, sizeof(name) - 1) != 0)
        name[0] = '\0';
    tfp_escape(tfp_span_of(name), w->machine, sizeof(w->machine));
}

/* A file of a directory that was not read. */
static bool is_skipped(const tfp_input *input)
{
    bool is_empty = input->kind == TFP_FILE_EMPTY || input->size == 0;
    return input->member != 0 && !tfp_agg_is_damaged(input) &&
           (is_empty || input->kind == TFP_FILE_UNKNOWN);
}

static void remark_on_skipped(const tfprof_profile *p)
{
    tfp_some_inputs found;
    if (tfp_find_inputs(p, is_skipped, &found))
        tfp_remark(p,
                   "%s: skipped: the file is empty, or its type is unknown%s",
                   found.name, found.more);
}

static void remark(const work *w)
{
    const tfprof_profile *p = w->base.profile;
    remark_on_skipped(p);
    tfp_remark_on_files(p);
    tfp_remark_on_traces(p);
    tfp_remark_on_run_notes(p, &w->base.notes);
    if (w->base.aggregate.rows.dropped > 0)
        tfp_remark(p,
                   "%lld rows are over the limit of %d rows; their time is in "
                   "the rows above them (a smaller --max_depth gives fewer "
                   "rows)",
                   (long long)w->base.aggregate.rows.dropped,
                   TFP_AGGREGATE_LIMIT);
}

static int aggregate(work *w, tfprof_write_fn *write, void *context,
                     tfprof_error *err)
{
    tfprof_profile *p = w->base.profile;
    tfp_answer answer = { .write = write_summary,
                          .subject = w,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    uint32_t depth = tfp_options_give(&p->options, "max_depth")
                         ? (uint32_t)p->options.max_depth
                         : TFP_AGGREGATE_DEPTH;
    int status;
    find_machine(w);
    status = make_labels(w, err);
    if (status == TFPROF_OK)
        status = check_inputs(p, err);
    if (status == TFPROF_OK)
        status = tfp_agg_folder_open(&w->folder, p->options.output.outfile, p,
                                     err);
    if (status != TFPROF_OK)
        return status;
    if (!tfp_interner_init(&w->base.taken, &p->memory, 8, tfp_random_seed()) ||
        !tfp_aggregate_init(&w->base.aggregate, &p->memory, depth,
                            TFP_AGGREGATE_LIMIT))
        return tfp_fail_nomem(err);
    tfp_agg_places_init(&w->base.places, &w->base.aggregate.rows, &p->model,
                        depth);
    status = read_all(w, err);
    if (status == TFPROF_OK)
        status = write_files(w, err);
    if (status != TFPROF_OK)
        return status;
    remark(w);
    return tfp_answer_send(&answer, write, context, err);
}

int tfprof_profile_write_aggregate(tfprof_profile *p, tfprof_write_fn *write,
                                   void *context, tfprof_error *err)
{
    work w = { .base = { .profile = p, .producer = "" } };
    int status = tfp_check_given(write != NULL, "the write function", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    tfp_question_limit(p);
    status = check_options(p, err);
    if (status == TFPROF_OK)
        status = aggregate(&w, write, context, err);
    tfp_agg_folder_close(&w.folder, status == TFPROF_OK);
    tfp_agg_read_release(&w.base);
    tfp_agg_places_release(&w.base.places);
    tfp_aggregate_release(&w.base.aggregate);
    if (w.base.taken.memory)
        tfp_interner_release(&w.base.taken);
    TFP_VEC_RELEASE(&p->memory, &w.problems);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}
