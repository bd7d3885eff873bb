/*
 * fold.h - names of operations without the transforms of JAX.
 *
 * JAX puts the name of a transform around the scopes that it was applied to:
 * the forward pass of "layer" runs in "jvp(layer)", the backward pass in
 * "transpose(jvp(layer))". Folded, both are in "layer", as "layer/forward" and
 * "layer/backward".
 */
#ifndef TFP_TRACE_FOLD_H
#define TFP_TRACE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

/* One part of a folded name at a time. */
typedef struct tfp_name_fold {
    tfp_span rest; /* of the name */
    size_t behind; /* size of the rest behind the last part with a transform */
    bool is_folded, is_backward;
    bool is_marked; /* "forward" or "backward" was given */
} tfp_name_fold;

tfp_name_fold tfp_name_fold_begin(tfp_span name);

/* The next part. False behind the last one. */
bool tfp_name_fold_next(tfp_name_fold *fold, tfp_span *part);

#endif
