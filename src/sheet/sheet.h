/*
 * sheet.h - an answer that is a plain table: rows of typed cells.
 *
 * Commands like `steps` have rows that are no tree, so no view makes them. A
 * sheet keeps each column behind the other, as Arrow wants it; text, JSON and
 * CSV read it row by row. Whoever fills it gives each cell once, in the order
 * of the columns.
 */
#ifndef TFP_SHEET_SHEET_H
#define TFP_SHEET_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/utf8.h"

typedef enum tfp_sheet_kind {
    TFP_SHEET_TEXT,
    TFP_SHEET_NUMBER,
    TFP_SHEET_BYTES, /* a number, shown to people with its unit */
    TFP_SHEET_TIME,  /* stored in picoseconds, written in microseconds */
    TFP_SHEET_REAL,
    TFP_SHEET_TRUTH, /* 1 or 0: true or false */
    TFP_SHEET_CURVE  /* a text of numbers that blanks part; people see it drawn
                      */
} tfp_sheet_kind;

/* Who a column is for. */
typedef enum tfp_sheet_reader {
    TFP_FOR_ALL,
    TFP_FOR_PROGRAMS, /* too much for a line of text */
    TFP_FOR_PEOPLE    /* what programs have in other columns, shortened */
} tfp_sheet_reader;

typedef struct tfp_sheet_column {
    const char *name;  /* as programs have it */
    const char *title; /* for people */
    tfp_sheet_kind kind;
    const char *unit; /* "us", "bytes", ... or NULL */
    tfp_sheet_reader reader;
    bool is_name; /* a text that may be shortened to fit a line */
} tfp_sheet_column;

enum { TFP_SHEET_COLUMNS = 20 }; /* at most */

/* One column. For texts, values[row] is the offset in `text` where the text of
 * a row begins; one more offset follows, the end of the last text. */
typedef struct tfp_sheet_cells {
    TFP_VEC(int64_t) values;
    TFP_VEC(double) reals; /* of times, too: in microseconds */
    tfp_utf8 text;         /* readers of Arrow and Parquet refuse other bytes.
                            * Of truths a bit for each row, as in `has` */
    TFP_VEC(uint8_t) has;  /* a bit for each row, as Arrow has them */
    int64_t nulls;
} tfp_sheet_cells;

typedef struct tfp_sheet {
    tfp_memory *memory;
    const char *name; /* "steps" */
    const tfp_sheet_column *columns;
    size_t count, rows;
    size_t at;        /* the column of the next cell */
    bool leads;       /* written before the sheets that do not lead */
    bool failed;      /* out of memory; later cells are lost */
    bool is_required; /* sheets of this kind never have nulls */
    tfp_sheet_cells cells[TFP_SHEET_COLUMNS];
} tfp_sheet;

void tfp_sheet_init(tfp_sheet *sheet, tfp_memory *memory, const char *name,
                    const tfp_sheet_column *columns, size_t count);
void tfp_sheet_release(tfp_sheet *sheet);

/* Is this one of the lists of an answer, which --top cuts, and not its totals?
 */
bool tfp_sheet_is_list(const tfp_sheet *sheets, size_t index);

/* ---- Filling ------------------------------------------------------------ */

/* The next cell. A row ends with its last column. */
void tfp_sheet_put_text(tfp_sheet *sheet, tfp_span text);
void tfp_sheet_put_number(tfp_sheet *sheet, int64_t value); /* bytes, times,
                                                             * truths */
void tfp_sheet_put_real(tfp_sheet *sheet, double value);
void tfp_sheet_put_null(tfp_sheet *sheet);

/* A number that is not known is below 0. */
void tfp_sheet_put_known(tfp_sheet *sheet, int64_t value);

/* ---- Reading ------------------------------------------------------------ */

/* The place of a column, which must be there. */
size_t tfp_sheet_column_of(const tfp_sheet *sheet, const char *name);

bool tfp_sheet_has(const tfp_sheet *sheet, size_t row, size_t column);
int64_t tfp_sheet_number(const tfp_sheet *sheet, size_t row, size_t column);
double tfp_sheet_real(const tfp_sheet *sheet, size_t row, size_t column);
tfp_span tfp_sheet_text(const tfp_sheet *sheet, size_t row, size_t column);

#endif
