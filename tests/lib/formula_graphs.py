"""Graphs of single operations, in wire bytes: every tensor says its shape."""

import csv
import struct

import program
from messages import attribute, dims
from wirebytes import field, integer

TYPES = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int8": 6,
         "string": 7, "complex64": 8, "int64": 9, "bool": 10, "qint8": 11,
         "quint8": 12, "qint32": 13, "float16": 19, "resource": 20}


class Type(str):
    """An attribute that is a type."""


class In:
    """An input: a placeholder, a constant, or a variable."""

    def __init__(self, shape, dtype="float32", value=None, op="Placeholder"):
        self.shape, self.dtype, self.value, self.op = shape, dtype, value, op


def ints(*values):
    """A constant list of integers; `ints(5)` is a list of one."""
    return In((len(values),), "int32", values)


def number(value):
    return In((), "int32", (value,))


def variable(*shape):
    return In(shape, "float32", op="VarHandleOp")


def reference(*shape):
    return In(shape, "float32", op="VariableV2")


# ---- Messages ----------------------------------------------------------------

def _value(value):
    """An AttrValue."""
    if isinstance(value, Type):
        return integer(6, TYPES[value])
    if isinstance(value, bool):
        return integer(5, int(value))
    if isinstance(value, int):
        return integer(3, value)
    if isinstance(value, float):
        return b"\x25" + struct.pack("<f", value)
    if isinstance(value, str):
        return field(2, value.encode())
    if value and isinstance(value[0], str):
        return field(1, b"".join(field(2, one.encode()) for one in value))
    if value and isinstance(value[0], float):
        return field(1, b"".join(b"\x25" + struct.pack("<f", one)
                                 for one in value))
    return field(1, b"".join(integer(3, one) for one in value))


def _shape(shape):
    """A TensorShapeProto; None is an unknown rank, in it an unknown dim."""
    if shape is None:
        return integer(3, 1)
    return dims(*(-1 if dim is None else dim for dim in shape))


def _shapes(shapes):
    return field(1, b"".join(field(7, _shape(shape)) for shape in shapes))


def node(name, op, inputs=(), outputs=(), attrs=None):
    """A NodeDef."""
    body = field(1, name.encode()) + field(2, op.encode())
    body += b"".join(field(3, source.encode()) for source in inputs)
    for key, value in (attrs or {}).items():
        body += attribute(key.encode(), _value(value))
    if outputs:
        body += attribute(b"_output_shapes", _shapes(outputs))
    return field(1, body)


def _constant(name, given):
    kind = TYPES[given.dtype]
    place = 10 if given.dtype == "int64" else 7
    tensor = (integer(1, kind) + field(2, dims(*given.shape))
              + b"".join(integer(place, one) for one in given.value))
    return field(1, field(1, name.encode()) + field(2, b"Const")
                 + attribute(b"dtype", integer(6, kind))
                 + attribute(b"value", field(8, tensor)))


def source(name, given):
    """The node of an input."""
    if given.value is not None:
        return _constant(name, given)
    kind = attribute(b"dtype", integer(6, TYPES[given.dtype]))
    if given.shape is not None:
        kind += attribute(b"shape", field(7, _shape(given.shape)))
    return field(1, field(1, name.encode()) + field(2, given.op.encode())
                 + kind)


def graph(rows):
    """Rows of (name, op, inputs, outputs, attrs) -> a GraphDef."""
    made = []
    for name, op, inputs, outputs, attrs in rows:
        names = [f"{name}/x{k}" for k in range(len(inputs))]
        made += [source(one, given) for one, given in zip(names, inputs)]
        made.append(node(name, op, names, outputs, attrs))
    return b"".join(made)


def count(folder, data, *options):
    """What tfprof says of the nodes, by name."""
    path = folder / "graph.pb"
    path.write_bytes(data)
    done = program.run("flops", path, "--list", "nodes", "--format", "csv",
                       "--batch", "-1", *options)
    assert done.returncode == 0, done.stderr
    return {row["node"]: row for row in
            csv.DictReader(done.stdout.decode().splitlines())}
