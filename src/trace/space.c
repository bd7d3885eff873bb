/*
 * space.c - the first pass over a trace.
 */
#include "trace/space.h"

#include "proto/put.h"
#include "proto/xspace.h"

#include "base/store.h"

#include "base/intern.h"

void tfp_space_init(tfp_space *space, tfp_memory *memory)
{
    *space = (tfp_space){ .memory = memory, .seed = tfp_random_seed() };
    tfp_arena_init(&space->texts, memory);
}

void tfp_space_release(tfp_space *space)
{
    for (size_t i = 0; i < space->planes.count; i++)
        tfp_plane_free(space->planes.data[i]);
    tfp_plane_free(space->plane);
    TFP_VEC_RELEASE(space->memory, &space->planes);
    TFP_VEC_RELEASE(space->memory, &space->host);
    tfp_arena_release(&space->texts);
}

tfp_plane *tfp_space_find(const tfp_space *space, const char *name)
{
    for (size_t i = 0; i < space->planes.count; i++) {
        if (tfp_span_is(space->planes.data[i]->name, name))
            return space->planes.data[i];
    }
    return NULL;
}

/* ---- Levels ------------------------------------------------------------- */

static uint64_t here(const tfp_space *space)
{
    return (uint64_t)tfp_reader_offset(space->reader);
}

/* Where the next byte of a line is, in what will be plane->store. */
static uint64_t here_in_store(const tfp_space *space)
{
    return space->store ? here(space) : space->plane->held.count;
}

static tfp_trace_line *open_line(const tfp_space *space)
{
    return &space->plane->lines.data[space->plane->lines.count - 1];
}

