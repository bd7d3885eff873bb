"""Random ops: what joins, cuts, picks, moves and makes elements."""

import numpy as np
import tensorflow as tf

from random_graphs import (BOOL, F32, I32, I64, NUMERIC, Infeasible, numbers,
                           op, raw)
from random_ops import axes_of

# ---- Joining and cutting ----------------------------------------------------


def others_along(d, x, axis, count):
    """Values that differ from x in that axis only, if at all."""
    for _ in range(count):
        shape = list(x.shape)
        shape[axis] = d.int(1, 4)
        yield d.source(shape, x.dtype)


@op
def concat_v2(d):
    x = d.value(low=1, dtype=(F32, I32))
    axis = d.int(-x.rank, x.rank - 1)
    values = [x, *others_along(d, x, axis, d.int(1, 3))]
    d.add(lambda a, *t: raw.ConcatV2(values=t, axis=a),
          d.param(axis, d.pick([I32, I64])), *values)


@op
def concat(d):
    x = d.value(low=1)
    axis = d.int(0, x.rank - 1)
    values = [x, *others_along(d, x, axis, d.int(1, 2))]
    d.add(lambda a, *t: raw.Concat(values=t, concat_dim=a), d.param(axis),
          *values)


@op
def concat_offset(d):
    x = d.value(low=1)
    axis = d.int(0, x.rank - 1)
    more = [d.param(v.shape) for v in (x, *others_along(d, x, axis, 1))]
    d.add(lambda a, *t: raw.ConcatOffset(concat_dim=a, shape=t),
          d.param(axis), *more)


@op
def split(d):
    x = d.value(low=1)
    axis = d.int(-x.rank, x.rank - 1)
    parts = d.pick(n for n in (1, 2, 3, 4) if x.shape[axis] % n == 0)
    d.add(lambda a, x: raw.Split(axis=a, value=x, num_split=parts),
          d.param(axis), x)


@op
def split_v(d):
    x = d.value(low=1)
    axis = d.int(-x.rank, x.rank - 1)
    left, sizes = x.shape[axis], []
    for _ in range(d.int(0, 2)):
        sizes.append(d.int(0, left))
        left -= sizes[-1]
    sizes.append(left)
    if len(sizes) > 1 and d.rarely(3):
        sizes[d.choose(len(sizes))] = -1
    parts = len(sizes)
    d.add(lambda x, s, a: raw.SplitV(value=x, size_splits=s, axis=a,
                                     num_split=parts),
          x, d.param(sizes, d.pick([I32, I64])), d.param(axis))


@op
def pack(d):
    x = d.value(dtype=(F32, I32))
    axis = d.int(-x.rank - 1, x.rank)
    more = [d.source(x.shape, x.dtype) for _ in range(d.int(0, 3))]
    d.add(lambda *t: raw.Pack(values=t, axis=axis), x, *more)


@op
def unpack(d):
    x = d.value(low=1, fits=lambda v: 0 < min(v.shape) < 6)
    axis = d.int(-x.rank, x.rank - 1)
    count = x.shape[axis]
    d.add(lambda x: raw.Unpack(value=x, num=count, axis=axis), x)


@op
def slice_(d):
    x = d.value()
    begin = [d.int(0, dim) for dim in x.shape]
    size = [-1 if d.rarely(4) else d.int(0, dim - at)
            for dim, at in zip(x.shape, begin)]
    dtype = d.pick([I32, I64])
    d.add(lambda x, b, s: raw.Slice(input=x, begin=b, size=s), x,
          d.param(begin, dtype), d.param(size, dtype))


def spec(d, rank, shape):
    """begin, end, strides and the five masks of a strided slice."""
    count = d.int(0, rank)
    begin, end, strides = [], [], []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask",
                           "new_axis_mask", "shrink_axis_mask"), 0)
    at, left = 0, count
    while left > 0 or d.rarely(8):
        bit, kind = 1 << len(begin), d.choose(10)
        if kind == 8:
            masks["new_axis_mask"] |= bit
        elif kind == 9 and not masks["ellipsis_mask"]:
            masks["ellipsis_mask"] |= bit
            at = rank - max(left - 1, 0)
            left -= 1
        elif left == 0 or at >= rank:
            break
        else:
            dim = shape[at]
            if kind == 7 and dim > 0:
                masks["shrink_axis_mask"] |= bit
            masks["begin_mask"] |= bit * d.rarely(4)
            masks["end_mask"] |= bit * d.rarely(4)
            begin.append(d.int(-dim, dim - 1) if kind == 7 and dim else
                         d.int(-dim - 1, dim + 1))
            if masks["shrink_axis_mask"] & bit:
                masks["begin_mask"] &= ~bit
            end.append(d.int(-dim - 1, dim + 2))
            strides.append(1 if masks["shrink_axis_mask"] & bit
                           else d.pick([1, 1, 2, 3, -1, -2]))
            at, left = at + 1, left - 1
            continue
        begin.append(0)
        end.append(0)
        strides.append(1)
    return begin, end, strides, masks


