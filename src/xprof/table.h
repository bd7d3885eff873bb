/*
 * table.h - a table with typed columns, as xprof's pages show them.
 */
#ifndef TFP_XPROF_TABLE_H
#define TFP_XPROF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"

/* Texts are kept once; 0 is the empty one. */
typedef tfp_interner tfp_xprof_texts;
typedef uint32_t tfp_xprof_text;

typedef enum tfp_xprof_type {
    TFP_HOLDS_NUMBER,
    TFP_HOLDS_STRING,
    TFP_HOLDS_BOOLEAN
} tfp_xprof_type;

typedef struct tfp_xprof_column {
    const char *id;
    const char *label; /* for people */
    tfp_xprof_type type;
} tfp_xprof_column;

/* A cell is of the type of its column, or nothing. */
typedef struct tfp_xprof_cell {
    double number;
    tfp_xprof_text text;
    bool is_null;
} tfp_xprof_cell;

enum { TFP_HOLDS_COLUMNS = 32 };

typedef struct tfp_xprof_table {
    tfp_memory *memory;
    const tfp_xprof_column *columns[TFP_HOLDS_COLUMNS];
    size_t column_count;
    TFP_VEC(tfp_xprof_cell) cells; /* row by row */
    bool has_model; /* xprof tells beside it what kind of model it is */
    bool failed;    /* a cell could not be added: out of memory */
} tfp_xprof_table;

/* The table gets `count` columns more. */
void tfp_xprof_table_columns(tfp_xprof_table *table,
                             const tfp_xprof_column *columns, size_t count);
void tfp_xprof_table_release(tfp_xprof_table *table);

static inline size_t tfp_xprof_table_rows(const tfp_xprof_table *table)
{
    return table->column_count ? table->cells.count / table->column_count : 0;
}

/* The next cell of the row; a failure is noted in the table. */
void tfp_xprof_put_number(tfp_xprof_table *table, double number);
void tfp_xprof_put_text(tfp_xprof_table *table, tfp_xprof_text text);
void tfp_xprof_put_null(tfp_xprof_table *table);

/* The text of a number. */
void tfp_xprof_put_digits(tfp_xprof_table *table, tfp_xprof_texts *texts,
                          uint64_t number);

#endif
