"""Fleets of random noise, as tables in memory: who is named in them?

A fleet is a matrix of compute times by worker and step, with unknown values
where a worker did not run a step, and the same for input waits. The rows are
those of three operations, which share the compute time.
"""

import contextlib

import duckdb
import numpy
import pyarrow

import tfprof.fleet

STEPS = 20
EQUAL = 0.005            # the largest spread of clean workers
SHARES = (0.5, 0.3, 0.2)  # of the operations
BASE = 2e6               # compute time in nanoseconds


def normal(rng, shape):
    return 1 + 0.02 * rng.standard_normal(shape)


def log_normal(rng, shape):
    return numpy.exp(0.1 * rng.standard_normal(shape))


def student(rng, shape):
    """Heavy tails."""
    return numpy.maximum(0.1, 1 + 0.05 * rng.standard_t(3, shape))


def heavy(rng, shape):
    return numpy.exp(1.0 * rng.standard_normal(shape))


def stalls(rng, shape):
    """Each step of any worker stalls with a probability of 1 %."""
    return normal(rng, shape) * numpy.where(rng.random(shape) < 0.01, 10, 1)


class Noise:
    """compute, input: times by worker and step, NaN if the step did not run.
    kinds: the name of the operations of each worker."""

    def __init__(self, rng, noise=normal, workers=300, steps=STEPS):
        shape = (workers, steps)
        equal = 1 + EQUAL / 2 * rng.uniform(-1, 1, (workers, 1))
        self.rng = rng
        self.compute = BASE * equal * noise(rng, shape)
        self.input = BASE / 10 * noise(rng, shape)

    def elastic(self):
        """A tenth of the workers join at the middle, when all steps become
        heavier."""
        workers, steps = self.compute.shape
        self.compute[:, steps // 2:] *= 1.5
        late = self.rng.choice(workers, workers // 10, replace=False)
        self.compute[late, :steps // 2] = numpy.nan
        return self

    def kinds(self, share=0.5, factor=1.5):
        """Some of the workers run slower devices."""
        others = self.rng.random(len(self.compute)) < share
        self.compute[others] *= factor
        return self

    def slow(self, worker, factor=1.1):
        self.compute[worker] *= factor
        return self

    def tables(self):
        """By name. A worker is w0, w1, ..."""
        places, steps = numpy.nonzero(~numpy.isnan(self.compute))
        compute = numpy.rint(self.compute[places, steps]).astype(numpy.int64)
        parts = [numpy.rint(compute * share).astype(numpy.int64)
                 for share in SHARES[:-1]]
        parts.append(compute - sum(parts))
        found = {"steps": table(places, {
            "step": steps, "wall_ns": 2 * compute, "device_ns": compute,
            "busy_ns": compute, "compute_ns": compute,
            "collective_ns": compute // 2,
            "input_wait_ns": self.input[places, steps].astype(numpy.int64)})}
        rows, counts = [], numpy.bincount(places)
        for at, values in enumerate(parts):
            total = numpy.bincount(places, values).astype(numpy.int64)
            squares = values.astype(float) ** 2
            rows.append({
                "row": at + 1, "view": "op", "name": f"Op{at}",
                "op_type": f"Op{at}", "device": "gpu:0", "program": "",
                "depth": 1, "kind": "compute", "count": counts, "sum": total,
                "self_sum": total, "runs": counts,
                "squares_hi": numpy.bincount(places, squares // 2 ** 32)
                .astype(numpy.int64),
                "squares_lo": numpy.bincount(places, squares % 2 ** 32)
                .astype(numpy.int64)})
        everybody = numpy.arange(len(counts))
        found["rows"] = pyarrow.concat_tables(
            [table(everybody, row) for row in rows])
        found["header"] = table(everybody, {
            "schema": 2, "graph": "", "problems": "", "steps": counts,
            "first_step": 0, "last_step": 0, "rows": len(SHARES),
            "damaged": 0, "inputs": 1})
        return found

    @contextlib.contextmanager
    def opened(self, change=None, **how):
        connection = duckdb.connect()
        tables = self.tables()
        if change:
            change(tables)
        for name, data in tables.items():
            connection.register(name, data)
        with tfprof.fleet.open(None, connection, **how) as fleet:
            yield fleet

    def named(self, change=None, min_steps=1, **how):
        """The numbers of the named workers."""
        with self.opened(change, min_steps=min_steps) as fleet:
            found = fleet.stragglers(top=1000, **how)
        return sorted(int(row["worker"][1:]) for row in found if row["named"])


def table(places, columns):
    """Labels, and columns that are one value or a value for each row."""
    count = len(places)
    found = {"job": ["j"] * count,
             "worker": [f"w{at}" for at in places.tolist()]}
    for key, value in columns.items():
        found[key] = (value if isinstance(value, numpy.ndarray)
                      else [value] * count)
    return pyarrow.table(found)


CLEAN = {  # a fleet without slow workers
    "normal": Noise,
    "log-normal": lambda rng: Noise(rng, log_normal),
    "elastic": lambda rng: Noise(rng).elastic()}
