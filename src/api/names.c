/*
 * names.c - the names of nodes that begin alike.
 */
#include "model/names.h"
#include "api/profile.h"
#include "api/question.h"
#include "base/bytes.h"
#include "model/census.h"

/* The index holds until more is added, as the census does. */
static int find_names(tfprof_profile *p, tfprof_error *err)
{
    const tfp_census *census;
    int status = p->has_names ? TFPROF_OK : tfp_profile_census(p, &census, err);
    if (p->has_names || status != TFPROF_OK)
        return status;
    status = tfp_names_init(&p->names, census, err);
    p->has_names = status == TFPROF_OK;
    if (status != TFPROF_OK)
        tfp_names_release(&p->names);
    return status;
}

static int complete(tfprof_profile *p, const char *prefix, tfprof_name_fn *name,
                    void *context, tfprof_error *err)
{
    tfp_names_walk walk;
    tfp_span found;
    int status;
    tfp_question_limit(p);
    status = tfp_question_end(p, find_names(p, err), err);
    if (status != TFPROF_OK)
        return status;
    walk = tfp_names_starting(&p->names, tfp_span_of(prefix));
    while (tfp_names_next(&walk, &found)) {
        if (name(context, (const char *)found.data, found.size) != 0)
            break;
    }
    return TFPROF_OK;
}

int tfprof_profile_complete_name(tfprof_profile *p, const char *prefix,
                                 tfprof_name_fn *name, void *context,
                                 tfprof_error *err)
{
    int status = tfp_check_given(prefix, "the prefix", err);
    if (status == TFPROF_OK)
        status = tfp_check_given(name != NULL, "the name function", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    return tfp_profile_leave(p, complete(p, prefix, name, context, err));
}
