/*
 * walk.h - instances of graphs, and the walk through one.
 */
#ifndef TFP_OPS_WALK_H
#define TFP_OPS_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ops/fact/shapes.h"
#include "ops/fact/site.h"

/* Calls inside each other. */
enum { TFP_MOST_CALLS = 64 };

/* The budget of a walk. An instance weighs as much as it has nodes, edges and
 * tensors, the inputs and outputs of its call, and something for itself and
 * for each call around it, since these are looked through: an ordinary node
 * with its edges weighs about four. Reports copy and compare the name of every
 * node, which begins with those of its callers: so many bytes of names weigh
 * one. All instances together may weigh TFP_MOST_WALKED and twice what the
 * model weighs. */
enum {
    TFP_MOST_WALKED = 2000000,
    TFP_INSTANCE_WEIGHT = 8,
    TFP_BYTES_OF_NAMES = 256
};

/* What is walked again, because a loop changes shapes, counts once more; so
 * many times as much may be walked in all. */
enum { TFP_MOST_AGAIN = 8 };

/* Charges the budget with work done, in the unit of those weights, and asks
 * now and then whether the walk is canceled. */
void tfp_walk_charge(tfp_shapes *shapes, size_t work);

/* Makes an instance whose tensors are all unknown; its arguments are to be put
 * next. TFP_NO_ID when it may not be (said in shapes->unwalked) or out of
 * memory (said in shapes->failed). */
uint32_t tfp_walk_open(tfp_shapes *shapes, uint32_t graph,
                       const tfp_site *caller, uint32_t parent, tfp_part part);

/* Says what argument `k` of an instance is. */
void tfp_walk_put_argument(tfp_shapes *shapes, uint32_t instance, uint32_t k,
                           const tfp_known *argument);

/* Walks through all nodes of an instance, and what they call. */
void tfp_walk_instance(tfp_shapes *shapes, uint32_t instance);

/* The same, once, whatever comes back in TF1 loops; and of one node. */
void tfp_walk_nodes(tfp_shapes *shapes, uint32_t instance);
void tfp_walk_node(tfp_shapes *shapes, uint32_t instance, uint32_t node);

/* Walks an instance with TF1 loops until what it assumes of their variables
 * holds (cycles.c); the second puts what is assumed after a node was walked. */
void tfp_walk_cycles(tfp_shapes *shapes, uint32_t instance);
void tfp_walk_close(tfp_shapes *shapes, uint32_t instance, tfp_site *site);

/* Takes back all instances from number `first` on. A walk that is made again
 * drops those that its calls have made before. */
void tfp_walk_drop(tfp_shapes *shapes, size_t first);

/* What an instance returns as number `k`; NULL when that is not known. */
const tfp_known *tfp_walk_returned(const tfp_shapes *shapes, uint32_t instance,
                                   uint32_t k);

/* The tensors of a node, in an instance. */
tfp_known *tfp_walk_outputs(const tfp_shapes *shapes, uint32_t instance,
                            uint32_t node, size_t *count);

/* The argument that the body of an instance returns as number `k`, directly or
 * through identities; TFP_NO_ID when it is none. */
uint32_t tfp_walk_passed_on(const tfp_shapes *shapes, uint32_t instance,
                            uint32_t k);

/* What a node gets as input `i`, to be kept. */
tfp_known tfp_walk_input(const tfp_site *site, size_t i);

/* Says what argument `k` of a function is that TensorFlow takes as a graph of
 * its own: its grade is the shape alone, and what the function says of it. */
void tfp_walk_put_as_graph(tfp_shapes *shapes, uint32_t instance, uint32_t k,
                           tfp_known argument);

/* The same of all inputs from number `first` on. */
void tfp_walk_put_inputs(tfp_shapes *shapes, uint32_t instance,
                         const tfp_site *site, size_t first);

/* What a call gives as output `i`, beside what is known of it. */
void tfp_walk_put_output(tfp_shapes *shapes, tfp_site *site, size_t i,
                         tfp_grade grade, const tfp_fact *fact);

/* Of a graph that TensorFlow has in memory: its grade is what each node lists
 * in "_output_shapes", no less and no more. */
void tfp_walk_take_listed(tfp_shapes *shapes, uint32_t instance);

/* Makes an unknown first dim what --batch says. */
void tfp_walk_put_batch(tfp_shapes *shapes, tfp_fact *fact);

/* Walks into what a node calls and puts what comes back, in the grade that is
 * ours. One for each kind of call: calls.c, loops.c. */
void tfp_walk_call(tfp_shapes *shapes, uint32_t instance, tfp_site *site,
                   uint32_t function);
void tfp_walk_branches(tfp_shapes *shapes, uint32_t instance, tfp_site *site);
void tfp_walk_loop(tfp_shapes *shapes, uint32_t instance, tfp_site *site);

/* Which nodes of an instance are wanted: those that the signature's outputs
 * need, or what the function returns. False when out of memory. */
bool tfp_walk_mark_live(tfp_shapes *shapes, uint32_t instance);

void tfp_live_release(tfp_shapes *shapes);

/* The one call of an instance that is wanted for nothing else, or TFP_NO_ID. */
uint32_t tfp_walk_wrapped(const tfp_shapes *shapes, uint32_t instance);

#endif
