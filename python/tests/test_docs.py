"""The examples of docs/python.md, run as they stand."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import pytest
from inputs import DATA, SOURCE_DIR

PAGE = SOURCE_DIR / "docs" / "python.md"


def test_examples_print_what_the_page_shows(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    blocks = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```\n",
                        PAGE.read_text(), re.M | re.S)
    assert len(blocks) == PAGE.read_text().count("```python") > 5
    names: dict[str, Any] = {}
    for program, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, names)
        assert printed.getvalue() == expected, program
