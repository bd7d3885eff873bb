"""The tables of clickhouse.sql in chdb, which is ClickHouse in a process: every
report gives the answer that DuckDB gives for the files.

CI uses 80 workers. With TFPROF_SLOW=1, there are 2,000, with 500 rows each.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import duckdb
import fleets
import numpy
import pyarrow.parquet
import pytest
from inputs import SOURCE_DIR
from test_fleet import alike

import tfprof.fleet

SLOW = bool(os.environ.get("TFPROF_SLOW"))
WORKERS = 2000 if SLOW else 80
STEPS = 100 if SLOW else 20
LAYERS = 47 if SLOW else 6  # 47 make about 500 rows in a table
JOBS = 10  # five for each side of changes()
PAGE = (SOURCE_DIR / "docs" / "fleet.md").read_text()


def statements(first_words: str) -> list[str]:
    """The statements of the block of the page that begins with these words."""
    (block,) = [block for block in re.findall(r"```sql\n(.*?)```", PAGE, re.S)
                if block.startswith(first_words)]
    return [one.strip() for one in block.split(";\n") if one.strip()]


# ---- The files --------------------------------------------------------------

def put(folder: pathlib.Path, worker: int, seed: int, **how: Any) -> None:
    job = f"{'ab'[worker % 2]}{worker % JOBS}"
    made, _ = fleets.worker(
        fleets.written_template(LAYERS), numpy.random.default_rng(seed), job,
        f"w{worker:04d}", **{"steps": STEPS, **how})
    fleets.write(made, folder)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Workers of ten jobs; w0003 is slow, w0004 has another graph, w0005 has a
    retry in another folder, w0006 an equal copy, and w0007 was written by an
    earlier version."""
    folder = tmp_path_factory.mktemp("clickhouse")
    for worker in range(WORKERS):
        put(folder / f"w{worker:04d}", worker, worker,
            slow=4.0 if worker == 3 else 1.0,
            **({"graph": "00000000000000b2"} if worker == 14 else {}))
    put(folder / "w0005_again", 5, 1005, steps=STEPS // 2)
    put(folder / "w0006_again", 6, 6)
    steps = folder / "w0007" / "steps.parquet"
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(
        steps).drop_columns(["compute_ns", "collective_ns"]), steps)
    return folder


# ---- The answers ------------------------------------------------------------

CHDB = """
import json, sys, time
import chdb.session, tfprof.fleet, test_clickhouse
session = chdb.session.Session()
began = time.monotonic()
for statement in test_clickhouse.created():
    session.query(statement)
for statement in test_clickhouse.statements("INSERT INTO rows"):
    assert "/fleet/w00*" in statement
    session.query(statement.replace("/fleet/w00*", sys.argv[1] + "/w*"))
times = [time.monotonic() - began]
(question,) = test_clickhouse.statements("SELECT name, kind")
top = session.query(question, "JSONCompact", params={"job": "a2"})
with tfprof.fleet.open(None, session) as fleet:
    answers = []
    for make in test_clickhouse.REPORTS.values():
        began = time.monotonic()
        answers.append(make(fleet).sections)
        times.append(time.monotonic() - began)
print(json.dumps([answers, json.loads(top.bytes())["data"], times]))
"""
REPORTS = {"report": lambda fleet: fleet.report(),
           "stragglers": lambda fleet: fleet.stragglers(top=2 * WORKERS),
           "changes": lambda fleet: fleet.changes("a*", "b*"),
           "excluded": lambda fleet: fleet.excluded()}


def created() -> list[str]:
    """The statements of clickhouse.sql."""
    path = pathlib.Path(tfprof.fleet.__file__).parent / "sql" / "clickhouse.sql"
    return [one for one in path.read_text().split(";\n") if one.strip()]


@pytest.fixture(scope="module")
def told(fleet: pathlib.Path) -> Any:
    here = str(pathlib.Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", CHDB, str(fleet)], capture_output=True,
        text=True, check=False, env={**os.environ, "PYTHONPATH": os.pathsep
                                     .join([here, os.environ["PYTHONPATH"]])})
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_that_of_the_files(
        fleet: pathlib.Path, told: Any, name: str, say: Any) -> None:
    at = list(REPORTS).index(name)
    with tfprof.fleet.open(fleet) as opened:
        wanted = REPORTS[name](opened).sections
    found = told[0][at]
    assert alike(json.loads(json.dumps(wanted)), found)
    say(f"{WORKERS} workers, insert {told[2][0]:.1f} s, {name} "
        f"{told[2][at + 1]:.1f} s")
    if name == "stragglers":
        assert {row["worker"] for row in found["workers"]
                if row["named"]} == {"w0003"}
    if name == "excluded":
        assert {(row["reason"], row["worker"]) for row in found["list"]} == {
            ("other graph", "w0014"), ("written twice", "w0006")}


def test_the_query_of_the_page_has_the_sums_of_the_files(
        fleet: pathlib.Path, told: Any) -> None:
    wanted = duckdb.sql(
        "select name, kind, sum(count)::bigint as steps, "
        "sum(sum)::bigint as total, total // steps, min(min), max(max), "
        f"sum(runs)::bigint from read_parquet('{fleet}/*/rows.parquet') "
        "where job = 'a2' and view = 'op' group by row, name, kind "
        "order by total desc, name, kind").fetchall()
    assert [tuple(row[:2]) + tuple(map(int, row[2:])) for row in told[1]
            ] == wanted
