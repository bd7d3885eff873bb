/*
 * xprof.c - the tables of xprof as JSON: columns, and rows of cells.
 *
 * The form is that of a DataTable of Google Charts. A number has the digits
 * that it takes to read it back. What tfprof does not work out is null.
 */
#include "output/xprof/xprof.h"

#include <math.h>

#include "base/intern.h"

static void put_columns(tfp_json *j, const tfp_xprof_table *table)
{
    static const char *const types[] = { [TFP_HOLDS_NUMBER] = "number",
                                         [TFP_HOLDS_STRING] = "string",
                                         [TFP_HOLDS_BOOLEAN] = "boolean" };
    tfp_json_open(j, "cols", '[');
    for (size_t i = 0; i < table->column_count; i++) {
        tfp_json_open_line(j, NULL, '{');
        tfp_json_text(j, "id", table->columns[i]->id);
        tfp_json_text(j, "label", table->columns[i]->label);
        tfp_json_text(j, "type", types[table->columns[i]->type]);
        tfp_json_close(j);
    }
    tfp_json_close(j);
}

static void put_cell(tfp_json *j, const tfp_xprof *x, tfp_xprof_type type,
                     const tfp_xprof_cell *cell)
{
    tfp_json_open(j, NULL, '{');
    /* Infinity is no number of JSON. */
    if (cell->is_null || !isfinite(cell->number))
        tfp_json_null(j, "v");
    else if (type == TFP_HOLDS_STRING)
        tfp_json_string(j, "v", tfp_interned(&x->texts, cell->text));
    else
        tfp_json_double(j, "v", cell->number);
    tfp_json_close(j);
}

static void put_rows(tfp_json *j, const tfp_xprof *x,
                     const tfp_xprof_table *table)
{
    const tfp_xprof_cell *cell = table->cells.data;
    tfp_json_open(j, "rows", '[');
    for (size_t i = 0; i < tfp_xprof_table_rows(table); i++) {
        if (tfp_sink_is_done(j->sink, i))
            return;
        tfp_json_open_line(j, NULL, '{');
        tfp_json_open(j, "c", '[');
        for (size_t k = 0; k < table->column_count; k++, cell++)
            put_cell(j, x, table->columns[k]->type, cell);
        tfp_json_close(j);
        tfp_json_close(j);
    }
    tfp_json_close(j);
}

static void put_table(tfp_json *j, const tfp_xprof *x,
                      const tfp_xprof_table *table)
{
    tfp_json_open(j, NULL, '{');
    put_columns(j, table);
    if (table->has_model) {
        tfp_json_open_line(j, "p", '{');
        tfp_json_null(j, "architecture_type");
        tfp_json_null(j, "task_type");
        tfp_json_close(j);
    }
    put_rows(j, x, table);
    tfp_json_close(j);
}

void tfp_xprof_write(const tfp_xprof *x, tfp_sink *sink)
{
    tfp_json j;
    tfp_json_init(&j, sink);
    j.compact = true;
    if (x->tool == TFP_XPROF_MEMORY) {
        tfp_xprof_write_memory(x, &j);
        return;
    }
    if (x->table_count > 1)
        tfp_json_open(&j, NULL, '[');
    for (size_t i = 0; i < x->table_count && !sink->failed; i++)
        put_table(&j, x, &x->tables[i]);
    if (x->table_count > 1 && !sink->failed)
        tfp_json_close(&j);
}
