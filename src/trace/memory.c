/*
 * memory.c - allocations on a host.
 *
 * TensorFlow names the operation that allocates. JAX does not; then it is the
 * operation around the event on its thread, else the function of JAX, else
 * what the thread did.
 */
#include "trace/memory.h"

#include "model/trace_events.h"

#include "base/error.h"

#include <stdio.h>

#include "base/bytes.h"
#include "model/model.h"
#include "trace/loading.h"
#include "trace/op_name.h"
#include "trace/singles.h"

bool tfp_trace_memory_init(tfp_trace_memory *m, tfp_model *model, uint64_t seed)
{
    *m = (tfp_trace_memory){ .memory = model->memory };
    if (!(model->gathers & TFP_GATHER_MEMORY))
        return true;
    m->model = model;
    return tfp_interner_init(&m->kinds, m->memory, 4, seed) &&
           tfp_interner_init(&m->names, m->memory, 1, seed);
}

void tfp_trace_memory_release(tfp_trace_memory *m)
{
    if (!m->memory)
        return;
    for (size_t i = 0; i < m->allocators.count; i++)
        TFP_VEC_RELEASE(m->memory, &m->allocators.data[i].events);
    TFP_VEC_RELEASE(m->memory, &m->allocators);
    TFP_VEC_RELEASE(m->memory, &m->open);
    TFP_VEC_RELEASE(m->memory, &m->text);
    tfp_interner_release(&m->kinds);
    tfp_interner_release(&m->names);
}

/* ---- What is open ------------------------------------------------------- */

static void close_before(tfp_trace_memory *m, int64_t begin)
{
    while (m->open.count > 0 && m->open.data[m->open.count - 1].end < begin)
        m->open.count--;
}

static tfp_open_event innermost(const tfp_trace_memory *m)
{
    return m->open.count > 0 ? m->open.data[m->open.count - 1]
                             : (tfp_open_event){ 0 };
}

static const char function_call[] = "PjitFunction(";

/* Functions of Python are open all the time and tell little. */
static bool is_python(tfp_span name)
{
    return tfp_span_starts(name, "$");
}

static bool open_event(tfp_trace_memory *m, const tfp_event *event,
                       tfp_string node)
{
    tfp_open_event open = innermost(m);
    if (event->length == 0 || event->is_aggregated || !event->type)
        return true;
    open.end = tfp_event_end(event);
    if (node)
        open.node = node;
    if (tfp_span_starts(event->type->name, function_call))
        open.function = event->type;
    if (!is_python(event->type->name))
        open.event = event->type;
    return TFP_VEC_PUSH(m->memory, &m->open, open);
}

/* ---- Whose it is -------------------------------------------------------- */

static tfp_string string_of(tfp_trace_memory *m, tfp_span text)
{
    return tfp_model_string(m->model, text);
}

static bool put(tfp_trace_memory *m, tfp_span text)
{
    if (!TFP_VEC_RESERVE(m->memory, &m->text, text.size))
        return false;
    if (text.size > 0)
        memcpy(m->text.data + m->text.count, text.data, text.size);
    m->text.count += text.size;
    return true;
}

/* Some writers put in the word for nothing. */
static tfp_span told(const tfp_stats *stats, tfp_known_stat known)
{
    tfp_span text = tfp_stats_text(stats, known);
    return tfp_span_is(text, "(null)") ? (tfp_span){ 0 } : text;
}

/* The operation as the allocator names it, with or without a type. Only JAX
 * has the type in the name. */
static bool name_op(tfp_trace_memory *m, tfp_span text, tfp_live_kind *kind)
{
    tfp_op_name op;
    m->text.count = 0;
    if (!put(m, text) ||
        (tfp_span_find(text, "jit(") && !memchr(text.data, ':', text.size) &&
         !put(m, tfp_span_of(":"))))
        return false;
    op = tfp_op_name_parse((tfp_span){ m->text.data, m->text.count });
    if (op.sort == TFP_NAMED_NONE)
        op = (tfp_op_name){ .name = text };
    kind->holder = TFP_HOLDER_NODE;
    kind->name = string_of(m, op.name);
    kind->type = string_of(m, op.type);
    return kind->name != TFP_NO_ID && kind->type != TFP_NO_ID;
}

/* "PjitFunction(f)" calls what operations have as "jit(f)". */
static bool name_function(tfp_trace_memory *m, tfp_span call,
                          tfp_live_kind *kind)
{
    size_t start = sizeof(function_call) - 2; /* of the bracket */
    tfp_span rest = { call.data + start, call.size - start };
    m->text.count = 0;
    if (!put(m, tfp_span_of("jit")) || !put(m, rest))
        return false;
    kind->holder = TFP_HOLDER_FUNCTION;
    kind->name = string_of(m, (tfp_span){ m->text.data, m->text.count });
    return kind->name != TFP_NO_ID;
}

