/*
 * shift.c - order statistics of all differences, without storing them.
 *
 * In sorted samples, the differences b[j] - a[i] rise with j and fall with i,
 * also after rounding. So one walk along both samples counts the differences up
 * to some x. The k-th smallest difference is the smallest double for which this
 * count is at least k; it is found by halving the range of doubles, which takes
 * 64 walks at most.
 */
#include "stats/shift.h"

#include <math.h>

#include "stats/rank.h"

static uint64_t count_up_to(const tfp_sample *a, const tfp_sample *b, double x)
{
    uint64_t count = 0;
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        while (j < b->count && b->values[j] - a->values[i] <= x)
            j++;
        count += j;
    }
    return count;
}

/* The k-th smallest difference, from 1. */
static double nth_difference(const tfp_sample *a, const tfp_sample *b,
                             uint64_t k)
{
    double least = b->values[0] - a->values[a->count - 1];
    double most = b->values[b->count - 1] - a->values[0], found;
    uint64_t low = tfp_sample_key(least), high = tfp_sample_key(most);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (count_up_to(a, b, tfp_sample_of_key(middle)) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    found = tfp_sample_of_key(low);
    return found == 0 ? 0 : found; /* -0 is equal to 0, and is found first */
}

static void shift_sorted(const tfp_sample *a, const tfp_sample *b, double alpha,
                         tfp_interval *out)
{
    uint64_t pairs = (uint64_t)a->count * b->count, cut;
    double p;
    *out = (tfp_interval){ .count = pairs };
    if (pairs == 0)
        return;
    out->estimate = nth_difference(a, b, (pairs + 1) / 2);
    if (pairs % 2 == 0)
        out->estimate = tfp_sample_middle(out->estimate,
                                          nth_difference(a, b, pairs / 2 + 1));
    cut = tfp_rank_cut(a->count, b->count, alpha, &p);
    if (cut == 0)
        return;
    out->known = true;
    out->low = nth_difference(a, b, cut);
    out->high = nth_difference(a, b, pairs + 1 - cut);
    out->level = 1 - p;
}

int tfp_shift(const double *a, size_t a_count, const double *b, size_t b_count,
              double alpha, tfp_memory *memory, tfp_interval *out,
              tfprof_error *err)
{
    tfp_sample first, second;
    int status = tfp_sample_init(&first, a, a_count, TFP_SAMPLE_SUBTRACTED,
                                 memory, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_sample_init(&second, b, b_count, TFP_SAMPLE_SUBTRACTED, memory,
                             err);
    if (status == TFPROF_OK) {
        shift_sorted(&first, &second, alpha, out);
        tfp_sample_release(&second, memory);
    }
    tfp_sample_release(&first, memory);
    return status;
}

double tfp_shift_smallest(const tfp_interval *shift)
{
    return shift->known ? fmax(shift->estimate - shift->low,
                               shift->high - shift->estimate)
                        : INFINITY;
}
