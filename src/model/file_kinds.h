/*
 * file_kinds.h - every kind of file that is known, and its name.
 *
 * What the bytes of a kind look like and how it is read: input/kind/kinds.c.
 */
#ifndef TFP_MODEL_FILE_KINDS_H
#define TFP_MODEL_FILE_KINDS_H

/* K(NAME, as it is printed) */
#define TFP_FILE_KINDS(K)                                                      \
    K(UNKNOWN, "unknown")                                                      \
    K(EMPTY, "empty")                                                          \
    K(SPECIAL, "special file")                                                 \
    K(GRAPH, "GraphDef")                                                       \
    K(SAVED_MODEL, "SavedModel")                                               \
    K(META_GRAPH, "MetaGraphDef")                                              \
    K(RUN_METADATA, "RunMetadata")                                             \
    K(OP_LOG, "OpLogProto")                                                    \
    K(PROFILE, "ProfileProto")                                                 \
    K(STEP_STATS, "StepStats")                                                 \
    K(CHECKPOINT, "checkpoint index")                                          \
    K(CHECKPOINT_V1, "checkpoint (V1)")                                        \
    K(CHECKPOINT_STATE, "checkpoint state")                                    \
    K(CHECKPOINT_DATA, "checkpoint data")                                      \
    K(XSPACE, "XSpace")                                                        \
    K(PPROF, "pprof profile")                                                  \
    K(HLO, "HloProto")                                                         \
    K(HLO_TEXT, "HLO text")                                                    \
    K(HLO_SNAPSHOT, "HLO snapshot text")                                       \
    K(KERAS_METADATA, "Keras metadata")                                        \
    K(KERAS, "Keras archive")                                                  \
    K(ONNX, "ONNX model")                                                      \
    K(TFLITE, "TFLite model")                                                  \
    K(HDF5, "HDF5 file")                                                       \
    K(ZIP, "zip archive")                                                      \
    K(PYTORCH, "PyTorch checkpoint")                                           \
    K(SAFETENSORS, "safetensors file")                                         \
    K(ORBAX, "Orbax checkpoint")                                               \
    K(EVENTS, "event file")                                                    \
    K(CHROME_TRACE, "Chrome trace")                                            \
    K(JSON, "JSON text")                                                       \
    K(NESTED_GZIP, "gzip inside gzip")

#define TFP_FILE_KIND(name, text) TFP_FILE_##name,
typedef enum tfp_file_kind {
    TFP_FILE_KINDS(TFP_FILE_KIND) TFP_FILE_KIND_COUNT
} tfp_file_kind;
#undef TFP_FILE_KIND

/* For printing. */
const char *tfp_file_kind_name(tfp_file_kind kind);

#endif
