"""Models built on the spot, saved, and counted by tfprof and by TensorFlow's
own profiler: equal.
"""

import json
import subprocess
import sys

import pytest

import flops_truth
import program
from files import needs_tensorflow

pytestmark = needs_tensorflow

TENSORFLOW = ("--formulas", "tensorflow", "--functions", "none")


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The folder of the models, and what TensorFlow says of each."""
    folder = tmp_path_factory.mktemp("models")
    script = program.SOURCE_DIR / "tests" / "cli" / "flops_judge.py"
    done = subprocess.run([sys.executable, script, folder],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder, json.loads(done.stdout.splitlines()[-1])


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
