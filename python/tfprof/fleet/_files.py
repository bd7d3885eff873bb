"""The folders of a fleet, on this machine or in an object store."""

from __future__ import annotations

import concurrent.futures
import os
from collections.abc import Callable, Iterable
from typing import Any

from tfprof._errors import OptionError, ReadError
from tfprof.fleet._engines import (
    FILES,
    NUMBERS,
    SCHEMA,
    TEXTS,
    UNREADABLE,
    needed,
)

READERS = 8             # threads that check files
SCRATCH = ".compact-"  # folders that compact() has not finished


class Tree:
    """The folders with tables below a path.

    folders: the folders that have all four tables, sorted by name.
    lacking: the other folders, each with a reason ("incomplete",
        "unreadable" or "other schema") and a detail, such as the names of the
        missing files.
    present: the names of the tables in each folder that has any.
    filesystem: the file system of pyarrow for an object store; None for local
        folders.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.filesystem: Any = None
        self.folders: list[str] = []
        self.lacking: dict[str, tuple[str, str]] = {}
        found = self._remote() if "://" in path else self._local()
        self.present = found
        for folder in sorted(found):
            missing = [name for name in FILES if name not in found[folder]]
            if not _is_utf8(folder):  # an engine cannot have its name
                self.lacking[folder] = "unreadable", "its name is not UTF-8"
            elif missing:
                self.lacking[folder] = ("incomplete",
                                        f"missing {', '.join(missing)}")
            else:
                self.folders.append(folder)
        if not found and not self.lacking:
            raise ReadError(f"{path}: no tables of tfprof aggregate; a folder "
                            "of a fleet contains " + ", ".join(FILES))

    def _local(self) -> dict[str, set[str]]:
        if not os.path.isdir(self.path):
            why = ("not a folder" if os.path.exists(self.path)
                   else "no such folder")
            raise ReadError(f"{self.path}: {why}; give the folder that "
                            "contains the tables of all workers")
        def unlisted(error: OSError) -> None:
            self.lacking[str(error.filename)] = (
                "unreadable", f"cannot list: {error.strerror}")

        self._root = os.path.abspath(self.path)
        found: dict[str, set[str]] = {}
        seen: set[tuple[int, int]] = set()
        for folder, below, names in os.walk(self._root, onerror=unlisted,
                                            followlinks=True):
            try:
                status = os.stat(folder)
            except OSError as error:  # removed while the files are listed
                unlisted(error)
                below.clear()
                continue
            if (status.st_dev, status.st_ino) in seen:  # by a symbolic link
                below.clear()
                continue
            seen.add((status.st_dev, status.st_ino))
            # A folder has the same name in each report.
            below[:] = sorted(name for name in below
                              if not name.startswith(SCRATCH))
            here = set(names).intersection(FILES)
            if here:
                found[folder] = here
        return found

    def _remote(self) -> dict[str, set[str]]:
        fs = needed("pyarrow.fs", "fleet")
        from tfprof import _remote
        self.filesystem, root = _remote.filesystem(self.path)
        found: dict[str, set[str]] = {}
        with _remote.explained(self.path):
            infos = self.filesystem.get_file_info(
                fs.FileSelector(root, recursive=True))
        for info in infos:
            folder, _, name = info.path.rpartition("/")
            if name in FILES and f"/{SCRATCH}" not in info.path:
                found.setdefault(folder, set()).add(name)
        return found

    def files(self, table: str) -> list[str]:
        return [f"{folder}/{table}.parquet" for folder in self.folders]

    def drop_unreadable(self) -> bool:
        """Moves folders with a file that is not valid Parquet, or that has
        columns of other types, to `lacking`. Returns whether there are any.
        Reads every file completely."""
        parquet = needed("pyarrow.parquet", "fleet")
        # Threads hide the latency of an object store.
        pool = concurrent.futures.ThreadPoolExecutor(READERS)
        try:
            return self.drop(self.damaged(
                lambda path: _readable(parquet, path, self.filesystem),
                pool.map))
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C

    def damaged(self, can_read: Callable[[str], bool],
                apply: Callable[..., Iterable[list[str]]] = map
                ) -> dict[str, list[str]]:
        """The names of the files in each folder that cannot be read."""
        return dict(zip(self.folders, apply(
            lambda folder: [name for name in FILES
                            if not can_read(f"{folder}/{name}")],
            self.folders)))

    def drop(self, damaged: dict[str, list[str]]) -> bool:
        """Moves the folders that have damaged files to `lacking`. Returns
        whether there are any."""
        for folder, names in damaged.items():
            if names:
                self.lacking[folder] = ("unreadable",
                                        f"damaged {', '.join(names)}")
        self.folders = [folder for folder in damaged if not damaged[folder]]
        return len(self.folders) < len(damaged)

    def drop_other_schemas(self) -> bool:
        """Moves the folders whose header has another schema to `lacking`.
        Returns whether there are any."""
        module = needed("pyarrow", "fleet")
        filesystem = (self.filesystem
                      or needed("pyarrow.fs", "fleet").LocalFileSystem())
        found = needed("pyarrow.dataset", "fleet").dataset(
            self.files("header"), format="parquet", filesystem=filesystem,
            schema=module.schema([("schema", module.int64())]))
        others = {os.path.dirname(row["__filename"]): row["schema"]
                  for row in found.to_table(
                      columns=["schema", "__filename"]).to_pylist()
                  if row["schema"] != SCHEMA}
        for folder, schema in others.items():
            self.lacking[folder] = ("other schema", "header.parquet "
                                    + schema_detail(schema))
        before = len(self.folders)
        self.folders = [folder for folder in self.folders
                        if folder not in others]
        return len(self.folders) < before

    def relative(self, folder: str) -> str:
        """The name of a folder, relative to a local path."""
        if self.filesystem is not None:
            return folder
        return os.path.relpath(folder, self._root)

    def shown(self, folder: str) -> str:
        """The name of a folder in reports."""
        return printable(self.relative(folder))

    def bytes_of(self, path: str) -> bytes:
        """The content of a file."""
        if self.filesystem is not None:
            with self.filesystem.open_input_stream(path) as stream:
                return bytes(stream.read())
        with open(path, "rb") as file:
            return file.read()


def _readable(parquet: Any, path: str, filesystem: Any) -> bool:
    try:
        with parquet.ParquetFile(path, filesystem=filesystem) as file:
            if not _has_types(file.schema_arrow):
                return False
            # The complete file: its end can be valid and the rest damaged.
            for group in range(file.num_row_groups):
                file.read_row_group(group, use_threads=False)
    except UNREADABLE:
        return False
    return True


def _has_types(schema: Any) -> bool:
    is_integer = needed("pyarrow.types", "fleet").is_integer
    return all(is_integer(field.type) == (field.name in NUMBERS)
               for field in schema if field.name in NUMBERS | TEXTS)


def schema_detail(schema: int | None) -> str:
    """Why tables with another schema cannot be used, after the name of the
    file or table."""
    if schema is not None and schema < SCHEMA:
        return (f"has the schema {schema}: its ids contain the host name, so "
                "rows of different hosts do not merge; write the tables again "
                "with tfprof aggregate")
    return f"has the schema {schema}; this version reads the schema {SCHEMA}"


def printable(path: str) -> str:
    """A path with escapes for bytes that are not UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def path_of(path: Any) -> str:
    try:
        found = os.fspath(path)
    except TypeError:
        found = None
    if not isinstance(found, str) or not found:
        raise OptionError("path: give the path of a folder or the address of "
                          "an object store as text")
    return found
