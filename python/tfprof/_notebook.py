"""HTML for notebooks: pages in frames, and small tables.

The page of a view is the one that --output html: writes. Its frame may run the
script of the page, but cannot access the network or the notebook. Programs that
remove frames, such as web viewers of notebooks, still show the table below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from tfprof import _html, _native

if TYPE_CHECKING:
    from tfprof._advice import Advice
    from tfprof._flops import Flops
    from tfprof._profile import Profile
    from tfprof._summary import Cost, Summary
    from tfprof._table import Table
    from tfprof._view import View

MAX_PAGE_ROWS = 200_000  # a notebook stores the page of each view
SHOWN = 15               # rows of a list that are shown

_STYLE = """
.tfprof-list { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.tfprof-list th, .tfprof-list td { padding: 0.1em 0.8em; text-align: left;
  vertical-align: top; overflow-wrap: anywhere;
  border-bottom: 1px solid rgba(128, 128, 128, 0.2); }
.tfprof-list .tfprof-figure { text-align: right; }
.tfprof-list caption { text-align: left; font-weight: 600; padding: 0.6em 0; }
"""


def _frame(page: str, height: int) -> str:
    # Without allow-same-origin the page cannot reach the notebook around it.
    return (f'<iframe class="tfprof-frame" title="tfprof" '
            f'sandbox="allow-scripts" width="100%" height="{height}" '
            f'style="border: 0" srcdoc="{escape(page)}"></iframe>')


def _view_frame(view: View) -> str:
    with view._handle.asking(view._options):
        page = view._handle.write("page", view.kind.encode())
    return _frame(page.decode("utf-8", "replace"), 640)


def view(shown: View) -> str:
    """The page of a view, with a table of its rows below."""
    if len(shown) > MAX_PAGE_ROWS:
        return _html.page(shown)
    return (f"{_view_frame(shown)}<details><summary>rows</summary>"
            f"{_html.page(shown)}</details>")


# ---- Lists ------------------------------------------------------------------

def _cells(words: Iterable[object], kind: str) -> str:
    parts = []
    for word in words:
        is_figure = (isinstance(word, (int, float))
                     and not isinstance(word, bool))
        text = f"{word:,}" if is_figure else _native.escape(str(word))
        parts.append(f'<{kind}{" class=tfprof-figure" if is_figure else ""}>'
                     f"{escape(text)}</{kind}>")
    return "".join(parts)


def _list(caption: str, titles: Sequence[str],
          rows: Sequence[Sequence[object]]) -> str:
    if not rows:
        return ""
    more = (f"<div>and {len(rows) - SHOWN:,} more</div>"
            if len(rows) > SHOWN else "")
    head = f"<tr>{_cells(titles, 'th')}</tr>" if titles else ""
    body = "".join(f"<tr>{_cells(row, 'td')}</tr>" for row in rows[:SHOWN])
    return (f'<table class="tfprof-list"><caption>{escape(caption)}</caption>'
            f"{head}{body}</table>{more}")


def _page(*parts: str) -> str:
    return (f'<div class="tfprof {_html.NO_MATH}"><style>{_STYLE}</style>'
            f"{''.join(parts)}</div>")


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole > 0 else ""


def flops(counted: Flops) -> str:
    """Tables of the counts of a model, its operation types and its layers."""
    least = "at least " if counted.lower_bound else ""
    counts: list[tuple[str, object]] = [
        ("FLOPs", f"{least}{counted.total:,}"),
        ("MACs", f"{least}{counted.macs:,}"),
        ("parameters", "unknown" if counted.params is None
         else f"{counted.params:,}"),
        ("coverage", f"{counted.coverage:.1%} of the compute nodes")]
    return _page(
        _list("Float operations", (), counts),
        _list("By type", ("type", "nodes", "FLOPs", "share"),
              [(row["op"], row["nodes"], row["float_ops"],
                _share(row["float_ops"], counted.total))
               for row in counted.by_type if row["float_ops"]]),
        _list("By layer", ("layer", "parameters", "FLOPs", "share"),
              [(row["layer"], row["params"], row["float_ops"],
                _share(row["float_ops"], counted.total))
               for row in counted.layers]),
        _list("Not counted", ("node", "reason", "missing"),
              [(row["node"], row["why"], row["missing"])
               for row in counted.uncounted]))


def table(shown: Table) -> str:
    """The rows of a table, without the columns that no row has a value in."""
    rows = shown.rows
    names = [name for name in (rows[0] if rows else ())
             if any(row[name] is not None for row in rows)]
    if not names:
        return _page(f"<div>{escape(shown.name)}: no rows</div>")
    return _page(_list(shown.name.capitalize(), names, [
        ["" if row[name] is None else row[name] for name in names]
        for row in rows]))


def _costs(title: str, costs: Sequence[Cost]) -> str:
    if not costs:
        return ""
    return _list(title, ("name", costs[0].metric, "share"),
                 [(one.name, one.value, f"{one.share:.1%}") for one in costs])


def summary(shown: Summary) -> str:
    """Tables of the figures and of the most expensive."""
    facts: list[tuple[str, object]] = []
    if shown.params is not None:
        about = "about " if shown.params_estimated else ""
        facts.append(("parameters", f"{about}{shown.params:,}"))
    if shown.float_ops is not None:
        facts.append(("FLOPs", shown.float_ops))
    if shown.steps:
        facts.append(("steps", shown.steps))
    if shown.wall_micros["p50"] is not None:
        facts.append(("median step, microseconds", shown.wall_micros["p50"]))
    facts += [(f"{one.name} busy", _share(one.busy_micros, one.busy_micros
                                          + one.idle_micros))
              for one in shown.devices[:3]]
    if shown.input_wait:
        facts.append(("input wait", f"{shown.input_wait.share:.2%}, in "
                      f"{shown.input_wait.waiting_steps:,} of "
                      f"{shown.input_wait.steps:,} steps; try: "
                      f"{shown.input_wait.hint}"))
    if shown.memory:
        facts.append(("peak memory, bytes", shown.memory.bytes))
    if shown.advice:
        facts.append(("advice", f"{shown.advice.about}; try: "
                      f"{shown.advice.hint}"))
    return _page(_list("Summary", (), facts),
                 _costs("Scopes", shown.scopes),
                 _costs("Operation types", shown.op_types),
                 _costs("Lines", shown.lines))


def advice(findings: Advice) -> str:
    """A table with a row for each finding."""
    rows = []
    for found in findings:
        where = found.node or ""
        if found.file:
            where = f"{where} ({found.file}:{found.line})".lstrip()
        rows.append((found.checker, found.report, where, found.hint or ""))
    if not rows:
        return _page("<div>no findings</div>")
    return _page(_list("Advice", ("checker", "finding", "where", "try"), rows))


def profile(opened: Profile) -> str:
    """A table of the input files, and the page of the scope view."""
    if opened._handle is None:
        return escape(repr(opened))
    files = [(one.path, one.kind, one.status) for one in opened.inputs]
    shown = opened.scope()
    return _page(_list("Inputs", ("file", "type", "status"), files),
                 _view_frame(shown) if len(shown) <= MAX_PAGE_ROWS
                 else _html.page(shown))
