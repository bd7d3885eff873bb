/*
 * formula_functions.c - counts that the formula language cannot express.
 */
#include "base/bytes.h"
#include "model/attrs.h"
#include "model/model.h"
#include "ops/fact/fact.h"
#include "ops/fact/site.h"
#include "ops/flops/formula.h"

__extension__ typedef unsigned __int128 wide;

/* ---- Einsum ------------------------------------------------------------- */

/* "ab,bc->ac": every distinct label is a loop. Its extent comes from the
 * operands; dots stand for dims without a label, which may be stretched. */
typedef struct equation {
    int64_t extent[256]; /* of each label; -1: it is not in an operand */
    bool kept[256];      /* in the result */
    int64_t dots[TFP_MOST_RANK];
    int dots_rank;
    bool dots_kept;
} equation;

/* A label may be stretched from 1. */
static bool note_label(equation *e, uint8_t label, int64_t dim)
{
    if (dim < 0)
        return false;
    if (e->extent[label] <= 1)
        e->extent[label] = dim;
    return true;
}

/* The dims that dots stand for, counted from the last. */
static bool note_dots(equation *e, const int64_t *dims, int count)
{
    for (int i = 0; i < count; i++) {
        int64_t dim = dims[count - 1 - i];
        if (dim < 0)
            return false;
        if (i >= e->dots_rank || e->dots[i] == 1)
            e->dots[i] = dim;
    }
    if (count > e->dots_rank)
        e->dots_rank = count;
    return true;
}

/* False when the dims are not known or do not go with the labels. */
static bool read_operand(equation *e, tfp_span labels, tfp_dims dims)
{
    bool dotted = tfp_span_find(labels, "...") != NULL;
    size_t named = labels.size - (dotted ? 3 : 0);
    int free_dims, axis = 0;
    if (dims.rank < 0 || dims.rank > TFP_MOST_RANK ||
        named > (size_t)dims.rank || (!dotted && named != (size_t)dims.rank))
        return false;
    free_dims = dims.rank - (int)named;
    for (size_t i = 0; i < labels.size; i++) {
        if (labels.data[i] == '.') {
            if (!dotted || !note_dots(e, dims.at + axis, free_dims))
                return false;
            dotted = false; /* a second time would be too much */
            axis += free_dims;
            i += 2;
        } else if (!note_label(e, labels.data[i], dims.at[axis++])) {
            return false;
        }
    }
    return true;
}

static void read_result(equation *e, tfp_span labels)
{
    for (size_t i = 0; i < labels.size; i++) {
        if (labels.data[i] == '.')
            e->dots_kept = true;
        else
            e->kept[labels.data[i]] = true;
    }
}

/* What stands before the first `stop`; *rest becomes what follows it. */
static tfp_span cut(tfp_span *rest, const char *stop)
{
    const uint8_t *at = tfp_span_find(*rest, stop);
    const uint8_t *end = rest->data + rest->size;
    tfp_span part = *rest;
    if (at)
        part.size = (size_t)(at - part.data);
    rest->data = at ? at + strlen(stop) : end;
    rest->size = (size_t)(end - rest->data);
    return part;
}

/* Loops, and whether one of them sums. */
static int64_t count_loops(const equation *e, bool *sums)
{
    int64_t loops = 1;
    *sums = e->dots_rank > 0 && !e->dots_kept;
    for (size_t i = 0; i < 256; i++) {
        if (e->extent[i] < 0)
            continue;
        loops = tfp_mul_sat(loops, e->extent[i]);
        *sums |= !e->kept[i];
    }
    for (int i = 0; i < e->dots_rank; i++)
        loops = tfp_mul_sat(loops, e->dots[i]);
    return loops;
}

