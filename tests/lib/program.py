"""Runs the program under test."""

import json
import os
import pathlib
import random
import subprocess

TFPROF = os.environ.get("TFPROF", "tfprof")
SOURCE_DIR = pathlib.Path(
    os.environ.get("TFPROF_SOURCE_DIR")
    or pathlib.Path(__file__).resolve().parents[2])
DATA_DIR = SOURCE_DIR / "tests" / "data"
TABLES = SOURCE_DIR / "tests" / "tables"  # of cases, read by tests


def run(*args, **kwargs):
    """The finished process, its output in bytes."""
    return subprocess.run([TFPROF, *map(os.fspath, args)],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, **kwargs)


class Info:
    """What `tfprof info --format json` answered."""

    def __init__(self, *args):
        done = run("info", "--format", "json", *args)
        self.exit = done.returncode
        self.stderr = done.stderr.decode(errors="replace")
        assert self.exit in (0, 1, 3), (args, self.exit, self.stderr)
        self.json = json.loads(done.stdout)
        self.files = self.json["files"]

    @property
    def file(self):
        assert len(self.files) == 1
        return self.files[0]


def info_as(option, paths, *args):
    """`info` on many inputs, each given by the same option."""
    return Info(*args, *(a for path in paths for a in (f"--{option}", path)))


BATCH = 200


def batches(items):
    """Pieces of a list that are fit for one call of info_as()."""
    return (items[i:i + BATCH] for i in range(0, len(items), BATCH))


def chooser(name):
    """Random choices, the same in every run; TFPROF_TEST_SEED gives others."""
    return random.Random(name + os.environ.get("TFPROF_TEST_SEED", ""))
