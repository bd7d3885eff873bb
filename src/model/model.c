/*
 * model.c - the life of a model.
 */
#include "model/model.h"

bool tfp_model_init(tfp_model *model, tfp_memory *memory)
{
    uint64_t seed = tfp_random_seed();
    static const uint8_t unknown_rank[1] = { '?' }; /* no dims are this long */
    *model = (tfp_model){ .memory = memory };
    return tfp_interner_init(&model->strings, memory, 1, seed) &&
           tfp_interner_init(&model->shapes, memory, 8, seed) &&
           tfp_interner_init(&model->lists, memory, 8, seed) &&
           tfp_interner_init(&model->tensors, memory, 8, seed) &&
           tfp_interner_init(&model->functions, memory, 8, seed) &&
           tfp_interner_init(&model->attr_lists, memory, 8, seed) &&
           tfp_interner_init(&model->stacks, memory, 8, seed) &&
           tfp_interner_init(&model->step_ids, memory, 8, seed) &&
           tfp_interner_init(&model->signature_keys, memory, 8, seed) &&
           tfp_intern(&model->shapes,
                      (tfp_span){ unknown_rank, sizeof(unknown_rank) }) ==
               TFP_SHAPE_UNKNOWN_RANK;
}

void tfp_model_release(tfp_model *model)
{
    tfp_memory *memory = model->memory;
    if (!memory)
        return;
    for (size_t i = 0; i < model->steps.count; i++)
        tfp_step_release(&model->steps.data[i], memory);
    for (size_t i = 0; i < model->signatures.count; i++)
        TFP_VEC_RELEASE(memory, &model->signatures.data[i].tensors);
    for (size_t i = 0; i < model->inputs.count; i++)
        tfp_input_release(&model->inputs.data[i], memory);
    for (size_t i = 0; i < model->pools.count; i++)
        tfp_pool_release(&model->pools.data[i], memory);
    tfp_nodes_release(&model->nodes, memory);
    tfp_nodes_release(&model->bodies, memory);
    TFP_VEC_RELEASE(memory, &model->graphs);
    TFP_VEC_RELEASE(memory, &model->waiting);
    TFP_VEC_RELEASE(memory, &model->logged);
    TFP_VEC_RELEASE(memory, &model->steps);
    TFP_VEC_RELEASE(memory, &model->devices);
    TFP_VEC_RELEASE(memory, &model->allocations);
    TFP_VEC_RELEASE(memory, &model->pools);
    TFP_VEC_RELEASE(memory, &model->frames);
    TFP_VEC_RELEASE(memory, &model->signatures);
    TFP_VEC_RELEASE(memory, &model->variables);
    tfp_stored_release(&model->stored, memory);
    tfp_gathered_release(&model->gathered, memory);
    tfp_programs_release(&model->programs, memory);
    TFP_VEC_RELEASE(memory, &model->inputs);
    tfp_interner_release(&model->strings);
    tfp_interner_release(&model->shapes);
    tfp_interner_release(&model->lists);
    tfp_interner_release(&model->tensors);
    tfp_interner_release(&model->functions);
    tfp_interner_release(&model->attr_lists);
    tfp_interner_release(&model->stacks);
    tfp_interner_release(&model->step_ids);
    tfp_interner_release(&model->signature_keys);
    *model = (tfp_model){ 0 };
}
