/*
 * run_uses.h - what devices did, from the records of RunMetadata and profiles.
 */
#ifndef TFP_MODEL_RUN_USES_H
#define TFP_MODEL_RUN_USES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/memory.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/steps.h"
#include "model/times.h"

/* What a device did in a step. */
typedef struct tfp_run_use {
    uint32_t step; /* index into model->steps */
    tfp_string device;
    int64_t runs;
    tfp_micros first, last; /* since 1970 */
    int64_t busy, span;     /* in picoseconds */
} tfp_run_use;

typedef TFP_VEC(tfp_run_use) tfp_run_uses;

/* By step, and in each by device. False when memory ran out or it was
 * cancelled. */
bool tfp_run_uses_find(tfp_run_uses *uses, const tfp_model *model,
                       tfp_memory *memory, tfp_watch *watch);

/* How long a step with run records lasted, in picoseconds: from the first start
 * to the last end on any device. */
static inline int64_t tfp_run_wall(const tfp_step *step)
{
    return tfp_time_to_picos(tfp_sub_sat(step->last_end, step->first_start),
                             TFP_MICROSECOND);
}

/* The time in which a step waited for input. False likewise. */
bool tfp_run_wait(const tfp_model *model, uint32_t step, int64_t *waited,
                  tfp_memory *memory, tfp_watch *watch);

#endif
