/*
 * memory_test.c - counted memory, arenas, growing columns, and arithmetic
 * that stops at the ends of its range.
 */
#include "counting.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "base/memory.h"

/* ---- Memory ------------------------------------------------------------- */

TEST(what_is_held_and_its_peak_are_counted)
{
    counting counts = { 0 };
    tfp_memory memory;
    void *a, *b;
    tfp_memory_init(&memory, counting_resize, &counts);
    a = tfp_memory_alloc(&memory, 100);
    b = tfp_memory_alloc(&memory, 50);
    assert_int_equal(memory.held, 150);
    a = tfp_memory_resize(&memory, a, 300);
    assert_int_equal(memory.held, 350);
    tfp_memory_free(&memory, a);
    tfp_memory_free(&memory, NULL);
    assert_int_equal(memory.held, 50);
    assert_int_equal(memory.peak, 350);
    tfp_memory_free(&memory, b);
    assert_int_equal(memory.held, 0);
    counting_check(&counts);
}

TEST(the_limit_is_met_exactly_and_not_passed)
{
    counting counts = { 0 };
    tfp_memory memory;
    uint8_t *a;
    tfp_memory_init(&memory, counting_resize, &counts);
    memory.limit = 100;
    assert_null(tfp_memory_alloc(&memory, 101));
    assert_true(memory.limit_reached);
    memory.limit_reached = false;
    a = tfp_memory_alloc(&memory, 99);
    assert_non_null(a);
    a[98] = 7;
    a = tfp_memory_resize(&memory, a, 100);
    assert_non_null(a);
    assert_int_equal(a[98], 7);
    assert_false(memory.limit_reached);
    assert_null(tfp_memory_alloc(&memory, 1));
    assert_null(tfp_memory_resize(&memory, a, 101));
    assert_true(memory.limit_reached);
    assert_int_equal(a[98], 7);        /* the old block is still there */
    assert_int_equal(counts.calls, 2); /* the allocator was not asked */
    tfp_memory_free(&memory, a);
    counting_check(&counts);
}

TEST(sizes_near_the_end_of_the_range_do_not_wrap)
{
    tfp_memory memory;
    tfp_arena arena;
    TFP_VEC(uint64_t) vec = { 0 };
    void *block;
    tfp_memory_init(&memory, NULL, NULL);
    memory.limit = (size_t)1 << 30;
    block = tfp_memory_alloc(&memory, 16);
    assert_null(tfp_memory_alloc(&memory, SIZE_MAX));
    assert_null(tfp_memory_alloc(&memory, SIZE_MAX - 8));
    tfp_arena_init(&arena, &memory);
    assert_null(tfp_arena_alloc(&arena, SIZE_MAX, 8));
    assert_null(tfp_arena_alloc(&arena, SIZE_MAX - 8, 8));
    assert_null(tfp_arena_alloc(&arena, SIZE_MAX - 24, 8));
    assert_false(TFP_VEC_RESERVE(&memory, &vec, SIZE_MAX));
    assert_false(TFP_VEC_RESERVE(&memory, &vec, SIZE_MAX / 8 + 1));
    assert_null(vec.data);
    assert_int_equal(memory.held, 16);
    tfp_memory_free(&memory, block);
}

TEST(arrays_are_counted_zeroed_and_never_wrap)
{
    counting counts = { 0 };
    tfp_memory memory;
    uint32_t *a;
    void *none;
    tfp_memory_init(&memory, counting_resize, &counts);
    a = tfp_memory_array(&memory, 3, sizeof(*a));
    assert_int_equal(memory.held, 12);
    assert_int_equal(tfp_memory_size_of(a), 12);
    tfp_memory_free(&memory, a);
    a = tfp_memory_zarray(&memory, 4, sizeof(*a));
    assert_int_equal(a[0] | a[3], 0);
    none = tfp_memory_zalloc(&memory, 0);
    assert_non_null(none);
    assert_null(tfp_memory_array(&memory, SIZE_MAX / 2, 4));
    assert_null(tfp_memory_zarray(&memory, 4, SIZE_MAX / 2));
    tfp_memory_free(&memory, a);
    tfp_memory_free(&memory, none);
    assert_int_equal(memory.held, 0);
    counting_check(&counts);
}

