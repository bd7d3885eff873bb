"""Parameters: the variables that a signature uses; of a frozen graph, an
estimate from its constants.
"""

import collections

import flops_models as models
import flops_truth
from flops_checks import check, check_count, names, results
from flops_models import FLOAT, RESOURCE, flops, summary
from messages import attribute, dims
from faults import field

params = results("params")
consts = results("consts")

# At least so many frozen graphs for which the estimate is what Keras counts.
ESTIMATED = 50


@names("params")
def test_variables_of_a_signature(name, params):
    check(params[name])


@names("consts")
def test_constants_of_a_graph(name, consts):
    check(consts[name])


def test_all_models_are_compared(params, consts):
    check_count(params, 47, 47 * 2)
    check_count(consts, 89, 89)


def test_the_estimate_is_what_keras_counts(consts, say):
    """For most frozen graphs; none has variables."""
    right = [name for name, found in consts.items()
             if found.notes["params as in Keras"]]
    assert len(right) >= ESTIMATED
    say(f"{len(right)} of {len(consts)} equal")


# Why the estimate is another number than Keras has.
NOT_ESTIMATED = {
    **dict.fromkeys((f"EfficientNetB{i}" for i in range(8)),
                    "7 numbers of Normalization, which no variable holds"),
    **dict.fromkeys(("tf1_cnn_train", "train_cnn_adamw", "train_cnn_sgd",
                     "train_encoder_adam", "train_lstm_rmsprop"),
                    "not frozen: the optimizer's variables count, too"),
}


def test_why_an_estimate_is_another(consts):
    assert NOT_ESTIMATED.keys() == {
        name for name, found in consts.items()
        if not found.notes["params as in Keras"]}
    for name in (f"EfficientNetB{i}" for i in range(8)):
        summary = flops_truth.ask_summary(flops_truth.frozen(name))
        assert summary["params"] + 7 == int(
            flops_truth.by_name("truth")[name]["params_total"])


def test_the_rule_is_said():
    """Variables are counted, constants are estimated from."""
    for path, rule, estimated in (
            (flops_truth.saved("lstm"), "signature_variables", False),
            (flops_truth.frozen("lstm"), "constants_read_as_variables", True),
            (flops_truth.frozen("tf1_cnn_train"), "all_variables", False)):
        summary = flops_truth.ask_summary(path)
        assert (summary["params_rule"], summary["params_estimated"]) == (
            rule, estimated)


def test_a_variable_counts_once(say):
    """Keras 3 stores each weight three times as VarHandleOp."""
    row = flops_truth.by_name("truth_savedmodel")["ResNet50"]
    ours = flops_truth.ask_list(flops_truth.saved("ResNet50"), "variables")
    assert len(ours) * 3 == int(row["var_handles"])
    assert len({line["name"] for line in ours}) == len(ours)
    say(f"{len(ours)} of {row['var_handles']} handles")


# SavedModels whose variables are others than those that Keras shows.
OTHER_VARIABLES = {
    "EfficientNetB0": "Normalization's are constants of the signature",
    **dict.fromkeys(("train_cnn_adamw", "train_cnn_sgd", "train_encoder_adam",
                     "train_lstm_rmsprop"), "the optimizer's, too"),
}


def weights(rows):
    """How many floating weights there are of a shape, trainable or not."""
    return collections.Counter(
        (row["shape"].replace(" ", ""), row["trainable"] in ("1", "true"))
        for row in rows if row["dtype"] == "float32")


def test_the_variables_are_those_of_keras(say):
    """Shape by shape, and which of them are trained."""
    names = set(flops_truth.tables("vars")) & set(
        flops_truth.by_name("truth_savedmodel"))
    others, count = set(), 0
    for name in sorted(names):
        row = flops_truth.by_name("truth_savedmodel")[name]
        want = weights(flops_truth.table(f"vars/{name}"))
        got = weights(flops_truth.ask_list(
            flops_truth.saved(name), "variables", "--signature",
            row["signature"]))
        if want == got:
            count += got.total()
        else:
            others.add(name)
    assert others == OTHER_VARIABLES.keys()
    assert len(names) == 42
    say(f"{count} variables of {len(names) - len(others)} SavedModels")
    assert count > 4000


