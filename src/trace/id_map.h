/*
 * id_map.h - from the numbers that a trace gives its things to our own.
 *
 * Writers count ids up from 1, and then a column answers. But an id may be any
 * number: ids that would make the column large go through a hash.
 */
#ifndef TFP_TRACE_ID_MAP_H
#define TFP_TRACE_ID_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"

typedef struct tfp_id_slot {
    int64_t id;
    uint32_t value; /* TFP_NO_ID in a free slot */
} tfp_id_slot;

typedef struct tfp_id_map {
    tfp_memory *memory;
    TFP_VEC(uint32_t) column; /* by id; TFP_NO_ID where there is none */
    tfp_id_slot *slots;       /* open addressing, a power of two of them */
    size_t slot_count, used;
    size_t count;    /* of all puts */
    size_t expected; /* see tfp_id_map_expect() */
    uint64_t seed;
} tfp_id_map;

/* No memory is taken yet; cannot fail. */
void tfp_id_map_init(tfp_id_map *map, tfp_memory *memory, uint64_t seed);
void tfp_id_map_release(tfp_id_map *map);

/* So many are about to be put: ids in proportion to that number are found
 * fastest. */
void tfp_id_map_expect(tfp_id_map *map, size_t count);

/* Of equal ids the last stands. False when out of memory. */
bool tfp_id_map_put(tfp_id_map *map, int64_t id, uint32_t value);

/* Slow part of tfp_id_map_find(). */
uint32_t tfp_id_map_search(const tfp_id_map *map, int64_t id);

/* TFP_NO_ID when it is not there. */
static inline uint32_t tfp_id_map_find(const tfp_id_map *map, int64_t id)
{
    if ((uint64_t)id < map->column.count && map->column.data[id] != TFP_NO_ID)
        return map->column.data[id];
    return map->used == 0 ? TFP_NO_ID : tfp_id_map_search(map, id);
}

#endif
