"""Inputs that the tests of the package share."""

from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

SOURCE_DIR = Path(os.environ["TFPROF_SOURCE_DIR"])
DATA = SOURCE_DIR / "tests" / "data"
GRAPH, RUN, LOG = DATA / "graph.pb", DATA / "run_meta", DATA / "op_log"


def write_runs(folder: Path, times: Iterable[int]) -> Path:
    """A run for each time: a RunMetadata of one operation."""
    compared_files = importlib.import_module("compared_files")  # of tests/lib
    for number, time in enumerate(times):
        compared_files.step_file(folder / f"run_{number:02}" / "step", op=time)
    return folder


def command_line(*args: str | os.PathLike[str]) -> str:
    """What the program prints; it must succeed."""
    done = subprocess.run([os.environ["TFPROF"], *args],
                          capture_output=True, check=True)
    return done.stdout.decode()
