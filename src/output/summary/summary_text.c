/*
 * summary_text.c - the summary for people: at most 24 lines of 80 columns.
 *
 * A line has a label and some words; what does not fit goes on in the next.
 * The most expensive have a line each, which is never broken.
 */
#include <stdio.h>
#include <string.h>

#include "advise/advise.h"
#include "base/width.h"
#include "model/file_kinds.h"
#include "model/times.h"
#include "ops/flops/params.h"
#include "ops/flops/report.h"
#include "output/advice/advice_lines.h"
#include "output/summary/summary.h"
#include "output/text/figures.h"
#include "output/text/page.h"
#include "output/text/style.h"
#include "output/view/cells.h"
#include "output/view/view_table.h"
#include "sheet/digest.h"
#include "sheet/sheet.h"

enum { LABEL = 13, GAP = 2 };

typedef struct writer {
    const tfp_summary *summary;
    tfp_sink *out;
    tfp_page page;
    tfp_sink *sink; /* words of the line at hand */
} writer;

/* ---- Lines -------------------------------------------------------------- */

static void put_label(writer *w, const char *label)
{
    tfp_style_begin(&w->page.style, w->out, TFP_INK_FAINT);
    tfp_sink_text(w->out, label);
    tfp_style_end(&w->page.style, w->out, TFP_INK_FAINT);
    tfp_sink_blanks(w->out, LABEL - strlen(label));
}

static void begin_line(writer *w, const char *label)
{
    put_label(w, label);
    w->sink = tfp_page_cells(&w->page);
}

static void end_line(writer *w)
{
    tfp_page_row row = { .before = LABEL };
    tfp_page_break_blanks(&w->page);
    tfp_sink_char(tfp_page_put(&w->page, &row), '\n');
}

static void put(writer *w, const char *text)
{
    tfp_sink_text(w->sink, text);
}

static void put_number(writer *w, int64_t value)
{
    char figure[TFP_FIGURE_SIZE];
    put(w, value == INT64_MAX ? ">=" : "");
    figure[tfp_figure_grouped(value, figure)] = '\0';
    put(w, figure);
}

static void put_picos(writer *w, int64_t picos)
{
    char figure[TFP_FIGURE_SIZE];
    figure[tfp_figure_picos(picos, figure)] = '\0';
    put(w, figure);
}

static void put_bytes(writer *w, int64_t bytes)
{
    char figure[TFP_FIGURE_SIZE];
    figure[tfp_figure_bytes(bytes, figure)] = '\0';
    put(w, figure);
}

/* A name among words: it is shortened where a line of its own is too short. */
static void put_word(writer *w, tfp_span name)
{
    enum { AROUND = LABEL + 5 /* the indent of what goes on, and "," */ };
    tfp_style_name(&w->page.style, w->sink, name,
                   tfp_style_room(&w->page.style, AROUND));
}

/* "12.3%". */
static void put_share(writer *w, int64_t part, int64_t whole)
{
    char text[TFP_FIGURE_SIZE];
    tfp_table_share(part, whole, text);
    put(w, text);
}

/* ---- What was read, and what it costs ----------------------------------- */

static void put_inputs(writer *w)
{
    const tfp_model *model = w->summary->parts->model;
    const char *divider = ": ";
    begin_line(w, "read");
    tfp_table_put_model(model, &w->page.style, w->sink,
                        w->page.style.columns / 2);
    for (int kind = 0; kind < TFP_FILE_KIND_COUNT; kind++) {
        size_t count = tfp_summary_inputs(model, (tfp_file_kind)kind);
        if (count == 0)
            continue;
        put(w, divider);
        if (count > 1)
            tfp_sink_format(w->sink, "%zu ", count);
        put(w, tfp_file_kind_name((tfp_file_kind)kind));
        divider = ", ";
    }
    end_line(w);
}

