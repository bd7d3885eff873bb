/*
 * hlo.c - decoders for programs compiled by XLA: hlo.proto and the part of
 * xla_data.proto that they use.
 */
#include "proto/hlo.h"

#include "proto/schema.h"

void tfp_hlo_proto_read(tfp_wire *w, tfp_repeated *modules)
{
    tfp_field f;
    *modules = (tfp_repeated){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == HloProto_hlo_module)
            tfp_repeated_add(modules, w, &f);
        else
            tfp_wire_check(w, &f, &tfp_HloProto);
    }
}

void tfp_hlo_module_read(tfp_wire *w, tfp_hlo_module_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_module_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case HloModuleProto_name: out->name = f.bytes; break;
        case HloModuleProto_computations:
            tfp_repeated_add(&out->computations, w, &f);
            break;
        case HloModuleProto_stack_frame_index:
            tfp_repeated_add(&out->frame_indexes, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_HloModuleProto); break;
        }
    }
}

void tfp_hlo_computation_read(tfp_wire *w, tfp_hlo_computation_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_computation_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case HloComputationProto_id: out->id = tfp_int64(&f); break;
        case HloComputationProto_instructions:
            tfp_repeated_add(&out->instructions, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_HloComputationProto); break;
        }
    }
}

static void metadata_read(tfp_wire *w, tfp_hlo_instruction_proto *out)
{
    tfp_field f;
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case OpMetadata_op_type: out->op_type = f.bytes; break;
        case OpMetadata_op_name: out->op_name = f.bytes; break;
        case OpMetadata_source_file: out->source_file = f.bytes; break;
        case OpMetadata_source_line: out->source_line = tfp_int32(&f); break;
        case OpMetadata_stack_frame_id: out->stack_frame = tfp_int32(&f); break;
        default: tfp_wire_check(w, &f, &tfp_OpMetadata); break;
        }
    }
}

/* The fields that are messages or repeated numbers; false for all others. */
static bool instruction_part(tfp_wire *w, const tfp_field *f,
                             tfp_hlo_instruction_proto *out)
{
    tfp_repeated *part;
    switch (f->tag) {
    case HloInstructionProto_shape: part = &out->shapes; break;
    case HloInstructionProto_window: part = &out->windows; break;
    case HloInstructionProto_convolution_dimension_numbers:
        part = &out->convolutions;
        break;
    case HloInstructionProto_dot_dimension_numbers: part = &out->dots; break;
    case HloInstructionProto_operand_ids:
    case TFP_PACKED(HloInstructionProto_operand_ids):
        part = &out->operands;
        break;
    case HloInstructionProto_called_computation_ids:
    case TFP_PACKED(HloInstructionProto_called_computation_ids):
        part = &out->called;
        break;
    default: return false;
    }
    tfp_repeated_add(part, w, f);
    return true;
}

void tfp_hlo_instruction_read(tfp_wire *w, tfp_hlo_instruction_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_instruction_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        tfp_wire inner;
        switch (f.tag) {
        case HloInstructionProto_name: out->name = f.bytes; break;
        case HloInstructionProto_opcode: out->opcode = f.bytes; break;
        case HloInstructionProto_fusion_kind: out->fusion_kind = f.bytes; break;
        case HloInstructionProto_custom_call_target:
            out->custom_call_target = f.bytes;
            break;
        case HloInstructionProto_backend_config:
            out->backend_config = f.bytes;
            break;
        case HloInstructionProto_id: out->id = tfp_int64(&f); break;
        case HloInstructionProto_metadata:
            inner = tfp_wire_enter(w, &f);
            metadata_read(&inner, out);
            tfp_wire_leave(&inner);
            break;
        default:
            if (!instruction_part(w, &f, out))
                tfp_wire_check(w, &f, &tfp_HloInstructionProto);
            break;
        }
    }
}

void tfp_hlo_shape_read(tfp_wire *w, tfp_hlo_shape_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_shape_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case ShapeProto_element_type: out->type = tfp_int32(&f); break;
        case ShapeProto_dimensions:
        case TFP_PACKED(ShapeProto_dimensions):
            tfp_repeated_add(&out->dimensions, w, &f);
            break;
        case ShapeProto_tuple_shapes:
            tfp_repeated_add(&out->parts, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_ShapeProto); break;
        }
    }
}

