"""TensorFlow as the judge of random graphs, which it makes itself.

Loaded for what the record of random_judge.py lacks.
"""

import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.profiler.internal import flops_registry

import random_flow
import random_graphs
import random_layers
import random_moves
import random_ops

# Imported for what they register.
TABLES = (flops_registry, random_flow, random_layers, random_moves, random_ops)


class _Truth:
    """A GraphDef as it is after it was imported into a new graph."""

    def __init__(self, graph_def):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.import_graph_def(graph_def, name="")
        self.shapes = {}  # tensor -> (op type, shape)
        for node in self.graph.get_operations():
            for tensor in node.outputs:
                shape = tensor.shape
                self.shapes[tensor.name] = (
                    node.type, None if shape.rank is None else shape.as_list())

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


def known(graph_def, real):
    """A graph, {tensor: (op type, shape)}, (node, op type, status, float
    operations) of each node, and of `real` {tensor: its shape at run time}."""
    truth = _Truth(graph_def)
    return {"graph": graph_def.SerializeToString(deterministic=True),
            "shapes": truth.shapes,
            "nodes": [(node.name, node.op, *truth.float_ops(node))
                      for node in graph_def.node],
            "real": real}


class Batch:
    """Random graphs beside each other in one GraphDef, g0, g1 and so on."""

    def __init__(self):
        self.graph = tf.Graph()
        self.drawers = []

    def draw(self, choose):
        name = f"g{len(self.drawers)}"
        self.drawers.append(random_graphs.draw_graph(choose, self.graph, name))

    def known(self, add_shapes=False):
        """`add_shapes`: the file also has what TensorFlow knew."""
        real = {name: shape for drawer in self.drawers
                for name, shape in drawer.real}
        self.graph_def = self.graph.as_graph_def(add_shapes=add_shapes)
        return {**known(self.graph_def, real),
                "graphs": len(self.drawers),
                "draws": sum(len(drawer.made) for drawer in self.drawers),
                "infeasible": sum(len(drawer.infeasible)
                                  for drawer in self.drawers)}


def graph_of_two():
    """A tensor that is known, and one that is known when it runs."""
    with tf.Graph().as_default() as graph:
        whole = tf.compat.v1.placeholder(tf.float32, [2, 3])
        partly = tf.compat.v1.placeholder(tf.float32, [2, None])
        tf.raw_ops.Neg(x=whole, name="known")
        tf.raw_ops.Neg(x=partly, name="partly")  # when it runs, [2,3]
    return known(graph.as_graph_def(), {"partly:0": [2, 3]})
