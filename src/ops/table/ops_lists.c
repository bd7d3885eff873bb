/*
 * ops_lists.c - tensor lists.
 *
 * A list is a scalar that holds elements of a shape. TensorFlow takes that
 * shape from where the list was made; often the batch is missing there. So in
 * our grade a list that nothing was put into yet is marked, and takes its
 * shape from what is put first. Our grade also knows how many elements a list
 * has that was made with a number of them: a recurrent layer stacks what its
 * loop put into such a list, and the next layer goes around as often.
 */
#include "base/intern.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "ops/table/common.h"

/* ---- Shapes of elements ------------------------------------------------- */

/* The shape that input `i` spells out. A scalar stands for an unknown one. */
static tfp_shape spelled_shape(const tfp_site *site, size_t i)
{
    int64_t dims[TFP_MOST_RANK];
    int rank = tfp_site_input_as_shape(site, i, dims);
    return rank < 0 ? TFP_SHAPE_UNKNOWN_RANK
                    : tfp_model_shape(site->model, dims, (size_t)rank);
}

/* What the list at input `i` holds, as far as that is known. */
static tfp_shape held_shape(const tfp_site *site, size_t i)
{
    tfp_shape held = tfp_site_input_fact(site, i)->held;
    return held == TFP_SHAPE_NONE ? TFP_SHAPE_UNKNOWN_RANK : held;
}

/* Both together; of two that contradict each other the first. TFP_NO_ID when
 * out of memory. */
static tfp_shape merged(const tfp_site *site, tfp_shape a, tfp_shape b)
{
    tfp_shape both = TFP_NO_ID;
    if (a == TFP_NO_ID || b == TFP_NO_ID)
        return TFP_NO_ID;
    tfp_shape_merge(site->model, a, b, &both);
    return both;
}

/* Is nothing in the list yet? */
static bool is_empty(const tfp_fact *fact)
{
    return fact->dtype == TFP_DT_VARIANT;
}

/* The shape of a slice of input `i` along its first dim. */
static tfp_shape sliced_shape(const tfp_site *site, size_t i)
{
    tfp_dims dims = tfp_site_input(site, i);
    if (dims.rank < 1)
        return TFP_SHAPE_UNKNOWN_RANK;
    return tfp_model_shape(site->model, dims.at + 1, (size_t)dims.rank - 1);
}

/* Output `i` is elements of a shape, put behind some dims. */
static void put_behind(tfp_site *site, size_t i, tfp_dims front,
                       tfp_shape element)
{
    if (element == TFP_NO_ID)
        site->shapes->failed = true;
    else
        tfp_site_put_joined(site, i, front, tfp_dims_of(site->model, element));
}

static void put_list(tfp_site *site, tfp_shape held)
{
    tfp_site_put_scalar(site, 0);
    tfp_site_put_held(site, 0, held);
}

/* How many elements the list at input 0 has, or -1. */
static int64_t length_of(const tfp_site *site)
{
    return (int64_t)tfp_site_input_fact(site, 0)->length - 1;
}

/* The number that input `i` is, or -1. */
static int64_t number_of(const tfp_site *site, size_t i)
{
    int64_t number;
    return tfp_site_int_value(site, i, &number) ? number : -1;
}

/* ---- Lists that are made ------------------------------------------------ */

static void infer_new(tfp_site *site)
{
    put_list(site, spelled_shape(site, 0));
    if (site->grade == TFP_GRADE_FULL)
        site->outputs[0].of[TFP_GRADE_FULL].dtype = TFP_DT_VARIANT;
}

static void infer_reserve(tfp_site *site)
{
    infer_new(site);
    tfp_site_put_length(site, 0, number_of(site, 1));
}

/* Of slices of input 0, of the shape that input `i` spells out. */
static void infer_from_slices(tfp_site *site, size_t i)
{
    tfp_shape held = spelled_shape(site, i);
    if (site->grade == TFP_GRADE_FULL)
        held = merged(site, sliced_shape(site, 0), held);
    put_list(site, held);
}

