/*
 * question.c - what every question to a profile begins and ends with.
 */
#include "api/question.h"

#include "options/options.h"

#include "model/model.h"

#include "model/inputs.h"

#include "model/file_kinds.h"

#include "input/kind/input.h"

#include "base/memory.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "api/remarks.h"
#include "base/escape.h"
#include "input/kind/kinds.h"
#include "input/path/paths.h"
#include "output/sink/file.h"

static int fail_input(const tfprof_profile *p, size_t index, tfprof_code code,
                      const char *what, const char *why, tfprof_error *err)
{
    char name[160];
    tfp_profile_input_name(p, index, name, sizeof(name));
    return tfp_fail(err, code, -1, "%s: %s%s", name, what, why);
}

/* What to give instead of a file: the trace beside one that was made of the
 * same run, else what its kind advises. */
static const char *advice_on(const tfprof_profile *p, const tfp_input *input,
                             char *line, size_t size)
{
    char path[4096], name[256], safe[80];
    tfp_span text = tfp_model_text(&p->model, input->path);
    bool may_have = input->kind == TFP_FILE_CHROME_TRACE ||
                    input->kind == TFP_FILE_EVENTS ||
                    input->kind == TFP_FILE_HLO;
    if (!may_have || !input->is_file || input->member ||
        text.size >= sizeof(path))
        return tfp_kind_of(input->kind)->advice;
    memcpy(path, text.data, text.size);
    path[text.size] = '\0';
    switch (tfp_find_trace_beside(p->model.memory, path, name, sizeof(name))) {
    case TFP_BESIDE_TRACE:
        tfp_escape_short(tfp_span_of(name), safe, sizeof(safe));
        snprintf(line, size, "give %s, which is beside it", safe);
        return line;
    case TFP_BESIDE_LOGS:
        text.size -= tfp_span_base_name(text).size;
        text.size -= text.size > 1; /* the slash, but of the root */
        tfp_escape_short(text.size > 0 ? text : tfp_span_of("."), safe,
                         sizeof(safe));
        snprintf(line, size, "give %s, which has a trace", safe);
        return line;
    default: return tfp_kind_of(input->kind)->advice;
    }
}

/* A file of a known kind is TFPROF_ERR_UNSUPPORTED, not malformed: it is
 * intact. If the message is too long, the name is cut and the advice is kept
 * whole. */
int tfp_question_fail_unread(const tfprof_profile *p, size_t index,
                             tfprof_error *err)
{
    tfp_file_kind kind = p->model.inputs.data[index].kind;
    char beside[128], what[200];
    const char *advice = advice_on(p, &p->model.inputs.data[index], beside,
                                   sizeof(beside));
    char name[sizeof(((tfprof_error *)NULL)->message)];
    int used = snprintf(
        what, sizeof(what), "views cannot read this file type: %s%s%s",
        tfp_file_kind_name(kind), advice ? "; " : "", advice ? advice : "");
    tfp_profile_input_name(p, index, name,
                           sizeof(name) - (size_t)used - strlen(": "));
    return tfp_fail(err,
                    tfp_kind_is_foreign(kind) ? TFPROF_ERR_MALFORMED
                                              : TFPROF_ERR_UNSUPPORTED,
                    -1, "%s: %s", name, what);
}

/* Adds to a message about one file which others were seen, if there is room. */
static void name_others(const tfprof_profile *p, size_t named,
                        tfprof_error *err)
{
    static const char around[] = " (other files: )";
    size_t used = strlen(err->message);
    size_t room = sizeof(err->message) - used;
    tfp_name_list seen = { .room = sizeof(seen.text) };
    if (room < sizeof(around) + seen.room)
        seen.room = room > sizeof(around) ? room - sizeof(around) : 0;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        tfp_string member = p->model.inputs.data[i].member;
        if (i != named)
            tfp_name_list_add(&seen, tfp_model_text(&p->model, member));
    }
    tfp_name_list_end(&seen);
    if (seen.shown > 0)
        snprintf(err->message + used, room, " (other files: %s)", seen.text);
}

/* Fails because no file of the given directories was read. The message is the
 * reason that an input recorded, if there is one. Otherwise it names the kind
 * of one file, preferably of a file that TensorFlow wrote. */
static int fail_all_unread(const tfprof_profile *p, tfprof_error *err)
{
    tfprof_error why;
    size_t named = 0;
    for (size_t i = p->model.inputs.count; i-- > 0;) {
        const tfp_input *input = &p->model.inputs.data[i];
        char path[100];
        if (!tfp_kind_is_foreign(input->kind))
            named = i;
        if (!*input->why.message)
            continue;
        tfp_escape_short(tfp_model_text(&p->model, input->path), path,
                         sizeof(path));
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "%s: %s", path,
                        input->why.message);
    }
    tfp_question_fail_unread(p, named, &why);
    name_others(p, named, &why);
    if (err)
        *err = why;
    return why.code;
}

