/*
 * utf8.c - text that others may take for UTF-8.
 */
#include "base/utf8.h"

#include "base/escape.h"

size_t tfp_utf8_run(tfp_span bytes)
{
    size_t at = 0, n = 1;
    while (at < bytes.size && n > 0) {
        uint32_t code;
        n = bytes.data[at] < 0x80
                ? 1
                : tfp_utf8_next((tfp_span){ bytes.data + at, bytes.size - at },
                                &code);
        at += n;
    }
    return at;
}

size_t tfp_utf8_cut(tfp_span text, size_t most)
{
    size_t size = most;
    if (text.size <= most)
        return text.size;
    while (size > 0 && most - size < 4 && (text.data[size] & 0xc0) == 0x80)
        size--;
    return size;
}

static bool add_plain(tfp_memory *memory, tfp_utf8 *text, const uint8_t *bytes,
                      size_t size)
{
    if (size == 0)
        return true;
    if (!TFP_VEC_RESERVE(memory, text, size))
        return false;
    memcpy(text->data + text->count, bytes, size);
    text->count += size;
    return true;
}

static bool add_odd(tfp_memory *memory, tfp_utf8 *text, uint8_t byte)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t escape[] = { '\\', 'x', (uint8_t)hex[byte >> 4],
                         (uint8_t)hex[byte & 15] };
    return add_plain(memory, text, escape, sizeof(escape));
}

bool tfp_utf8_add(tfp_memory *memory, tfp_utf8 *text, tfp_span bytes)
{
    bool ok = true;
    while (bytes.size > 0 && ok) {
        size_t n = tfp_utf8_run(bytes);
        ok = add_plain(memory, text, bytes.data, n);
        if (ok && n < bytes.size)
            ok = add_odd(memory, text, bytes.data[n++]);
        bytes.data += n;
        bytes.size -= n;
    }
    return ok;
}
