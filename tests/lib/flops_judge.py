"""TensorFlow's own word on models: a process of its own, since the tests
import stubs of TensorFlow's packages. It prints one line of JSON.

flops_judge.py save FOLDER: builds models and saves them below FOLDER; prints
    {name: {"total": ..., "nodes": {name: float operations}, ...}}
flops_judge.py run GRAPH...: runs graphs; prints the shapes of what was made,
    {path: {tensor: [shape, ...]}}
"""

import collections
import contextlib
import io
import json
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
# oneDNN's kernels, which some processors have, run what others do not.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"


def profile(tf, graph):
    """What TensorFlow's profiler says: in all, and by node."""
    options = tf.compat.v1.profiler.ProfileOptionBuilder.float_operation()
    options["output"] = "none"
    with contextlib.redirect_stdout(io.StringIO()):
        top = tf.compat.v1.profiler.profile(graph, options=options)
    nodes, todo = {}, [top]
    while todo:
        node = todo.pop()
        todo += node.children
        if node.float_ops:
            nodes[node.name] = node.float_ops
    return {"total": top.total_float_ops, "nodes": nodes}


def cnn(keras):
    """Convolutions with every usual neighbour."""
    layers = keras.layers
    image = keras.Input((29, 31, 3))
    x = layers.Conv2D(12, 5, strides=2, padding="same")(image)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    y = layers.DepthwiseConv2D(3, padding="same", depth_multiplier=2)(x)
    y = layers.Conv2D(12, 1, use_bias=False)(y)
    x = layers.Add()([x, y])
    x = layers.Conv2DTranspose(7, 3, strides=2, padding="same")(x)
    x = layers.Conv2D(9, (3, 2), dilation_rate=2)(x)
    x = layers.MaxPooling2D(3, 2)(x)
    x = layers.AveragePooling2D(2, 1, padding="same")(x)
    x = layers.Flatten()(x)
    x = layers.Dense(17, activation="gelu")(x)
    return keras.Model(image, layers.Dense(5, activation="softmax")(x))


def attention(keras):
    """Embedding, attention and normalization, of two inputs."""
    layers = keras.layers
    tokens = keras.Input((11,), dtype="int32")
    extra = keras.Input((11, 6))
    x = layers.Embedding(50, 18)(tokens)
    x = layers.Concatenate()([x, extra])
    x = layers.LayerNormalization()(x)
    x = x + layers.MultiHeadAttention(3, 8)(x, x)
    x = layers.Dense(40, activation="tanh")(layers.LayerNormalization()(x))
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model([tokens, extra], layers.Dense(4)(x))


def save_keras(tf, make, folder):
    """Exports a model; counts what calling it with batch 1 makes."""
    model = make(tf.keras)
    for weight in model.weights:  # random ones do not compress
        weight.assign(tf.zeros_like(weight))
    with contextlib.redirect_stdout(io.StringIO()):
        model.export(os.fspath(folder))
    specs = [tf.TensorSpec([1, *one.shape[1:]], one.dtype)
             for one in model.inputs]
    call = tf.function(lambda *inputs: model(
        list(inputs) if len(inputs) > 1 else inputs[0], training=False))
    found = profile(tf, call.get_concrete_function(*specs).graph)
    return {**found, "params": model.count_params(),
            "trainable": sum(int(tf.size(weight)) for weight in
                             model.trainable_weights)}


def save_session(tf, path):
    """A graph of TensorFlow 1 with its gradients, written by a session."""
    tf1 = tf.compat.v1
    with tf.Graph().as_default() as graph, tf1.Session(graph=graph) as session:
        x = tf1.placeholder(tf.float32, [6, 14, 13, 2], "x")
        w = tf1.get_variable("w", [3, 4, 2, 8], use_resource=False)
        y = tf.nn.conv2d(x, w, [1, 2, 1, 1], "VALID", name="conv")
        y = tf.nn.bias_add(y, tf1.get_variable("b", [8], use_resource=True))
        y = tf.nn.max_pool2d(tf.nn.relu(y), 2, 2, "SAME", name="pool")
        y = tf.reshape(y, [tf.shape(y)[0], -1])
        v = tf1.get_variable("v", [y.shape[1], 5])
        y = tf.nn.softmax(tf.matmul(y, v), name="soft")
        loss = tf.reduce_mean(tf.square(y - tf.reduce_mean(y, 0)))
        tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf1.global_variables_initializer())
        path.write_bytes(session.graph_def.SerializeToString())
    return profile(tf, graph)


