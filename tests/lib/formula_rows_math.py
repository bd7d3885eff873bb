"""Rows of operations by element, reductions, segments, sorting."""

import math

from counting_numbers import both, by_element, reduce_rows
from formula_graphs import In, Type, ints, number, reference, variable
from formula_row import SHAPE, F, I, Row, Z, e, f, i

# ---- By element --------------------------------------------------------------

ELEMENTARY = """
    Abs Acos Acosh Asin Asinh Atan Atanh BesselI0 BesselI0e BesselI1 BesselI1e
    BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1
    Ceil CheckNumerics CheckNumericsV2 Cos Cosh Dawsn Digamma Erf Erfc Erfinv
    Exp Expint Expm1 Floor FresnelCos FresnelSin Inv IsFinite IsInf IsNan
    Lgamma Log Log1p Ndtri Neg Reciprocal Rint Round Sign Sin Sinh Spence Sqrt
    Square Tan Tanh BiasAddV1""".split()

UNARY = {
    **{op: e for op in ELEMENTARY},
    "Rsqrt": lambda x: 1 / e(x),
    "ClipByValue": lambda x: e(e(x)),
    "Elu": lambda x: (e(x), e(x) - 1),
    "LeakyRelu": lambda x: e(0.2 * x),
    "LogSoftmax": lambda x: (e(x), x - 1, e(x), x + x, x - x),
    "Relu": e,
    "Relu6": lambda x: e(e(x)),
    "Selu": lambda x: (e(x), (e(x) - 1) * 1.7),
    "Sigmoid": lambda x: 1 / (1 + e(-x)),
    "Softmax": lambda x: (e(x), x - x, e(x), x + x, x / x),
    "Softplus": lambda x: e(e(x)),
    "Softsign": lambda x: x / (1 + abs(x)),
    # Clamp twice, shift, scale, round, scale back.
    **{op: lambda x: e(e(e(x) - 1) / 2) * 2 for op in (
        "FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars",
        "FakeQuantWithMinMaxVarsPerChannel", "QuantizeAndDequantize",
        "QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3",
        "QuantizeAndDequantizeV4")},
}

BINARY = {
    **{op: e for op in """
        Add AddV2 Atan2 Div DivNoNan Equal FloorDiv FloorMod Greater
        GreaterEqual Igamma IgammaGradA Igammac Less LessEqual Maximum Minimum
        Mod Mul MulNoNan NextAfter NotEqual Polygamma Pow RandomGammaGrad
        RealDiv Sub TruncateDiv TruncateMod Xdivy Zeta""".split()},
    "ApproximateEqual": lambda a, b: abs(a - b) < 1e-5,
    "SquaredDifference": lambda a, b: (a - b) ** 2,
    "Xlog1py": lambda a, b: a * e(b),
    "Xlogy": lambda a, b: a * e(b),
}

# Of dy and y, or dy and x.
GRADIENTS = {
    "EluGrad": lambda dy, y: (y < 0, dy * (y + 1)),
    "InvGrad": lambda y, dy: -dy * y * y,
    "LeakyReluGrad": lambda dy, x: (x > 0, dy * 0.2),
    "ReciprocalGrad": lambda y, dy: -dy * y * y,
    "Relu6Grad": lambda dy, x: (x > 0, x < 6),
    "ReluGrad": lambda dy, x: x > 0,
    "RsqrtGrad": lambda y, dy: -0.5 * dy * (y * (y * y)),
    "SeluGrad": lambda dy, y: (y < 0, dy * (y + 1.7)),
    "SigmoidGrad": lambda y, dy: dy * y * (1 - y),
    "SoftplusGrad": lambda dy, x: dy / (e(-x) + 1),
    "SoftsignGrad": lambda dy, x: dy / (1 + abs(x)) ** 2,
    "SqrtGrad": lambda y, dy: dy * 0.5 / y,
    "TanhGrad": lambda y, dy: dy * (1 - y * y),
    "FakeQuantWithMinMaxArgsGradient": lambda dy, x: (x > 0, x < 6, dy * 1),
}