@op
def strided_slice(d):
    x = d.value(dtype=(F32, I32))
    begin, end, strides, masks = spec(d, x.rank, x.shape)
    dtype = d.pick([I32, I64])
    made = [d.param(row, dtype) for row in (begin, end, strides)]
    if d.rarely(5):
        y = raw.StridedSlice(input=x.con, **masks, **{
            name: tf.constant(row, dtype) for name, row in (
                ("begin", begin), ("end", end), ("strides", strides))})
        d.add(lambda shape, b, e, s, dy: raw.StridedSliceGrad(
            shape=shape, begin=b, end=e, strides=s, dy=dy, **masks),
            d.param(x.shape, dtype), *made,
            d.source(y.shape.as_list(), x.dtype))
    else:
        d.add(lambda x, b, e, s: raw.StridedSlice(
            input=x, begin=b, end=e, strides=s, **masks), x, *made)


# ---- Picking elements -------------------------------------------------------


def indices_below(d, shape, bound, dtype):
    if bound == 0:
        raise Infeasible
    return d.source(None, con=numbers(shape, dtype) % bound)


@op
def gather_v2(d):
    x = d.value(low=1)
    batch = d.choose(3) % (x.rank + 1)
    axis = d.int(batch, x.rank)
    axis = min(axis, x.rank - 1)
    batch = min(batch, axis)
    shape = x.shape[:batch] + d.dims(d.int(0, 2), 1, 3)
    index = indices_below(d, shape, x.shape[axis], d.pick([I32, I64]))
    given = axis - x.rank if d.rarely(4) else axis
    batch = batch - index.rank if batch and d.rarely(4) else batch
    d.add(lambda x, i, a: raw.GatherV2(params=x, indices=i, axis=a,
                                       batch_dims=batch),
          x, index, d.param(given))


@op
def gather(d):
    x = d.value(low=1)
    d.add(lambda x, i: raw.Gather(params=x, indices=i), x,
          indices_below(d, d.dims(d.int(0, 2), 1, 3), x.shape[0], I32))


@op
def gather_nd(d):
    x = d.value(low=1)
    depth = d.int(0, x.rank)
    if min(x.shape) == 0:
        raise Infeasible
    bound = min(x.shape[:depth], default=1)
    index = indices_below(d, [*d.dims(d.int(0, 2), 1, 3), depth], bound,
                          d.pick([I32, I64]))
    d.add(lambda x, i: raw.GatherNd(params=x, indices=i), x, index)


def scatter_parts(d, x):
    """Indices into x and updates for them."""
    depth = d.int(1, x.rank)
    if min(x.shape) == 0:
        raise Infeasible
    outer = d.dims(d.int(1, 2), 1, 3)
    index = indices_below(d, [*outer, depth], min(x.shape[:depth]), I32)
    return index, d.source(outer + x.shape[depth:])


@op
def scatter_nd(d):
    x = d.value(low=1)
    index, updates = scatter_parts(d, x)
    d.add(lambda i, u, s: raw.ScatterNd(indices=i, updates=u, shape=s), index,
          updates, d.param(x.shape))


@op
def tensor_scatter(d):
    x = d.value(low=1)
    kind = d.pick([raw.TensorScatterUpdate, raw.TensorScatterAdd])
    d.add(lambda x, i, u: kind(tensor=x, indices=i, updates=u), x,
          *scatter_parts(d, x))


@op
def where(d):
    x = d.varying(d.value(low=1, dtype=(BOOL, F32)))
    d.add(lambda x: raw.Where(condition=x), x)


