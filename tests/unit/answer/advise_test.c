/*
 * advise_test.c - what each checker finds in small models, and what a finding
 * says of it.
 */
#include "costing.h"

#include "advise/advise.h"
#include "options/options.h"
#include "output/advice/advice.h"

#define OTHER   "/job:w/replica:0/task:0/device:GPU:1"
#define LIBRARY "/usr/lib/python3/dist-packages/tensorflow/python/ops.py"

enum { UTILIZATION, EXPENSIVE, JOB = 5, OPERATION };

FIXTURE(loading, l);

/* ---- Messages ----------------------------------------------------------- */

static void add_layout(const char *name, const char *layout)
{
    wire_bytes b = { 0 };
    wire_put(&b, "1{1'%s' 2'Conv2D' 5{1'data_format' 2{2'%s'}}}", name, layout);
    add(&l, "graph_path", &b);
}

/* A line of a stack. */
typedef struct code_line {
    const char *file;
    int64_t line;
    const char *function;
} code_line;

static void add_trace(const char *name, const code_line *lines, size_t count)
{
    wire_bytes b = { 0 };
    size_t entry = wire_open(&b, 1), code;
    wire_text(&b, 1, name);
    code = wire_open(&b, 4);
    for (size_t i = 0; i < count; i++) {
        wire_put(&b, "1{1'%s' 2:%jd 3'%s'}", lines[i].file, lines[i].line,
                 lines[i].function);
    }
    wire_close(&b, code);
    wire_close(&b, entry);
    add(&l, "op_log_path", &b);
}

#define ADD_TRACE(name, ...)                                                   \
    add_trace(name, (const code_line[]){ __VA_ARGS__ },                        \
              sizeof((const code_line[]){ __VA_ARGS__ }) / sizeof(code_line))

/* ---- Asking ------------------------------------------------------------- */

typedef struct asked {
    loading *l;
    tfp_census census;
    tfp_advice advice;
    int status;
    tfprof_error err;
} asked;

static asked ask(int64_t checkers)
{
    asked a = { .l = &l };
    assert_ok(tfp_census_init(&a.census, &l.model, &l.memory, NULL, NULL));
    a.status = tfp_advise(&a.advice, &a.census, NULL, checkers, NULL, &a.err);
    return a;
}

static void drop(asked *a)
{
    tfp_advice_release(&a->advice);
    tfp_census_release(&a->census);
}

/* The finding of that number, from 0, of a checker that has it. */
static const tfp_finding *finding(const asked *a, uint32_t checker,
                                  uint32_t number)
{
    const tfp_checker_report *report = NULL;
    while ((report = tfp_advice_next(&a->advice, checker, report))) {
        if (number < report->count)
            return &a->advice.findings.data[report->first + number];
        number -= report->count;
    }
    fail_msg("there are not so many findings");
    return NULL;
}

static size_t count_of(const asked *a, uint32_t checker)
{
    const tfp_checker_report *report = NULL;
    size_t count = 0;
    while ((report = tfp_advice_next(&a->advice, checker, report)))
        count += report->count;
    return count;
}

/* As files have it. */
static int write_plain(const tfp_advice *advice, tfp_sink *sink,
                       tfprof_error *err)
{
    static const tfp_style plain = { 0 };
    return tfp_advice_write_text(advice, &plain, sink, err);
}

/* All of the text, which has no byte 0. */
static void check_text(const asked *a, const char *expected)
{
    wire_bytes text = { 0 };
    tfp_sink sink;
    tfp_sink_init(&sink, wire_keep, &text);
    assert_ok(write_plain(&a->advice, &sink, NULL));
    assert_true(tfp_sink_flush(&sink));
    wire_byte(&text, 0);
    assert_string_equal((const char *)text.data, expected);
    wire_free(&text);
}

static void check_where(const asked *a, const tfp_finding *f, const char *node,
                        const char *file, int line)
{
    const tfp_model *model = &a->l->model;
    assert_true(tfp_span_is(tfp_model_text(model, f->node), node));
    assert_true(tfp_span_is(tfp_model_text(model, f->file), file));
    assert_int_equal(f->line, line);
}

/* Asks about what is loaded, for the block that follows. */
#define ASK(a, checkers)                                                       \
    for (asked a = ask(checkers); a.l; drop(&a), a.l = NULL)

/* ---- The table ---------------------------------------------------------- */

