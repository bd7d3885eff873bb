/*
 * verdict_test.c - do budgets hold?
 */
#include "counting.h"

#include <math.h>

#include "budget/baseline.h"
#include "budget/budgets.h"
#include "budget/limit.h"
#include "budget/verdict.h"
#include "stats/rank.h"

static counting counts;
static tfp_memory memory;
static tfprof_error err;

enum { MOST = 40 };

/* Budgets whose values and baselines are given as arrays. */
typedef struct checking {
    tfp_budgets budgets;
    tfp_baseline baseline;
    bool has_baseline;
    tfp_machine here;
    tfp_measured measured[MOST];
    tfp_checked out[MOST];
} checking;

static void checking_init(checking *c)
{
    counts = (counting){ 0 };
    err = (tfprof_error){ 0 };
    tfp_memory_init(&memory, counting_resize, &counts);
    *c = (checking){ .has_baseline = true };
    c->budgets.memory = &memory;
    c->baseline.memory = &memory;
}

static void checking_release(checking *c)
{
    tfp_budgets_release(&c->budgets);
    tfp_baseline_release(&c->baseline);
    counting_check(&counts);
}

FIXTURE(checking, c);

/* A text without sign is a maximum; "min " before it makes it a minimum. */
static tfp_budget *add(int metric, const char *limit, const double *values,
                       size_t runs)
{
    size_t i = c.budgets.all.count;
    tfp_budget b = { .metric = metric };
    bool is_minimum = !strncmp(limit, "min ", 4);
    assert_true(i < MOST);
    assert_null(tfp_limit_parse(tfp_span_of(limit + (is_minimum ? 4 : 0)),
                                tfp_budget_metric_unit(metric),
                                is_minimum ? &b.min : &b.max));
    c.measured[i] = (tfp_measured){ .values = values, .runs = runs };
    assert_true(TFP_VEC_PUSH(&memory, &c.budgets.all, b));
    return &c.budgets.all.data[i];
}

static tfp_baseline_row *add_base(int metric, const double *values, size_t runs)
{
    tfp_baseline_row *row = tfp_baseline_add(&c.baseline, TFP_BUDGET_ALL, NULL,
                                             metric);
    assert_non_null(row);
    row->values = tfp_memory_array(&memory, runs, sizeof(*values));
    assert_non_null(row->values);
    if (runs > 0)
        memcpy(row->values, values, runs * sizeof(*values));
    row->count = runs;
    return row;
}

static const tfp_checked *check(void)
{
    must(tfp_check_budgets(&c.budgets, c.measured,
                           c.has_baseline ? &c.baseline : NULL, &c.here,
                           &memory, c.out, &err),
         &err);
    return c.out;
}

static void expect(const tfp_checked *got, tfp_check_verdict verdict,
                   const char *reason)
{
    if (got->verdict != verdict || strcmp(got->reason, reason) != 0)
        fail_msg("%d (%s), wanted %d (%s)", got->verdict, got->reason, verdict,
                 reason);
    assert_true((got->excess > 0) == (verdict == TFP_CHECK_BROKEN));
}

/* 1000, 1001, ...: differences of single microseconds. */
static const double *near(double *out, size_t n, double first)
{
    for (size_t i = 0; i < n; i++)
        out[i] = first + (double)i;
    return out;
}

/* ---- Exact metrics ------------------------------------------------------ */

typedef struct exact_row {
    const char *limit;
    double and_at_least;
    double value, other; /* of two runs */
    double base;         /* of two runs, the other is 10 less */
    tfp_check_verdict verdict;
    const char *reason;
    double limit_value;
} exact_row;

static const char above[] = "the value is above the limit";
static const char below[] = "the value is below the limit";

