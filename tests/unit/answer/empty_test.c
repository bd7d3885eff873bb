/*
 * empty_test.c - remarks on answers that say nothing.
 *
 * They cost views of their own: when these lack memory, the answer comes all
 * the same, and that is what is remarked; when they are cancelled, the answer
 * is. They come behind the answer. What the remarks say is
 * looked at in tests/cli/view/test_view_empty.py.
 */
#include "sweeping.h"
#include "wire_build.h"

#include "view/lift.h"

static tfprof_error err;

static void set(tfprof_profile *p, const char *name, const char *value)
{
    must(tfprof_profile_set(p, name, value, &err), &err);
}

/* ---- Questions ---------------------------------------------------------- */

/* Each leaves nothing to show. */
static const char *const questions[][7] = {
    { "scope", "min_micros", "1000000", NULL },
    { "graph", "show_name_regexes", "MatMul", NULL },
    { "op", "account_type_regexes", "matmul", NULL },
    { "code", "device_regexes", "tpu,nope", NULL },
    { "scope", "min_params", "1000", "show_name_regexes", "none", NULL },
    { "op", "hide_name_regexes", ".*", "max_depth", "-1", NULL },
};

enum { QUESTIONS = COUNT(questions) };

typedef struct heard {
    size_t count;
    char last[256];
    const wire_bytes *answer;
    size_t behind; /* bytes of the answer before the last remark */
} heard;

static void hear(void *context, const char *remark)
{
    heard *h = context;
    h->count++;
    h->behind = wire_span(h->answer).size;
    snprintf(h->last, sizeof(h->last), "%s", remark);
}

static tfprof_profile *load(counting *memory, heard *h)
{
    static const char *const files[] = { "graph.pb", "run_meta", "op_log" };
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    char path[1024];
    assert_non_null(p);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s", TFPROF_TEST_DATA, files[i]);
        must(tfprof_profile_add_path(p, path, NULL, &err), &err);
    }
    tfprof_profile_on_remark(p, hear, h);
    return p;
}

static void set_question(tfprof_profile *p, const char *const *question)
{
    must(tfprof_profile_reset(p, &err), &err);
    for (size_t i = 1; question[i]; i += 2)
        set(p, question[i], question[i + 1]);
}

/* The answer to a question, and what was remarked last. */
static int ask(tfprof_profile *p, heard *h, const char *view,
               wire_bytes *answer)
{
    *h = (heard){ .answer = answer };
    *answer = (wire_bytes){ 0 };
    return tfprof_profile_write_view(p, view, wire_keep, answer, &err);
}

static void ask_well(tfprof_profile *p, heard *h, const char *view,
                     wire_bytes *answer)
{
    must(ask(p, h, view, answer), &err);
    /* Others may precede it: the code view also notes time without a line. */
    if (h->count < 1 || strncmp(h->last, "nothing is shown: ", 18) != 0)
        fail_msg("%s: %zu remarks, the last: %s", view, h->count, h->last);
    assert_true(h->behind > 0);
    assert_int_equal(h->behind, wire_span(answer).size);
}

/* ---- Memory ------------------------------------------------------------- */

static void sweep(tfprof_profile *p, counting *memory, heard *h,
                  const char *view, size_t *without)
{
    wire_bytes quiet, answer;
    char remark[256];
    size_t most, held, k, count, taken = 0;
    ask_well(p, h, view, &quiet);
    wire_free(&quiet);
    held = memory->held; /* the model has gained a few names */
    memory->calls = 0;
    ask_well(p, h, view, &quiet);
    memcpy(remark, h->last, sizeof(remark));
    count = h->count;
    most = memory->calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        int status;
        memory->calls = memory->refused = 0;
        memory->fail_at = k;
        status = ask(p, h, view, &answer);
        memory->fail_at = 0;
        assert_int_equal(memory->refused, 1);
        assert_int_equal(memory->held, held);
        if (status == TFPROF_OK) {
            bool is_unknown = strstr(h->last, "not enough memory") != NULL;
            assert_true(tfp_span_equal(wire_span(&answer), wire_span(&quiet)));
            *without += is_unknown;
            assert_int_equal(h->count, count);
            if (!is_unknown && !strstr(remark, "(a pattern"))
                assert_string_equal(h->last, remark);
        } else {
            assert_int_equal(status, TFPROF_ERR_NOMEM);
        }
        wire_free(&answer);
    }
    wire_free(&quiet);
}

