/*
 * suites.h - the suites of the program unit_tests: one for each file
 * tests/unit/ROOM/NAME_test.c.
 *
 * Its tests are its functions `TEST(WHAT)` or `static void WHAT(void **state)`,
 * in their order; tests/unit/Suite.cmake lists them. A file may have more, of
 * testing.h:
 *
 *     FIXTURE(TYPE, NAME);            a fresh one for each test
 *     HOOK(test_begin), HOOK(test_end)     the same by hand
 *     HOOK(suite_begin)               before its first test
 *     HOOK(suite_end)                 after its last one
 *     enum { SUITE_STACK = BYTES };     runs its tests on such a stack
 */
#ifndef TFP_TESTS_SUITES_H
#define TFP_TESTS_SUITES_H

#include <stddef.h>

struct CMUnitTest;

typedef struct suite {
    const char *name;
    const struct CMUnitTest *tests;
    size_t count;
    int (*begin)(void **state), (*end)(void **state); /* or NULL */
    size_t stack;                                     /* 0: the usual one */
} suite;

extern const suite *const suites[];
extern const size_t suite_count;

#endif
