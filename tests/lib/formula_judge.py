"""TensorFlow's own word on graphs of single nodes: a process of its own, since
the tests import stubs of TensorFlow's packages. It prints one line of JSON.

formula_judge.py GRAPH...: {path: {node: {"shapes": [shape or null, ...],
    "float_ops": number or null, "status": as tfprof has it}}}, or {"error":
    why TensorFlow does not import it}.
"""

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


def stats(ops, graph, node):
    """As tfprof_logger does it: what raises is left out."""
    try:
        found = ops.get_stats_for_node_def(graph, node, "flops")
    except ValueError as why:
        return None, ("unsupported_format" if "NHWC" in str(why)
                      else "incomplete_shape")
    if found.value is None:
        return None, "none"
    return int(found.value), "ok"


def shape_of(tensor):
    shape = tensor.shape
    return None if shape.rank is None else shape.as_list()


def judge(tf, ops, path):
    message = tf.compat.v1.GraphDef()
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    graph = tf.Graph()
    try:
        with graph.as_default():
            tf.import_graph_def(message, name="")
    except Exception as why:  # whatever it raises, it does not take it
        return {"error": str(why)}
    found = {}
    for operation in graph.get_operations():
        value, status = stats(ops, graph, operation.node_def)
        found[operation.name] = {
            "shapes": [shape_of(tensor) for tensor in operation.outputs],
            "float_ops": value, "status": status}
    return found


def main():
    import tensorflow as tf
    from tensorflow.python.framework import ops
    print(json.dumps({path: judge(tf, ops, path) for path in sys.argv[1:]}))


if __name__ == "__main__":
    main()
