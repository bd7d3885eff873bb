"""tfprof.fleet: DuckDB, ClickHouse and Spark merge tables of many workers."""

# labels: long

from __future__ import annotations

import functools
import json
import math
import pathlib
import random
import re
import subprocess
import sys
from typing import Any

import duckdb
import fleets
import messages
import numpy
import pyarrow
import pyarrow.parquet
import pytest
from inputs import SOURCE_DIR

import tfprof
import tfprof.fleet

WORKERS = 200
STEPS = 120
SLOW = 123


@functools.cache
def base(layers: int = 8) -> Any:
    return fleets.written_template(layers)


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Templates from tables that the program wrote."""
    runs = fleets.real_runs(tmp_path_factory.mktemp("runs"), layers=8)
    assert len(runs) >= 20
    found: list[Any] = fleets.templates(runs)
    return found


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory,
            templates: list[Any]) -> tuple[pathlib.Path, Any]:
    """A fleet with a slow worker, and the values from which it was made."""
    folder = tmp_path_factory.mktemp("fleet")
    values = []
    for number in range(WORKERS):
        tables, drawn = fleets.worker(
            templates[number % len(templates)],
            numpy.random.default_rng([5, number]), "j", f"w{number}",
            steps=STEPS, slow=1.3 if number == SLOW else 1.0)
        fleets.write(tables, folder / f"w{number}")
        values.append(drawn)
    return folder, numpy.stack(values)


def few(folder: pathlib.Path, workers: int = 12, **how: Any) -> pathlib.Path:
    """A small fleet, made without the program."""
    fleets.fleet(folder, [base(3)], workers, **{"steps": 20, **how})
    return folder


def put(folder: pathlib.Path, name: str, *, job: str = "j",
        template: Any = None, change: Any = None, **how: Any) -> pathlib.Path:
    """Writes one more worker; `change` edits its tables."""
    tables, _ = fleets.worker(
        template or base(3), numpy.random.default_rng(list(name.encode())),
        job, name, **{"steps": 20, **how})
    if change:
        change(tables)
    return pathlib.Path(fleets.write(tables, folder / job / name))


def edit(tables: Any, column: str, where: Any, value: Any) -> None:
    """Changes numbers of a column in the table `rows`."""
    rows = tables["rows"].to_pydict()
    for at in range(len(rows["row"])):
        if where({key: rows[key][at] for key in rows}):
            rows[column][at] = value(rows[column][at])
    tables["rows"] = pyarrow.Table.from_pydict(
        rows, schema=tables["rows"].schema)


def answers(path: Any, engine: Any = None, **how: Any) -> list[Any]:
    with tfprof.fleet.open(path, engine, **how) as fleet:
        return [fleet.report().sections, fleet.stragglers().sections,
                fleet.excluded().sections]


def alike(a: Any, b: Any) -> bool:
    """Are answers equal? Engines add doubles in any order, so doubles may
    differ by rounding."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)
    return bool(a == b)


# ---- Report -----------------------------------------------------------------

def nearest_rank(values: Any, q: float) -> float:
    values = numpy.sort(values.ravel())
    return float(values[math.ceil(q * len(values)) - 1])


