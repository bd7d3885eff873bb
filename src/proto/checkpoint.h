/*
 * checkpoint.h - decoders for tensor_bundle.proto, tensor_slice.proto and
 * saved_tensor_slice.proto.
 */
#ifndef TFP_PROTO_CHECKPOINT_H
#define TFP_PROTO_CHECKPOINT_H

#include "base/bytes.h"
#include "proto/wire.h"

typedef struct tfp_bundle_header {
    int32_t num_shards;
    int32_t endianness; /* 0 little, 1 big */
    int32_t producer, min_consumer;
} tfp_bundle_header;

void tfp_bundle_header_read(tfp_wire *w, tfp_bundle_header *out);

typedef struct tfp_bundle_entry {
    int32_t dtype;
    tfp_field shape; /* tag 0 when absent: a scalar's */
    int32_t shard_id;
    int64_t offset, size;
    uint32_t crc32c;
    tfp_repeated slices; /* BundleEntryProto_slices */
} tfp_bundle_entry;

void tfp_bundle_entry_read(tfp_wire *w, tfp_bundle_entry *out);

/* One dimension of a slice. */
typedef struct tfp_extent {
    int64_t start, length;
    bool has_length; /* else it is the whole dimension */
} tfp_extent;

/* The next extent of a TensorSliceProto; false at the end. */
bool tfp_slice_next(tfp_wire *w, tfp_extent *out);

/* The metadata, or the slice, inside a SavedTensorSlices; tag 0 if absent. */
typedef struct tfp_saved_slices {
    tfp_field meta, data;
} tfp_saved_slices;

void tfp_saved_slices_read(tfp_wire *w, tfp_saved_slices *out);

typedef struct tfp_slice_meta {
    tfp_span name;
    tfp_field shape; /* tag 0 when absent */
    int32_t dtype;
    tfp_repeated slices; /* SavedSliceMeta_slice */
} tfp_slice_meta;

void tfp_slice_meta_read(tfp_wire *w, tfp_slice_meta *out);

/* The TensorProto of a SavedSlice; tag 0 when absent. */
void tfp_saved_slice_read(tfp_wire *w, tfp_field *data);

#endif
