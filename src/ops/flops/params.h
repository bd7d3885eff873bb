/*
 * params.h - the parameters of a model: its variables, or what stands for
 * them.
 *
 * A SavedModel names a variable in several places, and a frozen graph has none
 * left, so there are rules, and the one that was used is told:
 *
 * - with a signature: the distinct variables that it uses;
 * - without one: all variables of the graph;
 * - where there are none: what the graph of a function has captured;
 * - where there is nothing of the kind: constants, which is an estimate.
 *
 * Parameters are floating, complex or quantized numbers. Other variables (the
 * state of random generators, counters, tables) are listed and summed apart.
 */
#ifndef TFP_OPS_PARAMS_H
#define TFP_OPS_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"
#include "ops/fact/shapes.h"

typedef enum tfp_params_rule {
    TFP_PARAMS_NONE,      /* neither variables nor constants */
    TFP_PARAMS_SIGNATURE, /* variables that the signature uses */
    TFP_PARAMS_VARIABLES, /* all variables */
    TFP_PARAMS_CAPTURED,  /* variables that are inputs of the graph */
    TFP_PARAMS_READ,      /* constants that are read as variables are */
    TFP_PARAMS_CONSTANTS  /* constants that are no scalars */
} tfp_params_rule;

static inline bool tfp_params_is_estimate(tfp_params_rule rule)
{
    return rule >= TFP_PARAMS_READ;
}

typedef enum tfp_trainable {
    TFP_TRAINABLE_UNKNOWN,
    TFP_TRAINABLE_NO,
    TFP_TRAINABLE_YES
} tfp_trainable;

typedef struct tfp_param {
    tfp_string name; /* as the object graph has it, or the variable itself */
    int32_t dtype;
    tfp_shape shape;
    int64_t elements; /* stopping at INT64_MAX; -1 when it is not known */
    int64_t bytes;    /* the same */
    tfp_trainable trainable;
    bool counts; /* its elements are parameters */
    /* Where it belongs among the layers: the node of the subject that uses it,
     * or else itself. */
    uint32_t instance, node;
    tfp_node handle; /* of the top graph; TFP_NO_NODE: it is none of that */
} tfp_param;

typedef struct tfp_param_sum {
    int64_t count, elements, bytes;
} tfp_param_sum;

typedef struct tfp_params {
    tfp_memory *memory;
    tfp_shapes *shapes;
    tfp_params_rule rule;
    TFP_VEC(tfp_param) list; /* in the order of their use */
    tfp_param_sum all, by_trainable[3], state;
    int64_t unknown;         /* variables whose shape is not known */
    tfp_param_sum constants; /* floating ones of the subject, all of them */
    tfp_watch watch;         /* while they are looked for */
} tfp_params;

/* Is the number of parameters not known? A graph has no shapes of variables
 * that it captured; leaving some out would be a false number. */
static inline bool tfp_params_is_unknown(const tfp_params *params)
{
    return params->rule == TFP_PARAMS_CAPTURED && params->unknown > 0;
}

/* After a failure releasing is allowed. The model may gain names. */
int tfp_params_init(tfp_params *params, tfp_shapes *shapes, tfp_memory *memory,
                    tfprof_error *err);
void tfp_params_release(tfp_params *params);

/* ---- For the parts of it ------------------------------------------------ */

/* What follows from its type and shape: elements, bytes, does it count? */
void tfp_param_measure(const tfp_params *params, tfp_param *param);

/* Adds one whose name, type, shape and place are known. False when out of
 * memory. */
bool tfp_params_add(tfp_params *params, tfp_param param);

/* Adds the distinct variables whose handles are wanted. False when out of
 * memory. */
bool tfp_params_add_variables(tfp_params *params);

/* Adds the variables that are fed to the graph. False when out of memory. */
bool tfp_params_add_captured(tfp_params *params);

/* Sums up the floating constants of the subject; where there are no variables,
 * some of them are the parameters. False when out of memory. */
bool tfp_params_add_constants(tfp_params *params);

#endif
