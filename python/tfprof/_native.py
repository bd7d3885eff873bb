"""Calls the functions of the library. No other module calls them.

Error codes become exceptions, C texts become str, and callbacks are passed to
their profile. cffi releases the interpreter lock during each call.
"""

from __future__ import annotations

import _thread
import atexit
import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tfprof import _errors
from tfprof._extension import ffi, lib

Bytes = Any  # any object with the buffer interface


def version() -> str:
    return _text(lib.tfprof_version())


def _text(chars: Any) -> str:
    return bytes(ffi.string(chars)).decode("utf-8", "replace")


def text(found: Any) -> str:
    """The str of a tfprof_text, which is valid UTF-8."""
    return bytes(ffi.buffer(found.data, found.size)).decode("utf-8")


def unended(written: str) -> str:
    """Without the last newline, which print() adds."""
    return written[:-1] if written.endswith("\n") else written


# ---- Errors -----------------------------------------------------------------

def _corrupt(message: str, err: Any) -> Exception:
    return _errors.CorruptInput(message,
                                err.offset if err.offset >= 0 else None,
                                err.line or None, err.column or None)


_EXCEPTIONS: dict[int, Callable[[str, Any], BaseException]] = {
    lib.TFPROF_ERR_NOMEM: lambda message, err: MemoryError(message),
    lib.TFPROF_ERR_IO:
        lambda message, err: _errors.ReadError(message, err.errnum or None),
    lib.TFPROF_ERR_MALFORMED: _corrupt,
    lib.TFPROF_ERR_UNSUPPORTED:
        lambda message, err: _errors.UnsupportedInput(message),
    lib.TFPROF_ERR_LIMIT: lambda message, err: _errors.LimitExceeded(message),
    lib.TFPROF_ERR_OPTION: lambda message, err: _errors.OptionError(message),
    lib.TFPROF_ERR_MISSING: lambda message, err: _errors.OptionError(message),
    lib.TFPROF_ERR_CANCELLED: lambda message, err: KeyboardInterrupt(),
    lib.TFPROF_ERR_OUTPUT:
        lambda message, err: _errors.OutputError(message, err.errnum or None),
}


def _keyword(option: str) -> str:
    """The keyword of tfprof.open() for an option of the command line."""
    option = option.replace("-", "_")
    return (f"{option.removesuffix('_path')}=" if option.endswith("_path")
            else option)


def _value_pattern(option: Any) -> str:
    """The values that a message may write after an option: a placeholder such
    as FILE, a number, or words of a list."""
    kind, values = option_kind(option), _text(option.values)
    patterns = [r"[A-Z]+(?:=[A-Z]+)?"]
    if kind in ("int", "size"):
        patterns.append(r"-?\d+")
    if kind == "paths":
        patterns += [r"\d+=FILE", r".+\.index$"]
    if kind in ("choice", "set"):
        word = f"(?:{values})"
        patterns.append(word if kind == "choice" else rf"{word}(?:,{word})*")
    return "|".join(patterns)


@functools.cache
def _hints() -> re.Pattern[str]:
    """Options that a message names, such as "(see --step)" or "--top 0", and
    text that is left unchanged: quoted text, which comes from the user, and
    command lines, such as "(see tfprof op TRACE --select float_ops)"."""
    options = "|".join(
        rf"{option_name(option).replace('_', '[_-]')}(?![\w-])"
        rf"(?: (?:{_value_pattern(option)})(?![\w=-]))?"
        for option in map(lib.tfprof_option_at,
                          range(lib.tfprof_option_count())))
    return re.compile(rf"'[^']*'|(?<![\w./-])tfprof [^(),;:']*"
                      rf"|(?<![^\s(])--({options})")


def _argument(hint: str) -> str:
    """An option of the command line, perhaps with a value, as an argument of a
    Python function: "top 0" is top=0, "frames python" frames="python"."""
    option, _, value = hint.partition(" ")
    keyword = _keyword(option)
    if not value:
        return keyword
    step, equals, file = value.partition("=")
    if keyword == "run_meta=" and equals:
        return f"{keyword}{{{step}: {file}}}"
    word = value if re.fullmatch(r"-?\d+|[A-Z=]+", value) else f'"{value}"'
    return f"{keyword.removesuffix('=')}={word}"


