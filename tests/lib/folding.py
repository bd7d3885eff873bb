"""Graphs that compute sizes, at random, and what becomes of them.

A graph starts from placeholders of which some dims are known, and from
constants. It computes numbers of their shapes, and uses each as a shape: so
the shapes that TensorFlow gives to these uses say what it knows of the
numbers, and a session says what they are. Loaded for what the record of
test_shape_fold.py lacks.
"""

import os

import numpy as np

import program

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402
from tensorflow import raw_ops as op  # noqa: E402

SOURCES = (([None, 5, 6], [4, 5, 6]), ([2, 3], [2, 3]), ([None], [7]),
           (None, [3, 2, 1]), ([4, None, 1], [4, 2, 1]), ([], []),
           ([None, None], [2, 8]), ([1, 3], [1, 3]))

BINARY = """Add AddV2 Sub Mul Div FloorDiv TruncateDiv FloorMod Mod TruncateMod
    Maximum Minimum Pow SquaredDifference""".split()
REAL_BINARY = """Add AddV2 Sub Mul Div RealDiv FloorDiv DivNoNan Maximum
    Minimum""".split()
UNARY = "Neg Abs Sign Square OnesLike ZerosLike Identity StopGradient".split()
REAL_UNARY = """Neg Abs Sign Square Floor Ceil Round Rint Sqrt Identity
    Snapshot""".split()
ORDERS = """Less LessEqual Greater GreaterEqual Equal NotEqual""".split()
REDUCTIONS = "Sum Prod Max Min Mean".split()


