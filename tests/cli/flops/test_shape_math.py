"""Shapes of operations that calculate, against TensorFlow's shape functions."""

# labels: tf

import re

import pytest

import program
import shape_judge
import shape_rows_math
import shape_rows_more

pytestmark = pytest.mark.recorded

FAMILIES = {**shape_rows_math.FAMILIES, **shape_rows_more.FAMILIES}


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_are_those_of_tensorflow(family, tmp_path, say):
    rows = list(FAMILIES[family]())
    wrong, count, refused = [], 0, []
    for legacy in (False, True):
        chosen = [row for row in rows if row.legacy == legacy]
        if not chosen:
            continue
        truth = shape_judge.Truth("math", chosen, legacy)
        count += len(truth.shapes)
        refused += truth.refused
        # Attributes that have their default values may be left out.
        for name, graph in truth.graphs.items():
            path = tmp_path / f"{name}{legacy}.pb"
            path.write_bytes(graph)
            wrong += shape_judge.differences(truth, shape_judge.said(path))
    say(f"{len(rows)} rows, {count} tensors, {len(refused)} refused")
    assert not wrong, "\n".join([f"{len(wrong)} differ",
                                 *shape_judge.few_of_each(wrong)])
    assert len(refused) < count / 4, refused[:20]


TABLES = ("conv", "diag", "image", "linalg", "math", "nn", "old", "pool",
          "product", "quant", "random", "reduce", "rnn", "top", "train")


def test_every_operation_of_the_tables_has_a_row():
    tried = {row.op for rows in FAMILIES.values() for row in rows()}
    for table in TABLES:
        text = (program.SOURCE_DIR / f"src/shape/ops/ops_{table}.c").read_text(
            encoding="utf-8")
        ops = re.findall(r'\{ "(\w+)",\s+"([^"]*)"', text)
        assert ops, table
        assert {op for op, ports in ops if ports} <= tried, table
