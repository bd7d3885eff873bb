/*
 * frames.c - the calls that the tracer of Python recorded, as a tree for each
 * thread.
 *
 * The tracer names an event "$file.py:12 function" by the first line of the
 * function, and "$module function" what is not written in Python. Calls nest.
 * Where two overlap all the same, the time counts for the one that began later,
 * and that is not below the one it outlives. So the self times of a thread are
 * together the time in which at least one call was open.
 */
#include "trace/frames.h"

#include <limits.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "model/model.h"
#include "trace/loading.h"
#include "trace/stacks.h"

/* A call that is open on this line. */
typedef struct open_call {
    int64_t end;
    uint32_t call;
} open_call;

typedef struct frame_state {
    tfp_loading *l;
    tfp_plane *plane;
    const tfp_trace_line *line;
    TFP_VEC(open_call) open;
    int64_t until;   /* time before it is counted */
    uint32_t thread; /* in calls; TFP_NO_ID until the line has a call */
} frame_state;

bool tfp_frames_init(tfp_loading *l)
{
    return tfp_interner_init(&l->frames.keys, l->memory, 4, l->space->seed) &&
           tfp_interner_init(&l->frames.names, l->memory, 1, l->space->seed);
}

void tfp_frames_release(tfp_loading *l)
{
    tfp_interner_release(&l->frames.keys);
    tfp_interner_release(&l->frames.names);
    TFP_VEC_RELEASE(l->memory, &l->frames.calls);
    TFP_VEC_RELEASE(l->memory, &l->frames.call_of);
    TFP_VEC_RELEASE(l->memory, &l->frames.threads);
}

/* ---- Names -------------------------------------------------------------- */

/* Is `name` "$..."? Then *rest is what follows. */
static bool is_call(tfp_span name, tfp_span *rest)
{
    if (!tfp_span_starts(name, "$"))
        return false;
    *rest = (tfp_span){ name.data + 1, name.size - 1 };
    return true;
}

/* "file.py:12 function" into its parts. What has another form is bare: the name
 * stands for all of it. */
static void split_call(tfp_span name, tfp_source_place *place)
{
    size_t blank = 0, colon;
    int64_t line = 0;
    *place = (tfp_source_place){ .function = name, .is_bare = true };
    while (blank < name.size && name.data[blank] != ' ')
        blank++;
    for (colon = blank; colon > 0 && name.data[colon - 1] != ':'; colon--) {
        if (name.data[colon - 1] < '0' || name.data[colon - 1] > '9')
            return;
    }
    if (colon < 2 || colon == blank || blank + 1 >= name.size)
        return;
    for (size_t i = colon; i < blank; i++)
        line = tfp_add_sat(tfp_mul_sat(line, 10), name.data[i] - '0');
    *place = (tfp_source_place){ .file = { name.data, colon - 1 },
                                 .function = { name.data + blank + 1,
                                               name.size - blank - 1 },
                                 .line = line <= INT_MAX ? (int32_t)line : 0 };
}

/* ---- The tree ----------------------------------------------------------- */

static tfp_python_call *call_at(frame_state *s, uint32_t call)
{
    return &s->l->frames.calls.data[call];
}

/* How many lines up to this one have its name and calls. False when out of
 * memory. */
static bool count_namesakes(frame_state *s, uint32_t *count)
{
    tfp_trace_frames *f = &s->l->frames;
    uint32_t item = tfp_intern(&f->names, s->line->name);
    if (item == TFP_NO_ID)
        return false;
    while (f->threads.count <= item) {
        if (!TFP_VEC_PUSH(s->l->memory, &f->threads, 0))
            return false;
    }
    *count = ++f->threads.data[item];
    return true;
}

/* "thread python", the second of the name "thread python #2", and with the host
 * if that has a name: threads of several hosts stand side by side. */
static bool name_thread(frame_state *s)
{
    tfp_loading *l = s->l;
    tfp_span host = { l->space->host.data, l->space->host.count };
    uint32_t count;
    char number[32] = "";
    if (!count_namesakes(s, &count))
        return false;
    if (count > 1)
        snprintf(number, sizeof(number), " #%u", (unsigned)count);
    l->text.count = 0;
    return tfp_loading_put(l, "thread ", s->line->name) &&
           tfp_loading_put(l, number, (tfp_span){ 0 }) &&
           (host.size == 0 || tfp_loading_put(l, " on ", host));
}

