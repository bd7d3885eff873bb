/*
 * layout.h - a graph's nodes in an order to walk them, its tensors numbered.
 */
#ifndef TFP_OPS_LAYOUT_H
#define TFP_OPS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ops/fact/shapes.h"

/* The layout of a graph, made when it is first asked for. NULL when out of
 * memory or cancelled. It stays where it is. */
const tfp_layout *tfp_layout_of(tfp_shapes *shapes, uint32_t graph);

void tfp_layout_release(tfp_layout *layout, tfp_memory *memory);

#endif
