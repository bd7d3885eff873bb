/*
 * order.c - the rows of a sheet in another order, and what is typical of them.
 */
#include "sheet/order.h"

#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/sort.h"

static bool is_number(const tfp_sheet_column *column)
{
    return column->kind == TFP_SHEET_NUMBER ||
           column->kind == TFP_SHEET_BYTES || column->kind == TFP_SHEET_TIME ||
           column->kind == TFP_SHEET_REAL;
}

size_t tfp_sheet_number_column(const tfp_sheet *sheet, const char *name)
{
    for (size_t i = 0; i < sheet->count; i++) {
        if (is_number(&sheet->columns[i]) &&
            !strcmp(sheet->columns[i].name, name))
            return i;
    }
    return TFP_SHEET_NO_COLUMN;
}

size_t tfp_sheet_lead(const tfp_sheet *sheet)
{
    static const char *const leads[] = { "wall_micros", "total_micros",
                                         "busy_micros", "peak_bytes", "bytes" };
    for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
        size_t column = tfp_sheet_number_column(sheet, leads[i]);
        if (column != TFP_SHEET_NO_COLUMN &&
            sheet->cells[column].nulls < (int64_t)sheet->rows)
            return column;
    }
    return TFP_SHEET_NO_COLUMN;
}

/* ---- Sorting ------------------------------------------------------------ */

/* A key of a real number that sorts from the largest down. */
static uint64_t real_key(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return tfp_sort_key_falling(bits < 0 ? bits ^ INT64_MAX : bits);
}

/* The rows by a column, largest first: items of which `known` have a value.
 * NULL when out of memory or canceled. */
static tfp_sort_item *order(const tfp_sheet *s, size_t column,
                            const tfp_cancel *cancel, size_t *known)
{
    tfp_sort_item *items = tfp_memory_array(s->memory, 2 * s->rows + 1,
                                            sizeof(*items));
    bool is_real = s->columns[column].kind == TFP_SHEET_REAL;
    size_t count = 0;
    for (uint32_t row = 0; items && row < s->rows; row++) {
        if (tfp_sheet_has(s, row, column))
            items[count++] = (tfp_sort_item){
                is_real
                    ? real_key(tfp_sheet_real(s, row, column))
                    : tfp_sort_key_falling(tfp_sheet_number(s, row, column)),
                row
            };
    }
    *known = count;
    for (uint32_t row = 0; items && row < s->rows; row++) {
        if (!tfp_sheet_has(s, row, column))
            items[count++] = (tfp_sort_item){ 0, row };
    }
    if (items &&
        !tfp_sort_until(items, *known, items + s->rows, NULL, NULL, cancel)) {
        tfp_memory_free(s->memory, items);
        return NULL;
    }
    return items;
}

static void copy_cell(tfp_sheet *to, const tfp_sheet *from, size_t row,
                      size_t column)
{
    switch (from->columns[column].kind) {
    case TFP_SHEET_TEXT:
    case TFP_SHEET_CURVE:
        tfp_sheet_put_text(to, tfp_sheet_text(from, row, column));
        break;
    case TFP_SHEET_REAL:
        tfp_sheet_put_real(to, tfp_sheet_real(from, row, column));
        break;
    default: tfp_sheet_put_number(to, tfp_sheet_number(from, row, column));
    }
}

static void copy_row(tfp_sheet *to, const tfp_sheet *from, size_t row)
{
    for (size_t i = 0; i < from->count; i++) {
        if (tfp_sheet_has(from, row, i))
            copy_cell(to, from, row, i);
        else
            tfp_sheet_put_null(to);
    }
}

bool tfp_sheet_sort(tfp_sheet *s, size_t column, const tfp_cancel *cancel)
{
    size_t known;
    tfp_sheet sorted;
    tfp_sort_item *items = order(s, column, cancel, &known);
    if (!items)
        return false;
    tfp_sheet_init(&sorted, s->memory, s->name, s->columns, s->count);
    sorted.leads = s->leads;
    for (size_t i = 0; i < s->rows && !sorted.failed; i++)
        copy_row(&sorted, s, items[i].index);
    tfp_memory_free(s->memory, items);
    tfp_sheet_release(s);
    *s = sorted;
    return !sorted.failed;
}

