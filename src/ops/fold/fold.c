/*
 * fold.c - the elements of small tensors, where they can be computed.
 */
#include "ops/fold/fold.h"

#include "base/bytes.h"
#include "base/intern.h"
#include "model/model.h"
#include "proto/dtype.h"

/* All elements that folding may add to a model: a graph of a million
 * additions must not take the memory of a million results. */
enum { MOST_FOLDED = 1 << 22 };

const tfp_fold_rule *const tfp_fold_families[] = {
    tfp_folds_shape, tfp_folds_layout, tfp_folds_arith, tfp_folds_reduce, NULL,
};

void tfp_fold(tfp_site *site)
{
    tfp_shape_fn *fold = tfp_shapes_fold(site->shapes,
                                         site->nodes->op[site->node]);
    if (fold && site->output_count > 0)
        fold(site);
}

bool tfp_site_is_from_enter(const tfp_site *site, size_t i)
{
    tfp_node node;
    const tfp_op *op = tfp_site_producer(site, i, &node);
    return op && (strcmp(op->name, "Enter") == 0 ||
                  strcmp(op->name, "RefEnter") == 0);
}

/* The dims of a value are those of its tensor. One that is not known follows
 * from the number of elements. */
static bool read_dims(tfp_dims dims, tfp_operand *operand)
{
    int64_t known = 1;
    int missing = -1;
    operand->rank = dims.rank;
    if (dims.rank < 0 || dims.rank > TFP_FOLD_RANK)
        return false;
    for (int i = 0; i < dims.rank; i++) {
        operand->dims[i] = dims.at[i];
        if (dims.at[i] >= 0)
            known = tfp_mul_sat(known, dims.at[i]);
        else if (missing >= 0)
            return false;
        else
            missing = i;
    }
    if (missing < 0)
        return (uint64_t)known == operand->count;
    if (known == 0)
        return false;
    operand->dims[missing] = (int64_t)operand->count / known;
    return operand->count % (uint64_t)known == 0;
}

bool tfp_operand_read(const tfp_site *site, size_t i, tfp_operand *operand)
{
    tfp_value value;
    if (!tfp_site_value(site, i, &value))
        return false;
    if (site->grade == TFP_GRADE_TENSORFLOW &&
        (!value.complete || tfp_site_is_from_enter(site, i)))
        return false;
    operand->at = value.at;
    operand->count = value.count;
    operand->dtype = value.dtype;
    return read_dims(tfp_site_input(site, i), operand);
}

bool tfp_operand_int(const tfp_site *site, size_t i, int64_t *number)
{
    tfp_operand operand;
    if (!tfp_operand_read(site, i, &operand) || operand.count != 1 ||
        !tfp_dtype_is_integer(operand.dtype) ||
        operand.at[0] == TFP_VALUE_UNKNOWN)
        return false;
    *number = operand.at[0];
    return true;
}

/* Elements of which none is known. */
static const int64_t unknown_items[TFP_MOST_VALUES] = {
#define FOUR                                                                   \
    TFP_VALUE_UNKNOWN, TFP_VALUE_UNKNOWN, TFP_VALUE_UNKNOWN, TFP_VALUE_UNKNOWN
#define SIXTEEN FOUR, FOUR, FOUR, FOUR
    SIXTEEN,
    SIXTEEN,
    SIXTEEN,
    SIXTEEN,
#undef SIXTEEN
#undef FOUR
};

bool tfp_operand_read_any(const tfp_site *site, size_t i, tfp_operand *operand)
{
    tfp_dims dims = tfp_site_input(site, i);
    int64_t count = tfp_dims_elements(dims);
    if (tfp_operand_read(site, i, operand))
        return true;
    if (site->grade != TFP_GRADE_FULL || count < 0 || count > TFP_MOST_VALUES)
        return false;
    operand->at = unknown_items;
    operand->count = (size_t)count;
    operand->dtype = 0;
    return read_dims(dims, operand);
}

/* ---- What is put -------------------------------------------------------- */

