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

bool tfp_xevent_next_stat(tfp_wire *w, tfp_xevent *out, tfp_field *stat)
{
    while (tfp_wire_next(w, stat)) {
        switch (stat->tag) {
        case XEvent_stats: return true;
        case XEvent_metadata_id: out->metadata = tfp_int64(stat); break;
        case XEvent_offset_ps:
            out->offset = tfp_int64(stat);
            out->is_aggregated = false;
            break;
        case XEvent_duration_ps: out->duration = tfp_int64(stat); break;
        case XEvent_num_occurrences:
            out->occurrences = tfp_int64(stat);
            out->is_aggregated = true;
            break;
        default: tfp_wire_check(w, stat, &tfp_XEvent); break;
        }
    }
    return false;
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
