/*
 * intern.h - equal bytes are kept once and known by a small number.
 *
 * Ids count up from 0 in the order of first appearance; 0 is always the empty
 * string. Names, shapes, attribute blocks and call stacks all go through this
 * one table type, each in an instance of its own, and are compared by id.
 */
#ifndef TFP_BASE_INTERN_H
#define TFP_BASE_INTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* Returned where there is no id: out of memory, or not found. */
#define TFP_NO_ID UINT32_MAX

typedef struct tfp_intern_slot {
    uint32_t hash; /* low half of the hash, also the wanted place */
    uint32_t id;   /* TFP_NO_ID in a free slot */
} tfp_intern_slot;

typedef struct tfp_interner {
    tfp_memory *memory;
    tfp_arena arena; /* each item: uint32_t size, then the bytes */
    size_t align;    /* of every item's bytes */
    TFP_VEC(const uint8_t *) items;
    tfp_intern_slot *slots; /* open addressing, a power of two of them */
    size_t slot_count;
    tfp_intern_slot *recent; /* ids found lately, by a part of the hash */
    uint64_t seed; /* names come from strangers: places must not be guessed */
} tfp_interner;

/* Items lie at multiples of `align`: 1 for names, 8 for what is read back as
 * an array of structs. False when out of memory; releasing is allowed then. */
bool tfp_interner_init(tfp_interner *interner, tfp_memory *memory, size_t align,
                       uint64_t seed);
void tfp_interner_release(tfp_interner *interner);

/* Forgets every item, keeps the table's size. False when out of memory. */
bool tfp_interner_clear(tfp_interner *interner);

/* The id of `bytes`, added if they are new. TFP_NO_ID when out of memory. */
uint32_t tfp_intern(tfp_interner *interner, tfp_span bytes);

/* The same in two steps. A new name's place in a large table is a cache miss;
 * between the steps the caller has time to do something else. */
typedef struct tfp_intern_key {
    tfp_span bytes;
    uint32_t hash;
} tfp_intern_key;

tfp_intern_key tfp_intern_prepare(const tfp_interner *interner, tfp_span bytes);
uint32_t tfp_intern_prepared(tfp_interner *interner, tfp_intern_key key);

/* The same, quicker when it is likely that the bytes are those of the item
 * after `last`. `last` may be anything. */
uint32_t tfp_intern_after(tfp_interner *interner, uint32_t last,
                          tfp_span bytes);

/* The same when they are likely to be those of `last` again. */
uint32_t tfp_intern_same(tfp_interner *interner, uint32_t last, tfp_span bytes);

/* An item with the bytes of another one, which no bytes lead to; and the bytes
 * of a third one for it. TFP_NO_ID when out of memory. */
uint32_t tfp_interner_add_alias(tfp_interner *interner, uint32_t of);
void tfp_interner_point(tfp_interner *interner, uint32_t alias, uint32_t of);

/* The id of `bytes` or TFP_NO_ID. Cannot fail otherwise. */
uint32_t tfp_interner_find(const tfp_interner *interner, tfp_span bytes);

static inline uint32_t tfp_interner_count(const tfp_interner *interner)
{
    return (uint32_t)interner->items.count;
}

/* The bytes of a valid id. They stay where they are until the interner is
 * released or cleared. */
static inline tfp_span tfp_interned(const tfp_interner *interner, uint32_t id)
{
    const uint8_t *item = interner->items.data[id];
    uint32_t size;
    memcpy(&size, item - sizeof(size), sizeof(size));
    return (tfp_span){ item, size };
}

/* A number that differs from run to run, for the seeds above. */
uint64_t tfp_random_seed(void);

#endif