TEST(a_refusal_of_the_allocator_is_not_the_limit)
{
    counting counts = { .fail_at = 1 };
    tfp_memory memory;
    tfp_memory_init(&memory, counting_resize, &counts);
    assert_null(tfp_memory_alloc(&memory, 10));
    assert_false(memory.limit_reached);
    assert_int_equal(memory.held, 0);
    assert_int_equal(memory.peak, 0);
}

/* ---- Arena -------------------------------------------------------------- */

TEST(an_arena_aligns_and_keeps_what_it_gave)
{
    counting counts = { 0 };
    tfp_memory memory;
    tfp_arena arena;
    uint8_t *given[500];
    tfp_memory_init(&memory, counting_resize, &counts);
    tfp_arena_init(&arena, &memory);
    for (size_t i = 0; i < 500; i++) {
        size_t align = (size_t)1 << i % 5;
        given[i] = tfp_arena_alloc(&arena, i, align);
        assert_non_null(given[i]);
        assert_int_equal((uintptr_t)given[i] % align, 0);
        memset(given[i], (int)(i & 0xff), i);
    }
    for (size_t i = 0; i < 500; i++) {
        for (size_t k = 0; k < i; k++)
            assert_int_equal(given[i][k], i & 0xff);
    }
    assert_int_equal(tfp_arena_held(&arena), memory.held);
    tfp_arena_release(&arena);
    assert_int_equal(tfp_arena_held(&arena), 0);
    assert_non_null(tfp_arena_alloc(&arena, 1, 1)); /* usable again */
    tfp_arena_release(&arena);
    counting_check(&counts);
}

TEST(a_large_thing_gets_a_chunk_of_its_own)
{
    counting counts = { 0 };
    tfp_memory memory;
    tfp_arena arena;
    uint8_t *large;
    tfp_memory_init(&memory, counting_resize, &counts);
    tfp_arena_init(&arena, &memory);
    assert_non_null(tfp_arena_alloc(&arena, 10, 1));
    large = tfp_arena_alloc(&arena, 5000000, 8);
    assert_non_null(large);
    memset(large, 1, 5000000);
    assert_in_range(memory.held, 5000000, 5010000);
    tfp_arena_release(&arena);
    counting_check(&counts);
}

TEST(many_small_things_waste_little)
{
    counting counts = { 0 };
    tfp_memory memory;
    tfp_arena arena;
    tfp_memory_init(&memory, counting_resize, &counts);
    tfp_arena_init(&arena, &memory);
    for (size_t i = 0; i < 1000000; i++)
        assert_non_null(tfp_arena_alloc(&arena, 16, 8));
    assert_in_range(memory.held, 16000000, 17500000);
    assert_in_range(counts.calls, 1, 40);
    tfp_arena_release(&arena);
    counting_check(&counts);
}

/* ---- Vectors ------------------------------------------------------------ */

TEST(ME_03_a_vector_that_cannot_grow_is_as_it_was)
{
    counting counts = { .fail_at = 2, .growths_only = true };
    tfp_memory memory;
    TFP_VEC(uint32_t) vec = { 0 };
    uint32_t pushed = 0;
    size_t room;
    tfp_memory_init(&memory, counting_resize, &counts);
    while (TFP_VEC_PUSH(&memory, &vec, pushed))
        pushed++;
    assert_int_equal(counts.refused, 1);
    assert_int_equal(vec.count, pushed);
    room = vec.capacity;
    assert_int_equal(room, pushed);
    assert_int_equal(memory.held, room * sizeof(uint32_t));
    for (uint32_t i = 0; i < pushed; i++)
        assert_int_equal(vec.data[i], i);
    assert_true(TFP_VEC_PUSH(&memory, &vec, 77)); /* the next time it can */
    assert_int_equal(vec.data[pushed], 77);
    assert_int_equal(vec.data[0], 0);
    TFP_VEC_RELEASE(&memory, &vec);
    counting_check(&counts);
}

