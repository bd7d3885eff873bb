"""Shapes of operations that move and cut tensors, against TensorFlow's."""

# labels: tf

import pathlib
import re

import pytest

import program
import shape_judge
from shape_rows_array import FAMILIES

pytestmark = pytest.mark.recorded

TABLES = "array layout slices space strings ragged state".split()


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_are_those_of_tensorflow(family, tmp_path, say):
    rows = list(FAMILIES[family]())
    wrong, count, refused = [], 0, []
    for legacy in (False, True):
        chosen = [row for row in rows if row.legacy == legacy]
        if not chosen:
            continue
        truth = shape_judge.Truth("array", chosen, legacy)
        count += len(truth.shapes)
        refused += truth.refused
        # Attributes that have their default values may be left out.
        for name, graph in truth.graphs.items():
            path = tmp_path / f"{name}{legacy}.pb"
            path.write_bytes(graph)
            wrong += shape_judge.differences(truth, shape_judge.said(path))
    say(f"{len(rows)} rows, {count} tensors, {len(refused)} refused")
    assert not wrong, "\n".join([f"{len(wrong)} differ", *wrong[:60]])
    assert len(refused) < count / 4, refused[:20]


@pytest.mark.parametrize("table", TABLES)
def test_every_operation_of_the_table_has_a_row(table):
    source = pathlib.Path(program.SOURCE_DIR) / f"src/shape/ops/ops_{table}.c"
    listed = set(re.findall(r'^    \{ "(\w+)", "', source.read_text(), re.M))
    tried = {row.op for family in FAMILIES.values() for row in family()}
    assert listed and not listed - tried - {"Const", "HostConst"}
