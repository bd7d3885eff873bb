/*
 * ops_pool.c - pools, and their gradients.
 */
#include <math.h>

#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/window.h"

/* ---- Fixed windows ------------------------------------------------------ */

/* What slides over input 0. */
typedef struct pool {
    int rank; /* of the images */
    const int64_t *sizes, *strides;
    bool pools_channels; /* too */
} pool;

static bool pool_dim(const tfp_site *site, const pool *p, int axis,
                     int64_t *dim)
{
    tfp_window window = { p->sizes[axis], p->strides[axis], 1,
                          tfp_site_pads(site, axis) };
    return tfp_window_count(&window, tfp_site_padding(site), *dim, dim);
}

static void put_pool(tfp_site *site, const pool *p)
{
    tfp_image_axes axes;
    tfp_form image;
    if (!p->sizes || !p->strides ||
        !tfp_site_image_axes(site, p->rank, &axes) ||
        !tfp_form_input_of(site, 0, p->rank, &image))
        return;
    for (int i = 0; i < p->rank - 2; i++) {
        int axis = axes.spatial + i;
        if (!pool_dim(site, p, axis, &image.at[axis]))
            return;
    }
    if (p->pools_channels &&
        !pool_dim(site, p, axes.channels, &image.at[axes.channels]))
        return;
    tfp_site_put_form(site, 0, &image);
}

static void infer_pool(tfp_site *site, int rank, bool pools_channels)
{
    pool p = { rank, tfp_site_ints_of(site, TFP_KEY_ksize, (size_t)rank),
               tfp_site_ints_of(site, TFP_KEY_strides, (size_t)rank),
               pools_channels };
    put_pool(site, &p);
}

static void infer_avg_pool(tfp_site *site)
{
    infer_pool(site, 4, false);
}

static void infer_max_pool(tfp_site *site)
{
    infer_pool(site, 4, true);
}

static void infer_pool_3d(tfp_site *site)
{
    infer_pool(site, 5, false);
}

static void infer_max_pool_argmax(tfp_site *site)
{
    infer_max_pool(site);
    if (site->output_count > 1)
        tfp_site_put_shape(site, 1, site->outputs[0].of[site->grade].shape);
}

/* Sizes and strides are the last two inputs. */
static void infer_max_pool_v2(tfp_site *site)
{
    tfp_value sizes, strides;
    pool p = { .rank = 4, .pools_channels = true };
    if (site->input_count < 3 ||
        !tfp_site_ints_value(site, site->input_count - 2, &sizes) ||
        !tfp_site_ints_value(site, site->input_count - 1, &strides) ||
        sizes.count != 4 || strides.count != 4)
        return;
    p.sizes = sizes.at;
    p.strides = strides.at;
    put_pool(site, &p);
}