static void infer_from_tensor(tfp_site *site)
{
    tfp_dims tensor = tfp_site_input(site, 0);
    infer_from_slices(site, 1);
    tfp_site_put_length(site, 0, tensor.rank > 0 ? tensor.at[0] : -1);
}

static void infer_scatter(tfp_site *site)
{
    infer_from_slices(site, 2);
}

/* Pieces differ in length. */
static void infer_split(tfp_site *site)
{
    put_list(site, spelled_shape(site, 1));
}

/* ---- Lists that are changed --------------------------------------------- */

/* After an element was put: what all elements have in common. */
static tfp_shape held_after(const tfp_site *site, tfp_shape element)
{
    tfp_shape held = held_shape(site, 0), now;
    if (site->grade == TFP_GRADE_TENSORFLOW)
        return held;
    now = merged(site, held, element);
    if (now == TFP_NO_ID || is_empty(tfp_site_input_fact(site, 0)))
        return now;
    return tfp_shape_join(site->model, held, now);
}

static void infer_push(tfp_site *site)
{
    put_list(site, held_after(site, tfp_site_input_fact(site, 1)->shape));
}

static void infer_set(tfp_site *site)
{
    put_list(site, held_after(site, tfp_site_input_fact(site, 2)->shape));
    if (!tfp_site_bool(site, TFP_KEY_resize_if_index_out_of_bounds, false))
        tfp_site_put_length(site, 0, length_of(site));
}

static void infer_scatter_into(tfp_site *site)
{
    put_list(site, held_after(site, sliced_shape(site, 1)));
}

static void infer_push_batch(tfp_site *site)
{
    tfp_dims lists = tfp_site_input(site, 0), tensor = tfp_site_input(site, 1);
    int64_t dim = lists.rank == 1 ? lists.at[0] : TFP_DIM_UNKNOWN;
    if (tensor.rank > 0)
        tfp_dim_merge(dim, tensor.at[0], &dim);
    tfp_site_put(site, 0, &dim, 1);
    tfp_site_put_held(site, 0, held_shape(site, 0));
}

static void infer_resize(tfp_site *site)
{
    const tfp_fact *list = tfp_site_input_fact(site, 0);
    put_list(site, list->held);
    tfp_site_put_length(site, 0, number_of(site, 1));
    if (is_empty(list) && site->output_count > 0)
        site->outputs[0].of[site->grade].dtype = list->dtype;
}

static void infer_concat_lists(tfp_site *site)
{
    tfp_site_put_shape(site, 0,
                       merged(site, tfp_site_input_fact(site, 0)->shape,
                              tfp_site_input_fact(site, 1)->shape));
    tfp_site_put_held(site, 0,
                      merged(site, held_shape(site, 0), held_shape(site, 1)));
}

/* ---- Elements that are taken out ---------------------------------------- */

static void infer_pop(tfp_site *site)
{
    tfp_fact fact = *tfp_site_input_fact(site, 0);
    tfp_shape element = held_shape(site, 0);
    if (site->grade == TFP_GRADE_FULL)
        element = merged(site, element, spelled_shape(site, 1));
    tfp_site_put_scalar(site, 0);
    tfp_site_put_held(site, 0, fact.held);
    tfp_site_put_shape(site, 1, element);
}

static void infer_get(tfp_site *site)
{
    tfp_site_put_shape(
        site, 0, merged(site, held_shape(site, 0), spelled_shape(site, 2)));
}

static void infer_stack(tfp_site *site)
{
    int64_t count = tfp_site_int(site, TFP_KEY_num_elements, -1);
    count = count < 0 ? length_of(site) : count;
    count = count < 0 ? TFP_DIM_UNKNOWN : count;
    put_behind(site, 0, (tfp_dims){ 1, &count },
               merged(site, held_shape(site, 0), spelled_shape(site, 1)));
}

