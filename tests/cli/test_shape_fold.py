"""Sizes that graphs compute: what TensorFlow knows, and what we know beyond."""

import pytest

import folding
import shape_judge
from files import needs_tensorflow

if shape_judge.tf_messages.HAVE:
    import numpy as np
    import tensorflow as tf

pytestmark = needs_tensorflow

GRAPHS, STEPS = 24, 150


def _write(graph, path):
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return path


def _known(graph):
    """{tensor: shape} after an import."""
    into = tf.Graph()
    with into.as_default():
        tf.import_graph_def(graph.as_graph_def(), name="")
    return {output.name: shape_judge.shape_text(output.shape)
            for node in into.get_operations() for output in node.outputs}


def _maker_line(graph, tensor):
    node = graph.get_operation_by_name(tensor.rsplit(":", 1)[0])
    return f"{node.type}({', '.join(i.op.type for i in node.inputs)})"


@pytest.mark.parametrize("number", range(GRAPHS))
def test_random_sizes_are_known_as_to_tensorflow(number, tmp_path, say):
    graph, maker = folding.make(f"fold {number}", STEPS)
    path = _write(graph, tmp_path / "graph.pb")
    truth = _known(graph)
    found = {row["tensor"]: row["shape_tensorflow"]
             for row in folding.rows(path)}
    wrong = [f"{tensor}: {found.get(tensor)}, TensorFlow {shape}, "
             f"{_maker_line(graph, tensor)}"
             for tensor, shape in truth.items() if found.get(tensor) != shape]
    say(f"{len(truth)} tensors, {len(maker.probes)} sizes")
    assert len(maker.probes) > 20
    assert not wrong, "\n".join(wrong[:20])


def _run(graph, maker, tensors):
    """The shapes that a session computes, of what it can compute."""
    feed = {source: np.zeros(shape, np.float32)
            for source, shape in maker.feeds.items()}
    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        for tensor in tensors:
            try:
                sizes = session.run(maker.probes.get(tensor.name, []), feed)
                if np.prod(np.abs(sizes), dtype=np.float64) < 1e6:
                    yield tensor, list(session.run(tensor, feed).shape)
            except tf.errors.OpError:
                pass  # it divides by zero, or the like


def _fits(said, actual):
    if said == "?":
        return True
    dims = [dim for dim in said[1:-1].split(",") if dim]
    return len(dims) == len(actual) and all(
        dim in ("?", str(size)) for dim, size in zip(dims, actual))


def test_what_we_know_beyond_is_what_a_run_computes(tmp_path, say):
    known, checked, wrong = 0, 0, []
    for number in range(0, GRAPHS, 3):
        graph, maker = folding.make(f"fold {number}", STEPS)
        rows = folding.rows(_write(graph, tmp_path / f"{number}.pb"))
        said = {row["tensor"]: row["shape"] for row in rows
                if row["grade"] == "beyond"}
        known += len(said)
        chosen = [graph.get_tensor_by_name(tensor) for tensor in said]
        for tensor, actual in _run(graph, maker, chosen):
            checked += 1
            if not _fits(said[tensor.name], actual):
                wrong.append(
                    f"{tensor.name}: {said[tensor.name]}, a run gives "
                    f"{actual}, {_maker_line(graph, tensor.name)}")
    say(f"{known} known beyond TensorFlow, {checked} of them run")
    assert not wrong, "\n".join(wrong[:20])
    assert checked > 30


# ---- Chains as models have them ------------------------------------------

