"""tfprof.trace(), with the profilers of TensorFlow and JAX, and with modules
that take their place where only the choice between them matters."""

# labels: tf

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tf_messages
from inputs import DATA
from lacking import needs

import tfprof

needs_tensorflow = needs(tf_messages.HAVE, tf_messages.NEEDED)
needs_jax = needs(importlib.util.find_spec("jax") is not None,
                  "needs jax (tools/requirements.txt)")
SMALL = DATA / "traces" / "gen_tf-gpu.xplane.pb"
OTHER = DATA / "traces" / "gen_jax-cpu.xplane.pb"


# ---- Modules that write a given trace ---------------------------------------

class Stand:
    """In the place of a framework: notes the calls, and writes `source`."""

    def __init__(self, source: Path = SMALL) -> None:
        self.calls: list[Any] = []
        self.source: Path | None = source
        self.run = "2026_01_02_03_04_05"
        self.start_error: Exception | None = None
        self.stop_error: Exception | None = None

    def start(self, logdir: str) -> None:
        if self.start_error is not None:
            raise self.start_error
        self.calls.append("start")
        self.folder = Path(logdir) / "plugins" / "profile"

    def stop(self) -> None:
        self.calls.append("stop")
        if self.stop_error is not None:
            raise self.stop_error
        if self.source is not None:
            (self.folder / self.run).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.source,
                            self.folder / self.run / "vm.xplane.pb")

    def mark(self, name: str, **words: int) -> Any:
        self.calls.append((name, words))
        return open(os.devnull)

    def as_tensorflow(self) -> types.ModuleType:
        module: Any = types.ModuleType("tensorflow")
        module.profiler = types.SimpleNamespace(
            experimental=types.SimpleNamespace(
                start=self.start, stop=self.stop, Trace=self.mark))
        found: types.ModuleType = module
        return found

    def as_jax(self) -> types.ModuleType:
        module: Any = types.ModuleType("jax")
        module.profiler = types.SimpleNamespace(
            start_trace=self.start, stop_trace=self.stop,
            StepTraceAnnotation=self.mark)
        found: types.ModuleType = module
        return found


