"""What the steps of a trace are, how long they last, and averages over them."""

import csv
import decimal
import io
import json
import re
import statistics

import pytest

import program
import raw_events
from device_sums import device_sums
from files import SHARED
from trace_build import Plane, space
from trace_files import FILES

LOGS = SHARED / "tried" / "logs"
needs_logs = pytest.mark.skipif(
    not LOGS.is_dir(), reason="needs the folder of logs; TFPROF_SHARED does "
                              "not name one")

US = 10**6  # picoseconds
MS = 1000 * US


def log(name):
    """The trace of a log directory. The name is all that is needed to list the
    cases where there is no such folder."""
    return next(iter(sorted((LOGS / name).glob(
        "**/plugins/profile/*/*.xplane.pb"))), LOGS / name)


STORED = sorted((program.DATA_DIR / "traces").glob("*.xplane.pb"))
ALL = [*FILES, *(path for path in STORED
                 if path.name not in {file.name for file in FILES}),
       *sorted(LOGS.glob("**/*.xplane.pb"))]


def case(path):
    """The name of a test of one trace."""
    return "-".join(path.parts[len(LOGS.parts):]) if LOGS in path.parents \
        else path.name


def answer(*args):
    done = program.run(*args, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout, parse_float=decimal.Decimal)


def table(name, *args):
    return answer(name, *args)[name]


def wall(path, *args):
    """The median, in picoseconds."""
    rows = answer("steps", path, *args)["summary"]
    return float(next(row for row in rows if row["statistic"] == "p50")
                 ["wall_micros"]) * US


def numbers(path, *args):
    return sorted({row["step"] for row in table("steps", path, *args)
                   if not row["is_rest"]})


def walls(path, *args):
    """step -> its wall time in microseconds"""
    return {row["step"]: row["wall_micros"]
            for row in table("steps", path, *args) if not row["is_rest"]}


def total(path, *args):
    return answer("scope", "--select", "micros,float_ops,occurrence",
                  "--max_depth", "10000", *args, path)["total"]


def note(path, *args):
    """What a command says that the steps are."""
    found = re.search(rb"note: steps are (.*)",
                      program.run("steps", *args, path).stderr)
    return found.group(1).decode() if found else None


# ---- The events themselves -----------------------------------------------


def host(path):
    return raw_events.events(raw_events.planes(path)["/host:CPU"])


def starts(found):
    return [b.begin - a.begin for a, b in zip(found, found[1:])]


@needs_logs
def test_steps_of_fit_without_a_callback():
    path = log("klines")
    events = host(path)
    runs = [event for event in events if event.name == "FunctionRun"
            and event.line == "python"]
    functions = sum(event.length for event in events
                    if event.name == "PyFunc" or event.name.endswith(":PyFunc"))
    assert len(numbers(path)) == len(runs) == 20
    assert wall(path) == pytest.approx(statistics.median_low(starts(runs)),
                                       rel=0.03)
    told = answer("op", "--select", "micros", "--max_depth", "10000", path)
    own = next(row for row in told["rows"] if row["name"] == "PyFunc")
    assert float(own["self"]["micros"]) * US * 20 == pytest.approx(functions,
                                                                   rel=0.03)


@needs_logs
def test_steps_of_jax_without_markers():
    path = log("jplain")
    runs = [event.length for event in host(path)
            if event.name == "ThunkExecutor::Execute"]
    assert len(numbers(path)) == len(runs) == 6
    assert wall(path) == pytest.approx(statistics.median_low(runs), rel=0.03)
    assert float(total(path)["float_ops"]) == pytest.approx(
        raw_events.dot_float_ops(path, "jit_f"), rel=0.03)
    assert note(path) == "executions of program jit_f (nothing marks steps)"


@needs_logs
@pytest.mark.parametrize("name", ["kslow", "kfast"])
def test_steps_of_fit_with_a_callback(name):
    path = log(name + "/train")
    marks = [event.length for event in host(path)
             if event.name == "Profiled batch"]
    assert len(numbers(path)) == len(marks) == 11
    assert wall(path) == pytest.approx(statistics.median_low(marks), rel=0.03)
    assert note(path) is None


# ---- Averages ------------------------------------------------------------


def steps_with_runs(path):
    return program.Info(path).file["steps"]