/* clang-format off */
static const exact_row exact_rows[] = {
    { "100", 0, 100, 90, 1000, TFP_CHECK_OK, "", 100 },
    { "100", 0, 101, 90, 1000, TFP_CHECK_BROKEN, above, 100 },
    { "100", 0, 90, 101, 1000, TFP_CHECK_BROKEN, above, 100 },
    { "100", 5, 104, 90, 1000, TFP_CHECK_OK, "", 100 },
    { "100", 5, 105, 90, 1000, TFP_CHECK_BROKEN, above, 100 },
    { "min 100", 0, 100, 101, 1000, TFP_CHECK_OK, "", 100 },
    { "min 100", 0, 101, 99, 1000, TFP_CHECK_BROKEN, below, 100 },
    { "min 100", 5, 96, 200, 1000, TFP_CHECK_OK, "", 100 },
    { "min 100", 5, 95, 200, 1000, TFP_CHECK_BROKEN, below, 100 },
    { "+5%", 0, 1050, 3, 1000, TFP_CHECK_OK, "", 1050 },
    { "+5%", 0, 1051, 3, 1000, TFP_CHECK_BROKEN, above, 1050 },
    { "+5%", 60, 1059, 3, 1000, TFP_CHECK_OK, "", 1050 },
    { "+5%", 60, 1060, 3, 1000, TFP_CHECK_BROKEN, above, 1050 },
    { "+0%", 0, 1000, 3, 1000, TFP_CHECK_OK, "", 1000 },
    { "+0%", 0, 1001, 3, 1000, TFP_CHECK_BROKEN, above, 1000 },
    { "+0.7%", 0, 3021, 3, 3000, TFP_CHECK_OK, "", 3021 },
    { "+5%", 0, 0, 0, 0, TFP_CHECK_OK, "", 0 },
    { "+5%", 0, 1, 0, 0, TFP_CHECK_BROKEN, above, 0 },
    { "-5%", 0, 950, 3, 1000, TFP_CHECK_OK, "", 950 },
    { "-5%", 0, 951, 3, 1000, TFP_CHECK_BROKEN, above, 950 },
    { "+7", 0, 1007, 3, 1000, TFP_CHECK_OK, "", 1007 },
    { "+7", 0, 1008, 3, 1000, TFP_CHECK_BROKEN, above, 1007 },
    /* The worst run of the baseline for a minimum is 990. */
    { "min -10%", 0, 891, 5000, 1000, TFP_CHECK_OK, "", 891 },
    { "min -10%", 0, 890, 5000, 1000, TFP_CHECK_BROKEN, below, 891 },
    { "min +1", 0, 991, 5000, 1000, TFP_CHECK_OK, "", 991 },
    { "min +1", 0, 990, 5000, 1000, TFP_CHECK_BROKEN, below, 991 },
};
/* clang-format on */

TEST(exact_metrics_are_compared)
{
    EACH(row, exact_rows) {
        double values[] = { row->value, row->other };
        double base[] = { row->base - 10, row->base };
        restart();
        add(TFP_COST_PARAMS, row->limit, values, 2)->and_at_least =
            row->and_at_least;
        add_base(TFP_COST_PARAMS, base, 2);
        print_message("%s %g\n", row->limit, row->value);
        expect(check(), row->verdict, row->reason);
        assert_true(c.out->has_value && c.out->has_base && c.out->has_limit);
        assert_true(c.out->limit == row->limit_value);
        assert_int_equal(c.out->is_minimum, row->limit[0] == 'm');
        assert_false(c.out->has_shift || c.out->has_interval);
    }
}

TEST(the_excess_is_a_share_of_the_limit)
{
    static const double values[] = { 150 };
    add(TFP_COST_PARAMS, "100", values, 1);
    add(TFP_COST_PARAMS, "0", values, 1);
    add(TFP_COST_PARAMS, "min 200", values, 1);
    check();
    assert_true(c.out[0].excess == 0.5);
    assert_true(c.out[1].excess == 150);
    assert_true(c.out[2].excess == 0.25);
}

