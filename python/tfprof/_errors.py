"""The exceptions of the package."""

from __future__ import annotations


def _safe(message: str) -> str:
    """Escapes a message for printing: it may quote text of a file."""
    from tfprof._native import escape
    return escape(message)


class Error(Exception):
    """The base class of all errors of tfprof. The message contains the file,
    the position, the reason, and what to do."""

    def __str__(self) -> str:
        return _safe(super().__str__())


class CorruptInput(Error):
    """The content of a file is invalid.

    offset: the byte where the error was detected, or None.
    line, column: the position in a text file, or None.
    """

    def __init__(self, message: str, offset: int | None = None,
                 line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.line = line
        self.column = column


class UnsupportedInput(Error):
    """A file is valid, but tfprof cannot read its file type, such as a .keras
    archive. The message names a file to use instead."""


class OptionError(Error, ValueError):
    """An option is unknown, a value is invalid, or the inputs lack the
    requested data."""


class LimitExceeded(Error):
    """A documented limit was exceeded. The message names its option."""


class BudgetError(Error, AssertionError):
    """A budget is broken. The message has a line for each one, the worst
    first."""

    def __str__(self) -> str:
        return "\n".join(_safe(line) for line in str(self.args[0]).split("\n"))


class _SystemError(Error, OSError):
    """A system call failed. `errno` is set if known; the message names the
    file."""

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
    """The output could not be written."""


# Tracebacks then show the public names: tfprof.Error and so on.
for _kind in (Error, CorruptInput, UnsupportedInput, OptionError, LimitExceeded,
              BudgetError, ReadError, OutputError):
    _kind.__module__ = "tfprof"
