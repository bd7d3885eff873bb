/*
 * profile.h - all that was loaded, as a ProfileProto.
 */
#ifndef TFP_OUTPUT_PROFILE_H
#define TFP_OUTPUT_PROFILE_H

#include "base/error.h"
#include "model/census.h"
#include "output/sink/sink.h"

/* Writes the message: tfprof, and TensorFlow's own, read it back. */
int tfp_profile_write(const tfp_census *census, tfp_sink *sink,
                      tfprof_error *err);

#endif
