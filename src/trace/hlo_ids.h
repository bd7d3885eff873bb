/*
 * hlo_ids.h - things that call each other by numbers of 64 bits, found by hash.
 *
 * The numbers come from a file: they may be any, and several may be equal.
 */
#ifndef TFP_TRACE_HLO_IDS_H
#define TFP_TRACE_HLO_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"

typedef struct tfp_hlo_ids {
    tfp_memory *memory;
    const int64_t *first; /* id of thing 0; the next is `stride` bytes on */
    size_t stride;
    uint32_t *slots; /* indexes, TFP_NO_ID in a free one */
    size_t mask;     /* slots but one; a power of two of them */
    uint64_t seed;
} tfp_hlo_ids;

/* The things must stay where they are. False when out of memory; releasing is
 * allowed then. */
bool tfp_hlo_ids_init(tfp_hlo_ids *ids, tfp_memory *memory,
                      const int64_t *first, size_t stride, size_t count);
void tfp_hlo_ids_release(tfp_hlo_ids *ids);

/* Index of the first thing of that id, or TFP_NO_ID. */
uint32_t tfp_hlo_ids_find(const tfp_hlo_ids *ids, int64_t id);

#endif
