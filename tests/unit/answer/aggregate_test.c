/*
 * aggregate_test.c - the rows of an aggregate: buckets, squares, merging, the
 * limit, the largest values, failing allocations, devices and kinds.
 */
#include "counting.h"

#include <math.h>
#include <stdio.h>

#include "aggregate/buckets.h"
#include "aggregate/kinds.h"
#include "aggregate/places.h"
#include "aggregate/rows.h"
#include "base/memory.h"
#include "model/times.h"

#define STABLE_ID INT64_C(0xea947729ea49)

static counting counts;
static tfp_memory memory;
static tfp_watch watch; /* nobody cancels */

static void begin(void)
{
    counts = (counting){ 0 };
    tfp_memory_init(&memory, counting_resize, &counts);
}

/* ---- Buckets ------------------------------------------------------------ */

TEST(buckets_hold_values_within_one_percent)
{
    static tfp_buckets buckets;
    const long double gamma = 101.0L / 99.0L;
    assert_true(tfp_buckets_init(&buckets));
    assert_int_equal(tfp_bucket_of(&buckets, 0), TFP_BUCKET_ZERO);
    assert_int_equal(tfp_bucket_of(&buckets, -5), TFP_BUCKET_ZERO);
    assert_int_equal(tfp_bucket_of(&buckets, 1), 0);
    assert_int_equal(tfp_bucket_of(&buckets, 2), 35);
    assert_int_equal(tfp_bucket_of(&buckets, INT64_MAX), TFP_BUCKET_COUNT - 1);
    for (int64_t v = 1; v < INT64_MAX / 3; v = v + v / 977 + 1) {
        int k = tfp_bucket_of(&buckets, v);
        long double middle = 2 * powl(gamma, k) / (gamma + 1);
        assert_true(fabsl(middle - (long double)v) <=
                    0.0100001L * (long double)v);
    }
}

/* Each bound and its neighbors, found without the shortcut of the table. */
TEST(each_bound_is_the_last_value_of_its_bucket)
{
    static tfp_buckets buckets;
    assert_true(tfp_buckets_init(&buckets));
    for (int k = 1; k < TFP_BUCKET_COUNT; k++) {
        int64_t most = buckets.most[k];
        assert_true(most >= buckets.most[k - 1]);
        if (most == buckets.most[k - 1])
            continue;
        assert_int_equal(tfp_bucket_of(&buckets, most), k);
        assert_int_equal(tfp_bucket_of(&buckets, buckets.most[k - 1] + 1), k);
        if (most < INT64_MAX)
            assert_true(tfp_bucket_of(&buckets, most + 1) > k);
    }
    /* gamma^k for small k, computed by hand: 101^35 / 99^35 is 2.0136... */
    assert_int_equal(buckets.most[34], 1);
    assert_int_equal(buckets.most[35], 2);
}

/* ---- Rows --------------------------------------------------------------- */

static int64_t kinds[TFP_KIND_COUNT]; /* of the last step */

static uint32_t key(tfp_agg_rows *r, tfp_agg_view view, const char *name,
                    uint32_t parent)
{
    tfp_agg_key k = { .view = (uint8_t)view, .parent = parent };
    k.name = tfp_agg_rows_text(r, tfp_span_of(name));
    return k.name == TFP_NO_ID ? TFP_NO_ID : tfp_agg_rows_key(r, k);
}

TEST(totals_include_what_is_below)
{
    tfp_agg_rows r;
    uint32_t a, b;
    const tfp_agg_row *rows;
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, 100));
    a = key(&r, TFP_AGG_SCOPE, "a", TFP_NO_ID);
    b = key(&r, TFP_AGG_SCOPE, "a/b", a);
    assert_true(tfp_agg_rows_add(&r, b, 5, 1));
    assert_true(tfp_agg_rows_add(&r, a, 2, 1));
    assert_true(tfp_agg_rows_add(&r, b, 1, 1));
    assert_true(tfp_agg_rows_end_step(&r, TFP_MICROSECOND, kinds, &watch));
    assert_true(tfp_agg_rows_add(&r, b, 10, 1));
    assert_true(tfp_agg_rows_end_step(&r, TFP_MICROSECOND, kinds, &watch));
    rows = r.rows.data;
    assert_int_equal(r.rows.count, 2);
    assert_int_equal(rows[0].count, 2);
    assert_int_equal(rows[0].sum, 18000);
    assert_int_equal(rows[0].self_sum, 2000);
    assert_int_equal(rows[0].least, 8000);
    assert_int_equal(rows[0].most, 10000);
    assert_int_equal(rows[0].runs, 4);
    assert_int_equal(rows[1].sum, 16000);
    assert_int_equal(rows[1].self_sum, 16000);
    assert_int_equal(rows[0].squares_hi, 0);
    assert_int_equal(rows[0].squares_lo, 8000LL * 8000 + 10000LL * 10000);
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

