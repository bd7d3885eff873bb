/*
 * sheet.c - sheets as text, JSON or CSV.
 */
#include "output/sheet/sheet.h"

#include "options/options.h"
#include "output/text/columns.h"
#include "output/text/json.h"

static tfp_cell_kind cell_kind(const tfp_sheet_column *column)
{
    if (column->reader == TFP_FOR_PROGRAMS)
        return TFP_CELL_DETAIL;
    if (column->is_name)
        return TFP_CELL_NAME;
    return column->kind == TFP_SHEET_TEXT ? TFP_CELL_TEXT : TFP_CELL_NUMBER;
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

static void put_cell(const tfp_sheet *sheet, tfp_columns *c, size_t row,
                     size_t column)
{
    tfp_sheet_kind kind = sheet->columns[column].kind;
    if (!tfp_sheet_has(sheet, row, column)) {
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
    case TFP_SHEET_BYTES:
        tfp_columns_bytes(c, tfp_sheet_number(sheet, row, column));
        break;
    case TFP_SHEET_TIME:
        tfp_columns_picos(c, tfp_sheet_number(sheet, row, column));
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
    tfp_columns_init(&c, sink, json, form, columns, count);
    c.style = a->style;
    put_rows(sheet, &c, at, count, most);
}

static void write_json(const tfp_sheet_answer *a, tfp_sink *sink)
{
    tfp_json json;
    tfp_json_init(&json, sink);
    tfp_json_open(&json, NULL, '{');
    for (size_t i = 0; i < a->count; i++) {
        tfp_json_open(&json, a->sheets[i].name, '[');
        write_sheet(a, &a->sheets[i], TFP_COLUMNS_JSON, sink, &json,
                    a->sheets[i].rows);
        tfp_json_close(&json);
    }
    tfp_json_close(&json);
    tfp_sink_char(sink, '\n');
}

static void write_text(const tfp_sheet_answer *a, tfp_sink *sink)
{
    for (size_t i = 0; i < a->count; i++) {
        const tfp_sheet *sheet = &a->sheets[i];
        size_t most = sheet->rows;
        if (i == 0 && a->top > 0 && most > (uint64_t)a->top)
            most = (size_t)a->top;
        if (i > 0 && sheet->rows == 0)
            continue;
        if (i > 0)
            tfp_sink_char(sink, '\n');
        write_sheet(a, sheet, TFP_COLUMNS_TEXT, sink, NULL, most);
        if (most < sheet->rows)
            tfp_sink_format(sink, "... and %zu more (-top 0 shows all)\n",
                            sheet->rows - most);
    }
}

int tfp_sheet_write(const tfp_sheet_answer *a, tfp_sink *sink,
                    tfprof_error *err)
{
    (void)err;
    if (a->format == TFP_FORMAT_JSON)
        write_json(a, sink);
    else if (a->format == TFP_FORMAT_CSV)
        write_sheet(a, &a->sheets[0], TFP_COLUMNS_CSV, sink, NULL,
                    a->sheets[0].rows);
    else
        write_text(a, sink);
    return TFPROF_OK;
}
