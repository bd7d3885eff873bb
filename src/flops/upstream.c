/*
 * upstream.c - the formulas of TensorFlow's own profiler.
 *
 * To the unit, with what is odd in them: that is what people compare with.
 * Each wants the shapes that TensorFlow asks for, needed or not, known in
 * full. Where TensorFlow's own numbers would wrap around, these stop.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "model/attrs.h"
#include "shape/fact/fact.h"
#include "shape/fact/site.h"

__extension__ typedef unsigned __int128 wide;

/* ---- What they ask for -------------------------------------------------- */

/* Only one layout is counted. An attribute that is not there is this one. */
static bool is_nhwc(const tfp_site *site)
{
    return !tfp_site_attr(site, TFP_KEY_data_format, TFP_ATTR_STRING) ||
           tfp_span_is(tfp_site_string(site, TFP_KEY_data_format), "NHWC");
}

static int64_t kernel_area(const tfp_site *site)
{
    size_t count;
    const int64_t *sizes = tfp_site_list(site, TFP_KEY_ksize, &count);
    int64_t area = 1;
    for (size_t i = 0; i < count; i++)
        area = tfp_mul_sat(area, sizes[i]);
    return area;
}

/* ---- Elements ----------------------------------------------------------- */

/* Sums of nothing come out negative, as TensorFlow has them. */
tfp_counted tfp_upstream_reduced(const tfp_site *site, const tfp_rule *rule,
                                 tfp_tally *tally)
{
    int64_t all, left;
    tfp_counted counted = tfp_count_reduced(site, &all, &left);
    (void)rule;
    if (counted == TFP_COUNTED)
        tally->ops = tfp_is_at_least(all) ? all : tfp_sub_sat(all, left);
    return counted;
}

tfp_counted tfp_upstream_mean(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    int64_t left;
    (void)rule;
    return tfp_input_elements(site, 0, &tally->ops) &&
                   tfp_output_elements(site, 0, &left)
               ? TFP_COUNTED
               : TFP_COUNTED_UNKNOWN_SHAPE;
}