/* With a range: two scalars. */
static void infer_quantized_max_pool(tfp_site *site)
{
    infer_max_pool(site);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

static void infer_quantized_avg_pool(tfp_site *site)
{
    infer_avg_pool(site);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

/* ---- Windows of random sizes -------------------------------------------- */

static void infer_fractional_pool(tfp_site *site)
{
    const int64_t *ratios = tfp_site_ints_of(site, TFP_KEY_pooling_ratio, 4);
    tfp_form image;
    if (!ratios || !tfp_form_input_of(site, 0, 4, &image))
        return;
    for (int i = 0; i < 4; i++) {
        double ratio = tfp_double_of_bits(ratios[i]);
        double size = floor((double)image.at[i] / ratio);
        if (image.at[i] < 0)
            continue;
        if (!(ratio >= 1) || !(size >= 0) || !(size < 9e18))
            return;
        image.at[i] = (int64_t)size;
    }
    tfp_site_put_form(site, 0, &image);
    tfp_site_put_vector(site, 1, image.at[1]);
    tfp_site_put_vector(site, 2, image.at[2]);
}

/* ---- Gradients ---------------------------------------------------------- */

static void infer_2d_by_sizes(tfp_site *site)
{
    tfp_site_put_input_as_shape(site, 0, 4);
}

/* The whole value is needed, not a part of it. */
static void infer_2d_by_whole_sizes(tfp_site *site)
{
    tfp_value sizes;
    if (tfp_site_ints_value(site, 0, &sizes))
        tfp_site_put_input_as_shape(site, 0, (int)sizes.count);
    else
        tfp_site_put_unknown_dims(site, 0, 4);
}

static void infer_3d_by_sizes(tfp_site *site)
{
    tfp_site_put_input_as_shape(site, 0, 5);
}

/* TensorFlow's profiler takes a kernel that is missing as one of area 1. */
#define UPSTREAM_AREA "first_known(prod(@ksize), 1)"

const tfp_op tfp_ops_pool[] = {
    /* name, outputs, shapes */
    { "AvgPool", "output", infer_avg_pool, .formula = "prod(@ksize) * #y0",
      .upstream = "nhwc: " UPSTREAM_AREA " * #y0" },
    { "AvgPool3D", "output", infer_pool_3d, .formula = "prod(@ksize) * #y0" },
    { "AvgPool3DGrad", "output", infer_3d_by_sizes,
      .formula = "2 * prod(@ksize) * #x1" },
    { "AvgPoolGrad", "output", infer_2d_by_sizes,
      .formula = "2 * prod(@ksize) * #x1",
      .upstream = "nhwc: 2 * " UPSTREAM_AREA " * #x1" },
    { "FractionalAvgPool", "output,row_pooling_sequence,col_pooling_sequence",
      infer_fractional_pool, .formula = "#x0" },
    { "FractionalAvgPoolGrad", "output", infer_2d_by_whole_sizes,
      .formula = "#y0 + #x1" },
    { "FractionalMaxPool", "output,row_pooling_sequence,col_pooling_sequence",
      infer_fractional_pool, .formula = "#x0" },
    { "FractionalMaxPoolGrad", "output", tfp_infer_same_4d,
      .formula = "#x0 + #x2" },
    { "MaxPool", "output", infer_max_pool, .formula = "prod(@ksize) * #y0",
      .upstream = "nhwc: " UPSTREAM_AREA " * #y0" },
    { "MaxPool3D", "output", infer_pool_3d, .formula = "prod(@ksize) * #y0" },
    { "MaxPool3DGrad", "output", tfp_infer_same_5d,
      .formula = "(prod(@ksize) + 1) * #x1" },
    { "MaxPool3DGradGrad", "output", infer_pool_3d,
      .formula = "(prod(@ksize) + 1) * #x1" },
    { "MaxPoolGrad", "output", tfp_infer_same_4d,
      .formula = "(prod(@ksize) + 1) * #x1",
      .upstream = "nhwc: (" UPSTREAM_AREA " + 1) * #x1" },
    { "MaxPoolGradGrad", "output", infer_max_pool,
      .formula = "(prod(@ksize) + 1) * #x1" },
    { "MaxPoolGradGradV2", "output", infer_max_pool_v2,
      .formula = "(prod(value(x3)) + 1) * #x1" },
    { "MaxPoolGradGradWithArgmax", "output", infer_max_pool,
      .formula = "free" },
    { "MaxPoolGradV2", "output", tfp_infer_same_4d,
      .formula = "(prod(value(x3)) + 1) * #x1" },
    { "MaxPoolGradWithArgmax", "output", tfp_infer_same_4d, .formula = "#x1" },
    { "MaxPoolV2", "output", infer_max_pool_v2,
      .formula = "prod(value(x1)) * #y0" },
    { "MaxPoolWithArgmax", "output,argmax", infer_max_pool_argmax,
      .formula = "prod(@ksize) * #y0" },
    { "QuantizedAvgPool", "output,min_output,max_output",
      infer_quantized_avg_pool, .formula = "int_ops: prod(@ksize) * #y0" },
    { "QuantizedMaxPool", "output,min_output,max_output",
      infer_quantized_max_pool, .formula = "int_ops: prod(@ksize) * #y0" },
    { "_QuantizedMaxPool3D", "output,min_output,max_output", infer_pool_3d,
      .formula = "int_ops: prod(@ksize) * #y0" },
    { 0 },
};
