"""What -output timeline:outfile=F writes, and when it writes nothing."""

# labels: both

import collections
import gzip
import json
import os
import zlib

import hypothesis
import pytest

import drawing
import traces
from faults import SANITIZED, SLOW, field, integer, run
from messages import (CODE, CPU, EVERYTHING, GPU, LARGEST, LOW, NOON, Folder,
                      entry, frame, node_def, record, run_of, strings)
from linear import check_linear

STREAM = GPU + b"/stream:all"
VIEWS = ("scope", "graph", "code")
ON_CPU = "Op scheduling threads: " + CPU.decode().lower()
ON_GPU = "Op scheduling threads: " + GPU.decode().lower()
ON_STREAM = "Op execution threads: " + STREAM.decode().lower()


def draw(folder, view, *args, name="out"):
    """(the trace, remarks) of a view that must be drawn, into one file."""
    target = folder.path / name
    out, notes = folder.ask(view, "-max_depth", 100, *args, "-output",
                            f"timeline:outfile={target}")
    assert out == b""
    trace = traces.Trace(target.read_bytes())
    traces.check(trace)
    target.unlink()
    assert not [name for name in os.listdir(folder.path) if "tfprof-" in name]
    return trace, notes


def places(trace):
    """{(process, name, start, length)} of all slices."""
    return {(one.process, one.name, one.start, one.length)
            for one in trace.slices}


def named(trace, name):
    return next(one for one in trace.slices if one.name == name)


def model(*nodes):
    return b"".join(nodes)


SMALL = {
    "graph": model(node_def(b"s/w", b"VariableV2", shape=[2, 3],
                            outputs=[[2, 3]]),
                   node_def(b"s/x", b"Placeholder", outputs=[[4, 2]]),
                   node_def(b"s/mul", b"MatMul", [b"s/x", b"s/w", b"^s/go"],
                            outputs=[[4, 3]]),
                   node_def(b"s/go")),
    "run": run_of((CPU, record(b"s/w", NOON, 10)
                   + record(b"s/x", NOON + 2, 3)
                   + record(b"s/mul", NOON + 20, 0, memory=[(96, 80, 48)])
                   + record(b"s/go", NOON + 4, 2))),
    "log": (entry(b"s/w", frame(1, 7)) + entry(b"s/mul", frame(1, 7)
                                               + frame(1, 9))
            + strings(CODE)),
}


@pytest.fixture
def small(tmp_path):
    return Folder(tmp_path, **SMALL)


# ---- What is drawn ----------------------------------------------------------

def test_each_run_is_a_slice(small):
    trace, _ = draw(small, "graph")
    assert places(trace) == {
        (ON_CPU, "s/w", NOON, 10), (ON_CPU, "s/x", NOON + 2, 3),
        (ON_CPU, "s/mul", NOON + 20, 1), (ON_CPU, "s/go", NOON + 4, 2)}
    # Three at a time: each in the first lane that is free.
    lanes = [named(trace, f"s/{name}").lane[1] for name in ("w", "x", "go",
                                                            "mul")]
    assert lanes == [1, 2, 3, 1]
    assert named(trace, "s/mul").args == {
        "name": "s/mul", "op": "MatMul",
        "input_shapes": "0:4x2, 1:2x3, 2:unknown", "output_shapes": "0:4x3",
        "bytes": 96, "peak_bytes": 80, "residual_bytes": 48,
        "self": {"bytes": 96, "micros": 1},
        "total": {"bytes": 96, "micros": 1 + 10 + 3 + 2}}
    assert trace.about == {"producer": "tfprof", "view": "graph", "step": 0}


def test_arrows_follow_the_data(small):
    """Not what only orders: s/go."""
    trace, _ = draw(small, "graph")
    at = {(one.lane[1], one.start): one.name for one in trace.slices}
    ends = {e["id"]: at[e["tid"], e["ts"]] for e in trace.of("f")}
    begun = {e["id"]: (e["tid"], e["ts"]) for e in trace.of("s")}
    assert list(ends.values()) == ["s/mul", "s/mul"]
    assert begun == {1: (2, NOON + 2 + 3 - 1), 2: (1, NOON + 10 - 1)}


