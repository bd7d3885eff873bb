/*
 * plane.h - one plane of a trace: what its maps say, and its events.
 *
 * On the wire the lines of a plane stand before the maps that name their
 * events. So a plane is known first by its maps and by where its lines are;
 * the events are read afterwards, from the file, or from a copy where the
 * input can be read only once.
 */
#ifndef TFP_TRACE_PLANE_H
#define TFP_TRACE_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/reader.h"
#include "base/store.h"
#include "model/ids.h"
#include "proto/xspace.h"
#include "trace/id_map.h"
#include "trace/op_name.h"
#include "trace/stat_names.h"

/* An XEventMetadata. */
typedef struct tfp_event_type {
    int64_t id;
    tfp_span name, display_name;
    tfp_string string, shown_string; /* see "Strings" below */
    tfp_span stats;     /* on the wire, fields XEventMetadata_stats */
    tfp_op_name op;     /* what the name says */
    uint32_t node;      /* that its events belong to, once it is known */
    bool is_node_known; /* also when there is none */
} tfp_event_type;

/* An XStatMetadata. */
typedef struct tfp_stat_type {
    tfp_span name;     /* also the text of those that refer to it */
    tfp_string string; /* see "Strings" below */
    tfp_known_stat known;
    /* What was found out about the text, which may be long: */
    uint32_t node;   /* of the instruction that it names in... */
    int64_t program; /* ...this program; TFP_NO_NODE before that... */
    const struct tfp_stat_type *module; /* ...and in this module, or NULL */
    uint32_t op_node; /* of the operation that it names, or TFP_NO_NODE */
    bool is_op_known; /* op_node tells */
    bool is_stack_known;
    tfp_stack stack; /* of the lines of source that it names */
} tfp_stat_type;

/* A line of a plane, as the first pass sees it. */
typedef struct tfp_trace_line {
    uint64_t at, size; /* of its message, in plane->store */
    int64_t id;
    int64_t start; /* in nanoseconds */
    tfp_span name;
    int64_t events;
} tfp_trace_line;

/* Does it begin later than after a hundred days? In picoseconds such a time
 * does not fit into 64 bits. */
static inline bool tfp_line_counts_from_1970(const tfp_trace_line *line)
{
    return line->start > INT64_C(1) << 53;
}

typedef struct tfp_plane {
    tfp_memory *memory;
    tfp_arena texts;
    tfp_span name;
    TFP_VEC(tfp_trace_line) lines;
    TFP_VEC(tfp_event_type) event_types;
    TFP_VEC(tfp_stat_type) stat_types;
    TFP_VEC(uint8_t) stats; /* its own, as fields XPlane_stats */
    tfp_id_map event_ids, stat_ids;
    uint64_t known_stats;    /* bit 1 << tfp_known_stat: some stat type is it */
    tfp_xstat_places places; /* tfp_known_stat of small ids */
    int64_t events;          /* of all lines, where they were counted */
    TFP_VEC(uint8_t) held;   /* its lines, where the input is read once */
    tfp_span held_bytes;
    tfp_store held_store;   /* over held_bytes */
    const tfp_store *store; /* where its lines are */
} tfp_plane;

tfp_plane *tfp_plane_new(tfp_memory *memory, uint64_t seed);
void tfp_plane_free(tfp_plane *plane); /* or NULL */

/* ---- While it is read --------------------------------------------------- */

/* An entry of either map. */
int tfp_plane_add_event_type(tfp_plane *plane, tfp_record *record,
                             tfprof_error *err);
int tfp_plane_add_stat_type(tfp_plane *plane, tfp_record *record,
                            tfprof_error *err);

bool tfp_plane_set_name(tfp_plane *plane, tfp_span name);
bool tfp_plane_set_line_name(tfp_plane *plane, tfp_trace_line *line,
                             tfp_span name);
bool tfp_plane_add_stat(tfp_plane *plane, tfp_span stat);

/* Forgets the nodes of types, for another reading of its events. */
void tfp_plane_forget_nodes(tfp_plane *plane);

/* ---- What it says ------------------------------------------------------- */

/* NULL when no map has the id. */
static inline tfp_event_type *tfp_plane_event_type(const tfp_plane *plane,
                                                   int64_t id)
{
    uint32_t at = tfp_id_map_find(&plane->event_ids, id);
    return at == TFP_NO_ID ? NULL : &plane->event_types.data[at];
}

static inline const tfp_stat_type *tfp_plane_stat_type(const tfp_plane *plane,
                                                       int64_t id)
{
    uint32_t at = tfp_id_map_find(&plane->stat_ids, id);
    return at == TFP_NO_ID ? NULL : &plane->stat_types.data[at];
}

static inline bool tfp_plane_has_stat(const tfp_plane *plane,
                                      tfp_known_stat known)
{
    return plane->known_stats >> known & 1;
}

