"""docs/float-operations.md says what the program does."""

import re

import pytest

import float_operations


@pytest.mark.parametrize("name", float_operations.TABLES)
def test_a_table_is_what_the_program_makes(name):
    assert float_operations.on_page(name) == float_operations.TABLES[name]()


def test_every_difference_to_xla_has_a_reason():
    """Also those of the models that are not on the page."""
    page = float_operations.PAGE.read_text(encoding="utf-8")
    named = {op for _, differences in float_operations.all_compared().values()
             for op in re.findall(r"([A-Z]\w+) [-+][\d,]+", differences)}
    below = page[page.index("<!-- xla:"):]
    reasons = set(re.findall(r"`(\w+)`", below[below.index("<!-- end -->"):]))
    assert named
    assert not sorted(named - reasons)


def test_models_like_xla_are_as_many_as_the_page_says():
    ratios = [ratio for ratio, _ in float_operations.all_compared().values()]
    alike = [ratio for ratio in ratios if abs(ratio - 1) <= 0.05]
    page = " ".join(float_operations.PAGE.read_text(encoding="utf-8").split())
    assert f"for {len(alike)} of the {len(ratios)} tested models" in page