class Maker:
    """Adds operations on what there is; what TensorFlow refuses is not."""

    def __init__(self, choose):
        self.choose = choose
        self.scalars, self.vectors = [], []
        self.real_scalars, self.real_vectors = [], []
        self.truths, self.matrices = [], []
        self.feeds, self.probes = {}, {}
        self.sources = []

    def any(self, pool):
        return self.choose.choice(pool)

    def scalar(self):
        return self.any(self.scalars)

    def vector(self):
        return self.any(self.vectors)

    def matrix(self):
        return self.any(self.matrices)

    def truth(self):
        return self.any(self.truths)

    def integer(self):
        return self.any(self.any((self.vectors, self.scalars)))

    def real(self):
        return self.any(self.any((self.real_vectors, self.real_scalars)))

    def number(self, most=4):
        return tf.constant(self.choose.randint(-most, most))

    def index(self):
        return tf.constant([self.choose.randint(-3, 4)])

    def start(self):
        for shape, fed in SOURCES:
            source = tf.compat.v1.placeholder(tf.float32, shape)
            self.sources.append(source)
            self.feeds[source] = fed
            self.vectors.append(op.Shape(input=source))
            self.scalars.append(op.Size(input=source))
            self.scalars.append(op.Rank(input=source))
        self.vectors += op.ShapeN(input=self.sources[:3])
        self.vectors += [tf.constant([3, 1]), tf.constant([2, 4, 5]),
                         tf.constant([], tf.int32)]
        self.scalars += [tf.constant(3), tf.constant(-2), tf.constant(0),
                         tf.constant(2 ** 31 - 1)]
        self.real_scalars.append(tf.constant(1.5))
        self.real_vectors.append(tf.constant([0.5, 2.25, 3.0]))
        self.truths.append(tf.constant(True))

    # ---- One operation each -----------------------------------------------

    def slice_of(self):
        masks = {key: self.choose.choice((0, 0, 1)) for key in (
            "begin_mask", "end_mask", "shrink_axis_mask")}
        masks["new_axis_mask"] = self.choose.choice((0, 0, 0, 0, 1))
        masks["ellipsis_mask"] = self.choose.choice((0, 0, 0, 0, 1))
        stride = self.choose.choice((1, 1, 1, 2, -1))
        if stride < 0:  # TensorFlow takes the wrong end of a shape
            masks["begin_mask"] = 0
        return op.StridedSlice(
            input=self.vector(), begin=self.index(),
            end=self.index(), strides=tf.constant([stride]), **masks)

    def element(self):
        at = self.choose.randint(-2, 2)
        return op.StridedSlice(
            input=self.vector(), begin=[at], end=[at + 1],
            strides=[1], shrink_axis_mask=1)

    def cast(self):
        # Of numbers below -1 TensorFlow makes shapes that cannot be.
        first = self.vectors[:len(SOURCES) + 3]
        joined = op.ConcatV2(values=[self.any(first), self.any(first)],
                             axis=0)
        wide = op.Cast(x=self.any([self.any(first), joined]), DstT=tf.int64)
        return op.Cast(x=wide, DstT=tf.int32)

    def gather(self):
        indices = self.any(
            (tf.constant([1, 0]), tf.constant([0]), self.vector()))
        return op.GatherV2(params=self.vector(), indices=indices, axis=0)

    def unary(self):
        name = self.any(UNARY)
        value = self.integer()
        key = "input" if name in ("Identity", "StopGradient") else "x"
        return getattr(op, name)(**{key: value})

    # What C leaves open (casts of NaN and of what does not fit) is unknown to
    # us and something to TensorFlow; it is kept out.

    def real_binary(self):
        name = self.any(REAL_BINARY)
        divisor = tf.constant(self.choose.choice((0.5, 1.5, -2.0)))
        return getattr(op, name)(
            x=self.real(), y=divisor if "Div" in name else self.real())

    def real_unary(self):
        name = self.any(REAL_UNARY)
        value = self.real()
        if name == "Sqrt":
            value = op.Abs(x=value)
        key = "input" if name in ("Identity", "Snapshot") else "x"
        return getattr(op, name)(**{key: value})

    def whole(self):
        value = self.real()
        value = op.Minimum(x=op.Maximum(x=value, y=-1e6), y=1e6)
        return op.Cast(x=value, DstT=tf.int32)

    # ---- Keeping them -----------------------------------------------------

    def keep(self, value):
        """Adds to the pool of its sort, and looks at it as a shape."""
        rank, real = value.shape.rank, value.dtype == tf.float32
        if value.dtype == tf.bool:
            if rank == 0:
                self.truths.append(value)
            return
        pool = {(0, False): self.scalars, (1, False): self.vectors,
                (0, True): self.real_scalars, (1, True): self.real_vectors,
                (2, False): self.matrices}.get((rank, real))
        if pool is not None:
            pool.append(value)
        if not real and rank == 1:
            self.probe(value, lambda: op.Reshape(tensor=self.sources[3],
                                                 shape=value))
            self.probe(value, lambda: op.Fill(dims=value, value=0.0))
        if not real and rank == 0:
            self.probe(value, lambda: op.Range(start=0, limit=value, delta=1))

    def probe(self, value, make):
        try:
            self.probes[make().name] = value
        except ValueError:
            pass

    def step(self):
        try:
            self.keep(self.any(STEPS)(self))
        except (ValueError, IndexError, TypeError,
                tf.errors.InvalidArgumentError):
            pass


def twice(step):
    return step, step


