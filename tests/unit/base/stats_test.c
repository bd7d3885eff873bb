/*
 * stats_test.c - statistics at their edges: empty and equal samples, values
 * that are not numbers, sizes at which a rule changes, and failing allocations.
 *
 * tests/cli/diff/test_stats.py compares ordinary samples with SciPy.
 */
#include "counting.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "stats/holm.h"
#include "stats/median.h"
#include "stats/rank.h"
#include "stats/sample.h"
#include "stats/shift.h"

enum { LARGE = 10000 };

static counting counts;
static tfp_memory memory;
static tfprof_error err;

static void begin(void)
{
    counts = (counting){ 0 };
    err = (tfprof_error){ 0 };
    tfp_memory_init(&memory, counting_resize, &counts);
}

static tfp_rank_result rank(const double *a, size_t m, const double *b,
                            size_t n)
{
    tfp_rank_result result = { 0 };
    begin();
    assert_int_equal(tfp_rank_test(a, m, b, n, &memory, &result, &err), 0);
    counting_check(&counts);
    return result;
}

static tfp_interval shift(const double *a, size_t m, const double *b, size_t n,
                          double alpha)
{
    tfp_interval result = { 0 };
    begin();
    assert_int_equal(tfp_shift(a, m, b, n, alpha, &memory, &result, &err), 0);
    counting_check(&counts);
    return result;
}

static tfp_interval median(const double *values, size_t n, double alpha)
{
    tfp_interval result = { 0 };
    begin();
    assert_int_equal(tfp_median(values, n, alpha, &memory, &result, &err), 0);
    counting_check(&counts);
    return result;
}

static void check_number(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted)) && got != wanted)
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* Bit for bit, so that -0 is not 0. */
static void check_same(double got, double wanted)
{
    assert_true(got == wanted);
    assert_int_equal(signbit(got) != 0, signbit(wanted) != 0);
}

/* first, first + step, ... */
static const double *ladder(double *out, size_t n, double first, double step)
{
    for (size_t i = 0; i < n; i++)
        out[i] = first + step * (double)i;
    return out;
}

/* ---- Rank test ---------------------------------------------------------- */

TEST(an_empty_sample_has_p_1)
{
    static const double some[] = { 1, 2, 2 };
    static double many[100];
    assert_true(rank(NULL, 0, NULL, 0).p == 1);
    assert_true(rank(some, 3, NULL, 0).p == 1);
    assert_true(rank(NULL, 0, some, 3).p == 1);
    assert_true(rank(some, 2, NULL, 0).p == 1);
    assert_true(rank(many, 100, NULL, 0).p == 1);
    assert_true(rank(NULL, 0, many, 100).p == 1);
}

TEST(equal_values_have_p_1)
{
    static double zeros[LARGE];
    for (size_t m = 1; m <= 60; m++) {
        tfp_rank_result r = rank(zeros, m, zeros, 61 - m);
        assert_true(r.p == 1);
        assert_false(r.exact);
        check_number(r.u, (double)(m * (61 - m)) / 2);
        assert_true(rank(zeros, m, zeros, 3).p == 1);
    }
    assert_true(rank(zeros, LARGE, zeros, LARGE).p == 1);
}

TEST(separate_samples_have_the_smallest_p)
{
    static double a[60], b[60];
    for (size_t m = 1; m <= 60; m++) {
        for (size_t n = 1; n <= 60; n++) {
            double smallest = tfp_rank_smallest_p(m, n);
            tfp_rank_result r;
            ladder(a, m, 0, 1);
            ladder(b, n, 1000, 1);
            r = rank(a, m, b, n);
            assert_true(r.u == 0);
            assert_true(r.p == smallest);
            assert_int_equal(r.exact, m + n <= 50);
            r = rank(b, n, a, m);
            assert_true(r.u == (double)(m * n));
            assert_true(r.p == smallest);
        }
    }
}

/* C(50, 25) = 126410606437752. */
TEST(fifty_values_are_counted_exactly)
{
    static double a[25], b[25];
    tfp_rank_result r;
    ladder(a, 25, 0, 1);
    ladder(b, 25, 1000, 1);
    assert_true(rank(a, 25, b, 25).p == 2 / 126410606437752.0);
    /* One pair of equal values in a changes no rank sum of b that small. */
    a[1] = a[0];
    r = rank(a, 25, b, 25);
    assert_true(r.exact);
    assert_true(r.p == 2 / 126410606437752.0);
    /* 25 pairs, one of each sample: U is at its mean. */
    ladder(b, 25, 0, 1);
    ladder(a, 25, 0, 1);
    assert_true(rank(a, 25, b, 25).p == 1);
}

