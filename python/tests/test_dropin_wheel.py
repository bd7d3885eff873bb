"""Names of TensorFlow's profiler that python/tests/dropin does not use, and
functions that a script registers: TensorFlow and tfprof give the same."""

# labels: tf

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dropin_compare
import judge
import pytest
from files import needs_tensorflow

import tfprof
from tfprof.contrib import tfprof_logger

pytestmark = [pytest.mark.live, needs_tensorflow]

B = tfprof.ProfileOptionBuilder
FLOPS = B(B.float_operation()).with_empty_output().build()


# ---- A model ----------------------------------------------------------------

def _graph() -> Any:
    """The batch is not known, so that some counts need a run."""
    import tensorflow as tf
    tf1 = tf.compat.v1
    graph = tf.Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [None, 8], "x")
        w = tf1.get_variable("w", [8, 4])
        y = tf.matmul(x, w, name="product")
        tf.matmul(tf.ones([6, 8]), w, name="constant")
        tf.math.betainc(tf.ones([3, 5]), tf.ones([3, 5]), tf.ones([3, 5]),
                        name="known")
        tf.math.betainc(tf.square(y) + 1, tf.square(y) + 1,
                        tf.sigmoid(y), name="unknown")
    return graph


def _run(graph: Any) -> Any:
    import tensorflow as tf
    tf1 = tf.compat.v1
    run = tf1.RunMetadata()
    with tf1.Session(graph=graph) as session:
        session.run(graph.get_operation_by_name("w/Assign"))
        session.run([graph.get_tensor_by_name("unknown:0"),
                     graph.get_tensor_by_name("known:0")],
                    {"x:0": [[1.0] * 8] * 6},
                    tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE), run)
    return run


def _op_log() -> Any:
    """A new one for each call: TensorFlow adds to what it is given."""
    from tensorflow.core.profiler import tfprof_log_pb2
    found = tfprof_log_pb2.OpLogProto()
    found.log_entries.add(name="known", float_ops=17, types=["mine"])
    found.log_entries.add(name="unknown", types=["mine"])
    found.log_entries.add(name="no such node", float_ops=1)
    return found


@contextlib.contextmanager
def _registered(function: Any, *types: str) -> Iterator[None]:
    """Functions take the place of those that TensorFlow has."""
    from tensorflow.python.framework import ops
    registry = ops._stats_registry._registry
    before = dict(registry)
    for name in types:
        registry.pop(f"{name},flops", None)
        ops.RegisterStatistics(name, "flops")(function)
    try:
        yield
    finally:
        registry.clear()
        registry.update(before)


def _seven_each(graph: Any, node: Any) -> Any:
    from tensorflow.python.framework import graph_util, ops
    shape = graph_util.tensor_shape_from_node_def_name(graph, node.name)
    shape.assert_is_fully_defined()  # a ValueError if not
    return ops.OpStats("flops", 7 * shape.num_elements())


def _theirs() -> Any:
    import tensorflow as tf
    return tf.compat.v1.profiler


# ---- Registered functions ---------------------------------------------------

def _totals(profiler: Any, cmd: str) -> list[int]:
    """Without a log and with one, before a run and after."""
    found = []
    for log in (None, _op_log()):
        graph = _graph()
        found += [profiler.profile(graph, run, log, cmd, FLOPS).total_float_ops
                  for run in (None, _run(graph))]
    return found


@pytest.mark.parametrize("cmd", ["scope", "graph", "op", "code"])
def test_registered_function_counts_for_its_type(cmd: str) -> None:
    totals = []
    for types in ((), ("Betainc",), ("Betainc", "MatMul")):
        with _registered(_seven_each, *types):
            theirs, ours = _totals(_theirs(), cmd), _totals(tfprof, cmd)
        assert ours == theirs
        totals.append(ours)
    formulas, betainc, both = totals  # each without a run, then with one
    assert betainc[0] == formulas[0] + 7 * 15
    assert betainc[1] == formulas[1] + 7 * (15 + 24)
    assert betainc[2] == formulas[2] == formulas[0] + 17
    assert both[0] == betainc[0] - 2 * 6 * 8 * 4 + 7 * 24


def test_registered_function_counts_after_a_step() -> None:
    totals = []
    for profiler, types in ((_theirs(), ["Betainc"]), (tfprof, ["Betainc"]),
                            (tfprof, [])):
        with _registered(_seven_each, *types):
            graph = _graph()
            many = profiler.Profiler(graph)
            before = many.profile_operations(FLOPS).total_float_ops
            many.add_step(3, _run(graph))
            after = many.profile_operations(FLOPS).total_float_ops
            del many
        totals.append((before, after))
    theirs, ours, without = totals
    assert ours == theirs
    assert ours[0] == without[0] + 7 * 15
    assert ours[1] == without[1] + 7 * (15 + 24)


