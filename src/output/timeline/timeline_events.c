/*
 * timeline_events.c - the events of traces as slices: a process for each plane,
 * and in it a lane for each line.
 *
 * Events are written as they come. What is kept are numbers for each node and
 * each launch.
 */
#include "output/timeline/timeline_events.h"

#include <stdio.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "model/census.h"
#include "model/gathered.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/pools.h"
#include "model/times.h"
#include "model/traces.h"
#include "options/options.h"
#include "output/text/figures.h"
#include "output/timeline/lanes.h"
#include "output/timeline/timeline_parts.h"
#include "view/patterns.h"

enum { MOST_OF_NAME = 256 }; /* of a host, and of a plane */

/* What is known of a name, be it that of a node or of an event. */
enum { NOT_ASKED, NOT_DRAWN, DRAWN /* of a node: plus its row */ };

/* An event that started work, and where it is drawn. */
typedef struct launch {
    tfp_trace_place place;
    bool has_length; /* in a viewer: an arrow finds it */
} launch;

typedef struct picture {
    tfp_timeline timeline;
    tfp_view *view;
    tfp_memory *memory;
    tfp_sink *sink;
    size_t rounds;
    int64_t arrows;

    /* What is drawn: */
    uint32_t *row_of;         /* by member: its row plus 1, or 0 */
    TFP_VEC(uint32_t) states; /* of nodes, by tfp_string of `traces` */
    bool draws_others;        /* events that ran no node */
    int64_t least_length;     /* of these */
    bool asks_names;
    TFP_VEC(uint8_t) verdicts; /* of these, by tfp_string of `traces` */

    /* The trace at hand: */
    const tfp_model *traces;
    tfp_span host;
    tfp_interner links; /* tfp_event_link; item k + 1 is launches[k] */
    TFP_VEC(launch) launches;

    /* The plane and the line at hand: */
    tfp_span plane, line;
    int64_t line_id;
    bool has_process, has_line;
    int64_t process, lane;
    TFP_VEC(int64_t) open; /* ends of slices, each within the one before */
    tfp_lanes more;        /* for what does not lie within another */
    uint32_t named;        /* of these */

    /* The allocator at hand: */
    bool has_allocator;
    tfp_string allocator;
    int64_t level;
    tfp_trace_place levels;
    int64_t memory_process; /* 0: none yet */
} picture;

static tfp_trace *trace_of(picture *p)
{
    return &p->timeline.trace;
}

/* ---- Which events ------------------------------------------------------- */

static bool find_rows(picture *p)
{
    const tfp_view *v = p->view;
    size_t count = v->census->members.count;
    p->row_of = tfp_memory_zarray(p->memory, count + 1, sizeof(*p->row_of));
    for (size_t i = 0; p->row_of && i < v->shown_count; i++) {
        uint32_t row = v->shown[i].row, member = v->rows.data[row].subject;
        if (member != TFP_NO_ID)
            p->row_of[member] = row + 1;
    }
    return p->row_of != NULL;
}

/* Events that ran no node have a name and a length, and nothing else that an
 * option could ask for. */
static void judge_options(picture *p)
{
    const tfp_view *v = p->view;
    const tfp_options *o = v->options;
    p->draws_others = v->account.any && v->start.any && v->devices.any;
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (o->self_minima[cost] > 0 ||
            (cost != TFP_COST_MICROS && o->minima[cost] > 0))
            p->draws_others = false;
    }
    p->least_length = tfp_cost_from_user(
        TFP_COST_MICROS, o->minima[TFP_COST_MICROS], TFP_PICOSECOND);
    p->asks_names = !v->show.any || v->hide.count > 0 || v->trim.count > 0;
}

static uint32_t state_of_node(const picture *p, tfp_string node)
{
    const tfp_census *census = p->view->census;
    tfp_string name = tfp_model_name_in(p->view->model, p->traces, node);
    uint32_t member;
    if (name == TFP_NO_ID || name >= census->name_count)
        return NOT_DRAWN;
    member = census->by_name[name];
    return member != TFP_NO_ID && p->row_of[member] > 0
               ? DRAWN + p->row_of[member] - 1
               : NOT_DRAWN;
}

static bool find_node(picture *p, tfp_string node, uint32_t *state)
{
    while (p->states.count <= node) {
        if (!TFP_VEC_PUSH(p->memory, &p->states, NOT_ASKED))
            return false;
    }
    if (p->states.data[node] == NOT_ASKED)
        p->states.data[node] = state_of_node(p, node);
    *state = p->states.data[node];
    return true;
}

