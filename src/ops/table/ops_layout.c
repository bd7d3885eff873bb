/*
 * ops_layout.c - what joins, splits, pads, repeats and turns tensors.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

/* ---- Joins -------------------------------------------------------------- */

/* The rank that one of the inputs has, if it is the rank of all. */
static void put_rank_of_all(tfp_site *site, size_t first, size_t end)
{
    int rank = -1;
    for (size_t i = first; i < end; i++) {
        int other = tfp_site_input(site, i).rank;
        if (rank >= 0 && other >= 0 && rank != other)
            return;
        rank = rank >= 0 ? rank : other;
    }
    if (rank > 0)
        tfp_site_put_unknown_dims(site, 0, rank);
}

/* Joins inputs first..end along the axis that input `axis_input` says. */
static void concat(tfp_site *site, size_t first, size_t end, size_t axis_input)
{
    tfp_form out, in;
    int64_t axis, length = 0;
    int at = -1;
    if (!tfp_site_has_rank(site, axis_input, 0) || first >= end)
        return;
    if (!tfp_site_int_value(site, axis_input, &axis)) {
        put_rank_of_all(site, first, end);
        return;
    }
    out.rank = -1;
    for (size_t i = first; i < end; i++) {
        tfp_form_input(site, i, &in);
        if (in.rank < 0) {
            length = TFP_DIM_UNKNOWN;
            continue;
        }
        at = tfp_axis_of(axis, in.rank);
        if (at < 0)
            return;
        length = tfp_dim_add(length, in.at[at]);
        in.at[at] = TFP_DIM_UNKNOWN;
        if (!tfp_form_merge(&out, &in))
            return;
    }
    if (out.rank >= 0)
        out.at[at] = length;
    tfp_site_put_form(site, 0, &out);
}

static void infer_concat(tfp_site *site)
{
    concat(site, 1, site->input_count, 0);
}

static void infer_concat_v2(tfp_site *site)
{
    if (site->input_count > 0)
        concat(site, 0, site->input_count - 1, site->input_count - 1);
}

static void infer_quantized_concat(tfp_site *site)
{
    if (site->input_count > 0)
        concat(site, 1, 1 + (site->input_count - 1) / 3, 0);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

static void infer_concat_offset(tfp_site *site)
{
    for (size_t i = 1; i < site->input_count; i++)
        tfp_site_put_shape(site, i - 1, tfp_site_input_fact(site, i)->shape);
}

static void infer_pack(tfp_site *site)
{
    tfp_form all, in, out = { 0 };
    int axis;
    all.rank = -1;
    for (size_t i = 0; i < site->input_count; i++) {
        tfp_form_input(site, i, &in);
        if (!tfp_form_merge(&all, &in))
            return;
    }
    axis = tfp_axis_of(tfp_site_int(site, TFP_KEY_axis, 0), all.rank + 1);
    if (all.rank < 0 || axis < 0)
        return;
    for (int i = 0; i <= all.rank; i++) {
        if (i == axis)
            tfp_form_append(&out, (int64_t)site->input_count);
        if (i < all.rank)
            tfp_form_append(&out, all.at[i]);
    }
    tfp_site_put_form(site, 0, &out);
}

static void infer_parallel_concat(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_shape(site, TFP_KEY_shape));
}

/* ---- Splits ------------------------------------------------------------- */

static void put_all(tfp_site *site, const tfp_form *form)
{
    for (size_t i = 0; i < site->output_count; i++)
        tfp_site_put_form(site, i, form);
}

static void infer_unpack(tfp_site *site)
{
    tfp_form in, out = { 0 };
    int axis;
    tfp_form_input(site, 0, &in);
    axis = tfp_axis_of(tfp_site_int(site, TFP_KEY_axis, 0), in.rank);
    if (in.rank < 0 || axis < 0 ||
        (in.at[axis] >= 0 && (uint64_t)in.at[axis] != site->output_count))
        return;
    for (int i = 0; i < in.rank; i++) {
        if (i != axis)
            tfp_form_append(&out, in.at[i]);
    }
    put_all(site, &out);
}

static void infer_split(tfp_site *site)
{
    int64_t parts = (int64_t)site->output_count, axis;
    tfp_form form;
    int at;
    tfp_form_input(site, 1, &form);
    if (form.rank < 0 || parts == 0)
        return;
    if (!tfp_site_int_value(site, 0, &axis)) {
        tfp_form_unknown(&form, form.rank);
        put_all(site, &form);
        return;
    }
    at = tfp_axis_of(axis, form.rank);
    if (at < 0 || (form.at[at] >= 0 && form.at[at] % parts != 0))
        return;
    if (form.at[at] >= 0)
        form.at[at] /= parts;
    put_all(site, &form);
}

