/*
 * hlo_library.h - float operations of products and convolutions, whether the
 * compiler wrote them out or left them to a library.
 *
 * Each gives TFP_HLO_UNCOUNTED when shapes are missing or do not fit.
 */
#ifndef TFP_TRACE_HLO_LIBRARY_H
#define TFP_TRACE_HLO_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/hlo.h"

/* The first array of an instruction's result, or of that of an operand. NULL
 * when there is none. */
const tfp_hlo_shape *tfp_hlo_result(const tfp_hlo_program *program,
                                    const tfp_hlo_instruction *instruction);
const tfp_hlo_shape *tfp_hlo_operand(const tfp_hlo_program *program,
                                     const tfp_hlo_instruction *instruction,
                                     uint32_t which);

/* Elements of an array; -1 without a shape or with a dimension below 0. */
static inline int64_t tfp_hlo_elements(const tfp_hlo_shape *shape)
{
    return shape ? shape->elements : -1;
}

/* Real and complex numbers, of any width. */
bool tfp_hlo_is_float(const tfp_hlo_shape *shape);

int64_t tfp_hlo_dot_flops(const tfp_hlo_program *program,
                          const tfp_hlo_instruction *instruction);
int64_t tfp_hlo_convolution_flops(const tfp_hlo_program *program,
                                  const tfp_hlo_instruction *instruction);

/* A custom call, by its target. */
int64_t tfp_hlo_library_flops(const tfp_hlo_program *program,
                              const tfp_hlo_instruction *instruction);

#endif
