/*
 * saved.h - what a SavedModel says beyond its graph: signatures, variables.
 */
#ifndef TFP_MODEL_SAVED_H
#define TFP_MODEL_SAVED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "model/ids.h"

typedef struct tfp_signature_tensor {
    tfp_string key;  /* the argument's name */
    tfp_string name; /* the tensor: "node:0" */
    int32_t dtype;
    tfp_shape shape;
    bool is_output;
} tfp_signature_tensor;

typedef struct tfp_signature {
    tfp_string key; /* "serving_default" */
    tfp_string method;
    uint32_t graph; /* index into model->graphs */
    TFP_VEC(tfp_signature_tensor) tensors;
} tfp_signature;

typedef struct tfp_variable {
    tfp_string name;
    uint32_t graph;
    int32_t dtype;
    tfp_shape shape;
    bool trainable;
    bool from_collection; /* a TF1 collection, else the object graph */
} tfp_variable;

/* A new signature of a graph; one of the same key is emptied and given back,
 * since in a map the last entry stands. NULL when out of memory. The pointer
 * holds until the next call. */
tfp_signature *tfp_model_signature(tfp_model *model, uint32_t graph,
                                   tfp_string key);

/* The name of the node of a tensor: "node" of "node:0". TFP_NO_ID when no name
 * of the model is so. */
tfp_string tfp_node_of_tensor(const tfp_model *model, tfp_string tensor);

#endif
