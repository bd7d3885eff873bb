/*
 * host_ops.c - the operations that ran on the threads of a host.
 *
 * xprof takes the begin and the end of each operation of a line, sorts them by
 * time, and keeps a stack. An end takes its begin and all above it off the
 * stack; what was above is lost. An event whose name is an operation and that
 * has a stat `tf_op` counts twice.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "trace/id_map.h"
#include "trace/op_name.h"
#include "trace/plane.h"
#include "trace/space.h"
#include "xprof/ops.h"

/* An operation, which may be a stage of an input pipeline. */
typedef struct host_op {
    tfp_xprof_text name, type;
    uint64_t stage;
} host_op;

/* An operation that has begun. */
typedef struct open_run {
    uint32_t run;
    uint64_t begin;
    uint64_t inner; /* time of those directly inside of it */
} open_run;

typedef struct host_state {
    tfp_xprof_source *source;
    tfp_xprof_ops *ops;
    tfp_plane *plane;
    bool has_stages;
    tfp_id_map ids;        /* with stages: of the operation of a stage... */
    TFP_VEC(host_op) seen; /* ...or of an event type */
    /* Of one line: */
    TFP_VEC(host_op) runs;
    TFP_VEC(tfp_sort_item) marks; /* begin and end: 2 * run, 2 * run + 1 */
    TFP_VEC(open_run) stack;
    uint64_t busy;
} host_state;

/* ---- What is an operation ----------------------------------------------- */

/* False when out of memory. */
static bool read_name(host_state *s, const tfp_event *event, host_op *op,
                      bool *is_op)
{
    tfp_xprof_text text = tfp_xprof_event_name(s->source, event->type);
    tfp_xprof_op_name parsed;
    if (text == TFP_NO_ID || !tfp_xprof_parse(s->source, text, &parsed))
        return false;
    *op = (host_op){ parsed.name, parsed.type, 0 };
    *is_op = text != 0 && parsed.sort != TFP_NAMED_NONE;
    return true;
}

/* What an event is looked up by: the stage that it says, or its type. */
static int64_t key_of(const tfp_event *event)
{
    int64_t id = 0;
    if (!tfp_stats_has(&event->stats, TFP_KNOWN_STAGE))
        return event->metadata;
    (void)tfp_stats_number(&event->stats, TFP_KNOWN_STAGE, &id);
    return id;
}

