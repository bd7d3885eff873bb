"""A row for each type of operation that does arithmetic: a node of it, and
its work written down as it is defined, on numbers that count.

What is approximate by its nature (decompositions, transforms, recurrent
cells, colours) is worked out by a formula in plain Python instead, as the
documentation has it.
"""

import math
from fractions import Fraction

from counting_numbers import (Number, Tape, both, by_element, convolve,
                              einsum, elementary, matmul, multiply_add, places,
                              pool, reduce_rows, size)
from formula_graphs import In, Type, ints, number, reference, variable

e = elementary
SHAPE = (2, 3, 5)


class Row:
    """`work` is a function to be run on counting numbers, or a number of
    operations; `integer` says which sum it belongs to."""

    def __init__(self, op, inputs, outputs, work, integer=False, **attrs):
        self.op, self.inputs, self.outputs = op, inputs, outputs
        self.work, self.integer, self.attrs = work, integer, attrs

    def expected(self):
        """(float operations, integer operations, multiply-adds)"""
        ops, macs = (Tape.measure(self.work) if callable(self.work)
                     else (self.work, 0))
        return (0, ops, macs) if self.integer else (ops, 0, macs)


F, I, Z = Type("float32"), Type("int32"), Type("complex64")


def f(*shape):
    return In(shape)


def i(*shape):
    return In(shape, "int32")


def q(*shape):
    return In(shape, "quint8")


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
        yield Row(op, [f(*shape), *more], [shape], by_element(shape, work),
                  T=F)
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
    masked = by_element(SHAPE, lambda dy, x: (x > 0, x < 6, dy * 1, dy + dy),
                        2)
    for op, ends in (("FakeQuantWithMinMaxVarsGradient", ()),
                     ("FakeQuantWithMinMaxVarsPerChannelGradient", (5,)),
                     ("QuantizeAndDequantizeV4Grad", ())):
        yield Row(op, [f(*SHAPE), f(*SHAPE), f(*ends), f(*ends)],
                  [SHAPE, ends, ends], masked, T=F)
    yield Row("BiasAdd", [f(*SHAPE), f(5)], [SHAPE], by_element(SHAPE, e),
              T=F)
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
        yield Row(op, [f(4, 3, 5), ints(1)], [(4, 5)], reduce_rows(20, 3),
                  T=F)
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
    yield Row("SparseSoftmax", parts, [(13,)],
              by_element((13,), UNARY["Softmax"]), T=F)


# ---- Products and decompositions ---------------------------------------------

