"""Rows of operations that calculate, for test_shape_math.py."""

from shape_judge import (b, const, d, f, h, i, l, n, q, reference, row, s, u,
                         variable, w, z)

UNARY = """
    Abs Acos Acosh Asin Asinh Atan Atanh BesselI0 BesselI0e BesselI1 BesselI1e
    BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1
    Ceil Cos Cosh Dawsn Digamma Elu Erf Erfc Erfinv Exp Expint Expm1 Floor
    FresnelCos FresnelSin Inv IsFinite IsInf IsNan LeakyRelu Lgamma Log Log1p
    Ndtri Neg Reciprocal Relu Relu6 Rint Round Rsqrt Selu Sigmoid Sign Sin Sinh
    Softplus Softsign Spence Sqrt Square Tan Tanh""".split()

BINARY = """
    Add AddV2 Atan2 Complex Div DivNoNan Equal FloorDiv FloorMod Greater
    GreaterEqual Igamma IgammaGradA Igammac Less LessEqual Maximum Minimum Mod
    Mul MulNoNan NextAfter NotEqual Polygamma Pow RandomGammaGrad RealDiv
    SquaredDifference Sub TruncateDiv TruncateMod Xdivy Xlog1py Xlogy
    Zeta""".split()

GRADIENTS = """
    EluGrad InvGrad LeakyReluGrad ReciprocalGrad Relu6Grad ReluGrad RsqrtGrad
    SeluGrad SigmoidGrad SoftplusGrad SoftsignGrad SqrtGrad TanhGrad""".split()


def by_element():
    for op in UNARY:
        yield row(op, f(2, 3))
    for op in ("Angle", "ComplexAbs", "Conj", "Imag", "Real"):
        yield row(op, z(2, 3))
    for op in BINARY:
        kind = i if op == "TruncateDiv" else f
        yield row(op, kind(2, 1, 3), kind(4, 3))
        yield row(op, kind(), kind(5))
    for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift",
               "RightShift"):
        yield row(op, i(2, 1), i(3))
    for op in ("LogicalAnd", "LogicalOr"):
        yield row(op, b(2, 1), b(3))
    yield row("LogicalNot", b(2, 3))
    yield row("Invert", i(2, 3))
    yield row("PopulationCount", i(2, 3))
    yield row("ApproximateEqual", f(2, 3), f(2, 3))
    for op in GRADIENTS:
        yield row(op, f(2, 3), f(2, 3))
    for op in ("Equal", "NotEqual"):
        for other in ((3, 2), (1,), (2, 3), (3,), (4, 3), (5,), (0, 3)):
            yield row(op, f(2, 3), f(*other), incompatible_shape_error=False)
        yield row(op, f(1, 3), f(2, 1), incompatible_shape_error=False)
    yield row("_HostCast", f(2, 3), DstT="int32")
    yield row("_UnaryOpsComposition", f(2, 3), op_names=["Abs", "Sqrt"])
    yield row("Bucketize", f(2, 3), boundaries=[1.0, 2.0])
    for op in ("Cumsum", "Cumprod", "CumulativeLogsumexp"):
        yield row(op, f(2, 3), const(1))
    yield row("ClipByValue", f(2, 3), f(), f())
    yield row("ClipByValue", f(2, 3), f(3), f(2, 3))
    yield row("AddN", [f(2, 3), f(2, 3), f(2, 3)])
    yield row("AddN", [f(2, 3)])
    yield row("AccumulateNV2", [f(2, 3), f(2, 3)], shape=[2, 3])
    yield row("AccumulateNV2", [f(2, 3), f(2, 3)], shape=[None, 3])
    yield row("Select", b(2, 3), f(2, 3), f(2, 3))
    yield row("Select", b(2), f(2, 3), f(2, 3))
    yield row("Select", b(), f(), f())
    yield row("Select", b(), f(2, 3), f(2, 3))
    yield row("SelectV2", b(2, 1), f(3), f(4, 1, 1))
    yield row("SelectV2", b(), f(2, 3), f(2, 3))
    yield row("Betainc", f(2, 3), f(2, 3), f(2, 3))
    yield row("Betainc", f(), f(2, 3), f())
    yield row("Betainc", f(), f(), f())
    yield row("Cross", f(2, 3), f(2, 3))


