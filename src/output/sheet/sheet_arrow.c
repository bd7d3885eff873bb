/*
 * sheet_arrow.c - a sheet as the columns of an Arrow table, and of Parquet.
 */
#include "base/error.h"
#include "base/memory.h"
#include "options/labels.h"
#include "output/arrow/arrow.h"
#include "output/parquet/parquet.h"
#include "output/sheet/sheet.h"
#include "sheet/sheet.h"

/* A buffer must be there even if it holds nothing. */
static const void *buffer_of(const void *data)
{
    static const int64_t none[2];
    return data ? data : none;
}

static void add_column(tfp_arrow_table *t, const tfp_sheet *sheet, size_t at)
{
    const tfp_sheet_column *column = &sheet->columns[at];
    const tfp_sheet_cells *cells = &sheet->cells[at];
    tfp_arrow_column *c = NULL;
    switch (column->kind) {
    case TFP_SHEET_TEXT:
    case TFP_SHEET_CURVE:
        c = tfp_arrow_add(t, "", column->name, TFP_ARROW_TEXT,
                          buffer_of(cells->values.data));
        c->buffers[c->buffer_count++] = buffer_of(cells->text.data);
        break;
    case TFP_SHEET_NUMBER:
    case TFP_SHEET_BYTES:
        c = tfp_arrow_add(t, "", column->name, TFP_ARROW_INT64,
                          buffer_of(cells->values.data));
        break;
    case TFP_SHEET_TRUTH:
        c = tfp_arrow_add(t, "", column->name, TFP_ARROW_BIT,
                          buffer_of(cells->text.data));
        break;
    case TFP_SHEET_TIME:
    case TFP_SHEET_REAL:
        c = tfp_arrow_add(t, "", column->name, TFP_ARROW_DOUBLE,
                          buffer_of(cells->reals.data));
        break;
    }
    c->is_optional = !sheet->is_required;
    c->null_count = cells->nulls;
    if (cells->nulls > 0)
        c->buffers[0] = cells->has.data;
    if (column->unit)
        c->metadata = tfp_arrow_pair("unit", column->unit);
}

void tfp_sheet_describe(const tfp_sheet *sheet, tfp_arrow_table *t)
{
    *t = (tfp_arrow_table){ .row_count = sheet->rows,
                            .metadata = tfp_arrow_pair("table", sheet->name) };
    for (size_t i = 0; i < sheet->count; i++) {
        if (sheet->columns[i].reader != TFP_FOR_PEOPLE)
            add_column(t, sheet, i);
    }
}

int tfp_sheet_check_labels(const tfp_sheet *sheet, const tfp_labels *labels,
                           tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; status == TFPROF_OK && i < sheet->count; i++) {
        if (sheet->columns[i].reader != TFP_FOR_PEOPLE)
            status = tfp_labels_check_column(labels, sheet->columns[i].name,
                                             err);
    }
    return status;
}

int tfp_sheet_write_parquet(const tfp_sheet *sheet, const tfp_labels *labels,
                            tfp_memory *memory, tfp_sink *sink,
                            tfprof_error *err)
{
    tfp_arrow_table *table = tfp_memory_alloc(memory, sizeof(*table));
    int status;
    if (!table)
        return tfp_fail_nomem(err);
    tfp_sheet_describe(sheet, table);
    tfp_arrow_add_labels(table, labels, NULL);
    status = tfp_parquet_write(table, memory, sink, err);
    tfp_memory_free(memory, table);
    return status;
}
