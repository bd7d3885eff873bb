/*
 * traces.c - call stacks that share what they have in common.
 */
#include "model/traces.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/bytes.h"

#include "model/model.h"

uint32_t tfp_model_add_frame(tfp_model *model, tfp_frame frame)
{
    if (model->frames.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(model->memory, &model->frames, frame))
        return TFP_NO_ID;
    return (uint32_t)model->frames.count - 1;
}

tfp_stack tfp_model_stack(tfp_model *model, tfp_stack below, uint32_t frame)
{
    tfp_stack_item item = { below, frame };
    return tfp_intern(&model->stacks,
                      (tfp_span){ (const uint8_t *)&item, sizeof(item) });
}

const tfp_frame *tfp_stack_top(const tfp_model *model, tfp_stack stack,
                               tfp_stack *below)
{
    const void *bytes = tfp_interned(&model->stacks, stack).data;
    const tfp_stack_item *item = bytes;
    *below = item->below;
    return &model->frames.data[item->frame];
}
