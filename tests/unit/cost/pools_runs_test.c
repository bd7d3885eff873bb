/*
 * pools_runs_test.c - pools of RunMetadata: from its records of allocations,
 * and estimated from outputs.
 */
#include "costing.h"

#include "model/pools.h"

/* ---- Estimates ---------------------------------------------------------- */

typedef struct tensor {
    const char *device, *name;
    int64_t start, end; /* all_start, op_end_rel */
    int64_t bytes;
    uint64_t address;
} tensor;

static void put_tensor(wire_bytes *b, const tensor *t)
{
    wire_put(b, "2{1'%s' 2:%jd 4:%jd 7{3{1:1 4{1:%jd 6:%jd}}}}", t->name,
             t->start, t->end, t->bytes, (intmax_t)t->address);
}

FIXTURE(loading, l);

/* One step; all on the device of the first. */
static void add_tensors(const tensor *tensors, size_t count)
{
    wire_bytes b = { 0 };
    size_t step = wire_open(&b, 1), device = wire_open(&b, 1);
    wire_text(&b, 1, tensors[0].device);
    for (size_t i = 0; i < count; i++)
        put_tensor(&b, &tensors[i]);
    wire_close(&b, device);
    wire_close(&b, step);
    add(&l, "run_meta_path", &b);
}

#define ADD_TENSORS(...)                                                       \
    do {                                                                       \
        const tensor list[] = { __VA_ARGS__ };                                 \
        add_tensors(list, COUNT(list));                                        \
    } while (0)

/* A graph in which l node has the one before as its input. */
static void add_chain(const char *const *names, const char *op)
{
    wire_bytes b = { 0 };
    wire_put(&b, "1{1'%s' 2'%s'}", names[0], op);
    for (size_t i = 1; names[i]; i++)
        wire_put(&b, "1{1'%s' 2'Relu' 3'%s'}", names[i], names[i - 1]);
    add(&l, "graph_path", &b);
}

static const char *const chain[] = { "a", "b", "c", "d", NULL };

static tfp_memory_use use_of(int64_t step)
{
    tfp_memory_use use;
    assert_ok(tfp_memory_use_init(&use, &l.model, &l.memory, step, NULL, NULL));
    return use;
}

static int64_t held(const tfp_pool *pool, const char *name)
{
    for (size_t i = 0; i < pool->live.count; i++) {
        tfp_string found = pool->live.data[i].kind.name;
        if (tfp_span_is(tfp_model_text(&l.model, found), name))
            return pool->live.data[i].bytes;
    }
    return 0;
}

TEST(outputs_live_until_they_are_read)
{
    tfp_memory_use use;
    const tfp_pool *pool;
    add_chain(chain, "Placeholder");
    ADD_TENSORS({ CPU, "a", 100, 10, .bytes = 1000 },
                { CPU, "b", 110, 10, .bytes = 300 },
                { CPU, "c", 120, 10, .bytes = 50 },
                { CPU, "d", 130, 10, .bytes = 7 });
    use = use_of(-1);
    assert_int_equal(use.pools.count, 1);
    pool = use.pools.data[0];
    assert_true(tfp_pool_is_estimated(pool));
    assert_int_equal(pool->peak, 1300);
    assert_int_equal(pool->peak_at, 10 * 1000000);
    assert_int_equal(held(pool, "a"), 1000);
    assert_int_equal(held(pool, "b"), 300);
    assert_int_equal(held(pool, "c"), 0);
    assert_int_equal(pool->curve[0], 1000);
    assert_int_equal(pool->curve[pool->points - 1], 57); /* c and d */
    assert_int_equal(pool->open_outputs, 0);
    assert_int_equal(pool->unaccounted, 0);
    tfp_memory_use_release(&use);
}

TEST(variables_live_for_the_whole_step)
{
    tfp_memory_use use;
    const tfp_pool *pool;
    add_chain(chain, "VariableV2");
    ADD_TENSORS({ CPU, "a", 100, 10, .bytes = 1000 },
                { CPU, "b", 110, 10, .bytes = 30 },
                { CPU, "c", 120, 10, .bytes = 50 },
                { CPU, "d", 130, 10, .bytes = 700 });
    use = use_of(-1);
    pool = use.pools.data[0];
    assert_int_equal(pool->peak, 1750);
    assert_int_equal(pool->persistent, 1000);
    assert_int_equal(held(pool, "a"), 1000);
    assert_int_equal(held(pool, "b"), 0);
    tfp_memory_use_release(&use);
}

