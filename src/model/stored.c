/*
 * stored.c - checkpoints, and the tensors that they name.
 */
#include "model/stored.h"

#include "base/intern.h"

#include <string.h>

#include "model/model.h"

void tfp_stored_release(tfp_stored_tensors *stored, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &stored->checkpoints);
    TFP_VEC_RELEASE(memory, &stored->tensors);
    TFP_VEC_RELEASE(memory, &stored->parts);
    TFP_VEC_RELEASE(memory, &stored->by_name);
}

uint32_t tfp_model_add_checkpoint(tfp_model *model, tfp_checkpoint checkpoint)
{
    tfp_stored_tensors *s = &model->stored;
    tfp_string type = tfp_model_string(model, tfp_span_of(TFP_STORED_TYPE));
    if (type == TFP_NO_ID ||
        !TFP_VEC_PUSH(model->memory, &s->checkpoints, checkpoint))
        return TFP_NO_ID;
    s->type = type;
    return (uint32_t)s->checkpoints.count - 1;
}

/* Makes by_name reach up to `name`. */
static bool reach(tfp_model *model, tfp_string name)
{
    tfp_stored_tensors *s = &model->stored;
    if (name < s->by_name.count)
        return true;
    if (!TFP_VEC_RESERVE(model->memory, &s->by_name,
                         name + 1 - s->by_name.count))
        return false;
    memset(s->by_name.data + s->by_name.count, 0xff,
           (s->by_name.capacity - s->by_name.count) * sizeof(uint32_t));
    s->by_name.count = s->by_name.capacity;
    return true;
}

bool tfp_model_add_part(tfp_model *model, tfp_stored *tensor,
                        tfp_stored_part part)
{
    tfp_stored_tensors *s = &model->stored;
    uint32_t index = (uint32_t)s->parts.count;
    part.next = TFP_NO_ID;
    if (s->parts.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(model->memory, &s->parts, part))
        return false;
    if (tensor->part_count++ == 0)
        tensor->first_part = index;
    else
        s->parts.data[tensor->last_part].next = index;
    tensor->last_part = index;
    return true;
}

bool tfp_model_add_stored(tfp_model *model, tfp_stored tensor, uint32_t *index,
                          bool *fresh)
{
    tfp_stored_tensors *s = &model->stored;
    if (!reach(model, tensor.name))
        return false;
    *index = s->by_name.data[tensor.name];
    *fresh = *index == TFP_NO_ID;
    if (!*fresh)
        return true;
    if (s->tensors.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(model->memory, &s->tensors, tensor))
        return false;
    *index = (uint32_t)s->tensors.count - 1;
    s->by_name.data[tensor.name] = *index;
    return true;
}

void tfp_model_join_stored(tfp_model *model, uint32_t index,
                           const tfp_stored *more)
{
    tfp_stored_tensors *s = &model->stored;
    tfp_stored *tensor = &s->tensors.data[index];
    if (more->part_count == 0)
        return;
    if (tensor->part_count == 0)
        tensor->first_part = more->first_part;
    else
        s->parts.data[tensor->last_part].next = more->first_part;
    tensor->last_part = more->last_part;
    tensor->part_count += more->part_count;
}

uint32_t tfp_model_find_stored(const tfp_model *model, tfp_string name)
{
    const tfp_stored_tensors *s = &model->stored;
    return name < s->by_name.count ? s->by_name.data[name] : TFP_NO_ID;
}
