/*
 * fold_shape.c - the elements of what shapes are made of.
 *
 * Where TensorFlow asks for a vector as a shape, it follows Shape, ShapeN,
 * VariableShape, Pack, Concat, Cast and StridedSlice back and learns of some
 * elements though not of all. These rules are in this file, and each has its
 * own conditions; everywhere else it is all elements or none.
 */
#include "base/bytes.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "ops/fact/slices.h"
#include "ops/fold/fold.h"
#include "proto/dtype.h"

static bool is_tensorflow(const tfp_site *site)
{
    return site->grade == TFP_GRADE_TENSORFLOW;
}

static bool is_index_type(int32_t dtype)
{
    return dtype == TFP_DT_INT32 || dtype == TFP_DT_INT64;
}

/* ---- What a shape says -------------------------------------------------- */

static int32_t out_type_of(const tfp_site *site)
{
    int32_t dtype = tfp_site_type(site, TFP_KEY_out_type);
    return dtype ? dtype : TFP_DT_INT32;
}

/* A size that does not fit is refused. */
static int64_t size_as(int64_t size, int32_t dtype)
{
    return size < 0 || (dtype == TFP_DT_INT32 && size >= INT32_MAX)
               ? TFP_VALUE_UNKNOWN
               : size;
}

static size_t sizes_of(tfp_dims dims, int32_t dtype,
                       int64_t items[TFP_MOST_VALUES])
{
    for (int i = 0; i < dims.rank; i++)
        items[i] = size_as(dims.at[i], dtype);
    return (size_t)dims.rank;
}

/* The dims of an input; those of its value, if they say more. */
static tfp_dims dims_of(const tfp_site *site, size_t i, tfp_operand *operand)
{
    tfp_dims dims = tfp_site_input(site, i);
    if (!tfp_dims_known(dims) && tfp_operand_read(site, i, operand))
        dims = (tfp_dims){ operand->rank, operand->dims };
    return dims;
}

static void fold_shape(tfp_site *site)
{
    tfp_operand operand;
    tfp_dims dims = dims_of(site, 0, &operand);
    int64_t items[TFP_MOST_VALUES];
    int32_t dtype = out_type_of(site);
    size_t count;
    if (dims.rank < 0 || dims.rank > TFP_MOST_VALUES)
        return;
    count = sizes_of(dims, dtype, items);
    if (tfp_dims_known(dims))
        tfp_fold_put(site, 0, items, count, dtype);
    else
        tfp_fold_put_as_shape(site, 0, items, count, dtype);
}

static bool reads_all(const tfp_site *site)
{
    tfp_operand operand;
    for (size_t i = 0; i < site->input_count; i++) {
        if (!tfp_operand_read(site, i, &operand))
            return false;
    }
    return true;
}

static void fold_shapes(tfp_site *site)
{
    int64_t items[TFP_MOST_VALUES];
    int32_t dtype = out_type_of(site);
    bool computed = reads_all(site);
    for (size_t i = 0; i < site->input_count; i++) {
        tfp_dims dims = tfp_site_input(site, i);
        size_t count;
        if (dims.rank < 0 || dims.rank > TFP_MOST_VALUES)
            continue;
        count = sizes_of(dims, dtype, items);
        if (computed)
            tfp_fold_put(site, i, items, count, dtype);
        else
            tfp_fold_put_as_shape(site, i, items, count, dtype);
    }
}

static void fold_variable_shape(tfp_site *site)
{
    const tfp_fact *fact = tfp_site_input_fact(site, 0);
    tfp_dims dims = tfp_dims_of(site->model, fact->held);
    int64_t items[TFP_MOST_VALUES];
    if (dims.rank >= 0 && dims.rank <= TFP_MOST_VALUES)
        tfp_fold_put_as_shape(site, 0, items,
                              sizes_of(dims, out_type_of(site), items),
                              out_type_of(site));
}

static void fold_size(tfp_site *site)
{
    tfp_operand operand;
    int32_t dtype = out_type_of(site);
    int64_t size = tfp_dims_elements(dims_of(site, 0, &operand));
    size = size == INT64_MAX ? TFP_VALUE_UNKNOWN : size_as(size, dtype);
    tfp_fold_put(site, 0, &size, 1, dtype);
}

