/*
 * ops_slices.c - what takes parts of tensors, and puts them there.
 */
#include "model/attrs.h"
#include "ops/fact/slices.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

/* ---- Slices ------------------------------------------------------------- */

/* What is left of a dim from `begin` on. */
static int64_t rest_of(int64_t dim, int64_t begin)
{
    if (begin == 0)
        return dim;
    return dim < 0 || begin < 0 || begin > dim ? TFP_DIM_UNKNOWN : dim - begin;
}

/* The sizes are known: -1 is up to the end. */
static void put_sized(tfp_site *site, const tfp_form *in, const tfp_form *begin,
                      const tfp_value *sizes)
{
    tfp_form out = { 0 };
    if (begin->rank >= 0 && (size_t)begin->rank != sizes->count)
        return;
    for (size_t i = 0; i < sizes->count; i++) {
        int64_t size = sizes->at[i];
        if (size == -1)
            size = rest_of(tfp_form_dim(in, (int)i),
                           tfp_form_dim(begin, (int)i));
        tfp_form_append(&out, size < 0 ? TFP_DIM_UNKNOWN : size);
    }
    tfp_site_put_form(site, 0, &out);
}

static void infer_slice(tfp_site *site)
{
    tfp_form in, begin, count, other;
    tfp_value sizes;
    tfp_form_input(site, 0, &in);
    if (!tfp_form_input_of(site, 1, 1, &count) ||
        !tfp_form_input_of(site, 2, 1, &other) ||
        !tfp_form_merge(&count, &other))
        return;
    if (count.at[0] >= 0 && count.at[0] <= TFP_MOST_RANK) {
        tfp_form_unknown(&other, (int)count.at[0]);
        if (!tfp_form_merge(&in, &other))
            return;
    }
    begin.rank = tfp_site_input_as_shape(site, 1, begin.at);
    if (tfp_site_value(site, 2, &sizes)) {
        put_sized(site, &in, &begin, &sizes);
        return;
    }
    other.rank = tfp_site_input_as_shape(site, 2, other.at);
    if (other.rank < 0)
        tfp_site_put_unknown_dims(site, 0, in.rank);
    else if (begin.rank < 0 || begin.rank == other.rank)
        tfp_site_put_form(site, 0, &other);
}

/* TensorFlow uses begin and end when it knows both of them. */
static bool read_slices(const tfp_site *site, int rank, tfp_slices *slices)
{
    tfp_value begin, end, strides;
    bool has_begin = tfp_site_value(site, 1, &begin);
    bool has_end = tfp_site_value(site, 2, &end);
    if (!tfp_site_value(site, 3, &strides))
        return false;
    if (site->grade == TFP_GRADE_TENSORFLOW)
        has_begin = has_end = has_begin && has_end;
    return tfp_slices_read(site, rank, has_begin ? &begin : NULL,
                           has_end ? &end : NULL, &strides, slices);
}

static void infer_strided_slice(tfp_site *site)
{
    tfp_form in, out = { 0 };
    tfp_slices slices;
    int64_t lengths[TFP_MOST_RANK];
    for (size_t i = 1; i <= 3; i++) {
        if (!tfp_site_has_rank(site, i, 1))
            return;
    }
    tfp_form_input(site, 0, &in);
    if (in.rank < 0 || !read_slices(site, in.rank, &slices))
        return;
    for (int i = 0; i < in.rank; i++) {
        lengths[i] = tfp_slice_length(&slices.at[i], in.at[i]);
        if (lengths[i] < TFP_DIM_UNKNOWN)
            return;
    }
    for (int i = 0; i < slices.out_rank; i++)
        tfp_form_append(&out, slices.from[i] == TFP_SLICE_NEW_AXIS
                                  ? 1
                                  : lengths[slices.from[i]]);
    tfp_site_put_form(site, 0, &out);
}

/* Output 0 is as input 0 spells out. */
static void infer_spelled_out(tfp_site *site)
{
    tfp_form out;
    out.rank = tfp_site_input_as_shape(site, 0, out.at);
    tfp_site_put_form(site, 0, &out);
}

