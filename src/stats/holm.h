/*
 * holm.h - p-values of many tests, corrected for their number.
 *
 * Holm's method: the smallest of k p-values is multiplied by k, the next by
 * k - 1, and so on; no corrected value is less than one before it, or more than
 * 1. If all tests with a corrected p of at most alpha are called significant,
 * the chance of any wrong one among them is at most alpha, however the tests
 * depend on each other.
 */
#ifndef TFP_STATS_HOLM_H
#define TFP_STATS_HOLM_H

#include <stddef.h>

#include <tfprof/error.h>

#include "base/memory.h"

/* Writes the corrected p of each test to its place in `out`, which may be `p`
 * itself. Each p is from 0 to 1. Fails when memory runs out (NOMEM) and for
 * more than 2^32 - 1 tests (LIMIT). */
int tfp_holm(const double *p, size_t count, tfp_memory *memory, double *out,
             tfprof_error *err);

#endif
