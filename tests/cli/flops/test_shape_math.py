"""Shapes of operations that calculate, against TensorFlow's shape functions."""

# labels: tf

import pytest

import shape_rows

pytestmark = pytest.mark.recorded

FAMILIES = shape_rows.families("math")
TRIED = {row.op for rows in FAMILIES.values() for row in rows}


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_are_those_of_tensorflow(family, tmp_path, say):
    shape_rows.check("math", FAMILIES[family], tmp_path, say)


@pytest.mark.parametrize("table", [
    "conv", "diag", "image", "linalg", "math", "nn", "pool", "product",
    "quant", "random", "reduce", "rnn", "top", "train"])
def test_every_operation_of_the_table_has_a_row(table):
    assert {op for op, outputs in shape_rows.listed(table).items()
            if outputs} <= TRIED
