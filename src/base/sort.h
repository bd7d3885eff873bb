/*
 * sort.h - a stable sort of numbered things by a 64-bit key.
 *
 * Keys are compared where they lie, without a call; only items of equal keys
 * ask `tie`. Input that is in order already costs one pass.
 */
#ifndef TFP_BASE_SORT_H
#define TFP_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"

typedef struct tfp_sort_item {
    uint64_t key;
    uint32_t index; /* what is sorted */
} tfp_sort_item;

/* Less than, equal to or greater than 0, as `a` belongs before or behind `b`.
 * Items for which it is 0 keep their order. */
typedef int tfp_sort_tie(const void *context, uint32_t a, uint32_t b);

/* Sorts by rising key. `scratch` has room for `count` items; `tie` may be
 * NULL. Cannot fail; takes n log n steps at most, and no stack to speak of. */
void tfp_sort(tfp_sort_item *items, size_t count, tfp_sort_item *scratch,
              tfp_sort_tie *tie, const void *context);

/* The same, until it is cancelled: false then, and the items stand in some
 * order, none of them lost. `cancel` may be NULL. */
bool tfp_sort_until(tfp_sort_item *items, size_t count, tfp_sort_item *scratch,
                    tfp_sort_tie *tie, const void *context,
                    const tfp_cancel *cancel);

/* Keys that sort signed numbers from the smallest up, and from the largest
 * down. */
static inline uint64_t tfp_sort_key_rising(int64_t value)
{
    return (uint64_t)value ^ (uint64_t)1 << 63;
}

static inline uint64_t tfp_sort_key_falling(int64_t value)
{
    return ~((uint64_t)value ^ (uint64_t)1 << 63);
}

#endif
