"""Parameters: the variables that a signature uses; of a frozen graph, an
estimate from its constants.
"""

import collections

import flops_truth
from flops_checks import check, check_count, names, results

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


def test_how_many(params, consts):
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
