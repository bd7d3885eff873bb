"""Inputs that the tests of the package share."""

from __future__ import annotations

import os
import pathlib
import subprocess

SOURCE_DIR = pathlib.Path(os.environ["TFPROF_SOURCE_DIR"])
DATA = SOURCE_DIR / "tests" / "data"
GRAPH, RUN, LOG = DATA / "graph.pb", DATA / "run_meta", DATA / "op_log"


def command_line(*args: str | os.PathLike[str]) -> str:
    """What the program prints; it must succeed."""
    done = subprocess.run([os.environ["TFPROF"], *args],
                          capture_output=True, check=True)
    return done.stdout.decode()