/* As `flops` says it. */
static void put_float_ops(writer *w)
{
    const tfp_summary *s = w->summary;
    const tfp_report *report = s->parts->report;
    if (!report) {
        put_number(w, s->float_ops);
        return;
    }
    if (tfp_report_is_partial(report))
        put(w, s->float_ops > 0 ? "at least " : "unknown");
    if (!tfp_report_is_partial(report) || s->float_ops > 0)
        put_number(w, s->float_ops);
    if (report->shapes->request.batch_is_ours)
        put(w, " for one example");
    put(w, " (");
    put_number(w, s->counted);
    put(w, " of ");
    put_number(w, s->compute);
    put(w, " compute nodes counted)");
}

/* As `flops` counts them. A frozen graph has constants instead of variables,
 * which the views do not count. */
static void put_params(writer *w)
{
    const tfp_report *report = w->summary->parts->report;
    bool is_estimate = report && report->params->all.count > 0 &&
                       tfp_params_is_estimate(report->params->rule);
    begin_line(w, "parameters");
    put(w, is_estimate ? "about " : "");
    put_number(w, w->summary->params);
    if (is_estimate) {
        put(w, " in ");
        put_number(w, report->params->all.count);
        put(w, report->params->all.count == 1 ? " constant" : " constants");
        put(w, ", which views do not count");
    }
    end_line(w);
}

static void put_work(writer *w)
{
    const tfp_summary *s = w->summary;
    if (s->params >= 0)
        put_params(w);
    if (s->float_ops < 0)
        return;
    begin_line(w, "FLOPs");
    put_float_ops(w);
    end_line(w);
}

/* ---- Runs --------------------------------------------------------------- */

static void put_steps(writer *w)
{
    const tfp_summary *s = w->summary;
    if (s->steps == 0)
        return;
    begin_line(w, "steps");
    put_number(w, s->steps);
    if (s->wall >= 0) {
        put(w, s->steps > 1 ? ": median " : ": ");
        put_picos(w, s->wall);
        if (s->steps > 1) {
            put(w, ", from ");
            put_picos(w, s->shortest);
            put(w, " to ");
            put_picos(w, s->longest);
        }
    }
    end_line(w);
}

static bool has_hosts(const writer *w)
{
    const tfp_digest *digest = w->summary->parts->digest;
    return digest && digest->has_hosts;
}

static void put_devices(writer *w)
{
    enum { MOST = 3 };
    const tfp_summary *s = w->summary;
    size_t count = s->parts->digest ? s->parts->digest->devices.count : 0;
    if (count == 0)
        return;
    begin_line(w, "devices");
    for (size_t i = 0; i < count && i < MOST; i++) {
        const tfp_digest_device *d = &s->parts->digest->devices.data[i];
        put(w, i > 0 ? ", " : "");
        put_word(w, tfp_table_device_name(d->name, has_hosts(w)));
        put(w, " busy ");
        put_share(w, d->busy, tfp_add_sat(d->busy, d->idle));
    }
    if (count > MOST)
        tfp_sink_format(w->sink, ", %zu more", count - MOST);
    if (s->parallelism > 0) {
        char figure[TFP_FIGURE_SIZE];
        figure[tfp_figure_fixed(s->parallelism, figure)] = '\0';
        put(w, "; ");
        put(w, figure);
        put(w, " operations in parallel");
    }
    end_line(w);
}

static void put_hint(writer *w, const tfp_finding *f)
{
    if (!f->hint)
        return;
    put(w, "; try: ");
    put(w, f->hint);
}

