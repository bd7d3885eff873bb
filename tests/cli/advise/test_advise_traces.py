"""`tfprof advise` of traces: what is planted is found, with the figures that
`steps`, `kernels` and `devices` print, and nothing is found in clean ones."""

import itertools
import json
import subprocess

import pytest

import program
import tf_messages
from files import needs_tensorflow
from trace_build import Plane, space

TRACES = program.DATA_DIR / "traces"
MICRO = 10**6  # picoseconds
MILLI = 1000 * MICRO

OF_TRACES = ["HostBoundChecker", "IdleDeviceChecker", "InputBoundChecker",
             "SlowCopyChecker", "SmallKernelChecker"]
SECTIONS = ["AcceleratorUtilizationChecker", "ExpensiveOperationChecker",
            *OF_TRACES[:3], "OperationChecker", *OF_TRACES[3:]]
FORM = "regs:32 static_shared:0 dynamic_shared:0 grid:8,1,1 block:256,1,1"


# ---- Traces ------------------------------------------------------------------

class Run:
    """Steps of 10 ms, each with what is added to all of them. Times are in
    microseconds from the start of a step."""

    LENGTH = 10_000

    def __init__(self, steps=4):
        self.steps = range(steps)
        self.host, self.gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
        self.main, self.launches, self.streams = [], [], {}
        self.number = 0
        for step in self.steps:
            self.main.append((self.at(step, 0), self.host.event(
                "train", self.at(step, 0), self.LENGTH * MICRO, _r=1,
                step_num=step)))

    def at(self, step, micros):
        return round((step * self.LENGTH + micros) * MICRO)

    def op(self, name, begin, length):
        for step in self.steps:
            self.main.append((self.at(step, begin), self.host.event(
                name, self.at(step, begin), length * MICRO)))
        return self

    def kernel(self, name, begin, length, op="dense/MatMul:MatMul", stream=1,
               launch=None, **stats):
        stats = stats or {"kernel_details": FORM}
        for step in self.steps:
            self.number += 1
            self.streams.setdefault(stream, []).append(
                (self.at(step, begin), self.gpu.event(
                    name, self.at(step, begin), round(length * MICRO),
                    tf_op=op, correlation_id=self.number, **stats)))
            if launch is not None:
                self.launches.append((self.at(step, begin), self.host.event(
                    "cuLaunchKernel", self.at(step, begin),
                    round(launch * MICRO), correlation_id=self.number)))
        return self

    def copy(self, kind, begin, length, size, stream=2, op="input/copy:Cast"):
        return self.kernel(kind, begin, length, op, stream, memcpy_details=(
            f"kind_src:pageable kind_dst:device size:{size} dest:0 async:1"))

    def write(self, path):
        def ordered(events):
            return [event for _, event in sorted(events, key=lambda e: e[0])]
        self.host.line(1, "python", *ordered(self.main))
        if self.launches:
            self.host.line(2, "launches", *ordered(self.launches))
        for stream, events in sorted(self.streams.items()):
            self.gpu.line(stream, f"Stream #{stream}", *ordered(events))
        planes = [self.host] + ([self.gpu] if self.streams else [])
        path.write_bytes(space(*planes))
        return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "made.xplane.pb"


def ask(kind, path, *args):
    done = program.run(kind, "--format", "json", "-q", path, *args)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def fed(data, *args):
    return subprocess.run([program.TFPROF, *args, "-q"], input=data,
                          capture_output=True, check=False)


def findings(path, *args):
    """{checker: its findings}, those of traces that found something."""
    told = {checker["name"]: sum(checker["reports"], [])
            for checker in ask("advise", path, *args)["checkers"]}
    if not args:
        assert list(told) == SECTIONS
    return {name: found for name, found in told.items()
            if name in OF_TRACES and found}


def rows(kind, path):
    return ask(kind, path)[kind]


def only(path, checker):
    """The one finding, of this checker."""
    found = findings(path)
    assert list(found) == [checker]
    one, = found[checker]
    return one


