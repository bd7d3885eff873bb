/*
 * advice.c - findings as text or JSON.
 *
 * The line of a finding is upstream's, to the byte. It is made of raw names
 * first: text and JSON each have their way to make them safe.
 */
#include "output/advice.h"

#include "base/escape.h"
#include "model/model.h"
#include "output/figures.h"
#include "output/json.h"

/* ---- Lines -------------------------------------------------------------- */

/* A line while it is made. Out of memory is remembered. */
typedef struct line {
    tfp_memory *memory;
    TFP_VEC(uint8_t) text;
    bool failed;
} line;

static void put(line *l, tfp_span bytes)
{
    if (bytes.size == 0)
        return;
    if (!TFP_VEC_RESERVE(l->memory, &l->text, bytes.size)) {
        l->failed = true;
        return;
    }
    memcpy(l->text.data + l->text.count, bytes.data, bytes.size);
    l->text.count += bytes.size;
}

static void put_text(line *l, const char *text)
{
    put(l, tfp_span_of(text));
}

static void put_time(line *l, const char *before, int64_t micros)
{
    char figure[TFP_FIGURE_SIZE];
    put_text(l, before);
    tfp_figure_time(micros, figure);
    put_text(l, figure);
}

static void put_times(line *l, const tfp_finding *f)
{
    put_time(l, ", cpu: ", f->cpu_micros);
    put_time(l, ", accelerator: ", f->accelerator_micros);
    put_time(l, ", total: ", f->micros);
}

static void put_rank(line *l, const tfp_finding *f, const char *of)
{
    char rank[TFP_FIGURE_SIZE];
    tfp_figure_integer(f->rank, rank);
    put_text(l, "top ");
    put_text(l, rank);
    put_text(l, of);
    put(l, f->name);
    put_times(l, f);
}

static void put_device(line *l, const tfp_finding *f)
{
    char figure[TFP_FIGURE_SIZE];
    double share = tfp_finding_share(f);
    tfp_figure_fixed(share, figure);
    put_text(l, "device: ");
    put(l, f->name);
    put_text(l,
             share < TFP_LOW_SHARE ? " low utilization: " : " utilization: ");
    put_text(l, figure);
}

/* Upstream keeps the division from failing by a little more in the whole,
 * which is to be seen where the share ends in a 5. */
static void put_type(line *l, const tfp_finding *f)
{
    char figure[TFP_FIGURE_SIZE] = "0.00";
    put_rank(l, f, " operation type: ");
    if (f->whole_micros != 0)
        tfp_figure_fixed(100.0 * (double)f->micros /
                             ((double)f->whole_micros + 1e-10),
                         figure);
    put_text(l, " (");
    put_text(l, figure);
    put_text(l, "%)");
}

static void put_code(line *l, const tfp_finding *f)
{
    for (uint32_t i = 0; i < f->depth; i++)
        put_text(l, "  ");
    put(l, f->name);
    put_times(l, f);
}

/* The line of a finding; good until the next one is made. */
static tfp_span make_line(line *l, const tfp_finding *f)
{
    l->text.count = 0;
    switch (f->kind) {
    case TFP_FINDING_DEVICE: put_device(l, f); break;
    case TFP_FINDING_TYPE: put_type(l, f); break;
    case TFP_FINDING_NODE: put_rank(l, f, " graph node: "); break;
    case TFP_FINDING_CODE: put_code(l, f); break;
    case TFP_FINDING_BATCH_NORM:
        put_text(l, "Maybe use faster FusedBatchNorm instead of BatchNorm");
        break;
    case TFP_FINDING_LAYOUT:
        put_text(l, "Found operation using NHWC data_format on GPU. Maybe NCHW "
                    "is faster.");
        break;
    }
    return (tfp_span){ l->text.data, l->text.count };
}

/* ---- Text --------------------------------------------------------------- */

static void write_where(const tfp_advice *a, tfp_sink *sink,
                        const tfp_finding *f, int indent)
{
    if (f->node == 0)
        return;
    tfp_sink_format(sink, "%*swhere: ", indent, "");
    tfp_sink_escaped(sink, tfp_model_text(a->model, f->node));
    if (f->file != 0) {
        tfp_sink_text(sink, " (");
        tfp_sink_escaped(sink, tfp_model_text(a->model, f->file));
        tfp_sink_format(sink, ":%d)", (int)f->line);
    }
    if (f->node_count > 1)
        tfp_sink_format(sink, " and %lld more", (long long)f->node_count - 1);
    tfp_sink_text(sink, "\n");
}

static void write_finding(const tfp_advice *a, tfp_sink *sink, line *l,
                          const tfp_finding *f)
{
    enum { INDENT = 4 };
    int indent = INDENT + 2 * (int)f->depth;
    tfp_sink_escaped(sink, make_line(l, f));
    tfp_sink_text(sink, "\n");
    write_where(a, sink, f, indent);
    if (f->hint)
        tfp_sink_format(sink, "%*stry: %s\n", indent, "", f->hint);
}

