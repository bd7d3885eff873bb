/*
 * side.h - all runs of one side of a comparison.
 *
 * The first run defines the rows. Further runs are aligned with it by name and
 * add only their times. A row that further runs do not have took no time there.
 */
#ifndef TFP_COMPARE_SIDE_H
#define TFP_COMPARE_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/snapshot.h"
#include "model/metrics.h"
#include "model/step_values.h"

/* What a further run adds, by row of the first run. */
typedef struct tfp_side_run {
    int64_t *times[TFP_COST_COUNT]; /* NULL: not a time, or all are 0 */
    int64_t totals[TFP_COST_COUNT];
} tfp_side_run;

/* What is known of each run. */
typedef struct tfp_side_fact {
    uint32_t name; /* text: its path */
    size_t steps;  /* that were used */
    tfp_step_values values;
} tfp_side_fact;

typedef struct tfp_compare_side {
    tfp_memory *memory;
    tfp_snapshot rows; /* of the first run; after tfp_side_finish() times are
                        * the medians of all runs */
    size_t runs;
    size_t least_steps, most_steps;       /* of a run */
    int64_t first_totals[TFP_COST_COUNT]; /* of the first run */
    TFP_VEC(tfp_side_run) others;
    TFP_VEC(tfp_side_fact) facts; /* of all runs */
    uint16_t *varying; /* by row: exact metrics that differ between runs, a bit
                        * each; NULL: none */
    uint32_t varies;   /* all of these bits */
} tfp_compare_side;

void tfp_side_init(tfp_compare_side *side, tfp_memory *memory);
void tfp_side_release(tfp_compare_side *side);

/* Adds a run; takes the snapshot over, which is empty afterwards, also after a
 * failure. */
int tfp_side_add(tfp_compare_side *side, tfp_snapshot *run,
                 const tfp_side_fact *fact, const tfp_cancel *cancel,
                 tfprof_error *err);

/* After the last run: computes the medians. */
int tfp_side_finish(tfp_compare_side *side, const tfp_cancel *cancel,
                    tfprof_error *err);

/* The total time of each run, in microseconds, into `values`, which has room
 * for side->runs. */
void tfp_side_totals(const tfp_compare_side *side, tfp_cost cost,
                     double *values);

/* The same of one run, in picoseconds. */
int64_t tfp_side_total(const tfp_compare_side *side, size_t run, tfp_cost cost);

/* The value of a metric of steps in each run that has it, in microseconds, into
 * `values`, which has room for side->runs; how many there are. */
size_t tfp_side_step_values(const tfp_compare_side *side,
                            tfp_step_metric metric, double *values);

static inline bool tfp_side_varies(const tfp_compare_side *side, size_t row,
                                   int metric)
{
    return side->varying && side->varying[row] >> metric & 1;
}

#endif
