"""tfprof.flops() and `tfprof flops` on Keras models as people have them,
without options: held against TensorFlow's own profiler for one example, and
against what the layers cost by their sizes."""

# labels: tf

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import flops_truth
import pytest
import tf_messages
from inputs import command_line
from lacking import needs

import tfprof

pytestmark = [pytest.mark.live, needs(tf_messages.HAVE, tf_messages.NEEDED)]

SIDE = 32     # of pictures
LENGTH = 20   # of sequences
WIDTH = 16    # of the transformer


# ---- What layers cost -------------------------------------------------------

def _elements(tensor: Any) -> int:
    """Of one example."""
    return int(math.prod(tensor.shape[1:]))


def _activation(layer: Any, elements: int) -> int:
    name = getattr(getattr(layer, "activation", None), "__name__", "linear")
    return {"linear": 0, "relu": 1, "relu6": 2, "softmax": 5}[name] * elements


def _with_kernel(layer: Any) -> int:
    """Convolutions and dense layers: each output is a sum over a part of the
    kernel."""
    out = _elements(layer.output)
    shape = tuple(layer.kernel.shape)
    is_deep = type(layer).__name__ == "DepthwiseConv2D"
    summed = int(math.prod(shape[:2] if is_deep else shape[:-1]))
    bias = out if layer.use_bias else 0
    return 2 * summed * out + bias + _activation(layer, out)


def _normalization(layer: Any) -> int:
    """x * scale + shift, where both are made of four vectors."""
    channels = int(layer.output.shape[-1])
    return 2 * _elements(layer.output) + 6 * channels


def _pooling(layer: Any) -> int:
    return int(math.prod(layer.pool_size)) * _elements(layer.output)


def _relu(layer: Any) -> int:
    return (2 if layer.max_value == 6 else 1) * _elements(layer.output)


COSTS: dict[str, Callable[[Any], int]] = {
    "Conv2D": _with_kernel, "DepthwiseConv2D": _with_kernel,
    "Dense": _with_kernel, "BatchNormalization": _normalization,
    "MaxPooling2D": _pooling, "AveragePooling2D": _pooling, "ReLU": _relu,
    "Activation": lambda one: _activation(one, _elements(one.output)),
    "Add": lambda one: _elements(one.output),
    "GlobalAveragePooling2D": lambda one: _elements(one.input),
    "InputLayer": lambda one: 0, "Flatten": lambda one: 0,
    "ZeroPadding2D": lambda one: 0, "Concatenate": lambda one: 0,
}


def by_layers(model: Any) -> int:
    return sum(COSTS[type(layer).__name__](layer) for layer in model.layers)


def _dense(rows: int, width: int, out: int) -> int:
    return 2 * rows * width * out + rows * out


def _layer_norm(rows: int, width: int) -> int:
    """Mean and variance of each row, and the root of it; then its scale times
    gamma, x and the negative mean times that, their sum, and beta."""
    elements = rows * width
    moments = elements + 2 * elements + elements
    return moments + rows * (1 + 2 + 1) + 5 * elements


def by_gru(length: int, width: int, units: int) -> int:
    """Two products and their biases; two gates, a candidate, and the mixture
    of it with what was there."""
    gates = _dense(1, width, 3 * units) + _dense(1, units, 3 * units)
    return length * (gates + 2 * units + 2 * 4 * units + 2 * units + units
                     + 4 * units)


# ---- Models -----------------------------------------------------------------

@functools.cache
def _keras() -> Any:
    import keras
    return keras


def application(name: str) -> tuple[Any, int]:
    model = getattr(_keras().applications, name)(weights=None)
    return model, by_layers(model)


def functional() -> tuple[Any, int]:
    layers = _keras().layers
    x = image = _keras().Input((SIDE, SIDE, 3))
    for filters in (8, 16):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D()(x)
    x = layers.Dense(10, activation="softmax")(layers.Flatten()(x))
    model = _keras().Model(image, x)
    return model, by_layers(model)


