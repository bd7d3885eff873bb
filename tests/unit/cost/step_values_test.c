/*
 * step_values_test.c - the metrics of steps, and their value in a run.
 */
#include "loading.h"
#include "sample_messages.h"
#include "stored_trace.h"

#include "compare/run_steps.h"
#include "model/gathered.h"
#include "model/step_values.h"

enum { WALL, BUSY, IDLE, WAIT };

FIXTURE(loading, l);

/* ---- By hand ------------------------------------------------------------ */

static void add_host(bool has_steps)
{
    tfp_input input = { .trace = { .is_one = true, .has_steps = has_steps } };
    assert_true(TFP_VEC_PUSH(&l.memory, &l.model.inputs, input));
}

/* The devices of the step were busy for these times, without 0. */
static void add_step(uint32_t host, int64_t number, int64_t wall,
                     int64_t waited, const int64_t busy[3])
{
    tfp_gathered *g = &l.model.gathered;
    tfp_step_time time = {
        .input = host, .number = number, .wall = wall, .waited = waited
    };
    assert_int_not_equal(tfp_model_step(&l.model, number), TFP_NO_ID);
    for (int i = 0; i < 3 && busy[i] > 0; i++) {
        tfp_step_device on = { .step = (uint32_t)g->steps.count,
                               .busy = busy[i],
                               .first = 1000,
                               .last = 1000 + 2 * busy[i],
                               .marker = -1 };
        assert_true(TFP_VEC_PUSH(&l.memory, &g->step_devices, on));
    }
    assert_true(TFP_VEC_PUSH(&l.memory, &g->steps, time));
}

static void expect(int64_t number, const int64_t of[4])
{
    tfp_watch watch = { 0 };
    tfp_step_values *values = tfp_step_values_find(&l.model, &l.memory, &watch);
    const tfp_step *step = tfp_model_find_step(&l.model, number);
    assert_non_null(values);
    assert_non_null(step);
    for (int i = 0; i < TFP_STEP_METRIC_COUNT; i++)
        assert_int_equal(values[step - l.model.steps.data].of[i], of[i]);
    tfp_memory_free(&l.memory, values);
}

#define EXPECT(number, ...) expect(number, (const int64_t[4]){ __VA_ARGS__ })
#define STEP(host, number, wall, waited, ...)                                  \
    add_step(host, number, wall, waited, (const int64_t[3]){ __VA_ARGS__ })

TEST(hosts_give_the_longest_and_devices_the_mean)
{
    add_host(true);
    add_host(true);
    STEP(0, 7, 100, 5, 60, 30);
    STEP(0, 8, 200, -1, 0);
    STEP(1, 7, 110, 3, 90);
    STEP(1, 9, -1, 0, 50, 80); /* no marker: the longest device */
    EXPECT(7, 110, 60, 50, 5);
    EXPECT(8, 200, -1, -1, -1);
    EXPECT(9, 160, 65, 95, 0);
}

TEST(idle_is_not_below_zero)
{
    add_host(true);
    STEP(0, 1, 100, 0, 101);
    EXPECT(1, 100, 101, 0, 0);
}

TEST(neither_the_rest_nor_a_whole_trace_is_a_step)
{
    add_host(true);
    add_host(false);
    STEP(0, 0, 100, 0, 60);
    STEP(0, 0, 900, 0, 600);
    l.model.gathered.steps.data[1].is_rest = true;
    STEP(1, 4, 500, 0, 60);
    EXPECT(0, 100, 60, 40, 0);
    EXPECT(4, -1, -1, -1, -1);
}

/* ---- Of files ----------------------------------------------------------- */

static void load(const char *role, wire_bytes *b)
{
    assert_ok(loading_add(&l, role, wire_span(b)));
    wire_free(b);
}