TEST(of_two_limits_the_broken_one_decides)
{
    static const double values[] = { 50, 150 };
    tfp_budget *b;
    c.has_baseline = false;
    b = add(TFP_COST_PARAMS, "200", values, 2);
    b->min = (tfp_limit){ TFP_LIMIT_ABSOLUTE, 60 };
    b = add(TFP_COST_PARAMS, "100", values, 2);
    b->min = (tfp_limit){ TFP_LIMIT_PERCENT, -5 };
    b = add(TFP_COST_PARAMS, "200", values, 2);
    b->min = (tfp_limit){ TFP_LIMIT_PERCENT, -5 };
    b = add(TFP_COST_PARAMS, "200", values, 2);
    b->min = (tfp_limit){ TFP_LIMIT_ABSOLUTE, 50 };
    check();
    expect(&c.out[0], TFP_CHECK_BROKEN, below);
    assert_true(c.out[0].is_minimum && c.out[0].value == 50);
    expect(&c.out[1], TFP_CHECK_BROKEN, above);
    assert_true(!c.out[1].is_minimum && c.out[1].value == 150);
    expect(&c.out[2], TFP_CHECK_NO_VERDICT,
           "a relative limit needs --baseline FILE");
    assert_false(c.out[2].has_limit);
    expect(&c.out[3], TFP_CHECK_OK, "");
}

TEST(incomplete_counts_are_never_ok)
{
    static const char incomplete[] =
        "the count is incomplete: some operations have no float operation "
        "count";
    static const double values[] = { 100 };
    static const char *const limits[] = { "200", "100", "99",      "+50%",
                                          "+0%", "-5%", "min 200", "min 10" };
    add_base(TFP_COST_FLOAT_OPS, values, 1);
    for (size_t i = 0; i < COUNT(limits); i++) {
        add(TFP_COST_FLOAT_OPS, limits[i], values, 1);
        c.measured[i].is_partial = true;
    }
    check();
    for (size_t i = 0; i < COUNT(limits); i++) {
        if (i == 2)
            expect(&c.out[i], TFP_CHECK_BROKEN, above);
        else
            expect(&c.out[i], TFP_CHECK_NO_VERDICT, incomplete);
        c.measured[i].is_partial = false;
    }
    c.baseline.rows.data[0].is_partial = true;
    check();
    expect(&c.out[0], TFP_CHECK_OK, "");
    for (size_t i = 3; i < 6; i++)
        expect(&c.out[i], TFP_CHECK_NO_VERDICT,
               "the count of the baseline is incomplete");
    expect(&c.out[6], TFP_CHECK_BROKEN, below);
}

TEST(missing_values_have_a_reason)
{
    static const double values[] = { 1, 2, 3 };
    add(TFP_COST_PARAMS, "+5%", values, 3);
    add(TFP_COST_MICROS, "+5%", values, 3);
    add(TFP_COST_PARAMS, "5", NULL, 0);
    add(TFP_COST_MICROS, "+5%", values, 0);
    c.measured[2].no_value = "no scope matches";
    add_base(TFP_COST_MICROS, NULL, 0);
    check();
    for (size_t i = 0; i < 2; i++)
        expect(&c.out[i], TFP_CHECK_NO_VERDICT,
               "the baseline has no value for this metric; write the baseline "
               "again");
    expect(&c.out[2], TFP_CHECK_NO_VERDICT, "no scope matches");
    assert_true(c.out[2].has_limit && !c.out[2].has_value);
    expect(&c.out[3], TFP_CHECK_NO_VERDICT, "no value was measured");
    c.has_baseline = false;
    check();
    expect(&c.out[0], TFP_CHECK_NO_VERDICT,
           "a relative limit needs --baseline FILE");
    expect(&c.out[1], TFP_CHECK_NO_VERDICT,
           "a relative limit needs --baseline FILE");
    assert_true(c.out[1].has_value && c.out[1].value == 2);
}

/* ---- Times -------------------------------------------------------------- */

typedef struct time_row {
    const char *limit;
    double and_at_least;
    double first; /* of 8 runs; those of the baseline begin with 1000 */
    tfp_check_verdict verdict;
    const char *reason;
} time_row;

static const char change_above[] = "the change is above the limit";
static const char change_below[] = "the change is below the limit";
static const char change_includes[] =
    "the runs differ too much: the change can be above or below the limit";

/* The shift is first - 1000; its interval reaches 4 to both sides. The median
 * of the baseline is 1003.5. */
