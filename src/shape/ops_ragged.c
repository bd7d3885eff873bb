/*
 * ops_ragged.c - ragged and sparse tensors.
 */
#include "shape/common.h"
#include "shape/form.h"

/* clang-format off */
const tfp_op tfp_ops_ragged[] = {
    /* name, outputs, shapes, kind */
    { 0 },
};
/* clang-format on */
