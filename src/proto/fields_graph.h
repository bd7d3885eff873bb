/*
 * fields_graph.h - fields of graphs: GraphDef, functions, attributes, tensors.
 *
 * How to read them: proto/schema.h. Held against the descriptors of TensorFlow
 * by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_GRAPH_H
#define TFP_PROTO_FIELDS_GRAPH_H

/* clang-format off */

#define TFP_GRAPH_MESSAGES(D) \
    D(GraphDef, "tensorflow.GraphDef", STREAMED) \
    D(NodeDef, "tensorflow.NodeDef", PLAIN) \
    D(NodeDef_AttrEntry, "tensorflow.NodeDef.AttrEntry", MAP_ENTRY) \
    D(AttrValue, "tensorflow.AttrValue", PLAIN) \
    D(AttrValue_ListValue, "tensorflow.AttrValue.ListValue", PLAIN) \
    D(TensorShapeProto, "tensorflow.TensorShapeProto", PLAIN) \
    D(TensorShapeProto_Dim, "tensorflow.TensorShapeProto.Dim", PLAIN) \
    D(TensorProto, "tensorflow.TensorProto", PLAIN) \
    D(ResourceHandleProto, "tensorflow.ResourceHandleProto", PLAIN) \
    D(ResourceHandleProto_DtypeAndShape, "tensorflow.ResourceHandleProto.DtypeAndShape", \
      PLAIN) \
    D(VariantTensorDataProto, "tensorflow.VariantTensorDataProto", PLAIN) \
    D(NameAttrList, "tensorflow.NameAttrList", PLAIN) \
    D(NameAttrList_AttrEntry, "tensorflow.NameAttrList.AttrEntry", MAP_ENTRY) \
    D(NodeDef_ExperimentalDebugInfo, "tensorflow.NodeDef.ExperimentalDebugInfo", \
      PLAIN) \
    D(FullTypeDef, "tensorflow.FullTypeDef", PLAIN) \
    D(FunctionDefLibrary, "tensorflow.FunctionDefLibrary", STREAMED) \
    D(FunctionDef, "tensorflow.FunctionDef", STREAMED) \
    D(OpDef, "tensorflow.OpDef", PLAIN) \
    D(OpDef_ArgDef, "tensorflow.OpDef.ArgDef", PLAIN) \
    D(OpDef_AttrDef, "tensorflow.OpDef.AttrDef", PLAIN) \
    D(OpDeprecation, "tensorflow.OpDeprecation", PLAIN) \
    D(FunctionDef_RetEntry, "tensorflow.FunctionDef.RetEntry", MAP_ENTRY) \
    D(FunctionDef_AttrEntry, "tensorflow.FunctionDef.AttrEntry", MAP_ENTRY) \
    D(FunctionDef_ControlRetEntry, "tensorflow.FunctionDef.ControlRetEntry", \
      MAP_ENTRY) \
    D(FunctionDef_ArgAttrEntry, "tensorflow.FunctionDef.ArgAttrEntry", \
      MAP_ENTRY) \
    D(FunctionDef_ArgAttrs, "tensorflow.FunctionDef.ArgAttrs", PLAIN) \
    D(FunctionDef_ArgAttrs_AttrEntry, "tensorflow.FunctionDef.ArgAttrs.AttrEntry", \
      MAP_ENTRY) \
    D(FunctionDef_ResourceArgUniqueIdEntry, "tensorflow.FunctionDef.ResourceArgUniqueIdEntry", \
      MAP_ENTRY) \
    D(GradientDef, "tensorflow.GradientDef", PLAIN) \
    D(RegisteredGradient, "tensorflow.RegisteredGradient", PLAIN) \
    D(VersionDef, "tensorflow.VersionDef", PLAIN) \
    D(GraphDebugInfo, "tensorflow.GraphDebugInfo", STREAMED) \
    D(GraphDebugInfo_TracesEntry, "tensorflow.GraphDebugInfo.TracesEntry", \
      MAP_ENTRY) \
    D(GraphDebugInfo_StackTrace, "tensorflow.GraphDebugInfo.StackTrace", \
      PLAIN) \
    D(GraphDebugInfo_FileLineCol, "tensorflow.GraphDebugInfo.FileLineCol", \
      PLAIN) \
    D(GraphDebugInfo_FramesByIdEntry, "tensorflow.GraphDebugInfo.FramesByIdEntry", \
      MAP_ENTRY) \
    D(GraphDebugInfo_NameToTraceIdEntry, "tensorflow.GraphDebugInfo.NameToTraceIdEntry", \
      MAP_ENTRY) \
    D(GraphDebugInfo_TracesByIdEntry, "tensorflow.GraphDebugInfo.TracesByIdEntry", \
      MAP_ENTRY) \
    D(OpList, "tensorflow.OpList", PLAIN)

