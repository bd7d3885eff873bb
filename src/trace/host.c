/*
 * host.c - the plane of a host: operations on its threads, and the links that
 * tie work to steps.
 *
 * Work that a thread pool runs stands between two events without length. From
 * the first to the second it belongs to whoever queued it.
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"
#include "model/inputs.h"
#include "trace/id_map.h"
#include "trace/loading.h"
#include "trace/singles.h"

/* Keras marks its steps by this event, which is no root. They go first, so
 * that what TensorFlow marks inside of them does not become a step; nor does
 * an iteration of a loop. */
static const char keras_step[] = "Profiled batch";
enum { KERAS_LEVEL = INT32_MAX };

/* A process that is not told. */
static const int64_t NO_PROCESS = INT64_MIN;

/* An anchor that is open on this line. */
typedef struct open_anchor {
    int64_t end;
    uint32_t anchor;
} open_anchor;

/* An operation that is open on this line. */
typedef struct open_op {
    int64_t end;
    size_t op; /* in host_ops */
} open_op;

/* What some names mean for links. */
typedef enum role {
    ROLE_NONE,
    ROLE_TRACE_CONTEXT,
    ROLE_KERAS_STEP,
    ROLE_REGION_START,
    ROLE_REGION_STOP,
    ROLE_EXECUTOR,
    ROLE_ITERATOR,
    ROLE_DATA_FUNCTION
} role;

/* How much there was when a line began. */
typedef struct host_mark {
    size_t chosen, anchors, producers, consumers, host_ops, launches;
    int64_t unnamed_events, unknown_instructions;
} host_mark;

typedef struct host_state {
    tfp_loading *l;
    tfp_plane *plane;
    int64_t process;        /* of the plane */
    TFP_VEC(uint8_t) roles; /* by event type */
    TFP_VEC(uint8_t) marks; /* likewise: tfp_spans_marks() of its name */
    TFP_VEC(open_anchor) anchors;
    TFP_VEC(open_op) ops;
    const tfp_trace_line *line;
    size_t chosen; /* events that were chosen as steps, so far */
    size_t region; /* index into anchors of the open one, plus 1, or 0 */
    host_mark mark;
    tfp_id_map devices; /* by number */
} host_state;

static role role_of(tfp_span name)
{
    static const struct {
        const char *name;
        role role;
    } roles[] = {
        { "TraceContext", ROLE_TRACE_CONTEXT },
        { keras_step, ROLE_KERAS_STEP },
        { "ThreadpoolListener::StartRegion", ROLE_REGION_START },
        { "ThreadpoolListener::StopRegion", ROLE_REGION_STOP },
        { "ExecutorState::Process", ROLE_EXECUTOR },
        { "IteratorGetNextOp::DoCompute", ROLE_ITERATOR },
        { "IteratorGetNextAsOptionalOp::DoCompute", ROLE_ITERATOR },
        { "InstantiatedCapturedFunction::Run", ROLE_DATA_FUNCTION },
        { "InstantiatedCapturedFunction::RunAsync", ROLE_DATA_FUNCTION },
        { "InstantiatedCapturedFunction::RunInstantiated", ROLE_DATA_FUNCTION },
        { "InstantiatedCapturedFunction::RunWithBorrowedArgs",
          ROLE_DATA_FUNCTION },
    };
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        if (tfp_span_is(name, roles[i].name))
            return roles[i].role;
    }
    return ROLE_NONE;
}

static role role_of_event(const host_state *s, const tfp_event *event)
{
    return event->type
               ? (role)s->roles.data[event->type - s->plane->event_types.data]
               : ROLE_NONE;
}

static unsigned marks_of(const host_state *s, const tfp_event *event)
{
    return event->type ? s->marks.data[event->type - s->plane->event_types.data]
                       : 0;
}

/* ---- Links -------------------------------------------------------------- */

