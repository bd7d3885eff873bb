/*
 * timeline_runs.h - the runs of one step that a graph view shows: by device,
 * and there in the order of their starts.
 */
#ifndef TFP_OUTPUT_TIMELINE_RUNS_H
#define TFP_OUTPUT_TIMELINE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/steps.h"
#include "output/sink/sink.h"
#include "view/view.h"

/* A device; its runs are items [first, end). */
typedef struct tfp_run_device {
    tfp_string name; /* in small letters */
    uint32_t first, end;
    bool schedules;  /* a CPU or GPU itself, not a stream of one */
    int64_t process; /* its number in the file */
} tfp_run_device;

typedef struct tfp_runs {
    tfp_memory *memory;
    const tfp_view *view;
    tfp_sink *sink; /* learns that the question was cancelled */
    const tfp_step *step;
    uint32_t *shown_at;      /* by member: its place among the shown, or
                                TFP_NO_ID for one that has no runs */
    uint8_t *is_limited;     /* by member: only max_depth leaves it out; NULL:
                                that leaves out nothing */
    int64_t limited;         /* runs of these */
    uint32_t *device_of;     /* of each entry of model->devices, or NO_ID */
    tfp_run_device *devices; /* by name */
    uint32_t device_count;
    tfp_sort_item *items; /* index: of a record; key: its start, and once its
                             slice is written its lane */
    size_t item_count;
} tfp_runs;

/* After a failure releasing is allowed. */
int tfp_runs_init(tfp_runs *runs, const tfp_view *view, tfp_sink *sink,
                  tfprof_error *err);
void tfp_runs_release(tfp_runs *runs);

static inline const tfp_exec *tfp_run_record(const tfp_runs *runs, size_t item)
{
    return &runs->step->execs.data[runs->items[item].index];
}

static inline tfp_micros tfp_run_time(const tfp_runs *runs,
                                      const tfp_exec *exec)
{
    return tfp_exec_time(exec, runs->view->census->roles[exec->device].kind);
}

/* When a run is drawn to end. One that ended before it started is drawn
 * without length, one that ends past the last time up to that. */
static inline tfp_micros tfp_run_end(const tfp_runs *runs, const tfp_exec *exec)
{
    tfp_micros time = tfp_run_time(runs, exec);
    return tfp_add_sat(exec->start, time > 0 ? time : 0);
}

/* The device of that name, or NULL. */
tfp_run_device *tfp_runs_find_device(const tfp_runs *runs, tfp_string name);

/* Sorts items [0, count) by rising key. False when out of memory. Once the
 * sink is done, they stand in some order. */
bool tfp_runs_sort(const tfp_runs *runs, tfp_sort_item *items, size_t count,
                   tfp_sort_tie *tie, const void *context);

#endif
