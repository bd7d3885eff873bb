/*
 * pools_estimate.c - pools of devices whose RunMetadata has no records of
 * allocations: estimated from the sizes and lifetimes of outputs.
 *
 * An output lives from the start of its node to the end of the last node that
 * reads it in the step. If the graph has no reader, it lives to the end of the
 * step, since it was probably fetched; so does one whose node no graph has. A
 * node that runs again, as in a loop, writes its outputs anew: a reader reads
 * those of the last run before it. Variables and constants live for the whole
 * step.
 *
 * Two outputs at one address at the same time are one block: TensorFlow passes
 * buffers on. It belongs to the node that had it first.
 *
 * What a node allocates besides its outputs is not known here.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/pools_parts.h"

/* A run of a node. */
typedef struct run {
    tfp_string name, device;
    tfp_node node;
    tfp_micros start, end;
    tfp_micros read_until; /* when it is not known which output is read */
    uint32_t exec;         /* index into the records of the step */
    uint32_t first_output, output_count;
} run;

/* An output, and then the block that it is in. */
typedef struct block {
    tfp_micros start, end; /* `end` 0: nobody reads it */
    int64_t bytes;
    uint64_t address;
    tfp_string device;
    uint32_t run;
    uint32_t kind;
    bool is_open;       /* no graph tells who reads it */
    bool is_persistent; /* it is there before and after the step */
} block;

typedef struct estimate {
    tfp_pool_maker *m;
    const tfp_nodes *nodes;
    uint8_t *is_read; /* by node: it has readers in the graph */
    uint32_t step;
    TFP_VEC(run) runs;         /* of the step, by name, then by start */
    TFP_VEC(uint32_t) by_name; /* by tfp_string: its first run, plus 1 */
    TFP_VEC(block) blocks;
    TFP_VEC(tfp_sort_item) items;
    uint64_t work, most_work; /* edges looked at */
} estimate;

static bool ends(estimate *e)
{
    return tfp_watch_ends(&e->m->watch);
}

/* Sorts e->items, which have room for twice as many. */
static bool sort_items(estimate *e, tfp_sort_tie *tie, const void *context)
{
    bool ok = tfp_sort_until(e->items.data, e->items.count,
                             e->items.data + e->items.count, tie, context,
                             e->m->watch.cancel);
    e->m->watch.cancelled |= !ok;
    return ok;
}

static bool reserve_items(estimate *e, size_t count)
{
    e->items.count = 0;
    return TFP_VEC_RESERVE(e->m->memory, &e->items, 2 * count + 1);
}

/* ---- Runs --------------------------------------------------------------- */

/* Streams and copies of a device repeat what its nodes did. */
static bool is_plain(tfp_span device)
{
    return !tfp_span_find(device, "/stream:") &&
           !tfp_span_find(device, "/memcpy");
}

static bool is_estimated(estimate *e, const tfp_device *device, bool *failed)
{
    tfp_step_place *place;
    if (device->kind != TFP_EXEC_RUN ||
        !is_plain(tfp_model_text(e->m->model, device->name)))
        return false;
    place = tfp_pool_place(e->m, device->name, device->step);
    *failed |= place == NULL;
    return place && !place->has_records;
}

static int by_start(const void *context, uint32_t a, uint32_t b)
{
    const tfp_exec *execs = context;
    return (execs[a].start > execs[b].start) -
           (execs[a].start < execs[b].start);
}

