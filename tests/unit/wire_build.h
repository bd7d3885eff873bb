/*
 * wire_build.h - makes wire bytes, field by field, for the tests to read.
 *
 *     wire_bytes b = { 0 };
 *     size_t node = wire_open(&b, 1);
 *     wire_text(&b, 1, "name");
 *     wire_close(&b, node);
 *     ...
 *     wire_free(&b);
 */
#ifndef TFP_TESTS_WIRE_BUILD_H
#define TFP_TESTS_WIRE_BUILD_H

#include "testing.h"

#include "base/bytes.h"

typedef struct wire_bytes {
    uint8_t *data;
    size_t size, room;
} wire_bytes;

static inline void wire_free(wire_bytes *b)
{
    free(b->data);
    *b = (wire_bytes){ 0 };
}

static inline tfp_span wire_span(const wire_bytes *b)
{
    return (tfp_span){ b->data, b->size };
}

static inline void wire_raw(wire_bytes *b, const void *data, size_t size)
{
    if (b->room - b->size < size) {
        b->room = (b->size + size) * 2;
        b->data = realloc(b->data, b->room);
        assert_non_null(b->data);
    }
    if (size > 0)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}

static inline void wire_byte(wire_bytes *b, int byte)
{
    wire_raw(b, &(uint8_t){ (uint8_t)byte }, 1);
}

static inline int wire_digit(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* "0a 03 616263", blanks where they help. */
static inline void wire_hex(wire_bytes *b, const char *hex)
{
    while (*hex) {
        if (*hex == ' ') {
            hex++;
            continue;
        }
        wire_byte(b, wire_digit(hex[0]) << 4 | wire_digit(hex[1]));
        hex += 2;
    }
}

static inline void wire_varint(wire_bytes *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        wire_byte(b, (int)(value & 0x7f) | 0x80);
    wire_byte(b, (int)value);
}

/* `type` is 0 to 7: also those that do not exist. */
static inline void wire_tag(wire_bytes *b, uint32_t field, int type)
{
    wire_varint(b, (uint64_t)field << 3 | (uint64_t)type);
}

static inline void wire_int(wire_bytes *b, uint32_t field, int64_t value)
{
    wire_tag(b, field, 0);
    wire_varint(b, (uint64_t)value);
}

static inline void wire_field(wire_bytes *b, uint32_t field, const void *data,
                              size_t size)
{
    wire_tag(b, field, 2);
    wire_varint(b, size);
    wire_raw(b, data, size);
}

static inline void wire_text(wire_bytes *b, uint32_t field, const char *text)
{
    wire_field(b, field, text, strlen(text));
}

static inline void wire_fixed(wire_bytes *b, uint64_t bits, int size)
{
    for (int i = 0; i < size; i++)
        wire_byte(b, (int)(bits >> 8 * i & 0xff));
}

static inline void wire_float(wire_bytes *b, uint32_t field, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    wire_tag(b, field, 5);
    wire_fixed(b, bits, 4);
}

/* Begins a message; give the result to wire_close(). */
static inline size_t wire_open(wire_bytes *b, uint32_t field)
{
    wire_tag(b, field, 2);
    return b->size;
}

/* Ends it: its length goes in before what was written since. */
static inline void wire_close(wire_bytes *b, size_t start)
{
    wire_bytes length = { 0 };
    size_t inside = b->size - start;
    wire_varint(&length, inside);
    wire_raw(b, length.data, length.size); /* room */
    memmove(b->data + start + length.size, b->data + start, inside);
    memcpy(b->data + start, length.data, length.size);
    wire_free(&length);
}

#endif