/* The level of a root, or 0. */
static int64_t level_of(const tfp_event *event, role what)
{
    int64_t level = 0, number;
    if (tfp_stats_number(&event->stats, TFP_KNOWN_ROOT, &level))
        return level;
    if (what == ROLE_TRACE_CONTEXT)
        return 1;
    return what == ROLE_KERAS_STEP &&
                   tfp_stats_number(&event->stats, TFP_KNOWN_STEP_NUM, &number)
               ? KERAS_LEVEL
               : 0;
}

typedef struct links {
    bool produces, consumes;
    int64_t producer_type, producer, consumer_type, consumer, process;
} links;

static links links_of(const host_state *s, const tfp_stats *stats)
{
    links k = { .process = NO_PROCESS };
    bool has_producer, has_consumer, has_process;
    has_process = tfp_stats_number(stats, TFP_KNOWN_PROCESS, &k.process);
    has_producer = tfp_stats_number(stats, TFP_KNOWN_PRODUCER, &k.producer);
    has_consumer = tfp_stats_number(stats, TFP_KNOWN_CONSUMER, &k.consumer);
    k.produces = has_producer &&
                 tfp_stats_number(stats, TFP_KNOWN_PRODUCER_TYPE,
                                  &k.producer_type);
    k.consumes = has_consumer &&
                 tfp_stats_number(stats, TFP_KNOWN_CONSUMER_TYPE,
                                  &k.consumer_type);
    if (((has_consumer && !has_process) || has_producer) &&
        s->process != NO_PROCESS)
        k.process = s->process;
    if ((k.produces && k.producer_type == TFP_LINK_TPU_LAUNCH) ||
        (k.consumes && k.consumer_type == TFP_LINK_TPU_LAUNCH))
        k.process = NO_PROCESS;
    return k;
}

/* Closes what does not reach to the end of this event; what is left open
 * encloses it. */
static void close_before(host_state *s, int64_t end)
{
    while (s->anchors.count > 0 &&
           s->anchors.data[s->anchors.count - 1].end < end)
        s->anchors.count--;
    if (s->region > s->anchors.count)
        s->region = 0;
}

static void close_region(host_state *s)
{
    if (s->region > 0)
        s->anchors.count = s->region - 1;
    s->region = 0;
}

static uint32_t innermost(const host_state *s)
{
    return s->anchors.count ? s->anchors.data[s->anchors.count - 1].anchor
                            : TFP_NO_ID;
}

/* Executors that run one iteration of one graph, and who waits for them. */
static bool link_executor(host_state *s, const tfp_event *event, role what,
                          uint32_t anchor)
{
    int64_t id, iteration;
    if (!tfp_stats_number(&event->stats, TFP_KNOWN_ID, &id) ||
        !tfp_stats_number(&event->stats, TFP_KNOWN_ITER_NUM, &iteration))
        return true;
    return what == ROLE_EXECUTOR
               ? tfp_groups_produce(&s->l->groups, anchor, TFP_CONTEXT_EXECUTOR,
                                    id, iteration)
               : tfp_groups_consume(&s->l->groups, anchor, TFP_CONTEXT_EXECUTOR,
                                    id, iteration);
}

/* What an event is as a root. */
typedef struct root_of {
    int64_t level; /* 0: it is none */
    bool is_chosen;
    int64_t number;    /* with is_chosen: of its step... */
    bool keeps_number; /* ...unless it has one */
} root_of;

static root_of root_of_event(host_state *s, const tfp_event *event, role what)
{
    const tfp_step_choice *choice = &s->l->choice;
    root_of root = { .keeps_number = choice->by == TFP_STEPS_ASKED };
    if (choice->kind == TFP_CHOICE_NONE)
        root.level = level_of(event, what);
    else if (choice->kind == TFP_CHOICE_EVENTS &&
             tfp_choice_takes(choice, s->line, event, &s->chosen,
                              &root.number)) {
        root.is_chosen = true;
        root.level = KERAS_LEVEL;
    }
    return root;
}

