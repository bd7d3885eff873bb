/*
 * fit.c - names that are too long for where they stand.
 */
#include "output/text/fit.h"

#include "base/width.h"

/* Bytes at the start that take at most `room` columns; *taken: how many they
 * do. */
static size_t take(tfp_span text, size_t room, size_t *taken)
{
    size_t at = 0, n, columns;
    *taken = 0;
    while ((n = tfp_piece_next((tfp_span){ text.data + at, text.size - at },
                               &columns)) > 0 &&
           *taken + columns <= room) {
        at += n;
        *taken += columns;
    }
    return at;
}

/* Bytes to pass so that what is left has at most `room` of `all` columns. */
static size_t pass(tfp_span text, size_t all, size_t room, size_t *left)
{
    size_t at = 0, n, columns;
    *left = all;
    while (*left > room &&
           (n = tfp_piece_next((tfp_span){ text.data + at, text.size - at },
                               &columns)) > 0) {
        at += n;
        *left -= columns;
    }
    return at;
}

tfp_fitted tfp_fit_name(tfp_span name, size_t room, size_t dots)
{
    tfp_fitted f = { .head = name, .columns = tfp_text_columns(name) };
    size_t head, tail, start;
    if (f.columns <= room)
        return f;
    if (room < dots) { /* not even these */
        f.head.size = take(name, room, &f.columns);
        return f;
    }
    f.is_cut = true;
    f.head.size = take(name, (room - dots) / 2, &head);
    start = pass(name, f.columns, room - dots - head, &tail);
    f.tail = (tfp_span){ name.data + start, name.size - start };
    f.columns = head + dots + tail;
    return f;
}
