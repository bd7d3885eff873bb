"""Fleets of traces: each worker has another host name. The rows of all workers
must merge."""

from __future__ import annotations

import datetime
import json
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import duckdb
import fleets
import pyarrow.parquet
import pytest

import tfprof
import tfprof.fleet

MANY = 300  # workers
ROWS = 1 + 10 + 10  # the scope, and each kernel on each device in two views


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Eight workers, of which w3 is slow."""
    return pathlib.Path(fleets.host_fleet(tmp_path_factory.mktemp("hosts")))


CHDB = """
import json, sys
import chdb.session, fleets, tfprof.fleet
with tfprof.fleet.open(sys.argv[1], chdb.session.Session()) as fleet:
    print(json.dumps(fleets.slow_host(fleet)))
"""


def asked(script: str, *words: Any) -> Any:
    done = subprocess.run([sys.executable, "-c", script, *map(str, words)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.parametrize("engine", ["duckdb", "chdb"])
def test_the_slow_host_is_the_only_straggler(hosts: pathlib.Path,
                                             engine: str) -> None:
    if engine == "chdb":
        found = asked(CHDB, hosts)
    else:
        with tfprof.fleet.open(hosts) as fleet:
            found = fleets.slow_host(fleet)
    assert found == fleets.SLOW_HOST


def test_report_has_one_row_for_each_operation_and_device(
        hosts: pathlib.Path) -> None:
    with tfprof.fleet.open(hosts) as fleet:
        rows = fleet.report(top=100).sections["op"]
    assert {(row["name"], row["device"]) for row in rows} == {
        (f"Kernel{k}", device) for k in range(5) for device in fleets.DEVICES}
    assert len(rows) == 10
    assert {row["workers"] for row in rows} == {8}
    for row in rows:
        slow = 10 if row["name"] == "Kernel4" else 8  # w3 counts three times
        assert row["total_ns"] == (slow * 3 * fleets.MS // 100 // 1000
                                   * fleets.DEVICES[row["device"]])


def test_many_hosts_have_as_many_rows_as_one(
        tmp_path: pathlib.Path) -> None:
    tables = fleets.host_fleet(tmp_path, MANY, slow=-1)
    counts = [pyarrow.parquet.read_metadata(path).num_rows
              for path in tables.glob("*/rows.parquet")]
    merged = duckdb.execute("SELECT COUNT(DISTINCT row), COUNT(DISTINCT "
                            "(view, name, op_type, device, program, kind)) "
                            f"FROM '{tables}/*/rows.parquet'").fetchone()
    assert len(counts) == MANY and set(counts) == {ROWS}
    assert merged == (ROWS, ROWS)


# ---- Older tables -----------------------------------------------------------

OLDER = ("header.parquet has the schema 1: its ids contain the host name, so "
         "rows of different hosts do not merge; write the tables again with "
         "tfprof aggregate")


@pytest.mark.parametrize("number", [0, 5])
def test_folders_of_an_older_schema_are_excluded(
        tmp_path: pathlib.Path, number: int) -> None:
    tables = fleets.host_fleet(tmp_path, 9)
    with tfprof.fleet.open(tables) as fleet:
        assert fleet.report().fleet["workers"] == 9
    fleets.make_older(tables / f"w{number}")
    with tfprof.fleet.open(tables) as fleet:
        assert fleets.slow_host(fleet) == fleets.SLOW_HOST
        found = fleet.excluded()
    assert [(row["reason"], row["detail"]) for row in found] == [
        ("other schema", f"w{number}: {OLDER}")]
    assert found.fleet["excluded_folders"] == 1
    tfprof.fleet.compact(tables, tmp_path / "small")
    with tfprof.fleet.open(tmp_path / "small") as fleet:
        assert fleets.slow_host(fleet) == fleets.SLOW_HOST
        assert [row["reason"] for row in fleet.excluded()] == ["other schema"]


def test_a_fleet_of_an_older_schema_is_an_error(
        tmp_path: pathlib.Path) -> None:
    tables = fleets.host_fleet(tmp_path, 2)
    for number in range(2):
        fleets.make_older(tables / f"w{number}")
    with (tfprof.fleet.open(tables) as fleet,
          pytest.raises(tfprof.ReadError) as error):
        fleet.report()
    assert str(error.value) == (f"{tables}/w0: other schema: {OLDER}; no other "
                                "folder has tables")


def test_tables_of_an_engine_with_an_older_schema_are_an_error(
        tmp_path: pathlib.Path) -> None:
    tables = fleets.host_fleet(tmp_path, 1)
    fleets.make_older(tables / "w0")
    connection = duckdb.connect()
    for table in fleets.TABLES:
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM "
                           f"'{tables}/w0/{table}.parquet'")
    with (tfprof.fleet.open(None, connection) as fleet,
          pytest.raises(tfprof.ReadError, match="header has the schema 1: "
                        "its ids contain the host name")):
        fleet.report()


NEWER = {  # values of a column that this version does not know
    "number": lambda at: at, "real": lambda at: at / 2,
    "truth": lambda at: at % 2 == 0, "text": str,
    "time": datetime.datetime.fromtimestamp,
    "list": lambda at: [at, None], "struct": lambda at: {"a": at},
    "null": lambda at: None}


def add_newer(tables: pathlib.Path, numbers: tuple[int, ...],
              values: Any) -> None:
    for number in numbers:
        for table in fleets.TABLES:
            path = tables / f"w{number}" / f"{table}.parquet"
            found = pyarrow.parquet.read_table(path)
            pyarrow.parquet.write_table(found.append_column(
                "newer", [list(map(values, range(len(found))))]), path)


IN_CHDB = """
import json, sys
import chdb.session, fleets, tfprof.fleet
for path in sys.argv[1:]:
    with tfprof.fleet.open(path, chdb.session.Session()) as fleet:
        answer = [fleets.slow_host(fleet),
                  [row["detail"] for row in fleet.excluded()]]
        fleet.report()
    print(json.dumps(answer))
