"""Random graphs: the shapes that tfprof infers are those of TensorFlow.

Graphs are drawn at random (random_graphs.py), fifty to a file. Each file
is imported into TensorFlow as it would be by anyone, and every tensor must
have the same shape in column shape_tensorflow. What tfprof knows beyond must
agree with it and with the shape that the tensor has when the graph runs. The
float operations of each node are held against TensorFlow's own registry.

TFPROF_RANDOM_GRAPHS sets how many graphs, TFPROF_SLOW=1 takes 20,000, and
TFPROF_TEST_SEED draws others. When a file differs, graphs are drawn one by
one, and hypothesis makes the first small that differs.
"""

# labels: tf, long

import collections
import functools
import os
import random

import hypothesis
import pytest
from hypothesis import strategies as st

import random_judge
import tf_messages
from faults import SLOW

pytestmark = pytest.mark.recorded

GRAPHS = int(os.environ.get("TFPROF_RANDOM_GRAPHS") or (20000 if SLOW else 700))
IN_A_FILE = 50
SEED = os.environ.get("TFPROF_TEST_SEED", "")


class Sums:
    """Over all files."""

    def __init__(self):
        self.graphs = self.draws = self.beyond = self.infeasible = 0
        self.tensors = collections.Counter()
        self.counted = collections.Counter()
        self.differences = []  # (file, tensor, words)

    def add(self, number, truth, verdict):
        self.graphs += truth["graphs"]
        self.draws += truth["draws"]
        self.infeasible += truth["infeasible"]
        self.tensors.update(verdict.types)
        self.counted.update(verdict.nodes)
        self.beyond += verdict.beyond
        self.differences += [(number, *row) for row in verdict.differences]


def has_shapes(number):
    return number % 10 == 9


def judge_file(number, sums):
    name, count = f"graphs {number} {SEED}", min(IN_A_FILE, GRAPHS)

    def ask(random_truth):
        numbers = random.Random(name)
        batch = random_truth.Batch()
        for _ in range(count):
            batch.draw(random.Random(numbers.getrandbits(64)).randrange)
        return batch.known(has_shapes(number))

    truth = random_judge.answer({"seed": name, "graphs": count}, ask)
    sums.add(number, truth, random_judge.Verdict(truth))


def smallest(number):
    """A graph alone that differs, made small by hypothesis: its text, or None
    when there is none among as many as a file has."""
    import random_truth
    seen = []

    @hypothesis.seed(number)
    @hypothesis.settings(
        max_examples=IN_A_FILE, deadline=None, database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(st.randoms(use_true_random=False))
    def judge_alone(numbers):
        batch = random_truth.Batch()
        batch.draw(numbers.randrange)
        truth = batch.known(has_shapes(number))
        found = random_judge.Verdict(truth).differences
        if found:
            seen.append((found, str(batch.graph_def)))
        assert not found
    try:
        judge_alone()
    except AssertionError:
        pass
    if not seen:
        return None
    found, text = min(seen, key=lambda pair: len(pair[1]))
    return "\n".join(words for _, words in found) + "\n" + text


@functools.cache
def judged():
    sums = Sums()
    number = 0
    while sums.graphs < GRAPHS:
        judge_file(number, sums)
        number += 1
    return sums


def report(sums):
    """The first differences, and the first of them alone and small."""
    by_type = collections.Counter(words.split()[0]
                                  for _, _, words in sums.differences)
    lines = [f"{len(sums.differences)} differences, by op: "
             f"{dict(by_type.most_common())}",
             *(f"file {number}: {words}"
               for number, _, words in sums.differences[:40])]
    alone = tf_messages.HAVE and smallest(sums.differences[0][0])
    if alone:
        lines.append(f"the smallest graph that differs:\n{alone}")
    return "\n".join(lines)


def test_shapes_and_counts_are_those_of_tensorflow(say):
    sums = judged()
    say(f"{sums.graphs} graphs, {sums.draws} ops drawn and "
        f"{sums.infeasible} infeasible, "
        f"{sum(sums.tensors.values())} tensors of {len(sums.tensors)} op "
        f"types, {sums.beyond} known beyond TensorFlow, float operations of "
        f"{sum(sums.counted.values())} nodes of {len(sums.counted)} op types")
    if sums.differences:
        pytest.fail(report(sums), pytrace=False)


WRONG = {
    "shape_tensorflow": lambda row: row | {"shape_tensorflow": "[4,4]"},
    "less": lambda row: row | {"shape": "?"},
    "contradicts": lambda row: row | {"shape": "[2,9]", "grade": "beyond"},
    "grade": lambda row: row | {"grade": "beyond"},
    "count": lambda row: row | {"float_ops_tensorflow": "7"},
    "status": lambda row: row | {"status_tensorflow": "none"},
    "missing": lambda row: row | {"tensor": "x", "node": "x"},
}


@pytest.mark.parametrize("wrong", [None, *WRONG])
def test_a_wrong_answer_is_found(wrong, monkeypatch):
    table = random_judge.table
    truth = random_judge.answer(
        {"graph": "of two"}, lambda random_truth: random_truth.graph_of_two())

    def altered(*args):
        return [WRONG[wrong](row) if wrong and row["op"] == "Neg" else row
                for row in table(*args)]
    monkeypatch.setattr(random_judge, "table", altered)
    verdict = random_judge.Verdict(truth)
    assert bool(verdict.differences) == bool(wrong), verdict.differences


def test_enough_was_compared():
    sums = judged()
    assert sums.graphs >= GRAPHS
    assert sums.infeasible < sums.draws / 20
    if GRAPHS >= 700:
        assert len(sums.tensors) >= 200
        assert len(sums.counted) >= 35
        assert sums.beyond > 0