# What a step adds, which is drawn from here.
STEPS = (
    *twice(Maker.slice_of), *twice(Maker.element),
    lambda m: op.Slice(input=m.vector(), begin=m.index(), size=m.index()),
    *twice(lambda m: op.Pack(values=[
        m.scalar() for _ in range(m.choose.randint(1, 4))])),
    *twice(lambda m: op.ConcatV2(values=[
        m.vector() for _ in range(m.choose.randint(2, 3))], axis=0)),
    lambda m: op.Concat(concat_dim=0, values=[m.vector(), m.vector()]),
    Maker.cast, Maker.gather,
    lambda m: op.GatherV2(params=m.vector(), indices=m.number(2), axis=0),
    lambda m: op.Reshape(tensor=m.scalar(), shape=[1]),
    lambda m: op.Reshape(tensor=m.vector(), shape=[]),
    lambda m: op.Squeeze(input=m.vector()),
    lambda m: op.ExpandDims(input=m.scalar(), axis=0),
    lambda m: op.Range(start=0, limit=op.FloorMod(x=m.scalar(), y=20), delta=1),
    lambda m: op.Fill(dims=[m.choose.randint(0, 4)], value=m.scalar()),
    *twice(lambda m: getattr(op, m.any(BINARY))(x=m.integer(), y=m.integer())),
    Maker.unary,
    lambda m: getattr(op, m.any(REDUCTIONS))(
        input=m.vector(), axis=tf.constant([0]),
        keep_dims=m.choose.random() < 0.3),
    lambda m: op.ReverseV2(tensor=m.vector(), axis=[0]),
    lambda m: op.Tile(input=m.vector(), multiples=[m.choose.randint(0, 2)]),
    lambda m: op.InvertPermutation(x=tf.constant([2, 0, 1])),
    lambda m: op.BroadcastTo(input=m.scalar(), shape=[m.choose.randint(1, 3)]),
    lambda m: op.BroadcastArgs(s0=m.vector(), s1=m.vector()),
    lambda m: m.any(list(op.BroadcastGradientArgs(
        s0=m.vector(), s1=m.vector()))),
    lambda m: op.ListDiff(x=m.vector(), y=m.vector())[0],
    lambda m: op.DynamicStitch(
        indices=[tf.constant([0, 2]), tf.constant([1])],
        data=[tf.constant([7, 8]), op.Reshape(tensor=m.scalar(), shape=[1])]),
    lambda m: m.any(op.ConcatOffset(concat_dim=0, shape=[m.vector()] * 2)),
    lambda m: m.any(op.Split(axis=0, value=tf.constant([6, 7, 8, 9]),
                             num_split=2)),
    lambda m: m.any(op.SplitV(value=m.vector(), size_splits=[1, 2], axis=0,
                              num_split=2)),
    lambda m: m.any(op.Unpack(value=m.vector(), num=3)),
    lambda m: getattr(op, m.any(ORDERS))(x=m.scalar(), y=m.scalar()),
    lambda m: getattr(op, m.any(["LogicalAnd", "LogicalOr"]))(
        x=m.truth(), y=m.truth()),
    lambda m: op.LogicalNot(x=m.truth()),
    lambda m: getattr(op, m.any(["All", "Any"]))(
        input=op.Pack(values=[m.truth(), m.truth()]), axis=[0]),
    lambda m: op.SelectV2(condition=m.truth(), t=m.vector(), e=m.vector()),
    lambda m: op.Select(condition=m.truth(), x=m.scalar(), y=m.scalar()),
    lambda m: op.Cast(x=m.integer(), DstT=tf.float32),
    Maker.real_binary, Maker.real_unary, Maker.whole,
    lambda m: op.Pack(values=[m.vector()] * 2, axis=m.choose.choice((0, 1))),
    lambda m: getattr(op, m.any(REDUCTIONS))(
        input=m.matrix(), axis=m.choose.choice((0, 1))),
    lambda m: op.StridedSlice(input=m.matrix(), begin=[0], end=[1],
                              strides=[1], shrink_axis_mask=1),
    lambda m: op.Transpose(x=m.matrix(), perm=[1, 0]),
    lambda m: op.Reshape(tensor=m.matrix(), shape=[-1]))


def make(name, steps):
    """A graph, its placeholders with what to feed them, and its probes."""
    graph = tf.Graph()
    maker = Maker(program.chooser(name))
    with graph.as_default():
        maker.start()
        for _ in range(steps):
            maker.step()
    return graph, maker


# ---- What TensorFlow says ----------------------------------------------------

def _shape_text(shape):
    if shape.rank is None:
        return "?"
    return "[" + ",".join("?" if dim is None else str(dim)
                          for dim in shape.as_list()) + "]"


def _known(graph):
    """{tensor: shape} after an import."""
    into = tf.Graph()
    with into.as_default():
        tf.import_graph_def(graph.as_graph_def(), name="")
    return {output.name: _shape_text(output.shape)
            for node in into.get_operations() for output in node.outputs}


def _maker_line(graph, tensor):
    node = graph.get_operation_by_name(tensor.rsplit(":", 1)[0])
    return f"{node.type}({', '.join(i.op.type for i in node.inputs)})"


def _about(graph, probes=0):
    truth = _known(graph)
    return {"graph": graph.as_graph_def().SerializeToString(
                deterministic=True),
            "shapes": truth,
            "makers": {tensor: _maker_line(graph, tensor) for tensor in truth},
            "probes": probes}


def about(name, steps):
    """A random graph, the shapes of its tensors and what makes each."""
    graph, maker = make(name, steps)
    return _about(graph, len(maker.probes))


