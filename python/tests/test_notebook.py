"""What a notebook shows, in a real browser.

Without chromium and Playwright, which tools/setup brings, these tests skip, or
with CI=true fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest
import samples
from inputs import GRAPH, RUN

import tfprof
from tfprof import _notebook

HOSTILE = b"</script><img src=x onerror=alert(1)>\xe2\x80\xae\x1b[31m\""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.started() as running:
        yield running


def drawn(browser: Any, folder: Path,
          body: str) -> tuple[Any, list[str], list[str]]:
    """The frame in a page with this body, requests and errors."""
    file = folder / "notebook.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><body>{body}",
                    encoding="utf-8")
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda one: requests.append(one.url))
    page.on("pageerror", lambda one: errors.append(str(one)))
    page.on("dialog", lambda one: errors.append(one.message))
    page.goto(file.as_uri())
    frame = page.frames[1]
    frame.wait_for_function("window.tfprof && window.tfprof.boxes > 0")
    return frame, requests, errors


def node(name: bytes) -> bytes:
    data = b"\x0a" + bytes([len(name)]) + name + b"\x12\x04NoOp"
    return b"\x0a" + bytes([len(data)]) + data


@pytest.mark.parametrize("make", [
    pytest.param(lambda profile: profile.scope(select="micros"), id="view"),
    pytest.param(lambda profile: profile, id="profile")])
def test_a_notebook_draws_the_page(make: Any, browser: Any,
                                   tmp_path: Path) -> None:
    profile = tfprof.open(GRAPH, RUN)
    frame, requests, errors = drawn(browser, tmp_path,
                                    make(profile)._repr_html_())
    assert [url for url in requests if not url.startswith(
        ("file:", "about:srcdoc"))] == []
    assert errors == []
    text = frame.inner_text("body")
    for row in profile.scope(select="micros"):
        if row.depth == 1 and row.total.micros > 0:
            assert row.name in text


def test_hostile_names_stay_text(browser: Any, tmp_path: Path) -> None:
    view = tfprof.open(graph=node(HOSTILE)).scope()
    body = view._repr_html_()
    assert "<img" not in body and "\u202e" not in body and "\x1b" not in body
    # A node without any cost has no box; the frame is drawn for the root.
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><body>{body}",
                    encoding="utf-8")
    page = browser.new_page()
    said: list[str] = []
    page.on("dialog", lambda one: said.append(one.message))
    page.on("pageerror", lambda one: said.append(str(one)))
    page.goto(file.as_uri())
    page.frames[1].wait_for_selector("table", state="attached")
    assert page.frames[1].locator("img").count() == 0
    assert said == []


def test_the_frame_reaches_nothing_else() -> None:
    body = tfprof.open(GRAPH, RUN).scope()._repr_html_()
    assert re.findall(r'sandbox="([^"]*)"', body) == ["allow-scripts"]
    assert "Content-Security-Policy" in body


def test_a_huge_view_has_only_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    view = tfprof.open(GRAPH, RUN).scope()
    monkeypatch.setattr(_notebook, "MAX_PAGE_ROWS", len(view) - 1)
    assert "<iframe" not in view._repr_html_()
    assert "tfprof-row" in view._repr_html_()


def test_float_operations_have_a_table() -> None:
    counted = tfprof.flops(graph=samples.FROZEN.encode(),
                           shape={"input": "1x8x8x3"})
    body = counted._repr_html_()
    assert counted.total > 0 and f">{counted.total:,}<" in body
    shown = [row["op"] for row in counted.by_type if row["float_ops"] > 0]
    assert shown == re.findall(
        r"<td>(\w+)</td>", body.split("By type")[1].split("</table>")[0])


def test_advice_has_a_row_per_finding() -> None:
    findings = tfprof.open(GRAPH, RUN).advise()
    body = findings._repr_html_()
    assert len(findings) > 0
    assert body.count("<tr>") == min(len(findings), _notebook.SHOWN) + 1


def test_a_closed_profile_has_no_picture() -> None:
    profile = tfprof.open(GRAPH)
    profile.close()
    assert profile._repr_html_() == "&lt;tfprof.Profile, closed&gt;"
