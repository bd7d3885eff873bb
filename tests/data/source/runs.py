"""Runs, logs and profiles, in protobuf's text format."""

# ---- What a session measured -----------------------------------------------

RUN_METADATA = r"""
step_stats {
  dev_stats { device: "/job:worker/replica:0/task:0/device:CPU:0"
    node_stats { node_name: "x" all_start_micros: 1500000000000000
      op_start_rel_micros: 1 op_end_rel_micros: 4 all_end_rel_micros: 5
      memory { allocator_name: "cpu" total_bytes: 256 peak_bytes: 256
        live_bytes: 128 allocator_bytes_in_use: 4096
        allocation_records { alloc_micros: 1500000000000001 alloc_bytes: 256 }
        allocation_records { alloc_micros: 1500000000000003
          alloc_bytes: -256 } }
      output { slot: 0 tensor_description { dtype: DT_FLOAT
        shape { dim { size: 8 } dim { size: 3 } }
        allocation_description { requested_bytes: 96 allocated_bytes: 256
          allocator_name: "cpu" allocation_id: 3 has_single_reference: true
          ptr: 140000000000000 } } }
      timeline_label: "x = Placeholder()"
      scheduled_micros: 1499999999999990 thread_id: 17
      referenced_tensor { requested_bytes: 8 allocator_name: "cpu" }
      memory_stats { temp_memory_size: 64 persistent_memory_size: 32
        persistent_tensor_alloc_ids: 1 persistent_tensor_alloc_ids: 2 }
      all_start_nanos: 1500000000000000000 op_start_rel_nanos: 1000
      op_end_rel_nanos: 4000 all_end_rel_nanos: 5000
      scheduled_nanos: 1499999999999990000 }
    node_stats { node_name: "_SOURCE" all_start_micros: 1500000000000001
      all_end_rel_micros: 1 }
    thread_names { key: 17 value: "tf_Compute" }
    thread_names { key: 18 value: "main" } }
  dev_stats { device: "/job:worker/replica:0/task:0/device:GPU:0"
    node_stats { node_name: "layer/MatMul" all_start_micros: 1500000000000010
      op_end_rel_micros: 20 all_end_rel_micros: 22
      memory { allocator_name: "GPU_0_bfc" total_bytes: 512 peak_bytes: 768
        allocator_bytes_in_use: 1048576 }
      memory_stats { device_temp_memory_size: 1024
        device_persistent_memory_size: 2048
        device_persistent_tensor_alloc_ids: -1 } } }
  dev_stats { device: "/device:GPU:0/stream:all"
    node_stats { node_name: "layer/MatMul:MatMul"
      all_start_micros: 1500000000000012 op_end_rel_micros: 15
      all_end_rel_micros: 15 }
    node_stats { node_name: "edge_6_layer/split"
      all_start_micros: 1500000000000030 op_end_rel_micros: 2
      timeline_label: "MEMCPYDtoH" } }
  dev_stats { }
}
cost_graph {
  node { name: "x" device: "/device:CPU:0" id: 1 temporary_memory_size: 2
    input_info { preceding_node: 0 preceding_port: 1 }
    output_info { size: 96 alias_input_port: -1 dtype: DT_FLOAT
      shape { dim { size: 8 } } }
    control_input: 0 control_input: 2 compute_cost: 12 is_final: true }
  cost { cost: 1.5 dimension: "time" }
}
partition_graphs { node { name: "placed" op: "Const" }
  library { function { signature { name: "f" } } } }
function_graphs {
  partition_graphs { node { name: "p" op: "_Arg" } }
  pre_optimization_graph { node { name: "q" op: "Const" } }
  post_optimization_graph { versions { producer: 9 } } }
session_metadata { name: "session" version: 3 }
"""

STEP_STATS = r"""
dev_stats { device: "/device:CPU:0"
  node_stats { node_name: "a" all_start_micros: 100 op_end_rel_micros: 7 }
  node_stats { node_name: "b" all_start_micros: 107 op_end_rel_micros: 3
    output { tensor_description { dtype: DT_INT64 shape { } } } } }
dev_stats { device: "/device:TPU:0"
  node_stats { node_name: "a" all_start_micros: 101 op_end_rel_micros: 2 } }
"""

# A record of nobody, and one far in the past.
NAMELESS = r"""
dev_stats { node_stats { all_start_micros: 5 op_end_rel_micros: 1 }
  node_stats { node_name: "a" all_start_micros: -5 op_end_rel_micros: -1 } }
"""

# ---- Logs ------------------------------------------------------------------

