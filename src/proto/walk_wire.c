/*
 * walk_wire.c - walks a binary message of any length.
 *
 * The stack holds the streamed messages that are open, with the offset where
 * each ends; an unknown group is an entry without a message. It is bounded by
 * the nesting limit, which the records below go on counting.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/reader.h"
#include "proto/walk.h"

/* The longest tag and the longest number after it. */
enum { HEAD = TFP_TAG_BYTES + TFP_VARINT_BYTES };

typedef struct level {
    const tfp_message *message;  /* NULL in an unknown group */
    const tfp_field_spec *field; /* of the level above; NULL at the root */
    int64_t end;                 /* offset; INT64_MAX at the root */
    uint32_t group;              /* number of the unknown group */
    const tfp_field_spec *last;  /* field found last: most often it again */
    uint8_t again;               /* tag of `last` if a message that is a leaf */
} level;

typedef struct walk_state {
    tfp_walk *walk;
    tfp_reader *reader;
    level stack[TFP_MOST_DEPTH + 1];
    int depth; /* index of the innermost open level */
} walk_state;

static level *top(walk_state *s)
{
    return &s->stack[s->depth];
}

/* The field of that number at the innermost level, or NULL. */
static const tfp_field_spec *find_field(walk_state *s, uint32_t number)
{
    level *l = top(s);
    if (l->last && l->last->number == number)
        return l->last;
    if (!l->message)
        return NULL;
    l->last = tfp_message_field(l->message, number);
    l->again = 0;
    return l->last;
}

/* How messages call the innermost level. */
static const char *top_name(walk_state *s)
{
    const level *l = top(s);
    return l->message ? tfp_message_short_name(l->message) : "unknown group";
}

static int push(walk_state *s, const level *next, int64_t at, tfprof_error *err)
{
    if (s->depth >= s->walk->max_depth)
        return tfp_fail(
            err, TFPROF_ERR_MALFORMED, at,
            "nesting deeper than %d levels in %s (see --max_depth_nesting)",
            s->walk->max_depth, top_name(s));
    if (next->message) {
        const tfp_visitor *v = &s->walk->visitor;
        int status = v->enter(v->self, top(s)->message, next->field, err);
        if (status != TFPROF_OK)
            return status;
    }
    s->stack[++s->depth] = *next;
    return TFPROF_OK;
}

static int pop(walk_state *s, tfprof_error *err)
{
    const level *done = top(s);
    const tfp_visitor *v = &s->walk->visitor;
    s->depth--;
    if (!done->message)
        return TFPROF_OK;
    return v->leave(v->self, top(s)->message, done->field, err);
}

/* The input stopped, either at its end or because it cannot be read. */
static int stopped(walk_state *s, int64_t at, const char *what,
                   tfprof_error *err)
{
    if (s->reader->status != TFPROF_OK) {
        if (err)
            *err = s->reader->why;
        return s->reader->status;
    }
    return tfp_fail(
        err, TFPROF_ERR_MALFORMED, at,
        "the file ends inside this %s (truncated or still being written?)",
        what);
}

/* A head that cannot be read: the input ends in it, or it is damaged. */
static int bad_head(walk_state *s, tfp_span view, int64_t left, int64_t at,
                    const char *why, tfprof_error *err)
{
    bool cut = view.size < HEAD && (int64_t)view.size < left;
    /* A head that is wrong however it goes on is damage, not a cut. */
    if (cut && !(view.size > 0 && (view.data[0] & 0x80) == 0 &&
                 (view.data[0] < 8 || (view.data[0] & 7) > 5)))
        return stopped(s, at, top_name(s), err);
    return tfp_fail(err, TFPROF_ERR_MALFORMED, at, "%s is damaged: %s%s",
                    top_name(s), why,
                    view.size && *view.data == 0 ? " (zero bytes)" : "");
}

