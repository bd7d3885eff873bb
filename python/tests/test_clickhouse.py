"""docs/fleet.md: its statements for ClickHouse run in chdb, which is ClickHouse
in this process, and the answers equal those of DuckDB for the same files.

CI uses 200 workers. With TFPROF_SLOW=1, there are 10,000, with 500 rows each.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import time
from collections.abc import Iterator
from typing import Any, Callable

import duckdb
import fleets
import numpy
import pyarrow
import pyarrow.parquet
import pytest
from inputs import SOURCE_DIR

SLOW = bool(os.environ.get("TFPROF_SLOW"))
TABLES = 10_000 if SLOW else 200
BATCH = 100 if SLOW else 50
STEPS = 1000 if SLOW else 40
LAYERS = 47 if SLOW else 6  # about 500 rows in a table
DIFFERENT = 40  # workers with different values; the others repeat them
JOBS = ("j0", "j1")
PAGE = (SOURCE_DIR / "docs" / "fleet.md").read_text()
QUANTILES = (0.5, 0.99)


# ---- The page ---------------------------------------------------------------

def statements(first_words: str) -> list[str]:
    """The statements of the block that begins with these words."""
    (block,) = [block for block in re.findall(r"```sql\n(.*?)```", PAGE, re.S)
                if block.startswith(first_words)]
    return [one.strip() for one in block.split(";\n") if one.strip()]


# ---- The tables -------------------------------------------------------------

def relabeled(table: Any, labels: dict[str, str]) -> Any:
    for place, (key, value) in enumerate(labels.items()):
        column = pyarrow.repeat(pyarrow.scalar(value), len(table))
        field = pyarrow.field(key, pyarrow.string(), nullable=False)
        table = (table.set_column(place, field, column)
                 if key in table.column_names
                 else table.add_column(place, field, column))
    return table


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Folders of tables, in batches. One batch has an additional label."""
    folder = tmp_path_factory.mktemp("clickhouse")
    template = fleets.written_template(LAYERS)
    made = [fleets.worker(template, numpy.random.default_rng(number), "", "",
                          steps=STEPS)[0] for number in range(DIFFERENT)]
    for number in range(TABLES):
        labels = {"job": JOBS[number % 2], "worker": f"w{number:05d}"}
        if number // BATCH == 1:
            labels["zone"] = "a"
        place = folder / f"{number // BATCH:03d}" / labels["worker"]
        place.mkdir(parents=True)
        for name in ("rows", "histogram", "header"):
            pyarrow.parquet.write_table(
                relabeled(made[number % DIFFERENT][name], labels),
                place / f"{name}.parquet", compression="gzip",
                compression_level=1)
    return folder


class Merged:
    """The tables of the page, with all files inserted."""

    def __init__(self, session: Any, fleet: pathlib.Path,
                 say: Callable[[str], None]) -> None:
        self.session = session
        for statement in statements("CREATE TABLE rows_in"):
            session.query(statement)
        before = time.perf_counter()
        for batch in sorted(fleet.iterdir()):
            for statement in statements("INSERT INTO rows_in"):
                assert "/fleet/w00*" in statement
                session.query(statement.replace("/fleet/w00*",
                                                f"{batch}/w*"))
        say(f"{TABLES} tables of {len(fleets.written_template(LAYERS).ids)} "
            f"rows in {time.perf_counter() - before:.1f} s")

    def ask(self, question: str, job: str = "") -> list[dict[str, Any]]:
        found = self.session.query(question, "JSONCompact",
                                   params={"job": job} if job else None)
        told = json.loads(found.bytes())
        names = [column["name"] for column in told["meta"]]
        return [dict(zip(names, map(numbers, row))) for row in told["data"]]


def numbers(value: Any) -> Any:
    """ClickHouse writes integers of 64 bits as strings."""
    if isinstance(value, list):
        return [numbers(one) for one in value]
    return (int(value) if isinstance(value, str)
            and re.fullmatch(r"-?\d+", value) else value)


@pytest.fixture(scope="module")
def merged(fleet: pathlib.Path, tmp_path_factory: pytest.TempPathFactory
           ) -> Iterator[tuple[Merged, list[str]]]:
    from chdb import session
    said: list[str] = []
    made = session.Session(os.fspath(tmp_path_factory.mktemp("chdb")))
    yield Merged(made, fleet, said.append), said
    made.close()


# ---- The answers of DuckDB --------------------------------------------------

def files(fleet: pathlib.Path, table: str) -> str:
    return (f"read_parquet('{fleet}/*/*/{table}.parquet', "
            "union_by_name = true)")


def ask_duckdb(question: str) -> list[dict[str, Any]]:
    with duckdb.connect() as database:
        found = database.sql(question).to_arrow_table().to_pylist()
    return [{key: int(value) if hasattr(value, "as_integer_ratio")
             and value == int(value) else value for key, value in row.items()}
            for row in found]


