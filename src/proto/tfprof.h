/*
 * tfprof.h - decoders for tfprof_log.proto: op logs and profiles.
 */
#ifndef TFP_PROTO_TFPROF_H
#define TFP_PROTO_TFPROF_H

#include "base/bytes.h"
#include "proto/wire.h"

typedef struct tfp_op_log_entry {
    tfp_span name;
    int64_t float_ops;
    tfp_repeated types;    /* OpLogEntry_types */
    tfp_repeated code_def; /* OpLogEntry_code_def; several are one */
} tfp_op_log_entry;

void tfp_op_log_entry_read(tfp_wire *w, tfp_op_log_entry *out);

/* One frame. Files of 2017 and before hold the strings themselves. */
typedef struct tfp_code_trace {
    int64_t file_id, function_id, text_id;
    tfp_span file, function, text;
    int32_t line, function_line;
} tfp_code_trace;

void tfp_code_trace_read(tfp_wire *w, tfp_code_trace *out);

typedef struct tfp_profile_node {
    tfp_span name, op, device;
    int64_t float_ops;
    int64_t id;
    tfp_repeated inputs;         /* ProfileNode_inputs */
    tfp_repeated source_outputs; /* ProfileNode_src_output_index */
    tfp_repeated output_shapes;  /* ProfileNode_output_shapes */
    tfp_repeated shape;          /* ProfileNode_shape, packed or not */
    tfp_repeated types;          /* ProfileNode_op_types */
    tfp_repeated trace;          /* ProfileNode_trace; several are one */
    tfp_repeated attrs;          /* ProfileNode_attrs */
    tfp_repeated execs;          /* ProfileNode_execs */
} tfp_profile_node;

void tfp_profile_node_read(tfp_wire *w, tfp_profile_node *out);

/*
 * An attribute that tfprof puts into its profiles, for what a ProfileNode has
 * no field for: which inputs only order, which one of several outputs of one
 * node each input takes, and which inputs name no node. A list of integers,
 * two for each such input: its number, and the output of its source, -1 if it
 * only orders, -2 if there is no source.
 */
#define TFP_INPUTS_ATTR "_tfprof_inputs"
enum { TFP_INPUT_NO_SOURCE = -2 };

typedef struct tfp_exec_profile {
    int64_t run_count, all_start, latest_end;
    tfp_repeated accelerator; /* ExecProfile_accelerator_execs */
    tfp_repeated cpu;         /* ExecProfile_cpu_execs */
    tfp_repeated memory;      /* ExecProfile_memory_execs */
    tfp_repeated allocations; /* ExecProfile_allocations */
    tfp_repeated devices;     /* ExecProfile_devices */
} tfp_exec_profile;

void tfp_exec_profile_read(tfp_wire *w, tfp_exec_profile *out);

typedef struct tfp_exec_memory {
    int64_t micros;
    int64_t host_temp, host_persistent;
    int64_t accelerator_temp, accelerator_persistent;
    int64_t requested, peak, residual, output, in_use;
    tfp_repeated outputs; /* ExecMemory_output_memory */
} tfp_exec_memory;

void tfp_exec_memory_read(tfp_wire *w, tfp_exec_memory *out);

typedef struct tfp_memory_block {
    int64_t bytes;
    uint64_t address;
} tfp_memory_block;

void tfp_memory_block_read(tfp_wire *w, tfp_memory_block *out);

#endif
