"""`code --frames python`: the calls that the tracer of Python recorded, by
thread; their self times are together the time in which one was open."""

import csv
import decimal
import io
import json
import re

import pytest

import program
import tf_messages
from files import needs_tensorflow
from trace_build import Plane, space
from trace_files import FILES, needs_traces, picos

TRACES = program.DATA_DIR / "traces"
STORED = sorted([*TRACES.glob("*_py1*.xplane.pb"),
                 *TRACES.glob("gen_*.xplane.pb")])
WITHOUT = "tf_keras_3steps_py1"  # TensorFlow recorded none
RECORD = ("record them with python_tracer_level=1 in "
          "tf.profiler.experimental.ProfilerOptions or "
          "jax.profiler.ProfileOptions")
ARGS = ("--frames", "python", "--select", "micros", "--max_depth", "100000")


def run(*args):
    return program.run("code", *ARGS, *args)


def rows(*args):
    """With a path of names from the thread on."""
    done = run("--format", "json", "-q", *args)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout, parse_float=decimal.Decimal)["rows"]
    path = []
    for row in found:
        del path[row["depth"]:]
        path.append(row["name"])
        row["path"] = tuple(path[1:])  # without the root
    return found[1:]


def times(*args):
    """{path: (self, total)} in picoseconds."""
    return {row["path"]: (picos(row["self"]["cpu_micros"]),
                          picos(row["total"]["cpu_micros"]))
            for row in rows(*args)}


def selves(*args):
    """{thread: the self times of all its calls}"""
    found = {}
    for path, (own, _) in times(*args).items():
        found[path[0]] = found.get(path[0], 0) + own
    return found


def union(spans):
    whole, until = 0, 0
    for begin, end in sorted(spans):
        whole += max(0, end - max(begin, until))
        until = max(until, end)
    return whole


def recorded(path):
    """{thread: the time in which at least one call was open}, of the file."""
    trace = tf_messages.trace_class().FromString(path.read_bytes())
    found = []
    for plane in trace.planes:
        for line in plane.lines:
            spans = []
            for event in line.events:
                if plane.event_metadata[event.metadata_id].name[:1] == "$":
                    begin = line.timestamp_ns * 1000 + event.offset_ps
                    spans.append((begin, begin + event.duration_ps))
            if spans:
                assert plane.name == "/host:CPU"
                found.append((line.name, union(spans)))
    return found


def compare(path):
    wanted = recorded(path)
    found = [(re.fullmatch(r"thread (.*?)( #\d+)?( on .*)?", thread)[1], time)
             for thread, time in selves(path).items()]
    assert sorted(found) == sorted(wanted) and found


# ---- Held against the files --------------------------------------------------

@needs_tensorflow
@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_self_times_are_the_time_of_the_tracer(path):
    if path.name.startswith(WITHOUT):
        assert recorded(path) == []
        return
    compare(path)


@needs_traces
@needs_tensorflow
def test_self_times_of_the_traces_beside_the_checkout():
    count = 0
    for path in FILES:
        if recorded(path):
            compare(path)
            count += 1
    assert count >= 10


def test_operations_are_left_out():
    path = TRACES / "gen_jax-gpu.xplane.pb"
    done = run("-q", path)
    assert b"dist.py" not in done.stdout and b"model.py:10:f0" in done.stdout
    own = program.run("code", "-q", path)
    assert own.stdout == program.run("code", "-q", path, "--frames",
                                     "model").stdout
    assert b"dist.py" in own.stdout and b":f0" not in own.stdout


# ---- The tree ----------------------------------------------------------------

@pytest.fixture
def write(tmp_path):
    def write(*lines, name="made.xplane.pb"):
        host = Plane("/host:CPU")
        for number, (thread, events) in enumerate(lines, 1):
            host.line(number, thread, *[host.event(*event) for event in events])
        path = tmp_path / name
        path.write_bytes(space(host))
        return path
    return write