def reductions():
    for op in ("EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum", "All",
               "Any"):
        kind = b if op in ("All", "Any") else f
        for keeps in (False, True):
            yield row(op, kind(2, 3, 4), const([0, -1]), keep_dims=keeps)
            yield row(op, kind(2, 3, 4), const(1), keep_dims=keeps)
        yield row(op, kind(2, 3), const([], "int64"))
        yield row(op, kind(2, 3), const([1, 1, -1], "int64"))
    for keeps in (False, True):
        yield row("ReduceJoin", s(2, 3, 4), const([0, -1]), keep_dims=keeps)
    yield row("UnsortedSegmentJoin", s(5, 3), i(5), const(4))
    for op in ("ArgMax", "ArgMin"):
        yield row(op, f(2, 3, 4), const(-1))
        yield row(op, f(2, 3, 4), const(0, "int64"))
        yield row(op, f(3), const(0))
    for op in ("SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd",
               "SegmentSum"):
        yield row(op, f(5, 3, 2), i(5))
    for op in ("SegmentMaxV2", "SegmentMinV2", "SegmentProdV2",
               "SegmentSumV2"):
        yield row(op, f(5, 3, 2), i(5), const(4))
    for op in ("UnsortedSegmentMax", "UnsortedSegmentMin",
               "UnsortedSegmentProd", "UnsortedSegmentSum"):
        yield row(op, f(5, 3, 2), i(5), const(4))
        yield row(op, f(5, 3, 2), i(5, 3), const(4))
    yield row("UnsortedSegmentSum", f(5, 3), i(), const(4))
    for op in ("SparseSegmentMean", "SparseSegmentSqrtN", "SparseSegmentSum"):
        yield row(op, f(5, 3, 2), i(7), i(7))
        yield row(op + "WithNumSegments", f(5, 3, 2), i(7), i(7), const(4))
        yield row(op + "Grad", f(5, 3, 2), i(7), i(7), const(9))
        yield row(op + "GradV2", f(5, 3, 2), i(7), i(7), const(9))
    yield row("Bincount", i(9), const(4), f(9))
    yield row("DenseBincount", i(9), const(4), f(9))
    yield row("DenseBincount", i(9, 2), const(4), f(9, 2))
    yield row("RaggedBincount", l(4), i(9), const(4), f(9))
    yield row("SparseBincount", l(9, 1), i(9), const([20], "int64"), const(4),
              f(9))
    yield row("SparseBincount", l(9, 2), i(9), const([20, 3], "int64"),
              const(4), f(9))
    yield row("HistogramFixedWidth", f(2, 3), f(2), const(7))


