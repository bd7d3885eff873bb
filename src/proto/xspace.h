/*
 * xspace.h - decoders for xplane.proto.
 *
 * Events are most of a trace, so the decoder of an event gives its stats one
 * by one and keeps nothing. Text must be UTF-8: C++ refuses a file whose text
 * is not.
 */
#ifndef TFP_PROTO_XSPACE_H
#define TFP_PROTO_XSPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "proto/wire.h"

/* What a stat holds. The kind follows the value, not the name of the stat. */
typedef enum tfp_stat_kind {
    TFP_STAT_NOTHING,
    TFP_STAT_DOUBLE,
    TFP_STAT_UINT64,
    TFP_STAT_INT64,
    TFP_STAT_TEXT,
    TFP_STAT_BYTES,
    TFP_STAT_REF /* `value` is the id of a stat whose name is the text */
} tfp_stat_kind;

typedef struct tfp_xstat {
    int64_t id; /* of its XStatMetadata */
    tfp_stat_kind kind;
    uint64_t value; /* a number; of a double its bits */
    tfp_span bytes; /* of text and bytes */
} tfp_xstat;

void tfp_xstat_read(tfp_wire *w, tfp_xstat *out);

typedef struct tfp_xevent {
    int64_t metadata;
    int64_t offset;      /* in picoseconds from the start of its line */
    int64_t duration;    /* in picoseconds */
    int64_t occurrences; /* of an aggregated event; else 0 */
    bool is_aggregated;  /* it has no place in time */
} tfp_xevent;

/* Reads what stands before the stats of an event. */
void tfp_xevent_read_head(tfp_wire *w, tfp_xevent *out);

/* Reads on to the next stat of an event, whose XStat is then *stat; false at
 * the end. `out`, of which the head was read, is complete only then: fields
 * may come in any order. */
bool tfp_xevent_next_stat(tfp_wire *w, tfp_xevent *out, tfp_field *stat);

/* Stats by what the caller calls them: a number below 64 for each. */
enum { TFP_SMALL_IDS = 128, TFP_MOST_PLACES = 64 };

typedef struct tfp_xstat_places {
    uint8_t of_id[TFP_SMALL_IDS]; /* TFP_MOST_PLACES: not wanted */
} tfp_xstat_places;

/* Reads on over stats of the form that nearly all have: an id of one byte, then
 * one number and nothing else, or short text that is not wanted. Each that is
 * wanted goes to its place in `at`, and its bit in *has is set. Stops at
 * anything else. A trace has ten times as many stats as events, so this is most
 * of the work of reading it. */
void tfp_xevent_take_numbers(tfp_wire *w, const tfp_xstat_places *places,
                             tfp_xstat *at, uint64_t *has);

typedef struct tfp_xevent_metadata {
    tfp_span name, display_name;
    tfp_repeated stats; /* in fields XEventMetadata_stats */
} tfp_xevent_metadata;

void tfp_xevent_metadata_read(tfp_wire *w, tfp_xevent_metadata *out);

/* The name of an XStatMetadata. */
tfp_span tfp_xstat_metadata_read(tfp_wire *w);

/* The key and the value of an entry of either map; of several the last. The
 * value's tag is 0 when there is none. */
typedef struct tfp_xentry {
    int64_t key;
    tfp_field value;
} tfp_xentry;

void tfp_xentry_read(tfp_wire *w, const tfp_message *entry, tfp_xentry *out);

/* What an operation of a TPU reads or writes, from the bytes of a stat that
 * hold a MemoryAccessBreakdown. */
typedef struct tfp_memory_access {
    uint64_t operation; /* TFP_ACCESS_READ or TFP_ACCESS_WRITE */
    uint64_t space;     /* TFP_ACCESS_HBM or another */
    uint64_t bytes;
} tfp_memory_access;

enum {
    TFP_ACCESS_READ = 1,
    TFP_ACCESS_WRITE = 2,
    TFP_ACCESS_HBM = 1,
    TFP_ACCESS_CMEM = 2
};

/* The next of them; false at the end, or at damage. */
bool tfp_memory_access_next(tfp_wire *w, tfp_memory_access *out);

/* Blames the record when a text field is not UTF-8. */
void tfp_wire_check_text(tfp_wire *w, const tfp_field *f);

#endif