/* Reads a field's head: the tag and the number or length after it. */
static int read_head(walk_state *s, tfp_field *f, int64_t at, tfprof_error *err)
{
    tfp_reader *r = s->reader;
    int64_t left = top(s)->end - at;
    tfp_span view;
    tfp_record head = { .max_depth = TFP_MOST_DEPTH };
    tfp_wire w;
    /* Fewer bytes are fine near the end; the checks below see to that. */
    if (!tfp_reader_need(r, HEAD) && r->status != TFPROF_OK)
        return stopped(s, at, top_name(s), err);
    view = tfp_reader_view(r);
    if ((int64_t)view.size > left)
        view.size = (size_t)left;
    w = (tfp_wire){ view.data, view.data + view.size, &head };
    if (!tfp_wire_long_tag(&w, f, top(s)->message ? TFP_LEAST_TAG : 0))
        return bad_head(s, view, left, at, head.why, err);
    switch (tfp_tag_wire(f->tag)) {
    case TFP_WIRE_BYTES:
        w.at = tfp_varint(w.at, w.end, TFP_LENGTH_BYTES, &f->value);
        if (!w.at)
            return bad_head(s, view, left, at, "bad length", err);
        break;
    case TFP_WIRE_GROUP:
    case TFP_WIRE_GROUP_END: break;
    default:
        if (!tfp_wire_value(&w, f))
            return bad_head(s, view, left, at, head.why, err);
        break;
    }
    r->at += (size_t)(w.at - view.data);
    return TFPROF_OK;
}

static void note_unknown(walk_state *s, uint32_t tag)
{
    tfp_unknown_note(&s->walk->unknown, tag, top_name(s));
}

/* What decoders pass over they need not recognize; this goes over it again. */
static void count_unknown(walk_state *s, const tfp_message *message,
                          const tfp_record *record)
{
    tfp_record again = { .bytes = record->bytes,
                         .max_depth = TFP_MOST_DEPTH,
                         .unknown = &s->walk->unknown };
    tfp_wire w = tfp_wire_over(&again);
    tfp_wire_check_rest(&w, message);
}

static int give_leaf(walk_state *s, const tfp_field_spec *spec, tfp_field *f,
                     tfp_record *record, tfprof_error *err)
{
    const tfp_visitor *v = &s->walk->visitor;
    const tfp_message *parent = top(s)->message;
    int status = v->leaf(v->self, parent, f, record, err);
    if (status == TFP_LEAF_UNREAD) {
        tfp_wire w = tfp_wire_over(record);
        /* The field as a whole counts as one level, like any message. */
        record->depth--;
        tfp_wire_check(&w, f, parent);
        status = TFPROF_OK;
    }
    if (status == TFPROF_OK && record->bad)
        return tfp_record_fail(record, spec->message ? spec->message : parent,
                               err);
    if (status == TFPROF_OK && s->walk->counts_all && spec->message)
        count_unknown(s, spec->message, record);
    return status;
}

static int walk_leaf(walk_state *s, const tfp_field_spec *spec, tfp_field *f,
                     tfprof_error *err)
{
    tfp_reader *r = s->reader;
    int64_t at = tfp_reader_offset(r);
    size_t size = (size_t)f->value;
    tfp_record record = { .offset = at,
                          .depth = s->depth + 1,
                          .max_depth = s->walk->max_depth };
    int status;
    bool past_end = s->walk->known_size >= 0 &&
                    (int64_t)size > s->walk->known_size - at;
    if (past_end || !tfp_reader_need(r, size))
        return stopped(s, at,
                       spec->message ? tfp_message_short_name(spec->message)
                                     : top_name(s),
                       err);
    if (spec->message && record.depth > record.max_depth)
        return tfp_fail(
            err, TFPROF_ERR_MALFORMED, at,
            "nesting deeper than %d levels (see --max_depth_nesting)",
            record.max_depth);
    record.bytes = (tfp_span){ tfp_reader_view(r).data, size };
    f->at = record.bytes.data;
    f->bytes = record.bytes;
    status = give_leaf(s, spec, f, &record, err);
    r->at += size;
    top(s)->again = spec->message && f->tag < 0x80 ? (uint8_t)f->tag : 0;
    return status;
}

/* Nearly all of a large file is one leaf after another of the same field, each
 * whole in the window. This is walk_leaf() for those, and no more; false when
 * the next field is anything else, with nothing done. */
static bool walk_same_leaf(walk_state *s, int64_t at, int *status,
                           tfprof_error *err)
{
    const level *l = top(s);
    tfp_reader *r = s->reader;
    size_t have = r->end - r->at, head;
    const uint8_t *tag, *bytes;
    uint64_t size;
    tfp_record record;
    tfp_field f;
    if (l->again == 0 || have < HEAD)
        return false;
    tag = r->window + r->at;
    if (*tag != l->again)
        return false;
    bytes = tfp_varint(tag + 1, tag + HEAD, TFP_LENGTH_BYTES, &size);
    if (!bytes)
        return false;
    head = (size_t)(bytes - tag);
    if (size > have - head || (int64_t)(head + size) > l->end - at)
        return false;
    record = (tfp_record){ .bytes = { bytes, (size_t)size },
                           .offset = at + (int64_t)head,
                           .depth = s->depth + 1,
                           .max_depth = s->walk->max_depth };
    f = (tfp_field){ .tag = *tag, .bytes = record.bytes, .at = bytes };
    *status = give_leaf(s, l->last, &f, &record, err);
    r->at += head + (size_t)size;
    return true;
}

