/*
 * runs.h - the runs that a path stands for in a comparison.
 */
#ifndef TFP_INPUT_RUNS_H
#define TFP_INPUT_RUNS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct tfp_run_path {
    char *path;
    bool is_run; /* it has run records; else it is about all runs: a graph, an
                  * op log, a checkpoint */
} tfp_run_path;

typedef TFP_VEC(tfp_run_path) tfp_run_paths;

/*
 * Adds the runs at `path`: each folder plugins/profile/RUN below a directory;
 * each folder of a directory that has no files with run records; otherwise the
 * path itself. Files that are not read do not matter. A folder without run
 * records is a run only beside others, and only if no model is beside it: then
 * it is empty, or its model is what is compared. A pipe and "-" count as a run.
 * A path that cannot be read is added, too: reading it as an input reports why.
 */
int tfp_list_runs(tfp_memory *memory, const char *path, tfp_run_paths *runs,
                  tfprof_error *err);
void tfp_run_paths_release(tfp_memory *memory, tfp_run_paths *runs);

#endif
