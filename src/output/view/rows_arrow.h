/*
 * rows_arrow.h - the rows of a view as the columns of an Arrow table.
 */
#ifndef TFP_OUTPUT_ROWS_ARROW_H
#define TFP_OUTPUT_ROWS_ARROW_H

#include "base/error.h"
#include "options/labels.h"
#include "output/arrow/arrow.h"
#include "output/view/rows.h"

/* The rows must stay. Cannot fail. */
void tfp_rows_describe(const tfp_rows *rows, tfp_arrow_table *table);

/* The same with the columns that CSV has, for rows that are a part of a view.
 */
void tfp_rows_describe_part(const tfp_rows *rows, tfp_arrow_table *table);

/* Refuses labels that have the name of a column of views, selected or not. */
int tfp_rows_check_labels(const tfp_labels *labels, tfprof_error *err);

#endif
