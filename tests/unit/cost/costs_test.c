/*
 * costs_test.c - which nodes there are, where they ran, and what they cost.
 */
#include "costing.h"

FIXTURE(loading, l);

/* ---- Devices ------------------------------------------------------------ */

TEST(records_of_another_plain_device_do_not_count)
{
    add_node(&l, "a", "MatMul");
    ADD_STEP(&l, { CPU, "a", 100, 10, .total = 64, .output = 8 },
             { GPU, "a", 200, 1000, .total = 4096, .output = 512 },
             { CPU, "a", 300, 5, .total = 16, .output = 1 });
    LOOK(&l, t, AVERAGE) {
        check_device(&t, "a", "/job:w/replica:0/task:0/device:cpu:0");
        check_times(&t, "a", 15, 0, 15, 2);
        check_memory(&t, "a", 80, 0, 0, 9);
        assert_int_equal(member(&t, "a")->steps, 1);
        assert_int_equal(t.census.placed_records, 3);
    }
}

TEST(a_device_holds_for_all_steps)
{
    ADD_STEP(&l, { GPU, "a", 100, .end = 10 });
    ADD_STEP(&l, { CPU, "a", 100, .end = 70 });
    ADD_STEP(&l, { GPU, "a", 100, .end = 21 });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 15, 0, 15, 1); /* 31 / 2 */
        assert_int_equal(member(&t, "a")->steps, 2);
    }
    LOOK(&l, t, 1)
        check_times(&t, "a", 0, 0, 0, 0);
    LOOK(&l, t, 2)
        check_times(&t, "a", 21, 0, 21, 1);
}

TEST(the_name_of_a_device_decides_what_its_records_count_for)
{
    static const struct {
        const char *name;
        int cpu, accelerator;
    } devices[] = {
        { "/cpu:0", 1, 0 },
        { "/gpu:12", 1, 0 },
        { "/JOB:W/DEVICE:GPU:1", 1, 0 },
        { "/device:SYCL:0", 1, 0 },
        { "/job:w/device:CPU:0", 1, 0 },
        { "/device:GPU:0/stream:all", 0, 1 },
        { "/gpu:0/STREAM:ALL", 0, 1 },
        { "/device:GPU:0/stream:16", 0, 0 },
        { "/gpu:0/memcpy", 0, 0 },
        { "/device:TPU:0", 0, 0 },
        { "/sycl:0", 0, 0 },
        { "cpu:0", 0, 0 },
        { "/xcpu:0", 0, 0 },
        { "/device:cpu:", 0, 0 },
        { "/device:cpu:0x", 0, 0 },
        { "/device:cpu:0/", 0, 0 },
        { "", 0, 0 },
    };
    EACH(row, devices) {
        restart();
        ADD_STEP(&l, { row->name, "a", 100, 1, .total = 1 });
        LOOK(&l, t, AVERAGE) {
            int either = row->cpu + row->accelerator;
            check_times(&t, "a", either, row->accelerator, row->cpu, row->cpu);
            check_memory(&t, "a", row->cpu, 0, 0, 0);
            assert_int_equal(member(&t, "a")->device != 0, row->cpu);
        }
    }
}

TEST(names_of_devices_are_in_small_letters)
{
    ADD_STEP(&l, { "/Job:W-[1]/DEVICE:Cpu:0", "a", 1, .end = 1 });
    LOOK(&l, t, AVERAGE)
        check_device(&t, "a", "/job:w-[1]/device:cpu:0");
}

TEST(missing_streams_are_noticed)
{
    ADD_STEP(&l, { CPU, "a", 1, .end = 1 });
    LOOK(&l, t, AVERAGE)
        assert_false(t.census.misses_stream);
    ADD_STEP(&l, { GPU, "b", 1, .end = 1 }, { STREAM, "b:Relu", 1, .end = 1 });
    LOOK(&l, t, AVERAGE)
        assert_false(t.census.misses_stream);
    ADD_STEP(&l, { GPU, "b", 1, .end = 1 }); /* in this step alone */
    LOOK(&l, t, AVERAGE)
        assert_true(t.census.misses_stream);
}

/* ---- Times and memory --------------------------------------------------- */

