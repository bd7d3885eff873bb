"""Views of many files with Apache Spark: tfprof.spark.views().

Spark distributes the files, tfprof runs in its Python workers, and Arrow
carries the rows. docs/fleet.md describes the columns.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Callable

from tfprof import _errors

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tfprof._keywords import ViewOptions
    from tfprof._view import View

__all__ = ["views"]

_VIEWS = ("scope", "graph", "op", "code")
_SELECT = ("micros", "bytes", "occurrence")
_ONE_STEP = ("RunMetadata", "StepStats")  # do not contain the step number
_WITH_RUNS = (*_ONE_STEP, "XSpace", "ProfileProto")
_FIRST = (("path", "string"), ("step", "bigint"), ("error", "string"))

# A graph with one node, and an op log with the line of this node. A view of
# them has the same columns as any other view with the same options.
_GRAPH = b"\x0a\x09\x0a\x01a\x12\x04NoOp"
_LOG = (b"\x0a\x09\x0a\x01a\x22\x04\x0a\x02\x10\x01")


class _Named(io.BytesIO):
    """Bytes with the path of their file, for messages."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


# ---- Columns

def _spark_type(field: Any) -> str:
    """The type of a column in Spark. Times are always doubles, because those of
    traces have fractions, and a column of a table has only one type."""
    if (field.metadata or {}).get(b"unit") == b"microseconds":
        return "double"
    kind = str(field.type)
    return {"int64": "bigint", "int32": "int", "uint32": "bigint",
            "double": "double", "bool": "boolean"}.get(kind, "string")


