"""Sums of many workers are exact: six figures of each worker equal those of the
generator of the traces. The workers train synchronously: the all-reduce of a
step ends when the slowest worker arrives.

CI uses 40 workers. With TFPROF_SLOW=1, there are 500.
"""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
from typing import Any

import duckdb
import fleets
import numpy
import pytest
from trace_build import Plane, space

import tfprof.fleet

WORKERS = 500 if os.environ.get("TFPROF_SLOW") else 40
STEPS, KERNELS, DOTS = 20, 54, 18
NS = 1000  # picoseconds
# Worker 3 computes 15 % longer, dot of worker 7 takes 30 % longer, and the
# input of worker 11 takes 10 times as long.


def drawn() -> tuple[Any, Any]:
    """Times of kernels (worker, step, kernel) and of input in nanoseconds.
    The first kernels are those of dot."""
    rng = numpy.random.default_rng(39)
    kernels = rng.normal(50_000, 1_000, (WORKERS, STEPS, KERNELS - 1))
    waits = rng.normal(200_000, 4_000, (WORKERS, STEPS))
    kernels[3] *= 1.15
    kernels[7, :, :DOTS] *= 1.3
    waits[11] *= 10
    return kernels.astype(int), waits.astype(int)


def trace(kernels: Any, waits: Any, arrivals: Any) -> tuple[bytes, Any]:
    """The trace of a worker, and its six figures. arrivals: when the slowest
    worker arrives, from the start of the step."""
    gpu, host = Plane("/device:GPU:0"), Plane("/host:CPU")
    on_gpu, on_host, start, collective, wall = [], [], 1000, 0, 0
    for step in range(STEPS):
        wait, at = int(waits[step]), start + int(waits[step])
        for number, length in enumerate(kernels[step].tolist()):
            kind = "dot" if number < DOTS else "fusion"
            on_gpu.append(gpu.event(
                f"{kind}_{number}", at * NS, length * NS,
                tf_op=f"layer_{number}/{kind}:{kind}"))
            at += length
        end = start + int(arrivals[step]) + 10_000
        on_gpu.append(gpu.event("ncclDevKernel_AllReduce", at * NS,
                                (end - at) * NS,
                                tf_op="sync/reduce:NcclAllReduce"))
        on_host += [
            host.event("train", start * NS, (end - start) * NS, step_num=step,
                       _r=1),
            host.event("IteratorGetNextOp::DoCompute", start * NS, wait * NS)]
        collective += end - at
        wall += end - start
        start = end + 20_000
    gpu.line(1, "Stream #1(Compute)", *on_gpu)
    host.line(1, "python", *on_host)
    return space(gpu, host), (
        int(kernels.sum()), collective, int(kernels[:, :DOTS].sum()), wall,
        int(waits.sum()), STEPS)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory
         ) -> tuple[pathlib.Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("sums")
    kernels, waits = drawn()
    arrivals = (kernels.sum(axis=2) + waits).max(axis=0)

    def make(number: int) -> tuple[str, Any]:
        data, figures = trace(kernels[number], waits[number], arrivals)
        path = folder / f"{number}.xplane.pb"
        path.write_bytes(data)
        fleets.aggregate([path], folder / "fleet" / f"w{number}",
                         f"job=j,worker=w{number}")
        path.unlink()
        return f"w{number}", figures
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return folder / "fleet", dict(pool.map(make, range(WORKERS)))


FIGURES = """
SELECT s.worker, any_value(r.compute), any_value(r.collective),
       any_value(r.dot), sum(wall_ns), sum(input_wait_ns), count(*),
       sum(compute_ns), sum(collective_ns)
FROM '{0}/*/steps.parquet' s JOIN (
    SELECT worker, sum(self_sum) FILTER (kind = 'compute') AS compute,
           sum(self_sum) FILTER (kind = 'collective') AS collective,
           sum(self_sum) FILTER (name = 'dot') AS dot
    FROM '{0}/*/rows.parquet' WHERE view = 'op' GROUP BY worker) r
    ON s.worker = r.worker
GROUP BY s.worker"""


def test_six_figures_of_each_worker_are_exact(
        made: tuple[pathlib.Path, dict[str, Any]]) -> None:
    folder, figures = made
    with duckdb.connect() as connection:
        rows = connection.sql(FIGURES.format(folder)).fetchall()
    found = {row[0]: tuple(map(int, row[1:])) for row in rows}
    assert found == {worker: (*six, six[0], six[1])
                     for worker, six in figures.items()}
    assert len(found) == WORKERS


def test_the_planted_workers_are_named(
        made: tuple[pathlib.Path, dict[str, Any]]) -> None:
    with tfprof.fleet.open(made[0]) as fleet:
        found = fleet.stragglers()
    assert {row["worker"]: row["verdict"] for row in found if row["named"]} == {
        "w3": "straggler", "w7": "straggler", "w11": "input"}
    assert {row["worker"] for row in found.sections["operations"]
            if row["name"] == "dot"} == {"w3", "w7"}
    waits = {row["worker"]: row["waiting_ns"] for row in found}
    assert waits["w11"] == made[1]["w11"][4] / STEPS
