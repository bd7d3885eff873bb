/*
 * ops_ragged.c - sparse and ragged tensors, which are several plain ones.
 *
 * A sparse tensor is a matrix of indices, a vector of values and a vector that
 * is its shape; a ragged one is values and, for each ragged dim, a vector that
 * says where rows begin.
 */
#include "base/bytes.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "model/model.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

static void put_matrix(tfp_site *site, size_t i, int64_t rows, int64_t columns)
{
    int64_t dims[2] = { rows, columns };
    tfp_site_put(site, i, dims, 2);
}

/* A sparse result of unknown length, as outputs 0, 1 and 2. */
static void put_sparse(tfp_site *site, int64_t rank)
{
    put_matrix(site, 0, TFP_DIM_UNKNOWN, rank);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 2, rank);
}

static int64_t elements_of(const tfp_site *site, size_t i)
{
    return tfp_dims_elements(tfp_site_input(site, i));
}

/* ---- Sparse ------------------------------------------------------------- */

static void infer_sparse_add(tfp_site *site)
{
    tfp_form shape;
    if (tfp_form_input_of(site, 2, 1, &shape))
        put_sparse(site, shape.at[0]);
}

static void infer_sparse_add_gradient(tfp_site *site)
{
    tfp_form a, b;
    if (!tfp_form_input_of(site, 1, 2, &a) ||
        !tfp_form_input_of(site, 2, 2, &b))
        return;
    tfp_site_put_vector(site, 0, a.at[0]);
    tfp_site_put_vector(site, 1, b.at[0]);
}

static void infer_sparse_concat(tfp_site *site)
{
    size_t count = site->input_count / 3;
    tfp_form rank, indices, values, shape;
    int64_t rows = 0, columns = TFP_DIM_UNKNOWN, length;
    tfp_form_vector(&rank, TFP_DIM_UNKNOWN);
    for (size_t i = 0; i < count; i++) {
        if (!tfp_form_input_of(site, i, 2, &indices) ||
            !tfp_form_input_of(site, i + count, 1, &values) ||
            !tfp_form_input_of(site, i + 2 * count, 1, &shape) ||
            !tfp_dim_merge(indices.at[0], values.at[0], &length) ||
            !tfp_dim_merge(columns, indices.at[1], &columns) ||
            !tfp_form_merge(&rank, &shape))
            return;
        rows = tfp_dim_add(rows, length);
    }
    put_matrix(site, 0, rows, columns);
    tfp_site_put_vector(site, 1, rows);
    tfp_site_put_form(site, 2, &rank);
}

/* Counts of each value, by row if there are rows. */
static void infer_dense_counts(tfp_site *site)
{
    int rank = tfp_site_input(site, 0).rank;
    put_sparse(site, rank < 0 ? tfp_site_input(site, 1).rank : rank);
}

static void infer_ragged_counts(tfp_site *site)
{
    put_sparse(site, tfp_dim_add(tfp_site_input(site, 1).rank, 1));
}

static void infer_sparse_counts(tfp_site *site)
{
    tfp_form indices;
    tfp_form_input(site, 0, &indices);
    put_sparse(site, tfp_form_dim(&indices, 1));
}

static void infer_sparse_matrix(tfp_site *site)
{
    put_sparse(site, 2);
}

/* One number for each value that there is. */
static void infer_by_value(tfp_site *site)
{
    tfp_form indices;
    if (tfp_form_input_of(site, 0, 2, &indices))
        tfp_site_put_vector(site, 0, indices.at[0]);
}

static void infer_fill_empty_rows(tfp_site *site)
{
    tfp_form indices, values, shape, dense;
    int64_t count;
    if (!tfp_form_input_of(site, 0, 2, &indices) ||
        !tfp_form_input_of(site, 1, 1, &values) ||
        !tfp_form_input_of(site, 2, 1, &shape) ||
        !tfp_site_has_rank(site, 3, 0) ||
        !tfp_dim_merge(indices.at[0], values.at[0], &count))
        return;
    dense.rank = tfp_site_input_as_shape(site, 2, dense.at);
    put_matrix(site, 0, TFP_DIM_UNKNOWN, shape.at[0]);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 2, tfp_form_dim(&dense, 0));
    tfp_site_put_vector(site, 3, count);
}

static void infer_fill_empty_rows_gradient(tfp_site *site)
{
    tfp_form map;
    if (!tfp_form_input_of(site, 0, 1, &map) || !tfp_site_has_rank(site, 1, 1))
        return;
    tfp_site_put_form(site, 0, &map);
    tfp_site_put_scalar(site, 1);
}