def _columns(view: str, options: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and types of the columns of a view with these options."""
    import tfprof
    settings = {name: value for name, value in options.items()
                if name != "step"}
    log = _LOG if view == "code" else None
    with tfprof.open(graph=_GRAPH, op_log=log) as profile:
        schema = getattr(profile, view)(**settings).to_arrow().schema
    return [(field.name, _spark_type(field)) for field in schema]


def _arrow_types(columns: Iterable[tuple[str, str]]) -> list[tuple[str, Any]]:
    pyarrow = importlib.import_module("pyarrow")
    types = {"bigint": pyarrow.int64(), "int": pyarrow.int32(),
             "double": pyarrow.float64(), "boolean": pyarrow.bool_(),
             "string": pyarrow.string()}
    return [(name, types[kind]) for name, kind in columns]


# ---- In the workers of Spark

def _step_in(pattern: str, path: str) -> int | None:
    """The step number that the path of a file contains, or None. The column
    has 64 bits."""
    found = re.search(pattern, path)
    try:
        step = int(found[1]) if found and found[1] else None
    except ValueError:
        return None
    return step if step is not None and abs(step) < 1 << 63 else None


def _views_of(path: str, data: bytes, inputs: dict[str, Any], view: str,
              pattern: str, options: dict[str, Any]
              ) -> Iterator[tuple[int | None, View]]:
    """The step and the view for each step of a file. A RunMetadata does not
    contain its step number, so the number comes from the path."""
    import tfprof
    with tfprof.open(_Named(data, path), **inputs) as profile:
        make = getattr(profile, view)
        files = profile.info()["files"]
        kind = files[0]["kind"]  # the other files are `inputs`
        steps = files[0]["steps"]
        if kind not in _WITH_RUNS and not any(
                file["steps"] for file in files[:len(files) - len(inputs)]):
            raise _errors.ReadError(f"{path}: not a file with runs ({kind})")
        asked = int(options["step"]) if "step" in options else None
        named = _step_in(pattern, path) if kind in _ONE_STEP else None
        if asked is not None and asked >= 0 and named is not None:
            if asked != named:
                raise _errors.ReadError(f"{path}: there is no step {asked} "
                                        f"(steps: {named})")
            options = {**options, "step": -1}  # the only step of the file
        elif asked is not None:
            yield (None if asked < 0 else asked), make(**options)
            return
        if kind != "XSpace":
            yield _step_in(pattern, path), make(**options)
            return
        if not steps:
            raise _errors.ReadError(f"{path}: the trace has no steps")
        for step in steps:
            yield step, make(**options, step=step)


def _batch(path: str, step: int | None, view: View | None, error: str | None,
           types: list[tuple[str, Any]]) -> Any:
    """The rows of a view, or one row with an error."""
    pyarrow = importlib.import_module("pyarrow")
    table = None if view is None else view.to_arrow()
    count = 1 if table is None else table.num_rows
    constant = {"path": path, "step": step, "error": error}
    columns = []
    for name, kind in types:
        if name in constant:
            column = pyarrow.repeat(
                pyarrow.scalar(constant[name], kind), count)
        elif table is None or name not in table.column_names:
            column = pyarrow.nulls(count, kind)
        else:
            column = table[name].cast(kind).combine_chunks()
            if isinstance(column, pyarrow.ChunkedArray):  # without rows
                column = pyarrow.array([], kind)
        columns.append(column)
    return pyarrow.RecordBatch.from_arrays(columns,
                                           [name for name, _ in types])


def _mapper(view: str, columns: list[tuple[str, str]],
            inputs: Callable[[], dict[str, Any]], pattern: str,
            options: dict[str, Any]
            ) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The function for mapInArrow."""

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        import tfprof.spark as own
        types = own._arrow_types(columns)
        for batch in batches:
            for path, content in zip(batch.column("path"),
                                     batch.column("content")):
                yield from own._file(path.as_py(), content, inputs(), view,
                                     types, pattern, options)

    return rows


def _file(path: str, content: Any, inputs: dict[str, Any], view: str,
          types: list[tuple[str, Any]], pattern: str,
          options: dict[str, Any]) -> Iterator[Any]:
    """The rows of one file. A file that cannot be read has one row with an
    error."""
    try:
        for step, found in _views_of(path, content.as_py(), inputs, view,
                                     pattern, options):
            yield _batch(path, step, found, None, types)
    except _errors.Error as error:
        yield _batch(path, _step_in(pattern, path), None, str(error), types)


# ---- Empty files

def _key(path: str) -> str:
    """A form of a path that is equal for Spark's column `path` and for
    inputFiles(), which quotes characters and writes file:/// for file:/."""
    while (found := urllib.parse.unquote(path)) != path:
        path = found
    return re.sub(r"^(\w+):/+", r"\1:/", path)


def _keys(batches: Iterator[Any]) -> Iterator[Any]:
    """The function for mapInArrow that returns the keys of paths."""
    pyarrow = importlib.import_module("pyarrow")
    import tfprof.spark as own
    for batch in batches:
        yield pyarrow.RecordBatch.from_arrays([pyarrow.array(
            [own._key(path.as_py()) for path in batch.column("path")],
            pyarrow.string())], ["key"])


def _empty_mapper(columns: list[tuple[str, str]], pattern: str
                  ) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The function for mapInArrow that returns a row for each empty file."""

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        import tfprof.spark as own
        types = own._arrow_types(columns)
        for batch in batches:
            for path in batch.column("path").to_pylist():
                yield own._batch(path, own._step_in(pattern, path), None,
                                 f"{_errors._safe(path)}: the file is empty",
                                 types)

    return rows


def _empty_files(spark: Any, loaded: Any) -> Any:
    """The paths of files that Spark lists but does not return as rows: the
    reader of binary files skips files without bytes."""
    listed = [(_key(path), re.sub(r"^file:/+", "file:/",
                                  urllib.parse.unquote(path)))
              for path in loaded.inputFiles()]
    return spark.createDataFrame(listed, "key string, path string").join(
        loaded.select("path").mapInArrow(_keys, "key string"), "key",
        "left_anti").select("path")


# ---- In the driver

def _content(role: str, thing: Any) -> bytes | None:
    """The bytes of an input, which Spark sends to its workers."""
    from tfprof import _remote
    if thing is None or isinstance(thing, bytes):
        return thing
    if _remote.is_address(thing):
        files, path = _remote.filesystem(thing)
        with _remote.explained(thing), files.open_input_stream(path) as file:
            return bytes(file.read())
    if isinstance(thing, (str, os.PathLike)):
        name = _errors._safe(os.fspath(thing))
        try:
            with open(thing, "rb") as file:
                return file.read()
        except IsADirectoryError as error:
            raise _errors.ReadError(
                f"{name}: is a folder; give a file, such as saved_model.pb",
                error.errno) from error
        except OSError as error:
            raise _errors.ReadError(f"{name}: cannot open: {error.strerror}",
                                    error.errno) from error
    if hasattr(thing, "read"):
        data = thing.read()
        if isinstance(data, str):
            raise _errors.OptionError(f"{role}: a file object must be open in "
                                      "binary mode")
        return bytes(data)
    if hasattr(thing, "SerializeToString"):
        return bytes(thing.SerializeToString())
    try:
        return bytes(memoryview(thing))
    except TypeError as error:
        raise _errors.OptionError(
            f"{role}: {type(thing).__name__} is not an input; give a path, an "
            "address, bytes, a file object or a message") from error


def _broadcast(spark: Any, value: dict[str, Any]
               ) -> Callable[[], dict[str, Any]]:
    """A function that returns the value in a worker. Each executor receives
    it once. Spark Connect has no broadcasts: there, tasks contain it."""
    try:
        context = spark.sparkContext
    except Exception:  # an exception of pyspark
        return lambda: value
    sent = context.broadcast(value)
    return lambda: sent.value


def _require(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"tfprof.spark.views() requires the package {name}: "
                          f"pip install {name}", name=name) from error


def views(spark: Any, path: str | list[str], graph: Any = None,
          view: str = "op", *, op_log: Any = None, files: str | None = None,
          step_regex: str = r"(\d+)[^\d/]*$",
          **options: Unpack[ViewOptions]) -> Any:
    """Returns the rows of a view of many files as a Spark DataFrame.

    spark: a SparkSession.
    path: a path or address that Spark can read, or a list of them: folders
        (with everything below), files or patterns, of RunMetadata or XSpace.
    graph: the graph of the model: the path or address of one file, bytes, a
        file object or a message. It is sent to each executor once. Traces do
        not need a graph.
    view: "scope", "graph", "op" or "code".
    op_log: an op log of the model, for the code view, in the same forms.
    files: a pattern for the names of files, such as "*.run_meta".
    step_regex: the first group is the number of the step in the path of a
        RunMetadata. By default, this is the last number in the file name.
    options: the options of the view. The default of `select` is micros, bytes
        and occurrence. `step` selects one step, or with -1 the average of all
        steps of a file. Without it, a trace has rows for each of its steps.

    The columns are path, step and error, and those of the view. A file that
    cannot be read is a row with its error. Executors need this package and
    pyarrow.
    """
    _require("pyspark")
    _require("pyarrow")
    if view not in _VIEWS:
        raise _errors.OptionError(f"view: unknown view {view!r} (choose from "
                                  + ", ".join(_VIEWS) + ")")
    settings: dict[str, Any] = {**options}
    settings.setdefault("select", list(_SELECT))
    for name in [name for name, value in settings.items() if value is None]:
        del settings[name]
    try:
        groups = re.compile(step_regex).groups
    except re.error as error:
        raise _errors.OptionError(f"step_regex: {error}") from error
    if groups < 1:
        raise _errors.OptionError("step_regex: requires a group, such as "
                                  r"step_(\d+)")
    try:
        int(settings.get("step", 0))
    except (TypeError, ValueError) as error:
        raise _errors.OptionError(f"step: {settings['step']!r} is not the "
                                  "number of a step") from error
    columns = _columns(view, settings)
    for name, _ in columns:  # Spark ignores the case of names
        if name.lower() in dict(_FIRST):
            raise _errors.OptionError(
                f"label: the key {name!r} is the name of a column of this "
                "table (choose another key)")
    columns = [*_FIRST, *columns]
    inputs = {name: data for name, data in (
        ("graph", _content("graph", graph)),
        ("op_log", _content("op_log", op_log)))
        if data is not None}
    reader = spark.read.format("binaryFile").option("recursiveFileLookup",
                                                    "true")
    if files is not None:
        reader = reader.option("pathGlobFilter", files)
    loaded = reader.load(path)
    types = ", ".join(f"`{name}` {kind}" for name, kind in columns)
    return loaded.select("path", "content").mapInArrow(
        _mapper(view, columns, _broadcast(spark, inputs), step_regex,
                settings), types).unionAll(
        _empty_files(spark, loaded).mapInArrow(
            _empty_mapper(columns, step_regex), types))
