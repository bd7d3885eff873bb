"""Views with float operations that formulas give, and with functions walked.

`tfprof flops` is held against the truth elsewhere; here the four views are
held against it.
"""

# labels: slow

import json

import pytest

import flops_truth
import messages
import program
from prompting import feed
from surroundings import PATIENCE

# With calls, loops, branches, and none of these.
MODELS = ["ConvNeXtTiny", "MobileNetV2", "cond", "k2_lstm", "lstm", "separable",
          "train_cnn_sgd", "train_lstm_rmsprop"]
VIEWS = ["scope", "graph", "op"]
PSEUDO = ("_Arg", "_Retval")  # nodes of functions that no view has


def view(which, path, *options):
    done = program.run(which, path, "--format=json", "-select", "float_ops",
                       "-max_depth", "100000", *options, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def total(which, path, *options):
    return view(which, path, *options)["total"]["float_ops"]


@pytest.mark.parametrize("name", MODELS)
def test_views_have_the_float_operations_of_tensorflow(name):
    truth = flops_truth.by_name("truth")[name]
    nested = flops_truth.by_name("nested").get(name)
    path = flops_truth.frozen(name)
    for which in VIEWS:
        assert total(which, path) == int(truth["total_float_ops"])
        assert total(which, path, "--formulas=none") == 0
        if nested:
            assert (total(which, path, "--functions=walk")
                    == int(nested["with_function_bodies"]))


@pytest.mark.parametrize("name", MODELS)
def test_views_have_the_complete_float_operations(name):
    path = flops_truth.frozen(name)
    for functions in ("--functions=walk", "--functions=none"):
        options = ("--formulas=full", functions)
        summary = flops_truth.ask_summary(path, *options, "--top=0")
        for which in VIEWS:
            assert total(which, path, *options) == summary["float_ops"] > 0
        types = {row["name"]: row["self"]["float_ops"]
                 for row in view("op", path, *options)["rows"]}
        for row in summary["by_type"]:
            if row["op"] in PSEUDO:
                continue
            assert types[row["op"]] == row["float_ops"]


@pytest.mark.parametrize("name", MODELS)
def test_a_walked_view_has_every_node_under_its_caller(name):
    path = flops_truth.frozen(name)
    rows = {row["name"]: row["self"]["float_ops"]
            for row in view("scope", path, "--functions=walk")["rows"]}
    listed = flops_truth.ask_list(path, "nodes", "--functions=walk",
                                  "--formulas=tensorflow")
    for row in listed:
        if row["op"] not in PSEUDO:
            assert row["node"] in rows
            if row["status"] != "cheaper":
                assert rows[row["node"]] == int(row["float_ops_tensorflow"])


def test_a_walk_holds_for_one_question_only():
    path = flops_truth.frozen("lstm")
    lines = ["scope -select float_ops -max_depth 20",
             "scope -select float_ops -max_depth 20 --functions walk",
             "graph -select float_ops -max_depth 20 --functions walk",
             "scope -select float_ops -max_depth 20 --batch 3 --functions walk",
             "scope -select float_ops -max_depth 20"]
    code, out, _ = feed("\n".join(lines).encode(), path)
    assert code == 0
    alone = [program.run(*line.split()[:1], path, *line.split()[1:]).stdout
             for line in lines]
    assert out == b"".join(alone)
    assert alone[0] == alone[4] != alone[1]


def test_counts_of_a_log_go_before_formulas(tmp_path):
    path = flops_truth.frozen("MobileNetV2")
    log = tmp_path / "log"
    node = "mobilenetv2_1.00_224_1/Conv1_1/convolution"
    log.write_bytes(messages.entry(node.encode(), float_ops=7))
    assert total("scope", path, f"--op_log_path={log}") == 7
    assert total("scope", path, f"--op_log_path={log}", "--formulas=full") == 7


def test_views_take_shapes_trips_and_formulas_of_the_user(tmp_path):
    path = flops_truth.frozen("dynbatch")
    name = next(row["tensor"] for row in flops_truth.ask_list(path, "tensors")
                if row["op"] == "Placeholder").removesuffix(":0")
    given = ("--shape", f"{name}=2x32x32x3")
    truth = flops_truth.by_name("truth")
    assert total("scope", path) == int(truth["dynbatch"]["total_float_ops"])
    known = flops_truth.ask_summary(path, *given, "--formulas=tensorflow")
    assert total("scope", path, *given) == known["float_ops"]
    assert known["float_ops"] > int(truth["dynbatch"]["total_float_ops"])
    formulas = tmp_path / "formulas.json"
    formulas.write_text('{"Relu": "1000000 * #y0"}')
    options = (*given, "--formulas=full", "--formula_file", formulas)
    summary = flops_truth.ask_summary(path, *options, "--functions=none")
    assert total("op", path, *options) == summary["float_ops"]
    assert summary["float_ops"] > known["float_ops"] + 1000000

    def refused(*words):
        done = program.run("scope", path, "-select", "float_ops", *words)
        assert done.returncode == 2, done.stderr
        return done.stderr.decode()
    assert "no-such-node" in refused("--shape", "no-such-node=1x2")
    assert "no-such-loop" in refused("--trips", "no-such-loop=3")