static void infer_sparse_reduce(tfp_site *site)
{
    bool keeps = tfp_site_bool(site, TFP_KEY_keep_dims, false);
    bool reduced[TFP_MOST_VALUES] = { false };
    tfp_form out = { 0 };
    tfp_value shape, axes;
    if (!tfp_site_ints_value(site, 2, &shape) ||
        !tfp_site_ints_value(site, 3, &axes))
        return;
    for (size_t i = 0; i < axes.count; i++) {
        int axis = tfp_axis_of(axes.at[i], (int)shape.count);
        if (axis < 0)
            return;
        reduced[axis] = true;
    }
    for (size_t i = 0; i < shape.count; i++) {
        if (!reduced[i] || keeps)
            tfp_form_append(&out, reduced[i] ? 1 : shape.at[i]);
    }
    tfp_site_put_form(site, 0, &out);
}

static void infer_sparse_reorder(tfp_site *site)
{
    tfp_form indices, values;
    if (!tfp_form_input_of(site, 0, 2, &indices) ||
        !tfp_form_input_of(site, 1, 1, &values) ||
        !tfp_site_has_rank(site, 2, 1))
        return;
    tfp_site_put_form(site, 0, &indices);
    tfp_site_put_form(site, 1, &values);
}

static void infer_sparse_reshape(tfp_site *site)
{
    tfp_form indices, shape;
    if (!tfp_form_input_of(site, 0, 2, &indices) ||
        !tfp_site_has_rank(site, 1, 1) ||
        !tfp_form_input_of(site, 2, 1, &shape))
        return;
    put_matrix(site, 0, indices.at[0], shape.at[0]);
    tfp_site_put_form(site, 1, &shape);
}

static void infer_sparse_slice(tfp_site *site)
{
    put_matrix(site, 0, TFP_DIM_UNKNOWN, elements_of(site, 2));
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
    tfp_site_put_shape(site, 2, tfp_site_input_fact(site, 2)->shape);
}

static void infer_sparse_slice_gradient(tfp_site *site)
{
    tfp_form indices;
    if (tfp_form_input_of(site, 1, 2, &indices))
        tfp_site_put_vector(site, 0, indices.at[0]);
}

static void infer_sparse_softmax(tfp_site *site)
{
    tfp_form values;
    if (tfp_site_has_rank(site, 0, 2) &&
        tfp_form_input_of(site, 1, 1, &values) && tfp_site_has_rank(site, 2, 1))
        tfp_site_put_form(site, 0, &values);
}

static void infer_sparse_pair(tfp_site *site)
{
    put_matrix(site, 0, TFP_DIM_UNKNOWN, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
}

static void infer_sparse_split(tfp_site *site)
{
    size_t count = site->output_count / 3;
    for (size_t i = 0; i < count; i++) {
        put_matrix(site, i, TFP_DIM_UNKNOWN, elements_of(site, 3));
        tfp_site_put_vector(site, i + count, TFP_DIM_UNKNOWN);
        tfp_site_put_shape(site, i + 2 * count,
                           tfp_site_input_fact(site, 3)->shape);
    }
}

static void infer_sparse_plus_dense(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 3)->shape);
}

static void infer_sparse_to_dense(tfp_site *site)
{
    tfp_form out;
    if (!tfp_site_has_rank(site, 1, 1))
        return;
    out.rank = tfp_site_input_as_shape(site, 1, out.at);
    tfp_site_put_form(site, 0, &out);
}

static void infer_serialized(tfp_site *site)
{
    tfp_site_put_vector(site, 0, 3);
}

static void infer_serialized_many(tfp_site *site)
{
    put_matrix(site, 0, TFP_DIM_UNKNOWN, 3);
}

static void infer_deserialized(tfp_site *site)
{
    put_sparse(site, TFP_DIM_UNKNOWN);
}

/* ---- Ragged ------------------------------------------------------------- */

/* Row partitions; the number of rows, which may come first, is none. */
static int64_t ragged_rank_of(const tfp_site *site)
{
    size_t count;
    const int64_t *types = tfp_site_list(site, TFP_KEY_row_partition_types,
                                         &count);
    bool has_size = count > 0 &&
                    tfp_span_equal(
                        tfp_model_text(site->model, (tfp_string)types[0]),
                        tfp_span_of("FIRST_DIM_SIZE"));
    return (int64_t)count - has_size;
}

