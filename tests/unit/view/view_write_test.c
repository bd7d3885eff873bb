/*
 * view_write_test.c - every write of a view's answer fails once, and every
 * time that a cancel is asked for it comes once.
 */
#include "sample_messages.h"

#include "profiling.h"

enum { LINES = 600 };

static void check_error(const tfprof_error *err, tfprof_code code)
{
    assert_int_equal(err->code, code);
    assert_true(err->message[0] && !strchr(err->message, '\n'));
}

typedef struct writes {
    size_t calls, fail_at;
    wire_bytes answer;
} writes;

static int write_some(void *context, const void *data, size_t size)
{
    writes *w = context;
    if (++w->calls == w->fail_at)
        return -1;
    wire_raw(&w->answer, data, size);
    return 0;
}

/* So many nodes, operations and lines that answers need more than a write. */
static void add_lines(void)
{
    wire_bytes graph = { 0 }, log = { 0 };
    for (int i = 0; i < LINES; i++) {
        char name[80];
        snprintf(name, sizeof(name), "a_name_long_enough_to_fill_lines_%d", i);
        sample_node(&graph, 1, name, name, NULL);
        wire_put(&log, "1{1'%s' 4{1{2:%d 1'%s'}}}", name, i, name); /* a file */
    }
    add("graph_path", &graph);
    add("op_log_path", &log);
    set("max_depth", "1000");
}

PROFILE_FIXTURE(add_lines)

static void fail_each_write(const char *view)
{
    writes quiet = { 0 };
    tfprof_error err;
    assert_ok(tfprof_profile_write_view(p, view, write_some, &quiet, &err));
    assert_true(quiet.calls > 0);
    for (size_t n = 1; n <= quiet.calls; n++) {
        writes w = { .fail_at = n };
        tfp_span start = { quiet.answer.data, 0 };
        err = (tfprof_error){ .code = TFPROF_OK };
        assert_int_equal(
            tfprof_profile_write_view(p, view, write_some, &w, &err),
            TFPROF_ERR_OUTPUT);
        check_error(&err, TFPROF_ERR_OUTPUT);
        assert_int_equal(w.calls, n); /* nothing is sent after it */
        start.size = w.answer.size;
        assert_true(tfp_span_equal(wire_span(&w.answer), start));
        wire_free(&w.answer);
    }
    wire_free(&quiet.answer);
}

TEST(OU_03_the_nth_write_of_a_view_fails)
{
    static const char *const formats[] = { "text", "json", "csv", "proto" };
    EACH(row, formats) {
        set("format", *row);
        for (size_t v = 0; tfprof_view_type(v); v++)
            fail_each_write(tfprof_view_type(v));
    }
}

TEST(OU_03_a_full_device_is_told_with_its_path)
{
    writes none = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    set("output", "file:outfile=/dev/full");
    tfprof_profile_write_view(p, "scope", write_some, &none, &err);
    check_error(&err, TFPROF_ERR_OUTPUT);
    assert_non_null(
        strstr(err.message, "/dev/full: cannot write: No space left"));
    assert_int_equal(none.calls, 0);
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

static void cancel_each_ask(const char *view)
{
    asks quiet = { 0 };
    writes whole = { 0 };
    tfprof_profile_on_cancel(p, ask, &quiet);
    assert_ok(tfprof_profile_write_view(p, view, write_some, &whole, NULL));
    assert_true(quiet.count > 3);
    for (size_t n = 1; n <= quiet.count; n++) {
        asks a = { .cancel_at = n };
        writes w = { 0 };
        tfprof_error err = { .code = TFPROF_OK };
        tfprof_profile_on_cancel(p, ask, &a);
        assert_int_equal(
            tfprof_profile_write_view(p, view, write_some, &w, &err),
            TFPROF_ERR_CANCELLED);
        check_error(&err, TFPROF_ERR_CANCELLED);
        assert_true(w.answer.size < whole.answer.size);
        wire_free(&w.answer);
    }
    tfprof_profile_on_cancel(p, NULL, NULL);
    wire_free(&whole.answer);
}

TEST(OP_05_a_view_can_be_cancelled_at_every_ask)
{
    set("hide_name_regexes", "none.*");
    for (size_t v = 0; tfprof_view_type(v); v++) {
        set("format", "text");
        cancel_each_ask(tfprof_view_type(v));
        set("format", "proto");
        cancel_each_ask(tfprof_view_type(v));
    }
}

TEST(OP_05_findings_can_be_cancelled_at_every_ask)
{
    tfprof_advice *advice;
    asks quiet = { 0 };
    tfprof_profile_on_cancel(p, ask, &quiet);
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    tfprof_advice_free(advice);
    assert_true(quiet.count > 0);
    for (size_t n = 1; n <= quiet.count; n++) {
        asks a = { .cancel_at = n };
        tfprof_error err = { .code = TFPROF_OK };
        tfprof_profile_on_cancel(p, ask, &a);
        assert_int_equal(tfprof_profile_advise(p, &advice, &err),
                         TFPROF_ERR_CANCELLED);
        check_error(&err, TFPROF_ERR_CANCELLED);
        assert_null(advice);
    }
}

/* ---- Rows that are kept ------------------------------------------------- */

TEST(a_kept_view_is_the_same_in_every_format)
{
    static const char *const formats[] = { "text", "proto" };
    EACH(row, formats) {
        tfprof_view *view;
        set("format", *row);
        assert_ok(tfprof_profile_view(p, "scope", &view, NULL));
        assert_int_equal(tfprof_view_row_count(view), LINES + 1);
        for (int m = 0; tfprof_metric_name((tfprof_metric)m); m++)
            assert_int_equal(tfprof_view_has(view, (tfprof_metric)m),
                             m == TFPROF_METRIC_PARAMS);
        tfprof_view_free(view);
    }
}