/* Makes the anchor of an event that needs one, and opens it. */
static bool open_anchor_of(host_state *s, const tfp_event *event, role what,
                           const root_of *root, const links *k, bool is_async,
                           uint32_t *anchor)
{
    tfp_anchor a = { .parent = is_async ? TFP_NO_ID : innermost(s),
                     .level = root->level,
                     .begin = event->begin,
                     .end = tfp_event_end(event) };
    open_anchor open = { .end = a.end };
    a.has_step = tfp_stats_number(&event->stats, TFP_KNOWN_STEP_NUM, &a.step);
    a.has_iteration = tfp_stats_number(&event->stats, TFP_KNOWN_ITER_NUM,
                                       &a.iteration);
    a.has_id = tfp_stats_number(&event->stats, TFP_KNOWN_ID, &a.id);
    a.is_named = root->is_chosen || !(marks_of(s, event) & TFP_MARK_IMPLICIT);
    if (root->is_chosen && !(a.has_step && root->keeps_number)) {
        a.has_step = true;
        a.step = root->number;
    }
    a.is_executor = what == ROLE_EXECUTOR && a.has_id && a.has_iteration;
    s->l->groups.has_marked_steps |= root->level == KERAS_LEVEL;
    *anchor = open.anchor = tfp_groups_add(&s->l->groups, a);
    if (*anchor == TFP_NO_ID)
        return false;
    if (k->consumes &&
        !tfp_groups_consume(&s->l->groups, *anchor, k->consumer_type,
                            k->consumer, k->process))
        return false;
    if ((what == ROLE_ITERATOR || what == ROLE_EXECUTOR) &&
        !link_executor(s, event, what, *anchor))
        return false;
    if (is_async)
        return true;
    if (what == ROLE_REGION_START) {
        open.end = INT64_MAX; /* until it is told to stop */
        s->region = s->anchors.count + 1;
    }
    return TFP_VEC_PUSH(s->l->memory, &s->anchors, open);
}

/* A launch that stands on another line than the event that was chosen as step:
 * its step is that in whose time it is. */
static bool add_loose_launch(host_state *s, const tfp_event *event,
                             int64_t correlation)
{
    tfp_launch launch = { correlation, TFP_NO_ID };
    launch.anchor = tfp_groups_add(&s->l->groups,
                                   (tfp_anchor){ .parent = TFP_NO_ID,
                                                 .begin = event->begin,
                                                 .end = tfp_event_end(event),
                                                 .is_loose = true });
    return launch.anchor != TFP_NO_ID &&
           TFP_VEC_PUSH(s->l->memory, &s->l->launches, launch);
}

/* The anchor that an event is or is inside of. */
static bool link_event(host_state *s, const tfp_event *event, uint32_t *anchor)
{
    const tfp_stats *stats = &event->stats;
    role what = role_of_event(s, event);
    root_of root = root_of_event(s, event, what);
    int64_t correlation, async = 0, id;
    links k = links_of(s, stats);
    bool is_async = tfp_stats_number(stats, TFP_KNOWN_ASYNC, &async) &&
                    async != 0;
    if (what == ROLE_REGION_START || what == ROLE_REGION_STOP)
        close_region(s);
    if (what == ROLE_DATA_FUNCTION &&
        tfp_stats_number(stats, TFP_KNOWN_ID, &id) &&
        !tfp_id_map_put(&s->l->data_graphs, id, 0))
        return false;
    if (!is_async)
        close_before(s, tfp_event_end(event));
    *anchor = is_async ? TFP_NO_ID : innermost(s);
    if ((root.level != 0 || k.consumes || what == ROLE_EXECUTOR ||
         what == ROLE_ITERATOR || tfp_stats_has(stats, TFP_KNOWN_STEP_NUM) ||
         tfp_stats_has(stats, TFP_KNOWN_ITER_NUM)) &&
        !open_anchor_of(s, event, what, &root, &k, is_async, anchor))
        return false;
    if (k.produces &&
        !tfp_groups_produce(&s->l->groups, *anchor, k.producer_type, k.producer,
                            k.process))
        return false;
    if (!tfp_stats_number(stats, TFP_KNOWN_CORRELATION, &correlation))
        return true;
    if (*anchor == TFP_NO_ID && s->l->choice.kind == TFP_CHOICE_EVENTS)
        return add_loose_launch(s, event, correlation);
    if (*anchor != TFP_NO_ID)
        return TFP_VEC_PUSH(s->l->memory, &s->l->launches,
                            (tfp_launch){ correlation, *anchor });
    return true;
}