static void infer_ragged_to_tensor(tfp_site *site)
{
    tfp_form out, values;
    int64_t ragged = ragged_rank_of(site);
    int first;
    out.rank = tfp_site_input_as_shape(site, 0, out.at);
    tfp_form_input(site, 1, &values);
    if (ragged < 1 || ragged > TFP_MOST_RANK)
        return;
    if (out.rank < 0 && values.rank >= 0)
        tfp_form_unknown(&out, (int)ragged + values.rank);
    first = out.rank - values.rank;
    if (values.rank >= 0 && first != ragged)
        return;
    for (int i = 1; i < values.rank; i++) {
        if (!tfp_form_merge_dim(&out, first + i, values.at[i]))
            return;
    }
    tfp_site_put_form(site, 0, &out);
}

static void infer_ragged_to_sparse(tfp_site *site)
{
    int64_t splits = tfp_site_int(site, TFP_KEY_RAGGED_RANK, 0), rank, count;
    tfp_form values;
    if (splits < 1 || (uint64_t)splits >= site->input_count ||
        !tfp_form_input_from(site, (size_t)splits, 1, &values))
        return;
    rank = values.rank < 0 ? TFP_DIM_UNKNOWN : tfp_dim_add(values.rank, splits);
    count = elements_of(site, (size_t)splits);
    put_matrix(site, 0, count, rank);
    tfp_site_put_vector(site, 1, count);
    tfp_site_put_vector(site, 2, rank);
}

static void infer_ragged_to_variant(tfp_site *site)
{
    tfp_form splits;
    if (!tfp_site_bool(site, TFP_KEY_batched_input, false)) {
        tfp_site_put_scalar(site, 0);
        return;
    }
    if (!tfp_form_input_of(site, 0, 1, &splits) || splits.at[0] == 0)
        return;
    tfp_site_put_vector(site, 0,
                        splits.at[0] < 0 ? splits.at[0] : splits.at[0] - 1);
}

/* Splits of unknown length, then values. */
static void put_splits(tfp_site *site)
{
    for (size_t i = 0; i + 1 < site->output_count; i++)
        tfp_site_put_vector(site, i, TFP_DIM_UNKNOWN);
}

static void infer_ragged_gather(tfp_site *site)
{
    int64_t splits = tfp_site_int(site, TFP_KEY_PARAMS_RAGGED_RANK, -1);
    tfp_form values, out;
    if (splits < 0 || (uint64_t)splits >= site->input_count)
        return;
    put_splits(site);
    if (!tfp_form_input_from(site, (size_t)splits, 1, &values) ||
        site->output_count == 0)
        return;
    tfp_form_drop_first(&values, 1);
    tfp_form_vector(&out, TFP_DIM_UNKNOWN);
    tfp_form_join(&out, &values);
    tfp_site_put_form(site, site->output_count - 1, &out);
}

static void infer_ragged_range(tfp_site *site)
{
    int64_t length = TFP_DIM_UNKNOWN;
    bool scalars = true;
    for (size_t i = 0; i < 3; i++) {
        tfp_dims dims = tfp_site_input(site, i);
        scalars &= dims.rank == 0;
        if (dims.rank > 1 ||
            (dims.rank == 1 && !tfp_dim_merge(length, dims.at[0], &length)))
            return;
    }
    if (scalars)
        length = 1;
    tfp_site_put_vector(site, 0, tfp_dim_add(length, 1));
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
}

static size_t length_of(const tfp_site *site, tfp_key key)
{
    size_t count;
    tfp_site_list(site, key, &count);
    return count;
}

/* Every one of the crossed has as many rows. */
static void infer_ragged_cross(tfp_site *site)
{
    size_t splits = length_of(site, TFP_KEY_ragged_values_types);
    size_t dense = length_of(site, TFP_KEY_dense_types);
    int64_t rows = TFP_DIM_UNKNOWN;
    tfp_form in;
    for (size_t i = 0; i < splits && splits + i < site->input_count; i++) {
        tfp_form_input(site, splits + i, &in);
        if (!tfp_dim_merge(rows, tfp_form_dim(&in, 0), &rows))
            return;
    }
    for (size_t i = 0; i < dense && i < site->input_count; i++) {
        tfp_form_input(site, site->input_count - 1 - i, &in);
        if (!tfp_dim_merge(rows, tfp_dim_add(tfp_form_dim(&in, 0), 1), &rows))
            return;
    }
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 1, rows);
}

static void infer_variant_gradient(tfp_site *site)
{
    tfp_form out;
    out.rank = tfp_site_input_as_shape(site, 2, out.at);
    tfp_site_put_form(site, 0, &out);
}

