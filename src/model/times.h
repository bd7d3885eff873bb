/*
 * times.h - the unit that time costs have, and the way from one to another.
 *
 * RunMetadata and profiles have microseconds, traces picoseconds. All time
 * costs of one model have one unit: picoseconds as soon as it has a trace, so
 * that nothing is lost before a sum is printed; else microseconds, as upstream.
 * A unit is given as the picoseconds in it.
 */
#ifndef TFP_MODEL_TIMES_H
#define TFP_MODEL_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/steps.h"

enum { TFP_PICOSECOND = 1, TFP_NANOSECOND = 1000, TFP_MICROSECOND = 1000000 };

/* The unit of all time costs of a model. */
static inline int64_t tfp_model_time_unit(const tfp_model *model)
{
    return model->trace_devices > 0 ? TFP_PICOSECOND : TFP_MICROSECOND;
}

/* Are there times that microseconds cannot hold? */
static inline bool tfp_model_has_picos(const tfp_model *model)
{
    return tfp_model_time_unit(model) != TFP_MICROSECOND;
}

/* Whole microseconds in a unit. Stops at the ends of the range. */
static inline int64_t tfp_time_from_micros(tfp_micros micros, int64_t unit)
{
    return unit == TFP_MICROSECOND
               ? micros
               : tfp_mul_sat(micros, TFP_MICROSECOND / unit);
}

/* The nearest whole number of a unit that is not smaller; of two equally near
 * the one further from 0. This loses what is less, so it is for a sum that is
 * about to be shown. */
static inline int64_t tfp_time_round(int64_t time, int64_t unit, int64_t to)
{
    int64_t each = to / unit, whole = time / each, rest = time % each;
    if (rest >= 0)
        return whole + (rest >= each - rest);
    return whole - (-rest >= each + rest);
}

static inline tfp_micros tfp_time_to_micros(int64_t time, int64_t unit)
{
    return unit == TFP_MICROSECOND
               ? time
               : tfp_time_round(time, unit, TFP_MICROSECOND);
}

/* A time in picoseconds. Stops at the ends of the range. */
static inline int64_t tfp_time_to_picos(int64_t time, int64_t unit)
{
    return tfp_mul_sat(time, unit);
}

/* The time of a record, in a unit. Of a trace it must be picoseconds. */
static inline int64_t tfp_exec_time_in(const tfp_exec *exec, tfp_exec_kind kind,
                                       int64_t unit)
{
    return tfp_exec_is_trace(kind)
               ? exec->length
               : tfp_time_from_micros(tfp_exec_time(exec, kind), unit);
}

/* A number that a user gives for a cost, such as a minimum: times are given in
 * microseconds. */
static inline int64_t tfp_cost_from_user(tfp_cost cost, int64_t value,
                                         int64_t unit)
{
    return tfp_metrics[cost].unit == TFP_UNIT_MICROS
               ? tfp_time_from_micros(value, unit)
               : value;
}

/* A cost in whole numbers: a time in microseconds, others as they are. */
static inline int64_t tfp_cost_to_whole(tfp_cost cost, int64_t value,
                                        int64_t unit)
{
    return tfp_metrics[cost].unit == TFP_UNIT_MICROS
               ? tfp_time_to_micros(value, unit)
               : value;
}

#endif
