"""The tables of operations, against TensorFlow's registry."""

# labels: tf

import collections
import os
import pathlib
import subprocess

import pytest

import shape_judge

pytestmark = pytest.mark.recorded


def _dump_program():
    return os.environ.get("TFPROF_OP_DUMP") or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / "op_dump")


def _table():
    text = subprocess.run([_dump_program()], check=True, text=True,
                          capture_output=True).stdout
    return [tuple(line.split("\t")) for line in text.splitlines()]


def test_every_operation_is_in_one_table():
    twice = [name for name, count in collections.Counter(
        name for name, _ in _table()).items() if count > 1]
    assert not twice


def test_outputs_are_those_of_the_registry(say):
    registry = shape_judge.ports()
    wrong = []
    for name, ports in _table():
        if name not in registry:
            wrong.append(f"{name}: TensorFlow has none")
        elif ports != registry[name]:
            wrong.append(f"{name}: {ports}, TensorFlow {registry[name]}")
    say(f"{len(_table())} operations")
    assert not wrong, "\n".join(wrong)
