/*
 * id_map.c - from the numbers that a trace gives its things to our own.
 */
#include "trace/id_map.h"

#include "base/bytes.h"
#include "base/hash.h"

enum { FIRST_SLOTS = 16, SPARE = 256 };

void tfp_id_map_init(tfp_id_map *map, tfp_memory *memory, uint64_t seed)
{
    *map = (tfp_id_map){ .memory = memory, .seed = seed };
}

void tfp_id_map_release(tfp_id_map *map)
{
    TFP_VEC_RELEASE(map->memory, &map->column);
    tfp_memory_free(map->memory, map->slots);
    map->slots = NULL;
    map->slot_count = map->used = map->count = 0;
}

/* The slot of an id, or the free one where it belongs. */
static tfp_id_slot *slot_of(const tfp_id_map *map, int64_t id)
{
    tfp_span key = { (const uint8_t *)&id, sizeof(id) };
    size_t at = (size_t)tfp_hash(key, map->seed);
    for (;; at++) {
        tfp_id_slot *slot = &map->slots[at & (map->slot_count - 1)];
        if (slot->value == TFP_NO_ID || slot->id == id)
            return slot;
    }
}

uint32_t tfp_id_map_search(const tfp_id_map *map, int64_t id)
{
    return slot_of(map, id)->value;
}

static bool grow_slots(tfp_id_map *map)
{
    tfp_id_slot *old = map->slots;
    size_t old_count = map->slot_count;
    size_t count = old_count ? old_count * 2 : FIRST_SLOTS;
    tfp_id_slot *slots = tfp_memory_array(map->memory, count, sizeof(*slots));
    if (!slots)
        return false;
    for (size_t i = 0; i < count; i++)
        slots[i] = (tfp_id_slot){ 0, TFP_NO_ID };
    map->slots = slots;
    map->slot_count = count;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].value != TFP_NO_ID)
            *slot_of(map, old[i].id) = old[i];
    }
    tfp_memory_free(map->memory, old);
    return true;
}

/* The column stays in proportion to the number of ids. */
static bool put_in_column(tfp_id_map *map, size_t id, uint32_t value)
{
    size_t missing = id < map->column.count ? 0 : id + 1 - map->column.count;
    if (!TFP_VEC_RESERVE(map->memory, &map->column, missing))
        return false;
    for (size_t i = 0; i < missing; i++)
        map->column.data[map->column.count++] = TFP_NO_ID;
    map->column.data[id] = value;
    return true;
}

void tfp_id_map_expect(tfp_id_map *map, size_t count)
{
    map->expected = map->count + count;
}

bool tfp_id_map_put(tfp_id_map *map, int64_t id, uint32_t value)
{
    tfp_id_slot *slot;
    size_t count = ++map->count > map->expected ? map->count : map->expected;
    if ((uint64_t)id < 2 * count + SPARE)
        return put_in_column(map, (size_t)id, value);
    if (2 * map->used >= map->slot_count && !grow_slots(map))
        return false;
    slot = slot_of(map, id);
    map->used += slot->value == TFP_NO_ID;
    *slot = (tfp_id_slot){ id, value };
    return true;
}
