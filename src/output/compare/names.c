/*
 * names.c - names that stand below each other in little room.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/width.h"
#include "compare/snapshot.h"
#include "output/compare/parts.h"
#include "output/text/fit.h"

/* ---- What most of them begin with --------------------------------------- */

/* Up to the first slash, with it; empty if there is none. */
static tfp_span first_part(tfp_span name)
{
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] == '/')
            return (tfp_span){ name.data, i + 1 };
    }
    return (tfp_span){ name.data, 0 };
}

/* Of the names the first part that more than half of them have, if any does:
 * where candidates of other names take each other away, it is left. */
static tfp_span most_frequent_part(const tfp_span *names, size_t count)
{
    tfp_span left = { 0 };
    size_t lead = 0, of = 0;
    for (size_t i = 0; i < count; i++) {
        tfp_span part = first_part(names[i]);
        if (lead == 0)
            left = part;
        if (tfp_span_equal(part, left))
            lead++;
        else
            lead--;
    }
    for (size_t i = 0; i < count; i++)
        of += tfp_span_equal(first_part(names[i]), left);
    return 2 * of > count && of > 1 ? left : (tfp_span){ 0 };
}

tfp_span tfp_compare_prefix(const tfp_span *names, size_t count)
{
    tfp_span part = most_frequent_part(names, count), all = { 0 };
    for (size_t i = 0; i < count && part.size > 0; i++) {
        size_t same = part.size;
        if (!tfp_span_equal(first_part(names[i]), part))
            continue;
        if (all.size == 0)
            all = names[i];
        while (same < all.size && same < names[i].size &&
               all.data[same] == names[i].data[same])
            same++;
        all.size = same;
    }
    while (all.size > 0 && all.data[all.size - 1] != '/')
        all.size--;
    return all;
}

/* ---- Shorter names ------------------------------------------------------ */

typedef struct shortener {
    const tfp_span *names;
    size_t count, room;
    const char *dots;
    size_t dots_columns;
    tfp_memory *memory;
    tfp_snapshot_name *texts;
    tfp_short_name *out;
    size_t *next; /* by place of a hash: name plus 1; then by name */
    size_t places;
    bool failed;
} shortener;

static void put(shortener *s, tfp_span text)
{
    if (!TFP_VEC_RESERVE(s->memory, s->texts, text.size + 1)) {
        s->failed = true;
        return;
    }
    if (text.size > 0)
        memcpy(s->texts->data + s->texts->count, text.data, text.size);
    s->texts->count += text.size;
}

/* Bytes at the end that take at most `room` columns. */
static tfp_span end_of(tfp_span name, size_t room)
{
    size_t columns = tfp_text_columns(name), n, width;
    while (columns > room && (n = tfp_piece_next(name, &width)) > 0) {
        name.data += n;
        name.size -= n;
        columns -= width;
    }
    return name;
}

static tfp_span start_of(tfp_span name, size_t room)
{
    size_t size = 0, columns = 0, n, width;
    while ((n = tfp_piece_next((tfp_span){ name.data + size, name.size - size },
                               &width)) > 0 &&
           columns + width <= room) {
        size += n;
        columns += width;
    }
    return (tfp_span){ name.data, size };
}

/* Cuts a name so that `share` percent of the room go to its start, and ends it
 * with `mark`. */
static void cut(shortener *s, size_t i, size_t share, const char *mark)
{
    size_t room = s->room, start = s->texts->count, ends = strlen(mark);
    tfp_span name = s->names[i];
    if (tfp_text_columns(name) + ends <= room) {
        put(s, name);
    } else {
        size_t left = room > s->dots_columns + ends
                          ? room - s->dots_columns - ends
                          : 0;
        tfp_span head = start_of(name, left * share / 100);
        put(s, head);
        put(s, tfp_span_of(s->dots));
        put(s, end_of(name, left - tfp_text_columns(head)));
    }
    put(s, tfp_span_of(mark));
    s->out[i] = (tfp_short_name){ start, s->texts->count - start };
}

static tfp_span short_of(const shortener *s, size_t i)
{
    return tfp_short_text(s->texts, s->out[i]);
}

/* An earlier name that is another one but looks the same: its index plus 1, or
 * 0. */
static size_t *place_of(shortener *s, size_t i)
{
    size_t place = (size_t)tfp_hash(short_of(s, i), 0) % s->places;
    while (s->next[place] > 0 &&
           !tfp_span_equal(short_of(s, s->next[place] - 1), short_of(s, i)))
        place = (place + 1) % s->places;
    return &s->next[place];
}

static bool are_told_apart(shortener *s)
{
    memset(s->next, 0, s->places * sizeof(*s->next));
    for (size_t i = 0; i < s->count; i++) {
        size_t *other = place_of(s, i);
        if (*other > 0 && !tfp_span_equal(s->names[*other - 1], s->names[i]))
            return false;
        *other = i + 1;
    }
    return true;
}

static void number_equal_ones(shortener *s)
{
    size_t number = 1;
    memset(s->next, 0, s->places * sizeof(*s->next));
    for (size_t i = 0; i < s->count && !s->failed; i++) {
        size_t *other = place_of(s, i);
        while (!s->failed && *other > 0 &&
               !tfp_span_equal(s->names[*other - 1], s->names[i])) {
            char mark[32];
            snprintf(mark, sizeof(mark), "~%zu", ++number);
            cut(s, i, 30, mark);
            other = place_of(s, i);
        }
        *other = i + 1;
    }
}

bool tfp_compare_shorten(const tfp_span *names, size_t count, size_t room,
                         const tfp_style *style, tfp_memory *memory,
                         tfp_snapshot_name *texts, tfp_short_name *out)
{
    static const size_t shares[] = { 15, 40, 0, 70 };
    shortener s = { .names = names,
                    .count = count,
                    .room = room,
                    .dots = style->is_utf8 ? "\xe2\x80\xa6" : "..",
                    .dots_columns = style->is_utf8 ? 1 : 2,
                    .memory = memory,
                    .texts = texts,
                    .out = out,
                    .places = 2 * count + 1 };
    size_t tries = sizeof(shares) / sizeof(shares[0]), start = texts->count;
    bool is_done = false;
    s.next = tfp_memory_array(memory, s.places, sizeof(*s.next));
    s.failed = !s.next;
    for (size_t t = 0; t < tries && !is_done && !s.failed; t++) {
        texts->count = start;
        for (size_t i = 0; i < count && !s.failed; i++)
            cut(&s, i, shares[t], "");
        is_done = !s.failed && are_told_apart(&s);
    }
    if (!is_done && !s.failed)
        number_equal_ones(&s);
    tfp_memory_free(memory, s.next);
    return !s.failed;
}
