"""Notes on what a limit leaves out that the user gave, and on large timelines."""

# labels: slow

import csv
import io
import json
import re

import pytest

import pprof
import upstream
from faults import run
from messages import CPU, NOON, Folder, node_def, notes, record, run_of
from program import DATA_DIR

VIEWS = ["scope", "graph", "op", "code"]
TRACE = DATA_DIR / "traces" / "gen_tf-gpu.xplane.pb"


def model():
    return [upstream.input_path(f"resnet{name}")
            for name in (".pb", "_run_meta_0", "_oplog")]


def asked(view, *words, inputs=None):
    """(stdout, notes) of an answer."""
    code, out, err = run(view, *map(str, inputs or model()), *map(str, words))
    assert code == 0, err
    return out, notes(err)


def names(out):
    """Of all rows but the root and those that stand for others."""
    rows = list(csv.DictReader(io.StringIO(out.decode())))
    found = [row.get("name") or row.get("op") or next(iter(row.values()))
             for row in rows]
    return [name for name in found if name != "_TFProfRoot" and
            not re.fullmatch(r"\(\d+ more\)", name)]


def limits(told):
    """(shown, of all, which) of the notes about limits."""
    found = [re.fullmatch(r"(\d+) of (\d+) (rows shown|rows drawn|runs drawn) "
                          r"\((.*)\)", note) for note in told]
    return [(int(m[1]), int(m[2]), m[3], m[4]) for m in found if m]


# ---- Rows --------------------------------------------------------------------

@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("words, which", [
    (["-max_depth", 2], "--max_depth 2"),
    (["-top", 2], "--top 2"),
    (["-top", 2, "-max_depth", 3], "--max_depth 3, --top 2"),
])
def test_rows_of_data_that_a_limit_leaves_out(view, words, which):
    form = ["--format", "csv", "-select", "micros"]
    whole, told = asked(view, *form)
    assert limits(told) == []
    part, told = asked(view, *words, *form)
    shown, of_all, what, by = limits(told)[0]
    assert shown == len(names(part)) < of_all == len(names(whole))
    assert what == "rows shown"
    assert by == (which if view != "op" else which.split(", ")[-1])
    assert len(limits(told)) == 1


@pytest.mark.parametrize("form", ["json", "csv"])
def test_other_filters_are_no_limit(form):
    """They leave out what was not asked for; the limit counts what is left."""
    _, told = asked("scope", "-min_micros", 1000, "--format", form)
    assert limits(told) == []
    whole, _ = asked("scope", "-min_micros", 1000, "--format", "csv")
    part, told = asked("scope", "-min_micros", 1000, "-max_depth", 2,
                       "--format", "csv")
    assert limits(told) == [(len(names(part)), len(names(whole)), "rows shown",
                             "--max_depth 2")]


@pytest.mark.parametrize("words", [
    ["-max_depth", 1000], ["-top", 0], ["-top", 100000], []])
def test_a_limit_that_leaves_out_nothing_is_not_told(words):
    for view in VIEWS:
        assert limits(asked(view, *words, "--format", "json")[1]) == []


@pytest.mark.parametrize("words", [
    ["--format", "text"], ["--format", "table"], [],
    ["--format", "json", "-account_displayed_op_only"]])
def test_text_and_tables_have_no_such_note(words):
    assert limits(asked("scope", "-max_depth", 2, *words)[1]) == []


def test_quiet_leaves_out_the_note():
    assert asked("scope", "-q", "-max_depth", 2, "--format", "json")[1] == []


# ---- Pictures ----------------------------------------------------------------

def slices(path):
    events = json.loads(path.read_text())["traceEvents"]
    return [event for event in events if event["ph"] in "XB"]


def test_runs_that_a_timeline_leaves_out(tmp_path):
    path = tmp_path / "t.json"
    target = ["-output", f"timeline:outfile={path}"]
    _, told = asked("graph", *target)
    whole = len(slices(path))
    assert limits(told) == []
    _, told = asked("graph", "-max_depth", 10, *target)
    assert limits(told) == [(len(slices(path)), whole, "runs drawn",
                             "--max_depth 10")]


def test_runs_of_several_timelines_are_told_once(tmp_path):
    files = [upstream.input_path(name) for name in (
        "resnet.pb", "resnet_run_meta_0", "resnet_run_meta_1")]
    path = tmp_path / "t.json"
    _, told = asked("graph", "-max_depth", 5, "-output",
                    f"timeline:outfile={path}", inputs=files)
    drawn = sum(len(slices(tmp_path / f"t_{step}.json")) for step in (0, 1))
    assert [(n, what) for n, _, what, _ in limits(told)] == [
        (drawn, "runs drawn")]


