/*
 * profile.c - the public functions over the rooms of the library.
 */
#include <stdlib.h>
#include <string.h>

#include "api/profile.h"
#include "base/escape.h"
#include "base/snappy.h"
#include "flops/formula_file.h"
#include "output/info.h"

const char *tfprof_version(void)
{
    return TFPROF_VERSION;
}

const char *tfprof_version_lacks(void)
{
    static const char *const lacks[2][2] = { { "Snappy, jansson", "Snappy" },
                                             { "jansson", "" } };
    return lacks[tfp_snappy_is_there()][tfp_formula_file_is_there()];
}

/* ---- Life --------------------------------------------------------------- */

void tfp_profile_drop_census(tfprof_profile *p)
{
    if (p->has_names)
        tfp_names_release(&p->names);
    if (p->has_census)
        tfp_census_release(&p->census);
    p->has_names = p->has_census = false;
}

int tfp_profile_census(tfprof_profile *p, const tfp_census **census,
                       tfprof_error *err)
{
    int status = TFPROF_OK;
    if (!p->has_census) {
        status = tfp_census_init(&p->census, &p->model, &p->memory, err);
        p->has_census = true; /* also of what a failure has left */
    }
    *census = &p->census;
    if (status != TFPROF_OK)
        tfp_profile_drop_census(p);
    return status;
}

tfprof_profile *tfprof_profile_new(void)
{
    return tfprof_profile_new_with(NULL, NULL);
}

tfprof_profile *tfprof_profile_new_with(tfprof_resize_fn *resize, void *context)
{
    tfp_memory memory;
    tfprof_profile *p;
    tfp_memory_init(&memory, resize, context);
    p = tfp_memory_resize(&memory, NULL, 0, sizeof(*p));
    if (!p)
        return NULL;
    *p = (tfprof_profile){ .memory = memory };
    if (!tfp_options_init(&p->options, &p->memory) ||
        !tfp_model_init(&p->model, &p->memory)) {
        tfprof_profile_free(p);
        return NULL;
    }
    p->context = (tfp_input_context){ .model = &p->model };
    return p;
}

void tfprof_profile_free(tfprof_profile *p)
{
    tfp_memory memory;
    if (!p)
        return;
    tfp_profile_drop_census(p);
    tfp_model_release(&p->model);
    tfp_profile_release_options(p);
    memory = p->memory; /* it must outlive the block it stands in */
    tfp_memory_free(&memory, p, sizeof(*p));
}

/* ---- Inputs ------------------------------------------------------------- */

/* What an input is read with. What was known of those before is no more. */
static tfp_input_context *context_of(tfprof_profile *p)
{
    tfp_profile_drop_census(p);
    p->context.salvage = p->options.salvage;
    p->context.counts_unknown = p->options.verbose;
    p->context.max_depth = (int)p->options.max_depth_nesting;
    p->context.max_input = p->options.max_input;
    p->context.max_memory = p->options.max_memory;
    p->context.max_block = p->options.max_block;
    p->context.follow = p->options.follow;
    return &p->context;
}

/* Puts the role as the readers of files spell it. */
static int check_role(const char **role, tfprof_error *err)
{
    const tfp_option *option = *role ? tfp_option_find(*role) : NULL;
    if (!*role)
        return TFPROF_OK;
    if (!option || option->shown.kind != TFPROF_OPTION_PATHS)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "'%.60s' is no kind of input", *role);
    *role = option->shown.name;
    return TFPROF_OK;
}

int tfprof_profile_add_path(tfprof_profile *p, const char *path,
                            const char *role, tfprof_error *err)
{
    int status = check_role(&role, err);
    tfp_input_request request = { .path = path, .option = role };
    return status == TFPROF_OK
               ? tfp_input_add_path(context_of(p), &request, err)
               : status;
}

static int request_step(const char *path, int64_t step,
                        tfp_input_request *request, tfprof_error *err)
{
    if (step < 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "a step is 0 or more, not %lld", (long long)step);
    *request = (tfp_input_request){
        .path = path, .option = "run_meta_path", .has_step = true, .step = step
    };
    return TFPROF_OK;
}

int tfprof_profile_add_step(tfprof_profile *p, int64_t step, const char *path,
                            tfprof_error *err)
{
    tfp_input_request request;
    int status = request_step(path, step, &request, err);
    return status == TFPROF_OK
               ? tfp_input_add_path(context_of(p), &request, err)
               : status;
}

