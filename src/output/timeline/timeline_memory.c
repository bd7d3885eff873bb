/*
 * timeline_memory.c - the memory of each accelerator over time: how much its
 * allocator had given away, and to whom most of it.
 *
 * A record tells how much was in use when it ended. Two of them that end at
 * one time may differ; the later one in the order of the view counts, and a
 * point less than 100 us after the last one is left out, as upstream does.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/steps.h"
#include "output/timeline/timeline_parts.h"
#include "output/timeline/timeline_top.h"

enum { POINT_DISTANCE = 100 };

static bool is_metered(const tfp_runs *r, const tfp_run_device *device)
{
    return device->schedules &&
           !tfp_span_find(tfp_model_text(r->view->model, device->name), "cpu");
}

/* The accelerator whose memory a record tells of, or NULL. */
static tfp_run_device *metered_device(const tfp_runs *r, const tfp_exec *exec)
{
    const tfp_census *census = r->view->census;
    uint32_t counts = tfp_record_counts(&census->roles[exec->device], exec);
    uint32_t member = tfp_census_find(census, exec);
    tfp_run_device *device;
    if (!(counts & (TFP_COUNTS_MEMORY | TFP_COUNTS_TOTAL)) ||
        member == TFP_NO_ID || r->shown_at[member] == TFP_NO_ID)
        return NULL;
    device = tfp_runs_find_device(r, census->members.data[member].device);
    return device && is_metered(r, device) ? device : NULL;
}

/* When a record says how much was in use; 0 when it does not. */
static tfp_micros point_time(const tfp_runs *r, const tfp_exec *exec)
{
    switch (r->view->census->roles[exec->device].kind) {
    case TFP_EXEC_RUN: return tfp_add_sat(exec->start, exec->length);
    case TFP_EXEC_MEMORY: return exec->start;
    default: return 0;
    }
}

static bool is_done(const tfp_timeline *t, size_t round)
{
    return tfp_sink_is_done(t->trace.json.sink, round);
}

/* ---- One accelerator ---------------------------------------------------- */

typedef struct meter {
    tfp_timeline *timeline;
    const tfp_runs *runs;
    const tfp_run_device *device;
    tfp_top top;            /* who holds how much */
    tfp_trace_place counts; /* where the counter is */
    tfp_trace_place tells;  /* where the holders are told */
} meter;

static int view_order(const void *context, uint32_t a, uint32_t b)
{
    const tfp_runs *r = context;
    const tfp_exec *execs = r->step->execs.data;
    const uint32_t *by_name = r->view->census->by_name;
    uint32_t x = r->shown_at[by_name[execs[a].name]];
    uint32_t y = r->shown_at[by_name[execs[b].name]];
    return (x > y) - (x < y);
}

static void name_processes(meter *m)
{
    tfp_timeline *t = m->timeline;
    tfp_span name = tfp_model_text(t->view->model, m->device->name);
    m->counts = (tfp_trace_place){ ++t->processes, ++t->lanes, 0 };
    m->tells = (tfp_trace_place){ ++t->processes, ++t->lanes, 0 };
    tfp_trace_process(&t->trace, m->counts.process, "mem usage on:", name, "");
    tfp_trace_process(&t->trace, m->tells.process, "mem usage on:", name,
                      " allocations");
}

static void put_point(meter *m, tfp_micros at, int64_t in_use)
{
    tfp_trace *trace = &m->timeline->trace;
    m->counts.at = m->tells.at = at;
    tfp_trace_counter(trace, m->counts, "Allocated Bytes", (tfp_span){ 0 },
                      "Allocator Bytes in Use", in_use);
    if (!tfp_top_advance(&m->top, at))
        return;
    tfp_trace_open_instant(trace, m->tells, "Top Allocations");
    tfp_top_put(&m->top, &trace->json, in_use);
    tfp_trace_close_event(trace);
}