static bool name_holder(tfp_trace_memory *m, const tfp_event *event,
                        tfp_live_kind *kind)
{
    tfp_open_event open = innermost(m);
    tfp_span op = told(&event->stats, TFP_KNOWN_TF_OP);
    if (op.size > 0)
        return name_op(m, op, kind);
    if (open.node) {
        kind->holder = TFP_HOLDER_NODE;
        kind->name = open.node;
        return true;
    }
    if (open.function)
        return name_function(m, open.function->name, kind);
    if (!open.event || open.event->name.size == 0)
        return true;
    kind->holder = TFP_HOLDER_EVENT;
    kind->name = string_of(m, open.event->name);
    return kind->name != TFP_NO_ID;
}

static uint32_t kind_of(tfp_trace_memory *m, const tfp_event *event)
{
    tfp_live_kind kind = { 0 };
    int64_t dtype = 0;
    if (!name_holder(m, event, &kind))
        return TFP_NO_ID;
    if (tfp_stats_number(&event->stats, TFP_KNOWN_DATA_TYPE, &dtype) &&
        dtype > 0 && dtype <= INT32_MAX)
        kind.dtype = (int32_t)dtype;
    kind.region = string_of(m, told(&event->stats, TFP_KNOWN_REGION_TYPE));
    kind.dims = string_of(m, told(&event->stats, TFP_KNOWN_SHAPE));
    if (kind.region == TFP_NO_ID || kind.dims == TFP_NO_ID)
        return TFP_NO_ID;
    return tfp_pool_kind(&m->kinds, &kind);
}

/* ---- Allocations -------------------------------------------------------- */

/* The allocator of an event, by name or by the number of its device. NULL when
 * out of memory. */
static tfp_allocator *allocator_of(tfp_trace_memory *m, const tfp_stats *stats)
{
    tfp_span name = tfp_stats_text(stats, TFP_KNOWN_ALLOCATOR);
    char digits[32];
    int64_t number;
    uint32_t item;
    if (name.size == 0 &&
        (tfp_stats_number(stats, TFP_KNOWN_INDEX_ON_HOST, &number) ||
         tfp_stats_number(stats, TFP_KNOWN_DEVICE_ORDINAL, &number))) {
        snprintf(digits, sizeof(digits), "%lld", (long long)number);
        name = tfp_span_of(digits);
    }
    item = tfp_intern(&m->names, name);
    if (item == TFP_NO_ID)
        return NULL;
    while (m->allocators.count <= item) {
        if (!TFP_VEC_PUSH(m->memory, &m->allocators, (tfp_allocator){ 0 }))
            return NULL;
    }
    return &m->allocators.data[item];
}

static void note_largest(int64_t *largest, int64_t value)
{
    if (value > *largest)
        *largest = value;
}

/* What the allocator says about itself. */
static void read_level(tfp_allocator *allocator, const tfp_stats *stats,
                       tfp_pool_event *e)
{
    int64_t allocated = 0, available, peak;
    bool has_reserved = tfp_stats_number(stats, TFP_KNOWN_BYTES_RESERVED,
                                         &e->reserved);
    if (tfp_stats_number(stats, TFP_KNOWN_BYTES_ALLOCATED, &allocated) ||
        has_reserved) {
        e->level = tfp_add_sat(allocated, e->reserved);
        if (e->level == TFP_LEVEL_UNTOLD)
            e->level++;
        if (tfp_stats_number(stats, TFP_KNOWN_BYTES_AVAILABLE, &available))
            note_largest(&allocator->capacity,
                         tfp_add_sat(e->level, available));
    }
    if (tfp_stats_number(stats, TFP_KNOWN_PEAK_BYTES, &peak))
        note_largest(&allocator->reported_peak, peak);
}