def _chains():
    x = tf.compat.v1.placeholder(tf.float32, [None, 5, 6, 7])
    y = tf.compat.v1.placeholder(tf.float32, [2, 3, 4])
    shape = tf.shape(x)
    yield "flatten", lambda: tf.reshape(x, [shape[0], -1])
    yield "flatten by product", lambda: tf.reshape(
        x, [-1, shape[1] * shape[2] * shape[3]])
    yield "heads", lambda: tf.reshape(
        x, tf.stack([shape[0], shape[1], 2, shape[2] // 2, shape[3]]))
    yield "prefix and suffix", lambda: tf.reshape(
        x, tf.concat([shape[:2], [42]], 0))
    yield "product of a suffix", lambda: tf.reshape(
        x, [shape[0], tf.reduce_prod(shape[1:])])
    yield "range of a size", lambda: tf.range(shape[1])
    yield "range of a rank", lambda: tf.range(1, tf.rank(x))
    yield "range of something computed", lambda: tf.range(
        0, shape[1] * 2 + 1, 3)
    yield "filled", lambda: tf.fill([shape[1], shape[2] + 1], 0.0)
    yield "zeros", lambda: tf.zeros(tf.shape(y)[1:])
    yield "one hot", lambda: tf.one_hot([1, 2], tf.shape(y)[-1])
    yield "scaled", lambda: tf.zeros(
        tf.cast(tf.cast(shape[1:3], tf.float32) * 2.0, tf.int32))
    yield "scaled and cut", lambda: tf.zeros(tf.cast(
        tf.floor(tf.cast(tf.shape(y), tf.float32) / 2.0), tf.int32))
    yield "mean of a gradient", lambda: tf.gradients(
        tf.reduce_mean(y, [1]), y)[0]
    yield "sum of a gradient", lambda: tf.gradients(
        tf.reduce_sum(x, [1, 2]), x)[0]
    yield "broadcast gradient", lambda: tf.gradients(
        y * tf.ones([4]), y)[0]
    yield "transposed", lambda: tf.transpose(
        x, tf.concat([[0, 3], tf.range(1, 3)], 0))
    yield "padded", lambda: tf.pad(y, tf.stack(
        [[0, 0], [tf.shape(y)[0], 1], [1, 1]]))
    yield "tiled", lambda: tf.tile(y, [1, shape[1], 1])
    yield "sliced", lambda: tf.slice(x, [0, 1, 0, 0],
                                     tf.stack([-1, shape[1] - 1, 2, -1]))
    yield "split", lambda: tf.split(y, [1, tf.shape(y)[2] - 1], axis=2)[1]
    yield "gathered", lambda: tf.reshape(x, tf.gather(shape, [0, 3, 1, 2]))
    yield "wraps around", lambda: tf.zeros(
        [tf.constant(2 ** 31 - 1) + tf.constant(2 ** 31 - 1) + 7])
    yield "divides by zero", lambda: tf.zeros(
        tf.reshape(shape[1] // (shape[1] - 5), [1]))


def _chain_names():
    if not shape_judge.tf_messages.HAVE:
        return []
    with tf.Graph().as_default():
        return [name for name, _ in _chains()]


@pytest.mark.parametrize("name", _chain_names())
def test_a_chain_is_known_as_to_tensorflow(name, tmp_path):
    graph = tf.Graph()
    with graph.as_default():
        dict(_chains())[name]()
    truth = _known(graph)
    found = {row["tensor"]: row["shape_tensorflow"]
             for row in folding.rows(_write(graph, tmp_path / "graph.pb"))}
    wrong = [f"{tensor}: {found.get(tensor)}, TensorFlow {shape}, "
             f"{_maker_line(graph, tensor)}"
             for tensor, shape in truth.items() if found.get(tensor) != shape]
    assert not wrong, "\n".join(wrong)


def test_a_product_of_known_sizes_is_known_beyond(tmp_path):
    """TensorFlow follows a slice of a shape, but not a product of one."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None, 5, 6])
        flat = tf.reshape(x, [-1, tf.reduce_prod(tf.shape(x)[1:])])
    row = {row["tensor"]: row for row in folding.rows(
        _write(graph, tmp_path / "graph.pb"))}[flat.name]
    assert (row["shape"], row["shape_tensorflow"], row["grade"]) == (
        "[?,30]", "[?,?]", "beyond")
