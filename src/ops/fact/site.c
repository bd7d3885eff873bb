/*
 * site.c - how shape functions and formulas see a node.
 */
#include "ops/fact/site.h"

#include "base/intern.h"
#include "model/model.h"

#define TFP_KEY_NAME(name) #name,
const char *const tfp_key_names[TFP_KEY_COUNT] = { TFP_KEYS(TFP_KEY_NAME) };
#undef TFP_KEY_NAME

/* ---- What it gets ------------------------------------------------------- */

static const tfp_fact nothing = {
    TFP_SHAPE_UNKNOWN_RANK, TFP_SHAPE_NONE, TFP_NO_ID, 0, 0, 0
};

const tfp_fact *tfp_site_input_fact(const tfp_site *site, size_t i)
{
    return i < site->input_count && site->inputs[i]
               ? &site->inputs[i]->of[site->grade]
               : &nothing;
}

bool tfp_site_comes_back(const tfp_site *site, size_t i)
{
    size_t count;
    const tfp_edge *edges = tfp_node_inputs(site->nodes, site->node, &count);
    for (size_t k = 0; k < count; k++) {
        const tfp_op *op;
        if (edges[k].output == TFP_CONTROL || i-- > 0)
            continue;
        if (edges[k].source == TFP_NO_NODE)
            return false;
        op = tfp_shapes_op(site->shapes, site->nodes->op[edges[k].source]);
        return op && op->kind == TFP_OP_NEXT;
    }
    return false;
}

tfp_dims tfp_site_input(const tfp_site *site, size_t i)
{
    return tfp_dims_of(site->model, tfp_site_input_fact(site, i)->shape);
}

tfp_dims tfp_site_output(const tfp_site *site, size_t i)
{
    return tfp_dims_of(site->model, i < site->output_count
                                        ? site->outputs[i].of[site->grade].shape
                                        : TFP_SHAPE_UNKNOWN_RANK);
}

bool tfp_site_value_as_shape(const tfp_site *site, size_t i, tfp_value *value)
{
    const tfp_fact *fact = tfp_site_input_fact(site, i);
    if (fact->value == TFP_NO_ID)
        return false;
    value->at = tfp_list_items(site->model, fact->value, &value->count);
    value->dtype = fact->dtype;
    value->complete = true;
    for (size_t k = 0; k < value->count; k++)
        value->complete &= value->at[k] != TFP_VALUE_UNKNOWN;
    return true;
}

bool tfp_site_value(const tfp_site *site, size_t i, tfp_value *value)
{
    return tfp_site_input_fact(site, i)->use != TFP_USE_AS_SHAPE &&
           tfp_site_value_as_shape(site, i, value);
}

bool tfp_site_ints_value(const tfp_site *site, size_t i, tfp_value *value)
{
    return tfp_site_value(site, i, value) && value->complete &&
           tfp_dtype_is_integer(value->dtype);
}

bool tfp_site_int_value(const tfp_site *site, size_t i, int64_t *number)
{
    tfp_value value;
    if (!tfp_site_ints_value(site, i, &value) || value.count != 1)
        return false;
    *number = value.at[0];
    return true;
}

const tfp_op *tfp_site_producer(const tfp_site *site, size_t i, tfp_node *node)
{
    size_t count, seen = 0;
    const tfp_edge *edges = tfp_node_inputs(site->nodes, site->node, &count);
    for (size_t e = 0; e < count; e++) {
        if (edges[e].output == TFP_CONTROL || seen++ != i)
            continue;
        *node = edges[e].source;
        return *node == TFP_NO_NODE
                   ? NULL
                   : tfp_shapes_op(site->shapes, site->nodes->op[*node]);
    }
    return NULL;
}

/* ---- How it is set ------------------------------------------------------ */

static const tfp_attr *find_attr(const tfp_site *site, tfp_key key)
{
    tfp_string name = site->shapes->keys[key];
    return name == TFP_NO_ID
               ? NULL
               : tfp_attrs_find(site->model, site->nodes->attrs[site->node],
                                name);
}

const tfp_attr *tfp_site_attr(const tfp_site *site, tfp_key key, uint32_t kind)
{
    const tfp_attr *attr = find_attr(site, key);
    return attr && attr->kind == kind ? attr : NULL;
}

int64_t tfp_site_int(const tfp_site *site, tfp_key key, int64_t otherwise)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_INT);
    return attr ? attr->value : otherwise;
}

bool tfp_site_bool(const tfp_site *site, tfp_key key, bool otherwise)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_BOOL);
    return attr ? attr->value != 0 : otherwise;
}

