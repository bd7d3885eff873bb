"""Tables of checkpoints, Snappy data and values: rows CK-01 to CK-18 of FAULTS.

The bytes are made by the module that the tests make theirs with.
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"
                       / "lib"))

import bundles
from bundles import FLOAT, INT64, STRING, Bundle, floats, place

FAR = 7954877770267194415
HALVES = [([(0, 2), (0, None)], floats(1, 2, 3, 4)),
          ([(2, 2), (0, None)], floats(5, 6, 7, 8))]


def _sound(**header):
    bundle = Bundle(**header)
    bundle.add(b"first", FLOAT, [3], floats(1, 2, 3))
    bundle.add(b"last", INT64, [2], struct.pack("<2q", 7, -7))
    return bundle


def _index(bundle, **options):
    return bundles.table([(b"", bundle.header), *bundle.pairs.items()],
                         **options)


def _with(name, *args, **kwargs):
    bundle = _sound()
    getattr(bundle, name)(*args, **kwargs)
    return _index(bundle)


def _raw_block(data, compression=0):
    """A table of one block that may hold anything."""
    out = bundles.stored(data, compression)
    index = bundles.block([(b"z", place(0, len(data)))])
    where = place(len(out), len(index))
    return out + bundles.stored(index) + bundles.footer(place(0, 0), where)


def _ends(data, *restarts, count=None):
    count = len(restarts) if count is None else count
    return data + struct.pack(f"<{len(restarts) + 1}I", *restarts, count)


def _v1(tensor=bundles.float_val(1, 2, 3), slices=([(0, None)],), dtype=FLOAT):
    return bundles.table_v1(
        [bundles.slice_meta(b"x", dtype, [3], slices)],
        {(b"x", tuple(s)): tensor for s in slices})


def index_seeds():
    yield "sample_two_tensors", _index(_sound())
    yield "sample_packed", _index(_sound(), pack=True)
    yield "sample_blocks", _index(_sound(), per_block=1)
    yield "sample_big_endian", _index(_sound(endianness=1))
    yield "sample_strings", _with("add_strings", b"s", [2], [b"ab", b""])
    yield "sample_slices", _with("add_slices", b"s", FLOAT, [4, 2], HALVES)
    yield "sample_v1", _v1()
    yield "sample_v1_slices", bundles.table_v1(
        [bundles.slice_meta(b"x", FLOAT, [4, 2], [h[0] for h in HALVES])],
        {(b"x", tuple(h[0])): bundles.float_val(1, 2, 3, 4) for h in HALVES})
    whole = _index(_sound())
    for keep in (0, 1, 47, 48, 49, len(whole) - 1):
        yield f"CK-01_cut_{keep}", whole[:keep]
    for i, (offset, size) in enumerate((
            (0, 2**64 - 5), (2**64 - 1, 1), (5, 2**64 - 10))):
        yield f"CK-02_{i}", bundles.footer(place(0, 0), place(offset, size))
    yield "CK-03_past", bytes(63) + bundles.footer(
        place(0, 0), place(0, 0xfefbdfff5fffc5))
    yield "CK-04_wraps", _raw_block(_ends(
        b"\0\x80\x80\x80\x80\x08\x81\x80\x80\x80\x08abc", 0))
    yield "CK-05_shares", _raw_block(_ends(b"\5\1\0a", 0))
    for i, (restarts, count) in enumerate((
            ((), 0), ((0,), 2**32 - 1), ((0, 5, 3), None), ((0, 900), None),
            ((0, 2), None))):
        yield f"CK-06_{i}", _raw_block(_ends(
            bundles.entry(b"", b"\x08\1") + bundles.entry(b"a", b"b"),
            *restarts, count=count))
    for kind in (2, 7, 255):
        yield f"CK-07_{kind}", _raw_block(bundles.block([]), kind)
    index = bundles.block([(b"a", place(0, 19)), (b"b", place(0, 19))], 1)
    yield "CK-10_circle", bundles.stored(index) + bundles.footer(
        place(0, 0), place(0, len(index)))
    for i, claim in enumerate((b"\xff\xff\xff\xff\x0f\0",
                               b"\xfe\xff\xff\xff\x0f")):
        yield f"CK-11_{i}", _raw_block(claim, 1)
    for name, header in (("none", None), ("minus", bundles.header(-1)),
                         ("zero", bundles.header(0)),
                         ("order", bundles.header(endianness=2)),
                         ("newer", bundles.header(min_consumer=9))):
        bundle = _sound()
        pairs = [*bundle.pairs.items()]
        yield f"CK-13_{name}", bundles.table(
            pairs if header is None else [(b"", header), *pairs])
    for name, wrong in (("shard", dict(shard=1)), ("offset", dict(offset=-1)),
                        ("far", dict(offset=2**63 - 1)),
                        ("size", dict(size=-4)), ("dtype", dict(dtype=9999))):
        yield f"CK-14_{name}", _with("add", b"m", FLOAT, [3], floats(1, 2, 3),
                                     wrong=wrong)
    for name, dims in (("negative", [-2]), ("huge", [2**32, 2**32]),
                       ("none", [0, 2**32, 2**32]), ("deep", [1] * 300),
                       ("rank", None)):
        yield f"CK-15_{name}", _with("add", b"m", FLOAT, dims, b"")
    for name, listed in (("far", [[(FAR, FAR), (0, None)]]),
                         ("negative", [[(-1, 2), (0, None)]]),
                         ("no_length", [[(2, None), (0, None)]]),
                         ("twice", [HALVES[0][0]] * 2), ("rank", [[(0, 2)]]),
                         ("no_rank", [[]])):
        yield f"CK-16_{name}", _with("add_slices", b"s", FLOAT, [4, 2], HALVES,
                                     listed)
        yield f"CK-16_v1_{name}", bundles.table_v1(
            [bundles.slice_meta(b"x", FLOAT, [4, 2], listed)], {})


def snappy_seeds():
    plain = b"a table of words, a table of numbers, a table of words"
    yield "sample_literal", bundles.packed(plain)
    yield "sample_empty", b"\0"
    for name, data in (
            ("overlap", "0d04616 21d02"), ("short_copy", "0500610101"),
            ("offset_0", "0500610100"), ("before", "0500610102"),
            ("past_input", "051061626364"), ("torn", "05106162636465 01"),
            ("small", "04106162636465"), ("large", "06106162636465"),
            ("trailing", "05106162636465 0066"), ("long_literal", "05f004"),
            ("copy_2", "09106162636465 0e0500"),
            ("copy_4", "09106162636465 0f05000000"),
            ("far_copy_4", "09106162636465 0fffffffff")):
        yield f"CK-12_{name}", bytes.fromhex(data.replace(" ", ""))
    for i, data in enumerate(("ffffffff0f00", "feffffff0f", "8080808010",
                              "ffffffffffffffffff01", "ff")):
        yield f"CK-11_{i}", bytes.fromhex(data)


def _value(dtype, dims, data, big_endian=False, rows=0):
    head = bytes([0, dtype & 255, len(dims), big_endian | rows << 1])
    return (head + bytes(d & 255 for d in dims).ljust(4, b"\0") + data)


def value_seeds():
    """In one form of the answer after the other."""
    for i, (name, data) in enumerate(_value_seeds()):
        yield name, bytes([data[0] | (i % 4) << 1]) + data[1:]


def _value_seeds():
    for dtype in (*range(1, 35), 101, 99):
        yield f"sample_type_{dtype}", _value(dtype, [2], bytes(range(32)))
        yield f"sample_scalar_{dtype}", _value(dtype, [], b"\x80" * 16)
    for size in (1, 2, 4, 8, 16):
        for dtype in (4, 5, 1, 2, 18):
            yield f"sample_size_{dtype}_{size}", _value(
                dtype, [3, 2], bytes(range(200, 200 + 3)) * 2 * size)
    yield "sample_rows", _value(FLOAT, [4, 2], floats(*range(8)), rows=2)
    yield "sample_odd_rows", _value(FLOAT, [5, 2], floats(*range(10)), rows=3)
    yield "sample_swapped", _value(FLOAT, [2], floats(1, 2), True)
    yield "sample_deep", _value(INT64, [1, 1, 1, 2], bytes(16))
    yield "sample_empty_rows", _value(FLOAT, [3, 0, 2], b"")
    yield "CK-15_negative", _value(FLOAT, [-2], b"")
    strings = bundles.string_bytes([b"ab", b"", b"\x1b\xff"])[0]
    yield "sample_strings", _value(STRING, [3], strings)
    for name, data in (("cut", strings[:-1]), ("long", strings + b"x"),
                       ("torn", b"\x80\x80"), ("none", b""),
                       ("huge", b"\x80" * 9 + b"\1" + strings)):
        yield f"CK-17_{name}", _value(STRING, [3], data)
    yield "CK-18_numbers", _value(FLOAT, [6], floats(
        float("nan"), float("inf"), -float("inf"), 1e-40, -0.0, 3e38))
    one = b"\1"
    yield "v1_floats", one + _v1()
    yield "v1_ints", one + _v1(b"\x3a\x03\1\2\3", dtype=3)
    yield "v1_halves", one + _v1(b"\x6a\x03\1\2\3", dtype=19)
    yield "v1_bools", one + _v1(b"\x5a\x03\1\0\1", dtype=10)
    yield "v1_strings", one + _v1(b"\x42\1a\x42\0\x42\2bc", dtype=7)
    yield "v1_complex", one + _v1(b"\x4a\x18" + bytes(24), dtype=8)
    yield "v1_content", one + _v1(b"\x22\x0c" + floats(1, 2, 3))
    yield "v1_float8", one + _v1(b"\x92\1\3abc", dtype=24)
    yield "CK-16_v1_few", one + _v1(bundles.float_val(1, 2))
    yield "CK-16_v1_many", one + _v1(bundles.float_val(1, 2, 3, 4))
    yield "CK-16_v1_overlap", one + _v1(bundles.float_val(1, 2),
                                        ([(0, 2)], [(1, 2)]))
    yield "CK-16_v1_torn", one + _v1(b"\x2a\x7f")
