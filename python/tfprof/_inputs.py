"""Passes inputs to the library.

An input is a path, the address of an object in a store (see _remote.py), a
buffer, a file object, or an object of TensorFlow (see _graphs.py).
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from tfprof import _graphs
from tfprof._errors import UnsupportedInput
from tfprof._native import Handle, path_chars

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

Input = Union[str, "os.PathLike[str]", bytes, Any]
Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Iterable[Path]]

# The name in the library of each keyword of tfprof.open().
ROLES = {"graph": "graph_path", "run_meta": "run_meta_path",
         "op_log": "op_log_path", "checkpoint": "checkpoint_path",
         "profile": "profile_path"}

# The role of each message class.
_ROLE_OF_MESSAGE = {"GraphDef": "graph_path", "MetaGraphDef": "graph_path",
                    "SavedModel": "graph_path",
                    "RunMetadata": "run_meta_path",
                    "StepStats": "run_meta_path",
                    "OpLogProto": "op_log_path",
                    "ProfileProto": "profile_path"}


def _buffer_of(thing: Any) -> Any:
    """A contiguous buffer of the object, or None if it has no buffer. Bytes
    that are not contiguous are copied."""
    try:
        view = memoryview(thing)
    except TypeError:
        return None
    return view if view.c_contiguous else view.tobytes()


def _name_of(thing: Any) -> str:
    name = getattr(thing, "name", None)
    return (name if isinstance(name, str) and name and "\0" not in name
            else f"<{type(thing).__name__}>")


def _is_address(thing: Any) -> TypeGuard[str]:
    """Whether an input is the address of an object, such as s3://runs/a."""
    if not isinstance(thing, str) or "://" not in thing:
        return False  # without an import: most inputs are paths
    from tfprof import _remote
    return _remote.is_address(thing)


def add(handle: Handle, thing: Input, role: str | None = None,
        step: int | None = None) -> None:
    """Adds one input. `role` is a value of ROLES, or None to detect it. `step`
    is the number of the step that the input records."""
    if _is_address(thing):
        from tfprof import _remote
        _remote.add(handle, thing, role, step)
        return
    if isinstance(thing, (str, os.PathLike)):
        handle.add_path(thing, role, step)
        return
    message = _graphs.message_of(thing)
    if message is not None:
        kind = type(message).__name__
        handle.add_memory(f"<{kind}>", message.SerializeToString(),
                          role or _ROLE_OF_MESSAGE.get(kind), step)
        return
    data = _buffer_of(thing)
    if isinstance(data, memoryview):
        with data:  # releases the buffer, also after an exception
            handle.add_memory(_name_of(thing), data, role, step)
        return
    if data is None and step is not None and hasattr(thing, "read"):
        data = thing.read()
    if data is not None:
        handle.add_memory(_name_of(thing), data, role, step)
    elif hasattr(thing, "read"):
        handle.add_file(_name_of(thing), thing, role)
    else:
        raise TypeError(
            f"cannot read an input of type {type(thing).__name__}: give a "
            "path, bytes, a file object, a message, or a graph, function or "
            "model of TensorFlow")


def _one_by_one(given: Any) -> Iterable[tuple[int | None, Any]]:
    """Pairs of step and input, from a list or a {step: input} dict. The step
    is None for inputs of a list."""
    if isinstance(given, Mapping):
        return given.items()
    things = given if isinstance(given, (list, tuple)) else (given,)
    return ((None, thing) for thing in things)


def add_all(handle: Handle, things: Iterable[Input],
            roles: Mapping[str, Any]) -> None:
    """Adds inputs, then the inputs of keywords such as graph=."""
    for thing in things:
        add(handle, thing)
    for role, given in roles.items():
        if given is None:
            continue
        if isinstance(given, Mapping) and role != "run_meta":
            raise TypeError(f"{role} must be an input or a list of inputs")
        for step, thing in _one_by_one(given):
            add(handle, thing, ROLES[role], step)


def words(things: Iterable[Input], roles: Mapping[str, Any]) -> str | None:
    """The inputs as words of a command line. None if some are not files that
    a command could read."""
    found = []
    for option, given in ((None, list(things)),
                          *((ROLES[role], given)
                            for role, given in roles.items()
                            if given is not None)):
        for step, thing in _one_by_one(given):
            if _is_address(thing) or not isinstance(thing, (str, os.PathLike)):
                return None
            path = os.fsdecode(thing)
            value = path if step is None else f"{step}={path}"
            found.append(shlex.quote(
                value if option is None else f"--{option}={value}"))
    return " ".join(found)


def paths(given: Paths) -> list[bytes]:
    """The paths of runs, which the library reads itself, one after the
    other."""
    things = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    for thing in things:
        if not isinstance(thing, (str, os.PathLike)):
            raise TypeError("runs must be paths of files or directories, not "
                            + type(thing).__name__)
        if _is_address(thing):
            raise UnsupportedInput(f"{thing}: runs must be local files (copy "
                                   "this one, and give its path)")
    return [path_chars(thing) for thing in things]
