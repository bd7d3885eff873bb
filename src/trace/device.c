/*
 * device.c - the planes of GPUs and TPUs.
 *
 * A GPU has a line for each stream, and each event is a kernel or a copy. Their
 * times add up, also where streams run at the same time. A TPU has a line with
 * the operations of its programs, which nest.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"
#include "trace/loading.h"
#include "trace/singles.h"

typedef struct device_state {
    tfp_loading *l;
    tfp_plane *plane;
    uint32_t device;
    /* Of a TPU: */
    TFP_VEC(tfp_trace_run) open;  /* nested operations, `begin` and `time` */
    TFP_VEC(int64_t) ends;        /* of these */
    TFP_VEC(tfp_trace_run) steps; /* `begin`, `time` and `step` of each */
    bool gives_ops;               /* the line at hand has operations */
    int64_t executions;           /* so far, of the program that was chosen */
} device_state;

/* "/device:GPU:3" -> "3" */
static tfp_span number_of(tfp_span name)
{
    size_t at = name.size;
    while (at > 0 && name.data[at - 1] != ':')
        at--;
    return (tfp_span){ name.data + at, name.size - at };
}

/* ---- GPUs --------------------------------------------------------------- */

/* Lines that repeat others, by what they are called where they are stored. */
static bool is_summary(tfp_span name)
{
    static const char *const names[] = {
        "Steps",          "XLA Modules",           "XLA Ops",
        "TensorFlow Ops", "TensorFlow Name Scope", "Framework Ops",
        "Source code",    "Framework Name Scope",  "Launch Stats",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (tfp_span_is(name, names[i]))
            return true;
    }
    return false;
}

/* The node of the operation that a stat names; TFP_NO_NODE when it names none.
 * Kernels name it by reference, over and over: the reference remembers. */
static int named_node(device_state *s, const tfp_stats *stats,
                      tfp_known_stat known, uint32_t *node, tfprof_error *err)
{
    tfp_stat_type *ref = tfp_stats_ref(stats, known);
    tfp_op_name name;
    int status = TFPROF_OK;
    *node = TFP_NO_NODE;
    if (ref && ref->is_op_known) {
        *node = ref->op_node;
        return TFPROF_OK;
    }
    name = tfp_op_name_parse(tfp_stats_text(stats, known));
    if (name.sort != TFP_NAMED_NONE)
        status = tfp_trace_op_node(&s->l->nodes, &name, node, err);
    if (status == TFPROF_OK && ref) {
        ref->op_node = *node;
        ref->is_op_known = true;
    }
    return status;
}

/* The node of a kernel that belongs to no operation. */
static int other_node(device_state *s, tfp_event_type *type, uint32_t *node,
                      tfprof_error *err)
{
    int status = TFPROF_OK;
    if (!type)
        return tfp_trace_other_node(&s->l->nodes, tfp_span_of("unnamed"), node,
                                    err);
    if (type->node == TFP_NO_NODE)
        status = tfp_trace_other_node(&s->l->nodes, type->name, &type->node,
                                      err);
    *node = type->node;
    return status;
}

static int kernel_node(device_state *s, const tfp_event *event, uint32_t *node,
                       tfprof_error *err)
{
    const tfp_stats *stats = &event->stats;
    tfp_span op = tfp_stats_text(stats, TFP_KNOWN_HLO_OP);
    int64_t program;
    int status;
    if (op.size > 0 && tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &program))
        return tfp_trace_event_node(&s->l->nodes, stats, program, op, node,
                                    err);
    status = named_node(s, stats,
                        tfp_stats_text(stats, TFP_KNOWN_TF_OP).size > 0
                            ? TFP_KNOWN_TF_OP
                            : TFP_KNOWN_LEVEL_0,
                        node, err);
    return status != TFPROF_OK || *node != TFP_NO_NODE
               ? status
               : other_node(s, event->type, node, err);
}

/* The step of a kernel: that of its launch, else by time. */
static bool step_of_kernel(device_state *s, const tfp_event *event,
                           tfp_trace_run *run)
{
    tfp_loading *l = s->l;
    uint32_t anchor = TFP_NO_ID;
    int64_t number;
    if (l->states_groups &&
        tfp_stats_number(&event->stats, TFP_KNOWN_GROUP, &number)) {
        run->step = run->owner = tfp_loading_step(l, number);
        l->ways[TFP_WAY_STATED]++;
        return run->step != TFP_NO_ID;
    }
    if (tfp_stats_number(&event->stats, TFP_KNOWN_CORRELATION, &number))
        anchor = tfp_id_map_find(&l->launch_anchors, number);
    run->step = event->is_aggregated
                    ? tfp_loading_place_timeless(l, anchor)
                    : tfp_loading_place(l, anchor, event->begin);
    run->owner = tfp_groups_of(&l->groups, anchor) == TFP_NO_ID ? TFP_NO_ID
                                                                : run->step;
    return true;
}

