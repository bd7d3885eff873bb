"""Inputs that the tests of the package share."""

import os
import pathlib
import subprocess

SOURCE_DIR = pathlib.Path(os.environ["TFPROF_SOURCE_DIR"])
DATA = SOURCE_DIR / "tests" / "data"
GRAPH, RUN, LOG = DATA / "graph.pb", DATA / "run_meta", DATA / "op_log"


def command_line(*args):
    """What the program prints; it must succeed."""
    done = subprocess.run([os.environ["TFPROF"], *map(os.fspath, args)],
                          capture_output=True, check=True)
    return done.stdout.decode()
