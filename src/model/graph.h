/*
 * graph.h - nodes, edges and functions.
 *
 * A graph is a run of nodes. All graphs that files hold stand one after the
 * other in model->nodes, all function bodies in model->bodies, so that the
 * body of a function can be read in the middle of the graph that owns it.
 *
 * While a graph is open its edges name their source; closing it turns names
 * into node ids. An edge that names nothing keeps its place among the inputs,
 * with TFP_NO_NODE for its source, and is counted.
 */
#ifndef TFP_MODEL_GRAPH_H
#define TFP_MODEL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"

/* An edge's output number when it only orders, "^name" in a file, and when a
 * profile does not say which it is. */
enum { TFP_CONTROL = -1, TFP_OUTPUT_UNKNOWN = INT32_MAX };

typedef struct tfp_edge {
    uint32_t source; /* tfp_node or TFP_NO_NODE; in an open graph a name */
    int32_t output;  /* of the source, or one of the above */
    tfp_string port; /* in function bodies the output's name: "a:port:0"; else
                        how far its number is ahead of its place */
} tfp_edge;

/* The number of the input at a place. A profile may leave numbers out. */
static inline int32_t tfp_edge_number(const tfp_edge *edge, size_t place)
{
    return (int32_t)((uint32_t)place + edge->port);
}

enum { TFP_NODE_COLUMNS = 9 };

/* One column per property, all `count` long. */
typedef struct tfp_nodes {
    size_t count;
    size_t capacity; /* for which every column has room */
    size_t capacities[TFP_NODE_COLUMNS];
    tfp_string *name;
    tfp_string *op;
    tfp_string *device;
    uint32_t *first_edge; /* its inputs go up to the next node's first */
    tfp_attrs *attrs;
    tfp_list *outputs;  /* shapes of its outputs, by output number */
    tfp_list *types;    /* names of the types that a log gave it */
    tfp_stack *trace;   /* where it was made */
    int64_t *float_ops; /* as a log or profile says, else 0 */
    TFP_VEC(tfp_edge) edges;
    TFP_VEC(tfp_node) by_name; /* by tfp_string: the latest node called so */
} tfp_nodes;

typedef enum tfp_graph_kind {
    TFP_GRAPH_PLAIN,    /* GraphDef, alone or in a MetaGraphDef */
    TFP_GRAPH_FUNCTION, /* FunctionDef; its nodes are in model->bodies */
    TFP_GRAPH_PROFILE,  /* ProfileProto */
    TFP_GRAPH_TRACE     /* what ran in a trace */
} tfp_graph_kind;

typedef struct tfp_graph {
    tfp_graph_kind kind;
    tfp_string name; /* of a function; else the tags of its meta graph */
    uint32_t owner;  /* of a function: the graph with its library */
    uint32_t input;  /* index into model->inputs */
    tfp_node first_node;
    uint32_t node_count;
    uint32_t first_edge, edge_count;
    /* A function's arguments and results are nodes too, as TensorFlow makes
     * them when it instantiates one: op "_Arg" and "_Retval". */
    tfp_node first_arg;
    uint32_t arg_count;
    tfp_node first_return; /* in the order of the signature, so the k-th is
                              output k of a call */
    uint32_t return_count;
    tfp_list return_names, control_returns; /* see functions.h */
    int32_t producer, min_consumer;         /* version stamps */
    bool misses_stream; /* of a profile: accelerators without stream records */
} tfp_graph;

/* What a file says about one node. */
typedef struct tfp_node_facts {
    tfp_string name, op, device;
    tfp_attrs attrs;
    tfp_list outputs;
} tfp_node_facts;

/* What an op log says about one node. */
typedef struct tfp_log_entry {
    tfp_string name;
    tfp_list types;
    tfp_stack trace;
    int64_t float_ops;
} tfp_log_entry;

/* Opens a graph; at most one plain and one function are open at a time. Its
 * index, or TFP_NO_ID when out of memory. */
uint32_t tfp_model_open_graph(tfp_model *model, tfp_graph_kind kind,
                              tfp_string name, uint32_t owner);

/* Adds a node. A second node of a name already in this graph is passed over:
 * *node is TFP_NO_NODE. False when out of memory or past 2^32 - 1 nodes. */
bool tfp_graph_add_node(tfp_model *model, uint32_t graph,
                        const tfp_node_facts *facts, tfp_node *node);

/* Adds an input to the node added last. */
bool tfp_graph_add_edge(tfp_model *model, uint32_t graph, tfp_edge edge);

typedef struct tfp_link_counts {
    int64_t dropped_edges; /* they name no node of their graph */
} tfp_link_counts;

/* Replaces the source of each edge with a node id, and attaches waiting log
 * entries to their nodes. `node_of` is NULL if sources are names. Otherwise
 * they are keys, and node_of[key] is the node; the key TFP_NO_NODE means no
 * node. False when out of memory. */
bool tfp_model_close_graph(tfp_model *model, uint32_t graph,
                           const tfp_node *node_of, tfp_link_counts *counts);

/* The columns that hold the nodes of a graph. */
tfp_nodes *tfp_graph_nodes(tfp_model *model, const tfp_graph *graph);

/* The node of the latest plain graph with that name, or TFP_NO_NODE. */
tfp_node tfp_model_find_node(const tfp_model *model, tfp_string name);

/* The node of that name, or TFP_NO_NODE. No other graph of the same columns may
 * have been opened after this one. */
tfp_node tfp_graph_find_node(const tfp_model *model, const tfp_graph *graph,
                             tfp_string name);

/* The inputs of a node; NULL when there are none. */
static inline const tfp_edge *tfp_node_inputs(const tfp_nodes *nodes,
                                              tfp_node node, size_t *count)
{
    size_t first = nodes->first_edge[node];
    size_t end = node + 1 < nodes->count ? nodes->first_edge[node + 1]
                                         : nodes->edges.count;
    *count = end - first;
    return *count == 0 ? NULL : nodes->edges.data + first;
}

/* Gives a node what a log says; kept for later when it is not there yet. */
bool tfp_model_add_log(tfp_model *model, const tfp_log_entry *entry);

void tfp_nodes_release(tfp_nodes *nodes, tfp_memory *memory);

#endif