TEST(ties_are_counted_as_by_hand)
{
    /* Ranks 1.5 1.5 3 4: of 6 pairs, {1, 1} and {1, 2} twice are at most 4.5.
     */
    static const double a[] = { 1, 2 }, b[] = { 1, 3 };
    static const double c[] = { 1, 1 }, d[] = { 2, 3 }, e[] = { 4, 5, 6, 6 };
    tfp_rank_result r = rank(a, 2, b, 2);
    assert_true(r.u == 1.5);
    check_number(r.p, 1);
    r = rank(c, 2, d, 2);
    assert_true(r.u == 0);
    check_number(r.p, 2.0 / 6);
    r = rank(d, 2, c, 2);
    assert_true(r.u == 4);
    check_number(r.p, 2.0 / 6);
    /* One value below 4: one of 5 assignments, whichever sample comes first,
     * though no value alone can be above all others. */
    r = rank(e, 4, d + 1, 1);
    assert_true(r.u == 4);
    check_number(r.p, 2.0 / 5);
    r = rank(d + 1, 1, e, 4);
    assert_true(r.u == 0);
    check_number(r.p, 2.0 / 5);
}

TEST(signs_of_zero_and_infinities_are_ordinary_values)
{
    static const double zeros[] = { -0.0, 0.0, -0.0 };
    static const double others[] = { 0.0, -0.0 };
    static const double low[] = { -INFINITY, -INFINITY, -5 };
    static const double high[] = { INFINITY, 7, INFINITY };
    assert_true(rank(zeros, 3, others, 2).u == 3);
    assert_true(rank(zeros, 3, others, 2).p == 1);
    assert_true(rank(low, 3, high, 3).u == 0);
    check_number(rank(low, 3, high, 3).p, 0.1);
    assert_true(rank(high, 3, high, 3).p == 1);
}

/* ---- Values that are refused -------------------------------------------- */

static void check_refused(const double *values, size_t count, int rank_code,
                          int code, const char *message)
{
    tfp_rank_result result;
    tfp_interval interval;
    const double one = 1;
    int got;
    begin();
    got = tfp_rank_test(values, count, &one, 1, &memory, &result, &err);
    assert_int_equal(got, rank_code);
    assert_int_equal(
        tfp_rank_test(&one, 1, values, count, &memory, &result, &err),
        rank_code);
    if (rank_code != TFPROF_OK)
        assert_string_equal(err.message, message);
    err = (tfprof_error){ 0 };
    got = tfp_shift(values, count, &one, 1, 0.1, &memory, &interval, &err);
    assert_int_equal(got, code);
    assert_int_equal(err.code, code);
    assert_string_equal(err.message, message);
    assert_int_equal(
        tfp_shift(&one, 1, values, count, 0.1, &memory, &interval, NULL), code);
    err = (tfprof_error){ 0 };
    assert_int_equal(tfp_median(values, count, 0.1, &memory, &interval, &err),
                     code);
    assert_string_equal(err.message, message);
    counting_check(&counts);
}

TEST(values_that_cannot_be_compared_are_refused)
{
    static const double not_a_number[] = { 1, NAN, 2 };
    static const double infinite[] = { 1, 2, -INFINITY };
    static const double large[] = { DBL_MAX };
    static double many[TFP_SAMPLE_MOST + 1];
    check_refused(not_a_number, 3, TFPROF_ERR_MALFORMED, TFPROF_ERR_MALFORMED,
                  "value 2 of a sample is not a number");
    check_refused(infinite, 3, 0, TFPROF_ERR_MALFORMED,
                  "value 3 of a sample is too large");
    check_refused(large, 1, 0, TFPROF_ERR_MALFORMED,
                  "value 1 of a sample is too large");
    check_refused(many, TFP_SAMPLE_MOST + 1, TFPROF_ERR_LIMIT, TFPROF_ERR_LIMIT,
                  "a sample has more than 131072 values");
}

/* ---- Shift -------------------------------------------------------------- */

