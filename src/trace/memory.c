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

/* A node of the trace. It is known by its number, plus 1, until it has a name.
 */
enum { HOLDER_UNNAMED = TFP_HOLDER_EVENT + 1 };

bool tfp_trace_memory_init(tfp_trace_memory *m, tfp_model *model, uint64_t seed)
{
    *m = (tfp_trace_memory){ .memory = model->memory };
    if (!(model->gathers & TFP_GATHER_MEMORY))
        return true;
    m->model = model;
    tfp_id_map_init(&m->ops, m->memory, seed);
    tfp_id_map_init(&m->functions, m->memory, seed);
    return tfp_interner_init(&m->kinds, m->memory, 4, seed) &&
           tfp_interner_init(&m->names, m->memory, 4, seed);
}

void tfp_trace_memory_release(tfp_trace_memory *m)
{
    if (!m->memory)
        return;
    for (size_t i = 0; i < m->allocators.count; i++)
        TFP_VEC_RELEASE(m->memory, &m->allocators.data[i].events);
    TFP_VEC_RELEASE(m->memory, &m->allocators);
    TFP_VEC_RELEASE(m->memory, &m->open);
    TFP_VEC_RELEASE(m->memory, &m->op_strings);
    TFP_VEC_RELEASE(m->memory, &m->text);
    if (m->model) {
        tfp_id_map_release(&m->ops);
        tfp_id_map_release(&m->functions);
    }
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
                       uint32_t node)
{
    tfp_open_event open = innermost(m);
    if (event->length == 0 || event->is_aggregated || !event->type)
        return true;
    open.end = tfp_event_end(event);
    if (node != TFP_NO_NODE)
        open.node = node + 1;
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

static tfp_string string_of_type(tfp_trace_memory *m, tfp_event_type *type)
{
    return tfp_type_string(&m->model->strings, type);
}

static tfp_string string_of_stat(tfp_trace_memory *m, const tfp_stats *stats,
                                 tfp_known_stat known)
{
    return tfp_stats_string(&m->model->strings, stats, known);
}

/* The same; some writers put in the word for nothing. */
static tfp_string told(tfp_trace_memory *m, const tfp_stats *stats,
                       tfp_known_stat known)
{
    return tfp_span_is(tfp_stats_text(stats, known), "(null)")
               ? 0
               : string_of_stat(m, stats, known);
}

/* An operation with or without a type. Only JAX has the type in the name. */
static bool parse_op(tfp_trace_memory *m, tfp_span text, tfp_op_strings *out)
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
    out->name = string_of(m, op.name);
    out->type = string_of(m, op.type);
    return out->name != TFP_NO_ID && out->type != TFP_NO_ID;
}

/* The operation as the allocator names it; the text is parsed once. */
static bool name_op(tfp_trace_memory *m, tfp_string text, tfp_live_kind *kind)
{
    uint32_t at = tfp_id_map_find(&m->ops, text);
    tfp_op_strings op;
    if (at == TFP_NO_ID) {
        at = (uint32_t)m->op_strings.count;
        if (at >= TFP_NO_ID ||
            !parse_op(m, tfp_model_text(m->model, text), &op) ||
            !TFP_VEC_PUSH(m->memory, &m->op_strings, op) ||
            !tfp_id_map_put(&m->ops, text, at))
            return false;
    }
    kind->holder = TFP_HOLDER_NODE;
    kind->name = m->op_strings.data[at].name;
    kind->type = m->op_strings.data[at].type;
    return true;
}

/* "PjitFunction(f)" calls what operations have as "jit(f)". */
static tfp_string parse_call(tfp_trace_memory *m, tfp_span call)
{
    size_t start = sizeof(function_call) - 2; /* of the bracket */
    tfp_span rest = { call.data + start, call.size - start };
    m->text.count = 0;
    if (!put(m, tfp_span_of("jit")) || !put(m, rest))
        return TFP_NO_ID;
    return string_of(m, (tfp_span){ m->text.data, m->text.count });
}

static bool name_function(tfp_trace_memory *m, tfp_event_type *call,
                          tfp_live_kind *kind)
{
    tfp_string text = string_of_type(m, call);
    kind->holder = TFP_HOLDER_FUNCTION;
    if (text == TFP_NO_ID)
        return false;
    kind->name = tfp_id_map_find(&m->functions, text);
    if (kind->name != TFP_NO_ID)
        return true;
    kind->name = parse_call(m, call->name);
    return kind->name != TFP_NO_ID &&
           tfp_id_map_put(&m->functions, text, kind->name);
}

