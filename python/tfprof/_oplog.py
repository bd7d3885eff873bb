"""The op log that TensorFlow creates by default.

It contains the type "_trainable_variables" for each trainable variable, the
stack of Python calls that created each operation, and float operations. The
library counts float operations; they are needed here only for a written log.

Entries are created as bytes: a graph has as many stacks as operations, and most
of their frames are equal.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from tfprof import _gradients, _graphs, _inputs, _registered, _wire
from tfprof._native import Handle
from tfprof._options import TRAINABLE_VARIABLES
from tfprof._protos import OpLogProto, ProfileProto

# Fields of OpLogProto, OpLogEntry, CodeDef and CodeDef.Trace.
_LOG_ENTRIES, _ID_TO_STRING = 1, 2
_NAME, _FLOAT_OPS, _TYPES, _CODE_DEF = 1, 2, 3, 4
_TRACES = 1
_LINENO, _FUNC_START_LINE, _FILE_ID, _FUNCTION_ID, _LINE_ID = 2, 5, 6, 7, 8

# Traces do not contain these types. Half of a graph is constants.
_NEVER_RUN = frozenset(("Const", "Placeholder", "NoOp"))


# ---- Bytes ------------------------------------------------------------------

def _number(field: int, value: int) -> bytes:
    return _wire.number(field << 3) + _wire.number(value) if value else b""


def _piece(field: int, value: bytes) -> bytes:
    return _wire.number(field << 3 | 2) + _wire.number(len(value)) + value


# ---- Stacks -----------------------------------------------------------------

class _Strings:
    """Numbered texts, and frames that refer to them."""

    def __init__(self) -> None:
        self._ids = {"none": 0}
        self._frames: dict[Any, bytes] = {}

    def _id(self, text: str | None) -> int:
        return self._ids.setdefault(text, len(self._ids)) if text else 0

    def _frame(self, file: str | None, lineno: int | None,
               function: str | None, line: str | None) -> bytes:
        file_id, function_id = self._id(file), self._id(function)
        return _piece(_TRACES, _number(_LINENO, lineno or -1)
                      + _number(_FUNC_START_LINE, -1)
                      + _number(_FILE_ID, file_id)
                      + _number(_FUNCTION_ID, function_id)
                      + _number(_LINE_ID, self._id(line)))

    def stack(self, frames: Any) -> bytes:
        """A CodeDef."""
        found = []
        for frame in frames:
            key = tuple(frame)
            made = self._frames.get(key)
            if made is None:
                made = self._frames[key] = self._frame(*key)
            found.append(made)
        return b"".join(found)

    def table(self) -> bytes:
        return b"".join(
            _piece(_ID_TO_STRING, _number(1, number)
                   + _piece(2, text.encode("utf-8", "replace")))
            for text, number in self._ids.items())


# ---- Entries ----------------------------------------------------------------

class _Entry:
    """The data of one operation."""

    def __init__(self, float_ops: int = 0, code: bytes = b"") -> None:
        self.float_ops = float_ops
        self.code = code
        self.types: list[str] = []

    def rest(self, float_ops: bool = True, code: bool = True) -> bytes:
        """All but the name."""
        return ((_number(_FLOAT_OPS, self.float_ops) if float_ops else b"")
                + b"".join(_piece(_TYPES, name.encode())
                           for name in self.types)
                + (_piece(_CODE_DEF, self.code)
                   if code and self.code else b""))


def _named(name: str, rest: bytes) -> bytes:
    return _piece(_LOG_ENTRIES, _piece(_NAME, name.encode()) + rest)


def _entries(source: _graphs.Graph, strings: _Strings, add_trace: bool,
             float_ops: Mapping[str, int],
             add_trainable_var: bool = True) -> dict[str, _Entry]:
    """In TensorFlow's order: operations, then variables not among them."""
    found: dict[str, _Entry] = {}
    if source.graph is not None and add_trace:
        for op in source.graph.get_operations():
            found[op.name] = _Entry(float_ops.get(op.name, 0),
                                    strings.stack(op.traceback or ()))
    else:
        for name, count in float_ops.items():
            found[name] = _Entry(count)
    for name in source.trainable_names() if add_trainable_var else ():
        found.setdefault(name, _Entry()).types.append(TRAINABLE_VARIABLES)
    return found


