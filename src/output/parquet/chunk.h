/*
 * chunk.h - one column of a row group: its pages and its statistics.
 */
#ifndef TFP_OUTPUT_PARQUET_CHUNK_H
#define TFP_OUTPUT_PARQUET_CHUNK_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/arrow/arrow.h"
#include "output/parquet/pages.h"

tfp_pq_type tfp_pq_type_of(const tfp_arrow_column *column);

/* Memory for finding equal values, reused by the next chunk. */
typedef struct tfp_pq_scratch {
    tfp_memory *memory;
    size_t rows;      /* the arrays have room for this number of rows */
    int64_t *numbers; /* the values of the chunk; doubles as their bits */
    uint32_t *ids;    /* by value: its index in the dictionary */
    uint32_t *firsts; /* by that index: the first value or text of its kind */
    uint32_t *levels; /* by row of a page: 1 if the row has a value */
    TFP_VEC(uint32_t) slots;
    tfp_pq_bytes tries[2]; /* two encodings; the smaller one is used */
} tfp_pq_scratch;

void tfp_pq_scratch_release(tfp_pq_scratch *scratch);

/* The smallest and the largest value of a chunk. */
typedef struct tfp_pq_range {
    bool is_known;
    int64_t low, high;    /* numbers; doubles as their bits */
    tfp_span first, last; /* texts, in the order of their bytes */
} tfp_pq_range;

typedef struct tfp_pq_chunk {
    const tfp_arrow_column *column;
    tfp_pq_type type;
    size_t first, rows;       /* of the table */
    size_t values;            /* that are not missing */
    tfp_pq_encoding encoding; /* of its data pages */
    int64_t at, data_at;      /* in the file; the dictionary is first, if any */
    int64_t raw;              /* bytes of its pages, before compression */
    tfp_pq_range range;
} tfp_pq_chunk;

/* Writes the pages of `chunk`. The caller sets column, first and rows; this
 * function sets the other fields. */
int tfp_pq_chunk_write(tfp_pq_chunk *chunk, tfp_pq_pages *pages,
                       tfp_pq_scratch *scratch, tfprof_error *err);

#endif
