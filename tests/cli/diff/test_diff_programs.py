"""tfprof diff of compiled programs: which instructions belong together. Numbers
of instructions and programs differ from compilation to compilation."""

import collections
import json

import pytest

import program
from trace_build import Plane, space
from wirebytes import field, integer

Op = collections.namedtuple("Op", "name opcode scope time dims",
                            defaults=(100, ()))
Program = collections.namedtuple("Program", "module run ops has_hlo",
                                 defaults=(True,))


def hlo(ops, module):
    inside = b"".join(
        field(2, field(1, op.name.encode()) + field(2, op.opcode.encode())
              + (field(3, integer(2, 11) + b"".join(
                  integer(3, dim) for dim in op.dims)) if op.dims else b"")
              + field(7, field(2, op.scope.encode())) + integer(35, 1 + at))
        for at, op in enumerate(ops))
    return field(1, field(1, module.encode())
                 + field(3, field(1, b"main") + integer(5, 1) + inside)
                 + integer(6, 1))


def trace(path, *programs):
    """Each instruction runs once, for `time` nanoseconds."""
    about, gpu = Plane("/host:metadata"), Plane("/device:GPU:0")
    events, at = [], 0
    for one in programs:
        if one.has_hlo:
            about.event_id(f"{one.module}({one.run})", None, [
                about.stat("Hlo Proto", hlo(one.ops, one.module))])
        for op in one.ops:
            events.append(gpu.event("k", at, 1000 * op.time, hlo_op=op.name,
                                    hlo_module=one.module,
                                    program_id=one.run))
            at += 1000 * op.time + 1
    gpu.line(1, "Stream #1", *events)
    host = Plane("/host:CPU")
    host.line(1, "python", host.event("train", 0, at, _r=1, step_num=1))
    path.write_bytes(space(host, gpu, about))
    return path


@pytest.fixture
def compared(tmp_path):
    """The JSON of a comparison of two lists of programs."""
    def compare(base, head, *args):
        old = trace(tmp_path / "old.xplane.pb", *base)
        new = trace(tmp_path / "new.xplane.pb", *head)
        done = program.run("diff", *args, "--base", old, new, "--format",
                           "json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return compare


VIEWS = pytest.mark.parametrize("view", ["scope", "graph"])


def found(answer):
    """Of rows: change, metric, name and its name in the base."""
    return {(c["change"], c["metric"], c["name"], c["was"] or c["name"])
            for c in answer["changes"] if c["name"] != "_TFProfRoot"}


def times(answer):
    return {(c["name"], c["base"], c["head"]) for c in answer["changes"]
            if c["metric"] == "micros" and c["name"] != "_TFProfRoot"}


def dot(name, time=100, scope="f/dot"):
    return Op(name, "dot", scope, time)


def fusion(name, time=100, scope="f/act"):
    return Op(name, "fusion", scope, time)


# ---- The same programs --------------------------------------------------

@VIEWS
@pytest.mark.parametrize("modules", [("jit_train", "jit_eval"),
                                     ("jit_f", "jit_f")])
def test_order_and_numbers_of_runs_do_not_matter(compared, view, modules):
    train = [dot("dot.1", 900), fusion("fusion.2", 500)]
    evaluate = [dot("dot.1", 10), Op("add.3", "add", "f/add", 7)]
    base = [Program(modules[0], 11, train), Program(modules[1], 22, evaluate)]
    head = [Program(modules[1], 33, evaluate), Program(modules[0], 44, train)]
    answer = compared(base, head, view)
    assert answer["changes"] == [] and answer["graph"] == []
    assert answer["renamed_rows"] == 0


@VIEWS
def test_a_number_for_display_does_not_align_rows(compared, view):
    """The head has one more program, whose instruction gets the name without
    a number."""
    train = Program("jit_train", 1, [dot("dot.1", 900)])
    other = Program("jit_eval", 2, [dot("dot.1", 10)])
    answer = compared([train], [other, train], view, "--select", "micros")
    assert times(answer) == {("f/dot/dot.1", 0, 0.01)}
    answer = compared([other, train], [train], view, "--select", "micros")
    assert times(answer) == {("f/dot/dot.1", 0.01, 0)}


def test_a_row_that_is_also_a_scope(compared):
    """In the head, the scope has the row of another program's instruction."""
    own = Program("jit_b", 1, [Op("dot", "dot", "f"),
                               Op("add.1", "add", "f/dot")])
    other = Program("jit_a", 2, [Op("dot", "dot", "f", 30)])
    for base, head, change in (([own], [other, own], "added"),
                               ([other, own], [own], "removed")):
        answer = compared(base, head, "--select", "micros")
        assert {row[0] for row in found(answer)} == {change, "changed"}
        assert {c["metric"] for c in answer["changes"]
                if c["change"] == "changed"} == {"graph"}


# ---- Other numbers ------------------------------------------------------

@VIEWS
def test_renumbered_instructions_pair(compared, view):
    base = [fusion("fusion.7", 127), dot("dot.1", 300)]
    head = [fusion("fusion.12", 128), dot("dot.1", 300)]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 2, head)],
                      view, "--select", "micros")
    end = ("f/act/fusion.12", "f/act/fusion.7")
    assert found(answer) == {("changed", "micros", *end)}
    assert times(answer) == {(end[0], 0.127, 0.128)}
    assert answer["renamed_rows"] == 1


