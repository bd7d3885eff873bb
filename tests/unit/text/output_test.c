/*
 * output_test.c - what strangers wrote, made safe to show.
 */
#include "testing.h"

#include "base/escape.h"
#include "output/text/json.h"

typedef struct text {
    char data[1 << 16];
    size_t size, writes;
    size_t fail_at; /* the write of that number, from 1, fails */
} text;

static int put(void *context, const void *data, size_t size)
{
    text *t = context;
    if (++t->writes == t->fail_at)
        return -1;
    assert_true(t->size + size < sizeof(t->data));
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = '\0';
    return 0;
}

/* ---- Terminals ---------------------------------------------------------- */

typedef struct escape_case {
    const char *in, *out;
} escape_case;

static const escape_case escapes[] = {
    { "conv2d/kernel:0", "conv2d/kernel:0" },
    { "", "" },
    { "\x1b]0;title\a", "\\x1b]0;title\\x07" },
    { "\x1b[2J", "\\x1b[2J" },
    { "a\r\b\n\tb", "a\\x0d\\x08\\x0a\\x09b" },
    { "\x7f", "\\x7f" },
    { "\x9b"
      "2J",
      "\\x9b2J" }, /* C1 as a byte */
    { "\xc2\x9b"
      "2J",
      "\\xc2\\x9b2J" },           /* and in UTF-8 */
    { "\xc2\x85", "\\xc2\\x85" }, /* next line */
    { "a\xe2\x80\xae"
      "b",
      "a\\xe2\\x80\\xaeb" },               /* U+202E turns the text */
    { "\xe2\x80\x8b", "\\xe2\\x80\\x8b" }, /* U+200B has no width */
    { "\xe2\x80\x8f", "\\xe2\\x80\\x8f" }, /* U+200F */
    { "\xe2\x80\xa8", "\\xe2\\x80\\xa8" }, /* U+2028 breaks the line */
    { "\xe2\x81\xa6", "\\xe2\\x81\\xa6" }, /* U+2066 isolates */
    { "\xef\xbb\xbf", "\\xef\\xbb\\xbf" }, /* the byte order mark */
    { "\xc2\xad", "\\xc2\\xad" },          /* the soft hyphen */
    { "caf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80",
      "caf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80" }, /* as it is */
    { "\xff\xfe"
      "A",
      "\\xff\\xfeA" },
    { "\xc0\xaf", "\\xc0\\xaf" }, /* overlong */
    { "\xe0\x80\xaf", "\\xe0\\x80\\xaf" },
    { "\xed\xa0\x80", "\\xed\\xa0\\x80" },          /* half a surrogate pair */
    { "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" }, /* past U+10FFFF */
    { "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80" },
    { "\xe2\x82", "\\xe2\\x82" }, /* cut short */
    { "\xe2"
      "a",
      "\\xe2"
      "a" },
    { "\x80", "\\x80" },
};

TEST(hidden_and_invalid_characters_are_shown)
{
    EACH(row, escapes) {
        char out[100];
        size_t size = tfprof_escape(row->in, strlen(row->in), out, sizeof(out));
        assert_string_equal(out, row->out);
        assert_int_equal(size, strlen(row->out));
    }
}

TEST(a_nul_is_shown_and_does_not_end_the_text)
{
    char out[100];
    assert_int_equal(tfprof_escape("a\0b", 3, out, sizeof(out)), 6);
    assert_string_equal(out, "a\\x00b");
}

TEST(a_buffer_too_small_is_filled_and_closed)
{
    char out[8];
    memset(out, 'x', sizeof(out));
    assert_int_equal(tfprof_escape("abcdefgh", 8, out, 5), 8);
    assert_string_equal(out, "abcd");
    assert_int_equal(out[5], 'x');
    assert_int_equal(tfprof_escape("ab\x1b", 3, out, 4), 6);
    assert_string_equal(out, "ab\\");
    assert_int_equal(tfprof_escape("ab\xc3\xa4", 4, out, 4), 4);
    assert_string_equal(out, "ab"); /* no half of a character */
    assert_int_equal(tfprof_escape("abc", 3, out, 1), 3);
    assert_string_equal(out, "");
    assert_int_equal(tfprof_escape("abc", 3, NULL, 0), 3);
}