def _run(graph, maker, tensors):
    """The shapes that a session computes, None of what it cannot."""
    feed = {source: np.zeros(shape, np.float32)
            for source, shape in maker.feeds.items()}
    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        for tensor in tensors:
            try:
                sizes = session.run(maker.probes.get(tensor.name, []), feed)
                if np.prod(np.abs(sizes), dtype=np.float64) < 1e6:
                    yield list(session.run(tensor, feed).shape)
                else:
                    yield None
            except tf.errors.OpError:
                yield None  # it divides by zero, or the like


def run(name, steps, tensors):
    """What a run of the random graph gives these tensors."""
    graph, maker = make(name, steps)
    return list(_run(graph, maker, [graph.get_tensor_by_name(tensor)
                                    for tensor in tensors]))


# ---- Chains as models have them ------------------------------------------

def _chains():
    x = tf.compat.v1.placeholder(tf.float32, [None, 5, 6, 7])
    y = tf.compat.v1.placeholder(tf.float32, [2, 3, 4])
    shape = tf.shape(x)
    yield "flatten", lambda: tf.reshape(x, [shape[0], -1])
    yield "flatten by product", lambda: tf.reshape(
        x, [-1, shape[1] * shape[2] * shape[3]])
    yield "heads", lambda: tf.reshape(
        x, tf.stack([shape[0], shape[1], 2, shape[2] // 2, shape[3]]))
    yield "prefix and suffix", lambda: tf.reshape(
        x, tf.concat([shape[:2], [42]], 0))
    yield "product of a suffix", lambda: tf.reshape(
        x, [shape[0], tf.reduce_prod(shape[1:])])
    yield "range of a size", lambda: tf.range(shape[1])
    yield "range of a rank", lambda: tf.range(1, tf.rank(x))
    yield "range of something computed", lambda: tf.range(
        0, shape[1] * 2 + 1, 3)
    yield "filled", lambda: tf.fill([shape[1], shape[2] + 1], 0.0)
    yield "zeros", lambda: tf.zeros(tf.shape(y)[1:])
    yield "one hot", lambda: tf.one_hot([1, 2], tf.shape(y)[-1])
    yield "scaled", lambda: tf.zeros(
        tf.cast(tf.cast(shape[1:3], tf.float32) * 2.0, tf.int32))
    yield "scaled and cut", lambda: tf.zeros(tf.cast(
        tf.floor(tf.cast(tf.shape(y), tf.float32) / 2.0), tf.int32))
    yield "mean of a gradient", lambda: tf.gradients(
        tf.reduce_mean(y, [1]), y)[0]
    yield "sum of a gradient", lambda: tf.gradients(
        tf.reduce_sum(x, [1, 2]), x)[0]
    yield "broadcast gradient", lambda: tf.gradients(
        y * tf.ones([4]), y)[0]
    yield "transposed", lambda: tf.transpose(
        x, tf.concat([[0, 3], tf.range(1, 3)], 0))
    yield "padded", lambda: tf.pad(y, tf.stack(
        [[0, 0], [tf.shape(y)[0], 1], [1, 1]]))
    yield "tiled", lambda: tf.tile(y, [1, shape[1], 1])
    yield "sliced", lambda: tf.slice(x, [0, 1, 0, 0],
                                     tf.stack([-1, shape[1] - 1, 2, -1]))
    yield "split", lambda: tf.split(y, [1, tf.shape(y)[2] - 1], axis=2)[1]
    yield "gathered", lambda: tf.reshape(x, tf.gather(shape, [0, 3, 1, 2]))
    yield "wraps around", lambda: tf.zeros(
        [tf.constant(2 ** 31 - 1) + tf.constant(2 ** 31 - 1) + 7])
    yield "divides by zero", lambda: tf.zeros(
        tf.reshape(shape[1] // (shape[1] - 5), [1]))


def chains():
    """The same of each chain."""
    found = {}
    with tf.Graph().as_default():
        names = [name for name, _ in _chains()]
    for name in names:
        graph = tf.Graph()
        with graph.as_default():
            dict(_chains())[name]()
        found[name] = _about(graph)
    return found


def product():
    """The same of a product of sizes, and the tensor that it shapes."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None, 5, 6])
        flat = tf.reshape(x, [-1, tf.reduce_prod(tf.shape(x)[1:])])
    return {**_about(graph), "flat": flat.name}
