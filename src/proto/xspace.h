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
    tfp_repeated stats;
} tfp_xevent;

/* The stats are noted, not decoded. */
void tfp_xevent_read(tfp_wire *w, tfp_xevent *out);

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

/* Blames the record when a text field is not UTF-8. */
void tfp_wire_check_text(tfp_wire *w, const tfp_field *f);

#endif
