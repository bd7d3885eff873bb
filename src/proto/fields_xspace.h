/*
 * fields_xspace.h - fields of traces: tsl/profiler/protobuf/xplane.proto.
 *
 * TensorFlow 2, Keras and JAX write them as *.xplane.pb.
 */
#ifndef TFP_PROTO_FIELDS_XSPACE_H
#define TFP_PROTO_FIELDS_XSPACE_H

/* clang-format off */

#define TFP_XSPACE_MESSAGES(D)                                                 \
    D(XSpace, "tensorflow.profiler.XSpace", STREAMED)                          \
    D(XPlane, "tensorflow.profiler.XPlane", STREAMED)                          \
    D(XLine, "tensorflow.profiler.XLine", STREAMED)                            \
    D(XEvent, "tensorflow.profiler.XEvent", PLAIN)                             \
    D(XStat, "tensorflow.profiler.XStat", PLAIN)                               \
    D(XEventMetadata, "tensorflow.profiler.XEventMetadata", PLAIN)             \
    D(XStatMetadata, "tensorflow.profiler.XStatMetadata", PLAIN)               \
    D(XPlane_EventMetadataEntry,                                               \
      "tensorflow.profiler.XPlane.EventMetadataEntry", MAP_ENTRY)              \
    D(XPlane_StatMetadataEntry,                                                \
      "tensorflow.profiler.XPlane.StatMetadataEntry", MAP_ENTRY)

#define XSpace_FIELDS(F, M)                                                    \
    F(M,  1, planes, MESSAGE, MANY, XPlane)                                    \
    F(M,  2, errors, STRING, MANY, _)                                          \
    F(M,  3, warnings, STRING, MANY, _)                                        \
    F(M,  4, hostnames, STRING, MANY, _)

#define XPlane_FIELDS(F, M)                                                    \
    F(M,  1, id, INT64, ONE, _)                                                \
    F(M,  2, name, STRING, ONE, _)                                             \
    F(M,  3, lines, MESSAGE, MANY, XLine)                                      \
    F(M,  4, event_metadata, MESSAGE, MANY, XPlane_EventMetadataEntry)         \
    F(M,  5, stat_metadata, MESSAGE, MANY, XPlane_StatMetadataEntry)           \
    F(M,  6, stats, MESSAGE, MANY, XStat)

#define XPlane_EventMetadataEntry_FIELDS(F, M)                                 \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, XEventMetadata)

#define XPlane_StatMetadataEntry_FIELDS(F, M)                                  \
    F(M,  1, key, INT64, ONE, _)                                               \
    F(M,  2, value, MESSAGE, ONE, XStatMetadata)

#define XLine_FIELDS(F, M)                                                     \
    F(M,  1, id, INT64, ONE, _)                                                \
    F(M,  2, name, STRING, ONE, _)                                             \
    F(M,  3, timestamp_ns, INT64, ONE, _)                                      \
    F(M,  4, events, MESSAGE, MANY, XEvent)                                    \
    F(M,  9, duration_ps, INT64, ONE, _)                                       \
    F(M, 10, display_id, INT64, ONE, _)                                        \
    F(M, 11, display_name, STRING, ONE, _)

#define XEvent_FIELDS(F, M)                                                    \
    F(M,  1, metadata_id, INT64, ONE, _)                                       \
    F(M,  2, offset_ps, INT64, ONEOF, _)                                       \
    F(M,  3, duration_ps, INT64, ONE, _)                                       \
    F(M,  4, stats, MESSAGE, MANY, XStat)                                      \
    F(M,  5, num_occurrences, INT64, ONEOF, _)

#define XStat_FIELDS(F, M)                                                     \
    F(M,  1, metadata_id, INT64, ONE, _)                                       \
    F(M,  2, double_value, DOUBLE, ONEOF, _)                                   \
    F(M,  3, uint64_value, UINT64, ONEOF, _)                                   \
    F(M,  4, int64_value, INT64, ONEOF, _)                                     \
    F(M,  5, str_value, STRING, ONEOF, _)                                      \
    F(M,  6, bytes_value, BYTES, ONEOF, _)                                     \
    F(M,  7, ref_value, UINT64, ONEOF, _)

#define XEventMetadata_FIELDS(F, M)                                            \
    F(M,  1, id, INT64, ONE, _)                                                \
    F(M,  2, name, STRING, ONE, _)                                             \
    F(M,  3, metadata, BYTES, ONE, _)                                          \
    F(M,  4, display_name, STRING, ONE, _)                                     \
    F(M,  5, stats, MESSAGE, MANY, XStat)                                      \
    F(M,  6, child_id, INT64, MANY, _)

#define XStatMetadata_FIELDS(F, M)                                             \
    F(M,  1, id, INT64, ONE, _)                                                \
    F(M,  2, name, STRING, ONE, _)                                             \
    F(M,  3, description, STRING, ONE, _)

/* clang-format on */

#endif
