/*
 * fit_test.c - columns of text on a terminal, and names that are too long.
 */
#include "counting.h"

#include "base/escape.h"
#include "base/width.h"
#include "output/text/fit.h"

#define E_ACUTE     "e\xcc\x81"        /* e and U+0301, a mark */
#define KANJI       "\xe6\xbc\xa2"     /* U+6F22, two columns */
#define EMOJI       "\xf0\x9f\x98\x80" /* U+1F600, two columns */
#define TO_THE_LEFT "\xe2\x80\xae"     /* U+202E, shown as \xe2\x80\xae */

static size_t columns(const char *text)
{
    return tfp_text_columns(tfp_span_of(text));
}

TEST(every_kind_of_character_takes_its_columns)
{
    assert_int_equal(columns(""), 0);
    assert_int_equal(columns("abc/def_1"), 9);
    assert_int_equal(columns("\xc3\xa9"), 1);
    assert_int_equal(columns(E_ACUTE), 1);
    assert_int_equal(columns(KANJI KANJI), 4);
    assert_int_equal(columns(EMOJI), 2);
    assert_int_equal(columns("\xef\xbd\xb1"), 1); /* halfwidth U+FF71 */
    assert_int_equal(columns("\xef\xbc\xa1"), 2); /* fullwidth U+FF21 */
}

TEST(escapes_count_as_they_are_written)
{
    assert_int_equal(columns("\033"), 4);
    assert_int_equal(columns("a\x07"
                             "b"),
                     6);
    assert_int_equal(columns("\xff\xfe"), 8);
    assert_int_equal(columns(TO_THE_LEFT), 12);
}

/* What is shown of a name: what was kept, with the dots. */
static const char *fitted(const char *name, size_t room, const char *dots)
{
    static char text[256];
    char head[100], tail[100];
    size_t dot_columns = columns(dots);
    tfp_fitted f = tfp_fit_name(tfp_span_of(name), room, dot_columns);
    tfp_escape(f.head, head, sizeof(head));
    tfp_escape(f.tail, tail, sizeof(tail));
    snprintf(text, sizeof(text), "%s%s%s", head, f.is_cut ? dots : "", tail);
    assert_int_equal(columns(text), f.columns);
    assert_true(f.columns <= room);
    return text;
}

TEST(a_name_that_fits_stays)
{
    assert_string_equal(fitted("conv1/weights", 13, ".."), "conv1/weights");
    assert_string_equal(fitted("", 0, ".."), "");
    assert_string_equal(fitted(KANJI, 2, ".."), KANJI);
}

TEST(a_long_name_loses_its_middle)
{
    assert_string_equal(fitted("abcdefghijklmnop", 10, ".."), "abcd..mnop");
    assert_string_equal(fitted("abcdefghijklmnop", 9, ".."), "abc..mnop");
    assert_string_equal(fitted("abcdefghijklmnop", 9, "\xe2\x80\xa6"),
                        "abcd\xe2\x80\xa6mnop");
    assert_string_equal(fitted("abcdefghijklmnop", 15, ".."),
                        "abcdef..jklmnop");
}

TEST(rooms_of_a_few_columns)
{
    assert_string_equal(fitted("abcdef", 4, ".."), "a..f");
    assert_string_equal(fitted("abcdef", 3, ".."), "..f");
    assert_string_equal(fitted("abcdef", 2, ".."), "..");
    assert_string_equal(fitted("abcdef", 1, ".."), "a");
    assert_string_equal(fitted("abcdef", 0, ".."), "");
    assert_string_equal(fitted("abcdef", 1, "\xe2\x80\xa6"), "\xe2\x80\xa6");
    assert_string_equal(fitted(KANJI KANJI, 1, ".."), "");
}

TEST(characters_and_escapes_stay_whole)
{
    /* A wide one that would be cut in half is left out. */
    assert_string_equal(fitted(KANJI KANJI KANJI KANJI, 7, ".."),
                        KANJI ".." KANJI);
    /* A mark stays with its letter, at either side. */
    assert_string_equal(fitted(E_ACUTE E_ACUTE E_ACUTE "xyz" E_ACUTE, 4, ".."),
                        E_ACUTE ".." E_ACUTE);
    assert_string_equal(fitted("ab\033cdefgh", 8, ".."), "ab..efgh");
    assert_string_equal(fitted("a\033bcdefghij", 12, ".."), "a\\x1b..fghij");
    assert_string_equal(fitted(TO_THE_LEFT "abcdefghijklm", 16, ".."),
                        "..abcdefghijklm");
}

/* Every name of up to six of these pieces, in every room. */
TEST(whatever_the_name_it_fits)
{
    static const char *const pieces[] = { "a",    KANJI,       E_ACUTE,
                                          "\033", TO_THE_LEFT, "\xff" };
    enum { KINDS = COUNT(pieces), MOST = 6 };
    for (size_t n = 0; n < 46656; n++) { /* KINDS to the power of MOST */
        char name[MOST * 4 + 1] = "";
        size_t digits = n, used = 0;
        for (int i = 0; i < MOST; i++, digits /= KINDS)
            used += (size_t)snprintf(name + used, sizeof(name) - used, "%s",
                                     pieces[digits % KINDS]);
        for (size_t room = 0; room < columns(name); room += 1 + room / 4)
            fitted(name, room, room % 2 ? ".." : "\xe2\x80\xa6");
    }
}
