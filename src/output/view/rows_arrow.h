/*
 * rows_arrow.h - the rows of a view as the columns of an Arrow table.
 */
#ifndef TFP_OUTPUT_ROWS_ARROW_H
#define TFP_OUTPUT_ROWS_ARROW_H

#include "output/arrow/arrow.h"
#include "output/view/rows.h"

/* The rows must stay. Cannot fail. */
void tfp_rows_describe(const tfp_rows *rows, tfp_arrow_table *table);

#endif