static void fold_rank(tfp_site *site)
{
    int64_t rank = tfp_site_input(site, 0).rank;
    if (rank >= 0)
        tfp_fold_put(site, 0, &rank, 1, TFP_DT_INT32);
}

static void fold_list_length(tfp_site *site)
{
    int64_t length = (int64_t)tfp_site_input_fact(site, 0)->length - 1;
    if (length >= 0)
        tfp_fold_put(site, 0, &length, 1, TFP_DT_INT32);
}

/* ---- Parts of a shape --------------------------------------------------- */

static bool is_op(const tfp_op *op, const char *name)
{
    return op && strcmp(op->name, name) == 0;
}

/* Does a StridedSlice take one part of a vector, and leave it a vector? */
static bool is_plain_slice(const tfp_site *site)
{
    int64_t begin = tfp_site_int(site, TFP_KEY_begin_mask, 0);
    int64_t end = tfp_site_int(site, TFP_KEY_end_mask, 0);
    return (begin == 0 || begin == 1) && (end == 0 || end == 1) &&
           tfp_site_int(site, TFP_KEY_ellipsis_mask, 0) == 0 &&
           tfp_site_int(site, TFP_KEY_new_axis_mask, 0) == 0 &&
           tfp_site_int(site, TFP_KEY_shrink_axis_mask, 0) == 0;
}

/* Would TensorFlow stop here for good when it knows no element? */
static bool is_followed(const tfp_op *op)
{
    static const char *const names[] = { "Cast",         "Concat",
                                         "ConcatV2",     "Shape",
                                         "ShapeN",       "Pack",
                                         "StridedSlice", "VariableShape" };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (is_op(op, names[i]))
            return true;
    }
    return false;
}

/* Is there an element that no shape has? */
static bool is_no_shape(const tfp_value *value)
{
    for (size_t i = 0; i < value->count; i++) {
        if (value->at[i] < -1 && value->at[i] != TFP_VALUE_UNKNOWN)
            return true;
    }
    return false;
}

static bool is_piece(const tfp_site *site, size_t i)
{
    tfp_dims dims = tfp_site_input(site, i);
    return tfp_site_input_fact(site, i)->use != TFP_USE_NO_PIECE ||
           (dims.rank == 1 && dims.at[0] == 0);
}

/* Reads an input as a piece of a shape, after the `count` items there are.
 * False when TensorFlow would know not even how many dims it stands for. */
static bool read_piece(const tfp_site *site, size_t i,
                       int64_t items[TFP_MOST_VALUES], size_t *count)
{
    tfp_node node;
    const tfp_op *op = tfp_site_producer(site, i, &node);
    tfp_dims dims = tfp_site_input(site, i);
    tfp_value value;
    bool known = tfp_site_value_as_shape(site, i, &value);
    size_t more = known            ? value.count
                  : dims.rank == 1 ? (size_t)dims.at[0]
                                   : SIZE_MAX;
    if (dims.rank != 1 || more > TFP_MOST_VALUES - *count)
        return false;
    if (more > 0 && known && !is_piece(site, i))
        return false;
    if (more > 0 && !known && is_followed(op))
        return false;
    if (known && is_op(op, "Cast") && is_no_shape(&value)) {
        /* then TensorFlow tries what was cast */
        tfp_site cast = *site;
        cast.node = node;
        if (!is_followed(tfp_site_producer(&cast, 0, &node)))
            return false;
    }
    for (size_t k = 0; k < more; k++) {
        bool is_size = known && value.at[k] >= 0;
        items[(*count)++] = is_size ? value.at[k] : TFP_VALUE_UNKNOWN;
    }
    return true;
}

/* ---- Joins -------------------------------------------------------------- */

typedef struct joint {
    tfp_operand parts[TFP_MOST_VALUES];
    size_t count;
    int32_t dtype;
} joint;

static bool read_parts(const tfp_site *site, size_t first, size_t end, joint *j)
{
    j->count = 0;
    j->dtype = 0;
    if (first >= end || end - first > TFP_MOST_VALUES)
        return false;
    for (size_t i = first; i < end; i++) {
        tfp_operand *part = &j->parts[j->count++];
        if (!tfp_operand_read_any(site, i, part) ||
            part->rank != j->parts[0].rank)
            return false;
        if (part->dtype)
            j->dtype = part->dtype;
    }
    return j->dtype != 0;
}