@pytest.mark.parametrize("path", ALL, ids=case)
def test_totals_are_those_of_all_steps_by_their_number(path):
    whole = total(path)
    rows = answer("scope", "--select", "micros,float_ops,occurrence",
                  "--max_depth", "10000", path)["rows"]
    steps = steps_with_runs(path)
    sums = dict.fromkeys(whole, 0)
    for step in steps:
        for key, value in total(path, "--step", str(step)).items():
            sums[key] += value
    for key in ("micros", "cpu_micros", "accelerator_micros"):
        # Each node is rounded to a picosecond.
        assert abs(sums[key] / len(steps) - whole[key]) <= (
            decimal.Decimal(len(rows) + 1) / US), key
        assert sum(row["self"][key] for row in rows) == whole[key]
    assert abs(sums["runs"] / len(steps) - whole["runs"]) <= 0.5
    assert sum(row["self"]["runs"] for row in rows) == whole["runs"]
    if "float_ops" in whole and any(
            row["self"].get("runs") for row in rows):
        assert abs(sums["float_ops"] / len(steps) - whole["float_ops"]) <= (
            len(rows) + 1)


def shares(data):
    return [float(word) for word in re.findall(rb"(-?[\d.]+) ?%", data)]


@pytest.mark.parametrize("path", ALL, ids=case)
def test_no_share_is_below_nothing_or_above_all(path):
    for kind in ("op", "scope"):
        for form in ("text", "table"):
            done = program.run(kind, "--select", "micros", "--format", form,
                               "--max_depth", "8", path)
            assert all(0 <= share <= 100 for share in shares(done.stdout))
        said = program.run(kind, "--select", "micros", "--format", "csv",
                           "--max_depth", "8", path).stdout.decode()
        for row in csv.DictReader(io.StringIO(said)):
            for column, value in row.items():
                if "percent" in (column or ""):
                    assert 0 <= float(value or 0) <= 100
    for command in ("summary", "steps", "devices"):
        done = program.run(command, path)
        # "% of peak" may have no limit, and "counted %" has no sign behind it.
        assert all(0 <= share <= 100 for share in shares(done.stdout))
    for device in answer("summary", path).get("devices") or []:
        assert device["busy_micros"] >= 0 and device["idle_micros"] >= 0


def busy_share(rows):
    busy = sum(row["busy_micros"] for row in rows)
    return busy / ((busy + sum(row["idle_micros"] for row in rows)) or 1)


@pytest.mark.parametrize("path", ALL, ids=case)
def test_commands_agree_how_busy_devices_are(path):
    steps = [row for row in table("steps", path) if not row["is_rest"]]
    for row in steps:
        if row["wall_micros"] is not None:
            assert row["busy_micros"] <= row["wall_micros"]
    found, sums = {}, device_sums(steps)
    for row in table("devices", path):
        found[row["device"]] = busy_share([row])
        if row["device"] in sums:
            busy, idle, _ = sums[row["device"]]
            assert found[row["device"]] == pytest.approx(
                busy / ((busy + idle) or 1))
    for device in answer("summary", path).get("devices") or []:
        assert busy_share([device]) == pytest.approx(found[device["device"]],
                                                     abs=decimal.Decimal(1e-4))


@pytest.fixture
def once(tmp_path):
    """Ten steps, of which one runs b, and two run c; each runs a."""
    plane = Plane("/host:CPU")
    events = []
    for step in range(10):
        at = step * MS
        events.append(plane.event("train", at, MS, _r=1, step_num=step))
        events.append(plane.event("a:Add", at + 10, 5 * US))
        if step == 4:
            events.append(plane.event("b:Mul", at + 50 * US, 70 * US))
        if step in (1, 2):
            events.append(plane.event("c:Mul", at + 50 * US, 30 * US))
    path = tmp_path / "once.xplane.pb"
    path.write_bytes(space(plane.line(1, "python", *events)))
    return path


def test_a_node_of_one_step_of_ten_counts_a_tenth(once):
    rows = {row["name"]: row["self"] for row in answer(
        "scope", "--select", "micros,occurrence", once)["rows"]}
    assert {name: rows[name]["micros"] for name in "abc"} == {
        "a": 5, "b": 7, "c": 6}
    whole = total(once)
    assert (whole["micros"], whole["runs"]) == (18, 1)
    # 1.3 runs are 1: no run is left for b and c.
    assert {name: rows[name]["runs"] for name in "abc"} == {
        "a": 1, "b": 0, "c": 0}


def test_text_has_the_same_average(once):
    said = program.run("scope", "--select", "micros", once).stdout
    assert b"_TFProfRoot (--/18us" in said


# ---- Markers that only start steps ---------------------------------------