def save(tf, folder):
    return {
        "cnn": save_keras(tf, cnn, folder / "cnn"),
        "attention": save_keras(tf, attention, folder / "attention"),
        "session": save_session(tf, folder / "session.pb"),
    }


# ---- Running -----------------------------------------------------------------

# Work that needs files, a kernel that a processor has not, or no zeros.
NOT_RUN = {"SaveV2", "RestoreV2", "MergeV2Checkpoints", "ApproxTopK",
           "TruncateDiv", "MatrixInverse", "MatrixSolve"}
ROWS = 3  # where a size is open


def inputs(tf, graph):
    """{tensor: value} for all placeholders that can have one."""
    found = {}
    for op in graph.get_operations():
        if op.type != "Placeholder" or op.outputs[0].dtype in (
                tf.resource, tf.variant):
            continue
        tensor = op.outputs[0]
        shape = [ROWS if size is None else size
                 for size in (tensor.shape.as_list()
                              if tensor.shape.rank is not None else [])]
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            found[tensor] = session.run(
                tf.fill(shape, b"a") if tensor.dtype == tf.string else
                tf.random.stateless_uniform(shape, [1, 2], dtype=tensor.dtype)
                if tensor.dtype.is_floating else tf.zeros(shape, tensor.dtype))
    return found


def variables(tf, graph):
    """What gives all variables a value."""
    raw, found = tf.raw_ops, []
    for op in graph.get_operations():
        if op.type in ("VarHandleOp", "VariableV2"):
            zeros = tf.zeros(op.get_attr("shape"), op.get_attr("dtype"))
            found.append(
                raw.Assign(ref=op.outputs[0], value=zeros)
                if op.type == "VariableV2" else
                raw.AssignVariableOp(resource=op.outputs[0], value=zeros))
    return found


def needs_accelerator(op):
    """Channels first: processors have kernels for channels last alone."""
    layout = op.node_def.attr.get("data_format")
    return layout is not None and layout.s.startswith(b"NC")


def goals(graph):
    """The operations that nothing uses, without what cannot be run."""
    bad = {op for op in graph.get_operations()
           if op.type in NOT_RUN or needs_accelerator(op)}
    todo = list(bad)
    while todo:
        op = todo.pop()
        after = {*op._control_outputs, *(
            user for tensor in op.outputs for user in tensor.consumers())}
        todo += after - bad
        bad |= after
    return [op for op in graph.get_operations() if op not in bad
            and op.type != "Placeholder" and not op._control_outputs
            and not any(tensor.consumers() for tensor in op.outputs)]


def shapes_run(tf, path):
    """Runs a graph as it is; the shapes of every tensor that was made."""
    tf1, graph_def = tf.compat.v1, tf.compat.v1.GraphDef()
    graph_def.ParseFromString(pathlib.Path(path).read_bytes())
    config, record = tf1.ConfigProto(), tf1.RunMetadata()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.place_pruned_graph = True
    config.graph_options.optimizer_options.opt_level = -1
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        fetches = goals(graph)
        starts, feeds = variables(tf, graph), inputs(tf, graph)
        with tf1.Session(graph=graph, config=config) as session:
            session.run(starts)
            session.run(fetches, feeds, tf1.RunOptions(
                trace_level=tf1.RunOptions.FULL_TRACE), record)
    seen = collections.defaultdict(set)
    for device in record.step_stats.dev_stats:
        for node in device.node_stats:
            for output in node.output:
                seen[f"{node.node_name}:{output.slot}"].add(tuple(
                    dim.size for dim in output.tensor_description.shape.dim))
    return {name: sorted(shapes) for name, shapes in seen.items()}


def main():
    import tensorflow as tf
    what, *paths = sys.argv[1:]
    found = (save(tf, pathlib.Path(paths[0])) if what == "save" else
             {path: shapes_run(tf, path) for path in paths})
    print(json.dumps(found))


if __name__ == "__main__":
    main()
