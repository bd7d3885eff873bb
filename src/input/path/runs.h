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
 * Adds the runs at `path`: each folder plugins/profile/RUN of a directory; each
 * folder of a directory without files; otherwise the path itself. A pipe and
 * "-" count as a run. A path that cannot be read is added, too: reading it as
 * an input reports why.
 */
int tfp_list_runs(tfp_memory *memory, const char *path, tfp_run_paths *runs,
                  tfprof_error *err);
void tfp_run_paths_release(tfp_memory *memory, tfp_run_paths *runs);

#endif
