/*
 * sort_test.c - the sort against a slow one, with many equal keys.
 */
#include "counting.h"

#include "base/sort.h"

enum { LARGE = 100000 };

static tfp_sort_item items[LARGE], scratch[LARGE], wanted[LARGE];
static uint32_t weights[LARGE]; /* what ties are broken by */
static size_t tie_calls;

static int by_weight(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *w = context;
    tie_calls++;
    return (w[a] > w[b]) - (w[a] < w[b]);
}

/* For qsort(), which is not stable: `index` counts up with the place. */
static int by_key_and_place(const void *a, const void *b)
{
    const tfp_sort_item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_key_weight_and_place(const void *a, const void *b)
{
    const tfp_sort_item *x = a, *y = b;
    int tie = by_weight(weights, x->index, y->index);
    return x->key == y->key && tie ? tie : by_key_and_place(a, b);
}

static void check_sorted(size_t count, bool with_tie)
{
    memcpy(wanted, items, count * sizeof(*items));
    qsort(wanted, count, sizeof(*wanted),
          with_tie ? by_key_weight_and_place : by_key_and_place);
    tfp_sort(items, count, scratch, with_tie ? by_weight : NULL, weights);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(items[i].key, wanted[i].key);
        assert_int_equal(items[i].index, wanted[i].index);
    }
}

/* Shapes of input: random keys of that many values, then with order in it. */
static void fill(size_t count, uint64_t values, int shape, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t key = (counting_random(random) >> 20) % values;
        switch (shape) {
        case 1: key = i; break;
        case 2: key = count - i; break;
        case 3: key = i / values; break;           /* rising, with equals */
        case 4: key = (count - i) / values; break; /* falling, with equals */
        case 5: key = i % (values + 3); break;     /* many short runs */
        case 6: key = i % 97 == 0 ? key : i; break;
        case 7: key = i < count / 3 ? i : count - i; break;
        default: break;
        }
        items[i] = (tfp_sort_item){ key, (uint32_t)i };
        weights[i] = (uint32_t)(counting_random(random) >> 40) % 3;
    }
}

TEST(equal_keys_keep_their_order_at_every_size)
{
    static const uint64_t values[] = { 1, 2, 5, 50, UINT64_MAX };
    uint64_t random = 1;
    for (size_t count = 0; count <= 200; count++) {
        for (size_t v = 0; v < 5; v++) {
            for (int shape = 0; shape < 8; shape++) {
                fill(count, values[v], shape, &random);
                check_sorted(count, false);
                fill(count, values[v], shape, &random);
                check_sorted(count, true);
            }
        }
    }
}

TEST(a_hundred_thousand_items_of_every_shape)
{
    static const uint64_t values[] = { 1, 3, 1000, UINT64_MAX };
    uint64_t random = 2;
    for (size_t v = 0; v < 4; v++) {
        for (int shape = 0; shape < 8; shape++) {
            fill(LARGE, values[v], shape, &random);
            check_sorted(LARGE, shape % 2 == 0);
        }
    }
}

/* Runs of such lengths make a merge sort with a careless rule go wrong. */
TEST(runs_of_uneven_lengths_are_joined)
{
    uint64_t random = 3;
    for (int round = 0; round < 200; round++) {
        size_t count = 0;
        while (count < 20000) {
            size_t run = 1 +
                         (counting_random(&random) >> 40) %
                             ((size_t)1 << (counting_random(&random) >> 60));
            for (size_t i = 0; i < run; i++, count++) {
                items[count] = (tfp_sort_item){ i / 3, (uint32_t)count };
                weights[count] = (uint32_t)(count % 2);
            }
        }
        check_sorted(count, round % 2 == 0);
    }
}

