"""docs/float-operations.md says what the program does."""

import re

import pytest

import float_operations
import flops_compare


@pytest.mark.parametrize("name", float_operations.TABLES)
def test_a_table_is_what_the_program_makes(name):
    assert float_operations.on_page(name) == float_operations.TABLES[name]()


def test_corrections_are_derived():
    page = float_operations.PAGE.read_text(encoding="utf-8")
    section = re.search("## Corrections\n(.*?)\n## ", page, re.DOTALL)[1]
    assert len(flops_compare.CORRECTED) <= 10
    for op in flops_compare.CORRECTED:
        assert f"`{op}`" in section


def test_every_difference_to_xla_has_a_reason():
    """Each type that is named in the last column is explained below it."""
    page = float_operations.PAGE.read_text(encoding="utf-8")
    table = float_operations.on_page("xla")
    named = set(re.findall(r"([A-Z]\w+) [-+][\d,]+", "\n".join(table)))
    below = page[page.index("<!-- xla:"):]
    reasons = set(re.findall(r"`(\w+)`", below[below.index("<!-- end -->"):]))
    assert named
    assert not sorted(named - reasons)
