/*
 * ops_conv.c - convolutions, and their gradients.
 */
#include "shape/common.h"
#include "shape/window.h"

/* How a convolution of any number of spatial dims is set. */
typedef struct conv {
    int rank; /* of the images */
    tfp_image_axes axes;
    tfp_padding padding;
    const int64_t *strides, *dilations; /* for each axis; NULL: all 1 */
} conv;

static bool conv_read(const tfp_site *site, int rank, conv *c)
{
    size_t count;
    c->rank = rank;
    c->padding = tfp_site_padding(site);
    c->strides = tfp_site_ints_of(site, TFP_KEY_strides, (size_t)rank);
    c->dilations = tfp_site_ints_of(site, TFP_KEY_dilations, (size_t)rank);
    tfp_site_list(site, TFP_KEY_dilations, &count);
    return tfp_site_image_axes(site, rank, &c->axes) && c->strides &&
           (c->dilations || count == 0);
}

/* Slides `filter`, whose first dims are spatial, over `image`. */
static bool conv_slide(const tfp_site *site, const conv *c, tfp_form *image,
                       const tfp_form *filter)
{
    for (int i = 0; i < c->rank - 2; i++) {
        int axis = c->axes.spatial + i;
        tfp_window window = { filter->at[i], c->strides[axis],
                              c->dilations ? c->dilations[axis] : 1,
                              tfp_site_pads(site, axis) };
        if (!tfp_window_count(&window, c->padding, image->at[axis],
                              &image->at[axis]))
            return false;
    }
    return true;
}

/* Channels must be a multiple of the filter's, which is the number of groups;
 * and what comes out a multiple of these. */
static bool groups_fit(int64_t channels, int64_t depth, int64_t out)
{
    if (channels < 0 || depth < 0)
        return true;
    if (depth == 0 || channels % depth != 0)
        return false;
    return out < 0 || channels == 0 || out % (channels / depth) == 0;
}

static void infer_conv(tfp_site *site, int rank)
{
    tfp_form image, filter;
    conv c;
    if (!conv_read(site, rank, &c) ||
        !tfp_form_input_of(site, 0, rank, &image) ||
        !tfp_form_input_of(site, 1, rank, &filter) ||
        !groups_fit(image.at[c.axes.channels], filter.at[rank - 2],
                    filter.at[rank - 1]) ||
        !conv_slide(site, &c, &image, &filter))
        return;
    image.at[c.axes.channels] = filter.at[rank - 1];
    tfp_site_put_form(site, 0, &image);
}

static void infer_conv_2d(tfp_site *site)
{
    infer_conv(site, 4);
}

static void infer_conv_3d(tfp_site *site)
{
    infer_conv(site, 5);
}

static void infer_depthwise(tfp_site *site)
{
    tfp_form image, filter;
    conv c;
    int64_t *channels;
    if (!conv_read(site, 4, &c) || !tfp_form_input_of(site, 0, 4, &image) ||
        !tfp_form_input_of(site, 1, 4, &filter) ||
        !conv_slide(site, &c, &image, &filter))
        return;
    channels = &image.at[c.axes.channels];
    if (!tfp_dim_merge(*channels, filter.at[2], channels))
        return;
    *channels = tfp_dim_mul(*channels, filter.at[3]);
    tfp_site_put_form(site, 0, &image);
}

