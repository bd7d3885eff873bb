"""Functions that call themselves or nobody, and loops without an end: each
answer comes soon, and says what it leaves out.
"""

import json
import time

import pytest

import program
from messages import notes
from surroundings import PATIENCE

MOST_SECONDS = 60  # of one or two, on a slow machine under a sanitizer


def attr(key, value):
    return f'attr {{ key: "{key}" value {{ {value} }} }}'


def named(name):
    return f'func {{ name: "{name}" }}'


def node(name, op, *inputs, **attrs):
    lines = [f'name: "{name}" op: "{op}"',
             *(f'input: "{one}"' for one in inputs),
             *(attr(key, value) for key, value in attrs.items())]
    return "{ " + " ".join(lines) + " }"


FLOAT, INT = "type: DT_FLOAT", "type: DT_INT32"


def a_list(item, count=1):
    return "list { " + " ".join([item] * count) + " }"


def call(name, function, source, op="PartitionedCall"):
    return node(name, op, source, f=named(function), Tin=a_list(FLOAT),
                Tout=a_list(FLOAT))


def function(name, nodes, result, args=1, kind=FLOAT):
    """Of `args` arguments x0, x1, ...; `result` is "node:port:0", or several
    of these."""
    results = [result] if isinstance(result, str) else result
    given = "".join(f' input_arg {{ name: "x{i}" {kind} }}'
                    for i in range(args))
    taken = "".join(f' output_arg {{ name: "r{i}" {kind} }}'
                    for i in range(len(results)))
    ends = "".join(f' ret {{ key: "r{i}" value: "{one}" }}'
                   for i, one in enumerate(results))
    inside = "".join(f" node_def {one}" for one in nodes)
    return (f'function {{ signature {{ name: "{name}"{given}{taken} }}'
            f"{inside}{ends} }}\n")


def number(value):
    return (f"tensor {{ dtype: DT_INT32 tensor_shape {{ }} int_val: {value} "
            "}")


def constant(name, value):
    return node(name, "Const", dtype=INT, value=number(value))


X = node("x", "Placeholder", dtype=FLOAT,
         shape="shape { dim { size: 3 } dim { size: 4 } }")


def graph(tmp_path, nodes, functions=()):
    path = tmp_path / "g.pbtxt"
    path.write_text("".join(f"node {one}\n" for one in nodes)
                    + "library {\n" + "".join(functions) + "}\n")
    return path


