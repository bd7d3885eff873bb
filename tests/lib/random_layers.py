"""Random ops: convolutions, pools, products of matrices, cells and images."""

import numpy as np
import tensorflow as tf

from random_graphs import C64, F32, I32, I64, Infeasible, numbers, op, raw

# ---- Convolutions -----------------------------------------------------------


def out_size(size, k, stride, dilation, padding, pads=(0, 0)):
    reach = (k - 1) * dilation + 1
    if padding == "SAME":
        return -(-size // stride)
    return (size + sum(pads) - reach) // stride + 1


class Window:
    """How a filter moves over `rank` spatial dimensions."""

    def __init__(self, d, rank, explicit=True, dilates=True, layouts=True,
                 same_strides=False):
        self.rank = rank
        last = "NHWC" if rank == 2 else "NDHWC"
        first = "NCHW" if rank == 2 else "NCDHW"
        self.layout = first if layouts and d.rarely(4) else last
        self.k = [d.int(1, 3) for _ in range(rank)]
        self.strides = [d.int(1, 3) for _ in range(rank)]
        if same_strides:
            self.strides = self.strides[:1] * rank
        self.dilations = [1] * rank
        if dilates and d.rarely(3):
            self.dilations = [d.int(1, 2) for _ in range(rank)]
            self.strides = [1] * rank
        self.padding = d.pick(["SAME", "VALID", "EXPLICIT"]
                              if explicit and rank == 2 else ["SAME", "VALID"])
        self.pads = [(d.choose(3), d.choose(3)) for _ in range(rank)]
        if self.padding != "EXPLICIT":
            self.pads = [(0, 0)] * rank

    @property
    def is_first(self):
        return self.layout in ("NCHW", "NCDHW")

    def full(self, spatial, batch=1, channels=1):
        if self.is_first:
            return [batch, channels, *spatial]
        return [batch, *spatial, channels]

    def attrs(self):
        out = {"strides": self.full(self.strides), "padding": self.padding,
               "data_format": self.layout}
        if self.padding == "EXPLICIT":
            out["explicit_paddings"] = [
                pad for pair in self.full(self.pads, (0, 0), (0, 0))
                for pad in pair]
        return out

    def conv_attrs(self):
        return {**self.attrs(), "dilations": self.full(self.dilations)}

    def output(self, spatial):
        return [out_size(*row, self.padding, pads) for *row, pads in zip(
            spatial, self.k, self.strides, self.dilations, self.pads)]


def image(d, w, channels=None, size=(5, 8)):
    """A value to slide over, and its spatial sizes and channels."""
    def fits(v):
        spatial = v.shape[2:] if w.is_first else v.shape[1:-1]
        depth = v.shape[1] if w.is_first else v.shape[-1]
        return (min(spatial) >= 5 and 0 < depth < 9 and v.shape[0] > 0
                and (channels is None or depth == channels))

    def new():
        return w.full([d.int(*size) for _ in range(w.rank)], d.int(1, 3),
                      channels or d.int(1, 4))
    x = d.value(rank=w.rank + 2, fits=fits, new=new)
    if w.is_first:
        return x, x.shape[2:], x.shape[1]
    return x, x.shape[1:-1], x.shape[-1]


@op
def conv2d(d):
    w = Window(d, 2)
    x, _, depth = image(d, w)
    groups = d.pick(k for k in (1, 1, 2, 3) if depth % k == 0)
    filters = d.source([*w.k, depth // groups, groups * d.int(1, 3)])
    d.add(lambda x, f: raw.Conv2D(input=x, filter=f, **w.conv_attrs()), x,
          filters, run=not w.is_first)


@op
def depthwise(d):
    w = Window(d, 2, same_strides=True)
    x, _, depth = image(d, w)
    filters = d.source([*w.k, depth, d.int(1, 2)])
    d.add(lambda x, f: raw.DepthwiseConv2dNative(
        input=x, filter=f, **w.conv_attrs()), x, filters,
        run=not w.is_first and max(w.dilations) == 1)


@op
def conv3d(d):
    w = Window(d, 3)
    x, _, depth = image(d, w)
    filters = d.source([*w.k, depth, d.int(1, 2)])
    d.add(lambda x, f: raw.Conv3D(input=x, filter=f, **w.conv_attrs()), x,
          filters, run=not w.is_first and max(w.dilations) == 1)


@op
def conv(d):
    """The op for any number of dimensions."""
    w = Window(d, d.pick([2, 3]), explicit=False, layouts=False)
    x, _, depth = image(d, w)
    filters = d.source([*w.k, depth, d.int(1, 2)])
    attrs = {"strides": w.full(w.strides), "padding": w.padding,
             "dilations": w.full(w.dilations)}
    d.add(lambda x, f: raw.Conv(input=x, filter=f, data_format="CHANNELS_LAST",
                                **attrs), x, filters, run=False)


def backprop_parts(d, rank):
    """A convolution, its input, its filter's shape and its gradient."""
    w = Window(d, rank, explicit=rank == 2)
    x, spatial, depth = image(d, w)
    if min(w.output(spatial)) < 1:
        raise Infeasible
    filters = [*w.k, depth, d.int(1, 3)]
    dy = d.source(w.full(w.output(spatial), x.shape[0], filters[-1]))
    return w, x, filters, dy


@op
def conv2d_backprop_input(d):
    w, x, filters, dy = backprop_parts(d, 2)
    d.add(lambda s, f, dy: raw.Conv2DBackpropInput(
        input_sizes=s, filter=f, out_backprop=dy, **w.conv_attrs()),
        d.param(x.shape), d.source(filters), dy, run=False)


@op
def conv2d_backprop_filter(d):
    w, x, filters, dy = backprop_parts(d, 2)
    d.add(lambda x, s, dy: raw.Conv2DBackpropFilter(
        input=x, filter_sizes=s, out_backprop=dy, **w.conv_attrs()), x,
        d.param(filters), dy, run=False)


@op
def conv3d_backprop(d):
    w, x, filters, dy = backprop_parts(d, 3)
    if d.bool():
        d.add(lambda s, f, dy: raw.Conv3DBackpropInputV2(
            input_sizes=s, filter=f, out_backprop=dy, **w.conv_attrs()),
            d.param(x.shape), d.source(filters), dy, run=False)
    else:
        d.add(lambda x, s, dy: raw.Conv3DBackpropFilterV2(
            input=x, filter_sizes=s, out_backprop=dy, **w.conv_attrs()), x,
            d.param(filters), dy, run=False)


@op
def depthwise_backprop(d):
    w = Window(d, 2, same_strides=True)
    x, spatial, depth = image(d, w)
    times = d.int(1, 2)
    if min(w.output(spatial)) < 1:
        raise Infeasible
    dy = d.source(w.full(w.output(spatial), x.shape[0], depth * times))
    filters = [*w.k, depth, times]
    if d.bool():
        d.add(lambda s, f, dy: raw.DepthwiseConv2dNativeBackpropInput(
            input_sizes=s, filter=f, out_backprop=dy, **w.conv_attrs()),
            d.param(x.shape), d.source(filters), dy, run=False)
    else:
        d.add(lambda x, s, dy: raw.DepthwiseConv2dNativeBackpropFilter(
            input=x, filter_sizes=s, out_backprop=dy, **w.conv_attrs()), x,
            d.param(filters), dy, run=False)


@op
def dilation2d(d):
    w = Window(d, 2, explicit=False, layouts=False)
    x, _, depth = image(d, w)
    d.add(lambda x, f: raw.Dilation2D(
        input=x, filter=f, strides=w.full(w.strides),
        rates=w.full(w.dilations), padding=w.padding), x,
        d.source([*w.k, depth]))


# ---- Pools ------------------------------------------------------------------


@op
def max_pool(d):
    w = Window(d, 2, dilates=False)
    x, _, _ = image(d, w)
    d.add(lambda x: raw.MaxPool(input=x, ksize=w.full(w.k), **w.attrs()), x,
          run=False)


@op
def avg_pool(d):
    w = Window(d, 2, explicit=False, dilates=False)
    x, _, _ = image(d, w)
    d.add(lambda x: raw.AvgPool(value=x, ksize=w.full(w.k), **w.attrs()), x,
          run=not w.is_first)


@op
def max_pool_v2(d):
    w = Window(d, 2, explicit=False, dilates=False)
    x, _, _ = image(d, w)
    d.add(lambda x, k, s: raw.MaxPoolV2(
        input=x, ksize=k, strides=s, padding=w.padding,
        data_format=w.layout), x, d.param(w.full(w.k)),
        d.param(w.full(w.strides)), run=not w.is_first)


@op
def pool3d(d):
    w = Window(d, 3, dilates=False)
    x, _, _ = image(d, w)
    kind = d.pick([raw.MaxPool3D, raw.AvgPool3D])
    d.add(lambda x: kind(input=x, ksize=w.full(w.k), **w.attrs()), x,
          run=not w.is_first)


@op
def max_pool_with_argmax(d):
    w = Window(d, 2, explicit=False, dilates=False, layouts=False)
    x, _, _ = image(d, w)
    d.add(lambda x: raw.MaxPoolWithArgmax(
        input=x, ksize=w.full(w.k), strides=w.full(w.strides),
        padding=w.padding), x)


@op
def pool_gradient(d):
    w = Window(d, 2, explicit=False, dilates=False)
    x, spatial, depth = image(d, w)
    if min(w.output(spatial)) < 1:
        raise Infeasible
    y = w.full(w.output(spatial), x.shape[0], depth)
    if d.bool():
        d.add(lambda x, y, dy: raw.MaxPoolGrad(
            orig_input=x, orig_output=y, grad=dy, ksize=w.full(w.k),
            **w.attrs()), x, d.source(y), d.source(y), run=False)
    else:
        d.add(lambda s, dy: raw.AvgPoolGrad(
            orig_input_shape=s, grad=dy, ksize=w.full(w.k), **w.attrs()),
            d.param(x.shape), d.source(y), run=False)


@op
def fractional_pool(d):
    x, _, _ = image(d, Window(d, 2, layouts=False))
    kind = d.pick([raw.FractionalMaxPool, raw.FractionalAvgPool])
    ratio = d.pick([1.0, 1.5, 2.0])
    d.add(lambda x: kind(value=x, pooling_ratio=[1.0, ratio, 1.5, 1.0]), x,
          run=False)


@op
def lrn(d):
    x, _, _ = image(d, Window(d, 2, layouts=False))
    d.add(lambda x: raw.LRN(input=x), x)


# ---- Bias and batch norm ----------------------------------------------------


@op
def bias_add(d):
    x = d.value(low=2)
    layout = "NCHW" if x.rank > 2 and d.rarely(4) else "NHWC"
    bias = [x.shape[1 if layout == "NCHW" else -1]]
    if d.rarely(5):
        d.add(lambda x: raw.BiasAddGrad(out_backprop=x, data_format=layout), x,
              run=layout == "NHWC")
    elif d.rarely(6):
        d.add(lambda x, b: raw.BiasAddV1(value=x, bias=b), x,
              d.source(x.shape[-1:]))
    else:
        d.add(lambda x, b: raw.BiasAdd(value=x, bias=b, data_format=layout), x,
              d.source(bias), run=layout == "NHWC")


@op
def batch_norm(d):
    w = Window(d, 2, explicit=False)
    x, _, depth = image(d, w)
    training = d.bool()
    kind = d.pick([raw.FusedBatchNormV3, raw.FusedBatchNormV3,
                   raw.FusedBatchNorm, raw.FusedBatchNormV2])
    rest = [d.source([depth]) for _ in range(2)]
    stats = [d.source([0 if training and d.bool() else depth])] * 2
    d.add(lambda x, a, b, m, v: kind(
        x=x, scale=a, offset=b, mean=m, variance=v, is_training=training,
        data_format=w.layout)[:5], x, *rest, *stats, run=False)


@op
def batch_norm_gradient(d):
    w = Window(d, 2, explicit=False, layouts=False)
    x, _, depth = image(d, w)
    parts = [d.source([depth]) for _ in range(4)]
    training = d.bool()
    d.add(lambda dy, x, a, b, c, e: raw.FusedBatchNormGradV3(
        y_backprop=dy, x=x, scale=a, reserve_space_1=b, reserve_space_2=c,
        reserve_space_3=e, is_training=training), d.source(x.shape), x, *parts,
        run=False)


# ---- Products of matrices ---------------------------------------------------


@op
def mat_mul(d):
    a = d.value(rank=2)
    left, right = d.bool(), d.bool()
    inner = a.shape[0 if left else 1]
    b = [inner, d.int(1, 5)]
    d.add(lambda a, b: raw.MatMul(a=a, b=b, transpose_a=left,
                                  transpose_b=right), a,
          d.source(b[::-1] if right else b))


@op
def batch_mat_mul(d):
    a = d.value(low=2)
    left, right = d.bool(), d.bool()
    kind = d.pick([raw.BatchMatMulV2, raw.BatchMatMulV2, raw.BatchMatMul,
                   raw.BatchMatMulV3])
    batch = a.shape[:-2]
    if kind is not raw.BatchMatMul:
        batch = [1 if d.rarely(3) else dim for dim in batch]
        batch = batch[d.choose(2):] if d.rarely(3) else batch
        if len(batch) == a.rank - 2 and d.rarely(4):
            batch = [d.int(1, 3), *batch]
    b = [a.shape[-2 if left else -1], d.int(1, 4)]
    b = batch + (b[::-1] if right else b)
    more = {"Tout": F32} if kind is raw.BatchMatMulV3 else {}
    d.add(lambda a, b: kind(x=a, y=b, adj_x=left, adj_y=right, **more), a,
          d.source(b))


EINSUM = """ab,bc->ac abc,cd->abd ab->ba ab->a abc->b aa->a ab,ab-> a,b->ab
    ab,b->a abcd,abed->abce abc,adc->abd ...a,ab->...b a...,b...->ab...
    ...ab,...bc->...ac ab...->ba... i...j->... abc,bcd->ad aab->ab
    ,ab->ab a...->a ...,...->...""".split()


@op
def einsum(d):
    equation = d.pick(EINSUM)
    sizes = {letter: d.int(1, 4) for letter in "abcdeij"}
    dots = d.dims(d.choose(3), 1, 3)
    values = []
    for term in equation.split("->")[0].split(","):
        head, marked, tail = term.partition("...")
        middle = dots if marked else []
        if marked and "," in equation and d.rarely(3):
            middle = middle[d.choose(len(middle) + 1):]
        middle = [1 if len(equation) > 12 and d.rarely(5) else dim
                  for dim in middle]
        values.append(d.source([*(sizes[c] for c in head), *middle,
                                *(sizes[c] for c in tail)]))
    d.add(lambda *t: raw.Einsum(inputs=t, equation=equation), *values)


@op
def sparse_product(d):
    b = d.value(rank=2, fits=lambda v: v.shape[0] > 0)
    index = tf.constant([[0, 0], [1, 0]], I64)
    d.add(lambda i, v, s, b: raw.SparseTensorDenseMatMul(
        a_indices=i, a_values=v, a_shape=s, b=b),
        d.source(None, con=index), d.source([2]),
        d.param([d.int(2, 4), b.shape[0]], I64), b)


@op
def cross_entropy(d):
    x = d.value(rank=2, fits=lambda v: min(v.shape) > 0)
    if d.bool():
        d.add(lambda x, y: raw.SoftmaxCrossEntropyWithLogits(
            features=x, labels=y), x,
            d.source([x.shape[0] if d.bool() else 1, x.shape[1]]))
    else:
        labels = tf.zeros([x.shape[0]], d.pick([I32, I64]))
        d.add(lambda x, y: raw.SparseSoftmaxCrossEntropyWithLogits(
            features=x, labels=y), x, d.source(None, con=labels))


# ---- Linear algebra and transforms ------------------------------------------


def square(d):
    """Matrices that can be inverted."""
    n = d.int(1, 4)
    batch = d.dims(d.choose(3), 1, 3)
    matrix = np.eye(n) * n + np.ones([n, n]) * 0.1
    return d.fed(tf.constant(np.broadcast_to(matrix, [*batch, n, n]), F32))


SQUARE = """Cholesky MatrixInverse MatrixDeterminant LogMatrixDeterminant
    SelfAdjointEigV2 Lu MatrixLogarithm""".split()


@op
def square_matrix(d):
    name = d.pick(SQUARE[:-1])
    kind = getattr(raw, name)
    x = square(d)
    if name == "SelfAdjointEigV2":
        vectors = d.bool()  # else what stands for them is no value
        d.add(lambda x: kind(input=x, compute_v=vectors), x, keep=vectors)
    else:
        d.add(lambda x: kind(input=x), x)


@op
def solve(d):
    x = square(d)
    b = d.source([*x.shape[:-1], d.int(1, 3)])
    kind = d.choose(4)
    if kind == 0:
        d.add(lambda a, b: raw.MatrixSolve(matrix=a, rhs=b), x, b)
    elif kind == 1:
        d.add(lambda a, b: raw.MatrixTriangularSolve(matrix=a, rhs=b), x, b)
    elif kind == 2:
        d.add(lambda a, b: raw.CholeskyGrad(l=a, grad=b), x,
              d.source(x.shape))
    else:
        d.add(lambda a, b: raw.MatrixSolveLs(
            matrix=a, rhs=b, l2_regularizer=tf.constant(0.5, tf.float64)), x,
            b)


@op
def decomposition(d):
    x = d.value(low=2, fits=lambda v: min(v.shape) > 0)
    full = d.bool()
    if d.bool():
        d.add(lambda x: raw.Qr(input=x, full_matrices=full), x)
    else:
        uv = d.bool()
        d.add(lambda x: raw.Svd(input=x, compute_uv=uv, full_matrices=full), x,
              keep=uv)


@op
def diagonals(d):
    kind = d.choose(6)
    if kind == 0:
        d.add(lambda x: raw.MatrixBandPart(input=x, num_lower=1, num_upper=0),
              d.value(low=2))
    elif kind == 1:
        d.add(lambda x: raw.MatrixDiag(diagonal=x), d.value(low=1))
    elif kind == 2:
        d.add(lambda x: raw.MatrixDiagPart(input=x), d.value(low=2))
    elif kind == 3:
        x = d.value(low=2)
        d.add(lambda x, y: raw.MatrixSetDiag(input=x, diagonal=y), x,
              d.source([*x.shape[:-2], min(x.shape[-2:])]))
    else:
        banded(d, kind == 4)


def banded(d, makes):
    low, high = -d.choose(2), d.choose(3)
    if d.bool():
        low = high
    k = d.param(low if low == high and d.bool() else [low, high])
    if makes:
        count = high - low + 1
        x = d.source([*d.dims(d.choose(2), 1, 3), *([count] * (count > 1)),
                      d.int(2, 4)])
        rows = d.pick([-1, x.shape[-1] + 3])
        d.add(lambda x, k, r: raw.MatrixDiagV3(
            diagonal=x, k=k, num_rows=r, num_cols=-1, padding_value=0.0), x, k,
            d.param(rows))
    else:
        x = d.value(low=2, fits=lambda v: min(v.shape[-2:]) > 2,
                    size=(3, 5))
        d.add(lambda x, k: raw.MatrixDiagPartV3(input=x, k=k,
                                                padding_value=0.0), x, k)


@op
def fft(d):
    kind = d.choose(4)
    if kind == 0:
        name = d.pick(["FFT", "IFFT", "FFT2D", "IFFT2D", "FFT3D"])
        rank = {"2": 2, "3": 3}.get(name[-2], 1)
        transform = getattr(raw, name)
        d.add(lambda x: transform(input=x), d.value(low=rank, dtype=C64))
        return
    two = d.bool()
    lengths = d.param([d.int(1, 6) for _ in range(1 + two)])
    if kind in (1, 2):
        transform = raw.RFFT2D if two else raw.RFFT
        d.add(lambda x, n: transform(input=x, fft_length=n),
              d.value(low=1 + two), lengths, run=False)
    else:
        transform = raw.IRFFT2D if two else raw.IRFFT
        d.add(lambda x, n: transform(input=x, fft_length=n),
              d.value(low=1 + two, dtype=C64), lengths, run=False)


# ---- Cells ------------------------------------------------------------------


@op
def lstm_cell(d):
    x = d.value(rank=2, fits=lambda v: min(v.shape) > 0)
    batch, inputs = x.shape
    h = d.int(1, 3)
    state = [d.source([batch, h]) for _ in range(2)]
    peep = [d.source([h]) for _ in range(3)]
    d.add(lambda x, c, p, w, i, f, o, b: raw.LSTMBlockCell(
        x=x, cs_prev=c, h_prev=p, w=w, wci=i, wcf=f, wco=o, b=b), x, *state,
        d.source([inputs + h, 4 * h]), *peep, d.source([4 * h]))


@op
def lstm_block(d):
    x = d.value(rank=3, fits=lambda v: min(v.shape) > 0)
    steps, batch, inputs = x.shape
    h = d.int(1, 3)
    state = [d.source([batch, h]) for _ in range(2)]
    peep = [d.source([h]) for _ in range(3)]
    d.add(lambda x, c, p, w, i, f, o, b: raw.BlockLSTMV2(
        seq_len_max=tf.constant(steps, I64), x=x, cs_prev=c, h_prev=p, w=w,
        wci=i, wcf=f, wco=o, b=b, cell_clip=0.0, use_peephole=False), x,
        *state, d.source([inputs + h, 4 * h]), *peep, d.source([4 * h]))


@op
def gru_cell(d):
    x = d.value(rank=2, fits=lambda v: min(v.shape) > 0)
    batch, inputs = x.shape
    h = d.int(1, 3)
    d.add(lambda x, p, a, b, c, e: raw.GRUBlockCell(
        x=x, h_prev=p, w_ru=a, w_c=b, b_ru=c, b_c=e), x, d.source([batch, h]),
        d.source([inputs + h, 2 * h]), d.source([inputs + h, h]),
        d.source([2 * h]), d.source([h]))


# ---- Images -----------------------------------------------------------------

RESIZE = """ResizeBilinear ResizeNearestNeighbor ResizeBicubic
    ResizeArea""".split()


@op
def resize(d):
    kind = getattr(raw, d.pick(RESIZE))
    x, _, _ = image(d, Window(d, 2, layouts=False))
    d.add(lambda x, s: kind(images=x, size=s), x,
          d.param([d.int(1, 8), d.int(1, 8)]))


@op
def crop_and_resize(d):
    x, _, _ = image(d, Window(d, 2, layouts=False))
    n = d.int(1, 3)
    d.add(lambda x, b, i, s: raw.CropAndResize(
        image=x, boxes=b, box_ind=i, crop_size=s), x, d.source([n, 4]),
        d.source(None, con=tf.zeros([n], I32)),
        d.param([d.int(1, 4), d.int(1, 4)]))


@op
def space_depth(d):
    k = d.pick([2, 3])
    layout = d.pick(["NHWC", "NHWC", "NCHW", "NCHW_VECT_C"][:3])
    spatial = [d.int(1, 3), d.int(1, 3)]
    depth = d.int(1, 2)
    deep = d.bool()
    if deep:
        spatial = [k * dim for dim in spatial]
    else:
        depth *= k * k
    shape = ([2, depth, *spatial] if layout == "NCHW"
             else [2, *spatial, depth])
    kind = raw.SpaceToDepth if deep else raw.DepthToSpace
    d.add(lambda x: kind(input=x, block_size=k, data_format=layout),
          d.source(shape), run=layout == "NHWC")


@op
def patches(d):
    w = Window(d, 2, explicit=False, layouts=False)
    x, _, _ = image(d, w)
    d.add(lambda x: raw.ExtractImagePatches(
        images=x, ksizes=w.full(w.k), strides=w.full(w.strides),
        rates=w.full(w.dilations), padding=w.padding), x)


@op
def boxes(d):
    n = d.int(1, 5)
    data = [d.varying(d.source([n, 4])), d.source([n])]
    d.add(lambda b, s, m: raw.NonMaxSuppressionV3(
        boxes=b, scores=s, max_output_size=m, iou_threshold=0.5,
        score_threshold=0.0), *data, d.param(d.int(1, 4)))


@op
def colours(d):
    x = d.value(low=1, fits=lambda v: v.shape[-1] == 3,
                new=lambda: [*d.dims(d.choose(4)), 3])
    kind = d.pick([raw.RGBToHSV, raw.HSVToRGB])
    d.add(lambda x: kind(images=x), x)


@op
def adjust_contrast(d):
    d.add(lambda x: raw.AdjustContrastv2(images=x, contrast_factor=0.5),
          d.value(low=3, fits=lambda v: v.elements > 0))


# ---- Other numbers ----------------------------------------------------------


@op
def quantized(d):
    x = d.value()
    if d.bool():
        d.add(lambda x: raw.QuantizeV2(input=x, min_range=0.0, max_range=4.0,
                                       T=tf.quint8)[1:], x)
    else:
        d.add(lambda x: raw.Dequantize(
            input=raw.QuantizeV2(input=x, min_range=0.0, max_range=4.0,
                                 T=tf.quint8).output,
            min_range=0.0, max_range=4.0), x)


@op
def approx_top_k(d):
    shape = d.dims(d.int(1, 3))
    if 0 in shape:
        raise Infeasible
    # Of an unknown dimension it thinks that it is too short.
    x = d.fed(numbers(shape, F32), [d.pick([None, dim]) for dim in shape[:-1]]
              + shape[-1:])
    k = d.int(1, x.shape[-1])
    d.add(lambda x: raw.ApproxTopK(input=x, k=k,
                                   aggregate_to_topk=True), x)


@op
def sparse_segments(d):
    x = d.varying(d.value(low=1, fits=lambda v: v.shape[0] > 0))
    n = d.int(1, 3)
    kind = d.pick([raw.SparseSegmentMean, raw.SparseSegmentSum])
    d.add(lambda x, i, s: kind(data=x, indices=i, segment_ids=s), x,
          d.source(None, con=tf.zeros([n], I32)),
          d.source(None, con=tf.range(n)))


@op
def ragged_to_tensor(d):
    x = d.varying(d.value(low=1, high=3, fits=lambda v: v.shape[0] > 0))
    n = x.shape[0]
    shape = d.pick([[-1, -1], [1, -1], [1, n + 1]])
    shape += [-1 if d.bool() else dim for dim in x.shape[1:]]
    d.add(lambda x, s, v: raw.RaggedTensorToTensor(
        shape=s, values=x, default_value=v,
        row_partition_tensors=[tf.constant([0, n], I64)],
        row_partition_types=["ROW_SPLITS"]), x, d.param(shape, I64),
        d.source([]))
