/*
 * tpu_ops.c - the operations that ran on a TPU, by the clock of the device.
 *
 * An operation is known by its program and its symbol, which stand with the
 * type of the event; events of a type without them are dropped. What is said of
 * an operation is what its first event says.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"
#include "proto/wire.h"
#include "proto/xspace.h"
#include "trace/plane.h"
#include "trace/stat_names.h"
#include "xprof/ops.h"

typedef struct open_event {
    uint32_t op;
    uint64_t begin, end;
    uint64_t runs;
    uint64_t inner; /* time of those directly inside of it */
} open_event;

/* The place of the operation that stands for all events to be dropped. */
enum { DROPPED = 0 };

typedef struct tpu_state {
    tfp_xprof_source *source;
    const tfp_plane *plane;
    tfp_interner keys;         /* {program, symbol}; item k + 1 is ops[k + 1] */
    TFP_VEC(tfp_xprof_op) ops; /* work: of one run */
    TFP_VEC(open_event) stack;
    uint64_t first, last;
} tpu_state;

/* ---- What is said of an operation --------------------------------------- */

static uint64_t number(const tfp_stats *stats, tfp_known_stat known)
{
    int64_t value = 0;
    (void)tfp_stats_number(stats, known, &value);
    return (uint64_t)value;
}

/* Adds what a MemoryAccessBreakdown says. */
static void read_parts(tfp_span bytes, tfp_xprof_work *work)
{
    tfp_record record = { .bytes = bytes, .max_depth = TFP_MOST_DEPTH };
    tfp_memory_access access;
    tfp_wire w = tfp_wire_over(&record);
    while (tfp_memory_access_next(&w, &access)) {
        work->has_parts = true;
        if (access.space == TFP_ACCESS_HBM)
            work->hbm_bytes += access.bytes;
        else if (access.space != TFP_ACCESS_CMEM)
            continue;
        else if (access.operation == TFP_ACCESS_READ)
            work->cmem_read_bytes += access.bytes;
        else if (access.operation == TFP_ACCESS_WRITE)
            work->cmem_written_bytes += access.bytes;
    }
}

static void read_work(const tfp_stats *stats, tfp_xprof_work *work)
{
    tfp_span parts = tfp_stats_bytes(stats, TFP_KNOWN_MEMORY_BREAKDOWN);
    *work = (tfp_xprof_work){
        .flops = number(stats, TFP_KNOWN_FLOPS),
        .model_flops = number(stats, TFP_KNOWN_MODEL_FLOPS),
        .bytes = number(stats, TFP_KNOWN_BYTES_ACCESSED)
    };
    if (work->model_flops == 0)
        work->model_flops = work->flops;
    if (parts.size > 0) /* else perhaps at no address */
        read_parts(parts, work);
}

static bool describe(tpu_state *s, const tfp_event_type *type,
                     const tfp_stats *stats, tfp_xprof_op *op)
{
    tfp_xprof_texts *texts = s->source->texts;
    tfp_span full = type->name, shown = type->display_name;
    *op = (tfp_xprof_op){ .program = number(stats, TFP_KNOWN_PROGRAM),
                          .is_of_tpu = true };
    op->name = tfp_intern(texts, shown.size > 0 ? shown : full);
    op->expression = tfp_intern(texts, full.size > 0 ? full : shown);
    op->category = tfp_xprof_text_of(s->source, stats, TFP_KNOWN_CATEGORY);
    op->origin = tfp_xprof_text_of(s->source, stats, TFP_KNOWN_TF_OP);
    read_work(stats, &op->work);
    return op->name != TFP_NO_ID && op->expression != TFP_NO_ID &&
           op->category != TFP_NO_ID && op->origin != TFP_NO_ID;
}