TEST(outputs_at_one_address_are_one_block)
{
    tfp_memory_use use;
    const tfp_pool *pool;
    add_chain(chain, "Placeholder");
    ADD_TENSORS({ CPU, "a", 100, 10, 1000, 0x40 },
                { CPU, "b", 110, 10, 1000, 0x40 }, /* works in place */
                { CPU, "c", 120, 10, 50, 0x80 },
                { CPU, "d", 150, 10, 1000, 0x40 }); /* again, later */
    use = use_of(-1);
    pool = use.pools.data[0];
    assert_int_equal(pool->peak, 1050);
    assert_int_equal(pool->allocations, 3);
    assert_int_equal(held(pool, "b"), 0);
    tfp_memory_use_release(&use);
}

TEST(outputs_without_graph_live_to_the_end)
{
    tfp_memory_use use;
    ADD_TENSORS({ CPU, "a", 100, 10, .bytes = 1000 },
                { CPU, "b", 110, 10, .bytes = 300 },
                { CPU, "c", 120, 10, .bytes = -5 });
    use = use_of(-1);
    assert_int_equal(use.pools.data[0]->peak, 1300);
    assert_int_equal(use.pools.data[0]->open_outputs, 2);
    tfp_memory_use_release(&use);
}

TEST(a_node_of_a_loop_writes_anew)
{
    tfp_memory_use use;
    add_chain(chain, "Placeholder");
    ADD_TENSORS(
        { CPU, "a", 100, 10, .bytes = 1000 }, { CPU, "b", 110, 10, .bytes = 1 },
        { CPU, "a", 130, 10, .bytes = 1000 }, { CPU, "b", 140, 10, .bytes = 1 },
        { CPU, "a", 160, 10, .bytes = 1000 }, { CPU, "b", 170, 10, .bytes = 1 },
        { CPU, "c", 180, 10, .bytes = 1 });
    use = use_of(-1);
    assert_in_range(use.pools.data[0]->peak, 1001, 1003);
    tfp_memory_use_release(&use);
}

TEST(a_reader_reads_the_run_before_it)
{
    tfp_memory_use use;
    add_chain(chain, "Placeholder");
    ADD_TENSORS({ CPU, "a", 100, 10, .bytes = 1000 },
                { CPU, "b", 150, 10, .bytes = 400 },
                { CPU, "a", 200, 10, .bytes = 1000 },
                { CPU, "b", 210, 10, .bytes = 1 });
    use = use_of(-1);
    assert_int_equal(use.pools.data[0]->peak, 1400);
    assert_int_equal(use.pools.data[0]->peak_at, 50 * 1000000);
    tfp_memory_use_release(&use);
}

TEST(outputs_that_nobody_reads_live_to_the_end)
{
    tfp_memory_use use;
    add_node(&l, "fetched", "MatMul");
    add_node(&l, "later", "MatMul");
    ADD_TENSORS({ CPU, "fetched", 100, 10, .bytes = 500 },
                { CPU, "later", 200, 10, .bytes = 1000 });
    use = use_of(-1);
    assert_int_equal(use.pools.data[0]->peak, 1500);
    assert_int_equal(use.pools.data[0]->peak_at, 100 * 1000000);
    assert_int_equal(use.pools.data[0]->open_outputs, 0);
    tfp_memory_use_release(&use);
}

TEST(the_step_with_the_largest_peak_is_kept)
{
    tfp_memory_use use;
    ADD_TENSORS({ CPU, "a", 100, 10, .bytes = 1000 });
    ADD_TENSORS({ CPU, "a", 900, 10, .bytes = 3000 });
    ADD_TENSORS({ CPU, "a", 1900, 10, .bytes = 2000 });
    use = use_of(-1);
    assert_int_equal(use.pools.count, 1);
    assert_int_equal(use.pools.data[0]->peak, 3000);
    assert_int_equal(use.pools.data[0]->steps, 3);
    assert_int_equal(use.pools.data[0]->step, l.model.steps.data[1].id);
    tfp_memory_use_release(&use);
    use = use_of(l.model.steps.data[2].id);
    assert_int_equal(use.pools.data[0]->peak, 2000);
    assert_int_equal(use.pools.data[0]->steps, 1);
    tfp_memory_use_release(&use);
    use = use_of(12345);
    assert_int_equal(use.pools.count, 0);
    tfp_memory_use_release(&use);
}

/* ---- Records ------------------------------------------------------------ */