def loop(tmp_path, marked, work, *, steps=5, name="train", last=1):
    """Steps of 10 ms, of which `marked` of a thread that only waits are marked.
    Work of `work` ms begins with each step on another thread."""
    plane = Plane("/host:CPU")
    plane.line(1, "python", *(
        plane.event(name, (1 + 10 * step) * MS, marked * US, _r=1,
                    step_num=step) for step in range(steps)))
    plane.line(2, "worker", *(
        plane.event("f:PyFunc", (1 + 10 * step) * MS,
                    int(work * (last if step == steps - 1 else 1) * MS))
        for step in range(steps)))
    path = tmp_path / "loop.xplane.pb"
    path.write_bytes(space(plane))
    return path


def test_a_marker_of_little_starts_a_step(tmp_path):
    path = loop(tmp_path, 1000, 8, last=0.5)
    assert walls(path) == {0: 10000, 1: 10000, 2: 10000, 3: 10000, 4: 4000}
    assert note(path) == ("from one marker to the next (most operations ran "
                          "outside of the markers)")
    assert program.Info(path).file["trace"]["steps_last_until_next"] is True


@pytest.mark.parametrize("marked, wall_of", [(4001, 4001), (3999, 10000)])
def test_half_of_the_time_decides(tmp_path, marked, wall_of):
    path = loop(tmp_path, marked, 8)
    assert walls(path)[0] == wall_of


def test_operations_between_markers_are_of_the_step_before(tmp_path):
    plane = Plane("/host:CPU")
    plane.line(1, "python", *(
        plane.event("train", (1 + 10 * step) * MS, 10 * US, _r=1,
                    step_num=step) for step in range(3)))
    plane.line(2, "worker", *(
        event for step in range(3) for event in (
            plane.event("f:PyFunc", (1 + 10 * step) * MS, 2 * MS),
            plane.event("g:PyFunc", (4 + 10 * step) * MS, 3 * MS))))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane))
    assert [total(path, "--step", str(step))["micros"]
            for step in range(3)] == [5000, 5000, 2000]
    # What follows the last operation of the last step is the rest.
    assert total(path, "--step", "rest")["micros"] == 3000


def test_busy_time_is_cut_at_the_ends_of_steps(tmp_path):
    """Steps that enclose most of their time stay as they are."""
    path = loop(tmp_path, 9900, 9.95)
    for row in table("steps", path):
        assert (row["wall_micros"], row["busy_micros"],
                row["idle_micros"]) == (9900, 9900, 0)


def gpu_steps(tmp_path, marked, kernel):
    """Marks of `marked` us each 10 ms that launch a kernel of `kernel` ms."""
    plane, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    events, kernels = [], []
    for step in range(5):
        at = (1 + 10 * step) * MS
        events += [plane.event("train", at, marked * US, _r=1, step_num=step),
                   plane.event("Launch", at + US, US, correlation_id=step + 1)]
        kernels.append(gpu.event("k", at + 10 * US, int(kernel * MS),
                                 correlation_id=step + 1))
    path = tmp_path / "gpu.xplane.pb"
    path.write_bytes(space(plane.line(1, "python", *events),
                           gpu.line(1, "Stream #1(Compute)", *kernels)))
    return path


def test_a_host_that_only_launches_kernels_starts_steps(tmp_path):
    path = gpu_steps(tmp_path, 50, 9)
    rows = table("steps", path)
    assert [row["wall_micros"] for row in rows] == [10000] * 4 + [9000]
    assert [row["busy_micros"] for row in rows] == [9000] * 5
    path = gpu_steps(tmp_path, 9500, 9)
    assert [row["wall_micros"] for row in table("steps", path)] == [9500] * 5


def test_a_host_may_run_ahead_of_its_device(tmp_path):
    """All kernels are launched before the first is done."""
    plane, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    events = [event for step in range(5) for event in (
        plane.event("train", (1 + step) * MS, MS // 2, _r=1, step_num=step),
        plane.event("Launch", (1 + step) * MS + US, US,
                    correlation_id=step + 1))]
    gpu.line(1, "Stream #1(Compute)", *(
        gpu.event("k", (2 + 10 * step) * MS, 10 * MS, correlation_id=step + 1)
        for step in range(5)))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane.line(1, "python", *events), gpu))
    assert [(row["wall_micros"], row["busy_micros"])
            for row in table("steps", path)] == [(10000, 10000)] * 5


def test_markers_that_enclose_nothing_start_steps(tmp_path):
    plane = Plane("/host:CPU")
    plane.line(1, "python", *(
        plane.event("train", (1 + 10 * step) * MS, 0, _r=1, step_num=step)
        for step in range(4)))
    plane.line(2, "worker", *(
        plane.event("f:PyFunc", (2 + 10 * step) * MS, 3 * MS)
        for step in range(4)))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane))
    assert walls(path) == {0: 10000, 1: 10000, 2: 10000, 3: 4000}


