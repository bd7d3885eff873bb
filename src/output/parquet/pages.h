/*
 * pages.h - the pages of a Parquet file: compressed, each with its header.
 */
#ifndef TFP_OUTPUT_PARQUET_PAGES_H
#define TFP_OUTPUT_PARQUET_PAGES_H

#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/parquet/bytes.h"
#include "output/sink/sink.h"

/* The numbers are those of the format. */
typedef enum tfp_pq_type {
    TFP_PQ_BOOLEAN = 0,
    TFP_PQ_INT64 = 2,
    TFP_PQ_DOUBLE = 5,
    TFP_PQ_TEXT = 6 /* BYTE_ARRAY */
} tfp_pq_type;

/* The numbers are those of the format. */
typedef enum tfp_pq_encoding {
    TFP_PQ_PLAIN = 0,
    TFP_PQ_RLE = 3,
    TFP_PQ_DELTA = 5,
    TFP_PQ_DICTIONARY = 8
} tfp_pq_encoding;

enum {
    TFP_PQ_CODEC_GZIP = 2,
    /* A page ends after the value that makes it this large. Readers hold
     * complete pages in memory. */
    TFP_PQ_PAGE = 1 << 20,
    /* The largest value. Sizes of pages have 31 bits. A page with such a value
     * and the values before it has less, also after compression. */
    TFP_PQ_MOST_VALUE = 1 << 30
};

typedef struct tfp_pq_pages {
    tfp_memory *memory;
    tfp_sink *sink;
    int64_t at;         /* bytes of the file so far */
    int64_t raw;        /* bytes of all pages, before compression */
    void *zlib;         /* z_stream; NULL before the first page */
    tfp_pq_bytes body;  /* of the next page */
    tfp_pq_bytes small; /* the body, compressed */
    tfp_pq_bytes header;
} tfp_pq_pages;

void tfp_pq_pages_init(tfp_pq_pages *pages, tfp_memory *memory, tfp_sink *sink);
void tfp_pq_pages_release(tfp_pq_pages *pages);

/* Writes bytes that are not a page. */
void tfp_pq_pages_put(tfp_pq_pages *pages, tfp_span bytes);

/* Writes `body` as a page with this number of values, and empties it. */
int tfp_pq_pages_end(tfp_pq_pages *pages, bool is_dictionary, size_t values,
                     tfp_pq_encoding encoding, tfprof_error *err);

#endif