/* The elements of a part that come one after the other: those of the dims
 * from `axis` on. */
static size_t run_of(const tfp_operand *part, int axis)
{
    size_t run = 1;
    for (int i = axis; i < part->rank; i++)
        run *= (size_t)part->dims[i];
    return run;
}

/* Puts the runs of all parts in turn, as often as the dims before say. */
static void put_joined(tfp_site *site, const joint *j, int axis)
{
    int64_t items[TFP_MOST_VALUES], turns = 1;
    size_t count = 0;
    for (int i = 0; i < axis; i++)
        turns *= j->parts[0].dims[i];
    for (int64_t turn = 0; turn < turns; turn++) {
        for (size_t i = 0; i < j->count; i++) {
            const tfp_operand *part = &j->parts[i];
            size_t run = run_of(part, axis);
            if (((size_t)turn + 1) * run > part->count ||
                run > TFP_MOST_VALUES - count)
                return;
            memcpy(items + count, part->at + (size_t)turn * run,
                   run * sizeof(*items));
            count += run;
        }
    }
    tfp_fold_put(site, 0, items, count, j->dtype);
}

static void fold_pack(tfp_site *site)
{
    joint all;
    int64_t items[TFP_MOST_VALUES];
    int32_t dtype = tfp_site_type(site, TFP_KEY_T);
    size_t count = site->input_count;
    if (read_parts(site, 0, count, &all)) {
        int axis = tfp_axis_of(tfp_site_int(site, TFP_KEY_axis, 0),
                               all.parts[0].rank + 1);
        if (axis >= 0)
            put_joined(site, &all, axis);
        return;
    }
    if (!is_tensorflow(site) || tfp_site_output(site, 0).rank != 1 ||
        count > TFP_MOST_VALUES || !is_index_type(dtype))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!tfp_site_int_value(site, i, &items[i]) || items[i] < 0)
            items[i] = TFP_VALUE_UNKNOWN;
    }
    tfp_fold_put_as_shape(site, 0, items, count, dtype);
}

static void concat(tfp_site *site, size_t first, size_t end, size_t axis_input)
{
    joint all;
    int64_t items[TFP_MOST_VALUES], axis;
    size_t count = 0;
    if (tfp_operand_int(site, axis_input, &axis) &&
        read_parts(site, first, end, &all)) {
        int at = tfp_axis_of(axis, all.parts[0].rank);
        if (at >= 0)
            put_joined(site, &all, at);
        for (size_t i = first; i < end; i++) {
            if (!is_piece(site, i))
                tfp_fold_set_use(site, 0, TFP_USE_NO_PIECE);
        }
        return;
    }
    if (!is_tensorflow(site) || tfp_site_output(site, 0).rank != 1 ||
        !is_index_type(tfp_site_type(site, TFP_KEY_T)))
        return;
    for (size_t i = first; i < end; i++) {
        if (!read_piece(site, i, items, &count))
            return;
    }
    tfp_fold_put_as_shape(site, 0, items, count,
                          tfp_site_type(site, TFP_KEY_T));
}

static void fold_concat(tfp_site *site)
{
    concat(site, 1, site->input_count, 0);
}

static void fold_concat_v2(tfp_site *site)
{
    if (site->input_count > 0)
        concat(site, 0, site->input_count - 1, site->input_count - 1);
}

/* ---- Slices ------------------------------------------------------------- */

static bool read_vector(const tfp_site *site, size_t i, tfp_value *value)
{
    tfp_operand operand;
    return tfp_operand_read(site, i, &operand) && operand.rank == 1 &&
           tfp_dtype_is_integer(operand.dtype) &&
           tfp_site_value(site, i, value);
}

