"""docs/messages.tsv has every message that a source has, and no other.

`…` stands for what differs: in C for a conversion of printf, in Python for a
replacement field. tests/cli/program/test_help_messages.py asks for each row.
"""

# labels: once

import ast
import functools
import json
import re

import pytest

import meanings
from program import SOURCE_DIR, TABLES

PAGE = SOURCE_DIR / "docs" / "troubleshooting.md"
SRC = SOURCE_DIR / "src"
HOLE = "…"

# Texts that have a name in a public header.
NAMES = dict(re.findall(r'#define (TFPROF_\w+) (".*")',
                        (SOURCE_DIR / "include/tfprof/tfprof.h").read_text()))
NAMED = re.compile(r"\b(?:%s)\b" % "|".join(NAMES))

# Rooms and files whose sentences are answers or help, not messages.
ANSWERS = """
advise/bound.c advise/copies.c advise/hints.c advise/idle.c advise/operations.c
advise/small_kernels.c advise/utilization.c
ops/table/*.c ops/flops/formula.c
input/kind/kinds.c
manual/*
model/file_kinds.h model/metrics.h model/steps.c
options/table.c options/topics*.c
output/advice/*.c output/view/cells.c output/flops/*.c output/info/info_facts.c
output/info/info_text.c output/info/info_trace.c output/view/op_text.c
output/pprof/pprof_parts.c output/timeline/timeline_events.c
output/timeline/timeline_graph.c
output/timeline/timeline_memory.c output/timeline/timeline_top.c output/view/view_table*.c
output/view/view_text.c view/view.h
output/check/*.c output/compare/*.c output/sheet/*.c output/summary/*.c sheet/*.c
xprof/*
""".split()


@functools.cache
def pieces():
    """{file: its texts that are no messages}"""
    found = {}
    for line in (TABLES / "message_pieces.tsv").read_text().splitlines():
        if not line.startswith("#"):
            file, text = line.split("\t")
            found.setdefault(file, []).append(json.loads(text))
    return found


# In src/cli and src/tui sentences are mostly help; its messages go through these.
CLI_CALLS = (r"\b(?:cli_complain|cli_complain_input|cli_remark|print_line|"
             r"tui_say)\(|\bsnprintf\((?=why,)")

# Calls whose every text is a message, be it one word.
CALLS = r"\b(?:tfp_fail\w*|tfp_remark|remark_if)\("

# What fills the first place of "… is NULL".
NULL_CALLS = r"\btfp_check_given\("

CONVERSION = re.compile(r"%%|%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?"
                        r"(?:hh|h|ll|l|z|j|t)?[diouxXcs]")


# ---- C -----------------------------------------------------------------------

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|\#\s*include[^\n]*|\s+)
  | "(?P<text>(?:[^"\\\n]|\\.)*)"
  | '(?:[^'\\\n]|\\.)+'
  | (?P<word>[A-Za-z_]\w*)
  | (?P<other>.)
""", re.X | re.S)


def literals(source):
    """Each string, neighbours joined as the compiler does; a
    macro between two strings is a hole."""
    found = []
    joined = between = False
    for token in TOKEN.finditer(source):
        text, word = token["text"], token["word"]
        if text is not None:
            text = CONVERSION.sub(
                lambda one: "%" if one[0] == "%%" else HOLE, text)
            if joined:
                text = found.pop() + (HOLE if between else "") + text
            found.append(text)
            joined, between = True, False
        elif token["skip"] is not None:
            continue
        elif joined and word and word.isupper() and not between:
            between = True
        else:
            joined = between = False
    return found


def calls(source, pattern):
    """The texts of calls, their parentheses matched."""
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    for match in re.finditer(pattern, source):
        depth, at = 1, match.end()
        while depth:
            token = TOKEN.match(source, at)
            depth += {"(": 1, ")": -1}.get(token["other"], 0)
            at = token.end()
        yield source[match.end():at]


def unescaped(text):
    return re.sub(HOLE + "+", HOLE, text.replace('\\"', '"')
                  .replace("\\\\", "\\"))


def is_sentence(text):
    return re.search("[a-z]", text) and re.search(r"\S \S", text)


def is_answer(path):
    return any(path.match(pattern) for pattern in ANSWERS)


@functools.cache
def from_c():
    """Message: the files that have it."""
    found = {}
    for file in sorted(SRC.rglob("*.[ch]")):
        path = file.relative_to(SRC)
        if is_answer(path):
            continue
        source = NAMED.sub(lambda m: NAMES[m[0]], file.read_text())
        is_cli = path.parts[0] in ("cli", "tui")
        texts = [text for call in calls(source, CLI_CALLS if is_cli else CALLS)
                 for text in literals(call) if re.search("[a-z]{3}", text)]
        if not is_cli:
            texts += [text for text in literals(source) if is_sentence(text)]
        passed_over = pieces().get(path.as_posix(), []) + [
            text for call in calls(source, NULL_CALLS)
            for text in literals(call)]
        for text in map(unescaped, texts):
            if text not in passed_over:
                found.setdefault(text, set()).add(f"src/{path}")
    return found


# ---- Python ------------------------------------------------------------------

def shown(node):
    """The text of an expression, holes for what is put in; None if it is no
    text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else HOLE
                       for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [shown(node.left), shown(node.right)]
        if any(parts):
            return "".join(part or HOLE for part in parts)
    return None


