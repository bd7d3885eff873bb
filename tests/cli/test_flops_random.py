"""Random graphs: the shapes that tfprof infers are those of TensorFlow.

Graphs are drawn by hypothesis (random_graphs.py), fifty to a file. Each file
is imported into TensorFlow as it would be by anyone, and every tensor must
have the same shape in column shape_tensorflow. What tfprof knows beyond must
agree with it and with the shape that the tensor has when the graph runs. The
float operations of each node are held against TensorFlow's own registry.

TFPROF_RANDOM_GRAPHS sets how many graphs, TFPROF_SLOW=1 takes 20,000, and
TFPROF_TEST_SEED draws others. A file that differs is drawn again, graph by
graph, and hypothesis makes the graph small that is shown.
"""

import collections
import functools
import os
import zlib

import hypothesis
import pytest
from hypothesis import strategies as st

from faults import SLOW
from files import needs_tensorflow

pytestmark = needs_tensorflow

GRAPHS = int(os.environ.get("TFPROF_RANDOM_GRAPHS")
             or (20000 if SLOW else 700))
IN_A_FILE = 50
SEED = os.environ.get("TFPROF_TEST_SEED", "")

def each_graph(number, count, take):
    """take(choose) for each graph of the file of that number."""
    @hypothesis.seed(zlib.crc32(f"graphs {number} {SEED}".encode()))
    @hypothesis.settings(
        max_examples=count, deadline=None, database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(st.randoms(use_true_random=False))
    def draw(numbers):
        take(numbers.randrange)
    draw()


class Sums:
    """Over all files."""

    def __init__(self):
        self.graphs = self.draws = self.beyond = self.bytes = 0
        self.infeasible = collections.Counter()
        self.tensors = collections.Counter()
        self.counted = collections.Counter()
        self.differences = []  # (file, tensor, words)

    def add(self, number, batch, verdict):
        self.graphs += len(batch.drawers)
        for drawer in batch.drawers:
            self.draws += len(drawer.made)
            self.infeasible.update(name for name, _ in drawer.infeasible)
        self.tensors.update(verdict.types)
        self.counted.update(verdict.nodes)
        self.beyond += verdict.beyond
        self.differences += [(number, *row) for row in verdict.differences]


def has_shapes(number):
    return number % 10 == 9


def judge_file(number, sums):
    import random_judge
    batch = random_judge.Batch()
    each_graph(number, min(IN_A_FILE, GRAPHS), batch.draw)
    sums.add(number, batch, batch.judge(has_shapes(number)))


def smallest(number):
    """The graph of that file that differs, made small: its text, or None when
    no graph differs that stands alone."""
    import random_judge
    seen = []

    def judge_alone(choose):
        batch = random_judge.Batch()
        batch.draw(choose)
        found = batch.judge(has_shapes(number)).differences
        if found:
            seen.append((found, str(batch.graph_def)))
        assert not found
    try:
        each_graph(number, IN_A_FILE, judge_alone)
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
    alone = smallest(sums.differences[0][0])
    if alone:
        lines.append(f"the smallest such graph of file "
                     f"{sums.differences[0][0]} (seed {SEED!r}):\n{alone}")
    return "\n".join(lines)


def test_shapes_and_counts_are_those_of_tensorflow(say):
    sums = judged()
    say(f"{sums.graphs} graphs, {sums.draws} ops drawn and "
        f"{sum(sums.infeasible.values())} infeasible, "
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
    import random_judge
    from random_graphs import F32, raw, tf, v1
    table = random_judge.table
    with tf.Graph().as_default() as graph:
        known = v1.placeholder(F32, [2, 3])
        partly = v1.placeholder(F32, [2, None])
        raw.Neg(x=known, name="known")
        raw.Neg(x=partly, name="partly")  # when it runs, [2,3]

    def altered(*args):
        return [WRONG[wrong](row) if wrong and row["op"] == "Neg" else row
                for row in table(*args)]
    monkeypatch.setattr(random_judge, "table", altered)
    verdict = random_judge.Verdict(graph.as_graph_def(), {"partly:0": [2, 3]})
    assert bool(verdict.differences) == bool(wrong), verdict.differences


def test_enough_was_compared():
    sums = judged()
    assert sums.graphs >= GRAPHS
    assert sum(sums.infeasible.values()) < sums.draws / 20
    if GRAPHS >= 700:
        assert len(sums.tensors) >= 200
        assert len(sums.counted) >= 35
        assert sums.beyond > 0