/* What the part that says -1 gets; unknown when another part is. */
static int64_t rest_of(int64_t dim, const tfp_value *sizes)
{
    for (size_t i = 0; i < sizes->count && dim >= 0; i++) {
        int64_t size = sizes->at[i];
        if (size != -1)
            dim = size >= 0 && size <= dim ? dim - size : TFP_DIM_UNKNOWN;
    }
    return dim;
}

static void put_parts(tfp_site *site, const tfp_form *form, int at,
                      const tfp_value *sizes)
{
    int64_t rest = rest_of(form->at[at], sizes);
    tfp_form part = *form;
    for (size_t i = 0; i < site->output_count; i++) {
        int64_t size = sizes->at[i];
        part.at[at] = size >= 0 ? size : size == -1 ? rest : TFP_DIM_UNKNOWN;
        tfp_site_put_form(site, i, &part);
    }
}

static void infer_split_v(tfp_site *site)
{
    int64_t axis;
    tfp_value sizes;
    tfp_form form;
    bool is_sized;
    int at;
    tfp_form_input(site, 0, &form);
    if (form.rank <= 0)
        return;
    is_sized = tfp_site_value(site, 1, &sizes);
    if (!tfp_site_int_value(site, 2, &axis)) {
        /* To TensorFlow an axis that it does not know is -1. */
        axis = -1;
        if (!is_sized || site->grade == TFP_GRADE_FULL) {
            tfp_form_unknown(&form, form.rank);
            put_all(site, &form);
            return;
        }
    }
    at = tfp_axis_of(axis, form.rank);
    if (at < 0)
        return;
    if (!is_sized) {
        form.at[at] = TFP_DIM_UNKNOWN;
        put_all(site, &form);
    } else if (sizes.count == site->output_count) {
        put_parts(site, &form, at, &sizes);
    }
}

/* ---- Margins ------------------------------------------------------------ */

/* The number of dims that a matrix [n, 2] of margins speaks of, which is the
 * rank of input 0. -1 when nobody says, -2 when it cannot be. */
static int rank_by_margins(const tfp_site *site, tfp_form *in)
{
    tfp_form margins;
    tfp_form_input(site, 0, in);
    if (!tfp_form_input_of(site, 1, 2, &margins) ||
        (margins.at[1] >= 0 && margins.at[1] != 2))
        return -2;
    if (margins.at[0] < 0)
        return in->rank;
    if (margins.at[0] > TFP_MOST_RANK)
        return -2;
    if (in->rank < 0)
        tfp_form_unknown(in, (int)margins.at[0]);
    return in->rank == margins.at[0] ? in->rank : -2;
}

/* A margin of -1 and the like is not known. */
static int64_t margin_of(const tfp_value *margins, int dim)
{
    return tfp_dim_add(margins->at[2 * dim], margins->at[2 * dim + 1]);
}

static void pad(tfp_site *site, bool takes_away)
{
    tfp_form in;
    tfp_value margins;
    int rank = rank_by_margins(site, &in);
    bool known = tfp_site_value(site, 1, &margins);
    if (rank == -1 && known && margins.count % 2 == 0) {
        rank = (int)margins.count / 2;
        tfp_form_unknown(&in, rank);
    }
    if (rank < 0)
        return;
    if (!known) {
        tfp_site_put_unknown_dims(site, 0, rank);
        return;
    }
    if (margins.count != 2 * (size_t)rank)
        return;
    for (int i = 0; i < rank; i++) {
        int64_t margin = margin_of(&margins, i);
        if (!takes_away)
            in.at[i] = tfp_dim_add(in.at[i], margin);
        else if (margin > 0 || margin < 0)
            in.at[i] = margin > 0 && in.at[i] >= margin ? in.at[i] - margin
                                                        : TFP_DIM_UNKNOWN;
    }
    tfp_site_put_form(site, 0, &in);
}

static void infer_pad(tfp_site *site)
{
    pad(site, false);
}

static void infer_mirror_pad_gradient(tfp_site *site)
{
    tfp_dims margins = tfp_site_input(site, 1);
    if (margins.rank == 2 && margins.at[0] >= 0)
        pad(site, true);
}

/* ---- Repeats and turns -------------------------------------------------- */

static void infer_tile(tfp_site *site)
{
    tfp_form in, times;
    tfp_form_input(site, 0, &in);
    times.rank = tfp_site_input_as_shape(site, 1, times.at);
    if (times.rank < 0 && in.rank >= 0)
        tfp_form_unknown(&times, in.rank);
    if (in.rank < 0 && times.rank >= 0)
        tfp_form_unknown(&in, times.rank);
    if (in.rank < 0 || in.rank != times.rank)
        return;
    for (int i = 0; i < in.rank; i++)
        in.at[i] = tfp_dim_mul(in.at[i], times.at[i]);
    tfp_site_put_form(site, 0, &in);
}

