/*
 * fields_hlo.h - fields of programs compiled by XLA, as traces carry them.
 *
 * Messages that nobody reads are plain bytes here and enums that nobody prints
 * plain numbers, so the chain ends where a reader's interest does. How to read
 * the rows: proto/schema.h. Held against the descriptors of TensorFlow by
 * tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_HLO_H
#define TFP_PROTO_FIELDS_HLO_H

/* clang-format off */

#define TFP_HLO_MESSAGES(D) \
    D(HloProto, "xla.HloProto", PLAIN) \
    D(HloModuleProto, "xla.HloModuleProto", PLAIN) \
    D(HloComputationProto, "xla.HloComputationProto", PLAIN) \
    D(HloInstructionProto, "xla.HloInstructionProto", PLAIN) \
    D(OpMetadata, "xla.OpMetadata", PLAIN) \
    D(StackFrameIndexProto, "xla.StackFrameIndexProto", PLAIN) \
    D(StackFrameIndexProto_FileLocation, "xla.StackFrameIndexProto.FileLocation", PLAIN) \
    D(StackFrameIndexProto_StackFrame, "xla.StackFrameIndexProto.StackFrame", PLAIN) \
    D(ShapeProto, "xla.ShapeProto", PLAIN) \
    D(DotDimensionNumbers, "xla.DotDimensionNumbers", PLAIN) \
    D(ConvolutionDimensionNumbers, "xla.ConvolutionDimensionNumbers", PLAIN) \
    D(Window, "xla.Window", PLAIN) \
    D(WindowDimension, "xla.WindowDimension", PLAIN)

/* ---- hlo.proto ------------------------------------------------------------- */

#define HloProto_FIELDS(F, M)                                                  \
    F(M,  1, hlo_module, MESSAGE, ONE, HloModuleProto)                         \
    F(M,  3, buffer_assignment, BYTES, ONE, _)

#define HloModuleProto_FIELDS(F, M)                                            \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, entry_computation_name, STRING, ONE, _)                           \
    F(M,  3, computations, MESSAGE, MANY, HloComputationProto)                 \
    F(M,  4, host_program_shape, BYTES, ONE, _)                                \
    F(M,  5, id, INT64, ONE, _)                                                \
    F(M,  6, entry_computation_id, INT64, ONE, _)                              \
    F(M,  7, schedule, BYTES, ONE, _)                                          \
    F(M,  8, input_output_alias, BYTES, ONE, _)                                \
    F(M, 10, cross_program_prefetches, BYTES, MANY, _)                         \
    F(M, 11, is_dynamic, BOOL, ONE, _)                                         \
    F(M, 12, spmd_output_sharding, BYTES, ONE, _)                              \
    F(M, 13, profile_info, BYTES, MANY, _)                                     \
    F(M, 14, spmd_parameters_shardings, BYTES, MANY, _)                        \
    F(M, 15, device_assignment, BYTES, ONE, _)                                 \
    F(M, 16, use_auto_spmd_partitioning, BOOL, ONE, _)                         \
    F(M, 17, stack_frame_index, MESSAGE, ONE, StackFrameIndexProto)            \
    F(M, 18, buffer_donor, BYTES, ONE, _)                                      \
    F(M, 19, frontend_attributes, BYTES, ONE, _)                               \
    F(M, 20, original_value_recovery_table, BYTES, ONE, _)

#define HloComputationProto_FIELDS(F, M)                                       \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, instructions, MESSAGE, MANY, HloInstructionProto)                 \
    F(M,  4, program_shape, BYTES, ONE, _)                                     \
    F(M,  5, id, INT64, ONE, _)                                                \
    F(M,  6, root_id, INT64, ONE, _)                                           \
    F(M,  7, is_fusion_computation, BOOL, ONE, _)                              \
    F(M,  8, execution_thread, STRING, ONE, _)