/* Matching costs much, so a name is asked about once. */
static bool find_name(picture *p, const tfp_single_event *event,
                      uint32_t *state)
{
    tfp_view *v = p->view;
    tfp_span name = event->name;
    tfp_string item = event->string;
    while (p->verdicts.count <= item) {
        if (!TFP_VEC_PUSH(p->memory, &p->verdicts, NOT_ASKED))
            return false;
    }
    if (p->verdicts.data[item] == NOT_ASKED)
        p->verdicts.data[item] = tfp_patterns_match(&v->show, name) &&
                                         !tfp_patterns_match(&v->hide, name) &&
                                         !tfp_patterns_match(&v->trim, name)
                                     ? DRAWN
                                     : NOT_DRAWN;
    *state = p->verdicts.data[item];
    return true;
}

/* False when out of memory. */
static bool judge(picture *p, const tfp_single_event *event, uint32_t *state)
{
    *state = NOT_DRAWN;
    if (event->node)
        return find_node(p, event->node, state);
    if (!p->draws_others || event->length < p->least_length)
        return true;
    *state = DRAWN;
    return !p->asks_names || find_name(p, event, state);
}

static bool is_asked_for(const picture *p, int64_t step)
{
    return tfp_step_is_average(p->view->options->step) ||
           p->view->options->step == step;
}

/* ---- Processes and lanes ------------------------------------------------ */

/* Adds a name to `text`, which has room for it. The length by then. */
static size_t append(char *text, size_t used, tfp_span name)
{
    size_t size = tfp_utf8_cut(name, MOST_OF_NAME);
    if (size > 0)
        memcpy(text + used, name.data, size);
    return used + size;
}

/* "HOST: PLANE", or the plane alone. */
static int64_t name_process(picture *p, tfp_span plane)
{
    int64_t number = ++p->timeline.processes;
    char text[2 * MOST_OF_NAME + sizeof(": ")];
    size_t size = append(text, 0, p->host);
    if (size > 0)
        size = append(text, size, tfp_span_of(": "));
    size = append(text, size, plane);
    tfp_trace_process(trace_of(p), number, "",
                      (tfp_span){ (const uint8_t *)text, size }, "");
    tfp_trace_order_process(trace_of(p), number);
    return number;
}

static void name_lane(picture *p, uint32_t more)
{
    tfp_trace_place place = { p->process, p->lane + more, 0 };
    tfp_span name = tfp_timeline_shorten(&p->timeline, p->line);
    char digits[TFP_FIGURE_SIZE], suffix[TFP_FIGURE_SIZE + 4] = "";
    if (name.size == 0)
        name = (tfp_span){ (const uint8_t *)digits,
                           tfp_figure_integer(p->line_id, digits) };
    if (more > 0)
        snprintf(suffix, sizeof(suffix), " (%u)", (unsigned)more + 1);
    tfp_trace_lane(trace_of(p), place, name, suffix);
}

/* A line is named when the first slice of it comes. */
static void enter_line(picture *p)
{
    if (!p->has_process) {
        p->process = name_process(p, p->plane);
        p->has_process = true;
    }
    if (!p->has_line) {
        p->lane = p->timeline.lanes + 1;
        name_lane(p, 0);
        p->has_line = true;
    }
}

static void end_slices(picture *p, int64_t by)
{
    while (p->open.count > 0 && p->open.data[p->open.count - 1] <= by) {
        tfp_trace_place place = { p->process, p->lane,
                                  p->open.data[--p->open.count] };
        tfp_trace_end_slice(trace_of(p), place);
    }
}

static void end_line(picture *p)
{
    end_slices(p, INT64_MAX);
    if (p->has_line)
        p->timeline.lanes += 1 + (int64_t)p->more.count;
    p->has_line = false;
    p->named = 0;
    tfp_lanes_clear(&p->more);
}

static void begin_plane(picture *p, tfp_span name)
{
    end_line(p);
    p->plane = name;
    p->has_process = false;
}

static void begin_line(picture *p, tfp_span name, int64_t id)
{
    end_line(p);
    p->line = name;
    p->line_id = id;
}

/* ---- Slices ------------------------------------------------------------- */