@VIEWS
def test_renumbered_instructions_pair_by_shape(compared, view):
    """By time alone they would pair the other way."""
    base = [Op("fusion.1", "fusion", "f/a", 900, (64, 10)),
            Op("fusion.2", "fusion", "f/a", 100, (8, 10))]
    head = [Op("fusion.8", "fusion", "f/a", 90, (64, 10)),
            Op("fusion.9", "fusion", "f/a", 110, (8, 10)),
            Op("add.3", "add", "f/a", 1, (8, 10))]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 2, head)],
                      view, "--select", "micros")
    assert times(answer) >= {("f/a/fusion.8", 0.9, 0.09),
                             ("f/a/fusion.9", 0.1, 0.11)}


@VIEWS
def test_a_number_that_another_instruction_takes_over(compared, view):
    """fusion.7 of the base is fusion.12 of the head; another one is fusion.7
    there, in another scope."""
    base = [fusion("fusion.7", 12700, "f/a"), fusion("fusion.3", 100, "f/b")]
    head = [fusion("fusion.12", 12700, "f/a"), fusion("fusion.7", 100, "f/b")]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 2, head)],
                      view)
    assert answer["changes"] == [] and answer["renamed_rows"] == 2


@VIEWS
def test_ties_are_broken_by_name_then_by_time(compared, view):
    base = [fusion("fusion.1", 500), fusion("fusion.2", 40),
            fusion("fusion.3", 7)]
    head = [fusion("fusion.9", 41), fusion("fusion.8", 501),
            fusion("fusion.3", 900), Op("new", "add", "f/new", 1)]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 1, head)],
                      view, "--select", "micros")
    assert times(answer) == {
        ("f/act/fusion.3", 0.007, 0.9), ("f/act/fusion.8", 0.5, 0.501),
        ("f/act/fusion.9", 0.04, 0.041),
        ("f/new" if view == "scope" else "f/new/new", 0, 0.001)}


@VIEWS
def test_an_instruction_of_another_name_has_moved(compared, view):
    """Same operation, opcode and shape: only the compiler's name differs."""
    base = [fusion("loop_add_fusion.1"), dot("dot.1")]
    head = [fusion("loop_multiply_fusion"), dot("dot.1")]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 1, head)],
                      view)
    assert found(answer) == {("moved", "place", "f/act/loop_multiply_fusion",
                              "f/act/loop_add_fusion.1")}


def test_without_an_operation_the_name_must_agree(compared):
    base = [Op("wrapped_add.1", "fusion", ""), dot("dot.1")]
    head = [Op("input_reduce.4", "fusion", ""), Op("x", "fusion", ""),
            dot("dot.1")]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 1, head)],
                      "--select", "micros")
    assert {row[0] for row in found(answer)} >= {"added", "removed"}
    assert "moved" not in {row[0] for row in found(answer)}


# ---- Edited programs ----------------------------------------------------

@VIEWS
def test_an_edit_leaves_the_other_instructions(compared, view):
    """Only the new instruction is listed, and the other program of the same
    module, which has the same names, keeps its own."""
    train = [dot("dot.1", 900), fusion("fusion.2", 500)]
    edited = [dot("dot.1", 900), fusion("fusion.4", 500),
              Op("tanh.3", "tanh", "f/tanh", 30)]
    evaluate = [dot("dot.1", 10), fusion("fusion.2", 5), dot("dot.5", 3)]
    answer = compared(
        [Program("jit_f", 1, train), Program("jit_f", 2, evaluate)],
        [Program("jit_f", 5, evaluate), Program("jit_f", 6, edited)],
        view, "--select", "micros")
    assert {name for name, _, _ in times(answer)} == {
        "f/tanh" if view == "scope" else "f/tanh/tanh.3"}
    assert answer["renamed_rows"] == 1
    assert [(c["op_type"], c["nodes"]) for c in answer["graph"]] == [("tanh", 1)]


@VIEWS
def test_two_edited_programs_of_a_module_pair_by_time(compared, view):
    train, evaluate = [dot("dot.1", 900)], [dot("dot.1", 10), dot("dot.2", 10)]
    add, tanh = Op("add.1", "add", "g", 1), Op("tanh.1", "tanh", "h", 1)
    answer = compared(
        [Program("jit_f", 1, train), Program("jit_f", 2, evaluate)],
        [Program("jit_f", 2, evaluate + [add]),
         Program("jit_f", 1, train + [tanh])], view, "--select", "micros")
    assert {name.split("/")[0] for name, _, _ in times(answer)} == {"g", "h"}


