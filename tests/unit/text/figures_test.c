/*
 * figures_test.c - figures against the C library's printf(), which upstream
 * asks, and in locales that write their decimals otherwise.
 */
#include "counting.h"

#include <locale.h>

#include "output/text/figures.h"

typedef size_t figure_fn(int64_t value, char *out);

typedef struct unit {
    int64_t below; /* what the figure is used for */
    double size;
    const char *name;
} unit;

static const unit number_units[] = {
    { 1000, 1, "" },
    { 1000000, 1e3, "k" },
    { 1000000000, 1e6, "m" },
    { INT64_MAX, 1e9, "b" },
};
static const unit time_units[] = {
    { 1000, 1, "us" },
    { 1000000, 1e3, "ms" },
    { INT64_MAX, 1e6, "sec" },
};
static const unit memory_units[] = {
    { 1000, 1, "B" },
    { 1000000, 1e3, "KB" },
    { INT64_MAX, 1e6, "MB" },
};

/* Upstream's way. Needs the "C" locale. */
static void format(const unit *units, int64_t value, char *out)
{
    const unit *u = units;
    while (u->below != INT64_MAX && value >= u->below)
        u++;
    if (u->size > 1)
        snprintf(out, TFP_FIGURE_SIZE, "%.2f%s", (double)value / u->size,
                 u->name);
    else
        snprintf(out, TFP_FIGURE_SIZE, "%lld%s", (long long)value, u->name);
}

/* Comparing by hand: cmocka's assertion would take most of the time. */
static void check(figure_fn *figure, const unit *units, int64_t value)
{
    char got[TFP_FIGURE_SIZE], wanted[TFP_FIGURE_SIZE];
    size_t size = figure(value, got);
    format(units, value, wanted);
    if (size != strlen(wanted) || strcmp(got, wanted) != 0)
        fail_msg("%lld: '%s' and not '%s'", (long long)value, got, wanted);
}

static void check_all(int64_t value)
{
    char got[TFP_FIGURE_SIZE], wanted[TFP_FIGURE_SIZE];
    check(tfp_figure_number, number_units, value);
    check(tfp_figure_time, time_units, value);
    check(tfp_figure_memory, memory_units, value);
    snprintf(wanted, sizeof(wanted), "%lld", (long long)value);
    assert_int_equal(tfp_figure_integer(value, got), strlen(wanted));
    assert_string_equal(got, wanted);
}

static void check_percent(int64_t part, int64_t whole)
{
    char got[TFP_FIGURE_SIZE], wanted[TFP_FIGURE_SIZE];
    size_t size = tfp_figure_percent(part, whole, got);
    if (part == 0 || whole == 0)
        snprintf(wanted, sizeof(wanted), "0.00");
    else
        snprintf(wanted, sizeof(wanted), "%.2f",
                 100.0 * (double)part / (double)whole);
    if (size != strlen(wanted) || strcmp(got, wanted) != 0)
        fail_msg("%lld of %lld: '%s' and not '%s'", (long long)part,
                 (long long)whole, got, wanted);
}

/* Of all magnitudes, both signs. */
static int64_t any_number(uint64_t *random)
{
    uint64_t bits = counting_random(random);
    return (int64_t)(counting_random(random) >> (bits >> 58)) *
           (bits % 8 == 0 ? -1 : 1);
}

static const struct {
    int64_t value;
    const char *number, *time, *memory;
} table[] = {
    { INT64_MIN, "-9223372036854775808", "-9223372036854775808us",
      "-9223372036854775808B" },
    { -1000000, "-1000000", "-1000000us", "-1000000B" },
    { -1, "-1", "-1us", "-1B" },
    { 0, "0", "0us", "0B" },
    { 999, "999", "999us", "999B" },
    { 1000, "1.00k", "1.00ms", "1.00KB" },
    { 1005, "1.00k", "1.00ms", "1.00KB" },
    { 1015, "1.01k", "1.01ms", "1.01KB" },
    { 1125, "1.12k", "1.12ms", "1.12KB" }, /* a true half: to even */
    { 1375, "1.38k", "1.38ms", "1.38KB" },
    { 999994, "999.99k", "999.99ms", "999.99KB" },
    { 999995, "1000.00k", "1000.00ms", "1000.00KB" },
    { 999999, "1000.00k", "1000.00ms", "1000.00KB" },
    { 1000000, "1.00m", "1.00sec", "1.00MB" },
    { 999999999, "1000.00m", "1000.00sec", "1000.00MB" },
    { 1000000000, "1.00b", "1000.00sec", "1000.00MB" },
    { INT64_MAX, "9223372036.85b", "9223372036854.78sec",
      "9223372036854.78MB" },
};

static void check_table(void)
{
    char got[TFP_FIGURE_SIZE];
    EACH(row, table) {
        tfp_figure_number(row->value, got);
        assert_string_equal(got, row->number);
        tfp_figure_time(row->value, got);
        assert_string_equal(got, row->time);
        tfp_figure_memory(row->value, got);
        assert_string_equal(got, row->memory);
    }
    tfp_figure_percent(1, 3, got);
    assert_string_equal(got, "33.33");
    tfp_figure_percent(INT64_MAX, 1, got);
    assert_string_equal(got, "922337203685477580800.00");
    tfp_figure_integer(INT64_MIN, got);
    assert_string_equal(got, "-9223372036854775808");
}

