"""Checkpoints that are damaged, odd, or not there (CK-01 to CK-18): what can be
told is told, the rest is named, and the exit code says so."""

# labels: both, slow

import struct

import pytest

import bundles
from bundles import DOUBLE, FLOAT, INT64, STRING, Bundle, floats
from checkpoints import elements, rows, sound
from faults import (MIB, complaint, failure, no_sanitizer, printed, refusal,
                    run, varint)
from messages import VIEWS
from program import DATA_DIR
from surroundings import PATIENCE


def check_damaged(tmp_path, bundle, name, words, params=None, **write):
    """One tensor is at fault: the others are told, its parameters too."""
    prefix = bundle.write(tmp_path / "model", **write)
    code, found, err = rows(prefix)
    assert code == 1, err
    assert elements(found["first"]) == [1, 2, 3]
    assert elements(found["last"]) == [7, -7]
    row = found[name]
    assert elements(row) is None
    assert words in row["value"]["error"]
    assert words in err
    if params is not None:
        assert row["self"]["params"] == params
    # As text, the rows are the same and the values of the others are there.
    code, out, err = run("scope", prefix, "-select", "params,tensor_value")
    assert code == 1
    assert b"[1.00 2.00 3.00 ],\n" in out and b"[7 -7 ],\n" in out
    assert words.encode() in err
    return err.decode()


def known_by_the_index(tmp_path, prefix=None):
    """Was the fault found without looking at the values?"""
    code, out, err = run("scope", prefix or tmp_path / "model", "-select",
                         "params")
    assert out.startswith(b"node name | # parameters\n")
    info = run("info", prefix or tmp_path / "model")
    assert info[0] == code
    if code:
        assert err.startswith(b"tfprof: partial: ")
        assert b"tensors whose values cannot be read: 1\n" in info[1]
    return code == 1


# ---- CK-01: what is no checkpoint -------------------------------------------

