/*
 * traces.h - call stacks that share what they have in common.
 *
 * A stack is its innermost frame on top of another stack, so the thousand
 * stacks below one function hold that function's own stack once.
 */
#ifndef TFP_MODEL_TRACES_H
#define TFP_MODEL_TRACES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/ids.h"

/* Files name strings by number and list them at their end, so the strings of
 * a frame may be filled in after the stacks that use it were made. */
typedef struct tfp_frame {
    tfp_string file, function, text; /* text: the source line itself */
    int32_t line;
    int32_t function_line; /* where the function begins */
    uint32_t is_bare;      /* no file and line belong to it: `function` is its
                            * name in full */
} tfp_frame;

typedef struct tfp_stack_item {
    tfp_stack below; /* the caller's stack; 0 at the outermost frame */
    uint32_t frame;  /* index into model->frames */
} tfp_stack_item;

/* Its index into model->frames. TFP_NO_ID when out of memory. */
uint32_t tfp_model_add_frame(tfp_model *model, tfp_frame frame);

/* The stack with a frame on top of `below`. TFP_NO_ID when out of memory. */
tfp_stack tfp_model_stack(tfp_model *model, tfp_stack below, uint32_t frame);

/* The innermost frame of a stack that is not 0; *below is the rest. */
const tfp_frame *tfp_stack_top(const tfp_model *model, tfp_stack stack,
                               tfp_stack *below);

#endif
