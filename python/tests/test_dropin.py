"""The package in the place of tf.compat.v1.profiler: the same program text,
run with each of them, shows the same.

Printed text is compared to the byte from the legend on, messages field by
field, files as what they are. Where tfprof decides otherwise on purpose, the
test says so and counts it.
"""

import os
import pathlib
import pickle
import subprocess
import sys

import dropin_compare
import pytest
from files import needs_tensorflow

pytestmark = needs_tensorflow

HERE = pathlib.Path(__file__).parent
PROGRAMS = sorted(path.stem for path in (HERE / "dropin").glob("*.py"))


def _start(*words):
    return subprocess.Popen(
        [sys.executable, HERE / "dropin_run.py", *map(os.fspath, words)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3",
             "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": ""})


def _finish(process):
    _, err = process.communicate(timeout=900)
    assert process.returncode == 0, err.decode(errors="replace")[-3000:]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    _finish(_start("record", folder))
    return folder


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_shows_the_same(name, runs, tmp_path, say):
    program = HERE / "dropin" / f"{name}.py"
    sides = {}
    for which in ("tensorflow", "tfprof"):
        sides[which] = _start(which, program, runs, tmp_path / which)
    for which, process in sides.items():
        _finish(process)
        with open(tmp_path / which, "rb") as file:
            sides[which] = pickle.load(file)
    with open(runs / "later", "rb") as file:
        later = pickle.load(file)
    found = dropin_compare.compare(sides["tensorflow"], sides["tfprof"], later)
    for line in found.lines():
        say(f"{name}: {line}")
    assert not found.differences, found.told()
