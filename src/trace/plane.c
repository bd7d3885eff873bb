/*
 * plane.c - one plane of a trace: what its maps say.
 */
#include "trace/plane.h"

#include "base/intern.h"

#include <math.h>

#include "model/ids.h"
#include "proto/put.h"

tfp_known_stat tfp_known_stat_of(tfp_span text)
{
#define TFP_STAT_TEXT_OF(name, text) text,
    static const char *const names[] = { TFP_STAT_NAMES(TFP_STAT_TEXT_OF) };
#undef TFP_STAT_TEXT_OF
    int known = 0;
    while (known < (int)TFP_KNOWN_STATS && !tfp_span_is(text, names[known]))
        known++;
    return (tfp_known_stat)known;
}

tfp_plane *tfp_plane_new(tfp_memory *memory, uint64_t seed)
{
    tfp_plane *plane = tfp_memory_zalloc(memory, sizeof(*plane));
    if (!plane)
        return NULL;
    plane->memory = memory;
    memset(plane->places.of_id, TFP_MOST_PLACES, sizeof(plane->places.of_id));
    tfp_arena_init(&plane->texts, memory);
    tfp_id_map_init(&plane->event_ids, memory, seed);
    tfp_id_map_init(&plane->stat_ids, memory, seed);
    return plane;
}

void tfp_plane_free(tfp_plane *plane)
{
    tfp_memory *memory;
    if (!plane)
        return;
    memory = plane->memory;
    tfp_arena_release(&plane->texts);
    tfp_id_map_release(&plane->event_ids);
    tfp_id_map_release(&plane->stat_ids);
    TFP_VEC_RELEASE(memory, &plane->lines);
    TFP_VEC_RELEASE(memory, &plane->event_types);
    TFP_VEC_RELEASE(memory, &plane->stat_types);
    TFP_VEC_RELEASE(memory, &plane->stats);
    TFP_VEC_RELEASE(memory, &plane->held);
    tfp_memory_free(memory, plane);
}

/* ---- While it is read --------------------------------------------------- */

static bool keep(tfp_plane *plane, tfp_span *bytes)
{
    uint8_t *copy;
    if (bytes->size == 0) {
        *bytes = (tfp_span){ 0 };
        return true;
    }
    copy = tfp_arena_alloc(&plane->texts, bytes->size, 1);
    if (!copy)
        return false;
    memcpy(copy, bytes->data, bytes->size);
    bytes->data = copy;
    return true;
}

bool tfp_plane_set_name(tfp_plane *plane, tfp_span name)
{
    plane->name = name;
    return keep(plane, &plane->name);
}

bool tfp_plane_set_line_name(tfp_plane *plane, tfp_trace_line *line,
                             tfp_span name)
{
    line->name = name;
    return keep(plane, &line->name);
}

bool tfp_plane_add_stat(tfp_plane *plane, tfp_span stat)
{
    uint8_t *start, *at;
    if (!TFP_VEC_RESERVE(plane->memory, &plane->stats,
                         TFP_TAG_BYTES + TFP_VARINT_BYTES + stat.size))
        return false;
    start = plane->stats.data + plane->stats.count;
    at = tfp_put_varint_at(start, XPlane_stats);
    at = tfp_put_varint_at(at, stat.size);
    if (stat.size > 0)
        memcpy(at, stat.data, stat.size);
    plane->stats.count += (size_t)(at - start) + stat.size;
    return true;
}