@op
def unique(d):
    x = d.varying(d.value(rank=1, dtype=(F32, I32)))
    kind = d.choose(3)
    if kind == 0:
        d.add(lambda x: raw.Unique(x=x), x)
    elif kind == 1:
        d.add(lambda x: raw.UniqueWithCounts(x=x), x)
    else:
        x = d.varying(d.value(low=1))
        d.add(lambda x, a: raw.UniqueV2(x=x, axis=a), x,
              d.param([d.choose(x.rank)], I64))


@op
def list_diff(d):
    d.add(lambda x, y: raw.ListDiff(x=x, y=y), d.varying(d.value(rank=1)),
          d.value(rank=1))


@op
def dynamic_partition(d):
    x = d.varying(d.value(low=1))
    parts = numbers(x.shape[:d.int(0, x.rank)], I32) % 2
    d.add(lambda x, p: raw.DynamicPartition(data=x, partitions=p,
                                            num_partitions=2),
          x, d.source(None, con=parts))


@op
def dynamic_stitch(d):
    x = d.value(low=1, fits=lambda v: 0 < v.shape[0] < 9)
    index = d.param(list(range(x.shape[0])))
    more = d.param([x.shape[0]])
    kind = d.pick([raw.DynamicStitch, raw.ParallelDynamicStitch])
    d.add(lambda i, j, x, y: kind(indices=[i, j], data=[x, y]), index, more, x,
          d.source([1, *x.shape[1:]]))


# ---- Moving elements --------------------------------------------------------


@op
def pad(d):
    x = d.value()
    kind = d.choose(3)
    most = 2 if kind < 2 else min([2, *(dim - 1 for dim in x.shape)])
    if most < 0:
        raise Infeasible
    pads = d.param([[d.int(0, most), d.int(0, most)] for _ in x.shape]
                   if x.rank else np.zeros([0, 2]), d.pick([I32, I64]),
                   constant=True)
    if d.rarely(4):
        pads = d.fed(pads.con)
    if kind == 0:
        d.add(lambda x, p: raw.Pad(input=x, paddings=p), x, pads)
    elif kind == 1:
        d.add(lambda x, p: raw.PadV2(input=x, paddings=p,
                                     constant_values=1.0), x, pads)
    else:
        mode = d.pick(["REFLECT", "SYMMETRIC"])
        d.add(lambda x, p: raw.MirrorPad(input=x, paddings=p, mode=mode), x,
              pads)


@op
def tile(d):
    x = d.value(high=3)
    d.add(lambda x, m: raw.Tile(input=x, multiples=m), x,
          d.param([d.int(1, 3) for _ in x.shape], d.pick([I32, I64])))


@op
def transpose(d):
    x = d.value(dtype=(F32, I32))
    order = d.some(range(x.rank), least=x.rank)
    kind = raw.Transpose
    if x.rank > 0 and d.rarely(3):  # of a scalar it ends the process
        kind = raw.ConjugateTranspose
    d.add(lambda x, p: kind(x=x, perm=p), x,
          d.param(order, d.pick([I32, I64])))


def factors(d, count):
    """A shape of that many elements."""
    shape = []
    while count > 1 and len(shape) < 4 and not d.rarely(5):
        part = d.pick(k for k in range(1, min(count, 12) + 1)
                      if count % k == 0)
        shape.append(part)
        count //= part
    shape.insert(d.choose(len(shape) + 1), count)
    return shape


@op
def reshape(d):
    x = d.value(dtype=(F32, I32))
    shape = factors(d, x.elements)
    if d.bool() and np.prod([k for k in shape if k != shape[0]]) > 0:
        shape[d.choose(len(shape))] = -1
    d.add(lambda x, s: raw.Reshape(tensor=x, shape=s), x,
          d.param(shape, d.pick([I32, I32, I64])))


@op
def flatten(d):
    """As models do: the batch from the shape, the rest -1 or computed."""
    x = d.value(low=2, fits=lambda v: v.elements > 0)
    batch = d.one(lambda t: raw.StridedSlice(
        input=raw.Shape(input=t), begin=[0], end=[1], strides=[1],
        shrink_axis_mask=1), x, keep=False)
    if d.bool():
        rest = d.const(tf.constant(-1, I32))
    else:
        rest = d.one(lambda t: raw.Prod(input=raw.StridedSlice(
            input=raw.Shape(input=t), begin=[1], end=[0], strides=[1],
            end_mask=1), axis=[0]), x, keep=False)
    if d.rarely(3):
        rest = d.one(lambda a: raw.Mul(x=a, y=1), rest, keep=False)
    d.add(lambda x, a, b: raw.Reshape(tensor=x, shape=raw.Pack(values=[a, b])),
          x, batch, rest)