def products():
    yield Row("MatMul", [f(4, 6), f(6, 5)], [(4, 5)], matmul(1, 4, 6, 5), T=F)
    yield Row("MatMul", [f(6, 4), f(5, 6)], [(4, 5)], matmul(1, 4, 6, 5), T=F,
              transpose_a=True, transpose_b=True)
    yield Row("MatMul", [i(4, 6), i(6, 5)], [(4, 5)], matmul(1, 4, 6, 5),
              True, T=I)
    yield Row("SparseMatMul", [f(6, 4), f(6, 5)], [(4, 5)],
              matmul(1, 4, 6, 5), transpose_a=True)
    yield Row("QuantizedMatMul", [q(4, 6), q(6, 5), f(), f(), f(), f()],
              [(4, 5), (), ()], matmul(1, 4, 6, 5), True,
              T1=Type("quint8"), T2=Type("quint8"))
    for op in ("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"):
        kinds = ({"Ta": F, "Tb": F, "Tout": F} if op.endswith("3")
                 else {"T": F})
        yield Row(op, [f(2, 3, 4, 6), f(2, 3, 6, 5)], [(2, 3, 4, 5)],
                  matmul(6, 4, 6, 5), **kinds)
        yield Row(op, [f(2, 6, 16), f(2, 6, 10)], [(2, 16, 10)],
                  matmul(2, 16, 6, 10), adj_x=True, **kinds)
        yield Row(op, [f(2, 6, 16), f(2, 10, 6)], [(2, 16, 10)],
                  matmul(2, 16, 6, 10), adj_x=True, adj_y=True, **kinds)
    for adjoint in (False, True):
        yield Row("SparseTensorDenseMatMul",
                  [In((13, 2), "int64"), f(13), In((2,), "int64", (4, 8)),
                   f(5, 8) if adjoint else f(8, 5)], [(4, 5)],
                  by_element((13, 5), multiply_add, 3), T=F,
                  adjoint_b=adjoint)
    for equation, a, b, y in (
            ("ab,bc->ac", (4, 6), (6, 5), (4, 5)),
            ("abc,cd->abd", (2, 3, 4), (4, 5), (2, 3, 5)),
            ("bqhd,bkhd->bhqk", (2, 3, 4, 5), (2, 6, 4, 5), (2, 4, 3, 6)),
            ("ab,ab->", (4, 6), (4, 6), ()),
            ("ab,cd->abcd", (2, 3), (4, 5), (2, 3, 4, 5))):
        for op in ("Einsum", "XlaEinsum"):
            yield Row(op, [f(*a), f(*b)], [y], einsum(equation, a, b),
                      T=F, equation=equation, **(
                          {"N": 2} if op == "Einsum" else {}))
    # Dots stand for labels without a name; they may be stretched.
    yield Row("Einsum", [f(7, 2, 3), f(1, 3, 4)], [(7, 2, 4)],
              einsum("zab,zbc->zac", (7, 2, 3), (1, 3, 4)), T=F, N=2,
              equation="...ab,...bc->...ac")
    yield Row("Einsum", [f(7, 2, 3), f(3, 4)], [(7, 2, 4)],
              einsum("zab,bc->zac", (7, 2, 3), (3, 4)), T=F, N=2,
              equation="...ab,bc->...ac")
    yield Row("Einsum", [f(4, 6)], [(6,)], reduce_rows(6, 4), T=F, N=1,
              equation="ab->b")
    yield Row("Einsum", [f(4, 6)], [(6, 4)], 0, T=F, N=1, equation="ab->ba")
    yield Row("TridiagonalMatMul", [f(2, 1, 6), f(2, 1, 6), f(2, 1, 6),
                                    f(2, 6, 3)], [(2, 6, 3)],
              by_element((2, 6, 3), lambda a, b, c: a * 1 + b * 1 + c * 1, 3),
              T=F)


def decompositions():
    batch, n, m = 2, 7, 4
    square, cube = f(batch, n, n), batch * Fraction(n ** 3)
    for prefix in ("", "Batch"):
        for op, count in (("Cholesky", cube / 3), ("CholeskyGrad", 2 * cube / 3),
                          ("MatrixDeterminant", 2 * cube / 3),
                          ("MatrixInverse", 2 * cube)):
            inputs = [square] * (2 if op == "CholeskyGrad" else 1)
            outputs = [(batch,)] if op.endswith("Determinant") else [
                (batch, n, n)]
            yield Row(prefix + op, inputs, outputs, int(count), T=F)
        each = int(2 * Fraction(n ** 3) / 3) + 2 * n * n * m
        yield Row(prefix + "MatrixSolve", [square, f(batch, n, m)],
                  [(batch, n, m)], batch * each, T=F)
        yield Row(prefix + "MatrixTriangularSolve", [square, f(batch, n, m)],
                  [(batch, n, m)], forward_substitution(batch, n, m), T=F)
        rows = 9
        each = (2 * rows * n * n + n ** 3 // 3 + 2 * rows * n * m
                + 2 * n * n * m)
        yield Row(prefix + "MatrixSolveLs",
                  [f(batch, rows, n), f(batch, rows, m), In((), "float64")],
                  [(batch, n, m)], batch * each, T=F)
        yield Row(prefix + "SelfAdjointEig", [square], [(batch, n + 1, n)],
                  int(9 * cube), T=F)
        for vectors in (True, False):
            yield Row(prefix + "SelfAdjointEigV2", [square],
                      [(batch, n), (batch, n, n) if vectors else (0,)],
                      int((9 if vectors else Fraction(4, 3)) * cube), T=F,
                      compute_v=vectors)
            tall = batch * (4 * rows * n * n + (22 if vectors else 8) * n ** 3)
            for sides in ((rows, n), (n, rows)):
                yield Row(prefix + "Svd", [f(batch, *sides)],
                          [(batch, n), (batch, sides[0], n) if vectors
                           else (0,), (batch, sides[1], n) if vectors
                           else (0,)], tall, T=F, compute_uv=vectors)
    for vectors in (True, False):
        yield Row("Eig", [square], [(batch, n), (batch, n, n) if vectors
                                    else (0,)],
                  int((25 if vectors else 10) * cube), T=F, Tout=Z,
                  compute_v=vectors)
    yield Row("LogMatrixDeterminant", [square], [(batch,), (batch,)],
              int(2 * cube / 3), T=F)
    yield Row("Lu", [square], [(batch, n, n), (batch, n)], int(2 * cube / 3),
              T=F)
    each = 4 * 9 * n * n - 4 * n ** 3 // 3
    yield Row("Qr", [f(batch, 9, n)], [(batch, 9, n), (batch, n, n)],
              batch * each, T=F)
    yield Row("BandedTriangularSolve", [f(batch, 3, n), f(batch, n, m)],
              [(batch, n, m)], banded_substitution(batch, 3, n, m), T=F)
    yield Row("TridiagonalSolve", [f(batch, 3, n), f(batch, n, m)],
              [(batch, n, m)], thomas(batch, n, m), T=F)


