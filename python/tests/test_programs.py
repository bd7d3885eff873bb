"""Programs of users, as nearly as they were written for TensorFlow 1, run once
with TensorFlow's profiler and once with the package in its place.

Both must print, return and write the same, and the program must go on to say
the same. docs/python.md has what they need to switch.
"""

# labels: long

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dropin_compare
import pytest
import tf_worker
from files import needs_tensorflow

pytestmark = [pytest.mark.live, needs_tensorflow]

HERE = Path(__file__).parent
SAID = "said"  # what a program printed by itself: see programs_run.py
# What tfprof decides otherwise, as the comparison tells it: a second output has
# the shape of the second, and a log that a program gives stays as it is, where
# TensorFlow adds to it with every call.
OUTPUT, LOG = "output", "log"
DECIDED = {
    OUTPUT: r"\.input_shapes\[0\]\.value\.dim: \[\{'size': 2\}\] there, "
            r"\[\{'size': 2\}, \{'size': 10\}\] here$",
    LOG: r"\.types: \[b'pool_logit'(, b'_trainable_variables')+\] there, "
         r"\[b'pool_logit', b'_trainable_variables'\] here$",
}
# Program, calls of the profiler in it, and how often it meets a decision.
PROGRAMS: dict[str, tuple[int, dict[str, int]]] = {
    "architecture": (2, {OUTPUT: 1}),
    "code_view": (7, {OUTPUT: 2}),
    "mobilenet": (2, {}),
    "option_builder": (3, {}),
    "print_model_analysis": (6, {OUTPUT: 1, LOG: 4}),
}


@pytest.fixture(scope="module", name="worker")
def start_worker() -> Iterator[tf_worker.Worker]:
    with tf_worker.Worker("programs_run", TF_USE_LEGACY_KERAS="1") as worker:
        yield worker


def _run(worker: tf_worker.Worker, which: str, program: str,
         folder: Path) -> Any:
    output = folder / which
    worker.call(which, HERE / "programs" / f"{program}.py", folder, output)
    return pickle.loads(output.read_bytes())


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_runs_the_same_with_either_profiler(
        program: str, worker: tf_worker.Worker,
        tmp_path: Path) -> None:
    theirs = _run(worker, "tensorflow", program, tmp_path)
    ours = _run(worker, "tfprof", program, tmp_path)
    assert _said(ours) == _said(theirs)
    found = dropin_compare.compare(_calls(theirs), _calls(ours), {})
    calls, decisions = PROGRAMS[program]
    assert found.calls == calls
    assert _decided(found) == decisions
    assert not found.differences, found.told()


def _decided(found: Any) -> dict[str, int]:
    """Takes the differences out that are meant, and counts them."""
    counts: dict[str, int] = {}
    for name, pattern in DECIDED.items():
        meant = [one for one in found.differences if re.search(pattern, one)]
        found.differences = [one for one in found.differences
                             if one not in meant]
        if meant:
            counts[name] = len(meant)
    return counts


def _said(shown: Any) -> str:
    return "".join(one[1] for one in shown if one[0] == SAID)


def _calls(shown: Any) -> Any:
    return [one for one in shown if one[0] != SAID]


def test_every_program_is_run() -> None:
    there = {path.stem for path in (HERE / "programs").glob("*.py")}
    assert there == {*PROGRAMS, "resnet_model"}