def test_report_has_exact_sums_and_quantiles_within_one_percent(
        planted: tuple[pathlib.Path, Any], templates: list[Any]) -> None:
    folder, values = planted
    with tfprof.fleet.open(folder) as fleet:
        report = fleet.report(top=1000)
    assert report.fleet["workers"] == WORKERS
    assert report.fleet["steps"] == WORKERS * STEPS
    step = report.sections["steps"][0]
    assert step["steps"] == WORKERS * STEPS
    for key, q in (("p50_ns", .5), ("p90_ns", .9), ("p99_ns", .99),
                   ("max_ns", 1)):
        assert step[key] == pytest.approx(nearest_rank(values[:, :, 0], q),
                                          rel=0.0100001)
    texts = [templates[0].texts[key].to_pylist()
             for key in ("view", "name", "op_type", "device", "kind")]
    places = {words: at + 1 for at, words in enumerate(zip(*texts))}
    seen = 0
    for view in ("scope", "op", "code"):
        for row in report.sections[view]:
            at = places[(view, row["name"], row["op_type"], row["device"],
                         row["kind"])]
            column = values[:, :, at]
            assert row["total_ns"] == int(column.sum())
            assert row["count"] == column.size
            assert row["max_ns"] == column.max()
            for key, q in (("p50_ns", .5), ("p99_ns", .99)):
                assert row[key] == pytest.approx(nearest_rank(column, q),
                                                 rel=0.0100001)
            low, mid, high = numpy.quantile(column.mean(axis=1), (.1, .5, .9))
            assert row["spread"] == pytest.approx((high - low) / mid)
            seen += 1
    assert seen == len(places) > 60
    shares = [row["self"] for row in report.sections["op"]]
    assert sum(shares) == pytest.approx(1)


def test_report_orders_by_total_or_self_and_limits_rows(
        tmp_path: pathlib.Path) -> None:
    with tfprof.fleet.open(few(tmp_path)) as fleet:
        total = fleet.report(top=3).sections["scope"]
        own = fleet.report(top=3, order="self").sections["scope"]
    assert [len(total), len(own)] == [3, 3]
    assert total[0]["name"] == "tower"
    assert all(a["total"] >= b["total"] for a, b in zip(total, total[1:]))
    assert all(a["self"] >= b["self"] > 0 for a, b in zip(own, own[1:]))


def test_of_rows_with_the_same_time_the_outer_one_is_first(
        tmp_path: pathlib.Path) -> None:
    """A scope with one node takes as long as this node. The order of the ids
    is that of hashes, so many names are needed."""
    records = b"".join(
        messages.record(b"s%d/node" % number, start=messages.NOON, end=7)
        for number in range(20))
    run = tmp_path / "run_meta"
    run.write_bytes(messages.run_of((messages.CPU, records)))
    fleets.aggregate([run], tmp_path / "fleet", "job=j,worker=w")
    with tfprof.fleet.open(tmp_path / "fleet", min_steps=1) as fleet:
        scopes = fleet.report(top=1000).sections["scope"]
    assert {row["total"] for row in scopes} == {1 / 20}
    assert [row["name"].count("/") for row in scopes] == 20 * [0] + 20 * [1]


MERGE = {
    "rows": "SELECT row, MIN(view) AS view, MIN(name) AS name, "
            "SUM(count)::BIGINT AS count, SUM(sum)::BIGINT AS sum, "
            "SUM(self_sum)::BIGINT AS self_sum, "
            "SUM(squares_hi)::BIGINT AS squares_hi, "
            "SUM(squares_lo)::BIGINT AS squares_lo, MIN(min) AS min, "
            "MAX(max) AS max, SUM(runs)::BIGINT AS runs "
            "FROM part GROUP BY row ORDER BY row",
    "histogram": "SELECT row, bucket, SUM(count)::BIGINT AS count FROM part "
                 "GROUP BY row, bucket ORDER BY row, bucket"}


@pytest.mark.parametrize("table", MERGE)
def test_merging_in_any_order_and_tree_gives_the_same_rows(
        planted: tuple[pathlib.Path, Any], table: str) -> None:
    def merged(parts: list[Any]) -> Any:
        connection.register("part", pyarrow.concat_tables(
            parts, promote_options="permissive"))
        return connection.sql(MERGE[table]).to_arrow_table()

    connection = duckdb.connect()
    keep = connection.execute(MERGE[table].replace(
        "part", f"'{planted[0]}/**/{table}.parquet'")).fetchall()
    columns = [column[0] for column in connection.description]
    one_by_one = [pyarrow.parquet.read_table(path, columns=columns) for path
                  in sorted(planted[0].glob(f"*/{table}.parquet"))]
    draw = random.Random(3)
    for _ in range(3):
        parts = list(one_by_one)
        while len(parts) > 1:
            draw.shuffle(parts)
            size = draw.randint(2, 60)
            parts = [merged(parts[:size]), *parts[size:]]
        found = [tuple(row.values()) for row in parts[0].to_pylist()]
        assert found == keep
    assert len(keep) > 60


