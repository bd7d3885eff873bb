/*
 * shapes.h - the shape of every tensor of a graph and of what it calls.
 *
 * A graph is walked once, inputs before what uses them. Where it calls a
 * function, an instance of that function's graph is made with what is known of
 * the arguments, walked in its turn, and what it returns is what the call
 * gives. The same function called from two places is two instances: their
 * shapes may differ.
 *
 * Loops by function (While) and of TF1 (Merge, NextIteration) are walked as if
 * their variables kept their shapes; where that proves wrong, what changed is
 * unknown, and the walk is made again.
 */
#ifndef TFP_OPS_SHAPES_H
#define TFP_OPS_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "ops/fact/fact.h"
#include "ops/fact/keys.h"
#include "ops/fact/op.h"

/* ---- What is asked ------------------------------------------------------ */

/* Why an instance runs as often as it does. */
typedef enum tfp_times_rule {
    TFP_TIMES_ONCE,      /* no loop */
    TFP_TIMES_EVALUATED, /* the loop's bounds are constant */
    TFP_TIMES_RECORDED,  /* as run records count */
    TFP_TIMES_GIVEN,     /* as the user says */
    TFP_TIMES_ASSUMED    /* nobody knows: once */
} tfp_times_rule;

/* A number that a user gives to a node: "name=1x224x224x3", "name=20". */
typedef struct tfp_given {
    tfp_string name;
    tfp_shape shape; /* of its output 0 */
    int64_t trips;   /* of a loop, or -1 */
    /* Found for a loop of that name: TFP_TIMES_GIVEN when what is given counts,
     * TFP_TIMES_ONCE when there is no such loop. */
    tfp_times_rule rule;
    int64_t found; /* the trips that count instead */
} tfp_given;

typedef struct tfp_shape_request {
    uint32_t graph;     /* index into model->graphs, where it begins */
    uint32_t signature; /* index into model->signatures, or TFP_NO_ID: then
                         * every node of the graph is wanted */
    bool walk;          /* into functions. Without it only into those that a
                         * signature merely wraps */
    int64_t batch;      /* what unknown first dims of inputs are, or -1 */
    bool batch_is_ours; /* nobody has given it */
    tfp_given *given;
    size_t given_count;
    bool uses_runs; /* take shapes that run records have */
    bool is_told;   /* what the graph lists is all that TensorFlow knows */
} tfp_shape_request;

/* ---- What is found ------------------------------------------------------ */

/* What an instance is to its caller. */
typedef enum tfp_part {
    TFP_PART_TOP,
    TFP_PART_CALL,
    TFP_PART_BODY,
    TFP_PART_COND,
    TFP_PART_THEN,
    TFP_PART_ELSE,
    TFP_PART_BRANCH /* number `branch` of a Case */
} tfp_part;

/* A graph's nodes put in an order, and their tensors numbered. Shared by all
 * instances of the graph. */
typedef struct tfp_layout {
    uint32_t *first_tensor; /* of each node, and one past the last */
    uint32_t *edge_tensor;  /* what each edge brings, or TFP_NO_ID */
    uint32_t *order;        /* nodes, inputs first; NULL: as they stand */
    const tfp_op **ops;     /* of each node, or NULL */
    uint32_t tensor_count;
    size_t name_bytes; /* of all nodes together */
    bool has_cycles;   /* TF1 loops */
    bool ready;
} tfp_layout;

typedef struct tfp_instance {
    uint32_t graph;  /* index into model->graphs */
    uint32_t parent; /* instance, or TFP_NO_ID */
    uint32_t caller; /* node of the parent's graph, counted from its first */
    uint32_t depth;  /* of calls */
    size_t weight;   /* its part of the budget, see walk.h */
    size_t path;     /* bytes of its callers' names, which come before those of
                      * its nodes */
    tfp_part part;
    uint32_t branch;
    int64_t times; /* that it runs for one run of its caller */
    tfp_times_rule rule;
    tfp_known *tensors;
    uint32_t wrapped; /* on the way from a signature to the function that does
                       * the work: the node that calls on; else TFP_NO_ID */
    uint64_t *live;   /* a bit for each node that is wanted; NULL: all are */
    struct tfp_frames *frames; /* of TF1 loops; NULL: there are none */
} tfp_instance;

/* Why a call was not walked. */
typedef enum tfp_unwalked {
    TFP_UNWALKED_MISSING,   /* no such function */
    TFP_UNWALKED_RECURSIVE, /* it calls itself */
    TFP_UNWALKED_DEEP,      /* too many calls inside each other */
    TFP_UNWALKED_MANY,      /* too many instances */
    TFP_UNWALKED_GRADIENT   /* it does not do what the function does */
} tfp_unwalked;

typedef struct tfp_unwalked_call {
    uint32_t instance;
    uint32_t node; /* counted from the first of the graph */
    tfp_unwalked why;
} tfp_unwalked_call;