/* "551.19ms of 972.92ms (56.65%), in 11 of 11 steps; try: ..." */
static void put_input_wait(writer *w)
{
    const tfp_finding *f = w->summary->input;
    int64_t unit = tfp_model_time_unit(w->summary->parts->model);
    char figure[TFP_FIGURE_SIZE];
    if (!f)
        return;
    begin_line(w, "input wait");
    put_picos(w, tfp_time_to_picos(f->micros, unit));
    put(w, " of ");
    put_picos(w, tfp_time_to_picos(f->whole_micros, unit));
    figure[tfp_figure_fixed(100 * (double)f->micros / (double)f->whole_micros,
                            figure)] = '\0';
    tfp_sink_format(w->sink, " (%s%%), in ", figure);
    put_number(w, f->count);
    put(w, " of ");
    put_number(w, f->whole_count);
    put(w, f->whole_count == 1 ? " step" : " steps");
    if (f != w->summary->finding)
        put_hint(w, f);
    end_line(w);
}

static void put_memory(writer *w)
{
    const tfp_sheet *held = w->summary->parts->held, *pools;
    size_t step;
    if (w->summary->parts->leaves_memory) {
        begin_line(w, "peak memory");
        put(w, "not estimated because there are many runs (see the memory "
               "command)");
        end_line(w);
    }
    if (!held)
        return;
    pools = held + 1;
    step = tfp_sheet_column_of(pools, "step");
    begin_line(w, "peak memory");
    put_bytes(w, tfp_sheet_number(pools, 0,
                                  tfp_sheet_column_of(pools, "peak_bytes")));
    put(w, " of ");
    put_word(w,
             tfp_table_device_name(
                 tfp_sheet_text(pools, 0, tfp_sheet_column_of(pools, "short")),
                 false));
    put(w, " at ");
    put_picos(w, tfp_sheet_number(
                     pools, 0, tfp_sheet_column_of(pools, "peak_at_micros")));
    if (tfp_sheet_has(pools, 0, step))
        tfp_sink_format(w->sink, " in step %lld",
                        (long long)tfp_sheet_number(pools, 0, step));
    put(w, "; ");
    put_bytes(w, tfp_sheet_number(held, 0, tfp_sheet_column_of(held, "bytes")));
    put(w, " by ");
    put_word(w, tfp_sheet_text(held, 0, tfp_sheet_column_of(held, "name")));
    end_line(w);
}

/* ---- The most expensive ------------------------------------------------- */

static size_t write_cost(const writer *w, const tfp_summary_list *list,
                         const tfp_summary_row *row, char *out)
{
    tfp_row_writer figures = { .is_table = true,
                               .time_unit = tfp_model_time_unit(
                                   w->summary->parts->model) };
    if (!list->view) /* as `flops` prints it */
        return tfp_figure_grouped(row->cost, out);
    return tfp_write_figure(&figures, list->cost, row->cost, out);
}

static void put_row(writer *w, const tfp_summary_list *list,
                    const tfp_summary_row *row, size_t width)
{
    char text[2 * TFP_FIGURE_SIZE];
    size_t size = write_cost(w, list, row, text), room;
    tfp_sink_blanks(w->out, width - size);
    tfp_sink_bytes(w->out, (tfp_span){ (const uint8_t *)text, size });
    size = tfp_table_share(row->cost, row->whole, text);
    tfp_sink_blanks(w->out, GAP + TFP_SHARE_COLUMNS - size);
    tfp_sink_text(w->out, text);
    tfp_sink_blanks(w->out, GAP);
    room = tfp_style_room(&w->page.style,
                          LABEL + width + 2 * GAP + TFP_SHARE_COLUMNS);
    if (list->view)
        tfp_table_put_name(list->view, &w->page.style, w->out, row->name, room);
    else
        tfp_style_name(&w->page.style, w->out, row->name, room);
    tfp_sink_char(w->out, '\n');
}

static void put_list(writer *w, const tfp_summary_list *list)
{
    char text[2 * TFP_FIGURE_SIZE];
    size_t width = 0;
    for (size_t i = 0; i < list->count; i++) {
        size_t size = write_cost(w, list, &list->rows[i], text);
        width = size > width ? size : width;
    }
    for (size_t i = 0; i < list->count; i++) {
        put_label(w, i == 0 ? list->title : "");
        put_row(w, list, &list->rows[i], width);
    }
}