/* ---- graph.proto ----------------------------------------------------------- */

#define GraphDef_FIELDS(F, M)                                                  \
    F(M,  1, node, MESSAGE, MANY, NodeDef)                                     \
    F(M,  2, library, MESSAGE, ONE, FunctionDefLibrary)                        \
    F(M,  3, version, INT32, ONE, _)                                           \
    F(M,  4, versions, MESSAGE, ONE, VersionDef)                               \
    F(M,  5, debug_info, MESSAGE, ONE, GraphDebugInfo)

/* ---- node_def.proto -------------------------------------------------------- */

#define NodeDef_FIELDS(F, M)                                                   \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, op, STRING, ONE, _)                                               \
    F(M,  3, input, STRING, MANY, _)                                           \
    F(M,  4, device, STRING, ONE, _)                                           \
    F(M,  5, attr, MESSAGE, MANY, NodeDef_AttrEntry)                           \
    F(M,  6, experimental_debug_info, MESSAGE, ONE,                            \
          NodeDef_ExperimentalDebugInfo)                                       \
    F(M,  7, experimental_type, MESSAGE, ONE, FullTypeDef)

#define NodeDef_AttrEntry_FIELDS(F, M)                                         \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, AttrValue)

/* ---- attr_value.proto ------------------------------------------------------ */

#define AttrValue_FIELDS(F, M)                                                 \
    F(M,  1, list, MESSAGE, ONEOF, AttrValue_ListValue)                        \
    F(M,  2, s, BYTES, ONEOF, _)                                               \
    F(M,  3, i, INT64, ONEOF, _)                                               \
    F(M,  4, f, FLOAT, ONEOF, _)                                               \
    F(M,  5, b, BOOL, ONEOF, _)                                                \
    F(M,  6, type, ENUM, ONEOF, DataType)                                      \
    F(M,  7, shape, MESSAGE, ONEOF, TensorShapeProto)                          \
    F(M,  8, tensor, MESSAGE, ONEOF, TensorProto)                              \
    F(M,  9, placeholder, STRING, ONEOF, _)                                    \
    F(M, 10, func, MESSAGE, ONEOF, NameAttrList)

#define AttrValue_ListValue_FIELDS(F, M)                                       \
    F(M,  2, s, BYTES, MANY, _)                                                \
    F(M,  3, i, INT64, MANY, _)                                                \
    F(M,  4, f, FLOAT, MANY, _)                                                \
    F(M,  5, b, BOOL, MANY, _)                                                 \
    F(M,  6, type, ENUM, MANY, DataType)                                       \
    F(M,  7, shape, MESSAGE, MANY, TensorShapeProto)                           \
    F(M,  8, tensor, MESSAGE, MANY, TensorProto)                               \
    F(M,  9, func, MESSAGE, MANY, NameAttrList)

/* ---- tensor_shape.proto ---------------------------------------------------- */

#define TensorShapeProto_FIELDS(F, M)                                          \
    F(M,  2, dim, MESSAGE, MANY, TensorShapeProto_Dim)                         \
    F(M,  3, unknown_rank, BOOL, ONE, _)