/* Two nodes on a GPU; both have outputs, which do not count beside records. */
static void add_records(void)
{
    wire_bytes b = { 0 };
    size_t step = wire_open(&b, 1), device = wire_open(&b, 1);
    wire_put(&b,
             "1'%s' 2{1'a' 2:100 4:10 6{1'GPU_0_bfc' 5:9000 "
             "6{1:101 2:500} 6{1:102 2:200} 6{1:108 2:-200}}}",
             GPU);
    put_tensor(&b, &(tensor){ GPU, "a", 100, 10, 4000, 0 });
    wire_put(&b, "2{1'b' 2:104 4:10 6{1'GPU_0_bfc' 6{1:105 2:90}}}");
    wire_close(&b, device);
    wire_close(&b, step);
    add(&l, "run_meta_path", &b);
}

TEST(records_are_gathered_when_asked_for)
{
    for (int gathers = 0; gathers < 2; gathers++) {
        tfp_memory_use use;
        const tfp_pool *pool;
        restart();
        l.model.gathers = gathers ? TFP_GATHER_MEMORY : 0;
        add_records();
        use = use_of(-1);
        assert_int_equal(use.pools.count, 1);
        pool = use.pools.data[0];
        assert_int_equal(tfp_pool_is_estimated(pool), !gathers);
        if (gathers) {
            assert_int_equal(pool->peak, 790);
            assert_int_equal(pool->peak_at, 5 * 1000000);
            assert_int_equal(pool->reported_peak, 9000);
            assert_int_equal(held(pool, "a"), 700);
            assert_int_equal(held(pool, "b"), 90);
            assert_int_equal(pool->curve[pool->points - 1], 790);
        } else {
            assert_int_equal(l.model.allocations.count, 0);
        }
        tfp_memory_use_release(&use);
    }
}

TEST(every_allocation_of_a_use_may_fail)
{
    size_t first, calls;
    tfp_memory_use use;
    l.model.gathers = TFP_GATHER_MEMORY;
    add_chain(chain, "Const");
    add_records();
    ADD_TENSORS({ CPU, "a", 100, 10, 1000, 4 },
                { CPU, "b", 110, 10, .bytes = 3 });
    first = l.counts.calls;
    use = use_of(-1);
    calls = l.counts.calls - first;
    tfp_memory_use_release(&use);
    for (size_t k = 1; k <= calls; k++) {
        tfprof_error err = { .code = TFPROF_OK };
        l.counts.calls = 0;
        l.counts.fail_at = k;
        assert_int_equal(
            tfp_memory_use_init(&use, &l.model, &l.memory, -1, NULL, &err),
            TFPROF_ERR_NOMEM);
        assert_int_equal(err.code, TFPROF_ERR_NOMEM);
        tfp_memory_use_release(&use);
    }
    l.counts.fail_at = 0;
}

/* ---- Groups ------------------------------------------------------------- */

static void check_groups(const tfp_pool *pool, tfp_live_by by, size_t depth,
                         const char *wanted)
{
    tfp_live_groups groups;
    char text[256] = "";
    assert_ok(tfp_live_groups_init(&groups, &l.model, pool, &l.memory, by,
                                   depth, NULL));
    for (size_t i = 0; i < groups.groups.count; i++) {
        const tfp_live_group *g = &groups.groups.data[i];
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, "%.*s %lld %lld;",
                 (int)g->name.size, (const char *)g->name.data,
                 (long long)g->bytes, (long long)g->count);
    }
    assert_string_equal(text, wanted);
    tfp_live_groups_release(&groups);
}

TEST(live_sets_are_grouped)
{
    tfp_memory_use use;
    const tfp_pool *pool;
    add_node(&l, "m/x/a", "MatMul");
    add_node(&l, "m/x/b", "Relu");
    add_node(&l, "m/y/c", "MatMul");
    ADD_TENSORS({ CPU, "m/x/a", 100, 10, .bytes = 10 },
                { CPU, "m/x/b", 100, 10, .bytes = 20 },
                { CPU, "m/y/c", 100, 10, .bytes = 50 },
                { CPU, "z", 100, 10, .bytes = 1 });
    use = use_of(-1);
    pool = use.pools.data[0];
    check_groups(pool, TFP_LIVE_BY_SCOPE, 1, "m 80 3;z 1 1;");
    check_groups(pool, TFP_LIVE_BY_SCOPE, 0, "m/y 50 1;m/x 30 2;z 1 1;");
    check_groups(pool, TFP_LIVE_BY_SCOPE, 2, "m/y 50 1;m/x 30 2;z 1 1;");
    check_groups(pool, TFP_LIVE_BY_SCOPE, 9,
                 "m/y/c 50 1;m/x/b 20 1;m/x/a 10 1;z 1 1;");
    check_groups(pool, TFP_LIVE_BY_TYPE, 1, "MatMul 60 2;Relu 20 1; 1 1;");
    check_groups(pool, TFP_LIVE_BY_LINE, 1, " 81 4;");
    tfp_memory_use_release(&use);
}
