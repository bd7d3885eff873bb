"""Of equal ones the first by name: the order in which a trace has its planes,
lines and events decides nothing."""

import itertools
import json

import pytest

import program
from messages import GPU, record, run_of
from trace_build import Plane, space

KERNELS = ("kernel_b", "kernel_a")
COPIES = ("MemcpyH2D", "MemcpyD2H")


def gpu(number, names):
    """Each kernel and each copy takes the same time. The events of a stream
    keep their order, so each kind is on a stream of its own."""
    plane = Plane(f"/device:GPU:{number}")
    for line, name in enumerate(names):
        plane.line(13 + line, f"Stream #{13 + line}(Compute)", *(plane.event(
            name, 10**7 * launch, 10**6, tf_op=f"op_{name}:Relu",
            kernel_details="grid:1,1,1 block:1,1,1") for launch in range(60)))
    for line, name in enumerate(COPIES):
        plane.line(20 + line, f"Stream #{20 + line}({name})", plane.event(
            name, 10**9 * (2 + line), 10**9, tf_op=f"copy_{name}:Copy",
            memcpy_details="kind:x size:4096"))
    return plane


def host(allocators):
    """Each allocator has the same peak."""
    plane = Plane("/host:CPU")
    plane.line(1, "python", plane.event("train", 0, 10**10, _r=1, step_num=1))
    for line, name in enumerate(allocators):
        plane.line(2 + line, f"thread{name}", plane.event(
            "MemoryAllocation", 10**7, 0, allocator_name=name, addr=64,
            allocation_bytes=4096, bytes_allocated=4096))
    return plane


def traces():
    """One trace in all orders."""
    for names, numbers, allocators, at in itertools.product(
            (KERNELS, KERNELS[::-1]), ((0, 1), (1, 0)), ("xy", "yx"), (0, 2)):
        planes = [gpu(number, names) for number in numbers]
        planes.insert(at, host(allocators))
        yield space(*planes)


def answers(tmp_path, command, *options):
    path = tmp_path / "a.xplane.pb"
    for trace in traces():
        path.write_bytes(trace)
        done = program.run(command, "-q", path, *options, "--format", "json")
        assert done.returncode == 0, done.stderr
        yield json.loads(done.stdout)


def the_answer(tmp_path, *args):
    first, *others = answers(tmp_path, *args)
    assert all(other == first for other in others)
    return first


def test_a_node_has_the_device_whose_name_sorts_first(tmp_path):
    answer = the_answer(tmp_path, "scope", "--select", "device,micros")
    devices = {tuple(row["devices"]) for row in answer["rows"]
               if row["devices"]}
    assert {name.rpartition("/")[2] for (name,) in devices} == {"device:gpu:0"}


def test_an_accelerator_goes_before_a_cpu(tmp_path):
    """Although the name of a CPU sorts first."""
    cpu = Plane("/host:CPU")
    cpu.line(1, "threads", cpu.event("both:Relu", 0, 10))
    plane = Plane("/device:GPU:0")
    plane.line(13, "Stream #13(Compute)",
               plane.event("kernel", 0, 10, tf_op="both:Relu"))
    path = tmp_path / "a.xplane.pb"
    for planes in (cpu, plane), (plane, cpu):
        path.write_bytes(space(*planes))
        done = program.run("scope", "-q", path, "--select", "device",
                           "--format", "json")
        (row,) = [row for row in json.loads(done.stdout)["rows"]
                  if row["name"] == "both"]
        assert [name.rpartition("/")[2] for name in row["devices"]] == [
            "device:gpu:0"]


TYPES = (("_HostRecv", "_DeviceRetval", "_DeviceRetval"), ("", "Relu", "Relu"),
         ("unknown", "zeta", "zeta"))


def answered_types(*paths):
    """Of the node a/x."""
    done = program.run("scope", "-q", *paths, "--select", "op_types",
                       "--format", "json")
    assert done.returncode == 0, done.stderr
    (row,) = [row for row in json.loads(done.stdout)["rows"]
              if row["name"] == "a/x"]
    (found,) = [word for word in row["op_types"]
                if not word.startswith("/")]  # a device
    return found


@pytest.mark.parametrize("a, b, first", TYPES)
def test_a_node_has_the_type_whose_name_sorts_first(tmp_path, a, b, first):
    """Of those that lines of one trace state, and hosts of one run. A node
    whose type is not stated has it from those that state it."""
    def trace(*types):
        plane = Plane("/device:GPU:0")
        for line, word in enumerate(types):
            plane.line(13 + line, f"Stream #{13 + line}(Compute)",
                       plane.event("k", 10, 10, tf_op=f"a/x:{word}"))
        return space(plane)

    one, two = (tmp_path / f"{name}.xplane.pb" for name in "ab")
    for both in (a, b), (b, a):
        one.write_bytes(trace(*both))
        assert answered_types(one) == first
        for path, word in zip((one, two), both):
            path.write_bytes(trace(word))
        assert answered_types(one, two) == first


def test_summary_names_the_pool_whose_name_sorts_first(tmp_path):
    memory = the_answer(tmp_path, "summary")["memory"]
    assert memory["pool"].endswith("x") and memory["peak_bytes"] == 4096


def test_advice_names_what_sorts_first(tmp_path):
    """Devices are listed as they are in the trace."""
    first, *others = ({checker["name"]: sorted(map(json.dumps,
                                                      checker["reports"]))
                       for checker in answer["checkers"]}
                      for answer in answers(tmp_path, "advise"))
    assert all(other == first for other in others)
    assert first["SmallKernelChecker"] and first["SlowCopyChecker"]


@pytest.mark.parametrize("args", (
    ("memory",), ("memory", "--by", "op"), ("kernels",)))
def test_rows_of_one_size_are_sorted_by_name(tmp_path, args):
    the_answer(tmp_path, *args)


def test_the_largest_holder_is_the_one_whose_name_sorts_first(tmp_path):
    """Of RunMetadata, too."""
    path = tmp_path / "run_meta"
    for names in (b"b", b"a"), (b"a", b"b"):
        path.write_bytes(run_of((GPU, b"".join(
            record(name, outputs=[4096]) for name in names))))
        done = program.run("summary", "-q", path, "--format", "json")
        assert json.loads(done.stdout)["memory"]["held_by"] == "a"


def test_kernels_of_one_time_are_sorted_by_name(tmp_path):
    rows = the_answer(tmp_path, "kernels")["kernels"]
    assert [row["kernel"] for row in rows] == sorted(KERNELS)
