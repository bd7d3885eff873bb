/*
 * ops_stores.c - what keeps tensors: TF1 tensor arrays, queues, stacks,
 * tables, optionals, iterators.
 *
 * Many hold elements of a shape that TensorFlow's import forgets. Where one
 * element has one shape, our grade keeps it.
 */
#include "base/intern.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "ops/table/common.h"

/* ---- Outputs without a story -------------------------------------------- */

/* TF1 had handles of two strings. */
static void infer_pair(tfp_site *site)
{
    int64_t two = 2;
    tfp_site_put(site, 0, &two, 1);
}

static void infer_by_shapes(tfp_site *site)
{
    size_t count;
    const int64_t *shapes = tfp_site_list(site, TFP_KEY_output_shapes, &count);
    if (count != site->output_count)
        return;
    for (size_t i = 0; i < count; i++)
        tfp_site_put_shape(
            site, i, tfp_shape_made_safe(site->shapes, (tfp_shape)shapes[i]));
}

/* As the element that is put. */
static void infer_pushed(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 1)->shape);
}

/* ---- Tensor arrays of TF1 ----------------------------------------------- */

static void infer_array(tfp_site *site)
{
    tfp_shape held = tfp_site_shape(site, TFP_KEY_element_shape);
    infer_pair(site);
    tfp_site_put_scalar(site, 1);
    if (held == TFP_SHAPE_NONE)
        held = TFP_SHAPE_UNKNOWN_RANK;
    if (held != TFP_NO_ID &&
        (tfp_site_bool(site, TFP_KEY_identical_element_shapes, false) ||
         tfp_dims_known(tfp_dims_of(site->model, held))))
        tfp_site_put_held(site, 0, held);
}

static void infer_array_gradient(tfp_site *site)
{
    infer_pair(site);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_held(site, 0, tfp_site_input_fact(site, 0)->held);
}

/* With dims in front of each element, whose sizes nobody looks at. */
static void infer_array_gradient_with_shape(tfp_site *site)
{
    tfp_dims front = tfp_site_input(site, 2);
    tfp_dims rest = tfp_dims_of(site->model,
                                tfp_site_input_fact(site, 0)->held);
    int64_t dims[TFP_MOST_RANK];
    int rank;
    infer_pair(site);
    tfp_site_put_scalar(site, 1);
    if (rest.rank < 0 || front.rank != 1 || front.at[0] < 0 ||
        front.at[0] > TFP_MOST_RANK - rest.rank)
        return;
    rank = (int)front.at[0] + rest.rank;
    for (int k = 0; k < rank; k++)
        dims[k] = k < front.at[0] ? TFP_DIM_UNKNOWN : rest.at[k - front.at[0]];
    tfp_site_put_held(site, 0,
                      tfp_model_shape(site->model, dims, (size_t)rank));
}

static void infer_array_read(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 0)->held);
}

static void infer_array_gather(tfp_site *site)
{
    tfp_shape element = tfp_site_input_fact(site, 0)->held;
    if (element == TFP_SHAPE_NONE)
        element = tfp_site_shape(site, TFP_KEY_element_shape);
    if (element == TFP_NO_ID)
        site->shapes->failed = true;
    else
        tfp_site_put_joined(site, 0, tfp_site_input(site, 1),
                            tfp_dims_of(site->model, element));
}

static void infer_array_concat(tfp_site *site)
{
    tfp_site_put_unknown_dims(site, 1, 1);
}

/* ---- Queues ------------------------------------------------------------- */

static void infer_queue(tfp_site *site)
{
    size_t count;
    const int64_t *shapes = tfp_site_list(site, TFP_KEY_shapes, &count);
    tfp_site_put_scalar(site, 0);
    if (site->grade == TFP_GRADE_FULL && count == 1)
        tfp_site_put_held(
            site, 0, tfp_shape_made_safe(site->shapes, (tfp_shape)shapes[0]));
}

static void infer_dequeue(tfp_site *site)
{
    if (site->output_count == 1)
        tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 0)->held);
}

