/*
 * text_walk.h - walks a text in memory and keeps what the visitor was told.
 *
 * The events are put together again as one wire message with the shortest
 * lengths, and counted.
 */
#ifndef TFP_TESTS_TEXT_WALK_H
#define TFP_TESTS_TEXT_WALK_H

#include "testing.h"

#include "base/reader.h"
#include "proto/walk.h"

typedef TFP_VEC(uint8_t) test_bytes;

/* A text that comes in pieces, its middle repeated, and may break off. */
typedef struct test_source {
    tfp_span head, middle, tail;
    int64_t times;       /* the middle is there */
    size_t piece;        /* bytes a read gives at most; 0 for all */
    int64_t fails_after; /* so many bytes, with an error; -1 for never */
    int64_t at;
} test_source;

typedef struct test_walk {
    int status;
    tfprof_error err;
    tfp_walk walk;
    test_bytes wire[TFP_MOST_DEPTH]; /* of the open levels; [0] is the root */
    int open, enters, leaves, leaf_count;
    size_t window;     /* how large it became */
    size_t held;       /* bytes not given back; 0 */
    int leaf_status;   /* what `leaf` returns */
    bool blames;       /* `leaf` finds fault with each record */
    tfp_memory memory; /* of the walk */
} test_walk;

static inline uint8_t test_source_byte(const test_source *s, int64_t at)
{
    int64_t middle = (int64_t)s->middle.size * s->times;
    if (at < (int64_t)s->head.size)
        return s->head.data[at];
    at -= (int64_t)s->head.size;
    if (at < middle)
        return s->middle.data[at % (int64_t)s->middle.size];
    return s->tail.data[at - middle];
}

static inline ptrdiff_t test_source_read(void *self, void *buffer, size_t size,
                                         tfprof_error *err)
{
    test_source *s = self;
    int64_t all = (int64_t)(s->head.size + s->tail.size) +
                  (int64_t)s->middle.size * s->times;
    int64_t middle_end = all - (int64_t)s->tail.size;
    size_t n = 0;
    if (s->piece > 0 && size > s->piece)
        size = s->piece;
    if (s->fails_after >= 0 && s->at >= s->fails_after)
        return tfp_fail(err, TFPROF_ERR_IO, -1, "the disk is on fire");
    if (s->fails_after >= 0 && (int64_t)size > s->fails_after - s->at)
        size = (size_t)(s->fails_after - s->at);
    if (s->middle.size == 1 && s->at >= (int64_t)s->head.size &&
        s->at < middle_end) { /* as fast as a test of speed needs it */
        n = size;
        if ((int64_t)n > middle_end - s->at)
            n = (size_t)(middle_end - s->at);
        memset(buffer, s->middle.data[0], n);
    }
    for (; n < size && s->at + (int64_t)n < all; n++)
        ((uint8_t *)buffer)[n] = test_source_byte(s, s->at + (int64_t)n);
    s->at += (int64_t)n;
    return (ptrdiff_t)n;
}

static tfp_memory test_memory; /* of the tests' own bytes */

static inline void test_put(test_bytes *b, const void *data, size_t size)
{
    assert_true(TFP_VEC_RESERVE(&test_memory, b, size + 1));
    if (size > 0)
        memcpy(b->data + b->count, data, size);
    b->count += size;
}

static inline void test_put_varint(test_bytes *b, uint64_t value)
{
    do {
        uint8_t byte = (uint8_t)(value & 0x7f);
        value >>= 7;
        byte |= value ? 0x80 : 0;
        test_put(b, &byte, 1);
    } while (value);
}

static inline int test_enter(void *self, const tfp_message *parent,
                             const tfp_field_spec *field, tfprof_error *err)
{
    test_walk *w = self;
    (void)err;
    assert_ptr_equal(tfp_message_field_named(parent, tfp_span_of(field->name)),
                     field);
    w->enters++;
    w->wire[++w->open].count = 0;
    return TFPROF_OK;
}

static inline int test_leave(void *self, const tfp_message *parent,
                             const tfp_field_spec *field, tfprof_error *err)
{
    test_walk *w = self;
    test_bytes *inner = &w->wire[w->open], *outer = inner - 1;
    (void)err;
    (void)parent;
    w->leaves++;
    w->open--;
    test_put_varint(outer, TFP_TAG(field->number, TFP_WIRE_BYTES));
    test_put_varint(outer, inner->count);
    test_put(outer, inner->data, inner->count);
    return TFPROF_OK;
}

static inline void test_put_shortest(test_bytes *b, tfp_span bytes,
                                     const tfp_message *message);

