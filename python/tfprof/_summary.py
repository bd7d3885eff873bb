"""A model and its runs on one screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tfprof import _native
from tfprof._native import Handle


class Cost(NamedTuple):
    """One of the most expensive.

    metric: "micros", "float_ops" or "params". value: how much of it. share: the
    share of the total, from 0 to 1.
    """

    name: str
    metric: str
    value: float
    share: float


class Device(NamedTuple):
    """A device. Times are averages over the steps."""

    name: str
    busy_micros: float
    idle_micros: float


class InputWait(NamedTuple):
    """How long the steps waited for input. Times are sums over the steps.

    share: micros / wall_micros. hint: what to try.
    """

    micros: float
    wall_micros: float
    share: float
    waiting_steps: int
    steps: int
    hint: str | None


class Peak(NamedTuple):
    """The largest peak of memory, and the operation that held most of it."""

    pool: str
    bytes: int
    at_micros: float
    held_by: str
    held_bytes: int


class Hint(NamedTuple):
    """The first finding of advise(), and what to try. `share` is its part of
    the operation time or, of devices that idle, of the time of the steps."""

    about: str
    hint: str | None
    kind: str
    share: float


class Summary:
    """A model and its runs on one screen. print() shows the text of the
    command line.

    inputs: the number of input files of each type.
    params, float_ops: None if unknown. params_estimated: whether the
        parameters are the constants of a frozen graph.
    counted_nodes, compute_nodes: how many compute nodes flops() counted, and
        how many there are; None if unknown.
    steps: the number of steps. wall_micros: "p50", "min" and "max".
    devices, parallelism, input_wait, memory: None or empty if unknown.
    scopes, op_types, lines: the most expensive, at most three each.
    advice: the first finding, or None. next: commands that show more.
    """

    def __init__(self, handle: Handle, options: Mapping[str, str],
                 words: str | None, data: bytes) -> None:
        import json
        told: dict[str, Any] = json.loads(data)
        self._handle = handle
        self._options = dict(options)
        self._words = words
        self._told = told
        self.inputs: dict[str, int] = {row["kind"]: row["count"]
                                       for row in told["inputs"]}
        self.params: int | None = told["params"]
        self.params_estimated: bool = told["params_estimated"]
        self.float_ops: int | None = told["float_ops"]
        self.counted_nodes: int | None = told["counted_nodes"]
        self.compute_nodes: int | None = told["compute_nodes"]
        self.steps: int = told["steps"]
        self.wall_micros: dict[str, float | None] = told["wall_micros"]
        self.devices = [Device(row["device"], row["busy_micros"],
                               row["idle_micros"]) for row in told["devices"]]
        self.parallelism: float | None = told["parallelism"]
        self.input_wait = _input_wait(told["input_wait"])
        self.memory = _peak(told["memory"])
        self.scopes = _costs(told["scopes"])
        self.op_types = _costs(told["op_types"])
        self.lines = _costs(told["lines"])
        self.advice = _hint(told["advice"])
        self.next: list[str] = told["next"]

    # ---- Other forms

    def _written(self, form: str) -> str:
        with self._handle.asking({**self._options, "format": form}):
            data = self._handle.write_summary(self._words)
        return data.decode("utf-8", "replace")

    def to_json(self) -> str:
        """Returns the output of --format json."""
        return self._written("json")

    def to_dict(self) -> dict[str, Any]:
        """Returns the content of to_json()."""
        import json
        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def __str__(self) -> str:
        return _native.unended(self._written("text"))

    def __repr__(self) -> str:
        files = sum(self.inputs.values())
        of = ", ".join(self.inputs)
        return (f"<tfprof.Summary of {files} file{'s' * (files != 1)} ({of}), "
                f"{self.steps} step{'s' * (self.steps != 1)}>")

    def _repr_html_(self) -> str:
        from tfprof import _notebook
        return _notebook.summary(self)


def _costs(rows: list[dict[str, Any]]) -> list[Cost]:
    found = []
    for row in rows:
        (metric,) = row.keys() - {"name", "share"}
        found.append(Cost(row["name"], metric, float(row[metric]),
                          row["share"]))
    return found


def _input_wait(told: dict[str, Any] | None) -> InputWait | None:
    return None if told is None else InputWait(
        told["micros"], told["wall_micros"], told["share"],
        told["waiting_steps"], told["steps"], told["try"])


def _peak(told: dict[str, Any] | None) -> Peak | None:
    return None if told is None else Peak(
        told["pool"], told["peak_bytes"], told["peak_at_micros"],
        told["held_by"], told["held_bytes"])


def _hint(told: dict[str, Any] | None) -> Hint | None:
    return None if told is None else Hint(
        told["about"], told["try"], told["kind"], told["share"])
