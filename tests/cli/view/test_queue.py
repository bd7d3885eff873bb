"""queue_micros: how long runs waited from being scheduled until they started."""

import csv
import gzip
import io
import json
import re

import pytest

import files
import tf_messages
from faults import run
from messages import (CODE, CPU, GPU, NOON, Folder, entry, frame, node_def,
                      record, run_of, strings)
from program import DATA_DIR

STREAM = b"/device:GPU:0/stream:all"
WORD = "queue_micros"

# By hand. a waits 40 and 2; its records of a stream and of another device do
# not count. s/b waits 7. s/c does not say when it was scheduled, and s/d was
# scheduled after its start: 0.
TRUTH = {"a": 42, "s": 0, "s/b": 7, "s/c": 0, "s/d": 0}


@pytest.fixture
def folder(tmp_path):
    graph = (node_def(b"a", b"A") + node_def(b"s/b", b"B", [b"a"])
             + node_def(b"s/c", b"B", [b"s/b"])
             + node_def(b"s/d", b"D", [b"s/c"]))
    runs = run_of(
        (CPU, record(b"a", NOON + 40, 5, scheduled=NOON)
         + record(b"a", NOON + 52, 5, scheduled=NOON + 50)
         + record(b"s/b", NOON + 60, 9, scheduled=NOON + 53)
         + record(b"s/c", NOON + 70)
         + record(b"s/d", NOON + 80, 3, scheduled=NOON + 90)),
        (STREAM, record(b"a", NOON + 99, 1, scheduled=NOON)),
        (GPU, record(b"a", NOON + 99, 1, scheduled=NOON)))
    log = b"".join(entry(name, frame(1, line)) for line, name in
                   enumerate((b"a", b"s/b", b"s/c", b"s/d"), 1)) + strings(CODE)
    return Folder(tmp_path, graph=graph, run=runs, log=log)


def told(folder, view, *args):
    out, notes = folder.ask(view, "-select", WORD, "--format", "json", *args)
    assert [note for note in notes if "rows shown" not in note] == []
    return json.loads(out)


# ---- Views and formats ------------------------------------------------------

def test_scope_and_graph_have_what_was_counted_by_hand(folder):
    for view in ("scope", "graph"):
        answer = told(folder, view)
        own = {row["name"]: row["self"][WORD] for row in answer["rows"]}
        assert answer["units"] == {WORD: "microseconds"}
        assert answer["total"] == {WORD: 49}
        assert {name: own[name] for name in own if name in TRUTH} == {
            name: TRUTH[name] for name in own if name in TRUTH}
        assert len(own) >= 5
    totals = {row["name"]: row["total"][WORD]
              for row in told(folder, "scope")["rows"]}
    assert totals["s"] == 7 and totals["_TFProfRoot"] == 49


def test_op_and_code_add_up(folder):
    own = {row["name"]: row["self"][WORD] for row in told(folder, "op")["rows"]}
    assert own == {"A": 42, "B": 7, "D": 0}
    own = {row["name"]: row["total"][WORD]
           for row in told(folder, "code")["rows"]}
    assert sorted(own.values()) == [0, 0, 7, 42, 49]


def test_text_has_a_column_behind_the_times(folder):
    out, _ = folder.ask("scope", "-select", "micros,occurrence,params,"
                        + WORD, "-max_depth", "1")
    assert out.decode().splitlines() == [
        "node name | # parameters | total execution time | "
        "accelerator execution time | cpu execution time | queue time | "
        "op count (run|defined)",
        "_TFProfRoot (--/0 params, --/28us, --/1us, --/27us, --/49us, "
        "--/5|--/5)"]
    out, _ = folder.ask("op", "-select", WORD, "-order_by", WORD)
    assert re.sub(" +", " ", out.decode()).splitlines() == [
        "node name | queue time",
        "A 42us (100.00%, 85.71%)",
        "B 7us (14.29%, 14.29%)",
        "D 0us (0.00%, 0.00%)"]


def test_time_does_not_bring_it(folder):
    for view in ("scope", "op"):
        out, _ = folder.ask(view, "-select", "micros", "--format", "json")
        assert WORD not in out.decode()


def test_csv_has_two_columns(folder):
    out, _ = folder.ask("scope", "-select", WORD, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out.decode())))
    assert {row["name"]: (row[WORD], row["total_" + WORD]) for row in rows
            if row["name"] in ("a", "s")} == {"a": ("42", "42"),
                                              "s": ("0", "7")}


def test_pprof_has_it_as_a_value(folder, tmp_path):
    folder.ask("scope", "-select", WORD, "-output",
               f"pprof:outfile={tmp_path / 'p'}")
    data = gzip.decompress((tmp_path / "p").read_bytes())
    assert WORD.encode() in data and b"microseconds" in data


def test_messages_have_no_field_for_it(folder, tmp_path):
    answers = set()
    for select in (WORD, "params"):
        path = tmp_path / f"{select}.out"
        folder.ask("scope", "-select", select, "--format", "proto",
                   "-output", f"file:outfile={path}")
        answers.add(path.read_bytes())
    assert len(answers) == 1


# ---- Order, filters, steps --------------------------------------------------

