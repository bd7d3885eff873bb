/*
 * text_value.h - one value of a text file, in its wire form.
 *
 * A function that meets the end of the input returns TFP_SCAN_CUT (scan.h).
 */
#ifndef TFP_PROTO_TEXT_VALUE_H
#define TFP_PROTO_TEXT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "proto/scan.h"
#include "proto/schema.h"

typedef TFP_VEC(uint8_t) tfp_text_bytes;

/* The value of a number, truth value or enum as it stands behind its tag: a
 * varint or the bits of a fixed field. False when `word` is no such value, or
 * the field has another type. */
bool tfp_text_convert(const tfp_field_spec *field, tfp_span word,
                      uint64_t *value);

/* Consumes one such value. */
int tfp_text_number(tfp_scan *scan, const tfp_field_spec *field,
                    uint64_t *value, tfprof_error *err);

/* Consumes one string of one or more quoted pieces and appends its bytes. */
int tfp_text_string(tfp_scan *scan, tfp_memory *memory, tfp_text_bytes *out,
                    tfprof_error *err);

/* Consumes a word that may be the value of a field we do not know. */
int tfp_text_unknown_word(tfp_scan *scan, tfp_span *word, tfprof_error *err);

#endif
