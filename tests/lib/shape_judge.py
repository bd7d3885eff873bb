"""Operations in many settings, and the shapes that TensorFlow gives them.

A row is an operation with inputs of known shape. Its variants know less: dims,
ranks and contents that are left unknown, one by one, all at once and at
random. TensorFlow imports each; the shapes of its outputs are the truth, which
shape_truth.py asks for.
"""

import collections
import csv
import io
import itertools
import pathlib

import numpy as np

import program
import recorded

RANDOM_VARIANTS = 12


class Input:
    """A tensor: a placeholder, or a constant if it has a value."""

    def __init__(self, dtype, shape, value=None, op=None, attrs=None,
                 parts=None):
        self.dtype = dtype
        self.shape = None if shape is None else list(shape)
        self.value = value
        self.op = op  # a node with no inputs instead of a placeholder
        self.attrs = attrs or {}
        self.parts = parts  # elements that a Pack joins, None for unknown ones

    def __repr__(self):
        value = None if self.value is None else self.value.tolist()
        return repr((self.dtype, self.shape, value, self.op,
                     sorted(self.attrs.items()), self.parts))

    def forget(self, shape):
        """The same with another shape and no contents."""
        return Input(self.dtype, shape, None, self.op, self.attrs)

    def retyped(self, dtype):
        return Input(dtype, self.shape, self.value, self.op, self.attrs)


def of(dtype):
    return lambda *shape: Input(dtype, shape)


# Short names, since rows are many.
f, d, h = of("float32"), of("float64"), of("float16")
i, l, b, s = of("int32"), of("int64"), of("bool"), of("string")
z, u, q, w = of("complex64"), of("uint8"), of("quint8"), of("qint32")
n = of("qint8")


def const(value, dtype="int32"):
    array = np.array(value, dtype=object if dtype == "string" else dtype)
    return Input(dtype, array.shape, array)


def packed(parts, dtype="int32"):
    """A vector of which some elements are not known."""
    return Input(dtype, [len(parts)], parts=parts)


def variable(dtype, *shape):
    return Input("resource", [], op="VarHandleOp",
                 attrs={"dtype": dtype, "shape": shape})


def reference(dtype, *shape):
    return reference_of(dtype, shape)


def reference_of(dtype, shape):
    """The shape may be None."""
    return Input(dtype + "_ref", shape, op="VariableV2",
                 attrs={"dtype": dtype, "shape": shape})


class Row:
    def __init__(self, op, inputs, attrs, legacy):
        self.op, self.inputs, self.attrs = op, inputs, attrs
        self.legacy = legacy  # TensorFlow takes it in old graphs only

    def text(self):
        """All of it, for the question that a record answers."""
        return f"{self.op} {list(variants(self))} {sorted(self.attrs.items())}"


def row(op, *inputs, legacy=False, **attrs):
    """An input may be a list of them, for arguments that take many."""
    return Row(op, list(inputs), attrs, legacy)


# ---- Variants -----------------------------------------------------------

def _flat(inputs):
    return [source for given in inputs
            for source in (given if isinstance(given, list) else [given])]


def _like(inputs, flat):
    flat = iter(flat)
    return [[next(flat) for _ in given] if isinstance(given, list)
            else next(flat) for given in inputs]


def _blur(source, choose):
    if source.op:
        return source
    if source.value is not None and choose.random() < 0.6:
        return source
    if choose.random() < 0.12:
        return source.forget(None)
    return source.forget([None if choose.random() < 0.4 else dim
                          for dim in source.shape])


def variants(a_row):
    """Lists of inputs: as the row has them first, then with less known."""
    flat = _flat(a_row.inputs)
    yield a_row.inputs
    for k, source in enumerate(flat):
        if source.op:
            continue
        shapes = [None, [None] * len(source.shape)]
        shapes += [[None if at == dim else size
                    for at, size in enumerate(source.shape)]
                   for dim in range(len(source.shape))]
        if source.value is not None:
            shapes.append(source.shape)
        for shape in shapes:
            yield _like(a_row.inputs, flat[:k] + [source.forget(shape)] +
                        flat[k + 1:])
    yield _like(a_row.inputs, [source if source.op or source.value is not None
                               else source.forget([None] * len(source.shape))
                               for source in flat])
    yield _like(a_row.inputs, [source if source.op else source.forget(None)
                               for source in flat])
    choose = program.chooser(a_row.op)
    for _ in range(RANDOM_VARIANTS if flat else 0):
        yield _like(a_row.inputs, [_blur(source, choose) for source in flat])


# ---- The truth ----------------------------------------------------------

_MAKER = pathlib.Path(__file__).with_name("shape_truth.py")


def record(name):
    return recorded.record(f"shape_{name}", "tensorflow-cpu")


def ports():
    """{operation of TensorFlow: its outputs in the form of the tables}"""
    def ask():
        import shape_truth
        return {name: shape_truth.ports(op)
                for name, op in shape_truth.registry().items()}

    return record("registry").answer({"outputs": "all operations"}, ask)


class Truth:
    """A graph of all variants of rows, as it is short and full, and the shape
    of each tensor."""

    def __init__(self, name, rows, legacy=False):
        def ask():
            import shape_truth
            return shape_truth.make(rows, legacy)

        told = record(name).answer(
            {"rows": [a_row.text() for a_row in rows], "legacy": legacy,
             "made by": recorded.digest_of_files(_MAKER)}, ask)
        self.graphs = {form: told[form] for form in ("short", "full")}
        self.shapes, self.refused = told["shapes"], told["refused"]
        self._rows = rows

    def inputs(self, node):
        """Those of a node, which has the number of its row and variant."""
        _, row_number, number = node.rsplit(".", 2)
        return next(itertools.islice(
            variants(self._rows[int(row_number)]), int(number), None))


def said(path, *args):
    """{tensor: shape} as tfprof says TensorFlow would know it."""
    done = program.run("flops", path, "--list", "tensors", "--format", "csv",
                       "--batch", "-1", *args)
    assert done.returncode in (0, 3), done.stderr
    rows = csv.DictReader(io.StringIO(done.stdout.decode()))
    return {a_row["tensor"]: a_row["shape_tensorflow"] for a_row in rows}


def describe(inputs):
    return "; ".join(
        f"={source.parts}" if source.parts is not None else
        (f"={source.value.tolist()}" if source.value is not None else
         f"{source.dtype}{source.shape}") for source in _flat(inputs))


def differences(truth, found):
    """Lines that say what differs."""
    lines = []
    for tensor, shape in truth.shapes.items():
        if found.get(tensor) != shape:
            node = tensor.rsplit(":", 1)[0]
            lines.append(f"{tensor}: {found.get(tensor)}, TensorFlow {shape}"
                         f" ({describe(truth.inputs(node))})")
    return lines


def few_of_each(lines, few=4):
    """The first lines of each operation."""
    counts = collections.Counter()
    for line in lines:
        op = line.split(".", 1)[0]
        counts[op] += 1
        if counts[op] <= few:
            yield line
