"""Random ops: arithmetic, comparisons and reductions."""

import numpy as np
import tensorflow as tf

from random_graphs import BOOL, C64, F32, I32, I64, NUMERIC, numbers, op, raw

# ---- One element to one -----------------------------------------------------

UNARY = """Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Digamma Erf Erfc
    Exp Expm1 Floor Inv Lgamma Log Log1p Neg Reciprocal Rint Round Rsqrt
    Sigmoid Sign Sin Sinh Sqrt Square Tan Tanh OnesLike ZerosLike IsFinite
    IsInf IsNan BesselI0e""".split()
FEATURES = """Elu LeakyRelu Relu Relu6 Selu Softplus Softsign""".split()
AS_IT_IS = """Identity StopGradient Snapshot PreventGradient""".split()
GRADIENTS = """SigmoidGrad TanhGrad SqrtGrad RsqrtGrad ReciprocalGrad
    InvGrad""".split()
FEATURE_GRADIENTS = """ReluGrad Relu6Grad SoftplusGrad SoftsignGrad
    LeakyReluGrad""".split()


@op
def unary(d):
    kind = getattr(raw, d.pick(UNARY))
    d.add(lambda x: kind(x=x), d.value())


@op
def activation(d):
    kind = getattr(raw, d.pick(FEATURES))
    d.add(lambda x: kind(features=x), d.value())


@op
def as_it_is(d):
    kind = getattr(raw, d.pick(AS_IT_IS))
    d.add(lambda x: kind(input=x), d.value(dtype=(*NUMERIC, BOOL)))


@op
def softmax(d):
    kind = d.pick([raw.Softmax, raw.LogSoftmax])
    d.add(lambda x: kind(logits=x), d.value(low=1))


@op
def gradient_of_unary(d):
    x = d.value()
    if d.bool():
        kind = getattr(raw, d.pick(GRADIENTS))
        d.add(lambda x, y: kind(y=x, dy=y), x, d.source(x.shape))
    else:
        kind = getattr(raw, d.pick(FEATURE_GRADIENTS))
        d.add(lambda x, y: kind(gradients=x, features=y), d.source(x.shape), x)


@op
def cast(d):
    to = d.pick([*NUMERIC, BOOL, C64, tf.float16])
    d.add(lambda x: raw.Cast(x=x, DstT=to), d.value(dtype=(*NUMERIC, BOOL)))


@op
def bitcast(d):
    x = d.value(dtype=(F32, I32, I64))
    sizes = [t for t in (I32, I64, tf.uint8, tf.float16)
             if t.size <= x.dtype.size or x.shape[-1:] == [2]]
    to = d.pick(sizes)
    d.add(lambda x: raw.Bitcast(input=x, type=to), x)


@op
def limits(d):
    kind = d.choose(4)
    x = d.value()
    if kind == 0:
        d.add(lambda x, a, b: raw.ClipByValue(
            t=x, clip_value_min=a, clip_value_max=b), x,
            d.source([]), d.source([]))
    elif kind == 1:
        d.add(lambda x: raw.FakeQuantWithMinMaxArgs(inputs=x), x)
    elif kind == 2:
        d.add(lambda x: raw.QuantizeAndDequantizeV2(
            input=x, input_min=0.0, input_max=4.0), x)
    else:
        d.add(lambda x: raw.CheckNumerics(tensor=x, message="m"), x)


@op
def parts_of_complex(d):
    kind = d.choose(3)
    if kind == 0:
        d.add(lambda x, y: raw.Complex(real=x, imag=y), *broadcast_pair(d))
        return
    x = d.value(dtype=C64)
    part = d.pick([raw.Real, raw.Imag, raw.ComplexAbs, raw.Angle])
    if kind == 1 and part is not raw.ComplexAbs:
        d.add(lambda x: part(input=x), x)
    elif part is raw.ComplexAbs:
        d.add(lambda x: part(x=x), x)
    else:
        d.add(lambda x: raw.Conj(input=x), x)


@op
def not_or_invert(d):
    if d.bool():
        d.add(lambda x: raw.LogicalNot(x=x), d.value(dtype=BOOL))
    else:
        d.add(lambda x: raw.Invert(x=x), d.value(dtype=(I32, I64)))


@op
def l2_loss(d):
    d.add(lambda x: raw.L2Loss(t=x), d.value())


