"""The messages of tfprof_output.proto, row by row.

An op view nests once for each of its rows, and protobuf's own parsers give up
after a hundred. So a message is walked without recursion, into a list of rows:
(depth, fields), where fields has values by name, as the descriptor has them.
"""

import tf_messages
from wirebytes import fields

_VIEWS = {"scope": "GraphNodeProto", "graph": "GraphNodeProto",
          "op": "MultiGraphNodeProto", "code": "MultiGraphNodeProto"}


def module():
    return tf_messages.module("core.profiler.tfprof_output")


def _signed(value):
    return value - (1 << 64) if value >> 63 else value


class Walker:
    """Walks the messages of one view."""

    def __init__(self, view):
        found = module()
        self.kind = getattr(found, _VIEWS[view]).DESCRIPTOR
        self.node = found.GraphNodeProto.DESCRIPTOR
        self.shape = tf_messages.module(
            "core.framework.tensor_shape").TensorShapeProto
        self.tensor = found.TFProfTensorProto
        self.messages = 0

    def rows(self, data):
        """[(depth, fields)] from the top down."""
        found, stack = [], [(0, self.kind, data)]
        while stack:
            depth, kind, message = stack.pop()
            own, below = self._fields(kind, message)
            found.append((depth, own))
            stack += [(depth + 1, kind, child) for child in reversed(below)]
        return found

    def _fields(self, kind, data):
        own, below = {}, []
        self.messages += 1
        for number, wire, value in fields(data):
            field = kind.fields_by_number[number]
            if field.name == "children":
                below.append(value)
            elif field.name == "graph_nodes":
                node, inner = self._fields(self.node, value)
                assert not inner
                own.setdefault("graph_nodes", []).append(node)
            elif field.name == "input_shapes":
                slot, shape = self._input(value)
                shapes = own.setdefault("input_shapes", {})
                assert slot not in shapes, "an entry stands twice"
                shapes[slot] = shape
            elif field.name == "devices":
                own.setdefault("devices", []).append(value.decode())
            elif field.name == "tensor_value":
                own["tensor_value"] = self.tensor.FromString(value)
            elif wire == 0:
                assert field.name not in own and value != 0, field.name
                own[field.name] = _signed(value)
            else:
                assert field.name == "name", field.name
                own["name"] = value.decode()
        return own, below

    def _input(self, data):
        entry = {number: value for number, _, value in fields(data)}
        shape = self.shape.FromString(entry[2])
        if shape.unknown_rank:
            assert not shape.dim
            return entry[1], None
        return entry[1], tuple(dim.size for dim in shape.dim)


def difference(ours, theirs):
    """A line about the first row that is not the same, or None."""
    for i, (our, their) in enumerate(zip(ours, theirs)):
        if our == their:
            continue
        names = sorted(name for name in {*our[1], *their[1]}
                       if our[1].get(name) != their[1].get(name))
        return (f"row {i}, {their[1].get('name')}: " + ", ".join(
            f"{name} {str(our[1].get(name))[:200]} is not "
            f"{str(their[1].get(name))[:200]}" for name in names)
            or f"depth {our[0]} is not {their[0]}")
    if len(ours) != len(theirs):
        return f"{len(ours)} rows, not {len(theirs)}"
    return None
