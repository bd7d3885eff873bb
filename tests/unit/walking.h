/*
 * walking.h - walks wire bytes as any message and keeps the verdict.
 *
 * The visitor reads nothing itself, so the walker looks into every leaf: what
 * comes out is the verdict on the bytes alone.
 */
#ifndef TFP_TESTS_WALKING_H
#define TFP_TESTS_WALKING_H

#include "counting.h"

#include "base/reader.h"
#include "proto/walk.h"

typedef struct walking {
    int status;
    tfprof_error err;
    int enters, leaves, leaf_count;
    int64_t unknown_fields;
    size_t peak; /* memory */
} walking;

static inline int walking_enter(void *self, const tfp_message *parent,
                                const tfp_field_spec *field, tfprof_error *err)
{
    (void)parent;
    (void)field;
    (void)err;
    ((walking *)self)->enters++;
    return TFPROF_OK;
}

static inline int walking_leave(void *self, const tfp_message *parent,
                                const tfp_field_spec *field, tfprof_error *err)
{
    (void)parent;
    (void)field;
    (void)err;
    ((walking *)self)->leaves++;
    return TFPROF_OK;
}

static inline int walking_leaf(void *self, const tfp_message *parent,
                               const tfp_field *f, tfp_record *record,
                               tfprof_error *err)
{
    (void)parent;
    (void)f;
    (void)record;
    (void)err;
    ((walking *)self)->leaf_count++;
    return TFP_LEAF_UNREAD;
}

static inline walking walking_over(const tfp_message *root, tfp_source source,
                                   int64_t known_size, int max_depth)
{
    walking w = { .err = { .offset = -2 } };
    counting counts = { 0 };
    tfp_memory memory;
    tfp_reader reader;
    tfp_walk walk = { .reader = &reader,
                      .visitor = { walking_enter, walking_leave, walking_leaf,
                                   &w },
                      .max_depth = max_depth,
                      .known_size = known_size };
    tfp_memory_init(&memory, counting_resize, &counts);
    tfp_reader_init(&reader, &memory, source, INT64_MAX);
    w.status = tfp_walk_wire(&walk, root, &w.err);
    w.unknown_fields = walk.unknown.count;
    w.peak = memory.peak;
    tfp_reader_release(&reader);
    counting_check(&counts);
    assert_int_equal(w.enters, w.leaves);
    if (w.status == TFPROF_OK)
        assert_int_equal(w.err.offset, -2); /* not touched on success */
    else
        assert_int_equal(w.err.code, w.status);
    return w;
}

/* Walks bytes in a block of their own size, once as a file whose size is
 * known and once as a pipe: the verdicts agree. */
static inline walking walking_of(const tfp_message *root, tfp_span bytes,
                                 int max_depth)
{
    uint8_t *copy = malloc(bytes.size ? bytes.size : 1);
    tfp_span file = { copy, bytes.size }, pipe = file;
    walking known, unknown;
    assert_non_null(copy);
    if (bytes.size > 0)
        memcpy(copy, bytes.data, bytes.size);
    known = walking_over(root, tfp_source_span(&file), (int64_t)bytes.size,
                         max_depth);
    unknown = walking_over(root, tfp_source_span(&pipe), -1, max_depth);
    free(copy);
    assert_int_equal(known.status, unknown.status);
    assert_int_equal(known.err.offset, unknown.err.offset);
    assert_string_equal(known.err.message, unknown.err.message);
    return known;
}

#endif
