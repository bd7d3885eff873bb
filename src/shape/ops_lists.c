/*
 * ops_lists.c - tensor lists, optionals, tables.
 */
#include "shape/common.h"

const tfp_op tfp_ops_lists[] = {
    /* name, outputs, shapes, kind */
    { 0 },
};
