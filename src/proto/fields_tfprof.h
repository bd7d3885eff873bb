/*
 * fields_tfprof.h - fields of tfprof's own files: OpLogProto and ProfileProto.
 *
 * How to read them: proto/schema.h. Held against the descriptors of TensorFlow
 * by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_TFPROF_H
#define TFP_PROTO_FIELDS_TFPROF_H

/* clang-format off */

#define TFP_TFPROF_MESSAGES(D) \
    D(OpLogProto, "tensorflow.tfprof.OpLogProto", STREAMED) \
    D(OpLogEntry, "tensorflow.tfprof.OpLogEntry", PLAIN) \
    D(CodeDef, "tensorflow.tfprof.CodeDef", PLAIN) \
    D(CodeDef_Trace, "tensorflow.tfprof.CodeDef.Trace", PLAIN) \
    D(OpLogProto_IdToStringEntry, "tensorflow.tfprof.OpLogProto.IdToStringEntry", \
      MAP_ENTRY) \
    D(ProfileProto, "tensorflow.tfprof.ProfileProto", STREAMED) \
    D(ProfileProto_NodesEntry, "tensorflow.tfprof.ProfileProto.NodesEntry", \
      MAP_ENTRY) \
    D(ProfileNode, "tensorflow.tfprof.ProfileNode", PLAIN) \
    D(ProfileNode_InputsEntry, "tensorflow.tfprof.ProfileNode.InputsEntry", \
      MAP_ENTRY) \
    D(ProfileNode_OutputsEntry, "tensorflow.tfprof.ProfileNode.OutputsEntry", \
      MAP_ENTRY) \
    D(ProfileNode_AttrsEntry, "tensorflow.tfprof.ProfileNode.AttrsEntry", \
      MAP_ENTRY) \
    D(ProfileNode_ExecsEntry, "tensorflow.tfprof.ProfileNode.ExecsEntry", \
      MAP_ENTRY) \
    D(ExecProfile, "tensorflow.tfprof.ExecProfile", PLAIN) \
    D(ExecProfile_AcceleratorExecsEntry, "tensorflow.tfprof.ExecProfile.AcceleratorExecsEntry", \
      MAP_ENTRY) \
    D(ExecTime, "tensorflow.tfprof.ExecTime", PLAIN) \
    D(Tuple, "tensorflow.tfprof.Tuple", PLAIN) \
    D(ExecProfile_CpuExecsEntry, "tensorflow.tfprof.ExecProfile.CpuExecsEntry", \
      MAP_ENTRY) \
    D(ExecMemory, "tensorflow.tfprof.ExecMemory", PLAIN) \
    D(ExecMemory_OutputMemoryEntry, "tensorflow.tfprof.ExecMemory.OutputMemoryEntry", \
      MAP_ENTRY) \
    D(Memory, "tensorflow.tfprof.Memory", PLAIN) \
    D(ProfileNode_SrcOutputIndexEntry, "tensorflow.tfprof.ProfileNode.SrcOutputIndexEntry", \
      MAP_ENTRY) \
    D(ProfileNode_OutputShapesEntry, "tensorflow.tfprof.ProfileNode.OutputShapesEntry", \
      MAP_ENTRY) \
    D(ProfileNode_InputShapesEntry, "tensorflow.tfprof.ProfileNode.InputShapesEntry", \
      MAP_ENTRY) \
    D(ProfileProto_IdToStringEntry, "tensorflow.tfprof.ProfileProto.IdToStringEntry", \
      MAP_ENTRY)

/* ---- tfprof_log.proto ------------------------------------------------------ */

#define OpLogProto_FIELDS(F, M)                                                \
    F(M,  1, log_entries, MESSAGE, MANY, OpLogEntry)                           \
    F(M,  2, id_to_string, MESSAGE, MANY, OpLogProto_IdToStringEntry)

#define OpLogEntry_FIELDS(F, M)                                                \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, float_ops, INT64, ONE, _)                                         \
    F(M,  3, types, STRING, MANY, _)                                           \
    F(M,  4, code_def, MESSAGE, ONE, CodeDef)

#define CodeDef_FIELDS(F, M)                                                   \
    F(M,  1, traces, MESSAGE, MANY, CodeDef_Trace)

#define CodeDef_Trace_FIELDS(F, M)                                             \
    F(M,  1, file, STRING, RETIRED, _)                                         \
    F(M,  2, lineno, INT32, ONE, _)                                            \
    F(M,  3, function, STRING, RETIRED, _)                                     \
    F(M,  4, line, STRING, RETIRED, _)                                         \
    F(M,  5, func_start_line, INT32, ONE, _)                                   \
    F(M,  6, file_id, INT64, ONE, _)                                           \
    F(M,  7, function_id, INT64, ONE, _)                                       \
    F(M,  8, line_id, INT64, ONE, _)

#define OpLogProto_IdToStringEntry_FIELDS(F, M)                                \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, value, STRING, ONE, _)

#define ProfileProto_FIELDS(F, M)                                              \
    F(M,  1, nodes, MESSAGE, MANY, ProfileProto_NodesEntry)                    \
    F(M,  2, has_trace, BOOL, ONE, _)                                          \
    F(M,  3, steps, INT64, MANY, _)                                            \
    F(M,  4, id_to_string, MESSAGE, MANY, ProfileProto_IdToStringEntry)        \
    F(M,  5, miss_accelerator_stream, BOOL, ONE, _)

