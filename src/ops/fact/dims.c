/*
 * dims.c - arithmetic on dims of which some are not known.
 */
#include "model/attrs.h"
#include "ops/fact/site.h"
#include "proto/dtype.h"

int tfp_axis_of(int64_t axis, int rank)
{
    if (axis < 0 && axis >= -(int64_t)rank)
        axis += rank;
    return axis >= 0 && axis < rank ? (int)axis : -1;
}

int64_t tfp_dim_add(int64_t a, int64_t b)
{
    int64_t sum;
    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum)
               ? TFP_DIM_UNKNOWN
               : sum;
}

int64_t tfp_dim_mul(int64_t a, int64_t b)
{
    int64_t product;
    if (a == 0 || b == 0)
        return 0;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)
               ? TFP_DIM_UNKNOWN
               : product;
}

int64_t tfp_dim_least(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    if (a < 0 || b < 0)
        return TFP_DIM_UNKNOWN;
    return a < b ? a : b;
}

bool tfp_dim_merge(int64_t a, int64_t b, int64_t *merged)
{
    *merged = a >= 0 ? a : b;
    return a < 0 || b < 0 || a == b;
}

/* Of an unknown dim and one above 1 the result is the latter: the unknown one
 * is 1 or the same, else the operation fails. */
bool tfp_dim_broadcast(int64_t a, int64_t b, int64_t *out)
{
    if (a >= 0 && b >= 0) {
        *out = a == 1 ? b : a;
        return a == b || a == 1 || b == 1;
    }
    if (a > 1 || b > 1)
        *out = a > 1 ? a : b;
    else if (a == 1 || b == 1)
        *out = a == 1 ? b : a;
    else
        *out = TFP_DIM_UNKNOWN;
    return true;
}

int tfp_value_dims(const tfp_value *value, int64_t dims[TFP_MOST_RANK])
{
    if (value->count > TFP_MOST_RANK || !tfp_dtype_is_integer(value->dtype))
        return -1;
    for (size_t i = 0; i < value->count; i++)
        dims[i] = value->at[i] < 0 ? TFP_DIM_UNKNOWN : value->at[i];
    return (int)value->count;
}

int tfp_site_input_as_shape(const tfp_site *site, size_t i,
                            int64_t dims[TFP_MOST_RANK])
{
    tfp_value value;
    tfp_dims vector = tfp_site_input(site, i);
    if (tfp_site_value_as_shape(site, i, &value))
        return vector.rank == 1 || vector.rank < 0
                   ? tfp_value_dims(&value, dims)
                   : -1;
    if (vector.rank != 1 || vector.at[0] < 0 || vector.at[0] > TFP_MOST_RANK)
        return -1;
    for (int64_t k = 0; k < vector.at[0]; k++)
        dims[k] = TFP_DIM_UNKNOWN;
    return (int)vector.at[0];
}
