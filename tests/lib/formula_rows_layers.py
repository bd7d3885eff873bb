"""Rows of convolutions, pools, norms, losses, and what is quantized."""

import re

from counting_numbers import (Number, both, by_element, convolve, matmul,
                              places, pool, size)
from formula_graphs import In, Type, ints
from formula_row import SHAPE, F, I, Row, e, f, i, interpolate, q
from formula_rows_math import UNARY


def convolutions():
    stride = [1, 2, 2, 1]
    out, kernel = (2, 5, 4, 7), (3, 2)
    same = {"T": F, "strides": stride, "padding": "SAME"}
    yield Row("Conv2D", [f(2, 9, 8, 6), f(3, 2, 6, 7)], [out],
              convolve(out, kernel, 6), **same)
    # Three groups: a filter sees a third of the depth.
    yield Row("Conv2D", [f(2, 9, 8, 6), f(3, 2, 2, 9)], [(2, 5, 4, 9)],
              convolve((2, 5, 4, 9), kernel, 2), **same)
    yield Row("Conv2D", [f(2, 6, 9, 8), f(3, 2, 6, 7)], [(2, 7, 5, 4)],
              convolve(out, kernel, 6), T=F, strides=[1, 1, 2, 2],
              padding="SAME", data_format="NCHW")
    yield Row("Conv2D", [f(2, 9, 8, 6), f(3, 2, 6, 7)], [(2, 5, 6, 7)],
              convolve((2, 5, 6, 7), kernel, 6), T=F, strides=[1, 1, 1, 1],
              padding="VALID", dilations=[1, 2, 2, 1])
    yield Row("Conv", [f(2, 9, 8, 6), f(3, 2, 6, 7)], [out],
              convolve(out, kernel, 6), T=F, strides=[1, 2, 2, 1],
              padding="SAME")
    yield Row("FusedPadConv2D", [f(2, 7, 6, 6),
                                 In((4, 2), "int32", (0, 0, 1, 1, 1, 1, 0, 0)),
                                 f(3, 2, 6, 7)], [(2, 7, 7, 7)],
              convolve((2, 7, 7, 7), kernel, 6), T=F, mode="REFLECT",
              strides=[1, 1, 1, 1], padding="VALID")
    for op in ("QuantizedConv2D", "QuantizedConv2DPerChannel"):
        yield Row(op, [q(2, 9, 8, 6), q(3, 2, 6, 7), *[f()] * 4],
                  [out, (), ()], convolve(out, kernel, 6), True,
                  Tinput=Type("quint8"), Tfilter=Type("quint8"),
                  strides=stride, padding="SAME")
    # A gradient: for each element of dy each tap.
    back = convolve(out, kernel, 6)
    for op, first in (("Conv2DBackpropInput", ints(2, 9, 8, 6)),
                      ("Conv2DBackpropInputV2", f(2, 9, 8, 6))):
        yield Row(op, [first, f(3, 2, 6, 7), f(*out)], [(2, 9, 8, 6)], back,
                  **same)
    for op, second in (("Conv2DBackpropFilter", ints(3, 2, 6, 7)),
                       ("Conv2DBackpropFilterV2", f(3, 2, 6, 7))):
        yield Row(op, [f(2, 9, 8, 6), second, f(*out)], [(3, 2, 6, 7)], back,
                  **same)
    out, kernel = (1, 3, 4, 4, 5), (3, 2, 2)
    image, weights = (1, 5, 8, 7, 4), (3, 2, 2, 4, 5)
    same = {"T": F, "strides": [1, 2, 2, 2, 1], "padding": "SAME"}
    yield Row("Conv3D", [f(*image), f(*weights)], [out],
              convolve(out, kernel, 4), **same)
    for op, first in (("Conv3DBackpropInput", f(*image)),
                      ("Conv3DBackpropInputV2", ints(*image))):
        yield Row(op, [first, f(*weights), f(*out)], [image],
                  convolve(out, kernel, 4), **same)
    for op, second in (("Conv3DBackpropFilter", f(*weights)),
                       ("Conv3DBackpropFilterV2", ints(*weights))):
        yield Row(op, [f(*image), second, f(*out)], [weights],
                  convolve(out, kernel, 4), **same)