/* With the range of what comes out: two scalars. */
static void infer_quantized_conv_2d(tfp_site *site)
{
    infer_conv(site, 4);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

/* ---- Gradients ---------------------------------------------------------- */

/* Sizes may be given for the spatial dims alone. */
static void infer_conv_2d_to_input(tfp_site *site)
{
    tfp_form gradient, filter, sizes;
    tfp_image_axes axes;
    if (!tfp_site_image_axes(site, 4, &axes) ||
        !tfp_form_input_of(site, 1, 4, &filter) ||
        !tfp_form_input_of(site, 2, 4, &gradient))
        return;
    sizes.rank = tfp_site_input_as_shape(site, 0, sizes.at);
    if (sizes.rank < 0)
        tfp_form_unknown(&sizes, 4);
    if (sizes.rank == 4) {
        gradient.at[axes.channels] = sizes.at[axes.channels];
        gradient.at[axes.spatial] = sizes.at[axes.spatial];
        gradient.at[axes.spatial + 1] = sizes.at[axes.spatial + 1];
    } else if (sizes.rank == 2) {
        gradient.at[axes.channels] = filter.at[2];
        gradient.at[axes.spatial] = sizes.at[0];
        gradient.at[axes.spatial + 1] = sizes.at[1];
    } else {
        return;
    }
    tfp_site_put_form(site, 0, &gradient);
}

static void infer_2d_by_sizes_0(tfp_site *site)
{
    tfp_site_put_input_as_shape(site, 0, 4);
}

static void infer_2d_by_sizes_1(tfp_site *site)
{
    tfp_site_put_input_as_shape(site, 1, 4);
}

static void infer_3d_by_sizes_0(tfp_site *site)
{
    tfp_site_put_input_as_shape(site, 0, 5);
}

static void infer_3d_by_sizes_1(tfp_site *site)
{
    tfp_site_put_input_as_shape(site, 1, 5);
}

static void infer_2d_as_input_1(tfp_site *site)
{
    tfp_site_put_input_of(site, 1, 4);
}

static void infer_3d_as_input_1(tfp_site *site)
{
    tfp_site_put_input_of(site, 1, 5);
}

/* ---- Dilation ----------------------------------------------------------- */

/* The spatial dims are known together or not at all. */
static void infer_dilation(tfp_site *site)
{
    const int64_t *strides = tfp_site_ints_of(site, TFP_KEY_strides, 4);
    const int64_t *rates = tfp_site_ints_of(site, TFP_KEY_rates, 4);
    tfp_padding padding = tfp_site_padding(site);
    tfp_form in, filter;
    bool known;
    if (!strides || !rates || !tfp_form_input_of(site, 0, 4, &in) ||
        !tfp_form_input_of(site, 1, 3, &filter))
        return;
    known = in.at[1] >= 0 && in.at[2] >= 0 && filter.at[0] >= 0 &&
            filter.at[1] >= 0;
    for (int i = 0; i < 2; i++) {
        tfp_window window = { filter.at[i], strides[1 + i], rates[1 + i], 0 };
        if (!known)
            in.at[1 + i] = TFP_DIM_UNKNOWN;
        else if (!tfp_window_count(&window, padding, in.at[1 + i],
                                   &in.at[1 + i]))
            return;
    }
    in.at[3] = filter.at[2];
    tfp_site_put_form(site, 0, &in);
}

static void infer_as_input_1(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 1)->shape);
}

const tfp_op tfp_ops_conv[] = {
    /* name, outputs, shapes, kind */
    { "Conv2D", "output", infer_conv_2d, 0 },
    { "Conv2DBackpropFilter", "output", infer_2d_by_sizes_1, 0 },
    { "Conv2DBackpropFilterV2", "output", infer_2d_as_input_1, 0 },
    { "Conv2DBackpropInput", "output", infer_conv_2d_to_input, 0 },
    { "Conv2DBackpropInputV2", "output", tfp_infer_same_4d, 0 },
    { "Conv3D", "output", infer_conv_3d, 0 },
    { "Conv3DBackpropFilter", "output", infer_3d_as_input_1, 0 },
    { "Conv3DBackpropFilterV2", "output", infer_3d_by_sizes_1, 0 },
    { "Conv3DBackpropInput", "output", tfp_infer_same_5d, 0 },
    { "Conv3DBackpropInputV2", "output", infer_3d_by_sizes_0, 0 },
    { "DepthwiseConv2dNative", "output", infer_depthwise, 0 },
    { "DepthwiseConv2dNativeBackpropFilter", "output", infer_2d_by_sizes_1, 0 },
    { "DepthwiseConv2dNativeBackpropInput", "output", infer_2d_by_sizes_0, 0 },
    { "Dilation2D", "output", infer_dilation, 0 },
    { "Dilation2DBackpropFilter", "filter_backprop", infer_as_input_1, 0 },
    { "Dilation2DBackpropInput", "in_backprop", tfp_infer_same, 0 },
    { "_FusedConv2D", "output", infer_conv_2d, 0 },
    { "_FusedConv3D", "output", infer_conv_3d, 0 },
    { "_FusedDepthwiseConv2dNative", "output", infer_depthwise, 0 },
    { "QuantizedConv2D", "output,min_output,max_output",
      infer_quantized_conv_2d, 0 },
    { "QuantizedDepthwiseConv2D", "output,min_output,max_output",
      infer_depthwise, 0 },
    { 0 },
};
