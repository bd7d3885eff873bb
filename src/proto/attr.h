/*
 * attr.h - decoders for attr_value.proto, tensor.proto and
 * tensor_shape.proto.
 */
#ifndef TFP_PROTO_ATTR_H
#define TFP_PROTO_ATTR_H

#include "base/bytes.h"
#include "proto/wire.h"

/* The member of the oneof that stands last; its tag is 0 when there is none.
 * The members before it are checked, this one is not. */
void tfp_attr_value_read(tfp_wire *w, tfp_field *value);

/* The next dim of a TensorShapeProto: its size, -1 when unknown. False at
 * the end. *unknown_rank is set when the shape says so. */
bool tfp_shape_next(tfp_wire *w, int64_t *size, bool *unknown_rank);

typedef struct tfp_tensor_proto {
    int32_t dtype;
    tfp_field shape; /* tag 0 when absent */
    tfp_span content;
    tfp_repeated values; /* any of the *_val fields */
} tfp_tensor_proto;

void tfp_tensor_proto_read(tfp_wire *w, tfp_tensor_proto *out);

typedef struct tfp_name_attr_list {
    tfp_span name;
    tfp_repeated attrs; /* NameAttrList_attr */
} tfp_name_attr_list;

void tfp_name_attr_list_read(tfp_wire *w, tfp_name_attr_list *out);

#endif
