"""The bytes of a message: tags, varints, lengths.

Whatever is wrong with them is a CorruptInput that names the byte.
"""

from __future__ import annotations

from tfprof._errors import CorruptInput

VARINT, FIXED64, BYTES, GROUP, GROUP_END, FIXED32 = range(6)

Slice = tuple[bytes, int, int]  # a message not yet looked at: data, start, end


def corrupt(name: str, what: str, at: int) -> CorruptInput:
    return CorruptInput(f"{name}: {what} at byte {at}", at)


def varint(data: bytes, at: int, end: int, name: str,
           most: int = 10) -> tuple[int, int]:
    """A number of at most so many bytes and where it ends. Bits past the 64th
    are dropped, as protobuf does."""
    value = shift = 0
    pos = at
    while pos < end and pos - at < most:
        byte = data[pos]
        pos += 1
        value |= (byte & 0x7f) << shift
        if byte < 0x80:
            return value & 0xffffffffffffffff, pos
        shift += 7
    if pos - at < most:
        raise corrupt(name, "a number is cut short", at)
    raise corrupt(name, f"a number has more than {most} bytes", at)


def tag_at(data: bytes, at: int, end: int, name: str) -> tuple[int, int]:
    """The tag of a field and where it ends."""
    tag, after = varint(data, at, end, name, 5)
    if tag < 8 or tag >> 32:
        raise corrupt(name, "a bad field tag", at)
    return tag, after


def span(data: bytes, at: int, end: int, name: str) -> tuple[int, int]:
    """Where the bytes behind a length start and end."""
    size, start = varint(data, at, end, name, 5)
    if size > end - start:
        raise corrupt(name, f"a field of {size} bytes is cut short", at)
    return start, start + size


def skip(data: bytes, start: int, end: int, name: str) -> int:
    """Where the field ends whose tag starts here, groups with all they hold;
    not by recursion, since they nest as deep as their writer liked."""
    groups = []
    tag, at = tag_at(data, start, end, name)
    while True:
        number, wire = tag >> 3, tag & 7
        if wire == VARINT:
            at = varint(data, at, end, name)[1]
        elif wire == BYTES:
            at = span(data, at, end, name)[1]
        elif wire in (FIXED64, FIXED32):
            at += 8 if wire == FIXED64 else 4
            if at > end:
                raise corrupt(name, "a number is cut short", start)
        elif wire == GROUP:
            groups.append(number)
        elif wire == GROUP_END:
            if not groups or groups.pop() != number:
                raise corrupt(name, "a group ends that did not begin", start)
        else:
            raise corrupt(name, f"an unknown wire type {wire}", start)
        if not groups:
            return at
        if at >= end:
            raise corrupt(name, "a group is cut short", start)
        start = at
        tag, at = tag_at(data, at, end, name)


def pieces(data: bytes, name: str) -> list[tuple[int, bytes]]:
    """Fields nobody knows, by number; those of one number as they came."""
    found, at = [], 0
    while at < len(data):
        end = skip(data, at, len(data), name)
        found.append((tag_at(data, at, end, name)[0] >> 3, data[at:end]))
        at = end
    found.sort(key=lambda piece: piece[0])
    return found


def number(value: int) -> bytes:
    """A varint; a negative number takes ten bytes."""
    value &= 0xffffffffffffffff
    if value < 0x80:
        return bytes((value,))
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
