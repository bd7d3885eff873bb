/*
 * formula.h - how much arithmetic an operation does.
 *
 * One table, one line for each type of operation: what TensorFlow's own
 * profiler says of it, and what it really does. To add one: that line, and a
 * row in the test. What is in no line is not counted, and said to be so.
 */
#ifndef TFP_FLOPS_FORMULA_H
#define TFP_FLOPS_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "shape/site.h"

/* What came of counting a node. */
typedef enum tfp_counted {
    TFP_COUNTED,
    TFP_COUNTED_FREE,          /* it does no arithmetic */
    TFP_COUNTED_CALL,          /* what it does is counted where it is done */
    TFP_COUNTED_NO_FORMULA,    /* nobody knows what it does */
    TFP_COUNTED_UNKNOWN_SHAPE, /* it depends on a size that is not known */
    TFP_COUNTED_REFUSED        /* TensorFlow has a formula and does not use it
                                * for this layout of data */
} tfp_counted;

/* The arithmetic of one run. */
typedef struct tfp_work {
    int64_t float_ops;
    int64_t int_ops;
    int64_t macs; /* multiplications with an addition, which count as two
                   * float operations */
} tfp_work;

/* By TensorFlow's own formulas: a site of its grade. */
tfp_counted tfp_formula_upstream(const tfp_site *site, int64_t *float_ops);

/* By complete ones: a site of our grade. */
tfp_counted tfp_formula_full(const tfp_site *site, tfp_work *work);

#endif
