/*
 * profile_attrs.c - the attributes of a node, as input/load/attrs.c reads them.
 *
 * A function that an attribute names is written by its name alone: its body
 * is not part of a profile, and what it was called with would nest without a
 * limit.
 */
#include <math.h>

#include "base/bytes.h"
#include "base/sort.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "model/model.h"
#include "output/profile/profile_parts.h"
#include "proto/dtype.h"
#include "proto/put.h"
#include "proto/tfprof.h"
#include "view/tree.h"

/* ---- Shapes and tensors ------------------------------------------------- */

static void put_shape(tfp_put *put, uint32_t tag, const tfp_model *model,
                      tfp_shape shape)
{
    size_t at = tfp_put_open(put, tag);
    int rank;
    const int64_t *dims = tfp_shape_dims(model, shape, &rank);
    for (int i = 0; i < rank; i++) {
        size_t dim = tfp_put_open(put, TensorShapeProto_dim);
        tfp_put_number(put, TensorShapeProto_Dim_size, dims[i]);
        tfp_put_end(put, dim);
    }
    tfp_put_number(put, TensorShapeProto_unknown_rank, rank < 0);
    tfp_put_end(put, at);
}

static uint32_t single_bits(double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof(bits));
    return bits;
}

/* 5 exponent and 10 fraction bits. The value has no more than these. */
static uint32_t half_bits(double value)
{
    uint32_t sign = signbit(value) ? 1u << 15 : 0;
    int exponent;
    double fraction;
    value = fabs(value);
    if (isnan(value))
        return sign | 0x7e00;
    if (isinf(value))
        return sign | 0x7c00;
    if (value < ldexp(1, -14))
        return sign | (uint32_t)ldexp(value, 24);
    fraction = frexp(value, &exponent);
    return sign | (uint32_t)(exponent + 14) << 10 |
           ((uint32_t)ldexp(fraction, 11) & 1023);
}

/* Where the values of a type stand. */
static uint32_t values_tag(int32_t dtype)
{
    switch (dtype) {
    case TFP_DT_FLOAT: return TensorProto_float_val;
    case TFP_DT_DOUBLE: return TensorProto_double_val;
    case TFP_DT_HALF:
    case TFP_DT_BFLOAT16: return TensorProto_half_val;
    case TFP_DT_INT64: return TensorProto_int64_val;
    case TFP_DT_BOOL: return TensorProto_bool_val;
    case TFP_DT_UINT32: return TensorProto_uint32_val;
    case TFP_DT_UINT64: return TensorProto_uint64_val;
    case TFP_DT_STRING: return TensorProto_string_val;
    default: return TensorProto_int_val;
    }
}

static void put_element(tfp_put *put, int32_t dtype, int64_t element)
{
    switch (dtype) {
    case TFP_DT_FLOAT:
        tfp_put_fixed(put, single_bits(tfp_double_of_bits(element)), 4);
        break;
    case TFP_DT_DOUBLE: tfp_put_fixed(put, (uint64_t)element, 8); break;
    case TFP_DT_HALF:
        tfp_put_varint(put, half_bits(tfp_double_of_bits(element)));
        break;
    case TFP_DT_BFLOAT16:
        tfp_put_varint(put, single_bits(tfp_double_of_bits(element)) >> 16);
        break;
    default: tfp_put_varint(put, (uint64_t)element); break;
    }
}

/* A constant; of a large one the model has only its type and shape. */
static void put_tensor(tfp_put *put, uint32_t tag, const tfp_model *model,
                       uint32_t id)
{
    const tfp_tensor *tensor = tfp_tensor_of(model, &(tfp_attr){ .value = id });
    size_t at = tfp_put_open(put, tag), count, packed;
    const int64_t *values = tfp_list_items(model, tensor->values, &count);
    uint32_t values_at = values_tag(tensor->dtype);
    tfp_put_number(put, TensorProto_dtype, tensor->dtype);
    put_shape(put, TensorProto_tensor_shape, model, tensor->shape);
    if (tensor->dtype == TFP_DT_STRING) {
        for (size_t i = 0; i < count; i++)
            tfp_put_bytes(put, values_at >> 3,
                          tfp_model_text(model, (tfp_string)values[i]));
    } else if (count > 0) {
        packed = tfp_put_open(put, values_at);
        for (size_t i = 0; i < count; i++)
            put_element(put, tensor->dtype, values[i]);
        tfp_put_end(put, packed);
    }
    tfp_put_end(put, at);
}

/* ---- Values ------------------------------------------------------------- */

/* Where a value of a kind stands: alone, and in a list. */
static const struct {
    uint32_t tag, list_tag;
} places[] = {
    [TFP_ATTR_STRING] = { AttrValue_s, AttrValue_ListValue_s },
    [TFP_ATTR_INT] = { AttrValue_i, AttrValue_ListValue_i },
    [TFP_ATTR_FLOAT] = { AttrValue_f, AttrValue_ListValue_f },
    [TFP_ATTR_BOOL] = { AttrValue_b, AttrValue_ListValue_b },
    [TFP_ATTR_TYPE] = { AttrValue_type, AttrValue_ListValue_type },
    [TFP_ATTR_SHAPE] = { AttrValue_shape, AttrValue_ListValue_shape },
    [TFP_ATTR_TENSOR] = { AttrValue_tensor, AttrValue_ListValue_tensor },
    [TFP_ATTR_FUNCTION] = { AttrValue_func, AttrValue_ListValue_func },
    [TFP_ATTR_PLACEHOLDER] = { AttrValue_placeholder, 0 },
};

