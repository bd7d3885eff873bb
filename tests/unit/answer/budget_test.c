/*
 * budget_test.c - files of budgets and baselines.
 */
#include "counting.h"

#include <locale.h>

#include "base/json_tree.h"
#include "budget/baseline.h"
#include "budget/budgets.h"
#include "budget/limit.h"

static counting counts;
static tfp_memory memory;
static tfprof_error err;

static void begin(void)
{
    counts = (counting){ 0 };
    err = (tfprof_error){ 0 };
    tfp_memory_init(&memory, counting_resize, &counts);
}

static void need_jansson(void)
{
    if (!tfp_json_tree_is_there()) {
        print_message("built without jansson\n");
        skip();
    }
}

/* The bytes are in a block of their own size, and are gone afterwards. */
static uint8_t *copied(const char *json, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, json, size);
    return copy;
}

static int read_budgets(tfp_budgets *b, const char *json)
{
    uint8_t *copy = copied(json, strlen(json));
    int status;
    *b = (tfp_budgets){ 0 };
    status = tfp_budgets_read(b, &memory, (tfp_span){ copy, strlen(json) },
                              "b.json", &err);
    free(copy);
    return status;
}

static int read_baseline(tfp_baseline *b, const char *json)
{
    uint8_t *copy = copied(json, strlen(json));
    int status;
    *b = (tfp_baseline){ 0 };
    status = tfp_baseline_read(b, &memory, (tfp_span){ copy, strlen(json) },
                               "b.json", &err);
    free(copy);
    return status;
}

/* ---- Limits ------------------------------------------------------------- */

typedef struct limit_row {
    const char *text;
    tfp_unit unit;
    tfp_limit_kind kind;
    double value;
} limit_row;