static int add_bytes(tfprof_profile *p, const tfp_input_request *request,
                     const void *data, size_t size, tfprof_error *err)
{
    tfp_span bytes = { data, size };
    tfp_input_stream stream = { .source = tfp_source_span(&bytes),
                                .size = (int64_t)size,
                                .tail = { data, size } };
    return tfp_input_add_stream(context_of(p), request, &stream, err);
}

int tfprof_profile_add_step_memory(tfprof_profile *p, int64_t step,
                                   const char *name, const void *data,
                                   size_t size, tfprof_error *err)
{
    tfp_input_request request;
    int status = request_step(name, step, &request, err);
    return status == TFPROF_OK ? add_bytes(p, &request, data, size, err)
                               : status;
}

int tfprof_profile_add_memory(tfprof_profile *p, const char *name,
                              const void *data, size_t size, const char *role,
                              tfprof_error *err)
{
    int status = check_role(&role, err);
    tfp_input_request request = { .path = name, .option = role };
    return status == TFPROF_OK ? add_bytes(p, &request, data, size, err)
                               : status;
}

typedef struct callback_source {
    tfprof_read_fn *read;
    void *context;
} callback_source;

static ptrdiff_t read_callback(void *self, void *buffer, size_t size,
                               tfprof_error *err)
{
    const callback_source *source = self;
    ptrdiff_t n = source->read(source->context, buffer, size);
    if (n < 0)
        return tfp_fail(err, (tfprof_code)n, -1, "cannot read");
    if ((size_t)n > size)
        return tfp_fail(err, TFPROF_ERR_IO, -1,
                        "the read callback gave more than it was asked for");
    return n;
}

int tfprof_profile_add_callback(tfprof_profile *p, const char *name,
                                tfprof_read_fn *read, void *context,
                                const char *role, tfprof_error *err)
{
    callback_source source = { read, context };
    int status = check_role(&role, err);
    tfp_input_request request = { .path = name, .option = role };
    tfp_input_stream stream = { .source = { read_callback, &source },
                                .size = -1 };
    return status == TFPROF_OK
               ? tfp_input_add_stream(context_of(p), &request, &stream, err)
               : status;
}

void tfprof_profile_on_progress(tfprof_profile *p, tfprof_progress_fn *progress,
                                void *context)
{
    p->context.progress = progress;
    p->context.progress_self = context;
}

void tfprof_profile_on_cancel(tfprof_profile *p, tfprof_cancel_fn *cancel,
                              void *context)
{
    p->cancel = (tfp_cancel){ cancel, context };
}

size_t tfprof_profile_input_count(const tfprof_profile *p)
{
    return p->model.inputs.count;
}

int tfprof_profile_input_status(const tfprof_profile *p, size_t index,
                                int *is_partial, tfprof_error *err)
{
    const tfp_input *input = &p->model.inputs.data[index];
    if (is_partial)
        *is_partial = input->partial;
    if (input->status != TFPROF_OK && err)
        *err = input->why;
    return input->status;
}

void tfprof_profile_input_name(const tfprof_profile *p, size_t index,
                               char *buffer, size_t size)
{
    const tfp_input *input = &p->model.inputs.data[index];
    size_t used = tfp_escape(tfp_model_text(&p->model, input->path), buffer,
                             size);
    if (input->member == 0 || used + 2 >= size)
        return;
    buffer[used] = '/';
    tfp_escape(tfp_model_text(&p->model, input->member), buffer + used + 1,
               size - used - 1);
}

/* ---- Output ------------------------------------------------------------- */

int tfprof_profile_write_info(tfprof_profile *p, tfprof_write_fn *write,
                              void *context, tfprof_error *err)
{
    tfp_sink sink;
    if (p->options.format != TFP_FORMAT_TEXT &&
        p->options.format != TFP_FORMAT_JSON)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "info is told as text or json, not as csv or proto");
    tfp_sink_init(&sink, write, context);
    tfp_info_write(&p->model, &p->options, &sink);
    return tfp_sink_flush(&sink) ? TFPROF_OK
                                 : tfp_fail(err, TFPROF_ERR_OUTPUT, -1,
                                            "the answer was not written");
}

size_t tfprof_escape(const char *text, size_t text_size, char *buffer,
                     size_t size)
{
    return tfp_escape((tfp_span){ (const uint8_t *)text, text_size }, buffer,
                      size);
}