static uint32_t op_of_kind(tfp_agg_rows *r, const char *name, tfp_agg_kind kind)
{
    tfp_agg_key k = { .view = TFP_AGG_OP,
                      .kind = (uint8_t)kind,
                      .parent = TFP_NO_ID };
    k.name = tfp_agg_rows_text(r, tfp_span_of(name));
    return tfp_agg_rows_key(r, k);
}

/* The scope view has the same time again. */
TEST(kinds_of_a_step_are_sums_of_its_rounded_operations)
{
    tfp_agg_rows r;
    uint32_t add, mul, reduce;
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, 100));
    add = op_of_kind(&r, "Add", TFP_KIND_COMPUTE);
    mul = op_of_kind(&r, "Mul", TFP_KIND_COMPUTE);
    reduce = op_of_kind(&r, "all-reduce", TFP_KIND_COLLECTIVE);
    for (int step = 1; step <= 2; step++) {
        assert_true(tfp_agg_rows_add(&r, key(&r, TFP_AGG_SCOPE, "s", TFP_NO_ID),
                                     5400, 1));
        assert_true(tfp_agg_rows_add(&r, add, 1400, 1));
        assert_true(tfp_agg_rows_add(&r, mul, step * 2400, 1));
        assert_true(tfp_agg_rows_add(&r, reduce, 3600, 1));
        assert_true(tfp_agg_rows_end_step(&r, TFP_PICOSECOND, kinds, &watch));
        assert_int_equal(kinds[TFP_KIND_COMPUTE], step == 1 ? 1 + 2 : 1 + 5);
        assert_int_equal(kinds[TFP_KIND_COLLECTIVE], 4);
        assert_int_equal(kinds[TFP_KIND_WAIT], 0);
    }
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

/* A picosecond is rounded once for each step and row. */
TEST(picoseconds_are_rounded_to_nanoseconds)
{
    tfp_agg_rows r;
    uint32_t a;
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, 100));
    a = key(&r, TFP_AGG_OP, "Add", TFP_NO_ID);
    for (int i = 0; i < 3; i++)
        assert_true(tfp_agg_rows_add(&r, a, 500, 1));
    assert_true(tfp_agg_rows_end_step(&r, TFP_PICOSECOND, kinds,
                                      &watch)); /* 1500 ps: 2 */
    assert_true(tfp_agg_rows_add(&r, a, 499, 1));
    assert_true(
        tfp_agg_rows_end_step(&r, TFP_PICOSECOND, kinds, &watch)); /* 0 */
    assert_int_equal(r.rows.data[0].sum, 2);
    assert_int_equal(r.rows.data[0].count, 2);
    assert_int_equal(r.rows.data[0].least, 0);
    assert_int_equal(r.rows.data[0].histogram.data[0].bucket, TFP_BUCKET_ZERO);
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

TEST(squares_are_exact_and_sums_stop_at_the_end)
{
    tfp_agg_rows r;
    uint32_t a;
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, 100));
    a = key(&r, TFP_AGG_OP, "Add", TFP_NO_ID);
    assert_true(tfp_agg_rows_add(&r, a, TFP_AGG_MOST, 1));
    assert_true(tfp_agg_rows_end_step(&r, TFP_NANOSECOND, kinds, &watch));
    /* (2^47 - 1)^2 = 2^94 - 2^48 + 1 */
    assert_int_equal(r.rows.data[0].squares_hi, (INT64_C(1) << 62) - (1 << 16));
    assert_int_equal(r.rows.data[0].squares_lo, 1);
    for (int i = 0; i < 3; i++) {
        assert_true(tfp_agg_rows_add(&r, a, INT64_MAX, INT64_MAX));
        assert_true(tfp_agg_rows_end_step(&r, TFP_MICROSECOND, kinds, &watch));
    }
    assert_int_equal(r.rows.data[0].sum, INT64_MAX);
    assert_int_equal(r.rows.data[0].squares_hi, INT64_MAX);
    assert_int_equal(r.rows.data[0].runs, INT64_MAX);
    assert_int_equal(r.rows.data[0].most, INT64_MAX);
    assert_int_equal(r.rows.data[0].count, 4);
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

