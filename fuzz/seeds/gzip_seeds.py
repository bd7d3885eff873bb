"""Packed seeds: rows GZ-01 to GZ-03 of FAULTS.

Written bit by bit, so that they are the same whatever zlib is installed.
Formats: RFC 1951 (DEFLATE) and RFC 1952 (gzip).
"""

import struct
import zlib

from . import schema
from .encode import text, wire
from .samples import SAMPLES

PLAIN = b"node { name: 'a' op: 'NoOp' }\n"


class Bits:
    """Bits, the lowest of each byte first."""

    def __init__(self):
        self.value = self.count = 0

    def add(self, value, count):
        self.value |= value << self.count
        self.count += count
        return self

    def code(self, value, count):
        """A Huffman code: its highest bit comes first."""
        for i in reversed(range(count)):
            self.add(value >> i & 1, 1)
        return self

    def done(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def literal(bits, symbol):
    """A symbol of the fixed code."""
    if symbol < 144:
        return bits.code(48 + symbol, 8)
    if symbol < 256:
        return bits.code(400 + symbol - 144, 9)
    if symbol < 280:
        return bits.code(symbol - 256, 7)
    return bits.code(192 + symbol - 280, 8)


def stored(data, last=True, complement=None):
    size = len(data)
    other = size ^ 0xffff if complement is None else complement
    return bytes([last]) + struct.pack("<HH", size, other) + data


def fixed(data, last=True):
    bits = Bits().add(last, 1).add(1, 2)
    for byte in data:
        literal(bits, byte)
    return literal(bits, 256).done()


def copies(first, count, distance_code=0):
    """One byte, then copies of 258 bytes from just before."""
    bits = Bits().add(1, 1).add(1, 2)
    literal(bits, first)
    for _ in range(count):
        literal(bits, 285).code(distance_code, 5)
    return literal(bits, 256).done()


# The order in which a dynamic block gives the lengths of its code lengths.
ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]


def dynamic(code_lengths, body="", literals=257, distances=1):
    """A dynamic block: symbol -> length of its code; then bits in order."""
    bits = Bits().add(1, 1).add(2, 2)
    bits.add(literals - 257, 5).add(distances - 1, 5).add(19 - 4, 4)
    for symbol in ORDER:
        bits.add(code_lengths.get(symbol, 0), 3)
    for bit in body:
        bits.add(int(bit), 1)
    return bits.done()


def zeros(count):
    """So many lengths of zero, 11 to 138, where 18 has the code 1."""
    return "1" + f"{count - 11:07b}"[::-1]


def gzip(packed, plain=b"", flags=0, extra=b"", crc=None, size=None):
    crc = zlib.crc32(plain) if crc is None else crc
    size = len(plain) if size is None else size
    return (b"\x1f\x8b\x08" + bytes([flags, 0, 0, 0, 0, 0, 255]) + extra +
            packed + struct.pack("<II", crc, size & 0xffffffff))


def store(data):
    return gzip(stored(data), data)


def bombs():
    zeros = bytes(1 + 258 * 2300)
    yield "GZ-01_zeros", gzip(copies(0, 2300), zeros)
    yield "GZ-01_gzip_in_gzip", store(store(PLAIN))
    blanks = b" " * (1 + 258 * 200)
    yield "GZ-01_blanks", gzip(copies(32, 200), blanks)