static int read_kernel(void *self, const tfp_event *event, tfprof_error *err)
{
    device_state *s = self;
    tfp_trace_run run = { .device = s->device,
                          .begin = event->begin,
                          .time = event->length,
                          .length = event->is_aggregated ? 0 : event->length,
                          .runs = event->count,
                          .is_copy = tfp_stats_has(&event->stats,
                                                   TFP_KNOWN_MEMCPY_DETAILS) };
    int status = kernel_node(s, event, &run.node, err);
    if (status != TFPROF_OK)
        return status;
    s->l->unnamed_events += event->type == NULL;
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    if (s->l->is_giving)
        return step_of_kernel(s, event, &run)
                   ? tfp_singles_event(s->l, event, run.node, run.step, err)
                   : tfp_fail_nomem(err);
    return step_of_kernel(s, event, &run) && tfp_loading_add(s->l, &run) &&
                   (!s->l->kernels.is_on ||
                    tfp_kernels_add(s->l, event, run.node))
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

bool tfp_line_is_stream(const tfp_trace_line *line)
{
    return !tfp_line_is_derived(line) && !is_summary(line->name);
}

static tfp_line_walk walk_of(device_state *s, tfp_event_fn *event)
{
    return (tfp_line_walk){ .event = event,
                            .self = s,
                            .epoch = s->l->space->epoch,
                            .max_depth = s->l->request->max_depth };
}

/* An event of a line that repeats others. */
static int give_summary(void *self, const tfp_event *event, tfprof_error *err)
{
    device_state *s = self;
    return tfp_singles_host_event(s->l, event, TFP_NO_NODE, TFP_NO_ID, err);
}

static int give_gpu(device_state *s, tfp_line_walk *walk, tfprof_error *err)
{
    tfp_plane *plane = s->plane;
    int status = tfp_singles_plane(s->l, plane, err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        const tfp_trace_line *line = &plane->lines.data[i];
        walk->event = tfp_line_is_stream(line) ? read_kernel : give_summary;
        status = tfp_singles_line(s->l, line, err);
        if (status == TFPROF_OK)
            status = tfp_plane_walk_line(plane, line, walk, err);
    }
    return status;
}

int tfp_read_gpu(tfp_loading *l, tfp_plane *plane, tfprof_error *err)
{
    device_state s = { .l = l, .plane = plane };
    tfp_line_walk walk = walk_of(&s, read_kernel);
    int status = TFPROF_OK;
    if (plane->events == 0) /* a GPU that was not used */
        return TFPROF_OK;
    if (l->is_giving) {
        status = give_gpu(&s, &walk, err);
        tfp_line_walk_release(&walk);
        return status;
    }
    walk.takes_any_order = true; /* kernels only add up */
    s.device = tfp_loading_device(l, "GPU", number_of(plane->name), true);
    if (s.device == TFP_NO_ID)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        if (tfp_line_is_stream(&plane->lines.data[i]))
            status = tfp_plane_walk_line(plane, &plane->lines.data[i], &walk,
                                         err);
    }
    l->odd_events += walk.odd_events;
    tfp_line_walk_release(&walk);
    return status;
}

/* ---- TPUs --------------------------------------------------------------- */

/* The times of an event by the clock of the device, which is more exact. False,
 * with the times of the host's clock, if the event does not have them. */
static bool device_times(const tfp_event *event, int64_t *begin,
                         int64_t *length)
{
    int64_t from, time;
    *begin = event->begin;
    *length = event->length;
    if (tfp_stats_number(&event->stats, TFP_KNOWN_DEVICE_OFFSET, &from) &&
        tfp_stats_number(&event->stats, TFP_KNOWN_DEVICE_DURATION, &time)) {
        *begin = from;
        *length = time < 0 ? 0 : time;
        return true;
    }
    return false;
}

/* The number that a step of a TPU is called by. */
static bool step_number(tfp_span name, int64_t *number)
{
    int64_t value = 0;
    if (name.size == 0 || name.size > 18)
        return false;
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] < '0' || name.data[i] > '9')
            return false;
        value = 10 * value + (name.data[i] - '0');
    }
    *number = value;
    return true;
}

/* The step that an event of a TPU marks: a step, or an execution of the program
 * whose executions are the steps. */