/* A field that begins with a length: a level to enter, a leaf, or unknown. */
static int walk_bytes(walk_state *s, tfp_field *f, int64_t at,
                      tfprof_error *err)
{
    const level *parent = top(s);
    int64_t here = tfp_reader_offset(s->reader);
    uint64_t size = f->value;
    const tfp_field_spec *spec = find_field(s, tfp_tag_number(f->tag));
    if (size > (uint64_t)(parent->end - here))
        return tfp_fail(err, TFPROF_ERR_MALFORMED, at,
                        "%s is damaged: a length extends past its end",
                        top_name(s));
    if (spec && spec->type == TFP_TYPE_MESSAGE &&
        spec->message->kind == TFP_MESSAGE_STREAMED) {
        level next = { .message = spec->message,
                       .field = spec,
                       .end = here + (int64_t)size };
        return push(s, &next, at, err);
    }
    if (tfp_field_is_known(spec, f->tag))
        return walk_leaf(s, spec, f, err);
    note_unknown(s, f->tag);
    if (!tfp_reader_skip(s->reader, size))
        return stopped(s, here, top_name(s), err);
    return TFPROF_OK;
}

static int walk_field(walk_state *s, tfp_field *f, int64_t at,
                      tfprof_error *err)
{
    const level *parent = top(s);
    const tfp_field_spec *spec;
    switch (tfp_tag_wire(f->tag)) {
    case TFP_WIRE_BYTES: return walk_bytes(s, f, at, err);
    case TFP_WIRE_GROUP: {
        level next = { .end = parent->end, .group = tfp_tag_number(f->tag) };
        note_unknown(s, f->tag);
        return push(s, &next, at, err);
    }
    case TFP_WIRE_GROUP_END:
        if (parent->message || parent->group != tfp_tag_number(f->tag))
            return tfp_fail(err, TFPROF_ERR_MALFORMED, at,
                            "%s is damaged: a group ends without a start",
                            top_name(s));
        return pop(s, err);
    default: break;
    }
    spec = find_field(s, tfp_tag_number(f->tag));
    if (!tfp_field_is_known(spec, f->tag)) {
        note_unknown(s, f->tag);
        return TFPROF_OK;
    } else {
        tfp_record none = { .bytes = tfp_span_of(""),
                            .offset = at,
                            .max_depth = s->walk->max_depth };
        return give_leaf(s, spec, f, &none, err);
    }
}

static int walk_all(walk_state *s, tfprof_error *err)
{
    for (;;) {
        tfp_field f = { 0 };
        int64_t at = tfp_reader_offset(s->reader);
        int status;
        while (s->depth > 0 && at == top(s)->end) {
            if (!top(s)->message)
                return tfp_fail(err, TFPROF_ERR_MALFORMED, at,
                                "a group is not closed");
            status = pop(s, err);
            if (status != TFPROF_OK)
                return status;
        }
        if (walk_same_leaf(s, at, &status, err)) {
            if (status != TFPROF_OK)
                return status;
            continue;
        }
        if (!tfp_reader_need(s->reader, 1)) {
            if (s->depth == 0 && s->reader->status == TFPROF_OK)
                return TFPROF_OK;
            return stopped(s, at, top_name(s), err);
        }
        status = read_head(s, &f, at, err);
        if (status == TFPROF_OK)
            status = walk_field(s, &f, at, err);
        if (status != TFPROF_OK)
            return status;
    }
}

int tfp_walk_wire(tfp_walk *walk, const tfp_message *root, tfprof_error *err)
{
    walk_state s = { .walk = walk, .reader = walk->reader };
    int status;
    s.stack[0] = (level){ .message = root, .end = INT64_MAX };
    status = walk_all(&s, err);
    while (s.depth > 0) { /* after damage: close what is still open */
        if (pop(&s, NULL) == TFPROF_ERR_NOMEM)
            status = tfp_fail_nomem(err);
    }
    return status;
}
