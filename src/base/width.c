/*
 * width.c - how many columns text takes on a terminal.
 */
#include "base/width.h"

#include <stdbool.h>

#include "base/escape.h"

enum { ESCAPE_COLUMNS = 4 /* of \xHH */ };

static bool is_in(uint32_t code, const tfp_width_range *ranges, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].first <= code;
}

size_t tfp_code_columns(uint32_t code)
{
    if (code < tfp_narrowest[0].first)
        return 1;
    if (is_in(code, tfp_narrowest, tfp_narrowest_count))
        return 0;
    return is_in(code, tfp_widest, tfp_widest_count) ? 2 : 1;
}

/* Bytes of the marks at the start. */
static size_t marks(tfp_span text)
{
    size_t at = 0;
    uint32_t code;
    while (at < text.size && text.data[at] >= 0x80) {
        size_t n = tfp_utf8_next((tfp_span){ text.data + at, text.size - at },
                                 &code);
        if (n == 0 || tfp_code_columns(code) != 0)
            break;
        at += n;
    }
    return at;
}

size_t tfp_piece_next(tfp_span text, size_t *columns)
{
    uint32_t code;
    size_t n;
    *columns = 0;
    if (text.size == 0)
        return 0;
    n = tfp_utf8_next(text, &code);
    if (n == 0 || tfp_escape_plain((tfp_span){ text.data, n }) < n) {
        n = tfp_escape_odd(text);
        *columns = ESCAPE_COLUMNS * n;
        return n;
    }
    *columns = tfp_code_columns(code);
    return n + marks((tfp_span){ text.data + n, text.size - n });
}

size_t tfp_text_columns(tfp_span text)
{
    size_t sum = 0, columns, n;
    while ((n = tfp_piece_next(text, &columns)) > 0) {
        sum += columns;
        text = (tfp_span){ text.data + n, text.size - n };
    }
    return sum;
}
