/*
 * survey.h - what `tfprof info` and the notes tell of a trace.
 */
#ifndef TFP_TRACE_SURVEY_H
#define TFP_TRACE_SURVEY_H

#include <stdbool.h>

#include "trace/loading.h"

/* Fills in what the entry of the input has of the trace, once all is read.
 * False when out of memory. */
bool tfp_survey(const tfp_loading *l);

#endif
