/*
 * names.h - what a node is called where it is counted: "caller/body/node".
 */
#ifndef TFP_OPS_NAMES_H
#define TFP_OPS_NAMES_H

#include "base/memory.h"
#include "ops/fact/shapes.h"

typedef struct tfp_node_names {
    tfp_memory *memory;
    const tfp_shapes *shapes;
    TFP_VEC(uint8_t) text; /* the name made last */
    size_t prefix_size;    /* of it, the callers' part */
    uint32_t instance;     /* whose callers they are */
    bool failed;           /* out of memory: names are empty from then on */
} tfp_node_names;

/* Cannot fail. */
void tfp_node_names_init(tfp_node_names *names, const tfp_shapes *shapes,
                         tfp_memory *memory);
void tfp_node_names_release(tfp_node_names *names);

/* The name of a node, counted from the first of its graph: callers first, from
 * the instance that the question is about. Good until the next call. */
tfp_span tfp_node_name(tfp_node_names *names, uint32_t instance, uint32_t node);

/* The same with the number of one of its outputs: "caller/node:0". */
tfp_span tfp_tensor_name(tfp_node_names *names, uint32_t instance,
                         uint32_t node, size_t output);

/* How long a name is without the "_1" at its end by which TensorFlow tells it
 * from others; all of it, if it has none. */
size_t tfp_name_size(tfp_span name);

#endif
