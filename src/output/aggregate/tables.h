/*
 * tables.h - an aggregate as four Parquet files in a folder.
 *
 * docs/fleet.md describes each table and column.
 */
#ifndef TFP_OUTPUT_AGGREGATE_H
#define TFP_OUTPUT_AGGREGATE_H

#include <stddef.h>
#include <stdint.h>

#include "aggregate/aggregate.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "options/labels.h"

enum { TFP_AGG_SCHEMA = 2 }; /* the version of the tables */

/* The values of the header that are not in tfp_aggregate. */
typedef struct tfp_agg_header {
    const char *producer, *machine;
    int64_t inputs, damaged;
    tfp_span problems; /* lines, one for each damaged input */
} tfp_agg_header;

typedef struct tfp_agg_tables {
    const tfp_aggregate *aggregate;
    const tfp_agg_header *header;
    const tfp_labels *labels; /* the first two are job and worker */
    tfp_memory *memory;
    const tfp_cancel *cancel; /* may be NULL */
} tfp_agg_tables;

/* The names of the files, in the order in which they are written; the header is
 * the last, so that a folder without it is incomplete. Ends with NULL. */
extern const char *const tfp_agg_files[];

/* Refuses labels that have the name of a column. */
int tfp_agg_check_labels(const tfp_labels *labels, tfprof_error *err);

/* Writes one of the files to a path, completely or not at all. */
int tfp_agg_write(const tfp_agg_tables *tables, size_t file, const char *path,
                  tfprof_error *err);

#endif
