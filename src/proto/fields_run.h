/*
 * fields_run.h - fields of runs: RunMetadata, StepStats and what they hold.
 *
 * How to read them: proto/schema.h. Held against the descriptors of TensorFlow
 * by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_RUN_H
#define TFP_PROTO_FIELDS_RUN_H

/* clang-format off */

#define TFP_RUN_MESSAGES(D) \
    D(RunMetadata, "tensorflow.RunMetadata", STREAMED) \
    D(StepStats, "tensorflow.StepStats", STREAMED) \
    D(DeviceStepStats, "tensorflow.DeviceStepStats", STREAMED) \
    D(NodeExecStats, "tensorflow.NodeExecStats", PLAIN) \
    D(AllocatorMemoryUsed, "tensorflow.AllocatorMemoryUsed", PLAIN) \
    D(AllocationRecord, "tensorflow.AllocationRecord", PLAIN) \
    D(NodeOutput, "tensorflow.NodeOutput", PLAIN) \
    D(TensorDescription, "tensorflow.TensorDescription", PLAIN) \
    D(AllocationDescription, "tensorflow.AllocationDescription", PLAIN) \
    D(MemoryStats, "tensorflow.MemoryStats", PLAIN) \
    D(DeviceStepStats_ThreadNamesEntry, "tensorflow.DeviceStepStats.ThreadNamesEntry", \
      MAP_ENTRY) \
    D(CostGraphDef, "tensorflow.CostGraphDef", STREAMED) \
    D(CostGraphDef_Node, "tensorflow.CostGraphDef.Node", PLAIN) \
    D(CostGraphDef_Node_InputInfo, "tensorflow.CostGraphDef.Node.InputInfo", \
      PLAIN) \
    D(CostGraphDef_Node_OutputInfo, "tensorflow.CostGraphDef.Node.OutputInfo", \
      PLAIN) \
    D(CostGraphDef_AggregatedCost, "tensorflow.CostGraphDef.AggregatedCost", \
      PLAIN) \
    D(RunMetadata_FunctionGraphs, "tensorflow.RunMetadata.FunctionGraphs", \
      STREAMED) \
    D(SessionMetadata, "tensorflow.SessionMetadata", PLAIN)

/* ---- config.proto ---------------------------------------------------------- */

#define RunMetadata_FIELDS(F, M)                                               \
    F(M,  1, step_stats, MESSAGE, ONE, StepStats)                              \
    F(M,  2, cost_graph, MESSAGE, ONE, CostGraphDef)                           \
    F(M,  3, partition_graphs, MESSAGE, MANY, GraphDef)                        \
    F(M,  4, function_graphs, MESSAGE, MANY, RunMetadata_FunctionGraphs)       \
    F(M,  5, session_metadata, MESSAGE, ONE, SessionMetadata)

/* ---- step_stats.proto ------------------------------------------------------ */

#define StepStats_FIELDS(F, M)                                                 \
    F(M,  1, dev_stats, MESSAGE, MANY, DeviceStepStats)

#define DeviceStepStats_FIELDS(F, M)                                           \
    F(M,  1, device, STRING, ONE, _)                                           \
    F(M,  2, node_stats, MESSAGE, MANY, NodeExecStats)                         \
    F(M,  3, thread_names, MESSAGE, MANY, DeviceStepStats_ThreadNamesEntry)

#define NodeExecStats_FIELDS(F, M)                                             \
    F(M,  1, node_name, STRING, ONE, _)                                        \
    F(M,  2, all_start_micros, INT64, ONE, _)                                  \
    F(M,  3, op_start_rel_micros, INT64, ONE, _)                               \
    F(M,  4, op_end_rel_micros, INT64, ONE, _)                                 \
    F(M,  5, all_end_rel_micros, INT64, ONE, _)                                \
    F(M,  6, memory, MESSAGE, MANY, AllocatorMemoryUsed)                       \
    F(M,  7, output, MESSAGE, MANY, NodeOutput)                                \
    F(M,  8, timeline_label, STRING, ONE, _)                                   \
    F(M,  9, scheduled_micros, INT64, ONE, _)                                  \
    F(M, 10, thread_id, UINT32, ONE, _)                                        \
    F(M, 11, referenced_tensor, MESSAGE, MANY, AllocationDescription)          \
    F(M, 12, memory_stats, MESSAGE, ONE, MemoryStats)                          \
    F(M, 13, all_start_nanos, INT64, ONE, _)                                   \
    F(M, 14, op_start_rel_nanos, INT64, ONE, _)                                \
    F(M, 15, op_end_rel_nanos, INT64, ONE, _)                                  \
    F(M, 16, all_end_rel_nanos, INT64, ONE, _)                                 \
    F(M, 17, scheduled_nanos, INT64, ONE, _)

#define AllocatorMemoryUsed_FIELDS(F, M)                                       \
    F(M,  1, allocator_name, STRING, ONE, _)                                   \
    F(M,  2, total_bytes, INT64, ONE, _)                                       \
    F(M,  3, peak_bytes, INT64, ONE, _)                                        \
    F(M,  4, live_bytes, INT64, ONE, _)                                        \
    F(M,  5, allocator_bytes_in_use, INT64, ONE, _)                            \
    F(M,  6, allocation_records, MESSAGE, MANY, AllocationRecord)

