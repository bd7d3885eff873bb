/*
 * ops_array.c - shapes of shapes: what makes, reads or changes a shape alone.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"
#include "proto/dtype.h"

/* ---- Shapes as numbers -------------------------------------------------- */

static void infer_shapes(tfp_site *site)
{
    for (size_t i = 0; i < site->input_count; i++)
        tfp_site_put_vector(site, i, tfp_site_input(site, i).rank);
}

static void infer_broadcast_args(tfp_site *site)
{
    tfp_form a, b;
    if (!tfp_form_input_of(site, 0, 1, &a) ||
        !tfp_form_input_of(site, 1, 1, &b))
        return;
    if (a.at[0] < 0 || b.at[0] < 0)
        tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
    else
        tfp_site_put_vector(site, 0, a.at[0] > b.at[0] ? a.at[0] : b.at[0]);
}

static void infer_broadcast_gradient_args(tfp_site *site)
{
    if (!tfp_site_has_rank(site, 0, 1) || !tfp_site_has_rank(site, 1, 1))
        return;
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
}

/* ---- A shape put in place of another ------------------------------------ */

/* The dims that are known, multiplied. `unknown` becomes the one that is not,
 * or -1; false when more than one are. A dim of 0 settles it. */
static bool multiply(const tfp_form *form, int64_t *product, int *unknown)
{
    *product = 1;
    *unknown = -1;
    for (int i = 0; i < form->rank; i++) {
        if (form->at[i] == 0) {
            *product = 0;
            *unknown = -1;
            return true;
        }
    }
    for (int i = 0; i < form->rank; i++) {
        if (form->at[i] >= 0)
            *product = tfp_dim_mul(*product, form->at[i]);
        else if (*unknown >= 0)
            return false;
        else
            *unknown = i;
        if (*product < 0)
            return false; /* too many to be counted */
    }
    return true;
}

/* Finds the one dim of `out` that is missing. False when so many elements
 * cannot be put into that shape. */
static bool complete(const tfp_form *in, tfp_form *out)
{
    int64_t elements, known;
    int missing, unknown;
    if (in->rank < 0 || out->rank < 0 || !multiply(out, &known, &missing) ||
        !multiply(in, &elements, &unknown) || unknown >= 0)
        return true;
    if (missing < 0)
        return elements == known;
    if (known == 0)
        return true;
    out->at[missing] = elements / known;
    return elements % known == 0;
}

static bool reshape(tfp_site *site, tfp_form *out)
{
    tfp_form in;
    if (!tfp_site_has_rank(site, 1, 1))
        return false;
    tfp_form_input(site, 0, &in);
    out->rank = tfp_site_input_as_shape(site, 1, out->at);
    return complete(&in, out);
}

static void infer_reshape(tfp_site *site)
{
    tfp_form out;
    if (reshape(site, &out))
        tfp_site_put_form(site, 0, &out);
}