# ---- Two by two, broadcast --------------------------------------------------

BINARY = """Add AddV2 Sub Mul RealDiv Div DivNoNan Maximum Minimum Pow
    SquaredDifference FloorDiv FloorMod Atan2 Xlogy Xdivy Mod MulNoNan
    TruncateDiv TruncateMod""".split()
ONLY_FLOAT = {"RealDiv", "DivNoNan", "Atan2", "Xlogy", "Xdivy", "MulNoNan"}
ONLY_INT = {"TruncateDiv", "TruncateMod"}
COMPARE = """Less LessEqual Greater GreaterEqual Equal NotEqual""".split()


def broadcast_shape(d, shape):
    """A shape that goes with that one."""
    shape = [1 if d.rarely(3) else dim for dim in shape]
    cut = d.choose(len(shape) + 1) if d.rarely(3) else 0
    shape = shape[cut:]
    if d.rarely(5) and len(shape) < 5:
        shape = d.dims(1, 1, 3) + shape if cut == 0 else shape
    return shape


def broadcast_pair(d, dtype=F32):
    x = d.value(dtype=dtype)
    there = [v for v in d.pool if v.dtype == x.dtype and goes_with(v, x)]
    if there and d.bool():
        y = d.pick(there)
    else:
        y = d.source(broadcast_shape(d, x.shape), x.dtype)
    return (x, y) if d.bool() else (y, x)


def goes_with(a, b):
    return all(m == n or 1 in (m, n)
               for m, n in zip(a.shape[::-1], b.shape[::-1]))


@op
def binary(d):
    name = d.pick(BINARY)
    kind = getattr(raw, name)
    dtype = (F32 if name in ONLY_FLOAT else I32 if name in ONLY_INT
             else (F32, F32, I32))
    d.add(lambda x, y: kind(x=x, y=y), *broadcast_pair(d, dtype))


@op
def arithmetic(d):
    """The everyday ones more often."""
    kind = d.pick([raw.AddV2, raw.Mul, raw.Sub])
    d.add(lambda x, y: kind(x=x, y=y), *broadcast_pair(d, NUMERIC))


@op
def comparison(d):
    kind = getattr(raw, d.pick(COMPARE))
    d.add(lambda x, y: kind(x=x, y=y), *broadcast_pair(d, (F32, I32)))


@op
def equal_or_not(d):
    """Shapes that do not go together are no error when it says so."""
    kind = d.pick([raw.Equal, raw.NotEqual])
    x, y = broadcast_pair(d)
    strict = d.bool()
    if not strict and d.bool():
        y = d.value()
    d.add(lambda x, y: kind(x=x, y=y, incompatible_shape_error=strict), x, y)


@op
def logical(d):
    kind = d.pick([raw.LogicalAnd, raw.LogicalOr])
    d.add(lambda x, y: kind(x=x, y=y), *broadcast_pair(d, BOOL))


@op
def bitwise(d):
    kind = d.pick([raw.BitwiseAnd, raw.BitwiseOr, raw.BitwiseXor,
                   raw.LeftShift])
    d.add(lambda x, y: kind(x=x, y=y), *broadcast_pair(d, (I32, I64)))


@op
def approximate_equal(d):
    x = d.value()
    d.add(lambda x, y: raw.ApproximateEqual(x=x, y=y), x, d.source(x.shape))


@op
def add_n(d):
    x = d.value()
    more = [d.source(x.shape) for _ in range(d.int(0, 3))]
    kind = d.choose(4)
    if kind == 3 and None not in x.shape:
        d.add(lambda *t: raw.AccumulateNV2(inputs=t, shape=x.shape), x, *more,
              run=False)
    else:
        d.add(lambda *t: raw.AddN(inputs=t), x, *more)


@op
def betainc(d):
    x = d.value()
    others = [d.source(x.shape if d.bool() else []) for _ in range(2)]
    d.add(lambda a, b, x: raw.Betainc(a=a, b=b, x=x), *others, x)


@op
def select(d):
    x = d.value()
    y = d.source(x.shape)
    kind = d.choose(3)
    shape = x.shape if kind == 0 else x.shape[:1] if kind == 1 else []
    d.add(lambda c, x, y: raw.Select(condition=c, x=x, y=y),
          d.source(shape, BOOL), x, y)


