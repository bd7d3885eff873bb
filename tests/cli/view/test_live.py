"""The four views print what TensorFlow's own tfprof prints, live.

Questions are drawn at random from what the models have: their
types, names, devices, lines of code and sizes. The wheel answers each (see
judge.py), `tfprof -formulas none` answers it too, and the texts are compared.
Where tfprof decides otherwise on purpose, the wheel's answer is first turned
into what was decided, as little of it as possible; how often that happened,
stands in the summary.

TFPROF_LIVE_DRAWS sets the number of questions, TFPROF_SLOW=1 takes 10,000,
and TFPROF_TEST_SEED draws others.
"""

# labels: tf, long

import collections
import concurrent.futures
import os
import queue
import time

import pytest

import judge
from faults import SLOW
from files import needs_shared, needs_tensorflow
from live_compare import KINDS, SHOWN, Tally, take
from live_draws import FOLDER, VIEWS, draws

pytestmark = [pytest.mark.recorded, needs_shared, needs_tensorflow]

DRAWS = int(os.environ.get("TFPROF_LIVE_DRAWS") or (10000 if SLOW else 120))


def _work(groups, tally):
    """Takes groups of draws about the same inputs, until none is left."""
    with judge.Judge("live") as upstream:
        while True:
            try:
                group = groups.get_nowait()
            except queue.Empty:
                return
            with upstream.opened(group[0].inputs.for_the_judge()):
                for draw in group:
                    take(upstream, draw, tally)


def test_random_questions_have_the_answers_of_the_wheel(say):
    start = time.monotonic()
    drawn = [draw for view in VIEWS
             for draw in draws(view, -(-DRAWS // len(VIEWS)))]
    by_inputs = collections.defaultdict(list)
    for draw in drawn:
        by_inputs[id(draw.inputs)].append(draw)
    groups = queue.Queue()
    for group in sorted(by_inputs.values(), key=len, reverse=True):
        groups.put(group)

    tally = Tally()
    # Half a gigabyte each, and the seconds of an import.
    workers = min(2 if DRAWS > 1000 else 1, os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for work in [pool.submit(_work, groups, tally) for _ in range(workers)]:
            work.result()

    for line in tally.lines(time.monotonic() - start):
        say(line)
    if tally.differing:
        title = f"{tally.differing} differences; in {FOLDER}:"
        pytest.fail("\n\n".join([title, *tally.shown.values()]))
    if tally.failed:
        pytest.fail("\n\n".join(tally.failed[:SHOWN]))
    assert set(tally.views.values()) == {-(-DRAWS // len(VIEWS))}
    if DRAWS >= 120:  # fewer say nothing about shares
        assert all(tally.share(kind) >= 0.05 for kind in KINDS)
        assert sum(tally.filled.values()) >= 0.8 * tally.total
