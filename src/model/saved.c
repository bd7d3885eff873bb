/*
 * saved.c - signatures and variables of a SavedModel.
 */
#include "model/saved.h"

#include "base/intern.h"

#include "model/model.h"

tfp_signature *tfp_model_signature(tfp_model *model, uint32_t graph,
                                   tfp_string key)
{
    uint32_t pair[2] = { graph, key }, item;
    tfp_signature *signature;
    /* Room first: a key without its signature would shift all that follow. */
    if (!TFP_VEC_RESERVE(model->memory, &model->signatures, 1))
        return NULL;
    item = tfp_intern(&model->signature_keys,
                      (tfp_span){ (const uint8_t *)pair, sizeof(pair) });
    if (item == TFP_NO_ID)
        return NULL;
    signature = &model->signatures.data[item - 1];
    if (item > model->signatures.count) {
        *signature = (tfp_signature){ .key = key, .graph = graph };
        model->signatures.count++;
    }
    signature->tensors.count = 0;
    return signature;
}

tfp_string tfp_node_of_tensor(const tfp_model *model, tfp_string tensor)
{
    tfp_span text = tfp_model_text(model, tensor);
    size_t size = text.size;
    while (size > 0 && text.data[size - 1] >= '0' && text.data[size - 1] <= '9')
        size--;
    if (size > 0 && size < text.size && text.data[size - 1] == ':')
        text.size = size - 1;
    return tfp_interner_find(&model->strings, text);
}