def products():
    for a, c in ((False, False), (True, False), (False, True), (True, True)):
        x = f(3, 2) if a else f(2, 3)
        y = f(4, 3) if c else f(3, 4)
        yield row("MatMul", x, y, transpose_a=a, transpose_b=c)
        yield row("SparseMatMul", x, y, transpose_a=a, transpose_b=c)
        yield row("_FusedMatMul", x, y, [f(4)], transpose_a=a, transpose_b=c,
                  fused_ops=["BiasAdd"])
        x = f(5, 3, 2) if a else f(5, 2, 3)
        y = f(5, 4, 3) if c else f(5, 3, 4)
        yield row("BatchMatMul", x, y, adj_x=a, adj_y=c)
        yield row("BatchMatMulV2", x, y, adj_x=a, adj_y=c)
        y = f(7, 1, 4, 3) if c else f(7, 1, 3, 4)
        yield row("BatchMatMulV2", x, y, adj_x=a, adj_y=c)
        yield row("BatchMatMulV3", x, y, adj_x=a, adj_y=c, Tout="float32")
        yield row("BatchMatMulV2", y, x, adj_x=not c, adj_y=not a)
        yield row("SparseTensorDenseMatMul", l(9, 2), f(9),
                  const([3, 2] if a else [2, 3], "int64"),
                  f(4, 3) if c else f(3, 4), adjoint_a=a, adjoint_b=c)
    yield row("QuantizedMatMul", q(2, 3), q(3, 4), f(), f(), f(), f())
    given = [q(2, 3), n(3, 4), f(4), f(), f(), f(), f()]
    for op in ("", "AndRelu", "AndRequantize", "AndReluAndRequantize",
               "AndDequantize"):
        more = [f(), f()] if "quantize" in op else []
        out = {"Toutput": "float32"} if op == "AndDequantize" else {}
        yield row("QuantizedMatMulWithBias" + op, *given, *more, **out)
    for equation, *operands in (
            ("ab,bc->ac", f(2, 3), f(3, 4)), ("abc->ca", f(2, 3, 4)),
            ("ab->", f(2, 3)), ("aab->ab", f(2, 2, 3)),
            ("...ab,...bc->...ac", f(5, 1, 2, 3), f(6, 3, 4)),
            ("a...b,bc->ca...", f(2, 5, 6, 3), f(3, 4)),
            ("...ab->ba...", f(5, 6, 2, 3)), ("...,...->...", f(2, 1), f(3)),
            ("ab...,b...c->...ac", f(2, 3, 1), f(3, 7, 8)),
            ("a,b->ab", f(2), f(3)), (",a->a", f(), f(3)),
            ("abcd,aecd->acbe", f(2, 3, 4, 5), f(2, 6, 4, 5))):
        yield row("Einsum", operands, equation=equation)


def _layouts(spatial):
    """Format, and how to put [N, spatial..., C] in its order."""
    first = {2: "NCHW", 3: "NCDHW"}[spatial]
    last = {2: "NHWC", 3: "NDHWC"}[spatial]
    yield last, lambda x: list(x)
    yield first, lambda x: [x[0], x[-1], *x[1:-1]]


