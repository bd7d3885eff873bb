"""ProfileContext, held against TensorFlow's own profiler: both show the same
of the profiles that it writes."""

# labels: tf

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import judge
import program
import pytest
import tf_messages
from lacking import needs

import tfprof
from tfprof._protos import ProfileProto

pytestmark = pytest.mark.live
needs_tensorflow = needs(tf_messages.HAVE, tf_messages.NEEDED)
B = tfprof.ProfileOptionBuilder
QUIET = B(B.time_and_memory()).with_empty_output().build()
STEPS = 200
VIEWS = ("scope", "graph", "op", "code")


# ---- A model and its training -----------------------------------------------

class Model:
    """A small network in a graph of its own, and a session that trains it."""

    def __init__(self) -> None:
        import tensorflow as tf
        tf1 = tf.compat.v1
        self.graph = tf.Graph()
        with self.graph.as_default():
            x = tf1.placeholder(tf.float32, [None, 8], "x")
            w = tf1.get_variable("w", [8, 4])
            self.loss = tf.reduce_mean(tf.square(tf.matmul(x, w)), name="loss")
            optimizer = tf1.train.GradientDescentOptimizer(0.01)
            self.train = optimizer.minimize(self.loss)
            with tf1.name_scope("unused"):  # so that coverage stays low
                y = x
                for _ in range(60):
                    y = tf.tanh(y)
            self.start = tf1.global_variables_initializer()
        self.session = tf1.Session(graph=self.graph)
        self.session.run(self.start)
        self.feed = {x: [[0.5] * 8] * 3}

    def run(self, fetches: Any = None, **words: Any) -> Any:
        return self.session.run(self.train if fetches is None else fetches,
                                self.feed, **words)


@pytest.fixture
def model() -> Iterator[Model]:
    found = Model()
    with found.graph.as_default(), found.session:
        yield found


@pytest.fixture(scope="module")
def wheel() -> Iterator[judge.Judge]:
    with judge.Judge() as found:
        yield found


def _profile(path: Path) -> Any:
    return ProfileProto.FromString(path.read_bytes())


def _compare_views(wheel: judge.Judge, path: Path) -> int:
    """TensorFlow's tfprof and ours print the same text of a profile."""
    lines = 0
    with wheel.opened({"profile": str(path)}):
        for view in VIEWS:
            options = {**B.time_and_memory(), "select": [
                "micros", "bytes", "params", "float_ops", "occurrence"]}
            theirs = wheel.ask(view, options)["text"]
            ours = program.run(
                view, "--profile_path", path, "-formulas", "none",
                "-max_depth", "10000", "-min_bytes", "1", "-min_micros", "1",
                "-order_by", "micros", "-account_displayed_op_only",
                "-select", ",".join(options["select"])).stdout.decode()
            assert ours == theirs, view
            lines += ours.count("\n")
    return lines


# ---- Training loops ---------------------------------------------------------

@needs_tensorflow
def test_automatic_tracing_of_200_steps(
        model: Model, wheel: judge.Judge, tmp_path: Path,
        say: Callable[[str], None]) -> None:
    with tfprof.ProfileContext(tmp_path / "made",
                               dump_steps=[100, 199]) as context:
        for step in range(STEPS):
            model.run([model.train, model.loss] if step % 50 == 40 else None)
    profiles = sorted((tmp_path / "made").iterdir())
    assert [path.name for path in profiles] == ["profile_100", "profile_199"]
    steps = list(_profile(profiles[1]).steps)
    assert steps[0] == 11                # the first after the warm-up
    assert 40 in steps                   # fetches more than those before
    assert steps[-1] < 100               # 140 and 190 fetch nothing new
    assert 5 <= len(steps) <= 40         # 2 of 11 at random
    assert context.profiler is not None
    assert 0 < context.profiler._coverage < 0.5
    lines = sum(_compare_views(wheel, path) for path in profiles)
    say(f"steps {steps} traced, {lines} lines equal")


