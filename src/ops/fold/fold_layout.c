/*
 * fold_layout.c - elements that are moved, repeated or counted up.
 */
#include "base/bytes.h"
#include "model/attrs.h"
#include "ops/fold/fold.h"
#include "proto/dtype.h"

/* TensorFlow evaluates a node when it can evaluate all of its inputs. */
static bool reads_from(const tfp_site *site, size_t first)
{
    tfp_operand operand;
    for (size_t i = first; i < site->input_count; i++) {
        if (site->grade == TFP_GRADE_TENSORFLOW &&
            !tfp_operand_read(site, i, &operand))
            return false;
    }
    return true;
}

/* The elements of input 0 in another shape, or as another tensor. */
static void fold_same(tfp_site *site)
{
    tfp_operand in;
    if (tfp_operand_read(site, 0, &in) && reads_from(site, 1))
        tfp_fold_put(site, 0, in.at, in.count, in.dtype);
}

/* ---- Made up ------------------------------------------------------------ */

/* As many elements as output 0 has; -1 when that is not known, or many. */
static int64_t count_of_output(const tfp_site *site)
{
    int64_t count = tfp_dims_elements(tfp_site_output(site, 0));
    return count <= TFP_MOST_VALUES ? count : -1;
}

static void put_filled(tfp_site *site, int64_t item, int32_t dtype,
                       int64_t count)
{
    int64_t items[TFP_MOST_VALUES];
    for (int64_t i = 0; i < count; i++)
        items[i] = item;
    if (count >= 0)
        tfp_fold_put(site, 0, items, (size_t)count, dtype);
}

static void fold_fill(tfp_site *site)
{
    tfp_operand value;
    if (tfp_operand_read(site, 1, &value) && value.count == 1 &&
        reads_from(site, 0))
        put_filled(site, value.at[0], value.dtype, count_of_output(site));
}

/* The number one of a type; unknown of types we do not compute with. */
static int64_t one_of(int32_t dtype)
{
    if (dtype == TFP_DT_FLOAT || dtype == TFP_DT_DOUBLE)
        return tfp_double_bits(1);
    return dtype == TFP_DT_BOOL ? 1 : tfp_fold_wrap(1, dtype);
}

/* As many as input 0 has, of which one may know the number alone. */
static void fill_like(tfp_site *site, int64_t item)
{
    tfp_operand in;
    bool known = tfp_operand_read(site, 0, &in);
    if (known || site->grade == TFP_GRADE_FULL)
        put_filled(site, item, tfp_site_type(site, TFP_KEY_T),
                   known ? (int64_t)in.count : count_of_output(site));
}

static void fold_zeros_like(tfp_site *site)
{
    if (one_of(tfp_site_type(site, TFP_KEY_T)) != TFP_VALUE_UNKNOWN)
        fill_like(site, 0);
}

static void fold_ones_like(tfp_site *site)
{
    fill_like(site, one_of(tfp_site_type(site, TFP_KEY_T)));
}

/* The next number of a row, each made of the last. */
static int64_t step_on(int64_t item, int64_t delta, int32_t dtype)
{
    double sum = tfp_double_of_bits(item) + tfp_double_of_bits(delta);
    if (dtype == TFP_DT_FLOAT)
        return tfp_double_bits((float)sum);
    if (dtype == TFP_DT_DOUBLE)
        return tfp_double_bits(sum);
    return tfp_fold_wrap((int64_t)((uint64_t)item + (uint64_t)delta), dtype);
}

static void fold_range(tfp_site *site)
{
    tfp_operand start, delta;
    int64_t items[TFP_MOST_VALUES], count = count_of_output(site);
    if (count < 0 || !reads_from(site, 0) ||
        !tfp_operand_read(site, 0, &start) ||
        !tfp_operand_read(site, 2, &delta) || start.count != 1 ||
        delta.count != 1 || start.dtype != delta.dtype ||
        start.at[0] == TFP_VALUE_UNKNOWN || delta.at[0] == TFP_VALUE_UNKNOWN)
        return;
    for (int64_t i = 0; i < count; i++)
        items[i] = i == 0 ? start.at[0]
                          : step_on(items[i - 1], delta.at[0], start.dtype);
    tfp_fold_put(site, 0, items, (size_t)count, start.dtype);
}