OP_LOG = r"""
log_entries { name: "layer/MatMul" float_ops: 96
  types: "_trainable_variables" types: "dense"
  code_def {
    traces { file_id: 1 lineno: 12 function_id: 2 line_id: 3
      func_start_line: 10 }
    traces { file_id: 1 lineno: 40 function_id: 4 line_id: 5 } } }
log_entries { name: "layer/add" float_ops: 16 code_def {
  traces { file_id: 1 lineno: 12 function_id: 2 line_id: 3
    func_start_line: 10 } } }
log_entries { name: "w" types: "_trainable_variables" }
log_entries { name: "init" code_def { } }
id_to_string { key: 1 value: "/home/user/model.py" }
id_to_string { key: 2 value: "<module>" }
id_to_string { key: 3 value: "y = layer(x)" }
id_to_string { key: 4 value: "call" }
id_to_string { key: 5 value: "" }
"""

# Up to 2017 a trace held its strings: file in 1, function in 3, line in 4.
INLINE_LOG = r"""
log_entries { name: "layer/MatMul" float_ops: 96 types: "dense" }
"""
_TRACE = (b"\x0a\x08model.py" b"\x10\x0c" b"\x1a\x04main" b"\x22\x06y = 1;")
_ENTRY = (b"\x0a\x09layer/add" b"\x22" + bytes([len(_TRACE) + 2])
          + b"\x0a" + bytes([len(_TRACE)]) + _TRACE)
INLINE_BYTES = b"\x0a" + bytes([len(_ENTRY)]) + _ENTRY
INLINE_TEXT = r"""
log_entries { name: "layer/add" code_def { traces {
  file: "model.py" lineno: 12 function: "main" line: "y = 1;" } } }
"""

# Two of three strings are not in the file.
LOST_STRINGS = r"""
log_entries { name: "a" code_def { traces {
  file_id: 1 lineno: 3 function_id: 77 line_id: -1 } } }
id_to_string { key: 1 value: "a.py" }
"""

# ---- What tfprof writes of its own memory ----------------------------------

PROFILE = r"""
nodes { key: 0 value { name: "x" op: "Placeholder" id: 0
  output_shapes { key: 0 value { int64_values: -1 int64_values: 3 } } } }
nodes { key: 1 value { name: "w" op: "VariableV2" id: 1 shape: 3 shape: 2
  op_types: "_trainable_variables" op_types: "VariableV2"
  canonical_device: "/job:ps/task:0/device:CPU:0"
  host_device: "/job:ps/task:0"
  attrs { key: "dtype" value { type: DT_FLOAT } }
  execs { key: 0 value { run_count: 1 all_start_micros: 100
    latest_end_micros: 103 cpu_execs { key: "/job:ps/task:0/device:CPU:0"
      value { times { int64_values: 100 int64_values: 3 } } }
    devices: "/job:ps/task:0/device:CPU:0" } } } }
nodes { key: 5 value { name: "layer/MatMul" op: "MatMul" id: 5
  float_ops: 96 op_types: "MatMul"
  canonical_device: "/job:worker/task:0/device:GPU:0"
  inputs { key: 0 value: 0 } inputs { key: 1 value: 1 }
  inputs { key: 2 value: 9 }
  src_output_index { key: 1 value: 0 } src_output_index { key: 9 value: -1 }
  input_shapes { key: 0 value { int64_values: 8 int64_values: 3 } }
  output_shapes { key: 0 value { int64_values: 8 int64_values: 2 } }
  trace { traces { lineno: 12 file_id: 1 function_id: 2 line_id: 3
    func_start_line: 10 } }
  execs { key: 0 value { run_count: 2 all_start_micros: 110
    latest_end_micros: 150
    accelerator_execs { key: "/device:GPU:0/stream:all" value {
      times { int64_values: 112 int64_values: 15 }
      times { int64_values: 130 int64_values: 16 } } }
    cpu_execs { key: "/job:worker/task:0/device:GPU:0" value {
      times { int64_values: 110 int64_values: 4 } } }
    devices: "/job:worker/task:0/device:GPU:0"
    memory_execs { memory_micros: 111 host_temp_bytes: 1
      host_persistent_bytes: 2 accelerator_temp_bytes: 3
      accelerator_persistent_bytes: 4 requested_bytes: 512 peak_bytes: 512
      residual_bytes: 256 output_bytes: 64 allocator_bytes_in_use: 4096
      output_memory { key: 0 value { bytes: 64 ptr: 140000000000000 } } }
    allocations { alloc_micros: 111 alloc_bytes: 512 }
    allocations { alloc_micros: 149 alloc_bytes: -512 } } }
  execs { key: 7 value { run_count: 1 all_start_micros: 900
    latest_end_micros: 910 accelerator_execs {
      key: "/device:GPU:0/stream:all" value {
        times { int64_values: 901 int64_values: 9 } } } } } } }
nodes { key: 9 value { name: "init" op: "NoOp" id: 9 } }
has_trace: true
steps: 0 steps: 7
id_to_string { key: 1 value: "model.py" }
id_to_string { key: 2 value: "main" }
id_to_string { key: 3 value: "y = tf.matmul(x, w)" }
miss_accelerator_stream: false
"""
