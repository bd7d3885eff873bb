/*
 * pools_parts.h - what the ways from RunMetadata to pools share.
 */
#ifndef TFP_MODEL_POOLS_PARTS_H
#define TFP_MODEL_POOLS_PARTS_H

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/pools.h"
#include "model/times.h"

/* What records say of a device in a step. */
typedef struct tfp_step_place {
    bool has_records;
    int64_t reported; /* the most that an allocator had in use */
} tfp_step_place;

typedef struct tfp_pool_maker {
    tfp_memory_use *use;
    const tfp_model *model;
    tfp_memory *memory;
    int64_t step; /* asked for, or negative */
    tfp_watch watch;
    tfp_interner kinds;
    tfp_interner keys;        /* {source, place, name}; item k + 1 is made[k] */
    tfp_interner step_places; /* {device, step}; item k + 1 is places[k] */
    TFP_VEC(tfp_step_place) places;
    TFP_VEC(tfp_pool_event) events; /* of the pool that comes next */
} tfp_pool_maker;

/* The facts of a device in a step, by its name and the index of the step; NULL
 * when out of memory. They move when the next is added. */
tfp_step_place *tfp_pool_place(tfp_pool_maker *m, tfp_string device,
                               uint32_t step);

/* The pool of a device in a step from m->events, unless there are none. `pool`
 * says what it is of. Kept if no step before has more; m->events is empty
 * again. */
int tfp_pool_make(tfp_pool_maker *m, tfp_pool pool, tfprof_error *err);

/* Is this step asked for? */
static inline bool tfp_pool_wants(const tfp_pool_maker *m, uint32_t step)
{
    return tfp_step_is_asked(&m->model->steps.data[step], m->step);
}

/* A time in picoseconds since a step began. */
static inline int64_t tfp_pool_time(tfp_micros start, tfp_micros at)
{
    return tfp_mul_sat(tfp_sub_sat(at, start), TFP_MICROSECOND);
}

/* Pools of devices that have no records. */
int tfp_pools_estimate(tfp_pool_maker *m, tfprof_error *err);

#endif