/* clang-format off */
static const time_row time_rows[] = {
    { "+5%", 0, 1000, TFP_CHECK_OK, "" },
    { "+5%", 0, 1040, TFP_CHECK_OK, "" },
    { "+5%", 0, 1050, TFP_CHECK_NO_VERDICT, change_includes },
    { "+5%", 0, 1052, TFP_CHECK_BROKEN, change_above },
    { "+5%", 0, 1100, TFP_CHECK_BROKEN, change_above },
    { "+50us", 0, 1050, TFP_CHECK_NO_VERDICT, change_includes },
    { "+50us", 0, 1051, TFP_CHECK_BROKEN, change_above },
    /* Large enough for the limit, not for and_at_least. */
    { "+5%", 200, 1100, TFP_CHECK_OK, "" },
    { "+5%", 200, 1199, TFP_CHECK_NO_VERDICT,
      "the runs differ too much: the change can be above or below the value "
      "of and_at_least" },
    { "+5%", 200, 1200, TFP_CHECK_BROKEN, change_above },
    { "+0%", 0, 1000, TFP_CHECK_NO_VERDICT, change_includes },
    { "+0%", 0, 1100, TFP_CHECK_BROKEN, change_above },
    { "+0%", 0, 900, TFP_CHECK_OK, "" },
    { "+0%", 50, 1000, TFP_CHECK_OK, "" },
    /* A change is demanded. */
    { "-10%", 0, 1000, TFP_CHECK_BROKEN, change_above },
    { "-10%", 0, 950, TFP_CHECK_BROKEN, change_above },
    { "-10%", 0, 899, TFP_CHECK_NO_VERDICT, change_includes },
    { "-10%", 0, 800, TFP_CHECK_OK, "" },
    { "min -5%", 0, 1000, TFP_CHECK_OK, "" },
    { "min -5%", 0, 960, TFP_CHECK_OK, "" },
    { "min -5%", 0, 950, TFP_CHECK_NO_VERDICT, change_includes },
    { "min -5%", 0, 949, TFP_CHECK_BROKEN, change_below },
    { "min -5%", 60, 942, TFP_CHECK_NO_VERDICT,
      "the runs differ too much: the change can be above or below the value "
      "of and_at_least" },
    { "min -5%", 60, 940, TFP_CHECK_BROKEN, change_below },
    { "min +5%", 0, 1000, TFP_CHECK_BROKEN, change_below },
    { "min +5%", 0, 1100, TFP_CHECK_OK, "" },
};
/* clang-format on */

TEST(changes_of_times_are_judged)
{
    EACH(row, time_rows) {
        double values[8], base[8];
        restart();
        add(TFP_COST_MICROS, row->limit, near(values, 8, row->first), 8)
            ->and_at_least = row->and_at_least;
        add_base(TFP_COST_MICROS, near(base, 8, 1000), 8);
        print_message("%s %g\n", row->limit, row->first);
        expect(check(), row->verdict, row->reason);
        assert_true(c.out->has_value && c.out->value == row->first + 3.5);
        assert_true(c.out->has_base && c.out->base == 1003.5);
        assert_true(c.out->has_shift && c.out->shift == row->first - 1000);
        assert_true(c.out->has_interval);
        assert_true(c.out->low == c.out->shift - 4);
        assert_true(c.out->high - c.out->shift == c.out->shift - c.out->low);
        assert_true(c.out->p == c.out->adjusted);
        assert_int_equal(c.out->more_runs, 0);
    }
}

TEST(few_runs_give_no_verdict)
{
    double values[8], base[8];
    near(values, 8, 5000);
    near(base, 8, 1000);
    for (size_t runs = 1; runs <= 8; runs++) {
        size_t more = tfp_rank_values_needed(runs, runs, 0.01, 1);
        char reason[100];
        restart();
        add(TFP_COST_MICROS, "+5%", values, runs);
        add_base(TFP_COST_MICROS, base, runs);
        snprintf(reason, sizeof(reason),
                 "too few runs: %zu more needed on each side", more);
        assert_int_equal(more, runs < 5 ? 5 - runs : 0);
        if (more > 0)
            expect(check(), TFP_CHECK_NO_VERDICT, reason);
        else
            expect(check(), TFP_CHECK_BROKEN, change_above);
        assert_int_equal(c.out->more_runs, more);
        assert_int_equal(c.out->has_interval, more == 0);
    }
}

