/*
 * unescape.h - what stands between the quotes of a text file, as bytes.
 */
#ifndef TFP_PROTO_UNESCAPE_H
#define TFP_PROTO_UNESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* True for a backslash and three octal digits that make a byte: how tensors are
 * written. Four bytes are read. */
static inline bool tfp_is_octal_escape(const uint8_t *at)
{
    uint32_t word = (uint32_t)at[0] | (uint32_t)at[1] << 8 |
                    (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return (word & 0xf8f8fcff) == 0x3030305c;
}

/* Room that tfp_unescape() needs in `out`. A hex escape of one digit takes
 * one byte more on the way. */
#define TFP_UNESCAPE_ROOM(size) ((size) + (size) / 3)

typedef struct tfp_escape_fault {
    const uint8_t *at; /* the backslash */
    const char *why;   /* NULL when all is well */
} tfp_escape_fault;

/* Writes `text` without its escapes; the number of bytes written. */
size_t tfp_unescape(tfp_span text, uint8_t *out, tfp_escape_fault *fault);

#endif
