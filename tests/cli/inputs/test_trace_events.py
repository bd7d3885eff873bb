"""How events of traces become runs: damage, order, steps and devices. The
traces are made here, so every number is known."""

import json
import re

import pytest

import program
from trace_build import BROKEN, Plane, space
from trace_files import nodes, steps, times, view
from wirebytes import field, integer


@pytest.fixture
def write(tmp_path):
    def write(*planes, name="made.xplane.pb"):
        path = tmp_path / name
        path.write_bytes(space(*planes))
        return path
    return write


def root(plane, begin, length, step, level=1, name="train", **stats):
    return plane.event(name, begin, length, _r=level, step_num=step, **stats)


def of_step(path, step):
    """Picoseconds and runs."""
    whole = times(view("scope", "--step", str(step), path)["total"])
    return whole.cpu + whole.accelerator, whole.runs


# ---- Damage in the second pass ------------------------------------------

def salvaged(path, *args):
    done = program.run("scope", "--salvage", "--select", "micros,occurrence",
                       path, *args)
    assert done.returncode == 1 and b"partial: " in done.stderr
    return done.stdout.decode()


def test_XS_01_salvage_keeps_events_before_a_damaged_stat(write):
    host = Plane("/host:CPU")
    host.line(1, "python", root(host, 0, 1000, 3),
              host.event("a:A", 100, 50), host.event("a:A", 200, 50), BROKEN,
              host.event("a:A", 800, 50))
    path = write(host)
    assert program.run("scope", path).returncode == 1
    assert "a (0us/0us, 0us/0us, 0us/0us, 2/2|1/1)" in salvaged(path)
    assert steps("--salvage", path) == [3]


def test_XS_01_salvage_reads_the_planes_after_a_damaged_one(write):
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    host.line(1, "python", root(host, 0, 1000, 3), BROKEN)
    gpu.line(1, "Stream #1", gpu.event("k", 100, 50, tf_op="b:B"))
    assert "b (0us/0us, 0us/0us, 0us/0us, 1/1|1/1)" in salvaged(write(host, gpu))


def test_XS_01_salvage_keeps_open_operations_of_a_tpu(write):
    tpu = Plane("/device:TPU:0")
    kinds = [tpu.event_id(f"%{name}", name, [tpu.stat("program_id", 1),
                                             tpu.stat("tf_op", f"s/{name}:")])
             for name in ("outer", "inner")]
    tpu.line(1, "XLA Ops", tpu.event(kinds[0], 0, 1000),
             tpu.event(kinds[1], 100, 300), BROKEN)
    text = salvaged(write(tpu))
    assert text.count("1/1|1/1)") == 2


# ---- Order --------------------------------------------------------------


def shuffled(events, seed):
    events = list(events)
    program.chooser(f"order {seed}").shuffle(events)
    return events


def of_host(host):
    """Steps with operations that nest, launch and hand on work."""
    for step in range(3):
        at = 10_000 * step
        yield root(host, at, 9000, 7 + step)
        yield host.event("outer:Outer", at + 100, 4000)
        yield host.event("inner:Inner", at + 200, 1000, context_id="$$1")
        yield host.event("inner:Inner", at + 200, 500)
        yield host.event("nowhere", at + 300, 10, _pt=1, _p=step)
        yield host.event("launch", at + 5000, 100, correlation_id=step + 1)
    yield host.event("sums:Sums", 0, 700, count=10)


def of_pool(host):
    for step in range(3):
        at = 10_000 * step + 9500
        yield host.event("work", at, 300, _ct=1, _c=step)
        yield host.event("far:Far", at + 10, 200)


def of_gpu(gpu):
    for step in range(3):
        for k in range(4):
            yield gpu.event(f"k{k}", 31_000 + 1000 * step + 100 * k, 40 + k,
                            tf_op=f"kernel{k}:K", correlation_id=step + 1)