# ---- Traces in which nothing marks steps ---------------------------------


def instructions(plane, runs):
    """(program, module, run, device, begin, length) on lines by device."""
    lines = {}
    for program_id, module, run, device, begin, length in runs:
        lines.setdefault(device, []).append(plane.event(
            "dot.1", begin, length, hlo_op="dot.1", hlo_module=module,
            program_id=program_id, run_id=run, device_ordinal=device))
    for device, events in lines.items():
        plane.line(10 + device, f"worker {device}", *events)


def test_executions_of_the_longest_program_are_the_steps(tmp_path):
    """Not of that with the most executions."""
    plane = Plane("/host:CPU")
    runs = [(7, "jit_long", 100 + step, 0, (10 * step + 1) * MS, 6 * MS)
            for step in range(4)]
    runs += [(8, "jit_short", 200 + k, 0, (10 * (k // 2) + 8 + k % 2) * MS,
              MS // 2) for k in range(8)]
    instructions(plane, sorted(runs, key=lambda run: run[4]))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane))
    assert walls(path) == dict.fromkeys(range(4), 6000)
    assert total(path)["micros"] == 6000
    assert total(path, "--step", "rest")["micros"] == 4000
    assert note(path) == "executions of program jit_long (nothing marks steps)"


def test_an_execution_is_of_all_its_devices(tmp_path):
    """Also when one is late and another ahead."""
    plane = Plane("/host:CPU")
    instructions(plane, [
        (7, "jit_f", 50 + step, device, (10 * step + 1 + 6 * device) * MS,
         8 * MS) for step in range(4) for device in range(2)])
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane))
    assert walls(path) == dict.fromkeys(range(4), 14000)
    assert [total(path, "--step", str(step))["micros"]
            for step in range(4)] == [16000] * 4


def test_executions_may_overlap_on_one_device(tmp_path):
    """Instructions say which one they are of."""
    plane = Plane("/host:CPU")
    for line, begin, length in ((1, 1, 3), (2, 3, 6)):
        plane.line(line, f"worker {line}", *(
            plane.event("dot.1", (begin + 5 * step) * MS, length * MS,
                        hlo_op="dot.1", hlo_module="jit_f", program_id=7,
                        run_id=-10 - step) for step in range(4)))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane))
    assert walls(path) == dict.fromkeys(range(4), 8000)
    assert [total(path, "--step", str(step))["micros"]
            for step in range(4)] == [9000] * 4


def launches(tmp_path, threads, order):
    """Threads that launch kernels of their devices, asynchronously. `order`
    gives the times of the launches of each, in ms."""
    plane, planes, number = Plane("/host:CPU"), [], 0
    devices = {}
    for thread in range(threads):
        events, apis = [], []
        for at in order[thread]:
            number += 1
            events.append(plane.event("GpuExecutable::ExecuteThunks", at * MS,
                                      100 * US, module_name="jit_f"))
            apis.append(plane.event("cuLaunchKernel", at * MS + 10, US,
                                    correlation_id=number))
            devices.setdefault(thread, []).append((number, at))
        plane.line(1 + 2 * thread, f"py_xla_execute/{thread}", *events)
        plane.line(2 + 2 * thread, f"Host Threads/{thread}", *apis)
    for device, found in devices.items():
        gpu = Plane(f"/device:GPU:{device}")
        gpu.line(1, "Stream #1(Compute)", *(
            gpu.event("k", (at + 2) * MS, 3 * MS, correlation_id=one,
                      hlo_op="dot.1", hlo_module="jit_f", program_id=3)
            for one, at in found))
        planes.append(gpu)
    path = tmp_path / "launches.xplane.pb"
    path.write_bytes(space(plane, *planes))
    return path


def test_launches_of_a_program_are_steps(tmp_path):
    path = launches(tmp_path, 1, [[1, 11, 21, 31]])
    rows = table("steps", path)
    assert [row["busy_micros"] for row in rows] == [3000] * 4
    assert [row["wall_micros"] for row in rows][:3] == [10000] * 3


def test_launches_for_several_devices_are_one_step(tmp_path):
    path = launches(tmp_path, 3, [[1, 11, 21], [2, 12, 22], [4, 14, 24]])
    assert numbers(path) == [0, 1, 2]
    assert total(path)["accelerator_micros"] == 9000


