/*
 * fields_saved.h - fields of saved models: MetaGraphDef, SavedModel, object
 * graphs.
 *
 * How to read them: proto/schema.h. Held against the descriptors of TensorFlow
 * by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_SAVED_H
#define TFP_PROTO_FIELDS_SAVED_H

/* clang-format off */

#define TFP_SAVED_MESSAGES(D) \
    D(SavedModel, "tensorflow.SavedModel", STREAMED) \
    D(MetaGraphDef, "tensorflow.MetaGraphDef", STREAMED) \
    D(MetaGraphDef_MetaInfoDef, "tensorflow.MetaGraphDef.MetaInfoDef", PLAIN) \
    D(Any, "google.protobuf.Any", PLAIN) \
    D(MetaGraphDef_MetaInfoDef_FunctionAliasesEntry, "tensorflow.MetaGraphDef.MetaInfoDef.FunctionAliasesEntry", \
      MAP_ENTRY) \
    D(SaverDef, "tensorflow.SaverDef", PLAIN) \
    D(MetaGraphDef_CollectionDefEntry, "tensorflow.MetaGraphDef.CollectionDefEntry", \
      MAP_ENTRY) \
    D(CollectionDef, "tensorflow.CollectionDef", PLAIN) \
    D(CollectionDef_NodeList, "tensorflow.CollectionDef.NodeList", PLAIN) \
    D(CollectionDef_BytesList, "tensorflow.CollectionDef.BytesList", PLAIN) \
    D(CollectionDef_Int64List, "tensorflow.CollectionDef.Int64List", PLAIN) \
    D(CollectionDef_FloatList, "tensorflow.CollectionDef.FloatList", PLAIN) \
    D(CollectionDef_AnyList, "tensorflow.CollectionDef.AnyList", PLAIN) \
    D(MetaGraphDef_SignatureDefEntry, "tensorflow.MetaGraphDef.SignatureDefEntry", \
      MAP_ENTRY) \
    D(SignatureDef, "tensorflow.SignatureDef", PLAIN) \
    D(SignatureDef_InputsEntry, "tensorflow.SignatureDef.InputsEntry", \
      MAP_ENTRY) \
    D(TensorInfo, "tensorflow.TensorInfo", PLAIN) \
    D(TensorInfo_CooSparse, "tensorflow.TensorInfo.CooSparse", PLAIN) \
    D(TensorInfo_CompositeTensor, "tensorflow.TensorInfo.CompositeTensor", \
      PLAIN) \
    D(TypeSpecProto, "tensorflow.TypeSpecProto", PLAIN) \
    D(StructuredValue, "tensorflow.StructuredValue", PLAIN) \
    D(NoneValue, "tensorflow.NoneValue", PLAIN) \
    D(TensorSpecProto, "tensorflow.TensorSpecProto", PLAIN) \
    D(BoundedTensorSpecProto, "tensorflow.BoundedTensorSpecProto", PLAIN) \
    D(ListValue, "tensorflow.ListValue", PLAIN) \
    D(TupleValue, "tensorflow.TupleValue", PLAIN) \
    D(DictValue, "tensorflow.DictValue", PLAIN) \
    D(DictValue_FieldsEntry, "tensorflow.DictValue.FieldsEntry", MAP_ENTRY) \
    D(NamedTupleValue, "tensorflow.NamedTupleValue", PLAIN) \
    D(PairValue, "tensorflow.PairValue", PLAIN) \
    D(SignatureDef_OutputsEntry, "tensorflow.SignatureDef.OutputsEntry", \
      MAP_ENTRY) \
    D(SignatureDef_DefaultsEntry, "tensorflow.SignatureDef.DefaultsEntry", \
      MAP_ENTRY) \
    D(AssetFileDef, "tensorflow.AssetFileDef", PLAIN) \
    D(SavedObjectGraph, "tensorflow.SavedObjectGraph", STREAMED) \
    D(SavedObject, "tensorflow.SavedObject", PLAIN) \
    D(TrackableObjectGraph_TrackableObject_ObjectReference, "tensorflow.TrackableObjectGraph.TrackableObject.ObjectReference", \
      PLAIN) \
    D(TrackableObjectGraph_TrackableObject_SlotVariableReference, "tensorflow.TrackableObjectGraph.TrackableObject.SlotVariableReference", \
      PLAIN) \
    D(SavedUserObject, "tensorflow.SavedUserObject", PLAIN) \
    D(SavedAsset, "tensorflow.SavedAsset", PLAIN) \
    D(SavedFunction, "tensorflow.SavedFunction", PLAIN) \
    D(FunctionSpec, "tensorflow.FunctionSpec", PLAIN) \
    D(SavedVariable, "tensorflow.SavedVariable", PLAIN) \
    D(SavedBareConcreteFunction, "tensorflow.SavedBareConcreteFunction", \
      PLAIN) \
    D(SavedConstant, "tensorflow.SavedConstant", PLAIN) \
    D(SavedResource, "tensorflow.SavedResource", PLAIN) \
    D(SavedObject_SaveableObjectsEntry, "tensorflow.SavedObject.SaveableObjectsEntry", \
      MAP_ENTRY) \
    D(SaveableObject, "tensorflow.SaveableObject", PLAIN) \
    D(CapturedTensor, "tensorflow.CapturedTensor", PLAIN) \
    D(SavedObjectGraph_ConcreteFunctionsEntry, "tensorflow.SavedObjectGraph.ConcreteFunctionsEntry", \
      MAP_ENTRY) \
    D(SavedConcreteFunction, "tensorflow.SavedConcreteFunction", PLAIN) \
    D(VariableDef, "tensorflow.VariableDef", PLAIN) \
    D(SaveSliceInfoDef, "tensorflow.SaveSliceInfoDef", PLAIN)

