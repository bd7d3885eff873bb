"""Fleets for tests and measurements: tables of many workers.

The real `tfprof aggregate` writes the tables of RUNS generated runs of a small
model. worker() varies these tables: it draws a value for each step and row, and
folds the values as the program does. So counts, sums, squares and histograms
belong to the same values.
"""

import hashlib
import math
import os
import pathlib
import subprocess

import messages
import numpy
import pyarrow
import pyarrow.parquet
from trace_build import Plane, space
from wirebytes import field

RUNS = 20
GAMMA = 1.01 / 0.99
TEXTS = ("job", "worker", "view", "name", "op_type", "device", "program",
         "kind", "graph", "tfprof", "producer", "machine", "problems")
TABLES = ("rows", "histogram", "steps", "header")
SLOW_OP = "Conv2D"  # the operation that the planted straggler runs slower
SLOW_SHARE = 0.1    # its share of the compute time
SLOW_FACTOR = 1.3
CPU = messages.CPU.decode()


# ---- The model --------------------------------------------------------------

def nodes(layers):
    """(name, operation, microseconds, line) of each node. Conv2D takes a
    tenth of the compute time; a layer has 6 nodes in 2 scopes."""
    kinds = ("MatMul", "BiasAdd", "Relu", "Mul", "AddV2", "Sub")
    found = []
    for layer in range(layers):
        for place in range(6):
            # 5 types that all layers have, and 12 that a few layers have
            op = kinds[place] if place < 5 else f"Custom{layer % 12}"
            found.append((f"tower/layer_{layer}/part_{place // 3}/{op}", op,
                          200 + 37 * ((layer * 7 + place * 11) % 13),
                          10 + layer))
    found.append(("input/IteratorGetNext", "IteratorGetNext", 3000, 3))
    found.append(("sync/CollectiveReduce", "CollectiveReduce", 5000, 4))
    rest = sum(micros for _, op, micros, _ in found if op.startswith(
        ("MatMul", "BiasAdd", "Relu", "Mul", "AddV2", "Custom")))
    found.append((f"tower/stem/{SLOW_OP}", SLOW_OP,
                  round(rest * SLOW_SHARE / (1 - SLOW_SHARE)), 7))
    return found


def graph_bytes(layers, device=messages.CPU):
    return b"".join(messages.node_def(name.encode(), op.encode(),
                                      device=device)
                    for name, op, _, _ in nodes(layers))


def run_bytes(layers, rng, device=messages.CPU):
    """One step: each node with noise of 8 %."""
    start, records = messages.NOON, b""
    for name, _, micros, _ in nodes(layers):
        took = max(1, round(micros * (1 + 0.08 * rng.standard_normal())))
        records += messages.record(name.encode(), start=start, end=took)
        start += took
    return messages.run_of((device, records))


def log_bytes(layers):
    entries = b"".join(
        messages.entry(name.encode(), frames=messages.frame(1, line))
        for name, _, _, line in nodes(layers))
    return entries + messages.strings(messages.CODE)


def program():
    return os.environ["TFPROF"]


def aggregate(inputs, out, labels, *options):
    """The tables that the program writes for these inputs."""
    done = subprocess.run(
        [program(), "aggregate", *map(str, inputs), "--label", labels,
         "--output", f"parquet:outfile={out}", *options],
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return pathlib.Path(out)


def real_runs(folder, runs=RUNS, steps=3, layers=30, seed=1):
    """The tables that the program writes for `runs` generated runs."""
    rng = numpy.random.default_rng(seed)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "graph.pb").write_bytes(graph_bytes(layers))
    (folder / "op_log").write_bytes(log_bytes(layers))
    made = []
    for run in range(runs):
        inputs = [folder / "graph.pb", folder / "op_log"]
        for step in range(steps):
            inputs.append(folder / f"run_{run}_{step}")
            inputs[-1].write_bytes(run_bytes(layers, rng))
        made.append(aggregate(inputs, folder / f"tables_{run}",
                              f"job=base,worker=w{run}"))
    return made


# ---- Traces of hosts --------------------------------------------------------

MS = 10 ** 9  # picoseconds
DEVICES = {"/device:gpu:0": 1, "/device:gpu:1": 2}  # and how slow they are


def host_trace(host, slow=1, steps=3):
    """A trace of two GPUs with five kernels. `slow` is a factor of kernel k4."""
    cpu = Plane("/host:CPU")
    planes = [cpu.line(1, "python", *(
        cpu.event(f"train {n}", n * MS, MS, _r=1, step_num=n)
        for n in range(steps)))]
    for device, factor in DEVICES.items():
        gpu = Plane(device.replace("gpu", "GPU"))
        planes.append(gpu.line(1, "Stream #1(Compute)", *(
            gpu.event(f"k{k}", n * MS + k * MS // 5,
                      factor * MS // 100 * (slow if k == 4 else 1),
                      tf_op=f"layer/k{k}:Kernel{k}")
            for n in range(steps) for k in range(5))))
    return space(*planes) + field(4, host.encode())


