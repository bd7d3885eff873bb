/*
 * escape.h - names from strangers, made safe to show.
 *
 * Control bytes, invalid UTF-8, bidirectional and zero-width characters are
 * written as \xHH, byte by byte; all else is printed as it is. The names that
 * TensorFlow allows hold none of these, so valid files come out unchanged.
 */
#ifndef TFP_BASE_ESCAPE_H
#define TFP_BASE_ESCAPE_H

#include "base/bytes.h"

/* Bytes of the valid UTF-8 character at the start of `bytes`; 0 when there is
 * none. *code is its code point. */
size_t tfp_utf8_next(tfp_span bytes, uint32_t *code);

/* Writes the character of a code point, up to 4 bytes. Returns their number. */
size_t tfp_utf8_put(uint32_t code, uint8_t *out);

/* Bytes at the start that can be shown unchanged. */
size_t tfp_escape_plain(tfp_span bytes);

/* Bytes of the first character, which must be hidden or invalid: the one at
 * which tfp_escape_plain() stopped. `bytes` must not be empty. */
size_t tfp_escape_odd(tfp_span bytes);

/* As tfprof_escape() in the public header. */
size_t tfp_escape(tfp_span text, char *buffer, size_t size);

/* The same for a message: text that does not fit ends in "...". */
void tfp_escape_short(tfp_span text, char *buffer, size_t size);

/* A text of at most `most` bytes, which are fewer than sizeof(text). Passed by
 * value, so a call can be an argument of tfp_fail(). */
typedef struct tfp_short {
    char text[128];
} tfp_short;

tfp_short tfp_shorten(tfp_span text, size_t most);

/* Names in a message: "a, b, c and 7 more". */
typedef struct tfp_name_list {
    char text[160];
    size_t room; /* that `text` may take of it */
    size_t shown, all;
} tfp_name_list;

/* Adds a name. Behind the first one that does not fit, names are only
 * counted. */
void tfp_name_list_add(tfp_name_list *list, tfp_span name);

/* Adds how many were only counted. */
void tfp_name_list_end(tfp_name_list *list);

/* Makes a text that was cut to fill `buffer` end in "...". */
void tfp_escape_mark_cut(char *buffer, size_t size);

#endif
