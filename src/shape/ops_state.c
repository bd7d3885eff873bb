/*
 * ops_state.c - constants, inputs and variables.
 */
#include "shape/common.h"

static void infer_const(tfp_site *site)
{
    const tfp_attr *attr = tfp_site_attr(site, TFP_KEY_value, TFP_ATTR_TENSOR);
    const tfp_tensor *tensor = attr ? tfp_tensor_of(site->model, attr) : NULL;
    const int64_t *items;
    size_t count;
    if (!tensor)
        return;
    tfp_site_put_shape(site, 0,
                       tfp_shape_made_safe(site->shapes, tensor->shape));
    if (!tensor->has_values)
        return;
    items = tfp_list_items(site->model, tensor->values, &count);
    tfp_site_put_value(site, 0, items, count, tensor->dtype);
}

static void infer_variable_handle(tfp_site *site)
{
    tfp_site_put_scalar(site, 0);
    tfp_site_put_held(site, 0, tfp_site_shape(site, TFP_KEY_shape));
}

static void infer_read(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 0)->held);
}

const tfp_op tfp_ops_state[] = {
    /* name, outputs, shapes, kind */
    { "Const", "output", infer_const, 0 },
    { "Placeholder", "output", tfp_infer_by_shape, TFP_OP_INPUT },
    { "ReadVariableOp", "value", infer_read, 0 },
    { "VarHandleOp", "resource", infer_variable_handle, 0 },
    { "Variable", "ref", tfp_infer_by_shape, 0 },
    { "VariableV2", "ref", tfp_infer_by_shape, 0 },
    { 0 },
};