static bool fold_sliced(tfp_site *site)
{
    tfp_operand in;
    tfp_value begin, end, strides;
    tfp_slices slices;
    int64_t steps[TFP_FOLD_RANK], first = 0;
    tfp_fold_axis axes[TFP_FOLD_RANK];
    if (!tfp_operand_read(site, 0, &in) || !read_vector(site, 1, &begin) ||
        !read_vector(site, 2, &end) || !read_vector(site, 3, &strides) ||
        !tfp_slices_read(site, in.rank, &begin, &end, &strides, &slices))
        return false;
    tfp_operand_strides(&in, steps);
    for (int i = 0; i < in.rank; i++) {
        const tfp_slice *slice = &slices.at[i];
        int64_t from, to;
        axes[i].length = tfp_slice_length(slice, in.dims[i]);
        if (axes[i].length < 0 ||
            !tfp_slice_resolve(slice, in.dims[i], &from, &to))
            return false;
        /* of no elements, the first may lie outside */
        first += axes[i].length > 0 ? from * steps[i] : 0;
        axes[i].stride = axes[i].length > 1 ? slice->stride * steps[i] : 0;
    }
    tfp_fold_put_axes(site, 0, &in, first, axes, in.rank);
    return true;
}

/* tf.shape(x)[k], where only this dim of x is known. */
static void fold_one_size(tfp_site *site)
{
    tfp_node shape, index;
    int64_t at;
    tfp_value sizes;
    if (!is_op(tfp_site_producer(site, 0, &shape), "Shape") ||
        !is_op(tfp_site_producer(site, 1, &index), "Const") ||
        tfp_site_int(site, TFP_KEY_begin_mask, 0) != 0 ||
        tfp_site_int(site, TFP_KEY_end_mask, 0) != 0 ||
        tfp_site_int(site, TFP_KEY_ellipsis_mask, 0) != 0 ||
        tfp_site_int(site, TFP_KEY_new_axis_mask, 0) != 0 ||
        tfp_site_int(site, TFP_KEY_shrink_axis_mask, 0) != 1 ||
        !tfp_site_value_as_shape(site, 0, &sizes) ||
        !tfp_site_int_value(site, 1, &at))
        return;
    if (at < 0)
        at += (int64_t)sizes.count;
    if (at >= 0 && (uint64_t)at < sizes.count)
        tfp_fold_put(site, 0, &sizes.at[at], 1, sizes.dtype);
}

/* A bound of a slice: counted from the end when negative, at most `most`. */
static bool bound_of(const tfp_site *site, size_t i, tfp_key mask,
                     int64_t otherwise, size_t count, size_t most,
                     int64_t *bound)
{
    if (tfp_site_int(site, mask, 0) == 1)
        *bound = otherwise;
    else if (!tfp_site_int_value(site, i, bound))
        return false;
    if (*bound > (int64_t)most)
        *bound = (int64_t)most;
    if (*bound < 0)
        *bound += (int64_t)count;
    return *bound >= 0;
}

/* tf.shape(x)[a:b:c] as a shape. */
static void fold_piece(tfp_site *site)
{
    int64_t items[TFP_MOST_VALUES], part[TFP_MOST_VALUES], begin, end, stride;
    int32_t dtype = tfp_site_type(site, TFP_KEY_T);
    size_t count = 0, taken = 0, last;
    if (!is_plain_slice(site) || !is_index_type(dtype))
        return;
    for (size_t i = 1; i <= 3; i++) {
        tfp_dims dims = tfp_site_input(site, i);
        if (dims.rank != 1 || dims.at[0] != 1)
            return;
    }
    if (!read_piece(site, 0, items, &count) ||
        !tfp_site_int_value(site, 3, &stride) || stride == 0)
        return;
    last = stride < 0 && count > 0 ? count - 1 : count;
    if (!bound_of(site, 1, TFP_KEY_begin_mask, 0, count, last, &begin) ||
        !bound_of(site, 2, TFP_KEY_end_mask, INT64_MAX, count, count, &end))
        return;
    for (int64_t at = begin; stride > 0 ? at < end : at > end;
         at = tfp_add_sat(at, stride))
        part[taken++] = items[at];
    tfp_fold_put_as_shape(site, 0, part, taken, dtype);
}

static void fold_strided_slice(tfp_site *site)
{
    if (fold_sliced(site)) {
        if (!is_plain_slice(site) || !is_piece(site, 0))
            tfp_fold_set_use(site, 0, TFP_USE_NO_PIECE);
        return;
    }
    if (!is_tensorflow(site))
        return;
    if (tfp_site_output(site, 0).rank == 0)
        fold_one_size(site);
    else if (tfp_site_output(site, 0).rank == 1)
        fold_piece(site);
}

