"""Every tensor of a checkpoint that TensorFlow has written: its name, type,
shape and each of its values, as TensorFlow itself reads them."""

# labels: tf

import functools
import json
import os
import struct

import pytest

import bundles
import checkpoint_judge
import recorded
from faults import MIB, SANITIZED, printed, run
from files import SHARED, needs_shared

pytestmark = pytest.mark.recorded

RECORD = recorded.record("checkpoint_live", "tensorflow-cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checkpoints")
    RECORD.made(
        {"made by": recorded.digest_of_files(checkpoint_judge.__file__)},
        folder, lambda: checkpoint_judge.make(folder))
    return folder


def read(*args, view="scope", **kwargs):
    """{name: value} of a checkpoint, as JSON has it."""
    out = printed(view, *args, "-select", "params,tensor_value", "-q",
                  "-max_depth", "1000", "--format", "json", **kwargs)
    return {row["name"]: {**row["value"], "params": row["self"]["params"],
                          "row_shape": row["shape"]}
            for row in json.loads(out)["rows"] if row["value"] is not None}


_SPECIAL = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}


def real(value, dtype):
    """A real of JSON as float.hex() has it, rounded to its type."""
    if isinstance(value, str):
        return _SPECIAL[value]
    value = float(value)
    if dtype not in ("float64", "complex128"):
        value = struct.unpack("f", struct.pack("f", value))[0]
    return value.hex()


def comparable(value, dtype):
    """An element of JSON in the form of the truth."""
    if dtype.startswith(("float", "bfloat")):
        return real(value, dtype)
    if dtype.startswith("complex"):
        return [real(part, dtype) for part in value]
    return value


def text_of(string):
    """What JSON says of bytes: those that are no UTF-8 are written \\xHH."""
    return string.encode("latin-1").decode("utf-8", "backslashreplace")


def hashed(values):
    """What is recorded of the values of a tensor, if these are many."""
    return recorded.digest(json.dumps(values).encode())


def check(found, truth):
    """How many values are the same: all, or the test fails. The truth may have
    a hash in place of the elements."""
    assert set(found) == set(truth)
    count = 0
    for name, (dtype, shape, elements) in truth.items():
        value = found[name]
        assert (value["dtype"], value["shape"]) == (dtype, shape), name
        assert value["row_shape"] == (shape or [1]), name
        ours = [comparable(v, dtype) for v in value["elements"]]
        assert len(ours) == value["params"], name
        if isinstance(elements, str):
            assert hashed(ours) == elements, (name, ours[:9], dtype)
        else:
            theirs = of_truth(elements, dtype)
            assert len(ours) == len(theirs), name
            for i, (a, b) in enumerate(zip(ours, theirs)):
                assert a == b, f"{name}[{i}]: {a} is not {b} ({dtype})"
        count += len(ours)
    return count


def of_truth(elements, dtype):
    return [text_of(one) for one in elements] if dtype == "string" else elements


# ---- All of them ------------------------------------------------------------

def test_every_value_is_that_of_tensorflow(folder, say):
    tensors = values = 0
    types, checkpoints = set(), []
    for path in sorted(folder.rglob("*.truth")):
        truth = checkpoint_judge.read_truth(path)
        values += check(read(path.with_suffix("")), truth)
        tensors += len(truth)
        types |= {dtype for dtype, _, _ in truth.values()}
        checkpoints.append(path.stem)
    say(f"{len(checkpoints)} checkpoints, {tensors} tensors, {values} values; "
        f"types: {', '.join(sorted(types))}")
    assert {"float16", "bfloat16", "float8_e5m2", "float8_e4m3fn", "string",
            "complex64", "complex128", "bool", "qint8", "quint8", "qint16",
            "quint16", "qint32"} <= types
    assert len(checkpoints) >= 20
    assert tensors >= 2 * checkpoint_judge.MANY


def test_every_way_to_give_a_checkpoint_gives_the_same(folder):
    for name, given in (
            ("saver_v2/model.ckpt-9",
             ["saver_v2/model.ckpt-9", "saver_v2/model.ckpt-9.index",
              "saver_v2", "saver_v2/checkpoint"]),
            ("objects/ckpt-1",
             ["objects", "objects/checkpoint", "objects/ckpt-1.index"]),
            ("saver_v1/model.ckpt",
             ["saver_v1/model.ckpt", "saver_v1", "saver_v1/checkpoint"]),
            ("saver_v1_sharded/model.ckpt",
             ["saver_v1_sharded/model.ckpt",
              "saver_v1_sharded/model.ckpt-00000-of-00001",
              "saver_v1_sharded/model.ckpt-?????-of-00001",
              "saver_v1_sharded", "saver_v1_sharded/checkpoint"]),
            ("set.v1", ["set.v1", "set.v1-00001-of-00003",
                        "set.v1-?????-of-00003", "set.v1-*"])):
        truth = checkpoint_judge.read_truth(folder / f"{name}.truth")
        for path in given:
            check(read("--checkpoint_path", path, cwd=folder), truth)