TEST(figures_of_ours_have_larger_units)
{
    static const struct {
        figure_fn *figure;
        int64_t value;
        const char *text;
    } rows[] = {
        { tfp_figure_bytes, 999999999, "1000.00MB" },
        { tfp_figure_bytes, 21491714048, "21.49GB" },
        { tfp_figure_bytes, INT64_C(1500000000000), "1.50TB" },
        { tfp_figure_count, 999999999999, "1000.00b" },
        { tfp_figure_count, INT64_C(8255400000000), "8.26t" },
        { tfp_figure_micros, INT64_C(3599000000), "3599.00sec" },
        { tfp_figure_micros, INT64_C(5400000000), "1.50h" },
        { tfp_figure_picos, INT64_C(3599000000000000), "3599.00sec" },
        { tfp_figure_picos, INT64_C(5400000000000000), "1.50h" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char got[TFP_FIGURE_SIZE];
        size_t size = rows[i].figure(rows[i].value, got);
        assert_string_equal(got, rows[i].text);
        assert_int_equal(size, strlen(got));
    }
}

TEST(OU_15_the_ends_of_every_range)
{
    check_table();
    for (int64_t power = 1; power <= INT64_MAX / 10; power *= 10) {
        for (int64_t near = -20; near <= 20; near++) {
            check_all(power + near);
            check_all(-power + near);
            check_all(power / 2 + near);
        }
    }
    for (int64_t near = 0; near < 3000; near++) {
        check_all(INT64_MAX - near);
        check_all(INT64_MIN + near);
    }
}

TEST(OU_15_every_number_to_a_million_and_random_ones)
{
    uint64_t random = 1;
    for (int64_t value = -2000; value < 1010000; value++)
        check(tfp_figure_number, number_units, value);
    for (int i = 0; i < 700000; i++)
        check_all(any_number(&random));
}

/* n / 1000 is a true half of a hundredth when n is an odd multiple of 125
 * and not of 10; of a million, with 5^6 * odd and so on. */
TEST(OU_15_halves_go_to_even)
{
    for (int64_t odd = 1; odd < 100000; odd += 2) {
        check_all(odd * 125);
        check_all(odd * 5);
        check_all(odd * 5000);
        check_all(odd * 15625 * 8);
        check_all(odd * 5000000);
        check_all(odd * 1953125 * 64);
        check_percent(odd, 800);
        check_percent(odd, 20000);
        check_percent(-odd, 800);
    }
}

TEST(OU_15_percents_as_printf_has_them)
{
    static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, -1000,    -1, 0,
                                    1,         1000,          INT64_MAX };
    uint64_t random = 2;
    for (size_t a = 0; a < 8; a++) {
        for (size_t b = 0; b < 8; b++)
            check_percent(ends[a], ends[b]);
    }
    for (int i = 0; i < 2000000; i++)
        check_percent(any_number(&random), any_number(&random));
    for (int64_t part = -300; part <= 300; part++) {
        for (int64_t whole = -300; whole <= 300; whole++)
            check_percent(part, whole);
    }
}

TEST(OU_15_zero_has_no_sign_and_what_rounds_to_it_has)
{
    char got[TFP_FIGURE_SIZE];
    tfp_figure_percent(0, -5, got);
    assert_string_equal(got, "0.00");
    tfp_figure_percent(5, 0, got);
    assert_string_equal(got, "0.00");
    tfp_figure_percent(-1, 1000000, got);
    assert_string_equal(got, "-0.00");
    tfp_figure_percent(1, INT64_MIN, got);
    assert_string_equal(got, "-0.00");
    tfp_figure_percent(-1, 20001, got);
    assert_string_equal(got, "-0.00");
    tfp_figure_percent(-1, 19999, got);
    assert_string_equal(got, "-0.01");
}

static void check_fixed(double value)
{
    char want[128], got[TFP_FIGURE_SIZE];
    size_t size = tfp_figure_fixed(value, got);
    snprintf(want, sizeof(want), "%.2f", value);
    assert_string_equal(got, want);
    assert_int_equal(size, strlen(want));
}

TEST(OU_15_shares_as_printf_has_them)
{
    uint64_t random = 3;
    check_fixed(0.0);
    check_fixed(-0.0);
    check_fixed(100.0 * (double)INT64_MAX);
    check_fixed(100.0 * (double)INT64_MIN);
    for (int i = 0; i < 1000000; i++) {
        int64_t part = any_number(&random), whole = any_number(&random);
        if (whole == 0)
            continue;
        check_fixed((double)part / (double)whole);
        check_fixed(100.0 * (double)part / ((double)whole + 1e-10));
    }
    for (int part = -800; part <= 800; part++) {
        check_fixed(part / 800.0);
        check_fixed(100.0 * part / (800 + 1e-10));
    }
}

TEST(OU_13_a_locale_changes_nothing)
{
    static const char *const names[] = { "de_DE.UTF-8", "tr_TR.UTF-8",
                                         "fa_IR.UTF-8", "C" };
    size_t found = 0;
    EACH(row, names) {
        found += setlocale(LC_ALL, *row) != NULL;
        check_table();
    }
    setlocale(LC_ALL, "C");
    print_message("%zu of 4 locales are installed\n", found);
}
