/*
 * static_costs_test.c - what graphs, logs and profiles say a node costs.
 */
#include "costing.h"

FIXTURE(loading, l);

/* ---- Parameters --------------------------------------------------------- */

TEST(parameters_are_the_elements_of_a_variable)
{
    static const struct {
        int rank;
        int64_t dims[3];
        int64_t params;
    } shapes[] = {
        { 0, { 0 }, 1 },
        { 1, { 7 }, 7 },
        { 3, { 3, 4, 5 }, 60 },
        { 2, { 3, 0 }, 0 },
        { 2, { 3, -1 }, 0 },
        { 2, { 0, -1 }, 0 },
        { 3, { INT64_MIN, -1, 2 }, 0 },
        { -1, { 0 }, 0 },
        { 3, { INT64_MAX, 2, 3 }, INT64_MAX },
        { 3, { INT64_MAX, INT64_MAX, 0 }, 0 },
    };
    EACH(row, shapes) {
        restart();
        add_variable(&l, "v", row->dims, row->rank);
        LOOK(&l, t, AVERAGE)
            assert_int_equal(cost(&t, "v", TFP_COST_PARAMS), row->params);
    }
}

TEST(parameters_are_of_the_node_itself)
{
    wire_bytes b = { 0 };
    /* "shape" as a type is no shape */
    wire_put(&b, "1{1'odd' 5{1'shape' 2{6:1}}}");
    add(&l, "graph_path", &b);
    add_node(&l, "none", "NoOp");
    add_variable(&l, "v", (const int64_t[]){ 6 }, 1);
    add_node(&l, "none/again", "NoOp");
    add_variable(&l, "w", (const int64_t[]){ 2, 3 }, 2);
    ADD_STEP(&l, { CPU, "v", 1, .end = 1 });
    ADD_STEP(&l, { CPU, "v", 1, .end = 1 }, { CPU, "ran", 1, .end = 1 });
    LOOK(&l, t, AVERAGE) {
        assert_int_equal(cost(&t, "odd", TFP_COST_PARAMS), 0);
        assert_int_equal(cost(&t, "none", TFP_COST_PARAMS), 0);
        assert_int_equal(cost(&t, "v", TFP_COST_PARAMS), 6);
        assert_int_equal(cost(&t, "none/again", TFP_COST_PARAMS), 0);
        assert_int_equal(cost(&t, "w", TFP_COST_PARAMS), 6);
        assert_int_equal(cost(&t, "ran", TFP_COST_PARAMS), 0);
    }
}

/* ---- Float operations --------------------------------------------------- */

TEST(float_operations_are_those_of_all_runs)
{
    add_node(&l, "a", "MatMul");
    add_node(&l, "never", "MatMul");
    add_node(&l, "none", "MatMul");
    add_float_ops(&l, "a", 100);
    add_float_ops(&l, "never", 33);
    ADD_STEP(&l, { CPU, "a", 1, .end = 1 }, { CPU, "a", 1, .end = 1 },
             { CPU, "a", 1, .end = 1 }, { CPU, "none", 1, .end = 1 });
    ADD_STEP(&l, { CPU, "a", 1, .end = 1 }, { CPU, "a", 1, .end = 1 });
    LOOK(&l, t, 0)
        assert_int_equal(cost(&t, "a", TFP_COST_FLOAT_OPS), 300);
    LOOK(&l, t, 1)
        assert_int_equal(cost(&t, "a", TFP_COST_FLOAT_OPS), 200);
    LOOK(&l, t, AVERAGE) {
        /* 5 runs in 2 steps are 2 in l. */
        assert_int_equal(cost(&t, "a", TFP_COST_FLOAT_OPS), 200);
        assert_int_equal(cost(&t, "never", TFP_COST_FLOAT_OPS), 33);
        assert_int_equal(cost(&t, "none", TFP_COST_FLOAT_OPS), 0);
    }
}

TEST(float_operations_stop_at_the_largest_number)
{
    add_node(&l, "a", "MatMul");
    add_node(&l, "b", "MatMul");
    add_float_ops(&l, "a", INT64_MAX);
    add_float_ops(&l, "b", INT64_MIN);
    ADD_STEP(&l, { CPU, "a", 1, .end = 1 }, { CPU, "a", 1, .end = 1 },
             { CPU, "b", 1, .end = 1 }, { CPU, "b", 1, .end = 1 });
    LOOK(&l, t, AVERAGE) {
        assert_int_equal(cost(&t, "a", TFP_COST_FLOAT_OPS), INT64_MAX);
        assert_int_equal(cost(&t, "b", TFP_COST_FLOAT_OPS), INT64_MIN);
        assert_true(t.census.has_negatives);
    }
}

/* Only what is asked for is there; time and runs come with what needs them. */
TEST(costs_that_nobody_asks_for_are_not_kept)
{
    tfp_census census;
    tfp_costs costs;
    add_node(&l, "a", "MatMul");
    assert_ok(tfp_census_init(&census, &l.model, &l.memory, NULL, NULL));
    assert_ok(tfp_costs_init(&costs, &census, AVERAGE,
                             1u << TFP_COST_MICROS | 1u << TFP_COST_FLOAT_OPS,
                             NULL, NULL));
    for (int i = 0; i < TFP_COST_COUNT; i++)
        assert_int_equal(tfp_costs_has(&costs, (tfp_cost)i),
                         i >= TFP_COST_MICROS && i != TFP_COST_PARAMS &&
                             i != TFP_COST_QUEUE_MICROS);
    tfp_costs_release(&costs, &l.memory);
    tfp_census_release(&census);
}

