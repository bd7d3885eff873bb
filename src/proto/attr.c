/*
 * attr.c - decoders for attr_value.proto, tensor.proto and
 * tensor_shape.proto.
 */
#include "proto/attr.h"

void tfp_attr_value_read(tfp_wire *w, tfp_field *value)
{
    tfp_field f;
    *value = (tfp_field){ 0 };
    while (tfp_wire_next(w, &f)) {
        const tfp_field_spec *spec = tfp_message_field(&tfp_AttrValue,
                                                       tfp_tag_number(f.tag));
        if (!spec || tfp_type_wire(spec->type) != tfp_tag_wire(f.tag))
            continue;
        if (value->tag != 0)
            tfp_wire_check(w, value, &tfp_AttrValue);
        *value = f;
    }
}

static int64_t dim_size(tfp_wire *w, const tfp_field *dim)
{
    tfp_wire inner = tfp_wire_enter(w, dim);
    tfp_field f;
    int64_t size = 0;
    while (tfp_wire_next(&inner, &f)) {
        if (f.tag == TensorShapeProto_Dim_size)
            size = tfp_int64(&f);
    }
    tfp_wire_leave(&inner);
    return size < 0 ? -1 : size;
}

bool tfp_shape_next(tfp_wire *w, int64_t *size, bool *unknown_rank)
{
    tfp_field f;
    while (tfp_wire_next(w, &f)) {
        if (f.tag == TensorShapeProto_dim) {
            *size = dim_size(w, &f);
            return true;
        }
        if (f.tag == TensorShapeProto_unknown_rank)
            *unknown_rank = f.value != 0;
    }
    return false;
}

void tfp_tensor_proto_read(tfp_wire *w, tfp_tensor_proto *out)
{
    tfp_field f;
    *out = (tfp_tensor_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case TensorProto_dtype: out->dtype = tfp_int32(&f); break;
        case TensorProto_tensor_shape:
            if (out->shape.tag != 0)
                tfp_wire_check(w, &out->shape, &tfp_TensorProto);
            out->shape = f;
            break;
        case TensorProto_tensor_content: out->content = f.bytes; break;
        default:
            tfp_wire_check(w, &f, &tfp_TensorProto);
            if (tfp_tag_number(f.tag) >= 5)
                tfp_repeated_add(&out->values, w, &f);
            break;
        }
    }
}

void tfp_name_attr_list_read(tfp_wire *w, tfp_name_attr_list *out)
{
    tfp_field f;
    *out = (tfp_name_attr_list){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case NameAttrList_name: out->name = f.bytes; break;
        case NameAttrList_attr: tfp_repeated_add(&out->attrs, w, &f); break;
        default: break;
        }
    }
}
