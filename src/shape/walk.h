/*
 * walk.h - instances of graphs, and the walk through one.
 */
#ifndef TFP_SHAPE_WALK_H
#define TFP_SHAPE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shape/shapes.h"
#include "shape/site.h"

/* Calls inside each other, and nodes of all instances together. */
enum { TFP_MOST_CALLS = 64, TFP_MOST_WALKED = 500000 };

/* Makes an instance whose tensors are all unknown; its arguments are to be put
 * next. TFP_NO_ID when it may not be (said in shapes->unwalked) or out of
 * memory (said in shapes->failed). */
uint32_t tfp_walk_open(tfp_shapes *shapes, uint32_t graph,
                       const tfp_site *caller, uint32_t parent, tfp_part part);

/* Says what argument `k` of an instance is. */
void tfp_walk_put_argument(tfp_shapes *shapes, uint32_t instance, uint32_t k,
                           const tfp_known *argument);

/* Walks through all nodes of an instance, and what they call. */
void tfp_walk(tfp_shapes *shapes, uint32_t instance);

/* Takes back all instances from number `first` on. A walk that is made again
 * drops those that its calls have made before. */
void tfp_walk_drop(tfp_shapes *shapes, size_t first);

/* What an instance returns as number `k`; NULL when that is not known. */
const tfp_known *tfp_walk_returned(const tfp_shapes *shapes, uint32_t instance,
                                   uint32_t k);

/* The tensors of a node, in an instance. */
tfp_known *tfp_walk_outputs(const tfp_shapes *shapes, uint32_t instance,
                            uint32_t node, size_t *count);

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