def _in_python(message: str, option: str) -> str:
    """A message with options written as Python keywords. `option` is the
    option that the error is about, which may be in a quoted text."""
    subject, dashes, rest = (message.partition(f"--{option}") if option
                             else ("", "", message))
    if not dashes:
        subject, rest = "", message
    return subject + _hints().sub(
        lambda m: _argument(m[1]) if m[1] else m[0], dashes + rest)


def in_python(remark: str) -> str:
    """A remark with options written as Python keywords, escaped."""
    return escape(_in_python(remark, ""))


def exception(code: int, err: Any, name: str = "") -> BaseException:
    """The exception for an error of the library; `name` is the file."""
    make = _EXCEPTIONS.get(code)
    message = _in_python(_text(err.message), _text(err.option))
    if name and err.line > 0:
        message = f"{name}: line {err.line}, column {err.column}: {message}"
    elif name and err.offset >= 0:
        message = f"{name}: offset {err.offset}: {message}"
    elif name:
        message = f"{name}: {message}"
    return make(message, err) if make else _errors.Error(message)


def _chars(word: str | bytes, what: str) -> bytes:
    """The bytes of a text for C. A NUL would truncate it."""
    chars = word if isinstance(word, bytes) else word.encode(
        "utf-8", "surrogateescape")
    if b"\0" in chars:
        raise ValueError(f"embedded null byte in {what}")
    return chars


