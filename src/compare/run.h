/*
 * run.h - the steps of one run as one value per row.
 *
 * Steps of one run are not independent: they share the machine, its load and
 * its clock. So a run is one sample, and its value is the median of its steps,
 * or their minimum. A step in which a row did not run counts as 0.
 */
#ifndef TFP_COMPARE_RUN_H
#define TFP_COMPARE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compare/snapshot.h"
#include "view/view.h"

typedef struct tfp_run_rule {
    bool takes_minimum; /* else the median */
    int64_t skipped;    /* steps at the start of each run to leave out */
} tfp_run_rule;

/* Rows whose values are added up in each step, before the median. */
typedef struct tfp_run_sum {
    const uint8_t *has; /* by row of the view: does it count? NULL: all do */
    int64_t values[TFP_COST_COUNT]; /* out; times are in picoseconds */
} tfp_run_sum;

/* Replaces the values of run records in a snapshot of the view, which are
 * averages over all steps, with those of the run; the totals, too. `sums` may
 * be NULL if `count` is 0. *steps is the number of steps that were used.
 *
 * The view must be of all steps, or of one. Of traces, operations outside of
 * steps are left out if there are steps. Fails with OPTION if no step is left,
 * and when memory runs out. Takes time and memory by the number of records. */
int tfp_run_take(tfp_snapshot *snapshot, const tfp_view *view,
                 const tfp_run_rule *rule, tfp_run_sum *sums, size_t count,
                 size_t *steps, tfprof_error *err);

/* OPTION: the rule leaves out all steps of a run, which has `count`. */
int tfp_run_fail_skipped(const tfp_run_rule *rule, size_t count,
                         tfprof_error *err);

#endif
