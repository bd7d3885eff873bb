"""tfprof.trace(): records a trace of TensorFlow or JAX, and opens it.

The profiler of the framework does the work. A framework is imported only if
the program has already imported it, or names it.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import sys
import threading
import warnings
from contextlib import AbstractContextManager
from importlib import import_module
from operator import index
from typing import TYPE_CHECKING, Any, Literal

from tfprof import _graphs

if TYPE_CHECKING:
    from types import TracebackType

    from tfprof._profile import Profile

_FRAMEWORKS = ("tensorflow", "jax")
_SUFFIXES = (".xplane.pb", ".xplane.pb.gz")
_OP_LOG = "tfprof_log"  # next to the traces of a run; input/path uses it too

# Modification time, size and inode: they change when a file is rewritten.
_Stamp = tuple[int, int, int]
_Stamps = dict[str, _Stamp]

# Each framework has one profiler per process.
_starting = threading.Lock()
_active: Trace | None = None


# ---- Choosing the framework

def _is_imported(name: str) -> bool:
    return sys.modules.get(name) is not None


def _keras_backend() -> str | None:
    """The backend of Keras; None if the program does not use Keras."""
    keras = sys.modules.get("keras")
    for holder in ("config", "backend"):  # Keras 3; Keras 2 uses the second
        function = getattr(getattr(keras, holder, None), "backend", None)
        if callable(function):
            return str(function())
    return None


def _framework_in_use() -> str:
    imported = [name for name in _FRAMEWORKS if _is_imported(name)]
    if len(imported) == 1:
        return imported[0]
    if not imported:
        raise ValueError(
            "neither tensorflow nor jax is imported; import one of them before "
            'trace(), or name it: framework="tensorflow" or framework="jax"')
    backend = _keras_backend()
    if backend in imported:
        return backend
    why = ("Keras is not imported" if backend is None else
           f"the backend of Keras is {backend}")
    raise ValueError(
        f"both tensorflow and jax are imported, and {why}; name the one to "
        'trace: framework="tensorflow" or framework="jax"')


# ---- The profilers

class _TensorFlow:
    def __init__(self) -> None:
        self._profiler: Any = import_module("tensorflow").profiler.experimental

    def start(self, logdir: str) -> None:
        self._profiler.start(logdir)

    def stop(self) -> None:
        self._profiler.stop()

    def step(self, number: int) -> AbstractContextManager[Any]:
        # _r marks the root of a step.
        found: AbstractContextManager[Any] = self._profiler.Trace(
            "train", step_num=number, _r=1)
        return found


class _Jax:
    def __init__(self) -> None:
        self._profiler: Any = import_module("jax").profiler

    def start(self, logdir: str) -> None:
        self._profiler.start_trace(logdir)

    def stop(self) -> None:
        self._profiler.stop_trace()

    def step(self, number: int) -> AbstractContextManager[Any]:
        found: AbstractContextManager[Any] = (
            self._profiler.StepTraceAnnotation("train", step_num=number))
        return found


# ---- Their files

def _stamps(logdir: str) -> _Stamps:
    """The traces of all runs below a log directory."""
    found: _Stamps = {}
    runs = os.path.join(logdir, "plugins", "profile")
    for run in _names(runs):
        folder = os.path.join(runs, run)
        for name in _names(folder):
            path = os.path.join(folder, name)
            stamp = _stamp(path) if name.endswith(_SUFFIXES) else None
            if stamp is not None:
                found[path] = stamp
    return found


def _stamp(path: str) -> _Stamp | None:
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _newest_run(before: _Stamps, after: _Stamps) -> str | None:
    """The folder written last since `before`, or None."""
    written = [(stamp[0], path) for path, stamp in after.items()
               if before.get(path) != stamp]
    return os.path.dirname(max(written)[1]) if written else None


def _of_run(stamps: _Stamps, run: str) -> _Stamps:
    return {path: stamp for path, stamp in stamps.items()
            if os.path.dirname(path) == run}


def _write_log(path: str, model: Any) -> None:
    """Writes the stacks of the operations that a model was traced to. The file
    appears only when it is complete."""
    from tfprof import _oplog
    graphs = _graphs.traced_graphs(model)
    if not graphs:
        warnings.warn(
            f"{type(model).__name__} has no TensorFlow graph, so the trace "
            "has no source lines; give the tf.function that ran, and do not "
            "set run_eagerly in Keras", RuntimeWarning, stacklevel=3)
        return
    # Stacks repeat: compression reduces the size to a hundredth.
    packed = gzip.compress(_oplog.lines_log(graphs), 6, mtime=0)
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "wb") as file:
            file.write(packed)
        os.replace(unfinished, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise


def _is_unchanged(stamps: _Stamps) -> bool:
    return all(_stamp(path) == stamp for path, stamp in stamps.items())


# ---- Public names

class Trace:
    """A recording of a trace. tfprof.trace() creates it.

    run: the directory of the written run, LOGDIR/plugins/profile/RUN; None
        before the end of the block.
    """

    def __init__(self, logdir: str | os.PathLike[str],
                 framework: str | None, model: Any = None) -> None:
        folder = os.fspath(logdir)
        if not folder:
            raise ValueError("logdir must name a directory")
        if framework is not None and framework not in _FRAMEWORKS:
            raise ValueError(f"unknown framework: {framework!r}; give "
                             '"tensorflow" or "jax"')
        if model is not None and not _graphs.is_function(model):
            raise TypeError("model must be a Keras model, a tf.function or a "
                            f"concrete function, not {type(model).__name__}")
        # The block may change the current directory. A URL such as
        # gs://bucket is not a path.
        self._logdir = folder if "://" in folder else os.path.abspath(folder)
        self._framework = framework
        self._model = model
        self._profiler: _TensorFlow | _Jax | None = None
        self._was_recorded = False
        self._before: _Stamps = {}
        self._written: _Stamps = {}
        self._profile: Profile | None = None
        self.run: str | None = None

    def __repr__(self) -> str:
        state = ("recording" if self._profiler is not None else
                 f"run {self.run}" if self.run is not None else
                 "no run was written" if self._was_recorded else "not started")
        return f"<tfprof.Trace below {self._logdir}: {state}>"

    # -- Recording

    def __enter__(self) -> Trace:
        global _active
        with _starting:
            if _active is not None:
                raise ValueError("a trace is already being recorded; traces "
                                 "cannot be nested")
            framework = self._framework or _framework_in_use()
            profiler = _Jax() if framework == "jax" else _TensorFlow()
            before = _stamps(self._logdir)
            profiler.start(self._logdir)
            self._profiler, self._before = profiler, before
            self._was_recorded = False
            self._profile = self.run = None
            _active = self
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 value: BaseException | None,
                 trace: TracebackType | None) -> None:
        global _active
        profiler = self._profiler
        if profiler is None:
            return
        try:
            profiler.stop()
        except Exception:
            if value is None:
                raise
            # Report the exception of the block instead.
        finally:
            with _starting:
                self._profiler = _active = None
            self._was_recorded = True
        after = _stamps(self._logdir)
        self.run = _newest_run(self._before, after)
        if self.run is None:
            return
        self._written = _of_run(after, self.run)
        try:
            self._add_lines(profiler, os.path.join(self.run, _OP_LOG))
        except Exception:
            if value is None:
                raise

    def _add_lines(self, profiler: _TensorFlow | _Jax, path: str) -> None:
        # Run names have a resolution of one second: an earlier run may have
        # left its lines here.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        # JAX records source lines itself.
        if self._model is not None and isinstance(profiler, _TensorFlow):
            _write_log(path, self._model)

    def step(self, n: int) -> AbstractContextManager[Any]:
        """A context manager that marks its block as step `n`."""
        if self._profiler is None:
            raise RuntimeError("no trace is being recorded; call step() inside "
                               "the with block of tfprof.trace()")
        return self._profiler.step(index(n))

    # -- The result

    @property
    def profile(self) -> Profile:
        """The Profile of the run, opened on first use. Raises RuntimeError
        before the end of the block."""
        if self._profile is None:
            self._profile = self._open()
        return self._profile

    def _open(self) -> Profile:
        if not self._was_recorded:
            raise RuntimeError("the trace is not complete; read profile after "
                               "the with block of tfprof.trace()")
        if self.run is None:
            raise RuntimeError(f"{self._logdir}: the profiler wrote no trace")
        if not _is_unchanged(self._written):
            # A later run of the same second has the same name.
            raise RuntimeError(f"{self.run}: the run was changed or replaced "
                               "after it was recorded; read profile before the "
                               "next trace, or use another logdir")
        from tfprof._profile import open
        return open(self.run)


def trace(logdir: str | os.PathLike[str],
          framework: Literal["tensorflow", "jax"] | None = None,
          model: Any = None) -> Trace:
    """Records a trace of what TensorFlow or JAX runs in a `with` block::

        with tfprof.trace("logs") as t:
            for n in range(3):
                with t.step(n):
                    train()
        print(t.profile.code(select=["micros"], order_by="micros"))

    logdir: the directory for the trace. The run is written to
        LOGDIR/plugins/profile/RUN, where TensorBoard finds it too.
    framework: the framework to import and profile: "tensorflow" or "jax".
        None uses the one that the program has imported. If it has imported
        both, the backend of Keras decides; without Keras, raises ValueError.
    model: the model that runs in the block: a Keras model, a tf.function or a
        concrete function. TensorFlow does not record source lines. With this
        argument, the lines of its operations are written next to the trace,
        and views use them.

    The trace ends with the block, also after an exception, which propagates.
    Only one trace can be recorded at a time; a second one raises ValueError.
    """
    return Trace(logdir, framework, model)