/* The same steps in another order give the same rows. */
TEST(the_order_of_steps_does_not_matter)
{
    static const int64_t times[] = { 700, 3, 1000000007, 42, 0, 99, 12345678 };
    enum { STEPS = sizeof(times) / sizeof(times[0]) };
    tfp_agg_rows r[2];
    begin();
    for (int way = 0; way < 2; way++) {
        uint32_t a;
        assert_true(tfp_agg_rows_init(&r[way], &memory, 100));
        a = key(&r[way], TFP_AGG_OP, "Add", TFP_NO_ID);
        for (int i = 0; i < STEPS; i++) {
            assert_true(tfp_agg_rows_add(
                &r[way], a, times[way == 0 ? i : STEPS - 1 - i], 1));
            assert_true(
                tfp_agg_rows_end_step(&r[way], TFP_NANOSECOND, kinds, &watch));
        }
    }
    assert_int_equal(r[0].rows.data[0].histogram.count, STEPS);
    assert_memory_equal(r[0].rows.data[0].histogram.data,
                        r[1].rows.data[0].histogram.data,
                        STEPS * sizeof(tfp_agg_count));
    assert_int_equal(r[0].rows.data[0].sum, r[1].rows.data[0].sum);
    assert_int_equal(r[0].rows.data[0].squares_hi,
                     r[1].rows.data[0].squares_hi);
    assert_int_equal(r[0].rows.data[0].squares_lo,
                     r[1].rows.data[0].squares_lo);
    assert_int_equal(tfp_agg_rows_id(&r[0], &r[0].rows.data[0]),
                     tfp_agg_rows_id(&r[1], &r[1].rows.data[0]));
    tfp_agg_rows_release(&r[0]);
    tfp_agg_rows_release(&r[1]);
    counting_check(&counts);
}

/* An id must be the same on all machines and in all versions. */
TEST(ids_are_stable)
{
    tfp_agg_rows r;
    uint32_t a;
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, 100));
    a = key(&r, TFP_AGG_SCOPE, "a/b", TFP_NO_ID);
    assert_true(tfp_agg_rows_add(&r, a, 1, 1));
    assert_true(tfp_agg_rows_end_step(&r, TFP_NANOSECOND, kinds, &watch));
    assert_int_equal(tfp_agg_rows_id(&r, &r.rows.data[0]), STABLE_ID);
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

/* Instructions of two programs are two rows, also if all else is equal. */
TEST(the_program_is_part_of_the_id)
{
    static const char *const programs[] = { "", "jit_f@0123456789abcdef",
                                            "jit_f@0123456789abcdee" };
    tfp_agg_rows r;
    int64_t ids[3];
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, 100));
    for (int i = 0; i < 3; i++) {
        tfp_agg_key k = { .view = TFP_AGG_SCOPE, .parent = TFP_NO_ID };
        uint32_t at;
        k.name = tfp_agg_rows_text(&r, tfp_span_of("fusion.1"));
        k.program = tfp_agg_rows_text(&r, tfp_span_of(programs[i]));
        at = tfp_agg_rows_key(&r, k);
        assert_int_equal(tfp_agg_rows_key(&r, k), at);
        assert_true(tfp_agg_rows_add(&r, at, 1, 1));
    }
    assert_true(tfp_agg_rows_end_step(&r, TFP_NANOSECOND, kinds, &watch));
    assert_int_equal(r.rows.count, 3);
    for (int i = 0; i < 3; i++)
        ids[i] = tfp_agg_rows_id(&r, &r.rows.data[i]);
    assert_true(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

/* Sums of both views stay the same when rows are dropped. */
static void fill_many(tfp_agg_rows *r, int steps)
{
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 60; i++) {
            char name[32];
            uint32_t scope, node, op;
            snprintf(name, sizeof(name), "s%d", i % 6);
            scope = key(r, TFP_AGG_SCOPE, name, TFP_NO_ID);
            if (scope == TFP_NO_ID)
                return;
            snprintf(name, sizeof(name), "s%d/n%d", i % 6, i + 7 * step);
            node = key(r, TFP_AGG_SCOPE, name, scope);
            snprintf(name, sizeof(name), "op%d", i);
            op = key(r, TFP_AGG_OP, name, TFP_NO_ID);
            if (node == TFP_NO_ID || op == TFP_NO_ID ||
                !tfp_agg_rows_add(r, node, i + 1, 1) ||
                !tfp_agg_rows_add(r, op, i + 1, 1))
                return;
        }
        if (!tfp_agg_rows_end_step(r, TFP_NANOSECOND, kinds, &watch))
            return;
    }
}

