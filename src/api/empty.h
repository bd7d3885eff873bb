/*
 * empty.h - answers that say nothing, and why they do.
 */
#ifndef TFP_API_EMPTY_H
#define TFP_API_EMPTY_H

#include "api/profile.h"
#include "view/view.h"

/* Remarks on a view that shows no row, or figures that the inputs cannot
 * have. Asks for other views if need be, so only when somebody listens; fails
 * only when cancelled. */
int tfp_remark_on_empty(const tfprof_profile *profile, tfp_view *view,
                        tfprof_error *err);

#endif
