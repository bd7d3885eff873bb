/*
 * ops_conv.c - convolutions, and their gradients.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/window.h"

/* How a convolution of any number of spatial dims is set. */
typedef struct conv {
    int rank;    /* of the images, with one dim for batches */
    int batches; /* dims more than that, at the beginning */
    tfp_image_axes axes;
    tfp_padding padding;
    const int64_t *strides, *dilations; /* for each axis; NULL: all 1 */
    bool turns; /* of Conv3D TensorFlow takes the dilation of rows for that of
                 * columns, and the other way round */
} conv;

static bool conv_read(const tfp_site *site, int rank, conv *c)
{
    size_t count;
    c->rank = rank;
    c->batches = 0;
    c->turns = false;
    c->padding = tfp_site_padding(site);
    c->strides = tfp_site_ints_of(site, TFP_KEY_strides, (size_t)rank);
    c->dilations = tfp_site_ints_of(site, TFP_KEY_dilations, (size_t)rank);
    tfp_site_list(site, TFP_KEY_dilations, &count);
    return tfp_site_image_axes(site, rank, &c->axes) && c->strides &&
           (c->dilations || count == 0);
}

static int64_t conv_dilation(const conv *c, int i)
{
    int other = c->turns && i > 0 ? 3 - i : i;
    return c->dilations ? c->dilations[c->axes.spatial + other] : 1;
}