TEST(the_words_of_the_option_are_the_checkers_by_name)
{
    const char *words = tfp_option_find("checkers")->shown.values;
    for (size_t i = 0; i < TFP_CHECKERS; i++) {
        const char *name = tfp_checkers[i]->name;
        size_t size = strcspn(words, "|");
        assert_int_equal(size, strlen(name));
        assert_memory_equal(words, name, size);
        words += size + (words[size] == '|');
        if (i > 0)
            assert_true(strcmp(tfp_checkers[i - 1]->name, name) < 0);
    }
    assert_int_equal(*words, 0);
}

TEST(the_job_checker_says_nothing)
{
    add_node(&l, "a", "NoOp");
    ASK(a, 1 << JOB) {
        assert_ok(a.status);
        assert_false(a.advice.misses_runs);
        check_text(&a, "");
    }
}

TEST(without_runs_only_operations_are_looked_at)
{
    add_node(&l, "BatchNorm", "Mul");
    ASK(a, 1 << EXPENSIVE | 1 << UTILIZATION | 1 << JOB) {
        assert_int_equal(a.status, TFPROF_ERR_MISSING);
        assert_non_null(strstr(a.err.message, "AcceleratorUtilization"));
    }
    ASK(a, TFP_CHECK_ALL) {
        assert_ok(a.status);
        assert_true(a.advice.misses_runs);
        assert_int_equal(a.advice.findings.count, 1);
        assert_int_equal(count_of(&a, OPERATION), 1);
    }
    ASK(a, 1 << OPERATION) {
        assert_ok(a.status);
        assert_false(a.advice.misses_runs);
    }
}

/* ---- Utilization -------------------------------------------------------- */

static void check_usage(const tfp_finding *f, const char *device, int64_t busy,
                        int64_t whole)
{
    assert_int_equal(f->kind, TFP_FINDING_DEVICE);
    assert_true(tfp_span_is(f->name, device));
    assert_int_equal(f->micros, busy);
    assert_int_equal(f->whole_micros, whole);
}

TEST(a_device_is_busy_while_its_streams_are)
{
    add_node(&l, "slow", "MatMul");
    ADD_STEP(
        &l, { .device = GPU, .name = "a", .start = 1000, .end = 10 },
        { .device = STREAM, .name = "a", .start = 1020, .end = 30 },
        { .device = STREAM, .name = "a", .start = 1100, .end = 0 },
        { .device = GPU "/stream:7", .name = "a", .start = 1000, .end = 200 },
        { .device = CPU, .name = "slow", .start = 1, .end = 5000 });
    ASK(a, 1 << UTILIZATION) {
        const tfp_finding *f = finding(&a, UTILIZATION, 0);
        assert_int_equal(a.advice.findings.count, 1);
        check_usage(f, "/job:w/replica:0/task:0/device:gpu:0", 31, 200);
        check_where(&a, f, "slow", "", 0); /* the CPU keeps it waiting */
        check_text(&a, "\nAcceleratorUtilizationChecker:\n"
                       "device: /job:w/replica:0/task:0/device:gpu:0 low "
                       "utilization: 0.15\n"
                       "    where: slow\n"
                       "    try: prefetched input, larger batches, less "
                       "work on the host\n");
    }
}

TEST(devices_come_by_name_and_half_is_not_low)
{
    ADD_STEP(&l, { .device = OTHER, .name = "b", .start = 10, .end = 100 },
             { .device = STREAM, .name = "b", .start = 10, .end = 50 },
             { .device = GPU, .name = "a", .start = 10, .end = 100 },
             { .device = STREAM, .name = "a", .start = 10, .end = 49 });
    ASK(a, 1 << UTILIZATION) {
        assert_int_equal(a.advice.findings.count, 2);
        check_usage(finding(&a, UTILIZATION, 0),
                    "/job:w/replica:0/task:0/device:gpu:0", 49, 100);
        check_usage(finding(&a, UTILIZATION, 1),
                    "/job:w/replica:0/task:0/device:gpu:1", 50, 100);
        assert_true(tfp_finding_share(finding(&a, UTILIZATION, 1)) >=
                    TFP_LOW_SHARE);
        check_where(&a, finding(&a, UTILIZATION, 1), "b", "", 0);
    }
}

/* Steps are numbered 0, 1, 2 as they come; of "a" the last is 1. */
TEST(of_each_node_the_last_step_counts)
{
    ADD_STEP(&l, { .device = GPU, .name = "a", .start = 10, .end = 900 },
             { .device = STREAM, .name = "a", .start = 10, .end = 900 });
    ADD_STEP(&l, { .device = GPU, .name = "a", .start = 5000, .end = 60 },
             { .device = GPU, .name = "b", .start = 10, .end = 900 });
    ADD_STEP(&l, { .device = GPU, .name = "b", .start = 5050, .end = 50 },
             { .device = STREAM, .name = "b", .start = 5050, .end = 25 });
    ASK(a, 1 << UTILIZATION) {
        assert_int_equal(a.advice.findings.count, 1);
        check_usage(finding(&a, UTILIZATION, 0),
                    "/job:w/replica:0/task:0/device:gpu:0", 25, 100);
    }
}

