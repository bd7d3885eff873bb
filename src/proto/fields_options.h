/*
 * fields_options.h - fields of the options that TensorFlow's profiler takes.
 *
 * How to read them: proto/schema.h. The program neither reads nor writes them:
 * the Python package has their classes from here. Held against the descriptors
 * of TensorFlow by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_OPTIONS_H
#define TFP_PROTO_FIELDS_OPTIONS_H

/* clang-format off */

#define TFP_OPTIONS_MESSAGES(D) \
    D(OptionsProto, "tensorflow.tfprof.OptionsProto", PLAIN) \
    D(AdvisorOptionsProto, "tensorflow.tfprof.AdvisorOptionsProto", PLAIN) \
    D(AdvisorOptionsProto_CheckersEntry, "tensorflow.tfprof.AdvisorOptionsProto.CheckersEntry", \
      MAP_ENTRY) \
    D(AdvisorOptionsProto_CheckerOption, "tensorflow.tfprof.AdvisorOptionsProto.CheckerOption", \
      PLAIN) \
    D(AdvisorOptionsProto_CheckerOption_OptionsEntry, "tensorflow.tfprof.AdvisorOptionsProto.CheckerOption.OptionsEntry", \
      MAP_ENTRY)

/* ---- tfprof_options.proto -------------------------------------------------- */

#define OptionsProto_FIELDS(F, M)                                              \
    F(M,  1, max_depth, INT64, ONE, _)                                         \
    F(M,  2, min_bytes, INT64, ONE, _)                                         \
    F(M,  3, min_micros, INT64, ONE, _)                                        \
    F(M,  4, min_params, INT64, ONE, _)                                        \
    F(M,  5, min_float_ops, INT64, ONE, _)                                     \
    F(M,  7, order_by, STRING, ONE, _)                                         \
    F(M,  8, account_type_regexes, STRING, MANY, _)                            \
    F(M,  9, start_name_regexes, STRING, MANY, _)                              \
    F(M, 10, trim_name_regexes, STRING, MANY, _)                               \
    F(M, 11, show_name_regexes, STRING, MANY, _)                               \
    F(M, 12, hide_name_regexes, STRING, MANY, _)                               \
    F(M, 13, account_displayed_op_only, BOOL, ONE, _)                          \
    F(M, 14, select, STRING, MANY, _)                                          \
    F(M, 15, output, STRING, ONE, _)                                           \
    F(M, 16, dump_to_file, STRING, ONE, _)                                     \
    F(M, 17, min_occurrence, INT64, ONE, _)                                    \
    F(M, 18, step, INT64, ONE, _)                                              \
    F(M, 19, min_peak_bytes, INT64, ONE, _)                                    \
    F(M, 20, min_residual_bytes, INT64, ONE, _)                                \
    F(M, 21, min_output_bytes, INT64, ONE, _)                                  \
    F(M, 22, min_accelerator_micros, INT64, ONE, _)                            \
    F(M, 23, min_cpu_micros, INT64, ONE, _)

#define AdvisorOptionsProto_FIELDS(F, M)                                       \
    F(M,  1, checkers, MESSAGE, MANY, AdvisorOptionsProto_CheckersEntry)

#define AdvisorOptionsProto_CheckersEntry_FIELDS(F, M)                         \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, MESSAGE, ONE, AdvisorOptionsProto_CheckerOption)

#define AdvisorOptionsProto_CheckerOption_FIELDS(F, M)                         \
    F(M,  1, options, MESSAGE, MANY,                                           \
          AdvisorOptionsProto_CheckerOption_OptionsEntry)

#define AdvisorOptionsProto_CheckerOption_OptionsEntry_FIELDS(F, M)            \
    F(M,  1, key, STRING, ONE, _)                                              \
    F(M,  2, value, STRING, ONE, _)

/* clang-format on */

#endif
