"""Combines many small files into a few large ones with the same rows."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import urllib.parse

from tfprof._errors import Error, OptionError, OutputError, ReadError
from tfprof.fleet import _engines
from tfprof.fleet._files import SCRATCH, Tree, path_of, printable
from tfprof.fleet._fleet import Fleet
from tfprof.fleet._result import Column, Result, Row, Section

# Sorted by row, so that a query for a few rows reads only a few row groups.
ORDER = {"rows": "row, worker", "histogram": "row, worker, bucket",
         "steps": "worker, step", "header": "worker"}
EXCLUDED = "%excluded"  # no job has this folder, because "%" is quoted
WRITTEN = "COMPRESSION ZSTD, ROW_GROUP_SIZE 250000"

_COLUMNS = (Column("table", "table"), Column("files", "files", "count"),
            Column("rows", "rows", "count"), Column("bytes", "bytes", "count"))


def compact(path: str | os.PathLike[str], out: str | os.PathLike[str], *,
            memory: str, threads: int) -> Result:
    out = path_of(out)
    if "://" in out:
        raise OptionError(f"{out}: compact writes to a local folder; copy it "
                          "to the object store afterwards")
    # An empty folder is replaced, which is impossible for a mounted one.
    if os.path.exists(out) and (not os.path.isdir(out) or os.listdir(out)
                                or os.path.ismount(out)):
        raise OptionError(f"{out}: already exists; give a new folder")
    real = os.path.realpath(out)
    source = path_of(path)
    if "://" not in source:
        above = os.path.realpath(source)
        if os.path.commonpath([above, real]) == above:
            raise OptionError(f"{out}: inside {source}; give a folder outside "
                              "of it")
    beside = os.path.dirname(real)
    try:
        os.makedirs(beside, exist_ok=True)
        scratch = tempfile.mkdtemp(prefix=SCRATCH, dir=beside)
    except OSError as error:
        raise OutputError(f"{out}: cannot write: {error.strerror}",
                          error.errno) from error
    try:
        engine = _engines.DuckDB(memory=memory, threads=threads,
                                 scratch=os.path.join(scratch, "spill"))
        with Fleet(source, engine) as fleet:
            fleet._alike = False  # keep the labels that only some files have
            written = os.path.join(scratch, "out")
            result = fleet._answer(lambda: _written(fleet, engine, written))
        if os.path.isdir(real):
            os.rmdir(real)
        os.rename(written, real)  # the complete result, or nothing
        return result
    except OSError as error:
        if isinstance(error, Error):
            raise
        raise OutputError(f"{out}: cannot write: {error.strerror}",
                          error.errno) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _written(fleet: Fleet, engine: _engines.DuckDB, out: str) -> Result:
    tree = fleet._tree
    assert tree is not None
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    files: dict[str, list[str]] = {}  # of each job
    for job, file in sorted(engine.jobs_of_files(tree.files("header"),
                                                 tree.filesystem)):
        files.setdefault(job, []).append(os.path.dirname(file))
    shared = len(set().union(*files.values())) < sum(map(len, files.values()))
    lines: list[Row] = [{"table": table, "files": 0, "rows": 0, "bytes": 0}
                        for table in _engines.TABLES]
    used: set[str] = set()
    for job, folders in files.items():
        folder = os.path.join(out, folder_of(job, used))
        os.mkdir(folder)
        # The filter reads the job of every row.
        only = f"WHERE job = {engine.literal(job)}" if shared else ""
        for line in lines:
            table = line["table"]
            engine.read(table, [f"{name}/{table}.parquet" for name in folders],
                        tree.filesystem, False)
            file = os.path.join(folder, f"{table}.parquet")
            line["rows"] += engine.copy(
                f"SELECT * FROM {engine.sources[table]} {only} "
                f"ORDER BY {ORDER[table]}", file, WRITTEN)
            line["files"] += 1
            line["bytes"] += os.path.getsize(file)
    fleet._opened.update(_engines.TABLES)
    _copy_excluded(tree, os.path.join(out, EXCLUDED))
    return fleet._result("compact", [Section("tables", "Written", _COLUMNS,
                                             lines)], [])


def _copy_excluded(tree: Tree, out: str) -> None:
    """Copies the files of incomplete and unreadable folders, so that reports
    still exclude them."""
    used: set[str] = set()
    for folder, (_, detail) in tree.lacking.items():
        if folder not in tree.present:
            raise ReadError(f"{printable(folder)}: {detail}; compact copies "
                            "the files of all folders")
        original = os.fsencode(tree.relative(folder))
        prefix = f"{EXCLUDED}/".encode()
        if original.startswith(prefix):  # compacted before
            original = urllib.parse.unquote_to_bytes(original[len(prefix):])
        name = folder_of(original, used)
        if "its name is not UTF-8" in detail:
            name += os.fsdecode(b"\xff")
        os.makedirs(os.path.join(out, name))
        for file in sorted(tree.present[folder]):
            try:
                data = tree.bytes_of(f"{folder}/{file}")
            except OSError as error:
                raise ReadError(f"{printable(folder)}/{file}: cannot read: "
                                f"{error.strerror or error}") from error
            with open(os.path.join(out, name, file), "wb") as copy:
                copy.write(data)


def folder_of(name: str | bytes, used: set[str]) -> str:
    """A folder name for any name of a job or folder. It never contains "=",
    which readers interpret as a partition, and it is not empty or hidden. It
    differs from the names in `used`, also if the file system ignores case."""
    quoted = urllib.parse.quote(name, safe=" @+,")
    if quoted.startswith((".", "_")):  # Spark ignores both
        quoted = f"%{ord(quoted[0]):02X}{quoted[1:]}"
    found = quoted[:200] or "%"
    if len(quoted) > 200 or found.casefold() in used:
        data = name if isinstance(name, bytes) else name.encode()
        found += "-" + hashlib.sha256(data).hexdigest()[:8]
    used.add(found.casefold())
    return found