/* The stats of something, those that are known. */
typedef struct tfp_stats {
    const tfp_plane *plane;
    uint64_t has; /* bit 1 << tfp_known_stat */
    tfp_xstat at[TFP_KNOWN_STATS];
} tfp_stats;

static inline bool tfp_stats_has(const tfp_stats *stats, tfp_known_stat known)
{
    return stats->has >> known & 1;
}

/* Reads one more stat, in field `f`; of equal ones the last stands. */
void tfp_stats_add(tfp_stats *stats, tfp_wire *w, const tfp_field *f);

/* Reads stats that stand in fields `tag`. */
void tfp_stats_read(tfp_stats *stats, const tfp_plane *plane, tfp_wire w,
                    uint32_t tag);

/* Those of an event type and of a plane. */
void tfp_stats_of_type(tfp_stats *stats, const tfp_plane *plane,
                       const tfp_event_type *type);
void tfp_stats_of_plane(tfp_stats *stats, const tfp_plane *plane);

/* A number is a number, however it is written. False when there is none. */
bool tfp_stats_number(const tfp_stats *stats, tfp_known_stat known,
                      int64_t *value);

/* The type that a stat refers to for its text, or NULL. */
tfp_stat_type *tfp_stats_ref(const tfp_stats *stats, tfp_known_stat known);

/* The text of a stat, written out or by reference; empty when there is none. */
tfp_span tfp_stats_text(const tfp_stats *stats, tfp_known_stat known);

/* The same of bytes. */
tfp_span tfp_stats_bytes(const tfp_stats *stats, tfp_known_stat known);

/* ---- Strings ------------------------------------------------------------
 *
 * A text in the maps may be as long as the file, and each event may refer to
 * it. A reader that hashed, compared or parsed it for each event would take
 * quadratic time. So a text is interned once, where it is stored, and readers
 * store what they derive from it under its number. Text in the event itself is
 * part of the size of the event.
 *
 * A plane must be read with one interner only. All functions return TFP_NO_ID
 * when out of memory. */

/* The text, whose number is kept in *string; TFP_NO_ID before the first use. */
static inline tfp_string tfp_intern_once(tfp_interner *strings, tfp_span text,
                                         tfp_string *string)
{
    if (*string == TFP_NO_ID)
        *string = tfp_intern(strings, text);
    return *string;
}

/* The name of an event type. */
static inline tfp_string tfp_type_string(tfp_interner *strings,
                                         tfp_event_type *type)
{
    return tfp_intern_once(strings, type->name, &type->string);
}

/* The name that is shown, which may be another one. */
static inline tfp_span tfp_type_shown(const tfp_event_type *type)
{
    return type->display_name.size > 0 ? type->display_name : type->name;
}

static inline tfp_string tfp_type_shown_string(tfp_interner *strings,
                                               tfp_event_type *type)
{
    return tfp_intern_once(strings, tfp_type_shown(type), &type->shown_string);
}

/* The text of a stat, as tfp_stats_text(). */
tfp_string tfp_stats_string(tfp_interner *strings, const tfp_stats *stats,
                            tfp_known_stat known);

/* ---- Lines and events --------------------------------------------------- */

/* One event with the times that it has in its trace, in picoseconds. */
typedef struct tfp_event {
    int64_t metadata;     /* its id */
    tfp_event_type *type; /* NULL when no map has it */
    int64_t begin, length;
    int64_t count; /* 1, or of an aggregated event how often it occurred */
    bool is_aggregated;
    bool is_odd; /* a time that cannot be was set to the next that can */
    tfp_stats stats;
} tfp_event;

/* The end of an event; stops at the largest time. */
static inline int64_t tfp_event_end(const tfp_event *event)
{
    return tfp_add_sat(event->begin, event->length);
}

typedef int tfp_event_fn(void *self, const tfp_event *event, tfprof_error *err);

/* Gives the events of a line. They come by rising begin, of equal ones the
 * longest first, whatever their order in the file; aggregated ones, which have
 * no place in time, come anywhere. Writers sort events, so a line need not be
 * read twice to see that they did: set `again`, or that any order will do. */
typedef struct tfp_line_walk {
    tfp_event_fn *event;
    void *self;
    bool takes_any_order; /* then events come as they stand */
    /* The events of this line until now do not count: they were not in order,
     * and come anew. NULL: the line is looked through beforehand. */
    void (*again)(void *self);
    int64_t epoch; /* in nanoseconds: where times of 1970 begin; see space.h */
    int max_depth;
    int64_t odd_events;
    tfp_reader reader; /* its window serves all lines; see below */
} tfp_line_walk;

/* When a line starts, in picoseconds; what its events count from. */
int64_t tfp_line_start(const tfp_trace_line *line, int64_t epoch);

/* After the last line. */
void tfp_line_walk_release(tfp_line_walk *walk);

int tfp_plane_walk_line(tfp_plane *plane, const tfp_trace_line *line,
                        tfp_line_walk *walk, tfprof_error *err);

#endif