/* Stages and types share their ids, so the first that has an id counts. */
static int note_op(void *self, const tfp_event *event, tfprof_error *err)
{
    host_state *s = self;
    int64_t key = key_of(event);
    host_op op;
    bool is_op;
    if (tfp_id_map_find(&s->ids, key) != TFP_NO_ID)
        return TFPROF_OK;
    if (!read_name(s, event, &op, &is_op))
        return tfp_fail_nomem(err);
    if (tfp_stats_has(&event->stats, TFP_KNOWN_STAGE)) {
        is_op = event->type && event->type->name.size > 0 &&
                tfp_stats_has(&event->stats, TFP_KNOWN_STAGE_CATEGORY);
        op.name = tfp_xprof_event_name(s->source, event->type);
        op.type = tfp_xprof_text_of(s->source, &event->stats,
                                    TFP_KNOWN_STAGE_CATEGORY);
        op.stage = (uint64_t)key;
    }
    if (!is_op)
        return TFPROF_OK;
    if (op.name == TFP_NO_ID || op.type == TFP_NO_ID ||
        !TFP_VEC_PUSH(s->source->memory, &s->seen, op) ||
        !tfp_id_map_put(&s->ids, key, (uint32_t)s->seen.count - 1))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

static bool find_op(host_state *s, const tfp_event *event, host_op *op,
                    bool *is_op)
{
    uint32_t at;
    if (!s->has_stages)
        return read_name(s, event, op, is_op);
    at = tfp_id_map_find(&s->ids, key_of(event));
    *is_op = at != TFP_NO_ID;
    if (*is_op)
        *op = s->seen.data[at];
    return true;
}

/* ---- A line ------------------------------------------------------------- */

static bool add_run(host_state *s, const tfp_event *event, host_op op)
{
    tfp_memory *memory = s->source->memory;
    uint32_t run = (uint32_t)s->runs.count;
    tfp_sort_item begin = { (uint64_t)event->begin, 2 * run };
    tfp_sort_item end = { begin.key + (uint64_t)event->length, 2 * run + 1 };
    return s->runs.count < TFP_NO_ID / 2 &&
           TFP_VEC_PUSH(memory, &s->runs, op) &&
           TFP_VEC_PUSH(memory, &s->marks, begin) &&
           TFP_VEC_PUSH(memory, &s->marks, end);
}

static int read_event(void *self, const tfp_event *event, tfprof_error *err)
{
    host_state *s = self;
    tfp_xprof_text tf_op;
    tfp_xprof_op_name parsed;
    host_op op;
    bool is_op;
    if (!find_op(s, event, &op, &is_op) || (is_op && !add_run(s, event, op)))
        return tfp_fail_nomem(err);
    if (!tfp_stats_has(&event->stats, TFP_KNOWN_TF_OP))
        return TFPROF_OK;
    tf_op = tfp_xprof_text_of(s->source, &event->stats, TFP_KNOWN_TF_OP);
    if (tf_op == 0)
        return TFPROF_OK;
    if (tf_op == TFP_NO_ID || !tfp_xprof_parse(s->source, tf_op, &parsed) ||
        !add_run(s, event, (host_op){ parsed.name, parsed.type, 0 }))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

/* Takes all down to the begin of a run off the stack. */
static bool pop(host_state *s, uint32_t run, open_run *found)
{
    while (s->stack.count > 0) {
        *found = s->stack.data[--s->stack.count];
        if (found->run == run)
            return true;
    }
    return false;
}

static bool end_run(host_state *s, uint32_t run, uint64_t end)
{
    const host_op *from = &s->runs.data[run];
    tfp_xprof_op op = { .program = from->stage,
                        .name = from->name,
                        .category = from->type,
                        .runs = 1 };
    open_run open;
    if (!pop(s, run, &open))
        return true;
    op.time = end > open.begin ? end - open.begin : 0;
    op.self = op.time - open.inner;
    s->busy += op.self;
    if (s->stack.count > 0)
        s->stack.data[s->stack.count - 1].inner += op.time;
    return tfp_xprof_ops_add(s->ops, &op);
}

static bool add_mark(host_state *s, const tfp_sort_item *mark)
{
    uint32_t run = mark->index / 2;
    if (mark->index % 2 == 1)
        return end_run(s, run, mark->key);
    return TFP_VEC_PUSH(s->source->memory, &s->stack,
                        (open_run){ run, mark->key, 0 });
}

static int add_marks(host_state *s, tfprof_error *err)
{
    size_t count = s->marks.count;
    tfp_sort_item *marks;
    if (!TFP_VEC_RESERVE(s->source->memory, &s->marks, count))
        return tfp_fail_nomem(err);
    marks = s->marks.data;
    if (!tfp_sort_until(marks, count, marks + count, NULL, NULL,
                        s->source->watch.cancel))
        return tfp_fail_cancelled(err);
    for (size_t i = 0; i < count; i++) {
        if (!add_mark(s, &marks[i]))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int read_line(host_state *s, const tfp_trace_line *line,
                     tfprof_error *err)
{
    uint64_t span = 0;
    int status = TFPROF_OK;
    s->runs.count = s->marks.count = s->stack.count = 0;
    s->busy = 0;
    if (!tfp_xprof_line_is_derived(line))
        status = tfp_xprof_walk_line(s->source, s->plane, line, read_event, s,
                                     err);
    if (status == TFPROF_OK && s->marks.count > 0) {
        status = add_marks(s, err);
        span = s->marks.data[s->marks.count - 1].key - s->marks.data[0].key;
    }
    if (status == TFPROF_OK && !tfp_xprof_ops_end(s->ops, s->busy, span))
        status = tfp_fail_nomem(err);
    return status;
}

/* ---- All lines ---------------------------------------------------------- */

int tfp_xprof_host_ops(tfp_xprof_source *source, tfp_xprof_ops *ops,
                       tfprof_error *err)
{
    host_state s = { .source = source, .ops = ops };
    int status = TFPROF_OK;
    s.plane = tfp_space_find(source->space, "/host:CPU");
    if (!s.plane)
        return TFPROF_OK;
    s.has_stages = tfp_plane_has_stat(s.plane, TFP_KNOWN_STAGE);
    tfp_id_map_init(&s.ids, source->memory, source->space->seed);
    for (size_t i = 0;
         i < s.plane->lines.count && s.has_stages && status == TFPROF_OK; i++)
        status = tfp_xprof_walk_line(source, s.plane, &s.plane->lines.data[i],
                                     note_op, &s, err);
    for (size_t i = 0; i < s.plane->lines.count && status == TFPROF_OK; i++)
        status = read_line(&s, &s.plane->lines.data[i], err);
    tfp_id_map_release(&s.ids);
    TFP_VEC_RELEASE(source->memory, &s.seen);
    TFP_VEC_RELEASE(source->memory, &s.runs);
    TFP_VEC_RELEASE(source->memory, &s.marks);
    TFP_VEC_RELEASE(source->memory, &s.stack);
    return status;
}