/* One field of wire bytes; nested lengths lose their padding. */
static inline void test_put_field(test_bytes *b, const tfp_field *f,
                                  const tfp_message *parent)
{
    const tfp_field_spec *spec = tfp_message_field(parent,
                                                   tfp_tag_number(f->tag));
    test_bytes inner = { 0 };
    assert_non_null(spec);
    test_put_varint(b, f->tag);
    switch (tfp_tag_wire(f->tag)) {
    case TFP_WIRE_VARINT: test_put_varint(b, f->value); break;
    case TFP_WIRE_FIXED32:
    case TFP_WIRE_FIXED64:
        for (int i = 0; i < (tfp_tag_wire(f->tag) == TFP_WIRE_FIXED32 ? 4 : 8);
             i++)
            test_put(b, &(uint8_t){ (uint8_t)(f->value >> (8 * i)) }, 1);
        break;
    default:
        if (spec->message)
            test_put_shortest(&inner, f->bytes, spec->message);
        else
            test_put(&inner, f->bytes.data, f->bytes.size);
        test_put_varint(b, inner.count);
        test_put(b, inner.data, inner.count);
        TFP_VEC_RELEASE(&test_memory, &inner);
        break;
    }
}

static inline void test_put_shortest(test_bytes *b, tfp_span bytes,
                                     const tfp_message *message)
{
    tfp_record record = { .bytes = bytes, .max_depth = TFP_MOST_DEPTH };
    tfp_wire w = tfp_wire_over(&record);
    tfp_field f;
    while (tfp_wire_next(&w, &f))
        test_put_field(b, &f, message);
    assert_true(tfp_record_ok(&record));
}

static inline int test_leaf(void *self, const tfp_message *parent,
                            const tfp_field *f, tfp_record *record,
                            tfprof_error *err)
{
    test_walk *w = self;
    w->leaf_count++;
    if (w->leaf_status < 0)
        return tfp_fail(err, w->leaf_status, 0, "enough");
    if (w->leaf_status == TFP_LEAF_UNREAD)
        return TFP_LEAF_UNREAD;
    if (w->blames) {
        tfp_record_blame(record, record->bytes.data, "of no use");
        return TFPROF_OK;
    }
    if (tfp_tag_wire(f->tag) == TFP_WIRE_BYTES) {
        assert_ptr_equal(f->bytes.data, record->bytes.data);
        assert_int_equal(f->bytes.size, record->bytes.size);
        assert_int_equal(record->depth, w->open + 1);
    } else {
        assert_int_equal(record->bytes.size, 0);
    }
    test_put_field(&w->wire[w->open], f, parent);
    return TFPROF_OK;
}

/* Walks what `source` gives; the caller has set up w->memory and the rest. */
static inline void test_run(test_walk *w, const tfp_message *root,
                            test_source *source, int max_depth)
{
    tfp_reader reader;
    if (!test_memory.resize)
        tfp_memory_init(&test_memory, NULL, NULL);
    tfp_reader_init(&reader, &w->memory,
                    (tfp_source){ test_source_read, source }, INT64_MAX);
    w->walk = (tfp_walk){ .reader = &reader,
                          .visitor = { test_enter, test_leave, test_leaf, w },
                          .max_depth = max_depth,
                          .known_size = -1 };
    w->err = (tfprof_error){ .offset = -2 };
    w->status = tfp_walk_text(&w->walk, root, &w->err);
    w->window = reader.capacity;
    tfp_reader_release(&reader);
    w->held = w->memory.held;
    assert_int_equal(w->held, 0);
    assert_int_equal(w->enters, w->leaves);
    assert_int_equal(w->open, 0);
    if (w->status == TFPROF_OK)
        assert_int_equal(w->err.offset, -2); /* not touched on success */
    else
        assert_int_equal(w->err.code, w->status);
}

static inline void test_release(test_walk *w)
{
    for (int i = 0; i < TFP_MOST_DEPTH; i++)
        TFP_VEC_RELEASE(&test_memory, &w->wire[i]);
}

static inline test_source test_source_of(const char *text, size_t size)
{
    return (test_source){ .head = { (const uint8_t *)text, size },
                          .fails_after = -1 };
}

/* Walks `text` as a message of type `root`, limits as by default. */
static inline void test_walk_text(test_walk *w, const tfp_message *root,
                                  const char *text, size_t size)
{
    test_source source = test_source_of(text, size);
    *w = (test_walk){ 0 };
    tfp_memory_init(&w->memory, NULL, NULL);
    test_run(w, root, &source, 100);
}

/* For texts without a NUL; the events are of no interest. */
static inline int test_status(const tfp_message *root, const char *text)
{
    test_walk w;
    test_walk_text(&w, root, text, strlen(text));
    test_release(&w);
    return w.status;
}

#endif