@op
def reshape_by_parts(d):
    """[batch..., rest]: the front of a shape and computed numbers."""
    x = d.value(low=2, fits=lambda v: v.elements > 0)
    at = d.int(1, x.rank - 1)
    last = d.bool()

    def build(t):
        shape = raw.Shape(input=t)
        front = raw.StridedSlice(input=shape, begin=[0], end=[at], strides=[1],
                                 begin_mask=1)
        back = raw.StridedSlice(input=shape, begin=[at], end=[0], strides=[1],
                                end_mask=1)
        size = raw.Prod(input=back, axis=[0], keep_dims=True)
        if last:
            size = raw.FloorDiv(x=raw.Prod(input=shape, axis=[0],
                                           keep_dims=True),
                                y=raw.Prod(input=front, axis=[0],
                                           keep_dims=True))
        return raw.Reshape(tensor=t, shape=raw.ConcatV2(values=[front, size],
                                                        axis=0))
    d.add(build, x)


@op
def expand_dims(d):
    x = d.value(dtype=(*NUMERIC, BOOL), high=5)
    d.add(lambda x, a: raw.ExpandDims(input=x, axis=a), x,
          d.param(d.int(-x.rank - 1, x.rank), d.pick([I32, I64])))


@op
def squeeze(d):
    x = d.value(dtype=(F32, I32))
    ones = [i for i, dim in enumerate(x.shape) if dim == 1]
    axes = [i - x.rank if d.rarely(3) else i for i in d.some(ones)]
    d.add(lambda x: raw.Squeeze(input=x, axis=axes), x)


@op
def broadcast_to(d):
    x = d.value(high=3)
    shape = [d.int(1, 4) if dim == 1 else dim for dim in x.shape]
    shape = d.dims(d.int(0, 2), 1, 3) + shape
    d.add(lambda x, s: raw.BroadcastTo(input=x, shape=s), x,
          d.param(shape, d.pick([I32, I64])))


@op
def reverse(d):
    x = d.value(dtype=(F32, I32))
    d.add(lambda x, a: raw.ReverseV2(tensor=x, axis=a), x,
          d.param(axes_of(d, x.rank)))


@op
def reverse_sequence(d):
    x = d.value(low=2, fits=lambda v: min(v.shape) > 0)
    batch, time = d.some(range(x.rank), least=2, most=2)
    lengths = tf.ones([x.shape[batch]], I64)
    d.add(lambda x, n: raw.ReverseSequence(
        input=x, seq_lengths=n, seq_dim=time, batch_dim=batch), x,
        d.source(None, con=lengths))


@op
def roll(d):
    x = d.value(low=1)
    d.add(lambda x, a: raw.Roll(input=x, shift=1, axis=a), x,
          d.param(d.choose(x.rank)))


@op
def space_batch(d):
    """Blocks of pixels to the batch and back."""
    block = [d.int(1, 3) for _ in range(d.int(1, 2))]
    dtype = d.pick([I32, I64])
    if d.bool():
        x = d.source([2, *(k * d.int(1, 3) for k in block),
                      *d.dims(d.choose(2))])
        pads = [[d.choose(2) * k, d.choose(2) * k] for k in block]
        d.add(lambda x, b, p: raw.SpaceToBatchND(
            input=x, block_shape=b, paddings=p), x, d.param(block, dtype),
            d.param(pads, dtype, constant=True))
    else:
        x = d.source([2 * int(np.prod(block)), *(d.int(2, 4) for _ in block),
                      *d.dims(d.choose(2))])
        crops = [[d.choose(2), d.choose(2)] for _ in block]
        d.add(lambda x, b, c: raw.BatchToSpaceND(
            input=x, block_shape=b, crops=c), x,
            d.param(block, dtype, constant=True),
            d.param(crops, dtype, constant=True))


# ---- From numbers -----------------------------------------------------------


