/*
 * saved.c - decoders for meta_graph.proto, saved_object_graph.proto and
 * variable.proto.
 */
#include "proto/saved.h"

void tfp_meta_info_read(tfp_wire *w, tfp_meta_info *out)
{
    tfp_field f;
    *out = (tfp_meta_info){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case MetaGraphDef_MetaInfoDef_tensorflow_version:
            out->tensorflow_version = f.bytes;
            break;
        case MetaGraphDef_MetaInfoDef_tensorflow_git_version:
            out->tensorflow_git_version = f.bytes;
            break;
        case MetaGraphDef_MetaInfoDef_tags:
            tfp_repeated_add(&out->tags, w, &f);
            break;
        default:
            if (f.tag == MetaGraphDef_MetaInfoDef_stripped_op_list)
                out->has_op_list = true;
            tfp_wire_check(w, &f, &tfp_MetaGraphDef_MetaInfoDef);
            break;
        }
    }
}

void tfp_signature_def_read(tfp_wire *w, tfp_signature_def *out)
{
    tfp_field f;
    *out = (tfp_signature_def){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case SignatureDef_method_name: out->method_name = f.bytes; break;
        case SignatureDef_inputs: tfp_repeated_add(&out->inputs, w, &f); break;
        case SignatureDef_outputs:
            tfp_repeated_add(&out->outputs, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_SignatureDef); break;
        }
    }
}

void tfp_tensor_info_read(tfp_wire *w, tfp_tensor_info *out)
{
    tfp_field f;
    *out = (tfp_tensor_info){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case TensorInfo_name: out->name = f.bytes; break;
        case TensorInfo_dtype: out->dtype = tfp_int32(&f); break;
        case TensorInfo_tensor_shape:
            tfp_wire_keep_last(w, &out->shape, &f, &tfp_TensorInfo);
            break;
        default: tfp_wire_check(w, &f, &tfp_TensorInfo); break;
        }
    }
}

static void saved_variable_read(tfp_wire *w, tfp_saved_variable *out)
{
    tfp_field f;
    *out = (tfp_saved_variable){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case SavedVariable_name: out->name = f.bytes; break;
        case SavedVariable_dtype: out->dtype = tfp_int32(&f); break;
        case SavedVariable_shape: /* another kind may follow: check it now */
            tfp_wire_check(w, &f, &tfp_SavedVariable);
            out->shape = f;
            break;
        case SavedVariable_trainable: out->trainable = f.value != 0; break;
        default: tfp_wire_check(w, &f, &tfp_SavedVariable); break;
        }
    }
}

/* True for a member of SavedObject's oneof. */
static bool is_kind(uint32_t tag)
{
    const tfp_field_spec *spec = tfp_message_field(&tfp_SavedObject,
                                                   tfp_tag_number(tag));
    return spec && spec->label == TFP_LABEL_ONEOF &&
           tfp_tag_wire(tag) == TFP_WIRE_BYTES;
}

bool tfp_saved_object_read(tfp_wire *w, tfp_saved_variable *out)
{
    tfp_field f;
    bool is_variable = false;
    while (tfp_wire_next(w, &f)) {
        if (f.tag == SavedObject_variable) {
            tfp_wire inner = tfp_wire_enter(w, &f);
            saved_variable_read(&inner, out);
            tfp_wire_leave(&inner);
        } else {
            tfp_wire_check(w, &f, &tfp_SavedObject);
        }
        if (is_kind(f.tag))
            is_variable = f.tag == SavedObject_variable;
    }
    return is_variable;
}

void tfp_collection_read(tfp_wire *w, tfp_repeated *lists)
{
    tfp_field f;
    *lists = (tfp_repeated){ 0 };
    while (tfp_wire_next(w, &f)) {
        tfp_wire_check(w, &f, &tfp_CollectionDef);
        if (f.tag == CollectionDef_bytes_list)
            tfp_repeated_add(lists, w, &f);
        else if (tfp_tag_wire(f.tag) == TFP_WIRE_BYTES &&
                 tfp_message_field(&tfp_CollectionDef, tfp_tag_number(f.tag)))
            *lists = (tfp_repeated){ 0 }; /* of a oneof the last one stands */
    }
}

void tfp_variable_def_read(tfp_wire *w, tfp_variable_def *out)
{
    tfp_field f;
    *out = (tfp_variable_def){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == VariableDef_variable_name)
            out->variable_name = f.bytes;
        else
            tfp_wire_check(w, &f, &tfp_VariableDef);
    }
}
