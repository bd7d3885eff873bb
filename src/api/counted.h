/*
 * counted.h - float operations that no file gives, found by formulas.
 */
#ifndef TFP_API_COUNTED_H
#define TFP_API_COUNTED_H

#include "api/profile.h"

/* Gives the census float operations by formulas, where the view wants them, no
 * log has any, and the option `formulas` does not forbid it. They hold until
 * tfp_counted_release(), which a failure needs too. */
int tfp_count_float_ops(tfprof_profile *profile, tfprof_error *err);
void tfp_counted_release(tfprof_profile *profile);

#endif
