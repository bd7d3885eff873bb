"""Statements of the specification about Python that no other test shows.

tests/specification.tsv names the test of each statement.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from inputs import GRAPH, LOG, RUN, command_line

import tfprof
from tfprof.contrib import model_analyzer

B = tfprof.ProfileOptionBuilder
VIEWS = ["scope", "graph", "op", "code"]


def _ask(view: str, options: dict[str, Any]) -> Any:
    return tfprof.profile(GRAPH, RUN, LOG, view, options)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("output", ["stdout", "none", "file", "pprof"])
def test_the_result_is_returned_whatever_the_output(
        view: str, output: str, tmp_path: Path,
        capfd: pytest.CaptureFixture[str]) -> None:
    want = _ask(view, B(B.time_and_memory()).with_empty_output().build())
    assert capfd.readouterr().out == ""
    builder = B(B.time_and_memory())
    path = tmp_path / "out"
    if output == "stdout":
        builder.with_stdout_output()
    elif output == "none":
        builder.with_empty_output()
    elif output == "file":
        builder.with_file_output(str(path))
    else:
        builder.with_pprof_output(str(path))
    got = _ask(view, builder.build())
    assert got == want and got.total_exec_micros > 0
    printed = capfd.readouterr().out
    assert bool(printed) == (output == "stdout")
    assert path.exists() == (output in ("file", "pprof"))
    if output == "file":
        assert path.read_text().startswith("node name | ")
    if output == "pprof":
        assert gzip.decompress(path.read_bytes())


def test_the_default_output_is_printed(
        capfd: pytest.CaptureFixture[str]) -> None:
    _ask("scope", {"select": ["micros"]})
    assert capfd.readouterr().out.startswith("node name | ")


@pytest.mark.parametrize("view", ["scope", "graph", "code"])
def test_options_may_ask_for_a_timeline(view: str, tmp_path: Path) -> None:
    options = model_analyzer.PRINT_ALL_TIMING_MEMORY.copy()
    options["output"] = f"timeline:outfile={tmp_path / 'line.json'}"
    model_analyzer.print_model_analysis(GRAPH, RUN, LOG, tfprof_cmd=view,
                                        tfprof_options=options)
    found = json.loads((tmp_path / "line.json").read_text())
    assert any(event["ph"] == "X" for event in found["traceEvents"])


@pytest.mark.parametrize("view, kind", [
    ("scope", tfprof.GraphNodeProto), ("graph", tfprof.GraphNodeProto),
    ("op", tfprof.MultiGraphNodeProto), ("code", tfprof.MultiGraphNodeProto)])
def test_a_view_returns_its_message(view: str, kind: type) -> None:
    assert type(_ask(view, {"output": "none"})) is kind


def test_the_default_is_by_graph_node() -> None:
    options = {**model_analyzer.PRINT_ALL_TIMING_MEMORY, "output": "none"}
    found = model_analyzer.print_model_analysis(
        GRAPH, RUN, LOG, tfprof_options=options)
    assert found == model_analyzer.print_model_analysis(
        GRAPH, RUN, LOG, tfprof_cmd="scope", tfprof_options=options)


def test_ready_made_options_may_be_changed(
        capfd: pytest.CaptureFixture[str]) -> None:
    options = model_analyzer.PRINT_ALL_TIMING_MEMORY.copy()
    options["max_depth"] = 2
    options["account_displayed_op_only"] = False
    model_analyzer.print_model_analysis(GRAPH, RUN, LOG, tfprof_options=options)
    assert capfd.readouterr().out == command_line(
        "scope", GRAPH, RUN, LOG, "-max_depth", "2", "-min_bytes", "1",
        "-min_micros", "1", "-select", "micros,bytes")


def test_time_and_memory_takes_each_minimum_by_name() -> None:
    names = ("min_micros", "min_bytes", "min_accelerator_micros",
             "min_cpu_micros", "min_peak_bytes", "min_residual_bytes",
             "min_output_bytes")
    usual = B.time_and_memory()
    assert [usual[name] for name in names] == [1, 1, 0, 0, 0, 0, 0]
    for name in names:
        assert B.time_and_memory(**{name: 77}) == {**usual, name: 77}


def test_a_builder_starts_from_a_dict_and_leaves_it() -> None:
    start = B.float_operation()
    before = {**start}
    made = B(start).with_max_depth(3).build()
    assert start == before
    assert made == {**start, "max_depth": 3}


def test_no_run_metadata_may_be_given(
        capfd: pytest.CaptureFixture[str]) -> None:
    for run in (None, b""):
        tfprof.profile(GRAPH, run, LOG, "op", B.float_operation())
    first, second = capfd.readouterr().out.split("node name | ")[1:]
    assert first == second


def test_a_step_is_the_one_that_was_added() -> None:
    def micros(step: int) -> int:
        profiler = tfprof.Profiler(GRAPH)
        profiler.add_step(7, RUN)
        for _ in range(2):  # two runs of one step
            profiler.add_step(9, RUN)
        options = B(B.time_and_memory()).with_step(step).with_empty_output()
        found: int = profiler.profile_name_scope(
            options.build()).total_exec_micros
        return found

    assert 0 < micros(7) < micros(9)


@pytest.mark.parametrize("flag", [True, False])
def test_only_what_is_displayed_may_count(flag: bool) -> None:
    options = (B(B.time_and_memory(min_micros=0, min_bytes=0))
               .with_node_names(hide_name_regexes=[".*MatMul.*"])
               .account_displayed_op_only(flag).with_empty_output().build())
    every = _ask("scope", B(B.time_and_memory(min_micros=0, min_bytes=0))
                 .with_empty_output().build())
    found = _ask("scope", options)
    assert (found.total_exec_micros < every.total_exec_micros) == flag
