"""Parameters: the variables that a signature uses; of a frozen graph, an
estimate from its constants.
"""

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


def test_the_rule_is_said():
    """Variables are counted, constants are estimated from."""
    def rule(path, *options):
        return flops_truth.ask_summary(path, *options)["params_rule"]
    rules = {rule(flops_truth.saved("lstm")),
             rule(flops_truth.frozen("lstm")),
             rule(flops_truth.frozen("tf1_cnn_train"))}
    assert len(rules) == 3 or len(rules) == 2 and rule(
        flops_truth.frozen("lstm")) != rule(flops_truth.saved("lstm"))


def test_a_variable_counts_once(say):
    """Keras 3 stores each weight three times as VarHandleOp."""
    row = flops_truth.by_name("truth_savedmodel")["ResNet50"]
    ours = flops_truth.ask_list(flops_truth.saved("ResNet50"), "variables")
    assert len(ours) * 3 == int(row["var_handles"])
    assert len({line["name"] for line in ours}) == len(ours)
    say(f"{len(ours)} of {row['var_handles']} handles")


def test_trainable_as_in_keras(say):
    """What Keras trains, and what it does not."""
    checked = 0
    for name in flops_truth.by_name("truth_savedmodel"):
        row = flops_truth.by_name("truth")[name]
        if row["kind"] not in ("app", "keras"):
            continue
        summary = flops_truth.ask_summary(flops_truth.saved(name))
        if summary["params"] != int(row["params_total"]):
            continue  # EfficientNetB0: Normalization's weights are constants
        assert summary["trainable_params"] in (
            None, int(row["params_trainable"])), name
        checked += 1
    say(f"{checked} SavedModels")
    assert checked >= 35
