/*
 * window.c - windows that slide over images and volumes.
 */
#include "ops/table/window.h"

#include "base/bytes.h"
#include "model/attrs.h"

tfp_padding tfp_site_padding(const tfp_site *site)
{
    tfp_span text = tfp_site_string(site, TFP_KEY_padding);
    if (tfp_span_is(text, "SAME"))
        return TFP_PADDING_SAME;
    if (tfp_span_is(text, "VALID"))
        return TFP_PADDING_VALID;
    return tfp_span_is(text, "EXPLICIT") ? TFP_PADDING_EXPLICIT
                                         : TFP_PADDING_NONE;
}

bool tfp_site_image_axes(const tfp_site *site, int rank, tfp_image_axes *axes)
{
    tfp_span text = tfp_site_string(site, TFP_KEY_data_format);
    bool first = tfp_span_is(text, "NCHW") || tfp_span_is(text, "NCDHW") ||
                 tfp_span_is(text, "CHANNELS_FIRST");
    axes->channels = first ? 1 : rank - 1;
    axes->spatial = first ? 2 : 1;
    return first || text.size == 0 || tfp_span_is(text, "NHWC") ||
           tfp_span_is(text, "NDHWC") || tfp_span_is(text, "CHANNELS_LAST");
}

/* What padding adds. Dims are at most INT64_MAX, so sums may overflow. */
static bool count_same(const tfp_window *window, int64_t size, int64_t *count)
{
    *count = size < 0 ? TFP_DIM_UNKNOWN
                      : size / window->stride + (size % window->stride != 0);
    return true;
}

static bool count_valid(const tfp_window *window, int64_t size, int64_t *count)
{
    int64_t covered = tfp_dim_add(
        tfp_dim_mul(window->size < 1 ? window->size : window->size - 1,
                    window->dilation),
        1);
    *count = TFP_DIM_UNKNOWN;
    if (window->size < 0 || size < 0 || covered < 0)
        return true;
    if (window->size == 0)
        covered = 0;
    if (covered > size)
        return false;
    *count = tfp_dim_add((size - covered) / window->stride, 1);
    return true;
}

bool tfp_window_count(const tfp_window *window, tfp_padding padding,
                      int64_t size, int64_t *count)
{
    if (window->stride < 1 || window->dilation < 1)
        return false;
    switch (padding) {
    case TFP_PADDING_SAME: return count_same(window, size, count);
    case TFP_PADDING_VALID: return count_valid(window, size, count);
    case TFP_PADDING_EXPLICIT:
        return count_valid(window, tfp_dim_add(size, window->pads), count);
    default: return false;
    }
}

const int64_t *tfp_site_ints_of(const tfp_site *site, tfp_key key, size_t count)
{
    size_t actual;
    const int64_t *items = tfp_site_list(site, key, &actual);
    return actual == count ? items : NULL;
}

int64_t tfp_site_pads(const tfp_site *site, int axis)
{
    size_t count;
    const int64_t *pads = tfp_site_list(site, TFP_KEY_explicit_paddings,
                                        &count);
    if (axis < 0 || count < 2 * (size_t)axis + 2)
        return TFP_DIM_UNKNOWN;
    return tfp_dim_add(pads[2 * axis], pads[2 * axis + 1]);
}

void tfp_site_put_input_as_shape(tfp_site *site, size_t i, int rank)
{
    tfp_form out;
    out.rank = tfp_site_input_as_shape(site, i, out.at);
    if (out.rank < 0)
        tfp_form_unknown(&out, rank);
    if (out.rank == rank)
        tfp_site_put_form(site, 0, &out);
}
