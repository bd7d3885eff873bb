/*
 * bits.h - a set of small numbers.
 */
#ifndef TFP_BASE_BITS_H
#define TFP_BASE_BITS_H

#include "base/memory.h"

typedef TFP_VEC(uint64_t) tfp_bits;

/* Adds `number`; *fresh tells whether it was not there. False: no memory. */
static inline bool tfp_bits_add(tfp_bits *bits, tfp_memory *memory,
                                uint32_t number, bool *fresh)
{
    size_t word = number / 64;
    uint64_t bit = (uint64_t)1 << number % 64;
    if (word >= bits->count) {
        if (!TFP_VEC_RESERVE(memory, bits, word + 1 - bits->count))
            return false;
        memset(bits->data + bits->count, 0,
               (bits->capacity - bits->count) * sizeof(*bits->data));
        bits->count = bits->capacity;
    }
    *fresh = !(bits->data[word] & bit);
    bits->data[word] |= bit;
    return true;
}

static inline bool tfp_bits_has(const tfp_bits *bits, uint32_t number)
{
    return number / 64 < bits->count &&
           bits->data[number / 64] >> number % 64 & 1;
}

#endif
