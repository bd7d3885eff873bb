/*
 * formulas_fused.c - operations that an optimizer has put together.
 *
 * A product or a convolution, and what is done to each element of its result
 * before it is stored: the attribute `fused_ops` names it.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "model/ids.h"
#include "model/model.h"
#include "shape/fact/keys.h"
#include "shape/fact/site.h"

typedef struct step {
    const char *name;
    int64_t ops; /* for each element */
} step;

static const step steps[] = {
    { "Add", 1 },       { "BiasAdd", 1 },         { "BiasAddGrad", 1 },
    { "Elu", 3 },       { "FusedBatchNorm", 2 },  { "GeluApproximate", 9 },
    { "GeluExact", 5 }, { "LeakyRelu", 2 },       { "Mul", 1 },
    { "Relu", 1 },      { "Relu6", 2 },           { "Sigmoid", 4 },
    { "Tanh", 1 },      { "_FusedHardSwish", 5 }, { "_FusedSwish", 5 },
};

/* False when one of them is none that we know. */
static bool sum_steps(const tfp_site *site, tfp_key key, int64_t *ops)
{
    size_t count;
    const int64_t *names = tfp_site_list(site, key, &count);
    *ops = 0;
    for (size_t i = 0; i < count; i++) {
        tfp_span name = tfp_model_text(site->model, (tfp_string)names[i]);
        size_t k = 0;
        while (k < sizeof(steps) / sizeof(*steps) &&
               !tfp_span_is(name, steps[k].name))
            k++;
        if (k == sizeof(steps) / sizeof(*steps))
            return false;
        *ops = tfp_add_sat(*ops, steps[k].ops);
    }
    return true;
}