static size_t known_of(const int64_t *items, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        known += items[i] != TFP_VALUE_UNKNOWN;
    return known;
}

/* May an output have so many elements? */
static bool may_put(const tfp_site *site, size_t k, size_t count)
{
    tfp_dims dims = tfp_site_output(site, k);
    if (count > TFP_MOST_VALUES || site->shapes->folded > MOST_FOLDED)
        return false;
    /* what a file says of it may be something else */
    return !tfp_dims_known(dims) || (uint64_t)tfp_dims_elements(dims) == count;
}

static void put(tfp_site *site, size_t k, const int64_t *items, size_t count,
                int32_t dtype)
{
    tfp_shapes *s = site->shapes;
    tfp_dims dims = tfp_site_output(site, k);
    size_t before = s->model->lists.items.count;
    if (site->grade == TFP_GRADE_FULL && dims.rank == 1 && dims.at[0] < 0)
        tfp_site_put(site, k, &(int64_t){ (int64_t)count }, 1);
    tfp_site_put_value(site, k, items, count, dtype);
    if (s->model->lists.items.count > before)
        s->folded += count + 1;
}

void tfp_fold_put(tfp_site *site, size_t k, const int64_t *items, size_t count,
                  int32_t dtype)
{
    size_t known = known_of(items, count);
    if (!may_put(site, k, count) || dtype == 0)
        return;
    if (known == count || (known > 0 && site->grade == TFP_GRADE_FULL))
        put(site, k, items, count, dtype);
}

void tfp_fold_put_as_shape(tfp_site *site, size_t k, const int64_t *items,
                           size_t count, int32_t dtype)
{
    if (site->grade == TFP_GRADE_FULL) {
        tfp_fold_put(site, k, items, count, dtype);
        return;
    }
    if (!may_put(site, k, count))
        return;
    put(site, k, items, count, dtype);
    tfp_fold_set_use(site, k, TFP_USE_AS_SHAPE);
}

void tfp_fold_set_use(tfp_site *site, size_t k, enum tfp_value_use use)
{
    tfp_fact *fact;
    if (k >= site->output_count || site->grade == TFP_GRADE_FULL)
        return;
    fact = &site->outputs[k].of[site->grade];
    if (fact->value != TFP_NO_ID)
        fact->use = use;
}

void tfp_operand_strides(const tfp_operand *operand,
                         int64_t strides[TFP_FOLD_RANK])
{
    int64_t stride = 1;
    for (int i = operand->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= operand->dims[i] > 0 ? operand->dims[i] : 1;
    }
}

void tfp_fold_put_axes(tfp_site *site, size_t k, const tfp_operand *operand,
                       int64_t first, const tfp_fold_axis *axes, int count)
{
    int64_t items[TFP_MOST_VALUES], total = 1;
    for (int i = 0; i < count; i++) {
        if (axes[i].length < 0)
            return;
        total = tfp_mul_sat(total, axes[i].length);
    }
    if (total > TFP_MOST_VALUES)
        return;
    for (int64_t n = 0; n < total; n++) {
        int64_t left = n, at = first;
        for (int i = count - 1; i >= 0; i--) {
            at += left % axes[i].length * axes[i].stride;
            left /= axes[i].length;
        }
        if (at < 0 || (uint64_t)at >= operand->count)
            return;
        items[n] = operand->at[at];
    }
    tfp_fold_put(site, k, items, (size_t)total, operand->dtype);
}

int64_t tfp_fold_wrap(int64_t number, int32_t dtype)
{
    switch (dtype) {
    case TFP_DT_INT64: return number;
    case TFP_DT_INT32: return (int32_t)number;
    case TFP_DT_INT16: return (int16_t)number;
    case TFP_DT_INT8: return (int8_t)number;
    case TFP_DT_UINT32: return (int64_t)(uint32_t)number;
    case TFP_DT_UINT16: return (int64_t)(uint16_t)number;
    case TFP_DT_UINT8: return (int64_t)(uint8_t)number;
    default: return TFP_VALUE_UNKNOWN;
    }
}
