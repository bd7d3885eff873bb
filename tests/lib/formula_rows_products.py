"""Rows of products of matrices, decompositions and transforms."""

import math
from fractions import Fraction

from counting_numbers import (Number, by_element, einsum, matmul,
                              multiply_add, places, reduce_rows, size)
from formula_graphs import In, Type, ints
from formula_row import F, I, Row, Z, f, i, q


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
        for op, count in (("Cholesky", cube / 3),
                          ("CholeskyGrad", 2 * cube / 3),
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
    # To TensorFlow what comes out has the shape of what goes in.
    half = (3, 4, 8, 9)
    for name, a, part in (("FFTND", shape, True), ("IFFTND", shape, True),
                          ("RFFTND", shape, False), ("IRFFTND", half, False)):
        yield Row(name, [In(a, "float32" if name == "RFFTND" else
                            "complex64"), ints(8, 16), ints(-2, 3)], [a],
                  transform(size(shape), 128, part), Tcomplex=Z, Treal=F)
