/*
 * expand.h - the nodes of functions, under the names of their callers.
 *
 * Views know graphs, not functions. For the time of a question the nodes of
 * all functions that were walked become a graph of their own: named
 * "caller/node", fed by what the caller is fed with, placed and traced as it
 * is. Taking it back leaves the model as it was, but for strings.
 */
#ifndef TFP_OPS_EXPAND_H
#define TFP_OPS_EXPAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/graph.h"
#include "model/ids.h"
#include "ops/fact/shapes.h"

typedef struct tfp_renamed {
    tfp_string name;
    tfp_node before; /* who had the name, or TFP_NO_NODE */
} tfp_renamed;

typedef struct tfp_expansion {
    tfp_shapes *shapes;
    uint32_t graph;   /* the new one, or TFP_NO_ID */
    tfp_node **nodes; /* of each instance but the first: what its nodes have
                       * become, or TFP_NO_NODE */
    size_t instance_count;
    TFP_VEC(tfp_renamed) renamed; /* one for each new node */
    TFP_VEC(uint8_t) name;        /* in the making */
} tfp_expansion;

/* After a failure undoing is needed too. */
int tfp_expand(tfp_expansion *expansion, tfp_shapes *shapes, tfprof_error *err);

/* Must happen in the reverse order, before the shapes are released. */
void tfp_expand_undo(tfp_expansion *expansion);

/* The node that a node of an instance is in model->nodes, or TFP_NO_NODE. */
tfp_node tfp_expanded(const tfp_expansion *expansion, uint32_t instance,
                      uint32_t node);

/* What an edge of an instance comes from once arguments are what callers have
 * given; *instance is then where it starts. NULL when from nowhere. */
const tfp_edge *tfp_edge_outside(const tfp_shapes *shapes, uint32_t *instance,
                                 const tfp_edge *edge);

#endif
