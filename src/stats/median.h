/*
 * median.h - the median of a sample, and between which values the true one is.
 *
 * Each value is below the true median with probability 1/2, so the number of
 * values below it is binomial. The interval reaches from the k-th smallest
 * value to the k-th largest, for the largest k that has enough confidence. It
 * assumes nothing about the distribution of the values.
 */
#ifndef TFP_STATS_MEDIAN_H
#define TFP_STATS_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

#include <tfprof/error.h>

#include "base/memory.h"
#include "stats/sample.h"

/* The median and its interval at confidence 1 - alpha, where 0 < alpha < 1.
 * Values are as for tfp_shift(). No values have no median: `count` is 0. */
int tfp_median(const double *values, size_t count, double alpha,
               tfp_memory *memory, tfp_interval *out, tfprof_error *err);

/* Sorts whole numbers. Cannot fail. */
void tfp_median_sort(int64_t *values, size_t count);

/* The median of whole numbers, of which there is at least one; sorts them. Of
 * an even number, it is the middle between two, rounded down. Cannot fail. */
int64_t tfp_median_of_whole(int64_t *values, size_t count);

/* The smallest number of values that has an interval, which then reaches from
 * the smallest value to the largest: 8 for alpha = 0.01, with 99.2 %
 * confidence. Cannot fail. */
size_t tfp_median_values_needed(double alpha);

#endif