def total(rows, column):
    return pytest.approx(sum(row[column] for row in rows), abs=1e-6)


def of_device(path, name):
    return [row for row in rows("steps", path)
            if row["device"].endswith(name) and row["wall_micros"]]


# ---- What is planted ---------------------------------------------------------

def test_an_idle_device_is_found_with_what_it_waited_for(path):
    # The device waits 6 ms for the second operation of each step.
    run = Run().kernel("gemm", 0, 1000, "first/MatMul:MatMul")
    run.kernel("gemm", 7000, 1000, "second/MatMul:MatMul")
    run.op("IteratorGetNext:IteratorGetNext", 1000, 500)
    run.write(path)
    found = findings(path)
    idle, = found.pop("IdleDeviceChecker")
    steps = of_device(path, "GPU:0")
    assert idle["kind"] == "idle_device"
    assert idle["name"] == "/device:GPU:0"
    assert idle["micros"] == total(steps, "idle_micros") == 32_000
    assert idle["accelerator_micros"] == total(steps, "busy_micros") == 8000
    assert idle["whole_micros"] == total(steps, "wall_micros")
    assert (idle["count"], idle["whole_count"]) == (4, 4)
    assert idle["where"]["node"] == "second/MatMul"
    assert idle["line"] == ("device: /device:GPU:0 idle: 32.00ms of 40.00ms "
                            "(80.00%), in 4 of 4 steps")
    assert "prefetched input" in idle["try"]
    assert list(found) == ["HostBoundChecker"]  # which is why it idles


def test_a_device_that_idles_in_one_long_step_is_not_told(path):
    """As the first is, in which a program is compiled."""
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    markers, kernels, at = [], [], 0
    for step, length in enumerate([1000, 10, 10, 10]):
        markers.append(host.event("train", at, length * MILLI, _r=1,
                                  step_num=step))
        kernels.append(gpu.event("gemm", at, 9 * MILLI, tf_op="a:MatMul",
                                 kernel_details=FORM))
        at += length * MILLI
    path.write_bytes(space(host.line(1, "python", *markers),
                           gpu.line(1, "Stream #1", *kernels)))
    assert findings(path) == {}


def test_many_small_kernels_are_found_with_who_launches_them(path):
    run = Run()
    for i in range(2500):
        run.kernel("tiny_kernel", 4 * i, 2,
                   "loop/Add:Add" if i % 5 else "loop/Mul:Mul", launch=3.5)
    run.kernel("gemm", 0, 6000, stream=2)
    run.write(path)
    found = only(path, "SmallKernelChecker")
    kernels = rows("kernels", path)
    small = [row for row in kernels if row["total_micros"] / row["count"] < 10]
    assert found["kind"] == "small_kernels"
    assert found["count"] == sum(row["count"] for row in small) == 10_000
    assert found["whole_count"] == sum(row["count"] for row in kernels) == 10_004
    assert found["micros"] == total(small, "total_micros") == 20_000
    assert found["whole_micros"] == total(kernels, "total_micros") == 44_000
    assert found["launch_micros"] == total(small, "launch_micros") == 35_000
    assert found["name"] == "tiny_kernel"
    assert found["where"] == {"node": "loop/Add", "nodes": 2, "file": None,
                              "line": None}
    assert found["line"] == (
        "small kernels: 10000 of 10004 (99.96%) take less than 10us, total: "
        "20.00ms of 44.00ms (45.45%), launches: 35.00ms, most often: "
        "tiny_kernel")


def test_small_kernels_beside_long_ones_are_not_told(path):
    run = Run()
    for i in range(250):
        run.kernel("tiny_kernel", 40 * i, 2)
    run.kernel("gemm", 0, 9900, stream=2)
    assert findings(run.write(path)) == {}


