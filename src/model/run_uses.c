/*
 * run_uses.c - what devices did, from the records of RunMetadata and profiles.
 */
#include "model/run_uses.h"

#include <stddef.h>

#include "base/bytes.h"
#include "base/cover.h"
#include "base/sort.h"
#include "model/gathered.h"
#include "model/model.h"
#include "model/steps.h"
#include "model/times.h"

/* One record with a time. */
typedef struct run_item {
    int64_t begin, end;
    uint32_t step;
    tfp_string device;
} run_item;

typedef TFP_VEC(run_item) run_items;

/* Does the record say when it ran? */
static bool is_timed(const tfp_exec *exec, tfp_exec_kind kind)
{
    return exec->start > 0 && (kind == TFP_EXEC_RUN || kind == TFP_EXEC_TIME ||
                               kind == TFP_EXEC_ACCELERATOR_TIME);
}

static run_item item_of(const tfp_model *model, const tfp_exec *exec,
                        uint32_t step)
{
    const tfp_device *device = &model->devices.data[exec->device];
    int64_t length = tfp_exec_time(exec, device->kind);
    run_item item = { .begin = exec->start,
                      .step = step,
                      .device = device->name };
    item.end = tfp_add_sat(item.begin, length > 0 ? length : 0);
    return item;
}

static uint64_t key_of(const run_item *item)
{
    return (uint64_t)item->step << 32 | item->device;
}

/* Are the items sorted by step, device and begin? Those of RunMetadata usually
 * are. */
static bool are_sorted(const run_items *items)
{
    for (size_t i = 1; i < items->count; i++) {
        uint64_t last = key_of(&items->data[i - 1]);
        uint64_t key = key_of(&items->data[i]);
        if (key < last ||
            (key == last && items->data[i].begin < items->data[i - 1].begin))
            return false;
    }
    return true;
}

/* A sort by begin, followed by a stable sort by step and device, leaves the
 * runs of each device in the order of begin. */
static void sort_items(const run_items *items, tfp_sort_item *order)
{
    size_t count = items->count;
    for (size_t i = 0; i < count; i++)
        order[i] = (tfp_sort_item){ tfp_sort_key_rising(items->data[i].begin),
                                    (uint32_t)i };
    tfp_sort(order, count, order + count, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        order[i].key = key_of(&items->data[order[i].index]);
    tfp_sort(order, count, order + count, NULL, NULL); /* stable */
}

/* Sums up the runs of each step and device. */
static bool add_up(tfp_run_uses *uses, const run_items *items,
                   tfp_memory *memory, tfp_watch *watch)
{
    size_t count = items->count;
    bool ok = true;
    tfp_sort_item *order = NULL;
    if (!are_sorted(items)) {
        order = tfp_memory_array(memory, 2 * count + 1, sizeof(*order));
        ok = order != NULL;
    }
    if (order)
        sort_items(items, order);
    for (size_t i = 0; ok && i < count; i++) {
        const run_item *item = &items->data[order ? order[i].index : i];
        tfp_run_use *use = uses->count ? &uses->data[uses->count - 1] : NULL;
        if (!use || use->step != item->step || use->device != item->device) {
            ok = TFP_VEC_PUSH(memory, uses,
                              (tfp_run_use){ .step = item->step,
                                             .device = item->device,
                                             .first = item->begin,
                                             .last = INT64_MIN });
            use = ok ? &uses->data[uses->count - 1] : NULL;
        }
        if (!use || tfp_watch_ends(watch))
            ok = false;
        if (!ok)
            break;
        use->runs++;
        use->busy = tfp_add_sat(use->busy,
                                tfp_cover(item->begin, item->end, &use->last));
    }
    tfp_memory_free(memory, order);
    return ok;
}

/* Start times are microseconds since 1970. In picoseconds they overflow 64
 * bits, so only the differences are converted. */
static void to_picos(tfp_run_uses *uses)
{
    for (size_t i = 0; i < uses->count; i++) {
        tfp_run_use *use = &uses->data[i];
        use->busy = tfp_time_to_picos(use->busy, TFP_MICROSECOND);
        use->span = tfp_time_to_picos(tfp_sub_sat(use->last, use->first),
                                      TFP_MICROSECOND);
    }
}

bool tfp_run_uses_find(tfp_run_uses *uses, const tfp_model *model,
                       tfp_memory *memory, tfp_watch *watch)
{
    run_items items = { 0 };
    bool ok = true;
    for (size_t s = 0; s < model->steps.count && ok; s++) {
        const tfp_step *step = &model->steps.data[s];
        for (size_t i = 0; i < step->execs.count && ok; i++) {
            const tfp_exec *exec = &step->execs.data[i];
            if (is_timed(exec, model->devices.data[exec->device].kind))
                ok = TFP_VEC_PUSH(memory, &items,
                                  item_of(model, exec, (uint32_t)s));
            ok = ok && !tfp_watch_ends(watch);
        }
    }
    ok = ok && add_up(uses, &items, memory, watch);
    to_picos(uses);
    TFP_VEC_RELEASE(memory, &items);
    return ok;
}

/* ---- Waiting ------------------------------------------------------------ */

bool tfp_run_wait(const tfp_model *model, uint32_t number, int64_t *waited,
                  tfp_memory *memory, tfp_watch *watch)
{
    const tfp_step *step = &model->steps.data[number];
    run_items items = { 0 };
    tfp_run_uses uses = { 0 };
    bool ok = true;
    for (size_t i = 0; i < step->execs.count && ok; i++) {
        const tfp_exec *exec = &step->execs.data[i];
        if (is_timed(exec, model->devices.data[exec->device].kind) &&
            tfp_node_waits_for_input(tfp_model_text(model, exec->name))) {
            run_item item = item_of(model, exec, 0);
            item.device = 0; /* wherever it waited */
            ok = TFP_VEC_PUSH(memory, &items, item);
        }
        ok = ok && !tfp_watch_ends(watch);
    }
    ok = ok && add_up(&uses, &items, memory, watch);
    *waited = 0;
    if (uses.count > 0)
        *waited = tfp_time_to_picos(uses.data[0].busy, TFP_MICROSECOND);
    TFP_VEC_RELEASE(memory, &items);
    TFP_VEC_RELEASE(memory, &uses);
    return ok;
}
