/*
 * sheet.c - rows of typed cells, column by column.
 */
#include "sheet/sheet.h"

#include <assert.h>

static const double PICOS_IN_MICROSECOND = 1e6;

void tfp_sheet_init(tfp_sheet *s, tfp_memory *memory, const char *name,
                    const tfp_sheet_column *columns, size_t count)
{
    assert(count <= TFP_SHEET_COLUMNS);
    *s = (tfp_sheet){
        .memory = memory, .name = name, .columns = columns, .count = count
    };
}

void tfp_sheet_release(tfp_sheet *s)
{
    for (size_t i = 0; i < s->count; i++) {
        TFP_VEC_RELEASE(s->memory, &s->cells[i].values);
        TFP_VEC_RELEASE(s->memory, &s->cells[i].reals);
        TFP_VEC_RELEASE(s->memory, &s->cells[i].text);
        TFP_VEC_RELEASE(s->memory, &s->cells[i].has);
    }
    s->rows = 0;
}

bool tfp_sheet_is_list(const tfp_sheet *sheets, size_t index)
{
    return index == 0 || sheets[index].leads;
}

static bool is_text(tfp_sheet_kind kind)
{
    return kind == TFP_SHEET_TEXT || kind == TFP_SHEET_CURVE;
}

/* ---- Filling ------------------------------------------------------------ */

/* Notes whether the cell at hand is there, and goes on to the next. */
static void end_cell(tfp_sheet *s, bool is_there)
{
    tfp_sheet_cells *cells = &s->cells[s->at];
    if (s->rows % 8 == 0 && !TFP_VEC_PUSH(s->memory, &cells->has, 0))
        s->failed = true;
    if (!s->failed && is_there)
        cells->has.data[s->rows / 8] |= (uint8_t)(1u << s->rows % 8);
    cells->nulls += !is_there;
    if (++s->at == s->count) {
        s->at = 0;
        s->rows += !s->failed;
    }
}

static void put_bit(tfp_sheet *s, tfp_sheet_cells *cells, bool is_true)
{
    if (s->rows % 8 == 0 && !TFP_VEC_PUSH(s->memory, &cells->text, 0))
        s->failed = true;
    if (!s->failed && is_true)
        cells->text.data[s->rows / 8] |= (uint8_t)(1u << s->rows % 8);
}

static void put(tfp_sheet *s, int64_t value, double real, bool is_there)
{
    tfp_sheet_cells *cells = &s->cells[s->at];
    tfp_sheet_kind kind = s->columns[s->at].kind;
    s->failed |= !TFP_VEC_PUSH(s->memory, &cells->values, value);
    if (kind == TFP_SHEET_TIME || kind == TFP_SHEET_REAL)
        s->failed |= !TFP_VEC_PUSH(s->memory, &cells->reals, real);
    if (kind == TFP_SHEET_TRUTH)
        put_bit(s, cells, value != 0);
    end_cell(s, is_there);
}

/* Adds the offset of the first text, 0. Each text then adds the offset of its
 * end. */
static void begin_text(tfp_sheet *s, tfp_sheet_cells *cells)
{
    if (cells->values.count == 0)
        s->failed |= !TFP_VEC_PUSH(s->memory, &cells->values, 0);
}

void tfp_sheet_put_text(tfp_sheet *s, tfp_span text)
{
    tfp_sheet_cells *cells = &s->cells[s->at];
    assert(is_text(s->columns[s->at].kind));
    begin_text(s, cells);
    s->failed |= !tfp_utf8_add(s->memory, &cells->text, text);
    put(s, (int64_t)cells->text.count, 0, true);
}

void tfp_sheet_put_number(tfp_sheet *s, int64_t value)
{
    put(s, value, (double)value / PICOS_IN_MICROSECOND, true);
}

void tfp_sheet_put_real(tfp_sheet *s, double value)
{
    put(s, 0, value, true);
}

void tfp_sheet_put_null(tfp_sheet *s)
{
    tfp_sheet_cells *cells = &s->cells[s->at];
    assert(!s->is_required);
    if (is_text(s->columns[s->at].kind))
        begin_text(s, cells);
    put(s, (int64_t)cells->text.count, 0, false);
}

void tfp_sheet_put_known(tfp_sheet *s, int64_t value)
{
    if (value < 0)
        tfp_sheet_put_null(s);
    else
        tfp_sheet_put_number(s, value);
}

/* ---- Reading ------------------------------------------------------------ */

size_t tfp_sheet_column_of(const tfp_sheet *sheet, const char *name)
{
    size_t at = 0;
    while (strcmp(sheet->columns[at].name, name) != 0)
        at++;
    return at;
}

bool tfp_sheet_has(const tfp_sheet *s, size_t row, size_t column)
{
    return s->cells[column].has.data[row / 8] >> row % 8 & 1;
}

int64_t tfp_sheet_number(const tfp_sheet *s, size_t row, size_t column)
{
    return s->cells[column].values.data[row];
}

double tfp_sheet_real(const tfp_sheet *s, size_t row, size_t column)
{
    return s->cells[column].reals.data[row];
}

tfp_span tfp_sheet_text(const tfp_sheet *s, size_t row, size_t column)
{
    const tfp_sheet_cells *cells = &s->cells[column];
    const int64_t *ends = cells->values.data + row;
    size_t size = (size_t)(ends[1] - ends[0]);
    if (size == 0) /* text.data may be NULL if all texts are empty */
        return (tfp_span){ 0 };
    return (tfp_span){ cells->text.data + ends[0], size };
}