#define ProfileProto_NodesEntry_FIELDS(F, M)                                   \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, ProfileNode)

#define ProfileNode_FIELDS(F, M)                                               \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, inputs, MESSAGE, MANY, ProfileNode_InputsEntry)                   \
    F(M,  3, outputs, MESSAGE, MANY, ProfileNode_OutputsEntry)                 \
    F(M,  4, shape, INT64, MANY, _)                                            \
    F(M,  5, op_types, STRING, MANY, _)                                        \
    F(M,  6, canonical_device, STRING, ONE, _)                                 \
    F(M,  7, host_device, STRING, ONE, _)                                      \
    F(M,  8, float_ops, INT64, ONE, _)                                         \
    F(M,  9, op, STRING, ONE, _)                                               \
    F(M, 10, trace, MESSAGE, ONE, CodeDef)                                     \
    F(M, 11, attrs, MESSAGE, MANY, ProfileNode_AttrsEntry)                     \
    F(M, 12, execs, MESSAGE, MANY, ProfileNode_ExecsEntry)                     \
    F(M, 13, id, INT64, ONE, _)                                                \
    F(M, 14, src_output_index, MESSAGE, MANY, ProfileNode_SrcOutputIndexEntry) \
    F(M, 15, output_shapes, MESSAGE, MANY, ProfileNode_OutputShapesEntry)      \
    F(M, 16, input_shapes, MESSAGE, MANY, ProfileNode_InputShapesEntry)

#define ProfileNode_InputsEntry_FIELDS(F, M)                                   \
    F(M,  1, key, INT32, ONE, _)                                               \
    F(M,  2, value, INT64, ONE, _)

#define ProfileNode_OutputsEntry_FIELDS(F, M)                                  \
    F(M,  1, key, INT32, ONE, _)                                               \
    F(M,  2, value, INT64, ONE, _)

#define ProfileNode_AttrsEntry_FIELDS(F, M)                                    \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, AttrValue)

#define ProfileNode_ExecsEntry_FIELDS(F, M)                                    \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, ExecProfile)

#define ExecProfile_FIELDS(F, M)                                               \
    F(M,  1, run_count, INT64, ONE, _)                                         \
    F(M,  2, all_start_micros, INT64, ONE, _)                                  \
    F(M,  3, latest_end_micros, INT64, ONE, _)                                 \
    F(M,  4, accelerator_execs, MESSAGE, MANY,                                 \
          ExecProfile_AcceleratorExecsEntry)                                   \
    F(M,  5, cpu_execs, MESSAGE, MANY, ExecProfile_CpuExecsEntry)              \
    F(M,  6, devices, STRING, MANY, _)                                         \
    F(M,  7, memory_execs, MESSAGE, MANY, ExecMemory)                          \
    F(M, 11, allocations, MESSAGE, MANY, AllocationRecord)

#define ExecProfile_AcceleratorExecsEntry_FIELDS(F, M)                         \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, ExecTime)

#define ExecTime_FIELDS(F, M)                                                  \
    F(M,  1, times, MESSAGE, MANY, Tuple)

#define Tuple_FIELDS(F, M)                                                     \
    F(M,  1, int64_values, INT64, MANY, _)

#define ExecProfile_CpuExecsEntry_FIELDS(F, M)                                 \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, ExecTime)

#define ExecMemory_FIELDS(F, M)                                                \
    F(M,  1, memory_micros, INT64, ONE, _)                                     \
    F(M,  2, host_temp_bytes, INT64, ONE, _)                                   \
    F(M,  3, host_persistent_bytes, INT64, ONE, _)                             \
    F(M,  4, accelerator_temp_bytes, INT64, ONE, _)                            \
    F(M,  5, accelerator_persistent_bytes, INT64, ONE, _)                      \
    F(M,  6, requested_bytes, INT64, ONE, _)                                   \
    F(M,  7, peak_bytes, INT64, ONE, _)                                        \
    F(M,  8, residual_bytes, INT64, ONE, _)                                    \
    F(M,  9, output_bytes, INT64, ONE, _)                                      \
    F(M, 10, allocator_bytes_in_use, INT64, ONE, _)                            \
    F(M, 11, output_memory, MESSAGE, MANY, ExecMemory_OutputMemoryEntry)

#define ExecMemory_OutputMemoryEntry_FIELDS(F, M)                              \
    F(M,  1, key, INT32, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, Memory)

#define Memory_FIELDS(F, M)                                                    \
    F(M,  1, bytes, INT64, ONE, _)                                             \
    F(M,  2, ptr, UINT64, ONE, _)

#define ProfileNode_SrcOutputIndexEntry_FIELDS(F, M)                           \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, value, INT32, ONE, _)

#define ProfileNode_OutputShapesEntry_FIELDS(F, M)                             \
    F(M,  1, key, INT32, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, Tuple)

#define ProfileNode_InputShapesEntry_FIELDS(F, M)                              \
    F(M,  1, key, INT32, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, Tuple)

#define ProfileProto_IdToStringEntry_FIELDS(F, M)                              \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, value, STRING, ONE, _)

/* clang-format on */

#endif
