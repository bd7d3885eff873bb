/*
 * fact.c - what two shapes say together, and what holds for both.
 */
#include "ops/fact/fact.h"

#include "base/bytes.h"
#include "proto/dtype.h"

bool tfp_dims_known(tfp_dims dims)
{
    for (int i = 0; i < dims.rank; i++) {
        if (dims.at[i] < 0)
            return false;
    }
    return dims.rank >= 0;
}

int64_t tfp_dims_elements(tfp_dims dims)
{
    int64_t count = 1;
    if (!tfp_dims_known(dims))
        return -1;
    for (int i = 0; i < dims.rank; i++) {
        if (dims.at[i] == 0)
            return 0;
    }
    for (int i = 0; i < dims.rank; i++)
        count = tfp_mul_sat(count, dims.at[i]);
    return count;
}

/* Apart from its caller, since room for so many dims takes time to make: the
 * release build clears it. */
static bool merge_dims(tfp_model *model, tfp_dims x, tfp_dims y,
                       tfp_shape *merged)
{
    int64_t dims[TFP_MOST_RANK];
    if (x.rank != y.rank || x.rank > TFP_MOST_RANK)
        return false;
    for (int i = 0; i < x.rank; i++) {
        if (x.at[i] >= 0 && y.at[i] >= 0 && x.at[i] != y.at[i])
            return false;
        dims[i] = x.at[i] >= 0 ? x.at[i] : y.at[i];
    }
    *merged = tfp_model_shape(model, dims, (size_t)x.rank);
    return *merged != TFP_NO_ID;
}

bool tfp_shape_merge(tfp_model *model, tfp_shape a, tfp_shape b,
                     tfp_shape *merged)
{
    *merged = a;
    if (a == b || b <= TFP_SHAPE_UNKNOWN_RANK)
        return true;
    if (a <= TFP_SHAPE_UNKNOWN_RANK) {
        *merged = b;
        return true;
    }
    return merge_dims(model, tfp_dims_of(model, a), tfp_dims_of(model, b),
                      merged);
}

tfp_shape tfp_shape_join(tfp_model *model, tfp_shape a, tfp_shape b)
{
    tfp_dims x = tfp_dims_of(model, a), y = tfp_dims_of(model, b);
    int64_t dims[TFP_MOST_RANK];
    if (a == b)
        return a;
    if (x.rank != y.rank || x.rank < 0 || x.rank > TFP_MOST_RANK)
        return TFP_SHAPE_UNKNOWN_RANK;
    for (int i = 0; i < x.rank; i++)
        dims[i] = x.at[i] == y.at[i] ? x.at[i] : TFP_DIM_UNKNOWN;
    return tfp_model_shape(model, dims, (size_t)x.rank);
}

/* An empty list will hold what others of its place hold. */
static bool join_empty(tfp_fact *fact, const tfp_fact *other)
{
    bool is_empty = fact->dtype == TFP_DT_VARIANT;
    uint32_t length = fact->length == other->length ? fact->length : 0;
    if (is_empty == (other->dtype == TFP_DT_VARIANT) ||
        fact->shape != other->shape)
        return false;
    if (is_empty)
        *fact = *other;
    fact->length = length;
    return true;
}

bool tfp_fact_join(tfp_model *model, tfp_fact *fact, const tfp_fact *other)
{
    if (join_empty(fact, other))
        return true;
    fact->shape = tfp_shape_join(model, fact->shape, other->shape);
    if (fact->held == TFP_SHAPE_NONE || other->held == TFP_SHAPE_NONE)
        fact->held = TFP_SHAPE_NONE;
    else
        fact->held = tfp_shape_join(model, fact->held, other->held);
    if (fact->length != other->length)
        fact->length = 0;
    if (fact->value != other->value || fact->dtype != other->dtype) {
        fact->value = TFP_NO_ID;
        fact->dtype = 0;
    }
    return fact->shape != TFP_NO_ID && fact->held != TFP_NO_ID;
}
