"""Graphs and what holds them, in protobuf's text format."""

# ---- Graphs ----------------------------------------------------------------

GRAPH = r"""
node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 3 } } } }
  attr { key: "_output_shapes" value { list {
    shape { dim { size: -1 } dim { size: 3 } } } } } }
node { name: "w" op: "VariableV2" device: "/job:ps/task:0/device:CPU:0"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } dim { size: 2 } } } }
  attr { key: "container" value { s: "" } } }
node { name: "w/read" op: "Identity" input: "w"
  device: "/job:ps/task:0/device:CPU:0"
  attr { key: "_class" value { list { s: "loc:@w" } } } }
node { name: "layer/MatMul" op: "MatMul" input: "x" input: "w/read"
  device: "/job:worker/task:0/device:GPU:0"
  attr { key: "transpose_a" value { b: false } }
  attr { key: "transpose_b" value { b: true } } }
node { name: "layer/axis" op: "Const"
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { }
    int_val: 1 } } } }
node { name: "layer/split" op: "Split" input: "layer/axis"
  input: "layer/MatMul:0" device: "/job:worker/task:0/device:GPU:0"
  attr { key: "num_split" value { i: 2 } } }
node { name: "layer/add" op: "AddV2" input: "layer/split"
  input: "layer/split:1" input: "^init" }
node { name: "init" op: "NoOp" input: "^w" input: "^x" }
versions { producer: 1882 min_consumer: 12 bad_consumers: 20 }
debug_info {
  files: "model.py" files: "train.py"
  frames_by_id { key: 7 value { file_index: 1 line: 12 func: "main" } }
  traces_by_id { key: 8 value { frame_id: 7 } }
  traces { key: "layer/add@" value { file_line_cols {
    file_index: 0 line: 40 col: 4 func: "call" code: "return a + b" } } }
  name_to_trace_id { key: "layer/MatMul" value: 8 }
}
"""

# Every kind of attribute and of tensor.
ATTRIBUTES = r"""
node { name: "all" op: "Everything"
  attr { key: "i" value { i: -9223372036854775808 } }
  attr { key: "f" value { f: -1.5e-42 } }
  attr { key: "s" value { s: "bytes \000\377 \"quoted\"\n" } }
  attr { key: "t" value { type: DT_BFLOAT16 } }
  attr { key: "p" value { placeholder: "T" } }
  attr { key: "rank" value { shape { unknown_rank: true } } }
  attr { key: "func" value { func { name: "body"
    attr { key: "T" value { type: DT_HALF } } } } }
  attr { key: "ls" value { list { s: "a" s: "" } } }
  attr { key: "li" value { list { i: 1 i: -2 i: 300 } } }
  attr { key: "lf" value { list { f: 0.5 f: inf f: nan } } }
  attr { key: "lb" value { list { b: true b: false } } }
  attr { key: "lt" value { list { type: DT_FLOAT type: DT_RESOURCE } } }
  attr { key: "lsh" value { list { shape { dim { size: 2 name: "n" } }
    shape { } } } }
  attr { key: "lten" value { list { tensor { dtype: DT_BOOL bool_val: true }
    } } }
  attr { key: "lfunc" value { list { func { name: "cond" } } } }
  experimental_debug_info { original_node_names: "before"
    original_func_names: "f" }
  experimental_type { type_id: TFT_PRODUCT args { type_id: TFT_TENSOR
    args { type_id: TFT_FLOAT } } }
}
node { name: "float" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_FLOAT tensor_shape { dim { size: 2 } dim { size: 2 } }
  tensor_content: "\000\000\200?\000\000\000@\000\000@@\000\000\200@" } } } }
node { name: "fill" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_DOUBLE tensor_shape { dim { size: 100 } } double_val: 0.1 } } } }
node { name: "long" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_INT64 tensor_shape { dim { size: 3 } } int64_val: 1
  int64_val: -1 int64_val: 1099511627776 } } } }
node { name: "string" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "one"
  string_val: "two" } } } }
node { name: "half" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_HALF tensor_shape { dim { size: 2 } } half_val: 15360
  half_val: 16384 } } } }
node { name: "complex" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_COMPLEX64 scomplex_val: 1 scomplex_val: -1 } } } }
node { name: "unsigned" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_UINT64 tensor_shape { dim { size: 1 } }
  uint64_val: 18446744073709551615 } } } }
node { name: "handle" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_RESOURCE resource_handle_val { device: "/device:CPU:0"
  container: "c" name: "n" hash_code: 5 maybe_type_name: "Var"
  dtypes_and_shapes { dtype: DT_FLOAT shape { dim { size: 4 } } } } } } } }
node { name: "variant" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_VARIANT variant_val { type_name: "list" metadata: "\001"
  tensors { dtype: DT_FLOAT float_val: 3 } } } } } }
versions { producer: 2474 }
"""