static void put_source(picture *p, const tfp_member *member)
{
    const tfp_model *model = p->view->model;
    tfp_stack below, stack = tfp_member_trace(model, member);
    const tfp_frame *frame;
    if (stack == 0)
        return;
    frame = tfp_stack_top(model, stack, &below);
    tfp_timeline_put_text(&p->timeline, "file",
                          tfp_model_text(model, frame->file));
    tfp_json_int(&trace_of(p)->json, "line", frame->line);
    tfp_timeline_put_text(&p->timeline, "function",
                          tfp_model_text(model, frame->function));
}

/* Are two names the same, as far as they are drawn? Each event asks. */
static bool are_same(tfp_span a, tfp_span b)
{
    size_t size = a.size < TFP_TIMELINE_TEXT ? a.size : TFP_TIMELINE_TEXT;
    return a.size == b.size && (size == 0 || !memcmp(a.data, b.data, size));
}

static void put_node(picture *p, uint32_t row, tfp_span event)
{
    const tfp_view *v = p->view;
    tfp_span name = tfp_row_name(&v->rows.data[row]);
    if (!are_same(name, event))
        tfp_timeline_put_text(&p->timeline, "node", name);
    tfp_timeline_put_op(&p->timeline, row);
    put_source(p, &v->census->members.data[v->rows.data[row].subject]);
}

/* The lane of an event: that of its line, where it lies within the slice that
 * is open; else the first that is free. False when out of memory. */
static bool find_lane(picture *p, int64_t begin, int64_t end, uint32_t *more)
{
    end_slices(p, begin);
    *more = 0;
    if (p->open.count == 0 || p->open.data[p->open.count - 1] >= end)
        return TFP_VEC_PUSH(p->memory, &p->open, end);
    *more = tfp_lanes_take(&p->more, begin, end);
    if (*more == TFP_NO_ID)
        return false;
    ++*more;
    while (p->named < *more)
        name_lane(p, ++p->named);
    return true;
}

static bool put_slice(picture *p, const tfp_single_event *event, uint32_t state,
                      tfp_trace_place *place)
{
    int64_t end = tfp_add_sat(event->begin, event->length);
    tfp_trace *trace = trace_of(p);
    tfp_span name;
    uint32_t more;
    enter_line(p);
    if (!find_lane(p, event->begin, end, &more))
        return false;
    *place = (tfp_trace_place){ p->process, p->lane + more, event->begin };
    name = tfp_timeline_shorten(&p->timeline, event->name);
    p->timeline.notes->cut_names += name.data != event->name.data;
    tfp_trace_begin_slice(trace, *place, name);
    if (event->node) {
        tfp_timeline_count(&p->timeline, state - DRAWN);
        put_node(p, state - DRAWN, event->name);
    } else {
        tfp_slice_sizes_add(&p->timeline.notes->slices,
                            event->length / TFP_MICROSECOND);
    }
    if (event->is_in_step)
        tfp_json_exact_int(&trace->json, "step", event->step);
    tfp_trace_close_event(trace);
    if (more > 0)
        tfp_trace_end_slice(trace,
                            (tfp_trace_place){ p->process, place->lane, end });
    return true;
}

/* ---- Arrows ------------------------------------------------------------- */

/* Viewers count nanoseconds. */
static int64_t rounded(int64_t time)
{
    return tfp_time_round(time, TFP_PICOSECOND, TFP_NANOSECOND);
}

static tfp_span key_of(const tfp_single_event *event)
{
    return (tfp_span){ (const uint8_t *)&event->link, sizeof(event->link) };
}

static bool add_launch(picture *p, const tfp_single_event *event,
                       tfp_trace_place place, bool has_length)
{
    uint32_t item = tfp_intern(&p->links, key_of(event));
    if (item == TFP_NO_ID)
        return false;
    while (p->launches.count < item) {
        if (!TFP_VEC_PUSH(p->memory, &p->launches, (launch){ 0 }))
            return false;
    }
    p->launches.data[item - 1] = (launch){ place, has_length };
    return true;
}

/* From the start of the launch, as its end may lie behind that of what it
 * started. */
static void put_arrow(picture *p, const tfp_single_event *event,
                      tfp_trace_place place)
{
    uint32_t item = tfp_interner_find(&p->links, key_of(event));
    const launch *from;
    if (item == TFP_NO_ID || item == 0)
        return;
    from = &p->launches.data[item - 1];
    if (!from->has_length || from->place.at > place.at)
        return;
    if (p->arrows < p->view->options->max_arrows)
        tfp_trace_flow(trace_of(p), TFP_FLOW_LAUNCH, ++p->arrows, from->place,
                       place);
    else
        p->timeline.notes->no_launches++;
}

