"""Budgets: limits for the cost of a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from tfprof import _diff, _inputs, _native, _settings
from tfprof._errors import BudgetError, Error
from tfprof._native import Handle

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tfprof._keywords import Options

Budgets = Union[_inputs.Path, Iterable[Mapping[str, Any]]]
Baseline = Union[_inputs.Path, Iterable[_inputs.Path], Mapping[str, Any]]

_REFUSED = {**_diff.REFUSED,
            "budgets": "give it as an argument",
            "baseline": "give it as an argument",
            "require_verdict": "use raise_if_broken(require_verdict=True)",
            "allow_no_verdict": "use raise_if_broken(allow_no_verdict=True)",
            "init": "use the command tfprof check --init"}


def _figure(value: float, unit: str) -> str:
    figure = f"{round(value, 2):,}"
    return figure if unit == "count" else f"{figure} {unit}"


class Budget:
    """The verdict about one budget.

    name: the name that the file gives it, or None.
    metric: the metric, such as "params".
    rows: the kind of rows that `pattern` selects: "scope", "op", "code" or
        "device". If the budget is for the complete model, rows is "all" and
        pattern is None.
    verdict: "ok", "broken" or "no verdict". reason: why, or None.
    is_noise: True if there is no verdict only because the runs differ too much.
    detail: what grew, if the wall time of a step broke its limit, or None.
    values: a value for each run in Check.run_names, or None if it has none.
    value, base, limit: the value of the inputs, the value of the baseline and
        the limit, in `unit`. None if unknown.
    limit_is_minimum: True if the value must not be below the limit; None
        without a limit.
    shift, shift_low, shift_high: the difference of times from the baseline and
        its interval. median_low, median_high: the interval of the median. p,
        adjusted_p: p of the rank test before and after the correction. None
        if not applicable.
    more_runs: the number of additional runs that a verdict needs.
    excess: how far a broken budget is past its limit, as a share of the limit.
    row, file, line: the largest row and its source line, or None.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.name: str | None = told["name"]
        self.metric: str = told["metric"]
        self.rows: str = told["rows"]
        self.pattern: str | None = told["pattern"]
        self.verdict: str = told["verdict"]
        self.reason: str | None = (None if told["reason"] is None else
                                   _native.in_python(told["reason"]))
        self.is_noise: bool = told["is_noise"]
        self.detail: str | None = told["detail"]
        self.values: list[float | None] = told["values"]
        self.value: float | None = told["value"]
        self.base: float | None = told["base"]
        self.limit: float | None = told["limit"]
        self.limit_is_minimum: bool | None = told["limit_is_minimum"]
        self.unit: str = told["unit"]
        self.shift: float | None = told["shift"]
        self.shift_low: float | None = told["shift_low"]
        self.shift_high: float | None = told["shift_high"]
        self.median_low: float | None = told["median_low"]
        self.median_high: float | None = told["median_high"]
        self.p: float | None = told["p"]
        self.adjusted_p: float | None = told["adjusted_p"]
        self.more_runs: int = told["more_runs"]
        self.excess: float | None = told["excess"]
        self.row: str | None = told["row"]
        self.file: str | None = told["file"]
        self.line: int | None = told["line"]

    @property
    def label(self) -> str:
        """The name, or the pattern and the metric."""
        if self.name:
            return self.name
        return (self.metric if self.pattern is None else
                f"{self.rows} {self.pattern}: {self.metric}")

    @property
    def message(self) -> str:
        """One line with the label, the reason and the values, escaped."""
        limit = "minimum" if self.limit_is_minimum else "maximum"
        values = [f"{word} {_figure(value, self.unit)}"
                  for word, value in (("value", self.value),
                                      ("base", self.base), (limit, self.limit))
                  if value is not None]
        parts = [f"{self.label}: {self.reason or self.verdict}",
                 f" ({', '.join(values)})" if values else "",
                 f"; {self.detail}" if self.detail else ""]
        if self.row is not None:
            parts.append(f"; largest row: {self.row}")
        if self.file is not None:
            parts.append(f" ({self.file}:{self.line})" if self.line else
                         f" ({self.file})")
        return _native.escape("".join(parts))

    def __repr__(self) -> str:
        return f"<tfprof.Budget {_native.escape(self.label)}: {self.verdict}>"