static void infer_transpose(tfp_site *site)
{
    tfp_form in, out, order;
    tfp_value permutation;
    bool known = tfp_site_value(site, 1, &permutation);
    tfp_form_input(site, 0, &in);
    tfp_form_input(site, 1, &order);
    if (in.rank < 0) {
        int64_t rank = order.rank == 1 ? order.at[0] : -1;
        if (known)
            rank = (int64_t)permutation.count;
        if (rank < 2 || rank > TFP_MOST_RANK)
            return; /* of one element it may be a scalar's */
        tfp_form_unknown(&in, (int)rank);
    }
    tfp_form_unknown(&out, in.rank);
    for (int i = 0; known && i < in.rank; i++) {
        int from = tfp_axis_of(permutation.at[i], in.rank);
        if (permutation.count != (size_t)in.rank)
            return;
        if (from < 0 && permutation.at[i] != TFP_VALUE_UNKNOWN)
            return;
        out.at[i] = from < 0 ? TFP_DIM_UNKNOWN : in.at[from];
    }
    tfp_site_put_form(site, 0, &out);
}

static void infer_reverse(tfp_site *site)
{
    tfp_form in, which;
    tfp_form_input(site, 0, &in);
    if (!tfp_form_input_of(site, 1, 1, &which))
        return;
    if (in.rank < 0 && which.at[0] >= 0 && which.at[0] <= TFP_MOST_RANK)
        tfp_form_unknown(&in, (int)which.at[0]);
    tfp_site_put_form(site, 0, &in);
}

static void infer_reverse_v2(tfp_site *site)
{
    if (tfp_site_has_rank(site, 1, 1))
        tfp_infer_same(site);
}

static void infer_reverse_sequence(tfp_site *site)
{
    tfp_form in, lengths;
    int64_t axis = tfp_site_int(site, TFP_KEY_batch_dim, 0);
    if (!tfp_form_input_of(site, 1, 1, &lengths))
        return;
    tfp_form_input(site, 0, &in);
    if (in.rank < 0 || axis >= in.rank || axis < 0)
        return;
    if (tfp_form_merge_dim(&in, (int)axis, lengths.at[0]))
        tfp_site_put_form(site, 0, &in);
}

static void infer_invert_permutation(tfp_site *site)
{
    tfp_form in;
    if (tfp_form_input_of(site, 0, 1, &in))
        tfp_site_put_form(site, 0, &in);
}

static void infer_one_hot(tfp_site *site)
{
    tfp_form in, out = { 0 };
    int64_t axis = tfp_site_int(site, TFP_KEY_axis, -1);
    int64_t depth = tfp_site_dim_value(site, 1);
    tfp_form_input(site, 0, &in);
    if (in.rank < 0 || axis < -1 || axis > in.rank)
        return;
    if (axis < 0)
        axis = in.rank;
    for (int i = 0; i <= in.rank; i++) {
        if (i == axis)
            tfp_form_append(&out, depth);
        if (i < in.rank)
            tfp_form_append(&out, in.at[i]);
    }
    tfp_site_put_form(site, 0, &out);
}

const tfp_op tfp_ops_layout[] = {
    /* name, outputs, shapes */
    { "Concat", "output", infer_concat, .formula = "free" },
    { "ConcatOffset", "offset*N", infer_concat_offset, .formula = "free" },
    { "ConcatV2", "output", infer_concat_v2, .formula = "free" },
    { "ConjugateTranspose", "y", infer_transpose, .formula = "free" },
    { "InvertPermutation", "y", infer_invert_permutation, .formula = "free" },
    { "MirrorPad", "output", infer_pad, .formula = "free" },
    { "MirrorPadGrad", "output", infer_mirror_pad_gradient,
      .formula = "max(#x0 - #y0, 0)" },
    { "OneHot", "output", infer_one_hot, .formula = "free" },
    { "Pack", "output", infer_pack, .formula = "free" },
    { "Pad", "output", infer_pad, .formula = "free" },
    { "PadV2", "output", infer_pad, .formula = "free" },
    { "ParallelConcat", "output", infer_parallel_concat, .formula = "free" },
    { "QuantizedConcat", "output,output_min,output_max", infer_quantized_concat,
      .formula = "free" },
    { "Reverse", "output", infer_reverse, .formula = "free" },
    { "ReverseSequence", "output", infer_reverse_sequence, .formula = "free" },
    { "ReverseV2", "output", infer_reverse_v2, .formula = "free" },
    { "Roll", "output", tfp_infer_same, .formula = "free" },
    { "Split", "output*num_split", infer_split, .formula = "free" },
    { "SplitV", "output*num_split", infer_split_v, .formula = "free" },
    { "Tile", "output", infer_tile, .formula = "free" },
    { "Transpose", "y", infer_transpose, .formula = "free" },
    { "Unpack", "output*num", infer_unpack, .formula = "free" },
    { 0 },
};
