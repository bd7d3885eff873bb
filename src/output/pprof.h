/*
 * pprof.h - a view for the pprof program: profile.proto.
 */
#ifndef TFP_OUTPUT_PPROF_H
#define TFP_OUTPUT_PPROF_H

#include "base/error.h"
#include "output/sink.h"
#include "view/view.h"

/* Writes the message; packing it is the sink's affair. */
int tfp_pprof_write(const tfp_view *view, tfp_sink *sink, tfprof_error *err);

#endif
