/*
 * line.c - the events of a line, in order.
 *
 * Writers sort them, so they are handed on as they are read. If one is out of
 * order, or something that all events need stands behind them, the line is
 * read again, held whole and sorted.
 */
#include "base/reader.h"
#include "base/sort.h"
#include "proto/walk.h"
#include "trace/plane.h"

typedef struct held_event {
    size_t at, size; /* in `bytes` */
    int64_t begin, length;
} held_event;

typedef struct line_state {
    tfp_plane *plane;
    tfp_line_walk *walk;
    tfp_line line;
    TFP_VEC(uint8_t) name;
    bool has_begun; /* the visitor knows of the line */
    bool is_wrong;  /* not in order: to be read again */
    bool is_held;   /* the second time */
    int64_t last_begin, last_length;
    int64_t odd_events;
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

/* Nanoseconds since the start of the trace, as picoseconds. */
static int64_t line_start(const line_state *s)
{
    return tfp_mul_sat(tfp_sub_sat(s->line.start, s->walk->epoch), 1000);
}

/* The place of an event in time. What cannot be is set to what can. */
static void set_times(line_state *s, const tfp_xevent *from)
{
    tfp_event *event = &s->event;
    int64_t start = line_start(s);
    event->metadata = from->metadata;
    event->is_aggregated = from->is_aggregated;
    event->count = 1;
    event->begin = tfp_add_sat(start, from->offset);
    event->length = from->duration;
    event->is_odd = event->begin == INT64_MAX || event->begin == INT64_MIN;
    if (from->is_aggregated) {
        event->begin = start;
        event->count = from->occurrences;
    }
    if (event->count < 0 || event->length < 0) {
        event->is_odd = true;
        event->count = event->count < 0 ? 0 : event->count;
        event->length = event->length < 0 ? 0 : event->length;
    }
    s->odd_events += event->is_odd;
}

static int begin_line(line_state *s, tfprof_error *err)
{
    const tfp_line_visitor *v = &s->walk->visitor;
    s->has_begun = true;
    s->line.name = (tfp_span){ s->name.data, s->name.count };
    s->last_begin = INT64_MIN;
    s->last_length = INT64_MAX;
    return v->begin(v->self, &s->line, err);
}

static int give(line_state *s, const tfp_xevent *from, tfp_record *record,
                tfprof_error *err)
{
    const tfp_line_visitor *v = &s->walk->visitor;
    tfp_event *event = &s->event;
    tfp_stats_read(&event->stats, s->plane,
                   tfp_repeated_wire(&from->stats, record), XEvent_stats);
    event->type = tfp_plane_event_type(s->plane, event->metadata);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    return v->event(v->self, event, err);
}

static int read_event(line_state *s, tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_xevent from;
    int status = TFPROF_OK;
    if (!s->has_begun)
        status = begin_line(s, err);
    if (status != TFPROF_OK)
        return status;
    tfp_xevent_read(&w, &from);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    set_times(s, &from);
    if (!from.is_aggregated) {
        int64_t begin = s->event.begin, length = s->event.length;
        s->is_wrong = s->is_wrong || begin < s->last_begin ||
                      (begin == s->last_begin && length > s->last_length);
        s->last_begin = begin;
        s->last_length = length;
    }
    return s->is_wrong ? TFPROF_OK : give(s, &from, record, err);
}

static int hold_event(line_state *s, const tfp_record *record,
                      tfprof_error *err)
{
    tfp_memory *memory = s->plane->memory;
    held_event event = { .at = s->bytes.count, .size = record->bytes.size };
    if (!TFP_VEC_PUSH(memory, &s->events, event) ||
        !TFP_VEC_RESERVE(memory, &s->bytes, event.size))
        return tfp_fail_nomem(err);
    if (event.size > 0)
        memcpy(s->bytes.data + event.at, record->bytes.data, event.size);
    s->bytes.count += event.size;
    return TFPROF_OK;
}

static int set_name(line_state *s, tfp_span name, tfprof_error *err)
{
    s->name.count = 0;
    if (!TFP_VEC_RESERVE(s->plane->memory, &s->name, name.size))
        return tfp_fail_nomem(err);
    if (name.size > 0)
        memcpy(s->name.data, name.data, name.size);
    s->name.count = name.size;
    return TFPROF_OK;
}

static int leaf(void *self, const tfp_message *parent, const tfp_field *f,
                tfp_record *record, tfprof_error *err)
{
    line_state *s = self;
    tfp_wire w = tfp_wire_over(record);
    (void)parent;
    switch (f->tag) {
    case XLine_events:
        return s->is_held ? hold_event(s, record, err)
                          : read_event(s, record, err);
    case XLine_id: s->line.id = tfp_int64(f); break;
    case XLine_timestamp_ns: s->line.start = tfp_int64(f); break;
    case XLine_name:
        tfp_wire_check_text(&w, f);
        if (set_name(s, record->bytes, err) != TFPROF_OK)
            return TFPROF_ERR_NOMEM;
        break;
    case XLine_display_name: tfp_wire_check_text(&w, f); return TFPROF_OK;
    default: return TFP_LEAF_UNREAD;
    }
    s->is_wrong = s->is_wrong || s->has_begun; /* behind its first event */
    return TFPROF_OK;
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

static int walk_once(line_state *s, const tfp_line_place *place,
                     tfprof_error *err)
{
    part p = { s->plane->store, place->at, place->at + place->size };
    tfp_reader reader;
    tfp_walk walk = { .reader = &reader,
                      .max_depth = s->walk->max_depth,
                      .known_size = -1 };
    int status;
    tfp_reader_init(&reader, s->plane->memory, (tfp_source){ read_part, &p },
                    INT64_MAX);
    reader.offset = (int64_t)place->at;
    walk.visitor = (tfp_visitor){ no_level, no_level, leaf, s };
    status = tfp_walk_wire(&walk, &tfp_XLine, err);
    tfp_reader_release(&reader);
    return status;
}

static int by_length(const void *context, uint32_t a, uint32_t b)
{
    const held_event *events = context;
    return (events[a].length < events[b].length) -
           (events[a].length > events[b].length);
}

static tfp_record held_record(const line_state *s, const held_event *event)
{
    return (tfp_record){ .bytes = { s->bytes.data + event->at, event->size },
                         .depth = 1,
                         .max_depth = TFP_MOST_DEPTH };
}

/* Events of a line that is held whole, by rising begin. */
static int give_sorted(line_state *s, tfp_sort_item *items, tfprof_error *err)
{
    size_t count = s->events.count;
    tfp_xevent from;
    int status = TFPROF_OK;
    for (size_t i = 0; i < count; i++) {
        held_event *event = &s->events.data[i];
        tfp_record record = held_record(s, event);
        tfp_wire w = tfp_wire_over(&record);
        tfp_xevent_read(&w, &from);
        set_times(s, &from);
        event->begin = s->event.begin;
        event->length = s->event.length;
        items[i].key = (uint64_t)event->begin ^ (uint64_t)1 << 63;
        items[i].index = (uint32_t)i;
    }
    s->odd_events = 0;
    tfp_sort(items, count, items + count, by_length, s->events.data);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        tfp_record record = held_record(s, &s->events.data[items[i].index]);
        tfp_wire w = tfp_wire_over(&record);
        tfp_xevent_read(&w, &from);
        set_times(s, &from);
        status = give(s, &from, &record, err);
    }
    return status;
}

static int walk_again(line_state *s, const tfp_line_place *place,
                      tfprof_error *err)
{
    tfp_memory *memory = s->plane->memory;
    tfp_sort_item *items;
    int status;
    if (s->has_begun)
        s->walk->visitor.again(s->walk->visitor.self);
    s->is_held = true;
    s->has_begun = false;
    s->odd_events = 0;
    status = walk_once(s, place, err);
    if (status == TFPROF_OK && s->events.count >= TFP_NO_ID / 2)
        return tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = begin_line(s, err);
    if (status != TFPROF_OK)
        return status;
    items = tfp_memory_array(memory, 2 * s->events.count + 1, sizeof(*items));
    if (!items)
        return tfp_fail_nomem(err);
    status = give_sorted(s, items, err);
    tfp_memory_free(memory, items);
    return status;
}

int tfp_plane_walk_line(tfp_plane *plane, const tfp_line_place *place,
                        tfp_line_walk *walk, tfprof_error *err)
{
    line_state *s = tfp_memory_zalloc(plane->memory, sizeof(*s));
    int status;
    if (!s)
        return tfp_fail_nomem(err);
    s->plane = plane;
    s->walk = walk;
    status = walk_once(s, place, err);
    if (status == TFPROF_OK && s->is_wrong)
        status = walk_again(s, place, err);
    if (status == TFPROF_OK && s->has_begun)
        status = walk->visitor.end(walk->visitor.self, err);
    walk->odd_events += s->odd_events;
    TFP_VEC_RELEASE(plane->memory, &s->name);
    TFP_VEC_RELEASE(plane->memory, &s->bytes);
    TFP_VEC_RELEASE(plane->memory, &s->events);
    tfp_memory_free(plane->memory, s);
    return status;
}
