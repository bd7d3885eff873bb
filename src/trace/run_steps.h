/*
 * run_steps.h - the steps of several runs of a host, one after the other.
 *
 * Traces of one folder are hosts of one run: steps of the same number are one
 * step. Traces in two folders are two runs of a host if their files have the
 * same name, they name the same host, and they have a step number in common.
 * The steps of the later one then get numbers above all steps that were read
 * before, in the same order and at the same distances, and so do the steps of
 * all other traces in its folder.
 */
#ifndef TFP_TRACE_RUN_STEPS_H
#define TFP_TRACE_RUN_STEPS_H

#include <stdbool.h>

#include "base/bytes.h"
#include "trace/loading.h"

/* The host that the file of a trace is named after. */
tfp_span tfp_host_of_file(tfp_span path);

/* Renumbers the steps of a trace, if it is of such a run. All of them must be
 * known, and none of them be in the model. False when out of memory. */
bool tfp_number_run(tfp_loading *loading);

#endif
