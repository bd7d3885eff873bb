"""Compiled programs and their instructions are known by what they compute, not
by the order in which they ran or the numbers that a run gave them."""

import collections
import itertools
import json

import pytest

import program
from trace_build import Plane, space
from trace_files import Sums, nodes, plus, times, view
from wirebytes import field, integer

F32 = 11


def instruction(number, name, opcode, dims=(8, 8), op_name="f/dot",
                operands=(), path="a.py"):
    shape = integer(2, F32) + b"".join(integer(3, dim) for dim in dims)
    metadata = field(2, op_name.encode()) + field(3, path.encode())
    return field(2, field(1, name.encode()) + field(2, opcode.encode())
                 + field(3, shape) + field(7, metadata) + integer(35, number)
                 + b"".join(integer(36, one) for one in operands))


def module(name, *instructions):
    body = field(1, b"main") + integer(5, 1) + b"".join(instructions)
    return field(1, field(1, name.encode()) + field(3, body))


def dot(dims, first=1, path="a.py"):
    """A dot of two parameters. Ids, paths and the order of instructions say
    nothing about what it computes."""
    return [instruction(first, "p.0", "parameter", dims, "", path=path),
            instruction(first + 1, "p.1", "parameter", dims, "", path=path),
            instruction(first + 2, "dot.1", "dot", dims, path=path,
                        operands=(first, first + 1))]


# A run gives each program a number.
PROGRAMS = {
    "jit_train": module("jit_train", *dot((64, 64))),
    "jit_eval": module("jit_eval", *dot((8, 8))),
    "jit_step": module("jit_step", *dot((16, 16))),
}
TIMES = {"jit_train": 900, "jit_eval": 10, "jit_step": 70}


def trace(path, order, numbers, programs=None, host=b"h", instructions=None):
    """A GPU that runs dot.1 of some programs, and what else they name."""
    programs = PROGRAMS if programs is None else programs
    planes = Plane("/host:metadata"), Plane("/device:GPU:0")
    events = []
    for at, name in enumerate(order):
        number = numbers[name]
        if name in programs:
            planes[0].event_id(f"{name}({number})", None, [
                planes[0].stat("Hlo Proto", programs[name])])
        for one in (instructions or {}).get(name, ["dot.1"]):
            events.append(planes[1].event(
                "gemm", 10_000 * len(events) + at, TIMES[name], hlo_op=one,
                hlo_module=name, program_id=number))
    planes[1].line(1, "Stream #1", *events)
    path.write_bytes(space(*planes) + field(4, host))
    return path


def sums(folder):
    """The sums of nodes over all files, each of which is a step."""
    done = program.run("info", "--format", "json", folder)
    found = collections.defaultdict(lambda: Sums(0, 0, 0))
    steps = {step for file in json.loads(done.stdout)["files"]
             for step in file["steps"]}
    for step in steps:
        for row in view("scope", "--step", str(step), folder)["rows"]:
            if any(own := times(row["self"])):
                found[row["name"]] = plus(found[row["name"]], own)
    return dict(found)


def numbered(order):
    return {name: 17 + i for i, name in enumerate(order)}


@pytest.mark.parametrize("order", list(itertools.permutations(PROGRAMS)))
@pytest.mark.parametrize("has_hlo", [True, False])
def test_order_of_programs_changes_no_name(tmp_path, order, has_hlo):
    programs = None if has_hlo else {}
    found = nodes(trace(tmp_path / "a.xplane.pb", order, numbered(order),
                        programs))
    names = (["f/dot/dot.1", "f/dot/dot.1#2", "f/dot/dot.1#3"] if has_hlo else
             [f"{name}/dot.1" for name in sorted(PROGRAMS)])
    # By name of the module, so jit_eval, jit_step, jit_train.
    assert found == {name: Sums(1, 0, TIMES[one])
                     for name, one in zip(names, sorted(PROGRAMS))}


def test_hosts_share_their_programs(tmp_path):
    """They run in another order, with other numbers, and one ran fewer."""
    orders = (["jit_train", "jit_eval"], ["jit_eval", "jit_train"],
              ["jit_train"])
    for i, order in enumerate(orders):
        trace(tmp_path / f"h{i}.xplane.pb", order,
              {name: 100 * i + at for at, name in enumerate(order)},
              host=b"h%d" % i)
    assert sums(tmp_path) == {"f/dot/dot.1": Sums(2, 0, 20),
                               "f/dot/dot.1#2": Sums(3, 0, 2700)}


@pytest.mark.parametrize("again", [
    dot((8, 8), first=70), dot((8, 8), path="/another/folder/b.py"),
    dot((8, 8))[::-1]], ids=["ids", "path", "order"])
def test_a_program_compiled_again_is_the_same(tmp_path, again):
    """Two programs of one trace that compute the same have one node, and one
    row in the table of kernels."""
    planes = Plane("/host:metadata"), Plane("/device:GPU:0")
    for number, body in ((17, dot((8, 8))), (18, again)):
        planes[0].event_id(f"jit_eval({number})", None, [
            planes[0].stat("Hlo Proto", module("jit_eval", *body))])
    planes[1].line(1, "Stream #1", *(planes[1].event(
        "gemm", 10_000 * number, 10, hlo_op="dot.1", hlo_module="jit_eval",
        program_id=number, kernel_details="grid:1,1,1 block:8,1,1")
        for number in (17, 18)))
    path = tmp_path / "a.xplane.pb"
    path.write_bytes(space(*planes))
    assert nodes(path) == {"f/dot/dot.1": Sums(2, 0, 20)}
    rows = json.loads(program.run("kernels", "--format", "json",
                                  path).stdout)["kernels"]
    assert [(row["op"], row["count"]) for row in rows] == [
        ("f/dot/dot.1", 2)]


