/*
 * pools_trace_test.c - pools of the traces in tests/data: what is gathered,
 * and what is given back when memory runs out.
 */
#include "loading.h"
#include "stored_trace.h"
#include "sweeping.h"

#include "model/pools.h"

FIXTURE(loading, l);

TEST(nothing_is_gathered_unless_asked_for)
{
    assert_ok(loading_add(&l, NULL, read_trace("gen_tf-gpu")));
    assert_int_equal(l.model.pools.count, 0);
}

TEST(allocators_are_pools)
{
    l.model.gathers = TFP_GATHER_MEMORY;
    assert_ok(loading_add(&l, NULL, read_trace("gen_tf-gpu")));
    assert_int_equal(l.model.pools.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const tfp_pool *pool = &l.model.pools.data[i];
        assert_int_equal(pool->source, TFP_POOL_TRACE);
        assert_true(tfp_span_is(tfp_model_text(&l.model, pool->name),
                                i == 0 ? "GPU_0_bfc" : "GPU_1_bfc"));
        assert_true(pool->has_step);
        assert_int_equal(pool->peak, 2075497472);
        assert_int_equal(pool->capacity, 80000000000);
        assert_int_equal(pool->unaccounted, 2000000000);
        assert_int_equal(pool->live.data[0].kind.holder, TFP_HOLDER_NODE);
        assert_int_equal(pool->allocations, 96);
        assert_int_equal(pool->frees, 96);
    }
}

/* Gathering changes nothing else. */
TEST(gathering_keeps_nodes_and_steps)
{
    static const char *const names[] = { "gen_jax-cpu", "gen_jax-gpu",
                                         "gen_jax-tpu", "gen_tf-gpu" };
    EACH(row, names) {
        loading plain, gathering;
        tfp_span trace = read_trace(*row);
        loading_init(&plain);
        loading_init(&gathering);
        gathering.model.gathers = TFP_GATHER_MEMORY;
        assert_ok(loading_add(&plain, NULL, trace));
        assert_ok(loading_add(&gathering, NULL, trace));
        assert_int_equal(plain.model.nodes.count, gathering.model.nodes.count);
        assert_int_equal(plain.model.steps.count, gathering.model.steps.count);
        for (size_t k = 0; k < plain.model.steps.count; k++) {
            const tfp_step *a = &plain.model.steps.data[k];
            const tfp_step *b = &gathering.model.steps.data[k];
            assert_int_equal(a->id, b->id);
            assert_int_equal(a->execs.count, b->execs.count);
        }
        loading_release(&plain);
        loading_release(&gathering);
    }
}

TEST(ME_01_the_kth_allocation_fails)
{
    tfp_span trace = read_trace("gen_tf-gpu");
    size_t most, k, taken = 0;
    l.model.gathers = TFP_GATHER_MEMORY;
    l.counts.calls = 0;
    assert_ok(loading_add(&l, NULL, trace));
    most = l.counts.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        restart();
        l.model.gathers = TFP_GATHER_MEMORY;
        l.counts.calls = 0;
        l.counts.fail_at = k;
        if (loading_add(&l, NULL, trace) != TFPROF_ERR_NOMEM)
            fail_msg("k = %zu of %zu: %d", k, most, l.status);
    }
}