/* All runs that are timed, on any device: readers may be elsewhere. */
static bool list_runs(estimate *e)
{
    const tfp_model *model = e->m->model;
    const tfp_step *step = &model->steps.data[e->step];
    if (!reserve_items(e, step->execs.count) ||
        !TFP_VEC_RESERVE(e->m->memory, &e->runs, step->execs.count))
        return false;
    for (size_t i = 0; i < step->execs.count; i++) {
        const tfp_exec *exec = &step->execs.data[i];
        const tfp_device *device = &model->devices.data[exec->device];
        if (ends(e))
            return false;
        if (device->kind == TFP_EXEC_RUN && exec->start > 0 &&
            is_plain(tfp_model_text(model, device->name)))
            e->items.data[e->items.count++] = (tfp_sort_item){ exec->name,
                                                               (uint32_t)i };
    }
    if (!sort_items(e, by_start, step->execs.data))
        return false;
    for (size_t i = 0; i < e->items.count; i++) {
        const tfp_exec *exec = &step->execs.data[e->items.data[i].index];
        int64_t length = tfp_exec_time(exec, TFP_EXEC_RUN);
        run r = { .name = exec->name,
                  .device = model->devices.data[exec->device].name,
                  .node = tfp_model_find_node(model, exec->name),
                  .start = exec->start,
                  .exec = e->items.data[i].index };
        r.end = tfp_add_sat(exec->start, length > 0 ? length : 1);
        if (e->by_name.data[r.name] == 0)
            e->by_name.data[r.name] = (uint32_t)e->runs.count + 1;
        e->runs.data[e->runs.count++] = r;
    }
    return true;
}

/* ---- Outputs ------------------------------------------------------------ */

static bool add_outputs(estimate *e, uint32_t number, const tfp_step *step)
{
    run *r = &e->runs.data[number];
    tfp_exec_figures figures;
    tfp_exec_output output;
    tfp_detail_reader reader = tfp_exec_read(step, &step->execs.data[r->exec],
                                             &figures);
    r->first_output = (uint32_t)e->blocks.count;
    while (tfp_detail_next_output(&reader, &output)) {
        tfp_live_kind kind = { .name = r->name,
                               .shape = output.shape,
                               .dtype = output.dtype,
                               .holder = r->name ? TFP_HOLDER_NODE
                                                 : TFP_HOLDER_UNKNOWN };
        block b = { .start = r->start,
                    .bytes = output.bytes,
                    .address = output.address,
                    .device = r->device,
                    .run = number };
        /* A place in this list stands for the number of an output. */
        if ((size_t)output.slot != e->blocks.count - r->first_output)
            b.end = -1;
        b.kind = tfp_pool_kind(&e->m->kinds, &kind);
        if (b.kind == TFP_NO_ID || e->blocks.count >= TFP_NO_ID ||
            !TFP_VEC_PUSH(e->m->memory, &e->blocks, b))
            return false;
    }
    r->output_count = (uint32_t)(e->blocks.count - r->first_output);
    return true;
}

static bool list_outputs(estimate *e)
{
    const tfp_model *model = e->m->model;
    const tfp_step *step = &model->steps.data[e->step];
    bool failed = false;
    for (size_t i = 0; i < e->runs.count; i++) {
        const tfp_exec *exec = &step->execs.data[e->runs.data[i].exec];
        if (ends(e))
            return false;
        if (is_estimated(e, &model->devices.data[exec->device], &failed) &&
            !add_outputs(e, (uint32_t)i, step))
            return false;
        if (failed)
            return false;
    }
    return true;
}

/* ---- Readers ------------------------------------------------------------ */

/* The last run of that name that starts no later than `start`, or NULL. */
static run *run_before(const estimate *e, tfp_string name, tfp_micros start)
{
    size_t low = e->by_name.data[name], high = e->runs.count;
    if (low == 0 || e->runs.data[low - 1].start > start)
        return NULL;
    low--;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        const run *r = &e->runs.data[middle];
        if (r->name == name && r->start <= start)
            low = middle;
        else
            high = middle;
    }
    return &e->runs.data[low];
}

static void read_output(estimate *e, const tfp_edge *edge, const run *reader)
{
    run *source;
    if (edge->source == TFP_NO_NODE || edge->output == TFP_CONTROL)
        return;
    source = run_before(e, e->nodes->name[edge->source], reader->start);
    if (!source)
        return;
    if ((uint32_t)edge->output < source->output_count) {
        block *b =
            &e->blocks.data[source->first_output + (uint32_t)edge->output];
        if (b->end >= 0) {
            if (reader->end > b->end)
                b->end = reader->end;
            return;
        }
    }
    if (reader->end > source->read_until)
        source->read_until = reader->end;
}

/* A node with many inputs may run many times. Past a bound, which no loop of a
 * model comes near, only its last run reads. */
