/*
 * graph.c - decoders for graph.proto, node_def.proto, function.proto and
 * op_def.proto.
 */
#include "proto/graph.h"

#include "base/bytes.h"

void tfp_node_def_read(tfp_wire *w, tfp_node_def *out)
{
    tfp_field f;
    *out = (tfp_node_def){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case NodeDef_name: out->name = f.bytes; break;
        case NodeDef_op: out->op = f.bytes; break;
        case NodeDef_input: tfp_repeated_add(&out->inputs, w, &f); break;
        case NodeDef_device: out->device = f.bytes; break;
        case NodeDef_attr: tfp_repeated_add(&out->attrs, w, &f); break;
        default: tfp_wire_check(w, &f, &tfp_NodeDef); break;
        }
    }
}

void tfp_version_def_read(tfp_wire *w, tfp_version_def *out)
{
    tfp_field f;
    *out = (tfp_version_def){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case VersionDef_producer: out->producer = tfp_int32(&f); break;
        case VersionDef_min_consumer: out->min_consumer = tfp_int32(&f); break;
        default: tfp_wire_check(w, &f, &tfp_VersionDef); break;
        }
    }
}

void tfp_op_def_read(tfp_wire *w, tfp_op_def *out)
{
    tfp_field f;
    *out = (tfp_op_def){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case OpDef_name: out->name = f.bytes; break;
        case OpDef_input_arg: tfp_repeated_add(&out->inputs, w, &f); break;
        case OpDef_output_arg: tfp_repeated_add(&out->outputs, w, &f); break;
        default: tfp_wire_check(w, &f, &tfp_OpDef); break;
        }
    }
}

void tfp_arg_def_read(tfp_wire *w, tfp_arg_def *out)
{
    tfp_field f;
    *out = (tfp_arg_def){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case OpDef_ArgDef_name: out->name = f.bytes; break;
        case OpDef_ArgDef_type: out->type = tfp_int32(&f); break;
        case OpDef_ArgDef_handle_data:
            tfp_repeated_add(&out->handle_data, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_OpDef_ArgDef); break;
        }
    }
}

void tfp_handle_data_read(tfp_wire *w, tfp_handle_data *out)
{
    static const tfp_message *const message =
        &tfp_ResourceHandleProto_DtypeAndShape;
    tfp_field f;
    *out = (tfp_handle_data){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case ResourceHandleProto_DtypeAndShape_dtype:
            out->dtype = tfp_int32(&f);
            break;
        case ResourceHandleProto_DtypeAndShape_shape:
            tfp_wire_keep_last(w, &out->shape, &f, message);
            break;
        default: tfp_wire_check(w, &f, message); break;
        }
    }
}

void tfp_map_entry_read(tfp_wire *w, const tfp_message *entry,
                        tfp_map_entry *out)
{
    const tfp_field_spec *value = tfp_message_field(entry, 2);
    uint32_t value_tag = TFP_TAG(2, tfp_type_wire(value->type));
    tfp_field f;
    *out = (tfp_map_entry){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == value_tag) {
            if (out->value.tag != 0)
                tfp_wire_check(w, &out->value, entry);
            out->value = f;
        } else if (f.tag == TFP_TAG(1, TFP_WIRE_BYTES)) {
            out->key = f.bytes;
        } else if (f.tag == TFP_TAG(1, TFP_WIRE_VARINT)) {
            out->number = f.value;
        }
    }
}

/* The digits of an output number; -1 when they are none or too many. */
static int32_t output_number(const uint8_t *at, const uint8_t *end)
{
    int64_t number = 0;
    if (at == end || end - at > 9)
        return -1;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return -1;
        number = number * 10 + (*at - '0');
    }
    return (int32_t)number;
}

bool tfp_input_ref_parse(tfp_span text, tfp_input_ref *out)
{
    const uint8_t *at = text.data, *end, *colon, *second;
    *out = (tfp_input_ref){ .name = text };
    if (text.size == 0)
        return false;
    end = at + text.size;
    if (*at == '^') {
        out->name = (tfp_span){ at + 1, text.size - 1 };
        out->is_control = true;
        return text.size > 1;
    }
    colon = memchr(at, ':', text.size);
    if (!colon)
        return true;
    if (colon == at)
        return false;
    second = memchr(colon + 1, ':', (size_t)(end - colon - 1));
    out->output = output_number((second ? second : colon) + 1, end);
    if (out->output < 0) {
        out->output = 0;
        return false;
    }
    out->name.size = (size_t)(colon - at);
    if (second)
        out->port = (tfp_span){ colon + 1, (size_t)(second - colon - 1) };
    return true;
}
