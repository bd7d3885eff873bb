/*
 * loading.h - loads bytes and lets a test look at the model they make.
 *
 * The same way that the public functions go, without the wall around it.
 */
#ifndef TFP_TESTS_LOADING_H
#define TFP_TESTS_LOADING_H

#include "counting.h"

#include "input/kind/input.h"
#include "model/model.h"

typedef struct loading {
    counting counts;
    tfp_memory memory;
    tfp_model model;
    tfp_input_context context;
    int status;       /* of the last add */
    tfprof_error err; /* with it */
} loading;

static inline void loading_init(loading *l)
{
    *l = (loading){ .counts = { 0 } };
    tfp_memory_init(&l->memory, counting_resize, &l->counts);
    assert_true(tfp_model_init(&l->model, &l->memory));
    l->context = (tfp_input_context){ .model = &l->model,
                                      .max_depth = 100,
                                      .max_input = (int64_t)64 << 30 };
}

static inline void loading_release(loading *l)
{
    tfp_model_release(&l->model);
    assert_int_equal(l->memory.held, 0);
    counting_check(&l->counts);
}

static inline int loading_add_source(loading *l, const char *role,
                                     tfp_source source, int64_t size)
{
    tfp_input_request request = { .path = "bytes",
                                  .role = tfp_role_of_option(role) };
    tfp_input_stream stream = { .source = source, .size = size };
    l->err = (tfprof_error){ .offset = -2 };
    l->status = tfp_input_add_stream(&l->context, &request, &stream, &l->err);
    if (l->status == TFPROF_OK)
        assert_int_equal(l->err.offset, -2); /* not touched on success */
    else
        assert_int_equal(l->err.code, l->status);
    return l->status;
}

/* `role` as tfprof_profile_add_memory() takes it, or NULL. The bytes stand in
 * a block of their own size, so that a sanitizer sees a step past them. */
static inline int loading_add(loading *l, const char *role, tfp_span bytes)
{
    uint8_t *copy = malloc(bytes.size ? bytes.size : 1);
    tfp_span at = { copy, bytes.size };
    assert_non_null(copy);
    if (bytes.size > 0)
        memcpy(copy, bytes.data, bytes.size);
    loading_add_source(l, role, tfp_source_span(&at), (int64_t)bytes.size);
    free(copy);
    return l->status;
}

/* What the last input counted. */
static inline const tfp_input_counts *loading_counts(const loading *l)
{
    return &l->model.inputs.data[l->model.inputs.count - 1].counts;
}

static inline tfp_string loading_name(loading *l, const char *name)
{
    return tfp_interner_find(&l->model.strings, tfp_span_of(name));
}

#endif
