/*
 * wire.c - a cursor over the bytes of one record.
 *
 * Format: protobuf's encoding, developers' documentation, "Encoding".
 */
#include "proto/wire.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"

void tfp_unknown_note(tfp_unknown *unknown, uint32_t tag, const char *where)
{
    char message[41]; /* leaves room for a number of 32 bits */
    if (unknown->count++ > 0)
        return;
    tfp_escape_short(tfp_span_of(where), message, sizeof(message));
    snprintf(unknown->name, sizeof(unknown->name), "field %u of %s",
             (unsigned)tfp_tag_number(tag), message);
}

bool tfp_record_blame(tfp_record *record, const uint8_t *at, const char *why)
{
    if (!record->bad) {
        record->bad = at;
        record->why = why;
    }
    return false;
}

int tfp_record_fail(const tfp_record *record, const tfp_message *what,
                    tfprof_error *err)
{
    int64_t at = record->offset + (record->bad - record->bytes.data);
    const uint8_t *end = record->bytes.data + record->bytes.size;
    if (record->too_deep)
        return tfp_fail(
            err, TFPROF_ERR_MALFORMED, at,
            "nesting deeper than %d levels in %s (see --max_depth_nesting)",
            record->max_depth, tfp_message_short_name(what));
    return tfp_fail(err, TFPROF_ERR_MALFORMED, at, "%s is damaged: %s%s",
                    tfp_message_short_name(what), record->why,
                    record->bad < end && *record->bad == 0 ? " (zero bytes)"
                                                           : "");
}

/* Eight bytes at once: find the first without its top bit, drop what follows,
 * then close the gaps of one bit between the groups of seven, in pairs. */
static const uint8_t *varint_of_eight(const uint8_t *at, uint64_t *value)
{
    uint64_t x, stops;
    memcpy(&x, at, sizeof(x));
    stops = ~x & 0x8080808080808080u;
    if (stops == 0)
        return NULL;
    x &= (stops ^ (stops - 1)) & 0x7f7f7f7f7f7f7f7fu;
    x = (x & 0x007f007f007f007fu) | (x & 0x7f007f007f007f00u) >> 1;
    x = (x & 0x00003fff00003fffu) | (x & 0x3fff00003fff0000u) >> 2;
    x = (x & 0x000000000fffffffu) | (x & 0x0fffffff00000000u) >> 4;
    *value = x;
    return at + (__builtin_ctzll(stops) >> 3) + 1;
}

const uint8_t *tfp_varint_long(const uint8_t *at, const uint8_t *end, int most,
                               uint64_t *value)
{
    uint64_t sum = 0;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && end - at >= 8) {
        const uint8_t *after = varint_of_eight(at, value);
        if (after)
            return after - at <= most ? after : NULL;
    }
    for (int shift = 0; most > 0 && at < end; most--, shift += 7) {
        uint8_t byte = *at++;
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = sum;
            return at;
        }
    }
    return NULL;
}

