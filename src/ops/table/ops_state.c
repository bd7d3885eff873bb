/*
 * ops_state.c - constants, inputs, variables, files and what is printed.
 */
#include "base/intern.h"
#include "model/model.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

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

/* ---- Inputs ------------------------------------------------------------- */

/* The version of the graph that a node is in. */
static int32_t version_of(const tfp_site *site)
{
    for (size_t i = 0; i < site->model->graphs.count; i++) {
        const tfp_graph *graph = &site->model->graphs.data[i];
        if (tfp_graph_nodes(site->model, graph) == site->nodes &&
            site->node >= graph->first_node &&
            site->node - graph->first_node < graph->node_count)
            return graph->producer;
    }
    return 0;
}

/* Before version 22 the shape of a scalar was also that of anything. */
static void infer_placeholder(tfp_site *site)
{
    tfp_shape shape = tfp_site_shape(site, TFP_KEY_shape);
    if (shape != TFP_NO_ID && tfp_dims_of(site->model, shape).rank == 0 &&
        site->nodes == &site->model->nodes && version_of(site) < 22)
        return;
    tfp_site_put_shape(site, 0, shape);
}

/* ---- Variables ---------------------------------------------------------- */

static void infer_variable_handle(tfp_site *site)
{
    tfp_site_put_scalar(site, 0);
    tfp_site_put_held(site, 0, tfp_site_shape(site, TFP_KEY_shape));
}

/* The first Variable could not tell a scalar from anything. */
static void infer_variable(tfp_site *site)
{
    tfp_shape shape = tfp_site_shape(site, TFP_KEY_shape);
    if (shape == TFP_NO_ID || tfp_dims_of(site->model, shape).rank > 0)
        tfp_site_put_shape(site, 0, shape);
}

static void infer_read(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 0)->held);
}

static void infer_variable_shape(tfp_site *site)
{
    tfp_shape held = tfp_site_input_fact(site, 0)->held;
    tfp_site_put_vector(site, 0, tfp_dims_of(site->model, held).rank);
}

/* What is assigned has the variable's shape, unless it may change that. */
static void infer_assign(tfp_site *site)
{
    if (tfp_site_bool(site, TFP_KEY_validate_shape, true))
        tfp_infer_merged_two(site);
    else
        tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 1)->shape);
}

/* ---- Readers ------------------------------------------------------------ */

static void infer_record(tfp_site *site)
{
    tfp_site_put_scalar(site, 0);
    tfp_site_put_scalar(site, 1);
}

static void infer_records(tfp_site *site)
{
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
}

const tfp_op tfp_ops_state[] = {
    /* name, outputs, shapes */
    { "Assert", "", tfp_infer_nothing, .formula = "free" },
    { "Assign", "output_ref", infer_assign, .formula = "free" },
    { "AssignAdd", "output_ref", tfp_infer_merged_two, .formula = "#x0",
      .upstream = "#x0" },
    { "AssignAddVariableOp", "", tfp_infer_nothing, .formula = "#x1" },
    { "AssignSub", "output_ref", tfp_infer_merged_two, .formula = "#x0",
      .upstream = "#x0" },
    { "AssignSubVariableOp", "", tfp_infer_nothing, .formula = "#x1" },
    { "AssignVariableOp", "", tfp_infer_nothing, .formula = "free" },
    { "AudioSummary", "summary", tfp_infer_scalar, .formula = "free" },
    { "AudioSummaryV2", "summary", tfp_infer_scalar, .formula = "free" },
    { "ConsumeMutexLock", "", tfp_infer_nothing, .formula = "free" },
    { "Const", "output", infer_const, .formula = "free" },
    { "CountUpTo", "output", tfp_infer_scalar, .formula = "free" },
    { "DestroyResourceOp", "", tfp_infer_nothing, .formula = "free" },
    { "DestroyTemporaryVariable", "value", tfp_infer_same, .formula = "free" },
    { "DisableCopyOnRead", "", tfp_infer_nothing, .formula = "free" },
    { "FixedLengthRecordReaderV2", "reader_handle", tfp_infer_scalar,
      .formula = "free" },
    { "GuaranteeConst", "output", tfp_infer_same, .formula = "free" },
    { "HistogramSummary", "summary", tfp_infer_scalar, .formula = "free" },
    { "HostConst", "output", tfp_infer_nothing, .formula = "free" },
    { "IdentityReaderV2", "reader_handle", tfp_infer_scalar,
      .formula = "free" },
    { "ImageSummary", "summary", tfp_infer_scalar, .formula = "free" },
    { "ImmutableConst", "tensor", tfp_infer_by_shape, .formula = "free" },
    { "IsVariableInitialized", "is_initialized", tfp_infer_scalar,
      .formula = "free" },
    { "MergeSummary", "summary", tfp_infer_scalar, .formula = "free" },
    { "MergeV2Checkpoints", "", tfp_infer_nothing, .formula = "free" },
    { "MutexLock", "mutex_lock", tfp_infer_scalar, .formula = "free" },
    { "Placeholder", "output", infer_placeholder, .kind = TFP_OP_INPUT,
      .formula = "free" },
    { "PlaceholderV2", "output", tfp_infer_by_shape, .kind = TFP_OP_INPUT,
      .formula = "free" },
    { "PlaceholderWithDefault", "output", tfp_infer_by_shape,
      .kind = TFP_OP_INPUT, .formula = "free" },
    { "Print", "output", tfp_infer_same, .formula = "free" },
    { "PrintV2", "", tfp_infer_nothing, .formula = "free" },
    { "ReadVariableOp", "value", infer_read, .formula = "free" },
    { "ReaderReadUpToV2", "keys,values", infer_records, .formula = "free" },
    { "ReaderReadV2", "key,value", infer_record, .formula = "free" },
    { "ResourceCountUpTo", "output", tfp_infer_scalar, .formula = "free" },
    { "Restore", "tensor", tfp_infer_nothing, .formula = "free" },
    { "RestoreSlice", "tensor", tfp_infer_nothing, .formula = "free" },
    { "RestoreV2", "tensors*dtypes", tfp_infer_nothing, .formula = "free" },
    { "Save", "", tfp_infer_nothing, .formula = "free" },
    { "SaveSlices", "", tfp_infer_nothing, .formula = "free" },
    { "SaveV2", "", tfp_infer_nothing, .formula = "free" },
    { "ScalarSummary", "summary", tfp_infer_scalar, .formula = "free" },
    { "SummaryWriter", "writer", tfp_infer_scalar, .formula = "free" },
    { "TFRecordReaderV2", "reader_handle", tfp_infer_scalar,
      .formula = "free" },
    { "TemporaryVariable", "ref", tfp_infer_by_shape, .formula = "free" },
    { "TensorSummary", "summary", tfp_infer_scalar, .formula = "free" },
    { "TensorSummaryV2", "summary", tfp_infer_scalar, .formula = "free" },
    { "TextLineReaderV2", "reader_handle", tfp_infer_scalar,
      .formula = "free" },
    { "Timestamp", "ts", tfp_infer_scalar, .formula = "free" },
    { "VarHandleOp", "resource", infer_variable_handle, .formula = "free" },
    { "VarIsInitializedOp", "is_initialized", tfp_infer_scalar,
      .formula = "free" },
    { "Variable", "ref", infer_variable, .formula = "free" },
    { "VariableShape", "output", infer_variable_shape, .formula = "free" },
    { "VariableV2", "ref", tfp_infer_by_shape, .formula = "free" },
    { "WholeFileReaderV2", "reader_handle", tfp_infer_scalar,
      .formula = "free" },
    { 0 },
};
