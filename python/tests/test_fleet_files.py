"""tfprof.fleet: names of folders, jobs and labels, damaged files, compact."""

# labels: long

from __future__ import annotations

import functools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from typing import Any

import duckdb
import fleets
import numpy
import pyarrow.fs
import pyarrow.parquet
import pytest

import tfprof
import tfprof.fleet
from tfprof import _remote
from tfprof.fleet import __main__ as command
from tfprof.fleet import _engines, _files

COMMANDS = ("report", "stragglers", "excluded")


@functools.cache
def template() -> Any:
    return fleets.written_template(3)


def put(folder: pathlib.Path, name: str, *, job: str = "j",
        **how: Any) -> pathlib.Path:
    """Writes one worker."""
    tables, _ = fleets.worker(
        template(), numpy.random.default_rng(list(name.encode())), job, name,
        **{"steps": 20, **how})
    return pathlib.Path(fleets.write(tables, folder))


def workers(path: Any, **how: Any) -> Any:
    with tfprof.fleet.open(path, **how) as fleet:
        return fleet.report().fleet["workers"]


def lost(path: Any, **how: Any) -> list[Any]:
    with tfprof.fleet.open(path, **how) as fleet:
        return [(row["reason"], row["worker"], row["detail"])
                for row in fleet.excluded()]


def cut(file: pathlib.Path, size: int = -40) -> None:
    file.write_bytes(file.read_bytes()[:size])


# ---- Damaged files ----------------------------------------------------------

def test_each_report_excludes_a_folder_with_a_cut_table(
        tmp_path: pathlib.Path) -> None:
    for number in range(4):
        put(tmp_path / f"w{number}", f"w{number}")
    cut(tmp_path / "w2" / "histogram.parquet")
    for name in COMMANDS:
        with tfprof.fleet.open(tmp_path) as fleet:
            found = getattr(fleet, name)().fleet
        assert (found["workers"], found["excluded_folders"]) == (3, 1), name


def test_excluded_reads_files_as_a_whole(tmp_path: pathlib.Path) -> None:
    for number in range(3):
        put(tmp_path / f"w{number}", f"w{number}")
    file = tmp_path / "w1" / "histogram.parquet"
    data = bytearray(file.read_bytes())
    data[20:60] = bytes(40)  # the end of the file is intact
    file.write_bytes(data)
    assert lost(tmp_path) == [
        ("unreadable", "", "w1: damaged histogram.parquet")]


def test_damaged_metadata_excludes_only_its_folder(
        tmp_path: pathlib.Path) -> None:
    """DuckDB has many errors for damaged metadata. After some of them, it
    refuses all queries. It also rejects files that pyarrow reads."""
    for number in range(3):
        put(tmp_path / f"w{number}", f"w{number}")
    draw = random.Random(6)
    counts = []
    for number in range(16):
        file = tmp_path / "w1" / f"{fleets.TABLES[number % 4]}.parquet"
        data = file.read_bytes()
        bad = bytearray(data)
        size = int.from_bytes(data[-8:-4], "little")
        bad[draw.randrange(len(data) - 8 - size, len(data) - 8)] ^= 0xff
        file.write_bytes(bad)
        with tfprof.fleet.open(tmp_path) as fleet:
            found = fleet.report().fleet
        assert found["workers"] + found["excluded_folders"] == 3
        counts.append(found["excluded_folders"])
        assert len(lost(tmp_path)) >= counts[-1]
        file.write_bytes(data)
    assert sum(counts) > 4


@pytest.mark.parametrize("table, column", [
    ("rows", "sum"), ("histogram", "count")])