def test_one_launch_of_many_kernels_counts_once(path):
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0")
    host.line(1, "python", host.event("cuGraphLaunch", 0, 9 * MICRO,
                                      correlation_id=7))
    gpu.line(1, "Stream #1", *[
        gpu.event("k", i * MICRO, MICRO, tf_op="a:Add", correlation_id=7,
                  kernel_details=FORM) for i in range(5)])
    path.write_bytes(space(host, gpu))
    row, = rows("kernels", path)
    assert (row["count"], row["launch_micros"]) == (5, 9)


@pytest.mark.parametrize("begins, first", [
    ({"k1": 3, "k2": 1, "k3": 2}, "k2"),
    ({"k1": 1, "k2": 2, "k3": 1}, "k1"),
    ({"k2": 5, "k3": 5, "k1": 5}, "k1"),
])
@pytest.mark.parametrize("by", ["events", "lines", "planes"])
def test_a_launch_counts_with_the_kernel_that_starts_first(path, by, begins,
                                                           first):
    """Of equal ones with the first by name, in any order of the file."""
    for names in itertools.permutations(begins):
        host = Plane("/host:CPU")
        host.line(1, "python", host.event("cuGraphLaunch", 0, 9 * MICRO,
                                          correlation_id=7))
        gpus = [Plane(f"/device:GPU:{name[1] if by == 'planes' else 0}")
                for name in names[:3 if by == "planes" else 1]]
        events = [gpus[at % len(gpus)].event(
            name, begins[name] * MICRO, MICRO, tf_op="a:Add",
            correlation_id=7, kernel_details=FORM)
            for at, name in enumerate(names)]
        if by == "events":
            gpus[0].line(1, "Stream #1", *events)
        else:
            for at, event in enumerate(events):
                gpus[at % len(gpus)].line(at, f"Stream #{at}", event)
        path.write_bytes(space(host, *gpus))
        assert {row["kernel"]: row["launch_micros"]
                for row in rows("kernels", path)} == {
                    name: 9 if name == first else 0 for name in begins}


def test_a_slow_copy_is_found_with_its_rate(path):
    size = 4_000_000
    run = Run().kernel("gemm", 4000, 5800).copy("MemcpyH2D", 0, 4000, size)
    run.write(path)
    found = only(path, "SlowCopyChecker")
    device, = (row for row in rows("devices", path)
               if row["device"].endswith("GPU:0"))
    assert found["kind"] == "slow_copy"
    assert found["name"] == "MemcpyH2D"
    assert (found["count"], found["bytes"]) == (4, 4 * size)
    assert found["micros"] == 16_000
    # From the start of the first operation to the end of the last one.
    assert found["whole_micros"] == 39_800
    assert device["busy_micros"] + device["idle_micros"] == 40_000
    assert found["where"]["node"] == "input/copy"
    assert found["line"] == ("top 1 copy: MemcpyH2D, count: 4, total: 16.00ms "
                             "(40.20%), bytes: 16.00MB at 1.00 GB/s")


def test_a_short_copy_is_told_only_when_it_is_slow(path):
    def run(size):
        made = Run().kernel("gemm", 500, 9400)
        return made.copy("MemcpyD2H", 0, 500, size).write(path)
    assert list(findings(run(1_500_000))) == ["SlowCopyChecker"]  # 3 GB/s
    assert findings(run(6_000_000)) == {}  # 12 GB/s
    assert findings(run(500_000)) == {}    # too small for a rate


def test_copies_beside_kernels_are_not_told(path):
    run = Run().kernel("gemm", 0, 9900).copy("MemcpyH2D", 0, 9000, 9_000_000)
    assert findings(run.write(path)) == {}


