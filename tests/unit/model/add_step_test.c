/*
 * add_step_test.c - run records that come with the number of their step.
 */
#include "counting.h"
#include "sample_messages.h"

/* A run of one node that takes `micros`. */
static void put_run(wire_bytes *b, int64_t micros)
{
    wire_put(b, "1{1{1'/device:CPU:0' 2{1'node' 2:1000 4:%jd}}}", micros);
}

static void add_run(tfprof_profile *p, int64_t step, int64_t micros)
{
    wire_bytes run = { 0 };
    tfprof_error err;
    put_run(&run, micros);
    must(tfprof_profile_add_step_memory(p, step, "run", run.data, run.size,
                                        &err),
         &err);
    wire_free(&run);
}

static int64_t micros_of(tfprof_profile *p, const char *step)
{
    tfprof_view *view = NULL;
    tfprof_error err;
    int64_t sum;
    assert_ok(tfprof_profile_set(p, "step", step, &err));
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    sum = tfprof_view_sum(view, TFPROF_METRIC_MICROS);
    tfprof_view_free(view);
    return sum;
}

TEST(records_in_memory_are_of_the_step_they_are_given_as)
{
    counting memory = { 0 };
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, &memory);
    tfprof_view *view;
    add_run(p, 70, 11);
    add_run(p, 3, 5);
    assert_int_equal(micros_of(p, "70"), 11);
    assert_int_equal(micros_of(p, "3"), 5);
    assert_int_equal(micros_of(p, "-1"), 8); /* the average */
    assert_ok(tfprof_profile_set(p, "step", "0", NULL));
    assert_int_equal(tfprof_profile_view(p, "scope", &view, NULL),
                     TFPROF_ERR_MISSING);
    tfprof_profile_free(p);
    counting_check(&memory);
}

TEST(a_step_below_0_is_refused)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err;
    assert_int_equal(tfprof_profile_add_step_memory(p, -1, "run", "", 0, &err),
                     TFPROF_ERR_OPTION);
    assert_int_equal(err.code, TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_profile_input_count(p), 0);
    tfprof_profile_free(p);
}

TEST(bytes_that_are_no_run_records_are_refused_by_name)
{
    static const char bytes[] = "\xff\xff\xff";
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err;
    assert_int_equal(
        tfprof_profile_add_step_memory(p, 1, "odd", bytes, 3, &err),
        TFPROF_ERR_MALFORMED);
    assert_int_equal(tfprof_profile_input_count(p), 1);
    tfprof_profile_free(p);
}
