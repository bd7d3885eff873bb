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
        is_figure = isinstance(word, (int, float))
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


def _share(part: int, whole: int) -> str:
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
