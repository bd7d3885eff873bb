/*
 * gradients.h - which operation a node is the gradient of.
 *
 * TensorFlow makes gradients in one place, but names them after the operation
 * they belong to: "gradients/conv/Conv2D_grad/Shape" belongs to "conv/Conv2D".
 */
#ifndef TFP_MODEL_GRADIENTS_H
#define TFP_MODEL_GRADIENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/census.h"

/* Is this the name of a gradient? *forward is that of its operation. */
bool tfp_is_gradient(tfp_span name, tfp_span *forward);

/* The names of operations that a node may be the gradient of, the longest
 * first; none of a node that is not a gradient. A tape names a gradient
 * "gradient_tape/X/...", where X is the operation or only the scope that it is
 * in: of "gradient_tape/a/MatMul/MatMul_1" they are "a/MatMul" and "a". */
typedef struct tfp_forward_names {
    tfp_span rest;
    int left;
    bool is_exact; /* `rest` is the only one */
} tfp_forward_names;

tfp_forward_names tfp_forward_names_of(tfp_span name);
bool tfp_forward_names_next(tfp_forward_names *names, tfp_span *forward);

/* The member of the first of these names that has a stack, if the node is the
 * gradient of a tape; else TFP_NO_ID. */
uint32_t tfp_census_taped(const tfp_census *census, tfp_span name);

/* The member of that name, if it has a stack and is no gradient itself; else
 * TFP_NO_ID. */
uint32_t tfp_census_forward(const tfp_census *census, tfp_span name);

#endif
