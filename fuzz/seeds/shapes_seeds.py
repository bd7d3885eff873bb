"""Seeds of the targets shapes and flops: small graphs, a few ops in each.

The heads are those of fuzz_shapes.c and fuzz_flops.c. A node is a line: its
op, its inputs, its attributes. Inputs are INPUTS below, constants (i:1,2 a
vector, s:3 a scalar) or earlier nodes of the line's graph (@0, @1:1).
"""

import pathlib
import re

from .encode import wire
from .samples import attr, shape

TABLES = pathlib.Path(__file__).resolve().parents[2] / "src" / "ops" / "table"

WALK, SIGNATURE, BATCH, GIVEN = 1, 2, 4, 8
FLOAT, INT32, INT64, BOOL, RESOURCE, VARIANT = 1, 3, 9, 10, 20, 21

# name -> type, dims (None: of unknown rank)
INPUTS = {
    "x": (FLOAT, (-1, 5, 6, 4)), "y": (FLOAT, (2, 5, 6, 4)),
    "v": (FLOAT, (2, 4, 5, 6, 3)), "a": (FLOAT, (3, 4)), "b": (FLOAT, (4, 5)),
    "m": (FLOAT, (2, 3, 3)), "c": (FLOAT, (4,)), "n": (INT32, (-1,)),
    "d": (INT32, (2, 3)), "p": (BOOL, ()), "u": (FLOAT, None),
    "f": (FLOAT, (3, 3, 4, 2)), "g": (FLOAT, (2, 2, 2, 3, 5)),
    "h": (FLOAT, (2, 5, 6, 2)),
}

