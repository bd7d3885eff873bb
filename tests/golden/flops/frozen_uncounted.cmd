cat > frozen.pbtxt <<END
node { name: "image" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 8 }
    dim { size: 8 } dim { size: 3 } } } } }
node { name: "net/conv/kernel" op: "Const"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {
    dim { size: 3 } dim { size: 3 } dim { size: 3 } dim { size: 16 } } } } } }
node { name: "net/conv/read" op: "Identity" input: "net/conv/kernel"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/conv/Conv2D" op: "Conv2D" input: "image"
  input: "net/conv/read"
  attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "padding" value { s: "SAME" } }
  attr { key: "strides" value { list { i: 1 i: 2 i: 2 i: 1 } } } }
node { name: "net/relu/Relu" op: "Relu" input: "net/conv/Conv2D"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/pool/axes" op: "Const"
  attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {
    dim { size: 2 } } int_val: 1 int_val: 2 } } } }
node { name: "net/pool/Mean" op: "Mean" input: "net/relu/Relu"
  input: "net/pool/axes"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/odd" op: "MyOwnOp" input: "net/pool/Mean" }
END
tfprof flops frozen.pbtxt --batch -1 --uncounted