TEST(order_that_is_there_costs_one_pass)
{
    for (size_t i = 0; i < LARGE; i++) {
        items[i] = (tfp_sort_item){ 7, (uint32_t)i };
        weights[i] = (uint32_t)i;
    }
    tie_calls = 0;
    tfp_sort(items, LARGE, NULL, by_weight, weights);
    assert_int_equal(tie_calls, LARGE - 1);
    for (size_t i = 0; i < LARGE; i++)
        weights[i] = (uint32_t)(LARGE - i);
    tie_calls = 0;
    tfp_sort(items, LARGE, NULL, by_weight, weights); /* only turned round */
    assert_int_equal(tie_calls, LARGE - 1);
    for (size_t i = 0; i < LARGE; i++)
        assert_int_equal(items[i].index, LARGE - 1 - i);
}

TEST(the_worst_case_is_n_log_n)
{
    uint64_t random = 4;
    fill(LARGE, 1, 0, &random);
    for (size_t i = 0; i < LARGE; i++)
        weights[i] = (uint32_t)(counting_random(&random) >> 32);
    tie_calls = 0;
    tfp_sort(items, LARGE, scratch, by_weight, weights);
    assert_in_range(tie_calls, LARGE, 20 * LARGE); /* log2 is 16.6 */
}

/* A tie rule that contradicts itself may order as it likes, but not lose. */
static int capricious(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return (int)((a * 2654435761u ^ b * 40503u) >> 13 & 3) - 1;
}

TEST(a_tie_rule_that_contradicts_itself_loses_nothing)
{
    uint64_t random = 5, sum = 0;
    fill(LARGE, 4, 0, &random);
    tfp_sort(items, LARGE, scratch, capricious, NULL);
    memset(weights, 0, sizeof(weights));
    for (size_t i = 0; i < LARGE; i++)
        sum += weights[items[i].index]++;
    assert_int_equal(sum, 0);
    for (size_t i = 1; i < LARGE; i++)
        assert_true(items[i - 1].key <= items[i].key);
}

TEST(OU_15_falling_keys_order_all_signed_numbers)
{
    static const int64_t falling[] = {
        INT64_MAX, INT64_MAX - 1, 1000,          1,        0,
        -1,        -1000,         INT64_MIN + 1, INT64_MIN
    };
    enum { COUNT = COUNT(falling) };
    for (size_t i = 0; i < COUNT; i++) {
        size_t other = (i * 5 + 3) % COUNT;
        items[i].key = tfp_sort_key_falling(falling[other]);
        items[i].index = (uint32_t)other;
    }
    tfp_sort(items, COUNT, scratch, NULL, NULL);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(items[i].index, i);
    assert_int_equal(tfp_sort_key_falling(INT64_MAX), 0);
    assert_int_equal(tfp_sort_key_falling(INT64_MIN), UINT64_MAX);
}

/* ---- Cancelling --------------------------------------------------------- */

typedef struct asks {
    size_t count, cancel_at;
} asks;

static int ask(void *context)
{
    asks *a = context;
    return ++a->count == a->cancel_at;
}

/* All items are still there, and it is asked no more. */
static void check_cancelled(size_t cancel_at, uint64_t *random)
{
    asks a = { .cancel_at = cancel_at };
    const tfp_cancel cancel = { ask, &a };
    fill(LARGE, 1000, 0, random);
    assert_false(
        tfp_sort_until(items, LARGE, scratch, by_weight, weights, &cancel));
    assert_int_equal(a.count, cancel_at);
    memset(scratch, 0, sizeof(scratch));
    for (size_t i = 0; i < LARGE; i++)
        scratch[items[i].index].key++;
    for (size_t i = 0; i < LARGE; i++)
        assert_int_equal(scratch[i].key, 1);
}

TEST(OP_05_a_sort_ends_at_any_ask_and_loses_nothing)
{
    uint64_t random = counting_seed();
    asks quiet = { 0 };
    const tfp_cancel cancel = { ask, &quiet };
    fill(LARGE, 1000, 0, &random);
    assert_true(tfp_sort_until(items, LARGE, scratch, NULL, NULL, &cancel));
    assert_true(quiet.count > 20);
    for (size_t n = 1; n <= quiet.count; n++)
        check_cancelled(n, &random);
}