class _Request:
    """Inputs and files of a check. Objects in the place of files are written
    to a temporary folder, each time that the library needs them."""

    def __init__(self, paths: list[bytes], options: Mapping[str, str],
                 **files: Any) -> None:
        self._handle = Handle()
        self._paths = paths
        self._options = options
        self._files = {name: thing for name, thing in files.items()
                       if thing is not None}
        self.remarks: tuple[str, ...] = ()

    def ask(self, what: Callable[[Handle, list[bytes]], bytes],
            **more: str) -> bytes:
        made = [name for name, thing in self._files.items()
                if isinstance(thing, Mapping)]
        if not made:
            return self._answer(what, self._files, more)
        import tempfile
        with tempfile.TemporaryDirectory(prefix="tfprof.") as folder:
            try:
                return self._answer(what, self._written(folder, made), more)
            except Error as error:
                # Nobody knows the folder: a message names only the file.
                error.args = (str(error).replace(folder + os.sep, ""),
                              *error.args[1:])
                raise

    def _written(self, folder: str, made: list[str]) -> dict[str, Any]:
        import json
        files = dict(self._files)
        for name in made:
            files[name] = os.path.join(folder, f"<{name}>")
            with open(files[name], "w", encoding="utf-8") as file:
                json.dump(self._files[name], file)
        return files

    def _answer(self, what: Callable[[Handle, list[bytes]], bytes],
                files: Mapping[str, Any], more: Mapping[str, str]) -> bytes:
        named = {name: _settings.words(path) for name, path in files.items()}
        with self._handle.asking({**self._options, **named, **more}) as remarks:
            data = what(self._handle, self._paths)
        self.remarks = tuple(dict.fromkeys(remarks))
        return data


def _file_of(budgets: Budgets) -> Any:
    """A path, or what a file of budgets contains."""
    if isinstance(budgets, (str, os.PathLike)):
        return budgets
    if isinstance(budgets, Mapping):
        raise TypeError("budgets must be a path or a list of dicts")
    return {"budgets": [dict(one) for one in budgets]}


def _paths_of(baseline: Baseline | None) -> Any:
    """A mapping or a path, or a list: a generator gives its paths only
    once."""
    if baseline is None or isinstance(baseline, (str, os.PathLike, Mapping)):
        return baseline
    return list(baseline)


