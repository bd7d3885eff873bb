/*
 * edit_text.c - the line that is being typed, in characters of the locale.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "cli/edit.h"

void cli_text_release(cli_text *t)
{
    free(t->data);
    *t = (cli_text){ 0 };
}

void cli_text_clear(cli_text *t)
{
    t->size = t->cursor = t->changed = 0;
    t->no_memory = t->too_long = false;
}

void cli_text_touch(cli_text *t, size_t index)
{
    if (index < t->changed)
        t->changed = index;
}

/* ---- Changes ------------------------------------------------------------ */

static bool make_room(cli_text *t, size_t count)
{
    size_t capacity = t->capacity ? t->capacity : 256;
    wchar_t *grown;
    while (capacity - t->size < count)
        capacity *= 2;
    if (capacity == t->capacity)
        return true;
    grown = realloc(t->data, capacity * sizeof(*grown));
    if (!grown) {
        t->no_memory = true;
        return false;
    }
    t->data = grown;
    t->capacity = capacity;
    return true;
}

/* The characters may not be part of the line itself. */
bool cli_text_insert(cli_text *t, const wchar_t *chars, size_t count)
{
    size_t room = (size_t)CLI_LONGEST_LINE + 1 - t->size;
    if (count > room) {
        t->too_long = true;
        count = room;
    }
    if (count == 0)
        return true;
    if (!make_room(t, count))
        return false;
    wmemmove(t->data + t->cursor + count, t->data + t->cursor,
             t->size - t->cursor);
    wmemcpy(t->data + t->cursor, chars, count);
    cli_text_touch(t, t->cursor);
    t->size += count;
    t->cursor += count;
    return true;
}

void cli_text_remove(cli_text *t, size_t from, size_t to)
{
    if (from >= to)
        return;
    wmemmove(t->data + from, t->data + to, t->size - to);
    t->size -= to - from;
    if (t->cursor >= to)
        t->cursor -= to - from;
    else if (t->cursor > from)
        t->cursor = from;
    cli_text_touch(t, from);
}

/* ---- Bytes -------------------------------------------------------------- */

bool cli_text_insert_bytes(cli_text *t, const char *bytes, size_t size)
{
    mbstate_t state = { 0 };
    while (size > 0) {
        wchar_t c;
        size_t taken = mbrtowc(&c, bytes, size, &state);
        if (taken == (size_t)-1 || taken == (size_t)-2) {
            memset(&state, 0, sizeof(state));
            taken = 1;
        } else {
            taken += taken == 0; /* a NUL */
            if (!cli_text_insert(t, &c, 1))
                return false;
        }
        bytes += taken;
        size -= taken;
    }
    return true;
}

bool cli_text_set(cli_text *t, const char *line)
{
    cli_text_remove(t, 0, t->size);
    return cli_text_insert_bytes(t, line, strlen(line));
}

static size_t to_bytes(wchar_t c, char bytes[MB_LEN_MAX])
{
    mbstate_t state = { 0 };
    size_t size = wcrtomb(bytes, c, &state);
    return size == (size_t)-1 ? 0 : size;
}

char *cli_text_bytes(const cli_text *t, size_t count, size_t *size)
{
    char one[MB_LEN_MAX], *bytes;
    size_t all = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        all += to_bytes(t->data[i], one);
    bytes = malloc(all + 1);
    if (!bytes)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t n = to_bytes(t->data[i], one);
        memcpy(bytes + at, one, n);
        at += n;
    }
    bytes[all] = '\0';
    *size = all;
    return bytes;
}

void cli_text_remove_bytes(cli_text *t, size_t size)
{
    size_t from = t->cursor, passed = 0;
    char one[MB_LEN_MAX];
    while (from > 0 && passed < size)
        passed += to_bytes(t->data[--from], one);
    cli_text_remove(t, from, t->cursor);
}

/* ---- Words -------------------------------------------------------------- */

static bool is_word(wchar_t c)
{
    return iswalnum((wint_t)c) || c == L'_';
}

size_t cli_text_word_start(const cli_text *t)
{
    size_t i = t->cursor;
    while (i > 0 && !is_word(t->data[i - 1]))
        i--;
    while (i > 0 && is_word(t->data[i - 1]))
        i--;
    return i;
}

size_t cli_text_word_end(const cli_text *t)
{
    size_t i = t->cursor;
    while (i < t->size && !is_word(t->data[i]))
        i++;
    while (i < t->size && is_word(t->data[i]))
        i++;
    return i;
}
