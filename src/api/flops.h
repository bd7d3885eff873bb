/*
 * flops.h - a model counted as `flops` counts it.
 */
#ifndef TFP_API_FLOPS_H
#define TFP_API_FLOPS_H

#include "api/formulas.h"
#include "api/model_request.h"
#include "api/profile.h"
#include "ops/fact/shapes.h"
#include "ops/flops/count.h"
#include "ops/flops/params.h"
#include "ops/flops/report.h"

/* What is made on the way to an answer. All zero at first. */
typedef struct tfp_flops_work {
    tfp_model_request request;
    tfp_user_formulas formulas;
    tfp_shapes shapes;
    tfp_counts counts;
    tfp_params params;
    tfp_report report;
} tfp_flops_work;

/* Counts as the options say, but for the order of types and layers.
 * TFPROF_ERR_MISSING when there is no graph. It must be released, whatever
 * comes back. */
int tfp_flops_count(tfprof_profile *profile, tfp_report_order order,
                    tfp_flops_work *work, tfprof_error *err);
void tfp_flops_release(tfp_flops_work *work);

#endif