/* ---- Overview ----------------------------------------------------------- */

static const struct {
    const char *name;
    size_t percent;
} quantiles[] = {
    { "min", 0 }, { "p10", 10 }, { "p50", 50 }, { "p90", 90 }, { "max", 100 }
};

enum { QUANTILES = sizeof(quantiles) / sizeof(quantiles[0]) };

/* The columns with numbers of which quantiles are of use. */
static bool is_measure(const tfp_sheet *s, size_t column)
{
    return is_number(&s->columns[column]) &&
           s->columns[column].reader == TFP_FOR_ALL &&
           strcmp(s->columns[column].name, "step") != 0;
}

/* The row of a quantile: the smallest value that so many percent of all are
 * not above. The largest value is first. */
static uint32_t row_of(const tfp_sort_item *items, size_t known, size_t percent)
{
    size_t rank = (known * percent + 99) / 100;
    return items[known - (rank > 0 ? rank : 1)].index;
}

/* Finds the row of each quantile of a column, or UINT32_MAX. */
static bool find_rows(const tfp_sheet *s, size_t column,
                      uint32_t rows[QUANTILES])
{
    size_t known;
    tfp_sort_item *items = order(s, column, NULL, &known);
    for (size_t i = 0; items && i < QUANTILES; i++)
        rows[i] = known > 0 ? row_of(items, known, quantiles[i].percent)
                            : UINT32_MAX;
    tfp_memory_free(s->memory, items);
    return items != NULL;
}

static bool put_quantiles(const tfp_sheet *s, tfp_sheet *to)
{
    uint32_t rows[TFP_SHEET_COLUMNS][QUANTILES];
    for (size_t i = 0; i < s->count; i++) {
        if (is_measure(s, i) && !find_rows(s, i, rows[i]))
            return false;
    }
    for (size_t q = 0; q < QUANTILES; q++) {
        tfp_sheet_put_text(to, tfp_span_of(quantiles[q].name));
        for (size_t i = 0; i < s->count; i++) {
            if (is_measure(s, i) && rows[i][q] != UINT32_MAX)
                copy_cell(to, s, rows[i][q], i);
            else if (is_measure(s, i))
                tfp_sheet_put_null(to);
        }
    }
    return !to->failed;
}

static bool put_extremes(const tfp_sheet *s, tfp_sheet *to)
{
    size_t lead = tfp_sheet_lead(s), known = 0, top, least;
    tfp_sort_item *items = NULL;
    if (lead == TFP_SHEET_NO_COLUMN)
        return true;
    items = order(s, lead, NULL, &known);
    if (!items)
        return false;
    top = known < TFP_SHEET_EXTREMES ? known : TFP_SHEET_EXTREMES;
    least = known - top < TFP_SHEET_EXTREMES ? known - top : TFP_SHEET_EXTREMES;
    for (size_t i = 0; i < top; i++)
        copy_row(to, s, items[i].index);
    for (size_t i = known - least; i < known; i++)
        copy_row(to, s, items[i].index);
    tfp_memory_free(s->memory, items);
    return !to->failed;
}

bool tfp_sheet_look_over(const tfp_sheet *s, tfp_sheet_overview *o)
{
    size_t count = 1;
    o->columns[0] = (tfp_sheet_column){ "statistic",    "all rows",
                                        TFP_SHEET_TEXT, NULL,
                                        TFP_FOR_ALL,    false };
    for (size_t i = 0; i < s->count; i++) {
        if (is_measure(s, i) && count < TFP_SHEET_COLUMNS)
            o->columns[count++] = s->columns[i];
    }
    tfp_sheet_init(&o->quantiles, s->memory, s->name, o->columns, count);
    tfp_sheet_init(&o->extremes, s->memory, s->name, s->columns, s->count);
    return put_quantiles(s, &o->quantiles) && put_extremes(s, &o->extremes);
}

void tfp_sheet_overview_release(tfp_sheet_overview *o)
{
    tfp_sheet_release(&o->quantiles);
    tfp_sheet_release(&o->extremes);
}
