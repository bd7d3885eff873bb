/*
 * times.h - times in microseconds, with all their decimals.
 *
 * For programs: what a sum of picoseconds is, not what it is about. No double
 * is made on the way. Text for people is rounded instead: model/times.h.
 */
#ifndef TFP_OUTPUT_TIMES_H
#define TFP_OUTPUT_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "model/metrics.h"
#include "output/text/json.h"

/* "22667.465", "-0.000001", "12": without needless zeros. `unit` as in
 * model/times.h; `out` has room for TFP_FIGURE_SIZE bytes. The length. */
size_t tfp_figure_exact_time(int64_t time, int64_t unit, char *out);

/* A cost: a time like that, others as the integers that they are. */
size_t tfp_figure_exact_cost(tfp_cost cost, int64_t value, int64_t unit,
                             char *out);

/* The same as numbers of JSON. */
void tfp_json_time(tfp_json *json, const char *key, int64_t time, int64_t unit);
void tfp_json_cost(tfp_json *json, tfp_cost cost, int64_t value, int64_t unit);

#endif