@pytest.mark.parametrize("other", [
    dot((8, 9)), [*dot((8, 8)), instruction(9, "add.1", "add")],
    [instruction(1, "p.0", "parameter", op_name=""),
     instruction(2, "p.1", "parameter", op_name=""),
     instruction(3, "dot.1", "dot", operands=(2, 2))],
    [instruction(1, "p.0", "parameter", op_name=""),
     instruction(2, "p.1", "parameter", op_name=""),
     instruction(3, "dot.1", "convolution", operands=(1, 2))]],
    ids=["shape", "instruction", "edge", "opcode"])
def test_programs_that_compute_something_else_differ(tmp_path, other):
    planes = Plane("/host:metadata"), Plane("/device:GPU:0")
    for number, body in ((17, dot((8, 8))), (18, other)):
        planes[0].event_id(f"jit_eval({number})", None, [
            planes[0].stat("Hlo Proto", module("jit_eval", *body))])
    planes[1].line(1, "Stream #1", *(planes[1].event(
        "gemm", 10_000 * number, number, hlo_op="dot.1",
        hlo_module="jit_eval", program_id=number) for number in (17, 18)))
    path = tmp_path / "a.xplane.pb"
    path.write_bytes(space(*planes))
    found = nodes(path)
    assert set(found) == {"f/dot/dot.1", "f/dot/dot.1#2"}
    assert {one.accelerator for one in found.values()} == {17, 18}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_programs_without_hlo_are_known_by_their_instructions(tmp_path, order):
    """Two of one module, with an instruction of the same name."""
    ran = [(17, ["dot.1", "add.1"], 900), (18, ["dot.1", "mul.1"], 10)]
    found = []
    for host, first in (("a", 17), ("b", 40)):
        gpu = Plane("/device:GPU:0")
        events = []
        for at in order if host == "a" else order[::-1]:
            number, names, time = ran[at]
            events += [gpu.event("k", 10_000 * (len(events) + i), time,
                                 hlo_op=name, hlo_module="jit_step",
                                 program_id=number - 17 + first)
                       for i, name in enumerate(names)]
        path = tmp_path / f"{host}.xplane.pb"
        path.write_bytes(space(gpu.line(1, "Stream #1", *events))
                         + field(4, host.encode()))
        found.append({name: one.accelerator
                      for name, one in nodes(path).items()})
    assert found[0] == found[1]
    both = sums(tmp_path)
    assert {name: one.accelerator for name, one in both.items()} == {
        name: 2 * time for name, time in found[0].items()}
    times = {name: time for name, time in found[0].items()}
    assert sorted(times.values()) == [10, 10, 900, 900]


def rows_of(folder):
    pytest.importorskip("duckdb")
    import duckdb
    return set(duckdb.sql(
        "select row, name, program, op_type from "
        f"'{folder}/rows.parquet' where program <> ''").fetchall())


def test_workers_share_rows_whatever_else_they_ran(tmp_path):
    """A number in a name would differ: the second worker ran one program."""
    for name, order in (("a", ["jit_train", "jit_eval"]), ("b", ["jit_train"])):
        path = trace(tmp_path / f"{name}.xplane.pb", order, numbered(order))
        done = program.run("aggregate", path, "--output",
                           f"parquet:outfile={tmp_path / name}")
        assert done.returncode == 0, done.stderr
    a, b = rows_of(tmp_path / "a"), rows_of(tmp_path / "b")
    assert len(a) == 2 and len(b) == 1 and b < a
    assert {row[1] for row in a} == {"f/dot/dot.1"}
    assert {row[2].split("@")[0] for row in a} == {"jit_train", "jit_eval"}


def test_programs_of_a_tpu_are_known_by_their_instructions(tmp_path):
    """The numbers of programs differ between the hosts."""
    for host, numbers in (("a", (1, 2)), ("b", (2, 1))):
        tpu = Plane("/device:TPU:0")
        events = []
        for number, names, time in ((numbers[0], ("x", "y"), 900),
                                    (numbers[1], ("x", "z"), 10)):
            for name in names:
                kind = tpu.event_id(f"%{name} {number}", name, [
                    tpu.stat("program_id", number),
                    tpu.stat("tf_op", f"s/{name}:")])
                events.append(tpu.event(kind, 10_000 * len(events), time))
        (tmp_path / f"{host}.xplane.pb").write_bytes(
            space(tpu.line(1, "XLA Ops", *events)) + field(4, host.encode()))
    found = {name: one.accelerator for name, one in sums(tmp_path).items()}
    assert sorted(found.values()) == [20, 20, 1800, 1800]
    assert set(found) == {"s/x/x", "s/x/x#2", "s/y/y", "s/z/z"}
    alone = {name: one.accelerator for name, one in
             nodes(tmp_path / "a.xplane.pb").items()}
    assert {name: 2 * time for name, time in alone.items()} == found
