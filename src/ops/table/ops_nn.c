/*
 * ops_nn.c - activations, biases, norms, losses.
 */
#include "base/bytes.h"
#include "ops/table/common.h"
#include "ops/table/window.h"

/* ---- Biases ------------------------------------------------------------- */

static bool is_channels_first(const tfp_site *site)
{
    return tfp_span_is(tfp_site_string(site, TFP_KEY_data_format), "NCHW");
}

static void infer_bias(tfp_site *site)
{
    bool first = is_channels_first(site);
    tfp_form in, bias;
    if (tfp_form_input_from(site, 0, first ? 3 : 2, &in) &&
        tfp_form_input_of(site, 1, 1, &bias) &&
        tfp_form_merge_dim(&in, first ? 1 : -1, bias.at[0]))
        tfp_site_put_form(site, 0, &in);
}

static void infer_bias_gradient(tfp_site *site)
{
    bool first = is_channels_first(site);
    tfp_form in;
    if (tfp_form_input_from(site, 0, first ? 3 : 2, &in))
        tfp_site_put_vector(site, 0, tfp_form_dim(&in, first ? 1 : -1));
}

/* ---- Norms -------------------------------------------------------------- */

static int image_rank(const tfp_site *site)
{
    tfp_span text = tfp_site_string(site, TFP_KEY_data_format);
    return tfp_span_is(text, "NDHWC") || tfp_span_is(text, "NCDHW") ? 5 : 4;
}

/* Vectors of inputs `first` to `last` have one element for each channel. */
static bool merge_channels(const tfp_site *site, size_t first, size_t last,
                           int64_t *channels)
{
    for (size_t i = first; i <= last; i++) {
        tfp_form vector;
        if (!tfp_form_input_of(site, i, 1, &vector) ||
            !tfp_dim_merge(*channels, vector.at[0], channels))
            return false;
    }
    return true;
}

static void infer_norm(tfp_site *site)
{
    int rank = image_rank(site);
    bool trains = tfp_site_bool(site, TFP_KEY_is_training, true) &&
                  tfp_site_float(site, TFP_KEY_exponential_avg_factor, 1) == 1;
    tfp_image_axes axes;
    tfp_form x;
    if (!tfp_site_image_axes(site, rank, &axes) ||
        !tfp_form_input_of(site, 0, rank, &x) ||
        !merge_channels(site, 1, trains ? 2 : 4, &x.at[axes.channels]))
        return;
    tfp_site_put_form(site, 0, &x);
    for (size_t i = 1; i < 5; i++)
        tfp_site_put_vector(site, i, x.at[axes.channels]);
}

static void infer_norm_gradient(tfp_site *site)
{
    int rank = image_rank(site);
    tfp_image_axes axes;
    tfp_form dy, x;
    int64_t *channels;
    if (!tfp_site_image_axes(site, rank, &axes) ||
        !tfp_form_input_of(site, 0, rank, &dy) ||
        !tfp_form_input_of(site, 1, rank, &x))
        return;
    channels = &dy.at[axes.channels];
    if (!tfp_dim_merge(*channels, x.at[axes.channels], channels))
        return;
    tfp_site_put_form(site, 5, &dy); /* of what was added, if anything was */
    if (!merge_channels(site, 2, 4, channels))
        return;
    tfp_site_put_form(site, 0, &dy);
    tfp_site_put_vector(site, 1, *channels);
    tfp_site_put_vector(site, 2, *channels);
    tfp_site_put_vector(site, 3, 0);
    tfp_site_put_vector(site, 4, 0);
}

static void infer_global_norm(tfp_site *site)
{
    tfp_form x;
    if (tfp_form_input_of(site, 0, 4, &x) &&
        merge_channels(site, 1, 4, &x.at[3]))
        tfp_site_put_form(site, 0, &x);
}

static void infer_global_norm_gradient(tfp_site *site)
{
    tfp_form x, dy;
    tfp_form_input(site, 4, &dy);
    if (!tfp_form_input_of(site, 0, 4, &x) || !tfp_form_merge(&x, &dy) ||
        !merge_channels(site, 1, 3, &x.at[3]))
        return;
    tfp_site_put_form(site, 0, &x);
    for (size_t i = 1; i < 5; i++)
        tfp_site_put_vector(site, i, x.at[3]);
}

static void infer_lrn_gradient(tfp_site *site)
{
    tfp_form out, next;
    if (!tfp_form_input_of(site, 0, 4, &out))
        return;
    for (size_t i = 1; i < 3; i++) {
        tfp_form_input(site, i, &next);
        if (!tfp_form_merge(&out, &next))
            return;
    }
    tfp_site_put_form(site, 0, &out);
}

/* ---- Losses ------------------------------------------------------------- */

static void infer_cross_entropy(tfp_site *site)
{
    tfp_form logits, labels, both;
    tfp_form_input(site, 0, &logits);
    tfp_form_input(site, 1, &labels);
    if (logits.rank < 0)
        tfp_form_unknown(&logits, 2);
    both = logits;
    if ((both.rank != 2 || !tfp_form_merge(&both, &labels)) &&
        !tfp_form_broadcast(&logits, &labels, &both))
        return;
    if (both.rank != 2)
        return;
    tfp_site_put_vector(site, 0, both.at[0]);
    tfp_site_put_form(site, 1, &both);
}

static void infer_sparse_cross_entropy(tfp_site *site)
{
    tfp_form logits, labels;
    if (!tfp_form_input_of(site, 0, 2, &logits) ||
        !tfp_form_input_of(site, 1, 1, &labels) ||
        !tfp_dim_merge(logits.at[0], labels.at[0], &logits.at[0]))
        return;
    tfp_site_put_vector(site, 0, logits.at[0]);
    tfp_site_put_form(site, 1, &logits);
}

