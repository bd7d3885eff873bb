/*
 * findings_test.c - advice that a caller keeps.
 *
 * That each value is the one of the JSON answer, python/tests/test_findings.py
 * sees to.
 */
#include "counting.h"
#include "sample_messages.h"

/* ---- A model ------------------------------------------------------------ */

#define ODD "odd\xff\xc3"

static void add(tfprof_profile *p, const char *role, wire_bytes *b)
{
    tfprof_error err;
    must(tfprof_profile_add_memory(p, role, b->data, b->size, role, &err),
         &err);
    wire_free(b);
}

static void add_run(wire_bytes *b, const char *name, int64_t micros)
{
    size_t step = wire_open(b, 1), device = wire_open(b, 1), exec;
    wire_text(b, 1, "/job:w/replica:0/task:0/device:CPU:0");
    exec = wire_open(b, 2);
    wire_text(b, 1, name);
    wire_int(b, 2, 1000);
    wire_int(b, 4, micros);
    wire_int(b, 5, micros);
    wire_close(b, exec);
    wire_close(b, device);
    wire_close(b, step);
}

static tfprof_profile *load(counting *memory)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    wire_bytes graph = { 0 }, run = { 0 };
    assert_non_null(p);
    sample_node(&graph, 1, "slow", "MatMul", NULL);
    sample_node(&graph, 1, ODD, "Add", NULL);
    add_run(&run, "slow", 9000);
    add_run(&run, ODD, 1000);
    add(p, "graph_path", &graph);
    add(p, "run_meta_path", &run);
    assert_ok(
        tfprof_profile_set(p, "checkers", "ExpensiveOperationChecker", NULL));
    return p;
}

static bool is(tfprof_text text, const char *expected)
{
    assert_non_null(text.data);
    return text.size == strlen(expected) &&
           !memcmp(text.data, expected, text.size);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(findings_outlive_their_profile)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory);
    tfprof_advice *advice;
    tfprof_finding f;
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    tfprof_profile_free(p);
    assert_int_equal(tfprof_advice_count(advice), 4); /* types, then nodes */
    assert_ok(tfprof_advice_at(advice, 0, &f));
    assert_string_equal(f.checker, "ExpensiveOperationChecker");
    assert_string_equal(f.kind, "type");
    assert_true(is(f.name, "MatMul"));
    assert_true(is(f.report,
                   "top 1 operation type: MatMul, cpu: 9.00ms, accelerator: "
                   "0us, total: 9.00ms (90.00%)"));
    assert_true(is(f.node, "slow"));
    assert_true(is(f.file, ""));
    assert_true(f.hint.size > 0);
    assert_int_equal(f.line, 0);
    assert_int_equal(f.nodes, 1);
    assert_int_equal(f.rank, 1);
    assert_int_equal(f.micros, 9000);
    assert_int_equal(f.cpu_micros, 9000);
    assert_int_equal(f.accelerator_micros, 0);
    assert_int_equal(f.whole_micros, 10000);
    tfprof_advice_free(advice);
    counting_check(&memory);
}

TEST(texts_are_valid_utf8)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory);
    tfprof_advice *advice;
    tfprof_finding f;
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    assert_ok(tfprof_advice_at(advice, 3, &f));
    assert_string_equal(f.kind, "node");
    assert_true(is(f.name, "odd\\xff\\xc3"));
    assert_true(is(f.node, "odd\\xff\\xc3"));
    assert_true(is(f.report, "top 2 graph node: odd\\xff\\xc3, cpu: 1.00ms, "
                             "accelerator: 0us, total: 1.00ms"));
    tfprof_advice_free(advice);
    tfprof_profile_free(p);
    counting_check(&memory);
}

TEST(past_the_last_finding_nothing_changes)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory);
    tfprof_advice *advice;
    tfprof_finding f = { .line = 7 };
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    assert_int_equal(tfprof_advice_at(advice, 4, &f), TFPROF_ERR_MISSING);
    assert_int_equal(tfprof_advice_at(advice, SIZE_MAX, &f),
                     TFPROF_ERR_MISSING);
    assert_int_equal(f.line, 7);
    tfprof_advice_free(advice);
    tfprof_advice_free(NULL);
    tfprof_profile_free(p);
    counting_check(&memory);
}

TEST(neither_output_nor_format_has_a_say)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory);
    tfprof_advice *advice;
    assert_ok(tfprof_profile_set(p, "format", "csv", NULL));
    assert_ok(
        tfprof_profile_set(p, "output", "timeline:outfile=/nowhere/f", NULL));
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    assert_int_equal(tfprof_advice_count(advice), 4);
    tfprof_advice_free(advice);
    tfprof_profile_free(p);
    counting_check(&memory);
}

TEST(a_question_without_an_answer_leaves_null)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_advice *advice = (void *)p;
    tfprof_error err = { .code = TFPROF_OK };
    assert_int_equal(tfprof_profile_advise(p, &advice, &err),
                     TFPROF_ERR_MISSING);
    assert_int_equal(err.code, TFPROF_ERR_MISSING);
    assert_null(advice);
    tfprof_profile_free(p);
}

TEST(what_is_no_advice_has_no_findings)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory);
    const tfprof_advice *other = (const void *)p;
    tfprof_error err = { .code = TFPROF_OK };
    tfprof_finding f;
    assert_int_equal(tfprof_profile_advise(p, NULL, &err), TFPROF_ERR_OPTION);
    assert_int_equal(err.code, TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_advice_count(NULL), 0);
    assert_int_equal(tfprof_advice_count(other), 0);
    assert_int_equal(tfprof_advice_at(NULL, 0, &f), TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_advice_at(other, 0, &f), TFPROF_ERR_OPTION);
    tfprof_advice_free((void *)p);
    tfprof_profile_free(p);
    counting_check(&memory);
}
