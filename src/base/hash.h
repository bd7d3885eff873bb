/*
 * hash.h - a quick hash that strangers cannot predict, given a secret seed.
 */
#ifndef TFP_BASE_HASH_H
#define TFP_BASE_HASH_H

#include <stdint.h>

#define XXH_INLINE_ALL /* short keys: the call would cost as much again */
#include <xxhash.h>

#include "base/bytes.h"

static inline uint64_t tfp_hash(tfp_span bytes, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes.data, bytes.size, seed);
}

#endif
