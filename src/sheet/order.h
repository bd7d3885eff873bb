/*
 * order.h - the rows of a sheet in another order, and what is typical of them.
 */
#ifndef TFP_SHEET_ORDER_H
#define TFP_SHEET_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "sheet/sheet.h"

enum { TFP_SHEET_NO_COLUMN = TFP_SHEET_COLUMNS };

/* The column of this name if it has numbers, or TFP_SHEET_NO_COLUMN. */
size_t tfp_sheet_number_column(const tfp_sheet *sheet, const char *name);

/* The column by which the rows are largest, unless another one is named: the
 * first of its kind that has a value. Or TFP_SHEET_NO_COLUMN. */
size_t tfp_sheet_lead(const tfp_sheet *sheet);

/* Sorts by a column, largest first; unknown values are last, and equal rows
 * keep their order. False when canceled or out of memory. */
bool tfp_sheet_sort(tfp_sheet *sheet, size_t column, const tfp_cancel *cancel);

/* What stands for the rows of a long sheet: quantiles of all columns with
 * numbers, and the rows that are largest and smallest by the leading column.
 * Both sheets must be released. */
typedef struct tfp_sheet_overview {
    tfp_sheet quantiles, extremes;
    tfp_sheet_column columns[TFP_SHEET_COLUMNS]; /* of the quantiles */
} tfp_sheet_overview;

enum { TFP_SHEET_EXTREMES = 5 }; /* on each side */

/* False when out of memory. */
bool tfp_sheet_look_over(const tfp_sheet *sheet, tfp_sheet_overview *overview);
void tfp_sheet_overview_release(tfp_sheet_overview *overview);

#endif
