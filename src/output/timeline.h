/*
 * timeline.h - when each shown node ran, as a Chrome trace.
 */
#ifndef TFP_OUTPUT_TIMELINE_H
#define TFP_OUTPUT_TIMELINE_H

#include "base/error.h"
#include "view/view.h"

/* Writes the file that the options name. */
int tfp_timeline_write(const tfp_view *view, tfprof_error *err);

#endif
