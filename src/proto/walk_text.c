/*
 * walk_text.c - walks a message in protobuf's text format, of any length.
 *
 * The stack holds every message that is open: at its bottom the streamed
 * ones, above them at most one leaf record with what nests in it. It is
 * bounded by the nesting limit.
 *
 * A file is accepted when text_format.Parse() of Python's protobuf accepts it
 * with unknown fields allowed. The exceptions: a byte order mark, invalid
 * UTF-8 and packed messages of any type are let pass here; deep nesting,
 * \N{NAME} in strings, and names and digits beyond ASCII are not.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "proto/walk.h"

#include <string.h>

#include "proto/text_state.h"

enum { FIRST_ROOM = 4096 };

const char *tfp_text_level_name(const tfp_text_level *l)
{
    return l->message ? tfp_message_short_name(l->message)
                      : "an unknown message";
}

/* ---- Messages ----------------------------------------------------------- */

/* Tells whoever has to know that `next` begins, at the peeked brace. */
static int begin(tfp_text *t, const tfp_text_level *next, tfprof_error *err)
{
    const tfp_visitor *v = &t->walk->visitor;
    if (!next->message)
        return TFPROF_OK;
    tfp_text_note_single(t, next->field, false);
    if (!t->top->streamed)
        return tfp_text_begin_nested(t, next->field, err);
    if (next->streamed)
        return v->enter(v->self, t->top->message, next->field, err);
    t->leaf = tfp_scan_place(&t->scan, t->scan.at);
    return TFPROF_OK;
}

int tfp_text_open(tfp_text *t, int brace, const tfp_field_spec *field,
                  tfp_text_after after, tfprof_error *err)
{
    bool known = field && field->label != TFP_LABEL_RETIRED;
    tfp_text_level *next = t->top + 1;
    int status;
    if (brace != '{' && brace != '<')
        return tfp_scan_expected(&t->scan, "'{'", err);
    if (tfp_text_depth(t) >= t->walk->max_depth)
        return tfp_scan_fail(
            &t->scan, tfp_scan_place(&t->scan, t->scan.at), err,
            "nesting deeper than %d levels in %s (see --max_depth_nesting)",
            t->walk->max_depth, tfp_text_level_name(t->top));
    *next = (tfp_text_level){
        .message = known ? field->message : NULL,
        .field = field,
        .line = t->scan.line,
        .close = brace == '{' ? '}' : '>',
        .streamed = known && t->top->streamed &&
                    field->message->kind == TFP_MESSAGE_STREAMED,
        .after = after,
    };
    status = begin(t, next, err);
    if (status != TFPROF_OK)
        return status;
    next->start = t->out.count;
    t->top = next;
    t->scan.at++;
    return TFPROF_OK;
}

static int end(tfp_text *t, const tfp_text_level *done, tfprof_error *err)
{
    const tfp_visitor *v = &t->walk->visitor;
    if (!done->message)
        return TFPROF_OK;
    if (!t->top->streamed)
        return tfp_text_end_nested(t, done->start, err);
    if (done->streamed)
        return v->leave(v->self, t->top->message, done->field, err);
    return tfp_text_end_leaf(t, done->field, err);
}

/* ---- Lists -------------------------------------------------------------- */

/* One value in brackets, where one must stand. */
static int list_element(tfp_text *t, const tfp_field_spec *field, bool *entered,
                        tfprof_error *err)
{
    int byte = tfp_scan_peek(&t->scan);
    bool known = field && field->label != TFP_LABEL_RETIRED;
    *entered = known ? field->type == TFP_TYPE_MESSAGE
                     : byte == '{' || byte == '<';
    if (*entered)
        return tfp_text_open(t, byte, field, TFP_AFTER_ELEMENT, err);
    return known ? tfp_text_scalar(t, field, err)
                 : tfp_text_unknown_value(t, field, err);
}

