"""Branches, loops, calls and what keeps tensors, held against TensorFlow: its
import for what it knows itself, a run of the same graph for what we know
beyond, and for how often loops go around.
"""

# labels: tf

import pytest

import flops_truth
import program
import recorded

pytestmark = pytest.mark.recorded

RECORD = recorded.record("shape_control", "tensorflow-cpu")

LOOPS = ["counting", "two_bounds", "no_counter", "one_after_the_other",
         "nested", "growing", "changing_places", "unknown_bound", "arrays",
         "gradients"]
TWICE = [f"{name}_{version}" for name in [*LOOPS, "branches"]
         for version in ("v1", "v2")]
ALONE = ["values_across", "calls", "calls_not_looked_into",
         "variables_in_calls", "lists", "stores"]
RUN = [*TWICE, "calls", "variables_in_calls"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The folder of the graphs, and what TensorFlow says of each."""
    folder = tmp_path_factory.mktemp("graphs")
    script = program.SOURCE_DIR / "tests" / "lib" / "control_judge.py"
    return folder, RECORD.made(
        {"made by": recorded.digest_of_files(script)}, folder,
        lambda: recorded.ask_script(script.name, folder))


def words(shape):
    """A shape as tfprof writes it."""
    if shape is None:
        return "?"
    return "[" + ",".join("?" if dim is None else str(dim)
                          for dim in shape) + "]"


def agrees(text, shape):
    """Does what is known of a shape hold for one that was made?"""
    if text == "?":
        return True
    dims = text[1:-1].split(",") if text != "[]" else []
    return len(dims) == len(shape) and all(
        dim in ("?", str(size)) for dim, size in zip(dims, shape))


def made(answer):
    """(tensor, shapes) of the top graph. Functions that run on their own have
    names that may be the same as in the top graph; and of handles TensorFlow
    itself says what they are not."""
    for tensor, shapes in answer["ran"].items():
        known = answer["shapes"].get(tensor, ())
        if known != () and all(agrees(words(known), shape) for shape in shapes):
            yield tensor, shapes


def tensors(path, *options):
    return {row["tensor"]: row for row in flops_truth.ask_list(
        path, "tensors", *options)}


def test_every_graph_is_looked_at(judged):
    assert sorted(judged[1]) == sorted([*TWICE, *ALONE])


@pytest.mark.parametrize("functions", ["walk", "none"])
@pytest.mark.parametrize("name", [*TWICE, *ALONE])
def test_what_tensorflow_knows(name, functions, judged, say):
    folder, answers = judged
    ours = tensors(folder / f"{name}.pb", "--functions", functions)
    want = {tensor: words(shape)
            for tensor, shape in answers[name]["shapes"].items()}
    assert {tensor: ours[tensor]["shape_tensorflow"] for tensor in want} == want
    say(f"{len(want)} tensors")


@pytest.mark.parametrize("name", RUN)
def test_what_is_known_beyond_holds_when_it_runs(name, judged, say):
    folder, answers = judged
    ours = tensors(folder / f"{name}.pb")
    checked = beyond = 0
    for tensor, shapes in made(answers[name]):
        checked += 1
        beyond += ours[tensor]["grade"] == "beyond"
        for shape in shapes:
            assert agrees(ours[tensor]["shape"], shape), (tensor, shapes)
    assert checked > 0
    say(f"{checked} tensors, {beyond} of them known beyond")


# ---- Trips -------------------------------------------------------------------

def loops(path, *options):
    """{name: (trips, rule)}; a loop of TF1 by the scope of its LoopCond."""
    found = {}
    for loop in flops_truth.ask_summary(path, *options)["loops"]:
        name = loop["node"].partition("/LoopCond")[0]
        found[name] = (loop["trips"], loop["rule"])
    return found


EVALUATED = [name for name in TWICE if not name.startswith(
    ("unknown", "branches", "nested", "gradients", "arrays"))]


@pytest.mark.parametrize("name", EVALUATED)
def test_trips_are_evaluated(name, judged, say):
    folder, answers = judged
    ours, want = loops(folder / f"{name}.pb"), answers[name]["trips"]
    assert want
    assert {loop: trips for loop, (trips, _) in ours.items()} == want
    assert {rule for _, rule in ours.values()} == {"evaluated"}
    say(", ".join(f"{loop} {trips}" for loop, trips in want.items()))


@pytest.mark.parametrize("version, inner", [
    ("v1", "outer/inner"), ("v2", "outer/body/inner")])
def test_trips_of_loops_inside_each_other(version, inner, judged):
    ours = loops(judged[0] / f"nested_{version}.pb")
    assert ours == {"outer": (3, "evaluated"), inner: (4, "evaluated")}


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_gradients_of_a_loop_run_as_often(version, judged):
    ours = loops(judged[0] / f"gradients_{version}.pb")
    assert ours["forward"] == (5, "evaluated")
    assert list(ours.values()) == 2 * [(5, "evaluated")]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_trips_over_the_rows_of_a_tensor(version, judged):
    ours = loops(judged[0] / f"arrays_{version}.pb")
    assert sorted(ours.values()) == [(5, "evaluated")] + 2 * [(6, "evaluated")]


@pytest.mark.parametrize("name", [f"{name}_v1" for name in LOOPS
                                  if name != "unknown_bound"])
def test_nodes_of_tf1_loops_run_as_often_as_we_say(name, judged, say):
    folder, answers = judged
    want, checked = answers[name]["times"], 0
    for row in flops_truth.ask_list(folder / f"{name}.pb", "nodes"):
        if row["node"] in want and row["op"] != "ControlTrigger":
            assert int(row["times"]) == want[row["node"]], row["node"]
            checked += 1
    assert checked > 10
    say(f"{checked} nodes")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_trips_that_nobody_knows(version, judged):
    graph = judged[0] / f"unknown_bound_{version}.pb"
    record = judged[0] / f"unknown_bound_{version}.run"
    assert loops(graph) == {"open": (1, "assumed")}
    assert loops(graph, "--trips", "open=12") == {"open": (12, "given")}
    assert loops(graph, record) == {"open": (7, "recorded")}
    assert b"is counted once (--trips NAME=N)" in program.run(
        "flops", str(graph)).stdout


@pytest.mark.parametrize("version, name", [
    ("v1", "outer"), ("v2", "outer"), ("v1", "outer/inner"),
    ("v2", "inner"), ("v2", "outer/body/inner")])
def test_trips_are_only_asked_for_where_they_are_not_known(
        version, name, judged):
    graph = judged[0] / f"nested_{version}.pb"
    assert loops(graph, "--trips", f"{name}=100") == loops(graph)


# ---- Run records -------------------------------------------------------------

@pytest.mark.parametrize("name", RUN)
def test_float_ops_with_a_record_are_those_of_the_profiler(name, judged, say):
    folder, answers = judged
    rows = flops_truth.ask_list(folder / f"{name}.pb", "nodes",
                                folder / f"{name}.run", "--formulas",
                                "tensorflow", "--functions", "none")
    # The profiler multiplies by how often the record says that a node ran.
    ours = {row["node"]: int(row["float_ops_tensorflow"]) *
            answers[name]["times"].get(row["node"], 1) for row in rows
            if int(row["float_ops_tensorflow"])}
    assert ours == answers[name]["float_ops"]
    say(f"{len(ours)} nodes")


@pytest.mark.parametrize("name", RUN)
def test_shapes_of_a_record_are_known_and_go_on(name, judged):
    folder, answers = judged
    ours = tensors(folder / f"{name}.pb", folder / f"{name}.run")
    for tensor, shapes in made(answers[name]):
        if len(shapes) == 1:
            assert ours[tensor]["shape"] == words(shapes[0]), tensor
        for shape in shapes:
            assert agrees(ours[tensor]["shape"], shape), tensor


def test_what_was_fed_is_known(judged):
    folder = judged[0]
    ours = tensors(folder / "unknown_bound_v1.pb",
                   folder / "unknown_bound_v1.run")
    assert ours["x:0"]["shape"] == "[3,4]"
    assert ours["x:0"]["shape_tensorflow"] == "[?,4]"