/* Refuses the name of a run if no run was chosen by it. */
static int check_run(const tfprof_profile *p, tfprof_error *err)
{
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        if (input->trace.is_chosen || input->status != TFPROF_OK)
            return TFPROF_OK;
    }
    return p->options.run.count == 0
               ? TFPROF_OK
               : tfp_fail(
                     err, TFPROF_ERR_OPTION, -1,
                     "--run %s: no input is a log directory (give the "
                     "directory that contains plugins/profile)",
                     tfp_shorten(tfp_span_of(p->options.run.data), 60).text);
}

/* Is nothing left of a trace that --salvage read? */
static bool is_lost(const tfp_input *input)
{
    return input->partial && input->trace.is_cut && input->steps.count == 0;
}

static int fail_lost(const tfprof_profile *p, size_t index, tfprof_error *err)
{
    const tfp_input_trace *trace = &p->model.inputs.data[index].trace;
    char plane[64], why[200];
    tfp_escape_short(tfp_model_text(&p->model, trace->cut_plane), plane,
                     sizeof(plane));
    if (trace->cut_events > 0)
        snprintf(why, sizeof(why),
                 "no operations are left: the file ends in the plane %s, and "
                 "the names of its %lld events would follow",
                 plane, (long long)trace->cut_events);
    else
        snprintf(why, sizeof(why),
                 "no operations are left: the file ends in the plane %s",
                 plane);
    return fail_input(p, index, (tfprof_code)p->model.inputs.data[index].status,
                      why, "", err);
}

/* Refuses to answer if an input that the user named was not read, since the
 * answer would look complete. Two cases are allowed: parts that --salvage kept,
 * and files that were only found in a directory. */
static int check_inputs(const tfprof_profile *p, bool needs_nodes,
                        tfprof_error *err)
{
    bool is_read = false, has_nodes = !needs_nodes, has_others = false;
    size_t lost = p->model.inputs.count;
    int status = check_run(p, err);
    if (status != TFPROF_OK)
        return status;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        if (input->status != TFPROF_OK && !input->partial &&
            !input->is_left_out)
            return fail_input(p, i, (tfprof_code)input->status,
                              "not read: ", input->why.message, err);
        if (!input->is_read && !input->member)
            return tfp_question_fail_unread(p, i, err);
        if (input->is_deferred)
            return fail_input(
                p, i, TFPROF_ERR_MISSING,
                "its runs were not read, because tfprof_profile_expect() was "
                "called with \"aggregate\"",
                "", err);
        if (needs_nodes && input->trace.leaves_events)
            return fail_input(
                p, i, TFPROF_ERR_MISSING,
                "its events were not read, because tfprof_profile_expect() was "
                "called with \"info\"",
                "", err);
        is_read |= input->is_read;
        has_others |= input->is_read && !is_lost(input);
        if (is_lost(input))
            lost = i;
        has_nodes |= input->is_read && !is_lost(input) &&
                     input->kind != TFP_FILE_OP_LOG &&
                     input->kind != TFP_FILE_CHECKPOINT_STATE;
    }
    if (!is_read && p->model.inputs.count > 0)
        return fail_all_unread(p, err);
    if (!has_others && lost < p->model.inputs.count)
        return fail_lost(p, lost, err);
    return has_nodes ? TFPROF_OK
                     : tfp_fail(err, TFPROF_ERR_MISSING, -1,
                                "no input contains nodes (give a graph, run "
                                "metadata, a trace, a checkpoint or a "
                                "profile)");
}

void tfp_question_limit(tfprof_profile *p)
{
    p->context.max_memory = p->options.max_memory;
    tfp_input_set_limit(&p->context);
    p->memory.limit_reached = false;
}

/* Calls in Python have times of their own, which no other answer is about. */
static int refuse_frames(const tfprof_profile *p, tfprof_error *err)
{
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        if (p->model.inputs.data[i].trace.is_of_frames)
            return tfp_fail(
                err, TFPROF_ERR_OPTION, -1,
                "--frames python supports only the code view, because "
                "this option does not read the operations of a trace");
    }
    return TFPROF_OK;
}

/* All inputs must be traces, and one must have calls. */
static int check_frames(const tfprof_profile *p, tfprof_error *err)
{
    int64_t calls = 0;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input_trace *trace = &p->model.inputs.data[i].trace;
        /* The lines of operations, beside the trace that was given. */
        if (p->model.inputs.data[i].kind == TFP_FILE_OP_LOG &&
            p->model.inputs.data[i].member != 0)
            continue;
        if (!trace->is_of_frames && p->model.inputs.data[i].is_read)
            return fail_input(p, i, TFPROF_ERR_MISSING, "",
                              "--frames python requires traces (*.xplane.pb); "
                              "this file is not a trace",
                              err);
        calls = tfp_add_sat(calls, trace->python_calls);
    }
    return calls > 0 || p->model.inputs.count == 0
               ? TFPROF_OK
               : tfp_fail(err, TFPROF_ERR_MISSING, -1,
                          "the trace contains no Python calls (%s)",
                          tfp_record_frames);
}

