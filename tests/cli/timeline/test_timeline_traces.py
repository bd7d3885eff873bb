"""The timeline of traces: every event at its time. What is in a trace is told
by the message classes of TensorFlow."""

# labels: slow

import collections
import decimal
import gzip
import json
import re
import shutil
import subprocess

import pytest

import tf_messages
from lacking import lacks
from program import DATA_DIR, TFPROF, run
from trace_build import BROKEN, Plane, space
from traces import Trace, check_numbers

FOLDER = DATA_DIR / "traces"
FILES = sorted(FOLDER.glob("*.xplane.pb"))
EVERY = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:-10])
MICRO = 10**6  # picoseconds
STEPS = ": steps"
MEMORY = ": memory"

Event = collections.namedtuple("Event", "process line name begin length")


def draw(tmp_path, *args, notes=None, name="out.json", **kwargs):
    """The timeline of traces; what stderr says is added to `notes`."""
    target = tmp_path / name
    done = run("graph", *args, "-output", f"timeline:outfile={target}",
               **kwargs)
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    if notes is not None:
        notes.append(done.stderr.decode())
    trace = Trace(target.read_bytes())
    check(trace)
    return trace


def check(trace):
    """What holds of every picture of a trace."""
    lanes = collections.defaultdict(set)
    for event in trace.events:
        assert event["pid"] in trace.processes
        if event["ph"] != "M":
            lanes[event["tid"]].add(event["pid"])
    assert all(len(processes) == 1 for processes in lanes.values())
    check_numbers([event["args"] for event in trace.of("B")])
    assert trace.of("X") == []
    check_arrows(trace)


def check_arrows(trace):
    """Each leads from the start of a slice to the start of another one."""
    begins = {(e["pid"], e["tid"], e["ts"]) for e in trace.of("B")}
    leaves = {e["id"]: e for e in trace.of("s")}
    arrives = {e["id"]: e for e in trace.of("f")}
    assert len(leaves) == len(trace.of("s")) == len(trace.of("f"))
    assert leaves.keys() == arrives.keys()
    for number, leave in leaves.items():
        arrive = arrives[number]
        assert leave["ts"] <= arrive["ts"] and arrive["bp"] == "e"
        for e in (leave, arrive):
            assert (e["pid"], e["tid"], e["ts"]) in begins


def picos(micros):
    exact = micros * MICRO
    assert exact == int(exact)
    return int(exact)


def line_of(trace, one):
    """Without the number of one more lane of it."""
    name = trace.lanes[one.lane[1]]
    return re.sub(r" \(\d+\)$", "", name)


def drawn(trace, asked=lambda one: True):
    """All events that are slices, and how often."""
    return collections.Counter(
        Event(one.process, line_of(trace, one), one.name, picos(one.start),
              picos(one.length))
        for one in trace.slices
        if not one.process.endswith(STEPS) and asked(one))


def read(path):
    if not tf_messages.HAVE:
        lacks(tf_messages.NEEDED)
    classes = tf_messages.module("tsl.profiler.protobuf.xplane")
    return classes.XSpace.FromString(path.read_bytes())


def signed(value):
    return (value + 2**63) % 2**64 - 2**63


def events_of(path):
    """(plane, line, type, event, begin) of all events that have a time."""
    message = read(path)
    for plane in message.planes:
        for line in plane.lines:
            for event in line.events:
                if event.WhichOneof("data") != "num_occurrences":
                    yield (message, plane, line,
                           plane.event_metadata[event.metadata_id], event,
                           line.timestamp_ns * 1000 + event.offset_ps)


def wanted(path):
    return collections.Counter(
        Event(f"{message.hostnames[0]}: {plane.name}", line.name,
              kind.display_name or kind.name, begin, event.duration_ps)
        for message, plane, line, kind, event, begin in events_of(path))


def stat(plane, event, name):
    for one in event.stats:
        if plane.stat_metadata[one.metadata_id].name == name:
            return signed(getattr(one, one.WhichOneof("value")))
    return None


def table(kind, path):
    """Nothing where no input has what it is made of."""
    done = run(kind, path, "--format", "json")
    assert done.returncode in (0, 2), done.stderr
    return json.loads(done.stdout or "{}", parse_float=decimal.Decimal)


# ---- What is drawn -----------------------------------------------------------

