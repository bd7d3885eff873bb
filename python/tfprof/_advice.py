"""What stands out in a model and its runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from tfprof import _native
from tfprof._native import Handle


class Finding:
    """One thing that stands out.

    checker: who found it. kind: "device", "type", "node", "code",
        "batch_norm" or "layout"; of a trace "idle_device", "small_kernels",
        "slow_copy", "input_bound" or "host_bound".
    report: the line that is printed, safe to print. name: of what it is
        about, or None.
    node, file, line: where it comes from, as far as known, else None.
    nodes: how many it stands for.
    micros, cpu_micros, accelerator_micros, whole_micros: its time, and the
        time it is a part of; None where it has none.
    count, whole_count: of a trace, how many steps, kernels or copies it is
        about, and of how many. bytes: that were copied. launch_micros: of the
        host in launching kernels. None where it has none.
    hint: what to try.
    """

    def __init__(self, checker: str, told: Mapping[str, Any]) -> None:
        where = told.get("where") or {}
        self.checker = checker
        self.kind: str = told["kind"]
        self.report: str = _native.escape(told["line"])
        self.name: str | None = told.get("name")
        self.node: str | None = where.get("node")
        self.file: str | None = where.get("file")
        self.line: int | None = where.get("line")
        self.nodes: int = int(where.get("nodes") or 0)
        self.micros = _time(told, "micros")
        self.cpu_micros = _time(told, "cpu_micros")
        self.accelerator_micros = _time(told, "accelerator_micros")
        self.whole_micros = _time(told, "whole_micros")
        self.count: int | None = told.get("count")
        self.whole_count: int | None = told.get("whole_count")
        self.bytes: int | None = told.get("bytes")
        self.launch_micros = _time(told, "launch_micros")
        self.hint: str | None = told.get("try")

    def __repr__(self) -> str:
        return f"<tfprof.Finding {self.checker}: {self.report}>"


def _time(told: Mapping[str, Any], key: str) -> int | None:
    found = told.get(key)
    return None if found is None else int(found)


class Advice(Sequence[Finding]):
    """Findings, in the order of their checkers' names. print() shows them as
    the command line does."""

    def __init__(self, handle: Handle, options: Mapping[str, str],
                 data: bytes) -> None:
        import json
        self._handle = handle
        self._options = dict(options)
        self._findings = [
            Finding(checker["name"], told)
            for checker in json.loads(data)["checkers"]
            for report in checker["reports"] for told in report]

    def __len__(self) -> int:
        return len(self._findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> list[Finding]: ...

    def __getitem__(self, index: int | slice) -> Finding | list[Finding]:
        return self._findings[index]

    def __str__(self) -> str:
        with self._handle.asking(self._options):
            text = self._handle.write("advice").decode("utf-8", "replace")
        return _native.unended(text)

    def __repr__(self) -> str:
        return f"<tfprof.Advice: {len(self)} findings>"
