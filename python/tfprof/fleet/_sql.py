"""The SQL of the reports, in files that all engines share.

A file has placeholders such as {rows}, and QUANTILE(column, q), because engines
have different names for a quantile with linear interpolation. Everything else
is SQL that has the same meaning in DuckDB, Spark and ClickHouse.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Mapping

_PLACE = re.compile(r"\{(\w+)\}")
_COMMENT = re.compile(r"^\s*--.*\n", re.M)
QUANTILE = re.compile(r"QUANTILE\((\w+), ([\d.]+)\)")


@functools.cache
def text(name: str) -> str:
    """The file sql/NAME.sql without comments."""
    path = os.path.join(os.path.dirname(__file__), "sql", f"{name}.sql")
    with open(path, encoding="utf-8") as file:
        return _COMMENT.sub("", file.read()).strip()


def places(name: str) -> set[str]:
    """The names of the placeholders in a file: tables and other values."""
    return set(_PLACE.findall(text(name)))


def filled(name: str, values: Mapping[str, object],
           translated: Callable[[str], str]) -> str:
    """The file in the words of an engine, with its placeholders replaced. The
    values are not translated, because they contain names of jobs and files."""
    return _PLACE.sub(lambda match: str(values[match[1]]),
                      translated(text(name)))


def quoted(value: str) -> str:
    """A string literal of DuckDB, with quotes doubled. Spark and ClickHouse
    also interpret backslashes; see their literal()."""
    return "'" + value.replace("'", "''") + "'"
