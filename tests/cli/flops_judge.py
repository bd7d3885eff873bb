"""TensorFlow's own count of models built on the spot.

`python flops_judge.py FOLDER` is a process of its own, since the tests import
stubs of TensorFlow's packages. It saves each model below FOLDER and prints,
as JSON: {name: {"total": ..., "nodes": {name: float operations}, ...}}.
"""

import contextlib
import io
import json
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


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


def main():
    import tensorflow as tf
    folder = pathlib.Path(sys.argv[1])
    print(json.dumps({
        "cnn": save_keras(tf, cnn, folder / "cnn"),
        "attention": save_keras(tf, attention, folder / "attention"),
        "session": save_session(tf, folder / "session.pb"),
    }))


if __name__ == "__main__":
    main()
