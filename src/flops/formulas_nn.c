/*
 * formulas_nn.c - convolutions, pools, normalization, activations, losses.
 *
 * A convolution counts every tap of its kernel, those on padding too, as
 * TensorFlow's own formula does.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "shape/fact/fact.h"
#include "shape/fact/site.h"

/* ---- Convolutions ------------------------------------------------------- */

/* All dims of a filter but the last, which is the depth of what comes out. */
static bool filter_taps(tfp_dims filter, int64_t *taps)
{
    return filter.rank > 0 &&
           tfp_dims_product(filter, 0, filter.rank - 1, taps);
}

static tfp_counted put_taps(tfp_tally *tally, bool known, int64_t elements,
                            int64_t taps)
{
    if (!known)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tfp_tally_macs(tally, tfp_mul_sat(elements, taps));
    return TFP_COUNTED;
}

tfp_counted tfp_rule_conv(const tfp_site *site, const tfp_rule *rule,
                          tfp_tally *tally)
{
    int64_t elements = 0, taps = 0;
    bool known = filter_taps(tfp_site_input(site, rule->input), &taps) &&
                 tfp_output_elements(site, 0, &elements);
    return put_taps(tally, known, elements, taps);
}

/* Both gradients of a convolution do what it does itself: for each element of
 * the gradient that comes in, each tap. */
static tfp_counted count_conv_input(const tfp_site *site, const tfp_rule *rule,
                                    tfp_tally *tally)
{
    int64_t elements = 0, taps = 0;
    bool known = filter_taps(tfp_site_input(site, 1), &taps) &&
                 tfp_input_elements(site, 2, &elements);
    (void)rule;
    return put_taps(tally, known, elements, taps);
}

static tfp_counted count_conv_filter(const tfp_site *site, const tfp_rule *rule,
                                     tfp_tally *tally)
{
    int64_t elements = 0, taps = 0;
    bool known = filter_taps(tfp_site_output(site, 0), &taps) &&
                 tfp_input_elements(site, 2, &elements);
    (void)rule;
    return put_taps(tally, known, elements, taps);
}

/* A kernel for each channel: its extents alone are the taps. */
tfp_counted tfp_rule_depthwise(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    int64_t elements = 0, taps = 0;
    bool known = tfp_dims_product(tfp_site_input(site, 1), 0, 2, &taps) &&
                 tfp_output_elements(site, 0, &elements);
    (void)rule;
    return put_taps(tally, known, elements, taps);
}

static tfp_counted count_depthwise_input(const tfp_site *site,
                                         const tfp_rule *rule, tfp_tally *tally)
{
    int64_t elements = 0, taps = 0;
    bool known = tfp_dims_product(tfp_site_input(site, 1), 0, 2, &taps) &&
                 tfp_input_elements(site, 2, &elements);
    (void)rule;
    return put_taps(tally, known, elements, taps);
}

static tfp_counted count_depthwise_filter(const tfp_site *site,
                                          const tfp_rule *rule,
                                          tfp_tally *tally)
{
    int64_t elements = 0, taps = 0;
    bool known = tfp_dims_product(tfp_site_output(site, 0), 0, 2, &taps) &&
                 tfp_input_elements(site, 2, &elements);
    (void)rule;
    return put_taps(tally, known, elements, taps);
}

