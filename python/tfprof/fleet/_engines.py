"""The engines that read the tables: DuckDB, Spark and ClickHouse.

An engine has tables by name, runs SQL, and can keep the result of a query for
later queries. Nothing is merged in Python.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import secrets
import tempfile
import types
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tfprof._errors import Error, OptionError, OutputError, ReadError
from tfprof.fleet import _sql

TABLES = ("rows", "histogram", "steps", "header")
SCHEMA = 2  # the version of the tables that reports read
NUMBERS = frozenset((  # the columns with integers
    "row", "depth", "count", "sum", "self_sum", "squares_hi", "squares_lo",
    "min", "max", "runs", "bucket", "step", "wall_ns", "device_ns", "busy_ns",
    "input_wait_ns", "compute_ns", "collective_ns", "schema", "steps",
    "first_step", "last_step", "rows", "dropped", "inputs", "damaged"))
TEXTS = frozenset((  # the columns with text; others can have any type
    "job", "worker", "view", "name", "op_type", "device", "program", "kind",
    "graph", "tfprof", "producer", "machine", "problems"))
FILES = tuple(f"{table}.parquet" for table in TABLES)
UNREADABLE = (OSError, ValueError, NotImplementedError)  # errors of pyarrow
Row = dict[str, Any]
_T = TypeVar("_T")


class FileError(ReadError):
    """An engine cannot read a file. The file may be damaged, or its columns may
    differ from those of other files."""


class OtherColumns(FileError):
    """The first file lacks a label that another file may have."""


class Engine:
    """The operations that the reports need from an engine."""

    name = ""
    quantile = ""  # \1 is the column, \2 the quantile

    def __init__(self) -> None:
        self.sources: dict[str, str] = {}

    def read(self, table: str, paths: Sequence[str], filesystem: Any,
             alike: bool) -> None:
        """Makes files the source of a table. alike: all files have the same
        columns."""
        raise NotImplementedError

    def rows(self, sql: str) -> list[Row]:
        """The result of a query."""
        raise NotImplementedError

    def keep(self, name: str, sql: str) -> str:
        """The result of a query, as text that can follow FROM."""
        raise NotImplementedError

    def columns(self, table: str) -> list[str]:
        """The names of the columns of a table."""
        raise NotImplementedError

    def literal(self, value: str) -> str:
        return _sql.quoted(value)

    def identifier(self, name: str) -> str:
        """A column name that can be a word of SQL."""
        return f"`{name}`"

    def is_about_files(self, error: Exception) -> bool:
        """Whether damaged files, or files with different columns, can cause
        this error."""
        return False

    def recover(self) -> None:
        """Makes the engine usable after an error of a file. The kept results
        and the sources may be lost."""

    def can_read(self, path: str) -> bool:
        """Whether the engine can read a local file that pyarrow can read."""
        return True

    def _failed(self, error: Exception) -> ReadError:
        """The error of an engine: the first line that names the problem. Spark
        puts a line "An error occurred while calling ..." before it."""
        lines = str(error).strip().splitlines() or [type(error).__name__]
        line = next((line.lstrip(": ") for line in lines
                     if not line.startswith("An error occurred")), lines[0])
        kind = FileError if self.is_about_files(error) else ReadError
        return kind(f"{self.name}: {line}")

    def translated(self, sql: str) -> str:
        return _sql.QUANTILE.sub(self.quantile, sql)

    def close(self) -> None:
        """Drops the kept results."""


class DuckDB(Engine):
    """DuckDB in this process. Without a connection, it creates one with limits
    of memory and threads."""

    name = "DuckDB"
    quantile = r"QUANTILE_CONT(\1, \2)"

    def __init__(self, connection: Any = None, memory: str = "1GB",
                 threads: int = 0, scratch: str | None = None) -> None:
        super().__init__()
        self._own = connection is None
        duckdb = needed("duckdb", "fleet")
        self._failure: Any = duckdb.Error
        # Damaged metadata can cause most other errors, even duckdb.Error.
        self._other_failures = (
            duckdb.CatalogException, duckdb.ConnectionException,
            duckdb.InterruptException, duckdb.OutOfMemoryException,
            duckdb.ParserException,
            # The database of the caller stays unusable; see recover().
            *(() if self._own else (duckdb.FatalException,)))
        self._config: dict[str, object] = {
            "memory_limit": memory,
            "threads": threads or min(os.cpu_count() or 1, 4),
            "preserve_insertion_order": False,
            # DuckDB creates it if needed. By default, it would be in the
            # current folder.
            "temp_directory": scratch or os.path.join(
                tempfile.gettempdir(), f"tfprof-{secrets.token_hex(8)}")}
        self.connection = self._connected() if self._own else connection
        self._kept: list[str] = []
        self._registered: set[str] = set()

    def _connected(self) -> Any:
        config = self._config
        try:
            return needed("duckdb", "fleet").connect(":memory:", config=config)
        except self._failure as error:
            raise OptionError(f"memory {config['memory_limit']!r}, threads "
                              f"{config['threads']}: {error}") from error

    def read(self, table: str, paths: Sequence[str], filesystem: Any,
             alike: bool) -> None:
        if filesystem is None:
            # Not a view: DuckDB would parse the list of a view again for each
            # query.
            self.sources[table] = self._list(
                paths, f"union_by_name = {str(not alike).lower()}")
            return
        module = needed("pyarrow.dataset", "fleet")
        try:
            dataset = module.dataset(
                list(paths), format="parquet", filesystem=filesystem,
                schema=None if alike else _all_columns(paths, filesystem))
        except UNREADABLE as error:
            raise self._failed(error) from error
        name = f"tfprof_{table}_{id(self)}"
        self.connection.register(name, dataset)
        self._registered.add(name)
        self.sources[table] = name

    def jobs_of_files(self, paths: Sequence[str],
                      filesystem: Any) -> set[tuple[str, str]]:
        """The jobs in each file, with the path of the file."""
        module = needed("pyarrow", "fleet")
        if filesystem is None:
            filesystem = needed("pyarrow.fs", "fleet").LocalFileSystem()
        # With this schema, no label has the name of the column with the path.
        found = needed("pyarrow.dataset", "fleet").dataset(
            list(paths), format="parquet", filesystem=filesystem,
            schema=module.schema([("job", module.string())]))
        try:
            rows = found.to_table(columns=["job", "__filename"]).to_pylist()
        except UNREADABLE as error:
            raise self._failed(error) from error
        return {(row["job"], row["__filename"]) for row in rows}

    def _list(self, paths: Sequence[str], options: str) -> str:
        # The pattern of each path matches this path only.
        return ("read_parquet([" + ", ".join(
            self.literal(re.sub(r"[\[*?]", r"[\g<0>]", path))
            for path in paths) + f"], hive_partitioning = false, {options})")

    def columns(self, table: str) -> list[str]:
        return [str(row["column_name"]) for row in self.rows(
            f"DESCRIBE SELECT * FROM {self.sources[table]}")]

    def identifier(self, name: str) -> str:
        return f'"{name}"'

    def is_about_files(self, error: Exception) -> bool:
        return not isinstance(error, self._other_failures)

    def recover(self) -> None:
        # Some damaged files cause an internal error. DuckDB then refuses all
        # queries.
        if self._own:
            self.connection.close()
            self.connection = self._connected()
            self._registered = set()
            self._kept = []

    def can_read(self, path: str) -> bool:
        try:
            self.rows("SELECT MAX(COLUMNS(*)) FROM "
                      + self._list([path], "union_by_name = false"))
        except FileError:
            self.recover()
            return False
        return True

    def rows(self, sql: str) -> list[Row]:
        done = self._run(sql)
        names = [column[0] for column in done.description]
        return [dict(zip(names, values)) for values in done.fetchall()]

    def keep(self, name: str, sql: str) -> str:
        name = f"tfprof_kept_{name}_{id(self)}"
        self._run(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}")
        self._kept.append(name)
        return name

    def copy(self, sql: str, path: str, options: str) -> int:
        """Writes the result of a query to a Parquet file, and returns the
        number of rows."""
        try:
            done = self._run(f"COPY ({sql}) TO {self.literal(path)} "
                             f"(FORMAT PARQUET, {options})")
        except FileError as error:
            if path in str(error.__cause__):
                raise OutputError(f"{path}: cannot write: {error}") from error
            raise
        return int(done.fetchone()[0])

    def _run(self, sql: str) -> Any:
        try:
            return self.connection.execute(sql)
        except (self._failure, *UNREADABLE) as error:
            raise self._failed(error) from error
        except RuntimeError as error:
            if str(error) == "Query interrupted":
                raise KeyboardInterrupt from error
            raise

    def close(self) -> None:
        if self._own:
            self.connection.close()
            return
        for name in self._kept:
            self._run(f"DROP TABLE IF EXISTS {name}")
        for name in self._registered:
            self.connection.unregister(name)
        self._kept = []
        self._registered = set()


class Spark(Engine):
    """A Spark session of the caller."""

    name = "Spark"
    quantile = r"PERCENTILE(\1, \2)"

    def __init__(self, session: Any) -> None:
        super().__init__()
        self._session = session
        self._kept: list[str] = []

    def read(self, table: str, paths: Sequence[str], filesystem: Any,
             alike: bool) -> None:
        reader = self._session.read.option("mergeSchema", not alike)
        patterns = [re.sub(r"([][{}*?\\])", r"\\\1", path) for path in paths]
        self._view(table, self._try(lambda: reader.parquet(*patterns)))

    def read_tree(self, table: str, path: str, alike: bool) -> None:
        """The same for a path that only Spark can list."""
        reader = (self._session.read.option("mergeSchema", not alike)
                  .option("recursiveFileLookup", True)
                  .option("pathGlobFilter", f"{table}.parquet"))
        self._view(table, self._try(lambda: reader.parquet(path)))

    def _try(self, make: Callable[[], _T]) -> _T:
        try:
            return make()
        except Exception as error:
            raise self._failed(error) from error

    def is_about_files(self, error: Exception) -> bool:
        return not any(word in str(error) for word in (
            "OutOfMemory", "UNRESOLVED_COLUMN", "PARSE_SYNTAX_ERROR"))

    def columns(self, table: str) -> list[str]:
        return list(self._try(
            lambda: self._session.table(self.sources[table]).columns))

    def _view(self, name: str, frame: Any) -> None:
        name = f"tfprof_{name}_{id(self)}"
        frame.createOrReplaceTempView(name)
        self._kept.append(name)
        self.sources[name.split("_")[1]] = name

    def rows(self, sql: str) -> list[Row]:
        return [row.asDict() for row in self._try(
            lambda: self._session.sql(sql).collect())]

    def keep(self, name: str, sql: str) -> str:
        # A cached frame keeps its plan, which contains the plans of all frames
        # before it.
        frame = self._try(
            lambda: self._session.sql(sql).localCheckpoint(True))
        view = f"tfprof_kept_{name}_{id(self)}"
        frame.createOrReplaceTempView(view)
        self._kept.append(view)
        return view

    def literal(self, value: str) -> str:
        # In Spark, two quotes end a literal and begin the next, and ${...} is
        # replaced by a setting.
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace(
            "$", "\\u0024") + "'"

    def close(self) -> None:
        for name in self._kept:
            self._session.catalog.dropTempView(name)
        self._kept = []


class ClickHouse(Engine):
    """A session of chdb, or a client of clickhouse-connect."""

    name = "ClickHouse"
    quantile = r"quantileExactInclusive(\2)(\1)"

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._client = client
        self._kept: list[str] = []
        self._query_size = 0  # the setting of the caller, if it was changed

    def read(self, table: str, paths: Sequence[str], filesystem: Any,
             alike: bool) -> None:
        if filesystem is not None:
            raise OptionError("ClickHouse reads object stores with its own "
                              "table function; create tables with these names "
                              "and open the fleet without a path: "
                              + ", ".join(TABLES))
        marks = [path for path in paths
                 if set(path) & set("{},*?\\") or "::" in path]
        if marks:
            raise OptionError(f"{marks[0]}: ClickHouse cannot read a path with "
                              "one of {},*?\\ or ::; rename the folder")
        try:
            schema = _all_columns(paths[:1] if alike else paths, None)
        except UNREADABLE as error:
            raise FileError(f"{self.name}: {error}") from error
        # With types, ClickHouse finds the columns by name, and a column that
        # a file does not have is NULL.
        types_of = ", ".join(f"{self.identifier(field.name)} Nullable("
                             f"{_type_of(field.type)})" for field in schema)
        folders = [path[:-len(f"/{table}.parquet")] for path in paths]
        found = folders[0]
        if len(folders) > 1:
            above = os.path.commonpath(folders).rstrip("/")
            names = [folder[len(above) + 1:] for folder in folders]
            # A table above others has an empty name, which braces can have.
            found = above + "{" + ",".join(
                f"/{name}" if name else "" for name in names) + "}"
        self._allow(2 * sum(map(len, paths)))
        self.sources[table] = (
            f"file({self.literal(f'{found}/{table}.parquet')}, Parquet, "
            f"{self.literal(types_of)})")

    def _allow(self, size: int) -> None:
        """Allows queries with a list of paths of this size. A query uses up to
        three tables, and can use a table several times."""
        limit = "max_query_size"
        now = int(self.rows("SELECT value AS v FROM system.settings "
                            f"WHERE name = '{limit}'")[0]["v"])
        if now and now < 10 * size:
            self._query_size = self._query_size or now
            self._ask(f"SET {limit} = {10 * size}")

    def columns(self, table: str) -> list[str]:
        return [str(row["name"]) for row in self.rows(
            f"DESCRIBE TABLE (SELECT * FROM {self.sources[table]})")]

    def is_about_files(self, error: Exception) -> bool:
        return not any(word in str(error) for word in (
            "MEMORY_LIMIT_EXCEEDED", "UNKNOWN_IDENTIFIER", "UNKNOWN_TABLE",
            "SYNTAX_ERROR", "TIMEOUT_EXCEEDED"))

    def rows(self, sql: str) -> list[Row]:
        done = self._ask(sql, "JSONCompact")
        if hasattr(done, "named_results"):  # clickhouse-connect
            return [dict(row) for row in done.named_results()]
        told = json.loads(done.bytes())
        names = [column["name"] for column in told["meta"]]
        whole = ["Int" in column["type"] for column in told["meta"]]
        return [{name: int(value) if is_whole and value is not None else value
                 for name, is_whole, value in zip(names, whole, values)}
                for values in told["data"]]

    def keep(self, name: str, sql: str) -> str:
        table = f"tfprof_kept_{name}_{id(self)}"
        self._ask(f"DROP TABLE IF EXISTS {table}")
        self._ask(f"CREATE TEMPORARY TABLE {table} ENGINE = Memory AS {sql}")
        self._kept.append(table)
        return table

    def _ask(self, sql: str, form: str = "CSV") -> Any:
        try:
            if hasattr(self._client, "command"):  # clickhouse-connect
                return (self._client.query(sql) if form == "JSONCompact"
                        else self._client.command(sql))
            return self._client.query(sql, form)
        except Exception as error:
            if not hasattr(self._client, "command"):
                # chdb adds the output of a query that failed to the output of
                # the next one.
                self._client.query("SELECT 1", form)
            raise self._failed(error) from error

    def close(self) -> None:
        for table in self._kept:
            self._ask(f"DROP TABLE IF EXISTS {table}")
        self._kept = []
        if self._query_size:
            self._ask(f"SET max_query_size = {self._query_size}")
            self._query_size = 0

    def literal(self, value: str) -> str:
        return _sql.quoted(value.replace("\\", "\\\\"))


def _all_columns(paths: Sequence[str], filesystem: Any) -> Any:
    """The columns of all files, which can have different labels. Labels are
    text; other unknown columns, which a later version can add, are left out."""
    read = needed("pyarrow.parquet", "fleet").read_schema
    arrow = needed("pyarrow", "fleet")
    return arrow.unify_schemas([arrow.schema([
        field for field in read(path, filesystem=filesystem)
        if field.name in NUMBERS | TEXTS or arrow.types.is_string(field.type)])
        for path in paths])


def _type_of(kind: Any) -> str:
    """The type of ClickHouse for a type of pyarrow."""
    name = str(kind)
    if name.startswith(("int", "uint")):
        return name.replace("i", "I").replace("u", "U")
    return {"double": "Float64", "float": "Float32", "bool": "Bool"}.get(
        name, "String")


def needed(module: str, extra: str) -> Any:
    """Imports an optional package."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Error(f"{module.split('.')[0]} is not installed; "
                    f"run: pip install 'tfprof[{extra}]'") from error


def chosen(engine: Any, **how: Any) -> Engine:
    """The engine for the argument of the caller."""
    if engine is None:
        return DuckDB(**how)
    if isinstance(engine, Engine):
        return engine
    if isinstance(engine, types.ModuleType):
        raise OptionError(f"engine: {engine.__name__} is a module; give a "
                          "connection, a session or a client of it")
    if type(engine).__module__.split(".")[0] in ("duckdb", "_duckdb"):
        return DuckDB(engine)
    if hasattr(engine, "createDataFrame"):
        return Spark(engine)
    if hasattr(engine, "query"):
        return ClickHouse(engine)
    raise OptionError(f"engine: {type(engine).__name__} is not an engine; give "
                      "a DuckDB connection, a Spark session, or a ClickHouse "
                      "client")
