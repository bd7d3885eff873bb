/*
 * summary_json.c - the summary for programs.
 */
#include "advise/advise.h"
#include "model/inputs.h"
#include "model/metrics.h"
#include "model/times.h"
#include "ops/flops/params.h"
#include "ops/flops/report.h"
#include "output/advice/advice_lines.h"
#include "output/summary/summary.h"
#include "output/text/json.h"
#include "output/text/times.h"
#include "sheet/digest.h"
#include "sheet/sheet.h"

static void put_known(tfp_json *j, const char *key, int64_t value)
{
    if (value < 0)
        tfp_json_null(j, key);
    else
        tfp_json_int(j, key, value);
}

static void put_picos(tfp_json *j, const char *key, int64_t picos)
{
    if (picos < 0)
        tfp_json_null(j, key);
    else
        tfp_json_time(j, key, picos, TFP_PICOSECOND);
}

static void put_inputs(const tfp_summary *s, tfp_json *j)
{
    tfp_json_open(j, "inputs", '[');
    for (int kind = 0; kind < TFP_FILE_KIND_COUNT; kind++) {
        size_t count = tfp_summary_inputs(s->parts->model, (tfp_file_kind)kind);
        if (count == 0)
            continue;
        tfp_json_open_line(j, NULL, '{');
        tfp_json_text(j, "kind", tfp_file_kind_name((tfp_file_kind)kind));
        tfp_json_int(j, "count", (int64_t)count);
        tfp_json_close(j);
    }
    tfp_json_close(j);
}

static void put_work(const tfp_summary *s, tfp_json *j)
{
    const tfp_report *report = s->parts->report;
    put_known(j, "params", s->params);
    tfp_json_bool(j, "params_estimated",
                  report && tfp_params_is_estimate(report->params->rule));
    put_known(j, "float_ops", s->float_ops);
    put_known(j, "counted_nodes", s->parts->report ? s->counted : -1);
    put_known(j, "compute_nodes", s->parts->report ? s->compute : -1);
}

static void put_steps(const tfp_summary *s, tfp_json *j)
{
    tfp_json_int(j, "steps", s->steps);
    tfp_json_open_line(j, "wall_micros", '{');
    put_picos(j, "p50", s->wall);
    put_picos(j, "min", s->shortest);
    put_picos(j, "max", s->longest);
    tfp_json_close(j);
}

static void put_devices(const tfp_summary *s, tfp_json *j)
{
    size_t count = s->parts->digest ? s->parts->digest->devices.count : 0;
    tfp_json_open(j, "devices", '[');
    for (size_t i = 0; i < count; i++) {
        const tfp_digest_device *d = &s->parts->digest->devices.data[i];
        tfp_json_open_line(j, NULL, '{');
        tfp_json_string(j, "device", d->name);
        put_picos(j, "busy_micros", d->busy);
        put_picos(j, "idle_micros", d->idle);
        tfp_json_close(j);
    }
    tfp_json_close(j);
    if (s->parallelism > 0)
        tfp_json_double(j, "parallelism", s->parallelism);
    else
        tfp_json_null(j, "parallelism");
}

static void put_memory(const tfp_summary *s, tfp_json *j)
{
    const tfp_sheet *held = s->parts->held, *pools;
    if (!held) {
        tfp_json_null(j, "memory");
        return;
    }
    pools = held + 1;
    tfp_json_open(j, "memory", '{');
    tfp_json_string(
        j, "pool",
        tfp_sheet_text(pools, 0, tfp_sheet_column_of(pools, "short")));
    tfp_json_int(
        j, "peak_bytes",
        tfp_sheet_number(pools, 0, tfp_sheet_column_of(pools, "peak_bytes")));
    put_picos(j, "peak_at_micros",
              tfp_sheet_number(pools, 0,
                               tfp_sheet_column_of(pools, "peak_at_micros")));
    tfp_json_string(j, "held_by",
                    tfp_sheet_text(held, 0, tfp_sheet_column_of(held, "name")));
    tfp_json_int(j, "held_bytes",
                 tfp_sheet_number(held, 0, tfp_sheet_column_of(held, "bytes")));
    tfp_json_close(j);
}

static void put_lists(const tfp_summary *s, tfp_json *j)
{
    int64_t unit = tfp_model_time_unit(s->parts->model);
    for (int i = 0; i < TFP_SUMMARY_LISTS; i++) {
        const tfp_summary_list *list = &s->lists[i];
        tfp_json_open(j, list->key, '[');
        for (size_t k = 0; k < list->count; k++) {
            const tfp_summary_row *row = &list->rows[k];
            tfp_json_open_line(j, NULL, '{');
            tfp_json_string(j, "name", row->name);
            tfp_json_cost(j, list->cost, row->cost, unit);
            tfp_json_double(j, "share", (double)row->cost / (double)row->whole);
            tfp_json_close(j);
        }
        tfp_json_close(j);
    }
}

static void put_hint(tfp_json *j, const tfp_finding *f)
{
    if (f->hint)
        tfp_json_text(j, "try", f->hint);
    else
        tfp_json_null(j, "try");
}

static void put_input_wait(const tfp_summary *s, tfp_json *j)
{
    const tfp_finding *f = s->input;
    int64_t unit = tfp_model_time_unit(s->parts->model);
    if (!f) {
        tfp_json_null(j, "input_wait");
        return;
    }
    tfp_json_open_line(j, "input_wait", '{');
    tfp_json_time(j, "micros", f->micros, unit);
    tfp_json_time(j, "wall_micros", f->whole_micros, unit);
    tfp_json_double(j, "share", (double)f->micros / (double)f->whole_micros);
    tfp_json_int(j, "waiting_steps", f->count);
    tfp_json_int(j, "steps", f->whole_count);
    put_hint(j, f);
    tfp_json_close(j);
}

static void put_advice(const tfp_summary *s, tfp_json *j)
{
    const tfp_finding *f = s->finding;
    if (!f) {
        tfp_json_null(j, "advice");
        return;
    }
    tfp_json_open_line(j, "advice", '{');
    tfp_json_string(j, "about", tfp_summary_about(f));
    put_hint(j, f);
    tfp_json_text(j, "kind", tfp_finding_kinds[f->kind]);
    tfp_json_double(
        j, "share",
        f->whole_micros > 0 ? (double)f->micros / (double)f->whole_micros : 0);
    tfp_json_close(j);
}

static void put_commands(const tfp_summary *s, tfp_json *j)
{
    char text[4096];
    tfp_json_open(j, "next", '[');
    for (size_t i = 0; i < s->command_count; i++) {
        if (tfp_summary_command(s, i, text, sizeof(text)) < sizeof(text))
            tfp_json_text(j, NULL, text);
    }
    tfp_json_close(j);
}

void tfp_summary_write_json(const tfp_summary *s, tfp_sink *sink)
{
    tfp_json j;
    tfp_json_init(&j, sink);
    tfp_json_open(&j, NULL, '{');
    put_inputs(s, &j);
    put_work(s, &j);
    put_steps(s, &j);
    put_devices(s, &j);
    put_input_wait(s, &j);
    put_memory(s, &j);
    put_lists(s, &j);
    put_advice(s, &j);
    put_commands(s, &j);
    tfp_json_close(&j);
    tfp_sink_char(sink, '\n');
}