GRAPHS = {
    "by_element": """AddV2 x c; Mul @0 u; Relu @1; Neg x; Less a a;
        Select p a a;
        SelectV2 p x c; Cast a DstT=9; Softmax a; Maximum x y; AddN a a N=2;
        Square @0; LogicalNot p; BiasAdd x c data_format=NHWC; Bitcast a type=4;
        SquaredDifference x x; Pow c c; Equal a b incompatible_shape_error=0""",
    "reductions": """Sum x i:1,2 keep_dims=1; Mean x i:-1; Max a n; Prod d i:0;
        ArgMax x s:3 output_type=3; Cumsum a s:0; TopKV2 a s:2; All p i:0;
        L2Loss x; UnsortedSegmentSum a n s:3; Bincount n s:4 c; Any p n;
        SegmentSum a n; EuclideanNorm x i:9""",
    "convolutions": """Conv2D x f strides=1,2,2,1 padding=SAME
        dilations=1,1,1,1; Conv2D y f strides=1,1,1,1 padding=EXPLICIT
        explicit_paddings=0,0,1,2,3,4,0,0; DepthwiseConv2dNative y f
        strides=1,1,1,1 padding=VALID; Conv3D v g strides=1,1,1,1,1
        padding=VALID; Conv2DBackpropInput i:2,5,6,4 f h strides=1,1,1,1
        padding=SAME; Conv2DBackpropFilter y i:3,3,4,2 h strides=1,1,1,1
        padding=SAME; Dilation2D x m strides=1,1,1,1 rates=1,1,1,1
        padding=SAME; Conv2D x f strides=1,1,0,1 padding=VALID
        data_format=NCHW; Conv3DBackpropInputV2 i:2,4,5,6,3 g v
        strides=1,1,1,1,1 padding=SAME""",
    "pools": """MaxPool x ksize=1,2,2,1 strides=1,2,2,1 padding=SAME;
        AvgPool y ksize=1,2,2,1 strides=1,2,2,1 padding=VALID
        data_format=NCHW; MaxPool3D v ksize=1,2,2,2,1 strides=1,2,2,2,1
        padding=VALID; MaxPoolV2 x i:1,2,2,1 i:1,1,1,1 padding=SAME;
        MaxPoolGrad y @0 @0 ksize=1,2,2,1 strides=1,2,2,1 padding=SAME;
        AvgPoolGrad i:2,5,6,4 h ksize=1,2,2,1 strides=1,1,1,1 padding=SAME;
        MaxPoolWithArgmax x ksize=1,2,2,1 strides=1,1,1,1 padding=SAME;
        FusedBatchNormV3 y c c c c is_training=1; LRN x depth_radius=2;
        FractionalMaxPool y pooling_ratio~1.0,1.5,1.5,1.0""",
    "products": """MatMul a b; MatMul a a transpose_a=1; BatchMatMulV2 m m
        adj_x=1; Einsum a b N=2 equation=ab,bc->ac; Einsum x c N=2
        equation=...a,a->...; Einsum m N=1 equation=bii->bi;
        SparseTensorDenseMatMul d c i:2,4 b; BatchMatMul u m;
        SoftmaxCrossEntropyWithLogits a a; LSTMBlockCell a a a b c c c c;
        GRUBlockCell a a b b c c; BlockLSTMV2 s:2 m a a b c c c c;
        SparseSoftmaxCrossEntropyWithLogits a n""",
    "matrices": """Cholesky m; MatrixInverse m; Qr m full_matrices=1; Svd m
        compute_uv=1; SelfAdjointEigV2 m compute_v=1; MatrixSolve m m;
        MatrixDeterminant m; MatrixDiagV3 a i:0,1 s:-1 s:-1 p;
        MatrixDiagPartV3 m s:0 p; MatrixBandPart m s:1 s:1; FFT2D x; RFFT a i:7;
        IRFFT a i:6; MatrixTriangularSolve m m; Lu m; Diag a; DiagPart m""",
    "joins": """ConcatV2 x y s:0 N=2; Concat s:3 x y N=2; Split s:3 x
        num_split=2; SplitV x i:1,-1 s:1 num_split=2; Pack a a N=2 axis=-1;
        Unpack a num=3 axis=0; ShapeN x y N=2; ConcatOffset s:0 i:1,2 i:3,2
        N=2; DynamicStitch n n a a N=2; Split s:9 x num_split=0; Pack N=0;
        Unpack u num=70000; DynamicPartition a n num_partitions=3""",
    "slices": """Slice x i:0,0,1,0 i:-1,5,2,4; StridedSlice x i:0,4 i:-1,0
        i:1,-2 begin_mask=1 end_mask=2 ellipsis_mask=0 new_axis_mask=0
        shrink_axis_mask=0; StridedSlice y i:1,0,0 i:2,0,3 i:1,1,1
        shrink_axis_mask=1 ellipsis_mask=2; StridedSlice y i:0,0 i:0,0 i:1,1
        new_axis_mask=1 shrink_axis_mask=2; GatherV2 x d s:-1 batch_dims=0;
        GatherNd a d; ScatterNd d a i:4,4; StridedSliceGrad i:3,4 i:0 i:9 i:2
        a; TensorScatterUpdate a d c; Where p; Unique n; Gather a n""",
    "moves": """Reshape x i:-1,24; Transpose x i:3,1,2,0; Tile a i:2,0; Pad a
        n; ExpandDims x s:-2; Squeeze m squeeze_dims=0; BroadcastTo c i:3,4;
        ReverseV2 x i:1; Roll a s:1 s:0; SpaceToBatchND x i:2,2 d;
        BatchToSpaceND y i:2 d; SpaceToDepth x block_size=2
        data_format=NCHW; DepthToSpace x block_size=2; MirrorPad a d
        mode=REFLECT; EnsureShape u shape#3,-1; InvertPermutation n""",
    "makes": """Fill i:2,3 p; Range s:0 s:9 s:2; OneHot n s:5 p p axis=-1;
        RandomUniform i:2,2 dtype=1; LinSpace p p s:4; ResizeBilinear x i:7,8;
        CropAndResize x a n i:2,2; NonMaxSuppressionV3 a c s:3 p p;
        ExtractImagePatches x ksizes=1,2,2,1 strides=1,1,1,1 rates=1,1,1,1
        padding=VALID; Range s:0 s:1 s:0; Fill i:4611686018427387904,4 p;
        StatelessRandomUniformV2 i:9 n n s:1; RaggedTensorToTensor i:2,-1 c p
        i:0,4 num_row_partition_tensors=1""",
    "folded": """Shape x; StridedSlice @0 i:1 i:2 i:1 shrink_axis_mask=1; Pack
        @1 @1 N=2; Prod @0 i:0; Mul @1 s:3; ConcatV2 @2 i:-1 s:0 N=2; Reshape x
        @5; Size y; Rank x; FloorDiv @7 s:2; Range s:0 @8 s:1; Cast @2 DstT=9;
        Fill @2 p; GatherV2 @0 i:1,2 s:0; Reshape u @13; Pack @9 N=1; Reshape u
        @15; Maximum @1 s:7; Sub @17 s:1; Tile n @15""",
    "lists": """TensorListReserve i:2,-1 s:3 element_dtype=1; TensorListSetItem
        @0 s:0 a; TensorListGetItem @1 s:0 i:-1,-1 element_dtype=1;
        TensorListFromTensor x i:5,6,4 element_dtype=1; TensorListStack @3
        i:5,6,4 num_elements=2; TensorListPopBack @3 s:-1; EmptyTensorList s:-1
        s:9; TensorListPushBack @6 a; VarHandleOp shape#3,4 dtype=1;
        ReadVariableOp @8 dtype=1; ResourceGather @8 n dtype=1; VariableV2
        shape#2,2 dtype=1; VariableShape @8; OptionalFromValue x;
        OptionalGetValue @13; TensorListLength @7""",
}