static bool read_inputs(estimate *e)
{
    for (size_t i = 0; i < e->runs.count; i++) {
        const run *r = &e->runs.data[i];
        bool is_last = i + 1 == e->runs.count ||
                       e->runs.data[i + 1].name != r->name;
        const tfp_edge *inputs;
        size_t count;
        if (r->node == TFP_NO_NODE || (!is_last && e->work > e->most_work))
            continue;
        inputs = tfp_node_inputs(e->nodes, r->node, &count);
        e->work += count;
        for (size_t k = 0; k < count; k++) {
            read_output(e, &inputs[k], r);
            if (ends(e))
                return false;
        }
    }
    return true;
}

/* ---- Lifetimes ---------------------------------------------------------- */

/* Holds its memory before the step and after it. */
static bool is_persistent(const estimate *e, tfp_node node)
{
    static const char *const ops[] = { "Const",       "Variable",
                                       "VariableV2",  "AutoReloadVariable",
                                       "VarHandleOp", "ReadVariableOp" };
    tfp_span op = tfp_model_text(e->m->model, e->nodes->op[node]);
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        if (tfp_span_is(op, ops[i]))
            return true;
    }
    return false;
}

static void set_lifetimes(estimate *e)
{
    const tfp_step *step = &e->m->model->steps.data[e->step];
    for (size_t i = 0; i < e->blocks.count; i++) {
        block *b = &e->blocks.data[i];
        const run *r = &e->runs.data[b->run];
        bool is_known = r->node != TFP_NO_NODE;
        if (r->read_until > b->end)
            b->end = r->read_until;
        if (b->end < r->end)
            b->end = r->end;
        b->is_open = !is_known;
        if (!is_known || !e->is_read[r->node])
            b->end = step->last_end;
        if (is_known && is_persistent(e, r->node)) {
            b->is_persistent = true;
            b->start = step->first_start;
            b->end = step->last_end;
        }
        if (b->end <= b->start)
            b->end = tfp_add_sat(b->start, 1);
    }
}

static int by_place(const void *context, uint32_t a, uint32_t b)
{
    const block *blocks = context;
    const block *x = &blocks[a], *y = &blocks[b];
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* Outputs that share a block count once: the others become empty. */
static bool merge_blocks(estimate *e)
{
    block *last = NULL;
    if (!reserve_items(e, e->blocks.count))
        return false;
    for (size_t i = 0; i < e->blocks.count; i++) {
        if (e->blocks.data[i].address != 0)
            e->items.data[e->items.count++] = (tfp_sort_item){
                e->blocks.data[i].address, (uint32_t)i
            };
    }
    if (!sort_items(e, by_place, e->blocks.data))
        return false;
    for (size_t i = 0; i < e->items.count; i++) {
        block *b = &e->blocks.data[e->items.data[i].index];
        if (last && last->address == b->address && last->device == b->device &&
            b->start < last->end) {
            last->end = b->end > last->end ? b->end : last->end;
            last->bytes = b->bytes > last->bytes ? b->bytes : last->bytes;
            last->is_open |= b->is_open;
            last->is_persistent |= b->is_persistent;
            b->bytes = 0;
        } else {
            last = b;
        }
    }
    return true;
}

/* ---- Pools -------------------------------------------------------------- */

static bool add_event(estimate *e, const block *b, bool is_free)
{
    const tfp_step *step = &e->m->model->steps.data[e->step];
    tfp_pool_event event = { .at = tfp_pool_time(step->first_start,
                                                 is_free ? b->end : b->start),
                             .bytes = b->bytes,
                             .level = TFP_LEVEL_UNTOLD,
                             .kind = b->kind & TFP_POOL_MOST_KINDS,
                             .is_free = is_free };
    return e->m->events.count < TFP_NO_ID &&
           TFP_VEC_PUSH(e->m->memory, &e->m->events, event);
}

/* What ends at a time goes before what begins then. */
static int make_pool(estimate *e, const tfp_sort_item *items, size_t count,
                     tfprof_error *err)
{
    tfp_string device = e->blocks.data[items[0].index].device;
    tfp_step_place *place = tfp_pool_place(e->m, device, e->step);
    tfp_pool pool = { .source = TFP_POOL_ESTIMATE,
                      .place = device,
                      .step = e->m->model->steps.data[e->step].id,
                      .has_step = true };
    if (!place)
        return tfp_fail_nomem(err);
    pool.reported_peak = place->reported;
    for (int is_free = 1; is_free >= 0; is_free--) {
        for (size_t i = 0; i < count; i++) {
            const block *b = &e->blocks.data[items[i].index];
            if (!add_event(e, b, is_free != 0))
                return tfp_fail_nomem(err);
            pool.open_outputs += is_free && b->is_open;
            if (is_free && b->is_persistent)
                pool.persistent = tfp_add_sat(pool.persistent, b->bytes);
        }
    }
    return tfp_pool_make(e->m, pool, err);
}

static int make_pools(estimate *e, tfprof_error *err)
{
    size_t start = 0;
    int status = TFPROF_OK;
    if (!reserve_items(e, e->blocks.count))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < e->blocks.count; i++) {
        if (e->blocks.data[i].bytes > 0)
            e->items.data[e->items.count++] = (tfp_sort_item){
                e->blocks.data[i].device, (uint32_t)i
            };
    }
    if (!sort_items(e, NULL, NULL))
        return tfp_fail_cancelled(err);
    for (size_t i = 0; i < e->items.count && status == TFPROF_OK; i++) {
        const tfp_sort_item *items = e->items.data;
        if (i + 1 < e->items.count && items[i + 1].key == items[i].key)
            continue;
        status = make_pool(e, items + start, i + 1 - start, err);
        start = i + 1;
    }
    return status;
}

