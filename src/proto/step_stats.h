/*
 * step_stats.h - decoders for step_stats.proto and what it includes.
 */
#ifndef TFP_PROTO_STEP_STATS_H
#define TFP_PROTO_STEP_STATS_H

#include "base/bytes.h"
#include "proto/wire.h"

/* Later files repeat the times in nanoseconds; tfprof counts microseconds. */
typedef struct tfp_node_exec_stats {
    tfp_span node_name;
    int64_t all_start, op_end_rel, scheduled;
    tfp_repeated memory;  /* NodeExecStats_memory */
    tfp_repeated outputs; /* NodeExecStats_output */
    int64_t temp, persistent, device_temp, device_persistent;
} tfp_node_exec_stats;

void tfp_node_exec_stats_read(tfp_wire *w, tfp_node_exec_stats *out);

typedef struct tfp_allocator_memory {
    tfp_span allocator;
    int64_t total, peak, live, in_use;
    tfp_repeated records; /* AllocatorMemoryUsed_allocation_records */
} tfp_allocator_memory;

void tfp_allocator_memory_read(tfp_wire *w, tfp_allocator_memory *out);

typedef struct tfp_allocation_record {
    int64_t micros, bytes;
} tfp_allocation_record;

void tfp_allocation_record_read(tfp_wire *w, tfp_allocation_record *out);

/* NodeOutput with the TensorDescription inside. */
typedef struct tfp_node_output {
    int32_t slot, dtype;
    bool has_tensor, has_allocation;
    tfp_field shape; /* tag 0 when absent; not looked into yet */
    int64_t requested, allocated;
    uint64_t address;
} tfp_node_output;

void tfp_node_output_read(tfp_wire *w, tfp_node_output *out);

#endif