static void put_points(meter *m, const tfp_sort_item *items, size_t count)
{
    const tfp_runs *r = m->runs;
    const tfp_timeline_notes *notes = m->timeline->notes;
    tfp_micros last = 0;
    int64_t peak = 0;
    for (size_t i = 0; i < count && !is_done(m->timeline, i); i++) {
        const tfp_exec *exec = &r->step->execs.data[items[i].index];
        tfp_micros at = point_time(r, exec);
        tfp_exec_figures figures;
        if (at <= 0 || (i + 1 < count && items[i + 1].key == items[i].key))
            continue;
        tfp_exec_read(r->step, exec, &figures);
        if (figures.bytes_in_use > peak)
            peak = figures.bytes_in_use;
        if (at - last < POINT_DISTANCE)
            continue;
        if (last == 0)
            name_processes(m);
        last = at;
        put_point(m, at, figures.bytes_in_use);
    }
    if (peak > 0 && notes->on_peak)
        notes->on_peak(notes->self, m->device->name, peak);
}

static bool put_meter(tfp_timeline *t, const tfp_runs *r,
                      const tfp_run_device *device, tfp_sort_item *items,
                      size_t count)
{
    meter m = { .timeline = t, .runs = r, .device = device };
    bool ok = tfp_top_init(&m.top, r, items, count) &&
              (is_done(t, 0) || tfp_runs_sort(r, items, count, view_order, r));
    if (ok && !is_done(t, 0))
        put_points(&m, items, count);
    tfp_top_release(&m.top);
    return ok;
}

/* ---- All of them -------------------------------------------------------- */

/* Where the records of each device end in the list of all; how many. */
static uint32_t count_records(const tfp_timeline *t, const tfp_runs *r,
                              uint32_t *ends)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < r->step->execs.count && !is_done(t, i); i++) {
        tfp_run_device *device = metered_device(r, &r->step->execs.data[i]);
        if (device)
            ends[device - r->devices]++;
    }
    for (size_t d = 0; d < r->device_count; d++)
        ends[d] = sum += ends[d];
    return sum;
}

/* From the last record to the first, so that ends become starts. */
static void list_records(const tfp_timeline *t, const tfp_runs *r,
                         uint32_t *ends, tfp_sort_item *items)
{
    for (size_t i = r->step->execs.count; i-- > 0 && !is_done(t, i);) {
        const tfp_exec *exec = &r->step->execs.data[i];
        tfp_run_device *device = metered_device(r, exec);
        if (device)
            items[--ends[device - r->devices]] = (tfp_sort_item){
                tfp_sort_key_rising(point_time(r, exec)), (uint32_t)i
            };
    }
}

static bool put_meters(tfp_timeline *t, const tfp_runs *r, uint32_t *starts)
{
    size_t count, size;
    tfp_sort_item *items;
    bool ok = true;
    memset(starts, 0, (r->device_count + 1) * sizeof(*starts));
    count = count_records(t, r, starts);
    starts[r->device_count] = (uint32_t)count;
    if (count == 0 || is_done(t, 0))
        return true;
    size = count * sizeof(*items);
    items = tfp_memory_alloc(r->memory, size);
    if (!items)
        return false;
    list_records(t, r, starts, items);
    for (size_t d = 0; ok && d < r->device_count && !is_done(t, 0); d++) {
        if (starts[d] < starts[d + 1])
            ok = put_meter(t, r, &r->devices[d], items + starts[d],
                           starts[d + 1] - starts[d]);
    }
    tfp_memory_free(r->memory, items);
    return ok;
}

int tfp_timeline_memory(tfp_timeline *t, const tfp_runs *r, tfprof_error *err)
{
    size_t size = (r->device_count + 1) * sizeof(uint32_t);
    uint32_t *starts;
    bool metered = false, ok;
    for (size_t d = 0; d < r->device_count; d++)
        metered |= is_metered(r, &r->devices[d]);
    if (!metered)
        return TFPROF_OK;
    starts = tfp_memory_alloc(r->memory, size);
    ok = starts && put_meters(t, r, starts);
    tfp_memory_free(r->memory, starts);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