def by_elements():
    for op, work in UNARY.items():
        more = {"ClipByValue": [f(), f()], "BiasAddV1": [f(5)],
                "FakeQuantWithMinMaxVars": [f(), f()],
                "FakeQuantWithMinMaxVarsPerChannel": [f(5), f(5)],
                "QuantizeAndDequantizeV2": [f(), f()],
                "QuantizeAndDequantizeV3": [f(), f(), number(8)],
                "QuantizeAndDequantizeV4": [f(), f()]}.get(op, [])
        shape = (6, 5) if op in ("Softmax", "LogSoftmax") else SHAPE
        attrs = {"message": "bad"} if op.startswith("Check") else {}
        yield Row(op, [f(*shape), *more], [shape], by_element(shape, work),
                  T=F, **attrs)
    yield Row("Neg", [i(4, 7)], [(4, 7)], by_element((4, 7), e), True, T=I)
    for op, parts in (("ComplexAbs", lambda x: e(x * x + x * x)),
                      ("Angle", e), ("Conj", e)):
        yield Row(op, [In(SHAPE, "complex64")], [SHAPE],
                  by_element(SHAPE, parts), T=Z)
    for op, work in BINARY.items():
        integer = op == "TruncateDiv"
        kind = i if integer else f
        a, b, y = (2, 1, 5), (3, 1), (2, 3, 5)
        if op in ("ApproximateEqual", "IgammaGradA"):
            a = b = y
        yield Row(op, [kind(*a), kind(*b)], [y], by_element(y, work, 2),
                  integer, T=I if integer else F)
    for op in ("AddV2", "Less", "FloorMod", "Maximum"):
        yield Row(op, [i(3, 1), i(4)], [(3, 4)], by_element((3, 4), e, 2),
                  True, T=I)
    yield Row("Betainc", [f(7), f(7), f(7)], [(7,)], by_element((7,), e, 3),
              T=F)
    for op, work in GRADIENTS.items():
        yield Row(op, [f(*SHAPE), f(*SHAPE)], [SHAPE],
                  by_element(SHAPE, work, 2), T=F)
    # Two comparisons, a product, and a sum of what is left out.
    masked = by_element(SHAPE, lambda dy, x: (x > 0, x < 6, dy * 1, dy + dy), 2)
    for op, ends in (("FakeQuantWithMinMaxVarsGradient", ()),
                     ("FakeQuantWithMinMaxVarsPerChannelGradient", (5,)),
                     ("QuantizeAndDequantizeV4Grad", ())):
        yield Row(op, [f(*SHAPE), f(*SHAPE), f(*ends), f(*ends)],
                  [SHAPE, ends, ends], masked, T=F)
    yield Row("BiasAdd", [f(*SHAPE), f(5)], [SHAPE], by_element(SHAPE, e), T=F)
    for op in ("AddN", "AccumulateNV2"):
        yield Row(op, [f(*SHAPE)] * 4, [SHAPE], by_element(
            SHAPE, lambda a, b, c, d: a + b + c + d, 4), T=F, N=4)
    yield Row("Cross", [f(4, 3), f(4, 3)], [(4, 3)], by_element(
        (4, 3), lambda a, b, c, d: a * b - c * d, 4), T=F)
    for op in ("InplaceAdd", "InplaceSub"):
        yield Row(op, [f(8, 5), ints(1, 2), f(2, 5)], [(8, 5)],
                  by_element((2, 5), e), T=F)
    for op in ("AssignAdd", "AssignSub"):
        yield Row(op, [reference(3, 7), f(3, 7)], [(3, 7)],
                  by_element((3, 7), e), T=F)
    for op in ("AssignAddVariableOp", "AssignSubVariableOp"):
        yield Row(op, [variable(3, 7), f(3, 7)], [], by_element((3, 7), e),
                  dtype=F)


# ---- Reductions --------------------------------------------------------------

