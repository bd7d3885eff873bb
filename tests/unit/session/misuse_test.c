/*
 * misuse_test.c - the public functions, called as they should not be.
 *
 * What can be found out is answered by a status, and what was asked wrongly
 * leaves the handle as good as it was. What cannot (a handle after its free)
 * the header names.
 */
#include "sample_messages.h"

#include "profiling.h"

static tfprof_error err;

/* Refused with a line that says why. */
#define ASSERT_REFUSED(call, wanted)                                           \
    do {                                                                       \
        err = (tfprof_error){ .code = TFPROF_OK };                             \
        assert_int_equal(call, wanted);                                        \
        assert_int_equal(err.code, wanted);                                    \
        assert_true(err.message[0] && !strchr(err.message, '\n'));             \
    } while (0)

#define ASSERT_MISUSE(call) ASSERT_REFUSED(call, TFPROF_ERR_OPTION)

static int ignore(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

static int ignore_name(void *context, const char *name, size_t size)
{
    return ignore(context, name, size);
}

static ptrdiff_t read_nothing(void *context, void *buffer, size_t size)
{
    return ignore(context, buffer, size);
}

static void load(void)
{
    wire_bytes graph = { 0 }, run = { 0 };
    sample_graph(&graph);
    sample_run_metadata(&run);
    assert_ok(tfprof_profile_add_memory(p, "graph", graph.data, graph.size,
                                        NULL, NULL));
    assert_ok(tfprof_profile_add_memory(p, "run", run.data, run.size,
                                        "run_meta_path", NULL));
    wire_free(&graph);
    wire_free(&run);
}

PROFILE_FIXTURE(load)

static tfprof_view *view_of(void)
{
    tfprof_view *view = NULL;
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    return view;
}

/* ---- A handle that is none ---------------------------------------------- */

/* What a pointer has before a call that must set it to NULL. */
static void *something_else(void)
{
    return &err;
}

static void ask_no_profile(tfprof_profile *none)
{
    tfprof_view *view = something_else();
    tfprof_advice *advice = something_else();
    char buffer[8] = "before";
    int is_partial = 7;
    ASSERT_MISUSE(tfprof_profile_set(none, "step", "1", &err));
    ASSERT_MISUSE(tfprof_profile_reset(none, &err));
    ASSERT_MISUSE(tfprof_profile_keep_options(none, &err));
    ASSERT_MISUSE(tfprof_profile_add_path(none, "/dev/null", NULL, &err));
    ASSERT_MISUSE(tfprof_profile_add_step(none, 1, "/dev/null", &err));
    ASSERT_MISUSE(tfprof_profile_add_memory(none, "x", "", 0, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_add_step_memory(none, 1, "x", "", 0, &err));
    ASSERT_MISUSE(
        tfprof_profile_add_callback(none, "x", read_nothing, NULL, NULL, &err));
    ASSERT_REFUSED(tfprof_profile_input_status(none, 0, &is_partial, &err),
                   TFPROF_ERR_MISSING);
    assert_int_equal(is_partial, 0);
    ASSERT_MISUSE(tfprof_profile_write_info(none, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_view(none, "scope", &view, &err));
    assert_null(view);
    ASSERT_MISUSE(tfprof_profile_write_view(none, "op", ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_advice(none, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_flops(none, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_summary(none, NULL, ignore, NULL, &err));
    ASSERT_MISUSE(
        tfprof_profile_write_report(none, NULL, 0, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_save(none, "/dev/null", &err));
    ASSERT_MISUSE(tfprof_profile_advise(none, &advice, &err));
    assert_null(advice);
    ASSERT_MISUSE(tfprof_profile_add_float_ops(none, 0, &err));
    ASSERT_MISUSE(tfprof_profile_write_profile(none, ignore, NULL, &err));
    ASSERT_MISUSE(
        tfprof_profile_complete_name(none, "", ignore_name, NULL, &err));
    assert_int_equal(tfprof_profile_get(none, "step", buffer, 8), 0);
    assert_string_equal(buffer, "");
    buffer[0] = 'b';
    assert_int_equal(tfprof_profile_input_name(none, 0, buffer, 8), 0);
    assert_string_equal(buffer, "");
    assert_int_equal(tfprof_profile_input_count(none), 0);
    tfprof_profile_restore_options(none);
    tfprof_profile_on_progress(none, NULL, NULL);
    tfprof_profile_on_cancel(none, NULL, NULL);
    tfprof_profile_on_remark(none, NULL, NULL);
    tfprof_profile_free(none);
}

static void ask_no_view(tfprof_view *view)
{
    tfprof_row row;
    assert_null(tfprof_view_name(view));
    assert_int_equal(tfprof_view_row_count(view), 0);
    assert_int_equal(tfprof_view_row(view, 0, &row), TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_view_has(view, TFPROF_METRIC_MICROS), 0);
    assert_int_equal(tfprof_view_self(view, 0, TFPROF_METRIC_MICROS), 0);
    assert_int_equal(tfprof_view_total(view, 0, TFPROF_METRIC_MICROS), 0);
    assert_int_equal(tfprof_view_sum(view, TFPROF_METRIC_MICROS), 0);
    assert_int_equal(tfprof_view_tells(view, TFPROF_FACT_DEVICES), 0);
    assert_int_equal(tfprof_view_fact(view, 0, TFPROF_FACT_DEVICES).size, 0);
    assert_int_equal(tfprof_view_line(view, 0), 0);
    assert_int_equal(tfprof_view_tensor(view, 0, &(tfprof_tensor){ 0 }),
                     TFPROF_ERR_OPTION);
    ASSERT_MISUSE(tfprof_view_export_arrow(view, NULL, &err));
    tfprof_view_free(view);
}

static void ask_no_advice(tfprof_advice *advice)
{
    tfprof_finding finding;
    assert_int_equal(tfprof_advice_count(advice), 0);
    assert_int_not_equal(tfprof_advice_at(advice, 0, &finding), TFPROF_OK);
    tfprof_advice_free(advice);
}

TEST(LB_01_a_profile_of_NULL_is_refused)
{
    ask_no_profile(NULL);
}

TEST(LB_01_a_view_of_NULL_is_refused)
{
    ask_no_view(NULL);
    ask_no_advice(NULL);
}

TEST(LB_01_a_handle_of_another_kind_is_refused)
{
    tfprof_view *view = view_of();
    ask_no_profile((tfprof_profile *)(void *)view);
    ask_no_view((tfprof_view *)(void *)p);
    ask_no_advice((tfprof_advice *)(void *)p);
    ask_no_advice((tfprof_advice *)(void *)view);
    assert_string_equal(tfprof_view_name(view), "scope");
    assert_int_equal(tfprof_profile_input_count(p), 2);
    tfprof_view_free(view);
}

/* ---- What is needed ----------------------------------------------------- */

TEST(LB_01_NULL_where_something_is_needed_is_refused)
{
    tfprof_view *view = something_else();
    ASSERT_MISUSE(tfprof_profile_set(p, NULL, "1", &err));
    ASSERT_MISUSE(tfprof_profile_set(p, "step", NULL, &err));
    assert_string_equal(err.message, "the value of --step is NULL");
    ASSERT_MISUSE(tfprof_profile_add_path(p, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_add_step(p, 1, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_add_memory(p, NULL, "", 0, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_add_memory(p, "x", NULL, 1, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_add_memory(p, "x", "", SIZE_MAX, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_add_step_memory(p, 1, NULL, "", 0, &err));
    ASSERT_MISUSE(tfprof_profile_add_step_memory(p, 1, "x", NULL, 1, &err));
    ASSERT_MISUSE(tfprof_profile_add_step_memory(p, -1, "x", "", 0, &err));
    ASSERT_MISUSE(tfprof_profile_add_callback(p, "x", NULL, NULL, NULL, &err));
    ASSERT_MISUSE(
        tfprof_profile_add_callback(p, NULL, read_nothing, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_info(p, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_view(p, "scope", NULL, &err));
    ASSERT_MISUSE(tfprof_profile_view(p, NULL, &view, &err));
    assert_null(view);
    ASSERT_MISUSE(tfprof_profile_write_view(p, "op", NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_view(p, NULL, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_advice(p, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_flops(p, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_summary(p, NULL, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_report(p, NULL, 0, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_profile(p, NULL, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_advise(p, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_save(p, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_complete_name(p, "", NULL, NULL, &err));
    ASSERT_MISUSE(
        tfprof_profile_complete_name(p, NULL, ignore_name, NULL, &err));
    assert_int_equal(tfprof_profile_input_count(p), 2); /* none was added */
}

/* Only an answer that goes to the function needs one. */
TEST(LB_01_a_file_needs_no_write_function)
{
    set("output", "none");
    assert_ok(tfprof_profile_write_view(p, "op", NULL, NULL, NULL));
    assert_ok(tfprof_profile_write_flops(p, NULL, NULL, NULL));
}

TEST(LB_01_what_has_no_status_answers_NULL_with_nothing)
{
    static const char *const words[] = { "one", NULL, "three" };
    const tfprof_option *nearest = something_else();
    char buffer[8];
    assert_null(tfprof_option_find(NULL, &nearest));
    assert_null(nearest);
    assert_null(tfprof_nearest_word(NULL, words, 3));
    assert_null(tfprof_nearest_word("one", NULL, 3));
    assert_string_equal(tfprof_nearest_word("thre", words, 3), "three");
    assert_int_equal(tfprof_escape(NULL, 3, buffer, sizeof(buffer)), 0);
    assert_string_equal(buffer, "");
    assert_int_equal(tfprof_escape("a\n", 2, NULL, 10), 5);
    assert_int_equal(tfprof_fit(NULL, 3, 9, 1, buffer, sizeof(buffer), NULL),
                     0);
    assert_string_equal(buffer, "");
    assert_int_equal(tfprof_fit("a\n", 2, 9, 1, NULL, 10, NULL), 5);
    assert_int_equal(
        tfprof_metric_figure((tfprof_metric)99, 1, buffer, sizeof(buffer)), 0);
    assert_string_equal(buffer, "");
    assert_int_equal(tfprof_metric_figure(TFPROF_METRIC_PARAMS, 1, NULL, 9), 1);
    assert_int_equal(tfprof_share_figure(1, 0, NULL, 9), 4);
    assert_int_equal(tfprof_profile_get(p, "step", NULL, 10), 2); /* -1 */
    assert_int_equal(tfprof_profile_get(p, NULL, buffer, sizeof(buffer)), 0);
    assert_int_equal(tfprof_profile_input_name(p, 0, NULL, 10), 5);
    tfprof_view_free(NULL);
    tfprof_advice_free(NULL);
    tfprof_profile_free(NULL);
}

TEST(LB_01_no_error_is_needed_to_be_told_the_code)
{
    tfprof_view *view;
    tfprof_profile *bare = tfprof_profile_new();
    assert_int_equal(tfprof_profile_set(bare, "no_such", "1", NULL),
                     TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_profile_view(bare, "no_such", &view, NULL),
                     TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_profile_view(bare, "scope", &view, NULL),
                     TFPROF_ERR_MISSING);
    assert_int_equal(tfprof_profile_view(NULL, "scope", &view, NULL),
                     TFPROF_ERR_OPTION);
    tfprof_profile_free(bare);
}

/* ---- Past the end ------------------------------------------------------- */

TEST(LB_01_an_index_past_the_end_is_refused)
{
    static const size_t past[] = { 2, 3, 1000, SIZE_MAX };
    size_t views = 0;
    char buffer[8];
    EACH(row, past) {
        ASSERT_REFUSED(tfprof_profile_input_status(p, *row, NULL, &err),
                       TFPROF_ERR_MISSING);
        buffer[0] = 'b';
        assert_int_equal(tfprof_profile_input_name(p, *row, buffer, 8), 0);
        assert_string_equal(buffer, "");
    }
    assert_null(tfprof_option_at(tfprof_option_count()));
    assert_null(tfprof_option_at(SIZE_MAX));
    while (tfprof_view_type(views))
        views++;
    assert_true(views >= 4);
    assert_null(tfprof_view_type(views + 1));
    assert_null(tfprof_view_type(SIZE_MAX));
}

TEST(LB_01_a_row_past_the_end_is_refused)
{
    tfprof_view *view = view_of();
    size_t past[] = { tfprof_view_row_count(view), TFPROF_NO_ROW, 1u << 31 };
    tfprof_row row, before;
    memset(&row, 0x5a, sizeof(row));
    before = row;
    EACH(c, past) {
        assert_int_equal(tfprof_view_row(view, *c, &row), TFPROF_ERR_MISSING);
        assert_memory_equal(&row, &before, sizeof(row));
        assert_int_equal(tfprof_view_self(view, *c, TFPROF_METRIC_MICROS), 0);
        assert_int_equal(tfprof_view_total(view, *c, TFPROF_METRIC_MICROS), 0);
        assert_int_equal(tfprof_view_fact(view, *c, TFPROF_FACT_SHAPE).size, 0);
        assert_non_null(tfprof_view_fact(view, *c, TFPROF_FACT_SHAPE).data);
    }
    assert_int_equal(tfprof_view_row(view, 0, NULL), TFPROF_ERR_OPTION);
    tfprof_view_free(view);
}

TEST(LB_01_a_number_that_is_no_enumerator_is_refused)
{
    int numbers[] = { -1, 4711, 0, INT32_MAX, INT32_MIN };
    tfprof_view *view = view_of();
    while (tfprof_metric_name((tfprof_metric)numbers[2]))
        numbers[2]++; /* right behind the last one */
    EACH(row, numbers) {
        tfprof_metric metric = (tfprof_metric)*row;
        tfprof_fact fact = (tfprof_fact)*row;
        assert_null(tfprof_metric_name(metric));
        assert_null(tfprof_metric_unit(metric));
        assert_null(tfprof_metric_word(metric));
        assert_null(tfprof_metric_title(metric));
        assert_null(tfprof_fact_name(fact));
        assert_int_equal(tfprof_view_has(view, metric), 0);
        assert_int_equal(tfprof_view_self(view, 0, metric), 0);
        assert_int_equal(tfprof_view_total(view, 0, metric), 0);
        assert_int_equal(tfprof_view_sum(view, metric), 0);
        assert_int_equal(tfprof_view_tells(view, fact), 0);
        assert_int_equal(tfprof_view_fact(view, 0, fact).size, 0);
    }
    tfprof_view_free(view);
}

/* ---- After an error ----------------------------------------------------- */

TEST(LB_01_a_profile_can_be_asked_after_an_error)
{
    static const char damaged[] = "\x0a\xff\xff\xff";
    tfprof_view *view;
    char name[16];
    ASSERT_REFUSED(
        tfprof_profile_add_memory(p, "bad", damaged, 4, "graph_path", &err),
        TFPROF_ERR_MALFORMED);
    assert_int_equal(tfprof_profile_input_count(p), 3);
    ASSERT_REFUSED(tfprof_profile_input_status(p, 2, NULL, &err),
                   TFPROF_ERR_MALFORMED);
    assert_int_equal(tfprof_profile_input_name(p, 2, name, sizeof(name)), 3);
    assert_string_equal(name, "bad");
    ASSERT_REFUSED(tfprof_profile_view(p, "scope", &view, &err),
                   TFPROF_ERR_MALFORMED);
    assert_null(view);
    assert_ok(tfprof_profile_write_info(p, ignore, NULL, NULL));
    assert_ok(tfprof_profile_add_memory(p, "x", "", 0, "graph_path", NULL));
}

static ptrdiff_t read_code(void *context, void *buffer, size_t size)
{
    (void)buffer;
    (void)size;
    return *(const ptrdiff_t *)context;
}

/* Other results would not contain the runs, which are read later. */
TEST(LB_01_only_an_aggregate_has_runs_that_are_read_later)
{
    tfprof_view *view;
    renew_profile();
    assert_ok(tfprof_profile_expect(p, "aggregate", NULL));
    assert_ok(
        tfprof_profile_add_path(p, TFPROF_TEST_DATA "/graph.pb", NULL, NULL));
    assert_ok(tfprof_profile_write_view(p, "op", ignore, NULL, NULL));
    assert_ok(
        tfprof_profile_add_path(p, TFPROF_TEST_DATA "/run_meta", NULL, NULL));
    ASSERT_REFUSED(tfprof_profile_write_view(p, "op", ignore, NULL, &err),
                   TFPROF_ERR_MISSING);
    ASSERT_REFUSED(tfprof_profile_write_table(p, "steps", ignore, NULL, &err),
                   TFPROF_ERR_MISSING);
    ASSERT_REFUSED(tfprof_profile_view(p, "op", &view, &err),
                   TFPROF_ERR_MISSING);
}

TEST(LB_01_a_reader_that_answers_nonsense_is_an_error)
{
    static const struct {
        ptrdiff_t answer;
        int status;
    } cases[] = {
        { -3, TFPROF_ERR_MALFORMED },   { -7, TFPROF_ERR_CANCELLED },
        { -9, TFPROF_ERR_UNSUPPORTED }, { -10, TFPROF_ERR_IO },
        { PTRDIFF_MIN, TFPROF_ERR_IO }, { PTRDIFF_MAX, TFPROF_ERR_IO }
    };
    EACH(row, cases) {
        ptrdiff_t answer = row->answer;
        renew_profile();
        ASSERT_REFUSED(
            tfprof_profile_add_callback(p, "x", read_code, &answer, NULL, &err),
            row->status);
    }
}

/* ---- Freed early -------------------------------------------------------- */

TEST(LB_01_a_view_outlives_its_profile)
{
    tfprof_view *view = view_of();
    size_t count = tfprof_view_row_count(view);
    int64_t sum = tfprof_view_sum(view, TFPROF_METRIC_MICROS);
    tfprof_row row;
    assert_true(count > 1);
    for (size_t i = 0; i < count; i++) {
        if (i == count / 2) {
            free_profile(); /* while the rows are walked */
            p = NULL;
        }
        assert_ok(tfprof_view_row(view, i, &row));
        assert_true(row.name.size > 0 && row.end > i && row.end <= count);
    }
    assert_null(p);
    assert_int_equal(tfprof_view_total(view, 0, TFPROF_METRIC_MICROS), sum);
    assert_string_equal(tfprof_view_name(view), "scope");
    tfprof_view_free(view);
}

TEST(LB_01_inputs_come_while_a_view_lives)
{
    tfprof_view *view = view_of(), *later;
    size_t count = tfprof_view_row_count(view);
    static const char more[] = "node { name: \"one_more\" op: \"NoOp\" }";
    assert_ok(tfprof_profile_add_memory(p, "more", more, strlen(more),
                                        "graph_path", NULL));
    later = view_of();
    assert_int_equal(tfprof_view_row_count(view), count);
    assert_int_equal(tfprof_view_row_count(later), count + 1);
    tfprof_view_free(view);
    tfprof_view_free(later);
}

/* ---- Callbacks that reach back ------------------------------------------ */

typedef struct reaching {
    tfprof_profile *profile;
    int calls;
    bool frees;
} reaching;

/* All that a callback may not do with the profile that calls it. */
static void reach_back(reaching *r)
{
    tfprof_view *view;
    tfprof_profile *of = r->profile;
    r->calls++;
    ASSERT_MISUSE(tfprof_profile_set(of, "step", "1", &err));
    ASSERT_MISUSE(tfprof_profile_reset(of, &err));
    ASSERT_MISUSE(tfprof_profile_keep_options(of, &err));
    ASSERT_MISUSE(tfprof_profile_add_memory(of, "x", "", 0, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_info(of, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_view(of, "scope", &view, &err));
    ASSERT_MISUSE(tfprof_profile_write_view(of, "op", ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_advice(of, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_flops(of, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_summary(of, NULL, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_write_report(of, NULL, 0, ignore, NULL, &err));
    ASSERT_MISUSE(tfprof_profile_save(of, "/dev/null", &err));
    ASSERT_MISUSE(
        tfprof_profile_complete_name(of, "", ignore_name, NULL, &err));
    tfprof_profile_restore_options(of);
    assert_true(tfprof_profile_input_count(of) > 0); /* but this it may */
    if (r->frees)
        tfprof_profile_free(of);
}

static int write_back(void *context, const void *data, size_t size)
{
    reach_back(context);
    return ignore(context, data, size);
}

static int name_back(void *context, const char *name, size_t size)
{
    return write_back(context, name, size);
}

static void remark_back(void *context, const char *remark)
{
    write_back(context, remark, strlen(remark));
}

static int cancel_back(void *context)
{
    reach_back(context);
    return 0;
}

static int progress_back(void *context, const char *path, int64_t bytes,
                         int64_t size)
{
    assert_true(bytes >= 0 && size >= -1);
    return write_back(context, path, strlen(path));
}

TEST(LB_01_a_callback_may_not_use_the_profile_that_calls)
{
    reaching r = { p, 0, false };
    tfprof_profile_on_cancel(p, cancel_back, &r);
    tfprof_profile_on_progress(p, progress_back, &r);
    tfprof_profile_on_remark(p, remark_back, &r);
    assert_ok(tfprof_profile_write_view(p, "op", write_back, &r, NULL));
    assert_true(r.calls > 1);
    r.calls = 0;
    assert_ok(tfprof_profile_complete_name(p, "", name_back, &r, NULL));
    assert_true(r.calls > 0);
    r.calls = 0;
    assert_ok(tfprof_profile_write_info(p, write_back, &r, NULL));
    assert_true(r.calls > 0);
}

TEST(LB_01_a_profile_freed_by_its_callback_goes_at_the_end)
{
    for (int way = 0; way < 4; way++) {
        reaching r = { .frees = true };
        restart();
        r.profile = p;
        if (way == 0)
            tfprof_profile_write_view(p, "scope", write_back, &r, NULL);
        else if (way == 1)
            tfprof_profile_complete_name(p, "", name_back, &r, NULL);
        else if (way == 2)
            tfprof_profile_write_info(p, write_back, &r, NULL);
        else
            tfprof_profile_write_flops(p, write_back, &r, NULL);
        assert_true(r.calls > 0);
        counting_check(&memory); /* it is gone */
        p = NULL;
    }
}