@EVERY
def test_every_event_is_a_slice(tmp_path, path, say):
    found, want = drawn(draw(tmp_path, path)), wanted(path)
    assert found == want and sum(want.values()) > 100
    say(f"{sum(want.values())} slices, "
        f"{sum(e.length * n for e, n in want.items()) // MICRO} us")


@EVERY
def test_nodes_ran_as_often_as_the_view_says(tmp_path, path):
    """Each slice of a node tells it; the runs of all steps are those of the
    steps one by one."""
    found = collections.Counter()
    for one in draw(tmp_path, path).slices:
        if "op" in one.args:
            found[one.args.get("node", one.name)] += 1
    done = run("info", "--format", "json", path)
    want = collections.Counter()
    steps = json.loads(done.stdout)["files"][0]["steps"]
    has_rest = any(row["is_rest"] for row in table("steps", path)["steps"])
    for step in steps + ["rest"] * has_rest:
        done = run("scope", path, "-step", str(step), "--format", "json",
                   "-select", "occurrence", "-max_depth", "100000")
        for row in json.loads(done.stdout)["rows"]:
            want[row["name"]] += row["self"].get("runs", 0)
    assert found == +want


@EVERY
def test_steps_are_those_of_the_table(tmp_path, path):
    found = {one.args["step"]: picos(one.length)
             for one in draw(tmp_path, path).slices
             if one.process.endswith(STEPS)}
    want = {row["step"]: row["wall_micros"]
            for row in table("steps", path)["steps"] if not row["is_rest"]}
    assert found.keys() == want.keys()
    for step, length in found.items():
        assert want[step] is None or length == picos(want[step])
    assert len(found) > 1


@EVERY
def test_memory_has_the_peaks_of_the_table(tmp_path, path, say):
    found = collections.defaultdict(int)
    trace = draw(tmp_path, path)
    for e in trace.of("C"):
        assert trace.processes[e["pid"]].endswith(MEMORY)
        name = e["name"].removeprefix("Allocated Bytes: ")
        found[name] = max(found[name], e["args"]["Allocator Bytes in Use"])
    want = {row["allocator"]: row["peak_bytes"]
            for row in table("memory", path).get("pools", [])}
    assert found == want
    say(f"{len(trace.of('C'))} points")


@EVERY
def test_arrows_lead_from_launches_to_kernels(tmp_path, path, say):
    launches, kernels = {}, []
    for _, plane, _, _, event, begin in events_of(path):
        number = stat(plane, event, "correlation_id")
        if number is None:
            continue
        if plane.name == "/host:CPU":
            launches[number] = begin
        else:
            kernels.append((number, begin))
    want = collections.Counter(
        (launches[number], begin) for number, begin in kernels
        if launches.get(number, begin + 1) <= begin)
    trace = draw(tmp_path, path)
    arrives = {e["id"]: e for e in trace.of("f")}
    found = collections.Counter(
        (picos(e["ts"]), picos(arrives[e["id"]]["ts"])) for e in trace.of("s"))
    assert found == want
    say(f"{sum(want.values())} arrows")


def test_source_lines_are_told(tmp_path):
    trace = draw(tmp_path, FOLDER / "gen_jax-gpu.xplane.pb")
    told = {(one.args["file"], one.args["line"], one.args["function"])
            for one in trace.slices if "file" in one.args}
    assert ("/home/user/model.py", 38, "layer") in told


# ---- Options -----------------------------------------------------------------

@pytest.mark.parametrize("name", ["gen_jax-tpu", "gen_tf-gpu",
                                  "keras315_tf221_jit"])
def test_the_steps_make_up_the_whole(tmp_path, name):
    path = FOLDER / f"{name}.xplane.pb"
    whole = draw(tmp_path, path)
    steps = json.loads(run("info", "--format", "json", path).stdout
                       )["files"][0]["steps"]
    parts = drawn(whole, lambda one: "step" not in one.args)
    for step in steps:
        part = draw(tmp_path, path, "-step", str(step))
        assert part.about["step"] == step
        assert {one.args.get("step", step) for one in part.slices} == {step}
        parts += drawn(part, lambda one: "step" in one.args)
    assert parts == drawn(whole) and whole.about["step"] == "all"
    assert len(steps) > 2


