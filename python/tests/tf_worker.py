"""A process that has imported TensorFlow, which takes seconds, and calls
main() of a module in a child of its own for each request.

    tf_worker.py MODULE

Worker is the side of the tests. Requests and replies are lines of JSON: the
words that main() is given; what it raised or how it died, or null.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Worker:
    """Use it in a `with`."""

    def __init__(self, module: str, **environment: str) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, __file__, module], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self._log, text=True,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3",
                 "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": "",
                 **environment})

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        self._log.close()

    def call(self, *words: str | Path) -> None:
        assert self._process.stdin and self._process.stdout
        print(json.dumps([*map(str, words)]), file=self._process.stdin,
              flush=True)
        line = self._process.stdout.readline()
        wrong = json.loads(line) if line else "the worker is gone"
        if wrong:
            self._log.seek(0)
            told = self._log.read().decode(errors="replace")[-3000:]
            raise AssertionError(f"{' '.join(map(str, words))}: {wrong}\n"
                                 f"{told}")


# ---- The other side ---------------------------------------------------------

def _in_a_child(work: Callable[..., Any], words: list[str]) -> str | None:
    child = os.fork()
    if not child:
        try:
            work(*words)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return f"exit code {code}" if code else None


def _serve(module: str) -> None:
    # What a child prints, or does not read, is no part of the talk.
    requests = os.fdopen(os.dup(0), "r")
    replies = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    work = importlib.import_module(module).main
    for line in requests:
        print(json.dumps(_in_a_child(work, json.loads(line))), file=replies,
              flush=True)


if __name__ == "__main__":
    _serve(sys.argv[1])
