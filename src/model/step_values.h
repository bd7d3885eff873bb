/*
 * step_values.h - the metrics of each step as a whole.
 */
#ifndef TFP_MODEL_STEP_VALUES_H
#define TFP_MODEL_STEP_VALUES_H

#include <stdint.h>

#include "base/cancel.h"
#include "base/memory.h"
#include "model/metrics.h"
#include "model/model.h"

/* In picoseconds; -1 is a value that is not known. */
typedef struct tfp_step_values {
    int64_t of[TFP_STEP_METRIC_COUNT]; /* by tfp_step_metric */
} tfp_step_values;

/*
 * The values of each step, by its index in model->steps: an array to be freed,
 * or NULL when memory ran out or it was cancelled. Nothing is known of the rest
 * and of a step that only a profile has.
 *
 * Wall time and the wait for input are the longest of the hosts, busy time is
 * the mean of the devices that ran in the step, idle time is the rest of the
 * wall time. Of traces TFP_GATHER_STEPS must have been gathered, and a trace
 * without steps has no values.
 */
tfp_step_values *tfp_step_values_find(const tfp_model *model,
                                      tfp_memory *memory, tfp_watch *watch);

#endif
