/*
 * formulas_image.c - resizes, colors, boxes.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "shape/fact/fact.h"
#include "shape/fact/keys.h"
#include "shape/fact/site.h"

/* ---- Resizes ------------------------------------------------------------ */

/* Each input pixel is weighed and added; each output pixel gets one at least.
 */
static tfp_counted count_area(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    int64_t x, y;
    (void)rule;
    if (!tfp_input_elements(site, 0, &x) || !tfp_output_elements(site, 0, &y))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(2, x > y ? x : y);
    return TFP_COUNTED;
}

static bool picks_nearest(const tfp_site *site, tfp_key key)
{
    tfp_span method = tfp_site_string(site, key);
    return tfp_span_is(method, "nearest") || tfp_span_is(method, "NEAREST");
}

/* Three interpolations between two values: sub, mul, add each. */
static tfp_counted count_crop(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    return picks_nearest(site, TFP_KEY_method)
               ? TFP_COUNTED_FREE
               : tfp_rule_output(site, rule, tally);
}

/* The gradient of taking the nearest is adding there. */
static tfp_counted count_crop_grad(const tfp_site *site, const tfp_rule *rule,
                                   tfp_tally *tally)
{
    int64_t elements;
    if (!tfp_input_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(
        picks_nearest(site, TFP_KEY_method) ? 1 : rule->factor, elements);
    return TFP_COUNTED;
}

/* Where a pixel comes from: two quotients of sums of products. Then, unless
 * the nearest is taken, its value. */
static tfp_counted count_projection(const tfp_site *site, const tfp_rule *rule,
                                    tfp_tally *tally)
{
    tfp_dims y = tfp_site_output(site, 0);
    int64_t pixels, elements = tfp_dims_elements(y);
    (void)rule;
    if (elements < 0 || !tfp_dims_product(y, 0, y.rank - 1, &pixels))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(14, pixels);
    if (!picks_nearest(site, TFP_KEY_interpolation))
        tally->ops = tfp_add_sat(tally->ops, tfp_mul_sat(9, elements));
    return TFP_COUNTED;
}

/* ---- Boxes -------------------------------------------------------------- */

/* At most: each box that is kept is compared with all. The area that two boxes
 * share takes ten operations. */
static tfp_counted count_boxes(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    int64_t boxes, kept;
    if (!tfp_input_dim(site, 0, 0, &boxes) ||
        !tfp_site_int_value(site, 2, &kept) || kept < 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(rule->factor, tfp_mul_sat(boxes, kept));
    return TFP_COUNTED;
}

/* For each picture and class. */
static tfp_counted count_combined_boxes(const tfp_site *site,
                                        const tfp_rule *rule, tfp_tally *tally)
{
    int64_t scores, kept;
    if (!tfp_input_elements(site, 1, &scores) ||
        !tfp_site_int_value(site, 2, &kept) || kept < 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(rule->factor, tfp_mul_sat(scores, kept));
    return TFP_COUNTED;
}

/* ---- The table ---------------------------------------------------------- */

/* clang-format off */
#define BOXES TFP_FLOATS(count_boxes, 10, 0, \
              "10*x[0]*max_output_size, at most")

const tfp_formula tfp_formulas_image[] = {
    /* op, full, TensorFlow's own */
    { "ResizeArea", TFP_BY(count_area, "2*max(#x, #y)"), TFP_NONE },
    { "ResizeBicubic",      TFP_FLOATS(tfp_rule_output, 32, 0, "32*#y"),
      TFP_NONE },
    { "ResizeBilinear",     TFP_FLOATS(tfp_rule_output, 9, 0, "9*#y"),
      TFP_NONE },
    { "ResizeBicubicGrad",  TFP_X(32), TFP_NONE },
    { "ResizeBilinearGrad", TFP_X(9), TFP_NONE },
    { "ResizeNearestNeighborGrad", TFP_X(1), TFP_NONE },
    { "QuantizedResizeBilinear", TFP_INTS(tfp_rule_output, 9, 0, "9*#y"),
      TFP_NONE },
    { "CropAndResize", TFP_FLOATS(count_crop, 9, 0,
      "9*#y; nearest: 0"), TFP_NONE },
    { "CropAndResizeGradImage", TFP_FLOATS(count_crop_grad, 9, 0,
      "9*#x; nearest: #x"), TFP_NONE },
    { "CropAndResizeGradBoxes", TFP_FLOATS(tfp_rule_input, 22, 0, "22*#x"),
      TFP_NONE },
#define PROJECTION TFP_FLOATS(count_projection, 0, 0, \
                   "14*prod(y[:-1]) + 9*#y; nearest: 14*prod(y[:-1])")
    { "ImageProjectiveTransformV2", PROJECTION, TFP_NONE },
    { "ImageProjectiveTransformV3", PROJECTION, TFP_NONE },
#undef PROJECTION

    /* About: what a pixel of three colors takes, by three. */
    { "AdjustContrast",   TFP_X(6), TFP_NONE }, /* and twice clipped */
    { "AdjustContrastv2", TFP_X(4), TFP_NONE }, /* mean; sub, mul, add */
    { "AdjustHue",        TFP_X(14), TFP_NONE },
    { "AdjustSaturation", TFP_X(14), TFP_NONE },
    { "HSVToRGB",         TFP_X(9), TFP_NONE },
    { "RGBToHSV",         TFP_X(4), TFP_NONE },

    { "NonMaxSuppression",   BOXES, TFP_NONE },
    { "NonMaxSuppressionV2", BOXES, TFP_NONE },
    { "NonMaxSuppressionV3", BOXES, TFP_NONE },
    { "NonMaxSuppressionV4", BOXES, TFP_NONE },
    { "NonMaxSuppressionV5", BOXES, TFP_NONE },
    { "NonMaxSuppressionWithOverlaps", TFP_FLOATS(count_boxes, 1, 0,
      "x[0]*max_output_size, at most"), TFP_NONE },
    { "CombinedNonMaxSuppression", TFP_FLOATS(count_combined_boxes, 10, 0,
      "10*#x1*max_output_size_per_class, at most"), TFP_NONE },
    { 0 },
};
