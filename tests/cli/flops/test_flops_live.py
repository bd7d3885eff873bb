"""Models built on the spot, saved, and counted by tfprof and by TensorFlow's
own profiler: equal. And graphs that TensorFlow runs: what it makes has the
shapes that tfprof said, those known beyond TensorFlow's own inference too.
"""

# labels: tf

import pathlib
import re

import pytest

import flops_compare
import flops_truth
import program
import recorded

pytestmark = pytest.mark.recorded

JUDGE = program.SOURCE_DIR / "tests" / "lib" / "flops_judge.py"
TENSORFLOW = ("--formulas", "tensorflow", "--functions", "none")


RECORD = recorded.record("flops_live", "tensorflow-cpu", "keras")


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The folder of the models, and what TensorFlow says of each."""
    folder = tmp_path_factory.mktemp("models")
    return folder, RECORD.made(
        {"made by": recorded.digest_of_files(JUDGE)}, folder,
        lambda: recorded.ask_script(JUDGE.name, "save", folder))


def run(paths):
    """The shapes of what TensorFlow makes when it runs each graph."""
    def ask(numbers):
        asked = [paths[i] for i in numbers]
        told = recorded.ask_script(JUDGE.name, "run", *asked)
        return [told[str(path)] for path in asked]

    return dict(zip(paths, RECORD.answers(
        [{"run": recorded.digest(path.read_bytes())} for path in paths],
        ask)))


@pytest.mark.parametrize("name", ["cnn", "attention"])
def test_a_keras_model(name, judged, say):
    folder, answers = judged
    want = answers[name]
    summary = flops_truth.ask_summary(folder / name, "--batch", "1",
                                      *TENSORFLOW)
    assert want["total"] > 0
    assert summary["float_ops"] == want["total"]
    assert summary["float_ops_tensorflow"] == want["total"]
    assert summary["params"] == want["params"]
    assert summary["trainable_params"] == want["trainable"]
    say(f"{want['total']} float operations, {want['params']} parameters")


def test_a_graph_of_a_session_node_by_node(judged, say):
    folder, answers = judged
    want = answers["session"]
    rows = flops_truth.ask_list(folder / "session.pb", "nodes", *TENSORFLOW)
    ours = {row["node"]: int(row["float_ops_tensorflow"]) for row in rows
            if int(row["float_ops_tensorflow"])}
    assert len(want["nodes"]) > 20
    assert ours == want["nodes"]
    assert sum(ours.values()) == want["total"]
    say(f"{len(ours)} nodes, {want['total']} float operations")


# ---- What is run -------------------------------------------------------------

# Why some are not run: what they are given must not be drawn.
NOT_RUN = {
    "embedding_bag": "needs a table",
    "text_vectorization": "needs a table",
    "ragged_bag": "needs rows that fit together",
}


# Op types whose kernels make other shapes than TensorFlow infers: two outputs
# that are not used are scalars, not empty; the sequence of rows that was drawn
# has one entry more than rows.
OTHERWISE = {"FusedBatchNormGradV3", "FractionalMaxPool"}


def plain(name):
    """A node that a call was replaced by: the name it has in the body."""
    return re.sub(r"/(body|cond|then|else)/_\d+/", r"/\1/", name)


def test_what_is_run_has_the_shapes_that_were_found(say):
    names = [name for name in flops_truth.shape_tables() if name not in NOT_RUN]
    seen = run([pathlib.Path(flops_truth.frozen(name)) for name in names])
    assert len(seen) == len(names) == 59
    tensors = beyond = bodies = 0
    wrong = []
    for path, shapes in seen.items():
        rows = {row["tensor"]: row for row in flops_truth.ask_list(
            path, "tensors", "--functions", "walk")}
        for name, found in shapes.items():
            row = rows.get(plain(name))
            if row is None or row["op"] in OTHERWISE:
                continue
            tensors += 1
            bodies += plain(name) != name
            beyond += row["grade"] == "beyond"
            known = flops_compare.read_shape(row["shape"])
            wrong += [f"{path} {name}: {row['shape']}, not {shape}"
                      for shape in found
                      if not flops_compare.compatible(known, shape)]
    assert not wrong, "\n".join(wrong[:20])
    say(f"{tensors} tensors of {len(seen)} graphs, {bodies} of them in bodies, "
        f"{beyond} known beyond TensorFlow")
    assert tensors > 30000 and beyond > 100 and bodies > 100
