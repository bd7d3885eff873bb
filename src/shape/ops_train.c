/*
 * ops_train.c - optimizers and random numbers.
 */
#include "shape/common.h"

const tfp_op tfp_ops_train[] = {
    /* name, outputs, shapes, kind */
    { 0 },
};