/* ---- Parts -------------------------------------------------------------- */

static bool read_ints(const tfp_site *site, size_t i, size_t count,
                      tfp_operand *operand)
{
    if (!tfp_operand_read(site, i, operand) || operand->count != count ||
        !tfp_dtype_is_integer(operand->dtype))
        return false;
    for (size_t k = 0; k < count; k++) {
        if (operand->at[k] == TFP_VALUE_UNKNOWN)
            return false;
    }
    return true;
}

static void fold_slice(tfp_site *site)
{
    tfp_operand in, begin, size;
    int64_t strides[TFP_FOLD_RANK], first = 0;
    tfp_fold_axis axes[TFP_FOLD_RANK];
    if (!tfp_operand_read(site, 0, &in) ||
        !read_ints(site, 1, (size_t)in.rank, &begin) ||
        !read_ints(site, 2, (size_t)in.rank, &size))
        return;
    tfp_operand_strides(&in, strides);
    for (int i = 0; i < in.rank; i++) {
        int64_t from = begin.at[i], length = size.at[i];
        if (from < 0 || from > in.dims[i])
            return;
        length = length == -1 ? in.dims[i] - from : length;
        if (length < 0 || length > in.dims[i] - from)
            return;
        first += from * strides[i];
        axes[i] = (tfp_fold_axis){ length, strides[i] };
    }
    tfp_fold_put_axes(site, 0, &in, first, axes, in.rank);
}

/* The part of each output along an axis: an equal one, or as `sizes` say. */
static void split(tfp_site *site, const tfp_operand *in, int axis,
                  const tfp_operand *sizes)
{
    int64_t strides[TFP_FOLD_RANK], from = 0;
    tfp_fold_axis axes[TFP_FOLD_RANK];
    tfp_operand_strides(in, strides);
    for (int i = 0; i < in->rank; i++)
        axes[i] = (tfp_fold_axis){ in->dims[i], strides[i] };
    for (size_t k = 0; k < site->output_count; k++) {
        int64_t length = sizes ? sizes->at[k]
                               : in->dims[axis] / (int64_t)site->output_count;
        if (length < 0 || length > in->dims[axis] - from)
            return;
        axes[axis].length = length;
        tfp_fold_put_axes(site, k, in, from * strides[axis], axes, in->rank);
        from += length;
    }
}

static void fold_split(tfp_site *site)
{
    tfp_operand in;
    int64_t axis;
    int at;
    if (!tfp_operand_read(site, 1, &in) || !tfp_operand_int(site, 0, &axis))
        return;
    at = tfp_axis_of(axis, in.rank);
    if (at >= 0 && in.dims[at] % (int64_t)site->output_count == 0)
        split(site, &in, at, NULL);
}

static void fold_split_v(tfp_site *site)
{
    tfp_operand in, sizes;
    int64_t axis, sum = 0;
    int at;
    if (!tfp_operand_read(site, 0, &in) ||
        !read_ints(site, 1, site->output_count, &sizes) ||
        !tfp_operand_int(site, 2, &axis))
        return;
    for (size_t i = 0; i < sizes.count; i++)
        sum = tfp_add_sat(sum, sizes.at[i]);
    at = tfp_axis_of(axis, in.rank);
    if (at >= 0 && in.dims[at] == sum) /* -1 among them is left to others */
        split(site, &in, at, &sizes);
}

/* in[..., indices, ...] along one axis. */
static void gather(tfp_site *site, const tfp_operand *in,
                   const tfp_operand *indices, int axis)
{
    int64_t items[TFP_MOST_VALUES], outer = 1, inner = 1;
    size_t count = 0;
    for (int i = 0; i < axis; i++)
        outer *= in->dims[i];
    for (int i = axis + 1; i < in->rank; i++)
        inner *= in->dims[i];
    if ((uint64_t)(outer * inner) * indices->count > TFP_MOST_VALUES)
        return;
    for (int64_t o = 0; o < outer; o++) {
        for (size_t k = 0; k < indices->count; k++) {
            int64_t index = indices->at[k];
            bool known = index != TFP_VALUE_UNKNOWN;
            if (known && (index < 0 || index >= in->dims[axis]))
                return;
            for (int64_t i = 0; i < inner; i++)
                items[count++] =
                    known ? in->at[(o * in->dims[axis] + index) * inner + i]
                          : TFP_VALUE_UNKNOWN;
        }
    }
    tfp_fold_put(site, 0, items, count, in->dtype);
}

