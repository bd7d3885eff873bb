/*
 * inputs.c - the public functions that add inputs and tell how they fared.
 */
#include "model/inputs.h"
#include "api/profile.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/reader.h"
#include "input/kind/input.h"
#include "input/kind/role.h"
#include "model/model.h"
#include "options/options.h"

/* ---- Adding ------------------------------------------------------------- */

tfp_input_context *tfp_profile_context(tfprof_profile *p)
{
    p->context.salvage = p->options.salvage;
    p->context.counts_unknown = p->options.verbose;
    p->context.max_depth = (int)p->options.max_depth_nesting;
    p->context.max_input = p->options.max_input;
    p->context.max_memory = p->options.max_memory;
    p->context.max_block = p->options.max_block;
    p->context.follow = p->options.follow;
    p->context.fold_transforms = p->options.fold_transforms;
    p->context.reads_frames = p->options.frames == TFP_FRAMES_PYTHON;
    p->context.run = p->options.run.count > 0 ? p->options.run.data : NULL;
    p->context.step_names = tfp_asked_steps_use(
        &p->asked_steps, &p->options.step_event, &p->memory);
    p->context.is_for_info = p->expects_info && p->model.gathers == 0 &&
                             !p->options.verbose;
    return &p->context;
}

/* The same to add to the model. What was known of inputs before is no more. */
static tfp_input_context *context_of(tfprof_profile *p)
{
    tfp_profile_drop_census(p);
    return tfp_profile_context(p);
}

/* `word` as a user writes an option that gives files, or NULL. */
static int find_role(const char *word, tfp_role *role, tfprof_error *err)
{
    const tfp_option *option = word ? tfp_option_find(word) : NULL;
    *role = tfp_role_of_option(option ? option->shown.name : NULL);
    if (word && *role == TFP_ROLE_ANY)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1, "unknown input type '%s'",
                        tfp_shorten(tfp_span_of(word), 60).text);
    return TFPROF_OK;
}

/* `role` is the option that it is given by; NULL for that of the request. */
static int check_request(tfp_input_request *request, const char *role,
                         tfprof_error *err)
{
    int status = tfp_check_given(request->path, "the path or name", err);
    if (status != TFPROF_OK)
        return status;
    if (request->has_step && request->step < 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "the step must be 0 or more, not %lld",
                        (long long)request->step);
    return role ? find_role(role, &request->role, err) : TFPROF_OK;
}

/* `stream` NULL: the path is to be opened. */
static int add(tfprof_profile *p, tfp_input_request request, const char *role,
               const tfp_input_stream *stream, tfprof_error *err)
{
    int status = check_request(&request, role, err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = stream ? tfp_input_add_stream(context_of(p), &request, stream, err)
                    : tfp_input_add_path(context_of(p), &request, err);
    return tfp_profile_leave(p, status);
}

static tfp_input_request step_request(const char *path, int64_t step)
{
    return (tfp_input_request){
        .path = path, .role = TFP_ROLE_RUN_META, .has_step = true, .step = step
    };
}

int tfprof_profile_add_path(tfprof_profile *p, const char *path,
                            const char *role, tfprof_error *err)
{
    return add(p, (tfp_input_request){ .path = path }, role, NULL, err);
}

int tfprof_profile_add_step(tfprof_profile *p, int64_t step, const char *path,
                            tfprof_error *err)
{
    return add(p, step_request(path, step), NULL, NULL, err);
}

/* ---- From memory -------------------------------------------------------- */

static int add_bytes(tfprof_profile *p, tfp_input_request request,
                     const char *role, const void *data, size_t size,
                     tfprof_error *err)
{
    tfp_span bytes = { data, size };
    tfp_input_stream stream = { .source = tfp_source_span(&bytes),
                                .size = (int64_t)size,
                                .tail = { data, size } };
    if (!data && size > 0)
        return tfp_check_given(false, "the data", err);
    if (size > PTRDIFF_MAX)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "the data size is too large: %zu bytes", size);
    return add(p, request, role, &stream, err);
}

int tfprof_profile_add_memory(tfprof_profile *p, const char *name,
                              const void *data, size_t size, const char *role,
                              tfprof_error *err)
{
    return add_bytes(p, (tfp_input_request){ .path = name }, role, data, size,
                     err);
}

int tfprof_profile_add_step_memory(tfprof_profile *p, int64_t step,
                                   const char *name, const void *data,
                                   size_t size, tfprof_error *err)
{
    return add_bytes(p, step_request(name, step), NULL, data, size, err);
}