static void put_function(tfp_put *put, uint32_t tag, const tfp_model *model,
                         uint32_t id)
{
    const tfp_function_ref *ref = tfp_function_of(model,
                                                  &(tfp_attr){ .value = id });
    size_t at = tfp_put_open(put, tag);
    tfp_put_text(put, NameAttrList_name, tfp_model_text(model, ref->name));
    tfp_put_end(put, at);
}

/* One value in a field of its own. */
static void put_value(tfp_put *put, uint32_t tag, const tfp_model *model,
                      uint32_t kind, int64_t value)
{
    switch (kind) {
    case TFP_ATTR_NONE: break;
    case TFP_ATTR_STRING:
    case TFP_ATTR_PLACEHOLDER:
        tfp_put_bytes(put, tag >> 3, tfp_model_text(model, (tfp_string)value));
        break;
    case TFP_ATTR_FLOAT:
        tfp_put_float(put, tag >> 3, (float)tfp_double_of_bits(value));
        break;
    case TFP_ATTR_SHAPE: put_shape(put, tag, model, (tfp_shape)value); break;
    case TFP_ATTR_TENSOR: put_tensor(put, tag, model, (uint32_t)value); break;
    case TFP_ATTR_FUNCTION:
        put_function(put, tag, model, (uint32_t)value);
        break;
    default: tfp_put_int(put, tag >> 3, value); break;
    }
}

static bool packs(uint32_t kind)
{
    return kind == TFP_ATTR_INT || kind == TFP_ATTR_TYPE ||
           kind == TFP_ATTR_BOOL || kind == TFP_ATTR_FLOAT;
}

static void put_list(tfp_put *put, const tfp_model *model, uint32_t kind,
                     const int64_t *items, size_t count)
{
    size_t list = tfp_put_open(put, AttrValue_list);
    uint32_t tag = places[kind].list_tag;
    if (packs(kind) && count > 0) {
        size_t packed = tfp_put_open(put, tag);
        for (size_t i = 0; i < count; i++) {
            if (kind == TFP_ATTR_FLOAT)
                tfp_put_fixed(put, single_bits(tfp_double_of_bits(items[i])),
                              4);
            else
                tfp_put_varint(put, (uint64_t)items[i]);
        }
        tfp_put_end(put, packed);
    } else {
        for (size_t i = 0; i < count; i++)
            put_value(put, tag, model, kind, items[i]);
    }
    tfp_put_end(put, list);
}

/* ---- A node's attributes ------------------------------------------------ */

/* The shape of a variable has a field of its own, from which the attribute is
 * made again. It cannot tell a scalar from one element, nor an unknown rank
 * from nothing. */
static bool has_field(const tfp_model *model, const tfp_attr *attr)
{
    int rank = -1;
    if (attr->kind == TFP_ATTR_SHAPE &&
        tfp_span_is(tfp_model_text(model, attr->key), "shape"))
        tfp_shape_dims(model, (tfp_shape)attr->value, &rank);
    return rank > 0;
}

static void put_attr(tfp_put *put, const tfp_model *model, const tfp_attr *attr)
{
    size_t entry = tfp_put_open(put, ProfileNode_attrs), value;
    uint32_t kind = attr->kind & ~(uint32_t)TFP_ATTR_LIST;
    tfp_put_bytes(put, TFP_MAP_KEY, tfp_model_text(model, attr->key));
    value = tfp_put_begin(put, TFP_MAP_VALUE);
    if (attr->kind & TFP_ATTR_LIST) {
        size_t count;
        const int64_t *items = tfp_list_items(model, (tfp_list)attr->value,
                                              &count);
        put_list(put, model, kind, items, count);
    } else {
        put_value(put, places[kind].tag, model, kind, attr->value);
    }
    tfp_put_end(put, value);
    tfp_put_end(put, entry);
}

typedef struct attr_names {
    const tfp_model *model;
    const tfp_attr *attrs;
} attr_names;

static tfp_span attr_name(const attr_names *names, uint32_t attr)
{
    return tfp_model_text(names->model, names->attrs[attr].key);
}

static int attr_tie(const void *context, uint32_t a, uint32_t b)
{
    return tfp_span_compare(attr_name(context, a), attr_name(context, b));
}

/* The order in the model depends on what was read before, that of the names
 * does not. */
static void put_in_order(tfp_put *put, tfp_profile_nodes *nodes,
                         const tfp_attr *attrs, size_t count)
{
    attr_names names = { nodes->census->model, attrs };
    tfp_sort_item *items = tfp_profile_order(nodes, count);
    if (!items)
        return;
    for (uint32_t i = 0; i < count; i++) {
        tfp_span name = attr_name(&names, i);
        items[i] = (tfp_sort_item){ tfp_text_key(name.data, name.size), i };
    }
    tfp_sort(items, count, items + count, attr_tie, &names);
    for (size_t i = 0; i < count; i++) {
        const tfp_attr *attr = &attrs[items[i].index];
        if (!has_field(names.model, attr))
            put_attr(put, names.model, attr);
    }
}

void tfp_profile_put_attrs(tfp_put *put, tfp_profile_nodes *nodes,
                           tfp_attrs attrs)
{
    const tfp_model *model = nodes->census->model;
    size_t count, entry, value;
    const tfp_attr *items = tfp_attrs_items(model, attrs, &count);
    put_in_order(put, nodes, items, count);
    if (nodes->notes.count == 0)
        return;
    entry = tfp_put_open(put, ProfileNode_attrs);
    tfp_put_bytes(put, TFP_MAP_KEY, tfp_span_of(TFP_INPUTS_ATTR));
    value = tfp_put_begin(put, TFP_MAP_VALUE);
    put_list(put, model, TFP_ATTR_INT, nodes->notes.data, nodes->notes.count);
    tfp_put_end(put, value);
    tfp_put_end(put, entry);
}
