/*
 * check_json.c - verdicts about budgets as JSON, in the order of their file.
 */
#include <math.h>

#include "base/bytes.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "model/metrics.h"
#include "output/check/check_parts.h"
#include "output/text/json.h"

static void put_text_or_null(tfp_json *json, const char *key, const char *text)
{
    if (text)
        tfp_json_text(json, key, text);
    else
        tfp_json_null(json, key);
}

static void put_budget(tfp_json *json, const tfp_budget *budget)
{
    put_text_or_null(json, "name", budget->name);
    tfp_json_text(json, "metric", tfp_budget_metric_name(budget->metric));
    tfp_json_text(json, "rows", tfp_budget_rows_names[budget->rows]);
    put_text_or_null(json, "pattern", budget->pattern);
}

static void put_values(tfp_json *json, const tfp_checked *c)
{
    tfp_json_double_or_null(json, "value", c->value, c->has_value);
    tfp_json_double_or_null(json, "base", c->base, c->has_base);
    tfp_json_double_or_null(json, "limit", c->limit, c->has_limit);
    if (c->has_limit)
        tfp_json_bool(json, "limit_is_minimum", c->is_minimum);
    else
        tfp_json_null(json, "limit_is_minimum");
    tfp_json_text(json, "unit",
                  tfp_unit_name(tfp_budget_metric_unit(c->budget->metric)));
}

static void put_statistics(tfp_json *json, const tfp_checked *c)
{
    bool of_shift = c->has_interval && c->has_shift;
    bool of_median = c->has_interval && !c->has_shift;
    tfp_json_double_or_null(json, "shift", c->shift, c->has_shift);
    tfp_json_double_or_null(json, "shift_low", c->low, of_shift);
    tfp_json_double_or_null(json, "shift_high", c->high, of_shift);
    tfp_json_double_or_null(json, "median_low", c->low, of_median);
    tfp_json_double_or_null(json, "median_high", c->high, of_median);
    tfp_json_double_or_null(json, "p", c->p, c->has_shift);
    tfp_json_double_or_null(json, "adjusted_p", c->adjusted, c->has_shift);
    tfp_json_int(json, "more_runs", (int64_t)c->more_runs);
    tfp_json_double_or_null(json, "excess", c->excess,
                            c->verdict == TFP_CHECK_BROKEN);
}

static void put_place(tfp_json *json, const tfp_measured *measured)
{
    put_text_or_null(json, "row", measured->name);
    put_text_or_null(json, "file", measured->file);
    if (measured->line > 0)
        tfp_json_int(json, "line", measured->line);
    else
        tfp_json_null(json, "line");
}

/* In the order of the names of the runs. */
static void put_by_run(tfp_json *json, const tfp_measured *measured)
{
    tfp_json_open(json, "values", '[');
    for (size_t i = 0; i < measured->all_runs; i++)
        tfp_json_double_or_null(json, NULL, measured->by_run[i],
                                !isnan(measured->by_run[i]));
    tfp_json_close(json);
}

static void put_checked(tfp_check_writer *w, tfp_json *json,
                        const tfp_checked *c)
{
    tfp_json_open(json, NULL, '{');
    put_budget(json, c->budget);
    tfp_json_text(json, "verdict", tfp_check_words[c->verdict]);
    put_text_or_null(json, "reason", c->reason[0] != '\0' ? c->reason : NULL);
    tfp_json_bool(json, "is_noise", c->is_noise);
    if (tfp_check_detail(w, c).size > 0)
        tfp_json_string(json, "detail", tfp_check_detail(w, c));
    else
        tfp_json_null(json, "detail");
    put_values(json, c);
    put_by_run(json, c->measured);
    put_statistics(json, c);
    put_place(json, c->measured);
    tfp_json_close(json);
}

void tfp_check_write_json(tfp_check_writer *w)
{
    const tfp_check_answer *a = w->answer;
    tfp_json json;
    tfp_json_init(&json, w->sink);
    tfp_json_open(&json, NULL, '{');
    tfp_json_text(&json, "verdict", tfp_check_words[tfp_check_worst(w)]);
    tfp_json_int(&json, "broken", (int64_t)w->counts[TFP_CHECK_BROKEN]);
    tfp_json_int(&json, "without_verdict",
                 (int64_t)w->counts[TFP_CHECK_NO_VERDICT]);
    tfp_json_int(&json, "ok", (int64_t)w->counts[TFP_CHECK_OK]);
    tfp_json_int(&json, "runs", (int64_t)a->runs);
    if (a->baseline)
        tfp_json_int(&json, "baseline_runs", (int64_t)a->baseline->runs);
    else
        tfp_json_null(&json, "baseline_runs");
    tfp_json_open(&json, "run_names", '[');
    for (size_t i = 0; a->run_names && i < a->runs; i++)
        tfp_json_string(&json, NULL, tfp_span_of(a->run_names[i]));
    tfp_json_close(&json);
    tfp_json_open(&json, "budgets", '[');
    for (size_t i = 0; i < a->count && !tfp_sink_is_done(w->sink, i); i++)
        put_checked(w, &json, &a->checked[i]);
    tfp_json_close(&json);
    tfp_json_close(&json);
}
