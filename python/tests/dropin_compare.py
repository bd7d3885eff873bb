"""Holds what a program showed with one profiler against the other."""

from __future__ import annotations

import collections
import difflib
import re
import struct
import sys
from collections.abc import Iterator
from typing import Any

import judge
import pprof
import traces

sys.setrecursionlimit(1 << 20)  # messages nest as deep as a view is long
SHOWN = 8


# ---- Messages ---------------------------------------------------------------

def _descriptor(kind: str) -> Any:
    from tensorflow.core.profiler import tfprof_log_pb2, tfprof_output_pb2
    for module in (tfprof_output_pb2, tfprof_log_pb2):
        if kind in module.DESCRIPTOR.message_types_by_name:
            return module.DESCRIPTOR.message_types_by_name[kind]
    raise KeyError(kind)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _raw(data: bytes) -> Iterator[tuple[int, int, Any]]:
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        wire = tag & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield tag >> 3, wire, value
            continue
        size = {1: 8, 5: 4}.get(wire)
        if size is None:
            size, at = _varint(data, at)
        yield tag >> 3, wire, data[at:at + size]
        at += size
        assert at <= len(data)


def _scalars(field: Any, wire: int, value: Any) -> list[Any]:
    if wire == 2 and field.type in (field.TYPE_STRING, field.TYPE_BYTES):
        return [value]
    if field.type == field.TYPE_DOUBLE:
        return [number for number, in struct.iter_unpack("<d", value)]
    numbers = [value]
    if wire == 2:
        numbers, at = [], 0
        while at < len(value):
            number, at = _varint(value, at)
            numbers.append(number)
    return [n - (1 << 64) if n >> 63 else n for n in numbers]


def decode(data: bytes, descriptor: Any) -> dict[str, Any]:
    """Every field by its name. Written without protobuf, whose Python gives
    up where messages are nested deeper than 100; maps become sorted lists."""
    found: dict[str, Any] = {}
    for number, wire, value in _raw(data):
        field = descriptor.fields_by_number[number]
        values = ([decode(value, field.message_type)]
                  if field.type == field.TYPE_MESSAGE
                  else _scalars(field, wire, value))
        if field.is_repeated:
            found.setdefault(field.name, []).extend(values)
        elif values[-1] or field.type == field.TYPE_MESSAGE:
            found[field.name] = values[-1]
    for name, value in found.items():
        kind = descriptor.fields_by_name[name].message_type
        if kind and kind.GetOptions().map_entry:
            value.sort(key=repr)
    return found


def _differences(theirs: Any, ours: Any, where: str) -> Iterator[str]:
    if theirs == ours:
        return
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name in sorted({*theirs, *ours}):
            yield from _differences(theirs.get(name), ours.get(name),
                                    f"{where}.{name}")
    elif (isinstance(theirs, list) and isinstance(ours, list)
          and len(theirs) == len(ours)):
        for i, (one, other) in enumerate(zip(theirs, ours)):
            yield from _differences(one, other, f"{where}[{i}]")
    else:
        yield f"{where}: {str(theirs)[:200]} there, {str(ours)[:200]} here"


# ---- Answers ----------------------------------------------------------------

def _body(text: str) -> str:
    """From the legend on; what is before and behind is chatter."""
    return judge._body(text) if "\nProfile:\n" in text else ""


class Found:
    """What came of it."""

    def __init__(self) -> None:
        self.calls = self.rows = self.fields = self.files = 0
        self.decisions: collections.Counter[str] = collections.Counter()
        self.differences: list[str] = []

    def lines(self) -> Iterator[str]:
        yield (f"{self.calls} calls, {self.rows} lines of text, "
               f"{self.fields} bytes of messages, {self.files} files: "
               f"{len(self.differences)} differences")
        for decision, count in sorted(self.decisions.items()):
            yield f"decided otherwise, {decision}: {count}"

    def told(self) -> str:
        return "\n".join([f"{len(self.differences)} differences",
                          *self.differences[:SHOWN]])

    def _note(self, label: str, what: str) -> None:
        self.differences.append(f"{label}: {what}")

    def text(self, label: str, theirs: str, ours: str) -> None:
        self.rows += ours.count("\n")
        if theirs != ours:
            self._note(label, "\n".join(list(difflib.unified_diff(
                theirs.splitlines(), ours.splitlines(), "TensorFlow", "tfprof",
                lineterm="", n=0))[:12]))

    def message(self, label: str, kind: str, theirs: bytes,
                ours: bytes) -> None:
        self.fields += len(ours)
        descriptor = _descriptor(kind)
        for found in list(_differences(decode(theirs, descriptor),
                                       decode(ours, descriptor), kind))[:6]:
            self._note(label, found)

    def file(self, label: str, name: str, theirs: bytes, ours: bytes) -> None:
        self.files += 1
        if name.endswith(".txt"):
            self.text(label, theirs.decode(), ours.decode())
        elif name.endswith(".pprof"):
            if pprof.samples(theirs) != pprof.samples(ours):
                self._note(label, f"{name}: other samples")
        elif name.endswith(".json"):
            trace = traces.Trace(ours)
            traces.check(trace)
            for found in traces.differences(traces.Trace(theirs), trace):
                self._note(label, f"{name}: {found}")
        elif name == "tfprof_log":
            self.message(label, "OpLogProto", theirs, ours)
        elif theirs != ours:
            self._note(label, f"{name}: other bytes")

    def advice(self, label: str, theirs: str, ours: str) -> None:
        """Sections are sorted, and lines are added below those of upstream."""
        from test_advise_live import compare
        if theirs or ours:
            compare(theirs, ours.encode())


def _matched(files: dict[str, bytes]) -> dict[str, bytes]:
    """The only timeline is NAME here and NAME_STEP there."""
    found: dict[str, list[bytes]] = collections.defaultdict(list)
    for name in sorted(files):
        found[re.sub(r"(\.json)_-?\d+$", r"\1", name)].append(files[name])
    return {f"{i or ''}{name}": data for name, many in found.items()
            for i, data in enumerate(many)}


def compare(theirs: list[Any], ours: list[Any]) -> Found:
    found = Found()
    assert [one[0] for one in theirs] == [one[0] for one in ours]
    for (label, text, kind, data, files), mine in zip(theirs, ours):
        found.calls += 1
        if kind == "AdviceProto":
            found.advice(label, text, mine[1])
        else:
            found.text(label, _body(text), mine[1])
        if kind != mine[2]:
            found._note(label, f"{kind} there, {mine[2]} here")
        elif isinstance(data, list):
            pass
        elif kind == "AdviceProto":
            pass
        elif data is not None and kind != "bytes":
            found.message(label, kind, data, mine[3])
        files, mine_files = _matched(files), _matched(mine[4])
        if sorted(files) != sorted(mine_files):
            found._note(label, f"files {sorted(files)} there, "
                               f"{sorted(mine_files)} here")
        else:
            for name, bytes_ in files.items():
                found.file(label, name, bytes_, mine_files[name])
    return found
