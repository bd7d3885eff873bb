"""Values of a checkpoint in rows and columns."""

# labels: alone

import csv
import io
import struct
from pathlib import Path
from typing import Any

import bundles
import numpy
import pytest
from inputs import GRAPH, command_line

import tfprof

# Numbers of tensorflow.DataType.
FLOAT, DOUBLE, INT32, UINT8, BOOL = 1, 2, 3, 4, 10
COMPLEX64, BFLOAT16, HALF, UINT64, RESOURCE = 8, 14, 19, 23, 20


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bundle = bundles.Bundle()
    bundle.add(b"bf", BFLOAT16, [2], b"\x80\x3f\x00\xc0")  # 1, -2
    bundle.add(b"bool", BOOL, [3], b"\1\0\1")
    bundle.add(b"complex", COMPLEX64, [1], struct.pack("<2f", 1.5, -2))
    bundle.add(b"double", DOUBLE, [2, 1], struct.pack("<2d", 0.1, -1e300))
    bundle.add(b"empty", FLOAT, [0, 4], b"")
    bundle.add(b"float", FLOAT, [2, 3], struct.pack("<6f", 0.1, 2, 3, 4, 5,
                                                    float("inf")))
    bundle.add(b"half", HALF, [2], struct.pack("<2e", 0.5, -3))
    bundle.add(b"handle", RESOURCE, [], b"")
    bundle.add(b"int", INT32, [], struct.pack("<i", -7))
    bundle.add_strings(b"strings", [2, 1], [b"a b's \xff", b""])
    bundle.add(b"u64", UINT64, [1], struct.pack("<Q", 2**64 - 1))
    bundle.add(b"u8", UINT8, [2], b"\0\xff")
    path: Path = bundle.write(tmp_path_factory.mktemp("values") / "model.ckpt")
    return path


@pytest.fixture(scope="module")
def view(prefix: Path) -> tfprof.View:
    return tfprof.open(f"{prefix}.index").scope(select="params,tensor_value")


TRUTH: dict[str, Any] = {
    "bf": ("float32", [1, -2]),
    "bool": ("bool", [True, False, True]),
    "complex": ("complex64", [1.5 - 2j]),
    "double": ("float64", [[0.1], [-1e300]]),
    "empty": ("float32", []),
    "float": ("float32", numpy.float32([[0.1, 2, 3], [4, 5, numpy.inf]])),
    "half": ("float16", [0.5, -3]),
    "int": ("int32", -7),
    "strings": ("object", [[b"a b's \xff"], [b""]]),
    "u64": ("uint64", [2**64 - 1]),
    "u8": ("uint8", [0, 255]),
}


@pytest.mark.parametrize("name", TRUTH)
def test_values_are_arrays(view: tfprof.View, name: str) -> None:
    dtype, truth = TRUTH[name]
    value = view[name].tensor_value
    assert value.dtype == dtype
    assert value.shape == (numpy.shape(truth) if name != "empty" else (0, 4))
    assert value.tolist() == numpy.array(truth, dtype).reshape(
        value.shape).tolist()
    value += value if value.dtype != bool else False  # nobody else has it
    assert view[name].tensor_value.tolist() == numpy.array(
        truth, dtype).reshape(value.shape).tolist()


def test_values_are_lists_without_numpy(
        view: tfprof.View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    assert view["int"].tensor_value == -7
    assert view["bool"].tensor_value == [True, False, True]
    assert view["complex"].tensor_value == [1.5 - 2j]
    assert view["double"].tensor_value == [[0.1], [-1e300]]
    assert view["empty"].tensor_value == []
    assert view["strings"].tensor_value == [[b"a b's \xff"], [b""]]
    assert view["u64"].tensor_value == [2**64 - 1]
    assert view["bf"].tensor_value == [1.0, -2.0]


def test_rows_without_a_tensor_have_none(view: tfprof.View) -> None:
    assert view["_TFProfRoot"].tensor_value is None
    assert view["handle"].tensor_value is None


def test_values_must_be_selected(prefix: Path) -> None:
    row = tfprof.open(f"{prefix}.index").scope(select="params")["int"]
    with pytest.raises(AttributeError, match=r"select=\[..., 'tensor_value'\]"):
        _ = row.tensor_value
    graph = tfprof.open(GRAPH).scope(select="tensor_value")
    assert [row.tensor_value for row in graph] == [None] * len(graph)


def test_a_damaged_tensor_is_told(prefix: Path, tmp_path: Path) -> None:
    for suffix in (".index", ".data-00000-of-00001"):
        data = bytearray(prefix.with_name(prefix.name + suffix).read_bytes())
        if suffix != ".index":
            data[-1] ^= 1  # of u8
        (tmp_path / f"model.ckpt{suffix}").write_bytes(data)
    view = tfprof.open(tmp_path / "model.ckpt.index").scope(
        select="tensor_value")
    assert view["u8"].tensor_value is None
    assert view["int"].tensor_value == -7
    assert any("cannot read the values of tensor u8" in remark
               for remark in view.remarks)


def test_arrow_has_the_columns_of_csv(view: tfprof.View, prefix: Path) -> None:
    pytest.importorskip("pyarrow")
    table = view.to_arrow()
    lines = list(csv.DictReader(io.StringIO(command_line(
        "scope", f"{prefix}.index", "--select=params,tensor_value",
        "--format=csv"))))
    names = ("value_dtype", "value_shape", "value")
    for name in names:
        told = [line[name] for line in lines]
        found = table[name].to_pylist()
        same = [i for i, line in enumerate(lines)
                if line["name"] not in ("strings", "handle")]
        assert [found[i] for i in same] == [told[i] for i in same]
    assert [name for name in table.column_names if name in names] == [*names]
