"""Findings about a model and its runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from tfprof import _native
from tfprof._native import Handle


class Finding:
    """One finding of advise().

    checker: the name of the checker that reported it.
    kind: "device", "type", "node", "code", "batch_norm" or "layout"; for a
        trace "idle_device", "small_kernels", "slow_copy", "input_bound" or
        "host_bound".
    report: the line that the command line prints, escaped.
    name: the device, type, node or line of code, or None.
    node, file, line: the node and its source line, or None if unknown.
    nodes: the number of nodes that the finding covers.
    micros, cpu_micros, accelerator_micros: its times. whole_micros: the total
        that includes them. None if not applicable.
    count, whole_count: for a trace, the number of affected steps, kernels or
        copies, and the number of all of them. bytes: the copied bytes.
        launch_micros: the host time for kernel launches. None if not
        applicable.
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
    """A sequence of findings, sorted by the name of their checker. print()
    shows the text of the command line."""

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

    def _repr_html_(self) -> str:
        from tfprof import _notebook
        return _notebook.advice(self)

    def __repr__(self) -> str:
        return f"<tfprof.Advice: {len(self)} findings>"
