/*
 * functions.h - the results of a function, besides its "_Retval" nodes.
 *
 * A function body is a graph (graph.h); this is what a call needs to know of
 * it: which output a name is, and which nodes must run although no result
 * comes of them.
 */
#ifndef TFP_MODEL_FUNCTIONS_H
#define TFP_MODEL_FUNCTIONS_H

#include "model/graph.h"

/* Names the outputs of a function, in their order: one for each "_Retval".
 * False when out of memory. */
bool tfp_function_name_outputs(tfp_model *model, uint32_t graph,
                               const tfp_string *names, size_t count);

/* The number of the output of that name. A node that calls a function by its
 * op has edges "call:name:0"; for others ports are those of the calling op.
 * TFP_OUTPUT_UNKNOWN when there is no such output. */
int32_t tfp_function_output(const tfp_model *model, const tfp_graph *function,
                            tfp_string name);

/* Says which nodes of an open function must run. Names that no node has are
 * counted in *dropped. False when out of memory. */
bool tfp_function_set_controls(tfp_model *model, uint32_t graph,
                               const tfp_string *names, size_t count,
                               int64_t *dropped);

/* Nodes of the body (ids in model->bodies) whose work is wanted although no
 * result comes of it, such as the assignments of a training step: rising,
 * each once. */
const int64_t *tfp_function_control_returns(const tfp_model *model,
                                            const tfp_graph *function,
                                            size_t *count);

#endif
