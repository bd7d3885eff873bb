/*
 * digest.c - steps and devices in a line.
 */
#include "sheet/digest.h"

#include <string.h>

#include "base/sort.h"
#include "model/ids.h"
#include "model/model.h"

static bool add_device(tfp_digest *d, tfp_span name, int64_t busy, int64_t idle)
{
    uint32_t item = tfp_intern(&d->names, name);
    tfp_digest_device *device;
    if (item == TFP_NO_ID)
        return false;
    if (item > d->devices.count &&
        !TFP_VEC_PUSH(d->memory, &d->devices, (tfp_digest_device){ 0 }))
        return false;
    device = &d->devices.data[item - 1];
    device->name = name;
    device->busy = tfp_add_sat(device->busy, busy);
    device->idle = tfp_add_sat(device->idle, idle);
    d->busy = tfp_add_sat(d->busy, busy);
    device->steps++;
    return true;
}

static bool add_devices(tfp_digest *d)
{
    const tfp_sheet *steps = &d->sheets[0];
    size_t name = tfp_sheet_column_of(steps, "device");
    size_t busy = tfp_sheet_column_of(steps, "busy_micros");
    size_t idle = tfp_sheet_column_of(steps, "idle_micros");
    size_t rest = tfp_sheet_column_of(steps, "is_rest");
    for (size_t i = 0; i < steps->rows; i++) {
        tfp_span device = tfp_sheet_text(steps, i, name);
        if (device.size > 0 && !tfp_sheet_number(steps, i, rest) &&
            tfp_sheet_has(steps, i, busy) &&
            !add_device(d, device, tfp_sheet_number(steps, i, busy),
                        tfp_sheet_number(steps, i, idle)))
            return false;
    }
    return true;
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
    return add_devices(d) && sort_devices(d) ? TFPROF_OK : tfp_fail_nomem(err);
}

void tfp_digest_release(tfp_digest *d)
{
    for (size_t i = 0; i < TFP_MOST_SHEETS; i++)
        tfp_sheet_release(&d->sheets[i]);
    tfp_interner_release(&d->names);
    TFP_VEC_RELEASE(d->memory, &d->devices);
}