def of_tpu(tpu):
    for step in range(3):
        at = 10_000 * step
        for name, begin, length in (("a", 100, 900), ("b", 200, 300),
                                    ("c", 600, 200), ("b", 1500, 100)):
            kind = tpu.event_id(f"%{name}", name, [
                tpu.stat("program_id", 1), tpu.stat("tf_op", f"s/{name}:")])
            yield tpu.event(kind, at + begin, length)


@pytest.mark.parametrize("seed", range(6))
def test_XS_05_order_of_events_changes_nothing(write, seed):
    found = []
    for mix in (list, lambda events: shuffled(events, seed)):
        host, gpu, tpu = (Plane(name) for name in (
            "/host:CPU", "/device:GPU:0", "/device:TPU:1"))
        host.line(1, "python", *mix(of_host(host)))
        host.line(2, "pool", *mix(of_pool(host)))
        gpu.line(1, "Stream #1", *mix(of_gpu(gpu)))
        tpu.line(1, "XLA Ops", *mix(of_tpu(tpu)))
        path = write(host, gpu, tpu)
        found.append((steps(path), nodes(path),
                      [of_step(path, step) for step in steps(path)],
                      of_step(path, "rest"),
                      program.Info(path).file["trace"]["steps_found_by"]))
    assert found[0] == found[1]
    assert found[0][0] == [7, 8, 9]
    assert found[0][1]["outer"].cpu == 3 * 3000
    assert found[0][1]["inner"].cpu == 3 * 1000
    assert found[0][1]["s/a/a"].accelerator == 3 * 400


def test_XS_05_fields_of_an_event_come_in_any_order(write):
    """Times behind the stats count all the same."""
    host = Plane("/host:CPU")
    stat = field(4, host.stat("context_id", 5))
    late = [field(4, integer(1, host.event_id(name)) + stat
                  + integer(3, length) + integer(2, begin))
            for name, begin, length in (("in:In", 200, 100),
                                        ("out:Out", 100, 500))]
    found = nodes(write(host.line(1, "python", *late)))
    assert (found["out"].cpu, found["in"].cpu) == (400, 100)


# ---- Devices ------------------------------------------------------------


def tpu_op(tpu, name, begin, length, device=True, **more):
    kind = tpu.event_id(f"%{name}", name, [
        tpu.stat("program_id", 1), tpu.stat("tf_op", f"s/{name}:")])
    clock = {"device_offset_ps": begin,
             "device_duration_ps": length} if device else {}
    return tpu.event(kind, begin, length, **clock, **more)


def test_XS_06_aggregated_events_of_a_tpu_do_not_nest(write):
    tpu = Plane("/device:TPU:0")
    tpu.line(1, "XLA Ops", tpu_op(tpu, "a", 0, 1000, device=False),
             tpu_op(tpu, "b", 0, 300, device=False, count=5))
    found = nodes(write(tpu))
    assert found["s/a/a"] == (1, 0, 1000)
    assert found["s/b/b"] == (5, 0, 300)


@pytest.mark.parametrize("first, second", [((1, 2), (0, 3)), ((0, 3), (1, 2)),
                                           ((3, 2), (1, 0))])
def test_steps_of_a_tpu_on_two_lines(write, first, second):
    """Each step is found, whatever the order of the lines and of events."""
    tpu = Plane("/device:TPU:0")
    for line in (first, second):
        tpu.line(1, "Steps", *(tpu.event(str(n), 1000 * n, 900) for n in line))
    tpu.line(2, "XLA Ops", *(tpu_op(tpu, "a", 1000 * n + 10, 10 + n)
                             for n in range(4)))
    path = write(tpu)
    assert steps(path) == [0, 1, 2, 3]
    assert [of_step(path, n) for n in range(4)] == [
        (10 + n, 1) for n in range(4)]


@pytest.mark.parametrize("device", [False, True])
def test_steps_of_the_host_are_not_on_the_clock_of_a_device(write, device):
    host, tpu = Plane("/host:CPU"), Plane("/device:TPU:0")
    host.line(1, "python", root(host, 0, 1000, 5))
    tpu.line(1, "XLA Ops", tpu_op(tpu, "a", 10, 20, device=device))
    path = write(host, tpu)
    assert steps(path) == ([] if device else [5])
    assert of_step(path, "rest" if device else 5) == (20, 1)