static void infer_quantized_reshape(tfp_site *site)
{
    infer_reshape(site);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

static void infer_broadcast_to(tfp_site *site)
{
    tfp_form in, out;
    if (!tfp_site_has_rank(site, 1, 1))
        return;
    tfp_form_input(site, 0, &in);
    out.rank = tfp_site_input_as_shape(site, 1, out.at);
    if (out.rank < 0 || in.rank > out.rank)
        return;
    for (int i = 0; i < in.rank; i++) { /* what is not 1 stays as it is */
        int at = out.rank - in.rank + i;
        if (out.at[at] < 0 && in.at[i] > 1)
            out.at[at] = in.at[i];
    }
    tfp_site_put_form(site, 0, &out);
}

static void infer_fill(tfp_site *site)
{
    tfp_form out;
    if (!tfp_site_has_rank(site, 0, 1) || !tfp_site_has_rank(site, 1, 0))
        return;
    out.rank = tfp_site_input_as_shape(site, 0, out.at);
    tfp_site_put_form(site, 0, &out);
}

static void infer_empty(tfp_site *site)
{
    tfp_form out;
    out.rank = tfp_site_input_as_shape(site, 0, out.at);
    tfp_site_put_form(site, 0, &out);
}

static void infer_ensure_shape(tfp_site *site)
{
    tfp_form in, wanted = { -1, { 0 } };
    tfp_dims dims;
    tfp_site_put_shape(site, 0, tfp_site_shape(site, TFP_KEY_shape));
    dims = tfp_site_output(site, 0);
    wanted.rank = dims.rank;
    if (dims.rank > 0)
        memcpy(wanted.at, dims.at, (size_t)dims.rank * sizeof(*wanted.at));
    tfp_form_input(site, 0, &in);
    if (tfp_form_merge(&wanted, &in))
        tfp_site_put_form(site, 0, &wanted);
}

/* ---- Dims of one --------------------------------------------------------- */

static void infer_expand_dims(tfp_site *site)
{
    tfp_form in, out;
    int64_t axis;
    tfp_form_input(site, 0, &in);
    if (in.rank < 0 || in.rank >= TFP_MOST_RANK)
        return;
    if (!tfp_site_int_value(site, 1, &axis)) {
        if (site->grade == TFP_GRADE_FULL)
            tfp_site_put_unknown_dims(site, 0, in.rank + 1);
        return;
    }
    if (axis < 0)
        axis += in.rank + 1;
    if (axis < 0 || axis > in.rank)
        return;
    out.rank = 0;
    for (int i = 0; i <= in.rank; i++) {
        if (i == axis)
            tfp_form_append(&out, 1);
        if (i < in.rank)
            tfp_form_append(&out, in.at[i]);
    }
    tfp_site_put_form(site, 0, &out);
}

/* Which dims are to go; false when one of them cannot be. */
static bool mark_squeezed(const int64_t *axes, size_t count, int rank,
                          bool *squeezed)
{
    memset(squeezed, 0, TFP_MOST_RANK * sizeof(*squeezed));
    for (size_t i = 0; i < count; i++) {
        int axis = tfp_axis_of(axes[i], rank);
        if (axis < 0)
            return false;
        squeezed[axis] = true;
    }
    return true;
}

static void infer_squeeze(tfp_site *site)
{
    tfp_form in, out = { 0 };
    bool squeezed[TFP_MOST_RANK];
    size_t count;
    const int64_t *axes = tfp_site_list(site, TFP_KEY_squeeze_dims, &count);
    tfp_form_input(site, 0, &in);
    if (in.rank < 0 || !mark_squeezed(axes, count, in.rank, squeezed))
        return;
    for (int i = 0; i < in.rank; i++) {
        if (count == 0 && in.at[i] < 0)
            return; /* it may be 1 and go, or not */
        if (squeezed[i] && in.at[i] >= 0 && in.at[i] != 1)
            return;
        if (!squeezed[i] && !(count == 0 && in.at[i] == 1))
            tfp_form_append(&out, in.at[i]);
    }
    tfp_site_put_form(site, 0, &out);
}

/* ---- Numbers in a row --------------------------------------------------- */

/* Elements of one type: as many as the double says, if it says a number. */
static int64_t length_of(double length)
{
    return length >= 0 && length < 9.2e18 ? (int64_t)length : TFP_DIM_UNKNOWN;
}

static double rounded_up(double x)
{
    double whole;
    if (!(x >= 0 && x < 9.0e15))
        return x;
    whole = (double)(int64_t)x;
    return whole < x ? whole + 1 : whole;
}

static int64_t real_range(double start, double limit, double delta,
                          int32_t dtype)
{
    double steps;
    if (!(delta != 0) || (delta > 0 ? start > limit : start < limit))
        return TFP_DIM_UNKNOWN;
    if (dtype == TFP_DT_FLOAT) {
        float distance = (float)limit - (float)start;
        float ratio = distance / (float)delta;
        steps = ratio < 0 ? -ratio : ratio;
    } else {
        steps = (limit - start) / delta;
        steps = steps < 0 ? -steps : steps;
    }
    return length_of(rounded_up(steps));
}

static int64_t integer_range(int64_t start, int64_t limit, int64_t delta)
{
    uint64_t distance, step;
    if (delta == 0 || (delta > 0 ? start > limit : start < limit))
        return TFP_DIM_UNKNOWN;
    distance = delta > 0 ? (uint64_t)limit - (uint64_t)start
                         : (uint64_t)start - (uint64_t)limit;
    step = delta > 0 ? (uint64_t)delta : 0 - (uint64_t)delta;
    distance = distance / step + (distance % step != 0);
    return distance <= INT64_MAX ? (int64_t)distance : TFP_DIM_UNKNOWN;
}

static void infer_range(tfp_site *site)
{
    int64_t length = TFP_DIM_UNKNOWN;
    tfp_value v[3];
    bool known = true;
    for (size_t i = 0; i < 3; i++) {
        if (!tfp_site_has_rank(site, i, 0))
            return;
        known &= tfp_site_value(site, i, &v[i]) && v[i].count == 1 &&
                 v[i].complete;
    }
    if (known && tfp_dtype_is_integer(v[0].dtype))
        length = integer_range(v[0].at[0], v[1].at[0], v[2].at[0]);
    else if (known &&
             (v[0].dtype == TFP_DT_FLOAT || v[0].dtype == TFP_DT_DOUBLE))
        length = real_range(tfp_double_of_bits(v[0].at[0]),
                            tfp_double_of_bits(v[1].at[0]),
                            tfp_double_of_bits(v[2].at[0]), v[0].dtype);
    tfp_site_put_vector(site, 0, length);
}

static void infer_linear_space(tfp_site *site)
{
    for (size_t i = 0; i < 3; i++) {
        if (!tfp_site_has_rank(site, i, 0))
            return;
    }
    tfp_site_put_vector(site, 0, tfp_site_dim_value(site, 2));
}

/* ---- Types -------------------------------------------------------------- */

static int size_of_type(int32_t dtype)
{
    const tfp_dtype_facts *facts = tfp_dtype_find(dtype);
    return facts ? facts->size : 0;
}

static void infer_bitcast(tfp_site *site)
{
    tfp_form form;
    int from = size_of_type(tfp_site_type(site, TFP_KEY_T));
    int to = size_of_type(tfp_site_type(site, TFP_KEY_type));
    tfp_form_input(site, 0, &form);
    if (form.rank < 0 || from == 0 || to == 0)
        return;
    if (from < to) {
        int64_t last = tfp_form_dim(&form, -1);
        if (form.rank == 0 || (last >= 0 && last != to / from))
            return;
        tfp_form_drop_last(&form, 1);
    } else if (from > to) {
        tfp_form_append(&form, from / to);
    }
    tfp_site_put_form(site, 0, &form);
}

const tfp_op tfp_ops_array[] = {
    /* name, outputs, shapes */
    { "Bitcast", "output", infer_bitcast, .formula = "free" },
    { "BroadcastArgs", "r0", infer_broadcast_args, .formula = "free" },
    { "BroadcastGradientArgs", "r0,r1", infer_broadcast_gradient_args,
      .formula = "free" },
    { "BroadcastTo", "output", infer_broadcast_to, .formula = "free" },
    { "Cast", "y", tfp_infer_same, .formula = "free" },
    { "CheckNumerics", "output", tfp_infer_same, .formula = "#x0" },
    { "CheckNumericsV2", "output", tfp_infer_same, .formula = "#x0" },
    { "Copy", "output", tfp_infer_same, .formula = "free" },
    { "CopyHost", "output", tfp_infer_same, .formula = "free" },
    { "DebugGradientIdentity", "output", tfp_infer_same, .formula = "free" },
    { "DebugIdentity", "output", tfp_infer_same, .formula = "free" },
    { "DeepCopy", "y", tfp_infer_same, .formula = "free" },
    { "Empty", "output", infer_empty, .formula = "free" },
    { "EnsureShape", "output", infer_ensure_shape, .formula = "free" },
    { "ExpandDims", "output", infer_expand_dims, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "Fill", "output", infer_fill, .formula = "free" },
    { "InplaceAdd", "y", tfp_infer_same, .formula = "#x2" },
    { "InplaceSub", "y", tfp_infer_same, .formula = "#x2" }, /* More. */
    { "InplaceUpdate", "y", tfp_infer_same, .formula = "free" },
    { "LinSpace", "output", infer_linear_space, .formula = "free" },
    { "OnesLike", "y", tfp_infer_same, .formula = "free" },
    { "PreventGradient", "output", tfp_infer_same, .formula = "free" },
    { "QuantizedReshape", "output,output_min,output_max",
      infer_quantized_reshape, .formula = "free" },
    { "Range", "output", infer_range, .formula = "free" },
    { "Rank", "output", tfp_infer_scalar, .formula = "free" },
    { "RefIdentity", "output", tfp_infer_same, .formula = "free" },
    { "Reshape", "output", infer_reshape, .formula = "free" },
    { "Shape", "output", infer_shapes, .formula = "free" },
    { "ShapeN", "output*N", infer_shapes, .formula = "free" },
    { "Size", "output", tfp_infer_scalar, .formula = "free" },
    { "Snapshot", "output", tfp_infer_same, .formula = "free" },
    { "Squeeze", "output", infer_squeeze, .formula = "free" },
    { "StopGradient", "output", tfp_infer_same, .formula = "free" },
    { "ZerosLike", "y", tfp_infer_same, .formula = "free" },
    { 0 },
};