def forward_substitution(batch, n, m):
    """Row k takes k multiplications with a subtraction, and a division."""
    def work():
        for _ in range(batch * m):
            for row in range(n):
                total = Number()
                for _ in range(row):
                    total = total - Number() * Number()
                total = total / Number()
    return work


def banded_substitution(batch, bands, n, m):
    """Every row as if it had all bands."""
    def work():
        for _ in places((batch, n, m)):
            total = Number()
            for _ in range(bands - 1):
                total = total - Number() * Number()
            total = total / Number()
    return work


def thomas(batch, n, m):
    """One pass down, one up, every row as if it had two neighbours."""
    def work():
        for _ in places((batch, n)):
            factor = Number() / Number()
            _ = Number() - factor * Number()
            for _ in range(m):
                _ = Number() - factor * Number()
                _ = (Number() - Number() * Number()) / Number()
    return work


def transform(points, n, complex_input=True):
    """5*n*log2(n) for each n complex points; half of it for real ones."""
    return int((5 if complex_input else 2.5) * points * math.log2(n))


def transforms():
    shape = (3, 4, 8, 16)
    for prefix in ("", "Batch"):
        for inverse in ("", "I"):
            for rank, name in ((1, "FFT"), (2, "FFT2D"), (3, "FFT3D")):
                yield Row(prefix + inverse + name, [In(shape, "complex64")],
                          [shape], transform(size(shape), size(shape[-rank:])),
                          **({} if prefix else {"Tcomplex": Z}))
    yield Row("FFT", [In((5, 12), "complex64")], [(5, 12)],
              transform(60, 12), Tcomplex=Z)
    for rank, name in ((1, "RFFT"), (2, "RFFT2D"), (3, "RFFT3D")):
        half = (*shape[:-1], shape[-1] // 2 + 1)
        lengths = ints(*shape[-rank:])
        work = transform(size(shape), size(shape[-rank:]), False)
        kinds = {"Tcomplex": Z, "Treal": F}
        yield Row(name, [f(*shape), lengths], [half], work, **kinds)
        yield Row("I" + name, [In(half, "complex64"), lengths], [shape], work,
                  **kinds)
    half = (3, 4, 8, 9)
    for name, a, y, part in (("FFTND", shape, shape, True),
                             ("IFFTND", shape, shape, True),
                             ("RFFTND", shape, half, False),
                             ("IRFFTND", half, shape, False)):
        yield Row(name, [In(a, "float32" if name == "RFFTND" else
                            "complex64"), ints(8, 16), ints(2, 3)], [y],
                  transform(size(shape), 128, part), Tcomplex=Z, Treal=F)


# ---- Layers ------------------------------------------------------------------

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
        yield Row("Fractional" + op, [f(2, 9, 8, 6)], [(2, 6, 5, 6), (7,),
                                                       (6,)],
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


def cell(batch, inputs, units, gates, by_unit):
    """What comes in and what was before by the gates' weights."""
    return both(matmul(1, batch, inputs + units, gates * units),
                by_element((batch, units), lambda h: [e(h) for _ in
                                                      range(by_unit)]))


def recurrent():
    b, n, h, t = 2, 6, 4, 3
    state = (b, h)
    peepholes = [f(h)] * 3
    weights = [f(n + h, 4 * h), *peepholes, f(4 * h)]
    lstm = cell(b, n, h, 4, 26)
    yield Row("LSTMBlockCell", [f(b, n), f(*state), f(*state), *weights],
              [state] * 7, lstm, T=F)
    yield Row("LSTMBlockCellGrad",
              [f(b, n), f(*state), f(*state), *weights, *[f(*state)] * 8],
              [state, (b, 4 * h), (h,), (h,), (h,)],
              by_element(state, lstm_grad, 9), T=F, use_peephole=False)
    gru = cell(b, n, h, 3, 17)
    inputs = [f(b, n), f(*state), f(n + h, 2 * h), f(n + h, h), f(2 * h),
              f(h)]
    yield Row("GRUBlockCell", inputs, [state] * 4, gru, T=F)
    yield Row("GRUBlockCellGrad", [*inputs, *[f(*state)] * 4],
              [(b, n), state, state, (b, 2 * h)], gru, T=F)
    inputs = [In((), "int64"), f(t, b, n), f(*state), f(*state), *weights]
    for op in ("BlockLSTM", "BlockLSTMV2"):
        yield Row(op, inputs, [(t, b, h)] * 7, both(*[lstm] * t), T=F)
    for op in ("BlockLSTMGrad", "BlockLSTMGradV2"):
        yield Row(op, [*inputs, *[f(t, b, h)] * 9],
                  [(t, b, n), state, state, (n + h, 4 * h), (h,), (h,), (h,),
                   (4 * h,)], both(*[lstm] * (2 * t)), T=F,
                  use_peephole=False)
    yield from cudnn(b, n, h, t)


def lstm_grad(i_, f_, o, ci, co, cs, cs_prev, cs_grad, h_grad):
    """The gradients of the four gates of one unit."""
    _ = o * (1 - o) * h_grad * co
    dcs = (1 - co * co) * h_grad * o + cs_grad
    _ = (1 - ci * ci) * i_ * dcs
    _ = f_ * (1 - f_) * cs_prev * dcs
    _ = i_ * (1 - i_) * ci * dcs
    return dcs * f_


def cudnn(b, n, h, t):
    for mode, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1)):
        for layers, directions in ((1, 1), (2, 2), (3, 1)):
            steps = []
            for layer in range(layers):
                fed = directions * h if layer else n
                steps += [cell(b, fed, h, gates, 26)] * directions * t
            kinds = {"T": F, "rnn_mode": mode, "direction": (
                "bidirectional" if directions == 2 else "unidirectional")}
            states = (layers * directions, b, h)
            wide = (t, b, directions * h)
            inputs = [f(t, b, n), f(*states), f(*states), f(99)]
            outputs = [wide, states, states, None]
            results = [f(*wide), f(*states), f(*states)]
            forward, back = both(*steps), both(*steps, *steps)
            yield Row("CudnnRNN", inputs, outputs, forward, **kinds)
            yield Row("CudnnRNNV2", inputs, [*outputs, None], forward,
                      **kinds)
            yield Row("CudnnRNNV3", [*inputs, i(b)], [*outputs, None],
                      forward, **kinds)
            grads = [(t, b, n), states, states, (99,)]
            yield Row("CudnnRNNBackprop", [*inputs, *results, *results, f(9)],
                      grads, back, **kinds)
            yield Row("CudnnRNNBackpropV2", [*inputs, *results, *results,
                                             f(9), In((9,), "uint8")],
                      grads, back, **kinds)
            yield Row("CudnnRNNBackpropV3", [*inputs, i(b), *results,
                                             *results, f(9),
                                             In((9,), "uint8")],
                      grads, back, **kinds)
    yield Row("CudnnRNNV3", [f(b, t, n), f(b, 1, h), f(b, 1, h), f(99), i(b)],
              [(b, t, h), (b, 1, h), (b, 1, h), None, None],
              both(*[cell(b, n, h, 4, 26)] * t), T=F, time_major=False)


