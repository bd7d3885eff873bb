/*
 * figures.h - numbers as people read them, in any locale.
 *
 * Upstream's units end at "b", "sec" and "MB". The text of views has them; all
 * else has those that go on: "t", "h", "GB" and "TB". The page has the same
 * (units.js).
 *
 * Each writes into `out`, which has room for TFP_FIGURE_SIZE bytes with the
 * NUL, and returns the length.
 */
#ifndef TFP_OUTPUT_FIGURES_H
#define TFP_OUTPUT_FIGURES_H

#include <stddef.h>
#include <stdint.h>

enum { TFP_FIGURE_SIZE = 32 };

/* ---- Upstream's --------------------------------------------------------- */

/* "999", "1.00k", "12.35m", "9223372036.85b". */
size_t tfp_figure_number(int64_t value, char *out);

/* "999us", "1.00ms", "12.35sec". */
size_t tfp_figure_time(int64_t micros, char *out);

/* "999B", "1.00KB", "12345.68MB". */
size_t tfp_figure_memory(int64_t bytes, char *out);

/* ---- Ours --------------------------------------------------------------- */

/* "999", "1.00k", "12.35b", "8.26t". */
size_t tfp_figure_count(int64_t value, char *out);

/* "999us", "12.35sec", "1.25h". */
size_t tfp_figure_micros(int64_t micros, char *out);

/* The same of picoseconds, with two decimals: "0.25ns", "12.35us", "1.25h". */
size_t tfp_figure_picos(int64_t picos, char *out);

/* "999B", "1.00KB", "12.35MB", "21.49GB", "1.50TB". */
size_t tfp_figure_bytes(int64_t bytes, char *out);

/* ---- Both --------------------------------------------------------------- */

/* 100 * part / whole with two decimals, without the "%"; 0.00 when there is
 * no such number. */
size_t tfp_figure_percent(int64_t part, int64_t whole, char *out);

/* Two decimals, as "%.2f" has them. The number is below 2^70, and above its
 * negative. */
size_t tfp_figure_fixed(double value, char *out);

/* The number itself. */
size_t tfp_figure_integer(int64_t value, char *out);

/* "1,234,567". */
size_t tfp_figure_grouped(int64_t value, char *out);

#endif
