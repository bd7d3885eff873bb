"""p.summary(): what `tfprof summary` prints, as an object."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from inputs import DATA, GRAPH, LOG, RUN, command_line

import tfprof
from tfprof import _notebook

TRACES = sorted((DATA / "traces").glob("*.xplane.pb"))
INPUTS: list[list[Path]] = [
    [GRAPH, RUN, LOG], [GRAPH], [DATA / "profile"], [DATA / "functions.pb"],
    *([path] for path in TRACES)]


def without_memory(text: str) -> list[str]:
    return [line for line in text.splitlines()
            if not line.startswith("peak memory")]


@pytest.mark.parametrize("files", INPUTS, ids=lambda files: files[0].name)
def test_it_prints_what_the_command_prints(files: list[Path]) -> None:
    found = tfprof.open(*files).summary()
    told = command_line("summary", "-q", *files, "--format=json")
    text = command_line("summary", "-q", *files)
    if RUN in files:  # as in p.memory(), it is estimated from them
        assert without_memory(f"{found}\n") == without_memory(text)
        assert {**found.to_dict(), "memory": None} == {
            **json.loads(told), "memory": None}
        return
    assert f"{found}\n" == text
    assert found.to_json() == told


@pytest.mark.parametrize("files", INPUTS, ids=lambda files: files[0].name)
def test_its_attributes_are_those_of_JSON(files: list[Path]) -> None:
    found = tfprof.open(*files).summary()
    told = json.loads(command_line("summary", "-q", *files, "--format=json"))
    told["memory"] = found.to_dict()["memory"]
    assert found.to_dict() == told
    same = ("params", "params_estimated", "float_ops", "counted_nodes",
            "compute_nodes", "steps", "wall_micros", "parallelism", "next")
    assert {key: getattr(found, key) for key in same} == {
        key: told[key] for key in same}
    assert found.inputs == {one["kind"]: one["count"] for one in told["inputs"]}
    assert [tuple(one) for one in found.devices] == [
        (one["device"], one["busy_micros"], one["idle_micros"])
        for one in told["devices"]]
    for key in ("scopes", "op_types", "lines"):
        costs = getattr(found, key)
        assert [{"name": one.name, one.metric: one.value, "share": one.share}
                for one in costs] == told[key]
    for mine, other in ((found.input_wait, told["input_wait"]),
                        (found.memory, told["memory"]),
                        (found.advice, told["advice"])):
        assert (list(other.values()) if other else None) == (
            list(mine) if mine else None)
    # Every key is an attribute.
    attributes = {"advice", "devices", "inputs", "input_wait", "memory",
                  "scopes", "op_types", "lines", *same}
    assert set(told) == attributes


def test_a_trace_that_waits_for_input_says_so() -> None:
    found = tfprof.open(
        DATA / "traces" / "keras315_tf221_callback.xplane.pb").summary()
    waits = [one for one in tfprof.open(
        DATA / "traces" / "keras315_tf221_callback.xplane.pb").advise()
        if one.kind == "input_bound"]
    assert bool(waits) == (found.input_wait is not None)
    if found.input_wait:
        assert found.input_wait.waiting_steps == waits[0].count
        assert found.input_wait.hint == waits[0].hint


def test_options_and_remarks() -> None:
    profile = tfprof.open(GRAPH, RUN)
    assert str(profile.summary(width=40)) != str(profile.summary())
    with pytest.raises(tfprof.OptionError, match="did you mean width"):
        profile.summary(widht=40)  # type: ignore[call-arg]
    with pytest.raises(tfprof.OptionError, match="use to_json"):
        profile.summary(format="json")  # type: ignore[call-arg]


def test_the_next_commands_name_the_inputs(tmp_path: Path) -> None:
    odd = tmp_path / "a 'b' $c"
    odd.symlink_to(GRAPH)
    found = tfprof.open(graph=odd, run_meta={7: RUN}, op_log=[LOG]).summary()
    assert len(found.next) == 3
    for command in found.next:
        assert command.startswith("tfprof ")
        program = os.environ["TFPROF"]
        done = subprocess.run(
            ["sh", "-c", f'tfprof() {{ "{program}" "$@"; }}; {command}'],
            cwd=tmp_path, capture_output=True)
        assert done.returncode == 0, (command, done.stderr)
    # Bytes have no name that a command could read.
    for thing in (GRAPH.read_bytes(), GRAPH.open("rb")):
        with_bytes = tfprof.open(thing).summary()
        assert not any(one.startswith("tfprof ") for one in with_bytes.next)


def test_it_is_closed_with_its_profile() -> None:
    profile = tfprof.open(GRAPH)
    found = profile.summary()
    profile.close()
    assert "read " in str(found)
    with pytest.raises(ValueError, match="closed"):
        profile.summary()


# ---- In notebooks -----------------------------------------------------------

def test_a_notebook_draws_it() -> None:
    found = tfprof.open(GRAPH, RUN).summary()
    body = found._repr_html_()
    assert f"{found.params:,}" in body and "<iframe" not in body
    for cost in (*found.scopes, *found.op_types):
        assert f"<td>{cost.name}</td>" in body
    assert repr(found) == ("<tfprof.Summary of 2 files (GraphDef, "
                           "RunMetadata), 1 step>")


@pytest.mark.parametrize("name", ["steps", "kernels", "memory", "devices"])
def test_a_notebook_draws_tables(name: str) -> None:
    path = DATA / "traces" / "gen_jax-gpu.xplane.pb"
    table: Any = getattr(tfprof.open(path), name)()
    body = table._repr_html_()
    assert len(table) > 0
    assert body.count("<tr>") == min(len(table), _notebook.SHOWN) + 1
    more = len(table) - _notebook.SHOWN
    assert (f"and {more:,} more" in body) == (more > 0)
    for key in table[0]:
        shown = any(row[key] is not None for row in table)
        assert (f">{key}</th>" in body) == shown


def test_names_in_a_drawn_table_are_text() -> None:
    name = b"<img src=x>"
    node = b"\x0a" + bytes([len(name)]) + name + b"\x12\x08Variable"
    found = tfprof.open(graph=b"\x0a" + bytes([len(node)]) + node).summary()
    assert "<img" not in found._repr_html_()
