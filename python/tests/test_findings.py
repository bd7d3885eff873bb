"""Findings one by one have the values of the JSON answer."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tfprof
from tfprof import _native
from tfprof._extension import ffi, lib

TFPROF = os.environ.get("TFPROF", "tfprof")
DATA = Path(os.environ["TFPROF_SOURCE_DIR"]) / "tests" / "data"
SHARED = Path(os.environ.get("TFPROF_SHARED") or "/nonexistent")
MODELS = ("bert", "cifar", "lm", "multi", "resnet", "v2func")


def kept(paths: list[Path]) -> Iterator[Any]:
    handle = _native.Handle()
    for path in paths:
        handle.add_path(path)
    found = ffi.new("tfprof_advice **")
    handle._call(lib.tfprof_profile_advise, found)
    handle.close()
    try:
        for i in range(lib.tfprof_advice_count(found[0])):
            finding = ffi.new("tfprof_finding *")
            assert lib.tfprof_advice_at(found[0], i, finding) == lib.TFPROF_OK
            yield finding
    finally:
        lib.tfprof_advice_free(found[0])


def told(paths: list[Path]) -> Iterator[tuple[str, int, Any]]:
    done = subprocess.run([TFPROF, "advise", "--format", "json", *paths],
                          capture_output=True, check=True)
    for checker in json.loads(done.stdout)["checkers"]:
        for report in checker["reports"]:
            for rank, finding in enumerate(report, 1):
                yield checker["name"], rank, finding


def compare(paths: list[Path]) -> int:
    count = 0
    for finding, expectation in itertools.zip_longest(kept(paths), told(paths)):
        assert finding and expectation, "one has more findings"
        checker, rank, expected = expectation
        where = expected["where"]
        assert {
            "checker": _native._text(finding.checker),
            "kind": _native._text(finding.kind),
            "line": _native.text(finding.report),
            "name": _native.text(finding.name),
            "node": _native.text(finding.node) or None,
            "file": _native.text(finding.file) or None,
            "number": finding.line or None,
            "nodes": finding.nodes,
            "try": _native.text(finding.hint) or None,
            "rank": finding.rank,
        } == {
            "checker": checker,
            "kind": expected["kind"],
            "line": expected["line"],
            "name": expected.get("name") or "",
            "node": where["node"],
            "file": where["file"],
            "number": where["line"],
            "nodes": where["nodes"],
            "try": expected["try"],
            "rank": rank,
        }
        for cost in ("micros", "cpu_micros", "accelerator_micros",
                     "whole_micros"):
            if cost in expected:
                assert getattr(finding, cost) == round(expected[cost])
        for number, missing in (("count", 0), ("whole_count", 0),
                                ("bytes", -1), ("launch_micros", -1)):
            value = expected.get(number)
            assert getattr(finding, number) == (
                missing if value is None else round(value))
        count += 1
    return count


def test_findings_in_the_small_files() -> None:
    paths = [DATA / name for name in ("graph.pb", "run_meta", "op_log")]
    assert compare(paths) > 0


def test_findings_in_a_trace() -> None:
    path = DATA / "traces" / "keras315_tf221_callback.xplane.pb"
    assert compare([path]) > 0
    found = [f for f in tfprof.open(path).advise()
             if f.checker == "InputBoundChecker"]
    assert [(f.kind, f.count, f.whole_count) for f in found] == [
        ("input_bound", 6, 11)]


def test_a_trace_in_memory_has_the_checkers_of_sums() -> None:
    path = DATA / "traces" / "keras315_tf221_callback.xplane.pb"
    profile = tfprof.open(path.read_bytes())
    checkers = {f.checker for f in profile.advise()}
    assert checkers == {"ExpensiveOperationChecker"}
    assert any(note.endswith("trace checkers are skipped")
               for note in profile.remarks)
    with pytest.raises(tfprof.Error, match="can be read only once"):
        profile.advise(checkers="InputBoundChecker")


@pytest.mark.skipif(not (SHARED / "golden" / "inputs").is_dir(),
                    reason="needs the folder of larger files; TFPROF_SHARED "
                           "does not name one")
@pytest.mark.parametrize("model", MODELS)
def test_findings_in_a_real_model(model: str) -> None:
    folder = SHARED / "golden" / "inputs"
    assert compare([folder / f"{model}{rest}" for rest in
                    (".pb", "_run_meta_0", "_run_meta_1", "_oplog")]) > 5
    assert compare([folder / f"{model}.profile"]) > 5