def host_fleet(folder, workers=8, slow=3):
    """The tables of workers that have different host names. Kernel k4 of
    worker `slow` takes 3 times as long."""
    folder = pathlib.Path(folder)
    for number in range(workers):
        path = folder / "traces" / f"{number}.xplane.pb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(host_trace(f"host-{number}.example",
                                    3 if number == slow else 1))
        aggregate([path], folder / "tables" / f"w{number}",
                  f"job=j,worker=w{number}")
    return folder / "tables"


def make_older(folder):
    """Makes tables as the schema 1 had them."""
    folder = pathlib.Path(folder)
    rows = pyarrow.parquet.read_table(folder / "rows.parquet")
    pyarrow.parquet.write_table(rows.drop_columns(["program"]),
                                folder / "rows.parquet")
    header = pyarrow.parquet.read_table(folder / "header.parquet")
    at = header.schema.get_field_index("schema")
    pyarrow.parquet.write_table(
        header.set_column(at, header.schema.field(at), [[1]]),
        folder / "header.parquet")


SLOW_HOST = {"workers": 8, "named": ["w3"],
             "operations": [["Kernel4", "/device:gpu:0"],
                            ["Kernel4", "/device:gpu:1"]],
             "remark": "1 straggler"}


def slow_host(fleet):
    """The answer of stragglers() for host_fleet(): SLOW_HOST."""
    found = fleet.stragglers()
    rows = found.sections["operations"]
    return {"workers": found.fleet["workers"],
            "named": [row["worker"] for row in found if row["named"]],
            "operations": sorted([row["name"], row["device"]] for row in rows),
            "remark": found.remarks[0]}


# ---- Folding ----------------------------------------------------------------

def bucket_of(values):
    """The bucket of each value in nanoseconds."""
    logs = numpy.log(numpy.maximum(values, 1)) / math.log(GAMMA)
    return numpy.where(values < 1, -1, numpy.ceil(logs)).astype(numpy.int64)


def value_of(bucket):
    return 0.0 if bucket < 0 else 2 * GAMMA ** bucket / (GAMMA + 1)


def folded(values):
    """Columns of the table `rows` for an int64 matrix of steps and rows."""
    if values.max(initial=0) < 2 ** 31:  # squares fit into int64
        squares = values * values
        high, low = squares >> 32, squares & 0xffffffff
        high, low = high.sum(axis=0), low.sum(axis=0)
    else:
        squares = [[int(v) ** 2 for v in column] for column in values.T]
        high = numpy.array([sum(s >> 32 for s in c) for c in squares])
        low = numpy.array([sum(s & 0xffffffff for s in c) for c in squares])
    return {"count": numpy.full(values.shape[1], len(values)),
            "sum": values.sum(axis=0), "squares_hi": high, "squares_lo": low,
            "min": values.min(axis=0), "max": values.max(axis=0)}


