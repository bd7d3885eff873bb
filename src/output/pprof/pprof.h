/*
 * pprof.h - a view for the pprof program: profile.proto.
 *
 * Every node of the view is a sample; docs/pprof.md says which ones there are
 * and what their stacks are.
 */
#ifndef TFP_OUTPUT_PPROF_H
#define TFP_OUTPUT_PPROF_H

#include "base/error.h"
#include "options/options.h"
#include "output/sink/sink.h"
#include "view/view.h"

/* Refuses to select what a sample cannot have as a value. */
int tfp_pprof_check(const tfp_options *options, tfprof_error *err);

/* Writes the message; packing it is the sink's affair. The view must have been
 * made with options that ask for this output. *left_out becomes the number of
 * nodes that upstream's choice of samples passes over. */
int tfp_pprof_write(const tfp_view *view, tfp_sink *sink, int64_t *left_out,
                    tfprof_error *err);

#endif
