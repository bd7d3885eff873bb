/*
 * reader.c - what files of budgets and baselines have in common.
 */
#include "budget/reader.h"

#if defined(TFPROF_HAVE_JANSSON)

#include <stdarg.h>
#include <stdio.h>

enum { SHOWN = 40, FORMAT = 1 };

int tfp_budget_reader_fail(const tfp_budget_reader *r, const char *format, ...)
{
    char what[sizeof(r->err->message)];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    if (r->number == 0)
        return tfp_json_tree_fail(r->err, TFPROF_ERR_MALFORMED, r->name, "%s",
                                  what);
    return tfp_json_tree_fail(r->err, TFPROF_ERR_MALFORMED, r->name,
                              "%s %zu: %s", r->item, r->number, what);
}

tfp_short tfp_budget_reader_shown(const json_t *value)
{
    static const char *const types[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",
        [JSON_TRUE] = "true",        [JSON_FALSE] = "false",
        [JSON_NULL] = "null",
    };
    tfp_short shown;
    if (json_is_string(value))
        snprintf(shown.text, sizeof(shown.text), "\"%.*s\"", SHOWN,
                 tfp_shorten(tfp_json_tree_text(value), SHOWN).text);
    else
        snprintf(shown.text, sizeof(shown.text), "%s",
                 types[json_typeof(value)]);
    return shown;
}

int tfp_budget_reader_version(const tfp_budget_reader *r, const json_t *tree,
                              const char *key)
{
    const json_t *value = json_object_get(tree, key);
    if (!json_is_integer(value) || json_integer_value(value) < FORMAT)
        return tfp_budget_reader_fail(r, "\"%s\" must be 1", key);
    if (json_integer_value(value) > FORMAT)
        return tfp_budget_reader_fail(
            r, "\"%s\" is %lld: a newer tfprof is needed to read this format",
            key, (long long)json_integer_value(value));
    return TFPROF_OK;
}

int tfp_budget_reader_text(const tfp_budget_reader *r, const json_t *object,
                           const char *key, const char **out)
{
    const json_t *value = json_object_get(object, key);
    *out = NULL;
    if (!value)
        return TFPROF_OK;
    if (!json_is_string(value) || json_string_length(value) == 0)
        return tfp_budget_reader_fail(
            r, "\"%s\" must be a string that is not empty, found %s", key,
            tfp_budget_reader_shown(value).text);
    *out = json_string_value(value);
    return TFPROF_OK;
}

static int find_metric(const tfp_budget_reader *r, const json_t *object,
                       int *metric)
{
    const char *word;
    tfp_name_list list = { .room = sizeof(list.text) };
    int status = tfp_budget_reader_text(r, object, "metric", &word);
    if (status != TFPROF_OK)
        return status;
    if (!word)
        return tfp_budget_reader_fail(r, "has no \"metric\"");
    *metric = tfp_budget_metric_find(word);
    if (*metric >= 0)
        return TFPROF_OK;
    for (int i = 0; i < TFP_BUDGET_METRICS; i++)
        tfp_name_list_add(&list, tfp_span_of(tfp_budget_metric_name(i)));
    tfp_name_list_end(&list);
    return tfp_budget_reader_fail(r, "unknown metric \"%s\" (expected %s)",
                                  tfp_shorten(tfp_span_of(word), SHOWN).text,
                                  list.text);
}

int tfp_budget_reader_rows(const tfp_budget_reader *r, const json_t *object,
                           int *metric, tfp_budget_rows *rows,
                           const char **pattern)
{
    int status = find_metric(r, object, metric);
    *rows = TFP_BUDGET_ALL;
    *pattern = NULL;
    for (int i = TFP_BUDGET_ALL + 1; i < TFP_BUDGET_ROWS && status == TFPROF_OK;
         i++) {
        const char *key = tfp_budget_rows_names[i], *text;
        status = tfp_budget_reader_text(r, object, key, &text);
        if (!text || status != TFPROF_OK)
            continue;
        if (*pattern)
            return tfp_budget_reader_fail(
                r, "has \"%s\" and \"%s\", but only one of them is allowed",
                tfp_budget_rows_names[*rows], key);
        *rows = (tfp_budget_rows)i;
        *pattern = text;
    }
    if (status == TFPROF_OK && *pattern && *metric == TFP_BUDGET_MACS)
        return tfp_budget_reader_fail(
            r, "macs are counted only for the complete model (remove \"%s\")",
            tfp_budget_rows_names[*rows]);
    if (status == TFPROF_OK && *pattern && tfp_budget_is_of_steps(*metric))
        return tfp_budget_reader_fail(
            r, "%s is measured only for complete steps (remove \"%s\")",
            tfp_budget_metric_name(*metric), tfp_budget_rows_names[*rows]);
    return status;
}

#endif