void tfp_hlo_dot_read(tfp_wire *w, tfp_repeated *lhs_contracting)
{
    tfp_field f;
    *lhs_contracting = (tfp_repeated){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case DotDimensionNumbers_lhs_contracting_dimensions:
        case TFP_PACKED(DotDimensionNumbers_lhs_contracting_dimensions):
            tfp_repeated_add(lhs_contracting, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_DotDimensionNumbers); break;
        }
    }
}

void tfp_hlo_convolution_read(tfp_wire *w, tfp_hlo_convolution_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_convolution_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case ConvolutionDimensionNumbers_kernel_input_feature_dimension:
            out->kernel_input_feature = tfp_int64(&f);
            break;
        case ConvolutionDimensionNumbers_output_spatial_dimensions:
        case TFP_PACKED(ConvolutionDimensionNumbers_output_spatial_dimensions):
            tfp_repeated_add(&out->output_spatial, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_ConvolutionDimensionNumbers); break;
        }
    }
}

void tfp_hlo_window_read(tfp_wire *w, tfp_repeated *dimensions)
{
    tfp_field f;
    *dimensions = (tfp_repeated){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == Window_dimensions)
            tfp_repeated_add(dimensions, w, &f);
        else
            tfp_wire_check(w, &f, &tfp_Window);
    }
}

void tfp_hlo_window_dimension_read(tfp_wire *w, tfp_hlo_window_dimension *out)
{
    tfp_field f;
    *out = (tfp_hlo_window_dimension){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case WindowDimension_size: out->size = tfp_int64(&f); break;
        case WindowDimension_stride: out->stride = tfp_int64(&f); break;
        case WindowDimension_padding_low:
            out->padding_low = tfp_int64(&f);
            break;
        case WindowDimension_window_dilation:
            out->window_dilation = tfp_int64(&f);
            break;
        case WindowDimension_base_dilation:
            out->base_dilation = tfp_int64(&f);
            break;
        default: tfp_wire_check(w, &f, &tfp_WindowDimension); break;
        }
    }
}

void tfp_hlo_frame_index_read(tfp_wire *w, tfp_hlo_frame_index_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_frame_index_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case StackFrameIndexProto_file_names:
            tfp_repeated_add(&out->files, w, &f);
            break;
        case StackFrameIndexProto_function_names:
            tfp_repeated_add(&out->functions, w, &f);
            break;
        case StackFrameIndexProto_file_locations:
            tfp_repeated_add(&out->locations, w, &f);
            break;
        case StackFrameIndexProto_stack_frames:
            tfp_repeated_add(&out->frames, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_StackFrameIndexProto); break;
        }
    }
}

void tfp_hlo_location_read(tfp_wire *w, tfp_hlo_location_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_location_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case StackFrameIndexProto_FileLocation_file_name_id:
            out->file = tfp_int32(&f);
            break;
        case StackFrameIndexProto_FileLocation_function_name_id:
            out->function = tfp_int32(&f);
            break;
        case StackFrameIndexProto_FileLocation_line:
            out->line = tfp_int32(&f);
            break;
        default:
            tfp_wire_check(w, &f, &tfp_StackFrameIndexProto_FileLocation);
            break;
        }
    }
}

void tfp_hlo_frame_read(tfp_wire *w, tfp_hlo_frame_proto *out)
{
    tfp_field f;
    *out = (tfp_hlo_frame_proto){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case StackFrameIndexProto_StackFrame_file_location_id:
            out->location = tfp_int32(&f);
            break;
        case StackFrameIndexProto_StackFrame_parent_frame_id:
            out->parent = tfp_int32(&f);
            break;
        default:
            tfp_wire_check(w, &f, &tfp_StackFrameIndexProto_StackFrame);
            break;
        }
    }
}

tfp_many tfp_many_of(const tfp_repeated *repeated, tfp_record *record,
                     uint32_t tag)
{
    return (tfp_many){ .w = tfp_repeated_wire(repeated, record), .tag = tag };
}

bool tfp_many_next(tfp_many *many, int64_t *value)
{
    uint64_t number;
    tfp_field f;
    while (!tfp_numbers_next(&many->numbers, &number)) {
        do {
            if (!tfp_wire_next(&many->w, &f))
                return false;
        } while (f.tag != many->tag && f.tag != TFP_PACKED(many->tag));
        many->numbers = tfp_numbers_of(&many->w, &f, TFP_WIRE_VARINT);
    }
    *value = (int64_t)number;
    return true;
}