static void fold_gather(tfp_site *site)
{
    tfp_operand in, indices;
    if (tfp_operand_read(site, 0, &in) && tfp_operand_read(site, 1, &indices) &&
        in.rank > 0 && tfp_dtype_is_integer(indices.dtype))
        gather(site, &in, &indices, 0);
}

static void fold_gather_v2(tfp_site *site)
{
    tfp_operand in, indices;
    int64_t axis;
    if (tfp_operand_read(site, 0, &in) && tfp_operand_read(site, 1, &indices) &&
        tfp_operand_int(site, 2, &axis) &&
        tfp_dtype_is_integer(indices.dtype) &&
        tfp_axis_of(axis, in.rank) >= 0 &&
        tfp_site_int(site, TFP_KEY_batch_dims, 0) == 0)
        gather(site, &in, &indices, tfp_axis_of(axis, in.rank));
}

/* ---- Turned and repeated ------------------------------------------------ */

static void fold_transpose(tfp_site *site)
{
    tfp_operand in, order;
    int64_t strides[TFP_FOLD_RANK];
    tfp_fold_axis axes[TFP_FOLD_RANK];
    if (!tfp_operand_read(site, 0, &in) ||
        !read_ints(site, 1, (size_t)in.rank, &order))
        return;
    tfp_operand_strides(&in, strides);
    for (int i = 0; i < in.rank; i++) {
        int from = tfp_axis_of(order.at[i], in.rank);
        if (from < 0)
            return;
        axes[i] = (tfp_fold_axis){ in.dims[from], strides[from] };
    }
    tfp_fold_put_axes(site, 0, &in, 0, axes, in.rank);
}

static void fold_reverse_v2(tfp_site *site)
{
    tfp_operand in, turned;
    int64_t strides[TFP_FOLD_RANK], first = 0;
    tfp_fold_axis axes[TFP_FOLD_RANK];
    if (!tfp_operand_read(site, 0, &in) ||
        !tfp_operand_read(site, 1, &turned) ||
        !read_ints(site, 1, turned.count, &turned))
        return;
    tfp_operand_strides(&in, strides);
    for (int i = 0; i < in.rank; i++)
        axes[i] = (tfp_fold_axis){ in.dims[i], strides[i] };
    for (size_t k = 0; k < turned.count; k++) {
        int axis = tfp_axis_of(turned.at[k], in.rank);
        if (axis < 0 || axes[axis].stride < 0)
            return;
        first += in.dims[axis] > 0 ? (in.dims[axis] - 1) * strides[axis] : 0;
        axes[axis].stride = -strides[axis];
    }
    tfp_fold_put_axes(site, 0, &in, first, axes, in.rank);
}

static void fold_tile(tfp_site *site)
{
    tfp_operand in, times;
    int64_t strides[TFP_FOLD_RANK];
    tfp_fold_axis axes[2 * TFP_FOLD_RANK];
    if (!tfp_operand_read(site, 0, &in) ||
        !read_ints(site, 1, (size_t)in.rank, &times))
        return;
    tfp_operand_strides(&in, strides);
    for (int i = 0; i < in.rank; i++) {
        axes[2 * i] = (tfp_fold_axis){ times.at[i], 0 };
        axes[2 * i + 1] = (tfp_fold_axis){ in.dims[i], strides[i] };
    }
    tfp_fold_put_axes(site, 0, &in, 0, axes, 2 * in.rank);
}