/* ---- Gathers ------------------------------------------------------------ */

/* What a resource holds, or else the input itself. */
static void form_held(const tfp_site *site, size_t i, tfp_form *form)
{
    const tfp_fact *fact = tfp_site_input_fact(site, i);
    tfp_dims dims = tfp_dims_of(site->model, fact->held == TFP_SHAPE_NONE
                                                 ? TFP_SHAPE_UNKNOWN_RANK
                                                 : fact->held);
    form->rank = dims.rank > TFP_MOST_RANK ? -1 : dims.rank;
    if (form->rank > 0)
        memcpy(form->at, dims.at, (size_t)form->rank * sizeof(*form->at));
}

/* params[:axis] + indices[batch:] + params[axis + 1:] */
static void put_gathered(tfp_site *site, const tfp_form *params,
                         tfp_form indices, int axis, int batch)
{
    tfp_form out = *params, after = *params;
    if (params->rank < 0 || indices.rank < 0)
        return;
    out.rank = axis;
    tfp_form_drop_first(&indices, batch);
    tfp_form_drop_first(&after, axis + 1);
    tfp_form_join(&out, &indices);
    tfp_form_join(&out, &after);
    tfp_site_put_form(site, 0, &out);
}

static void infer_gather(tfp_site *site)
{
    tfp_form params, indices;
    tfp_form_input(site, 0, &params);
    tfp_form_input(site, 1, &indices);
    if (params.rank != 0)
        put_gathered(site, &params, indices, 0, 0);
}

static void infer_gather_v2(tfp_site *site)
{
    tfp_form params, indices;
    int64_t axis, batch = tfp_site_int(site, TFP_KEY_batch_dims, 0);
    bool known;
    int at;
    tfp_form_input(site, 0, &params);
    tfp_form_input(site, 1, &indices);
    if (params.rank < 1 || indices.rank < 0 || !tfp_site_has_rank(site, 2, 0) ||
        batch < -indices.rank || batch > indices.rank || batch > params.rank)
        return;
    known = tfp_site_int_value(site, 2, &axis);
    /* TensorFlow forgets this where it does not know the axis. */
    if (batch < 0 && (known || site->grade == TFP_GRADE_FULL))
        batch += indices.rank;
    if (!known) {
        tfp_site_put_unknown_dims(site, 0,
                                  params.rank + indices.rank - 1 - (int)batch);
        return;
    }
    at = tfp_axis_of(axis, params.rank);
    if (at >= batch)
        put_gathered(site, &params, indices, at, (int)batch);
}

static void infer_resource_gather(tfp_site *site)
{
    tfp_form params, indices;
    int64_t batch = tfp_site_int(site, TFP_KEY_batch_dims, 0);
    form_held(site, 0, &params);
    tfp_form_input(site, 1, &indices);
    if (batch >= 0 && batch < params.rank && batch <= indices.rank)
        put_gathered(site, &params, indices, (int)batch, (int)batch);
}

/* indices[:-1] + params[depth:], where indices[-1] is the depth */
static void put_gathered_nd(tfp_site *site, tfp_form *params, tfp_form *indices)
{
    int64_t depth = tfp_form_dim(indices, -1);
    if (indices->rank < 1 || depth < 0 || params->rank < 0 ||
        depth > params->rank)
        return;
    tfp_form_drop_last(indices, 1);
    tfp_form_drop_first(params, (int)depth);
    tfp_form_join(indices, params);
    tfp_site_put_form(site, 0, indices);
}

static void infer_gather_nd(tfp_site *site)
{
    tfp_form params, indices;
    tfp_form_input(site, 0, &params);
    tfp_form_input(site, 1, &indices);
    put_gathered_nd(site, &params, &indices);
}

static void infer_resource_gather_nd(tfp_site *site)
{
    tfp_form params, indices;
    form_held(site, 0, &params);
    tfp_form_input(site, 1, &indices);
    put_gathered_nd(site, &params, &indices);
}

/* ---- Scatters ----------------------------------------------------------- */

