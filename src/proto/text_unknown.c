/*
 * text_unknown.c - fields of a text file that no table knows.
 *
 * Their form is checked as _SkipField() of google/protobuf/text_format.py
 * does, and what they hold is dropped. A retired field is unknown to newer
 * versions, so it must be let pass in any form; it is kept if it has the form
 * it used to have.
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "proto/text_state.h"

void tfp_text_note_unknown(tfp_text *t, tfp_span name)
{
    tfp_unknown *unknown = &t->walk->unknown;
    char field[29], message[25]; /* both fit into unknown->name */
    if (unknown->count++ > 0)
        return;
    tfp_escape_short(name, field, sizeof(field));
    tfp_escape_short(tfp_span_of(tfp_text_level_name(t->top)), message,
                     sizeof(message));
    snprintf(unknown->name, sizeof(unknown->name), "field %s of %s", field,
             message);
}

/* ---- Values ------------------------------------------------------------- */

static void note_misfit(tfp_text *t, const tfp_field_spec *retired)
{
    if (retired)
        tfp_text_note_unknown(t, (tfp_span){ (const uint8_t *)retired->name,
                                             retired->name_size });
}

static int unknown_string(tfp_text *t, const tfp_field_spec *retired,
                          tfprof_error *err)
{
    size_t mark = t->out.count;
    int status;
    if (retired && tfp_type_wire(retired->type) == TFP_WIRE_BYTES)
        return tfp_text_keep_string(t, retired, err);
    status = tfp_text_string(&t->scan, t->memory, &t->out, err);
    t->out.count = mark;
    if (status == TFPROF_OK)
        note_misfit(t, retired);
    return status;
}

int tfp_text_unknown_value(tfp_text *t, const tfp_field_spec *retired,
                           tfprof_error *err)
{
    uint64_t value;
    tfp_span word;
    int status;
    if (tfp_scan_is_quote(tfp_scan_peek(&t->scan)))
        return unknown_string(t, retired, err);
    if (t->top->streamed)
        t->leaf = tfp_scan_place(&t->scan, t->scan.at);
    status = tfp_text_unknown_word(&t->scan, &word, err);
    if (status != TFPROF_OK)
        return status;
    if (retired && tfp_text_convert(retired, word, &value))
        return tfp_text_keep_number(t, retired, value, err);
    note_misfit(t, retired);
    return TFPROF_OK;
}

int tfp_text_pass_over(tfp_text *t, const tfp_field_spec *retired,
                       tfprof_error *err)
{
    bool colon = tfp_scan_accept(&t->scan, ':');
    int byte = tfp_scan_peek(&t->scan);
    if (!colon || byte == '{' || byte == '<') {
        note_misfit(t, retired);
        return tfp_text_open(t, byte, retired, TFP_AFTER_FIELD, err);
    }
    if (tfp_scan_accept(&t->scan, '['))
        return tfp_text_list(t, retired, err);
    t->separable = true;
    return tfp_text_unknown_value(t, retired, err);
}

/* ---- Names in brackets -------------------------------------------------- */

/* Consumes parts of a name with dots between them; how many, or 0 when a part
 * is missing. */
static int dotted_name(tfp_scan *s)
{
    int parts = 0;
    do {
        int byte = tfp_scan_peek(s);
        if (byte < 0 || !(tfp_byte_class[byte] & TFP_BYTE_LETTER) ||
            tfp_scan_word(s).size == 0)
            return 0;
        parts++;
    } while (tfp_scan_accept(s, '.'));
    return parts;
}

static bool is_hex_digit(int byte)
{
    return (byte >= '0' && byte <= '9') ||
           ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
}

/* Consumes a type URL such as type.googleapis.com/a.B and its ']'. Blanks are
 * allowed anywhere in it. */
static int type_url(tfp_scan *s, tfprof_error *err)
{
    bool first = true, slash = false;
    bool name_ok = true; /* after the last slash it is like a.B so far */
    bool fresh = true;   /* the next byte begins a part of that */
    int escape = 0;      /* hex digits that must follow a '%' */
    for (;; first = false) {
        int byte = tfp_scan_peek(s);
        int class = byte < 0 ? 0 : tfp_byte_class[byte];
        if (escape > 0 && !is_hex_digit(byte))
            return tfp_scan_expected(s, "a hexadecimal digit after '%'", err);
        escape -= escape > 0;
        if (byte == ']' && slash && name_ok && !fresh)
            break;
        if (byte == '/' && !first) {
            slash = name_ok = fresh = true;
        } else if (byte == '.') {
            name_ok = name_ok && !fresh;
            fresh = true;
        } else if (class & TFP_BYTE_URL) {
            name_ok = name_ok && (class & TFP_BYTE_LETTER ||
                                  (class & TFP_BYTE_DIGIT && !fresh));
            fresh = false;
            escape = byte == '%' ? 2 : escape;
        } else {
            return tfp_scan_expected(
                s, "a type URL such as type.googleapis.com/a.B", err);
        }
        s->at++;
    }
    s->at++;
    return TFPROF_OK;
}

/* A message that an Any holds packed. No decoder has a use for it. */
static int packed_message(tfp_text *t, tfprof_error *err)
{
    int status;
    tfp_text_note_unknown(t, tfp_span_of("[type URL]"));
    status = type_url(&t->scan, err);
    if (status != TFPROF_OK)
        return status;
    (void)tfp_scan_accept(&t->scan, ':');
    /* It has a type URL now, so none may follow. */
    tfp_text_note_single(t, &tfp_Any.fields[0], false);
    return tfp_text_open(t, tfp_scan_peek(&t->scan), NULL, TFP_AFTER_PACKED,
                         err);
}

int tfp_text_bracketed(tfp_text *t, tfprof_error *err)
{
    tfp_scan *s = &t->scan;
    int parts;
    if (t->top->message == &tfp_Any)
        return packed_message(t, err);
    if (t->top->message)
        return tfp_scan_fail(s, tfp_scan_place(s, s->at - 1), err,
                             "expected a field name, found '[': %s has no "
                             "extensions",
                             tfp_text_level_name(t->top));
    parts = dotted_name(s);
    if (parts == 3 && tfp_scan_accept(s, '/'))
        parts = dotted_name(s);
    if (parts == 0)
        return tfp_scan_expected(s, "a name", err);
    if (!tfp_scan_accept(s, ']'))
        return tfp_scan_expected(s, "']'", err);
    return tfp_text_pass_over(t, NULL, err);
}
