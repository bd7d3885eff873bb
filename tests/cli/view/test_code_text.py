"""The text of source lines: in rows of the code view, and as fields."""

import csv
import gzip
import io
import json

import pytest

from messages import CODE, CPU, NOON, Folder, entry, frame, node_def, record
from messages import run_of, strings
from program import DATA_DIR, run

SAMPLE = [DATA_DIR / name for name in ("graph.pb", "run_meta", "op_log")]
FIELDS = ("file", "line", "function", "source")


def code(*args):
    done = run("code", *args, "-q")
    assert (done.returncode, done.stderr) == (0, b""), args
    return done.stdout.decode()


def names(text):
    return [line.rpartition(" (")[0].strip() for line in text.splitlines()[1:]]


def test_code_text_is_added_to_text():
    plain = names(code(*SAMPLE, "-select", "micros"))
    full = names(code(*SAMPLE, "-select", "micros", "--code_text"))
    assert plain == ["_TFProfRoot", "model.py:12:<module>", "model.py:40:call"]
    assert full == ["_TFProfRoot", "model.py:12:<module>:y = layer(x)",
                    "model.py:40:call:none"]


@pytest.fixture
def folder(tmp_path):
    """A node and its gradient, made on line 2, called on line 1."""
    names = (b"a", b"gradients/a_grad/b")
    graph = b"".join(node_def(name, b"A") for name in names)
    runs = run_of((CPU, b"".join(record(name, NOON, 5) for name in names)))
    log = b"".join(entry(name, frame(1, 1) + frame(1, 2)) for name in names)
    return Folder(tmp_path, graph=graph, run=runs, log=log + strings(CODE))


@pytest.mark.parametrize("text, shown", [
    (b"x" * 19, "x" * 19), (b"x" * 20, "x" * 17 + "..."),
    ("é".encode() * 12, "é" * 8 + "..."), (b"\x1b[2J", r"\x1b[2J"),
    (b"", "none")])
def test_long_texts_are_cut(tmp_path, text, shown):
    folder = Folder(
        tmp_path, graph=node_def(b"a", b"A"),
        run=run_of((CPU, record(b"a", NOON, 5))),
        log=entry(b"a", frame(1, 1)) + strings({**CODE, 3: text}))
    out, _ = folder.ask("code", "-select", "micros", "--code_text")
    assert names(out.decode())[1] == f"model.py:1:build:{shown}"
    out, _ = folder.ask("code", "--format", "json")
    assert json.loads(out)["rows"][1]["source"] == (text.decode() or None)


def test_the_mark_of_gradients_stays_at_the_end(folder):
    out, _ = folder.ask("code", "-select", "micros", "--code_text",
                        "-max_depth", "10")
    first, second = (f"model.py:{line}:build:x = layer(x)" for line in (1, 2))
    assert names(out.decode()) == [
        "_TFProfRoot", first, second, f"{first} (gradient)",
        f"{second} (gradient)"]


def test_json_csv_and_timelines_have_it_always(tmp_path):
    rows = json.loads(code(*SAMPLE, "-select", "micros", "--format",
                           "json"))["rows"]
    assert [[row[name] for name in FIELDS] for row in rows] == [
        [None, None, None, None], # the root, and what has no line
        [None, None, None, None],
        ["/home/user/model.py", 12, "<module>", "y = layer(x)"],
        ["/home/user/model.py", 40, "call", None]]
    lines = list(csv.DictReader(io.StringIO(
        code(*SAMPLE, "-select", "micros", "--format", "csv"))))
    assert [[line[name] for name in FIELDS] for line in lines] == [
        [str(row[name] or (0 if name == "line" else ""))
         for name in FIELDS] for row in rows]
    file = tmp_path / "timeline.json"
    code(*SAMPLE, "-step", "0", "-output", f"timeline:outfile={file}")
    data = file.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    slices = {event["name"]: event["args"] for event in
              json.loads(data)["traceEvents"] if event["ph"] == "X"}
    assert "(no source line)" not in slices # as upstream has it
    for row in rows[:1] + rows[2:]:
        told = slices[row["name"]]
        assert [told.get(name) for name in FIELDS] == [
            row[name] for name in FIELDS]


def test_other_views_have_no_such_fields():
    for view in ("scope", "graph", "op"):
        done = run(view, *SAMPLE, "--code_text", "--format", "json", "-q")
        assert done.returncode == 0
        assert not any(set(FIELDS) & set(row)
                       for row in json.loads(done.stdout)["rows"])


def test_the_row_of_the_rest_is_no_line():
    rows = json.loads(code(*SAMPLE, "-select", "micros", "--top", "1",
                           "--format", "json"))["rows"]
    assert all(row["file"] is None for row in rows if row.get("rest"))