def path_chars(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a path for C."""
    return _chars(os.fsencode(path), "a path")


def escape(name: str) -> str:
    """Returns a name that is safe to print: control characters, characters
    that change the direction of text, and bytes that are not UTF-8 become
    \\xHH, as on the command line."""
    try:
        chars = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate, not in file names
        chars = name.encode("utf-8", "surrogatepass")
    room = 4 * len(chars) + 1
    buffer = ffi.new("char[]", room)
    lib.tfprof_escape(chars, len(chars), buffer, room)
    return _text(buffer)


# ---- Callbacks --------------------------------------------------------------

class _Talk:
    """Data that the callbacks of a profile store for it. It does not refer to
    the Handle: a reference cycle would delay the release of the profile."""

    def __init__(self) -> None:
        self.raised: BaseException | None = None
        self.written = bytearray()
        self.remarks: list[str] = []
        self.source: Any = None  # the file object to read


def _interrupt(kind: Any, value: BaseException, trace: Any) -> None:
    """Receives an exception of a callback from cffi. It cancels the call, and
    _status() raises it again when the call returns."""
    frame = trace.tb_frame if trace is not None else None
    handle = frame.f_locals.get("context") if frame is not None else None
    if handle is not None:
        ffi.from_handle(handle).raised = value


@ffi.def_extern(error=1, onerror=_interrupt)
def tfprof_py_progress(context: Any, path: Any, done: int, size: int) -> int:
    """Does nothing: Python checks for signals when it is called."""
    return 0


@ffi.def_extern(error=1, onerror=_interrupt)
def tfprof_py_cancel(context: Any) -> int:
    return 1 if ffi.from_handle(context).raised is not None else 0


@ffi.def_extern(error=1, onerror=_interrupt)
def tfprof_py_write(context: Any, data: Any, size: int) -> int:
    ffi.from_handle(context).written += ffi.buffer(data, size)
    return 0


@ffi.def_extern(error=lib.TFPROF_ERR_IO, onerror=_interrupt)
def tfprof_py_read(context: Any, buffer: Any, size: int) -> int:
    data = ffi.from_handle(context).source.read(size)
    if isinstance(data, str):
        raise TypeError("a file object must be open in binary mode")
    if data is None:
        raise BlockingIOError("a file object has no data available")
    if len(data) > size:
        raise ValueError("read() returned more bytes than requested")
    ffi.buffer(buffer, size)[:len(data)] = data
    return len(data)


@ffi.def_extern(onerror=_interrupt)
def tfprof_py_remark(context: Any, remark: Any) -> None:
    ffi.from_handle(context).remarks.append(in_python(_text(remark)))


# Afterwards daemon threads no longer run callbacks: see cffi_build.py.
atexit.register(lib.tfprof_py_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lib.tfprof_py_forked)


# ---- Handles ----------------------------------------------------------------

class Handle:
    """A tfprof_profile. A second thread waits until the first is done."""

    def __init__(self) -> None:
        self._talk = _Talk()
        self._lock = _thread.RLock()
        self._busy = False
        self._copies: dict[str, str] = {}  # path: address
        self._self = ffi.new_handle(self._talk)
        pointer = lib.tfprof_profile_new()
        if pointer == ffi.NULL:
            raise MemoryError("no memory for a profile")
        self._pointer = ffi.gc(pointer, lib.tfprof_profile_free)
        self._pace = ffi.new("tfprof_py_pace *", {"context": self._self})
        lib.tfprof_profile_on_progress(pointer, lib.tfprof_py_paced_progress,
                                       self._pace)
        lib.tfprof_profile_on_cancel(pointer, lib.tfprof_py_paced_cancel,
                                     self._pace)
        lib.tfprof_profile_on_remark(pointer, lib.tfprof_py_safe_remark,
                                     self._self)

    def close(self) -> None:
        """Frees the memory. Any later use raises ValueError."""
        with self._lock:
            self._check_idle()
            pointer, self._pointer = self._pointer, None
            if pointer is not None:
                ffi.release(pointer)

    def _check_idle(self) -> None:
        if self._busy:
            raise _errors.Error("profile used from its own callback (use it "
                                "after the callback returns)")

    def _open(self) -> Any:
        if self._pointer is None:
            raise ValueError("the profile is closed")
        return self._pointer

    def _status(self, function: Any, *words: Any) -> tuple[int, Any]:
        """Calls the library and returns its status and error. Raises the
        exception of a callback, if any."""
        talk = self._talk
        with self._lock:
            self._check_idle()
            err = ffi.new("tfprof_error *")
            talk.raised = None
            self._busy = True
            try:
                code = function(self._open(), *words, err)
            finally:
                self._busy = False
                raised, talk.raised = talk.raised, None
            if raised is not None:
                raise raised
            if code != lib.TFPROF_OK and lib.tfprof_py_has_ended():
                raise SystemExit  # a thread that ends with the interpreter
            return code, err

    def _call(self, function: Any, *words: Any) -> None:
        code, err = self._status(function, *words)
        if code != lib.TFPROF_OK:
            raise exception(code, err)

    # -- Inputs

    def input_count(self) -> int:
        return int(lib.tfprof_profile_input_count(self._open()))

    def input_name(self, index: int) -> str:
        buffer = ffi.new("char[]", 8800)
        lib.tfprof_profile_input_name(self._open(), index, buffer, 8800)
        return self.named(_text(buffer))

    def named(self, path: str) -> str:
        """The path of an input, or the address of which it is a copy."""
        for copy, address in self._copies.items():
            if path == copy or path.startswith(f"{copy}/"):
                return escape(address) + path[len(copy):]
        return path

    def input_error(self, index: int) -> tuple[BaseException | None, bool]:
        """The error of an input, or None, and whether the records before the
        error were kept."""
        partial, err = ffi.new("int *"), ffi.new("tfprof_error *")
        code = lib.tfprof_profile_input_status(self._open(), index, partial,
                                               err)
        if code == lib.TFPROF_OK:
            return None, False
        return exception(code, err, self.input_name(index)), bool(partial[0])

    def _add(self, name: str, function: Any, *words: Any) -> None:
        """Adds inputs. Raises the error of the first one that failed; a
        partially read input is not a failure."""
        with self._lock:
            before = self.input_count()
            code, err = self._status(function, *words)
            if code == lib.TFPROF_OK:
                return
            told = range(before, self.input_count())
            for index in told:
                why, is_partial = self.input_error(index)
                if why is not None and not is_partial:
                    try:
                        raise why
                    finally:
                        del why  # avoids a reference cycle
            if not told:
                raise exception(code, err, escape(name))

    def add_path(self, path: str | os.PathLike[str], role: str | None = None,
                 step: int | None = None) -> None:
        name = path_chars(path)
        if step is None:
            self._add(os.fsdecode(name), lib.tfprof_profile_add_path, name,
                      role.encode() if role else ffi.NULL)
        else:
            self._add(os.fsdecode(name), lib.tfprof_profile_add_step, step,
                      name)

    def add_copy(self, path: str, address: str, role: str | None = None,
                 step: int | None = None) -> None:
        """Adds a file or folder that was copied from this address."""
        self._copies[path] = address
        self.add_path(path, role, step)

    def add_memory(self, name: str, data: Bytes, role: str | None = None,
                   step: int | None = None) -> None:
        """The buffer stays exported, so it cannot be resized. Another thread
        may change its bytes while they are read; the library tolerates
        that."""
        with ffi.from_buffer(data) as buffer:
            chars = _chars(name, "a name")
            if step is None:
                self._add(name, lib.tfprof_profile_add_memory, chars, buffer,
                          len(buffer), role.encode() if role else ffi.NULL)
            else:
                self._add(name, lib.tfprof_profile_add_step_memory, step,
                          chars, buffer, len(buffer))

    def add_file(self, name: str, source: Any, role: str | None = None) -> None:
        """Adds the bytes that source.read() returns."""
        with self._lock:
            self._check_idle()
            self._talk.source = source
            try:
                self._add(name, lib.tfprof_profile_add_callback,
                          _chars(name, "a name"), lib.tfprof_py_safe_read,
                          self._self, role.encode() if role else ffi.NULL)
            finally:
                self._talk.source = None

    def add_float_ops(self, only_listed: bool) -> None:
        self._call(lib.tfprof_profile_add_float_ops, only_listed)

    # -- Options

    def set(self, options: Mapping[str, str]) -> None:
        for name, value in options.items():
            self._call(lib.tfprof_profile_set, _chars(name, "an option"),
                       _chars(value, name))

    def reset(self) -> None:
        self._call(lib.tfprof_profile_reset)

    def get(self, name: str) -> str:
        """The value of an option, as text that set() accepts."""
        with self._lock:
            self._check_idle()
            chars = _chars(name, "an option")
            size = lib.tfprof_profile_get(self._open(), chars, ffi.NULL, 0) + 1
            buffer = ffi.new("char[]", size)
            lib.tfprof_profile_get(self._open(), chars, buffer, size)
            return _text(buffer)

    def asking(self, options: Mapping[str, str]) -> _Question:
        """A context manager for one result: the options apply inside it, and
        other threads wait. Returns the list of remarks made inside it."""
        return _Question(self, options)

    # -- Results

    def write(self, what: str, *words: Any,
              last: tuple[Any, ...] = ()) -> bytes:
        """The output of tfprof_profile_write_{what}. `last` are the words that
        the function expects after the callback."""
        with self._lock:
            self._check_idle()
            self._talk.written = bytearray()
            try:
                self._call(getattr(lib, f"tfprof_profile_write_{what}"), *words,
                           lib.tfprof_py_safe_write, self._self, *last)
                return bytes(self._talk.written)
            finally:
                self._talk.written = bytearray()

    def write_summary(self, words: str | None) -> bytes:
        return self.write("summary", ffi.NULL if words is None
                          else _chars(words, "the inputs"))

    def write_diff(self, view: str | None, base: list[bytes],
                   head: list[bytes]) -> bytes:
        words = [ffi.new("char[]", path) for path in base + head]
        name = ffi.NULL if view is None else _chars(view, "a view")
        return self.write("diff", name, words[:len(base)], len(base),
                          words[len(base):], len(head))

    def write_report(self, base: list[bytes]) -> bytes:
        words = [ffi.new("char[]", path) for path in base]
        return self.write("report", words, len(words))

    def write_check(self, paths: list[bytes]) -> bytes:
        words = [ffi.new("char[]", path) for path in paths]
        # The output has the verdict, too.
        return self.write("check", words, len(words),
                          last=(ffi.new("tfprof_verdict *"),))

    def write_baseline(self, paths: list[bytes]) -> bytes:
        words = [ffi.new("char[]", path) for path in paths]
        return self.write("baseline", words, len(words))

    def view(self, kind: str) -> Any:
        """A tfprof_view *, released with the last reference to it."""
        found = ffi.new("tfprof_view **")
        self._call(lib.tfprof_profile_view, kind.encode(), found)
        return ffi.gc(found[0], lib.tfprof_view_free)

    def table(self, kind: str) -> Any:
        """A tfprof_table *, released with the last reference to it."""
        found = ffi.new("tfprof_table **")
        self._call(lib.tfprof_profile_table, kind.encode(), found)
        return ffi.gc(found[0], lib.tfprof_table_free)

    def save(self, path: str | os.PathLike[str]) -> None:
        self._call(lib.tfprof_profile_save, path_chars(path))


class _Question:
    def __init__(self, handle: Handle, options: Mapping[str, str]) -> None:
        self._handle = handle
        self._options = options

    def __enter__(self) -> list[str]:
        handle = self._handle
        handle._lock.acquire()
        try:
            handle._call(lib.tfprof_profile_keep_options)
            remarks = handle._talk.remarks = []
            handle.set(self._options)
        except BaseException:
            self.__exit__()
            raise
        return remarks

    def __exit__(self, *why: object) -> None:
        handle = self._handle
        if handle._pointer is not None and not handle._busy:
            lib.tfprof_profile_restore_options(handle._pointer)
        handle._lock.release()


# ---- Views ------------------------------------------------------------------

def _names(function: Any) -> tuple[str, ...]:
    found: list[str] = []
    while True:
        name = function(len(found))
        if name == ffi.NULL:
            return tuple(found)
        found.append(_text(name))


METRICS = _names(lib.tfprof_metric_name)
FACTS = _names(lib.tfprof_fact_name)


def table_row_count(table: Any) -> int:
    return int(lib.tfprof_table_row_count(table))


def row_count(view: Any) -> int:
    return int(lib.tfprof_view_row_count(view))


def view_metrics(view: Any) -> tuple[int, ...]:
    """The metrics that a view has, by number."""
    return tuple(i for i in range(len(METRICS)) if lib.tfprof_view_has(view, i))


def view_facts(view: Any) -> tuple[int, ...]:
    return tuple(i for i in range(len(FACTS))
                 if lib.tfprof_view_tells(view, i))


def row(view: Any, index: int) -> Any:
    """A tfprof_row. Its name is valid as long as the view."""
    found = ffi.new("tfprof_row *")
    lib.tfprof_view_row(view, index, found)
    return found


_TIMES = frozenset(i for i in range(len(METRICS))
                   if _text(lib.tfprof_metric_unit(i)) == "microseconds")
_NO_ROW = int(ffi.cast("size_t", -1))


def _exact(view: Any, metric: int) -> bool:
    """Is it a time with a resolution below one microsecond?"""
    return metric in _TIMES and bool(lib.tfprof_view_has_picos(view))


def exact_metrics(view: Any) -> frozenset[str]:
    """The names of these metrics."""
    return frozenset(METRICS[i] for i in _TIMES if _exact(view, i))


def _micros(view: Any, index: int, metric: int, below: bool) -> float:
    return int(lib.tfprof_view_picos(view, index, metric, below)) / 1_000_000


def row_self(view: Any, index: int, metric: int) -> float:
    if _exact(view, metric):
        return _micros(view, index, metric, False)
    return int(lib.tfprof_view_self(view, index, metric))


def row_total(view: Any, index: int, metric: int) -> float:
    if _exact(view, metric):
        return _micros(view, index, metric, True)
    return int(lib.tfprof_view_total(view, index, metric))


def row_rest(view: Any, index: int) -> int:
    return int(lib.tfprof_view_rest(view, index))


def row_line(view: Any, index: int) -> int:
    return int(lib.tfprof_view_line(view, index))


def view_sum(view: Any, metric: int) -> float:
    if _exact(view, metric):
        return _micros(view, _NO_ROW, metric, False)
    return int(lib.tfprof_view_sum(view, metric))


def row_fact(view: Any, index: int, fact: int) -> str:
    return text(lib.tfprof_view_fact(view, index, fact))


def row_tensor(view: Any, index: int) -> Any:
    """A tfprof_tensor, valid as long as the view. None if no checkpoint
    contains it or it could not be read."""
    found = ffi.new("tfprof_tensor *")
    status = lib.tfprof_view_tensor(view, index, found)
    return found if status == lib.TFPROF_OK else None


def tensor_shape(tensor: Any) -> tuple[int, ...]:
    return tuple(ffi.unpack(tensor.shape, tensor.rank)) if tensor.rank else ()


def tensor_dtype(tensor: Any) -> str:
    return _text(tensor.dtype)


def tensor_strings(tensor: Any) -> list[bytes]:
    data = tensor_bytes(tensor)
    ends = list(tensor.ends[0:tensor.count]) if tensor.count else []
    return [data[start:end] for start, end in zip([0, *ends], ends)]


def tensor_bytes(tensor: Any) -> bytes:
    return bytes(ffi.buffer(tensor.data, tensor.size)) if tensor.size else b""


def metric_unit(metric: int) -> str:
    return _text(lib.tfprof_metric_unit(metric))


def metric_word(metric: int) -> str:
    """The word of the option `select` for this metric."""
    return _text(lib.tfprof_metric_word(metric))


def metric_title(metric: int) -> str:
    return _text(lib.tfprof_metric_title(metric))


def rows(view: Any) -> Iterator[Any]:
    """Each tfprof_row of a view."""
    for index in range(row_count(view)):
        yield row(view, index)


# ---- Options ----------------------------------------------------------------

def find_option(name: str) -> tuple[Any, Any]:
    """A tfprof_option * and None, or None and the most similar one, if any."""
    nearest = ffi.new("const tfprof_option **")
    found = lib.tfprof_option_find(_chars(name, "an option"), nearest)
    if found != ffi.NULL:
        return found, None
    return None, nearest[0] if nearest[0] != ffi.NULL else None


def option_names() -> tuple[str, ...]:
    return tuple(_text(lib.tfprof_option_at(i).name)
                 for i in range(lib.tfprof_option_count()))


def option_name(option: Any) -> str:
    return _text(option.name)


_KINDS = {
    lib.TFPROF_OPTION_BOOL: "bool",
    lib.TFPROF_OPTION_INT: "int",
    lib.TFPROF_OPTION_SIZE: "size",
    lib.TFPROF_OPTION_CHOICE: "choice",
    lib.TFPROF_OPTION_PATHS: "paths",
    lib.TFPROF_OPTION_LIST: "list",
    lib.TFPROF_OPTION_SET: "set",
    lib.TFPROF_OPTION_OUTPUT: "output",
    lib.TFPROF_OPTION_PAIRS: "pairs",
}


def option_kind(option: Any) -> str:
    return _KINDS[option.kind]


# ---- Arrow ------------------------------------------------------------------

_TABLE = ffi.typeof("tfprof_table *")


def arrow_stream(answer: Any) -> Any:
    """A struct ArrowArrayStream * of a view or a table, released with the last
    reference to it."""
    stream = ffi.gc(lib.tfprof_py_stream_new(), lib.tfprof_py_stream_free)
    err = ffi.new("tfprof_error *")
    if stream == ffi.NULL:
        raise MemoryError("no memory for an Arrow stream")
    export = (lib.tfprof_table_export_arrow
              if ffi.typeof(answer) is _TABLE else lib.tfprof_view_export_arrow)
    code = export(answer, stream, err)
    if code != lib.TFPROF_OK:
        raise exception(code, err)
    return stream


def arrow_capsule(view: Any, new: Callable[[int, int, int], Any]) -> Any:
    """A capsule that owns such a stream. `new` is PyCapsule_New() with three
    addresses: of the stream, the name of the capsule, and its destructor."""
    stream = arrow_stream(view)
    name, destructor = (lib.tfprof_py_stream_name(),
                        lib.tfprof_py_stream_destructor())
    capsule = new(*(int(ffi.cast("uintptr_t", word))
                    for word in (stream, name, destructor)))
    ffi.gc(stream, None)
    return capsule


class Columns:
    """The schema and the array of each column of a view. They are valid until
    it is closed."""

    def __init__(self, view: Any) -> None:
        stream = arrow_stream(view)
        self._schema = ffi.new("struct ArrowSchema *")
        self._array = ffi.new("struct ArrowArray *")
        if (stream.get_schema(stream, self._schema) != 0
                or stream.get_next(stream, self._array) != 0):
            self.__exit__()
            raise MemoryError("no memory for the columns of a view")

    def __enter__(self) -> Columns:
        return self

    def __exit__(self, *_: object) -> None:
        for part in (self._schema, self._array):
            if part.release != ffi.NULL:
                part.release(part)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        for index in range(self._schema.n_children):
            yield self._schema.children[index], self._array.children[index]


def arrow_format(schema: Any) -> tuple[str, str]:
    """Name and format of a column."""
    return _text(schema.name), _text(schema.format)


def arrow_buffer(array: Any, index: int, size: int) -> Any:
    """Bytes of a column, not copied."""
    return ffi.buffer(array.buffers[index], size)