TEST(the_shift_is_the_median_of_all_differences)
{
    static const double a[] = { 3, 1 }, b[] = { 10, 2, 5 };
    /* -1 1 2 4 7 9 */
    tfp_interval s = shift(a, 2, b, 3, 0.05);
    assert_int_equal(s.count, 6);
    check_same(s.estimate, 3);
    assert_false(s.known);
    assert_true(s.level == 0 && s.low == 0 && s.high == 0);
    assert_true(isinf(tfp_shift_smallest(&s)));
    s = shift(a, 2, b, 3, 0.2); /* 2 / C(5, 2) */
    assert_true(s.known);
    check_same(s.low, -1);
    check_same(s.high, 9);
    check_number(s.level, 0.8);
    check_number(tfp_shift_smallest(&s), 6);
    s = shift(a, 1, b, 3, 0.2); /* odd: -1 2 7 */
    check_same(s.estimate, 2);
}

TEST(an_empty_sample_has_no_shift)
{
    static const double some[] = { 1, 2, 3 };
    assert_int_equal(shift(some, 3, NULL, 0, 0.05).count, 0);
    assert_int_equal(shift(NULL, 0, some, 3, 0.05).count, 0);
    assert_false(shift(NULL, 0, NULL, 0, 0.05).known);
    check_same(shift(NULL, 0, some, 3, 0.05).estimate, 0);
}

TEST(a_shift_of_nothing_is_positive_zero)
{
    static const double zeros[] = { -0.0, 0.0, -0.0, 0.0 };
    static const double negative[] = { -0.0, -0.0, -0.0, -0.0 };
    static const double positive[] = { 0.0, 0.0, 0.0, 0.0 };
    tfp_interval s = shift(zeros, 4, zeros, 4, 0.05);
    check_same(s.estimate, 0);
    check_same(s.low, 0);
    check_same(s.high, 0);
    s = shift(positive, 4, negative, 4, 0.05);
    check_same(s.estimate, 0);
    check_same(s.low, 0);
    s = shift(negative, 4, positive, 4, 0.05);
    check_same(s.high, 0);
}

TEST(the_largest_values_do_not_overflow)
{
    static const double low[] = { -DBL_MAX / 2, -DBL_MAX / 2 };
    static const double high[] = { DBL_MAX / 2, DBL_MAX / 2 };
    static const double small[] = { 0, 5e-324 };
    check_same(shift(low, 2, high, 2, 0.5).estimate, DBL_MAX);
    check_same(shift(high, 2, low, 2, 0.5).estimate, -DBL_MAX);
    check_same(median(high, 2, 0.5).estimate, DBL_MAX / 2);
    check_same(shift(small, 1, small + 1, 1, 0.5).estimate, 5e-324);
    check_same(shift(small + 1, 1, small, 1, 0.5).estimate, -5e-324);
}

/* 10^8 differences: sorted copies are stored, differences are not. */
TEST(large_samples_take_little_memory)
{
    static double a[LARGE], b[LARGE];
    tfp_interval s = shift(ladder(a, LARGE, 0, 1), LARGE,
                           ladder(b, LARGE, 7.25, 1), LARGE, 0.01);
    check_same(s.estimate, 7.25);
    assert_int_equal(s.count, (uint64_t)LARGE * LARGE);
    assert_true(s.known);
    /* Symmetric around the shift, and a few per cent of the range wide. */
    check_number(s.high - 7.25, 7.25 - s.low);
    assert_true(s.high > 7.25 && s.high < 7.25 + 500);
    assert_in_range(counts.peak, 1, 50 * LARGE);
}

/* The part of all differences that an interval leaves out at each end. */
static double cut_part(size_t m, size_t n, double alpha)
{
    double p, part = (double)tfp_rank_cut(m, n, alpha, &p);
    assert_true(p <= alpha && p > 0.9 * alpha);
    return part / (double)(m * n);
}

TEST(the_approximation_continues_the_exact_interval)
{
    static const double alphas[] = { 0.01, 0.05, 0.2 };
    EACH(row, alphas) {
        double exact = cut_part(25, 25, *row);
        double normal = cut_part(26, 26, *row);
        assert_true(exact < normal && normal < 1.05 * exact);
        assert_true(cut_part(10, 40, *row) < cut_part(11, 40, *row));
    }
}