/* Finds the operation of an event type, which then knows it. */
static bool find_op(tpu_state *s, tfp_event_type *type)
{
    tfp_stats stats;
    uint64_t key[2];
    uint32_t item;
    tfp_stats_of_type(&stats, s->plane, type);
    key[0] = number(&stats, TFP_KNOWN_PROGRAM);
    key[1] = number(&stats, TFP_KNOWN_SYMBOL);
    type->node = DROPPED;
    if (!tfp_stats_has(&stats, TFP_KNOWN_PROGRAM) || key[1] == 0)
        return true;
    if (!TFP_VEC_RESERVE(s->source->memory, &s->ops, 1))
        return false;
    item = tfp_intern(&s->keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return false;
    if (item >= s->ops.count) {
        if (!describe(s, type, &stats, &s->ops.data[s->ops.count]))
            return false;
        s->ops.count++;
    }
    type->node = item;
    return true;
}

/* ---- Events ------------------------------------------------------------- */

static void device_span(const tfp_event *event, uint64_t *begin, uint64_t *end)
{
    uint64_t length = (uint64_t)event->length;
    *begin = (uint64_t)event->begin;
    if (tfp_stats_has(&event->stats, TFP_KNOWN_DEVICE_OFFSET) &&
        tfp_stats_has(&event->stats, TFP_KNOWN_DEVICE_DURATION)) {
        *begin = number(&event->stats, TFP_KNOWN_DEVICE_OFFSET);
        length = number(&event->stats, TFP_KNOWN_DEVICE_DURATION);
    }
    *end = *begin + length;
}

static void widen(tpu_state *s, uint64_t begin, uint64_t end)
{
    if (begin < s->first)
        s->first = begin;
    if (end > s->last)
        s->last = end;
}

static int read_step(void *self, const tfp_event *event, tfprof_error *err)
{
    uint64_t begin, end;
    (void)err;
    device_span(event, &begin, &end);
    widen(self, begin, end);
    return TFPROF_OK;
}

static void close_event(tpu_state *s)
{
    const open_event *open = &s->stack.data[--s->stack.count];
    tfp_xprof_op *op = &s->ops.data[open->op];
    uint64_t time = open->end - open->begin;
    op->runs += open->runs;
    op->time += time;
    op->self += time - open->inner;
}

static int read_op(void *self, const tfp_event *event, tfprof_error *err)
{
    tpu_state *s = self;
    open_event open = { .op = DROPPED, .runs = 1 };
    device_span(event, &open.begin, &open.end);
    widen(s, open.begin, open.end);
    if (event->is_aggregated && event->count > 1)
        open.runs = (uint64_t)event->count;
    if (event->type) {
        if (event->type->node == TFP_NO_NODE && !find_op(s, event->type))
            return tfp_fail_nomem(err);
        open.op = event->type->node;
    }
    while (s->stack.count > 0 &&
           !(s->stack.data[s->stack.count - 1].begin <= open.begin &&
             open.end <= s->stack.data[s->stack.count - 1].end))
        close_event(s);
    if (s->stack.count > 0)
        s->stack.data[s->stack.count - 1].inner += open.end - open.begin;
    return TFP_VEC_PUSH(s->source->memory, &s->stack, open)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

static int read_line(tpu_state *s, tfp_plane *plane, const tfp_trace_line *line,
                     tfprof_error *err)
{
    int status = TFPROF_OK;
    if (tfp_span_is(line->name, "Steps") ||
        tfp_span_is(line->name, "Sparse Core Steps"))
        status = tfp_xprof_walk_line(s->source, plane, line, read_step, s, err);
    else if (tfp_span_is(line->name, "XLA Ops") ||
             tfp_span_is(line->name, "Sparse Core Ops"))
        status = tfp_xprof_walk_line(s->source, plane, line, read_op, s, err);
    while (s->stack.count > 0)
        close_event(s);
    return status;
}

/* ---- All of it ---------------------------------------------------------- */

/* Adds an operation with the work of all its runs. */
static bool add_op(tfp_xprof_ops *ops, tfp_xprof_op op)
{
    tfp_xprof_work *work = &op.work;
    work->flops *= op.runs;
    work->model_flops *= op.runs;
    work->bytes *= op.runs;
    work->hbm_bytes *= op.runs;
    work->cmem_read_bytes *= op.runs;
    work->cmem_written_bytes *= op.runs;
    return tfp_xprof_ops_add(ops, &op);
}

static bool add_ops(const tpu_state *s, tfp_xprof_ops *ops)
{
    /* Of a device without events this is 1, as it is for xprof. */
    uint64_t busy = 0, span = s->last - s->first;
    for (size_t i = DROPPED + 1; i < s->ops.count; i++) {
        busy += s->ops.data[i].self;
        if (!add_op(ops, s->ops.data[i]))
            return false;
    }
    return tfp_xprof_ops_end(ops, busy, span);
}

int tfp_xprof_tpu_ops(tfp_xprof_source *source, tfp_plane *plane,
                      tfp_xprof_ops *ops, tfprof_error *err)
{
    tpu_state s = { .source = source, .plane = plane, .first = UINT64_MAX };
    int status = TFPROF_OK;
    if (!tfp_interner_init(&s.keys, source->memory, 8, source->space->seed) ||
        !TFP_VEC_PUSH(source->memory, &s.ops, (tfp_xprof_op){ 0 }))
        status = tfp_fail_nomem(err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++)
        status = read_line(&s, plane, &plane->lines.data[i], err);
    if (status == TFPROF_OK && !add_ops(&s, ops))
        status = tfp_fail_nomem(err);
    tfp_interner_release(&s.keys);
    TFP_VEC_RELEASE(source->memory, &s.ops);
    TFP_VEC_RELEASE(source->memory, &s.stack);
    return status;
}
