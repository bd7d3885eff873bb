/*
 * line.c - the events of a line, in order.
 *
 * Writers sort them, so they are handed on as they are read. Only a line in
 * which one turns out to be out of order is held whole and sorted.
 */
#include "base/intern.h"
#include "base/reader.h"
#include "base/sort.h"
#include "base/store.h"
#include "proto/walk.h"
#include "proto/xspace.h"
#include "trace/plane.h"

typedef struct held_event {
    size_t at, size; /* in `bytes` */
    int64_t begin, length;
} held_event;

/* What is done with each event. */
typedef enum line_pass {
    GIVE,       /* as it is read */
    GIVE_TESTS, /* the same, until one is out of order */
    TEST,       /* look only whether one is */
    HOLD        /* keep it, to be sorted */
} line_pass;

/* Ends a walk at an event that is out of order; no status has this number. */
enum { OUT_OF_ORDER = 1000 };

typedef struct line_state {
    tfp_plane *plane;
    const tfp_trace_line *line;
    tfp_line_walk *walk;
    line_pass pass;
    int64_t start; /* of the line, in picoseconds */
    bool has_odd_start;
    int64_t last_begin, last_length; /* of the event before this one */
    TFP_VEC(uint8_t) bytes;
    TFP_VEC(held_event) events;
    tfp_event event;
} line_state;

/* A part of a store, read from its start to its end. */
typedef struct part {
    const tfp_store *store;
    uint64_t at, end;
} part;

static ptrdiff_t read_part(void *self, void *buffer, size_t size,
                           tfprof_error *err)
{
    part *p = self;
    int status;
    if (size > p->end - p->at)
        size = (size_t)(p->end - p->at);
    if (size == 0)
        return 0;
    status = tfp_store_read(p->store, p->at, buffer, size, err);
    if (status != TFPROF_OK)
        return status;
    p->at += size;
    return (ptrdiff_t)size;
}

/* The place of an event in time. What cannot be is set to what can. */
static void set_times(line_state *s, const tfp_xevent *from)
{
    tfp_event *event = &s->event;
    event->metadata = from->metadata;
    event->is_aggregated = from->is_aggregated;
    event->count = 1;
    event->begin = tfp_add_sat(s->start, from->offset);
    event->length = from->duration;
    event->is_odd = s->has_odd_start || event->begin == INT64_MAX ||
                    event->begin == INT64_MIN;
    if (from->is_aggregated) {
        event->begin = s->start;
        event->count = from->occurrences;
    }
    if (event->count < 0 || event->length < 0) {
        event->is_odd = true;
        event->count = event->count < 0 ? 0 : event->count;
        event->length = event->length < 0 ? 0 : event->length;
    }
}

/* Is the event that was read behind the one before it? */
static bool is_in_order(line_state *s)
{
    const tfp_event *event = &s->event;
    if (event->is_aggregated)
        return true;
    if (event->begin < s->last_begin ||
        (event->begin == s->last_begin && event->length > s->last_length))
        return false;
    s->last_begin = event->begin;
    s->last_length = event->length;
    return true;
}

/* Stats of the usual form, at once. They are one level below the event, which
 * is asked for here and not for each. */
static void take_numbers(line_state *s, tfp_wire *w)
{
    if (w->record->depth < w->record->max_depth)
        tfp_xevent_take_numbers(w, &s->plane->places, s->event.stats.at,
                                &s->event.stats.has);
}

static int give(line_state *s, tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_event *event = &s->event;
    tfp_xevent from;
    tfp_field stat;
    event->stats.plane = s->plane;
    event->stats.has = 0;
    tfp_xevent_read_head(&w, &from);
    take_numbers(s, &w);
    while (tfp_xevent_next_stat(&w, &from, &stat)) {
        tfp_stats_add(&event->stats, &w, &stat);
        take_numbers(s, &w);
    }
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    set_times(s, &from);
    if (s->pass == GIVE_TESTS && !is_in_order(s))
        return OUT_OF_ORDER;
    s->walk->odd_events += event->is_odd;
    event->type = tfp_plane_event_type(s->plane, event->metadata);
    return s->walk->event(s->walk->self, event, err);
}

/* Reads only the times of an event. False when it is damaged. */
static bool read_times(line_state *s, tfp_record *record)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_xevent from;
    tfp_field stat;
    tfp_xevent_read_head(&w, &from);
    while (tfp_xevent_next_stat(&w, &from, &stat))
        continue;
    set_times(s, &from);
    return tfp_record_ok(record);
}

static int hold(line_state *s, tfp_record *record, tfprof_error *err)
{
    tfp_memory *memory = s->plane->memory;
    held_event event = { .at = s->bytes.count, .size = record->bytes.size };
    if (!read_times(s, record))
        return TFPROF_OK;
    event.begin = s->event.begin;
    event.length = s->event.length;
    if (s->events.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(memory, &s->events, event) ||
        !TFP_VEC_RESERVE(memory, &s->bytes, event.size))
        return tfp_fail_nomem(err);
    if (event.size > 0)
        memcpy(s->bytes.data + event.at, record->bytes.data, event.size);
    s->bytes.count += event.size;
    return TFPROF_OK;
}

