/*
 * encode.h - the encodings of Parquet that make columns small.
 */
#ifndef TFP_OUTPUT_PARQUET_ENCODE_H
#define TFP_OUTPUT_PARQUET_ENCODE_H

#include "output/parquet/bytes.h"

/* The number of bits for numbers up to `most`; at least 1. */
int tfp_pq_width(uint64_t most);

/* Parquet's RLE/bit-packing hybrid of numbers with `width` bits, at most 32.
 * The number of a long run is written once; other numbers are bit-packed. */
void tfp_pq_put_hybrid(tfp_pq_bytes *out, const uint32_t *numbers, size_t count,
                       int width);

/* DELTA_BINARY_PACKED: the differences of adjacent numbers, in blocks with as
 * many bits as the differences need. */
void tfp_pq_put_delta(tfp_pq_bytes *out, const int64_t *numbers, size_t count);

#endif