@VIEWS
def test_a_changed_opcode_is_listed(compared, view):
    answer = compared([Program("jit_f", 1, [dot("x.1"), fusion("fusion.2")])],
                      [Program("jit_f", 1, [Op("x.1", "custom-call", "f/dot"),
                                            fusion("fusion.2")])], view)
    assert found(answer) == {("changed", "op_type", "f/dot/x.1", "f/dot/x.1")}


# ---- Modules ------------------------------------------------------------

@VIEWS
def test_instructions_of_other_modules_do_not_pair(compared, view):
    """jit_b lost its dot, jit_a got one."""
    add, tanh = Op("add.1", "add", "f/add"), Op("tanh.1", "tanh", "f/tanh")
    answer = compared(
        [Program("jit_a", 1, [add]), Program("jit_b", 2, [tanh, dot("dot.1")])],
        [Program("jit_a", 1, [add, dot("dot.1")]), Program("jit_b", 2, [tanh])],
        view, "--select", "micros")
    assert times(answer) == {("f/dot/dot.1", 0, 0.1), ("f/dot/dot.1", 0.1, 0)}
    assert {c["change"] for c in answer["changes"]
            if c["metric"] == "micros"} == {"added", "removed"}


@VIEWS
def test_a_renamed_module_keeps_its_instructions(compared, view):
    ops = [dot("dot.1"), fusion("fusion.2")]
    answer = compared([Program("jit_old", 1, ops)],
                      [Program("jit_new", 1, ops)], view)
    assert answer["changes"] == []


@VIEWS
def test_numbers_in_the_names_of_modules_do_not_matter(compared, view):
    """TensorFlow numbers its functions anew in each run."""
    def module(number):
        return f"a_inference_step_{number}__XlaMustCompile_true_.{number + 3}"
    ops = [dot("dot.1", 900), Op("copy.3", "copy", "", 60)]
    other = [dot("dot.1", 30), Op("copy.3", "copy", "", 5),
             Op("add", "add", "f/add", 2)]
    answer = compared(
        [Program(module(9), 1, ops), Program(module(99), 2, other)],
        [Program(module(120), 3, other), Program(module(140), 4, ops)], view)
    assert answer["changes"] == [] and answer["graph"] == []


@VIEWS
def test_programs_of_which_only_names_are_known(compared, view):
    ops = [Op("dot.1", "", "", 900), Op("add.3", "", "", 5)]
    head = [Op("add.4", "", "", 6), Op("dot.1", "", "", 900)]
    answer = compared([Program("jit_f", 1, ops, False)],
                      [Program("jit_f", 2, head, False)], view,
                      "--select", "micros")
    assert times(answer) == {("jit_f/add.4", 0.005, 0.006)}


# ---- Several runs -------------------------------------------------------

def test_runs_of_one_side_align_by_the_same_keys(tmp_path):
    """The second run of the base numbers its programs in the other order."""
    train = Program("jit_f", 1, [dot("dot.1", 900), fusion("fusion.1", 80)])
    renamed = Program("jit_f", 7, [dot("dot.1", 900), fusion("fusion.4", 80)])
    other = Program("jit_f", 2, [dot("dot.1", 10), dot("dot.2", 10)])
    base = [trace(tmp_path / "a.xplane.pb", train, other),
            trace(tmp_path / "b.xplane.pb", other, renamed)]
    head = [trace(tmp_path / "c.xplane.pb", other, train)]
    done = program.run("diff", "--base", base[0], "--base", base[1], *head,
                       "--format", "json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["base"]["runs"] == 2
    assert answer["changes"] == [] and answer["rows_not_compared"] == 0


# ---- Numbers that say nothing -------------------------------------------


@VIEWS
def test_a_number_alone_does_not_align_instructions(compared, view):
    """Both shapes differ, so there are two choices for each."""
    base = [Op("mul.1", "multiply", "f/a", 12700, (64,)),
            Op("mul.2", "multiply", "f/a", 100, (32,)),
            Op("add.3", "add", "f/b", 5, (8,))]
    head = [Op("mul.2", "multiply", "f/a", 12600, (64, 2)),
            Op("mul.1", "multiply", "f/a", 90, (32, 2)),
            Op("add.3", "add", "f/b", 5, (8,))]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 2, head)],
                      view, "--select", "micros")
    assert {row[0] for row in found(answer) if row[1] == "micros"} == {
        "added", "removed"}


@VIEWS
def test_the_only_instruction_of_its_name_has_changed(compared, view):
    base = [Op("mul.1", "multiply", "f/a", 100, (64,)), dot("dot.1")]
    head = [Op("mul.7", "multiply", "f/a", 250, (64, 2)), dot("dot.1")]
    answer = compared([Program("jit_f", 1, base)], [Program("jit_f", 2, head)],
                      view, "--select", "micros")
    end = ("f/a/mul.7", "f/a/mul.1")
    assert found(answer) == {("changed", "shape", *end),
                             ("changed", "micros", *end)}