static void put_dequeued(tfp_site *site, int64_t count)
{
    tfp_dims element = tfp_dims_of(site->model,
                                   tfp_site_input_fact(site, 0)->held);
    if (site->output_count == 1)
        tfp_site_put_joined(site, 0, (tfp_dims){ 1, &count }, element);
}

static void infer_dequeue_many(tfp_site *site)
{
    int64_t count;
    if (!tfp_site_int_value(site, 1, &count) || count < 0)
        count = TFP_DIM_UNKNOWN;
    put_dequeued(site, count);
}

static void infer_dequeue_up_to(tfp_site *site)
{
    put_dequeued(site, TFP_DIM_UNKNOWN);
}

/* ---- Tables ------------------------------------------------------------- */

static void put_table(tfp_site *site, tfp_shape value)
{
    tfp_site_put_scalar(site, 0);
    tfp_site_put_held(site, 0, value);
}

static void infer_table_of_scalars(tfp_site *site)
{
    put_table(site, tfp_model_shape(site->model, NULL, 0));
}

/* TensorFlow forgets what these hold. */
static void infer_table(tfp_site *site)
{
    if (site->grade == TFP_GRADE_FULL)
        infer_table_of_scalars(site);
    else
        tfp_site_put_scalar(site, 0);
}

static void infer_table_of_tensors(tfp_site *site)
{
    tfp_shape value = tfp_site_shape(site, TFP_KEY_value_shape);
    if (value == TFP_SHAPE_NONE)
        infer_table_of_scalars(site);
    else
        put_table(site, value);
}

/* A value for each key, which is a scalar. */
static void infer_find(tfp_site *site)
{
    tfp_site_put_joined(
        site, 0, tfp_site_input(site, 1),
        tfp_dims_of(site->model, tfp_site_input_fact(site, 0)->held));
}

