/*
 * units.h - values with their units, as people see them: "12.35ms", "1.20MB",
 * "3,538,984".
 *
 * Each writes into `out`, which has room for TFP_FIGURE_SIZE + 2 bytes with the
 * NUL, and returns the length.
 */
#ifndef TFP_OUTPUT_UNITS_H
#define TFP_OUTPUT_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "model/metrics.h"

/* Times are in picoseconds. */
size_t tfp_figure_in_unit(tfp_unit unit, int64_t value, char *out);

/* The same with a sign, also above 0. */
size_t tfp_figure_signed(tfp_unit unit, int64_t value, char *out);

/* A measured value as an integer for the functions above, rounded; its times
 * are in microseconds. Stops at the ends of the range; not a number is 0. */
int64_t tfp_measured_value(tfp_unit unit, double value);

#endif
