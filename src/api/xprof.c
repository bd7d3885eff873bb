/*
 * xprof.c - the public function that answers as xprof does.
 */
#include "xprof/xprof.h"
#include "options/options.h"
#include "trace/space.h"

#include <stdio.h>
#include <string.h>

#include "api/profile.h"
#include "api/question.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/escape.h"
#include "input/kind/input.h"
#include "model/file_kinds.h"
#include "model/inputs.h"
#include "model/model.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"
#include "output/xprof/xprof.h"

/* A trace on its way to a table. */
typedef struct work {
    tfprof_profile *profile;
    const tfp_cancel *reading; /* asked while the input is read */
    tfp_xprof_request request;
    tfp_model model; /* of this input alone; it stays empty */
    size_t traces;
    tfp_xprof answer; /* of the first */
} work;

const char *tfprof_xprof_tool(size_t index)
{
    return index < TFP_XPROF_TOOLS ? tfp_xprof_tool_names[index] : NULL;
}

/* ---- What is asked ------------------------------------------------------ */

static int find_tool(const char *name, tfp_xprof_tool *tool, tfprof_error *err)
{
    const char *nearest;
    char safe[80];
    int status = tfp_check_given(name != NULL, "the tool", err);
    if (status != TFPROF_OK)
        return status;
    *tool = tfp_xprof_tool_find(name);
    if (*tool < TFP_XPROF_TOOLS)
        return TFPROF_OK;
    nearest = tfprof_nearest_word(name, tfp_xprof_tool_names, TFP_XPROF_TOOLS);
    tfp_escape_short(tfp_span_of(name), safe, sizeof(safe));
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "unknown tool '%s'%s%s%s; the tools are "
                    "framework_op_stats, hlo_stats, kernel_stats and "
                    "memory_profile",
                    safe, nearest ? " (did you mean " : "",
                    nearest ? nearest : "", nearest ? "?)" : "");
}

/* ---- Reading ------------------------------------------------------------ */

static int asked(void *self)
{
    const work *w = self;
    return tfp_cancelled(w->reading) || tfp_cancelled(&w->profile->cancel);
}

static int take_space(void *self, tfp_space *space, const tfp_cancel *cancel,
                      tfprof_error *err)
{
    work *w = self;
    tfp_cancel either = { asked, w };
    if (w->traces++ > 0)
        return TFPROF_OK; /* refused when all of them are known */
    w->reading = cancel;
    w->request.cancel = &either;
    return tfp_xprof_make(&w->answer, space, &w->request, err);
}

static void name_input(const work *w, const tfp_input *input, char *buffer,
                       size_t size)
{
    if (tfp_input_name(&w->model, input, buffer, size) >= size)
        tfp_escape_mark_cut(buffer, size);
}

/* The message of an input names it, and the place in it. */
static int fail_input(const work *w, int status, const tfprof_error *why,
                      tfprof_error *err)
{
    const tfp_input *input = NULL;
    char name[100];
    for (size_t i = 0; i < w->model.inputs.count; i++) {
        if (w->model.inputs.data[i].status != TFPROF_OK && !input)
            input = &w->model.inputs.data[i];
    }
    if (!input)
        return tfp_fail(err, (tfprof_code)status, -1, "%s", why->message);
    name_input(w, input, name, sizeof(name));
    if (why->line > 0)
        return tfp_fail(err, (tfprof_code)status, why->offset,
                        "%s: line %lld, column %lld: %s", name,
                        (long long)why->line, (long long)why->column,
                        why->message);
    if (why->offset >= 0)
        return tfp_fail(err, (tfprof_code)status, why->offset,
                        "%s: offset %lld: %s", name, (long long)why->offset,
                        why->message);
    return tfp_fail(err, (tfprof_code)status, -1, "%s: %s", name, why->message);
}

/* One file that is something else, or a directory without a trace. */
static int fail_no_trace(const work *w, const char *path, tfprof_error *err)
{
    const tfp_input *only = &w->model.inputs.data[0];
    char name[100];
    tfp_escape_short(tfp_span_of(path), name, sizeof(name));
    if (w->model.inputs.count == 1 && only->member == 0)
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "%s: xprof tools require a trace (*.xplane.pb), but "
                        "the file type is %s",
                        name, tfp_file_kind_name(only->kind));
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "%s: no trace (*.xplane.pb) in this directory", name);
}

static int fail_several(const work *w, tfprof_error *err)
{
    char names[170] = "";
    size_t used = 0;
    for (size_t i = 0; i < w->model.inputs.count; i++) {
        const tfp_input *input = &w->model.inputs.data[i];
        char name[80];
        if (input->kind != TFP_FILE_XSPACE)
            continue;
        tfp_escape_short(tfp_model_text(&w->model, input->member), name,
                         sizeof(name));
        if (used + strlen(name) + sizeof(", ...") > sizeof(names)) {
            snprintf(names + used, sizeof(names) - used, ", ...");
            break;
        }
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
                                 used > 0 ? ", " : "", name);
    }
    return tfp_fail(
        err, TFPROF_ERR_MISSING, -1,
        "found %zu traces, but xprof tools read only one (give one of %s)",
        w->traces, names);
}

static int read_trace(work *w, const char *path, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfp_input_context *own = tfp_profile_context(p), context = *own;
    tfp_input_request request = { .path = path };
    tfprof_error why = { 0 };
    int status;
    context.model = &w->model;
    context.take_space = take_space;
    context.space_self = w;
    w->request.max_depth = context.max_depth;
    status = tfp_input_add_path(&context, &request, &why);
    own->read_stdin = context.read_stdin;
    if (status != TFPROF_OK)
        return fail_input(w, status, &why, err);
    if (w->traces == 0)
        return fail_no_trace(w, path, err);
    return w->traces > 1 ? fail_several(w, err) : TFPROF_OK;
}

/* ---- The answer --------------------------------------------------------- */

static int write_answer(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    (void)err;
    tfp_xprof_write(subject, sink);
    return TFPROF_OK;
}

static int send(work *w, tfprof_write_fn *write, void *context,
                tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfp_answer answer = { .write = write_answer,
                          .subject = &w->answer,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    int status = TFPROF_OK;
    if (p->options.output.kind == TFP_OUTPUT_FILE)
        status = tfp_file_check_target(p->options.output.outfile, &w->model,
                                       &p->options.formula_file, err);
    return status == TFPROF_OK
               ? tfp_question_send(p, &answer, write, context, err)
               : status;
}

static int answer(work *w, const char *path, tfprof_write_fn *write,
                  void *context, tfprof_error *err)
{
    int status = tfp_model_init(&w->model, &w->profile->memory)
                     ? read_trace(w, path, err)
                     : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = send(w, write, context, err);
    if (w->answer.memory)
        tfp_xprof_release(&w->answer);
    tfp_model_release(&w->model);
    return status;
}

int tfprof_profile_write_xprof(tfprof_profile *p, const char *tool,
                               const char *path, tfprof_write_fn *write,
                               void *context, tfprof_error *err)
{
    work w = { .profile = p };
    int status = find_tool(tool, &w.request.tool, err);
    if (status == TFPROF_OK)
        status = tfp_check_given(path != NULL, "the path", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    w.request.memory = &p->memory;
    tfp_question_limit(p);
    status = tfp_question_check_write(p, write, err);
    if (status == TFPROF_OK)
        status = tfp_question_check_output(
            p, "--output: xprof supports stdout, none and file:outfile=FILE",
            err);
    if (status == TFPROF_OK)
        status = answer(&w, path, write, context, err);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}
