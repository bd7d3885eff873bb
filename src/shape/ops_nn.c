/*
 * ops_nn.c - convolutions, pools, norms, losses.
 */
#include "shape/common.h"

const tfp_op tfp_ops_nn[] = {
    /* name, outputs, shapes, kind */
    { 0 },
};