def depthwise():
    out, kernel = (2, 5, 4, 12), (3, 2)
    image, weights = (2, 9, 8, 6), (3, 2, 6, 2)
    same = {"T": F, "strides": [1, 2, 2, 1], "padding": "SAME"}
    work = convolve(out, kernel, 1)
    yield Row("DepthwiseConv2dNative", [f(*image), f(*weights)], [out], work,
              **same)
    yield Row("DepthwiseConv2dNativeBackpropInput",
              [ints(*image), f(*weights), f(*out)], [image], work, **same)
    yield Row("DepthwiseConv2dNativeBackpropFilter",
              [f(*image), ints(*weights), f(*out)], [weights], work, **same)
    yield Row("QuantizedDepthwiseConv2D",
              [q(*image), q(*weights), *[f()] * 4], [out, (), ()], work, True,
              Tinput=Type("quint8"), Tfilter=Type("quint8"),
              strides=[1, 2, 2, 1], padding="SAME")
    out, weights = (2, 5, 4, 6), (3, 2, 6)
    same = {"T": F, "strides": [1, 2, 2, 1], "rates": [1, 1, 1, 1],
            "padding": "SAME"}

    def dilate(shape=out):
        for _ in places(shape):
            best = Number()
            for _ in places(kernel):
                best = e(best, Number() + Number())

    yield Row("Dilation2D", [f(*image), f(*weights)], [out], dilate, **same)
    found = both(dilate, by_element(out, e))
    for op, y in (("Dilation2DBackpropInput", image),
                  ("Dilation2DBackpropFilter", weights)):
        yield Row(op, [f(*image), f(*weights), f(*out)], [y], found, **same)


