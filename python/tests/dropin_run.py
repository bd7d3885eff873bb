"""Runs a program with one of the two profilers, and notes what came of it.
tf_worker.py calls main() with one of

    record FOLDER
    tensorflow|tfprof PROGRAM FOLDER OUTPUT

A program imports what it needs from dropin_names.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import pickle
import runpy
import sys
import types
from typing import Any

import dropin_models
import dropin_names


class Notes:
    """What a program showed: [(label, text, kind, bytes, files), ...]."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.shown: list[Any] = []
        self.answer: bytes | None = None  # what TensorFlow's library gave last
        self._out = os.memfd_create("stdout")
        os.dup2(self._out, 1)

    def _printed(self) -> str:
        sys.stdout.flush()
        ctypes.CDLL(None).fflush(None)
        os.lseek(self._out, 0, os.SEEK_SET)
        text = b"".join(iter(lambda: os.read(self._out, 1 << 20), b""))
        os.ftruncate(self._out, 0)
        os.lseek(self._out, 0, os.SEEK_SET)
        return text.decode("utf-8", "surrogateescape")

    def _written(self) -> dict[str, bytes]:
        found = {}
        for path in glob.glob(os.path.join(self.folder, "*")):
            with open(path, "rb") as file:
                found[os.path.basename(path)] = file.read()
            os.unlink(path)
        return found

    def show(self, label: str, result: Any) -> None:
        data = result
        if hasattr(result, "SerializeToString"):
            # TensorFlow does not parse its own when it is nested deeper than
            # 100 times, and says so in a line on stderr.
            data = (self.answer if self.answer is not None
                    else result.SerializeToString())
        elif isinstance(result, BaseException):
            data = [kind.__name__ for kind in type(result).__mro__]
        self.answer = None
        self.shown.append((label, self._printed(), type(result).__name__,
                           data, self._written()))


def watch_tensorflow(notes: Notes) -> None:
    """Keeps the bytes that its library gives to its Python."""
    from tensorflow.python.profiler import model_analyzer

    library = model_analyzer.print_mdl

    def kept(function: Any) -> Any:
        def call(*args: Any) -> Any:
            notes.answer = function(*args)
            return notes.answer
        return call

    model_analyzer.print_mdl = types.SimpleNamespace(**{
        name: kept(function) if name in ("PrintModelAnalysis", "Profile")
        else function for name, function in vars(library).items()})


def run(which: str, program: str, folder: str, output: str) -> None:
    tf: Any = sys.modules["tensorflow"]
    place = output + ".files"
    os.makedirs(place, exist_ok=True)
    notes = Notes(place)
    profiler: Any
    if which == "tensorflow":
        profiler = tf.compat.v1.profiler
        watch_tensorflow(notes)
    else:
        import tfprof as profiler

    def run_meta(name: str) -> Any:
        with open(os.path.join(folder, name), "rb") as file:
            return tf.compat.v1.RunMetadata.FromString(file.read())

    dropin_names.profiler, dropin_names.tf = profiler, tf
    dropin_names.graph = functools.cache(
        lambda name: dropin_models.build(name)[0])
    dropin_names.run_meta, dropin_names.show = run_meta, notes.show
    dropin_names.path = functools.partial(os.path.join, place)
    runpy.run_path(program, run_name="__main__")
    with open(output, "wb") as file:
        pickle.dump(notes.shown, file)


def main(which: str, *words: str) -> None:
    if which != "record":
        run(which, *words)
        return
    folder, = words
    for name in dropin_models.MODELS:
        dropin_models.record(name, folder)
    with open(os.path.join(folder, "later"), "wb") as file:
        pickle.dump({name: dropin_models.inputs_from_later_outputs(name)
                     for name in dropin_models.MODELS}, file)
