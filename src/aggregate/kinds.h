/*
 * kinds.h - whether an operation computes, communicates or waits.
 *
 * In synchronous training, a slow worker makes the collectives and waits of all
 * other workers longer, so these are separate from computing.
 */
#ifndef TFP_AGGREGATE_KINDS_H
#define TFP_AGGREGATE_KINDS_H

#include "base/bytes.h"

typedef enum tfp_agg_kind {
    TFP_KIND_COMPUTE,
    TFP_KIND_COLLECTIVE, /* workers exchange data */
    TFP_KIND_WAIT,       /* for input, for a message or for others */
    TFP_KIND_COUNT
} tfp_agg_kind;

extern const char *const tfp_agg_kind_names[TFP_KIND_COUNT];

/* The kind of an operation type: a type of TensorFlow, or a category or opcode
 * of XLA. If the type is "kernel", the name of the kernel is used. If the type
 * is the name, because there is no graph, the last part of the name must be the
 * default name of a type. A fusion or another wrapper is a collective if its
 * name is the default name of one. */
tfp_agg_kind tfp_agg_kind_of(tfp_span op, tfp_span name);

#endif
