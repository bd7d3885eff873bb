"""tfprof.trace(), with the profilers of TensorFlow and JAX, and with modules
that take their place where only the choice between them matters."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
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

    def __init__(self, source: pathlib.Path = SMALL) -> None:
        self.calls: list[Any] = []
        self.source: pathlib.Path | None = source
        self.run = "2026_01_02_03_04_05"
        self.start_error: Exception | None = None
        self.stop_error: Exception | None = None

    def start(self, logdir: str) -> None:
        if self.start_error is not None:
            raise self.start_error
        self.calls.append("start")
        self.folder = pathlib.Path(logdir) / "plugins" / "profile"

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
                                      tmp_path: pathlib.Path) -> None:
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
        imported: Imported, tmp_path: pathlib.Path, backend: str,
        holder: str) -> None:
    stands = {"tensorflow": Stand(), "jax": Stand()}
    imported(tensorflow=stands["tensorflow"].as_tensorflow(),
             jax=stands["jax"].as_jax(), keras=keras(backend, holder))
    with tfprof.trace(tmp_path):
        pass
    assert stands.pop(backend).calls == ["start", "stop"]
    assert [other.calls for other in stands.values()] == [[]]


def test_undecided_framework_is_a_value_error(imported: Imported,
                                              tmp_path: pathlib.Path) -> None:
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


def test_wrong_arguments_are_refused(tmp_path: pathlib.Path) -> None:
    torch: Any = "torch"
    with pytest.raises(ValueError, match="unknown framework: 'torch'"):
        tfprof.trace(tmp_path, torch)
    with pytest.raises(ValueError, match="logdir"):
        tfprof.trace("")


# ---- The block and its end --------------------------------------------------

def test_profile_is_there_after_the_block_only(stand: Stand,
                                               tmp_path: pathlib.Path) -> None:
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
        stand: Stand, tmp_path: pathlib.Path) -> None:
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


def test_traces_do_not_nest(stand: Stand, tmp_path: pathlib.Path) -> None:
    with tfprof.trace(tmp_path) as t:
        for other in (t, tfprof.trace(tmp_path / "other", "tensorflow")):
            with pytest.raises(ValueError, match="cannot be nested"):
                other.__enter__()
    assert stand.calls == ["start", "stop"]
    assert t.run is not None


def test_profiler_that_does_not_start_leaves_nothing(
        stand: Stand, tmp_path: pathlib.Path) -> None:
    stand.start_error = RuntimeError("Only one profile may be run at a time.")
    t = tfprof.trace(tmp_path)
    with pytest.raises(RuntimeError, match="Only one profile"):
        t.__enter__()
    stand.start_error = None
    with t:
        pass
    assert t.run is not None


# ---- Which run --------------------------------------------------------------

def test_run_is_the_one_just_written(stand: Stand, tmp_path: pathlib.Path,
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
        stand: Stand, tmp_path: pathlib.Path) -> None:
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
                                               tmp_path: pathlib.Path) -> None:
    stand.source = None
    with tfprof.trace(tmp_path) as t:
        pass
    assert t.run is None
    with pytest.raises(RuntimeError, match=f"no trace below {tmp_path}"):
        t.profile  # noqa: B018


# ---- Log directories --------------------------------------------------------

def test_log_directory_opens_its_newest_run(tmp_path: pathlib.Path) -> None:
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


def traced(folder: pathlib.Path, program: str, *views: str) -> Any:
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
    run = pathlib.Path(found["run"])
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
def test_slow_line_of_a_jax_loop_is_first(tmp_path: pathlib.Path,
                                          say: Callable[[str], None]) -> None:
    found = traced(tmp_path, JAX_LOOP, "scope", "graph", "op", "code")
    assert found["steps"] == [0, 1, 2]
    planted = 1 + next(at for at, line in enumerate(JAX_LOOP.split("\n"))
                       if "planted" in line)
    assert len(found["leaves"]) > 1
    file, line, micros = found["leaves"][0]
    assert (pathlib.Path(file).name, line) == ("train.py", planted)
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
def test_steps_of_a_tensorflow_function(tmp_path: pathlib.Path) -> None:
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
def test_steps_of_a_fit_of_keras(tmp_path: pathlib.Path,
                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "tensorflow")
    found = traced(tmp_path, KERAS_FIT, "scope", "graph", "op")
    # Work between batches is a step behind them.
    assert found["steps"] in ([20, 21, 22], [20, 21, 22, 23])
    assert "MatMul" in " ".join(found["types"])
