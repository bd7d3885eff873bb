/*
 * median.c - the median and its binomial interval.
 */
#include "stats/median.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Both tails of the binomial distribution: the true median is outside of the
 * interval if fewer than k values are below it, or above it. */
typedef struct tails {
    size_t n, k;
    double term; /* C(n, k - 1), times 2^-scale: it may exceed a double */
    double sum;  /* of the terms so far, times 2^-scale */
    int scale;
} tails;

static double tails_p(const tails *t)
{
    return ldexp(t->sum, 1 + t->scale - (int)t->n);
}

static void tails_next(tails *t)
{
    enum { STEP = 512 };
    t->term = t->term * (double)(t->n - t->k + 1) / (double)t->k;
    t->sum += t->term;
    t->k++;
    if (t->sum > ldexp(1, STEP)) {
        t->term = ldexp(t->term, -STEP);
        t->sum = ldexp(t->sum, -STEP);
        t->scale += STEP;
    }
}

static void find_interval(const tfp_sample *sample, double alpha,
                          tfp_interval *out)
{
    size_t n = sample->count;
    tails next = { .n = n, .k = 1, .term = 1, .sum = 1 };
    while (2 * next.k <= n && tails_p(&next) <= alpha) {
        out->known = true;
        out->low = sample->values[next.k - 1];
        out->high = sample->values[n - next.k];
        out->level = 1 - tails_p(&next);
        tails_next(&next);
    }
}

int tfp_median(const double *values, size_t count, double alpha,
               tfp_memory *memory, tfp_interval *out, tfprof_error *err)
{
    tfp_sample sample;
    int status = tfp_sample_init(&sample, values, count, TFP_SAMPLE_SUBTRACTED,
                                 memory, err);
    if (status != TFPROF_OK)
        return status;
    assert(alpha > 0 && alpha < 1);
    *out = (tfp_interval){ .count = count };
    if (count > 0) {
        out->estimate = tfp_sample_middle(sample.values[(count - 1) / 2],
                                          sample.values[count / 2]);
        find_interval(&sample, alpha, out);
    }
    tfp_sample_release(&sample, memory);
    return TFPROF_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void tfp_median_sort(int64_t *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof(*values), compare_numbers);
}

int64_t tfp_median_of_whole(int64_t *values, size_t count)
{
    int64_t low, high;
    assert(count > 0);
    tfp_median_sort(values, count);
    low = values[(count - 1) / 2];
    high = values[count / 2];
    return low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
}

size_t tfp_median_values_needed(double alpha)
{
    size_t n = 2;
    assert(alpha > 0 && alpha < 1);
    while (n < TFP_SAMPLE_MOST && ldexp(1, 1 - (int)n) > alpha)
        n++;
    return n;
}
