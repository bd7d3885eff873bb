/*
 * utf8.h - text that others may take for UTF-8.
 *
 * Readers of columns and of protobuf's strings refuse what is not UTF-8, and
 * names come from strangers: bytes that are not are written as \xHH.
 */
#ifndef TFP_BASE_UTF8_H
#define TFP_BASE_UTF8_H

#include "base/bytes.h"
#include "base/memory.h"

/* Valid UTF-8. */
typedef TFP_VEC(uint8_t) tfp_utf8;

/* How many bytes at the start are valid. */
size_t tfp_utf8_run(tfp_span bytes);

/* How many bytes to show of a text: all, or at most `most` and then not a part
 * of a character. */
size_t tfp_utf8_cut(tfp_span text, size_t most);

/* Appends `bytes`. False when out of memory. */
bool tfp_utf8_add(tfp_memory *memory, tfp_utf8 *text, tfp_span bytes);

#endif