/* What the tables have for a type of operation; NULL where they have none. */
typedef struct tfp_op_entry {
    const tfp_op *op;
    tfp_shape_fn *fold;
} tfp_op_entry;

typedef struct tfp_shapes {
    tfp_memory *memory;
    tfp_model *model;
    const tfp_cancel *cancel;
    tfp_shape_request request;
    tfp_string keys[TFP_KEY_COUNT]; /* ids of attributes */
    TFP_VEC(tfp_op_entry) op_of;    /* by tfp_string */
    TFP_VEC(uint32_t) function_of;  /* by tfp_string: graph */
    tfp_layout *layouts;            /* of each graph of the model */
    size_t layout_count;
    TFP_VEC(tfp_instance) instances; /* callers before what they call */
    TFP_VEC(tfp_unwalked_call) unwalked;
    TFP_VEC(const tfp_known *) inputs; /* of the node at hand */
    size_t walked;                     /* weight of all instances together */
    size_t work;   /* the same with those that were walked again, or dropped */
    size_t folded; /* elements put by folding */
    uint32_t subject; /* the instance that the question is about: the top
                       * graph, or the function behind the wrappers */
    uint64_t *inputs_of_signature; /* a bit for each node of the top graph;
                                    * NULL without a signature */
    struct tfp_records *records;   /* what run records say; NULL: nothing */
    size_t evaluated; /* nodes, to find out how often loops go around */
    bool failed;      /* out of memory */
    bool cancelled;
    int64_t conflicts;         /* shapes that a file gives and that cannot be */
    tfp_string first_conflict; /* the node of the first of them */
} tfp_shapes;

/* After a failure releasing is allowed. The model gains shapes and lists. */
int tfp_shapes_init(tfp_shapes *shapes, tfp_model *model, tfp_memory *memory,
                    const tfp_shape_request *request, const tfp_cancel *cancel,
                    tfprof_error *err);
void tfp_shapes_release(tfp_shapes *shapes);

/* Adds to what was found of a tensor what a file says of its shape. What was
 * found stays where they differ. */
void tfp_fact_add_shape(tfp_shapes *shapes, tfp_fact *fact, tfp_shape shape);

/* The graph that an instance is of. */
static inline const tfp_graph *tfp_instance_graph(const tfp_shapes *shapes,
                                                  size_t instance)
{
    uint32_t graph = shapes->instances.data[instance].graph;
    return &shapes->model->graphs.data[graph];
}

/* Is bit `i` set? */
static inline bool tfp_bit(const uint64_t *bits, uint32_t i)
{
    return bits[i / 64] >> i % 64 & 1;
}

/* Puts the site of a node, counted from the first of its graph, to read from
 * (the inputs hold until the next call). False when out of memory. */
bool tfp_shapes_site(tfp_shapes *shapes, uint32_t instance, uint32_t node,
                     tfp_grade grade, struct tfp_site *site);

/* What is known of output `k` of a node. NULL when it has no such output. */
const tfp_known *tfp_shapes_output(const tfp_shapes *shapes, uint32_t instance,
                                   uint32_t node, size_t k);

/* The function of that name: its graph, or TFP_NO_ID. */
uint32_t tfp_shapes_function(const tfp_shapes *shapes, tfp_string name);

/* The row of that name, or NULL when it is in no table; and the same only if
 * its shapes are inferred. */
const tfp_op *tfp_shapes_row(const tfp_shapes *shapes, tfp_string name);
const tfp_op *tfp_shapes_op(const tfp_shapes *shapes, tfp_string name);

/* What computes the elements of its outputs, or NULL. */
tfp_shape_fn *tfp_shapes_fold(const tfp_shapes *shapes, tfp_string name);

/* A shape as a file has it, with what is below 0 put as unknown.
 * TFP_NO_ID when out of memory. */
tfp_shape tfp_shape_made_safe(tfp_shapes *shapes, tfp_shape shape);

/* Is the work of the node wanted? */
bool tfp_shapes_is_live(const tfp_shapes *shapes, uint32_t instance,
                        uint32_t node);

/* What an instance's nodes have between their caller's name and their own:
 * "body/" and the like, or nothing. */
void tfp_part_name(const tfp_instance *instance, char *buffer, size_t size);

/* How often an instance runs in all: its times and those of its callers. */
int64_t tfp_shapes_times(const tfp_shapes *shapes, uint32_t instance);

/* How often a node runs for one run of its instance: more than once in a TF1
 * loop. And in all. */
int64_t tfp_shapes_loop_times(const tfp_shapes *shapes, uint32_t instance,
                              uint32_t node);
int64_t tfp_shapes_node_times(const tfp_shapes *shapes, uint32_t instance,
                              uint32_t node);

#endif