/* The interval excludes 0 exactly if the test is significant. */
TEST(interval_and_test_agree)
{
    static const double alphas[] = { 0.01, 0.05, 0.2, 0.5, 0.9 };
    uint64_t random = counting_seed();
    double a[40], b[40];
    size_t significant = 0, all = 0;
    for (int round = 0; round < 2000; round++) {
        size_t m = 1 + (size_t)(counting_random(&random) >> 33) % 40;
        size_t n = 1 + (size_t)(counting_random(&random) >> 33) % 40;
        double by = (double)(counting_random(&random) >> 12) * 0x1p-53;
        for (size_t i = 0; i < m; i++)
            a[i] = (double)(counting_random(&random) >> 12) * 0x1p-52;
        for (size_t i = 0; i < n; i++)
            b[i] = by + (double)(counting_random(&random) >> 12) * 0x1p-52;
        for (size_t i = 0; i < COUNT(alphas); i++, all++) {
            tfp_interval s = shift(a, m, b, n, alphas[i]);
            bool excludes = s.known && (s.low > 0 || s.high < 0);
            assert_int_equal(excludes, rank(a, m, b, n).p <= alphas[i]);
            assert_int_equal(s.known, tfp_rank_smallest_p(m, n) <= alphas[i]);
            assert_int_equal(s.known,
                             tfp_rank_values_needed(m, n, alphas[i], 1) == 0);
            assert_true(!s.known ||
                        (s.low <= s.estimate && s.estimate <= s.high));
            assert_true(!s.known || s.level >= 1 - alphas[i] - 1e-15);
            significant += excludes;
        }
    }
    assert_in_range(significant, all / 10, all - all / 10);
}

/* ---- Median ------------------------------------------------------------- */

TEST(eight_values_have_an_interval_at_99_percent)
{
    static const double v[] = { 8, 1, 7, 2, 6, 3, 5, 4 };
    tfp_interval m = median(v, 8, 0.01);
    check_same(m.estimate, 4.5);
    assert_true(m.known);
    check_same(m.low, 1);
    check_same(m.high, 8);
    assert_true(m.level == 1 - 2 / 256.0);
    assert_true(median(v, 8, 2 / 256.0).known);
    assert_false(median(v, 8, nextafter(2 / 256.0, 0)).known);
    for (size_t n = 1; n < 8; n++)
        assert_false(median(v, n, 0.01).known);
    assert_int_equal(tfp_median_values_needed(0.01), 8);
    assert_int_equal(tfp_median_values_needed(0.05), 6);
    assert_int_equal(tfp_median_values_needed(0.5), 2);
    assert_int_equal(tfp_median_values_needed(0.9), 2);
    assert_int_equal(tfp_median_values_needed(DBL_TRUE_MIN), 1075);
}

TEST(medians_of_few_values)
{
    static const double v[] = { 3, -1, 2 };
    assert_int_equal(median(v, 0, 0.05).count, 0);
    check_same(median(v, 0, 0.05).estimate, 0);
    check_same(median(v, 1, 0.05).estimate, 3);
    check_same(median(v, 2, 0.05).estimate, 1);
    check_same(median(v, 3, 0.05).estimate, 2);
    assert_false(median(v, 1, 0.99).known);
    assert_true(median(v, 2, 0.5).known);
}

/* C(n, k) and 2^n are far more than a double holds. The interval has a normal
 * width: 2.576 / 2 * sqrt(n) ranks to each side. */
TEST(medians_of_many_values_have_intervals)
{
    static double v[TFP_SAMPLE_MOST];
    tfp_interval m = median(ladder(v, LARGE, 1, 1), LARGE, 0.01);
    check_same(m.estimate, 5000.5);
    check_same(m.low, 4871);
    check_same(m.high, 5130);
    assert_true(m.level >= 0.99 && m.level < 0.991);
    m = median(ladder(v, TFP_SAMPLE_MOST, 1, 1), TFP_SAMPLE_MOST, 0.01);
    assert_true(fabs(m.estimate - m.low - 2.5758293 * 181) < 2);
    assert_true(m.level >= 0.99 && m.level < 0.9902);
}

/* ---- What sizes can show ------------------------------------------------ */