TEST(rows_over_the_limit_are_added_to_their_parents)
{
    enum { LIMIT = 50, STEPS = 5, WHOLE = STEPS * 60 * 61 / 2 };
    tfp_agg_rows r;
    int64_t self[TFP_AGG_VIEWS] = { 0 }, top = 0;
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, LIMIT));
    fill_many(&r, STEPS);
    assert_int_equal(kinds[TFP_KIND_COMPUTE], WHOLE / STEPS);
    assert_true(r.rows.count <= LIMIT);
    assert_true(r.dropped > 0);
    for (size_t i = 0; i < r.rows.count; i++) {
        const tfp_agg_row *row = &r.rows.data[i];
        uint8_t view = r.keys.data[row->key].view;
        self[view] += row->self_sum;
        assert_true(row->count <= STEPS);
        assert_true(row->parent == TFP_NO_ID || row->parent < i);
        top += view == TFP_AGG_SCOPE && row->parent == TFP_NO_ID ? row->sum : 0;
    }
    assert_int_equal(self[TFP_AGG_SCOPE], WHOLE);
    assert_int_equal(self[TFP_AGG_OP], WHOLE);
    assert_int_equal(top, WHOLE);
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

/* Each step has new names only, so the row "(other)" of an earlier step
 * receives most of the time. */
TEST(dropped_time_is_in_the_step_in_which_it_was_spent)
{
    enum { LIMIT = 50, STEPS = 3, NAMES = 60, TIME = 10 };
    tfp_agg_rows r;
    int64_t self[TFP_AGG_VIEWS] = { 0 };
    begin();
    assert_true(tfp_agg_rows_init(&r, &memory, LIMIT));
    for (int step = 0; step < STEPS; step++) {
        int64_t now = 0;
        for (int i = 0; i < NAMES; i++) {
            char name[32];
            snprintf(name, sizeof(name), "%c%d", 'a' + step, i);
            for (int view = 0; view < TFP_AGG_VIEWS; view++)
                assert_true(tfp_agg_rows_add(
                    &r, key(&r, (tfp_agg_view)view, name, TFP_NO_ID), TIME, 1));
        }
        assert_true(tfp_agg_rows_end_step(&r, TFP_NANOSECOND, kinds, &watch));
        for (size_t i = 0; i < r.rows.count; i++)
            now += r.rows.data[i].self_sum;
        assert_int_equal(now, (step + 1) * TFP_AGG_VIEWS * NAMES * TIME);
    }
    for (size_t i = 0; i < r.rows.count; i++) {
        const tfp_agg_row *row = &r.rows.data[i];
        uint32_t name = r.keys.data[row->key].name;
        bool is_other = tfp_span_is(tfp_interned(&r.texts, name),
                                    TFP_AGG_OTHER);
        int64_t hits = 0;
        for (size_t k = 0; k < row->histogram.count; k++)
            hits += row->histogram.data[k].count;
        self[r.keys.data[row->key].view] += row->self_sum;
        assert_int_equal(row->count, is_other ? STEPS : 1);
        assert_int_equal(hits, row->count);
    }
    for (int view = 0; view < TFP_AGG_VIEWS; view++)
        assert_int_equal(self[view], STEPS * NAMES * TIME);
    tfp_agg_rows_release(&r);
    counting_check(&counts);
}

TEST(any_allocation_may_fail)
{
    for (size_t fails = 1;; fails++) {
        tfp_agg_rows r;
        begin();
        counts.fail_at = fails;
        if (tfp_agg_rows_init(&r, &memory, 20))
            fill_many(&r, 3);
        tfp_agg_rows_release(&r);
        counting_check(&counts);
        if (counts.calls < fails)
            break;
    }
}

/* ---- Kinds -------------------------------------------------------------- */

