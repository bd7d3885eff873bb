/*
 * ids.h - the small numbers by which the parts of a model know each other.
 */
#ifndef TFP_MODEL_IDS_H
#define TFP_MODEL_IDS_H

#include <stdint.h>

typedef struct tfp_model tfp_model;

typedef uint32_t tfp_string; /* a name; 0 is the empty one */
typedef uint32_t tfp_node;   /* index into the columns of a tfp_nodes */
typedef uint32_t tfp_shape;  /* 0: not known at all, 1: unknown rank */
typedef uint32_t tfp_list;   /* an array of int64_t; 0 is the empty one */
typedef uint32_t tfp_attrs;  /* a node's attributes; 0 is none */
typedef uint32_t tfp_stack;  /* a call stack; 0 is none */

#define TFP_NO_NODE UINT32_MAX

/* Times are microseconds since 1970, as RunMetadata has them. */
typedef int64_t tfp_micros;

#endif