static void infer_gather(tfp_site *site)
{
    put_behind(site, 0, tfp_site_input(site, 1),
               merged(site, held_shape(site, 0), spelled_shape(site, 2)));
}

/* Elements one behind the other, so of any length together. */
static void put_concat(tfp_site *site, tfp_shape element)
{
    static const int64_t unknown = TFP_DIM_UNKNOWN;
    tfp_shape held = merged(site, element, held_shape(site, 0)), rest;
    tfp_dims dims;
    tfp_site_put_unknown_dims(site, 1, 1);
    if (held == TFP_NO_ID) {
        site->shapes->failed = true;
        return;
    }
    dims = tfp_dims_of(site->model, held);
    if (dims.rank < 0)
        return;
    rest = dims.rank == 0 ? held
                          : tfp_model_shape(site->model, dims.at + 1,
                                            (size_t)dims.rank - 1);
    put_behind(site, 0, (tfp_dims){ 1, &unknown }, rest);
}

static void infer_concat(tfp_site *site)
{
    tfp_shape element = tfp_site_shape(site, TFP_KEY_element_shape);
    put_concat(site,
               element == TFP_SHAPE_NONE ? TFP_SHAPE_UNKNOWN_RANK : element);
}

static void infer_concat_v2(tfp_site *site)
{
    put_concat(site, spelled_shape(site, 1));
}

/* At run time the result is the scalar -1 if the list was created without a
 * rank. So the rank comes from TensorFlow's grade: that our grade knows more of
 * the elements does not change the result. */
static void infer_element_shape(tfp_site *site)
{
    tfp_site theirs = *site;
    tfp_dims dims;
    int64_t rank;
    theirs.grade = TFP_GRADE_TENSORFLOW;
    dims = tfp_dims_of(site->model, tfp_site_input_fact(&theirs, 0)->held);
    rank = dims.rank;
    if (rank >= 0)
        tfp_site_put(site, 0, &rank, 1);
}

const tfp_op tfp_ops_lists[] = {
    /* name, outputs, shapes */
    { "EmptyTensorList", "handle", infer_new, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "TensorListConcat", "tensor,lengths", infer_concat, .formula = "free" },
    { "TensorListConcatLists", "output", infer_concat_lists,
      .formula = "free" },
    { "TensorListConcatV2", "tensor,lengths", infer_concat_v2,
      .formula = "free" },
    { "TensorListElementShape", "element_shape", infer_element_shape,
      .formula = "free" },
    { "TensorListFromTensor", "output_handle", infer_from_tensor,
      .kind = TFP_OP_BEYOND, .formula = "free" },
    { "TensorListGather", "values", infer_gather, .formula = "free" },
    { "TensorListGetItem", "item", infer_get, .formula = "free" },
    { "TensorListLength", "length", tfp_infer_scalar, .formula = "free" },
    { "TensorListPopBack", "output_handle,tensor", infer_pop,
      .kind = TFP_OP_BEYOND, .formula = "free" },
    { "TensorListPushBack", "output_handle", infer_push, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "TensorListPushBackBatch", "output_handles", infer_push_batch,
      .formula = "free" },
    { "TensorListReserve", "handle", infer_reserve, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "TensorListResize", "output_handle", infer_resize, .formula = "free" },
    { "TensorListScatter", "output_handle", infer_scatter,
      .kind = TFP_OP_BEYOND, .formula = "free" },
    { "TensorListScatterIntoExistingList", "output_handle", infer_scatter_into,
      .kind = TFP_OP_BEYOND, .formula = "free" },
    { "TensorListScatterV2", "output_handle", infer_scatter,
      .kind = TFP_OP_BEYOND, .formula = "free" },
    { "TensorListSetItem", "output_handle", infer_set, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "TensorListSplit", "output_handle", infer_split, .formula = "free" },
    { "TensorListStack", "tensor", infer_stack, .formula = "free" },
    { 0 },
};