def test_a_path_alone_gives_the_same(folder):
    """In a directory the graph lies beside it, and rows are its nodes."""
    for name, given in (
            ("saver_v2/model.ckpt-9", ["saver_v2/model.ckpt-9.index",
                                       "saver_v2/checkpoint"]),
            ("objects/ckpt-1", ["objects", "objects/checkpoint"]),
            ("saver_v1/model.ckpt", ["saver_v1/model.ckpt"]),
            ("set.v1", ["set.v1", "set.v1-?????-of-00003"])):
        truth = checkpoint_judge.read_truth(folder / f"{name}.truth")
        for path in given:
            check(read(path, cwd=folder), truth)


def test_info_tells_what_is_there(folder):
    for path in sorted(folder.rglob("*.truth")):
        truth = checkpoint_judge.read_truth(path)
        out = printed("info", "--format", "json", "--checkpoint_path",
                      path.with_suffix(""))
        files = json.loads(out)["files"]
        counts = [file["counts"] for file in files]
        is_v1 = ".v1" in path.name or "saver_v1" in path.parent.name
        assert {file["checkpoint_version"] for file in files} == {
            1 if is_v1 else 2}
        assert sum(c["tensors"] for c in counts) == len(truth)
        assert sum(c["parameters"] for c in counts) == sum(
            len(elements) for _, _, elements in truth.values())
        assert {t for file in files for t in file["dtypes"]} == {
            dtype for dtype, _, _ in truth.values()}
        assert sum(c["shards"] for c in counts) == (
            5 if path.stem == "merged" else 3 if path.stem == "set.v1" else 1)
        assert not any(c["damaged_tensors"] for c in counts)


def test_what_was_packed_or_comes_through_a_pipe_has_shapes(folder):
    """Its values are beyond reach: nobody could say where they are."""
    import gzip

    for name in ("types.index", "types.v1"):
        data = (folder / name).read_bytes()
        path = folder / f"{name}.gz"
        path.write_bytes(gzip.compress(data))
        plain = run("scope", folder / name, "-select", "params")
        assert plain[0] == 0
        assert run("scope", "--checkpoint_path", path, "-select",
                   "params") == plain
        assert run("scope", "--checkpoint_path", "-", "-select", "params",
                   data=data) == plain
        code, out, err = run("scope", "--checkpoint_path", "-", "-select",
                             "tensor_value", "-show_name_regexes", "float32",
                             data=data)
        assert code == 2 and out.count(b"\n") == 3
        assert b"was read from memory or from a pipe" in err


# ---- Only what is asked for -------------------------------------------------

def test_shapes_come_from_the_index_alone(folder, tmp_path):
    index = tmp_path / "alone.index"
    index.write_bytes((folder / "merged.index").read_bytes())
    for option in ("params", "op_types"):
        out = printed("scope", tmp_path / "alone", "-select", option)
        assert out == run("scope", folder / "merged", "-select", option)[1]


@pytest.mark.skipif(SANITIZED, reason="sparse files of gigabytes are slow to "
                    "go over under the sanitizers")
def test_values_past_4_GiB_are_read(tmp_path):
    """A sparse shard; TensorFlow reads it as well."""
    far = (5 << 30) + 3
    values = bundles.floats(1.5, -2.5, 3.25)
    bundle = bundles.Bundle()
    bundle.add(b"near", bundles.FLOAT, [3], bundles.floats(1, 2, 3))
    bundle.add(b"far", bundles.FLOAT, [3], values, offset=far)
    prefix = bundle.write(tmp_path / "sparse")
    with open(f"{prefix}.data-00000-of-00001", "r+b") as data:
        data.seek(far)
        data.write(values)
    found = read(prefix)
    assert found["far"]["elements"] == [1.5, -2.5, 3.25]
    assert found["near"]["elements"] == [1, 2, 3]