static int begin_line(tfp_space *space, tfprof_error *err)
{
    tfp_trace_line line = { .at = here_in_store(space) };
    return TFP_VEC_PUSH(space->memory, &space->plane->lines, line)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

static void end_line(tfp_space *space)
{
    tfp_trace_line *line = open_line(space);
    line->size = here_in_store(space) - line->at;
    if (tfp_line_counts_from_1970(line) &&
        (space->epoch == 0 || line->start < space->epoch))
        space->epoch = line->start;
}

static int enter(void *self, const tfp_message *parent,
                 const tfp_field_spec *field, tfprof_error *err)
{
    tfp_space *space = self;
    (void)parent;
    if (field->message == &tfp_XLine)
        return begin_line(space, err);
    space->plane = tfp_plane_new(space->memory, space->seed);
    return space->plane ? TFPROF_OK : tfp_fail_nomem(err);
}

/* Planes of which only the name is told. So many are kept, to be told of: a
 * small file may have a great many. */
enum { MOST_BARE_PLANES = 1000 };

static bool is_bare(const tfp_plane *plane)
{
    return plane->lines.count == 0 && plane->event_types.count == 0 &&
           plane->stat_types.count == 0 && plane->stats.count == 0;
}

/* A plane that is whole. Where it is held, its bytes do not move any more. */
static int keep_plane(tfp_space *space, tfprof_error *err)
{
    tfp_plane *plane = space->plane;
    if (is_bare(plane) && space->bare_planes++ >= MOST_BARE_PLANES) {
        space->has_bare_device |= tfp_span_is(plane->name, "/host:CPU") ||
                                  tfp_span_starts(plane->name, "/device:");
        space->plane = NULL;
        tfp_plane_free(plane);
        return TFPROF_OK;
    }
    plane->store = space->store;
    if (!space->store) {
        plane->held_bytes = (tfp_span){ plane->held.data, plane->held.count };
        plane->held_store = tfp_store_span(&plane->held_bytes);
        plane->store = &plane->held_store;
    }
    if (!TFP_VEC_PUSH(space->memory, &space->planes, plane))
        return tfp_fail_nomem(err);
    space->plane = NULL;
    return TFPROF_OK;
}

static int leave(void *self, const tfp_message *parent,
                 const tfp_field_spec *field, tfprof_error *err)
{
    tfp_space *space = self;
    (void)parent;
    if (!err) /* the input ends in it: without its maps it says nothing */
        return TFPROF_OK;
    if (field->message != &tfp_XLine)
        return keep_plane(space, err);
    end_line(space);
    return TFPROF_OK;
}

/* ---- Leaves ------------------------------------------------------------- */

/* Keeps a field of a line as the wire has it. Fields that are no text, no
 * message and no varint are not known here and not kept. */
static int hold_leaf(tfp_space *space, const tfp_field *f,
                     const tfp_record *record, tfprof_error *err)
{
    tfp_plane *plane = space->plane;
    bool has_bytes = tfp_tag_wire(f->tag) == TFP_WIRE_BYTES;
    size_t size = has_bytes ? record->bytes.size : 0;
    uint8_t *start, *at;
    if (!has_bytes && tfp_tag_wire(f->tag) != TFP_WIRE_VARINT)
        return TFPROF_OK;
    if (!TFP_VEC_RESERVE(space->memory, &plane->held,
                         size + TFP_TAG_BYTES + TFP_VARINT_BYTES))
        return tfp_fail_nomem(err);
    start = plane->held.data + plane->held.count;
    at = tfp_put_varint_at(start, f->tag);
    at = tfp_put_varint_at(at, has_bytes ? size : f->value);
    if (size > 0)
        memcpy(at, record->bytes.data, size);
    plane->held.count += (size_t)(at - start) + size;
    return TFPROF_OK;
}

static int line_leaf(tfp_space *space, const tfp_field *f, tfp_record *record,
                     tfprof_error *err)
{
    tfp_trace_line *line = open_line(space);
    tfp_wire w = tfp_wire_over(record);
    int status;
    switch (f->tag) {
    case XLine_id: line->id = tfp_int64(f); break;
    case XLine_timestamp_ns: line->start = tfp_int64(f); break;
    case XLine_display_name: tfp_wire_check_text(&w, f); break;
    case XLine_name:
        tfp_wire_check_text(&w, f);
        if (!tfp_plane_set_line_name(space->plane, line, record->bytes))
            return tfp_fail_nomem(err);
        break;
    case XLine_events:
        line->events++; /* what is in it is left to the second pass */
        space->plane->events++;
        break;
    default: return TFP_LEAF_UNREAD;
    }
    if (space->store)
        return TFPROF_OK;
    /* What is held is looked at here, while its place is known. */
    status = hold_leaf(space, f, record, err);
    return status == TFPROF_OK && f->tag == XLine_events ? TFP_LEAF_UNREAD
                                                         : status;
}

static int plane_leaf(tfp_space *space, const tfp_field *f, tfp_record *record,
                      tfprof_error *err)
{
    tfp_plane *plane = space->plane;
    tfp_wire w = tfp_wire_over(record);
    tfp_xstat stat;
    switch (f->tag) {
    case XPlane_name:
        tfp_wire_check_text(&w, f);
        return tfp_plane_set_name(plane, record->bytes) ? TFPROF_OK
                                                        : tfp_fail_nomem(err);
    case XPlane_event_metadata:
        return tfp_plane_add_event_type(plane, record, err);
    case XPlane_stat_metadata:
        return tfp_plane_add_stat_type(plane, record, err);
    case XPlane_stats:
        tfp_xstat_read(&w, &stat);
        return tfp_plane_add_stat(plane, record->bytes) ? TFPROF_OK
                                                        : tfp_fail_nomem(err);
    default: return TFP_LEAF_UNREAD;
    }
}

static bool keep_text(tfp_space *space, tfp_space_texts *texts, tfp_span text)
{
    tfp_span *kept;
    uint8_t *copy;
    if (texts->count++ >= TFP_SPACE_TEXTS || text.size == 0)
        return true;
    kept = &texts->first[texts->count - 1];
    copy = tfp_arena_alloc(&space->texts, text.size, 1);
    if (!copy)
        return false;
    memcpy(copy, text.data, text.size);
    *kept = (tfp_span){ copy, text.size };
    return true;
}

static bool keep_host(tfp_space *space, tfp_span text)
{
    if (space->host_names.count == 0 && text.size > 0) {
        if (!TFP_VEC_RESERVE(space->memory, &space->host, text.size))
            return false;
        memcpy(space->host.data, text.data, text.size);
        space->host.count = text.size;
    }
    return keep_text(space, &space->host_names, text);
}

static int space_leaf(tfp_space *space, const tfp_field *f, tfp_record *record,
                      tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_span text = record->bytes;
    bool ok = true;
    if (tfp_tag_wire(f->tag) == TFP_WIRE_BYTES)
        tfp_wire_check_text(&w, f);
    switch (f->tag) {
    case XSpace_errors: ok = keep_text(space, &space->errors, text); break;
    case XSpace_warnings: ok = keep_text(space, &space->warnings, text); break;
    case XSpace_hostnames: ok = keep_host(space, text); break;
    default: break;
    }
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

static int leaf(void *self, const tfp_message *parent, const tfp_field *f,
                tfp_record *record, tfprof_error *err)
{
    if (parent == &tfp_XLine)
        return line_leaf(self, f, record, err);
    if (parent == &tfp_XPlane)
        return plane_leaf(self, f, record, err);
    return space_leaf(self, f, record, err);
}

tfp_visitor tfp_space_visitor(tfp_space *space)
{
    return (tfp_visitor){ enter, leave, leaf, space };
}
