/*
 * sheet.c - sheets as text, JSON or CSV.
 */
#include "output/sheet/sheet.h"

#include "base/bytes.h"

#include "options/options.h"
#include "output/text/columns.h"
#include "output/text/json.h"
#include "sheet/order.h"

static tfp_cell_kind cell_kind(const tfp_sheet_column *column)
{
    if (column->reader == TFP_FOR_PROGRAMS)
        return TFP_CELL_DETAIL;
    if (column->is_name)
        return TFP_CELL_NAME;
    return column->kind == TFP_SHEET_TEXT || column->kind == TFP_SHEET_CURVE
               ? TFP_CELL_TEXT
               : TFP_CELL_NUMBER;
}

/* The columns that a form has; their places in the sheet are put into `at`.
 * People are not shown those in which nothing stands. */
static size_t choose(const tfp_sheet *sheet, tfp_columns_form form,
                     tfp_list_column *columns, size_t *at)
{
    size_t count = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        const tfp_sheet_column *c = &sheet->columns[i];
        bool is_empty = sheet->cells[i].nulls == (int64_t)sheet->rows;
        if (form == TFP_COLUMNS_TEXT ? is_empty : c->reader == TFP_FOR_PEOPLE)
            continue;
        columns[count] = (tfp_list_column){ c->name, c->title, cell_kind(c) };
        at[count++] = i;
    }
    return count;
}

/* ---- Curves ------------------------------------------------------------- */

enum { MOST_POINTS = 64, DRAWN_POINTS = 32 };

/* The numbers of a curve. */
static size_t read_points(tfp_span text, int64_t *points)
{
    size_t count = 0;
    int64_t value = 0;
    for (size_t i = 0; i <= text.size && count < MOST_POINTS; i++) {
        if (i < text.size && text.data[i] != ' ') {
            value = 10 * value + (text.data[i] - '0');
        } else if (text.size > 0) {
            points[count++] = value;
            value = 0;
        }
    }
    return count;
}

/* Takes of neighbors the larger, until so many are left as a line holds. */
static size_t shorten(int64_t *points, size_t count)
{
    for (; count > DRAWN_POINTS; count = (count + 1) / 2) {
        for (size_t i = 0; i < (count + 1) / 2; i++) {
            int64_t a = points[2 * i];
            int64_t b = 2 * i + 1 < count ? points[2 * i + 1] : a;
            points[i] = a > b ? a : b;
        }
    }
    return count;
}

typedef struct drawing {
    size_t size;
    char text[4 * MOST_POINTS];
} drawing;

static int draw(void *context, const void *data, size_t size)
{
    drawing *d = context;
    if (size > sizeof(d->text) - d->size)
        return 1;
    memcpy(d->text + d->size, data, size);
    d->size += size;
    return 0;
}

static void put_curve(tfp_columns *c, tfp_span text)
{
    int64_t points[MOST_POINTS];
    drawing d = { 0 };
    tfp_style plain = { .is_utf8 = c->style.is_utf8 };
    tfp_sink sink;
    if (c->form != TFP_COLUMNS_TEXT) {
        tfp_columns_text(c, text);
        return;
    }
    tfp_sink_init(&sink, draw, &d);
    tfp_style_curve(&plain, &sink, points,
                    shorten(points, read_points(text, points)));
    tfp_sink_flush(&sink);
    tfp_columns_text(c, (tfp_span){ (const uint8_t *)d.text, d.size });
}

/* ---- Rows --------------------------------------------------------------- */

static void put_cell(const tfp_sheet *sheet, tfp_columns *c, size_t row,
                     size_t column)
{
    tfp_sheet_kind kind = sheet->columns[column].kind;
    if (!tfp_sheet_has(sheet, row, column)) {
        if (kind == TFP_SHEET_TEXT && c->form == TFP_COLUMNS_TEXT)
            tfp_columns_text(c, (tfp_span){ 0 });
        else
            tfp_columns_unknown(c);
        return;
    }
    switch (kind) {
    case TFP_SHEET_TEXT:
        tfp_columns_text(c, tfp_sheet_text(sheet, row, column));
        break;
    case TFP_SHEET_NUMBER:
        tfp_columns_number(c, tfp_sheet_number(sheet, row, column));
        break;
    case TFP_SHEET_TRUTH:
        tfp_columns_truth(c, tfp_sheet_number(sheet, row, column) != 0);
        break;
    case TFP_SHEET_BYTES:
        tfp_columns_bytes(c, tfp_sheet_number(sheet, row, column));
        break;
    case TFP_SHEET_TIME:
        tfp_columns_picos(c, tfp_sheet_number(sheet, row, column));
        break;
    case TFP_SHEET_CURVE:
        put_curve(c, tfp_sheet_text(sheet, row, column));
        break;
    case TFP_SHEET_REAL:
        tfp_columns_real(c, tfp_sheet_real(sheet, row, column));
        break;
    }
}