# ---- Images ------------------------------------------------------------------

def interpolate(*_):
    """Between four, by three lines: a + (b - a)*t."""
    for _ in range(3):
        _ = Number() + (Number() - Number()) * Number()


def mix16(*_):
    """Sixteen neighbours, each by its weight."""
    total = Number()
    for _ in range(16):
        total = total + Number() * Number()


def images():
    small, large = (2, 4, 5, 3), (2, 8, 10, 3)
    to = ints(8, 10)
    yield Row("ResizeBilinear", [f(*small), to], [large],
              by_element(large, interpolate), T=F)
    yield Row("ResizeBilinear", [In(small, "uint8"), to], [large],
              by_element(large, interpolate), T=Type("uint8"))
    yield Row("ResizeBicubic", [f(*small), to], [large],
              by_element(large, mix16), T=F)
    yield Row("ResizeBilinearGrad", [f(*large), f(*small)], [small],
              9 * size(large), T=F)
    yield Row("ResizeBicubicGrad", [f(*large), f(*small)], [small],
              by_element(large, mix16), T=F)
    yield Row("ResizeNearestNeighborGrad", [f(*large), ints(4, 5)], [small],
              by_element(large, e), T=F)
    weigh = lambda x: x * 0.5 + 1  # noqa: E731, a step of a sum
    yield Row("ResizeArea", [f(*large), ints(4, 5)], [small],
              by_element(large, weigh), T=F)
    yield Row("ResizeArea", [f(*small), to], [large],
              by_element(large, weigh), T=F)
    yield Row("QuantizedResizeBilinear", [q(*small), to, f(), f()],
              [large, (), ()], by_element(large, interpolate), True,
              T=Type("quint8"))
    boxes, crops = [f(7, 4), i(7)], (7, 6, 6, 3)
    yield Row("CropAndResize", [f(*small), *boxes, ints(6, 6)], [crops],
              by_element(crops, interpolate), T=F)
    yield Row("CropAndResizeGradImage", [f(*crops), *boxes, ints(*small)],
              [small], 9 * size(crops), T=F)
    yield Row("CropAndResizeGradImage", [f(*crops), *boxes, ints(*small)],
              [small], by_element(crops, e), T=F, method="nearest")
    yield Row("CropAndResizeGradBoxes", [f(*crops), f(*small), *boxes],
              [(7, 4)], 22 * size(crops), T=F)

    def project(interpolated):
        def work():
            for _ in places(large[:-1]):
                x = y = Number()
                k = Number() * x + Number() * y + 1
                _ = (Number() * x + Number() * y + 1) / k
                _ = (Number() * x + Number() * y + 1) / k
                for _ in range(large[-1] if interpolated else 0):
                    interpolate()
        return work

    for op, more in (("ImageProjectiveTransformV2", []),
                     ("ImageProjectiveTransformV3", [f()])):
        for how in ("BILINEAR", "NEAREST"):
            yield Row(op, [f(*small), f(2, 8), to, *more], [large],
                      project(how == "BILINEAR"), dtype=F, interpolation=how)
    n = size(large)
    yield Row("AdjustContrastv2", [f(*large), f()], [large], both(
        reduce_rows(6, 80, finish=lambda s: s / 80),
        by_element(large, lambda x: (x - 1) * 2 + 1)), T=F)
    for op, each in (("AdjustHue", 14), ("AdjustSaturation", 14)):
        yield Row(op, [f(*large), f()], [large], each * n, T=F)
    for op, each in (("HSVToRGB", 9), ("RGBToHSV", 4)):
        yield Row(op, [f(*large)], [large], each * n, T=F)


