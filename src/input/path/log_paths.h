/*
 * log_paths.h - which traces a directory stands for.
 */
#ifndef TFP_INPUT_LOG_PATHS_H
#define TFP_INPUT_LOG_PATHS_H

#include "base/error.h"
#include "base/memory.h"
#include "input/kind/input.h"
#include "input/path/log_search.h"

/* Adds the log directories below `dir` that count: those that have the run that
 * the user chose, or all. It is an error if only other runs are there. */
int tfp_pick_logs(const tfp_input_context *context, int dir,
                  tfp_log_paths *logs, tfprof_error *err);

/* Adds the traces of log directories below the path of the request: of the only
 * one; of each, if traces are read one after the other. Otherwise it is an
 * error, and an entry of the request has their names. */
int tfp_add_logs(tfp_input_context *context, const tfp_input_request *request,
                 const tfp_log_paths *logs, tfprof_error *err);

/* The log directory of a path that leads to its folder of runs,
 * LOGDIR/plugins/profile; false if it leads to something else. */
bool tfp_log_of_runs(const char *path, char *buffer, size_t size);

#endif