TEST(records_last_from_the_first_start_to_the_last_end)
{
    wire_bytes b = { 0 };
    const tfp_step *step;
    tfp_watch watch = { 0 };
    tfp_step_values *values;
    sample_run_metadata(&b);
    load("run_meta_path", &b);
    step = &l.model.steps.data[0];
    values = tfp_step_values_find(&l.model, &l.memory, &watch);
    assert_non_null(values);
    assert_true(step->last_end > step->first_start);
    assert_int_equal(values[0].of[WALL],
                     (step->last_end - step->first_start) * 1000000);
    assert_in_range(values[0].of[BUSY], 1, values[0].of[WALL]);
    assert_int_equal(values[0].of[IDLE],
                     values[0].of[WALL] - values[0].of[BUSY]);
    assert_int_equal(values[0].of[WAIT], 0);
    tfp_memory_free(&l.memory, values);
}

TEST(profiles_have_no_values)
{
    wire_bytes b = { 0 };
    sample_profile(&b);
    load("profile_path", &b);
    assert_int_not_equal(l.model.steps.count, 0);
    for (size_t i = 0; i < l.model.steps.count; i++)
        EXPECT(l.model.steps.data[i].id, -1, -1, -1, -1);
}

TEST(traces_must_be_gathered)
{
    for (int gathers = 0; gathers < 2; gathers++) {
        tfp_watch watch = { 0 };
        tfp_step_values *values;
        restart();
        l.model.gathers = gathers ? TFP_GATHER_STEPS : 0;
        assert_ok(loading_add(&l, NULL, read_trace("gen_tf-gpu")));
        values = tfp_step_values_find(&l.model, &l.memory, &watch);
        assert_non_null(values);
        for (int i = 0; i < WAIT; i++)
            assert_int_equal(values[0].of[i] >= 0, gathers);
        assert_int_equal(values[0].of[WAIT], -1); /* it tells of no wait */
        tfp_memory_free(&l.memory, values);
    }
}

/* ---- Runs --------------------------------------------------------------- */

static int64_t wall_of_run(int64_t step, tfp_run_rule rule)
{
    tfp_step_values values;
    assert_ok(tfp_run_take_steps(&l.model, step, &rule, &l.memory, NULL,
                                 &values, &l.err));
    return values.of[WALL];
}

TEST(a_run_is_the_median_of_its_steps_or_their_minimum)
{
    static const int64_t walls[] = { 900, 40, 10, 30, 20 };
    tfp_step_values values;
    add_host(true);
    for (int64_t i = 0; i < 5; i++) /* not in the order of their numbers */
        STEP(0, (i + 3) % 5, walls[(i + 3) % 5], 0, 1);
    assert_int_equal(wall_of_run(-1, (tfp_run_rule){ 0 }), 30);
    assert_int_equal(wall_of_run(-1, (tfp_run_rule){ .skipped = 1 }), 25);
    assert_int_equal(wall_of_run(-1, (tfp_run_rule){ .skipped = 4 }), 20);
    assert_int_equal(wall_of_run(-1, (tfp_run_rule){ true, 0 }), 10);
    assert_int_equal(wall_of_run(1, (tfp_run_rule){ 0 }), 40);
    assert_int_equal(tfp_run_take_steps(&l.model, -1,
                                        &(tfp_run_rule){ .skipped = 5 },
                                        &l.memory, NULL, &values, &l.err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(l.err.message,
                        "--skip_steps 5 leaves out all steps of a run (number "
                        "of steps: 5)");
}

TEST(steps_without_a_value_do_not_count)
{
    add_host(true);
    STEP(0, 1, -1, 0, 0);
    assert_int_equal(wall_of_run(-1, (tfp_run_rule){ 0 }), -1);
    STEP(0, 2, 20, 0, 1);
    assert_int_equal(wall_of_run(-1, (tfp_run_rule){ 0 }), 20);
}

TEST(every_lack_of_memory_is_reported)
{
    bool is_enough = false;
    for (size_t limit = 1; !is_enough; limit++) {
        tfp_run_rule rule = { 0 };
        tfp_step_values values;
        tfprof_error err;
        restart();
        add_host(true);
        STEP(0, 1, 10, 0, 1);
        STEP(0, 2, 20, 0, 1);
        l.counts.fail_at = l.counts.calls + limit;
        is_enough = tfp_run_take_steps(&l.model, -1, &rule, &l.memory, NULL,
                                       &values, &err) == TFPROF_OK;
        assert_true(is_enough || err.code == TFPROF_ERR_NOMEM);
        assert_true(limit < 100);
    }
}
