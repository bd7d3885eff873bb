/*
 * profiling.h - a profile that each test of a suite begins with.
 */
#ifndef TFP_TESTS_PROFILING_H
#define TFP_TESTS_PROFILING_H

#include "counting.h"
#include "wire_build.h"

static counting memory; /* where `p` takes its memory */
static tfprof_profile *p;

/* For tests that go on without it. */
static inline void free_profile(void)
{
    tfprof_profile_free(p);
    p = NULL;
}

/* Each test begins with a new `p`, for which load() is called; behind it, all
 * memory must be back. restart() makes another profile. */
#define PROFILE_FIXTURE(load)                                                  \
    static inline void restart(void)                                           \
    {                                                                          \
        free_profile();                                                        \
        counting_check(&memory);                                               \
        memory = (counting){ 0 };                                              \
        p = tfprof_profile_new_with(counting_resize, &memory);                 \
        assert_non_null(p);                                                    \
        load();                                                                \
    }                                                                          \
    HOOK(test_begin)                                                           \
    {                                                                          \
        p = NULL; /* a test that failed may have left it */                    \
        memory = (counting){ 0 };                                              \
        restart();                                                             \
        return 0;                                                              \
    }                                                                          \
    HOOK(test_end)                                                             \
    {                                                                          \
        free_profile();                                                        \
        counting_check(&memory);                                               \
        return 0;                                                              \
    }

/* For tests that begin with nothing: what was loaded is given back. */
static inline void renew_profile(void)
{
    free_profile();
    p = tfprof_profile_new_with(counting_resize, &memory);
}

static inline void add(const char *role, wire_bytes *b)
{
    tfprof_error err;
    must(tfprof_profile_add_memory(p, role, b->data, b->size, role, &err),
         &err);
    wire_free(b);
}

static inline void set(const char *name, const char *value)
{
    tfprof_error err;
    must(tfprof_profile_set(p, name, value, &err), &err);
}

#endif