@op
def select_v2(d):
    x, y = broadcast_pair(d)
    both = np.broadcast_shapes(x.shape, y.shape)
    c = d.source(broadcast_shape(d, both), BOOL)
    d.add(lambda c, x, y: raw.SelectV2(condition=c, t=x, e=y), c, x, y)


@op
def broadcast_arguments(d):
    x, y = broadcast_pair(d)
    if d.bool():
        d.add(lambda a, b: raw.BroadcastArgs(s0=a, s1=b),
              d.param(x.shape), d.param(y.shape))
    else:
        d.add(lambda a, b: raw.BroadcastGradientArgs(s0=a, s1=b),
              d.param(x.shape), d.param(y.shape))


# ---- Reductions -------------------------------------------------------------

REDUCE = """Sum Mean Max Min Prod EuclideanNorm""".split()


def axes_of(d, rank, least=0):
    """Axes of a reduction, some counted from the end."""
    axes = d.some(range(rank), least=least)
    return [axis - rank if d.rarely(3) else axis for axis in axes]


def reduce_with(d, kind, x, **attrs):
    axes = axes_of(d, x.rank)
    if len(axes) == 1 and d.bool():
        axes = axes[0]
    keep = d.bool()
    axis = d.param(axes, d.pick([I32, I32, I64]))
    d.add(lambda x, axis: kind(input=x, axis=axis, keep_dims=keep), x, axis)


@op
def reduction(d):
    name = d.pick(REDUCE)
    reduce_with(d, getattr(raw, name), d.value(dtype=(F32, F32, I32)))


@op
def reduction_of_bools(d):
    reduce_with(d, d.pick([raw.All, raw.Any]), d.value(dtype=BOOL))


@op
def arg_extreme(d):
    kind = d.pick([raw.ArgMax, raw.ArgMin])
    x = d.value(low=1)
    to = d.pick([I32, I64])
    d.add(lambda x, axis: kind(input=x, dimension=axis, output_type=to), x,
          d.param(d.int(-x.rank, x.rank - 1)))


@op
def cumulative(d):
    kind = d.pick([raw.Cumsum, raw.Cumprod])
    x = d.value(low=1)
    d.add(lambda x, axis: kind(x=x, axis=axis), x,
          d.param(d.int(-x.rank, x.rank - 1)))


@op
def cumulative_logsumexp(d):
    x = d.value(low=1)
    d.add(lambda x, axis: raw.CumulativeLogsumexp(x=x, axis=axis), x,
          d.param(d.int(-x.rank, x.rank - 1)))


@op
def top_k(d):
    x = d.value(low=1)
    k = d.int(0, x.shape[-1])
    d.add(lambda x, k: raw.TopKV2(input=x, k=k), x, d.param(k))


@op
def in_top_k(d):
    x = d.value(rank=2)
    targets = tf.constant([0] * x.shape[0], I32)
    d.add(lambda x, t: raw.InTopKV2(predictions=x, targets=t, k=1), x,
          d.source(None, con=targets))


@op
def nth_element(d):
    x = d.value(low=1)
    d.add(lambda x, n: raw.NthElement(input=x, n=n), x, d.param(0))


@op
def segments(d):
    x = d.varying(d.value(low=1))
    kind = d.pick([raw.SegmentSum, raw.SegmentMax, raw.SegmentMean])
    ids = tf.constant(np.sort(np.arange(x.shape[0]) // 2), I32)
    d.add(lambda x, ids: kind(data=x, segment_ids=ids), x,
          d.source(None, con=ids))


@op
def unsorted_segments(d):
    x = d.value(low=1)
    kind = d.pick([raw.UnsortedSegmentSum, raw.UnsortedSegmentMax])
    depth = d.int(0, x.rank)
    ids = numbers(x.shape[:depth], I32) % 3
    d.add(lambda x, ids, n: kind(data=x, segment_ids=ids, num_segments=n), x,
          d.source(None, con=ids), d.param(d.int(3, 5)))


@op
def bincount(d):
    x = d.value(dtype=I32, low=1, high=2)
    size = d.param(d.int(1, 6))
    if d.bool():
        d.add(lambda x, n: raw.Bincount(arr=x, size=n, weights=tf.zeros([0])),
              x, size)
    else:
        d.add(lambda x, n: raw.DenseBincount(
            input=x, size=n, weights=tf.zeros([0])), x, size)