# For operations of which nobody wrote a line above.
ANY_INPUTS = {"images": "y f h x c i:2,1 s:1", "vectors": "a n c d i:0,1 s:2 m",
              "numbers": "i:1,2 s:0 a i:2,1 s:1 n u"}
AT_ONCE = 24  # operations in a seed

# TF1 control flow, with a cycle: (name, op, inputs)
LOOP = [
    ("i", "Const", ()), ("e", "Enter", ("i",)), ("xe", "Enter", ("x",)),
    ("merge", "Merge", ("e", "next")), ("xm", "Merge", ("xe", "xn")),
    ("lim", "Const", ()), ("less", "Less", ("merge", "lim")),
    ("cond", "LoopCond", ("less",)), ("sw", "Switch", ("merge", "cond")),
    ("xs", "Switch", ("xm", "cond")), ("add", "AddV2", ("sw:1", "one")),
    ("one", "Const", ()), ("xa", "ConcatV2", ("xs:1", "x", "i")),
    ("next", "NextIteration", ("add",)), ("xn", "NextIteration", ("xa",)),
    ("exit", "Exit", ("sw",)), ("xexit", "Exit", ("xs",)),
]


# ---- Writing them -----------------------------------------------------------


def ints(key, values, kind="i"):
    return attr(key, ("list", [(kind, value) for value in values]))


def const(name, values, dims):
    return ("node", [
        ("name", name), ("op", "Const"), attr("dtype", ("type", INT32)),
        attr("value", ("tensor", [("dtype", INT32), ("tensor_shape", dims),
                                  *(("int_val", v) for v in values)]))])


def placeholder(name):
    dtype, dims = INPUTS[name]
    dims = [("unknown_rank", 1)] if dims is None else shape(*dims)
    return ("node", [("name", name), ("op", "Placeholder"),
                     attr("dtype", ("type", dtype)),
                     attr("shape", ("shape", dims))])


TYPES = ("DstT", "dtype", "element_dtype", "output_type", "type")
BOOLS = ("keep_dims", "transpose_a", "adj_x", "is_training", "full_matrices",
         "compute_uv", "compute_v", "incompatible_shape_error")
ATTR_LISTS = ("strides", "dilations", "ksize", "ksizes", "rates",
         "explicit_paddings", "squeeze_dims")


