/*
 * check_junit.c - verdicts about budgets as the results of a test suite, in the
 * XML that Ant's JUnit task writes.
 *
 * A broken budget is a failure; one without a verdict is skipped. The schema
 * that others hold against it is JUnit.xsd of windyroad/JUnit-Schema, which
 * requires every attribute and the order of the elements below.
 */
#include <time.h>

#include "base/bytes.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "output/check/check_parts.h"
#include "output/text/xml.h"

/* Four digits of a year. */
static const int64_t latest = 253402300799; /* 9999-12-31T23:59:59 */

static void put_timestamp(tfp_sink *sink, int64_t now)
{
    time_t seconds = (time_t)(now < 0 ? 0 : now > latest ? latest : now);
    struct tm t = { .tm_year = 70, .tm_mday = 1 };
    (void)gmtime_r(&seconds, &t);
    tfp_sink_format(sink, "%04d-%02d-%02dT%02d:%02d:%02d", t.tm_year + 1900,
                    t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
}

static void put_suite(tfp_check_writer *w)
{
    tfp_sink_text(w->sink, "  <testsuite id=\"0\" package=\"tfprof\""
                           " name=\"tfprof check\" timestamp=\"");
    put_timestamp(w->sink, w->answer->now);
    tfp_sink_format(w->sink,
                    "\" hostname=\"localhost\" tests=\"%zu\" failures=\"%zu\""
                    " errors=\"0\" skipped=\"%zu\" time=\"0\">\n",
                    w->answer->count, w->counts[TFP_CHECK_BROKEN],
                    w->counts[TFP_CHECK_NO_VERDICT]);
}

static void put_property(tfp_sink *sink, const char *name, size_t value)
{
    tfp_sink_format(sink, "      <property name=\"%s\" value=\"%zu\"/>\n", name,
                    value);
}

static void put_properties(tfp_check_writer *w)
{
    tfp_sink_text(w->sink, "    <properties>\n");
    put_property(w->sink, "runs", w->answer->runs);
    if (w->answer->baseline)
        put_property(w->sink, "baseline_runs", w->answer->baseline->runs);
    tfp_sink_text(w->sink, "    </properties>\n");
}

/* Readers show the message, the text inside, or both. */
static void put_failure(tfp_check_writer *w, tfp_span message)
{
    tfp_sink_text(w->sink, "      <failure type=\"broken\" message=\"");
    tfp_xml_text(w->sink, message);
    tfp_sink_text(w->sink, "\">");
    tfp_xml_text(w->sink, message);
    tfp_sink_text(w->sink, "</failure>\n");
}

static void put_skipped(tfp_check_writer *w, tfp_span message)
{
    tfp_sink_text(w->sink, "      <skipped message=\"");
    tfp_xml_text(w->sink, message);
    tfp_sink_text(w->sink, "\"/>\n");
}

static void put_case(tfp_check_writer *w, const tfp_checked *checked)
{
    bool is_ok = checked->verdict == TFP_CHECK_OK;
    tfp_sink_text(w->sink, "    <testcase name=\"");
    tfp_xml_text(w->sink, tfp_check_label(w, checked));
    tfp_sink_format(w->sink, "\" classname=\"tfprof.check.%s\" time=\"0\"%s>\n",
                    tfp_budget_metric_name(checked->budget->metric),
                    is_ok ? "/" : "");
    if (is_ok)
        return;
    if (checked->verdict == TFP_CHECK_BROKEN)
        put_failure(w, tfp_check_message(w, checked));
    else
        put_skipped(w, tfp_check_message(w, checked));
    tfp_sink_text(w->sink, "    </testcase>\n");
}

void tfp_check_write_junit(tfp_check_writer *w)
{
    tfp_sink_text(w->sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<testsuites>\n");
    put_suite(w);
    put_properties(w);
    for (size_t i = 0; i < w->answer->count; i++) {
        if (tfp_sink_is_done(w->sink, i))
            return;
        put_case(w, tfp_check_at(w, i));
    }
    tfp_sink_text(w->sink, "    <system-out>");
    tfp_check_put_summary(w);
    tfp_sink_text(w->sink, "</system-out>\n"
                           "    <system-err></system-err>\n"
                           "  </testsuite>\n"
                           "</testsuites>\n");
}
