/*
 * decimal_test.c - doubles in decimal, held against printf() in the locale C.
 */
#include <math.h>

#include "counting.h"

#include "output/text/decimal.h"

/* What the formula of upstream gives: six digits, read back, two decimals. */
static void upstream(double value, char *out)
{
    char six[64];
    double back = value;
    snprintf(six, sizeof(six), "%.6g", value);
    if (isfinite(value))
        assert_int_equal(sscanf(six, "%lf", &back), 1);
    snprintf(out, TFP_DECIMAL_SIZE, "%.2f", back);
}

static void check(double value)
{
    char want[TFP_DECIMAL_SIZE], got[TFP_DECIMAL_SIZE];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(want, sizeof(want), "%.*g", digits, value);
        assert_int_equal(tfp_decimal_general(value, digits, got), strlen(want));
        assert_string_equal(got, want);
    }
    upstream(value, want);
    assert_int_equal(tfp_decimal_short(value, got), strlen(want));
    assert_string_equal(got, want);
}

TEST(hard_to_round_numbers_match_printf)
{
    static const double values[] = {
        0,
        1,
        0.1,
        0.5,
        0.125,
        0.135,
        0.005,
        0.995,
        9.995,
        1e22,
        1e23,
        5e-324,
        1e-310,
        123456789,
        999999,
        999999.5,
        1e15,
        1e16,
        1e17,
        1e18,
        1e19,
        2.5,
        0.045,
        1.005,
        100000.5,
        16777216,
        3.4e38,
        1.7e308,
        1e-4,
        1e-5,
        9.9999e-5,
        123456.5,
        1234567.8,
        0.000015,
        8.5e21,
        1.7976931348623157e308,
        2.2250738585072014e-308,
        4.35,
        299792458,
    };
    EACH(row, values) {
        check(*row);
        check(-*row);
    }
    for (int e = -323; e <= 308; e++) {
        double power = pow(10, e);
        check(power);
        check(nextafter(power, INFINITY));
        check(nextafter(power, 0));
    }
    for (int e = -1074; e < 1024; e++)
        check(ldexp(1, e));
}

TEST(what_is_no_number_is_named)
{
    char text[TFP_DECIMAL_SIZE];
    tfp_decimal_general((double)NAN, 9, text);
    assert_string_equal(text, "nan");
    tfp_decimal_short(-(double)NAN, text);
    assert_string_equal(text, "-nan");
    tfp_decimal_short((double)INFINITY, text);
    assert_string_equal(text, "inf");
    tfp_decimal_general(-(double)INFINITY, 17, text);
    assert_string_equal(text, "-inf");
    tfp_decimal_short(-0.0, text);
    assert_string_equal(text, "-0.00");
    tfp_decimal_general(-0.0, 9, text);
    assert_string_equal(text, "-0");
}

TEST(random_bits_are_as_printf_has_them)
{
    uint64_t random = 3;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = counting_random(&random);
        double value;
        float small;
        uint32_t low = (uint32_t)(bits >> 7);
        memcpy(&value, &bits, sizeof(value));
        memcpy(&small, &low, sizeof(small));
        if (isfinite(value))
            check(value);
        if (isfinite(small))
            check(small);
        /* As weights are: near 1. */
        check((double)(int64_t)bits / 9223372036854775808.0);
    }
}