TEST(kinds_follow_the_operation_type)
{
    static const struct {
        const char *op, *name;
        tfp_agg_kind kind;
    } cases[] = {
        { "MatMul", "a/MatMul", TFP_KIND_COMPUTE },
        { "CollectiveReduceV2", "a", TFP_KIND_COLLECTIVE },
        { "NcclAllReduce", "a", TFP_KIND_COLLECTIVE },
        { "all-reduce-start", "a", TFP_KIND_COLLECTIVE },
        { "collective-permute-done", "a", TFP_KIND_COLLECTIVE },
        { "reduce-scatter", "a", TFP_KIND_COLLECTIVE },
        { "kernel", "x/ncclDevKernel_AllReduce", TFP_KIND_COLLECTIVE },
        { "kernel", "x/volta_sgemm", TFP_KIND_COMPUTE },
        { "IteratorGetNext", "a", TFP_KIND_WAIT },
        { "_Recv", "a", TFP_KIND_WAIT },
        { "_HostRecv", "a", TFP_KIND_WAIT },
        { "QueueDequeueManyV2", "a", TFP_KIND_WAIT },
        { "recv-done", "a", TFP_KIND_WAIT },
        { "infeed", "a", TFP_KIND_WAIT },
        { "Dataset", "a", TFP_KIND_WAIT },
        { "in/IteratorGetNext", "in/IteratorGetNext", TFP_KIND_WAIT },
        { "reduce", "a", TFP_KIND_COMPUTE },
        { "async-start", "a/reduce-scatter-start", TFP_KIND_COLLECTIVE },
        { "async-done", "all-gather-done.3", TFP_KIND_COLLECTIVE },
        { "async-update", "all-to-all-update", TFP_KIND_COLLECTIVE },
        { "async-done", "recv-done", TFP_KIND_COMPUTE },
        { "async-start", "slice-start", TFP_KIND_COMPUTE },
        { "fusion", "all-reduce-scatter.5", TFP_KIND_COLLECTIVE },
        { "custom_fusion", "reduce-scatter", TFP_KIND_COLLECTIVE },
        { "loop fusion", "x/fusion.7", TFP_KIND_COMPUTE },
        { "custom-call", "all-reduce.1", TFP_KIND_COLLECTIVE },
        { "convolution", "all-reduce.1", TFP_KIND_COMPUTE },
        { "async collective fusion", "fusion.1", TFP_KIND_COLLECTIVE },
        { "DTensorAllReduce", "a", TFP_KIND_COLLECTIVE },
        { "kernel", "void ncclKernel_AllReduce_RING<float>(x)",
          TFP_KIND_COLLECTIVE },
        { "kernel", "ncclDevKernel_ReduceScatter", TFP_KIND_COLLECTIVE },
        { "kernel", "mscclKernel_Sum_float", TFP_KIND_COLLECTIVE },
        { "kernel", "stream_executor::gpu::AllReduceKernelImpl<float>",
          TFP_KIND_COLLECTIVE },
        { "ppermute", "a", TFP_KIND_COLLECTIVE },
        { "all_gather", "a", TFP_KIND_COLLECTIVE },
        { "reduce_scatter", "a", TFP_KIND_COLLECTIVE },
        { "all_to_all", "a", TFP_KIND_COLLECTIVE },
        { "host recv-done", "a", TFP_KIND_WAIT },
        { "megascale-recv-done", "a", TFP_KIND_WAIT },
        { "XlaRecvFromHost", "a", TFP_KIND_WAIT },
        { "_XlaRecvAtHost", "a", TFP_KIND_WAIT },
        { "AccumulatorTakeGradient", "a", TFP_KIND_WAIT },
        { "send-done", "a", TFP_KIND_WAIT },
        { "copy-done", "a", TFP_KIND_COMPUTE },
        { "", "", TFP_KIND_COMPUTE },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(tfp_agg_kind_of(tfp_span_of(cases[i].op),
                                         tfp_span_of(cases[i].name)),
                         cases[i].kind);
}

/* Without a graph, the type is the name. */
TEST(kinds_of_names_require_the_whole_word)
{
    static const struct {
        const char *name;
        tfp_agg_kind kind;
    } cases[] = {
        { "infeed_proj", TFP_KIND_COMPUTE },
        { "model/barrier_conv", TFP_KIND_COMPUTE },
        { "recv_embedding", TFP_KIND_COMPUTE },
        { "dense/dataset", TFP_KIND_COMPUTE },
        { "collective_attention", TFP_KIND_COMPUTE },
        { "collectivereducer", TFP_KIND_COMPUTE },
        { "ncclAllReduceGrad", TFP_KIND_COMPUTE },
        { "a/copy-done", TFP_KIND_COMPUTE },
        { "_", TFP_KIND_COMPUTE },
        { "_1", TFP_KIND_COMPUTE },
        { "a/CollectiveReduceV2_12", TFP_KIND_COLLECTIVE },
        { "all-reduce.1", TFP_KIND_COLLECTIVE },
        { "all-gather-start.3", TFP_KIND_COLLECTIVE },
        { "x/ncclKernel_AllReduce_RING", TFP_KIND_COLLECTIVE },
        { "a/infeed", TFP_KIND_WAIT },
        { "recv-done.4", TFP_KIND_WAIT },
        { "a/_Recv", TFP_KIND_WAIT },
        { "IteratorGetNext_1", TFP_KIND_WAIT },
        { "send", TFP_KIND_COMPUTE },
        { "send-done.4", TFP_KIND_WAIT },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(tfp_agg_kind_of(tfp_span_of(cases[i].name),
                                         tfp_span_of(cases[i].name)),
                         cases[i].kind);
}
