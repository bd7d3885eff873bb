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

#endif
