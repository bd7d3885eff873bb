"""docs/messages.tsv has every message that a source has, and no other.

`…` stands for what differs: in C for a conversion of printf, in Python for a
replacement field. tests/cli/program/test_help_messages.py asks for each row.
"""

# labels: once

import ast
import functools
import re

import pytest

import meanings
from program import SOURCE_DIR

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
flops/formulas_*.c flops/rule.h
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

# Pieces that are put into a message (its whole is in the table), names of
# things, and what is part of an answer.
PIECES = {
    "aggregate/kinds.c": ["async collective fusion"],
    "model/graph.c": ["a capacity for each"],  # a static assertion
    "model/inputs.c": [  # of "steps are ..."
        ", each until the next",
        "executions of program … (nothing marks steps)",
        "events … of one thread… (nothing marks steps)",
        "events that --step_event selects…",
        "from one marker to the next (most operations ran outside of the "
        "markers)"],
    "output/parquet/parquet.c": ["tfprof version "],
    "trace/choice.c": ["XLA Modules", "Profiled batch"],
    "trace/device.c": ["XLA Modules", "XLA Ops", "TensorFlow Ops",
                       "TensorFlow Name Scope", "Framework Ops",
                       "Source code", "Framework Name Scope", "Launch Stats"],
    "trace/hlo.c": ["loop fusion", "input fusion", "output fusion",
                    "custom fusion", "data formatting",
                    "non-fusion elementwise"],
    "trace/host.c": ["Profiled batch"],
    "trace/nodes.c": ["(no op)/"],
    "trace/programs.c": ["(no module)"],
    "trace/survey.c": ["Task Environment"],
    "trace/stat_names.h": ["level 0", "Hlo Proto", "HLO Proto",
                           "a bit for each in 64"],
    "model/pools.c": ["a kind has no gaps"],
    "output/view/rows_arrow.c": ["all columns of a view have room"],
    "api/aggregate.c": ["… step…, … row…, … bytes in ", "offset …: ",
                        "line …, column …: "],
    "api/arrow.c": ["out of memory"],
    "api/check.c": ["min", "median", "the file of --…", "the check",
                    "the baseline"],
    "api/compare.c": ["head", "base", "the base", "the head"],
    "api/machine.c": ["model name", "CPU implementer", "CPU part"],
    # Notes on the page of a report, and the titles of its tabs.
    "api/report.c": [
        "Live set at the peak",
        "… of … steps can be selected: the slowest, and others at equal "
        "distances.",
        "Memory over time is shown for … of … allocators.",
        "Memory over time is not shown, because it would have to be estimated "
        "from more than … runs of nodes.",
        "A report has at most … MB, so each view has at most … rows. The "
        "totals include the rows that are not shown.",
        "The graph tab is empty, because the model has more than … nodes.",
        "The graph tab shows at most … connections."],
    "output/page/curve.c": [
        "(allocated before the records began, freed later)",
        "(allocated before the records began)"],
    "api/runs.c": ["partial", "skipped", "…: …"],
    "output/sink/file.c": ["one of the formula files"],
    "budget/budgets.c": ['"…" …, found …'],
    "budget/reader.c": ["an object", "an array", "a number"],
    "budget/verdict.c": ["the limit", "the value of and_at_least"],
    "compare/side.c": ["a bit of uint16_t for each metric"],
    "compare/snapshot.c": ["(unknown)"],
    "api/xprof.c": [" (did you mean ", "…: line …, column …: …",
                    "…: offset …: …"],
    "api/counted.c": ["incomplete shapes", "no formula", " has", "s have",
                      "functions not walked",
                      "layouts that TensorFlow's formulas do not support", " (…)"],
    "api/empty.c": ["the model", " (the root is the first level)",
                    " and others", "the only row", "all … rows",
                    " (a pattern must match …: '…'… shows … row…)",
                    " with a larger --max_depth",
                    "the complete name", "the complete type", "… row…",
                    " (no device is known; give run records with "
                    "--run_meta_path)"],
    "api/flops.c": ["shape in a file contradicts",
                    "shapes in files contradict", " and --shape",
                    " and --batch", "node", "first node", "graph",
                    "run records"],
    "api/kept_view.c": ["tfprof_metric follows the table of metrics"],
    "api/remarks.c": ["; this applies to … more step…", " (and … more file…)",
                      "--max_depth …", "--top …", " has", "s have",
                      "places=lines includes",
                      "--format table and --format json include"],
    "api/remarks_trace.c": [" (and … more trace…)"],
    "api/model_request.c": [" and … more", " (did you mean "],
    "api/profile.c": ["Snappy, jansson"],
    "api/question.c": ["not read: ", " (other files: )",
                       " (other files: …)",
                       "give …, which is beside it",
                       "give …, which has a trace"],
    "base/error.c": ["error …"],
    "base/escape.c": [" and 1234567 more", " and … more"],
    "base/gzip.c": ["bad stream"],
    "cli/load.c": ["partial: "],
    "cli/prompt.c": ["note: …"],
    "cli/talk.c": ["note: …"],
    "cli/tui.c": ["output", "input", "not set"],
    "flops/expression_parse.c": ["the end"],
    "input/checkpoint/checkpoint.c": [" (and … more tensor…)"],
    "input/load/code.c": ["no padding", "<unknown … #…>"],
    "input/path/paths.c": ["found: ", "it is empty"],
    "input/path/stream.c": ["; give it as --", ".data-"],
    "options/names.c": ["-- accepts , not ''"],
    "options/options.c": [" (did you mean --"],
    "options/texts.c": [
        "did you mean ", ", labels=all|groups, samples=all and places=lines"],
    "output/flame/flame.c": ["(no name)"],
    "output/flame/speedscope.c": ["… view, …"],
    "output/page/table.c": ["The first … of … rows are shown."],
    "output/page/tree.c": ["all steps (average)", "no steps"],
    "output/pprof/pprof.c": ["graph node:", "tfprof: … view, …"],
    "model/steps.c": ["average of all steps", "step …",
                      "what ran outside of all steps"],
    "output/view/tensor_values.c": ["...omitted from display\\n\\n", "error: "],
    "proto/scan.c": ["a string", "byte 0x…"],
    "proto/text_unknown.c": ["field … of …"],
    "proto/walk_text.c": ["an unknown message"],
    "proto/walk_wire.c": ["unknown group", " (zero bytes)"],
    "proto/wire.c": ["field … of …", " (zero bytes)"],
    "view/view.h": [" (gradient)"],
    "view/top.c": ["(… more)"],
    "view/view.c": [" …", " (steps:", " (no run metadata was given)"],
}