def transformer() -> tuple[Any, int]:
    """Subclassed, and called once with other sizes than it is counted for."""
    import tensorflow as tf
    keras = _keras()
    heads, size = 2, 8

    class Transformer(keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = keras.layers.Embedding(100, WIDTH)
            self.attention = keras.layers.MultiHeadAttention(heads, size)
            self.norm = keras.layers.LayerNormalization()
            self.wide = keras.layers.Dense(4 * WIDTH, activation="relu")
            self.narrow = keras.layers.Dense(WIDTH)
            self.last_norm = keras.layers.LayerNormalization()
            self.answer = keras.layers.Dense(5)

        def call(self, words: Any) -> Any:
            x = self.embedding(words)
            x = self.norm(x + self.attention(x, x))
            x = self.last_norm(x + self.narrow(self.wide(x)))
            return self.answer(x[:, 0])

    model = Transformer()
    model(tf.zeros((3, LENGTH), tf.int32))
    n, inner = LENGTH, heads * size
    attention = (3 * _dense(n, WIDTH, inner) + _dense(n, inner, WIDTH)
                 + 2 * 2 * n * n * inner      # scores, and their use
                 + (1 + 5) * heads * n * n)   # their scale, and softmax
    feed = (_dense(n, WIDTH, 4 * WIDTH) + n * 4 * WIDTH
            + _dense(n, 4 * WIDTH, WIDTH))
    return model, (attention + feed + 2 * n * WIDTH
                   + 2 * _layer_norm(n, WIDTH) + _dense(1, WIDTH, 5))


def recurrent(length: int | None = LENGTH) -> tuple[Any, int]:
    layers = _keras().layers
    model = _keras().Sequential([
        _keras().Input((length, 6)),
        layers.Bidirectional(layers.GRU(8, return_sequences=True)),
        layers.Bidirectional(layers.GRU(4)), layers.Dense(3)])
    return model, (2 * by_gru(LENGTH, 6, 8) + 2 * by_gru(LENGTH, 16, 4)
                   + _dense(1, 8, 3))


LARGE = ("MobileNetV2", "ResNet50", "DenseNet121")
MODELS: dict[str, Callable[[], tuple[Any, int]]] = {
    **{name: functools.partial(application, name)
       for name in LARGE},
    "functional": functional, "transformer": transformer,
    "recurrent": recurrent,
}


# ---- What others say --------------------------------------------------------

def _profiled(graph: Any) -> int:
    import tensorflow as tf
    profiler = tf.compat.v1.profiler
    options = profiler.ProfileOptionBuilder(
        profiler.ProfileOptionBuilder.float_operation()
    ).with_empty_output().build()
    return int(profiler.profile(graph, options=options).total_float_ops)


def by_tensorflow(model: Any) -> int:
    """What its profiler says of the model, called for one example."""
    import tensorflow as tf
    shape = (model.input_shape if getattr(model, "inputs", None)
             else model.get_build_config()["input_shape"])
    function = tf.function(lambda x: model(x)).get_concrete_function(
        tf.TensorSpec([1, *shape[1:]], tf.float32))
    return _profiled(function.graph)


def by_tensorflow_of_file(path: Path) -> int:
    """The same of the graph in the file, read with one example. Loops in it
    have an open batch for good, which a new call of the model has not."""
    import tensorflow as tf
    inner = tf.saved_model.load(path).serve.concrete_functions[0].graph
    handles = {within.op.name: outer for outer, within in inner.captures}
    with tf.Graph().as_default() as graph:
        fed = {}
        for one in inner.inputs:
            name = one.op.name
            if name in handles:
                data = handles[name]._handle_data.shape_and_type[0]
                fed[f"{name}:0"] = tf.raw_ops.VarHandleOp(
                    dtype=data.dtype, shape=tf.TensorShape(data.shape))
            else:
                fed[f"{name}:0"] = tf.compat.v1.placeholder(
                    one.dtype, [1, *one.shape[1:]])
        tf.import_graph_def(inner.as_graph_def(), fed, name="")
    return _profiled(graph)


def saved(name: str, model: Any, folder: Path) -> Path:
    """The exported model. Keras takes long for large ones, whose files are
    here."""
    if name in LARGE:
        return Path(flops_truth.saved(name))
    model.export(folder / "model", verbose=False)
    return folder / "model"


# ---- Without options --------------------------------------------------------

@pytest.mark.parametrize("name", MODELS)
def test_without_options(name: str, tmp_path: Path) -> None:
    model, expected = MODELS[name]()
    found = tfprof.flops(model)
    path = saved(name, model, tmp_path)
    told = json.loads(command_line("flops", path, "--format", "json"))
    assert found.total == told["float_ops"] == expected
    assert found.complete and not found.lower_bound
    truth = (by_tensorflow_of_file(path) if name == "recurrent"
             else by_tensorflow(model))
    assert (found.to_dict()["float_ops_tensorflow"]
            == told["float_ops_tensorflow"] == truth)
    trained = sum(math.prod(one.shape) for one in model.trainable_weights)
    assert found.params == told["params"] == model.count_params()
    assert found.trainable_params == told["trainable_params"] == trained
    assert [one["what"] for one in found.assumed] == ["batch"]
    assert [one["value"] for one in told["assumed"]] == [1]
    if name == "transformer":  # the sums in call() are no layers of Keras
        assert {one.name for one in model.layers} == (
            {one["layer"] for one in told["layers"]} - {"add", "add_1"})
    else:
        check_layers(model, path)


def check_layers(model: Any, path: Path) -> None:
    """The list of layers says what model.summary() says; but what does nothing
    when the model is called is not there. The order is that of the calls:
    Keras calls sides of a branch in another one than it lists them."""
    listed = json.loads(command_line("flops", path, "--list", "layers",
                                     "--format", "json"))["layers"]
    found = {one["layer"]: one for one in listed}
    idle = {"InputLayer", "Dropout"}
    layers = [one for one in model.layers if type(one).__name__ not in idle]
    names = [one.name for one in layers]
    assert set(found) == set(names)
    assert model.name == "resnet50" or list(found) == names
    for layer in layers:
        sizes = ",".join(map(str, (1, *layer.output.shape[1:])))
        row = found[layer.name]
        assert row["output_shape"] == f"[{sizes}]", layer.name
        assert row["params"] == layer.count_params(), layer.name
        cost = COSTS.get(type(layer).__name__)
        assert cost is None or row["float_ops"] == cost(layer), layer.name


def test_the_length_of_an_input_is_that_of_loops(tmp_path: Path) -> None:
    """In every layer, whatever the input is called."""
    model, expected = recurrent(None)
    name = model.inputs[0].name
    found = tfprof.flops(model)
    assert found.lower_bound and found.total < expected
    assert {one["what"] for one in found.assumed} == {"batch", "trips"}
    assert f"add --shape {name}=1x128x6, with your sizes" in str(found)
    assert repr(found).startswith("<tfprof.Flops: at least ")
    for given in ({"shape": {name: (1, LENGTH, 6)}},
                  {"inputs": (None, LENGTH, 6)}):
        found = tfprof.flops(model, **given)
        assert found.total == expected and not found.lower_bound
        assert [one["trips"] for one in found.to_dict()["loops"]] == (
            [LENGTH] * 4)
    model.export(tmp_path / "model", verbose=False)
    told = json.loads(command_line(
        "flops", tmp_path / "model", "--shape", f"{name}=1x{LENGTH}x6",
        "--format", "json"))
    assert told["float_ops"] == expected and not told["lower_bound"]


# ---- What is taken ----------------------------------------------------------

def _two_inputs(keras: Any) -> Any:
    class Two(keras.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.left = keras.layers.Dense(3)
            self.right = keras.layers.Dense(3, use_bias=False)

        def call(self, a: Any, b: Any, training: bool = False) -> Any:
            return self.left(a) + self.right(b)

    return Two()


def test_inputs_as_specs_arrays_and_shapes() -> None:
    import tensorflow as tf
    keras = _keras()
    cost = _dense(1, 10, 3) + 2 * 4 * 3 + 3
    for inputs in ([(None, 10), (None, 4)],
                   (tf.zeros((1, 10)), tf.zeros((1, 4))),
                   [tf.TensorSpec((None, 10)),
                    keras.InputSpec(shape=(None, 4), dtype="float32")]):
        found = tfprof.flops(_two_inputs(keras), inputs=inputs)
        assert (found.total, found.params) == (cost, 10 * 3 + 3 + 4 * 3)
    found = tfprof.flops(_two_inputs(keras), inputs=[(None, 10), (None, 4)],
                         batch=7)
    assert found.total == 7 * cost and not found.assumed
    found = tfprof.flops(_two_inputs(keras), inputs=[(5, 10), (5, 4)])
    assert found.total == 5 * cost and not found.assumed


def test_a_model_that_needs_a_number_of_examples() -> None:
    keras = _keras()

    class Folded(keras.Model):  # type: ignore[misc, name-defined]
        def call(self, x: Any) -> Any:
            import tensorflow as tf
            return tf.nn.relu(tf.reshape(x, [x.shape[0] * 2, 4]))

    model = Folded()
    model(keras.ops.zeros((2, 8)))
    assert tfprof.flops(model).total == 8
    assert tfprof.flops(model, batch=3).total == 24


def test_keras_2() -> None:
    import tensorflow as tf
    keras = pytest.importorskip("tf_keras")

    class Small(keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = keras.layers.Embedding(10, 4)
            self.dense = keras.layers.Dense(3)

        def call(self, x: Any) -> Any:
            return self.dense(self.embedding(x))

    called, built = Small(), Small()
    called(tf.zeros((2, 5), tf.int32))
    built.build((None, 5))
    for found in (tfprof.flops(called), tfprof.flops(built),
                  tfprof.flops(Small(), inputs=(None, 5))):
        assert (found.total, found.params) == (_dense(5, 4, 3), 55)
        assert found.trainable_params == 55
    model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3)])
    assert tfprof.flops(model).total == _dense(1, 4, 3)


def test_what_cannot_be_called_is_told() -> None:
    keras = _keras()
    with pytest.raises(TypeError, match=r"is not built \(call it once, or "
                       "give inputs="):
        tfprof.flops(_two_inputs(keras))
    model = _two_inputs(keras)
    model(keras.ops.zeros((1, 10)), keras.ops.zeros((1, 4)))
    with pytest.raises(TypeError, match="give inputs= with specs or arrays"):
        tfprof.flops(model)
    with pytest.raises(TypeError, match="inputs: give specs, arrays or shapes"):
        tfprof.flops(model, inputs="x")
    with pytest.raises(TypeError, match="requires a Keras model, not"):
        tfprof.flops(b"", inputs=(1, 2))
    with pytest.raises(TypeError, match="requires exactly one model"):
        tfprof.flops(inputs=(1, 2))