def convolutions():
    for layout, put in _layouts(2):
        image = f(*put((2, 17, 13, 4)))
        for padding, more in (
                ("SAME", {}), ("VALID", {}),
                ("EXPLICIT", {"explicit_paddings": [
                    x for pair in put(((0, 0), (1, 2), (3, 0), (0, 0)))
                    for x in pair]})):
            for strides, dilations in (((1, 1), (1, 1)), ((2, 3), (1, 1)),
                                       ((1, 1), (2, 3)), ((2, 3), (3, 2))):
                attrs = {"strides": put((1, *strides, 1)), "padding": padding,
                         "dilations": put((1, *dilations, 1)),
                         "data_format": layout, **more}
                yield row("Conv2D", image, f(3, 2, 4, 8), **attrs)
                yield row("DepthwiseConv2dNative", image, f(3, 2, 4, 5),
                          **attrs)
            yield row("Conv2D", image, f(3, 2, 2, 8), **attrs)
            yield row("_FusedConv2D", image, f(3, 2, 4, 8), [f(8)], [],
                      num_args=1, fused_ops=["BiasAdd"], **attrs)
            if padding != "EXPLICIT":
                yield row("_FusedDepthwiseConv2dNative", image, f(3, 2, 4, 1),
                          [f(4)], num_args=1, fused_ops=["BiasAdd"], **attrs)
        sizes = put((2, 17, 13, 4))
        attrs = {"strides": put((1, 2, 3, 1)), "padding": "SAME",
                 "data_format": layout}
        gradient = f(*put((2, 9, 5, 8)))
        yield row("Conv2DBackpropInput", const(sizes), f(3, 2, 4, 8), gradient,
                  **attrs)
        yield row("Conv2DBackpropInput", const(sizes), f(3, 2, 2, 8), gradient,
                  **attrs)
        yield row("Conv2DBackpropInput", const([17, 13]), f(3, 2, 4, 8),
                  gradient, **attrs)
        yield row("Conv2DBackpropFilter", image, const([3, 2, 4, 8]), gradient,
                  **attrs)
        yield row("Conv2DBackpropInputV2", image, f(3, 2, 4, 8), gradient,
                  **attrs)
        yield row("Conv2DBackpropFilterV2", image, f(3, 2, 4, 8), gradient,
                  **attrs)
        gradient = f(*put((2, 9, 5, 20)))
        yield row("DepthwiseConv2dNativeBackpropInput", const(sizes),
                  f(3, 2, 4, 5), gradient, **attrs)
        yield row("DepthwiseConv2dNativeBackpropFilter", image,
                  const([3, 2, 4, 5]), gradient, **attrs)
    yield row("Conv2D", f(2, 17, 13, 4), f(3, 2, 4, 8), strides=[1, 2, 2, 1],
              padding="SAME")
    yield row("QuantizedConv2D", q(2, 17, 13, 4), q(3, 2, 4, 8), f(), f(), f(),
              f(), strides=[1, 2, 2, 1], padding="SAME")
    yield row("QuantizedDepthwiseConv2D", q(2, 17, 13, 4), n(3, 2, 4, 2), f(),
              f(), f(), f(), strides=[1, 2, 2, 1], padding="SAME")
    for op in ("QuantizedConv2DPerChannel", "QuantizedConv2DAndRelu"):
        ends = f(8) if op.endswith("PerChannel") else f()
        yield row(op, q(2, 17, 13, 4), n(3, 2, 4, 8), f(), f(), ends, ends,
                  strides=[1, 2, 2, 1], padding="SAME")
    for op in ("AndRelu", "And"):
        yield row(f"QuantizedConv2D{op}Requantize".replace(
            "AndReluReq", "AndReluAndReq"), q(2, 17, 13, 4), n(3, 2, 4, 8),
            *[f()] * 6, strides=[1, 2, 2, 1], padding="SAME")
    for op in ("", "AndRelu"):
        given = [q(2, 17, 13, 4), n(3, 2, 4, 8), f(8), f(), f(), f(), f()]
        attrs = {"strides": [1, 2, 2, 1], "padding": "SAME"}
        yield row("QuantizedConv2DWithBias" + op, *given, **attrs)
        yield row(f"QuantizedConv2DWithBias{op}AndRequantize", *given, f(),
                  f(), **attrs)
        given[1] = n(3, 2, 4, 2)
        yield row("QuantizedDepthwiseConv2DWithBias" + op, *given, **attrs)
    yield row("QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize", *given,
              f(), f(), **attrs)
    given[1] = n(3, 2, 4, 8)
    yield row("QuantizedConv2DWithBiasSumAndRelu", *given, f(2, 9, 7, 8),
              **attrs)
    for op in ("", "Signed"):
        yield row(f"QuantizedConv2DWithBias{op}SumAndReluAndRequantize",
                  *given, f(), f(), q(2, 9, 7, 8), f(), f(), **attrs)
    pads = const([[0, 0], [1, 2], [3, 4], [0, 0]])
    for padding in ("SAME", "VALID"):
        attrs = {"strides": [1, 2, 3, 1], "padding": padding,
                 "mode": "REFLECT"}
        yield row("FusedPadConv2D", f(2, 17, 13, 4), pads, f(3, 2, 4, 8),
                  **attrs)
        yield row("FusedResizeAndPadConv2D", f(2, 17, 13, 4), const([30, 40]),
                  pads, f(3, 2, 4, 8), **attrs)
        attrs = {"padding": padding, "strides": [1, 2, 3, 1]}
        yield row("Conv", f(2, 17, 13, 4), f(3, 2, 4, 8), **attrs)
        yield row("Conv", f(6, 5, 2, 17, 13, 4), f(3, 2, 2, 8), batch_dims=3,
                  groups=2, dilations=[1, 3, 2, 1], **attrs)
        yield row("Conv", f(2, 4, 17, 13), f(3, 2, 4, 8), padding=padding,
                  strides=[1, 1, 2, 3], data_format="CHANNELS_FIRST")
        yield row("Conv", f(2, 17, 13, 11, 4), f(3, 2, 2, 4, 8),
                  padding=padding, strides=[1, 2, 3, 1, 1])
    yield row("Conv", f(2, 17, 13, 4), f(3, 2, 4, 8), strides=[1, 2, 3, 1],
              padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 3, 0, 0, 0])
    for layout, put in _layouts(3):
        volume = f(*put((2, 17, 13, 11, 4)))
        for padding in ("SAME", "VALID"):
            for strides, dilations in (((1, 1, 1), (1, 1, 1)),
                                       ((2, 3, 1), (1, 1, 1)),
                                       ((1, 2, 3), (2, 3, 5))):
                attrs = {"strides": put((1, *strides, 1)), "padding": padding,
                         "dilations": put((1, *dilations, 1)),
                         "data_format": layout}
                yield row("Conv3D", volume, f(3, 2, 2, 4, 8), **attrs)
                yield row("_FusedConv3D", volume, f(3, 2, 2, 4, 8), [f(8)],
                          fused_ops=["BiasAdd"], **attrs)
        gradient = f(*put((2, 17, 7, 4, 8)))
        yield row("Conv3DBackpropInputV2", const(put((2, 17, 13, 11, 4))),
                  f(3, 2, 2, 4, 8), gradient, **attrs)
        yield row("Conv3DBackpropFilterV2", volume, const([3, 2, 2, 4, 8]),
                  gradient, **attrs)
    attrs = {"strides": [1, 2, 2, 2, 1], "padding": "SAME"}
    yield row("Conv3DBackpropInput", f(2, 17, 13, 11, 4), f(3, 2, 2, 4, 8),
              f(2, 9, 7, 6, 8), legacy=True, **attrs)
    yield row("Conv3DBackpropFilter", f(2, 17, 13, 11, 4), f(3, 2, 2, 4, 8),
              f(2, 9, 7, 6, 8), legacy=True, **attrs)
    for padding in ("SAME", "VALID"):
        attrs = {"strides": [1, 2, 3, 1], "rates": [1, 2, 1, 1],
                 "padding": padding}
        yield row("Dilation2D", f(2, 17, 13, 4), f(3, 2, 4), **attrs)
        yield row("Dilation2DBackpropInput", f(2, 17, 13, 4), f(3, 2, 4),
                  f(2, 9, 5, 4), **attrs)
        yield row("Dilation2DBackpropFilter", f(2, 17, 13, 4), f(3, 2, 4),
                  f(2, 9, 5, 4), **attrs)


