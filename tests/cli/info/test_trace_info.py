"""What `tfprof info` and the notes tell of a trace."""

import re

import pytest

import program
from faults import field, integer
from files import SHARED, needs_shared

FILES = SHARED / "xspace" / "files"


def trace_of(name):
    info = program.Info(FILES / f"{name}.xplane.pb")
    assert (info.exit, info.stderr) == (0, "")
    return info.file["trace"]


def text_of(*args):
    done = program.run("info", *args)
    assert done.returncode == 0
    return done.stdout.decode()


# ---- Real traces -------------------------------------------------------------

@needs_shared
@pytest.mark.parametrize("name, planes, programs", [
    ("jax0102_cpu_train_py0", {"/host:metadata": (0, 0),
                               "/host:CPU": (4, 1319),
                               "Task Environment": (0, 0)}, 8),
    ("jax0102_cpu_4devices", {"/host:metadata": (0, 0),
                              "/host:CPU": (12, 7030),
                              "Task Environment": (0, 0)}, 10),
    ("gen_jax-gpu", {"/host:metadata": (0, 0), "/device:GPU:0": (3, 220),
                     "/device:GPU:1": (3, 220), "/host:CPU": (3, 924),
                     "Task Environment": (0, 0)}, 1),
    ("tf23_keras_cpu", {"/host:CPU": (10, 338)}, 0),
])
def test_planes_are_counted(name, planes, programs):
    trace = trace_of(name)
    assert {p["name"]: (p["lines"], p["events"])
            for p in trace["planes"]} == planes
    assert all(p["read"] for p in trace["planes"])
    assert trace["programs"] == programs


@needs_shared
def test_versions_hosts_and_times_are_told():
    trace = trace_of("jax0102_cpu_train_py0")
    assert (trace["jax_version"], trace["jaxlib_version"]) == ("0.10.2",) * 2
    assert (trace["hosts"], trace["host_count"]) == (["vm"], 1)
    assert trace["profile_start_micros"] == 1794808859550145
    assert trace["profile_stop_micros"] == 1794808859582575
    assert trace["steps_found_by"] == {
        "number": 0, "link": 250, "time": 0, "none": 0}


STATED = ("device", "clock_khz", "cores", "memory_bytes",
          "peak_float_ops_per_second", "peak_bytes_per_second")


@needs_shared
@pytest.mark.parametrize("name, plane, stated", [
    ("gen_jax-gpu", "/device:GPU:1",
     ("NVIDIA H100 80GB HBM3", 1980000, 132, 85045608448, None,
      3352320000000)),
    ("jax_te_fused_attn", "/device:GPU:0",
     ("AMD", 2400000, 256, 309220868096, None, 4096000000000)),
    ("jax_te_fused_attn", "/device:GPU:7", ("AMD", *(None,) * 5)),
    ("jax_tpu_inference", "/device:TPU:3",
     ("TPU v6 Lite", None, None, None, 918 * 10**12, 1637993152512)),
    ("jax_tpu_inference", "/host:CPU", (None,) * 6),
])
def test_devices_state_their_rates(name, plane, stated):
    found = [p for p in trace_of(name)["planes"] if p["name"] == plane]
    assert [tuple(p[key] for key in STATED) for p in found] == [stated]


@needs_shared
def test_a_plane_that_is_not_read_is_named():
    planes = trace_of("jax_te_fused_attn")["planes"]
    other = "/device:CUSTOM:Megascale Trace"
    assert [p["name"] for p in planes if not p["read"]] == [other]
    text = text_of(FILES / "jax_te_fused_attn.xplane.pb")
    assert f"planes not read         {other}: 0 lines, 0 events\n" in text
    assert "/device:GPU:1 and 6 more: AMD\n" in text


def test_no_other_kind_has_a_trace():
    assert program.Info(program.DATA_DIR / "graph.pb").file["trace"] is None


# ---- Made ones ---------------------------------------------------------------

def plane(name, *more):
    return field(1, field(2, name) + b"".join(more))


def event_type(number, name):
    return field(4, integer(1, number)
                 + field(2, integer(1, number) + field(2, name)))


def events(*numbers):
    return field(3, integer(1, 7) + b"".join(
        field(4, integer(1, number) + integer(2, 10 * at) + integer(3, 5))
        for at, number in enumerate(numbers)))


HOST = plane(b"/host:CPU", events(3, 3), event_type(3, b"dense:MatMul"))
END = plane(b"Task Environment")


