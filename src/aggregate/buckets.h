/*
 * buckets.h - the buckets of a histogram whose quantiles are within 1 percent.
 *
 * DDSketch with a relative accuracy of 1 percent: gamma is 101 / 99, and a
 * value v of at least 1 is in the bucket k for which
 * gamma^(k - 1) < v <= gamma^k. The value 0 is in the bucket -1. Bucket k
 * represents the value 2 * gamma^k / (gamma + 1), which differs from every
 * value in it by at most 1 percent.
 *
 * Workers on different machines must put a value into the same bucket, so
 * nothing here depends on the logarithm of a C library. buckets.c computes a
 * lower and an upper bound of gamma^k for each k, with integers. Both bounds
 * have the same floor, so floor(gamma^k) is exact. Values are compared with
 * these numbers.
 */
#ifndef TFP_AGGREGATE_BUCKETS_H
#define TFP_AGGREGATE_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TFP_BUCKET_ZERO = -1,
    TFP_BUCKET_COUNT = 2185, /* of values from 1 to INT64_MAX: 0 to 2184 */
    TFP_BUCKET_PARTS = 32    /* of the range between two powers of two */
};

typedef struct tfp_buckets {
    int64_t most[TFP_BUCKET_COUNT]; /* the largest value of each */
    /* The bucket of the smallest value with the same leading bits, by the
     * number of bits and by the 5 bits that follow the first. */
    int16_t start[64][TFP_BUCKET_PARTS];
} tfp_buckets;

/* False if a bound could not be computed exactly. The result is the same on all
 * machines; a test checks that it is true. */
bool tfp_buckets_init(tfp_buckets *buckets);

/* The bucket of a value. Values below 0 count as 0. */
int tfp_bucket_of(const tfp_buckets *buckets, int64_t value);

#endif
