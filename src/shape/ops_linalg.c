/*
 * ops_linalg.c - matrices and transforms.
 */
#include "shape/common.h"

const tfp_op tfp_ops_linalg[] = {
    /* name, outputs, shapes, kind */
    { 0 },
};