/* Slides `filter`, whose first dims are spatial, over `image`. */
static bool conv_slide(const tfp_site *site, const conv *c, tfp_form *image,
                       const tfp_form *filter)
{
    for (int i = 0; i < c->rank - 2; i++) {
        int axis = c->axes.spatial + i;
        int64_t *dim = &image->at[c->batches + axis];
        tfp_window window = { filter->at[i], c->strides[axis],
                              conv_dilation(c, i), tfp_site_pads(site, axis) };
        if (!tfp_window_count(&window, c->padding, *dim, dim))
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
    if (!conv_read(site, rank, &c))
        return;
    c.turns = rank == 5;
    if (!tfp_form_input_of(site, 0, rank, &image) ||
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

/* The filter says how many spatial dims there are; all before these and the
 * channels are batches. */
static void infer_conv_any(tfp_site *site)
{
    int64_t batches = tfp_site_int(site, TFP_KEY_batch_dims, 1), *channels;
    tfp_form image, filter;
    conv c;
    tfp_form_input(site, 0, &image);
    tfp_form_input(site, 1, &filter);
    if (image.rank < 0 || filter.rank < 4 || filter.rank > 5 || batches < 1 ||
        batches > TFP_MOST_RANK || image.rank != batches + filter.rank - 1 ||
        !conv_read(site, filter.rank, &c))
        return;
    c.batches = (int)batches - 1;
    channels = &image.at[c.batches + c.axes.channels];
    if (!groups_fit(*channels, filter.at[filter.rank - 2],
                    filter.at[filter.rank - 1]) ||
        !conv_slide(site, &c, &image, &filter))
        return;
    *channels = filter.at[filter.rank - 1];
    tfp_site_put_form(site, 0, &image);
}

/* ---- Padded or resized before ------------------------------------------- */

/* What the rows of input `i`, before and after, add to each dim. */
static void pad_by_input(const tfp_site *site, size_t i, tfp_form *image)
{
    tfp_value pads;
    if (!tfp_site_ints_value(site, i, &pads) || pads.count != 8) {
        tfp_form_unknown(image, 4);
        return;
    }
    for (int k = 0; k < 4; k++)
        image->at[k] = tfp_dim_add(
            image->at[k], tfp_dim_add(pads.at[2 * k], pads.at[2 * k + 1]));
}

/* `pads` is the input that pads, and the filter comes after it. */
static void infer_fused_conv(tfp_site *site, tfp_form *image, size_t pads)
{
    int64_t depth;
    tfp_form filter;
    conv c;
    pad_by_input(site, pads, image);
    if (!conv_read(site, 4, &c) ||
        !tfp_form_input_of(site, pads + 1, 4, &filter) ||
        !tfp_dim_merge(image->at[3], filter.at[2], &depth) ||
        !conv_slide(site, &c, image, &filter))
        return;
    image->at[3] = filter.at[3];
    tfp_site_put_form(site, 0, image);
}

static void infer_pad_conv(tfp_site *site)
{
    tfp_form image;
    if (tfp_form_input_of(site, 0, 4, &image))
        infer_fused_conv(site, &image, 1);
}

static void infer_resize_conv(tfp_site *site)
{
    tfp_form image;
    tfp_value size;
    if (!tfp_form_input_of(site, 0, 4, &image))
        return;
    if (!tfp_site_ints_value(site, 1, &size) || size.count != 2)
        image.at[1] = image.at[2] = TFP_DIM_UNKNOWN;
    else
        for (int i = 0; i < 2; i++)
            image.at[1 + i] = size.at[i] < 0 ? TFP_DIM_UNKNOWN : size.at[i];
    infer_fused_conv(site, &image, 2);
}

/* ---- A filter for each channel ------------------------------------------ */

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

/* ---- With the range of what comes out ----------------------------------- */

static void infer_quantized_conv_2d(tfp_site *site)
{
    infer_conv(site, 4);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

/* The range is as that of the filter: input `i` and the one before. */
static void infer_ranged_conv_2d(tfp_site *site, size_t i)
{
    infer_conv(site, 4);
    tfp_site_put_shape(site, 1, tfp_site_input_fact(site, i)->shape);
    tfp_site_put_shape(site, 2, tfp_site_input_fact(site, i)->shape);
}

static void infer_ranged_conv(tfp_site *site)
{
    infer_ranged_conv_2d(site, 5);
}

static void infer_ranged_conv_bias(tfp_site *site)
{
    infer_ranged_conv_2d(site, 6);
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

/* The bias, what is added, what is cut off, and the new range: `n` operations
 * for each element. */
#define CONV(n) "macs: #y0 * prod(x1, 0, -1); int_ops: 2 * macs + " #n " * #y0"
#define DEPTHWISE(n)                                                           \
    "macs: #y0 * prod(x1, 0, 2); int_ops: 2 * macs + " #n " * #y0"

const tfp_op tfp_ops_conv[] = {
    /* name, outputs, shapes */
    { "Conv", "output", infer_conv_any,
      .formula = "macs: #y0 * prod(x1, 0, -1)" },
    { "Conv2D", "output", infer_conv_2d,
      .formula = "macs: #y0 * prod(x1, 0, -1)",
      .upstream = "x0 x1: 2 * #y0 * prod(x1, 0, 3)" },
    { "Conv2DBackpropFilter", "output", infer_2d_by_sizes_1,
      .formula = "macs: #x2 * prod(y0, 0, -1)",
      .upstream = "nhwc: by filter_gradient" },
    { "Conv2DBackpropFilterV2", "output", infer_2d_as_input_1,
      .formula = "macs: #x2 * prod(y0, 0, -1)" },
    { "Conv2DBackpropInput", "output", infer_conv_2d_to_input,
      .formula = "macs: #x2 * prod(x1, 0, -1)",
      .upstream = "nhwc: by input_gradient" },
    { "Conv2DBackpropInputV2", "output", tfp_infer_same_4d,
      .formula = "macs: #x2 * prod(x1, 0, -1)" },
    { "Conv3D", "output", infer_conv_3d,
      .formula = "macs: #y0 * prod(x1, 0, -1)",
      .upstream = "x0 x1: 2 * #y0 * prod(x1, 0, 4)" },
    { "Conv3DBackpropFilter", "output", infer_3d_as_input_1,
      .formula = "macs: #x2 * prod(y0, 0, -1)" },
    { "Conv3DBackpropFilterV2", "output", infer_3d_by_sizes_1,
      .formula = "macs: #x2 * prod(y0, 0, -1)" },
    { "Conv3DBackpropInput", "output", tfp_infer_same_5d,
      .formula = "macs: #x2 * prod(x1, 0, -1)" },
    { "Conv3DBackpropInputV2", "output", infer_3d_by_sizes_0,
      .formula = "macs: #x2 * prod(x1, 0, -1)" },
    { "DepthwiseConv2dNative", "output", infer_depthwise,
      .formula = "macs: #y0 * prod(x1, 0, 2)",
      .upstream = "x0 x1: 2 * #y0 * prod(x1, 0, 2)" },
    { "DepthwiseConv2dNativeBackpropFilter", "output", infer_2d_by_sizes_1,
      .formula = "macs: #x2 * prod(y0, 0, 2)" },
    { "DepthwiseConv2dNativeBackpropInput", "output", infer_2d_by_sizes_0,
      .formula = "macs: #x2 * prod(x1, 0, 2)" },
    { "Dilation2D", "output", infer_dilation,
      .formula = "2 * #y0 * prod(x1, 0, 2)",
      .upstream = "x0 x1: 2 * #y0 * prod(x1, 0, 2)" },
    { "Dilation2DBackpropFilter", "filter_backprop", infer_as_input_1,
      .formula = "#x2 * (2 * prod(x1, 0, 2) + 1)" },
    { "Dilation2DBackpropInput", "in_backprop", tfp_infer_same,
      .formula = "#x2 * (2 * prod(x1, 0, 2) + 1)" },
    { "_FusedConv2D", "output", infer_conv_2d,
      .formula = "macs: #y0 * prod(x1, 0, -1); by fused_ops" },
    { "_FusedConv3D", "output", infer_conv_3d,
      .formula = "macs: #y0 * prod(x1, 0, -1); by fused_ops" },
    { "_FusedDepthwiseConv2dNative", "output", infer_depthwise,
      .formula = "macs: #y0 * prod(x1, 0, 2); by fused_ops" },
    { "FusedPadConv2D", "output", infer_pad_conv,
      .formula = "macs: #y0 * prod(x2, 0, -1)" },
    { "FusedResizeAndPadConv2D", "output", infer_resize_conv,
      .formula = "macs: #y0 * prod(x3, 0, -1); ops: 2 * macs + 9 * x0[0] * "
                 "value(x1, 0) * value(x1, 1) * x0[3]" },
    { "QuantizedConv2D", "output,min_output,max_output",
      infer_quantized_conv_2d,
      .formula = "macs: #y0 * prod(x1, 0, -1); int_ops: 2 * macs" },
    { "QuantizedConv2DAndRelu", "output,min_output,max_output",
      infer_ranged_conv, .formula = CONV(1) },
    { "QuantizedConv2DAndReluAndRequantize", "output,min_output,max_output",
      infer_quantized_conv_2d, .formula = CONV(5) },
    { "QuantizedConv2DAndRequantize", "output,min_output,max_output",
      infer_quantized_conv_2d, .formula = CONV(4) },
    { "QuantizedConv2DPerChannel", "output,min_output,max_output",
      infer_ranged_conv,
      .formula = "macs: #y0 * prod(x1, 0, -1); int_ops: 2 * macs" },
    { "QuantizedConv2DWithBias", "output,min_output,max_output",
      infer_ranged_conv_bias, .formula = CONV(1) },
    { "QuantizedConv2DWithBiasAndRelu", "output,min_output,max_output",
      infer_ranged_conv_bias, .formula = CONV(2) },
    { "QuantizedConv2DWithBiasAndReluAndRequantize",
      "output,min_output,max_output", infer_quantized_conv_2d,
      .formula = CONV(6) },
    { "QuantizedConv2DWithBiasAndRequantize", "output,min_output,max_output",
      infer_quantized_conv_2d, .formula = CONV(5) },
    { "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize",
      "output,min_output,max_output", infer_quantized_conv_2d,
      .formula = CONV(7) },
    { "QuantizedConv2DWithBiasSumAndRelu", "output,min_output,max_output",
      infer_ranged_conv_bias, .formula = CONV(3) },
    { "QuantizedConv2DWithBiasSumAndReluAndRequantize",
      "output,min_output,max_output", infer_quantized_conv_2d,
      .formula = CONV(7) },
    { "QuantizedDepthwiseConv2D", "output,min_output,max_output",
      infer_depthwise,
      .formula = "macs: #y0 * prod(x1, 0, 2); int_ops: 2 * macs" },
    { "QuantizedDepthwiseConv2DWithBias", "output,min_output,max_output",
      infer_depthwise, .formula = DEPTHWISE(1) },
    { "QuantizedDepthwiseConv2DWithBiasAndRelu", "output,min_output,max_output",
      infer_depthwise, .formula = DEPTHWISE(2) },
    { "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize",
      "output,min_output,max_output", infer_depthwise,
      .formula = DEPTHWISE(6) },
    { 0 },
};
