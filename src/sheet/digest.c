/*
 * digest.c - steps and devices in a line.
 */
#include "sheet/digest.h"

#include <string.h>

#include "base/sort.h"
#include "model/ids.h"
#include "model/model.h"
#include "sheet/device_sums.h"

static bool add_device(tfp_digest *d, const tfp_device_sum *sum)
{
    uint32_t item = tfp_intern(&d->names, sum->name);
    tfp_digest_device *device;
    if (item == TFP_NO_ID)
        return false;
    if (item > d->devices.count &&
        !TFP_VEC_PUSH(d->memory, &d->devices, (tfp_digest_device){ 0 }))
        return false;
    device = &d->devices.data[item - 1];
    device->name = sum->name;
    device->busy = tfp_add_sat(device->busy, sum->busy);
    device->idle = tfp_add_sat(device->idle, sum->idle);
    device->steps += sum->steps;
    d->busy = tfp_add_sat(d->busy, sum->busy);
    return true;
}

/* Devices that ran in steps. */
static bool add_devices(tfp_digest *d, const tfp_sheet_request *request)
{
    tfp_device_sums sums = { 0 };
    bool ok = tfp_device_sums_find(&sums, request);
    for (size_t i = 0; ok && i < sums.count; i++) {
        if (sums.data[i].name.size > 0 && sums.data[i].runs > 0)
            ok = add_device(d, &sums.data[i]);
    }
    TFP_VEC_RELEASE(d->memory, &sums);
    return ok;
}

static int device_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_digest *d = context;
    return tfp_span_compare(d->devices.data[a].name, d->devices.data[b].name);
}

/* The busiest first, of equal ones by name. */
static bool sort_devices(tfp_digest *d)
{
    size_t count = d->devices.count;
    tfp_sort_item *items = tfp_memory_array(d->memory, 2 * count + 1,
                                            sizeof(*items));
    tfp_digest_device *sorted = tfp_memory_array(d->memory, count + 1,
                                                 sizeof(*sorted));
    bool ok = items && sorted;
    for (size_t i = 0; ok && i < count; i++) {
        d->devices.data[i].busy /= d->devices.data[i].steps;
        d->devices.data[i].idle /= d->devices.data[i].steps;
        items[i] = (tfp_sort_item){
            tfp_sort_key_falling(d->devices.data[i].busy), (uint32_t)i
        };
    }
    if (ok)
        tfp_sort(items, count, items + count, device_tie, d);
    for (size_t i = 0; ok && i < count; i++)
        sorted[i] = d->devices.data[items[i].index];
    if (ok && count > 0)
        memcpy(d->devices.data, sorted, count * sizeof(*sorted));
    tfp_memory_free(d->memory, sorted);
    tfp_memory_free(d->memory, items);
    return ok;
}

int tfp_digest_init(tfp_digest *d, const tfp_sheet_request *request,
                    tfprof_error *err)
{
    size_t wall;
    int status;
    *d = (tfp_digest){ .memory = request->memory,
                       .steps = (int64_t)tfp_model_count_steps(request->model),
                       .wall = -1,
                       .has_hosts = tfp_sheet_has_hosts(request->traces) };
    if (!tfp_interner_init(&d->names, d->memory, 1, tfp_random_seed()))
        return tfp_fail_nomem(err);
    status = tfp_steps_fill(request, d->sheets, err);
    if (status != TFPROF_OK)
        return status;
    wall = tfp_sheet_column_of(&d->sheets[1], "wall_micros");
    if (d->sheets[1].rows > 0 && tfp_sheet_has(&d->sheets[1], 0, wall))
        d->wall = tfp_sheet_number(&d->sheets[1], 0, wall);
    return add_devices(d, request) && sort_devices(d) ? TFPROF_OK
                                                      : tfp_fail_nomem(err);
}

void tfp_digest_release(tfp_digest *d)
{
    for (size_t i = 0; i < TFP_MOST_SHEETS; i++)
        tfp_sheet_release(&d->sheets[i]);
    tfp_interner_release(&d->names);
    TFP_VEC_RELEASE(d->memory, &d->devices);
}
