/*
 * profile.c - the public functions over the rooms of the library.
 */
#include "api/profile.h"
#include "api/question.h"
#include "base/snappy.h"
#include "ops/flops/formula_file.h"
#include "output/info/info.h"

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
    p->model.programs.is_numbered = false;
    tfprof_profile_free(p->again);
    p->again = NULL;
}

int tfp_profile_census(tfprof_profile *p, const tfp_census **census,
                       tfprof_error *err)
{
    int status = TFPROF_OK;
    if (!tfp_model_number_names(&p->model))
        return tfp_fail_nomem(err);
    if (!p->has_census) {
        status = tfp_census_init(&p->census, &p->model, &p->memory, &p->cancel,
                                 err);
        p->has_census = true; /* also of what a failure has left */
    }
    *census = &p->census;
    if (status != TFPROF_OK)
        tfp_profile_drop_census(p);
    return status;
}

static void destroy(tfprof_profile *p)
{
    tfp_memory memory;
    tfp_profile_drop_census(p);
    tfp_model_release(&p->model);
    tfp_asked_steps_release(&p->asked_steps);
    tfp_profile_release_options(p);
    memory = p->memory; /* it must outlive the block it stands in */
    p->handle = 0;
    tfp_memory_free(&memory, p);
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
    p = tfp_memory_alloc(&memory, sizeof(*p));
    if (!p)
        return NULL;
    *p = (tfprof_profile){ .handle = TFP_HANDLE_PROFILE, .memory = memory };
    if (!tfp_options_init(&p->options, &p->memory) ||
        !tfp_model_init(&p->model, &p->memory)) {
        destroy(p);
        return NULL;
    }
    p->context = (tfp_input_context){ .model = &p->model };
    return p;
}

void tfprof_profile_free(tfprof_profile *p)
{
    if (!tfp_profile_is(p))
        return;
    if (p->is_busy)
        p->is_doomed = true;
    else
        destroy(p);
}

int tfp_profile_enter(tfprof_profile *p, tfprof_error *err)
{
    if (!tfp_profile_is(p))
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "the handle is not a profile");
    if (p->is_busy)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "the profile is in use: a callback must not change or query it");
    p->is_busy = true;
    return TFPROF_OK;
}

int tfp_profile_leave(tfprof_profile *p, int status)
{
    p->is_busy = false;
    p->memory.limit = SIZE_MAX;
    p->memory.limit_reached = false;
    if (p->is_doomed)
        destroy(p);
    return status;
}

/* ---- Output ------------------------------------------------------------- */

static int write_info(const tfprof_profile *p, tfprof_write_fn *write,
                      void *context, tfprof_error *err)
{
    tfp_sink sink;
    bool has_memory;
    int status = tfp_question_check_format(p, err);
    if (status != TFPROF_OK)
        return status;
    if (p->options.format == TFP_FORMAT_CSV ||
        p->options.format == TFP_FORMAT_PROTO)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "info supports --format text and json, not csv or proto");
    tfp_sink_init(&sink, write, context);
    has_memory = tfp_info_write(&p->model, &p->options, &sink);
    if (!tfp_sink_flush(&sink))
        return tfp_fail(err, TFPROF_ERR_OUTPUT, -1,
                        "the output was not written");
    return has_memory ? TFPROF_OK : tfp_fail_nomem(err);
}

int tfprof_profile_write_info(tfprof_profile *p, tfprof_write_fn *write,
                              void *context, tfprof_error *err)
{
    int status = tfp_check_given(write != NULL, "the write function", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    return tfp_profile_leave(p, write_info(p, write, context, err));
}
