"""`--formulas full` counts what the complete formulas say."""

# labels: tf

import pytest

import flops_compare
import flops_truth
import tf_messages
from files import needs_tensorflow
from flops_checks import check, names, results

proposed = results("proposed")


@names("proposed")
def test_totals_and_types_match_the_full_formulas(name, proposed):
    check(proposed[name])


def test_every_model_compares_all_its_types(proposed, say):
    assert len(proposed) == 81
    for name, found in proposed.items():
        # Float and integer operations of each type, and in all.
        assert found.checked >= 2 + 2 * len(
            flops_truth.table(f"proposed_by_type/{name}"))
    say(f"{sum(found.checked for found in proposed.values())} figures of 81 "
        "models")


@needs_tensorflow
def test_what_was_corrected_computes_with_floats():
    """The graphs say so: T is DT_FLOAT."""
    found = set()
    for name in ("legacy_ops", "v1_train_ops"):
        graph = tf_messages.message_class("GraphDef")()
        graph.ParseFromString(flops_truth.frozen(name).read_bytes())
        for node in graph.node:
            if node.op in flops_compare.CORRECTED:
                assert node.attr["T"].type == 1
                found.add(node.op)
    assert found == flops_compare.CORRECTED.keys()


# ---- What TensorFlow's shapes leave open -------------------------------------

def dense(rows, inputs, outputs):
    """A matrix times a matrix."""
    return 2 * rows * inputs * outputs


def lstm_step(rows, inputs, units):
    """One step of an LSTM and of its gradient, by op type. Of the four gates
    three are sigmoids, and one of each pair of factors is known already."""
    state, gates = rows * units, rows * 4 * units
    return {
        # Forward; then, for each factor, its gradient.
        "MatMul": 3 * dense(rows, inputs + units, 4 * units),
        "AddV2": gates,
        "BiasAdd": gates,
        "BiasAddGrad": gates - 4 * units,
        "Sigmoid": 3 * 4 * state,
        "SigmoidGrad": 3 * 3 * state,
        "Tanh": state,
        "TanhGrad": 2 * 3 * state,
        "Mul": 7 * state,
    }


# Behind an If, where the batch is lost, or in a loop that reads variables and
# tensor lists: what is known in full there, counted by hand.
CLASSES, HIDDEN = 10, 256
SURPLUS = {
    "tf1_cnn.batch1": {
        "MatMul": dense(1, HIDDEN, CLASSES),
        "BiasAdd": CLASSES,
        "Softmax": 5 * CLASSES,
    },
    "tf1_cnn_train": {
        "MatMul": 2 * dense(16, HIDDEN, CLASSES),
        "BiasAdd": 16 * CLASSES,
        "Softmax": 5 * 16 * CLASSES,
        "SparseSoftmaxCrossEntropyWithLogits": 6 * 16 * CLASSES,
    },
    "train_lstm_rmsprop": {op: 12 * count for op, count in
                           lstm_step(4, 8, 16).items()},
    "misc_ops": {"TopKV2": 8 * 8 * 8 * 4},
}


@pytest.mark.parametrize("name", flops_truth.by_name("proposed"))
def test_only_listed_operations_exceed_the_reference(name, proposed):
    assert proposed[name].surplus == SURPLUS.get(name, {})


# ---- SavedModels -------------------------------------------------------------

# Why a SavedModel at batch 1 does other work than the same network frozen.
_TRAINED = "gradients that nothing needs are dead; loops know more"
_COUNTERS = "freezing folded the integers that sizes are made of"
OTHER_WORK = {
    "MobileNetV3Small": "height and width stay open",
    "gru_nolimit": "the number of steps stays open",
    "ConvNeXtTiny": _COUNTERS,
    "transformer": _COUNTERS,
    "transformer_decoder": _COUNTERS,
    "vit": _COUNTERS,
    "train_cnn_adamw": _TRAINED,
    "train_cnn_sgd": _TRAINED,
    "train_encoder_adam": _TRAINED,
    "train_lstm_rmsprop": _TRAINED,
    "v1_train_ops": "the gradient of the labels is dead",
    "embedding_bag": "stored shapes say what inference does not",
    "ragged_bag": "one row, and stored shapes",
    "wide_deep": "stored shapes say what inference does not",
    "legacy_ops": "types that compute with floats",
    "misc_ops": "TopKV2's k is known",
}


def test_saved_and_frozen_are_the_same_work(say):
    others = set()
    rows = flops_truth.by_name("truth_savedmodel")
    for name, row in rows.items():
        want = flops_truth.by_name("proposed")[
            name if name != "dynbatch" else "dynbatch.batch1"]
        got = flops_truth.ask_summary(
            flops_truth.saved(name), "--batch", "1", "--formulas", "full",
            "--signature", row["signature"])
        if (got["float_ops"], got["int_ops"]) != (
                int(want["proposed_float_ops"]),
                int(want["proposed_int_ops"])):
            others.add(name)
    assert others == OTHER_WORK.keys()
    say(f"{len(rows) - len(others)} of {len(rows)} SavedModels")
