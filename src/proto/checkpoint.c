/*
 * checkpoint.c - decoders for tensor_bundle.proto, tensor_slice.proto and
 * saved_tensor_slice.proto.
 */
#include "proto/checkpoint.h"

#include "proto/graph.h"

void tfp_bundle_header_read(tfp_wire *w, tfp_bundle_header *out)
{
    tfp_field f;
    *out = (tfp_bundle_header){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case BundleHeaderProto_num_shards:
            out->num_shards = tfp_int32(&f);
            break;
        case BundleHeaderProto_endianness:
            out->endianness = tfp_int32(&f);
            break;
        case BundleHeaderProto_version: {
            tfp_wire inner = tfp_wire_enter(w, &f);
            tfp_version_def versions;
            tfp_version_def_read(&inner, &versions);
            tfp_wire_leave(&inner);
            out->producer = versions.producer;
            out->min_consumer = versions.min_consumer;
            break;
        }
        default: tfp_wire_check(w, &f, &tfp_BundleHeaderProto); break;
        }
    }
}

void tfp_bundle_entry_read(tfp_wire *w, tfp_bundle_entry *out)
{
    tfp_field f;
    *out = (tfp_bundle_entry){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case BundleEntryProto_dtype: out->dtype = tfp_int32(&f); break;
        case BundleEntryProto_shape:
            tfp_wire_keep_last(w, &out->shape, &f, &tfp_BundleEntryProto);
            break;
        case BundleEntryProto_shard_id: out->shard_id = tfp_int32(&f); break;
        case BundleEntryProto_offset: out->offset = tfp_int64(&f); break;
        case BundleEntryProto_size: out->size = tfp_int64(&f); break;
        case BundleEntryProto_crc32c: out->crc32c = (uint32_t)f.value; break;
        case BundleEntryProto_slices:
            tfp_repeated_add(&out->slices, w, &f);
            break;
        default: tfp_wire_check(w, &f, &tfp_BundleEntryProto); break;
        }
    }
}

static void extent_read(tfp_wire *w, tfp_extent *out)
{
    tfp_field f;
    *out = (tfp_extent){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case TensorSliceProto_Extent_start: out->start = tfp_int64(&f); break;
        case TensorSliceProto_Extent_length:
            out->length = tfp_int64(&f);
            out->has_length = true;
            break;
        default: tfp_wire_check(w, &f, &tfp_TensorSliceProto_Extent); break;
        }
    }
}

bool tfp_slice_next(tfp_wire *w, tfp_extent *out)
{
    tfp_field f;
    while (tfp_wire_next(w, &f)) {
        tfp_wire inner;
        if (f.tag != TensorSliceProto_extent) {
            tfp_wire_check(w, &f, &tfp_TensorSliceProto);
            continue;
        }
        inner = tfp_wire_enter(w, &f);
        extent_read(&inner, out);
        tfp_wire_leave(&inner);
        return tfp_record_ok(w->record);
    }
    return false;
}

void tfp_saved_slices_read(tfp_wire *w, tfp_saved_slices *out)
{
    tfp_field f;
    *out = (tfp_saved_slices){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case SavedTensorSlices_meta:
            tfp_wire_keep_last(w, &out->meta, &f, &tfp_SavedTensorSlices);
            break;
        case SavedTensorSlices_data:
            tfp_wire_keep_last(w, &out->data, &f, &tfp_SavedTensorSlices);
            break;
        default: tfp_wire_check(w, &f, &tfp_SavedTensorSlices); break;
        }
    }
}

void tfp_slice_meta_read(tfp_wire *w, tfp_slice_meta *out)
{
    tfp_field f;
    *out = (tfp_slice_meta){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case SavedSliceMeta_name: out->name = f.bytes; break;
        case SavedSliceMeta_shape:
            tfp_wire_keep_last(w, &out->shape, &f, &tfp_SavedSliceMeta);
            break;
        case SavedSliceMeta_type: out->dtype = tfp_int32(&f); break;
        case SavedSliceMeta_slice: tfp_repeated_add(&out->slices, w, &f); break;
        default: tfp_wire_check(w, &f, &tfp_SavedSliceMeta); break;
        }
    }
}

void tfp_saved_slice_read(tfp_wire *w, tfp_field *data)
{
    tfp_field f;
    *data = (tfp_field){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == SavedSlice_data)
            tfp_wire_keep_last(w, data, &f, &tfp_SavedSlice);
        else
            tfp_wire_check(w, &f, &tfp_SavedSlice);
    }
}
