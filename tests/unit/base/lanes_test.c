/*
 * lanes_test.c - lanes against a slow search for the first that is free.
 */
#include "counting.h"

#include "base/intern.h"
#include "output/timeline/lanes.h"

enum { MOST = 3000 };

/* The first lane whose last span has ended, as upstream looks for it. */
static uint32_t first_free(int64_t *ends, uint32_t *count, int64_t start,
                           int64_t end)
{
    uint32_t lane = 0;
    while (lane < *count && ends[lane] > start)
        lane++;
    *count += lane == *count;
    ends[lane] = end;
    return lane;
}

/* Spans whose starts rise by up to `step`, none longer than `longest`. */
static void check_random(tfp_lanes *lanes, uint64_t *random, uint32_t step,
                         uint32_t longest)
{
    static int64_t ends[MOST];
    uint32_t count = 0;
    int64_t start = 0;
    tfp_lanes_clear(lanes);
    for (size_t i = 0; i < MOST; i++) {
        int64_t end;
        start += (int64_t)(counting_random(random) >> 33) % step;
        end = start + (int64_t)(counting_random(random) >> 33) % longest;
        assert_int_equal(tfp_lanes_take(lanes, start, end),
                         first_free(ends, &count, start, end));
    }
    assert_int_equal(lanes->count, count);
}

TEST(each_span_gets_the_first_free_lane)
{
    tfp_memory memory;
    tfp_lanes lanes = { .memory = &memory };
    uint64_t random = 1;
    tfp_memory_init(&memory, NULL, NULL);
    for (uint32_t step = 1; step < 100; step *= 3) {
        for (uint32_t longest = 1; longest < 5000; longest *= 4)
            check_random(&lanes, &random, step, longest);
    }
    tfp_lanes_release(&lanes);
    assert_int_equal(memory.held, 0);
}

TEST(what_ends_where_the_next_starts_is_free)
{
    tfp_memory memory;
    tfp_lanes lanes = { .memory = &memory };
    tfp_memory_init(&memory, NULL, NULL);
    assert_int_equal(tfp_lanes_take(&lanes, INT64_MIN, 5), 0);
    assert_int_equal(tfp_lanes_take(&lanes, 5, 5), 0);
    assert_int_equal(tfp_lanes_take(&lanes, 5, 6), 0);
    assert_int_equal(tfp_lanes_take(&lanes, 5, INT64_MAX), 1);
    assert_int_equal(tfp_lanes_take(&lanes, 6, 7), 0);
    assert_int_equal(tfp_lanes_take(&lanes, INT64_MAX, INT64_MAX), 0);
    assert_int_equal(tfp_lanes_take(&lanes, INT64_MAX, INT64_MAX), 0);
    assert_int_equal(lanes.count, 2);
    tfp_lanes_release(&lanes);
}

/* A million spans that all overlap; a search through all lanes would take a
 * million million steps. */
TEST(RM_06_a_million_lanes_take_no_time)
{
    enum { COUNT = 1000000 };
    tfp_memory memory;
    tfp_lanes lanes = { .memory = &memory };
    tfp_memory_init(&memory, NULL, NULL);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(tfp_lanes_take(&lanes, i, 2 * COUNT - (int64_t)i), i);
    for (uint32_t i = 0; i < COUNT; i++) /* the last to start ends first */
        assert_int_equal(tfp_lanes_take(&lanes, COUNT + 1 + (int64_t)i,
                                        COUNT + 2 + (int64_t)i),
                         i < COUNT - 1 ? COUNT - 1 - i : 0);
    tfp_lanes_release(&lanes);
    assert_int_equal(memory.held, 0);
}

TEST(take_returns_no_lane_when_out_of_memory)
{
    for (size_t k = 1;; k++) {
        counting plan = { .fail_at = k };
        tfp_memory memory;
        tfp_lanes lanes = { .memory = &memory };
        uint32_t taken = 0, lane;
        tfp_memory_init(&memory, counting_resize, &plan);
        while (taken < 100 && plan.refused == 0) {
            lane = tfp_lanes_take(&lanes, 0, 1);
            assert_int_equal(lane, plan.refused ? TFP_NO_ID : taken);
            taken += lane != TFP_NO_ID;
        }
        /* What was refused once can be asked for again. */
        assert_int_equal(tfp_lanes_take(&lanes, 0, 1), taken);
        tfp_lanes_release(&lanes);
        counting_check(&plan);
        if (plan.refused == 0)
            break;
    }
}