def default_log(source: _graphs.Graph, add_trace: bool) -> bytes:
    """An OpLogProto with types and stacks, without float operations."""
    strings = _Strings()
    entries = _entries(source, strings, add_trace, {})
    return b"".join([*(_named(name, entry.rest())
                       for name, entry in entries.items()), strings.table()])


def lines_log(graphs: Iterable[Any]) -> bytes:
    """An OpLogProto with the stacks of all operations of some graphs. A
    gradient has the stack of its forward operation. If several operations
    have the same name, the first is used."""
    strings = _Strings()
    found: dict[str, _Entry] = {}
    for graph in graphs:
        ops = graph.get_operations()
        forwards = _gradients.untold_forwards(ops)
        for op in ops:
            if op.type not in _NEVER_RUN and op.name not in found:
                origin = forwards.get(op.name, op)
                found[op.name] = _Entry(
                    code=strings.stack(origin.traceback or ()))
    return b"".join([*(_named(name, entry.rest())
                       for name, entry in found.items()), strings.table()])


def add_registered(handle: Handle, source: _graphs.Graph, op_logs: list[Any],
                   known: dict[str, int] | None = None) -> None:
    """Adds the float operations that functions of the script count, except
    for nodes that have a count in `op_logs`. `known` contains the counts
    already added; new counts are stored in it."""
    known = {} if known is None else known
    found = {name: count
             for name, count in _registered.float_ops(source).items()
             if known.get(name) != count}
    known.update(found)
    if found:
        for op_log in op_logs:
            for entry in _read(op_log).log_entries:
                if entry.float_ops:
                    found.pop(entry.name, None)
    if found:
        handle.add_memory("<registered float operations>",
                          b"".join(_named(name, _Entry(count).rest())
                                   for name, count in found.items()),
                          _inputs.ROLES["op_log"])


# ---- Written logs -----------------------------------------------------------

def _float_ops(source: _graphs.Graph, runs: list[Any]) -> dict[str, int]:
    """The count of each node that has one, in the order of the graph."""
    handle = Handle()
    try:
        _inputs.add(handle, source.content(), _inputs.ROLES["graph"])
        add_registered(handle, source, [])
        for run in runs:
            _inputs.add(handle, run, _inputs.ROLES["run_meta"])
        handle.add_float_ops(source.graph is not None)
        profile = ProfileProto.FromString(handle.write("profile"))
    finally:
        handle.close()
    nodes = profile.nodes
    return {nodes[number].name: nodes[number].float_ops
            for number in sorted(nodes) if nodes[number].float_ops}


def _read(op_log: Any) -> Any:
    if isinstance(op_log, (str, os.PathLike)):
        with open(op_log, "rb") as file:
            return OpLogProto.FromString(file.read())
    if hasattr(op_log, "SerializeToString"):
        op_log = op_log.SerializeToString()
    return OpLogProto.FromString(bytes(op_log))


def _merged(given: Any, entries: dict[str, _Entry]) -> bytes:
    """The entries of a user's log, completed from `entries`. Used entries are
    removed from it."""
    found = {entry.name: entry for entry in given.log_entries}
    written = []
    for name, entry in found.items():
        more = entries.pop(name, _Entry())
        is_counted = entry.float_ops != 0 or more.float_ops <= 0
        written.append(_piece(_LOG_ENTRIES, entry.SerializeToString()
                              + more.rest(not is_counted,
                                          not entry.code_def.traces)))
    return b"".join(written)


def merged_log(source: _graphs.Graph, op_logs: list[Any], runs: list[Any],
               add_trace: bool, add_trainable_var: bool = True) -> bytes:
    """An OpLogProto with TensorFlow's default entries and those of a user."""
    if source.graph is not None:
        for run in runs:
            source.complete_shapes(run)
    strings = _Strings()
    entries = _entries(source, strings, add_trace, _float_ops(source, runs),
                       add_trainable_var)
    written = [_merged(_read(given), entries) for given in op_logs]
    return b"".join([*written, *(_named(name, entry.rest())
                                 for name, entry in entries.items()),
                     strings.table()])