def reductions():
    for op in ("Max", "Min", "Prod", "Sum"):
        yield Row(op, [f(4, 3, 5), ints(1)], [(4, 5)], reduce_rows(20, 3), T=F)
        yield Row(op, [i(9), ints(0)], [()], reduce_rows(1, 9), True, T=I)
    for op in ("ArgMax", "ArgMin"):
        yield Row(op, [f(4, 3, 5), number(2)], [(4, 3)], reduce_rows(12, 5),
                  T=F)
    yield Row("Mean", [f(4, 3, 5), ints(0, 2)], [(3,)],
              reduce_rows(3, 20, finish=lambda t: t / 20), T=F)
    yield Row("EuclideanNorm", [f(4, 5), ints(1)], [(4,)], both(
        by_element((4, 5), e), reduce_rows(4, 5, finish=e)), T=F)
    yield Row("L2Loss", [f(4, 5)], [()], both(
        by_element((4, 5), lambda x: x * x * 0.5), reduce_rows(1, 20)), T=F)
    yield Row("BiasAddGrad", [f(4, 3, 5)], [(5,)], reduce_rows(5, 12), T=F)
    yield Row("MirrorPadGrad", [f(7, 9), In((2, 2), "int32", (1, 1, 2, 2))],
              [(5, 5)], 7 * 9 - 5 * 5, T=F, mode="REFLECT")
    yield Row("TileGrad", [f(6, 10), ints(2, 5)], [(3, 2)],
              reduce_rows(6, 10), T=F)
    for op in ("Cumsum", "Cumprod"):
        yield Row(op, [f(4, 5), number(1)], [(4, 5)],
                  reduce_rows(4, 5, start=True), T=F)
    # max(a, b) + log(1 + exp(min - max))
    yield Row("CumulativeLogsumexp", [f(4, 5), number(1)], [(4, 5)],
              reduce_rows(4, 5, lambda a, b: e(a, b) + e(e(a - b)),
                          start=True), T=F)
    yield Row("Bincount", [i(23), number(8), f(23)], [(8,)],
              by_element((23,), e), T=F)
    yield Row("DenseBincount", [i(23), number(8), f(23)], [(8,)],
              by_element((23,), e), T=F, Tidx=I)
    yield Row("SparseBincount", [In((23, 1), "int64"), i(23),
                                 In((1,), "int64"), number(8), f(23)], [(8,)],
              by_element((23,), e), T=F, Tidx=I)
    yield Row("RaggedBincount", [In((4,), "int64"), i(23), number(8), f(23)],
              [(3, 8)], by_element((23,), e), T=F, Tidx=I)
    counted, sparse_ = by_element((23,), e), [(9, 1), (9,), (1,)]
    yield Row("DenseCountSparseOutput", [i(23), f(23)], sparse_, counted,
              True, T=I, output_type=F, binary_output=False)
    yield Row("SparseCountSparseOutput",
              [In((23, 1), "int64"), i(23), In((1,), "int64"), f(23)],
              sparse_, counted, True, T=I, output_type=F, binary_output=False)
    yield Row("RaggedCountSparseOutput", [In((4,), "int64"), i(23), f(23)],
              [(9, 2), (9,), (2,)], counted, True, T=I, output_type=F,
              binary_output=False)
    yield Row("HistogramFixedWidth", [f(23), f(2), number(8)], [(8,)],
              by_element((23,), lambda x: (x - 1) / 2 + 1), T=F)


def segments():
    data, ids = f(12, 5), i(12)
    for op in ("SegmentMax", "SegmentMin", "SegmentProd", "SegmentSum"):
        yield Row(op, [data, ids], [(4, 5)], 12 * 5 - 4 * 5, T=F, Tindices=I)
        yield Row(op + "V2", [data, ids, number(4)], [(4, 5)],
                  by_element((12, 5), e), T=F, Tindices=I, Tnumsegments=I)
        yield Row("Unsorted" + op, [data, ids, number(4)], [(4, 5)],
                  by_element((12, 5), e), T=F, Tindices=I, Tnumsegments=I)
    yield Row("SegmentMean", [data, ids], [(4, 5)],
              reduce_rows(4 * 5, 3, finish=lambda t: t / 3), T=F, Tindices=I)
    for op in ("Mean", "SqrtN", "Sum"):
        inputs = [f(30, 5, 2), i(9), i(9)]
        taken = by_element((9, 5, 2), e)
        yield Row(f"SparseSegment{op}", inputs, [(4, 5, 2)], taken, T=F)
        yield Row(f"SparseSegment{op}WithNumSegments", [*inputs, number(4)],
                  [(4, 5, 2)], taken, T=F)
        back = by_element((9, 5, 2), e if op == "Sum" else
                          lambda dy: 0.5 * dy + 1)
        inputs = [f(4, 5, 2), i(9), i(9), number(30)]
        yield Row(f"SparseSegment{op}Grad", inputs, [(30, 5, 2)], back, T=F)
        yield Row(f"SparseSegment{op}GradV2", inputs, [(7, 5, 2), (7,)], back,
                  T=F)


