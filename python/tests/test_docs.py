"""The examples of docs/python.md, run as they stand."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest
from inputs import DATA, SOURCE_DIR

PAGE = SOURCE_DIR / "docs" / "python.md"


def test_examples_print_what_the_page_shows(
        monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for entry in DATA.iterdir():  # where examples may write
        (tmp_path / entry.name).symlink_to(entry)
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    blocks = re.findall(r"^```python\n((?:(?!```).*\n)*)```\n\n"
                        r"```text\n((?:(?!```).*\n)*)```\n", page, re.M)
    elsewhere = len(re.findall(r"^<!-- run: none: .*-->\n```python$", page,
                               re.M))
    assert len(blocks) == page.count("```python") - elsewhere > 5
    names: dict[str, Any] = {}
    for program, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, names)
        assert printed.getvalue() == expected, program