#define TensorShapeProto_Dim_FIELDS(F, M)                                      \
    F(M,  1, size, INT64, ONE, _)                                              \
    F(M,  2, name, STRING, ONE, _)

/* ---- tensor.proto ---------------------------------------------------------- */

#define TensorProto_FIELDS(F, M)                                               \
    F(M,  1, dtype, ENUM, ONE, DataType)                                       \
    F(M,  2, tensor_shape, MESSAGE, ONE, TensorShapeProto)                     \
    F(M,  3, version_number, INT32, ONE, _)                                    \
    F(M,  4, tensor_content, BYTES, ONE, _)                                    \
    F(M,  5, float_val, FLOAT, MANY, _)                                        \
    F(M,  6, double_val, DOUBLE, MANY, _)                                      \
    F(M,  7, int_val, INT32, MANY, _)                                          \
    F(M,  8, string_val, BYTES, MANY, _)                                       \
    F(M,  9, scomplex_val, FLOAT, MANY, _)                                     \
    F(M, 10, int64_val, INT64, MANY, _)                                        \
    F(M, 11, bool_val, BOOL, MANY, _)                                          \
    F(M, 12, dcomplex_val, DOUBLE, MANY, _)                                    \
    F(M, 13, half_val, INT32, MANY, _)                                         \
    F(M, 14, resource_handle_val, MESSAGE, MANY, ResourceHandleProto)          \
    F(M, 15, variant_val, MESSAGE, MANY, VariantTensorDataProto)               \
    F(M, 16, uint32_val, UINT32, MANY, _)                                      \
    F(M, 17, uint64_val, UINT64, MANY, _)                                      \
    F(M, 18, float8_val, BYTES, ONE, _)

/* ---- resource_handle.proto ------------------------------------------------- */

#define ResourceHandleProto_FIELDS(F, M)                                       \
    F(M,  1, device, STRING, ONE, _)                                           \
    F(M,  2, container, STRING, ONE, _)                                        \
    F(M,  3, name, STRING, ONE, _)                                             \
    F(M,  4, hash_code, UINT64, ONE, _)                                        \
    F(M,  5, maybe_type_name, STRING, ONE, _)                                  \
    F(M,  6, dtypes_and_shapes, MESSAGE, MANY,                                 \
          ResourceHandleProto_DtypeAndShape)

#define ResourceHandleProto_DtypeAndShape_FIELDS(F, M)                         \
    F(M,  1, dtype, ENUM, ONE, DataType)                                       \
    F(M,  2, shape, MESSAGE, ONE, TensorShapeProto)

/* ---- tensor.proto ---------------------------------------------------------- */

#define VariantTensorDataProto_FIELDS(F, M)                                    \
    F(M,  1, type_name, STRING, ONE, _)                                        \
    F(M,  2, metadata, BYTES, ONE, _)                                          \
    F(M,  3, tensors, MESSAGE, MANY, TensorProto)

/* ---- attr_value.proto ------------------------------------------------------ */

#define NameAttrList_FIELDS(F, M)                                              \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, attr, MESSAGE, MANY, NameAttrList_AttrEntry)

#define NameAttrList_AttrEntry_FIELDS(F, M)                                    \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, AttrValue)

/* ---- node_def.proto -------------------------------------------------------- */

#define NodeDef_ExperimentalDebugInfo_FIELDS(F, M)                             \
    F(M,  1, original_node_names, STRING, MANY, _)                             \
    F(M,  2, original_func_names, STRING, MANY, _)

/* ---- full_type.proto ------------------------------------------------------- */

#define FullTypeDef_FIELDS(F, M)                                               \
    F(M,  1, type_id, ENUM, ONE, FullTypeId)                                   \
    F(M,  2, args, MESSAGE, MANY, FullTypeDef)                                 \
    F(M,  3, s, STRING, ONEOF, _)                                              \
    F(M,  4, i, INT64, ONEOF, _)