static tfp_counted add_steps(const tfp_site *site, tfp_tally *tally)
{
    int64_t each, elements;
    if (!sum_steps(site, TFP_KEY_fused_ops, &each))
        return TFP_COUNTED_NO_FORMULA;
    if (!tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_add_sat(tally->ops, tfp_mul_sat(each, elements));
    return TFP_COUNTED;
}

static tfp_counted count_matmul(const tfp_site *site, const tfp_rule *rule,
                                tfp_tally *tally)
{
    tfp_counted counted = tfp_rule_matmul(site, rule, tally);
    return counted == TFP_COUNTED ? add_steps(site, tally) : counted;
}

static tfp_counted count_conv(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    tfp_counted counted = tfp_rule_conv(site, rule, tally);
    return counted == TFP_COUNTED ? add_steps(site, tally) : counted;
}

static tfp_counted count_depthwise(const tfp_site *site, const tfp_rule *rule,
                                   tfp_tally *tally)
{
    tfp_counted counted = tfp_rule_depthwise(site, rule, tally);
    return counted == TFP_COUNTED ? add_steps(site, tally) : counted;
}

/* Then another tensor may be added, and what is below 0 cut off. */
static tfp_counted count_norm(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    int64_t each = tfp_site_int(site, TFP_KEY_num_side_inputs, 0) > 0;
    int64_t elements;
    tfp_counted counted = tfp_rule_norm(site, rule, tally);
    if (tfp_span_is(tfp_site_string(site, TFP_KEY_activation_mode), "Relu"))
        each++;
    if (counted != TFP_COUNTED || !tfp_input_elements(site, 0, &elements))
        return counted;
    tally->ops = tfp_add_sat(tally->ops, tfp_mul_sat(each, elements));
    return TFP_COUNTED;
}

/* A chain of functions of one argument. */
static tfp_counted count_chain(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    size_t count;
    int64_t elements;
    (void)rule;
    tfp_site_list(site, TFP_KEY_op_names, &count);
    if (!tfp_input_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat((int64_t)count, elements);
    return TFP_COUNTED;
}

/* Of integers: `factor` operations for each element that comes out, for the
 * bias, what is added, what is cut off, and the new range. */
static tfp_counted add_quantized(const tfp_site *site, const tfp_rule *rule,
                                 tfp_counted counted, tfp_tally *tally)
{
    int64_t elements;
    if (counted == TFP_COUNTED && tfp_output_elements(site, 0, &elements))
        tally->ops = tfp_add_sat(tally->ops,
                                 tfp_mul_sat(rule->factor, elements));
    return counted;
}

static tfp_counted count_quantized_conv(const tfp_site *site,
                                        const tfp_rule *rule, tfp_tally *tally)
{
    return add_quantized(site, rule, tfp_rule_conv(site, rule, tally), tally);
}

static tfp_counted count_quantized_depthwise(const tfp_site *site,
                                             const tfp_rule *rule,
                                             tfp_tally *tally)
{
    return add_quantized(site, rule, tfp_rule_depthwise(site, rule, tally),
                         tally);
}

static tfp_counted count_quantized_matmul(const tfp_site *site,
                                          const tfp_rule *rule,
                                          tfp_tally *tally)
{
    return add_quantized(site, rule, tfp_rule_matmul(site, rule, tally), tally);
}

/* Three interpolations for each element of the resized image. */
static tfp_counted count_resized_conv(const tfp_site *site,
                                      const tfp_rule *rule, tfp_tally *tally)
{
    int64_t batch, depth;
    tfp_value to;
    tfp_counted counted = tfp_rule_conv(site, rule, tally);
    if (counted != TFP_COUNTED)
        return counted;
    if (!tfp_site_ints_value(site, 1, &to) || to.count != 2 ||
        !tfp_input_dim(site, 0, 0, &batch) ||
        !tfp_input_dim(site, 0, 3, &depth))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_add_sat(
        tally->ops,
        tfp_count_ratio((int64_t[]){ 9, batch, to.at[0], to.at[1], depth }, 5,
                        1));
    return TFP_COUNTED;
}

/* clang-format off */
#define CONV(n)      TFP_INTS(count_quantized_conv, n, 1, \
                     "2*#y*prod(x1[:-1]) + " #n "*#y"), TFP_NONE
#define DEPTHWISE(n) TFP_INTS(count_quantized_depthwise, n, 1, \
                     "2*#y*x1[0]*x1[1] + " #n "*#y"), TFP_NONE
#define MATMUL(n)    TFP_INTS(count_quantized_matmul, n, 0, \
                     "2*#y*x[transpose_a ? 0 : 1] + " #n "*#y"), TFP_NONE

const tfp_formula tfp_formulas_fused[] = {
    /* op, full, TensorFlow's own */
    { "_FusedMatMul", TFP_BY(count_matmul,
      "2*#y*x[transpose_a ? 0 : 1] + fused_ops*#y"), TFP_NONE },
    { "_FusedConv2D", TFP_BY_INPUT(count_conv, 1,
      "2*#y*prod(x1[:-1]) + fused_ops*#y"), TFP_NONE },
    { "_FusedConv3D", TFP_BY_INPUT(count_conv, 1,
      "2*#y*prod(x1[:-1]) + fused_ops*#y"), TFP_NONE },
    { "_FusedDepthwiseConv2dNative", TFP_BY(count_depthwise,
      "2*#y*x1[0]*x1[1] + fused_ops*#y"), TFP_NONE },
    { "_FusedBatchNormEx", TFP_BY(count_norm,
      "as FusedBatchNormV3, + #x for a side input, + #x for Relu"), TFP_NONE },
    { "_UnaryOpsComposition", TFP_BY(count_chain, "op_names*#x"), TFP_NONE },
    { "FusedResizeAndPadConv2D", TFP_BY_INPUT(count_resized_conv, 3,
      "2*#y*prod(x3[:-1]) + 9*x[0]*size[0]*size[1]*x[3]"), TFP_NONE },
    { "QuantizedConv2DAndRelu",                               CONV(1) },
    { "QuantizedConv2DAndReluAndRequantize",                  CONV(5) },
    { "QuantizedConv2DAndRequantize",                         CONV(4) },
    { "QuantizedConv2DWithBias",                              CONV(1) },
    { "QuantizedConv2DWithBiasAndRelu",                       CONV(2) },
    { "QuantizedConv2DWithBiasAndReluAndRequantize",          CONV(6) },
    { "QuantizedConv2DWithBiasAndRequantize",                 CONV(5) },
    { "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize", CONV(7) },
    { "QuantizedConv2DWithBiasSumAndRelu",                    CONV(3) },
    { "QuantizedConv2DWithBiasSumAndReluAndRequantize",       CONV(7) },
    { "QuantizedDepthwiseConv2DWithBias",                     DEPTHWISE(1) },
    { "QuantizedDepthwiseConv2DWithBiasAndRelu",              DEPTHWISE(2) },
    { "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize", DEPTHWISE(6) },
    { "QuantizedMatMulWithBias",                              MATMUL(1) },
    { "QuantizedMatMulWithBiasAndDequantize",                 MATMUL(1) },
    { "QuantizedMatMulWithBiasAndRelu",                       MATMUL(2) },
    { "QuantizedMatMulWithBiasAndReluAndRequantize",          MATMUL(6) },
    { "QuantizedMatMulWithBiasAndRequantize",                 MATMUL(5) },
    { 0 },
};
