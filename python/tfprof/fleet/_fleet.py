"""The reports about a fleet."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, Union

from tfprof._errors import OptionError, ReadError
from tfprof.fleet import _engines, _rank, _sql
from tfprof.fleet._files import Tree, path_of, printable, schema_detail
from tfprof.fleet._result import Column, Result, Row, Section, many

VIEWS = {"scope": "scopes", "op": "operations", "code": "lines"}
Z = 6             # a named worker has at least this robust z ...
EXCESS = 0.01     # ... and exceeds the others by this share
PEERS = 8         # workers of a smaller job are listed, not judged
STEP_PEERS = 3    # a step of fewer workers is not compared
VERDICTS = {"slow": "straggler", "waits": "input"}
JOBS = 5          # with fewer jobs on one side, rows are listed, not judged
ALPHA = 0.05
SHARE = 0.01      # rows with a smaller share of the time are not tested
MOST = 10 ** 9    # the largest number in an option
LABEL = re.compile(r"[A-Za-z_]\w*")
_HEADER = {  # the columns of the table that are not labels
    "graph", "schema", "tfprof", "producer", "machine", "steps", "first_step",
    "last_step", "rows", "dropped", "inputs", "damaged", "problems"}

Jobs = Union[str, Iterable[str]]
_T = TypeVar("_T")


class Fleet:
    """The tables of many workers. tfprof.fleet.open() creates it."""

    def __init__(self, path: str | os.PathLike[str] | None, engine: Any = None,
                 *, where: Mapping[str, str] | None = None, min_steps: int = 2,
                 tables: Mapping[str, str] | None = None, memory: str = "1GB",
                 threads: int = 0) -> None:
        if path is not None and tables is not None:
            raise OptionError("tables: give a path or tables, not both")
        for name in tables or {}:
            if name not in _engines.TABLES:
                raise OptionError(f"tables: {name!r} is not a table; the "
                                  "tables are " + ", ".join(_engines.TABLES))
        _positive("min_steps", min_steps)
        if path is None and engine is None:
            raise OptionError("path: give the folder of the tables, or an "
                              "engine that has them")
        self.path = None if path is None else path_of(path)
        self._where = dict(where or {})
        for label, value in self._where.items():
            if not isinstance(label, str) or not LABEL.fullmatch(label):
                raise OptionError(f"where: {label!r} is not the name of a "
                                  "label")
            if not isinstance(value, str):
                raise OptionError(f"where: {label}: {value!r} is not text")
        self._min_steps = min_steps
        self._tree = self._listed(engine)
        self._alike = True
        self._checked = False
        self._engine = _engines.chosen(engine, memory=memory, threads=threads) \
            if engine is None else _engines.chosen(engine)
        self._tables = {name: (tables or {}).get(name, name)
                        for name in _engines.TABLES}
        self._values: dict[str, object] = {}
        self._fleet: Row = {}
        self._orphans: list[Row] = []  # workers that have no header
        self._opened: set[str] = set()  # tables and kept results

    def _listed(self, engine: Any) -> Tree | None:
        """The files, unless only Spark can list them."""
        if self.path is None:
            return None
        is_spark = hasattr(engine, "createDataFrame")
        if is_spark and "://" in self.path:
            return None
        return Tree(self.path)

    # ---- Queries

    def _read(self) -> None:
        """Sets the sources of the tables and finds the excluded workers."""
        engine, tree = self._engine, self._tree
        if tree is not None:
            self._read_folders(tree)
        elif self.path is not None:
            assert isinstance(engine, _engines.Spark)
            for table in _engines.TABLES:
                engine.read_tree(table, self.path, self._alike)
        else:
            engine.sources.update(self._tables)
        self._check_labels("where", self._where)
        self._opened = set()
        self._values = {name: self._only_where(source)
                        for name, source in engine.sources.items()}
        self._values["min_steps"] = self._min_steps
        self._values["schema"] = _engines.SCHEMA
        self._keep("headers")
        if self._has_other_schemas():
            if tree is not None and tree.drop_other_schemas():
                self._read()
                return
            self._check_program()
        self._find_copies()
        self._find_orphans()
        self._keep("workers")
        counts = self._query("counts")[0]
        if not counts["workers"]:
            raise ReadError(f"{self.path or 'tables'}: no worker"
                            + (" has these labels" if self._where else "")
                            + "; run tfprof aggregate with --label")
        folders = len(tree.lacking) if tree is not None else 0
        self._fleet = {
            "engine": engine.name, "jobs": counts["jobs"],
            "workers": counts["workers"], "steps": int(counts["steps"]),
            "excluded": int(counts["excluded"]) + len(self._orphans),
            "excluded_folders": folders, "graphs": counts["graphs"]}
        used = f"(SELECT job, worker FROM {self._values['workers']} k " \
               "WHERE reason = '')"
        for place, alias in (("only", "r"), ("only_histogram", "h"),
                             ("only_steps", "s")):
            self._values[place] = (
                f"INNER JOIN {used} o ON {alias}.job = o.job AND "
                f"{alias}.worker = o.worker"
                if self._fleet["excluded"] else "")

    def _read_folders(self, tree: Tree) -> None:
        if not tree.folders:
            folder, (reason, detail) = next(iter(tree.lacking.items()))
            raise ReadError(f"{printable(folder)}: {reason}: {detail}; no "
                            "other folder has tables"
                            + ("" if reason == "other schema"
                               else "; run tfprof aggregate again"))
        for table in _engines.TABLES:
            self._engine.read(table, tree.files(table), tree.filesystem,
                              self._alike)

    def _has_other_schemas(self) -> bool:
        return bool(self._engine.rows(
            f"SELECT COUNT(*) AS n FROM {self._values['headers']} h "
            f"WHERE schema_min <> {_engines.SCHEMA} OR "
            f"schema_max <> {_engines.SCHEMA}")[0]["n"])

    def _check_program(self) -> None:
        """Raises an error if no table has the columns of this schema."""
        if "program" not in self._engine.columns("rows"):
            raise ReadError(f"{self.path or self._tables['header']}: the table "
                            "header " + schema_detail(_engines.SCHEMA - 1))

    def _only_where(self, source: str) -> str:
        if not self._where:
            return source
        parts = [f"{self._engine.identifier(label)} = "
                 f"{self._engine.literal(value)}"
                 for label, value in self._where.items()]
        return f"(SELECT * FROM {source} WHERE {' AND '.join(parts)})"

    def _check_labels(self, option: str, labels: Iterable[str]) -> None:
        """Raises an error unless the tables have these labels. The first file
        may lack a label that another file has."""
        missing = list(labels)
        if missing:
            known = [name for name in self._engine.columns("header")
                     if name not in _HEADER]
            missing = [label for label in missing if label not in known]
        if missing and self._alike and self.path is not None:
            raise _engines.OtherColumns(missing[0])
        if missing:
            raise OptionError(f"{option}: no table has the label "
                              f"{missing[0]!r}; the labels are "
                              + ", ".join(known))

    def _keep(self, name: str) -> None:
        self._opened |= _sql.places(name)
        sql = _sql.filled(name, self._values, self._engine.translated)
        self._values[name] = self._engine.keep(name, sql)

    def _find_copies(self) -> None:
        """Reads the table `steps` only if workers have folders with steps in
        the same range."""
        self._values["copies"] = (
            "(SELECT job, worker, 0 AS repeated, 0 AS same FROM "
            f"{self._values['headers']} h WHERE 1 = 0)")
        if self._query("overlaps")[0]["n"]:
            self._keep("copies")

    def _find_orphans(self) -> None:
        """Compares the tables `rows` and `header` of an engine. All rows of a
        complete folder belong to its header."""
        self._orphans = []
        if self._tree is not None:
            self._values["orphans"] = (
                "(SELECT job, worker, 0 AS has_header FROM "
                f"{self._values['headers']} h WHERE 1 = 0)")
            return
        self._keep("orphans")
        self._orphans = self._engine.rows(
            f"SELECT job, worker FROM {self._values['orphans']} o "
            "WHERE has_header = 0 ORDER BY job, worker")

    def _query(self, name: str, **more: object) -> list[Row]:
        self._opened |= _sql.places(name)
        return self._engine.rows(_sql.filled(name, {**self._values, **more},
                                             self._engine.translated))

    def _open_all(self) -> None:
        """Opens the files of the tables that no query has read. So each report
        excludes the same folders."""
        if self._tree is not None:
            for table in sorted({*_engines.TABLES} - self._opened):
                self._engine.rows("SELECT COUNT(*) AS n FROM "
                                  + self._engine.sources[table])
                self._opened.add(table)

    def _answer(self, make: Callable[[], _T]) -> _T:
        """Returns make(). If an engine cannot read a file, tries again with the
        columns of all files, in case their labels differ, and then without the
        files that are damaged. So most fleets are read without a check of each
        file."""
        while True:
            try:
                if not self._fleet:
                    self._read()
                found = make()
                self._open_all()
                return found
            except _engines.FileError:
                self._fleet = {}
                self._engine.recover()
                if self._alike and self.path is not None:
                    self._alike = False
                elif not self._drop_unreadable():
                    raise
            except ReadError:
                self._fleet = {}
                raise

    def _drop_unreadable(self) -> bool:
        """Excludes the folders with files that pyarrow cannot read. If it can
        read all files, excludes those that the engine cannot read. Returns
        whether there are any."""
        tree = self._tree
        if tree is None:
            return False
        if not self._checked:
            self._checked = True
            if tree.drop_unreadable():
                return True
        return tree.filesystem is None and tree.drop(
            tree.damaged(self._engine.can_read))

    def _result(self, name: str, sections: Sequence[Section],
                remarks: Sequence[str]) -> Result:
        remarks = list(remarks)
        fleet = self._fleet
        if name != "excluded" and (fleet["excluded"]
                                   or fleet["excluded_folders"]):
            remarks.append(
                f"excluded: {many(fleet['excluded'], 'worker')} and "
                f"{many(fleet['excluded_folders'], 'folder')}; "
                "`python -m tfprof.fleet excluded` lists them")
        return Result(name, dict(fleet), sections, remarks)

    def close(self) -> None:
        """Drops what the engine keeps for this fleet."""
        self._engine.close()

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- Report

    def report(self, *, top: int = 10, order: str = "total") -> Result:
        """Step times, and the most expensive rows of each view.

        top: rows of each view. order: "total", or "self" for the time without
        the rows below.
        """
        _positive("top", top)
        if order not in ("total", "self"):
            raise OptionError(f"order: {order!r} is neither 'total' nor 'self'")
        return self._answer(lambda: self._report(top, order))

    def _report(self, top: int, order: str) -> Result:
        rows = self._query("top", top=top,
                           order="own" if order == "self" else "total")
        chosen = ", ".join(str(row["row_id"]) for row in rows)
        spread: dict[int, Row] = {}
        if rows:
            spread = {row["row_id"]: row for row in
                      self._query("spread", chosen=chosen)}
        found = {row["row_id"]: row for row in self._query(
            "quantiles", chosen=f"0, {chosen}" if rows else "0")}
        steps = [{"steps": int(found[0]["n"]), "p50_ns": found[0]["p50"],
                  "p90_ns": found[0]["p90"], "p99_ns": found[0]["p99"],
                  "max_ns": found[0]["longest"]}] if 0 in found else []
        sections = [Section("steps", "Step time", _STEPS, steps)]
        for view, title in VIEWS.items():
            lines = []
            for row in rows:
                if row["view_name"] == view:
                    lines.append(_line(row, spread[row["row_id"]],
                                       found.get(row["row_id"])))
            devices = {line["device"] for line in lines} - {""}
            columns = (*_LINES, _DEVICE) if len(devices) > 1 else _LINES
            sections.append(Section(view, f"Most expensive {title}",
                                    _with_program(columns, lines), lines))
        remarks = []
        if self._fleet["graphs"] > 1:
            remarks.append(f"The jobs have {self._fleet['graphs']} different "
                           "graphs; `--where job=NAME` reports one job")
        if not steps:
            remarks.append("The tables have no step times")
        return self._result("report", sections, remarks)

    # ---- Stragglers

    def stragglers(self, *, top: int = 10, z: float = Z,
                   excess: float = EXCESS) -> Result:
        """Workers that compute longer (verdict "straggler") or wait longer for
        input ("input") than others of the same job, and the operations that
        make the difference.

        top: the lists have at most `top` workers, and three times as many
        operations. z, excess: a named worker has at least this robust z, and
        exceeds the others by this share of their time.
        """
        _positive("top", top)
        for name, value in (("z", z), ("excess", excess)):
            if not isinstance(value, (int, float)) or not 0 < value < MOST:
                raise OptionError(f"{name}: {value!r} is not a positive number")
        return self._answer(lambda: self._stragglers(top, z, excess))

    def _stragglers(self, top: int, z: float, excess: float) -> Result:
        self._values.update(z=f"{z:.9f}e0", least=f"{excess:.9f}e0",
                            peers=PEERS, step_peers=STEP_PEERS)
        self._find_compute_times()
        for name in ("loads", "groups", "step_middles", "paces", "totals",
                     "middle", "drifts", "measured", "centers", "judged"):
            if name not in self._values:
                self._keep(name)
        for name in ("counting", "grid", "deviations", "differing",
                     "stragglers"):  # they depend on z and excess
            self._keep(name)
        listed = self._query("straggler_list", limit=top)
        rows = self._query("straggler_rows", limit=3 * top)
        jobs = self._query("without")
        names = self._names({row["row_id"] for row in rows})
        workers = [{
            "job": row["job"], "worker": row["worker"],
            "verdict": ", ".join(verdict for key, verdict in VERDICTS.items()
                                 if row[key]),
            "named": bool(row["named"]), "z": row["z"], "row_z": row["row_z"],
            "compute_ns": row["compute"],
            "excess_ns": row["excess"] * row["mid"], "excess": row["excess"],
            "input_z": row["input_z"], "input_excess": row["input_excess"],
            "waiting_ns": row["waiting"], "collective_ns": row["collective"],
            "median_waiting_ns": row["mid_waiting"],
            "median_collective_ns": row["mid_collective"],
            "steps": int(row["steps_n"])} for row in listed]
        operations = [{
            "job": row["job"], "worker": row["worker"],
            **_named(names.get(row["row_id"], {})), "z": row["z"],
            "mean_ns": row["mean"], "median_ns": row["row_mid"],
            "excess_ns": row["excess"]} for row in rows]
        effects = [{
            "job": row["job"], "workers": row["workers"],
            "named": int(row["named_n"]), "median_ns": row["middle"],
            "slowest_ns": row["slowest"],
            "without_ns": row["slowest_without"],
            "faster": 1 - row["slowest_without"] / row["slowest"]
            if row["slowest_without"] and row["slowest"] else None}
            for row in jobs[:top] if row["named_n"]]
        return self._result("stragglers", [
            Section("workers", "Workers by compute time and input wait",
                    _WORKERS, workers),
            Section("operations", "Operations that make the difference",
                    _with_program(_OPERATIONS, operations), operations),
            Section("without", "Slowest worker with and without the named ones",
                    _WITHOUT, effects)], _straggler_remarks(jobs))

    def _find_compute_times(self) -> None:
        """Tables of earlier versions have no compute time per step: unknown."""
        if "compute_ns" in self._engine.columns("steps"):
            return
        if self._alike and self.path is not None:
            raise _engines.OtherColumns("compute_ns")
        steps = str(self._values["steps"])
        if "compute_ns" not in steps:
            self._values["steps"] = (f"(SELECT y.*, -1 AS compute_ns FROM "
                                     f"{steps} y)")

    def _names(self, ids: Iterable[int]) -> dict[int, Row]:
        ids = sorted(ids)
        if not ids:
            return {}
        return {row["row_id"]: row for row in self._query(
            "names", chosen=", ".join(map(str, ids)))}

    # ---- Changes

    def changes(self, base: Jobs, new: Jobs, *, view: str = "op",
                top: int = 10) -> Result:
        """Compares the jobs `new` with the jobs `base`. A job has one value per
        row: the mean time per step over all its workers.

        base, new: names of jobs, patterns such as "nightly-*", or labels such
        as "version=1.2".
        """
        _positive("top", top)
        if view not in VIEWS:
            raise OptionError(f"view: {view!r} is not one of "
                              + ", ".join(VIEWS))
        return self._answer(lambda: self._changes(base, new, view, top))

    def _changes(self, base: Jobs, new: Jobs, view: str, top: int) -> Result:
        jobs = {row["job"]: row for row in self._query("jobs")}
        sides = [self._jobs_of("base", base, jobs),
                 self._jobs_of("new", new, jobs)]
        both = sorted(set(sides[0]) & set(sides[1]))
        if both:
            raise OptionError(f"base and new: job {both[0]!r} is in both")
        literals = ", ".join(map(self._engine.literal, [*sides[0], *sides[1]]))
        values: dict[int, dict[str, float]] = {}
        whole = 0.0
        for row in self._query("job_rows", view=view, jobs=literals,
                               time="sum" if view == "scope" else "self_sum"):
            steps = jobs[row["job"]]["steps"]
            values.setdefault(row["row_id"], {})[row["job"]] = (
                row["time_n"] / steps)
            whole += row["own"] / steps
        kinds = self._kinds(literals, jobs)
        judged = min(map(len, sides)) >= JOBS
        totals = [{"name": name, **_compared(series, [
            [job for job in side if name != "wall" or job in series]
            for side in sides])} for name, series in kinds.items()]
        _judge(totals)
        ids = [row for row, series in values.items()
               if sum(series.values()) >= SHARE * whole]
        names = self._names(ids)
        lines = [{**_named(names[row]), **_compared(values[row], sides)}
                 for row in ids]
        _judge(lines)
        lines.sort(key=lambda line: (
            line["verdict"] not in ("slower", "faster"),
            -abs(line["shift_ns"]), line["name"]))
        remarks = [f"{len(sides[0])} base jobs, {len(sides[1])} new jobs; "
                   f"{len(lines)} rows of at least {100 * SHARE:.0f} % of the "
                   "time are compared"]
        if not judged:
            remarks.append(f"fewer than {JOBS} jobs on one side: listed, not "
                           "judged")
        elif lines:
            p = _rank.smallest_p(*map(len, sides)) * len(lines)
            if p > ALPHA:
                remarks.append(
                    f"{len(lines)} rows are too many for "
                    f"{len(sides[0])} + {len(sides[1])} jobs: the smallest "
                    f"possible p of one row is {min(1.0, p):.2g}; "
                    "record more jobs")
        return self._result("changes", [
            Section("totals", "Time per step", _TOTALS, totals),
            Section("rows", f"Rows of view {view}",
                    _with_program(_CHANGES, lines[:top]), lines[:top])],
            remarks)

    def _kinds(self, literals: str,
               jobs: Mapping[str, Row]) -> dict[str, dict[str, float]]:
        """Wall time, compute, collectives and waiting of each job."""
        found: dict[str, dict[str, float]] = {
            "wall": {row["job"]: row["wall"] / row["n"]
                     for row in self._query("job_steps", jobs=literals)}}
        for row in self._query("job_kinds", jobs=literals):
            found.setdefault(row["kind_name"], {})[row["job"]] = (
                row["time_n"] / jobs[row["job"]]["steps"])
        return {name: found[name] for name in
                ("wall", "compute", "collective", "wait") if found.get(name)}

    def _jobs_of(self, side: str, words: Jobs,
                 jobs: Mapping[str, Row]) -> list[str]:
        found: set[str] = set()
        for word in [words] if isinstance(words, str) else words:
            label, sign, value = word.partition("=")
            if word in jobs:
                here = {word}
            elif sign and LABEL.fullmatch(label):
                self._check_labels(side, [label])
                here = {row["job"] for row in self._engine.rows(
                    f"SELECT DISTINCT h.job AS job FROM "
                    f"{self._values['header']} h "
                    f"WHERE h.{self._engine.identifier(label)} = "
                    f"{self._engine.literal(value)}")} & set(jobs)
            else:
                here = set(fnmatch.filter(jobs, word))
            if not here:
                known = ", ".join(repr(job) for job in list(jobs)[:5])
                more = ", ..." if len(jobs) > 5 else ""
                why = (f"the jobs are {known}{more}" if jobs
                       else "all workers are excluded")
                raise OptionError(f"{side}: no job matches {word!r}; {why}")
            found |= here
        if not found:
            raise OptionError(f"{side}: give at least one job")
        return sorted(found)

    # ---- Excluded

    def excluded(self) -> Result:
        """The workers and folders that no report uses, with the reasons."""
        if self._tree is not None and not self._checked:
            self._checked = True
            if self._tree.drop_unreadable():
                self._fleet = {}
        return self._answer(self._excluded)

    def _excluded(self) -> Result:
        lines = [{"reason": row["reason"], "job": row["job"],
                  "worker": row["worker"], "detail": _detail(row)}
                 for row in self._query("excluded")]
        lines += [{"reason": "incomplete", "job": row["job"],
                   "worker": row["worker"], "detail": "rows without a header"}
                  for row in self._orphans]
        if self._tree is not None:
            for folder, (reason, detail) in self._tree.lacking.items():
                lines.append({
                    "reason": reason, "job": "", "worker": "",
                    "detail": f"{self._tree.shown(folder)}: {detail}"})
        counts: dict[str, int] = {}
        for line in lines:
            counts[line["reason"]] = counts.get(line["reason"], 0) + 1
        reasons = [{"reason": reason, "count": count}
                   for reason, count in sorted(counts.items())]
        return self._result("excluded", [
            Section("list", "Excluded", _EXCLUDED, lines),
            Section("reasons", "Reasons", _REASONS, reasons)],
            [] if lines else ["Every worker is used"])


# ---- Lines ------------------------------------------------------------------

_STEPS = (Column("steps", "steps", "count"), Column("p50_ns", "p50", "time"),
          Column("p90_ns", "p90", "time"), Column("p99_ns", "p99", "time"),
          Column("max_ns", "max", "time"))
_LINES = (Column("total", "total", "percent"),
          Column("self", "self", "percent"), Column("p50_ns", "p50", "time"),
          Column("p99_ns", "p99", "time"),
          Column("spread", "spread", "percent"),
          Column("workers", "workers", "count"), Column("kind", "kind"),
          Column("name", "name"))
_DEVICE = Column("device", "device")
_WORKERS = (Column("verdict", "verdict"), Column("z", "z", "number"),
            Column("row_z", "row z", "number"),
            Column("input_z", "input z", "number"),
            Column("compute_ns", "compute", "time"),
            Column("excess", "excess", "percent"),
            Column("waiting_ns", "waiting", "time"),
            Column("collective_ns", "collective", "time"),
            Column("job", "job"),
            Column("worker", "worker"))
_OPERATIONS = (Column("z", "z", "number"), Column("mean_ns", "mean", "time"),
               Column("median_ns", "median", "time"),
               Column("excess_ns", "excess", "time"), Column("job", "job"),
               Column("worker", "worker"), Column("name", "operation"),
               Column("device", "device"))
_WITHOUT = (Column("named", "named", "count"),
            Column("slowest_ns", "slowest", "time"),
            Column("without_ns", "without them", "time"),
            Column("faster", "faster", "percent"),
            Column("median_ns", "median", "time"), Column("job", "job"))
_TOTALS = (Column("verdict", "verdict"), Column("base_ns", "base", "time"),
           Column("new_ns", "new", "time"), Column("shift_ns", "shift", "time"),
           Column("p", "p", "p"), Column("name", "time"))
_CHANGES = (*_TOTALS[:-1], Column("kind", "kind"), Column("name", "name"),
            Column("device", "device"))
_EXCLUDED = (Column("reason", "reason"), Column("job", "job"),
             Column("worker", "worker"), Column("detail", "detail"))
_REASONS = (Column("reason", "reason"), Column("count", "count", "count"))


def _positive(name: str, value: int) -> None:
    if not isinstance(value, int) or not 1 <= value <= MOST:
        raise OptionError(f"{name}: {value!r} is not a count; give 1 to "
                          f"{MOST:,}")


def _straggler_remarks(jobs: Sequence[Row]) -> list[str]:
    remarks = [many(sum(int(row["slow_n"]) for row in jobs), "straggler")]
    waits = sum(int(row["waits_n"]) for row in jobs)
    if waits:
        remarks.append(f"{many(waits, 'worker')} with slow input")
    for row in jobs:
        if row["group_n"]:
            remarks.append(
                "not named, because more than a tenth of the workers of job "
                f"{row['job']!r} are slower: {int(row['group_n']):,} of "
                f"{row['workers']:,}; compare workers of one kind with --where")
    small = sum(row["workers"] < PEERS for row in jobs)
    if small:
        remarks.append(f"not judged, because of fewer than {PEERS} "
                       f"workers: {small:,} of {many(len(jobs), 'job')}")
    alone = sum(int(row["alone_n"]) for row in jobs)
    if alone:
        remarks.append("not judged, because fewer than "
                       f"{STEP_PEERS} workers have compute times of the same "
                       f"steps: {many(alone, 'worker')}")
    return remarks


def _named(row: Row) -> Row:
    return {key: row.get(key, "") for key in ("name", "op_type", "device",
                                              "program", "kind")}


def _with_program(columns: Sequence[Column],
                  lines: Sequence[Row]) -> Sequence[Column]:
    """Adds a column with the program after the name if a name occurs with
    several programs."""
    programs: dict[str, str] = {}
    if all(programs.setdefault(line["name"], line["program"])
           == line["program"] for line in lines):
        return columns
    at = next(at for at, column in enumerate(columns) if column.key == "name")
    return (*columns[:at + 1], Column("program", "program"),
            *columns[at + 1:])


def _line(row: Row, spread: Row, found: Row | None) -> Row:
    whole = row["whole"] or 1
    mid = spread["mid"]
    return {**_named(spread), "total": row["total"] / whole,
            "self": row["own"] / whole, "total_ns": int(row["total"]),
            "self_ns": int(row["own"]), "count": int(row["ran"]),
            "p50_ns": found["p50"] if found else None,
            "p99_ns": found["p99"] if found else None,
            "max_ns": int(spread["longest"]),
            "spread": (spread["high"] - spread["low"]) / mid if mid else None,
            "workers": spread["workers"]}


def _compared(series: Mapping[str, float],
              sides: Sequence[Sequence[str]]) -> Row:
    """Compares two sets of jobs. A job without the row has the time 0."""
    base, new = ([series.get(job, 0.0) for job in side] for side in sides)
    found: Row = {"base_ns": _rank.median(base) if base else None,
                  "new_ns": _rank.median(new) if new else None}
    if not base or not new:
        return {**found, "shift_ns": None, "p": None, "verdict": "unknown"}
    return {**found, "shift_ns": _rank.shift(base, new),
            "p": _rank.p_value(base, new),
            "verdict": "" if min(len(base), len(new)) >= JOBS
            else "not judged"}


def _judge(lines: Sequence[Row]) -> None:
    """Sets the verdict of each line that has none, with corrected p values."""
    for line in lines:
        if line["verdict"]:
            line["p"] = None
    lines = [line for line in lines if not line["verdict"]]
    for line, p in zip(lines, _rank.holm([line["p"] for line in lines])):
        line["p"] = p
        line["verdict"] = ("unclear" if p > ALPHA else
                           "slower" if line["shift_ns"] > 0 else "faster")


def _detail(row: Row) -> str:
    reason = row["reason"]
    if reason == "damaged":
        lines = (row["problem"] or "").split("\n")
        more = f" and {row['damaged_n'] - 1} more" if row["damaged_n"] > 1 \
            else ""
        return f"{lines[0]}{more}"
    if reason == "incomplete":
        return "a header without rows"
    if reason == "too few steps":
        steps = many(int(row["steps_n"]), "step")
        if row["steps_n"] < row["least_steps"]:
            return f"{steps}; min_steps is {row['least_steps']:,}"
        return f"{steps}; its job has {row['typical']:,.0f}"
    if reason == "other graph":
        if row["graph_end"] != row["graph_id"]:
            return f"graphs {row['graph_id']} and {row['graph_end']}"
        return f"graph {row['graph_id']}; its job has {row['usual']}"
    if reason == "written twice":
        return f"{many(row['folders'], 'folder')} with " \
               f"{many(int(row['same_steps']), 'equal step')}"
    low, high = row["schema_min"], row["schema_max"]
    return "header " + schema_detail(
        high if low == _engines.SCHEMA else low)
