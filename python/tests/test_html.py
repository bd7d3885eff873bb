"""Views as HTML, in a real browser.

Without chromium, which tools/setup brings, these tests skip, or with CI=true
fail.
"""

from __future__ import annotations

import html.parser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from faults import graph
from inputs import GRAPH, RUN
from lacking import lacks

import tfprof
from tfprof import _html

CHROMIUM = (shutil.which("chromium") or shutil.which("chromium-browser") or "")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync",
         "--window-size=1200,800", "--virtual-time-budget=3000"]


@pytest.fixture
def view() -> tfprof.View:
    return tfprof.open(GRAPH, RUN).scope(select="bytes,micros,op_types")


def browse(folder: Path, body: str, *args: str) -> str:
    """What the browser prints about a page with this body."""
    if not CHROMIUM:
        lacks("needs chromium (tools/setup brings it)")
    page = folder / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body>{body}",
                    encoding="utf-8")
    (folder / "empty").mkdir()
    done = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'empty'}", *args,
         page.as_uri()], capture_output=True, check=True, timeout=120)
    return done.stdout.decode()


# Closes each row in turn and notes how many rows can still be seen; puts what
# it finds where --dump-dom shows it.
PROBE = """<script>
addEventListener("load", () => {
  const seen = () => [...document.querySelectorAll(".tfprof-row")]
      .filter(row => row.checkVisibility()).length;
  const found = [seen()];
  const root = document.querySelector("details");
  root.querySelector("summary").click();
  found.push(seen());
  root.querySelector("summary").click();
  found.push(seen());
  const lefts = new Set([...document.querySelectorAll(
      ".tfprof-row > span:nth-child(2)")].map(
      cell => Math.round(cell.getBoundingClientRect().left)));
  found.push(lefts.size);
  document.body.setAttribute("data-found", found.join(" "));
});
</script>"""


def test_rows_open_and_close_in_a_browser(view: tfprof.View,
                                          tmp_path: Path) -> None:
    dom = browse(tmp_path, _html.page(view) + PROBE, "--dump-dom")
    found = re.search(r'data-found="([^"]*)"', dom)
    assert found
    all_rows, closed, again, columns = map(int, found[1].split())
    assert all_rows == again == len(view) + 1  # with the head
    assert closed == 2
    assert columns == 1  # figures stand below each other


def test_a_browser_draws_it(view: tfprof.View, tmp_path: Path) -> None:
    picture = tmp_path / "view.png"
    browse(tmp_path, _html.page(view), f"--screenshot={picture}")
    # An empty page of this size packs to less than 5 KB.
    assert picture.stat().st_size > 15000


def test_elements_are_closed(view: tfprof.View) -> None:
    opened: list[str] = []

    class Check(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    checker = Check()
    checker.feed(_html.page(view))
    assert opened == []


def test_names_are_escaped() -> None:
    name = b'<img src=x onerror="alert(1)">&amp;\xe2\x80\xae\x1b[31m'
    data = b"\x0a" + bytes([len(name) + 8]) + (
        b"\x0a" + bytes([len(name)]) + name + b"\x12\x04NoOp")
    page = _html.page(tfprof.open(graph=data).scope())
    assert "<img" not in page and "onerror=\"" not in page
    assert "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;" in page
    assert "\u202e" not in page and "\x1b" not in page


def test_a_huge_view_is_cut_and_says_so() -> None:
    view = tfprof.open(graph(20_000)).scope()
    page = _html.page(view)
    assert page.count("tfprof-row") < 2 * _html.MAX_ROWS + 50
    assert f"{_html.MAX_ROWS:,} of {len(view):,} rows" in page
    assert len(page) < 2 << 20


def test_a_deep_view_nests_only_so_far() -> None:
    deep = b"/".join(b"s" for _ in range(60))
    name = deep + b"/end"
    node = b"\x0a" + bytes([0x80 | len(name) & 127, len(name) >> 7]) + name
    node += b"\x12\x04NoOp"
    data = b"\x0a" + bytes([0x80 | len(node) & 127, len(node) >> 7]) + node
    view = tfprof.open(graph=data).scope(max_depth=1000)
    assert len(view) == 62
    assert _html.page(view).count("<details") <= _html.MAX_NESTING
