"""Runs a program as it is written with one of the two profilers, and notes
what came of each call. tf_worker.py calls main() with

    tensorflow|tfprof PROGRAM FOLDER OUTPUT

Whoever runs first leaves the run metadata of the program's steps in FOLDER, and
the next is given the same: no two runs take the same time.
"""

from __future__ import annotations

import os
import pickle
import runpy
import sys
import types
from typing import Any

import dropin_run
import tensorflow.compat.v1 as tf

from tfprof import model_analyzer
from tfprof.compat import v1

_notes: Any = dropin_run
SAID = "said"  # what the program printed by itself


def _noted(notes: Any, function: Any) -> Any:
    def call(*words: Any, **named: Any) -> Any:
        notes.show(SAID, None)
        notes.answer = None
        result = function(*words, **named)
        notes.show(f"{len(notes.shown)} {function.__name__}", result)
        return result
    return call


def _repeat_runs(folder: str) -> None:
    """A step's record is that of the first time."""
    run = tf.Session.run
    seen: list[str] = []

    def recorded(self: Any, *words: Any, run_metadata: Any = None,
                 **named: Any) -> Any:
        result = run(self, *words, run_metadata=run_metadata, **named)
        if run_metadata is None:
            return result
        path = os.path.join(folder, f"run_meta_{len(seen)}")
        seen.append(path)
        if os.path.exists(path):
            with open(path, "rb") as file:
                run_metadata.ParseFromString(file.read())
        else:
            with open(path, "wb") as file:
                file.write(run_metadata.SerializeToString())
        return result

    tf.Session.run = recorded


def _tensorflow(notes: Any) -> Any:
    """TensorFlow's profiler, and what is gone from it in terms of what is
    left."""
    from tensorflow.core.profiler import tfprof_log_pb2
    from tensorflow.python.profiler import tfprof_logger

    _notes.watch_tensorflow(notes)
    tf.profiler.profile = _noted(notes, tf.profiler.profile)
    builder = tf.profiler.ProfileOptionBuilder
    builder.with_min_micros = (
        lambda self, micros: self.with_min_execution_time(min_micros=micros))
    builder.with_displaying_options = builder.with_node_names

    def analysis(graph: Any, run_meta: Any = None, op_log: Any = None,
                 tfprof_cmd: str = "scope", tfprof_options: Any = 0,
                 cmd: str | None = None, options: Any = None) -> Any:
        return tf.profiler.profile(graph, run_meta, op_log, cmd or tfprof_cmd,
                                   options or tfprof_options)

    named = {name: value for name, value in vars(model_analyzer).items()
             if name.isupper()}
    return types.SimpleNamespace(
        model_analyzer=types.SimpleNamespace(print_model_analysis=analysis,
                                             **named),
        tfprof_logger=types.SimpleNamespace(
            write_op_log=_noted(notes, tfprof_logger.write_op_log)),
        tfprof_log_pb2=types.SimpleNamespace(OpLog=tfprof_log_pb2.OpLogProto))


def _tfprof(notes: Any) -> Any:
    """The package itself; only its calls are noted."""
    for name in ("profile", "write_op_log"):
        setattr(v1, name, _noted(notes, getattr(v1, name)))
    import tfprof

    tf.profiler = tfprof
    return tfprof


def main(which: str, program: str, folder: str, output: str) -> None:
    place = f"{output}.files"
    os.makedirs(place, exist_ok=True)
    os.chdir(place)
    notes = _notes.Notes(place)
    _repeat_runs(folder)
    tf.contrib = types.SimpleNamespace(
        tfprof=(_tensorflow if which == "tensorflow" else _tfprof)(notes))
    sys.path.insert(0, os.path.dirname(program))
    runpy.run_path(program, run_name="__main__")
    notes.show(SAID, None)
    with open(output, "wb") as file:
        pickle.dump(notes.shown, file)
