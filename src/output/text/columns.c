/*
 * columns.c - a list in any of five forms.
 */
#include "output/text/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/width.h"
#include "model/times.h"
#include "output/text/csv.h"
#include "output/text/decimal.h"
#include "output/text/figures.h"
#include "output/text/times.h"

enum { GAP = 2, NARROWEST = 12 };

static bool is_for_people(const tfp_columns *c)
{
    return c->form == TFP_COLUMNS_TEXT || c->form == TFP_COLUMNS_MARKDOWN;
}

/* Is the column at hand one of this form? */
static bool is_shown(const tfp_columns *c)
{
    tfp_cell_kind kind = c->columns[c->at].kind;
    return is_for_people(c) ? kind != TFP_CELL_DETAIL : kind != TFP_CELL_SHARE;
}

static bool shrinks(const tfp_columns *c, size_t column)
{
    return column == 0 || c->columns[column].kind == TFP_CELL_NAME;
}

static bool is_right(const tfp_columns *c, size_t column)
{
    return c->columns[column].kind == TFP_CELL_NUMBER ||
           c->columns[column].kind == TFP_CELL_SHARE;
}

/* ---- Text --------------------------------------------------------------- */

static size_t columns_of(const tfp_columns *c, tfp_span text)
{
    return c->style.columns > 0 ? tfp_text_columns(text)
                                : tfp_escape(text, NULL, 0);
}

/* Columns that a bar takes behind this one. */
static size_t bar_columns(const tfp_columns *c, size_t column)
{
    return c->has_bars && c->columns[column].kind == TFP_CELL_SHARE
               ? 1 + TFP_BAR_COLUMNS
               : 0;
}

/* A cell that may be longer than its column; the columns that it took. */
static size_t put_cell(tfp_columns *c, tfp_span text, size_t size, size_t width)
{
    if (shrinks(c, c->at) && c->style.columns > 0)
        return tfp_style_name(&c->style, c->sink, text, width);
    tfp_sink_escaped(c->sink, text);
    return size;
}

/* Any punctuation of ASCII may have a backslash; letters and digits may not. */
static bool is_markup(uint8_t byte)
{
    return byte < 0x80 && strchr("\\`*_{}[]<>()#+-!|~&$:@", byte);
}

void tfp_columns_markdown(tfp_sink *sink, tfp_span text)
{
    size_t from = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == 0 || !is_markup(text.data[i]))
            continue;
        tfp_sink_escaped(sink, (tfp_span){ text.data + from, i - from });
        tfp_sink_char(sink, '\\');
        tfp_sink_char(sink, (char)text.data[i]);
        from = i + 1;
    }
    if (text.size > from)
        tfp_sink_escaped(sink,
                         (tfp_span){ text.data + from, text.size - from });
}

static void put_lined_up(tfp_columns *c, tfp_span text)
{
    size_t size = columns_of(c, text), width = c->width[c->at];
    if (c->form == TFP_COLUMNS_MARKDOWN) {
        tfp_sink_text(c->sink, "| ");
        tfp_columns_markdown(c->sink, text);
        tfp_sink_char(c->sink, ' ');
        return;
    }
    if (c->measuring) {
        if (size > width)
            c->width[c->at] = size;
        return;
    }
    if (size == 0) { /* no blanks at the end of a line */
        c->behind += GAP + width;
        return;
    }
    tfp_sink_blanks(c->sink, c->behind);
    c->behind = GAP;
    if (is_right(c, c->at) && size < width)
        tfp_sink_blanks(c->sink, width - size);
    size = put_cell(c, text, size, width);
    if (!is_right(c, c->at) && size < width)
        c->behind += width - size;
}

/* ---- Cells -------------------------------------------------------------- */

static void put_comma(tfp_columns *c)
{
    if (c->behind > 0)
        tfp_sink_char(c->sink, ',');
    c->behind = 1;
}

