/*
 * slices.c - what a StridedSlice takes of each dim.
 */
#include "ops/fact/slices.h"

#include "model/attrs.h"

typedef struct masks {
    uint32_t begin, end, ellipsis, new_axis, shrink_axis;
} masks;

static uint32_t mask_of(const tfp_site *site, tfp_key key)
{
    return (uint32_t)tfp_site_int(site, key, 0);
}

static bool is_set(uint32_t mask, int bit)
{
    return mask >> bit & 1;
}

static int64_t item_of(const tfp_value *value, int i)
{
    return value ? value->at[i] : TFP_VALUE_UNKNOWN;
}

static bool add_out(tfp_slices *s, int from)
{
    if (s->out_rank >= TFP_MOST_RANK + TFP_MOST_SLICED)
        return false;
    s->from[s->out_rank++] = from;
    return true;
}

/* The dims that an ellipsis stands for, up to `end`. */
static bool add_whole(tfp_slices *s, int *dim, int end)
{
    for (; *dim < end && *dim < s->rank; ++*dim) {
        s->at[*dim] = (tfp_slice){ .stride = 1,
                                   .from_start = true,
                                   .to_end = true };
        if (!add_out(s, *dim))
            return false;
    }
    return true;
}

/* New axes that come after the ellipsis take no dim of the input. */
static int new_axes_after(const masks *m, int ellipsis, int count)
{
    int axes = 0;
    for (int i = ellipsis + 1; i < count; i++)
        axes += is_set(m->new_axis, i);
    return axes;
}

bool tfp_slices_read(const tfp_site *site, int rank, const tfp_value *begin,
                     const tfp_value *end, const tfp_value *strides,
                     tfp_slices *s)
{
    masks m = { mask_of(site, TFP_KEY_begin_mask),
                mask_of(site, TFP_KEY_end_mask),
                mask_of(site, TFP_KEY_ellipsis_mask),
                mask_of(site, TFP_KEY_new_axis_mask),
                mask_of(site, TFP_KEY_shrink_axis_mask) };
    int count = (int)strides->count, dim = 0;
    s->rank = rank;
    s->out_rank = 0;
    if (strides->count >= TFP_MOST_SLICED || !strides->complete ||
        (begin && begin->count != strides->count) ||
        (end && end->count != strides->count) ||
        (m.ellipsis & (m.ellipsis - 1)) != 0 || rank > TFP_MOST_RANK)
        return false;
    for (int i = 0; i < count; i++) {
        if (is_set(m.ellipsis, i)) {
            int after = count - i - 1 - new_axes_after(&m, i, count);
            if (!add_whole(s, &dim, rank - after))
                return false;
            continue;
        }
        if (is_set(m.new_axis, i)) {
            if (!add_out(s, TFP_SLICE_NEW_AXIS))
                return false;
            continue;
        }
        if (dim >= rank)
            return false;
        s->at[dim] = (tfp_slice){ .begin = item_of(begin, i),
                                  .end = item_of(end, i),
                                  .stride = strides->at[i],
                                  .from_start = is_set(m.begin, i),
                                  .to_end = is_set(m.end, i),
                                  .is_index = is_set(m.shrink_axis, i) };
        if (!s->at[dim].is_index && !add_out(s, dim))
            return false;
        dim++;
    }
    return add_whole(s, &dim, rank);
}

/* A place in a dim, counted from its end when negative, brought into it. */
static int64_t place_of(int64_t at, int64_t dim, int64_t least, int64_t most)
{
    if (at < 0)
        at += dim;
    return at < least ? least : at > most ? most : at;
}

bool tfp_slice_resolve(const tfp_slice *slice, int64_t dim, int64_t *begin,
                       int64_t *end)
{
    int64_t least = slice->stride > 0 ? 0 : -1;
    int64_t most = slice->stride > 0 ? dim : dim - 1;
    if (slice->is_index) {
        if (slice->begin == TFP_VALUE_UNKNOWN || slice->stride <= 0)
            return false;
        *begin = slice->begin < 0 ? slice->begin + dim : slice->begin;
        *end = *begin + 1;
        return *begin >= 0 && *begin < dim;
    }
    if ((!slice->from_start && slice->begin == TFP_VALUE_UNKNOWN) ||
        (!slice->to_end && slice->end == TFP_VALUE_UNKNOWN))
        return false;
    if (slice->from_start)
        *begin = slice->stride > 0 ? least : most;
    else
        *begin = place_of(slice->begin, dim, least, most);
    if (slice->to_end)
        *end = slice->stride > 0 ? most : least;
    else
        *end = place_of(slice->end, dim, least, most);
    return true;
}

int64_t tfp_slice_length(const tfp_slice *slice, int64_t dim)
{
    int64_t begin, end, length;
    if (slice->stride == 0)
        return -2;
    if (dim < 0)
        return slice->is_index ? 1 : TFP_DIM_UNKNOWN;
    if (slice->is_index && slice->begin == TFP_VALUE_UNKNOWN)
        return slice->stride > 0 ? 1 : -2;
    if (!tfp_slice_resolve(slice, dim, &begin, &end))
        return slice->is_index ? -2 : TFP_DIM_UNKNOWN;
    length = end - begin;
    if (length == 0 || (length < 0) != (slice->stride < 0))
        return 0;
    return length / slice->stride + (length % slice->stride != 0);
}
