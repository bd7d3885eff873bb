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

/* TensorFlow 2 has a scope for gradients:
 * "gradient_tape/net/dense/MatMul/MatMul" belongs to "net/dense/MatMul". Finds
 * the longest part of the name behind the scope that is the name of such an
 * operation: its member, or TFP_NO_ID. */
uint32_t tfp_census_taped(const tfp_census *census, tfp_span name);

/* The member of that name, if it has a stack and is no gradient itself; else
 * TFP_NO_ID. */
uint32_t tfp_census_forward(const tfp_census *census, tfp_span name);

#endif