def suppress(boxes, kept):
    """Each box that is kept is held against all: do they overlap by more?"""
    def work():
        for _ in range(kept):
            for _ in range(boxes):
                height = e(Number()) - e(Number())  # min of ends, max of starts
                width = e(Number()) - e(Number())
                shared = height * width
                union = Number() - shared  # of both areas, which are known
                _ = shared / union > 0.5
    return work


def boxes():
    n, kept = 17, 6
    inputs = [f(n, 4), f(n), number(kept)]
    some = (None,)
    work = suppress(n, kept)
    yield Row("NonMaxSuppression", inputs, [some], work)
    yield Row("NonMaxSuppressionV2", [*inputs, f()], [some], work, T=F)
    yield Row("NonMaxSuppressionV3", [*inputs, f(), f()], [some], work, T=F)
    yield Row("NonMaxSuppressionV4", [*inputs, f(), f()], [some, ()], work,
              T=F)
    yield Row("NonMaxSuppressionV5", [*inputs, f(), f(), f()],
              [some, some, ()], work, T=F)
    yield Row("NonMaxSuppressionWithOverlaps",
              [f(n, n), f(n), number(kept), f(), f()], [some],
              by_element((n, kept), e))
    yield Row("CombinedNonMaxSuppression",
              [f(2, n, 1, 4), f(2, n, 3), number(kept), number(9), f(), f()],
              [(2, 9, 4), (2, 9), (2, 9), (2,)],
              both(*[work] * (2 * 3)))