FOREIGN = {
    "one": (b"x", "too short for a checkpoint: 1 bytes (is the file "
            "truncated?)"),
    "short": (b"\x57" * 47, "too short for a checkpoint: 47 bytes (is "
              "the file truncated?)"),
    "page.json": (b'{"a": 1}\n', "file type is JSON text, not checkpoint"),
    "program": (b"\x7fELF\2\1\1" + bytes(200), "not a checkpoint, or "
                "truncated: the table footer is missing"),
    "model.ckpt.data-00000-of-00001": (
        floats(*range(100)), "file type is checkpoint data; give the "
        "matching index: --checkpoint_path model.ckpt.index"),
    "model.ckpt.meta": (
        (DATA_DIR / "model.ckpt.meta").read_bytes(), "file type is "
        "MetaGraphDef, not checkpoint; give it as --graph_path"),
    "nothing": (b"", "the file is empty"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_CK_01_a_foreign_file_is_named(tmp_path, name):
    data, words = FOREIGN[name]
    (tmp_path / name).write_bytes(data)
    for command in (*VIEWS, "info"):
        assert failure(1, command, "--checkpoint_path", name,
                       cwd=tmp_path).startswith(f"{name}: {words}")


def test_CK_01_a_path_that_nothing_has_is_told(tmp_path):
    for command in (*VIEWS, "info"):
        assert refusal(1, command, "--checkpoint_path", "absent",
                       cwd=tmp_path).startswith("absent: no such checkpoint: ")
        assert refusal(1, command, "absent", cwd=tmp_path) == (
            "absent: cannot open: No such file or directory")


@pytest.mark.parametrize("keep", [0, 1, 47, 48, 100, -49, -48, -1])
def test_CK_01_an_index_that_is_cut_is_told(tmp_path, keep):
    prefix = sound().write(tmp_path / "model")
    data = (tmp_path / "model.index").read_bytes()
    (tmp_path / "model.index").write_bytes(data[:keep] if keep else b"")
    assert refusal(1, "scope", "--checkpoint_path", prefix).startswith(
        f"{prefix}: ")


# ---- CK-03, CK-08, CK-09, CK-11: tables as files ----------------------------

@no_sanitizer
def test_CK_03_a_block_past_the_file_takes_no_memory(tmp_path):
    import resource

    path = tmp_path / "model.index"
    path.write_bytes(bytes(63) + bundles.footer(
        bundles.place(0, 0), bundles.place(0, 0xfefbdfff5fffc5)))
    assert path.stat().st_size == 111
    told = failure(1, "info", "--checkpoint_path", path,
                   limits=[(resource.RLIMIT_AS, 64 * MIB)])
    assert "extends past the end of the table" in told


def test_CK_08_every_byte_of_an_index_counts(tmp_path):
    """Each flipped alone: refused, or one that nobody reads."""
    prefix = sound().write(tmp_path / "model")
    path = tmp_path / "model.index"
    data = path.read_bytes()
    plain = run("scope", prefix, "-select", "params")
    unread = 0
    for i in range(len(data)):
        path.write_bytes(data[:i] + bytes([data[i] ^ 0x10]) + data[i + 1:])
        answer = run("scope", path, "-select", "params")
        unread += answer == plain
        assert answer == plain or answer[0] == 1
    # The block between data and index with its trailer, its place in the
    # footer, and the padding there.
    assert unread <= 13 + 40


def test_CK_08_a_mismatch_is_told_with_its_place(tmp_path):
    prefix = sound().write(tmp_path / "model")
    path = tmp_path / "model.index"
    data = bytearray(path.read_bytes())
    data[9] ^= 1
    path.write_bytes(data)
    assert refusal(1, "scope", prefix) == (
        f"{prefix}: offset 0: block checksum mismatch")


WRONG_BLOCKS = {
    "an entry that runs past": b"\0\x80\x80\x80\x80\x08\x81\x80\x80\x80\x08abc",
    "a key that shares too much": b"\5\1\0a",
    "no restart array": None,
}


@pytest.mark.parametrize("what", WRONG_BLOCKS)
def test_CK_09_a_right_checksum_does_not_make_a_block_right(tmp_path, what):
    data = WRONG_BLOCKS[what]
    data = b"\0\0\0\0" if data is None else data + struct.pack("<II", 0, 1)
    out = bundles.stored(data)
    index = bundles.block([(b"z", bundles.place(0, len(data)))])
    where = bundles.place(len(out), len(index))
    out += bundles.stored(index) + bundles.footer(bundles.place(0, 0), where)
    (tmp_path / "model.index").write_bytes(out)
    assert refusal(1, "scope", "model", cwd=tmp_path).startswith(
        "model: offset 0: ")


def test_CK_10_a_table_that_leads_in_a_circle_ends(tmp_path):
    index = bundles.block([(b"a", bundles.place(0, 19)),
                           (b"b", bundles.place(0, 19))], 1)
    out = bundles.stored(index) + bundles.footer(
        bundles.place(0, 0), bundles.place(0, len(index)))
    (tmp_path / "model.index").write_bytes(out)
    assert "are not consecutive" in refusal(1, "scope", "model", cwd=tmp_path,
                                            timeout=PATIENCE)


@no_sanitizer
@pytest.mark.parametrize("claim", [b"\xff\xff\xff\xff\x0f\0",
                                   b"\xfe\xff\xff\xff\x0f"])
def test_CK_11_a_claim_of_4_GiB_takes_no_memory(tmp_path, claim):
    import resource

    out = bundles.stored(claim, 1)
    index = bundles.block([(b"z", bundles.place(0, len(claim)))])
    where = bundles.place(len(out), len(index))
    out += bundles.stored(index) + bundles.footer(bundles.place(0, 0), where)
    (tmp_path / "model.index").write_bytes(out)
    assert "Snappy data" in refusal(1, "scope", "model", cwd=tmp_path,
                                    limits=[(resource.RLIMIT_AS, 64 * MIB)])


def test_CK_12_packed_blocks_are_read(tmp_path):
    bundle = sound()
    plain = bundle.write(tmp_path / "plain")
    packed = bundle.write(tmp_path / "packed", pack=True)
    assert rows(plain) == rows(packed)


def test_the_limit_of_a_block_can_be_set(tmp_path):
    prefix = sound().write(tmp_path / "model")
    size = len(bundles.block(sorted([(b"", sound().header),
                                     *sound().pairs.items()])))
    for more, code in ((-1, 4), (0, 0), (1, 0)):
        answer = run("scope", prefix, f"--max_block={size + more}")
        assert answer[0] == code
    assert "--max_block" in complaint(run("scope", prefix, "--max_block=20")[2])


# ---- CK-13: the header ------------------------------------------------------

@pytest.mark.parametrize("header, words", [
    (None, "the table has no header"),
    (bundles.header(-1), "number of shards: -1"),
    (bundles.header(0), "number of shards: 0"),
    (bundles.header(1 << 31), "number of shards: -2147483648"),
    (bundles.header(endianness=2), "unknown byte order 2"),
    (bundles.header(min_consumer=2), "requires checkpoint reader version 2"),
    (b"\x08", "BundleHeaderProto is damaged"),
    (b"\xff\xff", "BundleHeaderProto is damaged"),
], ids=["none", "minus", "zero", "huge", "order", "newer", "cut", "noise"])
def test_CK_13_a_header_that_cannot_be(tmp_path, header, words):
    bundle = sound()
    bundle.header = header
    prefix = bundle.write(tmp_path / "model")
    assert words in refusal(1, "scope", prefix)


def test_CK_13_a_header_of_an_older_writer_is_taken(tmp_path):
    bundle = sound(producer=0)
    code, found, err = rows(bundle.write(tmp_path / "model"))
    assert (code, err) == (0, "")
    assert elements(found["first"]) == [1, 2, 3]


def test_CK_13_big_endian_is_read(tmp_path):
    bundle = Bundle(endianness=1)
    bundle.add(b"a", FLOAT, [3], struct.pack(">3f", 1, -2, 3.5))
    bundle.add(b"b", INT64, [2], struct.pack(">2q", 1, -1))
    bundle.add(b"c", 8, [1], struct.pack(">2f", 1, 2))
    data, crc = bundles.string_bytes([b"x", b"yz"], big_endian=True)
    bundle.add(b"d", STRING, [2], data, crc=crc)
    code, found, err = rows(bundle.write(tmp_path / "model"))
    assert (code, err) == (0, "")
    assert [elements(found[name]) for name in "abcd"] == [
        [1, -2, 3.5], [1, -1], [[1, 2]], ["x", "yz"]]


# ---- CK-14: entries that point nowhere --------------------------------------

@pytest.mark.parametrize("wrong, words, by_index", [
    (dict(shard=1), "shard number is out of range", True),
    (dict(shard=-1), "shard number is out of range", True),
    (dict(offset=-1), "its offset or size is invalid", True),
    (dict(offset=1 << 62), "extends past the end of shard 0", False),
    (dict(offset=(1 << 63) - 1), "its offset or size is invalid", True),
    (dict(offset=30), "extends past the end of shard 0", False),
    (dict(size=-4), "its offset or size is invalid", True),
    (dict(size=8), "its size does not match its shape", True),
    (dict(size=1 << 40), "its size does not match its shape", True),
    (dict(dims=[4]), "its size does not match its shape", True),
    (dict(dtype=DOUBLE), "its size does not match its shape", True),
    (dict(crc=1), "checksum mismatch: the data", False),
], ids=lambda v: "" if isinstance(v, (str, bool)) else "_".join(
    f"{k}{x}" for k, x in v.items()))
def test_CK_14_a_tensor_with_a_wrong_place(tmp_path, wrong, words, by_index):
    bundle = sound()
    bundle.add(b"middle", FLOAT, [3], floats(4, 5, 6), wrong=wrong)
    check_damaged(tmp_path, bundle, "middle", words,
                  params=wrong.get("dims", [3])[0])
    assert known_by_the_index(tmp_path) == by_index


def test_CK_14_a_damaged_entry_is_damage_of_the_file(tmp_path):
    bundle = sound()
    bundle.pairs[b"groove"] = b"\x08\x01\x12\xff"
    prefix = bundle.write(tmp_path / "model")
    assert "BundleEntryProto is damaged" in refusal(1, "scope", prefix)
    # What stands before it is kept when that is asked for.
    code, out, err = run("scope", prefix, "--salvage")
    assert code == 1 and b"first (3, 3/3 params)" in out
    assert b"last" not in out


# ---- CK-15: shapes ----------------------------------------------------------

@pytest.mark.parametrize("dims, params, words", [
    ([-2], 0, "its shape is invalid"),
    ([3, -1], 0, "its shape is invalid"),
    ([1 << 32, 1 << 32], (1 << 63) - 1, "its shape is invalid"),
    ([1 << 32, 1 << 32, 0], 0, "its shape is invalid"),
    ([1] * 255, 1, "it has too many dimensions"),
    ([1] * 300, 1, "it has too many dimensions"),
    (None, 0, "its shape is unknown"),
], ids=["negative", "unknown", "huge", "huge_and_none", "deep", "deeper",
        "rank"])
def test_CK_15_a_shape_that_cannot_be(tmp_path, dims, params, words):
    bundle = sound()
    bundle.add(b"middle", FLOAT, dims, floats(1), size=4)
    check_damaged(tmp_path, bundle, "middle", words, params)
    assert known_by_the_index(tmp_path)


def test_CK_15_nothing_many_times_is_nothing(tmp_path):
    """Its product overflows only from behind."""
    bundle = sound()
    bundle.add(b"middle", FLOAT, [0, 1 << 32, 1 << 32], b"")
    bundle.add(b"rows", FLOAT, [1 << 40, 0], b"")
    bundle.add(b"deep", FLOAT, [1] * 254, floats(5))
    prefix = bundle.write(tmp_path / "model")
    code, found, err = rows(prefix, timeout=PATIENCE)
    assert (code, err) == (0, "")
    assert elements(found["middle"]) == elements(found["rows"]) == []
    assert elements(found["deep"]) == [5]
    out = printed("scope", prefix, "-select", "tensor_value", timeout=PATIENCE)
    assert b"  middle ()\n[],\n" in out
    assert b"  rows ()\n[[],\n[],\n[],\n" in out and len(out) < 25000
    assert b"[" * 254 + b"5.00 ],\n" in out


# ---- CK-16: slices ----------------------------------------------------------

HALVES = [([(0, 2), (0, None)], floats(1, 2, 3, 4)),
          ([(2, 2), (0, None)], floats(5, 6, 7, 8))]
FAR = 7954877770267194415


@pytest.mark.parametrize("parts, listed, words", [
    (HALVES, [[(FAR, FAR), (0, None)]], "a slice"),
    (HALVES, [[(-1, 2), (0, None)], HALVES[1][0]], "a slice"),
    (HALVES, [[(2, None), (0, None)], HALVES[1][0]], "a slice"),
    (HALVES, [HALVES[0][0], HALVES[0][0]], "two slices overlap"),
    (HALVES, [HALVES[0][0]], "its slices do not cover the complete tensor"),
    (HALVES, [*(h[0] for h in HALVES), HALVES[0][0]],
     "its slices do not cover the complete tensor"),
    (HALVES, [[(0, 2)], [(2, 2)]], "a slice"),
    (HALVES, [[], HALVES[1][0]], "a slice"),
    (HALVES[:1], [h[0] for h in HALVES], "a slice is missing"),
    ([([(0, 3), (0, None)], floats(1, 2, 3, 4, 5, 6)),
      ([(2, 1), (0, None)], floats(7, 8))], None,
     "two slices overlap"),
    ([([(3, 2), (0, None)], floats(1, 2, 3, 4)), HALVES[1]], None,
     "a slice does not fit the shape of the tensor"),
], ids=["far", "negative", "no_length", "overlap", "too_few", "too_many",
        "rank", "no_rank", "missing", "cover_and_overlap", "outside"])
def test_CK_16_slices_that_cannot_be(tmp_path, parts, listed, words):
    bundle = sound()
    bundle.add_slices(b"middle", FLOAT, [4, 2], parts, listed)
    check_damaged(tmp_path, bundle, "middle", words, 8)


def test_CK_16_slices_are_joined(tmp_path):
    """In any order, cut along any dimension, or along all of them."""
    bundle = sound()
    bundle.add_slices(b"rows", FLOAT, [4, 2], HALVES[::-1])
    bundle.add_slices(b"columns", FLOAT, [2, 3], [
        ([(0, None), (2, 1)], floats(3, 6)),
        ([(0, None), (0, 2)], floats(1, 2, 4, 5))])
    bundle.add_slices(b"corners", FLOAT, [2, 2], [
        ([(1, 1), (1, 1)], floats(4)), ([(0, 1), (0, 1)], floats(1)),
        ([(1, 1), (0, 1)], floats(3)), ([(0, 1), (1, 1)], floats(2))])
    bundle.add_slices(b"empty", FLOAT, [0, 2], [([(0, None), (0, 2)], b"")])
    code, found, err = rows(bundle.write(tmp_path / "model"))
    assert (code, err) == (0, "")
    assert elements(found["rows"]) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert elements(found["columns"]) == [1, 2, 3, 4, 5, 6]
    assert elements(found["corners"]) == [1, 2, 3, 4]
    assert elements(found["empty"]) == []


def test_CK_16_a_slice_with_a_wrong_checksum(tmp_path):
    bundle = sound()
    bundle.add_slices(b"middle", FLOAT, [4, 2], HALVES)
    bundle.data[0] = bundle.data[0][:-1] + b"\x99"
    check_damaged(tmp_path, bundle, "middle", "checksum mismatch: the data", 8)


@pytest.mark.parametrize("slices", [[[(0, 2)], [(1, 2)]], [[(0, 9)]],
                                    [[(FAR, FAR)]], [[(-1, 4)]],
                                    [[(1, None)]], [[]],
                                    [[(0, 3), (0, 1)]], [[(0, 2)]]],
                         ids=str)
def test_CK_16_slices_that_cannot_be_in_version_1(tmp_path, slices):
    path = tmp_path / "model.v1"
    whole = [(0, None)]
    path.write_bytes(bundles.table_v1(
        [bundles.slice_meta(b"first", FLOAT, [3], [whole]),
         bundles.slice_meta(b"middle", FLOAT, [3], slices)],
        {(b"first", tuple(whole)): bundles.float_val(1, 2, 3),
         **{(b"middle", tuple(s)): bundles.float_val(1, 2) for s in slices}}))
    code, found, err = rows(path)
    assert code == 1
    assert elements(found["first"]) == [1, 2, 3]
    assert elements(found["middle"]) is None
    assert "slice" in found["middle"]["value"]["error"]
    assert found["middle"]["self"]["params"] == 3


def test_CK_16_a_file_of_version_1_without_a_value(tmp_path):
    path = tmp_path / "model.v1"
    whole = [(0, None)]
    for tensor, words in ((None, "a slice is missing"),
                          (bundles.float_val(1, 2), "the number of values"),
                          (bundles.float_val(1, 2, 3, 4),
                           "the number of values"),
                          (b"", "the number of values"),
                          (b"\x2a\x7f", "SavedTensorSlices is damaged")):
        values = {(b"x", ((0, None),)): tensor} if tensor is not None else {}
        path.write_bytes(bundles.table_v1(
            [bundles.slice_meta(b"x", FLOAT, [3], [whole])], values))
        code, found, err = rows(path)
        assert code == 1
        assert words in found["x"]["value"]["error"]
        assert found["x"]["self"]["params"] == 3


def test_CK_13_a_newer_version_1_is_refused(tmp_path):
    path = tmp_path / "model.v1"
    path.write_bytes(bundles.table_v1([], {}, min_consumer=2))
    assert "requires checkpoint reader version 2" in refusal(1, "scope", path)


# ---- CK-17: strings ---------------------------------------------------------

def spoilt_strings(lengths, rest, middle=None):
    fixed = b"".join(struct.pack("<I", n & 0xffffffff) for n in lengths)
    middle = (struct.pack("<I", bundles.mask(bundles.crc32c(fixed)))
              if middle is None else middle)
    data = b"".join(varint(n) for n in lengths) + middle + rest
    return data, bundles.mask(bundles.crc32c(fixed + middle + rest))


@pytest.mark.parametrize("data, words", [
    (spoilt_strings([3, 200], b"abcdef"), "do not match its size"),
    (spoilt_strings([3, 2], b"abcdef"), "do not match its size"),
    (spoilt_strings([3, 4], b"abcdef"), "do not match its size"),
    (spoilt_strings([1 << 63, 3], b"abcdef"), "do not match its size"),
    (spoilt_strings([(1 << 64) - 1, 7], b"abcdef"), "do not match its size"),
    (spoilt_strings([3], b"abcdef"), "do not"),
    (spoilt_strings([3, 3], b"abcdef", b"\1\2\3\4"), "checksum"),
    ((b"\x80\x80", 0), "do not match its size"),
    ((b"", 0), "do not match its size"),
    ((b"\3", 0), "do not match its size"),
    ((bundles.string_bytes([b"abc", b"def"])[0], 5), "checksum"),
], ids=["past", "less", "more", "huge", "wraps", "few", "lengths_crc", "torn",
        "none", "one", "crc"])
def test_CK_17_strings_that_do_not_fit(tmp_path, data, words):
    bundle = sound()
    bundle.add(b"middle", STRING, [2], data[0], crc=data[1])
    check_damaged(tmp_path, bundle, "middle", words, 2)


@no_sanitizer
def test_CK_17_a_shape_of_many_strings_takes_no_memory(tmp_path):
    import resource

    bundle = sound()
    data, crc = bundles.string_bytes([b"abc"])
    bundle.add(b"middle", STRING, [1 << 40], data, crc=crc)
    prefix = bundle.write(tmp_path / "model")
    code, out, err = run("scope", prefix, "-select", "tensor_value",
                         limits=[(resource.RLIMIT_AS, 64 * MIB)])
    assert code == 1 and b"[7 -7 ],\n" in out
    assert b"do not match its size" in err


# ---- CK-18: values of every sort --------------------------------------------

def test_CK_18_odd_numbers_are_shown(tmp_path):
    bundle = Bundle()
    bundle.add(b"odd", FLOAT, [7], floats(float("nan"), float("inf"),
                                          -float("inf"), 1e-40, -0.0, 0.125,
                                          3e38))
    bundle.add(b"sign", FLOAT, [1], b"\0\0\xc0\xff")
    bundle.add_strings(b"text", [2], [b"it's", b"\x1b[2J\n"])
    prefix = bundle.write(tmp_path / "model")
    out = printed("scope", prefix, "-select", "tensor_value", "-q")
    assert out == (b"node name | \n_TFProfRoot ()\n  odd ()\n"
                   b"[nan inf -inf 0.00 -0.00 0.12 "
                   + b"%.2f ],\n" % 3e38 +
                   b"  sign ()\n[-nan ],\n"
                   b"  text ()\n['it's' '\\x1b[2J\\x0a' ],\n")


@pytest.mark.parametrize("dtype, size, name", [
    (14, 2, "bfloat16"), (19, 2, "float16"), (10, 1, "bool"), (4, 1, "uint8"),
    (24, 1, "float8_e5m2"), (8, 8, "complex64"), (23, 8, "uint64")])
def test_CK_18_types_that_text_does_not_show(tmp_path, dtype, size, name):
    """As upstream: the row without its value; a note says where it is."""
    bundle = sound()
    bundle.add(b"middle", dtype, [2], bytes(2 * size))
    prefix = bundle.write(tmp_path / "model")
    code, out, err = run("scope", prefix, "-select", "tensor_value")
    assert code == 0 and b"  middle ()\n" == out[-12:]
    assert "--format json" in complaint(err)
    code, found, err = rows(prefix)
    assert (code, err) == (0, "")
    assert found["middle"]["value"]["dtype"] == name
    assert len(elements(found["middle"])) == 2


@pytest.mark.parametrize("dtype", [0, 20, 21, 99, 100, 9999, -1, 1 << 31])
def test_CK_18_unknown_types_are_told(tmp_path, dtype):
    bundle = sound()
    bundle.add(b"middle", dtype, [2], bytes(8))
    prefix = bundle.write(tmp_path / "model")
    for form in ("text", "json", "csv"):
        code, out, err = run("scope", prefix, "-select", "params,tensor_value",
                             "--format", form)
        assert code == 0
        if form == "text":
            assert b"middle (2, 2/2 params)\n" in out
        else:
            assert b"unsupported dtype" in out and err == b""


def test_CK_18_csv_has_all_values(tmp_path):
    bundle = sound()
    bundle.add(b"middle", 8, [1], floats(1.5, -2))
    bundle.add_strings(b"text", [2], [b'say "x"', b"=1+1"])
    prefix = bundle.write(tmp_path / "model")
    out = printed("scope", prefix, "-select", "tensor_value", "--format", "csv")
    assert out.decode().splitlines() == [
        "name,depth,accounted,value_dtype,value_shape,value",
        '"_TFProfRoot",0,false,"","",""',
        '"first",1,true,"float32","3","[1 2 3]"',
        '"last",1,true,"int64","2","[7 -7]"',
        '"middle",1,true,"complex64","1","[(1.5,-2)]"',
        '''"text",1,true,"string","2","['say ""x""' '=1+1']"''']
