/*
 * tree.h - puts the siblings of a tree in order, and lays the tree out.
 */
#ifndef TFP_VIEW_TREE_H
#define TFP_VIEW_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/sort.h"

/* How siblings are ordered: by rising key, then by `tie`; those that are
 * equal in both stay as they are. */
struct tfp_view;
typedef struct tfp_sibling_order {
    uint64_t (*key)(const void *context, uint32_t item); /* NULL: no sorting */
    tfp_sort_tie *tie;                                   /* may be NULL */
    const void *context;
    struct tfp_view *view; /* that may be cancelled, or NULL */
} tfp_sibling_order;

/* Items are numbered so that a parent comes before its children; item 0 is
 * the root. place[item] becomes its position in the tree written from the top
 * down: after its parent, before the next sibling, siblings in order. Takes no
 * stack, however deep the tree. False when out of memory or
 * cancelled. */
bool tfp_tree_order(tfp_memory *memory, const uint32_t *parent, size_t count,
                    const tfp_sibling_order *order, uint32_t *place);

/* The first eight bytes of a text as a number that sorts as the text does. */
uint64_t tfp_text_key(const uint8_t *text, size_t size);

#endif
