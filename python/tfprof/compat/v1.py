"""A replacement for tf.compat.v1.profiler.

    from tfprof.compat import v1 as profiler

Every name is also available in the package: tfprof.profile and so on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tfprof import _graphs, _inputs, _oplog
from tfprof._coverage import Coverage
from tfprof._errors import OptionError
from tfprof._native import Handle
from tfprof._options import ProfileOptionBuilder, settings

if TYPE_CHECKING:
    from tfprof._protos import (
        AdviceProto,
        GraphNodeProto,
        MultiGraphNodeProto,
        OpLogProto,
    )

__all__ = ["ALL_ADVICE", "AdviceProto", "GraphNodeProto",
           "MultiGraphNodeProto", "OpLogProto", "ProfileOptionBuilder",
           "Profiler", "advise", "profile", "write_op_log"]

# The checkers of advise(), each with its options. No checker has options.
ALL_ADVICE: dict[str, dict[str, Any]] = {
    "ExpensiveOperationChecker": {},
    "AcceleratorUtilizationChecker": {},
    "JobChecker": {},
    "OperationChecker": {},
}

_MESSAGES = {"scope": "GraphNodeProto", "graph": "GraphNodeProto",
             "op": "MultiGraphNodeProto", "code": "MultiGraphNodeProto"}


def __getattr__(name: str) -> Any:
    """Imports messages on first use: not every script needs them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tfprof import _protos
    return getattr(_protos, name)


def _check_view(cmd: Any) -> None:
    """A script that uses TensorFlow may expect its exception."""
    if cmd in _MESSAGES:
        return
    message = f"unknown cmd: {cmd} (use scope, graph, op or code)"
    tf = _graphs.tensorflow()
    if tf is None or not hasattr(tf, "errors"):
        raise OptionError(message)
    theirs = tf.errors.InvalidArgumentError
    both = type("InvalidArgument", (OptionError, theirs), {
        "__init__": lambda self: theirs.__init__(self, None, None, message)})
    raise both()


def _each(things: Any) -> list[Any]:
    """The objects of a list, or a list of one object; empty for None."""
    if isinstance(things, (list, tuple)):
        return list(things)
    return [] if things is None else [things]


# ---- Results ----------------------------------------------------------------

def _load(graph: Any, run_meta: Any, op_log: Any, add_trace: bool) -> Handle:
    source = _graphs.graph_of(graph)
    runs = _each(run_meta)
    if source.graph is not None:
        for run in runs:
            source.complete_shapes(run)
    handle = Handle()
    _inputs.add(handle, source.content(), _inputs.ROLES["graph"])
    _add_logs(handle, source, op_log, add_trace)
    _oplog.add_registered(handle, source, _each(op_log))
    for run in runs:
        _inputs.add(handle, run, _inputs.ROLES["run_meta"])
    handle.add_float_ops(source.graph is not None)
    return handle


def _add_logs(handle: Handle, source: _graphs.Graph, op_log: Any,
              add_trace: bool) -> None:
    """The first stack of a node is used, so logs of the user come first."""
    for log in _each(op_log):
        _inputs.add(handle, log, _inputs.ROLES["op_log"])
    if source.graph is not None:
        handle.add_memory("<default op log>",
                          _oplog.default_log(source, add_trace),
                          _inputs.ROLES["op_log"])


def _print(text: bytes) -> None:
    shown = text.decode("utf-8")
    try:
        sys.stdout.write(shown)
    except UnicodeEncodeError:
        known = sys.stdout.encoding or "ascii"
        sys.stdout.write(shown.encode(known, "backslashreplace")
                         .decode(known))


def _ask(handle: Handle, what: str, *words: bytes,
         asked: Mapping[str, str]) -> bytes:
    """Prints or writes the result as set by the options, and returns it as a
    message."""
    with handle.asking(asked):
        if asked.get("output") != "none":
            _print(handle.write(what, *words))
        handle.set({"output": "stdout", "format": "proto"})
        return handle.write(what, *words)


def _view(handle: Handle, cmd: str, options: Any) -> Any:
    answer = _ask(handle, "view", cmd.encode(), asked=settings(options))
    from tfprof import _protos
    return getattr(_protos, _MESSAGES[cmd])._over((answer, 0, len(answer)))


def _advice(handle: Handle, options: Any) -> Any:
    """Unknown checkers are ignored, as in TensorFlow."""
    checkers = [name for name in ALL_ADVICE if name in (options or {})]
    from tfprof._protos import AdviceProto
    if not checkers:
        return AdviceProto()
    return AdviceProto.FromString(_ask(handle, "advice",
                                asked={"checkers": ",".join(checkers)}))


# ---- The names of tf.compat.v1.profiler -------------------------------------

