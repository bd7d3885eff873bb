/*
 * fields_checkpoint.h - fields of checkpoints: what the values of their tables
 * hold, and the file that names the latest one.
 *
 * How to read them: proto/schema.h. Held against the descriptors of TensorFlow
 * by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_FIELDS_CHECKPOINT_H
#define TFP_PROTO_FIELDS_CHECKPOINT_H

/* clang-format off */

#define TFP_CHECKPOINT_MESSAGES(D) \
    D(BundleHeaderProto, "tensorflow.BundleHeaderProto", PLAIN) \
    D(BundleEntryProto, "tensorflow.BundleEntryProto", PLAIN) \
    D(TensorSliceProto, "tensorflow.TensorSliceProto", PLAIN) \
    D(TensorSliceProto_Extent, "tensorflow.TensorSliceProto.Extent", PLAIN) \
    D(SavedTensorSlices, "tensorflow.SavedTensorSlices", PLAIN) \
    D(SavedTensorSliceMeta, "tensorflow.SavedTensorSliceMeta", PLAIN) \
    D(SavedSliceMeta, "tensorflow.SavedSliceMeta", PLAIN) \
    D(SavedSlice, "tensorflow.SavedSlice", PLAIN) \
    D(CheckpointState, "tensorflow.CheckpointState", STREAMED)

/* ---- tensor_bundle.proto --------------------------------------------------- */

#define BundleHeaderProto_FIELDS(F, M)                                         \
    F(M,  1, num_shards, INT32, ONE, _)                                        \
    F(M,  2, endianness, ENUM, ONE, BundleHeaderProto_Endianness)              \
    F(M,  3, version, MESSAGE, ONE, VersionDef)

#define BundleEntryProto_FIELDS(F, M)                                          \
    F(M,  1, dtype, ENUM, ONE, DataType)                                       \
    F(M,  2, shape, MESSAGE, ONE, TensorShapeProto)                            \
    F(M,  3, shard_id, INT32, ONE, _)                                          \
    F(M,  4, offset, INT64, ONE, _)                                            \
    F(M,  5, size, INT64, ONE, _)                                              \
    F(M,  6, crc32c, FIXED32, ONE, _)                                          \
    F(M,  7, slices, MESSAGE, MANY, TensorSliceProto)

/* ---- tensor_slice.proto ---------------------------------------------------- */

#define TensorSliceProto_FIELDS(F, M)                                          \
    F(M,  1, extent, MESSAGE, MANY, TensorSliceProto_Extent)

#define TensorSliceProto_Extent_FIELDS(F, M)                                   \
    F(M,  1, start, INT64, ONE, _)                                             \
    F(M,  2, length, INT64, ONEOF, _)

/* ---- saved_tensor_slice.proto ---------------------------------------------- */

#define SavedTensorSlices_FIELDS(F, M)                                         \
    F(M,  1, meta, MESSAGE, ONE, SavedTensorSliceMeta)                         \
    F(M,  2, data, MESSAGE, ONE, SavedSlice)

#define SavedTensorSliceMeta_FIELDS(F, M)                                      \
    F(M,  1, tensor, MESSAGE, MANY, SavedSliceMeta)                            \
    F(M,  2, versions, MESSAGE, ONE, VersionDef)

#define SavedSliceMeta_FIELDS(F, M)                                            \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, shape, MESSAGE, ONE, TensorShapeProto)                            \
    F(M,  3, type, ENUM, ONE, DataType)                                        \
    F(M,  4, slice, MESSAGE, MANY, TensorSliceProto)

#define SavedSlice_FIELDS(F, M)                                                \
    F(M,  1, name, STRING, ONE, _)                                             \
    F(M,  2, slice, MESSAGE, ONE, TensorSliceProto)                            \
    F(M,  3, data, MESSAGE, ONE, TensorProto)

/* ---- checkpoint_state.proto ------------------------------------------------ */

#define CheckpointState_FIELDS(F, M)                                           \
    F(M,  1, model_checkpoint_path, STRING, ONE, _)                            \
    F(M,  2, all_model_checkpoint_paths, STRING, MANY, _)                      \
    F(M,  3, all_model_checkpoint_timestamps, DOUBLE, MANY, _)                 \
    F(M,  4, last_preserved_timestamp, DOUBLE, ONE, _)

/* clang-format on */

#endif
