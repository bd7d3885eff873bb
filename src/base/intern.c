/*
 * intern.c - equal bytes are kept once and known by a small number.
 *
 * Inputs name what was named a moment ago, so a small table of recent finds
 * stands before the large one and spares most of its cache misses.
 *
 * Linear probing over 8-byte slots that carry half of the hash: a lookup
 * touches one cache line of slots and, nearly always, only the right item.
 * The table never holds more than 3/4 of its slots and grows by doubling,
 * from the stored hashes, without reading the items again.
 */
#include "base/intern.h"

#include <sys/random.h>
#include <time.h>

#include "base/hash.h"

enum {
    FIRST_SLOTS = 64,
    RECENT = 1 << 14,        /* slots: 128 KiB */
    RECENT_FROM = 4 * RECENT /* items; a smaller table is quick by itself */
};

static bool allocate_slots(tfp_interner *t, size_t count)
{
    size_t size;
    tfp_intern_slot *slots;
    if (!tfp_mul_size(count, sizeof(*slots), &size))
        return false;
    slots = tfp_memory_alloc(t->memory, size);
    if (!slots)
        return false;
    memset(slots, 0xff, size); /* every id TFP_NO_ID */
    t->slots = slots;
    t->slot_count = count;
    return true;
}

bool tfp_interner_init(tfp_interner *t, tfp_memory *memory, size_t align,
                       uint64_t seed)
{
    *t = (tfp_interner){ .memory = memory, .align = align, .seed = seed };
    tfp_arena_init(&t->arena, memory);
    return allocate_slots(t, FIRST_SLOTS) &&
           tfp_intern(t, (tfp_span){ NULL, 0 }) == 0;
}

void tfp_interner_release(tfp_interner *t)
{
    if (!t->memory)
        return;
    tfp_arena_release(&t->arena);
    TFP_VEC_RELEASE(t->memory, &t->items);
    tfp_memory_free(t->memory, t->slots);
    tfp_memory_free(t->memory, t->recent);
    *t = (tfp_interner){ 0 };
}

bool tfp_interner_clear(tfp_interner *t)
{
    tfp_arena_release(&t->arena);
    t->items.count = 0;
    memset(t->slots, 0xff, t->slot_count * sizeof(*t->slots));
    if (t->recent)
        memset(t->recent, 0xff, RECENT * sizeof(*t->recent));
    return tfp_intern(t, (tfp_span){ NULL, 0 }) == 0;
}

static uint32_t hash_of(const tfp_interner *t, tfp_span bytes)
{
    return (uint32_t)tfp_hash(bytes, t->seed);
}

/* The slot that holds `bytes`, or the free one where they belong. */
static tfp_intern_slot *find_slot(const tfp_interner *t, uint32_t hash,
                                  tfp_span bytes)
{
    size_t mask = t->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        tfp_intern_slot *slot = &t->slots[i];
        if (slot->id == TFP_NO_ID)
            return slot;
        if (slot->hash == hash &&
            tfp_span_equal(tfp_interned(t, slot->id), bytes))
            return slot;
    }
}

static bool grow(tfp_interner *t)
{
    tfp_intern_slot *old = t->slots;
    size_t old_count = t->slot_count, mask;
    if (!allocate_slots(t, old_count * 2))
        return false;
    mask = t->slot_count - 1;
    for (size_t i = 0; i < old_count; i++) {
        size_t place = old[i].hash & mask;
        if (old[i].id == TFP_NO_ID)
            continue;
        while (t->slots[place].id != TFP_NO_ID)
            place = (place + 1) & mask;
        t->slots[place] = old[i];
    }
    tfp_memory_free(t->memory, old);
    return true;
}

static const uint8_t *copy_item(tfp_interner *t, tfp_span bytes)
{
    uint32_t size = (uint32_t)bytes.size;
    /* The size stands right before the bytes, whatever they are aligned to. */
    size_t head = t->align > sizeof(size) ? t->align : sizeof(size), total;
    uint8_t *item;
    if (bytes.size >= UINT32_MAX || !tfp_add_size(bytes.size, head, &total))
        return NULL;
    item = tfp_arena_alloc(&t->arena, total, t->align);
    if (!item)
        return NULL;
    item += head;
    memcpy(item - sizeof(size), &size, sizeof(size));
    if (size > 0)
        memcpy(item, bytes.data, size);
    return item;
}

