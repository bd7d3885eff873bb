/*
 * timeline_flows.c - an arrow for each input of each run: from the run of the
 * source that it came from.
 *
 * Records do not say which run of a node made what another one read. It is
 * taken to be the latest that had started by then; outside of loops there is
 * only one. Arrows join the runs as they were scheduled, not their kernels.
 *
 * A node of many inputs that runs often would have more arrows than any viewer
 * can draw: n inputs and n runs in a small file have n^2. So no more than
 * -max_arrows inputs are looked at, those of the longest runs first.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/steps.h"
#include "output/timeline/timeline_parts.h"

typedef struct flows {
    tfp_timeline *timeline;
    const tfp_runs *runs;
    size_t members;
    uint32_t *first;   /* by member: its runs are items list[first[m]] to ... */
    uint32_t *list;    /* ... list[first[m + 1] - 1], by start on each device */
    size_t *inputs;    /* by member: it reads sources[inputs[m]] to ... */
    uint32_t *sources; /* ... sources[inputs[m + 1] - 1]: members that ran;
                          none for one that did not run */
    int64_t count;     /* arrows so far */
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
    f->first = tfp_memory_alloc(r->memory, block_size(f));
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

static bool has_runs(const flows *f, uint32_t member)
{
    return f->first[member] < f->first[member + 1];
}

/* Inputs that only order, or whose source did not run, have no arrow. How many
 * others there are; `sources`, if it is given, gets them. */
static size_t list_inputs_of(const flows *f, uint32_t member, uint32_t *sources)
{
    const tfp_view *v = f->runs->view;
    tfp_node node = v->census->members.data[member].node;
    const tfp_edge *edges;
    size_t count, found = 0;
    if (node == TFP_NO_NODE || !has_runs(f, member))
        return 0;
    edges = tfp_node_inputs(&v->model->nodes, node, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t source;
        if (edges[i].source == TFP_NO_NODE || edges[i].output == TFP_CONTROL)
            continue;
        source = v->census->by_name[v->model->nodes.name[edges[i].source]];
        if (source == TFP_NO_ID || !has_runs(f, source))
            continue;
        if (sources)
            sources[found] = source;
        found++;
    }
    return found;
}

static size_t inputs_size(const flows *f)
{
    return (f->members + 1) * sizeof(*f->inputs);
}

static size_t sources_size(const flows *f)
{
    return f->inputs[f->members] * sizeof(*f->sources);
}

static bool list_inputs(flows *f)
{
    tfp_sink *sink = f->timeline->trace.json.sink;
    f->inputs = tfp_memory_alloc(f->runs->memory, inputs_size(f));
    if (!f->inputs)
        return false;
    f->inputs[0] = 0;
    for (uint32_t m = 0; m < f->members; m++) {
        size_t found = tfp_sink_is_done(sink, m) ? 0
                                                 : list_inputs_of(f, m, NULL);
        f->inputs[m + 1] = f->inputs[m] + found;
    }
    if (sources_size(f) == 0)
        return true;
    f->sources = tfp_memory_alloc(f->runs->memory, sources_size(f));
    for (uint32_t m = 0;
         f->sources && m < f->members && !tfp_sink_is_done(sink, m); m++)
        list_inputs_of(f, m, f->sources + f->inputs[m]);
    return f->sources != NULL;
}

static int64_t input_count(const flows *f, uint32_t item)
{
    uint32_t member = member_at(f->runs, item);
    return (int64_t)(f->inputs[member + 1] - f->inputs[member]);
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
    tfp_trace_flow(&f->timeline->trace, TFP_FLOW_DATA, ++f->count, leaves,
                   arrives);
}

/* For at most `most` inputs of a run; how many those are. */
static int64_t put_arrows_to(flows *f, uint32_t item, int64_t most)
{
    const tfp_exec *exec = tfp_run_record(f->runs, item);
    size_t first = f->inputs[member_at(f->runs, item)];
    int64_t count = input_count(f, item);
    if (count > most)
        count = most;
    for (int64_t i = 0; i < count && !f->timeline->trace.json.sink->failed;
         i++) {
        uint32_t from = latest_run(f, f->sources[first + (size_t)i],
                                   exec->start);
        if (from != TFP_NO_ID && from != item)
            put_arrow(f, from, item);
    }
    return count;
}

/* ---- Which of them ------------------------------------------------------ */

/* The next run after `item` that may have arrows, in the order of the slices;
 * TFP_NO_ID at the end. Starts with TFP_NO_ID. */
static uint32_t next_run(const flows *f, uint32_t item)
{
    const tfp_runs *r = f->runs;
    for (item++; item < r->item_count; item++) {
        if (device_at(r, item)->schedules && input_count(f, item) > 0)
            return item;
    }
    return TFP_NO_ID;
}

/* How many runs have inputs, and how many of these all of them have. */
static size_t count_inputs(const flows *f, int64_t *inputs)
{
    size_t count = 0;
    *inputs = 0;
    for (uint32_t i = TFP_NO_ID; (i = next_run(f, i)) != TFP_NO_ID; count++)
        *inputs = tfp_add_sat(*inputs, input_count(f, i));
    return count;
}

static void put_all(flows *f)
{
    tfp_sink *sink = f->timeline->trace.json.sink;
    for (uint32_t i = TFP_NO_ID;
         (i = next_run(f, i)) != TFP_NO_ID && !tfp_sink_is_done(sink, i);)
        put_arrows_to(f, i, INT64_MAX);
}

/* Those to the longest runs, and to the first of runs as long. */
static bool put_longest(flows *f, size_t runs, int64_t most)
{
    const tfp_runs *r = f->runs;
    tfp_sink *sink = f->timeline->trace.json.sink;
    size_t size, count = 0;
    tfp_sort_item *items;
    bool ok;
    if (!tfp_mul_size(runs, sizeof(*items), &size))
        return false;
    items = tfp_memory_alloc(r->memory, size);
    if (!items)
        return false;
    for (uint32_t i = TFP_NO_ID; (i = next_run(f, i)) != TFP_NO_ID;)
        items[count++] = (tfp_sort_item){
            tfp_sort_key_falling(tfp_run_time(r, tfp_run_record(r, i))), i
        };
    ok = tfp_runs_sort(r, items, count, NULL, NULL);
    for (size_t i = 0;
         ok && i < count && most > 0 && !tfp_sink_is_done(sink, i); i++)
        most -= put_arrows_to(f, items[i].index, most);
    tfp_memory_free(r->memory, items);
    return ok;
}

static bool put_arrows(flows *f)
{
    tfp_timeline_notes *notes = f->timeline->notes;
    int64_t inputs, most = f->runs->view->options->max_arrows;
    size_t runs = count_inputs(f, &inputs);
    if (inputs > most) {
        notes->no_arrows = tfp_add_sat(notes->no_arrows, inputs - most);
        return put_longest(f, runs, most);
    }
    put_all(f);
    return true;
}

int tfp_timeline_flows(tfp_timeline *t, const tfp_runs *r, tfprof_error *err)
{
    flows f = { .timeline = t,
                .runs = r,
                .members = r->view->census->members.count };
    bool ok;
    if (r->item_count == 0)
        return TFPROF_OK;
    ok = list_runs(&f) && list_inputs(&f) &&
         (tfp_sink_is_done(t->trace.json.sink, 0) || put_arrows(&f));
    tfp_memory_free(r->memory, f.sources);
    tfp_memory_free(r->memory, f.first);
    tfp_memory_free(r->memory, f.inputs);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
