/*
 * summary.h - the summary of a profile, for another answer.
 */
#ifndef TFP_API_SUMMARY_H
#define TFP_API_SUMMARY_H

#include "api/profile.h"
#include "base/error.h"
#include "output/sink/sink.h"

/* Writes what tfprof_profile_write_summary() writes, in the format of the
 * options. The profile has been entered. */
int tfp_profile_summarize(tfprof_profile *profile, tfp_sink *sink,
                          tfprof_error *err);

#endif
