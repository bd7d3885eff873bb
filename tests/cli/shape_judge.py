"""Operations in many settings, and the shapes that TensorFlow gives them.

A row is an operation with inputs of known shape. Its variants know less: dims,
ranks and contents that are left unknown, one by one, all at once and at
random. TensorFlow imports each; the shapes of its outputs are the truth.
"""

import collections
import csv
import io
import os

import program
import tf_messages

if tf_messages.HAVE:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.client import pywrap_tf_session

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
    array = tf.constant(value, dtype=dtype)
    return Input(dtype, array.shape.as_list(), array.numpy())


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


def row(op, *inputs, legacy=False, **attrs):
    """An input may be a list of them, for arguments that take many."""
    return Row(op, list(inputs), attrs, legacy)


# ---- What TensorFlow knows of operations ------------------------------------

def registry():
    """All operations that TensorFlow has, by name."""
    ops = op_def_pb2.OpList()
    ops.ParseFromString(
        pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    return {op.name: op for op in ops.op}


def ports(op):
    """Outputs in the form of the table: "y,batch_mean" or "output*N"."""
    return ",".join(
        arg.name + "".join(f"*{count}" for count in
                           (arg.number_attr, arg.type_list_attr) if count)
        for arg in op.output_arg)


# ---- Nodes --------------------------------------------------------------

def _set_attr(attr, kind, value):
    if kind.startswith("list("):
        kind = kind[5:-1]
        field = getattr(attr.list, _FIELDS[kind])
        attr.list.SetInParent()
        for item in value:
            if kind == "shape":
                field.add().CopyFrom(tf.TensorShape(item).as_proto())
            elif kind == "type":
                field.append(tf.as_dtype(item).as_datatype_enum)
            else:
                field.append(item.encode() if kind == "string" else item)
    elif kind == "shape":
        attr.shape.CopyFrom(tf.TensorShape(value).as_proto())
    elif kind == "type":
        attr.type = tf.as_dtype(value).as_datatype_enum
    else:
        setattr(attr, _FIELDS[kind],
                value.encode() if kind == "string" else value)


_FIELDS = {"string": "s", "int": "i", "float": "f", "bool": "b",
           "type": "type", "shape": "shape"}


def _add_pack(graph, name, source):
    parts = []
    for k, part in enumerate(source.parts):
        parts.append(f"{name}/{k}")
        _add_source(graph, parts[-1], of(source.dtype)() if part is None
                    else const(part, source.dtype))
    node = graph.node.add(name=name, op="Pack", input=parts)
    node.attr["N"].i = len(parts)
    node.attr["T"].type = tf.as_dtype(source.dtype).as_datatype_enum


def _add_source(graph, name, source):
    if source.parts is not None:
        _add_pack(graph, name, source)
        return
    node = graph.node.add(name=name)
    if source.value is not None:
        node.op = "Const"
        node.attr["value"].tensor.CopyFrom(
            tf.make_tensor_proto(source.value, dtype=source.dtype))
    else:
        node.op = source.op or "Placeholder"
    if source.op is None:
        node.attr["dtype"].type = tf.as_dtype(source.dtype).as_datatype_enum
    if source.op is None and source.value is None:
        node.attr["shape"].shape.CopyFrom(
            tf.TensorShape(source.shape).as_proto())
    for key, value in source.attrs.items():
        _set_attr(node.attr[key], "type" if key == "dtype" else "shape", value)


def _base(dtype):
    return dtype.removesuffix("_ref")


def add_node(graph, name, op_def, inputs, attrs):
    """The node and its inputs; attributes of types follow from these."""
    node = tf.compat.v1.NodeDef(name=name, op=op_def.name)
    kinds = {attr.name: attr.type for attr in op_def.attr}
    for k, (arg, given) in enumerate(zip(op_def.input_arg, inputs)):
        many = given if isinstance(given, list) else [given]
        for m, source in enumerate(many):
            _add_source(graph, f"{name}/{k}.{m}", source)
            node.input.append(f"{name}/{k}.{m}")
        if arg.number_attr:
            node.attr[arg.number_attr].i = len(many)
        if arg.type_list_attr:
            _set_attr(node.attr[arg.type_list_attr], "list(type)",
                      [_base(source.dtype) for source in many])
        elif arg.type_attr and many:
            node.attr[arg.type_attr].type = tf.as_dtype(
                _base(many[0].dtype)).as_datatype_enum
    for key, value in attrs.items():
        _set_attr(node.attr[key], kinds[key], value)
    graph.node.add().CopyFrom(node)


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

LEGACY_PRODUCER = 1  # before anything was deprecated


def _import(graph):
    into = tf.Graph()
    with into.as_default():
        tf.import_graph_def(graph, name="")
    return into


def shape_text(shape):
    if shape.rank is None:
        return "?"
    return "[" + ",".join("?" if dim is None else str(dim)
                          for dim in shape.as_list()) + "]"


class Truth:
    """A graph of all variants of rows, and the shape of each tensor."""

    def __init__(self, rows, legacy=False):
        self.graph = tf.compat.v1.GraphDef()
        self.shapes = {}
        self.refused = []
        self.inputs = {}
        self._ops = registry()
        self._producer = (LEGACY_PRODUCER if legacy
                          else tf.version.GRAPH_DEF_VERSION)
        self.graph.versions.producer = self._producer
        for number, a_row in enumerate(rows):
            self._add_row(number, a_row)
        self.full = _import(self.graph).as_graph_def()

    def _part(self, numbered):
        part = tf.compat.v1.GraphDef()
        part.versions.producer = self._producer
        for name, a_row, inputs in numbered:
            add_node(part, name, self._ops[a_row.op], inputs, a_row.attrs)
        return part

    def _take(self, numbered):
        part = self._part(numbered)
        done = _import(part)
        self.graph.node.extend(part.node)
        for name, _, inputs in numbered:
            self.inputs[name] = inputs
            for output in done.get_operation_by_name(name).outputs:
                self.shapes[output.name] = shape_text(output.shape)

    def _add_row(self, number, a_row):
        numbered = [(f"{a_row.op.lstrip('_')}.{number}.{k}", a_row, inputs)
                    for k, inputs in enumerate(variants(a_row))]
        self._take(numbered[:1])
        try:
            self._take(numbered[1:])
        except ValueError:
            for one in numbered[1:]:
                try:
                    self._take([one])
                except ValueError as error:
                    self.refused.append((one[0], str(error)))


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
                         f" ({describe(truth.inputs[node])})")
    return lines


def few_of_each(lines, few=4):
    """The first lines of each operation."""
    counts = collections.Counter()
    for line in lines:
        op = line.split(".", 1)[0]
        counts[op] += 1
        if counts[op] <= few:
            yield line
