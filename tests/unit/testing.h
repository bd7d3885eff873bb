/*
 * testing.h - what every suite is written with; suites.h says how it runs.
 */
#ifndef TFP_TESTS_TESTING_H
#define TFP_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tfprof/tfprof.h>

/* A test, and a hook of a suite. */
#define TEST(what) static void what(void **state __attribute__((unused)))
#define HOOK(when) static int when(void **state __attribute__((unused)))

/* A fresh `name` for each test of the suite, by TYPE_init() before it and
 * TYPE_release() behind it, which also runs when the test fails. restart()
 * makes another one, for the next row of a table. */
#define FIXTURE(type, name)                                                    \
    static type name;                                                          \
    HOOK(test_begin)                                                           \
    {                                                                          \
        type##_init(&name);                                                    \
        return 0;                                                              \
    }                                                                          \
    HOOK(test_end)                                                             \
    {                                                                          \
        type##_release(&name);                                                 \
        return 0;                                                              \
    }                                                                          \
    static inline void restart(void)                                           \
    {                                                                          \
        type##_release(&name);                                                 \
        type##_init(&name);                                                    \
    }                                                                          \
    static type name

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A loop over the rows of a table; `row` points to each in turn. */
#define EACH(row, table)                                                       \
    for (const __typeof__(*(table)) *row = (table);                            \
         row < (table) + COUNT(table); row++)

#define assert_ok(call) assert_int_equal(call, TFPROF_OK)

/* Fails with the words of the error, which the call filled. */
static inline void must(int status, const tfprof_error *err)
{
    if (status != TFPROF_OK)
        fail_msg("%s", err->message);
}

#endif