#define HloInstructionProto_FIELDS(F, M)                                       \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, opcode, STRING, ONE, _)                                           \
    F(M,  3, shape, MESSAGE, ONE, ShapeProto)                                  \
    F(M,  7, metadata, MESSAGE, ONE, OpMetadata)                               \
    F(M,  8, literal, BYTES, ONE, _)                                           \
    F(M,  9, parameter_number, INT64, ONE, _)                                  \
    F(M, 11, fusion_kind, STRING, ONE, _)                                      \
    F(M, 13, tuple_index, INT64, ONE, _)                                       \
    F(M, 14, dimensions, INT64, MANY, _)                                       \
    F(M, 15, window, MESSAGE, ONE, Window)                                     \
    F(M, 16, convolution_dimension_numbers, MESSAGE, ONE,                      \
      ConvolutionDimensionNumbers)                                             \
    F(M, 17, slice_dimensions, BYTES, MANY, _)                                 \
    F(M, 18, exponent_bits, INT32, ONE, _)                                     \
    F(M, 19, mantissa_bits, INT32, ONE, _)                                     \
    F(M, 20, dynamic_slice_sizes, INT64, MANY, _)                              \
    F(M, 21, padding_config, BYTES, ONE, _)                                    \
    F(M, 22, outfeed_config, BYTES, ONE, _)                                    \
    F(M, 23, distribution, INT32, ONE, _)                                      \
    F(M, 24, epsilon, FLOAT, ONE, _)                                           \
    F(M, 25, feature_index, INT64, ONE, _)                                     \
    F(M, 26, channel_id, INT64, ONE, _)                                        \
    F(M, 27, infeed_config, BYTES, ONE, _)                                     \
    F(M, 28, custom_call_target, STRING, ONE, _)                               \
    F(M, 29, outfeed_shape, MESSAGE, ONE, ShapeProto)                          \
    F(M, 30, dot_dimension_numbers, MESSAGE, ONE, DotDimensionNumbers)         \
    F(M, 31, fft_type, INT32, ONE, _)                                          \
    F(M, 32, fft_length, INT64, MANY, _)                                       \
    F(M, 33, gather_dimension_numbers, BYTES, ONE, _)                          \
    F(M, 34, gather_slice_sizes, INT64, MANY, _)                               \
    F(M, 35, id, INT64, ONE, _)                                                \
    F(M, 36, operand_ids, INT64, MANY, _)                                      \
    F(M, 37, control_predecessor_ids, INT64, MANY, _)                          \
    F(M, 38, called_computation_ids, INT64, MANY, _)                           \
    F(M, 40, sharding, BYTES, ONE, _)                                          \
    F(M, 43, backend_config, BYTES, ONE, _)                                    \
    F(M, 45, all_reduce_id, INT64, ONE, _)                                     \
    F(M, 47, is_host_transfer, BOOL, ONE, _)                                   \
    F(M, 48, scatter_dimension_numbers, BYTES, ONE, _)                         \
    F(M, 49, replica_groups, BYTES, MANY, _)                                   \
    F(M, 50, feature_group_count, INT64, ONE, _)                               \
    F(M, 51, precision_config, BYTES, ONE, _)                                  \
    F(M, 52, source_target_pairs, BYTES, MANY, _)                              \
    F(M, 54, domain_entry_sharding, BYTES, ONE, _)                             \
    F(M, 55, domain_exit_sharding, BYTES, ONE, _)                              \
    F(M, 56, constrain_layout, BOOL, ONE, _)                                   \
    F(M, 57, operand_shapes_with_layout, MESSAGE, MANY, ShapeProto)            \
    F(M, 58, batch_group_count, INT64, ONE, _)                                 \
    F(M, 59, triangular_solve_options, BYTES, ONE, _)                          \
    F(M, 60, is_stable, BOOL, ONE, _)                                          \
    F(M, 61, parameter_replication, BYTES, ONE, _)                             \
    F(M, 62, cholesky_options, BYTES, ONE, _)                                  \
    F(M, 63, comparison_direction, STRING, ONE, _)                             \
    F(M, 65, custom_call_has_side_effect, BOOL, ONE, _)                        \
    F(M, 66, delta, INT64, ONE, _)                                             \
    F(M, 67, indices_are_sorted, BOOL, ONE, _)                                 \
    F(M, 68, frontend_attributes, BYTES, ONE, _)                               \
    F(M, 69, unique_indices, BOOL, ONE, _)                                     \
    F(M, 70, rng_algorithm, INT32, ONE, _)                                     \
    F(M, 71, use_global_device_ids, BOOL, ONE, _)                              \
    F(M, 72, comparison_type, STRING, ONE, _)                                  \
    F(M, 73, is_cross_program_prefetch, BOOL, ONE, _)                          \
    F(M, 74, output_operand_aliasing, BYTES, MANY, _)                          \
    F(M, 75, padding_type, INT32, ONE, _)                                      \
    F(M, 76, custom_call_schedule, INT32, ONE, _)                              \
    F(M, 77, custom_call_api_version, INT32, ONE, _)                           \
    F(M, 79, async_execution_thread, STRING, ONE, _)                           \
    F(M, 80, cross_program_prefetch_index, INT32, ONEOF, _)                    \
    F(M, 81, k, INT64, ONE, _)                                                 \
    F(M, 82, statistics_viz, BYTES, ONE, _)                                    \
    F(M, 85, largest, BOOL, ONE, _)                                            \
    F(M, 87, collective_device_list, BYTES, ONEOF, _)                          \
    F(M, 88, original_value, BYTES, ONE, _)                                    \
    F(M, 89, is_composite, BOOL, ONE, _)                                       \
    F(M, 90, ragged_dot_dimension_numbers, BYTES, ONE, _)                      \
    F(M, 91, result_accuracy, BYTES, ONE, _)                                   \
    F(M, 92, iota_collective_device_list, BYTES, ONEOF, _)                     \
    F(M, 93, mesh_axes_replica_group_list, BYTES, ONEOF, _)                    \
    F(M, 94, is_reverse, BOOL, ONE, _)                                         \
    F(M, 95, num_carries, INT64, ONE, _)                                       \
    F(M, 96, is_associative, INT32, ONE, _)                                    \
    F(M, 97, conv_kind, INT32, ONE, _)

