"""What the package raises."""

from __future__ import annotations


def _safe(message: str) -> str:
    """A message as the program prints it: what it quotes may come from a
    file."""
    from tfprof._native import escape
    return escape(message)


class Error(Exception):
    """Whatever went wrong in tfprof; the message says which file, where, what
    and what to do."""

    def __str__(self) -> str:
        return _safe(super().__str__())


class CorruptInput(Error):
    """A file is not what it should be.

    offset: the byte where it ends to make sense, or None.
    line, column: of a text file, or None.
    """

    def __init__(self, message: str, offset: int | None = None,
                 line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.line = line
        self.column = column


class UnsupportedInput(Error):
    """A file is whole, and of a kind that is known and not read, such as a
    .keras archive; the message says what to give instead."""


class OptionError(Error, ValueError):
    """An unknown option, an unusable value, or a question that the inputs
    cannot answer."""


class LimitExceeded(Error):
    """A documented limit was reached; the message names its option."""


class _SystemError(Error, OSError):
    """What the system refused. `errno` is set where it is known; the message
    names the file."""

    def __init__(self, message: str, errno: int | None = None) -> None:
        super().__init__(message)
        self.errno = errno

    def __str__(self) -> str:
        return _safe(str(self.args[0]))

    def __reduce__(self) -> tuple[type, tuple[str, int | None]]:
        return type(self), (str(self), self.errno)


class ReadError(_SystemError):
    """A file cannot be opened or read."""


class OutputError(_SystemError):
    """The answer could not be written."""


# Users meet them, and tracebacks name them, as tfprof.Error and so on.
for _kind in (Error, CorruptInput, UnsupportedInput, OptionError, LimitExceeded,
              ReadError, OutputError):
    _kind.__module__ = "tfprof"