# What stands behind "expected" in the messages of a parser.
EXPECTED = {
    "flops/expression_parse.c": [
        "an integer of at most 2^63 - 1", "a tensor, such as x0 or y0",
        "the name of an attribute", "a value", "')' or ','",
        "')' or an operator", "']' or an operator", "':' or an operator",
        "'[' (write x0[0] for a dimension, #x0 for all elements)",
        "an operator or the end",
        "parentheses around one of two comparisons",
        "a tensor (x0, y0) or a function (attr, ceil_div, log2_ceil, max, "
        "min, prod, rank)"],
    "proto/text_unknown.c": [
        "a hexadecimal digit after '%'", "[type URL]", "a name",
        "a type URL such as type.googleapis.com/a.B"],
    "proto/text_value.c": [
        "an integer from -2147483648 to 2147483647",
        "an integer from 0 to 4294967295",
        "an integer from -9223372036854775808 to 9223372036854775807",
        "an integer from 0 to 18446744073709551615",
        "true or false", "a number", "a string", "a value"],
    "proto/walk_text.c": ["',' or ']'", "a field name or '}'",
                          "a field name or '>'", "a field name"],
}

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


def pieces_of(name):
    return PIECES.get(name, []) + EXPECTED.get(name, [])


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
            texts += [text for text in literals(source)
                      if is_sentence(text)]
        pieces = pieces_of(path.as_posix()) + [
            text for call in calls(source, NULL_CALLS)
            for text in literals(call)]
        for text in map(unescaped, texts):
            if text not in pieces:
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
        "neither in docs/messages.tsv nor in PIECES:\n" + \
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
    for name in [*PIECES, *EXPECTED]:
        texts = [unescaped(text) for text in
                 literals((SRC / name).read_text())]
        assert [piece for piece in pieces_of(name) if piece not in texts] \
            == [], name


def test_the_collector_sees_what_it_should():
    source = '''
    /* "no message here" */
    fail(err, c == '"' ? "a b" : "%s: a " /* x */ "b %.60s" STATE " of %lld %% of");
    '''
    assert literals(source) == ["a b", f"{HOLE}: a b {HOLE}{HOLE} of {HOLE} % of"]
    assert [unescaped(text) for text in literals(source)][1] == \
        f"{HOLE}: a b {HOLE} of {HOLE} % of"
