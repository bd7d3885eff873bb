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
from wirebytes import fields, varint_at

# {node: (its type, numbers of inputs whose shapes TensorFlow has wrong)}
Later = dict[str, tuple[str, list[int]]]

sys.setrecursionlimit(1 << 20)  # messages nest as deep as a view is long
SHOWN = 8


# ---- Messages ---------------------------------------------------------------

def _descriptor(kind: str) -> Any:
    from tensorflow.core.profiler import tfprof_log_pb2, tfprof_output_pb2
    for module in (tfprof_output_pb2, tfprof_log_pb2):
        if kind in module.DESCRIPTOR.message_types_by_name:
            return module.DESCRIPTOR.message_types_by_name[kind]
    raise KeyError(kind)


def _scalars(field: Any, wire: int, value: Any) -> list[Any]:
    if wire == 2 and field.type in (field.TYPE_STRING, field.TYPE_BYTES):
        return [value]
    if field.type == field.TYPE_DOUBLE:
        return [number for number, in struct.iter_unpack("<d", value)]
    numbers = [value]
    if wire == 2:
        numbers, at = [], 0
        while at < len(value):
            number, at = varint_at(value, at)
            numbers.append(number)
    return [n - (1 << 64) if n >> 63 else n for n in numbers]


def decode(data: bytes, descriptor: Any) -> dict[str, Any]:
    """Every field by its name. Written without protobuf, whose Python gives
    up where messages are nested deeper than 100; maps become sorted lists."""
    found: dict[str, Any] = {}
    for number, wire, value in fields(data):
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


def without_later(message: Any, later: Later) -> int:
    """Takes the shapes of inputs out that TensorFlow has wrong; how many."""
    count = 0
    if isinstance(message, list):
        return sum(without_later(one, later) for one in message)
    if not isinstance(message, dict):
        return 0
    _, numbers = later.get(message.get("name", b"").decode(), ("", []))
    if numbers and "input_shapes" in message:
        shapes = message["input_shapes"]
        message["input_shapes"] = [one for one in shapes
                                   if one.get("key", 0) not in numbers]
        count += len(shapes) - len(message["input_shapes"])
    return count + sum(without_later(message[name], later) for name in (
        "children", "graph_nodes") if name in message)


def without_nodes(advice: dict[str, Any]) -> int:
    """Takes the reports on graph nodes out of an AdviceProto; how many."""
    count = 0
    for checker in advice.get("checkers", []):
        reports = checker.get("value", {}).get("reports", [])
        kept = [one for one in reports if not one.startswith(b"top 1 graph")]
        count += len(reports) - len(kept)
        checker.setdefault("value", {})["reports"] = kept
    return count


def text_without_later(text: str, later: Later) -> str:
    """The same for rows of text; in the op view all shapes of such types are
    left out, since they are put together by them."""
    types = tuple(op.ljust(25) for op, _ in later.values())
    found, of_type = [], False
    for line in text.splitlines(keepends=True):
        _, numbers = later.get(line.strip(" ").partition(" (")[0], ("", []))
        for number in numbers:
            line = re.sub(rf"(?<=[ |(]){number}:[^|)]*(?=[|)])", "?", line)
        if line.startswith("input_type:") and of_type:
            continue
        if line != "\n" and not line.startswith("input_type:"):
            of_type = line.startswith(types)
        found.append(line)
    return "".join(found)


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

    def __init__(self, later: dict[str, Later]) -> None:
        self._later = later
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

    def _later_of(self, label: str) -> Later:
        """Labels begin with the name of the model; programs have none."""
        return self._later.get(label.partition(" ")[0], {})

    def _note(self, label: str, what: str) -> None:
        self.differences.append(f"{label}: {what}")

    def text(self, label: str, theirs: str, ours: str) -> None:
        self.rows += ours.count("\n")
        if "input shapes" in ours.partition("\n")[0] and theirs != ours:
            later = self._later_of(label)
            self.decisions["shapes of other outputs, texts"] += 1
            theirs = text_without_later(theirs, later)
            ours = text_without_later(ours, later)
        if theirs != ours:
            self._note(label, "\n".join(list(difflib.unified_diff(
                theirs.splitlines(), ours.splitlines(), "TensorFlow", "tfprof",
                lineterm="", n=0))[:12]))

    def message(self, label: str, kind: str, theirs: bytes,
                ours: bytes) -> None:
        self.fields += len(ours)
        descriptor = _descriptor(kind)
        there, here = decode(theirs, descriptor), decode(ours, descriptor)
        if there != here:
            later = self._later_of(label)
            self.decisions["shapes of other outputs, in messages"] += (
                without_later(here, later))
            without_later(there, later)
        if kind == "AdviceProto":
            self.decisions["nodes of advice"] += without_nodes(here)
            without_nodes(there)
        for found in list(_differences(there, here, kind))[:6]:
            self._note(label, found)

    def file(self, label: str, name: str, theirs: bytes, ours: bytes) -> None:
        self.files += 1
        if name.endswith(".txt"):
            _, _, rows = theirs.decode().partition("\nProfile:\n")
            self.text(label, rows, ours.decode())
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
        """Sections are sorted, nodes are real ones, and lines are added below
        those of upstream."""
        there, here = (
            {name: [line for line in body.splitlines()
                    if not re.match(r" +(where|try): |top \d graph node: ",
                                    line)]
             for name, body in zip(parts[1::2], parts[2::2])}
            for parts in (re.split(r"\n(\w+Checker):\n", text)
                          for text in (theirs, ours)))
        self.rows += ours.count("\n")
        for found in _differences(there, here, "advice"):
            self._note(label, found)


def _matched(files: dict[str, bytes]) -> dict[str, bytes]:
    """The only timeline is NAME here and NAME_STEP there; of several steps they
    are NAME_STEP.json here and NAME.json_STEP there."""
    found: dict[str, list[bytes]] = collections.defaultdict(list)
    for name in sorted(files):
        stem = re.sub(r"_-?\d+(\.json)$|(?<=\.json)_-?\d+$", r"\1", name)
        found[stem].append(files[name])
    return {f"{i or ''}{name}": data for name, many in found.items()
            for i, data in enumerate(many)}


def _compare_call(found: Found, label: str, theirs: Any, ours: Any) -> None:
    text, kind, data, files = theirs
    if kind == "AdviceProto":
        found.advice(label, text, ours[0])
    else:
        found.text(label, _body(text), ours[0])
    if isinstance(data, list):  # an exception, which ours is too
        if data[0] not in ours[2]:
            found._note(label, f"{data[0]} there, {ours[2]} here")
    elif kind != ours[1]:
        found._note(label, f"{kind} there, {ours[1]} here")
    elif data is not None and kind != "bytes":
        found.message(label, kind, data, ours[2])
    files, our_files = _matched(files), _matched(ours[3])
    if sorted(files) != sorted(our_files):
        found._note(label, f"files {sorted(files)} there, "
                           f"{sorted(our_files)} here")
        return
    for name, data in files.items():
        found.file(label, name, data, our_files[name])


def compare(theirs: list[Any], ours: list[Any],
            later: dict[str, Later]) -> Found:
    """Both lists as dropin_run.py writes them."""
    found = Found(later)
    assert [one[0] for one in theirs] == [one[0] for one in ours]
    for one, other in zip(theirs, ours):
        found.calls += 1
        _compare_call(found, one[0], one[1:], other[1:])
    return found
