/*
 * ops_reduce.c - sums, means, maxima over axes, segments and bins.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

/* ---- Over axes ---------------------------------------------------------- */

/* Drops the axes that are marked, or makes them 1. */
static void put_reduced(tfp_site *site, tfp_form *in,
                        const bool reduced[TFP_MOST_RANK], bool keeps)
{
    int rank = 0;
    for (int i = 0; i < in->rank; i++) {
        if (!reduced[i])
            in->at[rank++] = in->at[i];
        else if (keeps)
            in->at[rank++] = 1;
    }
    in->rank = rank;
    tfp_site_put_form(site, 0, in);
}

static void infer_reduction(tfp_site *site)
{
    bool reduced[TFP_MOST_RANK] = { false };
    bool keeps = tfp_site_bool(site, TFP_KEY_keep_dims, false);
    tfp_form in;
    tfp_value axes;
    tfp_form_input(site, 0, &in);
    if (in.rank < 0)
        return;
    if (!tfp_site_ints_value(site, 1, &axes)) {
        if (keeps)
            tfp_site_put_unknown_dims(site, 0, in.rank);
        return;
    }
    for (size_t i = 0; i < axes.count; i++) {
        int axis = tfp_axis_of(axes.at[i], in.rank);
        if (axis < 0)
            return;
        reduced[axis] = true;
    }
    put_reduced(site, &in, reduced, keeps);
}

static void infer_argument(tfp_site *site)
{
    bool reduced[TFP_MOST_RANK] = { false };
    tfp_form in;
    int64_t given;
    int axis;
    tfp_form_input(site, 0, &in);
    if (in.rank < 0 || !tfp_site_has_rank(site, 1, 0))
        return;
    if (in.rank <= 1) {
        tfp_site_put_scalar(site, 0);
        return;
    }
    if (!tfp_site_int_value(site, 1, &given)) {
        tfp_site_put_unknown_dims(site, 0, in.rank - 1);
        return;
    }
    axis = tfp_axis_of(given, in.rank);
    if (axis < 0)
        return;
    reduced[axis] = true;
    put_reduced(site, &in, reduced, false);
}

/* ---- Over segments ------------------------------------------------------ */

/* Rows of input 0, as many as are not known before it runs. */
static void put_rows(tfp_site *site, size_t i, int64_t count, tfp_form *rows)
{
    tfp_form out;
    tfp_form_drop_first(rows, 1);
    tfp_form_vector(&out, count);
    tfp_form_join(&out, rows);
    tfp_site_put_form(site, i, &out);
}

static void infer_segments(tfp_site *site)
{
    tfp_form data;
    if (tfp_form_input_from(site, 0, 1, &data) && tfp_site_has_rank(site, 1, 1))
        put_rows(site, 0, TFP_DIM_UNKNOWN, &data);
}

/* How many there are is said by a scalar after the ids. */
static void infer_counted_segments(tfp_site *site)
{
    tfp_form data;
    size_t last = site->input_count > 0 ? site->input_count - 1 : 0;
    if (tfp_form_input_from(site, 0, 1, &data) &&
        tfp_site_has_rank(site, 1, 1) && tfp_site_has_rank(site, last, 0))
        put_rows(site, 0, tfp_site_dim_value(site, last), &data);
}

/* The second output are the rows that the gradient has, one for each index. */
static void infer_segments_gradient_v2(tfp_site *site)
{
    tfp_form data;
    if (!tfp_form_input_from(site, 0, 1, &data) ||
        !tfp_site_has_rank(site, 1, 1))
        return;
    put_rows(site, 0, TFP_DIM_UNKNOWN, &data);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
}

/* The ids are as many as the leading dims of the data. */
static void infer_unsorted_segments(tfp_site *site)
{
    tfp_form data, ids, out;
    tfp_form_input(site, 0, &data);
    tfp_form_input(site, 1, &ids);
    if (ids.rank < 0 || !tfp_site_has_rank(site, 2, 0))
        return;
    if (data.rank >= 0 && data.rank < ids.rank)
        return;
    tfp_form_drop_first(&data, ids.rank);
    tfp_form_vector(&out, tfp_site_dim_value(site, 2));
    tfp_form_join(&out, &data);
    tfp_site_put_form(site, 0, &out);
}

/* ---- Into bins ---------------------------------------------------------- */

static void infer_bincount(tfp_site *site)
{
    if (tfp_site_has_rank(site, 1, 0))
        tfp_site_put_vector(site, 0, tfp_site_dim_value(site, 1));
}

static void put_bins(tfp_site *site, int rank, int64_t rows, int64_t bins)
{
    int64_t dims[] = { rows, bins };
    if (rank == 1)
        tfp_site_put_vector(site, 0, bins);
    else if (rank == 2)
        tfp_site_put(site, 0, dims, 2);
}

/* TensorFlow takes the rows and the bins together or not at all. */
static void infer_dense_bincount(tfp_site *site)
{
    int64_t bins = tfp_site_dim_value(site, 1);
    tfp_form in;
    tfp_form_input(site, 0, &in);
    put_bins(site, in.rank,
             bins < 0 && site->grade == TFP_GRADE_TENSORFLOW
                 ? TFP_DIM_UNKNOWN
                 : tfp_form_dim(&in, 0),
             bins);
}

/* TensorFlow says nothing of it. */
static void infer_ragged_bincount(tfp_site *site)
{
    tfp_form splits;
    if (site->grade == TFP_GRADE_FULL && tfp_form_input_of(site, 0, 1, &splits))
        put_bins(site, 2, splits.at[0] > 0 ? splits.at[0] - 1 : TFP_DIM_UNKNOWN,
                 tfp_site_dim_value(site, 2));
}

