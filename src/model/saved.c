/*
 * saved.c - signatures and variables of a SavedModel.
 */
#include "model/saved.h"

#include "model/model.h"

tfp_signature *tfp_model_signature(tfp_model *model, uint32_t graph,
                                   tfp_string key)
{
    tfp_signature fresh = { .key = key, .graph = graph };
    for (size_t i = 0; i < model->signatures.count; i++) {
        tfp_signature *old = &model->signatures.data[i];
        if (old->graph == graph && old->key == key) {
            old->tensors.count = 0;
            return old;
        }
    }
    if (!TFP_VEC_PUSH(model->memory, &model->signatures, fresh))
        return NULL;
    return &model->signatures.data[model->signatures.count - 1];
}