#define AllocationRecord_FIELDS(F, M)                                          \
    F(M,  1, alloc_micros, INT64, ONE, _)                                      \
    F(M,  2, alloc_bytes, INT64, ONE, _)

#define NodeOutput_FIELDS(F, M)                                                \
    F(M,  1, slot, INT32, ONE, _)                                              \
    F(M,  3, tensor_description, MESSAGE, ONE, TensorDescription)

/* ---- tensor_description.proto ---------------------------------------------- */

#define TensorDescription_FIELDS(F, M)                                         \
    F(M,  1, dtype, ENUM, ONE, DataType)                                       \
    F(M,  2, shape, MESSAGE, ONE, TensorShapeProto)                            \
    F(M,  4, allocation_description, MESSAGE, ONE, AllocationDescription)

/* ---- allocation_description.proto ------------------------------------------ */

#define AllocationDescription_FIELDS(F, M)                                     \
    F(M,  1, requested_bytes, INT64, ONE, _)                                   \
    F(M,  2, allocated_bytes, INT64, ONE, _)                                   \
    F(M,  3, allocator_name, STRING, ONE, _)                                   \
    F(M,  4, allocation_id, INT64, ONE, _)                                     \
    F(M,  5, has_single_reference, BOOL, ONE, _)                               \
    F(M,  6, ptr, UINT64, ONE, _)

/* ---- step_stats.proto ------------------------------------------------------ */

#define MemoryStats_FIELDS(F, M)                                               \
    F(M,  1, temp_memory_size, INT64, ONE, _)                                  \
    F(M,  1, host_temp_memory_size, INT64, RETIRED, _)                         \
    F(M,  2, device_temp_memory_size, INT64, ONE, _)                           \
    F(M,  3, persistent_memory_size, INT64, ONE, _)                            \
    F(M,  3, host_persistent_memory_size, INT64, RETIRED, _)                   \
    F(M,  4, device_persistent_memory_size, INT64, ONE, _)                     \
    F(M,  5, persistent_tensor_alloc_ids, INT64, MANY, _)                      \
    F(M,  5, host_persistent_tensor_alloc_ids, INT64, RETIRED, _)              \
    F(M,  6, device_persistent_tensor_alloc_ids, INT64, MANY, _)

#define DeviceStepStats_ThreadNamesEntry_FIELDS(F, M)                          \
    F(M,  1, key, UINT32, ONE, _)                                              \
    F(M,  2, value, STRING, ONE, _)

/* ---- cost_graph.proto ------------------------------------------------------ */

#define CostGraphDef_FIELDS(F, M)                                              \
    F(M,  1, node, MESSAGE, MANY, CostGraphDef_Node)                           \
    F(M,  2, cost, MESSAGE, MANY, CostGraphDef_AggregatedCost)

#define CostGraphDef_Node_FIELDS(F, M)                                         \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, device, STRING, ONE, _)                                           \
    F(M,  3, id, INT32, ONE, _)                                                \
    F(M,  4, input_info, MESSAGE, MANY, CostGraphDef_Node_InputInfo)           \
    F(M,  5, output_info, MESSAGE, MANY, CostGraphDef_Node_OutputInfo)         \
    F(M,  6, temporary_memory_size, INT64, ONE, _)                             \
    F(M,  7, is_final, BOOL, ONE, _)                                           \
    F(M,  8, control_input, INT32, MANY, _)                                    \
    F(M,  9, compute_cost, INT64, ONE, _)                                      \
    F(M, 10, host_temp_memory_size, INT64, ONE, _)                             \
    F(M, 11, device_temp_memory_size, INT64, ONE, _)                           \
    F(M, 12, persistent_memory_size, INT64, ONE, _)                            \
    F(M, 14, compute_time, INT64, ONE, _)                                      \
    F(M, 15, memory_time, INT64, ONE, _)                                       \
    F(M, 16, device_persistent_memory_size, INT64, ONE, _)                     \
    F(M, 17, inaccurate, BOOL, ONE, _)

#define CostGraphDef_Node_InputInfo_FIELDS(F, M)                               \
    F(M,  1, preceding_node, INT32, ONE, _)                                    \
    F(M,  2, preceding_port, INT32, ONE, _)

#define CostGraphDef_Node_OutputInfo_FIELDS(F, M)                              \
    F(M,  1, size, INT64, ONE, _)                                              \
    F(M,  2, alias_input_port, INT64, ONE, _)                                  \
    F(M,  3, shape, MESSAGE, ONE, TensorShapeProto)                            \
    F(M,  4, dtype, ENUM, ONE, DataType)

#define CostGraphDef_AggregatedCost_FIELDS(F, M)                               \
    F(M,  1, cost, FLOAT, ONE, _)                                              \
    F(M,  2, dimension, STRING, ONE, _)

/* ---- config.proto ---------------------------------------------------------- */

#define RunMetadata_FunctionGraphs_FIELDS(F, M)                                \
    F(M,  1, partition_graphs, MESSAGE, MANY, GraphDef)                        \
    F(M,  2, pre_optimization_graph, MESSAGE, ONE, GraphDef)                   \
    F(M,  3, post_optimization_graph, MESSAGE, ONE, GraphDef)

#define SessionMetadata_FIELDS(F, M)                                           \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, version, INT64, ONE, _)

/* clang-format on */

#endif