# ---- Training ----------------------------------------------------------------

def adam(m, v, var, g):
    m = m + (g - m) * 0.1
    v = v + (g * g - v) * 0.1
    return var - m * 0.01 / (e(v) + 1e-7)


def amsgrad(m, v, var, g):
    m = m + (g - m) * 0.1
    v = v + (g * g - v) * 0.1
    return var - m * 0.01 / (e(e(v)) + 1e-7)


def ada_max(m, v, var, g):
    m = m + (g - m) * 0.1
    v = e(v * 0.9, abs(g))
    return var - m * 0.01 / (v + 1e-7)


def rms_prop(ms, mom, var, g):
    ms = ms + (g * g - ms) * 0.1
    mom = mom * 0.9 + g * 0.01 / e(ms + 1e-7)
    return var - mom


def centered_rms_prop(mg, ms, mom, var, g):
    ms = ms + (g * g - ms) * 0.1
    mg = mg + (g - mg) * 0.1
    mom = mom * 0.9 + g * 0.01 / e(ms - mg * mg + 1e-7)
    return var - mom


def adadelta(accum, update, var, g):
    accum = accum * 0.9 + g * g * 0.1
    step = e(update + 1e-7) * (1 / e(accum + 1e-7)) * g
    update = update * 0.9 + step * step * 0.1
    return var - step * 0.01


def momentum(accum, var, g):
    accum = accum * 0.9 + g
    return var - accum * 0.01


def adagrad(accum, var, g):
    accum = accum + g * g
    return var - g * 0.01 / e(accum)


def add_sign(m, var, g):
    m = m * 0.9 + g * 0.1
    return var - (1 + 0.5 * (e(g) * e(m))) * 0.01 * g


def power_sign(m, var, g):
    m = m * 0.9 + g * 0.1
    return var - e(0.5 * (e(g) * e(m))) * 0.01 * g


def proximal_gradient_descent(var, g):
    step = var - g * 0.01
    return e(step) * e(abs(step) - 0.1) / 1.1


def proximal_adagrad(accum, var, g):
    accum = accum + g * g
    rate = 0.01 * (1 / e(accum))
    step = var - g * rate
    return e(step) * e(abs(step) - rate * 0.1) / (1 + rate * 0.1)


def adagrad_da(total, squares, g):
    total = total + g
    squares = squares + g * g
    rest = e(total) * e(abs(total) - 0.1)
    return rest * 0.01 / (0.1 + e(squares))