/* ---- saved_model.proto ----------------------------------------------------- */

#define SavedModel_FIELDS(F, M)                                                \
    F(M,  1, saved_model_schema_version, INT64, ONE, _)                        \
    F(M,  2, meta_graphs, MESSAGE, MANY, MetaGraphDef)

/* ---- meta_graph.proto ------------------------------------------------------ */

#define MetaGraphDef_FIELDS(F, M)                                              \
    F(M,  1, meta_info_def, MESSAGE, ONE, MetaGraphDef_MetaInfoDef)            \
    F(M,  2, graph_def, MESSAGE, ONE, GraphDef)                                \
    F(M,  3, saver_def, MESSAGE, ONE, SaverDef)                                \
    F(M,  4, collection_def, MESSAGE, MANY, MetaGraphDef_CollectionDefEntry)   \
    F(M,  5, signature_def, MESSAGE, MANY, MetaGraphDef_SignatureDefEntry)     \
    F(M,  6, asset_file_def, MESSAGE, MANY, AssetFileDef)                      \
    F(M,  7, object_graph_def, MESSAGE, ONE, SavedObjectGraph)

#define MetaGraphDef_MetaInfoDef_FIELDS(F, M)                                  \
    F(M,  1, meta_graph_version, STRING, ONE, _)                               \
    F(M,  2, stripped_op_list, MESSAGE, ONE, OpList)                           \
    F(M,  3, any_info, MESSAGE, ONE, Any)                                      \
    F(M,  4, tags, STRING, MANY, _)                                            \
    F(M,  5, tensorflow_version, STRING, ONE, _)                               \
    F(M,  6, tensorflow_git_version, STRING, ONE, _)                           \
    F(M,  7, stripped_default_attrs, BOOL, ONE, _)                             \
    F(M,  8, function_aliases, MESSAGE, MANY,                                  \
          MetaGraphDef_MetaInfoDef_FunctionAliasesEntry)

/* ---- any.proto ------------------------------------------------------------- */

#define Any_FIELDS(F, M)                                                       \
    F(M,  1, type_url, STRING, ONE, _)                                         \
    F(M,  2, value, BYTES, ONE, _)

/* ---- meta_graph.proto ------------------------------------------------------ */

#define MetaGraphDef_MetaInfoDef_FunctionAliasesEntry_FIELDS(F, M)             \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, STRING, ONE, _)

/* ---- saver.proto ----------------------------------------------------------- */

#define SaverDef_FIELDS(F, M)                                                  \
    F(M,  1, filename_tensor_name, STRING, ONE, _)                             \
    F(M,  2, save_tensor_name, STRING, ONE, _)                                 \
    F(M,  3, restore_op_name, STRING, ONE, _)                                  \
    F(M,  4, max_to_keep, INT32, ONE, _)                                       \
    F(M,  5, sharded, BOOL, ONE, _)                                            \
    F(M,  6, keep_checkpoint_every_n_hours, FLOAT, ONE, _)                     \
    F(M,  7, version, ENUM, ONE, SaverDef_CheckpointFormatVersion)

/* ---- meta_graph.proto ------------------------------------------------------ */

#define MetaGraphDef_CollectionDefEntry_FIELDS(F, M)                           \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, CollectionDef)