def makes_error(call):
    name = call.func.attr if isinstance(call.func, ast.Attribute) else \
        getattr(call.func, "id", "")
    return name.endswith("Error") or name == "corrupt"


@functools.cache
def from_python():
    found = {}
    for file in sorted((SOURCE_DIR / "python" / "tfprof").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            texts = []
            if isinstance(node, ast.Call) and makes_error(node):
                texts = [shown(argument) for argument in node.args]
            elif isinstance(node, ast.FunctionDef) and node.name == "_reason":
                texts = [shown(each.value) for each in ast.walk(node)
                         if isinstance(each, ast.Return) and each.value]
            for text in texts:
                text = text and re.sub(HOLE + "+", HOLE, text)
                if text and is_sentence(text):
                    found.setdefault(text, set()).add(
                        f"python/tfprof/{file.name}")
    return found


# ---- The table ---------------------------------------------------------------

@functools.cache
def rows():
    """Message, cause and remedy of each row, as the file has them."""
    return meanings.rows()


def entries():
    return [message for message, _, _ in rows()]


@pytest.mark.parametrize("collect, least", [(from_c, 200), (from_python, 40)])
def test_every_message_has_an_entry(collect, least):
    messages = collect()
    assert len(messages) >= least
    known = set(entries())
    missing = [f"{' '.join(sorted(files))}: {text}"
               for text, files in messages.items() if text not in known]
    assert not missing, \
        "neither in docs/messages.tsv nor in tests/tables/message_pieces.tsv:\n" + \
        "\n".join(missing)


def test_every_entry_is_a_message():
    messages = {**from_c(), **from_python()}
    assert [text for text in entries() if text not in messages] == []


def test_no_entry_stands_twice():
    found = entries()
    assert sorted(set(found)) == sorted(found)


def on_page():
    """Each code span in the first column of a table of messages."""
    found = []
    in_table = False
    for line in PAGE.read_text().splitlines():
        if line.startswith("| message |"):
            in_table = True
        elif not line.startswith("|"):
            in_table = False
        elif in_table and not line.startswith("| ---"):
            found += re.findall(r"`([^`]+)`", line.split(" | ")[0])
    return found


def test_the_page_has_messages_of_the_table():
    found = on_page()
    assert len(found) >= 30
    assert [text for text in found if text not in entries()] == []
    assert sorted(set(found)) == sorted(found)


def test_a_meaning_is_written_once():
    """A row without one has that of the row above it."""
    assert all(bool(cause) == bool(remedy) for _, cause, remedy in rows())
    assert rows()[0][1] != ""
    given = [(cause, remedy) for _, cause, remedy in rows() if cause]
    assert [one for one, following in zip(given, given[1:])
            if one == following] == []


def test_no_piece_is_stale():
    """What is passed over is still there."""
    for name, listed in pieces().items():
        texts = [unescaped(text) for text in literals((SRC / name).read_text())]
        assert [piece for piece in listed if piece not in texts] == [], name


def test_the_collector_sees_what_it_should():
    source = '''
    /* "no message here" */
    fail(err, c == '"' ? "a b" : "%s: a " /* x */ "b %.60s" STATE " of %lld %% of");
    '''
    assert literals(source) == ["a b", f"{HOLE}: a b {HOLE}{HOLE} of {HOLE} % of"]
    assert [unescaped(text) for text in literals(source)][1] == \
        f"{HOLE}: a b {HOLE} of {HOLE} % of"