TEST(small_samples_cannot_be_significant)
{
    assert_true(tfp_rank_smallest_p(0, 0) == 1);
    assert_true(tfp_rank_smallest_p(0, 7) == 1);
    assert_true(tfp_rank_smallest_p(100, 0) == 1);
    assert_true(tfp_rank_smallest_p(1, 1) == 1);
    check_number(tfp_rank_smallest_p(3, 3), 0.1);
    check_number(tfp_rank_smallest_p(4, 4), 2.0 / 70);
    check_number(tfp_rank_smallest_p(5, 1), 2.0 / 6);
    assert_true(tfp_rank_smallest_p(5000, 5000) == 0);
    assert_int_equal(tfp_rank_values_needed(3, 3, 0.05, 1), 1);
    assert_int_equal(tfp_rank_values_needed(4, 4, 0.05, 1), 0);
    assert_int_equal(tfp_rank_values_needed(4, 4, 0.05, 0), 0);
    assert_int_equal(tfp_rank_values_needed(0, 0, 0.05, 1), 4);
    assert_int_equal(tfp_rank_values_needed(5, 1, 0.05, 1), 2);
    assert_int_equal(tfp_rank_values_needed(5, 5, 0.05, 100), 3);
    /* 2 / C(4, 2) is 1/3, and a p equal to alpha is significant. */
    assert_int_equal(tfp_rank_values_needed(1, 1, 2.0 / 6, 1), 1);
    assert_in_range(tfp_rank_values_needed(1, 1, DBL_TRUE_MIN, 1), 100, 1000);
    assert_in_range(tfp_rank_values_needed(1, 1, DBL_TRUE_MIN, SIZE_MAX), 100,
                    1000);
}

/* ---- Holm --------------------------------------------------------------- */

TEST(holm_corrects_in_place)
{
    double p[] = { 0.04, 0.01, 0.03, 0.6, 0.01, 0 };
    static const double wanted[] = { 0.09, 0.05, 0.09, 0.6, 0.05, 0 };
    begin();
    assert_int_equal(tfp_holm(p, 6, &memory, p, &err), 0);
    for (size_t i = 0; i < 6; i++)
        check_number(p[i], wanted[i]);
    p[0] = 0.7;
    p[1] = 0.8;
    assert_int_equal(tfp_holm(p, 2, &memory, p, &err), 0);
    assert_true(p[0] == 1 && p[1] == 1);
    p[0] = 0.5;
    assert_int_equal(tfp_holm(p, 1, &memory, p, &err), 0);
    assert_true(p[0] == 0.5);
    assert_int_equal(tfp_holm(NULL, 0, &memory, NULL, &err), 0);
    counting_check(&counts);
}

/* ---- Keys --------------------------------------------------------------- */

TEST(keys_sort_doubles)
{
    static const double rising[] = { -INFINITY, -DBL_MAX, -1.5,    -5e-324,
                                     -0.0,      0.0,      5e-324,  1,
                                     1.5,       DBL_MAX,  INFINITY };
    for (size_t i = 0; i < COUNT(rising); i++) {
        check_same(tfp_sample_of_key(tfp_sample_key(rising[i])), rising[i]);
        if (i > 0)
            assert_true(tfp_sample_key(rising[i - 1]) <
                        tfp_sample_key(rising[i]));
    }
}

/* ---- Failing allocations ------------------------------------------------ */

static int ask_rank(void)
{
    static const double a[] = { 1, 2, 2, 3 }, b[] = { 2, 4, 5, 6 };
    tfp_rank_result result;
    return tfp_rank_test(a, 4, b, 4, &memory, &result, &err);
}

static int ask_shift(void)
{
    static const double a[] = { 1, 2, 2, 3 }, b[] = { 2, 4, 5, 6 };
    tfp_interval result;
    return tfp_shift(a, 4, b, 4, 0.05, &memory, &result, &err);
}

static int ask_median(void)
{
    static const double a[] = { 1, 2, 2, 3 };
    tfp_interval result;
    return tfp_median(a, 4, 0.05, &memory, &result, &err);
}

static int ask_holm(void)
{
    static const double p[] = { 0.1, 0.2 };
    double out[2];
    return tfp_holm(p, 2, &memory, out, &err);
}

TEST(each_allocation_may_fail)
{
    static const struct {
        int (*ask)(void);
        size_t calls;
    } rows[] = {
        { ask_rank, 5 },
        { ask_shift, 4 },
        { ask_median, 2 },
        { ask_holm, 1 },
    };
    EACH(row, rows) {
        begin();
        assert_int_equal(row->ask(), 0);
        assert_int_equal(counts.calls, row->calls);
        for (size_t k = 1; k <= row->calls; k++) {
            begin();
            counts.fail_at = k;
            assert_int_equal(row->ask(), TFPROF_ERR_NOMEM);
            assert_int_equal(err.code, TFPROF_ERR_NOMEM);
            assert_int_equal(counts.refused, 1);
            counting_check(&counts);
        }
    }
}
