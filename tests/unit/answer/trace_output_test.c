/*
 * trace_output_test.c - times of traces in answers: whole microseconds for
 * people, all of them for programs.
 *
 * No file is read: the records are put into the model of a profile by hand.
 */
#include "sample_messages.h"
#include "tracing.h"

#include <tfprof/arrow.h>

#include "api/profile.h"
#include "model/times.h"
#include "output/pprof/pprof.h"
#include "output/text/figures.h"
#include "output/text/times.h"
#include "output/timeline/timeline.h"

#include "profiling.h"

static tfprof_error err;

static void hear(void *context, const char *remark)
{
    snprintf(context, 256, "%s", remark);
}

/* ---- Profiles ----------------------------------------------------------- */

/* One step: three nodes of 400,000 ps in a scope, and "k" on the accelerator
 * for 7 us and a picosecond. */
static void load(void)
{
    wire_bytes graph = { 0 };
    sample_node(&graph, 1, "s/a", "Relu", NULL);
    add("graph_path", &graph);
    ADD_TRACE(&p->model, { HOST, "s/a", 0, 5, 400000, 2 },
              { HOST, "s/b", 0, 0, 400000, 1 },
              { HOST, "s/c", 0, 0, 400000, 1 },
              { KERNEL, "k", 0, 1500000, 7000001, 3 });
    set("select", "micros,occurrence");
}

PROFILE_FIXTURE(load)

static void add_run_metadata(void)
{
    static const char text[] =
        "step_stats { dev_stats { device: '/device:CPU:0' node_stats { "
        "node_name: 'm' all_start_micros: 1000 op_end_rel_micros: 5 "
        "scheduled_micros: 998 } } }";
    must(tfprof_profile_add_memory(p, "run", text, strlen(text),
                                   "run_meta_path", &err),
         &err);
}

typedef int write_some(const char *view, wire_bytes *to);

static int ask_view(const char *view, wire_bytes *to)
{
    return tfprof_profile_write_view(p, view, wire_keep, to, &err);
}

static int ask_advice(const char *view, wire_bytes *to)
{
    (void)view;
    return tfprof_profile_write_advice(p, wire_keep, to, &err);
}

/* All these texts stand in the answer, in this order. */
static void check(write_some *ask, const char *view, const char *format,
                  const char *const *parts)
{
    wire_bytes answer = { 0 };
    const char *at;
    set("format", format);
    must(ask(view, &answer), &err);
    wire_raw(&answer, "", 1);
    at = (const char *)answer.data;
    for (; *parts; parts++) {
        const char *found = strstr(at, *parts);
        if (!found)
            fail_msg("no %s in %s", *parts, at);
        at = found + strlen(*parts);
    }
    wire_free(&answer);
}

#define CHECK(ask, view, format, ...)                                          \
    check(ask, view, format, (const char *const[]){ __VA_ARGS__, NULL })

/* ---- Figures ------------------------------------------------------------ */

TEST(exact_times_have_the_decimals_that_they_need)
{
    static const struct {
        int64_t picos;
        const char *text;
    } cases[] = {
        { 0, "0" },
        { 1, "0.000001" },
        { -1, "-0.000001" },
        { 100000, "0.1" },
        { 1000000, "1" },
        { -1000000, "-1" },
        { 1200000, "1.2" },
        { -1000010, "-1.00001" },
        { 22667465000, "22667.465" },
        { 729737920000, "729737.92" },
        { INT64_MAX, "9223372036854.775807" },
        { INT64_MIN, "-9223372036854.775808" },
    };
    char text[TFP_FIGURE_SIZE];
    EACH(row, cases) {
        size_t size = tfp_figure_exact_time(row->picos, TFP_PICOSECOND, text);
        assert_string_equal(text, row->text);
        assert_int_equal(size, strlen(text));
    }
    tfp_figure_exact_time(INT64_MIN, TFP_MICROSECOND, text);
    assert_string_equal(text, "-9223372036854775808");
    tfp_figure_exact_cost(TFP_COST_BYTES, 1200000, TFP_PICOSECOND, text);
    assert_string_equal(text, "1200000");
    tfp_figure_exact_cost(TFP_COST_QUEUE_MICROS, 1200000, TFP_PICOSECOND, text);
    assert_string_equal(text, "1.2");
}

/* ---- Views -------------------------------------------------------------- */

