"""docs/architecture.md: its files are there, the changes of its section "Adding"
apply, and the tests that it names are run."""

# labels: once

import re

import doc_blocks
import pytest
from program import SOURCE_DIR

PAGE = SOURCE_DIR / "docs" / "architecture.md"
FOLDERS = "src|include|python|tests|fuzz|docs|tools"


def changes():
    return [block for block in doc_blocks.blocks(PAGE)
            if block.language == "diff"]


def test_files_that_are_named_exist():
    named = re.findall(rf"`((?:{FOLDERS})/[\w./*-]+)`", PAGE.read_text())
    assert len(named) > 40
    known = [name for name in set(named) if "NAME" not in name]
    assert [name for name in known if not list(SOURCE_DIR.glob(name))] == []


def test_functions_and_types_that_are_named_exist():
    named = set(re.findall(r"`((?:tfp|tfprof)_\w+)(?:\(\))?`",
                           PAGE.read_text()))
    assert len(named) > 8
    sources = "".join(path.read_text() for folder in ("src", "include")
                      for path in (SOURCE_DIR / folder).rglob("*.[ch]"))
    assert [name for name in named
            if not re.search(rf"\b{name}\b", sources)] == []


def test_tests_that_are_named_exist():
    named = set(re.findall(r"`((?:py|unit|corpus)\.\w+)`", PAGE.read_text()))
    assert len(named) > 10
    for name in sorted(named):
        kind, _, word = name.partition(".")
        where = {"py": f"tests/cli/*/test_{word}.py",
                 "unit": f"tests/unit/*/{word}_test.c",
                 "corpus": "fuzz/make_corpus.py"}[kind]
        assert any(SOURCE_DIR.glob(where)), name


@pytest.mark.parametrize("block", changes(), ids=str)
def test_a_change_applies(block):
    """The lines that it begins with stand in the source, once."""
    old, new = [], []
    name = None
    for line in block.lines:
        if line.startswith("--- a/"):
            name = line.removeprefix("--- a/")
        elif not line.startswith(("+++", "@@")):
            old += [line[1:]] * (line[0] in " -")
            new += [line[1:]] * (line[0] in " +")
    source = (SOURCE_DIR / name).read_text()
    assert source.count("\n".join(["", *old, ""])) == 1
    assert "\n".join(["", *new, ""]) not in source


def test_there_are_changes():
    assert len(changes()) >= 5