def top(fleet: pathlib.Path, job: str) -> list[dict[str, Any]]:
    return ask_duckdb(
        "select name, kind, sum(count)::bigint as steps, "
        "sum(sum)::bigint as total, (total // steps) as mean, "
        "min(min) as shortest, max(max) as longest, "
        "sum(runs)::bigint as executions "
        f"from {files(fleet, 'rows')} where job = '{job}' and view = 'op' "
        "group by row, name, kind order by total desc, name, kind")


def quantiles(fleet: pathlib.Path, job: str) -> list[dict[str, Any]]:
    at = ", ".join(f"min(bucket) filter (upto >= greatest(1, ceil({q} * steps)"
                   f")) as q{i}" for i, q in enumerate(QUANTILES))
    found = ask_duckdb(
        "with merged as (select row, bucket, sum(count)::bigint as n "
        f"from {files(fleet, 'histogram')} where job = '{job}' "
        "group by row, bucket), running as (select row, bucket, "
        "sum(n) over (partition by row order by bucket)::bigint as upto, "
        "sum(n) over (partition by row)::bigint as steps from merged) "
        f"select row, any_value(steps) as steps, {at} from running "
        "group by row order by row")
    return [{"row": row["row"], "steps": row["steps"],
             "buckets_of_quantiles": [row["q0"], row["q1"]]} for row in found]


def slowest(fleet: pathlib.Path, job: str) -> list[dict[str, Any]]:
    return ask_duckdb(
        "select worker, sum(self_sum)::bigint as compute "
        f"from {files(fleet, 'rows')} where job = '{job}' and view = 'op' "
        "and kind = 'compute' group by worker "
        "order by compute desc, worker limit 10")


def check_answers(merged: Merged, fleet: pathlib.Path) -> None:
    for job in JOBS:
        (question,) = statements("SELECT name, kind")
        wanted = top(fleet, job)
        assert merged.ask(question, job) == wanted
        assert sum(row["total"] for row in wanted) > 0
        (question,) = statements("WITH 1.01 / 0.99")
        found = merged.ask(question, job)
        for row in found:
            assert row.pop("nanoseconds") == pytest.approx(
                [fleets.value_of(b) for b in row["buckets_of_quantiles"]])
        wanted = quantiles(fleet, job)
        assert found == wanted
        assert wanted[0]["row"] == 0
        assert wanted[0]["steps"] == TABLES // 2 * STEPS
        (question,) = statements("SELECT worker, sum(r.self_sum)")
        assert merged.ask(question, job) == slowest(fleet, job)


# ---- Tests ------------------------------------------------------------------

def test_answers_are_those_of_duckdb_before_and_after_merging(
        merged: tuple[Merged, list[str]], fleet: pathlib.Path,
        say: Callable[[str], None]) -> None:
    found, said = merged
    say(said[0])
    check_answers(found, fleet)
    before = time.perf_counter()
    for table in ("worker_rows", "job_rows", "job_histogram"):
        found.session.query(f"OPTIMIZE TABLE {table} FINAL")
    say(f"OPTIMIZE in {time.perf_counter() - before:.1f} s")
    check_answers(found, fleet)
    rows = len(fleets.written_template(LAYERS).ids)
    sizes = {table: found.ask(f"SELECT count() AS n FROM {table}")[0]["n"]
             for table in ("worker_rows", "job_rows", "job_histogram",
                           "workers")}
    assert sizes == {"worker_rows": rows * TABLES, "job_rows": rows * 2,
                     "job_histogram": (rows + 1) * 2, "workers": TABLES}


def test_exact_columns_survive_merging(merged: tuple[Merged, list[str]],
                                       fleet: pathlib.Path) -> None:
    found, _ = merged
    sums = ("count", "sum", "self_sum", "squares_hi", "squares_lo", "runs")
    columns = ", ".join([f"sum({key})::bigint as s_{key}" for key in sums]
                        + ["min(min) as low", "max(max) as high"])
    wanted = ask_duckdb(
        f"select job, row, view, name, op_type, device, program, depth, kind, "
        f"{columns} "
        f"from {files(fleet, 'rows')} group by all order by job, row")
    told = found.ask("SELECT job, row, view, name, op_type, device, program, "
                     "depth, kind, "
                     + ", ".join(f"{key} AS s_{key}" for key in sums)
                     + ", min AS low, max AS high FROM job_rows FINAL "
                     "ORDER BY job, row")
    assert told == wanted


def test_a_server_reads_the_files_itself(merged: tuple[Merged, list[str]],
                                         fleet: pathlib.Path) -> None:
    found, _ = merged
    (statement,) = statements("INSERT INTO histogram_in")
    batch = sorted(fleet.iterdir())[1]  # the batch with an additional label
    question = ("SELECT sum(arraySum(buckets.2)) AS steps FROM job_histogram")
    before = found.ask(question)[0]["steps"]
    found.session.query(statement.replace("/fleet/w00*", f"{batch}/w*"))
    rows = len(fleets.written_template(LAYERS).ids) + 1
    assert found.ask(question)[0]["steps"] == before + BATCH * STEPS * rows
