/*
 * unescape.h - what stands between the quotes of a text file, as bytes.
 */
#ifndef TFP_PROTO_UNESCAPE_H
#define TFP_PROTO_UNESCAPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

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
