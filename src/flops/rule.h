/*
 * rule.h - what formulas are made of.
 *
 * Most operations do so much for each element of an input or output: their
 * line in the table says which and how much, and no function is needed.
 *
 * In the texts: #x are the elements of input 0, #x3 those of input 3, #y those
 * of output 0; x1[2] is a dim of input 1, and prod() the product of several.
 */
#ifndef TFP_FLOPS_RULE_H
#define TFP_FLOPS_RULE_H

#include "flops/formula.h"
#include "shape/fact/fact.h"

tfp_rule_fn tfp_rule_input;   /* factor for each element of an input */
tfp_rule_fn tfp_rule_output;  /* factor for each element of output 0 */
tfp_rule_fn tfp_rule_reduced; /* #x - #y */
tfp_rule_fn tfp_rule_free;    /* no arithmetic */
tfp_rule_fn tfp_rule_call;    /* what it calls is counted there */
tfp_rule_fn tfp_rule_einsum, tfp_rule_matmul, tfp_rule_conv, tfp_rule_depthwise,
    tfp_rule_norm;

/* clang-format off */
#define TFP_NONE      { 0 }
#define TFP_FREE      { tfp_rule_free, 0, 0, 0, "0" }
#define TFP_CALL      { tfp_rule_call, 0, 0, 0, "the functions it calls" }
#define TFP_X(n)      { tfp_rule_input, n, 0, 0, #n "*#x" }
#define TFP_XI(i, n)  { tfp_rule_input, n, i, 0, #n "*#x" #i }
#define TFP_Y(n)      { tfp_rule_output, n, 0, 0, #n "*#y" }
#define TFP_X_LESS_Y  { tfp_rule_reduced, 0, 0, 0, "#x - #y" }
/* A function, with what it computes in words; and its factor or input. */
#define TFP_BY(fn, text)          { fn, 0, 0, 0, text }
#define TFP_BY_INPUT(fn, i, text) { fn, 0, i, 0, text }
#define TFP_BY_FACTOR(fn, n, text) { fn, n, 0, 0, text }
#define TFP_INTS(fn, n, i, text)   { fn, n, i, TFP_WORK_INTS, text }
#define TFP_FLOATS(fn, n, i, text) { fn, n, i, TFP_WORK_FLOATS, text }
/* clang-format on */

/* The number of elements; false when it is not known. */
bool tfp_input_elements(const tfp_site *site, size_t i, int64_t *elements);
bool tfp_output_elements(const tfp_site *site, size_t i, int64_t *elements);

/* The product of `count` dims from `first` on; false when one is not known or
 * not there. */
bool tfp_dims_product(tfp_dims dims, int first, int count, int64_t *product);

/* Of an input; from the end when negative. False when it is not known. */
bool tfp_input_dim(const tfp_site *site, size_t i, int axis, int64_t *dim);

/* A product of `count` factors, divided and cut to a whole number; INT64_MAX
 * when that does not fit. */
int64_t tfp_count_ratio(const int64_t *factors, size_t count, int64_t divisor);

/* A difference of counts: what is "at least" stays so; not below 0. */
int64_t tfp_count_less(int64_t count, int64_t less);

/* Multiply-adds: two operations each. */
void tfp_tally_macs(tfp_tally *tally, int64_t macs);

/* The elements of input 0 and of output 0, which is made smaller. */
tfp_counted tfp_count_reduced(const tfp_site *site, int64_t *all,
                              int64_t *left);

/* The smallest b with 2^b >= n. */
int64_t tfp_log2_ceil(int64_t n);

/* TensorFlow's own, where they are not as simple as those above. */
tfp_rule_fn tfp_upstream_mean, tfp_upstream_reduced, tfp_upstream_l2_loss,
    tfp_upstream_add_n, tfp_upstream_matmul, tfp_upstream_batch_matmul,
    tfp_upstream_conv, tfp_upstream_pool, tfp_upstream_avg_pool_grad,
    tfp_upstream_max_pool_grad, tfp_upstream_conv_input,
    tfp_upstream_conv_filter;

/* The families. */
extern const tfp_formula tfp_formulas_math[];   /* by element, reductions */
extern const tfp_formula tfp_formulas_linalg[]; /* matrices, transforms */
extern const tfp_formula tfp_formulas_nn[];     /* convolutions, pools, ... */
extern const tfp_formula tfp_formulas_rnn[];    /* cells and layers of them */
extern const tfp_formula tfp_formulas_image[];  /* resizes, boxes */
extern const tfp_formula tfp_formulas_train[];  /* optimizers */
extern const tfp_formula tfp_formulas_fused[];  /* put together by others */
extern const tfp_formula tfp_formulas_calls[];  /* of functions */

/* Operations without arithmetic, ended by NULL. */
extern const char *const tfp_ops_free[];

#endif
