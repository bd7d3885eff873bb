/*
 * shift.h - by how much one sample is larger than another.
 *
 * The Hodges-Lehmann shift is the median of all differences b - a. Its
 * confidence interval has the shifts that the rank test (stats/rank.h) does not
 * reject: it includes 0 exactly if p > alpha, unless values are equal or a
 * difference is 0. The interval is made for samples without equal values; with
 * them the true confidence differs a little from `level`.
 */
#ifndef TFP_STATS_SHIFT_H
#define TFP_STATS_SHIFT_H

#include <stddef.h>

#include <tfprof/error.h>

#include "base/memory.h"
#include "stats/sample.h"

/* The shift from a to b and its interval at confidence 1 - alpha, where
 * 0 < alpha < 1. Both are exact values: differences, rounded once, and the
 * mean of the two in the middle. Values are at most half of the largest double,
 * otherwise MALFORMED. An empty sample has no shift: `count` is 0. The interval
 * is not known if tfp_rank_smallest_p() > alpha; tfp_rank_values_needed() has
 * the number of missing values.
 *
 * Takes 40 bytes of memory per value; differences are not stored. */
int tfp_shift(const double *a, size_t a_count, const double *b, size_t b_count,
              double alpha, tfp_memory *memory, tfp_interval *out,
              tfprof_error *err);

/*
 * The smallest change that samples of this size and spread can show: the
 * distance from the estimate to the farther end of the interval. Infinite if
 * the interval is not known.
 *
 * If all values of b grow by d, estimate and interval move by d. So an estimate
 * farther from 0 than this, with the same spread, has an interval without 0: it
 * is significant, whether up or down. The other way round, a true change of
 * this size is found in about half of all comparisons, since estimates scatter
 * around it; a change twice as large is found in nearly all.
 *
 * For a baseline alone, pass it to tfp_shift() as both samples: the result is
 * then a rough forecast for as many new values with the same spread. It is a
 * little too small (by 12 % for 8 normal values), because both samples have the
 * same extremes.
 */
double tfp_shift_smallest(const tfp_interval *shift);

#endif
