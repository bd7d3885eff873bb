/*
 * run_steps.h - the metrics of steps in one run, as one value each.
 */
#ifndef TFP_COMPARE_RUN_STEPS_H
#define TFP_COMPARE_RUN_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/run.h"
#include "model/model.h"
#include "model/step_values.h"

/* Computes the value of a run of each metric of steps, in picoseconds, by the
 * rule that rows have (run.h): the median of its steps, or their minimum. Steps
 * without a value do not count; -1 in *values if no step has one. `step` is
 * what the option `step` says. Traces need TFP_GATHER_STEPS.
 *
 * Fails with OPTION if no step is left, and when memory runs out. */
int tfp_run_take_steps(const tfp_model *model, int64_t step,
                       const tfp_run_rule *rule, tfp_memory *memory,
                       const tfp_cancel *cancel, tfp_step_values *values,
                       tfprof_error *err);

#endif