TEST(streams_count_as_time_on_the_accelerator)
{
    add_node(&l, "a", "MatMul");
    ADD_STEP(&l, { GPU, "a", 100, 10, .total = 64 },
             { STREAM, "a:MatMul", 101, 300, .total = 5000 },
             { STREAM, "a:Add", 401, .end = 0 });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 311, 301, 10, 1);
        check_memory(&t, "a", 64, 0, 0, 0);
    }
}

TEST(no_whole_microsecond_counts_as_one)
{
    ADD_STEP(&l, { CPU, "a", 100, .end = 0 }, { CPU, "a", 100, .end = 0 },
             { CPU, "b", 100, .end = 1 });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 2, 0, 2, 2);
        check_times(&t, "b", 1, 0, 1, 1);
    }
}

TEST(without_a_start_there_is_no_time_and_no_memory)
{
    ADD_STEP(&l, { CPU, "a", 0, 50, .total = 64, .temp = 8, .output = 4 },
             { STREAM, "a:x", 0, .end = 50 });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 0, 0, 0, 0);
        check_memory(&t, "a", 0, 0, 0, 0);
        assert_int_equal(member(&t, "a")->steps, 1);
    }
}

TEST(memory_is_of_allocators_and_beside_them)
{
    ADD_STEP(&l, { CPU, "a", 1, 1, 1000, 2000, 3000, 10, 200, 7, 0 });
    LOOK(&l, t, AVERAGE)
        check_memory(&t, "a", 1210, 2210, 3200, 7);
}

/* By hand: 100 - 60 and 300 - 299 on the CPU; not told, later than the start,
 * without a start, of a stream, and of another device than the node's: 0. */
TEST(a_queue_is_from_scheduled_to_started)
{
    ADD_STEP(&l, { CPU, "a", 100, 10, .scheduled = 60 },
             { CPU, "a", 300, 5, .scheduled = 299 },
             { CPU, "a", 400, .end = 5 },
             { CPU, "a", 500, 5, .scheduled = 501 },
             { CPU, "a", 0, 5, .scheduled = -7 },
             { STREAM, "a", 600, 5, .scheduled = 1 },
             { GPU, "a", 700, 5, .scheduled = 1 },
             { CPU, "b", 900, 5, .scheduled = 897 });
    ADD_STEP(&l, { CPU, "a", 1000, 10, .scheduled = 990 });
    LOOK(&l, t, 0) {
        assert_int_equal(cost(&t, "a", TFP_COST_QUEUE_MICROS), 41);
        assert_int_equal(cost(&t, "b", TFP_COST_QUEUE_MICROS), 3);
        check_times(&t, "a", 30, 5, 25, 4);
    }
    LOOK(&l, t, 1)
        assert_int_equal(cost(&t, "a", TFP_COST_QUEUE_MICROS), 10);
    LOOK(&l, t, AVERAGE)
        assert_int_equal(cost(&t, "a", TFP_COST_QUEUE_MICROS), 25); /* 51 / 2 */
}

TEST(queues_stop_at_the_largest_number)
{
    ADD_STEP(&l, { CPU, "a", INT64_MAX, 1, .scheduled = -5 },
             { CPU, "a", 100, 1, .scheduled = INT64_MIN });
    LOOK(&l, t, AVERAGE) {
        assert_int_equal(cost(&t, "a", TFP_COST_QUEUE_MICROS), INT64_MAX);
        assert_false(t.census.has_negatives);
    }
}

TEST(an_average_is_over_the_steps_of_the_node)
{
    ADD_STEP(&l, { GPU, "a", 1, 2, .total = 5 }, { STREAM, "a", 1, .end = 1 },
             { CPU, "seldom", 1, 7, .total = 9 });
    ADD_STEP(&l, { GPU, "a", 1, 1, .total = 6 }, { GPU, "a", 1, .end = 0 });
    LOOK(&l, t, AVERAGE) {
        /* (1 + 4) / 2, though 1 / 2 and 4 / 2 are 0 and 2 */
        check_times(&t, "a", 2, 0, 2, 1);
        check_memory(&t, "a", 5, 0, 0, 0);
        check_times(&t, "seldom", 7, 0, 7, 1);
        check_memory(&t, "seldom", 9, 0, 0, 0);
    }
    LOOK(&l, t, 0)
        check_times(&t, "a", 3, 1, 2, 1);
    LOOK(&l, t, 1)
        check_times(&t, "a", 2, 0, 2, 2);
}