def pools():
    for layout, put in _layouts(2):
        image = f(*put((2, 17, 13, 4)))
        for padding in ("SAME", "VALID"):
            attrs = {"strides": put((1, 2, 3, 1)), "padding": padding,
                     "data_format": layout, "ksize": put((1, 3, 2, 1))}
            yield row("MaxPool", image, **attrs)
            yield row("AvgPool", image, **attrs)
            gradient = f(*put((2, 9, 5, 4)))
            yield row("MaxPoolGrad", image, gradient, gradient, **attrs)
            yield row("AvgPoolGrad", const(put((2, 17, 13, 4))), gradient,
                      **attrs)
            ksize, strides = attrs.pop("ksize"), attrs.pop("strides")
            yield row("MaxPoolV2", image, const(ksize), const(strides),
                      **attrs)
            yield row("MaxPoolGradV2", image, gradient, gradient, const(ksize),
                      const(strides), **attrs)
        small = f(*put((2, 8, 6, 4)))
        attrs = {"strides": put((1, 2, 3, 1)), "padding": "VALID",
                 "data_format": layout, "ksize": put((1, 2, 3, 1))}
        out = f(*put((2, 4, 2, 4)))
        yield row("MaxPoolGradGrad", small, out, small, **attrs)
        ksize, strides = attrs.pop("ksize"), attrs.pop("strides")
        yield row("MaxPoolGradGradV2", small, out, small, const(ksize),
                  const(strides), **attrs)
        yield row("MaxPool", image, ksize=put((1, 3, 3, 1)),
                  strides=put((1, 2, 2, 1)), padding="EXPLICIT",
                  data_format=layout,
                  explicit_paddings=[x for pair in put(
                      ((0, 0), (1, 0), (2, 1), (0, 0))) for x in pair])
    attrs = {"strides": [1, 2, 3, 1], "padding": "VALID",
             "ksize": [1, 3, 2, 1]}
    yield row("MaxPool", f(2, 17, 13, 4), ksize=[1, 1, 1, 2],
              strides=[1, 1, 1, 2], padding="SAME")
    yield row("MaxPoolWithArgmax", f(2, 17, 13, 4), **attrs)
    yield row("MaxPoolGradWithArgmax", f(2, 17, 13, 4), f(2, 8, 4, 4),
              l(2, 8, 4, 4), **attrs)
    yield row("MaxPoolGradGradWithArgmax", f(2, 17, 13, 4), f(2, 17, 13, 4),
              l(2, 8, 4, 4), **attrs)
    yield row("QuantizedMaxPool", q(2, 17, 13, 4), f(), f(), **attrs)
    yield row("QuantizedAvgPool", q(2, 17, 13, 4), f(), f(), **attrs)
    ratio = [1.0, 1.44, 1.73, 1.0]
    for op in ("FractionalMaxPool", "FractionalAvgPool"):
        yield row(op, f(2, 17, 13, 4), pooling_ratio=ratio)
    yield row("FractionalMaxPoolGrad", f(2, 17, 13, 4), f(2, 11, 7, 4),
              f(2, 11, 7, 4), l(12), l(8))
    yield row("FractionalAvgPoolGrad", const([2, 17, 13, 4], "int64"),
              f(2, 11, 7, 4), l(12), l(8))
    yield row("_QuantizedMaxPool3D", q(2, 17, 13, 11, 4), f(), f(),
              strides=[1, 2, 3, 1, 1], padding="VALID", ksize=[1, 3, 2, 2, 1])
    for layout, put in _layouts(3):
        volume = f(*put((2, 17, 13, 11, 4)))
        for padding in ("SAME", "VALID"):
            attrs = {"strides": put((1, 2, 3, 1, 1)), "padding": padding,
                     "data_format": layout, "ksize": put((1, 3, 2, 2, 1))}
            yield row("MaxPool3D", volume, **attrs)
            yield row("AvgPool3D", volume, **attrs)
        gradient = f(*put((2, 8, 4, 10, 4)))
        yield row("MaxPool3DGrad", volume, gradient, gradient, **attrs)
        yield row("MaxPool3DGradGrad", volume, gradient, volume, **attrs)
        yield row("AvgPool3DGrad", const(put((2, 17, 13, 11, 4))), gradient,
                  **attrs)


