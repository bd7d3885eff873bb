/*
 * advice.c - findings as text or JSON.
 */
#include "output/advice/advice.h"

#include <stdio.h>

#include "base/width.h"
#include "model/model.h"
#include "model/times.h"
#include "output/advice/advice_lines.h"
#include "output/text/json.h"
#include "output/text/times.h"

/* ---- Text --------------------------------------------------------------- */

/* Where text goes, and how it looks. */
typedef struct page {
    const tfp_advice *advice;
    const tfp_style *style;
    tfp_sink *sink;
    tfp_advice_line line;
} page;

/* A name, in what the `others` leave of a line. Where even a short one makes
 * two lines of it, all of the name can stand there. */
static void write_name(const page *p, tfp_span name, size_t others)
{
    size_t room = tfp_style_room(p->style, others);
    tfp_style_name(p->style, p->sink, name,
                   room > TFP_SHORTEST_NAME ? room : SIZE_MAX);
}

static void write_where(const page *p, const tfp_finding *f, int indent)
{
    static const char where[] = "where: ", open[] = " (";
    tfp_span file = tfp_model_text(p->advice->model, f->file);
    char line[16] = "", more[40] = "";
    if (f->node == 0)
        return;
    if (f->file != 0)
        snprintf(line, sizeof(line), ":%d)", (int)f->line);
    if (f->node_count > 1)
        snprintf(more, sizeof(more), " and %lld more",
                 (long long)f->node_count - 1);
    tfp_sink_format(p->sink, "%*s%s", indent, "", where);
    write_name(p, tfp_model_text(p->advice->model, f->node),
               (size_t)indent + strlen(where) + strlen(open) +
                   tfp_text_columns(file) + strlen(line) + strlen(more));
    if (f->file != 0) {
        tfp_sink_text(p->sink, open);
        tfp_sink_escaped(p->sink, file);
        tfp_sink_text(p->sink, line);
    }
    tfp_sink_text(p->sink, more);
    tfp_sink_text(p->sink, "\n");
}

static void write_finding(page *p, const tfp_finding *f)
{
    enum { INDENT = 4 };
    int indent = INDENT + 2 * (int)f->depth;
    tfp_sink_escaped(p->sink, tfp_advice_line_make(&p->line, f));
    tfp_sink_text(p->sink, "\n");
    write_where(p, f, indent);
    if (f->hint)
        tfp_sink_format(p->sink, "%*stry: %s\n", indent, "", f->hint);
}

static void write_report(page *p, const tfp_checker_report *report)
{
    const tfp_finding *f = &p->advice->findings.data[report->first];
    if (report->count == 0)
        tfp_sink_text(p->sink, "\n");
    for (uint32_t i = 0; i < report->count; i++)
        write_finding(p, &f[i]);
}

int tfp_advice_write_text(const tfp_advice *a, const tfp_style *style,
                          tfp_sink *sink, tfprof_error *err)
{
    page p = { a, style, sink, tfp_advice_line_for(a) };
    const tfp_checker_report *report;
    for (uint32_t c = 0; c < TFP_CHECKERS; c++) {
        if (!tfp_advice_has(a, c))
            continue;
        tfp_sink_text(sink, "\n");
        tfp_style_begin(style, sink, TFP_INK_STRONG);
        tfp_sink_text(sink, tfp_checkers[c]->name);
        tfp_style_end(style, sink, TFP_INK_STRONG);
        tfp_sink_text(sink, ":\n");
        for (report = NULL; (report = tfp_advice_next(a, c, report));)
            write_report(&p, report);
    }
    tfp_advice_line_release(&p.line);
    return p.line.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

/* ---- JSON --------------------------------------------------------------- */

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

static void put_times_of(const tfp_advice *a, tfp_json *j, const tfp_finding *f)
{
    int64_t unit = tfp_model_time_unit(a->model);
    if (tfp_finding_is_of_trace(f->kind))
        put_string(j, "name", f->name);
    else
        tfp_json_string(j, "name", f->name);
    tfp_json_time(j, "micros", f->micros, unit);
    tfp_json_time(j, "accelerator_micros", f->accelerator_micros, unit);
    tfp_json_time(j, "cpu_micros", f->cpu_micros, unit);
    if (f->kind == TFP_FINDING_DEVICE || f->kind == TFP_FINDING_TYPE ||
        tfp_finding_is_of_trace(f->kind))
        tfp_json_time(j, "whole_micros", f->whole_micros, unit);
    if (f->kind == TFP_FINDING_CODE)
        tfp_json_int(j, "depth", f->depth);
}

static void put_known(tfp_json *j, const char *key, int64_t value)
{
    if (value < 0)
        tfp_json_null(j, key);
    else
        tfp_json_int(j, key, value);
}

static void put_counts_of(const tfp_advice *a, tfp_json *j,
                          const tfp_finding *f)
{
    tfp_json_int(j, "count", f->count);
    if (f->kind == TFP_FINDING_COPY)
        put_known(j, "bytes", f->bytes);
    else
        tfp_json_int(j, "whole_count", f->whole_count);
    if (f->kind != TFP_FINDING_SMALL)
        return;
    if (f->launch_micros < 0)
        tfp_json_null(j, "launch_micros");
    else
        tfp_json_time(j, "launch_micros", f->launch_micros,
                      tfp_model_time_unit(a->model));
}

static void put_finding(const tfp_advice *a, tfp_json *j, tfp_advice_line *l,
                        const tfp_finding *f)
{
    tfp_json_open_line(j, NULL, '{');
    tfp_json_text(j, "kind", tfp_finding_kinds[f->kind]);
    tfp_json_string(j, "line", tfp_advice_line_make(l, f));
    if (f->kind != TFP_FINDING_BATCH_NORM && f->kind != TFP_FINDING_LAYOUT)
        put_times_of(a, j, f);
    if (tfp_finding_is_of_trace(f->kind))
        put_counts_of(a, j, f);
    put_where(a, j, f);
    if (f->hint)
        tfp_json_text(j, "try", f->hint);
    else
        tfp_json_null(j, "try");
    tfp_json_close(j);
}

static void put_checker(const tfp_advice *a, tfp_json *j, tfp_advice_line *l,
                        uint32_t checker)
{
    const tfp_checker_report *report = NULL;
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
    tfp_advice_line l = tfp_advice_line_for(a);
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
    tfp_advice_line_release(&l);
    return l.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
