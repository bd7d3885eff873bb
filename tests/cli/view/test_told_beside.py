"""What is told beside an answer: operations without a count, coverage, peaks of
memory, options without effect, files that were written."""

import json
import os
import pty
import subprocess

import pytest

from messages import CPU, NOON, Folder, field, integer, node_def, record, run_of
from program import DATA_DIR, TFPROF, Info, run

SAMPLE = [DATA_DIR / name for name in ("graph.pb", "run_meta", "op_log")]
GRAPH, RUN, LOG = SAMPLE
NOTE = b"tfprof: note: "


def notes(*args):
    done = run(*args)
    assert done.returncode == 0, (args, done.stderr)
    return [line.removeprefix(NOTE).decode()
            for line in done.stderr.splitlines()]


# ---- Float operations that are not counted ----------------------------------

UNCOUNTED = "2 operations have no float operation count: incomplete shapes"


@pytest.mark.parametrize("view", ["scope", "graph", "op"])
def test_operations_without_a_count_are_told(view):
    for formulas in ("tensorflow", "full"):
        told = notes(view, GRAPH, "-select", "float_ops", "-formulas", formulas)
        assert UNCOUNTED in told
    assert UNCOUNTED not in notes(view, GRAPH, "-select", "params")
    assert UNCOUNTED not in notes(view, GRAPH, "-select", "float_ops",
                                  "-formulas", "none")


def test_operations_are_as_many_as_flops_lists():
    listed = json.loads(run("flops", GRAPH, "--list", "uncounted", "--format",
                            "json").stdout)["uncounted"]
    assert [row["why"] for row in listed] == 2 * ["unknown_shape"]


def test_a_node_without_a_formula_is_told_of_full_formulas(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a", b"NobodyKnowsThisOp"))
    _, told = folder.ask("scope", "-select", "float_ops", "-formulas", "full")
    assert ("1 operation has no float operation count: no formula"
            in [str(line) for line in told])
    _, told = folder.ask("scope", "-select", "float_ops")
    assert not any("float operation count" in str(line) for line in told)


# ---- Coverage and peaks -----------------------------------------------------

def test_info_tells_how_much_of_the_graph_ran(tmp_path):
    def records(*names):
        return run_of((CPU, b"".join(record(name, NOON) for name in names)))
    graph = b"".join(node_def(name, b"A") for name in (b"a", b"b", b"c", b"d"))
    files = {"graph": graph, "one": records(b"a", b"a", b"b", b"elsewhere"),
             "two": records(b"b", b"c")}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    paths = [tmp_path / name for name in ("one", "graph", "two")]
    told = Info(*paths)
    assert [(file["covered_nodes"], file["known_nodes"])
            for file in told.files] == [(2, 5), (None, None), (3, 5)]
    text = run("info", *paths).stdout.decode()
    for line in ("40.00%: 2 of 5 nodes ran", "60.00%: 3 of 5 nodes ran"):
        assert f"  graph coverage          {line}\n" in text
    verbose = run("scope", *paths, "--verbose").stderr.decode()
    assert "note: graph coverage: 3 of 5 nodes ran\n" in verbose


def on_gpu(name, end, in_use):
    memory = field(1, b"GPU_0_bfc") + integer(5, in_use)
    return field(2, field(1, name) + integer(2, NOON) + integer(4, end)
                 + field(6, memory))


def test_peaks_of_accelerators_are_told(tmp_path):
    device = b"/job:w/replica:0/task:0/device:GPU:0"
    runs = field(1, field(1, field(1, device) + on_gpu(b"a", 5, 3_000_000)
                          + on_gpu(b"b", 9, 7_120_000)
                          + on_gpu(b"c", 300, 2_000_000)))
    graph = b"".join(node_def(name, b"A") for name in (b"a", b"b", b"c"))
    (tmp_path / "graph").write_bytes(graph)
    (tmp_path / "run").write_bytes(runs)
    told = notes("graph", tmp_path / "graph", tmp_path / "run", "-output",
                 f"timeline:outfile={tmp_path / 't'}")
    assert [line for line in told if "peak" in line] == [
        "peak memory of step 0 on /job:w/replica:0/task:0/device:gpu:0: 7.12 MB"]
    assert Info(tmp_path / "run").file["peak_memory"] == [
        {"device": device.decode(), "bytes": 7_120_000}]


# ---- Options without effect -------------------------------------------------

def test_a_minimum_without_effect_is_told():
    told = "--min_occurrence has no effect in the code view"
    assert told in notes("code", *SAMPLE, "-min_occurrence", "3")
    assert told not in notes("code", *SAMPLE)
    for view in ("scope", "graph", "op"):
        assert not any("min_occurrence has no" in note for note in
                       notes(view, *SAMPLE, "-min_occurrence", "1"))


# ---- Files that were written ------------------------------------------------

def on_terminal(*args):
    """What stderr shows when it is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([TFPROF, *map(os.fspath, args), "--color", "never"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=theirs) as program:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:
                piece = b""
            if not piece:
                break
            shown += piece
        assert program.wait() == 0
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize("output, how", [
    ("file", ""),
    ("timeline", "; open it in ui.perfetto.dev or chrome://tracing"),
    ("pprof", "; view it in a browser with pprof -http=:"),
    ("folded", "; draw it with inferno-flamegraph or flamegraph.pl"),
    ("speedscope", "; open it in speedscope.app"),
    ("html", "; open it in a browser"),
    ("parquet", "; query it with DuckDB, Spark or ClickHouse"),
    ("profile", "; tfprof can read it instead of the inputs")])
def test_a_terminal_is_told_of_a_written_file(tmp_path, output, how):
    file = tmp_path / "out"
    words = ["code", *SAMPLE, "-output", f"{output}:outfile={file}"]
    shown = on_terminal(*words)
    size = file.stat().st_size
    told = f"{size} bytes" if size < 1000 else f"{size // 1000}.{size % 1000 // 100} KB"
    assert f"note: wrote {file} ({told}){how}\r\n" in shown
    assert "wrote" not in on_terminal(*words, "-q")
    assert not any("wrote" in note for note in notes(*words))
