"""The rows of a view as HTML, for notebooks.

Rows are nested <details> elements, which open and close without a script: many
notebooks do not run scripts. Colors are those of the surrounding page. Names
come from untrusted files and are escaped. Two classes stop MathJax, which many
notebooks load, from reading formulas in names.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tfprof import _native

if TYPE_CHECKING:
    from tfprof._view import Row, View

MAX_ROWS = 2000   # more would make a notebook slow
MAX_NESTING = 60  # browsers limit the nesting of elements
OPEN_DEPTH = 2    # rows above it are open at first

NO_MATH = "tex2jax_ignore mathjax_ignore"  # MathJax 2; MathJax 3 and later

_STYLE = """
.tfprof { font-size: 0.9em; line-height: 1.5; overflow-x: auto;
  width: fit-content; max-width: 100%; }
.tfprof div, .tfprof summary { min-width: max-content; }
.tfprof-row { display: flex; list-style: none; align-items: baseline;
  border-bottom: 1px solid rgba(128, 128, 128, 0.2); }
.tfprof-row::-webkit-details-marker { display: none; }
.tfprof summary.tfprof-row { cursor: pointer; }
.tfprof .tfprof-row:hover { background: rgba(128, 128, 128, 0.12); }
.tfprof-head { font-weight: 600;
  border-bottom: 1px solid rgba(128, 128, 128, 0.6); }
.tfprof-row > span { box-sizing: border-box; flex: none; width: 8em;
  padding: 0.05em 0.6em; text-align: right; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis;
  font-variant-numeric: tabular-nums; }
.tfprof-row > span:first-child { flex: 1 0 24em; text-align: left;
  max-width: 60em; font-family: ui-monospace, monospace; }
.tfprof-row > span:first-child::before { display: inline-block;
  content: ""; width: 1.2em; opacity: 0.7; }
.tfprof details > summary > span:first-child::before { content: "\\25b8"; }
.tfprof details[open] > summary > span:first-child::before {
  content: "\\25be"; }
