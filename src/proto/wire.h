/*
 * wire.h - a cursor over the bytes of one record.
 *
 * The record remembers the first thing that is wrong with it, so a loop checks
 * once, at its end:
 *
 *     tfp_wire w = tfp_wire_over(&record);
 *     tfp_field f;
 *     while (tfp_wire_next(&w, &f)) {
 *         switch (f.tag) {
 *         case NodeDef_name: out->name = f.bytes; break;
 *         default: tfp_wire_check(&w, &f, &tfp_NodeDef); break;
 *         }
 *     }
 *     return tfp_record_ok(&record);
 *
 * What a decoder does not use it passes to tfp_wire_check(), which looks for
 * damage in nested messages all the same: a file is refused when TensorFlow
 * would refuse it. Nesting is counted per record, on top of the containers
 * that hold it.
 */
#ifndef TFP_PROTO_WIRE_H
#define TFP_PROTO_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "proto/schema.h"

/* The nesting limit can be set, but not past this: some loops keep a stack. */
enum { TFP_MOST_DEPTH = 250 };

/* Fields that no table has: of a newer TensorFlow, or of none. */
typedef struct tfp_unknown {
    int64_t count;
    char name[64]; /* the first of them, as the input says it */
} tfp_unknown;

/* One leaf record, held in one piece. */
typedef struct tfp_record {
    tfp_span bytes;
    int64_t offset;       /* of bytes.data[0] in the input */
    int depth;            /* messages that are open, containers included */
    int max_depth;        /* more than so many are refused */
    const uint8_t *bad;   /* where the first fault is, or NULL */
    const char *why;      /* with bad */
    bool too_deep;        /* the fault is nesting: a limit, not damage */
    tfp_unknown *unknown; /* told by tfp_wire_check(); may be NULL */
} tfp_record;

typedef struct tfp_wire {
    const uint8_t *at, *end;
    tfp_record *record;
} tfp_wire;

typedef struct tfp_field {
    uint32_t tag;      /* number << 3 | wire type */
    uint64_t value;    /* of a varint or fixed number */
    tfp_span bytes;    /* of a length-delimited field or a group */
    const uint8_t *at; /* the tag's first byte */
} tfp_field;

static inline uint32_t tfp_tag_number(uint32_t tag)
{
    return tag >> 3;
}

static inline int tfp_tag_wire(uint32_t tag)
{
    return (int)(tag & 7);
}

static inline tfp_wire tfp_wire_over(tfp_record *record)
{
    return (tfp_wire){ record->bytes.data,
                       record->bytes.data + record->bytes.size, record };
}

static inline bool tfp_record_ok(const tfp_record *record)
{
    return !record->bad;
}

/* Counts the field of that tag in a message called `where`. */
void tfp_unknown_note(tfp_unknown *unknown, uint32_t tag, const char *where);

/* Remembers the first fault of the record; always false. */
bool tfp_record_blame(tfp_record *record, const uint8_t *at, const char *why);

/* The record's fault as an error; `what` names the message. */
int tfp_record_fail(const tfp_record *record, const tfp_message *what,
                    tfprof_error *err);

/* Reads a varint of up to `most` bytes. NULL when it is cut or longer; bits
 * past the 64th are dropped, as all protobuf libraries do. */
const uint8_t *tfp_varint_long(const uint8_t *at, const uint8_t *end, int most,
                               uint64_t *value);

static inline const uint8_t *tfp_varint(const uint8_t *at, const uint8_t *end,
                                        int most, uint64_t *value)
{
    if (at < end && *at < 0x80) {
        *value = *at;
        return at + 1;
    }
    if (end - at >= 2 && at[1] < 0x80) { /* most lengths and counts */
        *value = (uint64_t)(*at & 0x7f) | (uint64_t)at[1] << 7;
        return at + 2;
    }
    return tfp_varint_long(at, end, most, value);
}

/* Tags and lengths of more than 5 bytes are refused, numbers past 10. */
enum { TFP_TAG_BYTES = 5, TFP_LENGTH_BYTES = 5, TFP_VARINT_BYTES = 10 };

/* Blames the record for field `f` and ends the cursor; always false. */
bool tfp_wire_blame(tfp_wire *w, const tfp_field *f, const char *why);

/* Reads the value that belongs to f->tag; false after blaming the record. */
bool tfp_wire_value(tfp_wire *w, tfp_field *f);

/* Reads the tag at w->at and moves past it; false after blaming. A tag less
 * than `least` is blamed: TFP_LEAST_TAG in a message, where no field has the
 * number 0. In an unknown group and in a message without fields upb,
 * TensorFlow's parser, lets it pass. */
