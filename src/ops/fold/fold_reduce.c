/*
 * fold_reduce.c - sums, products and the like along dims.
 *
 * How TensorFlow rounds a sum of floats depends on the order it takes them in,
 * which is not for us to know; so of reals only whole numbers are summed up
 * and multiplied, as long as every order gives the same.
 */
#include <math.h>

#include "base/bytes.h"
#include "model/attrs.h"
#include "ops/fold/fold.h"
#include "proto/dtype.h"

typedef struct sum {
    int64_t result;
    double magnitude; /* of reals: no part of it is greater than that */
    bool unknown;
    int64_t count;
} sum;

typedef struct reduction {
    int64_t (*ints)(int64_t a, int64_t b);
    int64_t start;
    int64_t settling; /* an element that makes all others idle; or unknown */
    bool needs_one;   /* what it gives of nothing is a matter of its own */
} reduction;

/* ---- Two at a time ------------------------------------------------------ */

static int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static const reduction sum_of = { add, 0, TFP_VALUE_UNKNOWN, false };
static const reduction mean_of = { add, 0, TFP_VALUE_UNKNOWN, true };
static const reduction product_of = { multiply, 1, 0, false };
static const reduction greatest_of = { greater, INT64_MIN + 1,
                                       TFP_VALUE_UNKNOWN, true };
static const reduction least_of = { lesser, INT64_MAX, TFP_VALUE_UNKNOWN,
                                    true };
static const reduction any_of = { greater, 0, 1, false };
static const reduction all_of = { lesser, 1, 0, false };

/* ---- Whole numbers among the reals -------------------------------------- */

/* Floats and doubles have all whole numbers up to here. */
static double most_whole(int32_t dtype)
{
    return dtype == TFP_DT_FLOAT ? 16777216.0 : 9007199254740992.0;
}

/* A real as a whole number, or TFP_VALUE_UNKNOWN. */
static int64_t whole_of(int64_t item, int32_t dtype)
{
    double number = tfp_double_of_bits(item);
    if (!(fabs(number) <= most_whole(dtype)) || floor(number) != number)
        return TFP_VALUE_UNKNOWN;
    return (int64_t)number;
}

static bool is_real(int32_t dtype)
{
    return dtype == TFP_DT_FLOAT || dtype == TFP_DT_DOUBLE;
}

/* ---- Along dims --------------------------------------------------------- */

static bool mark_axes(const tfp_site *site, int rank, bool *reduced)
{
    tfp_operand axes;
    memset(reduced, 0, TFP_FOLD_RANK * sizeof(*reduced));
    if (!tfp_operand_read(site, 1, &axes) || !tfp_dtype_is_integer(axes.dtype))
        return false;
    for (size_t i = 0; i < axes.count; i++) {
        int axis = axes.at[i] == TFP_VALUE_UNKNOWN
                       ? -1
                       : tfp_axis_of(axes.at[i], rank);
        if (axis < 0)
            return false;
        reduced[axis] = true;
    }
    return true;
}

/* Where the element at `n` goes. */
static int64_t place_of(const tfp_operand *in, const bool *reduced, int64_t n)
{
    int64_t at = 0, stride = 1;
    for (int i = in->rank - 1; i >= 0; i--) {
        int64_t place = n % in->dims[i];
        n /= in->dims[i];
        if (reduced[i])
            continue;
        at += place * stride;
        stride *= in->dims[i];
    }
    return at;
}

static void take(const reduction *rule, sum *s, int64_t item, int32_t dtype)
{
    int64_t number = item;
    if (item != TFP_VALUE_UNKNOWN && is_real(dtype))
        number = whole_of(item, dtype);
    s->count++;
    if (number == TFP_VALUE_UNKNOWN) {
        s->unknown = true;
        return;
    }
    if (rule == &product_of)
        s->magnitude *= number == 0 ? 1 : fabs((double)number);
    else if (rule == &sum_of || rule == &mean_of)
        s->magnitude += fabs((double)number);
    s->result = rule->ints(s->result, number);
}

/* What TensorFlow begins with. */
static int64_t of_nothing(const reduction *rule, int32_t dtype)
{
    bool is_least = rule == &least_of;
    if (rule == &mean_of)
        return is_real(dtype) ? TFP_VALUE_UNKNOWN : tfp_fold_wrap(0, dtype);
    if (dtype == TFP_DT_INT32)
        return is_least ? INT32_MAX : INT32_MIN;
    return dtype == TFP_DT_INT64 && is_least ? INT64_MAX : TFP_VALUE_UNKNOWN;
}

static int64_t result_of(const reduction *rule, const sum *s, int32_t dtype)
{
    int64_t result = s->result;
    bool is_settled = rule->settling != TFP_VALUE_UNKNOWN &&
                      result == rule->settling && s->count > 0 &&
                      !is_real(dtype);
    if (rule->needs_one && s->count == 0)
        return of_nothing(rule, dtype);
    if (s->unknown && !is_settled)
        return TFP_VALUE_UNKNOWN;
    if (is_real(dtype)) {
        double number = (double)result;
        if (s->magnitude > most_whole(dtype))
            return TFP_VALUE_UNKNOWN;
        if (rule == &mean_of)
            number /= (double)s->count;
        return tfp_double_bits(dtype == TFP_DT_FLOAT ? (float)number : number);
    }
    if (dtype == TFP_DT_BOOL)
        return result;
    if (rule == &mean_of) /* the sum itself does not wrap around */
        result /= s->count;
    return tfp_fold_wrap(result, dtype);
}

static void reduce(tfp_site *site, const reduction *rule)
{
    tfp_operand in;
    bool reduced[TFP_FOLD_RANK];
    sum sums[TFP_MOST_VALUES];
    int64_t items[TFP_MOST_VALUES], count = 1;
    if (!tfp_operand_read(site, 0, &in) || !mark_axes(site, in.rank, reduced))
        return;
    for (int i = 0; i < in.rank; i++)
        count = tfp_mul_sat(count, reduced[i] ? 1 : in.dims[i]);
    if (count > TFP_MOST_VALUES)
        return;
    for (int64_t i = 0; i < count; i++)
        sums[i] = (sum){ rule->start, 1, false, 0 };
    for (size_t n = 0; n < in.count; n++)
        take(rule, &sums[place_of(&in, reduced, (int64_t)n)], in.at[n],
             in.dtype);
    for (int64_t i = 0; i < count; i++)
        items[i] = result_of(rule, &sums[i], in.dtype);
    tfp_fold_put(site, 0, items, (size_t)count, in.dtype);
}

#define FOLD_REDUCTION(name)                                                   \
    static void fold_##name(tfp_site *site)                                    \
    {                                                                          \
        reduce(site, &name##_of);                                              \
    }

FOLD_REDUCTION(sum)
FOLD_REDUCTION(mean)
FOLD_REDUCTION(product)
FOLD_REDUCTION(greatest)
FOLD_REDUCTION(least)
FOLD_REDUCTION(any)
FOLD_REDUCTION(all)

const tfp_fold_rule tfp_folds_reduce[] = {
    /* name, rule */
    { "All", fold_all },      { "Any", fold_any },
    { "Max", fold_greatest }, { "Mean", fold_mean },
    { "Min", fold_least },    { "Prod", fold_product },
    { "Sum", fold_sum },      { 0 },
};