# ---- Times and numbers --------------------------------------------------

AFTER_1970 = 1_794_702_069_231_910_195


def test_XS_04_lines_that_count_from_1970_beside_others(write):
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    host.line(1, "python", root(host, 0, 10**9, 5), start=AFTER_1970)
    gpu.line(1, "Stream #1", gpu.event("k", 100, 50, tf_op="b:B"), start=20)
    path = write(host, gpu)
    assert steps(path) == [5]
    assert program.Info(path).file["trace"]["odd_events"] == 0


def test_XS_04_a_start_that_cannot_be_makes_its_events_odd(write):
    host = Plane("/host:CPU")
    host.line(1, "python", host.event("a:A", 100, 50), start=-2**62)
    assert program.Info(write(host)).file["trace"]["odd_events"] == 1


LAST = 2**63 - 1


@pytest.mark.parametrize("numbers, wanted", [
    ((LAST, LAST, LAST), [0, 1, LAST]), ((LAST, 0, 0), [0, 1, LAST]),
    ((LAST, 1, LAST), [0, 1, LAST])])
def test_XS_11_steps_behind_the_last_number(write, numbers, wanted):
    host = Plane("/host:CPU")
    for i, number in enumerate(numbers):
        host.line(i, f"t{i}", root(host, 1000 * i, 500, number),
                  host.event("a:A", 1000 * i + 10, 5 + i))
    path = write(host)
    assert sorted(steps(path)) == wanted
    assert all(of_step(path, step)[1] == 1 for step in wanted)


def test_XS_11_operations_in_no_step_beside_the_last_number(write):
    """Two devices: the sums of a step stand together."""
    host, other = Plane("/host:CPU"), Plane("/host:CPU")
    host.line(1, "t", root(host, 0, 500, LAST),
              host.event("a:A", 10, 5, device_ordinal=0),
              host.event("a:A", 20, 5, device_ordinal=1))
    host.line(2, "u", host.event("a:A", 10_000, 7, device_ordinal=0),
              host.event("a:A", 20_000, 7, device_ordinal=1))
    path = write(host, other)
    assert steps(path) == [LAST]
    assert of_step(path, LAST) == (10, 2) and of_step(path, "rest") == (14, 2)


# ---- The rest -----------------------------------------------------------

def host_trace(tmp_path, name, count, rest=()):
    """A host with steps from 0 on, and operations outside of them."""
    host = Plane("/host:CPU")
    events = [event for i in range(count) for event in (
        root(host, 1000 * i, 500, i), host.event("a:A", 1000 * i + 10, 5))]
    events += [host.event("setup/once:Setup", 1000 * count + 600 + i, length)
               for i, length in enumerate(rest)]
    path = tmp_path / name
    path.write_bytes(space(host.line(1, "t", *events)) + field(4, name.encode()))
    return path


@pytest.fixture
def uneven(tmp_path):
    """The profile of one host ends a step earlier. It worked on."""
    host_trace(tmp_path, "a.xplane.pb", 4)
    host_trace(tmp_path, "b.xplane.pb", 3, rest=[700])
    return tmp_path


def test_rest_of_a_host_is_in_no_step_of_another(uneven):
    assert of_step(uneven, 3) == (5, 1)
    assert of_step(uneven, "rest") == (700, 1)


@pytest.mark.parametrize("kind", ["scope", "op", "graph"])
@pytest.mark.parametrize("part", ["-1", "0", "3"])
def test_answers_about_steps_do_not_name_the_rest(uneven, kind, part):
    """Nor its scopes."""
    shown = program.run(kind, "--step", part, uneven).stdout
    assert b"a" in shown and b"etup" not in shown
    assert b"etup" in program.run(kind, "--step", "rest", uneven).stdout


def test_averages_leave_out_the_rest(uneven):
    whole = times(view("scope", uneven)["total"])
    assert (whole.cpu, whole.runs) == (round(7 * 5 / 4), round(7 / 4))