def networks():
    for layout, put in _layouts(2):
        image = f(*put((2, 17, 13, 4)))
        yield row("BiasAdd", image, f(4), data_format=layout)
        yield row("BiasAddGrad", image, data_format=layout)
        for op in ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"):
            for trains in (True, False):
                yield row(op, image, f(4), f(4), f(4), f(4), data_format=layout,
                          is_training=trains)
        yield row("FusedBatchNormV3", image, f(4), f(4), f(4), f(4),
                  data_format=layout, exponential_avg_factor=0.5)
        yield row("_FusedBatchNormEx", h(*put((2, 17, 13, 4))), f(4), f(4),
                  f(4), f(4), [], data_format=layout, num_side_inputs=0)
        yield row("_FusedBatchNormGradEx", *[h(*put((2, 17, 13, 4)))] * 2,
                  *[f(4)] * 5, h(*put((2, 17, 13, 4))), data_format=layout)
        yield row("_FusedBatchNormGradEx", *[h(*put((2, 17, 13, 4)))] * 2,
                  *[f(4)] * 5, h(*put((2, 17, 13, 4))), data_format=layout,
                  num_side_inputs=1)
        for op in ("FusedBatchNormGrad", "FusedBatchNormGradV2",
                   "FusedBatchNormGradV3"):
            more = [f(4)] if op.endswith("V3") else []
            yield row(op, image, image, f(4), f(4), f(4), *more,
                      data_format=layout)
    for layout, put in _layouts(3):
        volume = f(*put((2, 17, 13, 11, 4)))
        yield row("FusedBatchNormV3", volume, f(4), f(4), f(4), f(4),
                  data_format=layout, is_training=False)
        yield row("FusedBatchNormGradV3", volume, volume, f(4), f(4), f(4),
                  f(4), data_format=layout)
    yield row("BiasAdd", f(2, 3), f(3))
    yield row("BiasAddV1", f(2, 5, 3), f(3))
    yield row("BiasAddGrad", f(2, 5, 3))
    yield row("BatchNormWithGlobalNormalization", f(2, 5, 6, 3), f(3), f(3),
              f(3), f(3), variance_epsilon=0.1, scale_after_normalization=True,
              legacy=True)
    yield row("BatchNormWithGlobalNormalizationGrad", f(2, 5, 6, 3), f(3),
              f(3), f(3), f(2, 5, 6, 3), variance_epsilon=0.1,
              scale_after_normalization=True, legacy=True)
    yield row("LRN", f(2, 5, 6, 3))
    yield row("LRNGrad", f(2, 5, 6, 3), f(2, 5, 6, 3), f(2, 5, 6, 3))
    yield row("Softmax", f(2, 3))
    yield row("LogSoftmax", f(2, 3, 4))
    yield row("SoftmaxCrossEntropyWithLogits", f(2, 3), f(2, 3))
    yield row("SoftmaxCrossEntropyWithLogits", f(2, 3), f(1, 3))
    yield row("SoftmaxCrossEntropyWithLogits", f(2, 3), f(3))
    yield row("SparseSoftmaxCrossEntropyWithLogits", f(2, 3), i(2))
    yield row("L2Loss", f(2, 3))
    yield row("TopK", f(2, 9), k=3, legacy=True)
    yield row("TopKV2", f(2, 9), const(3))
    yield row("TopKV2", f(9), const(3))
    for aggregates in (True, False):
        for axis in (0, 1, -1):
            yield row("ApproxTopK", f(700, 3000), k=5,
                      reduction_dimension=axis, aggregate_to_topk=aggregates)
    for k, size in ((1, 5000), (30, 5000), (900, 5000), (5, 1024), (5, 1025),
                    (60, 3000000), (3000, 3000000), (40, 262144)):
        for recall in (0.5, 0.95, 1.0):
            for override in (-1, 5000000):
                attrs = {"k": k, "aggregate_to_topk": False,
                         "recall_target": recall,
                         "reduction_input_size_override": override}
                yield row("ApproxTopK", f(size), **attrs)
                yield row("ApproxTopK", f(2, size), **attrs)
    yield row("TopKUnique", f(2, 9), k=3)
    yield row("TopKWithUnique", f(2, 9), k=3)
    yield row("MakeUnique", f(2, 9))
    yield row("InTopK", f(2, 9), i(2), k=3)
    yield row("InTopKV2", f(2, 9), i(2), const(3))
    yield row("NthElement", f(2, 9), const(3))