@op
def shape_facts(d):
    x = d.value(dtype=(*NUMERIC, BOOL))
    kind, to = d.choose(4), d.pick([I32, I64])
    if kind == 0:
        d.add(lambda x: raw.Shape(input=x, out_type=to), x)
    elif kind == 1:
        d.add(lambda x: raw.Size(input=x, out_type=to), x)
    elif kind == 2:
        d.add(lambda x: raw.Rank(input=x), x)
    else:
        d.add(lambda x, y: raw.ShapeN(input=[x, y], out_type=to), x,
              d.source(d.dims(d.int(0, 3)), x.dtype))


@op
def fill(d):
    shape = d.param(d.dims(d.int(0, 3), 1, 4), d.pick([I32, I64]))
    d.add(lambda s, v: raw.Fill(dims=s, value=v), shape, d.source([]))


@op
def range_(d):
    step = d.pick([1, 1, 2, 3, -1])
    start = d.int(0, 3)
    limit = start + step * d.int(0, 5)
    dtype = d.pick([I32, I32, I64])
    d.add(lambda a, b, c: raw.Range(start=a, limit=b, delta=c),
          *(d.param(k, dtype) for k in (start, limit, step)))


@op
def range_of_floats(d):
    limit = d.int(0, 9) / d.pick([1, 2, 4])
    step = d.pick([1.0, 0.5, 0.3])
    d.add(lambda a, b, c: raw.Range(start=a, limit=b, delta=c),
          d.source([], con=tf.constant(0.0)),
          d.source([], con=tf.constant(limit)),
          d.const(tf.constant(step)))


@op
def lin_space(d):
    d.add(lambda n: raw.LinSpace(start=0.0, stop=2.0, num=n),
          d.param(d.int(1, 6)))


@op
def one_hot(d):
    x = d.value(dtype=(I32, I64), high=3)
    axis = d.int(-1, x.rank)
    d.add(lambda x, n: raw.OneHot(indices=x, depth=n, on_value=1.0,
                                  off_value=0.0, axis=axis), x,
          d.param(d.int(0, 5)))


@op
def random_values(d):
    shape = d.param(d.dims(d.int(0, 3), 1, 4), d.pick([I32, I64]))
    kind = d.choose(6)
    if kind == 0:
        d.add(lambda s: raw.RandomUniform(shape=s, dtype=F32), shape)
    elif kind == 1:
        d.add(lambda s: raw.RandomStandardNormal(shape=s, dtype=F32), shape)
    elif kind == 2:
        d.add(lambda s: raw.TruncatedNormal(shape=s, dtype=F32), shape)
    elif kind == 3:
        d.add(lambda s: raw.RandomUniformInt(shape=s, minval=0, maxval=9),
              shape)
    elif kind == 4:
        d.add(lambda s: raw.StatelessRandomUniform(shape=s, seed=[1, 2]),
              shape)
    else:
        d.add(lambda s: raw.StatelessRandomUniformV2(
            shape=s, alg=1,
            **raw.StatelessRandomGetKeyCounter(seed=[1, 2])._asdict()), shape)


@op
def multinomial(d):
    x = d.value(rank=2, fits=lambda v: min(v.shape) > 0)
    d.add(lambda x, n: raw.Multinomial(logits=x, num_samples=n), x,
          d.param(d.int(1, 4)))


@op
def random_shuffle(d):
    d.add(lambda x: raw.RandomShuffle(value=x), d.value(low=1))


@op
def diagonal(d):
    x = d.value(low=1, high=2, size=(1, 3))
    if d.bool():
        d.add(lambda x: raw.Diag(diagonal=x), x)
    else:
        d.add(lambda x: raw.DiagPart(input=x), d.source(x.shape * 2))


@op
def invert_permutation(d):
    order = d.some(range(4), least=4)
    d.add(lambda x: raw.InvertPermutation(x=x), d.param(order))


@op
def ensure_shape(d):
    x = d.value()
    shape = d.weaken(x.shape) or [None] * x.rank
    d.add(lambda x: raw.EnsureShape(input=x, shape=shape), x)


@op
def strings(d):
    x = d.value(dtype=tf.string, high=2)
    kind = d.choose(3)
    if kind == 0:
        d.add(lambda x: raw.StringLower(input=x), x)
    elif kind == 1:
        d.add(lambda x, y: raw.StringJoin(inputs=[x, y]), x,
              d.source(x.shape if d.bool() else [], tf.string))
    else:
        d.add(lambda x: raw.AsString(input=x), d.value(dtype=NUMERIC))
