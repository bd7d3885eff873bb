/*
 * pools_runs.c - pools from the allocation records of RunMetadata, and all
 * pools of a model.
 *
 * TensorFlow notes for each node what its allocators gave it, and until the end
 * of the step what of that was given back. So a record is a change of the level
 * and has no address: a node holds the sum of its records. What is not given
 * back lives to the end of the step. Memory from before the step, such as that
 * of variables, has no records; what an allocator reports contains it.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/pools_parts.h"

/* ---- Pools -------------------------------------------------------------- */

tfp_step_place *tfp_pool_place(tfp_pool_maker *m, tfp_string device,
                               uint32_t step)
{
    uint32_t key[] = { device, step }, item;
    if (!TFP_VEC_RESERVE(m->memory, &m->places, 1))
        return NULL;
    item = tfp_intern(&m->step_places,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return NULL;
    if (item > m->places.count)
        m->places.data[m->places.count++] = (tfp_step_place){ 0 };
    return &m->places.data[item - 1];
}

/* Of the pools of one allocator the step with the largest peak stays, of equal
 * ones the first. */
static bool keep(tfp_pool_maker *m, tfp_pool *pool)
{
    uint32_t key[] = { (uint32_t)pool->source, pool->place, pool->name }, item;
    tfp_pool *kept;
    int64_t steps;
    if (!TFP_VEC_RESERVE(m->memory, &m->use->made, 1))
        return false;
    item = tfp_intern(&m->keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return false;
    pool->steps = 1;
    if (item > m->use->made.count) {
        m->use->made.data[m->use->made.count++] = *pool;
        return true;
    }
    kept = &m->use->made.data[item - 1];
    steps = kept->steps + 1;
    if (pool->peak > kept->peak) {
        tfp_pool_release(kept, m->memory);
        *kept = *pool;
    } else {
        tfp_pool_release(pool, m->memory);
    }
    kept->steps = steps;
    return true;
}

int tfp_pool_make(tfp_pool_maker *m, tfp_pool pool, tfprof_error *err)
{
    tfp_pool_request request = { .events = m->events.data,
                                 .count = m->events.count,
                                 .kinds = &m->kinds,
                                 .cancel = m->watch.cancel,
                                 .finds_peaks = m->model->gathers &
                                                TFP_GATHER_PEAKS };
    size_t peak;
    int status;
    if (m->events.count == 0)
        return TFPROF_OK;
    status = tfp_pool_find(&pool, m->memory, &request, &peak, err);
    if (status == TFPROF_OK && !keep(m, &pool))
        status = tfp_fail_nomem(err);
    if (status != TFPROF_OK)
        tfp_pool_release(&pool, m->memory);
    m->events.count = 0;
    return status;
}

/* ---- Records ------------------------------------------------------------ */

static bool add_record(tfp_pool_maker *m, tfp_micros start,
                       const tfp_allocation *a)
{
    tfp_live_kind kind = { .name = a->node,
                           .holder = a->node ? TFP_HOLDER_NODE
                                             : TFP_HOLDER_UNKNOWN };
    uint32_t number = tfp_pool_kind(&m->kinds, &kind);
    tfp_pool_event event = { .at = tfp_pool_time(start, a->at),
                             .bytes = a->bytes < 0 ? tfp_sub_sat(0, a->bytes)
                                                   : a->bytes,
                             .level = TFP_LEVEL_UNTOLD,
                             .kind = number & TFP_POOL_MOST_KINDS,
                             .is_free = a->bytes < 0 };
    return number != TFP_NO_ID && m->events.count < TFP_NO_ID &&
           TFP_VEC_PUSH(m->memory, &m->events, event);
}

/* When a step began; where its nodes have no times, its first record. */
static tfp_micros start_of(const tfp_pool_maker *m, const tfp_step *step,
                           const tfp_sort_item *items, size_t count)
{
    const tfp_allocation *list = m->model->allocations.data;
    tfp_micros start = list[items[0].index].at;
    if (step->first_start != 0)
        return step->first_start;
    for (size_t i = 1; i < count; i++) {
        if (list[items[i].index].at < start)
            start = list[items[i].index].at;
    }
    return start;
}

/* The records of one allocator in one step. */
static int make_pool(tfp_pool_maker *m, const tfp_sort_item *items,
                     size_t count, tfprof_error *err)
{
    const tfp_allocation *list = m->model->allocations.data;
    const tfp_allocation *first = &list[items[0].index];
    const tfp_device *device = &m->model->devices.data[first->device];
    const tfp_step *step = &m->model->steps.data[device->step];
    tfp_micros start = start_of(m, step, items, count);
    tfp_step_place *place = tfp_pool_place(m, device->name, device->step);
    tfp_pool pool = { .source = TFP_POOL_RECORDS,
                      .place = device->name,
                      .name = first->allocator,
                      .step = step->id,
                      .has_step = true };
    if (!place)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < count; i++) {
        const tfp_allocation *a = &list[items[i].index];
        if (tfp_watch_ends(&m->watch))
            return tfp_fail_cancelled(err);
        if (a->reported > pool.reported_peak)
            pool.reported_peak = a->reported;
        if (a->bytes != 0 && !add_record(m, start, a))
            return tfp_fail_nomem(err);
    }
    if (pool.reported_peak > place->reported)
        place->reported = pool.reported_peak;
    place->has_records |= m->events.count > 0;
    return tfp_pool_make(m, pool, err);
}

/* Records by allocator and step, in the order of the file. */
static bool sort_records(tfp_pool_maker *m, tfp_sort_item *items, size_t *count)
{
    const tfp_model *model = m->model;
    tfp_interner keys;
    bool ok = tfp_interner_init(&keys, m->memory, 4, tfp_random_seed());
    *count = 0;
    for (size_t i = 0; ok && i < model->allocations.count; i++) {
        const tfp_allocation *a = &model->allocations.data[i];
        const tfp_device *device = &model->devices.data[a->device];
        uint32_t key[] = { device->name, device->step, a->allocator }, item;
        if (tfp_watch_ends(&m->watch)) {
            ok = false;
        } else if (tfp_pool_wants(m, device->step)) {
            item = tfp_intern(&keys,
                              (tfp_span){ (const uint8_t *)key, sizeof(key) });
            items[(*count)++] = (tfp_sort_item){ item, (uint32_t)i };
            ok = item != TFP_NO_ID;
        }
    }
    tfp_interner_release(&keys);
    if (ok && !tfp_sort_until(items, *count, items + *count, NULL, NULL,
                              m->watch.cancel)) {
        m->watch.cancelled = true;
        ok = false;
    }
    return ok;
}

static int make_pools(tfp_pool_maker *m, tfprof_error *err)
{
    size_t count = m->model->allocations.count, start = 0;
    tfp_sort_item *items = tfp_memory_array(m->memory, 2 * count + 1,
                                            sizeof(*items));
    int status = TFPROF_OK;
    if (!items)
        return tfp_fail_nomem(err);
    if (!sort_records(m, items, &count))
        status = m->watch.cancelled ? tfp_fail_cancelled(err)
                                    : tfp_fail_nomem(err);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        if (i + 1 < count && items[i + 1].key == items[i].key)
            continue;
        status = make_pool(m, items + start, i + 1 - start, err);
        start = i + 1;
    }
    tfp_memory_free(m->memory, items);
    return status;
}

