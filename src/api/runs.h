/*
 * runs.h - reads the runs of a comparison, one after the other.
 *
 * Each run has a profile of its own, which is freed before the next one is
 * read, so that many runs need little more memory than one of them.
 */
#ifndef TFP_API_RUNS_H
#define TFP_API_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "api/profile.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/run.h"
#include "options/options.h"

typedef struct tfp_run_reader {
    tfprof_profile *profile; /* options, callbacks and the destination */
    tfp_memory *memory;      /* what is kept of the runs; its limit is set */
    uint32_t wanted;         /* costs of views, a bit each */
    uint32_t gathers;        /* what traces are read for: TFP_GATHER_ */
    const char *side;        /* begins remarks: "base"; or NULL */
    int64_t bytes_read;      /* so far, as the rule of memory counts them */
    size_t count;            /* runs read so far */
    const char *path;        /* of the run at hand; if all paths are one run,
                              * the first of them */
    /* Uses a run. */
    int (*take)(void *context, tfprof_profile *run, tfprof_error *err);
    /* Called when the run is freed; may be NULL. */
    int (*keep)(void *context, tfprof_error *err);
    void *context;
} tfp_run_reader;

/* Reads all runs at these paths. Files that are not runs, such as graphs,
 * belong to all of them; without runs they are one. */
int tfp_runs_read(tfp_run_reader *runs, const char *const *paths, size_t count,
                  tfprof_error *err);

/* The value of a run, as the options choose it. */
tfp_run_rule tfp_runs_rule(const tfp_options *options);

/* Are there paths, and is none of them NULL? `what` begins the message. */
int tfp_runs_check_paths(const char *const *paths, size_t count,
                         const char *what, tfprof_error *err);

#endif