/* One operand: nothing is multiplied. */
static tfp_counted count_sum(const tfp_site *site, tfp_tally *tally)
{
    int64_t all = tfp_dims_elements(tfp_site_input(site, 0));
    int64_t left = tfp_dims_elements(tfp_site_output(site, 0));
    if (all < 0 || left < 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    if (tfp_is_at_least(all))
        tally->ops = all;
    else
        tally->ops = all > left ? all - left : 0;
    return TFP_COUNTED;
}

static tfp_counted count_einsum(const tfp_site *site, tfp_tally *tally)
{
    tfp_span result = tfp_site_equation(site);
    tfp_span operands;
    equation e = { .dots_rank = 0 };
    int64_t loops;
    bool sums;
    if (site->input_count == 1)
        return count_sum(site, tally);
    if (result.size == 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    operands = cut(&result, "->");
    memset(e.extent, 0xff, sizeof(e.extent));
    for (size_t i = 0; i < site->input_count; i++) {
        if (!read_operand(&e, cut(&operands, ","), tfp_site_input(site, i)))
            return TFP_COUNTED_UNKNOWN_SHAPE;
    }
    read_result(&e, result);
    loops = count_loops(&e, &sums);
    if (sums && site->input_count == 2) {
        tally->macs = loops;
        tally->ops = tfp_mul_sat(2, loops);
    } else {
        tally->ops = tfp_mul_sat(loops, (int64_t)site->input_count - !sums);
    }
    return TFP_COUNTED;
}

/* ---- Operations that an optimizer has put together ---------------------- */

/* What is done to each element of a product before it is stored; the attribute
 * `fused_ops` names it. */
typedef struct fused_step {
    const char *name;
    int64_t ops; /* for each element */
} fused_step;

static const fused_step fused_steps[] = {
    { "Add", 1 },       { "BiasAdd", 1 },         { "BiasAddGrad", 1 },
    { "Elu", 3 },       { "FusedBatchNorm", 2 },  { "GeluApproximate", 9 },
    { "GeluExact", 5 }, { "LeakyRelu", 2 },       { "Mul", 1 },
    { "Relu", 1 },      { "Relu6", 2 },           { "Sigmoid", 4 },
    { "Tanh", 1 },      { "_FusedHardSwish", 5 }, { "_FusedSwish", 5 },
};

/* -1 for a step that is not known. */
static int64_t step_ops(tfp_span name)
{
    for (size_t k = 0; k < sizeof(fused_steps) / sizeof(*fused_steps); k++) {
        if (tfp_span_is(name, fused_steps[k].name))
            return fused_steps[k].ops;
    }
    return -1;
}

static tfp_counted count_fused_ops(const tfp_site *site, tfp_tally *tally)
{
    size_t count;
    const int64_t *names = tfp_site_list(site, TFP_KEY_fused_ops, &count);
    int64_t each = 0, elements = tfp_dims_elements(tfp_site_output(site, 0));
    for (size_t i = 0; i < count; i++) {
        int64_t ops = step_ops(
            tfp_model_text(site->model, (tfp_string)names[i]));
        if (ops < 0)
            return TFP_COUNTED_NO_FORMULA;
        each = tfp_add_sat(each, ops);
    }
    if (elements < 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_add_sat(tally->ops, tfp_mul_sat(each, elements));
    return TFP_COUNTED;
}

/* ---- Gradients of convolutions, as TensorFlow's profiler counts them ---- */

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

static tfp_counted count_gradient(const tfp_site *site, tfp_dims image,
                                  tfp_dims kernel, tfp_tally *tally)
{
    size_t count;
    const int64_t *strides = tfp_site_list(site, TFP_KEY_strides, &count);
    int64_t step;
    wide work, depth;
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

static tfp_counted count_input_gradient(const tfp_site *site, tfp_tally *tally)
{
    return count_gradient(site, tfp_site_output(site, 0),
                          tfp_site_input(site, 1), tally);
}

static tfp_counted count_filter_gradient(const tfp_site *site, tfp_tally *tally)
{
    return count_gradient(site, tfp_site_input(site, 0),
                          tfp_site_output(site, 0), tally);
}

/* ---- Names -------------------------------------------------------------- */

static const struct {
    const char *name;
    tfp_count_fn *count;
} functions[] = {
    { "einsum", count_einsum },
    { "filter_gradient", count_filter_gradient },
    { "fused_ops", count_fused_ops },
    { "input_gradient", count_input_gradient },
};

tfp_count_fn *tfp_count_function(tfp_span name)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
        if (tfp_span_is(name, functions[i].name))
            return functions[i].count;
    }
    return NULL;
}
