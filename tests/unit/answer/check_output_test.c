/*
 * check_output_test.c - verdicts about budgets in every form.
 */
#include <math.h>

#include <tfprof/version.h>

#include "check_samples.h"
#include "counting.h"
#include "options/options.h"
#include "output/check/check.h"

typedef struct text {
    char data[1 << 16];
    size_t size;
} text;

static text written;

static int put(void *context, const void *data, size_t size)
{
    text *t = context;
    assert_true(t->size + size < sizeof(t->data));
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = '\0';
    return 0;
}

static int write_answer(const tfp_check_answer *answer)
{
    static tfp_sink sink;
    int status;
    written.size = 0;
    written.data[0] = '\0';
    tfp_sink_init(&sink, put, &written);
    status = tfp_check_write(answer, &sink, NULL);
    assert_true(tfp_sink_flush(&sink));
    return status;
}

/* The first `count` samples. The last one, which is hostile, is left out of
 * what is compared in full. */
static const char *write_samples(int64_t format, size_t count)
{
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    answer.format = format;
    answer.count = count;
    tfp_memory_init(&memory, NULL, NULL);
    assert_ok(write_answer(&answer));
    assert_int_equal(memory.held, 0);
    return written.data;
}

static void assert_has(const char *part)
{
    if (!strstr(written.data, part))
        fail_msg("\"%s\" is not in:\n%s", part, written.data);
}

static void assert_lacks(const char *part)
{
    if (strstr(written.data, part))
        fail_msg("\"%s\" is in:\n%s", part, written.data);
}

/* ---- For people --------------------------------------------------------- */

TEST(text_has_the_worst_first_and_a_reason_below)
{
    static const char text_form[] =
        "8 runs; baseline: 7 runs\n"
        "\n"
        "verdict     budget                      value       base      limit   "
        "change\n"
        "broken      scope tower/.*: micros    12.35ms    11.00ms    11.55ms  "
        "+12.18%\n"
        "    slower by 1.34ms, above the limit of 550.00us\n"
        "    largest row: tower/conv1 (src/my model.py:37)\n"
        "no verdict  step time                980.00us                 +2.5%\n"
        "    too few runs: 5 more needed\n"
        "ok          params                  3,538,984  3,538,984  3,600,000   "
        "+0.00%\n"
        "\n"
        "1 broken, 1 without a verdict, 1 ok\n";
    assert_string_equal(write_samples(TFP_FORMAT_TEXT, 3), text_form);
    assert_string_equal(write_samples(TFP_FORMAT_TABLE, 3), text_form);
    assert_string_equal(write_samples(TFP_FORMAT_AUTO, 3), text_form);
}

TEST(text_without_a_baseline_has_fewer_columns)
{
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    tfp_memory_init(&memory, NULL, NULL);
    answer.checked = &check_samples[2];
    answer.count = 1;
    answer.runs = 1;
    answer.baseline = NULL;
    assert_ok(write_answer(&answer));
    assert_string_equal(written.data, "1 run; no baseline\n"
                                      "\n"
                                      "verdict     budget        value  limit\n"
                                      "no verdict  step time  980.00us  +2.5%\n"
                                      "    too few runs: 5 more needed\n"
                                      "\n"
                                      "0 broken, 1 without a verdict, 0 ok\n"
                                      "status 6: step time has no verdict: too "
                                      "few runs: 5 more needed\n");
}

