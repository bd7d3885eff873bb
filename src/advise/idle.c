/*
 * idle.c - IdleDeviceChecker: accelerators that idle in most of their steps.
 *
 * Busy and idle are those of the table of steps. One long step, as the first
 * with its compilation mostly is, does not speak for the others: in half of
 * the steps the device must idle, too.
 */
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/gathered.h"
#include "model/model.h"

/* A device that is busy for less has time to spare; as upstream has it
 * (TFP_LOW_SHARE). */
enum {
    MOST_IDLE = 50, /* percent of the time of steps... */
    MOST_STEPS = 50 /* ...and of their number */
};

/* Was the device busy for enough of the step? */
static bool is_used(const tfp_step_time *step, const tfp_step_device *on)
{
    int64_t idle = tfp_step_idle(step, on);
    return !step->is_rest &&
           !tfp_is_share(idle, tfp_add_sat(idle, on->busy), MOST_IDLE);
}

static int tell(tfp_inquiry *q, const tfp_device_use *device, int64_t used,
                tfprof_error *err)
{
    int64_t idle = device->idle_in_steps, idle_steps = device->steps - used;
    tfp_finding found = {
        .kind = TFP_FINDING_IDLE,
        .name = tfp_inquiry_gathered(q, device->device),
        .accelerator_micros = device->busy_in_steps,
        .micros = idle,
        .whole_micros = tfp_add_sat(device->busy_in_steps, idle),
        .node_count = 1,
        .count = idle_steps,
        .whole_count = device->steps,
        .hint = "prefetched input, larger batches, less work on the host "
                "before this operation"
    };
    uint32_t late = TFP_NO_ID;
    if (device->late != 0)
        late = tfp_inquiry_member(q, tfp_inquiry_gathered(q, device->late));
    if (!tfp_is_share(idle, found.whole_micros, MOST_IDLE) ||
        !tfp_is_share(idle_steps, device->steps, MOST_STEPS))
        return TFPROF_OK;
    return tfp_inquiry_tell_alone(q, found, late, err);
}

/* Rows of a device stand together, in the order of the devices. */
static int check(tfp_inquiry *q, tfprof_error *err)
{
    const tfp_gathered *g = &q->traces->gathered;
    size_t at = 0;
    int status = TFPROF_OK;
    for (size_t i = 0; i < g->devices.count && status == TFPROF_OK; i++) {
        const tfp_device_use *device = &g->devices.data[i];
        int64_t used = 0;
        for (; at < g->step_devices.count && !tfp_watch_ends(&q->watch); at++) {
            const tfp_step_device *on = &g->step_devices.data[at];
            const tfp_step_time *step = &g->steps.data[on->step];
            if (step->input != device->input || on->device != device->device)
                break;
            used += is_used(step, on);
        }
        if (device->is_accelerator && device->busy_in_steps > 0)
            status = tell(q, device, used, err);
    }
    return status;
}

const tfp_checker tfp_idle_checker = {
    .name = "IdleDeviceChecker",
    .needs_runs = true,
    .gathers = TFP_GATHER_STEPS,
    .check = check,
};