void tfp_columns_text(tfp_columns *c, tfp_span text)
{
    if (is_shown(c)) {
        switch (c->form) {
        case TFP_COLUMNS_TEXT:
        case TFP_COLUMNS_MARKDOWN: put_lined_up(c, text); break;
        case TFP_COLUMNS_JSON:
            tfp_json_string(c->json, c->columns[c->at].name, text);
            break;
        case TFP_COLUMNS_CSV:
            put_comma(c);
            tfp_csv_text(c->sink, text);
            break;
        case TFP_COLUMNS_SHEET: tfp_sheet_put_text(c->sheet, text); break;
        }
    }
    c->at++;
}

void tfp_columns_word(tfp_columns *c, const char *word)
{
    if (c->form == TFP_COLUMNS_CSV && is_shown(c)) {
        put_comma(c);
        tfp_sink_text(c->sink, word);
        c->at++;
    } else {
        tfp_columns_text(c, tfp_span_of(word));
    }
}

void tfp_columns_truth(tfp_columns *c, bool is_true)
{
    if (c->form == TFP_COLUMNS_JSON) {
        tfp_json_bool(c->json, c->columns[c->at].name, is_true);
        c->at++;
    } else if (c->form == TFP_COLUMNS_SHEET) {
        tfp_sheet_put_number(c->sheet, is_true);
        c->at++;
    } else {
        tfp_columns_word(c, is_true ? "true" : "false");
    }
}

static void put_number(tfp_columns *c, int64_t value)
{
    char figure[TFP_FIGURE_SIZE + 4] = ">=";
    size_t sign = value == INT64_MAX ? 2 : 0, size;
    if (c->form == TFP_COLUMNS_JSON) {
        tfp_json_exact_int(c->json, c->columns[c->at].name, value);
        return;
    }
    if (c->form == TFP_COLUMNS_SHEET) {
        tfp_sheet_put_number(c->sheet, value);
        return;
    }
    if (c->form == TFP_COLUMNS_CSV) {
        put_comma(c);
        tfp_sink_format(c->sink, "%lld", (long long)value);
        return;
    }
    size = sign + tfp_figure_grouped(value, figure + sign);
    put_lined_up(c, (tfp_span){ (const uint8_t *)figure, size });
}

void tfp_columns_number(tfp_columns *c, int64_t value)
{
    if (is_shown(c))
        put_number(c, value);
    c->at++;
}

static void put_unknown(tfp_columns *c)
{
    if (c->form == TFP_COLUMNS_JSON)
        tfp_json_null(c->json, c->columns[c->at].name);
    else if (c->form == TFP_COLUMNS_CSV)
        put_comma(c);
    else if (c->form == TFP_COLUMNS_SHEET)
        tfp_sheet_put_null(c->sheet);
    else
        put_lined_up(c, tfp_span_of("?"));
}

void tfp_columns_unknown(tfp_columns *c)
{
    if (is_shown(c))
        put_unknown(c);
    c->at++;
}

void tfp_columns_size(tfp_columns *c, int64_t value)
{
    if (value >= 0)
        tfp_columns_number(c, value);
    else
        tfp_columns_unknown(c);
}

/* A number as it is to stand there. */
static void put_figure(tfp_columns *c, const char *figure, size_t size)
{
    tfp_span token = { (const uint8_t *)figure, size };
    if (c->form == TFP_COLUMNS_JSON) {
        tfp_json_token(c->json, c->columns[c->at].name, token);
    } else if (c->form == TFP_COLUMNS_CSV) {
        put_comma(c);
        tfp_sink_bytes(c->sink, token);
    } else {
        assert(c->form != TFP_COLUMNS_SHEET); /* no list has such cells */
        put_lined_up(c, token);
    }
}

void tfp_columns_picos(tfp_columns *c, int64_t picos)
{
    char figure[TFP_FIGURE_SIZE];
    size_t size = is_for_people(c)
                      ? tfp_figure_picos(picos, figure)
                      : tfp_figure_exact_time(picos, TFP_PICOSECOND, figure);
    if (is_shown(c))
        put_figure(c, figure, size);
    c->at++;
}

