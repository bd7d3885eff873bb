/*
 * check_output.h - is what we wrote what a reader of it may expect?
 */
#ifndef TFP_FUZZ_CHECK_OUTPUT_H
#define TFP_FUZZ_CHECK_OUTPUT_H

#include "base/bytes.h"

/* One value of RFC 8259 and a newline, in valid UTF-8. */
bool fuzz_is_json(tfp_span text);

/* Valid UTF-8 with no control character but the newline. */
bool fuzz_is_printable(tfp_span text);

/* The same number of fields in every line, quotes in pairs. */
bool fuzz_is_table(tfp_span text);

/* Whole fields in whole messages, which nest in the field `children` to any
 * depth; field 1 of each is a name in valid UTF-8. Without children (0) only
 * the fields are looked at. */
bool fuzz_is_message(tfp_span bytes, uint32_t children);

#endif