def linear_algebra():
    for op in ("Cholesky", "MatrixInverse", "MatrixExponential",
               "MatrixLogarithm", "MatrixSquareRoot", "MatrixDeterminant",
               "LogMatrixDeterminant", "Lu", "SelfAdjointEigV2"):
        kind = z if op == "MatrixLogarithm" else f
        old = op == "MatrixExponential"
        yield row(op, kind(5, 2, 3, 3), legacy=old)
        yield row(op, kind(3, 3), legacy=old)
    yield row("CholeskyGrad", f(5, 3, 3), f(5, 3, 3))
    yield row("SelfAdjointEigV2", f(5, 3, 3), compute_v=False)
    yield row("Eig", f(5, 3, 3), compute_v=True, Tout="complex64")
    yield row("Eig", f(5, 3, 3), compute_v=False, Tout="complex64")
    for op in ("MatrixSolve", "MatrixTriangularSolve"):
        yield row(op, f(5, 3, 3), f(5, 3, 4))
        yield row(op, f(3, 3), f(3, 4))
    yield row("MatrixTriangularSolve", f(5, 1, 3, 3), f(2, 3, 4))
    yield row("MatrixSolveLs", f(5, 3, 6), f(5, 3, 4), d())
    yield row("BandedTriangularSolve", f(5, 2, 3), f(5, 3, 4))
    yield row("BandedTriangularSolve", f(5, 1, 2, 3), f(7, 3, 4))
    yield row("TridiagonalSolve", f(5, 3, 6), f(5, 6, 4))
    yield row("TridiagonalMatMul", f(5, 1, 6), f(5, 1, 6), f(5, 1, 6),
              f(5, 6, 4))
    for full in (False, True):
        for shape in ((5, 2, 3), (3, 2), (0, 4)):
            yield row("Qr", f(*shape), full_matrices=full)
            yield row("Svd", f(*shape), full_matrices=full)
    yield row("Svd", f(5, 2, 3), compute_uv=False)
    for op in ("BatchCholesky", "BatchMatrixInverse", "BatchMatrixDeterminant",
               "SelfAdjointEig", "BatchSelfAdjointEig",
               "BatchSelfAdjointEigV2", "BatchSvd"):
        yield row(op, f(5, 3, 3), legacy=True)
    yield row("BatchCholeskyGrad", f(5, 3, 3), f(5, 3, 3), legacy=True)
    yield row("BatchMatrixSolve", f(5, 3, 3), f(5, 3, 4), legacy=True)
    yield row("BatchMatrixTriangularSolve", f(5, 3, 3), f(5, 3, 4),
              legacy=True)
    yield row("BatchMatrixSolveLs", f(5, 3, 6), f(5, 3, 4), d(), legacy=True)