def test_an_arrow_comes_from_the_run_before(tmp_path):
    """In a loop each run has what the latest one made; a run that has not
    begun by then made nothing. An arrow leaves from within its slice."""
    folder = Folder(
        tmp_path, graph=model(node_def(b"a"), node_def(b"b", inputs=[b"a"])),
        run=run_of((CPU, b"".join(
            record(name, NOON + at, 5) for name, at in (
                (b"b", 0), (b"a", 10), (b"b", 20), (b"a", 30), (b"a", 40),
                (b"b", 42), (b"a", 50), (b"b", 55), (b"a", 70),
                (b"b", 70))))))
    trace, _ = draw(folder, "graph")
    assert [(s["ts"] - NOON, f["ts"] - NOON) for s, f in zip(
        trace.of("s"), trace.of("f"))] == [
            (14, 20), (42, 42), (54, 55), (70, 70)]


def star(tmp_path, count, runs, length=lambda i: 5):
    """`count` nodes that are the inputs of one, which runs several times."""
    names = [b"n%d" % i for i in range(count)]
    return Folder(
        tmp_path,
        graph=model(*map(node_def, names), node_def(b"sum", inputs=names)),
        run=run_of((CPU, b"".join(record(name, NOON, 5) for name in names)
                    + b"".join(record(b"sum", NOON + 10 + 10 * i, length(i))
                               for i in range(runs)))))