@needs_tensorflow
def test_given_steps_of_200(model: Model, wheel: judge.Judge,
                            tmp_path: Path,
                            say: Callable[[str], None]) -> None:
    with tfprof.ProfileContext(str(tmp_path), trace_steps=range(3, 120, 20),
                               debug=True) as context:
        context.add_auto_profiling("op", QUIET, [23, 150])
        context.add_auto_profiling("scope", QUIET, [150])
        for _ in range(STEPS):
            model.run()
    traced = [3, 23, 43, 63, 83, 103, 150]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["profile_100", *(f"run_meta_{step}" for step in traced)])
    assert list(_profile(tmp_path / "profile_100").steps) == traced[:5]
    assert context.profiler is not None
    (tmp_path / "all").write_bytes(context.profiler.serialize_to_string())
    assert list(_profile(tmp_path / "all").steps) == traced
    lines = sum(_compare_views(wheel, tmp_path / name)
                for name in ("profile_100", "all"))
    say(f"{lines} lines equal")
    assert list(context.get_profiles("op")) == [23, 150]
    assert list(context.get_profiles("scope")) == [150]
    assert isinstance(context.get_profiles("op")[23],
                      tfprof.MultiGraphNodeProto)
    assert isinstance(context.get_profiles("scope")[150], tfprof.GraphNodeProto)
    with pytest.raises(ValueError, match="'graph'"):
        context.get_profiles("graph")
    from google.protobuf import text_format
    from tensorflow.core.protobuf import config_pb2
    run = text_format.Parse((tmp_path / "run_meta_3").read_text(),
                            config_pb2.RunMetadata())
    assert run.step_stats.dev_stats


# ---- Next steps, options, sessions ------------------------------------------

@needs_tensorflow
def test_next_step_is_traced_and_dumped_on_request(
        model: Model, tmp_path: Path) -> None:
    with tfprof.ProfileContext(tmp_path, trace_steps=[],
                               dump_steps=[]) as context:
        model.run()
        context.trace_next_step()
        model.run()
        model.run()
        context.dump_next_step()
        model.run()
        model.run()
    assert [path.name for path in tmp_path.iterdir()] == ["profile_3"]
    assert list(_profile(tmp_path / "profile_3").steps) == [1]


@needs_tensorflow
def test_what_a_script_gives_to_run_is_kept(model: Model,
                                            tmp_path: Path) -> None:
    import tensorflow as tf
    options = tf.compat.v1.RunOptions(timeout_in_ms=60000)
    before = options.SerializeToString()
    records = [tf.compat.v1.RunMetadata() for _ in range(2)]
    with tfprof.ProfileContext(tmp_path, [0], []):
        found = [model.run(model.loss, options=options, run_metadata=record)
                 for record in records]
    assert all(value > 0 for value in found)
    assert options.SerializeToString() == before
    assert [len(record.step_stats.dev_stats) for record in records] == [1, 0]


@needs_tensorflow
def test_session_is_restored_after_an_exception(model: Model,
                                                tmp_path: Path
                                                ) -> None:
    import tensorflow as tf
    from tensorflow.python.client.session import BaseSession
    before = BaseSession.run, BaseSession.__init__
    context = tfprof.ProfileContext(tmp_path, trace_steps=[0, 1])
    with pytest.raises(tf.errors.InvalidArgumentError), context:
        assert BaseSession.run is not before[0]
        model.session.run(model.loss)  # the placeholder has no value
    assert (BaseSession.run, BaseSession.__init__) == before
    with context:  # goes on with step 1
        model.run()
    assert context.profiler is not None
    profile = ProfileProto.FromString(context.profiler.serialize_to_string())
    assert list(profile.steps) == [1]


@needs_tensorflow
def test_contexts_do_not_nest(model: Model, tmp_path: Path) -> None:
    import tensorflow as tf
    from tensorflow.python.client.session import BaseSession
    before = BaseSession.run
    with tfprof.ProfileContext(tmp_path):
        with pytest.raises(tf.errors.InternalError, match="already active"):
            tfprof.ProfileContext(tmp_path).__enter__()
        with tfprof.ProfileContext(tmp_path, enabled=False):
            model.run()
    assert BaseSession.run is before