/* An addition and a maximum for each tap: no multiplication. */
static tfp_counted count_dilation(const tfp_site *site, const tfp_rule *rule,
                                  tfp_tally *tally)
{
    int64_t elements, taps;
    if (!tfp_dims_product(tfp_site_input(site, 1), 0, 2, &taps) ||
        !tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    (void)rule;
    tally->ops = tfp_mul_sat(2, tfp_mul_sat(elements, taps));
    return TFP_COUNTED;
}

/* The maximum is found again, then the gradient added to where it is. */
static tfp_counted count_dilation_grad(const tfp_site *site,
                                       const tfp_rule *rule, tfp_tally *tally)
{
    int64_t elements, taps;
    if (!tfp_dims_product(tfp_site_input(site, 1), 0, 2, &taps) ||
        !tfp_input_elements(site, 2, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    (void)rule;
    tally->ops = tfp_mul_sat(elements, tfp_add_sat(tfp_mul_sat(2, taps), 1));
    return TFP_COUNTED;
}

/* ---- Pools -------------------------------------------------------------- */

/* The kernel's extents are an attribute, or input `input` when it is not 0.
 * False when they are not known or cannot be. */
static bool kernel_area(const tfp_site *site, size_t input, int64_t *area)
{
    size_t count;
    const int64_t *sizes = tfp_site_list(site, TFP_KEY_ksize, &count);
    tfp_value value;
    if (input != 0) {
        if (!tfp_site_ints_value(site, input, &value))
            return false;
        sizes = value.at;
        count = value.count;
    }
    *area = 1;
    for (size_t i = 0; i < count; i++) {
        if (sizes[i] < 1)
            return false;
        *area = tfp_mul_sat(*area, sizes[i]);
    }
    return count > 0;
}

static tfp_counted count_pool(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    int64_t elements, area;
    if (!kernel_area(site, rule->input, &area) ||
        !tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(area, elements);
    return TFP_COUNTED;
}

static tfp_counted count_avg_pool_grad(const tfp_site *site,
                                       const tfp_rule *rule, tfp_tally *tally)
{
    int64_t elements, area;
    if (!kernel_area(site, rule->input, &area) ||
        !tfp_input_elements(site, 1, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(2, tfp_mul_sat(area, elements));
    return TFP_COUNTED;
}

static tfp_counted count_max_pool_grad(const tfp_site *site,
                                       const tfp_rule *rule, tfp_tally *tally)
{
    int64_t elements, area;
    if (!kernel_area(site, rule->input, &area) ||
        !tfp_input_elements(site, 1, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(tfp_add_sat(area, 1), elements);
    return TFP_COUNTED;
}

/* The sum of the elements of two tensors: input 0 and input 2, or output 0 and
 * input 1. */
static tfp_counted count_fractional_max_grad(const tfp_site *site,
                                             const tfp_rule *rule,
                                             tfp_tally *tally)
{
    int64_t x, dy;
    (void)rule;
    if (!tfp_input_elements(site, 0, &x) || !tfp_input_elements(site, 2, &dy))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_add_sat(x, dy);
    return TFP_COUNTED;
}

static tfp_counted count_fractional_avg_grad(const tfp_site *site,
                                             const tfp_rule *rule,
                                             tfp_tally *tally)
{
    int64_t y, dy;
    (void)rule;
    if (!tfp_output_elements(site, 0, &y) || !tfp_input_elements(site, 1, &dy))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_add_sat(y, dy);
    return TFP_COUNTED;
}

/* ---- Normalization ------------------------------------------------------ */

/* a*#x + b*C, where input `channels` has one element a channel. */
static tfp_counted put_norm(const tfp_site *site, size_t channels, int64_t a,
                            int64_t b, tfp_tally *tally)
{
    int64_t x, c;
    if (!tfp_input_elements(site, 0, &x) ||
        !tfp_input_elements(site, channels, &c))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_add_sat(tfp_mul_sat(a, x), tfp_mul_sat(b, c));
    return TFP_COUNTED;
}

tfp_counted tfp_rule_norm(const tfp_site *site, const tfp_rule *rule,
                          tfp_tally *tally)
{
    (void)rule;
    return tfp_site_bool(site, TFP_KEY_is_training, true)
               ? put_norm(site, 1, 6, 10, tally)
               : put_norm(site, 1, 2, 6, tally);
}

/* As used, not as trained; `input` has an element a channel. */
static tfp_counted count_norm_used(const tfp_site *site, const tfp_rule *rule,
                                   tfp_tally *tally)
{
    return put_norm(site, rule->input, 2, 6, tally);
}

static tfp_counted count_norm_grad(const tfp_site *site, const tfp_rule *rule,
                                   tfp_tally *tally)
{
    return put_norm(site, rule->input, 9, 10, tally);
}

/* So much for each neighbor in depth, and so much beside. */
static tfp_counted put_neighbours(const tfp_site *site, int64_t each,
                                  int64_t beside, tfp_tally *tally)
{
    int64_t radius = tfp_site_int(site, TFP_KEY_depth_radius, 5);
    int64_t elements;
    if (!tfp_input_elements(site, 0, &elements) || radius < 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(elements,
                             tfp_add_sat(tfp_mul_sat(each, radius), beside));
    return TFP_COUNTED;
}

static tfp_counted count_lrn(const tfp_site *site, const tfp_rule *rule,
                             tfp_tally *tally)
{
    (void)rule;
    return put_neighbours(site, 2, 5, tally);
}

static tfp_counted count_lrn_grad(const tfp_site *site, const tfp_rule *rule,
                                  tfp_tally *tally)
{
    (void)rule;
    return put_neighbours(site, 14, 11, tally);
}

/* ---- The table ---------------------------------------------------------- */

/* clang-format off */
#define CONV(i)     TFP_BY_INPUT(tfp_rule_conv, i, "2*#y*prod(x" #i "[:-1])")
#define CONV_INPUT  TFP_BY(count_conv_input, "2*#x2*prod(x1[:-1])")
#define CONV_FILTER TFP_BY(count_conv_filter, "2*#x2*prod(y[:-1])")
#define DEPTHWISE   TFP_BY(tfp_rule_depthwise, "2*#y*x1[0]*x1[1]")
#define CONV_INT    TFP_INTS(tfp_rule_conv, 0, 1, "2*#y*prod(x1[:-1])")
#define POOL        TFP_BY(count_pool, "prod(ksize)*#y")
#define POOL_INT    TFP_INTS(count_pool, 0, 0, "prod(ksize)*#y")
#define AVG_GRAD    TFP_BY(count_avg_pool_grad, "2*prod(ksize)*#x1")
#define MAX_GRAD(i) TFP_BY_INPUT(count_max_pool_grad, i, \
                    "(prod(ksize) + 1)*#x1")
#define NORM        TFP_BY(tfp_rule_norm, \
                    "is_training ? 6*#x + 10*#x1 : 2*#x + 6*#x1")
#define NORM_GRAD(i) TFP_BY_INPUT(count_norm_grad, i, "9*#x + 10*#x" #i)

const tfp_formula tfp_formulas_nn[] = {
    /* op, full, TensorFlow's own */

    /* Convolutions. */
    { "Conv",   CONV(1), TFP_NONE },
    { "Conv2D", CONV(1),
      TFP_BY_FACTOR(tfp_upstream_conv, 3, "2*#y*x1[0]*x1[1]*x1[2]") },
    { "Conv3D", CONV(1),
      TFP_BY_FACTOR(tfp_upstream_conv, 4, "2*#y*x1[0]*x1[1]*x1[2]*x1[3]") },
    { "Conv2DBackpropInput", CONV_INPUT,
      TFP_BY(tfp_upstream_conv_input, "2*#y*#x1/(y[-1]*strides[1]*strides[2])"
             ", NHWC only") },
    { "Conv2DBackpropInputV2",  CONV_INPUT, TFP_NONE },
    { "Conv3DBackpropInput",    CONV_INPUT, TFP_NONE },
    { "Conv3DBackpropInputV2",  CONV_INPUT, TFP_NONE },
    { "Conv2DBackpropFilter", CONV_FILTER,
      TFP_BY(tfp_upstream_conv_filter, "2*#x*#y/(x[-1]*strides[1]*strides[2])"
             ", NHWC only") },
    { "Conv2DBackpropFilterV2", CONV_FILTER, TFP_NONE },
    { "Conv3DBackpropFilter",   CONV_FILTER, TFP_NONE },
    { "Conv3DBackpropFilterV2", CONV_FILTER, TFP_NONE },
    { "DepthwiseConv2dNative", DEPTHWISE,
      TFP_BY_FACTOR(tfp_upstream_conv, 2, "2*#y*x1[0]*x1[1]") },
    { "DepthwiseConv2dNativeBackpropInput",
      TFP_BY(count_depthwise_input, "2*#x2*x1[0]*x1[1]"), TFP_NONE },
    { "DepthwiseConv2dNativeBackpropFilter",
      TFP_BY(count_depthwise_filter, "2*#x2*y[0]*y[1]"), TFP_NONE },
    { "Dilation2D", TFP_BY(count_dilation, "2*#y*x1[0]*x1[1]"),
      TFP_BY_FACTOR(tfp_upstream_conv, 2, "2*#y*x1[0]*x1[1]") },
    { "Dilation2DBackpropInput",
      TFP_BY(count_dilation_grad, "#x2*(2*x1[0]*x1[1] + 1)"), TFP_NONE },
    { "Dilation2DBackpropFilter",
      TFP_BY(count_dilation_grad, "#x2*(2*x1[0]*x1[1] + 1)"), TFP_NONE },
    { "FusedPadConv2D",   CONV(2), TFP_NONE },
    { "QuantizedConv2D",           CONV_INT, TFP_NONE },
    { "QuantizedConv2DPerChannel", CONV_INT, TFP_NONE },
    { "QuantizedDepthwiseConv2D",
      TFP_INTS(tfp_rule_depthwise, 0, 0, "2*#y*x1[0]*x1[1]"), TFP_NONE },

    /* Pools. */
    { "AvgPool",   POOL, TFP_BY(tfp_upstream_pool,
                                "prod(ksize)*#y, NHWC only") },
    { "AvgPool3D", POOL, TFP_NONE },
    { "MaxPool",   POOL, TFP_BY(tfp_upstream_pool,
                                "prod(ksize)*#y, NHWC only") },
    { "MaxPool3D", POOL, TFP_NONE },
    { "MaxPoolV2", TFP_BY_INPUT(count_pool, 1, "prod(ksize)*#y"), TFP_NONE },
    { "MaxPoolWithArgmax", POOL, TFP_NONE },
    { "QuantizedAvgPool",  POOL_INT, TFP_NONE },
    { "QuantizedMaxPool",  POOL_INT, TFP_NONE },
    { "_QuantizedMaxPool3D", POOL_INT, TFP_NONE },
    { "AvgPoolGrad", AVG_GRAD, TFP_BY(tfp_upstream_avg_pool_grad,
                                      "2*prod(ksize)*#x1, NHWC only") },
    { "AvgPool3DGrad",     AVG_GRAD, TFP_NONE },
    { "MaxPoolGrad", MAX_GRAD(0), TFP_BY(tfp_upstream_max_pool_grad,
                                         "(prod(ksize) + 1)*#x1, NHWC only") },
    { "MaxPool3DGrad",     MAX_GRAD(0), TFP_NONE },
    { "MaxPool3DGradGrad", MAX_GRAD(0), TFP_NONE },
    { "MaxPoolGradGrad",   MAX_GRAD(0), TFP_NONE },
    { "MaxPoolGradGradV2", MAX_GRAD(3), TFP_NONE },
    { "MaxPoolGradV2",     MAX_GRAD(3), TFP_NONE },
    { "MaxPoolGradGradWithArgmax", TFP_FREE, TFP_NONE },
    { "MaxPoolGradWithArgmax",     TFP_XI(1, 1), TFP_NONE },
    { "FractionalAvgPool", TFP_X(1), TFP_NONE },
    { "FractionalMaxPool", TFP_X(1), TFP_NONE },
    { "FractionalAvgPoolGrad",
      TFP_BY(count_fractional_avg_grad, "#y + #x1"), TFP_NONE },
    { "FractionalMaxPoolGrad",
      TFP_BY(count_fractional_max_grad, "#x + #x2"), TFP_NONE },

    /* Biases. */
    { "BiasAdd",   TFP_X(1), TFP_X(1) },
    { "BiasAddV1", TFP_X(1), TFP_NONE },

    /* Normalization. */
    { "FusedBatchNorm",       NORM, TFP_NONE },
    { "FusedBatchNormV2",     NORM, TFP_NONE },
    { "FusedBatchNormV3",     NORM, TFP_NONE },
    { "FusedBatchNormGrad",   NORM_GRAD(2), TFP_NONE },
    { "FusedBatchNormGradV2", NORM_GRAD(2), TFP_NONE },
    { "FusedBatchNormGradV3", NORM_GRAD(2), TFP_NONE },
    { "BatchNormWithGlobalNormalization",
      TFP_BY_INPUT(count_norm_used, 1, "2*#x + 6*#x1"), TFP_NONE },
    { "QuantizedBatchNormWithGlobalNormalization",
      TFP_INTS(count_norm_used, 0, 3, "2*#x + 6*#x3"), TFP_NONE },
    { "QuantizedInstanceNorm", TFP_INTS(tfp_rule_input, 6, 0, "6*#x"),
      TFP_NONE },
    { "BatchNormWithGlobalNormalizationGrad", NORM_GRAD(1), TFP_NONE },
    { "LRN",     TFP_BY(count_lrn, "(2*depth_radius + 5)*#x"), TFP_NONE },
    { "LRNGrad", TFP_BY(count_lrn_grad, "(14*depth_radius + 11)*#x"),
      TFP_NONE },

    /* Activations and their gradients. */
    { "Elu",           TFP_X(3), TFP_NONE }, /* comparison, exp, sub */
    { "LeakyRelu",     TFP_X(2), TFP_NONE }, /* mul, max */
    { "LogSoftmax",    TFP_X(5), TFP_NONE }, /* max, sub, exp, sum, sub */
    { "Relu",          TFP_X(1), TFP_NONE },
    { "Relu6",         TFP_X(2), TFP_NONE }, /* max, min */
    { "Selu",          TFP_X(4), TFP_NONE }, /* Elu, mul */
    { "Sigmoid",       TFP_X(4), TFP_NONE }, /* neg, exp, add, reciprocal */
    { "Softmax",       TFP_X(5), TFP_X(5) },
    { "Softplus",      TFP_X(2), TFP_NONE }, /* exp, log1p */
    { "Softsign",      TFP_X(3), TFP_NONE }, /* abs, add, div */
    { "EluGrad",       TFP_X(3), TFP_NONE }, /* comparison, add, mul */
    { "LeakyReluGrad", TFP_X(2), TFP_NONE }, /* comparison, mul */
    { "Relu6Grad",     TFP_X(2), TFP_NONE }, /* two comparisons */
    { "ReluGrad",      TFP_X(1), TFP_NONE },
    { "SeluGrad",      TFP_X(3), TFP_NONE }, /* comparison, add, mul */
    { "SoftplusGrad",  TFP_X(4), TFP_NONE }, /* dy/(exp(-x) + 1) */
    { "SoftsignGrad",  TFP_X(4), TFP_NONE }, /* dy/(1 + |x|)^2 */
    { "QuantizedRelu",  TFP_INTS(tfp_rule_input, 1, 0, "#x"), TFP_NONE },
    { "QuantizedRelu6", TFP_INTS(tfp_rule_input, 2, 0, "2*#x"), TFP_NONE },
    { "QuantizedReluX", TFP_INTS(tfp_rule_input, 2, 0, "2*#x"), TFP_NONE },

    /* Losses: each gives the loss and its gradient. */
    { "SoftmaxCrossEntropyWithLogits",       TFP_X(8), TFP_NONE },
    { "SparseSoftmaxCrossEntropyWithLogits", TFP_X(6), TFP_NONE },

    /* Quantization. */
    { "FakeQuantWithMinMaxArgs",                   TFP_X(6), TFP_NONE },
    { "FakeQuantWithMinMaxArgsGradient",           TFP_X(3), TFP_NONE },
    { "FakeQuantWithMinMaxVars",                   TFP_X(6), TFP_NONE },
    { "FakeQuantWithMinMaxVarsGradient",           TFP_X(4), TFP_NONE },
    { "FakeQuantWithMinMaxVarsPerChannel",         TFP_X(6), TFP_NONE },
    { "FakeQuantWithMinMaxVarsPerChannelGradient", TFP_X(4), TFP_NONE },
    { "QuantizeAndDequantize",       TFP_X(6), TFP_NONE },
    { "QuantizeAndDequantizeV2",     TFP_X(6), TFP_NONE },
    { "QuantizeAndDequantizeV3",     TFP_X(6), TFP_NONE },
    { "QuantizeAndDequantizeV4",     TFP_X(6), TFP_NONE },
    { "QuantizeAndDequantizeV4Grad", TFP_X(4), TFP_NONE },
    { "QuantizeV2",                  TFP_X(4), TFP_NONE },
    { "QuantizedAdd",     TFP_INTS(tfp_rule_output, 1, 0, "#y"), TFP_NONE },
    { "QuantizedBiasAdd", TFP_INTS(tfp_rule_input, 1, 0, "#x"), TFP_NONE },
    { "QuantizedMul",     TFP_INTS(tfp_rule_output, 1, 0, "#y"), TFP_NONE },
    { "RequantizationRange", TFP_INTS(tfp_rule_input, 2, 0, "2*#x"),
      TFP_NONE },
    { "RequantizationRangePerChannel", TFP_INTS(tfp_rule_input, 2, 0, "2*#x"),
      TFP_NONE },
    { "Requantize",       TFP_INTS(tfp_rule_input, 4, 0, "4*#x"), TFP_NONE },
    { "RequantizePerChannel", TFP_INTS(tfp_rule_input, 4, 0, "4*#x"),
      TFP_NONE },
    { "QuantizeDownAndShrinkRange", TFP_INTS(tfp_rule_input, 6, 0, "6*#x"),
      TFP_NONE },
    { 0 },
};
