/*
 * hlo.h - decoders for programs compiled by XLA: hlo.proto and the part of
 * xla_data.proto that they use.
 *
 * A singular field may occur several times on the wire, and protobuf merges the
 * occurrences. A singular message is therefore a tfp_repeated here, and its
 * occurrences are read one after the other.
 */
#ifndef TFP_PROTO_HLO_H
#define TFP_PROTO_HLO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "proto/enums.h"
#include "proto/wire.h"

/* TFP_XLA_F32 and so on: types of elements. */
#define TFP_DECLARE_XLA_TYPE(name, number) TFP_XLA_##name = number,
enum tfp_xla_type { PrimitiveType_VALUES(TFP_DECLARE_XLA_TYPE) };
#undef TFP_DECLARE_XLA_TYPE

/* HloProto, its modules alone: HloProto_hlo_module. */
void tfp_hlo_proto_read(tfp_wire *w, tfp_repeated *modules);

typedef struct tfp_hlo_module_proto {
    tfp_span name;
    tfp_repeated computations;  /* HloModuleProto_computations */
    tfp_repeated frame_indexes; /* HloModuleProto_stack_frame_index */
} tfp_hlo_module_proto;

void tfp_hlo_module_read(tfp_wire *w, tfp_hlo_module_proto *out);

typedef struct tfp_hlo_computation_proto {
    int64_t id;
    tfp_repeated instructions; /* HloComputationProto_instructions */
} tfp_hlo_computation_proto;

void tfp_hlo_computation_read(tfp_wire *w, tfp_hlo_computation_proto *out);

/* With the OpMetadata inside. */
typedef struct tfp_hlo_instruction_proto {
    tfp_span name, opcode, fusion_kind, custom_call_target, backend_config;
    tfp_span op_type, op_name, source_file; /* of its metadata */
    int32_t source_line, stack_frame;       /* 0: none */
    int64_t id;
    tfp_repeated shapes;       /* HloInstructionProto_shape */
    tfp_repeated windows;      /* HloInstructionProto_window */
    tfp_repeated convolutions; /* .._convolution_dimension_numbers */
    tfp_repeated dots;         /* HloInstructionProto_dot_dimension_numbers */

    /* Numbers: tfp_many_next(). */
    tfp_repeated operands; /* HloInstructionProto_operand_ids */
    tfp_repeated called;   /* HloInstructionProto_called_computation_ids */
} tfp_hlo_instruction_proto;

void tfp_hlo_instruction_read(tfp_wire *w, tfp_hlo_instruction_proto *out);

/* ShapeProto. A tuple has no dimensions but parts, which are shapes. */
typedef struct tfp_hlo_shape_proto {
    int32_t type;            /* one of tfp_xla_type, or any number */
    tfp_repeated dimensions; /* ShapeProto_dimensions: numbers */
    tfp_repeated parts;      /* ShapeProto_tuple_shapes */
} tfp_hlo_shape_proto;

void tfp_hlo_shape_read(tfp_wire *w, tfp_hlo_shape_proto *out);

/* DotDimensionNumbers: only the contracting dimensions of the left side, which
 * suffice to count. */
void tfp_hlo_dot_read(tfp_wire *w, tfp_repeated *lhs_contracting);

/* ConvolutionDimensionNumbers: the roles of dimensions that are needed to
 * count. */
typedef struct tfp_hlo_convolution_proto {
    int64_t kernel_input_feature;
    tfp_repeated output_spatial; /* .._output_spatial_dimensions: numbers */
} tfp_hlo_convolution_proto;

void tfp_hlo_convolution_read(tfp_wire *w, tfp_hlo_convolution_proto *out);

/* Window, its dimensions alone: Window_dimensions. */
void tfp_hlo_window_read(tfp_wire *w, tfp_repeated *dimensions);

typedef struct tfp_hlo_window_dimension {
    int64_t size, stride, padding_low;
    int64_t window_dilation, base_dilation; /* 0 is 1, as in stride */
} tfp_hlo_window_dimension;

void tfp_hlo_window_dimension_read(tfp_wire *w, tfp_hlo_window_dimension *out);

/* StackFrameIndexProto. Its parts call each other by number, from 1 on. */
typedef struct tfp_hlo_frame_index_proto {
    tfp_repeated files;     /* StackFrameIndexProto_file_names */
    tfp_repeated functions; /* StackFrameIndexProto_function_names */
    tfp_repeated locations; /* StackFrameIndexProto_file_locations */
    tfp_repeated frames;    /* StackFrameIndexProto_stack_frames */
} tfp_hlo_frame_index_proto;

void tfp_hlo_frame_index_read(tfp_wire *w, tfp_hlo_frame_index_proto *out);

typedef struct tfp_hlo_location_proto {
    int32_t file, function, line;
} tfp_hlo_location_proto;

void tfp_hlo_location_read(tfp_wire *w, tfp_hlo_location_proto *out);

typedef struct tfp_hlo_frame_proto {
    int32_t location, parent; /* 0: none */
} tfp_hlo_frame_proto;

void tfp_hlo_frame_read(tfp_wire *w, tfp_hlo_frame_proto *out);

/*
 * The numbers of a repeated field, however they are written:
 *
 *     tfp_many many = tfp_many_of(&proto.operands, record,
 *                                 HloInstructionProto_operand_ids);
 *     while (tfp_many_next(&many, &value)) ...
 */
typedef struct tfp_many {
    tfp_wire w;
    tfp_numbers numbers;
    uint32_t tag; /* of one number that is not packed, a varint */
} tfp_many;

tfp_many tfp_many_of(const tfp_repeated *repeated, tfp_record *record,
                     uint32_t tag);
bool tfp_many_next(tfp_many *many, int64_t *value);

#endif
