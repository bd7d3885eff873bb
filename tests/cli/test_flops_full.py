"""`--formulas full` counts what the complete formulas say."""

import pytest

import flops_compare
import flops_truth
import tf_messages
from files import needs_tensorflow
from flops_checks import check, names, results

proposed = results("proposed")


@names("proposed")
def test_in_all_and_by_type(name, proposed):
    check(proposed[name])


def test_how_much(proposed, say):
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
def test_what_is_counted_beyond(name, proposed):
    assert proposed[name].surplus == SURPLUS.get(name, {})
