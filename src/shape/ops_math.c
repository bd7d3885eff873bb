/*
 * ops_math.c - by element, reductions, products.
 */
#include "shape/common.h"

const tfp_op tfp_ops_math[] = {
    /* name, outputs, shapes, kind */
    { "Add", "z", tfp_infer_broadcast, 0 },
    { "AddV2", "z", tfp_infer_broadcast, 0 },
    { "Mul", "z", tfp_infer_broadcast, 0 },
    { "Sub", "z", tfp_infer_broadcast, 0 },
    { "Relu", "activations", tfp_infer_same, 0 },
    { 0 },
};