def pools():
    image, out, kernel = (2, 9, 8, 6), (2, 5, 4, 6), (3, 2)
    two = {"ksize": [1, 3, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
    three = {"ksize": [1, 2, 3, 2, 1], "strides": [1, 2, 2, 2, 1],
             "padding": "SAME"}
    cube, small, deep = (1, 5, 9, 8, 4), (1, 3, 5, 4, 4), (2, 3, 2)
    turned = {"ksize": [1, 1, 3, 2], "strides": [1, 1, 2, 2],
              "padding": "SAME", "data_format": "NCHW"}
    add, average = (lambda a, b: a + b), by_element(
        (*out, *kernel), lambda dy: dy * 0.1 + 1)
    for op, combine in (("AvgPool", add), ("MaxPool", e)):
        work = pool(out, kernel, combine)
        yield Row(op, [f(*image)], [out], work, T=F, **two)
        yield Row(op, [f(2, 6, 9, 8)], [(2, 6, 5, 4)], work, T=F, **turned)
        yield Row(op + "3D", [f(*cube)], [small], pool(small, deep, combine),
                  T=F, **three)
        yield Row("Quantized" + op, [q(*image), f(), f()], [out, (), ()],
                  work, True, T=Type("quint8"), **two)
        yield Row("Fractional" + op, [f(2, 9, 8, 6)], [(2, 6, 5, 6), (6,),
                                                       (5,)],
                  by_element(image, e), T=F, pooling_ratio=[1.0, 1.5, 1.5,
                                                            1.0])
    yield Row("MaxPoolV2", [f(*image), ints(1, 3, 2, 1), ints(1, 2, 2, 1)],
              [out], pool(out, kernel), T=F, padding="SAME")
    yield Row("MaxPoolWithArgmax", [f(*image)], [out, out], pool(out, kernel),
              T=F, **two)
    yield Row("AvgPoolGrad", [ints(*image), f(*out)], [image], average, T=F,
              **two)
    yield Row("AvgPool3DGrad", [ints(*cube), f(*small)], [cube], by_element(
        (*small, *deep), lambda dy: dy * 0.1 + 1), T=F, **three)
    again = both(pool(out, kernel), by_element(out, e))
    deeper = both(pool(small, deep), by_element(small, e))
    inputs = [f(*image), f(*out), f(*out)]
    sizes = [ints(1, 3, 2, 1), ints(1, 2, 2, 1)]
    yield Row("MaxPoolGrad", inputs, [image], again, T=F, **two)
    yield Row("MaxPoolGradV2", inputs + sizes, [image], again, T=F,
              padding="SAME")
    inputs = [f(*image), f(*out), f(*image)]
    yield Row("MaxPoolGradGrad", inputs, [out], again, T=F, **two)
    yield Row("MaxPoolGradGradV2", inputs + sizes, [out], again, T=F,
              padding="SAME")
    yield Row("MaxPool3DGrad", [f(*cube), f(*small), f(*small)], [cube],
              deeper, T=F, **three)
    yield Row("MaxPool3DGradGrad", [f(*cube), f(*small), f(*cube)], [small],
              deeper, T=F, **three)
    yield Row("MaxPoolGradWithArgmax", [f(*image), f(*out), In(out, "int64")],
              [image], by_element(out, e), T=F, Targmax=Type("int64"), **two)
    steps = [In((7,), "int64"), In((6,), "int64")]
    out = (2, 6, 5, 6)
    yield Row("FractionalMaxPoolGrad", [f(*image), f(*out), f(*out), *steps],
              [image], both(by_element(image, e), by_element(out, e)), T=F)
    yield Row("FractionalAvgPoolGrad",
              [In((4,), "int64", image), f(*out), *steps], [image],
              both(by_element(image, e), by_element(out, e)), T=F)


def batch_norm(shape, training):
    """By channels, which are the last dim."""
    *rest, channels = shape
    each = size(rest)

    def use():
        scale = 1 / e(Number() + 1e-3) * Number()
        offset = Number() - Number() * scale
        for _ in range(each):
            _ = Number() * scale + offset

    def work():
        for _ in range(channels):
            if training:
                mean = variance = Number()
                for _ in range(each):
                    mean = mean + Number()
                mean = mean / each
                for _ in range(each):
                    variance = variance + (Number() - mean) ** 2
                variance = variance / each
                # What is kept for later is without bias.
                variance = variance * (Number() / Number())
            use()
    return work


def batch_norm_grad(shape):
    """dx = (dy - mean(dy) - xhat*mean(dy*xhat))*scale/deviation, and the
    gradients of scale and offset."""
    *rest, channels = shape
    each = size(rest)

    def work():
        for _ in range(channels):
            inverse = 1 / e(Number() + 1e-3)
            total = products_of = Number()
            for _ in range(each):
                total = total + Number()
                products_of = products_of + Number() * (Number() - 1)
            mean, slope = total / each, products_of / each
            slope = slope * inverse * inverse
            scale = Number() * inverse
            _ = products_of * inverse
            for _ in range(each):
                _ = (Number() - mean - (Number() - 1) * slope) * scale
    return work


def norms():
    shape, c = (2, 4, 3, 5), f(5)
    for version in ("", "V2", "V3"):
        kinds = {"T": F, **({"U": F} if version else {})}
        more = [None] if version == "V3" else []
        for training in (True, False):
            yield Row("FusedBatchNorm" + version,
                      [f(*shape), c, c, *([f(0)] * 2 if training else
                                          [c, c])],
                      [shape, *[(5,)] * 4, *more],
                      batch_norm(shape, training), is_training=training,
                      **kinds)
        yield Row("FusedBatchNormGrad" + version,
                  [f(*shape), f(*shape), c, c, c, *([c] if more else [])],
                  [shape, (5,), (5,), (0,), (0,)],
                  9 * size(shape) + 10 * 5, **kinds)
    yield Row("BatchNormWithGlobalNormalization", [f(*shape), c, c, c, c],
              [shape], batch_norm(shape, False), T=F,
              variance_epsilon=1e-3, scale_after_normalization=True)
    yield Row("BatchNormWithGlobalNormalizationGrad",
              [f(*shape), c, c, c, f(*shape)], [shape, *[(5,)] * 4],
              9 * size(shape) + 10 * 5, T=F, variance_epsilon=1e-3,
              scale_after_normalization=True)
    yield Row("QuantizedBatchNormWithGlobalNormalization",
              [q(*shape), f(), f(), *[q(5), f(), f()] * 4],
              [shape, (), ()], batch_norm(shape, False), True,
              Tinput=Type("quint8"), out_type=Type("qint32"),
              variance_epsilon=1e-3, scale_after_normalization=True)
    yield Row("QuantizedInstanceNorm", [q(*shape), f(), f()],
              [shape, (), ()], 6 * size(shape), True, T=Type("quint8"))
    for radius in (1, 2):
        yield Row("LRN", [f(*shape)], [shape],
                  (2 * radius + 5) * size(shape), T=F, depth_radius=radius)
        yield Row("LRNGrad", [f(*shape)] * 3, [shape], lrn_grad(
            shape, radius), T=F, depth_radius=radius)


def lrn_grad(shape, radius):
    """The norm again; then each neighbour's share, the middle one's more."""
    def work():
        for _ in places(shape):
            norm, out = Number(), Number()
            for _ in range(2 * radius + 1):
                norm = norm + Number() * Number()
            norm = norm * 0.5 + 1
            for place in range(2 * radius + 1):
                share = -2.0 * Number() * Number() / norm
                if place == radius:
                    share = share + e(norm)
                out = out + share * Number()
    return work


def losses():
    logits = (6, 5)
    yield Row("SoftmaxCrossEntropyWithLogits", [f(*logits), f(*logits)],
              [(6,), logits], by_element(
                  logits, lambda x, p: (e(x), x - x, e(x), x + x, x / x,
                                        p * x, x + x, x - p), 2), T=F)
    yield Row("SparseSoftmaxCrossEntropyWithLogits", [f(*logits), i(6)],
              [(6,), logits], by_element(
                  logits, lambda x: (e(x), x - x, e(x), x + x, x / x, x - x)),
              T=F, Tlabels=I)


def quantized():
    four = by_element(SHAPE, lambda x: e(e((x - 1) * 2)))
    yield Row("QuantizeV2", [f(*SHAPE), f(), f()], [SHAPE, (), ()], four,
              True, T=Type("qint8"))
    for op, shape in (("QuantizedAdd", SHAPE), ("QuantizedMul", SHAPE)):
        yield Row(op, [q(2, 1, 5), q(3, 1), *[f()] * 4], [shape, (), ()],
                  by_element(shape, e), True, T1=Type("quint8"),
                  T2=Type("quint8"))
    for op, work in (("QuantizedRelu", e), ("QuantizedRelu6",
                                            lambda x: e(e(x))),
                     ("QuantizedReluX", lambda x: e(e(x)))):
        more = [f()] if op.endswith("X") else []
        yield Row(op, [q(*SHAPE), *more, f(), f()], [SHAPE, (), ()],
                  by_element(SHAPE, work), True, Tinput=Type("quint8"))
    yield Row("QuantizedBiasAdd", [q(*SHAPE), q(5), *[f()] * 4],
              [SHAPE, (), ()], by_element(SHAPE, e), True,
              T1=Type("quint8"), T2=Type("quint8"), out_type=Type("qint32"))
    w = In(SHAPE, "qint32")
    lows = by_element(SHAPE, lambda x: (e(x), e(x)))
    kind = {"Tinput": Type("qint32")}
    yield Row("RequantizationRange", [w, f(), f()], [(), ()], lows, True,
              **kind)
    yield Row("RequantizationRangePerChannel", [w, f(5), f(5)], [(), ()],
              lows, True, T=Type("qint32"), clip_value_max=6.0)
    yield Row("Requantize", [w, *[f()] * 4], [SHAPE, (), ()], four, True,
              out_type=Type("quint8"), **kind)
    yield Row("RequantizePerChannel", [w, f(5), f(5), f(), f()],
              [SHAPE, (), ()], four, True, T=Type("qint32"))
    yield Row("QuantizeDownAndShrinkRange", [w, f(), f()], [SHAPE, (), ()],
              both(lows, four), True, out_type=Type("quint8"), **kind)


def fused():
    bias = [f(5)]
    for steps, after in ((["BiasAdd"], e), (["BiasAdd", "Relu"],
                                            lambda x: e(x + 1)),
                         (["BiasAdd", "Sigmoid"],
                          lambda x: UNARY["Sigmoid"](x + 1))):
        yield Row("_FusedMatMul", [f(4, 6), f(6, 5), *bias], [(4, 5)],
                  both(matmul(1, 4, 6, 5), by_element((4, 5), after)),
                  T=F, num_args=1, fused_ops=steps)
        yield Row("_FusedConv2D", [f(2, 9, 8, 6), f(3, 2, 6, 5), *bias],
                  [(2, 5, 4, 5)],
                  both(convolve((2, 5, 4, 5), (3, 2), 6),
                       by_element((2, 5, 4, 5), after)), T=F, num_args=1,
                  strides=[1, 2, 2, 1], padding="SAME", fused_ops=steps)
    after = lambda x: e(x + 1)  # noqa: E731
    yield Row("_FusedConv3D", [f(1, 5, 8, 7, 4), f(3, 2, 2, 4, 5), *bias],
              [(1, 5, 8, 7, 5)], both(
                  convolve((1, 5, 8, 7, 5), (3, 2, 2), 4),
                  by_element((1, 5, 8, 7, 5), after)), T=F, num_args=1,
              strides=[1] * 5, padding="SAME", fused_ops=["BiasAdd", "Relu"])
    yield Row("_FusedDepthwiseConv2dNative",
              [f(2, 9, 8, 6), f(3, 2, 6, 2), f(12)], [(2, 9, 8, 12)], both(
                  convolve((2, 9, 8, 12), (3, 2), 1),
                  by_element((2, 9, 8, 12), after)), T=F, num_args=1,
              strides=[1] * 4, padding="SAME", fused_ops=["BiasAdd", "Relu"])
    yield Row("FusedResizeAndPadConv2D",
              [f(2, 4, 3, 6), ints(7, 6), In((4, 2), "int32",
                                             (0, 0, 1, 1, 1, 1, 0, 0)),
               f(3, 2, 6, 5)], [(2, 7, 7, 5)], both(
                   convolve((2, 7, 7, 5), (3, 2), 6),
                   by_element((2, 7, 6, 6), interpolate)), T=F,
              mode="REFLECT", strides=[1, 1, 1, 1], padding="VALID")
    shape, c = (2, 4, 3, 5), f(5)
    yield Row("_FusedBatchNormEx", [f(*shape), c, c, c, c, f(*shape)],
              [shape, *[(5,)] * 4, None], both(
                  batch_norm(shape, False), by_element(shape, after)),
              T=F, U=F, is_training=False, num_side_inputs=1,
              activation_mode="Relu")
    yield Row("_UnaryOpsComposition", [f(*SHAPE)], [SHAPE], by_element(
        SHAPE, lambda x: e(e(x))), T=F, op_names=["Sqrt", "Log"])


# What is done to each element of the result, by its part of the name.
PARTS = {"WithBias": 1, "AndRelu": 1, "Sum": 1, "SignedSum": 1,
         "AndRequantize": 4, "AndDequantize": 0}


def parts_of(name):
    """How many operations "WithBiasSumAndReluAndRequantize" is."""
    words = re.findall("WithBias|(?:Signed)?Sum|And[A-Z][a-z]+", name)
    assert "".join(words) == name, name
    return sum(PARTS[word] for word in words)


def quantized_fused():
    kinds = {"Tinput": Type("quint8"), "Tfilter": Type("qint8")}
    out = (2, 5, 4, 7)
    for name in ("AndRelu", "AndReluAndRequantize", "AndRequantize",
                 "WithBias", "WithBiasAndRelu",
                 "WithBiasAndReluAndRequantize", "WithBiasAndRequantize",
                 "WithBiasSignedSumAndReluAndRequantize",
                 "WithBiasSumAndRelu", "WithBiasSumAndReluAndRequantize"):
        yield Row("QuantizedConv2D" + name,
                  [q(2, 9, 8, 6), In((3, 2, 6, 7), "qint8")],
                  [out, (), ()], both(convolve(out, (3, 2), 6), times(
                      out, parts_of(name))), True,
                  strides=[1, 2, 2, 1], padding="SAME", **kinds)
    out = (2, 9, 8, 12)
    for name in ("WithBias", "WithBiasAndRelu", "WithBiasAndReluAndRequantize"):
        yield Row("QuantizedDepthwiseConv2D" + name,
                  [q(2, 9, 8, 6), In((3, 2, 6, 2), "qint8")],
                  [out, (), ()], both(convolve(out, (3, 2), 1), times(
                      out, parts_of(name))), True,
                  strides=[1, 1, 1, 1], padding="SAME", **kinds)
    for name in ("WithBias", "WithBiasAndDequantize", "WithBiasAndRelu",
                 "WithBiasAndReluAndRequantize", "WithBiasAndRequantize"):
        yield Row("QuantizedMatMul" + name,
                  [q(4, 6), In((6, 5), "qint8")], [(4, 5), (), ()], both(
                      matmul(1, 4, 6, 5), times((4, 5), parts_of(name))),
                  True, T1=Type("quint8"), T2=Type("qint8"))
    yield Row("_QuantizedMaxPool3D", [q(1, 5, 9, 8, 4)], [(1, 3, 5, 4, 4)],
              pool((1, 3, 5, 4, 4), (2, 3, 2)), True, T=Type("quint8"),
              ksize=[1, 2, 3, 2, 1], strides=[1, 2, 2, 2, 1], padding="SAME")


def times(shape, count):
    """So many operations on each element."""
    return by_element(shape, lambda x: [e(x) for _ in range(count)])