TEST(text_fits_a_window)
{
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    tfp_checked checked = check_samples[1];
    tfp_memory_init(&memory, NULL, NULL);
    snprintf(checked.reason, sizeof(checked.reason), "%0200d and some more", 7);
    answer.checked = &checked;
    answer.count = 1;
    answer.style = (tfp_style){ .columns = 80, .has_color = true };
    for (size_t i = 40; i < 200; i += 20)
        checked.reason[i] = ' ';
    assert_ok(write_answer(&answer));
    assert_has("\033[1mbroken   "); /* bold */
    assert_has("+12.18%\033[0m\n");
    answer.style.has_color = false;
    assert_ok(write_answer(&answer));
    for (const char *line = written.data; *line;
         line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
}

TEST(hostile_names_are_escaped_in_text)
{
    write_samples(TFP_FORMAT_TEXT, 4);
    assert_has("broken      a,b:c%d\\x0d\\x0a<i>&\"|*[x](y){0}\\x1b\\xff");
    assert_has("\\xe2\\x80\\xae  "); /* U+202E */
    assert_lacks("\x1b");
    assert_lacks("\xff");
}

TEST(markdown_has_a_table_with_reasons)
{
    assert_string_equal(
        write_samples(TFP_FORMAT_MARKDOWN, 3),
        "**1 broken, 1 without a verdict, 1 ok**\n"
        "\n"
        "8 runs; baseline: 7 runs\n"
        "\n"
        "| verdict | budget | value | base | limit | change | reason |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | --- |\n"
        "| broken | scope tower/.\\*\\: micros | 12.35ms | 11.00ms | 11.55ms | "
        "\\+12.18% | slower by 1.34ms, above the limit of 550.00us; largest "
        "row\\: tower/conv1 \\(src/my model.py\\:37\\) |\n"
        "| no verdict | step time | 980.00us |  | \\+2.5% |  | too few runs\\: "
        "5 more needed |\n"
        "| ok | params | 3,538,984 | 3,538,984 | 3,600,000 | \\+0.00% |  |\n");
    write_samples(TFP_FORMAT_MARKDOWN, 4);
    assert_has("| a,b\\:c%d\\x0d\\x0a\\<i\\>\\&\"\\|\\*\\[x\\]\\(y\\)\\{0\\}"
               "\\x1b\\xff");
    assert_lacks("<i>");
}

/* ---- Order -------------------------------------------------------------- */

TEST(broken_budgets_stand_by_their_excess)
{
    static const struct {
        tfp_check_verdict verdict;
        double excess;
    } cases[] = { { TFP_CHECK_OK, 0 },           { TFP_CHECK_BROKEN, 0.5 },
                  { TFP_CHECK_NO_VERDICT, 0 },   { TFP_CHECK_BROKEN, 1e300 },
                  { TFP_CHECK_BROKEN, NAN },     { TFP_CHECK_OK, 0 },
                  { TFP_CHECK_BROKEN, 0.5 },     { TFP_CHECK_NO_VERDICT, 0 },
                  { TFP_CHECK_BROKEN, INFINITY } };
    enum { CASES = COUNT(cases) };
    static const char sorted[] = "831642705";
    char names[CASES][2] = { "" };
    tfp_budget budgets[CASES];
    tfp_checked checked[CASES];
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    const char *at;
    tfp_memory_init(&memory, NULL, NULL);
    for (size_t i = 0; i < CASES; i++) {
        names[i][0] = (char)('0' + i);
        budgets[i] = check_budgets[0];
        budgets[i].name = names[i];
        checked[i] = check_samples[0];
        checked[i].budget = &budgets[i];
        checked[i].verdict = cases[i].verdict;
        checked[i].excess = cases[i].excess;
    }
    answer.checked = checked;
    answer.count = CASES;
    answer.format = TFP_FORMAT_JUNIT;
    assert_ok(write_answer(&answer));
    at = written.data;
    for (size_t i = 0; i < CASES; i++) {
        char name[] = "<testcase name=\"0\"";
        name[sizeof(name) - 3] = sorted[i];
        at = strstr(at, name);
        assert_non_null(at);
    }
}

/* ---- JSON --------------------------------------------------------------- */

TEST(json_has_the_order_of_the_file)
{
    assert_string_equal(
        write_samples(TFP_FORMAT_JSON, 3),
        "{\n"
        "  \"verdict\": \"broken\",\n"
        "  \"broken\": 1,\n"
        "  \"without_verdict\": 1,\n"
        "  \"ok\": 1,\n"
        "  \"runs\": 8,\n"
        "  \"baseline_runs\": 7,\n"
        "  \"run_names\": [],\n"
        "  \"budgets\": [\n"
        "    {\n"
        "      \"name\": null,\n"
        "      \"metric\": \"params\",\n"
        "      \"rows\": \"all\",\n"
        "      \"pattern\": null,\n"
        "      \"verdict\": \"ok\",\n"
        "      \"reason\": null,\n"
        "      \"is_noise\": false,\n"
        "      \"detail\": null,\n"
        "      \"value\": 3538984,\n"
        "      \"base\": 3538984,\n"
        "      \"limit\": 3600000,\n"
        "      \"limit_is_minimum\": false,\n"
        "      \"unit\": \"count\",\n"
        "      \"values\": [],\n"
        "      \"shift\": null,\n"
        "      \"shift_low\": null,\n"
        "      \"shift_high\": null,\n"
        "      \"median_low\": null,\n"
        "      \"median_high\": null,\n"
        "      \"p\": null,\n"
        "      \"adjusted_p\": null,\n"
        "      \"more_runs\": 0,\n"
        "      \"excess\": null,\n"
        "      \"row\": null,\n"
        "      \"file\": null,\n"
        "      \"line\": null\n"
        "    },\n"
        "    {\n"
        "      \"name\": null,\n"
        "      \"metric\": \"micros\",\n"
        "      \"rows\": \"scope\",\n"
        "      \"pattern\": \"tower/.*\",\n"
        "      \"verdict\": \"broken\",\n"
        "      \"reason\": \"slower by 1.34ms, above the limit of 550.00us\",\n"
        "      \"is_noise\": false,\n"
        "      \"detail\": null,\n"
        "      \"value\": 12350.5,\n"
        "      \"base\": 11000,\n"
        "      \"limit\": 11550,\n"
        "      \"limit_is_minimum\": false,\n"
        "      \"unit\": \"microseconds\",\n"
        "      \"values\": [],\n"
        "      \"shift\": 1340,\n"
        "      \"shift_low\": 1200,\n"
        "      \"shift_high\": 1500,\n"
        "      \"median_low\": null,\n"
        "      \"median_high\": null,\n"
        "      \"p\": 0.0001554001554001554,\n"
        "      \"adjusted_p\": 0.0005,\n"
        "      \"more_runs\": 0,\n"
        "      \"excess\": 0.069,\n"
        "      \"row\": \"tower/conv1\",\n"
        "      \"file\": \"src/my model.py\",\n"
        "      \"line\": 37\n"
        "    },\n"
        "    {\n"
        "      \"name\": \"step time\",\n"
        "      \"metric\": \"micros\",\n"
        "      \"rows\": \"all\",\n"
        "      \"pattern\": null,\n"
        "      \"verdict\": \"no verdict\",\n"
        "      \"reason\": \"too few runs: 5 more needed\",\n"
        "      \"is_noise\": false,\n"
        "      \"detail\": null,\n"
        "      \"value\": 980,\n"
        "      \"base\": null,\n"
        "      \"limit\": null,\n"
        "      \"limit_is_minimum\": null,\n"
        "      \"unit\": \"microseconds\",\n"
        "      \"values\": [],\n"
        "      \"shift\": null,\n"
        "      \"shift_low\": null,\n"
        "      \"shift_high\": null,\n"
        "      \"median_low\": 970,\n"
        "      \"median_high\": 990.25,\n"
        "      \"p\": null,\n"
        "      \"adjusted_p\": null,\n"
        "      \"more_runs\": 5,\n"
        "      \"excess\": null,\n"
        "      \"row\": null,\n"
        "      \"file\": null,\n"
        "      \"line\": null\n"
        "    }\n"
        "  ]\n"
        "}\n");
}

TEST(json_without_budgets_is_ok)
{
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    tfp_memory_init(&memory, NULL, NULL);
    answer.count = 0;
    answer.baseline = NULL;
    answer.format = TFP_FORMAT_JSON;
    assert_ok(write_answer(&answer));
    assert_has("\"verdict\": \"ok\"");
    assert_has("\"baseline_runs\": null");
    assert_has("\"budgets\": []");
}

/* ---- GitHub ------------------------------------------------------------- */

TEST(github_gets_annotations)
{
    assert_string_equal(
        write_samples(TFP_FORMAT_GITHUB, 3),
        "::error file=src/my model.py,line=37,title=tfprof check%3A scope "
        "tower/.*%3A micros::slower by 1.34ms, above the limit of 550.00us "
        "(value 12.35ms, base 11.00ms, maximum 11.55ms); largest row: "
        "tower/conv1 (src/my model.py:37)\n"
        "::warning file=ci/budgets.json,title=tfprof check%3A step time::too "
        "few runs: 5 more needed (value 980.00us)\n"
        "1 broken, 1 without a verdict, 1 ok\n");
}

TEST(github_properties_and_messages_are_escaped)
{
    write_samples(TFP_FORMAT_GITHUB, 4);
    assert_has("::error file=/a%2Cb%3Ac%25d%0D%0A<i>&\"|*[x](y){0}\\x1b\\xff");
    assert_has(",title=tfprof check%3A a%2Cb%3Ac%25d%0D%0A<i>");
    assert_has("row: a,b:c%25d%0D%0A<i>");
    assert_lacks("\r");
}

/* Annotations of one kind for so many budgets of a verdict. */
static size_t annotate(tfp_check_verdict verdict, const char *command,
                       size_t count)
{
    static tfp_checked checked[40];
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    size_t found = 0;
    assert_true(count <= COUNT(checked));
    tfp_memory_init(&memory, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        checked[i] = check_samples[2];
        checked[i].verdict = verdict;
    }
    answer.checked = checked;
    answer.count = count;
    answer.format = TFP_FORMAT_GITHUB;
    assert_ok(write_answer(&answer));
    for (const char *at = written.data; (at = strstr(at, command)); at++)
        found++;
    return found;
}

TEST(github_never_gets_more_annotations_than_it_shows)
{
    assert_int_equal(annotate(TFP_CHECK_BROKEN, "::error ", 10), 10);
    assert_lacks("::and ");
    assert_int_equal(annotate(TFP_CHECK_BROKEN, "::error ", 11), 10);
    assert_has("::error title=tfprof check::and 2 more broken budgets: "
               "step time, step time\n11 broken, ");
    assert_int_equal(annotate(TFP_CHECK_BROKEN, "::error ", 40), 10);
    assert_has("::and 31 more broken budgets: step time, ");
    assert_has(" and 18 more\n40 broken, 0 without a verdict, 0 ok\n");
    assert_int_equal(annotate(TFP_CHECK_NO_VERDICT, "::warning ", 12), 10);
    assert_has("::warning title=tfprof check::and 3 more budgets without a "
               "verdict: step time, step time, step time\n");
    assert_int_equal(annotate(TFP_CHECK_NO_VERDICT, "::error ", 12), 0);
}

/* ---- JUnit and SARIF ---------------------------------------------------- */

TEST(junit_has_failures_and_skipped_cases)
{
    assert_string_equal(
        write_samples(TFP_FORMAT_JUNIT, 3),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites>\n"
        "  <testsuite id=\"0\" package=\"tfprof\" name=\"tfprof check\" "
        "timestamp=\"2023-11-14T22:13:20\" hostname=\"localhost\" tests=\"3\" "
        "failures=\"1\" errors=\"0\" skipped=\"1\" time=\"0\">\n"
        "    <properties>\n"
        "      <property name=\"runs\" value=\"8\"/>\n"
        "      <property name=\"baseline_runs\" value=\"7\"/>\n"
        "    </properties>\n"
        "    <testcase name=\"scope tower/.*: micros\" "
        "classname=\"tfprof.check.micros\" time=\"0\">\n"
        "      <failure type=\"broken\" message=\"slower by 1.34ms, above the "
        "limit of 550.00us (value 12.35ms, base 11.00ms, maximum 11.55ms); "
        "largest row: tower/conv1 (src/my model.py:37)\">slower by 1.34ms, "
        "above the limit of 550.00us (value 12.35ms, base 11.00ms, maximum "
        "11.55ms); largest row: tower/conv1 (src/my model.py:37)</failure>\n"
        "    </testcase>\n"
        "    <testcase name=\"step time\" classname=\"tfprof.check.micros\" "
        "time=\"0\">\n"
        "      <skipped message=\"too few runs: 5 more needed (value "
        "980.00us)\"/>\n"
        "    </testcase>\n"
        "    <testcase name=\"params\" classname=\"tfprof.check.params\" "
        "time=\"0\"/>\n"
        "    <system-out>1 broken, 1 without a verdict, 1 ok</system-out>\n"
        "    <system-err></system-err>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

TEST(junit_has_only_characters_of_xml)
{
    write_samples(TFP_FORMAT_JUNIT, 4);
    assert_has("<testcase name=\"a,b:c%d\\x0d\\x0a&lt;i&gt;&amp;&quot;|*[x](y)"
               "{0}\\x1b\\xff\\xef\\xbf\\xbe\\xe2\\x80\\xae\" classname=");
}

TEST(junit_has_four_digits_of_a_year)
{
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    tfp_memory_init(&memory, NULL, NULL);
    answer.format = TFP_FORMAT_JUNIT;
    answer.now = INT64_MAX;
    assert_ok(write_answer(&answer));
    assert_has(" timestamp=\"9999-12-31T23:59:59\"");
    answer.now = INT64_MIN;
    assert_ok(write_answer(&answer));
    assert_has(" timestamp=\"1970-01-01T00:00:00\"");
}

TEST(sarif_has_results_with_places)
{
    assert_string_equal(
        write_samples(TFP_FORMAT_SARIF, 3),
        "{\n"
        "  \"$schema\": "
        "\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json\",\n"
        "  \"version\": \"2.1.0\",\n"
        "  \"runs\": [\n"
        "    {\n"
        "      \"tool\": {\n"
        "        \"driver\": {\n"
        "          \"name\": \"tfprof\",\n"
        "          \"version\": \"" TFPROF_VERSION "\",\n"
        "          \"rules\": [\n"
        "            {\n"
        "              \"id\": \"broken-budget\",\n"
        "              \"shortDescription\": {\"text\": \"A budget is "
        "broken.\"}\n"
        "            },\n"
        "            {\n"
        "              \"id\": \"no-verdict\",\n"
        "              \"shortDescription\": {\"text\": \"The runs do not show "
        "whether a budget holds.\"}\n"
        "            }\n"
        "          ]\n"
        "        }\n"
        "      },\n"
        "      \"results\": [\n"
        "        {\n"
        "          \"ruleId\": \"broken-budget\",\n"
        "          \"ruleIndex\": 0,\n"
        "          \"kind\": \"fail\",\n"
        "          \"level\": \"error\",\n"
        "          \"message\": {\"text\": \"scope tower/.*: micros: slower by "
        "1.34ms, above the limit of 550.00us (value 12.35ms, base 11.00ms, "
        "maximum 11.55ms); largest row: tower/conv1 (src/my model.py:37)\"},\n"
        "          \"locations\": [\n"
        "            {\n"
        "              \"physicalLocation\": {\n"
        "                \"artifactLocation\": {\"uri\": "
        "\"src/my%20model.py\"},\n"
        "                \"region\": {\"startLine\": 37}\n"
        "              },\n"
        "              \"logicalLocations\": [\n"
        "                {\"fullyQualifiedName\": \"tower/conv1\", \"kind\": "
        "\"module\"}\n"
        "              ]\n"
        "            }\n"
        "          ]\n"
        "        },\n"
        "        {\n"
        "          \"ruleId\": \"no-verdict\",\n"
        "          \"ruleIndex\": 1,\n"
        "          \"kind\": \"open\",\n"
        "          \"level\": \"none\",\n"
        "          \"message\": {\"text\": \"step time: too few runs: 5 more "
        "needed (value 980.00us)\"},\n"
        "          \"locations\": [\n"
        "            {\n"
        "              \"physicalLocation\": {\n"
        "                \"artifactLocation\": {\"uri\": "
        "\"ci/budgets.json\"},\n"
        "                \"region\": {\"startLine\": 1}\n"
        "              }\n"
        "            }\n"
        "          ]\n"
        "        }\n"
        "      ]\n"
        "    }\n"
        "  ]\n"
        "}\n");
}

TEST(sarif_texts_make_no_links_or_arguments)
{
    write_samples(TFP_FORMAT_SARIF, 4);
    assert_has("\"text\": \"a,b:c%d\\u000d\\n\\u003ci>&\\\"|*[x\\\\](y){{0}}");
    assert_has(
        "\"uri\": \"file:///a%2Cb%3Ac%25d%0D%0A%3Ci%3E%26%22%7C%2A%5Bx%5D"
        "%28y%29%7B0%7D%1B%FF%EF%BF%BE%E2%80%AE\"}");
}

TEST(sarif_links_stay_broken_behind_backslashes)
{
    static char name[] = "[a](b)[a\\](b)[a\\\\](b)";
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    tfp_budget budget = check_budgets[1];
    tfp_checked checked = check_samples[1];
    tfp_memory_init(&memory, NULL, NULL);
    budget.name = name;
    checked.budget = &budget;
    answer.checked = &checked;
    answer.count = 1;
    answer.format = TFP_FORMAT_SARIF;
    assert_ok(write_answer(&answer));
    /* JSON doubles them. */
    assert_has("\"text\": \"[a\\\\](b)[a\\\\](b)[a\\\\\\\\\\\\](b): ");
}

/* ---- Baselines ---------------------------------------------------------- */

TEST(a_baseline_has_all_digits)
{
    static char scope[] = "tower/.*";
    double params[] = { 3538984 },
           times[] = { 0.1, 12345.678901234567, 1e-300 };
    tfp_baseline_row rows[] = {
        { .metric = TFP_COST_PARAMS,
          .values = params,
          .count = 1,
          .is_partial = true },
        { .rows = TFP_BUDGET_SCOPE,
          .pattern = scope,
          .metric = TFP_COST_MICROS,
          .values = times,
          .count = 3 },
    };
    tfp_baseline baseline = {
        .machine = { .cpu = "a \"CPU\"", .cores = 8, .versions = "jax 0.10.2" },
        .takes_minimum = true,
        .skip_steps = 2,
        .runs = 3,
        .rows = { .data = rows, .count = 2 }
    };
    static tfp_sink sink;
    written.size = 0;
    tfp_sink_init(&sink, put, &written);
    assert_ok(tfp_baseline_write(&baseline, &sink, NULL));
    assert_true(tfp_sink_flush(&sink));
    assert_string_equal(written.data,
                        "{\n"
                        "  \"tfprof_baseline\": 1,\n"
                        "  \"version\": \"" TFPROF_VERSION "\",\n"
                        "  \"of\": \"min\",\n"
                        "  \"skip_steps\": 2,\n"
                        "  \"runs\": 3,\n"
                        "  \"machine\": {\n"
                        "    \"cpu\": \"a \\\"CPU\\\"\",\n"
                        "    \"cores\": 8,\n"
                        "    \"accelerators\": \"\",\n"
                        "    \"versions\": \"jax 0.10.2\"\n"
                        "  },\n"
                        "  \"rows\": [\n"
                        "    {\"metric\": \"params\", \"partial\": true, "
                        "\"values\": [3538984]},\n"
                        "    {\"metric\": \"micros\", \"scope\": \"tower/.*\", "
                        "\"values\": [0.1, 12345.678901234567, 1e-300]}\n"
                        "  ]\n"
                        "}\n");
}

/* ---- Failures ----------------------------------------------------------- */

TEST(each_allocation_fails_once)
{
    for (int64_t format = 0; format <= TFP_FORMAT_SARIF; format++) {
        counting all = { 0 };
        tfp_memory memory;
        tfp_check_answer answer = check_answer(&memory);
        answer.format = format;
        tfp_memory_init(&memory, counting_resize, &all);
        assert_ok(write_answer(&answer));
        for (size_t n = 1; n <= all.calls; n++) {
            counting c = { .fail_at = n };
            tfp_memory_init(&memory, counting_resize, &c);
            assert_int_equal(write_answer(&answer), TFPROF_ERR_NOMEM);
            counting_check(&c);
        }
    }
}

static int refuse(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return -1;
}

TEST(a_failed_write_is_left_to_the_sink)
{
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    static tfp_sink sink;
    tfp_memory_init(&memory, NULL, NULL);
    for (answer.format = 0; answer.format <= TFP_FORMAT_SARIF;
         answer.format++) {
        tfp_sink_init(&sink, refuse, NULL);
        assert_ok(tfp_check_write(&answer, &sink, NULL));
        assert_false(tfp_sink_flush(&sink));
    }
    assert_int_equal(memory.held, 0);
}
