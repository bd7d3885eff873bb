/*
 * rewind.c - going back to a state of the model, before a trace was added.
 */
#include "model/rewind.h"

#include <string.h>

bool tfp_model_set_mark(const tfp_model *model, tfp_model_mark *mark)
{
    const tfp_nodes *nodes = &model->nodes;
    *mark = (tfp_model_mark){ .graphs = model->graphs.count,
                              .nodes = nodes->count,
                              .edges = nodes->edges.count,
                              .inputs = model->inputs.count,
                              .pools = model->pools.count };
    if (!TFP_VEC_RESERVE(model->memory, &mark->by_name, nodes->by_name.count) ||
        !TFP_VEC_RESERVE(model->memory, &mark->waiting, model->waiting.count))
        return false;
    mark->by_name.count = nodes->by_name.count;
    mark->waiting.count = model->waiting.count;
    if (mark->by_name.count > 0)
        memcpy(mark->by_name.data, nodes->by_name.data,
               mark->by_name.count * sizeof(*mark->by_name.data));
    if (mark->waiting.count > 0)
        memcpy(mark->waiting.data, model->waiting.data,
               mark->waiting.count * sizeof(*mark->waiting.data));
    return true;
}

static void remove_nodes(tfp_model *model, const tfp_model_mark *mark)
{
    tfp_nodes *nodes = &model->nodes;
    for (size_t i = mark->nodes; i < nodes->count; i++) {
        tfp_string name = nodes->name[i];
        nodes->by_name.data[name] = name < mark->by_name.count
                                        ? mark->by_name.data[name]
                                        : TFP_NO_NODE;
    }
    nodes->count = mark->nodes;
    nodes->edges.count = mark->edges;
    model->graphs.count = mark->graphs;
}

bool tfp_model_rewind(tfp_model *model, const tfp_model_mark *mark)
{
    remove_nodes(model, mark);
    /* Entries only leave the list, and it keeps its room. */
    if (model->waiting.count < mark->waiting.count) {
        memcpy(model->waiting.data, mark->waiting.data,
               mark->waiting.count * sizeof(*mark->waiting.data));
        model->waiting.count = mark->waiting.count;
    }
    while (model->pools.count > mark->pools)
        tfp_pool_release(&model->pools.data[--model->pools.count],
                         model->memory);
    while (model->inputs.count > mark->inputs)
        tfp_input_release(&model->inputs.data[--model->inputs.count],
                          model->memory);
    return tfp_model_drop_steps(model);
}

void tfp_model_release_mark(tfp_model_mark *mark, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &mark->by_name);
    TFP_VEC_RELEASE(memory, &mark->waiting);
}