TEST(an_average_is_rounded_towards_zero)
{
    ADD_STEP(&l, { CPU, "a", 1, 3, .total = -3 });
    ADD_STEP(&l, { CPU, "a", 1, 4, .total = -4 });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", 3, 0, 3, 1);
        check_memory(&t, "a", -3, 0, 0, 0);
        assert_true(t.census.has_negatives);
    }
}

TEST(sums_stop_at_the_ends_of_their_range)
{
    ADD_STEP(&l,
             { CPU, "a", 1, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MIN,
               INT64_MAX, INT64_MAX, INT64_MAX, 0 },
             { CPU, "a", 1, INT64_MAX, INT64_MAX, 1, INT64_MIN, 1, -1,
               INT64_MAX, 0 },
             { STREAM, "a:k", 1, .end = INT64_MAX });
    LOOK(&l, t, AVERAGE) {
        check_times(&t, "a", INT64_MAX, INT64_MAX, INT64_MAX, 2);
        /* The residual: min + max, then min - 1 on top. */
        check_memory(&t, "a", INT64_MAX, INT64_MAX, INT64_MIN, INT64_MAX);
    }
}

/* ---- Members ------------------------------------------------------------ */

TEST(a_node_that_only_ran_is_its_own_operation)
{
    add_node(&l, "a", "MatMul");
    ADD_STEP(
        &l, { CPU, "only/ran", 1, .end = 5 },
        { CPU, "RecvTensor", 1, .end = 5 }, { CPU, "_SOURCE", 1, .end = 5 },
        { STREAM, "xMEMCPYDtoH", 1, .end = 5 },
        { STREAM, "MEMCPY", 1, .end = 5 }, { CPU, "RecvTensors", 1, .end = 5 });
    LOOK(&l, t, AVERAGE) {
        const tfp_member *ran = member(&t, "only/ran");
        tfp_string types[2];
        assert_int_equal(t.census.members.count, 3);
        assert_int_equal(ran->node, TFP_NO_NODE);
        assert_int_equal(tfp_member_op(&l.model, ran), ran->name);
        assert_int_equal(tfp_member_most_types(&l.model, ran), 2);
        assert_int_equal(tfp_member_types(&l.model, ran, types), 2);
        check_times(&t, "only/ran", 5, 0, 5, 1);
        check_times(&t, "RecvTensors", 5, 0, 5, 1);
        assert_int_equal(find(&t, "RecvTensor"), TFP_NO_ID);
        assert_int_equal(find(&t, "_SOURCE"), TFP_NO_ID);
        assert_int_equal(find(&t, "xMEMCPYDtoH"), TFP_NO_ID);
        assert_int_equal(find(&t, "MEMCPY"), TFP_NO_ID);
        assert_int_equal(t.census.placed_records, 0);
    }
}

TEST(machinery_that_a_graph_names_counts)
{
    add_node(&l, "RecvTensor", "_Recv");
    ADD_STEP(&l, { CPU, "RecvTensor", 1, .end = 5 });
    LOOK(&l, t, AVERAGE)
        check_times(&t, "RecvTensor", 5, 0, 5, 1);
}

TEST(of_two_graphs_the_first_one_s_node_counts)
{
    add_node(&l, "a", "First");
    add_node(&l, "a", "Second");
    add_node(&l, "b", "Third");
    LOOK(&l, t, AVERAGE) {
        assert_int_equal(t.census.members.count, 2);
        assert_int_equal(tfp_member_op(&l.model, member(&t, "a")),
                         loading_name(&l, "First"));
        check_times(&t, "a", 0, 0, 0, 0);
        assert_int_equal(member(&t, "a")->device, 0);
    }
}

TEST(an_empty_model_has_an_empty_census)
{
    LOOK(&l, t, AVERAGE) {
        assert_int_equal(t.census.members.count, 0);
        assert_false(t.census.has_negatives);
    }
}