def test_steps_that_wait_for_input_are_found(path):
    run = Run().kernel("gemm", 4000, 5800)
    run.op("IteratorGetNext:IteratorGetNext", 0, 3900)
    run.write(path)
    found = only(path, "InputBoundChecker")
    steps = of_device(path, "GPU:0")
    assert found["kind"] == "input_bound"
    assert found["name"] is None
    assert found["micros"] == total(steps, "input_wait_micros") == 15_600
    assert found["whole_micros"] == total(steps, "wall_micros") == 40_000
    assert (found["count"], found["whole_count"]) == (4, 4)
    assert found["where"]["node"] == "IteratorGetNext"
    assert "prefetch" in found["try"]
    assert found["line"] == ("steps wait for input: 15.60ms of 40.00ms "
                             "(39.00%), in 4 of 4 steps")


def test_a_stage_of_the_input_is_named(path):
    run = Run().op("IteratorGetNext:IteratorGetNext", 0, 3900)
    run.op("Iterator::Prefetch::ParallelMapV2", 4000, 5000)
    found = only(run.write(path), "InputBoundChecker")
    assert found["where"]["node"] == "Iterator/Prefetch/ParallelMapV2"
    assert found["where"]["nodes"] == 2


def test_a_wait_that_the_device_works_through_is_not_told(path):
    run = Run().kernel("gemm", 0, 9900)
    run.op("IteratorGetNext:IteratorGetNext", 0, 9000)
    assert findings(run.write(path)) == {}


def test_steps_that_wait_for_the_host_are_found(path):
    run = Run().kernel("gemm", 8000, 1500)
    run.op("IteratorGetNext:IteratorGetNext", 0, 500)
    run.op("prepare/PyFunc:PyFunc", 500, 7000).op("other/Add:Add", 7500, 100)
    run.write(path)
    found = findings(path)
    host, = found["HostBoundChecker"]
    steps = of_device(path, "GPU:0")
    assert host["kind"] == "host_bound"
    assert host["micros"] == pytest.approx(
        sum(row["idle_micros"] - row["input_wait_micros"] for row in steps))
    assert host["micros"] == 32_000
    assert host["whole_micros"] == total(steps, "wall_micros")
    assert host["where"]["node"] == "prepare/PyFunc"
    assert host["line"] == ("steps wait for the host: 32.00ms of 40.00ms "
                            "(80.00%), in 4 of 4 steps")
    assert "IdleDeviceChecker" in found and "InputBoundChecker" not in found


def test_devices_that_take_turns_do_not_wait_for_the_host(path):
    """Each idles for half of the time, but one of them always runs."""
    run = Run()
    other = Plane("/device:GPU:1")
    run.kernel("gemm", 0, 4900)
    other.line(1, "Stream #1", *[
        other.event("gemm", run.at(step, 4900), 5000 * MICRO, tf_op="b:MatMul",
                    kernel_details=FORM) for step in run.steps])
    run.write(path)
    path.write_bytes(other.bytes() + path.read_bytes())
    assert "HostBoundChecker" not in findings(path)


@needs_tensorflow
def test_the_line_of_code_is_named():
    """A stored trace of JAX has stacks; its kernels become small ones."""
    space = tf_messages.trace_class().FromString(
        (TRACES / "gen_jax-gpu.xplane.pb").read_bytes())
    for plane in space.planes:
        if plane.name.startswith("/device:GPU"):
            for line in plane.lines:
                for event in line.events:
                    event.duration_ps //= 50
    done = fed(space.SerializeToString(), "advise", "--format", "json", "-")
    told = {checker["name"]: sum(checker["reports"], [])
            for checker in json.loads(done.stdout)["checkers"]}
    small, = told["SmallKernelChecker"]
    idle = told["IdleDeviceChecker"]
    assert (small["where"]["file"], small["where"]["line"]) in {
        ("/home/user/model.py", 38), ("/home/user/dist.py", 55)}
    assert len(idle) == 2
    assert all(found["where"]["file"] for found in idle)


# ---- What is not -------------------------------------------------------------

def test_a_busy_device_gives_no_finding(path):
    run = Run().kernel("gemm", 100, 9800)
    run.op("IteratorGetNext:IteratorGetNext", 0, 90)
    run.copy("MemcpyH2D", 0, 100, 1_000_000)
    assert findings(run.write(path)) == {}


