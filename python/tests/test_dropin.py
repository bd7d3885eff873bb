"""The package in the place of tf.compat.v1.profiler: the same program text,
run with each of them, shows the same.

Printed text is compared to the byte from the legend on, messages field by
field, files as what they are. Where tfprof decides otherwise on purpose, the
test says so and counts it.
"""

from __future__ import annotations

import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import dropin_compare
import judge
import program
import pytest
from files import needs_tensorflow

import tfprof

pytestmark = needs_tensorflow

HERE = pathlib.Path(__file__).parent
PROGRAMS = sorted(path.stem for path in (HERE / "dropin").glob("*.py"))


def _start(*words: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, HERE / "dropin_run.py", *map(os.fspath, words)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3",
             "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": ""})


def _finish(process: subprocess.Popen[bytes]) -> None:
    _, err = process.communicate(timeout=1500)
    assert process.returncode == 0, err.decode(errors="replace")[-3000:]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("runs")
    _finish(_start("record", folder))
    return folder


def _shown(name: str, runs: pathlib.Path,
           folder: pathlib.Path) -> tuple[list[Any], list[Any]]:
    """What TensorFlow showed and what tfprof showed."""
    text = HERE / "dropin" / f"{name}.py"
    found = []
    for which in ("tensorflow", "tfprof"):
        _finish(_start(which, text, runs, folder / which))
        with open(folder / which, "rb") as file:
            found.append(pickle.load(file))
    return found[0], found[1]


def _read_by_the_other(theirs: list[Any], ours: list[Any],
                       folder: pathlib.Path) -> int:
    """Profiles that one has written, as the other reads them: both show the
    same rows. How many there were."""
    options = {**tfprof.ProfileOptionBuilder.time_and_memory(),
               "output": "stdout"}
    count = 0
    for i, (there, here) in enumerate(zip(theirs, ours)):
        if there[2] != "bytes":
            continue
        for side, one in (("there", there), ("here", here)):
            path = folder / f"{side}{i}.profile"
            path.write_bytes(one[3])
            with judge.Judge() as wheel, wheel.opened({"profile": str(path)}):
                for view in ("scope", "graph", "op", "code"):
                    answer = wheel.ask(view, dict(options))["text"]
                    done = program.run(
                        view, "--profile_path", path, "-formulas", "none",
                        "-max_depth", "10000", "-min_bytes", "1",
                        "-min_micros", "1", "-order_by", "micros",
                        "-account_displayed_op_only", "-select",
                        "micros,bytes")
                    assert done.stdout.decode() == answer, (there[0], view)
                    count += 1
    return count


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_shows_the_same(name: str, runs: pathlib.Path,
                                  tmp_path: pathlib.Path,
                                  say: Callable[[str], None]) -> None:
    theirs, ours = _shown(name, runs, tmp_path)
    with open(runs / "later", "rb") as file:
        later = pickle.load(file)
    found = dropin_compare.compare(theirs, ours, later)
    for line in found.lines():
        say(f"{name}: {line}")
    assert found.calls > 0
    assert not found.differences, found.told()
    if name == "steps":
        count = _read_by_the_other(theirs, ours, tmp_path)
        say(f"{name}: {count} views of profiles of the other side")
        assert count > 0