def one_attr(word):
    if "#" in word:
        key, dims = word.split("#")
        return attr(key, ("shape", shape(*map(int, dims.split(",")))))
    if "~" in word:
        key, numbers = word.split("~")
        return ints(key, map(float, numbers.split(",")), "f")
    key, _, value = word.partition("=")
    if key in ATTR_LISTS:
        return ints(key, map(int, value.split(",")))
    if key in TYPES:
        return attr(key, ("type", int(value)))
    if key in BOOLS:
        return attr(key, ("b", int(value)))
    number = value.lstrip("-").isdigit()
    return attr(key, ("i", int(value)) if number else ("s", value.encode()))


def nodes_of(text):
    """The nodes of a graph that is written as above."""
    made, names = {}, []
    for number, line in enumerate(text.split(";")):
        op, *words = line.split()
        inputs = [w for w in words if w[0] == "@" or w[:2] in ("i:", "s:")
                  or w in INPUTS]
        sources = []
        for word in inputs:
            if word[0] == "@":
                at, _, output = word[1:].partition(":")
                sources.append(names[int(at)] + (output and ":" + output))
                continue
            sources.append(word.replace(":", "").replace(",", "_"))
            if word in INPUTS:
                made.setdefault(word, placeholder(word))
            else:
                numbers = [int(n) for n in word[2:].split(",")]
                made.setdefault(sources[-1], const(
                    sources[-1], numbers,
                    shape(len(numbers)) if word[0] == "i" else []))
        names.append(f"{op}{number}")
        made[names[-1]] = ("node", [
            ("name", names[-1]), ("op", op), *(("input", s) for s in sources),
            *(one_attr(w) for w in words if w not in inputs)])
    return list(made.values())


def tables():
    """(a name, operations) of each table of src/ops/table."""
    for path in sorted(TABLES.glob("ops_*.c")):
        ops = re.findall(r'^    \{ "(\w+)",', path.read_text(), re.M)
        for at in range(0, len(ops), AT_ONCE):
            yield f"{path.stem}_{at // AT_ONCE}", ops[at:at + AT_ONCE]


def loop():
    for name, op, inputs in LOOP:
        if op == "Const":
            yield const(name, [3 if name == "lim" else name == "one"], [])
        else:
            yield ("node", [("name", name), ("op", op),
                            *(("input", i) for i in inputs),
                            attr("N", ("i", 2))])
    yield placeholder("x")


# ---- Functions --------------------------------------------------------------


def function(name, args, nodes, returns):
    return ("function", [
        ("signature", [
            ("name", name),
            *(("input_arg", [("name", a), ("type", t)]) for a, t in args),
            *(("output_arg", [("name", r), ("type", FLOAT)])
              for r in returns)]),
        *(("node_def", n) for _, n in nodes),
        *(("ret", [("key", k), ("value", v)]) for k, v in returns.items())])


def func(key, name):
    return attr(key, ("func", [("name", name)]))


def small(name, op, *inputs, attrs=()):
    return ("node", [("name", name), ("op", op),
                     *(("input", i) for i in inputs), *attrs])


FUNCTIONS = [
    function("f", [("t", FLOAT)], [small("r", "Relu", "t")],
             {"y": "r:activations:0"}),
    function("calls", [("t", FLOAT)],
             [small("c", "PartitionedCall", "t", attrs=[
                 func("f", "f"), ints("Tout", [FLOAT], "type")])],
             {"y": "c:output:0"}),
    function("itself", [("t", FLOAT)],
             [small("c", "PartitionedCall", "t", attrs=[
                 func("f", "itself"), ints("Tout", [FLOAT], "type")])],
             {"y": "c:output:0"}),
    function("less", [("i", INT32), ("t", FLOAT)],
             [const("five", [5], []), small("l", "Less", "i", "five:output:0")],
             {"y": "l:z:0"}),
    function("body", [("i", INT32), ("t", FLOAT)],
             [const("one", [1], []), small("s", "AddV2", "i", "one:output:0"),
              const("zero", [0], []),
              small("d", "ConcatV2", "t", "t", "zero:output:0",
                    attrs=[attr("N", ("i", 2))])],
             {"i": "s:z:0", "y": "d:output:0"}),
]


