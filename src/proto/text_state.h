/*
 * text_state.h - what the parts of the text walker share.
 *
 * walk_text.c follows fields and messages, text_leaf.c writes the values it
 * finds as wire bytes and hands them over, text_unknown.c passes over what no
 * table knows. Nobody else includes this.
 */
#ifndef TFP_PROTO_TEXT_STATE_H
#define TFP_PROTO_TEXT_STATE_H

#include "base/bytes.h"
#include "base/memory.h"
#include "proto/scan.h"
#include "proto/text_value.h"
#include "proto/walk.h"

/* What may follow a message. */
typedef enum tfp_text_after {
    TFP_AFTER_FIELD,   /* a separator */
    TFP_AFTER_ELEMENT, /* the next one in brackets: a [ {}, {} ] */
    TFP_AFTER_PACKED   /* nothing: it was packed in an Any */
} tfp_text_after;

/* A message that is open. */
typedef struct tfp_text_level {
    const tfp_message *message;  /* NULL: unknown, only passed over */
    const tfp_field_spec *field; /* of the level below; NULL at the root */
    uint64_t seen;               /* bit per field that may not come again */
    size_t start;                /* of its bytes in `out` */
    int64_t line;                /* where it begins */
    uint8_t next;                /* index of the field that may come next */
    char close;                  /* what ends it; 0 at the root */
    bool streamed;
    bool chosen; /* a field of its oneof was there */
    tfp_text_after after;
} tfp_text_level;

typedef struct tfp_text {
    tfp_walk *walk;
    tfp_scan scan;
    tfp_memory *memory;
    tfp_text_bytes out;  /* the leaf that is open */
    tfp_place leaf;      /* where it begins */
    bool separable;      /* a field has just ended: one separator may follow */
    tfp_text_level *top; /* the innermost open message */
    tfp_text_level stack[TFP_MOST_DEPTH + 1];
} tfp_text;

static inline int tfp_text_depth(const tfp_text *t)
{
    return (int)(t->top - t->stack);
}

/* ---- walk_text.c -------------------------------------------------------- */

/* How error messages call a level. */
const char *tfp_text_level_name(const tfp_text_level *level);

/* Opens a message if the peeked byte is a brace, as it must be: a value of
 * `field`, or with NULL or a retired field one that is only passed over. */
int tfp_text_open(tfp_text *t, int brace, const tfp_field_spec *field,
                  tfp_text_after after, tfprof_error *err);

/* The values after an opening bracket, up to the first message in there. */
int tfp_text_list(tfp_text *t, const tfp_field_spec *field, tfprof_error *err);

/* ---- text_leaf.c -------------------------------------------------------- */

/* Consumes one value of a field that is no message. */
int tfp_text_scalar(tfp_text *t, const tfp_field_spec *field,
                    tfprof_error *err);
int tfp_text_keep_string(tfp_text *t, const tfp_field_spec *field,
                         tfprof_error *err);

/* Keeps a number that was consumed. */
int tfp_text_keep_number(tfp_text *t, const tfp_field_spec *field,
                         uint64_t value, tfprof_error *err);

/* A message that nests in the open leaf begins; ends, having begun at `start`;
 * the leaf itself, a value of `field`, ends. */
int tfp_text_begin_nested(tfp_text *t, const tfp_field_spec *field,
                          tfprof_error *err);
int tfp_text_end_nested(tfp_text *t, size_t start, tfprof_error *err);
int tfp_text_end_leaf(tfp_text *t, const tfp_field_spec *field,
                      tfprof_error *err);

/* True for messages that remember a zero. Fields of proto3 do not, so there a
 * zero before another value goes unnoticed. */
bool tfp_text_notices_zero(const tfp_message *message);

/* Remembers that a field of the top level was there, so that it is refused if
 * it comes again. */
static inline void tfp_text_note_single(tfp_text *t,
                                        const tfp_field_spec *field,
                                        bool is_zero)
{
    const tfp_message *message = t->top->message;
    if (field->label == TFP_LABEL_ONE &&
        (!is_zero || tfp_text_notices_zero(message)))
        t->top->seen |= UINT64_C(1) << (field - message->fields);
}

/* ---- text_unknown.c ----------------------------------------------------- */

/* Counts a field that is passed over. */
void tfp_text_note_unknown(tfp_text *t, tfp_span name);

/* What follows the name of a field that is unknown or retired. */
int tfp_text_pass_over(tfp_text *t, const tfp_field_spec *retired,
                       tfprof_error *err);

/* One value of such a field that is no message. */
int tfp_text_unknown_value(tfp_text *t, const tfp_field_spec *retired,
                           tfprof_error *err);

/* A field whose name stands in brackets, after the opening one. */
int tfp_text_bracketed(tfp_text *t, tfprof_error *err);

#endif