/* ---- All pools ---------------------------------------------------------- */

static bool list_pools(tfp_memory_use *use, const tfp_model *model)
{
    for (size_t i = 0; i < model->pools.count; i++) {
        if (!TFP_VEC_PUSH(use->memory, &use->pools, &model->pools.data[i]))
            return false;
    }
    for (size_t i = 0; i < use->made.count; i++) {
        if (!TFP_VEC_PUSH(use->memory, &use->pools, &use->made.data[i]))
            return false;
    }
    return true;
}

int tfp_memory_use_init(tfp_memory_use *use, const tfp_model *model,
                        tfp_memory *memory, int64_t step,
                        const tfp_cancel *cancel, tfprof_error *err)
{
    uint64_t seed = tfp_random_seed();
    tfp_pool_maker m = { .use = use,
                         .model = model,
                         .memory = memory,
                         .step = step,
                         .watch = { .cancel = cancel } };
    int status = TFPROF_OK;
    *use = (tfp_memory_use){ .memory = memory };
    if (!(tfp_interner_init(&m.kinds, memory, 4, seed) &&
          tfp_interner_init(&m.keys, memory, 4, seed) &&
          tfp_interner_init(&m.step_places, memory, 4, seed)))
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = make_pools(&m, err);
    if (status == TFPROF_OK)
        status = tfp_pools_estimate(&m, err);
    if (status == TFPROF_OK && !list_pools(use, model))
        status = tfp_fail_nomem(err);
    tfp_interner_release(&m.kinds);
    tfp_interner_release(&m.keys);
    tfp_interner_release(&m.step_places);
    TFP_VEC_RELEASE(memory, &m.places);
    TFP_VEC_RELEASE(memory, &m.events);
    return status;
}

void tfp_memory_use_release(tfp_memory_use *use)
{
    if (!use->memory)
        return;
    for (size_t i = 0; i < use->made.count; i++)
        tfp_pool_release(&use->made.data[i], use->memory);
    TFP_VEC_RELEASE(use->memory, &use->made);
    TFP_VEC_RELEASE(use->memory, &use->pools);
}
