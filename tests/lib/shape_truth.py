"""TensorFlow as the judge of shapes: it imports graphs of single operations.

Loaded for what the record of shape_judge.py lacks.
"""

import os

import shape_judge

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402
from tensorflow.core.framework import op_def_pb2  # noqa: E402
from tensorflow.python.client import pywrap_tf_session  # noqa: E402


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
        _add_source(graph, parts[-1],
                    shape_judge.of(source.dtype)() if part is None
                    else shape_judge.const(part, source.dtype))
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


class _Truth:
    """A graph of all variants of rows, and the shape of each tensor."""

    def __init__(self, rows, legacy):
        self.graph = tf.compat.v1.GraphDef()
        self.shapes = {}
        self.refused = []
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
        for name, _, _ in numbered:
            for output in done.get_operation_by_name(name).outputs:
                self.shapes[output.name] = shape_text(output.shape)

    def _add_row(self, number, a_row):
        numbered = [(f"{a_row.op.lstrip('_')}.{number}.{k}", a_row, inputs)
                    for k, inputs in enumerate(shape_judge.variants(a_row))]
        self._take(numbered[:1])
        try:
            self._take(numbered[1:])
        except ValueError:
            for one in numbered[1:]:
                try:
                    self._take([one])
                except ValueError as error:
                    self.refused.append((one[0], str(error)))


def make(rows, legacy):
    """What shape_judge.Truth keeps."""
    truth = _Truth(rows, legacy)
    return {"short": truth.graph.SerializeToString(deterministic=True),
            "full": truth.full.SerializeToString(deterministic=True),
            "shapes": truth.shapes,
            "refused": truth.refused}
