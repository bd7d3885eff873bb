/*
 * verdict.h - does a budget hold?
 *
 * Exact metrics are compared with their limits. Times are judged by the
 * statistics of several runs (stats/), with a level of 1 %:
 *
 * - A limit relative to the baseline is broken if the rank test, corrected with
 *   Holm's method for all budgets of times with such limits, gives p of at most
 *   0.01, and the Hodges-Lehmann shift is above the limit and at least
 *   `and_at_least`. It holds if the upper end of the 99 % interval of the shift
 *   is below the limit (or below `and_at_least`, if that is larger). A limit
 *   below the baseline, such as "-5%", is also broken if the interval of the
 *   shift, corrected with Bonferroni's method, lies above it.
 * - An absolute limit is broken if the 99 % interval of the median lies above
 *   it, and the median is above it by at least `and_at_least`. It holds if the
 *   upper end of the interval is below the limit plus `and_at_least`. The
 *   interval needs eight runs.
 * - A minimum is judged in the same way in the other direction.
 *
 * Otherwise there is no verdict, and a reason.
 */
#ifndef TFP_BUDGET_VERDICT_H
#define TFP_BUDGET_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "budget/baseline.h"
#include "budget/budgets.h"

typedef enum tfp_check_verdict {
    TFP_CHECK_OK,
    TFP_CHECK_BROKEN,
    TFP_CHECK_NO_VERDICT
} tfp_check_verdict;

/* What was measured for one budget. */
typedef struct tfp_measured {
    const double *values; /* of the runs that have one */
    size_t runs;          /* how many these are */
    const double *by_run; /* of all runs; a run without a value has NAN */
    size_t all_runs;
    bool is_partial;      /* a count with coverage below 100 % */
    const char *no_value; /* why the first run without a value has none, or
                           * NULL; such as "no scope matches" */
    char *without;        /* the runs without a value, if there are others:
                           * "n4/run15"; or NULL */
    char *name;           /* the row that contributes most, or NULL */
    char *file;           /* its source file, or NULL */
    int64_t line;         /* of the file; 0: not known */
} tfp_measured;

/* What the wall time of a step is made of: medians of the runs. */
typedef struct tfp_step_part {
    bool is_known; /* on both sides */
    double base, value;
} tfp_step_part;

typedef struct tfp_checked {
    const tfp_budget *budget;
    const tfp_measured *measured;
    tfp_check_verdict verdict;
    char reason[400]; /* of broken and of no verdict, else "" */
    bool is_noise;    /* no verdict only because the runs differ too much */
    bool has_value, has_base, has_limit;
    double value;    /* median of the runs; of exact metrics the worst run */
    double base;     /* the same of the baseline */
    double limit;    /* the limit that decided, as a value */
    bool is_minimum; /* `limit` is a minimum */
    bool has_shift;  /* a time with a relative limit, and the next four */
    double shift, p, adjusted;
    bool has_interval;
    double low, high; /* of the shift, or of the median */
    size_t more_runs; /* that each side needs for a verdict; 0: enough */
    double excess;    /* over the limit, as a share of it: the worst is first
                       * in lists; 0 unless broken */
    tfp_step_part
        parts[TFP_STEP_METRIC_COUNT]; /* of a wall time that broke
                                       * its maximum, if they were measured */
} tfp_checked;

/*
 * Judges all budgets together. `measured` and `out` have one entry for each
 * budget; `baseline` may be NULL. `here` is the machine of the measured runs;
 * NULL: times are compared, whatever the machine of the baseline.
 * Fails when memory runs out, and for values that statistics do not accept.
 */
int tfp_check_budgets(const tfp_budgets *budgets, const tfp_measured *measured,
                      const tfp_baseline *baseline, const tfp_machine *here,
                      tfp_memory *memory, tfp_checked *out, tfprof_error *err);

#endif
