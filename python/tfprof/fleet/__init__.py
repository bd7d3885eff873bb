"""Fleets: reports on the tables of `tfprof aggregate` of many workers.

>>> import tfprof.fleet
>>> fleet = tfprof.fleet.open("tables")            # doctest: +SKIP
>>> print(fleet.report())                          # doctest: +SKIP

DuckDB, Spark or ClickHouse reads and merges the tables with the SQL in `sql/`.
Nothing is merged in Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfprof.fleet._fleet import Fleet
from tfprof.fleet._result import Result

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

__all__ = ["Fleet", "Result", "compact", "open"]


def open(path: str | os.PathLike[str] | None, engine: Any = None, *,
         where: Mapping[str, str] | None = None, min_steps: int = 2,
         tables: Mapping[str, str] | None = None, memory: str = "1GB",
         threads: int = 0) -> Fleet:
    """Opens a fleet: all tables below a folder or an object-store address.

    engine: a Spark session, a ClickHouse client or a DuckDB connection. By
        default, DuckDB runs in this process, which requires tfprof[fleet].
    where: labels and their values. Tables with other values are ignored.
    min_steps: workers with fewer steps are excluded.
    tables: instead of a path, the tables or views of the engine for "rows",
        "histogram", "steps" and "header". The default is these names.
    memory, threads: limits of the default DuckDB.
    """
    return Fleet(path, engine, where=where, min_steps=min_steps, tables=tables,
                 memory=memory, threads=threads)


def compact(path: str | os.PathLike[str], out: str | os.PathLike[str], *,
            memory: str = "1GB", threads: int = 0) -> Result:
    """Writes the tables below `path` to a new folder `out`: the same rows in a
    few large files, with one folder for each job."""
    from tfprof.fleet._compact import compact
    return compact(path, out, memory=memory, threads=threads)
