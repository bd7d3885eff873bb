/*
 * settings.c - the options of a profile: set, told, put aside and back.
 */
#include "api/profile.h"
#include "view/view.h"

int tfprof_profile_set(tfprof_profile *p, const char *name, const char *value,
                       tfprof_error *err)
{
    return tfp_options_set(&p->options, name, value, err);
}

size_t tfprof_profile_get(const tfprof_profile *p, const char *name,
                          char *buffer, size_t size)
{
    const tfp_option *option = tfp_option_find(name);
    tfp_options told = p->options; /* only looked at: nothing to release */
    if (!option) {
        if (size > 0)
            buffer[0] = '\0';
        return 0;
    }
    told.select = tfp_view_select(&p->model, &p->options);
    return tfp_options_print(&told, option, buffer, size);
}

int tfprof_profile_reset(tfprof_profile *p, tfprof_error *err)
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

static void drop_kept(tfprof_profile *p)
{
    if (p->has_kept)
        tfp_options_release(&p->kept);
    p->has_kept = false;
}

int tfprof_profile_keep_options(tfprof_profile *p, tfprof_error *err)
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

void tfprof_profile_restore_options(tfprof_profile *p)
{
    if (!p->has_kept)
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