def test_OU_17_the_longest_runs_have_their_arrows_first(tmp_path):
    folder = star(tmp_path, 10, 5, length=lambda i: [3, 9, 1, 9, 4][i])
    trace, notes = draw(folder, "graph")
    assert len(trace.of("s")) == 50 and notes == []
    for most, runs in ((50, [0] * 10 + [1] * 10 + [2] * 10 + [3] * 10
                        + [4] * 10),
                       (49, [1] * 10 + [3] * 10 + [4] * 10 + [0] * 10
                        + [2] * 9),
                       (25, [1] * 10 + [3] * 10 + [4] * 5),
                       (1, [1]), (0, [])):
        trace, notes = draw(folder, "graph", "-max_arrows", most)
        assert [(e["ts"] - NOON) // 10 - 1 for e in trace.of("f")] == runs
        assert notes == ([] if most == 50 else [
            f"the timeline omits {50 - most} arrow{'s' * (most < 49)} to "
            "shorter runs (see --max_arrows)"])


def test_OU_17_a_small_file_gives_no_huge_timeline(tmp_path, say):
    """3,000 inputs of 3,000 runs: 9 million arrows and shapes."""
    folder = star(tmp_path, 3000, 3000)
    size = sum(path.stat().st_size for path in folder.path.iterdir())
    trace, notes = draw(folder, "graph", "-max_depth", 10, "-max_arrows", 1000)
    assert len(trace.slices) == 6000 and len(trace.of("s")) == 1000
    assert notes == [
        "the timeline omits 8999000 arrows to shorter runs (see "
        "--max_arrows)",
        "the timeline shortens the name or shapes of 2999 slices (texts "
        "longer than 1000 bytes are complete only at the first run of a node)"]
    shapes = [one.args["input_shapes"] for one in trace.slices
              if one.name == "sum"]
    assert shapes[0].endswith(", 2999:unknown")
    assert all(text.startswith("0:unknown, 1:unknown, ")
               and text.endswith("...") and len(text) < 1010
               for text in shapes[1:])
    say(f"{size} bytes of input")


def test_both_of_two_that_start_together_are_kept(tmp_path):
    folder = Folder(
        tmp_path, graph=model(node_def(b"a"), node_def(b"b")),
        run=run_of((STREAM, record(b"a:K", NOON, 5) + record(b"b:K", NOON, 7)),
                   (GPU, record(b"a", NOON, 1) + record(b"b", NOON + 1, 1))))
    trace, _ = draw(folder, "graph")
    assert places(trace) == {
        (ON_STREAM, "a", NOON, 5), (ON_STREAM, "b", NOON, 7),
        (ON_GPU, "a", NOON, 1), (ON_GPU, "b", NOON + 1, 1)}


def test_only_what_is_shown_is_drawn(small):
    trace, _ = draw(small, "graph", "-hide_name_regexes", ".*/x")
    assert {one.name for one in trace.slices} == {"s/w", "s/mul", "s/go"}
    assert len(trace.of("s")) == 1


def test_scopes_share_the_time_of_what_is_around_them(small):
    trace, _ = draw(small, "scope")
    assert places(trace) == {
        ("Scope:0", "_TFProfRoot", 0, 16), ("Scope:1", "s", 0, 16),
        ("Scope:2", "s/go", 0, 2), ("Scope:2", "s/mul", 2, 1),
        ("Scope:2", "s/w", 3, 10), ("Scope:2", "s/x", 13, 3)}
    assert "op" not in named(trace, "s").args
    assert named(trace, "s/w").args == {
        "name": "s/w", "op": "VariableV2", "output_shapes": "0:2x3",
        "self": {"micros": 10}, "total": {"micros": 10}}
    by_time, _ = draw(small, "scope", "-order_by", "micros")
    assert named(by_time, "s/w").start == 0


def test_lines_of_code_are_drawn_by_their_calls(small):
    trace, _ = draw(small, "code", "-select", "micros,bytes,params")
    assert places(trace) == {
        ("Scope:0", "_TFProfRoot", 0, 11), ("Scope:1", "model.py:7:build", 0,
                                            11),
        ("Scope:2", "model.py:9:build", 0, 1)}
    assert named(trace, "model.py:7:build").args == {
        "name": "model.py:7:build", "nodes": 1, "file": "model.py",
        "line": 7, "function": "build", "source": "x = layer(x)",
        "self": {"micros": 10, "params": 6},
        "total": {"bytes": 96, "micros": 11, "params": 6}}


def accelerated(name, start, end, in_use, *allocations):
    """A NodeExecStats with the memory of a GPU."""
    memory = field(1, b"GPU_0_bfc") + integer(5, in_use) + b"".join(
        field(6, integer(1, at) + integer(2, size))
        for at, size in allocations)
    return field(2, field(1, name) + integer(2, start) + integer(4, end)
                 + field(6, memory))


def test_memory_is_counted_on_accelerators(tmp_path):
    at = NOON + 1000
    folder = Folder(
        tmp_path, graph=model(*map(node_def, (b"a", b"b", b"c", b"d"))),
        run=run_of((GPU, accelerated(b"a", NOON, 10, 500, (NOON, 400))
                    + accelerated(b"b", NOON + 50, 10, 600)  # too soon
                    + accelerated(b"c", at, 10, 900, (NOON + 7, 500),
                                  (at + 20, -500))
                    + accelerated(b"d", at, 10, 950)  # the later in the view
                    + accelerated(b"a", at + 500, 10, 450))),
        run2=run_of((CPU, accelerated(b"a", NOON, 10, 7))))
    trace, _ = draw(folder, "graph", "-step", 0)
    usage = "mem usage on:" + GPU.decode().lower()
    assert [(trace.processes[e["pid"]], e["ts"], e["args"])
            for e in trace.of("C")] == [
        (usage, when, {"Allocator Bytes in Use": bytes_})
        for when, bytes_ in ((NOON + 10, 500), (at + 10, 950),
                             (at + 510, 450))]
    assert [(trace.processes[e["pid"]], e["ts"], e["args"])
            for e in trace.of("i")] == [
        (usage + " allocations", when, told) for when, told in (
            (NOON + 10, {"Top Allocation 00": "500B from c",
                         "Top Allocation 01": "400B from a",
                         "Not Displayed": "0B"}),
            (at + 10, {"Top Allocation 00": "500B from c",
                       "Top Allocation 01": "400B from a",
                       "Not Displayed": "50B"}),
            (at + 510, {"Top Allocation 00": "400B from a",
                        "Not Displayed": "50B"}))]


def test_the_ten_largest_are_told(tmp_path):
    """With many holders and changes, as a slow search would find them."""
    random = zlib.crc32
    holders = {b"n%d" % i: [(NOON + random(b"%d.%d" % (i, k)) % 5000,
                             random(b"%d,%d" % (i, k)) % 999 + 1)
                            for k in range(5)] for i in range(60)}
    folder = Folder(
        tmp_path, graph=model(*map(node_def, holders)),
        run=run_of((GPU, b"".join(
            accelerated(name, NOON + 100 * i, 1, 10**6, *changes,
                        *((at + 1500, -size) for at, size in changes))
            for i, (name, changes) in enumerate(holders.items())))))
    trace, _ = draw(folder, "graph")
    told = trace.of("i")
    assert len(told) > 50
    for event in told:
        held = sorted((sum(size for at, size in changes
                           if at < event["ts"] <= at + 1500)
                       for changes in holders.values()), reverse=True)
        want = [size for size in held[:10] if size > 0]
        got = [event["args"][f"Top Allocation {i:02}"].split("B ")[0]
               for i in range(len(event["args"]) - 1)]
        assert got == [str(size) if size < 1000 else f"{size / 1000:.2f}K"
                       for size in want]


def test_OU_17_long_names_are_written_once(tmp_path):
    """Not at each run and each point of the memory."""
    name = "é".encode() * 5000
    folder = Folder(
        tmp_path, graph=model(node_def(name), node_def(b"b")),
        run=run_of((GPU, b"".join(
            accelerated(one, NOON + 1000 * i + at, 5, 900, (NOON, 9))
            for i in range(20) for one, at in ((name, 0), (b"b", 500))))))
    trace, notes = draw(folder, "graph")
    names = [one.name for one in trace.slices if one.name != "b"]
    assert sorted(map(len, names)) == [503] * 19 + [5000]
    assert all(one in (name.decode(), "é" * 500 + "...") for one in names)
    assert notes[-1].startswith(
        "the timeline shortens the name or shapes of 19 slices (")
    told = [text for e in trace.of("i") for text in e["args"].values()
            if "é" in text]
    assert told and all(text.endswith(" from " + "é" * 128 + "...")
                        for text in told)


# ---- Which files ------------------------------------------------------------

@pytest.fixture
def steps(tmp_path):
    return Folder(tmp_path, **SMALL, run2=run_of((CPU, record(b"s/w", 1, 7))))


def written(folder, view, outfile, *args):
    before = set(os.listdir(folder.path))
    folder.ask(view, *args, "-output",
               f"timeline:outfile={folder.path / outfile}")
    return sorted(set(os.listdir(folder.path)) - before)


@pytest.mark.parametrize("view", VIEWS)
def test_one_file_has_the_name_that_was_asked_for(steps, small, view):
    assert written(steps, view, "one", "-step", 1) == ["one"]
    assert written(steps, view, "one.gz", "-step", 1) == ["one.gz"]
    if view != "graph":
        assert written(steps, view, "average") == ["average"]
        assert traces.Trace((steps.path / "average").read_bytes()).about == {
            "producer": "tfprof", "view": view, "step": "average"}
    assert written(small, view, "only") == ["only"]


def test_several_steps_are_several_files(steps):
    assert written(steps, "graph", "f") == ["f_0", "f_1"]
    assert written(steps, "graph", "g.gz") == ["g_0.gz", "g_1.gz"]
    assert written(steps, "graph", "h.json") == ["h_0.json", "h_1.json"]
    for i, slices in ((0, 4), (1, 1)):
        plain = (steps.path / f"f_{i}").read_bytes()
        assert gzip.decompress((steps.path / f"g_{i}.gz").read_bytes()) == plain
        trace = traces.Trace(plain)
        assert len(trace.slices) == slices and trace.about["step"] == i


@pytest.mark.parametrize("view", VIEWS)
def test_a_file_is_the_same_each_time(steps, view):
    first, again = (folder_bytes(steps, view) for _ in range(2))
    assert first == again


def folder_bytes(folder, view):
    names = written(folder, view, f"{view}.gz")
    found = {name: (folder.path / name).read_bytes() for name in names}
    for name in names:
        (folder.path / name).unlink()
    return found


def refused(folder, view, *args, code=2):
    """What is said, when no file is made."""
    before = sorted(os.listdir(folder.path))
    words = folder.refuse(view, *args, code=code)
    assert sorted(os.listdir(folder.path)) == before
    return words


def test_the_op_view_has_none(small):
    words = refused(small, "op", "-output", f"timeline:outfile={small.path}/f")
    assert "the op view has no timeline" in words


@pytest.mark.parametrize("view", VIEWS)
def test_without_runs_there_is_none(tmp_path, view):
    output = ("-output", f"timeline:outfile={tmp_path}/f")
    folder = Folder(tmp_path, graph=SMALL["graph"], log=SMALL["log"])
    assert "requires run records" in refused(folder, view, *output)
    assert "requires run records" in refused(folder, view, "-step", 0, *output)
    folder = Folder(tmp_path, **SMALL, run2=b"")
    assert "there is no step 5 (steps: 0" in refused(folder, view, "-step", 5,
                                                     *output)


def test_a_step_without_records_is_drawn_empty_beside_others(tmp_path):
    folder = Folder(tmp_path, **SMALL, run2=run_of((CPU, b"")))
    assert written(folder, "graph", "f") == ["f_0", "f_1"]
    assert traces.Trace((tmp_path / "f_1").read_bytes()).events == []
    output = ("-output", f"timeline:outfile={tmp_path}/f")
    assert "requires run records" in refused(folder, "graph", "-step", 1, *output)


@pytest.mark.parametrize("name", ["run", "graph"])
def test_OU_08_no_file_replaces_an_input(small, name):
    before = (small.path / name).read_bytes()
    words = refused(small, "graph", "-output",
                    f"timeline:outfile={small.path / name}")
    assert "is one of the inputs" in words
    assert (small.path / name).read_bytes() == before


def test_OU_08_nor_does_the_second_of_several(steps):
    os.rename(steps.path / "run2", steps.path / "f_1")
    steps.args = [arg.replace("run2", "f_1") for arg in steps.args]
    words = refused(steps, "graph", "-output",
                    f"timeline:outfile={steps.path}/f")
    assert "f_1' is one of the inputs" in words


def test_a_place_that_cannot_be_written_is_named(small):
    words = refused(small, "graph", "-output",
                    f"timeline:outfile={small.path}/missing/f", code=3)
    assert "No such file" in words


def test_a_file_that_cannot_be_written_leaves_the_others_whole(steps):
    (steps.path / "f_1").mkdir()
    (steps.path / "f_1" / "x").mkdir()
    code, out, _ = run("graph", *steps.args, "-output",
                       f"timeline:outfile={steps.path}/f")
    assert (code, out) == (3, b"")
    assert len(traces.Trace((steps.path / "f_0").read_bytes()).slices) == 4
    assert not [n for n in os.listdir(steps.path) if n.startswith(".tfprof")]


# ---- Faults -----------------------------------------------------------------

STRANGE = [b"../../x", b"/etc/x", b"CON", b"n" * 300, b"a\nb", b"..", b"%s%n",
           b"x.gz", b"\xff\xfe", b"a\0b"]


@pytest.mark.parametrize("name", STRANGE, ids=repr)
def test_OU_09_no_name_from_a_file_gets_into_a_file_name(tmp_path, name):
    place = tmp_path / "deep" / "place"
    place.mkdir(parents=True)
    device = b"/" + name + b"/cpu:0"
    folder = Folder(place, graph=model(node_def(name, name), node_def(b"b")),
                    run=run_of((device, record(name))),
                    run2=run_of((device, record(name))),
                    log=entry(name, frame(1, 7)) + strings({1: name, 2: name}))
    for view in VIEWS:
        wanted = ["f_0", "f_1"] if view == "graph" else ["f"]
        assert written(folder, view, "f") == wanted
        for one in wanted:
            os.unlink(place / one)
    assert sorted(os.listdir(tmp_path / "deep")) == ["place"]


ODD = [b'"', b"\\", b"\x01", b"\x7f", b"\n", b"\xff", b"\xed\xa0\x80",
       "\u2028".encode(), "\u202e".encode(), b"</script>", b"a" * 7 + b'"',
       b"a" * 8 + b"\\", b"a" * 15 + b"<", "é".encode() * 9,
       "😀".encode(), b"\xf0\x9f\x98"]


def test_OU_11_any_name_is_sound_json(tmp_path):
    def shown(name):
        return name.decode(errors="backslashreplace")

    folder = Folder(
        tmp_path, graph=b"".join(node_def(b"n" + name, b"op" + name)
                                 for name in ODD),
        run=run_of(*((b"/" + name + b"/cpu:0", record(b"n" + name))
                     for name in ODD)))
    trace, notes = draw(folder, "graph")
    assert {one.name for one in trace.slices} == {
        "n" + shown(name) for name in ODD}
    assert {one.args["op"] for one in trace.slices} == {
        "op" + shown(name) for name in ODD}
    assert ("control characters, invisible characters and invalid UTF-8 in "
            "names are shown as \\xHH") in notes
    raw, _ = folder.ask("graph", "-output", "timeline:outfile=/dev/stdout")
    assert b"</" not in raw and not any(c in raw for c in b"\x01\x7f\xff")


def test_OU_11_large_numbers(tmp_path):
    """Times are numbers, for the format knows no other; the rest are strings
    where a reader that takes numbers for doubles would change them."""
    folder = Folder(
        tmp_path, graph=model(node_def(b"a", shape=[2**40, 2**40])),
        run=run_of((CPU, record(b"a", 2**62, 2**61,
                                memory=[(LARGEST, 2**53, 2**53 - 1)]))))
    trace, _ = draw(folder, "graph", "-select", EVERYTHING)
    one = named(trace, "a")
    assert (one.start, one.length) == (2**62, 2**61)
    assert one.args["bytes"] == str(LARGEST)
    assert one.args["peak_bytes"] == str(2**53)
    assert one.args["residual_bytes"] == 2**53 - 1
    assert one.args["self"]["params"] == str(LARGEST)


def test_RM_02_children_that_took_longer_than_their_parent(tmp_path):
    """Upstream aborts. "s" itself took -50 us, so it and its child took 50,
    its child alone 100."""
    folder = Folder(
        tmp_path, graph=model(node_def(b"s"), node_def(b"s/long"),
                              node_def(b"s/long/er"), node_def(b"s/more")),
        run=run_of((CPU, record(b"s", NOON, -90) + record(b"s/long", NOON, 60)
                    + record(b"s/long/er", NOON, 40)
                    + record(b"s/more", NOON, 40))))
    trace, notes = draw(folder, "scope")
    assert places(trace) == {
        ("Scope:0", "_TFProfRoot", 0, 50), ("Scope:1", "s", 0, 50),
        ("Scope:2", "s/long", 0, 50), ("Scope:3", "s/long/er", 0, 40),
        ("Scope:2", "s/more", 50, 0)}
    assert [note for note in notes if "timeline shortens 2 " in note]
    assert named(trace, "s/long").args["total"]["micros"] == 100


def test_RM_02_more_than_there_is_time_for(tmp_path):
    """Sums that stop at the largest number."""
    folder = Folder(
        tmp_path, graph=model(*(node_def(b"s/%d" % i) for i in range(3))),
        run=run_of((CPU, b"".join(record(b"s/%d" % i, 1, LARGEST - 1)
                                  for i in range(3)))))
    trace, notes = draw(folder, "scope")
    assert [(one.start, one.length) for one in trace.slices[1:]] == [
        (0, LARGEST), (0, LARGEST - 1), (LARGEST - 1, 1), (LARGEST, 0)]
    assert [note for note in notes if "timeline shortens 2 " in note]


def test_RM_02_runs_that_end_before_they_start(tmp_path):
    folder = Folder(
        tmp_path, graph=model(*map(node_def, (b"a", b"b", b"c"))),
        run=run_of((CPU, record(b"a", NOON, -7) + record(b"b", LARGEST, 9)
                    + record(b"c", NOON, 5))))
    trace, notes = draw(folder, "graph", *LOW)
    assert places(trace) == {(ON_CPU, "a", NOON, 0), (ON_CPU, "c", NOON, 5),
                             (ON_CPU, "b", LARGEST, 0)}
    assert [note for note in notes if "timeline shortens 2 " in note]


def overlapping(path, count):
    """Runs that all go on at once, and start in no order."""
    records = b"".join(record(b"n%d" % (i % 100), NOON + i * 7919 % count,
                              10**6) for i in range(count))
    return Folder(path, graph=b"".join(node_def(b"n%d" % i)
                                       for i in range(100)),
                  run=run_of((CPU, records)))


def test_RM_06_as_many_lanes_as_runs(tmp_path):
    count = 20_000 if SANITIZED else 100_000
    trace, _ = draw(overlapping(tmp_path, count), "graph")
    assert len({one.lane for one in trace.slices}) == count


@pytest.mark.skipif(SANITIZED, reason="a sanitizer's time is not ours")
def test_RM_06_twice_the_lanes_take_twice_the_time(tmp_path, say):
    count = 200_000 if SLOW else 100_000
    args = []
    for size in (count // 2, count):
        place = tmp_path / str(size)
        place.mkdir()
        args.append(["graph", *overlapping(place, size).args, "-output",
                     "timeline:outfile=/dev/null"])
    check_linear(say, f"{count} at once", *args)


# ---- Random files -----------------------------------------------------------

DRAWS = int(os.environ.get("TFPROF_RANDOM_DRAWS")
            or (5000 if SLOW else 40 if SANITIZED else 100))
SEED = zlib.crc32(b"timelines"
                  + os.environ.get("TFPROF_TEST_SEED", "").encode())
seen = collections.Counter()


def rows_with_time(rows):
    """The root, and what took time below what took time."""
    skipped = None
    for i, row in enumerate(rows):
        if skipped is not None and row["depth"] > skipped:
            continue
        skipped = None
        if i > 0 and row["total"]["micros"] <= 0:
            skipped = row["depth"]
        else:
            yield row


def check_against_rows(view, trace, rows):
    """The slices are the rows of the same question."""
    if view == "graph":
        names = {row["name"] for row in rows}
        assert {one.name for one in trace.slices} <= names
        return
    drawn = list(rows_with_time(rows))
    assert [(one.name, one.process) for one in trace.slices] == [
        (row["name"], f"Scope:{row['depth']}") for row in drawn]
    for one, row in zip(trace.slices, drawn):
        assert one.length <= max(row["total"]["micros"], 0)


def columns(options):
    """The same question, with the time among the columns."""
    return {**options, "select": options.get("select", "bytes") + ",micros"}


# Where all files are one's own, nothing is folded, and what has no line has a
# row in every form.
MORE = {"graph": ["--step=0"], "code": ["--own", "--own_regexes=.*"]}


@hypothesis.seed(SEED)
@hypothesis.settings(max_examples=DRAWS, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(drawing.FILES, drawing.OPTIONS)
def draw_anything(files, options):
    with drawing.question(files, columns(options)) as (_, asked):
        for view in VIEWS:
            args = [*asked, *MORE.get(view, ())]
            code, out, err = run(view, *args, "-output",
                                 "timeline:outfile=/dev/stdout")
            seen[view, code] += 1
            assert code in (0, 2), err
            err.decode()
            if code == 0:
                trace = traces.Trace(out)
                traces.check(trace)
                _, rows, _ = run(view, *args, "--format", "json")
                check_against_rows(view, trace, json.loads(rows)["rows"])


def test_OU_11_random_files(say):
    draw_anything()
    say(", ".join(f"{view}: {seen[view, 0]} drawn, {seen[view, 2]} refused"
                  for view in VIEWS))
    assert all(seen[view, 0] > DRAWS // 6 for view in VIEWS)
