/*
 * profile.h - what stands behind the public handle.
 */
#ifndef TFP_API_PROFILE_H
#define TFP_API_PROFILE_H

#include <tfprof/tfprof.h>

#include "api/asked_steps.h"
#include "api/handle.h"
#include "base/cancel.h"
#include "base/memory.h"
#include "input/kind/input.h"
#include "model/census.h"
#include "model/model.h"
#include "model/names.h"
#include "options/options.h"

struct tfprof_profile {
    uint32_t handle;   /* TFP_HANDLE_PROFILE */
    bool is_busy;      /* between enter and leave */
    bool is_doomed;    /* freed by one of its own callbacks */
    tfp_memory memory; /* owns all that hangs on the model */
    tfp_model model;
    tfp_census census; /* of the model as it is, once it was asked for */
    tfp_names names;   /* of the census, once they were asked for */
    bool has_census, has_names;
    tfp_options options;
    tfp_options kept; /* by tfprof_profile_keep_options() */
    bool has_kept;
    tfp_input_context context;
    tfp_asked_steps asked_steps;
    tfp_cancel cancel;
    int64_t uncounted;            /* operations of the last view that have no
                                   * count of float operations */
    int64_t macs;                 /* of its nodes; -1: they were not counted */
    bool expects_info;            /* no view will be asked for */
    bool expects_aggregate;       /* runs are read later; see aggregate.c */
    struct tfprof_profile *again; /* its traces, read once more for tables, or
                                   * NULL */
    tfprof_remark_fn *remark;     /* may be NULL */
    void *remark_context;
    tfprof_file_fn *on_file; /* may be NULL */
    void *file_context;
};

/*
 * Every call that changes a profile, or that may call back, begins with enter
 * and, unless that fails, ends with leave. So a callback cannot pull away what
 * the call that it serves stands on; a profile that it frees goes with leave.
 * The memory limit of a call ends with leave, too, even if the call failed:
 * the option may then have another value.
 */
int tfp_profile_enter(tfprof_profile *profile, tfprof_error *err);
int tfp_profile_leave(tfprof_profile *profile, int status);

/* The name of an input for a message; a long one ends in "...". */
void tfp_profile_input_name(const tfprof_profile *profile, size_t index,
                            char *buffer, size_t size);

/* The same in full of an input of any model, or of NULL. The length needed. */
size_t tfp_input_name(const tfp_model *model, const tfp_input *input,
                      char *buffer, size_t size);

/* What an input is read with, as the options say now. */
tfp_input_context *tfp_profile_context(tfprof_profile *profile);

/* Is it a profile at all? */
static inline bool tfp_profile_is(const tfprof_profile *profile)
{
    return tfp_handle_is(profile, TFP_HANDLE_PROFILE);
}

/* The census of all that was added; it holds until more is. */
int tfp_profile_census(tfprof_profile *profile, const tfp_census **census,
                       tfprof_error *err);

/* The model has changed, so its census does not hold. */
void tfp_profile_drop_census(tfprof_profile *profile);

/* Releases what is set and what is kept. */
void tfp_profile_release_options(tfprof_profile *profile);

#endif