def test_large_tensors_take_little_memory(tmp_path, say):
    """Numbers go through a buffer, whatever their number."""
    import resource

    size = 200 * MIB
    bundle = bundles.Bundle()
    bundle.pairs[b"large"] = bundles.bundle_entry(
        bundles.FLOAT, [size // 4], size, crc=_crc_of_zeros(size))
    prefix = bundle.write(tmp_path / "large")
    os.truncate(f"{prefix}.data-00000-of-00001", size)
    limits = [] if SANITIZED else [(resource.RLIMIT_AS, 100 * MIB)]
    out = printed("scope", prefix, "-select", "tensor_value", limits=limits)
    assert out.endswith(b" 0.00],\n...omitted from display\n\n")
    say("200 MiB of values within 100 MiB of address space")


@functools.cache
def _crc_of_zeros(size):
    """Of many zeros, by doubling: a step on the checksum alone."""
    def times(matrix, vector):
        out, i = 0, 0
        while vector:
            if vector & 1:
                out ^= matrix[i]
            vector >>= 1
            i += 1
        return out

    def square(matrix):
        return [times(matrix, column) for column in matrix]

    step = [0x82f63b78] + [1 << i for i in range(31)]  # one zero bit
    crc, bits = 0xffffffff, 8 * size
    while bits:
        if bits & 1:
            crc = times(step, crc)
        step = square(step)
        bits >>= 1
    return bundles.mask(crc ^ 0xffffffff)


# ---- Known files ------------------------------------------------------------

@needs_shared
def test_the_checkpoints_of_the_complete_set(say):
    """Truth of another run of TensorFlow, kept as a table."""
    count = 0
    for path in sorted((SHARED / "golden" / "truth").glob("*.ckpt.tsv")):
        prefix = SHARED / "golden" / "inputs" / path.name.removesuffix(".tsv")
        found = read(prefix)
        lines = path.read_text().splitlines()[1:]
        assert len(lines) == len(found)
        for line in lines:
            name, dtype, shape, elements, low, high, total, first = (
                line.split("\t"))
            value = found[name]
            assert value["dtype"] == dtype, name
            assert value["shape"] == ([] if shape == "scalar" else [
                int(dim) for dim in shape.split("x")]), name
            assert value["params"] == int(elements) == len(value["elements"])
            count += 1
            if low == "-":
                continue
            numbers = [float(v) for v in value["elements"]]
            assert sum(numbers) == pytest.approx(float(total), rel=1e-6,
                                                 abs=1e-9), name
            assert (min(numbers), max(numbers)) == pytest.approx(
                (float(low), float(high)), rel=1e-8), name
            assert numbers[:len(first.split(","))] == pytest.approx(
                [float(v) for v in first.split(",")], rel=1e-8), name
    say(f"{count} tensors")
    assert count > 200


@needs_shared
def test_real_checkpoints_are_read_as_tensorflow_reads_them(tmp_path, say):
    """Those of other projects: V1, V2, Snappy, shards that are missing."""
    done = {}
    prefixes = ("ckpt_keras_objgraph/ckpt",
                "ckpt_mnist_snappy/model.ckpt-46900",
                "ckpt_old_strings/foo", "ckpt_t2t_transformer/model.ckpt-1",
                "ckpt_v1_half_plus_two/export-00000-of-00001",
                "lfads_rnn/model-65000", "t5_mesh/model.ckpt-0",
                "traindir_taxi_widedeep/model.ckpt-1000")
    paths = [SHARED / "data" / prefix for prefix in prefixes]
    live = {}

    def ask(numbers):
        asked = [paths[i] for i in numbers]
        for path, truth in zip(
                asked, checkpoint_judge.read_files(asked, tmp_path)):
            live[path] = truth
        return [{name: (dtype, shape, hashed(of_truth(elements, dtype)))
                 for name, (dtype, shape, elements) in live[path].items()}
                for path in asked]

    answers = RECORD.answers(
        [{"checkpoint": [(one.name, recorded.digest(one.read_bytes()))
                         for one in sorted(path.parent.glob(path.name + "*"))]}
         for path in paths], ask)
    for prefix, path, answer in zip(prefixes, paths, answers):
        expected = live.get(path, answer)
        code, out, _ = run("scope", path, "-select", "params,tensor_value",
                           "-max_depth", "1000", "--format", "json")
        rows = [row for row in json.loads(out)["rows"] if row["value"]]
        assert code == (1 if "t5" in prefix else 0)
        found = {row["name"]: {**row["value"], "row_shape": row["shape"],
                               "params": row["self"]["params"]}
                 for row in rows if "error" not in row["value"]}
        done[prefix] = check(found, expected)
        assert len(rows) >= len(found)
    say(", ".join(f"{name}: {count}" for name, count in done.items()))