@pytest.mark.parametrize("name", ["gen_jax-gpu", "gen_tf-gpu", "gen_jax-tpu",
                                  "gen_jax-cpu", "jax0102_cpu_train_py0",
                                  "jax_mlp_3steps_py1", "tf_keras_3steps_py0",
                                  "tf221_eager_while"])
def test_stored_traces_give_no_finding(name):
    assert findings(TRACES / f"{name}.xplane.pb") == {}


def test_the_stored_trace_of_a_slow_input():
    found = only(TRACES / "keras315_tf221_callback.xplane.pb",
                 "InputBoundChecker")
    steps = {row["step"]: row for row in rows(
        "steps", TRACES / "keras315_tf221_callback.xplane.pb")
        if row["wall_micros"] is not None}.values()
    assert found["micros"] == total(steps, "input_wait_micros")
    assert found["whole_micros"] == total(steps, "wall_micros")
    assert found["count"] == sum(
        row["input_wait_micros"] * 10 >= row["wall_micros"] for row in steps)


# ---- Forms -------------------------------------------------------------------

def test_text_json_and_proto_say_the_same(path):
    run = Run().kernel("gemm", 8000, 500)
    run.op("prepare/PyFunc:PyFunc", 500, 7000).write(path)
    lines = [found[0]["line"] for found in findings(path).values()]
    assert len(lines) == 2
    text = program.run("advise", "-q", path).stdout.decode()
    assert all(f"\n{line}\n    where: " in text for line in lines)
    assert [line[:-1] for line in text.splitlines()
            if line.endswith("Checker:")] == SECTIONS
    proto = program.run("advise", "-q", "--format", "proto", path).stdout
    assert all(line.encode() in proto for line in lines)
    assert b"where" not in proto


def test_a_trace_in_a_pipe_is_read_once(path):
    Run().kernel("gemm", 8000, 500).write(path)
    piped = fed(path.read_bytes(), "advise", "-")
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert piped.stdout == program.run("advise", "-q", path).stdout
    assert b"wait for the host" in piped.stdout


def test_the_prompt_reads_the_trace_again(path):
    Run().kernel("gemm", 8000, 500).write(path)
    talked = fed(b"advise -checkers IdleDeviceChecker\n", path)
    assert talked.returncode == 0
    assert b"device: /device:GPU:0 idle: 38.00ms of 40.00ms" in talked.stdout


def test_one_checker_can_be_asked_for(path):
    Run().kernel("gemm", 8000, 500).write(path)
    found = findings(path, "--checkers", "IdleDeviceChecker")
    assert list(found) == ["IdleDeviceChecker"]


def test_without_a_trace_they_are_silent(tmp_path):
    """Upstream's answer stays as it is."""
    path = tmp_path / "graph.pb"
    path.write_bytes(b"\n\x08\n\x01a\x12\x03Add")
    done = program.run("advise", "-q", path)
    assert done.stdout.decode().split() == [
        f"{name}:" for name in SECTIONS if name not in OF_TRACES]
    done = program.run("advise", path, "--checkers", "SlowCopyChecker")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "tfprof: SlowCopyChecker requires a trace (give *.xplane.pb or its "
        "log directory)\n")


def test_odd_copies_do_no_harm(path):
    """Sizes that are none, and an event that occurred never."""
    gpu = Plane("/device:GPU:0")
    gpu.line(1, "Stream #1", *[
        gpu.event("MemcpyD2D", i * MICRO, MICRO, memcpy_details=details)
        for i, details in enumerate(["size:", "size:-4", "", "size:9" + "9" * 40,
                                     "dest:1", "size:9000000000000000000"])],
        gpu.event("MemcpyD2D", 0, 5 * MICRO, count=0,
                  memcpy_details="size:8000000"))
    path.write_bytes(space(gpu))
    found = findings(path)["SlowCopyChecker"]
    assert sum(copy["count"] for copy in found) == 5