def test_order_and_minimum(folder):
    names = [row["name"] for row in told(folder, "scope", "-order_by", WORD,
                                         "-max_depth", "2")["rows"]]
    assert names == ["_TFProfRoot", "a", "s"]
    names = [row["name"] for row in told(folder, "scope", "-min_" + WORD,
                                         "8")["rows"]]
    assert names == ["_TFProfRoot", "a"]
    # The total counts, as with all times.
    names = [row["name"] for row in told(folder, "scope", "-min_" + WORD,
                                         "7", "-max_depth", "2")["rows"]]
    assert names == ["_TFProfRoot", "a", "s"]
    names = [row["name"] for row in told(folder, "op", "-sort", WORD,
                                         "-top", "1")["rows"]]
    assert names[0] == "A"


def test_an_empty_answer_names_the_minimum(folder):
    _, notes = folder.ask("scope", "-min_" + WORD, "43")
    assert notes == [f"nothing is shown: --min_{WORD} 43 excludes all 5 rows "
                     "(the largest value is 42)"]


def test_flops_does_not_sort_by_it(folder):
    code, _, err = run("flops", DATA_DIR / "graph.pb", "-sort", WORD)
    assert code == 2
    assert "--sort: flops cannot sort by queue_micros" in err.decode()


def test_the_average_is_that_of_the_node(tmp_path):
    """a waits 10 and 15: 12, rounded towards zero. b ran once."""
    folder = Folder(
        tmp_path, graph=node_def(b"a") + node_def(b"b"),
        run0=run_of((CPU, record(b"a", NOON + 10, scheduled=NOON))),
        run1=run_of((CPU, record(b"a", NOON + 15, scheduled=NOON)
                     + record(b"b", NOON + 9, scheduled=NOON))))
    for step, expected in ((), (12, 9)), ((0,), (10, 0)), ((1,), (15, 9)):
        args = ("-step", step[0]) if step else ()
        own = {row["name"]: row["self"][WORD]
               for row in told(folder, "scope", *args)["rows"]}
        assert (own["a"], own["b"]) == expected


# ---- What does not have it --------------------------------------------------

NOTE = ("a ProfileProto cannot contain queue_micros, which is 0 for its runs "
        "(give run metadata with --run_meta_path)")


def test_a_profile_cannot_hold_it(folder, tmp_path):
    path = tmp_path / "all.profile"
    folder.ask("scope", "-output", f"profile:outfile={path}")
    for ask in (("-select", WORD), ("-order_by", WORD), ("-min_" + WORD, "1")):
        code, out, err = run("scope", "--profile_path", path, *ask)
        assert code == 0 and f"tfprof: note: {NOTE}\n" in err.decode()
    code, out, err = run("scope", "--profile_path", path, "-select", "micros")
    assert (code, err) == (0, b"")
    code, out, _ = run("scope", "--profile_path", path, "-select", WORD,
                       "--format", "json")
    assert json.loads(out)["total"] == {WORD: 0}


def test_a_profile_beside_a_run_is_told_too(folder, tmp_path):
    path = tmp_path / "all.profile"
    folder.ask("scope", "-output", f"profile:outfile={path}")
    out, notes = folder.ask("scope", "--profile_path", path, "-select", WORD,
                            "--format", "json")
    assert NOTE in notes
    assert json.loads(out)["total"][WORD] > 0


def test_without_runs_it_is_0(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a"))
    out, notes = folder.ask("scope", "-select", WORD, "--format", "json")
    assert json.loads(out)["total"] == {WORD: 0}
    assert notes == ["no run records were loaded, so times and sizes are 0 "
                     "(give run metadata with --run_meta_path)"]


def test_the_prompt_lists_it_only_when_it_is_set(folder):
    code, out, _ = run(*folder.args, data=b"\nset -min_queue_micros 5\n\n")
    assert code == 0
    before, _, after = out.decode().partition("-max_depth")[2].partition(
        "-max_depth")
    assert "-output" in before
    assert WORD not in before
    assert re.search(r"^-min_queue_micros +5$", after, re.M)


# ---- Against TensorFlow's message classes -----------------------------------

def plain(device):
    return re.search(r"/(device:)?(cpu|gpu):\d+$|/device:sycl:\d+$",
                     device.lower())


def waited(path):
    """{node: microseconds} by the fields themselves."""
    message = tf_messages.message_class("RunMetadata")()
    message.ParseFromString(path.read_bytes())
    home, found = {}, {}
    for stats in message.step_stats.dev_stats:
        for node in stats.node_stats:
            name = node.node_name.split(":")[0]
            if not plain(stats.device):
                continue
            if home.setdefault(name, stats.device) != stats.device:
                continue
            if node.all_start_micros > 0 and node.scheduled_micros:
                found[name] = found.get(name, 0) + max(
                    0, node.all_start_micros - node.scheduled_micros)
    return found


@files.needs_shared
@files.needs_tensorflow
@pytest.mark.parametrize("name", [
    "stepstats_gradckpt/simple_run_meta", "stepstats_gradckpt/simple2_run_meta",
    "tfprof_A_gpu/run_meta", "tfprof_B_cpu2017/run_meta",
    "tfprof_C_2016v1ckpt/run_meta"])
def test_real_runs_wait_as_their_records_say(name):
    path = files.SHARED / "data" / name
    code, out, _ = run("scope", "--run_meta_path", path, "-select", WORD,
                       "-max_depth", "1000", "--format", "json")
    assert code == 0
    own = {row["name"]: row["self"][WORD] for row in json.loads(out)["rows"]}
    truth = {node: micros for node, micros in waited(path).items()
             if node in own}
    assert sum(truth.values()) > 0
    assert {node: own[node] for node in truth} == truth
    assert sum(own.values()) == sum(truth.values())
