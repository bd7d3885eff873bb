/*
 * log_lines.h - which lines of an op log the operations of a trace have.
 *
 * TensorFlow records no source lines in traces. An op log has them, by the
 * names that operations have in their graph; in a trace these are longer: what
 * inlines a function puts the name of its call in front, a compiler appends its
 * own.
 */
#ifndef TFP_MODEL_LOG_LINES_H
#define TFP_MODEL_LOG_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "model/census.h"
#include "model/costs.h"

/* Gives operations of traces the stacks that op logs have for them, and
 * gradients those of the operations that they are of. To be called when all
 * inputs are there, and may be called again. False when out of memory or
 * cancelled. */
bool tfp_model_find_lines(tfp_model *model, tfp_watch *watch);

/* The stacks that op logs have, by name, 0 for none: `count` of them. NULL if
 * there are none, or when out of memory or cancelled (`ok`). To be freed. */
tfp_stack *tfp_model_log_stacks(tfp_model *model, size_t *count, bool *ok,
                                tfp_watch *watch);

/* The same as tfp_model_find_lines() for the graphs from `first` on, with the
 * stacks that the model had before they came. */
bool tfp_model_find_lines_of(tfp_model *model, size_t first, tfp_stack *stacks,
                             size_t count, tfp_watch *watch);

typedef struct tfp_line_share {
    int64_t time;      /* of all operations */
    int64_t with_line; /* of those with a stack */
    bool calls_back;   /* a library calls lines of the user in some stack, as
                        * Keras calls those of a subclassed model */
} tfp_line_share;

/* `costs` must have times. False when out of memory. */
bool tfp_census_share_lines(const tfp_census *census, const tfp_costs *costs,
                            tfp_line_share *share);

#endif