/* 5 + 5 runs have p of at least 2 / 252: enough for one test, not for two. */
TEST(many_budgets_need_more_runs)
{
    double high[8], same[8], base[8];
    near(high, 8, 5000);
    near(same, 8, 1000);
    near(base, 8, 1000);
    for (size_t tests = 1; tests <= 2; tests++) {
        restart();
        add_base(TFP_COST_MICROS, base, 5);
        for (size_t i = 0; i < tests; i++)
            add(TFP_COST_MICROS, "+5%", high, 5);
        /* These are not tested, so they do not count. */
        add(TFP_COST_MICROS, "1s", high, 5);
        add(TFP_COST_CPU_MICROS, "+5%", high, 5);
        add(TFP_COST_PARAMS, "+5%", high, 5);
        check();
        for (size_t i = 0; i < tests; i++) {
            assert_true(fabs(c.out[i].p - 2.0 / 252) < 1e-15);
            assert_true(fabs(c.out[i].adjusted - (double)tests * 2 / 252) <
                        1e-15);
            if (tests == 1)
                expect(&c.out[i], TFP_CHECK_BROKEN, change_above);
            else
                expect(&c.out[i], TFP_CHECK_NO_VERDICT,
                       "too few runs: 1 more needed on each side");
        }
        assert_false(c.out[tests].has_shift || c.out[tests + 1].has_shift);
    }
    /* Among many that did not change, one is found with 8 + 8. */
    restart();
    add_base(TFP_COST_MICROS, base, 8);
    for (size_t i = 0; i < 30; i++)
        add(TFP_COST_MICROS, "+5%", i == 7 ? high : same, 8);
    check();
    for (size_t i = 0; i < 30; i++)
        expect(&c.out[i], i == 7 ? TFP_CHECK_BROKEN : TFP_CHECK_OK,
               i == 7 ? change_above : "");
    assert_true(fabs(c.out[7].adjusted - 30 * 2.0 / 12870) < 1e-15);
}

/* p is 0.00295 for one alone, which is not enough among ten. */
TEST(a_change_may_be_insignificant_among_many)
{
    double values[8] = { 1060, 1061, 1062, 1063, 1064, 1065, 1066, 1002.5 };
    double base[8];
    add_base(TFP_COST_MICROS, near(base, 8, 1000), 8);
    for (size_t i = 0; i < 10; i++)
        add(TFP_COST_MICROS, "+1us", values, 8);
    check();
    expect(&c.out[3], TFP_CHECK_NO_VERDICT,
           "the change is not significant after correction for 10 tested "
           "budgets");
    assert_true(c.out[3].p <= 0.01 && c.out[3].adjusted > 0.01);
    assert_true(c.out[3].low > 1);
}

TEST(another_machine_gives_no_verdict_for_times)
{
    double values[8], base[8];
    near(values, 8, 5000);
    near(base, 8, 1000);
    add_base(TFP_COST_MICROS, base, 8);
    add_base(TFP_COST_PARAMS, base, 8);
    add(TFP_COST_MICROS, "+5%", values, 8);
    add(TFP_COST_MICROS, "1ms", values, 8);
    add(TFP_COST_PARAMS, "+5%", values, 8);
    c.baseline.machine = (tfp_machine){ .cpu = "A" };
    c.here = (tfp_machine){ .cpu = "B" };
    check();
    expect(&c.out[0], TFP_CHECK_NO_VERDICT,
           "the baseline is from another machine: different cpu");
    assert_false(c.out[0].has_shift);
    assert_true(c.out[0].has_base && c.out[0].has_limit);
    expect(&c.out[1], TFP_CHECK_BROKEN, "the median is above the limit");
    expect(&c.out[2], TFP_CHECK_BROKEN, above);
}

typedef struct median_row {
    const char *limit;
    double and_at_least;
    tfp_check_verdict verdict;
    const char *reason;
} median_row;

static const char median_includes[] =
    "the runs differ too much: the median can be above or below the limit";