static uint64_t little_endian(const uint8_t *at, int size)
{
    uint64_t value = 0;
    for (int i = size; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

bool tfp_wire_blame(tfp_wire *w, const tfp_field *f, const char *why)
{
    w->at = w->end;
    return tfp_record_blame(w->record, f->at, why);
}

static bool fixed_value(tfp_wire *w, tfp_field *f, int size)
{
    if (w->end - w->at < size)
        return tfp_wire_blame(w, f, "a number is truncated");
    f->value = little_endian(w->at, size);
    w->at += size;
    return true;
}

static bool deeper(tfp_record *record, const uint8_t *at)
{
    if (record->depth < record->max_depth) {
        record->depth++;
        return true;
    }
    if (!record->bad)
        record->too_deep = true;
    return tfp_record_blame(record, at, "nesting too deep");
}

bool tfp_wire_long_tag(tfp_wire *w, tfp_field *f, uint64_t least)
{
    uint64_t tag;
    const uint8_t *at = tfp_varint(w->at, w->end, TFP_TAG_BYTES, &tag);
    f->at = w->at;
    if (!at || tag < least || tag > UINT32_MAX)
        return tfp_wire_blame(w, f, "bad field tag");
    f->tag = (uint32_t)tag;
    w->at = at;
    return true;
}

/* Passes over a group of an old protobuf. No message here has groups, but an
 * unknown field may be one. The open groups are counted, not called. */
static bool group_value(tfp_wire *w, tfp_field *f)
{
    tfp_record *record = w->record;
    uint32_t open[TFP_MOST_DEPTH]; /* numbers of the open groups */
    int count = 0;
    tfp_field inner = *f;
    f->bytes.data = w->at;
    do {
        if (tfp_tag_wire(inner.tag) == TFP_WIRE_GROUP) {
            if (!deeper(record, inner.at))
                return tfp_wire_blame(w, &inner, "nesting too deep");
            open[count++] = tfp_tag_number(inner.tag);
        } else if (tfp_tag_wire(inner.tag) == TFP_WIRE_GROUP_END) {
            if (tfp_tag_number(inner.tag) != open[--count])
                return tfp_wire_blame(w, &inner,
                                      "a group ends without a start");
            record->depth--;
        } else if (!tfp_wire_value(w, &inner)) {
            return false;
        }
        f->bytes.size = (size_t)(w->at - f->bytes.data);
    } while (count > 0 && w->at < w->end && tfp_wire_long_tag(w, &inner, 0));
    if (count > 0)
        return tfp_wire_blame(w, f, "a group is truncated");
    return true;
}

bool tfp_wire_value(tfp_wire *w, tfp_field *f)
{
    const uint8_t *at;
    uint64_t size;
    switch (tfp_tag_wire(f->tag)) {
    case TFP_WIRE_VARINT:
        at = tfp_varint(w->at, w->end, TFP_VARINT_BYTES, &f->value);
        if (!at)
            return tfp_wire_blame(w, f, "a number is truncated");
        w->at = at;
        return true;
    case TFP_WIRE_FIXED64: return fixed_value(w, f, 8);
    case TFP_WIRE_FIXED32: return fixed_value(w, f, 4);
    case TFP_WIRE_BYTES:
        at = tfp_varint(w->at, w->end, TFP_LENGTH_BYTES, &size);
        if (!at || size > (uint64_t)(w->end - at))
            return tfp_wire_blame(w, f, "a length extends past the end");
        f->bytes = (tfp_span){ at, (size_t)size };
        w->at = at + size;
        return true;
    case TFP_WIRE_GROUP: return group_value(w, f);
    case TFP_WIRE_GROUP_END:
        return tfp_wire_blame(w, f, "a group ends without a start");
    default: return tfp_wire_blame(w, f, "unknown wire type");
    }
}

tfp_wire tfp_wire_enter(tfp_wire *w, const tfp_field *f)
{
    tfp_wire inner = { f->bytes.data, f->bytes.data + f->bytes.size,
                       w->record };
    if (!deeper(w->record, f->at)) {
        inner.at = inner.end;
        w->record->depth++; /* the caller will leave what it entered */
    }
    return inner;
}

tfp_numbers tfp_numbers_of(const tfp_wire *w, const tfp_field *f, int wire)
{
    tfp_numbers n = { .wire = wire };
    if (tfp_tag_wire(f->tag) == TFP_WIRE_BYTES) {
        n.rest = (tfp_wire){ f->bytes.data, f->bytes.data + f->bytes.size,
                             w->record };
    } else {
        n.rest = (tfp_wire){ .record = w->record };
        n.single = true;
        n.first = f->value;
    }
    return n;
}

bool tfp_numbers_next(tfp_numbers *n, uint64_t *value)
{
    tfp_field f = { .tag = (uint32_t)n->wire, .at = n->rest.at };
    if (n->single) {
        n->single = false;
        *value = n->first;
        return true;
    }
    if (n->rest.at == n->rest.end || !tfp_wire_value(&n->rest, &f))
        return false;
    *value = f.value;
    return true;
}

/* True when the field is one that can hold damage of its own. */
static const tfp_field_spec *inside(const tfp_message *message,
                                    const tfp_field *f)
{
    const tfp_field_spec *spec;
    if (tfp_tag_wire(f->tag) != TFP_WIRE_BYTES)
        return NULL;
    spec = tfp_message_field(message, tfp_tag_number(f->tag));
    if (!spec || spec->type == TFP_TYPE_STRING || spec->type == TFP_TYPE_BYTES)
        return NULL;
    return spec;
}

static void check_packed(tfp_wire *w, const tfp_field *f, tfp_type type)
{
    tfp_numbers n = tfp_numbers_of(w, f, tfp_type_wire(type));
    uint64_t value;
    while (tfp_numbers_next(&n, &value))
        continue;
}

/* In a message without fields all is unknown, as in a group. */
static void check_unknown(tfp_wire *w, const tfp_message *message)
{
    tfp_field f;
    while (w->at < w->end && tfp_wire_long_tag(w, &f, 0) &&
           tfp_wire_value(w, &f)) {
        if (w->record->unknown)
            tfp_unknown_note(w->record->unknown, f.tag,
                             tfp_message_short_name(message));
    }
}

bool tfp_field_is_known(const tfp_field_spec *spec, uint32_t tag)
{
    int wire = tfp_tag_wire(tag);
    return spec && (tfp_type_wire(spec->type) == wire ||
                    (spec->label >= TFP_LABEL_MANY && wire == TFP_WIRE_BYTES));
}

void tfp_wire_check(tfp_wire *w, const tfp_field *f, const tfp_message *message)
{
    const tfp_field_spec *spec = inside(message, f);
    if (w->record->unknown &&
        !tfp_field_is_known(tfp_message_field(message, tfp_tag_number(f->tag)),
                            f->tag))
        tfp_unknown_note(w->record->unknown, f->tag,
                         tfp_message_short_name(message));
    if (!spec)
        return;
    if (spec->type == TFP_TYPE_MESSAGE) {
        /* Recursion is bounded by the nesting limit, about 100 small frames. */
        tfp_wire inner = tfp_wire_enter(w, f);
        if (spec->message->count > 0)
            tfp_wire_check_rest(&inner, spec->message);
        else
            check_unknown(&inner, spec->message);
        tfp_wire_leave(&inner);
    } else if (spec->label >= TFP_LABEL_MANY) {
        check_packed(w, f, spec->type);
    }
}

void tfp_wire_check_rest(tfp_wire *w, const tfp_message *message)
{
    tfp_field f;
    while (tfp_wire_next(w, &f))
        tfp_wire_check(w, &f, message);
}

void tfp_wire_keep_last(tfp_wire *w, tfp_field *kept, const tfp_field *f,
                        const tfp_message *message)
{
    if (kept->tag != 0)
        tfp_wire_check(w, kept, message);
    *kept = *f;
}