def test_log_that_is_given_stands_before_registered_functions() -> None:
    graph = _graph()
    with _registered(_seven_each, "Betainc"):
        many = tfprof.Profiler(graph, _op_log())
        many.add_step(0, _run(graph))
        found = many.profile_name_scope(FLOPS)
    counts = {row.name: row.float_ops for row in found.children}
    assert (counts["known"], counts["unknown"]) == (17, 7 * 24)


def test_error_of_a_registered_function_is_raised() -> None:
    def fails(graph: Any, node: Any) -> Any:
        raise ZeroDivisionError("mine")

    with _registered(fails, "Betainc"):
        for profiler in (_theirs(), tfprof):
            with pytest.raises(ZeroDivisionError, match="mine"):
                profiler.profile(_graph(), options=FLOPS)


# ---- Op logs ----------------------------------------------------------------

@pytest.mark.parametrize("is_registered", [False, True])
def test_merge_default_with_oplog(is_registered: bool) -> None:
    from tensorflow.core.profiler import tfprof_log_pb2
    from tensorflow.python.profiler import tfprof_logger as theirs
    graph, count = _graph(), 0
    with _registered(_seven_each, *["Betainc"] * is_registered):
        for run in (None, _run(graph)):
            for with_log in (False, True):
                for words in ({}, {"add_trace": False},
                              {"add_trainable_var": False},
                              {"add_trace": False, "add_trainable_var": False}):
                    there, here = (
                        module.merge_default_with_oplog(
                            graph, _op_log() if with_log else None, run,
                            **words) for module in (theirs, tfprof_logger))
                    again = tfprof_log_pb2.OpLogProto.FromString(
                        here.SerializeToString())
                    assert again == there, (with_log, words)
                    count += len(here.log_entries)
    assert count > 100
    with graph.as_default():
        assert tfprof_logger.merge_default_with_oplog(None).log_entries
    assert (tfprof_logger.merge_default_with_oplog(None).SerializeToString()
            == theirs.merge_default_with_oplog(None).SerializeToString()
            == b"")  # in eager mode


# ---- Profiler ---------------------------------------------------------------

def test_write_profile(tmp_path: Path) -> None:
    from tensorflow.core.profiler import tfprof_log_pb2
    graph = _graph()
    run = _run(graph)
    for profiler in (_theirs(), tfprof):
        many = profiler.Profiler(graph)
        many.add_step(2, run)
        for name in (str(tmp_path / "text"), bytes(tmp_path / "bytes")):
            many._write_profile(name)
        # TensorFlow writes maps in any order.
        kept = many.serialize_to_string()
        for path in tmp_path.iterdir():
            data = path.read_bytes()
            assert len(data) == len(kept)
            assert (tfprof_log_pb2.ProfileProto.FromString(data)
                    == tfprof_log_pb2.ProfileProto.FromString(kept))
            path.unlink()
        del many
    with pytest.raises(FileNotFoundError):
        tfprof.Profiler(graph)._write_profile(str(tmp_path / "no" / "folder"))


def test_advise_without_options_asks_all_checkers(
        capfd: pytest.CaptureFixture[str]) -> None:
    """TensorFlow has the default in its function, not in its method."""
    graph = _graph()
    run = _run(graph)
    reports = []
    for many in (tfprof.Profiler(graph), tfprof.model_analyzer.Profiler(graph)):
        many.add_step(0, run)
        found = many.advise()
        assert found == many.advise(tfprof.ALL_ADVICE)
        reports.append(found.SerializeToString())
    theirs = _theirs().advise(graph, run).SerializeToString()
    kind = dropin_compare._descriptor("AdviceProto")
    there, here, older = (dropin_compare.decode(data, kind)
                          for data in (theirs, *reports))
    for message in (there, here, older):
        dropin_compare.without_nodes(message)
    assert here == older == there
    assert len(here["checkers"]) >= 3


# ---- Options ----------------------------------------------------------------

@pytest.mark.parametrize("cmd", ["scope", "graph", "op", "code"])
def test_empty_output_is_stdout(cmd: str,
                                capfd: pytest.CaptureFixture[str]) -> None:
    graph = _graph()
    run = _run(graph)
    options = {**B.float_operation(), "output": ""}
    _theirs().profile(graph, run, None, cmd, options)
    ctypes.CDLL(None).fflush(None)
    theirs = judge._body(capfd.readouterr().out)
    tfprof.profile(graph, run, None, cmd, options)
    ours = capfd.readouterr().out
    assert "float_ops" in ours
    assert ours == theirs
