/*
 * check_sarif.c - verdicts about budgets as SARIF 2.1.0, the format of static
 * analysis that code hosts read.
 *
 * The standard: OASIS, "Static Analysis Results Interchange Format (SARIF)
 * Version 2.1.0". Budgets that hold have no results.
 */
#include <tfprof/version.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "output/check/check_parts.h"
#include "output/text/json.h"

/* By their index in the list of rules. */
enum { BROKEN_BUDGET, NO_VERDICT, RULES };

/* `open` is the word of the standard for a rule that could not be decided; only
 * failures may have a level. */
static const struct {
    const char *id, *description, *kind, *level;
} rules[RULES] = {
    [BROKEN_BUDGET] = { "broken-budget", "A budget is broken.", "fail",
                        "error" },
    [NO_VERDICT] = { "no-verdict",
                     "The runs do not show whether a budget holds.", "open",
                     "none" },
};

/* ---- Texts -------------------------------------------------------------- */

static void put_message(tfp_json *json, const char *key, tfp_span text)
{
    tfp_json_open_line(json, key, '{');
    tfp_json_string(json, "text", text);
    tfp_json_close(json);
}

/* Braces hold the number of an argument, so they are doubled. "](" is the
 * middle of a link, which no name is to make, unless a backslash stands before
 * it that is not escaped itself. */
static void add_plain(tfp_check_writer *w, tfp_span text)
{
    bool is_escaped = false;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        if (c == '{' || c == '}')
            tfp_check_add_bytes(w, &w->spare, (tfp_span){ &c, 1 });
        if (c == ']' && i + 1 < text.size && text.data[i + 1] == '(' &&
            !is_escaped)
            tfp_check_add(w, &w->spare, "\\");
        tfp_check_add_bytes(w, &w->spare, (tfp_span){ &c, 1 });
        is_escaped = c == '\\' && !is_escaped;
    }
}

static void put_result_message(tfp_check_writer *w, tfp_json *json,
                               const tfp_checked *checked)
{
    w->spare.count = 0;
    add_plain(w, tfp_check_label(w, checked));
    tfp_check_add(w, &w->spare, ": ");
    add_plain(w, tfp_check_message(w, checked));
    put_message(json, "message", tfp_check_span(&w->spare));
}

/* ---- Places ------------------------------------------------------------- */

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
           c == '~' || c == '/';
}

/* A path as a URI: an absolute one gets a scheme, all bytes that need it are
 * percent-encoded. Uses w->spare. */
static tfp_span uri_of(tfp_check_writer *w, const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    w->spare.count = 0;
    if (path[0] == '/')
        tfp_check_add(w, &w->spare, "file://");
    for (; *path; path++) {
        char one[] = { *path, '\0', '\0', '\0' };
        if (!is_unreserved(*path)) {
            one[0] = '%';
            one[1] = hex[(uint8_t)*path >> 4];
            one[2] = hex[(uint8_t)*path & 15];
        }
        tfp_check_add(w, &w->spare, one);
    }
    return tfp_check_span(&w->spare);
}

/* Readers refuse a result without a file, so a budget whose source is not
 * known is at the file that declares it. */
static void put_physical(tfp_check_writer *w, tfp_json *json,
                         const tfp_measured *measured)
{
    tfp_json_open(json, "physicalLocation", '{');
    tfp_json_open_line(json, "artifactLocation", '{');
    tfp_json_string(
        json, "uri",
        uri_of(w, measured->file ? measured->file : w->answer->budgets_path));
    tfp_json_close(json);
    tfp_json_open_line(json, "region", '{');
    tfp_json_int(json, "startLine",
                 measured->file && measured->line > 0 ? measured->line : 1);
    tfp_json_close(json);
    tfp_json_close(json);
}

static const char *const kinds[TFP_BUDGET_ROWS] = {
    [TFP_BUDGET_ALL] = "module",
    [TFP_BUDGET_SCOPE] = "module",
    [TFP_BUDGET_OP] = "type",
    [TFP_BUDGET_CODE] = "function",
    [TFP_BUDGET_DEVICE] = "resource"
};

static void put_logical(tfp_json *json, const char *name,
                        const tfp_budget *budget)
{
    tfp_json_open(json, "logicalLocations", '[');
    tfp_json_open_line(json, NULL, '{');
    tfp_json_text(json, "fullyQualifiedName", name);
    tfp_json_text(json, "kind", kinds[budget->rows]);
    tfp_json_close(json);
    tfp_json_close(json);
}

/* The row that contributes most, or the pattern of all rows. */
static void put_locations(tfp_check_writer *w, tfp_json *json,
                          const tfp_checked *checked)
{
    const tfp_measured *measured = checked->measured;
    const char *name = measured->name ? measured->name
                                      : checked->budget->pattern;
    tfp_json_open(json, "locations", '[');
    tfp_json_open(json, NULL, '{');
    put_physical(w, json, measured);
    if (name)
        put_logical(json, name, checked->budget);
    tfp_json_close(json);
    tfp_json_close(json);
}

/* ---- The log ------------------------------------------------------------ */

static void put_driver(tfp_json *json)
{
    tfp_json_open(json, "driver", '{');
    tfp_json_text(json, "name", "tfprof");
    tfp_json_text(json, "version", TFPROF_VERSION);
    tfp_json_open(json, "rules", '[');
    for (size_t i = 0; i < RULES; i++) {
        tfp_json_open(json, NULL, '{');
        tfp_json_text(json, "id", rules[i].id);
        put_message(json, "shortDescription",
                    tfp_span_of(rules[i].description));
        tfp_json_close(json);
    }
    tfp_json_close(json);
    tfp_json_close(json);
}

static void put_result(tfp_check_writer *w, tfp_json *json,
                       const tfp_checked *checked)
{
    size_t rule = checked->verdict == TFP_CHECK_BROKEN ? BROKEN_BUDGET
                                                       : NO_VERDICT;
    tfp_json_open(json, NULL, '{');
    tfp_json_text(json, "ruleId", rules[rule].id);
    tfp_json_int(json, "ruleIndex", (int64_t)rule);
    tfp_json_text(json, "kind", rules[rule].kind);
    tfp_json_text(json, "level", rules[rule].level);
    put_result_message(w, json, checked);
    put_locations(w, json, checked);
    tfp_json_close(json);
}

void tfp_check_write_sarif(tfp_check_writer *w)
{
    tfp_json json;
    size_t results = w->answer->count - w->counts[TFP_CHECK_OK];
    tfp_json_init(&json, w->sink);
    tfp_json_open(&json, NULL, '{');
    tfp_json_text(&json, "$schema",
                  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                  "schemas/sarif-schema-2.1.0.json");
    tfp_json_text(&json, "version", "2.1.0");
    tfp_json_open(&json, "runs", '[');
    tfp_json_open(&json, NULL, '{');
    tfp_json_open(&json, "tool", '{');
    put_driver(&json);
    tfp_json_close(&json);
    tfp_json_open(&json, "results", '[');
    for (size_t i = 0; i < results && !tfp_sink_is_done(w->sink, i); i++)
        put_result(w, &json, tfp_check_at(w, i));
    tfp_json_close(&json);
    tfp_json_close(&json);
    tfp_json_close(&json);
    tfp_json_close(&json);
}
