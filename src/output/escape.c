/*
 * escape.c - names from strangers, made safe to show.
 */
#include "output/escape.h"

static bool is_tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

size_t tfp_utf8_next(tfp_span bytes, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const uint8_t *at = bytes.data;
    size_t size;
    if (bytes.size == 0)
        return 0;
    if (at[0] < 0x80) {
        *code = at[0];
        return 1;
    }
    size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc0 || at[0] >= 0xf8 || bytes.size < size)
        return 0;
    *code = at[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (!is_tail(at[i]))
            return 0;
        *code = *code << 6 | (at[i] & 0x3f);
    }
    if (*code < least[size] || *code > 0x10ffff ||
        (*code >= 0xd800 && *code <= 0xdfff))
        return 0;
    return size;
}

/* Characters that steer a terminal or hide: C0, DEL, C1; zero-width ones,
 * direction marks and overrides, line separators, the byte order mark. */
static bool is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad ||
           code == 0x61c || code == 0x180e ||
           (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

/* Are eight bytes printable ASCII? None has its top bit, is below ' ', or is
 * DEL. */
static bool are_printable(const uint8_t *bytes)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t eight;
    memcpy(&eight, bytes, sizeof(eight));
    return !((eight | (eight - ones * ' ') | (eight + ones)) & ones << 7);
}

/* Bytes at the start that are printable ASCII, as far as eights tell; the last
 * eight may overlap those before them. */
static size_t printable_eights(tfp_span bytes)
{
    size_t at = 0;
    while (at + 8 <= bytes.size && are_printable(bytes.data + at))
        at += 8;
    if (at > 0 && at + 8 > bytes.size &&
        are_printable(bytes.data + (bytes.size - 8)))
        return bytes.size;
    return at;
}

size_t tfp_escape_plain(tfp_span bytes)
{
    size_t at = printable_eights(bytes);
    while (at < bytes.size) {
        uint32_t code;
        size_t n = tfp_utf8_next((tfp_span){ bytes.data + at, bytes.size - at },
                                 &code);
        if (n == 0 || is_hidden(code))
            break;
        at += n;
    }
    return at;
}

/* Bytes at the start that belong to one hidden or invalid character. */
static size_t odd_bytes(tfp_span bytes)
{
    uint32_t code;
    size_t n = tfp_utf8_next(bytes, &code);
    return n > 0 ? n : 1;
}

void tfp_sink_escaped(tfp_sink *sink, tfp_span bytes)
{
    while (bytes.size > 0) {
        size_t plain = tfp_escape_plain(bytes), odd = 0;
        tfp_sink_bytes(sink, (tfp_span){ bytes.data, plain });
        if (plain < bytes.size)
            odd = odd_bytes(
                (tfp_span){ bytes.data + plain, bytes.size - plain });
        sink->escaped |= odd > 0;
        for (size_t i = 0; i < odd; i++)
            tfp_sink_format(sink, "\\x%02x", bytes.data[plain + i]);
        bytes.data += plain + odd;
        bytes.size -= plain + odd;
    }
}

typedef struct bounded {
    char *buffer;
    size_t size, used;
} bounded;

static int write_bounded(void *context, const void *data, size_t size)
{
    bounded *b = context;
    if (b->used < b->size) {
        size_t room = b->size - b->used;
        memcpy(b->buffer + b->used, data, size < room ? size : room);
    }
    b->used += size;
    return 0;
}

size_t tfp_escape(tfp_span text, char *buffer, size_t size)
{
    tfp_sink sink;
    bounded b = { buffer, size > 0 ? size - 1 : 0, 0 };
    tfp_sink_init(&sink, write_bounded, &b);
    tfp_sink_escaped(&sink, text);
    tfp_sink_flush(&sink);
    if (size > 0)
        buffer[b.used < b.size ? b.used : b.size] = '\0';
    return b.used;
}
