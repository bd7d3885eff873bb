"""Shapes of operations that move and cut tensors, against TensorFlow's."""

# labels: tf

import pytest

import shape_rows

pytestmark = pytest.mark.recorded

FAMILIES = shape_rows.families("array")
TRIED = {row.op for rows in FAMILIES.values() for row in rows}


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_are_those_of_tensorflow(family, tmp_path, say):
    shape_rows.check("array", FAMILIES[family], tmp_path, say)


@pytest.mark.parametrize("table", [
    "array", "layout", "slices", "space", "strings", "ragged", "state"])
def test_every_operation_of_the_table_has_a_row(table):
    assert not set(shape_rows.listed(table)) - TRIED - {"Const", "HostConst"}