.tfprof-row > span.tfprof-text { width: 14em; text-align: left; }
.tfprof-row > span.tfprof-self { opacity: 0.65; width: 6em; }
.tfprof-note { padding: 0.4em 0; opacity: 0.8; }
"""

_STEPS = {
    "bytes": ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1, "B")),
    "microseconds": ((1e6, "sec"), (1e3, "ms"), (1, "us")),
    "count": ((1e9, "b"), (1e6, "m"), (1e3, "k"), (1, "")),
}


def _short(value: float, unit: str) -> str:
    if isinstance(value, float):  # rounded as in text; the title is exact
        value = int(value + 0.5) if value >= 0 else -int(0.5 - value)
    for size, name in _STEPS[unit]:
        if abs(value) >= size:
            return f"{value / size:.2f}{name}" if size > 1 else f"{value}{name}"
    return "0"


def _cell(word: str, kind: str = "", title: str = "", style: str = "") -> str:
    parts = ["<span"]
    for name, value in (("class", kind), ("title", title), ("style", style)):
        if value:
            parts.append(f' {name}="{escape(value)}"')
    return f"{''.join(parts)}>{escape(word)}</span>"


def _indent(depth: int) -> str:
    return f"padding-left: {0.3 + 1.2 * depth:.1f}em"


# The name of a line includes file and function; tensors are long.
_NOT_SHOWN = ("file", "function", "value_dtype", "value_shape", "value")


class _Page:
    def __init__(self, view: View) -> None:
        self.view = view
        self.units = [_native.metric_unit(i) for i in view._metrics]
        # Hovering over a short title shows the full name.
        self.titles = [_native.metric_title(i) for i in view._metrics]
        self.names = view.metrics
        self.facts = [_native.FACTS[i] for i in view._facts
                      if _native.FACTS[i] not in _NOT_SHOWN]
        self.whole = [view.total.to_dict()[name] for name in self.names]
        self.parts: list[str] = []

    def head(self) -> None:
        cells = [_cell(f"{self.view.kind} view", style=_indent(0))]
        for name, title in zip(self.names, self.titles):
            cells.append(_cell(title, title=f"{name}, total"))
            cells.append(_cell("self", "tfprof-self", f"{name}, self"))
        cells += [_cell(name.replace("_", " "), "tfprof-text")
                  for name in self.facts]
        self.parts.append('<div class="tfprof-row tfprof-head">'
                          f"{''.join(cells)}</div>")

    def _costs(self, row: Row) -> list[str]:
        cells = []
        total, own = row.total.to_dict(), row.self.to_dict()
        for name, unit, whole in zip(self.names, self.units, self.whole):
            part = min(max(total[name] / whole, 0), 1) if whole > 0 else 0
            bar = (f"background: linear-gradient(to left, rgba(70, 130, 220, "
                   f"0.28) {part:.1%}, transparent {part:.1%})"
                   if part >= 0.001 else "")
            cells.append(_cell(_short(total[name], unit), style=bar,
                               title=f"{name}, total: {total[name]:,}"))
            cells.append(_cell(_short(own[name], unit), "tfprof-self",
                               f"{name}, self: {own[name]:,}"))
        return cells

    def cells(self, row: Row, depth: int) -> str:
        name = _native.escape(row.name)
        shown = name
        above = row.parent
        if self.view.kind == "scope" and above is not None and depth > 1:
            start = _native.escape(above.name) + "/"
            shown = name[len(start):] if name.startswith(start) else name
        cells = [_cell(shown, title=name, style=_indent(depth)),
                 *self._costs(row)]
        for fact in self.facts:
            word = _native.escape(row._fact(fact))
            cells.append(_cell(word, "tfprof-text", word))
        return "".join(cells)

    def rows(self, shown: list[Row]) -> None:
        """Writes the rows in order. A row is closed before the next row that
        is not below it."""
        ends: list[int] = []  # of the details that are open
        shown_set = {row.index for row in shown}
        for row in shown:
            while ends and row.index >= ends[-1]:
                ends.pop()
                self.parts.append("</details>")
            depth = len(ends)
            end = row._row.end
            nests = (row.index + 1 in shown_set and end > row.index + 1
                     and self.view.kind != "op" and depth < MAX_NESTING)
            if nests:
                state = " open" if depth < OPEN_DEPTH else ""
                self.parts.append(
                    f'<details{state}><summary class="tfprof-row">'
                    f"{self.cells(row, depth)}</summary>")
                ends.append(end)
            else:
                self.parts.append(f'<div class="tfprof-row">'
                                  f"{self.cells(row, depth)}</div>")
        self.parts.append("</details>" * len(ends))


def _chosen(view: View) -> list[Row]:
    """At most MAX_ROWS rows; the levels nearest to the root come first."""
    if len(view) <= MAX_ROWS or view.kind == "op":
        return view[:MAX_ROWS]
    found: list[Row] = []
    level: list[Row] = []
    at = 0
    while at < len(view) and len(level) < MAX_ROWS:
        level.append(view[at])
        at = int(level[-1]._row.end)
    while level and len(found) + len(level) <= MAX_ROWS:
        found += level
        level = [child for row in level for child in row.children]
    found += level[:MAX_ROWS - len(found)]
    return sorted(found, key=lambda row: row.index)


def page(view: View) -> str:
    """The rows of a view as HTML."""
    made = _Page(view)
    shown = _chosen(view)
    made.head()
    made.rows(shown)
    if len(shown) < len(view):
        made.parts.append(
            f'<div class="tfprof-note">{len(shown):,} of {len(view):,} rows '
            "are shown; use max_depth, min_micros or show_name_regexes to "
            "select rows.</div>")
    return (f'<div class="tfprof {NO_MATH}"><style>{_STYLE}</style>'
            f"{''.join(made.parts)}</div>")