FUNCTIONS = r"""
node { name: "n" op: "Const" attr { key: "value" value { tensor {
  dtype: DT_INT32 int_val: 10 } } } }
node { name: "while" op: "StatelessWhile" input: "n"
  device: "/device:GPU:0"
  attr { key: "cond" value { func { name: "while_cond" } } }
  attr { key: "body" value { func { name: "while_body" } } } }
library {
  function {
    signature { name: "while_cond"
      input_arg { name: "i" type: DT_INT32 }
      output_arg { name: "go" type: DT_BOOL } }
    node_def { name: "zero" op: "Const" attr { key: "value" value { tensor {
      dtype: DT_INT32 int_val: 0 } } } }
    node_def { name: "more" op: "Greater" input: "i" input: "zero:output:0" }
    ret { key: "go" value: "more:z:0" }
  }
  function {
    signature { name: "while_body"
      input_arg { name: "i" type: DT_INT32 handle_data { dtype: DT_FLOAT
        shape { dim { size: 2 } } } }
      output_arg { name: "next" type_attr: "T" }
      attr { name: "T" type: "type" default_value { type: DT_INT32 }
        allowed_values { list { type: DT_INT32 type: DT_INT64 } } }
      control_output: "said" is_stateful: true
      description: "one less" }
    node_def { name: "one" op: "Const" device: "/device:CPU:0"
      attr { key: "value" value { tensor { dtype: DT_INT32 int_val: 1 } } } }
    node_def { name: "less" op: "Sub" input: "i" input: "one:output:0"
      device: "/device:GPU:0" }
    node_def { name: "print" op: "PrintV2" input: "less:z:0" input: "^one" }
    ret { key: "next" value: "less:z:0" }
    control_ret { key: "said" value: "print" }
    attr { key: "_noinline" value { b: true } }
    arg_attr { key: 0 value { attr { key: "_user_specified_name"
      value { s: "i" } } } }
    resource_arg_unique_id { key: 0 value: 3 }
  }
  gradient { function_name: "while_body" gradient_func: "while_body_grad" }
  registered_gradients { gradient_func: "g" registered_op_type: "Op" }
}
versions { producer: 1994 }
"""

# Well formed, and yet: a name twice, two inputs that lead nowhere, no name.
# The form is one that TensorFlow reads but never writes.
ODD_GRAPH = """
# a comment, with a { brace and a "quote
node: < name: 'a' op: "Co" 'nst'; attr: [ { key: "dtype", value <
  type: 0x1 > }, { key: 'again' value { f: -.5e1 } } ] >,
node { name: "b" op: "Identity" input: [ "a", "nowhere", "^a", "a:7" ] }
node { name: "a" op: "Duplicate" input: "b" }
node { }
node { name: "caf\\303\\251" op: "\\x4eoOp" input: "" input: ":0" input: "^" }
version: 21
versions { producer: 021 }
"""
ODD_COUNTS = {"duplicate_nodes": 1, "dropped_edges": 2}

# Fields of a TensorFlow to come: a number, bytes, and a group with a number.
NEWER_BYTES = (b"\x98\x06\x01" b"\xa2\x06\x03new" b"\xab\x06\x08\x01\xac\x06")
NEWER_TEXT = """
newer_number: 12 newer_text: "a" 'b' newer_list: [ 1, 2 ]
newer { inside { x: 1 } y: "}" } 777: 3
"""

# ---- TF1: a meta graph -----------------------------------------------------

# The bytes are VariableDef: variable_name, initializer_name, snapshot_name.
META_GRAPH = r"""
meta_info_def {
  meta_graph_version: "v1"
  stripped_op_list { op { name: "Identity"
    input_arg { name: "input" type_attr: "T" }
    output_arg { name: "output" type_attr: "T" }
    attr { name: "T" type: "type" has_minimum: true minimum: 1 }
    deprecation { version: 8 explanation: "old" } } }
  any_info { type_url: "type.googleapis.com/a.B" value: "\010\001" }
  tags: "train" tags: "gpu"
  tensorflow_version: "1.15.0" tensorflow_git_version: "v1.15.0-rc3"
  stripped_default_attrs: true
  function_aliases { key: "f" value: "g" }
}
graph_def {
  node { name: "w" op: "VarHandleOp" device: "/device:CPU:0" }
  node { name: "b" op: "VarHandleOp" }
  node { name: "w/read" op: "ReadVariableOp" input: "w" }
  node { name: "train" op: "NoOp" input: "^w/read" }
  versions { producer: 134 }
}
saver_def { filename_tensor_name: "save/Const:0" save_tensor_name: "save:0"
  restore_op_name: "save/restore_all" max_to_keep: 5 sharded: true
  keep_checkpoint_every_n_hours: 10000 version: V2 }
collection_def { key: "trainable_variables" value { bytes_list {
  value: "\n\003w:0\022\010w/Assign\032\010w/read:0"
  value: "\n\003b:0\022\010b/Assign8\001" } } }
collection_def { key: "variables" value { bytes_list {
  value: "\n\003w:0" value: "\n\003b:0" value: "\n\004gs:0" } } }
collection_def { key: "train_op" value { node_list { value: "train" } } }
collection_def { key: "numbers" value { int64_list { value: 1 value: -1 } } }
collection_def { key: "floats" value { float_list { value: 0.25 } } }
collection_def { key: "any" value { any_list { value {
  type_url: "type.googleapis.com/a.C" } } } }
signature_def { key: "serving_default" value {
  inputs { key: "x" value { name: "x:0" dtype: DT_FLOAT
    tensor_shape { dim { size: -1 } } } }
  inputs { key: "sparse" value { dtype: DT_INT64 coo_sparse {
    values_tensor_name: "v:0" indices_tensor_name: "i:0"
    dense_shape_tensor_name: "s:0" } } }
  outputs { key: "y" value { name: "y:0" dtype: DT_FLOAT
    tensor_shape { unknown_rank: true } } }
  method_name: "tensorflow/serving/predict"
  defaults { key: "x" value { dtype: DT_FLOAT float_val: 0 } } } }
asset_file_def { tensor_info { name: "vocab:0" dtype: DT_STRING }
  filename: "vocab.txt" }
"""

