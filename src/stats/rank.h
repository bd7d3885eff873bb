/*
 * rank.h - the rank test of Mann, Whitney and Wilcoxon for two samples.
 *
 * U counts the pairs (a, b) with a > b; a pair of equal values counts half. If
 * both samples come from one distribution, each assignment of the values to
 * the two samples is equally likely, which gives the distribution of U. The
 * two-sided p-value is twice the smaller tail, at most 1.
 *
 * Up to TFP_RANK_EXACT_MOST values in total, assignments are counted, equal
 * values included, and p is the quotient of two exact integers. With more
 * values p is the normal approximation with corrections for ties and
 * continuity; its last digits depend on erfc() of the C library.
 */
#ifndef TFP_STATS_RANK_H
#define TFP_STATS_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tfprof/error.h>

#include "base/memory.h"

/* There are at most C(50, 25) assignments, about 2^46.8, so every count and
 * every product on the way to it is exact in a double. */
enum { TFP_RANK_EXACT_MOST = 50 };

typedef struct tfp_rank_result {
    double u;   /* of the first sample */
    double p;   /* two-sided */
    bool exact; /* false: normal approximation */
} tfp_rank_result;

/* Infinities are values like others; NaN is MALFORMED. p is 1 if a sample is
 * empty or all values are equal. Takes up to 270 KB of memory for ties, and 40
 * bytes per value. */
int tfp_rank_test(const double *a, size_t a_count, const double *b,
                  size_t b_count, tfp_memory *memory, tfp_rank_result *out,
                  tfprof_error *err);

/* The smallest p that tfp_rank_test() can give for samples of these sizes
 * without equal values: 2 / C(m + n, n), at most 1, or the normal approximation
 * where the test uses it. Cannot fail. */
double tfp_rank_smallest_p(size_t a_count, size_t b_count);

/* How many more values both samples need before one of `tests` comparisons can
 * be significant at level `alpha` after Holm's correction: the smallest number
 * for which tfp_rank_smallest_p() is at most alpha / tests. 0 < alpha < 1.
 * Cannot fail. */
size_t tfp_rank_values_needed(size_t a_count, size_t b_count, double alpha,
                              size_t tests);

/* The largest c for which the test gives p <= alpha at U = c - 1, without
 * equal values; 0 if there is none. *p is the p of that U, or 1. Never more
 * than half of a_count * b_count, rounded up. Cannot fail. */
uint64_t tfp_rank_cut(size_t a_count, size_t b_count, double alpha, double *p);

#endif
