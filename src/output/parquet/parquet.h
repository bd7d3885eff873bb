/*
 * parquet.h - a table as a Parquet file.
 *
 * A subset of the format, for writing only: flat columns that are REQUIRED or
 * OPTIONAL, of the types BOOLEAN, INT64, DOUBLE and BYTE_ARRAY (UTF-8), in data
 * pages of version 1 that zlib compresses. Every chunk has statistics, so that
 * readers can skip row groups. docs/arrow.md describes what is written.
 *
 * The same table always gives the same bytes.
 */
#ifndef TFP_OUTPUT_PARQUET_H
#define TFP_OUTPUT_PARQUET_H

#include "base/error.h"
#include "base/memory.h"
#include "output/arrow/arrow.h"
#include "output/sink/sink.h"

/* The maximum number of rows of a row group. DuckDB uses this size too, and a
 * group is the unit of work of its threads. */
enum { TFP_PARQUET_GROUP = 122880 };

/* Writes a complete file. Columns with `is_optional` set are OPTIONAL. Integers
 * of 32 bits are written as INT64. The metadata of the table and the units of
 * its columns become metadata of the file. */
int tfp_parquet_write(const tfp_arrow_table *table, tfp_memory *memory,
                      tfp_sink *sink, tfprof_error *err);

/* ---- Part by part ------------------------------------------------------- */

typedef struct tfp_parquet tfp_parquet;

/* Begins a file. NULL when out of memory. `memory` and `sink` must outlive
 * it. */
tfp_parquet *tfp_parquet_new(tfp_memory *memory, tfp_sink *sink);
void tfp_parquet_free(tfp_parquet *parquet); /* or NULL */

/* Adds rows, in groups of TFP_PARQUET_GROUP. All tables of a file must have the
 * same columns; a table may have no rows. Only one group is held in memory. */
int tfp_parquet_add(tfp_parquet *parquet, const tfp_arrow_table *table,
                    tfprof_error *err);

/* Ends the file. The caller checks whether the sink failed. */
int tfp_parquet_end(tfp_parquet *parquet, tfprof_error *err);

#endif