TEST(without_an_accelerator_or_a_time_nothing_is_said)
{
    ADD_STEP(&l, { .device = CPU, .name = "a", .start = 10, .end = 900 });
    ASK(a, 1 << UTILIZATION) {
        check_text(&a, "\nAcceleratorUtilizationChecker:\n");
    }
    ADD_STEP(&l, { .device = GPU, .name = "b", .start = 0, .end = 900 });
    ASK(a, 1 << UTILIZATION) {
        check_text(&a, "\nAcceleratorUtilizationChecker:\n");
    }
}

TEST(GR_11_a_share_of_any_times_is_a_number)
{
    static const int64_t ends[] = { INT64_MIN,     -1,       0, 1, 1000,
                                    INT64_MAX - 1, INT64_MAX };
    for (size_t i = 0; i < 49; i++) {
        int64_t start = ends[i / 7], end = ends[i % 7];
        restart();
        ADD_STEP(&l, { .device = GPU, .name = "a", .start = 5, .end = 5 },
                 { .device = GPU, .name = "a", .start = start, .end = end },
                 { .device = STREAM, .name = "a", .start = 1, .end = end },
                 { .device = STREAM, .name = "b", .start = 1, .end = end });
        ASK(a, TFP_CHECK_ALL) {
            wire_bytes text = { 0 };
            tfp_sink sink;
            assert_ok(a.status);
            tfp_sink_init(&sink, wire_keep, &text);
            write_plain(&a.advice, &sink, NULL);
            tfp_sink_flush(&sink);
            assert_null(tfp_span_find(wire_span(&text), "nan"));
            assert_null(tfp_span_find(wire_span(&text), "inf"));
            wire_free(&text);
        }
    }
}

/* ---- Expensive operations ----------------------------------------------- */

TEST(types_and_nodes_come_by_their_time)
{
    add_node(&l, "n1", "Mul");
    add_node(&l, "n2", "Mul");
    add_node(&l, "n3", "MatMul");
    add_node(&l, "n4", "Conv2D");
    add_node(&l, "n5", "Relu");
    add_node(&l, "scope/n6", "Relu");
    ADD_STEP(&l, { .device = CPU, .name = "n1", .start = 5, .end = 30 },
             { .device = CPU, .name = "n2", .start = 5, .end = 70 },
             { .device = CPU, .name = "n3", .start = 5, .end = 90 },
             { .device = CPU, .name = "n4", .start = 5, .end = 1 },
             { .device = CPU, .name = "scope/n6", .start = 5, .end = 70 });
    ASK(a, 1 << EXPENSIVE) {
        assert_true(a.advice.misses_traces);
        assert_int_equal(finding(&a, EXPENSIVE, 0)->node_count, 2);
        check_text(
            &a, "\nExpensiveOperationChecker:\n"
                "top 1 operation type: Mul, cpu: 100us, accelerator: 0us, "
                "total: 100us (38.31%)\n"
                "    where: n2 and 1 more\n"
                "    try: fuse it with adjacent operations: "
                "tf.function(jit_compile=True)\n"
                "top 2 operation type: MatMul, cpu: 90us, accelerator: 0us, "
                "total: 90us (34.48%)\n"
                "    where: n3\n"
                "    try: narrower layers, batches that fill the device, half "
                "precision\n"
                "top 3 operation type: Relu, cpu: 70us, accelerator: 0us, "
                "total: 70us (26.82%)\n"
                "    where: scope/n6 and 1 more\n"
                "    try: fuse it with adjacent operations: "
                "tf.function(jit_compile=True)\n"
                "top 1 graph node: n3, cpu: 90us, accelerator: 0us, total: "
                "90us\n"
                "    where: n3\n"
                "    try: narrower layers, batches that fill the device, half "
                "precision\n"
                "top 2 graph node: n2, cpu: 70us, accelerator: 0us, total: "
                "70us\n"
                "    where: n2\n"
                "    try: fuse it with adjacent operations: "
                "tf.function(jit_compile=True)\n"
                "top 3 graph node: scope/n6, cpu: 70us, accelerator: 0us, "
                "total: 70us\n"
                "    where: scope/n6\n"
                "    try: fuse it with adjacent operations: "
                "tf.function(jit_compile=True)\n");
    }
}

