"""Random graphs that TensorFlow accepts, made with TensorFlow.

A graph is a chain of ops, each drawn from the table OPS together with its
attributes. Every tensor exists twice: in the graph, where its shape may be
known, known in part or not at all, and as a value computed on the spot. The
draws look at the value, so that nearly all of them are feasible, and its shape
is what the graph gives when it runs.

random_ops.py, random_moves.py, random_layers.py and random_flow.py fill the
table.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

raw = tf.raw_ops
v1 = tf.compat.v1

F32, F64, C64 = tf.float32, tf.float64, tf.complex64
I32, I64, BOOL = tf.int32, tf.int64, tf.bool
NUMERIC = (F32, I32, I64, F64)
MOST_ELEMENTS = 3000  # of a value that goes into another op
REFUSED = (ValueError, TypeError, NotImplementedError, tf.errors.OpError)

OPS = {}  # name of the draw -> function of a Drawer


def op(function):
    """Puts a draw into the table."""
    assert function.__name__ not in OPS
    OPS[function.__name__] = function
    return function


class Infeasible(Exception):
    """No such op can be made of what is there."""


class Value:
    """A tensor of the graph, and what it is when the graph runs."""

    def __init__(self, sym, con, constant=False):
        self.sym, self.con = sym, con
        self.constant = constant  # computed from constants alone
        self.shape = con.shape.as_list()
        self.rank = len(self.shape)
        self.dtype = con.dtype
        self.elements = int(np.prod(self.shape, dtype=np.int64))


def numbers(shape, dtype, start=0):
    """Small values, some of them equal, none of them zero if it may not."""
    count = int(np.prod(shape, dtype=np.int64))
    row = (np.arange(count) * 7 + start) % 11
    if dtype == BOOL:
        row = row % 2 == 0
    elif dtype == tf.string:
        return tf.constant(np.array([b"w%d" % i for i in row],
                                    dtype=object).reshape(shape), tf.string)
    elif dtype.is_integer:
        row = row + 1
    elif dtype in (tf.resource, tf.variant):
        return None
    else:
        row = row / 4.0 + 0.25
    return tf.constant(row.reshape(shape), dtype)


class Drawer:
    """Makes one graph inside the default graph; `choose(n)` draws a number
    below n."""

    def __init__(self, choose, graph):
        self.choose = choose
        self.graph = graph
        self.pool = []      # values that later ops may take
        self.real = []      # (tensor name, its shape at run time)
        self.made = []      # names of draws that succeeded
        self.infeasible = []

    # ---- Draws -------------------------------------------------------------

    def int(self, low, high):
        return low + self.choose(high - low + 1)

    def bool(self):
        return self.choose(2) == 1

    def rarely(self, one_in=6):
        return self.choose(one_in) == one_in - 1

    def pick(self, words):
        words = list(words)
        if not words:
            raise Infeasible
        return words[self.choose(len(words))]

    def some(self, words, least=0, most=None):
        """Distinct ones, in any order."""
        words, out = list(words), []
        most = len(words) if most is None else min(most, len(words))
        for _ in range(self.int(min(least, most), most)):
            out.append(words.pop(self.choose(len(words))))
        return out

    def dims(self, rank, low=1, high=5):
        return [0 if self.rarely(60) else self.int(low, high)
                for _ in range(rank)]

    # ---- Values from nothing -----------------------------------------------

    def weaken(self, shape):
        """What a placeholder of that shape may be declared as."""
        kind = self.choose(10)
        if kind < 4:
            return list(shape)
        if kind < 8:
            return [None if self.bool() else dim for dim in shape]
        return [None] * len(shape) if kind == 8 else None

    def fed(self, con, declared=-1):
        """A placeholder that is fed with that."""
        if declared == -1:
            declared = self.weaken(con.shape.as_list())
        with self.graph.as_default():
            if self.rarely(12):
                sym = raw.PlaceholderWithDefault(input=con.numpy(),
                                                 shape=declared)
            else:
                sym = v1.placeholder(con.dtype, declared)
        return self.keep(sym, con)

    def const(self, con):
        with self.graph.as_default():
            return self.keep(tf.constant(con.numpy(), con.dtype), con, True)

    def keep(self, sym, con, constant=False):
        value = Value(sym, con, constant)
        self.real.append((sym.name, value.shape))
        return value

    def source(self, shape, dtype=F32, con=None):
        """A value of that shape: fed, constant, or one that is there."""
        if con is None:
            there = [v for v in self.pool
                     if v.shape == list(shape) and v.dtype == dtype]
            if there and self.bool():
                return self.pick(there)
            con = numbers(shape, dtype, self.choose(4))
        if self.rarely(5):
            return self.const(con)
        return self.fed(con)

    # ---- Values of the pool ------------------------------------------------

    def value(self, rank=None, dtype=F32, low=0, high=4, fits=None, new=None,
              size=(1, 5)):
        """One of the pool that fits, or a new one. `rank`, or a rank from
        `low` to `high`; new() draws the shape of a new one."""
        dtypes = dtype if isinstance(dtype, tuple) else (dtype,)
        if rank is not None:
            low = high = rank
        if self.choose(5) < 4:
            there = [v for v in self.pool if low <= v.rank <= high
                     and v.dtype in dtypes and v.elements <= MOST_ELEMENTS
                     and (fits is None or fits(v))]
            if there:
                # Late ones first, so that graphs become chains.
                return there[-1 - min(self.choose(len(there)),
                                      self.choose(len(there)))]
        shape = new() if new else self.dims(self.int(low, high), *size)
        return self.source(shape, self.pick(dtypes))

    def varying(self, value):
        """The same, not computed from constants alone: TensorFlow would run
        an op on these to see the shape of what comes out."""
        return self.fed(value.con) if value.constant else value

    # ---- Ops ---------------------------------------------------------------

    def add(self, build, *values, run=True, keep=True):
        """build(tensors...) in the graph and with the values. Not all kernels
        are there (run=False): then only the shape of the result is found."""
        con = _flat(build(*(v.con for v in values)) if run
                    else self._imagine(build, values))
        with self.graph.as_default():
            sym = _flat(build(*(v.sym for v in values)))
        constant = all(value.constant for value in values)
        outputs = [self.keep(s, c, constant)
                   for s, c in zip(sym, con, strict=True) if c is not None]
        if keep:
            self.pool.extend(outputs)
        return outputs

    @staticmethod
    def _imagine(build, values):
        """Some numbers of the right shape; None where that is not known."""
        with tf.Graph().as_default():
            made = _flat(build(*(
                tf.constant(v.con.numpy()) if v.dtype.is_integer
                else v1.placeholder(v.dtype, v.shape) for v in values)))
        shapes = [(tensor.shape, tensor.dtype) for tensor in made]
        return [numbers(shape.as_list(), dtype)
                if shape.is_fully_defined() else None
                for shape, dtype in shapes]

    def one(self, build, *values, **options):
        return self.add(build, *values, **options)[0]

    # ---- Small vectors that say what another op does -----------------------

    def param(self, values, dtype=I32, constant=False):
        """A vector or scalar of these numbers: mostly a constant, else
        computed from constants, from shapes, or fed."""
        con = tf.constant(np.array(values, dtype.as_numpy_dtype), dtype)
        kind = self.choose(18)
        if constant or kind < 8:
            return self.const(con)
        if kind == 8:
            return self.fed(con)
        if kind == 9:
            return self._cast(con, dtype)
        if kind == 10:
            return self._sum(con, dtype)
        if kind in (16, 17):
            return self._turned(con, dtype)
        if con.shape.rank == 0:
            return self._number(int(con.numpy()), dtype)
        numbers_ = [int(number) for number in con.numpy()]
        if kind in (11, 12) and numbers_:
            parts = [self._number(number, dtype) for number in numbers_]
            return self.one(lambda *t: raw.Pack(values=t), *parts, keep=False)
        if kind == 13 and len(numbers_) > 1:
            at = self.int(1, len(numbers_) - 1)
            return self.one(
                lambda *t: raw.ConcatV2(values=t, axis=0),
                self.param(numbers_[:at], dtype),
                self.param(numbers_[at:], dtype), keep=False)
        if kind == 14:
            return self._slice(numbers_, dtype)
        if min(numbers_, default=0) >= 0 and np.prod(numbers_) <= 10000:
            return self._shape_of(self.source(numbers_, F32), dtype)
        return self.const(con)

    def _cast(self, con, dtype):
        other = I64 if dtype == I32 else I32
        return self.one(lambda t: raw.Cast(x=t, DstT=dtype),
                        self.const(tf.cast(con, other)), keep=False)

    def _sum(self, con, dtype):
        kind, k = self.choose(4), self.int(1, 3)
        k = tf.constant(k, dtype)
        if kind == 0:
            return self.one(lambda a, b: raw.AddV2(x=a, y=b),
                            self.const(con - k), self.const(k), keep=False)
        if kind == 1:
            return self.one(lambda a, b: raw.FloorDiv(x=a, y=b),
                            self.const(con * k), self.const(k), keep=False)
        if kind == 2:
            return self.one(lambda a, b: raw.Sub(x=a, y=b),
                            self.const(con + k), self.const(k), keep=False)
        return self.one(lambda a: raw.Identity(input=a), self.const(con),
                        keep=False)

    def _turned(self, con, dtype):
        """Brought into another form, and back by an op."""
        def made(build, *parts):
            return self.one(build, *(self.const(tf.constant(part, dtype))
                                     for part in parts), keep=False)
        con = con.numpy()
        kind = self.choose(9 if con.ndim == 1 and con.size else 5)
        if kind == 0:
            return made(lambda t: raw.Neg(x=t), -con)
        if kind == 1:
            return made(lambda a, b: raw.Maximum(x=a, y=b), con, con - 2)
        if kind == 2:
            return made(lambda a, b: raw.Minimum(x=a, y=b), con + 1, con)
        if kind == 3:
            return made(lambda a, b: raw.Mul(x=a, y=b), -con, -1)
        if kind == 4:
            return made(lambda a: raw.Squeeze(input=a, axis=[0]), con[None])
        if kind == 5:
            return made(lambda a: raw.ReverseV2(tensor=a, axis=[0]), con[::-1])
        if kind == 6:
            return made(lambda a, b: raw.GatherV2(params=a, indices=b, axis=0),
                        np.roll(con, 1), (np.arange(con.size) + 1) % con.size)
        if kind == 7:
            return made(lambda a: raw.Reshape(tensor=a, shape=[-1]), con[None])
        return made(lambda a: raw.Sum(input=a, axis=[0]),
                    np.stack([con - 1, np.ones_like(con)]))

    def _shape_of(self, value, dtype):
        return self.one(lambda t: raw.Shape(input=t, out_type=dtype), value,
                        keep=False)

    def _slice(self, numbers_, dtype):
        """A part of a longer vector, which may be a shape."""
        before = [self.int(1, 3) for _ in range(self.choose(3))]
        after = [self.int(1, 3) for _ in range(self.choose(2))]
        whole = before + numbers_ + after
        end = len(before) + len(numbers_)
        vector = self.param(whole, dtype)
        if self.rarely(4):
            return self.one(lambda t: raw.Slice(
                input=t, begin=[len(before)], size=[len(numbers_)]), vector,
                keep=False)
        open_end = 0 if after else self.choose(2)
        return self.one(lambda t: raw.StridedSlice(
            input=t, begin=[len(before)], end=[end], strides=[1],
            end_mask=open_end), vector, keep=False)

    def _number(self, number, dtype):
        """A scalar; a dimension of a value that is there, if one is that."""
        kind = self.choose(6)
        dims = [(v, i) for v in self.pool for i, dim in enumerate(v.shape)
                if dim == number]
        if kind in (1, 2, 3) and dims:
            value, i = self.pick(dims)
            return self.one(lambda t: raw.StridedSlice(
                input=t, begin=[i], end=[i + 1], strides=[1],
                shrink_axis_mask=1), self._shape_of(value, dtype), keep=False)
        if kind == 4:
            return self.fed(tf.constant(number, dtype))
        if kind == 5 and number > 0:
            factor = self.pick(k for k in (1, 2, 3) if number % k == 0)
            return self.one(lambda t: raw.Prod(input=t, axis=[0]),
                            self.param([number // factor, factor], dtype),
                            keep=False)
        return self.const(tf.constant(number, dtype))

    # ---- A graph -----------------------------------------------------------

    def step(self, name):
        try:
            OPS[name](self)
            self.made.append(name)
        except (Infeasible, *REFUSED) as why:
            self.infeasible.append((name, str(why).splitlines()[:1]))


def _flat(made):
    """What an op gives, as a list of tensors."""
    if isinstance(made, tf.Tensor):
        return [made]
    if isinstance(made, tf.Operation) or made is None:
        return []
    return [tensor for part in made for tensor in _flat(part)]


def draw_graph(choose, graph, scope, most_ops=8):
    """One random graph under that name; the Drawer knows what was made."""
    drawer = Drawer(choose, graph)
    names = sorted(OPS)
    with graph.name_scope(scope):
        for _ in range(1 + choose(most_ops)):
            drawer.step(names[choose(len(names))])
    return drawer