int tfp_question_begin(tfprof_profile *p, tfprof_error *err)
{
    int status;
    tfp_question_limit(p);
    status = check_inputs(p, true, err);
    return status == TFPROF_OK ? refuse_frames(p, err) : status;
}

int tfp_question_begin_any(tfprof_profile *p, tfprof_error *err)
{
    int status;
    tfp_question_limit(p);
    status = check_inputs(p, false, err);
    return status == TFPROF_OK ? refuse_frames(p, err) : status;
}

int tfp_question_begin_lines(tfprof_profile *p, tfprof_error *err)
{
    int status;
    if (!p->context.reads_frames)
        return tfp_question_begin(p, err);
    tfp_question_limit(p);
    status = check_inputs(p, true, err);
    return status == TFPROF_OK ? check_frames(p, err) : status;
}

int tfprof_profile_check(tfprof_profile *p, tfprof_error *err)
{
    int status = tfp_profile_enter(p, err);
    return status == TFPROF_OK
               ? tfp_profile_leave(p, check_inputs(p, false, err))
               : status;
}

int tfp_question_check_format(const tfprof_profile *p, tfprof_error *err)
{
    switch (p->options.format) {
    case TFP_FORMAT_MARKDOWN:
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "only diff and check support --format markdown");
    case TFP_FORMAT_GITHUB:
    case TFP_FORMAT_JUNIT:
    case TFP_FORMAT_SARIF:
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "only check supports --format github, junit and sarif");
    default: return TFPROF_OK;
    }
}

int tfp_question_check_write(const tfprof_profile *p, tfprof_write_fn *write,
                             tfprof_error *err)
{
    int status = tfp_question_check_format(p, err);
    if (status != TFPROF_OK)
        return status;
    return p->options.output.kind == TFP_OUTPUT_STDOUT
               ? tfp_check_given(write != NULL, "the write function", err)
               : TFPROF_OK;
}

bool tfp_question_has_labels(const tfprof_profile *p)
{
    switch (p->options.output.kind) {
    case TFP_OUTPUT_PARQUET: return true;
    case TFP_OUTPUT_STDOUT:
    case TFP_OUTPUT_NONE:
    case TFP_OUTPUT_FILE:
        return p->options.format == TFP_FORMAT_CSV ||
               p->options.format == TFP_FORMAT_JSON;
    default: return false;
    }
}

int tfp_question_check_output(const tfprof_profile *p, const char *refusal,
                              tfprof_error *err)
{
    const tfp_output *output = &p->options.output;
    switch (output->kind) {
    case TFP_OUTPUT_STDOUT:
    case TFP_OUTPUT_NONE: return TFPROF_OK;
    case TFP_OUTPUT_FILE:
        return tfp_file_check_target(output->outfile, &p->model,
                                     &p->options.formula_file, err);
    default: return tfp_fail(err, TFPROF_ERR_OPTION, -1, "%s", refusal);
    }
}

void tfp_question_memory(const tfprof_profile *p, tfp_memory *memory)
{
    tfp_memory_init(memory, p->memory.resize, p->memory.context);
    memory->limit = p->memory.limit > p->memory.held
                        ? p->memory.limit - p->memory.held
                        : 0;
}

int tfp_question_end_kept(const tfp_memory *memory, const char *what,
                          int status, tfprof_error *err)
{
    if (status != TFPROF_ERR_NOMEM || !memory->limit_reached)
        return status;
    return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                    "the %s need more memory than allowed (see --max_memory)",
                    what);
}

void tfprof_profile_on_file(tfprof_profile *p, tfprof_file_fn *written,
                            void *context)
{
    if (!tfp_profile_is(p))
        return;
    p->on_file = written;
    p->file_context = context;
}

int tfp_question_save(const tfprof_profile *p, tfp_answer *answer,
                      const char *path, tfprof_error *err)
{
    int status = tfp_answer_save(answer, path, err);
    if (status == TFPROF_OK && p->on_file)
        p->on_file(p->file_context, path);
    return status;
}

int tfp_question_send(const tfprof_profile *p, tfp_answer *answer,
                      tfprof_write_fn *write, void *context, tfprof_error *err)
{
    const tfp_output *output = &p->options.output;
    int status = TFPROF_OK;
    bool is_sent = output->kind == TFP_OUTPUT_STDOUT ||
                   (output->kind == TFP_OUTPUT_HTML && !output->outfile);
    if (output->kind == TFP_OUTPUT_HTML && output->outfile)
        answer->packed = tfp_file_is_packed_name(output->outfile);
    if (is_sent)
        status = tfp_answer_send(answer, write, context, err);
    else if (output->kind != TFP_OUTPUT_NONE)
        status = tfp_question_save(p, answer, output->outfile, err);
    if (answer->escaped)
        tfp_remark(p, "control characters, invisible characters and invalid "
                      "UTF-8 in names are shown as \\xHH");
    return status;
}

int tfp_question_end(const tfprof_profile *p, int status, tfprof_error *err)
{
    if (status != TFPROF_ERR_NOMEM || !p->memory.limit_reached)
        return status;
    return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                    "the answer needs more memory than allowed (see "
                    "--max_memory)");
}