static void fold_broadcast_to(tfp_site *site)
{
    tfp_operand in, shape;
    int64_t strides[TFP_FOLD_RANK];
    tfp_fold_axis axes[TFP_FOLD_RANK];
    int offset;
    if (!tfp_operand_read(site, 0, &in) || !tfp_operand_read(site, 1, &shape) ||
        shape.count > TFP_FOLD_RANK ||
        !read_ints(site, 1, shape.count, &shape) ||
        shape.count < (size_t)in.rank)
        return;
    offset = (int)shape.count - in.rank;
    tfp_operand_strides(&in, strides);
    for (int i = 0; i < (int)shape.count; i++) {
        int64_t dim = i < offset ? 1 : in.dims[i - offset];
        if (dim != 1 && dim != shape.at[i])
            return;
        axes[i] = (tfp_fold_axis){ shape.at[i],
                                   dim == 1 ? 0 : strides[i - offset] };
    }
    tfp_fold_put_axes(site, 0, &in, 0, axes, (int)shape.count);
}

/* ---- Numbers of dims ---------------------------------------------------- */

static void fold_invert_permutation(tfp_site *site)
{
    tfp_operand in;
    int64_t items[TFP_MOST_VALUES];
    uint64_t seen = 0;
    if (!tfp_operand_read(site, 0, &in) || !read_ints(site, 0, in.count, &in))
        return;
    for (size_t i = 0; i < in.count; i++) {
        int64_t at = in.at[i];
        if (at < 0 || (uint64_t)at >= in.count || (seen >> at & 1))
            return;
        seen |= (uint64_t)1 << at;
        items[at] = (int64_t)i;
    }
    tfp_fold_put(site, 0, items, in.count, in.dtype);
}

/* Where each of the joined tensors begins. */
static void fold_concat_offset(tfp_site *site)
{
    int64_t axis, items[TFP_MOST_VALUES] = { 0 };
    tfp_operand shape;
    if (!tfp_operand_int(site, 0, &axis) || !reads_from(site, 1))
        return;
    for (size_t i = 1; i < site->input_count; i++) {
        int at;
        if (!tfp_operand_read(site, i, &shape) || shape.rank != 1)
            return;
        at = tfp_axis_of(axis, (int)shape.count);
        if (at < 0)
            return;
        tfp_fold_put(site, i - 1, items, shape.count, shape.dtype);
        if (shape.at[at] == TFP_VALUE_UNKNOWN || items[at] == TFP_VALUE_UNKNOWN)
            items[at] = TFP_VALUE_UNKNOWN;
        else
            items[at] = tfp_fold_wrap(tfp_add_sat(items[at], shape.at[at]),
                                      shape.dtype);
    }
}

/* A size of a shape that is lined up at its end with one of rank `rank`. */
static int64_t size_at(const tfp_operand *shape, size_t i, size_t rank)
{
    size_t missing = rank - shape->count;
    return i < missing ? 1 : shape->at[i - missing];
}

static bool read_shapes(const tfp_site *site, tfp_operand *a, tfp_operand *b)
{
    return tfp_operand_read(site, 0, a) && tfp_operand_read(site, 1, b) &&
           read_ints(site, 0, a->count, a) && read_ints(site, 1, b->count, b);
}

static void fold_broadcast_args(tfp_site *site)
{
    tfp_operand a, b;
    int64_t items[TFP_MOST_VALUES];
    size_t rank;
    if (!read_shapes(site, &a, &b))
        return;
    rank = a.count > b.count ? a.count : b.count;
    for (size_t i = 0; i < rank; i++) {
        int64_t x = size_at(&a, i, rank), y = size_at(&b, i, rank);
        if (x != y && x != 1 && y != 1)
            return;
        items[i] = x == 1 ? y : x;
    }
    tfp_fold_put(site, 0, items, rank, a.dtype);
}

/* Along which dims the gradients of two stretched tensors are summed up. */
static void fold_broadcast_gradient_args(tfp_site *site)
{
    tfp_operand a, b;
    int64_t of_a[TFP_MOST_VALUES], of_b[TFP_MOST_VALUES];
    size_t rank, in_a = 0, in_b = 0;
    bool same = true;
    if (!read_shapes(site, &a, &b))
        return;
    rank = a.count > b.count ? a.count : b.count;
    for (size_t i = 0; i < rank; i++) {
        int64_t x = size_at(&a, i, rank), y = size_at(&b, i, rank);
        if (x != y && x != 1 && y != 1)
            return;
        same &= x == y;
        if (x == 1)
            of_a[in_a++] = (int64_t)i;
        if (y == 1)
            of_b[in_b++] = (int64_t)i;
    }
    if (same && a.count == b.count)
        in_a = in_b = 0;
    tfp_fold_put(site, 0, of_a, in_a, a.dtype);
    tfp_fold_put(site, 1, of_b, in_b, a.dtype);
}