def histogram(values, ids):
    """(row, bucket, count), sorted by row and bucket."""
    buckets = bucket_of(values)
    least, width = buckets.min(), buckets.max() - buckets.min() + 1
    order = numpy.argsort(ids)
    keys = (buckets[:, order] - least) + width * numpy.arange(len(ids))
    counts = numpy.bincount(keys.ravel(), minlength=width * len(ids))
    there = numpy.flatnonzero(counts)
    return (numpy.asarray(ids)[order][there // width], there % width + least,
            counts[there])


# ---- Varying ----------------------------------------------------------------

class Template:
    """The rows of a real run, which worker() varies."""

    def __init__(self, folder=None, rows=None, header=None):
        if folder is not None:
            read = pyarrow.parquet.read_table
            rows = read(pathlib.Path(folder) / "rows.parquet").to_pydict()
            header = read(pathlib.Path(folder) / "header.parquet").to_pylist()[0]
        self.header = header
        self.texts = {key: pyarrow.array(rows[key], pyarrow.string())
                      for key in TEXTS[2:8]}
        self.ids = numpy.array(rows["row"], numpy.int64)
        self.depth = numpy.array(rows["depth"], numpy.int64)
        self.sum = numpy.array(rows["sum"], numpy.int64)
        self.self_sum = numpy.array(rows["self_sum"], numpy.int64)
        self.mean = self.sum / numpy.array(rows["count"])
        self.own = self.self_sum / numpy.maximum(self.sum, 1)
        self.runs = numpy.array(rows["runs"]) / numpy.array(rows["count"])
        self.is_op = numpy.array([view == "op" for view in rows["view"]])
        self.is_kind = {kind: self.is_op & numpy.array(
            [of == kind for of in rows["kind"]])
            for kind in ("compute", "collective")}
        self.is_slow = numpy.array([op == SLOW_OP for op in rows["op_type"]])
        self.labels = [key for key in rows if key not in (
            "job", "worker") and key not in KNOWN]


def templates(folders):
    """A template for each real run. Runs of a few steps differ by more than
    workers should, so all templates get the mean of all runs."""
    found = [Template(folder) for folder in folders]
    for template in found:
        assert (template.ids == found[0].ids).all()
    mean = sum(template.mean for template in found) / len(found)
    for template in found:
        template.mean = mean
    return found


KNOWN = ("row", "view", "name", "op_type", "device", "program", "depth",
         "kind", "count", "sum", "self_sum", "squares_hi", "squares_lo", "min", "max", "runs")


def row_id(*words):
    """An id of 48 bits. The program uses another hash."""
    data = hashlib.sha256("\0".join(words).encode()).digest()
    return int.from_bytes(data[:6], "little")


def written_template(layers=30):
    """A template with the rows of the model, made without the program."""
    totals = {}
    for name, op, micros, line in nodes(layers):
        kind = {"IteratorGetNext": "wait",
                "CollectiveReduce": "collective"}.get(op, "compute")
        parts = name.split("/")
        keys = [("scope", "/".join(parts[:depth]), "", "", depth, kind)
                for depth in range(1, len(parts))]
        keys.append(("scope", name, op, CPU, len(parts), kind))
        keys.append(("op", op, op, CPU, 1, kind))
        keys.append(("code", f"model.py:{line}:build", "", "", 1, kind))
        for key in keys:
            total = totals.setdefault(key, [0, 0])
            total[0] += micros * 1000
            total[1] += 0 if key[0] == "scope" and not key[2] else micros * 1000
    rows = {key: [] for key in KNOWN}
    for (view, name, op, device, depth, kind), (total, own) in totals.items():
        for key, value in (
                ("row", row_id(view, kind, name, op, device)), ("view", view),
                ("name", name), ("op_type", op), ("device", device),
                ("program", ""), ("depth", depth), ("kind", kind), ("count", 1),
                ("sum", total), ("self_sum", own), ("runs", 1)):
            rows[key].append(value)
    header = {"schema": 2, "graph": "00000000000000a1", "tfprof": "0.9.0",
              "producer": "tensorflow", "machine": "host", "dropped": 0,
              "inputs": 3, "damaged": 0, "problems": ""}
    return Template(rows=rows, header=header)


def drawn(template, rng, steps, factor, slow=1.0, per_step=0.08):
    """A matrix of steps and rows; the first column is the wall time."""
    means = template.mean * factor
    means = numpy.where(template.is_slow, means * slow, means)
    noise = rng.standard_normal((steps, len(means)), dtype=numpy.float32)
    values = numpy.maximum(0, numpy.rint(
        means * (1 + per_step * noise))).astype(numpy.int64)
    wall = values[:, template.is_op].sum(axis=1)
    return numpy.column_stack([wall, values])


def step_times(template, values):
    """The columns of the table `steps` for a matrix of drawn()."""
    return {"wall_ns": values[:, 0],
            **{f"{kind}_ns": values[:, 1:][:, is_kind].sum(axis=1)
               for kind, is_kind in template.is_kind.items()}}


def worker(template, rng, job, name, steps=1000, slow=1.0, per_step=0.08,
           between=0.01, labels=(), **header):
    """(the four tables of a worker, the values behind them)."""
    values = drawn(template, rng, steps, 1 + between * rng.standard_normal(),
                   slow, per_step)
    return tables(template, {"job": job, "worker": name, **dict(labels)},
                  folded(values[:, 1:]), step_times(template, values),
                  histogram(values, numpy.concatenate([[0], template.ids])),
                  **header), values


class Pool:
    """Makes workers of 1,000 steps quickly. A worker consists of ten blocks of
    100 steps that have the same level of speed. Blocks are folded once; the
    fold of ten blocks equals the fold of all their steps."""

    LEVELS, BLOCKS, TAKEN, STEPS, WIDTH = 11, 16, 10, 100, 100

    def __init__(self, template, seed):
        self.template = template
        self.ids = numpy.concatenate([[0], template.ids])
        rng = numpy.random.default_rng(seed)
        self.blocks = []
        for level in range(self.LEVELS):
            factor = 1 + 0.01 * rng.standard_normal()
            values = [drawn(template, rng, self.STEPS, factor)
                      for _ in range(self.BLOCKS)]
            if level == 0:
                self.least = bucket_of(values[0]).min(axis=0) - 30
            self.blocks.append([self._block(block) for block in values])

    def _block(self, values):
        buckets = bucket_of(values) - self.least
        assert 0 <= buckets.min() and buckets.max() < self.WIDTH
        keys = buckets + self.WIDTH * numpy.arange(values.shape[1])
        return (step_times(self.template, values), folded(values[:, 1:]),
                numpy.bincount(keys.ravel(), minlength=self.WIDTH * values.shape[1])
                .astype(numpy.int16))

    def worker(self, rng, job, name):
        level = self.blocks[rng.integers(self.LEVELS)]
        taken = [level[at] for at in
                 rng.choice(self.BLOCKS, self.TAKEN, replace=False)]
        fold = {key: (numpy.minimum if key == "min" else numpy.maximum if
                      key == "max" else numpy.add).reduce(
                          [block[1][key] for block in taken])
                for key in taken[0][1]}
        counts = numpy.add.reduce([block[2] for block in taken])
        there = numpy.flatnonzero(counts)
        ids = self.ids[there // self.WIDTH]
        order = numpy.argsort(ids, kind="stable")
        there = there[order]
        return tables(self.template, {"job": job, "worker": name}, fold,
                      {key: numpy.concatenate([block[0][key]
                                               for block in taken])
                       for key in taken[0][0]},
                      (ids[order], there % self.WIDTH
                       + self.least[there // self.WIDTH], counts[there]))


def tables(template, labels, fold, times, buckets, **header):
    """The four tables of a worker. times: see step_times()."""
    steps = len(times["wall_ns"])
    own = numpy.where(template.own == 1, fold["sum"],
                      numpy.rint(fold["sum"] * template.own).astype(int))
    rows = {"row": template.ids, **template.texts, "depth": template.depth,
            **fold, "self_sum": own,
            "runs": numpy.rint(template.runs * steps).astype(int)}
    told = {**template.header, "steps": steps, "first_step": 0,
            "last_step": steps - 1, "rows": len(template.ids), **header}
    unknown = numpy.full(steps, -1)
    return {
        "rows": _table(labels, {key: rows[key] for key in KNOWN}),
        "histogram": _table(labels, dict(zip(("row", "bucket", "count"),
                                             buckets))),
        "steps": _table(labels, {
            "step": numpy.arange(steps), "wall_ns": times["wall_ns"],
            "device_ns": unknown, "busy_ns": times["wall_ns"],
            "input_wait_ns": unknown, "compute_ns": times["compute_ns"],
            "collective_ns": times["collective_ns"]}),
        "header": _table(labels, {
            key: [told[key]] for key in (
                "schema", "graph", "tfprof", "producer", "machine", "steps",
                "first_step", "last_step", "rows", "dropped", "inputs",
                "damaged", "problems")})}


def _table(labels, columns):
    count = len(next(iter(columns.values())))
    arrays, fields = [], []
    for key, value in labels.items():
        arrays.append(pyarrow.DictionaryArray.from_arrays(
            numpy.zeros(count, numpy.int32), [value]).cast(pyarrow.string()))
        fields.append(pyarrow.field(key, pyarrow.string(), nullable=False))
    for key, value in columns.items():
        kind = pyarrow.string() if key in TEXTS else pyarrow.int64()
        arrays.append(value if isinstance(value, pyarrow.Array)
                      else pyarrow.array(value, kind))
        fields.append(pyarrow.field(key, kind, nullable=False))
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))


def write(made, folder):
    """The files of a worker, as the program writes them."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for table in TABLES:
        data = made[table]
        texts = [key for key in data.column_names
                 if data.schema.field(key).type == pyarrow.string()]
        pyarrow.parquet.write_table(
            data, folder / f"{table}.parquet", compression="gzip",
            compression_level=1, use_dictionary=texts,
            column_encoding={key: "DELTA_BINARY_PACKED"
                             for key in data.column_names if key not in texts})
    return folder


def fleet(folder, templates, workers, job="j", steps=1000, slow=None, seed=7,
          first=0, **how):
    """Writes workers; `slow` is the number of the planted straggler."""
    for number in range(first, first + workers):
        rng = numpy.random.default_rng([seed, number])
        made, _ = worker(
            templates[number % len(templates)], rng, job, f"w{number:05d}",
            steps=steps, slow=SLOW_FACTOR if number == slow else 1.0, **how)
        write(made, pathlib.Path(folder) / f"{number // 1000:03d}"
              / f"w{number:05d}")
    return folder