tfp_counted tfp_upstream_l2_loss(const tfp_site *site, const tfp_rule *rule,
                                 tfp_tally *tally)
{
    int64_t elements;
    (void)rule;
    if (!tfp_input_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(3, elements);
    if (!tfp_is_at_least(tally->ops))
        tally->ops--;
    return TFP_COUNTED;
}

/* Inputs that only order count as summands. */
tfp_counted tfp_upstream_add_n(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    int64_t elements;
    size_t inputs = site->input_count + site->control_count;
    (void)rule;
    if (inputs == 0)
        return TFP_COUNTED;
    if (!tfp_input_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(elements, (int64_t)inputs - 1);
    return TFP_COUNTED;
}

/* ---- Products ----------------------------------------------------------- */

static tfp_counted count_product(const tfp_site *site, int axis,
                                 tfp_tally *tally)
{
    tfp_dims a = tfp_site_input(site, 0);
    int64_t shared, elements;
    if (!tfp_dims_known(a) || !tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    if (!tfp_dims_product(a, axis < 0 ? a.rank + axis : axis, 1, &shared))
        return TFP_COUNTED_NO_FORMULA; /* no matrix */
    tally->ops = tfp_mul_sat(tfp_mul_sat(shared, elements), 2);
    return TFP_COUNTED;
}

tfp_counted tfp_upstream_matmul(const tfp_site *site, const tfp_rule *rule,
                                tfp_tally *tally)
{
    (void)rule;
    return count_product(
        site, tfp_site_bool(site, TFP_KEY_transpose_a, false) ? 0 : 1, tally);
}

/* It asks for an attribute that MatMul has and these do not. */
tfp_counted tfp_upstream_batch_matmul(const tfp_site *site,
                                      const tfp_rule *rule, tfp_tally *tally)
{
    (void)rule;
    return count_product(
        site, tfp_site_bool(site, TFP_KEY_transpose_a, false) ? -2 : -1, tally);
}

/* ---- Convolutions ------------------------------------------------------- */

/* The taps are the first `factor` dims of the filter. */
tfp_counted tfp_upstream_conv(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    tfp_dims filter = tfp_site_input(site, 1);
    int64_t elements, taps;
    if (!tfp_dims_known(tfp_site_input(site, 0)) || !tfp_dims_known(filter) ||
        !tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    if (!tfp_dims_product(filter, 0, rule->factor, &taps))
        return TFP_COUNTED_NO_FORMULA;
    tally->ops = tfp_mul_sat(tfp_mul_sat(elements, taps), 2);
    return TFP_COUNTED;
}

/* A quotient as a double holds it, cut to a whole number: TensorFlow divides
 * two exact integers, which gives the double that is nearest. */
static int64_t divide_in_double(wide a, wide b)
{
    const double end = 9223372036854775808.0; /* 2^63 */
    wide quotient = a / b, rest = a % b;
    double value;
    int bits = 0;
    for (; quotient >> 54 == 0 && rest != 0 && bits < 64; bits++) {
        rest *= 2;
        quotient = quotient * 2 + (rest >= b);
        rest -= rest >= b ? b : 0;
    }
    /* More bits than a double has; the last says that more would follow. */
    value = (double)(quotient | (rest != 0));
    for (; bits > 0; bits--)
        value *= 0.5;
    return value >= end ? INT64_MAX : (int64_t)value;
}

static tfp_counted count_backprop(const tfp_site *site, tfp_dims image,
                                  tfp_dims kernel, tfp_tally *tally)
{
    size_t count;
    const int64_t *strides = tfp_site_list(site, TFP_KEY_strides, &count);
    int64_t step;
    wide work, depth;
    if (!is_nhwc(site))
        return TFP_COUNTED_REFUSED;
    if (!tfp_dims_known(image) || !tfp_dims_known(kernel))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    if (count < 3 || image.rank < 1)
        return TFP_COUNTED_NO_FORMULA;
    step = tfp_mul_sat(strides[1], strides[2]);
    if (step <= 0 || image.at[image.rank - 1] == 0)
        return TFP_COUNTED_NO_FORMULA; /* TensorFlow fails here */
    work = (wide)tfp_dims_elements(image) * (wide)tfp_dims_elements(kernel) * 2;
    depth = (wide)image.at[image.rank - 1] * (wide)step;
    tally->ops = divide_in_double(work, depth);
    return TFP_COUNTED;
}

tfp_counted tfp_upstream_conv_input(const tfp_site *site, const tfp_rule *rule,
                                    tfp_tally *tally)
{
    (void)rule;
    return count_backprop(site, tfp_site_output(site, 0),
                          tfp_site_input(site, 1), tally);
}

tfp_counted tfp_upstream_conv_filter(const tfp_site *site, const tfp_rule *rule,
                                     tfp_tally *tally)
{
    (void)rule;
    return count_backprop(site, tfp_site_input(site, 0),
                          tfp_site_output(site, 0), tally);
}

/* ---- Pools -------------------------------------------------------------- */

tfp_counted tfp_upstream_pool(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    int64_t elements;
    (void)rule;
    if (!is_nhwc(site))
        return TFP_COUNTED_REFUSED;
    if (!tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(kernel_area(site), elements);
    return TFP_COUNTED;
}

/* What the gradient of a pool reads, and how often: each of `elements` by each
 * place of the kernel. */
static tfp_counted read_by_kernel(const tfp_site *site, int64_t *elements,
                                  int64_t *reads)
{
    if (!is_nhwc(site))
        return TFP_COUNTED_REFUSED;
    if (!tfp_input_elements(site, 1, elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    *reads = tfp_mul_sat(kernel_area(site), *elements);
    return TFP_COUNTED;
}

tfp_counted tfp_upstream_avg_pool_grad(const tfp_site *site,
                                       const tfp_rule *rule, tfp_tally *tally)
{
    int64_t elements, reads;
    tfp_counted counted = read_by_kernel(site, &elements, &reads);
    (void)rule;
    if (counted == TFP_COUNTED)
        tally->ops = tfp_mul_sat(reads, 2);
    return counted;
}

tfp_counted tfp_upstream_max_pool_grad(const tfp_site *site,
                                       const tfp_rule *rule, tfp_tally *tally)
{
    int64_t elements, reads;
    tfp_counted counted = read_by_kernel(site, &elements, &reads);
    (void)rule;
    if (counted == TFP_COUNTED)
        tally->ops = tfp_add_sat(reads, elements);
    return counted;
}
