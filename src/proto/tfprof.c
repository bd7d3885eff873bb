/*
 * tfprof.c - decoders for tfprof_log.proto: op logs and profiles.
 */
#include "proto/tfprof.h"

void tfp_op_log_entry_read(tfp_wire *w, tfp_op_log_entry *out)
{
    tfp_field f;
    *out = (tfp_op_log_entry){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case OpLogEntry_name: out->name = f.bytes; break;
        case OpLogEntry_float_ops: out->float_ops = tfp_int64(&f); break;
        case OpLogEntry_types: tfp_repeated_add(&out->types, w, &f); break;
        case OpLogEntry_code_def:
            tfp_repeated_add(&out->code_def, w, &f);
            break;
        default: break;
        }
    }
}

void tfp_code_trace_read(tfp_wire *w, tfp_code_trace *out)
{
    tfp_field f;
    *out = (tfp_code_trace){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case CodeDef_Trace_file_id: out->file_id = tfp_int64(&f); break;
        case CodeDef_Trace_function_id: out->function_id = tfp_int64(&f); break;
        case CodeDef_Trace_line_id: out->text_id = tfp_int64(&f); break;
        case CodeDef_Trace_file: out->file = f.bytes; break;
        case CodeDef_Trace_function: out->function = f.bytes; break;
        case CodeDef_Trace_line: out->text = f.bytes; break;
        case CodeDef_Trace_lineno: out->line = tfp_int32(&f); break;
        case CodeDef_Trace_func_start_line:
            out->function_line = tfp_int32(&f);
            break;
        default: break;
        }
    }
}

void tfp_profile_node_read(tfp_wire *w, tfp_profile_node *out)
{
    tfp_field f;
    *out = (tfp_profile_node){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case ProfileNode_name: out->name = f.bytes; break;
        case ProfileNode_op: out->op = f.bytes; break;
        case ProfileNode_canonical_device: out->device = f.bytes; break;
        case ProfileNode_float_ops: out->float_ops = tfp_int64(&f); break;
        case ProfileNode_id: out->id = tfp_int64(&f); break;
        case ProfileNode_inputs: tfp_repeated_add(&out->inputs, w, &f); break;
        case ProfileNode_src_output_index:
            tfp_repeated_add(&out->source_outputs, w, &f);
            break;
        case ProfileNode_output_shapes:
            tfp_repeated_add(&out->output_shapes, w, &f);
            break;
        case ProfileNode_shape:
        case TFP_PACKED(ProfileNode_shape):
            tfp_repeated_add(&out->shape, w, &f);
            break;
        case ProfileNode_op_types: tfp_repeated_add(&out->types, w, &f); break;
        case ProfileNode_trace: tfp_repeated_add(&out->trace, w, &f); break;
        case ProfileNode_attrs: tfp_repeated_add(&out->attrs, w, &f); break;
        case ProfileNode_execs: tfp_repeated_add(&out->execs, w, &f); break;
        default: tfp_wire_check(w, &f, &tfp_ProfileNode); break;
        }
    }
}

void tfp_exec_profile_read(tfp_wire *w, tfp_exec_profile *out)
{
    tfp_field f;
    *out = (tfp_exec_profile){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case ExecProfile_run_count: out->run_count = tfp_int64(&f); break;
        case ExecProfile_all_start_micros:
            out->all_start = tfp_int64(&f);
            break;
        case ExecProfile_latest_end_micros:
            out->latest_end = tfp_int64(&f);
            break;
        case ExecProfile_accelerator_execs:
            tfp_repeated_add(&out->accelerator, w, &f);
            break;
        case ExecProfile_cpu_execs: tfp_repeated_add(&out->cpu, w, &f); break;
        case ExecProfile_memory_execs:
            tfp_repeated_add(&out->memory, w, &f);
            break;
        case ExecProfile_allocations:
            tfp_repeated_add(&out->allocations, w, &f);
            break;
        case ExecProfile_devices: tfp_repeated_add(&out->devices, w, &f); break;
        default: break;
        }
    }
}

void tfp_exec_memory_read(tfp_wire *w, tfp_exec_memory *out)
{
    tfp_field f;
    *out = (tfp_exec_memory){ 0 };
    while (tfp_wire_next(w, &f)) {
        switch (f.tag) {
        case ExecMemory_memory_micros: out->micros = tfp_int64(&f); break;
        case ExecMemory_host_temp_bytes: out->host_temp = tfp_int64(&f); break;
        case ExecMemory_host_persistent_bytes:
            out->host_persistent = tfp_int64(&f);
            break;
        case ExecMemory_accelerator_temp_bytes:
            out->accelerator_temp = tfp_int64(&f);
            break;
        case ExecMemory_accelerator_persistent_bytes:
            out->accelerator_persistent = tfp_int64(&f);
            break;
        case ExecMemory_requested_bytes: out->requested = tfp_int64(&f); break;
        case ExecMemory_peak_bytes: out->peak = tfp_int64(&f); break;
        case ExecMemory_residual_bytes: out->residual = tfp_int64(&f); break;
        case ExecMemory_output_bytes: out->output = tfp_int64(&f); break;
        case ExecMemory_allocator_bytes_in_use:
            out->in_use = tfp_int64(&f);
            break;
        case ExecMemory_output_memory:
            tfp_repeated_add(&out->outputs, w, &f);
            break;
        default: break;
        }
    }
}

void tfp_memory_block_read(tfp_wire *w, tfp_memory_block *out)
{
    tfp_field f;
    *out = (tfp_memory_block){ 0 };
    while (tfp_wire_next(w, &f)) {
        if (f.tag == Memory_bytes)
            out->bytes = tfp_int64(&f);
        else if (f.tag == Memory_ptr)
            out->address = f.value;
    }
}