/* ---- Operations --------------------------------------------------------- */

/* TFP_NO_ID when out of memory. */
static uint32_t device_of(host_state *s, const tfp_stats *stats)
{
    int64_t ordinal = 0;
    uint32_t device;
    char digits[32];
    if (!tfp_stats_number(stats, TFP_KNOWN_DEVICE_ORDINAL, &ordinal) ||
        ordinal < 0) /* TensorFlow says -1 for the only one */
        ordinal = 0;
    device = tfp_id_map_find(&s->devices, ordinal);
    if (device != TFP_NO_ID)
        return device;
    snprintf(digits, sizeof(digits), "%lld", (long long)ordinal);
    device = tfp_loading_device(s->l, "CPU", tfp_span_of(digits), false);
    return device != TFP_NO_ID && tfp_id_map_put(&s->devices, ordinal, device)
               ? device
               : TFP_NO_ID;
}

/* The node of the operation that an event ran; TFP_NO_NODE when it is none. */
static int node_of(host_state *s, const tfp_event *event, uint32_t *node,
                   tfprof_error *err)
{
    const tfp_stats *stats = &event->stats;
    tfp_span op = tfp_stats_text(stats, TFP_KNOWN_HLO_OP);
    int64_t program;
    int status = TFPROF_OK;
    *node = TFP_NO_NODE;
    if (op.size > 0 && !tfp_stats_has(stats, TFP_KNOWN_CORRELATION) &&
        tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &program))
        return tfp_trace_event_node(&s->l->nodes, stats, program, op, node,
                                    err);
    if (!event->type || (event->type->op.sort != TFP_NAMED_TF &&
                         event->type->op.sort != TFP_NAMED_DATA))
        return TFPROF_OK;
    if (event->type->node == TFP_NO_NODE)
        status = tfp_trace_op_node(&s->l->nodes, &event->type->op,
                                   &event->type->node, err);
    *node = event->type->node;
    return status;
}

/* Opens an operation. Its time is subtracted from the self time of the
 * operation that encloses it. */
static bool nest_op(host_state *s, const tfp_event *event)
{
    int64_t end = tfp_add_sat(event->begin,
                              event->length > 0 ? event->length : 1);
    tfp_host_op *ops = s->l->host_ops.data;
    open_op open = { tfp_event_end(event), s->l->host_ops.count - 1 };
    while (s->ops.count > 0 && s->ops.data[s->ops.count - 1].end < end)
        s->ops.count--;
    if (s->ops.count > 0) {
        tfp_host_op *outer = &ops[s->ops.data[s->ops.count - 1].op];
        outer->self = tfp_sub_sat(outer->self, event->length);
    }
    return TFP_VEC_PUSH(s->l->memory, &s->ops, open);
}

/* The step of an instruction of the program whose executions are the steps. */
static bool find_run(host_state *s, const tfp_event *event, uint32_t *step)
{
    const tfp_step_choice *choice = &s->l->choice;
    int64_t program, run;
    uint32_t number;
    if (!tfp_stats_number(&event->stats, TFP_KNOWN_PROGRAM, &program) ||
        program != choice->program ||
        !tfp_stats_number(&event->stats, TFP_KNOWN_RUN, &run))
        return true;
    number = tfp_id_map_find(&choice->numbers, run);
    if (number == TFP_NO_ID)
        return true;
    *step = tfp_loading_step(s->l, number);
    return *step != TFP_NO_ID;
}

