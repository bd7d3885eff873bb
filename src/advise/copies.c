/*
 * copies.c - SlowCopyChecker: copies that devices do nothing else during.
 *
 * A copy beside kernels costs nothing. So the time counts in which a device
 * only copied, of the time from its first run to its last; then the copies
 * that took longest are told.
 */
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "model/gathered.h"
#include "model/model.h"

enum {
    LEAST_TIME = 10, /* percent of the time of devices: to gain less is not
                      * worth it... */
    LEAST_SLOW = 3,  /* ...but for copies that are slower than they need be */
    /* Gigabytes a second: PCIe 3.0 x16 has 12 from pinned memory and about half
     * of it from other memory. */
    SLOW = 4,
    LEAST_SIZE = 1 << 20, /* bytes: of smaller ones the start takes longest */
    MOST = 3              /* to tell */
};

/* Does it take longer than its size asks for? Bytes for 1000 ps are GB/s. */
static bool is_slow(const tfp_copy *copy)
{
    return copy->timed > 0 && copy->count > 0 &&
           copy->bytes / copy->count >= LEAST_SIZE &&
           (double)copy->bytes * 1000 < (double)copy->timed * (double)SLOW;
}

/* Of copies of one time the first by kind and operation. */
static bool goes_before(const tfp_inquiry *q, const tfp_copy *a,
                        const tfp_copy *b)
{
    int by_kind = tfp_span_compare(tfp_inquiry_gathered(q, a->kind),
                                   tfp_inquiry_gathered(q, b->kind));
    if (a->total != b->total)
        return a->total > b->total;
    return by_kind != 0
               ? by_kind < 0
               : tfp_span_compare(tfp_inquiry_gathered(q, a->node),
                                  tfp_inquiry_gathered(q, b->node)) < 0;
}

/* Puts a copy among the longest so far, if it is one of them. */
static void rank(const tfp_inquiry *q, const tfp_copy *top[MOST],
                 const tfp_copy *copy)
{
    for (int i = 0; i < MOST && copy; i++) {
        const tfp_copy *there = top[i];
        if (!there || goes_before(q, copy, there)) {
            top[i] = copy;
            copy = there; /* which goes one place down */
        }
    }
}

static int tell(tfp_inquiry *q, const tfp_copy *copy, int64_t whole,
                tfprof_error *err)
{
    tfp_finding found = {
        .kind = TFP_FINDING_COPY,
        .name = tfp_inquiry_gathered(q, copy->kind),
        .accelerator_micros = copy->total,
        .micros = copy->total,
        .whole_micros = whole,
        .node_count = 1,
        .count = copy->count,
        .bytes = copy->timed == copy->total ? copy->bytes : -1,
        .hint = "pinned memory, prefetching to the device, fewer and larger "
                "copies, values kept on the device"
    };
    return tfp_inquiry_tell(
        q, found, tfp_inquiry_member(q, tfp_inquiry_gathered(q, copy->node)),
        err);
}

static int tell_longest(tfp_inquiry *q, bool slow_only, int64_t whole,
                        tfprof_error *err)
{
    const tfp_gathered *g = &q->traces->gathered;
    const tfp_copy *top[MOST] = { NULL };
    int status = TFPROF_OK;
    for (size_t i = 0; i < g->copies.count && !tfp_watch_ends(&q->watch); i++) {
        if (!slow_only || is_slow(&g->copies.data[i]))
            rank(q, top, &g->copies.data[i]);
    }
    if (top[0])
        status = tfp_inquiry_report(q, err);
    for (int i = 0; i < MOST && top[i] && status == TFPROF_OK; i++)
        status = tell(q, top[i], whole, err);
    return status;
}

static int check(tfp_inquiry *q, tfprof_error *err)
{
    const tfp_gathered *g = &q->traces->gathered;
    int64_t alone = 0, whole = 0;
    for (size_t i = 0; i < g->devices.count; i++) {
        const tfp_device_use *device = &g->devices.data[i];
        if (!device->is_accelerator || device->runs == 0)
            continue;
        alone = tfp_add_sat(alone, device->copied);
        whole = tfp_add_sat(whole, tfp_sub_sat(device->last, device->first));
    }
    if (!tfp_is_share(alone, whole, LEAST_SLOW))
        return TFPROF_OK;
    return tell_longest(q, !tfp_is_share(alone, whole, LEAST_TIME), whole, err);
}

const tfp_checker tfp_copy_checker = {
    .name = "SlowCopyChecker",
    .needs_runs = true,
    .gathers = TFP_GATHER_STEPS | TFP_GATHER_KERNELS,
    .check = check,
};
