/*
 * op_name.h - what the name of an event says about the operation it ran.
 */
#ifndef TFP_TRACE_OP_NAME_H
#define TFP_TRACE_OP_NAME_H

#include "base/bytes.h"

typedef enum tfp_naming {
    TFP_NAMED_NONE, /* no operation */
    TFP_NAMED_TF,   /* "name:Type" */
    TFP_NAMED_DATA, /* "Iterator::..." of tf.data */
    TFP_NAMED_JAX,  /* "jit(f)/a/b:" or "a/b:type" */
    TFP_NAMED_COPY  /* "MEMCPYHtoD..." */
} tfp_naming;

typedef struct tfp_op_name {
    tfp_naming sort;
    tfp_span name, type; /* parts of the text, or words of our own */
} tfp_op_name;

tfp_op_name tfp_op_name_parse(tfp_span text);

#endif
