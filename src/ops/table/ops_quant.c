/*
 * ops_quant.c - numbers of few bits, and their ranges.
 *
 * A range is two more outputs, a minimum and a maximum: scalars, or vectors
 * with one element for each channel.
 */
#include "ops/table/common.h"
#include "ops/table/form.h"

static void put_range(tfp_site *site)
{
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

static void infer_same_with_range(tfp_site *site)
{
    tfp_infer_same(site);
    put_range(site);
}

/* Mean, variance, beta and gamma have one element for each channel; each is
 * followed by its range. */
static void infer_norm_with_range(tfp_site *site)
{
    tfp_form in, vector;
    if (!tfp_form_input_of(site, 0, 4, &in))
        return;
    for (size_t i = 3; i <= 12; i += 3) {
        if (!tfp_form_input_of(site, i, 1, &vector) ||
            !tfp_dim_merge(in.at[3], vector.at[0], &in.at[3]))
            return;
    }
    tfp_site_put_form(site, 0, &in);
    put_range(site);
}

static void infer_range(tfp_site *site)
{
    tfp_site_put_scalar(site, 0);
    tfp_site_put_scalar(site, 1);
}

static void infer_broadcast_with_range(tfp_site *site)
{
    tfp_infer_broadcast(site);
    put_range(site);
}

static void infer_bias_with_range(tfp_site *site)
{
    tfp_form in, bias;
    if (!tfp_form_input_from(site, 0, 2, &in) ||
        !tfp_form_input_of(site, 1, 1, &bias) ||
        !tfp_form_merge_dim(&in, -1, bias.at[0]))
        return;
    tfp_site_put_form(site, 0, &in);
    put_range(site);
}

/* ---- By attribute axis -------------------------------------------------- */

static int range_rank(const tfp_site *site)
{
    return tfp_site_int(site, TFP_KEY_axis, -1) == -1 ? 0 : 1;
}

static void put_ends(tfp_site *site, const tfp_form *range)
{
    tfp_site_put_form(site, 1, range);
    tfp_site_put_form(site, 2, range);
}

/* TensorFlow takes the shape of the maximum for both. */
static void infer_quantize(tfp_site *site)
{
    tfp_form range;
    tfp_infer_same(site);
    if (tfp_form_input_of(site, 2, range_rank(site), &range))
        put_ends(site, &range);
}

static void infer_quantize_gradient(tfp_site *site)
{
    tfp_form least, greatest;
    tfp_infer_merged_two(site);
    if (tfp_form_input_of(site, 2, range_rank(site), &least) &&
        tfp_form_input_of(site, 3, range_rank(site), &greatest) &&
        tfp_form_merge(&least, &greatest))
        put_ends(site, &least);
}

/* ---- Quantized in training ---------------------------------------------- */

static void infer_fake_gradient(tfp_site *site)
{
    tfp_infer_merged_two(site);
    put_range(site);
}

static void infer_fake_per_channel(tfp_site *site)
{
    tfp_form in, least, greatest;
    if (tfp_form_input_from(site, 0, 1, &in) &&
        tfp_form_input_of(site, 1, 1, &least) &&
        tfp_form_input_of(site, 2, 1, &greatest))
        tfp_site_put_form(site, 0, &in);
}

static void infer_fake_per_channel_gradient(tfp_site *site)
{
    tfp_form out, in, least, greatest;
    if (!tfp_form_input_from(site, 0, 1, &out) ||
        !tfp_form_input_from(site, 1, 1, &in) || !tfp_form_merge(&out, &in) ||
        !tfp_form_input_of(site, 2, 1, &least) ||
        !tfp_form_input_of(site, 3, 1, &greatest) ||
        !tfp_form_merge(&least, &greatest) ||
        !tfp_form_merge_dim(&least, 0, tfp_form_dim(&out, -1)))
        return;
    tfp_site_put_form(site, 0, &out);
    tfp_site_put_form(site, 1, &least);
    tfp_site_put_form(site, 2, &least);
}

const tfp_op tfp_ops_quant[] = {
    /* name, outputs, shapes */
    { "Dequantize", "output", tfp_infer_same, .formula = "free" },
    { "FakeQuantWithMinMaxArgs", "outputs", tfp_infer_same,
      .formula = "6 * #x0" },
    { "FakeQuantWithMinMaxArgsGradient", "backprops", tfp_infer_same,
      .formula = "3 * #x0" },
    { "FakeQuantWithMinMaxVars", "outputs", tfp_infer_same,
      .formula = "6 * #x0" },
    { "FakeQuantWithMinMaxVarsGradient",
      "backprops_wrt_input,backprop_wrt_min,backprop_wrt_max",
      infer_fake_gradient, .formula = "4 * #x0" },
    { "FakeQuantWithMinMaxVarsPerChannel", "outputs", infer_fake_per_channel,
      .formula = "6 * #x0" },
    { "FakeQuantWithMinMaxVarsPerChannelGradient",
      "backprops_wrt_input,backprop_wrt_min,backprop_wrt_max",
      infer_fake_per_channel_gradient, .formula = "4 * #x0" },
    { "QuantizeAndDequantize", "output", tfp_infer_same, .formula = "6 * #x0" },
    { "QuantizeAndDequantizeV2", "output", tfp_infer_same,
      .formula = "6 * #x0" },
    { "QuantizeAndDequantizeV3", "output", tfp_infer_same,
      .formula = "6 * #x0" },
    { "QuantizeAndDequantizeV4", "output", tfp_infer_same,
      .formula = "6 * #x0" },
    { "QuantizeAndDequantizeV4Grad",
      "input_backprop,input_min_backprop,input_max_backprop",
      infer_quantize_gradient, .formula = "4 * #x0" },
    { "QuantizeDownAndShrinkRange", "output,output_min,output_max",
      infer_same_with_range, .formula = "int_ops: 6 * #x0" },
    { "QuantizeV2", "output,output_min,output_max", infer_quantize,
      .formula = "4 * #x0" },
    { "QuantizedAdd", "z,min_z,max_z", infer_broadcast_with_range,
      .formula = "int_ops: #y0" },
    { "QuantizedBatchNormWithGlobalNormalization",
      "result,result_min,result_max", infer_norm_with_range,
      .formula = "int_ops: 2 * #x0 + 6 * #x3" },
    { "QuantizedBiasAdd", "output,min_out,max_out", infer_bias_with_range,
      .formula = "int_ops: #x0" },
    { "QuantizedInstanceNorm", "y,y_min,y_max", infer_same_with_range,
      .formula = "int_ops: 6 * #x0" },
    { "QuantizedMul", "z,min_z,max_z", infer_broadcast_with_range,
      .formula = "int_ops: #y0" },
    { "QuantizedRelu", "activations,min_activations,max_activations",
      infer_same_with_range, .formula = "int_ops: #x0" },
    { "QuantizedRelu6", "activations,min_activations,max_activations",
      infer_same_with_range, .formula = "int_ops: 2 * #x0" },
    { "QuantizedReluX", "activations,min_activations,max_activations",
      infer_same_with_range,
      .formula = "int_ops: 2 * #x0" }, /* Losses: each gives the loss and its
                                          gradient. */
    { "RequantizationRange", "output_min,output_max", infer_range,
      .formula = "int_ops: 2 * #x0" },
    { "RequantizationRangePerChannel", "output_min,output_max", infer_range,
      .formula = "int_ops: 2 * #x0" },
    { "Requantize", "output,output_min,output_max", infer_same_with_range,
      .formula = "int_ops: 4 * #x0" },
    { "RequantizePerChannel", "output,output_min,output_max",
      infer_same_with_range, .formula = "int_ops: 4 * #x0" },
    { 0 },
};
