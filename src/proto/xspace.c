/*
 * xspace.c - decoders for xplane.proto.
 */
#include "proto/xspace.h"

#include "base/utf8.h"

void tfp_wire_check_text(tfp_wire *w, const tfp_field *f)
{
    size_t valid = tfp_utf8_run(f->bytes);
    if (valid < f->bytes.size)
        tfp_record_blame(w->record, f->bytes.data + valid,
                         "text is not valid UTF-8");
}

void tfp_xstat_read(tfp_wire *w, tfp_xstat *out)
{
    tfp_field f;
    out->id = 0;
    out->kind = TFP_STAT_NOTHING;
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case XStat_metadata_id: out->id = tfp_int64(&f); continue;
        case XStat_double_value: out->kind = TFP_STAT_DOUBLE; break;
        case XStat_uint64_value: out->kind = TFP_STAT_UINT64; break;
        case XStat_int64_value: out->kind = TFP_STAT_INT64; break;
        case XStat_ref_value: out->kind = TFP_STAT_REF; break;
        case XStat_str_value:
            out->kind = TFP_STAT_TEXT;
            out->bytes = f.bytes;
            tfp_wire_check_text(w, &f);
            continue;
        case XStat_bytes_value:
            out->kind = TFP_STAT_BYTES;
            out->bytes = f.bytes;
            continue;
        default: tfp_wire_check(w, &f, &tfp_XStat); continue;
        }
        out->value = f.value;
    }
}

static void read_field(tfp_wire *w, tfp_xevent *out, const tfp_field *f)
{
    switch (f->tag) {
    case XEvent_metadata_id: out->metadata = tfp_int64(f); break;
    case XEvent_offset_ps:
        out->offset = tfp_int64(f);
        out->is_aggregated = false;
        break;
    case XEvent_duration_ps: out->duration = tfp_int64(f); break;
    case XEvent_num_occurrences:
        out->occurrences = tfp_int64(f);
        out->is_aggregated = true;
        break;
    default: tfp_wire_check(w, f, &tfp_XEvent); break;
    }
}

void tfp_xevent_read_head(tfp_wire *w, tfp_xevent *out)
{
    tfp_field f;
    *out = (tfp_xevent){ 0 };
    while (w->at < w->end && *w->at != XEvent_stats && tfp_wire_next(w, &f))
        read_field(w, out, &f);
}

bool tfp_xevent_next_stat(tfp_wire *w, tfp_xevent *out, tfp_field *stat)
{
    while (tfp_wire_next(w, stat)) {
        if (stat->tag == XEvent_stats)
            return true;
        read_field(w, out, stat);
    }
    return false;
}

/* How a number stands in a stat, by tag; TFP_STAT_NOTHING for what is none. */
static tfp_stat_kind kind_of_tag(uint8_t tag)
{
    switch (tag) {
    case XStat_double_value: return TFP_STAT_DOUBLE;
    case XStat_uint64_value: return TFP_STAT_UINT64;
    case XStat_int64_value: return TFP_STAT_INT64;
    case XStat_ref_value: return TFP_STAT_REF;
    default: return TFP_STAT_NOTHING;
    }
}

/* A text of one length byte up to `end`, all of it ASCII: nothing to check. */
static bool is_plain_text(const uint8_t *at, const uint8_t *end)
{
    uint8_t bits = 0;
    if (end - at < 1 || *at != end - at - 1)
        return false;
    for (at++; at < end; at++)
        bits |= *at;
    return bits < 0x80;
}

void tfp_xevent_take_numbers(tfp_wire *w, const tfp_xstat_places *places,
                             tfp_xstat *at, uint64_t *has)
{
    enum { HEAD = 2, LEAST = 4 }; /* tag and length; the shortest stat */
    const uint8_t *p = w->at, *end = w->end;
    while (end - p >= HEAD + LEAST && *p == XEvent_stats && p[1] < 0x80 &&
           p[1] >= LEAST && p[1] <= end - p - HEAD &&
           p[2] == XStat_metadata_id && p[3] < TFP_SMALL_IDS) {
        const uint8_t *next = p + HEAD + p[1];
        tfp_stat_kind kind = kind_of_tag(p[4]);
        uint8_t place = places->of_id[p[3]];
        uint64_t value;
        if (p[4] == XStat_str_value && place == TFP_MOST_PLACES &&
            is_plain_text(p + 5, next)) {
            p = next;
            continue;
        }
        if (kind == TFP_STAT_DOUBLE && next - p == HEAD + 3 + 8)
            memcpy(&value, p + 5, sizeof(value));
        else if (kind == TFP_STAT_DOUBLE || kind == TFP_STAT_NOTHING ||
                 tfp_varint(p + 5, end, TFP_VARINT_BYTES, &value) != next)
            break;
        if (place < TFP_MOST_PLACES) {
            at[place].id = p[3];
            at[place].kind = kind;
            at[place].value = value;
            *has |= UINT64_C(1) << place;
        }
        p = next;
    }
    w->at = p;
}

void tfp_xevent_metadata_read(tfp_wire *w, tfp_xevent_metadata *out)
{
    tfp_field f;
    *out = (tfp_xevent_metadata){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case XEventMetadata_name:
            out->name = f.bytes;
            tfp_wire_check_text(w, &f);
            break;
        case XEventMetadata_display_name:
            out->display_name = f.bytes;
            tfp_wire_check_text(w, &f);
            break;
        case XEventMetadata_stats: tfp_repeated_add(&out->stats, w, &f); break;
        default: tfp_wire_check(w, &f, &tfp_XEventMetadata); break;
        }
    }
}

tfp_span tfp_xstat_metadata_read(tfp_wire *w)
{
    tfp_span name = { 0 };
    tfp_field f;
    while (tfp_wire_next(w, &f)) {
        if (f.tag == XStatMetadata_name || f.tag == XStatMetadata_description)
            tfp_wire_check_text(w, &f);
        else
            tfp_wire_check(w, &f, &tfp_XStatMetadata);
        if (f.tag == XStatMetadata_name)
            name = f.bytes;
    }
    return name;
}

void tfp_xentry_read(tfp_wire *w, const tfp_message *entry, tfp_xentry *out)
{
    tfp_field f;
    *out = (tfp_xentry){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case XPlane_EventMetadataEntry_key: out->key = tfp_int64(&f); break;
        case XPlane_EventMetadataEntry_value:
            tfp_wire_keep_last(w, &out->value, &f, entry);
            break;
        default: tfp_wire_check(w, &f, entry); break;
        }
    }
}

bool tfp_memory_access_next(tfp_wire *w, tfp_memory_access *out)
{
    tfp_wire inner;
    tfp_field f;
    if (!tfp_repeated_next(w, MemoryAccessBreakdown_memory_accessed, &f))
        return false;
    *out = (tfp_memory_access){ 0 };
    inner = tfp_wire_enter(w, &f);
    while (tfp_wire_next(&inner, &f)) {
        switch (f.tag) {
        case MemoryAccessed_operation_type: out->operation = f.value; break;
        case MemoryAccessed_memory_space: out->space = f.value; break;
        case MemoryAccessed_bytes_accessed: out->bytes = f.value; break;
        default: tfp_wire_check(&inner, &f, &tfp_MemoryAccessed); break;
        }
    }
    tfp_wire_leave(&inner);
    return tfp_record_ok(w->record);
}