#define CollectionDef_FIELDS(F, M)                                             \
    F(M,  1, node_list, MESSAGE, ONEOF, CollectionDef_NodeList)                \
    F(M,  2, bytes_list, MESSAGE, ONEOF, CollectionDef_BytesList)              \
    F(M,  3, int64_list, MESSAGE, ONEOF, CollectionDef_Int64List)              \
    F(M,  4, float_list, MESSAGE, ONEOF, CollectionDef_FloatList)              \
    F(M,  5, any_list, MESSAGE, ONEOF, CollectionDef_AnyList)

#define CollectionDef_NodeList_FIELDS(F, M)                                    \
    F(M,  1, value, STRING, MANY, _)

#define CollectionDef_BytesList_FIELDS(F, M)                                   \
    F(M,  1, value, BYTES, MANY, _)

#define CollectionDef_Int64List_FIELDS(F, M)                                   \
    F(M,  1, value, INT64, MANY, _)

#define CollectionDef_FloatList_FIELDS(F, M)                                   \
    F(M,  1, value, FLOAT, MANY, _)

#define CollectionDef_AnyList_FIELDS(F, M)                                     \
    F(M,  1, value, MESSAGE, MANY, Any)

#define MetaGraphDef_SignatureDefEntry_FIELDS(F, M)                            \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, SignatureDef)

#define SignatureDef_FIELDS(F, M)                                              \
    F(M,  1, inputs, MESSAGE, MANY, SignatureDef_InputsEntry)                  \
    F(M,  2, outputs, MESSAGE, MANY, SignatureDef_OutputsEntry)                \
    F(M,  3, method_name, STRING, ONE, _)                                      \
    F(M,  4, defaults, MESSAGE, MANY, SignatureDef_DefaultsEntry)

#define SignatureDef_InputsEntry_FIELDS(F, M)                                  \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, TensorInfo)

#define TensorInfo_FIELDS(F, M)                                                \
    F(M,  1, name, STRING, ONEOF, _)                                           \
    F(M,  2, dtype, ENUM, ONE, DataType)                                       \
    F(M,  3, tensor_shape, MESSAGE, ONE, TensorShapeProto)                     \
    F(M,  4, coo_sparse, MESSAGE, ONEOF, TensorInfo_CooSparse)                 \
    F(M,  5, composite_tensor, MESSAGE, ONEOF, TensorInfo_CompositeTensor)

#define TensorInfo_CooSparse_FIELDS(F, M)                                      \
    F(M,  1, values_tensor_name, STRING, ONE, _)                               \
    F(M,  2, indices_tensor_name, STRING, ONE, _)                              \
    F(M,  3, dense_shape_tensor_name, STRING, ONE, _)

#define TensorInfo_CompositeTensor_FIELDS(F, M)                                \
    F(M,  1, type_spec, MESSAGE, ONE, TypeSpecProto)                           \
    F(M,  2, components, MESSAGE, MANY, TensorInfo)

/* ---- struct.proto ---------------------------------------------------------- */

#define TypeSpecProto_FIELDS(F, M)                                             \
    F(M,  1, type_spec_class, ENUM, ONE, TypeSpecProto_TypeSpecClass)          \
    F(M,  2, type_state, MESSAGE, ONE, StructuredValue)                        \
    F(M,  3, type_spec_class_name, STRING, ONE, _)                             \
    F(M,  4, num_flat_components, INT32, ONE, _)

#define StructuredValue_FIELDS(F, M)                                           \
    F(M,  1, none_value, MESSAGE, ONEOF, NoneValue)                            \
    F(M, 11, float64_value, DOUBLE, ONEOF, _)                                  \
    F(M, 12, int64_value, SINT64, ONEOF, _)                                    \
    F(M, 13, string_value, STRING, ONEOF, _)                                   \
    F(M, 14, bool_value, BOOL, ONEOF, _)                                       \
    F(M, 31, tensor_shape_value, MESSAGE, ONEOF, TensorShapeProto)             \
    F(M, 32, tensor_dtype_value, ENUM, ONEOF, DataType)                        \
    F(M, 33, tensor_spec_value, MESSAGE, ONEOF, TensorSpecProto)               \
    F(M, 34, type_spec_value, MESSAGE, ONEOF, TypeSpecProto)                   \
    F(M, 35, bounded_tensor_spec_value, MESSAGE, ONEOF,                        \
          BoundedTensorSpecProto)                                              \
    F(M, 51, list_value, MESSAGE, ONEOF, ListValue)                            \
    F(M, 52, tuple_value, MESSAGE, ONEOF, TupleValue)                          \
    F(M, 53, dict_value, MESSAGE, ONEOF, DictValue)                            \
    F(M, 54, named_tuple_value, MESSAGE, ONEOF, NamedTupleValue)               \
    F(M, 55, tensor_value, MESSAGE, ONEOF, TensorProto)                        \
    F(M, 56, numpy_value, MESSAGE, ONEOF, TensorProto)