static void infer_sparse_bincount(tfp_site *site)
{
    int64_t dims[TFP_MOST_RANK], bins = tfp_site_dim_value(site, 3);
    tfp_value value;
    int rank = -1;
    if (tfp_site_ints_value(site, 2, &value))
        rank = tfp_value_dims(&value, dims);
    if (bins >= 0 || site->grade == TFP_GRADE_FULL)
        put_bins(site, rank, rank > 0 ? dims[0] : TFP_DIM_UNKNOWN, bins);
}

static void infer_histogram(tfp_site *site)
{
    tfp_site_put_vector(site, 0, tfp_site_dim_value(site, 2));
}

const tfp_op tfp_ops_reduce[] = {
    /* name, outputs, shapes */
    { "All", "output", infer_reduction, .formula = "free" },
    { "Any", "output", infer_reduction, .formula = "free" },
    { "ArgMax", "output", infer_argument, .formula = "max(#x0 - #y0, 0)",
      .upstream = "#x0 - #y0" },
    { "ArgMin", "output", infer_argument, .formula = "max(#x0 - #y0, 0)",
      .upstream = "#x0 - #y0" },
    { "Bincount", "bins", infer_bincount, .formula = "#x0" },
    { "DenseBincount", "output", infer_dense_bincount, .kind = TFP_OP_BEYOND,
      .formula = "#x0" },
    { "EuclideanNorm", "output", infer_reduction, .formula = "2 * #x0" },
    { "HistogramFixedWidth", "out", infer_histogram, .formula = "3 * #x0" },
    { "Max", "output", infer_reduction, .formula = "max(#x0 - #y0, 0)" },
    { "Mean", "output", infer_reduction, .formula = "#x0",
      .upstream = "y0: #x0" },
    { "Min", "output", infer_reduction, .formula = "max(#x0 - #y0, 0)" },
    { "Prod", "output", infer_reduction, .formula = "max(#x0 - #y0, 0)" },
    { "RaggedBincount", "output", infer_ragged_bincount, .kind = TFP_OP_BEYOND,
      .formula = "#x1" },
    { "ReduceJoin", "output", infer_reduction, .formula = "free" },
    { "SegmentMax", "output", infer_segments, .formula = "max(#x0 - #y0, 0)" },
    { "SegmentMaxV2", "output", infer_unsorted_segments, .formula = "#x0" },
    { "SegmentMean", "output", infer_segments, .formula = "#x0" },
    { "SegmentMin", "output", infer_segments, .formula = "max(#x0 - #y0, 0)" },
    { "SegmentMinV2", "output", infer_unsorted_segments, .formula = "#x0" },
    { "SegmentProd", "output", infer_segments, .formula = "max(#x0 - #y0, 0)" },
    { "SegmentProdV2", "output", infer_unsorted_segments, .formula = "#x0" },
    { "SegmentSum", "output", infer_segments, .formula = "max(#x0 - #y0, 0)" },
    { "SegmentSumV2", "output", infer_unsorted_segments, .formula = "#x0" },
    { "SparseBincount", "output", infer_sparse_bincount, .kind = TFP_OP_BEYOND,
      .formula = "#x1" },
    { "SparseSegmentMean", "output", infer_segments,
      .formula = "#x1 * prod(x0, 1)" },
    { "SparseSegmentMeanGrad", "output", infer_counted_segments,
      .formula = "2 * #x1 * prod(x0, 1)" },
    { "SparseSegmentMeanGradV2", "output,sorted_unique_indices",
      infer_segments_gradient_v2, .formula = "2 * #x1 * prod(x0, 1)" },
    { "SparseSegmentMeanWithNumSegments", "output", infer_counted_segments,
      .formula = "#x1 * prod(x0, 1)" },
    { "SparseSegmentSqrtN", "output", infer_segments,
      .formula = "#x1 * prod(x0, 1)" },
    { "SparseSegmentSqrtNGrad", "output", infer_counted_segments,
      .formula = "2 * #x1 * prod(x0, 1)" },
    { "SparseSegmentSqrtNGradV2", "output,sorted_unique_indices",
      infer_segments_gradient_v2, .formula = "2 * #x1 * prod(x0, 1)" },
    { "SparseSegmentSqrtNWithNumSegments", "output", infer_counted_segments,
      .formula = "#x1 * prod(x0, 1)" },
    { "SparseSegmentSum", "output", infer_segments,
      .formula = "#x1 * prod(x0, 1)" },
    { "SparseSegmentSumGrad", "output", infer_counted_segments,
      .formula = "#x1 * prod(x0, 1)" },
    { "SparseSegmentSumGradV2", "output,sorted_unique_indices",
      infer_segments_gradient_v2, .formula = "#x1 * prod(x0, 1)" },
    { "SparseSegmentSumWithNumSegments", "output", infer_counted_segments,
      .formula = "#x1 * prod(x0, 1)" },
    { "Sum", "output", infer_reduction, .formula = "max(#x0 - #y0, 0)",
      .upstream = "#x0 - #y0" },
    { "UnsortedSegmentJoin", "output", infer_unsorted_segments,
      .formula = "free" },
    { "UnsortedSegmentMax", "output", infer_unsorted_segments,
      .formula = "#x0" },
    { "UnsortedSegmentMin", "output", infer_unsorted_segments,
      .formula = "#x0" },
    { "UnsortedSegmentProd", "output", infer_unsorted_segments,
      .formula = "#x0" },
    { "UnsortedSegmentSum", "output", infer_unsorted_segments,
      .formula = "#x0" },
    { 0 },
};