/* ---- Profiles ----------------------------------------------------------- */

/* Device -> one ExecTime of two times, the second without a length. */
static void put_times(wire_bytes *b, uint32_t field, const char *device,
                      int64_t length)
{
    wire_put(b, "%u{1'%s' 2{1{1:100 1:%jd} 1{1:200}}}", field, device, length);
}

static void put_exec_memory(wire_bytes *b, int64_t unit)
{
    size_t memory = wire_open(b, 7);
    for (uint32_t field = 2; field <= 9; field++)
        wire_int(b, field, unit * (int64_t)field);
    wire_close(b, memory);
}

/* What a profile says about node "p" in one step. */
static void put_profile_run(wire_bytes *b, int64_t step, int64_t runs,
                            int64_t length)
{
    size_t entry = wire_open(b, 12), value;
    wire_put(b, "1:%jd", step);
    value = wire_open(b, 2);
    wire_put(b, "1:%jd 2:100", runs);
    wire_put(b, "3:100000"); /* is not what it took */
    put_times(b, 4, STREAM, 9 * length);
    put_times(b, 4, "/gpu:0", length); /* the map decides, not the name */
    put_times(b, 5, CPU, length);
    put_times(b, 5, "/host:0", length); /* of whatever device */
    put_exec_memory(b, 1);
    put_exec_memory(b, 100);
    wire_close(b, value);
    wire_close(b, entry);
}

static void add_profile_of(int64_t runs)
{
    wire_bytes b = { 0 };
    size_t entry = wire_open(&b, 1), node;
    wire_put(&b, "1:1");
    node = wire_open(&b, 2);
    wire_put(&b, "1'p' 5'MatMul' 5'/device:gpu:0' 6'/device:gpu:0' 8:1000 "
                 "9'MatMul'");
    put_profile_run(&b, 3, runs, 7);
    put_profile_run(&b, 9, 3, 8);
    wire_close(&b, node);
    wire_close(&b, entry);
    add(&l, "profile_path", &b);
}

static void add_profile(void)
{
    add_profile_of(2);
}

TEST(runs_below_0_are_noticed)
{
    for (int64_t runs = -5; runs <= 5; runs += 10) {
        restart();
        add_profile_of(runs);
        LOOK(&l, t, 3) {
            assert_int_equal(t.census.has_negatives, runs < 0);
            assert_int_equal(cost(&t, "p", TFP_COST_RUNS), runs);
        }
    }
}

TEST(a_profile_has_times_memory_and_runs_apart)
{
    add_profile();
    LOOK(&l, t, 3) {
        check_times(&t, "p", 84, 70, 14, 2);
        /* Both ExecMemory, and nothing beside their sums. */
        check_memory(&t, "p", 606, 707, 808, 909);
        assert_int_equal(cost(&t, "p", TFP_COST_FLOAT_OPS), 2000);
    }
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "p", 90, 75, 15, 2); /* 84 and 96; runs 2 and 3 */
        check_memory(&t, "p", 606, 707, 808, 909);
        assert_int_equal(cost(&t, "p", TFP_COST_FLOAT_OPS), 2000);
        assert_int_equal(member(&t, "p")->steps, 2);
        check_device(&t, "p", "/device:gpu:0");
    }
    LOOK(&l, t, 4) /* no such step */
        check_times(&t, "p", 0, 0, 0, 0);
}

/* A log speaks of the node of the latest graph, the census takes the first
 * one; a profile has nodes of its own. */
TEST(notes_count_at_whichever_node_of_a_name_they_stand)
{
    for (int order = 0; order < 3; order++) {
        restart();
        if (order != 1)
            add_node(&l, "p", "MatMul");
        if (order < 2)
            add_profile();
        if (order > 0)
            add_node(&l, "p", "MatMul");
        if (order == 2)
            add_float_ops(&l, "p", 1000);
        LOOK(&l, t, AVERAGE) {
            const tfp_member *p = member(&t, "p");
            assert_int_equal(l.model.nodes.float_ops[p->noted], 1000);
            assert_int_equal(p->from_profile, order < 2);
            if (order < 2)
                check_device(&t, "p", "/device:gpu:0");
            assert_int_equal(p->node, 0);
        }
    }
}

TEST(a_profile_lists_all_types_itself)
{
    add_profile();
    LOOK(&l, t, AVERAGE) {
        const tfp_member *p = member(&t, "p");
        tfp_string types[4];
        assert_true(p->from_profile);
        assert_true(tfp_member_most_types(&l.model, p) <= 4);
        assert_int_equal(tfp_member_types(&l.model, p, types), 2);
        assert_int_equal(types[0], loading_name(&l, "MatMul"));
        assert_int_equal(types[1], loading_name(&l, "/device:gpu:0"));
    }
}

/* Its own steps and those of run metadata are steps of one model. */
TEST(a_profile_and_run_metadata_add_up)
{
    add_profile();
    ADD_STEP(&l, { "/device:GPU:0", "p", 1, .end = 5 },
             { CPU, "p", 1, .end = 900 });
    LOOK(&l, t, AVERAGE) {
        assert_int_equal(member(&t, "p")->steps, 3);
        check_times(&t, "p", (84 + 96 + 5) / 3, 150 / 3, (30 + 5) / 3, 2);
    }
}