def scatters():
    work = by_element((4, 5), e)
    for op in ("Add", "Div", "Max", "Min", "Mul", "Sub"):
        yield Row(f"Scatter{op}", [reference(8, 5), i(4), f(4, 5)], [(8, 5)],
                  work, T=F, Tindices=I)
        yield Row(f"ResourceScatter{op}", [variable(8, 5), i(4), f(4, 5)], [],
                  work, dtype=F, Tindices=I)
    for op in ("Add", "Max", "Min", "Sub"):
        yield Row(f"ScatterNd{op}", [reference(8, 5), i(4, 1), f(4, 5)],
                  [(8, 5)], work, T=F, Tindices=I)
        yield Row(f"ResourceScatterNd{op}", [variable(8, 5), i(4, 1), f(4, 5)],
                  [], work, T=F, Tindices=I)
        yield Row(f"TensorScatter{op}", [f(8, 5), i(4, 1), f(4, 5)], [(8, 5)],
                  work, T=F, Tindices=I)
    yield Row("ScatterNdNonAliasingAdd", [f(8, 5), i(4, 1), f(4, 5)],
              [(8, 5)], work, T=F, Tindices=I)
    yield Row("ScatterNd", [i(4, 1), f(4, 5), ints(8, 5)], [(8, 5)], work,
              T=F, Tindices=I)


def halvings(places_left):
    """Comparisons to find a place among so many and one."""
    count = 0
    places_left += 1
    while places_left > 1:
        places_left = math.ceil(places_left / 2)
        count += 1
    return count


def orders():
    for k in (1, 3, 4, 7):
        work = by_element((6, 9), lambda x, k=k: [e(x) for _ in
                                                  range(halvings(k))])
        yield Row("TopKV2", [f(6, 9), number(k)], [(6, k), (6, k)], work, T=F)
        yield Row("TopK", [f(6, 9)], [(6, k), (6, k)], work, T=F, k=k)
        yield Row("TopKUnique", [f(6, 9)], [(6, k), (6, k)], work, k=k)
        yield Row("TopKWithUnique", [f(6, 9)], [(6, k), (6, k)], work, k=k)
        yield Row("ApproxTopK", [f(6, 9)], [(6, k), (6, k)], work, T=F, k=k)
    # The place among 37 that are sorted; among 5 that are bounds.
    for op in ("LowerBound", "UpperBound"):
        yield Row(op, [f(4, 37), f(4, 6)], [(4, 6)], by_element(
            (4, 6), lambda x: [e(x) for _ in range(halvings(37))]), T=F)
    yield Row("Bucketize", [f(4, 6)], [(4, 6)], by_element(
        (4, 6), lambda x: [e(x) for _ in range(halvings(5))]), T=F,
        boundaries=[1.0, 2.0, 3.0, 4.0, 5.0])
    yield Row("InTopK", [f(6, 9), i(6)], [(6,)], by_element((6, 9), e), k=3)
    yield Row("InTopKV2", [f(6, 9), i(6), number(3)], [(6,)],
              by_element((6, 9), e))
    yield Row("NthElement", [f(6, 9), number(3)], [(6,)],
              by_element((6, 9), e), T=F)


def sparse():
    parts = [In((13, 2), "int64"), f(13), In((2,), "int64")]
    for op in ("Add", "Div", "Mul"):
        yield Row(f"SparseDenseCwise{op}", [*parts, f(7, 8)], [(13,)],
                  by_element((13,), e), T=F)
    for op in ("Max", "Sum"):
        yield Row(f"SparseReduce{op}", [*parts, ints(0)], [(8,)],
                  by_element((13,), e), T=F)
        yield Row(f"SparseReduce{op}Sparse", [*parts, ints(0)],
                  [(5, 1), (5,), (1,)], by_element((13,), e), T=F)
    yield Row("SparseTensorDenseAdd", [*parts, f(7, 8)], [(7, 8)],
              by_element((13,), e), T=F, Tindices=Type("int64"))
    yield Row("SparseSoftmax", parts, [(13,)],
              by_element((13,), UNARY["Softmax"]), T=F)
