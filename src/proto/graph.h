/*
 * graph.h - decoders for graph.proto, node_def.proto, function.proto and
 * op_def.proto.
 *
 * Each takes a cursor over one message, fills in `out` with spans that alias
 * the record, and checks what it does not use. Damage is remembered in the
 * record. Fields that are absent stay zero.
 */
#ifndef TFP_PROTO_GRAPH_H
#define TFP_PROTO_GRAPH_H

#include "base/bytes.h"
#include "proto/wire.h"

typedef struct tfp_node_def {
    tfp_span name, op, device;
    tfp_repeated inputs; /* NodeDef_input */
    tfp_repeated attrs;  /* NodeDef_attr; not looked into yet */
} tfp_node_def;

void tfp_node_def_read(tfp_wire *w, tfp_node_def *out);

typedef struct tfp_version_def {
    int32_t producer, min_consumer;
} tfp_version_def;

void tfp_version_def_read(tfp_wire *w, tfp_version_def *out);

typedef struct tfp_op_def {
    tfp_span name;
    tfp_repeated inputs;  /* OpDef_input_arg */
    tfp_repeated outputs; /* OpDef_output_arg */
} tfp_op_def;

void tfp_op_def_read(tfp_wire *w, tfp_op_def *out);

typedef struct tfp_arg_def {
    tfp_span name;
    int32_t type;             /* 0 when it depends on the call */
    tfp_repeated handle_data; /* OpDef_ArgDef_handle_data */
} tfp_arg_def;

void tfp_arg_def_read(tfp_wire *w, tfp_arg_def *out);

/* What a resource holds. */
typedef struct tfp_handle_data {
    int32_t dtype;
    tfp_field shape; /* tag 0 when absent */
} tfp_handle_data;

void tfp_handle_data_read(tfp_wire *w, tfp_handle_data *out);

/* The entry of a map from string to string or message: `value` is the last
 * one given, its tag 0 when there is none. Every such entry has key 1 and
 * value 2; `entry` says which it is. Values are not looked into. */
typedef struct tfp_map_entry {
    tfp_span key;
    uint64_t number; /* of a map whose keys are numbers */
    tfp_field value;
} tfp_map_entry;

void tfp_map_entry_read(tfp_wire *w, const tfp_message *entry,
                        tfp_map_entry *out);

/* "name", "name:2", "^name", and in function bodies "name:port:2". */
typedef struct tfp_input_ref {
    tfp_span name, port;
    int32_t output;
    bool is_control;
} tfp_input_ref;

/* False when the text is none of these; `out` then holds it as a name. */
bool tfp_input_ref_parse(tfp_span text, tfp_input_ref *out);

#endif