@needs_tensorflow
def test_sessions_of_other_graphs_are_added(tmp_path: Path) -> None:
    """The default graph is not the one that is run."""
    models = [Model(), Model()]
    with tfprof.ProfileContext(tmp_path, [0, 1], [1]):
        for one in models:
            one.run()
            one.session.close()
    profile = _profile(tmp_path / "profile_1")
    assert list(profile.steps) == [0, 1]
    ran = {node.name for node in profile.nodes.values() if node.execs}
    assert "MatMul" in ran


@needs_tensorflow
def test_threads_are_counted_one_by_one(model: Model, tmp_path: Path) -> None:
    """Some steps may not be traced, but each has a number of its own."""
    count, each = 4, 25
    failed: list[BaseException] = []

    def train() -> None:
        try:
            for _ in range(each):
                model.run()
        except BaseException as error:
            failed.append(error)

    with tfprof.ProfileContext(tmp_path, range(0, count * each, 4),
                               [count * each]) as context:
        threads = [threading.Thread(target=train) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        model.run()
    assert not failed
    assert (tmp_path / f"profile_{count * each}").exists()
    assert context.profiler is not None
    profile = ProfileProto.FromString(context.profiler.serialize_to_string())
    assert 1 <= len(profile.steps) <= count * each // 4
    assert all(step % 4 == 0 for step in profile.steps)


@needs_tensorflow
def test_step_inside_a_step_does_not_wait(tmp_path: Path) -> None:
    import tensorflow as tf
    inner = Model()
    with tf.Graph().as_default() as graph:
        value = tf.compat.v1.py_func(lambda: inner.run(inner.loss), [],
                                     tf.float32)
    with tf.compat.v1.Session(graph=graph) as session, \
            tfprof.ProfileContext(tmp_path, [0, 1], [2]) as context:
        assert session.run(value) > 0
        inner.run()
    assert context.profiler is not None
    profile = ProfileProto.FromString(context.profiler.serialize_to_string())
    assert list(profile.steps) == [0]
    assert (tmp_path / "profile_2").exists()
    inner.session.close()


# ---- Coverage ---------------------------------------------------------------

@needs_tensorflow
def test_coverage_is_that_of_tensorflow(model: Model) -> None:
    import tensorflow as tf
    from tensorflow.python.profiler import model_analyzer
    theirs = model_analyzer.Profiler(model.graph)
    ours = tfprof.Profiler(model.graph)
    assert ours._coverage == theirs._coverage == 0.0
    trace = tf.compat.v1.RunOptions(
        trace_level=tf.compat.v1.RunOptions.FULL_TRACE)
    runs = [tf.compat.v1.RunMetadata() for _ in range(4)]
    for run, fetches in zip(runs, (model.loss, model.train, model.train)):
        model.run(fetches, options=trace, run_metadata=run)
    device = runs[3].step_stats.dev_stats.add(device="/device:CPU:0")
    for name in ("unused/Tanh", "unused/Tanh_1:MatMul", "new", "new:x", "2nd",
                 "_SOURCE", "_SOURCE:x", "_SINK", "RecvTensor", "MEMCPYx", ""):
        device.node_stats.add(node_name=name)
    seen = set()
    for step, run in enumerate(runs):
        theirs.add_step(step, run)
        ours.add_step(step, run)
        assert ours._coverage == theirs._coverage
        seen.add(ours._coverage)
    assert len(seen) > 2


# ---- Arguments --------------------------------------------------------------

def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="101 steps, more than 100"):
        tfprof.ProfileContext(tmp_path, trace_steps=range(101))
    tfprof.ProfileContext(tmp_path, trace_steps=range(100))
    with pytest.raises(ValueError, match="profile_dir"):
        tfprof.ProfileContext("")
    context = tfprof.ProfileContext(tmp_path)
    with pytest.raises(ValueError, match="unknown cmd: python"):
        context.add_auto_profiling("python", QUIET, [1])


def test_disabled_context_does_not_need_tensorflow() -> None:
    code = """
import sys, tfprof
with tfprof.ProfileContext("", range(1000), enabled=False) as context:
    context.add_auto_profiling("op", {}, [1])
    context.trace_next_step()
    context.dump_next_step()
print(context.profiler, "tensorflow" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, text=True,
                          capture_output=True, timeout=120)
    assert done.stdout.split() == ["None", "False"]