static int leaf(void *self, const tfp_message *parent, const tfp_field *f,
                tfp_record *record, tfprof_error *err)
{
    line_state *s = self;
    (void)parent;
    if (f->tag != XLine_events)
        return TFPROF_OK; /* the first pass has seen to it */
    switch (s->pass) {
    case HOLD: return hold(s, record, err);
    case TEST:
        return read_times(s, record) && !is_in_order(s) ? OUT_OF_ORDER
                                                        : TFPROF_OK;
    default: return give(s, record, err);
    }
}

static int no_level(void *self, const tfp_message *parent,
                    const tfp_field_spec *field, tfprof_error *err)
{
    (void)self;
    (void)parent;
    (void)field;
    (void)err;
    return TFPROF_OK;
}

/* A plane may have a great many short lines, so the window is kept from one to
 * the next. */
static void aim_reader(line_state *s, part *p)
{
    tfp_reader *reader = &s->walk->reader;
    tfp_source source = { read_part, p };
    if (!reader->memory)
        tfp_reader_init(reader, s->plane->memory, source, INT64_MAX);
    reader->source = source;
    reader->at = reader->end = 0;
    reader->offset = (int64_t)s->line->at;
    reader->ended = false;
}

void tfp_line_walk_release(tfp_line_walk *walk)
{
    if (walk->reader.memory)
        tfp_reader_release(&walk->reader);
}

static int walk_events(line_state *s, line_pass pass, tfprof_error *err)
{
    part p = { s->plane->store, s->line->at, s->line->at + s->line->size };
    tfp_walk walk = { .reader = &s->walk->reader,
                      .max_depth = s->walk->max_depth,
                      .known_size = -1 };
    s->pass = pass;
    s->last_begin = INT64_MIN;
    s->last_length = INT64_MAX;
    aim_reader(s, &p);
    walk.visitor = (tfp_visitor){ no_level, no_level, leaf, s };
    return tfp_walk_wire(&walk, &tfp_XLine, err);
}

static int by_length(const void *context, uint32_t a, uint32_t b)
{
    const held_event *events = context;
    return (events[a].length < events[b].length) -
           (events[a].length > events[b].length);
}

static int give_sorted(line_state *s, tfprof_error *err)
{
    tfp_memory *memory = s->plane->memory;
    size_t count = s->events.count;
    tfp_sort_item *items = tfp_memory_array(memory, 2 * count + 1,
                                            sizeof(*items));
    int status = TFPROF_OK;
    if (!items)
        return tfp_fail_nomem(err);
    s->pass = GIVE;
    for (size_t i = 0; i < count; i++) {
        int64_t begin = s->events.data[i].begin;
        items[i].key = tfp_sort_key_rising(begin);
        items[i].index = (uint32_t)i;
    }
    tfp_sort(items, count, items + count, by_length, s->events.data);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        const held_event *event = &s->events.data[items[i].index];
        tfp_record record = { .bytes = tfp_span_of(""),
                              .depth = 2,
                              .max_depth = TFP_MOST_DEPTH };
        if (event->size > 0)
            record.bytes = (tfp_span){ s->bytes.data + event->at, event->size };
        status = give(s, &record, err);
        if (status == TFPROF_OK && !tfp_record_ok(&record))
            status = tfp_record_fail(&record, &tfp_XEvent, err);
    }
    tfp_memory_free(memory, items);
    return status;
}

int64_t tfp_line_start(const tfp_trace_line *line, int64_t epoch)
{
    int64_t start = tfp_line_counts_from_1970(line)
                        ? tfp_sub_sat(line->start, epoch)
                        : line->start;
    return tfp_mul_sat(start, 1000);
}

int tfp_plane_walk_line(tfp_plane *plane, const tfp_trace_line *line,
                        tfp_line_walk *walk, tfprof_error *err)
{
    line_state s = { .plane = plane, .line = line, .walk = walk };
    int64_t odd_events = walk->odd_events;
    int status = TFPROF_OK;
    if (line->events == 0)
        return TFPROF_OK;
    s.start = tfp_line_start(line, walk->epoch);
    s.has_odd_start = s.start == INT64_MAX || s.start == INT64_MIN;
    if (!walk->takes_any_order && !walk->again)
        status = walk_events(&s, TEST, err);
    if (status == TFPROF_OK)
        status = walk_events(&s, walk->again ? GIVE_TESTS : GIVE, err);
    if (status == OUT_OF_ORDER) {
        if (walk->again)
            walk->again(walk->self);
        walk->odd_events = odd_events;
        status = walk_events(&s, HOLD, err);
        if (status == TFPROF_OK)
            status = give_sorted(&s, err);
    }
    TFP_VEC_RELEASE(plane->memory, &s.bytes);
    TFP_VEC_RELEASE(plane->memory, &s.events);
    return status;
}