def damage():
    whole = gzip(fixed(PLAIN), PLAIN)
    for at in (0, 1, 2, 3, 5, 9, 10, 11, 20, -9, -8, -5, -4, -1):
        yield f"GZ-02_cut_at_{at}", whole[:at]
    yield "GZ-02_bad_crc", gzip(fixed(PLAIN), PLAIN, crc=1)
    yield "GZ-02_bad_size", gzip(fixed(PLAIN), PLAIN, size=1)
    yield "GZ-02_stored_lengths_differ", gzip(
        stored(PLAIN, complement=0), PLAIN)
    yield "GZ-02_stored_cut", gzip(stored(PLAIN)[:-3])
    yield "GZ-02_block_type_3", gzip(b"\x07")
    yield "GZ-02_distance_too_far", gzip(copies(65, 1, distance_code=20))
    yield "GZ-02_distance_30", gzip(copies(65, 1, distance_code=30))
    yield "GZ-02_symbol_286", gzip(
        literal(Bits().add(1, 1).add(1, 2), 286).done())
    yield "GZ-02_symbol_287", gzip(
        literal(Bits().add(1, 1).add(1, 2), 287).done())
    yield "GZ-02_no_end_of_block", gzip(
        literal(Bits().add(1, 1).add(1, 2), 65).done())
    yield "GZ-02_lengths_over_subscribed", gzip(
        dynamic({i: 1 for i in range(19)}))
    yield "GZ-02_lengths_incomplete", gzip(dynamic({0: 2, 1: 2}))
    yield "GZ-02_lengths_none", gzip(dynamic({}))
    yield "GZ-02_length_codes_cut", gzip(dynamic({}))[:14]
    # Where 18 has the code 1, the other symbol has the code 0.
    yield "GZ-02_all_lengths_zero", gzip(dynamic(
        {0: 1, 18: 1}, zeros(138) + zeros(120)))
    yield "GZ-02_repeat_past_end", gzip(dynamic(
        {0: 1, 18: 1}, zeros(138) * 2))
    yield "GZ-02_repeat_of_nothing", gzip(dynamic({0: 1, 16: 1}, "100"))
    yield "GZ-02_no_end_code", gzip(dynamic(
        {1: 1, 18: 1}, "0" + zeros(138) + zeros(118) + "0"))
    yield "GZ-02_one_symbol_trees", gzip(dynamic(
        {1: 1, 18: 1}, zeros(138) + zeros(118) + "0" + "0" + "0"))
    yield "GZ-02_one_symbol_other_code", gzip(dynamic(
        {1: 1, 18: 1}, zeros(138) + zeros(118) + "0" + "0" + "1"))
    yield "GZ-02_literals_incomplete", gzip(dynamic(
        {2: 1, 18: 1}, zeros(138) + zeros(118) + "0" + "0"))
    yield "GZ-02_literals_over_subscribed", gzip(dynamic(
        {1: 1, 18: 1}, "000" + zeros(138) + zeros(115) + "0" + "0"))
    yield "GZ-02_too_many_literals", gzip(dynamic({18: 1}, literals=288))
    yield "GZ-02_too_many_distances", gzip(dynamic({18: 1}, distances=32))
    yield "GZ-02_method_7", b"\x1f\x8b\x07" + whole[3:]
    yield "GZ-02_flags_reserved", gzip(fixed(PLAIN), PLAIN, flags=0xe0)
    yield "GZ-02_zlib_stream", b"\x78\x9c" + fixed(PLAIN)
    yield "GZ-02_preset_dictionary", b"\x78\xbb" + bytes(4) + fixed(PLAIN)


def members():
    one, two = gzip(fixed(b"node {"), b"node {"), gzip(stored(b"}\n"), b"}\n")
    yield "GZ-03_two_members", one + two
    yield "GZ-03_empty_members", (store(b"") * 5) + one
    yield "GZ-03_zero_padding", one + two + bytes(512)
    yield "GZ-03_zeros_between", one + bytes(7) + two
    yield "GZ-03_trailing_bytes", one + b"junk"
    yield "GZ-03_trailing_magic", one + b"\x1f"
    yield "GZ-03_trailing_other_magic", one + b"\x1f\x00"
    yield "GZ-03_second_damaged", one + b"\x1f\x8b\x08" + bytes(20)
    yield "GZ-03_blocks", gzip(
        stored(b"node", False) + stored(b"", False) + fixed(b"{}"),
        b"node{}")
    yield "GZ-03_extra", gzip(fixed(PLAIN), PLAIN, 4,
                              struct.pack("<H", 1000) + bytes(1000))
    yield "GZ-03_extra_of_65535", gzip(fixed(PLAIN), PLAIN, 4,
                                       b"\xff\xff" + bytes(2000))
    yield "GZ-03_name", gzip(fixed(PLAIN), PLAIN, 8, b"graph.pbtxt\0")
    yield "GZ-03_name_without_end", gzip(b"", b"", 8, b"x" * 3000)[:-8]
    yield "GZ-03_comment", gzip(fixed(PLAIN), PLAIN, 16, b"comment\0")
    head = b"\x1f\x8b\x08" + bytes([2, 0, 0, 0, 0, 0, 255])
    check = struct.pack("<H", zlib.crc32(head) & 0xffff)
    yield "GZ-03_head_checked", gzip(fixed(PLAIN), PLAIN, 2, check)
    yield "GZ-03_head_check_wrong", gzip(fixed(PLAIN), PLAIN, 2, b"\0\0")


def seeds():
    """(name, bytes) of every seed."""
    yield "empty", b""
    for kind, root in schema.ROOTS.items():
        pairs = next(iter(SAMPLES[kind].values()))
        yield f"sample_{kind}_wire", store(wire(root, pairs))
        shown = text(root, pairs, style=2).encode()[:3000]
        yield f"sample_{kind}_text", gzip(fixed(shown), shown)
    yield from bombs()
    yield from damage()
    yield from members()
