/*
 * xprof.h - the tables of xprof as JSON, in xprof's own form.
 */
#ifndef TFP_OUTPUT_XPROF_H
#define TFP_OUTPUT_XPROF_H

#include "output/sink/sink.h"
#include "output/text/json.h"
#include "xprof/xprof.h"

void tfp_xprof_write(const tfp_xprof *xprof, tfp_sink *sink);

/* Its part: memory_profile. */
void tfp_xprof_write_memory(const tfp_xprof *xprof, tfp_json *json);

#endif