def test_only_what_the_view_shows(tmp_path):
    path = FOLDER / "gen_tf-gpu.xplane.pb"
    whole = draw(tmp_path, path)
    some = draw(tmp_path, path, "-show_name_regexes", ".*MatMul.*")
    names = {one.args.get("node", one.name) for one in some.slices
             if not one.process.endswith(STEPS)}
    assert names and all("MatMul" in name for name in names)
    assert drawn(some) == collections.Counter({
        event: count for event, count in drawn(whole).items()
        if event in drawn(some)})
    hidden = draw(tmp_path, path, "-hide_name_regexes", ".*MatMul.*")
    assert drawn(some) + drawn(hidden) == drawn(whole)


def test_events_that_are_no_node_have_a_length(tmp_path):
    path = FOLDER / "keras315_tf221_jit.xplane.pb"
    trace = draw(tmp_path, path, "-min_micros", "100")
    others = [one for one in trace.slices if "op" not in one.args]
    assert others and all(one.length >= 100 for one in others
                          if not one.process.endswith(STEPS))
    typed = draw(tmp_path, path, "-account_type_regexes", ".*cpu.*")
    assert all("op" in one.args or one.process.endswith(STEPS)
               for one in typed.slices)
    assert any("op" in one.args for one in typed.slices)


def test_arrows_have_a_limit(tmp_path):
    path, notes = FOLDER / "gen_jax-gpu.xplane.pb", []
    trace = draw(tmp_path, path, "-max_arrows", "5", notes=notes)
    assert len(trace.of("s")) == 5
    assert ("the timeline omits the launch arrows of 435 kernels (see "
            "--max_arrows)") in notes[0]


# ---- Where it comes from -----------------------------------------------------

def test_packed_traces_and_packed_pictures(tmp_path):
    path = FOLDER / "gen_tf-gpu.xplane.pb"
    packed = tmp_path / "host.xplane.pb.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    draw(tmp_path, path)
    draw(tmp_path, packed, name="again.json.gz")
    assert (tmp_path / "out.json").read_bytes() == gzip.decompress(
        (tmp_path / "again.json.gz").read_bytes())


def test_several_hosts_are_processes_of_their_own(tmp_path):
    folder = tmp_path / "log" / "plugins" / "profile" / "2026_01_01"
    folder.mkdir(parents=True)
    first = FOLDER / "gen_jax-gpu.xplane.pb"
    second = FOLDER / "keras315_tf221_jit.xplane.pb"
    shutil.copy(first, folder / "a.xplane.pb")
    shutil.copy(second, folder / "b.xplane.pb")
    trace = draw(tmp_path, tmp_path / "log")
    assert drawn(trace) == wanted(first) + wanted(second)
    assert {name.split(":")[0] for name in trace.processes.values()} == {
        "host0", "vm"}


