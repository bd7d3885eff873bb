/*
 * wire_build.h - makes wire bytes, field by field, for the tests to read.
 *
 *     wire_bytes b = { 0 };
 *     wire_put(&b, "1{1'name' 2:%d}", number);
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

/* A tfprof_write_fn; `context` is a wire_bytes. */
static inline int wire_keep(void *context, const void *data, size_t size)
{
    wire_raw(context, data, size);
    return 0;
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

/* The digits up to a blank or a brace. */
static inline char *wire_put_hex(wire_bytes *b, char *at)
{
    for (; *at && !strchr(" }", *at); at += 2)
        wire_byte(b, wire_digit(at[0]) << 4 | wire_digit(at[1]));
    return at;
}

static inline char *wire_put_fields(wire_bytes *b, char *at)
{
    while (*(at += strspn(at, " ")) && *at != '}') {
        char *kind;
        uint32_t field = (uint32_t)strtoul(at, &kind, 10);
        size_t size, start;
        assert_true(kind > at);
        at = kind + 1;
        switch (*kind) {
        case ':': wire_int(b, field, strtoll(at, &at, 10)); break;
        case '=':
            wire_tag(b, field, 5);
            at = wire_put_hex(b, at);
            break;
        case '\'':
            size = strcspn(at, "'");
            wire_field(b, field, at, size);
            at += size + 1;
            break;
        default:
            assert_true(*kind == '{' || *kind == 'x');
            start = wire_open(b, field);
            at = *kind == 'x' ? wire_put_hex(b, at) : wire_put_fields(b, at);
            if (*kind == '{')
                assert_int_equal(*at++, '}');
            wire_close(b, start);
        }
    }
    return at;
}

/* Fields in a row, as printf() writes them: 1:-5 is a number, 1'text' a text,
 * 1x0a0b are bytes, 1=0000003f the four of a float, and 1{2:3 4'x'} is a
 * message. */
static inline void __attribute__((format(printf, 2, 3))) wire_put(
    wire_bytes *b, const char *format, ...)
{
    char text[2000];
    va_list list;
    va_start(list, format);
    assert_in_range(vsnprintf(text, sizeof(text), format, list), 0,
                    sizeof(text) - 1);
    va_end(list);
    assert_int_equal(*wire_put_fields(b, text), '\0');
}

#endif
