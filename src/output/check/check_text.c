/*
 * check_text.c - verdicts about budgets as text and Markdown.
 */
#include <math.h>
#include <stdio.h>

#include "base/bytes.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "model/metrics.h"
#include "options/options.h"
#include "output/check/check_parts.h"
#include "output/text/columns.h"
#include "output/text/decimal.h"
#include "output/text/figures.h"
#include "output/text/page.h"
#include "output/text/style.h"
#include "output/text/units.h"

enum { BASE = 3, CHANGE = 5, REASON = 6, COLUMNS };

static const tfp_list_column columns[COLUMNS] = {
    { "verdict", "verdict", TFP_CELL_TEXT },
    { "budget", "budget", TFP_CELL_NAME },
    { "value", "value", TFP_CELL_NUMBER },
    [BASE] = { "base", "base", TFP_CELL_NUMBER },
    { "limit", "limit", TFP_CELL_NUMBER },
    [CHANGE] = { "change", "change", TFP_CELL_NUMBER },
    [REASON] = { "reason", "reason", TFP_CELL_TEXT },
};

static bool is_markdown(const tfp_check_writer *w)
{
    return w->answer->format == TFP_FORMAT_MARKDOWN;
}

/* Columns in which nothing would stand are left out; text has reasons below the
 * rows. */
static void choose_columns(const tfp_check_writer *w, tfp_list_column *chosen)
{
    bool has_base = false;
    for (size_t i = 0; i < w->answer->count; i++)
        has_base |= w->answer->checked[i].has_base;
    memcpy(chosen, columns, sizeof(columns));
    if (!has_base)
        chosen[BASE].kind = chosen[CHANGE].kind = TFP_CELL_DETAIL;
    if (!is_markdown(w))
        chosen[REASON].kind = TFP_CELL_DETAIL;
}

/* ---- Cells -------------------------------------------------------------- */

static void put_cell(tfp_columns *c, const char *text, size_t size)
{
    tfp_columns_text(c, (tfp_span){ (const uint8_t *)text, size });
}

static void put_value(tfp_columns *c, const tfp_checked *checked, double value,
                      bool is_known)
{
    char figure[TFP_CHECK_FIGURE];
    put_cell(c, figure,
             is_known ? tfp_check_figure(checked->budget, value, figure) : 0);
}

/* "+5%", "+100.00us": a limit that has no value because there is no baseline.
 */
static size_t declared_limit(const tfp_budget *budget, char *out)
{
    const tfp_limit *limit = budget->max.kind != TFP_LIMIT_NONE ? &budget->max
                                                                : &budget->min;
    enum { DIGITS = 6 };
    tfp_unit unit = tfp_budget_metric_unit(budget->metric);
    char decimal[TFP_DECIMAL_SIZE];
    switch (limit->kind) {
    case TFP_LIMIT_PERCENT:
        (void)tfp_decimal_general(limit->value, DIGITS, decimal);
        return (size_t)snprintf(out, TFP_CHECK_FIGURE, "%s%.20s%%",
                                limit->value >= 0 ? "+" : "", decimal);
    case TFP_LIMIT_DIFFERENCE:
        return tfp_figure_signed(unit, tfp_measured_value(unit, limit->value),
                                 out);
    case TFP_LIMIT_ABSOLUTE: return tfp_check_figure(budget, limit->value, out);
    default: return 0;
    }
}

static void put_limit(tfp_columns *c, const tfp_checked *checked)
{
    static const char minimum[] = "min ";
    char figure[sizeof(minimum) + TFP_CHECK_FIGURE];
    const tfp_budget *budget = checked->budget;
    bool is_minimum = checked->has_limit ? checked->is_minimum
                                         : budget->max.kind == TFP_LIMIT_NONE;
    size_t size = is_minimum ? sizeof(minimum) - 1 : 0;
    memcpy(figure, minimum, size);
    size += checked->has_limit
                ? tfp_check_figure(budget, checked->limit, figure + size)
                : declared_limit(budget, figure + size);
    put_cell(c, figure, size);
}

/* From the baseline: the shift where there is one. */
static void put_change(tfp_columns *c, const tfp_checked *checked)
{
    char figure[TFP_FIGURE_SIZE + 2] = "+";
    double difference = checked->has_shift ? checked->shift
                                           : checked->value - checked->base;
    double percent = 100 * difference / fabs(checked->base);
    size_t size = percent >= 0;
    if (!checked->has_value || !checked->has_base || !isfinite(percent) ||
        fabs(percent) >= 1e15) {
        put_cell(c, "", 0);
        return;
    }
    size += tfp_figure_fixed(percent, figure + size);
    figure[size++] = '%';
    put_cell(c, figure, size);
}

