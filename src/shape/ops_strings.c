/*
 * ops_strings.c - texts.
 */
#include "shape/common.h"
#include "shape/form.h"

/* clang-format off */
const tfp_op tfp_ops_strings[] = {
    /* name, outputs, shapes, kind */
    { 0 },
};
/* clang-format on */
