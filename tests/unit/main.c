/*
 * main.c - unit_tests [NAME...]: runs the suites of these names, or all.
 *
 * The exit code is 0 if all tests passed, 2 if there is no such suite, else 1.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suites.h"

typedef struct run {
    const suite *suite;
    int failures;
} run;

static void *run_group(void *context)
{
    run *r = context;
    const suite *s = r->suite;
    r->failures = _cmocka_run_group_tests(s->name, s->tests, s->count, s->begin,
                                          s->end);
    return NULL;
}

static int run_suite(const suite *s)
{
    run r = { s, -1 };
    pthread_attr_t attr;
    pthread_t thread;
    if (s->stack == 0) {
        run_group(&r);
        return r.failures;
    }
    if (pthread_attr_init(&attr) != 0 ||
        pthread_attr_setstacksize(&attr, s->stack) != 0 ||
        pthread_create(&thread, &attr, run_group, &r) != 0 ||
        pthread_join(thread, NULL) != 0)
        return -1;
    pthread_attr_destroy(&attr);
    return r.failures;
}

/* -1 if there is none of that name. */
static int run_named(const char *name)
{
    for (size_t i = 0; i < suite_count; i++)
        if (!strcmp(suites[i]->name, name))
            return run_suite(suites[i]) != 0;
    fprintf(stderr, "unit_tests: no suite is called %s\n", name);
    return -1;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (size_t i = 0; argc == 1 && i < suite_count; i++)
        failed |= run_suite(suites[i]) != 0;
    for (int i = 1; i < argc; i++) {
        int result = run_named(argv[i]);
        if (result < 0)
            return 2;
        failed |= result;
    }
    return failed;
}