/* Of 1000 to 1007, whose median is 1003.5. */
static const median_row median_rows[] = {
    { "1008us", 0, TFP_CHECK_OK, "" },
    { "1007us", 0, TFP_CHECK_NO_VERDICT, median_includes },
    { "1000us", 0, TFP_CHECK_NO_VERDICT, median_includes },
    { "999us", 0, TFP_CHECK_BROKEN, "the median is above the limit" },
    { "999us", 4.5, TFP_CHECK_BROKEN, "the median is above the limit" },
    { "999us", 5, TFP_CHECK_NO_VERDICT, median_includes },
    { "999us", 8, TFP_CHECK_NO_VERDICT, median_includes },
    { "999us", 9, TFP_CHECK_OK, "" },
    { "min 999us", 0, TFP_CHECK_OK, "" },
    { "min 1000us", 0, TFP_CHECK_NO_VERDICT, median_includes },
    { "min 1007us", 0, TFP_CHECK_NO_VERDICT, median_includes },
    { "min 1008us", 0, TFP_CHECK_BROKEN, "the median is below the limit" },
    { "min 1008us", 5, TFP_CHECK_NO_VERDICT, median_includes },
    { "min 1008us", 9, TFP_CHECK_OK, "" },
};

TEST(absolute_limits_of_times_need_eight_runs)
{
    double values[8];
    near(values, 8, 1000);
    EACH(row, median_rows) {
        restart();
        c.has_baseline = false;
        add(TFP_COST_MICROS, row->limit, values, 8)->and_at_least =
            row->and_at_least;
        add(TFP_COST_MICROS, row->limit, values, 7);
        add(TFP_COST_MICROS, row->limit, values, 1);
        print_message("%s %g\n", row->limit, row->and_at_least);
        expect(check(), row->verdict, row->reason);
        assert_true(c.out->has_interval);
        assert_true(c.out->low == 1000 && c.out->high == 1007);
        assert_true(c.out->value == 1003.5);
        expect(&c.out[1], TFP_CHECK_NO_VERDICT,
               "an absolute limit of a time needs 8 runs: 1 more needed");
        assert_int_equal(c.out[1].more_runs, 1);
        assert_false(c.out[1].has_interval);
        expect(&c.out[2], TFP_CHECK_NO_VERDICT,
               "an absolute limit of a time needs 8 runs: 7 more needed");
    }
}

TEST(equal_values_and_zeros_are_judged)
{
    double same[8], zero[8] = { 0 }, low[8];
    for (size_t i = 0; i < 8; i++)
        same[i] = 1000;
    near(low, 8, 10);
    add_base(TFP_COST_MICROS, same, 8);
    add_base(TFP_COST_CPU_MICROS, zero, 8);
    add(TFP_COST_MICROS, "+5%", same, 8);
    add(TFP_COST_MICROS, "+0%", same, 8);
    add(TFP_COST_MICROS, "1000us", same, 8);
    add(TFP_COST_CPU_MICROS, "+5%", zero, 8);
    add(TFP_COST_CPU_MICROS, "+5%", low, 8);
    add(TFP_COST_CPU_MICROS, "+5%", low, 8)->and_at_least = 100;
    check();
    expect(&c.out[0], TFP_CHECK_OK, "");
    assert_true(c.out[0].p == 1 && c.out[0].shift == 0);
    expect(&c.out[1], TFP_CHECK_NO_VERDICT, change_includes);
    expect(&c.out[2], TFP_CHECK_NO_VERDICT, median_includes);
    expect(&c.out[3], TFP_CHECK_NO_VERDICT, change_includes);
    expect(&c.out[4], TFP_CHECK_BROKEN, change_above);
    assert_true(c.out[4].limit == 0 && c.out[4].excess == 13.5);
    expect(&c.out[5], TFP_CHECK_OK, "");
}

TEST(values_that_are_not_numbers_are_refused)
{
    static const double values[] = { 1, NAN };
    add(TFP_COST_MICROS, "1s", values, 2);
    assert_int_equal(tfp_check_budgets(&c.budgets, c.measured, NULL, &c.here,
                                       &memory, c.out, &err),
                     TFPROF_ERR_MALFORMED);
}

/* ---- Failing allocations ------------------------------------------------ */