TEST(ME_01_an_answer_does_without_its_remark)
{
    counting memory = { 0 };
    heard h;
    tfprof_profile *p = load(&memory, &h);
    size_t without = 0;
    for (size_t i = 0; i < QUESTIONS; i++) {
        set_question(p, questions[i]);
        sweep(p, &memory, &h, questions[i][0], &without);
    }
    print_message("%zu answers without their remark\n", without);
    assert_true(without > QUESTIONS);
    tfprof_profile_free(p);
    counting_check(&memory);
}

/* ---- Cancelling --------------------------------------------------------- */

typedef struct asking {
    size_t asked, cancel_at;
} asking;

static int cancel(void *context)
{
    asking *a = context;
    return ++a->asked == a->cancel_at;
}

TEST(OP_05_remarks_can_be_cancelled_at_every_ask)
{
    counting memory = { 0 };
    heard h;
    tfprof_profile *p = load(&memory, &h);
    asking a = { 0 };
    tfprof_profile_on_cancel(p, cancel, &a);
    for (size_t i = 0; i < QUESTIONS; i++) {
        wire_bytes answer;
        size_t most;
        set_question(p, questions[i]);
        a = (asking){ 0 };
        ask_well(p, &h, questions[i][0], &answer);
        wire_free(&answer);
        most = a.asked;
        for (size_t k = 1; k <= most; k++) {
            a = (asking){ .cancel_at = k };
            assert_int_equal(ask(p, &h, questions[i][0], &answer),
                             TFPROF_ERR_CANCELLED);
            wire_free(&answer);
        }
    }
    tfprof_profile_free(p);
    counting_check(&memory);
}

/* ---- Who does not listen ------------------------------------------------ */

/* Nothing is asked twice for a remark that nobody hears. */
TEST(without_a_listener_nothing_is_looked_for)
{
    counting memory = { 0 };
    heard h;
    tfprof_profile *p = load(&memory, &h);
    wire_bytes answer;
    size_t with;
    set_question(p, questions[0]);
    ask_well(p, &h, "scope", &answer);
    wire_free(&answer);
    memory.calls = 0;
    ask_well(p, &h, "scope", &answer);
    wire_free(&answer);
    with = memory.calls;
    tfprof_profile_on_remark(p, NULL, NULL);
    memory.calls = 0;
    must(ask(p, &h, "scope", &answer), &err);
    wire_free(&answer);
    assert_true(memory.calls * 2 < with);
    tfprof_profile_free(p);
    counting_check(&memory);
}

/* ---- Filters ------------------------------------------------------------ */

static size_t place_of(const char *name)
{
    const tfp_option *filters[TFP_MOST_FILTERS];
    size_t count = tfp_view_filters(filters);
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(filters[i]->shown.name, name))
            return i;
    }
    return count;
}

/* Which of several filters is named depends on it. */
TEST(filters_are_lifted_in_this_order)
{
    static const char *const names[] = {
        "max_depth",         "trim_name_regexes",    "start_name_regexes",
        "show_name_regexes", "hide_name_regexes",    "device_regexes",
        "min_bytes",         "min_peak_bytes",       "min_residual_bytes",
        "min_output_bytes",  "min_micros",           "min_accelerator_micros",
        "min_cpu_micros",    "min_params",           "min_float_ops",
        "min_occurrence",    "account_type_regexes",
    };
    for (size_t i = 1; i < COUNT(names); i++)
        assert_true(place_of(names[i - 1]) < place_of(names[i]));
}

/* All that is about what is shown hides something, but for these. */
TEST(no_filter_is_forgotten)
{
    const tfp_option *filters[TFP_MOST_FILTERS];
    size_t count = tfp_view_filters(filters), found = 0;
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        const tfp_option *option = &tfp_option_table[i];
        const char *name = option->shown.name;
        bool hides = option->filter != TFP_FILTER_NONE;
        found += hides;
        if (option->shown.group == TFPROF_GROUP_SHOWN)
            assert_true(hides != (!strcmp(name, "select") ||
                                  !strcmp(name, "max_arrows") ||
                                  !strcmp(name, "own") ||
                                  !strcmp(name, "own_regexes") ||
                                  !strcmp(name, "code_text")));
    }
    assert_int_equal(found, count); /* there is room for all */
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        char name[64];
        snprintf(name, sizeof(name), "min_%s", tfp_metrics[cost].word);
        assert_true(place_of(name) < count);
    }
}
