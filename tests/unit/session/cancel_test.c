/*
 * cancel_test.c - a question that is cancelled ends soon: large answers ask
 * again and again whether they are still wanted, also while they write nothing.
 */
#include "sample_messages.h"

#include <sys/stat.h>
#include <unistd.h>

#include "profiling.h"

enum { NODES = 8000, ROUNDS = 1024, BUFFER = 16 << 10 };

/* ---- A model ------------------------------------------------------------ */

/* A chain of nodes, each with a run on an accelerator. */
static void load(void)
{
    wire_bytes graph = { 0 }, run = { 0 };
    size_t step = wire_open(&run, 1), device = wire_open(&run, 1);
    char name[32], last[32] = "";
    wire_text(&run, 1, "/device:GPU:0");
    for (int i = 0; i < NODES; i++) {
        snprintf(name, sizeof(name), "n%d", i);
        sample_node(&graph, 1, name, "Relu", i > 0 ? last : NULL);
        wire_put(&run, "2{1'%s' 2:%d 4:5 5:5 6{1'gpu' 2:100 5:1000}}", name,
                 1000000 + 200 * i);
        memcpy(last, name, sizeof(last));
    }
    wire_close(&run, device);
    wire_close(&run, step);
    add("graph_path", &graph);
    add("run_meta_path", &run);
    set("max_depth", "1000000");
    set("step", "0");
}

PROFILE_FIXTURE(load)

/* ---- Questions ---------------------------------------------------------- */

typedef struct question {
    const char *view; /* NULL: flops */
    const char *option, *value;
    const char *format;
} question;

typedef struct asks {
    size_t count, cancel_at;
    size_t bytes, calls; /* that were written */
    size_t fail_at;      /* this call of write_some() */
} asks;

static int ask(void *context)
{
    asks *a = context;
    return ++a->count == a->cancel_at;
}

static int write_some(void *context, const void *data, size_t size)
{
    asks *a = context;
    (void)data;
    a->bytes += size;
    return ++a->calls == a->fail_at ? -1 : 0;
}

static int answer(const question *q, asks *a, tfprof_error *err)
{
    tfprof_profile_on_cancel(p, ask, a);
    set("format", q->format);
    set(q->option, q->value);
    return q->view ? tfprof_profile_write_view(p, q->view, write_some, a, err)
                   : tfprof_profile_write_flops(p, write_some, a, err);
}

/* ---- What is asked ------------------------------------------------------ */

#define FILE_OF "answer" /* in a folder of its own */

/* More asks than what is written needs, and than a small answer to the same
 * question: so many for each thousand of nodes. */
static void check_asks(const question *q, const question *small, size_t passes)
{
    asks all = { 0 }, few = { 0 };
    struct stat file = { 0 };
    tfprof_error err;
    assert_ok(answer(q, &all, &err));
    if (stat(FILE_OF, &file) == 0)
        all.bytes += (size_t)file.st_size;
    unlink(FILE_OF);
    assert_ok(answer(small, &few, &err));
    assert_true(all.bytes > 4 * BUFFER);
    assert_true(all.count + 8 >=
                few.count + all.bytes / BUFFER + passes * (NODES / ROUNDS));
}

TEST(OP_05_lists_of_flops_ask_in_both_passes)
{
    static const char *const lists[] = { "nodes", "tensors" };
    const question small = { NULL, "list", "types", "csv" };
    for (size_t i = 0; i < 2; i++) {
        question q = { NULL, "list", lists[i], "text" };
        check_asks(&q, &small, 2);
        q.format = "csv";
        check_asks(&q, &small, 1);
        q.format = "json";
        check_asks(&q, &small, 1);
    }
}

TEST(OP_05_timelines_ask_in_every_part)
{
    question q = { "graph", "output", "timeline:outfile=" FILE_OF, "text" };
    question small = { "graph", "output", "none", "text" };
    check_asks(&q, &small, 7); /* slices, arrows, memory */
    q.view = small.view = "scope";
    check_asks(&q, &small, 1);
}

/* ---- What becomes of it ------------------------------------------------- */

static const question questions[] = {
    { NULL, "list", "nodes", "text" },
    { NULL, "list", "tensors", "json" },
    { NULL, "list", "variables", "csv" },
    { "graph", "output", "timeline:outfile=" FILE_OF, "text" },
    { "scope", "output", "timeline:outfile=" FILE_OF, "text" },
    { "scope", "output", "pprof:outfile=" FILE_OF, "text" },
    { "scope", "output", "profile:outfile=" FILE_OF, "text" },
    { "scope", "output", "folded:outfile=" FILE_OF, "text" },
    { "scope", "output", "speedscope:outfile=" FILE_OF, "text" },
    { "scope", "output", "html:outfile=" FILE_OF, "text" },
    { "scope", "output", "parquet:outfile=" FILE_OF, "text" },
    { "op", "output", "stdout", "text" },
    { "scope", "output", "stdout", "proto" },
    { "op", "output", "stdout", "proto" },
};
enum { QUESTIONS = COUNT(questions) };

/* The callback says it only once. */
TEST(OP_05_large_answers_end_at_any_ask)
{
    enum { PLACES = 20 };
    for (size_t i = 0; i < QUESTIONS; i++) {
        asks quiet = { 0 };
        tfprof_error err;
        tfprof_profile_set(p, "output", "stdout", NULL);
        /* The first answer also takes the census, which is kept. */
        for (int again = 0; again < 2; again++) {
            quiet = (asks){ 0 };
            assert_ok(answer(&questions[i], &quiet, &err));
            unlink(FILE_OF);
        }
        for (size_t k = 1; k <= PLACES; k++) {
            asks a = { .cancel_at = 1 + (quiet.count - 1) * k / PLACES };
            assert_int_equal(answer(&questions[i], &a, &err),
                             TFPROF_ERR_CANCELLED);
            assert_int_equal(a.count, a.cancel_at); /* it is not asked again */
            assert_int_not_equal(access(FILE_OF, F_OK), 0);
        }
    }
}

/* At every ask, those of the census among them. */
TEST(OP_05_first_answers_can_be_cancelled_and_asked_again)
{
    static const question all[] = {
        { "scope", "output", "stdout", "csv" },
        { "op", "output", "stdout", "proto" },
        { NULL, "list", "types", "csv" },
    };
    EACH(row, all) {
        asks quiet = { 0 };
        for (size_t at = 0; at <= quiet.count; at++) {
            asks a = { .cancel_at = at };
            tfprof_error err;
            restart();
            assert_int_equal(answer(row, &a, &err),
                             at ? TFPROF_ERR_CANCELLED : TFPROF_OK);
            if (at == 0)
                quiet = a;
            a = (asks){ 0 };
            assert_ok(answer(row, &a, &err));
            assert_int_equal(a.bytes, quiet.bytes);
        }
    }
}

TEST(OU_03_nothing_is_asked_or_sent_after_a_failure)
{
    static const char *const lists[] = { "nodes", "tensors", "uncounted" };
    static const char *const formats[] = { "text", "json", "csv" };
    for (size_t i = 0; i < 9; i++) {
        question q = { NULL, "list", lists[i / 3], formats[i % 3] };
        asks quiet = { 0 }, a = { .fail_at = 1 };
        tfprof_error err;
        assert_ok(answer(&q, &quiet, &err));
        assert_int_equal(answer(&q, &a, &err), TFPROF_ERR_OUTPUT);
        assert_int_equal(a.calls, 1);
        assert_true(a.count <= quiet.count);
    }
}