TEST(text_rounds_each_sum_once)
{
    CHECK(ask_view, "scope", "text",
          "_TFProfRoot (--/8us, --/7us, --/1us, --/7|",
          "k (7us/7us, 7us/7us, 0us/0us, 3/3|",
          "s (0us/1us, 0us/0us, 0us/1us, 0/4|",
          "s/a (0us/0us, 0us/0us, 0us/0us, 2/2|");
    set("order_by", "micros");
    CHECK(ask_view, "op", "text", "k ", " 7us (100.00%, 85.37%)", "Relu ",
          " 0us (4.88%, 4.88%)");
}

TEST(programs_get_all_decimals)
{
    CHECK(ask_view, "scope", "json", "\"micros\": \"microseconds\"",
          "\"total\": {\"micros\": 8.200001, \"accelerator_micros\": 7.000001, "
          "\"cpu_micros\": 1.2, \"runs\": 7",
          "{\"name\": \"s\"", "\"self\": {\"micros\": 0, ",
          "\"total\": {\"micros\": 1.2, \"accelerator_micros\": 0, "
          "\"cpu_micros\": 1.2",
          "{\"name\": \"s/a\"", "\"self\": {\"micros\": 0.4, ");
    CHECK(ask_view, "scope", "csv", "\"k\",1,true,7.000001,7.000001,",
          "\"s\",1,true,0,1.2,0,0,0,1.2,0,4,", "\"s/a\",2,true,0.4,0.4,0,0,");
    set("select", "micros,input_shapes");
    CHECK(ask_view, "op", "json", "\"name\": \"Relu\"",
          "\"input_shapes\": [{\"shapes\": [], \"nodes\": 1, \"runs\": 2, "
          "\"micros\": 0.4}]");
    CHECK(ask_view, "op", "text", "(run*2|defined*1)\texec_time: 0us");
}

TEST(run_metadata_beside_a_trace_has_its_unit)
{
    add_run_metadata();
    set("select", "micros,queue_micros");
    /* Both ran in a step of their own, so the average is the half of each. */
    CHECK(ask_view, "scope", "json", "\"total\": {\"micros\": 6.600001, ",
          "\"queue_micros\": 1}", "{\"name\": \"m\"",
          "\"self\": {\"micros\": 2.5, ");
    CHECK(ask_view, "scope", "text", "_TFProfRoot (--/7us, ", "m (3us/3us");
}

TEST(a_sum_that_stopped_is_at_least_that)
{
    char remark[256] = "";
    ADD_TRACE(&p->model, { HOST, "z", 0, 0, INT64_MAX, 1 });
    tfprof_profile_on_remark(p, hear, remark);
    CHECK(ask_view, "scope", "text", "_TFProfRoot (--/>=9223372.04sec, --/",
          "z (>=9223372.04sec/");
    assert_non_null(strstr(remark, "overflowed"));
    CHECK(ask_view, "scope", "json", "9223372036854.775807");
}

TEST(the_largest_below_a_minimum_is_told_exactly)
{
    wire_bytes answer = { 0 };
    char remark[256] = "";
    tfprof_profile_on_remark(p, hear, remark);
    set("min_micros", "8");
    must(ask_view("scope", &answer), &err);
    assert_non_null(strstr(
        remark,
        "--min_micros 8 excludes all 5 rows (the largest value is 7.000001)"));
    wire_free(&answer);
}

/* ---- Rows --------------------------------------------------------------- */

static size_t row_of(const tfprof_view *view, const char *name)
{
    tfprof_row row;
    for (size_t i = 0; tfprof_view_row(view, i, &row) == TFPROF_OK; i++) {
        if (row.name.size == strlen(name) &&
            !memcmp(row.name.data, name, row.name.size))
            return i;
    }
    fail_msg("no row %s", name);
    return 0;
}

