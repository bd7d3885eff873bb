/*
 * limit.h - limits as texts: "250ms", "1.5 GiB", "+5%", "-100us".
 *
 * A sign makes a limit relative to the baseline. The locale has no effect.
 */
#ifndef TFP_BUDGET_LIMIT_H
#define TFP_BUDGET_LIMIT_H

#include "base/bytes.h"
#include "budget/budgets.h"
#include "model/metrics.h"

/* No value or limit is larger: 2^63 - 1 is less, so every cost fits, and no
 * sum, product with a percentage or difference of two overflows. */
#define TFP_BUDGET_VALUE_MOST 1e19

/* NULL, or what is wrong with the text: 'must be a number or ...'. */
const char *tfp_limit_parse(tfp_span text, tfp_unit unit, tfp_limit *out);

/* The same for a number without unit or sign. */
const char *tfp_limit_of_number(double value, tfp_limit *out);

#endif