static int estimate_step(estimate *e, tfprof_error *err)
{
    int status = TFPROF_OK;
    e->runs.count = e->blocks.count = 0;
    if (!list_runs(e) || !list_outputs(e) ||
        (e->blocks.count > 0 && !read_inputs(e)))
        status = e->m->watch.cancelled ? tfp_fail_cancelled(err)
                                       : tfp_fail_nomem(err);
    for (size_t i = 0; i < e->runs.count; i++) /* for the next step */
        e->by_name.data[e->runs.data[i].name] = 0;
    if (status != TFPROF_OK)
        return status;
    set_lifetimes(e);
    if (!merge_blocks(e))
        return e->m->watch.cancelled ? tfp_fail_cancelled(err)
                                     : tfp_fail_nomem(err);
    return make_pools(e, err);
}

/* ---- All steps ---------------------------------------------------------- */

static bool begin(estimate *e)
{
    const tfp_model *model = e->m->model;
    size_t names = tfp_interner_count(&model->strings), records = 0;
    e->is_read = tfp_memory_zarray(e->m->memory, e->nodes->count + 1,
                                   sizeof(*e->is_read));
    if (!e->is_read || !TFP_VEC_RESERVE(e->m->memory, &e->by_name, names))
        return false;
    memset(e->by_name.data, 0, names * sizeof(*e->by_name.data));
    e->by_name.count = names;
    for (size_t i = 0; i < e->nodes->edges.count; i++) {
        const tfp_edge *edge = &e->nodes->edges.data[i];
        if (edge->source != TFP_NO_NODE && edge->output != TFP_CONTROL)
            e->is_read[edge->source] = 1;
    }
    for (size_t i = 0; i < model->steps.count; i++)
        records += model->steps.data[i].execs.count;
    e->most_work = 16 * ((uint64_t)records + e->nodes->edges.count);
    return true;
}

int tfp_pools_estimate(tfp_pool_maker *m, tfprof_error *err)
{
    estimate e = { .m = m, .nodes = &m->model->nodes };
    int status = begin(&e) ? TFPROF_OK : tfp_fail_nomem(err);
    for (size_t i = 0; i < m->model->steps.count && status == TFPROF_OK; i++) {
        e.step = (uint32_t)i;
        if (tfp_pool_wants(m, e.step))
            status = estimate_step(&e, err);
    }
    tfp_memory_free(m->memory, e.is_read);
    TFP_VEC_RELEASE(m->memory, &e.runs);
    TFP_VEC_RELEASE(m->memory, &e.by_name);
    TFP_VEC_RELEASE(m->memory, &e.blocks);
    TFP_VEC_RELEASE(m->memory, &e.items);
    return status;
}
