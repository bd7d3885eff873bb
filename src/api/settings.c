/*
 * settings.c - the options of a profile: set, told, put aside and back.
 */
#include "api/profile.h"
#include "base/error.h"
#include "base/escape.h"
#include "options/options.h"
#include "view/view.h"

int tfprof_profile_set(tfprof_profile *p, const char *name, const char *value,
                       tfprof_error *err)
{
    int status = tfp_check_given(name, "the name of the option", err);
    if (status == TFPROF_OK && !value)
        status = tfp_fail(err, TFPROF_ERR_OPTION, -1,
                          "the value of --%s is NULL",
                          tfp_shorten(tfp_span_of(name), 60).text);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    return tfp_profile_leave(p, tfp_options_set(&p->options, name, value, err));
}

size_t tfprof_profile_get(const tfprof_profile *p, const char *name,
                          char *buffer, size_t size)
{
    const tfp_option *option = name ? tfp_option_find(name) : NULL;
    tfp_options told; /* only looked at: nothing to release */
    if (!buffer)
        size = 0;
    if (!option || !tfp_profile_is(p)) {
        if (size > 0)
            buffer[0] = '\0';
        return 0;
    }
    told = p->options;
    told.select = tfp_view_select(&p->model, &p->options);
    return tfp_options_print(&told, option, buffer, size);
}

static int reset(tfprof_profile *p, tfprof_error *err)
{
    tfp_options fresh;
    if (!tfp_options_init(&fresh, &p->memory)) {
        tfp_options_release(&fresh);
        return tfp_fail_nomem(err);
    }
    tfp_options_release(&p->options);
    p->options = fresh;
    return TFPROF_OK;
}

int tfprof_profile_reset(tfprof_profile *p, tfprof_error *err)
{
    int status = tfp_profile_enter(p, err);
    return status == TFPROF_OK ? tfp_profile_leave(p, reset(p, err)) : status;
}

static void drop_kept(tfprof_profile *p)
{
    if (p->has_kept)
        tfp_options_release(&p->kept);
    p->has_kept = false;
}

static int keep_options(tfprof_profile *p, tfprof_error *err)
{
    tfp_options copy;
    if (!tfp_options_copy(&p->options, &copy)) {
        tfp_options_release(&copy);
        return tfp_fail_nomem(err);
    }
    drop_kept(p);
    p->kept = copy;
    p->has_kept = true;
    return TFPROF_OK;
}

int tfprof_profile_keep_options(tfprof_profile *p, tfprof_error *err)
{
    int status = tfp_profile_enter(p, err);
    return status == TFPROF_OK ? tfp_profile_leave(p, keep_options(p, err))
                               : status;
}

void tfprof_profile_restore_options(tfprof_profile *p)
{
    if (!tfp_profile_is(p) || p->is_busy || !p->has_kept)
        return;
    tfp_options_release(&p->options);
    p->options = p->kept;
    p->has_kept = false;
}

void tfp_profile_release_options(tfprof_profile *p)
{
    drop_kept(p);
    tfp_options_release(&p->options);
}