enum { TFP_LEAST_TAG = 8 };
bool tfp_wire_long_tag(tfp_wire *w, tfp_field *f, uint64_t least);

/* The next field. False at the end, or when the record is found bad. Inlined
 * by force: it is most of what a decoder does. */
__attribute__((always_inline)) static inline bool tfp_wire_next(tfp_wire *w,
                                                                tfp_field *f)
{
    const uint8_t *at = w->at, *end = w->end;
    if (at == end)
        return false;
    f->at = at;
    if (*at >= 8 && *at < 0x80) { /* numbers 1 to 15 */
        f->tag = *at++;
    } else {
        if (!tfp_wire_long_tag(w, f, TFP_LEAST_TAG))
            return false;
        at = w->at;
    }
    if (tfp_tag_wire(f->tag) == TFP_WIRE_BYTES) {
        uint64_t size;
        at = tfp_varint(at, end, TFP_LENGTH_BYTES, &size);
        if (!at || size > (uint64_t)(end - at))
            return tfp_wire_blame(w, f, "a length extends past the end");
        f->bytes = (tfp_span){ at, (size_t)size };
        w->at = at + size;
        return true;
    }
    if (tfp_tag_wire(f->tag) == TFP_WIRE_VARINT) {
        at = tfp_varint(at, end, TFP_VARINT_BYTES, &f->value);
        if (!at)
            return tfp_wire_blame(w, f, "a number is truncated");
        w->at = at;
        return true;
    }
    w->at = at;
    return tfp_wire_value(w, f);
}

/* A cursor over a nested message. On nesting past the limit the record is
 * blamed and the cursor is empty. Each enter needs its tfp_wire_leave(). */
tfp_wire tfp_wire_enter(tfp_wire *w, const tfp_field *f);

static inline void tfp_wire_leave(tfp_wire *inner)
{
    inner->record->depth--;
}

/* Is a field of that tag what `spec`, which may be NULL, says? */
bool tfp_field_is_known(const tfp_field_spec *spec, uint32_t tag);

/* Blames the record for damage inside a field of `message` that the caller
 * does not read: nested messages and packed numbers, to any depth. Counts it,
 * and what is in it, if it is unknown. */
void tfp_wire_check(tfp_wire *w, const tfp_field *f,
                    const tfp_message *message);

/* The same for all fields that are left in `w`. */
void tfp_wire_check_rest(tfp_wire *w, const tfp_message *message);

/* Keeps the last of a field that stands once; the one before is checked. */
void tfp_wire_keep_last(tfp_wire *w, tfp_field *kept, const tfp_field *f,
                        const tfp_message *message);

/*
 * Numbers of a repeated field come one by one or packed; this gives them in
 * turn for either form:
 *
 *     tfp_numbers n = tfp_numbers_of(&w, &f, TFP_TYPE_INT64);
 *     while (tfp_numbers_next(&n, &value)) ...
 */
typedef struct tfp_numbers {
    tfp_wire rest;
    int wire;    /* how each number is written */
    bool single; /* not packed: `first` is the only one */
    uint64_t first;
} tfp_numbers;

tfp_numbers tfp_numbers_of(const tfp_wire *w, const tfp_field *f, int wire);
bool tfp_numbers_next(tfp_numbers *n, uint64_t *value);

/*
 * A repeated field is decoded in two steps: while its message is read, note
 * where the first and the last one stand; afterwards go over just that part:
 *
 *     case NodeDef_input: tfp_repeated_add(&out->inputs, &w, &f); break;
 *
 *     tfp_wire w = tfp_repeated_wire(&node.inputs, record);
 *     while (tfp_repeated_next(&w, NodeDef_input, &f)) ...
 */
typedef struct tfp_repeated {
    const uint8_t *first, *end;
    uint32_t count;
} tfp_repeated;

static inline void tfp_repeated_add(tfp_repeated *r, const tfp_wire *w,
                                    const tfp_field *f)
{
    if (r->count++ == 0)
        r->first = f->at;
    r->end = w->at;
}

static inline tfp_wire tfp_repeated_wire(const tfp_repeated *r,
                                         tfp_record *record)
{
    return (tfp_wire){ r->first, r->end, record };
}

static inline bool tfp_repeated_next(tfp_wire *w, uint32_t tag, tfp_field *f)
{
    while (tfp_wire_next(w, f)) {
        if (f->tag == tag)
            return true;
    }
    return false;
}

static inline int64_t tfp_int64(const tfp_field *f)
{
    return (int64_t)f->value;
}

static inline int32_t tfp_int32(const tfp_field *f)
{
    return (int32_t)(uint32_t)f->value;
}

#endif
