/*
 * findings_test.c - advice that a caller keeps.
 *
 * That each value is the one of the JSON answer, python/tests/test_findings.py
 * sees to.
 */
#include "sample_messages.h"

#include "profiling.h"

/* ---- A model ------------------------------------------------------------ */

#define ODD "odd\xff\xc3"

static void add_run(wire_bytes *b, const char *name, int64_t micros)
{
    wire_put(b,
             "1{1{1'/job:w/replica:0/task:0/device:CPU:0' "
             "2{1'%s' 2:1000 4:%jd 5:%jd}}}",
             name, micros, micros);
}

static void load(void)
{
    wire_bytes graph = { 0 }, run = { 0 };
    sample_node(&graph, 1, "slow", "MatMul", NULL);
    sample_node(&graph, 1, ODD, "Add", NULL);
    add_run(&run, "slow", 9000);
    add_run(&run, ODD, 1000);
    add("graph_path", &graph);
    add("run_meta_path", &run);
    set("checkers", "ExpensiveOperationChecker");
}

PROFILE_FIXTURE(load)

static bool is(tfprof_text text, const char *expected)
{
    assert_non_null(text.data);
    return text.size == strlen(expected) &&
           !memcmp(text.data, expected, text.size);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(findings_outlive_their_profile)
{
    tfprof_advice *advice;
    tfprof_finding f;
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    free_profile();
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
}

TEST(texts_are_valid_utf8)
{
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
}

TEST(past_the_last_finding_nothing_changes)
{
    tfprof_advice *advice;
    tfprof_finding f = { .line = 7 };
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    assert_int_equal(tfprof_advice_at(advice, 4, &f), TFPROF_ERR_MISSING);
    assert_int_equal(tfprof_advice_at(advice, SIZE_MAX, &f),
                     TFPROF_ERR_MISSING);
    assert_int_equal(f.line, 7);
    tfprof_advice_free(advice);
    tfprof_advice_free(NULL);
}

TEST(neither_output_nor_format_has_a_say)
{
    tfprof_advice *advice;
    set("format", "csv");
    set("output", "timeline:outfile=/nowhere/f");
    assert_ok(tfprof_profile_advise(p, &advice, NULL));
    assert_int_equal(tfprof_advice_count(advice), 4);
    tfprof_advice_free(advice);
}

TEST(a_question_without_an_answer_leaves_null)
{
    tfprof_profile *bare = tfprof_profile_new();
    tfprof_advice *advice = (void *)bare;
    tfprof_error err = { .code = TFPROF_OK };
    assert_int_equal(tfprof_profile_advise(bare, &advice, &err),
                     TFPROF_ERR_MISSING);
    assert_int_equal(err.code, TFPROF_ERR_MISSING);
    assert_null(advice);
    tfprof_profile_free(bare);
}

TEST(what_is_no_advice_has_no_findings)
{
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
}