class Check:
    """The verdicts about budgets; see `tfprof check`.

    verdict: "ok" if every budget holds, "broken" if one is broken, else "no
        verdict". ok: True if the verdict is "ok".
    budgets: a list of Budget, in the order of their file.
    broken, without_verdict: the budgets with this verdict, the worst first.
    runs, baseline_runs: the numbers of runs; baseline_runs is None without a
        baseline. run_names: the paths of the runs.
    remarks: the remarks about the inputs.

    print() shows the text of the command line. A Check is always true, even if
    a budget is broken: use `ok` or raise_if_broken().
    """

    def __init__(self, request: _Request) -> None:
        import json
        self._request = request
        self._told: dict[str, Any] = json.loads(
            request.ask(Handle.write_check, format="json"))
        self.remarks = request.remarks
        self.budgets = [Budget(told) for told in self._told["budgets"]]

    @property
    def verdict(self) -> str:
        return str(self._told["verdict"])

    @property
    def ok(self) -> bool:
        return self.verdict == "ok"

    @property
    def broken(self) -> list[Budget]:
        return self._with("broken")

    @property
    def without_verdict(self) -> list[Budget]:
        return self._with("no verdict")

    def _with(self, verdict: str) -> list[Budget]:
        return sorted((budget for budget in self.budgets
                       if budget.verdict == verdict),
                      key=lambda budget: -(budget.excess or 0))

    @property
    def runs(self) -> int:
        return int(self._told["runs"])

    @property
    def baseline_runs(self) -> int | None:
        found = self._told["baseline_runs"]
        return None if found is None else int(found)

    @property
    def run_names(self) -> list[str]:
        return [_native.in_python(name) for name in self._told["run_names"]]

    def raise_if_broken(self, require_verdict: bool = False,
                        allow_no_verdict: bool = False) -> None:
        """Raises tfprof.BudgetError if a budget is broken, or has no verdict
        for another reason than noise. require_verdict=True also raises if the
        reason is noise; allow_no_verdict=True raises only if one is broken."""
        if require_verdict and allow_no_verdict:
            raise TypeError("require_verdict and allow_no_verdict contradict "
                            "each other")
        bad = self.broken + [
            budget for budget in self.without_verdict
            if require_verdict or not (allow_no_verdict or budget.is_noise)]
        if bad:
            raise BudgetError("\n".join(budget.message for budget in bad))

    def to_dict(self) -> dict[str, Any]:
        """Everything that `tfprof check --format json` prints."""
        return dict(self._told)

    def text(self) -> str:
        """The text of the command line. Reads the files again."""
        data = self._request.ask(Handle.write_check, format="text")
        return _native.unended(data.decode("utf-8", "replace"))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return (f"<tfprof.Check: {self.verdict}, {len(self.broken)} of "
                f"{len(self.budgets)} budgets broken>")


def check(inputs: _inputs.Paths, budgets: Budgets | None = None, *,
          baseline: Baseline | None = None,
          **options: Unpack[Options]) -> Check:
    """Checks whether inputs are within their budgets.

    inputs: a path or a list of paths of runs or models.
    budgets: the path of a budgets file, or a list of dicts with the same keys.
        Without them, the wall time of a step may grow by 10 % from the
        baseline.
    baseline: the path of a baseline, what baseline() returned, or the paths of
        runs. Relative limits such as "+5%" need it.
    options: the options of `tfprof check`, such as of="min", skip_steps=2 or
        runs=8.

    >>> import tfprof
    >>> found = tfprof.check("graph.pb", [{"metric": "nodes", "max": 5}])
    >>> found.verdict
    'broken'
    >>> found.raise_if_broken()
    Traceback (most recent call last):
        ...
    tfprof.BudgetError: nodes: the value is above the limit (value 8, maximum 5)
    """
    return Check(_Request(_inputs.paths(inputs),
                          _settings.texts(options, _REFUSED),
                          budgets=None if budgets is None else
                          _file_of(budgets), baseline=_paths_of(baseline)))


def baseline(inputs: _inputs.Paths,
             path: str | os.PathLike[str] | None = None, *,
             budgets: Budgets | None = None,
             **options: Unpack[Options]) -> dict[str, Any]:
    """Returns the values of runs, for the argument `baseline` of check().

    inputs: a path or a list of paths of runs or models.
    path: a file to which the values are also written, or None.
    budgets: budgets as for check(). The baseline then also has the values that
        these budgets limit.
    options: the options of `tfprof baseline`. check() needs the same values of
        `of` and `skip_steps`.

    >>> import tfprof
    >>> tfprof.baseline("graph.pb")["rows"][0]
    {'metric': 'params', 'values': [6]}
    """
    import json
    files = {} if budgets is None else {"budgets": _file_of(budgets)}
    request = _Request(_inputs.paths(inputs),
                       _settings.texts(options, _REFUSED), **files)
    if path is None:
        data = request.ask(Handle.write_baseline)
    else:
        request.ask(Handle.write_baseline,
                    output=_settings.with_file("file", path))
        with open(path, "rb") as file:
            data = file.read()
    found: dict[str, Any] = json.loads(data)
    return found
