/*
 * numbers.h - numbers as text files write them.
 *
 * What is a number, and which, is decided as in google/protobuf/text_format.py
 * (ParseInteger, ParseFloat). The locale plays no part. Time is linear in the
 * number of digits and memory does not grow with them.
 */
#ifndef TFP_PROTO_NUMBERS_H
#define TFP_PROTO_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

typedef struct tfp_integer {
    uint64_t magnitude;
    bool negative;
    bool too_large; /* the magnitude does not fit */
} tfp_integer;

/* Decimal, 0x, 0o or 0b, with a sign and with single underscores between
 * digits; 017 is octal where `octal` says so, else refused. False when `text`
 * is no integer. */
bool tfp_integer_read(tfp_span text, bool octal, tfp_integer *out);

/* The nearest double, ties to even; past the largest is infinity. Also inf,
 * infinity and nan in any case, and a trailing f. False when `text` is no
 * number. */
bool tfp_double_read(tfp_span text, double *out);

#endif
