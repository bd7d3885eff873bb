/*
 * hlo_ids.c - things that call each other by numbers of 64 bits, found by hash.
 *
 * Open addressing, at most half full. Of equal ids one is in the table, so no
 * file can make a chain that is long.
 */
#include "trace/hlo_ids.h"

#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"

static int64_t id_at(const tfp_hlo_ids *ids, uint32_t index)
{
    int64_t id;
    memcpy(&id, (const uint8_t *)ids->first + index * ids->stride, sizeof(id));
    return id;
}

/* The slot that has the id, or the free one where it belongs. */
static uint32_t *slot_of(const tfp_hlo_ids *ids, int64_t id)
{
    tfp_span bytes = { (const uint8_t *)&id, sizeof(id) };
    size_t at = (size_t)tfp_hash(bytes, ids->seed);
    for (;; at++) {
        uint32_t *slot = &ids->slots[at & ids->mask];
        if (*slot == TFP_NO_ID || id_at(ids, *slot) == id)
            return slot;
    }
}

bool tfp_hlo_ids_init(tfp_hlo_ids *ids, tfp_memory *memory,
                      const int64_t *first, size_t stride, size_t count)
{
    size_t slots = 2;
    while (slots / 2 < count)
        slots *= 2;
    *ids = (tfp_hlo_ids){ .memory = memory,
                          .first = first,
                          .stride = stride,
                          .mask = slots - 1,
                          .seed = tfp_random_seed() };
    ids->slots = tfp_memory_array(memory, slots, sizeof(*ids->slots));
    if (!ids->slots)
        return false;
    memset(ids->slots, 0xff, slots * sizeof(*ids->slots)); /* TFP_NO_ID */
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = slot_of(ids, id_at(ids, (uint32_t)i));
        if (*slot == TFP_NO_ID)
            *slot = (uint32_t)i;
    }
    return true;
}

void tfp_hlo_ids_release(tfp_hlo_ids *ids)
{
    if (ids->memory)
        tfp_memory_free(ids->memory, ids->slots);
    *ids = (tfp_hlo_ids){ 0 };
}

uint32_t tfp_hlo_ids_find(const tfp_hlo_ids *ids, int64_t id)
{
    return *slot_of(ids, id);
}