/* ---- Rows --------------------------------------------------------------- */

static tfp_ink ink_of(const tfp_checked *checked)
{
    switch (checked->verdict) {
    case TFP_CHECK_BROKEN: return TFP_INK_STRONG;
    case TFP_CHECK_NO_VERDICT: return TFP_INK_WARNING;
    default: return TFP_INK_PLAIN;
    }
}

static void put_cells(tfp_check_writer *w, tfp_columns *c,
                      const tfp_checked *checked)
{
    tfp_columns_word(c, tfp_check_words[checked->verdict]);
    tfp_columns_text(c, tfp_check_label(w, checked));
    put_value(c, checked, checked->value, checked->has_value);
    put_value(c, checked, checked->base, checked->has_base);
    put_limit(c, checked);
    put_change(c, checked);
    tfp_columns_text(c, tfp_check_reason(w, checked));
}

static void put_below(tfp_page *page, tfp_span text)
{
    static const tfp_page_row row = { .before = 4 };
    if (text.size == 0)
        return;
    tfp_sink_escaped(tfp_page_cells(page), text);
    tfp_page_break_blanks(page);
    tfp_sink_blanks(page->sink, row.before);
    tfp_sink_char(tfp_page_put(page, &row), '\n');
}

static void put_row(tfp_check_writer *w, tfp_columns *c, tfp_page *page,
                    const tfp_checked *checked)
{
    bool is_shown = c->form == TFP_COLUMNS_TEXT && !c->measuring;
    tfp_columns_begin_row(c);
    if (is_shown)
        tfp_style_begin(&c->style, w->sink, ink_of(checked));
    put_cells(w, c, checked);
    if (is_shown)
        tfp_style_end(&c->style, w->sink, ink_of(checked));
    tfp_columns_end_row(c);
    if (!is_shown || checked->verdict == TFP_CHECK_OK)
        return;
    put_below(page, tfp_span_of(checked->reason));
    put_below(page, tfp_check_detail(w, checked));
    put_below(page, tfp_check_place(w, checked));
}

static void put_rows(tfp_check_writer *w, tfp_columns *c, tfp_page *page)
{
    do {
        for (size_t i = 0; i < w->answer->count && !w->failed; i++) {
            if (tfp_sink_is_done(w->sink, i))
                return;
            put_row(w, c, page, tfp_check_at(w, i));
        }
    } while (tfp_columns_again(c));
}

static void put_table(tfp_check_writer *w)
{
    tfp_list_column chosen[COLUMNS];
    tfp_columns c;
    tfp_page page;
    choose_columns(w, chosen);
    tfp_columns_init(&c, w->sink, NULL,
                     is_markdown(w) ? TFP_COLUMNS_MARKDOWN : TFP_COLUMNS_TEXT,
                     chosen, COLUMNS);
    c.style = w->answer->style;
    tfp_page_init(&page, &w->answer->style, w->sink, w->answer->memory);
    page.has_bars = false;
    put_rows(w, &c, &page);
    w->failed |= page.failed;
    tfp_page_release(&page);
}

static void put_count(tfp_check_writer *w, size_t runs)
{
    tfp_sink_format(w->sink, "%zu run%s", runs, runs == 1 ? "" : "s");
}

static void put_runs(tfp_check_writer *w)
{
    put_count(w, w->answer->runs);
    if (w->answer->baseline) {
        tfp_sink_text(w->sink, "; baseline: ");
        put_count(w, w->answer->baseline->runs);
    } else {
        tfp_sink_text(w->sink, "; no baseline");
    }
    tfp_sink_text(w->sink, "\n\n");
}

/* Of Markdown. */
static void put_last_paragraph(tfp_check_writer *w)
{
    tfp_span last = tfp_check_last(w);
    if (last.size == 0)
        return;
    tfp_sink_char(w->sink, '\n');
    tfp_columns_markdown(w->sink, last);
    tfp_sink_char(w->sink, '\n');
}

void tfp_check_write_text(tfp_check_writer *w)
{
    if (is_markdown(w)) {
        tfp_sink_text(w->sink, "**");
        tfp_check_put_summary(w);
        tfp_sink_text(w->sink, "**\n\n");
        put_runs(w);
        put_table(w);
        put_last_paragraph(w);
        return;
    }
    put_runs(w);
    put_table(w);
    tfp_sink_char(w->sink, '\n');
    tfp_check_put_summary(w);
    tfp_sink_char(w->sink, '\n');
    tfp_check_put_last(w);
}