def test_trainable_as_in_keras():
    """The sums of what Keras trains, of all models that it made."""
    checked = 0
    for name, row in flops_truth.by_name("truth").items():
        if name not in flops_truth.by_name("truth_savedmodel") or (
                row["kind"] not in ("app", "keras")):
            continue
        summary = flops_truth.ask_summary(flops_truth.saved(name))
        assert summary["trainable_params"] == int(row["params_trainable"])
        checked += 1
    assert checked == 38


# ---- Variables that a function's graph has captured ---------------------------

def listed(*sizes):
    return attribute(b"_output_shapes", field(1, field(7, dims(*sizes))))


def captured(shapes=False, table=b"ReadVariableOp"):
    """The graph of a concrete function: weights are placeholders. One is read
    in a function that is called; a constant is an initial state."""
    takes = [(b"x", FLOAT), (b"bias", RESOURCE)]
    body = models.function(b"body", takes, [
        models.read(b"read", b"bias") + (listed(3) if shapes else b""),
        models.typed(b"add", b"BiasAdd", b"x", b"read:value:0"),
    ], [(b"y", FLOAT, b"add:output:0")])
    return models.graph([
        models.placeholder(b"x", (1, 7)),
        models.placeholder(b"kernel", (), RESOURCE),
        models.placeholder(b"bias", (), RESOURCE),
        models.placeholder(b"other", (), RESOURCE),
        models.constant(b"state", (1, 7)),
        models.typed(b"sum", b"AddV2", b"x", b"state"),
        models.node(b"dense/read", table, b"kernel",
                    attrs=models.type_attr(b"dtype", FLOAT))
        + (listed(7, 3) if shapes else b""),
        models.typed(b"dense/MatMul", b"MatMul", b"sum", b"dense/read"),
        models.node(b"find", b"LookupTableFindV2", b"other", b"x", b"x"),
        models.call(b"call", b"body", b"dense/MatMul", b"bias",
                    takes=(FLOAT, RESOURCE)),
    ], [body])


def test_captured_variables_are_not_estimated(tmp_path):
    """The sizes of variables that are inputs are not in the graph; constants
    do not stand for them."""
    path = tmp_path / "graph.pb"
    for table in (b"ReadVariableOp", b"ResourceGather", b"ResourceGatherNd"):
        path.write_bytes(captured(table=table))
        for options in ((), ("--formulas", "tensorflow"),
                        ("--formulas", "none")):
            text = flops(path, *options)[0]
            # Of a call that is not gone into nobody knows what it reads.
            assert ("parameters   unknown: 2 variables are inputs of the "
                    "graph\n             give the SavedModel or a frozen "
                    "graph\nFLOPs") in text
            found = summary(path, *options)
            assert (found["params"], found["trainable_params"],
                    found["bytes"]) == (None, None, None)
            assert (found["params_rule"], found["params_estimated"]) == (
                "captured_variables", False)
            assert found["variables"]["unknown_shapes"] == 2
            assert flops(path, *options, "--format", "csv")[0].startswith(
                "metric,value\nparams,\nbytes,\nfloat_ops,")
    rows = flops(path, "--list", "variables", "--format", "csv")[0]
    assert rows.splitlines()[1:] == ['"kernel",float32,"?",,,unknown',
                                     '"bias",float32,"?",,,unknown']


def test_captured_variables_of_known_shapes_count(tmp_path):
    """As with as_graph_def(add_shapes=True), or what the user says."""
    path = tmp_path / "graph.pb"
    path.write_bytes(captured(shapes=True))
    assert ("parameters   24\n             2 variables that are inputs of the "
            "graph, 96 bytes of float32\n") in flops(path)[0]
    found = summary(path)
    assert (found["params"], found["trainable_params"]) == (24, None)
    assert {row["layer"]: row["params"] for row in found["layers"]
            if row["params"]} == {"dense": 21, "call": 3}
    path.write_bytes(captured())
    assert summary(path, "--shape", "dense/read=7x3,read=3")["params"] == 24


def test_a_table_is_no_variable(tmp_path):
    """A frozen graph may be fed with handles, too."""
    path = tmp_path / "graph.pb"
    path.write_bytes(models.graph([
        models.placeholder(b"table", (), RESOURCE),
        models.placeholder(b"x", (4,)),
        models.node(b"find", b"LookupTableFindV2", b"table", b"x", b"x"),
        models.constant(b"weights", (4,)),
        models.typed(b"add", b"AddV2", b"x", b"weights")]))
    assert summary(path)["params"] == 4