static void write_report(const tfp_advice *a, tfp_sink *sink, line *l,
                         const tfp_report *report)
{
    const tfp_finding *f = &a->findings.data[report->first];
    if (report->count == 0)
        tfp_sink_text(sink, "\n");
    for (uint32_t i = 0; i < report->count; i++)
        write_finding(a, sink, l, &f[i]);
}

int tfp_advice_write_text(const tfp_advice *a, tfp_sink *sink,
                          tfprof_error *err)
{
    line l = { .memory = a->memory };
    const tfp_report *report;
    for (uint32_t c = 0; c < TFP_CHECKERS; c++) {
        if (!tfp_advice_has(a, c))
            continue;
        tfp_sink_format(sink, "\n%s:\n", tfp_checkers[c]->name);
        for (report = NULL; (report = tfp_advice_next(a, c, report));)
            write_report(a, sink, &l, report);
    }
    TFP_VEC_RELEASE(a->memory, &l.text);
    return l.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

/* ---- JSON --------------------------------------------------------------- */

static const char *const kinds[] = {
    [TFP_FINDING_DEVICE] = "device",
    [TFP_FINDING_TYPE] = "type",
    [TFP_FINDING_NODE] = "node",
    [TFP_FINDING_CODE] = "code",
    [TFP_FINDING_BATCH_NORM] = "batch_norm",
    [TFP_FINDING_LAYOUT] = "layout",
};

static void put_string(tfp_json *j, const char *key, tfp_span text)
{
    if (text.size == 0)
        tfp_json_null(j, key);
    else
        tfp_json_string(j, key, text);
}

static void put_where(const tfp_advice *a, tfp_json *j, const tfp_finding *f)
{
    tfp_json_open(j, "where", '{');
    put_string(j, "node", tfp_model_text(a->model, f->node));
    tfp_json_int(j, "nodes", f->node_count);
    put_string(j, "file", tfp_model_text(a->model, f->file));
    if (f->file != 0)
        tfp_json_int(j, "line", f->line);
    else
        tfp_json_null(j, "line");
    tfp_json_close(j);
}

static void put_times_of(tfp_json *j, const tfp_finding *f)
{
    tfp_json_string(j, "name", f->name);
    tfp_json_int(j, "micros", f->micros);
    tfp_json_int(j, "accelerator_micros", f->accelerator_micros);
    tfp_json_int(j, "cpu_micros", f->cpu_micros);
    if (f->kind == TFP_FINDING_DEVICE || f->kind == TFP_FINDING_TYPE)
        tfp_json_int(j, "whole_micros", f->whole_micros);
    if (f->kind == TFP_FINDING_CODE)
        tfp_json_int(j, "depth", f->depth);
}

static void put_finding(const tfp_advice *a, tfp_json *j, line *l,
                        const tfp_finding *f)
{
    tfp_json_open_line(j, NULL, '{');
    tfp_json_text(j, "kind", kinds[f->kind]);
    tfp_json_string(j, "line", make_line(l, f));
    if (f->kind != TFP_FINDING_BATCH_NORM && f->kind != TFP_FINDING_LAYOUT)
        put_times_of(j, f);
    put_where(a, j, f);
    if (f->hint)
        tfp_json_text(j, "try", f->hint);
    else
        tfp_json_null(j, "try");
    tfp_json_close(j);
}

static void put_checker(const tfp_advice *a, tfp_json *j, line *l,
                        uint32_t checker)
{
    const tfp_report *report = NULL;
    tfp_json_open(j, NULL, '{');
    tfp_json_text(j, "name", tfp_checkers[checker]->name);
    tfp_json_open(j, "reports", '[');
    while ((report = tfp_advice_next(a, checker, report))) {
        const tfp_finding *f = &a->findings.data[report->first];
        tfp_json_open(j, NULL, '[');
        for (uint32_t i = 0; i < report->count; i++)
            put_finding(a, j, l, &f[i]);
        tfp_json_close(j);
    }
    tfp_json_close(j);
    tfp_json_close(j);
}

int tfp_advice_write_json(const tfp_advice *a, tfp_sink *sink,
                          tfprof_error *err)
{
    line l = { .memory = a->memory };
    tfp_json j;
    tfp_json_init(&j, sink);
    tfp_json_open(&j, NULL, '{');
    tfp_json_open(&j, "checkers", '[');
    for (uint32_t c = 0; c < TFP_CHECKERS; c++) {
        if (tfp_advice_has(a, c))
            put_checker(a, &j, &l, c);
    }
    tfp_json_close(&j);
    tfp_json_close(&j);
    TFP_VEC_RELEASE(a->memory, &l.text);
    return l.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