def test_column_of_another_type_excludes_only_its_folder(
        tmp_path: pathlib.Path, table: str, column: str) -> None:
    """DuckDB uses the types of the first file."""
    for number in range(3):
        put(tmp_path / f"w{number}", str(number))
    file = tmp_path / "w0" / f"{table}.parquet"
    found = pyarrow.parquet.read_table(file, partitioning=None)
    text = found[column].cast(pyarrow.string())
    pyarrow.parquet.write_table(found.set_column(
        found.schema.get_field_index(column), column, text), file)
    assert workers(tmp_path) == 2
    assert lost(tmp_path) == [
        ("unreadable", "", f"w0: damaged {table}.parquet")]


def test_types_that_pyarrow_does_not_support_are_damage(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed byte can make an integer of 128 bits."""
    for number in range(2):
        put(tmp_path / f"w{number}", f"w{number}")
    opened = pyarrow.parquet.ParquetFile

    def unsupported(path: str, **how: Any) -> Any:
        if path.endswith("w1/rows.parquet"):
            raise pyarrow.lib.ArrowNotImplementedError(
                "Integers with more than 64 bits not implemented")
        return opened(path, **how)

    monkeypatch.setattr(pyarrow.parquet, "ParquetFile", unsupported)
    assert lost(tmp_path) == [("unreadable", "", "w1: damaged rows.parquet")]


def test_invalid_database_of_the_caller_is_not_a_damaged_file(
        tmp_path: pathlib.Path) -> None:
    put(tmp_path / "w", "w")

    class Invalid:
        def execute(self, sql: str) -> Any:
            raise duckdb.FatalException("database has been invalidated")

    with tfprof.fleet.open(tmp_path, _engines.DuckDB(Invalid())) as fleet:
        with pytest.raises(tfprof.ReadError, match="DuckDB: database has been"):
            fleet.report()
        assert fleet._tree is not None and len(fleet._tree.folders) == 1


def test_engine_that_refuses_all_queries_is_replaced(
        tmp_path: pathlib.Path) -> None:
    """A file that pyarrow reads causes an internal error of DuckDB."""
    for number in range(3):
        put(tmp_path / f"w{number}", f"w{number}")
    bad = f"{tmp_path}/w1/steps.parquet"

    class Fragile:
        def __init__(self) -> None:
            self.connection = duckdb.connect()
            self.failed = False

        def execute(self, sql: str) -> Any:
            self.failed |= bad in sql
            if self.failed:
                raise duckdb.FatalException("database has been invalidated")
            return self.connection.execute(sql)

        def close(self) -> None:
            self.connection.close()

    engine = _engines.DuckDB()
    engine._connected = Fragile  # type: ignore[method-assign]
    engine.recover()
    with tfprof.fleet.open(tmp_path, engine) as fleet:
        assert fleet.report().fleet["excluded_folders"] == 1
        assert [row["detail"] for row in fleet.excluded()] == [
            "w1: damaged steps.parquet"]


def test_errors_that_no_file_causes_check_no_file(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "w", "w")

    def unexpected(tree: Any) -> bool:
        raise AssertionError("reads every file")

    monkeypatch.setattr(_files.Tree, "drop_unreadable", unexpected)
    with tfprof.fleet.open(tmp_path) as fleet:
        engine: Any = fleet._engine
        engine.connection.execute("SET memory_limit = '100KB'")
        with pytest.raises(tfprof.ReadError, match="Out of Memory"):
            fleet.report()
    with pytest.raises(tfprof.OptionError, match="'zone'; the labels are "
                       "job, worker"):
        workers(tmp_path, where={"zone": "x"})


@pytest.fixture
def store(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An address that the file system of pyarrow reads from a folder."""
    monkeypatch.setattr(_remote, "filesystem", lambda path: (
        pyarrow.fs.LocalFileSystem(), f"{tmp_path}/{path[5:]}"))
    return "s3://fleet"


def test_object_store_excludes_damaged_files(tmp_path: pathlib.Path,
                                             store: str) -> None:
    for number in range(6):
        put(tmp_path / "fleet" / f"w{number}", f"w{number}")
    for number, table in enumerate(fleets.TABLES):
        cut(tmp_path / "fleet" / f"w{number}" / f"{table}.parquet")
    put(tmp_path / "fleet" / ".compact-x" / "c", "c")  # ignored
    assert workers(store) == 2
    assert len(lost(store)) == 4
    with pytest.raises(tfprof.ReadError, match="s3://none: no object or"):
        tfprof.fleet.open("s3://none")


def test_object_store_has_files_with_different_labels(
        tmp_path: pathlib.Path, store: str) -> None:
    put(tmp_path / "fleet" / "a", "a")
    put(tmp_path / "fleet" / "b", "b", labels={"y": "1", "x": "2"})
    put(tmp_path / "fleet" / "c", "c", labels={"x": "2", "y": "3"})
    assert [workers(store), workers(store, where={"x": "2"}),
            workers(store, where={"y": "1"})] == [3, 2, 1]
    tfprof.fleet.compact(store, tmp_path / "out")
    assert workers(tmp_path / "out", where={"y": "3"}) == 1


def test_connection_of_the_caller_keeps_no_views(tmp_path: pathlib.Path,
                                                 store: str) -> None:
    put(tmp_path / "fleet" / "a", "a")
    connection = duckdb.connect()
    with tfprof.fleet.open(store, connection) as fleet:
        fleet.report()
    assert connection.execute("SELECT view_name FROM duckdb_views() WHERE "
                              "NOT internal").fetchall() == []


def test_duckdb_writes_nothing_to_the_current_folder(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("here", "scratch"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    engine = _engines.DuckDB(memory="40MB", threads=1)
    engine.keep("large", "SELECT HASH(range) AS a, HASH(range + 1) AS b FROM "
                "range(8000000)")
    assert os.listdir(tmp_path / "here") == []
    assert len(os.listdir(tmp_path / "scratch")) == 1
    engine.close()
    assert os.listdir(tmp_path / "scratch") == []


# ---- Names ------------------------------------------------------------------

def test_folder_names_are_not_patterns(tmp_path: pathlib.Path) -> None:
    names = ("w1", "w[1]", "w*", "w?", "**", "{a,b}", "QUANTILE(x, 0.5)", "'")
    for name in names:
        put(tmp_path / "in" / name, name, job="QUANTILE(y, 0.5)")
    assert workers(tmp_path / "in") == len(names)
    assert lost(tmp_path / "in") == []
    with tfprof.fleet.open(tmp_path / "in") as fleet:
        found = fleet.stragglers(top=20)
    assert {row["worker"] for row in found} == set(names)
    assert {row["job"] for row in found} == {"QUANTILE(y, 0.5)"}
    tfprof.fleet.compact(tmp_path / "in" / "w[1]", tmp_path / "out[1]*")
    assert workers(tmp_path / "out[1]*") == 1


def test_labels_can_be_words_of_sql(tmp_path: pathlib.Path) -> None:
    put(tmp_path / "a", "a", labels={"order": "1", "group": "x"})
    put(tmp_path / "b", "b", labels={"order": "2", "group": "x"}, job="k")
    assert workers(tmp_path, where={"order": "2", "group": "x"}) == 1
    with tfprof.fleet.open(tmp_path) as fleet:
        assert len(fleet.changes("order=1", "order=2")) == 4
        with pytest.raises(tfprof.OptionError, match="base: no table has the "
                           "label 'none'; the labels are job, worker, order"):
            fleet.changes("none=1", "order=2")


def test_symbolic_links_are_followed_once(tmp_path: pathlib.Path) -> None:
    put(tmp_path / "in" / "a", "a")
    put(tmp_path / "elsewhere", "b")
    put(tmp_path / "in" / ".compact-x" / "c", "c")
    (tmp_path / "in" / "loop").symlink_to(".")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "elsewhere")
    assert workers(tmp_path / "in") == 2
    assert lost(tmp_path / "in") == []


def test_folders_that_cannot_be_listed_are_excluded(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "in" / "a", "a")
    put(tmp_path / "in" / "secret" / "b", "b")
    scandir = os.scandir

    def refused(path: Any = ".") -> Any:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    assert lost(tmp_path / "in") == [
        ("unreadable", "", "secret: cannot list: Permission denied")]
    with pytest.raises(tfprof.ReadError, match="secret: cannot list"):
        tfprof.fleet.compact(tmp_path / "in", tmp_path / "out")


def test_folder_that_is_removed_while_it_is_listed_is_excluded(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "a", "a")
    put(tmp_path / "gone", "b")
    stat = os.stat

    def missing(path: Any, **how: Any) -> Any:
        if str(path).endswith("gone"):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return stat(path, **how)

    monkeypatch.setattr(os, "stat", missing)
    assert lost(tmp_path) == [
        ("unreadable", "", "gone: cannot list: No such file or directory")]


def test_names_of_folders_do_not_depend_on_the_current_folder(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "in" / "a", "a")
    (put(tmp_path / "in" / "b", "b") / "steps.parquet").unlink()
    monkeypatch.chdir(tmp_path)
    with tfprof.fleet.open("in") as fleet:
        monkeypatch.chdir("/")
        assert fleet.excluded().rows[0]["detail"] == "b: missing steps.parquet"


def test_names_that_are_not_utf8_are_excluded(tmp_path: pathlib.Path) -> None:
    put(tmp_path / "in" / "a", "a")
    odd = tmp_path / "in" / os.fsdecode(b"b\xff")
    try:
        put(tmp_path / "b", "b").rename(odd)
    except (OSError, UnicodeEncodeError):
        pytest.skip("the file system has only names in UTF-8")
    assert lost(tmp_path / "in") == [
        ("unreadable", "", "b\\xff: its name is not UTF-8")]
    tfprof.fleet.compact(tmp_path / "in", tmp_path / "out")
    assert [row[0] for row in lost(tmp_path / "out")] == ["unreadable"]
    with tfprof.fleet.open(odd) as fleet, pytest.raises(
            tfprof.ReadError, match="its name is not UTF-8"):
        fleet.report()


# ---- Compact ----------------------------------------------------------------

def test_compact_keeps_labels_that_later_files_have(
        tmp_path: pathlib.Path) -> None:
    put(tmp_path / "in" / "a", "a")
    put(tmp_path / "in" / "b", "b", labels={"zone": "x"})
    tfprof.fleet.compact(tmp_path / "in", tmp_path / "out")
    for folder in ("in", "out"):
        assert workers(tmp_path / folder, where={"zone": "x"}) == 1


def test_compact_keeps_labels_that_are_names_of_columns(
        tmp_path: pathlib.Path) -> None:
    put(tmp_path / "in" / "a", "a", labels={"filename": "x"})
    put(tmp_path / "in" / "b", "b", labels={"__filename": "y"})
    tfprof.fleet.compact(tmp_path / "in", tmp_path / "out")
    for label, value in (("filename", "x"), ("__filename", "y")):
        assert workers(tmp_path / "out", where={label: value}) == 1


def test_compact_replaces_an_empty_folder(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "in" / "a", "a")
    for name in ("real", "here"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to("real")
    tfprof.fleet.compact(tmp_path / "in", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    monkeypatch.chdir(tmp_path / "here")
    tfprof.fleet.compact(tmp_path / "in", ".")
    for name in ("real", "here"):
        assert workers(tmp_path / name) == 1
    (tmp_path / "disk").mkdir()
    monkeypatch.setattr(os.path, "ismount",
                        lambda path: str(path).endswith("disk"))
    with pytest.raises(tfprof.OptionError, match="give a new folder"):
        tfprof.fleet.compact(tmp_path / "in", tmp_path / "disk")


def test_compact_that_cannot_write_leaves_nothing(
        tmp_path: pathlib.Path) -> None:
    put(tmp_path / "in" / "a", "a")
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 2; exec "$@"', "sh", sys.executable, "-m",
         "tfprof.fleet", "compact", tmp_path / "in", tmp_path / "out"],
        capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "parquet: cannot write: DuckDB: " in done.stderr
    assert os.listdir(tmp_path) == ["in"]


def test_compact_keeps_what_reports_exclude(tmp_path: pathlib.Path) -> None:
    for name in ("a", "b", "c", "d/e"):
        put(tmp_path / "in" / name, name)
    (tmp_path / "in" / "b" / "header.parquet").unlink()
    cut(tmp_path / "in" / "c" / "histogram.parquet")
    cut(tmp_path / "in" / "d" / "e" / "steps.parquet")
    expected = sorted(row[:2] for row in lost(tmp_path / "in"))
    assert len(expected) == 3
    tfprof.fleet.compact(tmp_path / "in", tmp_path / "out")
    tfprof.fleet.compact(tmp_path / "out", tmp_path / "again")
    for out in ("out", "again"):
        found = lost(tmp_path / out)
        assert sorted(row[:2] for row in found) == expected
        assert [row[2] for row in found if "steps" in row[2]] == [
            "%excluded/d%2Fe: damaged steps.parquet"]
        assert workers(tmp_path / out) == 1


def test_compact_has_a_folder_for_each_job(tmp_path: pathlib.Path) -> None:
    jobs = ["x" * 250 + "1", "x" * 250 + "2", "Job", "job", "_j", ".j",
            "%excluded"]
    for number, job in enumerate(jobs):
        put(tmp_path / "in" / str(number), "w", job=job)
    tfprof.fleet.compact(tmp_path / "in", tmp_path / "out")
    names = os.listdir(tmp_path / "out")
    assert len({name.casefold() for name in names}) == len(jobs)
    assert not [name for name in names if name.startswith((".", "_"))]
    assert "Job" in names and "%5Fj" in names
    with tfprof.fleet.open(tmp_path / "out") as fleet:
        assert {row["job"] for row in fleet.stragglers(top=9)} == set(jobs)


def test_compact_reads_the_files_of_a_job_once(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        put(tmp_path / "in" / str(number), "w", job=f"j{number}")
    read = 0
    copy = _engines.DuckDB.copy

    def counted(engine: Any, sql: str, *args: Any) -> Any:
        nonlocal read
        read += sql.count(".parquet")
        return copy(engine, sql, *args)

    monkeypatch.setattr(_engines.DuckDB, "copy", counted)
    tfprof.fleet.compact(tmp_path / "in", tmp_path / "out")
    assert read == 4 * 6
    # A file with several jobs is filtered.
    header = pyarrow.parquet.read_table
    merged = tmp_path / "merged"
    merged.mkdir()
    for table in fleets.TABLES:
        pyarrow.parquet.write_table(
            pyarrow.concat_tables([header(
                tmp_path / "in" / str(number) / f"{table}.parquet")
                for number in range(2)]), merged / f"{table}.parquet")
    done = tfprof.fleet.compact(merged, tmp_path / "split")
    assert [row["files"] for row in done] == [2] * 4
    assert done.rows[3]["rows"] == 2
    assert workers(tmp_path / "split") == 2


def test_compact_writes_outside_of_its_input(tmp_path: pathlib.Path) -> None:
    put(tmp_path / "in" / "a", "a")
    with pytest.raises(tfprof.OptionError, match="give a folder outside"):
        tfprof.fleet.compact(tmp_path / "in", tmp_path / "in" / "x" / "out")
    assert os.listdir(tmp_path / "in") == ["a"]


# ---- Answers ----------------------------------------------------------------

def test_rows_of_several_devices_show_the_device(
        tmp_path: pathlib.Path) -> None:
    put(tmp_path / "a", "a")
    tables, _ = fleets.worker(template(), numpy.random.default_rng(1), "j",
                              "b", steps=20)
    with tfprof.fleet.open(tmp_path) as fleet:
        assert "device" not in fleet.report().to_text()
    rows = tables["rows"]
    for column, values in (
            ("device", ["GPU:1" if device else "" for device
                        in rows["device"].to_pylist()]),
            ("row", [row + 1 for row in rows["row"].to_pylist()])):
        at = rows.schema.get_field_index(column)
        rows = rows.set_column(at, rows.schema.field(column), [values])
    tables["rows"] = rows
    fleets.write(tables, tmp_path / "b")
    with tfprof.fleet.open(tmp_path) as fleet:
        report = fleet.report()
    text = report.to_text()
    operations = text[text.index("operations"):text.index("lines")]
    assert "device" in operations and "GPU:1" in operations
    assert "device" not in text[text.index("lines"):]
    assert "| device |" in report.to_markdown()
    assert ">device</th>" in report.to_html()


def test_json_of_each_report_has_its_name(tmp_path: pathlib.Path) -> None:
    put(tmp_path / "a", "a", steps=1)
    with tfprof.fleet.open(tmp_path) as fleet:
        found = json.loads(fleet.excluded().to_json())
    assert found["excluded"] == 1
    assert [row["reason"] for row in found["list"]] == ["too few steps"]


def test_write_checks_the_form_before_the_file(tmp_path: pathlib.Path) -> None:
    put(tmp_path / "a", "a", job="$a$ ~b~")
    with tfprof.fleet.open(tmp_path) as fleet:
        result = fleet.stragglers()
    (tmp_path / "out").write_text("kept")
    with pytest.raises(tfprof.OptionError, match="form: 'xml' is not one of"):
        result.write(tmp_path / "out", "xml")
    assert (tmp_path / "out").read_text() == "kept"
    with pytest.raises(tfprof.OutputError, match="no/out: cannot write: No"):
        result.write(tmp_path / "no" / "out", "json")
    result.write(tmp_path / "out", "markdown")
    assert "\\$a\\$ \\~b\\~" in (tmp_path / "out").read_text()


def test_open_rejects_modules_and_values_that_are_not_text(
        tmp_path: pathlib.Path) -> None:
    put(tmp_path / "a", "a")
    for how, why in (
            ({"engine": duckdb}, "duckdb is a module; give a connection"),
            ({"where": {"day": 3}}, "where: day: 3 is not text"),
            ({"memory": "nonsense"}, "memory 'nonsense', threads \\d: Parser"),
            ({"threads": -3}, "memory '1GB', threads -3: "),
            ({"min_steps": 10 ** 10}, "min_steps: 10000000000 is not a count")):
        with pytest.raises(tfprof.OptionError, match=why):
            tfprof.fleet.open(tmp_path, **how)
    with pytest.raises(tfprof.OptionError, match="'row' is not a table; the "
                       "tables are rows, histogram, steps, header"):
        tfprof.fleet.open(None, duckdb.connect(), tables={"row": "x"})


# ---- Command line -----------------------------------------------------------

def run(*words: Any, code: int, out: Any = subprocess.PIPE,
        **env: str) -> tuple[Any, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tfprof.fleet", *map(str, words)], stdout=out,
        stderr=subprocess.PIPE, check=False, env={**os.environ, **env})
    told = done.stderr.decode()
    assert done.returncode == code and "Traceback" not in told, told
    return done.stdout, told


def test_command_reports_problems_without_traceback(
        tmp_path: pathlib.Path) -> None:
    put(tmp_path / "a", "a", job="\u00fc")
    for words, why in (
            (["--memory", "nonsense"], "memory 'nonsense'"),
            (["--top", "9" * 19], "is not a count; give 1 to 1,000,000,000"),
            (["--where", "worker=a", "--where", "worker=b"],
             "label 'worker' has two values; give one")):
        assert why in run("report", tmp_path, *words, code=2)[1]
    found, _ = run("stragglers", tmp_path, code=0, PYTHONIOENCODING="ascii")
    assert "\u00fc".encode() in found
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m",
         "tfprof.fleet", "report", tmp_path], stderr=subprocess.PIPE,
        check=False)
    assert (closed.returncode, closed.stderr) == (
        3, b"tfprof.fleet: standard output: cannot write: closed\n")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            _, why = run("report", tmp_path, code=3, out=full)
        assert "standard output: cannot write: No space left" in why


def test_interrupt_exits_without_traceback(
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(args: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_run", interrupted)
    assert command.main(["report", "."]) == 130
    assert capsys.readouterr() == ("", "")


def test_interrupted_query_is_an_interrupt() -> None:
    class Interrupted:
        def execute(self, sql: str) -> Any:
            raise RuntimeError("Query interrupted")  # as DuckDB does

    with pytest.raises(KeyboardInterrupt):
        _engines.DuckDB(Interrupted()).rows("SELECT 1")


# ---- Engines ----------------------------------------------------------------

CLICKHOUSE = """
import json, sys
import chdb.session, tfprof, tfprof.fleet
path = sys.argv[1]
engine = chdb.session.Session()
engine.query("SET max_query_size = 4000")
found = []
for where in ({}, {"a": "1"}, {"b": "1"}, {"order": "x"}):
    with tfprof.fleet.open(path, engine, where=where) as fleet:
        found.append(fleet.report().fleet["workers"])
with tfprof.fleet.open(path, engine) as fleet:
    found.append([row["reason"] for row in fleet.excluded()])
for name, where in (("::", {}), ("", {"no": "1"})):
    try:
        with tfprof.fleet.open(path + name, engine, where=where) as fleet:
            fleet.report()
    except tfprof.OptionError as error:
        found.append(str(error))
found.append(str(engine.query("SELECT value FROM system.settings WHERE "
                              "name = 'max_query_size'")).strip())
print(json.dumps(found))
"""

SPARK = """
import json, sys
import local_spark
import tfprof, tfprof.fleet
path = sys.argv[1]
engine = local_spark.session()
found = []
with tfprof.fleet.open(path, engine, where={"order": "x"}) as fleet:
    found.append([fleet._answer(lambda: fleet._fleet[key])
                  for key in ("workers", "excluded_folders")])
with tfprof.fleet.open(path + "/odd", engine,
                       where={"job": "${env:HOME}"}) as fleet:
    found.append(fleet._answer(lambda: fleet._fleet["workers"]))
for path in (path, path + "/missing"):
    try:
        tfprof.fleet.open("file://" + path, engine).excluded()
    except tfprof.ReadError as error:
        found.append(str(error))
print(json.dumps(found))
"""


def asked(script: str, *words: Any) -> Any:
    done = subprocess.run([sys.executable, "-c", script, *map(str, words)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.parametrize("kind", ["chdb", "spark"])
def test_engines_read_different_labels_and_damaged_files(
        tmp_path: pathlib.Path, kind: str) -> None:
    folder = tmp_path / "in"
    put(folder / "none", "none")
    put(folder / "x" / "ab", "ab", labels={"a": "1", "b": "2"})
    put(folder / "y" / "ba", "ba", labels={"b": "1", "a": "2"})
    put(folder / "y" / ("n" * 75), "o", labels={"order": "x"})
    cut(put(folder / "y" / "z", "bad") / "header.parquet")
    if kind == "chdb":
        put(folder / "y", "above")
        put(tmp_path / "in::", "x")
        *found, colons, label, size = asked(CLICKHOUSE, folder)
        assert found == [5, 1, 1, 1, ["unreadable"]]
        assert "cannot read a path with one of {},*?\\ or ::" in colons
        assert "'no'; the labels are job, worker, a, b, order" in label
        assert size == '"4000"'
    else:
        put(folder / "odd" / "w[1]{2}*?\\", "w", job="${env:HOME}")
        put(folder / "odd" / "w1", "w1")
        *found, damaged, missing = asked(SPARK, folder)
        assert found == [[1, 1], 1]
        assert "header.parquet" in damaged
        assert f"{folder}/missing" in missing
