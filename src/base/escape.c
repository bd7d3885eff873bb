/*
 * escape.c - names from strangers, made safe to show.
 */
#include "base/escape.h"

#include <stdio.h>
#include <string.h>

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

size_t tfp_utf8_put(uint32_t code, uint8_t *out)
{
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t first[] = { 0x00, 0xc0, 0xe0, 0xf0 };
    out[0] = (uint8_t)(first[more] | code >> (6 * more));
    for (int i = 1; i <= more; i++)
        out[i] = (uint8_t)(0x80 | (code >> (6 * (more - i)) & 0x3f));
    return (size_t)more + 1;
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

/* Bytes at the start that are printable ASCII. Eight bytes are tested at a
 * time, so up to seven more may follow. The last eight may overlap the eight
 * before them. */
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

size_t tfp_escape_odd(tfp_span bytes)
{
    uint32_t code;
    size_t n = tfp_utf8_next(bytes, &code);
    return n > 0 ? n : 1;
}

typedef struct bounded {
    char *buffer;
    size_t size, used;
} bounded;

static void put(bounded *b, const void *data, size_t size)
{
    if (b->used < b->size) {
        size_t room = b->size - b->used;
        memcpy(b->buffer + b->used, data, size < room ? size : room);
    }
    b->used += size;
}

size_t tfp_escape(tfp_span text, char *buffer, size_t size)
{
    bounded b = { buffer, size > 0 ? size - 1 : 0, 0 };
    while (text.size > 0) {
        size_t plain = tfp_escape_plain(text), odd;
        if (plain > 0)
            put(&b, text.data, plain);
        text = (tfp_span){ text.data + plain, text.size - plain };
        odd = text.size > 0 ? tfp_escape_odd(text) : 0;
        for (size_t i = 0; i < odd; i++) {
            char hex[sizeof("\\xHH")];
            snprintf(hex, sizeof(hex), "\\x%02x", text.data[i]);
            put(&b, hex, sizeof(hex) - 1);
        }
        text = (tfp_span){ text.data + odd, text.size - odd };
    }
    if (size > 0) { /* a character that does not fit is left out */
        tfp_span kept = { (const uint8_t *)buffer, b.size };
        buffer[b.used <= b.size ? b.used : tfp_escape_plain(kept)] = '\0';
    }
    return b.used;
}

void tfp_escape_mark_cut(char *buffer, size_t size)
{
    static const char dots[] = "...";
    size_t end = size < sizeof(dots) ? 0 : size - sizeof(dots);
    while (end > 0 && is_tail((uint8_t)buffer[end]))
        end--;
    snprintf(buffer + end, size - end, "%s", dots);
}

void tfp_escape_short(tfp_span text, char *buffer, size_t size)
{
    if (tfp_escape(text, buffer, size) >= size)
        tfp_escape_mark_cut(buffer, size);
}

tfp_short tfp_shorten(tfp_span text, size_t most)
{
    tfp_short shown;
    size_t size = most < sizeof(shown.text) ? most + 1 : sizeof(shown.text);
    tfp_escape_short(text, shown.text, size);
    return shown;
}

/* ---- Lists -------------------------------------------------------------- */

enum { NAME_SHOWN = 48, MORE_SIZE = sizeof(" and 1234567 more") };

void tfp_name_list_add(tfp_name_list *list, tfp_span name)
{
    size_t used = strlen(list->text);
    char shown[NAME_SHOWN];
    tfp_escape_short(name, shown, sizeof(shown));
    if (list->shown == list->all &&
        used + strlen(", ") + strlen(shown) + MORE_SIZE <= list->room) {
        snprintf(list->text + used, sizeof(list->text) - used, "%s%s",
                 used > 0 ? ", " : "", shown);
        list->shown++;
    }
    list->all++;
}

void tfp_name_list_end(tfp_name_list *list)
{
    size_t used = strlen(list->text);
    if (list->shown < list->all)
        snprintf(list->text + used, sizeof(list->text) - used, " and %zu more",
                 list->all - list->shown);
}