def called():
    two = ints("T", [INT32, FLOAT], "type")
    one = ints("Tout", [FLOAT], "type")
    return [
        placeholder("x"), placeholder("p"), const("zero", [0], []),
        small("call", "PartitionedCall", "x", attrs=[func("f", "calls"), one]),
        small("again", "f", "call"),
        small("deep", "StatefulPartitionedCall", "x",
              attrs=[func("f", "itself"), one]),
        small("while", "While", "zero", "x", attrs=[
            func("cond", "less"), func("body", "body"), two]),
        small("if", "If", "p", "x", attrs=[
            func("then_branch", "f"), func("else_branch", "calls"), one]),
        small("case", "Case", "zero", "x", attrs=[
            attr("branches", ("list", [("func", [("name", n)])
                                       for n in ("f", "calls", "gone")])),
            one]),
        small("after", "Relu", "while:1"),
        ("library", FUNCTIONS),
    ]


def saved_model():
    info = [("name", "x:0"), ("dtype", FLOAT), ("tensor_shape", shape(-1, 4))]
    return wire("SavedModel", [
        ("saved_model_schema_version", 1),
        ("meta_graphs", [
            ("meta_info_def", [("tags", "serve")]),
            ("graph_def", called()),
            ("signature_def", [("key", "serving_default"), ("value", [
                ("inputs", [("key", "x"), ("value", info)]),
                ("outputs", [("key", "y"),
                             ("value", [("name", "call:0"), *info[1:]])])])]),
        ])])


def seeds():
    yield "empty", b""
    for name, text in GRAPHS.items():
        data = wire("GraphDef", nodes_of(text))
        yield f"graph_{name}", bytes([0]) + data
        yield f"batch_{name}", bytes([BATCH | GIVEN]) + data
    for name, ops in tables():
        for kind, inputs in ANY_INPUTS.items():
            lines = "; ".join(f"{op} {inputs} N=2" for op in ops)
            yield f"{name}_{kind}", bytes([0]) + wire("GraphDef",
                                                      nodes_of(lines))
    yield "graph_loop", bytes([0]) + wire("GraphDef", loop())
    yield "given_loop", bytes([GIVEN]) + wire("GraphDef", loop())
    for head in (0, WALK, WALK | BATCH):
        yield f"functions_{head}", bytes([head]) + wire("GraphDef", called())
    for head in (0, WALK, WALK | SIGNATURE, SIGNATURE | BATCH):
        yield f"saved_{head}", bytes([head]) + saved_model()


def flops_head(turn, listed, form):
    """Every value of every option in its turn."""
    formulas, functions, order, depth = turn % 4, turn % 3, turn % 6, turn % 4
    batch, shape_given = turn // 3 % 2, turn // 2 % 2
    return bytes([listed | form << 3 | formulas << 5 | batch << 7,
                  functions | order << 2 | depth << 5 | shape_given << 7])


def flops_seeds():
    """Each list in each format, of one graph after the other."""
    graphs = [*(wire("GraphDef", nodes_of(text)) for text in GRAPHS.values()),
              wire("GraphDef", loop()), wire("GraphDef", called()),
              saved_model()]
    turn = 0
    for listed in range(7):
        for form in range(3):
            for part in range(3):
                yield (f"list_{listed}_{form}_{part}",
                       flops_head(turn, listed, form) +
                       graphs[turn % len(graphs)])
                turn += 1


def dictionary():
    words = set("Enter Exit Merge Switch NextIteration While If f body cond "
                "then_branch T N _output_shapes shape value".split())
    for text in GRAPHS.values():
        for line in text.split(";"):
            op, *rest = line.split()
            words.add(op)
            words |= {w.partition("=")[0] for w in rest if "=" in w}
    for _, ops in tables():
        words.update(ops)
    return [(f"word_{i}", word.encode())
            for i, word in enumerate(sorted(words))]
