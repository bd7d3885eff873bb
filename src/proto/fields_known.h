/*
 * fields_known.h - fields of files that are recognized but not read.
 *
 * Only the upper levels stand here, enough to tell one kind from another; of
 * pprof, which is written, all that the writer needs. Nested messages that end
 * the chain are plain bytes. Held against the descriptors of TensorFlow by
 * tests/cli/inputs/test_schema.py, ONNX excepted.
 */
#ifndef TFP_PROTO_FIELDS_KNOWN_H
#define TFP_PROTO_FIELDS_KNOWN_H

/* clang-format off */

#define TFP_KNOWN_MESSAGES(D) \
    D(PprofProfile, "tensorflow.tfprof.pprof.Profile", PLAIN) \
    D(PprofValueType, "tensorflow.tfprof.pprof.ValueType", PLAIN) \
    D(PprofSample, "tensorflow.tfprof.pprof.Sample", PLAIN) \
    D(PprofLabel, "tensorflow.tfprof.pprof.Label", PLAIN) \
    D(PprofLocation, "tensorflow.tfprof.pprof.Location", PLAIN) \
    D(PprofLine, "tensorflow.tfprof.pprof.Line", PLAIN) \
    D(PprofFunction, "tensorflow.tfprof.pprof.Function", PLAIN) \
    D(KerasMetadata, "third_party.tensorflow.python.keras.protobuf.SavedMetadata", PLAIN) \
    D(KerasObject, "third_party.tensorflow.python.keras.protobuf.SavedObject", PLAIN) \
    D(OnnxModel, "onnx.ModelProto", PLAIN) \
    D(OnnxGraph, "onnx.GraphProto", PLAIN) \
    D(OnnxNode, "onnx.NodeProto", PLAIN) \
    D(OnnxOpset, "onnx.OperatorSetIdProto", PLAIN)

#define PprofProfile_FIELDS(F, M)                                              \
    F(M,  1, sample_type, MESSAGE, MANY, PprofValueType)                       \
    F(M,  2, sample, MESSAGE, MANY, PprofSample)                               \
    F(M,  3, mapping, BYTES, MANY, _)                                          \
    F(M,  4, location, MESSAGE, MANY, PprofLocation)                           \
    F(M,  5, function, MESSAGE, MANY, PprofFunction)                           \
    F(M,  6, string_table, STRING, MANY, _)                                    \
    F(M,  7, drop_frames, INT64, ONE, _)                                       \
    F(M,  8, keep_frames, INT64, ONE, _)                                       \
    F(M,  9, time_nanos, INT64, ONE, _)                                        \
    F(M, 10, duration_nanos, INT64, ONE, _)                                    \
    F(M, 11, period_type, MESSAGE, ONE, PprofValueType)                        \
    F(M, 12, period, INT64, ONE, _)                                            \
    F(M, 13, comment, INT64, MANY, _)                                          \
    F(M, 14, default_sample_type, INT64, ONE, _)

#define PprofValueType_FIELDS(F, M)                                            \
    F(M,  1, type, INT64, ONE, _)                                              \
    F(M,  2, unit, INT64, ONE, _)

#define PprofSample_FIELDS(F, M)                                               \
    F(M,  1, location_id, UINT64, MANY, _)                                     \
    F(M,  2, value, INT64, MANY, _)                                            \
    F(M,  3, label, MESSAGE, MANY, PprofLabel)

#define PprofLabel_FIELDS(F, M)                                                \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, str, INT64, ONE, _)                                               \
    F(M,  3, num, INT64, ONE, _)

#define PprofLocation_FIELDS(F, M)                                             \
    F(M,  1, id, UINT64, ONE, _)                                               \
    F(M,  2, mapping_id, UINT64, ONE, _)                                       \
    F(M,  3, address, UINT64, ONE, _)                                          \
    F(M,  4, line, MESSAGE, MANY, PprofLine)

#define PprofLine_FIELDS(F, M)                                                 \
    F(M,  1, function_id, UINT64, ONE, _)                                      \
    F(M,  2, line, INT64, ONE, _)

#define PprofFunction_FIELDS(F, M)                                             \
    F(M,  1, id, UINT64, ONE, _)                                               \
    F(M,  2, name, INT64, ONE, _)                                              \
    F(M,  3, system_name, INT64, ONE, _)                                       \
    F(M,  4, filename, INT64, ONE, _)                                          \
    F(M,  5, start_line, INT64, ONE, _)

#define KerasMetadata_FIELDS(F, M)                                             \
    F(M,  1, nodes, MESSAGE, MANY, KerasObject)

#define KerasObject_FIELDS(F, M)                                               \
    F(M,  2, node_id, INT32, ONE, _)                                           \
    F(M,  3, node_path, STRING, ONE, _)                                        \
    F(M,  4, identifier, STRING, ONE, _)                                       \
    F(M,  5, metadata, STRING, ONE, _)                                         \
    F(M,  6, version, BYTES, ONE, _)

#define OnnxModel_FIELDS(F, M)                                                 \
    F(M,  1, ir_version, INT64, ONE, _)                                        \
    F(M,  2, producer_name, STRING, ONE, _)                                    \
    F(M,  3, producer_version, STRING, ONE, _)                                 \
    F(M,  4, domain, STRING, ONE, _)                                           \
    F(M,  5, model_version, INT64, ONE, _)                                     \
    F(M,  6, doc_string, STRING, ONE, _)                                       \
    F(M,  7, graph, MESSAGE, ONE, OnnxGraph)                                   \
    F(M,  8, opset_import, MESSAGE, MANY, OnnxOpset)                           \
    F(M, 14, metadata_props, BYTES, MANY, _)                                   \
    F(M, 20, training_info, BYTES, MANY, _)                                    \
    F(M, 25, functions, BYTES, MANY, _)

#define OnnxGraph_FIELDS(F, M)                                                 \
    F(M,  1, node, MESSAGE, MANY, OnnxNode)                                    \
    F(M,  2, name, STRING, ONE, _)                                             \
    F(M,  5, initializer, BYTES, MANY, _)                                      \
    F(M, 10, doc_string, STRING, ONE, _)                                       \
    F(M, 11, input, BYTES, MANY, _)                                            \
    F(M, 12, output, BYTES, MANY, _)                                           \
    F(M, 13, value_info, BYTES, MANY, _)

#define OnnxNode_FIELDS(F, M)                                                  \
    F(M,  1, input, STRING, MANY, _)                                           \
    F(M,  2, output, STRING, MANY, _)                                          \
    F(M,  3, name, STRING, ONE, _)                                             \
    F(M,  4, op_type, STRING, ONE, _)                                          \
    F(M,  5, attribute, BYTES, MANY, _)                                        \
    F(M,  6, doc_string, STRING, ONE, _)                                       \
    F(M,  7, domain, STRING, ONE, _)

#define OnnxOpset_FIELDS(F, M)                                                 \
    F(M,  1, domain, STRING, ONE, _)                                           \
    F(M,  2, version, INT64, ONE, _)

/* clang-format on */

#endif