/* The root of the calls of a line. */
static int begin_thread(frame_state *s, tfprof_error *err)
{
    tfp_loading *l = s->l;
    tfp_python_call thread = { .node = TFP_NO_ID };
    tfp_source_place place = { .is_bare = true };
    int status;
    if (!name_thread(s))
        return tfp_fail_nomem(err);
    place.function = (tfp_span){ l->text.data, l->text.count };
    status = tfp_trace_add_frame(&l->nodes, &place, &thread.stack, err);
    if (status != TFPROF_OK)
        return status;
    s->thread = (uint32_t)l->frames.calls.count;
    return s->thread < TFP_NO_ID &&
                   TFP_VEC_PUSH(l->memory, &l->frames.calls, thread)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

static int new_call(frame_state *s, uint32_t caller, const tfp_event *event,
                    tfp_span name, uint32_t *call, tfprof_error *err)
{
    tfp_loading *l = s->l;
    tfp_python_call new = { .stack = call_at(s, caller)->stack,
                            .begin = event->begin };
    tfp_source_place place;
    int status;
    split_call(name, &place);
    status = tfp_trace_add_frame(&l->nodes, &place, &new.stack, err);
    if (status == TFPROF_OK)
        status = tfp_trace_call_node(&l->nodes, name, new.stack, &new.node,
                                     err);
    if (status != TFPROF_OK)
        return status;
    *call = (uint32_t)l->frames.calls.count;
    return *call < TFP_NO_ID &&
                   TFP_VEC_PUSH(l->memory, &l->frames.calls, new) &&
                   TFP_VEC_PUSH(l->memory, &l->frames.call_of, *call)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

/* The calls of this function by this caller. */
static int find_call(frame_state *s, uint32_t caller, const tfp_event *event,
                     tfp_span name, uint32_t *call, tfprof_error *err)
{
    tfp_trace_frames *f = &s->l->frames;
    uint32_t key[] = { caller,
                       (uint32_t)(event->type - s->plane->event_types.data) };
    uint32_t item = tfp_intern(&f->keys,
                               (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (item > f->call_of.count)
        return new_call(s, caller, event, name, call, err);
    *call = f->call_of.data[item - 1];
    return TFPROF_OK;
}

/* ---- Times -------------------------------------------------------------- */

/* Time up to `moment` belongs to the innermost call. */
static void count_until(frame_state *s, int64_t moment)
{
    if (moment <= s->until)
        return;
    if (s->open.count > 0) {
        tfp_python_call *call = call_at(s,
                                        s->open.data[s->open.count - 1].call);
        call->self = tfp_add_sat(call->self, tfp_sub_sat(moment, s->until));
    }
    s->until = moment;
}

/* Ends the calls that are over at `moment`; an outer one never ends first. */
static void close_until(frame_state *s, int64_t moment)
{
    while (s->open.count > 0 && s->open.data[s->open.count - 1].end <= moment) {
        count_until(s, s->open.data[s->open.count - 1].end);
        s->open.count--;
    }
}

static int read_event(void *self, const tfp_event *event, tfprof_error *err)
{
    frame_state *s = self;
    open_call open = { .end = tfp_event_end(event) };
    tfp_span name;
    int status = TFPROF_OK;
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    if (!event->type || event->is_aggregated ||
        !is_call(event->type->name, &name))
        return TFPROF_OK;
    if (s->thread == TFP_NO_ID)
        status = begin_thread(s, err);
    if (status != TFPROF_OK)
        return status;
    close_until(s, event->begin);
    count_until(s, event->begin);
    while (s->open.count > 0 && s->open.data[s->open.count - 1].end < open.end)
        s->open.count--; /* this one outlives it */
    status = find_call(
        s, s->open.count > 0 ? s->open.data[s->open.count - 1].call : s->thread,
        event, name, &open.call, err);
    if (status != TFPROF_OK)
        return status;
    call_at(s, open.call)->count++;
    s->l->frames.events++;
    return TFP_VEC_PUSH(s->l->memory, &s->open, open) ? TFPROF_OK
                                                      : tfp_fail_nomem(err);
}

int tfp_read_frames(tfp_loading *l, tfp_plane *plane, tfprof_error *err)
{
    frame_state s = { .l = l, .plane = plane };
    tfp_line_walk walk = { .event = read_event,
                           .self = &s,
                           .epoch = l->space->epoch,
                           .max_depth = l->request->max_depth };
    int status = TFPROF_OK;
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        s.line = &plane->lines.data[i];
        s.thread = TFP_NO_ID;
        s.until = INT64_MIN;
        if (!tfp_line_is_derived(s.line))
            status = tfp_plane_walk_line(plane, s.line, &walk, err);
        close_until(&s, INT64_MAX);
    }
    l->odd_events += walk.odd_events;
    tfp_line_walk_release(&walk);
    TFP_VEC_RELEASE(l->memory, &s.open);
    return status;
}

bool tfp_frames_finish(tfp_loading *l)
{
    uint32_t device;
    if (l->frames.calls.count == 0)
        return true;
    device = tfp_loading_device(l, "CPU", tfp_span_of("0"), false);
    if (device == TFP_NO_ID)
        return false;
    for (size_t i = 0; i < l->frames.calls.count; i++) {
        const tfp_python_call *call = &l->frames.calls.data[i];
        tfp_trace_run run = { .step = TFP_NO_ID,
                              .owner = TFP_NO_ID,
                              .node = call->node,
                              .device = device,
                              .begin = call->begin,
                              .time = call->self,
                              .runs = call->count };
        if (call->node != TFP_NO_ID && !tfp_loading_add(l, &run))
            return false;
    }
    return true;
}