/* ---- What the trace gives ----------------------------------------------- */

static int take_event(void *self, const tfp_single_event *event,
                      tfprof_error *err)
{
    picture *p = self;
    tfp_trace_place place;
    uint32_t state;
    bool has_length, ok = true;
    if (tfp_sink_is_done(p->sink, p->rounds++))
        return tfp_fail_cancelled(err);
    if (!is_asked_for(p, event->step))
        return TFPROF_OK;
    if (!judge(p, event, &state))
        return tfp_fail_nomem(err);
    if (state == NOT_DRAWN)
        return TFPROF_OK;
    if (!put_slice(p, event, state, &place))
        return tfp_fail_nomem(err);
    has_length = rounded(event->begin) <
                 rounded(tfp_add_sat(event->begin, event->length));
    if (event->starts_work)
        ok = add_launch(p, event, place, has_length);
    else if (event->is_started && has_length)
        put_arrow(p, event, place);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

static int take_plane(void *self, tfp_span name, tfprof_error *err)
{
    (void)err;
    begin_plane(self, name);
    return TFPROF_OK;
}

static int take_line(void *self, tfp_span name, int64_t id, tfprof_error *err)
{
    (void)err;
    begin_line(self, name, id);
    return TFPROF_OK;
}

/* ---- Memory ------------------------------------------------------------- */

/* "Allocated Bytes: GPU_0_bfc", in `text`. */
static tfp_span name_level(tfp_span allocator, char *text)
{
    size_t size = append(text, 0, tfp_span_of("Allocated Bytes"));
    allocator.size = tfp_utf8_cut(allocator, MOST_OF_NAME);
    if (allocator.size > 0)
        size = append(text, size, tfp_span_of(": "));
    size = append(text, size, tfp_span_of(tfp_allocator_prefix(allocator)));
    size = append(text, size, allocator);
    return (tfp_span){ (const uint8_t *)text, size };
}

static int take_level(void *self, const tfp_memory_level *level,
                      tfprof_error *err)
{
    picture *p = self;
    tfp_span allocator = tfp_model_text(p->traces, level->allocator);
    char name[2 * MOST_OF_NAME];
    if (tfp_sink_is_done(p->sink, p->rounds++))
        return tfp_fail_cancelled(err);
    if (!is_asked_for(p, level->step))
        return TFPROF_OK;
    if (p->memory_process == 0)
        p->memory_process = name_process(p, tfp_span_of("memory"));
    if (!p->has_allocator || p->allocator != level->allocator)
        p->levels = (tfp_trace_place){ p->memory_process, ++p->timeline.lanes,
                                       0 };
    else if (p->level == level->bytes)
        return TFPROF_OK;
    p->has_allocator = true;
    p->allocator = level->allocator;
    p->level = level->bytes;
    p->levels.at = level->at;
    tfp_trace_counter(trace_of(p), p->levels, "", name_level(allocator, name),
                      "Allocator Bytes in Use", level->bytes);
    return TFPROF_OK;
}

/* ---- Steps -------------------------------------------------------------- */

typedef struct step_span {
    int64_t begin, end;
} step_span;

static bool has_marker(const tfp_step_time *step)
{
    return step->wall >= 0;
}

/* From the marker of the host; where there is none, from the first run to the
 * last. A step that ran nothing ends before it begins. */
static void find_spans(const tfp_gathered *g, step_span *spans)
{
    for (size_t i = 0; i < g->steps.count; i++)
        spans[i] = (step_span){ INT64_MAX, INT64_MIN };
    for (size_t i = 0; i < g->step_devices.count; i++) {
        const tfp_step_device *device = &g->step_devices.data[i];
        const tfp_step_time *step = &g->steps.data[device->step];
        step_span *span = &spans[device->step];
        int64_t begin = device->first, end = device->last;
        if (has_marker(step)) {
            begin = step->begin;
            end = tfp_add_sat(step->begin, step->wall);
        }
        span->begin = begin < span->begin ? begin : span->begin;
        span->end = end > span->end ? end : span->end;
    }
}

static bool put_step(picture *p, const tfp_step_time *step,
                     const step_span *span)
{
    char name[TFP_FIGURE_SIZE + sizeof("step ")];
    tfp_single_event event = { .begin = span->begin,
                               .length = tfp_sub_sat(span->end, span->begin),
                               .step = step->number,
                               .is_in_step = true };
    tfp_trace_place place;
    memcpy(name, "step ", sizeof("step "));
    tfp_figure_integer(step->number, name + strlen("step "));
    event.name = tfp_span_of(name);
    return put_slice(p, &event, DRAWN, &place);
}

/* What is in no step is none. */
static bool put_steps(picture *p, size_t input)
{
    const tfp_gathered *g = &p->traces->gathered;
    size_t all = g->steps.count, count = 0;
    step_span *spans = tfp_memory_array(p->memory, all + 1, sizeof(*spans));
    tfp_sort_item *items = tfp_memory_array(p->memory, 2 * all + 1,
                                            sizeof(*items));
    bool ok = spans && items;
    if (ok)
        find_spans(g, spans);
    for (size_t i = 0; ok && i < all; i++) {
        const tfp_step_time *step = &g->steps.data[i];
        if (step->input == input && !step->is_rest &&
            spans[i].begin <= spans[i].end && is_asked_for(p, step->number))
            items[count++] = (tfp_sort_item){
                tfp_sort_key_rising(spans[i].begin), (uint32_t)i
            };
    }
    if (ok)
        tfp_sort(items, count, items + all, NULL, NULL);
    begin_plane(p, tfp_span_of("steps"));
    begin_line(p, tfp_span_of("steps"), 0);
    for (size_t i = 0; ok && i < count; i++)
        ok = put_step(p, &g->steps.data[items[i].index],
                      &spans[items[i].index]);
    end_line(p);
    tfp_memory_free(p->memory, spans);
    tfp_memory_free(p->memory, items);
    return ok;
}

static int take_trace(void *self, const tfp_model *model, size_t input,
                      tfp_span host, tfprof_error *err)
{
    picture *p = self;
    end_line(p);
    p->traces = model;
    p->host = host;
    p->launches.count = 0;
    p->has_allocator = false;
    p->memory_process = 0;
    return tfp_interner_clear(&p->links) && put_steps(p, input)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

/* ---- All of it ---------------------------------------------------------- */

static bool begin(picture *p)
{
    uint64_t seed = tfp_random_seed();
    judge_options(p);
    return find_rows(p) && tfp_interner_init(&p->links, p->memory, 8, seed);
}

static void release(picture *p)
{
    tfp_interner_release(&p->links);
    tfp_lanes_release(&p->more);
    TFP_VEC_RELEASE(p->memory, &p->states);
    TFP_VEC_RELEASE(p->memory, &p->verdicts);
    TFP_VEC_RELEASE(p->memory, &p->launches);
    TFP_VEC_RELEASE(p->memory, &p->open);
    tfp_memory_free(p->memory, p->row_of);
}

/* Why names could not be matched, if so. */
static int check_patterns(const tfp_view *v, tfprof_error *err)
{
    const tfp_patterns *lists[] = { &v->show, &v->hide, &v->trim };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (lists[i]->status == TFPROF_OK)
            continue;
        if (err)
            *err = lists[i]->why;
        return lists[i]->status;
    }
    return TFPROF_OK;
}

int tfp_timeline_write_events(tfp_view *view, tfp_timeline_notes *notes,
                              const tfp_event_giver *giver, tfp_sink *sink,
                              tfprof_error *err)
{
    picture p = { .timeline = { .view = view, .notes = notes },
                  .view = view,
                  .memory = view->memory,
                  .sink = sink,
                  .more = { .memory = view->memory } };
    tfp_event_taker taker = { .self = &p,
                              .trace = take_trace,
                              .level = take_level,
                              .plane = take_plane,
                              .line = take_line,
                              .event = take_event };
    int status = begin(&p) ? TFPROF_OK : tfp_fail_nomem(err);
    tfp_trace_open(trace_of(&p), sink, TFP_PICOSECOND);
    if (status == TFPROF_OK)
        status = giver->give(giver->self, &taker, err);
    if (sink->failed) /* which ended the reading */
        status = tfp_sink_fail(sink, err);
    if (status == TFPROF_OK)
        status = check_patterns(view, err);
    if (status == TFPROF_OK) {
        end_line(&p);
        tfp_timeline_close(&p.timeline, "all");
    }
    release(&p);
    return status;
}