Imported = Callable[..., None]


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch) -> Imported:
    """Makes these the only modules that the program has imported."""
    def only(**modules: Any) -> None:
        for name in ("tensorflow", "jax", "keras"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
    return only


@pytest.fixture
def stand(imported: Imported) -> Stand:
    found = Stand()
    imported(tensorflow=found.as_tensorflow())
    return found


def keras(backend: str, holder: str) -> Any:
    module: Any = types.ModuleType("keras")
    setattr(module, holder, types.SimpleNamespace(backend=lambda: backend))
    return module


# ---- Which framework --------------------------------------------------------

def test_imported_framework_is_traced(imported: Imported,
                                      tmp_path: Path) -> None:
    tf, jax = Stand(), Stand()
    imported(tensorflow=tf.as_tensorflow())
    with tfprof.trace(tmp_path) as t, t.step(7):
        pass
    imported(jax=jax.as_jax())
    with tfprof.trace(tmp_path) as t, t.step(8):
        pass
    assert tf.calls == ["start", ("train", {"step_num": 7, "_r": 1}), "stop"]
    assert jax.calls == ["start", ("train", {"step_num": 8}), "stop"]


@pytest.mark.parametrize("holder", ["config", "backend"])
@pytest.mark.parametrize("backend", ["tensorflow", "jax"])
def test_backend_of_keras_decides_between_both(
        imported: Imported, tmp_path: Path, backend: str,
        holder: str) -> None:
    stands = {"tensorflow": Stand(), "jax": Stand()}
    imported(tensorflow=stands["tensorflow"].as_tensorflow(),
             jax=stands["jax"].as_jax(), keras=keras(backend, holder))
    with tfprof.trace(tmp_path):
        pass
    assert stands.pop(backend).calls == ["start", "stop"]
    assert [other.calls for other in stands.values()] == [[]]


def test_undecided_framework_is_a_value_error(imported: Imported,
                                              tmp_path: Path) -> None:
    tf, jax = Stand(), Stand()
    both = {"tensorflow": tf.as_tensorflow(), "jax": jax.as_jax()}
    for modules, why in (
            ({}, "neither tensorflow nor jax is imported.*framework="),
            (both, "both .* Keras is not imported; .*framework="),
            ({**both, "keras": keras("torch", "config")},
             "both .* the backend of Keras is torch; .*framework=")):
        imported(**modules)
        with pytest.raises(ValueError, match=why):
            tfprof.trace(tmp_path).__enter__()
    assert tf.calls == jax.calls == []
    with tfprof.trace(tmp_path, framework="jax"):
        pass
    assert (tf.calls, jax.calls) == ([], ["start", "stop"])


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    torch: Any = "torch"
    with pytest.raises(ValueError, match="unknown framework: 'torch'"):
        tfprof.trace(tmp_path, torch)
    with pytest.raises(ValueError, match="logdir"):
        tfprof.trace("")


# ---- The block and its end --------------------------------------------------

def test_profile_is_there_after_the_block_only(stand: Stand,
                                               tmp_path: Path) -> None:
    t = tfprof.trace(tmp_path)
    assert "not started" in repr(t)
    for _ in range(2):  # the second round records again
        with pytest.raises(RuntimeError, match="inside the with block"):
            t.step(0)
        with t:
            assert t.run is None
            with pytest.raises(RuntimeError, match="after the with block"):
                t.profile  # noqa: B018
        assert t.run == str(tmp_path / "plugins" / "profile" / stand.run)
        assert isinstance(t.profile, tfprof.Profile)
        assert t.profile is t.profile
        assert t.profile.info()["files"][0]["kind"] == "XSpace"
        stand.run = "2026_01_02_03_04_06"


def test_exception_propagates_and_ends_the_trace(
        stand: Stand, tmp_path: Path) -> None:
    t = tfprof.trace(tmp_path)
    with pytest.raises(KeyError, match="of the block"), t:
        raise KeyError("of the block")
    assert stand.calls == ["start", "stop"]
    assert t.profile.op().total.micros > 0
    stand.stop_error = OSError("of the profiler")
    with pytest.raises(KeyError, match="of the block"), t:
        raise KeyError("of the block")
    with pytest.raises(OSError, match="of the profiler"), t:
        pass
    with pytest.raises(RuntimeError, match="wrote no trace"):
        t.profile  # noqa: B018
    stand.stop_error = None
    with t:  # nothing is left of the failures
        pass


def test_traces_do_not_nest(stand: Stand, tmp_path: Path) -> None:
    with tfprof.trace(tmp_path) as t:
        for other in (t, tfprof.trace(tmp_path / "other", "tensorflow")):
            with pytest.raises(ValueError, match="cannot be nested"):
                other.__enter__()
    assert stand.calls == ["start", "stop"]
    assert t.run is not None


def test_profiler_that_does_not_start_leaves_nothing(
        stand: Stand, tmp_path: Path) -> None:
    stand.start_error = RuntimeError("Only one profile may be run at a time.")
    t = tfprof.trace(tmp_path)
    with pytest.raises(RuntimeError, match="Only one profile"):
        t.__enter__()
    stand.start_error = None
    with t:
        pass
    assert t.run is not None


# ---- Which run --------------------------------------------------------------

def test_run_is_the_one_just_written(stand: Stand, tmp_path: Path,
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "logs" / "plugins" / "profile" / "zzz"  # last by name
    old.mkdir(parents=True)
    shutil.copyfile(OTHER, old / "vm.xplane.pb")
    os.utime(old / "vm.xplane.pb", (4e9, 4e9))  # and by time
    (old.parent / "file").write_text("not a run")
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with tfprof.trace("logs") as t:
        monkeypatch.chdir(elsewhere)
    assert t.run == str(old.parent / stand.run)
    file, = t.profile.inputs
    assert file.path == os.path.join(t.run, "vm.xplane.pb")


def test_run_of_the_same_second_is_not_taken_for_the_first(
        stand: Stand, tmp_path: Path) -> None:
    with tfprof.trace(tmp_path) as first:
        pass
    stand.source = OTHER
    with tfprof.trace(tmp_path) as second:
        pass
    assert first.run == second.run
    with pytest.raises(RuntimeError, match="replaced"):
        first.profile  # noqa: B018
    assert second.profile.op().total.micros > 0


def test_missing_trace_is_told_when_it_is_read(stand: Stand,
                                               tmp_path: Path) -> None:
    stand.source = None
    with tfprof.trace(tmp_path) as t:
        pass
    assert t.run is None
    with pytest.raises(RuntimeError, match=f"{tmp_path}: the profiler wrote"):
        t.profile  # noqa: B018


# ---- Source lines -----------------------------------------------------------

class Op:
    """Of a graph, with what it takes."""

    def __init__(self, name: str, kind: str, line: int = 0, *inputs: Op,
                 shape: tuple[int, ...] = (2,)) -> None:
        self.name, self.type = name, kind
        self.traceback = [("train.py", line, "call", f"line {line}")]
        self.op, self.inputs = self, list(inputs)  # an operation is its result
        self.shape: Any = Shape(shape)


class Shape(tuple[int, ...]):
    @property
    def rank(self) -> int:
        return len(self)


class Graph:
    captures = ()

    def __init__(self, *ops: Op, **functions: Graph) -> None:
        self._ops = list(ops)
        self._functions = {name: types.SimpleNamespace(graph=graph)
                           for name, graph in functions.items()}

    def get_operations(self) -> list[Op]:
        return self._ops


def concrete(*ops: Op, **functions: Graph) -> Any:
    return types.SimpleNamespace(graph=Graph(*ops, **functions))


def lines(run: str | None) -> dict[str, list[int]]:
    """The lines of each operation in the op log of a run."""
    assert run is not None
    data = gzip.decompress((Path(run) / "tfprof_log").read_bytes())
    log = tfprof.tfprof_log_pb2.OpLogProto.FromString(data)
    return {entry.name: [frame.lineno for frame in entry.code_def.traces]
            for entry in log.log_entries}


def test_op_log_has_nested_functions_once(stand: Stand, tmp_path: Path) -> None:
    body = Graph(Op("while/add", "AddV2", 3), Op("a", "AddV2", 4))
    inner = Graph(Op("b", "MatMul", 2), body=body)
    body._functions["again"] = types.SimpleNamespace(graph=inner)
    made = types.SimpleNamespace(_cached_graph=None, graph=Graph(
        Op("made", "AddV2", 9)))  # by TensorFlow when it is asked for
    model = concrete(Op("a", "AddV2", 1), Op("c", "Const", 8), f=inner)
    model.graph._functions["made"] = made
    with tfprof.trace(tmp_path, model=model) as t:
        pass
    assert lines(t.run) == {"a": [1], "b": [2], "while/add": [3]}
    assert [Path(file.path).name for file in t.profile.inputs] == [
        "tfprof_log", "vm.xplane.pb"]
    assert sorted(os.listdir(str(t.run))) == ["tfprof_log", "vm.xplane.pb"]


def test_functions_of_keras_are_found_in_closures(
        stand: Stand, tmp_path: Path) -> None:
    class Function:
        def __init__(self, name: str, python: Any) -> None:
            self.python_function = python
            self._made = [concrete(Op(name, "Mul", 1))]

        def __call__(self) -> None: ...

        def _list_all_concrete_functions(self) -> list[Any]:
            return self._made

    inner = Function("inner", None)
    outer = Function("outer", lambda: inner())
    model = types.SimpleNamespace(
        trainable_weights=[], train_function=lambda: outer(),
        test_function=Function("test", None), predict_function=None)
    with tfprof.trace(tmp_path, model=model) as t:
        pass
    assert list(lines(t.run)) == ["outer", "inner", "test"]


def test_untold_gradients_have_lines_of_what_they_are_of(
        stand: Stand, tmp_path: Path) -> None:
    x = Op("m/x", "Relu", 1)
    split = Op("m/split", "Split", 2, x)
    tile = Op("m/Tile", "Tile", 3, split, shape=(4,))
    product = Op("m/MatMul", "MatMul", 4, tile)
    soft = Op("m/Softmax", "Softmax", 5, product, shape=(3,))
    mean = Op("m/Mean", "Mean", 6, soft, shape=())
    fit = 99
    tape = "gradient_tape/m"
    d_mean = Op(f"{tape}/Tile", "Tile", fit, Op("start", "Fill"), mean)
    d_soft = Op(f"{tape}/mul", "Mul", fit, d_mean, soft)
    d_soft2 = Op(f"{tape}/sub", "Sub", fit, d_soft)
    told = Op(f"{tape}/MatMul/MatMul", "MatMul", fit, d_soft2, shape=(4,))
    summed = Op("AddN_1", "AddN", fit, told, told)
    d_tile = Op(f"{tape}/Reshape", "Reshape", fit, summed)
    d_tile2 = Op(f"{tape}/Sum", "Sum", fit, d_tile)
    d_split = Op(f"{tape}/concat", "ConcatV2", fit, d_tile2)
    d_x = Op(f"{tape}/ReluGrad", "ReluGrad", fit, d_split)
    alone = Op(f"{tape}/range", "Range", fit)
    with tfprof.trace(tmp_path, model=concrete(
            x, split, tile, product, soft, mean, d_mean, d_soft, d_soft2, told,
            summed, d_tile, d_tile2, d_split, d_x, alone)) as t:
        pass
    found = lines(t.run)
    assert [found[op.name] for op in (
        d_mean, d_soft, d_soft2, d_tile, d_tile2, d_split, d_x)] == [
            [6], [5], [5], [3], [3], [2], [1]]
    # The library follows the name; nothing is known of the last.
    assert [found[op.name] for op in (told, alone)] == [[fit], [fit]]


def test_model_that_has_no_graph_is_warned_of(stand: Stand,
                                              tmp_path: Path) -> None:
    model = types.SimpleNamespace(trainable_weights=[])
    with pytest.warns(RuntimeWarning, match="has no TensorFlow graph"), \
            tfprof.trace(tmp_path, model=model) as t:
        pass
    assert os.listdir(str(t.run)) == ["vm.xplane.pb"]


def test_wrong_model_is_refused_before_the_block(
        stand: Stand, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"a tf\.function .* not function"):
        tfprof.trace(tmp_path, model=lines)
    assert stand.calls == []


def test_lines_of_another_run_of_the_second_are_removed(
        stand: Stand, tmp_path: Path) -> None:
    with tfprof.trace(tmp_path, model=concrete(Op("a", "Mul", 1))) as t:
        pass
    assert lines(t.run)
    with tfprof.trace(tmp_path) as t:
        pass
    assert os.listdir(str(t.run)) == ["vm.xplane.pb"]


def test_jax_needs_no_model(imported: Imported, tmp_path: Path) -> None:
    imported(jax=Stand().as_jax())
    with tfprof.trace(tmp_path, model=concrete(Op("a", "Mul", 1))) as t:
        pass
    assert os.listdir(str(t.run)) == ["vm.xplane.pb"]


def test_failure_to_write_lines_is_not_put_before_one_of_the_block(
        stand: Stand, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str) -> None:
        raise OSError("full")
    monkeypatch.setattr(os, "replace", refuse)
    t = tfprof.trace(tmp_path, model=concrete(Op("a", "Mul", 1)))
    with pytest.raises(KeyError, match="of the block"), t:
        raise KeyError("of the block")
    with pytest.raises(OSError, match="full"), t:
        pass
    assert os.listdir(str(t.run)) == ["vm.xplane.pb"]
    assert t.profile.op().total.micros > 0


# ---- Log directories --------------------------------------------------------

def test_log_directory_opens_its_newest_run(tmp_path: Path) -> None:
    runs = tmp_path / "plugins" / "profile"
    for name, source in (("2026_01_01_00_00_00", OTHER),
                         ("2026_01_01_00_00_01", SMALL)):
        (runs / name).mkdir(parents=True)
        shutil.copyfile(source, runs / name / "vm.xplane.pb")
        (runs / name / "vm.trace.json.gz").write_bytes(b"\x1f\x8b")
    expected = tfprof.open(SMALL).op(select=["micros"]).to_json()
    assert tfprof.open(tmp_path).op(select=["micros"]).to_json() == expected
    newest = tfprof.open(runs / "2026_01_01_00_00_01")
    assert newest.op(select=["micros"]).to_json() == expected


# ---- The frameworks themselves ----------------------------------------------

JAX_LOOP = """
import jax, jax.numpy as jnp, tfprof

def loss(w, x):
    h = jnp.tanh(x @ w)
    slow = jnp.sin(x @ w @ w.T @ w @ w.T @ w @ w.T @ w @ w.T)  # planted
    return jnp.mean(h) + 1e-6 * jnp.mean(slow)

@jax.jit
def train(w, x):
    return w - 0.1 * jax.grad(loss)(w, x)

w, x = jnp.ones((512, 512)), jnp.ones((256, 512))
train(w, x).block_until_ready()
STEPS = range(3)
with tfprof.trace("logs") as t:
    for n in STEPS:
        with t.step(n):
            w = train(w, x).block_until_ready()
"""

# Prints what the tests compare; the first part has made `t`.
ASK = """
import json, sys
p = t.profile

def pools(p):
    try:
        return p.memory().pools
    except tfprof.OptionError as error:
        assert "no input records memory over time" in str(error)
        return []

rows = {view: getattr(p, view)(select=["micros"], order_by="micros")
        for view in sys.argv[1:]}
leaves = [(row.file, row.line, row.self.micros)
          for row in rows["code"] if not row.children] \\
    if "code" in rows else []
print(json.dumps({
    "run": t.run, "leaves": leaves,
    "steps": [step for file in p.info()["files"]
              if file["kind"] == "XSpace" for step in file["steps"]],
    "totals": {view: made.total.micros for view, made in rows.items()},
    "by_step": [p.op(step=n).total.micros for n in STEPS],
    "types": [row.name for row in rows["op"]],
    "of_logs": tfprof.open("logs").op().total.micros,
    "marked": list(STEPS),
    "walls": {row["step"]: row["wall_micros"] for row in p.steps()},
    "pools": pools(p),
}))
"""


def traced(folder: Path, program: str, *views: str) -> Any:
    """What a program with a Python of its own finds in its trace."""
    path = folder / "train.py"
    path.write_text(program + ASK)
    done = subprocess.run(
        [sys.executable, path, *views], cwd=folder, text=True,
        capture_output=True, timeout=300,
        env={**os.environ, "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "",
             "TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    run = Path(found["run"])
    assert run.parent == folder / "logs" / "plugins" / "profile"
    totals = found["totals"]
    assert list(totals) == list(views)
    assert totals["op"] > 0
    for view, total in totals.items():
        # The compiler leaves out the line of a few operations.
        least = 0.9 if view == "code" else 1 - 1e-9
        assert least <= total / totals["op"] <= 1 + 1e-9, view
    assert found["of_logs"] == totals["op"]
    assert all(micros > 0 for micros in found["by_step"])
    assert all(found["walls"][str(step)] > 0 for step in found["marked"])
    # Whether a CPU's allocations are recorded depends on its allocator.
    assert all(pool["peak_bytes"] > 0 for pool in found["pools"])
    return found


@needs_jax
def test_slow_line_of_a_jax_loop_is_first(tmp_path: Path,
                                          say: Callable[[str], None]) -> None:
    found = traced(tmp_path, JAX_LOOP, "scope", "graph", "op", "code")
    assert found["steps"] == [0, 1, 2]
    planted = 1 + next(at for at, line in enumerate(JAX_LOOP.split("\n"))
                       if "planted" in line)
    assert len(found["leaves"]) > 1
    file, line, micros = found["leaves"][0]
    assert (Path(file).name, line) == ("train.py", planted)
    assert micros > found["totals"]["code"] / 2
    say(f"line {line}: {micros:.0f} of {found['totals']['code']:.0f} us")


# Unmarked steps of TensorFlow are numbered from 0, so these are not.
TF_LOOP = """
import tensorflow as tf, tfprof

@tf.function
def train(x):
    return tf.tanh(tf.matmul(x, x))

x = train(tf.ones((256, 256)))
STEPS = range(10, 13)
with tfprof.trace("logs", "tensorflow") as t:
    for n in STEPS:
        with t.step(n):
            x = train(x)
            x.numpy()
"""


@needs_tensorflow
def test_steps_of_a_tensorflow_function(tmp_path: Path) -> None:
    found = traced(tmp_path, TF_LOOP, "scope", "graph", "op")
    assert found["steps"] == [10, 11, 12]
    # oneDNN has operations of its own, "_MklMatMul", on some processors.
    assert {"MatMul", "Tanh"} <= {name.removeprefix("_Mkl")
                                  for name in found["types"]}


# TensorFlow imports Keras, and JAX where it is installed.
KERAS_FIT = """
import keras, numpy, tfprof

class Steps(keras.callbacks.Callback):
    def on_train_batch_begin(self, batch, logs=None):
        self.step = t.step(STEPS[batch])
        self.step.__enter__()

    def on_train_batch_end(self, batch, logs=None):
        self.step.__exit__(None, None, None)

model = keras.Sequential([keras.Input((64,)),
                          keras.layers.Dense(64, activation="relu"),
                          keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = numpy.ones((96, 64), "float32"), numpy.ones((96, 1), "float32")
model.fit(x, y, batch_size=32, verbose=0)
STEPS = range(20, 23)
with tfprof.trace("logs") as t:
    model.fit(x, y, batch_size=32, verbose=0, callbacks=[Steps()])
"""


@needs_tensorflow
def test_steps_of_a_fit_of_keras(tmp_path: Path,
                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "tensorflow")
    found = traced(tmp_path, KERAS_FIT, "scope", "graph", "op")
    # Work between batches is a step behind them.
    assert found["steps"] in ([20, 21, 22], [20, 21, 22, 23])
    assert "MatMul" in " ".join(found["types"])


# ---- Source lines of TensorFlow ----------------------------------------------

# The same names as a user would have; jit_compile is off, since a compiler
# fuses lines.
KERAS_LINES = """
import json, keras, numpy, tensorflow as tf, tfprof

class Block(keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.norm = keras.layers.LayerNormalization()
        self.attend = keras.layers.MultiHeadAttention(4, width // 4)
        self.up = keras.layers.Dense(2 * width, activation="gelu")
        self.down = keras.layers.Dense(width)

    def call(self, x):
        y = self.norm(x)
        x = x + self.attend(y, y)
        return x + self.down(self.up(x))

class Transformer(keras.Model):
    def __init__(self, words, width):
        super().__init__()
        self.embed = keras.layers.Embedding(words, width)
        self.blocks = [Block(width) for _ in range(2)]
        self.head = keras.layers.Dense(words)

    def call(self, x):
        x = self.embed(x)
        for block in self.blocks:
            x = block(x)
        wide = tf.tile(x, [1, 8, 8])
        slow = tf.matmul(wide, tf.nn.relu(wide), transpose_a=True)  # planted
        x = x + 1e-9 * tf.reduce_mean(slow)
        return self.head(x)

def fit(model, x, y):
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(
        from_logits=True), jit_compile=False)
    model.fit(x, y, batch_size=16, verbose=0)  # fit
    with tfprof.trace("logs", model=model) as t:
        model.fit(x, y, batch_size=16, verbose=0)
    return t

def found(t):
    view = t.profile.code(select=["micros"], own=True)
    return {"total": view.total.micros, "remarks": t.profile.remarks,
            "of_logs": tfprof.open("logs").code(own=True).total.micros,
            "rows": [(row.line, row.self.micros) for row in view],
            "log": len(open(t.run + "/tfprof_log", "rb").read())}

x = numpy.random.randint(0, 100, (64, 32))
subclassed = found(fit(Transformer(100, 64), x, x))
model = keras.Sequential([
    keras.Input((32,)), keras.layers.Embedding(100, 512),
    keras.layers.Dense(512, activation="relu"), keras.layers.Dense(100)])
functional = found(fit(model, x, x))

@tf.function
def loop(x):
    for _ in tf.range(20):
        x = tf.linalg.matmul(x, x) / 512.0  # body
        if tf.reduce_sum(x) >= 0:
            x = tf.tanh(x)  # branch
    return x

x = loop(tf.ones((512, 512)))
with tfprof.trace("logs", model=loop) as t:
    loop(x).numpy()
of_function = found(t)
with tfprof.trace("logs", model=loop.get_concrete_function(x)) as t:
    loop(x).numpy()
print(json.dumps([subclassed, functional, of_function, found(t)]))
"""


def share(found: Any) -> float:
    """Of the time that has lines, as the remark has it too."""
    without = sum(micros for line, micros in found["rows"] if line is None)
    told = float(1 - without / found["total"])
    assert f"{int(100 * told)} % of the operation time has source lines " \
        "from tfprof_log" in found["remarks"] or told < 0.01
    return told


@needs_tensorflow
def test_slow_line_of_a_fit_is_first(tmp_path: Path,
                                     say: Callable[[str], None]) -> None:
    (tmp_path / "train.py").write_text(KERAS_LINES)
    done = subprocess.run(
        [sys.executable, "train.py"], cwd=tmp_path, text=True,
        capture_output=True, timeout=300,
        env={**os.environ, "KERAS_BACKEND": "tensorflow",
             "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == 0, done.stderr
    subclassed, functional, *functions = json.loads(
        done.stdout.splitlines()[-1])
    at = {word: 1 + number
          for number, text in enumerate(KERAS_LINES.split("\n"))
          for word in [text.rpartition("# ")[2]] if "  # " in text}

    assert share(subclassed) >= 0.8
    assert subclassed["of_logs"] == subclassed["total"]
    first, micros = max(subclassed["rows"], key=lambda row: row[1])
    assert first == at["planted"]
    assert not any("functional" in text for text in subclassed["remarks"])
    say(f"line {first}: {micros:.0f} of {subclassed['total']:.0f} us, "
        f"{share(subclassed):.1%} has lines, {subclassed['log']} bytes")

    assert share(functional) > 0.5
    assert {line for line, micros in functional["rows"] if micros} <= {
        at["fit"], None}
    assert any("functional Keras model" in text and "scope view" in text
               for text in functional["remarks"])

    for function in functions:  # bodies of loops and branches
        assert share(function) > 0.8
        own = dict(function["rows"])
        assert own[at["body"]] == max(own.values())
        assert own[at["branch"]] > 0