# ---- Stragglers -------------------------------------------------------------

def test_planted_worker_is_first_with_its_operation(
        planted: tuple[pathlib.Path, Any]) -> None:
    with tfprof.fleet.open(planted[0]) as fleet:
        found = fleet.stragglers()
    named = [row for row in found if row["named"]]
    assert [row["worker"] for row in named] == [f"w{SLOW}"] == [
        found.rows[0]["worker"]]
    rows = found.sections["operations"]
    assert [row["name"] for row in rows] == [fleets.SLOW_OP]
    values = planted[1]
    # 30 % of a tenth of the compute time, with the noise of the worker
    assert rows[0]["excess_ns"] / rows[0]["median_ns"] == pytest.approx(
        .3, abs=.06)
    without = found.sections["without"][0]
    assert without["named"] == 1 and without["workers"] == len(values)
    assert without["without_ns"] <= without["slowest_ns"]
    assert "1 straggler" in found.remarks


def in_memory(workers: int, seed: int, steps: int = 1000) -> Any:
    """Tables of a clean fleet with the rows of view op: the sums of `steps`
    values, drawn from their distribution."""
    template = base()
    rng = numpy.random.default_rng(seed)
    ops = numpy.flatnonzero(template.is_op)
    shape = (workers, len(ops))
    mean = (template.mean[ops] * (1 + .01 * rng.standard_normal((workers, 1)))
            * (1 + .01 * rng.standard_normal(shape)))
    total = numpy.rint(steps * mean * (1 + .08 / math.sqrt(steps)
                                       * rng.standard_normal(shape)))
    squares = (total / steps) ** 2 * (1 + .08 ** 2) * steps
    names = [f"w{number}" for number in range(workers)]
    columns = {
        "job": ["j"] * total.size, "worker": numpy.repeat(names, len(ops)),
        "row": numpy.tile(template.ids[ops], workers),
        **{key: template.texts[key].take(pyarrow.array(
            numpy.tile(ops, workers))) for key in template.texts},
        "self_sum": total.ravel().astype(int),
        "sum": total.ravel().astype(int),
        "squares_hi": (squares.ravel() // 2 ** 32).astype(int),
        "squares_lo": (squares.ravel() % 2 ** 32).astype(int)}
    header = {"job": ["j"] * workers, "worker": names,
              **{key: [0] * workers for key in (
                  "first_step", "last_step", "inputs", "damaged")},
              "steps": [steps] * workers, "rows": [len(ops)] * workers,
              "schema": [2] * workers, "graph": [""] * workers,
              "problems": [""] * workers}
    compute = numpy.rint(mean[:, template.is_kind["compute"][ops]].sum(
        axis=1)[:, None] * (1 + .02 * rng.standard_normal((workers, steps))))
    times = {"job": ["j"] * compute.size, "worker": numpy.repeat(names, steps),
             "step": numpy.tile(numpy.arange(steps), workers),
             "compute_ns": compute.ravel().astype(int),
             "input_wait_ns": [-1] * compute.size}
    return {"rows": pyarrow.table(columns), "header": pyarrow.table(header),
            "steps": pyarrow.table(times)}


def connected(tables: Any) -> Any:
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.register(name, table)
    return connection


@pytest.mark.parametrize("seed", range(10))
def test_clean_fleet_names_nobody(seed: int) -> None:
    tables = in_memory(WORKERS, seed)
    connection = connected({f"all_{name}": tables[name] for name in tables})
    with tfprof.fleet.open(None, connection, tables={
            name: f"all_{name}" for name in tables}) as fleet:
        found = fleet.stragglers()
    assert found.fleet["workers"] == WORKERS and len(found.rows) == 10
    assert not [row for row in found if row["named"]]
    assert 1 < found.rows[0]["z"] < 6


def is_op(name: str) -> Any:
    return lambda row: row["view"] == "op" and row["name"] == name


@pytest.mark.parametrize("case, name, factor, named", [
    ("constant values, 2 % more", "MatMul", 1.2, True),
    ("less than 1 % of compute", "Sub", 1.5, False),
    ("collectives are not compute", "CollectiveReduce", 3, False),
    ("waiting is not compute", "IteratorGetNext", 3, False)])
def test_constant_fleet_names_by_excess_of_compute(
        tmp_path: pathlib.Path, case: str, name: str, factor: float,
        named: bool) -> None:
    """The median deviation is 0, but z must be a finite number."""
    def slower(tables: Any) -> None:
        for column in ("sum", "self_sum", "min", "max"):
            edit(tables, column, is_op(name), lambda v: int(v * factor))

    for number in range(12):
        put(tmp_path, f"w{number}", between=0, per_step=0,
            change=slower if number == 4 else None)
    with tfprof.fleet.open(tmp_path) as fleet:
        found = fleet.stragglers()
    assert [row["worker"] for row in found if row["named"]] == (
        ["w4"] if named else []), case
    assert all(math.isfinite(row["z"]) for row in found)


def test_rare_row_does_not_name_a_worker(tmp_path: pathlib.Path) -> None:
    """One worker writes a checkpoint once more than the others. The standard
    error of so few runs is as large as their mean."""
    template = base(3)
    rare = template.is_slow & template.is_op

    def seldom(runs: int) -> Any:
        def change(tables: Any) -> None:
            value = 40 * int(template.mean[rare][0])
            for column, number in (
                    ("count", runs), ("sum", runs * value),
                    ("self_sum", runs * value), ("min", value),
                    ("max", value),
                    ("squares_hi", runs * (value ** 2 >> 32)),
                    ("squares_lo", runs * (value ** 2 & 0xffffffff))):
                edit(tables, column, is_op(fleets.SLOW_OP),
                     lambda _, number=number: number)
        return change

    for number in range(20):
        put(tmp_path, f"w{number}", steps=200,
            change=seldom(3 if number == 9 else 1))
    with tfprof.fleet.open(tmp_path) as fleet:
        found = fleet.stragglers()
    assert not [row for row in found if row["named"]]


def without(name: str) -> Any:
    """Drops the rows of an operation type from the tables of a worker."""
    def change(tables: Any) -> None:
        rows = tables["rows"]
        tables["rows"] = rows.filter(pyarrow.array(
            [op != name for op in rows["op_type"].to_pylist()]))
    return change


@pytest.mark.parametrize("case, workers, having, slow, named", [
    ("one worker", 15, 1, None, 1),
    ("a tenth of the workers", 20, 2, None, 2),
    ("a group is not judged, because it is small", 12, 5, None, 0),
    ("two of few workers", 9, 2, None, 0),
    ("a group of equal workers", 24, 10, None, 0),
    ("a group with a slow worker", 24, 10, 3, 1),
    ("half of the workers", 12, 6, None, 0),
    ("most workers, and one is slow", 20, 14, 3, 1)])
def test_operation_that_some_workers_do_not_have(
        tmp_path: pathlib.Path, case: str, workers: int, having: int,
        slow: int | None, named: int) -> None:
    """A group of workers can have another role."""
    for number in range(workers):
        put(tmp_path, f"w{number}", between=0.002, steps=100,
            slow=2.0 if number == slow else 1.0,
            change=None if number < having else without(fleets.SLOW_OP))
    with tfprof.fleet.open(tmp_path) as fleet:
        found = fleet.stragglers(top=100)
    assert sorted(row["worker"] for row in found if row["named"]) == (
        [f"w{slow}"] if slow else [f"w{at}" for at in range(named)]), case
    assert {row["name"] for row in found.sections["operations"]} == (
        {fleets.SLOW_OP} if named else set())


def test_workers_are_compared_within_their_job(tmp_path: pathlib.Path) -> None:
    few(tmp_path / "a", job="a")
    fleets.fleet(tmp_path / "b", [base(9)], 12, job="b", steps=20)
    few(tmp_path / "c", 3, job="c", slow=1)
    with tfprof.fleet.open(tmp_path) as fleet:
        found = fleet.stragglers(top=100)
    assert not [row for row in found if row["named"]]
    assert any("fewer than 8 workers: 1 of 3 jobs" in remark
               for remark in found.remarks)


def test_workers_with_their_own_task_have_equal_rows(
        tmp_path: pathlib.Path) -> None:
    """In a distributed job, the devices of each worker contain its task."""
    rng = numpy.random.default_rng(12)
    for task in range(12):
        device = b"/job:worker/replica:0/task:%d/device:CPU:0" % task
        inputs = [tmp_path / "graph.pb"]
        inputs[0].write_bytes(fleets.graph_bytes(3, device))
        for step in range(4):
            inputs.append(tmp_path / f"run_{step}")
            inputs[-1].write_bytes(fleets.run_bytes(3, rng, device))
        fleets.aggregate(inputs, tmp_path / "fleet" / f"w{task}",
                         f"job=j,worker=w{task}")
    with tfprof.fleet.open(tmp_path / "fleet") as fleet:
        report, found = fleet.report(), fleet.stragglers(top=20)
    assert report.fleet["workers"] == len(found.rows) == 12
    assert {row["workers"] for row in report.sections["op"]} == {12}
    assert not [row for row in found if row["named"]]


# ---- Excluded ---------------------------------------------------------------

def prefix_of(name: str, steps: int, count: int, first: int = 0,
              **how: Any) -> Any:
    """The tables of the first `count` of `steps` drawn steps of a worker.
    `first` is the number of the first step."""
    template = base(3)
    values = fleets.drawn(template, numpy.random.default_rng(
        list(name.encode())), steps, 1.0)[:count]
    tables = fleets.tables(
        template, {"job": "j", "worker": name.partition("/")[0]},
        fleets.folded(values[:, 1:]), fleets.step_times(template, values),
        fleets.histogram(values, numpy.concatenate([[0], template.ids])),
        **{"first_step": first, "last_step": first + count - 1, **how})
    steps_table = tables["steps"]
    tables["steps"] = steps_table.set_column(
        steps_table.schema.get_field_index("step"),
        steps_table.schema.field("step"),
        pyarrow.array(range(first, first + count)))
    return tables


def older(tables: Any) -> None:
    """Tables of schema 1 have no programs."""
    tables["rows"] = tables["rows"].drop_columns(["program"])


def test_excluded_are_named_and_not_merged(tmp_path: pathlib.Path) -> None:
    good, all_of_them = tmp_path / "good", tmp_path / "all"
    for folder in (good, all_of_them):
        few(folder)
    put(all_of_them, "hurt", damaged=2,
        problems="run_1: truncated\nrun_2: empty")
    put(all_of_them, "other", graph="00000000000000b2")
    put(all_of_them, "short", steps=1)
    put(all_of_them, "newer", schema=3)
    put(all_of_them, "older", change=older, schema=1)
    put(all_of_them, "plain", graph="")  # not compared
    put(good, "plain", graph="")
    for name, steps in (("twice", (20, 20)), ("longer", (20, 40))):
        for copy in steps:
            fleets.write(prefix_of(name, 40, copy), all_of_them / name
                         / f"{len(list(all_of_them.glob(name + '/*')))}")
    for graph in ("a1", "b2"):
        fleets.write(prefix_of(f"graphs/{graph}", 20, 20,
                               graph=f"00000000000000{graph}"),
                     all_of_them / graph)
    (put(all_of_them, "cut") / "header.parquet").unlink()
    bad = put(all_of_them, "bad") / "histogram.parquet"
    bad.write_bytes(bad.read_bytes()[:-40])
    with tfprof.fleet.open(all_of_them) as fleet:
        report, found = fleet.report(), fleet.excluded()
        stragglers = fleet.stragglers()
    assert {(row["reason"], row["worker"]) for row in found} == {
        ("damaged", "hurt"), ("other graph", "other"),
        ("too few steps", "short"), ("other schema", ""),
        ("written twice", "twice"), ("written twice", "longer"),
        ("other graph", "graphs"), ("incomplete", ""), ("unreadable", "")}
    schemas = {row["detail"] for row in found
               if row["reason"] == "other schema"}
    assert schemas == {
        "j/newer: header.parquet has the schema 3; this version reads the "
        "schema 2",
        "j/older: header.parquet has the schema 1: its ids contain the host "
        "name, so rows of different hosts do not merge; write the tables again "
        "with tfprof aggregate"}
    details = {row["worker"] or row["reason"]: row["detail"] for row in found
               if row["reason"] != "other schema"}
    assert details == {
        "hurt": "run_1: truncated and 1 more",
        "short": "1 step; min_steps is 2",
        "other": "graph 00000000000000b2; its job has 00000000000000a1",
        "graphs": "graphs 00000000000000a1 and 00000000000000b2",
        "twice": "2 folders with 20 equal steps",
        "longer": "2 folders with 20 equal steps",
        "incomplete": "j/cut: missing header.parquet",
        "unreadable": "j/bad: damaged histogram.parquet"}
    assert report.fleet["excluded"] == 6
    assert report.fleet["excluded_folders"] == 4
    for result in (report, stragglers):
        assert ("excluded: 6 workers and 4 folders; `python -m tfprof.fleet "
                "excluded` lists them") in result.to_text()
    assert alike([report.sections, stragglers.sections], answers(good)[:2])


@pytest.mark.parametrize("case, parts, used", [
    ("the same steps, other times", [("a", 20, 0), ("b", 20, 0)], 40),
    ("more steps, other times", [("a", 20, 0), ("b", 40, 0)], 60),
    ("parts of a run", [("a", 20, 0), ("b", 20, 20), ("c", 20, 40)], 60),
    ("a copy", [("a", 20, 0), ("a", 20, 0)], 0),
    ("a copy with more steps", [("a", 20, 0), ("a", 40, 0)], 0),
    ("a copy and another run", [("a", 20, 0), ("b", 20, 0), ("a", 20, 0)], 0)])
def test_folders_of_a_worker_are_added_unless_they_are_copies(
        tmp_path: pathlib.Path, case: str, parts: list[tuple[str, int, int]],
        used: int) -> None:
    """Numbers of steps often start at 0 again. So equal times make a copy."""
    few(tmp_path, 3, steps=60)
    for at, (seed, count, first) in enumerate(parts):
        fleets.write(prefix_of(f"w/{seed}", 40, count, first),
                     tmp_path / "w" / str(at))
    with tfprof.fleet.open(tmp_path) as fleet:
        report, excluded = fleet.report(), fleet.excluded()
    assert report.sections["steps"][0]["steps"] == 180 + used, case
    assert [row["reason"] for row in excluded] == (
        [] if used else ["written twice"])
    assert report.fleet["steps"] == 180 + sum(part[1] for part in parts)


def test_equal_times_of_a_few_steps_are_not_a_copy(
        tmp_path: pathlib.Path) -> None:
    few(tmp_path, 3)
    for at in range(2):
        tables = prefix_of(f"w/{at}", 20, 20)
        steps = tables["steps"].to_pydict()
        for key in ("wall_ns", "busy_ns"):
            steps[key][3:10] = [100] * 7
        tables["steps"] = pyarrow.Table.from_pydict(
            steps, schema=tables["steps"].schema)
        fleets.write(tables, tmp_path / f"w{at}")
    with tfprof.fleet.open(tmp_path) as fleet:
        assert not fleet.excluded().rows
        assert fleet.report().fleet["steps"] == 100


def test_query_of_the_docs_gives_the_time_per_step(
        tmp_path: pathlib.Path) -> None:
    """One of the workers has two folders."""
    few(tmp_path / "fleet", 2)
    for at, count in (("a", 20), ("b", 30)):
        fleets.write(prefix_of(f"w/{at}", 30, count),
                     tmp_path / "fleet" / f"w{at}")
    page = (SOURCE_DIR / "docs" / "fleet.md").read_text()
    (query,) = re.findall(r"```sql\n(SELECT r\.job.*?)```", page, re.S)
    told = {row[:3]: row[3] for row in duckdb.sql(query.replace(
        "'fleet/", f"'{tmp_path}/fleet/")).fetchall()}
    tables = (tmp_path / "fleet").rglob("rows.parquet")
    sums: dict[Any, int] = {}
    for row in pyarrow.concat_tables(
            map(pyarrow.parquet.read_table, tables)).to_pylist():
        if row["view"] == "op" and row["kind"] == "compute":
            key = (row["job"], row["worker"], row["name"])
            sums[key] = sums.get(key, 0) + row["self_sum"]
    assert told == pytest.approx({
        key: total / (50 if key[1] == "w" else 20) / 1e6
        for key, total in sums.items()})
    assert {key[1] for key in sums} == {"w", "w00000", "w00001"}


def test_short_workers_have_the_reason_in_the_detail(
        tmp_path: pathlib.Path) -> None:
    for number in range(3):
        put(tmp_path, f"w{number}", steps=90)
    put(tmp_path, "short", steps=8)
    put(tmp_path, "one", steps=1, job="alone")
    with tfprof.fleet.open(tmp_path) as fleet:
        assert {row["detail"] for row in fleet.excluded()} == {
            "8 steps; its job has 90", "1 step; min_steps is 2"}


def test_damaged_files_are_reported_whatever_their_bytes(
        tmp_path: pathlib.Path) -> None:
    few(tmp_path, 6)
    draw = random.Random(11)
    expected = set()
    for number, table in enumerate(fleets.TABLES * 2):
        file = put(tmp_path, f"bad{number}") / f"{table}.parquet"
        data = bytearray(file.read_bytes())
        if number < 4:
            data = data[:draw.randrange(len(data))]
        else:
            data[-60:-8] = draw.randbytes(52)
        file.write_bytes(data)
        expected.add(f"j/bad{number}: damaged {table}.parquet")
    with tfprof.fleet.open(tmp_path) as fleet:
        found = {row["detail"] for row in fleet.excluded()}
        assert found == expected
        assert fleet.report().sections["steps"][0]["steps"] == 6 * 20


def test_tables_of_an_engine_without_header_are_excluded() -> None:
    tables = in_memory(10, 1)
    tables["header"] = tables["header"].slice(1)
    with tfprof.fleet.open(None, connected(tables)) as fleet:
        found = fleet.excluded()
        assert [(row["worker"], row["detail"]) for row in found] == [
            ("w0", "rows without a header")]
        assert len(fleet.stragglers(top=20)) == 9


def test_tables_of_an_engine_without_rows_are_not_merged() -> None:
    made = [fleets.worker(base(3), numpy.random.default_rng(number), "j",
                          f"w{number}", steps=20)[0] for number in range(10)]
    connection = duckdb.connect()
    for table in fleets.TABLES:
        connection.register(table, pyarrow.concat_tables(
            [tables[table] for tables in made[table == "rows":]]))
    with tfprof.fleet.open(None, connection) as fleet:
        report, found = fleet.report(), fleet.excluded()
    assert [(row["reason"], row["worker"], row["detail"]) for row in found] == [
        ("incomplete", "w0", "a header without rows")]
    assert (report.fleet["workers"], report.fleet["excluded"]) == (10, 1)
    assert report.sections["steps"][0]["steps"] == 9 * 20


# ---- Labels and compact -----------------------------------------------------

def test_labels_select_tables_that_have_them(tmp_path: pathlib.Path) -> None:
    few(tmp_path / "a", 9, job="a", labels={"zone": "x'y\\z"})
    few(tmp_path / "b", 8, job="b", labels={"zone": "other", "rack": "1"})
    few(tmp_path / "c", 7, job="c")
    for where, count in (({}, 24), ({"zone": "x'y\\z"}, 9), ({"rack": "1"}, 8),
                         ({"job": "c"}, 7)):
        with tfprof.fleet.open(tmp_path, where=where) as fleet:
            assert fleet.report().fleet["workers"] == count
            assert fleet.report().sections["steps"][0]["steps"] == 20 * count
    with tfprof.fleet.open(tmp_path, where={"zone": "none"}) as fleet, \
            pytest.raises(tfprof.ReadError, match="no worker has these"):
        fleet.report()


def everything(folder: pathlib.Path, table: str) -> list[Any]:
    found: list[Any] = duckdb.sql(
        f"SELECT * FROM read_parquet('{folder}/**/{table}.parquet', "
        "hive_partitioning = false, union_by_name = true) ORDER BY ALL"
        ).fetchall()
    return found


def test_compact_has_the_same_rows_and_answers(tmp_path: pathlib.Path) -> None:
    folder, out = tmp_path / "many", tmp_path / "few"
    jobs = ("a", "b/../c", "", "x=1", ".hidden", "\u00fc'")
    for number, job in enumerate(jobs):
        few(folder / str(number), 10, job=job, seed=number,
            slow=3 if number == 1 else None)
    put(folder, "other", job="a", graph="00000000000000b2")
    result = tfprof.fleet.compact(folder, out)
    assert [row["files"] for row in result] == [len(jobs)] * 4
    assert len(list(out.rglob("*.parquet"))) == 4 * len(jobs)
    assert {path.parent.parent for path in out.rglob("*.parquet")} == {out}
    for table in fleets.TABLES:
        same = everything(folder, table)
        assert everything(out, table) == same
        assert len(same) == next(row["rows"] for row in result
                                 if row["table"] == table)
    assert alike(answers(folder), answers(out))
    assert not list(tmp_path.glob(".compact*"))
    again = tmp_path / "again"
    tfprof.fleet.compact(out, again)
    assert everything(again, "histogram") == everything(out, "histogram")
    with pytest.raises(tfprof.OptionError, match="exists; give a new folder"):
        tfprof.fleet.compact(folder, out)


# ---- Engines ----------------------------------------------------------------

ASK = """
import json, sys
import tfprof.fleet
path, kind = sys.argv[1:]
if kind == "chdb":
    from chdb import session
    engine = session.Session()
else:
    import local_spark
    engine = local_spark.session()
with tfprof.fleet.open(path, engine) as fleet:
    print(json.dumps([fleet.report().sections, fleet.stragglers().sections,
                      fleet.excluded().sections,
                      fleet.changes("a*", "b").sections]))
"""


@pytest.mark.parametrize("kind", ["chdb", "spark"])
def test_engines_give_equal_answers(tmp_path: pathlib.Path, kind: str) -> None:
    """Each engine runs in its own process, because each has its own threads and
    allocator."""
    few(tmp_path / "tables", 12, job="a'\\x", slow=3, steps=80)
    few(tmp_path / "tables" / "more", 9, job="b")
    put(tmp_path / "tables", "other", job="b", graph="00000000000000b2")
    for at in range(10):  # a group with an operation that others do not have
        put(tmp_path / "tables", f"g{at}", job="g", steps=90,
            slow=2.0 if at == 3 else 1.0)
    for at in range(12):
        put(tmp_path / "tables", f"h{at}", job="g", steps=90,
            change=without(fleets.SLOW_OP))
    for at, name in enumerate(("w/a", "w/a", "v/a", "v/b")):
        fleets.write(prefix_of(name, 20, 20), tmp_path / "tables" / str(at))
    done = subprocess.run(
        [sys.executable, "-c", ASK, tmp_path / "tables", kind],
        capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    with tfprof.fleet.open(tmp_path / "tables") as fleet:
        changes = fleet.changes("a*", "b").sections
    expected = [*answers(tmp_path / "tables"), changes]
    assert [row["worker"] for row in expected[1]["workers"]
            if row["named"]] == ["g3", "w00003"]
    assert [row["reason"] for row in expected[2]["list"]] == [
        "other graph", "written twice"]
    assert alike(json.loads(done.stdout.strip().splitlines()[-1]), expected)