def profile(graph: Any = None, run_meta: Any = None, op_log: Any = None,
            cmd: str = "scope", options: Any = 0) -> Any:
    """Prints, writes and returns one view of a model.

    graph: a tf.Graph, GraphDef, concrete function, Keras model, bytes or a
        path; None is TensorFlow's default graph.
    run_meta, op_log: a message, bytes, a path, or a list of these.
    cmd: scope, graph, op or code.
    options: a dict from ProfileOptionBuilder; by default that of
        trainable_variables_parameter().

    Prints the view, or writes it to options["output"]. Returns a
    GraphNodeProto (scope, graph) or a MultiGraphNodeProto (op, code).
    """
    _check_view(cmd)
    if options == 0:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    handle = _load(graph, run_meta, op_log, cmd == "code")
    try:
        return _view(handle, cmd, options)
    finally:
        handle.close()


def advise(graph: Any = None, run_meta: Any = None, options: Any = 0) -> Any:
    """Finds expensive operations and known inefficiencies.

    options: a dict with the names of checkers as keys; by default ALL_ADVICE.
        Other arguments are as in profile().

    Prints the findings and returns them as an AdviceProto.
    """
    if options == 0:
        options = ALL_ADVICE
    handle = _load(graph, run_meta, None, True)
    try:
        return _advice(handle, options)
    finally:
        handle.close()


def write_op_log(graph: Any, log_dir: str | os.PathLike[str],
                 op_log: Any = None, run_meta: Any = None,
                 add_trace: bool = True) -> None:
    """Writes the file tfprof_log to a directory. It contains `op_log`, the
    trainable variables, float operations, and, with `add_trace`, the lines of
    code that created each operation."""
    data = _oplog.merged_log(_graphs.graph_of(graph), _each(op_log),
                             _each(run_meta), add_trace)
    with open(os.path.join(log_dir, "tfprof_log"), "wb") as file:
        file.write(data)


class Profiler:
    """Profiles several steps of one model. A process may have several
    profilers."""

    def __init__(self, graph: Any = None, op_log: Any = None) -> None:
        self._source = _graphs.graph_of(graph)
        self._op_logs = _each(op_log)
        self._registered: dict[str, int] = {}
        self._handle = Handle()
        self._is_counted = False
        self._seen = Coverage()
        self._version = self._source.version()
        self._add_graph(op_log)
        self._add_registered()

    def _add_graph(self, op_log: Any) -> None:
        content = self._source.content()
        _inputs.add(self._handle, content, _inputs.ROLES["graph"])
        self._seen.add_graph(content)
        _add_logs(self._handle, self._source, op_log, True)

    def _add_registered(self) -> None:
        """Each step may add shapes, so that more nodes can be counted."""
        _oplog.add_registered(self._handle, self._source, self._op_logs,
                              self._registered)

    def _use_graph(self, graph: Any) -> None:
        """Later steps belong to this tf.Graph."""
        if self._source.graph is not graph:
            self._source = _graphs.graph_of(graph)
            self._version = -1  # to be added with the next step

    @property
    def _coverage(self) -> float:
        """The share of the graph's nodes that steps have recorded. Only
        messages and a tf.Graph count: TensorFlow accepts nothing else."""
        return self._seen.share()

    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds the run metadata of a step. options["step"] can then select it.
        A step may have more than one."""
        self._is_counted = False
        runs = _each(run_meta)
        for run in runs:
            if self._source.graph is not None:
                self._source.complete_shapes(run)
            _inputs.add(self._handle, run, _inputs.ROLES["run_meta"],
                        step)
        if self._version != self._source.version():
            self._version = self._source.version()
            self._add_graph(None)
        self._add_registered()
        for run in runs:
            self._seen.add_run(run)

    def _ready(self) -> Handle:
        if not self._is_counted:
            self._handle.add_float_ops(self._source.graph is not None)
            self._is_counted = True
        return self._handle

    def profile_python(self, options: Any) -> Any:
        """Returns the code view, a MultiGraphNodeProto."""
        return _view(self._ready(), "code", options)

    def profile_operations(self, options: Any) -> Any:
        """Returns the op view, a MultiGraphNodeProto."""
        return _view(self._ready(), "op", options)

    def profile_name_scope(self, options: Any) -> Any:
        """Returns the scope view, a GraphNodeProto."""
        return _view(self._ready(), "scope", options)

    def profile_graph(self, options: Any) -> Any:
        """Returns the graph view, a GraphNodeProto."""
        return _view(self._ready(), "graph", options)

    def advise(self, options: Any = 0) -> Any:
        """Returns an AdviceProto, like advise(). The default is ALL_ADVICE."""
        return _advice(self._ready(),
                       ALL_ADVICE if options == 0 else options)

    def serialize_to_string(self) -> bytes:
        """Returns the profile as a ProfileProto, which tfprof can read."""
        return self._ready().write("profile")

    def _write_profile(self, filename: Any) -> None:
        """Writes the ProfileProto to a file. TensorFlow has this method too."""
        with open(filename, "wb") as file:
            file.write(self.serialize_to_string())
