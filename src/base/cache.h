/*
 * cache.h - remembers what was made of bytes that come again and again.
 *
 * Graphs repeat a few attribute lists, logs a few call stacks; equal bytes
 * mean an equal result. The cache forgets everything when it is full, so its
 * memory is bounded and a new habit of the file is learned at once.
 */
#ifndef TFP_BASE_CACHE_H
#define TFP_BASE_CACHE_H

#include "base/intern.h"

typedef struct tfp_cached {
    uint32_t value[3];
    int32_t depth; /* nesting at which the bytes were found to be sound */
} tfp_cached;

typedef struct tfp_cache {
    tfp_interner keys;
    TFP_VEC(tfp_cached) results; /* by id of the key */
} tfp_cache;

bool tfp_cache_init(tfp_cache *cache, tfp_memory *memory);
void tfp_cache_release(tfp_cache *cache);

/* What was put for these bytes, or NULL. */
const tfp_cached *tfp_cache_find(const tfp_cache *cache, tfp_span bytes);

/* Bytes too long to be worth it are passed over. False: out of memory. */
bool tfp_cache_put(tfp_cache *cache, tfp_span bytes, tfp_cached result);

#endif