const tfp_op tfp_ops_stores[] = {
    /* name, outputs, shapes */
    { "AccumulatorApplyGradient", "", tfp_infer_nothing, .formula = "#x2" },
    { "AccumulatorNumAccumulated", "num_accumulated", tfp_infer_scalar,
      .formula = "free" },
    { "AccumulatorSetGlobalStep", "", tfp_infer_nothing, .formula = "free" },
    { "AccumulatorTakeGradient", "average", tfp_infer_nothing,
      .formula = "#y0" },
    { "AnonymousHashTable", "table_handle", infer_table, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "AnonymousMutableDenseHashTable", "table_handle", infer_table_of_tensors,
      .formula = "free" },
    { "AnonymousMutableHashTable", "table_handle", infer_table_of_scalars,
      .formula = "free" },
    { "AnonymousMutableHashTableOfTensors", "table_handle",
      infer_table_of_tensors, .formula = "free" },
    { "ConditionalAccumulator", "handle", infer_pair, .formula = "free" },
    { "EmptyTensorMap", "handle", tfp_infer_scalar, .formula = "free" },
    { "FIFOQueue", "handle", infer_pair, .formula = "free" },
    { "FIFOQueueV2", "handle", infer_queue, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "HashTable", "table_handle", infer_pair, .formula = "free" },
    { "HashTableV2", "table_handle", infer_table, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "InitializeTable", "", tfp_infer_nothing, .formula = "free" },
    { "InitializeTableFromTextFile", "", tfp_infer_nothing, .formula = "free" },
    { "InitializeTableFromTextFileV2", "", tfp_infer_nothing,
      .formula = "free" },
    { "InitializeTableV2", "", tfp_infer_nothing, .formula = "free" },
    { "Iterator", "handle", tfp_infer_scalar, .formula = "free" },
    { "IteratorGetNext", "components*output_types", infer_by_shapes,
      .formula = "free" },
    { "IteratorGetNextAsOptional", "optional", tfp_infer_scalar,
      .formula = "free" },
    { "IteratorGetNextSync", "components*output_types", infer_by_shapes,
      .formula = "free" },
    { "IteratorToStringHandle", "string_handle", tfp_infer_scalar,
      .formula = "free" },
    { "IteratorV2", "handle", tfp_infer_scalar, .formula = "free" },
    { "LookupTableExport", "keys,values", tfp_infer_nothing,
      .formula = "free" },
    { "LookupTableExportV2", "keys,values", tfp_infer_nothing,
      .formula = "free" },
    { "LookupTableFind", "values", tfp_infer_nothing, .formula = "free" },
    { "LookupTableFindV2", "values", infer_find, .formula = "free" },
    { "LookupTableImport", "", tfp_infer_nothing, .formula = "free" },
    { "LookupTableImportV2", "", tfp_infer_nothing, .formula = "free" },
    { "LookupTableInsert", "", tfp_infer_nothing, .formula = "free" },
    { "LookupTableInsertV2", "", tfp_infer_nothing, .formula = "free" },
    { "LookupTableRemoveV2", "", tfp_infer_nothing, .formula = "free" },
    { "LookupTableSize", "size", tfp_infer_scalar, .formula = "free" },
    { "LookupTableSizeV2", "size", tfp_infer_scalar, .formula = "free" },
    { "MakeIterator", "", tfp_infer_nothing, .formula = "free" },
    { "MutableDenseHashTable", "table_handle", infer_pair, .formula = "free" },
    { "MutableDenseHashTableV2", "table_handle", infer_table_of_tensors,
      .formula = "free" },
    { "MutableHashTable", "table_handle", infer_pair, .formula = "free" },
    { "MutableHashTableOfTensors", "table_handle", infer_pair,
      .formula = "free" },
    { "MutableHashTableOfTensorsV2", "table_handle", infer_table_of_tensors,
      .formula = "free" },
    { "MutableHashTableV2", "table_handle", infer_table_of_scalars,
      .formula = "free" },
    { "MutexV2", "resource", tfp_infer_scalar, .formula = "free" },
    { "OneShotIterator", "handle", tfp_infer_scalar, .formula = "free" },
    { "OptionalFromValue", "optional", tfp_infer_scalar, .formula = "free" },
    { "OptionalGetValue", "components*output_types", infer_by_shapes,
      .formula = "free" },
    { "OptionalHasValue", "has_value", tfp_infer_scalar, .formula = "free" },
    { "OptionalNone", "optional", tfp_infer_scalar, .formula = "free" },
    { "PaddingFIFOQueue", "handle", infer_pair, .formula = "free" },
    { "PaddingFIFOQueueV2", "handle", tfp_infer_scalar, .formula = "free" },
    { "PriorityQueue", "handle", infer_pair, .formula = "free" },
    { "PriorityQueueV2", "handle", tfp_infer_scalar, .formula = "free" },
    { "QueueClose", "", tfp_infer_nothing, .formula = "free" },
    { "QueueCloseV2", "", tfp_infer_nothing, .formula = "free" },
    { "QueueDequeue", "components*component_types", tfp_infer_nothing,
      .formula = "free" },
    { "QueueDequeueMany", "components*component_types", tfp_infer_nothing,
      .formula = "free" },
    { "QueueDequeueManyV2", "components*component_types", infer_dequeue_many,
      .formula = "free" },
    { "QueueDequeueUpTo", "components*component_types", tfp_infer_nothing,
      .formula = "free" },
    { "QueueDequeueUpToV2", "components*component_types", infer_dequeue_up_to,
      .formula = "free" },
    { "QueueDequeueV2", "components*component_types", infer_dequeue,
      .formula = "free" },
    { "QueueEnqueue", "", tfp_infer_nothing, .formula = "free" },
    { "QueueEnqueueMany", "", tfp_infer_nothing, .formula = "free" },
    { "QueueEnqueueManyV2", "", tfp_infer_nothing, .formula = "free" },
    { "QueueEnqueueV2", "", tfp_infer_nothing, .formula = "free" },
    { "QueueIsClosed", "is_closed", tfp_infer_scalar, .formula = "free" },
    { "QueueIsClosedV2", "is_closed", tfp_infer_scalar, .formula = "free" },
    { "QueueSize", "size", tfp_infer_scalar, .formula = "free" },
    { "QueueSizeV2", "size", tfp_infer_scalar, .formula = "free" },
    { "RandomShuffleQueue", "handle", infer_pair, .formula = "free" },
    { "RandomShuffleQueueV2", "handle", infer_queue, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "ResourceAccumulatorNumAccumulated", "num_accumulated", tfp_infer_scalar,
      .formula = "free" },
    { "ResourceAccumulatorTakeGradient", "average", tfp_infer_nothing,
      .formula = "#y0" },
    { "ResourceConditionalAccumulator", "handle", infer_pair,
      .formula = "free" },
    { "Stack", "handle", infer_pair, .formula = "free" },
    { "StackClose", "", tfp_infer_nothing, .formula = "free" },
    { "StackCloseV2", "", tfp_infer_nothing, .formula = "free" },
    { "StackPop", "elem", tfp_infer_nothing, .formula = "free" },
    { "StackPopV2", "elem", tfp_infer_nothing, .formula = "free" },
    { "StackPush", "output", infer_pushed, .formula = "free" },
    { "StackPushV2", "output", infer_pushed, .formula = "free" },
    { "StackV2", "handle", infer_pair, .formula = "free" },
    { "Stage", "", tfp_infer_nothing, .formula = "free" },
    { "StageClear", "", tfp_infer_nothing, .formula = "free" },
    { "StagePeek", "values*dtypes", tfp_infer_nothing, .formula = "free" },
    { "StageSize", "size", tfp_infer_scalar, .formula = "free" },
    { "TensorArrayCloseV2", "", tfp_infer_nothing, .formula = "free" },
    { "TensorArrayCloseV3", "", tfp_infer_nothing, .formula = "free" },
    { "TensorArrayConcatV2", "value,lengths", infer_array_concat,
      .formula = "free" },
    { "TensorArrayConcatV3", "value,lengths", infer_array_concat,
      .formula = "free" },
    { "TensorArrayGatherV2", "value", tfp_infer_nothing, .formula = "free" },
    { "TensorArrayGatherV3", "value", infer_array_gather, .formula = "free" },
    { "TensorArrayGradV2", "grad_handle", tfp_infer_nothing,
      .formula = "free" },
    { "TensorArrayGradV3", "grad_handle,flow_out", infer_array_gradient,
      .formula = "free" },
    { "TensorArrayGradWithShape", "grad_handle,flow_out",
      infer_array_gradient_with_shape, .formula = "free" },
    { "TensorArrayReadV2", "value", tfp_infer_nothing, .formula = "free" },
    { "TensorArrayReadV3", "value", infer_array_read, .formula = "free" },
    { "TensorArrayScatterV2", "flow_out", tfp_infer_scalar, .formula = "free" },
    { "TensorArrayScatterV3", "flow_out", tfp_infer_scalar, .formula = "free" },
    { "TensorArraySizeV2", "size", tfp_infer_scalar, .formula = "free" },
    { "TensorArraySizeV3", "size", tfp_infer_scalar, .formula = "free" },
    { "TensorArraySplitV2", "flow_out", tfp_infer_scalar, .formula = "free" },
    { "TensorArraySplitV3", "flow_out", tfp_infer_scalar, .formula = "free" },
    { "TensorArrayV2", "handle", infer_pair, .formula = "free" },
    { "TensorArrayV3", "handle,flow", infer_array, .formula = "free" },
    { "TensorArrayWriteV2", "flow_out", tfp_infer_scalar, .formula = "free" },
    { "TensorArrayWriteV3", "flow_out", tfp_infer_scalar, .formula = "free" },
    { "TensorMapErase", "output_handle", tfp_infer_scalar, .formula = "free" },
    { "TensorMapHasKey", "has_key", tfp_infer_scalar, .formula = "free" },
    { "TensorMapInsert", "output_handle", tfp_infer_scalar, .formula = "free" },
    { "TensorMapLookup", "value", tfp_infer_nothing, .formula = "free" },
    { "TensorMapSize", "size", tfp_infer_scalar, .formula = "free" },
    { "TensorMapStackKeys", "keys", tfp_infer_nothing, .formula = "free" },
    { "Unstage", "values*dtypes", tfp_infer_nothing, .formula = "free" },
    { 0 },
};