static void infer_scatter_nd(tfp_site *site)
{
    tfp_form out;
    if (!tfp_site_has_rank(site, 2, 1))
        return;
    out.rank = tfp_site_input_as_shape(site, 2, out.at);
    tfp_site_put_form(site, 0, &out);
}

static void infer_dynamic_partition(tfp_site *site)
{
    tfp_form data, out;
    tfp_dims partitions = tfp_site_input(site, 1);
    tfp_form_input(site, 0, &data);
    if (data.rank < 0 || partitions.rank < 0 || data.rank < partitions.rank)
        return;
    tfp_form_vector(&out, TFP_DIM_UNKNOWN);
    tfp_form_drop_first(&data, partitions.rank);
    tfp_form_join(&out, &data);
    for (size_t i = 0; i < site->output_count; i++)
        tfp_site_put_form(site, i, &out);
}

/* The greatest of the indices in inputs 0..count, or -1. */
static int64_t greatest_index(const tfp_site *site, size_t count)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        tfp_value indices;
        if (!tfp_site_ints_value(site, i, &indices))
            return -1;
        for (size_t k = 0; k < indices.count; k++)
            most = indices.at[k] > most ? indices.at[k] : most;
    }
    return most;
}

static void infer_dynamic_stitch(tfp_site *site)
{
    size_t count = site->input_count / 2;
    tfp_form out, rest, data;
    int64_t most = greatest_index(site, count);
    rest.rank = -1;
    for (size_t i = 0; i < count; i++) {
        tfp_dims indices = tfp_site_input(site, i);
        tfp_form_input(site, i + count, &data);
        if (indices.rank < 0 || data.rank < 0)
            continue;
        if (data.rank < indices.rank)
            return;
        tfp_form_drop_first(&data, indices.rank);
        if (!tfp_form_merge(&rest, &data))
            return;
    }
    tfp_form_vector(&out, most < 0 ? TFP_DIM_UNKNOWN : tfp_dim_add(most, 1));
    tfp_form_join(&out, &rest);
    tfp_site_put_form(site, 0, &out);
}

/* ---- What depends on the elements --------------------------------------- */

static void infer_where(tfp_site *site)
{
    int64_t dims[2] = { TFP_DIM_UNKNOWN, tfp_site_input(site, 0).rank };
    tfp_site_put(site, 0, dims, 2);
}

static void infer_unique(tfp_site *site)
{
    if (!tfp_site_has_rank(site, 0, 1))
        return;
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
    tfp_site_put_shape(site, 1, tfp_site_input_fact(site, 0)->shape);
    tfp_site_put_vector(site, 2, TFP_DIM_UNKNOWN);
}

/* Slices along one axis, or of a vector without an axis. */
static int64_t slices_of(const tfp_site *site, const tfp_form *in)
{
    tfp_value axis;
    if (in->rank < 0 || !tfp_site_ints_value(site, 1, &axis))
        return TFP_DIM_UNKNOWN;
    if (axis.count == 0)
        return in->rank == 1 ? in->at[0] : TFP_DIM_UNKNOWN;
    return axis.count == 1 && tfp_axis_of(axis.at[0], in->rank) >= 0
               ? in->at[tfp_axis_of(axis.at[0], in->rank)]
               : TFP_DIM_UNKNOWN;
}

static void infer_unique_v2(tfp_site *site)
{
    tfp_form in;
    tfp_form_input(site, 0, &in);
    tfp_site_put_unknown_dims(site, 0, in.rank);
    tfp_site_put_vector(site, 1, slices_of(site, &in));
    tfp_site_put_vector(site, 2, TFP_DIM_UNKNOWN);
}

static void infer_list_difference(tfp_site *site)
{
    if (!tfp_site_has_rank(site, 0, 1) || !tfp_site_has_rank(site, 1, 1))
        return;
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
}

static void infer_unravel_index(tfp_site *site)
{
    tfp_form indices, dims;
    tfp_form_input(site, 0, &indices);
    if (!tfp_form_input_of(site, 1, 1, &dims) || indices.rank < 0)
        return;
    if (indices.rank > 0)
        tfp_form_append(&dims, tfp_dims_elements(tfp_site_input(site, 0)));
    tfp_site_put_form(site, 0, &dims);
}

