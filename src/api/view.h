/*
 * view.h - a view for another part of this room.
 */
#ifndef TFP_API_VIEW_H
#define TFP_API_VIEW_H

#include "api/profile.h"
#include "base/error.h"
#include "view/view.h"

/* Gets a view, which is released when the call returns. */
typedef int tfp_view_taker(void *context, const tfp_view *view,
                           tfprof_error *err);

/* The type of this name. */
int tfp_profile_find_view(const char *name, const tfp_view_type **type,
                          tfprof_error *err);

/* Creates a view of all inputs for a program, as tfprof_profile_view() does,
 * and passes it to `take`. The caller has not entered the profile. */
int tfp_profile_take_view(tfprof_profile *profile, const tfp_view_type *type,
                          tfp_view_taker *take, void *context,
                          tfprof_error *err);

#endif