/* clang-format off */
static const limit_row limit_rows[] = {
    { "0", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 0 },
    { "007", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 7 },
    { "3538984", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 3538984 },
    { "3.6M", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 3600000 },
    { "1 K", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 1000 },
    { "2G", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 2e9 },
    { "0.25T", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 250e9 },
    { "1.1us", TFP_UNIT_MICROS, TFP_LIMIT_ABSOLUTE, 1.1 },
    { "1.1ms", TFP_UNIT_MICROS, TFP_LIMIT_ABSOLUTE, 1100 },
    { "2.5 s", TFP_UNIT_MICROS, TFP_LIMIT_ABSOLUTE, 2500000 },
    { "100B", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 100 },
    { "1KB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1000 },
    { "1MB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1e6 },
    { "1GB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1e9 },
    { "1TB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1e12 },
    { "1KiB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1024 },
    { "1MiB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1048576 },
    { "1.5 GiB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1610612736 },
    { "1TiB", TFP_UNIT_BYTES, TFP_LIMIT_ABSOLUTE, 1099511627776 },
    { "+5%", TFP_UNIT_MICROS, TFP_LIMIT_PERCENT, 5 },
    { "+5 %", TFP_UNIT_MICROS, TFP_LIMIT_PERCENT, 5 },
    { "-3%", TFP_UNIT_COUNT, TFP_LIMIT_PERCENT, -3 },
    { "+0%", TFP_UNIT_BYTES, TFP_LIMIT_PERCENT, 0 },
    { "+0.1%", TFP_UNIT_BYTES, TFP_LIMIT_PERCENT, 0.1 },
    { "+100us", TFP_UNIT_MICROS, TFP_LIMIT_DIFFERENCE, 100 },
    { "-1MB", TFP_UNIT_BYTES, TFP_LIMIT_DIFFERENCE, -1e6 },
    { "+12", TFP_UNIT_COUNT, TFP_LIMIT_DIFFERENCE, 12 },
    { "999999999999999", TFP_UNIT_COUNT, TFP_LIMIT_ABSOLUTE, 999999999999999 },
};
/* clang-format on */

static void check_limits(void)
{
    EACH(row, limit_rows) {
        tfp_limit limit = { 0 };
        const char *mistake = tfp_limit_parse(tfp_span_of(row->text), row->unit,
                                              &limit);
        if (mistake || limit.kind != row->kind || limit.value != row->value)
            fail_msg("%s: %s %d %.17g", row->text, mistake ? mistake : "ok",
                     limit.kind, limit.value);
    }
}

TEST(limits_have_units_and_signs)
{
    check_limits();
    /* Where a comma is the decimal point, nothing changes. */
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "C.UTF-8"))
        check_limits();
    setlocale(LC_ALL, "C");
}

typedef struct limit_mistake {
    const char *text;
    tfp_unit unit;
    const char *message; /* how it begins */
} limit_mistake;

static const limit_mistake limit_mistakes[] = {
    { "", TFP_UNIT_COUNT, "must be a number or a string such as \"+5%\"" },
    { " 5", TFP_UNIT_COUNT, "must be" },
    { "+", TFP_UNIT_COUNT, "must be" },
    { "+-5", TFP_UNIT_COUNT, "must be" },
    { "%", TFP_UNIT_COUNT, "must be" },
    { ".5", TFP_UNIT_COUNT, "must be" },
    { "5.", TFP_UNIT_COUNT, "must be" },
    { "5.K", TFP_UNIT_COUNT, "must be" },
    { "nan", TFP_UNIT_COUNT, "must be" },
    { "inf", TFP_UNIT_COUNT, "must be" },
    { "five", TFP_UNIT_COUNT, "must be" },
    { "5%", TFP_UNIT_COUNT, "needs a sign" },
    { "5 %", TFP_UNIT_COUNT, "needs a sign" },
    { "1e3", TFP_UNIT_COUNT, "has an unknown unit (expected K, M, G or T)" },
    { "1e999", TFP_UNIT_COUNT, "has an unknown unit" },
    { "5 ", TFP_UNIT_COUNT, "has an unknown unit" },
    { "5  K", TFP_UNIT_COUNT, "has an unknown unit" },
    { "5,5", TFP_UNIT_COUNT, "has an unknown unit" },
    { "5.5.5", TFP_UNIT_COUNT, "has an unknown unit" },
    { "5k", TFP_UNIT_COUNT, "has an unknown unit" },
    { "0x10", TFP_UNIT_COUNT, "has an unknown unit" },
    { "5KB", TFP_UNIT_COUNT, "has an unknown unit" },
    { "5us", TFP_UNIT_BYTES, "has an unknown unit (expected B, KB, MB," },
    { "5 min", TFP_UNIT_MICROS, "has an unknown unit (expected us, ms or s)" },
    { "+5%%", TFP_UNIT_MICROS, "has an unknown unit" },
    { "1234567890123456", TFP_UNIT_COUNT, "has more than 15 digits" },
    { "999999999T", TFP_UNIT_COUNT, "is too large" },
};

TEST(mistakes_in_limits_are_explained)
{
    EACH(row, limit_mistakes) {
        tfp_limit limit;
        const char *mistake = tfp_limit_parse(tfp_span_of(row->text), row->unit,
                                              &limit);
        if (!mistake || strncmp(mistake, row->message, strlen(row->message)))
            fail_msg("%s: %s", row->text, mistake ? mistake : "accepted");
    }
}

/* ---- Files of budgets --------------------------------------------------- */

static const char good_budgets[] =
    "{\"tfprof_budgets\": 1, \"budgets\": [\n"
    "  {\"metric\": \"params\", \"max\": 3600000},\n"
    "  {\"name\": \"tower\", \"metric\": \"micros\", \"scope\": \"tower/.*\",\n"
    "   \"max\": \"+5%\", \"and_at_least\": \"100us\"},\n"
    "  {\"metric\": \"occurrence\", \"op\": \"Conv.*\", \"min\": 3, \"max\": "
    "\"4K\"},\n"
    "  {\"metric\": \"runs\", \"code\": \"a.py:3\", \"min\": \"-1%\"},\n"
    "  {\"metric\": \"nodes\", \"device\": \"gpu\", \"max\": 7.5},\n"
    "  {\"metric\": \"macs\", \"max\": \"1G\", \"and_at_least\": 12}]}";

TEST(budgets_are_read)
{
    tfp_budgets b;
    const tfp_budget *one;
    need_jansson();
    begin();
    must(read_budgets(&b, good_budgets), &err);
    assert_int_equal(b.all.count, 6);
    one = b.all.data;
    assert_int_equal(one->metric, TFP_COST_PARAMS);
    assert_int_equal(one->rows, TFP_BUDGET_ALL);
    assert_null(one->pattern);
    assert_null(one->name);
    assert_int_equal(one->max.kind, TFP_LIMIT_ABSOLUTE);
    assert_true(one->max.value == 3600000);
    assert_int_equal(one->min.kind, TFP_LIMIT_NONE);
    one++;
    assert_string_equal(one->name, "tower");
    assert_int_equal(one->metric, TFP_COST_MICROS);
    assert_int_equal(one->rows, TFP_BUDGET_SCOPE);
    assert_string_equal(one->pattern, "tower/.*");
    assert_int_equal(one->max.kind, TFP_LIMIT_PERCENT);
    assert_true(one->max.value == 5);
    assert_true(one->and_at_least == 100);
    one++;
    assert_int_equal(one->metric, TFP_COST_RUNS);
    assert_int_equal(one->rows, TFP_BUDGET_OP);
    assert_true(one->min.value == 3 && one->max.value == 4000);
    one++;
    assert_int_equal(one->metric, TFP_COST_RUNS);
    assert_int_equal(one->rows, TFP_BUDGET_CODE);
    assert_int_equal(one->min.kind, TFP_LIMIT_PERCENT);
    assert_true(one->min.value == -1);
    one++;
    assert_int_equal(one->metric, TFP_BUDGET_NODES);
    assert_int_equal(one->rows, TFP_BUDGET_DEVICE);
    assert_true(one->max.value == 7.5);
    one++;
    assert_int_equal(one->metric, TFP_BUDGET_MACS);
    assert_true(one->max.value == 1e9 && one->and_at_least == 12);
    tfp_budgets_release(&b);
    counting_check(&counts);
}

TEST(metrics_have_names_and_units)
{
    for (int i = 0; i < TFP_BUDGET_METRICS; i++)
        assert_int_equal(tfp_budget_metric_find(tfp_budget_metric_name(i)), i);
    assert_int_equal(tfp_budget_metric_find("time"), -1);
    assert_int_equal(tfp_budget_metric_find(""), -1);
    assert_int_equal(tfp_budget_metric_unit(TFP_BUDGET_MACS), TFP_UNIT_COUNT);
    assert_true(tfp_budget_is_time(TFP_COST_QUEUE_MICROS));
    assert_false(tfp_budget_is_time(TFP_COST_PEAK_BYTES));
    assert_false(tfp_budget_is_time(TFP_BUDGET_NODES));
}

typedef struct mistake {
    const char *json;
    const char *message; /* NULL: jansson's own words */
} mistake;

#define ONE(members) "{\"budgets\": [{" members "}]}"
#define PARAMS       "\"metric\": \"params\""

static const mistake budget_mistakes[] = {
    { "", "is empty" },
    { "{", NULL },
    { "{\"budgets\": [], \"budgets\": []}", NULL },
    { ONE(PARAMS ", \"max\": NaN"), NULL },
    { ONE(PARAMS ", \"max\": 1e999"), NULL },
    { ONE(PARAMS ", \"max\": 99999999999999999999"), NULL },
    { "[]", "must be an object, such as {\"budgets\": [{\"metric\": "
            "\"params\", \"max\": 3600000}]}" },
    { "{}", "has no \"budgets\"" },
    { "{\"budget\": []}",
      "unknown key \"budget\" (expected budgets or tfprof_budgets)" },
    { "{\"tfprof_budgets\": 2, \"new\": 1}",
      "\"tfprof_budgets\" is 2: a newer tfprof is needed to read this format" },
    { "{\"tfprof_budgets\": 0}", "\"tfprof_budgets\" must be 1" },
    { "{\"tfprof_budgets\": 1.0}", "\"tfprof_budgets\" must be 1" },
    { "{\"budgets\": {}}",
      "\"budgets\" must be an array of at least one object" },
    { "{\"budgets\": []}",
      "\"budgets\" must be an array of at least one object" },
    { "{\"budgets\": [3]}", "budget 1: must be an object, such as {\"metric\": "
                            "\"params\", \"max\": 3600000}" },
    { "{\"budgets\": [{" PARAMS ", \"max\": 1}, {" PARAMS "}]}",
      "budget 2: has neither \"max\" nor \"min\"" },
    { ONE("\"max\": 1"), "budget 1: has no \"metric\"" },
    { ONE("\"metric\": 3"), "budget 1: \"metric\" must be a string that is not "
                            "empty, found a number" },
    { ONE("\"metric\": \"\""), "budget 1: \"metric\" must be a string that is "
                               "not empty, found \"\"" },
    { ONE("\"metric\": \"time\", \"max\": 1"),
      "budget 1: unknown metric \"time\" (expected bytes, peak_bytes, "
      "residual_bytes, output_bytes, micros, accelerator_micros, cpu_micros, "
      "params, float_ops, runs, queue_micros, nodes, macs and 4 more)" },
    { ONE("\"metric\": \"step_micros\", \"scope\": \"a\", \"max\": 1"),
      "budget 1: step_micros is measured only for complete steps (remove "
      "\"scope\")" },
    { ONE(PARAMS ", \"maxi\\u202e\": 1"),
      "budget 1: unknown key \"maxi\\xe2\\x80\\xae\" (expected name, metric, "
      "scope, op, code, device, max, min or and_at_least)" },
    { ONE(PARAMS ", \"name\": null, \"max\": 1"),
      "budget 1: \"name\" must be a string that is not empty, found null" },
    { ONE(PARAMS ", \"scope\": [], \"max\": 1"),
      "budget 1: \"scope\" must be a string that is not empty, found an "
      "array" },
    { ONE(PARAMS ", \"op\": \"a\", \"scope\": \"b\", \"max\": 1"),
      "budget 1: has \"scope\" and \"op\", but only one of them is allowed" },
    { ONE("\"metric\": \"macs\", \"op\": \"a\", \"max\": 1"),
      "budget 1: macs are counted only for the complete model (remove "
      "\"op\")" },
    { ONE(PARAMS ", \"max\": true"),
      "budget 1: \"max\" must be a number or a string such as \"+5%\", found "
      "true" },
    { ONE(PARAMS ", \"max\": \"much\""),
      "budget 1: \"max\" must be a number or a string such as \"+5%\", found "
      "\"much\"" },
    { ONE(PARAMS ", \"min\": \"5%\""),
      "budget 1: \"min\" needs a sign (such as \"+5%\"), because percentages "
      "are relative to the baseline, found \"5%\"" },
    { ONE(PARAMS ", \"max\": -1"),
      "budget 1: \"max\" must not be negative, found a number" },
    { ONE(PARAMS ", \"max\": 1e20"),
      "budget 1: \"max\" is too large (at most 1e19), found a number" },
    { ONE(PARAMS ", \"max\": 1, \"and_at_least\": \"+5%\""),
      "budget 1: \"and_at_least\" must not have a sign or %" },
    { ONE(PARAMS ", \"max\": 1, \"and_at_least\": \"-5\""),
      "budget 1: \"and_at_least\" must not have a sign or %" },
    { ONE(PARAMS ", \"max\": 1, \"and_at_least\": -5"),
      "budget 1: \"and_at_least\" must not be negative, found a number" },
};

typedef int read_one(const char *json);

static int read_and_release_budgets(const char *json)
{
    tfp_budgets b;
    int status = read_budgets(&b, json);
    tfp_budgets_release(&b);
    return status;
}

static int read_and_release_baseline(const char *json)
{
    tfp_baseline b;
    int status = read_baseline(&b, json);
    tfp_baseline_release(&b);
    return status;
}

static void check_mistakes(const mistake *all, size_t count, read_one *reads)
{
    for (size_t i = 0; i < count; i++) {
        char wanted[400];
        begin();
        if (reads(all[i].json) != TFPROF_ERR_MALFORMED)
            fail_msg("%s: %d %s", all[i].json, err.code, err.message);
        counting_check(&counts);
        snprintf(wanted, sizeof(wanted), "b.json: %s",
                 all[i].message ? all[i].message : "line ");
        if (all[i].message ? strcmp(err.message, wanted) != 0
                           : strncmp(err.message, wanted, strlen(wanted)) != 0)
            fail_msg("%s:\n%s\n%s", all[i].json, err.message, wanted);
    }
}

TEST(mistakes_in_budgets_are_explained)
{
    need_jansson();
    check_mistakes(budget_mistakes, COUNT(budget_mistakes),
                   read_and_release_budgets);
}

TEST(the_number_of_budgets_has_a_limit)
{
    static char json[64 * (TFP_BUDGETS_MOST + 2)];
    need_jansson();
    for (size_t most = TFP_BUDGETS_MOST; most <= TFP_BUDGETS_MOST + 1; most++) {
        size_t size = (size_t)snprintf(json, sizeof(json), "{\"budgets\": [");
        for (size_t i = 0; i < most; i++)
            size += (size_t)snprintf(json + size, sizeof(json) - size,
                                     "%s{" PARAMS ", \"max\": %zu}",
                                     i ? "," : "", i);
        snprintf(json + size, sizeof(json) - size, "]}");
        begin();
        if (most == TFP_BUDGETS_MOST) {
            assert_ok(read_and_release_budgets(json));
        } else {
            assert_int_equal(read_and_release_budgets(json), TFPROF_ERR_LIMIT);
            assert_string_equal(err.message, "b.json: more than 1000 budgets");
        }
        counting_check(&counts);
    }
}

/* ---- Files of baselines ------------------------------------------------- */

static const char good_baseline[] =
    "{\"tfprof_baseline\": 1, \"version\": \"0.9.0\", \"of\": \"min\",\n"
    " \"skip_steps\": 3, \"runs\": 8, \"news\": {},\n"
    " \"machine\": {\"cpu\": \"A\", \"cores\": 8, \"accelerators\": \"\",\n"
    "             \"versions\": \"jax 1\", \"news\": null},\n"
    " \"rows\": [{\"metric\": \"params\", \"values\": [3538984], \"news\": "
    "1},\n"
    "          {\"metric\": \"micros\", \"scope\": \"tower/.*\",\n"
    "           \"values\": [1.5, 2, 3e0]},\n"
    "          {\"metric\": \"float_ops\", \"values\": [],\n"
    "           \"partial\": true}]}";

TEST(baselines_are_read)
{
    tfp_baseline b;
    const tfp_baseline_row *row;
    tfp_budget wanted = { .metric = TFP_COST_MICROS,
                          .rows = TFP_BUDGET_SCOPE,
                          .pattern = (char[]){ "tower/.*" } };
    need_jansson();
    begin();
    must(read_baseline(&b, good_baseline), &err);
    assert_true(b.takes_minimum);
    assert_int_equal(b.skip_steps, 3);
    assert_int_equal(b.runs, 8);
    assert_string_equal(b.machine.cpu, "A");
    assert_int_equal(b.machine.cores, 8);
    assert_string_equal(b.machine.accelerators, "");
    assert_string_equal(b.machine.versions, "jax 1");
    assert_int_equal(b.rows.count, 3);
    row = tfp_baseline_find(&b, &wanted);
    assert_ptr_equal(row, &b.rows.data[1]);
    assert_int_equal(row->count, 3);
    assert_true(row->values[0] == 1.5 && row->values[2] == 3);
    assert_false(row->is_partial);
    assert_true(b.rows.data[2].is_partial);
    wanted.pattern[0] = 'x';
    assert_null(tfp_baseline_find(&b, &wanted));
    wanted.rows = TFP_BUDGET_OP;
    assert_null(tfp_baseline_find(&b, &wanted));
    wanted = (tfp_budget){ .metric = TFP_COST_PARAMS };
    assert_ptr_equal(tfp_baseline_find(&b, &wanted), &b.rows.data[0]);
    wanted.metric = TFP_BUDGET_NODES;
    assert_null(tfp_baseline_find(&b, &wanted));
    tfp_baseline_release(&b);
    counting_check(&counts);
}

#define ROW(members)                                                           \
    "{\"tfprof_baseline\": 1, \"rows\": [{" PARAMS ", " members "}]}"
#define HEAD(members) "{\"tfprof_baseline\": 1, " members ", \"rows\": []}"

static const mistake baseline_mistakes[] = {
    { "", "is empty" },
    { "[]", "is not a baseline; write one with tfprof baseline" },
    { "{\"rows\": []}", "is not a baseline; write one with tfprof baseline" },
    { "{\"tfprof_baseline\": 2}",
      "\"tfprof_baseline\" is 2: a newer tfprof is needed to read this "
      "format" },
    { "{\"tfprof_baseline\": \"1\"}", "\"tfprof_baseline\" must be 1" },
    { "{\"tfprof_baseline\": 1}", "\"rows\" must be an array of objects" },
    { HEAD("\"of\": \"mean\""), "\"of\" must be median or min" },
    { HEAD("\"runs\": -1"),
      "\"runs\" must be an integer of at least 0, found a number" },
    { HEAD("\"skip_steps\": \"1\""),
      "\"skip_steps\" must be an integer of at least 0, found \"1\"" },
    { HEAD("\"machine\": []"), "\"machine\" must be an object" },
    { HEAD("\"machine\": {\"cpu\": 3}"),
      "\"cpu\" must be a string of less than 128 bytes, found a number" },
    { HEAD("\"machine\": {\"cores\": 1.5}"),
      "\"cores\" must be an integer of at least 0, found a number" },
    { "{\"tfprof_baseline\": 1, \"rows\": [3]}", "row 1: must be an object" },
    { "{\"tfprof_baseline\": 1, \"rows\": [{}]}", "row 1: has no \"metric\"" },
    { ROW("\"op\": \"\", \"values\": []"),
      "row 1: \"op\" must be a string that is not empty, found \"\"" },
    { ROW("\"partial\": 1, \"values\": []"),
      "row 1: \"partial\" must be true or false" },
    { ROW("\"value\": []"), "row 1: \"values\" must be an array of numbers" },
    { ROW("\"values\": [1, null]"),
      "row 1: value 2 must be a number from -1e19 to 1e19" },
    { ROW("\"values\": [-1e20]"),
      "row 1: value 1 must be a number from -1e19 to 1e19" },
};

TEST(mistakes_in_baselines_are_explained)
{
    need_jansson();
    check_mistakes(baseline_mistakes, COUNT(baseline_mistakes),
                   read_and_release_baseline);
}

TEST(unknown_facts_of_a_machine_are_equal)
{
    tfp_machine a = { .cpu = "A", .cores = 8, .versions = "jax 1" };
    tfp_machine b = a;
    assert_null(tfp_machine_difference(&a, &b));
    assert_null(tfp_machine_difference(&a, &(tfp_machine){ 0 }));
    b.accelerators[0] = 'G';
    assert_null(tfp_machine_difference(&a, &b));
    a.accelerators[0] = 'T';
    b.versions[0] = 'x';
    assert_string_equal(tfp_machine_difference(&a, &b), "accelerators");
    b.accelerators[0] = 'T';
    assert_string_equal(tfp_machine_difference(&a, &b), "versions");
    b.cores = 4;
    assert_string_equal(tfp_machine_difference(&a, &b), "cores");
    b.cpu[0] = 'B';
    assert_string_equal(tfp_machine_difference(&a, &b), "cpu");
}

/* ---- Failing allocations ------------------------------------------------ */

TEST(each_allocation_may_fail)
{
    size_t k, refused;
    need_jansson();
    for (k = 1, refused = 1; refused > 0; k++) {
        int status;
        begin();
        counts.fail_at = k;
        status = read_and_release_budgets(good_budgets);
        if (status == TFPROF_OK)
            status = read_and_release_baseline(good_baseline);
        refused = counts.refused;
        assert_int_equal(status, refused ? TFPROF_ERR_NOMEM : TFPROF_OK);
        counting_check(&counts);
    }
    assert_true(k > 12);
}

/* ---- Without jansson ---------------------------------------------------- */

TEST(a_build_without_jansson_says_so)
{
    if (tfp_json_tree_is_there())
        skip();
    begin();
    assert_int_equal(read_and_release_budgets("{}"), TFPROF_ERR_OPTION);
    assert_string_equal(err.message, "cannot read budgets: this tfprof was "
                                     "built without jansson");
    assert_int_equal(read_and_release_baseline("{}"), TFPROF_ERR_OPTION);
    assert_string_equal(err.message, "cannot read baselines: this tfprof was "
                                     "built without jansson");
}