TEST(each_allocation_may_fail)
{
    double values[8];
    size_t k, refused;
    near(values, 8, 1000);
    for (k = 1, refused = 1; refused > 0; k++) {
        int status;
        restart();
        add_base(TFP_COST_MICROS, values, 8);
        add(TFP_COST_MICROS, "+5%", values, 8);
        add(TFP_COST_MICROS, "1s", values, 8);
        add(TFP_COST_PARAMS, "1K", values, 8);
        counts.fail_at = counts.calls + k;
        status = tfp_check_budgets(&c.budgets, c.measured, &c.baseline, &c.here,
                                   &memory, c.out, &err);
        refused = counts.refused;
        assert_int_equal(status, refused ? TFPROF_ERR_NOMEM : TFPROF_OK);
    }
    assert_true(k > 10);
}

/* ---- Runs without a value ----------------------------------------------- */

TEST(runs_without_a_value_are_never_ok)
{
    static const double values[] = { 1000, 1001, 1002, 1003,
                                     1004, 1005, 1006, 1007 };
    static char missing[] = "runs/8";
    add(TFP_COST_PARAMS, "2000", values, 8);
    add(TFP_COST_PARAMS, "1000", values, 8);
    add(TFP_COST_MICROS, "1003us", values, 8);
    for (size_t i = 0; i < 3; i++) {
        c.measured[i].all_runs = 9;
        c.measured[i].without = missing;
        c.measured[i].no_value = "no scope matches";
    }
    check();
    expect(&c.out[0], TFP_CHECK_NO_VERDICT,
           "the other runs are within the limit; 8 of 9 runs have a value, not "
           "runs/8 (no scope matches)");
    expect(&c.out[1], TFP_CHECK_BROKEN,
           "the value is above the limit; 8 of 9 runs have a value, not runs/8 "
           "(no scope matches)");
    assert_int_equal(c.out[2].verdict, TFP_CHECK_NO_VERDICT);
    for (size_t i = 0; i < 3; i++)
        assert_false(c.out[i].is_noise);
    c.measured[2].without = NULL;
    assert_true(check()[2].is_noise);
}

/* ---- Noise -------------------------------------------------------------- */

TEST(noise_does_not_hide_another_reason)
{
    static const double values[] = { 900,  1000, 1100, 1200,
                                     1300, 1400, 1500, 1600 };
    add(TFP_COST_MICROS, "1250us", values, 8);
    add(TFP_COST_MICROS, "1250us", values, 8)->min = (tfp_limit){
        TFP_LIMIT_PERCENT, 5
    }; /* without a baseline */
    add(TFP_COST_MICROS, "1250us", values, 7);
    c.has_baseline = false;
    check();
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(c.out[i].verdict, TFP_CHECK_NO_VERDICT);
        assert_int_equal(c.out[i].is_noise, i == 0);
    }
}

/* ---- Steps -------------------------------------------------------------- */

/* Those behind the budget have no limits: they are only measured. */
TEST(a_longer_step_has_parts)
{
    double values[4][8], bases[4][8];
    for (int broken = 0; broken < 2; broken++) {
        restart();
        for (int i = 0; i < 4; i++) {
            double more = i == TFP_STEP_IDLE || i == TFP_STEP_WALL ? 5000 : 0;
            near(bases[i], 8, 10000 * (i + 1));
            near(values[i], 8, 10000 * (i + 1) + broken * more);
        }
        add(TFP_BUDGET_WALL, "+10%", values[0], 8);
        for (int i = 0; i < 4; i++) {
            add(TFP_BUDGET_STEPS + i, "1", values[i], 8)->max = (tfp_limit){
                0
            };
            if (i != TFP_STEP_WAIT)
                add_base(TFP_BUDGET_STEPS + i, bases[i], 8);
        }
        check();
        assert_int_equal(c.out[0].verdict,
                         broken ? TFP_CHECK_BROKEN : TFP_CHECK_OK);
        for (int i = 0; i < 4; i++)
            assert_int_equal(c.out[0].parts[i].is_known,
                             broken && i != TFP_STEP_WAIT);
        if (broken)
            assert_true(c.out[0].parts[TFP_STEP_IDLE].base == 30003.5 &&
                        c.out[0].parts[TFP_STEP_IDLE].value == 35003.5);
    }
}
