"""The bytes of a message: tags, varints, lengths.

Invalid bytes raise a CorruptInput with the offset.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfprof._errors import CorruptInput

VARINT, FIXED64, BYTES, GROUP, GROUP_END, FIXED32 = range(6)
_SIZES = {FIXED64: 8, FIXED32: 4}

Slice = tuple[bytes, int, int]  # bytes not yet decoded: data, start, end
NOTHING = (b"", 0, 0)


def corrupt(name: str, what: str, at: int) -> CorruptInput:
    return CorruptInput(f"{name}: {what} at byte {at}", at)


def varint(data: bytes, at: int, end: int, name: str,
           most: int = 10) -> tuple[int, int]:
    """A number of at most `most` bytes, and the offset of its end. Bits above
    64 are dropped, as in protobuf."""
    if at < end and data[at] < 0x80:  # most are
        return data[at], at + 1
    value = 0
    for count, byte in enumerate(data[at:min(end, at + most)]):
        value |= (byte & 0x7f) << 7 * count
        if byte < 0x80:
            return value & 0xffffffffffffffff, at + count + 1
    if end - at < most:
        raise corrupt(name, "a number is truncated", at)
    raise corrupt(name, f"a number has more than {most} bytes", at)


def fields(data: bytes, at: int, end: int,
           name: str) -> Iterator[tuple[int, Any, int, int]]:
    """Each field of a message: its tag, its value (a number or a slice), and
    the offsets of its start and end. A group with its content is one field. It
    is read without recursion, because groups may nest to any depth."""
    groups: list[int] = []
    value: int | Slice = 0
    first = at
    while at < end:
        start, tag = at, data[at]
        at += 1
        if tag >= 0x80:
            tag, at = varint(data, start, end, name, 5)
        wire = tag & 7
        if tag < 8 or tag >> 32:
            raise corrupt(name, "a bad field tag", start)
        if wire == VARINT:
            value, at = varint(data, at, end, name)
        elif wire == BYTES:
            size, after = varint(data, at, end, name, 5)
            if size > end - after:
                raise corrupt(name, f"a field of {size} bytes is truncated",
                              at)
            at = after + size
            value = (data, after, at)
        elif wire in _SIZES:
            value = (data, at, at + _SIZES[wire])
            at += _SIZES[wire]
            if at > end:
                raise corrupt(name, "a number is truncated", start)
        elif wire == GROUP:
            groups.append(tag >> 3)
        elif wire != GROUP_END:
            raise corrupt(name, f"an unknown wire type {wire}", start)
        elif not groups or groups.pop() != tag >> 3:
            raise corrupt(name, "a group ends without a start", start)
        if not groups:
            yield tag, value, first, at
            first = at
    if groups:
        raise corrupt(name, "a group is truncated", first)


def by_number(data: bytes) -> bytes:
    """The same fields sorted by number; the sort is stable."""
    found = [(tag >> 3, data[start:end])
             for tag, _, start, end in fields(data, 0, len(data), "")]
    return b"".join(one for _, one in sorted(found, key=lambda one: one[0]))


def unpacked(wire: int, place: Slice, name: str) -> Iterator[int | Slice]:
    """The values of a packed field of this wire type."""
    data, at, end = place
    value: int | Slice
    while at < end:
        if wire == VARINT:
            value, at = varint(data, at, end, name)
        elif end - at < _SIZES[wire]:
            raise corrupt(name, "a number is truncated", end)
        else:
            value, at = (data, at, at + _SIZES[wire]), at + _SIZES[wire]
        yield value


def cut(place: Slice) -> bytes:
    data, start, end = place
    return data[start:end]


def number(value: int) -> bytes:
    """A varint; a negative number needs ten bytes."""
    value &= 0xffffffffffffffff
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def lengthened(data: bytes) -> bytes:
    """Bytes preceded by their length."""
    return number(len(data)) + data
