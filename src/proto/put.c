/*
 * put.c - writes wire bytes.
 */
#include "proto/put.h"

#include <string.h>

#include "proto/schema.h"
#include "proto/wire.h"

void tfp_put_init(tfp_put *put, tfp_memory *memory)
{
    *put = (tfp_put){ .memory = memory };
}

void tfp_put_release(tfp_put *put)
{
    TFP_VEC_RELEASE(put->memory, &put->out);
}

/* Room for `size` more bytes, or NULL. */
static uint8_t *room(tfp_put *put, size_t size)
{
    if (put->failed || !TFP_VEC_RESERVE(put->memory, &put->out, size)) {
        put->failed = true;
        return NULL;
    }
    return put->out.data + put->out.count;
}

static void took(tfp_put *put, const uint8_t *end)
{
    put->out.count = (size_t)(end - put->out.data);
}

void tfp_put_varint(tfp_put *put, uint64_t value)
{
    uint8_t *at = room(put, TFP_VARINT_BYTES);
    if (at)
        took(put, tfp_put_varint_at(at, value));
}

void tfp_put_int(tfp_put *put, uint32_t number, int64_t value)
{
    uint8_t *at = room(put, TFP_TAG_BYTES + TFP_VARINT_BYTES);
    if (!at)
        return;
    at = tfp_put_varint_at(at, TFP_TAG(number, TFP_WIRE_VARINT));
    took(put, tfp_put_varint_at(at, (uint64_t)value));
}

void tfp_put_raw(tfp_put *put, tfp_span bytes)
{
    uint8_t *at = bytes.size > 0 ? room(put, bytes.size) : NULL;
    if (!at)
        return;
    memcpy(at, bytes.data, bytes.size);
    took(put, at + bytes.size);
}

void tfp_put_bytes(tfp_put *put, uint32_t number, tfp_span bytes)
{
    uint8_t *at = room(put, TFP_TAG_BYTES + TFP_VARINT_BYTES);
    if (!at)
        return;
    at = tfp_put_varint_at(at, TFP_TAG(number, TFP_WIRE_BYTES));
    took(put, tfp_put_varint_at(at, bytes.size));
    tfp_put_raw(put, bytes);
}

void tfp_put_float(tfp_put *put, uint32_t number, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    tfp_put_varint(put, TFP_TAG(number, TFP_WIRE_FIXED32));
    tfp_put_fixed(put, bits, sizeof(bits));
}

void tfp_put_fixed(tfp_put *put, uint64_t bits, int size)
{
    uint8_t *at = room(put, sizeof(bits));
    if (at)
        took(put, tfp_put_fixed_at(at, bits, size));
}

/* The length of most messages fits into one byte; a longer one makes the
 * message move up when it ends. */
size_t tfp_put_begin(tfp_put *put, uint32_t number)
{
    uint8_t *at = room(put, TFP_TAG_BYTES + 1);
    if (at)
        took(put, tfp_put_varint_at(at, TFP_TAG(number, TFP_WIRE_BYTES)) + 1);
    return put->out.count;
}

void tfp_put_end(tfp_put *put, size_t begin)
{
    size_t size, extra = 0;
    uint8_t *at;
    if (put->failed)
        return;
    size = put->out.count - begin;
    for (uint64_t rest = size >> 7; rest > 0; rest >>= 7)
        extra++;
    if ((uint64_t)size >> 32 || !room(put, extra)) {
        put->failed = true;
        return;
    }
    at = put->out.data + begin;
    if (extra > 0)
        memmove(at + extra, at, size);
    tfp_put_varint_at(at - 1, size);
    put->out.count += extra;
}
