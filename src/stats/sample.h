/*
 * sample.h - the values of one sample in rising order, and what is reported
 * about a quantity that samples estimate.
 */
#ifndef TFP_STATS_SAMPLE_H
#define TFP_STATS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tfprof/error.h>

#include "base/memory.h"

/* Values per sample. With so many, each function of this room takes less than
 * a second, so none of them asks whether it is cancelled. The product of two
 * counts is exact in a double. */
enum { TFP_SAMPLE_MOST = 1 << 17 };

/* An estimate and its confidence interval. */
typedef struct tfp_interval {
    double estimate;  /* 0 if `count` is 0 */
    uint64_t count;   /* values or differences it is estimated from */
    bool known;       /* false: too few values for an interval */
    double low, high; /* the interval includes both; 0 if not known */
    double level;     /* its confidence, at least 1 - alpha; 0 if not known */
} tfp_interval;

typedef struct tfp_sample {
    double *values; /* rising */
    size_t count;
} tfp_sample;

/* What values a sample may have. NaN is never allowed. */
typedef enum tfp_sample_range {
    TFP_SAMPLE_RANKED,    /* any, infinities too */
    TFP_SAMPLE_SUBTRACTED /* at most half of the largest double: then no
                           * difference of two values overflows */
} tfp_sample_range;

/* A sorted copy. Fails when memory runs out (NOMEM), for a value that the
 * range excludes (MALFORMED) and for too many values (LIMIT); nothing needs to
 * be released then. */
int tfp_sample_init(tfp_sample *sample, const double *values, size_t count,
                    tfp_sample_range range, tfp_memory *memory,
                    tfprof_error *err);
void tfp_sample_release(tfp_sample *sample, tfp_memory *memory);

/* Keys that sort doubles other than NaN from the smallest up, -0 before 0, and
 * the double of a key. The keys of neighboring doubles differ by 1. */
uint64_t tfp_sample_key(double value);
double tfp_sample_of_key(uint64_t key);

/* The mean of two values; it does not overflow. */
double tfp_sample_middle(double a, double b);

#endif
