/*
 * table.c - a flat table as columns of a page.
 *
 * Numbers are not negative. -1 means that a value is unknown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/page/chunks.h"
#include "output/page/html.h"
#include "output/text/json.h"
#include "sheet/sheet.h"

enum { DIGITS = 3 };        /* decimals of numbers with a fraction */
enum { MOST_ROWS = 20000 }; /* nobody reads more */

typedef struct table {
    tfp_chunks *chunks;
    const tfp_sheet *sheet;
    size_t rows; /* that are shown */
    int64_t *values;
    tfp_planes planes[TFP_SHEET_COLUMNS];
} table;

/* Does the page have this column? Curves have a chunk of their own. A peak that
 * the allocator reports may leave out memory that its curve has; people would
 * compare the two. Columns
 * with short forms of names are left out, because the page has the complete
 * names. Columns without known values are left out too, and truths: people see
 * the rest by the word in place of the step. */
static bool is_shown(const tfp_sheet *s, size_t column)
{
    const tfp_sheet_column *about = &s->columns[column];
    return about->kind != TFP_SHEET_CURVE && about->kind != TFP_SHEET_TRUTH &&
           strcmp(about->name, "reported_peak_bytes") != 0 &&
           about->reader != TFP_FOR_PEOPLE &&
           s->cells[column].nulls < (int64_t)s->rows;
}

static int64_t scaled(double value)
{
    double product = value * 1e3; /* 10 to the power of DIGITS */
    if (!isfinite(product) || product < 0)
        return -1;
    return product < (double)INT64_MAX / 2 ? (int64_t)llround(product)
                                           : INT64_MAX / 2;
}

static int64_t value_of(const table *t, size_t row, size_t column)
{
    const tfp_sheet *s = t->sheet;
    tfp_sheet_kind kind = s->columns[column].kind;
    bool has = tfp_sheet_has(s, row, column);
    if (kind == TFP_SHEET_TEXT)
        return has ? tfp_chunks_string(t->chunks,
                                       tfp_sheet_text(s, row, column))
                   : 0;
    if (!has)
        return -1;
    return kind == TFP_SHEET_REAL ? scaled(tfp_sheet_real(s, row, column))
                                  : tfp_sheet_number(s, row, column);
}

static void fill(table *t, size_t column)
{
    for (size_t row = 0; row < t->rows; row++)
        t->values[row] = value_of(t, row, column);
}

static void put_column(const table *t, tfp_json *json, size_t column)
{
    const tfp_sheet_column *c = &t->sheet->columns[column];
    bool is_text = c->kind == TFP_SHEET_TEXT;
    const char *unit = c->kind == TFP_SHEET_TIME       ? "ps"
                       : !strcmp(c->name, "float_ops") ? "flops"
                                                       : c->unit;
    tfp_chunk_column(t->chunks, c->name, t->planes[column]);
    tfp_json_text(json, "title", *c->title ? c->title : c->name);
    tfp_json_text(json, "type", is_text ? "string" : "integer");
    if (unit)
        tfp_json_text(json, "unit", unit);
    if (c->kind == TFP_SHEET_REAL)
        tfp_json_int(json, "scale", DIGITS);
    tfp_json_close(json);
}

static void put_note(const table *t, tfp_json *json)
{
    char note[80];
    if (t->rows == t->sheet->rows)
        return;
    snprintf(note, sizeof(note), "The first %zu of %zu rows are shown.",
             t->rows, t->sheet->rows);
    tfp_json_text(json, "note", note);
}

static void put_table(table *t, const char *id, const char *title)
{
    const tfp_sheet *s = t->sheet;
    tfp_json *json;
    for (size_t i = 0; i < s->count; i++) {
        fill(t, i);
        t->planes[i] = tfp_planes_of(t->values, t->rows);
    }
    json = tfp_chunk_open(t->chunks, "table");
    tfp_json_text(json, "id", id);
    tfp_json_text(json, "title", title);
    tfp_json_int(json, "rows", (int64_t)t->rows);
    put_note(t, json);
    tfp_json_open(json, "columns", '[');
    for (size_t i = 0; i < s->count; i++) {
        if (is_shown(s, i))
            put_column(t, json, i);
    }
    tfp_json_close(json);
    tfp_chunk_begin_columns(t->chunks);
    for (size_t i = 0; i < s->count; i++) {
        if (!is_shown(s, i))
            continue;
        fill(t, i);
        tfp_chunk_values(t->chunks, t->values, t->rows, t->planes[i]);
    }
}

int tfp_html_table(tfp_chunks *chunks, const tfp_sheet *sheet, const char *id,
                   const char *title, tfprof_error *err)
{
    table t = { .chunks = chunks,
                .sheet = sheet,
                .rows = sheet->rows < MOST_ROWS ? sheet->rows : MOST_ROWS };
    t.values = tfp_memory_array(sheet->memory, t.rows + 1, sizeof(*t.values));
    if (!t.values)
        return tfp_fail_nomem(err);
    put_table(&t, id, title);
    tfp_memory_free(sheet->memory, t.values);
    return chunks->failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
