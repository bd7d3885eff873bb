/*
 * op_table.c - the families of operations.
 */
#include "ops/fact/op.h"

/* clang-format off */
const tfp_op *const tfp_op_families[] = {
    tfp_ops_state,
    tfp_ops_math,
    tfp_ops_reduce,
    tfp_ops_product,
    tfp_ops_conv,
    tfp_ops_pool,
    tfp_ops_linalg,
    tfp_ops_diag,
    tfp_ops_nn,
    tfp_ops_train,
    tfp_ops_array,
    tfp_ops_layout,
    tfp_ops_slices,
    tfp_ops_space,
    tfp_ops_strings,
    tfp_ops_ragged,
    tfp_ops_image,
    tfp_ops_lists,
    tfp_ops_control,
    tfp_ops_stores,
    tfp_ops_rnn,
    tfp_ops_quant,
    tfp_ops_random,
    tfp_ops_top,
    tfp_ops_unshaped,
    NULL,
};
/* clang-format on */
