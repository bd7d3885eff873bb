"""`tfprof advise --format table`: what people see on a terminal.

test_view_table.py keeps whole screens. Text, JSON and AdviceProto are other forms,
which a table leaves as they are.
"""

import json
import re

import pytest

import program
from messages import CPU, Folder, node_def, record, run_of
from screens import environment, on_screen, plain, widest

NAMES = ["resnet", "bert", "cifar", "lm", "multi", "jax", "keras"]
TITLE = re.compile(r" *(?:total|self) +% +(operation type|node|line)")


def inputs(samples, name):
    files = sorted((samples / name).glob("run_meta_*"))
    if not files:
        return [samples / name]
    return [samples / name / "graph.pb", *files, samples / name / "op_log"]


def asked(*words, **kwargs):
    done = program.run("advise", "-q", *words, env=environment(), **kwargs)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def table(*words, width=200):
    return asked(*words, "--format", "table", "--width", str(width))


def found(*words):
    """All findings of the JSON."""
    answer = json.loads(asked(*words, "--format", "json"))
    return [finding for checker in answer["checkers"]
            for report in checker["reports"] for finding in report]


def rows(text):
    """{"operation type", "node" or "line": what its rows say}."""
    parts, title, at = {}, None, 0
    for line in text.splitlines():
        match = TITLE.match(line)
        if match:
            title, at = match[1], match.start(1)
            parts[title] = []
        elif not line or not re.match(r" *[\d.]+[a-z]+ +[\d.]+% ", line):
            title = title if line.startswith("    try: ") else None
        elif title:
            parts[title].append(line[at:])
    return parts


@pytest.mark.parametrize("name", NAMES)
def test_each_node_is_named_once(samples, name):
    text = table(*inputs(samples, name), width=400)
    nodes = {finding["where"]["node"] for finding in
             found(*inputs(samples, name))} - {None}
    words = re.split(r"[\s]", text)
    for node in nodes:
        assert words.count(node) <= 1, node
    named = [row.split("  ")[0] for row in rows(text)["node"]]
    assert len(named) == len(set(named)) == 3


@pytest.mark.parametrize("name", NAMES)
def test_types_are_those_of_the_text(samples, name):
    """In the same order, but for those that the optimizer's update has."""
    files = inputs(samples, name)
    types = [finding["name"] for finding in found(*files)
             if finding["kind"] == "type"]
    shown = [row.split("  ")[0].split(" (")[0]
             for row in rows(table(*files))["operation type"]]
    others = [word for word in shown if word != "optimizer's update"]
    assert others[0] in types[:2]
    if "optimizer's update" not in shown:
        assert shown == types


@pytest.mark.parametrize("name", ["resnet", "bert", "cifar", "lm", "jax"])
def test_no_line_is_of_a_library(samples, name):
    files = inputs(samples, name)
    lines = [row.split(":")[0] for row in rows(table(*files))["line"]]
    own = {"resnet": "resnet_model.py", "jax": "train_jax.py"}.get(
        name, "train.py")
    assert len(lines) == 3 and set(lines) == {own}


def test_the_text_of_bert_has_lines_of_libraries(samples):
    """So that the test above can fail."""
    assert "optimizer.py:520:minimize" in asked(*inputs(samples, "bert"))


@pytest.mark.parametrize("name", ["bert", "keras"])
def test_the_update_of_the_optimizer_is_named(samples, name):
    text = table(*inputs(samples, name))
    update = [row for row in rows(text)["operation type"]
              if row.startswith("optimizer's update (")]
    assert len(update) == 1
    assert "    try: fewer and larger variables, a simpler optimizer\n" in text
    assert not re.search(r"update_|/adam/", "".join(rows(text)["node"]))


def test_the_line_of_the_update_is_marked(samples):
    assert rows(table(*inputs(samples, "bert")))["line"][0] == \
        "train.py:97:main (optimizer's update)"


def of_two(path, *nodes):
    """The table of nodes: name, type and time of each."""
    graph = b"".join(node_def(name, op) for name, op, _ in nodes)
    run = run_of((CPU, b"".join(record(name, end=time)
                                for name, _, time in nodes)))
    return Folder(path, graph=graph, run=run).ask("advise", "--format",
                                                  "table")[0]


@pytest.mark.parametrize("name, op, is_update", [
    (b"w/apply", b"ApplyGradientDescent", True),
    (b"w/apply", b"ResourceApplyAdam", True),
    (b"w/apply", b"ResourceSparseApplyAdagrad", True),
    (b"train/AssignSub", b"AssignSub", True),
    (b"training_1/w", b"AssignSubVariableOp", True),
    (b"a/adam/mul", b"Mul", True),
    (b"GradientDescent_2/sub", b"Sub", True),
    (b"a/AssignSub", b"AssignSub", False),
    (b"train/mul", b"Mul", False),
    (b"adam/x/adamant", b"Mul", True),
    (b"adamant/mul", b"Mul", False),
    (b"a/adam", b"Mul", False),
    (b"gradients/adam/mul_grad/Mul", b"Mul", False),
])
def test_what_an_update_is(tmp_path, name, op, is_update):
    text = of_two(tmp_path, (name, op, 400), (b"forward", b"MatMul", 600))
    assert (b"optimizer's update" in text) == is_update


def test_an_update_that_takes_little_is_not_named(tmp_path):
    text = of_two(tmp_path, (b"w/apply", b"ApplyAdam", 50),
                  (b"forward", b"MatMul", 950))
    assert b"optimizer's update" not in text


# ---- Where it is shown -------------------------------------------------------

def test_a_terminal_shows_the_table(samples):
    files = inputs(samples, "bert")
    shown = plain(on_screen("advise", "-q", *files, columns=100))
    assert shown == asked(*files, "--format", "table", "--width", "100",
                          "--charset", "utf8")


def test_a_terminal_shows_text_when_asked(samples):
    files = inputs(samples, "multi")
    text = plain(on_screen("advise", "-q", *files, "--format", "text"))
    assert text.startswith("\nAcceleratorUtilizationChecker:\n")
    assert plain(on_screen("advise", "-q", *files, TFPROF_FORMAT="text")) == \
        text


def test_a_pipe_gets_text(samples):
    files = inputs(samples, "multi")
    assert asked(*files) == asked(*files, "--format", "text")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_it_fits_the_window(samples, name, columns):
    text = table(*inputs(samples, name), width=columns)
    assert widest(text) <= columns


def test_without_utf8_bars_are_ascii(samples):
    text = asked(*inputs(samples, "bert"), "--format", "table", "--charset",
                 "ascii")
    assert text.isascii() and "#" in text


def test_no_runs_and_no_findings(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a", b"MatMul"))
    text, notes = folder.ask("advise", "--format", "table")
    assert text.startswith(b"nothing found: AcceleratorUtilizationChecker, ")
    assert "give run metadata" in notes[0]


def test_one_checker_alone(samples):
    text = table(*inputs(samples, "resnet"), "-checkers",
                 "AcceleratorUtilizationChecker")
    assert text.splitlines()[0] == "AcceleratorUtilizationChecker"
    assert "    where: unit_last/Mean  resnet_model.py:145\n" in text
    assert "nothing found" not in text
