/*
 * put.h - writes wire bytes.
 *
 * The small functions write into memory that has room. A tfp_put grows its
 * own: a message is put field by field, a nested one between begin and end.
 *
 *     size_t node = tfp_put_begin(&put, 1);
 *     tfp_put_bytes(&put, 1, name);
 *     tfp_put_int(&put, 5, id);
 *     tfp_put_end(&put, node);
 *
 * Out of memory is remembered, so a writer looks once, at its end.
 */
#ifndef TFP_PROTO_PUT_H
#define TFP_PROTO_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"

static inline uint8_t *tfp_put_varint_at(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *tfp_put_fixed_at(uint8_t *at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        *at++ = (uint8_t)(value >> (8 * i));
    return at;
}

typedef struct tfp_put {
    tfp_memory *memory;
    TFP_VEC(uint8_t) out;
    bool failed; /* out of memory, or a message of 4 GiB */
} tfp_put;

void tfp_put_init(tfp_put *put, tfp_memory *memory);
void tfp_put_release(tfp_put *put);

/* Forgets what was put and keeps the room. */
static inline void tfp_put_clear(tfp_put *put)
{
    put->out.count = 0;
}

static inline tfp_span tfp_put_span(const tfp_put *put)
{
    return (tfp_span){ put->out.data, put->out.count };
}

/* Writes field `number`, also if the value is 0 or empty: only the caller knows
 * whether such a field may be left out. */
void tfp_put_int(tfp_put *put, uint32_t number, int64_t value);
void tfp_put_bytes(tfp_put *put, uint32_t number, tfp_span bytes);
void tfp_put_float(tfp_put *put, uint32_t number, float value);

/* One number of a packed field, between begin and end. */
void tfp_put_varint(tfp_put *put, uint64_t value);
void tfp_put_fixed(tfp_put *put, uint64_t bits, int size);

/* Bytes that are encoded fields already, or part of the contents of one. */
void tfp_put_raw(tfp_put *put, tfp_span bytes);

/* A nested message or a packed field. */
size_t tfp_put_begin(tfp_put *put, uint32_t number);
void tfp_put_end(tfp_put *put, size_t begin);

/* ---- Fields, by the tags of proto/schema.h ------------------------------ */

/* The fields of an entry of a map. Both are written always. */
enum { TFP_MAP_KEY = 1, TFP_MAP_VALUE = 2 };

static inline size_t tfp_put_open(tfp_put *put, uint32_t tag)
{
    return tfp_put_begin(put, tag >> 3);
}

/* A field of 0 is left out: readers take a missing field as 0. */
static inline void tfp_put_number(tfp_put *put, uint32_t tag, int64_t value)
{
    if (value != 0)
        tfp_put_int(put, tag >> 3, value);
}

static inline void tfp_put_text(tfp_put *put, uint32_t tag, tfp_span text)
{
    if (text.size > 0)
        tfp_put_bytes(put, tag >> 3, text);
}

/* How many bytes a varint takes. */
static inline size_t tfp_put_varint_size(uint64_t value)
{
    size_t size = 1;
    while (value >>= 7)
        size++;
    return size;
}

#endif
