"""The package in the place of tf.compat.v1.profiler: the same program text,
run with each of them, shows the same.

Printed text is compared to the byte from the legend on, messages field by
field, files as what they are. Where tfprof decides otherwise on purpose, the
test says so and counts it.
"""

# labels: long

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dropin_compare
import judge
import program
import pytest
import tf_worker
from files import needs_tensorflow

import tfprof

pytestmark = [pytest.mark.live, needs_tensorflow]

HERE = Path(__file__).parent
PROGRAMS = sorted(path.stem for path in (HERE / "dropin").glob("*.py"))


@pytest.fixture(scope="module", name="worker")
def start_worker() -> Iterator[tf_worker.Worker]:
    with tf_worker.Worker("dropin_run") as worker:
        yield worker


@pytest.fixture(scope="module")
def runs(worker: tf_worker.Worker,
         tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    worker.call("record", folder)
    return folder


def _shown(worker: tf_worker.Worker, name: str, runs: Path,
           folder: Path) -> tuple[list[Any], list[Any]]:
    """What TensorFlow showed and what tfprof showed."""
    text = HERE / "dropin" / f"{name}.py"
    found = []
    for which in ("tensorflow", "tfprof"):
        worker.call(which, text, runs, folder / which)
        with open(folder / which, "rb") as file:
            found.append(pickle.load(file))
    return found[0], found[1]


def _read_by_the_other(theirs: list[Any], ours: list[Any], folder: Path) -> int:
    """Profiles that one has written, as the other reads them: both show the
    same rows. How many there were."""
    options = {**tfprof.ProfileOptionBuilder.time_and_memory(),
               "output": "stdout"}
    count = 0
    with judge.Judge() as wheel:
        for i, (there, here) in enumerate(zip(theirs, ours)):
            if there[2] != "bytes":
                continue
            for side, one in (("there", there), ("here", here)):
                path = folder / f"{side}{i}.profile"
                path.write_bytes(one[3])
                count += _same_views(wheel, path, options)
    return count


def _same_views(wheel: judge.Judge, path: Path, options: dict[str, Any]) -> int:
    views = ("scope", "graph", "op", "code")
    with wheel.opened({"profile": str(path)}):
        for view in views:
            answer = wheel.ask(view, dict(options))["text"]
            done = program.run(
                view, "--profile_path", path, "-formulas", "none",
                "-max_depth", "10000", "-min_bytes", "1", "-min_micros", "1",
                "-order_by", "micros", "-account_displayed_op_only",
                "-select", "micros,bytes")
            assert done.stdout.decode() == answer, (path.name, view)
    return len(views)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_shows_the_same(name: str, worker: tf_worker.Worker,
                                  runs: Path, tmp_path: Path,
                                  say: Callable[[str], None]) -> None:
    theirs, ours = _shown(worker, name, runs, tmp_path)
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
