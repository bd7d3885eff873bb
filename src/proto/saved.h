/*
 * saved.h - decoders for meta_graph.proto, saved_object_graph.proto and
 * variable.proto.
 */
#ifndef TFP_PROTO_SAVED_H
#define TFP_PROTO_SAVED_H

#include "base/bytes.h"
#include "proto/wire.h"

typedef struct tfp_meta_info {
    tfp_span tensorflow_version, tensorflow_git_version;
    tfp_repeated tags; /* MetaGraphDef_MetaInfoDef_tags */
    bool has_op_list;
} tfp_meta_info;

void tfp_meta_info_read(tfp_wire *w, tfp_meta_info *out);

typedef struct tfp_signature_def {
    tfp_span method_name;
    tfp_repeated inputs;  /* SignatureDef_inputs */
    tfp_repeated outputs; /* SignatureDef_outputs */
} tfp_signature_def;

void tfp_signature_def_read(tfp_wire *w, tfp_signature_def *out);

typedef struct tfp_tensor_info {
    tfp_span name; /* empty for sparse and composite tensors */
    int32_t dtype;
    tfp_field shape; /* tag 0 when absent */
} tfp_tensor_info;

void tfp_tensor_info_read(tfp_wire *w, tfp_tensor_info *out);

/* The variable inside a SavedObject; false when it is something else. */
typedef struct tfp_saved_variable {
    tfp_span name;
    int32_t dtype;
    tfp_field shape; /* tag 0 when absent */
    bool trainable;
} tfp_saved_variable;

bool tfp_saved_object_read(tfp_wire *w, tfp_saved_variable *out);

/* The bytes_lists of a CollectionDef, CollectionDef_bytes_list; several are
 * one. Other kinds of collections give none. */
void tfp_collection_read(tfp_wire *w, tfp_repeated *lists);

typedef struct tfp_variable_def {
    tfp_span variable_name; /* "w:0" */
} tfp_variable_def;

void tfp_variable_def_read(tfp_wire *w, tfp_variable_def *out);

#endif