def test_calls_nest_by_time(write):
    path = write(("python", [
        ("$a.py:1 main", 0, 1000),
        ("$a.py:5 step", 100, 300), ("$b.py:7 f", 150, 50),
        ("$a.py:5 step", 500, 300), ("$b.py:7 f", 500, 100),
        ("$builtins len", 600, 20),
        ("train", 0, 900), ("dense:MatMul", 200, 100)]))
    main = ("thread python", "a.py:1:main")
    step = (*main, "a.py:5:step")
    assert times(path) == {
        main[:1]: (0, 1000),
        main: (400, 1000),
        step: (430, 600),
        (*step, "b.py:7:f"): (150, 150),
        (*step, "builtins len"): (20, 20)}


def test_a_function_has_a_row_for_each_caller(write):
    path = write(("python", [
        ("$a.py:1 f", 0, 100), ("$a.py:9 g", 10, 50),
        ("$a.py:1 f", 20, 30),  # recursion
        ("$a.py:9 g", 200, 7)]))
    f, g = "a.py:1:f", "a.py:9:g"
    assert times(path) == {
        ("thread python",): (0, 107),
        ("thread python", f): (50, 100),
        ("thread python", f, g): (20, 50),
        ("thread python", f, g, f): (30, 30),
        ("thread python", g): (7, 7)}


def test_time_of_calls_that_overlap_counts_once(write):
    """The one that began later has it, beside the one that it outlives."""
    path = write(("python", [("$a.py:1 f", 0, 100), ("$a.py:2 g", 60, 100),
                             ("$a.py:3 h", 90, 10)]))
    assert times(path) == {
        ("thread python",): (0, 160),
        ("thread python", "a.py:1:f"): (60, 60),
        ("thread python", "a.py:2:g"): (90, 100),
        ("thread python", "a.py:2:g", "a.py:3:h"): (10, 10)}


def test_threads_stand_side_by_side(write):
    calls = [("$a.py:1 f", 0, 100)]
    path = write(("python", calls), ("pool/7", calls), ("python", calls),
                 ("idle", [("Wait", 0, 100)]))
    assert selves(path) == {"thread python": 100, "thread pool/7": 100,
                            "thread python #2": 100}


def test_calls_out_of_order_and_without_length(write):
    events = [("$a.py:1 f", 0, 100), ("$a.py:2 g", 10, 20),
              ("$a.py:3 h", 10, 0), ("$a.py:3 h", 100, 0)]
    f = ("thread python", "a.py:1:f")
    for order in (events, events[::-1]):
        found = times(write(("python", order)))
        assert found[f] == (80, 100) and found[(*f, "a.py:2:g")] == (20, 20)
        assert sum(own for own, _ in found.values()) == 100


@pytest.mark.parametrize("name, row, place", [
    ("$train.py:12 step", "train.py:12:step", ("train.py", 12, "step")),
    ("$<unknown> append", "<unknown> append", None),
    ("$jaxlib.utils safe_zip", "jaxlib.utils safe_zip", None),
    ("$a.py:12", "a.py:12", None),
    ("$:12 f", ":12 f", None),
    ("$a.py: f", "a.py: f", None),
    ("$a.py:x2 f", "a.py:x2 f", None),
    ("$a.py:99999999999 f", "a.py:0:f", ("a.py", 0, "f")),
    ("$a.py:1 ", "a.py:1 ", None),
    ("$", "", None),
])
def test_names_of_calls(write, name, row, place):
    found = rows(write(("python", [(name, 0, 100)])))[-1]
    assert found["name"] == row
    file, line, function = place or (None, None, row or None)
    assert (found["file"], found["line"], found["function"]) == (
        file, line, function)