#define NoneValue_FIELDS(F, M)

#define TensorSpecProto_FIELDS(F, M)                                           \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, shape, MESSAGE, ONE, TensorShapeProto)                            \
    F(M,  3, dtype, ENUM, ONE, DataType)

#define BoundedTensorSpecProto_FIELDS(F, M)                                    \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, shape, MESSAGE, ONE, TensorShapeProto)                            \
    F(M,  3, dtype, ENUM, ONE, DataType)                                       \
    F(M,  4, minimum, MESSAGE, ONE, TensorProto)                               \
    F(M,  5, maximum, MESSAGE, ONE, TensorProto)

#define ListValue_FIELDS(F, M)                                                 \
    F(M,  1, values, MESSAGE, MANY, StructuredValue)

#define TupleValue_FIELDS(F, M)                                                \
    F(M,  1, values, MESSAGE, MANY, StructuredValue)

#define DictValue_FIELDS(F, M)                                                 \
    F(M,  1, fields, MESSAGE, MANY, DictValue_FieldsEntry)

#define DictValue_FieldsEntry_FIELDS(F, M)                                     \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, StructuredValue)

#define NamedTupleValue_FIELDS(F, M)                                           \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, values, MESSAGE, MANY, PairValue)

#define PairValue_FIELDS(F, M)                                                 \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, StructuredValue)

/* ---- meta_graph.proto ------------------------------------------------------ */

#define SignatureDef_OutputsEntry_FIELDS(F, M)                                 \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, TensorInfo)

#define SignatureDef_DefaultsEntry_FIELDS(F, M)                                \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, TensorProto)

#define AssetFileDef_FIELDS(F, M)                                              \
    F(M,  1, tensor_info, MESSAGE, ONE, TensorInfo)                            \
    F(M,  2, filename, STRING, ONE, _)

/* ---- saved_object_graph.proto ---------------------------------------------- */

#define SavedObjectGraph_FIELDS(F, M)                                          \
    F(M,  1, nodes, MESSAGE, MANY, SavedObject)                                \
    F(M,  2, concrete_functions, MESSAGE, MANY,                                \
          SavedObjectGraph_ConcreteFunctionsEntry)

#define SavedObject_FIELDS(F, M)                                               \
    F(M,  1, children, MESSAGE, MANY,                                          \
          TrackableObjectGraph_TrackableObject_ObjectReference)                \
    F(M,  3, slot_variables, MESSAGE, MANY,                                    \
          TrackableObjectGraph_TrackableObject_SlotVariableReference)          \
    F(M,  4, user_object, MESSAGE, ONEOF, SavedUserObject)                     \
    F(M,  5, asset, MESSAGE, ONEOF, SavedAsset)                                \
    F(M,  6, function, MESSAGE, ONEOF, SavedFunction)                          \
    F(M,  7, variable, MESSAGE, ONEOF, SavedVariable)                          \
    F(M,  8, bare_concrete_function, MESSAGE, ONEOF,                           \
          SavedBareConcreteFunction)                                           \
    F(M,  9, constant, MESSAGE, ONEOF, SavedConstant)                          \
    F(M, 10, resource, MESSAGE, ONEOF, SavedResource)                          \
    F(M, 11, saveable_objects, MESSAGE, MANY,                                  \
          SavedObject_SaveableObjectsEntry)                                    \
    F(M, 12, captured_tensor, MESSAGE, ONEOF, CapturedTensor)                  \
    F(M, 13, registered_name, STRING, ONE, _)                                  \
    F(M, 14, serialized_user_proto, MESSAGE, ONE, Any)                         \
    F(M, 15, dependencies, MESSAGE, MANY,                                      \
          TrackableObjectGraph_TrackableObject_ObjectReference)                \
    F(M, 16, registered_saver, STRING, ONE, _)

/* ---- trackable_object_graph.proto ------------------------------------------ */

#define TrackableObjectGraph_TrackableObject_ObjectReference_FIELDS(F, M)      \
    F(M,  1, node_id, INT32, ONE, _)                                           \
    F(M,  2, local_name, STRING, ONE, _)

#define TrackableObjectGraph_TrackableObject_SlotVariableReference_FIELDS(F, M) \
    F(M,  1, original_variable_node_id, INT32, ONE, _)                         \
    F(M,  2, slot_name, STRING, ONE, _)                                        \
    F(M,  3, slot_variable_node_id, INT32, ONE, _)

