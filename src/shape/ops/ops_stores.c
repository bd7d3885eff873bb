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
#include "shape/ops/common.h"

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
    /* name, outputs, shapes, kind */
    { "AccumulatorApplyGradient", "", tfp_infer_nothing, 0 },
    { "AccumulatorNumAccumulated", "num_accumulated", tfp_infer_scalar, 0 },
    { "AccumulatorSetGlobalStep", "", tfp_infer_nothing, 0 },
    { "AccumulatorTakeGradient", "average", tfp_infer_nothing, 0 },
    { "AnonymousHashTable", "table_handle", infer_table, TFP_OP_BEYOND },
    { "AnonymousMutableDenseHashTable", "table_handle", infer_table_of_tensors,
      0 },
    { "AnonymousMutableHashTable", "table_handle", infer_table_of_scalars, 0 },
    { "AnonymousMutableHashTableOfTensors", "table_handle",
      infer_table_of_tensors, 0 },
    { "ConditionalAccumulator", "handle", infer_pair, 0 },
    { "EmptyTensorMap", "handle", tfp_infer_scalar, 0 },
    { "FIFOQueue", "handle", infer_pair, 0 },
    { "FIFOQueueV2", "handle", infer_queue, TFP_OP_BEYOND },
    { "HashTable", "table_handle", infer_pair, 0 },
    { "HashTableV2", "table_handle", infer_table, TFP_OP_BEYOND },
    { "InitializeTable", "", tfp_infer_nothing, 0 },
    { "InitializeTableFromTextFile", "", tfp_infer_nothing, 0 },
    { "InitializeTableFromTextFileV2", "", tfp_infer_nothing, 0 },
    { "InitializeTableV2", "", tfp_infer_nothing, 0 },
    { "Iterator", "handle", tfp_infer_scalar, 0 },
    { "IteratorGetNext", "components*output_types", infer_by_shapes, 0 },
    { "IteratorGetNextAsOptional", "optional", tfp_infer_scalar, 0 },
    { "IteratorGetNextSync", "components*output_types", infer_by_shapes, 0 },
    { "IteratorToStringHandle", "string_handle", tfp_infer_scalar, 0 },
    { "IteratorV2", "handle", tfp_infer_scalar, 0 },
    { "LookupTableExport", "keys,values", tfp_infer_nothing, 0 },
    { "LookupTableExportV2", "keys,values", tfp_infer_nothing, 0 },
    { "LookupTableFind", "values", tfp_infer_nothing, 0 },
    { "LookupTableFindV2", "values", infer_find, 0 },
    { "LookupTableImport", "", tfp_infer_nothing, 0 },
    { "LookupTableImportV2", "", tfp_infer_nothing, 0 },
    { "LookupTableInsert", "", tfp_infer_nothing, 0 },
    { "LookupTableInsertV2", "", tfp_infer_nothing, 0 },
    { "LookupTableRemoveV2", "", tfp_infer_nothing, 0 },
    { "LookupTableSize", "size", tfp_infer_scalar, 0 },
    { "LookupTableSizeV2", "size", tfp_infer_scalar, 0 },
    { "MakeIterator", "", tfp_infer_nothing, 0 },
    { "MutableDenseHashTable", "table_handle", infer_pair, 0 },
    { "MutableDenseHashTableV2", "table_handle", infer_table_of_tensors, 0 },
    { "MutableHashTable", "table_handle", infer_pair, 0 },
    { "MutableHashTableOfTensors", "table_handle", infer_pair, 0 },
    { "MutableHashTableOfTensorsV2", "table_handle", infer_table_of_tensors,
      0 },
    { "MutableHashTableV2", "table_handle", infer_table_of_scalars, 0 },
    { "MutexV2", "resource", tfp_infer_scalar, 0 },
    { "OneShotIterator", "handle", tfp_infer_scalar, 0 },
    { "OptionalFromValue", "optional", tfp_infer_scalar, 0 },
    { "OptionalGetValue", "components*output_types", infer_by_shapes, 0 },
    { "OptionalHasValue", "has_value", tfp_infer_scalar, 0 },
    { "OptionalNone", "optional", tfp_infer_scalar, 0 },
    { "PaddingFIFOQueue", "handle", infer_pair, 0 },
    { "PaddingFIFOQueueV2", "handle", tfp_infer_scalar, 0 },
    { "PriorityQueue", "handle", infer_pair, 0 },
    { "PriorityQueueV2", "handle", tfp_infer_scalar, 0 },
    { "QueueClose", "", tfp_infer_nothing, 0 },
    { "QueueCloseV2", "", tfp_infer_nothing, 0 },
    { "QueueDequeue", "components*component_types", tfp_infer_nothing, 0 },
    { "QueueDequeueMany", "components*component_types", tfp_infer_nothing, 0 },
    { "QueueDequeueManyV2", "components*component_types", infer_dequeue_many,
      0 },
    { "QueueDequeueUpTo", "components*component_types", tfp_infer_nothing, 0 },
    { "QueueDequeueUpToV2", "components*component_types", infer_dequeue_up_to,
      0 },
    { "QueueDequeueV2", "components*component_types", infer_dequeue, 0 },
    { "QueueEnqueue", "", tfp_infer_nothing, 0 },
    { "QueueEnqueueMany", "", tfp_infer_nothing, 0 },
    { "QueueEnqueueManyV2", "", tfp_infer_nothing, 0 },
    { "QueueEnqueueV2", "", tfp_infer_nothing, 0 },
    { "QueueIsClosed", "is_closed", tfp_infer_scalar, 0 },
    { "QueueIsClosedV2", "is_closed", tfp_infer_scalar, 0 },
    { "QueueSize", "size", tfp_infer_scalar, 0 },
    { "QueueSizeV2", "size", tfp_infer_scalar, 0 },
    { "RandomShuffleQueue", "handle", infer_pair, 0 },
    { "RandomShuffleQueueV2", "handle", infer_queue, TFP_OP_BEYOND },
    { "ResourceAccumulatorNumAccumulated", "num_accumulated", tfp_infer_scalar,
      0 },
    { "ResourceAccumulatorTakeGradient", "average", tfp_infer_nothing, 0 },
    { "ResourceConditionalAccumulator", "handle", infer_pair, 0 },
    { "Stack", "handle", infer_pair, 0 },
    { "StackClose", "", tfp_infer_nothing, 0 },
    { "StackCloseV2", "", tfp_infer_nothing, 0 },
    { "StackPop", "elem", tfp_infer_nothing, 0 },
    { "StackPopV2", "elem", tfp_infer_nothing, 0 },
    { "StackPush", "output", infer_pushed, 0 },
    { "StackPushV2", "output", infer_pushed, 0 },
    { "StackV2", "handle", infer_pair, 0 },
    { "Stage", "", tfp_infer_nothing, 0 },
    { "StageClear", "", tfp_infer_nothing, 0 },
    { "StagePeek", "values*dtypes", tfp_infer_nothing, 0 },
    { "StageSize", "size", tfp_infer_scalar, 0 },
    { "TensorArrayCloseV2", "", tfp_infer_nothing, 0 },
    { "TensorArrayCloseV3", "", tfp_infer_nothing, 0 },
    { "TensorArrayConcatV2", "value,lengths", infer_array_concat, 0 },
    { "TensorArrayConcatV3", "value,lengths", infer_array_concat, 0 },
    { "TensorArrayGatherV2", "value", tfp_infer_nothing, 0 },
    { "TensorArrayGatherV3", "value", infer_array_gather, 0 },
    { "TensorArrayGradV2", "grad_handle", tfp_infer_nothing, 0 },
    { "TensorArrayGradV3", "grad_handle,flow_out", infer_array_gradient, 0 },
    { "TensorArrayGradWithShape", "grad_handle,flow_out",
      infer_array_gradient_with_shape, 0 },
    { "TensorArrayReadV2", "value", tfp_infer_nothing, 0 },
    { "TensorArrayReadV3", "value", infer_array_read, 0 },
    { "TensorArrayScatterV2", "flow_out", tfp_infer_scalar, 0 },
    { "TensorArrayScatterV3", "flow_out", tfp_infer_scalar, 0 },
    { "TensorArraySizeV2", "size", tfp_infer_scalar, 0 },
    { "TensorArraySizeV3", "size", tfp_infer_scalar, 0 },
    { "TensorArraySplitV2", "flow_out", tfp_infer_scalar, 0 },
    { "TensorArraySplitV3", "flow_out", tfp_infer_scalar, 0 },
    { "TensorArrayV2", "handle", infer_pair, 0 },
    { "TensorArrayV3", "handle,flow", infer_array, 0 },
    { "TensorArrayWriteV2", "flow_out", tfp_infer_scalar, 0 },
    { "TensorArrayWriteV3", "flow_out", tfp_infer_scalar, 0 },
    { "TensorMapErase", "output_handle", tfp_infer_scalar, 0 },
    { "TensorMapHasKey", "has_key", tfp_infer_scalar, 0 },
    { "TensorMapInsert", "output_handle", tfp_infer_scalar, 0 },
    { "TensorMapLookup", "value", tfp_infer_nothing, 0 },
    { "TensorMapSize", "size", tfp_infer_scalar, 0 },
    { "TensorMapStackKeys", "keys", tfp_infer_nothing, 0 },
    { "Unstage", "values*dtypes", tfp_infer_nothing, 0 },
    { 0 },
};
