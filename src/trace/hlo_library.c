/*
 * hlo_library.c - float operations of products and convolutions, whether the
 * compiler wrote them out or left them to a library.
 */
#include "trace/hlo_library.h"

#include <string.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "proto/hlo.h"

/* ---- Shapes ------------------------------------------------------------- */

const tfp_hlo_shape *tfp_hlo_result(const tfp_hlo_program *p,
                                    const tfp_hlo_instruction *i)
{
    return i->shape_count > 0 ? &p->shapes.data[i->shapes] : NULL;
}

const tfp_hlo_shape *tfp_hlo_operand(const tfp_hlo_program *p,
                                     const tfp_hlo_instruction *i,
                                     uint32_t which)
{
    uint32_t operand = which < i->operand_count
                           ? p->links.data[i->operands + which]
                           : TFP_NO_ID;
    return operand == TFP_NO_ID
               ? NULL
               : tfp_hlo_result(p, &p->instructions.data[operand]);
}

/* The size of a dimension, or -1 where the shape has none of that number. */
static int64_t size_of(const tfp_hlo_program *p, const tfp_hlo_shape *shape,
                       int64_t dimension)
{
    if (!shape || dimension < 0 || dimension >= shape->rank)
        return -1;
    return p->numbers.data[shape->dims + dimension];
}

bool tfp_hlo_is_float(const tfp_hlo_shape *shape)
{
    switch (shape->type) {
    case TFP_XLA_F16:
    case TFP_XLA_F32:
    case TFP_XLA_F64:
    case TFP_XLA_BF16:
    case TFP_XLA_F8E5M2:
    case TFP_XLA_F8E4M3:
    case TFP_XLA_F8E4M3FN:
    case TFP_XLA_F8E4M3B11FNUZ:
    case TFP_XLA_F8E3M4:
    case TFP_XLA_F8E5M2FNUZ:
    case TFP_XLA_F8E4M3FNUZ:
    case TFP_XLA_F8E8M0FNU:
    case TFP_XLA_F4E2M1FN:
    case TFP_XLA_C64:
    case TFP_XLA_C128: return true;
    default: return false;
    }
}

/* ---- Products ----------------------------------------------------------- */

/* Sums of `terms` products for each element of the result. */
static int64_t product_flops(const tfp_hlo_program *p,
                             const tfp_hlo_instruction *i, int64_t terms)
{
    const tfp_hlo_shape *left = tfp_hlo_operand(p, i, 0);
    int64_t results = tfp_hlo_elements(tfp_hlo_result(p, i));
    if (!left || results < 0 || (terms < 0 && results > 0))
        return TFP_HLO_UNCOUNTED;
    return tfp_hlo_is_float(left) && results > 0
               ? tfp_mul_sat(2, tfp_mul_sat(results, terms))
               : 0;
}

int64_t tfp_hlo_dot_flops(const tfp_hlo_program *p,
                          const tfp_hlo_instruction *i)
{
    const tfp_hlo_shape *left = tfp_hlo_operand(p, i, 0);
    int64_t terms = 1;
    for (uint32_t k = 0; k < i->contracted_count; k++) {
        int64_t size = size_of(p, left, p->numbers.data[i->contracted + k]);
        if (size < 0)
            return TFP_HLO_UNCOUNTED;
        terms = tfp_mul_sat(terms, size);
    }
    return product_flops(p, i, terms);
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* The product of the dimensions that a library's settings, which are JSON,
 * name after `key`: ["1","2"]. -1 when there is no such list. */
static int64_t listed_terms(const tfp_hlo_program *p, tfp_span json,
                            const char *key, const tfp_hlo_shape *shape)
{
    const uint8_t *at = tfp_span_find(json, key), *end = json.data + json.size;
    int64_t terms = 1;
    if (!at)
        return -1;
    for (at += strlen(key); at < end && *at != ']'; at++) {
        int64_t size;
        if (*at == '"' || *at == ',' || *at == ' ')
            continue;
        /* No library multiplies arrays of ten dimensions. */
        if (!is_digit(*at) || (at + 1 < end && is_digit(at[1])))
            return -1;
        size = size_of(p, shape, *at - '0');
        if (size < 0)
            return -1;
        terms = tfp_mul_sat(terms, size);
    }
    return at < end ? terms : -1;
}

static int64_t root_of(int64_t square)
{
    int64_t low = 0, high = INT64_C(3037000499); /* root of INT64_MAX */
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (middle <= square / middle)
            low = middle;
        else
            high = middle - 1;
    }
    return low * low == square ? low : -1;
}

/* The number of terms k in each sum of a product of b matrices (m x k by k x
 * n), found from the element counts alone: bmk * bkn / bmn = b * k * k. If only
 * one operand has batch dimensions, the quotient is k * k. -1: not known. */
static int64_t inferred_terms(const tfp_hlo_program *p,
                              const tfp_hlo_instruction *i)
{
    const tfp_hlo_shape *left = tfp_hlo_operand(p, i, 0);
    const tfp_hlo_shape *right = tfp_hlo_operand(p, i, 1);
    const tfp_hlo_shape *result = tfp_hlo_result(p, i);
    int64_t a = tfp_hlo_elements(left), b = tfp_hlo_elements(right);
    int64_t c = tfp_hlo_elements(result), square;
    if (a < 0 || b < 0 || c <= 0 || __builtin_mul_overflow(a, b, &square) ||
        square % c != 0)
        return -1;
    square /= c;
    if (left->rank > 2 && right->rank > 2) {
        for (uint32_t k = 0; k + 2 < result->rank; k++) {
            int64_t size = p->numbers.data[result->dims + k];
            if (square % size != 0)
                return -1;
            square /= size;
        }
    }
    return root_of(square);
}