static int add_op(host_state *s, const tfp_event *event, uint32_t anchor,
                  tfprof_error *err)
{
    tfp_host_op op = { .begin = event->begin,
                       .self = event->length,
                       .length = event->is_aggregated ? 0 : event->length,
                       .runs = event->count,
                       .anchor = anchor,
                       .step = TFP_NO_ID,
                       .is_aggregated = event->is_aggregated };
    int64_t group;
    int status = node_of(s, event, &op.node, err);
    if (status != TFPROF_OK || op.node == TFP_NO_NODE)
        return status;
    op.device = device_of(s, &event->stats);
    if (s->l->states_groups &&
        tfp_stats_number(&event->stats, TFP_KNOWN_GROUP, &group)) {
        op.step = tfp_loading_step(s->l, group);
        if (op.step == TFP_NO_ID)
            return tfp_fail_nomem(err);
    }
    if (s->l->choice.kind == TFP_CHOICE_RUNS && !find_run(s, event, &op.step))
        return tfp_fail_nomem(err);
    if (op.device == TFP_NO_ID ||
        !TFP_VEC_PUSH(s->l->memory, &s->l->host_ops, op))
        return tfp_fail_nomem(err);
    return event->is_aggregated || nest_op(s, event) ? TFPROF_OK
                                                     : tfp_fail_nomem(err);
}

/* ---- Lines -------------------------------------------------------------- */

/* What an allocation is known by when its step is looked for. */
static uint32_t mark_of(const host_state *s, const tfp_event *event,
                        uint32_t anchor)
{
    int64_t group;
    if (!s->l->states_groups)
        return anchor;
    return tfp_stats_number(&event->stats, TFP_KNOWN_GROUP, &group) &&
                   group >= 0 && group < TFP_NO_ID
               ? (uint32_t)group
               : TFP_NO_ID;
}

/* `known` is how many operations there were before this event. */
static bool gather_memory(host_state *s, const tfp_event *event,
                          uint32_t anchor, size_t known)
{
    tfp_loading *l = s->l;
    uint32_t node = TFP_NO_NODE;
    if (l->host_ops.count > known)
        node = l->host_ops.data[known].node;
    return tfp_trace_memory_add(&l->allocations, event, node,
                                mark_of(s, event, anchor));
}

static int read_event(void *self, const tfp_event *event, tfprof_error *err)
{
    host_state *s = self;
    uint32_t anchor = TFP_NO_ID;
    size_t known = s->l->host_ops.count;
    int status;
    s->l->unnamed_events += event->type == NULL;
    if (!event->is_aggregated && !s->l->states_groups && !s->l->has_no_groups &&
        !link_event(s, event, &anchor))
        return tfp_fail_nomem(err);
    if (tfp_singles_are_wanted(s->l) &&
        !TFP_VEC_PUSH(s->l->memory, &s->l->event_anchors, anchor))
        return tfp_fail_nomem(err);
    if ((s->l->spans.is_on || s->l->states_groups) && !event->is_aggregated &&
        !tfp_spans_mark_host(s->l, event, marks_of(s, event), anchor))
        return tfp_fail_nomem(err);
    if (s->l->kernels.is_on && !tfp_kernels_add_launch(s->l, event))
        return tfp_fail_nomem(err);
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    status = add_op(s, event, anchor, err);
    if (status == TFPROF_OK && tfp_trace_memory_gathers(&s->l->allocations) &&
        !gather_memory(s, event, anchor, known))
        status = tfp_fail_nomem(err);
    return status;
}

static void begin_line(host_state *s)
{
    const tfp_loading *l = s->l;
    s->anchors.count = s->ops.count = s->region = 0;
    s->mark = (host_mark){
        .chosen = s->chosen,
        .anchors = l->groups.anchors.count,
        .producers = l->groups.producers.count,
        .consumers = l->groups.consumers.count,
        .host_ops = l->host_ops.count,
        .launches = l->launches.count,
        .unnamed_events = l->unnamed_events,
        .unknown_instructions = l->nodes.unknown_instructions,
    };
}

/* Removes everything that was read from this line. Nothing outside of a line
 * refers to it. Names that it added stay, which is harmless. */
static void begin_line_again(void *self)
{
    host_state *s = self;
    tfp_loading *l = s->l;
    s->anchors.count = s->ops.count = s->region = 0;
    s->chosen = s->mark.chosen;
    l->groups.anchors.count = s->mark.anchors;
    l->groups.producers.count = s->mark.producers;
    l->groups.consumers.count = s->mark.consumers;
    l->host_ops.count = s->mark.host_ops;
    l->launches.count = s->mark.launches;
    l->unnamed_events = s->mark.unnamed_events;
    l->nodes.unknown_instructions = s->mark.unknown_instructions;
}

