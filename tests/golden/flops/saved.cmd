cat > saved_loop.pbtxt <<END
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" }
  graph_def {
    node { name: "serving_default_x" op: "Placeholder"
      attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shape" value { shape { dim { size: -1 } dim { size: 4 } } } } }
    node { name: "dense/kernel_1" op: "VarHandleOp"
      attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shared_name" value { s: "dense/kernel_1" } }
      attr { key: "shape" value { shape { dim { size: 4 } dim { size: 4 } } } } }
    node { name: "StatefulPartitionedCall" op: "StatefulPartitionedCall"
      input: "serving_default_x" input: "dense/kernel_1"
      attr { key: "Tin" value { list { type: DT_FLOAT type: DT_RESOURCE } } }
      attr { key: "Tout" value { list { type: DT_FLOAT } } }
      attr { key: "f" value { func { name: "call" } } } }
    library {
      function {
        signature { name: "call"
          input_arg { name: "x" type: DT_FLOAT }
          input_arg { name: "kernel" type: DT_RESOURCE }
          output_arg { name: "y" type: DT_FLOAT } }
        node_def { name: "model/dense/read" op: "ReadVariableOp" input: "kernel"
          attr { key: "dtype" value { type: DT_FLOAT } } }
        node_def { name: "model/dense/MatMul" op: "MatMul" input: "x"
          input: "model/dense/read:value:0"
          attr { key: "T" value { type: DT_FLOAT } } }
        node_def { name: "model/loop" op: "While"
          input: "model/dense/MatMul:product:0"
          attr { key: "T" value { list { type: DT_FLOAT } } }
          attr { key: "cond" value { func { name: "more" } } }
          attr { key: "body" value { func { name: "step" } } } }
        ret { key: "y" value: "model/loop:output:0" } }
      function {
        signature { name: "step" input_arg { name: "a" type: DT_FLOAT }
          output_arg { name: "b" type: DT_FLOAT } }
        node_def { name: "tanh" op: "Tanh" input: "a"
          attr { key: "T" value { type: DT_FLOAT } } }
        ret { key: "b" value: "tanh:y:0" } }
      function {
        signature { name: "more" input_arg { name: "a" type: DT_FLOAT }
          output_arg { name: "b" type: DT_BOOL } }
        node_def { name: "nan" op: "IsNan" input: "a"
          attr { key: "T" value { type: DT_FLOAT } } }
        node_def { name: "axes" op: "Const"
          attr { key: "dtype" value { type: DT_INT32 } }
          attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {
            dim { size: 2 } } int_val: 0 int_val: 1 } } } }
        node_def { name: "any" op: "Any" input: "nan:y:0" input: "axes:output:0" }
        ret { key: "b" value: "any:output:0" } }
    }
  }
  signature_def { key: "serving_default" value {
    inputs { key: "x" value { name: "serving_default_x:0" dtype: DT_FLOAT } }
    outputs { key: "y" value { name: "StatefulPartitionedCall:0" } } } }
  signature_def { key: "train" value {
    outputs { key: "y" value { name: "StatefulPartitionedCall:0" } } } }
  object_graph_def { nodes { variable { dtype: DT_FLOAT trainable: true
    name: "dense/kernel" shape { dim { size: 4 } dim { size: 4 } } } } }
}
END
tfprof flops saved_loop.pbtxt --batch 3
tfprof flops saved_loop.pbtxt --batch 3 --trips model/loop=10 --list types
