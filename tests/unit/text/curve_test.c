/*
 * curve_test.c - a curve as one line of text.
 */
#include "counting.h"
#include "wire_build.h"

#include "output/text/style.h"

static void check(tfp_style style, const int64_t *values, size_t count,
                  const char *wanted)
{
    wire_bytes text = { 0 };
    tfp_sink sink;
    tfp_sink_init(&sink, wire_keep, &text);
    tfp_style_curve(&style, &sink, values, count);
    assert_true(tfp_sink_flush(&sink));
    assert_true(tfp_span_is(wire_span(&text), wanted));
    wire_free(&text);
}

TEST(a_curve_has_eight_heights)
{
    static const int64_t values[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
    static const tfp_style utf8 = { .is_utf8 = true };
    check(utf8, values, 9,
          " \xe2\x96\x81\xe2\x96\x82\xe2\x96\x83\xe2\x96\x84\xe2\x96\x85"
          "\xe2\x96\x86\xe2\x96\x87\xe2\x96\x88");
}

TEST(ascii_has_denser_characters)
{
    static const int64_t values[] = { 7, 6, 5, 4, 3, 2, 1, 0 };
    static const tfp_style plain = { 0 };
    check(plain, values, 8, "#*+=-:. ");
}

TEST(values_above_0_are_visible_and_others_blank)
{
    static const int64_t values[] = { 1,  INT64_MAX, 0,
                                      -5, INT64_MIN, INT64_MAX - 1 };
    static const int64_t none[] = { 0, -1 };
    static const tfp_style plain = { 0 };
    check(plain, values, 6, ".#   #");
    check(plain, none, 2, "  ");
    check(plain, none, 0, "");
}

TEST(a_curve_may_have_a_color)
{
    static const int64_t values[] = { 1 };
    static const tfp_style color = { .has_color = true };
    check(color, values, 1, "\033[36m#\033[0m");
}
