/*
 * fit.h - names that are too long for where they stand, shortened in the
 * middle: what nodes of one scope share is at the front, what tells them apart
 * at the end.
 */
#ifndef TFP_OUTPUT_FIT_H
#define TFP_OUTPUT_FIT_H

#include <stdbool.h>

#include "base/bytes.h"

/* What is kept of a name. Characters stay whole, with their marks, and so do
 * escapes. */
typedef struct tfp_fitted {
    tfp_span head, tail;
    bool is_cut;    /* dots stand between them */
    size_t columns; /* with the dots: `room` at most */
} tfp_fitted;

/* As much as `room` columns hold; the dots take `dots` of these. A name that
 * fits is all in the head. */
tfp_fitted tfp_fit_name(tfp_span name, size_t room, size_t dots);

#endif