/* ---- What to do --------------------------------------------------------- */

static void put_finding(writer *w, const tfp_finding *f)
{
    const tfp_advice *advice = w->summary->parts->advice;
    tfp_advice_line line = tfp_advice_line_for(advice);
    if (f->kind == TFP_FINDING_TYPE || f->kind == TFP_FINDING_NODE) {
        put_word(w, tfp_summary_about(f));
        put(w, " takes ");
        put_share(w, f->micros, f->whole_micros);
        put(w, " of operation time");
    } else if (f->kind == TFP_FINDING_DEVICE) {
        char figure[TFP_FIGURE_SIZE];
        figure[tfp_figure_fixed(tfp_finding_share(f), figure)] = '\0';
        put_word(w, tfp_table_device_name(f->name, has_hosts(w)));
        put(w, " has a utilization of ");
        put(w, figure);
    } else {
        tfp_sink_escaped(w->sink, tfp_advice_line_make(&line, f));
    }
    w->page.failed |= line.failed;
    tfp_advice_line_release(&line);
}

static void put_advice(writer *w)
{
    const tfp_finding *f = w->summary->finding;
    if (!f)
        return;
    begin_line(w, "advice");
    put_finding(w, f);
    put_hint(w, f);
    end_line(w);
}

/* The length of a word of a shell, whose blanks are in quotes. */
static size_t word_size(const char *text)
{
    size_t size = 0;
    bool is_quoted = false;
    while (text[size] && (is_quoted || text[size] != ' ')) {
        is_quoted ^= text[size] == '\'' &&
                     (size == 0 || text[size - 1] != '\\');
        size++;
    }
    return size;
}

/* What does not fit goes on in the next line, so that a shell takes both. */
static void put_command(writer *w, const char *text)
{
    enum { INDENT = LABEL + 4 };
    static const char goes_on[] = " \\\n";
    size_t at = LABEL;
    while (*text) {
        size_t size = word_size(text);
        tfp_span word = { (const uint8_t *)text, size };
        size_t columns = tfp_text_columns(word);
        bool is_last = text[size] == '\0';
        if (at > INDENT &&
            at + 1 + columns + (is_last ? 0 : GAP) > w->page.style.columns) {
            tfp_sink_text(w->out, goes_on);
            tfp_sink_blanks(w->out, INDENT);
            at = INDENT;
        } else if (at > LABEL) {
            tfp_sink_char(w->out, ' ');
            at++;
        }
        tfp_sink_escaped(w->out, word);
        at += columns;
        text += size + !is_last;
    }
    tfp_sink_char(w->out, '\n');
}

static void put_commands(writer *w)
{
    const tfp_summary *s = w->summary;
    char text[4096];
    for (size_t i = 0; i < s->command_count; i++) {
        if (tfp_summary_command(s, i, text, sizeof(text)) >= sizeof(text))
            continue;
        put_label(w, i == 0 ? "next" : "");
        put_command(w, text);
    }
}

bool tfp_summary_write_text(const tfp_summary *s, tfp_sink *sink)
{
    tfp_style style = tfp_style_of(s->parts->options);
    writer w = { .summary = s, .out = sink };
    bool ok;
    style.columns = tfp_table_columns(s->parts->options);
    tfp_page_init(&w.page, &style, sink, s->parts->memory);
    w.page.has_bars = false; /* shares stand beside the most expensive */
    put_inputs(&w);
    put_work(&w);
    put_steps(&w);
    put_devices(&w);
    put_input_wait(&w);
    put_memory(&w);
    for (int i = 0; i < TFP_SUMMARY_LISTS; i++)
        put_list(&w, &s->lists[i]);
    put_advice(&w);
    put_commands(&w);
    ok = !w.page.failed;
    tfp_page_release(&w.page);
    return ok;
}
