/*
 * totals.h - did the step, and did the operations of a run, take another time?
 *
 * Three questions are asked of two sets of runs. Each has its own level, and
 * tests of one question are corrected for each other (judge.h):
 *
 * - The wall time of a step is judged first, by itself.
 * - What it is made of (operations, idle, input wait) explains a change of it,
 *   so none of these has changed unless the wall time has.
 * - The sums of operation times.
 */
#ifndef TFP_COMPARE_TOTALS_H
#define TFP_COMPARE_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "compare/judge.h"
#include "compare/side.h"
#include "model/metrics.h"

typedef struct tfp_judged_total {
    bool is_of_steps;
    int metric;     /* tfp_step_metric if is_of_steps, else tfp_cost */
    size_t runs[2]; /* of base and head that have the metric */
    tfp_judgement judgement;
} tfp_judged_total;

enum { TFP_MOST_TOTALS = (int)TFP_STEP_METRIC_COUNT + (int)TFP_COST_COUNT };

/* Judges the metrics of steps that both sides have, the wall time first, then
 * the costs of `compared` that are times. `out` has room for TFP_MOST_TOTALS;
 * *count is how many there are. */
int tfp_totals_judge(const tfp_compare_side *base, const tfp_compare_side *head,
                     uint32_t compared, tfp_memory *memory,
                     tfp_judged_total *out, size_t *count, tfprof_error *err);

/* As programs read it: "step_micros", "micros". */
const char *tfp_total_name(const tfp_judged_total *total);

#endif