void tfp_columns_bytes(tfp_columns *c, int64_t bytes)
{
    char figure[TFP_FIGURE_SIZE];
    if (!is_for_people(c)) {
        tfp_columns_number(c, bytes);
        return;
    }
    if (is_shown(c))
        put_lined_up(c, (tfp_span){ (const uint8_t *)figure,
                                    tfp_figure_bytes(bytes, figure) });
    c->at++;
}

void tfp_columns_real(tfp_columns *c, double value)
{
    enum { DIGITS = 15, FEWER_DIGITS = 6 };
    char figure[TFP_DECIMAL_SIZE];
    size_t size;
    bool is_text = is_for_people(c);
    if (!isfinite(value)) {
        tfp_columns_unknown(c);
        return;
    }
    size = is_text && fabs(value) < 1e15
               ? tfp_figure_fixed(value, figure)
               : tfp_decimal_general(value, is_text ? FEWER_DIGITS : DIGITS,
                                     figure);
    if (is_shown(c))
        put_figure(c, figure, size);
    c->at++;
}

void tfp_columns_share(tfp_columns *c, int64_t part, int64_t whole)
{
    char figure[TFP_FIGURE_SIZE + 1];
    size_t size;
    if (is_shown(c)) {
        size = tfp_figure_percent(part, whole, figure);
        figure[size++] = '%';
        put_lined_up(c, (tfp_span){ (const uint8_t *)figure, size });
        if (!c->measuring && bar_columns(c, c->at) > 0) {
            tfp_sink_char(c->sink, ' ');
            tfp_style_bar(&c->style, c->sink, part, whole);
        }
    }
    c->at++;
}

/* ---- Rows --------------------------------------------------------------- */

static void put_labels(tfp_columns *c)
{
    for (size_t i = 0; c->labels && i < c->labels->count; i++) {
        const tfp_label_pair *label = &c->labels->at[i];
        if (c->form == TFP_COLUMNS_JSON) {
            tfp_json_string(c->json, label->key, tfp_label_value(label));
        } else if (c->form == TFP_COLUMNS_CSV) {
            put_comma(c);
            tfp_csv_text(c->sink, tfp_label_value(label));
        }
    }
}

void tfp_columns_begin_row(tfp_columns *c)
{
    c->at = 0;
    c->behind = 0;
    if (c->form == TFP_COLUMNS_JSON)
        tfp_json_open_line(c->json, NULL, '{');
    put_labels(c);
}

void tfp_columns_end_row(tfp_columns *c)
{
    if (c->form == TFP_COLUMNS_JSON)
        tfp_json_close(c->json);
    else if (c->form == TFP_COLUMNS_MARKDOWN)
        tfp_sink_text(c->sink, "|\n");
    else if (!c->measuring && c->form != TFP_COLUMNS_SHEET)
        tfp_sink_char(c->sink, '\n');
}

static void put_markdown_heading(tfp_columns *c)
{
    for (c->at = 0; c->at < c->count; c->at++) {
        if (is_shown(c))
            put_lined_up(c, tfp_span_of(c->columns[c->at].title));
    }
    tfp_sink_text(c->sink, "|\n");
    for (c->at = 0; c->at < c->count; c->at++) {
        if (is_shown(c))
            tfp_sink_text(c->sink, is_right(c, c->at) ? "| ---: " : "| --- ");
    }
    tfp_sink_text(c->sink, "|\n");
}

