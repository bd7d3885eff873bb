#!/usr/bin/env python3
"""How much faster tfprof.profile() is than TensorFlow's own, on one set of
bytes in one process.

    python_speed.py FOLDER [RUNS]

FOLDER has graph.pb, run_meta and op_log, as bench/gen_large.py makes them.
Each run asks both, one after the other; the medians are compared.
"""

import contextlib
import ctypes
import io
import os
import pathlib
import statistics
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from tensorflow.core.profiler import tfprof_options_pb2  # noqa: E402
from tensorflow.python.util import _pywrap_tfprof  # noqa: E402

import tfprof  # noqa: E402

OPTIONS = tfprof.ProfileOptionBuilder(
    tfprof.ProfileOptionBuilder.time_and_memory()).with_max_depth(4).build()


@contextlib.contextmanager
def quiet():
    """C's stdout goes nowhere."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ask_tensorflow(inputs, view):
    options = tfprof_options_pb2.OptionsProto(**OPTIONS).SerializeToString()
    with quiet():
        return seconds(lambda: _pywrap_tfprof.PrintModelAnalysis(
            *inputs, view.encode(), options))


def ask_tfprof(inputs, view):
    graph, run_meta, op_log = inputs
    with contextlib.redirect_stdout(io.StringIO()):
        return seconds(lambda: tfprof.profile(
            graph, run_meta, op_log, cmd=view, options=OPTIONS))


def main():
    folder = pathlib.Path(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    inputs = [(folder / name).read_bytes()
              for name in ("graph.pb", "run_meta", "op_log")]
    for view in ("scope", "graph", "op", "code"):
        theirs, ours = [], []
        for _ in range(runs):
            ours.append(ask_tfprof(inputs, view))
            theirs.append(ask_tensorflow(inputs, view))
        there, here = statistics.median(theirs), statistics.median(ours)
        print(f"{view}: {there:.2f} s there, {here:.3f} s here, "
              f"{there / here:.0f} times", flush=True)


if __name__ == "__main__":
    main()