TEST(a_set_of_bits_tells_what_is_new)
{
    counting counts = { 0 };
    tfp_memory memory;
    tfp_bits bits = { 0 };
    static const uint32_t numbers[] = { 0, 63, 64, 5, 100000, 1 };
    bool fresh;
    tfp_memory_init(&memory, counting_resize, &counts);
    for (int again = 0; again < 2; again++) {
        EACH(row, numbers) {
            assert_true(tfp_bits_add(&bits, &memory, *row, &fresh));
            assert_int_equal(fresh, !again);
        }
    }
    TFP_VEC_RELEASE(&memory, &bits);
    counting_check(&counts);
}

/* ---- Arithmetic --------------------------------------------------------- */

typedef struct sum {
    int64_t a, b, plus, minus, times;
} sum;

TEST(sums_and_products_stop_at_the_ends)
{
    static const sum table[] = {
        { 2, 3, 5, -1, 6 },
        { -2, 3, 1, -5, -6 },
        { INT64_MAX, 0, INT64_MAX, INT64_MAX, 0 },
        { INT64_MAX, 1, INT64_MAX, INT64_MAX - 1, INT64_MAX },
        { INT64_MAX, INT64_MAX, INT64_MAX, 0, INT64_MAX },
        { INT64_MAX, -1, INT64_MAX - 1, INT64_MAX, -INT64_MAX },
        { INT64_MIN, -1, INT64_MIN, INT64_MIN + 1, INT64_MAX },
        { INT64_MIN, 1, INT64_MIN + 1, INT64_MIN, INT64_MIN },
        { INT64_MIN, INT64_MIN, INT64_MIN, 0, INT64_MAX },
        { 0, INT64_MIN, INT64_MIN, INT64_MAX, 0 },
        { INT64_MAX, INT64_MIN, -1, INT64_MAX, INT64_MIN },
        { (int64_t)1 << 32, (int64_t)1 << 32, (int64_t)1 << 33, 0, INT64_MAX },
        { -((int64_t)1 << 32), (int64_t)1 << 32, 0, -((int64_t)1 << 33),
          INT64_MIN },
    };
    EACH(s, table) {
        assert_int_equal(tfp_add_sat(s->a, s->b), s->plus);
        assert_int_equal(tfp_sub_sat(s->a, s->b), s->minus);
        assert_int_equal(tfp_mul_sat(s->a, s->b), s->times);
    }
}

TEST(sizes_that_do_not_fit_are_refused)
{
    size_t out;
    assert_true(tfp_add_size(SIZE_MAX - 1, 1, &out));
    assert_int_equal(out, SIZE_MAX);
    assert_false(tfp_add_size(SIZE_MAX, 1, &out));
    assert_true(tfp_mul_size(SIZE_MAX / 2, 2, &out));
    assert_false(tfp_mul_size(SIZE_MAX / 2 + 1, 2, &out));
}

TEST(spans_compare_by_their_bytes)
{
    static const uint8_t nul[] = { 'a', 0, 'b' };
    tfp_span a = { nul, 3 }, none = { NULL, 0 };
    assert_true(tfp_span_equal(a, a));
    assert_true(tfp_span_equal(none, (tfp_span){ nul, 0 }));
    assert_false(tfp_span_is(a, "a")); /* not cut at the NUL */
    assert_true(tfp_span_starts(a, "a"));
    assert_true(tfp_span_ends(a, "b"));
    assert_true(tfp_span_ends(a, ""));
    assert_false(tfp_span_starts(none, "a"));
    assert_false(tfp_span_ends((tfp_span){ nul, 1 }, "xa"));
}