/* ---- From a callback ---------------------------------------------------- */

typedef struct callback_source {
    tfprof_read_fn *read;
    void *context;
} callback_source;

/* A number that is no code of ours says no more than that it failed. */
static int fail_reading(ptrdiff_t code, tfprof_error *err)
{
    bool is_known = code >= TFPROF_ERR_UNSUPPORTED && code <= TFPROF_ERR_NOMEM;
    return tfp_fail(err, is_known ? (tfprof_code)code : TFPROF_ERR_IO, -1,
                    "cannot read");
}

static ptrdiff_t read_callback(void *self, void *buffer, size_t size,
                               tfprof_error *err)
{
    const callback_source *source = self;
    ptrdiff_t n = source->read(source->context, buffer, size);
    if (n < 0)
        return fail_reading(n, err);
    if ((size_t)n > size)
        return tfp_fail(err, TFPROF_ERR_IO, -1,
                        "the read callback returned more bytes than requested");
    return n;
}

int tfprof_profile_add_callback(tfprof_profile *p, const char *name,
                                tfprof_read_fn *read, void *context,
                                const char *role, tfprof_error *err)
{
    callback_source source = { read, context };
    tfp_input_stream stream = { .source = { read_callback, &source },
                                .size = -1 };
    int status = tfp_check_given(read != NULL, "the read function", err);
    return status == TFPROF_OK
               ? add(p, (tfp_input_request){ .path = name }, role, &stream, err)
               : status;
}

/* ---- On the way --------------------------------------------------------- */

void tfprof_profile_on_progress(tfprof_profile *p, tfprof_progress_fn *progress,
                                void *context)
{
    if (!tfp_profile_is(p))
        return;
    p->context.progress = progress;
    p->context.progress_self = context;
}

void tfprof_profile_on_cancel(tfprof_profile *p, tfprof_cancel_fn *cancel,
                              void *context)
{
    if (tfp_profile_is(p))
        p->cancel = (tfp_cancel){ cancel, context };
}

/* ---- How they fared ----------------------------------------------------- */

/* NULL when there is no such input. */
static const tfp_input *input_at(const tfprof_profile *p, size_t index)
{
    return tfp_profile_is(p) && index < p->model.inputs.count
               ? &p->model.inputs.data[index]
               : NULL;
}

size_t tfprof_profile_input_count(const tfprof_profile *p)
{
    return tfp_profile_is(p) ? p->model.inputs.count : 0;
}

int tfprof_profile_input_status(const tfprof_profile *p, size_t index,
                                int *is_partial, tfprof_error *err)
{
    const tfp_input *input = input_at(p, index);
    if (is_partial)
        *is_partial = !input ? 0 : input->is_left_out ? 2 : input->partial;
    if (!input)
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "there is no input with index %zu", index);
    if (input->status != TFPROF_OK && err)
        *err = input->why;
    return input->status;
}

size_t tfp_input_name(const tfp_model *model, const tfp_input *input,
                      char *buffer, size_t size)
{
    tfp_span path = { 0 }, member = { 0 };
    size_t used, rest;
    if (input) {
        path = tfp_model_text(model, input->path);
        member = tfp_model_text(model, input->member);
    }
    size = buffer ? size : 0;
    used = tfp_escape(path, buffer, size);
    if (member.size == 0)
        return used;
    rest = used + 1 < size ? size - used - 1 : 0;
    if (rest > 0)
        buffer[used] = '/';
    return used + 1 + tfp_escape(member, rest ? buffer + used + 1 : NULL, rest);
}

size_t tfprof_profile_input_name(const tfprof_profile *p, size_t index,
                                 char *buffer, size_t size)
{
    const tfp_input *input = input_at(p, index);
    return tfp_input_name(input ? &p->model : NULL, input, buffer, size);
}

size_t tfprof_profile_input_log(const tfprof_profile *p, size_t index,
                                size_t log, char *buffer, size_t size)
{
    const tfp_input *input = input_at(p, index);
    tfp_span path = { 0 };
    if (input && input->status != TFPROF_OK && input->member == 0 &&
        log < input->trace.beside.first.count)
        path = tfp_model_text(&p->model, input->trace.beside.first.data[log]);
    return tfp_escape(path, buffer, buffer ? size : 0);
}

void tfp_profile_input_name(const tfprof_profile *p, size_t index, char *buffer,
                            size_t size)
{
    if (tfprof_profile_input_name(p, index, buffer, size) >= size)
        tfp_escape_mark_cut(buffer, size);
}