#define NORM "attr(is_training, 1) ? 6 * #x0 + 10 * #x1 : 2 * #x0 + 6 * #x1"
/* Then another tensor may be added, and what is below 0 cut off. */
#define NORM_EX                                                                \
    "(" NORM ") + ((attr(num_side_inputs, 0) > 0) + "                          \
    "(attr(activation_mode, '') == 'Relu')) * #x0"

const tfp_op tfp_ops_nn[] = {
    /* name, outputs, shapes */
    { "BatchNormWithGlobalNormalization", "result", infer_global_norm,
      .formula = "2 * #x0 + 6 * #x1" },
    { "BatchNormWithGlobalNormalizationGrad", "dx,dm,dv,db,dg",
      infer_global_norm_gradient, .formula = "9 * #x0 + 10 * #x1" },
    { "BiasAdd", "output", infer_bias, .formula = "#x0", .upstream = "#x0" },
    { "BiasAddGrad", "output", infer_bias_gradient,
      .formula = "max(#x0 - #y0, 0)", .upstream = "#x0 - #y0" },
    { "BiasAddV1", "output", infer_bias,
      .formula = "#x0" }, /* Normalization. */
    { "Elu", "activations", tfp_infer_same,
      .formula = "3 * #x0" }, /* comparison, exp, sub */
    { "EluGrad", "backprops", tfp_infer_merged_two,
      .formula = "3 * #x0" }, /* comparison, add, mul */
    { "FusedBatchNorm",
      "y,batch_mean,batch_variance,reserve_space_1,reserve_space_2", infer_norm,
      .formula = NORM },
    { "_FusedBatchNormEx",
      "y,batch_mean,batch_variance,reserve_space_1,reserve_space_2,reserve_"
      "space_3",
      infer_norm, .formula = NORM_EX },
    { "FusedBatchNormGrad",
      "x_backprop,scale_backprop,offset_backprop,reserve_space_3,reserve_space_"
      "4",
      infer_norm_gradient, .formula = "9 * #x0 + 10 * #x2" },
    { "_FusedBatchNormGradEx",
      "x_backprop,scale_backprop,offset_backprop,reserve_space_4,reserve_space_"
      "5,side_input_backprop*num_side_inputs",
      infer_norm_gradient, .formula = NULL },
    { "FusedBatchNormGradV2",
      "x_backprop,scale_backprop,offset_backprop,reserve_space_3,reserve_space_"
      "4",
      infer_norm_gradient, .formula = "9 * #x0 + 10 * #x2" },
    { "FusedBatchNormGradV3",
      "x_backprop,scale_backprop,offset_backprop,reserve_space_4,reserve_space_"
      "5",
      infer_norm_gradient, .formula = "9 * #x0 + 10 * #x2" },
    { "FusedBatchNormV2",
      "y,batch_mean,batch_variance,reserve_space_1,reserve_space_2", infer_norm,
      .formula = NORM },
    { "FusedBatchNormV3",
      "y,batch_mean,batch_variance,reserve_space_1,reserve_space_2,reserve_"
      "space_3",
      infer_norm, .formula = NORM },
    { "L2Loss", "output", tfp_infer_scalar, .formula = "max(3 * #x0 - 1, 0)",
      .upstream = "3 * #x0 - 1" },
    { "LRN", "output", tfp_infer_same_4d,
      .formula = "(2 * attr(depth_radius, 5) + 5) * #x0" },
    { "LRNGrad", "output", infer_lrn_gradient,
      .formula = "(14 * attr(depth_radius, 5) + 11) * #x0" },
    { "LeakyRelu", "activations", tfp_infer_same,
      .formula = "2 * #x0" }, /* mul, max */
    { "LeakyReluGrad", "backprops", tfp_infer_merged_two,
      .formula = "2 * #x0" }, /* comparison, mul */
    { "LogSoftmax", "logsoftmax", tfp_infer_same_from_1d,
      .formula = "5 * #x0" }, /* max, sub, exp, sum, sub */
    { "Relu", "activations", tfp_infer_same, .formula = "#x0" },
    { "Relu6", "activations", tfp_infer_same,
      .formula = "2 * #x0" }, /* max, min */
    { "Relu6Grad", "backprops", tfp_infer_merged_two,
      .formula = "2 * #x0" }, /* two comparisons */
    { "ReluGrad", "backprops", tfp_infer_merged_two, .formula = "#x0" },
    { "Selu", "activations", tfp_infer_same,
      .formula = "4 * #x0" }, /* Elu, mul */
    { "SeluGrad", "backprops", tfp_infer_merged_two,
      .formula = "3 * #x0" }, /* comparison, add, mul */
    { "Softmax", "softmax", tfp_infer_same_from_1d, .formula = "5 * #x0",
      .upstream = "5 * #x0" },
    { "SoftmaxCrossEntropyWithLogits", "loss,backprop", infer_cross_entropy,
      .formula = "8 * #x0" },
    { "Softplus", "activations", tfp_infer_same,
      .formula = "2 * #x0" }, /* exp, log1p */
    { "SoftplusGrad", "backprops", tfp_infer_merged_two,
      .formula = "4 * #x0" }, /* dy/(exp(-x) + 1) */
    { "Softsign", "activations", tfp_infer_same,
      .formula = "3 * #x0" }, /* abs, add, div */
    { "SoftsignGrad", "backprops", tfp_infer_merged_two,
      .formula = "4 * #x0" }, /* dy/(1 + |x|)^2 */
    { "SparseSoftmaxCrossEntropyWithLogits", "loss,backprop",
      infer_sparse_cross_entropy, .formula = "6 * #x0" }, /* Quantization. */
    { 0 },
};
