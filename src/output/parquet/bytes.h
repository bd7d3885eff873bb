/*
 * bytes.h - a growing buffer, and the encodings of numbers in Parquet.
 *
 * A failure is remembered, as in a sink. What is added after it is lost, so
 * callers check `failed` before they use the bytes.
 */
#ifndef TFP_OUTPUT_PARQUET_BYTES_H
#define TFP_OUTPUT_PARQUET_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

typedef struct tfp_pq_bytes {
    tfp_memory *memory;
    uint8_t *data;
    size_t count, capacity;
    bool failed; /* out of memory */
} tfp_pq_bytes;

static inline void tfp_pq_bytes_release(tfp_pq_bytes *b)
{
    TFP_VEC_RELEASE(b->memory, b);
}

/* Room for `size` bytes, at least one, after the last one, or NULL. */
static inline uint8_t *tfp_pq_room(tfp_pq_bytes *b, size_t size)
{
    if (b->failed || !TFP_VEC_RESERVE(b->memory, b, size)) {
        b->failed = true;
        return NULL;
    }
    return b->data + b->count;
}

static inline void tfp_pq_put(tfp_pq_bytes *b, tfp_span bytes)
{
    uint8_t *to = bytes.size > 0 ? tfp_pq_room(b, bytes.size) : NULL;
    if (!to)
        return;
    memcpy(to, bytes.data, bytes.size);
    b->count += bytes.size;
}

static inline void tfp_pq_put_byte(tfp_pq_bytes *b, uint8_t byte)
{
    uint8_t *to = tfp_pq_room(b, 1);
    if (to)
        *to = byte, b->count++;
}

/* The lowest byte first, on every machine. */
static inline void tfp_pq_store(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline void tfp_pq_put_number(tfp_pq_bytes *b, uint64_t value,
                                     size_t size)
{
    uint8_t *to = tfp_pq_room(b, size);
    if (!to)
        return;
    tfp_pq_store(to, value, size);
    b->count += size;
}

/* Seven bits in each byte, lowest bits first. */
static inline void tfp_pq_put_varint(tfp_pq_bytes *b, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        tfp_pq_put_byte(b, (uint8_t)(value | 0x80));
    tfp_pq_put_byte(b, (uint8_t)value);
}

/* A signed number. Numbers near 0 need few bytes. */
static inline void tfp_pq_put_zigzag(tfp_pq_bytes *b, int64_t value)
{
    tfp_pq_put_varint(b, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

#endif
