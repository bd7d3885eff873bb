/*
 * ops_image.c - resizes and the like.
 */
#include "shape/common.h"

const tfp_op tfp_ops_image[] = {
    /* name, outputs, shapes, kind */
    { 0 },
};
