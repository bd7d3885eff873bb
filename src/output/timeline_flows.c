/*
 * timeline_flows.c - an arrow for each input of each run: from the run of the
 * source that it came from.
 *
 * Records do not say which run of a node made what another one read. It is
 * taken to be the latest that had started by then; outside of loops there is
 * only one. Arrows join the runs as they were scheduled, not their kernels.
 */
#include "output/timeline_parts.h"

typedef struct flows {
    tfp_timeline *timeline;
    const tfp_runs *runs;
    size_t members;
    uint32_t *first; /* by member: its runs are items list[first[m]] to ... */
    uint32_t *list;  /* ... list[first[m + 1] - 1], by start on each device */
    int64_t count;   /* arrows so far */
} flows;

static uint32_t member_at(const tfp_runs *r, size_t item)
{
    return r->view->census->by_name[tfp_run_record(r, item)->name];
}

/* ---- The runs of each node ---------------------------------------------- */

static size_t block_size(const flows *f)
{
    return (f->members + 1 + f->runs->item_count) * sizeof(uint32_t);
}

/* Counts are summed up to ends; filling from the back turns them to starts. */
static bool list_runs(flows *f)
{
    const tfp_runs *r = f->runs;
    uint32_t sum = 0;
    f->first = tfp_memory_resize(r->memory, NULL, 0, block_size(f));
    if (!f->first)
        return false;
    f->list = f->first + f->members + 1;
    memset(f->first, 0, (f->members + 1) * sizeof(*f->first));
    for (size_t d = 0; d < r->device_count; d++) {
        const tfp_run_device *device = &r->devices[d];
        for (size_t i = device->first; device->schedules && i < device->end;
             i++)
            f->first[member_at(r, i)]++;
    }
    for (size_t m = 0; m <= f->members; m++)
        f->first[m] = sum += f->first[m];
    for (size_t d = r->device_count; d-- > 0;) {
        const tfp_run_device *device = &r->devices[d];
        for (size_t i = device->end; device->schedules && i-- > device->first;)
            f->list[--f->first[member_at(r, i)]] = (uint32_t)i;
    }
    return true;
}

/* ---- Arrows ------------------------------------------------------------- */

/* The latest run of a member that had started by then, or TFP_NO_ID. */
static uint32_t latest_run(const flows *f, uint32_t member, tfp_micros by)
{
    uint32_t low = f->first[member], high = f->first[member + 1];
    uint32_t first = low;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tfp_run_record(f->runs, f->list[middle])->start <= by)
            low = middle + 1;
        else
            high = middle;
    }
    return low > first ? f->list[low - 1] : TFP_NO_ID;
}

static const tfp_run_device *device_at(const tfp_runs *r, uint32_t item)
{
    return &r->devices[r->device_of[tfp_run_record(r, item)->device]];
}

/* An arrow leaves its slice just before it ends, for times at the very end
 * belong to what comes after, and in any case before it arrives. */
static void put_arrow(flows *f, uint32_t from, uint32_t to)
{
    const tfp_runs *r = f->runs;
    const tfp_exec *source = tfp_run_record(r, from);
    const tfp_exec *target = tfp_run_record(r, to);
    tfp_micros end = tfp_run_end(r, source);
    tfp_trace_place leaves = { device_at(r, from)->process,
                               (int64_t)r->items[from].key, source->start };
    tfp_trace_place arrives = { device_at(r, to)->process,
                                (int64_t)r->items[to].key, target->start };
    if (source->start > target->start)
        return;
    if (end > source->start)
        leaves.at = end - 1 < target->start ? end - 1 : target->start;
    tfp_trace_flow(&f->timeline->trace, ++f->count, leaves, arrives);
}

static void put_arrows_to(flows *f, uint32_t item)
{
    const tfp_view *v = f->runs->view;
    const tfp_exec *exec = tfp_run_record(f->runs, item);
    uint32_t member = v->census->by_name[exec->name];
    tfp_node node = v->census->members.data[member].node;
    const tfp_edge *edges;
    size_t count;
    if (node == TFP_NO_NODE)
        return;
    edges = tfp_node_inputs(&v->model->nodes, node, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t source, from;
        if (edges[i].source == TFP_NO_NODE || edges[i].output == TFP_CONTROL)
            continue;
        source = v->census->by_name[v->model->nodes.name[edges[i].source]];
        from = source == TFP_NO_ID ? TFP_NO_ID
                                   : latest_run(f, source, exec->start);
        if (from != TFP_NO_ID && from != item)
            put_arrow(f, from, item);
    }
}

int tfp_timeline_flows(tfp_timeline *t, const tfp_runs *r, tfprof_error *err)
{
    flows f = { .timeline = t,
                .runs = r,
                .members = r->view->census->members.count };
    if (r->item_count == 0)
        return TFPROF_OK;
    if (!list_runs(&f))
        return tfp_fail_nomem(err);
    for (size_t d = 0; d < r->device_count; d++) {
        const tfp_run_device *device = &r->devices[d];
        for (uint32_t i = device->first; device->schedules && i < device->end;
             i++)
            put_arrows_to(&f, i);
    }
    tfp_memory_free(r->memory, f.first, block_size(&f));
    return TFPROF_OK;
}