static bool name_holder(tfp_trace_memory *m, const tfp_event *event,
                        tfp_live_kind *kind)
{
    tfp_open_event open = innermost(m);
    tfp_string op = told(m, &event->stats, TFP_KNOWN_TF_OP);
    if (op == TFP_NO_ID)
        return false;
    if (op != 0)
        return name_op(m, op, kind);
    if (open.node) {
        kind->holder = HOLDER_UNNAMED;
        kind->name = open.node;
        return true;
    }
    if (open.function)
        return name_function(m, open.function, kind);
    if (!open.event || open.event->name.size == 0)
        return true;
    kind->holder = TFP_HOLDER_EVENT;
    kind->name = string_of_type(m, open.event);
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
    kind.region = told(m, &event->stats, TFP_KNOWN_REGION_TYPE);
    kind.dims = told(m, &event->stats, TFP_KNOWN_SHAPE);
    if (kind.region == TFP_NO_ID || kind.dims == TFP_NO_ID)
        return TFP_NO_ID;
    return tfp_pool_kind(&m->kinds, &kind);
}

/* ---- Allocations -------------------------------------------------------- */

/* The name of an allocator, else the number of its device. */
static tfp_string allocator_name(tfp_trace_memory *m, const tfp_stats *stats)
{
    tfp_string name = string_of_stat(m, stats, TFP_KNOWN_ALLOCATOR);
    char digits[32];
    int64_t number;
    if (name != 0 ||
        !(tfp_stats_number(stats, TFP_KNOWN_INDEX_ON_HOST, &number) ||
          tfp_stats_number(stats, TFP_KNOWN_DEVICE_ORDINAL, &number)))
        return name;
    snprintf(digits, sizeof(digits), "%lld", (long long)number);
    return string_of(m, tfp_span_of(digits));
}

/* The allocator of an event. NULL when out of memory. */
static tfp_allocator *allocator_of(tfp_trace_memory *m, const tfp_stats *stats)
{
    tfp_string name = allocator_name(m, stats);
    uint32_t item = 0; /* one without a name comes first */
    if (name != 0)
        item = tfp_intern(&m->names,
                          (tfp_span){ (const uint8_t *)&name, sizeof(name) });
    if (name == TFP_NO_ID || item == TFP_NO_ID)
        return NULL;
    while (m->allocators.count <= item) {
        if (!TFP_VEC_PUSH(m->memory, &m->allocators, (tfp_allocator){ 0 }))
            return NULL;
    }
    m->allocators.data[item].name = name;
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
                          uint32_t node, uint32_t mark)
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
    tfp_way way;
    uint32_t group;
    if (l->states_groups) {
        *step = event->mark;
        return event->mark != TFP_NO_ID;
    }
    group = tfp_loading_group(l, event->mark, event->at, &way);
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
        level.step = tfp_loading_number(s->l, TFP_NO_ID);
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
                      .name = allocator->name,
                      .place = host,
                      .capacity = allocator->capacity,
                      .reported_peak = allocator->reported_peak };
    level_state levels = { .l = l };
    size_t peak;
    int status = TFPROF_OK;
    if (request.count == 0)
        return TFPROF_OK;
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

/* Replaces the numbers of nodes by their names. `places` has room for each
 * kind: which one it becomes. */
static bool name_kinds(tfp_loading *l, tfp_interner *named, uint32_t *places)
{
    tfp_trace_memory *m = &l->allocations;
    for (uint32_t i = 0; i < tfp_interner_count(&m->kinds); i++) {
        tfp_span item = tfp_interned(&m->kinds, i);
        tfp_live_kind kind;
        places[i] = 0;
        if (item.size == 0) /* the first, which is no kind */
            continue;
        memcpy(&kind, item.data, sizeof(kind));
        if (kind.holder == HOLDER_UNNAMED) {
            kind.holder = TFP_HOLDER_NODE;
            kind.name = l->nodes.nodes.data[kind.name - 1].name;
        }
        places[i] = tfp_pool_kind(named, &kind);
        if (places[i] == TFP_NO_ID)
            return false;
    }
    return true;
}

static bool name_holders(tfp_loading *l)
{
    tfp_trace_memory *m = &l->allocations;
    tfp_interner named = { 0 };
    uint32_t *places = tfp_memory_array(
        m->memory, tfp_interner_count(&m->kinds), sizeof(*places));
    bool ok = places &&
              tfp_interner_init(&named, m->memory, 4, l->space->seed) &&
              name_kinds(l, &named, places);
    for (size_t i = 0; ok && i < m->allocators.count; i++) {
        tfp_allocator *allocator = &m->allocators.data[i];
        for (size_t k = 0; k < allocator->events.count; k++) {
            tfp_pool_event *e = &allocator->events.data[k];
            e->kind = places[e->kind] & TFP_POOL_MOST_KINDS;
        }
    }
    if (ok) {
        tfp_interner_release(&m->kinds);
        m->kinds = named;
    } else {
        tfp_interner_release(&named);
    }
    tfp_memory_free(m->memory, places);
    return ok;
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
    if (host == TFP_NO_ID || !name_holders(l))
        return tfp_fail_nomem(err);
    for (uint32_t i = 0; i < m->allocators.count && status == TFPROF_OK; i++)
        status = add_pool(l, i, host, err);
    return status;
}