/* After a value in brackets: on to the next message, or to the end. */
static int list_rest(tfp_text *t, const tfp_field_spec *field,
                     tfprof_error *err)
{
    while (!tfp_scan_accept(&t->scan, ']')) {
        bool entered;
        int status;
        if (!tfp_scan_accept(&t->scan, ','))
            return tfp_scan_expected(&t->scan, "',' or ']'", err);
        status = list_element(t, field, &entered, err);
        if (status != TFPROF_OK || entered)
            return status;
    }
    t->separable = true;
    return TFPROF_OK;
}

int tfp_text_list(tfp_text *t, const tfp_field_spec *field, tfprof_error *err)
{
    bool entered;
    int status;
    if (tfp_scan_accept(&t->scan, ']')) {
        t->separable = true;
        return TFPROF_OK;
    }
    status = list_element(t, field, &entered, err);
    if (status != TFPROF_OK || entered)
        return status;
    return list_rest(t, field, err);
}

/* ---- Fields ------------------------------------------------------------- */

/* At the brace that ends a message. */
static int close_message(tfp_text *t, tfprof_error *err)
{
    const tfp_text_level *done = t->top--; /* readable until the next open */
    int status;
    t->scan.at++;
    status = end(t, done, err);
    if (status != TFPROF_OK)
        return status;
    if (done->after == TFP_AFTER_ELEMENT)
        return list_rest(t, done->field, err);
    t->separable = done->after == TFP_AFTER_FIELD;
    return TFPROF_OK;
}

/* True when the next word is the name of this field. Names are so short that
 * calling memcmp() costs more than comparing. */
static inline bool is_here(const tfp_scan *s, const tfp_field_spec *field)
{
    const char *name = field->name;
    const uint8_t *at = s->at;
    size_t size = field->name_size, i = 0;
    if ((size_t)(s->end - at) <= size || size == 0)
        return false;
    while (i < size && at[i] == (uint8_t)name[i])
        i++;
    return i == size && !(tfp_byte_class[at[size]] & TFP_BYTE_WORD);
}

/* Consumes the name of a field; NULL when the message has none like it. The
 * fields of a message mostly come in their order, or one of them repeatedly. */
static const tfp_field_spec *read_name(tfp_text *t, tfp_span *name)
{
    tfp_scan *s = &t->scan;
    const tfp_message *message = t->top->message;
    const tfp_field_spec *field;
    if (!message) {
        *name = tfp_scan_word(s);
        return NULL;
    }
    field = &message->fields[t->top->next]; /* after the last, an empty row */
    if (!is_here(s, field) && (t->top->next == 0 || !is_here(s, --field))) {
        *name = tfp_scan_word(s);
        field = tfp_message_field_named(message, *name);
    } else {
        *name = (tfp_span){ s->at, field->name_size };
        s->at += field->name_size;
    }
    if (field)
        t->top->next = (uint8_t)(field - message->fields + 1);
    return field;
}

/* Refuses a second value of what has only one. */
static int check_single(tfp_text *t, const tfp_field_spec *field, tfp_span name,
                        tfprof_error *err)
{
    tfp_text_level *l = t->top;
    bool chosen = l->chosen;
    if (field->label == TFP_LABEL_ONEOF) {
        l->chosen = true;
        if (chosen)
            return tfp_scan_fail(&t->scan, tfp_scan_place(&t->scan, name.data),
                                 err,
                                 "%s: \"%s\" conflicts with an earlier field "
                                 "(only one of them is allowed)",
                                 tfp_text_level_name(l), field->name);
    } else if (field->label == TFP_LABEL_ONE &&
               l->seen >> (field - l->message->fields) & 1) {
        return tfp_scan_fail(&t->scan, tfp_scan_place(&t->scan, name.data), err,
                             "%s: \"%s\" appears twice", tfp_text_level_name(l),
                             field->name);
    }
    return TFPROF_OK;
}

