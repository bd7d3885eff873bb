/*
 * empty.h - answers that say nothing, and why they do.
 */
#ifndef TFP_API_EMPTY_H
#define TFP_API_EMPTY_H

#include "api/profile.h"
#include "view/view.h"

/* Remarks on figures that the inputs cannot have. */
void tfp_remark_on_figures(const tfprof_profile *profile, const tfp_view *view);

/* Remarks on a view that shows no row: which filter left nothing. Asks for
 * other views, so only when somebody listens, and best behind the answer; fails
 * only when cancelled. */
int tfp_remark_on_empty(const tfprof_profile *profile, tfp_view *view,
                        tfprof_error *err);

#endif