@pytest.mark.parametrize("give", ["-", "/dev/stdin"])
def test_a_pipe_cannot_be_read_again(tmp_path, give):
    with subprocess.Popen(
            [TFPROF, "graph", give, "-output",
             f"timeline:outfile={tmp_path}/out.json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) as process:
        _, err = process.communicate(
            (FOLDER / "gen_tf-gpu.xplane.pb").read_bytes())
    assert process.returncode == 2
    assert (b"this output must read the input twice, but this input can be "
            b"read only once (give a file)") in err
    assert list(tmp_path.iterdir()) == []


def test_at_the_prompt_as_on_the_command_line(tmp_path):
    path = FOLDER / "gen_tf-gpu.xplane.pb"
    draw(tmp_path, path)
    lines = (f"steps\ngraph -output timeline:outfile={tmp_path}/other.json\n"
             "steps\n")
    done = subprocess.run([TFPROF, path], input=lines.encode(),
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.json").read_bytes() == (
        tmp_path / "other.json").read_bytes()
    assert done.stdout == run("steps", path).stdout * 2


def test_beside_run_records_a_note_says_so(tmp_path):
    target = tmp_path / "out.json"
    done = run("graph", "--graph_path", DATA_DIR / "graph.pb",
               "--run_meta_path", DATA_DIR / "run_meta",
               FOLDER / "gen_tf-gpu.xplane.pb", "-output",
               f"timeline:outfile={target}")
    assert done.returncode == 0, done.stderr
    assert (b"the timeline contains only the run records, because traces use "
            b"another clock (to draw a trace, give it without run records)"
            ) in done.stderr
    assert all(one.process.startswith("Op ")
               for one in Trace(target.read_bytes()).slices)


# ---- Traces made for it ------------------------------------------------------

@pytest.fixture(name="write")
def _write(tmp_path):
    def write(*planes):
        path = tmp_path / "host.xplane.pb"
        path.write_bytes(space(*planes))
        return path
    return write


def places(trace):
    return {(one.process, trace.lanes[one.lane[1]], one.name, picos(one.start),
             picos(one.length)) for one in trace.slices
            if one.process != "steps"}


def test_what_overlaps_has_a_lane_of_its_own(tmp_path, write):
    host = Plane("/host:CPU")
    host.line(7, "t", host.event("a:A", 0, 10), host.event("b:B", 5, 10),
              host.event("in:B", 5, 5), host.event("c:C", 10, 0),
              host.event("d:D", 6, 12))
    trace = draw(tmp_path, write(host))
    assert places(trace) == {
        ("/host:CPU", "t", "a:A", 0, 10), ("/host:CPU", "t (2)", "b:B", 5, 10),
        ("/host:CPU", "t", "in:B", 5, 5), ("/host:CPU", "t", "c:C", 10, 0),
        ("/host:CPU", "t (3)", "d:D", 6, 12)}


def test_lines_of_every_kind(tmp_path, write):
    """Without a name, derived from others, of a plane that nobody knows; what
    is aggregated has no place in time."""
    host, gpu, other = (Plane(name) for name in
                        ("/host:CPU", "/device:GPU:0", "/custom:thing"))
    host.line(3, "", host.event("a:A", 5, 5), host.event("b:B", 0, 9, count=3))
    host.line(-559038737, "derived", host.event("a:A", 6, 1))
    gpu.line(1, "Stream #1", gpu.event("k", 9, 4))
    gpu.line(2, "XLA Modules", gpu.event("m", 5, 12))
    other.line(1, "x", other.event("e", 2, 3))
    trace = draw(tmp_path, write(other, gpu, host))
    assert places(trace) == {
        ("/host:CPU", "3", "a:A", 5, 5), ("/host:CPU", "derived", "a:A", 6, 1),
        ("/device:GPU:0", "Stream #1", "k", 9, 4),
        ("/device:GPU:0", "XLA Modules", "m", 5, 12),
        ("/custom:thing", "x", "e", 2, 3)}


def test_a_launch_of_a_tpu_has_an_arrow(tmp_path, write):
    host, tpu = Plane("/host:CPU"), Plane("/device:TPU:0")
    host.line(1, "t", host.event("a:A", 0, 90000),
              host.event("launch", 2000, 5000, _pt=12, _p=7),
              host.event("other", 9000, 5000, _pt=3, _p=8))
    tpu.line(1, "XLA Modules", tpu.event("m", 8000, 9000, _ct=12, _c=7),
             tpu.event("n", 20000, 9000, _ct=3, _c=8),
             tpu.event("none", 30000, 9000, _ct=12, _c=9))
    trace = draw(tmp_path, write(host, tpu))
    assert [(picos(s["ts"]), picos(f["ts"])) for s, f in zip(
        trace.of("s"), trace.of("f"))] == [(2000, 8000)]


def test_memory_of_every_allocator(tmp_path, write):
    """By name, by number, and without either; what does not change is told
    once."""
    def told(number, begin, level, **stats):
        return host.event("MemoryAllocation", begin, 0, bytes_allocated=level,
                          bytes_reserved=0, addr=number, **stats)

    host = Plane("/host:CPU")
    host.line(1, "t", host.event("a:A", 0, 50),
              told(1, 1, 5, allocator_name="x"),
              told(2, 2, 7, allocator_name="x"),
              told(3, 3, 7, device_ordinal=2), told(4, 4, 9),
              told(5, 5, 7, allocator_name="x"))
    trace = draw(tmp_path, write(host))
    assert [(e["name"], picos(e["ts"]), e["args"]["Allocator Bytes in Use"])
            for e in trace.of("C")] == [
        ("Allocated Bytes", 4, 9), ("Allocated Bytes: x", 1, 5),
        ("Allocated Bytes: x", 2, 7), ("Allocated Bytes: memory 2", 3, 7)]


def test_times_are_exact_however_large(tmp_path, write):
    """And a kernel that ran before its launch has no arrow."""
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    host.line(1, "t", host.event("a:A", 1, 1, correlation_id=5),
              host.event("b:B", 2**62 + 1, 999999))
    gpu.line(1, "Stream #1", gpu.event("k", 0, 1, correlation_id=5))
    trace = draw(tmp_path, write(host, gpu))
    assert {(picos(one.start), picos(one.length)) for one in trace.slices
            if one.process == "/host:CPU"} == {(1, 1), (2**62 + 1, 999999)}
    assert trace.of("s") == []


def test_long_and_odd_names(tmp_path, write):
    host, notes = Plane("/host:CPU"), []
    long = "x" * 5000
    host.line(1, "a\x1b[2J", host.event(long, 0, 9), host.event("é\n", 0, 8),
              host.event("a:A", 1, 2))
    trace = draw(tmp_path, write(host), notes=notes)
    assert {one.name for one in trace.slices if one.process == "/host:CPU"} == {
        "x" * 1000 + "...", "é\n", "a:A"}
    assert ("the timeline shortens 1 event name longer than 1000 bytes"
            in notes[0])


def test_long_arguments_are_cut(tmp_path, write, say):
    """A character is not taken apart. A large text that each slice has does
    not make a large file of a small input."""
    count, long = 100, "x" + "é" * 50_000
    tpu = Plane("/device:TPU:0")
    kind = tpu.event_id("%f", None, [
        tpu.stat("program_id", 1), tpu.stat("tf_op", "a:Op"),
        tpu.stat("source", f"{long}:7"), tpu.stat("hlo_category", long)])
    tpu.line(1, "XLA Ops", *(tpu.event(kind, 10 * i, 5) for i in range(count)))
    path = write(tpu)
    trace = draw(tmp_path, path)
    slices = [one for one in trace.slices if one.name == "%f"]
    cut = "x" + "é" * 499 + "..."
    assert (tmp_path / "out.json").stat().st_size < 2 * path.stat().st_size
    assert len(slices) == count
    assert {(one.args["op"], one.args["file"], one.args["line"],
             one.args["node"]) for one in slices} == {(cut, cut, 7, "a/%f")}
    say(f"{path.stat().st_size} bytes of input, "
        f"{(tmp_path / 'out.json').stat().st_size} of output")
    for view in ("scope", "code"):
        target = tmp_path / f"{view}.json"
        done = run(view, path, "-output", f"timeline:outfile={target}")
        assert done.returncode == 0
        assert len(target.read_bytes()) < 2 * path.stat().st_size


def test_damage_is_drawn_up_to_it_if_that_is_asked(tmp_path, write):
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    host.line(1, "t", host.event("a:A", 0, 9), b"\x22\x02\x08",
              host.event("c:C", 40, 9))
    gpu.line(1, "Stream #1", gpu.event("k", 9, 4))
    path = write(gpu, host)
    target = tmp_path / "out.json"
    done = run("graph", path, "-output", f"timeline:outfile={target}")
    assert done.returncode == 1 and not target.exists()
    done = run("graph", "--salvage", path, "-output",
               f"timeline:outfile={target}")
    assert done.returncode == 1 and b"partial" in done.stderr
    trace = Trace(target.read_bytes())
    check(trace)
    assert places(trace) == {("/device:GPU:0", "Stream #1", "k", 9, 4)}


def test_damage_in_an_event_is_drawn_up_to_it(tmp_path, write):
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    host.line(1, "t", host.event("train", 0, 90, step_num=3, _r=1),
              host.event("a:A", 5, 9), BROKEN, host.event("c:C", 40, 9))
    gpu.line(1, "Stream #1", gpu.event("k", 9, 4))
    target = tmp_path / "out.json"
    done = run("graph", "--salvage", write(host, gpu), "-output",
               f"timeline:outfile={target}")
    assert done.returncode == 1 and b"partial" in done.stderr
    trace = Trace(target.read_bytes())
    assert places(trace) == {
        ("/host:CPU", "t", "train", 0, 90), ("/host:CPU", "t", "a:A", 5, 9),
        ("/device:GPU:0", "Stream #1", "k", 9, 4)}
    assert {one.args["step"] for one in trace.slices} == {3}
