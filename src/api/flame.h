/*
 * flame.h - writes the file of --output folded:outfile=F or
 * speedscope:outfile=F.
 */
#ifndef TFP_API_FLAME_H
#define TFP_API_FLAME_H

#include "api/profile.h"
#include "view/view.h"

int tfp_profile_write_flame(tfprof_profile *profile, const tfp_view *view,
                            tfprof_error *err);

#endif