# name: which input the gradient is, how many inputs, how many of them are
# variables, what is done. Numbers where the proposal is kept that a literal
# count would exceed by a few: docs/float-operations.md.
OPTIMIZERS = {
    "AdaMax": (8, 9, 3, ada_max),
    "Adadelta": (6, 7, 3, adadelta),
    "Adagrad": (3, 4, 2, adagrad),
    "AdagradDA": (3, 8, 3, adagrad_da),
    "AdagradV2": (4, 5, 2, 6),
    "Adam": (9, 10, 3, adam),
    "AddSign": (6, 7, 2, add_sign),
    "CenteredRMSProp": (8, 9, 4, centered_rms_prop),
    "Ftrl": (3, 8, 3, 16),
    "FtrlV2": (3, 9, 3, 16),
    "GradientDescent": (2, 3, 1, lambda var, g: var - g * 0.01),
    "Momentum": (3, 5, 2, momentum),
    "PowerSign": (6, 7, 2, power_sign),
    "ProximalAdagrad": (5, 6, 2, proximal_adagrad),
    "ProximalGradientDescent": (4, 5, 1, proximal_gradient_descent),
    "RMSProp": (7, 8, 3, rms_prop),
}
ONLY_RESOURCES = {
    "AdamWithAmsgrad": (10, 11, 4, amsgrad),
    "KerasMomentum": (3, 5, 2, momentum),
}
NO_ROWS = ("AdaMax", "Adam", "AddSign", "GradientDescent", "PowerSign",
           "AdamWithAmsgrad")


def optimizer(name, facts, resource, rows):
    """rows: of the gradient, for indices; or None, and it is dense."""
    grad, count, variables, step = facts
    full, given = (9, 5), (9, 5) if rows is None else (rows, 5)
    inputs = [f()] * count
    for k in range(variables):
        inputs[k] = (variable if resource else reference)(*full)
    inputs[grad] = f(*given)
    attrs = {"T": F}
    if rows is not None:
        inputs.insert(grad + 1, i(rows))
        attrs["Tindices"] = I
    prefix = "Resource" if resource else ""
    prefix += "Apply" if rows is None else "SparseApply"
    if name == "AdagradDA":
        inputs[-1] = In((), "int64")
    arguments = step.__code__.co_argcount if callable(step) else 0
    work = (by_element(given, step, arguments) if callable(step)
            else step * size(given))
    return Row(prefix + name, inputs, [] if resource else [full], work,
               **attrs)


def training():
    for name, facts in OPTIMIZERS.items():
        for rows in (None, 4):
            if rows is None or name not in NO_ROWS:
                yield optimizer(name, facts, False, rows)
                yield optimizer(name, facts, True, rows)
    for name, facts in ONLY_RESOURCES.items():
        for rows in (None, 4):
            if rows is None or name not in NO_ROWS:
                yield optimizer(name, facts, True, rows)
    handle = In((), "resource")
    for op in ("AccumulatorApplyGradient", "ResourceAccumulatorApplyGradient"):
        yield Row(op, [handle if op[0] == "R" else In((), "string"),
                       In((), "int64"), f(4, 5)], [],
                  by_element((4, 5), e), dtype=F)
    for op in ("AccumulatorTakeGradient", "ResourceAccumulatorTakeGradient"):
        yield Row(op, [handle if op[0] == "R" else In((), "string"),
                       number(3)], [(4, 5)], by_element((4, 5), e), dtype=F)


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
    shape, c = (2, 4, 3, 5), f(5)
    yield Row("_FusedBatchNormEx", [f(*shape), c, c, c, c, f(*shape)],
              [shape, *[(5,)] * 4, None], both(
                  batch_norm(shape, False), by_element(shape, after)),
              T=F, U=F, is_training=False, num_side_inputs=1,
              activation_mode="Relu")
    yield Row("_UnaryOpsComposition", [f(*SHAPE)], [SHAPE], by_element(
        SHAPE, lambda x: e(e(x))), T=F, op_names=["Sqrt", "Log"])


def rows():
    """All of them."""
    for family in (by_elements, reductions, segments, scatters, orders,
                   sparse, products, decompositions, transforms, convolutions,
                   depthwise, pools, norms, losses, quantized, recurrent,
                   images, boxes, training, fused):
        yield from family()
