/*
 * rewind.h - going back to a state of the model, before a trace was added.
 *
 * Many traces of one model share its graph. The graph is read once, and each
 * trace is removed again before the next one is read. What is interned stays:
 * names, lists and call stacks, which the next trace probably has too.
 */
#ifndef TFP_MODEL_REWIND_H
#define TFP_MODEL_REWIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "model/graph.h"
#include "model/model.h"

typedef struct tfp_model_mark {
    size_t graphs, nodes, edges, inputs, pools;
    /* Nodes by name, and log entries without a node. Both change if a trace has
     * nodes of these names. */
    TFP_VEC(tfp_node) by_name;
    TFP_VEC(tfp_log_entry) waiting;
} tfp_model_mark;

/* Notes the state of the model, which must have no steps. False when out of
 * memory; releasing is allowed then. */
bool tfp_model_set_mark(const tfp_model *model, tfp_model_mark *mark);

/* Removes what was added since then, which must be traces only, and all steps.
 * Takes time for what is removed. False when out of memory. */
bool tfp_model_rewind(tfp_model *model, const tfp_model_mark *mark);

void tfp_model_release_mark(tfp_model_mark *mark, tfp_memory *memory);

#endif