# ---- TF2: a SavedModel of two meta graphs ----------------------------------

SAVED_MODEL = r"""
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" tensorflow_version: "2.21.0"
    tensorflow_git_version: "v2.21.0" }
  graph_def {
    node { name: "serving_x" op: "Placeholder" }
    node { name: "call" op: "StatefulPartitionedCall" input: "serving_x"
      attr { key: "f" value { func { name: "__inference_call_7" } } } }
    library { function {
      signature { name: "__inference_call_7"
        input_arg { name: "x" type: DT_FLOAT }
        input_arg { name: "unknown" type: DT_RESOURCE }
        output_arg { name: "identity" type: DT_FLOAT } }
      node_def { name: "MatMul/ReadVariableOp" op: "ReadVariableOp"
        input: "unknown" device: "/device:CPU:0" }
      node_def { name: "MatMul" op: "MatMul" input: "x"
        input: "MatMul/ReadVariableOp:value:0" }
      node_def { name: "Identity" op: "Identity" input: "MatMul:product:0"
        input: "^MatMul/ReadVariableOp" }
      ret { key: "identity" value: "Identity:output:0" } } }
    versions { producer: 2474 min_consumer: 12 }
  }
  signature_def { key: "serving_default" value {
    inputs { key: "x" value { name: "serving_x:0" dtype: DT_FLOAT } }
    outputs { key: "y" value { name: "call:0" dtype: DT_FLOAT } } } }
  signature_def { key: "__saved_model_init_op" value {
    outputs { key: "op" value { name: "NoOp" } } } }
  object_graph_def {
    nodes { children { node_id: 1 local_name: "kernel" }
      children { node_id: 2 local_name: "call" }
      slot_variables { original_variable_node_id: 1 slot_name: "m"
        slot_variable_node_id: 3 }
      user_object { identifier: "_tf_keras_network"
        version { producer: 2 min_consumer: 1 } metadata: "{}" } }
    nodes { variable { dtype: DT_FLOAT trainable: true name: "dense/kernel"
      shape { dim { size: 3 } dim { size: 2 } }
      synchronization: VARIABLE_SYNCHRONIZATION_ON_READ
      aggregation: VARIABLE_AGGREGATION_MEAN } }
    nodes { function { concrete_functions: "__inference_call_7"
      function_spec { fullargspec { named_tuple_value { name: "Spec"
        values { key: "args" value { list_value { values {
          string_value: "self" } values { none_value { } } } } } } }
        is_method: true jit_compile: ON } } }
    nodes { variable { dtype: DT_FLOAT name: "m" shape { } } }
    nodes { variable { dtype: DT_INT64 trainable: true name: "steps"
      shape { } experimental_distributed_variable_components {
        name: "part" dtype: DT_INT64 } } }
    nodes { constant { operation: "Const" } }
    nodes { asset { asset_file_def_index: 0 } }
    nodes { resource { device: "/device:CPU:0" } }
    nodes { captured_tensor { name: "c" concrete_function: "f" }
      saveable_objects { key: "VARIABLE_VALUE" value { save_function: 2
        restore_function: 3 } } }
    nodes { bare_concrete_function { concrete_function_name: "f"
      argument_keywords: "x" allowed_positional_arguments: 1 } }
    concrete_functions { key: "__inference_call_7" value {
      bound_inputs: 1 bound_inputs: 4
      canonicalized_input_signature { tuple_value { values {
        tensor_spec_value { name: "x" shape { dim { size: -1 } }
          dtype: DT_FLOAT } } values { dict_value { fields { key: "k"
          value { float64_value: 2.5 } } } } } }
      output_signature { bounded_tensor_spec_value { name: "y"
        dtype: DT_FLOAT minimum { dtype: DT_FLOAT float_val: 0 } } } } }
  }
}
meta_graphs {
  meta_info_def { tags: "serve" tags: "gpu" tensorflow_version: "2.21.0" }
  graph_def { node { name: "x" op: "Placeholder" device: "/device:GPU:0" }
    versions { producer: 2474 } }
  signature_def { key: "serving_default" value { method_name: "predict" } }
}
"""