static bool add_allocation(tfp_trace_memory *m, const tfp_event *event,
                           bool is_free, uint32_t mark)
{
    const tfp_stats *stats = &event->stats;
    tfp_allocator *allocator = allocator_of(m, stats);
    tfp_pool_event e = { .at = event->begin,
                         .level = TFP_LEVEL_UNTOLD,
                         .is_free = is_free,
                         .mark = mark };
    int64_t address;
    uint32_t kind = 0;
    if (!allocator || allocator->events.count >= TFP_NO_ID)
        return false;
    read_level(allocator, stats, &e);
    (void)tfp_stats_number(stats, TFP_KNOWN_ALLOCATION_BYTES, &e.bytes);
    (void)tfp_stats_number(stats, TFP_KNOWN_REQUESTED_BYTES, &e.requested);
    if (tfp_stats_number(stats, TFP_KNOWN_ADDRESS, &address)) {
        e.address = (uint64_t)address;
        e.has_address = 1;
    }
    if (!is_free || !e.has_address)
        kind = kind_of(m, event);
    if (kind == TFP_NO_ID)
        return false;
    e.kind = kind & TFP_POOL_MOST_KINDS;
    return TFP_VEC_PUSH(m->memory, &allocator->events, e);
}

bool tfp_trace_memory_add(tfp_trace_memory *m, const tfp_event *event,
                          tfp_string node, uint32_t mark)
{
    close_before(m, event->begin);
    if (event->type && tfp_span_is(event->type->name, "MemoryAllocation"))
        return add_allocation(m, event, false, mark);
    if (event->type && tfp_span_is(event->type->name, "MemoryDeallocation"))
        return add_allocation(m, event, true, mark);
    return open_event(m, event, node);
}

/* ---- Pools -------------------------------------------------------------- */

/* The step of an allocation, by its mark. */
static bool find_step(const tfp_loading *l, const tfp_pool_event *event,
                      int64_t *step)
{
    uint32_t group;
    if (l->states_groups) {
        *step = event->mark;
        return event->mark != TFP_NO_ID;
    }
    group = tfp_groups_of(&l->groups, event->mark);
    if (group == TFP_NO_ID)
        group = tfp_groups_at(&l->groups, event->at);
    if (group >= l->step_of_group.count)
        return false;
    *step = l->steps.data[l->step_of_group.data[group]];
    return true;
}

/* What on_level() of a pool knows. */
typedef struct level_state {
    tfp_loading *l;
    tfp_string allocator;
} level_state;

static int give_level(void *self, const tfp_pool_event *event, int64_t bytes,
                      tfprof_error *err)
{
    const level_state *s = self;
    const tfp_event_taker *taker = s->l->request->taker;
    tfp_memory_level level = { .allocator = s->allocator,
                               .at = event->at,
                               .bytes = bytes };
    if (!find_step(s->l, event, &level.step))
        level.step = s->l->rest;
    return taker->level(taker->self, &level, err);
}

static int add_pool(tfp_loading *l, uint32_t number, tfp_string host,
                    tfprof_error *err)
{
    tfp_trace_memory *m = &l->allocations;
    tfp_allocator *allocator = &m->allocators.data[number];
    tfp_pool_request request = { .events = allocator->events.data,
                                 .count = allocator->events.count,
                                 .kinds = &m->kinds,
                                 .cancel = l->request->cancel,
                                 .finds_peaks = m->model->gathers &
                                                TFP_GATHER_PEAKS };
    tfp_pool pool = { .source = TFP_POOL_TRACE,
                      .place = host,
                      .capacity = allocator->capacity,
                      .reported_peak = allocator->reported_peak };
    level_state levels = { .l = l };
    size_t peak;
    int status = TFPROF_OK;
    if (request.count == 0)
        return TFPROF_OK;
    pool.name = string_of(m, tfp_interned(&m->names, number));
    if (pool.name == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (tfp_singles_are_wanted(l)) {
        levels.allocator = pool.name;
        request.on_level = give_level;
        request.self = &levels;
    }
    status = tfp_pool_find(&pool, m->memory, &request, &peak, err);
    if (status == TFPROF_OK) {
        pool.has_step = find_step(l, &request.events[peak], &pool.step);
        if (!tfp_model_add_pool(m->model, &pool))
            status = tfp_fail_nomem(err);
    }
    if (status != TFPROF_OK)
        tfp_pool_release(&pool, m->memory);
    TFP_VEC_RELEASE(m->memory, &allocator->events);
    return status;
}

int tfp_loading_add_pools(tfp_loading *l, tfprof_error *err)
{
    tfp_trace_memory *m = &l->allocations;
    tfp_span name = { l->space->host.data, l->space->host.count };
    tfp_string host;
    int status = TFPROF_OK;
    if (!tfp_trace_memory_gathers(m))
        return TFPROF_OK;
    host = string_of(m, name);
    if (host == TFP_NO_ID)
        return tfp_fail_nomem(err);
    for (uint32_t i = 0; i < m->allocators.count && status == TFPROF_OK; i++)
        status = add_pool(l, i, host, err);
    return status;
}
