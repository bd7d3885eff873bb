/*
 * lanes.c - which of several rows a span of time is drawn in, so that no two
 * in one row overlap.
 */
#include "output/timeline/lanes.h"

#include "base/intern.h"

/* ---- Busy lanes, by their end ------------------------------------------- */

static void push_busy(tfp_lanes *l, tfp_busy_lane lane)
{
    tfp_busy_lane *heap = l->busy.data;
    size_t at = l->busy.count++;
    while (at > 0 && heap[(at - 1) / 2].end > lane.end) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = lane;
}

static uint32_t pop_busy(tfp_lanes *l)
{
    tfp_busy_lane *heap = l->busy.data, last = heap[--l->busy.count];
    uint32_t top = heap[0].lane;
    size_t at = 0, child;
    while ((child = 2 * at + 1) < l->busy.count) {
        child += child + 1 < l->busy.count &&
                 heap[child + 1].end < heap[child].end;
        if (heap[child].end >= last.end)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* ---- Idle lanes, by their number ---------------------------------------- */

static void push_idle(tfp_lanes *l, uint32_t lane)
{
    uint32_t *heap = l->idle.data;
    size_t at = l->idle.count++;
    while (at > 0 && heap[(at - 1) / 2] > lane) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = lane;
}

static uint32_t pop_idle(tfp_lanes *l)
{
    uint32_t *heap = l->idle.data, last = heap[--l->idle.count];
    uint32_t top = heap[0];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < l->idle.count) {
        child += child + 1 < l->idle.count && heap[child + 1] < heap[child];
        if (heap[child] >= last)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* ---- Lanes -------------------------------------------------------------- */

uint32_t tfp_lanes_take(tfp_lanes *l, int64_t start, int64_t end)
{
    uint32_t lane;
    /* Every lane is in one of the heaps; each has room for all of them. */
    if (l->idle.count == 0 && l->busy.count == l->count &&
        (!TFP_VEC_RESERVE(l->memory, &l->busy, 1) ||
         !TFP_VEC_RESERVE(l->memory, &l->idle, l->count + 1)))
        return TFP_NO_ID;
    while (l->busy.count > 0 && l->busy.data[0].end <= start)
        push_idle(l, pop_busy(l));
    lane = l->idle.count > 0 ? pop_idle(l) : l->count++;
    push_busy(l, (tfp_busy_lane){ end, lane });
    return lane;
}

void tfp_lanes_clear(tfp_lanes *l)
{
    l->busy.count = l->idle.count = 0;
    l->count = 0;
}

void tfp_lanes_release(tfp_lanes *l)
{
    TFP_VEC_RELEASE(l->memory, &l->busy);
    TFP_VEC_RELEASE(l->memory, &l->idle);
}
