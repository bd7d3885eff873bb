"""What the tests of tfprof aggregate share: inputs, and how tables are read.

DuckDB reads and merges the tables, as it does for users.
"""

import os
import subprocess
import sys

import duckdb
from program import DATA_DIR, SOURCE_DIR, run
from trace_build import Plane, space
from wirebytes import field, integer

TABLES = ("rows", "histogram", "steps", "header")
TRACES = sorted((DATA_DIR / "traces").glob("*.xplane.pb"))
STEPS = 12  # of the model


def run_aggregate(folder, *args):
    return run("aggregate", *args, "--output", f"parquet:outfile={folder}")


def aggregate(folder, *args):
    """The tables that a call writes, as lists of dicts."""
    done = run_aggregate(folder, *args)
    assert done.returncode == 0, done.stderr
    return read(folder)


def query(text):
    found = duckdb.sql(text)
    return [dict(zip(found.columns, row, strict=True))
            for row in found.fetchall()]


def read(folder):
    return {name: query(f"select * from '{folder}/{name}.parquet'")
            for name in TABLES}


# ---- Inputs ---------------------------------------------------------------------


def make_model(folder):
    """A graph, its op log and the runs of STEPS steps."""
    bench = SOURCE_DIR / "bench"
    for command in (
            [bench / "gen_large.py", "400", folder, "--no-pbtxt"],
            [bench / "gen_runs.py", folder / "run_meta", str(STEPS), folder]):
        subprocess.run([sys.executable, *map(os.fspath, command)], check=True,
                       capture_output=True)
    (folder / "run_meta").unlink()
    return folder


def files_of(model):
    return model / "graph.pb", model / "op_log", sorted(model.glob("run_meta_*"))


def write_run(path, device, names, micros=7):
    """RunMetadata in which each node ran once."""
    nodes = b"".join(field(2, field(1, name) + bytes([0x10, 5, 0x20, micros]))
                     for name in names)
    path.write_bytes(field(1, field(1, field(1, device) + nodes)))
    return path


def run_record(name, start=1, micros=7):
    """RunMetadata with one record."""
    record = field(1, name) + integer(2, start) + integer(4, micros)
    return field(1, field(1, field(1, b"/device:CPU:0") + field(2, record)))


def host(steps, rest=0):
    """A trace: an operation of 50 us in each step, and one outside of steps."""
    plane = Plane("/host:CPU")
    ms = 10**9
    events = [plane.event(f"train {n}", n * ms, ms // 2, _r=1, step_num=n)
              for n in steps]
    ops = [plane.event("MatMul:MatMul", n * ms + 1000, 50 * 10**6)
           for n in steps]
    if rest:
        ops.append(plane.event("Outside:Add", 100 * ms, rest))
    return space(plane.line(1, "python", *events, *ops))
