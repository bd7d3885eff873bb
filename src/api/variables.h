/*
 * variables.h - the variables of a SavedModel, each once.
 *
 * Keras writes a weight as several nodes, and upstream's views count each. In
 * answers that are ours a view counts what `flops` counts: the variables that
 * the signature uses.
 */
#ifndef TFP_API_VARIABLES_H
#define TFP_API_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/profile.h"
#include "base/error.h"
#include "view/view.h"

/* What a question needs for its time. */
typedef struct tfp_once {
    tfprof_profile *profile;
    uint8_t *counts; /* by node, or NULL: there is no such model */
    size_t nodes;
    int64_t params; /* of these */
    int64_t all;    /* of all nodes */
    bool is_ours;   /* the answer */
} tfp_once;

/* Finds which variables count, if the view wants parameters; `is_data`: it is
 * for a program, whatever the options say. It must be ended, after a failure
 * too. */
int tfp_once_begin(tfp_once *once, tfprof_profile *profile,
                   const tfp_view_type *type, bool is_data, tfprof_error *err);

/* Lets the census of the profile count each once, unless the answer is
 * upstream's own. That holds until the end. */
void tfp_once_hold(const tfp_once *once);
void tfp_once_end(tfp_once *once);

#endif
