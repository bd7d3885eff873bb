/*
 * model_request.h - which graph and signature are counted, and what the user
 * says of them.
 */
#ifndef TFP_API_MODEL_REQUEST_H
#define TFP_API_MODEL_REQUEST_H

#include "api/profile.h"
#include "base/memory.h"
#include "ops/fact/shapes.h"

typedef struct tfp_model_request {
    tfp_memory *memory;
    tfp_shape_request request;
    TFP_VEC(tfp_given) given;
} tfp_model_request;

/* Makes a request of the options: TFPROF_ERR_MISSING when there is no graph or
 * no such signature, TFPROF_ERR_OPTION when a shape cannot be read or names
 * nothing. After a failure releasing is allowed. */
int tfp_model_request_init(tfp_model_request *request, tfprof_profile *profile,
                           tfprof_error *err);

/* The same for a view, which is of all of a graph. */
int tfp_model_request_init_graph(tfp_model_request *request,
                                 tfprof_profile *profile, uint32_t graph,
                                 tfprof_error *err);
void tfp_model_request_release(tfp_model_request *request);

#endif