static int64_t library_product(const tfp_hlo_program *p,
                               const tfp_hlo_instruction *i)
{
    int64_t terms = listed_terms(p, tfp_hlo_text(p, i->backend_config),
                                 "\"lhs_contracting_dimensions\":[",
                                 tfp_hlo_operand(p, i, 0));
    return product_flops(p, i, terms >= 0 ? terms : inferred_terms(p, i));
}

/* ---- Convolutions ------------------------------------------------------- */

/* Pairs of a result and a tap of the window in one dimension. With a base
 * dilation the elements of the input lie apart, and taps between them do
 * nothing. */
static int64_t taps(const tfp_hlo_window_dimension *w, int64_t results)
{
    enum { MOST_EXACT = 256 }; /* of the window's size: enough for kernels */
    int64_t apart = w->base_dilation > 1 ? w->base_dilation : 1, sum = 0;
    int64_t all = tfp_mul_sat(results, w->size);
    int64_t step = w->window_dilation > 1 ? w->window_dilation % apart : 1;
    if (apart == 1)
        return all;
    if (w->size > MOST_EXACT || w->stride > 1 || apart > INT32_MAX)
        return all / apart;
    for (int64_t k = 0; k < w->size; k++) {
        int64_t at = (w->padding_low % apart - k * step) % apart;
        if (at < 0)
            at += apart;
        if (at < results) /* results at, at + apart, ... meet an element */
            sum = tfp_add_sat(sum, (results - 1 - at) / apart + 1);
    }
    return sum;
}

/* With the shapes as they are going forward. */
static int64_t convolution_flops(const tfp_hlo_program *p,
                                 const tfp_hlo_instruction *i,
                                 const tfp_hlo_shape *kernel,
                                 const tfp_hlo_shape *result)
{
    const tfp_hlo_convolution *c;
    int64_t flops = 2, rest = tfp_hlo_elements(result), features;
    if (i->convolution == TFP_NO_ID || rest < 0 || !kernel)
        return TFP_HLO_UNCOUNTED;
    c = &p->convolutions.data[i->convolution];
    features = size_of(p, kernel, c->kernel_input_feature);
    if (features < 0)
        return TFP_HLO_UNCOUNTED;
    if (rest == 0 || !tfp_hlo_is_float(kernel))
        return 0;
    for (uint32_t k = 0; k < c->spatial_count; k++) {
        const tfp_hlo_window_dimension *w = &p->windows.data[i->windows + k];
        int64_t size = size_of(p, result,
                               p->numbers.data[c->output_spatial + k]);
        if (size <= 0 || w->size < 0 || rest % size != 0)
            return TFP_HLO_UNCOUNTED;
        rest /= size;
        flops = tfp_mul_sat(flops, taps(w, size));
    }
    return tfp_mul_sat(flops, tfp_mul_sat(features, rest));
}

int64_t tfp_hlo_convolution_flops(const tfp_hlo_program *p,
                                  const tfp_hlo_instruction *i)
{
    return convolution_flops(p, i, tfp_hlo_operand(p, i, 1),
                             tfp_hlo_result(p, i));
}

/* ---- Custom calls ------------------------------------------------------- */

/* Gradients describe the convolution that they belong to: theirs is the same
 * arithmetic with operands and result in other roles. */
static int64_t input_gradient(const tfp_hlo_program *p,
                              const tfp_hlo_instruction *i)
{
    return convolution_flops(p, i, tfp_hlo_operand(p, i, 1),
                             tfp_hlo_operand(p, i, 0));
}

static int64_t kernel_gradient(const tfp_hlo_program *p,
                               const tfp_hlo_instruction *i)
{
    return convolution_flops(p, i, tfp_hlo_result(p, i),
                             tfp_hlo_operand(p, i, 1));
}

static int64_t nothing(const tfp_hlo_program *p, const tfp_hlo_instruction *i)
{
    (void)p;
    (void)i;
    return 0;
}

/* The first that begins a target counts. */
static const struct {
    const char *begin;
    int64_t (*flops)(const tfp_hlo_program *p, const tfp_hlo_instruction *i);
} libraries[] = {
    { "__cublas$gemm", library_product },
    { "__cublas$lt$matmul", library_product },
    { "__onednn$matmul", library_product },
    { "__cudnn$convBackwardInput", input_gradient },
    { "__cudnn$convBackwardFilter", kernel_gradient },
    { "__cudnn$conv", tfp_hlo_convolution_flops },
    { "AllocateBuffer", nothing },
    { "LayoutConstraint", nothing },
    { "MoveToDevice", nothing },
    { "MoveToHost", nothing },
    { "SPMDFullToShardShape", nothing },
    { "SPMDShardToFullShape", nothing },
    { "Sharding", nothing },
    { "annotate_device_placement", nothing },
};

int64_t tfp_hlo_library_flops(const tfp_hlo_program *p,
                              const tfp_hlo_instruction *i)
{
    tfp_span target = tfp_hlo_text(p, i->custom_call_target);
    for (size_t k = 0; k < sizeof(libraries) / sizeof(libraries[0]); k++) {
        if (tfp_span_starts(target, libraries[k].begin))
            return libraries[k].flops(p, i);
    }
    return TFP_HLO_UNCOUNTED;
}
