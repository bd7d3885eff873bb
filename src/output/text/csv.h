/*
 * csv.h - texts in a table of comma-separated values.
 */
#ifndef TFP_OUTPUT_CSV_H
#define TFP_OUTPUT_CSV_H

#include "base/bytes.h"
#include "output/sink/sink.h"

/* A text in quotes. One that a spreadsheet would take for a formula gets an
 * apostrophe in front. */
void tfp_csv_text(tfp_sink *sink, tfp_span text);

/* A part of what stands between quotes. */
void tfp_csv_part(tfp_sink *sink, tfp_span text);

bool tfp_csv_looks_like_formula(tfp_span text);

#endif