def test_every_timed_run_record_is_drawn_without_a_limit(tmp_path):
    """Of chains that are deeper than what used to be the limit."""
    count = 40
    nodes = [b"n%d" % i for i in range(count)]
    graph = b"".join(node_def(name, inputs=nodes[i + 1:i + 2])
                     for i, name in enumerate(nodes))
    run_meta = run_of((CPU, b"".join(record(name) for name in nodes)))
    folder = Folder(tmp_path, graph=graph, run=run_meta)
    target = f"timeline:outfile={tmp_path / 't.json'}"
    _, told = folder.ask("graph", "-output", target)
    assert limits(told) == [] and len(slices(tmp_path / "t.json")) == count
    _, told = folder.ask("graph", "-max_depth", 11, "-output", target)
    assert limits(told) == [(10, count, "runs drawn", "--max_depth 11")]


@pytest.mark.parametrize("view", ["scope", "code"])
def test_rows_that_a_timeline_leaves_out(tmp_path, view):
    path = tmp_path / "t.json"
    whole, _ = asked(view, "--format", "csv", "-select", "micros")
    _, told = asked(view, "-max_depth", 2, "-output",
                    f"timeline:outfile={path}")
    shown, of_all, what, by = limits(told)[0]
    assert (what, by) == ("rows drawn", "--max_depth 2")
    assert shown < of_all <= len(names(whole))


def pprof_total(path):
    """Of all that is not the number of nodes: the time."""
    return sum(value * times for ((kind, _), _, _, value), times
               in pprof.samples(path.read_bytes()).items() if kind != "count")


def test_rows_that_pprof_leaves_out_keep_their_time(tmp_path):
    path = tmp_path / "p.pb.gz"
    target = ["-select", "micros", "-output", f"pprof:outfile={path}"]
    sums = []
    for words in ([], ["-max_depth", 2]):
        _, told = asked("scope", *words, *target)
        sums.append(pprof_total(path))
    assert sums[0] == sums[1] > 0
    assert [(what, by) for _, _, what, by in limits(told)] == [
        ("rows shown", "--max_depth 2")]


def test_a_trace_is_drawn_whatever_the_limit(tmp_path):
    drawn = []
    for words in ([], ["-max_depth", 2]):
        path = tmp_path / "t.json"
        _, told = asked("graph", *words, "-output",
                        f"timeline:outfile={path}", inputs=[TRACE])
        assert limits(told) == []
        drawn.append(len(slices(path)))
    assert drawn[0] == drawn[1] > 0


# ---- Large timelines ---------------------------------------------------------

def many(path, **counts):
    """Nodes that run so often, in 1 us each; `long` ones in 7 us."""
    graph = b"".join(node_def(name.encode()) for name in counts)
    records = b"".join(
        record(name.encode(), NOON, 7 if name == "long" else 1) * count
        for name, count in counts.items())
    return Folder(path, graph=graph, run=run_of((CPU, records)))


def test_a_million_slices_are_not_too_many(tmp_path):
    folder = many(tmp_path, short=1_000_000)
    assert folder.ask("graph", "-output", "timeline:outfile=/dev/null")[1] == []


def test_more_than_a_million_slices_come_with_a_way_to_shrink_them(tmp_path):
    folder = many(tmp_path, short=600_000, long=400_001)
    target = ["-output", "timeline:outfile=/dev/null"]
    assert folder.ask("graph", *target)[1] == [
        "the timeline has 1000001 slices; viewers may be slow to open it "
        "(--min_micros 1000000 reduces it to 400001 slices)"]
    assert folder.ask("graph", "-min_micros", 1_000_000, *target)[1] == []
    # And the time that is named is the one that leaves so many.
    path = tmp_path / "t.json"
    folder.ask("graph", "-min_micros", 1_000_000, "-output",
               f"timeline:outfile={path}")
    with open(path, encoding="utf-8") as file:
        assert sum('"ph": "X"' in line or '"ph":"X"' in line
                   for line in file) == 400_001


def test_slices_of_one_node_cannot_be_shrunk(tmp_path):
    folder = many(tmp_path, short=1_000_001)
    assert folder.ask("graph", "-output", "timeline:outfile=/dev/null")[1] == [
        "the timeline has 1000001 slices; viewers may be slow to open it"]
