/*
 * stacks.h - the lines of source that operations were made by, as stacks.
 *
 * Texts of files and functions may be long, and all frames may have the same
 * one, so each is interned once.
 */
#ifndef TFP_TRACE_STACKS_H
#define TFP_TRACE_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "model/ids.h"
#include "trace/hlo.h"
#include "trace/nodes.h"
#include "trace/plane.h"

/* A line of source, or something else that calls are told by. */
typedef struct tfp_source_place {
    tfp_span file, function;
    int32_t line;
    bool is_bare; /* `function` is all that is known */
} tfp_source_place;

/* Puts a frame on top of *stack. */
int tfp_trace_add_frame(tfp_trace_nodes *nodes, const tfp_source_place *place,
                        tfp_stack *stack, tfprof_error *err);

/* The stack of an instruction, or of one inside of it that has one; 0 for
 * none. */
int tfp_trace_stack_of(tfp_trace_nodes *nodes, tfp_hlo_program *program,
                       const tfp_hlo_instruction *instruction, tfp_stack *stack,
                       tfprof_error *err);

/* The same of an operation of a TPU, whose stats tell it as text. *stack is 0
 * before. */
int tfp_trace_stack_of_stats(tfp_trace_nodes *nodes, const tfp_stats *stats,
                             tfp_stack *stack, tfprof_error *err);

#endif
