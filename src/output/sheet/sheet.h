/*
 * sheet.h - sheets as text, JSON, CSV or the columns of Arrow.
 */
#ifndef TFP_OUTPUT_SHEET_H
#define TFP_OUTPUT_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "options/labels.h"
#include "output/arrow/arrow.h"
#include "output/sink/sink.h"
#include "output/text/style.h"
#include "sheet/sheet.h"

/* The first sheet is the answer. The others stand beside it in text and in
 * JSON; a table of CSV has no place for them. */
typedef struct tfp_sheet_answer {
    const tfp_sheet *sheets;
    size_t count;
    int64_t format;   /* TFP_FORMAT_TEXT, ... */
    int64_t top;      /* rows of the first in text; 0: all */
    bool is_overview; /* text has quantiles and extremes of long sheets */
    tfp_style style;  /* of text */
    const tfp_labels *labels; /* of JSON, CSV and Parquet */
    tfp_memory *memory;       /* of Parquet */
} tfp_sheet_answer;

int tfp_sheet_write(const tfp_sheet_answer *answer, tfp_sink *sink,
                    tfprof_error *err);

/* The first sheet as a Parquet file. */
int tfp_sheet_write_parquet(const tfp_sheet *sheet, const tfp_labels *labels,
                            tfp_memory *memory, tfp_sink *sink,
                            tfprof_error *err);

/* Refuses labels that have the name of a column. */
int tfp_sheet_check_labels(const tfp_sheet *sheet, const tfp_labels *labels,
                           tfprof_error *err);

/* The sheet must stay. Cannot fail. */
void tfp_sheet_describe(const tfp_sheet *sheet, tfp_arrow_table *table);

#endif