def ask(path, *options):
    began = time.monotonic()
    done = program.run("flops", path, "--format", "json", *options,
                       timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < MOST_SECONDS
    return json.loads(done.stdout)


def reasons(answer):
    return {(row["node"], row["why"]) for row in answer["uncounted"]}


# ---- Calls -------------------------------------------------------------------

@pytest.mark.parametrize("functions", ["walk", "none"])
def test_GR_09_a_function_that_calls_itself(functions, tmp_path):
    path = graph(tmp_path, [X, call("c", "f", "x")], [
        function("f", [call("again", "f", "x0"),
                       node("y", "Relu", "again:output:0", T=FLOAT)],
                 "y:activations:0")])
    answer = ask(path, "--functions", functions)
    if functions == "walk":
        assert reasons(answer) >= {("c/again", "recursive_function")}


def test_GR_09_functions_that_call_each_other(tmp_path):
    path = graph(tmp_path, [X, call("c", "f0", "x")], [
        function(f"f{i}", [call("on", f"f{(i + 1) % 3}", "x0")],
                 "on:output:0") for i in range(3)])
    assert reasons(ask(path)) == {("c/on/on/on", "recursive_function")}


@pytest.mark.parametrize("op", ["PartitionedCall", "StatefulPartitionedCall",
                                "RemoteCall", "TPUPartitionedCall"])
def test_GR_09_a_function_without_a_body(op, tmp_path):
    path = graph(tmp_path, [X, call("c", "nowhere", "x", op)])
    assert reasons(ask(path)) == {("c", "missing_function")}


def test_GR_09_a_call_by_name_of_a_function_that_calls_itself(tmp_path):
    path = graph(tmp_path, [X, node("c", "f", "x")], [
        function("f", [node("again", "f", "x0")], "again:r0:0")])
    assert reasons(ask(path)) == {("c/again", "recursive_function")}


def test_GR_09_too_many_calls_inside_each_other(tmp_path):
    path = graph(tmp_path, [X, call("c", "f0", "x")], [
        *(function(f"f{i}", [call("on", f"f{i + 1}", "x0")], "on:output:0")
          for i in range(100)),
        function("f100", [node("y", "Relu", "x0", T=FLOAT)],
                 "y:activations:0")])
    assert reasons(ask(path)) == {("c" + 63 * "/on" + "/on", "too_deep")}


@pytest.mark.parametrize("functions", ["walk", "none"])
def test_GR_09_calls_that_double_at_every_level(functions, tmp_path):
    path = graph(tmp_path, [X, call("c", "f0", "x")], [
        *(function(f"f{i}", [call("a", f"f{i + 1}", "x0"),
                             call("b", f"f{i + 1}", "a:output:0")],
                   "b:output:0") for i in range(60)),
        function("f60", [node("y", "Relu", "x0", T=FLOAT)],
                 "y:activations:0")])
    answer = ask(path, "--functions", functions)
    if functions == "walk":
        assert {reason for _, reason in reasons(answer)} == {"too_many_nodes"}


def test_a_gradient_is_not_what_its_function_does(tmp_path):
    path = graph(tmp_path, [X, node(
        "g", "SymbolicGradient", "x", "x", f=named("f"), Tin=a_list(FLOAT, 2),
        Tout=a_list(FLOAT))], [
            function("f", [node("y", "Relu", "x0", T=FLOAT)],
                     "y:activations:0")])
    answer = ask(path)
    assert reasons(answer) == {("g", "gradient_of_function")}
    assert answer["float_ops"] == 0


# ---- Branches and loops ------------------------------------------------------

def choice(name, then, other):
    return node(name, "If", "p", "x", Tcond="type: DT_BOOL",
                Tin=a_list(FLOAT), Tout=a_list(FLOAT),
                then_branch=named(then), else_branch=named(other))


def test_GR_09_a_branch_that_takes_itself(tmp_path):
    inner = choice("again", "f", "nowhere").replace(
        'input: "p" input: "x"', 'input: "x0" input: "x0"')
    path = graph(tmp_path, [
        X, node("p", "Placeholder", dtype="type: DT_BOOL"),
        choice("c", "f", "f")], [function("f", [inner], "again:output:0")])
    assert {reason for _, reason in reasons(ask(path))} <= {
        "recursive_function", "missing_function"}


def loop(name, cond, body, *inputs):
    return node(name, "While", *inputs, T=a_list(INT, len(inputs)),
                cond=named(cond), body=named(body))


BELOW = [node("c", "Less", "x0", "x1", T=INT)]
STEP = [constant("one", 1), node("n", "AddV2", "x0", "one:output:0", T=INT)]


def counting(*, start=0, to=10, below=BELOW, step=STEP):
    return ([constant("i", start), constant("to", to),
             loop("w", "cond", "body", "i", "to")],
            [function("cond", below, "c:z:0", 2, INT),
             function("body", step, ["n:z:0", "x1"], 2, INT)])


def trips(answer):
    return [(one["node"], one["trips"], one["rule"]) for one in answer["loops"]]


def test_a_loop_that_counts_far(tmp_path):
    answer = ask(graph(tmp_path, *counting(to=2000000000)))
    assert trips(answer) == [("w", 2000000000, "evaluated")]
    assert answer["int_ops"] == 2 * 2000000000 + 1


def test_trips_that_are_given_in_vain(tmp_path):
    """A note says what counts instead."""
    def said(path, *options):
        done = program.run("flops", path, *options)
        assert done.returncode == 0
        return notes(done.stderr)

    path = graph(tmp_path, *counting())
    assert said(path, "--trips", "w=10") == []
    assert said(path, "--trips", "w=11,to=3") == [
        "--trips has no effect for w: the iteration count 10 is known from "
        "the graph",
        "--trips has no effect: no counted loop has the name to"]
    endless = [constant("one", 0),
               node("n", "AddV2", "x0", "one:output:0", T=INT)]
    assert said(graph(tmp_path, *counting(step=endless)), "--trips",
                "w=11") == []


@pytest.mark.parametrize("start, to", [(5, 5), (6, 5), (2**31 - 1, -2**31)])
def test_a_loop_that_never_goes_around(start, to, tmp_path):
    answer = ask(graph(tmp_path, *counting(start=start, to=to)))
    assert trips(answer) == [("w", 0, "evaluated")]


@pytest.mark.parametrize("step", [
    [constant("one", 0), node("n", "AddV2", "x0", "one:output:0", T=INT)],
    [constant("one", 1), node("n", "Sub", "x0", "one:output:0", T=INT)],
    [node("n", "Minimum", "x0", "x1", T=INT)],
], ids=["stays", "goes_away", "same"])
def test_a_loop_without_an_end(step, tmp_path):
    answer = ask(graph(tmp_path, *counting(step=step)))
    assert trips(answer) == [("w", 1, "assumed")]


def test_a_loop_that_takes_too_long_to_try_out(tmp_path):
    step = [node("m", "Mul", "x0", "x0", T=INT), constant("one", 1),
            node("d", "FloorMod", "m:z:0", "one:output:0", T=INT),
            node("e", "AddV2", "d:z:0", "x0", T=INT),
            node("n", "AddV2", "e:z:0", "one:output:0", T=INT)]
    answer = ask(graph(tmp_path, *counting(to=1000000000, step=step)))
    assert trips(answer) == [("w", 1, "assumed")]
    answer = ask(graph(tmp_path, *counting(to=1000, step=step)))
    assert trips(answer) == [("w", 1000, "evaluated")]


def test_GR_09_a_loop_whose_body_is_itself(tmp_path):
    path = graph(tmp_path, [constant("i", 0), constant("to", 3),
                            loop("w", "cond", "body", "i", "to")],
                 [function("cond", BELOW, "c:z:0", 2, INT),
                  function("body", [loop("w", "body", "body", "x0", "x1")],
                           ["w:output:0", "w:output:1"], 2, INT)])
    assert {reason for _, reason in reasons(ask(path))} == {
        "recursive_function"}


def test_GR_09_loops_inside_each_other_that_change_shapes(tmp_path):
    """Every one is walked several times, and with it all that are inside."""
    depth = 40
    functions = [function("cond", BELOW, "c:z:0", 2, INT)]
    for i in range(depth):
        inside = ([loop("w", "cond", f"body{i + 1}", "x0", "x1")]
                  if i + 1 < depth else
                  [node("w", "IdentityN", "x0", "x1", T=a_list(INT, 2))])
        functions.append(function(
            f"body{i}", [*inside, constant("axis", 0), node(
                "e", "ExpandDims", "w:output:0", "axis:output:0", T=INT)],
            ["e:output:0", "w:output:1"], 2, INT))
    path = graph(tmp_path, [constant("i", 0), constant("to", 3),
                            loop("w", "cond", "body0", "i", "to")], functions)
    ask(path)


# ---- Loops of TF1 ------------------------------------------------------------

def test_GR_09_frames_that_lead_into_each_other(tmp_path):
    """No graph that runs has a frame inside itself, or ends without any."""
    nodes = [X]
    last = "x"
    for i in range(200):
        nodes.append(node(f"e{i}", "Enter", last, T=FLOAT,
                          frame_name=f's: "f{i % 3}"'))
        nodes.append(node(f"m{i}", "Merge", f"e{i}", f"n{i}", T=FLOAT,
                          N="i: 2"))
        nodes.append(node(f"n{i}", "NextIteration", f"m{i}", T=FLOAT))
        last = f"m{i}"
    nodes += [node("out", "Exit", "x", T=FLOAT),
              node("c", "LoopCond", last),
              node("s", "Switch", last, "c", T=FLOAT)]
    ask(graph(tmp_path, nodes))


def test_a_tf1_loop_that_comes_back_as_something_else(tmp_path):
    nodes = [X, constant("axis", 0),
             node("e", "Enter", "x", T=FLOAT, frame_name='s: "f"'),
             node("m", "Merge", "e", "n", T=FLOAT, N="i: 2"),
             node("d", "ExpandDims", "m", "axis", T=FLOAT),
             node("n", "NextIteration", "d", T=FLOAT),
             node("r", "Relu", "m", T=FLOAT)]
    done = program.run("flops", graph(tmp_path, nodes), "--list", "tensors",
                       "--format", "csv")
    assert b'"r:0","Relu","?",unknown,"?"' in done.stdout