"""


def test_columns_of_a_newer_version_are_ignored(
        hosts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """In the first tables or in later ones, in several types, and beside a torn
    file."""
    paths = []
    for at, (kind, values) in enumerate(NEWER.items()):
        paths.append(tmp_path / kind)
        shutil.copytree(hosts, paths[-1])
        add_newer(paths[-1], (0, 5) if at % 2 else (4,), values)
    add_newer(tmp_path / "text", (6,), NEWER["number"])
    shutil.copytree(hosts / "w1", tmp_path / "struct" / "torn")
    (tmp_path / "struct" / "torn" / "rows.parquet").write_bytes(b"PAR1")
    lost = [["torn: damaged rows.parquet"] if path.name == "struct" else []
            for path in paths]
    for path, details in zip(paths, lost):
        with tfprof.fleet.open(path) as fleet:
            assert fleets.slow_host(fleet) == fleets.SLOW_HOST, path
            assert fleet.report().fleet["workers"] == 8
            assert [row["detail"] for row in fleet.excluded()] == details, path
    done = subprocess.run([sys.executable, "-c", IN_CHDB, *paths],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        [fleets.SLOW_HOST, details] for details in lost]


# ---- Programs ---------------------------------------------------------------

def test_the_program_is_shown_if_names_are_equal(
        tmp_path: pathlib.Path) -> None:
    def of_two(tables: Any) -> None:
        """The rows of Mul are instructions of another program."""
        rows = tables["rows"].to_pydict()
        for at, name in enumerate(rows["name"]):
            if rows["view"][at] == "op" and name in ("Mul", "MatMul"):
                rows["program"][at] = f"jit_{name}@0123456789abcdef"
                rows["name"][at] = "MatMul"
        tables["rows"] = pyarrow.Table.from_pydict(
            rows, schema=tables["rows"].schema)

    for number in range(8):
        tables, _ = fleets.worker(
            fleets.written_template(3), fleets.numpy.random.default_rng(number),
            "j", f"w{number}", steps=20)
        fleets.write(tables, tmp_path / "one" / f"w{number}")
        of_two(tables)
        fleets.write(tables, tmp_path / "two" / f"w{number}")
    with tfprof.fleet.open(tmp_path / "one") as fleet:
        assert "program" not in fleet.report().to_text()
    with tfprof.fleet.open(tmp_path / "two") as fleet:
        report = fleet.report()
    assert {row["program"] for row in report.sections["op"]
            if row["name"] == "MatMul"} == {
        "jit_Mul@0123456789abcdef", "jit_MatMul@0123456789abcdef"}
    operations = report.to_text()
    operations = operations[operations.index("operations"):]
    head = operations.splitlines()[1].split()
    assert head[-2:] == ["name", "program"]