/* ---- saved_object_graph.proto ---------------------------------------------- */

#define SavedUserObject_FIELDS(F, M)                                           \
    F(M,  1, identifier, STRING, ONE, _)                                       \
    F(M,  2, version, MESSAGE, ONE, VersionDef)                                \
    F(M,  3, metadata, STRING, ONE, _)

#define SavedAsset_FIELDS(F, M)                                                \
    F(M,  1, asset_file_def_index, INT32, ONE, _)

#define SavedFunction_FIELDS(F, M)                                             \
    F(M,  1, concrete_functions, STRING, MANY, _)                              \
    F(M,  2, function_spec, MESSAGE, ONE, FunctionSpec)

#define FunctionSpec_FIELDS(F, M)                                              \
    F(M,  1, fullargspec, MESSAGE, ONE, StructuredValue)                       \
    F(M,  2, is_method, BOOL, ONE, _)                                          \
    F(M,  5, input_signature, MESSAGE, ONE, StructuredValue)                   \
    F(M,  6, jit_compile, ENUM, ONE, FunctionSpec_JitCompile)

#define SavedVariable_FIELDS(F, M)                                             \
    F(M,  1, dtype, ENUM, ONE, DataType)                                       \
    F(M,  2, shape, MESSAGE, ONE, TensorShapeProto)                            \
    F(M,  3, trainable, BOOL, ONE, _)                                          \
    F(M,  4, synchronization, ENUM, ONE, VariableSynchronization)              \
    F(M,  5, aggregation, ENUM, ONE, VariableAggregation)                      \
    F(M,  6, name, STRING, ONE, _)                                             \
    F(M,  7, device, STRING, ONE, _)                                           \
    F(M,  8, experimental_distributed_variable_components, MESSAGE, MANY,      \
          SavedVariable)

#define SavedBareConcreteFunction_FIELDS(F, M)                                 \
    F(M,  1, concrete_function_name, STRING, ONE, _)                           \
    F(M,  2, argument_keywords, STRING, MANY, _)                               \
    F(M,  3, allowed_positional_arguments, INT64, ONE, _)                      \
    F(M,  4, function_spec, MESSAGE, ONE, FunctionSpec)

#define SavedConstant_FIELDS(F, M)                                             \
    F(M,  1, operation, STRING, ONE, _)

#define SavedResource_FIELDS(F, M)                                             \
    F(M,  1, device, STRING, ONE, _)

#define SavedObject_SaveableObjectsEntry_FIELDS(F, M)                          \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, SaveableObject)

#define SaveableObject_FIELDS(F, M)                                            \
    F(M,  2, save_function, INT32, ONE, _)                                     \
    F(M,  3, restore_function, INT32, ONE, _)

#define CapturedTensor_FIELDS(F, M)                                            \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, concrete_function, STRING, ONE, _)

#define SavedObjectGraph_ConcreteFunctionsEntry_FIELDS(F, M)                   \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, SavedConcreteFunction)

#define SavedConcreteFunction_FIELDS(F, M)                                     \
    F(M,  2, bound_inputs, INT32, MANY, _)                                     \
    F(M,  3, canonicalized_input_signature, MESSAGE, ONE, StructuredValue)     \
    F(M,  4, output_signature, MESSAGE, ONE, StructuredValue)

/* ---- variable.proto -------------------------------------------------------- */

#define VariableDef_FIELDS(F, M)                                               \
    F(M,  1, variable_name, STRING, ONE, _)                                    \
    F(M,  2, initializer_name, STRING, ONE, _)                                 \
    F(M,  3, snapshot_name, STRING, ONE, _)                                    \
    F(M,  4, save_slice_info_def, MESSAGE, ONE, SaveSliceInfoDef)              \
    F(M,  5, is_resource, BOOL, ONE, _)                                        \
    F(M,  6, initial_value_name, STRING, ONE, _)                               \
    F(M,  7, trainable, BOOL, ONE, _)                                          \
    F(M,  8, synchronization, ENUM, ONE, VariableSynchronization)              \
    F(M,  9, aggregation, ENUM, ONE, VariableAggregation)

#define SaveSliceInfoDef_FIELDS(F, M)                                          \
    F(M,  1, full_name, STRING, ONE, _)                                        \
    F(M,  2, full_shape, INT64, MANY, _)                                       \
    F(M,  3, var_offset, INT64, MANY, _)                                       \
    F(M,  4, var_shape, INT64, MANY, _)

/* clang-format on */

#endif
