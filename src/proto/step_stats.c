/*
 * step_stats.c - decoders for step_stats.proto and what it includes.
 */
#include "proto/step_stats.h"

static void memory_stats_read(tfp_wire *w, tfp_node_exec_stats *out)
{
    tfp_field f;
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case MemoryStats_temp_memory_size: out->temp = tfp_int64(&f); break;
        case MemoryStats_persistent_memory_size:
            out->persistent = tfp_int64(&f);
            break;
        case MemoryStats_device_temp_memory_size:
            out->device_temp = tfp_int64(&f);
            break;
        case MemoryStats_device_persistent_memory_size:
            out->device_persistent = tfp_int64(&f);
            break;
        default: tfp_wire_check(w, &f, &tfp_MemoryStats); break;
        }
    }
}

void tfp_node_exec_stats_read(tfp_wire *w, tfp_node_exec_stats *out)
{
    tfp_field f;
    *out = (tfp_node_exec_stats){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case NodeExecStats_node_name: out->node_name = f.bytes; break;
        case NodeExecStats_all_start_micros:
            out->all_start = tfp_int64(&f);
            break;
        case NodeExecStats_op_end_rel_micros:
            out->op_end_rel = tfp_int64(&f);
            break;
        case NodeExecStats_memory: tfp_repeated_add(&out->memory, w, &f); break;
        case NodeExecStats_output:
            tfp_repeated_add(&out->outputs, w, &f);
            break;
        case NodeExecStats_scheduled_micros:
            out->scheduled = tfp_int64(&f);
            break;
        case NodeExecStats_memory_stats: {
            tfp_wire inner = tfp_wire_enter(w, &f);
            memory_stats_read(&inner, out);
            tfp_wire_leave(&inner);
            break;
        }
        default: tfp_wire_check(w, &f, &tfp_NodeExecStats); break;
        }
    }
}

void tfp_allocator_memory_read(tfp_wire *w, tfp_allocator_memory *out)
{
    tfp_field f;
    *out = (tfp_allocator_memory){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case AllocatorMemoryUsed_allocator_name:
            out->allocator = f.bytes;
            break;
        case AllocatorMemoryUsed_total_bytes: out->total = tfp_int64(&f); break;
        case AllocatorMemoryUsed_peak_bytes: out->peak = tfp_int64(&f); break;
        case AllocatorMemoryUsed_live_bytes: out->live = tfp_int64(&f); break;
        case AllocatorMemoryUsed_allocator_bytes_in_use:
            out->in_use = tfp_int64(&f);
            break;
        case AllocatorMemoryUsed_allocation_records:
            tfp_repeated_add(&out->records, w, &f);
            break;
        default: break;
        }
    }
}

void tfp_allocation_record_read(tfp_wire *w, tfp_allocation_record *out)
{
    tfp_field f;
    *out = (tfp_allocation_record){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == AllocationRecord_alloc_micros)
            out->micros = tfp_int64(&f);
        else if (f.tag == AllocationRecord_alloc_bytes)
            out->bytes = tfp_int64(&f);
    }
}

static void allocation_read(tfp_wire *w, tfp_node_output *out)
{
    tfp_field f;
    out->has_allocation = true;
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case AllocationDescription_requested_bytes:
            out->requested = tfp_int64(&f);
            break;
        case AllocationDescription_allocated_bytes:
            out->allocated = tfp_int64(&f);
            break;
        case AllocationDescription_ptr: out->address = f.value; break;
        default: break;
        }
    }
}

static void tensor_description_read(tfp_wire *w, tfp_node_output *out)
{
    tfp_field f;
    out->has_tensor = true;
    while (tfp_wire_next(w, &f)) {
        tfp_wire inner;
        switch (f.tag) {
        case TensorDescription_dtype: out->dtype = tfp_int32(&f); break;
        case TensorDescription_shape:
            if (out->shape.tag != 0)
                tfp_wire_check(w, &out->shape, &tfp_TensorDescription);
            out->shape = f;
            break;
        case TensorDescription_allocation_description:
            inner = tfp_wire_enter(w, &f);
            allocation_read(&inner, out);
            tfp_wire_leave(&inner);
            break;
        default: break;
        }
    }
}

void tfp_node_output_read(tfp_wire *w, tfp_node_output *out)
{
    tfp_field f;
    *out = (tfp_node_output){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == NodeOutput_slot) {
            out->slot = tfp_int32(&f);
        } else if (f.tag == NodeOutput_tensor_description) {
            tfp_wire inner = tfp_wire_enter(w, &f);
            tensor_description_read(&inner, out);
            tfp_wire_leave(&inner);
        }
    }
}
