"""Timelines in a viewer's own engine: Perfetto's, which reads them without
complaint and counts in them what our rows say.

tools/setup gets the engine into .tools/trace-engine; it runs in Node 20 or
later. Without them these tests skip, or with CI=true fail.
"""

# labels: once, long

import collections
import gzip
import json
import shutil
import subprocess

import pytest

import traces
import upstream
from lacking import lacks
from messages import CPU, Folder, node_def, record, run_of
from program import DATA_DIR, SOURCE_DIR, run
from surroundings import PATIENCE
from test_timeline import rows_with_time

ENGINE = SOURCE_DIR / ".tools" / "trace-engine"
NEEDED = "needs node, and npm when tools/setup is run, for " + str(ENGINE)
HAVE = bool(shutil.which("node")) and (ENGINE / "trace_processor.wasm").exists()

MODELS = {
    # The model of many devices, accelerators and memory, and one with loops.
    "resnet": ("resnet.pb", "resnet_run_meta_0", "resnet_oplog"),
    "while": ("while.pbtxt", "while_run_meta_1", "while_oplog"),
}


@pytest.fixture(autouse=True)
def engine():
    if not HAVE:
        lacks(NEEDED)


def ask_engine(path, *queries):
    """The rows of each query."""
    done = subprocess.run(
        ["node", SOURCE_DIR / "tools" / "perfetto-query.mjs", ENGINE, path,
         *queries], capture_output=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(queries)
    return answers


# Where all files are one's own, nothing is folded, and what has no line has a
# row in every form.
EVERY_FORM = ("--own", "--own_regexes=.*")


def questions(model):
    graph, run_meta, log = map(upstream.input_path, MODELS[model])
    return ["--graph_path", graph, "--run_meta_path", run_meta,
            "--op_log_path", log, "-max_depth", "100000"]


def draw(path, view, model, *args):
    done = run(view, *questions(model), *args, "-output",
               f"timeline:outfile={path}")
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    return path


def rows(view, model, *args):
    done = run(view, *questions(model), *args, "--format", "json", "-select",
               "micros,accelerator_micros,cpu_micros,occurrence,device")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["rows"]


COMPLAINTS = ("select name, value from stats where value > 0 and severity in "
              "('error', 'data_loss')")
# Instants are slices without length to the engine; they are on other tracks.
SLICES = ("select process.name, count(*), sum(slice.dur) from slice "
          "join thread_track on slice.track_id = thread_track.id "
          "join thread using (utid) join process using (upid) group by 1")
LANES = ("select distinct process.name, thread.name from slice "
         "join thread_track on slice.track_id = thread_track.id "
         "join thread using (utid) join process using (upid)")
COUNTERS = ("select process.name, count(*), max(value) from counter "
            "join process_counter_track t on counter.track_id = t.id "
            "join process using (upid) group by 1")
INSTANTS = ("select process.name, count(*) from slice join process_track t "
            "on slice.track_id = t.id join process using (upid) group by 1")
ARROWS = "select count(*) from flow"
ARGUMENTS = ("select count(distinct arg_set_id) from args where "
             "key like 'args.total.micros'")


@pytest.mark.parametrize("view, model, packed", [
    ("scope", "resnet", False), ("scope", "while", True),
    ("code", "resnet", True), ("code", "while", False)])
def test_the_viewer_counts_what_the_rows_say(tmp_path, view, model, packed,
                                             say):
    path = draw(tmp_path / f"t.json{'.gz' if packed else ''}", view, model,
                *EVERY_FORM)
    complaints, slices, arguments = ask_engine(path, COMPLAINTS, SLICES,
                                               ARGUMENTS)
    assert complaints == []
    want = collections.defaultdict(lambda: [0, 0])
    for row in rows_with_time(rows(view, model, *EVERY_FORM)):
        level = want[f"Scope:{row['depth']}"]
        level[0] += 1
        level[1] += row["total"]["micros"] * 1000
    assert {name: [count, length] for name, count, length in slices} == want
    assert sum(count for count, _ in want.values()) > 10
    assert arguments[0][0] == sum(count for count, _ in want.values())
    say(f"{sum(c for c, _ in want.values())} slices on {len(want)} levels")


@pytest.mark.parametrize("model, packed", [("resnet", False), ("while", True)])
def test_the_viewer_counts_runs(tmp_path, model, packed, say):
    """Rows tell how often each node ran on its device and how long; of its
    kernels, how long they took in all."""
    path = draw(tmp_path / f"t.json{'.gz' if packed else ''}", "graph", model)
    complaints, slices, arrows, counters, instants = ask_engine(
        path, COMPLAINTS, SLICES, ARROWS, COUNTERS, INSTANTS)
    assert complaints == []
    want = collections.defaultdict(lambda: [0, 0])
    kernels = 0
    for row in rows("graph", model):
        for device in row["devices"]:
            place = want[f"Op scheduling threads: {device}"]
            place[0] += row["self"]["runs"]
            place[1] += row["self"]["cpu_micros"] * 1000
        if row["devices"]:  # what was never scheduled is not drawn
            kernels += row["self"]["accelerator_micros"] * 1000
    found = {name: [count, length] for name, count, length in slices}
    streams = {name: found.pop(name) for name in list(found)
               if name.startswith("Op execution threads: ")}
    assert found == {name: place for name, place in want.items() if place[0]}
    assert sum(length for _, length in streams.values()) == kernels > 0
    data = path.read_bytes()
    text = gzip.decompress(data) if packed else data
    assert [[text.count(b'"ph":"s"')]] == arrows
    assert {name.removesuffix(" allocations"): count
            for name, count in instants} == {
        name: count for name, count, _ in counters}
    assert all(name.startswith("mem usage on:") for name, *_ in counters)
    assert counters and all(most > 0 for _, _, most in counters)
    say(f"{sum(c for c, _ in [*found.values(), *streams.values()])} slices, "
        f"{arrows[0][0]} arrows, {sum(c for _, c, _ in counters)} points")


@pytest.mark.parametrize(
    "path", sorted((DATA_DIR / "traces").glob("*.xplane.pb")),
    ids=lambda path: path.name[:-10])
def test_the_viewer_counts_events_of_traces(tmp_path, path, say):
    """All of them, whatever it rounds: it has nanoseconds, a trace may have
    picoseconds."""
    target = tmp_path / "t.json"
    done = run("graph", path, "-output", f"timeline:outfile={target}")
    assert done.returncode == 0, done.stderr
    trace = traces.Trace(target.read_bytes())
    complaints, slices, lanes, arrows, counters = ask_engine(
        target, COMPLAINTS, SLICES, LANES, ARROWS, COUNTERS)
    assert complaints == []
    assert {name: count for name, count, _ in slices} == collections.Counter(
        one.process for one in trace.slices)
    assert {tuple(lane) for lane in lanes} == {
        (one.process, trace.lanes[one.lane[1]]) for one in trace.slices}
    assert arrows == [[len(trace.of("s"))]]
    assert sum(count for _, count, _ in counters) == len(trace.of("C"))
    say(f"{len(trace.slices)} slices in {len(lanes)} lanes, {arrows[0][0]} "
        f"arrows, {len(trace.of('C'))} points")


@pytest.mark.parametrize("view", ["scope", "code"])
@pytest.mark.parametrize("name", ["gen_jax-tpu", "gen_jax-cpu"])
def test_the_viewer_counts_sums_of_traces(tmp_path, name, view):
    """Siblings follow each other to the picosecond."""
    target = tmp_path / "t.json"
    done = run(view, DATA_DIR / "traces" / f"{name}.xplane.pb", "-max_depth",
               "1000", "-output", f"timeline:outfile={target}")
    assert done.returncode == 0, done.stderr
    trace = traces.Trace(target.read_bytes())
    complaints, slices = ask_engine(target, COMPLAINTS, SLICES)
    assert complaints == []
    assert {name: count for name, count, _ in slices} == collections.Counter(
        one.process for one in trace.slices)


def test_the_engine_does_complain(tmp_path):
    """Of slices that overlap in a lane, for instance."""
    path = tmp_path / "bad.json"
    path.write_text(json.dumps([
        {"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": 10}
        for name, ts in (("a", 0), ("b", 5))]))
    complaints, = ask_engine(path, COMPLAINTS)
    assert complaints != []


def test_odd_names_reach_the_viewer(tmp_path):
    names = ["plain", 'q"uote', "back\\slash", "<tag>", "new\nline", "é😀"]
    folder = Folder(tmp_path, graph=b"".join(
        node_def(name.encode()) for name in names), run=run_of(
        (CPU, b"".join(record(name.encode()) for name in names))))
    folder.ask("graph", "-output", f"timeline:outfile={tmp_path}/t")
    complaints, found = ask_engine(tmp_path / "t", COMPLAINTS,
                                   "select name from slice")
    assert complaints == [] and {name for name, in found} == set(names)