#define StackFrameIndexProto_FIELDS(F, M)                                      \
    F(M,  1, file_names, STRING, MANY, _)                                      \
    F(M,  2, function_names, STRING, MANY, _)                                  \
    F(M,  3, file_locations, MESSAGE, MANY, StackFrameIndexProto_FileLocation) \
    F(M,  4, stack_frames, MESSAGE, MANY, StackFrameIndexProto_StackFrame)

#define StackFrameIndexProto_FileLocation_FIELDS(F, M)                         \
    F(M,  1, file_name_id, INT32, ONE, _)                                      \
    F(M,  2, function_name_id, INT32, ONE, _)                                  \
    F(M,  3, line, INT32, ONE, _)                                              \
    F(M,  4, column, INT32, ONE, _)                                            \
    F(M,  5, end_line, INT32, ONE, _)                                          \
    F(M,  6, end_column, INT32, ONE, _)

#define StackFrameIndexProto_StackFrame_FIELDS(F, M)                           \
    F(M,  1, file_location_id, INT32, ONE, _)                                  \
    F(M,  2, parent_frame_id, INT32, ONE, _)

/* ---- xla_data.proto -------------------------------------------------------- */

#define OpMetadata_FIELDS(F, M)                                                \
    F(M,  1, op_type, STRING, ONE, _)                                          \
    F(M,  2, op_name, STRING, ONE, _)                                          \
    F(M,  3, source_file, STRING, ONE, _)                                      \
    F(M,  4, source_line, INT32, ONE, _)                                       \
    F(M,  5, profile_type, INT32, MANY, _)                                     \
    F(M,  8, size_of_generated_code_in_bytes, INT64, ONE, _)                   \
    F(M,  9, size_of_memory_working_set_in_bytes, INT64, ONE, _)               \
    F(M, 10, profile_info, BYTES, ONE, _)                                      \
    F(M, 12, deduplicated_name, STRING, ONE, _)                                \
    F(M, 15, stack_frame_id, INT32, ONE, _)                                    \
    F(M, 16, scheduling_name, STRING, ONE, _)                                  \
    F(M, 17, source_end_line, INT32, ONE, _)                                   \
    F(M, 18, source_column, INT32, ONE, _)                                     \
    F(M, 19, source_end_column, INT32, ONE, _)

#define ShapeProto_FIELDS(F, M)                                                \
    F(M,  2, element_type, ENUM, ONE, PrimitiveType)                           \
    F(M,  3, dimensions, INT64, MANY, _)                                       \
    F(M,  4, tuple_shapes, MESSAGE, MANY, ShapeProto)                          \
    F(M,  5, layout, BYTES, ONE, _)                                            \
    F(M,  6, is_dynamic_dimension, BOOL, MANY, _)

#define DotDimensionNumbers_FIELDS(F, M)                                       \
    F(M,  1, lhs_contracting_dimensions, INT64, MANY, _)                       \
    F(M,  2, rhs_contracting_dimensions, INT64, MANY, _)                       \
    F(M,  3, lhs_batch_dimensions, INT64, MANY, _)                             \
    F(M,  4, rhs_batch_dimensions, INT64, MANY, _)

#define ConvolutionDimensionNumbers_FIELDS(F, M)                               \
    F(M,  3, kernel_input_feature_dimension, INT64, ONE, _)                    \
    F(M,  4, kernel_output_feature_dimension, INT64, ONE, _)                   \
    F(M,  6, kernel_spatial_dimensions, INT64, MANY, _)                        \
    F(M,  7, input_batch_dimension, INT64, ONE, _)                             \
    F(M,  8, input_feature_dimension, INT64, ONE, _)                           \
    F(M,  9, output_batch_dimension, INT64, ONE, _)                            \
    F(M, 10, output_feature_dimension, INT64, ONE, _)                          \
    F(M, 11, input_spatial_dimensions, INT64, MANY, _)                         \
    F(M, 12, output_spatial_dimensions, INT64, MANY, _)

#define Window_FIELDS(F, M)                                                    \
    F(M,  1, dimensions, MESSAGE, MANY, WindowDimension)

#define WindowDimension_FIELDS(F, M)                                           \
    F(M,  1, size, INT64, ONE, _)                                              \
    F(M,  2, stride, INT64, ONE, _)                                            \
    F(M,  3, padding_low, INT64, ONE, _)                                       \
    F(M,  4, padding_high, INT64, ONE, _)                                      \
    F(M,  5, window_dilation, INT64, ONE, _)                                   \
    F(M,  6, base_dilation, INT64, ONE, _)                                     \
    F(M,  7, window_reversal, BOOL, ONE, _)

/* clang-format on */

#endif
