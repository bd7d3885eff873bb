/*
 * times_test.c - costs of traces, which are picoseconds, alone and beside those
 * of RunMetadata.
 */
#include "costing.h"
#include "tracing.h"
#include "viewing.h"

#include "model/coverage.h"
#include "model/times.h"

FIXTURE(loading, l);

/* ---- Units -------------------------------------------------------------- */

TEST(a_trace_makes_all_times_picoseconds)
{
    ADD_STEP(&l, { CPU, "a", 100, 10, .scheduled = 97 });
    assert_int_equal(tfp_model_time_unit(&l.model), 1000000);
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 10, 0, 10, 1);
        assert_int_equal(cost(&t, "a", TFP_COST_QUEUE_MICROS), 3);
    }
    ADD_TRACE(&l.model, { HOST, "b", 0, 0, 1234567, 5 });
    assert_int_equal(tfp_model_time_unit(&l.model), 1);
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 10000000, 0, 10000000, 1);
        assert_int_equal(cost(&t, "a", TFP_COST_QUEUE_MICROS), 3000000);
        check_times(&t, "b", 1234567, 0, 1234567, 5);
    }
}

TEST(rounding_is_to_the_nearest_microsecond)
{
    static const int64_t cases[][2] = {
        { 0, 0 },
        { 1, 0 },
        { 499999, 0 },
        { 500000, 1 },
        { 1200000, 1 },
        { 1499999, 1 },
        { 1500000, 2 },
        { -1, 0 },
        { -499999, 0 },
        { -500000, -1 },
        { -1499999, -1 },
        { -1500000, -2 },
        { 22667465000, 22667 },
        { INT64_MAX, 9223372036855 },
        { INT64_MIN, -9223372036855 },
    };
    EACH(row, cases)
        assert_int_equal(tfp_time_to_micros((*row)[0], TFP_PICOSECOND),
                         (*row)[1]);
    assert_int_equal(tfp_time_to_micros(INT64_MAX, TFP_MICROSECOND), INT64_MAX);
    assert_int_equal(tfp_time_to_micros(INT64_MIN, TFP_MICROSECOND), INT64_MIN);
    assert_int_equal(tfp_time_to_micros(-7, TFP_MICROSECOND), -7);
}

TEST(conversions_stop_at_the_ends_of_the_range)
{
    assert_int_equal(tfp_time_from_micros(INT64_MAX, TFP_PICOSECOND),
                     INT64_MAX);
    assert_int_equal(tfp_time_from_micros(INT64_MIN, TFP_PICOSECOND),
                     INT64_MIN);
    assert_int_equal(tfp_time_from_micros(INT64_MAX, TFP_MICROSECOND),
                     INT64_MAX);
    assert_int_equal(tfp_time_from_micros(-3, TFP_PICOSECOND), -3000000);
    assert_int_equal(tfp_time_to_picos(INT64_MAX, TFP_MICROSECOND), INT64_MAX);
    assert_int_equal(tfp_time_to_picos(-5, TFP_MICROSECOND), -5000000);
    assert_int_equal(tfp_time_to_picos(-5, TFP_PICOSECOND), -5);
}

/* ---- Costs -------------------------------------------------------------- */

TEST(a_node_counts_on_every_device_of_a_trace)
{
    ADD_TRACE(&l.model, { HOST, "a", 7, 0, 400000, 1 },
              { "/device:CPU:1", "a", 7, 0, 400000, 2 },
              { KERNEL, "a", 7, 9, 5, 3 });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 800005, 5, 800000, 6);
        check_device(&t, "a", "/host:worker3/device:gpu:0");
        assert_int_equal(member(&t, "a")->steps, 1);
        assert_false(t.census.misses_stream);
        assert_false(t.census.has_negatives);
    }
}

TEST(traced_runs_may_have_length_0_and_start_0)
{
    ADD_TRACE(&l.model, { HOST, "a", 1, 0, 0, 4 },
              { KERNEL, "MEMCPYHtoD", 1, 0, 70, 1 });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 0, 0, 0, 4);
        check_times(&t, "MEMCPYHtoD", 70, 70, 0, 1);
    }
    assert_int_equal(l.model.steps.data[0].untimed_records, 0);
    assert_int_equal(l.model.steps.data[0].first_start, 0);
    assert_int_equal(l.model.steps.data[0].last_end, 0);
}

TEST(an_average_is_of_picoseconds)
{
    ADD_TRACE(&l.model, { HOST, "a", 1, 0, 400000, 1 },
              { HOST, "a", 2, 0, 400000, 2 }, { HOST, "a", 3, 0, 400001, 4 },
              { HOST, "b", 3, 0, 9, 1 });
    LOOK(&l, t, AVERAGE) {
        /* 1200001 / 3; b ran in one step of three, and all runs together are
         * 8 / 3. */
        check_times(&t, "a", 400000, 0, 400000, 3);
        check_times(&t, "b", 3, 0, 3, 0);
        assert_int_equal(member(&t, "a")->steps, 3);
    }
    LOOK(&l, t, 3)
        check_times(&t, "a", 400001, 0, 400001, 4);
}

