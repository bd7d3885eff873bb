"""The answer of a report, and its forms: text, JSON, Markdown and HTML."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tfprof._errors import OptionError, OutputError
from tfprof._native import escape

Row = dict[str, Any]

_MARKS = str.maketrans({**{mark: "\\" + mark for mark in "\\`*_[]#~$"},
                        **{mark: f"&#{ord(mark)};" for mark in "<>&|"}})
_STYLE = """
:root { color-scheme: light dark; }
body { font-family: system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; margin: 0.5em 0 1.5em; }
th, td { padding: 0.2em 0.7em; text-align: right; white-space: nowrap;
  border-bottom: 1px solid rgba(128, 128, 128, 0.3); }
th.text, td.text { text-align: left; }
td.text { font-family: ui-monospace, monospace; }
td.text:last-child { white-space: normal; overflow-wrap: anywhere; }
"""


class Column(NamedTuple):
    """A column of a table.

    key: the key of the value in the rows. form: how text shows the value: text,
    time (from ns), count, percent (from a fraction), number or p.
    """
    key: str
    title: str
    form: str = "text"


class Section(NamedTuple):
    """A table of an answer."""
    name: str
    title: str
    columns: Sequence[Column]
    rows: list[Row]


class Result:
    """The answer of a report: a few tables and remarks.

    name: "report", "stragglers", "changes", "excluded" or "compact".
    rows: the rows of the first table, as dicts. Times are in nanoseconds.
    sections: the rows of each table by its name.
    fleet: the number of jobs, workers and steps, and of excluded workers.
    remarks: sentences about the answer.
    """

    def __init__(self, name: str, fleet: Row, sections: Sequence[Section],
                 remarks: Sequence[str]) -> None:
        self.name = name
        self.fleet = fleet
        self.remarks = tuple(remarks)
        self._sections = tuple(sections)

    @property
    def sections(self) -> dict[str, list[Row]]:
        return {section.name: section.rows for section in self._sections}

    @property
    def rows(self) -> list[Row]:
        return self._sections[0].rows if self._sections else []

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return "".join(self._tables())

    # ---- Forms

    def to_json(self) -> str:
        return json.dumps({self.name: 1, "fleet": self.fleet, **self.sections,
                           "remarks": list(self.remarks)}, indent=2) + "\n"

    def to_text(self) -> str:
        parts = [self._head()]
        for section in self._sections:
            if section.rows:
                parts.append(section.title + "\n" + _text_table(section))
        parts += [f"{remark}\n" for remark in map(escape, self.remarks)]
        return "\n".join(parts)

    def to_markdown(self) -> str:
        parts = [self._head()]
        for section in self._sections:
            if not section.rows:
                continue
            lines = [f"**{section.title}**", "",
                     "| " + " | ".join(c.title for c in section.columns) + " |",
                     "| " + " | ".join("---" if c.form == "text" else "---:"
                                       for c in section.columns) + " |"]
            lines += ["| " + " | ".join(_marked(_shown(row, c))
                                        for c in section.columns) + " |"
                      for row in section.rows]
            parts.append("\n".join(lines) + "\n")
        parts += [_marked(escape(remark)) + "\n" for remark in self.remarks]
        return "\n".join(parts)

    def to_html(self) -> str:
        """A page that needs no other file and has no script."""
        return ("<!DOCTYPE html>\n<html lang=\"en\">\n"
                "<meta charset=\"utf-8\">\n"
                f"<title>tfprof fleet {self.name}</title>\n"
                f"<style>{_STYLE}</style>\n<h1>Fleet {self.name}</h1>\n"
                + "".join(self._tables()) + "</html>\n")

    def _tables(self) -> Iterator[str]:
        yield f"<p>{html.escape(self._head().strip())}</p>\n"
        for section in self._sections:
            if not section.rows:
                continue
            yield f"<h2>{html.escape(section.title)}</h2>\n<table>\n<tr>"
            for column in section.columns:
                yield f"<th{_class(column)}>{html.escape(column.title)}</th>"
            yield "</tr>\n"
            for row in section.rows:
                yield "<tr>" + "".join(
                    f"<td{_class(column)}>{html.escape(_shown(row, column))}"
                    "</td>" for column in section.columns) + "</tr>\n"
            yield "</table>\n"
        for remark in self.remarks:
            yield f"<p>{html.escape(escape(remark))}</p>\n"

    def _head(self) -> str:
        f = self.fleet
        return (f"{many(f['workers'], 'worker')} of "
                f"{many(f['jobs'], 'job')}, "
                f"{many(f['steps'], 'step')}; "
                f"{f['excluded']:,} excluded\n")

    def write(self, path: str | os.PathLike[str], form: str) -> None:
        """Writes a form (text, json, markdown or html) to a file."""
        text = self.form(form)
        try:
            with open(path, "w", encoding="utf-8",
                      errors="backslashreplace") as file:
                file.write(text)
        except OSError as error:
            raise OutputError(f"{os.fspath(path)}: cannot write: "
                              f"{error.strerror}", error.errno) from error

    def form(self, name: str) -> str:
        forms = {"table": self.to_text, "text": self.to_text,
                 "json": self.to_json, "markdown": self.to_markdown,
                 "html": self.to_html}
        if name not in forms:
            raise OptionError(f"form: {name!r} is not one of "
                              + ", ".join(forms))
        return forms[name]()


def many(count: int, word: str) -> str:
    """A count and its noun."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def time_text(nanoseconds: float) -> str:
    """A time with four digits and its unit."""
    for least, size, unit in ((0.99995e9, 1e9, "s"), (0.99995e6, 1e6, "ms"),
                              (999.5, 1e3, "us")):
        if abs(nanoseconds) >= least:
            value = nanoseconds / size
            digits = next((digits for digits in (3, 2, 1)
                           if round(abs(value), digits) < 10 ** (4 - digits)),
                          0)
            return f"{value:.{digits}f} {unit}"
    return f"{_fixed(nanoseconds, 0)} ns"


def _fixed(value: float, digits: int) -> str:
    """A number with this many decimal places; never -0."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def _shown(row: Row, column: Column) -> str:
    value = row[column.key]
    if value is None:
        return "--"
    if column.form == "time":
        return time_text(value)
    if column.form == "percent":
        return f"{_fixed(100 * value, 2)} %"
    if column.form == "count":
        return f"{value:,}"
    if column.form == "number":
        return _fixed(value, 1)
    if column.form == "p":
        return f"{value:.2g}"
    return escape(str(value))


def _text_table(section: Section) -> str:
    cells = [[column.title for column in section.columns]]
    cells += [[_shown(row, column) for column in section.columns]
              for row in section.rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = []
    for line in cells:
        parts = [cell.ljust(width) if column.form == "text"
                 else cell.rjust(width)
                 for cell, width, column in zip(line, widths, section.columns)]
        lines.append(("  ".join(parts)).rstrip())
    return "\n".join(lines) + "\n"


def _marked(text: str) -> str:
    """Text that Markdown shows unchanged."""
    return text.translate(_MARKS)


def _class(column: Column) -> str:
    return ' class="text"' if column.form == "text" else ""