/* ---- function.proto -------------------------------------------------------- */

#define FunctionDefLibrary_FIELDS(F, M)                                        \
    F(M,  1, function, MESSAGE, MANY, FunctionDef)                             \
    F(M,  2, gradient, MESSAGE, MANY, GradientDef)                             \
    F(M,  3, registered_gradients, MESSAGE, MANY, RegisteredGradient)

#define FunctionDef_FIELDS(F, M)                                               \
    F(M,  1, signature, MESSAGE, ONE, OpDef)                                   \
    F(M,  3, node_def, MESSAGE, MANY, NodeDef)                                 \
    F(M,  4, ret, MESSAGE, MANY, FunctionDef_RetEntry)                         \
    F(M,  5, attr, MESSAGE, MANY, FunctionDef_AttrEntry)                       \
    F(M,  6, control_ret, MESSAGE, MANY, FunctionDef_ControlRetEntry)          \
    F(M,  7, arg_attr, MESSAGE, MANY, FunctionDef_ArgAttrEntry)                \
    F(M,  8, resource_arg_unique_id, MESSAGE, MANY,                            \
          FunctionDef_ResourceArgUniqueIdEntry)

/* ---- op_def.proto ---------------------------------------------------------- */

#define OpDef_FIELDS(F, M)                                                     \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, input_arg, MESSAGE, MANY, OpDef_ArgDef)                           \
    F(M,  3, output_arg, MESSAGE, MANY, OpDef_ArgDef)                          \
    F(M,  4, attr, MESSAGE, MANY, OpDef_AttrDef)                               \
    F(M,  5, summary, STRING, ONE, _)                                          \
    F(M,  6, description, STRING, ONE, _)                                      \
    F(M,  8, deprecation, MESSAGE, ONE, OpDeprecation)                         \
    F(M, 16, is_aggregate, BOOL, ONE, _)                                       \
    F(M, 17, is_stateful, BOOL, ONE, _)                                        \
    F(M, 18, is_commutative, BOOL, ONE, _)                                     \
    F(M, 19, allows_uninitialized_input, BOOL, ONE, _)                         \
    F(M, 20, control_output, STRING, MANY, _)                                  \
    F(M, 21, is_distributed_communication, BOOL, ONE, _)

#define OpDef_ArgDef_FIELDS(F, M)                                              \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, description, STRING, ONE, _)                                      \
    F(M,  3, type, ENUM, ONE, DataType)                                        \
    F(M,  4, type_attr, STRING, ONE, _)                                        \
    F(M,  5, number_attr, STRING, ONE, _)                                      \
    F(M,  6, type_list_attr, STRING, ONE, _)                                   \
    F(M,  7, handle_data, MESSAGE, MANY, ResourceHandleProto_DtypeAndShape)    \
    F(M, 16, is_ref, BOOL, ONE, _)                                             \
    F(M, 17, experimental_full_type, MESSAGE, ONE, FullTypeDef)

#define OpDef_AttrDef_FIELDS(F, M)                                             \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, type, STRING, ONE, _)                                             \
    F(M,  3, default_value, MESSAGE, ONE, AttrValue)                           \
    F(M,  4, description, STRING, ONE, _)                                      \
    F(M,  5, has_minimum, BOOL, ONE, _)                                        \
    F(M,  6, minimum, INT64, ONE, _)                                           \
    F(M,  7, allowed_values, MESSAGE, ONE, AttrValue)

#define OpDeprecation_FIELDS(F, M)                                             \
    F(M,  1, version, INT32, ONE, _)                                           \
    F(M,  2, explanation, STRING, ONE, _)

/* ---- function.proto -------------------------------------------------------- */

#define FunctionDef_RetEntry_FIELDS(F, M)                                      \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, STRING, ONE, _)

#define FunctionDef_AttrEntry_FIELDS(F, M)                                     \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, AttrValue)