def diagonals():
    yield row("Diag", f(2, 3))
    yield row("DiagPart", f(2, 3, 2, 3))
    yield row("MatrixDiag", f(5, 3))
    yield row("MatrixDiagPart", f(5, 3, 4))
    yield row("MatrixSetDiag", f(5, 3, 4), f(5, 3))
    yield row("MatrixBandPart", f(5, 3, 4), l(), l())
    yield row("BatchMatrixDiag", f(5, 3), legacy=True)
    yield row("BatchMatrixDiagPart", f(5, 3, 4), legacy=True)
    yield row("BatchMatrixSetDiag", f(5, 3, 4), f(5, 3), legacy=True)
    yield row("BatchMatrixBandPart", f(5, 3, 4), l(), l(), legacy=True)
    for version in ("V2", "V3"):
        for k, count in ((0, 0), (1, 0), (-2, 0), ([1], 0), ([-1, 1], 3),
                         ([1, 2], 2), ([0, 0], 0)):
            diagonal = (5, count, 3) if count else (5, 3)
            yield row("MatrixDiagPart" + version, f(5, 6, 7), const(k), f())
            yield row("MatrixSetDiag" + version, f(5, 6, 7), f(*diagonal),
                      const(k))
            yield row("MatrixDiag" + version, f(*diagonal), const(k),
                      const(-1), const(-1), f())
        yield row("MatrixDiag" + version, f(5, 3), const(1), const(3),
                  const(9), f())
        yield row("MatrixDiag" + version, f(5, 3), const(1), const(3),
                  const(-1), f())


def transforms():
    for k, op in enumerate(("FFT", "FFT2D", "FFT3D"), 1):
        yield row(op, z(2, 5, 6, 7))
        yield row("I" + op, z(2, 5, 6, 7))
        yield row("Batch" + op, z(2, 5, 6, 7), legacy=True)
        yield row("BatchI" + op, z(2, 5, 6, 7), legacy=True)
        for lengths in ([8, 9, 10], [3, 0, 5], [1, 1, 1], [4, 4, 0]):
            yield row("R" + op, f(2, 5, 6, 7), const(lengths[-k:]))
            yield row("IR" + op, z(2, 5, 6, 7), const(lengths[-k:]))


FAMILIES = {
    "by_element": by_element, "reductions": reductions, "products": products,
    "convolutions": convolutions, "pools": pools, "networks": networks,
    "linear_algebra": linear_algebra, "diagonals": diagonals,
    "transforms": transforms,
}
