/*
 * text_leaf.c - values of a text file, written as wire bytes and handed over.
 *
 * A value right in a streamed message is a leaf of its own and goes to the
 * visitor at once. Below that, values are added to the leaf that is open. The
 * length of a nested message is known only at its end, so it is a varint of
 * five bytes, padded: nothing has to be moved when it is filled in.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "proto/put.h"
#include "proto/text_state.h"

/* A length that is filled in later takes so many bytes. */
enum { PADDED = TFP_LENGTH_BYTES };

/* ---- Wire bytes --------------------------------------------------------- */

static uint32_t tag_of(const tfp_field_spec *field)
{
    return TFP_TAG(field->number, tfp_type_wire(field->type));
}

static int put_number(tfp_text *t, uint32_t tag, uint64_t value,
                      tfprof_error *err)
{
    uint8_t *at;
    if (!TFP_VEC_RESERVE(t->memory, &t->out, TFP_TAG_BYTES + TFP_VARINT_BYTES))
        return tfp_fail_nomem(err);
    at = tfp_put_varint_at(t->out.data + t->out.count, tag);
    switch (tfp_tag_wire(tag)) {
    case TFP_WIRE_VARINT: at = tfp_put_varint_at(at, value); break;
    case TFP_WIRE_FIXED32: at = tfp_put_fixed_at(at, value, 4); break;
    default: at = tfp_put_fixed_at(at, value, 8); break;
    }
    t->out.count = (size_t)(at - t->out.data);
    return TFPROF_OK;
}

int tfp_text_begin_nested(tfp_text *t, const tfp_field_spec *field,
                          tfprof_error *err)
{
    uint32_t tag = TFP_TAG(field->number, TFP_WIRE_BYTES);
    uint8_t *at;
    if (!TFP_VEC_RESERVE(t->memory, &t->out, TFP_TAG_BYTES + PADDED))
        return tfp_fail_nomem(err);
    at = tfp_put_varint_at(t->out.data + t->out.count, tag);
    t->out.count = (size_t)(at - t->out.data) + PADDED;
    return TFPROF_OK;
}

int tfp_text_end_nested(tfp_text *t, size_t start, tfprof_error *err)
{
    uint64_t size = t->out.count - start;
    uint8_t *at = t->out.data + start - PADDED;
    if (size >> 32)
        return tfp_fail(err, TFPROF_ERR_LIMIT, t->leaf.offset,
                        "nested message exceeds 4 GiB");
    for (int i = 0; i < PADDED - 1; i++)
        *at++ = (uint8_t)(size >> (7 * i) | 0x80);
    *at = (uint8_t)(size >> (7 * (PADDED - 1)));
    return TFPROF_OK;
}

/* ---- Leaves ------------------------------------------------------------- */

static int give(tfp_text *t, const tfp_field_spec *field, const tfp_field *f,
                tfp_record *record, tfprof_error *err)
{
    const tfp_visitor *v = &t->walk->visitor;
    const tfp_message *parent = t->top->message;
    int status = v->leaf(v->self, parent, f, record, err);
    if (status == TFP_LEAF_UNREAD)
        return TFPROF_OK; /* what was written here is well formed */
    if (status == TFPROF_OK && record->bad)
        status = tfp_record_fail(record,
                                 field->message ? field->message : parent, err);
    if (status == TFPROF_ERR_MALFORMED && err) {
        /* An offset into the wire bytes would be of no use to anyone. */
        err->offset = t->leaf.offset;
        err->line = t->leaf.line;
        err->column = t->leaf.column;
    }
    return status;
}

int tfp_text_end_leaf(tfp_text *t, const tfp_field_spec *field,
                      tfprof_error *err)
{
    tfp_record record = { .bytes = { t->out.data, t->out.count },
                          .offset = t->leaf.offset,
                          .depth = tfp_text_depth(t) + 1,
                          .max_depth = t->walk->max_depth };
    tfp_field f = { .tag = TFP_TAG(field->number, TFP_WIRE_BYTES),
                    .value = t->out.count,
                    .bytes = record.bytes,
                    .at = record.bytes.data };
    int status = give(t, field, &f, &record, err);
    t->out.count = 0;
    return status;
}

static int give_number(tfp_text *t, const tfp_field_spec *field, uint32_t tag,
                       uint64_t value, tfprof_error *err)
{
    tfp_record none = { .bytes = tfp_span_of(""),
                        .offset = t->leaf.offset,
                        .max_depth = t->walk->max_depth };
    tfp_field f = { .tag = tag, .value = value };
    return give(t, field, &f, &none, err);
}

/* ---- Values ------------------------------------------------------------- */

/* The only ones in proto2. */
bool tfp_text_notices_zero(const tfp_message *message)
{
    return tfp_span_starts(tfp_span_of(message->name),
                           "tensorflow.GraphDebugInfo.");
}

/* If what comes next is a leaf, this is where it begins. */
static void note_leaf(tfp_text *t)
{
    if (t->top->streamed) {
        (void)tfp_scan_peek(&t->scan);
        t->leaf = tfp_scan_place(&t->scan, t->scan.at);
    }
}

int tfp_text_keep_number(tfp_text *t, const tfp_field_spec *field,
                         uint64_t value, tfprof_error *err)
{
    uint32_t tag = tag_of(field);
    tfp_text_note_single(t, field, value == 0);
    return t->top->streamed ? give_number(t, field, tag, value, err)
                            : put_number(t, tag, value, err);
}

int tfp_text_keep_string(tfp_text *t, const tfp_field_spec *field,
                         tfprof_error *err)
{
    bool leaf = t->top->streamed;
    size_t start, size;
    int status = TFPROF_OK;
    note_leaf(t);
    if (!leaf)
        status = tfp_text_begin_nested(t, field, err);
    start = t->out.count;
    if (status == TFPROF_OK)
        status = tfp_text_string(&t->scan, t->memory, &t->out, err);
    if (status != TFPROF_OK)
        return status;
    size = t->out.count - start;
    tfp_text_note_single(t, field, size == 0);
    if (leaf)
        return tfp_text_end_leaf(t, field, err);
    if (size > 0x7f)
        return tfp_text_end_nested(t, start, err);
    /* Short strings are many and worth a short length. */
    t->out.data[start - PADDED] = (uint8_t)size;
    memmove(t->out.data + start - PADDED + 1, t->out.data + start, size);
    t->out.count -= PADDED - 1;
    return TFPROF_OK;
}

int tfp_text_scalar(tfp_text *t, const tfp_field_spec *field, tfprof_error *err)
{
    uint64_t value = 0;
    int status;
    if (field->type == TFP_TYPE_STRING || field->type == TFP_TYPE_BYTES)
        return tfp_text_keep_string(t, field, err);
    note_leaf(t);
    status = tfp_text_number(&t->scan, field, &value, err);
    if (status != TFPROF_OK)
        return status;
    return tfp_text_keep_number(t, field, value, err);
}