const tfp_op tfp_ops_ragged[] = {
    /* name, outputs, shapes */
    { "DenseCountSparseOutput",
      "output_indices,output_values,output_dense_shape", infer_dense_counts,
      .formula = "#x0" },
    { "DeserializeManySparse", "sparse_indices,sparse_values,sparse_shape",
      infer_deserialized, .formula = "free" },
    { "DeserializeSparse", "sparse_indices,sparse_values,sparse_shape",
      infer_deserialized, .formula = "free" },
    { "RaggedCountSparseOutput",
      "output_indices,output_values,output_dense_shape", infer_ragged_counts,
      .formula = "#x1" },
    { "RaggedCross", "output_values,output_row_splits", infer_ragged_cross,
      .formula = "free" },
    { "RaggedGather",
      "output_nested_splits*OUTPUT_RAGGED_RANK,output_dense_values",
      infer_ragged_gather, .formula = "free" },
    { "RaggedRange", "rt_nested_splits,rt_dense_values", infer_ragged_range,
      .formula = "free" },
    { "RaggedTensorFromVariant",
      "output_nested_splits*output_ragged_rank,output_dense_values", put_splits,
      .formula = "free" },
    { "RaggedTensorToSparse", "sparse_indices,sparse_values,sparse_dense_shape",
      infer_ragged_to_sparse, .formula = "free" },
    { "RaggedTensorToTensor", "result", infer_ragged_to_tensor,
      .formula = "free" },
    { "RaggedTensorToVariant", "encoded_ragged", infer_ragged_to_variant,
      .formula = "free" },
    { "RaggedTensorToVariantGradient", "dense_values_grad",
      infer_variant_gradient, .formula = "free" },
    { "SerializeManySparse", "serialized_sparse", infer_serialized_many,
      .formula = "free" },
    { "SerializeSparse", "serialized_sparse", infer_serialized,
      .formula = "free" },
    { "SparseAdd", "sum_indices,sum_values,sum_shape", infer_sparse_add,
      .formula = NULL },
    { "SparseAddGrad", "a_val_grad,b_val_grad", infer_sparse_add_gradient,
      .formula = "free" },
    { "SparseConcat", "output_indices,output_values,output_shape",
      infer_sparse_concat, .formula = "free" },
    { "SparseCountSparseOutput",
      "output_indices,output_values,output_dense_shape", infer_sparse_counts,
      .formula = "#x1" }, /* Segments. */
    { "SparseCross", "output_indices,output_values,output_shape",
      infer_sparse_matrix, .formula = "free" },
    { "SparseCrossHashed", "output_indices,output_values,output_shape",
      infer_sparse_matrix, .formula = "free" },
    { "SparseCrossV2", "output_indices,output_values,output_shape",
      infer_sparse_matrix, .formula = "free" },
    { "SparseDenseCwiseAdd", "output", infer_by_value, .formula = "#x1" },
    { "SparseDenseCwiseDiv", "output", infer_by_value, .formula = "#x1" },
    { "SparseDenseCwiseMul", "output", infer_by_value, .formula = "#x1" },
    { "SparseFillEmptyRows",
      "output_indices,output_values,empty_row_indicator,reverse_index_map",
      infer_fill_empty_rows, .formula = "free" },
    { "SparseFillEmptyRowsGrad", "d_values,d_default_value",
      infer_fill_empty_rows_gradient, .formula = "free" },
    { "SparseReduceMax", "output", infer_sparse_reduce, .formula = "#x1" },
    { "SparseReduceMaxSparse", "output_indices,output_values,output_shape",
      tfp_infer_nothing, .formula = "#x1" },
    { "SparseReduceSum", "output", infer_sparse_reduce, .formula = "#x1" },
    { "SparseReduceSumSparse", "output_indices,output_values,output_shape",
      tfp_infer_nothing, .formula = "#x1" },
    { "SparseReorder", "output_indices,output_values", infer_sparse_reorder,
      .formula = "free" },
    { "SparseReshape", "output_indices,output_shape", infer_sparse_reshape,
      .formula = "free" },
    { "SparseSlice", "output_indices,output_values,output_shape",
      infer_sparse_slice, .formula = "free" },
    { "SparseSliceGrad", "val_grad", infer_sparse_slice_gradient,
      .formula = "free" },
    { "SparseSoftmax", "output", infer_sparse_softmax, .formula = "5 * #x1" },
    { "SparseSparseMaximum", "output_indices,output_values", infer_sparse_pair,
      .formula = NULL },
    { "SparseSparseMinimum", "output_indices,output_values", infer_sparse_pair,
      .formula = NULL },
    { "SparseSplit",
      "output_indices*num_split,output_values*num_split,output_shape*num_split",
      infer_sparse_split, .formula = "free" },
    { "SparseTensorDenseAdd", "output", infer_sparse_plus_dense,
      .formula = "#x1" }, /* Variables. */
    { "SparseToDense", "dense", infer_sparse_to_dense, .formula = "free" },
    { 0 },
};
