/*
 * timeline.h - the files that -output timeline:outfile=F asks for.
 */
#ifndef TFP_API_TIMELINE_H
#define TFP_API_TIMELINE_H

#include "api/profile.h"
#include "model/census.h"
#include "view/view.h"

/* One file, or in the graph view without a step one for each. */
int tfp_profile_write_timelines(tfprof_profile *profile,
                                const tfp_view_type *type,
                                const tfp_census *census, tfprof_error *err);

#endif