def test_modules_of_a_tpu_are_steps(tmp_path):
    tpu = Plane("/device:TPU:0")
    module = tpu.event_id("jit_f(77)")
    other = tpu.event_id("jit_g(78)")
    op = tpu.event_id("%dot = f32[] dot()", "dot",
                      [tpu.stat("program_id", 77)])
    tpu.line(2, "XLA Modules", *(
        event for step in range(3) for event in (
            tpu.event(module, (1 + 10 * step) * MS, 5 * MS),
            tpu.event(other, (7 + 10 * step) * MS, MS))))
    tpu.line(3, "XLA Ops", *(
        event for step in range(3) for event in (
            tpu.event(op, (2 + 10 * step) * MS, 3 * MS),
            tpu.event(op, (7 + 10 * step) * MS, MS))))
    path = tmp_path / "tpu.xplane.pb"
    path.write_bytes(space(tpu))
    rows = [row for row in table("steps", path) if not row["is_rest"]]
    assert [(row["device_micros"], row["busy_micros"]) for row in rows] == [
        (5000, 3000)] * 3
    assert total(path)["micros"] == 3000


def repeated(tmp_path, times, python=False):
    plane = Plane("/host:CPU")
    events = [plane.event("$train.py:3 main", 0, 100 * MS)] if python else []
    for step in range(times):
        at = (1 + 10 * step) * MS
        events += [plane.event("Call", at, 8 * MS),
                   plane.event("f:MatMul", at + US, 5 * MS),
                   plane.event("Sleep", at + 9 * MS, MS // 2)]
    plane.line(1, "python", *events)
    plane.line(2, "pool", *(plane.event("Tick", k * MS, 10 * US)
                            for k in range(50)))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane))
    return path


@pytest.mark.parametrize("python", [False, True])
def test_the_longest_repeated_event_is_the_step(tmp_path, python):
    """Whether or not calls of Python are recorded around it."""
    path = repeated(tmp_path, 4, python)
    assert walls(path) == dict.fromkeys(range(4), 8000)
    assert total(path)["micros"] == 5000
    assert note(path) == "events Call of one thread (nothing marks steps)"


def test_what_is_repeated_twice_is_no_step(tmp_path):
    plane = Plane("/host:CPU")
    plane.line(1, "python", *(
        event for step in range(2) for event in (
            plane.event("Call", (1 + 10 * step) * MS, 8 * MS),
            plane.event("f:MatMul", (2 + 10 * step) * MS, 5 * MS))))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane))
    assert numbers(path) == [0] and note(path) is None
    assert total(path)["micros"] == 10000


# ---- The user says -------------------------------------------------------


def test_asked_events_go_before_markers(tmp_path):
    plane = Plane("/host:CPU")
    events = []
    for step in range(3):
        at = (1 + 10 * step) * MS
        events += [plane.event("train", at, 9 * MS, _r=1, step_num=step),
                   plane.event("inner", at + MS, 4 * MS),
                   plane.event("inner", at + 2 * MS, MS),  # of the one before
                   plane.event("f:MatMul", at + 2 * MS, MS),
                   plane.event("inner", at + 6 * MS, 2 * MS),
                   plane.event("g:MatMul", at + 6 * MS, MS)]
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(plane.line(1, "python", *events)))
    assert len(numbers(path)) == 3
    assert walls(path, "--step_event", "inn.*") == {
        step: 4000 if step % 2 == 0 else 2000 for step in range(6)}
    assert total(path, "--step_event", "inner")["micros"] == 1000
    assert note(path, "--step_event", "inner") == (
        "events that --step_event selects")


def test_an_asked_event_must_match_a_complete_name(once):
    for word in ("trai", "zzz"):
        done = program.run("steps", "--step_event", word, once)
        assert done.returncode == 2
        assert b"--step_event matches no event of a host" in done.stderr
    done = program.run("steps", "--step_event", "(", once)
    assert done.returncode == 2 and b"--step_event: " in done.stderr
    assert len(numbers(once, "--step_event", "train")) == 10


def test_asked_events_hold_for_every_answer(tmp_path):
    """Also where the trace is read a second time."""
    path = repeated(tmp_path, 4)
    ask = ("--step_event", "Sleep|Call")  # Sleep runs nothing
    assert numbers(path, *ask) == [0, 2, 4, 6]
    assert answer("summary", *ask, path)["steps"] == 4
    lines = program.run("graph", *ask, path, "--output",
                        f"timeline:outfile={tmp_path / 't.json'}")
    assert lines.returncode == 0


def test_operations_without_length_are_not_busy(tmp_path):
    gpu = Plane("/device:GPU:0")
    gpu.line(1, "Stream #1(Compute)", gpu.event("k", 5 * MS, 0))
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(gpu))
    row, = table("steps", path)
    assert (row["busy_micros"], row["idle_micros"], row["ops"]) == (0, 0, 1)