double tfp_site_float(const tfp_site *site, tfp_key key, double otherwise)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_FLOAT);
    return attr ? tfp_double_of_bits(attr->value) : otherwise;
}

int32_t tfp_site_type(const tfp_site *site, tfp_key key)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_TYPE);
    return attr ? (int32_t)attr->value : 0;
}

tfp_span tfp_site_string(const tfp_site *site, tfp_key key)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_STRING);
    return attr ? tfp_model_text(site->model, (tfp_string)attr->value)
                : (tfp_span){ 0 };
}

tfp_span tfp_site_equation(const tfp_site *site)
{
    /* Labels, an ellipsis and what follows: a comma or an arrow. */
    enum { MOST_OF_ONE = TFP_MOST_RANK + 5 };
    tfp_span equation = tfp_site_string(site, TFP_KEY_equation);
    return equation.size / MOST_OF_ONE > site->input_count ? (tfp_span){ 0 }
                                                           : equation;
}

const int64_t *tfp_site_list(const tfp_site *site, tfp_key key, size_t *count)
{
    const tfp_attr *attr = find_attr(site, key);
    *count = 0;
    return attr && attr->kind & TFP_ATTR_LIST
               ? tfp_list_items(site->model, (tfp_list)attr->value, count)
               : NULL;
}

tfp_shape tfp_site_shape(const tfp_site *site, tfp_key key)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_SHAPE);
    return attr ? tfp_shape_made_safe(site->shapes, (tfp_shape)attr->value)
                : TFP_SHAPE_NONE;
}

uint32_t tfp_site_function(const tfp_site *site, tfp_key key)
{
    const tfp_attr *attr = tfp_site_attr(site, key, TFP_ATTR_FUNCTION);
    return attr ? tfp_shapes_function(site->shapes,
                                      tfp_function_of(site->model, attr)->name)
                : TFP_NO_ID;
}

/* ---- What it gives ------------------------------------------------------ */

static tfp_fact *output_of(tfp_site *site, size_t i)
{
    return i < site->output_count ? &site->outputs[i].of[site->grade] : NULL;
}

void tfp_site_put_shape(tfp_site *site, size_t i, tfp_shape shape)
{
    tfp_fact *fact = output_of(site, i);
    if (shape == TFP_NO_ID)
        site->shapes->failed = true;
    else if (fact)
        fact->shape = shape == TFP_SHAPE_NONE ? TFP_SHAPE_UNKNOWN_RANK : shape;
}

void tfp_site_put(tfp_site *site, size_t i, const int64_t *dims, int rank)
{
    if (i >= site->output_count || rank < 0 || rank > TFP_MOST_RANK)
        return;
    tfp_site_put_shape(site, i,
                       tfp_model_shape(site->model, dims, (size_t)rank));
}

void tfp_site_put_unknown_dims(tfp_site *site, size_t i, int rank)
{
    int64_t dims[TFP_MOST_RANK];
    for (int k = 0; k < rank && k < TFP_MOST_RANK; k++)
        dims[k] = TFP_DIM_UNKNOWN;
    tfp_site_put(site, i, dims, rank);
}

void tfp_site_put_fact(tfp_site *site, size_t i, const tfp_fact *fact)
{
    tfp_fact *out = output_of(site, i);
    if (!out)
        return;
    *out = *fact;
    out->use = TFP_USE_ALL;
    if (fact->use == TFP_USE_AS_SHAPE) { /* it is followed no further */
        out->value = TFP_NO_ID;
        out->dtype = 0;
    }
}

void tfp_site_put_held(tfp_site *site, size_t i, tfp_shape held)
{
    tfp_fact *fact = output_of(site, i);
    if (held == TFP_NO_ID)
        site->shapes->failed = true;
    else if (fact)
        fact->held = held;
}

void tfp_site_put_length(tfp_site *site, size_t i, int64_t length)
{
    tfp_fact *fact = output_of(site, i);
    if (fact && site->grade == TFP_GRADE_FULL)
        fact->length = length >= 0 && length < INT32_MAX ? (uint32_t)length + 1
                                                         : 0;
}

void tfp_site_put_value(tfp_site *site, size_t i, const int64_t *items,
                        size_t count, int32_t dtype)
{
    tfp_fact *fact = output_of(site, i);
    tfp_list value;
    if (!fact || count > TFP_MOST_VALUES)
        return;
    value = tfp_model_list(site->model, items, count);
    site->shapes->failed |= value == TFP_NO_ID;
    fact->value = value;
    fact->dtype = value == TFP_NO_ID ? 0 : dtype;
    fact->use = TFP_USE_ALL;
}