/* Every code point, alone: shown as it is only when it is safe. */
TEST(no_control_byte_gets_through)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        char in = (char)byte, out[16];
        tfprof_escape(&in, 1, out, sizeof(out));
        for (size_t i = 0; out[i]; i++)
            assert_in_range(out[i], 0x20, 0x7e);
        assert_int_equal(strlen(out) == 1, byte >= 0x20 && byte < 0x7f);
    }
}

TEST(utf8_is_read_as_the_standard_says)
{
    size_t valid = 0;
    for (uint32_t code = 0x80; code < 0x120000; code++) {
        uint8_t b[4];
        size_t n;
        uint32_t back;
        bool exists = code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
        if (code < 0x800) {
            b[0] = (uint8_t)(0xc0 | code >> 6);
            n = 2;
        } else if (code < 0x10000) {
            b[0] = (uint8_t)(0xe0 | code >> 12);
            n = 3;
        } else {
            b[0] = (uint8_t)(0xf0 | code >> 18);
            n = 4;
        }
        for (size_t i = 1; i < n; i++)
            b[i] = (uint8_t)(0x80 | (code >> 6 * (n - 1 - i) & 0x3f));
        assert_int_equal(tfp_utf8_next((tfp_span){ b, n }, &back),
                         exists ? n : 0);
        if (exists)
            assert_int_equal(back, code);
        assert_int_equal(tfp_utf8_next((tfp_span){ b, n - 1 }, &back), 0);
        valid += exists;
    }
    assert_int_equal(valid, 0x110000 - 0x80 - 0x800);
}

/* ---- JSON --------------------------------------------------------------- */

TEST(json_strings_are_valid_whatever_they_hold)
{
    static const escape_case table[] = {
        { "plain", "\"plain\"" },
        { "\"\\", "\"\\\"\\\\\"" },
        { "\n\t\r\x01", "\"\\n\\t\\u000d\\u0001\"" },
        { "</script>", "\"\\u003c/script>\"" },
        { "\xff", "\"\\\\xff\"" },
        { "\xed\xa0\x80", "\"\\\\xed\\\\xa0\\\\x80\"" },
        { "\xe2\x80\xa8\xe2\x80\xae", "\"\\u2028\\u202e\"" },
        { "\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\"" },
        { "\x7f\xc2\x9b", "\"\\u007f\\u009b\"" },
        { "", "\"\"" },
    };
    EACH(row, table) {
        static text out;
        tfp_sink sink;
        tfp_json j;
        out.size = 0;
        tfp_sink_init(&sink, put, &out);
        tfp_json_init(&j, &sink);
        tfp_json_string(&j, NULL, tfp_span_of(row->in));
        assert_true(tfp_sink_flush(&sink));
        assert_string_equal(out.data, row->out);
    }
}

TEST(json_nests_with_commas_in_the_right_places)
{
    static text out;
    tfp_sink sink;
    tfp_json j;
    tfp_sink_init(&sink, put, &out);
    tfp_json_init(&j, &sink);
    tfp_json_open(&j, NULL, '{');
    tfp_json_int(&j, "least", INT64_MIN);
    tfp_json_int(&j, "most", INT64_MAX);
    tfp_json_open(&j, "empty", '[');
    tfp_json_close(&j);
    tfp_json_open(&j, "list", '[');
    tfp_json_bool(&j, NULL, true);
    tfp_json_null(&j, NULL);
    tfp_json_open(&j, NULL, '{');
    tfp_json_close(&j);
    tfp_json_close(&j);
    tfp_json_close(&j);
    assert_true(tfp_sink_flush(&sink));
    assert_string_equal(out.data, "{\n  \"least\": -9223372036854775808,\n"
                                  "  \"most\": 9223372036854775807,\n"
                                  "  \"empty\": [],\n  \"list\": [\n"
                                  "    true,\n    null,\n    {}\n  ]\n}\n");
}

/* ---- The sink ----------------------------------------------------------- */

TEST(a_sink_hands_over_everything_in_order)
{
    static text out;
    tfp_sink sink;
    tfp_sink_init(&sink, put, &out);
    for (int i = 0; i < 10000; i++)
        tfp_sink_format(&sink, "%04d,", i);
    assert_true(tfp_sink_flush(&sink));
    assert_int_equal(out.size, 50000);
    assert_memory_equal(out.data, "0000,0001,", 10);
    assert_memory_equal(out.data + 49990, "9998,9999,", 10);
    assert_true(out.writes < 10);
}

