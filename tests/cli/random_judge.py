"""What TensorFlow knows of a graph, what tfprof says, and where they differ."""

import csv
import pathlib
import tempfile

import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.profiler.internal import flops_registry

import program
import random_flow
import random_graphs
import random_layers
import random_moves
import random_ops

# Imported for what they register.
TABLES = (flops_registry, random_flow, random_layers, random_moves, random_ops)


def shape_text(shape):
    """As the lists of tfprof have it; of a TensorShape or a list."""
    shape = tf.TensorShape(shape)
    if shape.rank is None:
        return "?"
    return "[" + ",".join("?" if dim is None else str(dim)
                          for dim in shape) + "]"


def parse_shape(text):
    if text == "?":
        return tf.TensorShape(None)
    return tf.TensorShape([None if dim == "?" else int(dim)
                           for dim in text.strip("[]").split(",") if dim])


class Truth:
    """A GraphDef as it is after it was imported into a new graph."""

    def __init__(self, graph_def):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.import_graph_def(graph_def, name="")
        self.shapes = {}  # tensor -> (op type, shape)
        for node in self.graph.get_operations():
            for tensor in node.outputs:
                self.shapes[tensor.name] = (node.type, tensor.shape)

    def float_ops(self, node_def):
        """(status, count) as upstream's formulas have it."""
        try:
            stats = ops.get_stats_for_node_def(self.graph, node_def, "flops")
        except ValueError as why:
            nhwc = "NHWC" in str(why)
            return "unsupported_format" if nhwc else "incomplete_shape", None
        if stats.value is None:
            return "none", None
        return "ok", int(stats.value)


def table(path, listed, functions):
    """A list of `tfprof flops` as rows."""
    done = program.run("flops", path, "--list", listed, "--format", "csv",
                       "--batch", "-1", "--formulas", "full", "--functions",
                       functions)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return list(csv.DictReader(done.stdout.decode().splitlines(), strict=True))


class Verdict:
    """What was compared of one file, and what was found."""

    def __init__(self, graph_def, real):
        """`real`: tensor -> its shape at run time."""
        self.differences = []  # (tensor or node, words)
        self.types = {}        # op type -> tensors compared
        self.nodes = {}        # op type -> nodes whose count was compared
        self.beyond = 0        # tensors that we know more of
        truth = Truth(graph_def)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "graph.pb"
            path.write_bytes(graph_def.SerializeToString())
            for functions in ("none", "walk"):
                self.beyond = self._compare(
                    truth, real, table(path, "tensors", functions))
            self._compare_counts(truth, graph_def,
                                 table(path, "nodes", "none"))
        for kind, _ in truth.shapes.values():
            self.types[kind] = self.types.get(kind, 0) + 1

    def _differ(self, name, kind, words):
        self.differences.append((name, f"{kind} {name}: {words}"))

    def _compare(self, truth, real, rows):
        found = {row["tensor"]: row for row in rows}
        for tensor, (kind, shape) in truth.shapes.items():
            row = found.get(tensor)
            if row is None:
                self._differ(tensor, kind, "is not listed")
                continue
            self._compare_shape(tensor, kind, shape, row)
            # Of outputs that an op leaves out, TensorFlow says otherwise.
            if tensor in real and shape.is_compatible_with(real[tensor]):
                self._compare_real(tensor, kind, real[tensor], row)
        return sum(found[tensor]["grade"] == "beyond"
                   for tensor in truth.shapes if tensor in found)

    def _compare_shape(self, tensor, kind, shape, row):
        theirs, ours = shape_text(shape), row["shape_tensorflow"]
        if theirs != ours:
            self._differ(tensor, kind, f"TensorFlow {theirs}, ours {ours}")
        more = parse_shape(row["shape"])
        if not more.is_compatible_with(shape) or known(more) < known(shape):
            self._differ(tensor, kind, f"TensorFlow {theirs}, "
                         f"with what we know beyond {row['shape']}")
        if (row["grade"] == "beyond") != (row["shape"] != ours):
            self._differ(tensor, kind, f"is of grade {row['grade']}")

    def _compare_real(self, tensor, kind, shape, row):
        if not parse_shape(row["shape"]).is_compatible_with(shape):
            self._differ(tensor, kind, f"when it runs {shape_text(shape)}, "
                         f"with what we know beyond {row['shape']}")

    def _compare_counts(self, truth, graph_def, rows):
        found = {row["node"]: row for row in rows}
        for node in graph_def.node:
            status, count = truth.float_ops(node)
            row = found.get(node.name)
            if row is None:
                self._differ(node.name, node.op, "is not listed")
                continue
            ours = row["status_tensorflow"], row["float_ops_tensorflow"]
            if ours[0] != status or count not in (None, int(ours[1] or -1)):
                self._differ(node.name, node.op, f"TensorFlow counts {count} "
                             f"({status}), ours {ours[1]} ({ours[0]})")
            if status == "ok":
                self.nodes[node.op] = self.nodes.get(node.op, 0) + 1


def known(shape):
    """How much of it is known: more than any number of dims, the rank."""
    if shape.rank is None:
        return -1
    return sum(dim is not None for dim in shape)


class Batch:
    """Random graphs beside each other in one GraphDef, g0, g1 and so on."""

    def __init__(self):
        self.graph = tf.Graph()
        self.drawers = []

    def draw(self, choose):
        name = f"g{len(self.drawers)}"
        self.drawers.append(random_graphs.draw_graph(choose, self.graph, name))

    def judge(self, add_shapes=False):
        """`add_shapes`: the file also has what TensorFlow knew."""
        real = {name: shape for drawer in self.drawers
                for name, shape in drawer.real}
        self.graph_def = self.graph.as_graph_def(add_shapes=add_shapes)
        return Verdict(self.graph_def, real)