def test_calls_of_two_traces_are_not_mixed(write):
    """Functions at the same place of both trees have other callers."""
    one = write(("python", [("$a.py:1 f", 0, 100), ("$a.py:9 g", 10, 50)]),
                name="one.xplane.pb")
    two = write(("main", [("$a.py:9 g", 0, 30), ("$a.py:1 f", 10, 5)]),
                name="two.xplane.pb")
    assert times(one, two) == {**times(one), **times(two)}


def test_deep_calls(write):
    depth = 20_000
    path = write(("python", [(f"$a.py:{i % 10 + 1} f", i, 2 * depth - 2 * i)
                             for i in range(depth)]))
    done = program.run("code", "--frames", "python", "-q", "--max_depth", "3",
                       "--select", "micros", path)
    assert done.returncode == 0 and done.stdout.count(b"\n") == 4


# ---- Forms -------------------------------------------------------------------

def test_text_csv_and_json_say_the_same(write):
    path = write(("python", [("$a.py:1 f", 0, 5_000_000),
                             ("$b.py:2 g", 0, 2_000_000)]))
    text = run("-q", path).stdout.decode()
    assert text.splitlines()[1:] == [
        "_TFProfRoot (--/5us, --/0us, --/5us)",
        "  thread python (0us/5us, 0us/0us, 0us/5us)",
        "    a.py:1:f (3us/5us, 0us/0us, 3us/5us)",
        "      b.py:2:g (2us/2us, 0us/0us, 2us/2us)"]
    table = list(csv.DictReader(io.StringIO(
        run("-q", "--format", "csv", path).stdout.decode())))
    assert [row["name"] for row in table][-2:] == ["a.py:1:f", "b.py:2:g"]
    assert [row["file"] for row in table][-2:] == ["a.py", "b.py"]
    assert [row["name"] for row in rows(path)] == [
        row["name"] for row in table if row["name"] != "_TFProfRoot"]


def test_the_prompt_shows_calls_of_its_inputs(write):
    import subprocess
    path = write(("python", [("$a.py:1 f", 0, 5_000_000)]))
    done = subprocess.run([program.TFPROF, "-q", "--frames", "python", path],
                          input=b"code -select micros\nscope\n",
                          capture_output=True, check=True)
    assert b"a.py:1:f (5us/5us" in done.stdout
    assert b"--frames python supports only the code view" in done.stderr


def test_a_note_says_what_the_times_are(write):
    with_calls = write(("python", [("$a.py:1 f", 0, 5)]))
    without = write(("python", [("train", 0, 5)]), name="no.xplane.pb")
    note = ("tfprof: note: times are those of Python calls, shown at the "
            "first line of each function; operations are not shown\n")
    assert run(with_calls).stderr.decode() == note
    assert run(with_calls, without).stderr.decode() == note + (
        f"tfprof: note: traces without Python calls: 1 ({RECORD})\n")


# ---- What it cannot show -----------------------------------------------------

def refused(command, *args):
    done = program.run(command, "--frames", "python", "-q", *args)
    assert (done.returncode, done.stdout) == (2, b"")
    return done.stderr.decode().removeprefix("tfprof: ").rstrip("\n")


def test_a_trace_without_calls_says_how_to_record_them():
    assert refused("code", TRACES / f"{WITHOUT}.xplane.pb") == (
        f"the trace contains no Python calls ({RECORD})")


def test_other_inputs_are_refused():
    data = program.DATA_DIR
    for inputs in ([data / "graph.pb", data / "op_log"],
                   [TRACES / "gen_jax-gpu.xplane.pb", data / "graph.pb"]):
        assert refused("code", *inputs) == (
            f"{data / 'graph.pb'}: --frames python requires traces "
            "(*.xplane.pb); this file is not a trace")


@pytest.mark.parametrize("command", ["scope", "graph", "op", "steps",
                                     "kernels", "memory", "devices", "advise"])
def test_other_answers_have_no_calls(command):
    assert refused(command, TRACES / "gen_jax-gpu.xplane.pb") == (
        "--frames python supports only the code view, because this option "
        "does not read the operations of a trace")