TEST(OU_01_a_failed_write_is_remembered)
{
    for (size_t k = 1; k <= 3; k++) {
        static text out;
        tfp_sink sink;
        out.size = out.writes = 0;
        out.fail_at = k;
        tfp_sink_init(&sink, put, &out);
        for (int i = 0; i < 10000; i++)
            tfp_sink_text(&sink, "12345");
        assert_false(tfp_sink_flush(&sink));
        assert_int_equal(out.writes, k); /* nothing is written after it */
    }
}

static int refuse(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 1;
}

TEST(OU_01_an_answer_that_cannot_be_written_is_an_error)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err = { 0 };
    assert_ok(tfprof_profile_add_memory(p, "g", "\x0a\x03\x0a\x01x", 5,
                                        "graph_path", NULL));
    assert_int_equal(tfprof_profile_write_info(p, refuse, NULL, &err),
                     TFPROF_ERR_OUTPUT);
    assert_int_equal(err.code, TFPROF_ERR_OUTPUT);
    tfprof_profile_free(p);
}

/* ---- Windows ------------------------------------------------------------ */

typedef struct fit_case {
    const char *in;
    size_t columns;
    int is_utf8;
    const char *out;
    size_t used;
} fit_case;

static const fit_case fits[] = {
    { "conv2d/kernel", 13, 1, "conv2d/kernel", 13 },
    { "conv2d/kernel", 8, 1, "con\xe2\x80\xa6rnel", 8 },
    { "conv2d/kernel", 8, 0, "con..nel", 8 },
    { "conv2d/kernel", 1, 0, "c", 1 },
    { "conv2d/kernel", 0, 1, "", 0 },
    { "", 5, 1, "", 0 },
    { "a\x1b[2J", 40, 1, "a\\x1b[2J", 8 },
    { "a\x1b[2J", 7, 1, "a\xe2\x80\xa6[2J", 5 }, /* escapes stay whole */
    { "\xe6\x97\xa5\xe6\x9c\xac", 3, 1, "\xe2\x80\xa6\xe6\x9c\xac", 3 },
    { "e\xcc\x81xyz", 3, 1, "e\xcc\x81\xe2\x80\xa6z", 3 }, /* and marks */
};

TEST(text_is_fitted_into_columns)
{
    char buffer[64];
    size_t used;
    EACH(c, fits) {
        size_t n = tfprof_fit(c->in, strlen(c->in), c->columns, c->is_utf8,
                              buffer, sizeof(buffer), &used);
        assert_string_equal(buffer, c->out);
        assert_int_equal(n, strlen(c->out));
        assert_int_equal(used, c->used);
    }
}

TEST(fitted_text_is_cut_to_its_buffer)
{
    char buffer[6];
    assert_int_equal(
        tfprof_fit("conv2d/kernel", 13, 8, 1, buffer, sizeof(buffer), NULL),
        10);
    assert_string_equal(buffer, "con");
    assert_int_equal(
        tfprof_fit("conv2d/kernel", 13, 8, 0, buffer, sizeof(buffer), NULL), 8);
    assert_string_equal(buffer, "con..");
}

TEST(figures_have_their_units)
{
    char buffer[40];
    tfprof_metric_figure(TFPROF_METRIC_MICROS, 12345, buffer, sizeof(buffer));
    assert_string_equal(buffer, "12.35ms");
    tfprof_metric_figure(TFPROF_METRIC_QUEUE_MICROS, 3, buffer, sizeof(buffer));
    assert_string_equal(buffer, "3us");
    tfprof_metric_figure(TFPROF_METRIC_BYTES, 1200000, buffer, sizeof(buffer));
    assert_string_equal(buffer, "1.20MB");
    tfprof_metric_figure(TFPROF_METRIC_DEFINED, 1234, buffer, sizeof(buffer));
    assert_string_equal(buffer, "1.23k");
    tfprof_metric_figure(TFPROF_METRIC_PARAMS, INT64_MAX, buffer,
                         sizeof(buffer));
    assert_memory_equal(buffer, ">=", 2);
    tfprof_metric_figure(TFPROF_METRIC_MICROS, 12345, buffer, 4);
    assert_string_equal(buffer, "12.");
    tfprof_share_figure(1, 3, buffer, sizeof(buffer));
    assert_string_equal(buffer, "33.3%");
    tfprof_share_figure(5, 0, buffer, sizeof(buffer));
    assert_string_equal(buffer, "0.0%");
}