TEST(a_run_of_a_plain_device_places_a_traced_node)
{
    for (int trace_first = 0; trace_first < 2; trace_first++) {
        restart();
        if (trace_first)
            ADD_TRACE(&l.model, { HOST, "a", 7, 0, 30, 1 });
        ADD_STEP(&l, { GPU, "a", 100, .end = 2 }, { CPU, "a", 100, .end = 50 });
        if (!trace_first)
            ADD_TRACE(&l.model, { HOST, "a", 7, 0, 30, 1 });
        LOOK(&l, t, AVERAGE) {
            check_device(&t, "a", "/job:w/replica:0/task:0/device:gpu:0");
            check_times(&t, "a", 1000015, 0, 1000015, 1); /* of 2 steps */
        }
    }
}

TEST(sums_of_both_stop_at_the_ends_of_their_range)
{
    ADD_STEP(&l, { CPU, "a", 1, .end = INT64_MAX }, { CPU, "b", 1, .end = -3 });
    ADD_TRACE(&l.model, { HOST, "a", 0, 0, 10, 1 }, { HOST, "b", 0, 0, -1, 1 },
              { KERNEL, "c", 0, 0, INT64_MAX, 1 },
              { KERNEL, "c", 0, 0, INT64_MAX, INT64_MAX });
    LOOK(&l, t, AVERAGE) {
        assert_true(t.census.has_negatives);
        check_times(&t, "a", INT64_MAX, 0, INT64_MAX, 2);
        check_times(&t, "b", -3000001, 0, -3000001, 2);
        check_times(&t, "c", INT64_MAX, INT64_MAX, 0, INT64_MAX);
    }
    assert_int_equal(l.model.steps.data[0].negative_records, 2);
    /* That of RunMetadata; a sum has no end. */
    assert_int_equal(l.model.steps.data[0].overflowing_records, 1);
}

TEST(coverage_is_of_run_metadata_alone)
{
    tfp_coverage coverage;
    add_node(&l, "a", "MatMul");
    add_node(&l, "b", "MatMul");
    ADD_STEP(&l, { CPU, "a", 1, .end = 1 });
    ADD_TRACE(&l.model, { HOST, "b", l.model.steps.data[0].id, 0, 1, 1 });
    assert_true(tfp_coverage_init(&coverage, &l.model));
    tfp_coverage_add(&coverage, &l.model.inputs.data[2]);
    assert_int_equal(coverage.covered, 1);
    assert_int_equal(coverage.nodes, 2);
    tfp_coverage_release(&coverage);
}

/* ---- Views -------------------------------------------------------------- */

static size_t rows_with(const char *option, const char *value)
{
    const char *const pairs[] = { option, value, NULL };
    viewing v;
    size_t rows;
    viewing_init(&v, &l, "scope", pairs);
    rows = v.view.shown_count - 1;
    viewing_release(&v);
    return rows;
}

TEST(a_minimum_of_microseconds_is_held_exactly)
{
    ADD_TRACE(&l.model, { HOST, "a", 0, 0, 999999, 1 },
              { HOST, "b", 0, 0, 1000000, 1 }, { HOST, "c", 0, 0, 1000001, 1 });
    assert_int_equal(rows_with("min_micros", "0"), 3);
    assert_int_equal(rows_with("min_micros", "1"), 2);
    assert_int_equal(rows_with("min_self_micros", "1"), 2);
    assert_int_equal(rows_with("min_cpu_micros", "1"), 2);
    assert_int_equal(rows_with("min_micros", "2"), 0);
    assert_int_equal(rows_with("min_micros", "9223372036854775807"), 0);
    assert_int_equal(rows_with("min_occurrence", "1"), 3);
}

TEST(rows_are_sorted_by_picoseconds)
{
    static const char *const pairs[] = { "order_by", "micros", NULL };
    viewing v;
    ADD_TRACE(&l.model, { HOST, "a", 0, 0, 1000001, 1 },
              { HOST, "b", 0, 0, 1000003, 1 }, { HOST, "c", 0, 0, 1000002, 1 });
    viewing_init(&v, &l, "scope", pairs);
    assert_int_equal(v.view.shown_count, 4);
    for (size_t i = 1; i < 4; i++) {
        const tfp_row *row = &v.view.rows.data[v.view.shown[i].row];
        assert_int_equal(row->name[0], "_bca"[i]);
    }
    assert_int_equal(tfp_row_total(&v.view, 0, TFP_COST_MICROS), 3000006);
    viewing_release(&v);
}