@pytest.fixture
def write(tmp_path):
    def write(*parts):
        path = tmp_path / "made.xplane.pb"
        path.write_bytes(b"".join(parts))
        return path
    return write


def test_complaints_of_the_profiler_are_shown(write):
    path = write(HOST, END, *(field(2, b"lost %d\x1b" % i) for i in range(10)),
                 field(3, b"slow disk"), field(4, b"one"), field(4, b"two"))
    trace = program.Info(path).file["trace"]
    assert trace["errors"] == [f"lost {i}\x1b" for i in range(8)]
    assert (trace["error_count"], trace["warning_count"]) == (10, 1)
    assert trace["warnings"] == ["slow disk"]
    assert (trace["hosts"], trace["host_count"]) == (["one", "two"], 2)
    text = text_of(path)
    assert "recorded errors         lost 0\\x1b\n" in text
    assert text.count("lost") == 8 and "and 2 more\n" in text
    assert "recorded warnings       slow disk\n" in text


@pytest.mark.parametrize("count", [24, 25, 60])
def test_text_shows_some_of_many_planes(write, count):
    path = write(HOST, END, *(plane(b"/custom:%d" % i) for i in range(count)))
    text = text_of(path)
    assert text.count("/custom:") == 24
    assert (f"and {count - 24} more\n" in text) == (count > 24)
    assert len(program.Info(path).file["trace"]["planes"]) == count + 2


# ---- Large ones --------------------------------------------------------------

@pytest.fixture(name="large")
def large_trace(tmp_path):
    """More than 64 MiB of events, and damage in the last one."""
    one = field(4, integer(1, 3) + integer(2, 10) + integer(3, 5)
                + field(4, integer(1, 9) + field(5, b"x" * 1000)))
    count = (64 << 20) // len(one) + 1
    line = field(3, integer(1, 7) + one * count + field(4, b"\x0a"))
    path = tmp_path / "large.xplane.pb"
    path.write_bytes(plane(b"/host:CPU", line, event_type(3, b"dense:MatMul"))
                     + END)
    return path, count + 1


def test_events_of_a_large_trace_are_left_unread(large):
    path, count = large
    info = program.Info(path)
    trace = info.file["trace"]
    assert (info.exit, info.stderr) == (0, "")
    assert trace["events_read"] is False
    assert [p["events"] for p in trace["planes"]] == [count, 0]
    assert info.file["counts"]["nodes"] is None
    assert info.file["counts"]["run_records"] is None
    assert trace["odd_events"] is None and trace["steps_found_by"] is None
    text = text_of(path)
    assert "not read because there are many (--verbose reads" in text
    assert "run records" not in text


def test_verbose_reads_them(large):
    path, _ = large
    done = program.run("info", path, "--verbose")
    assert done.returncode == 1
    assert b"large.xplane.pb" in done.stderr and b"offset" in done.stderr


def test_events_of_a_small_trace_are_read(write):
    file = program.Info(write(HOST, END)).file
    assert file["trace"]["events_read"] is True
    assert file["counts"]["run_records"] == 2


# ---- What is pointed to ------------------------------------------------------

@pytest.mark.parametrize("args, words", [
    (["flops"], "tfprof op TRACE --select float_ops"),
    (["op", "--run_meta_path"], "give this file without an option"),
    (["scope", "--graph_path"], "give this file without an option")])
def test_messages_point_to_what_works(write, args, words):
    done = program.run(*args, write(HOST, END))
    assert done.returncode != 0 and words in done.stderr.decode()
    assert program.run("op", write(HOST, END), "-select",
                       "float_ops").returncode == 0


@pytest.mark.parametrize("names", [["2026_01_02"], ["2026_01_02", "2026_01_01"],
                                   ["a", "c", "b"]])
def test_the_run_of_a_log_directory_is_told(tmp_path, names):
    for name in (*names, "empty"):
        run = tmp_path / "plugins" / "profile" / name
        run.mkdir(parents=True)
        for host in ("h1", "h2"):
            if name != "empty":
                (run / f"{host}.xplane.pb").write_bytes(HOST + END)
    newest = tmp_path / "plugins" / "profile" / max(names)
    wanted = [f"{newest} is the newest of {len(names)} runs in the log "
              "directory (to read another run, use --run NAME)"]
    assert notes("op", tmp_path) == wanted[:len(names) - 1]
    assert notes("op", newest) == []


# ---- Notes -------------------------------------------------------------------

