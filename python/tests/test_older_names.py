"""The names that the profiler had before tf.profiler."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from typing import Any

import pytest
import recorded

import tfprof
from tfprof import model_analyzer
from tfprof.compat import v1

pytestmark = pytest.mark.recorded


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the functions behind the older names were called with."""
    found: list[Any] = []
    for name in ("profile", "advise"):
        monkeypatch.setattr(v1, name, lambda *words: found.append(words))
    return found


def test_modules_are_found_as_tf_contrib_tfprof_had_them() -> None:
    for name in ("model_analyzer", "tfprof_logger", "tfprof_log_pb2",
                 "tfprof_output_pb2"):
        assert isinstance(getattr(tfprof, name), types.ModuleType)
        assert name in dir(tfprof)


def test_messages_have_their_older_names() -> None:
    assert tfprof.TFProfNode is tfprof.GraphNodeProto
    output = tfprof.tfprof_output_pb2
    assert output.TFGraphNodeProto is tfprof.GraphNodeProto
    assert output.TFMultiGraphNodeProto is tfprof.MultiGraphNodeProto
    assert tfprof.tfprof_logger.OpLog is tfprof.OpLogProto
    log = tfprof.tfprof_log_pb2.OpLog()
    entry = log.log_entries.add()
    entry.name = "pool_logit/DW"
    entry.types.append("pool_logit")
    assert str(log) == ('log_entries {\n  name: "pool_logit/DW"\n'
                        '  types: "pool_logit"\n}\n')


def test_both_spellings_of_an_argument_are_taken(asked: list[Any]) -> None:
    graph, run, log, options = "g", "r", "l", {"max_depth": 3}
    model_analyzer.print_model_analysis(graph, run, log, "op", options)
    model_analyzer.print_model_analysis(graph, run_meta=run, op_log=log,
                                        tfprof_cmd="op",
                                        tfprof_options=options)
    model_analyzer.print_model_analysis(graph, run, log, cmd="op",
                                        options=options)
    assert asked == [(graph, run, log, "op", options)] * 3


def test_what_is_not_given_is_what_it_was(asked: list[Any]) -> None:
    model_analyzer.print_model_analysis("g")
    model_analyzer.advise("g")
    model_analyzer.advise("g", options={})
    assert asked == [
        ("g", None, None, "scope",
         model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS),
        ("g", None, model_analyzer.ALL_ADVICE), ("g", None, {})]


_KEPT = """
import json
from tensorflow.python.profiler.option_builder import ProfileOptionBuilder as B
print(json.dumps({
    "TRAINABLE_VARS_PARAMS_STAT_OPTIONS": B.trainable_variables_parameter(),
    "FLOAT_OPS_OPTIONS": B.float_operation(),
    "PRINT_ALL_TIMING_MEMORY": B.time_and_memory()}))
"""


def test_ready_made_options_ask_for_what_tensorflow_has_kept_of_them() -> None:
    def ask() -> Any:
        done = subprocess.run(
            [sys.executable, "-c", _KEPT], text=True, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return json.loads(done.stdout)

    kept = recorded.record("older_names", "tensorflow-cpu").answer(
        {"script": _KEPT}, ask)
    assert len(kept) == 3
    for name, theirs in kept.items():
        ours = getattr(model_analyzer, name)
        both = [key for key in ours if key in theirs]
        assert len(both) == len(ours) - 1  # all but dump_to_file
        changed = {key for key in both if ours[key] != theirs[key]}
        # Rows by time came later; before, they stood by name.
        assert changed <= {"order_by"}
