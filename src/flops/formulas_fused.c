/*
 * formulas_fused.c - operations that an optimizer has put together.
 *
 * A product or a convolution, and what is done to each element of its result
 * before it is stored: the attribute `fused_ops` names it.
 */
#include "flops/rule.h"

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

/* clang-format off */
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
    { 0 },
};
