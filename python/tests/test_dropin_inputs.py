"""What the names of tf.compat.v1.profiler take here, beyond TensorFlow's."""

# labels: tf

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tf_messages
from lacking import needs

import tfprof

pytestmark = pytest.mark.live
needs_tensorflow = needs(tf_messages.HAVE, tf_messages.NEEDED)
B = tfprof.ProfileOptionBuilder
FLOPS = B(B.float_operation()).with_empty_output().build()
PARAMS = B(B.trainable_variables_parameter()).with_empty_output().build()


def _graph() -> Any:
    import tensorflow as tf
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [5, 8])
        w = tf.compat.v1.get_variable("w", [8, 4])
        tf.matmul(x, w, name="product")
    return graph


def _product(message: Any) -> int:
    return sum(child.float_ops for child in message.children
               if child.name == "product")


@needs_tensorflow
def test_a_graph_in_every_form(tmp_path: Path) -> None:
    graph = _graph()
    message = graph.as_graph_def(add_shapes=True)
    data = message.SerializeToString()
    path = tmp_path / "graph.pb"
    path.write_bytes(data)
    for form in (graph, message, data, bytearray(data), memoryview(data),
                 path, str(path)):
        assert _product(tfprof.profile(form, options=FLOPS)) == 2 * 5 * 8 * 4


@needs_tensorflow
def test_runs_and_logs_in_every_form(tmp_path: Path) -> None:
    import tensorflow as tf
    run = tf.compat.v1.RunMetadata()
    device = run.step_stats.dev_stats.add()
    device.device = "/job:localhost/replica:0/task:0/device:CPU:0"
    record = device.node_stats.add()
    record.node_name, record.all_end_rel_micros = "product", 70
    record.op_end_rel_micros, record.all_start_micros = 70, 1
    log = tfprof.OpLogProto()
    entry = log.log_entries.add()
    entry.name, entry.float_ops = "product", 11
    paths = [tmp_path / "run", tmp_path / "log"]
    for path, one in zip(paths, (run, log)):
        path.write_bytes(one.SerializeToString())
    options = B().with_empty_output().build()
    for runs, logs in ((run, log), paths, ([run], [log]),
                       [path.read_bytes() for path in paths],
                       ([run, run], (paths[1],))):
        found = tfprof.profile(_graph(), runs, logs, options=options)
        assert _product(found) == 11
        assert found.total_exec_micros == 70  # an average


@needs_tensorflow
def test_functions_and_keras_models() -> None:
    program = """
import tensorflow as tf, tfprof
B = tfprof.ProfileOptionBuilder
v = tf.Variable(tf.ones([8, 4]), name="v")
fixed = tf.Variable(tf.ones([4]), trainable=False)

@tf.function(input_signature=[tf.TensorSpec([5, 8])])
def f(x):
    return tf.matmul(x, v) + fixed

for form in (f, f.get_concrete_function()):
    print(tfprof.profile(form, options=B(B.float_operation())
          .with_empty_output().build()).total_float_ops)
    print(tfprof.profile(form, options=B(B.trainable_variables_parameter())
          .with_empty_output().build()).total_parameters)
model = tf.keras.Sequential([tf.keras.layers.Input([8], batch_size=3),
                             tf.keras.layers.Dense(4)])
print(tfprof.profile(model, options=B(B.trainable_variables_parameter())
      .with_empty_output().build()).total_parameters)
print(tfprof.profile(model, options=B(B.float_operation())
      .with_empty_output().build()).total_float_ops)
model = tf.keras.Sequential([tf.keras.layers.Input([8]),
                             tf.keras.layers.Dense(4)])
print(tfprof.profile(model, options=B(B.float_operation())
      .with_empty_output().build()).total_float_ops)  # of one example
for form, batch in ((model, 7), (f, 1), (f.get_concrete_function(), 1)):
    found = tfprof.flops(form, batch=batch)
    print(found.total, found.params)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    product = 2 * 5 * 8 * 4 + 5 * 4
    assert list(map(int, done.stdout.split())) == [
        product, 32, product, 32, 8 * 4 + 4, 2 * 3 * 8 * 4 + 3 * 4,
        2 * 8 * 4 + 4, 7 * (2 * 8 * 4 + 4), 36, product, 36, product, 36]


def test_without_tensorflow_a_graph_is_needed() -> None:
    program = ("import tfprof\n"
               "try: tfprof.profile()\n"
               "except TypeError as error: print(error)\n"
               "try: tfprof.profile(b'', cmd='x')\n"
               "except tfprof.OptionError as error: print(error)\n"
               "import sys; print('tensorflow' in sys.modules)\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True,
                          text=True, check=True)
    lines = done.stdout.splitlines()
    assert "graph is required" in lines[0]
    assert "unknown cmd" in lines[1]
    assert lines[2] == "False"


def test_what_is_no_graph() -> None:
    with pytest.raises(TypeError, match=r"builtins\.int"):
        tfprof.profile(3)


@needs_tensorflow
def test_several_profilers_at_a_time(capsys: pytest.CaptureFixture[str]
                                     ) -> None:
    many = [tfprof.Profiler(_graph()) for _ in range(3)]
    for one in many:
        assert one.profile_name_scope(PARAMS).total_parameters == 32
        one.profile_operations(B(B.float_operation()).build())
    assert capsys.readouterr().out.count("MatMul") == 3


@needs_tensorflow
def test_operations_that_come_later() -> None:
    import tensorflow as tf
    graph = _graph()
    profiler = tfprof.Profiler(graph)
    before = profiler.profile_name_scope(PARAMS).total_parameters
    with graph.as_default():
        tf.compat.v1.get_variable("more", [100])
    profiler.add_step(1, tf.compat.v1.RunMetadata())
    after = profiler.profile_name_scope(PARAMS).total_parameters
    assert (before, after) == (32, 132)


@needs_tensorflow
def test_a_name_that_stdout_cannot_say(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    graph = tf_messages.message_class("GraphDef")()
    graph.node.add(name="größe", op="NoOp")
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out)
    tfprof.profile(graph, options=B().build())
    out.seek(0)
    assert "gr\\xf6\\xdfe" in out.read()