/* 3 of 800 are 0.375 of a hundred; upstream divides by a little more. */
TEST(a_share_that_ends_in_a_half_is_rounded_as_upstream_does)
{
    ADD_STEP(&l, { .device = CPU, .name = "a", .start = 5, .end = 797 },
             { .device = CPU, .name = "b", .start = 5, .end = 3 });
    ASK(a, 1 << EXPENSIVE) {
        wire_bytes text = { 0 };
        tfp_sink sink;
        tfp_sink_init(&sink, wire_keep, &text);
        write_plain(&a.advice, &sink, NULL);
        tfp_sink_flush(&sink);
        assert_non_null(tfp_span_find(wire_span(&text), "(0.37%)"));
        wire_free(&text);
    }
}

/* main.py:1 calls lines 2 and 3; below 2 one line only, below 3 two. */
static void load_calls(void)
{
    static const char main_py[] = "/src/main.py";
    ADD_TRACE("a", { main_py, 1, "run" }, { main_py, 2, "f" },
              { LIBRARY, 7, "op" });
    ADD_TRACE("b", { main_py, 1, "run" }, { main_py, 3, "f" },
              { main_py, 8, "g" });
    ADD_TRACE("c", { main_py, 1, "run" }, { main_py, 3, "f" },
              { main_py, 9, "g" });
    ADD_TRACE("gradients/a_grad/x", { main_py, 50, "minimize" });
}

static void add_calls(int64_t a, int64_t b, int64_t c)
{
    add_node(&l, "a", "MatMul");
    add_node(&l, "b", "MatMul");
    add_node(&l, "c", "MatMul");
    add_node(&l, "gradients/a_grad/x", "MatMul");
    load_calls();
    ADD_STEP(&l, { .device = CPU, .name = "a", .start = 5, .end = a },
             { .device = CPU, .name = "b", .start = 5, .end = b },
             { .device = CPU, .name = "c", .start = 5, .end = c });
}

TEST(lines_of_code_begin_where_calls_part)
{
    add_calls(5000, 1000, 999);
    ASK(a, 1 << EXPENSIVE) {
        const tfp_finding *f = finding(&a, EXPENSIVE, 4);
        assert_int_equal(count_of(&a, EXPENSIVE), 7);
        assert_true(tfp_span_is(f->name, "main.py:2:f"));
        assert_int_equal(f->depth, 0);
        check_where(&a, f, "a", "/src/main.py", 2); /* not the library */
        f = finding(&a, EXPENSIVE, 5);
        assert_true(tfp_span_is(f->name, "main.py:3:f"));
        assert_int_equal(f->micros, 1999);
        assert_int_equal(f->node_count, 2);
        check_where(&a, f, "b", "/src/main.py", 8);
        f = finding(&a, EXPENSIVE, 6);
        assert_true(tfp_span_is(f->name, "main.py:8:g"));
        assert_int_equal(f->depth, 1);
        assert_int_equal(f->micros, 1000); /* c is a bit too quick */
    }
}

TEST(lines_that_are_all_quick_leave_an_empty_report)
{
    add_calls(500, 100, 99);
    ASK(a, 1 << EXPENSIVE) {
        assert_int_equal(a.advice.reports.count, 3);
        assert_int_equal(a.advice.reports.data[2].count, 0);
    }
}

TEST(a_gradient_is_changed_where_its_operation_is_made)
{
    add_calls(1, 1, 1);
    ADD_STEP(&l, { .device = CPU,
                   .name = "gradients/a_grad/x",
                   .start = 5,
                   .end = 900 });
    ASK(a, 1 << EXPENSIVE) {
        check_where(&a, finding(&a, EXPENSIVE, 0), "gradients/a_grad/x",
                    "/src/main.py", 2);
    }
}

TEST(what_computes_belongs_on_the_accelerator)
{
    add_node(&l, "a", "MatMul");
    add_node(&l, "b", "PyFunc");
    ADD_STEP(&l, { .device = CPU, .name = "a", .start = 5, .end = 90 },
             { .device = CPU, .name = "b", .start = 5, .end = 80 },
             { .device = GPU, .name = "c", .start = 5, .end = 1 });
    ASK(a, 1 << EXPENSIVE) {
        assert_non_null(strstr(finding(&a, EXPENSIVE, 0)->hint, "accelerator"));
        assert_non_null(strstr(finding(&a, EXPENSIVE, 1)->hint, "Python"));
    }
}

/* ---- Operations --------------------------------------------------------- */

