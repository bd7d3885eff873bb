"""The library's functions, and the only place that calls them.

Codes become exceptions here, texts become str, and callbacks find their way to
the profile that they belong to. cffi gives up the interpreter lock for the
time of each call.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tfprof import _errors
from tfprof._tfprof import ffi, lib

Bytes = Any  # whatever has the buffer interface


def version() -> str:
    return _text(lib.tfprof_version())


def _text(chars: Any) -> str:
    return bytes(ffi.string(chars)).decode("utf-8", "replace")


def text(found: Any) -> str:
    """A tfprof_text, which is valid UTF-8."""
    return bytes(ffi.buffer(found.data, found.size)).decode("utf-8")


# ---- Errors -----------------------------------------------------------------

def _corrupt(message: str, err: Any) -> Exception:
    return _errors.CorruptInput(message,
                                err.offset if err.offset >= 0 else None,
                                err.line or None, err.column or None)


_EXCEPTIONS: dict[int, Callable[[str, Any], Exception]] = {
    lib.TFPROF_ERR_NOMEM: lambda message, err: MemoryError(message),
    lib.TFPROF_ERR_MALFORMED: _corrupt,
    lib.TFPROF_ERR_LIMIT: lambda message, err: _errors.LimitExceeded(message),
    lib.TFPROF_ERR_OPTION: lambda message, err: _errors.OptionError(message),
    lib.TFPROF_ERR_MISSING: lambda message, err: _errors.OptionError(message),
    lib.TFPROF_ERR_OUTPUT: lambda message, err: _errors.OutputError(message),
}


def exception(code: int, err: Any) -> Exception:
    """What to raise for a failure that the library has told."""
    make = _EXCEPTIONS.get(code)
    message = _text(err.message)
    return make(message, err) if make else _errors.Error(message)


# ---- Callbacks --------------------------------------------------------------

def _interrupt(kind: Any, value: BaseException, trace: Any) -> None:
    """cffi hands over what a callback raised; the call is cancelled, and it
    is raised again when that has returned."""
    frame = trace.tb_frame if trace is not None else None
    handle = frame.f_locals.get("context") if frame is not None else None
    if handle is not None:
        ffi.from_handle(handle).raised = value


@ffi.def_extern(error=1, onerror=_interrupt)
def tfprof_py_progress(context: Any, path: Any, done: int, size: int) -> int:
    return int(ffi.from_handle(context).on_progress(path, done, size))


@ffi.def_extern(error=1, onerror=_interrupt)
def tfprof_py_cancel(context: Any) -> int:
    return 1 if ffi.from_handle(context).raised is not None else 0


@ffi.def_extern(error=1, onerror=_interrupt)
def tfprof_py_write(context: Any, data: Any, size: int) -> int:
    ffi.from_handle(context).written += ffi.buffer(data, size)
    return 0


@ffi.def_extern(onerror=_interrupt)
def tfprof_py_remark(context: Any, remark: Any) -> None:
    ffi.from_handle(context).remarks.append(_text(remark))


# ---- Handles ----------------------------------------------------------------

class Handle:
    """A tfprof_profile. Not for two threads at a time."""

    def __init__(self) -> None:
        self.raised: BaseException | None = None
        self.written = bytearray()
        self.remarks: list[str] = []
        self._self = ffi.new_handle(self)
        pointer = lib.tfprof_profile_new()
        if pointer == ffi.NULL:
            raise MemoryError("no memory for a profile")
        self._pointer = ffi.gc(pointer, lib.tfprof_profile_free)
        lib.tfprof_profile_on_progress(pointer, lib.tfprof_py_progress,
                                       self._self)
        lib.tfprof_profile_on_cancel(pointer, lib.tfprof_py_cancel, self._self)
        lib.tfprof_profile_on_remark(pointer, lib.tfprof_py_remark, self._self)

    def close(self) -> None:
        """Gives the memory back; any further use is a ValueError."""
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            ffi.release(pointer)

    def _open(self) -> Any:
        if self._pointer is None:
            raise ValueError("the profile is closed")
        return self._pointer

    def on_progress(self, path: Any, done: int, size: int) -> int:
        """Python looks for signals on its way here, which is all it is for."""
        return 0

    def _call(self, function: Any, *words: Any) -> None:
        err = ffi.new("tfprof_error *")
        self.raised = None
        code = function(self._open(), *words, err)
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        if code != lib.TFPROF_OK:
            raise exception(code, err)

    def add_path(self, path: str | os.PathLike[str], role: str | None = None,
                 step: int | None = None) -> None:
        name = os.fsencode(path)
        if b"\0" in name:
            raise ValueError("embedded null byte in a path")
        if step is None:
            self._call(lib.tfprof_profile_add_path, name,
                       role.encode() if role else ffi.NULL)
        else:
            self._call(lib.tfprof_profile_add_step, step, name)

    def add_memory(self, name: str, data: Bytes,
                   role: str | None = None) -> None:
        """The export of the buffer is held, so it cannot be resized; what it
        holds may change only under the reader's feet if another thread does
        so, which the library survives."""
        with ffi.from_buffer(data) as buffer:
            self._call(lib.tfprof_profile_add_memory, name.encode(), buffer,
                       len(buffer), role.encode() if role else ffi.NULL)

    def set(self, options: Mapping[str, str]) -> None:
        for name, value in options.items():
            self._call(lib.tfprof_profile_set, name.encode(), value.encode())

    def reset(self) -> None:
        self._call(lib.tfprof_profile_reset)

    def write(self, what: str, *words: bytes) -> bytes:
        """What tfprof_profile_write_{what} writes."""
        self.written = bytearray()
        try:
            self._call(getattr(lib, f"tfprof_profile_write_{what}"), *words,
                       lib.tfprof_py_write, self._self)
            return bytes(self.written)
        finally:
            self.written = bytearray()

    def view(self, kind: str) -> Any:
        """A tfprof_view *, released with the last reference to it."""
        found = ffi.new("tfprof_view **")
        self._call(lib.tfprof_profile_view, kind.encode(), found)
        return ffi.gc(found[0], lib.tfprof_view_free)


def rows(view: Any) -> Iterator[Any]:
    """Each tfprof_row of a view."""
    for index in range(lib.tfprof_view_row_count(view)):
        row = ffi.new("tfprof_row *")
        lib.tfprof_view_row(view, index, row)
        yield row
