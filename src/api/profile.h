/*
 * profile.h - what stands behind the public handle.
 */
#ifndef TFP_API_PROFILE_H
#define TFP_API_PROFILE_H

#include <tfprof/tfprof.h>

#include "base/memory.h"
#include "input/input.h"
#include "model/model.h"
#include "options/options.h"

struct tfprof_profile {
    tfp_memory memory; /* owns all that hangs on the model */
    tfp_model model;
    tfp_options options;
    tfp_input_context context;
    tfprof_remark_fn *remark; /* may be NULL */
    void *remark_context;
};

#endif
