/*
 * columns.h - a list in any of five forms: lined up for people, a table of
 * Markdown, CSV, JSON, a sheet.
 *
 * Whoever has rows gives each cell once, in the order of the columns. Text is
 * lined up, so it takes the rows twice: once to measure and once to write.
 *
 *     tfp_columns_init(&c, &sink, &json, form, table, count);
 *     do {
 *         for each row
 *             begin, a call for each cell, end
 *     } while (tfp_columns_again(&c));
 */
#ifndef TFP_OUTPUT_COLUMNS_H
#define TFP_OUTPUT_COLUMNS_H

#include "base/bytes.h"
#include "options/labels.h"
#include "output/sink/sink.h"
#include "output/text/json.h"
#include "output/text/style.h"
#include "sheet/sheet.h"

typedef enum tfp_cell_kind {
    TFP_CELL_TEXT,
    TFP_CELL_NAME, /* a text that is shortened where a line has no room, as the
                    * first column is */
    TFP_CELL_NUMBER,
    TFP_CELL_SHARE, /* of a whole; shown to people only */
    TFP_CELL_DETAIL /* shown to programs only */
} tfp_cell_kind;

typedef struct tfp_list_column {
    const char *name;  /* as programs have it */
    const char *title; /* for people */
    tfp_cell_kind kind;
} tfp_list_column;

/* By the words of the option `format`. */
typedef enum tfp_columns_form {
    TFP_COLUMNS_TEXT,
    TFP_COLUMNS_JSON,
    TFP_COLUMNS_CSV,
    TFP_COLUMNS_MARKDOWN,
    TFP_COLUMNS_SHEET /* cells of a sheet, for Parquet */
} tfp_columns_form;

enum { TFP_MOST_COLUMNS = 20 };

typedef struct tfp_columns {
    tfp_sink *sink;
    tfp_json *json;   /* with that form: an open array */
    tfp_sheet *sheet; /* with that form: it has the columns that programs see */
    const tfp_labels *labels; /* columns before all others, for programs; or
                               * NULL */
    tfp_columns_form form;
    const tfp_list_column *columns;
    size_t count;
    size_t at; /* the next cell's column */
    bool measuring;
    bool brief; /* set after tfp_columns_init(): rows that do nothing are left
                 * out, and the first column is shortened in any window */
    tfp_style style; /* set then, too: how text looks, and how long a line is */
    bool has_bars;   /* behind shares */
    size_t width[TFP_MOST_COLUMNS];
    size_t behind; /* blanks owed before the next cell */
} tfp_columns;

/* `json` is needed for that form only. */
void tfp_columns_init(tfp_columns *columns, tfp_sink *sink, tfp_json *json,
                      tfp_columns_form form, const tfp_list_column *table,
                      size_t count);

/* The same for programs, with a column for each label. */
void tfp_columns_init_labels(tfp_columns *columns, tfp_sink *sink,
                             tfp_json *json, tfp_columns_form form,
                             const tfp_list_column *table, size_t count,
                             const tfp_labels *labels);

/* The same into a sheet. */
void tfp_columns_init_sheet(tfp_columns *columns, tfp_sink *sink,
                            tfp_sheet *sheet, const tfp_list_column *table,
                            size_t count);

void tfp_columns_text(tfp_columns *columns, tfp_span text);
/* "true" or "false"; in JSON without quotes. */
void tfp_columns_truth(tfp_columns *columns, bool is_true);

void tfp_columns_word(tfp_columns *columns, const char *word);

/* One that has reached INT64_MAX is shown to people as ">=". */
void tfp_columns_number(tfp_columns *columns, int64_t value);

/* The same; one below 0 is not known. */
void tfp_columns_size(tfp_columns *columns, int64_t value);

/* Not known. */
void tfp_columns_unknown(tfp_columns *columns);

/* A time in picoseconds: people see it with a unit, programs in microseconds
 * with all decimals. */
void tfp_columns_picos(tfp_columns *columns, int64_t picos);

/* Bytes: people see them with a unit. */
void tfp_columns_bytes(tfp_columns *columns, int64_t bytes);

/* Of these people see two decimals. */
void tfp_columns_real(tfp_columns *columns, double value);
void tfp_columns_share(tfp_columns *columns, int64_t part, int64_t whole);

void tfp_columns_begin_row(tfp_columns *columns);
void tfp_columns_end_row(tfp_columns *columns);

/* Writes a text so that Markdown shows it as it is. */
void tfp_columns_markdown(tfp_sink *sink, tfp_span text);

/* Must all rows be given once more? */
bool tfp_columns_again(tfp_columns *columns);

#endif