def notes(view, path, *args):
    done = program.run(view, path, "-output", "none", *args)
    assert (done.returncode, done.stdout) == (0, b"")
    lines = done.stderr.decode().splitlines()
    assert all(line.startswith("tfprof: note: ") for line in lines)
    return [line.removeprefix("tfprof: note: ") for line in lines]


WITHOUT = "kept without call stacks and edges"
FAULTS = SHARED / "xspace" / "faults"


@needs_shared
@pytest.mark.parametrize("name", ["jax0102_cpu_train_py0", "gen_jax-gpu",
                                  "gen_jax-cpu", "jax_mlp_3steps_py0"])
def test_a_sound_trace_needs_no_note(name):
    path = FILES / f"{name}.xplane.pb"
    assert notes("op", path) == []
    assert notes("op", path, "-q", "-verbose") == []


@needs_shared
def test_verbose_tells_how_operations_came_to_their_step():
    path = FILES / "jax0102_cpu_train_py0.xplane.pb"
    assert ("operations assigned to a step: 0 by step number, 250 by links, 0 "
            "by time; without a step: 0") in notes("op", path, "-verbose")


@needs_shared
def test_operations_in_no_step_are_told():
    """How the others came to theirs, info tells."""
    path = FILES / "tf23_keras_cpu.xplane.pb"
    assert notes("op", path)[0] == (
        "averages leave out operations without a step; --step rest selects "
        "them")
    assert not any("assigned to a step" in note for note in notes("op", path))
    said = program.run("info", path).stdout.decode()
    assert re.search(r"^  assigned to steps +84 operations by step number, 0 "
                     r"by links, 0 by time; 117 in no step$", said, re.M)
    assert program.Info(path).file["steps"] == [0]


@needs_shared
def test_the_code_view_says_what_lines_are():
    path = FILES / "jax0102_cpu_train_py0.xplane.pb"
    assert notes("code", path) == [
        "source lines show where an operation was created, not where the "
        "compiled function was called"]


@needs_shared
@pytest.mark.parametrize("name, expected", [
    ("XS-13_hlo_cut", "damaged compiled programs in traces: 1; the first is "
     "jit_f(17) (HloProto is damaged: a length extends past the end); their "
     f"operations are {WITHOUT}"),
    ("XS-13_hlo_missing_op", "operations whose instruction is not in the "
     f"compiled program: 1; they are {WITHOUT}"),
    ("XS-02_event_id", "trace events of an undefined type: 1"),
    ("XS-04_negative_duration", "trace events with invalid times: 2; the "
     "nearest valid times are used"),
])
def test_what_is_odd_is_told_once(name, expected):
    """XS-02, XS-04, XS-13."""
    assert notes("op", FAULTS / f"{name}.xplane.pb") == [expected]


def test_XS_01_a_trace_without_its_last_plane_is_told(write):
    assert notes("op", write(HOST, END)) == []
    path = write(HOST)
    assert notes("op", path) == [
        f"{path}: the plane that profilers write last is missing (the "
        "profiler is old, or the file is truncated)"]


def test_a_graph_beside_has_no_notes_of_traces():
    assert notes("op", program.DATA_DIR / "graph.pb") == []


def step(number, begin):
    """A marked step, and an operation inside of it."""
    stats = (field(4, integer(1, 1) + integer(4, number))
             + field(4, integer(1, 2) + integer(4, 1)))
    return (field(4, integer(1, 5) + integer(2, begin) + integer(3, 100)
                  + stats)
            + field(4, integer(1, 3) + integer(2, begin + 10)
                    + integer(3, 5)))


@pytest.mark.parametrize("numbers, steps", [
    ((4, 9), [4, 9]), ((4, 4), [4, 5]), ((4, 4, 4), [4, 5, 6])])
def test_steps_of_one_number_are_told(write, numbers, steps):
    names = b"".join(
        field(5, integer(1, number) + field(2, integer(1, number)
                                            + field(2, name)))
        for number, name in ((1, b"step_num"), (2, b"_r")))
    marked = b"".join(step(number, 1000 * at)
                      for at, number in enumerate(numbers))
    path = write(plane(b"/host:CPU", field(3, integer(1, 7) + marked),
                       event_type(3, b"dense:MatMul"),
                       event_type(5, b"train"), names), END)
    repeated = len(numbers) - len(set(numbers))
    assert program.Info(path).file["steps"] == steps
    assert program.Info(path).file["trace"]["repeated_steps"] == repeated
    assert notes("op", path) == [
        f"{repeated} step{'s' * (repeated != 1)} renumbered, because an "
        "earlier step has the same number"][:repeated]
