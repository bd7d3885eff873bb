/*
 * decimal.h - doubles in decimal, in any locale.
 *
 * Every double has an exact decimal form; it is worked out and rounded, halves
 * to even, as printf() does in the locale "C".
 */
#ifndef TFP_OUTPUT_DECIMAL_H
#define TFP_OUTPUT_DECIMAL_H

#include <stddef.h>

/* Room that each function needs in `out`, with the NUL. */
enum { TFP_DECIMAL_SIZE = 330 };

/* As "%.*g" with up to 17 significant digits: what is read back with 9 is the
 * same float, with 17 the same double. Not a number is "nan" or "-nan",
 * infinity "inf" or "-inf". The length. */
size_t tfp_decimal_general(double value, int digits, char *out);

/* With as few digits as are read back as the same double, as JSON has them: of
 * a whole number these are its own. The number is finite. The length. */
size_t tfp_decimal_exact(double value, char *out);

/* As upstream shows the values of tensors: to six significant digits, and what
 * that makes with two decimals. The length. */
size_t tfp_decimal_short(double value, char *out);

#endif
