/*
 * fields_output.h - fields of the messages that answers are given as.
 *
 * How to read them: proto/schema.h. They are written and never read. Held
 * against the descriptors of TensorFlow by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_OUTPUT_H
#define TFP_PROTO_FIELDS_OUTPUT_H

/* clang-format off */

#define TFP_OUTPUT_MESSAGES(D) \
    D(GraphNodeProto, "tensorflow.tfprof.GraphNodeProto", PLAIN) \
    D(GraphNodeProto_InputShapesEntry, "tensorflow.tfprof.GraphNodeProto.InputShapesEntry", \
      MAP_ENTRY) \
    D(MultiGraphNodeProto, "tensorflow.tfprof.MultiGraphNodeProto", PLAIN) \
    D(TFProfTensorProto, "tensorflow.tfprof.TFProfTensorProto", PLAIN) \
    D(AdviceProto, "tensorflow.tfprof.AdviceProto", PLAIN) \
    D(AdviceProto_CheckersEntry, "tensorflow.tfprof.AdviceProto.CheckersEntry", \
      MAP_ENTRY) \
    D(AdviceProto_Checker, "tensorflow.tfprof.AdviceProto.Checker", PLAIN)

/* ---- tfprof_output.proto --------------------------------------------------- */

#define GraphNodeProto_FIELDS(F, M)                                            \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, exec_micros, INT64, ONE, _)                                       \
    F(M,  3, requested_bytes, INT64, ONE, _)                                   \
    F(M,  4, parameters, INT64, ONE, _)                                        \
    F(M,  6, total_exec_micros, INT64, ONE, _)                                 \
    F(M,  7, total_requested_bytes, INT64, ONE, _)                             \
    F(M,  8, total_parameters, INT64, ONE, _)                                  \
    F(M, 10, devices, STRING, MANY, _)                                         \
    F(M, 11, shapes, MESSAGE, MANY, TensorShapeProto)                          \
    F(M, 12, children, MESSAGE, MANY, GraphNodeProto)                          \
    F(M, 13, float_ops, INT64, ONE, _)                                         \
    F(M, 14, total_float_ops, INT64, ONE, _)                                   \
    F(M, 15, tensor_value, MESSAGE, ONE, TFProfTensorProto)                    \
    F(M, 16, input_shapes, MESSAGE, MANY, GraphNodeProto_InputShapesEntry)     \
    F(M, 17, accelerator_exec_micros, INT64, ONE, _)                           \
    F(M, 18, cpu_exec_micros, INT64, ONE, _)                                   \
    F(M, 19, total_accelerator_exec_micros, INT64, ONE, _)                     \
    F(M, 20, total_cpu_exec_micros, INT64, ONE, _)                             \
    F(M, 21, run_count, INT64, ONE, _)                                         \
    F(M, 22, total_run_count, INT64, ONE, _)                                   \
    F(M, 23, total_definition_count, INT64, ONE, _)                            \
    F(M, 24, peak_bytes, INT64, ONE, _)                                        \
    F(M, 25, residual_bytes, INT64, ONE, _)                                    \
    F(M, 26, output_bytes, INT64, ONE, _)                                      \
    F(M, 27, total_peak_bytes, INT64, ONE, _)                                  \
    F(M, 28, total_residual_bytes, INT64, ONE, _)                              \
    F(M, 29, total_output_bytes, INT64, ONE, _)

#define GraphNodeProto_InputShapesEntry_FIELDS(F, M)                           \
    F(M,  1, key, INT32, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, TensorShapeProto)

#define MultiGraphNodeProto_FIELDS(F, M)                                       \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, exec_micros, INT64, ONE, _)                                       \
    F(M,  3, requested_bytes, INT64, ONE, _)                                   \
    F(M,  4, parameters, INT64, ONE, _)                                        \
    F(M,  5, float_ops, INT64, ONE, _)                                         \
    F(M,  6, total_exec_micros, INT64, ONE, _)                                 \
    F(M,  7, total_requested_bytes, INT64, ONE, _)                             \
    F(M,  8, total_parameters, INT64, ONE, _)                                  \
    F(M,  9, total_float_ops, INT64, ONE, _)                                   \
    F(M, 10, graph_nodes, MESSAGE, MANY, GraphNodeProto)                       \
    F(M, 11, children, MESSAGE, MANY, MultiGraphNodeProto)                     \
    F(M, 12, accelerator_exec_micros, INT64, ONE, _)                           \
    F(M, 13, cpu_exec_micros, INT64, ONE, _)                                   \
    F(M, 14, total_accelerator_exec_micros, INT64, ONE, _)                     \
    F(M, 15, total_cpu_exec_micros, INT64, ONE, _)                             \
    F(M, 16, peak_bytes, INT64, ONE, _)                                        \
    F(M, 17, residual_bytes, INT64, ONE, _)                                    \
    F(M, 18, output_bytes, INT64, ONE, _)                                      \
    F(M, 19, total_peak_bytes, INT64, ONE, _)                                  \
    F(M, 20, total_residual_bytes, INT64, ONE, _)                              \
    F(M, 21, total_output_bytes, INT64, ONE, _)

#define TFProfTensorProto_FIELDS(F, M)                                         \
    F(M,  1, dtype, ENUM, ONE, DataType)                                       \
    F(M,  2, value_double, DOUBLE, MANY, _)                                    \
    F(M,  3, value_int64, INT64, MANY, _)                                      \
    F(M,  4, value_str, STRING, MANY, _)

#define AdviceProto_FIELDS(F, M)                                               \
    F(M,  1, checkers, MESSAGE, MANY, AdviceProto_CheckersEntry)

#define AdviceProto_CheckersEntry_FIELDS(F, M)                                 \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, AdviceProto_Checker)

#define AdviceProto_Checker_FIELDS(F, M)                                       \
    F(M,  2, reports, STRING, MANY, _)

/* clang-format on */

#endif