static void fold_unpack(tfp_site *site)
{
    tfp_operand in;
    tfp_node node;
    int64_t strides[TFP_FOLD_RANK];
    tfp_fold_axis axes[TFP_FOLD_RANK];
    tfp_value sizes;
    int axis, count = 0;
    if (tfp_operand_read(site, 0, &in)) {
        axis = tfp_axis_of(tfp_site_int(site, TFP_KEY_axis, 0), in.rank);
        if (axis < 0 || (uint64_t)in.dims[axis] != site->output_count)
            return;
        tfp_operand_strides(&in, strides);
        for (int i = 0; i < in.rank; i++) {
            if (i != axis)
                axes[count++] = (tfp_fold_axis){ in.dims[i], strides[i] };
        }
        for (size_t k = 0; k < site->output_count; k++)
            tfp_fold_put_axes(site, k, &in, (int64_t)k * strides[axis], axes,
                              count);
        return;
    }
    if (!is_tensorflow(site) || tfp_site_int(site, TFP_KEY_axis, 0) != 0 ||
        !is_op(tfp_site_producer(site, 0, &node), "Shape") ||
        !tfp_site_value_as_shape(site, 0, &sizes) ||
        sizes.count != site->output_count)
        return;
    for (size_t k = 0; k < sizes.count; k++)
        tfp_fold_put(site, k, &sizes.at[k], 1, sizes.dtype);
}

/* ---- Types -------------------------------------------------------------- */

/* Towards zero; what does not fit into the type is left open by C. */
static int64_t integer_of(double number, int32_t dtype)
{
    int64_t whole;
    if (!(number > -9.2e18 && number < 9.2e18))
        return TFP_VALUE_UNKNOWN;
    whole = (int64_t)number;
    return tfp_fold_wrap(whole, dtype) == whole ? whole : TFP_VALUE_UNKNOWN;
}

static int64_t cast_item(int64_t item, int32_t from, int32_t to)
{
    bool was_real = from == TFP_DT_FLOAT || from == TFP_DT_DOUBLE;
    double number = was_real ? tfp_double_of_bits(item) : (double)item;
    if (item == TFP_VALUE_UNKNOWN ||
        (!was_real && from != TFP_DT_BOOL &&
         tfp_fold_wrap(0, from) == TFP_VALUE_UNKNOWN))
        return TFP_VALUE_UNKNOWN;
    if (to == TFP_DT_BOOL)
        return number != 0;
    if (to == TFP_DT_DOUBLE)
        return tfp_double_bits(number);
    if (to == TFP_DT_FLOAT) /* not by way of a double, which rounds, too */
        return tfp_double_bits(was_real ? (float)number : (float)item);
    return was_real ? integer_of(number, to) : tfp_fold_wrap(item, to);
}

static void fold_cast(tfp_site *site)
{
    tfp_operand in;
    int64_t items[TFP_MOST_VALUES];
    int32_t to = tfp_site_type(site, TFP_KEY_DstT);
    size_t count = 0;
    if (tfp_operand_read(site, 0, &in)) {
        for (size_t i = 0; i < in.count; i++)
            items[i] = cast_item(in.at[i], in.dtype, to);
        tfp_fold_put(site, 0, items, in.count, to);
        return;
    }
    if (!is_tensorflow(site) || !read_piece(site, 0, items, &count))
        return;
    for (size_t i = 0; i < count && !is_index_type(to); i++)
        items[i] = TFP_VALUE_UNKNOWN;
    tfp_fold_put_as_shape(site, 0, items, count, to);
}

const tfp_fold_rule tfp_folds_shape[] = {
    /* name, rule */
    { "Cast", fold_cast },
    { "Concat", fold_concat },
    { "ConcatV2", fold_concat_v2 },
    { "Pack", fold_pack },
    { "Rank", fold_rank },
    { "Shape", fold_shape },
    { "ShapeN", fold_shapes },
    { "Size", fold_size },
    { "StridedSlice", fold_strided_slice },
    { "TensorListLength", fold_list_length },
    { "Unpack", fold_unpack },
    { "VariableShape", fold_variable_shape },
    { 0 },
};