#define FunctionDef_ControlRetEntry_FIELDS(F, M)                               \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, STRING, ONE, _)

#define FunctionDef_ArgAttrEntry_FIELDS(F, M)                                  \
    F(M,  1, key, UINT32, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, FunctionDef_ArgAttrs)

#define FunctionDef_ArgAttrs_FIELDS(F, M)                                      \
    F(M,  1, attr, MESSAGE, MANY, FunctionDef_ArgAttrs_AttrEntry)

#define FunctionDef_ArgAttrs_AttrEntry_FIELDS(F, M)                            \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, AttrValue)

#define FunctionDef_ResourceArgUniqueIdEntry_FIELDS(F, M)                      \
    F(M,  1, key, UINT32, ONE, _)                                              \
    F(M,  2, value, UINT32, ONE, _)

#define GradientDef_FIELDS(F, M)                                               \
    F(M,  1, function_name, STRING, ONE, _)                                    \
    F(M,  2, gradient_func, STRING, ONE, _)

#define RegisteredGradient_FIELDS(F, M)                                        \
    F(M,  1, gradient_func, STRING, ONE, _)                                    \
    F(M,  2, registered_op_type, STRING, ONE, _)

/* ---- versions.proto -------------------------------------------------------- */

#define VersionDef_FIELDS(F, M)                                                \
    F(M,  1, producer, INT32, ONE, _)                                          \
    F(M,  2, min_consumer, INT32, ONE, _)                                      \
    F(M,  3, bad_consumers, INT32, MANY, _)

/* ---- graph_debug_info.proto ------------------------------------------------ */

#define GraphDebugInfo_FIELDS(F, M)                                            \
    F(M,  1, files, STRING, MANY, _)                                           \
    F(M,  2, traces, MESSAGE, MANY, GraphDebugInfo_TracesEntry)                \
    F(M,  4, frames_by_id, MESSAGE, MANY, GraphDebugInfo_FramesByIdEntry)      \
    F(M,  5, name_to_trace_id, MESSAGE, MANY,                                  \
          GraphDebugInfo_NameToTraceIdEntry)                                   \
    F(M,  6, traces_by_id, MESSAGE, MANY, GraphDebugInfo_TracesByIdEntry)

#define GraphDebugInfo_TracesEntry_FIELDS(F, M)                                \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, GraphDebugInfo_StackTrace)

#define GraphDebugInfo_StackTrace_FIELDS(F, M)                                 \
    F(M,  1, file_line_cols, MESSAGE, MANY, GraphDebugInfo_FileLineCol)        \
    F(M,  2, frame_id, FIXED64, MANY, _)

#define GraphDebugInfo_FileLineCol_FIELDS(F, M)                                \
    F(M,  1, file_index, INT32, ONE, _)                                        \
    F(M,  2, line, INT32, ONE, _)                                              \
    F(M,  3, col, INT32, ONE, _)                                               \
    F(M,  4, func, STRING, ONE, _)                                             \
    F(M,  5, code, STRING, ONE, _)

#define GraphDebugInfo_FramesByIdEntry_FIELDS(F, M)                            \
    F(M,  1, key, FIXED64, ONE, _)                                             \
    F(M,  2, value, MESSAGE, ONE, GraphDebugInfo_FileLineCol)

#define GraphDebugInfo_NameToTraceIdEntry_FIELDS(F, M)                         \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, FIXED64, ONE, _)

#define GraphDebugInfo_TracesByIdEntry_FIELDS(F, M)                            \
    F(M,  1, key, FIXED64, ONE, _)                                             \
    F(M,  2, value, MESSAGE, ONE, GraphDebugInfo_StackTrace)

/* ---- op_def.proto ---------------------------------------------------------- */

#define OpList_FIELDS(F, M)                                                    \
    F(M,  1, op, MESSAGE, MANY, OpDef)

/* clang-format on */

#endif