static bool find_roles(host_state *s)
{
    for (size_t i = 0; i < s->plane->event_types.count; i++) {
        uint8_t what = (uint8_t)role_of(s->plane->event_types.data[i].name);
        uint8_t marks = (uint8_t)tfp_spans_marks(
            s->plane->event_types.data[i].name);
        if (!TFP_VEC_PUSH(s->l->memory, &s->roles, what) ||
            !TFP_VEC_PUSH(s->l->memory, &s->marks, marks))
            return false;
    }
    return true;
}

/* Can a line be read and removed again? Data gathered for tables cannot be
 * removed; if there is any, each line is checked before it is read. */
static bool takes_back(const tfp_loading *l)
{
    return l->request->model->gathers == 0;
}

/* ---- Single events ------------------------------------------------------ */

/* Events come as they came before, so their anchors are known. */
static int give_event(void *self, const tfp_event *event, tfprof_error *err)
{
    host_state *s = self;
    tfp_loading *l = s->l;
    uint32_t node = TFP_NO_NODE, anchor = TFP_NO_ID;
    int status = node_of(s, event, &node, err);
    if (l->given_events < l->event_anchors.count)
        anchor = l->event_anchors.data[l->given_events++];
    return status == TFPROF_OK
               ? tfp_singles_host_event(l, event, node, anchor, err)
               : status;
}

/* Of a line that repeats what others have. */
static int give_derived(void *self, const tfp_event *event, tfprof_error *err)
{
    host_state *s = self;
    return tfp_singles_host_event(s->l, event, TFP_NO_NODE, TFP_NO_ID, err);
}

static int give_host(host_state *s, tfp_line_walk *walk, tfprof_error *err)
{
    tfp_plane *plane = s->plane;
    int status = tfp_singles_plane(s->l, plane, err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        const tfp_trace_line *line = &plane->lines.data[i];
        walk->event = tfp_line_is_derived(line) ? give_derived : give_event;
        status = tfp_singles_line(s->l, line, err);
        if (status == TFPROF_OK)
            status = tfp_plane_walk_line(plane, line, walk, err);
    }
    return status;
}

/* ---- The plane ---------------------------------------------------------- */

static int read_lines(host_state *s, tfp_line_walk *walk, tfprof_error *err)
{
    tfp_plane *plane = s->plane;
    int status = find_roles(s) ? TFPROF_OK : tfp_fail_nomem(err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        const tfp_trace_line *line = &plane->lines.data[i];
        s->line = line;
        begin_line(s);
        tfp_trace_memory_line(&s->l->allocations);
        if (!tfp_line_is_derived(line))
            status = tfp_plane_walk_line(plane, line, walk, err);
    }
    s->l->odd_events += walk->odd_events;
    return status;
}

int tfp_read_host(tfp_loading *l, tfp_plane *plane, tfprof_error *err)
{
    host_state s = { .l = l, .plane = plane, .process = NO_PROCESS };
    tfp_line_walk walk = { .event = read_event,
                           .self = &s,
                           .again = takes_back(l) ? begin_line_again : NULL,
                           .epoch = l->space->epoch,
                           .max_depth = l->request->max_depth };
    tfp_stats stats;
    int status;
    tfp_id_map_init(&s.devices, l->memory, l->space->seed);
    tfp_stats_of_plane(&stats, plane);
    (void)tfp_stats_number(&stats, TFP_KNOWN_PROCESS_ID, &s.process);
    status = l->is_giving ? give_host(&s, &walk, err)
                          : read_lines(&s, &walk, err);
    tfp_line_walk_release(&walk);
    tfp_id_map_release(&s.devices);
    TFP_VEC_RELEASE(l->memory, &s.roles);
    TFP_VEC_RELEASE(l->memory, &s.marks);
    TFP_VEC_RELEASE(l->memory, &s.anchors);
    TFP_VEC_RELEASE(l->memory, &s.ops);
    return status;
}