/* Failing to make it costs speed, nothing else. */
static void make_recent(tfp_interner *t)
{
    size_t size = RECENT * sizeof(*t->recent);
    t->recent = tfp_memory_alloc(t->memory, size);
    if (t->recent)
        memset(t->recent, 0xff, size);
}

static uint32_t add_item(tfp_interner *t, uint32_t hash, tfp_span bytes,
                         tfp_intern_slot *slot)
{
    const uint8_t *item;
    if (t->items.count >= TFP_NO_ID)
        return TFP_NO_ID;
    if (t->items.count >= t->slot_count / 4 * 3) {
        if (!grow(t))
            return TFP_NO_ID;
        slot = find_slot(t, hash, bytes);
    }
    item = copy_item(t, bytes);
    if (!item || !TFP_VEC_PUSH(t->memory, &t->items, item))
        return TFP_NO_ID;
    *slot = (tfp_intern_slot){ hash, (uint32_t)t->items.count - 1 };
    if (t->items.count == RECENT_FROM && !t->recent)
        make_recent(t);
    return slot->id;
}

static tfp_intern_slot *recent_slot(const tfp_interner *t, uint32_t hash)
{
    return t->recent ? &t->recent[(hash >> 18) % RECENT] : NULL;
}

tfp_intern_key tfp_intern_prepare(const tfp_interner *t, tfp_span bytes)
{
    tfp_intern_key key = { bytes, hash_of(t, bytes) };
    __builtin_prefetch(&t->slots[key.hash & (t->slot_count - 1)], 1);
    return key;
}

uint32_t tfp_intern_prepared(tfp_interner *t, tfp_intern_key key)
{
    tfp_intern_slot *slot, *recent = recent_slot(t, key.hash);
    uint32_t id;
    if (recent && recent->id != TFP_NO_ID && recent->hash == key.hash &&
        tfp_span_equal(tfp_interned(t, recent->id), key.bytes))
        return recent->id;
    slot = find_slot(t, key.hash, key.bytes);
    id = slot->id != TFP_NO_ID ? slot->id
                               : add_item(t, key.hash, key.bytes, slot);
    if (recent && id != TFP_NO_ID)
        *recent = (tfp_intern_slot){ key.hash, id };
    return id;
}

uint32_t tfp_intern(tfp_interner *t, tfp_span bytes)
{
    return tfp_intern_prepared(t, (tfp_intern_key){ bytes, hash_of(t, bytes) });
}

uint32_t tfp_intern_same(tfp_interner *t, uint32_t last, tfp_span bytes)
{
    if (last < t->items.count && tfp_span_equal(tfp_interned(t, last), bytes))
        return last;
    return tfp_intern(t, bytes);
}

uint32_t tfp_intern_after(tfp_interner *t, uint32_t last, tfp_span bytes)
{
    return tfp_intern_same(t, last < TFP_NO_ID ? last + 1 : last, bytes);
}

uint32_t tfp_interner_add_alias(tfp_interner *t, uint32_t of)
{
    const uint8_t *item = t->items.data[of];
    if (t->items.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(t->memory, &t->items, item))
        return TFP_NO_ID;
    if (t->items.count == RECENT_FROM && !t->recent)
        make_recent(t);
    return (uint32_t)t->items.count - 1;
}

void tfp_interner_point(tfp_interner *t, uint32_t alias, uint32_t of)
{
    t->items.data[alias] = t->items.data[of];
}

uint32_t tfp_interner_find(const tfp_interner *t, tfp_span bytes)
{
    return find_slot(t, hash_of(t, bytes), bytes)->id;
}

uint64_t tfp_random_seed(void)
{
    uint64_t seed = 0;
    struct timespec now;
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed))
        return seed;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u ^ (uintptr_t)&now;
}