static bool find_tpu_step(device_state *s, const tfp_event *event,
                          int64_t *number)
{
    const tfp_step_choice *choice = &s->l->choice;
    if (!event->type)
        return false;
    if (choice->kind == TFP_CHOICE_NONE)
        return step_number(event->type->name, number);
    if (tfp_type_string(&s->l->request->model->strings, event->type) !=
        choice->name)
        return false;
    *number = s->executions++;
    return true;
}

static int read_tpu_step(void *self, const tfp_event *event, tfprof_error *err)
{
    device_state *s = self;
    tfp_trace_run step = { .runs = 1 };
    int64_t number;
    if (!find_tpu_step(s, event, &number))
        return TFPROF_OK;
    (void)device_times(event, &step.begin, &step.time);
    step.step = tfp_loading_step(s->l, number);
    step.device = s->device;
    return step.step != TFP_NO_ID &&
                   TFP_VEC_PUSH(s->l->memory, &s->steps, step) &&
                   (!s->l->spans.is_on || tfp_spans_mark_device(s->l, &step))
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

static int by_begin(const void *a, const void *b)
{
    const tfp_trace_run *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

/* Several lines may have steps, and the clock of the device its own order. */
static void sort_tpu_steps(device_state *s)
{
    if (s->steps.count > 1)
        qsort(s->steps.data, s->steps.count, sizeof(*s->steps.data), by_begin);
}

/* The step in whose time something begins: the last that began before. Roots
 * of the host are searched only for a moment on its clock. */
static uint32_t tpu_step_at(device_state *s, int64_t moment, bool is_of_host)
{
    size_t low = 0, high = s->steps.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->steps.data[middle].begin <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        const tfp_trace_run *step = &s->steps.data[low - 1];
        if (moment < tfp_add_sat(step->begin, step->time)) {
            s->l->ways[TFP_WAY_TIME]++;
            return step->step;
        }
    }
    return is_of_host || s->l->choice.kind == TFP_CHOICE_EVENTS
               ? tfp_loading_place(s->l, TFP_NO_ID, moment)
               : tfp_loading_place_timeless(s->l, TFP_NO_ID);
}

/* Does the innermost open operation not enclose [begin, end)? Events are in the
 * order of the host's clock, so by the clock of the device an event may begin
 * before the one that precedes it in the line. */
static bool is_over(const device_state *s, int64_t begin, int64_t end)
{
    return end == INT64_MAX || s->ends.data[s->ends.count - 1] < end ||
           s->open.data[s->open.count - 1].begin > begin;
}

/* Ends operations that do not enclose another; their self time is known. With
 * INT64_MAX for `end` all of them. */
static bool close_ops(device_state *s, int64_t begin, int64_t end)
{
    while (s->open.count > 0 && is_over(s, begin, end)) {
        s->ends.count--;
        if (!tfp_loading_add(s->l, &s->open.data[--s->open.count]))
            return false;
    }
    return true;
}

static int tpu_node(device_state *s, tfp_event_type *type, tfprof_error *err)
{
    tfp_stats stats;
    if (type->is_node_known)
        return TFPROF_OK;
    type->is_node_known = true;
    tfp_stats_of_type(&stats, s->plane, type);
    if (!tfp_stats_has(&stats, TFP_KNOWN_PROGRAM))
        return TFPROF_OK;
    return tfp_trace_tpu_node(&s->l->nodes, type, &stats, &type->node, err);
}

static int read_tpu_op(void *self, const tfp_event *event, tfprof_error *err)
{
    device_state *s = self;
    tfp_trace_run run = { .device = s->device, .runs = event->count };
    bool is_of_host;
    int64_t end;
    int status;
    s->l->unnamed_events += event->type == NULL;
    if (!event->type)
        return TFPROF_OK;
    status = tpu_node(s, event->type, err);
    run.node = event->type->node;
    if (status != TFPROF_OK || run.node == TFP_NO_NODE)
        return status;
    if (event->is_aggregated) {
        run.begin = event->begin;
        run.time = event->length;
        run.step = tfp_loading_place_timeless(s->l, TFP_NO_ID);
        run.owner = TFP_NO_ID;
        return tfp_loading_add(s->l, &run) ? TFPROF_OK : tfp_fail_nomem(err);
    }
    is_of_host = !device_times(event, &run.begin, &run.time);
    run.length = run.time;
    run.step = tpu_step_at(s, run.begin, is_of_host);
    run.owner = TFP_NO_ID;
    end = tfp_add_sat(run.begin, run.time);
    if (!close_ops(s, run.begin,
                   tfp_add_sat(run.begin, run.time > 0 ? run.time : 1)))
        return tfp_fail_nomem(err);
    if (s->open.count > 0) {
        tfp_trace_run *outer = &s->open.data[s->open.count - 1];
        outer->time = tfp_sub_sat(outer->time, run.time);
    }
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    return TFP_VEC_PUSH(s->l->memory, &s->open, run) &&
                   TFP_VEC_PUSH(s->l->memory, &s->ends, end)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

/* An event of any line; those of operations have a node. */
static int give_tpu_event(void *self, const tfp_event *event, tfprof_error *err)
{
    device_state *s = self;
    int64_t begin, length;
    bool is_of_host = !device_times(event, &begin, &length);
    int status = TFPROF_OK;
    uint32_t step;
    if (s->gives_ops && event->type)
        status = tpu_node(s, event->type, err);
    if (status != TFPROF_OK)
        return status;
    step = tpu_step_at(s, begin, is_of_host);
    return tfp_singles_event(s->l, event,
                             s->gives_ops && event->type ? event->type->node
                                                         : TFP_NO_NODE,
                             step, err);
}

static int give_tpu(device_state *s, tfprof_error *err)
{
    tfp_plane *plane = s->plane;
    tfp_line_walk walk = walk_of(s, give_tpu_event);
    int status = tfp_singles_plane(s->l, plane, err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        const tfp_trace_line *line = &plane->lines.data[i];
        s->gives_ops = tfp_span_is(line->name, "XLA Ops");
        status = tfp_singles_line(s->l, line, err);
        if (status == TFPROF_OK)
            status = tfp_plane_walk_line(plane, line, &walk, err);
    }
    tfp_line_walk_release(&walk);
    return status;
}

/* The lines of a plane that have this name. */
static int read_tpu_lines(device_state *s, const char *name,
                          tfp_event_fn *event, tfprof_error *err)
{
    tfp_plane *plane = s->plane;
    tfp_line_walk walk = walk_of(s, event);
    int status = TFPROF_OK;
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        const tfp_trace_line *line = &plane->lines.data[i];
        if (!tfp_span_is(line->name, name))
            continue;
        status = tfp_plane_walk_line(plane, line, &walk, err);
        if (!tfp_stops_all(status) && !close_ops(s, 0, INT64_MAX))
            status = tfp_fail_nomem(err);
    }
    s->l->odd_events += walk.odd_events;
    tfp_line_walk_release(&walk);
    return status;
}

static int note_tpu_step(void *self, const tfp_event *event, tfprof_error *err)
{
    device_state *s = self;
    int64_t number;
    tfp_span key = { (const uint8_t *)&number, sizeof(number) };
    if (!event->type || !step_number(event->type->name, &number))
        return TFPROF_OK;
    return tfp_intern(&s->l->device_steps, key) != TFP_NO_ID
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

int tfp_note_tpu_steps(tfp_loading *l, tfp_plane *plane, tfprof_error *err)
{
    device_state s = { .l = l, .plane = plane };
    int64_t odd_events = l->odd_events; /* which are counted later */
    int status = TFPROF_OK;
    if (l->choice.kind == TFP_CHOICE_NONE)
        status = read_tpu_lines(&s, "Steps", note_tpu_step, err);
    l->odd_events = odd_events;
    return status;
}

/* Where events of hosts are the steps, those of the TPU are not. */
static int read_tpu_steps(device_state *s, tfprof_error *err)
{
    switch (s->l->choice.kind) {
    case TFP_CHOICE_NONE: return read_tpu_lines(s, "Steps", read_tpu_step, err);
    case TFP_CHOICE_MODULES:
        return read_tpu_lines(s, "XLA Modules", read_tpu_step, err);
    default: return TFPROF_OK;
    }
}

int tfp_read_tpu(tfp_loading *l, tfp_plane *plane, tfprof_error *err)
{
    device_state s = { .l = l, .plane = plane };
    int status;
    if (plane->events == 0)
        return TFPROF_OK;
    s.device = tfp_loading_device(l, "TPU", number_of(plane->name), true);
    if (s.device == TFP_NO_ID)
        return tfp_fail_nomem(err);
    status = read_tpu_steps(&s, err);
    sort_tpu_steps(&s);
    if (status == TFPROF_OK)
        status = l->is_giving ? give_tpu(&s, err)
                              : read_tpu_lines(&s, "XLA Ops", read_tpu_op, err);
    TFP_VEC_RELEASE(l->memory, &s.open);
    TFP_VEC_RELEASE(l->memory, &s.ends);
    TFP_VEC_RELEASE(l->memory, &s.steps);
    return status;
}
