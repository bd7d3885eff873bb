/*
 * table.c - a table with typed columns, as xprof's pages show them.
 */
#include "xprof/table.h"

#include <assert.h>
#include <stdio.h>

void tfp_xprof_table_columns(tfp_xprof_table *table,
                             const tfp_xprof_column *columns, size_t count)
{
    assert(table->column_count + count <= TFP_HOLDS_COLUMNS);
    for (size_t i = 0; i < count; i++)
        table->columns[table->column_count++] = &columns[i];
}

void tfp_xprof_table_release(tfp_xprof_table *table)
{
    if (table->memory)
        TFP_VEC_RELEASE(table->memory, &table->cells);
}

static void put(tfp_xprof_table *table, tfp_xprof_cell cell)
{
    if (!TFP_VEC_PUSH(table->memory, &table->cells, cell))
        table->failed = true;
}

void tfp_xprof_put_number(tfp_xprof_table *table, double number)
{
    put(table, (tfp_xprof_cell){ .number = number });
}

void tfp_xprof_put_text(tfp_xprof_table *table, tfp_xprof_text text)
{
    table->failed |= text == TFP_NO_ID;
    put(table, (tfp_xprof_cell){ .text = text });
}

void tfp_xprof_put_null(tfp_xprof_table *table)
{
    put(table, (tfp_xprof_cell){ .is_null = true });
}

void tfp_xprof_put_digits(tfp_xprof_table *table, tfp_xprof_texts *texts,
                          uint64_t number)
{
    char digits[24];
    snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
    tfp_xprof_put_text(table, tfp_intern(texts, tfp_span_of(digits)));
}