static int known_field(tfp_text *t, const tfp_field_spec *field,
                       tfprof_error *err)
{
    int byte = tfp_scan_peek(&t->scan);
    if (byte == ':') {
        t->scan.at++;
        byte = tfp_scan_peek(&t->scan);
    } else if (field->type != TFP_TYPE_MESSAGE) {
        return tfp_scan_expected(&t->scan, "':'", err);
    }
    if (byte == '[' && field->label == TFP_LABEL_MANY) {
        t->scan.at++;
        return tfp_text_list(t, field, err);
    }
    if (field->type == TFP_TYPE_MESSAGE)
        return tfp_text_open(t, byte, field, TFP_AFTER_FIELD, err);
    t->separable = true;
    return tfp_text_scalar(t, field, err);
}

static int read_field(tfp_text *t, int byte, tfprof_error *err)
{
    const tfp_field_spec *field;
    tfp_span name;
    int status;
    if (byte == '[') {
        t->scan.at++;
        return tfp_text_bracketed(t, err);
    }
    /* An unknown field may have a number for a name. */
    if (!(tfp_byte_class[byte] & (TFP_BYTE_LETTER | TFP_BYTE_DIGIT)))
        return tfp_scan_expected(&t->scan,
                                 t->top->close == '}'   ? "a field name or '}'"
                                 : t->top->close == '>' ? "a field name or '>'"
                                                        : "a field name",
                                 err);
    field = read_name(t, &name);
    if (name.size == 0)
        return TFP_SCAN_CUT;
    if (!field || field->label == TFP_LABEL_RETIRED) {
        if (!field && t->top->message)
            tfp_text_note_unknown(t, name);
        return tfp_text_pass_over(t, field, err);
    }
    status = check_single(t, field, name, err);
    return status == TFPROF_OK ? known_field(t, field, err) : status;
}

/* ---- The whole ---------------------------------------------------------- */

/* The input stopped, either at its end or because it cannot be read. */
static int stopped(tfp_text *t, tfprof_error *err)
{
    tfp_place at = tfp_scan_place(&t->scan, t->scan.at);
    const char *name = tfp_text_level_name(t->top);
    if (t->top == t->stack)
        return tfp_scan_fail(&t->scan, at, err,
                             "the file ends inside a field of %s (truncated or "
                             "still being written?)",
                             name);
    return tfp_scan_fail(&t->scan, at, err,
                         "the file ends inside %s, which starts on line %lld "
                         "(truncated or still being written?)",
                         name, (long long)t->top->line);
}

static int walk_all(tfp_text *t, tfprof_error *err)
{
    for (;;) {
        int byte = tfp_scan_peek(&t->scan);
        int status;
        if (byte == TFP_SCAN_END) {
            if (t->top == t->stack && t->scan.reader->status == TFPROF_OK)
                return TFPROF_OK;
            return stopped(t, err);
        }
        if ((byte == ',' || byte == ';') && t->separable) {
            t->separable = false;
            t->scan.at++;
            continue;
        }
        t->separable = false;
        if (byte == t->top->close && byte != 0)
            status = close_message(t, err);
        else
            status = read_field(t, byte, err);
        if (status == TFP_SCAN_CUT)
            return stopped(t, err);
        if (status != TFPROF_OK)
            return status;
    }
}

int tfp_walk_text(tfp_walk *walk, const tfp_message *root, tfprof_error *err)
{
    const tfp_visitor *v = &walk->visitor;
    tfp_text t;
    int status;
    t.walk = walk;
    t.memory = walk->reader->memory;
    t.out = (tfp_text_bytes){ 0 };
    t.separable = false;
    t.top = t.stack;
    t.stack[0] = (tfp_text_level){ .message = root, .streamed = true };
    tfp_scan_init(&t.scan, walk->reader);
    /* Even an empty leaf has bytes to point at. */
    if (TFP_VEC_RESERVE(t.memory, &t.out, FIRST_ROOM))
        status = walk_all(&t, err);
    else
        status = tfp_fail_nomem(err);
    while (t.top > t.stack) { /* after damage: close what is still open */
        const tfp_text_level *open = t.top--;
        if (open->streamed && v->leave(v->self, t.top->message, open->field,
                                       NULL) == TFPROF_ERR_NOMEM)
            status = tfp_fail_nomem(err);
    }
    TFP_VEC_RELEASE(t.memory, &t.out);
    return status;
}
