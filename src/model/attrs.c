/*
 * attrs.c - shapes, attributes and small constants.
 */
#include "model/attrs.h"

#include "base/intern.h"

#include "model/model.h"

static uint32_t intern_items(tfp_interner *table, const void *items,
                             size_t count, size_t size)
{
    return tfp_intern(table, (tfp_span){ items, count * size });
}

static const void *interned_items(const tfp_interner *table, uint32_t id,
                                  size_t size, size_t *count)
{
    tfp_span bytes = tfp_interned(table, id);
    *count = bytes.size / size;
    return bytes.data;
}

/* The empty item has id 0, which for shapes means "nothing was said". A
 * scalar, a shape of no dims, is kept as this dim, which no shape can have. */
static const int64_t scalar_mark = INT64_MIN;

tfp_shape tfp_model_shape(tfp_model *model, const int64_t *dims, size_t rank)
{
    if (rank == 0)
        return intern_items(&model->shapes, &scalar_mark, 1, sizeof(*dims));
    return intern_items(&model->shapes, dims, rank, sizeof(*dims));
}

const int64_t *tfp_shape_dims(const tfp_model *model, tfp_shape shape,
                              int *rank)
{
    size_t count;
    const int64_t *dims = interned_items(&model->shapes, shape, sizeof(*dims),
                                         &count);
    if (shape <= TFP_SHAPE_UNKNOWN_RANK)
        *rank = -1;
    else if (count == 1 && dims[0] == scalar_mark)
        *rank = 0;
    else
        *rank = (int)count;
    return dims;
}

tfp_list tfp_model_list(tfp_model *model, const int64_t *items, size_t count)
{
    return intern_items(&model->lists, items, count, sizeof(*items));
}

const int64_t *tfp_list_items(const tfp_model *model, tfp_list list,
                              size_t *count)
{
    return interned_items(&model->lists, list, sizeof(int64_t), count);
}

int64_t tfp_double_bits(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

double tfp_double_of_bits(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Merge sort from the bottom up: stable, so that of equal keys the last stays
 * last, and never slower than n log n on a hostile list. */
static void sort_attrs(tfp_attr *attrs, tfp_attr *spare, size_t count)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = middle + width < count ? middle + width : count;
            size_t a = low, b = middle;
            for (size_t i = low; i < high; i++) {
                bool left = b == high ||
                            (a < middle && attrs[a].key <= attrs[b].key);
                spare[i] = left ? attrs[a++] : attrs[b++];
            }
        }
        memcpy(attrs, spare, count * sizeof(*attrs));
    }
}

tfp_attrs tfp_model_attrs(tfp_model *model, tfp_attr *attrs, size_t count)
{
    size_t kept = 0;
    sort_attrs(attrs, attrs + count, count);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && attrs[kept - 1].key == attrs[i].key)
            kept--;
        attrs[kept++] = attrs[i];
    }
    return intern_items(&model->attr_lists, attrs, kept, sizeof(*attrs));
}

const tfp_attr *tfp_attrs_items(const tfp_model *model, tfp_attrs attrs,
                                size_t *count)
{
    return interned_items(&model->attr_lists, attrs, sizeof(tfp_attr), count);
}

const tfp_attr *tfp_attrs_find(const tfp_model *model, tfp_attrs attrs,
                               tfp_string key)
{
    size_t count, low = 0;
    const tfp_attr *items = tfp_attrs_items(model, attrs, &count);
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (items[middle].key == key)
            return &items[middle];
        if (items[middle].key < key)
            low = middle + 1;
        else
            count = middle;
    }
    return NULL;
}

uint32_t tfp_model_tensor(tfp_model *model, const tfp_tensor *tensor)
{
    return intern_items(&model->tensors, tensor, 1, sizeof(*tensor));
}

uint32_t tfp_model_function(tfp_model *model, const tfp_function_ref *ref)
{
    return intern_items(&model->functions, ref, 1, sizeof(*ref));
}

const tfp_tensor *tfp_tensor_of(const tfp_model *model, const tfp_attr *attr)
{
    size_t count;
    return interned_items(&model->tensors, (uint32_t)attr->value,
                          sizeof(tfp_tensor), &count);
}

const tfp_function_ref *tfp_function_of(const tfp_model *model,
                                        const tfp_attr *attr)
{
    size_t count;
    return interned_items(&model->functions, (uint32_t)attr->value,
                          sizeof(tfp_function_ref), &count);
}
