/*
 * ops_product.c - products of matrices, and sums of products.
 */
#include "base/bytes.h"
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

/* ---- Two matrices ------------------------------------------------------- */

/* Rows and columns of a product of the last two dims. False when the inner
 * dims differ. */
static bool multiply(const tfp_form *a, const tfp_form *b, bool turns_a,
                     bool turns_b, int64_t out[2])
{
    int64_t inner;
    out[0] = tfp_form_dim(a, turns_a ? -1 : -2);
    out[1] = tfp_form_dim(b, turns_b ? -2 : -1);
    return tfp_dim_merge(tfp_form_dim(a, turns_a ? -2 : -1),
                         tfp_form_dim(b, turns_b ? -1 : -2), &inner);
}

static void infer_matmul(tfp_site *site)
{
    tfp_form a, b;
    int64_t out[2];
    if (tfp_form_input_of(site, 0, 2, &a) &&
        tfp_form_input_of(site, 1, 2, &b) &&
        multiply(&a, &b, tfp_site_bool(site, TFP_KEY_transpose_a, false),
                 tfp_site_bool(site, TFP_KEY_transpose_b, false), out))
        tfp_site_put(site, 0, out, 2);
}

/* With the range of what comes out: two scalars. */
static void infer_quantized_matmul(tfp_site *site)
{
    infer_matmul(site);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

/* ---- Many matrices ------------------------------------------------------ */

static void infer_batch_matmul(tfp_site *site, bool stretches)
{
    tfp_form a, b, out;
    int64_t last[2];
    if (!tfp_form_input_from(site, 0, 2, &a) ||
        !tfp_form_input_from(site, 1, 2, &b) ||
        !multiply(&a, &b, tfp_site_bool(site, TFP_KEY_adj_x, false),
                  tfp_site_bool(site, TFP_KEY_adj_y, false), last))
        return;
    tfp_form_drop_last(&a, 2);
    tfp_form_drop_last(&b, 2);
    if (stretches) {
        if (!tfp_form_broadcast(&a, &b, &out))
            return;
    } else {
        out = a;
        if (!tfp_form_merge(&out, &b))
            return;
    }
    tfp_form_append(&out, last[0]);
    tfp_form_append(&out, last[1]);
    tfp_site_put_form(site, 0, &out);
}

static void infer_batch_matmul_v1(tfp_site *site)
{
    infer_batch_matmul(site, false);
}

static void infer_batch_matmul_v2(tfp_site *site)
{
    infer_batch_matmul(site, true);
}

/* A sparse matrix whose shape is the value of input 2. */
static void infer_sparse_dense(tfp_site *site)
{
    bool turns = tfp_site_bool(site, TFP_KEY_adjoint_a, false);
    tfp_form a, b;
    int64_t out[2];
    a.rank = tfp_site_input_as_shape(site, 2, a.at);
    if (a.rank < 0)
        tfp_form_unknown(&a, 2);
    if (a.rank == 2 && tfp_form_input_of(site, 3, 2, &b) &&
        multiply(&a, &b, turns, tfp_site_bool(site, TFP_KEY_adjoint_b, false),
                 out))
        tfp_site_put(site, 0, out, 2);
}

/* ---- Einsum ------------------------------------------------------------- */

/* What is known of each letter, and of what an ellipsis stands for. */
typedef struct letters {
    int64_t dim[256];
    bool seen[256];
    tfp_form ellipsis;
} letters;

/* The letters of one tensor: those before an ellipsis and those after it. */
typedef struct subscript {
    tfp_span before, after;
    bool has_ellipsis;
} subscript;

static bool subscript_parse(tfp_span text, subscript *out)
{
    const uint8_t *dots = text.size ? memchr(text.data, '.', text.size) : NULL;
    *out = (subscript){ .before = text };
    if (!dots)
        return true;
    out->has_ellipsis = true;
    out->before.size = (size_t)(dots - text.data);
    out->after = (tfp_span){ dots + 3, text.size - out->before.size - 3 };
    return text.size - out->before.size >= 3 && dots[1] == '.' &&
           dots[2] == '.' &&
           (out->after.size == 0 ||
            !memchr(out->after.data, '.', out->after.size));
}

static bool letters_take(letters *all, tfp_span text, const tfp_form *in,
                         int axis)
{
    for (size_t i = 0; i < text.size; i++, axis++) {
        uint8_t letter = text.data[i];
        int64_t dim = in->rank < 0 ? TFP_DIM_UNKNOWN : in->at[axis];
        if (!all->seen[letter])
            all->dim[letter] = dim;
        else if (!tfp_dim_merge(all->dim[letter], dim, &all->dim[letter]))
            return false;
        all->seen[letter] = true;
    }
    return true;
}

/* One operand. Its ellipsis is stretched to those before. */
static bool letters_take_operand(letters *all, tfp_span text, tfp_form *in)
{
    subscript s;
    tfp_form rest = *in, before = all->ellipsis;
    int named;
    if (text.size > TFP_MOST_RANK || !subscript_parse(text, &s))
        return false;
    named = (int)(s.before.size + s.after.size);
    if (in->rank >= 0 &&
        (s.has_ellipsis ? in->rank < named : in->rank != named))
        return false;
    if (!letters_take(all, s.before, in, 0) ||
        !letters_take(all, s.after, in, in->rank - (int)s.after.size))
        return false;
    if (!s.has_ellipsis)
        return true;
    tfp_form_drop_last(&rest, (int)s.after.size);
    tfp_form_drop_first(&rest, (int)s.before.size);
    return tfp_form_broadcast(&before, &rest, &all->ellipsis);
}

static bool letters_append(const letters *all, tfp_span text, tfp_form *out)
{
    for (size_t i = 0; i < text.size; i++) {
        if (!all->seen[text.data[i]])
            return false;
        tfp_form_append(out, all->dim[text.data[i]]);
    }
    return true;
}

static void put_einsum(tfp_site *site, const letters *all, tfp_span text)
{
    subscript s;
    tfp_form out = { .rank = 0 };
    if (text.size > TFP_MOST_RANK || !subscript_parse(text, &s) ||
        !letters_append(all, s.before, &out))
        return;
    if (s.has_ellipsis)
        tfp_form_join(&out, &all->ellipsis);
    else if (all->ellipsis.rank > 0)
        return;
    if (letters_append(all, s.after, &out))
        tfp_site_put_form(site, 0, &out);
}

/* "ab...,bc->ac..." */
static void infer_einsum(tfp_site *site)
{
    letters all = { .ellipsis = { .rank = 0 } };
    tfp_span equation = tfp_site_equation(site), left;
    const uint8_t *arrow = equation.size ? tfp_span_find(equation, "->") : NULL;
    if (!arrow || site->input_count < 1 || site->input_count > 2)
        return;
    left = (tfp_span){ equation.data, (size_t)(arrow - equation.data) };
    for (size_t i = 0; i < site->input_count; i++) {
        const uint8_t *comma = left.size ? memchr(left.data, ',', left.size)
                                         : NULL;
        tfp_span text = left;
        tfp_form in;
        if ((comma != NULL) != (i + 1 < site->input_count))
            return;
        if (comma) {
            text.size = (size_t)(comma - left.data);
            left = (tfp_span){ comma + 1, left.size - text.size - 1 };
        }
        tfp_form_input(site, i, &in);
        if (!letters_take_operand(&all, text, &in))
            return;
    }
    put_einsum(
        site, &all,
        (tfp_span){ arrow + 2,
                    equation.size - (size_t)(arrow - equation.data) - 2 });
}

/* It asks for an attribute that MatMul has and these do not. */
#define UPSTREAM "x0: 2 * #y0 * x0[attr(transpose_a, 0) ? -2 : -1]"
/* The bias, what is added, what is cut off, and the new range: `n` operations
 * for each element. */
#define MATMUL(n)                                                              \
    "macs: #y0 * x0[attr(transpose_a, 0) ? 0 : 1]; int_ops: 2 * macs + " #n    \
    " * #y0"

const tfp_op tfp_ops_product[] = {
    /* name, outputs, shapes */
    { "BatchMatMul", "output", infer_batch_matmul_v1,
      .formula = "macs: #y0 * x0[attr(adj_x, 0) ? -2 : -1]",
      .upstream = UPSTREAM },
    { "BatchMatMulV2", "output", infer_batch_matmul_v2,
      .formula = "macs: #y0 * x0[attr(adj_x, 0) ? -2 : -1]",
      .upstream = UPSTREAM },
    { "BatchMatMulV3", "output", infer_batch_matmul_v2,
      .formula = "macs: #y0 * x0[attr(adj_x, 0) ? -2 : -1]",
      .upstream = UPSTREAM },
    { "Einsum", "output", infer_einsum, .formula = "by einsum" },
    { "_FusedMatMul", "product", infer_matmul,
      .formula = "macs: #y0 * x0[attr(transpose_a, 0) ? 0 : 1]; by fused_ops" },
    { "MatMul", "product", infer_matmul,
      .formula = "macs: #y0 * x0[attr(transpose_a, 0) ? 0 : 1]",
      .upstream = "x0: 2 * #y0 * x0[attr(transpose_a, 0) ? 0 : 1]" },
    { "QuantizedMatMul", "out,min_out,max_out", infer_quantized_matmul,
      .formula =
          "macs: #y0 * x0[attr(transpose_a, 0) ? 0 : 1]; int_ops: 2 * macs" },
    { "QuantizedMatMulWithBias", "out,min_out,max_out", infer_quantized_matmul,
      .formula = MATMUL(1) },
    { "QuantizedMatMulWithBiasAndDequantize", "out", infer_quantized_matmul,
      .formula = MATMUL(1) },
    { "QuantizedMatMulWithBiasAndRelu", "out,min_out,max_out",
      infer_quantized_matmul, .formula = MATMUL(2) },
    { "QuantizedMatMulWithBiasAndReluAndRequantize", "out,min_out,max_out",
      infer_quantized_matmul, .formula = MATMUL(6) },
    { "QuantizedMatMulWithBiasAndRequantize", "out,min_out,max_out",
      infer_quantized_matmul, .formula = MATMUL(5) },
    { "SparseMatMul", "product", infer_matmul,
      .formula = "macs: #y0 * x0[attr(transpose_a, 0) ? 0 : 1]" },
    { "SparseTensorDenseMatMul", "product", infer_sparse_dense,
      .formula = "macs: x0[0] * x3[attr(adjoint_b, 0) ? 0 : 1]" },
    { 0 },
};
