"""The kinds of values that a field may have: what Python may assign, and how
it stands in bytes and in text."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from operator import index
from typing import Any

from tfprof import _wire

_DOUBLE = struct.Struct("<d")
FIXED64_SIZE = 8


class Kind:
    """One scalar type.

    type, cpp: what descriptors call it.
    wire: its wire type.
    default: what a field has that was never set.
    check(value, field's full name): the value to keep, or an exception.
    read(varint): the value of a varint, where that is the wire type.
    """

    __slots__ = ("check", "cpp", "default", "name", "read", "type", "wire")

    def __init__(self, name: str, type: int, cpp: int, wire: int, default: Any,
                 check: Callable[[Any, str], Any],
                 read: Callable[[int], Any] = int) -> None:
        self.name = name
        self.type = type
        self.cpp = cpp
        self.wire = wire
        self.default = default
        self.check = check
        self.read = read

    def write(self, value: Any) -> bytes:
        """A value without its tag."""
        if self.wire == _wire.VARINT:
            return _wire.number(value)
        if self.wire == _wire.FIXED64:
            return _DOUBLE.pack(value)
        data: bytes = value.encode()
        return _wire.number(len(data)) + data

    def text(self, value: Any, names: Mapping[int, str]) -> str:
        if self is ENUM:
            return names.get(value, str(value))
        if self is BOOL:
            return "true" if value else "false"
        if self is DOUBLE:
            return _double_text(value)
        return _quoted(value) if self is STRING else str(value)


# ---- What Python may assign -------------------------------------------------

def _integer(low: int, high: int) -> Callable[[Any, str], int]:
    def check(value: Any, field: str) -> int:
        if isinstance(value, bool):
            raise TypeError(f"Field {field}: Expected an int, got a boolean.")
        found = index(value)
        if not low <= found <= high:
            raise ValueError(f"Value out of range: {found}")
        return found
    return check


def _bool(value: Any, field: str) -> bool:
    return index(value) != 0


def _double(value: Any, field: str) -> float:
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


def _string(value: Any, field: str) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"Field {field}: Expected a string, got "
                        f"{type(value).__name__}.")
    value.encode()  # lone surrogates cannot be written
    return value


# ---- What varints mean ------------------------------------------------------

def _signed64(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _signed32(value: int) -> int:
    value &= 0xffffffff
    return value - (1 << 32) if value >> 31 else value


def read_double(data: bytes, at: int) -> float:
    found: float = _DOUBLE.unpack_from(data, at)[0]
    return found


# ---- Text -------------------------------------------------------------------

def _double_text(value: float) -> str:
    text = f"{value:.15g}"
    return text if float(text) == value or value != value else f"{value:.17g}"


_ESCAPES = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t",
            ord('"'): '\\"', ord("'"): "\\'", ord("\\"): "\\\\"}
_ESCAPES.update({code: f"\\{code:03o}" for code in (*range(32), 127)
                 if code not in _ESCAPES})


# Other characters that steer a terminal or hide, those that base/escape.c has.
# protobuf writes them as they are; it reads both.
_ESCAPES.update({
    code: "".join(f"\\{byte:03o}" for byte in chr(code).encode())
    for code in (*range(0x80, 0xa0), 0xad, 0x61c, 0x180e,
                 *range(0x200b, 0x2010), *range(0x2028, 0x202f),
                 *range(0x2060, 0x2070), 0xfeff)})


def _quoted(value: str) -> str:
    return '"' + value.translate(_ESCAPES) + '"'


def shown(name: str) -> str:
    """A name that a caller gave, as a message repeats it."""
    return name if name.isprintable() else ascii(name)[1:-1]


DOUBLE = Kind("double", 1, 5, _wire.FIXED64, 0.0, _double)
INT64 = Kind("int64", 3, 2, _wire.VARINT, 0,
             _integer(-1 << 63, (1 << 63) - 1), _signed64)
UINT64 = Kind("uint64", 4, 4, _wire.VARINT, 0, _integer(0, (1 << 64) - 1))
INT32 = Kind("int32", 5, 1, _wire.VARINT, 0,
             _integer(-1 << 31, (1 << 31) - 1), _signed32)
BOOL = Kind("bool", 8, 7, _wire.VARINT, False, _bool, bool)
STRING = Kind("string", 9, 9, _wire.BYTES, "", _string)
ENUM = Kind("enum", 14, 8, _wire.VARINT, 0, INT32.check, _signed32)
