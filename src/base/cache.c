/*
 * cache.c - remembers what was made of bytes that come again and again.
 */
#include "base/cache.h"

enum { LONGEST_KEY = 4 << 10, MOST_BYTES = 4 << 20 };

bool tfp_cache_init(tfp_cache *cache, tfp_memory *memory)
{
    *cache = (tfp_cache){ 0 };
    return tfp_interner_init(&cache->keys, memory, 1, tfp_random_seed());
}

void tfp_cache_release(tfp_cache *cache)
{
    if (cache->keys.memory)
        TFP_VEC_RELEASE(cache->keys.memory, &cache->results);
    tfp_interner_release(&cache->keys);
}

const tfp_cached *tfp_cache_find(const tfp_cache *cache, tfp_span bytes)
{
    uint32_t id;
    if (bytes.size > LONGEST_KEY)
        return NULL;
    id = tfp_interner_find(&cache->keys, bytes);
    return id < cache->results.count ? &cache->results.data[id] : NULL;
}

bool tfp_cache_put(tfp_cache *cache, tfp_span bytes, tfp_cached result)
{
    tfp_memory *memory = cache->keys.memory;
    uint32_t id;
    if (bytes.size == 0 || bytes.size > LONGEST_KEY)
        return true;
    if (tfp_arena_held(&cache->keys.arena) > MOST_BYTES) {
        cache->results.count = 0;
        if (!tfp_interner_clear(&cache->keys))
            return false;
    }
    id = tfp_intern(&cache->keys, bytes);
    if (id == TFP_NO_ID)
        return false;
    while (cache->results.count <= id) { /* id 0 is the empty key */
        if (!TFP_VEC_PUSH(memory, &cache->results, (tfp_cached){ 0 }))
            return false;
    }
    cache->results.data[id] = result;
    return true;
}
