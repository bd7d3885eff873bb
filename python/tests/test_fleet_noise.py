"""Who is named in fleets of random noise: nobody without a reason.

CI uses a tenth of the fleets. With TFPROF_SLOW=1, there are 100 clean ones and
50 with a slow worker.
"""

from __future__ import annotations

import os
from typing import Any, Callable

import fleet_noise
import numpy
import pytest
from fleet_noise import CLEAN, Noise

SLOW = bool(os.environ.get("TFPROF_SLOW"))
KINDS = tuple(CLEAN.values())


def rng(seed: int) -> Any:
    return numpy.random.default_rng([39, seed])


# ---- Many fleets ------------------------------------------------------------

def test_clean_fleets_name_nobody(say: Callable[[str], None]) -> None:
    fleets = 100 if SLOW else 10
    wrong = sum(bool(KINDS[at % 3](rng(at)).named()) for at in range(fleets))
    say(f"{wrong} of {fleets} clean fleets name somebody")
    assert wrong <= fleets // 50


def test_a_worker_that_is_10_percent_slower_is_named(
        say: Callable[[str], None]) -> None:
    fleets = 50 if SLOW else 10
    right = sum(Noise(rng(at)).slow(at).named() == [at]
                for at in range(fleets))
    say(f"{right} of {fleets} fleets name the slow worker, and nobody else")
    assert right >= 0.9 * fleets


@pytest.mark.parametrize("case, make", [
    ("heavy tails", lambda r: Noise(r, fleet_noise.student)),
    ("heavy tails, 2 steps", lambda r: Noise(r, fleet_noise.student, steps=2)),
    ("one step", lambda r: Noise(r, fleet_noise.student, steps=1)),
    ("rare stalls of all workers", lambda r: Noise(r, fleet_noise.stalls)),
    ("8 workers", lambda r: Noise(r, fleet_noise.log_normal, 8)),
    ("half of the workers run another device", lambda r: Noise(r).kinds()),
    ("a third do", lambda r: Noise(r).kinds(1 / 3)),
    ("a fifth do", lambda r: Noise(r).kinds(1 / 5))])
def test_other_noise_names_nobody(case: str, make: Any) -> None:
    for seed in range(20 if SLOW else 2):
        assert not make(rng(seed)).named(), (case, seed)


# ---- One fleet --------------------------------------------------------------

def test_two_of_300_with_5_steps_are_named() -> None:
    fleet = Noise(rng(1), steps=5).slow(137, 1.8).slow(205, 1.8)
    assert fleet.named() == [137, 205]


def test_a_worker_that_stalls_in_some_steps_is_named() -> None:
    """The stall does not hide itself in its own standard error."""
    fleet = Noise(rng(2), workers=60, steps=200)
    fleet.compute[7, ::20] *= 30
    assert fleet.named() == [7]


def test_a_single_stall_does_not_name_a_worker() -> None:
    fleet = Noise(rng(3), workers=60)
    fleet.compute[7, 4] *= 30
    assert fleet.named() == []


def test_late_workers_are_compared_in_their_own_steps() -> None:
    """Their steps are heavier or lighter for all workers."""
    for factor in (3, 0.3):
        fleet = Noise(rng(4), workers=60)
        fleet.compute[:, 10:] *= factor
        fleet.compute[:3, :10] = numpy.nan
        assert fleet.named() == []
        assert fleet.slow(30, 1.25).named() == [30]
        assert fleet.slow(1, 1.25).named() == [1, 30]


def test_slow_input_is_a_verdict_of_its_own() -> None:
    fleet = Noise(rng(5), workers=60)
    fleet.input[7] *= 10
    fleet.slow(9, 1.5)
    fleet.input[9] *= 10
    fleet.slow(11, 1.5)
    with fleet.opened() as opened:
        found = opened.stragglers()
    assert {row["worker"]: row["verdict"] for row in found if row["named"]} == {
        "w7": "input", "w9": "straggler, input", "w11": "straggler"}
    assert found.remarks[:2] == ("2 stragglers", "2 workers with slow input")
    waits = {row["worker"]: row["waiting_ns"] for row in found}
    assert waits["w7"] == pytest.approx(fleet.input[7].mean(), abs=1)
    without = found.sections["without"][0]
    pace = numpy.nanmean(fleet.compute + fleet.input, axis=1)
    slowest = numpy.sort(pace)
    assert without["named"] == 3
    assert without["slowest_ns"] == pytest.approx(slowest[-1], rel=0.01)
    assert without["without_ns"] == pytest.approx(slowest[-4], rel=0.01)


def test_thresholds_can_be_set() -> None:
    fleet = Noise(rng(6), workers=60).slow(7, 1.1).slow(9, 1.3)
    assert fleet.named() == [7, 9]
    assert fleet.named(excess=0.2) == [9]
    assert fleet.named(z=40) == [9]
    assert fleet.named(excess=0.5) == []


def test_a_group_of_slower_workers_is_not_named() -> None:
    """More than a tenth of the workers are another kind of worker."""
    fleet = Noise(rng(7), workers=40)
    for worker in range(4):
        fleet.slow(worker, 1.5)
    assert fleet.named() == list(range(4))
    with fleet.slow(10, 1.5).opened() as opened:
        found = opened.stragglers(top=40)
    assert not any(row["named"] for row in found)
    assert any("5 of 40" in remark for remark in found.remarks)


# ---- Tables of earlier versions ---------------------------------------------

def without_times(tables: Any) -> None:
    tables["steps"] = tables["steps"].drop_columns(
        ["compute_ns", "collective_ns"])


def test_tables_without_compute_times_are_not_judged() -> None:
    fleet = Noise(rng(8), workers=20).slow(7, 2)
    with fleet.opened(without_times) as opened:
        found = opened.stragglers()
    assert not any(row["named"] for row in found)
    assert any(remark.endswith("of the same steps: 20 workers")
               for remark in found.remarks)
