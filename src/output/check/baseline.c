/*
 * baseline.c - a baseline as JSON, as budget/baseline.h describes it.
 */
#include <tfprof/version.h>

#include <math.h>

#include "base/bytes.h"
#include "budget/baseline.h"
#include "budget/budgets.h"
#include "output/check/check.h"
#include "output/text/json.h"

static void put_machine(tfp_json *json, const tfp_machine *machine)
{
    tfp_json_open(json, "machine", '{');
    tfp_json_text(json, "cpu", machine->cpu);
    tfp_json_int(json, "cores", machine->cores);
    tfp_json_text(json, "accelerators", machine->accelerators);
    tfp_json_text(json, "versions", machine->versions);
    tfp_json_close(json);
}

static void put_names(tfp_json *json, const tfp_baseline *baseline)
{
    tfp_json_open(json, "run_names", '[');
    for (size_t i = 0; i < baseline->runs; i++)
        tfp_json_string(json, NULL, tfp_span_of(baseline->names[i]));
    tfp_json_close(json);
}

/* The runs that have no value. */
static void put_without(tfp_json *json, const tfp_baseline *baseline,
                        const tfp_baseline_row *row)
{
    tfp_json_open(json, "without", '[');
    for (size_t i = 0; i < baseline->runs; i++) {
        if (isnan(row->by_run[i]))
            tfp_json_string(json, NULL, tfp_span_of(baseline->names[i]));
    }
    tfp_json_close(json);
}

static void put_row(tfp_json *json, const tfp_baseline *baseline,
                    const tfp_baseline_row *row)
{
    tfp_json_open_line(json, NULL, '{');
    tfp_json_text(json, "metric", tfp_budget_metric_name(row->metric));
    if (row->pattern)
        tfp_json_text(json, tfp_budget_rows_names[row->rows], row->pattern);
    if (row->is_partial)
        tfp_json_bool(json, "partial", true);
    tfp_json_open(json, "values", '[');
    for (size_t i = 0; i < row->count; i++)
        tfp_json_double_or_null(json, NULL, row->values[i], true);
    tfp_json_close(json);
    if (row->by_run && row->count < baseline->runs)
        put_without(json, baseline, row);
    tfp_json_close(json);
}

int tfp_baseline_write(const tfp_baseline *baseline, tfp_sink *sink,
                       tfprof_error *err)
{
    tfp_json json;
    (void)err;
    tfp_json_init(&json, sink);
    tfp_json_open(&json, NULL, '{');
    tfp_json_int(&json, "tfprof_baseline", 1);
    tfp_json_text(&json, "version", TFPROF_VERSION);
    tfp_json_text(&json, "of", baseline->takes_minimum ? "min" : "median");
    tfp_json_int(&json, "skip_steps", baseline->skip_steps);
    tfp_json_int(&json, "runs", (int64_t)baseline->runs);
    if (baseline->names)
        put_names(&json, baseline);
    put_machine(&json, &baseline->machine);
    tfp_json_open(&json, "rows", '[');
    for (size_t i = 0; i < baseline->rows.count; i++) {
        if (tfp_sink_is_done(sink, i))
            break;
        put_row(&json, baseline, &baseline->rows.data[i]);
    }
    tfp_json_close(&json);
    tfp_json_close(&json);
    return TFPROF_OK;
}