def test_tables_mark_the_rest(uneven):
    done = program.run("steps", "--format", "json", uneven)
    rows = json.loads(done.stdout)["steps"]
    assert [(row["step"], row["is_rest"]) for row in rows] == [
        (0, False), (1, False), (2, False), (3, False),
        (0, False), (1, False), (2, False), (None, True)]
    assert rows[-1]["idle_micros"] is None
    text = program.run("steps", uneven).stdout.decode()
    assert re.search(r"^rest  /host:b", text, re.M)
    csv = program.run("steps", "--format", "csv",
                      uneven).stdout.decode().splitlines()
    assert csv[0].startswith("step,is_rest,") and csv[-1].startswith(",true,")


def test_rest_is_no_number(uneven, write):
    done = program.run("op", "--step", "4", uneven)
    assert done.returncode == 2 and b"(steps: 0 1 2 3)" in done.stderr
    host = Plane("/host:CPU")
    path = write(host.line(1, "t", root(host, 0, 500, 7),
                           host.event("a:A", 10, 5)))
    done = program.run("op", "--step", "rest", path)
    assert done.returncode == 2
    assert b"no operation ran outside of all steps" in done.stderr


def test_head_of_the_rest_has_no_times_of_steps(uneven):
    for part, wanted in (("0", [b"step 0", b"busy: "]),
                         ("rest", [b"outside of all steps"])):
        head = program.run("op", "--format", "table", "--step", part,
                           uneven).stdout.partition(b"\ntotal")[0]
        assert all(word in head for word in wanted)
        assert (b"wall" in head) == (b"busy" in head) == (part == "0")


def test_a_saved_profile_leaves_out_the_rest(uneven, tmp_path):
    saved = tmp_path / "saved" / "model.profile"
    saved.parent.mkdir()
    done = program.run("scope", uneven, "--output", f"profile:outfile={saved}")
    assert b"operations without a step are left out" in done.stderr
    assert steps(saved) == [0, 1, 2, 3]
    for step, runs in ((0, 2), (3, 1)):
        found = view("scope", "--step", str(step), saved)["total"]
        assert found["runs"] == runs


def test_summary_counts_steps_of_hosts_once(uneven):
    done = program.run("summary", "--format", "json", uneven)
    found = json.loads(done.stdout)
    assert found["steps"] == 4
    assert [device["device"] for device in found["devices"]] == [
        "/host:a.xplane.pb/device:CPU:0", "/host:b.xplane.pb/device:CPU:0"]
    text = program.run("summary", uneven).stdout.decode()
    assert "/host:a.xplane.pb/device:CPU:0 busy" in text


def test_gathering_changes_no_step(write):
    """Markers that state a step without operations, in a trace whose events
    state their steps. The command steps gathers more than op does."""
    host = Plane("/host:CPU")
    path = write(host.line(
        1, "t", host.event("train 1", 0, 500, group_id=1),
        host.event("a:A", 10, 5, group_id=1),
        host.event("train 4", 1000, 500, group_id=4),
        host.event("b:B", 2000, 9)))
    assert steps(path) == [1]
    done = program.run("steps", "--format", "json", path)
    assert [(row["step"], row["is_rest"])
            for row in json.loads(done.stdout)["steps"]] == [
                (1, False), (None, True)]
    assert of_step(path, "rest") == (9, 1)


def test_unnumbered_steps_take_no_number_of_a_device(write):
    """The device marks step 0, the host a step without a number."""
    host, tpu = Plane("/host:CPU"), Plane("/device:TPU:0")
    host.line(1, "t", host.event("train", 0, 500, _r=1),
              host.event("a:A", 10, 5))
    tpu.line(1, "Steps", tpu.event("0", 5000, 900))
    tpu.line(2, "XLA Ops", tpu_op(tpu, "b", 5010, 7))
    path = write(host, tpu)
    assert steps(path) == [0, 1]
    assert of_step(path, 0) == (7, 1) and of_step(path, 1) == (5, 1)