static void check_operations(int batch_norm, int layout)
{
    ASK(a, 1 << OPERATION) {
        uint32_t next = 0;
        assert_int_equal(count_of(&a, OPERATION), batch_norm + layout);
        if (batch_norm)
            assert_int_equal(finding(&a, OPERATION, next++)->kind,
                             TFP_FINDING_BATCH_NORM);
        if (layout)
            assert_int_equal(finding(&a, OPERATION, next)->kind,
                             TFP_FINDING_LAYOUT);
    }
}

TEST(batch_norm_in_parts_is_found_unless_one_is_fused)
{
    add_node(&l, "batchnorm/x", "Mul");
    check_operations(0, 0);
    add_node(&l, "l/BatchNorm/x", "Mul");
    check_operations(1, 0);
    add_node(&l, "l/BatchNorm/FusedBatchNormV3", "FusedBatchNormV3");
    check_operations(1, 0);
    ASK(a, 1 << OPERATION) {
        check_where(&a, finding(&a, OPERATION, 0),
                    "l/BatchNorm/FusedBatchNormV3", "", 0);
        assert_non_null(strstr(finding(&a, OPERATION, 0)->hint, "no change"));
    }
    add_node(&l, "other", "FusedBatchNorm");
    check_operations(0, 0);
}

TEST(a_type_of_the_log_may_be_the_fused_one)
{
    wire_bytes b = { 0 };
    size_t entry = wire_open(&b, 1);
    add_node(&l, "l/BatchNorm/x", "Mul");
    wire_text(&b, 1, "l/BatchNorm/x");
    wire_text(&b, 3, "FusedBatchNorm");
    wire_close(&b, entry);
    add(&l, "op_log_path", &b);
    check_operations(0, 0);
}

TEST(channels_last_are_found_on_an_accelerator)
{
    add_layout("a", "NHWC");
    add_layout("b", "NHWC");
    add_layout("c", "NCHW");
    check_operations(0, 0);
    ADD_STEP(&l, { .device = CPU, .name = "a", .start = 5, .end = 9 },
             { .device = GPU, .name = "c", .start = 5, .end = 9 });
    check_operations(0, 0);
    ADD_STEP(&l, { .device = GPU, .name = "b", .start = 5, .end = 9 });
    check_operations(0, 1);
    ASK(a, 1 << OPERATION) {
        assert_int_equal(finding(&a, OPERATION, 0)->node_count, 1);
        check_where(&a, finding(&a, OPERATION, 0), "b", "", 0);
    }
}

/* ---- Memory ------------------------------------------------------------- */

/* All that can be found. */
static void load_everything(void)
{
    add_calls(5000, 4000, 3000);
    add_layout("l/BatchNorm/x", "NHWC");
    ADD_STEP(&l,
             { .device = GPU, .name = "l/BatchNorm/x", .start = 5, .end = 9 },
             { .device = OTHER, .name = "y", .start = 5, .end = 9 },
             { .device = STREAM, .name = "y", .start = 5, .end = 9 });
}

typedef int write_fn(const tfp_advice *advice, tfp_sink *sink,
                     tfprof_error *err);

static write_fn *const forms[] = { write_plain, tfp_advice_write_json,
                                   tfp_advice_write_proto };

enum { FORMS = COUNT(forms) };

static int write_everything(write_fn *write)
{
    wire_bytes text = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    tfp_sink sink;
    asked a = { .l = &l };
    tfp_sink_init(&sink, wire_keep, &text);
    a.status = tfp_census_init(&a.census, &l.model, &l.memory, NULL, &err);
    a.advice.memory = &l.memory;
    if (a.status == TFPROF_OK)
        a.status = tfp_advise(&a.advice, &a.census, NULL, TFP_CHECK_ALL, NULL,
                              &err);
    if (a.status == TFPROF_OK)
        a.status = write(&a.advice, &sink, &err);
    assert_int_equal(err.code, a.status);
    drop(&a);
    wire_free(&text);
    return a.status;
}

TEST(ME_01_the_kth_allocation_of_advice_fails)
{
    size_t failures = 0;
    for (int form = 0; form < 2 * FORMS; form++) {
        restart();
        size_t k = 1, held;
        load_everything();
        assert_ok(write_everything(forms[form % FORMS]));
        held = l.memory.held;
        for (;; k++) {
            int status;
            l.counts.calls = l.counts.refused = 0;
            l.counts.fail_at = k;
            l.counts.from_then_on = form / FORMS;
            status = write_everything(forms[form % FORMS]);
            l.counts.fail_at = 0;
            assert_int_equal(l.memory.held, held);
            if (l.counts.refused == 0)
                break;
            assert_int_equal(status, TFPROF_ERR_NOMEM);
            failures++;
        }
        assert_true(k > 30);
    }
    print_message("%zu failures\n", failures);
}
