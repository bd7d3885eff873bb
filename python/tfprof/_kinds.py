"""The scalar types of fields: allowed Python values, and their encoding in
bytes and text."""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import index
from typing import Any, NamedTuple

from tfprof import _wire

_DOUBLE = struct.Struct("<d")


class Kind(NamedTuple):
    """One scalar type."""

    type: int  # number in descriptors
    cpp: int
    wire: int  # its wire type
    default: Any  # of an unset field
    check: Callable[[Any, str], Any]  # the value to store, or an exception
    read: Callable[[Any, str], Any]  # from the _wire value of this wire type
    write: Callable[[Any], bytes] = _wire.number  # without its tag
    text: Callable[[Any], str] = str


def _integer(type: int, cpp: int, bits: int, is_signed: bool = True) -> Kind:
    past = 1 << (bits - is_signed)
    low = -past if is_signed else 0

    def check(value: Any, field: str) -> int:
        if isinstance(value, bool):
            raise TypeError(f"Field {field}: Expected an int, got a boolean.")
        found = index(value)
        if not low <= found < past:
            raise ValueError(f"Value out of range: {found}")
        return found

    def read(value: int, field: str) -> int:
        value &= (1 << bits) - 1
        return value if value < past else value - (1 << bits)

    return Kind(type, cpp, _wire.VARINT, 0, check, read)


INT64 = _integer(3, 2, 64)
UINT64 = _integer(4, 4, 64, is_signed=False)
INT32 = _integer(5, 1, 32)
ENUM = _integer(14, 8, 32)


def _check_double(value: Any, field: str) -> float:
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


def _double_text(value: float) -> str:
    text = f"{value:.15g}"
    return text if float(text) == value or value != value else f"{value:.17g}"


def _check_string(value: Any, field: str) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"Field {field}: Expected a string, got "
                        f"{type(value).__name__}.")
    value.encode()  # lone surrogates cannot be written
    return value


def _read_string(place: _wire.Slice, field: str) -> str:
    data, start, end = place
    try:
        return data[start:end].decode()
    except UnicodeDecodeError as bad:
        raise _wire.corrupt(field, "a string that is not UTF-8",
                            start + bad.start) from None


# Control characters, and the invisible and bidirectional characters of
# base/escape.c. protobuf writes them unescaped; it reads both forms.
_ESCAPES = {
    code: "".join(f"\\{byte:03o}" for byte in chr(code).encode())
    for code in (*range(32), *range(0x7f, 0xa0), 0xad, 0x61c, 0x180e,
                 *range(0x200b, 0x2010), *range(0x2028, 0x202f),
                 *range(0x2060, 0x2070), 0xfeff)}
_ESCAPES.update({ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t",
                 ord('"'): '\\"', ord("'"): "\\'", ord("\\"): "\\\\"})

BOOL = Kind(8, 7, _wire.VARINT, False, lambda value, _: index(value) != 0,
            lambda raw, _: raw != 0,
            text=lambda value: "true" if value else "false")
DOUBLE = Kind(1, 5, _wire.FIXED64, 0.0, _check_double,
              lambda place, _: _DOUBLE.unpack_from(*place[:2])[0],
              _DOUBLE.pack, _double_text)
STRING = Kind(9, 9, _wire.BYTES, "", _check_string, _read_string,
              lambda value: _wire.lengthened(value.encode()),
              lambda value: '"' + value.translate(_ESCAPES) + '"')
