"""Models that both profilers are asked about, and runs of them.

Each is built in a graph of its own, the same in every process, so that run
metadata recorded in one goes with the graph of another.
"""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf

tf1 = tf.compat.v1
STEPS = 3


# ---- Parts ------------------------------------------------------------------

def _dense(x: Any, units: int, name: str) -> Any:
    with tf1.variable_scope(name):
        w = tf1.get_variable("w", [x.shape[-1], units])
        b = tf1.get_variable("b", [units], initializer=tf1.zeros_initializer())
        return tf.nn.bias_add(tf.matmul(x, w), b)


def _train(loss: Any, optimizer: Any) -> Any:
    step = tf1.train.get_or_create_global_step()
    return optimizer.minimize(loss, global_step=step)


# ---- Models: what to fetch, and what to feed --------------------------------

def cnn() -> Any:
    """A training step whose batch is not known beforehand."""
    x = tf1.placeholder(tf.float32, [None, 16, 16, 3], "images")
    labels = tf1.placeholder(tf.int32, [None], "labels")
    with tf1.variable_scope("conv"):
        w = tf1.get_variable("w", [3, 3, 3, 8])
        y = tf.nn.conv2d(x, w, 1, "SAME")
        scale = tf1.get_variable("scale", [8], trainable=False,
                                 initializer=tf1.ones_initializer())
        y = tf.nn.relu(y * scale)
        y = tf.nn.max_pool2d(y, 2, 2, "VALID")
    y = tf.reshape(y, [-1, 8 * 8 * 8])
    logits = _dense(y, 10, "logits")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits), name="loss")
    train = _train(loss, tf1.train.MomentumOptimizer(0.1, 0.9))
    return train, lambda step: {
        x: [[[[0.1 * step] * 3] * 16] * 16] * (2 + step),
        labels: [step] * (2 + step)}


def lstm() -> Any:
    """A cell in a while loop of the first kind, whose frames are nodes."""
    x = tf1.placeholder(tf.float32, [5, None, 6], "words")
    units = 8
    with tf1.variable_scope("cell"):
        w = tf1.get_variable("w", [6 + units, 4 * units])
        b = tf1.get_variable("b", [4 * units])
    batch = tf.shape(x)[1]
    zeros = tf.zeros(tf.stack([batch, units]))

    def cell(i: Any, h: Any, c: Any) -> Any:
        joined = tf.concat([x[i], h], 1)
        gates = tf.nn.bias_add(tf.matmul(joined, w), b)
        f, j, o, g = tf.split(gates, 4, 1)
        c = tf.sigmoid(f) * c + tf.sigmoid(j) * tf.tanh(g)
        return i + 1, tf.sigmoid(o) * tf.tanh(c), c

    unknown = tf.TensorShape([None, units])
    _, h, _ = tf1.while_loop(
        lambda i, h, c: i < 5, cell, (tf.constant(0), zeros, zeros),
        shape_invariants=(tf.TensorShape([]), unknown, unknown), name="steps")
    loss = tf.reduce_sum(tf.square(_dense(h, 3, "out")), name="loss")
    train = _train(loss, tf1.train.GradientDescentOptimizer(0.01))
    return train, lambda step: {x: [[[0.5] * 6] * (1 + step)] * 5}


def transformer() -> Any:
    """A block with attention, all of whose shapes are known."""
    batch, length, width, heads = 2, 10, 16, 4
    x = tf1.placeholder(tf.float32, [batch, length, width], "tokens")

    def norm(x: Any, name: str) -> Any:
        with tf1.variable_scope(name):
            gain = tf1.get_variable("gain", [width])
            mean, variance = tf.nn.moments(x, [-1], keepdims=True)
            return (x - mean) * tf1.rsqrt(variance + 1e-6) * gain

    def heads_of(x: Any) -> Any:
        x = tf.reshape(x, [batch, length, heads, width // heads])
        return tf.transpose(x, [0, 2, 1, 3])

    with tf1.variable_scope("attention"):
        flat = tf.reshape(norm(x, "norm"), [-1, width])
        q, k, v = (heads_of(_dense(flat, width, name))
                   for name in ("query", "key", "value"))
        scores = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.5)
        mixed = tf.transpose(tf.matmul(scores, v), [0, 2, 1, 3])
        mixed = _dense(tf.reshape(mixed, [-1, width]), width, "output")
        x = x + tf.reshape(mixed, [batch, length, width])
    with tf1.variable_scope("feed_forward"):
        flat = tf.reshape(norm(x, "norm"), [-1, width])
        y = _dense(tf.nn.relu(_dense(flat, 4 * width, "in")), width, "out")
        x = x + tf.reshape(y, [batch, length, width])
    loss = tf.reduce_mean(tf.square(x), name="loss")
    train = _train(loss, tf1.train.AdamOptimizer())
    return train, lambda step: {
        "tokens:0": [[[0.1 * step] * width] * length] * batch}


def devices() -> Any:
    """Two towers, each on a device of its own."""
    x = tf1.placeholder(tf.float32, [None, 12], "x")
    towers = []
    for i in range(2):
        with tf.device(f"/cpu:{i}"), tf1.variable_scope(f"tower_{i}"):
            towers.append(tf.nn.relu(_dense(_dense(x, 20, "a"), 5, "b")))
    with tf.device("/cpu:0"):
        loss = tf.reduce_sum(tf.add_n(towers), name="loss")
    train = _train(loss, tf1.train.GradientDescentOptimizer(0.01))
    return train, lambda step: {x: [[1.0] * 12] * (3 + step)}


MODELS = {"cnn": cnn, "lstm": lstm, "transformer": transformer,
          "devices": devices}


# ---- Building and recording -------------------------------------------------

def build(name: str) -> Any:
    """The graph, what to fetch, and what to feed."""
    tf1.disable_eager_execution()
    tf1.disable_control_flow_v2()
    tf1.disable_v2_tensorshape()
    graph = tf.Graph()
    with graph.as_default():
        tf1.set_random_seed(1)
        return graph, *MODELS[name]()


def record(name: str, folder: str) -> None:
    """Writes the run metadata of a few steps into `folder`."""
    graph, fetch, feed = build(name)
    with graph.as_default():
        start = tf1.global_variables_initializer()
    config = tf1.ConfigProto(device_count={"CPU": 2})
    with tf1.Session(graph=graph, config=config) as session:
        session.run(start)
        for step in range(STEPS):
            run_meta = tf1.RunMetadata()
            session.run(fetch, feed(step), options=tf1.RunOptions(
                trace_level=tf1.RunOptions.FULL_TRACE), run_metadata=run_meta)
            with open(os.path.join(folder, f"{name}_{step}"), "wb") as file:
                file.write(run_meta.SerializeToString())


def inputs_from_later_outputs(name: str) -> dict[str, Any]:
    """{node: (its type, numbers of inputs that are not output 0 of a node)}.
    TensorFlow shows the shape of output 0 for these."""
    found = {}
    for node in build(name)[0].as_graph_def().node:
        numbers = [i for i, source in enumerate(node.input) if ":" in source]
        if numbers:
            found[node.name] = node.op, numbers
    return found