/* Looks for damage in stats that are kept as they are. */
static void check_stats(tfp_wire w, uint32_t tag)
{
    tfp_field f;
    tfp_xstat stat;
    while (tfp_repeated_next(&w, tag, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_xstat_read(&inner, &stat);
        tfp_wire_leave(&inner);
    }
}

int tfp_plane_add_event_type(tfp_plane *plane, tfp_record *record,
                             tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_event_type type = { .string = TFP_NO_ID,
                            .shown_string = TFP_NO_ID,
                            .node = TFP_NO_NODE };
    tfp_xevent_metadata metadata = { 0 };
    tfp_xentry entry;
    tfp_xentry_read(&w, &tfp_XPlane_EventMetadataEntry, &entry);
    if (entry.value.tag != 0) {
        tfp_wire inner = tfp_wire_enter(&w, &entry.value);
        tfp_xevent_metadata_read(&inner, &metadata);
        check_stats(tfp_repeated_wire(&metadata.stats, record),
                    XEventMetadata_stats);
        tfp_wire_leave(&inner);
    }
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    type.id = entry.key;
    type.name = metadata.name;
    type.display_name = metadata.display_name;
    type.stats = (tfp_span){ metadata.stats.first,
                             (size_t)(metadata.stats.end -
                                      metadata.stats.first) };
    if (!keep(plane, &type.name) || !keep(plane, &type.display_name) ||
        !keep(plane, &type.stats))
        return tfp_fail_nomem(err);
    type.op = tfp_op_name_parse(type.name);
    if (plane->event_types.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(plane->memory, &plane->event_types, type) ||
        !tfp_id_map_put(&plane->event_ids, type.id,
                        (uint32_t)plane->event_types.count - 1))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

int tfp_plane_add_stat_type(tfp_plane *plane, tfp_record *record,
                            tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_stat_type type = { .string = TFP_NO_ID,
                           .node = TFP_NO_NODE,
                           .op_node = TFP_NO_NODE };
    tfp_xentry entry;
    tfp_xentry_read(&w, &tfp_XPlane_StatMetadataEntry, &entry);
    if (entry.value.tag != 0) {
        tfp_wire inner = tfp_wire_enter(&w, &entry.value);
        type.name = tfp_xstat_metadata_read(&inner);
        tfp_wire_leave(&inner);
    }
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    type.known = tfp_known_stat_of(type.name);
    if (type.known < TFP_KNOWN_STATS)
        plane->known_stats |= (uint64_t)1 << type.known;
    if ((uint64_t)entry.key < TFP_SMALL_IDS)
        plane->places.of_id[entry.key] = type.known < TFP_KNOWN_STATS
                                             ? (uint8_t)type.known
                                             : TFP_MOST_PLACES;
    if (plane->stat_types.count >= TFP_NO_ID || !keep(plane, &type.name) ||
        !TFP_VEC_PUSH(plane->memory, &plane->stat_types, type) ||
        !tfp_id_map_put(&plane->stat_ids, entry.key,
                        (uint32_t)plane->stat_types.count - 1))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

/* ---- Stats -------------------------------------------------------------- */

static void add_stat(tfp_stats *stats, tfp_known_stat known,
                     const tfp_xstat *stat)
{
    if (known < TFP_KNOWN_STATS) {
        stats->at[known] = *stat;
        stats->has |= (uint64_t)1 << known;
    }
}

void tfp_stats_add(tfp_stats *stats, tfp_wire *w, const tfp_field *f)
{
    const tfp_plane *plane = stats->plane;
    const tfp_stat_type *type;
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_xstat stat;
    tfp_xstat_read(&inner, &stat);
    tfp_wire_leave(&inner);
    type = tfp_plane_stat_type(plane, stat.id);
    if (type)
        add_stat(stats, type->known, &stat);
}

void tfp_stats_read(tfp_stats *stats, const tfp_plane *plane, tfp_wire w,
                    uint32_t tag)
{
    tfp_field f;
    stats->plane = plane;
    stats->has = 0;
    while (tfp_repeated_next(&w, tag, &f))
        tfp_stats_add(stats, &w, &f);
}

/* Stats that were checked when they were kept. */
static void read_kept(tfp_stats *stats, const tfp_plane *plane, tfp_span bytes,
                      uint32_t tag)
{
    tfp_record record = { .bytes = bytes, .max_depth = TFP_MOST_DEPTH };
    if (bytes.size == 0) { /* perhaps at no address */
        stats->plane = plane;
        stats->has = 0;
        return;
    }
    tfp_stats_read(stats, plane, tfp_wire_over(&record), tag);
}

void tfp_stats_of_type(tfp_stats *stats, const tfp_plane *plane,
                       const tfp_event_type *type)
{
    read_kept(stats, plane, type->stats, XEventMetadata_stats);
}

void tfp_stats_of_plane(tfp_stats *stats, const tfp_plane *plane)
{
    read_kept(stats, plane, (tfp_span){ plane->stats.data, plane->stats.count },
              XPlane_stats);
}

bool tfp_stats_number(const tfp_stats *stats, tfp_known_stat known,
                      int64_t *value)
{
    const tfp_xstat *stat = &stats->at[known];
    double number;
    if (!tfp_stats_has(stats, known))
        return false;
    switch (stat->kind) {
    case TFP_STAT_INT64: *value = (int64_t)stat->value; return true;
    case TFP_STAT_UINT64:
        *value = (int64_t)stat->value; /* an id may be any 64 bits */
        return true;
    case TFP_STAT_DOUBLE:
        memcpy(&number, &stat->value, sizeof(number));
        if (!(fabs(number) < 9e18)) /* not a number: neither */
            return false;
        *value = (int64_t)number;
        return true;
    default: return false;
    }
}

tfp_stat_type *tfp_stats_ref(const tfp_stats *stats, tfp_known_stat known)
{
    const tfp_xstat *stat = &stats->at[known];
    uint32_t at;
    if (!tfp_stats_has(stats, known) || stat->kind != TFP_STAT_REF)
        return NULL;
    at = tfp_id_map_find(&stats->plane->stat_ids, (int64_t)stat->value);
    return at == TFP_NO_ID ? NULL : &stats->plane->stat_types.data[at];
}

tfp_span tfp_stats_text(const tfp_stats *stats, tfp_known_stat known)
{
    const tfp_xstat *stat = &stats->at[known];
    const tfp_stat_type *type;
    if (!tfp_stats_has(stats, known))
        return (tfp_span){ 0 };
    if (stat->kind == TFP_STAT_TEXT)
        return stat->bytes;
    type = tfp_stats_ref(stats, known);
    return type ? type->name : (tfp_span){ 0 };
}

tfp_span tfp_stats_bytes(const tfp_stats *stats, tfp_known_stat known)
{
    const tfp_xstat *stat = &stats->at[known];
    return tfp_stats_has(stats, known) && stat->kind == TFP_STAT_BYTES
               ? stat->bytes
               : (tfp_span){ 0 };
}

tfp_string tfp_stats_string(tfp_interner *strings, const tfp_stats *stats,
                            tfp_known_stat known)
{
    tfp_stat_type *type = tfp_stats_ref(stats, known);
    return type ? tfp_intern_once(strings, type->name, &type->string)
                : tfp_intern(strings, tfp_stats_text(stats, known));
}

void tfp_plane_forget_nodes(tfp_plane *plane)
{
    for (size_t i = 0; i < plane->event_types.count; i++) {
        plane->event_types.data[i].node = TFP_NO_NODE;
        plane->event_types.data[i].is_node_known = false;
    }
    for (size_t i = 0; i < plane->stat_types.count; i++) {
        plane->stat_types.data[i].node = TFP_NO_NODE;
        plane->stat_types.data[i].op_node = TFP_NO_NODE;
        plane->stat_types.data[i].is_op_known = false;
        plane->stat_types.data[i].is_stack_known = false;
    }
}