TEST(rows_have_whole_microseconds_and_picoseconds)
{
    enum { SELF, WITH_BELOW };
    tfprof_view *view;
    size_t s, k;
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    free_profile();
    s = row_of(view, "s");
    k = row_of(view, "k");
    assert_int_equal(tfprof_view_has_picos(view), 1);
    assert_int_equal(tfprof_view_total(view, s, TFPROF_METRIC_MICROS), 1);
    assert_int_equal(tfprof_view_self(view, k, TFPROF_METRIC_MICROS), 7);
    assert_int_equal(tfprof_view_sum(view, TFPROF_METRIC_MICROS), 8);
    assert_int_equal(tfprof_view_total(view, s, TFPROF_METRIC_RUNS), 4);
    assert_int_equal(
        tfprof_view_picos(view, s, TFPROF_METRIC_MICROS, WITH_BELOW), 1200000);
    assert_int_equal(tfprof_view_picos(view, s, TFPROF_METRIC_MICROS, SELF), 0);
    assert_int_equal(tfprof_view_picos(view, k, TFPROF_METRIC_MICROS, SELF),
                     7000001);
    assert_int_equal(
        tfprof_view_picos(view, TFPROF_NO_ROW, TFPROF_METRIC_CPU_MICROS, SELF),
        1200000);
    /* No time, not in the view, no row, no view. */
    assert_int_equal(tfprof_view_picos(view, k, TFPROF_METRIC_RUNS, SELF), 0);
    assert_int_equal(
        tfprof_view_picos(view, k, TFPROF_METRIC_QUEUE_MICROS, SELF), 0);
    assert_int_equal(tfprof_view_picos(view, 99, TFPROF_METRIC_MICROS, SELF),
                     0);
    assert_int_equal(tfprof_view_picos(NULL, 0, TFPROF_METRIC_MICROS, SELF), 0);
    assert_int_equal(tfprof_view_has_picos(NULL), 0);
    tfprof_view_free(view);
}

TEST(picoseconds_of_run_metadata_are_whole_microseconds)
{
    tfprof_view *view;
    renew_profile();
    add_run_metadata();
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    assert_int_equal(tfprof_view_has_picos(view), 0);
    assert_int_equal(tfprof_view_sum(view, TFPROF_METRIC_MICROS), 5);
    assert_int_equal(
        tfprof_view_picos(view, TFPROF_NO_ROW, TFPROF_METRIC_MICROS, 0),
        5000000);
    tfprof_view_free(view);
}

static const struct ArrowArray *column(const struct ArrowSchema *schema,
                                       const struct ArrowArray *array,
                                       const char *name, const char *format)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (strcmp(schema->children[i]->name, name))
            continue;
        assert_string_equal(schema->children[i]->format, format);
        return array->children[i];
    }
    fail_msg("no column %s", name);
    return NULL;
}

TEST(arrow_has_times_as_doubles)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    tfprof_view *view;
    const double *times;
    const int64_t *runs;
    size_t s;
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    free_profile();
    s = row_of(view, "s");
    must(tfprof_view_export_arrow(view, &stream, &err), &err);
    tfprof_view_free(view);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    times = column(&schema, &array, "total_micros", "g")->buffers[1];
    assert_true(times[0] == 8.200001 && times[s] == 1.2);
    times = column(&schema, &array, "cpu_micros", "g")->buffers[1];
    assert_true(times[s] == 0 && times[s + 1] == 0.4);
    runs = column(&schema, &array, "total_runs", "l")->buffers[1];
    assert_int_equal(runs[s], 4);
    schema.release(&schema);
    array.release(&array);
    stream.release(&stream);
}

/* Rows with exact times take memory that others do not: every call is tried,
 * there are few. */
TEST(ME_01_the_kth_allocation_of_exact_rows_fails)
{
    tfprof_view *view;
    size_t most, held;
    must(tfprof_profile_view(p, "scope", &view, &err),
         &err); /* takes the census */
    tfprof_view_free(view);
    held = memory.held;
    memory.calls = 0;
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    tfprof_view_free(view);
    most = memory.calls;
    for (size_t k = 1; k <= most; k++) {
        memory.calls = memory.refused = 0;
        memory.fail_at = k;
        assert_int_equal(tfprof_profile_view(p, "scope", &view, &err),
                         TFPROF_ERR_NOMEM);
        memory.fail_at = 0;
        assert_int_equal(memory.refused, 1);
        assert_int_equal(memory.held, held);
    }
}

/* ---- Other answers ------------------------------------------------------ */

static tfp_view make_view(const char *type)
{
    const tfp_census *census;
    tfp_view view;
    must(tfp_profile_census(p, &census, &err), &err);
    must(tfp_view_init(&view, tfp_view_find(type), census, &p->options, NULL,
                       &err),
         &err);
    return view;
}

static bool holds(const wire_bytes *answer, const char *text)
{
    tfp_span all = { answer->data, answer->size };
    for (size_t i = 0; i + strlen(text) <= all.size; i++) {
        if (!memcmp(all.data + i, text, strlen(text)))
            return true;
    }
    return false;
}