/* Places in the rows of a matrix, as many as there are values. */
static void infer_bound(tfp_site *site)
{
    if (tfp_site_has_rank(site, 0, 2) && tfp_site_has_rank(site, 1, 2))
        tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 1)->shape);
}

const tfp_op tfp_ops_slices[] = {
    /* name, outputs, shapes */
    { "DynamicPartition", "outputs*num_partitions", infer_dynamic_partition,
      .formula = "free" },
    { "DynamicStitch", "merged", infer_dynamic_stitch, .formula = "free" },
    { "Gather", "output", infer_gather, .formula = "free" },
    { "GatherNd", "output", infer_gather_nd, .formula = "free" },
    { "GatherV2", "output", infer_gather_v2, .formula = "free" },
    { "ListDiff", "out,idx", infer_list_difference, .formula = "free" },
    { "LowerBound", "output", infer_bound,
      .formula = "#x1 * log2_ceil(x0[-1] + 1)" },
    { "ParallelDynamicStitch", "merged", infer_dynamic_stitch,
      .formula = "free" },
    { "ResourceGather", "output", infer_resource_gather, .formula = "free" },
    { "ResourceGatherNd", "output", infer_resource_gather_nd,
      .formula = "free" },
    { "ResourceScatterAdd", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterDiv", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterMax", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterMin", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterMul", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterNdAdd", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterNdMax", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterNdMin", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterNdSub", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterNdUpdate", "", tfp_infer_nothing, .formula = "free" },
    { "ResourceScatterSub", "", tfp_infer_nothing, .formula = "#x2" },
    { "ResourceScatterUpdate", "", tfp_infer_nothing, .formula = "free" },
    { "ResourceStridedSliceAssign", "", tfp_infer_nothing, .formula = "free" },
    { "ScatterAdd", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterDiv", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterMax", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterMin", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterMul", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterNd", "output", infer_scatter_nd, .formula = "#x1" },
    { "ScatterNdAdd", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterNdMax", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterNdMin", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterNdNonAliasingAdd", "output", tfp_infer_same, .formula = "#x2" },
    { "ScatterNdSub", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterNdUpdate", "output_ref", tfp_infer_same, .formula = "free" },
    { "ScatterSub", "output_ref", tfp_infer_same, .formula = "#x2" },
    { "ScatterUpdate", "output_ref", tfp_infer_same, .formula = "free" },
    { "Slice", "output", infer_slice, .formula = "free" },
    { "StridedSlice", "output", infer_strided_slice, .formula = "free" },
    { "StridedSliceAssign", "output_ref", tfp_infer_same, .formula = "free" },
    { "StridedSliceGrad", "output", infer_spelled_out, .formula = "free" },
    { "TensorScatterAdd", "output", tfp_infer_same, .formula = "#x2" },
    { "TensorScatterMax", "output", tfp_infer_same, .formula = "#x2" },
    { "TensorScatterMin", "output", tfp_infer_same, .formula = "#x2" },
    { "TensorScatterSub", "output", tfp_infer_same,
      .formula = "#x2" }, /* Order: comparisons. */
    { "TensorScatterUpdate", "output", tfp_infer_same, .formula = "free" },
    { "TensorStridedSliceUpdate", "output", tfp_infer_same, .formula = "free" },
    { "Unique", "y,idx", infer_unique, .formula = "free" },
    { "UniqueV2", "y,idx", infer_unique_v2, .formula = "free" },
    { "UniqueWithCounts", "y,idx,count", infer_unique, .formula = "free" },
    { "UniqueWithCountsV2", "y,idx,count", infer_unique_v2, .formula = "free" },
    { "UnravelIndex", "output", infer_unravel_index, .formula = "free" },
    { "UpperBound", "output", infer_bound,
      .formula = "#x1 * log2_ceil(x0[-1] + 1)" },
    { "Where", "index", infer_where, .formula = "free" },
    { 0 },
};