/* Those of the first list that are not in the second, and where they are. */
static void fold_list_difference(tfp_site *site)
{
    tfp_operand a, b;
    int64_t left[TFP_MOST_VALUES], places[TFP_MOST_VALUES];
    size_t count = 0;
    if (!read_shapes(site, &a, &b))
        return;
    for (size_t i = 0; i < a.count; i++) {
        bool found = false;
        for (size_t k = 0; k < b.count; k++)
            found |= a.at[i] == b.at[k];
        if (!found) {
            left[count] = a.at[i];
            places[count++] = (int64_t)i;
        }
    }
    tfp_fold_put(site, 0, left, count, a.dtype);
    tfp_fold_put(site, 1, places, count,
                 tfp_site_type(site, TFP_KEY_out_idx)
                     ? tfp_site_type(site, TFP_KEY_out_idx)
                     : TFP_DT_INT32);
}

/* Puts the slices of one of the inputs to their places in `items`. */
static bool stitch(const tfp_operand *indices, const tfp_operand *data,
                   int64_t items[TFP_MOST_VALUES], size_t *count)
{
    size_t slice = indices->count ? data->count / indices->count : 0;
    if (slice * indices->count != data->count)
        return indices->count == 0;
    for (size_t i = 0; i < indices->count; i++) {
        int64_t at = indices->at[i];
        if (at < 0 || at >= TFP_MOST_VALUES || slice == 0 ||
            ((size_t)at + 1) * slice > TFP_MOST_VALUES)
            return false;
        memcpy(items + (size_t)at * slice, data->at + i * slice,
               slice * sizeof(*items));
        if (((size_t)at + 1) * slice > *count)
            *count = ((size_t)at + 1) * slice;
    }
    return true;
}

static void fold_dynamic_stitch(tfp_site *site)
{
    size_t half = site->input_count / 2, count = 0;
    int64_t items[TFP_MOST_VALUES];
    tfp_operand indices, data;
    int32_t dtype = tfp_site_type(site, TFP_KEY_T);
    for (size_t i = 0; i < TFP_MOST_VALUES; i++)
        items[i] = TFP_VALUE_UNKNOWN;
    for (size_t i = 0; i < half; i++) {
        if (!tfp_operand_read(site, i, &indices) ||
            !tfp_operand_read_any(site, i + half, &data) ||
            !stitch(&indices, &data, items, &count))
            return;
    }
    tfp_fold_put(site, 0, items, count, dtype);
}

const tfp_fold_rule tfp_folds_layout[] = {
    /* name, rule */
    { "BroadcastArgs", fold_broadcast_args },
    { "BroadcastGradientArgs", fold_broadcast_gradient_args },
    { "BroadcastTo", fold_broadcast_to },
    { "CheckNumerics", fold_same },
    { "ConcatOffset", fold_concat_offset },
    { "DynamicStitch", fold_dynamic_stitch },
    { "EnsureShape", fold_same },
    { "Enter", fold_same },
    { "ExpandDims", fold_same },
    { "Fill", fold_fill },
    { "Gather", fold_gather },
    { "GatherV2", fold_gather_v2 },
    { "InvertPermutation", fold_invert_permutation },
    { "ListDiff", fold_list_difference },
    { "OnesLike", fold_ones_like },
    { "ParallelDynamicStitch", fold_dynamic_stitch },
    { "PreventGradient", fold_same },
    { "Range", fold_range },
    { "Reshape", fold_same },
    { "ReverseV2", fold_reverse_v2 },
    { "Slice", fold_slice },
    { "Snapshot", fold_same },
    { "Split", fold_split },
    { "SplitV", fold_split_v },
    { "Squeeze", fold_same },
    { "StopGradient", fold_same },
    { "Tile", fold_tile },
    { "Transpose", fold_transpose },
    { "ZerosLike", fold_zeros_like },
    { 0 },
};