TEST(pprof_files_have_nanoseconds)
{
    tfp_view view;
    tfp_sink sink;
    wire_bytes answer = { 0 };
    int64_t left_out;
    ADD_TRACE(&p->model, { HOST, "n", 0, 0, 299500, 1 }); /* 300 ns */
    set("select", "micros");
    view = make_view("scope");
    tfp_sink_init(&sink, wire_keep, &answer);
    must(tfp_pprof_write(&view, &sink, &left_out, &err), &err);
    assert_true(tfp_sink_flush(&sink));
    assert_true(holds(&answer, "nanoseconds"));
    assert_false(holds(&answer, "microseconds"));
    /* The values of three samples: a count of 1, then their nanoseconds. */
    assert_true(holds(&answer, "\x12\x03\x01\x90\x03")); /* 400 */
    assert_true(holds(&answer, "\x12\x03\x01\xac\x02")); /* 300 */
    assert_true(holds(&answer, "\x12\x03\x01\xd8\x36")); /* 7000 */
    tfp_view_release(&view);
    wire_free(&answer);
}

TEST(timelines_of_sums_have_decimals)
{
    tfp_timeline_notes notes = { 0 };
    tfp_view view;
    tfp_sink sink;
    wire_bytes answer = { 0 };
    set("output", "timeline:outfile=/nowhere/t");
    view = make_view("scope");
    tfp_sink_init(&sink, wire_keep, &answer);
    must(tfp_timeline_write(&view, &notes, &sink, &err), &err);
    assert_true(tfp_sink_flush(&sink));
    assert_true(holds(&answer, "{\"ph\":\"E\",\"pid\":1,\"tid\":1,"
                               "\"ts\":8.200001}"));
    assert_true(holds(&answer, "\"name\":\"s\",\"pid\":2,\"tid\":2,"
                               "\"ts\":7.000001,\"args\""));
    assert_true(holds(&answer, "\"ts\":7.400001,\"args\""));
    assert_true(holds(&answer, "\"ts\":7.800001}"));
    assert_true(holds(&answer, "\"total\":{\"micros\":1.2,"));
    tfp_view_release(&view);
    wire_free(&answer);
}

/* Beside RunMetadata, what that has is drawn. */
TEST(sums_are_not_drawn_as_runs)
{
    tfp_timeline_notes notes = { 0 };
    tfp_view view;
    tfp_sink sink;
    wire_bytes answer = { 0 };
    set("output", "timeline:outfile=/nowhere/t");
    add_run_metadata(); /* its step is 1 */
    set("step", "1");
    ADD_TRACE(&p->model, { HOST, "s/a", 1, 0, 100000, 1 });
    tfp_profile_drop_census(p);
    view = make_view("graph");
    tfp_sink_init(&sink, wire_keep, &answer);
    must(tfp_timeline_write(&view, &notes, &sink, &err), &err);
    assert_true(tfp_sink_flush(&sink));
    assert_true(holds(&answer, "\"ts\":1000,\"dur\":5,"));
    assert_false(holds(&answer, "\"name\":\"s/a\""));
    tfp_view_release(&view);
    wire_free(&answer);
}

TEST(a_profile_has_rounded_times_and_says_so)
{
    wire_bytes message = { 0 };
    char remark[256] = "";
    tfprof_profile_on_remark(p, hear, remark);
    must(tfprof_profile_write_profile(p, wire_keep, &message, &err), &err);
    assert_non_null(strstr(remark, "traces are rounded"));
    renew_profile();
    add("profile_path", &message);
    set("select", "micros,occurrence,device");
    CHECK(ask_view, "scope", "text",
          "_TFProfRoot (--/7us, --/7us, --/0us, --/7|",
          "k (7us/7us, 7us/7us, 0us/0us, /host:worker3/device:gpu:0, 3/3|");
}

TEST(advice_has_both_forms)
{
    tfprof_advice *advice;
    tfprof_finding found;
    CHECK(ask_advice, NULL, "text",
          "top 1 operation type: k, cpu: 0us, accelerator: 7us, total: 7us "
          "(85.37%)",
          "top 1 graph node: k, cpu: 0us");
    CHECK(ask_advice, NULL, "json", "\"micros\": 7.000001, ",
          "\"accelerator_micros\": 7.000001, \"cpu_micros\": 0, "
          "\"whole_micros\": 8.200001");
    must(tfprof_profile_advise(p, &advice, &err), &err);
    assert_ok(tfprof_advice_at(advice, 0, &found));
    assert_int_equal(found.micros, 7);
    assert_int_equal(found.whole_micros, 8);
    tfprof_advice_free(advice);
}
