/*
 * error_test.c - what an error says besides its message, and messages that are
 * too long.
 */
#include "counting.h"

#include <errno.h>

#include "base/error.h"
#include "base/escape.h"

TEST(a_message_that_begins_with_an_option_names_it)
{
    tfprof_error err;
    tfp_fail(&err, TFPROF_ERR_OPTION, -1, "--%s accepts a number", "max_depth");
    assert_string_equal(err.option, "max_depth");
    tfp_fail(&err, TFPROF_ERR_OPTION, -1, "--output: there is none");
    assert_string_equal(err.option, "output");
    tfp_fail(&err, TFPROF_ERR_LIMIT, -1, "too deep (see --max_depth_nesting)");
    assert_string_equal(err.option, "");
    /* What a user wrote is no option. */
    tfp_fail(&err, TFPROF_ERR_OPTION, -1, "%s", "--final.pb is one");
    assert_string_equal(err.option, "");
}

TEST(a_refusal_of_the_system_has_its_number)
{
    tfprof_error err;
    assert_int_equal(tfp_fail_errno(&err, EACCES, "cannot open"),
                     TFPROF_ERR_IO);
    assert_int_equal(err.errnum, EACCES);
    tfp_fail(&err, TFPROF_ERR_IO, -1, "cannot read");
    assert_int_equal(err.errnum, 0);
}

TEST(a_message_that_is_cut_ends_in_dots)
{
    tfprof_error err;
    char text[400];
    memset(text, 'a', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    tfp_fail(&err, TFPROF_ERR_IO, -1, "%s", text);
    assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
    assert_string_equal(err.message + sizeof(err.message) - 5, "a...");
    text[sizeof(err.message) - 1] = '\0';
    tfp_fail(&err, TFPROF_ERR_IO, -1, "%s", text);
    assert_string_equal(err.message, text);
}

TEST(a_name_is_not_cut_inside_a_character)
{
    char shown[8];
    tfp_escape_short(tfp_span_of("abcdefg"), shown, sizeof(shown));
    assert_string_equal(shown, "abcdefg");
    tfp_escape_short(tfp_span_of("abcdefgh"), shown, sizeof(shown));
    assert_string_equal(shown, "abcd...");
    tfp_escape_short(tfp_span_of("ab\xe2\x82\xac\xe2\x82\xac"), shown,
                     sizeof(shown));
    assert_string_equal(shown, "ab...");
    tfp_escape_short(tfp_span_of("abc\xe2\x82\xac\xe2\x82\xac"), shown, 3);
    assert_string_equal(shown, "..");
}

TEST(a_shortened_text_ends_in_dots)
{
    assert_string_equal(tfp_shorten(tfp_span_of("a/model.pb"), 10).text,
                        "a/model.pb");
    assert_string_equal(tfp_shorten(tfp_span_of("a/model.pbx"), 10).text,
                        "a/model...");
    assert_string_equal(
        tfp_shorten(tfp_span_of("a\xe2\x82\xac\xe2\x82\xac"), 6).text, "a...");
    assert_string_equal(tfp_shorten(tfp_span_of("a\nb"), 10).text, "a\\x0ab");
    assert_string_equal(tfp_shorten(tfp_span_of("abc"), 0).text, "");
}

TEST(a_shortened_text_fits_its_room)
{
    char text[400];
    memset(text, 'a', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(strlen(tfp_shorten(tfp_span_of(text), 120).text), 120);
    assert_int_equal(strlen(tfp_shorten(tfp_span_of(text), 1000).text),
                     sizeof(tfp_short) - 1);
}