static void put_heading(tfp_columns *c)
{
    c->behind = 0;
    tfp_style_begin(&c->style, c->sink, TFP_INK_FAINT);
    for (size_t i = 0;
         c->form == TFP_COLUMNS_CSV && c->labels && i < c->labels->count; i++) {
        put_comma(c);
        tfp_sink_text(c->sink, c->labels->at[i].key);
    }
    for (c->at = 0; c->at < c->count; c->at++) {
        if (!is_shown(c))
            continue;
        if (c->form == TFP_COLUMNS_TEXT) {
            put_lined_up(c, tfp_span_of(c->columns[c->at].title));
            c->behind += bar_columns(c, c->at);
        } else {
            put_comma(c);
            tfp_sink_text(c->sink, c->columns[c->at].name);
        }
    }
    tfp_style_end(&c->style, c->sink, TFP_INK_FAINT);
    if (!c->measuring)
        tfp_sink_char(c->sink, '\n');
}

void tfp_columns_init(tfp_columns *c, tfp_sink *sink, tfp_json *json,
                      tfp_columns_form form, const tfp_list_column *table,
                      size_t count)
{
    tfp_columns_init_labels(c, sink, json, form, table, count, NULL);
}

void tfp_columns_init_sheet(tfp_columns *c, tfp_sink *sink, tfp_sheet *sheet,
                            const tfp_list_column *table, size_t count)
{
    *c = (tfp_columns){ .sink = sink,
                        .sheet = sheet,
                        .form = TFP_COLUMNS_SHEET,
                        .columns = table,
                        .count = count };
}

void tfp_columns_init_labels(tfp_columns *c, tfp_sink *sink, tfp_json *json,
                             tfp_columns_form form,
                             const tfp_list_column *table, size_t count,
                             const tfp_labels *labels)
{
    *c = (tfp_columns){ .sink = sink,
                        .json = json,
                        .labels = labels,
                        .form = form,
                        .columns = table,
                        .count = count,
                        .measuring = form == TFP_COLUMNS_TEXT };
    if (form == TFP_COLUMNS_MARKDOWN)
        put_markdown_heading(c);
    else if (form != TFP_COLUMNS_JSON)
        put_heading(c);
}

/* Columns of those that are never shortened, and the gaps. */
static size_t fixed_width(const tfp_columns *c)
{
    size_t sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->columns[i].kind == TFP_CELL_DETAIL)
            continue;
        sum += i > 0 ? GAP : 0;
        if (!shrinks(c, i))
            sum += c->width[i] + bar_columns(c, i);
    }
    return sum;
}

static size_t shrinking_width(const tfp_columns *c)
{
    size_t sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->columns[i].kind != TFP_CELL_DETAIL && shrinks(c, i))
            sum += c->width[i];
    }
    return sum;
}

/* The widest of the columns that may be shortened. */
static size_t *widest(tfp_columns *c)
{
    size_t *found = &c->width[0];
    for (size_t i = 1; i < c->count; i++) {
        if (c->columns[i].kind != TFP_CELL_DETAIL && shrinks(c, i) &&
            c->width[i] > *found)
            found = &c->width[i];
    }
    return found;
}

/* Names get what the others leave of a line, the widest giving way first; where
 * that is next to nothing, a list stays as it is. Bars are drawn where nothing
 * is shortened for them. */
static void fit(tfp_columns *c)
{
    size_t line = c->style.columns, fixed, names;
    for (size_t i = 0; i < c->count; i++) {
        if (shrinks(c, i) && c->width[i] > line)
            c->width[i] = line;
    }
    c->has_bars = tfp_style_has_bars(&c->style);
    c->has_bars &= fixed_width(c) + shrinking_width(c) <= line;
    fixed = fixed_width(c);
    if (line <= fixed + NARROWEST && !c->brief)
        return;
    for (names = shrinking_width(c); fixed + names > line; names--) {
        size_t *column = widest(c);
        if (*column <= NARROWEST)
            return;
        --*column;
    }
}

bool tfp_columns_again(tfp_columns *c)
{
    if (!c->measuring)
        return false;
    c->measuring = false;
    if (c->style.columns > 0)
        fit(c);
    put_heading(c);
    return true;
}