def test_planes_of_a_device_need_not_be_neighbors(write):
    """The marks of steps are those of the device, wherever its planes are."""
    found = []
    for order in ((0, 1, 2), (0, 2, 1), (2, 0, 1), (1, 2, 0)):
        planes = []
        for number, begin in ((0, 0), (0, 1000), (1, 0)):
            tpu = Plane(f"/device:TPU:{number}")
            tpu.line(1, "Steps", tpu.event(str(begin // 1000), begin, 900))
            tpu.line(2, "XLA Ops", tpu_op(tpu, "a", begin + 10, 50))
            planes.append(tpu)
        path = write(*(planes[i] for i in order))
        rows = json.loads(program.run(
            "steps", "--format", "json", path).stdout)["steps"]
        found.append(sorted((row["step"], row["device"], row["device_micros"])
                            for row in rows))
    assert found == [found[0]] * 4
    assert all(row[2] == 900e-6 for row in found[0])


def test_functions_of_an_input_pipeline_enclose_roots(write):
    """They are no steps, and what is inside of them is none either."""
    host = Plane("/host:CPU")
    host.line(1, "t",
              host.event("InstantiatedCapturedFunction::Run", 0, 10, id=77),
              host.event("EagerKernel", 100, 500, _r=1, id=77),
              host.event("FunctionRun", 200, 100, _r=1),
              host.event("FunctionRun", 1000, 100, _r=1),
              host.event("a:A", 1010, 5))
    assert steps(write(host)) == [0]


# ---- Programs -----------------------------------------------------------


def instruction(number, name, opcode, op_name="", line=0, frame=0, called=()):
    metadata = (field(2, op_name.encode())
                + (field(3, b"file.py") + integer(4, line) if line else b"")
                + (integer(15, frame) if frame else b""))
    return field(2, field(1, name.encode()) + field(2, opcode.encode())
                 + field(7, metadata) + integer(35, number)
                 + b"".join(integer(38, one) for one in called))


FRAMES = field(17, field(1, b"stack.py") + field(2, b"f") + field(
    3, integer(1, 1) + integer(2, 1) + integer(3, 42)) + field(
        4, integer(1, 1)))


def metadata_plane(*computations):
    plane = Plane("/host:metadata")
    module = field(1, b"jit_f") + b"".join(
        field(3, field(1, b"c%d" % i) + integer(5, i) + inside)
        for i, inside in enumerate(computations)) + FRAMES
    plane.event_id("jit_f(17)", None,
                   [plane.stat("Hlo Proto", field(1, module))])
    return plane


@pytest.mark.parametrize("inner, wanted", [
    (dict(line=12), "file.py:12"), (dict(frame=1), "stack.py:42")])
@pytest.mark.parametrize("empty", [0, 255, 256])
def test_a_fusion_without_source_has_that_of_its_first_part(write, inner,
                                                            wanted, empty):
    fusion = instruction(1, "fusion.1", "fusion", "a/A;b/B", called=[1])
    inside = b"".join(instruction(10 + i, f"p{i}", "parameter")
                      for i in range(empty)) + (
        instruction(9, "add.1", "add", "a/A", **inner))
    host = Plane("/host:CPU")
    host.line(1, "t", host.event("x", 0, 50, hlo_op="fusion.1",
                                 hlo_module="jit_f", program_id=17))
    done = program.run("code", write(metadata_plane(fusion, inside), host))
    assert (wanted.encode() in done.stdout) == (empty < 256)


# ---- Metrics ------------------------------------------------------------


@pytest.mark.parametrize("word", ["bytes", "peak_bytes", "residual_bytes",
                                  "output_bytes", "queue_micros"])
def test_a_metric_that_traces_do_not_have_is_told(write, word):
    host = Plane("/host:CPU")
    host.line(1, "python", host.event("a:A", 100, 50))
    done = program.run("op", "-select", f"{word},micros", write(host))
    assert done.stderr.decode() == (
        f"tfprof: note: {word} is not read from traces and is 0 for their runs "
        "(give run metadata with --run_meta_path)\n")
    assert not program.run("op", "-select", "micros", write(host)).stderr
