/*
 * kept_view.h - a view that a caller keeps.
 */
#ifndef TFP_API_KEPT_VIEW_H
#define TFP_API_KEPT_VIEW_H

#include "api/kept.h"
#include "api/profile.h"
#include "base/cancel.h"
#include "output/view/rows.h"

struct tfprof_view {
    tfp_kept kept;
    tfp_rows rows;
    bool has_rows;
};

/* Is it a view at all? */
static inline bool tfp_kept_view_is(const tfprof_view *view)
{
    return tfp_handle_is(view, TFP_HANDLE_VIEW);
}

/* An empty one, which tfprof_view_free() releases. */
int tfp_kept_view_new(const tfprof_profile *profile, tfprof_view **view,
                      tfprof_error *err);

/* Copies the rows of a view into it. */
int tfp_kept_view_fill(tfprof_view *view, const tfp_view *from,
                       const tfp_cancel *cancel, tfprof_error *err);

#endif
