/*
 * width.h - how many columns text takes on a terminal.
 *
 * The C library knows that too, but only of the locale that it was told to
 * use; a library must not set one, and answers would differ by machine.
 */
#ifndef TFP_BASE_WIDTH_H
#define TFP_BASE_WIDTH_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* 0 for marks that are drawn over the character before them, 2 for most of
 * East Asia and for emoji, else 1. Characters that are never shown as they are
 * (base/escape.h) are not asked about. */
size_t tfp_code_columns(uint32_t code);

/* One piece of a name that must not be cut: a character with its marks, or an
 * escape. Its bytes, 0 at the end; *columns as it is shown. */
size_t tfp_piece_next(tfp_span text, size_t *columns);

/* Of a name, escapes counted as they are written. */
size_t tfp_text_columns(tfp_span text);

/* ---- Its tables: width_table.c ------------------------------------------ */

typedef struct tfp_width_range {
    uint32_t first, last;
} tfp_width_range;

/* In ascending order. */
extern const tfp_width_range tfp_narrowest[], tfp_widest[];
extern const size_t tfp_narrowest_count, tfp_widest_count;

#endif