/* `most` rows, as far as anybody waits for them. */
static void put_rows(const tfp_sheet *sheet, tfp_columns *c, const size_t *at,
                     size_t count, size_t most)
{
    do {
        for (size_t row = 0; row < most; row++) {
            if (tfp_sink_is_done(c->sink, row))
                return;
            tfp_columns_begin_row(c);
            for (size_t i = 0; i < count; i++)
                put_cell(sheet, c, row, at[i]);
            tfp_columns_end_row(c);
        }
    } while (tfp_columns_again(c));
}

static void write_sheet(const tfp_sheet_answer *a, const tfp_sheet *sheet,
                        tfp_columns_form form, tfp_sink *sink, tfp_json *json,
                        size_t most)
{
    tfp_list_column columns[TFP_SHEET_COLUMNS];
    size_t at[TFP_SHEET_COLUMNS];
    size_t count = choose(sheet, form, columns, at);
    tfp_columns c;
    tfp_columns_init_labels(&c, sink, json, form, columns, count, a->labels);
    c.style = a->style;
    put_rows(sheet, &c, at, count, most);
}

/* Those that lead, then the others. */
static const tfp_sheet *in_order(const tfp_sheet_answer *a, size_t index)
{
    for (int leads = 1; leads >= 0; leads--) {
        for (size_t i = 0; i < a->count; i++) {
            if (a->sheets[i].leads == leads && index-- == 0)
                return &a->sheets[i];
        }
    }
    return NULL;
}

static void write_json(const tfp_sheet_answer *a, tfp_sink *sink)
{
    tfp_json json;
    tfp_json_init(&json, sink);
    tfp_json_open(&json, NULL, '{');
    for (size_t i = 0; i < a->count; i++) {
        const tfp_sheet *sheet = in_order(a, i);
        tfp_json_open(&json, sheet->name, '[');
        write_sheet(a, sheet, TFP_COLUMNS_JSON, sink, &json, sheet->rows);
        tfp_json_close(&json);
    }
    tfp_json_close(&json);
}

/* Quantiles of all rows, and the largest and smallest rows. False when out of
 * memory. */
static bool write_overview(const tfp_sheet_answer *a, const tfp_sheet *sheet,
                           tfp_sink *sink)
{
    tfp_sheet_overview o;
    bool ok = tfp_sheet_look_over(sheet, &o);
    if (ok) {
        write_sheet(a, &o.quantiles, TFP_COLUMNS_TEXT, sink, NULL,
                    o.quantiles.rows);
        tfp_sink_format(sink, "\nlargest and smallest %s:\n",
                        sheet->columns[tfp_sheet_lead(sheet)].title);
        write_sheet(a, &o.extremes, TFP_COLUMNS_TEXT, sink, NULL,
                    o.extremes.rows);
        tfp_sink_format(sink,
                        "... and %zu more (--top N shows the N largest, "
                        "--top 0 shows all)\n",
                        sheet->rows - o.extremes.rows);
    }
    tfp_sheet_overview_release(&o);
    return ok;
}

/* Short sheets are their own overview. */
static bool has_overview(const tfp_sheet_answer *a, const tfp_sheet *sheet)
{
    return a->is_overview && sheet->rows > 2 * TFP_SHEET_EXTREMES &&
           tfp_sheet_lead(sheet) != TFP_SHEET_NO_COLUMN;
}

static bool write_text(const tfp_sheet_answer *a, tfp_sink *sink)
{
    bool is_first = true;
    for (size_t i = 0; i < a->count; i++) {
        const tfp_sheet *sheet = in_order(a, i);
        size_t most = sheet->rows;
        if (tfp_sheet_is_list(a->sheets, (size_t)(sheet - a->sheets)) &&
            a->top > 0 && most > (uint64_t)a->top)
            most = (size_t)a->top;
        if (sheet->rows == 0)
            continue;
        if (!is_first)
            tfp_sink_char(sink, '\n');
        is_first = false;
        if (has_overview(a, sheet)) {
            if (!write_overview(a, sheet, sink))
                return false;
            continue;
        }
        write_sheet(a, sheet, TFP_COLUMNS_TEXT, sink, NULL, most);
        if (most < sheet->rows)
            tfp_sink_format(sink, "... and %zu more (--top 0 shows all)\n",
                            sheet->rows - most);
    }
    return true;
}

int tfp_sheet_write(const tfp_sheet_answer *a, tfp_sink *sink,
                    tfprof_error *err)
{
    if (a->format == TFP_FORMAT_JSON)
        write_json(a, sink);
    else if (a->format == TFP_FORMAT_CSV)
        write_sheet(a, &a->sheets[0], TFP_COLUMNS_CSV, sink, NULL,
                    a->sheets[0].rows);
    else if (!write_text(a, sink))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}
